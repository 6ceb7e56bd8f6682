"""The route of downloads: GET /scored/<token>/<file>, for a file that is held, and nothing else.

A download is made when it is asked for, in a thread of its own kind, and kept by nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

from lens.page.files_held import STORE
from lens.page.files_rows import DOWNLOADS, download
from lens.scoring.pasted_answer import note_failure

PLACE = "/scored/"
MAKERS = ThreadPoolExecutor(2, thread_name_prefix="downloads")

Send = Callable[[dict[str, Any]], Awaitable[None]]


def wanted(scope: dict[str, Any]) -> bool:
    """Whether a request is one for a download."""
    return scope["type"] == "http" and str(scope.get("path", "")).startswith(PLACE)


async def answer(scope: dict[str, Any], send: Send) -> None:
    """Send a download, or 404."""
    token, _, name = str(scope["path"]).removeprefix(PLACE).partition("/")
    asked = scope.get("method") in ("GET", "HEAD") and name in DOWNLOADS
    held = STORE.by_token(token) if asked else None
    data = None
    if held is not None:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1")[:100])
        language = query.get("lang", ["en"])[0]
        data = await asyncio.get_running_loop().run_in_executor(MAKERS, made, held, name, language)
    headers = {
        "content-length": str(len(data or b"")),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    if data is not None:
        filename = f"answer_lens_{name}"
        headers |= {"content-type": DOWNLOADS[name], "content-disposition": f'attachment; filename="{filename}"'}
    pairs = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": 404 if data is None else 200, "headers": pairs})
    await send({"type": "http.response.body", "body": b"" if scope.get("method") == "HEAD" else data or b""})


def made(held: Any, name: str, language: str) -> bytes | None:
    """The bytes of a download; where it cannot be made, the log says why without a word of the file."""
    try:
        return download(held, name, language)
    except Exception as error:  # a defect: an error page of the server would show the texts
        note_failure("files", error)
        return None
