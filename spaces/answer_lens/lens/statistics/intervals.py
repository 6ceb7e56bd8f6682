"""Figures about columns of scores: 95% intervals, two systems compared, correlation, disagreement.

A score that is missing is None or NaN where a function says so. What is drawn is seeded: the same scores in the same
order give the same figures.

- Bootstrap: Efron 1979, Bootstrap methods: another look at the jackknife. The percentile interval, and the p-value that
  goes with it: Efron and Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 15. p is twice the share of
  resamples on the other side of 0, the mean that was found counted as one more on its own side: it is below 0.05
  exactly where the 95% interval leaves out 0.
- Above 50,000 rows interval and p come from the normal distribution, mean -+ z s / sqrt(n): a skew g moves an end by
  about g / (6 sqrt(n)) of the standard error, less than the resamples differ among themselves, and they take seconds.
- Rows of one question, or of one cluster, are drawn together: a resample's mean is the sum of the sums of its clusters
  over their sizes. Field and Welsh 2007, Bootstrapping clustered data. A share's interval counts as many rows as these
  are worth (`design_effect`; Kish 1965, Survey sampling).
- Pass rates: Wilson 1927, Probable inference, the law of succession, and statistical inference.
- Spearman 1904, The proof and measurement of association between two things.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Scores = Sequence[float | None] | Array
    # The number of the cluster of each row, of whatever order; None where every row is one of its own.
    Cluster = Sequence[int] | Array | None

# With these, the 50 lowest and the 50 highest means are left out.
RESAMPLES, SEED = 2000, 0
TAIL = RESAMPLES // 40
LEAST_P = 1 / (RESAMPLES + 1)
# Drawn rows in memory at once.
DRAWN = 200_000
MOST_RESAMPLED = 50_000
# The normal distribution's 97.5% point.
Z = 1.959963984540054
# Two scores so near are a tie.
TIE = 1e-12
# Fewer rows than that say nothing of a correlation.
LEAST_ROWS = 3

Interval = tuple[float, float]


def summed(columns: Array, cluster: Cluster) -> tuple[Array, Array | None]:
    """Columns without gaps as the sums of each cluster, and how many rows those have; as they are, and None, where no
    two rows are of one cluster.
    """
    import numpy as np

    if cluster is None:
        return columns, None
    names, number = np.unique(cluster, return_inverse=True)
    if len(names) == len(number):
        return columns, None
    return np.stack([np.bincount(number, column) for column in columns]), np.bincount(number)


def resampled(columns: Array, sizes: Array | None = None) -> Array:
    """The means of 2,000 resamples of the rows, in order; of shape (series, rows), (series, 2000). With `sizes` the
    columns are the sums of clusters of so many rows.

    All series share the rows that are drawn, by RandomState, whose stream is the same in every version of numpy. Means
    are rounded to 12 digits, so that one that should be 0 is; none lies beyond the scores.
    """
    import numpy as np
    from scipy import stats

    def means(drawn: Array, axis: int) -> Array:
        rows = drawn.shape[axis] if sizes is None else sizes[drawn].sum(axis=axis)
        return np.stack([column[drawn].sum(axis=axis) / rows for column in columns])

    count = columns.shape[1]
    found = stats.bootstrap(
        (np.arange(count),),
        means,
        n_resamples=RESAMPLES,
        batch=max(1, DRAWN // count),
        method="percentile",
        random_state=np.random.RandomState(SEED),
    )
    ordered = np.sort(found.bootstrap_distribution.round(12), axis=-1)
    own = columns if sizes is None else columns / sizes
    return ordered.clip(own.min(axis=1, keepdims=True), own.max(axis=1, keepdims=True))


def standard_errors(columns: Array, sizes: Array | None = None) -> Array:
    """The standard error of each column's mean; of clusters that of the ratio of sums to sizes (Cochran 1977, Sampling
    techniques, chapter 6).
    """
    from scipy import stats

    means = 0.0 if sizes is None else columns.sum(axis=1, keepdims=True) / sizes.sum() * sizes
    found: Array = stats.sem(columns - means, axis=1)
    return found if sizes is None else found * len(sizes) / sizes.sum()


def mean_intervals(matrix: Sequence[Scores], cluster: Cluster = None) -> list[Interval | None]:
    """The 95% interval of the mean for each of several series of the same rows; none for one without a score, or whose
    rows are all of one `cluster`.

    The percentile bootstrap, or above 50,000 rows (or clusters) the normal interval. One score, or scores that are all
    the same, give that score twice. With few rows it is too narrow, as every percentile bootstrap is: about 90% at ten
    rows. Series that are scored on the same rows share what is drawn, which saves most of the time.

    >>> mean_intervals([[0.5, 0.5], [0.25, None], [None, None]])
    [(0.5, 0.5), (0.25, 0.25), None]
    >>> mean_intervals([[0.0, 0.0, 1.0, 1.0]], cluster=[7, 7, 8, 8])
    [(0.0, 1.0)]
    """
    import numpy as np

    columns = np.array(matrix, dtype=float)
    scored = ~np.isnan(columns)
    found: list[Interval | None] = [None] * len(columns)
    for pattern in np.unique(scored, axis=0):
        members = np.flatnonzero((scored == pattern).all(axis=1))
        of = None if cluster is None else np.asarray(cluster)[pattern]
        intervals = intervals_of(*summed(columns[members][:, pattern], of)) if pattern.any() else []
        for at, interval in zip(members, intervals, strict=False):
            found[at] = interval
    return found


def intervals_of(columns: Array, sizes: Array | None = None) -> list[Interval | None]:
    """The intervals for columns without gaps; no end lies beyond the scores. None for one cluster of several rows."""
    import numpy as np

    own = columns if sizes is None else columns / sizes
    low, high = own.min(axis=1), own.max(axis=1)
    if sizes is not None and len(sizes) == 1:
        return [None] * len(columns)
    if (low == high).all():
        ends = low, high
    elif columns.shape[1] > MOST_RESAMPLED:
        rows = columns.shape[1] if sizes is None else sizes.sum()
        middle, half = columns.sum(axis=1) / rows, Z * standard_errors(columns, sizes)
        ends = middle - half, middle + half
    else:
        drawn = resampled(columns, sizes)
        ends = drawn[:, TAIL], drawn[:, -TAIL - 1]
    return [(float(one), float(other)) for one, other in zip(*np.clip(ends, low, high), strict=True)]


def design_effect(influence: Array, cluster: Cluster) -> float:
    """How many rows are worth one row that is alone in its cluster, at least 1 (Kish 1965): the variance of a figure
    with clusters by that without. `influence`: how far each row moves the figure, 0 on the mean. Where no row moves it,
    rows of one cluster count as one.

    >>> import numpy as np
    >>> design_effect(np.array([1.0, 1.0, -1.0, -1.0]), [0, 0, 1, 1]), design_effect(np.array([1.0, -1.0]), [0, 1])
    (3.0, 1.0)
    """
    (sums,), sizes = summed(influence[None], cluster)
    if sizes is None:
        return 1.0
    rows, clusters, spread = len(influence), len(sizes), float((influence**2).sum())
    if not spread or clusters == 1:
        return rows / clusters
    return max(float((sums**2).sum()) / spread * clusters / (clusters - 1) * (rows - 1) / rows, 1.0)


def wilson(share: float, worth: float) -> Interval:
    """The 95% interval of a share that `worth` rows gave (Wilson 1927), which holds for few rows and at the ends of the
    scale too. They need not be a whole number.

    >>> [round(end, 4) for end in wilson(0.8, 10)], wilson(0, 3)[0], wilson(1, 3)[1]
    ([0.4902, 0.9433], 0.0, 1.0)
    """
    weight = Z**2 / worth
    middle = (share + weight / 2) / (1 + weight)
    half = (share * (1 - share) * weight + weight**2 / 4) ** 0.5 / (1 + weight)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def paired(first: Scores, second: Scores, cluster: Cluster = None) -> tuple[float, Interval | None, float | None]:
    """The difference of the means of two systems on the same rows, first - second, its 95% interval, and its p-value.

    Both come from the same 2,000 resamples of pairs, or of clusters of pairs; above 50,000 from the normal distribution
    of the mean difference. No p is below 1/2001, whatever the difference. The rows are taken as a sample of all that
    might be asked; the model's own chance (another run, another prompt) is not in it. With few rows p is too small, and
    one row, or cluster, says nothing: there p is None, and so is the interval of a cluster of several rows. Several
    metrics tested at once want a correction, which is not made here.

    >>> paired([1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    (0.0, (0.0, 0.0), 1.0)
    >>> paired([0.75, 0.5, 1.0, 0.25], [0.25, 0.5, 0.5, 0.25])[:2]
    (0.25, (0.0, 0.5))
    """
    import numpy as np
    from scipy import stats

    rows = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    difference, (differences, sizes) = statistics.fmean(rows), summed(rows[None], cluster)
    (interval,), count = intervals_of(differences, sizes), differences.shape[1]
    if count == 1 or interval is None:
        return difference, interval, None
    if count > MOST_RESAMPLED and interval[0] < interval[1]:
        p_value = 2 * stats.norm.sf(abs(difference) / standard_errors(differences, sizes)[0])
    else:
        drawn = resampled(differences, sizes)[0]
        beyond = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
        p_value = 2 * beyond / (RESAMPLES + 1)
    return difference, interval, float(min(max(p_value, LEAST_P), 1))


def wins_ties_losses(first: Scores, second: Scores) -> tuple[int, int, int]:
    """In how many rows the first system is above the second, level with it (to 1e-12), below it.

    >>> wins_ties_losses([1.0, 0.5, 0.1 + 0.2], [0.0, 1.0, 0.3])
    (1, 1, 1)
    """
    import numpy as np

    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    wins, losses = int((differences > TIE).sum()), int((differences < -TIE).sum())
    return wins, len(differences) - wins - losses, losses


def correlations(series: Mapping[str, Scores]) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Spearman's correlation of every two series over the rows where both have a score, and how many those are.

    Both orders of a pair are in it, and each series with itself. None where one side is constant or there are fewer
    than 3 rows: there is no correlation then.

    >>> correlations({"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]})["a", "b"]
    (0.8, 4)
    """
    import pandas as pd

    frame = pd.DataFrame(dict(series), dtype=float)
    found = frame.corr("spearman", min_periods=LEAST_ROWS)
    there = frame.notna().astype(int)
    both = there.T @ there
    return {
        (one, other): (None if pd.isna(rho := found.loc[one, other]) else float(rho), int(both.loc[one, other]))
        for one in frame
        for other in frame
    }


def disagreement(series: Mapping[str, Scores]) -> list[float | None]:
    """How far the series disagree on each row: the largest minus the smallest percentile rank of its scores, 0 to 1.

    The percentile rank of a score among the n of its series is (rank - 1) / (n - 1), so scales do not matter. A series
    that gives every row the same score ranks nothing and is left out. None where fewer than two series have a score.

    >>> disagreement({"f1": [0.0, 0.5, 1.0], "judge": [0.0, 1.0, 0.0], "other": [0.2, 0.2, 0.2]})
    [0.25, 0.5, 0.75]
    """
    import pandas as pd

    frame = pd.DataFrame(dict(series), dtype=float)
    frame = frame.loc[:, frame.nunique() > 1]
    ranks = (frame.rank() - 1) / (frame.count() - 1)
    spread = ranks.max(axis=1) - ranks.min(axis=1)
    return [float(far) if count > 1 else None for far, count in zip(spread, ranks.count(axis=1), strict=True)]
