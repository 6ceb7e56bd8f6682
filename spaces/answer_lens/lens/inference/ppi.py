"""Prediction-powered inference: verdicts on some rows joined with a score of every row, for one
system or several.

- Angelopoulos et al. 2023, Prediction-powered inference, Science 382 (arXiv 2301.09633). The mean
  of the scores of all rows is corrected by how far they are from the verdicts where there are some.
  The result is unbiased however bad the score is; a good one makes the interval shorter.
- PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453. The score counts as much as it has
  earned (`tune_scores`): a useless one is left aside.
- Stratified: Fisch et al. 2024, arXiv 2406.04291. Each stratum has its own mean, and counts by its
  rows.

What it assumes: the rows that were read are a random sample of each stratum, such as the first n of
`sampling.draw_reading_order`. The score is named beforehand, never picked by looking at the
verdicts.

Values and scores have the shape (systems, rows). A row is read where every system has a value.
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
    """Rows with one chance to be drawn.

    Attributes:
        share: their share of all rows.
        read: which rows of the table are of this stratum and were read.
        unread: which are of this stratum and were not.
    """

    share: float
    read: Array
    unread: Array


@dataclass(frozen=True)
class PoweredMeans:
    """Prediction-powered means.

    Attributes:
        means: the mean of each system, of shape (systems,).
        influence: how far each row moves each mean, of shape (systems, rows).
        correction: Bessel's n / (n - 1) of each row, for the n rows that its influence is measured
            from.
    """

    means: Array
    influence: Array
    correction: Array

    @property
    def scaled_influence(self) -> Array:
        """The influence with Bessel's correction: its squares sum to the variance of a mean."""
        scaled: Array = self.influence * self.correction**0.5
        return scaled


def split_strata(stratum: Sequence[int], read: Array) -> list[Stratum]:
    """Return the strata, from the stratum of each row and which rows were read."""
    import numpy as np

    numbers = np.asarray(stratum)
    strata = []
    for number in np.unique(numbers):
        rows = numbers == number
        strata.append(Stratum(float(rows.mean()), rows & read, rows & ~read))
    return strata


def fill_scores(scores: Array, strata: Sequence[Stratum]) -> Array:
    """Return the scores.

    One that is missing is the mean of its system and stratum, or 0 if all of these are.
    """
    import numpy as np

    filled = np.array(scores, dtype=float)
    for column in filled:
        for stratum in strata:
            rows = stratum.read | stratum.unread
            missing = rows & np.isnan(column)
            scored = rows & ~missing
            column[missing] = column[scored].mean() if scored.any() else 0.0
    return filled


def tune_scores(values: Array, scores: Array, strata: Sequence[Stratum]) -> float:
    """Return how much the scores count (lambda of PPI++), one number for all systems and strata.

    It is the slope of the values over the scores within strata, by the rows that were read; each
    stratum counts as much as in the variance. Of few verdicts one slope is steadier than the mean
    of several. Several systems are measured from the mean of all, so that it is the slope of their
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
        own_values = values[:, stratum.read]
        deviations = center_rows(scores[:, stratum.read])
        products = float((own_values * deviations).sum())
        squares = float((deviations**2).sum())
        weight = stratum.share**2 / read / (read - 1)
        covariance += weight * products
        variance += weight * squares * (1 + read / unread)
    return covariance / variance if variance else 0.0


def center_rows(columns: Array) -> Array:
    """Return each series less its mean; exactly 0 for a series that is constant."""
    import numpy as np

    centered: Array = columns - columns.mean(axis=1, keepdims=True)
    centered[np.ptp(columns, axis=1) <= TIE] = 0.0
    return centered


def estimate_means(
    values: Array,
    scores: Array,
    strata: Sequence[Stratum],
    tuning: float,
) -> PoweredMeans:
    """Return the mean of each system's values, from those of the rows read and the scores of all
    rows.

    Args:
        values: of shape (systems, rows); what stands in rows that were not read is not used.
        scores: of the same shape, none of them missing.
        strata: as the rows were drawn.
        tuning: how much the scores count (`tune_scores`). Where all rows of a stratum were read,
            they do not.
    """
    import numpy as np

    means = np.zeros(len(values))
    influence = np.zeros(values.shape)
    correction = np.ones(values.shape[1])
    for stratum in strata:
        own_tuning = tuning if stratum.unread.any() else 0.0
        counted = own_tuning * scores
        for rows, all_terms in ((stratum.read, values - counted), (stratum.unread, counted)):
            n = int(rows.sum())
            if not n:
                continue
            terms = all_terms[:, rows]
            mean = terms.mean(axis=1, keepdims=True)
            means += stratum.share * mean[:, 0]
            influence[:, rows] = stratum.share / n * (terms - mean)
            correction[rows] = n / max(n - 1, 1)
    return PoweredMeans(means, influence, correction)
