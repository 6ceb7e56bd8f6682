"""Rows are written to CSV, JSON Lines and Parquet without loss; formulas are escaped in CSV."""

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
from lens.tables.cells import ColumnType, Nested, escape_surrogates, find_column_type
from lens.tables.csv_formulas import escape_formulas
from lens.tables.write import write_rows
from pyarrow import parquet

COLUMNS: dict[str, ColumnType] = {
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
# The last row has an empty text and no other values: all are empty cells in CSV.
CSV_VALUES = [list(cells) for cells in CELLS[:-1]] + [[None] * len(COLUMNS)]
PRIVATE_SIGNS = list(map(chr, range(0xE000, 0xF900)))
TEXTS = st.text(st.characters(codec=None), max_size=20)


def write_formats(
    rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, ColumnType]
) -> dict[str, bytes]:
    """Return the bytes of rows in each format."""
    files = {}
    for name in ("csv", "jsonl", "parquet"):
        file = io.BytesIO()
        write_rows(file, name, rows, kinds)
        files[name] = file.getvalue()
    return files


def parse_csv(data: bytes) -> list[list[str]]:
    """Return the rows of CSV, the header first.

    Python 3.10 cannot read NUL in CSV, so it is replaced by an unused character and put back.
    """
    text = data.decode()
    stand_in = next(sign for sign in PRIVATE_SIGNS if sign not in text)
    rows = []
    for row in csv.reader(io.StringIO(text.replace("\0", stand_in), newline=""), strict=True):
        rows.append([cell.replace(stand_in, "\0") for cell in row])
    return rows


def parse_json_lines(data: bytes) -> list[Any]:
    """Return the rows of JSON Lines, and fail for NaN and Infinity, which are not JSON."""
    *lines, last_line = data.decode().split("\n")
    assert last_line == ""
    return [json.loads(line, parse_constant=refuse_constant) for line in lines]


def refuse_constant(name: str) -> None:
    """Fail, because JSON has no constants such as NaN."""
    pytest.fail(f"{name} is not JSON")


def parse_parquet(data: bytes) -> list[Any]:
    """Return the rows of Parquet."""
    return list(parquet.read_table(pyarrow.BufferReader(data)).to_pylist())


def parse_cells(row: Sequence[str]) -> list[Any]:
    """Return the values of a row of CSV: a text, then cells in JSON; None for an empty cell."""
    text, *later_cells = row
    values: list[Any] = [text or None]
    for cell in later_cells:
        values.append(json.loads(cell) if cell else None)
    return values


def test_rows_of_every_type_are_read_back_equal() -> None:
    data = write_formats(ROWS, COLUMNS)
    header, *lines = parse_csv(data["csv"])
    assert header == [*COLUMNS]
    assert [parse_cells(line) for line in lines] == CSV_VALUES
    assert parse_json_lines(data["jsonl"]) == ROWS
    assert "中文 😀".encode() in data["jsonl"]
    rows = parse_parquet(data["parquet"])
    for row in rows:
        row["extra"] = row["extra"] and json.loads(row["extra"])
    assert rows == ROWS


def test_a_file_without_rows_has_its_columns() -> None:
    empty = write_formats([], COLUMNS)
    assert empty["csv"] == b"id,rank,f1,passed,references,extra\r\n"
    assert empty["jsonl"] == b""
    types = [
        str(field.type) for field in parquet.read_schema(pyarrow.BufferReader(empty["parquet"]))
    ]
    assert types[:4] == ["string", "int64", "double", "bool"]


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(TEXTS, st.floats(allow_infinity=False), st.lists(TEXTS, max_size=2)), max_size=5
    )
)
def test_any_row_is_read_back_equal(rows: list[tuple[str, float, list[str]]]) -> None:
    kinds: dict[str, ColumnType] = {"a": "text", "b": "number", "c": "texts"}
    data = write_formats([dict(zip(kinds, row, strict=True)) for row in rows], kinds)
    _, *lines = parse_csv(data["csv"])
    json_rows = parse_json_lines(data["jsonl"])
    parquet_rows = parse_parquet(data["parquet"])
    assert len(lines) == len(json_rows) == len(parquet_rows) == len(rows)
    for index, (text, number, texts) in enumerate(rows):
        escaped = escape_surrogates(text)
        assert parquet_rows[index]["a"] == escaped
        assert parquet_rows[index]["c"] == list(map(escape_surrogates, texts))
        assert lines[index][0] == escape_formulas(escaped)
        if math.isnan(number):
            assert lines[index][1] == ""
            assert json_rows[index]["b"] is None
        else:
            assert repr(float(lines[index][1])) == repr(number)
            assert json_rows[index]["b"] == number
        # JSON keeps texts, with one exception: if a high and a low surrogate stand side by side,
        # the parser joins them to one character. It does the same to the expected texts here.
        expected_text, expected_texts = json.loads(json.dumps([text, texts]))
        assert json_rows[index]["a"] == expected_text
        assert json_rows[index]["c"] == expected_texts


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
# Texts that a spreadsheet may split, so that a new line or cell begins with a formula. Each has its
# escaped form.
INNER_FORMULAS = {
    "\t=1": "'\t'=1",
    "\r=1": "'\r'=1",
    "\n=1": "'\n'=1",
    "x;=cmd|'/C calc'!A0": "x;'=cmd|'/C calc'!A0",
    'x;\t"@SUM(1)': "x;\t'\"@SUM(1)",
    "a\n=1": "a\n'=1",
    "a\r-cmd|x!A0;+f(1)": "a\r'-cmd|x!A0;'+f(1)",
}
HARMLESS = [
    "-5",
    "+1.5e3",
    "-0.5",
    "+.5",
    "-5.",
    "1+1",
    "a=b",
    "",
    " ",
    "x@y",
    "'quoted'",
    "2026-01-01",
    "\u00a0x",
]
HARMLESS += ["two things:\n- one\n- two\n+ three", "a; -5", "5", "a\n\nb;c"]


WRITTEN = {
    **{text: f"'{text}" for text in FORMULAS},
    **INNER_FORMULAS,
    **{text: text for text in HARMLESS},
}


def test_a_text_that_a_spreadsheet_takes_for_a_formula_gets_an_apostrophe_in_csv() -> None:
    for text, expected in WRITTEN.items():
        row = {text: text, "other": [text], "n": -0.5}
        data = write_formats([row], {text: "text", "other": "texts", "n": "number"})
        header, (cell, other, number) = parse_csv(data["csv"])
        assert header[0] == expected
        assert cell == expected
        assert number == "-0.5"
        # A list is written as JSON. In JSON a formula can begin only after a semicolon.
        (text_in_list,) = json.loads(other)
        assert text_in_list == text.replace(";=", ";'=").replace(";+", ";'+")
        assert parse_json_lines(data["jsonl"]) == [row]
        assert parse_parquet(data["parquet"]) == [row]


def test_unusual_names_of_columns_are_kept() -> None:
    names = ["", " ", "a,b", 'a"b', "a\nb", "a", "A", "a ", "á", "a\u0301", "a.b", "0", "nan"]
    row: dict[str, Any] = {name: f"cell {number}" for number, name in enumerate(names)}
    data = write_formats([row], dict.fromkeys(names, "text"))
    assert parse_csv(data["csv"]) == [names, list(row.values())]
    assert parse_json_lines(data["jsonl"]) == parse_parquet(data["parquet"]) == [row]


def test_a_row_without_cells_is_no_empty_line_in_csv() -> None:
    # Readers of CSV skip empty lines.
    assert write_formats([{}], {"a": "json"})["csv"] == b'a\r\n""\r\n'


def test_lone_surrogates_are_escaped_in_csv_and_parquet() -> None:
    row: dict[str, Any] = {"a\ud800": "x\udfff中", "b": ["\ud834"], "c": {"\ud800": 1}}
    data = write_formats([row], {"a\ud800": "text", "b": "texts", "c": "json"})
    assert parse_json_lines(data["jsonl"]) == [row]
    assert parse_csv(data["csv"]) == [
        ["a\\ud800", "b", "c"],
        ["x\\udfff中", '["\\ud834"]', '{"\\ud800": 1}'],
    ]
    assert list(parse_parquet(data["parquet"])[0].values()) == [
        "x\\udfff中",
        ["\\ud834"],
        '{"\\ud800": 1}',
    ]


def test_nan_and_infinity_are_written_as_valid_json() -> None:
    row: dict[str, Any] = {
        "a": [math.nan, math.inf, -math.inf],
        "b": "x\u2028y",
        "c": math.inf,
        "d": Nested("[NaN]"),
    }
    data = write_formats(
        [row],
        {
            "a": "json",
            "b": "text",
            "c": "number",
            "d": "json",
        },
    )
    expected = {
        "a": [None, "Infinity", "-Infinity"],
        "b": "x\u2028y",
        "c": "Infinity",
        "d": [None],
    }
    assert parse_json_lines(data["jsonl"]) == [expected]
    assert len(data["jsonl"].decode().splitlines()) == 1
    assert parse_csv(data["csv"])[1] == [json.dumps(expected["a"]), "x\u2028y", "inf", "[null]"]
    assert parse_parquet(data["parquet"]) == [
        {**expected, "a": json.dumps(expected["a"]), "c": math.inf, "d": "[null]"}
    ]

    deep = "[" * 600 + "]" * 600
    data = write_formats([{"a": json.loads(deep), "b": Nested(deep)}], {"a": "json", "b": "json"})
    assert [data[name].count(deep.encode()) for name in ("csv", "jsonl")] == [2, 2]
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
def test_the_kind_of_a_column_is_the_narrowest_that_fits_its_cells(
    cells: list[Any], kind: str
) -> None:
    assert find_column_type(cells) == kind
