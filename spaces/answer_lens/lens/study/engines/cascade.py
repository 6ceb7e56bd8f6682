"""A block in which a judge is asked only where the estimate is unsure (scoring/cascade.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lens import VERSION
from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.cascade import Thresholds, combine_scores, leave_out_settled
from lens.scoring.catalog import CASCADE, ESTIMATE
from lens.scoring.rows import MetricNotes, Scorer
from lens.study.engines.blocks import Block, OnProgress, score_block


def ask_where_unsure(
    judge: Scorer, block: Block, result: BlockResult, thresholds: Thresholds, on_progress: OnProgress
) -> BlockResult:
    """Return the result of a block with the judge's scores of unsure rows, and with the verdict of both together.

    Args:
        judge: the judge.
        block: the rows.
        result: what the other metrics made of them, the estimate among them.
        thresholds: between which probabilities the estimate is unsure.
        on_progress: hears how many scores more are done.
    """
    settled = [thresholds.settle(row) for row in result.scores[ESTIMATE].rows]
    unsure = [answer for answer, verdict in zip(block.answers, settled, strict=True) if verdict is None]
    certain = [answer for answer, verdict in zip(block.answers, settled, strict=True) if verdict is not None]
    asked = score_block([judge], replace(block, answers=unsure), on_progress).scores[judge.name]
    on_progress(len(certain))
    asked.notes.saved = None if asked.stopped else price_rows(judge, certain)

    rows = leave_out_settled(settled, asked.rows, len(judge.series))
    judged = BlockScores(rows, asked.notes, asked.stopped)
    combined = BlockScores(combine_scores(settled, rows), MetricNotes([make_signature(judge, thresholds)]))
    return replace(result, scores={**result.scores, judge.name: judged, CASCADE.name: combined})


def make_signature(judge: Scorer, thresholds: Thresholds) -> str:
    """Return what makes the verdict of both this one; the estimate and the judge have signatures of their own."""
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
    """Return what the judge would have cost on rows that it is not asked about; None where no price is known."""
    parts: list[Answer] = []
    for answer in answers:
        parts += judge.split_references(answer)
    if not parts or judge.stopped:
        return 0.0
    judge.prepare()
    result = judge.module.compute(**judge.make_columns(parts), **judge.settings, dry_run=True)
    cost: float | None = result["Cost"]
    return cost
