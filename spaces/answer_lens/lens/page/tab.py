"""What the tabs that take files have in common: a visitor's file, their parts by name, and
callbacks in the language of their page.

What a visitor sends is deleted as soon as it is read. What was read of it, and files for download,
are kept for an hour at most (session_store.py). Every event has its place among those of its
visitor, and its turn (visitors.py).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr
from anyio.to_thread import run_sync

from lens.page.html import part
from lens.page.serving import session_store, uploads, visitors
from lens.page.serving.gradio_internals import show_signature
from lens.page.serving.visitors import Lane
from lens.scoring.failures import note_failure
from lens.tables.cells import Nested, is_blank
from lens.tables.untrusted import Table, read_file
from lens.words import each_step, say, speaking
from lens.words.notes import UserError

KINDS = [
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".eval",
    ".txt",
    ".xlsx",
    ".xlsm",
    ".gz",
]
EACH_POINTER = 8
# Gradio's own look of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

# What is shown, by the names of a tab's parts.
Updates = dict[str, Any]
# What is shown, by the parts themselves.
Shown = dict[Any, Any]
# Where and how a tab says what cannot be done.
Refusal = Callable[[str], Updates]

# The class of a part that is there, but not shown. With Gradio's own `visible=False` a browser
# begins to load the part when it is shown, and under load it loses the values that come meanwhile.
HIDDEN = "al-hidden"

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
# What takes a moment; reading files, each in a process of its own; scoring them; looking closer at
# what was scored; checking judges.
QUICK, READING, SCORING, LOOKING, CHECKING = Lane(8), Lane(2), Lane(4, 2), Lane(2), Lane(2)


@dataclass(eq=False)
class Sent:
    """A file that was read: its name, its rows, and whether it is the made-up example.

    Of a log of another tool that has filters, the rows are those of the one called `filter`, and
    `every` has them all.
    """

    name: str
    table: Table
    made_up: bool = False
    every: Table | None = None
    filter: str = ""

    @functools.cached_property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        columns = (self.every or self.table).columns
        return sum(measure_cell(cell) for cells in columns.values() for cell in cells)

    def blanks(self, column: str) -> int:
        """Return how many cells of a column are missing or blank."""
        return sum(map(is_blank, self.table.cells(column)))

    def only(self, filter: str) -> Sent:
        """Return the rows of another filter.

        Those of the first where there is none of that name.
        """
        every = self.every or self.table
        chosen = filter if filter in every.filters else next(iter(every.filters), "")
        return replace(self, table=every.select_filter(chosen), every=every, filter=chosen)


def measure_cell(cell: Any) -> int:
    """Return about how many bytes a cell takes in memory."""
    texts = cell if isinstance(cell, list) else [cell.text if isinstance(cell, Nested) else cell]
    return sum(sys.getsizeof(text) + EACH_POINTER for text in texts)


def read_upload(path: str, everything: bool = False, encoding: str = "") -> Sent:
    """Read a file that was sent, with all its columns or those of the judge check.

    An upload is deleted.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        sent = Sent(Path(path).name, read_file(path, everything, encoding)).only("")
    finally:
        uploads.delete_upload(path)
    _ = sent.size  # counted here, in a thread; none where no column is of use
    return sent


def read_example(path: Path, everything: bool = False) -> Sent:
    """Return an example that comes with the page."""
    return Sent(path.name, read_file(path, everything), made_up=True)


def show_part(shown: bool) -> Any:
    """Return the update that shows or hides a part whose class is HIDDEN at first."""
    return gr.update(elem_classes=[] if shown else [HIDDEN])


def draw_message(text: str) -> str:
    """Return what stands where results will be, or instead of them."""
    return part("message", text)


class Tab:
    """The parts of a tab by name, in one language."""

    def __init__(self, name: str, language: str, refusal: Refusal) -> None:
        self.name, self.language, self.refusal = name, language, refusal
        self.parts: dict[str, Any] = {}

    def connect(
        self,
        trigger: Any,
        work: Callable[..., Any],
        inputs: Any = None,
        refusal: Refusal | None = None,
        lane: Lane = QUICK,
        **options: Any,
    ) -> Any:
        """Have an event do its work when it is the visitor's turn.

        Args:
            trigger: the event, or several.
            work: returns or yields what to show, in any part.
            inputs: the fields whose values the work gets: one or a list, as arguments; or fields by
                name, as a dict.
            refusal: where and how it says what cannot be done; that of the tab if none is given.
            lane: what it waits for.
            options: Gradio's own.
        """
        options = {"outputs": list(self.parts.values()), **PRIVATE, **options}
        listen = functools.partial(gr.on, trigger) if isinstance(trigger, list) else trigger
        refusal = refusal or self.refusal
        self.check_refusal(refusal, options["outputs"])
        if not isinstance(inputs, Mapping):
            return listen(self.callback(work, refusal, lane), inputs, **options)
        return listen(self.callback(work, refusal, lane, inputs), set(inputs.values()), **options)

    def check_refusal(self, refusal: Refusal, outputs: Any) -> None:
        """Check that an event can show its refusals.

        Raises:
            ValueError: a refusal is shown in a part that is no output of the event.
        """
        shown = outputs if isinstance(outputs, list) else [outputs]
        ids = {id(part) for part in shown}
        hidden = [name for name in refusal("…") if id(self.parts[name]) not in ids]
        if hidden:
            raise ValueError(f"tab {self.name}: refusals are shown in {hidden}, no outputs")

    def callback(
        self,
        work: Callable[..., Any],
        refusal: Refusal,
        lane: Lane = QUICK,
        fields: Mapping[str, Any] | None = None,
    ) -> Callable[..., Any]:
        """Return the callback of an event, which speaks the language of the page.

        What goes wrong is said: why a file cannot be used, or that there is a defect, which the log
        says without a word of the file.

        Args:
            work: what the event does.
            refusal: where and how it says what cannot be done.
            lane: what it waits for.
            fields: the fields by name, if the work gets a dict of their values.
        """

        async def show_steps(request: gr.Request, *values: Any) -> AsyncGenerator[Shown, None]:
            session, address = str(request.session_hash), find_client(request)
            if fields is not None:
                by_field, *more = values
                values = ({name: by_field[field] for name, field in fields.items()}, *more)
            steps = self.steps(work, refusal, lane, address, values)
            try:
                async for updates in each_step(self.language, steps):
                    shown = {}
                    for name, value in updates.items():
                        shown[self.parts[name]] = self.hold_value(session, name, value)
                    yield shown
            except Exception as error:
                with speaking(self.language):
                    refused = refusal(self.describe_error(error))
                    yield {self.parts[name]: value for name, value in refused.items()}

        async def show_stepwise(request: gr.Request, *values: Any) -> AsyncIterator[Shown]:
            last: Shown = {}
            async with contextlib.aclosing(show_steps(request, *values)) as steps:
                async for step in steps:
                    last = step
                    yield step
            # Gradio sends what comes last twice.
            yield dict.fromkeys(last, gr.skip())

        async def show_once(request: gr.Request, *values: Any) -> Shown:
            # Not step by step: what is pressed between the last step and the end of an event would
            # be lost.
            return [step async for step in show_steps(request, *values)][-1]

        is_stepwise = inspect.isasyncgenfunction(work)
        return show_signature(show_stepwise if is_stepwise else show_once, work)

    async def steps(
        self,
        work: Callable[..., Any],
        refusal: Refusal,
        lane: Lane,
        address: str,
        values: tuple[Any, ...],
    ) -> AsyncGenerator[Updates, None]:
        """Yield what an event shows, step by step, from the beginning of its waiting on."""
        with visitors.take_place(address) as free:
            if not free:
                raise UserError("serving.too_many", seconds=visitors.RETRY_SECONDS)
            if lane.is_busy(address) and inspect.isasyncgenfunction(work):
                yield refusal(say("serving.wait_turn"))
            async with lane.turn(address):
                arguments = list(map(resolve_keys, values))
                if not inspect.isasyncgenfunction(work):
                    job = functools.partial(work, *arguments)
                    yield await run_sync(job, limiter=visitors.THREADS)
                    return
                async for step in work(*arguments):
                    yield step

    def hold_value(self, session: str, name: str, value: Any) -> Any:
        """Return what a part is given: of a state, the key of what is held instead."""
        if not isinstance(self.parts[name], gr.State):
            return value
        return session_store.keep(session, f"{self.name} {self.language} {name}", value)

    def describe_error(self, error: Exception) -> str:
        """Return what is said of an error; a defect is logged."""
        if isinstance(error, UserError):
            return str(error)
        note_failure(self.name, error)
        return say("page.defect", error=type(error).__name__)


def resolve_keys(value: Any) -> Any:
    """Return a value, or the values of some fields, with what was kept for the keys among them."""
    if isinstance(value, dict):
        return {name: session_store.resolve(one) for name, one in value.items()}
    return session_store.resolve(value)


def find_client(request: gr.Request) -> str:
    """Return the address of whoever an event is of."""
    return visitors.find_address(request.client.host if request.client else "", request.headers)
