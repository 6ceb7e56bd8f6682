"""The common parts of tabs that read files: a visitor's file, named parts, and callbacks.

An upload is deleted as soon as it is read. The content that was read, and files for download, are
stored for an hour at most (session_store.py). Every event has a place in its visitor's limit, and
waits for its turn (visitors.py).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr
from anyio.to_thread import run_sync

from lens.page.html import part
from lens.page.serving import session_store, uploads, visitors
from lens.page.serving.gradio_internals import copy_signature
from lens.page.serving.visitors import Lane
from lens.scoring.failures import note_failure
from lens.tables.cells import Nested, is_blank
from lens.tables.untrusted import Table, read_file
from lens.words import iterate_steps, say, speaking
from lens.words.notes import UserError

FILE_TYPES = [
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
# The bytes of a reference to a text in a list.
POINTER_BYTES = 8
# Gradio's default style of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

# New values by the names of a tab's parts.
Updates = dict[str, Any]
# New values by the parts themselves, as Gradio takes them.
PartUpdates = dict[Any, Any]
# Returns the updates that show an error message in a tab.
Refusal = Callable[[str], Updates]

# The class of a hidden part. With Gradio's own `visible=False`, a browser loads the part only when
# it is shown, and under load it loses values that come in between.
HIDDEN = "al-hidden"

# The option of events that no other program may call.
PRIVATE: dict[str, Any] = {"api_visibility": "private"}
# The lanes of events: short events, reading files (in child processes), scoring files, viewing
# parts of results, and checking judges.
QUICK, READING, SCORING, LOOKING, CHECKING = Lane(8), Lane(2), Lane(4, 2), Lane(2), Lane(2)


@dataclass(eq=False)
class VisitorFile:
    """A file that was read.

    Attributes:
        name: the name of the file.
        table: its rows; for a log with filters, the rows of one filter.
        is_example: whether it is the made-up example.
        unfiltered: for a log with filters, the rows of all filters.
        filter: the filter whose rows are in `table`.
    """

    name: str
    table: Table
    is_example: bool = False
    unfiltered: Table | None = None
    filter: str = ""

    @functools.cached_property
    def size(self) -> int:
        """The approximate size in memory, in bytes."""
        table = self.unfiltered or self.table
        total = 0
        for cells in table.columns.values():
            total += sum(map(measure_cell, cells))
        return total

    @property
    def filters(self) -> Sequence[str]:
        """The filters of a log; empty if it has none."""
        if self.unfiltered is None:
            return []
        return self.unfiltered.filters

    def count_blanks(self, column: str) -> int:
        """Return the number of missing or blank cells in a column."""
        return sum(map(is_blank, self.table.cells(column)))

    def select_filter(self, filter: str) -> VisitorFile:
        """Return the file with the rows of one filter, or of the first if it is unknown."""
        unfiltered = self.unfiltered or self.table
        chosen = filter
        if filter not in unfiltered.filters:
            chosen = next(iter(unfiltered.filters), "")
        rows = unfiltered.select_filter(chosen)
        return replace(self, table=rows, unfiltered=unfiltered, filter=chosen)


def build_small_text(key: str) -> gr.HTML:
    """Build a line of small text."""
    return gr.HTML(part("detail", say(key)), apply_default_css=False, js_on_load=None)


def measure_cell(cell: Any) -> int:
    """Return the approximate size of a cell in memory, in bytes."""
    if isinstance(cell, Nested):
        cell = cell.text
    texts = cell if isinstance(cell, list) else [cell]
    return sum(sys.getsizeof(text) + POINTER_BYTES for text in texts)


def read_upload(path: str, everything: bool = False, encoding: str = "") -> VisitorFile:
    """Read an uploaded file, with all columns or those of the judge check, and delete it.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        file = VisitorFile(Path(path).name, read_file(path, everything, encoding)).select_filter("")
    finally:
        uploads.delete_upload(path)
    # The size is computed here, in a thread, and cached.
    _ = file.size
    return file


def read_example(path: Path, everything: bool = False) -> VisitorFile:
    """Read an example of the page."""
    return VisitorFile(path.name, read_file(path, everything), is_example=True)


def show_part(is_shown: bool) -> Any:
    """Return the update that shows or hides a part whose class is HIDDEN at first."""
    return gr.update(elem_classes=[] if is_shown else [HIDDEN])


def draw_message(text: str) -> str:
    """Return the HTML of a message in the place of results."""
    return part("message", text)


class Tab:
    """A tab in one language, with its parts by name."""

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
        """Connect an event with its work, which runs when it is the visitor's turn.

        Args:
            trigger: the event, or several.
            work: returns or yields updates of any parts.
            inputs: the fields whose values are passed to the work: one field or a list, as
                arguments; or fields by name, as a dict.
            refusal: returns the updates for an error message; by default that of the tab.
            lane: the lane in which the event waits.
            options: further options of Gradio.
        """
        options = {"outputs": list(self.parts.values()), **PRIVATE, **options}
        listen = functools.partial(gr.on, trigger) if isinstance(trigger, list) else trigger
        refusal = refusal or self.refusal
        self.check_refusal(refusal, options["outputs"])
        if not isinstance(inputs, Mapping):
            callback = self.make_callback(work, refusal, lane)
            return listen(callback, inputs, **options)
        callback = self.make_callback(work, refusal, lane, inputs)
        return listen(callback, set(inputs.values()), **options)

    def check_refusal(self, refusal: Refusal, outputs: Any) -> None:
        """Check that an event can show its error messages.

        Raises:
            ValueError: a message is shown in a part that is not an output of the event.
        """
        output_list = outputs if isinstance(outputs, list) else [outputs]
        output_ids = {id(part) for part in output_list}
        missing = [name for name in refusal("…") if id(self.parts[name]) not in output_ids]
        if missing:
            raise ValueError(f"tab {self.name}: refusals are shown in {missing}, no outputs")

    def make_callback(
        self,
        work: Callable[..., Any],
        refusal: Refusal,
        lane: Lane = QUICK,
        fields: Mapping[str, Any] | None = None,
    ) -> Callable[..., Any]:
        """Return the callback of an event, which runs in the language of the page.

        Errors become messages: why a file cannot be used, or that there is a bug. A bug is logged
        without any text of the file.

        Args:
            work: the function that the event calls.
            refusal: returns the updates for an error message.
            lane: the lane in which the event waits.
            fields: the fields by name, if the work takes a dict of their values.
        """

        async def show_steps(
            request: gr.Request, *values: Any
        ) -> AsyncGenerator[PartUpdates, None]:
            session = str(request.session_hash)
            address = find_client(request)
            if fields is not None:
                # Gradio passes the fields' values as one dict, and then values such as a selection.
                value_of_field, *further_values = values
                values_by_name = {name: value_of_field[field] for name, field in fields.items()}
                values = (values_by_name, *further_values)
            steps = self.run_work(work, refusal, lane, address, values)
            try:
                async for updates in iterate_steps(self.language, steps):
                    part_updates = {}
                    for name, value in updates.items():
                        part_updates[self.parts[name]] = self.store_state(session, name, value)
                    yield part_updates
            except Exception as error:
                with speaking(self.language):
                    updates = refusal(self.describe_error(error))
                    yield {self.parts[name]: value for name, value in updates.items()}

        async def show_stepwise(request: gr.Request, *values: Any) -> AsyncIterator[PartUpdates]:
            last_step: PartUpdates = {}
            async with contextlib.aclosing(show_steps(request, *values)) as steps:
                async for step in steps:
                    last_step = step
                    yield step
            # Gradio sends the last output twice, so an empty one is added.
            yield dict.fromkeys(last_step, gr.skip())

        async def show_once(request: gr.Request, *values: Any) -> PartUpdates:
            # A single step, because clicks between the last step and the end of an event would be
            # lost.
            steps = [step async for step in show_steps(request, *values)]
            return steps[-1]

        is_stepwise = inspect.isasyncgenfunction(work)
        return copy_signature(show_stepwise if is_stepwise else show_once, work)

    async def run_work(
        self,
        work: Callable[..., Any],
        refusal: Refusal,
        lane: Lane,
        address: str,
        values: tuple[Any, ...],
    ) -> AsyncGenerator[Updates, None]:
        """Yield the updates of an event, beginning with a message while it waits."""
        is_stepwise = inspect.isasyncgenfunction(work)
        with visitors.count_event(address) as is_allowed:
            if not is_allowed:
                raise UserError("serving.too_many", seconds=visitors.RETRY_SECONDS)
            if lane.is_busy(address) and is_stepwise:
                yield refusal(say("serving.wait_turn"))
            async with lane.wait_for_turn(address):
                arguments = list(map(resolve_keys, values))
                if not is_stepwise:
                    job = functools.partial(work, *arguments)
                    yield await run_sync(job, limiter=visitors.THREADS)
                    return
                async for step in work(*arguments):
                    yield step

    def store_state(self, session: str, name: str, value: Any) -> Any:
        """Return the value of a part; for a state, store the value and return its key."""
        if not isinstance(self.parts[name], gr.State):
            return value
        return session_store.store_value(session, f"{self.name} {self.language} {name}", value)

    def describe_error(self, error: Exception) -> str:
        """Return the message for an error; a bug is logged."""
        if isinstance(error, UserError):
            return str(error)
        note_failure(self.name, error)
        return say("page.defect", error=type(error).__name__)


def resolve_keys(value: Any) -> Any:
    """Replace keys of stored values, in a value or in a dict of values, by the values."""
    if isinstance(value, dict):
        return {name: session_store.resolve_key(inner) for name, inner in value.items()}
    return session_store.resolve_key(value)


def find_client(request: gr.Request) -> str:
    """Return the address of the visitor that sent an event."""
    host = request.client.host if request.client else ""
    return visitors.find_address(host, request.headers)
