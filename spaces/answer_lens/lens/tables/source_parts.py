"""The parts of a source: files of any filesystem, or a dataset of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, cast

from lens.tables import places
from lens.tables.file_reading import FileReading, Row
from lens.tables.log import Log
from lens.tables.read import (
    FILE_KINDS,
    find_file_kind,
    list_readable_columns,
    read_batches,
    read_table,
)
from lens.words.notes import UserError

BATCH_ROWS = 500
# The keys by which filesystems say that a file has changed.
VERSION_KEYS = "ETag etag LastModified Last-Modified last_modified mtime modified md5Hash".split()
# The number of bytes that are hashed at once.
PIECE_BYTES = 1_000_000


@dataclass(frozen=True)
class FileOptions:
    """The user's options for a file.

    Attributes:
        wanted_filter: the filter of a log whose samples are read; None for the first filter.
        encoding: the encoding of a text; empty for UTF-8.
        sheet: the sheet of a workbook; empty for the first sheet that has rows.
        columns: the columns of answers that the user chose.
    """

    wanted_filter: str | None = None
    encoding: str = ""
    sheet: str = ""
    columns: Sequence[str] = ()


class TableFile:
    """A file in any filesystem of fsspec: a table, perhaps compressed, or the log of another tool.

    Attributes:
        system: the filesystem.
        path: the path of the file in the filesystem.
        location: the path or address as the user wrote it.
        name: the file name, which gives the kind and compression, and is shown in messages.
        options: the user's options.
        log: the facts on the log, if the file is one; complete once the file is read.
        reading: the notes on how the file was read.
    """

    def __init__(
        self,
        system: Any,
        path: str,
        location: str,
        name: str,
        options: FileOptions,
    ) -> None:
        from fsspec.utils import infer_compression

        self.system = system
        self.path = path
        self.location = location
        self.name = name
        self.options = options
        self.log = Log()
        self.reading = FileReading()
        self.compression = infer_compression(name)
        self.kind = find_file_kind(name, bool(self.compression))
        if not self.kind:
            raise UserError("command.unknown_kind", name=name, kinds=", ".join(FILE_KINDS))

    def rows(self) -> Iterator[Row]:
        """Yield the rows from the beginning; UserError is raised if the file cannot be read."""
        options = self.options
        self.log = Log(
            options.wanted_filter, self.path, self.read_neighbour, columns=options.columns
        )
        self.reading = FileReading(options.encoding, options.sheet)
        with places.refuse_unreadable_file(self.location, self.name), self.open() as file:
            yield from read_table(self.kind, file, self.log, self.reading)

    def read_neighbour(self, name: str) -> bytes:
        """Return the content of another file in the same folder; empty if it cannot be read.

        No request is sent to a web server.
        """
        if places.WEB.match(self.path):
            return b""
        folder, _, _ = self.path.rpartition("/")
        with suppress(OSError):
            return bytes(self.system.cat_file(f"{folder}/{name}"))
        return b""

    def open(self) -> IO[bytes]:
        """Open the file for reading.

        A file of a web server is downloaded first, with one request instead of one per piece.
        """
        system = self.system
        if places.WEB.match(self.path):
            import fsspec

            system = fsspec.filesystem("simplecache", fs=system)
        return cast("IO[bytes]", system.open(self.path, "rb", compression=self.compression))

    def hash_into(self, digest: Any) -> None:
        """Add the stored bytes of the file to a digest."""
        with (
            places.refuse_unreadable_file(self.location, self.name),
            self.system.open(self.path, "rb") as file,
        ):
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)

    def stamp(self) -> dict[str, Any]:
        """Return the name, size and version of the file, which show whether it has changed."""
        with places.refuse_unreadable_file(self.location, self.name):
            info = self.system.info(self.path)
        marks = [str(info[name]) for name in VERSION_KEYS if info.get(name)]
        modified = marks[0] if marks else None
        return {"name": self.name, "size": info.get("size"), "modified": modified}


class Dataset:
    """One split of a Hugging Face dataset, given by its name or folder."""

    def __init__(self, location: str, split: str, configuration: str | None) -> None:
        import datasets

        part = f"{configuration}, {split}" if configuration else split
        self.name = f"{location} ({part})"
        datasets.disable_progress_bars()
        try:
            self.data = datasets.load_dataset(location, configuration, split=split)
        except Exception as error:  # the Hub, the network and the dataset can raise any error
            message = places.describe_error(error, location)
            raise UserError("command.no_dataset", name=self.name, error=message) from None

    def rows(self) -> Iterator[Row]:
        """Return the rows of the split, without columns of bytes, such as images."""
        columns = list_readable_columns(self.data.features.arrow_schema)
        data = self.data.select_columns(columns).with_format("arrow")
        return read_batches(data.iter(BATCH_ROWS))

    def stamp(self) -> dict[str, Any]:
        """Return the name and fingerprint, which show whether the dataset has changed."""
        return {"name": self.name, "fingerprint": self.data._fingerprint}
