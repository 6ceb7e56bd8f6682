r"""Writes scored rows as CSV, JSON Lines or Parquet, one by one to save memory.

- Reading a written number gives exactly the same number. NaN counts as missing in every format.
- CSV follows RFC 4180: UTF-8, and lines end in CR LF. A missing cell and an empty text are both
  empty. A text, or a column name, that a spreadsheet would take for a formula gets an apostrophe
  before it (OWASP: CSV injection). Only plain numbers do not get one.
- In JSON Lines, a missing cell and NaN are null. An infinite number is the text "Infinity" or
  "-Infinity", because JSON has no such number.
- A lone surrogate has no bytes in UTF-8, so it is written as its escape, such as \ud800. JSON reads
  that escape as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

from lens.tables.cells import ColumnType, escape_surrogates, is_missing, write_json
from lens.tables.csv_formulas import escape_formulas

# The number of rows in a row group of Parquet.
GROUP_ROWS = 1000
# A cell of CSV with one of these characters needs quotation marks.
NEEDS_QUOTATION_MARKS = re.compile('[,"\r\n]')


def write_rows(
    file: IO[bytes],
    file_kind: str,
    rows: Iterable[Mapping[str, Any]],
    column_types: Mapping[str, ColumnType],
    group_rows: int = GROUP_ROWS,
) -> None:
    r"""Write rows to a file of the kind "csv", "jsonl" or "parquet".

    Args:
        file: the file to write to.
        file_kind: "csv", "jsonl" or "parquet".
        rows: the rows as dicts; a column that a row does not have is missing.
        column_types: the columns in order, with the type of each: "text", "integer" (64 bits),
            "number", "boolean", "texts" (a list of texts), or "json" (anything else; in CSV and
            Parquet its JSON text).
        group_rows: the number of rows in a row group of Parquet.

    >>> import io
    >>> file = io.BytesIO()
    >>> rows = [{"id": "=1+1", "f1": 0.1}, {"id": "007", "f1": None}]
    >>> write_rows(file, "csv", rows, {"id": "text", "f1": "number"})
    >>> file.getvalue()
    b"id,f1\r\n'=1+1,0.1\r\n007,\r\n"
    """
    if file_kind == "jsonl":
        write_json_lines(file, rows, column_types)
    elif file_kind == "parquet":
        write_parquet(file, list_row_cells(rows, column_types), column_types, group_rows)
    else:
        write_csv(file, list_row_cells(rows, column_types), column_types)


def list_row_cells(
    rows: Iterable[Mapping[str, Any]], column_types: Mapping[str, ColumnType]
) -> Iterator[list[Any]]:
    """Yield the cells of each row in the order of the columns, for a file with typed columns."""
    for row in rows:
        yield [flatten_cell(row.get(name), column_types[name]) for name in column_types]


def flatten_cell(cell: Any, column_type: ColumnType) -> Any:
    """Return a cell for a file with typed columns.

    A missing cell is None. A cell in a column of the type "json" is its JSON text.
    """
    if is_missing(cell):
        return None
    return write_json(cell) if column_type == "json" else cell


def write_json_lines(
    file: IO[bytes], rows: Iterable[Mapping[str, Any]], names: Iterable[str]
) -> None:
    """Write rows as JSON Lines, each with all columns."""
    for row in rows:
        cells = {name: row.get(name) for name in names}
        file.write(f"{write_json(cells)}\n".encode())


def write_csv(file: IO[bytes], lines: Iterable[Iterable[Any]], names: Iterable[str]) -> None:
    """Write lines of cells as CSV, the names of the columns first."""
    file.write(format_csv_line(names))
    for line in lines:
        file.write(format_csv_line(line))


def format_csv_line(cells: Iterable[Any]) -> bytes:
    """Return a line of CSV.

    If the only cell is missing, it is written as "", because an empty line is not a row.
    """
    text = ",".join(map(format_csv_cell, cells)) or '""'
    return f"{text}\r\n".encode()


def format_csv_cell(cell: Any) -> str:
    """Return a cell as csv.writer writes it; the one of Python 3.10 refuses the character 0."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    # The repr() of a numpy number also contains its type.
    if isinstance(cell, float):
        return float.__repr__(cell)
    if isinstance(cell, int):
        return int.__repr__(cell)
    text = cell if isinstance(cell, str) else write_json(cell)
    text = escape_formulas(escape_surrogates(text))
    if not NEEDS_QUOTATION_MARKS.search(text):
        return text
    with_doubled_marks = text.replace('"', '""')
    return f'"{with_doubled_marks}"'


def write_parquet(
    file: IO[bytes],
    lines: Iterator[list[Any]],
    column_types: Mapping[str, ColumnType],
    group_rows: int,
) -> None:
    """Write rows as Parquet, with one row group at a time in memory."""
    import pyarrow
    from pyarrow import parquet

    schema = make_schema(column_types)
    # Statistics would keep the lowest and the highest text of each group in memory until the end.
    with parquet.ParquetWriter(file, schema, write_statistics=False) as writer:
        while group := list(islice(lines, group_rows)):
            columns = []
            for cells in zip(*group, strict=True):
                columns.append([format_parquet_cell(cell) for cell in cells])
            table = pyarrow.table(columns, schema=schema)
            writer.write_table(table, row_group_size=len(group))


def make_schema(column_types: Mapping[str, ColumnType]) -> Any:
    """Return the Arrow schema for columns of these types."""
    import pyarrow

    arrow_types = {
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "text": pyarrow.string(),
        "json": pyarrow.string(),
        "texts": pyarrow.list_(pyarrow.string()),
    }
    fields = [(escape_surrogates(name), arrow_types[column_types[name]]) for name in column_types]
    return pyarrow.schema(fields)


def format_parquet_cell(cell: Any) -> Any:
    """Return a cell for Parquet, without lone surrogates."""
    if isinstance(cell, str):
        return escape_surrogates(cell)
    if isinstance(cell, list):
        return [escape_surrogates(text) for text in cell]
    return cell
