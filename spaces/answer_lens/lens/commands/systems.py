"""Which systems are scored: files, columns of answers, or what a column of one table names; read, and matched."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lens.experiment.systems import MAX_SYSTEMS, Experiment, Saying, experiment_of
from lens.reports.contents import names_of
from lens.scoring.rows import Scorer
from lens.study.engines.scored_table import Table
from lens.tables import places
from lens.tables.references_file import Join
from lens.tables.roles import COLUMNS, SCORED_EMPTY, NothingToScore, for_each_answer
from lens.tables.sources import Source, read_references, source_of
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import name_of, names_by_model, tell


class Asked(NamedTuple):
    """A table to score: where it comes from, its columns by role, and what its answers are called."""

    source: Source
    columns: dict[str, Any]
    name: str


def sources_of(given: argparse.Namespace, columns: dict[str, Any]) -> list[Asked]:
    """The tables to score, a system each where there are several."""
    inner = [name for role in (*COLUMNS, "stand_in", "judges") for name in named(columns[role]) if "." in name]
    inputs = once(given.input, [os.path.realpath(places.local_path(one)) for one in given.input])
    options = {"encoding": given.encoding, "sheet": given.sheet}
    asked = {"columns": named(columns["prediction"]), **options}
    sources = [source_of(one, given.split, given.config, given.filter, inner, **asked) for one in inputs]
    labels = list(map(places.shown, inputs))
    if given.system_from_file:
        sources = [Source(part.name, [part], inner) for one in sources for part in one.parts]
        labels = [one.name for one in sources]
    if given.references_file:
        references = read_references(given.references_file, columns, **options)
        sources = [replace(one, references=Join(references, columns)) for one in sources]
    answers = named(columns["prediction"])
    answers = once(answers, answers)
    if len(answers) > 1:
        if len(sources) > 1:
            raise UserError("command_files_or_columns")
        if columns["system"]:
            raise UserError("command_system_columns")
        every = for_each_answer(columns | {"prediction": answers, "system": ""})
        shown = names_of(answers, files=False)
        return [Asked(sources[0], own, name) for own, name in zip(every, shown, strict=True)]
    (columns,) = for_each_answer(columns)
    if len(sources) == 1:
        return [Asked(sources[0], columns, sources[0].name)]
    if columns["system"]:
        raise UserError("command_system_files")
    return [Asked(one, columns | {"system": ""}, name) for one, name in zip(sources, names_of(labels), strict=True)]


def once(given: Sequence[str], marks: Sequence[str]) -> list[str]:
    """What was given, once where a mark comes again, which is told."""
    kept = [at for at, mark in enumerate(marks) if mark not in marks[:at]]
    twice = [places.shown(given[at]) for at in kept if marks.count(marks[at]) > 1]
    if twice:
        tell(f"Named twice, and read once: {', '.join(twice)}.")
    return [given[at] for at in kept]


def named(columns: str | Sequence[str] | None) -> Sequence[str]:
    """The columns that were named for a role."""
    return [columns] if isinstance(columns, str) else columns or []


def read(
    asked: Sequence[Asked], scorers: Sequence[Scorer], given: argparse.Namespace
) -> tuple[list[Table], Experiment]:
    """The tables, and whose answers are to the same questions. A file that has nothing to score is told and left out,
    where two others are left.
    """
    if len(asked) > MAX_SYSTEMS:  # said before any is read
        raise UserError("f_many_systems", count=len(asked), limit=MAX_SYSTEMS)
    tables, names, left_out, several = list[Table](), list[str](), list[Saying](), len(asked) > 1
    for at, (source, columns, name) in enumerate(asked):
        own = [Scorer(one.name, one.settings, one.key) for one in scorers]
        try:
            table = Table(source, own, given.block_rows, f"{at}-" if at else "", several, columns)
        except UserError as error:
            if len(asked) > 2 and isinstance(error, NothingToScore):
                left_out.append(("ft_left_out", {"name": name, "why": error}))
                continue
            if several and name not in str(error):
                raise UserError("error_in", place=name, error=error.note) from None
            raise
        tables.append(table)
        names.append(name)
        shown_columns(table)
    if several and len(tables) < 2:
        raise UserError("command_few_files")
    if len({id(table.source) for table in tables}) > 1:
        names = names_by_model(names, [table.source.model for table in tables])
    found = experiment_of([table.roll for table in tables], names, bool(given.system), left_out)
    for table in tables:
        if not any(table.roll.systems):  # no column names any: what does is a text like others
            table.roles = replace(table.roles, system="")
    tell(*found.told)
    return tables, found


def shown_columns(table: Table) -> None:
    """Say what the file was taken for, where it is a log, and which column for what."""
    for told in table.source.describe_logs():
        tell(f"{table.source.name}: {told}")
    tell(*(f"{table.source.name}: {note}" for note in table.source.notes()))
    if any(len(log.filters) > 1 for log in table.source.logs()):
        tell("Another filter is chosen by --filter NAME, all of them by --filter ''.")
    roll = table.roll
    rows = len(roll) - len(roll.repeats)
    roles = ", ".join(f"{say(f'f_role_{role}')} = {name_of(name)}" for role, name in table.roles.all_columns())
    tell(f"{table.source.name}: {rows:,} row{'s' * (rows != 1)}; {roles}")
    for told in roll.told():
        tell(told)
    if roll.lacking or roll.empty:
        others = [way for way in SCORED_EMPTY if way != table.roles.empty]
        tell(f"Set by --empty {table.roles.empty}; the other choices are {', '.join(others)}.")
