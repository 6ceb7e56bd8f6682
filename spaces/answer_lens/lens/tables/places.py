"""Files by their address, such as s3://bucket/a.parquet or https://host/a.jsonl, or by their path: whatever fsspec
knows.

An address may hold a password or a signature; nothing that is shown of it does (`shown`, `told`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from lens.tables.roles import BadTable
from lens.words import say

# At least two letters: one alone is a drive of Windows.
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+(?:://|::)", re.IGNORECASE)
LOCAL = re.compile(r"(?:file|local)://", re.IGNORECASE)
WEB = re.compile(r"https?://", re.IGNORECASE)
USER = re.compile(r"://[^/\s'\"]*@")
# What follows the question mark of an address on the web, and a signature anywhere else.
QUERY = re.compile(r"(https?://[^\s'\"?]*)\?[^\s'\"]*|\?[^\s'\"]*=[^\s'\"]*", re.IGNORECASE)
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
    return Path(system_of(given)[1] if LOCAL.match(given) else given)


def system_of(given: str) -> tuple[Any, str]:
    """The filesystem of a path or an address, and the path there."""
    from fsspec.core import url_to_fs

    if not WEB.match(given):
        return cast("tuple[Any, str]", url_to_fs(given))
    import aiohttp

    limit = aiohttp.ClientTimeout(total=None, sock_connect=SILENT_SECONDS, sock_read=SILENT_SECONDS)
    return cast("tuple[Any, str]", url_to_fs(given, client_kwargs={"timeout": limit, "trust_env": True}))


def shown(text: str) -> str:
    """A text, such as an address or a message with some in it, without users, passwords and queries.

    >>> shown("https://me:secret@host/a.csv?signature=1"), shown("s3://bucket/a?.csv")
    ('https://host/a.csv', 's3://bucket/a?.csv')
    """
    return QUERY.sub(r"\1", USER.sub("://", text))


def told(error: BaseException, given: str, said: str | None = None) -> str:
    """What went wrong with an address, on one line, without what nobody else may see; `said` are its own words."""
    status = getattr(error, "status", None)
    text = said or (f"{status} {getattr(error, 'message', '')}" if status else str(error))
    text = text.strip().partition("\n")[0] or type(error).__name__
    for part in given.split("::"):
        try:
            address = urlsplit(part)
        except ValueError:  # no address after all: fsspec says so
            continue
        for secret in (address.query, address.password or "", unquote(address.password or "")):
            text = text.replace(secret, "…") if secret else text
    return shown(text)[:MAX_TOLD].rstrip(".")


def unread(error: BaseException, given: str, name: str = "") -> BadTable:
    """The refusal of a file that cannot be read. A server that refuses or cannot be reached is to fsspec a file that is
    not there: its cause tells.
    """
    name, cause = name or shown(given), error.__cause__
    if isinstance(error, FileNotFoundError) and cause is not None:
        unreached = isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError)
        error = cause if unreached or getattr(cause, "status", 404) not in (404, 410) else error
    if isinstance(error, FileNotFoundError):
        return BadTable(say("f_no_file", name=name))
    said = error.strerror if isinstance(error, OSError) and error.filename else None
    return BadTable(say("f_file_unread", name=name, error=told(error, given, said)))


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
