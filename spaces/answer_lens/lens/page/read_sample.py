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

from lens.page.file_run import Results
from lens.page.html import cut, escape, render
from lens.page.sent_files import EVENT, KEPT_SECONDS, KINDS, received
from lens.reports import own_verdicts
from lens.scoring.catalog import series_of
from lens.statistics import verdicts as inference
from lens.tables import verdicts as file
from lens.tables.roles import RIGHT, UNDECIDED, WRONG, BadTable, Item
from lens.tables.untrusted import BadFile
from lens.words import say, speaking
from lens.words.formats import number

ROWS, MOST = 50, 2_000
MAX_SHOWN, MAX_APART, MAX_CELL = 20_000, 50, 200
# The buttons with their keys (page.js).
KEYS = {RIGHT: "r", WRONG: "w", UNDECIDED: "s"}
Updates = dict[str, Any]


@dataclass(frozen=True)
class Reading:
    """A sample on its way: the ways to draw one, the places of its answers in the order of reading, the verdicts so far
    with their times, and where in that order the answer is that is shown. The places of a second system's answers come
    after those of all rows.
    """

    ways: Sequence[own_verdicts.Sample]
    order: Sequence[int]
    given: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    at: int = 0

    @property
    def place(self) -> int | None:
        """The place of the answer that is shown; None when all are read."""
        return self.order[self.at] if self.at < len(self.order) else None


def ways_of(results: Results) -> list[own_verdicts.Sample]:
    """The ways to draw a sample: of two systems also one for their difference."""
    systems = [one for one in (results.items, results.other_items) if one]
    answers = [[None if item.lacks else item.prediction for item in items] for items in systems]
    return own_verdicts.samples(answers, estimates_of(results))


def estimates_of(results: Results) -> list[Sequence[float | None]]:
    """The estimate of each system's answers, where it is among the metrics."""
    every = (results.columns, results.other_columns)
    return [columns[own_verdicts.STAND_IN] for columns in every if own_verdicts.STAND_IN in columns]


def begun(results: Results | None, count: Any, way: str, given: Mapping[int, tuple[str, str]]) -> Reading | None:
    """A sample of so many rows; verdicts that are there already are kept, and stand at its beginning."""
    if not results:
        return None
    wanted = int(count) if isinstance(count, int | float) and count == count else ROWS
    ways = ways_of(results)
    sample = next((one for one in ways if one.way == way), ways[0])
    most, rows = min(max(wanted, 1), MOST), len(results.items)
    chosen = sample.places(-(-most // 2) if sample.way == own_verdicts.OF_TWO else most, rows)
    order = list(dict.fromkeys([*chosen, *given]))
    order.sort(key=lambda row: row not in given)  # stable
    return Reading(ways, order, {row: given[row] for row in order if row in given}, len(given))


def started(old: Reading | None, results: Results | None, count: Any, way: str) -> Reading | None:
    """A sample of another size or kind, with the verdicts so far."""
    return begun(results, count, way, old.given if old else {})


def decided(reading: Reading | None, verdict: str) -> Reading | None:
    """A verdict on the answer that is shown; the next one without a verdict is shown then."""
    if not reading or reading.place is None:
        return reading
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    given = {**reading.given, reading.place: (verdict, now)}
    return replace(reading, given=given, at=reading.at + 1)


def gone_back(reading: Reading | None) -> Reading | None:
    """The answer before, to be decided anew."""
    return reading and replace(reading, at=max(reading.at - 1, 0))


def items_of(results: Results) -> list[Item]:
    """The answers of all systems by their places."""
    return [*results.items, *results.other_items]


def taken(path: str, results: Results) -> dict[int, tuple[str, str]]:
    """The verdicts of a file by their places."""
    known = [file.mark(item.prediction) for item in items_of(results)]
    return file.taken_up(received(path, everything=True).table.columns, known, len(results.items))


def verdicts_of(results: Results | None, path: str | None) -> dict[int, tuple[str, str]]:
    """The verdicts of a file or, without one, of the table's own column."""
    if not results:
        return {}
    if path:
        return taken(path, results)
    items = items_of(results) if results.other_file else results.items
    return {place: (item.verdict, "") for place, item in enumerate(items) if item.verdict}


def taken_up(_: Any, results: Results | None, count: Any, way: str, path: str | None = None) -> Reading | None:
    """A sample with verdicts that were given elsewhere; the first row without one is shown."""
    return begun(results, count, way, verdicts_of(results, path))


def drawn(reading: Reading | None, results: Results | None, show_scores: bool = False) -> Updates:
    """What is shown of a sample: the answer to read, and what the verdicts say."""
    if not reading or not results:
        return {"reading": None, "answer": escape(say("ft_gone")), "found": "", "panel": gr.update(visible=True)}
    place, before = reading.place, reading.order[reading.at - 1] if reading.at else None
    items, rows = items_of(results), len(results.items)
    columns = results.columns if before is None or before < rows else results.other_columns
    answer = render(
        "read_sample.html",
        item=None if place is None else items[place],
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=named(reading.given, place),
        last=None if before is None or not show_scores else (before % rows + 1, named(reading.given, before)),
        scores=[]
        if before is None
        else [(one.title, number(columns[one.key][before % rows])) for one in results.primary],
    )
    csv = file.written(items, {one: reading.given[one] for one in reading.order if one in reading.given}, rows)
    link = base64.b64encode(csv.encode("utf-8", "replace")).decode() if reading.given else ""
    found = render("own_verdicts.html", link=link, **figures(reading, results))
    return {"reading": reading, "answer": answer, "found": found, "panel": gr.update(visible=True)}


def named(given: Mapping[int, tuple[str, str]], place: int | None) -> str:
    """The verdict on an answer in words; empty where there is none."""
    return say(f"rd_{KEYS[given[place][0]]}") if place is not None and place in given else ""


def figures(reading: Reading, results: Results) -> Updates:
    """What the verdicts so far say."""
    every, rows = [reading.given.get(place, ("",))[0] for place in range(len(items_of(results)))], len(results.items)
    said, other = every[:rows], every[rows:]
    columns = {one: results.columns[one.key] for one in series_of(results.metrics)}
    found = own_verdicts.findings(said, columns, reading.ways)
    sections = own_verdicts.tables(found) if found else []
    both = [said, other] if any(other) else [said]
    if any(other):
        sections += own_verdicts.difference(both, estimates_of(results), reading.ways, results.names)
    return {
        "missing": own_verdicts.missing(*both),
        "shares": [(name, one.share, *one.interval) for name, one in own_verdicts.shares(found)] if found else [],
        "sections": [(one, [(row[0], row[1:], False) for row in one.rows]) for one in sections],
        "sentence": own_verdicts.sentence(found) if found else "",
    }


def compared(reading: Reading | None, results: Results | None, path: str | None) -> str:
    """A second reader's file beside one's own verdicts: agreement, and the rows to talk about."""
    if not (reading and results and path):
        return ""
    other, items, rows = taken(path, results), items_of(results), len(results.items)
    pairs = {row: (reading.given[row][0], other[row][0]) for row in reading.given if row in other}
    sure = [(one == RIGHT, two == RIGHT) for one, two in pairs.values() if UNDECIDED not in (one, two)]
    apart = [row for row, (one, two) in pairs.items() if one != two]
    kappa = inference.cohens_kappa([one for one, _ in sure], [two for _, two in sure]) if sure else None
    texts = {row: cut(items[row].prediction, MAX_CELL) for row in apart[:MAX_APART]}
    return render(
        "two_readers.html",
        both=len(sure),
        alike=sum(one == two for one, two in sure),
        kappa=kappa,
        rows=[
            (row % rows + 1, [text, named(reading.given, row), named(other, row)], False) for row, text in texts.items()
        ],
        more=len(apart) - len(texts),
    )


def choices(systems: int) -> list[tuple[str, str]]:
    """The ways to draw rows that there are for so many systems, by what they are called."""
    return [(say(f"rd_{way}"), way) for way in own_verdicts.WAYS[: systems + 1]]


def build(language: str, scored: gr.State) -> dict[str, Any]:
    """The part of the tab, below the results; its pieces are returned. `scored`: the results of the run."""
    gr.Markdown(f"## {say('rd_head')}\n{say('rd_info')}", container=False)
    parts: dict[str, Any] = {"reading": gr.State(None, time_to_live=KEPT_SECONDS)}
    with gr.Row():
        limits: dict[str, Any] = {"precision": 0, "minimum": 1, "maximum": MOST, "min_width": 120}
        count = gr.Number(ROWS, label=say("rd_rows"), elem_id="rd-rows", **limits)
        way = gr.Dropdown(
            choices(1), value=own_verdicts.STRATIFIED, label=say("rd_way"), min_width=160, elem_id="rd-way"
        )
        begin = gr.Button(say("rd_begin"), variant="primary", min_width=120, elem_id="rd-begin")
    with gr.Column(visible=False, elem_id="rd-panel") as parts["panel"]:
        parts["answer"] = gr.HTML("", apply_default_css=False, elem_id="rd-answer")
        with gr.Row(elem_id="rd-buttons"):
            buttons = {
                verdict: gr.Button(f"{say(f'rd_{key}')} ({key.upper()})", min_width=90, elem_id=f"rd-{key}")
                for verdict, key in KEYS.items()
            }
            back = gr.Button(f"{say('rd_b')} (B)", min_width=90, elem_id="rd-b")
        show = gr.Checkbox(False, label=say("rd_show"), elem_id="rd-show")
        parts["found"] = gr.HTML("", apply_default_css=False, elem_id="rd-found")
        with gr.Accordion(say("rd_files"), open=False):
            gr.Markdown(say("rd_files_info"), container=False)
            mine = gr.File(file_types=KINDS, label=say("rd_mine"), height=110, elem_id="rd-mine")
            column = gr.Button(say("rd_column"), size="sm", elem_id="rd-column")
            theirs = gr.File(file_types=KINDS, label=say("rd_theirs"), height=110, elem_id="rd-theirs")
            kappa = gr.HTML("", apply_default_css=False, elem_id="rd-kappa")

    def said(work: Callable[..., Reading | None]) -> Callable[..., dict[Any, Any]]:
        """A callback that changes the sample and shows it."""

        def callback(reading: Reading | None, results: Results | None, shows: bool, *values: Any) -> dict[Any, Any]:
            with speaking(language):
                try:
                    found = drawn(work(reading, results, *values), results, shows)
                except (BadTable, BadFile) as error:
                    return {parts["answer"]: escape(error)}
                return {parts[name]: value for name, value in found.items()}

        return callback

    def offered(results: Results | None) -> Any:
        """The ways there are now; one that is chosen and gone gives way."""
        with speaking(language):
            ways = choices(max(len(estimates_of(results)), 1) if results else 1)
            return gr.update(choices=ways, value=own_verdicts.STRATIFIED)

    def beside(reading: Reading | None, results: Results | None, path: str | None) -> str:
        with speaking(language):
            try:
                return compared(reading, results, path)
            except (BadTable, BadFile) as error:
                return escape(error)

    held, every = [parts["reading"], scored, show], list(parts.values())
    event: dict[str, Any] = {"outputs": every, "api_visibility": "private", "show_progress": "hidden"}
    asked = [*held, count, way]
    scored.change(offered, scored, way, api_visibility="private", show_progress="hidden")
    begin.click(said(started), asked, **event)
    for verdict, button in buttons.items():
        button.click(said(lambda reading, _, verdict=verdict: decided(reading, verdict)), held, **event)
    back.click(said(lambda reading, _: gone_back(reading)), held, **event)
    show.input(said(lambda reading, _: reading), held, **event)
    reads = EVENT | {"concurrency_id": "reading"}
    column.click(said(taken_up), asked, **event)
    mine.upload(said(taken_up), [*asked, mine], outputs=every, **reads)
    theirs.upload(beside, [*held[:2], theirs], kappa, **reads)
    return parts
