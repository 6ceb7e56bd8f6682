"""Reads the files that a visitor chose, and collects why others cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lens.page.tab import VisitorFile, read_upload
from lens.tables.text_files import WrongEncoding
from lens.tables.untrusted import Table
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# How many bytes of memory all files of a visitor may take together.
MAX_FILES_BYTES = 40_000_000


@dataclass(frozen=True, eq=False)
class Files:
    """The files that were read.

    Attributes:
        uploads: the content of each file.
        paths: the path of each upload, by which it is recognised if it is chosen again.
        refusal: why other files could not be read.
    """

    uploads: Sequence[VisitorFile]
    paths: Sequence[str] = ()
    refusal: str = ""

    @property
    def size(self) -> int:
        """The approximate size of all files in memory, in bytes."""
        return sum(file.size for file in self.uploads)

    @property
    def table(self) -> Table:
        """The first table; the columns of the other tables follow its columns."""
        return self.uploads[0].table


@dataclass
class FilesReading:
    """What reading some files gave.

    Attributes:
        uploads: the files that were read, by their paths.
        refusals: the messages of files that cannot be read.
        asks_encoding: whether the user must choose the encoding of a file.
    """

    uploads: dict[str, VisitorFile] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    asks_encoding: bool = False

    @property
    def size(self) -> int:
        """The approximate size of all files in memory, in bytes."""
        return sum(file.size for file in self.uploads.values())


def read_files(paths: Sequence[str], before: Files | None, encoding: str) -> FilesReading:
    """Read files, except those that were read before."""
    known: dict[str, VisitorFile] = {}
    if before:
        known = dict(zip(before.paths, before.uploads, strict=True))
    reading = FilesReading()
    for path in paths:
        try:
            file = known.get(path) or read_upload(path, True, encoding)
            reading.uploads[path] = file
            if reading.size > MAX_FILES_BYTES:
                raise UserError("files_tab.too_much", size=MAX_FILES_BYTES // 1_000_000)
        except UserError as error:
            reading.uploads.pop(path, None)
            refusal = str(error)
            if len(paths) > 1:
                _, _, name = path.rpartition("/")
                refusal = shorten_name(name) + say("page.colon") + refusal
            reading.refusals.append(refusal)
            if isinstance(error, WrongEncoding):
                reading.asks_encoding = True
    return reading
