"""Figures about columns of scores: 95% intervals, two systems compared, correlation, disagreement.

A score that is missing is None or NaN where a function says so. What is drawn is seeded: the same scores in the same
order give the same figures.

- Bootstrap: Efron 1979, Bootstrap methods: another look at the jackknife. The percentile interval, and the p-value that
  goes with it: Efron and Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 15. p is twice the share of
  resamples on the other side of 0, the mean that was found counted as one more on its own side: it is below 0.05
  exactly where the 95% interval leaves out 0.
- Above 50,000 rows interval and p come from the normal distribution, mean -+ z s / sqrt(n): a skew g moves an end by
  about g / (6 sqrt(n)) of the standard error, less than the resamples differ among themselves, and they take seconds.
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


def resampled(columns: Array) -> Array:
    """The means of 2,000 resamples of the rows, in order; of shape (series, rows), (series, 2000).

    All series share the rows that are drawn, by RandomState, whose stream is the same in every version of numpy. Means
    are rounded to 12 digits, so that one that should be 0 is; none lies beyond the scores.
    """
    import numpy as np
    from scipy import stats

    def means(rows: Array, axis: int) -> Array:
        return np.stack([column[rows].mean(axis=axis) for column in columns])

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
    return ordered.clip(columns.min(axis=1, keepdims=True), columns.max(axis=1, keepdims=True))


def mean_intervals(matrix: Sequence[Scores]) -> list[Interval | None]:
    """The 95% interval of the mean for each of several series of the same rows; none for one without a score.

    The percentile bootstrap, or above 50,000 rows the normal interval. One score, or scores that are all the same, give
    that score twice. With few rows it is too narrow, as every percentile bootstrap is: about 90% at ten rows. Series
    that are scored on the same rows share what is drawn, which saves most of the time.

    >>> mean_intervals([[0.5, 0.5], [0.25, None], [None, None]])
    [(0.5, 0.5), (0.25, 0.25), None]
    """
    import numpy as np

    columns = np.array(matrix, dtype=float)
    scored = ~np.isnan(columns)
    found: list[Interval | None] = [None] * len(columns)
    for pattern in np.unique(scored, axis=0):
        members = np.flatnonzero((scored == pattern).all(axis=1))
        intervals = intervals_of(columns[members][:, pattern]) if pattern.any() else []
        for at, interval in zip(members, intervals, strict=False):
            found[at] = interval
    return found


def intervals_of(columns: Array) -> list[Interval]:
    """The intervals for columns without gaps; no end lies beyond the scores."""
    import numpy as np
    from scipy import stats

    low, high = columns.min(axis=1), columns.max(axis=1)
    if (low == high).all():
        ends = low, high
    elif columns.shape[1] > MOST_RESAMPLED:
        middle, half = columns.mean(axis=1), Z * stats.sem(columns, axis=1)
        ends = middle - half, middle + half
    else:
        drawn = resampled(columns)
        ends = drawn[:, TAIL], drawn[:, -TAIL - 1]
    return [(float(one), float(other)) for one, other in zip(*np.clip(ends, low, high), strict=True)]


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


def paired(first: Scores, second: Scores) -> tuple[float, Interval, float | None]:
    """The difference of the means of two systems on the same rows, first - second, its 95% interval, and its p-value.

    Both come from the same 2,000 resamples of pairs; above 50,000 rows from the normal distribution of the mean
    difference. No p is below 1/2001, whatever the difference. The rows are taken as a sample of all that might be
    asked; the model's own chance (another run, another prompt) is not in it. With few rows p is too small, and one row
    says nothing: there p is None. Several metrics tested at once want a correction, which is not made here.

    >>> paired([1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    (0.0, (0.0, 0.0), 1.0)
    >>> paired([0.75, 0.5, 1.0, 0.25], [0.25, 0.5, 0.5, 0.25])[:2]
    (0.25, (0.0, 0.5))
    """
    import numpy as np
    from scipy import stats

    differences = (np.asarray(first, dtype=float) - np.asarray(second, dtype=float))[None]
    difference, count = statistics.fmean(differences[0]), differences.shape[1]
    (interval,) = intervals_of(differences)
    if count == 1:
        return difference, interval, None
    if count > MOST_RESAMPLED and interval[0] < interval[1]:
        p_value = 2 * stats.norm.sf(abs(difference) / stats.sem(differences[0]))
    else:
        drawn = resampled(differences)[0]
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
