"""Surveys a table: its roles, the types of its columns, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lens.experiment.answers import Answer, make_answer
from lens.tables.cells import ColumnType, find_column_types, split_answers
from lens.tables.column_names import find_doubts, is_judge_column
from lens.tables.roles import MissingRole, NothingToScore, Roles, choose_roles, note_wrong_verdicts
from lens.tables.sources import Source
from lens.words.notes import Note, UserError, join_notes
from lens.words.printed import print_lines


def read_answers(source: Source, roles: Roles) -> Iterator[Answer]:
    """Yield the answers of a table.

    Raises:
        UserError: an answer cannot be read; the message has the name of its file.
    """
    for place, number, row in source.rows():
        for sample, cells in split_answers(row, roles.prediction):
            try:
                yield make_answer(cells, roles, number, sample)
            except UserError as error:
                message = error.note
                raise UserError("page.error_in", place=place, error=message) from None


def survey_table(
    source: Source, chosen_roles: Mapping[str, Any]
) -> tuple[Roles, dict[str, ColumnType]]:
    """Read all rows of a table, and return its roles and the type of each column.

    A JSON file may have new columns in later rows, so the roles are chosen after all rows are read.

    Args:
        source: the table.
        chosen_roles: the roles and the options of reading that the user chose.

    Raises:
        NothingToScore: the table has no rows.
        UserError: a needed role has no column.
    """
    wrong_verdicts: dict[str, str] = {}
    plain_rows = source.plain_rows()
    rows = note_wrong_verdicts(plain_rows, wrong_verdicts)
    column_types = find_column_types(rows)
    if not column_types:
        raise NothingToScore("command.no_rows", name=source.name)
    names = list(column_types)
    chosen = dict(chosen_roles)
    is_rule_chosen = chosen.get("references") is not None
    if not is_rule_chosen and needs_all_references(source):
        chosen["references"] = "all"
    try:
        roles = choose_roles(names, chosen, wrong_verdicts)
    except MissingRole as error:
        options = Note("table.no_role_options", {"options": error.options})
        raise UserError(join_notes(error.note, options)) from None
    print_wrong_verdicts(wrong_verdicts, chosen)
    print_doubts(names, roles, chosen)
    # Each answer in a list gets its own row.
    column_types[roles.prediction] = "text"
    return roles, column_types


def needs_all_references(source: Source) -> bool:
    """Return whether a log says that an answer has to name all references."""
    return any(log.needs_all for log in source.logs())


def print_wrong_verdicts(messages: Mapping[str, str], chosen: Mapping[str, Any]) -> None:
    """Print the messages on columns that are named like verdicts but have another cell.

    Args:
        messages: the messages by column.
        chosen: the roles that the user chose. A chosen role needs no message.
    """
    for name, message in messages.items():
        role = "judges" if is_judge_column(name) else "verdict"
        is_role_chosen = chosen.get(role) is not None
        if not is_role_chosen:
            print_lines(message)


def print_doubts(names: Sequence[str], roles: Roles, chosen: Mapping[str, Any]) -> None:
    """Print a line for each guessed role whose column may be another one."""
    guessed = []
    for role in ("reference", "prediction"):
        if chosen.get(role) is None:
            guessed.append(role)
    columns = roles.single_columns()
    for doubt in find_doubts(names, columns, guessed):
        message = doubt.describe(command=True)
        print_lines(message)
