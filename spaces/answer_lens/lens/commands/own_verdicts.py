"""Writes answers for a person to judge (--sample), and reads the verdicts on them (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
    """Return whether --verdict names a file, which the page or --sample wrote, and not columns."""
    if not verdict or len(verdict) > 1:
        return False
    extension = Path(verdict[0]).suffix.lower()
    return extension in FILE_KINDS


def has_verdicts(study: Study) -> bool:
    """Return whether the tables have verdicts, of a person or of a judge."""
    for table in study.tables:
        roles = table.source.roles
        if roles.verdict or roles.judges:
            return True
    return False


def read_verdict_file(path: str, study: Study) -> list[list[str]]:
    """Return the verdicts of a file on each system's answers; "" for an answer without one.

    Raises:
        UserError: the file has something else than verdicts on these answers.
    """
    rows = list(open_source(path).plain_rows())
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row)
    columns: dict[str, list[Any]] = {}
    for name in names:
        columns[name] = [row.get(name) for row in rows]
    # A mark is a hash by which an answer is recognised.
    marks: list[str] = []
    for system, chosen_rows in zip(study.systems, study.chosen_rows, strict=True):
        marks_of_table = study.marks[system.table]
        marks += [marks_of_table[row] or "" for row in chosen_rows]
    verdicts = verdict_file.read_verdict_file(columns, marks, study.questions)
    return split_by_system(verdicts, study.questions, len(study.systems))


def write_sample(study: Study, arguments: argparse.Namespace, kind: str) -> None:
    """Write the answers to judge, in reading order, with an empty column for verdicts.

    The file has no scores, because they would influence the reader. With several systems, each
    question has one row per distinct answer, and nothing shows which system gave it.

    Args:
        study: the study, scored with the stand-in for verdicts.
        arguments: the parsed arguments.
        kind: the kind of the file.
    """
    systems = study.read_systems(stand_in=arguments.stand_in_score or "")
    samples = study.draw_samples(systems)
    sampled_places = choose_sample(samples).list_places(systems, arguments.sample)
    table_columns = list_table_columns(study)
    rows = list_sample_rows(study, sampled_places, list(table_columns))
    # "row" comes first, even if the table has a column of this name.
    columns: dict[str, ColumnType] = {"row": "integer", **table_columns}
    columns |= {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.open_for_writing(arguments.out) as target:
        write_rows(target, kind, iter(rows), columns)
    out = places.hide_secrets(arguments.out)
    print_lines(
        f"{out}: {len(rows):,} answers to read, in this order. Write right, wrong or declined "
        f"into the column verdict, then: --verdict {out}"
    )


def list_table_columns(study: Study) -> dict[str, ColumnType]:
    """Return the columns of the first system's table that are written, with their types.

    With several systems, these are only columns that do not depend on the system.
    """
    source = study.first.source
    columns: dict[str, ColumnType] = dict(source.column_types)
    if len(study.systems) == 1:
        return columns
    roles = source.roles
    names = (roles.id, roles.question, roles.reference, roles.prediction)
    return {name: columns[name] for name in names if name}


def list_sample_rows(
    study: Study, sampled_places: Sequence[int], names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return one row per answer to judge: the cells of its question, and an empty verdict.

    The cells are those of the first system's row, except for the answer.

    Args:
        study: the study.
        sampled_places: the places of the answers, counted through all systems.
        names: the columns of the table that are written.
    """
    prediction = study.first.source.roles.prediction
    sample = [SampledAnswer(*divmod(place, study.questions)) for place in sampled_places]
    tables = read_sampled_answers(study, sample)
    rows = []
    for system, question in sample:
        first_system_row = study.chosen_rows[0][question]
        cells, _ = tables[0][first_system_row]
        table = study.systems[system].table
        _, answer = tables[table][study.chosen_rows[system][question]]
        row = {name: cells.get(name) for name in names}
        if len(study.systems) > 1:
            # The text is empty if the cell is missing, because that would show the system.
            row[prediction] = answer.prediction
        row["row"] = question + 1
        row["verdict"] = ""
        row["answer_sha256"] = verdict_file.mark_answer(answer.prediction)
        rows.append(row)
    return rows


class SampledAnswer(NamedTuple):
    """The numbers of a system and of a question, from 0."""

    system: int
    question: int


def read_sampled_answers(
    study: Study, sample: Sequence[SampledAnswer]
) -> list[dict[int, tuple[Row, Answer]]]:
    """Return the cells and answers that a sample needs, by row, for each table.

    These are the sampled answers, and the first system's answers to the same questions.
    """
    needed_rows: list[set[int]] = [set() for _ in study.tables]
    for system, question in sample:
        table = study.systems[system].table
        needed_rows[table].add(study.chosen_rows[system][question])
        needed_rows[0].add(study.chosen_rows[0][question])
    tables = []
    for answer_table, rows in zip(study.tables, needed_rows, strict=True):
        tables.append(answer_table.read_places(rows))
    return tables
