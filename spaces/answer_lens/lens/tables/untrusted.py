"""Reads a visitor's file in a child process, because a small file can unpack to a huge one.

The child runs this module as a program: `python -m lens.tables.untrusted en answers.csv.gz`
(`child_process.py`). It writes one line of JSON: {"names", "rows", "columns", ...}, or {"problem"}
with a message in the given language. It returns the columns of the judge check. With the argument
`all`, it returns all columns for the tab "Files", and also converts the logs of other tools.

A cell that is not a text, a number or a list of texts is sent as {"json": its text}. Parsed, it
would take many times as much memory in the server.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from lens.tables.cells import (
    MAX_NESTED_NAMES,
    find_nested_value,
    fits_column_type,
    list_nested_names,
    load_cell,
)
from lens.tables.child_process import limit_process, run_reader, write_answer
from lens.tables.file_reading import FileReading, Row
from lens.tables.log import Log
from lens.tables.read import find_file_kind, read_table
from lens.tables.roles import is_verdict_column, note_wrong_verdicts
from lens.tables.text_files import ENCODINGS
from lens.words import join_sentences
from lens.words.notes import UserError
from lens.words.printed import MAX_NAME, shorten_name

READER = ("-m", "lens.tables.untrusted")
# The columns of the judge check, besides the verdicts of judges and people.
JUDGE_CHECK_COLUMNS = (
    "generated",
    "anchor_score",
    "perturbation_category",
    "perturbation_type",
    "chosen_logprob",
    "rejected_logprob",
)

MAX_BYTES = 10_000_000
# The limit for all samples in a zip archive; they are unpacked one by one.
MAX_UNPACKED = 200_000_000
MAX_ROWS = 10_000
MAX_COLUMNS = 200
# The longest cell, in characters.
MAX_CELL_LENGTH = 100_000
# The limit for all texts together, as UTF-8. A small Parquet file can unpack to any length.
MAX_TEXT_BYTES = 12_000_000
# The limit for the characters of all column names together, which are repeated in every row of a
# download.
MAX_NAMES_LENGTH = 20_000
# The number of bytes and of characters added for each text in a list, which takes more memory.
EXTRA_PER_TEXT = 20


@dataclass(frozen=True)
class Table:
    """The rows of a file.

    Attributes:
        names: the names of all columns in the file.
        rows: the number of rows.
        columns: the cells of the requested columns.
        nested_names: dotted names of values in objects.
        reading_notes: sentences for the user on how the file was read.
        filters: the filters of a log; empty if it has none.
        model: the model that a log names; empty if it names none.
        needs_all: whether the tool of a log requires all references of a row.
    """

    names: Sequence[str]
    rows: int
    columns: Mapping[str, list[Any]]
    nested_names: Sequence[str] = ()
    reading_notes: str = ""
    filters: Sequence[str] = ()
    model: str = ""
    needs_all: bool = False

    @property
    def choices(self) -> list[str]:
        """The names that the user can choose: columns, and values in objects."""
        return [*self.names, *(name for name in self.nested_names if name not in self.names)]

    def cells(self, name: str) -> Sequence[Any]:
        """Return the cells of a column or of a dotted name; empty if there is no such name."""
        if name in self.columns or name not in self.nested_names:
            return self.columns.get(name, ())
        outer_columns: dict[str, Iterable[Any]] = {}
        for column, cells in self.columns.items():
            if name.startswith(f"{column}."):
                outer_columns[column] = map(load_cell, cells)
        return [find_nested_value(row, name) for row in make_rows_of_columns(outer_columns)]

    def find_wrong_verdicts(self) -> dict[str, str]:
        """Return a message for each column that is named like verdicts but has another cell."""
        messages: dict[str, str] = {}
        columns = {name: self.cells(name) for name in self.choices if is_verdict_column(name)}
        # The messages are complete when all rows are read.
        for _ in note_wrong_verdicts(make_rows_of_columns(columns), messages):
            pass
        return messages

    def select_filter(self, wanted: str) -> Table:
        """Return the table with the rows of one filter, or with all if there is no such filter."""
        if wanted not in self.filters:
            return self
        places = [place for place, name in enumerate(self.columns["filter"]) if name == wanted]
        columns = {}
        for name, cells in self.columns.items():
            columns[name] = [cells[place] for place in places]
        return replace(self, rows=len(places), columns=columns)


def make_rows_of_columns(columns: Mapping[str, Iterable[Any]]) -> Iterator[Row]:
    """Yield the rows of columns."""
    for cells in zip(*columns.values(), strict=True):
        yield dict(zip(columns, cells, strict=True))


def read_file(path: str | os.PathLike[str], everything: bool = False, encoding: str = "") -> Table:
    """Read a file: the columns of the judge check, or all columns if `everything` is true.

    A text must be in one of ENCODINGS. By default, it is UTF-8 or the encoding of its byte order
    mark.

    Raises:
        UserError: the file cannot be read, or is too large.
    """
    arguments = ["all" if everything else "", f"encoding={encoding}"]
    return Table(**run_reader(READER, os.path.abspath(path), *arguments))


class MeasuredCell(NamedTuple):
    """A cell as the child sends it, with its length in characters and in bytes."""

    cell: Any
    characters: int
    bytes: int


def measure_cell(cell: Any) -> MeasuredCell:
    """Return a cell as the child sends it, with its length."""
    if fits_column_type(cell, "texts"):
        extra = EXTRA_PER_TEXT * len(cell)
        characters = sum(len(text) for text in cell)
        size = sum(measure_utf8_length(text) for text in cell)
        return MeasuredCell(cell, characters + extra, size + extra)
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    if isinstance(cell, list | dict):
        cell = {"json": text}
    return MeasuredCell(cell, len(text), measure_utf8_length(text))


def measure_utf8_length(text: str) -> int:
    """Return the number of bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class Contents:
    """Collects the rows of a file, and enforces the limits.

    Args:
        everything: whether all columns are kept, or only those of the judge check.
    """

    def __init__(self, everything: bool) -> None:
        self.everything = everything
        self.names: dict[str, None] = {}
        self.nested_names: dict[str, None] = {}
        self.columns: dict[str, list[Any]] = {}
        self.rows = 0
        self.bytes = 0

    def add_row(self, row: Row) -> None:
        """Keep the requested cells of a row; UserError is raised if a limit is exceeded."""
        self.add_columns(row)
        self.rows += 1
        if self.rows > MAX_ROWS:
            raise UserError("file.rows", limit=MAX_ROWS)
        if len(self.columns) > MAX_COLUMNS:
            raise UserError("file.columns", limit=MAX_COLUMNS)
        for name, cells in self.columns.items():
            cell = row.get(name)
            if self.everything:
                self.add_nested_values(name, cell)
            cells.append(self.take_cell(name, cell))

    def add_columns(self, row: Row) -> None:
        """Add the columns that begin in this row; their earlier cells are missing."""
        self.names |= dict.fromkeys(row)
        for name in row:
            if name in self.columns:
                continue
            if self.everything or name in JUDGE_CHECK_COLUMNS or is_verdict_column(name):
                self.columns[name] = [None] * self.rows

    def add_nested_values(self, name: str, cell: Any) -> None:
        """Collect the dotted names of values in a cell, up to MAX_NESTED_NAMES names."""
        if len(self.nested_names) >= MAX_NESTED_NAMES:
            return
        names = (nested for nested in list_nested_names(name, cell) if len(nested) <= MAX_NAME)
        self.nested_names |= dict.fromkeys(islice(names, MAX_NESTED_NAMES - len(self.nested_names)))

    def take_cell(self, name: str, cell: Any) -> Any:
        """Return a cell as the child sends it.

        Raises:
            UserError: the cell, or all texts together, are too long.
        """
        measured = measure_cell(cell)
        self.bytes += measured.bytes
        if measured.characters > MAX_CELL_LENGTH:
            values = {"row": self.rows, "length": measured.characters, "limit": MAX_CELL_LENGTH}
            raise UserError("file.cell", column=shorten_name(name), **values)
        if self.bytes > MAX_TEXT_BYTES:
            raise UserError("file.characters", limit=MAX_TEXT_BYTES)
        return measured.cell

    def check_names(self) -> None:
        """Raise UserError if a file has no columns, or the names together are too long."""
        if not self.names:
            raise UserError("file.no_rows")
        length = sum(len(name) for name in self.names)
        if length > MAX_NAMES_LENGTH:
            longest = shorten_name(max(self.names, key=len))
            raise UserError("file.names", column=longest, length=length, limit=MAX_NAMES_LENGTH)


def read_contents(
    kind: str,
    data: bytes,
    everything: bool = False,
    encoding: str = "",
) -> dict[str, Any]:
    """Return the fields of `Table` for a file, within the limits."""
    log = Log(wanted_filter="", max_unpacked_bytes=MAX_UNPACKED) if everything else None
    reading = FileReading(encoding, most_bytes=MAX_UNPACKED)
    contents = Contents(everything)
    for row in read_table(kind, io.BytesIO(data), log, reading):
        contents.add_row(row)
    contents.check_names()
    table: dict[str, Any] = {
        "names": list(contents.names),
        "rows": contents.rows,
        "columns": contents.columns,
        "reading_notes": join_sentences(*reading.notes, log.describe() if log else ""),
    }
    if log:
        table["filters"] = list(log.filters)
        table["model"] = log.model
        table["needs_all"] = log.needs_all
        table["nested_names"] = list(contents.nested_names)
    return table


def read_limited_file(name: str, *arguments: str) -> dict[str, Any]:
    """Return the fields of `Table` for a file; reading stops at the size limit.

    This runs in the child process, with the arguments that `read_file` passes.
    """
    path = Path(name)
    is_packed = path.suffix.lower() == ".gz"
    kind = find_file_kind(path.name, is_packed)
    if not kind:
        raise UserError("file.kind_unknown")
    try:
        with gzip.open(path) if is_packed else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:  # another request for the same file has deleted it
        raise UserError("file.unsent") from None
    except (OSError, EOFError, zlib.error):
        raise UserError("file.not_gzip") from None
    if len(data) > MAX_BYTES:
        raise UserError("file.bytes", limit=MAX_BYTES // 1_000_000)
    encoding = next((name for name in ENCODINGS if f"encoding={name}" in arguments), "")
    return read_contents(kind, data, "all" in arguments, encoding)


if __name__ == "__main__":
    limit_process()
    write_answer(read_limited_file)
    # pyarrow may abort when Python exits normally, after the answer is written.
    sys.stdout.flush()
    os._exit(0)
