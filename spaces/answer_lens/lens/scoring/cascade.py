"""The cascade: a judge is asked only about rows whose estimate is unsure.

The estimate settles a row if it is a probability above one threshold (right) or below another
(wrong). The judge is asked about all other rows. The result is a score like any other, `cascade`.
It has the biases of the estimate and of the judge, so its mean should not be reported by itself.
Together with a person's verdicts on some rows, it gives an unbiased mean (prediction-powered
inference).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lens.scoring.row_scores import INTERPRETATIONS, RowResult

# The reason of a row that a judge was not asked about, because the estimate settled it.
SETTLED = "settled"
PROBABILITY = INTERPRETATIONS[0]
# The default thresholds.
LOW = 0.1
HIGH = 0.9


@dataclass(frozen=True)
class Thresholds:
    """The probabilities between which the estimate is unsure.

    Attributes:
        low: an estimate below this means that the answer is wrong.
        high: an estimate above this means that the answer is right.
    """

    low: float = LOW
    high: float = HIGH

    def settle(self, estimate: RowResult) -> float | None:
        """Return the verdict of an estimate, 1 or 0; None if it is unsure or missing."""
        value = estimate.values[0]
        if value is None or estimate.interpretation != PROBABILITY:
            return None
        if value > self.high:
            return 1.0
        if value < self.low:
            return 0.0
        return None


def combine_scores(
    verdicts: Sequence[float | None], judged: Sequence[RowResult]
) -> list[RowResult]:
    """Return the verdict on each row: of the estimate if it settles the row, or else of the judge.

    Args:
        verdicts: the estimate's verdict on each row; None if the estimate is unsure.
        judged: the judge's result for each row, with a reason if there is no verdict.
    """
    combined = []
    for verdict, judge_result in zip(verdicts, judged, strict=True):
        if verdict is not None:
            combined.append(RowResult((verdict,)))
            continue
        main_score = judge_result.values[:1]
        combined.append(RowResult(main_score, judge_result.reason, judge_result.message))
    return combined


def fill_settled_rows(
    verdicts: Sequence[float | None], judged: Sequence[RowResult], n_values: int
) -> list[RowResult]:
    """Return the judge's results for all rows, given those for the rows that it was asked about.

    Args:
        verdicts: the estimate's verdict on each row; None if the estimate is unsure.
        judged: the judge's results for the unsure rows, in order.
        n_values: the number of scores that the judge gives a row.
    """
    rows = iter(judged)
    not_asked = RowResult((None,) * n_values, SETTLED)
    return [next(rows) if verdict is None else not_asked for verdict in verdicts]
