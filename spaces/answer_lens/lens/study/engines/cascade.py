"""A block in which a judge is asked only where the estimate is unsure (scoring/cascade.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lens import VERSION
from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.cascade import Thresholds, combine_scores, leave_out_settled
from lens.scoring.catalog import CASCADE, ESTIMATE
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.row_scores import Scored
from lens.scoring.rows import Scorer
from lens.study.engines.blocks import Block, OnProgress, score_block


@dataclass(frozen=True)
class SplitBlock:
    """A block, split by whether the estimate settles a row.

    Attributes:
        thresholds: between which probabilities the estimate is unsure.
        settled: the estimate's verdict on each row; None if it is unsure.
        unsure: the rows that a judge is asked about.
        certain: the answers of the other rows.
    """

    thresholds: Thresholds
    settled: Sequence[float | None]
    unsure: Block
    certain: Sequence[Answer]


def split_block(block: Block, estimates: Sequence[Scored], thresholds: Thresholds) -> SplitBlock:
    """Return a block split by whether the estimate settles a row.

    Args:
        block: the rows.
        estimates: the estimate of each row.
        thresholds: between which probabilities the estimate is unsure.
    """
    settled = [thresholds.settle(row) for row in estimates]
    unsure: list[Answer] = []
    certain: list[Answer] = []
    for answer, verdict in zip(block.answers, settled, strict=True):
        (unsure if verdict is None else certain).append(answer)
    return SplitBlock(thresholds, settled, replace(block, answers=unsure), certain)


def join_block(judge: Scorer, split: SplitBlock, asked: BlockScores) -> dict[str, BlockScores]:
    """Return the scores of all rows of a block, of the judge and of the verdict of both, by metric.

    Args:
        judge: the judge.
        split: the block.
        asked: what the judge says of the rows that it was asked about.
    """
    asked.notes.saved = None if asked.stopped else price_rows(judge, split.certain)
    rows = leave_out_settled(split.settled, asked.rows, len(judge.series))
    notes = MetricNotes([make_signature(judge, split.thresholds)])
    return {
        judge.name: BlockScores(rows, asked.notes, asked.stopped),
        CASCADE.name: BlockScores(combine_scores(split.settled, rows), notes),
    }


def ask_where_unsure(
    judge: Scorer,
    block: Block,
    result: BlockResult,
    thresholds: Thresholds,
    on_progress: OnProgress,
) -> BlockResult:
    """Return the result of a block with the judge's scores of unsure rows.

    The verdict of both together is among the scores.

    Args:
        judge: the judge.
        block: the rows.
        result: what the other metrics made of them, the estimate among them.
        thresholds: between which probabilities the estimate is unsure.
        on_progress: hears how many scores more are done.
    """
    split = split_block(block, result.scores[ESTIMATE].rows, thresholds)
    asked = score_block([judge], split.unsure, on_progress).scores[judge.name]
    on_progress(len(split.certain))
    return replace(result, scores=result.scores | join_block(judge, split, asked))


def make_signature(judge: Scorer, thresholds: Thresholds) -> str:
    """Return what makes the verdict of both this one.

    The estimate and the judge have signatures of their own.
    """
    parts = (
        CASCADE.name,
        f"version:{VERSION}",
        f"estimate:{ESTIMATE}",
        f"judge:{judge.name}",
        f"low:{thresholds.low:g}",
        f"high:{thresholds.high:g}",
    )
    return "|".join(parts)


def price_rows(judge: Scorer, answers: Sequence[Answer]) -> float | None:
    """Return what the judge would have cost on rows that it is not asked about.

    It is None if no price is known.
    """
    parts: list[Answer] = []
    for answer in answers:
        parts += judge.split_references(answer)
    if not parts or judge.stopped:
        return 0.0
    judge.prepare()
    result = judge.module.compute(**judge.make_columns(parts), **judge.settings, dry_run=True)
    cost: float | None = result["Cost"]
    return cost
