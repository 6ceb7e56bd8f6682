"""Replies of judges by the hash of their request, in an SQLite file that several processes may share."""

import contextlib
import json
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

# How long a write waits for another process that writes: in a run, where replies under way must not be late, and at its
# end. After one that failed, the next waits so long that a file which is locked or full does not hold up the run.
BUSY_SECONDS, LAST_SECONDS, PAUSE_SECONDS = 0.1, 5, 1.0


def cache_file(cache: bool | str | os.PathLike[str]) -> Path | None:
    """Return the file of the cache: None for False, for True one in the user's cache folder; ValueError for no path."""
    if cache is False:
        return None
    if cache is not True:
        try:
            path = Path(os.fsdecode(os.fsencode(cache))).expanduser()
        except (TypeError, UnicodeEncodeError):
            path = Path("\0")
        if not cache or "\0" in str(path):
            raise ValueError(f"cache is {cache!r:.80}; True, False or the path of a file is expected")
        return path / "judge.sqlite" if path.is_dir() else path
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "answer_lens" / "judge.sqlite"


class Cache:
    """Keeps replies the moment they arrive. Trouble with the file loses none: they wait in memory, and `notes` say so.

    Raises:
        OSError: a file that was named cannot be a cache; nothing has been sent by then.

    """

    def __init__(self, cache: bool | str | os.PathLike[str]) -> None:
        self.path = cache_file(cache)
        self.database: sqlite3.Connection | None = None
        self.unsaved: dict[str, str] = {}
        self.trouble, self.next_try = "", 0.0
        try:
            self.open()
        except (OSError, sqlite3.Error) as error:
            self.trouble = str(error)
            if cache is not True and not isinstance(error, sqlite3.OperationalError):  # of a disk that is full, say
                raise OSError(f"cache is {str(self.path)!r:.200}, which cannot be used: {error}") from error

    def open(self) -> None:
        """Open the file, readable by its owner alone; each statement is a transaction of its own."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        database = sqlite3.connect(self.path, timeout=LAST_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")
            database.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_SECONDS)}")
        except sqlite3.Error:
            database.close()
            raise
        self.database = database

    def get(self, request: str) -> dict[str, Any] | None:
        """Return the reply to a request; None where none is known."""
        try:
            asked = self.database and self.database.execute("SELECT reply FROM replies WHERE request = ?", (request,))
            row = asked and asked.fetchone()
            reply = json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError, TypeError) as error:
            self.trouble = str(error)
            return None
        return reply if isinstance(reply, dict) else None

    def put(self, request: str, reply: dict[str, Any]) -> None:
        """Keep a reply, and those that could not be kept before."""
        if self.path is not None:
            self.unsaved[request] = json.dumps(reply)
            if self.database is not None and time.monotonic() >= self.next_try:
                self.save(self.database)

    def save(self, database: sqlite3.Connection) -> None:
        """Write what is unsaved, as far as the file takes it."""
        try:
            for request, reply in list(self.unsaved.items()):
                database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (request, reply))
                del self.unsaved[request]
            self.trouble = ""
        except sqlite3.Error as error:
            self.trouble, self.next_try = str(error), time.monotonic() + PAUSE_SECONDS

    def close(self) -> None:
        """Close the file, with a last try to write what is unsaved."""
        with contextlib.suppress(OSError, sqlite3.Error):
            if self.unsaved and self.database is None:
                self.open()
            if self.database is not None:
                self.database.execute(f"PRAGMA busy_timeout = {1000 * LAST_SECONDS}")
                self.save(self.database)
                self.database.close()

    def notes(self) -> list[str]:
        """Return what went wrong, in words."""
        if self.unsaved:
            return [f"{len(self.unsaved)} replies could not be stored in {self.path} ({self.trouble}): this result has "
                    "them, a re-run pays for them again"]  # fmt: skip
        return [f"the cache {self.path} could not be used: {self.trouble}"] if self.trouble else []
