"""The .eval of inspect_ai: a zip with a member for each sample, and one that tells of them all.

It is read member by member, in memory and within bounds, wherever its names point: nothing of it is
written anywhere.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

from lens.tables import log_formats
from lens.tables.known_formats import list_inspect
from lens.tables.log import Log
from lens.tables.log_formats import INSPECT
from lens.tables.logs import MAX_TOLD, refuse_empty, refuse_filter, refuse_unlike
from lens.tables.reading import Row
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# How a zip begins.
ZIP = b"PK\x03\x04"
# The compression of members that Python's zipfile has from 3.14 on.
ZSTANDARD = 93
# The fixed part of a member's header: its mark, and the lengths of its name and its extra field.
HEADER = struct.Struct("<4s22xHH")
# How many bytes a member may hold.
MAX_MEMBER = 1_000_000_000
# The members that tell of all samples: of an .eval that is whole, and of one whose run was cut off.
HEADS = ("header.json", "_journal/start.json")
# The errors of zipfile about a file that is none.
NO_ZIP = (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError)
# The errors about a member that cannot be read whole.
BROKEN = (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error)


def read_eval_rows(file: IO[bytes], log: Log) -> Iterator[Row]:
    """Yield the rows of an .eval of inspect_ai.

    Raises:
        UserError: it is no whole zip, unpacks to too much, or has a member that is not as
            inspect_ai writes it.
    """
    log.tool = INSPECT
    try:
        archive = zipfile.ZipFile(file)
    except NO_ZIP as error:
        raise UserError("log.zip", message=shorten_name(str(error), MAX_TOLD)) from None
    head, samples = find_members(archive)
    size = sum(member.file_size for member in (head, *samples))
    if log.most is not None and size > log.most:
        raise UserError("file.bytes", limit=log.most // 1_000_000)
    with refuse_unlike(log, head.filename):
        whole = read_member(file, archive, head)
        list_inspect(whole, log)
    for member in samples:
        with refuse_unlike(log, member.filename):
            sample = read_member(file, archive, member)
            yield from log_formats.read_inspect(sample, log)
    refuse_empty(log)
    refuse_filter(log)


def find_members(archive: zipfile.ZipFile) -> tuple[zipfile.ZipInfo, list[zipfile.ZipInfo]]:
    """Return the member of an .eval that tells of all samples, and those of the samples."""
    # Of members of one name the last one counts.
    members = {member.filename: member for member in archive.infolist()}
    samples = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
    for head in HEADS:
        if head in members:
            return members[head], [members[name] for name in samples]
    raise UserError("log.zip", message=HEADS[0])


def read_member(file: IO[bytes], archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """Return what a member of a zip holds as JSON.

    UserError, with its name, where it cannot be read whole.
    """
    try:
        if member.file_size > MAX_MEMBER:
            raise ValueError(f"{member.file_size:,} > {MAX_MEMBER:,}")
        data = unpack_member(file, archive, member)
        if len(data) != member.file_size or zlib.crc32(data) != member.CRC:
            raise ValueError("CRC-32")
        return json.loads(data)
    except BROKEN as error:
        message = shorten_name(str(error), MAX_TOLD)
        raise UserError(
            "log.member", member=shorten_name(member.filename), message=message
        ) from None


def unpack_member(file: IO[bytes], archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member; no more are unpacked than one too many.

    pyarrow, which reads Parquet, knows Zstandard.
    """
    most = member.file_size + 1
    if member.compress_type != ZSTANDARD:
        with archive.open(member) as stream:
            return stream.read(most)
    import pyarrow

    file.seek(member.header_offset)
    mark, name_length, extra_length = HEADER.unpack(file.read(HEADER.size))
    if mark != ZIP:
        raise zipfile.BadZipFile(mark)
    file.seek(name_length + extra_length, 1)
    packed = pyarrow.BufferReader(file.read(member.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as stream:
        return bytes(stream.read(most))
