"""Verdicts in the terminal: rows to read (--sample), and what the verdicts in a column or a file say (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from lens.reports import own_verdicts
from lens.reports.formats import Section
from lens.runs.scored_table import Engine, Table
from lens.tables import places
from lens.tables import verdicts as file
from lens.tables.cells import Kind
from lens.tables.read import KINDS
from lens.tables.roles import item_of
from lens.tables.sources import source_of
from lens.tables.write import write_rows
from lens.words.printed import tell

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
    rows, roles, kept = tables[0].rows, tables[0].roles, tables[0].kinds
    orders = [range(rows), order][: len(tables)]
    likely = in_order(tables, order, lambda table: table.tally.scores(own_verdicts.STAND_IN))
    ways = own_verdicts.samples(in_order(tables, order, marks), likely, tables[0].roll.cluster)
    # Of each answer the system and the row.
    chosen = [divmod(place, rows) for place in ways[-1].places(given.sample, rows)]
    if len(tables) > 1:
        kept = {name: kept[name] for name in (roles.id, roles.question, roles.reference, roles.prediction) if name}
    wanted = [{own[row] for _, row in chosen} for own in orders]
    cells = [
        {row: cells for row, (_, _, cells) in enumerate(table.source.rows()) if row in own}
        for table, own in zip(tables, wanted, strict=True)
    ]
    lines = []
    for system, row in chosen:
        line, at = {name: cells[0][row].get(name) for name in kept}, orders[system][row]
        text = item_of(cells[system][at], tables[system].roles, at + 1).prediction
        line |= {roles.prediction: text} if len(tables) > 1 else {}  # null would tell whose it is
        lines.append(line | {"row": row + 1, "verdict": "", "answer_sha256": file.mark(text)})
    own: dict[str, Kind] = {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.written(given.out) as target:
        write_rows(target, kind, iter(lines), {"row": "integer", **kept, **own})
    out = places.shown(given.out)
    tell(f"{out}: {len(lines):,} answers to read, in this order. Write right or wrong into the column verdict, "
         f"then: --verdict {out}")  # fmt: skip


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


def given_to(tables: Sequence[Table], order: Sequence[int], verdict: str) -> Given:
    """The answers of each system by their marks, and the verdicts on them; BadTable for what is no verdict on them."""
    answers = in_order(tables, order, marks)
    if not is_file(verdict):
        return answers, in_order(tables, order, lambda one: one.roll.verdicts)
    lines, rows = [row for _, _, row in source_of(verdict).rows()], len(answers[0])
    columns = {name: [row.get(name) for row in lines] for name in dict.fromkeys(name for row in lines for name in row)}
    given = file.taken_up(columns, [mark or "" for system in answers for mark in system], rows)
    return answers, own_verdicts.by_system(given, rows, len(answers))


def sections(tables: Sequence[Table], order: Sequence[int], given: Given, names: Sequence[str]) -> list[list[Section]]:
    """What the verdicts say of each system, and of their difference, for the report of each."""
    first, *second = ({one: table.tally.scores(one.key) for one in table.tally.series} for table in tables)
    others = [{one: [column[row] for row in order] for one, column in own.items()} for own in second]
    return own_verdicts.of_systems(*given, [first, *others], names or [""], tables[0].roll.cluster)
