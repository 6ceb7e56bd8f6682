"""Scores a table block by block, in this process or in others.

The result of a block depends only on its rows, the settings, and the metrics that were stopped
before it. So blocks may be scored in any order and in any process, and again after a process was
lost. A stored result is used again: the numbers are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.scorer import Scorer
from lens.scoring.work import count_characters

# The number of rows in a block, and the number of characters that ends a block earlier.
BLOCK_ROWS, BLOCK_CHARACTERS = 1024, 1_000_000
# The number of rows in a chunk within a block. Chunks are of fixed size, because the rows in one
# batch of a model change the last digits of their scores.
CHUNK_ROWS = 64
# A judge gets chunks of JUDGE_CHUNK rows, or of QUEUED times its parallel requests if that is more.
JUDGE_CHUNK, QUEUED = 128, 4


@dataclass(frozen=True)
class Block:
    """Some rows of a table.

    Attributes:
        number: the number of the block in the table, from 0.
        first: the number of its first row in the table, from 0.
        answers: the answers of its rows.
    """

    number: int
    first: int
    answers: Sequence[Answer]


# Called with the number of scores that were computed since the last call.
OnProgress = Callable[[int], object]
# Waits for the result of a block that was sent to another process.
Wait = Callable[[], BlockResult]
# Sends a block to another process, to be scored by these metrics.
Send = Callable[[Sequence[Scorer], Block], Wait]
# Each block with its result, in order.
Results = Generator[tuple[Block, BlockResult], None, None]
# Scores blocks with these metrics.
Engine = Callable[[Sequence[Scorer], Iterable[Block], OnProgress], Results]


class Lost(Exception):
    """Raised if a run is interrupted.

    A process was ended from outside, or a file cannot be written.
    """


def ignore_progress(scores: int) -> None:
    """Do nothing with the number of computed scores."""


def make_blocks(answers: Iterable[Answer], size: int = BLOCK_ROWS) -> Iterator[Block]:
    """Yield answers in blocks of this size; the last block may be smaller.

    Long rows end a block earlier, but only at the end of a chunk. Otherwise the rows in one batch
    of a model would change, and with them the last digits of their scores.
    """
    number = first = rows = characters = 0
    block: list[Answer] = []
    for answer in answers:
        block.append(answer)
        rows += 1
        characters += count_characters(answer.prediction, answer.references)
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


def split_chunks(scorer: Scorer, answers: Sequence[Answer]) -> Iterator[Sequence[Answer]]:
    """Yield the chunks of answers that a metric scores together."""
    size = CHUNK_ROWS
    if scorer.metric.judge:
        size = max(JUDGE_CHUNK, QUEUED * (scorer.settings.get("max_concurrency") or 0))
    for start in range(0, len(answers), size):
        yield answers[start : start + size]


def score_block(
    scorers: Sequence[Scorer], block: Block, on_progress: OnProgress = ignore_progress
) -> BlockResult:
    """Score a block with these metrics, and return the result.

    A stopped metric scores nothing. If a metric stops within the block, the result says so, and
    `note_stops` tells the scorers. Otherwise the scorers are changed only by loading their modules.
    """
    result = BlockResult(block.number, block.first, len(block.answers))
    for scorer in scorers:
        own, scores = copy(scorer), BlockScores()
        own.notes = scores.notes
        for chunk in split_chunks(own, block.answers):
            for row in own.score(chunk):
                scores.rows.append(row if scorer.keeps_entries else row._replace(entry={}))
            on_progress(len(chunk))
        scorer.module, scores.stopped = own.module, own.stopped
        result.scores[scorer.name] = scores
    return result


def note_stops(scorers: Iterable[Scorer], result: BlockResult) -> None:
    """Stop the scorers that were stopped within a block."""
    for scorer in scorers:
        if scorer.name in result.scores:
            scorer.stopped = scorer.stopped or result.scores[scorer.name].stopped


def score_in_process(
    scorers: Sequence[Scorer], blocks: Iterable[Block], on_progress: OnProgress
) -> Results:
    """Score blocks in this process; this is the default engine."""
    for block in blocks:
        yield block, score_block(scorers, block, on_progress)


def send_ahead(
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    on_progress: OnProgress,
    send: Send,
    most: int,
) -> Results:
    """Score blocks in other processes, with up to `most` blocks sent at the same time."""
    sent = deque[tuple[Block, Wait]]()

    def wait_for_first() -> tuple[Block, BlockResult]:
        block, wait = sent.popleft()
        result = wait()
        on_progress(result.rows * len(scorers))
        # In a single process, a stopped metric scores no later block. So its scores of blocks that
        # were already sent are removed.
        late = [scorer for scorer in scorers if scorer.stopped]
        return block, result.combine(score_block(late, block)) if late else result

    for block in blocks:
        running = [scorer for scorer in scorers if not scorer.stopped]
        sent.append((block, send(running, block)))
        if len(sent) >= most:
            yield wait_for_first()
    while sent:
        yield wait_for_first()
