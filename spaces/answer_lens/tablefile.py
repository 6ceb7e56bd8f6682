"""Read the bytes of a file, CSV, JSON or Parquet, into the columns that the judge check takes.

It runs as a program of its own, with a limit on its memory and its time, because a small file can unpack to a huge one:
`python tablefile.py csv` reads the file from its standard input and writes one line of JSON, {"found", "rows",
"columns"} or {"problem", "values"}, whose words stand in texts.py. Cells are as the file has them: in CSV each is a
text, and nothing, "NA" or "None" among it, counts as missing.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

REPLIES = ("generated", "anchor_score", "perturbation_category")
CHANCES = ("chosen_logprob", "rejected_logprob")
TYPE = "perturbation_type"
WANTED = (*REPLIES, *CHANCES, TYPE)

MAX_BYTES = 10_000_000
MAX_ROWS = 10_000
MAX_CELL = 100_000
MAX_CHARACTERS = 12_000_000
MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 20
# Named in a message about columns.
MAX_NAMES, MAX_NAME = 30, 60
BLANK = " \t\r\n"
# The first line with which Excel is told the sign between the columns.
SEPARATOR = re.compile(r"\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)

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


def delimiter_of(text: str) -> str:
    """The sign between the columns of a CSV file: the one that makes most of the wanted names in the first line."""
    first = text.lstrip(" \r\n").partition("\n")[0].rstrip("\r")

    def known(sign: str) -> int:
        return sum(name.strip().strip('"').strip() in WANTED for name in first.split(sign))

    return max(",;\t", key=known)


def csv_rows(text: str) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a CSV file; empty lines, and those of spaces alone, are none."""
    csv.field_size_limit(max(len(text), 1))
    told = SEPARATOR.match(text)
    text = text[told.end() :] if told else text
    sign = told[1] if told else delimiter_of(text)
    cells_of = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    lines = (line for line in cells_of if line and not (len(line) == 1 and line[0].isspace()))
    names = [name.strip() for name in next(lines, [])]
    refuse_twice(names)

    def rows() -> Iterator[Row]:
        for number, cells in enumerate(lines, 1):
            if len(cells) != len(names):
                problem = "file_ragged_one" if len(cells) == 1 else "file_ragged"
                raise Unreadable(problem, row=number, cells=len(cells), columns=len(names))
            yield dict(zip(names, cells, strict=True))

    return names, rows()


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse a wanted column that stands twice: which of them counts, nobody can know."""
    seen: set[str] = set()
    for name in names:
        if name in seen and name in WANTED:
            raise Unreadable("file_twice", column=name)
        seen.add(name)


def distinct(pairs: list[tuple[str, Any]]) -> Row:
    """An object of JSON, unless a wanted name stands twice in it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        refuse_twice(name for name, _ in pairs)
    return found


def whole(digits: str) -> float:
    """A whole number; one of many digits as a float, for Python takes long to read it."""
    return int(digits) if len(digits) < 19 else float(digits)


def parsed(text: str, line: int = 1) -> Any:
    """A value of JSON, or where in the file it breaks off; `line` is where it begins."""
    try:
        return json.loads(text, object_pairs_hook=distinct, parse_int=whole)
    except json.JSONDecodeError as error:
        raise Unreadable("file_not_json", line=line + error.lineno - 1, column=error.colno) from None


def json_lines(text: str) -> list[Any]:
    """The values of JSON Lines; a file that is one object is none, be it indented or an object of columns."""
    lines = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip(BLANK)]
    try:
        values = [parsed(line, at) for at, line in lines]
    except Unreadable:
        if is_object(text):
            raise Unreadable("file_one_object") from None
        raise
    if len(values) == 1 and isinstance(values[0], dict):
        counting = [cell for name, cell in values[0].items() if name in WANTED] or list(values[0].values())
        if counting and all(isinstance(cell, dict | list) for cell in counting):
            raise Unreadable("file_one_object")
    return values


def is_object(text: str) -> bool:
    """Whether a text is one object of JSON."""
    try:
        return isinstance(parsed(text), dict)
    except Unreadable:
        return False


def json_rows(text: str) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a JSON array of objects, or of JSON Lines; empty lines are none."""
    values = parsed(text) if text.lstrip(BLANK).startswith("[") else json_lines(text)
    if len(values) > MAX_ROWS:
        raise Unreadable("file_rows", limit=MAX_ROWS)
    names: dict[str, None] = {}
    for number, row in enumerate(values, 1):
        if not isinstance(row, dict):
            raise Unreadable("file_no_object", row=number)
        names.update(dict.fromkeys(row))
    return list(names), iter(values)


def parquet_rows(data: bytes) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a Parquet file, of which only the wanted columns are unpacked."""
    try:
        import pyarrow
        from pyarrow import parquet, types
    except ImportError:
        raise Unreadable("file_needs_pyarrow") from None
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        if file.metadata.num_rows > MAX_ROWS:
            raise Unreadable("file_rows", limit=MAX_ROWS)
        schema = file.schema_arrow
    except (pyarrow.ArrowInvalid, OSError):
        raise Unreadable("file_not_parquet") from None
    refuse_twice(schema.names)
    wanted = [name for name in schema.names if name in WANTED]
    for name in wanted:
        kind = schema.field(name).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        plain = types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind) or types.is_boolean(kind)
        if not (plain or types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)):
            raise Unreadable("file_kind", column=name, kind=str(kind)[:MAX_NAME])

    def rows() -> Iterator[Row]:
        try:
            for batch in file.iter_batches(batch_size=200, columns=wanted, use_threads=False):
                for row in batch.to_pylist():
                    yield {name: str(cell) if isinstance(cell, Decimal) else cell for name, cell in row.items()}
        except UnicodeDecodeError:
            raise Unreadable("file_parquet_not_utf8") from None
        except (pyarrow.ArrowInvalid, OSError):
            raise Unreadable("file_not_parquet") from None

    return list(schema.names), rows()


def length_of(cell: Any) -> int:
    """How long a cell is, in characters."""
    return len(cell) if isinstance(cell, str) else len(json.dumps(cell))


def read(kind: str, data: bytes) -> dict[str, Any]:
    """The names of all columns, the number of rows and, of the wanted columns that are there, the cells."""
    try:
        names, rows = parquet_rows(data) if kind == "parquet" else table(kind, text_of(data))
        columns: dict[str, list[Any]] = {name: [] for name in WANTED if name in names}
        count = total = 0
        for count, row in enumerate(rows, 1):
            if count > MAX_ROWS:
                raise Unreadable("file_rows", limit=MAX_ROWS)
            for name, cells in columns.items():
                cell = row.get(name)
                length = length_of(cell)
                total += length
                if length > MAX_CELL:
                    raise Unreadable("file_cell", column=name, row=count, length=length, limit=MAX_CELL)
                if total > MAX_CHARACTERS:
                    raise Unreadable("file_characters", limit=MAX_CHARACTERS)
                cells.append(cell)
    except csv.Error as error:
        raise Unreadable("file_not_csv", message=str(error)) from None
    if not count:
        raise Unreadable("file_no_rows")
    shown = [name[:MAX_NAME] for name in names[:MAX_NAMES]]
    return {"found": shown, "more": len(names) - len(shown), "rows": count, "columns": columns}


def table(kind: str, text: str) -> tuple[list[str], Iterator[Row]]:
    """The columns and rows of a file of text."""
    return csv_rows(text) if kind == "csv" else json_rows(text)


def limit() -> None:
    """Hold this process to its memory and time, where the system can; Windows cannot."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, MAX_SECONDS)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main() -> None:
    """Read the file that comes in, say what is in it."""
    limit()
    try:
        answer = json.dumps(read(sys.argv[1], sys.stdin.buffer.read(MAX_BYTES + 1)))
    except Unreadable as error:
        answer = json.dumps({"problem": error.problem, "values": error.values})
    except (MemoryError, RecursionError):
        answer = json.dumps({"problem": "file_bomb", "values": {}})
    except Exception as error:  # whatever a strange file brings about: its kind is said, and nothing of the file
        answer = json.dumps({"problem": "file_failed", "values": {"error": type(error).__name__}})
    sys.stdout.write(answer)


if __name__ == "__main__":
    main()
