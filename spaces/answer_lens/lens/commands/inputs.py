"""Opens the systems to score: files, columns of answers, or systems that a column names."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lens.experiment.systems import MAX_SYSTEMS
from lens.study.study import Study
from lens.study.tables import AnswerTable, FileSource
from lens.tables import places
from lens.tables.references_file import Join
from lens.tables.roles import COLUMN_ROLES, SCORED_EMPTY, NothingToScore, split_by_answer_column
from lens.tables.source_parts import FileOptions
from lens.tables.sources import Source, open_references, open_source
from lens.words import say
from lens.words.notes import Note, UserError
from lens.words.printed import name_by_model, name_systems, print_lines, show_name


class Input(NamedTuple):
    """A table to score: its source, the chosen columns by role, and the name of its system."""

    source: Source
    columns: dict[str, Any]
    name: str


def list_inputs(arguments: argparse.Namespace, columns: dict[str, Any]) -> list[Input]:
    """Return the tables to score; if there are several, each is a system.

    Args:
        arguments: the parsed arguments.
        columns: the columns that the user chose, by role.
    """
    sources, labels = open_sources(arguments, columns)
    answer_columns = list_columns(columns["prediction"])
    answer_columns = drop_repeated(answer_columns, answer_columns)
    if len(answer_columns) > 1:
        if len(sources) > 1:
            raise UserError("command.files_or_columns")
        if columns["system"]:
            raise UserError("command.system_columns")
        return list_column_inputs(sources[0], columns, answer_columns)
    (columns,) = split_by_answer_column(columns)
    if len(sources) == 1:
        return [Input(sources[0], columns, sources[0].name)]
    if columns["system"]:
        raise UserError("command.system_files")
    columns = columns | {"system": ""}
    inputs = []
    for source, name in zip(sources, name_systems(labels), strict=True):
        inputs.append(Input(source, columns, name))
    return inputs


def list_column_inputs(
    source: Source, columns: dict[str, Any], answer_columns: Sequence[str]
) -> list[Input]:
    """Return one table per column of answers in a source."""
    columns_of_systems = split_by_answer_column(
        columns | {"prediction": answer_columns, "system": ""}
    )
    names = name_systems(answer_columns, files=False)
    inputs = []
    for own_columns, name in zip(columns_of_systems, names, strict=True):
        inputs.append(Input(source, own_columns, name))
    return inputs


def open_sources(
    arguments: argparse.Namespace, columns: Mapping[str, Any]
) -> tuple[list[Source], list[str]]:
    """Return the sources that the user named, and their labels."""
    # "doc.answer" may be the column "answer" in an object called "doc".
    nested_names = []
    for role in (*COLUMN_ROLES, "stand_in", "judges"):
        nested_names += [name for name in list_columns(columns[role]) if "." in name]
    paths = [os.path.realpath(places.find_local_path(name)) for name in arguments.input]
    inputs = drop_repeated(arguments.input, paths)
    options = FileOptions(
        arguments.filter, arguments.encoding, arguments.sheet, list_columns(columns["prediction"])
    )
    sources = []
    labels = []
    for name in inputs:
        source = open_source(name, options, nested_names, arguments.split, arguments.config)
        if arguments.system_from_file:
            for part in source.parts:
                sources.append(Source(part.name, [part], nested_names))
                labels.append(part.name)
        else:
            sources.append(source)
            labels.append(places.hide_secrets(name))
    if arguments.references_file:
        references = open_references(
            arguments.references_file, columns, arguments.encoding, arguments.sheet
        )
        sources = [replace(source, references=Join(references, columns)) for source in sources]
    return sources, labels


def drop_repeated(names: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the names without those that mean the same, and print which are repeated.

    Args:
        names: what the user named, such as "a.csv" and "./a.csv".
        keys: what each name means; equal keys mean the same.
    """
    name_of_key: dict[str, str] = {}
    for name, key in zip(names, keys, strict=True):
        name_of_key.setdefault(key, name)
    counts = Counter(keys)
    repeated = []
    for key, name in name_of_key.items():
        if counts[key] > 1:
            repeated.append(places.hide_secrets(name))
    if repeated:
        print_lines(f"Named twice, and read once: {', '.join(repeated)}.")
    return list(name_of_key.values())


def list_columns(columns: str | Sequence[str] | None) -> Sequence[str]:
    """Return the columns that the user chose for a role, which may be one name or several."""
    if isinstance(columns, str):
        return [columns]
    return columns or []


def open_study(inputs: Sequence[Input], is_system_chosen: bool) -> Study:
    """Read the tables, print how they were read, and match their answers.

    A table with nothing to score is reported and left out, if at least two others remain.

    Args:
        inputs: the tables.
        is_system_chosen: whether the user chose the column of systems.
    """
    # Checked before any table is read.
    if len(inputs) > MAX_SYSTEMS:
        raise UserError("systems.many_systems", count=len(inputs), limit=MAX_SYSTEMS)
    tables: list[AnswerTable] = []
    names: list[str] = []
    left_out: list[Note] = []
    has_several = len(inputs) > 1
    for source, columns, name in inputs:
        try:
            table = AnswerTable(FileSource(source, columns), is_matched=has_several)
        except UserError as error:
            if len(inputs) > 2 and isinstance(error, NothingToScore):
                left_out.append(Note("files_tab.left_out", {"name": name, "why": error}))
                continue
            if has_several and not has_value(error.note, name):
                raise UserError("page.error_in", place=name, error=error.note) from None
            raise
        tables.append(table)
        names.append(name)
        print_columns(table, source)
    if has_several and len(tables) < 2:
        raise UserError("command.few_files")
    # The columns of one file have the same model, so they are not named by it.
    origins = {id(table.source.origin) for table in tables}
    if len(origins) > 1:
        models = [table.source.model for table in tables]
        names = name_by_model(names, models)
    study = Study(tables, names, is_system_chosen, left_out)
    for table in tables:
        # `Study` has ignored a guessed column whose systems do not match; it then has no role.
        if not table.index.has_systems:
            table.source.roles = replace(table.source.roles, system="")
    print_lines(*map(str, study.notes))
    return study


def has_value(note: Note, text: str) -> bool:
    """Return whether a text is a value of a note, or of a note within it."""
    for value in note.values.values():
        if value == text:
            return True
        if isinstance(value, Note) and has_value(value, text):
            return True
    return False


def print_columns(table: AnswerTable, source: Source) -> None:
    """Print how a file was read, and the roles of its columns."""
    for line in [*source.describe_logs(), *source.notes()]:
        print_lines(f"{source.name}: {line}")
    if any(len(log.filters) > 1 for log in source.logs()):
        print_lines("Another filter is chosen by --filter NAME, all of them by --filter ''.")
    index = table.index
    roles = []
    for role, name in index.roles.all_columns():
        roles.append(f"{say(f'role.{role}')} = {show_name(name)}")
    rows = "1 row" if index.rows == 1 else f"{index.rows:,} rows"
    print_lines(f"{source.name}: {rows}; {', '.join(roles)}")
    print_lines(*map(str, index.list_notes()))
    if index.notes.skipped or index.notes.scored_blank:
        chosen = index.roles.reading.empty
        other_choices = [choice for choice in SCORED_EMPTY if choice != chosen]
        print_lines(f"Set by --empty {chosen}; the other choices are {', '.join(other_choices)}.")
