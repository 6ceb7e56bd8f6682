"""Where the command takes its rows from: a file, several of them, or a dataset of Hugging Face.

Read as often as asked, row by row, so that no more than one chunk of it is in memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lens.tables import places
from lens.tables.cell_texts import read_answer_text
from lens.tables.cells import ABSENT, find_inner, split_answers
from lens.tables.log import Log
from lens.tables.reading import Row
from lens.tables.references_file import Join, References
from lens.tables.source_parts import Dataset, FileOptions, TableFile
from lens.words.notes import UserError
from lens.words.printed import print_lines

MAGIC = re.compile(r"[*?\[]")
NO_OPTIONS = FileOptions()


@dataclass(frozen=True)
class Source:
    """A table that can be read again and again.

    Attributes:
        name: what reports and messages call it.
        parts: its files, or its dataset.
        inner: dotted names of what is in objects: each is a column, too, unless a column has that
            name.
        references: the references of another file.
    """

    name: str
    parts: Sequence[TableFile | Dataset]
    inner: Sequence[str] = ()
    references: Join | None = None

    @property
    def files(self) -> list[TableFile]:
        """Its files."""
        return [part for part in self.parts if isinstance(part, TableFile)]

    def rows(self) -> Iterator[tuple[str, int, Row]]:
        """Yield the rows from the beginning, each with the name of its part and its number from 1.

        With references of another file, where there is one.
        """
        if self.references:
            return self.references.rows(self.own_rows())
        return self.own_rows()

    def own_rows(self) -> Iterator[tuple[str, int, Row]]:
        """Yield the rows of its own files."""
        for part in self.parts:
            for number, row in enumerate(part.rows(), 1):
                yield part.name, number, self.add_inner(row)

    def add_inner(self, row: Row) -> Row:
        """Return a row with what the dotted names have in its objects."""
        cells = {}
        for name in self.inner:
            cell = find_inner(row, name, ABSENT)
            if cell is not ABSENT:
                cells[name] = cell
        return row | cells if cells else row

    def notes(self) -> list[str]:
        """Return what is to be told of how its files were last read."""
        notes: list[str] = []
        for file in self.files:
            notes += file.reading.notes
        if self.references:
            notes += self.references.notes
        return list(dict.fromkeys(notes))

    def logs(self) -> list[Log]:
        """Return those of its files that are logs of other tools, as they were last read."""
        return [file.log for file in self.files if file.log.tool]

    def describe_logs(self) -> list[str]:
        """Return, in words, what its files were taken for, each once; nothing for plain tables."""
        return list(dict.fromkeys(log.describe() for log in self.logs()))

    @property
    def model(self) -> str:
        """The model that its logs name; empty where none does, or they name several."""
        models = {log.model for log in self.logs()}
        return models.pop() if len(models) == 1 else ""

    def answers(self, column: str) -> Iterator[Row]:
        """Yield the rows once for each answer in their cells of this column, there as a text."""
        for _, _, row in self.rows():
            for _, answer_row in split_answers(row, column):
                cell = answer_row.get(column)
                if cell is not None and not isinstance(cell, str):
                    answer_row = answer_row | {column: read_answer_text(cell)}
                yield answer_row

    def identify(self) -> dict[str, Any]:
        """Return its name and the SHA-256 of the bytes of all its files.

        Of a dataset the fingerprint.
        """
        digest = hashlib.sha256()
        for part in self.parts:
            if isinstance(part, Dataset):
                return {"name": self.name, "fingerprint": part.data._fingerprint}
            part.hash_into(digest)
        return {"name": self.name, "sha256": digest.hexdigest()}

    def stamps(self) -> dict[str, Any]:
        """Return what tells whether the table is still the same: each file's name, size and time.

        Of a dataset its fingerprint.
        """
        stamps = {}
        for place, part in enumerate(self.parts):
            ending = f".{place}" if place else ""
            for name, value in part.stamp().items():
                stamps[f"{name}{ending}"] = value
        if self.references:
            stamps |= self.references.references.stamps
        return stamps


def open_source(
    given: str,
    options: FileOptions = NO_OPTIONS,
    inner: Sequence[str] = (),
    split: str | None = None,
    configuration: str | None = None,
) -> Source:
    """Return the source that a user names.

    A dataset, a file, or a pattern of files, by path or address.

    Args:
        given: what the user names.
        options: how a file is read.
        inner: dotted names of columns in objects.
        split: the split of a dataset; None for files.
        configuration: the configuration of a dataset.

    Raises:
        UserError: there is no such file, or it cannot be read.
    """
    if split:
        dataset = Dataset(given, split, configuration)
        return Source(dataset.name, [dataset], inner)
    if is_pattern(given):
        return open_pattern(given, options, inner)
    with places.refuse_unreadable_file(given):
        system, path = places.open_filesystem(given)
        info = system.info(path)
    if info["type"] == "directory":
        raise UserError("command.folder", name=given)
    name = Path(path).name
    if places.is_address(given):
        address = places.hide_secrets(given).rstrip("/")
        _, _, last = address.rpartition("/")
        name = unquote(last)
    file = TableFile(system, path, given, name, options)
    return Source(name, [file], inner)


def is_pattern(given: str) -> bool:
    """Return whether a user names several files by a pattern."""
    plain = given
    if places.WEB.match(given):
        # On the web a question mark begins a query.
        plain, _, _ = given.partition("?")
    if not MAGIC.search(plain):
        return False
    # A file may well have the name of a pattern.
    return not places.find_local_path(given).is_file()


def open_pattern(given: str, options: FileOptions, inner: Sequence[str]) -> Source:
    """Return the source of all files whose path or address fits a pattern.

    UserError where none does.
    """
    with places.refuse_unreadable_file(given):
        system, pattern = places.open_filesystem(given)
        found = system.glob(pattern, detail=True)
    paths = sorted(path for path, info in found.items() if info["type"] != "directory")
    if not paths:
        raise UserError("command.none_fits", name=places.hide_secrets(given))
    show = places.hide_secrets if places.is_address(given) else str
    files = []
    for path in paths:
        files.append(TableFile(system, path, given, show(path), options))
    return Source(show(given), files, inner)


def open_references(
    given: str,
    columns: Mapping[str, Any],
    encoding: str = "",
    sheet: str = "",
) -> References:
    """Return the references in a file of their own; UserError, with its name, for what is none."""
    source = open_source(given, FileOptions(encoding=encoding, sheet=sheet))
    stamps = {f"references.{name}": value for name, value in source.stamps().items()}
    rows = (row for _, _, row in source.rows())
    references = References(source.name, rows, columns, stamps)
    print_lines(*(f"{source.name}: {note}" for note in source.notes()))
    return references
