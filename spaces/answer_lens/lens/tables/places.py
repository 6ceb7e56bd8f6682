"""Opens files by a path or an address of any kind that fsspec knows.

Examples are s3://bucket/a.parquet and https://host/a.jsonl. An address may contain a password or a
signature. Everything that is shown goes through `hide_secrets` or `describe_error`, which remove
these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote

from lens.words.notes import UserError

# "s3://", "zip::" and the like, with at least two letters: a single letter is a drive of Windows.
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+(?:://|::)", re.IGNORECASE)
LOCAL = re.compile(r"(?:file|local)://", re.IGNORECASE)
WEB = re.compile(r"https?://", re.IGNORECASE)
# The user and password in an address: "://me:secret@".
USER = re.compile(r"://[^/\s'\"]*@")
# A word of a message, without quotation marks around it.
WORD = re.compile(r"[^\s'\"]+")
# A password, or the query behind a question mark.
SECRETS = re.compile(r"(?<=:)[^/:]+(?=@)|(?<=\?).+?(?=::|$)")
# How long a server may send nothing before the request fails. The whole download has no limit.
SILENT_SECONDS = 60
# The longest message of another library that is shown.
MAX_ERROR_LENGTH = 300
# The HTTP status codes of a server that does not have the file.
NOT_FOUND = (404, 410)


def is_address(location: str) -> bool:
    """Return whether the user gave an address, and not a path on this machine.

    >>> is_address("s3://bucket/a.csv"), is_address("C:/a.csv")
    (True, False)
    >>> is_address("file:///a.csv"), is_address("a.csv")
    (False, False)
    """
    return bool(ADDRESS.match(location)) and not LOCAL.match(location)


def find_local_path(location: str) -> Path:
    """Return a path on this machine, which may be written as an address."""
    return Path(open_filesystem(location)[1] if LOCAL.match(location) else location)


def open_filesystem(location: str) -> tuple[Any, str]:
    """Return the filesystem of a path or an address, and the path in it."""
    from fsspec.core import url_to_fs

    options: dict[str, Any] = {}
    if WEB.match(location):
        import aiohttp

        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=SILENT_SECONDS, sock_read=SILENT_SECONDS
        )
        options["client_kwargs"] = {"timeout": timeout, "trust_env": True}
    return cast("tuple[Any, str]", url_to_fs(location, **options))


def hide_secrets(text: str) -> str:
    """Return a text without users, passwords and queries of addresses.

    The text is an address, or a message that contains addresses.

    >>> hide_secrets("https://me:secret@host/a.csv?signature=1"), hide_secrets("s3://bucket/a?.csv")
    ('https://host/a.csv', 's3://bucket/a?.csv')
    """
    without_users = USER.sub("://", text)
    return WORD.sub(lambda word: drop_query(word[0]), without_users)


def drop_query(word: str) -> str:
    """Remove the query of a web address, and of any other word if its query has an equals sign."""
    address, _, query = word.partition("?")
    return address if WEB.search(word) or "=" in query else word


def describe_error(error: BaseException, location: str) -> str:
    """Return the message of an error about a path or an address: one line, without secrets."""
    first_line = read_message(error).strip().partition("\n")[0]
    text = first_line or type(error).__name__
    for secret in SECRETS.findall(location):
        text = text.replace(secret, "…").replace(unquote(secret), "…")
    return hide_secrets(text)[:MAX_ERROR_LENGTH].rstrip(".")


def read_message(error: BaseException) -> str:
    """Return the message of an error: a server's status and message, or the system's message."""
    status = getattr(error, "status", None)
    if status:
        return f"{status} {getattr(error, 'message', '')}"
    return getattr(error, "strerror", None) or str(error)


@contextmanager
def refuse_unreadable_file(location: str, name: str = "") -> Iterator[None]:
    """Raise UserError, with the name of the file, if it cannot be read.

    The reason may be the file, its filesystem, a missing package or the network.

    Raises:
        UserError: with the name of the file.
    """
    name = name or hide_secrets(location)
    try:
        yield
    except UserError as refused:
        raise UserError("page.error_in", place=name, error=refused.note) from None
    except Exception as error:
        reason = find_reason(error)
        if isinstance(reason, FileNotFoundError):
            raise UserError("command.no_file", name=name) from None
        raise UserError(
            "command.not_read", name=name, error=describe_error(reason, location)
        ) from None


def find_reason(error: Exception) -> BaseException:
    """Return the error that tells why a file could not be read.

    fsspec raises FileNotFoundError also if a server refuses a request or cannot be reached. The
    cause of the error tells these cases apart.
    """
    cause = error.__cause__
    if not isinstance(error, FileNotFoundError) or cause is None:
        return error
    is_unreached = isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError)
    is_refused = getattr(cause, "status", NOT_FOUND[0]) not in NOT_FOUND
    return cause if is_unreached or is_refused else error


@contextmanager
def open_for_writing(target: str) -> Iterator[IO[bytes]]:
    """Open a file for writing at a path or an address, which never has a part of the file.

    On this machine, the file gets its name when it is complete. An object store shows only complete
    files.
    """
    system, address = open_filesystem(target)
    if is_address(target):
        with system.transaction, system.open(address, "wb") as file:
            yield file
        return
    path = Path(address)
    unfinished = path.with_name(f"_{path.name}.new")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
