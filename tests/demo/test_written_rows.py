"""Rows written as CSV, JSON Lines and Parquet come back as they were, and no spreadsheet finds a formula in them."""

from __future__ import annotations

import csv
import gc
import io
import json
import math
import random
import re
import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.tables.cells import Kind, Nested, harmless, kind_of, without_surrogates
from lens.tables.write import WRITERS, BadRow, bytes_of, open_rows

COLUMNS: dict[str, Kind] = {
    "id": "text", "rank": "integer", "f1": "number", "passed": "boolean", "references": "texts", "extra": "json",
}  # fmt: skip
CELLS: list[tuple[Any, ...]] = [
    ("NA", 2**63 - 1, 0.1 + 0.2, True, ["a", "b"], {"k": [1, None]}),
    ("007", -(2**63), 5e-324, False, [], "text"),
    ('say "so",\nnow\r', 0, -1 / 3, None, ["é\n中文 😀"], 10**30),
    ("", None, None, None, None, None),
]
ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in CELLS]
KINDS = sorted(WRITERS)
TEXTS = st.text(st.characters(codec=None), max_size=20)


def csv_rows(data: bytes) -> list[list[str]]:
    """The lines of CSV. Python 3.10 cannot read the character 0: another stands in for it."""
    text = data.decode()
    other = next(sign for sign in map(chr, range(0xE000, 0xF900)) if sign not in text)
    rows = csv.reader(io.StringIO(text.replace("\0", other), newline=""), strict=True)
    return [[cell.replace(other, "\0") for cell in row] for row in rows]


def json_rows(data: bytes) -> list[Any]:
    """The lines of JSON Lines; NaN and Infinity are no JSON."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    return [json.loads(line, parse_constant=refuse) for line in data.decode().split("\n")[:-1]]


def parquet_file(data: bytes) -> Any:
    """A file of Parquet."""
    import pyarrow
    from pyarrow import parquet

    return parquet.ParquetFile(pyarrow.BufferReader(data))


def parquet_rows(data: bytes) -> list[Any]:
    """The rows of Parquet."""
    return list(parquet_file(data).read().to_pylist())


def test_rows_come_back() -> None:
    written = {kind: bytes_of(ROWS, kind, list(COLUMNS), COLUMNS) for kind in KINDS}
    header, *lines = csv_rows(written["csv"])
    assert header == list(COLUMNS)
    assert written["csv"].startswith(b"id,")
    assert written["csv"].endswith(b"\r\n")
    for row, (name, rank, f1, passed, references, extra) in zip(ROWS, lines, strict=True):
        assert [name, passed] == [row["id"], {True: "true", False: "false", None: ""}[row["passed"]]]
        assert [int(rank) if rank else None, float(f1) if f1 else None] == [row["rank"], row["f1"]]
        assert [json.loads(cell) if cell else None for cell in (references, extra)] == [row["references"], row["extra"]]
    assert json_rows(written["jsonl"]) == ROWS
    assert [list(row) for row in json_rows(written["jsonl"])] == [list(COLUMNS)] * 4
    assert "中文 😀".encode() in written["jsonl"]
    found = parquet_rows(written["parquet"])
    assert [{**row, "extra": row["extra"] and json.loads(row["extra"])} for row in found] == ROWS
    empty = {kind: bytes_of([], kind, list(COLUMNS), COLUMNS) for kind in KINDS}
    assert (empty["csv"], empty["jsonl"]) == (b"id,rank,f1,passed,references,extra\r\n", b"")
    types = [str(field.type) for field in parquet_file(empty["parquet"]).schema_arrow]
    assert types[:4] == ["string", "int64", "double", "bool"]


@settings(max_examples=50)
@given(st.lists(st.tuples(TEXTS, st.floats(allow_infinity=False), st.lists(TEXTS, max_size=2)), max_size=5))
def test_any_row_comes_back(rows: list[tuple[str, float, list[str]]]) -> None:
    kinds: dict[str, Kind] = {"a": "text", "b": "number", "c": "texts"}
    data = {kind: bytes_of([dict(zip(kinds, row, strict=True)) for row in rows], kind, list(kinds), kinds)
            for kind in KINDS}  # fmt: skip
    escaped = [[without_surrogates(text), [without_surrogates(one) for one in c]] for text, _, c in rows]
    numbers = [None if math.isnan(value) else value for _, value, _ in rows]
    expected = [[text, number, c] for (text, _, c), number in zip(rows, numbers, strict=True)]
    assert [list(row.values()) for row in json_rows(data["jsonl"])] == expected
    assert [[row["a"], row["c"]] for row in parquet_rows(data["parquet"])] == escaped
    lines = csv_rows(data["csv"])[1:]
    assert [line[0] for line in lines] == [harmless(text) for text, _ in escaped]
    assert [repr(float(line[1])) if line[1] else "None" for line in lines] == [repr(number) for number in numbers]


FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "  @x",
    '"=1',
    "'=1",
    ' "+cmd',
    "\ufeff=1",
]
FORMULAS += ["\x00=1", "=", "+", "-", "-x", "--5", "+1 ", "-5;x", "\tx", "\rx", " \tx", "＝1+1", "＠x", "-1e", "-٣"]
FORMULAS += ['=HYPERLINK("x")']
INNER = {
    **{f"{sign}=1": f"'{sign}'=1" for sign in "\t\r\n"},
    "x;=cmd|'/C calc'!A0": "x;'=cmd|'/C calc'!A0",
    'x;\t"@SUM(1)': "x;\t'\"@SUM(1)",
    "a\n=1": "a\n'=1",
    "a\r-cmd|x!A0;+f(1)": "a\r'-cmd|x!A0;'+f(1)",
}
HARMLESS = ["-5", "+1.5e3", "-0.5", "+.5", "-5.", "1+1", "a=b", "", " ", "x@y", "'quoted'", "2026-01-01", "\u00a0x"]
HARMLESS += ["two things:\n- one\n- two\n+ three", "a; -5", "5", "a\n\nb;c"]


def test_what_a_spreadsheet_takes_for_a_formula_gets_an_apostrophe() -> None:
    told = {**{text: f"'{text}" for text in FORMULAS}, **INNER, **{text: text for text in HARMLESS}}
    for text, expected in told.items():
        row, kinds = {text: text, "other": [text], "n": -0.5}, {text: "text", "other": "texts", "n": "number"}
        data = {kind: bytes_of([row], kind, list(row), kinds) for kind in KINDS}  # type: ignore[arg-type]
        header, (cell, other, number) = csv_rows(data["csv"])
        assert (header[0], cell, number) == (expected, expected, "-0.5")
        assert json.loads(other)[0].replace("'", "") == text.replace("'", "")
        assert json_rows(data["jsonl"]) == parquet_rows(data["parquet"]) == [row]


def test_columns_and_cells_that_are_odd() -> None:
    names = ["", " ", "a,b", 'a"b', "a\nb", "a", "A", "a ", "á", "a\u0301", "a.b", "0", "nan"]
    row: dict[str, Any] = {name: f"cell {number}" for number, name in enumerate(names)}
    data = {kind: bytes_of([row], kind, names, dict.fromkeys(names, "text")) for kind in KINDS}
    assert csv_rows(data["csv"]) == [names, list(row.values())]
    assert json_rows(data["jsonl"]) == parquet_rows(data["parquet"]) == [row]
    assert bytes_of([{}], "csv", ["a"], {}) == b'a\r\n""\r\n'

    rows = [{"a\ud800": "x\udfff中", "b": ["\ud834"], "c": {"\ud800": 1}}, {"a\ud800": "中", "b": [], "c": None}]
    kinds: dict[str, Kind] = {"a\ud800": "text", "b": "texts"}
    data = {kind: bytes_of(rows, kind, ["a\ud800", "b", "c"], kinds) for kind in KINDS}
    assert json_rows(data["jsonl"]) == rows
    assert csv_rows(data["csv"])[:2] == [["a\\ud800", "b", "c"], ["x\\udfff中", '["\\ud834"]', '{"\\ud800": 1}']]
    assert list(parquet_rows(data["parquet"])[0].values()) == ["x\\udfff中", ["\\ud834"], '{"\\ud800": 1}']

    row = {"a": [math.nan, math.inf, -math.inf, Decimal("0.10")], "b": "x\u2028y", "c": math.inf, "d": Nested("[NaN]")}
    data = {kind: bytes_of([row], kind, list(row), {"b": "text", "c": "number"}) for kind in KINDS}
    expected = {"a": [None, "Infinity", "-Infinity", "0.10"], "b": "x\u2028y", "c": "Infinity", "d": [None]}
    assert json_rows(data["jsonl"]) == [expected]
    assert len(data["jsonl"].decode().splitlines()) == 1
    assert csv_rows(data["csv"])[1] == [json.dumps(expected["a"]), "x\u2028y", "inf", "[null]"]
    assert parquet_rows(data["parquet"]) == [{**expected, "a": json.dumps(expected["a"]), "c": math.inf, "d": "[null]"}]


BAD = [
    ({"id": 5}, "row 2, column 'id': text is expected, got 5"),
    ({"rank": True}, "row 2, column 'rank': integer is expected, got True"),
    ({"rank": 2**63}, "row 2, column 'rank': integer is expected, got 9223372036854775808"),
    ({"f1": "0.5"}, "row 2, column 'f1': number is expected, got '0.5'"),
    ({"f1": 2**53 + 1}, "row 2, column 'f1': number is expected"),
    ({"passed": 1}, "row 2, column 'passed': boolean is expected, got 1"),
    ({"references": "a"}, "row 2, column 'references': texts is expected, got 'a'"),
    ({"references": ["a", None]}, "row 2, column 'references': texts is expected"),
    ({"extra": {1, 2}}, "row 2, column 'extra': no JSON can hold {1, 2}"),
    ({"other": 1}, "row 2 has the column 'other', which the file has not"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_that_does_not_fit_is_refused_with_its_number(kind: str) -> None:
    for row, message in BAD:
        with pytest.raises(BadRow, match=re.escape(message)):
            bytes_of([{}, row], kind, list(COLUMNS), COLUMNS)


NARROWEST = [
    ([], "text"), ([None], "text"), (["1"], "text"), ([1, None], "integer"), ([1, 2**63], "json"),
    ([1, 0.5], "number"), ([2**60, 0.5], "json"), ([True], "boolean"), ([True, 1], "json"), ([["a"]], "texts"),
    ([["a"], "a"], "json"), (["a", math.nan], "text"), ([Nested("[]"), None], "json"),
]  # fmt: skip


@pytest.mark.parametrize(("cells", "kind"), NARROWEST)
def test_the_narrowest_kind(cells: list[Any], kind: str) -> None:
    assert kind_of(cells) == kind


@pytest.mark.parametrize("kind", KINDS)
def test_memory_does_not_grow_with_the_rows_written(kind: str, tmp_path: Path) -> None:
    import pyarrow

    def peak(count: int) -> int:
        """The most memory in use while so many rows are written, and Arrow's own, which Python does not know of."""
        drawn, text, held = random.Random(1), "answer " * 100, [0]

        def rows() -> Iterator[dict[str, Any]]:
            for number in range(count):
                yield {"id": f"{number} {text}", "f1": drawn.random()}
                held[0] = max(held[0], pyarrow.total_allocated_bytes())

        gc.collect()
        before = pyarrow.total_allocated_bytes()
        tracemalloc.start()
        with open_rows(tmp_path / f"{count}", kind, ["id", "f1"], {"id": "text", "f1": "number"}) as out:
            out.write(rows())
        found = tracemalloc.get_traced_memory()[1] + held[0] - before
        tracemalloc.stop()
        return found

    assert peak(20_000) < 1.3 * peak(2_000) + 200_000


def test_row_groups_of_a_thousand_rows() -> None:
    for rows, expected in (([{"a": "x"}] * 2500, [1000, 1000, 500]), ([{"a": "x" * 1_000_000}] * 20, [8, 8, 4])):
        metadata = parquet_file(bytes_of(rows, "parquet", ["a"], {"a": "text"})).metadata
        assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == expected
