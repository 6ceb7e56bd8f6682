"""What the tabs that take a visitor's files have in common.

What a visitor sends is deleted as soon as it is read; what was read of it is held for an hour, and so are files for
download.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens.page.html import render
from lens.tables.cells import blank
from lens.tables.untrusted import Table, read, read_upload
from lens.words import say

KINDS = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".gz"]
KEPT_SECONDS = 3600
# Of each tab two runs go on at once; others wait in Gradio's queue.
EVENT: dict[str, Any] = {"concurrency_limit": 2, "api_visibility": "private"}


@dataclass(eq=False)
class Sent:
    """A file that was read: its name, its rows, and whether it is the made-up example."""

    name: str
    table: Table
    made_up: bool = False

    @property
    def names(self) -> list[str]:
        """Its columns."""
        return list(self.table.columns)

    def blanks(self, column: str) -> int:
        """How many cells of a column are missing or blank."""
        return sum(map(blank, self.table.columns.get(column, ())))


def received(path: str, everything: bool = False) -> Sent:
    """A file that was sent, with all its columns or those of the judge check; it is deleted. BadFile where it cannot
    be read.
    """
    return Sent(Path(path).name, read_upload(path, everything))


def example(path: Path, everything: bool = False) -> Sent:
    """An example that comes with the page."""
    return Sent(path.name, read(path.name, path.read_bytes(), everything), made_up=True)


def message(text: str) -> str:
    """What stands where results will be, or instead of them."""
    return render("message.html", title=say("check_results"), text=text)
