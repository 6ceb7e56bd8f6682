"""A table scored block by block: what one block is, and what its scores come to.

A block is scored by itself, in whatever process, and what comes of it depends on nothing but its rows, the settings and
the metrics that had been stopped before it. So blocks may be scored in any order, again after a process was lost, and
not again where their outcome is kept: the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult as BlockResult
from lens.scoring.block_scores import BlockScores
from lens.scoring.rows import Scorer
from lens.scoring.work import characters_read

# Rows that are read, scored and written together, and the characters that end a block before.
BLOCK_ROWS, BLOCK_CHARACTERS = 1024, 1_000_000
# Rows of a chunk within a block. Chunks do not depend on the clock: what goes through a model together moves the last
# digits of its scores.
CHUNK_ROWS = 64
# A judge gets chunks of several times as many questions as it is asked at once.
JUDGE_CHUNK, QUEUED = 128, 4

# Hears how many scores more are done.
OnProgress = Callable[[int], object]


@dataclass(frozen=True)
class Block:
    """Some rows of a table: the block's place among the blocks, that of its first row among the rows, both from 0."""

    number: int
    first: int
    items: Sequence[Answer]


def blocks_of(items: Iterable[Answer], size: int = BLOCK_ROWS) -> Iterator[Block]:
    """Yield rows in blocks of a size, the last of which may be smaller; long rows end a block before.

    Such a block ends with a chunk: otherwise other rows would go through a model together, and the last digits of their
    scores would move.
    """
    number = first = rows = characters = 0
    block: list[Answer] = []
    for item in items:
        block.append(item)
        rows += 1
        characters += characters_read(item.prediction, item.references)
        is_long = characters >= BLOCK_CHARACTERS and rows % CHUNK_ROWS == 0
        if rows < size and not is_long:
            continue
        yield Block(number, first, block)
        number, first = number + 1, first + len(block)
        block, characters = [], 0
        if rows == size:
            rows = 0
    if block:
        yield Block(number, first, block)


def chunks(scorer: Scorer, items: Sequence[Answer]) -> Iterator[Sequence[Answer]]:
    """Rows in chunks that a metric scores together."""
    most = CHUNK_ROWS
    if scorer.metric.judge:
        most = max(JUDGE_CHUNK, QUEUED * (scorer.settings.get("max_concurrency") or 0))
    return (items[start : start + most] for start in range(0, len(items), most))


def score_block(scorers: Sequence[Scorer], block: Block, told: OnProgress = lambda more: None) -> BlockResult:
    """What these metrics make of a block; `told` hears of each chunk.

    A metric whose `stopped` says something scores nothing. Of the scorers nothing is changed but that they have their
    module loaded then: a stop within the block stands in the outcome, and `Tally.take` hands it on.
    """
    outcome = BlockResult(block.number, block.first, len(block.items))
    for scorer in scorers:
        once, marks = copy(scorer), BlockScores()
        once.told = marks.told
        for chunk in chunks(once, block.items):
            marks.add(once.score(chunk))
            told(len(chunk))
        scorer.module, marks.stopped = once.module, once.stopped
        outcome.marks[scorer.name] = marks
    return outcome
