"""The source of the command's rows: one or several files, or a dataset of Hugging Face.

A source can be read several times, row by row, so only one chunk of it is in memory.
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
from lens.tables.cells import ABSENT, find_nested_value, split_answers
from lens.tables.file_reading import Row
from lens.tables.log import Log
from lens.tables.references_file import Join, References
from lens.tables.source_parts import Dataset, FileOptions, TableFile
from lens.words.notes import UserError
from lens.words.printed import print_lines

# The characters of a pattern of files, such as "answers-*.jsonl".
WILDCARD = re.compile(r"[*?\[]")
NO_OPTIONS = FileOptions()


@dataclass(frozen=True)
class Source:
    """A table that can be read several times.

    Attributes:
        name: the name in reports and messages.
        parts: the files, or the dataset.
        nested_names: dotted names of values in objects, which become columns unless a column has
            the name.
        references: joins the references of another file; None if there is no such file.
    """

    name: str
    parts: Sequence[TableFile | Dataset]
    nested_names: Sequence[str] = ()
    references: Join | None = None

    @property
    def files(self) -> list[TableFile]:
        """The files of the source."""
        return [part for part in self.parts if isinstance(part, TableFile)]

    def rows(self) -> Iterator[tuple[str, int, Row]]:
        """Yield the name of each row's part, the row's number in it from 1, and the row.

        References of another file are joined to the rows.
        """
        if self.references:
            return self.references.rows(self.read_part_rows())
        return self.read_part_rows()

    def plain_rows(self) -> Iterator[Row]:
        """Yield the rows without their places."""
        for _, _, row in self.rows():
            yield row

    def read_part_rows(self) -> Iterator[tuple[str, int, Row]]:
        """Yield the rows without the references of another file."""
        for part in self.parts:
            for number, row in enumerate(part.rows(), 1):
                yield part.name, number, self.add_nested_values(row)

    def add_nested_values(self, row: Row) -> Row:
        """Return a row with the values of the dotted names as columns."""
        cells = {}
        for name in self.nested_names:
            cell = find_nested_value(row, name, ABSENT)
            if cell is not ABSENT:
                cells[name] = cell
        return row | cells if cells else row

    def notes(self) -> list[str]:
        """Return the notes on how the files were last read."""
        notes: list[str] = []
        for file in self.files:
            notes += file.reading.notes
        if self.references:
            notes += self.references.notes
        return list(dict.fromkeys(notes))

    def logs(self) -> list[Log]:
        """Return the facts on the files that are logs of other tools, as they were last read."""
        return [file.log for file in self.files if file.log.tool]

    def describe_logs(self) -> list[str]:
        """Return the descriptions of the logs, without duplicates; empty for plain tables."""
        return list(dict.fromkeys(log.describe() for log in self.logs()))

    @property
    def model(self) -> str:
        """The model that all logs name; empty if there is none, or they name several."""
        models = {log.model for log in self.logs()}
        return models.pop() if len(models) == 1 else ""

    def answers(self, column: str) -> Iterator[Row]:
        """Yield one row per answer in the cells of this column, with the answer as a text."""
        for row in self.plain_rows():
            for _, answer_row in split_answers(row, column):
                cell = answer_row.get(column)
                if cell is not None and not isinstance(cell, str):
                    answer_row = answer_row | {column: read_answer_text(cell)}
                yield answer_row

    def identify(self) -> dict[str, Any]:
        """Return the name and the SHA-256 of the bytes of all files.

        For a dataset, the fingerprint is returned instead.
        """
        digest = hashlib.sha256()
        for part in self.parts:
            if isinstance(part, Dataset):
                return {"name": self.name, "fingerprint": part.data._fingerprint}
            part.hash_into(digest)
        return {"name": self.name, "sha256": digest.hexdigest()}

    def stamps(self) -> dict[str, Any]:
        """Return values that change with the table: each file's name, size and version.

        For a dataset, these are the name and the fingerprint.
        """
        stamps = {}
        for number, part in enumerate(self.parts):
            ending = f".{number}" if number else ""
            for name, value in part.stamp().items():
                stamps[f"{name}{ending}"] = value
        if self.references:
            stamps |= self.references.references.stamps
        return stamps


def open_source(
    location: str,
    options: FileOptions = NO_OPTIONS,
    nested_names: Sequence[str] = (),
    split: str | None = None,
    configuration: str | None = None,
) -> Source:
    """Return the source that the user names: a dataset, a file, or a pattern of files.

    Args:
        location: a path or an address, or the name of a dataset.
        options: the options of reading files.
        nested_names: dotted names of values in objects that become columns.
        split: the split of a dataset; None for files.
        configuration: the configuration of a dataset.

    Raises:
        UserError: the file or dataset does not exist, or cannot be read.
    """
    if split:
        dataset = Dataset(location, split, configuration)
        return Source(dataset.name, [dataset], nested_names)
    if is_pattern(location):
        return open_pattern(location, options, nested_names)
    with places.refuse_unreadable_file(location):
        system, path = places.open_filesystem(location)
        info = system.info(path)
    if info["type"] == "directory":
        raise UserError("command.folder", name=location)
    name = Path(path).name
    if places.is_address(location):
        address = places.hide_secrets(location).rstrip("/")
        _, _, last_part = address.rpartition("/")
        name = unquote(last_part)
    file = TableFile(system, path, location, name, options)
    return Source(name, [file], nested_names)


def is_pattern(location: str) -> bool:
    """Return whether the user gave a pattern of files."""
    path = location
    if places.WEB.match(location):
        # In a web address, a question mark begins the query.
        path, _, _ = location.partition("?")
    if not WILDCARD.search(path):
        return False
    # The name of an existing file may look like a pattern.
    return not places.find_local_path(location).is_file()


def open_pattern(location: str, options: FileOptions, nested_names: Sequence[str]) -> Source:
    """Return the source of all files whose path or address matches a pattern.

    Raises:
        UserError: no file matches.
    """
    with places.refuse_unreadable_file(location):
        system, pattern = places.open_filesystem(location)
        matches = system.glob(pattern, detail=True)
    paths = sorted(path for path, info in matches.items() if info["type"] != "directory")
    if not paths:
        raise UserError("command.none_fits", name=places.hide_secrets(location))
    format_name = places.hide_secrets if places.is_address(location) else str
    files = []
    for path in paths:
        files.append(TableFile(system, path, location, format_name(path), options))
    return Source(format_name(location), files, nested_names)


def open_references(
    location: str,
    columns: Mapping[str, Any],
    encoding: str = "",
    sheet: str = "",
) -> References:
    """Return the references in a separate file.

    Raises:
        UserError: the file cannot be read, or has no references; the message has its name.
    """
    source = open_source(location, FileOptions(encoding=encoding, sheet=sheet))
    stamps = {f"references.{name}": value for name, value in source.stamps().items()}
    references = References(source.name, source.plain_rows(), columns, stamps)
    print_lines(*(f"{source.name}: {note}" for note in source.notes()))
    return references
