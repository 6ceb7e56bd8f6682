"""A table scored block by block: what one block is, what its scores come to, and its part of the scored rows.

A block is scored by itself, in whatever process, and what comes of it depends on nothing but its rows, the settings and
the metrics that had been stopped before it. So blocks may be scored in any order, again after a process was lost, and
not again where their outcome is kept: the numbers are the same.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.runs.parts import Parts
from lens.scoring.catalog import BY_NAME, Metric
from lens.scoring.rows import Pace, Scored, Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import bleu_counts
from lens.tables.read import Row
from lens.tables.roles import Item
from lens.tables.write import open_rows

# Rows that are read, scored and written together.
BLOCK_ROWS = 1024
# Rows of a chunk within a block. Chunks do not depend on the clock here as those of the page do: what goes through a
# model together moves the last digits of its scores.
WORDS_CHUNK, MODEL_CHUNK = 512, 64
# A judge gets chunks of several times as many questions as it is asked at once.
JUDGE_CHUNK, QUEUED = 128, 4
FORMAT = 1


@dataclass(frozen=True)
class Block:
    """Some rows of a table: the block's place among the blocks, that of its first row among the rows, both from 0."""

    number: int
    first: int
    rows: list[Row]
    items: list[Item]


@dataclass
class Marks:
    """What one metric made of a block: by series a value for each row, and by row, counted from 0 in the block, why
    there is none and what a judge said. `bleu` are the counts of corpus BLEU.
    """

    values: list[list[float | None]]
    reasons: dict[int, str] = field(default_factory=dict)
    messages: dict[int, str] = field(default_factory=dict)
    reasonings: dict[int, str] = field(default_factory=dict)
    bleu: list[int] = field(default_factory=list)
    signatures: list[str] = field(default_factory=list)
    remarks: dict[str, int] = field(default_factory=dict)
    cost: float | None = None
    stopped: str = ""

    def add(self, scored: Sequence[Scored]) -> None:
        """Note the next rows."""
        for row in scored:
            at = len(self.values[0])
            for values, value in zip(self.values, row.values, strict=True):
                values.append(value)
            for texts, text in self.said(row):
                if text:
                    texts[at] = text

    def said(self, row: Scored) -> tuple[tuple[dict[int, str], str], ...]:
        """Where the texts of a row are kept, with each text."""
        return (self.reasons, row.reason), (self.messages, row.message), (self.reasonings, row.reasoning)

    def row(self, at: int) -> Scored:
        """What the metric says of one row."""
        values = tuple(values[at] for values in self.values)
        return Scored(values, self.reasons.get(at, ""), self.messages.get(at, ""), self.reasonings.get(at, ""))

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Marks:
        """What JSON made of it, undone: JSON has texts for the numbers of rows."""
        by_row = {name: {int(at): text for at, text in kept[name].items()} for name in BY_ROW}
        return cls(**{**kept, **by_row})


BY_ROW = ("reasons", "messages", "reasonings")


@dataclass
class Outcome:
    """What the scores of one block come to, by metric. No text of a row is in it but what a judge said.

    `piece` is how many bytes its scored rows have where they are written; -1: they are not.
    """

    number: int
    first: int
    rows: int
    marks: dict[str, Marks] = field(default_factory=dict)
    piece: int = -1

    @property
    def complete(self) -> bool:
        """Whether another run would find nothing more: no metric was stopped, and no judge left a row without a
        verdict that it was asked for.
        """
        return not any(marks.stopped or self.unanswered(name, marks) for name, marks in self.marks.items())

    def unanswered(self, name: str, marks: Marks) -> bool:
        """Whether a judge left out a row that has an answer and a reference."""
        if not BY_NAME[name].judge:
            return False
        lacking = {at for at, reason in marks.reasons.items() if reason in ("no_answer", "no_reference")}
        return any(value is None and at not in lacking for at, value in enumerate(marks.values[0]))

    def scored(self, at: int) -> dict[str, Scored]:
        """What each metric says of one row of the block."""
        return {name: marks.row(at) for name, marks in self.marks.items()}

    def joined(self, other: Outcome) -> Outcome:
        """Together with what other metrics made of the same block."""
        return Outcome(self.number, self.first, self.rows, self.marks | other.marks)

    def to_json(self) -> str:
        """As text; every float comes back as it was."""
        marks = {name: vars(one) for name, one in self.marks.items()}
        return json.dumps({"format": FORMAT, **vars(self), "marks": marks})

    @classmethod
    def from_json(cls, text: str | bytes) -> Outcome:
        """The outcome of which a text tells; ValueError where it is none, such as one that is cut off."""
        try:
            kept = json.loads(text)
            if kept.pop("format") != FORMAT:
                raise ValueError("an outcome of another format")
            found = cls(**{**kept, "marks": {name: Marks.from_dict(one) for name, one in kept["marks"].items()}})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"this is no outcome of a block: {error}") from None
        if any(len(values) != found.rows for marks in found.marks.values() for values in marks.values):
            raise ValueError("this outcome has not as many scores as rows")
        return found


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


class Steady(Pace):
    """Chunks of always the same size, whatever time they take."""

    def __init__(self, metric: Metric, asked_at_once: int = 0) -> None:
        super().__init__(metric)
        self.rows = WORDS_CHUNK if metric.kind == "words" else MODEL_CHUNK
        if metric.judge:
            self.rows = max(JUDGE_CHUNK, QUEUED * asked_at_once)

    def took(self, seconds: float) -> None:
        """A chunk is done."""


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
        outcome.marks[scorer.name] = marks_of(scorer, block, told)
    return outcome


def marks_of(scorer: Scorer, block: Block, told: Callable[[str, int], None]) -> Marks:
    """What one metric makes of a block."""
    once = scorer.again()
    marks = Marks([[] for _ in once.series], bleu=[0] * 10 if once.name == "bleu" else [])
    pace, start = Steady(once.metric, once.settings.get("max_concurrency") or 0), 0
    while start < len(block.items):
        end = pace.end(block.items, start)
        scored = once.score(block.items[start:end])
        marks.add(scored)
        if marks.bleu:
            counts = [bleu_counts(row.entry) for row in scored if row.values[0] is not None]
            marks.bleu = [sum(column) for column in zip(marks.bleu, *counts, strict=True)]
        told(once.name, end - start)
        start = end
    scorer.module = once.module
    marks.signatures, marks.remarks, marks.cost, marks.stopped = once.signatures, once.remarks, once.cost, once.stopped
    return marks


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
    parts.write_piece(block.number, data)
    parts.write_outcome(block.number, outcome.to_json())


class Finished:
    """The blocks that an earlier run has finished, as far as their outcomes can be read and their pieces are whole."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.sizes = parts, parts.sizes()

    def outcome(self, number: int) -> Outcome | None:
        """The outcome of a block; None where it has to be scored, be it again."""
        if self.parts.outcome_name(number) not in self.sizes:
            return None
        try:
            found = Outcome.from_json(self.parts.read_outcome(number))
        except ValueError:
            return None
        whole = found.piece == self.sizes.get(self.parts.piece_name(number), -1)
        return found if whole and found.complete and found.number == number else None
