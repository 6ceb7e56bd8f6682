"""Where the command takes its rows from: a file, or a dataset of Hugging Face. Read as often as asked, row by row, so
that no more than one chunk of it is in memory.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from columns import KNOWN, BadTable, Item, Roles, item_of
from engine import Roll
from rowcells import Kind
from scoredrows import Kinds
from tables import KINDS, NEWLINE, Row, Unreadable, fits, opened, plain
from texts import say

DATASET = re.compile(r"[\w.-]+(/[\w.-]+)?")
BATCH_ROWS = 500


class Source:
    """A table that can be read again and again. `name` is for reports."""

    name = ""

    def rows(self) -> Iterator[Row]:
        """The rows from the beginning; BadTable for what cannot be read."""
        raise NotImplementedError


class FileSource(Source):
    """A file: CSV, JSON or Parquet, told by the end of its name."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self.kind = KINDS.get(path.suffix.lower(), "")
        if not self.kind:
            raise BadTable(say("f_file_kind", name=path.name, kinds=", ".join(KINDS)))

    def rows(self) -> Iterator[Row]:
        """The rows of the file."""
        try:
            yield from self.read()
        except Unreadable as error:
            raise BadTable(f"{self.name}: {say(error.problem, **error.values)}") from None
        except UnicodeDecodeError:
            raise BadTable(f"{self.name}: {say('file_not_utf8', line=bad_line(self.path))}") from None
        except OSError as error:
            raise BadTable(say("f_file_unread", name=self.name, error=error.strerror or type(error).__name__)) from None

    def read(self) -> Iterator[Row]:
        """The rows, as long as nothing is wrong with the file."""
        if self.kind == "parquet":
            yield from opened(self.kind, self.path, KNOWN)[1]
            return
        with open(self.path, encoding="utf-8-sig", newline=NEWLINE[self.kind]) as stream:
            yield from opened(self.kind, stream, KNOWN)[1]


def bad_line(path: Path) -> int:
    """The first line of a file that is not UTF-8."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 0


class DatasetSource(Source):
    """A dataset of Hugging Face, by its name or its folder: one split of it, loaded through the package datasets."""

    def __init__(self, name: str, split: str, configuration: str | None = None) -> None:
        self.name = f"{name} ({configuration}, {split})" if configuration else f"{name} ({split})"
        import datasets

        datasets.disable_progress_bars()
        try:
            self.data = datasets.load_dataset(name, configuration, split=split)
        except Exception as error:  # whatever the Hub, the network or the dataset's own form brings about
            told = str(error).strip().partition("\n")[0] or type(error).__name__
            raise BadTable(say("f_dataset_unloaded", name=name, split=split, error=told)) from None
        schema = self.data.features.arrow_schema
        self.columns = [field.name for field in schema if fits(field.name, field.type, None)]

    def rows(self) -> Iterator[Row]:
        """The rows of the split, without columns of bytes, such as pictures."""
        data = self.data.select_columns(self.columns).with_format("arrow")
        for batch in data.iter(BATCH_ROWS):
            for row in batch.to_pylist():
                yield {name: plain(cell) for name, cell in row.items()}


def source_of(given: str, split: str | None = None, configuration: str | None = None) -> Source:
    """The source that a user names: a file that is there; with a split, a dataset."""
    path = Path(given)
    if path.is_file():
        if split or configuration:
            raise BadTable(say("f_file_split", name=path.name))
        return FileSource(path)
    if split:
        return DatasetSource(given, split, configuration)
    if path.is_dir():
        raise BadTable(say("f_folder", name=given))
    if path.suffix.lower() in KINDS or not DATASET.fullmatch(given):
        raise BadTable(say("f_no_file", name=given))
    raise BadTable(say("f_no_split", name=given))


@dataclass
class Scan:
    """What a first reading of a table finds: its columns, their kinds, who is who."""

    roles: Roles
    kinds: dict[str, Kind]
    roll: Roll


def kinds_of(source: Source) -> dict[str, Kind]:
    """The columns of a table, and of which kind each is; BadTable where it has no rows."""
    kinds, count = Kinds(), 0
    for count, row in enumerate(source.rows(), 1):  # noqa: B007 (counted for what comes after)
        kinds.add(row)
    if not count:
        raise BadTable(say("f_no_rows", name=source.name))
    return kinds.found()


def items(source: Source, roles: Roles, separator: str = "") -> Iterator[tuple[Row, Item]]:
    """The rows of a table, each with what the metrics take of it."""
    for number, row in enumerate(source.rows(), 1):
        try:
            yield row, item_of(row, roles, number, separator)
        except BadTable as error:
            raise BadTable(f"{source.name}: {error}") from None


def scan(source: Source, roles: Roles, kinds: dict[str, Kind], separator: str = "", compared: bool = False) -> Scan:
    """Read a table to its end before anything is scored: what cannot be scored is refused with its row."""
    found = Scan(roles, kinds, Roll(compared, column=roles.group))
    for _, item in items(source, roles, separator):
        found.roll.add(item)
    found.roll.checked(roles)
    return found


def same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two names mean one file."""
    with contextlib.suppress(OSError):
        return os.path.samefile(one, other)
    return os.path.abspath(one) == os.path.abspath(other)


def blocks(rows: Iterator[tuple[Row, Item]], size: int) -> Iterator[list[tuple[Row, Item]]]:
    """Rows in blocks of a size."""
    block: list[tuple[Row, Item]] = []
    for row in rows:
        block.append(row)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block
