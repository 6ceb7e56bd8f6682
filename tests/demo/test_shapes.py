"""JSON in the shapes that people have is read, told, or refused with the remedy; in linear time."""

from __future__ import annotations

import contextlib
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from lens.tables import untrusted
from lens.tables.log_formats import Log
from lens.tables.read import table_rows
from lens.tables.reading import Reading
from lens.tables.roles import BadTable
from lens.tables.sources import source_of

from tests.support.project import SHARED

Rows = list[dict[str, Any]]

TWO: Rows = [
    {"question": "2+3?", "reference": "5", "prediction": "5"},
    {"question": "2+2?", "reference": "4", "prediction": "five"},
]
NAMES, LISTS = list(TWO[0]), [list(row.values()) for row in TWO]
COLUMNS = {name: [row[name] for row in TWO] for name in NAMES}
BY_ID = {"q1": TWO[0], "q2": TWO[1]}
WITH_ID = [{"id": key} | row for key, row in BY_ID.items()]
INDENTED = "\n".join(json.dumps(row, indent=2) for row in TWO)

# What a file holds, its rows, and what is said of it.
SHAPES: list[tuple[Any, Rows, str]] = [
    (TWO, TWO, ""),
    (TWO[0], TWO[:1], ""),
    ([NAMES, *LISTS], TWO, "the first one has the names"),
    ({"results": TWO}, TWO, "the list “results”"),
    ({"model": "m", "results": TWO, "config": {"n": 1}}, TWO, "not read: “model”, “config”"),
    ({"data": TWO, "version": "1.1"}, TWO, "the list “data”"),
    ({"run": {"rows": TWO}, "errors": []}, TWO, "the list “run.rows”"),
    ({"errors": [{"code": 1}], "rows": TWO}, TWO, "the list “rows”"),
    ({"samples": [{"x": 1}]}, [{"x": 1}], "the list “samples”"),
    (BY_ID, WITH_ID, "rows by their keys, which are the column “id”"),
    ({"a": TWO[0] | {"id": "7"}}, [TWO[0] | {"id": "7", "key": "a"}], "the column “key”"),
    ({"accuracy": 50, "details": {"type": "GEN"} | BY_ID}, WITH_ID, "The table is “details”"),
    (COLUMNS, TWO, "a table by columns"),
    ({"model": "m", **COLUMNS}, TWO, "not read: “model”"),
    ({name: dict(zip("01", cells, strict=True)) for name, cells in COLUMNS.items()}, TWO, "a table by columns"),
    ({"columns": NAMES, "index": [0, 1], "data": LISTS}, TWO, "orient='split'"),
    ({"columns": NAMES, "index": ["a", "b"], "data": LISTS},
     [{"index": index} | row for index, row in zip("ab", TWO, strict=True)], "orient='split'"),
    ({"schema": {"fields": [{"name": "index"}]}, "data": TWO}, TWO, "the list “data”"),
    (["Paris", "Oslo"], [{"prediction": "Paris"}, {"prediction": "Oslo"}], "a list of answers"),
    ({"a1": "Paris", "a2": "Oslo"}, [{"id": "a1", "prediction": "Paris"}, {"id": "a2", "prediction": "Oslo"}],
     "answers by their ids"),
    # One row, though it has lists and objects.
    ({"id": "c", "choices": [{"message": {"role": "assistant", "content": "a"}}]},
     [{"id": "c", "choices": [{"message": {"role": "assistant", "content": "a"}}], "prediction": "a"}], ""),
    ({**TWO[0], "context": [{"text": "a"}]}, [{**TWO[0], "context": [{"text": "a"}]}], ""),
    ({"prompt": "?", "output": "a", "messages": [{"role": "user"}]},
     [{"prompt": "?", "output": "a", "messages": [{"role": "user"}]}], ""),
]  # fmt: skip
TEXTS: list[tuple[str, Rows, str]] = [
    (INDENTED, TWO, ""),
    (json.dumps(TWO[0]) + "\n" + json.dumps(TWO[1], indent=1), TWO, ""),
    (json.dumps(TWO[0]) + json.dumps(TWO[1]), TWO, ""),
    ("\n".join(map(json.dumps, [NAMES, *LISTS])), TWO, "the first one has the names"),
    ("\ufeff" + INDENTED.replace("\n", "\r\n") + "\r\n\r\n", TWO, ""),
]
REFUSED: list[tuple[str, str]] = [
    (json.dumps(LISTS), 'Put such a list before them, such as ["question", "reference", "prediction"]'),
    (json.dumps([NAMES, LISTS[0], ["a"]]), "Row 2 has another number of cells than the header: 1, and not 3"),
    (json.dumps([NAMES, "a"]), "Row 1 is not a list of cells"),
    (json.dumps([NAMES + NAMES[:1], LISTS[0] + ["a"]]), "“question” stands twice"),
    (json.dumps({"a": TWO, "b": TWO}), "several lists of objects: “a”, “b”. Keep one alone in the file"),
    (json.dumps({**COLUMNS, "question": ["a"]}), "different lengths: “question” 1, “reference” 2, “prediction” 2"),
    ('{"q1": {"prediction": "a", "prediction": "b"}}', "Row 1: The column “prediction” stands twice"),
    ('{"a": 1, "a": 2}', "Row 1: The column “a” stands twice"),
    (json.dumps(TWO) + " x", "it breaks off in line 1, at character"),
    (INDENTED + "\n{", "it breaks off in line 11, at character 2"),
    ("[" * 100_000, "nested too deeply"),
    ('{"a": ' * 100_000, "nested too deeply"),
    (INDENTED + "\n" + '{"a":[' * 100_000, "Line 11 of this JSON is nested too deeply"),
    ("null", "Row 1 is not a JSON object"),
    ("5", "Row 1 is not a JSON object"),
]


def read(text: str) -> tuple[Rows, str]:
    reading = Reading()
    rows = list(table_rows("json", io.BytesIO(text.encode()), Log(), reading))
    return rows, " ".join(reading.notes)


def test_each_shape_is_a_table_and_told(tmp_path: Path) -> None:
    every = [(json.dumps(value, indent=1), rows, words) for value, rows, words in SHAPES]
    every += [(json.dumps(value), rows, words) for value, rows, words in SHAPES]
    for text, rows, words in [*every, *TEXTS]:
        found, told = read(text)
        assert found == rows, text
        assert words in told
        assert bool(words) == bool(told), (text, told)
        path = tmp_path / "a.json"
        path.write_text(text, "utf-8")
        assert [row for *_, row in source_of(str(path)).rows()] == rows
        table = untrusted.Table(**untrusted.contents("json", text.encode(), everything=True))
        assert (table.rows, words in table.told) == (len(rows), True)


def test_what_cannot_be_told_is_refused_with_the_remedy() -> None:
    for text, words in REFUSED:
        with pytest.raises(BadTable) as refused:
            read(text)
        assert words in str(refused.value)


LONG: list[tuple[str, Any]] = [
    ("keys", {f"k{number}": {"n": number} for number in range(40_000)}),
    ("texts", {f"k{number}": "a" for number in range(80_000)}),
    ("rows", {f"k{number}": TWO[0] for number in range(20_000)}),
    ("lists", {f"k{number}": [{}] for number in range(40_000)}),
    ("columns", {f"k{number}": [1] for number in range(40_000)}),
]


@pytest.mark.parametrize(("name", "value"), LONG)
def test_twice_the_file_takes_at_most_some_twice_the_time(name: str, value: dict[str, Any]) -> None:
    def seconds(most: int) -> float:
        text = json.dumps(dict(list(value.items())[:most]))
        begun = time.process_time()
        with contextlib.suppress(BadTable):
            read(text)
        return time.process_time() - begun

    assert seconds(len(value)) < 4 * seconds(len(value) // 2) + 0.3


def test_the_files_that_were_reported_are_read() -> None:
    folder = SHARED / "cases" / "files"
    if not folder.is_dir():
        pytest.skip("the reported files are not here")
    for name in ("wrapped.json", "opencompass_pred.json", "columns.json", "openai_batch.jsonl"):
        assert len(read((folder / name).read_text("utf-8"))[0]) == 2
