"""The page, served in this process, and a visitor who sends what its script would send."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

from lens.page import build
from lens.page.serving import access


@contextlib.contextmanager
def serving() -> Iterator[Any]:
    """The page, served in this process."""
    page = build.build()
    options = {"prevent_thread_lock": True, "quiet": True, "run_history": False, "enable_monitoring": False}
    page.launch(**options, state_session_capacity=256, app_kwargs=access.app_options())
    try:
        yield page
    finally:
        page.close()


def event(page: Any, script: str) -> int:
    """The event whose script has this in it."""
    return next(at for at, one in page.fns.items() if script in str(one.js))


def join(page: Any, session: str, at: int, *values: object, **head: str) -> None:
    """Have an event begin; nobody hears what comes of it."""
    body = {"data": [*values], "fn_index": at, "session_hash": session, "trigger_id": 1}
    head = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in head.items()}}
    address = f"{page.local_url}gradio_api/queue/join"
    urllib.request.urlopen(urllib.request.Request(address, json.dumps(body).encode(), head)).close()


def heard(page: Any, session: str) -> str:
    """All that is said to a session, until one of its events has ended."""
    found = ""
    with urllib.request.urlopen(f"{page.local_url}gradio_api/queue/data?session_hash={session}", timeout=30) as lines:
        for line in lines:
            found += line.decode()
            if b'"process_completed"' in line:
                break
    return found


def call(page: Any, session: str, asked: bool, *values: object) -> str:
    """All that the server answers to one submission."""
    join(page, session, event(page, f"sent({str(asked).lower()}"), *values)
    return heard(page, session)
