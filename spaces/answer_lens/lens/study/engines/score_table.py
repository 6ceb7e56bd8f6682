"""Score one table.

Blocks that an earlier run has finished are taken over; an engine scores the others.

Judges are asked in this process alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import Protocol

from lens.scoring.block_scores import BlockResult
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import CASCADE
from lens.scoring.rows import Scorer
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
    """Keeps the results of blocks, by the place of their table."""

    def keep(self, table: int, result: BlockResult) -> None:
        """Keep the result of a block; blocks are finished one after another."""

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of a table's blocks in their order, as far as they are there."""


# Shows how far a table is, which has a name and so many scores to come, until the end of the block.
Track = Callable[[str, int], AbstractContextManager[OnProgress]]


def track_nothing(name: str, scores: int) -> AbstractContextManager[OnProgress]:
    """Show nothing."""
    return nullcontext(ignore_progress)


@dataclass(frozen=True)
class RunOptions:
    """How tables are scored; but for `unsure` none of it moves a score.

    Attributes:
        engine: what scores blocks; judges are asked in this process whatever it is.
        block_rows: the rows of a block.
        store: keeps the result of each block, and may have some of an earlier run.
        track: shows how far a table is.
        unsure: where a judge is asked; None for all rows.
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

    `number` is its place among the tables.
    """
    judges = [scorer for scorer in scorers if scorer.metric.judge]
    others = [scorer for scorer in scorers if not scorer.metric.judge]
    combined = [CASCADE.name] if options.unsure else []
    table.scores = TableScores([*(scorer.name for scorer in scorers), *combined])
    kept = take_kept(table, number, scorers, options.store) if options.store else {}
    kept_rows = sum(kept.values())
    with options.track(table.source.name, len(table) * len(scorers)) as on_progress:
        on_progress(kept_rows * len(scorers))
        # Where nothing is left to score, the table is not read once more.
        answers = table.source.answers() if kept_rows < len(table) else iter(())
        blocks = (
            block for block in make_blocks(answers, options.block_rows) if block.number not in kept
        )
        score = options.engine if others else score_in_process
        with closing(score(others, blocks, on_progress)) as results:
            for block, result in results:
                result = ask_judges(judges, block, result, options, on_progress)
                table.scores.take(result)
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
    """Return the result of a block with the scores of judges.

    They are asked about all rows, or about unsure ones.
    """
    if not judges:
        return result
    if options.unsure:
        (judge,) = judges
        return ask_where_unsure(judge, block, result, options.unsure, on_progress)
    return result.combine(score_block(judges, block, on_progress))


def take_kept(
    table: AnswerTable,
    number: int,
    scorers: Sequence[Scorer],
    store: ResultStore,
) -> dict[int, int]:
    """Take over the blocks that an earlier run has finished.

    Return the rows of each by its number.
    """
    kept: dict[int, int] = {}
    for result in store.results(number):
        if result.is_complete:
            table.scores.take(result)
            note_stops(scorers, result)
            kept[result.number] = result.rows
    if kept:
        rows = sum(kept.values())
        print_lines(
            f"{table.source.name}: {rows:,} of {len(table):,} rows are taken over from an earlier "
            "run."
        )
    return kept
