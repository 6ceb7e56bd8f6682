# A copy of metrics/shared/judge_cache.py: change that one, then run `make copies`.
"""Replies of judges by the hash of their request, in an SQLite file that several runs may share."""

import json
import os
import secrets
import sqlite3
import time
from pathlib import Path
from typing import Any

LEASE = 5.0  # seconds without a word of a run until others ask what it had set out to ask
NO_NAME = (TypeError, ValueError, RuntimeError)  # for what no file can be called; the last where there is no home


class Cache:
    """Keeps replies the moment they arrive, in no file (False), one in the user's cache folder (True) or the one named.
    Trouble with it never stops a run: `trouble` says what it is. A named file that is no cache raises OSError at once,
    what cannot be the name of one ValueError.
    """

    def __init__(self, where: bool | str | os.PathLike[str]) -> None:
        self.database: sqlite3.Connection | None = None
        self.trouble, self.owner, self.path = "", secrets.token_hex(8), Path("judge.sqlite")
        if where is False:
            return
        try:
            user = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "answer_lens", "judge.sqlite")
            self.path = (user if where is True else Path(where)).expanduser()
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # readable by its owner alone
            self.database = sqlite3.connect(self.path, timeout=5, isolation_level=None, check_same_thread=False)
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
            self.trouble = f"{self.path}: {error}"
            self.run("PRAGMA busy_timeout = 0")  # a file that is locked holds up no more
            return []

    def get(self, request: str) -> Any:
        """Return the reply to a request; None where none is known."""
        rows = self.run("SELECT reply FROM replies WHERE request = ?", request)
        return json.loads(rows[0][0]) if rows else None

    def put(self, request: str, reply: dict[str, Any]) -> None:
        """Keep a reply."""
        self.run("INSERT OR REPLACE INTO replies VALUES (?, ?)", request, json.dumps(reply))

    def claim(self, request: str) -> bool:
        """Tell whether to ask for a reply: no other run is about to, and none will from now on while this one lives."""
        now = time.time()
        taken = "ON CONFLICT (request) DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE until < ?"
        self.run(f"INSERT INTO claims VALUES (?, ?, ?) {taken}", request, self.owner, now + LEASE, now)
        others = "SELECT 1 FROM claims WHERE request = ? AND owner <> ? AND until >= ?"
        return not self.run(others, request, self.owner, now)

    def renew(self) -> None:
        """Say to other runs that this one is still about what it claimed."""
        self.run("UPDATE claims SET until = ? WHERE owner = ?", time.time() + LEASE, self.owner)

    def release(self, request: str) -> None:
        """Leave a request to whoever wants to ask."""
        self.run("DELETE FROM claims WHERE request = ? AND owner = ?", request, self.owner)

    def close(self) -> None:
        """Close the file, and leave to others what was claimed and not asked."""
        if self.database:
            self.run("DELETE FROM claims WHERE owner = ? OR until < ?", self.owner, time.time())
            self.database.close()
            self.database = None  # what still arrives is late
