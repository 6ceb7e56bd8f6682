r"""Scored rows written as CSV, JSON Lines or Parquet, one after another, so that memory does not grow with them.

- Numbers are written so that they are read back as exactly the same. NaN counts as missing, in every format.
- CSV (RFC 4180): UTF-8, lines end in CR LF, a missing cell is empty, as an empty text is. What a spreadsheet would take
  for a formula gets an apostrophe before it, in the header too (OWASP: CSV injection); only whole plain numbers do not.
- JSON Lines: a missing cell is null, and so is NaN; what JSON has no number for is the text "Infinity" or "-Infinity".
- Lone surrogates, which UTF-8 has no bytes for, are written as their escape, \ud800; in JSON that gives the same text.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any

from lens.tables.cells import Kind, cut, fits, harmless, json_of, missing, without_surrogates

Row = Mapping[str, Any]
Target = str | os.PathLike[str] | IO[bytes]

# What a row group of Parquet holds: so many rows, or fewer of so many characters.
GROUP_ROWS, GROUP_CHARACTERS = 1000, 8_000_000


class BadRow(ValueError):
    """A row that does not fit the columns; the message names the row, counted from 1, the column and the value."""


class RowWriter:
    """What the three writers share; `open_rows` makes one.

    `rows` is how many are before the next one, for messages; `group_rows` how many make a row group of Parquet.
    """

    group_rows = GROUP_ROWS

    def __init__(self, file: IO[bytes], names: Sequence[str], kinds: Mapping[str, Kind]) -> None:
        self.file, self.rows = file, 0
        self.kinds: dict[str, Kind] = {name: kinds.get(name, "json") for name in names}
        self.begin()

    def begin(self) -> None:
        """Write what stands before the rows."""

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row, its cells in order, checked, missing ones None."""
        raise NotImplementedError

    def end(self) -> None:
        """Write what stands after the rows."""

    def write(self, rows: Iterable[Row]) -> None:
        """Write rows, each a dict of the columns; a column may be left out, and is missing then. Raises BadRow."""
        for row in rows:
            more = next((name for name in row if name not in self.kinds), None)
            if more is not None:
                raise BadRow(f"row {self.rows + 1} has the column {cut(repr(more))}, which the file has not")
            self.add([self.checked(name, kind, row.get(name)) for name, kind in self.kinds.items()])
            self.rows += 1

    def checked(self, name: str, kind: Kind, cell: Any) -> Any:
        """A cell, if it is what its column is for."""
        if missing(cell):
            return None
        place = f"row {self.rows + 1}, column {cut(repr(name))}"
        if kind == "json":
            try:
                return self.nested(cell)
            except (TypeError, ValueError, RecursionError):
                raise BadRow(f"{place}: no JSON can hold {cut(repr(cell))}") from None
        if not fits(kind, cell):
            raise BadRow(f"{place}: {kind} is expected, got {cut(repr(cell))}")
        return cell

    def nested(self, cell: Any) -> Any:
        """A cell of any kind as its JSON text."""
        return json_of(cell)


class CsvRows(RowWriter):
    """Rows as CSV."""

    def begin(self) -> None:
        """Write the header."""
        self.add(list(self.kinds))

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row."""
        text = ",".join(map(csv_cell, cells)) or '""'
        self.file.write(f"{text}\r\n".encode())


def csv_cell(cell: Any) -> str:
    """A cell as csv.writer writes it; that of Python 3.10 refuses the character 0."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):  # numpy's say more of themselves than the number
        return float.__repr__(cell) if isinstance(cell, float) else int.__repr__(cell)
    text = harmless(without_surrogates(cell if isinstance(cell, str) else json_of(cell)))
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text


class JsonRows(RowWriter):
    """Rows as JSON Lines."""

    def nested(self, cell: Any) -> Any:
        """A cell as it is, if JSON can hold it."""
        json_of(cell)
        return cell

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row."""
        self.file.write(json_of(dict(zip(self.kinds, cells, strict=True))).encode() + b"\n")


def parquet_schema(kinds: Mapping[str, Kind]) -> Any:
    """The columns of a Parquet file."""
    import pyarrow

    types = {
        "text": pyarrow.string(), "json": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(), "texts": pyarrow.list_(pyarrow.string()),
    }  # fmt: skip
    return pyarrow.schema([(without_surrogates(name), types[kind]) for name, kind in kinds.items()])


class ParquetRows(RowWriter):
    """Rows as Parquet, held back until they make a row group."""

    def begin(self) -> None:
        """Write the schema."""
        from pyarrow import parquet

        self.held: list[list[Any]] = []
        self.characters = 0
        # Without statistics, which would keep the lowest and the highest text of each group until the end.
        self.writer = parquet.ParquetWriter(self.file, parquet_schema(self.kinds), write_statistics=False)

    def add(self, cells: Sequence[Any]) -> None:
        """Hold one row; write the group where it is full."""
        row = [parquet_cell(cell) for cell in cells]
        self.held.append(row)
        self.characters += sum(
            len(cell) if isinstance(cell, str) else sum(map(len, cell)) for cell in row if isinstance(cell, str | list)
        )
        if len(self.held) >= self.group_rows or self.characters >= GROUP_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Write the rows held as one group."""
        import pyarrow

        schema = self.writer.schema
        columns = zip(*self.held, strict=True)
        arrays = [pyarrow.array(list(cells), field.type) for cells, field in zip(columns, schema, strict=True)]
        self.writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), row_group_size=len(self.held))
        self.held, self.characters = [], 0

    def end(self) -> None:
        """Write the last group and the foot of the file."""
        if self.held:
            self.flush()
        self.writer.close()


def parquet_cell(cell: Any) -> Any:
    """A cell as Parquet can hold it."""
    if isinstance(cell, str):
        return without_surrogates(cell)
    return [without_surrogates(text) for text in cell] if isinstance(cell, list | tuple) else cell


WRITERS: dict[str, type[RowWriter]] = {"csv": CsvRows, "jsonl": JsonRows, "parquet": ParquetRows}


@contextmanager
def open_rows(target: Target, kind: str, names: Sequence[str], kinds: Mapping[str, Kind]) -> Iterator[RowWriter]:
    r"""A writer of rows to a path, or to an open file of bytes (which stays open), until the end of the block.

    Args:
        target: where to.
        kind: "csv", "jsonl" or "parquet".
        names: the columns, in order.
        kinds: what is in each: "text", "integer" (of 64 bits), "number", "boolean", "texts" (a list of texts) or
            "json": anything else, in CSV and Parquet as its JSON text. A column that is not named is "json".

    >>> file = io.BytesIO()
    >>> with open_rows(file, "csv", ["id", "f1"], {"id": "text", "f1": "number"}) as out:
    ...     out.write([{"id": "=1+1", "f1": 0.1}, {"id": "007", "f1": None}])
    >>> file.getvalue()
    b"id,f1\r\n'=1+1,0.1\r\n007,\r\n"
    """
    if isinstance(target, str | os.PathLike):
        with open(target, "wb") as file, open_rows(file, kind, names, kinds) as out:
            yield out
        return
    out = WRITERS[kind](target, names, kinds)
    try:
        yield out
    finally:
        out.end()


def bytes_of(rows: Iterable[Row], kind: str, names: Sequence[str], kinds: Mapping[str, Kind]) -> bytes:
    """Rows as the bytes of a file, for a download."""
    file = io.BytesIO()
    with open_rows(file, kind, names, kinds) as out:
        out.write(rows)
    return file.getvalue()
