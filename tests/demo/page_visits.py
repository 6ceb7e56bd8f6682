"""Use the page without a browser: upload a file, press a button, and see each step."""

from __future__ import annotations

import asyncio
import gc
import inspect
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gradio as gr
from lens.page.serving import uploads
from starlette.datastructures import Headers

# The request of a visitor, as Gradio passes it to an event.
VISITOR = SimpleNamespace(session_hash="visitor", headers=Headers(), client=None)


def register_upload(path: object) -> str:
    """Register a file as a visitor's upload that is not read yet."""
    uploads.WAITING[str(path)] = uploads.Upload("9.9.9.9", 1, time.monotonic())
    return str(path)


def collect_steps(callback: Callable[..., Any], *values: object) -> list[Any]:
    """Call an event of a tab and return the changes that it shows, step by step.

    The last step of an event with several steps must change nothing, and is left out.
    """

    async def collect() -> list[Any]:
        if not inspect.isasyncgenfunction(callback):
            return [await callback(VISITOR, *values)]
        *steps, last = [step async for step in callback(VISITOR, *values)]
        for value in last.values():
            assert value == gr.skip()
        return steps

    return asyncio.run(collect())


def find_holders(mark: Callable[[], str]) -> list[type]:
    """Return the types of all objects in memory that refer to a text with a mark.

    The mark is a function that builds it, so that the search does not find the mark itself.
    """

    def has_mark(value: object) -> bool:
        if type(value) is str:
            return mark() in value
        return type(value) is bytes and mark().encode() in value

    gc.collect()
    holders = []
    for holder in gc.get_objects():
        if any(has_mark(part) for part in gc.get_referents(holder)):
            holders.append(type(holder))
    return holders
