"""One study, two doors: what score.py and the tab "Files" make of the same systems, from one table of cases."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lens.page.files import files_form, files_results
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_form import Files
from lens.words.notes import UserError

from tests.demo.command_runs import Command, Rows, write_jsonl
from tests.demo.files_visits import finish_scoring, read_choices, read_downloads, send_rows
from tests.demo.system_samples import QUESTIONS, drop_columns, make_answers


class Seen(NamedTuple):
    """What a user sees of a study: why it was refused, or what is told, and the scored rows."""

    refusal: str
    told: str = ""
    rows: Rows = []


Door = Callable[[Mapping[str, Rows]], Seen]


def through_command(folder: Path, score: Command, own: Mapping[str, Rows]) -> Seen:
    """What score.py says of some files."""
    out = folder / "out.jsonl"
    files = [write_jsonl(folder / f"{name}.jsonl", rows) for name, rows in own.items()]
    ran = score(*files, "--metrics", "rouge", "--out", out, "--overwrite")
    if ran.code:
        return Seen(ran.err)
    return Seen("", ran.out + ran.err, [json.loads(line) for line in out.read_text("utf-8").splitlines()])


def through_page(folder: Path, own: Mapping[str, Rows]) -> Seen:
    """What the tab "Files" shows of the same files, with the columns as it guesses them."""
    files = Files([send_rows(rows, f"{name}.jsonl") for name, rows in own.items()])
    try:
        run = finish_scoring(FileScoring(files.sents, read_choices(files_form.show_choices(files)), ["rouge"]))
    except UserError as error:
        return Seen(str(error))
    rows = read_downloads(run, folder)["rows.jsonl"].decode()
    told = files_results.draw_summary(run) + files_results.draw_comparison(run)
    return Seen("", told, [json.loads(line) for line in rows.splitlines()])


@pytest.fixture(params=["command", "page"])
def door(request: pytest.FixtureRequest, tmp_path: Path, score: Command) -> Door:
    """Each of the two doors."""
    if request.param == "command":
        return lambda own: through_command(tmp_path, score, own)
    return lambda own: through_page(tmp_path, own)


# How questions are matched: the rows of the files, what is told, and how many questions all systems answer.

NO_ID = {name: drop_columns(make_answers(name), "id") for name in "abc"}
YES = {name: [{"reference": "yes", "answer": text} for text in (name, "yes", "no")] for name in "abc"}
THREE = {name: make_answers(name) for name in "abc"}
LEFT_OUT = "answers to what not all systems were asked are left out of the comparison:"
MATCHED: dict[str, tuple[dict[str, Rows], str, int]] = {
    "ids in other orders": (
        THREE | {"b": make_answers("b")[::-1], "c": make_answers("c", random.Random(2).sample(QUESTIONS, 40))},
        "3 systems, matched by their ids: 40 questions.",
        40,
    ),
    "no ids, other orders": (
        NO_ID | {"b": NO_ID["b"][::-1]},
        "3 systems, matched by question and references: 40 questions.",
        40,
    ),
    "an id is missing": (
        THREE | {"a": [*make_answers("a")[1:], NO_ID["a"][0]]},
        "3 systems, matched by question and references: 40 questions.",
        40,
    ),
    "neither id nor question": (
        {name: drop_columns(rows, "question") for name, rows in NO_ID.items()},
        "3 systems, matched by question and references: 40 questions.",
        40,
    ),
    "only the order tells": (YES, "3 systems, matched by the order of their rows: 3 questions.", 3),
    "some are missing": (
        THREE | {"a": make_answers("a", range(2, 40)), "c": make_answers("c", [*range(30), *range(50, 60)])},
        f"c.jsonl: {LEFT_OUT} 12 (row 1, 2, 31, 32, 33, …).",
        28,
    ),
    "one id on another question": (
        THREE | {"b": [make_answers("b")[0] | {"reference": "x"}, *make_answers("b")[1:]]},
        f"b.jsonl: {LEFT_OUT} 1 (row 1).",
        39,
    ),
    "repeats": (
        THREE | {"b": make_answers("b") + make_answers("b", turn=1)},
        "b.jsonl: 80 answers to 40 questions. The score of a question is the mean",
        40,
    ),
    "a file without answers": (
        THREE | {"b": [row | {"answer": None} for row in make_answers("b")], "d": make_answers("d")},
        "b.jsonl is left out: No row has both an answer",
        40,
    ),
}


@pytest.mark.parametrize("case", MATCHED)
def test_answers_to_the_same_question_are_compared(case: str, door: Door) -> None:
    own, told, questions = MATCHED[case]
    seen = door(own)
    assert (seen.refusal, told in " ".join(seen.told.split())) == ("", True), seen.told
    names = [name for name in own if any(row["answer"] for row in own[name])]
    shared = [row for row in seen.rows if all(row[f"rougeL ({name}.jsonl)"] is not None for name in names)]
    assert len(shared) == questions
    # Beside each row of the first file stand the answers of the others to the same question.
    for row in seen.rows:
        for name in names[1:]:
            text = row[f"answer ({name}.jsonl)"]
            there = [one["answer"] for one in own[name] if one["reference"] == row["reference"]]
            assert text is None or text in there or json.loads(text) == there


# What is refused, in words.

ALIKE = [{"reference": "a", "prediction": "b"}] * 3
REFUSED: dict[str, tuple[dict[str, Rows], str]] = {
    "other ids": (
        {"a": make_answers("a"), "b": make_answers("b", range(50, 90))},
        "“a.jsonl”, “b.jsonl” have no question in",
    ),
    "other questions": (
        {"a": NO_ID["a"], "b": drop_columns(make_answers("b", range(50, 90)), "id")},
        "have no question in common",
    ),
    "fewer rows": ({"a": YES["a"], "b": YES["b"][1:]}, "a.jsonl has 3 rows and b.jsonl 2"),
    "another order": (
        {"a": ALIKE, "b": [*ALIKE[:2], {"reference": "c", "prediction": "b"}]},
        "Row 3 of a.jsonl and row 3 of b.jsonl",
    ),
    "no answers": (
        {"a": make_answers("a"), "b": [row | {"answer": None} for row in make_answers("b")]},
        "b.jsonl: No row has both an answer",
    ),
    "no column": (
        {"a": make_answers("a"), "b": drop_columns(make_answers("b"), "answer")},
        "b.jsonl: No column is known to hold the answer",
    ),
    "no column of three": (
        {**THREE, "b": drop_columns(make_answers("b"), "answer")},
        "b.jsonl: No column is known to hold the answer",
    ),
    "an answer that is no text": (
        {"a": make_answers("a"), "b": [row | {"answer": {"x": 1}} for row in make_answers("b")]},
        "b.jsonl: ",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_systems_that_cannot_be_compared_are_refused_in_words(case: str, door: Door) -> None:
    own, words = REFUSED[case]
    assert words in " ".join(door(own).refusal.split())


# One table that names the systems in a column, or only seems to.

LONG = [{**row, "model": name} for name in "abc" for row in make_answers(name)]
NOT_TAKEN = "The column “model” is not taken for that of the systems: "
COLUMN: dict[str, tuple[Rows, str, int]] = {
    "three systems": (LONG, "3 systems, matched by their ids: 40 questions.", 3),
    "rows that name none": (
        [*LONG, *[row | {"model": one} for row in make_answers("d", [1, 2]) for one in ("", None)]],
        "Rows that name no system are left out of the comparison: 4 (row 121, 122, 123, 124).",
        3,
    ),
    "each its own": (
        [row | {"question": f"{at}", "id": f"{at}", "model": f"m{at}"} for at, row in enumerate(make_answers("a"))],
        NOT_TAKEN,
        1,
    ),
    "too many": ([row | {"id": f"{at}", "model": f"s{at % 51}"} for at, row in enumerate(LONG)], NOT_TAKEN, 1),
    "little in common": (
        [*LONG, *[row | {"model": "d"} for row in make_answers("d", [1])]],
        f"{NOT_TAKEN}only 4 of 121 rows are answers to questions that all",
        1,
    ),
    "nothing in common": (
        [row | {"model": "one" if at < 20 else "two"} for at, row in enumerate(make_answers("a"))],
        NOT_TAKEN,
        1,
    ),
    "blank": ([row | {"model": " "} for row in LONG], "120 rows", 1),
}


@pytest.mark.parametrize("case", COLUMN)
def test_a_column_may_name_the_systems(case: str, door: Door) -> None:
    rows, told, systems = COLUMN[case]
    seen = door({"l": rows})
    assert seen.refusal == ""
    assert told in " ".join(seen.told.split()) or case == "blank"
    assert ("Differences between systems" in seen.told) == (systems > 1)
    assert all(row["rougeL"] is not None for row in seen.rows)
    assert len(seen.rows) == len(rows)


def test_files_and_one_table_have_the_same_scores(door: Door) -> None:
    """The scores of a system are the same, whichever way it comes."""
    files, long = door(THREE), door({"l": LONG})
    own = {(row["id"], row["model"]): row["rougeL"] for row in long.rows}
    for row in files.rows:
        for name in THREE:
            assert row[f"rougeL ({name}.jsonl)"] == own[row["id"], name]


def test_both_doors_write_the_same_scored_file(tmp_path: Path, score: Command) -> None:
    own: dict[str, Any] = THREE | {"b": make_answers("b")[::-1] + make_answers("b", turn=1)}
    own["c"] = [row | {"answer": None} if number % 7 == 3 else row for number, row in enumerate(make_answers("c"))]
    command, page = through_command(tmp_path, score, own), through_page(tmp_path, own)
    assert command.rows == page.rows
    assert len(command.rows) == 40
