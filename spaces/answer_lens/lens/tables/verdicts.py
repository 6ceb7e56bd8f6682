"""The file of verdicts that the page gives and takes up again."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

from lens.tables.cells import harmless, missing
from lens.tables.roles import BadTable, Item, shown, verdict_of
from lens.words import say

HEADS = ("row", "id", "verdict", "time", "answer_sha256")


def mark(answer: str) -> str:
    """What tells an answer from others, so that verdicts are not taken for those on another table."""
    return hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def written(items: Sequence[Item], given: Mapping[int, tuple[str, str]], table: int) -> str:
    """The file of verdicts (CSV): `given` has verdict and time by the place of the answer, in the order of reading; a
    second system's stand after those of a table of so many rows.
    """
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(HEADS)
    for row, (verdict, time) in given.items():
        rows.writerow((row % table + 1, harmless(items[row].id), verdict, time, mark(items[row].prediction)))
    return file.getvalue()


def taken_up(columns: Mapping[str, Sequence[Any]], known: Sequence[str], rows: int) -> dict[int, tuple[str, str]]:
    """The verdicts of such a file by their places in a table, whose answers have these known marks; BadTable where they
    are on another table. Where a second system's answers come after those of so many rows, the mark tells which of them
    a verdict is on; without one it is on the first's.
    """
    if lacking := next((name for name in ("row", "verdict") if name not in columns), ""):
        raise BadTable(say("vd_no_column", column=lacking))
    lines = len(columns["row"])
    times, marks = (columns.get(name, [None] * lines) for name in ("time", "answer_sha256"))
    found: dict[int, tuple[str, str]] = {}
    for number, (cell, said, time, of) in enumerate(
        zip(columns["row"], columns["verdict"], times, marks, strict=True), 1
    ):
        row = str(cell).strip()
        if not row.isdecimal() or not 0 < int(row) <= rows:
            raise BadTable(say("vd_no_row", number=number, cell=shown(cell), rows=rows))
        places = range(int(row) - 1, len(known), rows)
        meant = [place for place in places if known[place] == of] if of else places[:1]
        if not len(meant):
            raise BadTable(say("vd_other_table", row=int(row)))
        if verdict := verdict_of(said, "verdict", number):
            found |= dict.fromkeys(meant, (verdict, "" if missing(time) else str(time)))
    return found
