"""Draws a sample that a person reads: the answer, results of verdicts, and a second reader."""

from __future__ import annotations

import base64
import operator
import zlib
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
from lens.tables.verdict_words import UNDECIDED, VERDICT_KEYS
from lens.words import say
from lens.words.formats import format_number

# How many characters of the answer to read are shown.
MAX_SHOWN = 20_000
# How many rows on which two readers differ are shown, and how many characters of their answers.
MAX_DIFFERING, MAX_CELL = 50, 200


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
    return {
        "reading": reading,
        "answer": draw_answer(reading, run, show_scores),
        "found": draw_verdicts(reading, run),
        "panel": panel,
    }


def draw_answer(reading: SampleReading, run: FileScoring, show_scores: bool) -> str:
    """Return the HTML of the answer to read, without its scores."""
    place = reading.place
    answer = None
    if place is not None:
        system, question = divmod(place, run.study.questions)
        answer = run.answer(system, question)
    previous = None
    if reading.at and show_scores:
        previous_place = reading.order[reading.at - 1]
        previous = describe_previous(reading, run, previous_place)
    return render(
        "read_sample.html",
        item=answer,
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=name_verdict(reading.verdicts, place),
        verdicts=len(reading.verdicts),
        questions=len({drawn % run.study.questions for drawn in reading.order}),
        last=previous,
    )


def draw_verdicts(reading: SampleReading, run: FileScoring) -> str:
    """Return the HTML of the results of the verdicts so far, with a link to their file."""
    verdicts = reading.verdicts
    in_reading_order = {place: verdicts[place] for place in reading.order if place in verdicts}
    csv = verdict_file.format_verdict_file(
        run.read_answers(), in_reading_order, run.study.questions
    )
    link = base64.b64encode(csv).decode() if verdicts else ""
    # By the mark, page.js recognises verdicts that are not saved.
    mark = zlib.crc32(csv)
    return render("own_verdicts.html", link=link, mark=mark, **list_verdict_results(reading, run))


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
    return {f"rd_{key}": gr.update(interactive=is_active) for key in VERDICT_KEYS.values()}


def name_verdict(verdicts: Verdicts, place: int | None) -> str:
    """Return the name of the verdict on an answer; empty without a verdict."""
    if place is None or place not in verdicts:
        return ""
    verdict, _ = verdicts[place]
    return say(f"reading.{VERDICT_KEYS[verdict]}")


def describe_missing_verdicts(reading: SampleReading, run: FileScoring, verdicts: Any) -> str:
    """Return a sentence on verdicts that are missing for a result; empty if there are enough."""
    if not reading.order:
        return ""
    unread: set[int] = set()
    for place in {*reading.order} - {*reading.verdicts}:
        unread.update(find_equal_answers(run, place))
    return str(describe_needed_verdicts(verdicts, reading.samples, unread) or "")


def list_verdict_results(reading: SampleReading, run: FileScoring) -> dict[str, Any]:
    """Return the results of the verdicts so far, as values of the template."""
    systems = add_verdicts(run, reading)
    missing = describe_missing_verdicts(reading, run, [system.verdicts for system in systems])
    values: dict[str, Any] = {
        "lacking": missing,
        "shares": [],
        "sections": [],
        "each": [],
        "sentence": "",
    }
    if missing:
        return values
    names = run.shown_results.names
    results = run.shown_results.add_verdicts(name_verdicts(systems, names), run.study.cluster)
    if len(systems) > 1:
        return values | list_results_of_systems(results, run)
    if not results.verdicts.empty:
        (name,) = names
        sections = describe_findings(results, with_sentence=False)
        sections += describe_judges_and_estimate(results, run.show_answers(names))
        values["shares"] = list_shares(results)[name]
        values["sections"] = format_sections(sections)
        values["sentence"] = str(describe_agreeing_scores(results, name) or "")
    return values


def list_shares(results: Results) -> dict[str, list[tuple[str, float, float, float]]]:
    """Return the source, the value and the interval of all shares, by system."""
    shares: dict[str, list[tuple[str, float, float, float]]] = {}
    for row in select_main_shares(results.verdicts).to_dict("records"):
        share = (name_source(row), row["share"], row["low"], row["high"])
        shares.setdefault(row["system"], []).append(share)
    return shares


def list_results_of_systems(results: Results, run: FileScoring) -> dict[str, Any]:
    """Return the results for several systems, as values of the template.

    They are the last share of each system, all differences, and tables on each system.
    """
    shares = []
    for name, shares_of_system in list_shares(results).items():
        source, *figures = shares_of_system[-1]
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
    for place, (own_verdict, _) in reading.verdicts.items():
        if place not in second_reader:
            continue
        second_verdict, _ = second_reader[place]
        if own_verdict != second_verdict:
            differing_places.append(place)
        if UNDECIDED not in (own_verdict, second_verdict):
            own_verdicts.append(own_verdict)
            second_verdicts.append(second_verdict)
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
    second: Verdicts,
) -> list[Any]:
    """Return the row, the text and both verdicts of an answer on which two readers differ."""
    system, question = divmod(place, run.study.questions)
    text = cut_text(run.answer(system, question).prediction, MAX_CELL)
    return [question + 1, text, name_verdict(own, place), name_verdict(second, place)]
