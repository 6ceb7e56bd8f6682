"""Rows written as CSV, JSON Lines and Parquet come back as they were, and no spreadsheet finds a formula in them."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.tables.cells import Kind, Nested, escape_formulas, escape_surrogates, find_kind
from lens.tables.write import write_rows
from pyarrow import parquet

COLUMNS: dict[str, Kind] = {
    "id": "text",
    "rank": "integer",
    "f1": "number",
    "passed": "boolean",
    "references": "texts",
    "extra": "json",
}
CELLS: list[tuple[Any, ...]] = [
    ("NA", 2**63 - 1, 0.1 + 0.2, True, ["a", "b"], {"k": [1, None]}),
    ("007", -(2**63), 5e-324, False, [], "text"),
    ('say "so",\nnow\r', 0, -1 / 3, None, ["é\n中文 😀"], 10**30),
    ("", None, None, None, None, None),
]
ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in CELLS]
TEXTS = st.text(st.characters(codec=None), max_size=20)


def write_forms(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, Kind]) -> dict[str, bytes]:
    found = {}
    for form in ("csv", "jsonl", "parquet"):
        file = io.BytesIO()
        write_rows(file, form, rows, kinds)
        found[form] = file.getvalue()
    return found


def parse_csv(data: bytes) -> list[list[str]]:
    """The lines of CSV. Python 3.10 cannot read the character 0: another stands in for it."""
    text = data.decode()
    other = next(sign for sign in map(chr, range(0xE000, 0xF900)) if sign not in text)
    rows = csv.reader(io.StringIO(text.replace("\0", other), newline=""), strict=True)
    return [[cell.replace(other, "\0") for cell in row] for row in rows]


def parse_json_lines(data: bytes) -> list[Any]:
    """The lines of JSON Lines; NaN and Infinity are no JSON."""
    refused: dict[str, Any] = {}
    return [json.loads(line, parse_constant=refused.__getitem__) for line in data.decode().split("\n")[:-1]]


def parse_parquet(data: bytes) -> list[Any]:
    return list(parquet.read_table(pyarrow.BufferReader(data)).to_pylist())


def test_rows_come_back() -> None:
    data, empty = write_forms(ROWS, COLUMNS), write_forms([], COLUMNS)
    read = [
        [json.loads(cell) if cell and at else cell or None for at, cell in enumerate(line)]
        for line in parse_csv(data["csv"])[1:]
    ]
    assert read == [[cell if cell != "" else None for cell in row.values()] for row in ROWS]
    assert parse_json_lines(data["jsonl"]) == ROWS
    assert "中文 😀".encode() in data["jsonl"]
    found = parse_parquet(data["parquet"])
    assert [{**row, "extra": row["extra"] and json.loads(row["extra"])} for row in found] == ROWS
    assert (empty["csv"], empty["jsonl"]) == (b"id,rank,f1,passed,references,extra\r\n", b"")
    types = [str(field.type) for field in parquet.read_schema(pyarrow.BufferReader(empty["parquet"]))]
    assert types[:4] == ["string", "int64", "double", "bool"]


@settings(max_examples=50)
@given(st.lists(st.tuples(TEXTS, st.floats(allow_infinity=False), st.lists(TEXTS, max_size=2)), max_size=5))
def test_any_row_comes_back(rows: list[tuple[str, float, list[str]]]) -> None:
    kinds: dict[str, Kind] = {"a": "text", "b": "number", "c": "texts"}
    data = write_forms([dict(zip(kinds, row, strict=True)) for row in rows], kinds)
    escaped = [[escape_surrogates(text), [escape_surrogates(one) for one in c]] for text, _, c in rows]
    numbers = [None if math.isnan(value) else value for _, value, _ in rows]
    assert [[row["a"], row["c"]] for row in parse_parquet(data["parquet"])] == escaped
    lines = parse_csv(data["csv"])[1:]
    assert [line[0] for line in lines] == [escape_formulas(text) for text, _ in escaped]
    assert [repr(float(line[1])) if line[1] else "None" for line in lines] == [repr(number) for number in numbers]
    read = parse_json_lines(data["jsonl"])
    assert [row["b"] for row in read] == numbers
    # Two lone surrogates beside each other are one character to whoever reads JSON.
    paired = [json.loads(json.dumps([text, c])) for text, _, c in rows]
    assert [[row["a"], row["c"]] for row in read] == paired


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
    "\x00=1",
    "=",
    "+",
    "-",
    "-x",
    "--5",
    "+1 ",
    "-5;x",
    "\tx",
    "\rx",
    " \tx",
    "＝1+1",
    "＠x",
    "-1e",
    "-٣",
    '=HYPERLINK("x")',
]
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
        row = {text: text, "other": [text], "n": -0.5}
        data = write_forms([row], {text: "text", "other": "texts", "n": "number"})
        header, (cell, other, number) = parse_csv(data["csv"])
        assert (header[0], cell, number) == (expected, expected, "-0.5")
        assert json.loads(other)[0].replace("'", "") == text.replace("'", "")
        assert parse_json_lines(data["jsonl"]) == parse_parquet(data["parquet"]) == [row]


def test_columns_and_cells_that_are_odd() -> None:
    names = ["", " ", "a,b", 'a"b', "a\nb", "a", "A", "a ", "á", "a\u0301", "a.b", "0", "nan"]
    row: dict[str, Any] = {name: f"cell {number}" for number, name in enumerate(names)}
    data = write_forms([row], dict.fromkeys(names, "text"))
    assert parse_csv(data["csv"]) == [names, list(row.values())]
    assert parse_json_lines(data["jsonl"]) == parse_parquet(data["parquet"]) == [row]
    assert write_forms([{}], {"a": "json"})["csv"] == b'a\r\n""\r\n'

    row = {"a\ud800": "x\udfff中", "b": ["\ud834"], "c": {"\ud800": 1}}
    data = write_forms([row], {"a\ud800": "text", "b": "texts", "c": "json"})
    assert parse_json_lines(data["jsonl"]) == [row]
    assert parse_csv(data["csv"]) == [["a\\ud800", "b", "c"], ["x\\udfff中", '["\\ud834"]', '{"\\ud800": 1}']]
    assert list(parse_parquet(data["parquet"])[0].values()) == ["x\\udfff中", ["\\ud834"], '{"\\ud800": 1}']

    row = {"a": [math.nan, math.inf, -math.inf], "b": "x\u2028y", "c": math.inf, "d": Nested("[NaN]")}
    data = write_forms([row], {"a": "json", "b": "text", "c": "number", "d": "json"})
    expected = {"a": [None, "Infinity", "-Infinity"], "b": "x\u2028y", "c": "Infinity", "d": [None]}
    assert (parse_json_lines(data["jsonl"]), len(data["jsonl"].decode().splitlines())) == ([expected], 1)
    assert parse_csv(data["csv"])[1] == [json.dumps(expected["a"]), "x\u2028y", "inf", "[null]"]
    assert parse_parquet(data["parquet"]) == [
        {**expected, "a": json.dumps(expected["a"]), "c": math.inf, "d": "[null]"}
    ]

    deep = "[" * 600 + "]" * 600
    data = write_forms([{"a": json.loads(deep), "b": Nested(deep)}], {"a": "json", "b": "json"})
    assert [data[form].count(deep.encode()) for form in ("csv", "jsonl")] == [2, 2]
    assert parse_parquet(data["parquet"]) == [{"a": deep, "b": deep}]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([], "text"),
        ([None], "text"),
        (["1"], "text"),
        ([1, None], "integer"),
        ([1, 2**63], "json"),
        ([1, 0.5], "number"),
        ([2**60, 0.5], "json"),
        ([True], "boolean"),
        ([True, 1], "json"),
        ([["a"]], "texts"),
        ([["a"], "a"], "json"),
        (["a", math.nan], "text"),
        ([Nested("[]"), None], "json"),
    ],
)
def test_the_narrowest_kind_is_found(cells: list[Any], kind: str) -> None:
    assert find_kind(cells) == kind
