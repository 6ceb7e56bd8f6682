"""Part of the tab "Files": a sample of the answers is read, and one's verdicts are joined with the scores of all rows.

The verdicts are held for the page alone, like the scored rows, and leave it as a file that the visitor keeps.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

import gradio as gr

from lens.page.file_run import Run
from lens.page.html import cut, escape, render
from lens.page.tab import HEAVY, KEPT_SECONDS, KINDS, Tab, Updates, html, received
from lens.reports import own_verdicts
from lens.scoring.catalog import series_of
from lens.statistics import verdicts as inference
from lens.tables import verdicts as file
from lens.tables.roles import RIGHT, UNDECIDED, WRONG
from lens.words import say
from lens.words.formats import number

ROWS, MOST = 50, 2_000
MAX_SHOWN, MAX_APART, MAX_CELL = 20_000, 50, 200
WAYS = ("stratified", "uniform")
# The buttons with their keys (page.js).
KEYS = {RIGHT: "r", WRONG: "w", UNDECIDED: "s"}


@dataclass(frozen=True)
class Reading:
    """A sample on its way: the places of its rows in the order of reading, the verdicts so far with their times, and
    the place in that order of the answer that is shown.
    """

    order: Sequence[int]
    given: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    at: int = 0

    @property
    def row(self) -> int | None:
        """The row that is shown; None when all are read."""
        return self.order[self.at] if self.at < len(self.order) else None


def lacking(run: Run) -> set[int]:
    """The rows without an answer or a reference, which cannot be read."""
    return {row for row, item in enumerate(run.items) if item.lacks}


def begun(run: Run | None, count: Any, way: str, given: Mapping[int, tuple[str, str]]) -> Reading | None:
    """A sample of so many rows; verdicts that are there already are kept, and stand at its beginning."""
    if not run:
        return None
    wanted = int(count) if isinstance(count, int | float) and count == count else ROWS
    estimates = run.columns.get(own_verdicts.STAND_IN) if way == "stratified" else None
    drawn_rows = own_verdicts.order_of(len(run.items), lacking(run), estimates, min(max(wanted, 1), MOST))
    order = [*given, *(row for row in drawn_rows if row not in given)]
    return Reading(order, dict(given), len(given))


def started(old: Reading | None, run: Run | None, count: Any, way: str) -> Reading | None:
    """A sample of another size or kind, with the verdicts so far."""
    return begun(run, count, way, old.given if old else {})


def decided(reading: Reading | None, verdict: str) -> Reading | None:
    """A verdict on the answer that is shown; the next one without a verdict is shown then."""
    if not reading or reading.row is None:
        return reading
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    given = {**reading.given, reading.row: (verdict, now)}
    return replace(reading, given=given, at=reading.at + 1)


def gone_back(reading: Reading | None) -> Reading | None:
    """The answer before, to be decided anew."""
    return reading and replace(reading, at=max(reading.at - 1, 0))


def verdicts_of(run: Run, path: str) -> dict[int, tuple[str, str]]:
    """The verdicts of a file."""
    return file.taken_up(received(path, everything=True).table.columns, [item.prediction for item in run.items])


def taken_up(_: Any, run: Run | None, count: Any, way: str, path: str | None = None) -> Reading | None:
    """A sample with the verdicts of a file or, without one, of the table's own column; the first row without one is
    shown.
    """
    own = {row: (item.verdict, "") for row, item in enumerate(run.items) if item.verdict} if run else {}
    return begun(run, count, way, verdicts_of(run, path) if run and path else own)


def drawn(reading: Reading | None, run: Run | None, show_scores: bool = False) -> Updates:
    """What is shown of a sample: the answer to read, and what the verdicts say."""
    if not reading or not run:
        return {"reading": None, "answer": escape(say("ft_gone")), "found": "", "panel": gr.update(visible=True)}
    row, before = reading.row, reading.order[reading.at - 1] if reading.at else None
    last = None
    if before is not None and show_scores:
        scores = [(one.title, number(run.columns[one.key][before])) for one in run.primary]
        last = {"row": before + 1, "verdict": named(reading.given, before), "scores": scores}
    answer = render(
        "read_sample.html",
        item=None if row is None else run.items[row],
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=named(reading.given, row),
        last=last,
    )
    csv = file.written(run.items, {one: reading.given[one] for one in reading.order if one in reading.given})
    link = base64.b64encode(csv.encode("utf-8", "replace")).decode() if reading.given else ""
    found = render("own_verdicts.html", link=link, **figures(reading, run))
    return {"reading": reading, "answer": answer, "found": found, "panel": gr.update(visible=True)}


def named(given: Mapping[int, tuple[str, str]], row: int | None) -> str:
    """The verdict on a row in words; empty where there is none."""
    return say(f"rd_{KEYS[given[row][0]]}") if row is not None and row in given else ""


def figures(reading: Reading, run: Run) -> Updates:
    """What the verdicts so far say."""
    said = [reading.given.get(row, ("",))[0] for row in range(len(run.items))]
    columns = {one: run.columns[one.key] for one in series_of(run.metrics)}
    found = own_verdicts.of_rows(said, columns, lacking(run))
    return {
        "missing": own_verdicts.missing(said),
        "shares": [(name, one.share, *one.interval) for name, one in own_verdicts.shares(found)] if found else [],
        "sections": own_verdicts.section(found) if found else [],
        "sentence": own_verdicts.sentence(found) if found else "",
    }


def compared(reading: Reading | None, run: Run | None, path: str | None) -> Updates:
    """A second reader's file beside one's own verdicts: agreement, and the rows to talk about."""
    if not (reading and run and path):
        return {"kappa": ""}
    other = verdicts_of(run, path)
    pairs = {row: (reading.given[row][0], other[row][0]) for row in reading.given if row in other}
    sure = [(one == RIGHT, two == RIGHT) for one, two in pairs.values() if UNDECIDED not in (one, two)]
    apart = [row for row, (one, two) in pairs.items() if one != two]
    texts = {row: cut(run.items[row].prediction, MAX_CELL) for row in apart[:MAX_APART]}
    told = render(
        "two_readers.html",
        both=len(sure),
        alike=sum(one == two for one, two in sure),
        kappa=inference.cohens_kappa(*map(list, zip(*sure, strict=True))) if sure else None,
        rows=[[row + 1, text, named(reading.given, row), named(other, row)] for row, text in texts.items()],
        more=len(apart) - len(texts),
    )
    return {"kappa": told}


def build(language: str, scored: gr.State) -> dict[str, Any]:
    """The part of the tab, below the results; its pieces are returned. `scored`: the run with its results."""
    gr.Markdown(f"## {say('rd_head')}\n{say('rd_info')}", container=False)
    tab = Tab("read", language, lambda text: {"answer": escape(text)})
    parts = tab.parts
    parts["reading"] = gr.State(None, time_to_live=KEPT_SECONDS)
    with gr.Row():
        limits: dict[str, Any] = {"precision": 0, "minimum": 1, "maximum": MOST, "min_width": 120}
        count = gr.Number(ROWS, label=say("rd_rows"), elem_id="rd-rows", **limits)
        ways = [(say(f"rd_{way}"), way) for way in WAYS]
        way = gr.Dropdown(ways, value="stratified", label=say("rd_way"), min_width=160, elem_id="rd-way")
        begin = gr.Button(say("rd_begin"), variant="primary", min_width=120, elem_id="rd-begin")
    with gr.Column(visible=False, elem_id="rd-panel") as parts["panel"]:
        parts["answer"] = html("", elem_id="rd-answer")
        with gr.Row(elem_id="rd-buttons"):
            buttons = {
                key: gr.Button(f"{say(f'rd_{key}')} ({key.upper()})", min_width=90, elem_id=f"rd-{key}")
                for key in (*KEYS.values(), "b")
            }
        show = gr.Checkbox(False, label=say("rd_show"), elem_id="rd-show")
        parts["found"] = html("", elem_id="rd-found")
        with gr.Accordion(say("rd_files"), open=False):
            gr.Markdown(say("rd_files_info"), container=False)
            mine = gr.File(file_types=KINDS, label=say("rd_mine"), height=110, elem_id="rd-mine")
            column = gr.Button(say("rd_column"), size="sm", elem_id="rd-column")
            theirs = gr.File(file_types=KINDS, label=say("rd_theirs"), height=110, elem_id="rd-theirs")
            parts["kappa"] = html("", elem_id="rd-kappa")

    def on(event: Any, work: Callable[..., Reading | None], *inputs: Any, **options: Any) -> None:
        """Have an event change the sample and show it."""

        def changed(reading: Reading | None, run: Run | None, shows: bool, *values: Any) -> Updates:
            return drawn(work(reading, run, *values), run, shows)

        tab.on(event, changed, [parts["reading"], scored, show, *inputs], **options)

    quick: dict[str, Any] = {"show_progress": "hidden"}
    reads: dict[str, Any] = HEAVY | {"concurrency_id": "reading"}
    on(begin.click, started, count, way, **quick)
    for verdict, key in KEYS.items():
        on(buttons[key].click, lambda reading, _, verdict=verdict: decided(reading, verdict), **quick)
    on(buttons["b"].click, lambda reading, _: gone_back(reading), **quick)
    on(show.input, lambda reading, _: reading, **quick)
    on(column.click, taken_up, count, way, **quick)
    on(mine.upload, taken_up, count, way, mine, **reads)
    refusal = lambda text: {"kappa": escape(text)}  # noqa: E731
    tab.on(theirs.upload, compared, [parts["reading"], scored, theirs], refusal, outputs=parts["kappa"], **reads)
    return parts
