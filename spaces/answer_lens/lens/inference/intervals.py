"""95% intervals of shares and means.

A missing score is None or NaN, in functions that allow it. Nothing is random, and the order of the
rows does not matter.

- Shares: Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case
  of the binomial. At least 95% of these intervals contain the true share, whatever it is. Of
  Wilson's (1927) intervals, 0.90 to 0.92 do with 10 or 20 rows.
- Means: the same interval with the effective number of verdicts (Korn and Graubard 1998, Confidence
  intervals for proportions with small expected number of positive counts). Scores between 0 and 1
  vary less than verdicts with the same mean, so each score is worth more than one verdict. Half a
  pseudo-row at each end of the scale prevents too short intervals of a few equal scores (Agresti
  and Coull 1998, Approximate is better than "exact").
- Rows of one question, or of one cluster, are dependent. Variances are computed from the sums of
  clusters (Kish 1965, Survey sampling), and the degrees of freedom are those of the clusters.

`metrics/benchmarks/coverage.py` measures how often each interval contains the true value.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Scores = Sequence[float | None] | Array
    # The number of the cluster of each row, in any order; None if each row is its own cluster.
    Cluster = Sequence[int] | Array | None

# The number of draws in comparisons of several systems, and their seed.
RESAMPLES = 2000
SEED = 0
# The smallest p by these draws, which is never 0.
SMALLEST_P = 1 / (RESAMPLES + 1)
# The 97.5% quantile of the normal distribution.
NORMAL_QUANTILE = 1.959963984540054
# Scores that differ by no more than this are equal.
TIE = 1e-12
# With fewer rows or clusters, an interval is only a rough figure.
FEW_ROWS = 20
# The number of pseudo-rows at each end of the scale of a mean.
ROWS_AT_EACH_END = 0.5

Interval = tuple[float, float]


def sum_clusters(columns: Array, cluster: Cluster) -> tuple[Array, Array | None]:
    """Return the sums of each series in each cluster, and the sizes of the clusters.

    If rows are independent, the columns are returned unchanged, and None.

    Args:
        columns: scores of shape (series, rows), none of them missing.
        cluster: the cluster of each row, or None if rows are independent.
    """
    import numpy as np

    if cluster is None:
        return columns, None
    names, number = np.unique(cluster, return_inverse=True)
    if len(names) == len(number):
        return columns, None
    sums_of_columns = [np.bincount(number, column) for column in columns]
    sizes = np.bincount(number)
    return np.stack(sums_of_columns), sizes


def select_clusters(cluster: Cluster, rows: Array) -> Array | None:
    """Return the clusters of some rows; None if rows are independent.

    Args:
        cluster: the cluster of each row, or None if rows are independent.
        rows: the numbers of the rows, or for each row whether it is selected.
    """
    import numpy as np

    if cluster is None:
        return None
    clusters: Array = np.asarray(cluster)[rows]
    return clusters


@lru_cache(maxsize=1024)
def student_quantile(degrees: float) -> float:
    """Return the 97.5% quantile of Student's t with these degrees of freedom, at least 1.

    >>> round(student_quantile(9), 3), round(student_quantile(1e9), 3)
    (2.262, 1.96)
    """
    from scipy import stats

    degrees = max(degrees, 1.0)
    return float(stats.t.ppf(0.975, degrees))


def share_interval(share: float, effective_n: float) -> Interval:
    """Return the 95% interval of a share (Clopper and Pearson 1934).

    Args:
        share: the share, 0 to 1.
        effective_n: the effective number of independent rows; it need not be an integer.

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
    # For a share close to 0 or 1, the quantiles are not exact.
    return min(low, share), max(high, share)


def correct_for_clusters(effective_n: float, rows: int, units: int) -> float:
    """Return the effective number of rows, corrected for few clusters (Korn, Graubard 1998).

    Args:
        effective_n: the effective number without this correction.
        rows: the number of rows.
        units: the number of clusters, or of independent rows.
    """
    if units == rows or units < 2:
        return effective_n
    quantile_of_rows = student_quantile(rows - 1)
    quantile_of_units = student_quantile(units - 1)
    ratio = quantile_of_rows / quantile_of_units
    return effective_n * ratio**2


def design_effect(influence: Array, cluster: Cluster) -> float:
    """Return the factor by which clusters inflate the variance of a figure, at least 1 (Kish 1965).

    Args:
        influence: the influence of each row on the figure, with the mean 0.
        cluster: the cluster of each row. If all influences are 0, each cluster counts as one row.

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
    row_squares = sum_squares(influence)
    if not row_squares or clusters == 1:
        return rows / clusters
    cluster_squares = sum_squares(sums)
    # The ratio of the two variances, each with Bessel's correction.
    effect = cluster_squares / row_squares * clusters / (clusters - 1) * (rows - 1) / rows
    return max(effect, 1.0)


def sum_squares(values: Array) -> float:
    """Return the sum of the squares of values."""
    return float((values**2).sum())


def effective_sample_size(weights: Array) -> float:
    """Return the number of equally weighted rows that these weighted rows are worth (Kish 1965).

    >>> import numpy as np
    >>> effective_sample_size(np.array([1.0, 1.0])), effective_sample_size(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    total = weights.sum()
    squares = (weights**2).sum()
    return float(total**2 / squares)


def count_units(rows: int, cluster: Cluster) -> int:
    """Return the number of independent units: clusters, or rows if there are no clusters."""
    import numpy as np

    if cluster is None:
        return rows
    return len(np.unique(cluster))


def mean_intervals(matrix: Sequence[Scores], cluster: Cluster = None) -> list[Interval | None]:
    """Return the 95% interval of the mean of each series of scores on the same rows.

    It is None for a series with fewer than two scored rows, or with all rows in one cluster,
    because these have no variance. The scale is 0 to 1, or wider if the scores are beyond that.

    >>> interval, of_one_row = mean_intervals([[0.5, 0.75, 1.0], [1.0, None, None]])
    >>> [round(end, 3) for end in interval], of_one_row
    ([0.291, 0.981], None)
    """
    import numpy as np

    columns = np.array(matrix, dtype=float)
    intervals = []
    for column in columns:
        is_scored = ~np.isnan(column)
        scored_clusters = select_clusters(cluster, is_scored)
        interval = mean_interval(column[is_scored], scored_clusters)
        intervals.append(interval)
    return intervals


def mean_interval(scores: Array, cluster: Array | None) -> Interval | None:
    """Return the 95% interval of the mean of scores, none of them missing.

    It is None for fewer than two rows or clusters.
    """
    units = count_units(len(scores), cluster)
    if units < 2:
        return None
    bottom, top = find_scale(scores)
    width = top - bottom
    # The scores on a scale from 0 to 1.
    scaled = (scores - bottom) / width
    mean = statistics.fmean(scaled)
    mean = min(max(mean, 0.0), 1.0)
    effective_n = effective_n_of_scores(scaled, cluster)
    effective_n = correct_for_clusters(effective_n, len(scaled), units)
    low, high = share_interval(mean, effective_n)
    return bottom + low * width, bottom + high * width


def find_scale(scores: Array) -> Interval:
    """Return the ends of the scale of scores.

    They are 0 and 1, or the smallest and the largest score if these are beyond 0 and 1.
    """
    bottom = min(float(scores.min()), 0.0)
    top = max(float(scores.max()), 1.0)
    return bottom, top


def effective_n_of_scores(scaled: Array, cluster: Array | None) -> float:
    """Return the number of verdicts whose mean has the same variance as the mean of these scores.

    The scores are between 0 and 1. Half a pseudo-row, or half a pseudo-cluster, stands at each end
    of the scale, so that a few equal scores have a variance. If all scores are 0 or 1, the result
    is their number. Clusters never make scores worth more.
    """
    (sums,), sizes = sum_clusters(scaled[None], cluster)
    rows = len(scaled)
    units = len(sums)
    size = rows / units
    rows_at_end = ROWS_AT_EACH_END * size
    all_rows = rows + 2 * rows_at_end
    # The pseudo-rows at the top add 1 each to the sum, those at the bottom 0.
    total = float(scaled.sum()) + rows_at_end
    mean = total / all_rows
    squares_of_ends = mean**2 + (1 - mean) ** 2

    deviations = scaled - mean
    squares = sum_squares(deviations) + rows_at_end * squares_of_ends
    variance = squares / all_rows / rows
    if sizes is not None:
        cluster_deviations = sums - mean * sizes
        squares = sum_squares(cluster_deviations) + rows_at_end * size * squares_of_ends
        all_units = units + 2 * ROWS_AT_EACH_END
        cluster_variance = squares / all_units / units / size**2
        variance = max(variance, cluster_variance)
    return mean * (1 - mean) / variance
