"""Test verdicts on a sample of several systems' answers in the tab "Files", without a browser."""

from __future__ import annotations

import base64
import csv
import io
import re
from typing import NamedTuple

import pytest
from lens.experiment import verdict_file
from lens.page.files import sample_reading, sample_views
from lens.page.files.file_scoring import FileScoring

from tests.demo.command_runs import Rows
from tests.demo.files_visits import (
    make_wordy_rows,
    score_tables,
    send_systems,
)
from tests.demo.five_systems import NAMES, make_five_systems, score_files
from tests.demo.system_samples import set_cells


def strip_tags(html: str) -> str:
    """Return HTML without its tags."""
    return re.sub("<[^>]*>", "", html)


def test_a_sample_has_all_systems_answers_to_a_question_and_equal_answers_once() -> None:
    systems = make_five_systems()
    answers = []
    for rows in systems.values():
        answers.append([row["prediction"] for row in rows])
    run = score_files(*send_systems(systems), metrics=["correctness_estimate", "rouge"])
    reading = sample_reading.begin_reading(run, 30, "stratified", {})
    assert reading
    texts_by_question: dict[int, list[str]] = {}
    systems_read = set()
    for place in reading.order:
        system, question = divmod(place, 40)
        systems_read.add(system)
        texts_by_question.setdefault(question, []).append(answers[system][question])
    assert len(systems_read) == 5
    assert len(texts_by_question) == 30
    for question, texts in texts_by_question.items():
        different_texts = {system_answers[question] for system_answers in answers}
        assert sorted(texts) == sorted(different_texts)


def read_by_person(run: FileScoring, systems: dict[str, Rows]) -> sample_reading.SampleReading:
    """Give the right verdict on each answer of a sample of 30 questions.

    Checks that the page shows neither the system nor the scores of an answer.
    """
    reading = sample_reading.begin_reading(run, 30, "stratified", {})
    assert reading
    while reading.place is not None:
        shown = strip_tags(sample_views.show_reading(reading, run)["answer"])
        for hidden in (*NAMES, ".jsonl", "0."):
            assert hidden not in shown
        system, question = divmod(reading.place, 40)
        row = systems[NAMES[system]][question]
        reading = sample_reading.take_verdict(reading, run, "right" if row["human"] else "wrong")
        assert reading
    return reading


class FinishedReading(NamedTuple):
    """Five systems, their scores, and a sample of their answers that a person has read."""

    systems: dict[str, Rows]
    run: FileScoring
    reading: sample_reading.SampleReading


@pytest.fixture(scope="module")
def finished_reading() -> FinishedReading:
    """A sample that is read once for several tests, which change nothing in it."""
    systems = make_five_systems()
    run = score_files(*send_systems(systems), metrics=["correctness_estimate", "rouge"])
    return FinishedReading(systems, run, read_by_person(run, systems))


def test_a_verdict_on_an_answer_counts_for_all_equal_answers_to_the_question(
    finished_reading: FinishedReading,
) -> None:
    systems, run, reading = finished_reading
    # The place of an answer is the number of its system times 40, and that of its question.
    questions = {place % 40 for place in reading.order}
    expected = set()
    for system in range(5):
        expected |= {system * 40 + question for question in questions}
    assert set(reading.verdicts) == expected
    shown = sample_views.show_reading(reading, run)
    assert "answers are read" in shown["answer"]
    shares = [int(share) for share in re.findall("<td>([0-9]+)%</td>", shown["found"])]
    for name, rows in systems.items():
        assert re.search(
            f"<dt>30 verdicts and the estimate of all 40 rows · {name}</dt><dd><b>[0-9]+%",
            shown["found"],
        )
        # Each verdict is weighted by the inverse of the probability that its question is drawn. So
        # the share is only close to that of the sample.
        right = sum(rows[question]["human"] for question in questions)
        assert min(abs(share - 100 * right / 30) for share in shares) <= 8
    assert shown["found"].count("30 verdicts alone") == 5 + 10, "5 systems and 10 pairs of them"


def test_a_downloaded_file_of_verdicts_can_be_continued(finished_reading: FinishedReading) -> None:
    _systems, run, reading = finished_reading
    (link,) = re.findall('base64,([^"]+)', sample_views.show_reading(reading, run)["found"])
    downloaded = base64.b64decode(link).decode()
    rows = list(csv.DictReader(io.StringIO(downloaded)))
    names = ("row", "verdict", "time", "answer_sha256")
    columns = {}
    for name in names:
        columns[name] = [row[name] for row in rows]
    marks = [verdict_file.mark_answer(answer.prediction) for answer in run.read_answers()]
    read_again = verdict_file.read_verdict_file(columns, marks, 40)
    assert read_again.keys() == reading.verdicts.keys()
    for place, (verdict, _time) in reading.verdicts.items():
        verdict_read_again, _ = read_again[place]
        assert verdict_read_again == verdict


@pytest.mark.parametrize("column", ["", "human"])
def test_verdicts_in_a_column_of_each_file_are_used(column: str) -> None:
    run = score_tables(
        *make_five_systems().values(), metrics=["correctness_estimate"], verdict=column
    )
    reading = sample_reading.resume_reading(run, 50, "uniform")
    assert reading
    assert len(reading.verdicts) == (200 if column else 0)
    assert ("Right answers" in sample_views.show_reading(reading, run)["found"]) == bool(column)


def test_systems_without_a_common_answered_question_have_nothing_to_read() -> None:
    first = make_wordy_rows(6)
    second = set_cells(make_wordy_rows(6))
    for row in first[1::2]:
        row["prediction"] = None
    for row in second[::2]:
        row["prediction"] = None
    run = score_tables(first, second, metrics=["rouge"], empty="none")
    reading = sample_reading.begin_reading(run, 6, "uniform", {})
    assert reading
    assert list(reading.order) == []
    shown = sample_views.show_reading(reading, run)["answer"]
    assert "no question has an answer of every system" in shown
