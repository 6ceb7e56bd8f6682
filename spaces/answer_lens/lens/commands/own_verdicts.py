"""Verdicts in the terminal: answers to read (--sample), and what the verdicts in a column or a file say (--verdict)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lens.experiment import verdict_file
from lens.study.annotations import choose_sample, list_samples, mark_answers, read_systems, split_by_system
from lens.study.study import Study
from lens.tables import places
from lens.tables.cells import Kind
from lens.tables.read import KINDS
from lens.tables.sources import open_source
from lens.tables.write import write_rows
from lens.words.printed import print_lines


def is_verdict_file(verdict: Sequence[str] | None) -> bool:
    """Return whether --verdict names a file of verdicts, as the page or --sample gives it, and no column."""
    return len(verdict or ()) == 1 and Path((verdict or [""])[0]).suffix.lower() in KINDS


def has_verdicts(study: Study) -> bool:
    """Return whether the tables have verdicts, of a person or of a judge."""
    return any(table.source.roles.verdict or table.source.roles.judges for table in study.tables)


def read_verdict_file(path: str, study: Study, marks: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """Return the verdicts of a file on each system's answers, empty where there is none.

    Raises:
        UserError: it has what is no verdict on these answers.
    """
    lines = [row for _, _, row in open_source(path).rows()]
    names = dict.fromkeys(name for row in lines for name in row)
    columns = {name: [row.get(name) for row in lines] for name in names}
    known: list[str] = []
    for system, rows in zip(study.systems, study.chosen_rows, strict=True):
        known += [marks[system.table][row] or "" for row in rows]
    verdicts = verdict_file.taken_up(columns, known, study.questions)
    return split_by_system(verdicts, study.questions, len(study.systems))


def write_sample(study: Study, arguments: argparse.Namespace, kind: str) -> None:
    """Write the answers to read, in their order, with an empty column for the verdicts and no score, which would sway.

    Of several systems each question has a line for each answer, equal ones once, and nothing tells whose they are.

    Args:
        study: the study, scored by what stands in for verdicts.
        arguments: the parsed arguments.
        kind: the kind of the file.
    """
    systems = read_systems(study, mark_answers(study), stand_in=arguments.standing or "")
    order = choose_sample(list_samples(systems, study.cluster)).list_places(systems, arguments.sample)
    # Of each answer to read its system and its question.
    chosen = [divmod(place, study.questions) for place in order]
    source = study.first.source
    roles, kinds = source.roles, dict(source.kinds)
    is_blind = len(systems) > 1
    if is_blind:
        names = (roles.id, roles.question, roles.reference, roles.prediction)
        kinds = {name: kinds[name] for name in names if name}
    answers = read_chosen(study, chosen)
    lines: list[dict[str, Any]] = []
    for system, question in chosen:
        cells, _ = answers[0, study.chosen_rows[0][question]]
        _, text = answers[study.systems[system].table, study.chosen_rows[system][question]]
        line = {name: cells.get(name) for name in kinds}
        if is_blind:
            line[roles.prediction] = text  # null would tell whose it is
        mark = verdict_file.mark_answer(text)
        lines.append(line | {"row": question + 1, "verdict": "", "answer_sha256": mark})
    own: dict[str, Kind] = {"row": "integer", "verdict": "text", "answer_sha256": "text"}
    with places.open_for_writing(arguments.out) as target:
        write_rows(target, kind, iter(lines), {"row": "integer", **kinds, **own})
    out = places.hide_secrets(arguments.out)
    print_lines(f"{out}: {len(lines):,} answers to read, in this order. Write right, wrong or declined into the column "
         f"verdict, then: --verdict {out}")  # fmt: skip


def read_chosen(
    study: Study, chosen: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], tuple[Mapping[str, Any], str]]:
    """Return the cells and the text of answers by table and place: of each chosen one, and of the first system's.

    Args:
        study: the study.
        chosen: the system and the question of each answer.
    """
    wanted: set[tuple[int, int]] = set()
    for system, question in chosen:
        wanted.add((study.systems[system].table, study.chosen_rows[system][question]))
        wanted.add((0, study.chosen_rows[0][question]))
    found: dict[tuple[int, int], tuple[Mapping[str, Any], str]] = {}
    for number, table in enumerate(study.tables):
        for place, (cells, answer) in enumerate(table.source.rows_with_answers()):
            if (number, place) in wanted:
                found[number, place] = (cells, answer.prediction)
    return found
