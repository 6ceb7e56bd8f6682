"""Reading the bytes of a file, for the tests of the kinds of files."""

from __future__ import annotations

import io
from typing import Any

import pytest
from lens.tables.file_reading import FileReading
from lens.tables.read import read_table
from lens.words.notes import UserError

Rows = list[dict[str, Any]]


def read_file(kind: str, data: bytes, **options: Any) -> tuple[Rows, str]:
    """Return the rows of a file, and what is said of it."""
    reading = FileReading(**options)
    rows = list(read_table(kind, io.BytesIO(data), None, reading))
    return rows, " ".join(reading.notes)


def read_refusal(kind: str, data: bytes, **options: Any) -> str:
    """Return why a file is refused."""
    with pytest.raises(UserError) as refused:
        read_file(kind, data, **options)
    return str(refused.value)
