r"""Scored rows written as CSV, JSON Lines or Parquet, one batch after another, so that memory does not grow with them.

A file is written beside its place, as `<name>.part`, and gets its name when it is complete: a run that breaks off
leaves nothing under the asked name, and what stood there before stays.

- Numbers are written so that they are read back as exactly the same. NaN counts as missing, in every format.
- CSV (RFC 4180): UTF-8, lines end in CR LF, a missing cell is empty, as an empty text is. What a spreadsheet would take
  for a formula gets an apostrophe before it, in the header too (OWASP: CSV injection); only whole plain numbers do not.
- JSON Lines: a missing cell is null, and so is NaN; what JSON has no number for is the text "Infinity" or "-Infinity".
- Lone surrogates, which UTF-8 has no bytes for, are written as their escape, \ud800; in JSON that gives the same text.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from lens.tables.cells import KINDS, Kind, fits, harmless, json_of, missing, shown, sized, without_surrogates

Row = Mapping[str, Any]
Target = str | os.PathLike[str] | IO[bytes]

# What a row group of Parquet holds: so many rows, or fewer of so many characters.
GROUP_ROWS, GROUP_CHARACTERS = 1000, 8_000_000


class BadRow(ValueError):
    """A row that does not fit the columns; the message names the row, counted from 1, the column and the value."""


class RowWriter:
    """What the three writers share; `open_rows` makes one. Use it with `with`, or close it.

    `rows` is how many are before the next one, for messages; `group_rows` how many make a row group of Parquet.
    """

    group_rows = GROUP_ROWS

    def __init__(self, target: Target, names: Sequence[str], kinds: Mapping[str, Kind]) -> None:
        self.names, self.kinds = list(names), {name: kinds.get(name, "json") for name in names}
        refuse(self.names, kinds)
        self.rows = 0
        self.place = Path(target) if isinstance(target, str | os.PathLike) else None
        if self.place and self.place.is_dir():
            raise IsADirectoryError(f"a file is expected, got the folder {str(self.place)!r}")
        self.part = self.place and self.place.with_name(f"{self.place.name}.part")
        self.file: IO[bytes] = open(self.part, "wb") if self.part else target  # type: ignore[assignment]  # noqa: SIM115
        self.open = True
        try:
            self.begin()
        except BaseException:
            self.close(failed=True)
            raise

    def begin(self) -> None:
        """Write what stands before the rows."""

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row, its cells in order, checked, missing ones None."""
        raise NotImplementedError

    def end(self) -> None:
        """Write what stands after the rows."""

    def abandon(self) -> None:
        """Let go of what a broken run leaves."""

    def write(self, rows: Iterable[Row]) -> None:
        """Write rows, each a dict of the columns; a column may be left out, and is missing then. Raises BadRow."""
        if not self.open:
            raise ValueError("this file of rows is closed")
        for row in rows:
            self.add(self.checked(row))
            self.rows += 1

    def checked(self, row: Row) -> list[Any]:
        """The cells of a row in order, if they are what the columns are for."""
        number = self.rows + 1
        if len(row) > len(self.names) or not row.keys() <= self.kinds.keys():
            more = next(name for name in row if name not in self.kinds)
            raise BadRow(f"row {number} has the column {shown(more)}, which the file has not")
        cells = []
        for name, kind in self.kinds.items():
            cell = row.get(name)
            cell = None if missing(cell) else cell
            if cell is not None:
                cell = self.checked_json(cell, number, name) if kind == "json" else cell
                if kind != "json" and not fits(kind, cell):
                    raise BadRow(f"row {number}, column {shown(name)}: {kind} is expected, got {shown(cell)}")
            cells.append(cell)
        return cells

    def checked_json(self, cell: Any, number: int, name: str) -> str:
        """A cell as JSON, or BadRow where it cannot be."""
        try:
            return json_of(cell)
        except (TypeError, ValueError, RecursionError):
            raise BadRow(f"row {number}, column {shown(name)}: no JSON can hold {shown(cell)}") from None

    def close(self, failed: bool = False) -> None:
        """Complete the file and give it its name; where the run has failed, remove it. Twice does nothing."""
        if not self.open:
            return
        self.open = False
        try:
            if not failed:
                self.end()
                self.file.flush()
        except BaseException:
            failed = True
            raise
        finally:
            if failed:
                self.abandon()
            if self.place and self.part:
                self.settle(self.place, self.part, failed)

    def settle(self, place: Path, part: Path, failed: bool) -> None:
        """Close the file, then rename or remove it."""
        try:
            self.file.close()
            if not failed:
                part.replace(place)
        finally:
            part.unlink(missing_ok=True)

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(failed=kind is not None)


def refuse(names: Sequence[str], kinds: Mapping[str, str]) -> None:
    """Refuse columns that no file can have: none, the same twice, of a kind that is none."""
    if not names:
        raise ValueError("at least one column is needed")
    for at, name in enumerate(names):
        if not isinstance(name, str) or name in names[:at]:
            raise ValueError(f"column {at + 1}: a name of its own is expected, got {shown(name)}")
        if kinds.get(name, "json") not in KINDS:
            raise ValueError(f"column {shown(name)}: a kind of {', '.join(KINDS)} is expected, got {kinds[name]!r}")


def quoted(cell: str) -> str:
    """A cell as csv.writer writes it; that of Python 3.10 refuses the character 0."""
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in ',"\r\n') else cell


class CsvRows(RowWriter):
    """Rows as CSV."""

    def begin(self) -> None:
        """Write the header."""
        self.line([harmless(without_surrogates(name)) for name in self.names])

    def line(self, cells: list[str]) -> None:
        """Write one line."""
        text = ",".join(map(quoted, cells)) if cells != [""] else '""'
        self.file.write(f"{text}\r\n".encode())

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row."""
        self.line([self.cell(kind, cell) for kind, cell in zip(self.kinds.values(), cells, strict=True)])

    def cell(self, kind: str, cell: Any) -> str:
        """A cell as text."""
        if cell is None:
            return ""
        if kind == "number":
            return float.__repr__(cell) if isinstance(cell, float) else int.__repr__(cell)
        if kind == "integer":
            return int.__repr__(cell)
        if kind == "boolean":
            return "true" if cell else "false"
        return harmless(without_surrogates(json_of(cell) if kind == "texts" else cell))


class JsonRows(RowWriter):
    """Rows as JSON Lines."""

    def checked_json(self, cell: Any, number: int, name: str) -> Any:
        """A cell as it is, if JSON can hold it."""
        super().checked_json(cell, number, name)
        return cell

    def add(self, cells: Sequence[Any]) -> None:
        """Write one row."""
        self.file.write(json_of(dict(zip(self.names, cells, strict=True))).encode() + b"\n")


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
        self.writer: Any = None
        try:
            from pyarrow import parquet
        except ImportError as error:
            raise ImportError("Parquet needs pyarrow: pip install pyarrow") from error
        self.schema = parquet_schema(self.kinds)
        self.held: list[list[Any]] = []
        self.characters = 0
        # Without statistics, which would keep the lowest and the highest text of each group until the end.
        self.writer = parquet.ParquetWriter(self.file, self.schema, write_statistics=False)

    def add(self, cells: Sequence[Any]) -> None:
        """Hold one row; write the group where it is full."""
        row = [self.cell(cell) for cell in cells]
        self.held.append(row)
        self.characters += sum(
            len(cell) if isinstance(cell, str) else sum(map(len, cell)) for cell in row if sized(cell)
        )
        if len(self.held) >= self.group_rows or self.characters >= GROUP_CHARACTERS:
            self.flush()

    def cell(self, cell: Any) -> Any:
        """A cell as Parquet can hold it."""
        if isinstance(cell, str):
            return without_surrogates(cell)
        return [without_surrogates(text) for text in cell] if sized(cell) else cell

    def flush(self) -> None:
        """Write the rows held as one group."""
        import pyarrow

        columns = zip(*self.held, strict=True)
        arrays = [pyarrow.array(list(cells), field.type) for cells, field in zip(columns, self.schema, strict=True)]
        self.writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self.schema), row_group_size=len(self.held))
        self.held, self.characters = [], 0

    def end(self) -> None:
        """Write the last group and the foot of the file."""
        if self.held:
            self.flush()
        self.writer.close()

    def abandon(self) -> None:
        """Close the writer, which would else try to when the file is gone; a disk that is full is no news by now."""
        if self.writer:
            with contextlib.suppress(OSError):
                self.writer.close()


WRITERS: dict[str, Callable[..., RowWriter]] = {"csv": CsvRows, "jsonl": JsonRows, "parquet": ParquetRows}


def open_rows(target: Target, kind: str, names: Sequence[str], kinds: Mapping[str, Kind]) -> RowWriter:
    r"""A writer of rows to a path, or to an open file of bytes (which stays open).

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
    if kind not in WRITERS:
        raise ValueError(f"a kind of {', '.join(WRITERS)} is expected, got {kind!r}")
    return WRITERS[kind](target, names, kinds)


def bytes_of(rows: Iterable[Row], kind: str, names: Sequence[str], kinds: Mapping[str, Kind]) -> bytes:
    """Rows as the bytes of a file, for a download."""
    file = io.BytesIO()
    with open_rows(file, kind, names, kinds) as out:
        out.write(rows)
    return file.getvalue()
