"""Serve the page in this process, and send the requests that its script would send."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

from lens.page import build
from lens.page.serving import access

LAUNCH_OPTIONS = {
    "prevent_thread_lock": True,
    "quiet": True,
    "run_history": False,
    "enable_monitoring": False,
    "state_session_capacity": 256,
}


@contextlib.contextmanager
def serve_page() -> Iterator[Any]:
    """Serve the page in this process while the `with` block runs."""
    page = build.build()
    page.launch(**LAUNCH_OPTIONS, app_kwargs=access.make_app_options())
    try:
        yield page
    finally:
        page.close()


def find_event(page: Any, script: str) -> int:
    """Return the number of the event whose script contains a text."""
    for number, event in page.fns.items():
        if script in str(event.js):
            return number
    raise LookupError(script)


def join_queue(page: Any, session: str, event: int, *values: object, **headers: str) -> None:
    """Start an event with its values; the result is not read."""
    body = {
        "data": [*values],
        "fn_index": event,
        "session_hash": session,
        "trigger_id": 1,
    }
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    fields["Content-Type"] = "application/json"
    address = f"{page.local_url}gradio_api/queue/join"
    request = urllib.request.Request(address, json.dumps(body).encode(), fields)
    urllib.request.urlopen(request).close()


def read_messages(page: Any, session: str) -> str:
    """Return everything that the server sends to a session until one of its events has ended."""
    messages = ""
    address = f"{page.local_url}gradio_api/queue/data?session_hash={session}"
    with urllib.request.urlopen(address, timeout=30) as lines:
        for line in lines:
            messages += line.decode()
            if b'"process_completed"' in line:
                break
    return messages


def submit_answer(page: Any, session: str, asked: bool, *values: object) -> str:
    """Submit an answer and return everything that the server sends.

    Args:
        page: the page.
        session: the session's name.
        asked: whether the visitor pressed the button; False if an example was chosen.
        values: the values of the form.
    """
    event = find_event(page, f"send_values({str(asked).lower()}")
    join_queue(page, session, event, *values)
    return read_messages(page, session)
