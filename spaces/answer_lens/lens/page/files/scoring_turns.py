"""Scores the blocks of a visitor's files in turns, between which other visitors are served."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from lens.experiment.answers import Answer
from lens.page.serving.submissions import run_in_lane
from lens.page.serving.visitors import Lane
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.scorer import Scorer
from lens.scoring.work import split_rows
from lens.study.engines.blocks import Block, note_stops, score_block

# The lane for blocks of metrics without a model. They take turns, because Python computes one thing
# at a time.
BLOCKS = Lane(1)


async def score_in_turns(scorer: Scorer, block: Block) -> BlockResult:
    """Score a block in its turn; long rows of metrics without a model take several turns."""
    metric = scorer.metric
    scores = BlockScores()
    parts: Iterable[Sequence[Answer]] = [block.answers]
    if metric.kind == "words":
        parts = split_rows(block.answers)
    for answers in parts:
        part = Block(block.number, block.first, answers)
        job = functools.partial(score_block, [scorer], part)
        result = await run_in_lane(metric, job, BLOCKS, metric.judge)
        scores.join(result.scores[scorer.name])
        note_stops([scorer], result)
    return BlockResult(
        number=block.number,
        first=block.first,
        rows=len(block.answers),
        scores={scorer.name: scores},
    )
