# A copy of metrics/shared/judge_cache.py: change that one, then run `make copies`.
"""Replies of judges by the hash of their request, in an SQLite file that several runs may share."""

import json
import os
import secrets
import sqlite3
import time
import zlib
from pathlib import Path
from typing import Any

LEASE = 5.0  # seconds, by the clock of who waits, without a word of a run until others ask what it had set out to ask
FORGOTTEN = 30 * 86_400.0  # seconds after which a claim that nobody asks for is cleared away
# What a kept reply has, and of which type; judge_providers.trimmed makes it.
FORM: dict[str, tuple[type, ...]] = {
    "model": (str, type(None)),
    "usage": (dict, type(None)),
    "finish": (str,),
    "text": (str, type(None)),
    "refusal": (str, type(None)),
    "first_token": (object,),
    "output": (str,),
}
NO_NAME = (TypeError, ValueError, RuntimeError)  # for what no file can be called; the last where there is no home


class Cache:
    """Keeps replies the moment they arrive, in no file (False), one in the user's cache folder (True) or the one named.
    Trouble with it never stops a run: `trouble` says what it is. A named file that is no cache raises OSError at once,
    what cannot be the name of one ValueError. A reply that was damaged in the file is none, and `damaged` names it.
    """

    def __init__(self, where: bool | str | os.PathLike[str]) -> None:
        self.database: sqlite3.Connection | None = None
        self.trouble, self.owner, self.path = "", secrets.token_hex(8), Path("judge.sqlite")
        self.damaged = set[str]()  # the requests, or batches, of which the file holds something that is none
        self.seen = dict[str, tuple[Any, float]]()  # claims of others: what they said last, and when that was new here
        if where is False:
            return
        if isinstance(where, str) and not where.strip():
            raise ValueError(f"cache is {where!r:.80}; True, False or the path of a file is expected")
        try:
            user = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "answer_lens", "judge.sqlite")
            self.path = (user if where is True else Path(where)).expanduser()
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # readable by its owner alone
            self.database = sqlite3.connect(self.path, timeout=5, isolation_level=None, check_same_thread=False)
            self.database.text_factory = lambda text: text.decode(errors="replace")  # also one that is damaged
            self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            self.database.execute("CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT)")
            # A file of replies where there is no room for this is of use all the same.
            self.run("CREATE TABLE IF NOT EXISTS claims (request TEXT PRIMARY KEY, owner TEXT, until REAL)")
        except (OSError, sqlite3.Error, *NO_NAME) as error:
            self.database, self.trouble = None, f"{self.path}: {error}"
            if where is not True and isinstance(error, NO_NAME):
                raise ValueError(f"cache is {where!r:.80}; True, False or the path of a file is expected") from None
            if where is not True and not isinstance(error, sqlite3.OperationalError):  # of a disk that is full, say
                raise OSError(f"cache is {str(self.path)!r:.200}, which cannot be used: {error}") from error

    def run(self, statement: str, *values: str | float) -> list[Any]:
        """Return the rows that a statement gives; none where the file cannot be used."""
        try:
            return self.database.execute(statement, values).fetchall() if self.database else []
        except sqlite3.Error as error:
            remedy = "; delete the file, or name another one" if "malformed" in str(error) else ""
            self.trouble = f"{self.path}: {error}{remedy}"
            self.run("PRAGMA busy_timeout = 0")  # a file that is locked holds up no more
            return []

    def get(self, request: str) -> Any:
        """Return the reply to a request; None where none is known, or what is there is none."""
        # As bytes: a text that is damaged may be none to sqlite.
        rows = self.run("SELECT CAST(reply AS BLOB) FROM replies WHERE request = ?", request)
        if not rows:
            return None
        reply = read_kept(rows[0][0])
        if reply is None:
            self.damaged.add(request)
        return reply

    def put(self, request: str, reply: dict[str, Any]) -> None:
        """Keep a reply, with a checksum."""
        text = json.dumps(reply)
        kept = json.dumps({**reply, "checksum": checksum(json.loads(text))})
        self.run("INSERT OR REPLACE INTO replies VALUES (?, ?)", request, kept)

    def claim(self, request: str) -> bool:
        """Tell whether to ask for a reply: no other run is about to, and none will from now on while this one lives.

        A run that lives changes its claims every second. Who waits takes over a claim that has not changed for some
        seconds by the own clock: the clocks of two machines may differ by hours, and one may have been ahead.
        """
        self.run("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", request, self.owner, time.time() + LEASE)
        claims = self.run("SELECT owner, until FROM claims WHERE request = ?", request)
        if not claims or claims[0][0] == self.owner:
            return True
        now = time.monotonic()
        said, since = self.seen.get(request, (None, now))
        if said != claims[0]:
            self.seen[request] = claims[0], now
            return False
        if now - since < LEASE:
            return False
        unchanged = "WHERE request = ? AND owner IS ? AND until IS ?"
        self.run(f"UPDATE claims SET owner = ?, until = ? {unchanged}", self.owner, time.time(), request, *claims[0])
        return self.run("SELECT owner FROM claims WHERE request = ?", request) == [(self.owner,)]

    def renew(self) -> None:
        """Say to other runs that this one is still about what it claimed."""
        self.run("UPDATE claims SET until = until + 1 WHERE owner = ?", self.owner)

    def release(self, request: str) -> None:
        """Leave a request to whoever wants to ask."""
        self.run("DELETE FROM claims WHERE request = ? AND owner = ?", request, self.owner)

    def close(self) -> None:
        """Close the file, and leave to others what was claimed and not asked."""
        if self.database:
            self.run("DELETE FROM claims WHERE owner = ? OR until < ?", self.owner, time.time() - FORGOTTEN)
            self.database.close()
            self.database = None  # what still arrives is late


def checksum(reply: dict[str, Any]) -> int:
    """Return the checksum of a reply, whatever the order of its keys."""
    return zlib.crc32(json.dumps(reply, sort_keys=True).encode())


def read_kept(kept: Any) -> dict[str, Any] | None:
    """Return the reply that was kept as this; None where it was damaged. An older version kept no checksum."""
    try:
        reply = json.loads(kept.decode())
        expected = reply.pop("checksum", None) if isinstance(reply, dict) else None
        is_whole = expected is None or expected == checksum(reply)
    except (AttributeError, ValueError, RecursionError):
        return None
    has_form = isinstance(reply, dict) and all(isinstance(reply.get(name, 0), kinds) for name, kinds in FORM.items())
    return reply if is_whole and has_form and has_counts(reply["usage"]) else None


def has_counts(usage: dict[str, Any] | None) -> bool:
    """Return whether the tokens of a reply are whole numbers, or unknown."""
    return usage is None or all(type(usage.get(side)) is int for side in ("input", "output"))
