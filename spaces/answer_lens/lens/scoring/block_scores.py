"""What the metrics made of one block of rows, as it is kept until all are done: numbers, and what judges said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from lens.scoring.catalog import BY_NAME
from lens.scoring.row_scores import Scored
from lens.scoring.rows import MetricNotes

LACKING = ("no_answer", "no_final_answer", "no_reference")


@dataclass
class BlockScores:
    """What one metric made of a block: its rows, without their reasons, and what it says of them together."""

    rows: list[Scored] = field(default_factory=list)
    told: MetricNotes = field(default_factory=MetricNotes)
    stopped: str = ""

    def add(self, rows: Sequence[Scored]) -> None:
        """Note the next rows."""
        self.rows += [row._replace(entry={}) for row in rows]

    def join(self, later: BlockScores) -> None:
        """Add what the metric made of later rows of the block."""
        self.rows += later.rows
        self.told.add(later.told)
        self.stopped = self.stopped or later.stopped

    def reasons(self) -> dict[int, str]:
        """Why rows are not scored, by their places in the block, counted from 0."""
        return {at: row.reason or "other" for at, row in enumerate(self.rows) if row.values[0] is None}


@dataclass
class BlockResult:
    """What the scores of one block come to, by metric. No text of a row is in it but what a judge said."""

    number: int
    first: int
    rows: int
    marks: dict[str, BlockScores] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether another run would find nothing more: no metric was stopped, and no judge left a row without a
        verdict that it was asked for.
        """
        judged = [marks for name, marks in self.marks.items() if BY_NAME[name].judge]
        answered = all(reason in LACKING for marks in judged for reason in marks.reasons().values())
        return answered and not any(marks.stopped for marks in self.marks.values())

    def scored(self, at: int) -> dict[str, Scored]:
        """What each metric says of one row of the block."""
        return {name: marks.rows[at] for name, marks in self.marks.items()}

    def joined(self, other: BlockResult) -> BlockResult:
        """Together with what other metrics made of the same block."""
        return BlockResult(self.number, self.first, self.rows, self.marks | other.marks)

    def to_json(self) -> str:
        """As text; every float comes back as it was."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> BlockResult:
        """The outcome of which a text tells; ValueError where it is damaged."""
        kept = json.loads(text)
        marks = {}
        for name, one in kept["marks"].items():
            rows = [Scored(tuple(values), *said) for values, *said in one["rows"]]
            marks[name] = BlockScores(rows, MetricNotes(**one["told"]), one["stopped"])
        return cls(**kept | {"marks": marks})
