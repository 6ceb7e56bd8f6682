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
BLOCK_ROWS = 1024
BLOCK_CHARACTERS = 1_000_000
# The number of rows in a chunk within a block. Chunks are of fixed size, because the rows in one
# batch of a model change the last digits of their scores.
CHUNK_ROWS = 64
# A judge gets chunks of this many rows, or of this many rows per parallel request if that is more.
JUDGE_CHUNK_ROWS = 128
ROWS_PER_REQUEST = 4


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
WaitForResult = Callable[[], BlockResult]
# Sends a block to another process, to be scored by these metrics.
SendBlock = Callable[[Sequence[Scorer], Block], WaitForResult]
# Each block with its result, in order.
BlockResults = Generator[tuple[Block, BlockResult], None, None]
# Scores blocks with these metrics.
Engine = Callable[[Sequence[Scorer], Iterable[Block], OnProgress], BlockResults]


class RunInterrupted(Exception):
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
    number = 0
    first = 0
    block: list[Answer] = []
    characters = 0
    # A block that ends early does not reset this, so that later blocks end where they would have.
    rows = 0
    for answer in answers:
        block.append(answer)
        rows += 1
        characters += count_characters(answer.prediction, answer.references)
        is_full = rows == size
        is_long = characters >= BLOCK_CHARACTERS and rows % CHUNK_ROWS == 0
        if not is_full and not is_long:
            continue
        yield Block(number, first, block)
        number += 1
        first += len(block)
        block = []
        characters = 0
        if is_full:
            rows = 0
    if block:
        yield Block(number, first, block)


def split_chunks(scorer: Scorer, answers: Sequence[Answer]) -> Iterator[Sequence[Answer]]:
    """Yield the chunks of answers that a metric scores together."""
    size = CHUNK_ROWS
    if scorer.metric.judge:
        parallel_requests = scorer.settings.get("max_concurrency") or 0
        size = max(JUDGE_CHUNK_ROWS, ROWS_PER_REQUEST * parallel_requests)
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
        scores = BlockScores()
        # The copy collects the notes of this block alone, and may stop without stopping the metric.
        block_scorer = copy(scorer)
        block_scorer.notes = scores.notes
        for chunk in split_chunks(block_scorer, block.answers):
            rows = block_scorer.score(chunk)
            if not scorer.keeps_entries:
                rows = [row._replace(entry={}) for row in rows]
            scores.rows.extend(rows)
            on_progress(len(chunk))
        scorer.module = block_scorer.module
        scores.stopped = block_scorer.stopped
        result.scores[scorer.name] = scores
    return result


def note_stops(scorers: Iterable[Scorer], result: BlockResult) -> None:
    """Stop the scorers that were stopped within a block."""
    for scorer in scorers:
        if scorer.name in result.scores:
            scorer.stopped = scorer.stopped or result.scores[scorer.name].stopped


def score_in_process(
    scorers: Sequence[Scorer], blocks: Iterable[Block], on_progress: OnProgress
) -> BlockResults:
    """Score blocks in this process; this is the default engine."""
    for block in blocks:
        yield block, score_block(scorers, block, on_progress)


def send_ahead(
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    on_progress: OnProgress,
    send: SendBlock,
    max_sent: int,
) -> BlockResults:
    """Score blocks in other processes, with up to `max_sent` blocks sent at the same time."""
    sent = deque[tuple[Block, WaitForResult]]()

    def take_first_result() -> tuple[Block, BlockResult]:
        block, wait = sent.popleft()
        result = wait()
        on_progress(result.rows * len(scorers))
        stopped = [scorer for scorer in scorers if scorer.stopped]
        if stopped:
            # In a single process, a stopped metric scores no later block. So its scores of blocks
            # that were already sent are replaced by those of a stopped metric, which are missing.
            result = result.combine(score_block(stopped, block))
        return block, result

    for block in blocks:
        running = [scorer for scorer in scorers if not scorer.stopped]
        sent.append((block, send(running, block)))
        if len(sent) >= max_sent:
            yield take_first_result()
    while sent:
        yield take_first_result()
