"""Verdicts in the terminal: rows to read (--sample), and what the verdicts in a column or a file say (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lens.reports import own_verdicts
from lens.reports.formats import Section
from lens.runs.progress import tell
from lens.runs.scored_table import Engine, Table
from lens.scoring.catalog import Series
from lens.tables import places
from lens.tables import verdicts as file
from lens.tables.cells import Kind
from lens.tables.read import KINDS
from lens.tables.roles import item_of
from lens.tables.sources import source_of
from lens.tables.write import write_rows
from lens.words import say


def is_file(verdict: str | None) -> bool:
    """Whether --verdict names a file of verdicts, as the page or --sample gives it, and no column."""
    return bool(verdict) and Path(verdict or "").suffix.lower() in KINDS and Path(verdict or "").is_file()


def write_sample(table: Table, engine: Engine, given: argparse.Namespace, kind: str) -> None:
    """Write the rows to read, in their order, with an empty column for the verdicts and no score, which would sway."""
    table.score(engine, None)
    estimates = table.tally.scores(own_verdicts.STAND_IN)
    order = own_verdicts.order_of(table.rows, lacking(table), estimates, given.sample)
    wanted = set(order)
    found = {row: cells for row, (_, _, cells) in enumerate(table.source.rows()) if row in wanted}
    kinds: dict[str, Kind] = {"row": "integer", **table.kinds, "verdict": "text", "answer_sha256": "text"}
    answers = {row: file.mark(item_of(cells, table.roles, row + 1).prediction) for row, cells in found.items()}
    own = {row: {"row": row + 1, "verdict": "", "answer_sha256": mark} for row, mark in answers.items()}
    named = [{**dict.fromkeys(kinds), **found[row], **own[row]} for row in order]
    with places.written(given.out) as target:
        write_rows(target, kind, iter(named), kinds)
    tell(f"{given.out}: {len(order):,} rows to read, in this order. Write right or wrong into the column verdict, "
         f"then: --verdict {given.out}")  # fmt: skip


def lacking(table: Table) -> set[int]:
    """The rows without an answer or a reference, counted from 0."""
    return {row - 1 for rows in table.roll.lacking.values() for row in rows}


def said_of(table: Table, verdict: str) -> list[str]:
    """The verdict on each row of a table, empty where it was not read."""
    if not is_file(verdict):
        return table.roll.verdicts
    columns: dict[str, list[Any]] = {}
    for at, (_, _, row) in enumerate(source_of(verdict).rows()):
        for name in row:
            columns.setdefault(name, [None] * at).append(row[name])
    items = table.source.items(table.roles)
    answers = [item.prediction for item in items] if "answer_sha256" in columns else [""] * table.rows
    given = file.taken_up(columns, answers)
    return [given[row][0] if row in given else "" for row in range(table.rows)]


def columns_of(table: Table) -> Mapping[Series, Sequence[float | None]]:
    """The scores of a table by series."""
    return {series: table.tally.scores(series.key) for series in table.tally.series}


def sections(tables: Sequence[Table], order: Sequence[int], verdict: str, names: Sequence[str]) -> list[list[Section]]:
    """What the verdicts say of each system, and of their difference, for the report of each."""
    found, said = [], [said_of(table, verdict) for table in tables]
    for table, verdicts in zip(tables, said, strict=True):
        findings = own_verdicts.of_rows(verdicts, columns_of(table), lacking(table))
        few = Section(say("vd_title"), lines=[(say("rd_few", missing=own_verdicts.missing(verdicts)), "")])
        found.append(own_verdicts.section(findings) if findings else [few])
    if len(tables) > 1:
        first, second = said[0], [said[1][row] for row in order]
        estimates = [table.tally.scores(own_verdicts.STAND_IN) for table in tables] if estimated(tables) else []
        if estimates:
            estimates[1] = [estimates[1][row] for row in order]
        found[0] += own_verdicts.difference(first, second, estimates, names)
    return found


def estimated(tables: Sequence[Table]) -> bool:
    """Whether the estimate is among the metrics."""
    return any(series.key == own_verdicts.STAND_IN for series in tables[0].tally.series)
