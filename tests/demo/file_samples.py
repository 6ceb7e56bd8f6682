"""Read a file from its bytes, for tests of file formats."""

from __future__ import annotations

import io
from typing import Any

import pytest
from lens.tables.file_reading import FileReading
from lens.tables.read import read_table
from lens.words.notes import UserError

Rows = list[dict[str, Any]]


def read_file(kind: str, data: bytes, **options: Any) -> tuple[Rows, str]:
    """Return the rows of a file, and the notes about it."""
    reading = FileReading(**options)
    rows = list(read_table(kind, io.BytesIO(data), None, reading))
    return rows, " ".join(reading.notes)


def read_refusal(kind: str, data: bytes, **options: Any) -> str:
    """Return the error message with which a file is refused."""
    with pytest.raises(UserError) as refused:
        read_file(kind, data, **options)
    return str(refused.value)
