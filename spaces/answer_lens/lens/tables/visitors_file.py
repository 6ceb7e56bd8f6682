"""Read the bytes of a visitor's file into columns, within limits.

It runs as a program of its own, with a limit on its memory and its time, because a small file can unpack to a huge one:
`python tables/visitors_file.py csv` reads the file from its standard input and writes one line of JSON, {"found",
"more", "rows",
"columns"} or {"problem", "values"}, whose words stand in the tables of texts. It gives the columns that the judge check
takes; `python tables/visitors_file.py csv all` gives all columns, for the tab "Files".
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from lens.tables.read import Row, Unreadable, csv_rows, json_rows, parquet_rows, stream_of, text_of
from lens.tables.roles import KNOWN

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


def length_of(cell: Any) -> int:
    """How long a cell is, in characters."""
    return len(cell) if isinstance(cell, str) else len(json.dumps(cell))


def table(kind: str, data: bytes, wanted: tuple[str, ...] | None) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns and the rows of a file."""
    if kind == "parquet":
        import io

        return parquet_rows(io.BytesIO(data), wanted, MAX_ROWS)
    stream = stream_of(kind, text_of(data))
    return csv_rows(stream, wanted or KNOWN, wanted) if kind == "csv" else json_rows(stream, wanted)


class Columns:
    """Columns that grow row by row, within the limits."""

    def __init__(self, wanted: tuple[str, ...] | None) -> None:
        self.wanted = wanted
        self.cells: dict[str, list[Any]] = {}
        self.total = 0

    def take(self, names: list[str], row: Row, number: int) -> None:
        """Add a row; a column that begins only here is empty before."""
        for name in names:
            if name not in self.cells and (self.wanted is None or name in self.wanted):
                self.cells[name] = [None] * (number - 1)
        if len(self.cells) > MAX_COLUMNS:
            raise Unreadable("file_columns", limit=MAX_COLUMNS)
        for name, cells in self.cells.items():
            cell = row.get(name)
            length = length_of(cell)
            self.total += length
            if length > MAX_CELL:
                raise Unreadable("file_cell", column=name[:MAX_NAME], row=number, length=length, limit=MAX_CELL)
            if self.total > MAX_CHARACTERS:
                problem = "file_characters" if self.wanted else "file_characters_all"
                raise Unreadable(problem, limit=MAX_CHARACTERS)
            cells.append(cell)


def read(kind: str, data: bytes, everything: bool = False) -> dict[str, Any]:
    """The names of all columns, the number of rows and the cells of the columns that count."""
    wanted = None if everything else WANTED
    names, rows = table(kind, data, wanted)
    columns, count = Columns(wanted), 0
    for count, row in enumerate(rows, 1):
        if count > MAX_ROWS:
            raise Unreadable("file_rows", limit=MAX_ROWS)
        columns.take(names, row, count)
    if not count:
        raise Unreadable("file_no_rows")
    shown = [name[:MAX_NAME] for name in names[:MAX_NAMES]]
    cells = {name: columns.cells[name] for name in (WANTED if wanted else names) if name in columns.cells}
    return {"found": shown, "more": len(names) - len(shown), "rows": count, "columns": cells}


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
        said = json.dumps(found())
    except Unreadable as error:
        said = json.dumps({"problem": error.problem, "values": error.values})
    except (MemoryError, RecursionError):
        said = json.dumps({"problem": f"{words}_bomb", "values": {}})
    except Exception as error:  # whatever a strange file brings about: its kind is said, and nothing of the file
        said = json.dumps({"problem": f"{words}_failed", "values": {"error": type(error).__name__}})
    sys.stdout.write(said)


def main() -> None:
    """Read the file that comes in, say what is in it."""
    limit()
    answer(lambda: read(sys.argv[1], sys.stdin.buffer.read(MAX_BYTES + 1), "all" in sys.argv[2:]), "file")


if __name__ == "__main__":
    main()
