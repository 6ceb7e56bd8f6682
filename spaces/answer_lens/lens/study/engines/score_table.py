"""Scores one table.

Blocks that an earlier run has finished are not scored again; an engine scores the others. Judges
are asked only in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import Protocol

from lens.scoring.block_scores import BlockResult
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import CASCADE
from lens.scoring.scorer import Scorer
from lens.scoring.table_scores import TableScores
from lens.study.engines.blocks import (
    BLOCK_ROWS,
    Block,
    Engine,
    OnProgress,
    ignore_progress,
    make_blocks,
    note_stops,
    score_block,
    score_in_process,
)
from lens.study.engines.cascade import ask_where_unsure
from lens.study.tables import AnswerTable
from lens.words.printed import print_lines


class ResultStore(Protocol):
    """Stores the results of blocks, by the number of their table."""

    def keep(self, table: int, result: BlockResult) -> None:
        """Store the result of a block; blocks must be stored in order."""

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the stored results of a table's blocks in order."""


# Shows the progress of a table, given its name and its number of scores, while a `with` statement
# runs.
Track = Callable[[str, int], AbstractContextManager[OnProgress]]


def track_nothing(name: str, scores: int) -> AbstractContextManager[OnProgress]:
    """Show no progress."""
    return nullcontext(ignore_progress)


@dataclass(frozen=True)
class RunOptions:
    """The options of scoring tables; only `unsure` changes scores.

    Attributes:
        engine: scores blocks; judges are always asked in this process.
        block_rows: the number of rows in a block.
        store: stores the result of each block, and may have results of an earlier run.
        track: shows the progress of a table.
        unsure: the thresholds between which a judge is asked; None to ask about all rows.
    """

    engine: Engine = score_in_process
    block_rows: int = BLOCK_ROWS
    store: ResultStore | None = None
    track: Track = track_nothing
    unsure: Thresholds | None = None


def score_table(
    table: AnswerTable,
    number: int,
    scorers: Sequence[Scorer],
    options: RunOptions,
) -> None:
    """Score all blocks of a table that no earlier run has finished.

    `number` is the number of the table, from 0.
    """
    judges = [scorer for scorer in scorers if scorer.metric.judge]
    plain_scorers = [scorer for scorer in scorers if not scorer.metric.judge]
    names = [scorer.name for scorer in scorers]
    if options.unsure:
        names.append(CASCADE.name)
    table.scores = TableScores(names)
    finished: dict[int, int] = {}
    if options.store:
        finished = load_finished_blocks(table, number, scorers, options.store)
    finished_rows = sum(finished.values())
    with options.track(table.source.name, len(table) * len(scorers)) as on_progress:
        on_progress(finished_rows * len(scorers))
        # If all rows are already scored, the table is not read again.
        answers = table.source.answers() if finished_rows < len(table) else iter(())
        blocks = (
            block
            for block in make_blocks(answers, options.block_rows)
            if block.number not in finished
        )
        engine = options.engine if plain_scorers else score_in_process
        with closing(engine(plain_scorers, blocks, on_progress)) as results:
            for block, result in results:
                result = ask_judges(judges, block, result, options, on_progress)
                table.scores.add_block(result)
                note_stops(scorers, result)
                if options.store:
                    options.store.keep(number, result)
    table.source.check_unchanged()


def ask_judges(
    judges: Sequence[Scorer],
    block: Block,
    result: BlockResult,
    options: RunOptions,
    on_progress: OnProgress,
) -> BlockResult:
    """Return the result of a block with the scores of judges, on all rows or on unsure rows."""
    if not judges:
        return result
    if options.unsure:
        (judge,) = judges
        return ask_where_unsure(judge, block, result, options.unsure, on_progress)
    return result.combine(score_block(judges, block, on_progress))


def load_finished_blocks(
    table: AnswerTable,
    number: int,
    scorers: Sequence[Scorer],
    store: ResultStore,
) -> dict[int, int]:
    """Add the scores of the blocks that an earlier run has finished.

    The number of rows of each such block is returned, by its number.
    """
    finished: dict[int, int] = {}
    for result in store.results(number):
        if result.is_complete:
            table.scores.add_block(result)
            note_stops(scorers, result)
            finished[result.number] = result.rows
    if finished:
        rows = sum(finished.values())
        print_lines(
            f"{table.source.name}: {rows:,} of {len(table):,} rows are taken over from an earlier "
            "run."
        )
    return finished
