"""Test that JSON in many layouts is read with a note or refused with a remedy, in linear time."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from lens.tables import untrusted
from lens.tables.file_reading import FileReading
from lens.tables.log_formats import Log
from lens.tables.read import read_table
from lens.tables.sources import open_source
from lens.words.notes import UserError

from tests.support.loop_steps import count_lines
from tests.support.project import DATA_BESIDE_PROJECT

Rows = list[dict[str, Any]]

ADDED = {"question": "2+3?", "reference": "5", "prediction": "5"}
GUESSED = {"question": "2+2?", "reference": "4", "prediction": "five"}
TWO: Rows = [ADDED, GUESSED]
NAMES = ["question", "reference", "prediction"]
LISTS = [
    ["2+3?", "5", "5"],
    ["2+2?", "4", "five"],
]
COLUMNS = {
    "question": ["2+3?", "2+2?"],
    "reference": ["5", "4"],
    "prediction": ["5", "five"],
}
COLUMNS_BY_INDEX = {
    "question": {"0": "2+3?", "1": "2+2?"},
    "reference": {"0": "5", "1": "4"},
    "prediction": {"0": "5", "1": "five"},
}
BY_ID = {"q1": ADDED, "q2": GUESSED}
WITH_ID = [{"id": "q1"} | ADDED, {"id": "q2"} | GUESSED]
# Each of these is one row, although it contains lists and objects.
MESSAGE = {"role": "assistant", "content": "a"}
CHAT = {"id": "c", "choices": [{"message": MESSAGE}]}
WITH_CONTEXT = ADDED | {"context": [{"text": "a"}]}
WITH_MESSAGES = {"prompt": "?", "output": "a", "messages": [{"role": "user"}]}

# The value in a file, its rows, and a part of the note.
SHAPES: list[tuple[Any, Rows, str]] = [
    (TWO, TWO, ""),
    (ADDED, [ADDED], ""),
    ([NAMES, *LISTS], TWO, "the first one has the names"),
    # A list of rows within an object.
    ({"results": TWO}, TWO, "the list “results”"),
    ({"model": "m", "results": TWO, "config": {"n": 1}}, TWO, "not read: “model”, “config”"),
    ({"data": TWO, "version": "1.1"}, TWO, "the list “data”"),
    ({"run": {"rows": TWO}, "errors": []}, TWO, "the list “run.rows”"),
    ({"errors": [{"code": 1}], "rows": TWO}, TWO, "the list “rows”"),
    ({"samples": [{"x": 1}]}, [{"x": 1}], "the list “samples”"),
    ({"schema": {"fields": [{"name": "index"}]}, "data": TWO}, TWO, "the list “data”"),
    # Rows by their keys.
    (BY_ID, WITH_ID, "rows by their keys, which are the column “id”"),
    ({"a": ADDED | {"id": "7"}}, [ADDED | {"id": "7", "key": "a"}], "the column “key”"),
    ({"accuracy": 50, "details": {"type": "GEN"} | BY_ID}, WITH_ID, "The table is “details”"),
    # Columns.
    (COLUMNS, TWO, "a table by columns"),
    ({"model": "m"} | COLUMNS, TWO, "not read: “model”"),
    (COLUMNS_BY_INDEX, TWO, "a table by columns"),
    ({"columns": NAMES, "index": [0, 1], "data": LISTS}, TWO, "orient='split'"),
    (
        {"columns": NAMES, "index": ["a", "b"], "data": LISTS},
        [{"index": "a"} | ADDED, {"index": "b"} | GUESSED],
        "orient='split'",
    ),
    # Only answers.
    (
        ["Paris", "Oslo"],
        [{"prediction": "Paris"}, {"prediction": "Oslo"}],
        "a list of answers",
    ),
    (
        {"a1": "Paris", "a2": "Oslo"},
        [{"id": "a1", "prediction": "Paris"}, {"id": "a2", "prediction": "Oslo"}],
        "answers by their ids",
    ),
    (CHAT, [CHAT | {"prediction": "a"}], ""),
    (WITH_CONTEXT, [WITH_CONTEXT], ""),
    (WITH_MESSAGES, [WITH_MESSAGES], ""),
]
ADDED_LINE = json.dumps(ADDED)
GUESSED_LINE = json.dumps(GUESSED)
INDENTED = json.dumps(ADDED, indent=2) + "\n" + json.dumps(GUESSED, indent=2)
LINES_OF_LISTS = "\n".join(json.dumps(cells) for cells in [NAMES, *LISTS])
WINDOWS = "\ufeff" + INDENTED.replace("\n", "\r\n") + "\r\n\r\n"
# The text of a file, its rows, and a part of the note.
TEXTS: list[tuple[str, Rows, str]] = [
    (INDENTED, TWO, ""),
    (WINDOWS, TWO, ""),
    (ADDED_LINE + "\n" + json.dumps(GUESSED, indent=1), TWO, ""),
    (ADDED_LINE + GUESSED_LINE, TWO, ""),
    (LINES_OF_LISTS, TWO, "the first one has the names"),
]
# The text of a file, and a part of the error message.
REFUSED: list[tuple[str, str]] = [
    # Lists of cells.
    (
        json.dumps(LISTS),
        'Put such a list before them, such as ["question", "reference", "prediction"]',
    ),
    (
        json.dumps([NAMES, LISTS[0], ["a"]]),
        "Row 2 has another number of cells than the header: 1, and not 3",
    ),
    (json.dumps([NAMES, "a"]), "Row 1 is not a list of cells"),
    (json.dumps([[*NAMES, "question"], [*LISTS[0], "a"]]), "“question” stands twice"),
    # Objects.
    (
        json.dumps({"a": TWO, "b": TWO}),
        "several lists of objects: “a”, “b”. Keep one alone in the file",
    ),
    (
        json.dumps(COLUMNS | {"question": ["a"]}),
        "different lengths: “question” 1, “reference” 2, “prediction” 2",
    ),
    (
        '{"q1": {"prediction": "a", "prediction": "b"}}',
        "Row 1: The column “prediction” stands twice",
    ),
    ('{"a": 1, "a": 2}', "Row 1: The column “a” stands twice"),
    ("null", "Row 1 is not a JSON object"),
    ("5", "Row 1 is not a JSON object"),
    # Broken JSON.
    (json.dumps(TWO) + " x", "it breaks off in line 1, at character"),
    (INDENTED + "\n{", "it breaks off in line 11, at character 2"),
    ("[" * 100_000, "nested too deeply"),
    ('{"a": ' * 100_000, "nested too deeply"),
    (INDENTED + "\n" + '{"a":[' * 100_000, "Line 11 of this JSON is nested too deeply"),
]


def read_json(text: str) -> tuple[Rows, str]:
    """Return the rows of a JSON text, and the notes about it."""
    reading = FileReading()
    file = io.BytesIO(text.encode())
    rows = list(read_table("json", file, Log(), reading))
    return rows, " ".join(reading.notes)


def list_texts() -> list[tuple[str, Rows, str]]:
    """Return TEXTS, and SHAPES as JSON on one line and indented."""
    texts = list(TEXTS)
    for value, rows, message in SHAPES:
        for indent in (None, 1):
            text = json.dumps(value, indent=indent)
            texts.append((text, rows, message))
    return texts


@pytest.mark.parametrize(("text", "expected", "message"), list_texts())
def test_each_layout_is_read_as_rows_with_a_note(
    text: str, expected: Rows, message: str, tmp_path: Path
) -> None:
    """The command reads the same rows, and the page's upload a table with as many."""
    rows, notes = read_json(text)
    assert rows == expected
    assert message in notes
    assert bool(message) == bool(notes)

    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    source = open_source(str(path))
    rows_of_command = [row for *_, row in source.rows()]
    assert rows_of_command == expected

    contents = untrusted.read_contents("json", text.encode(), everything=True)
    table = untrusted.Table(**contents)
    assert table.rows == len(expected)
    assert message in table.reading_notes


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_ambiguous_or_broken_json_is_refused_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(UserError) as refused:
        read_json(text)
    assert message in str(refused.value)


def count_reading_steps(keys: int, value: Any) -> int:
    """Return how many lines of Python read an object with this number of keys and this value."""
    value_by_key = {f"k{number}": value for number in range(keys)}
    text = json.dumps(value_by_key)
    return count_lines(lambda: read_json(text))


@pytest.mark.parametrize("value", [{"n": 1}, "a", ADDED, [{}], [1]])
def test_reading_an_object_takes_time_linear_in_its_keys(value: Any) -> None:
    steps = count_reading_steps(2_000, value)
    steps_of_twice_the_keys = count_reading_steps(4_000, value)
    assert steps_of_twice_the_keys < 2.5 * steps


def test_files_that_users_reported_are_read() -> None:
    folder = DATA_BESIDE_PROJECT / "cases" / "files"
    if not folder.is_dir():
        pytest.skip("the reported files are not here")
    for name in ("wrapped.json", "opencompass_pred.json", "columns.json", "openai_batch.jsonl"):
        rows, _ = read_json((folder / name).read_text("utf-8"))
        assert len(rows) == 2
