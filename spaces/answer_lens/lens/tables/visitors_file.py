"""Read the bytes of a visitor's file into columns, within limits.

It runs as a program of its own, with a limit on its memory and its time, because a small file can unpack to a huge one:
`python -m lens.tables.visitors_file csv` reads the file from its standard input and writes one line of JSON, {"found",
"more", "rows", "columns"} or {"problem", "values"}, whose words stand in the tables of texts. It gives the columns that
the judge check takes; with `all` as a second word it gives all columns, for the tab "Files".

Cells that are neither texts, numbers nor lists of texts come as {"json": their text}: what they hold would take many
times its length in the memory of the server.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from lens.tables.cells import fits
from lens.tables.read import Unreadable, stream_of, table_rows, text_of

REPLIES = ("generated", "anchor_score", "perturbation_category")
CHANCES = ("chosen_logprob", "rejected_logprob")
TYPE = "perturbation_type"
WANTED = (*REPLIES, *CHANCES, TYPE)

MAX_BYTES = 10_000_000
MAX_ROWS = 10_000
MAX_COLUMNS = 200
MAX_CELL = 100_000
MAX_CHARACTERS = 12_000_000
MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 20
# Named in a message about columns.
MAX_NAMES, MAX_NAME = 30, 60
# How deep lists and objects may lie in each other: nobody else who reads them comes to the end of the stack.
MAX_DEPTH = 50
# A text in a list counts as so many characters more, for that is what it takes in memory.
EACH_TEXT = 20


def depth(cell: Any) -> int:
    """How deep lists and objects lie in each other."""
    inner = cell.values() if isinstance(cell, dict) else cell if isinstance(cell, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def sent(cell: Any, row: int) -> tuple[Any, int]:
    """A cell as it is handed on, and how long it is in characters."""
    if isinstance(cell, str):
        return cell, len(cell)
    if fits("texts", cell):
        return cell, sum(len(text) + EACH_TEXT for text in cell)
    if depth(cell) > MAX_DEPTH:
        raise Unreadable("file_nested", line=row)
    text = json.dumps(cell, ensure_ascii=False)
    return ({"json": text} if isinstance(cell, list | dict) else cell), len(text)


class Columns:
    """Columns that grow row by row, within the limits."""

    def __init__(self, everything: bool) -> None:
        self.everything = everything
        self.names: dict[str, None] = {}
        self.cells: dict[str, list[Any]] = {}
        self.rows = self.total = 0

    def take(self, row: dict[str, Any]) -> None:
        """Add a row; a column that begins only here is empty before."""
        for name in row:
            self.names[name] = None
            if name not in self.cells and (self.everything or name in WANTED):
                self.cells[name] = [None] * self.rows
        self.rows += 1
        if self.rows > MAX_ROWS:
            raise Unreadable("file_rows", limit=MAX_ROWS)
        if len(self.cells) > MAX_COLUMNS:
            raise Unreadable("file_columns", limit=MAX_COLUMNS)
        for name, cells in self.cells.items():
            cell, length = sent(row.get(name), self.rows)
            self.total += length
            if length > MAX_CELL:
                raise Unreadable("file_cell", column=name[:MAX_NAME], row=self.rows, length=length, limit=MAX_CELL)
            if self.total > MAX_CHARACTERS:
                raise Unreadable("file_characters_all" if self.everything else "file_characters", limit=MAX_CHARACTERS)
            cells.append(cell)


def read(kind: str, data: bytes, everything: bool = False) -> dict[str, Any]:
    """The names of all columns, the number of rows and the cells of the columns that count."""
    columns = Columns(everything)
    for row in table_rows(kind, io.BytesIO(data) if kind == "parquet" else stream_of(kind, text_of(data))):
        columns.take(row)
    if not columns.rows:
        raise Unreadable("file_no_rows")
    found = [name[:MAX_NAME] for name in columns.names][:MAX_NAMES]
    return {"found": found, "more": len(columns.names) - len(found), "rows": columns.rows, "columns": columns.cells}


def limit() -> None:
    """Hold this process to its memory and time, where the system can; Windows cannot."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, MAX_SECONDS)):
        hard = resource.getrlimit(kind)[1]
        try:
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        except (ValueError, OSError):
            if sys.platform != "darwin":  # macOS may refuse a limit of memory
                raise


def answer(found: Callable[[], dict[str, Any]], words: str) -> None:
    """Say what is in a file, or why it cannot be read; `words` is how the keys of the texts begin."""
    try:
        said = json.dumps(found(), ensure_ascii=False)
    except Unreadable as error:
        said = json.dumps({"problem": error.problem, "values": error.values})
    except (MemoryError, RecursionError):
        said = json.dumps({"problem": f"{words}_bomb", "values": {}})
    except Exception as error:  # whatever a strange file brings about: its kind is said, and nothing of the file
        said = json.dumps({"problem": f"{words}_failed", "values": {"error": type(error).__name__}})
    sys.stdout.buffer.write(said.encode("utf-8", "surrogatepass"))


def main() -> None:
    """Read the file that comes in, say what is in it."""
    limit()
    answer(lambda: read(sys.argv[1], sys.stdin.buffer.read(MAX_BYTES + 1), "all" in sys.argv[2:]), "file")


if __name__ == "__main__":
    main()
    # At once: what pyarrow does when Python ends may abort the program after all has been said.
    sys.stdout.flush()
    os._exit(0)
