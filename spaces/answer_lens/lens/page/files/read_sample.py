"""Part of the tab "Files": a sample of the answers is read, and one's verdicts are joined with the
scores of all rows.

The verdicts are held for the page alone, like the scored rows, and leave it as a file that the
visitor keeps.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

import gradio as gr

from lens.experiment import verdict_file as file
from lens.experiment.answers import Answer
from lens.inference.judge_agreement import cohen_kappa
from lens.page.files.file_scoring import FileScoring
from lens.page.files.shown_names import name_verdicts
from lens.page.html import cut_text, escape, render
from lens.page.tab import KINDS, PRIVATE, READING, Tab, Updates, html, read_upload
from lens.reports.section import format_sections, name_source, name_with_system
from lens.reports.verdict_differences import describe_share_differences
from lens.reports.verdict_sections import (
    describe_findings,
    describe_judges_and_estimate,
    describe_scores,
    keep_main_shares,
)
from lens.study import annotations as answers
from lens.study.results import Results
from lens.tables.cells import parse_number
from lens.tables.verdict_words import KEYS, UNDECIDED
from lens.words import say
from lens.words.formats import format_number

ROWS, MOST = 50, 2_000
MAX_SHOWN, MAX_APART, MAX_CELL = 20_000, 50, 200
# The first answer, with its buttons, comes into view once a sample is drawn.
SHOW_ANSWER = "() => { document.querySelector('#rd-panel')?.scrollIntoView({block: 'start'}); }"


@dataclass(frozen=True)
class Reading:
    """A sample on its way: the ways to draw one, the places of its answers in the order of reading,
    the verdicts so far with their times, and where in that order the answer is that is shown. The
    places of each system's answers come after those of all questions by the one before.
    """

    ways: Sequence[answers.Sample]
    order: Sequence[int]
    given: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    at: int = 0

    @property
    def place(self) -> int | None:
        """The place of the answer that is shown; None when all are read."""
        return self.order[self.at] if self.at < len(self.order) else None


def begin_reading(
    run: FileScoring | None, count: Any, way: str, given: Mapping[int, tuple[str, str]]
) -> Reading | None:
    """Return a sample of so many questions; verdicts that are there already are kept, and stand at
    its beginning.
    """
    if not run:
        return None
    ways = run.study.draw_samples(run.verdicts)
    sample = next((one for one in ways if one.method == way), ways[0])
    places = sample.list_places(run.verdicts, int(min(max(parse_number(count) or ROWS, 1), MOST)))
    return Reading(
        ways, [*given, *(one for one in places if one not in given)], dict(given), len(given)
    )


def take_verdict(reading: Reading | None, run: FileScoring | None, verdict: str) -> Reading | None:
    """Return the sample with a verdict on the answer that is shown, and on those of other systems
    that are the same.

    The next answer without a verdict is shown then.
    """
    if not reading or not run or reading.place is None:
        return reading
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    given = {
        **reading.given,
        **dict.fromkeys([reading.place, *find_equal_answers(run, reading.place)], (verdict, now)),
    }
    return replace(reading, given=given, at=reading.at + 1)


def find_equal_answers(run: FileScoring, place: int) -> list[int]:
    """Return the places of all systems' answers to a question that are the same as this one."""
    questions = run.study.questions
    system, question = divmod(place, questions)
    mark = run.verdicts[system].marks[question]
    return [
        at * questions + question
        for at, one in enumerate(run.verdicts)
        if one.marks[question] == mark
    ]


def list_items(run: FileScoring) -> list[Answer]:
    """Return the answers of all systems by their places."""
    return run.read_answers()


def read_verdicts(run: FileScoring, path: str) -> dict[int, tuple[str, str]]:
    """Return the verdicts of a file by their places."""
    known = [file.mark_answer(item.prediction) for item in list_items(run)]
    return file.read_verdict_file(
        read_upload(path, everything=True).table.columns, known, run.study.questions
    )


def resume_reading(
    _: Any, run: FileScoring | None, count: Any, way: str, path: str | None = None
) -> Reading | None:
    """Return a sample with the verdicts of a file or, without one, of the table's own column.

    The first answer without one is shown.
    """
    said = [said for one in run.verdicts for said in one.verdicts] if run else []
    own = {place: (one, "") for place, one in enumerate(said) if one}
    return begin_reading(run, count, way, read_verdicts(run, path) if run and path else own)


def draw_reading(
    reading: Reading | None, run: FileScoring | None, show_scores: bool = False
) -> Updates:
    """Return what is shown of a sample: the answer to read, and what the verdicts say."""
    if not reading or not run:
        return {
            "reading": None,
            "answer": escape(say("files_tab.gone")),
            "found": "",
            "panel": gr.update(visible=True),
        }
    place, before = reading.place, reading.order[reading.at - 1] if reading.at else None
    items, questions, last = list_items(run), run.study.questions, None
    if before is not None and show_scores:
        system, question = divmod(before, questions)
        scores = [
            (one.title, format_number(run.study.question_score(system, one.key, question)))
            for one in run.primary
        ]
        last = {
            "row": question + 1,
            "verdict": name_verdict(reading.given, before),
            "scores": scores,
        }
    answer = render(
        "read_sample.html",
        item=None if place is None else items[place],
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=name_verdict(reading.given, place),
        verdicts=len(reading.given),
        questions=len({one % questions for one in reading.order}),
        last=last,
    )
    csv = file.format_verdict_file(
        items, {one: reading.given[one] for one in reading.order if one in reading.given}, questions
    )
    link = base64.b64encode(csv).decode() if reading.given else ""
    found = render(
        "own_verdicts.html", link=link, mark=zlib.crc32(csv), **describe_verdicts(reading, run)
    )
    return {"reading": reading, "answer": answer, "found": found, "panel": gr.update(visible=True)}


def update_buttons(reading: Reading | None, before: Reading | None) -> Updates:
    """Return the buttons for verdicts, inactive where nothing is left to read, if they were
    otherwise before.

    In the time that it takes to show a part anew a key is lost.
    """
    active, was = (not one or one.place is not None for one in (reading, before))
    return (
        {}
        if active == was
        else {f"rd_{key}": gr.update(interactive=active) for key in KEYS.values()}
    )


def name_verdict(given: Mapping[int, tuple[str, str]], place: int | None) -> str:
    """Return the verdict on an answer in words; empty where there is none."""
    return say(f"reading.{KEYS[given[place][0]]}") if place is not None and place in given else ""


def describe_verdicts(reading: Reading, run: FileScoring) -> Updates:
    """Return what the verdicts so far say."""
    systems = with_verdicts(run, reading)
    said = [one.verdicts for one in systems]
    unread = {
        same
        for place in {*reading.order} - {*reading.given}
        for same in find_equal_answers(run, place)
    }
    missing = answers.describe_missing(said, reading.ways, unread) if reading.order else None
    told: Updates = {
        "lacking": str(missing or ""),
        "shares": [],
        "sections": [],
        "each": [],
        "sentence": "",
    }
    if missing:
        return told
    shown = run.shown_results
    results = shown.add_verdicts(name_verdicts(systems, shown.names), run.study.cluster)
    if len(systems) > 1:
        return told | describe_systems(results, run)
    if not results.verdicts.empty:
        sections = describe_findings(results, with_sentence=False)
        sections += describe_judges_and_estimate(results, run.show_answers(results.names))
        told |= {
            "shares": list_shares(results)[systems[0].name],
            "sections": format_sections(sections),
        }
        told |= {"sentence": str(describe_scores(results, systems[0].name) or "")}
    return told


def list_shares(results: Results) -> dict[str, list[tuple[str, float, float, float]]]:
    """Return the shares of right answers by system: what each rests on, the share, and the ends of
    its interval.
    """
    shares: dict[str, list[tuple[str, float, float, float]]] = {}
    for row in keep_main_shares(results.verdicts).to_dict("records"):
        share = (name_source(row), row["share"], row["low"], row["high"])
        shares.setdefault(row["system"], []).append(share)
    return shares


def with_verdicts(run: FileScoring, reading: Reading | None) -> list[answers.SystemVerdicts]:
    """Return the answers of all systems with the verdicts so far, without a reading those of the
    tables.
    """
    if not reading:
        return run.verdicts
    said = answers.split_by_system(reading.given, run.study.questions, len(run.study.systems))
    return [replace(one, verdicts=own) for one, own in zip(run.verdicts, said, strict=True)]


def describe_systems(results: Results, run: FileScoring) -> Updates:
    """Return each system's share, by what it rests on most; all differences; in tables of each what
    else there is.
    """
    shares = []
    for name, own in list_shares(results).items():
        source, *figures = own[-1]
        shares.append((name_with_system(source, name), *figures))
    show_answer = run.show_answers(results.names)
    each = [*describe_findings(results), *describe_judges_and_estimate(results, show_answer)]
    differences = describe_share_differences(results)
    return {
        "shares": shares,
        "sections": format_sections(differences),
        "each": format_sections(each),
    }


def compare_readers(reading: Reading | None, run: FileScoring | None, path: str | None) -> Updates:
    """Return a second reader's file beside one's own verdicts: agreement, and the rows to talk
    about.
    """
    if not (reading and run and path):
        return {"kappa": ""}
    other, items, rows = read_verdicts(run, path), list_items(run), run.study.questions
    pairs = {row: (reading.given[row][0], other[row][0]) for row in reading.given if row in other}
    sure = [both for both in pairs.values() if UNDECIDED not in both]
    apart = [row for row, (one, two) in pairs.items() if one != two]
    texts = {row: cut_text(items[row].prediction, MAX_CELL) for row in apart[:MAX_APART]}
    mine, theirs = [one for one, _ in sure], [two for _, two in sure]
    told = render(
        "two_readers.html",
        both=len(sure),
        alike=sum(one == two for one, two in sure),
        kappa=cohen_kappa(mine, theirs).kappa if sure else None,
        rows=[
            [row % rows + 1, text, name_verdict(reading.given, row), name_verdict(other, row)]
            for row, text in texts.items()
        ],
        more=len(apart) - len(texts),
    )
    return {"kappa": told}


def list_ways(ways: Sequence[str]) -> list[tuple[str, str]]:
    """Ways to draw questions, by what they are called."""
    return [(say(f"reading.{way}"), way) for way in ways]


def begin_anew(run: FileScoring) -> Updates:
    """No sample of other results is shown any more; the ways to draw one of these are offered."""
    offered = list_ways(answers.list_methods(run.verdicts))
    ways = gr.update(choices=offered, value=offered[min(len(offered), 2) - 1][1])
    active = {f"rd_{key}": gr.update(interactive=True) for key in KEYS.values()}
    return {
        "way": ways,
        "reading": None,
        "panel": gr.update(visible=False),
        "found": "",
        "kappa": "",
        **active,
    }


def build(language: str, scored: gr.State) -> dict[str, Any]:
    """Build the part of the tab below the results, and return its pieces.

    Args:
        language: the language of the page.
        scored: the run with its results.
    """
    gr.Markdown(f"## {say('reading.head')}\n{say('reading.info')}", container=False)
    tab = Tab("read", language, lambda text: {"answer": escape(text)})
    parts = tab.parts
    parts["reading"] = gr.State(None)
    with gr.Row():
        limits: dict[str, Any] = {"precision": 0, "minimum": 1, "maximum": MOST, "min_width": 120}
        count = gr.Number(ROWS, label=say("reading.rows"), elem_id="rd-rows", **limits)
        ways: dict[str, Any] = {
            "choices": list_ways(answers.METHODS[:1]),
            "value": answers.UNIFORM,
            "min_width": 160,
        }
        way = parts["way"] = gr.Dropdown(label=say("reading.way"), elem_id="rd-way", **ways)
        begin = gr.Button(
            say("reading.begin"), variant="primary", min_width=120, elem_id="rd-begin"
        )
    with gr.Column(visible=False, elem_id="rd-panel") as parts["panel"]:
        parts["answer"] = html("", elem_id="rd-answer")
        with gr.Row(elem_id="rd-buttons"):
            for key in (*KEYS.values(), "b"):
                name = f"{say(f'reading.{key}')} ({key.upper()})"
                parts[f"rd_{key}"] = gr.Button(name, min_width=90, elem_id=f"rd-{key}")
        show = gr.Checkbox(False, label=say("reading.show"), elem_id="rd-show")
        parts["found"] = html("", elem_id="rd-found")
        with gr.Accordion(say("reading.files"), open=False):
            gr.Markdown(say("reading.files_info"), container=False)
            mine = gr.File(
                file_types=KINDS, label=say("reading.mine"), height=110, elem_id="rd-mine"
            )
            column = gr.Button(say("reading.column"), size="sm", elem_id="rd-column")
            theirs = gr.File(
                file_types=KINDS, label=say("reading.theirs"), height=110, elem_id="rd-theirs"
            )
            parts["kappa"] = html("", elem_id="rd-kappa")

    def on(event: Any, work: Callable[..., Reading | None], *inputs: Any, **options: Any) -> Any:
        """Have an event change the sample and show it."""

        def changed(
            reading: Reading | None, run: FileScoring | None, shows: bool, *values: Any
        ) -> Updates:
            found = work(reading, run, *values)
            return draw_reading(found, run, shows) | update_buttons(found, reading)

        return tab.on(event, changed, [parts["reading"], scored, show, *inputs], **options)

    quick: dict[str, Any] = {"show_progress": "hidden"}
    reads: dict[str, Any] = {"lane": READING}
    # Of another size or kind, with the verdicts so far.
    begun = on(
        begin.click,
        lambda old, run, size, way: begin_reading(run, size, way, old.given if old else {}),
        count,
        way,
        **quick,
    )
    begun.then(None, js=SHOW_ANSWER, **PRIVATE)
    for verdict, key in KEYS.items():
        on(
            parts[f"rd_{key}"].click,
            lambda reading, run, verdict=verdict: take_verdict(reading, run, verdict),
            **quick,
        )
    back = lambda reading, _: reading and replace(reading, at=max(reading.at - 1, 0))  # noqa: E731
    on(parts["rd_b"].click, back, **quick)
    on(show.input, lambda reading, _: reading, **quick)
    on(column.click, resume_reading, count, way, **quick)
    on(mine.upload, resume_reading, count, way, mine, **reads)
    refusal = lambda text: {"kappa": escape(text)}  # noqa: E731
    tab.on(
        theirs.upload,
        compare_readers,
        [parts["reading"], scored, theirs],
        refusal,
        outputs=parts["kappa"],
        **reads,
    )
    return parts
