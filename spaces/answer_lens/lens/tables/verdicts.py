"""The file of verdicts that the page gives and takes up again."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

from lens.tables.cells import missing
from lens.tables.roles import BadTable, Item, shown, verdict_of
from lens.words import say

HEADS = ("row", "id", "verdict", "time", "answer_sha256")


def mark(answer: str) -> str:
    """What tells an answer from others, so that verdicts are not taken for those on another table."""
    return hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def written(items: Sequence[Item], given: Mapping[int, tuple[str, str]]) -> str:
    """The file of verdicts (CSV): `given` has verdict and time by the place of the row, in the order of reading."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(HEADS)
    for row, (verdict, time) in given.items():
        ident = items[row].id
        # A spreadsheet would take it for a formula.
        ident = f"'{ident}" if ident[:1] in "=+-@\t\r" and ident else ident
        rows.writerow((row + 1, ident, verdict, time, mark(items[row].prediction)))
    return file.getvalue()


def taken_up(columns: Mapping[str, Sequence[Any]], answers: Sequence[str]) -> dict[int, tuple[str, str]]:
    """The verdicts of such a file on the rows of a table with these answers, by their places; BadTable where they
    are on another table.
    """
    if lacking := next((name for name in ("row", "verdict") if name not in columns), ""):
        raise BadTable(say("vd_no_column", column=lacking))
    rows = len(columns["row"])
    times, marks = (columns.get(name, [None] * rows) for name in ("time", "answer_sha256"))
    found = {}
    for number, (cell, said, time, of) in enumerate(
        zip(columns["row"], columns["verdict"], times, marks, strict=True), 1
    ):
        place = str(cell).strip()
        if not place.isdecimal() or not 0 < int(place) <= len(answers):
            raise BadTable(say("vd_no_row", number=number, cell=shown(cell), rows=len(answers)))
        if of and of != mark(answers[int(place) - 1]):
            raise BadTable(say("vd_other_table", row=int(place)))
        if verdict := verdict_of(said, "verdict", number):
            found[int(place) - 1] = (verdict, "" if missing(time) else str(time))
    return found
