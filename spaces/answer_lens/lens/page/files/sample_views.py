"""Draws a sample that a person reads: the answer, results of verdicts, and a second reader."""

from __future__ import annotations

import base64
import operator
import zlib
from collections.abc import Mapping
from typing import Any

import gradio as gr

from lens.experiment import verdict_file
from lens.inference.judge_agreement import cohen_kappa
from lens.page.files.file_scoring import FileScoring
from lens.page.files.sample_reading import (
    SampleReading,
    Verdicts,
    add_verdicts,
    find_equal_answers,
    read_verdicts,
)
from lens.page.files.shown_names import name_verdicts
from lens.page.html import cut_text, escape, render
from lens.page.tab import Updates
from lens.reports.section import format_sections, name_source, name_with_system
from lens.reports.verdict_differences import describe_share_differences
from lens.reports.verdict_sections import (
    describe_agreeing_scores,
    describe_findings,
    describe_judges_and_estimate,
    select_main_shares,
)
from lens.study.annotations import describe_needed_verdicts
from lens.study.results import Results
from lens.tables.verdict_words import KEYS, UNDECIDED
from lens.words import say
from lens.words.formats import format_number

# The most characters of an answer that is read, the most rows on which two readers differ, and the
# most characters of an answer in such a row.
MAX_SHOWN, MAX_DIFFERING, MAX_CELL = 20_000, 50, 200


def draw_reading(
    reading: SampleReading | None, run: FileScoring | None, show_scores: bool = False
) -> Updates:
    """Return the updates that show a sample: the answer to read, and the results so far.

    Args:
        reading: the sample.
        run: the scored study.
        show_scores: whether the scores of the previous answer are shown.
    """
    panel = gr.update(visible=True)
    if not reading or not run:
        gone = escape(say("files_tab.gone"))
        return {
            "reading": None,
            "answer": gone,
            "found": "",
            "panel": panel,
        }
    answers = run.read_answers()
    questions = run.study.questions
    place = reading.place
    last = None
    if reading.at and show_scores:
        last_place = reading.order[reading.at - 1]
        last = describe_previous(reading, run, last_place)
    answer = render(
        "read_sample.html",
        item=None if place is None else answers[place],
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=name_verdict(reading.verdicts, place),
        verdicts=len(reading.verdicts),
        questions=len({drawn % questions for drawn in reading.order}),
        last=last,
    )
    verdicts = reading.verdicts
    ordered = {drawn: verdicts[drawn] for drawn in reading.order if drawn in verdicts}
    csv = verdict_file.format_verdict_file(answers, ordered, questions)
    link = base64.b64encode(csv).decode() if reading.verdicts else ""
    found = render(
        "own_verdicts.html", link=link, mark=zlib.crc32(csv), **show_verdicts(reading, run)
    )
    return {
        "reading": reading,
        "answer": answer,
        "found": found,
        "panel": panel,
    }


def describe_previous(reading: SampleReading, run: FileScoring, place: int) -> dict[str, Any]:
    """Return the row, the verdict and the scores of the previous answer."""
    system, question = divmod(place, run.study.questions)
    scores = []
    for series in run.primary:
        score = run.study.question_score(system, series.key, question)
        scores.append((series.title, format_number(score)))
    return {"row": question + 1, "verdict": name_verdict(reading.verdicts, place), "scores": scores}


def update_buttons(reading: SampleReading | None, before: SampleReading | None) -> Updates:
    """Return the updates of the verdict buttons, which are inactive if nothing is left to read.

    Unchanged buttons are not updated, because a key press is lost while a part is updated.
    """
    is_active = not reading or reading.place is not None
    was_active = not before or before.place is not None
    if is_active == was_active:
        return {}
    return {f"rd_{key}": gr.update(interactive=is_active) for key in KEYS.values()}


def name_verdict(verdicts: Verdicts, place: int | None) -> str:
    """Return the name of the verdict on an answer; empty without a verdict."""
    if place is None or place not in verdicts:
        return ""
    verdict, _ = verdicts[place]
    return say(f"reading.{KEYS[verdict]}")


def describe_missing_verdicts(reading: SampleReading, run: FileScoring, verdicts: Any) -> str:
    """Return a sentence on verdicts that are missing for a result; empty if there are enough."""
    if not reading.order:
        return ""
    unread: set[int] = set()
    for place in {*reading.order} - {*reading.verdicts}:
        unread.update(find_equal_answers(run, place))
    return str(describe_needed_verdicts(verdicts, reading.samples, unread) or "")


def show_verdicts(reading: SampleReading, run: FileScoring) -> Updates:
    """Return the results of the verdicts so far, as values of the template."""
    systems = add_verdicts(run, reading)
    missing = describe_missing_verdicts(reading, run, [system.verdicts for system in systems])
    shown: Updates = {
        "lacking": missing,
        "shares": [],
        "sections": [],
        "each": [],
        "sentence": "",
    }
    if missing:
        return shown
    names = run.shown_results.names
    results = run.shown_results.add_verdicts(name_verdicts(systems, names), run.study.cluster)
    if len(systems) > 1:
        return shown | show_systems(results, run)
    if not results.verdicts.empty:
        (name,) = names
        sections = describe_findings(results, with_sentence=False)
        sections += describe_judges_and_estimate(results, run.show_answers(names))
        shown["shares"] = list_shares(results)[name]
        shown["sections"] = format_sections(sections)
        shown["sentence"] = str(describe_agreeing_scores(results, name) or "")
    return shown


def list_shares(results: Results) -> dict[str, list[tuple[str, float, float, float]]]:
    """Return the source, the share and its interval for all shares of each system."""
    shares: dict[str, list[tuple[str, float, float, float]]] = {}
    for row in select_main_shares(results.verdicts).to_dict("records"):
        share = (name_source(row), row["share"], row["low"], row["high"])
        shares.setdefault(row["system"], []).append(share)
    return shares


def show_systems(results: Results, run: FileScoring) -> Updates:
    """Return the results for several systems, as values of the template.

    They are the last share of each system, all differences, and tables on each system.
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


def compare_readers(
    reading: SampleReading | None, run: FileScoring | None, path: str | None
) -> Updates:
    """Return the comparison with a second reader's file: agreement, and the differing rows."""
    if not (reading and run and path):
        return {"kappa": ""}
    second_reader = read_verdicts(run, path)
    # The verdicts of both readers on the answers that both decided.
    own_verdicts = []
    second_verdicts = []
    differing_places = []
    for place, (own, _) in reading.verdicts.items():
        if place not in second_reader:
            continue
        second, _ = second_reader[place]
        if own != second:
            differing_places.append(place)
        if UNDECIDED not in (own, second):
            own_verdicts.append(own)
            second_verdicts.append(second)
    equal_verdicts = map(operator.eq, own_verdicts, second_verdicts)
    kappa = None
    if own_verdicts:
        kappa = cohen_kappa(own_verdicts, second_verdicts).kappa
    shown_places = differing_places[:MAX_DIFFERING]
    rows = [describe_pair(run, place, reading.verdicts, second_reader) for place in shown_places]
    compared = render(
        "two_readers.html",
        both=len(own_verdicts),
        alike=sum(equal_verdicts),
        kappa=kappa,
        rows=rows,
        more=len(differing_places) - len(shown_places),
    )
    return {"kappa": compared}


def describe_pair(
    run: FileScoring,
    place: int,
    own: Verdicts,
    others: Mapping[int, tuple[str, str]],
) -> list[Any]:
    """Return the row, the text and both verdicts of an answer on which two readers differ."""
    system, question = divmod(place, run.study.questions)
    text = cut_text(run.answer(system, question).prediction, MAX_CELL)
    return [question + 1, text, name_verdict(own, place), name_verdict(others, place)]
