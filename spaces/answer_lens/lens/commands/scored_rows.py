"""The rows with all scores, as score.py writes them to --out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import IO

from lens.commands.targets import output_kind
from lens.experiment.systems import Experiment, System
from lens.inference.recalibration import Recalibration
from lens.scoring.table_scores import listed
from lens.study.engines.resume import Parts
from lens.study.engines.scored_table import Table, answers_of
from lens.study.results import by_question
from lens.study.scored_file import ScoredFileSchema, Scores, answers_in
from lens.tables import places
from lens.tables.write import write_rows

# The scores of another system to the question of a row, and its answer where it comes from another file.
Cells = tuple[Scores, str | None]


@dataclass(frozen=True)
class OtherSystem:
    """A system whose cells stand in the rows of the first one."""

    system: System
    # By the keys of the series, a score for each question.
    scores: Mapping[str, Sequence[float | None]]
    # Gives an answer by its row in the system's own file; None where all systems come from one file.
    read_answer: Callable[[int], str | None] | None

    def cells(self, question: int) -> Cells:
        """Return the scores of this system for a question, and its answers where they come from another file."""
        scores = {key: column[question] for key, column in self.scores.items()}
        if self.read_answer is None:
            return scores, None
        answers = [self.read_answer(row) for row in self.system.answers_to(question)]
        return scores, answers_in(answers)


def write_scored_rows(
    tables: Sequence[Table],
    study: Experiment,
    parts: Parts,
    arguments: argparse.Namespace,
    recalibration: Recalibration | None,
) -> None:
    """Write the first table's rows with the scores of all systems, to one file or to a file for each block.

    Args:
        tables: the scored tables, the first of which has the rows.
        study: the systems and their questions.
        parts: the folder of the run; the files for each block go there.
        arguments: the parsed arguments.
        recalibration: the estimate fitted to verdicts, if there are any.
    """
    first = tables[0]
    kind = output_kind(arguments.out)
    others = study.systems[1:] if len(tables) > 1 else []
    sources = {id(table.source) for table in tables}
    several_files = len(sources) > 1
    layout = ScoredFileSchema(
        first.kinds,
        arguments.metrics,
        study.names if others else [],
        answers=several_files,
        read=bool(first.roll.left_out),
        recalibration=recalibration,
    )
    with ExitStack() as stack:
        other_systems: list[OtherSystem] = []
        for system in others:
            # Answers of other files wait in a file of their own, for their rows may be in another order.
            read_answer = stack.enter_context(answers_of(tables[system.table])) if several_files else None
            scores = scores_by_question(tables[system.table], system, study)
            other_systems.append(OtherSystem(system, scores, read_answer))
        blocks = first.scored(parts, layout, cells_of_others(study, other_systems))
        if not arguments.folder:
            with write_target(arguments.out, parts) as file:
                write_rows(file, kind, chain.from_iterable(blocks), layout.kinds, first.size)
            return
        for number, rows in enumerate(blocks):
            with places.written(f"{parts.folder}/part-{number:06}.{kind}") as file:
                write_rows(file, kind, rows, layout.kinds, first.size)


def scores_by_question(table: Table, system: System, study: Experiment) -> dict[str, Sequence[float | None]]:
    """Return the scores of a system by the keys of their series, each with a value for every question."""
    scores: dict[str, Sequence[float | None]] = {}
    for key, column in table.tally.columns.items():
        scores[key] = listed(by_question(column, system, study.questions))
    return scores


def cells_of_others(study: Experiment, others: Sequence[OtherSystem]) -> Callable[[int], Sequence[Cells]]:
    """Return a function that gives the cells of the other systems for a row of the first table."""
    question_of: dict[int, int] = {}
    if others:
        first = study.systems[0]
        question_of = dict(zip(first.rows.tolist(), first.question.tolist(), strict=True))

    def cells(row: int) -> Sequence[Cells]:
        question = question_of.get(row)
        if question is None:
            return [({}, None)] * len(others)
        return [other.cells(question) for other in others]

    return cells


@contextmanager
def write_target(target: str, parts: Parts | None) -> Iterator[IO[bytes]]:
    """Write a file whole, and note in the parts of the run that it is its own: the run replaces it when it goes on."""
    remote = places.is_address(target)
    with places.written(target) as file:
        yield file
        file.flush()
        size = file.tell()
        if parts and not remote:  # before the file gets its name: a run may be killed right after
            parts.note_written(target, size, os.fstat(file.fileno()).st_mtime_ns)
    if parts and remote:  # after it: an address is written in a transaction, which holds one file
        parts.note_written(target, size)
