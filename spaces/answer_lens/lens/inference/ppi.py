"""Prediction-powered inference: joins verdicts on some rows with scores of all rows.

- Angelopoulos et al. 2023, Prediction-powered inference, Science 382 (arXiv 2301.09633). The mean
  of the scores of all rows is corrected by the mean difference of verdicts and scores on the read
  rows. The result is unbiased for every score, and a good score makes the interval shorter.
- PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453. The weight of the scores is estimated
  from the data (`tune_scores`), so a useless score is ignored.
- Stratified: Fisch et al. 2024, arXiv 2406.04291. Each stratum has its own mean, and is weighted by
  its share of the rows.

The method assumes that the read rows are a random sample of each stratum, such as the first n of
`sampling.draw_reading_order`. The score must be chosen before the verdicts are known.

Values and scores have the shape (systems, rows). A row is read if every system has a value in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import TIE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class Stratum:
    """Rows that were drawn with equal probability.

    Attributes:
        share: the share of the stratum's rows among all rows.
        read: for each row of the table, whether it is in this stratum and was read.
        unread: for each row of the table, whether it is in this stratum and was not read.
    """

    share: float
    read: Array
    unread: Array


@dataclass(frozen=True)
class PoweredMeans:
    """Prediction-powered means.

    Attributes:
        means: the mean of each system, of shape (systems,).
        influence: the influence of each row on each mean, of shape (systems, rows).
        correction: Bessel's n / (n - 1) for each row, where n is the number of rows in its group.
    """

    means: Array
    influence: Array
    correction: Array

    @property
    def scaled_influence(self) -> Array:
        """The influence with Bessel's correction; its squares sum to the variance of a mean."""
        scaled: Array = self.influence * self.correction**0.5
        return scaled


def split_strata(stratum: Sequence[int], read: Array) -> list[Stratum]:
    """Return the strata, given the number of each row's stratum and which rows were read."""
    import numpy as np

    numbers = np.asarray(stratum)
    strata = []
    for number in np.unique(numbers):
        rows = numbers == number
        share = float(rows.mean())
        stratum_rows = Stratum(share, rows & read, rows & ~read)
        strata.append(stratum_rows)
    return strata


def fill_scores(scores: Array, strata: Sequence[Stratum]) -> Array:
    """Return the scores, with missing ones replaced by the mean of their system and stratum.

    If all scores of a system and stratum are missing, they are replaced by 0.
    """
    import numpy as np

    filled = np.array(scores, dtype=float)
    for column in filled:
        for stratum in strata:
            rows = stratum.read | stratum.unread
            missing = rows & np.isnan(column)
            scored = rows & ~missing
            column[missing] = 0.0
            if scored.any():
                column[missing] = column[scored].mean()
    return filled


def tune_scores(values: Array, scores: Array, strata: Sequence[Stratum]) -> float:
    """Return the weight of the scores (lambda of PPI++), one number for all systems and strata.

    It is the slope of the values over the scores within strata, on the read rows. Each stratum is
    weighted as in the variance. With few verdicts, one slope is more stable than several. For
    several systems, the mean of all systems is subtracted first, so it is the slope of their
    differences. It is 0 if the scores are constant, or if every row was read.
    """
    if len(values) > 1:
        values = values - values.mean(axis=0)
        scores = scores - scores.mean(axis=0)
    covariance = variance = 0.0
    for stratum in strata:
        read = int(stratum.read.sum())
        unread = int(stratum.unread.sum())
        if read < 2 or not unread:
            continue
        read_values = values[:, stratum.read]
        deviations = center_rows(scores[:, stratum.read])
        products = float((read_values * deviations).sum())
        squares = float((deviations**2).sum())
        weight = stratum.share**2 / read / (read - 1)
        covariance += weight * products
        # The mean of the unread rows' scores has a variance, too.
        variance += weight * squares * (1 + read / unread)
    return covariance / variance if variance else 0.0


def center_rows(columns: Array) -> Array:
    """Subtract the mean from each series; a constant series becomes exactly 0."""
    import numpy as np

    means = columns.mean(axis=1, keepdims=True)
    centered: Array = columns - means
    is_constant = np.ptp(columns, axis=1) <= TIE
    centered[is_constant] = 0.0
    return centered


def estimate_means(
    values: Array,
    scores: Array,
    strata: Sequence[Stratum],
    tuning: float,
) -> PoweredMeans:
    """Return the mean of each system by the values of read rows and the scores of all rows.

    Args:
        values: the values, of shape (systems, rows); those in unread rows are not used.
        scores: the scores, of the same shape and none of them missing.
        strata: the strata from which the rows were drawn.
        tuning: the weight of the scores (`tune_scores`). It is 0 in a stratum that was read
            completely.
    """
    import numpy as np

    means = np.zeros(len(values))
    influence = np.zeros(values.shape)
    correction = np.ones(values.shape[1])
    for stratum in strata:
        stratum_tuning = tuning if stratum.unread.any() else 0.0
        tuned_scores = stratum_tuning * scores
        residuals = values - tuned_scores
        # The mean of the unread rows' scores, plus the mean residual of the read rows.
        for rows, all_terms in ((stratum.read, residuals), (stratum.unread, tuned_scores)):
            n = int(rows.sum())
            if not n:
                continue
            terms = all_terms[:, rows]
            mean = terms.mean(axis=1, keepdims=True)
            means += stratum.share * mean[:, 0]
            influence[:, rows] = stratum.share / n * (terms - mean)
            correction[rows] = n / max(n - 1, 1)
    return PoweredMeans(means, influence, correction)
