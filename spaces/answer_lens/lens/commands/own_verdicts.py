"""Verdicts in the terminal: rows to read (--sample), and what the verdicts in a column or a file say (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lens.reports import own_verdicts
from lens.reports.formats import Section
from lens.runs.progress import tell
from lens.runs.scored_table import Engine, Table
from lens.tables import places
from lens.tables import verdicts as file
from lens.tables.cells import Kind
from lens.tables.read import KINDS
from lens.tables.roles import item_of
from lens.tables.sources import source_of
from lens.tables.write import write_rows

T = TypeVar("T")
# Of each system the marks of its answers, and the verdicts on them.
Given = tuple[Sequence[Sequence[str | None]], Sequence[Sequence[str]]]


def is_file(verdict: str | None) -> bool:
    """Whether --verdict names a file of verdicts, as the page or --sample gives it, and no column."""
    return Path(verdict or "").suffix.lower() in KINDS


def write_sample(
    tables: Sequence[Table], order: Sequence[int], engine: Engine, given: argparse.Namespace, kind: str
) -> None:
    """Write the rows to read, in their order, with an empty column for the verdicts and no score, which would sway.

    Of two systems each row has a line for each answer, and nothing tells which system's it is.
    """
    for table in tables:
        table.score(engine, None)
    first, rows, answer = tables[0], tables[0].rows, tables[0].roles.prediction
    ways = own_verdicts.samples(in_order(tables, order, marks), estimates(tables, order))
    chosen = ways[-1].places(given.sample, rows)
    kept = first.kinds
    if len(tables) > 1:
        roles = first.roles
        kept = {name: kept[name] for name in (roles.id, roles.question, roles.reference, roles.prediction) if name}
    cells = [cells_of(first, {place % rows for place in chosen})]
    cells += [cells_of(table, {order[place - rows] for place in chosen if place >= rows}) for table in tables[1:]]
    lines = []
    for place in chosen:
        line = {name: cells[0][place % rows].get(name) for name in kept}
        system, at = (1, order[place - rows]) if place >= rows else (0, place)
        text = item_of(cells[system][at], tables[system].roles, at + 1).prediction
        line |= {answer: text} if len(tables) > 1 else {}  # null would tell whose it is
        lines.append(line | {"row": place % rows + 1, "verdict": "", "answer_sha256": file.mark(text)})
    own: dict[str, Kind] = {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.written(given.out) as target:
        write_rows(target, kind, iter(lines), {"row": "integer", **kept, **own})
    tell(f"{given.out}: {len(lines):,} answers to read, in this order. Write right or wrong into the column verdict, "
         f"then: --verdict {given.out}")  # fmt: skip


def cells_of(table: Table, wanted: set[int]) -> dict[int, Mapping[str, Any]]:
    """The cells of some rows of a table."""
    return {row: cells for row, (_, _, cells) in enumerate(table.source.rows()) if row in wanted}


def in_order(
    tables: Sequence[Table], order: Sequence[int], column: Callable[[Table], Sequence[T]]
) -> list[Sequence[T]]:
    """A column of each table, the second's with its rows in the order of the first's."""
    first, *second = map(column, tables)
    return [first, *([one[row] for row in order] for one in second)]


def marks(table: Table) -> list[str | None]:
    """What tells each answer of a table from others; None where a row has no answer or no reference."""
    items = table.source.items(table.roles)
    return [None if item.lacks else file.mark(item.prediction) for item in items]


def estimates(tables: Sequence[Table], order: Sequence[int]) -> list[Sequence[float | None]]:
    """How likely each system's answers are right; nothing where the estimate is not among the metrics."""
    if all(series.key != own_verdicts.STAND_IN for series in tables[0].tally.series):
        return []
    return in_order(tables, order, lambda table: table.tally.scores(own_verdicts.STAND_IN))


def said_in(verdict: str, answers: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """The verdicts of a file on the answers of each system, empty where one was not read."""
    lines = [row for _, _, row in source_of(verdict).rows()]
    columns = {name: [row.get(name) for row in lines] for name in dict.fromkeys(name for row in lines for name in row)}
    rows = len(answers[0])
    given = file.taken_up(columns, [mark or "" for system in answers for mark in system], rows)
    return [[given.get(start + row, ("",))[0] for row in range(rows)] for start in range(0, rows * len(answers), rows)]


def given_to(tables: Sequence[Table], order: Sequence[int], verdict: str) -> Given:
    """The answers of each system by their marks, and the verdicts on them; BadTable for what is no verdict on them."""
    answers = in_order(tables, order, marks)
    said = said_in(verdict, answers) if is_file(verdict) else in_order(tables, order, lambda one: one.roll.verdicts)
    return answers, said


def sections(tables: Sequence[Table], order: Sequence[int], given: Given, names: Sequence[str]) -> list[list[Section]]:
    """What the verdicts say of each system, and of their difference, for the report of each."""
    (answers, said), likely = given, estimates(tables, order)
    ways = own_verdicts.samples(answers, likely)
    found = []
    for at, (table, verdicts) in enumerate(zip(tables, said, strict=True)):
        # Of the second system other rows may have an answer, and may have been drawn by its own estimates.
        own = (own_verdicts.samples(answers[1:], likely[1:]) if at else []) + ways
        columns = {series: table.tally.scores(series.key) for series in table.tally.series}
        if at:
            columns = {series: [column[row] for row in order] for series, column in columns.items()}
        found.append(own_verdicts.section(verdicts, columns, own, names[at] if names else ""))
    if len(tables) > 1:
        found[0] += own_verdicts.difference(said, likely, ways, names)
    return found
