r"""Scored rows written as CSV, JSON Lines or Parquet.

They are written one after another, so memory does not grow with them.

- Numbers are written so that they are read back as exactly the same. NaN counts as missing, in
  every format.
- CSV (RFC 4180): UTF-8, lines end in CR LF, a missing cell is empty, as an empty text is. What a
  spreadsheet would take for a formula gets an apostrophe before it, in the header too (OWASP: CSV
  injection); only whole plain numbers do not.
- JSON Lines: a missing cell is null, and so is NaN; what JSON has no number for is the text
  "Infinity" or "-Infinity".
- Lone surrogates, which UTF-8 has no bytes for, are written as their escape, \ud800; in JSON that
  gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

from lens.tables.cells import Kind, escape_formulas, escape_surrogates, is_missing, write_json

# Rows in a row group of Parquet.
GROUP_ROWS = 1000
# A cell of CSV with one of these stands in quotation marks.
NEEDS_QUOTES = re.compile('[,"\r\n]')


def write_rows(
    file: IO[bytes],
    form: str,
    rows: Iterable[Mapping[str, Any]],
    kinds: Mapping[str, Kind],
    group_rows: int = GROUP_ROWS,
) -> None:
    r"""Write rows to a file of the form "csv", "jsonl" or "parquet".

    Parquet has groups of `group_rows`.

    Each row is a dict of the columns; one that is left out is missing. `kinds` has the columns in
    order and what is in each: "text", "integer" (of 64 bits), "number", "boolean", "texts" (a list
    of texts) or "json": anything else, in CSV and Parquet as its JSON text.

    >>> import io
    >>> file = io.BytesIO()
    >>> rows = [{"id": "=1+1", "f1": 0.1}, {"id": "007", "f1": None}]
    >>> write_rows(file, "csv", rows, {"id": "text", "f1": "number"})
    >>> file.getvalue()
    b"id,f1\r\n'=1+1,0.1\r\n007,\r\n"
    """
    if form == "jsonl":
        write_json_lines(file, rows, kinds)
    elif form == "parquet":
        write_parquet(file, list_lines(rows, kinds), kinds, group_rows)
    else:
        write_csv(file, list_lines(rows, kinds), kinds)


def list_lines(rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, Kind]) -> Iterator[list[Any]]:
    """Yield the cells of rows in the order of the columns.

    The file's columns have one kind each.
    """
    for row in rows:
        yield [flatten_cell(row.get(name), kind) for name, kind in kinds.items()]


def flatten_cell(cell: Any, kind: Kind) -> Any:
    """Return a cell for a file whose columns have one kind each.

    It is None for a missing one, and JSON text where any may stand.
    """
    if is_missing(cell):
        return None
    return write_json(cell) if kind == "json" else cell


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

    One of nothing but a missing cell would be an empty line, which is no row.
    """
    text = ",".join(map(format_csv_cell, cells)) or '""'
    return f"{text}\r\n".encode()


def format_csv_cell(cell: Any) -> str:
    """Return a cell as csv.writer writes it; that of Python 3.10 refuses the character 0."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    # numpy's numbers say more of themselves than the number.
    if isinstance(cell, float):
        return float.__repr__(cell)
    if isinstance(cell, int):
        return int.__repr__(cell)
    text = cell if isinstance(cell, str) else write_json(cell)
    text = escape_formulas(escape_surrogates(text))
    if not NEEDS_QUOTES.search(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def write_parquet(
    file: IO[bytes],
    lines: Iterator[list[Any]],
    kinds: Mapping[str, Kind],
    group_rows: int,
) -> None:
    """Write rows as Parquet, of which one row group is in memory."""
    import pyarrow
    from pyarrow import parquet

    schema = make_schema(kinds)
    # Without statistics, which would keep the lowest and the highest text of each group until the
    # end.
    with parquet.ParquetWriter(file, schema, write_statistics=False) as writer:
        while group := list(islice(lines, group_rows)):
            columns = []
            for cells in zip(*group, strict=True):
                columns.append([format_parquet_cell(cell) for cell in cells])
            table = pyarrow.table(columns, schema=schema)
            writer.write_table(table, row_group_size=len(group))


def make_schema(kinds: Mapping[str, Kind]) -> Any:
    """Return the schema of Arrow for columns of these kinds."""
    import pyarrow

    types = {
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "text": pyarrow.string(),
        "json": pyarrow.string(),
        "texts": pyarrow.list_(pyarrow.string()),
    }
    fields = [(escape_surrogates(name), types[kind]) for name, kind in kinds.items()]
    return pyarrow.schema(fields)


def format_parquet_cell(cell: Any) -> Any:
    """Return a cell as Parquet can hold it."""
    if isinstance(cell, str):
        return escape_surrogates(cell)
    if isinstance(cell, list):
        return [escape_surrogates(text) for text in cell]
    return cell
