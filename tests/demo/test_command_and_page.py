"""score.py and the tab "Files" give the same results for the same systems."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lens.page.files import files_form, files_results
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.words.notes import UserError

from tests.demo.command_runs import Command, Rows, parse_jsonl, read_jsonl, write_jsonl
from tests.demo.files_visits import finish_scoring, read_choices, read_downloads, send_rows
from tests.demo.system_samples import (
    QUESTIONS,
    drop_columns,
    make_long_rows,
    make_system_rows,
    set_cells,
)


@dataclass(frozen=True)
class Shown:
    """What the user sees of a study: the refusal, or the messages and the scored rows."""

    refusal: str = ""
    messages: str = ""
    rows: Rows = field(default_factory=list)


Systems = Mapping[str, Rows]
ScoreSystems = Callable[[Systems], Shown]


def join_words(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


def show_in_terminal(folder: Path, score: Command, systems: Systems) -> Shown:
    """Score systems with score.py, a file for each."""
    out = folder / "out.jsonl"
    files = [write_jsonl(folder / f"{name}.jsonl", rows) for name, rows in systems.items()]
    ran = score(*files, "--metrics", "rouge", "--out", out, "--overwrite")
    if ran.code:
        return Shown(refusal=join_words(ran.err))
    return Shown(messages=join_words(ran.out + ran.err), rows=read_jsonl(out))


def show_on_page(folder: Path, systems: Systems) -> Shown:
    """Score systems in the tab "Files", a file for each, with the guessed columns."""
    files = Files([send_rows(rows, f"{name}.jsonl") for name, rows in systems.items()])
    try:
        choices = read_choices(files_form.show_choices(files))
        run = finish_scoring(FileScoring(files.uploads, choices, ["rouge"]))
    except UserError as error:
        return Shown(refusal=join_words(str(error)))
    messages = files_results.draw_summary(run) + files_results.draw_comparison(run)
    rows = parse_jsonl(read_downloads(run, folder)["rows.jsonl"])
    return Shown(messages=join_words(messages), rows=rows)


@pytest.fixture(params=["command", "page"])
def score_systems(request: pytest.FixtureRequest, tmp_path: Path, score: Command) -> ScoreSystems:
    """A function that scores systems: first with the command, then on the page."""
    if request.param == "command":
        return lambda systems: show_in_terminal(tmp_path, score, systems)
    return lambda systems: show_on_page(tmp_path, systems)


THREE = {name: make_system_rows(name) for name in "abc"}
WITHOUT_IDS = {name: drop_columns(rows, "id") for name, rows in THREE.items()}
WITHOUT_QUESTIONS = {name: drop_columns(rows, "id", "question") for name, rows in THREE.items()}
NO_ANSWERS = set_cells(THREE["b"], answer=None)
LEFT_OUT = "answers to questions that some systems were not asked are left out of the comparison:"


def make_yes_rows(*answers: str) -> Rows:
    """Return a row for each answer, without its question, and with "yes" as the reference.

    Only the order of the rows tells which questions are the same.
    """
    return [{"reference": "yes", "answer": answer} for answer in answers]


YES = {
    "a": make_yes_rows("a", "yes", "no"),
    "b": make_yes_rows("b", "yes", "no"),
    "c": make_yes_rows("c", "yes", "no"),
}
SHUFFLED = {
    "a": THREE["a"],
    "b": THREE["b"][::-1],
    "c": make_system_rows("c", random.Random(2).sample(QUESTIONS, 40)),
}
SOME_MISSING = {
    "a": make_system_rows("a", range(2, 40)),
    "b": THREE["b"],
    "c": make_system_rows("c", [*range(30), *range(50, 60)]),
}
OTHER_REFERENCE = [THREE["b"][0] | {"reference": "x"}, *THREE["b"][1:]]
# How questions are matched: the rows of the files, a part of the messages, and the number of
# questions that all systems answer.
MATCHED = [
    pytest.param(
        SHUFFLED, "3 systems, matched by their ids: 40 questions.", 40, id="ids in other orders"
    ),
    pytest.param(
        WITHOUT_IDS | {"b": WITHOUT_IDS["b"][::-1]},
        "3 systems, matched by question and references: 40 questions.",
        40,
        id="no ids, other orders",
    ),
    pytest.param(
        THREE | {"a": [*THREE["a"][1:], WITHOUT_IDS["a"][0]]},
        "3 systems, matched by question and references: 40 questions.",
        40,
        id="an id is missing",
    ),
    pytest.param(
        WITHOUT_QUESTIONS,
        "3 systems, matched by question and references: 40 questions.",
        40,
        id="neither id nor question",
    ),
    pytest.param(
        YES,
        "3 systems, matched by the order of their rows: 3 questions.",
        3,
        id="only the order tells",
    ),
    pytest.param(
        SOME_MISSING,
        f"c.jsonl: {LEFT_OUT} 12 (row 1, 2, 31, 32, 33, …).",
        28,
        id="some are missing",
    ),
    pytest.param(
        THREE | {"b": OTHER_REFERENCE},
        f"b.jsonl: {LEFT_OUT} 1 (row 1).",
        39,
        id="one id on another question",
    ),
    pytest.param(
        THREE | {"b": THREE["b"] + make_system_rows("b", turn=1)},
        "b.jsonl: 80 answers to 40 questions. The score of a question is the mean",
        40,
        id="repeats",
    ),
    pytest.param(
        THREE | {"b": NO_ANSWERS, "d": make_system_rows("d")},
        "b.jsonl is left out: No row has both an answer",
        40,
        id="a file without answers",
    ),
]


def list_answering(systems: Systems) -> list[str]:
    """Return the systems that have at least one answer."""
    return [name for name, rows in systems.items() if any(row["answer"] for row in rows)]


@pytest.mark.parametrize(("systems", "message", "questions"), MATCHED)
def test_answers_to_the_same_question_are_matched_and_compared(
    systems: Systems,
    message: str,
    questions: int,
    score_systems: ScoreSystems,
) -> None:
    shown = score_systems(systems)
    assert shown.refusal == ""
    assert message in shown.messages
    names = list_answering(systems)
    shared = 0
    for row in shown.rows:
        scores = [row[f"rougeL ({name}.jsonl)"] for name in names]
        if None not in scores:
            shared += 1
    assert shared == questions
    for name in names[1:]:
        check_matched_answers(shown.rows, name, systems[name])


def check_matched_answers(rows: Rows, name: str, answers: Rows) -> None:
    """Check that each row of the first file has a system's answer to the same question."""
    for row in rows:
        cell = row[f"answer ({name}.jsonl)"]
        if cell is None:  # not all systems were asked this question
            continue
        texts = [answer["answer"] for answer in answers if answer["reference"] == row["reference"]]
        has_several_answers = cell.startswith("[")
        if has_several_answers:
            assert json.loads(cell) == texts
        else:
            assert cell in texts


# Systems that cannot be compared, and a part of the error message.

ALIKE = [{"reference": "a", "prediction": "b"}] * 3
OTHER_THIRD_ROW = [*ALIKE[:2], {"reference": "c", "prediction": "b"}]
OTHER_QUESTIONS = make_system_rows("b", range(50, 90))
NO_COLUMN = drop_columns(THREE["b"], "answer")
REFUSED = [
    pytest.param(
        {"a": THREE["a"], "b": OTHER_QUESTIONS},
        "“a.jsonl”, “b.jsonl” have no question in",
        id="other ids",
    ),
    pytest.param(
        {"a": WITHOUT_IDS["a"], "b": drop_columns(OTHER_QUESTIONS, "id")},
        "have no question in common",
        id="other questions",
    ),
    pytest.param(
        {"a": YES["a"], "b": YES["b"][1:]}, "a.jsonl has 3 rows and b.jsonl 2", id="fewer rows"
    ),
    pytest.param(
        {"a": ALIKE, "b": OTHER_THIRD_ROW},
        "Row 3 of a.jsonl and row 3 of b.jsonl",
        id="another reference in row 3",
    ),
    pytest.param(
        {"a": THREE["a"], "b": NO_ANSWERS}, "b.jsonl: No row has both an answer", id="no answers"
    ),
    pytest.param(
        {"a": THREE["a"], "b": NO_COLUMN},
        "b.jsonl: No column is known to hold the answer",
        id="no column",
    ),
    pytest.param(
        THREE | {"b": NO_COLUMN},
        "b.jsonl: No column is known to hold the answer",
        id="no column of three",
    ),
    pytest.param(
        {"a": THREE["a"], "b": set_cells(THREE["b"], answer={"x": 1})},
        "b.jsonl: ",
        id="an answer that is no text",
    ),
]


@pytest.mark.parametrize(("systems", "message"), REFUSED)
def test_systems_that_cannot_be_compared_are_refused_with_the_reason(
    systems: Systems, message: str, score_systems: ScoreSystems
) -> None:
    assert message in score_systems(systems).refusal


# A table with a column of systems, or with a column that only seems to be one.

LONG = make_long_rows("abc")
NAMELESS = set_cells(make_system_rows("d", [1, 2]), model="") + set_cells(
    make_system_rows("d", [1, 2]), model=None
)
EACH_ITS_OWN = [
    row | {"question": f"{number}", "id": f"{number}", "model": f"m{number}"}
    for number, row in enumerate(THREE["a"])
]
TOO_MANY = [
    row | {"id": f"{number}", "model": f"s{number % 51}"} for number, row in enumerate(LONG)
]
NOTHING_IN_COMMON = set_cells(THREE["a"][:20], model="one") + set_cells(
    THREE["a"][20:], model="two"
)
# The beginning of the message that says: the column “model” does not hold the names of systems.
IS_NO_SYSTEM_COLUMN = "The column “model” is not taken for that of the systems: "
# The rows of a table, a part of the messages, and the number of systems that are found in it.
SYSTEM_COLUMN_CASES = [
    pytest.param(LONG, "3 systems, matched by their ids: 40 questions.", 3, id="three systems"),
    pytest.param(
        LONG + NAMELESS,
        "Rows that name no system are left out of the comparison: 4 (row 121, 122, 123, 124).",
        3,
        id="rows that name none",
    ),
    pytest.param(EACH_ITS_OWN, IS_NO_SYSTEM_COLUMN, 1, id="each its own"),
    pytest.param(TOO_MANY, IS_NO_SYSTEM_COLUMN, 1, id="too many"),
    pytest.param(
        LONG + set_cells(make_system_rows("d", [1]), model="d"),
        f"{IS_NO_SYSTEM_COLUMN}only 4 of 121 rows are answers to questions that all",
        1,
        id="little in common",
    ),
    pytest.param(NOTHING_IN_COMMON, IS_NO_SYSTEM_COLUMN, 1, id="nothing in common"),
    pytest.param(set_cells(LONG, model=" "), "", 1, id="blank"),
]


@pytest.mark.parametrize(("rows", "message", "systems"), SYSTEM_COLUMN_CASES)
def test_a_column_names_the_systems_only_if_they_answer_the_same_questions(
    rows: Rows,
    message: str,
    systems: int,
    score_systems: ScoreSystems,
) -> None:
    shown = score_systems({"l": rows})
    assert shown.refusal == ""
    assert message in shown.messages
    assert ("Differences between systems" in shown.messages) == (systems > 1)
    assert len(shown.rows) == len(rows)
    assert None not in [row["rougeL"] for row in shown.rows]


def test_systems_in_files_and_in_one_table_have_equal_scores(score_systems: ScoreSystems) -> None:
    files = score_systems(THREE)
    long = score_systems({"l": LONG})
    scores = {(row["id"], row["model"]): row["rougeL"] for row in long.rows}
    for row in files.rows:
        for name in THREE:
            assert row[f"rougeL ({name}.jsonl)"] == scores[row["id"], name]


def test_the_command_and_the_page_write_equal_scored_rows(tmp_path: Path, score: Command) -> None:
    systems: dict[str, Any] = THREE | {"b": THREE["b"][::-1] + make_system_rows("b", turn=1)}
    systems["c"] = make_system_rows("c")
    for row in systems["c"][3::7]:
        row["answer"] = None
    in_terminal = show_in_terminal(tmp_path, score, systems)
    on_page = show_on_page(tmp_path, systems)
    assert in_terminal.rows == on_page.rows
    assert len(in_terminal.rows) == 40
