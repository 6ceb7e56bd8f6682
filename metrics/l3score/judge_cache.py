# A copy of metrics/shared/judge_cache.py: change that one, then run `make copies`.
"""Cached replies of judges, by the hash of their request, in an SQLite file that runs can share."""

import json
import os
import secrets
import sqlite3
import time
import zlib
from pathlib import Path
from typing import Any

# Seconds without a sign of life from a run, by the clock of the waiting run, until its claim is
# taken over.
LEASE_SECONDS = 5.0
# Seconds until an abandoned claim is deleted.
CLAIM_LIFETIME = 30 * 86_400.0
# The parts of a cached reply and their types; judge_replies.trim_reply makes them.
REPLY_TYPES: dict[str, tuple[type, ...]] = {
    "model": (str, type(None)),
    "usage": (dict, type(None)),
    "finish": (str,),
    "text": (str, type(None)),
    "refusal": (str, type(None)),
    "first_token": (object,),
    "output": (str,),
}
# Path() and expanduser() raise these for a value that cannot be the path of a file. RuntimeError:
# the user has no home folder.
PATH_ERRORS = (TypeError, ValueError, RuntimeError)

Reply = dict[str, Any]
# True for the file in the user's cache folder, a path for another file, False for no cache.
Location = bool | str | os.PathLike[str]


class Cache:
    """An SQLite file that stores each reply as soon as it arrives.

    Errors of the file never stop a run: `last_error` has the last one. A damaged reply counts as
    missing, and `damaged` has its request.

    Args:
        location: True for the file in the user's cache folder, a path for another file, False for
            no cache.

    Raises:
        OSError: the path is that of a file which is no cache.
        ValueError: `location` cannot be the path of a file.
    """

    def __init__(self, location: Location) -> None:
        self.database: sqlite3.Connection | None = None
        self.path = Path("judge.sqlite")
        self.last_error = ""
        self.damaged = set[str]()
        # The owner of this run's claims.
        self.owner = secrets.token_hex(8)
        # The claims of other runs: the last owner and heartbeat, and when this run first saw them.
        self.seen_claims = dict[str, tuple[Any, float]]()
        if location is False:
            return
        if isinstance(location, str) and not location.strip():
            raise describe_bad_path(location)
        try:
            self._open_file(location)
        except (OSError, sqlite3.Error, *PATH_ERRORS) as error:
            self.database = None
            self.last_error = f"{self.path}: {error}"
            if location is not True and isinstance(error, PATH_ERRORS):
                raise describe_bad_path(location) from None
            # If the disk is full or the like, the run goes on without a cache.
            if location is not True and not isinstance(error, sqlite3.OperationalError):
                raise OSError(
                    f"cache is {str(self.path)!r:.200}, which cannot be used: {error}"
                ) from error

    def _open_file(self, location: Location) -> None:
        """Open the file, and create it and its tables if they are missing."""
        folder = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        path = Path(folder, "answer_lens", "judge.sqlite")
        if not isinstance(location, bool):
            path = Path(location)
        self.path = path.expanduser()
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Only its owner can read it.
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        self.database = sqlite3.connect(
            self.path,
            timeout=5,
            isolation_level=None,
            check_same_thread=False,
        )
        # Damaged text is decoded too; its checksum finds the damage.
        self.database.text_factory = lambda text: text.decode(errors="replace")
        self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT)"
        )
        # If the file is full, this fails, but the replies in the file can still be read.
        # The column `until` is a heartbeat: its value means nothing, but that it changes shows that
        # the owner is alive. Files of older versions have this name.
        self.execute(
            "CREATE TABLE IF NOT EXISTS claims (request TEXT PRIMARY KEY, owner TEXT, until REAL)"
        )

    def execute(
        self,
        statement: str,
        *values: str | float,
    ) -> list[Any]:
        """Return the rows of a statement; none if the file cannot be used."""
        if not self.database:
            return []
        try:
            return self.database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            remedy = "; delete the file, or name another one" if "malformed" in str(error) else ""
            self.last_error = f"{self.path}: {error}{remedy}"
            # If the file is locked, no later statement waits for it.
            self.execute("PRAGMA busy_timeout = 0")
            return []

    def get_reply(self, request: str) -> Reply | None:
        """Return the cached reply to a request; None if there is none, or if it is damaged."""
        # Read as bytes: SQLite may refuse damaged text.
        rows = self.execute("SELECT CAST(reply AS BLOB) FROM replies WHERE request = ?", request)
        if not rows:
            return None
        reply = parse_reply(rows[0][0])
        if reply is None:
            self.damaged.add(request)
        return reply

    def store_reply(self, request: str, reply: Reply) -> None:
        """Store a reply with a checksum."""
        round_tripped = json.loads(json.dumps(reply))
        text = json.dumps({**reply, "checksum": compute_checksum(round_tripped)})
        self.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", request, text)

    def claim_request(self, request: str) -> bool:
        """Claim a request; return False if another live run has claimed it.

        A live run changes the heartbeat of its claims every second. A claim is taken over if its
        heartbeat has not changed for LEASE_SECONDS. Only the clock of the waiting run counts, since
        the clocks of two machines may differ by hours.
        """
        heartbeat = time.time() + LEASE_SECONDS
        claim = (request, self.owner, heartbeat)
        self.execute("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", *claim)
        claims = self.execute("SELECT owner, until FROM claims WHERE request = ?", request)
        if not claims or claims[0][0] == self.owner:
            return True
        now = time.monotonic()
        last_claim, first_seen = self.seen_claims.get(request, (None, now))
        if last_claim != claims[0]:
            self.seen_claims[request] = claims[0], now
            return False
        if now - first_seen < LEASE_SECONDS:
            return False
        unchanged = "WHERE request = ? AND owner IS ? AND until IS ?"
        take_over = f"UPDATE claims SET owner = ?, until = ? {unchanged}"
        self.execute(take_over, self.owner, time.time(), request, *claims[0])
        owners = self.execute("SELECT owner FROM claims WHERE request = ?", request)
        return owners == [(self.owner,)]

    def renew_claims(self) -> None:
        """Change the heartbeat of this run's claims, so that other runs see that it is alive."""
        self.execute("UPDATE claims SET until = until + 1 WHERE owner = ?", self.owner)

    def release_request(self, request: str) -> None:
        """Give up the claim on a request."""
        self.execute("DELETE FROM claims WHERE request = ? AND owner = ?", request, self.owner)

    def close(self) -> None:
        """Release this run's claims, delete abandoned ones, and close the file."""
        if self.database:
            # A heartbeat begins as the time of the claim, so it shows how old a claim is.
            oldest = time.time() - CLAIM_LIFETIME
            self.execute("DELETE FROM claims WHERE owner = ? OR until < ?", self.owner, oldest)
            self.database.close()
            # A reply that arrives later is not stored.
            self.database = None


def describe_bad_path(path: object) -> ValueError:
    """Return the error for a value that cannot be the path of a file."""
    return ValueError(f"cache is {path!r:.80}; True, False or the path of a file is expected")


def compute_checksum(reply: Reply) -> int:
    """Return the checksum of a reply; the order of its keys does not matter."""
    return zlib.crc32(json.dumps(reply, sort_keys=True).encode())


def parse_reply(stored: Any) -> Reply | None:
    """Return a cached reply from its bytes, or None if it is damaged.

    A reply without a checksum was stored by an older version, and counts as undamaged.
    """
    try:
        reply = json.loads(stored.decode())
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
    """Return whether a reply has all its parts, each with its type."""
    for name, types in REPLY_TYPES.items():
        # If a part is missing, 0 stands for it, which is no str, dict or None. Only `first_token`,
        # whose type is `object`, may be missing.
        if not isinstance(reply.get(name, 0), types):
            return False
    usage = reply["usage"]
    if usage is None:
        return True
    counts = [usage.get("input"), usage.get("output")]
    return all(type(count) is int for count in counts)
