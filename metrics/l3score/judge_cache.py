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

# Seconds, by the clock of who waits, until the claim of a run that says nothing more is taken over.
LEASE_SECONDS = 5.0
# Seconds after which a claim that nobody asks for is deleted.
CLAIM_LIFETIME = 30 * 86_400.0
# The parts of a kept reply and their types; judge_replies.trim_reply makes them.
REPLY_TYPES: dict[str, tuple[type, ...]] = {
    "model": (str, type(None)),
    "usage": (dict, type(None)),
    "finish": (str,),
    "text": (str, type(None)),
    "refusal": (str, type(None)),
    "first_token": (object,),
    "output": (str,),
}
# What Python raises for a text that no file can be called; the last one where there is no home
# folder.
NAME_ERRORS = (TypeError, ValueError, RuntimeError)

Reply = dict[str, Any]
# True for the file in the user's cache folder, a path for another file, False for none.
Where = bool | str | os.PathLike[str]


class Cache:
    """Keeps replies the moment they arrive, in an SQLite file.

    Trouble with the file never stops a run: `trouble` says what it is. A damaged reply counts as
    none, and `damaged` names its request.

    Args:
        where: True for the file in the user's cache folder, a path for another one, False for none.

    Raises:
        OSError: a named file is no cache.
        ValueError: `where` cannot be the name of a file.
    """

    def __init__(self, where: Where) -> None:
        self.database: sqlite3.Connection | None = None
        self.path = Path("judge.sqlite")
        self.trouble = ""
        self.damaged = set[str]()
        # Who claims requests: this run.
        self.owner = secrets.token_hex(8)
        # The claims of other runs: what they said last, and when that was new here.
        self.seen_claims = dict[str, tuple[Any, float]]()
        if where is False:
            return
        if isinstance(where, str) and not where.strip():
            raise describe_bad_name(where)
        try:
            self._open_file(where)
        except (OSError, sqlite3.Error, *NAME_ERRORS) as error:
            self.database = None
            self.trouble = f"{self.path}: {error}"
            if where is not True and isinstance(error, NAME_ERRORS):
                raise describe_bad_name(where) from None
            # An operational error is a full disk, say: that costs the cache and no row.
            if where is not True and not isinstance(error, sqlite3.OperationalError):
                raise OSError(
                    f"cache is {str(self.path)!r:.200}, which cannot be used: {error}"
                ) from error

    def _open_file(self, where: Where) -> None:
        """Open the file, and create what is missing of it."""
        folder = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        path = Path(folder, "answer_lens", "judge.sqlite")
        if not isinstance(where, bool):
            path = Path(where)
        self.path = path.expanduser()
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Readable by its owner alone.
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        self.database = sqlite3.connect(
            self.path,
            timeout=5,
            isolation_level=None,
            check_same_thread=False,
        )
        # A damaged text is read too.
        self.database.text_factory = lambda text: text.decode(errors="replace")
        self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT)"
        )
        # A full file of replies that has no room for this table is still of use.
        self.execute(
            "CREATE TABLE IF NOT EXISTS claims (request TEXT PRIMARY KEY, owner TEXT, until REAL)"
        )

    def execute(
        self,
        statement: str,
        *values: str | float,
    ) -> list[Any]:
        """Return the rows that a statement gives; none where the file cannot be used."""
        if not self.database:
            return []
        try:
            return self.database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            remedy = "; delete the file, or name another one" if "malformed" in str(error) else ""
            self.trouble = f"{self.path}: {error}{remedy}"
            # A locked file delays no further statement.
            self.execute("PRAGMA busy_timeout = 0")
            return []

    def get_reply(self, request: str) -> Reply | None:
        """Return the reply to a request, or None where none is known or what is kept is damaged."""
        # As bytes: SQLite may refuse a damaged text.
        rows = self.execute("SELECT CAST(reply AS BLOB) FROM replies WHERE request = ?", request)
        if not rows:
            return None
        reply = parse_reply(rows[0][0])
        if reply is None:
            self.damaged.add(request)
        return reply

    def keep_reply(self, request: str, reply: Reply) -> None:
        """Write a reply to the file, with a checksum."""
        as_read = json.loads(json.dumps(reply))
        text = json.dumps({**reply, "checksum": compute_checksum(as_read)})
        self.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", request, text)

    def claim_request(self, request: str) -> bool:
        """Claim a request; return False if another live run has claimed it.

        A live run changes its claims every second. A claim that has not changed for some seconds,
        by the clock of who waits, is taken over: the clocks of two machines may differ by hours.
        """
        until = time.time() + LEASE_SECONDS
        self.execute("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", request, self.owner, until)
        claims = self.execute("SELECT owner, until FROM claims WHERE request = ?", request)
        if not claims or claims[0][0] == self.owner:
            return True
        now = time.monotonic()
        seen, since = self.seen_claims.get(request, (None, now))
        if seen != claims[0]:
            self.seen_claims[request] = claims[0], now
            return False
        if now - since < LEASE_SECONDS:
            return False
        unchanged = "WHERE request = ? AND owner IS ? AND until IS ?"
        take_over = f"UPDATE claims SET owner = ?, until = ? {unchanged}"
        self.execute(take_over, self.owner, time.time(), request, *claims[0])
        owners = self.execute("SELECT owner FROM claims WHERE request = ?", request)
        return owners == [(self.owner,)]

    def renew_claims(self) -> None:
        """Show other runs that this one is alive."""
        self.execute("UPDATE claims SET until = until + 1 WHERE owner = ?", self.owner)

    def release_request(self, request: str) -> None:
        """Give up the claim on a request."""
        self.execute("DELETE FROM claims WHERE request = ? AND owner = ?", request, self.owner)

    def close(self) -> None:
        """Close the file, and give up all claims."""
        if self.database:
            oldest = time.time() - CLAIM_LIFETIME
            self.execute("DELETE FROM claims WHERE owner = ? OR until < ?", self.owner, oldest)
            self.database.close()
            # What still arrives is too late.
            self.database = None


def describe_bad_name(where: object) -> ValueError:
    """Return the error for a setting that cannot be the name of a file."""
    return ValueError(f"cache is {where!r:.80}; True, False or the path of a file is expected")


def compute_checksum(reply: Reply) -> int:
    """Return the checksum of a reply, whatever the order of its keys."""
    return zlib.crc32(json.dumps(reply, sort_keys=True).encode())


def parse_reply(kept: Any) -> Reply | None:
    """Return the reply that was kept as these bytes, or None where it was damaged.

    An older version kept no checksum.
    """
    try:
        reply = json.loads(kept.decode())
    except (AttributeError, ValueError, RecursionError):
        return None
    if not isinstance(reply, dict):
        return None
    expected = reply.pop("checksum", None)
    try:
        is_whole = expected is None or expected == compute_checksum(reply)
    except (ValueError, RecursionError):
        return None
    return reply if is_whole and has_reply_parts(reply) else None


def has_reply_parts(reply: Reply) -> bool:
    """Return whether a reply has all its parts, each of its type."""
    for name, types in REPLY_TYPES.items():
        # 0 is of none of the types but object, which may be missing.
        if not isinstance(reply.get(name, 0), types):
            return False
    usage = reply["usage"]
    if usage is None:
        return True
    counts = [usage.get("input"), usage.get("output")]
    return all(type(count) is int for count in counts)
