"""Scores a block with a judge that is asked only if the estimate is unsure (scoring/cascade.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lens import VERSION
from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.cascade import Thresholds, combine_scores, fill_settled_rows
from lens.scoring.catalog import CASCADE, ESTIMATE
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.row_scores import RowResult
from lens.scoring.scorer import Scorer
from lens.study.engines.blocks import Block, OnProgress, score_block


@dataclass(frozen=True)
class SplitBlock:
    """A block, split into rows that the estimate settles and unsure rows.

    Attributes:
        thresholds: the probabilities between which the estimate is unsure.
        verdicts: the estimate's verdict on each row; None if the estimate is unsure.
        unsure: the rows that a judge is asked about.
        settled_answers: the answers of the other rows.
    """

    thresholds: Thresholds
    verdicts: Sequence[float | None]
    unsure: Block
    settled_answers: Sequence[Answer]


def split_block(block: Block, estimates: Sequence[RowResult], thresholds: Thresholds) -> SplitBlock:
    """Split a block into rows that the estimate settles and unsure rows.

    Args:
        block: the rows.
        estimates: the estimate of each row.
        thresholds: the probabilities between which the estimate is unsure.
    """
    verdicts = [thresholds.settle(row) for row in estimates]
    unsure_answers: list[Answer] = []
    settled_answers: list[Answer] = []
    for answer, verdict in zip(block.answers, verdicts, strict=True):
        if verdict is None:
            unsure_answers.append(answer)
        else:
            settled_answers.append(answer)
    unsure = replace(block, answers=unsure_answers)
    return SplitBlock(thresholds, verdicts, unsure, settled_answers)


def join_block(
    judge: Scorer, split: SplitBlock, unsure_scores: BlockScores
) -> dict[str, BlockScores]:
    """Return the scores of the judge, and the joined verdicts, for all rows of a block.

    The joined verdict on a row is the estimate's if it settles the row, or else the judge's.

    Args:
        judge: the judge.
        split: the block.
        unsure_scores: the judge's scores of the unsure rows.
    """
    notes = unsure_scores.notes
    # If the judge stopped, nobody knows what it would have cost on the other rows.
    notes.saved_cost = None
    if not unsure_scores.stopped:
        notes.saved_cost = compute_saved_cost(judge, split.settled_answers)
    rows = fill_settled_rows(split.verdicts, unsure_scores.rows, len(judge.series))
    cascade_notes = MetricNotes([make_signature(judge, split.thresholds)])
    return {
        judge.name: BlockScores(rows, notes, unsure_scores.stopped),
        CASCADE.name: BlockScores(combine_scores(split.verdicts, rows), cascade_notes),
    }


def ask_where_unsure(
    judge: Scorer,
    block: Block,
    result: BlockResult,
    thresholds: Thresholds,
    on_progress: OnProgress,
) -> BlockResult:
    """Ask the judge about the unsure rows, and return the result of the block with its scores.

    The result also has the joined verdicts of estimate and judge.

    Args:
        judge: the judge.
        block: the rows.
        result: the scores of the other metrics, with the estimate.
        thresholds: the probabilities between which the estimate is unsure.
        on_progress: called with the number of new scores.
    """
    split = split_block(block, result.scores[ESTIMATE].rows, thresholds)
    judge_result = score_block([judge], split.unsure, on_progress)
    on_progress(len(split.settled_answers))
    joined = join_block(judge, split, judge_result.scores[judge.name])
    return replace(result, scores=result.scores | joined)


def make_signature(judge: Scorer, thresholds: Thresholds) -> str:
    """Return the signature of the joined verdicts.

    The estimate and the judge also have their own signatures.
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


def compute_saved_cost(judge: Scorer, answers: Sequence[Answer]) -> float | None:
    """Return what the judge would have cost on rows that it is not asked about.

    0 without such rows, or if the judge has stopped; None if the price is not known.
    """
    requests: list[Answer] = []
    for answer in answers:
        requests += judge.split_by_reference(answer)
    if not requests or judge.stopped:
        return 0.0
    judge.prepare()
    result = judge.module.compute(**judge.make_columns(requests), **judge.settings, dry_run=True)
    cost: float | None = result["Cost"]
    return cost
