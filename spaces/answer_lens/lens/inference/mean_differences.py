"""Compares the means of two systems: the difference, its 95% interval and its p.

Interval and p are Student's, both from one standard error. It includes two pseudo-rows, one in
favour of each system, with the largest difference of any row (Agresti and Min 2005, Simple improved
confidence intervals for comparing matched proportions). Rows of one cluster are dependent, as in
`intervals`. Nothing is random, and the order of the rows does not matter.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lens.inference.intervals import (
    TIE,
    Interval,
    count_units,
    find_scale,
    student_quantile,
    sum_clusters,
    sum_squares,
)

if TYPE_CHECKING:
    from lens.inference.intervals import Array, Cluster, Scores

# With fewer clusters, the pseudo-rows have the difference of any two scores (`largest_lead`).
FEW_CLUSTERS = 50
# The number of pseudo-rows in favour of each system.
ROWS_FOR_EACH_SIDE = 1


@dataclass(frozen=True)
class Contrast:
    """The difference of two means with the pseudo-rows, and its standard error."""

    centre: float
    error: float

    @property
    def t(self) -> float:
        """Student's |t|: the distance from 0 in standard errors."""
        return abs(self.centre) / self.error


def largest_lead(columns: Array, sizes: Array | None) -> float:
    """Return the difference of two systems in a pseudo-row: the largest difference of any row.

    If the systems never differ, it is the length of the scale. With fewer than 50 clusters, it is
    the difference of the largest and the smallest score, because all rows of a new cluster may
    differ.

    Args:
        columns: the scores of both systems, of shape (2, rows).
        sizes: the number of rows in each cluster; None if rows are independent.
    """
    import numpy as np

    bottom, top = find_scale(columns)
    width = top - bottom
    if sizes is not None and len(sizes) < FEW_CLUSTERS:
        lead = float(np.ptp(columns))
    else:
        difference = columns[0] - columns[1]
        lead = float(np.abs(difference).max())
    return lead if lead > TIE * width else width


def contrast_means(sums: Array, sizes: Array | None, lead: float) -> Contrast:
    """Return the difference of two systems' means with two pseudo-rows, and its standard error.

    Source: Agresti and Min 2005.

    Args:
        sums: the score of the first system minus that of the second, per row or summed per cluster.
        sizes: the number of rows in each cluster; None if rows are independent.
        lead: the difference in each pseudo-row, or in each row of a pseudo-cluster.
    """
    import numpy as np

    units = len(sums)
    weights = np.ones(units) if sizes is None else sizes.astype(float)
    size = float(weights.mean())

    pseudo_rows = 2 * ROWS_FOR_EACH_SIDE
    rows = size * (units + pseudo_rows)
    centre = float(sums.sum()) / rows
    deviations = sums - centre * weights
    squares = sum_squares(deviations)
    pseudo_squares = (lead - centre) ** 2 + (lead + centre) ** 2
    squares += ROWS_FOR_EACH_SIDE * size**2 * pseudo_squares
    bessel = (units + pseudo_rows) / (units + pseudo_rows - 1)
    error = (squares * bessel) ** 0.5 / rows
    return Contrast(centre, error)


class MeanDifference(NamedTuple):
    """The difference of two systems' means.

    Attributes:
        difference: the mean of the first system minus that of the second.
        interval: the 95% interval; None for one row or cluster.
        p_value: the two-sided p; None for one row or cluster.
    """

    difference: float
    interval: Interval | None
    p_value: float | None


def compare_means(first: Scores, second: Scores, cluster: Cluster = None) -> MeanDifference:
    """Return the difference of two systems' means, its 95% interval and its two-sided p.

    Both systems have scores on the same rows. Interval and p use the same standard error and
    Student's t, so p is below 0.05 exactly if the interval does not contain 0. The rows are a
    sample of all possible questions. Differences between runs or prompts of a model are not
    considered. A single row or cluster has no interval and no p. If several metrics are tested, the
    p-values need a correction, which is not made here.

    >>> difference, interval, p_value = compare_means([1.0] * 9 + [0.0] * 3, [1.0] * 2 + [0.0] * 10)
    >>> round(difference, 3), [round(end, 3) for end in interval], round(p_value, 3)
    (0.583, [0.117, 0.883], 0.015)
    """
    import numpy as np
    from scipy import stats

    columns = np.array([first, second], dtype=float)
    rows = columns[0] - columns[1]
    difference = statistics.fmean(rows)
    (sums,), sizes = sum_clusters(rows[None], cluster)
    degrees = len(sums) - 1
    if count_units(len(rows), cluster) < 2:
        return MeanDifference(difference, None, None)
    bottom, top = find_scale(columns)
    lead = largest_lead(columns, sizes)
    contrast = contrast_means(sums, sizes, lead)
    p_value = 2 * float(stats.t.sf(contrast.t, degrees))
    quantile = student_quantile(degrees)
    interval = interval_around(contrast, quantile, top - bottom)
    return MeanDifference(difference, interval, p_value)


def interval_around(contrast: Contrast, quantile: float, scale: float) -> Interval:
    """Return the interval of a difference, limited to the length of the scale."""
    half = quantile * contrast.error
    low = contrast.centre - half
    high = contrast.centre + half
    return max(low, -scale), min(high, scale)
