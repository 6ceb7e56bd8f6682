"""What the tabs that take files have in common: a visitor's file, their parts by name, and callbacks in the language of
their page.

What a visitor sends is deleted as soon as it is read; what was read of it is held for an hour, and so are files for
download.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr

from lens.page.html import part
from lens.scoring.failures import note_failure
from lens.tables.cells import blank
from lens.tables.roles import BadTable
from lens.tables.untrusted import Table, read, read_upload
from lens.words import each_step, say, speaking

KINDS = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".eval", ".gz"]
KEPT_SECONDS = 3600
# Gradio's own look of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

# What is shown, by the names of a tab's parts.
Updates = dict[str, Any]
# Where and how a tab says what cannot be done.
Refusal = Callable[[str], Updates]

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
# Of what reads or scores, two go on at once; others wait in Gradio's queue.
HEAVY: dict[str, Any] = {"concurrency_limit": 2}


@dataclass(eq=False)
class Sent:
    """A file that was read: its name, its rows, and whether it is the made-up example. Of a log of another tool that
    has filters, the rows are those of the one called `filter`, and `every` has them all.
    """

    name: str
    table: Table
    made_up: bool = False
    every: Table | None = None
    filter: str = ""

    def blanks(self, column: str) -> int:
        """How many cells of a column are missing or blank."""
        return sum(map(blank, self.table.cells(column)))

    def only(self, filter: str) -> Sent:
        """The rows of another filter; those of the first where there is none of that name."""
        every = self.every or self.table
        chosen = filter if filter in every.filters else next(iter(every.filters), "")
        return replace(self, table=every.only(chosen), every=every, filter=chosen)


def received(path: str, everything: bool = False) -> Sent:
    """A file that was sent, with all its columns or those of the judge check; it is deleted. BadTable where it cannot
    be read.
    """
    return Sent(Path(path).name, read_upload(path, everything)).only("")


def example(path: Path, everything: bool = False) -> Sent:
    """An example that comes with the page."""
    return Sent(path.name, read(path, everything), made_up=True)


def message(text: str) -> str:
    """What stands where results will be, or instead of them."""
    return part("message", text)


class Tab:
    """The parts of a tab by name, in one language."""

    def __init__(self, name: str, language: str, refusal: Refusal) -> None:
        self.name, self.language, self.refusal = name, language, refusal
        self.parts: dict[str, Any] = {}

    def on(
        self, trigger: Any, work: Callable[..., Any], inputs: Any = None, refusal: Refusal | None = None, **options: Any
    ) -> Any:
        """Have an event do its work, which returns or yields what to show; it may show it in all parts."""
        options = {"outputs": list(self.parts.values()), **PRIVATE, **options}
        listen = functools.partial(gr.on, trigger) if isinstance(trigger, list) else trigger
        return listen(self.callback(work, refusal or self.refusal), inputs, **options)

    def callback(self, work: Callable[..., Any], refusal: Refusal) -> Callable[..., Any]:
        """Work that speaks the language of the page. What goes wrong is said: why a file cannot be used, or that there
        is a defect, which the log says without a word of the file.
        """

        def shown(updates: Updates) -> dict[Any, Any]:
            return {self.parts[name]: value for name, value in updates.items()}

        def refused(error: Exception) -> dict[Any, Any]:
            with speaking(self.language):
                if isinstance(error, BadTable):
                    return shown(refusal(str(error)))
                note_failure(self.name, error)
                return shown(refusal(say("defect", error=type(error).__name__)))

        @functools.wraps(work)
        def once(*values: Any) -> dict[Any, Any]:
            try:
                with speaking(self.language):
                    return shown(work(*values))
            except Exception as error:
                return refused(error)

        @functools.wraps(work)
        async def stepwise(*values: Any) -> AsyncIterator[dict[Any, Any]]:
            try:
                async for step in each_step(self.language, work(*values)):
                    yield shown(step)
            except Exception as error:
                yield refused(error)

        return stepwise if inspect.isasyncgenfunction(work) else once
