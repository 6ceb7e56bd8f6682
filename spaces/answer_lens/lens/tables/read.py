"""The rows of a table, CSV, JSON or Parquet, one after another, as they stand in the file.

Nothing is altered by reading: in CSV every cell is a text, and nothing, "NA", "None" or "007" among it, counts as
missing or as a number. CSV is read by Python's own strict reader: pyarrow's takes the rest of a file for one cell where
a quotation mark is missing. What is wrong with a file is a BadTable.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, TextIO, cast

from lens.tables import logs
from lens.tables.cells import cut
from lens.tables.column_names import may_have_role
from lens.tables.log import Log
from lens.tables.roles import BadTable
from lens.words import say
from lens.words.printed import short

KINDS = {".csv": "csv", ".tsv": "csv", ".jsonl": "json", ".ndjson": "json", ".json": "json", ".parquet": "parquet",
         ".eval": "json"}  # fmt: skip
# A byte order mark, of which files that were joined or saved again have several.
MARK = "\ufeff"
BLANK = f" \t\r\n{MARK}"
# What open() is to take for the end of a line: in CSV a cell may hold any, in JSON Lines only one sign ends a line.
NEWLINE = {"csv": "", "json": "\n"}
# The first line with which Excel is told the sign between the columns.
SEPARATOR = re.compile(r"\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)
# A kind of Arrow's cells that is bytes or has some in it, such as a picture; a name of a field has a colon behind it.
BYTES = re.compile(r"binary(?!\w*:)")
# A date after the year 9999, a text that is not UTF-8, a time zone that nobody knows.
UNREADABLE = (LookupError, OverflowError, ValueError)
LONGEST_CELL = 2**31 - 1
BATCH_ROWS = 200

Row = dict[str, Any]


def kind_named(name: str, compressed: bool) -> str:
    """The kind of a file by the end of its name, where it is compressed by what stands before that; empty where that is
    unknown, and for Parquet that was compressed once more.

    >>> kind_named("a.TSV", False), kind_named("a.csv.gz", True), kind_named("a.parquet.gz", True)
    ('csv', 'csv', '')
    """
    kind = KINDS.get(Path(Path(name).stem if compressed else name).suffix.lower(), "")
    return "" if compressed and kind == "parquet" else kind


def table_rows(kind: str, file: IO[bytes], log: Log | None = None) -> Iterator[Row]:
    """The rows of a file that is "csv", "json" or "parquet"; a byte order mark before a text is none of it. With a
    `log`, the logs of other tools are tables too, and it is said there what the file was taken for.
    """
    if log and kind == "json" and begins(file, logs.ZIP):
        return logs.eval_rows(file, log)
    rows = parquet_rows(file) if kind == "parquet" else text_rows(kind, file, bool(log))
    if log is None:
        return rows
    return logs.as_table(rows, log, logs.find_csv_format if kind == "csv" else logs.format_of)


def begins(file: IO[bytes], mark: bytes) -> bool:
    """Whether a file that can be read from its beginning again begins with a mark."""
    found = file.seekable() and file.read(len(mark)) == mark
    if file.seekable():
        file.seek(0)
    return found


def text_rows(kind: str, file: IO[bytes], logged: bool) -> Iterator[Row]:
    """The rows of a text that is "csv" or "json"."""
    text = io.TextIOWrapper(file, "utf-8-sig", newline=NEWLINE[kind])
    try:
        yield from csv_rows(text) if kind == "csv" else json_rows(text, logged)
    except UnicodeDecodeError as error:
        wrong = file.tell() - len(error.object) + error.start
        file.seek(0)
        ends = itertools.accumulate(map(len, file))
        raise BadTable(say("file_not_utf8", line=next(at for at, end in enumerate(ends, 1) if end > wrong))) from None


def csv_rows(stream: Iterable[str]) -> Iterator[Row]:
    """The rows of a CSV file; empty lines, and those of spaces alone, are none."""
    csv.field_size_limit(LONGEST_CELL)
    given = iter(stream)
    first = next((line for line in given if line.strip(BLANK)), "").lstrip(MARK)
    told = SEPARATOR.fullmatch(first)
    sign = told[1] if told else max(",;\t", key=first.count)
    reader = csv.reader(given if told else itertools.chain([first], given), delimiter=sign, strict=True)
    lines = (line for line in reader if line and not (len(line) == 1 and line[0].isspace()))
    number = 0
    try:
        head = [name.strip() for name in next(lines, [])]
        names = list(head)
        while head.count("") > 1 and names and not names[-1]:  # a spreadsheet writes columns of nothing so
            names.pop()
        names = number_twins(names)
        for number, cells in enumerate(lines, 1):
            if len(cells) != len(head):
                raise BadTable(say("file_ragged", row=number, cells=len(cells), columns=len(head)))
            if any(cells[len(names) :]):
                raise BadTable(say("file_twice", column=""))
            yield dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise BadTable(say("file_not_csv", row=number + 1, message=str(error))) from None


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse a column that stands twice: which of them is meant, nobody can know."""
    for name, count in Counter(names).items():
        if count > 1:
            raise BadTable(say("file_twice", column=short(name)))


def number_twins(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with numbers where one stands twice and is none of a column that counts.

    >>> number_twins(["question", "Status", "Status"])
    ['question', 'Status (1)', 'Status (2)']
    """
    counts = Counter(names)
    refuse_twice(name for name in names if not name or may_have_role(name))
    turns = Counter[str]()
    numbered = []
    for name in names:
        turns[name] += 1
        numbered.append(f"{name} ({turns[name]})" if counts[name] > 1 else name)
    refuse_twice(numbered)
    return numbered


class Doubled(dict[str, Any]):
    """An object of JSON in which one key stands twice."""

    key = ""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, which remembers where one of its keys stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        found = Doubled(found)
        found.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return found


DECODER = json.JSONDecoder(object_pairs_hook=once)


def parsed(text: str, line: int) -> Any:
    """A value of JSON, or where in the file it breaks off; `line` is where it begins."""
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadTable(say("file_not_json", line=line + error.lineno - 1, column=error.colno)) from None
    except RecursionError:
        raise BadTable(say("file_nested", line=line)) from None
    except ValueError:  # a whole number of more digits than Python reads
        digits = max(re.finditer("[0-9]+", text), key=lambda found: len(found[0]))
        line += text.count("\n", 0, digits.start())
        raise BadTable(say("file_digits", line=line, digits=len(digits[0]), value=cut(digits[0]))) from None


def json_rows(stream: TextIO, logged: bool = False) -> Iterator[Row]:
    """The rows of a JSON array of objects or of JSON Lines; empty lines are none. A file that is one object, be it
    indented or an object of columns, is refused, unless it may be a log and is one.
    """
    lines = ((at, line.lstrip(MARK)) for at, line in enumerate(stream, 1) if line.strip(BLANK))
    at, first = next(lines, (1, "[]"))
    array = first.lstrip(BLANK).startswith("[")
    indented = first.strip(BLANK) == "{"
    if indented and not logged:
        raise BadTable(say("file_one_object"))
    values: Iterable[Any] = (parsed(line.removesuffix("\n"), at) for at, line in itertools.chain([(at, first)], lines))
    if array or indented:
        values = parsed(first + stream.read(), at) if array else [one_object(first + stream.read(), at)]
    number, row = 0, Row()
    for number, row in enumerate(values, 1):
        if not isinstance(row, dict):
            raise BadTable(say("file_no_object", row=number))
        if isinstance(row, Doubled):
            raise BadTable(f"{say('row', number=number)}{say('colon')}{say('file_twice', column=short(row.key))}")
        yield row
    of_columns = number == 1 and row and not array and all(isinstance(cell, dict | list) for cell in row.values())
    if of_columns and not (logged and logs.format_of(row)):
        raise BadTable(say("file_one_object"))


def one_object(text: str, line: int) -> Row:
    """The one object of a file, which is a log; refused where it is none, breaks off or has others behind it."""
    text = text.lstrip(BLANK)
    try:
        row, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        row, end = parsed(text, line), len(text)
    if text[end:].strip(BLANK) or not logs.format_of(row):
        raise BadTable(say("file_one_object"))
    return cast("Row", row)


def parquet_rows(source: Any) -> Iterator[Row]:
    """The rows of a Parquet file, without columns of bytes."""
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(source)
        refuse_twice(file.schema_arrow.names)
        yield from rows_of(file.iter_batches(BATCH_ROWS, columns=columns_of(file.schema_arrow), use_threads=False))
    except (pyarrow.ArrowException, OSError, *UNREADABLE):
        raise BadTable(say("file_not_parquet")) from None


def columns_of(schema: Any) -> list[str]:
    """The columns of a table of Arrow that are read: all but those of bytes, or with some in them, such as pictures."""
    return [field.name for field in schema if not BYTES.search(str(field.type))]


def rows_of(batches: Iterable[Any]) -> Iterator[Row]:
    """The rows of batches of Arrow; BadTable with the place of a cell that cannot be read."""
    done = 0
    for batch in batches:
        for row in read_batch(batch, done):
            yield {name: plain(cell) for name, cell in row.items()}
        done += batch.num_rows


def read_batch(batch: Any, before: int) -> list[Row]:
    """The rows of a batch, where so many are `before` it."""
    try:
        rows: list[Row] = batch.to_pylist()
        return rows
    except UNREADABLE:
        refuse_cell(batch, before)
        raise


def refuse_cell(batch: Any, before: int) -> None:
    """Refuse the first cell of a batch that cannot be read."""
    for row in range(batch.num_rows):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                column[row].as_py()
            except UNREADABLE as error:
                place = {"column": short(name), "row": before + row + 1}
                raise BadTable(say("file_parquet_cell", **place, message=type(error).__name__)) from None


def plain(cell: Any) -> Any:
    """A cell of Arrow as JSON can hold it: dates, decimal numbers and the like as their texts."""
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    if isinstance(cell, dict):
        return {name: plain(one) for name, one in cell.items()}
    return cell if isinstance(cell, str | int | float | None) else str(cell)
