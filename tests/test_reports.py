"""Files of scored rows, with names and texts that are meant to break them."""

from __future__ import annotations

import csv
import gc
import io
import json
import math
import random
import re
import sys
import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.tables import cells as rowcells
from lens.tables import write

# Files of rows

COLUMNS: dict[str, rowcells.Kind] = {
    "id": "text", "rank": "integer", "f1": "number", "passed": "boolean", "references": "texts", "extra": "json",
}  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {
        "id": "NA",
        "rank": 2**63 - 1,
        "f1": 0.1 + 0.2,
        "passed": True,
        "references": ["a", "b"],
        "extra": {"k": [1, None]},
    },
    {"id": "007", "rank": -(2**63), "f1": 5e-324, "passed": False, "references": [], "extra": "text"},
    {"id": 'say "so",\nnow\r', "rank": 0, "f1": -1 / 3, "passed": None, "references": ["é\n中文 😀"], "extra": 10**30},
    {"id": "", "rank": None, "f1": None, "passed": None, "references": None, "extra": None},
]
TEXTS = st.text(st.characters(codec=None), max_size=20)
KINDS = sorted(write.WRITERS)


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


def parquet_table(data: bytes) -> Any:
    """A table of Parquet."""
    import pyarrow
    from pyarrow import parquet

    return parquet.ParquetFile(pyarrow.BufferReader(data))


def test_rows_come_back_from_csv() -> None:
    data = write.bytes_of(ROWS, "csv", list(COLUMNS), COLUMNS)
    header, *lines = csv_rows(data)
    assert header == list(COLUMNS)
    assert data.endswith(b"\r\n")
    assert not data.startswith(b"\xef\xbb\xbf")
    for row, (name, rank, f1, passed, references, extra) in zip(ROWS, lines, strict=True):
        assert name == row["id"]
        assert (int(rank) if rank else None) == row["rank"]
        assert (float(f1) if f1 else None) == row["f1"]
        assert passed == {True: "true", False: "false", None: ""}[row["passed"]]
        assert (json.loads(references) if references else None) == row["references"]
        assert (json.loads(extra) if extra else None) == row["extra"]


def test_rows_come_back_from_json_lines() -> None:
    data = write.bytes_of(ROWS, "jsonl", list(COLUMNS), COLUMNS)
    assert json_rows(data) == ROWS
    assert [list(row) for row in json_rows(data)] == [list(COLUMNS)] * 4
    assert "中文 😀".encode() in data


def test_rows_come_back_from_parquet() -> None:
    file = parquet_table(write.bytes_of(ROWS, "parquet", list(COLUMNS), COLUMNS))
    assert [str(field.type) for field in file.schema_arrow][:4] == ["string", "int64", "double", "bool"]
    found = file.read().to_pylist()
    assert [{**row, "extra": row["extra"] and json.loads(row["extra"])} for row in found] == ROWS


@settings(max_examples=50)
@given(st.lists(st.tuples(TEXTS, st.floats(allow_infinity=False), st.lists(TEXTS, max_size=2)), max_size=5))
def test_any_row_comes_back(rows: list[tuple[str, float, list[str]]]) -> None:
    kinds: dict[str, rowcells.Kind] = {"a": "text", "b": "number", "c": "texts"}
    given_rows = [dict(zip(kinds, row, strict=True)) for row in rows]
    data = {kind: write.bytes_of(given_rows, kind, list(kinds), kinds) for kind in KINDS}
    escaped = [
        [rowcells.without_surrogates(text), [rowcells.without_surrogates(one) for one in c]] for text, _, c in rows
    ]
    numbers = [None if math.isnan(value) else value for _, value, _ in rows]
    assert [list(row.values()) for row in json_rows(data["jsonl"])] == [
        [text, number, c] for (text, _, c), number in zip(rows, numbers, strict=True)
    ]
    assert [[row["a"], row["c"]] for row in parquet_table(data["parquet"]).read().to_pylist()] == escaped
    lines = csv_rows(data["csv"])[1:]
    assert [line[0] for line in lines] == [rowcells.harmless(text) for text, _ in escaped]
    assert [repr(float(line[1])) if line[1] else None for line in lines] == [
        None if number is None else repr(number) for number in numbers
    ]
    assert [json.loads(line[2]) for line in lines] == [c for _, _, c in rows]


INJECTED = [
    *(
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
    ),
    *("=", "+", "-", "-x", "--5", "+1 ", "-5;=1", "\tx", "\rx", " \tx", "＝1+1", "＠x", "-1e", "-٣", '=HYPERLINK("x")'),
]
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
    "5",
]


@pytest.mark.parametrize("text", INJECTED)
def test_what_a_spreadsheet_takes_for_a_formula_gets_an_apostrophe(text: str) -> None:
    data = write.bytes_of([{text: text, "other": [text]}], "csv", [text, "other"], {text: "text"})
    assert csv_rows(data) == [[f"'{text}", "other"], [f"'{text}", json.dumps([text], ensure_ascii=False)]]
    both = {text: "text", "other": "texts"}
    for kind in ("jsonl", "parquet"):
        other = write.bytes_of([{text: text, "other": [text]}], kind, [text, "other"], both)  # type: ignore[arg-type]
        found = json_rows(other) if kind == "jsonl" else parquet_table(other).read().to_pylist()
        assert found == [{text: text, "other": [text]}]


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_stay_as_they_are(text: str) -> None:
    data = write.bytes_of([{"text": text}], "csv", ["text"], {"text": "text"})
    assert csv_rows(data) == [["text"], [text]]


def test_lone_surrogates() -> None:
    rows = [{"a\ud800": "x\udfff中", "b": ["\ud834"], "c": {"\ud800": 1}}, {"a\ud800": "中", "b": [], "c": None}]
    kinds: dict[str, rowcells.Kind] = {"a\ud800": "text", "b": "texts"}
    files = {kind: write.bytes_of(rows, kind, ["a\ud800", "b", "c"], kinds) for kind in KINDS}
    assert json_rows(files["jsonl"]) == rows
    assert csv_rows(files["csv"])[:2] == [["a\\ud800", "b", "c"], ["x\\udfff中", '["\\ud834"]', '{"\\ud800": 1}']]
    assert parquet_table(files["parquet"]).read().to_pylist()[0] == {
        "a\\ud800": "x\\udfff中", "b": ["\\ud834"], "c": '{"\\ud800": 1}',
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_without_rows(kind: str) -> None:
    data = write.bytes_of([], kind, list(COLUMNS), COLUMNS)
    if kind == "parquet":
        assert parquet_table(data).read().num_rows == 0
        assert parquet_table(data).schema_arrow.names == list(COLUMNS)
    else:
        assert data == {"csv": b"id,rank,f1,passed,references,extra\r\n", "jsonl": b""}[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_with_odd_names(kind: str) -> None:
    names = ["", " ", "a,b", 'a"b', "a\nb", "a", "A", "a ", "á", "a\u0301", "=a", "'=a", "a.b", "0", "nan"]
    row = {name: f"cell {number}" for number, name in enumerate(names)}
    data = write.bytes_of([row], kind, names, dict.fromkeys(names, "text"))
    if kind == "csv":
        written = [{"=a": "'=a", "'=a": "''=a"}.get(name, name) for name in names]
        assert csv_rows(data) == [written, list(row.values())]
    else:
        assert (json_rows(data) if kind == "jsonl" else parquet_table(data).read().to_pylist()) == [row]


def test_what_json_has_no_sign_for() -> None:
    row = {"a": [math.nan, math.inf, -math.inf, Decimal("0.10")], "b": "x\u2028y", "c": math.inf}
    data = write.bytes_of([row], "jsonl", list(row), {"b": "text", "c": "number"})
    assert json_rows(data) == [{"a": [None, "Infinity", "-Infinity", "0.10"], "b": "x\u2028y", "c": "Infinity"}]
    assert len(data.decode().splitlines()) == 1
    data = write.bytes_of([row], "csv", list(row), {"b": "text", "c": "number"})
    assert csv_rows(data)[1] == ['[null, "Infinity", "-Infinity", "0.10"]', "x\u2028y", "inf"]


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
@pytest.mark.parametrize(("row", "message"), BAD)
def test_a_row_that_does_not_fit_is_refused_with_its_number(kind: str, row: dict[str, Any], message: str) -> None:
    with pytest.raises(write.BadRow, match=re.escape(message)):
        write.bytes_of([{}, row], kind, list(COLUMNS), COLUMNS)


def test_columns_that_no_file_can_have() -> None:
    for names, kinds, message in (
        ([], {}, "at least one column"),
        (["a", "a"], {}, "column 2: a name of its own is expected, got 'a'"),
        (["a"], {"a": "float"}, "got 'float'"),
    ):
        with pytest.raises(ValueError, match=message):
            write.open_rows(io.BytesIO(), "csv", names, kinds)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="got 'xlsx'"):
        write.open_rows(io.BytesIO(), "xlsx", ["a"], {})


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([], "text"), ([None], "text"), (["1"], "text"), ([1, None], "integer"), ([1, 2**63], "json"),
        ([1, 0.5], "number"), ([2**60, 0.5], "json"), ([True], "boolean"), ([True, 1], "json"), ([["a"]], "texts"),
        ([["a"], "a"], "json"),
    ],
)  # fmt: skip
def test_the_narrowest_kind(cells: list[Any], kind: str) -> None:
    assert rowcells.kind_of(cells) == kind


@pytest.mark.parametrize("kind", KINDS)
class TestPlaces:
    """A file has its name only when it is complete."""

    def test_complete(self, tmp_path: Path, kind: str) -> None:
        target = tmp_path / "rows"
        out = write.open_rows(target, kind, list(COLUMNS), COLUMNS)
        out.write(ROWS)
        assert [path.name for path in tmp_path.iterdir()] == ["rows.part"]
        out.close()
        out.close()
        assert [path.name for path in tmp_path.iterdir()] == ["rows"]
        assert target.read_bytes() == write.bytes_of(ROWS, kind, list(COLUMNS), COLUMNS)
        with pytest.raises(ValueError, match="closed"):
            out.write(ROWS)

    def test_broken_off(self, tmp_path: Path, kind: str) -> None:
        target = tmp_path / "rows"
        target.write_text("what stood there before")

        def broken() -> Iterator[dict[str, Any]]:
            yield from ROWS * 600
            raise KeyError

        out = write.open_rows(target, kind, list(COLUMNS), COLUMNS)
        with pytest.raises(KeyError), out:
            out.write(broken())
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"rows": "what stood there before"}

    def test_failed_at_the_end(self, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(self: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(write.WRITERS[kind], "end", full)
        out = write.open_rows(tmp_path / "rows", kind, list(COLUMNS), COLUMNS)
        with pytest.raises(OSError, match="No space"):
            out.close()
        assert list(tmp_path.iterdir()) == []

    def test_no_such_place(self, tmp_path: Path, kind: str) -> None:
        with pytest.raises(FileNotFoundError):
            write.open_rows(tmp_path / "none" / "rows", kind, ["a"], {})
        with pytest.raises(IsADirectoryError):
            write.open_rows(tmp_path, kind, ["a"], {})

    def test_an_open_file_stays_open(self, tmp_path: Path, kind: str) -> None:
        file = io.BytesIO()
        write.open_rows(file, kind, ["a"], {}).close()
        assert not file.closed

    def test_memory_does_not_grow_with_the_rows_written(self, tmp_path: Path, kind: str) -> None:
        peaks = [self.peak(tmp_path / f"{count}", kind, count) for count in (2_000, 20_000)]
        assert peaks[1] < 1.3 * peaks[0] + 200_000

    def peak(self, target: Path, kind: str, count: int) -> int:
        """The most memory in use while so many rows are written, and Arrow's own, which Python does not know of."""
        import pyarrow

        drawn, text, held = random.Random(1), "answer " * 100, [0]

        def rows() -> Iterator[dict[str, Any]]:
            for number in range(count):
                yield {"id": f"{number} {text}", "f1": drawn.random()}
                held[0] = max(held[0], pyarrow.total_allocated_bytes())

        gc.collect()
        before = pyarrow.total_allocated_bytes()
        tracemalloc.start()
        try:
            with write.open_rows(target, kind, ["id", "f1"], {"id": "text", "f1": "number"}) as out:
                out.write(rows())
            return tracemalloc.get_traced_memory()[1] + held[0] - before
        finally:
            tracemalloc.stop()


def test_row_groups_of_a_thousand_rows() -> None:
    rows = [{"a": "x"}] * 2500
    metadata = parquet_table(write.bytes_of(rows, "parquet", ["a"], {"a": "text"})).metadata
    assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == [1000, 1000, 500]
    long = [{"a": "x" * 1_000_000}] * 20
    metadata = parquet_table(write.bytes_of(long, "parquet", ["a"], {"a": "text"})).metadata
    assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == [8, 8, 4]
