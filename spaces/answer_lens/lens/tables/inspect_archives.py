"""Reads the .eval files of inspect_ai.

Such a file is a zip archive with one member per sample, and one member with the header. Members are
read in memory, one by one and with size limits. Nothing is written to disk, so their names cannot
do harm.
"""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

from lens.tables import log_formats
from lens.tables.file_reading import Row
from lens.tables.known_formats import list_inspect
from lens.tables.log import MAX_ERROR_LENGTH, Log
from lens.tables.log_formats import INSPECT
from lens.tables.logs import convert_errors, require_filter, require_rows
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# The first bytes of a zip archive.
ZIP_MARK = b"PK\x03\x04"
# The number of Zstandard compression, which Python's zipfile reads from 3.14 on.
ZSTANDARD = 93
# The fixed part of a member's header: its signature, and the lengths of its name and extra field.
MEMBER_HEADER = struct.Struct("<4s22xHH")
# The largest size of an unpacked member.
MAX_MEMBER_BYTES = 1_000_000_000
# The member with the log's header: in a complete file, and in that of an interrupted run.
HEADER_NAMES = ("header.json", "_journal/start.json")
# The errors that zipfile raises if a file is not a zip archive.
ZIP_ERRORS = (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError)
# The errors raised if a member cannot be read completely.
MEMBER_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)


def read_eval_rows(file: IO[bytes], log: Log) -> Iterator[Row]:
    """Yield the rows of an .eval of inspect_ai.

    Raises:
        UserError: the file is not a complete zip archive, its unpacked size is above the limit, or
            a member is malformed.
    """
    log.tool = INSPECT
    try:
        archive = zipfile.ZipFile(file)
    except ZIP_ERRORS as error:
        raise UserError("log.zip", message=shorten_name(str(error), MAX_ERROR_LENGTH)) from None
    header, samples = find_members(archive)
    size = sum(member.file_size for member in (header, *samples))
    if log.max_unpacked_bytes is not None and size > log.max_unpacked_bytes:
        raise UserError("file.bytes", limit=log.max_unpacked_bytes // 1_000_000)
    with convert_errors(log, header.filename):
        document = read_member(file, archive, header)
        # The header has no samples, but the facts on the whole log.
        list_inspect(document, log)
    for member in samples:
        with convert_errors(log, member.filename):
            sample = read_member(file, archive, member)
            yield from log_formats.read_inspect(sample, log)
    require_rows(log)
    require_filter(log)


def find_members(archive: zipfile.ZipFile) -> tuple[zipfile.ZipInfo, list[zipfile.ZipInfo]]:
    """Return the member with the header of an .eval file, and the members with its samples."""
    # If several members have the same name, the last one counts.
    members = {member.filename: member for member in archive.infolist()}
    samples = []
    for name, member in members.items():
        if name.startswith("samples/") and name.endswith(".json"):
            samples.append(member)
    for name in HEADER_NAMES:
        if name in members:
            return members[name], samples
    raise UserError("log.zip", message=HEADER_NAMES[0])


def read_member(file: IO[bytes], archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """Parse the JSON in a member of a zip archive.

    Raises:
        UserError: the member cannot be read completely; the message has its name.
    """
    try:
        if member.file_size > MAX_MEMBER_BYTES:
            raise ValueError(f"{member.file_size:,} > {MAX_MEMBER_BYTES:,}")
        data = unpack_member(file, archive, member)
        if len(data) != member.file_size or zlib.crc32(data) != member.CRC:
            raise ValueError("CRC-32")
        return json.loads(data)
    except MEMBER_ERRORS as error:
        message = shorten_name(str(error), MAX_ERROR_LENGTH)
        raise UserError(
            "log.member", member=shorten_name(member.filename), message=message
        ) from None


def unpack_member(file: IO[bytes], archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack a member, and stop one byte after the size that it declares.

    pyarrow, which is needed for Parquet anyway, unpacks Zstandard.
    """
    max_bytes = member.file_size + 1
    if member.compress_type != ZSTANDARD:
        with archive.open(member) as stream:
            return stream.read(max_bytes)
    import pyarrow

    file.seek(member.header_offset)
    mark, name_length, extra_length = MEMBER_HEADER.unpack(file.read(MEMBER_HEADER.size))
    if mark != ZIP_MARK:
        raise zipfile.BadZipFile(mark)
    file.seek(name_length + extra_length, os.SEEK_CUR)
    packed = pyarrow.BufferReader(file.read(member.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as stream:
        return bytes(stream.read(max_bytes))
