"""Figures about columns of scores: 95% intervals, two systems compared, correlation, disagreement, histograms.

Pure functions of numbers. What is drawn is seeded, and sums of what is drawn are exact: values are taken to a grid of
powers of two so fine that n of them add up without rounding (to 52 bits less those of n, 7e-11 at 100,000 scores), in
whatever order a machine adds. So the same scores in the same order give the same digits everywhere. A score that is
missing is None (or NaN) where a function says so.

- Bootstrap: Efron 1979, Bootstrap methods: another look at the jackknife. The percentile interval: Efron and Tibshirani
  1993, An introduction to the bootstrap, chapter 13.
- Above 50,000 rows the interval of a mean is the normal one, mean -+ z s / sqrt(n). 2,000 resamples take some 25 to 60
  microseconds a row, and a summary draws them again for groups, another system and each difference. The two kinds
  differ by less than the resamples do among themselves: these know an end to 6% of the standard error, and a skew g
  moves it by about g / (6 sqrt(n)) of that, which is 1% even where g is 13.
- Pass rates: Wilson 1927, Probable inference, the law of succession, and statistical inference.
- p-value: Riezler and Maxwell 2005, On some pitfalls in automatic evaluation and significance testing for MT, as in
  sacrebleu's paired bootstrap. There resamples count whose difference is greater than the one found, and what is
  resampled is the difference without its sign; here as great counts too, and the sign is kept.
- Spearman 1904, The proof and measurement of association between two things.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# With these, the 50 lowest and the 50 highest means are left out.
RESAMPLES, SEED = 2000, 0
TAIL = RESAMPLES // 40
# Drawn rows in memory at once.
BLOCK = 500_000
# The normal distribution's 97.5% point.
Z = 1.959963984540054
# With more rows, the normal distribution takes the place of the resamples, which would take seconds for each table.
MOST_RESAMPLED = 50_000
# Bits in which floats hold every whole number, one of them kept for a difference of two sums.
EXACT_BITS = 52
# Two scores so near are a tie.
TIE = 1e-12
# Fewer rows than that say nothing of a correlation.
LEAST_ROWS = 3

Interval = tuple[float, float]
Scores = Sequence[float | None]


def column(values: Scores) -> Array:
    """Scores as an array, a missing one as NaN; ValueError for an infinite one, with its row counted from 1."""
    import numpy as np

    found = np.array(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"one column of scores is expected, got {found.ndim} dimensions")
    if np.isinf(found).any():
        row = int(np.flatnonzero(np.isinf(found))[0])
        raise ValueError(f"row {row + 1}: a finite score is expected, got {found[row]}")
    return found


def complete(values: Sequence[float]) -> Array:
    """Scores of which none may be missing, and at least one must be there."""
    import numpy as np

    found = column(values)
    if not len(found):
        raise ValueError("there are no scores")
    if np.isnan(found).any():
        raise ValueError(f"row {int(np.flatnonzero(np.isnan(found))[0]) + 1}: the score is missing")
    return found


def on_grid(columns: Array) -> tuple[Array, Array]:
    """Columns of shape (series, rows) as whole numbers of which all rows add up exactly, and what one of them is."""
    import numpy as np

    _, exponent = np.frexp(np.abs(columns).max(axis=1))
    bits = EXACT_BITS - math.ceil(math.log2(columns.shape[1] + 1))
    step = np.ldexp(1.0, np.maximum(exponent - bits, np.finfo(np.float64).minexp))
    return np.rint(columns / step[:, None]), step


def drawn_sums(whole: Array) -> Array:
    """The sums of 2,000 resamples of the rows; `whole` has whole numbers, shape (series, rows). Shape (series, 2000).

    Rows are drawn with replacement by numpy's RandomState, whose stream is frozen; each resample is kept as how often
    each row is in it, one block after another.
    """
    import numpy as np

    n = whole.shape[1]
    stream, at_once = np.random.RandomState(SEED), max(1, BLOCK // n)
    sums = np.empty((len(whole), RESAMPLES))
    for start in range(0, RESAMPLES, at_once):
        count = min(at_once, RESAMPLES - start)
        drawn = stream.randint(0, n, size=(count, n), dtype=np.int32).astype(np.int64)
        drawn += np.arange(count)[:, None] * n
        times = np.bincount(drawn.ravel(), minlength=count * n).reshape(count, n)
        sums[:, start : start + count] = whole @ times.T.astype(np.float64)
    return sums


def percentiles(means: Array, values: Array) -> Interval:
    """The ends between which 95% of the means lie; no end lies beyond the values."""
    import numpy as np

    ordered = np.sort(np.clip(means, values.min(), values.max()))
    return float(ordered[TAIL]), float(ordered[-TAIL - 1])


def mean_intervals(matrix: Sequence[Scores]) -> list[Interval | None]:
    """The interval of the mean for each of several series of the same rows, as `mean_interval` gives it.

    Args:
        matrix: one sequence of scores for each series, all of one length; None or NaN is a row without a score.

    Series that are scored on the same rows share the drawn resamples, which saves most of the time. Where no row has a
    score there is no interval.

    >>> mean_intervals([[0.5, 0.5], [0.0, None], [None, None]])
    [(0.5, 0.5), (0.0, 0.0), None]
    """
    import numpy as np

    columns = [column(values) for values in matrix]
    if len({len(values) for values in columns}) > 1:
        raise ValueError(f"series of one length are expected, got {[len(values) for values in columns]} rows")
    found: list[Interval | None] = [None] * len(columns)
    alike: dict[bytes, list[int]] = {}
    for at, values in enumerate(columns):
        alike.setdefault(np.packbits(np.isnan(values)).tobytes(), []).append(at)
    for members in alike.values():
        scored = ~np.isnan(columns[members[0]])
        if not scored.any():
            continue
        kept = np.stack([columns[at][scored] for at in members])
        for at, interval in zip(members, bootstrapped(kept), strict=True):
            found[at] = interval
    return found


def bootstrapped(columns: Array) -> list[Interval]:
    """The interval of the mean for each row of an array of shape (series, rows) without gaps."""
    found = [(float(values[0]), float(values[0])) for values in columns]
    varied = [at for at, values in enumerate(columns) if (values != values[0]).any()]
    if columns.shape[1] > MOST_RESAMPLED:
        return [normal(values) if at in varied else found[at] for at, values in enumerate(columns)]
    if varied:
        whole, step = on_grid(columns[varied])
        means = drawn_sums(whole) / columns.shape[1] * step[:, None]
        for at, drawn in zip(varied, means, strict=True):
            found[at] = percentiles(drawn, columns[at])
    return found


def normal(values: Array) -> Interval:
    """The interval of the mean from the normal distribution, s with n - 1; no end lies beyond the values.

    >>> import numpy
    >>> normal(numpy.array([0.0, 1.0] * 2))  # 0.5 -+ 1.959964 * sqrt(1/3) / 2, clipped
    (0.0, 1.0)
    """
    middle, error = mean_and_error(values)
    low, high = float(values.min()), float(values.max())
    return max(low, middle - Z * error), min(high, middle + Z * error)


def mean_and_error(values: Array) -> tuple[float, float]:
    """The mean and its standard error, s / sqrt(n), s with n - 1; sums are exact, in whatever order a machine adds."""
    middle = math.fsum(values) / len(values)
    return middle, math.sqrt(math.fsum((values - middle) ** 2) / (len(values) - 1) / len(values))


def mean_interval(values: Sequence[float]) -> Interval:
    """The 95% interval of the mean: the percentile bootstrap (Efron 1979) of 2,000 resamples, seeded; above 50,000
    rows the normal interval, mean -+ 1.959964 s / sqrt(n).

    The rows are drawn with replacement, as many as there are; of the 2,000 means the 50 lowest and the 50 highest are
    left out. One score, or scores that are all the same, give that score twice. With few rows it is too narrow, as
    every percentile bootstrap is: about 90% instead of 95% at ten rows. The order of the rows moves the last digits.

    >>> mean_interval([0.0, 1.0, 1.0, 0.5]), mean_interval([0.1])
    ((0.125, 1.0), (0.1, 0.1))

    Raises ValueError where there is no score, or one is missing or infinite.
    """
    return bootstrapped(complete(values)[None])[0]


def wilson(passes: int, n: int) -> Interval:
    """The 95% interval of a pass rate (Wilson 1927), which holds for few rows and at the ends of the scale too.

    >>> [round(end, 4) for end in wilson(8, 10)], wilson(0, 3)[0], wilson(3, 3)[1]
    ([0.4902, 0.9433], 0.0, 1.0)
    """
    if not 0 <= passes <= n or not n:
        raise ValueError(f"0 to n passes of at least one row are expected, got {passes} of {n}")
    middle = passes + Z**2 / 2
    half = Z * math.sqrt(passes * (n - passes) / n + Z**2 / 4)
    low = 0.0 if passes == 0 else (middle - half) / (n + Z**2)
    high = 1.0 if passes == n else (middle + half) / (n + Z**2)
    return low, high


def paired(first: Sequence[float], second: Sequence[float]) -> tuple[float, Interval, float | None]:
    """The difference of the means of two systems on the same rows, its 95% interval, and its p-value.

    Rows are resampled in pairs, 2,000 times, seeded. The interval is the percentile interval of the difference first -
    second. The p-value is two-sided: the share of resamples whose difference lies as far from the one found as that
    lies from 0, or farther, (k + 1) / (2,000 + 1) (Riezler and Maxwell 2005; as in sacrebleu). Above 50,000 rows
    both come from the normal distribution of the mean difference instead.

    Limits: the smallest p is 1/2001, about 0.0005, whatever the difference. The rows are taken as a sample of all that
    might be asked; the model's own chance (another run, another prompt) is not in it. With few rows p is too small, and
    one row says nothing: there p is None, but for equal scores, where it is 1. Several metrics tested at once want a
    correction, which is not made here.

    >>> paired([1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    (0.0, (0.0, 0.0), 1.0)
    >>> difference, interval, p_value = paired([0.75, 0.5, 1.0, 0.25], [0.25, 0.5, 0.5, 0.25])
    >>> difference, interval
    (0.25, (0.0, 0.5))
    """
    import numpy as np

    differences = differing(first, second)
    difference = math.fsum(differences) / len(differences)
    if (differences == differences[0]).all():
        value = float(differences[0])
        return value, (value, value), 1.0 if value == 0 else None if len(differences) == 1 else 1 / (RESAMPLES + 1)
    if len(differences) > MOST_RESAMPLED:
        return difference, normal(differences), normal_p(differences)
    whole, step = on_grid(differences[None])
    sums, found = drawn_sums(whole)[0], whole[0].sum()
    as_far = int(np.count_nonzero(np.abs(sums - found) >= abs(found)))
    interval = percentiles(sums / len(differences) * step[0], differences)
    return difference, interval, (as_far + 1) / (RESAMPLES + 1)


def normal_p(differences: Array) -> float:
    """The two-sided p-value of a mean difference from the normal distribution; as the other, at least 1/2001.

    >>> import numpy
    >>> round(normal_p(numpy.array([1.0, 0.0] * 2)), 4)  # z = 0.5 / (sqrt(1/3) / 2) = 1.7321
    0.0833
    """
    middle, error = mean_and_error(differences)
    return max(math.erfc(abs(middle) / error / math.sqrt(2)), 1 / (RESAMPLES + 1))


def differing(first: Sequence[float], second: Sequence[float]) -> Array:
    """First minus second, row by row."""
    if len(first) != len(second):
        raise ValueError(f"scores of the same rows are expected, got {len(first)} and {len(second)}")
    return complete(first) - complete(second)


def wins_ties_losses(first: Sequence[float], second: Sequence[float]) -> tuple[int, int, int]:
    """In how many rows the first system is above the second, level with it (to 1e-12), below it.

    >>> wins_ties_losses([1.0, 0.5, 0.1 + 0.2], [0.0, 1.0, 0.3])
    (1, 1, 1)
    """
    differences = differing(first, second)
    wins, losses = int((differences > TIE).sum()), int((differences < -TIE).sum())
    return wins, len(differences) - wins - losses, losses


def doubled_ranks(values: Array) -> Array:
    """Twice the rank of each value, from 2; equal values share the mean of their ranks, so twice it is whole.

    >>> import numpy
    >>> doubled_ranks(numpy.array([0.5, 0.1, 0.5])).tolist()
    [5, 2, 5]
    """
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[place]


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation, -1 to 1; equal scores share the mean of their ranks.

    None where one side is constant or there are fewer than 3 rows: there is no correlation then.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30]), spearman([1, 2, 3], [5, 5, 5])
    (0.8, None)
    """
    if len(first) != len(second):
        raise ValueError(f"scores of the same rows are expected, got {len(first)} and {len(second)}")
    return ranked(complete(first), complete(second)) if len(first) else None


def ranked(first: Array, second: Array) -> float | None:
    """Spearman's correlation of two columns without gaps."""
    if len(first) < LEAST_ROWS:
        return None
    # Whole numbers of mean 0, so that everything below is exact up to the last division.
    one, other = (doubled_ranks(values) - (len(first) + 1) for values in (first, second))
    square, other_square, product = int(one @ one), int(other @ other), int(one @ other)
    return product / math.sqrt(square * other_square) if square and other_square else None


def correlations(series: Mapping[str, Scores]) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Spearman's correlation of every two series over the rows where both have a score, and how many those are.

    Both orders of a pair are in it, and each series with itself.
    """
    import numpy as np

    columns = {key: column(values) for key, values in series.items()}
    found: dict[tuple[str, str], tuple[float | None, int]] = {}
    for key, one in columns.items():
        for other_key, other in columns.items():
            if (other_key, key) in found:
                found[key, other_key] = found[other_key, key]
                continue
            if len(one) != len(other):
                raise ValueError(f"series of one length are expected, got {len(one)} and {len(other)} rows")
            both = ~(np.isnan(one) | np.isnan(other))
            found[key, other_key] = ranked(one[both], other[both]), int(both.sum())
    return found


def disagreement(series: Mapping[str, Scores]) -> list[float | None]:
    """How far the series disagree on each row: the largest minus the smallest percentile rank of its scores, 0 to 1.

    The percentile rank of a score among the n of its series is (rank - 1) / (n - 1), so scales do not matter. A series
    that gives every row the same score ranks nothing and is left out. None where fewer than two series have a score.

    >>> disagreement({"f1": [0.0, 0.5, 1.0], "judge": [0.0, 1.0, 0.0], "other": [0.2, 0.2, 0.2]})
    [0.25, 0.5, 0.75]
    """
    import numpy as np

    columns = [column(values) for values in series.values()]
    if not columns:
        return []
    ranks = np.full((len(columns), len(columns[0])), np.nan)
    for at, values in enumerate(columns):
        scored = ~np.isnan(values)
        kept = values[scored]
        if len(kept) and (kept != kept[0]).any():
            ranks[at, scored] = (doubled_ranks(kept) - 2) / (2 * (len(kept) - 1))
    there = ~np.isnan(ranks)
    spread = np.where(there, ranks, -np.inf).max(axis=0) - np.where(there, ranks, np.inf).min(axis=0)
    return [float(far) if count > 1 else None for far, count in zip(spread, there.sum(axis=0), strict=True)]


def histogram(values: Scores, low: float, high: float, bins: int = 20) -> list[int]:
    """How many scores lie in each of `bins` equal parts of low to high.

    A score on the border of two parts counts in the upper one, and `high` in the last; one beyond low or high counts in
    the part nearest to it (BERTScore can be a little below 0). Missing scores are left out.

    >>> histogram([0.0, 0.25, 0.5, 1.0, None, -0.1], 0.0, 1.0, bins=4)
    [2, 1, 1, 1]
    """
    import numpy as np

    found = column(values)
    # Each border is rounded once, so that 0.15 of 0 to 1 is the border that 0.15 is.
    borders = [(low * (bins - at) + high * at) / bins for at in range(1, bins)]
    place = np.searchsorted(np.array(borders), found[~np.isnan(found)], side="right")
    return [int(count) for count in np.bincount(place, minlength=bins)]
