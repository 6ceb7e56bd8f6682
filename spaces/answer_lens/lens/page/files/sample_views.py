"""Shows the sample that a person reads: the answer, the results so far, and a second reader.

An answer is known by its place, which `sample_reading` describes.
"""

from __future__ import annotations

import base64
import operator
import zlib
from collections.abc import Sequence
from typing import Any

import gradio as gr

from lens.experiment import verdict_file
from lens.inference.judge_agreement import cohen_kappa
from lens.page.files.file_scoring import FileScoring
from lens.page.files.sample_reading import (
    SampleReading,
    Verdicts,
    find_equal_answers,
    list_system_verdicts,
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

# The most characters that are shown of the question, of a reference, and of the answer to read.
MAX_SHOWN = 20_000
# The most rows that are shown of those on which two readers differ.
MAX_DIFFERING = 50
# The most characters that are shown of an answer in such a row.
MAX_CELL = 200


def show_reading(
    reading: SampleReading | None, run: FileScoring | None, show_scores: bool = False
) -> Updates:
    """Return the updates that show a sample: the answer to read, and the results so far.

    Args:
        reading: the sample; None if it is no longer stored.
        run: the scored study; None if it is no longer stored.
        show_scores: whether the scores of the previous answer are shown.
    """
    panel = gr.update(visible=True)
    if not reading or not run:
        return {
            "reading": None,
            "answer": escape(say("files_tab.gone")),
            "found": "",
            "panel": panel,
        }
    return {
        "reading": reading,
        "answer": render_answer(reading, run, show_scores),
        "found": render_verdicts(reading, run),
        "panel": panel,
    }


def split_place(place: int, run: FileScoring) -> tuple[int, int]:
    """Return the system and the question of the answer at a place."""
    # Places are counted through the questions of one system after another.
    return divmod(place, run.study.questions)


def render_answer(reading: SampleReading, run: FileScoring, show_scores: bool) -> str:
    """Return the HTML of the answer to read, without its scores; without one if all are read."""
    place = reading.place
    answer = None
    if place is not None:
        system, question = split_place(place, run)
        answer = run.answer(system, question)
    previous = None
    if reading.at and show_scores:
        previous_place = reading.order[reading.at - 1]
        previous = describe_previous(reading, run, previous_place)
    questions = {split_place(drawn_place, run)[1] for drawn_place in reading.order}
    return render(
        "read_sample.html",
        item=answer,
        at=reading.at,
        of=len(reading.order),
        most=MAX_SHOWN,
        verdict=name_verdict(reading.verdicts, place),
        verdicts=len(reading.verdicts),
        questions=len(questions),
        previous=previous,
    )


def render_verdicts(reading: SampleReading, run: FileScoring) -> str:
    """Return the HTML of the results of the verdicts so far, with a link to their file."""
    verdicts = reading.verdicts
    in_reading_order = {place: verdicts[place] for place in reading.order if place in verdicts}
    csv = verdict_file.format_verdict_file(
        run.read_answers(), in_reading_order, run.study.questions
    )
    link = base64.b64encode(csv).decode() if verdicts else ""
    # page.js compares the mark with that of the last saved file, to warn of unsaved verdicts.
    mark = zlib.crc32(csv)
    return render("own_verdicts.html", link=link, mark=mark, **list_verdict_results(reading, run))


def describe_previous(reading: SampleReading, run: FileScoring, place: int) -> dict[str, Any]:
    """Return the row, the verdict and the scores of the previous answer."""
    system, question = split_place(place, run)
    scores = []
    for series in run.primary:
        score = run.study.question_score(system, series.key, question)
        scores.append((series.title, format_number(score)))
    return {"row": question + 1, "verdict": name_verdict(reading.verdicts, place), "scores": scores}


def update_buttons(reading: SampleReading | None, before: SampleReading | None) -> Updates:
    """Return the updates of the verdict buttons, which are inactive if all answers are read.

    Without a sample they are active, as on a new page. Unchanged buttons are not updated, because a
    key press is lost while a part is updated.
    """
    is_active = not has_read_all(reading)
    was_active = not has_read_all(before)
    if is_active == was_active:
        return {}
    return {f"rd_{key}": gr.update(interactive=is_active) for key in VERDICT_KEYS.values()}


def has_read_all(reading: SampleReading | None) -> bool:
    """Return whether a sample has no answer left to read; False without a sample."""
    return reading is not None and reading.place is None


def name_verdict(verdicts: Verdicts, place: int | None) -> str:
    """Return the name of the verdict on an answer; empty without a verdict."""
    if place is None or place not in verdicts:
        return ""
    verdict, _ = verdicts[place]
    return say(f"reading.{VERDICT_KEYS[verdict]}")


def describe_missing_verdicts(
    reading: SampleReading, run: FileScoring, verdicts: Sequence[Sequence[str]]
) -> str:
    """Return a sentence on verdicts that are missing for a result; empty if there are enough.

    Args:
        reading: the sample.
        run: the scored study.
        verdicts: the verdicts on the answers of each system.
    """
    if not reading.order:
        return ""
    unread: set[int] = set()
    for place in {*reading.order} - {*reading.verdicts}:
        unread.update(find_equal_answers(run, place))
    return str(describe_needed_verdicts(verdicts, reading.samples, unread) or "")


def list_verdict_results(reading: SampleReading, run: FileScoring) -> dict[str, Any]:
    """Return the results of the verdicts so far, as values of the template."""
    systems = list_system_verdicts(run, reading)
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

    They are one share of each system, all differences, and tables on each system. The share is by
    the verdicts with the stand-in if there is one, or else by the verdicts alone.
    """
    shares = []
    for name, shares_of_system in list_shares(results).items():
        # The share by the verdicts alone comes first, the one with the stand-in last.
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
    """Return the update that compares a second reader's file: agreement, and differing rows."""
    if not (reading and run and path):
        return {"comparison": ""}
    second_reader = read_verdicts(run, path)
    # The verdicts of both readers on the answers that neither left undecided.
    own_verdicts = []
    second_verdicts = []
    # The places of the answers on which they differ; one of them may be undecided.
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
    n_equal = sum(map(operator.eq, own_verdicts, second_verdicts))
    kappa = None
    if own_verdicts:
        kappa = cohen_kappa(own_verdicts, second_verdicts).kappa
    shown_places = differing_places[:MAX_DIFFERING]
    rows = [describe_pair(run, place, reading.verdicts, second_reader) for place in shown_places]
    compared = render(
        "two_readers.html",
        both=len(own_verdicts),
        alike=n_equal,
        kappa=kappa,
        rows=rows,
        more=len(differing_places) - len(shown_places),
    )
    return {"comparison": compared}


def describe_pair(
    run: FileScoring,
    place: int,
    own: Verdicts,
    second: Verdicts,
) -> list[Any]:
    """Return the row, the text and both verdicts of an answer on which two readers differ."""
    system, question = split_place(place, run)
    text = cut_text(run.answer(system, question).prediction, MAX_CELL)
    return [question + 1, text, name_verdict(own, place), name_verdict(second, place)]
