"""Files by their address, such as s3://bucket/a.parquet or https://host/a.jsonl: whatever fsspec knows.

An address may hold a password or a signature; nothing that is shown of it does (`shown`, `told`).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote, urlsplit

from lens.tables.roles import BadTable
from lens.words import say

# At least two letters: one alone is a drive of Windows.
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+(?:://|::)", re.IGNORECASE)
LOCAL = re.compile(r"(?:file|local)://", re.IGNORECASE)
WEB = re.compile(r"https?://", re.IGNORECASE)
USER = re.compile(r"://[^/\s'\"]*@")
WEB_QUERY = re.compile(r"(https?://[^\s'\"?]*)\?[^\s'\"]*", re.IGNORECASE)
SIGNED = re.compile(r"\?[^\s'\"]*=[^\s'\"]*")
MAGIC = re.compile(r"[*?\[]")
# What a server may keep silent before it counts as gone; a long file may take as long as it takes.
SILENT_SECONDS = 60
MAX_TOLD = 300


def is_address(given: str) -> bool:
    """Whether a name is an address, and not a path of this machine.

    >>> is_address("s3://bucket/a.csv"), is_address("C:/a.csv"), is_address("file:///a.csv"), is_address("a.csv")
    (True, False, False, False)
    """
    return bool(ADDRESS.match(given)) and not LOCAL.match(given)


def local_path(given: str) -> Path:
    """A path of this machine, also where it is written as an address."""
    if not LOCAL.match(given):
        return Path(given)
    from fsspec.implementations.local import LocalFileSystem

    return Path(LocalFileSystem._strip_protocol(given))


def shown(text: str) -> str:
    """A text, such as an address or a message with some in it, without users, passwords and queries.

    >>> shown("https://me:secret@host/a.csv?signature=1"), shown("s3://bucket/a?.csv")
    ('https://host/a.csv', 's3://bucket/a?.csv')
    """
    return WEB_QUERY.sub(r"\1", SIGNED.sub("", USER.sub("://", text)))


def secrets(given: str) -> list[str]:
    """What in an address nobody else may see, the longest first."""
    found: set[str] = set()
    for part in given.split("::"):
        try:
            split = urlsplit(part)
            found |= {split.query, split.password or "", unquote(split.password or "")}
        except ValueError:  # no address after all: fsspec says so
            continue
    return sorted(found - {""}, key=len, reverse=True)


def missing(error: BaseException) -> bool:
    """Whether a file is not there, which of a server that refuses or cannot be reached is not known."""
    cause = error.__cause__
    unreached = isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError)
    return isinstance(error, FileNotFoundError) and not unreached and getattr(cause, "status", 404) in (404, 410)


def told(error: BaseException, given: str, said: str | None = None) -> str:
    """What went wrong with an address, on one line, without what nobody else may see; `said` are its own words."""
    if isinstance(error, FileNotFoundError) and not missing(error):
        error = error.__cause__ or error
    status = getattr(error, "status", None)
    text = said or (f"{status} {getattr(error, 'message', '')}" if status else str(error))
    text = text.strip().partition("\n")[0] or type(error).__name__
    for secret in secrets(given):
        text = text.replace(secret, "…")
    return shown(text)[:MAX_TOLD].rstrip(".")


def unread(error: BaseException, given: str, name: str = "") -> BadTable:
    """The refusal of an address that cannot be read."""
    name = name or shown(given)
    if missing(error):
        return BadTable(say("f_no_file", name=name))
    return BadTable(say("f_file_unread", name=name, error=told(error, given)))


@dataclass(frozen=True)
class Place:
    """A file at an address: its filesystem, and its path there. `given` is the address as the user wrote it."""

    system: Any
    path: str
    given: str

    def open(self) -> IO[bytes]:
        """The bytes of the file, from the beginning."""
        # Of a server on the web, one answer instead of one for each of many pieces.
        more = {"block_size": 0} if WEB.match(self.path) else {}
        return cast("IO[bytes]", self.system.open(self.path, "rb", **more))

    def open_anywhere(self) -> IO[bytes]:
        """The bytes of the file, in any order; a copy where a server sends them only from the beginning."""
        file = cast("IO[bytes]", self.system.open(self.path, "rb"))
        try:
            file.seek(-1, 2)
            file.read(1)
            file.seek(0)
        except (OSError, ValueError, TypeError):
            with file:
                pass
            return self.copy()
        return file

    def copy(self) -> IO[bytes]:
        """A copy of the file, gone once it is closed."""
        copy = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
        try:
            with self.open() as file:
                shutil.copyfileobj(file, copy)
            copy.seek(0)
        except BaseException:
            copy.close()
            raise
        return copy

    def stamp(self) -> dict[str, Any]:
        """What tells whether the file is still the same."""
        info = self.system.info(self.path)
        names = ("ETag", "etag", "LastModified", "Last-Modified", "last_modified", "mtime", "modified", "md5Hash")
        return {"size": info.get("size"), "modified": next((str(info[one]) for one in names if info.get(one)), None)}


def system_of(given: str) -> tuple[Any, str]:
    """The filesystem of an address, and the path there."""
    from fsspec.core import url_to_fs

    if not WEB.match(given):
        return cast("tuple[Any, str]", url_to_fs(given))
    import aiohttp

    limit = aiohttp.ClientTimeout(total=None, sock_connect=SILENT_SECONDS, sock_read=SILENT_SECONDS)
    return cast("tuple[Any, str]", url_to_fs(given, client_kwargs={"timeout": limit, "trust_env": True}))


def is_pattern(given: str) -> bool:
    """Whether an address stands for several files; on the web a question mark begins a query."""
    return bool(re.search(r"[*\[]", given.partition("?")[0]) if WEB.match(given) else MAGIC.search(given))


def places(given: str) -> list[Place]:
    """The files that an address stands for, sorted by path; BadTable where there are none, or it cannot be asked."""
    try:
        system, path = system_of(given)
        if not is_pattern(given):
            system.info(path)
            return [Place(system, path, given)]
        found = system.glob(path, detail=True)
    except Exception as error:  # whatever a filesystem, its package or the network brings about
        raise unread(error, given) from None
    files = sorted(one for one, info in found.items() if info.get("type") != "directory")
    if not files:
        raise BadTable(say("f_no_match", name=shown(given)))
    return [Place(system, one, given) for one in files]


def checked_target(target: str) -> None:
    """Refuse an address that nothing can be written to, as far as that can be told without writing."""
    if WEB.match(target):
        raise BadTable(say("f_target_web", name=shown(target)))
    try:
        system_of(target)
    except Exception as error:  # whatever a filesystem, or its package that is missing, brings about
        raise BadTable(say("f_target_unreached", name=shown(target), error=told(error, target))) from None


def write_text(target: str, text: str) -> None:
    """Write a text to a path, or to an address."""
    if not is_address(target):
        local_path(target).write_text(text, "utf-8")
        return
    system, path = system_of(target)
    system.pipe_file(path, text.encode())
