"""Verdicts in the terminal: answers to read (--sample), and what the verdicts in a column or a file say (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lens.experiment import verdict_file as file
from lens.experiment.answers import make_answer
from lens.experiment.survey import read_answers
from lens.experiment.systems import Experiment
from lens.study.annotations import (
    SystemVerdicts,
    choose_answers,
    choose_sample,
    list_samples,
    split_by_system,
    with_judges,
)
from lens.study.engines.scored_table import Engine, Table
from lens.tables import places
from lens.tables.cells import Kind
from lens.tables.read import KINDS
from lens.tables.sources import source_of
from lens.tables.write import write_rows
from lens.words.printed import tell


def is_file(verdict: Sequence[str] | None) -> bool:
    """Whether --verdict names a file of verdicts, as the page or --sample gives it, and no column."""
    return len(verdict or ()) == 1 and Path((verdict or [""])[0]).suffix.lower() in KINDS


def asked(tables: Sequence[Table], verdict: Sequence[str] | None) -> bool:
    """Whether there is something to say of verdicts: of a person's, or of a judge's in the table."""
    return is_file(verdict) or any(table.roles.verdict or table.roles.judges for table in tables)


def marked(tables: Sequence[Table], found: Experiment) -> list[SystemVerdicts]:
    """The answers of each system by their marks; None where one has no answer or no reference."""
    marks = []
    for table in tables:
        items = read_answers(table.source, table.roles)
        marks.append([None if item.skip_reason else file.mark(item.prediction) for item in items])
    every = []
    for one in found.systems:
        rows = choose_answers(one)
        every.append(SystemVerdicts(one.name, [marks[one.table][row] for row in rows], {}, rows=rows))
    return every


def scored(
    tables: Sequence[Table], found: Experiment, given: Sequence[SystemVerdicts], stand_in: str | None
) -> list[SystemVerdicts]:
    """The same with the scores, what judges say, and what stands in: a series of this name, or the table's column."""
    every = []
    for one, read in zip(found.systems, given, strict=True):
        table = tables[one.table]
        columns = {series: table.tally.scores(series.key) for series in table.tally.series}
        of_read = {series: [column[row] for row in read.rows] for series, column in columns.items()}
        every.append(with_judges(replace(read, columns=of_read), table.tally, table.roll, stand_in or ""))
    return every


def write_sample(
    tables: Sequence[Table], found: Experiment, engine: Engine, given: argparse.Namespace, kind: str
) -> None:
    """Write the answers to read, in their order, with an empty column for the verdicts and no score, which would sway.

    Of several systems each question has a line for each answer, equal ones once, and nothing tells whose they are.
    """
    for table in tables:
        table.score(engine, None)
    systems = scored(tables, found, marked(tables, found), given.standing)
    first, several = tables[0], len(systems) > 1
    roles, kept = first.roles, first.kinds
    chosen = choose_sample(list_samples(systems, found.cluster)).places(systems, given.sample)
    if several:
        kept = {name: kept[name] for name in (roles.id, roles.question, roles.reference, roles.prediction) if name}
    rows = [choose_answers(one) for one in found.systems]
    # Of each answer its question, its table and its row there; of the question its row in the first table.
    wanted = [(at % found.questions, found.systems[at // found.questions].table,
               rows[at // found.questions][at % found.questions]) for at in chosen]  # fmt: skip
    asked = {question: rows[0][question] for question, *_ in wanted}
    needed: list[set[int]] = [{row for _, of, row in wanted if of == at} for at in range(len(tables))]
    needed[0] |= {*asked.values()}
    cells = [
        {row: cells for row, cells in enumerate(table.source.answers(table.roles.prediction)) if row in own}
        for table, own in zip(tables, needed, strict=True)
    ]
    lines = []
    for question, of, row in wanted:
        line = {name: cells[0][asked[question]].get(name) for name in kept}
        text = make_answer(cells[of][row], tables[of].roles, row + 1).prediction
        line |= {roles.prediction: text} if several else {}  # null would tell whose it is
        lines.append(line | {"row": question + 1, "verdict": "", "answer_sha256": file.mark(text)})
    own: dict[str, Kind] = {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.written(given.out) as target:
        write_rows(target, kind, iter(lines), {"row": "integer", **kept, **own})
    out = places.shown(given.out)
    tell(f"{out}: {len(lines):,} answers to read, in this order. Write right, wrong or declined into the column "
         f"verdict, then: --verdict {out}")  # fmt: skip


def given_to(tables: Sequence[Table], found: Experiment, file_name: str) -> list[SystemVerdicts]:
    """The answers of each system by their marks, and the verdicts on them, from a file or without one from the tables;
    UserError for what is no verdict on them.
    """
    systems = marked(tables, found)
    if not file_name:
        said = [[tables[one.table].roll.verdicts[row] for row in choose_answers(one)] for one in found.systems]
    else:
        lines = [row for _, _, row in source_of(file_name).rows()]
        names = dict.fromkeys(name for row in lines for name in row)
        columns = {name: [row.get(name) for row in lines] for name in names}
        known = [mark or "" for one in systems for mark in one.answers]
        given = file.taken_up(columns, known, found.questions)
        said = split_by_system(given, found.questions, len(systems))
    return [replace(one, said=own) for one, own in zip(systems, said, strict=True)]
