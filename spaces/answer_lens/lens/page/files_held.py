"""Files of visitors that are held in memory for the tab "Files", each by a token that only its page knows.

Nothing of them is on a disk. A file is forgotten when its page is closed or sends another, an hour after its last use,
and, the longest unused first, where too many are held.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens.tables.untrusted import Table

if TYPE_CHECKING:
    from lens.page.files_jobs import Run

KEPT_SECONDS = 3600.0
SWEEP_SECONDS = 60.0
# A file has 12 million characters at most (tables/visitors_file.py), in memory up to four bytes each.
MAX_HELD, MAX_CHARACTERS = 64, 100_000_000


@dataclass
class Sent:
    """One file: its name, its rows, and whether it is the made-up example."""

    name: str
    table: Table
    made_up: bool = False

    @property
    def names(self) -> list[str]:
        """All of its columns."""
        return list(self.table.columns)

    @property
    def characters(self) -> int:
        """About how much memory it takes."""
        cells = (cell for column in self.table.columns.values() for cell in column)
        return sum(len(cell) if isinstance(cell, str) else 16 for cell in cells)


@dataclass
class Held:
    """What is held for one page: its file, the second one where there is one, and its latest run."""

    session: str
    first: Sent
    second: Sent | None = None
    run: Run | None = None
    language: str = "en"
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    used: float = 0.0
    size: int = 0

    def busy(self) -> bool:
        """Whether its run waits or works: then it is not forgotten for want of room."""
        return self.run is not None and not self.run.ended.done()

    def end(self) -> None:
        """Stop what runs for it."""
        if self.run is not None:
            self.run.cancel()


class Store:
    """All files that are held, by token; `clock` gives seconds."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, most: int = MAX_HELD, characters: int = MAX_CHARACTERS
    ) -> None:
        self.clock, self.most, self.characters = clock, most, characters
        self.held: dict[str, Held] = {}
        self.lock = threading.RLock()
        self.sweeping = False

    def put(self, held: Held) -> None:
        """Hold a file; that of the same page before it, and what is too much, is forgotten."""
        with self.lock:
            self.forget(held.session)
            held.used = self.clock()
            held.size = held.first.characters
            self.held[held.token] = held
            self.bound(held)
            if not self.sweeping:
                self.sweeping = True
                threading.Thread(target=self.keep_sweeping, name="files sweeper", daemon=True).start()

    def attach(self, held: Held, second: Sent | None) -> None:
        """Hold a second file beside the first, or none."""
        with self.lock:
            held.second = second
            held.size = held.first.characters + (second.characters if second else 0)
            self.bound(held)

    def bound(self, newest: Held) -> None:
        """Forget idle files, the longest unused first, until there are not too many; never the newest."""
        idle = sorted(
            (one for one in self.held.values() if one is not newest and not one.busy()), key=lambda one: one.used
        )
        while idle and self.too_much():
            self.drop(idle.pop(0))

    def too_much(self) -> bool:
        """Whether more is held than may be."""
        return len(self.held) > self.most or sum(one.size for one in self.held.values()) > self.characters

    def get(self, token: object, session: str) -> Held | None:
        """The file of this token, for the page that sent it and no other."""
        held = self.by_token(token)
        return held if held is not None and secrets.compare_digest(held.session.encode(), session.encode()) else None

    def by_token(self, token: object) -> Held | None:
        """The file of this token, used now; for downloads, whose links know no session."""
        with self.lock:
            self.sweep()
            held = self.held.get(token) if isinstance(token, str) else None
            if held is not None:
                held.used = self.clock()
            return held

    def forget(self, session: str) -> None:
        """Forget the file of a page, and stop what runs for it."""
        with self.lock:
            for held in [one for one in self.held.values() if one.session == session]:
                self.drop(held)

    def drop(self, held: Held) -> None:
        """Forget one file."""
        held.end()
        self.held.pop(held.token, None)

    def sweep(self) -> None:
        """Forget what was not used for an hour; while its run waits or works, a file is in use."""
        with self.lock:
            now = self.clock()
            for held in list(self.held.values()):
                if held.busy():
                    held.used = now
                elif now - held.used >= KEPT_SECONDS:
                    self.drop(held)

    def keep_sweeping(self) -> None:
        """Sweep once a minute."""
        while True:
            time.sleep(SWEEP_SECONDS)
            self.sweep()


STORE = Store()
