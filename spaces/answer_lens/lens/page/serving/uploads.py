"""Limits the uploads of visitors, and deletes uploads after reading.

Only paths that are recorded here as uploads are ever deleted. The page's own files, and files for
download, are in the same folder, and a visitor could send their paths.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from anyio import fail_after, move_on_after
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The limits of one visitor. Bytes count while they are sent and until the file is read.
MAX_BYTES_OF_VISITOR = 100_000_000
MAX_FILES_OF_VISITOR = 200
MAX_REQUESTS_OF_VISITOR = 4
# The limit of bytes for all visitors together.
MAX_BYTES_OF_ALL = 1_000_000_000
# How many seconds a request may take.
MAX_REQUEST_SECONDS = 600
# How many seconds a file may wait to be read.
KEPT_SECONDS = 900


@dataclass(frozen=True)
class Upload:
    """An uploaded file that is not read yet.

    Attributes:
        address: the address of the visitor.
        size: the size in bytes.
        arrived: the time of arrival, by `time.monotonic`.
    """

    address: str
    size: int
    arrived: float


# The uploads that wait to be read, by path.
WAITING: dict[str, Upload] = {}
# The sizes of the requests under way, by address of the visitor.
UNDER_WAY: dict[str, list[int]] = {}
# The address of the visitor whose request is being read.
SENDER: ContextVar[str] = ContextVar("sender", default="")


def can_send(address: str, size: int) -> bool:
    """Return whether a visitor may send this many more bytes."""
    file_sizes = [upload.size for upload in WAITING.values() if upload.address == address]
    request_sizes = UNDER_WAY.get(address, [])
    if len(request_sizes) >= MAX_REQUESTS_OF_VISITOR or len(file_sizes) >= MAX_FILES_OF_VISITOR:
        return False
    if sum(file_sizes) + sum(request_sizes) + size > MAX_BYTES_OF_VISITOR:
        return False
    file_bytes_of_all = sum(upload.size for upload in WAITING.values())
    request_bytes_of_all = sum(map(sum, UNDER_WAY.values()))
    return file_bytes_of_all + request_bytes_of_all + size <= MAX_BYTES_OF_ALL


async def receive_upload(
    app: ASGIApp,
    scope: Scope,
    receive: Receive,
    send: Send,
    address: str,
    size: int,
) -> None:
    """Let Gradio receive an upload, and record the files in its answer.

    Raises:
        TimeoutError: the request took too long.
    """
    answer = bytearray()

    async def note_answer(message: Message) -> None:
        if message["type"] == "http.response.body":
            answer.extend(message.get("body", b""))
            is_complete = not message.get("more_body")
            if is_complete:
                note_files(find_paths_in_answer(answer), address)
        await send(message)

    with count_request(address, size), fail_after(MAX_REQUEST_SECONDS):
        await app(scope, receive, note_answer)


async def drain_request(receive: Receive) -> None:
    """Read and discard a refused request, because a browser reads no answer while it sends."""
    with move_on_after(MAX_REQUEST_SECONDS):
        while (await receive()).get("more_body"):
            pass


@contextlib.contextmanager
def count_request(address: str, size: int) -> Iterator[None]:
    """Count a request of this size while it is under way."""
    UNDER_WAY.setdefault(address, []).append(size)
    token = SENDER.set(address)
    try:
        yield
    finally:
        SENDER.reset(token)
        UNDER_WAY[address].remove(size)
        if not UNDER_WAY[address]:
            del UNDER_WAY[address]


def find_paths_in_answer(answer: bytes | bytearray) -> list[str]:
    """Return the paths in Gradio's answer to an upload, or an empty list if it was refused."""
    with contextlib.suppress(ValueError):
        paths = json.loads(answer)
        if isinstance(paths, list):
            return [path for path in paths if isinstance(path, str)]
    return []


def note_files(paths: Sequence[str], address: str) -> None:
    """Record uploaded files as waiting; an unread file is deleted after KEPT_SECONDS."""
    arrived = time.monotonic()
    for path in paths:
        with contextlib.suppress(OSError):
            size = Path(path).stat().st_size
            WAITING[path] = Upload(address, size, arrived)
    asyncio.get_running_loop().call_later(KEPT_SECONDS + 1, expire_uploads)


def expire_uploads() -> None:
    """Delete uploads that have waited too long."""
    for path, upload in list(WAITING.items()):
        if time.monotonic() - upload.arrived > KEPT_SECONDS:
            delete_upload(path)


def delete_upload(path: str) -> None:
    """Delete a file if it is an upload; any other file stays."""
    if WAITING.pop(path, None) is None:
        return
    Path(path).unlink(missing_ok=True)
    # Gradio made this folder for the file.
    with contextlib.suppress(OSError):
        Path(path).parent.rmdir()
