"""Where the command takes its rows from: a file, several of them, or a dataset of Hugging Face. Read as often as asked,
row by row, so that no more than one chunk of it is in memory.
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
CHANGED = ("ETag", "etag", "LastModified", "Last-Modified", "last_modified", "mtime", "modified", "md5Hash")

# How much of a file is hashed at once.
PIECE_BYTES = 1_000_000


class TableFile:
    """A file of a filesystem that fsspec knows: a table, also compressed, or the log of another tool.

    Attributes:
        given: its address as the user wrote it.
        wanted: the filter of a log.
    """

    def __init__(
        self, system: Any, path: str, given: str, name: str, wanted: str | None = None, encoding: str = "",
        sheet: str = "", columns: Sequence[str] = (),
    ) -> None:  # fmt: skip
        from fsspec.utils import infer_compression

        self.system, self.path, self.given, self.name = system, path, given, name
        self.wanted, self.columns, self.log = wanted, columns, Log()
        self.encoding, self.sheet, self.reading = encoding, sheet, Reading()
        self.compression = infer_compression(name)
        self.kind = find_file_kind(name, bool(self.compression))
        if not self.kind:
            raise UserError("command.unknown_kind", name=name, kinds=", ".join(KINDS))

    def rows(self) -> Iterator[Row]:
        """Yield the rows from the beginning; UserError for what cannot be read."""
        self.log = Log(self.wanted, self.path, self.beside, columns=self.columns)
        self.reading = Reading(self.encoding, self.sheet)
        with places.refuse_unreadable_file(self.given, self.name), self.open() as file:
            yield from read_table(self.kind, file, self.log, self.reading)

    def beside(self, name: str) -> bytes:
        """Return what is in another file of its folder; nothing where none can be read. A web server is not asked."""
        with suppress(OSError):
            if not places.WEB.match(self.path):
                return bytes(self.system.cat_file(f"{self.path.rpartition('/')[0]}/{name}"))
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
        with places.refuse_unreadable_file(self.given, self.name), self.system.open(self.path, "rb") as file:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)

    def stamp(self) -> dict[str, Any]:
        """Return what tells whether the file is still the same: what the filesystem says of it, as JSON."""
        with places.refuse_unreadable_file(self.given, self.name):
            info = self.system.info(self.path)
        changed = next((str(info[one]) for one in CHANGED if info.get(one)), None)
        return {"name": self.name, "size": info.get("size"), "modified": changed}


class Dataset:
    """A dataset of Hugging Face, by its name or its folder: one split of it, loaded through the package datasets."""

    def __init__(self, given: str, split: str, configuration: str | None) -> None:
        self.name = f"{given} ({configuration}, {split})" if configuration else f"{given} ({split})"
        import datasets

        datasets.disable_progress_bars()
        try:
            self.data = datasets.load_dataset(given, configuration, split=split)
        except Exception as error:  # whatever the Hub, the network or the dataset's own form brings about
            raise UserError("command.no_dataset", name=self.name, error=places.describe_error(error, given)) from None

    def rows(self) -> Iterator[Row]:
        """Return the rows of the split, without columns of bytes, such as pictures."""
        columns = list_readable_columns(self.data.features.arrow_schema)
        return read_batches(self.data.select_columns(columns).with_format("arrow").iter(BATCH_ROWS))

    def stamp(self) -> dict[str, Any]:
        """Return what tells whether the dataset is still the same."""
        return {"name": self.name, "fingerprint": self.data._fingerprint}


@dataclass(frozen=True)
class Source:
    """A table that can be read again and again, of one part or several; `name` is for reports and messages.

    What has one of the dotted names in `inner` in an object is a column, too, unless a column has that name.
    """

    name: str
    parts: Sequence[TableFile | Dataset]
    inner: Sequence[str] = ()
    references: Join | None = None

    def rows(self) -> Iterator[tuple[str, int, Row]]:
        """Return the rows from the beginning, each with the name of its part and its number there, from 1.

        With references of another file, where there is one.
        """
        return self.references.rows(self.own_rows()) if self.references else self.own_rows()

    def own_rows(self) -> Iterator[tuple[str, int, Row]]:
        """Yield the rows of its own files."""
        for part in self.parts:
            for number, row in enumerate(part.rows(), 1):
                found = {name: cell for name in self.inner if (cell := find_inner(row, name, ABSENT)) is not ABSENT}
                yield part.name, number, row | found if found else row

    def notes(self) -> list[str]:
        """Return what is to be told of how its files were last read."""
        notes = [note for part in self.parts if isinstance(part, TableFile) for note in part.reading.notes]
        return list(dict.fromkeys([*notes, *(self.references.notes if self.references else ())]))

    def logs(self) -> list[Log]:
        """Those of its files that are logs of other tools, as they were last read."""
        return [part.log for part in self.parts if isinstance(part, TableFile) and part.log.tool]

    def describe_logs(self) -> list[str]:
        """Return, in words, what its files were taken for, each once; nothing for ordinary tables."""
        return list(dict.fromkeys(log.describe() for log in self.logs()))

    @property
    def model(self) -> str:
        """The model that its logs name; empty where none does, or they name several."""
        models = {log.model for log in self.logs()}
        return models.pop() if len(models) == 1 else ""

    def answers(self, column: str) -> Iterator[Row]:
        """Yield the rows, once for each answer in their cells of this column, and there as a text."""
        for _, _, row in self.rows():
            for _, one in split_answers(row, column):
                cell = one.get(column)
                yield one if cell is None or isinstance(cell, str) else one | {column: read_answer_text(cell)}

    def describe(self) -> dict[str, Any]:
        """Return its name and the SHA-256 of the bytes of all its files; of a dataset the fingerprint."""
        digest = hashlib.sha256()
        for part in self.parts:
            if isinstance(part, Dataset):
                return {"name": self.name, "fingerprint": part.data._fingerprint}
            part.hash_into(digest)
        return {"name": self.name, "sha256": digest.hexdigest()}

    def stamps(self) -> dict[str, Any]:
        """Return what tells whether the table is still the same: of each file its name, size and time.

        Of a dataset its fingerprint.
        """
        parts = enumerate(part.stamp() for part in self.parts)
        own = {f"{name}{f'.{at}' if at else ''}": value for at, one in parts for name, value in one.items()}
        return {**own, **(self.references.references.stamps if self.references else {})}


def open_source(
    given: str,
    split: str | None = None,
    configuration: str | None = None,
    wanted: str | None = None,
    inner: Sequence[str] = (),
    encoding: str = "",
    sheet: str = "",
    columns: Sequence[str] = (),
) -> Source:
    """Return the source that a user names: with a split a dataset.

    Else a file, or a pattern of files, by path or address. `wanted`: the filter of logs; `inner`: dotted names of
    columns in objects; `encoding` of texts, `sheet` of a workbook; `columns` that the user names.
    """
    options: dict[str, Any] = {"wanted": wanted, "encoding": encoding, "sheet": sheet, "columns": columns}
    if split:
        dataset = Dataset(given, split, configuration)
        return Source(dataset.name, [dataset], inner)
    # On the web a question mark begins a query, and a file may well have the name of a pattern.
    plain = given.partition("?")[0] if places.WEB.match(given) else given
    several, address = (
        bool(MAGIC.search(plain)) and not places.find_local_path(given).is_file(),
        places.is_address(given),
    )
    with places.refuse_unreadable_file(given):
        system, path = places.open_filesystem(given)
        found = system.glob(path, detail=True) if several else {path: system.info(path)}
    if several:
        shown = places.hide_secrets if address else str
        paths = sorted(one for one, info in found.items() if info["type"] != "directory")
        if not paths:
            raise UserError("command.none_fits", name=places.hide_secrets(given))
        return Source(shown(given), [TableFile(system, one, given, shown(one), **options) for one in paths], inner)
    if found[path]["type"] == "directory":
        raise UserError("command.folder", name=given)
    name = unquote(places.hide_secrets(given).rstrip("/").rpartition("/")[2]) if address else Path(path).name
    return Source(name, [TableFile(system, path, given, name, **options)], inner)


def open_references(given: str, columns: Mapping[str, Any], encoding: str = "", sheet: str = "") -> References:
    """Return the references in a file of their own; UserError, with its name, for what is none."""
    source = open_source(given, encoding=encoding, sheet=sheet)
    stamps = {f"references.{name}": value for name, value in source.stamps().items()}
    references = References(source.name, (row for _, _, row in source.rows()), columns, stamps)
    print_lines(*(f"{source.name}: {note}" for note in source.notes()))
    return references
