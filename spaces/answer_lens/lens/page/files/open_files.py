"""Opens a visitor's files as tables, with the names of their systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.page.files.held_source import HeldTable
from lens.page.tab import VisitorFile
from lens.tables.roles import (
    MULTI_COLUMN_ROLES,
    NothingToScore,
    Roles,
    choose_roles,
    guess_roles,
    split_by_answer_column,
)
from lens.words.notes import Note, UserError
from lens.words.printed import name_by_model, name_systems, shorten_name


@dataclass
class OpenTables:
    """The opened tables.

    Attributes:
        tables: the tables.
        names: the name of each table's system.
        left_out: notes on files that have nothing to score.
    """

    tables: list[HeldTable] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    left_out: list[Note] = field(default_factory=list)


def open_tables(files: Sequence[VisitorFile], choices: Mapping[str, Any]) -> OpenTables:
    """Return the tables of files: one per file, or one per column of answers.

    Args:
        files: the files.
        choices: the chosen columns by role, and the options of reading cells.
    """
    has_files = len(files) > 1
    columns = list_columns(choices)
    if has_files and len(columns["prediction"]) > 1:
        raise UserError("files_tab.files_or_columns")
    columns["prediction"] = columns["prediction"] or [""]
    # The choices of each column of answers.
    first, *later_choices = split_by_answer_column({**choices, **columns})
    first["verdict"] = first["verdict"] or ""
    if has_files or later_choices:
        first["system"] = ""
    first_file = files[0]
    names = first_file.table.choices
    roles = choose_roles(names, first)
    opened = open_each_file(files, roles)
    for column_choices in later_choices:
        column_choices["system"] = ""
        roles = choose_roles(names, column_choices)
        opened.tables.append(HeldTable(first_file, roles))
    opened.names = name_tables(opened.tables, has_files)
    return opened


def list_columns(choices: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the chosen columns of each role that may have several."""
    columns = {}
    for role in MULTI_COLUMN_ROLES:
        chosen = choices.get(role) or []
        if isinstance(chosen, str):
            chosen = [chosen]
        columns[role] = list(chosen)
    return columns


def name_tables(tables: Sequence[HeldTable], has_files: bool) -> list[str]:
    """Return the name of each table's system: its file, or its column of answers."""
    if len(tables) == 1:
        return [tables[0].file.name]
    if not has_files:
        columns = [table.source.roles.prediction for table in tables]
        return name_systems(columns, files=False)
    names = name_systems([table.file.name for table in tables])
    models = [table.source.model for table in tables]
    return name_by_model(names, models)


def open_each_file(files: Sequence[VisitorFile], roles: Roles) -> OpenTables:
    """Return one table per file; of three or more files, those with nothing to score are left out.

    Raises:
        UserError: a file cannot be read, or none has something to score.
    """
    opened = OpenTables()
    for file in files:
        try:
            roles_of_file = roles if file is files[0] else guess_same_roles(file, roles)
            opened.tables.append(HeldTable(file, roles_of_file))
        except UserError as error:
            if len(files) == 1:
                raise
            name = shorten_name(file.name)
            can_be_left_out = len(files) > 2 and isinstance(error, NothingToScore)
            if not can_be_left_out:
                raise UserError("page.error_in", place=name, error=error.note) from None
            note = Note("files_tab.left_out", {"name": name, "why": error})
            opened.left_out.append(note)
    if not opened.tables:
        raise UserError(opened.left_out[0])
    return opened


def guess_same_roles(file: VisitorFile, roles: Roles) -> Roles:
    """Return the roles of another file's columns: as in the first file, or else guessed."""
    names = file.table.choices
    guessed = guess_roles(names)
    columns: dict[str, Any] = {"prediction": guessed.prediction}
    for role, name in roles.single_columns().items():
        if name in names:
            columns[role] = name
    columns["stand_in"] = roles.stand_in
    columns |= vars(roles.reading)
    more_references = [name for name in roles.more_references if name in names]
    columns["more_references"] = tuple(more_references)
    # A role without a column in the first file has none in the other files.
    for role in ("question", "keywords", "id", "verdict"):
        if not getattr(roles, role):
            columns[role] = ""
    columns["group"] = ""
    columns["system"] = ""
    columns["judges"] = [name for name in roles.judges if name in names]
    return choose_roles(names, columns)
