"""Where the command takes its rows from: a file, several of them, or a dataset of Hugging Face. Read as often as asked,
row by row, so that no more than one chunk of it is in memory.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote

from lens.tables import places
from lens.tables.cells import Kind
from lens.tables.read import KINDS, NEWLINE, Row, Unreadable, columns_of, parquet_rows, rows_of, table_rows
from lens.tables.roles import BadTable, Item, Roles, item_of
from lens.tables.roll import Roll
from lens.words import say

DATASET = re.compile(r"[\w.-]+(/[\w.-]+)?")
MAGIC = re.compile(r"[*?\[]")
BATCH_ROWS = 500
# What may tell of a file that it has changed; each filesystem has its own word for it.
CHANGED = ("ETag", "etag", "LastModified", "Last-Modified", "last_modified", "mtime", "modified", "md5Hash")


class Source:
    """A table that can be read again and again. `name` is for reports and messages."""

    name = ""

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
    """A file of a filesystem that fsspec knows: CSV, JSON or Parquet, told by the end of its name, the first two also
    compressed. `given` is its address as the user wrote it.
    """

    def __init__(self, system: Any, path: str, given: str, name: str = "") -> None:
        self.system, self.path, self.given = system, path, given
        self.name = name or (name_of(path) if places.is_address(given) else Path(path).name)
        self.kind, self.compression = kind_of(self.name)

    def rows(self) -> Iterator[Row]:
        """The rows of the file."""
        try:
            yield from self.read()
        except Unreadable as error:
            raise BadTable(f"{self.name}: {say(error.problem, **error.values)}") from None
        except UnicodeDecodeError:
            raise BadTable(f"{self.name}: {say('file_not_utf8', line=self.bad_line())}") from None
        except BadTable:
            raise
        except Exception as error:  # whatever a filesystem, its package or the network brings about
            raise places.unread(error, self.given, self.name) from None

    def read(self) -> Iterator[Row]:
        """The rows, as long as nothing is wrong with the file."""
        if self.kind == "parquet":
            with self.open_anywhere() as file:
                yield from parquet_rows(file)
            return
        with self.open() as file, io.TextIOWrapper(file, "utf-8-sig", newline=NEWLINE[self.kind]) as stream:
            yield from table_rows(self.kind, stream)

    def open(self) -> IO[bytes]:
        """The bytes of the file, from the beginning."""
        # Of a server on the web, one answer instead of one for each of many pieces.
        more = {"block_size": 0} if places.WEB.match(self.path) else {}
        return cast("IO[bytes]", self.system.open(self.path, "rb", compression=self.compression, **more))

    def open_anywhere(self) -> IO[bytes]:
        """The bytes of the file, in any order; of a server that sends it only from the beginning, a copy."""
        system = self.system
        if places.WEB.match(self.path) and not system.info(self.path).get("partial"):
            import fsspec

            system = fsspec.filesystem("simplecache", fs=system)
        return cast("IO[bytes]", system.open(self.path, "rb"))

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
        """What the filesystem says of the file."""
        try:
            info = self.system.info(self.path)
        except Exception as error:  # as above
            raise places.unread(error, self.given, self.name) from None
        changed = next((str(info[one]) for one in CHANGED if info.get(one)), None)
        return [{"name": self.name, "size": info.get("size"), "modified": changed}]


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


def kind_of(name: str) -> tuple[str, str | None]:
    """How a file is read, and how it is compressed, by the end of its name; BadTable where that says nothing."""
    from fsspec.utils import infer_compression

    compression = infer_compression(name)
    plain = Path(name).stem if compression else name
    kind = KINDS.get(Path(plain).suffix.lower(), "")
    if not kind or (compression and kind == "parquet"):
        raise BadTable(say("f_file_kind", name=name, kinds=", ".join(KINDS)))
    return kind, compression


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

    def rows(self) -> Iterator[Row]:
        """The rows of the split, without columns of bytes, such as pictures."""
        columns = columns_of(self.data.features.arrow_schema)
        return rows_of(self.data.select_columns(columns).with_format("arrow").iter(BATCH_ROWS))


def source_of(given: str, split: str | None = None, configuration: str | None = None) -> Source:
    """The source that a user names: a file that is there, an address, a pattern of either; with a split, a dataset."""
    path, address = places.local_path(given), places.is_address(given)
    if address or path.is_file():
        if split or configuration:
            raise BadTable(say("f_file_split", name=name_of(given) if address else path.name))
        return files_of(given, address and is_pattern(given))
    if split:
        return DatasetSource(given, split, configuration)
    if path.is_dir():
        raise BadTable(say("f_folder", name=given))
    if is_pattern(given):
        return files_of(given, True)
    unknown = path.suffix.lower() in KINDS or not DATASET.fullmatch(given)
    raise BadTable(say("f_no_file" if unknown else "f_no_split", name=given))


def is_pattern(given: str) -> bool:
    """Whether a path or an address stands for several files; on the web a question mark begins a query."""
    return bool(MAGIC.search(given.partition("?")[0] if places.WEB.match(given) else given))


def files_of(given: str, several: bool) -> Source:
    """The file of a path or an address, or the files that it stands for, sorted by their paths."""
    try:
        system, path = places.system_of(given)
        found = system.glob(path, detail=True) if several else {path: system.info(path)}
    except Exception as error:  # whatever a filesystem, its package or the network brings about
        raise places.unread(error, given) from None
    if not several:
        return FileSource(system, path, given)
    files = sorted(one for one, info in found.items() if info.get("type") != "directory")
    if not files:
        raise BadTable(say("f_no_match", name=places.shown(given)))
    shown = places.shown if places.is_address(given) else str
    return FilesSource(shown(given), [FileSource(system, one, given, shown(one)) for one in files])


@dataclass
class Scan:
    """What a first reading of a table finds: its columns, their kinds, who is who."""

    roles: Roles
    kinds: dict[str, Kind]
    roll: Roll


def item_at(part: Source, number: int, row: Row, roles: Roles, separator: str) -> Item:
    """What the metrics take of a row; BadTable, with the file's name, where it cannot be scored."""
    try:
        return item_of(row, roles, number, separator)
    except BadTable as error:
        raise BadTable(f"{part.name}: {error}") from None


def items(source: Source, roles: Roles, separator: str = "") -> Iterator[tuple[Row, Item]]:
    """The rows of a table, each with what the metrics take of it."""
    for part in source.parts():
        for number, row in enumerate(part.rows(), 1):
            yield row, item_at(part, number, row, roles, separator)


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
