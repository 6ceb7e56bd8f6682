"""The rows with all scores, as score.py writes them to --out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO

from lens.commands.targets import output_kind
from lens.runs.resume import Parts
from lens.runs.scored_table import Table, answers_of
from lens.scoring.scored_columns import Layout, Scores, answers_in
from lens.scoring.summary import by_question
from lens.scoring.tally import listed
from lens.statistics.recalibration import Recalibration
from lens.tables import places
from lens.tables.systems import Experiment, System
from lens.tables.write import write_rows

# The scores of another system to the question of a row, and its answer where it comes from another file.
Cells = tuple[Scores, str | None]


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
    first, kind = tables[0], output_kind(arguments.out)
    others = study.systems[1:] if len(tables) > 1 else []
    # Answers of other files wait in a file of their own, for their rows may be in another order.
    several_files = len({id(table.source) for table in tables}) > 1
    layout = Layout(
        first.kinds,
        arguments.metrics,
        study.names if others else [],
        answers=several_files,
        read=bool(first.roll.left_out),
        recalibration=recalibration,
    )
    with ExitStack() as stack:
        texts = [stack.enter_context(answers_of(tables[one.table])) if several_files else None for one in others]
        blocks = first.scored(parts, layout, cells_of_others(tables, study, others, texts))
        if arguments.folder:
            for number, rows in enumerate(blocks):
                with places.written(f"{parts.folder}/part-{number:06}.{kind}") as file:
                    write_rows(file, kind, rows, layout.kinds, first.size)
        else:
            every_row = (row for rows in blocks for row in rows)
            with write_target(arguments.out, parts) as file:
                write_rows(file, kind, every_row, layout.kinds, first.size)


def cells_of_others(
    tables: Sequence[Table],
    study: Experiment,
    others: Sequence[System],
    texts: Sequence[Callable[[int], str | None] | None],
) -> Callable[[int], Sequence[Cells]]:
    """Return a function that gives the cells of the other systems for a row of the first table."""
    first = study.systems[0]
    question_of = dict(zip(first.rows.tolist(), first.question.tolist(), strict=True)) if others else {}
    scores = []
    for system in others:
        columns = tables[system.table].tally.columns
        scores.append({key: listed(by_question(column, system, study.questions)) for key, column in columns.items()})

    def cells(row: int) -> Sequence[Cells]:
        question = question_of.get(row)
        if question is None:
            return [({}, None) for _ in others]
        found: list[Cells] = []
        for system, columns, text in zip(others, scores, texts, strict=True):
            answer = answers_in([text(place) for place in system.answers_to(question)]) if text else None
            found.append(({key: column[question] for key, column in columns.items()}, answer))
        return found

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
