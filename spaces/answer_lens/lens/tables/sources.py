"""Where the command takes its rows from: a file, several of them, or a dataset of Hugging Face.

Read as often as asked, row by row, so that no more than one chunk of it is in memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote

from lens.tables import places
from lens.tables.cell_texts import read_answer_text
from lens.tables.cells import ABSENT, find_inner, split_answers
from lens.tables.log import Log
from lens.tables.read import KINDS, find_file_kind, list_readable_columns, read_batches, read_table
from lens.tables.reading import Reading, Row
from lens.tables.references_file import Join, References
from lens.words.notes import UserError
from lens.words.printed import print_lines

MAGIC = re.compile(r"[*?\[]")
BATCH_ROWS = 500
# What may tell of a file that it has changed; each filesystem has its own word for it.
CHANGED = "ETag etag LastModified Last-Modified last_modified mtime modified md5Hash".split()

# How much of a file is hashed at once.
PIECE_BYTES = 1_000_000


@dataclass(frozen=True)
class FileOptions:
    """What a user says of a file.

    Attributes:
        wanted: the filter of a log whose samples are read; None for the first.
        encoding: the encoding of a text; empty for UTF-8.
        sheet: the sheet of a workbook; empty for the first that has rows.
        columns: the columns of answers that the user names.
    """

    wanted: str | None = None
    encoding: str = ""
    sheet: str = ""
    columns: Sequence[str] = ()


class TableFile:
    """A file of a filesystem that fsspec knows.

    It is a table, perhaps compressed, or the log of another tool.

    Attributes:
        system: the filesystem.
        path: where the file lies there.
        given: its address as the user wrote it.
        name: what messages call it.
        options: what the user says of it.
        log: what is known of it, if it is a log, once it is read.
        reading: how it was read.
    """

    def __init__(
        self,
        system: Any,
        path: str,
        given: str,
        name: str,
        options: FileOptions,
    ) -> None:
        from fsspec.utils import infer_compression

        self.system = system
        self.path = path
        self.given = given
        self.name = name
        self.options = options
        self.log = Log()
        self.reading = Reading()
        self.compression = infer_compression(name)
        self.kind = find_file_kind(name, bool(self.compression))
        if not self.kind:
            raise UserError("command.unknown_kind", name=name, kinds=", ".join(KINDS))

    def rows(self) -> Iterator[Row]:
        """Yield the rows from the beginning; UserError for what cannot be read."""
        options = self.options
        self.log = Log(options.wanted, self.path, self.read_neighbour, columns=options.columns)
        self.reading = Reading(options.encoding, options.sheet)
        with places.refuse_unreadable_file(self.given, self.name), self.open() as file:
            yield from read_table(self.kind, file, self.log, self.reading)

    def read_neighbour(self, name: str) -> bytes:
        """Return what is in another file of its folder; nothing where none can be read.

        A web server is not asked.
        """
        if places.WEB.match(self.path):
            return b""
        folder, _, _ = self.path.rpartition("/")
        with suppress(OSError):
            return bytes(self.system.cat_file(f"{folder}/{name}"))
        return b""

    def open(self) -> IO[bytes]:
        """Return the bytes of the file.

        A file of a web server is copied first: the server is asked once, and not for pieces.
        """
        system = self.system
        if places.WEB.match(self.path):
            import fsspec

            system = fsspec.filesystem("simplecache", fs=system)
        return cast("IO[bytes]", system.open(self.path, "rb", compression=self.compression))

    def hash_into(self, digest: Any) -> None:
        """Add the bytes of the file, as they lie there, to a digest."""
        with (
            places.refuse_unreadable_file(self.given, self.name),
            self.system.open(self.path, "rb") as file,
        ):
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)

    def stamp(self) -> dict[str, Any]:
        """Return what tells whether the file is still the same, as JSON.

        It is what the filesystem says of it.
        """
        with places.refuse_unreadable_file(self.given, self.name):
            info = self.system.info(self.path)
        marks = [str(info[name]) for name in CHANGED if info.get(name)]
        modified = marks[0] if marks else None
        return {"name": self.name, "size": info.get("size"), "modified": modified}


class Dataset:
    """A dataset of Hugging Face by its name or folder: one split of it."""

    def __init__(self, given: str, split: str, configuration: str | None) -> None:
        import datasets

        part = f"{configuration}, {split}" if configuration else split
        self.name = f"{given} ({part})"
        datasets.disable_progress_bars()
        try:
            self.data = datasets.load_dataset(given, configuration, split=split)
        except Exception as error:  # whatever the Hub, the network or the dataset brings about
            message = places.describe_error(error, given)
            raise UserError("command.no_dataset", name=self.name, error=message) from None

    def rows(self) -> Iterator[Row]:
        """Return the rows of the split, without columns of bytes, such as pictures."""
        columns = list_readable_columns(self.data.features.arrow_schema)
        data = self.data.select_columns(columns).with_format("arrow")
        return read_batches(data.iter(BATCH_ROWS))

    def stamp(self) -> dict[str, Any]:
        """Return what tells whether the dataset is still the same."""
        return {"name": self.name, "fingerprint": self.data._fingerprint}


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
    options: FileOptions = FileOptions(),
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
