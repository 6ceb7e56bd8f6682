# A copy of metrics/shared/judge_cache.py: change that one, then run `make copies`.
"""Replies of judges by the hash of their request, in an SQLite file that several processes may share."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any


class Cache:
    """Keeps replies the moment they arrive, in no file (False), one in the user's cache folder (True) or the one named.
    Trouble with it never stops a run: `trouble` says what it is. A named file that is no cache raises OSError at once.
    """

    def __init__(self, where: bool | str | os.PathLike[str]) -> None:
        self.database: sqlite3.Connection | None = None
        self.trouble = ""
        if where is False:
            return
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer_lens" / "judge.sqlite"
        self.path = user if where is True else Path(where).expanduser()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # readable by its owner alone
            self.database = sqlite3.connect(self.path, timeout=5, isolation_level=None, check_same_thread=False)
            self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            self.database.execute("CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT)")
        except (OSError, sqlite3.Error) as error:
            self.database, self.trouble = None, f"{self.path}: {error}"
            if where is not True and not isinstance(error, sqlite3.OperationalError):  # of a disk that is full, say
                raise OSError(f"cache is {str(self.path)!r:.200}, which cannot be used: {error}") from error

    def run(self, statement: str, *values: str) -> list[Any]:
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

    def close(self) -> None:
        """Close the file."""
        if self.database:
            self.database.close()
