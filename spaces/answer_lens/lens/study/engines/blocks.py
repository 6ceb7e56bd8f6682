"""A table scored block by block, in this process or by others to which blocks are sent ahead.

A block is scored by itself, in whatever process, and its result depends on nothing but its rows,
the settings and the metrics that had been stopped before it. So blocks may be scored in any order,
again after a process was lost, and not again where their result is kept: the numbers are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from lens.experiment.answers import Answer
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.rows import Scorer
from lens.scoring.work import count_characters

# Rows that are read, scored and written together, and the characters that end a block before.
BLOCK_ROWS, BLOCK_CHARACTERS = 1024, 1_000_000
# Rows of a chunk within a block. Chunks do not depend on the clock: what goes through a model
# together moves the last digits of its scores.
CHUNK_ROWS = 64
# A judge gets chunks of several times as many questions as it is asked at once.
JUDGE_CHUNK, QUEUED = 128, 4


@dataclass(frozen=True)
class Block:
    """Some rows of a table.

    The block has a place among the blocks, and its first row one among the rows, both from 0.
    """

    number: int
    first: int
    answers: Sequence[Answer]


# Hears how many scores more are done.
OnProgress = Callable[[int], object]
# Waits for the result of a block that was sent.
Wait = Callable[[], BlockResult]
# Sends a block to be scored by these metrics.
Send = Callable[[Sequence[Scorer], Block], Wait]
# Each block with its result, in order.
Results = Generator[tuple[Block, BlockResult], None, None]
# Scores blocks with these metrics.
Engine = Callable[[Sequence[Scorer], Iterable[Block], OnProgress], Results]


class Lost(Exception):
    """What a run breaks off at.

    A process that was ended from outside, or a file that cannot be written.
    """


def ignore_progress(scores: int) -> None:
    """Take no notice of how many scores are done."""


def make_blocks(answers: Iterable[Answer], size: int = BLOCK_ROWS) -> Iterator[Block]:
    """Yield answers in blocks of a size, the last of which may be smaller.

    Long rows end a block before.

    Such a block ends with a chunk: otherwise other rows would go through a model together, and the
    last digits of their scores would move.
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
    """Yield answers in chunks that a metric scores together."""
    size = CHUNK_ROWS
    if scorer.metric.judge:
        size = max(JUDGE_CHUNK, QUEUED * (scorer.settings.get("max_concurrency") or 0))
    for start in range(0, len(answers), size):
        yield answers[start : start + size]


def score_block(
    scorers: Sequence[Scorer], block: Block, on_progress: OnProgress = ignore_progress
) -> BlockResult:
    """Return what these metrics make of a block.

    A metric whose `stopped` says something scores nothing. The scorers are not changed, except that
    they have their module loaded then: a stop within the block stands in the result, and
    `note_stops` hands it on.
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
    """Have the scorers know which of them were stopped within a block."""
    for scorer in scorers:
        if scorer.name in result.scores:
            scorer.stopped = scorer.stopped or result.scores[scorer.name].stopped


def score_in_process(
    scorers: Sequence[Scorer], blocks: Iterable[Block], on_progress: OnProgress
) -> Results:
    """Score blocks in this process: the engine unless another is chosen."""
    for block in blocks:
        yield block, score_block(scorers, block, on_progress)


def send_ahead(
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    on_progress: OnProgress,
    send: Send,
    most: int,
) -> Results:
    """Have blocks scored by other processes, to which `most` are sent ahead."""
    sent = deque[tuple[Block, Wait]]()

    def wait_for_first() -> tuple[Block, BlockResult]:
        block, wait = sent.popleft()
        result = wait()
        on_progress(result.rows * len(scorers))
        # In one process nothing comes after a stop: what was sent before it loses its scores.
        late = [scorer for scorer in scorers if scorer.stopped]
        return block, result.combine(score_block(late, block)) if late else result

    for block in blocks:
        running = [scorer for scorer in scorers if not scorer.stopped]
        sent.append((block, send(running, block)))
        if len(sent) >= most:
            yield wait_for_first()
    while sent:
        yield wait_for_first()
