"""Figures about columns of scores: 95% intervals, two systems compared, correlation, disagreement.

A score that is missing is None or NaN where a function says so. Nothing is drawn: the same scores
give the same figures in whatever order.

- Shares: Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case
  of the binomial. Of its intervals at least 95% hold, whatever the share. Of Wilson's (1927) 0.90
  to 0.92 do with 10 or 20 rows.
- Means: the same interval for as many rows as the scores are worth (Korn and Graubard 1998,
  Confidence intervals for proportions with small expected number of positive counts). Scores
  between 0 and 1 spread less than verdicts of the same mean, so each is worth more than one
  verdict. Two made-up half rows, one at each end of the scale, keep a few equal scores from looking
  sure (Agresti and Coull 1998, Approximate is better than "exact").
- Differences: Student's interval and p, both from one standard error, with two made-up rows, in
  which either system leads by as much as in the row that differs most (Agresti and Min 2005, Simple
  improved confidence intervals for comparing matched proportions).
- Rows of one question, or of one cluster, count by how far their sums spread (Kish 1965, Survey
  sampling), and the degrees of freedom are those of the clusters.

`metrics/benchmarks/coverage.py` measures how often each interval holds.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Scores = Sequence[float | None] | Array
    # The number of the cluster of each row, in any order; None if each row is its own cluster.
    Cluster = Sequence[int] | Array | None

# Resamples of the comparisons of several systems.
RESAMPLES, SEED = 2000, 0
TAIL = RESAMPLES // 40
LEAST_P = 1 / (RESAMPLES + 1)
# The normal distribution's 97.5% point.
Z = 1.959963984540054
# Two scores so near are a tie.
TIE = 1e-12
# With fewer rows, or clusters, an interval is a rough figure.
FEW_ROWS = 20
# With fewer clusters, in the cluster to come any two scores may stand against each other.
FEW_CLUSTERS = 50
# Made-up rows at each end of the scale of a mean, and in favour of each of two systems.
ROWS_AT_EACH_END = 0.5
ROWS_FOR_EACH_SIDE = 1

Interval = tuple[float, float]


def sum_clusters(columns: Array, cluster: Cluster) -> tuple[Array, Array | None]:
    """Return the sums of each cluster and the sizes of clusters.

    The columns and None if rows are independent.

    Args:
        columns: scores without gaps, of shape (series, rows).
        cluster: the cluster of each row, or None if rows are independent.
    """
    import numpy as np

    if cluster is None:
        return columns, None
    names, number = np.unique(cluster, return_inverse=True)
    if len(names) == len(number):
        return columns, None
    sums = [np.bincount(number, column) for column in columns]
    return np.stack(sums), np.bincount(number)


@lru_cache(maxsize=1024)
def student_quantile(degrees: float) -> float:
    """Return the 97.5% point of Student's t with these degrees of freedom, at least one.

    >>> round(student_quantile(9), 3), round(student_quantile(1e9), 3)
    (2.262, 1.96)
    """
    from scipy import stats

    return float(stats.t.ppf(0.975, max(degrees, 1.0)))


def share_interval(share: float, effective_n: float) -> Interval:
    """Return the 95% interval of a share (Clopper and Pearson 1934).

    Args:
        share: the share, 0 to 1.
        effective_n: how many independent rows the share rests on; it need not be a whole number.

    >>> [round(end, 4) for end in share_interval(1.0, 10)]
    [0.6915, 1.0]
    """
    from scipy import stats

    right = share * effective_n
    wrong = (1 - share) * effective_n
    low, high = 0.0, 1.0
    if right > 0:
        low = float(stats.beta.ppf(0.025, right, wrong + 1))
    if wrong > 0:
        high = float(stats.beta.ppf(0.975, right + 1, wrong))
    # Of a share next to 0 or 1 the quantiles are not exact.
    return min(low, share), max(high, share)


def correct_for_clusters(effective_n: float, rows: int, units: int) -> float:
    """Return the effective number of rows if few clusters tell the variance (Korn, Graubard 1998).

    Args:
        effective_n: the number without that correction.
        rows: how many rows there are.
        units: how many clusters, or rows, are independent.
    """
    if units == rows or units < 2:
        return effective_n
    quantiles = student_quantile(rows - 1) / student_quantile(units - 1)
    return effective_n * quantiles**2


def design_effect(influence: Array, cluster: Cluster) -> float:
    """Return by what factor clusters inflate the variance of a figure, at least 1 (Kish 1965).

    Args:
        influence: how far each row moves the figure, 0 on the mean.
        cluster: the cluster of each row. Where no row moves the figure, rows of one cluster count
            as one.

    >>> import numpy as np
    >>> design_effect(np.array([1.0, 1.0, -1.0, -1.0]), [0, 0, 1, 1])
    3.0
    >>> design_effect(np.array([1.0, -1.0]), [0, 1])
    1.0
    """
    (sums,), sizes = sum_clusters(influence[None], cluster)
    if sizes is None:
        return 1.0
    rows = len(influence)
    clusters = len(sizes)
    of_rows = float((influence**2).sum())
    if not of_rows or clusters == 1:
        return rows / clusters
    of_clusters = float((sums**2).sum())
    effect = of_clusters / of_rows * clusters / (clusters - 1) * (rows - 1) / rows
    return max(effect, 1.0)


def effective_sample_size(weights: Array) -> float:
    """Return how many rows of one weight rows of these weights are worth (Kish 1965).

    >>> import numpy as np
    >>> effective_sample_size(np.array([1.0, 1.0])), effective_sample_size(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    return float(weights.sum() ** 2 / (weights**2).sum())


def count_units(rows: int, cluster: Cluster) -> int:
    """Return how many independent units some rows are: their clusters, or the rows themselves."""
    import numpy as np

    if cluster is None:
        return rows
    return len(np.unique(cluster))


def mean_intervals(matrix: Sequence[Scores], cluster: Cluster = None) -> list[Interval | None]:
    """Return the 95% interval of the mean of each of several series of the same rows.

    None stands for a series with fewer than two scored rows, or whose rows are all of one cluster:
    these show no spread. The scale is 0 to 1, or reaches as far as the scores do.

    >>> found, nothing = mean_intervals([[0.5, 0.75, 1.0], [1.0, None, None]])
    >>> [round(end, 3) for end in found], nothing
    ([0.291, 0.981], None)
    """
    import numpy as np

    clusters = None if cluster is None else np.asarray(cluster)
    intervals = []
    for column in np.array(matrix, dtype=float):
        scored = ~np.isnan(column)
        own_clusters = None if clusters is None else clusters[scored]
        interval = mean_interval(column[scored], own_clusters)
        intervals.append(interval)
    return intervals


def mean_interval(scores: Array, cluster: Array | None) -> Interval | None:
    """Return the 95% interval of the mean of scores without gaps.

    It is None for fewer than two rows or clusters.
    """
    units = count_units(len(scores), cluster)
    if units < 2:
        return None
    bottom, top = find_scale(scores)
    width = top - bottom
    placed = (scores - bottom) / width
    mean = statistics.fmean(placed)
    mean = min(max(mean, 0.0), 1.0)
    effective_n = effective_n_of_scores(placed, cluster)
    effective_n = correct_for_clusters(effective_n, len(placed), units)
    low, high = share_interval(mean, effective_n)
    return bottom + low * width, bottom + high * width


def find_scale(scores: Array) -> Interval:
    """Return the ends of the scale that scores are on: 0 and 1, or the smallest and largest score
    beyond them.
    """
    bottom = min(float(scores.min()), 0.0)
    top = max(float(scores.max()), 1.0)
    return bottom, top


def effective_n_of_scores(placed: Array, cluster: Array | None) -> float:
    """Return how many verdicts of the same mean have the same variance of their mean as scores
    between 0 and 1.

    Half a made-up row, or cluster, stands at each end of the scale. So a few equal scores have a
    variance. Verdicts, which are 0 or 1, are worth just as many as they are. Clusters never make
    scores worth more.
    """
    (sums,), sizes = sum_clusters(placed[None], cluster)
    rows = len(placed)
    units = len(sums)
    size = rows / units
    added = ROWS_AT_EACH_END * size
    all_rows = rows + 2 * added
    mean = (float(placed.sum()) + added) / all_rows
    of_ends = mean**2 + (1 - mean) ** 2

    deviations = placed - mean
    squares = float((deviations**2).sum()) + added * of_ends
    variance = squares / all_rows / rows
    if sizes is not None:
        cluster_deviations = sums - mean * sizes
        between = float((cluster_deviations**2).sum()) + added * size * of_ends
        of_clusters = between / (units + 2 * ROWS_AT_EACH_END) / units / size**2
        variance = max(variance, of_clusters)
    return mean * (1 - mean) / variance


@dataclass(frozen=True)
class Contrast:
    """The difference of two means for inference: with the made-up rows, and its standard error."""

    centre: float
    error: float


def largest_lead(columns: Array, sizes: Array | None) -> float:
    """Return how far one of two systems may be ahead in a row to come: as in the row where they
    differ most.

    The whole scale where they never differ. Of fewer than 50 clusters as far as any two scores are
    apart: a cluster to come may differ in all its rows.

    Args:
        columns: the scores of both systems, of shape (2, rows).
        sizes: how many rows each cluster has; None if rows are independent.
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
    """Return the difference of two systems' means with two made-up rows, and its standard error
    (Agresti and Min 2005).

    Args:
        sums: how far the first system is ahead in each row; of clusters the sums.
        sizes: how many rows each cluster has; None if rows are independent.
        lead: how far either system is ahead in its made-up row, or in each row of its made-up
            cluster.
    """
    import numpy as np

    units = len(sums)
    weights = np.ones(units) if sizes is None else sizes.astype(float)
    size = float(weights.mean())

    made_up = 2 * ROWS_FOR_EACH_SIDE
    rows = size * (units + made_up)
    centre = float(sums.sum()) / rows
    deviations = sums - centre * weights
    squares = float((deviations**2).sum())
    of_made_up = (lead - centre) ** 2 + (lead + centre) ** 2
    squares += ROWS_FOR_EACH_SIDE * size**2 * of_made_up
    bessel = (units + made_up) / (units + made_up - 1)
    error = (squares * bessel) ** 0.5 / rows
    return Contrast(centre, error)


def compare_means(
    first: Scores, second: Scores, cluster: Cluster = None
) -> tuple[float, Interval | None, float | None]:
    """Return the difference of the means of two systems on the same rows, its 95% interval and its
    two-sided p.

    Interval and p come from the same standard error and Student's t: p is below 0.05 exactly where
    the interval leaves out 0. The rows are taken as a sample of all that might be asked; the
    model's own chance (another run, another prompt) is not in it. One row, or cluster, has no
    interval and no p. Several metrics tested at once want a correction, which is not made here.

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
        return difference, None, None
    bottom, top = find_scale(columns)
    lead = largest_lead(columns, sizes)
    contrast = contrast_means(sums, sizes, lead)
    t = abs(contrast.centre) / contrast.error
    p_value = 2 * float(stats.t.sf(t, degrees))
    quantile = student_quantile(degrees)
    interval = interval_around(contrast, quantile, top - bottom)
    return difference, interval, p_value


def interval_around(contrast: Contrast, quantile: float, scale: float) -> Interval:
    """Return the interval of a difference, within what scores can differ by."""
    half = quantile * contrast.error
    low = contrast.centre - half
    high = contrast.centre + half
    return max(low, -scale), min(high, scale)
