"""Replies of judges by the hash of their request, in an SQLite file that several processes may share."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

# Seconds that a write waits for another process that writes.
BUSY_SECONDS = 5


class Cache:
    """Keeps replies the moment they arrive. Trouble with the file never stops a run: `notes` say what was not kept.

    `where` is False for no file, True for one in the user's cache folder, or the path of a file.

    Raises:
        ValueError: `where` is no path.
        OSError: a file that was named cannot be a cache; nothing has been sent by then.

    """

    def __init__(self, where: bool | str | os.PathLike[str]) -> None:
        self.database: sqlite3.Connection | None = None
        self.trouble, self.unsaved = "", 0
        if where is False:
            return
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer_lens"
        try:
            named = where or "\0"  # for "" would be the folder at hand, and this is no path
            self.path = user if named is True else Path(os.fsdecode(os.fsencode(named))).expanduser()
            self.open(self.path / "judge.sqlite" if where is True or self.path.is_dir() else self.path)
        except (TypeError, ValueError):
            raise ValueError(f"cache is {where!r:.80}; True, False or the path of a file is expected") from None
        except (OSError, sqlite3.Error) as error:
            self.database, self.trouble = None, str(error)
            if where is not True and not isinstance(error, sqlite3.OperationalError):  # of a disk that is full, say
                raise OSError(f"cache is {str(self.path)!r:.200}, which cannot be used: {error}") from error

    def open(self, path: Path) -> None:
        """Open the file, readable by its owner alone; each statement is a transaction of its own."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self.database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = NORMAL")
        self.database.execute("CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")

    def get(self, request: str) -> Any:
        """Return the reply to a request; None where none is known."""
        try:
            asked = self.database and self.database.execute("SELECT reply FROM replies WHERE request = ?", (request,))
            row = asked and asked.fetchone()
            return json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError, TypeError) as error:
            self.trouble = str(error)
            return None

    def put(self, request: str, reply: dict[str, Any]) -> None:
        """Keep a reply."""
        if self.database is None:
            self.unsaved += bool(self.trouble)
            return
        try:
            self.database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (request, json.dumps(reply)))
        except sqlite3.Error as error:
            self.trouble, self.unsaved = str(error), self.unsaved + 1
            self.database.execute("PRAGMA busy_timeout = 0")  # one that is locked holds up no more

    def close(self) -> None:
        """Close the file."""
        if self.database:
            self.database.close()

    def notes(self) -> list[str]:
        """Return what went wrong, in words."""
        if self.unsaved:
            lost = "this result has them, a re-run pays for them again"
            return [f"{self.unsaved} replies could not be stored in {self.path} ({self.trouble}): {lost}"]
        return [f"the cache {self.path} could not be used: {self.trouble}"] if self.trouble else []
