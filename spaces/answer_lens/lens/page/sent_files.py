"""What the tabs that take a visitor's files have in common.

What a visitor sends is deleted as soon as it is read; what was read of it is held for an hour, and so are files for
download.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lens.page.html import part
from lens.tables.untrusted import Table, read, read_upload

KINDS = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"]
KEPT_SECONDS = 3600


@dataclass(eq=False)
class Sent:
    """A file that was read: its name, its rows, and whether it is the made-up example."""

    name: str
    table: Table
    made_up: bool = False


def received(path: str, everything: bool = False) -> Sent:
    """A file that was sent, with all its columns or those of the judge check; it is deleted. BadFile where it cannot
    be read.
    """
    return Sent(Path(path).name, read_upload(path, everything))


def example(path: Path, everything: bool = False) -> Sent:
    """An example that comes with the page."""
    return Sent(path.name, read("csv", path.read_bytes(), everything), made_up=True)


def message(text: str) -> str:
    """What stands where results will be, or instead of them."""
    return part("message", text)
