"""Surveys a table: its roles, the kinds of its columns, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lens.experiment.answers import Answer, make_answer
from lens.tables.cells import Kind, find_kinds, split_answers
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
                raise UserError("page.error_in", place=place, error=error.note) from None


def survey_table(source: Source, given: Mapping[str, Any]) -> tuple[Roles, dict[str, Kind]]:
    """Read all rows of a table, and return its roles and the kind of each column.

    A JSON file may have new columns in later rows, so the roles are chosen after all rows are read.

    Args:
        source: the table.
        given: the roles that the user chose.

    Raises:
        UserError: a needed role has no column.
    """
    unfit: dict[str, str] = {}
    rows = (row for _, _, row in source.rows())
    kinds = find_kinds(note_wrong_verdicts(rows, unfit))
    if not kinds:
        raise NothingToScore("command.no_rows", name=source.name)
    chosen = dict(given)
    if chosen.get("references") is None and any(log.needs_all for log in source.logs()):
        chosen["references"] = "all"
    names = list(kinds)
    try:
        roles = choose_roles(names, chosen, unfit)
    except MissingRole as error:
        options = Note("table.no_role_options", {"options": error.options})
        raise UserError(join_notes(error.note, options)) from None
    for name, message in unfit.items():
        role = "judges" if is_judge_column(name) else "verdict"
        if chosen.get(role) is None:
            print_lines(message)
    guessed = [role for role in ("reference", "prediction") if chosen.get(role) is None]
    for doubt in find_doubts(names, roles.single_columns(), guessed):
        print_lines(doubt.describe(command=True))
    kinds[roles.prediction] = "text"  # each answer in a list gets its own row
    return roles, kinds
