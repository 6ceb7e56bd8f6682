"""The rows of a table, CSV, JSON or Parquet, one after another, as they stand in the file.

Nothing is altered by reading: in CSV every cell is a text, and nothing, "NA", "None" or "007" among it, counts as
missing or as a number; a cell that a row of JSON does not have is None. What is wrong with a file is an Unreadable with
the key of a text, for the program that reads a visitor's file (tables/visitors_file.py) hands it on as JSON.
"""

from __future__ import annotations

import csv
import datetime
import io
import itertools
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import Decimal
from typing import Any, TextIO

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
# Whether a column counts, by its name; None: all do.
Counts = Collection[str] | None


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


def delimiter_of(first: str, known: Collection[str]) -> str:
    """The sign between the columns of a CSV file: the one that makes most of the known names in the first line, and
    else most columns.
    """
    names = {name.casefold() for name in known}

    def made(sign: str) -> tuple[int, int]:
        cells = first.split(sign)
        return sum(cell.strip().strip('"').strip().casefold() in names for cell in cells), len(cells)

    return max(",;\t", key=made)


def csv_rows(stream: Iterable[str], known: Collection[str], counts: Counts) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a CSV file; empty lines, and those of spaces alone, are none."""
    csv.field_size_limit(LONGEST_CELL)
    given = iter(stream)
    first = next((line for line in given if line.strip()), "")
    told = SEPARATOR.fullmatch(first)
    sign = told[1] if told else delimiter_of(first, known)
    cells_of = csv.reader(given if told else itertools.chain([first], given), delimiter=sign, strict=True)
    lines = (line for line in read_csv(cells_of) if line and not (len(line) == 1 and line[0].isspace()))
    head = [name.strip() for name in next(lines, [])]
    names = without_empty(head) if counts is None else head
    refuse_twice(names, counts)

    def rows() -> Iterator[Row]:
        for number, cells in enumerate(lines, 1):
            if len(cells) != len(head):
                problem = "file_ragged_one" if len(cells) == 1 else "file_ragged"
                raise Unreadable(problem, row=number, cells=len(cells), columns=len(head))
            if any(cells[len(names) :]):
                raise Unreadable("file_twice", column="")
            del cells[len(names) :]
            yield dict(zip(names, cells, strict=True))

    return names, rows()


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


def read_csv(lines: Iterator[list[str]]) -> Iterator[list[str]]:
    """The lines of a CSV reader, its errors as one of a file."""
    try:
        yield from lines
    except csv.Error as error:
        raise Unreadable("file_not_csv", message=str(error)) from None


def refuse_twice(names: Iterable[str], counts: Counts) -> None:
    """Refuse a column that counts and stands twice: which of them is meant, nobody can know."""
    seen: set[str] = set()
    for name in names:
        if name in seen and (counts is None or name in counts):
            raise Unreadable("file_twice", column=name[:MAX_NAME])
        seen.add(name)


def whole(digits: str) -> float:
    """A whole number; one of many digits as a float, for Python takes long to read it."""
    return int(digits) if len(digits) < 100 else float(digits)


class JsonReader:
    """Values of JSON; a column that `counts` must not stand twice in an object."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts

    def distinct(self, pairs: list[tuple[str, Any]]) -> Row:
        """An object of JSON, unless a name that counts stands twice in it."""
        found = dict(pairs)
        if len(found) < len(pairs):
            refuse_twice((name for name, _ in pairs), self.counts)
        return found

    def parsed(self, text: str, line: int = 1) -> Any:
        """A value of JSON, or where in the file it breaks off; `line` is where it begins."""
        try:
            return json.loads(text, object_pairs_hook=self.distinct, parse_int=whole)
        except json.JSONDecodeError as error:
            raise Unreadable("file_not_json", line=line + error.lineno - 1, column=error.colno) from None
        except RecursionError:
            raise Unreadable("file_nested", line=line) from None

    def is_object(self, text: str) -> bool:
        """Whether a text is one object of JSON."""
        try:
            return isinstance(self.parsed(text), dict)
        except Unreadable:
            return False

    def is_columns(self, value: Any) -> bool:
        """Whether a value is an object of columns rather than a row: whatever counts in it is a list or an object."""
        if not isinstance(value, dict):
            return False
        cells = [cell for name, cell in value.items() if self.counts is None or name in self.counts]
        cells = cells or list(value.values())
        return bool(cells) and all(isinstance(cell, dict | list) for cell in cells)

    def lines(self, begun: str, at: int, stream: TextIO) -> Iterator[Any]:
        """The values of JSON Lines, of which one line is read already; a file that is one object is none, be it
        indented or an object of columns.
        """
        try:
            first = self.parsed(begun.removesuffix("\n"), at)
        except Unreadable:
            if self.is_object(begun + stream.read()):
                raise Unreadable("file_one_object") from None
            raise
        given = ((at, line.removesuffix("\n")) for at, line in enumerate(stream, at + 1) if line.strip(BLANK))
        second = next(given, None)
        if second is None and self.is_columns(first):
            raise Unreadable("file_one_object")
        yield first
        for number, text in given if second is None else itertools.chain([second], given):
            yield self.parsed(text, number)


def json_rows(stream: TextIO, counts: Counts) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns, filled in as the rows are read, and the rows of a JSON array of objects or of JSON
    Lines; empty lines are none.
    """
    reader, names = JsonReader(counts), dict[str, None]()
    listed: list[str] = []

    def rows() -> Iterator[Row]:
        for number, row in enumerate(values_of(stream, reader), 1):
            if not isinstance(row, dict):
                raise Unreadable("file_no_object", row=number)
            for name in row:
                if name not in names:
                    names[name] = None
                    listed.append(name)
            yield row

    return listed, rows()


def values_of(stream: TextIO, reader: JsonReader) -> Iterator[Any]:
    """The values of a JSON array, or of JSON Lines. What is read is not read again: it may come over a network."""
    at, first = next(((at, line) for at, line in enumerate(stream, 1) if line.strip(BLANK)), (0, ""))
    if first.lstrip(BLANK).startswith("["):
        yield from reader.parsed(first + stream.read(), at)
    elif first:
        yield from reader.lines(first, at, stream)


def parquet_rows(
    source: Any, counts: Counts, most: int | None = None, groups: range | None = None
) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a Parquet file, of which only the columns that count are unpacked, and
    none of bytes; `most` is how many rows it may say it has, `groups` which of its row groups are read.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Unreadable("file_needs_pyarrow") from None
    try:
        file = parquet.ParquetFile(source)
        if most is not None and file.metadata.num_rows > most:
            raise Unreadable("file_rows", limit=most)
        schema = file.schema_arrow
    except (pyarrow.ArrowInvalid, OSError):
        raise Unreadable("file_not_parquet") from None
    refuse_twice(schema.names, counts)
    wanted = [name for name in schema.names if fits(name, schema.field(name).type, counts)]

    def rows() -> Iterator[Row]:
        try:
            chosen = None if groups is None else list(groups)
            for batch in file.iter_batches(BATCH_ROWS, chosen, wanted, use_threads=False):
                for row in batch.to_pylist():
                    yield {name: plain(cell) for name, cell in row.items()}
        except UnicodeDecodeError:
            raise Unreadable("file_parquet_not_utf8") from None
        except (pyarrow.ArrowException, OSError):
            raise Unreadable("file_not_parquet") from None
        except (LookupError, OverflowError, ValueError) as error:  # a date after the year 9999, an unknown time zone
            raise Unreadable("file_parquet_cell", message=type(error).__name__) from None

    return (list(schema.names) if counts is not None else wanted), rows()


def fits(name: str, kind: Any, counts: Counts) -> bool:
    """Whether a column of Parquet is read: one that counts, of texts or numbers; where all count, all but bytes."""
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    if counts is None:
        return not holds_bytes(kind)
    if name not in counts:
        return False
    simple: tuple[Callable[[Any], bool], ...] = (
        types.is_string, types.is_large_string, types.is_null, types.is_boolean,
        types.is_integer, types.is_floating, types.is_decimal,
    )  # fmt: skip
    if not any(is_kind(kind) for is_kind in simple):
        raise Unreadable("file_kind", column=name, kind=str(kind)[:MAX_NAME])
    return True


def holds_bytes(kind: Any) -> bool:
    """Whether a kind of Parquet's cells is bytes, or has some in it, as a picture of a dataset has."""
    from pyarrow import types

    if types.is_nested(kind):
        return any(holds_bytes(kind.field(at).type) for at in range(kind.num_fields))
    kinds = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_binary_view)
    return any(is_kind(kind) for is_kind in kinds)


def plain(cell: Any) -> Any:
    """A cell of Parquet as JSON can hold it."""
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    if isinstance(cell, dict):
        return {str(name): plain(one) for name, one in cell.items()}
    if isinstance(cell, Decimal | datetime.date | datetime.time | datetime.timedelta):
        return str(cell)
    return cell if isinstance(cell, str | int | float | None) else repr(cell) if isinstance(cell, bytes) else str(cell)


def opened(kind: str, source: Any, known: Collection[str], counts: Counts = None) -> tuple[list[str], Iterator[Row]]:
    """The names and the rows of a table: of a text stream with the line ends that its kind has (`NEWLINE`), or of what
    pyarrow takes for a Parquet file.
    """
    if kind == "csv":
        return csv_rows(source, known, counts)
    return json_rows(source, counts) if kind == "json" else parquet_rows(source, counts)


def stream_of(kind: str, text: str) -> io.StringIO:
    """A text as a stream, with the line ends that its kind has."""
    return io.StringIO(text, newline=NEWLINE[kind])
