"""The scores of one block of rows, as they are kept until all blocks are done.

Numbers, and what judges said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from lens.experiment.answers import SKIP_REASONS
from lens.scoring.cascade import SETTLED
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.row_scores import Scored

# Why a judge was not asked for a row; any other reason may be gone with another run.
NOT_ASKED = frozenset((*SKIP_REASONS, SETTLED))


@dataclass
class BlockScores:
    """What one metric made of a block: its rows, and what it says of them together."""

    rows: list[Scored] = field(default_factory=list)
    notes: MetricNotes = field(default_factory=MetricNotes)
    stopped: str = ""

    def join(self, later: BlockScores) -> None:
        """Add what the metric made of later rows of the block."""
        self.rows += later.rows
        self.notes.add(later.notes)
        self.stopped = self.stopped or later.stopped

    def find_reasons(self) -> dict[int, str]:
        """Return why rows are not scored, by their places in the block, from 0."""
        reasons = {}
        for place, row in enumerate(self.rows):
            if row.values[0] is None:
                reasons[place] = row.reason or "other"
        return reasons


@dataclass
class BlockResult:
    """What some metrics made of one block. No text of a row is in it but what a judge said.

    Attributes:
        number: the place of the block among the blocks; `first` is that of its first row among the
            rows, both from 0.
        scores: what each metric made of it, by the metric's name.
    """

    number: int
    first: int
    rows: int
    scores: dict[str, BlockScores] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """True if another run would find nothing more.

        No metric was stopped, and no judge left a row without a verdict that it was asked for.
        """
        for name, scores in self.scores.items():
            if scores.stopped:
                return False
            reasons = scores.find_reasons().values()
            if BY_NAME[name].judge and not NOT_ASKED.issuperset(reasons):
                return False
        return True

    def find_row(self, place: int) -> dict[str, Scored]:
        """Return what each metric says of one row of the block."""
        return {name: scores.rows[place] for name, scores in self.scores.items()}

    def combine(self, other: BlockResult) -> BlockResult:
        """Return it together with what other metrics made of the same block."""
        return BlockResult(self.number, self.first, self.rows, self.scores | other.scores)

    def to_json(self) -> str:
        """Return it as text; every float comes back as it was."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> BlockResult:
        """Return the result that a text holds.

        Raises:
            ValueError, KeyError, TypeError: the text is damaged.
        """
        kept = json.loads(text)
        scores = {}
        for name, own in kept["scores"].items():
            rows = read_rows(own["rows"])
            notes = MetricNotes(**own["notes"])
            scores[name] = BlockScores(rows, notes, own["stopped"])
        kept["scores"] = scores
        return cls(**kept)


def read_rows(rows: Sequence[Sequence[object]]) -> list[Scored]:
    """Return scores of rows as they come out of JSON."""
    return [Scored(tuple(values), *texts) for values, *texts in rows]  # type: ignore[arg-type]
