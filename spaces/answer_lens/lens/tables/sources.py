"""Where the command takes its rows from: a file, several of them, or a dataset of Hugging Face. Read as often as asked,
row by row, so that no more than one chunk of it is in memory.
"""

from __future__ import annotations

import contextlib
import glob
import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

from lens.tables import places
from lens.tables.cells import Kind
from lens.tables.places import Place
from lens.tables.read import KINDS, NEWLINE, Row, Unreadable, fits, opened, parquet_rows, plain
from lens.tables.roles import KNOWN, BadTable, Item, Roles, item_of
from lens.tables.roll import Roll
from lens.words import say

DATASET = re.compile(r"[\w.-]+(/[\w.-]+)?")
BATCH_ROWS = 500


class Source:
    """A table that can be read again and again. `name` is for reports and messages, `first` the row of its file before
    which it begins.
    """

    name = ""
    first = 0

    def rows(self) -> Iterator[Row]:
        """The rows from the beginning; BadTable for what cannot be read."""
        raise NotImplementedError

    def parts(self) -> Sequence[Source]:
        """The files that the table is made of, in order."""
        return [self]

    def stamps(self) -> list[dict[str, Any]]:
        """What tells whether the table is still the same: of each file its name, size and time, as JSON."""
        return []


class FileSource(Source):
    """A file: CSV, JSON or Parquet, told by the end of its name. `groups`: these row groups of Parquet alone."""

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name or path.name
        self.kind = kind_of(self.name)
        self.groups: range | None = None

    def rows(self) -> Iterator[Row]:
        """The rows of the file."""
        try:
            yield from self.read()
        except Unreadable as error:
            raise BadTable(f"{self.name}: {say(error.problem, **error.values)}") from None
        except UnicodeDecodeError:
            raise BadTable(f"{self.name}: {say('file_not_utf8', line=self.bad_line())}") from None
        except OSError as error:
            raise self.unread(error) from None

    def read(self) -> Iterator[Row]:
        """The rows, as long as nothing is wrong with the file."""
        if self.kind == "parquet":
            with self.open_anywhere() as file:
                yield from parquet_rows(file, None, groups=self.groups)[1]
            return
        with self.open() as file, io.TextIOWrapper(file, "utf-8-sig", newline=NEWLINE[self.kind]) as stream:
            yield from opened(self.kind, stream, KNOWN)[1]

    def open(self) -> IO[bytes]:
        """The bytes of the file, from the beginning."""
        return open(self.path, "rb")

    def open_anywhere(self) -> IO[bytes]:
        """The bytes of the file, in any order."""
        return self.open()

    def group_rows(self) -> list[int]:
        """How many rows each row group of a Parquet file has; nothing where it cannot be read."""
        import pyarrow
        from pyarrow import parquet

        try:
            with self.open_anywhere() as file:
                found = parquet.ParquetFile(file).metadata
                return [found.row_group(at).num_rows for at in range(found.num_row_groups)]
        except (pyarrow.ArrowException, OSError):
            return []

    def unread(self, error: Exception) -> BadTable:
        """The refusal of a file that cannot be read."""
        told = getattr(error, "strerror", None) or type(error).__name__
        return BadTable(say("f_file_unread", name=self.name, error=told))

    def bad_line(self) -> int:
        """The first line of the file that is not UTF-8."""
        with self.open() as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        return 0

    def stamps(self) -> list[dict[str, Any]]:
        """The file's name, size and time of change."""
        try:
            stat = self.path.stat()
        except OSError as error:
            raise self.unread(error) from None
        return [{"name": self.name, "size": stat.st_size, "modified": stat.st_mtime_ns}]


class PlaceSource(FileSource):
    """A file at an address."""

    def __init__(self, place: Place, name: str = "") -> None:
        self.place = place
        super().__init__(Path(name_of(place.path)), name)

    def rows(self) -> Iterator[Row]:
        """The rows of the file."""
        try:
            yield from super().rows()
        except (BadTable, GeneratorExit):
            raise
        except Exception as error:  # whatever a filesystem, its package or the network brings about
            raise self.unread(error) from None

    def open(self) -> IO[bytes]:
        """The bytes of the file, from the beginning."""
        return self.place.open()

    def open_anywhere(self) -> IO[bytes]:
        """The bytes of the file, in any order."""
        return self.place.open_anywhere()

    def unread(self, error: Exception) -> BadTable:
        """The refusal of a file that cannot be read."""
        return places.unread(error, self.place.given, self.name)

    def stamps(self) -> list[dict[str, Any]]:
        """What the filesystem says of the file."""
        try:
            return [{"name": self.name, **self.place.stamp()}]
        except Exception as error:  # as above
            raise self.unread(error) from None


class FilesSource(Source):
    """Several files of one kind, one after another."""

    def __init__(self, name: str, files: Sequence[FileSource]) -> None:
        self.name, self.files = name, files
        other = next((one for one in files if one.kind != files[0].kind), None)
        if other:
            raise BadTable(say("f_kinds_differ", name=name, first=files[0].name, other=other.name))

    def rows(self) -> Iterator[Row]:
        """The rows of all files."""
        for one in self.files:
            yield from one.rows()

    def parts(self) -> Sequence[Source]:
        """The files."""
        return self.files

    def stamps(self) -> list[dict[str, Any]]:
        """Of each file its name, size and time."""
        return [stamp for one in self.files for stamp in one.stamps()]


def kind_of(name: str) -> str:
    """How a file is read, by the end of its name; BadTable where that says nothing."""
    kind = KINDS.get(Path(name).suffix.lower(), "")
    if not kind:
        raise BadTable(say("f_file_kind", name=name, kinds=", ".join(KINDS)))
    return kind


def name_of(path: str) -> str:
    """The file's own name in an address, without a query.

    >>> name_of("https://host/a/b%20c.csv?key=1"), name_of("bucket/a.csv")
    ('b c.csv', 'a.csv')
    """
    return unquote(places.shown(path).rstrip("/").rpartition("/")[2])


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
    """The source that a user names: a file that is there, an address, a pattern of either; with a split, a dataset."""
    path = places.local_path(given)
    there = places.is_address(given) or path.is_file()
    if there and (split or configuration):
        raise BadTable(say("f_file_split", name=name_of(given) if places.is_address(given) else path.name))
    if there:
        return at_address(given) if places.is_address(given) else FileSource(path)
    if split:
        return DatasetSource(given, split, configuration)
    if path.is_dir():
        raise BadTable(say("f_folder", name=given))
    if places.MAGIC.search(given):
        return matching(str(path), given)
    if path.suffix.lower() in KINDS or not DATASET.fullmatch(given):
        raise BadTable(say("f_no_file", name=given))
    raise BadTable(say("f_no_split", name=given))


def at_address(given: str) -> Source:
    """The file at an address, or the files that a pattern there stands for."""
    found = places.places(given)
    if not places.is_pattern(given):
        return PlaceSource(found[0])
    return FilesSource(places.shown(given), [PlaceSource(one, places.shown(one.path)) for one in found])


def matching(pattern: str, given: str) -> Source:
    """The files of this machine that a pattern stands for, sorted by name."""
    found = [one for one in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(one)]
    if not found:
        raise BadTable(say("f_no_match", name=given))
    return FilesSource(given, [FileSource(Path(one), one) for one in found])


@dataclass
class Scan:
    """What a first reading of a table finds: its columns, their kinds, who is who."""

    roles: Roles
    kinds: dict[str, Kind]
    roll: Roll


def items(source: Source, roles: Roles, separator: str = "") -> Iterator[tuple[Row, Item]]:
    """The rows of a table, each with what the metrics take of it."""
    for part in source.parts():
        for number, row in enumerate(part.rows(), part.first + 1):
            try:
                yield row, item_of(row, roles, number, separator)
            except BadTable as error:
                raise BadTable(f"{part.name}: {error}") from None


def scan(source: Source, roles: Roles, kinds: dict[str, Kind], separator: str = "", compared: bool = False) -> Scan:
    """Read a table to its end before anything is scored: what cannot be scored is refused with its row."""
    found = Scan(roles, kinds, Roll(compared, column=roles.group))
    for _, item in items(source, roles, separator):
        found.roll.add(item)
    found.roll.checked(roles)
    return found


def same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two names mean one file."""
    if places.is_address(str(one)) or places.is_address(str(other)):
        return str(one) == str(other)
    mine, theirs = places.local_path(str(one)), places.local_path(str(other))
    with contextlib.suppress(OSError):
        return os.path.samefile(mine, theirs)
    return os.path.abspath(mine) == os.path.abspath(theirs)
