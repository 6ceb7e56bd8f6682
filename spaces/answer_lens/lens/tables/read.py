"""The rows of a table, CSV, JSON or Parquet, one after another, as they stand in the file.

Nothing is altered by reading: in CSV every cell is a text, and nothing, "NA", "None" or "007" among it, counts as
missing or as a number. CSV is read by Python's own strict reader: pyarrow's takes the rest of a file for one cell where
a quotation mark is missing. What is wrong with a file is an Unreadable with the key of a text, for the program that
reads a visitor's file (tables/visitors_file.py) hands it on as JSON.
"""

from __future__ import annotations

import csv
import datetime
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, TextIO

from lens.tables.roles import KNOWN

KINDS = {".csv": "csv", ".tsv": "csv", ".jsonl": "json", ".ndjson": "json", ".json": "json", ".parquet": "parquet"}
BLANK = " \t\r\n"
# What open() is to take for the end of a line: in CSV a cell may hold any, in JSON Lines only one sign ends a line.
NEWLINE = {"csv": "", "json": "\n"}
# The first line with which Excel is told the sign between the columns.
SEPARATOR = re.compile(r"\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)
LONGEST_CELL = 2**31 - 1
MAX_NAME = 60
BATCH_ROWS = 200

Row = dict[str, Any]


class Unreadable(Exception):
    """A file that cannot be read: the key of a text, and the values to fill in there."""

    def __init__(self, problem: str, **values: Any) -> None:
        super().__init__(problem)
        self.problem = problem
        self.values = values


def text_of(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("file_not_utf8", line=data.count(b"\n", 0, error.start) + 1) from None


def delimiter_of(first: str) -> str:
    """The sign between the columns of a CSV file: the one that makes most of the usual names in the first line, and
    else most columns.
    """

    def made(sign: str) -> tuple[int, int]:
        cells = first.split(sign)
        return sum(cell.strip().strip('"').strip().casefold() in KNOWN for cell in cells), len(cells)

    return max(",;\t", key=made)


def csv_rows(stream: Iterable[str]) -> Iterator[Row]:
    """The rows of a CSV file; empty lines, and those of spaces alone, are none."""
    csv.field_size_limit(LONGEST_CELL)
    given = iter(stream)
    first = next((line for line in given if line.strip()), "")
    told = SEPARATOR.fullmatch(first)
    sign = told[1] if told else delimiter_of(first)
    reader = csv.reader(given if told else itertools.chain([first], given), delimiter=sign, strict=True)
    lines = (line for line in reader if line and not (len(line) == 1 and line[0].isspace()))
    try:
        head = [name.strip() for name in next(lines, [])]
        names = without_empty(head)
        refuse_twice(names)
        for number, cells in enumerate(lines, 1):
            if len(cells) != len(head):
                problem = "file_ragged_one" if len(cells) == 1 else "file_ragged"
                raise Unreadable(problem, row=number, cells=len(cells), columns=len(head))
            if any(cells[len(names) :]):
                raise Unreadable("file_twice", column="")
            yield dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise Unreadable("file_not_csv", message=str(error)) from None


def without_empty(names: list[str]) -> list[str]:
    """The names of a CSV file without those at the end that are empty, where it has several such: a spreadsheet writes
    columns of nothing so.

    >>> without_empty(["a", "b", "", ""]), without_empty(["", "a", "b"])
    (['a', 'b'], ['', 'a', 'b'])
    """
    kept = len(names)
    while kept and not names[kept - 1]:
        kept -= 1
    return names[:kept] if names.count("") > 1 and kept else names


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse a column that stands twice: which of them is meant, nobody can know."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise Unreadable("file_twice", column=name[:MAX_NAME])
        seen.add(name)


def distinct(pairs: list[tuple[str, Any]]) -> Row:
    """An object of JSON, unless a name stands twice in it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        refuse_twice(name for name, _ in pairs)
    return found


def whole(digits: str) -> float:
    """A whole number; one of many digits as a float, for Python takes long to read it."""
    return int(digits) if len(digits) < 100 else float(digits)


def parsed(text: str, line: int = 1) -> Any:
    """A value of JSON, or where in the file it breaks off; `line` is where it begins."""
    try:
        return json.loads(text, object_pairs_hook=distinct, parse_int=whole)
    except json.JSONDecodeError as error:
        raise Unreadable("file_not_json", line=line + error.lineno - 1, column=error.colno) from None
    except RecursionError:
        raise Unreadable("file_nested", line=line) from None


def json_rows(stream: TextIO) -> Iterator[Row]:
    """The rows of a JSON array of objects or of JSON Lines; empty lines are none."""
    lines = ((at, line) for at, line in enumerate(stream, 1) if line.strip(BLANK))
    at, first = next(lines, (1, "[]"))
    array = first.lstrip(BLANK).startswith("[")
    values = parsed(first + stream.read(), at) if array else json_lines(at, first, lines, stream)
    for number, row in enumerate(values, 1):
        if not isinstance(row, dict):
            raise Unreadable("file_no_object", row=number)
        yield row


def json_lines(at: int, begun: str, lines: Iterator[tuple[int, str]], stream: TextIO) -> Iterator[Any]:
    """The values of JSON Lines, of which one line is read already. A file that is one object, be it indented or an
    object of columns, is none.
    """
    try:
        first = parsed(begun.removesuffix("\n"), at)
    except Unreadable:
        if is_object(begun + stream.read()):
            raise Unreadable("file_one_object") from None
        raise
    second = next(lines, None)
    columns = isinstance(first, dict) and first and all(isinstance(cell, dict | list) for cell in first.values())
    if second is None and columns:
        raise Unreadable("file_one_object")
    yield first
    for number, line in itertools.chain([second] if second else [], lines):
        yield parsed(line.removesuffix("\n"), number)


def is_object(text: str) -> bool:
    """Whether a text is one object of JSON."""
    try:
        return isinstance(parsed(text), dict)
    except Unreadable:
        return False


def parquet_rows(source: Any) -> Iterator[Row]:
    """The rows of a Parquet file, without columns of bytes."""
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(source)
        schema = file.schema_arrow
        refuse_twice(schema.names)
        yield from rows_of(file.iter_batches(BATCH_ROWS, columns=columns_of(schema), use_threads=False))
    except UnicodeDecodeError:
        raise Unreadable("file_parquet_not_utf8") from None
    except (pyarrow.ArrowException, OSError):
        raise Unreadable("file_not_parquet") from None
    except (LookupError, OverflowError, ValueError) as error:  # a date after the year 9999, an unknown time zone
        raise Unreadable("file_parquet_cell", message=type(error).__name__) from None


def columns_of(schema: Any) -> list[str]:
    """The columns of a table of Arrow that are read: all but those of bytes, or with some in them, such as pictures."""
    return [field.name for field in schema if not holds_bytes(field.type)]


def holds_bytes(kind: Any) -> bool:
    """Whether a kind of Arrow's cells is bytes, or has some in it."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return holds_bytes(kind.value_type)
    if types.is_nested(kind):
        return any(holds_bytes(kind.field(at).type) for at in range(kind.num_fields))
    kinds = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_binary_view)
    return any(is_kind(kind) for is_kind in kinds)


def rows_of(batches: Iterable[Any]) -> Iterator[Row]:
    """The rows of batches of Arrow."""
    for batch in batches:
        for row in batch.to_pylist():
            yield {name: plain(cell) for name, cell in row.items()}


def plain(cell: Any) -> Any:
    """A cell of Arrow as JSON can hold it."""
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    if isinstance(cell, dict):
        return {str(name): plain(one) for name, one in cell.items()}
    if isinstance(cell, Decimal | datetime.date | datetime.time | datetime.timedelta):
        return str(cell)
    return cell if isinstance(cell, str | int | float | None) else repr(cell) if isinstance(cell, bytes) else str(cell)


def table_rows(kind: str, source: Any) -> Iterator[Row]:
    """The rows of a table: of a text stream with the line ends that its kind has (`NEWLINE`), or of what pyarrow takes
    for a Parquet file.
    """
    if kind == "csv":
        return csv_rows(source)
    return json_rows(source) if kind == "json" else parquet_rows(source)


def stream_of(kind: str, text: str) -> io.StringIO:
    """A text as a stream, with the line ends that its kind has."""
    return io.StringIO(text, newline=NEWLINE[kind])
