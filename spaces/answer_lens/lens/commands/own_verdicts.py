"""Writes answers to read (--sample), and reads the user's verdicts on them (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens.experiment import verdict_file
from lens.experiment.answers import Answer
from lens.study.annotations import choose_sample, split_by_system
from lens.study.study import Study
from lens.tables import places
from lens.tables.cells import ColumnType
from lens.tables.file_reading import Row
from lens.tables.read import FILE_KINDS
from lens.tables.sources import open_source
from lens.tables.write import write_rows
from lens.words.printed import print_lines


def is_verdict_file(verdict: Sequence[str] | None) -> bool:
    """Return whether --verdict names a file of the page or of --sample, and not a column."""
    if not verdict or len(verdict) > 1:
        return False
    ending = Path(verdict[0]).suffix
    return ending.lower() in FILE_KINDS


def has_verdicts(study: Study) -> bool:
    """Return whether the tables have verdicts, of a person or of a judge."""
    for table in study.tables:
        roles = table.source.roles
        if roles.verdict or roles.judges:
            return True
    return False


def read_verdict_file(path: str, study: Study) -> list[list[str]]:
    """Return the verdicts of a file on each system's answers; an empty text without a verdict.

    Raises:
        UserError: the file has something else than verdicts on these answers.
    """
    lines = list(open_source(path).plain_rows())
    names: dict[str, None] = {}
    for line in lines:
        names |= dict.fromkeys(line)
    columns: dict[str, list[Any]] = {}
    for name in names:
        columns[name] = [line.get(name) for line in lines]
    marks: list[str] = []
    for system, rows in zip(study.systems, study.chosen_rows, strict=True):
        own_marks = study.marks[system.table]
        marks += [own_marks[row] or "" for row in rows]
    verdicts = verdict_file.read_verdict_file(columns, marks, study.questions)
    return split_by_system(verdicts, study.questions, len(study.systems))


def write_sample(study: Study, arguments: argparse.Namespace, kind: str) -> None:
    """Write the answers to read, in reading order, with an empty column for verdicts.

    The file has no scores, because they would influence the reader. With several systems, each
    question has one line per distinct answer, and nothing shows which system gave it.

    Args:
        study: the study, scored with the stand-in for verdicts.
        arguments: the parsed arguments.
        kind: the kind of the file.
    """
    systems = study.read_systems(stand_in=arguments.standing or "")
    samples = study.draw_samples(systems)
    order = choose_sample(samples).list_places(systems, arguments.sample)
    kinds = list_kinds(study)
    lines = list_answers_to_read(study, order, list(kinds))
    columns: dict[str, ColumnType] = {"row": "integer", **kinds}
    columns |= {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.open_for_writing(arguments.out) as target:
        write_rows(target, kind, iter(lines), columns)
    out = places.hide_secrets(arguments.out)
    print_lines(
        f"{out}: {len(lines):,} answers to read, in this order. Write right, wrong or declined "
        f"into the column verdict, then: --verdict {out}"
    )


def list_kinds(study: Study) -> dict[str, ColumnType]:
    """Return the columns of the first system's table that are written.

    With several systems, these are only columns that do not depend on the system.
    """
    source = study.first.source
    kinds: dict[str, ColumnType] = dict(source.kinds)
    if len(study.systems) == 1:
        return kinds
    roles = source.roles
    names = (roles.id, roles.question, roles.reference, roles.prediction)
    return {name: kinds[name] for name in names if name}


def list_answers_to_read(
    study: Study, order: Sequence[int], names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return one line per answer to read: the cells of its question, and an empty verdict.

    The cells are those of the first system's row, except for the answer.

    Args:
        study: the study.
        order: the places of the answers, counted through all systems.
        names: the columns of the table that are written.
    """
    prediction = study.first.source.roles.prediction
    chosen = [divmod(place, study.questions) for place in order]
    tables = read_chosen(study, chosen)
    lines = []
    for system, question in chosen:
        first_row = study.chosen_rows[0][question]
        cells, _ = tables[0][first_row]
        own_table = study.systems[system].table
        own_row = study.chosen_rows[system][question]
        _, answer = tables[own_table][own_row]
        line = {name: cells.get(name) for name in names}
        if len(study.systems) > 1:
            line[prediction] = answer.prediction  # a missing cell would show which system it is
        line["row"] = question + 1
        line["verdict"] = ""
        line["answer_sha256"] = verdict_file.mark_answer(answer.prediction)
        lines.append(line)
    return lines


def read_chosen(
    study: Study, chosen: Sequence[tuple[int, int]]
) -> list[dict[int, tuple[Row, Answer]]]:
    """Return the cells and answers that are needed, per table and by row.

    These are the chosen answers, and the first system's answers to the same questions.

    Args:
        study: the study.
        chosen: the system and the question of each chosen answer.
    """
    wanted: list[set[int]] = [set() for _ in study.tables]
    for system, question in chosen:
        number = study.systems[system].table
        wanted[number].add(study.chosen_rows[system][question])
        wanted[0].add(study.chosen_rows[0][question])
    tables = []
    for table, rows in zip(study.tables, wanted, strict=True):
        tables.append(table.read_places(rows))
    return tables
