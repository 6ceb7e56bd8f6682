"""A table scored block by block: what one block is, what its scores come to, and its part of the scored rows.

A block is scored by itself, in whatever process, and what comes of it depends on nothing but its rows, the settings and
the metrics that had been stopped before it. So blocks may be scored in any order, again after a process was lost, and
not again where their outcome is kept: the numbers are the same.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from lens.runs.parts import Parts
from lens.scoring.marks import Marks
from lens.scoring.marks import Outcome as Outcome
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables.read import Row
from lens.tables.roles import Item
from lens.tables.write import open_rows

# Rows that are read, scored and written together.
BLOCK_ROWS = 1024
# Rows of a chunk within a block. Chunks do not depend on the clock: what goes through a model together moves the last
# digits of its scores.
WORDS_CHUNK, MODEL_CHUNK = 512, 64
# A judge gets chunks of several times as many questions as it is asked at once.
JUDGE_CHUNK, QUEUED = 128, 4
# Texts of a chunk, in characters; a single row may have more.
MAX_CHARACTERS = 400_000


@dataclass(frozen=True)
class Block:
    """Some rows of a table: the block's place among the blocks, that of its first row among the rows, both from 0."""

    number: int
    first: int
    rows: list[Row]
    items: list[Item]


def blocks_of(rows: Iterable[tuple[Row, Item]], size: int = BLOCK_ROWS) -> Iterator[Block]:
    """Rows in blocks of a size, the last of which may be smaller."""
    number, held, items = 0, list[Row](), list[Item]()
    for row, item in rows:
        held.append(row)
        items.append(item)
        if len(held) == size:
            yield Block(number, number * size, held, items)
            number, held, items = number + 1, [], []
    if held:
        yield Block(number, number * size, held, items)


def chunks(scorer: Scorer, items: Sequence[Item]) -> Iterator[list[Item]]:
    """Rows in chunks that a metric scores together."""
    most = WORDS_CHUNK if scorer.metric.kind == "words" else MODEL_CHUNK
    if scorer.metric.judge:
        most = max(JUDGE_CHUNK, QUEUED * (scorer.settings.get("max_concurrency") or 0))
    chunk, size = list[Item](), 0
    for item in items:
        length = len(item.prediction) + sum(map(len, item.reference))
        if chunk and (len(chunk) == most or size + length > MAX_CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += length
    if chunk:
        yield chunk


def score_block(
    scorers: Sequence[Scorer], block: Block, told: Callable[[str, int], None] = lambda name, rows: None
) -> Outcome:
    """What these metrics make of a block.

    A metric whose `stopped` says something scores nothing. Of the scorers nothing is changed but that they have their
    module loaded then: a stop within the block stands in the outcome, and `Tally.take` hands it on. `told` hears of
    each chunk: the metric, and how many rows more it has done.
    """
    outcome = Outcome(block.number, block.first, len(block.items))
    for scorer in scorers:
        once, marks = copy(scorer), Marks()
        once.told = marks.told
        for chunk in chunks(once, block.items):
            marks.add(once.score(chunk))
            told(once.name, len(chunk))
        scorer.module, marks.stopped = once.module, once.stopped
        outcome.marks[scorer.name] = marks
    return outcome


def write_part(
    parts: Parts,
    layout: Layout,
    block: Block,
    outcome: Outcome,
    others: Sequence[Mapping[str, float | None]] | None = None,
) -> None:
    """Write a block's scored rows as one piece, then its outcome, without which the piece does not count.

    `others`: for each row the scores of the second system, by series. The same block gives the same files again.
    """
    file = io.BytesIO()
    with open_rows(file, parts.kind, layout.names, layout.kinds) as out:
        out.rows, out.group_rows = block.first, len(block.rows)
        for at, row in enumerate(block.rows):
            out.write([layout.row(row, outcome.scored(at), others[at] if others else None)])
    outcome.piece = len(data := file.getvalue())
    parts.write(parts.piece_name(block.number), data)
    parts.write(parts.outcome_name(block.number), outcome.to_json().encode())


class Finished:
    """The blocks that an earlier run has finished, as far as their outcomes can be read and their pieces are whole."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.sizes = parts, parts.sizes()

    def outcome(self, number: int) -> Outcome | None:
        """The outcome of a block; None where it has to be scored, be it again."""
        if self.parts.outcome_name(number) not in self.sizes:
            return None
        try:
            found = Outcome.from_json(self.parts.read(self.parts.outcome_name(number)) or b"")
        except ValueError:
            return None
        whole = found.piece == self.sizes.get(self.parts.piece_name(number), -1)
        return found if whole and found.complete and found.number == number else None
