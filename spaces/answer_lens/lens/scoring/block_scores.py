"""The scores of one block of rows, which are stored until all blocks are scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from lens.experiment.answers import SKIP_REASONS
from lens.scoring.cascade import SETTLED
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.row_scores import RowResult

# The reasons why a judge was not asked about a row. Any other reason may not occur in another run.
NOT_ASKED = frozenset((*SKIP_REASONS, SETTLED))


@dataclass
class BlockScores:
    """The results of one metric for a block: the scores of its rows, and notes on all of them."""

    rows: list[RowResult] = field(default_factory=list)
    notes: MetricNotes = field(default_factory=MetricNotes)
    stopped: str = ""

    def join(self, later: BlockScores) -> None:
        """Add the results of the metric for later rows of the block."""
        self.rows += later.rows
        self.notes.add(later.notes)
        self.stopped = self.stopped or later.stopped

    def find_reasons(self) -> dict[int, str]:
        """Return the reasons of rows without a score, by the rows' numbers in the block, from 0."""
        reasons = {}
        for place, row in enumerate(self.rows):
            if row.values[0] is None:
                reasons[place] = row.reason or "other"
        return reasons


@dataclass
class BlockResult:
    """The results of metrics for one block, with the texts of judges but no answers.

    Attributes:
        number: the number of the block in its table, from 0.
        first: the number of its first row in the table, from 0.
        rows: the number of rows in the block.
        scores: the results of each metric, by name.
    """

    number: int
    first: int
    rows: int
    scores: dict[str, BlockScores] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """True if another run would not give more scores.

        No metric was stopped, and every judge gave a verdict on every row that it was asked about.
        """
        for name, scores in self.scores.items():
            if scores.stopped:
                return False
            reasons = scores.find_reasons().values()
            if BY_NAME[name].judge and not NOT_ASKED.issuperset(reasons):
                return False
        return True

    def find_row(self, place: int) -> dict[str, RowResult]:
        """Return the result of each metric for one row of the block."""
        return {name: scores.rows[place] for name, scores in self.scores.items()}

    def combine(self, other: BlockResult) -> BlockResult:
        """Return the results together with those of other metrics for the same block."""
        return BlockResult(self.number, self.first, self.rows, self.scores | other.scores)

    def to_json(self) -> str:
        """Return the results as JSON, from which every float is restored exactly."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> BlockResult:
        """Parse results from JSON.

        Raises:
            ValueError, KeyError, TypeError: the text is damaged.
        """
        fields = json.loads(text)
        scores = {}
        for name, block_scores in fields["scores"].items():
            rows = read_rows(block_scores["rows"])
            notes = MetricNotes(**block_scores["notes"])
            scores[name] = BlockScores(rows, notes, block_scores["stopped"])
        fields["scores"] = scores
        return cls(**fields)


def read_rows(rows: Sequence[Sequence[object]]) -> list[RowResult]:
    """Return the results of rows, given as parsed JSON."""
    return [RowResult(tuple(values), *texts) for values, *texts in rows]  # type: ignore[arg-type]
