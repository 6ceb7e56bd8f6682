"""The file of verdicts that the page gives and takes up again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lens.experiment.answers import Answer, read_verdict
from lens.experiment.table_notes import count_rows
from lens.tables.cells import parse_whole
from lens.tables.roles import format_cell
from lens.tables.write import format_csv_line
from lens.words.notes import UserError

HEADS = ("row", "id", "verdict", "time", "answer_sha256")
# A time as the page and most programs write it (ISO 8601).
TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
# Before the digits of a mark: a spreadsheet takes some of those for a number, and writes another in their place.
HASH = "sha256:"


def mark_answer(answer: str) -> str:
    """What tells an answer from others, so that verdicts are not taken for those on another table."""
    return HASH + hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def written(items: Sequence[Answer], given: Mapping[int, tuple[str, str]], table: int) -> bytes:
    """The file of verdicts (CSV): `given` has verdict and time by the place of the answer, in the order of reading; a
    second system's stand after those of a table of so many rows.
    """
    lines = ((row % table + 1, items[row].id, *said, mark_answer(items[row].prediction)) for row, said in given.items())
    return b"".join(map(format_csv_line, (HEADS, *lines)))


def taken_up(columns: Mapping[str, Sequence[Any]], known: Sequence[str], rows: int) -> dict[int, tuple[str, str]]:
    """Return the verdicts of such a file by their places in a table, whose answers have these known marks.

    Where a second system's answers come after those of so many rows, the mark tells which of them a verdict is on;
    without one it is on the first's. What is no time is left out, for nothing rests on it.

    Raises:
        UserError: some are on answers that are not there, or two on one answer are not the same.
    """
    if lacking := next((name for name in ("row", "verdict") if name not in columns), ""):
        raise UserError("verdicts.no_column", column=lacking)
    lines = len(columns["row"])
    times, marks = (columns.get(name, [None] * lines) for name in ("time", "answer_sha256"))
    found: dict[int, tuple[str, str]] = {}
    changed = list[int]()
    for number, (cell, said, time, of) in enumerate(
        zip(columns["row"], columns["verdict"], times, marks, strict=True), 1
    ):
        row = parse_whole(str(cell), rows)
        if not row:
            raise UserError("verdicts.no_row", number=number, cell=format_cell(cell), rows=rows)
        places = range(row - 1, len(known), rows)
        meant = [place for place in places if known[place] == HASH + str(of).removeprefix(HASH)] if of else places[:1]
        verdict = read_verdict(said, "verdict", number)
        if verdict and not len(meant):
            changed.append(row)
        if verdict:
            if any(found.get(place, (verdict,))[0] != verdict for place in meant):
                raise UserError("verdicts.twice", number=number, cell=format_cell(said), row=row)
            found |= dict.fromkeys(meant, (verdict, str(time) if TIME.fullmatch(str(time)) else ""))
    if changed:
        raise UserError("verdicts.changed", verdicts=len(changed) + len(found), **count_rows(changed))
    return found
