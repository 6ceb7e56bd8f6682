"""What a source is made of: files of any filesystem, or a dataset of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, cast

from lens.tables import places
from lens.tables.log import Log
from lens.tables.read import KINDS, find_file_kind, list_readable_columns, read_batches, read_table
from lens.tables.reading import Reading, Row
from lens.words.notes import UserError

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
        name: its file name, which tells its kind and compression and stands in messages.
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
        """Open the file for reading.

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
        """Return what the filesystem says of the file, which tells whether it is still the same."""
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
