"""Ask a judge only where the estimate is unsure.

Which rows the estimate settles, and the verdict of both together.

The estimate settles a row that it calls a probability above one threshold (right) or below another
(wrong). The judge is asked about all other rows. The result is a score like any other, `cascade`.
It is biased where the estimate or the judge is. So it should stand in for a person's verdicts
(prediction-powered inference) and be no result by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lens.scoring.row_scores import INTERPRETATIONS, Scored

# Why a judge has no verdict on a row: it was not asked.
SETTLED = "settled"
PROBABILITY = INTERPRETATIONS[0]
LOW, HIGH = 0.1, 0.9


@dataclass(frozen=True)
class Thresholds:
    """Between which probabilities the estimate is unsure.

    Attributes:
        low: an estimate below it settles that the answer is wrong.
        high: an estimate above it settles that the answer is right.
    """

    low: float = LOW
    high: float = HIGH

    def settle(self, estimate: Scored) -> float | None:
        """Return the verdict of an estimate, 1 or 0.

        It is None if it is unsure, or where there is no estimate.
        """
        value = estimate.values[0]
        if value is None or estimate.interpretation != PROBABILITY:
            return None
        if value > self.high:
            return 1.0
        if value < self.low:
            return 0.0
        return None


def combine_scores(settled: Sequence[float | None], judged: Sequence[Scored]) -> list[Scored]:
    """Return the verdict on each row: the estimate's where it settles the row, else the judge's.

    Args:
        settled: the estimate's verdict on each row; None if it is unsure.
        judged: what the judge says of each row; a row without a verdict says why.
    """
    combined = []
    for verdict, judgement in zip(settled, judged, strict=True):
        if verdict is not None:
            combined.append(Scored((verdict,)))
        else:
            combined.append(Scored(judgement.values[:1], judgement.reason, judgement.message))
    return combined


def leave_out_settled(
    settled: Sequence[float | None], judged: Sequence[Scored], n_values: int
) -> list[Scored]:
    """Return what the judge says of all rows, from what it says of those that it was asked about.

    Args:
        settled: the estimate's verdict on each row; None if it is unsure.
        judged: what the judge says of the unsure rows, in their order.
        n_values: how many scores the judge gives a row.
    """
    rows = iter(judged)
    not_asked = Scored((None,) * n_values, SETTLED)
    return [next(rows) if verdict is None else not_asked for verdict in settled]
