"""Several systems compared at once: all differences of two, which system may have which rank, who may be the best.

- Simultaneous 95% intervals: in 95% of samples all of them hold what they are of. Single-step max-t: each difference -+
  the 95% point of the largest |t| of all in the resamples, times its standard error (Romano and Wolf 2005, Stepwise
  multiple testing as formalized data snooping, Econometrica 73), and wider by as much as Student's t makes an interval
  of so many rows: 2% at 60. Without that all of ten systems' intervals held in 91% of tables of 60 rows.
- p: of the same resamples, step by step from the largest |t| (the same paper), each t by the standard error of its own
  resample. The chance that any of the pairs that do not differ gets one below 0.05 is 5%. Steps make it smaller
  than the interval would have it, few rows larger: it may be below 0.05 where 0 is in the interval, or the reverse.
- Ranks: a system is below each one that the intervals say is better, and above each that they say is worse (Mogstad,
  Romano, Shaikh and Wilhelm 2024, Inference for ranks, Review of Economic Studies 91). In 95% of samples the intervals
  of all ranks hold.

Two systems give what `intervals.paired` gives: its percentile interval and p. Rows, or clusters of rows, are resampled
as they are there, all systems' scores of a row together.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.statistics.intervals import (
    DRAWN,
    LEAST_P,
    MOST_RESAMPLED,
    RESAMPLES,
    SEED,
    TAIL,
    TIE,
    Interval,
    Z,
    paired,
    summed,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.statistics.intervals import Cluster, Scores

    Array = NDArray[Any]

# What floats make of an eigenvalue that is 0, as a share of the largest one.
NO_SPREAD = 1e-13


@dataclass(frozen=True)
class Pair:
    """How much larger the mean of one system is than that of another, both by their place in the table; the interval is
    simultaneous with those of all pairs. No p where one row or cluster says nothing; of the cluster no interval either.
    """

    first: int
    second: int
    difference: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True)
class Ranking:
    """All pairs of systems; of each system the best and the worst rank that it may have, of which 1 is the largest
    mean; on how many rows that rests.
    """

    pairs: tuple[Pair, ...]
    ranks: tuple[tuple[int, int], ...]
    rows: int

    @property
    def best(self) -> tuple[bool, ...]:
        """Of each system whether it is not worse than the best beyond chance."""
        return tuple(first == 1 for first, _ in self.ranks)


def ranked(pairs: Iterable[Pair], systems: int, rows: int) -> Ranking:
    """The pairs with the ranks that their intervals leave.

    >>> apart, level = Pair(0, 1, 0.5, (0.25, 0.75), 0.01), Pair(1, 2, 0.25, (-0.25, 0.75), 0.4)
    >>> ranked([apart, Pair(0, 2, 0.75, (0.5, 1.0), 0.01), level], 3, 20).ranks
    ((1, 1), (2, 3), (2, 3))
    """
    pairs, below, above = tuple(pairs), [0] * systems, [0] * systems
    for pair in pairs:
        low, high = pair.interval if pair.interval and pair.p_value is not None else (0.0, 0.0)
        if low > 0 or high < 0:
            better, worse = (pair.first, pair.second)[:: 1 if low > 0 else -1]
            below[worse] += 1
            above[better] += 1
    ends = zip(below, above, strict=True)
    return Ranking(pairs, tuple((1 + better, systems - worse) for better, worse in ends), rows)


def ranking(scores: Sequence[Scores] | Array, cluster: Cluster = None) -> Ranking:
    """Compare systems by the means of their scores, of shape (systems, rows); higher is better.

    `cluster`: the number of the cluster of each row. Pairs come in the order of `itertools.combinations`. Systems that
    differ by the same in every row are apart by just that, and equal ones by nothing (p 1). Several metrics at once
    want a correction, which is not made here. Above 50,000 rows, or clusters, the normal distribution takes the place
    of the resamples. ValueError where a system has no score (None, NaN) in a row, or another number of rows: rows are
    to be those that all systems have.

    >>> found = ranking([[0.9, 0.8, 1.0, 0.7], [0.5, 0.4, 0.6, 0.3], [0.6, 0.3, 0.6, 0.3]])
    >>> found.ranks, found.best
    (((1, 1), (2, 3), (2, 3)), (True, False, False))
    """
    import numpy as np

    columns = table(scores)
    sums, sizes = summed(columns, cluster)
    pairs = list(combinations(range(len(columns)), 2))
    if len(pairs) < 2 or sums.shape[1] == 1:
        few = (Pair(one, other, *paired(columns[one], columns[other], cluster)) for one, other in pairs)
        return ranked(few, *columns.shape)
    means = np.array([statistics.fmean(column) for column in columns])
    ahead, behind = np.array(pairs).T
    differences, least = means[ahead] - means[behind], TIE * np.abs(columns).max()
    sizes = np.ones(sums.shape[1]) if sizes is None else sizes.astype(float)
    off, t, error = (normal if len(sizes) > MOST_RESAMPLED else drawn)(sums, sizes, ahead, behind)
    plain = off / np.maximum(off.std(axis=1, ddof=1), np.finfo(float).tiny)[:, None] * wider(len(sizes))
    return ranked(simultaneous(pairs, differences, error, plain, t, least), *columns.shape)


def wider(rows: int) -> float:
    """How much wider Student's t makes a 95% interval of so many rows, or clusters, than the normal distribution does.

    >>> round(wider(60), 3), round(wider(300), 3)
    (1.021, 1.004)
    """
    from scipy import stats

    return float(stats.t.ppf(0.975, rows - 1) / Z)


def table(scores: Sequence[Scores] | Array) -> Array:
    """The scores of all systems, of shape (systems, rows), none of them missing."""
    import numpy as np

    if len({len(of_system) for of_system in scores}) != 1 or not len(scores[0]):
        counts = ", ".join(str(len(of_system)) for of_system in scores)
        raise ValueError(f"systems are compared on the same rows, at least one; these have {counts or 'none'}")
    columns = np.array(scores, dtype=float)
    if not np.isfinite(columns).all():
        system, row = np.argwhere(~np.isfinite(columns))[0]
        value = f"system {system + 1} has {columns[system, row]} in row {row + 1}"
        raise ValueError(f"{value}: leave out rows in which a system has no score")
    return columns


def drawn(sums: Array, sizes: Array, ahead: Array, behind: Array) -> tuple[Array, Array, Array]:
    """Of each pair how far the differences in 2,000 resamples are from that of all rows, of shape (pairs, 2000); the
    same in standard errors of each resample; the standard error of all rows. `sums` of clusters, (systems, clusters).

    The rows drawn are those of `intervals.resampled`, counted: so all systems take one product of matrices.
    """
    import numpy as np

    stream, clusters = np.random.RandomState(SEED), len(sizes)
    own = centred(sums, sizes)
    squares, bessel = (own[ahead] - own[behind]) ** 2, clusters / (clusters - 1)
    off, t, at_once = [], [], max(1, DRAWN // clusters)
    for start in range(0, RESAMPLES, at_once):
        rows = stream.randint(0, clusters, size=(min(at_once, RESAMPLES - start), clusters))
        places = (rows + clusters * np.arange(len(rows))[:, None]).ravel()
        counts = np.bincount(places, minlength=rows.size).reshape(rows.shape).astype(float)
        total = (counts @ sizes)[:, None]
        means, along = counts @ own.T / total, counts @ (own * sizes).T
        step, along = means[:, ahead] - means[:, behind], along[:, ahead] - along[:, behind]
        around = counts @ squares.T
        left = around - 2 * step * along + step**2 * (counts @ sizes**2)[:, None]
        # A resample of rows that differ alike has no standard error, and says nothing of the pair.
        left[left <= TIE * around] = np.inf
        off.append(step)
        t.append(step * total / np.sqrt(left * bessel))
    return np.concatenate(off).T, np.concatenate(t).T, np.sqrt(squares.sum(axis=1) * bessel) / sizes.sum()


def normal(sums: Array, sizes: Array, ahead: Array, behind: Array) -> tuple[Array, Array, Array]:
    """What `drawn` gives, by the normal distribution of the means."""
    import numpy as np

    own = centred(sums, sizes) / sizes.sum()
    root = rooted(own @ own.T * len(sizes) / (len(sizes) - 1))
    means = root @ np.random.RandomState(SEED).standard_normal((len(own), RESAMPLES))
    off, error = means[ahead] - means[behind], np.sqrt(((root[ahead] - root[behind]) ** 2).sum(axis=1))
    return off, off / np.maximum(error, np.finfo(float).tiny)[:, None], error


def rooted(covariance: Array) -> Array:
    """The symmetric root, the same on every machine; the signs of eigenvectors, and so other roots, are not."""
    import numpy as np

    spread, axes = np.linalg.eigh(covariance)
    found: Array = (axes * np.where(spread > NO_SPREAD * max(spread[-1], 0.0), spread, 0.0) ** 0.5) @ axes.T
    return found


def centred(sums: Array, sizes: Array) -> Array:
    """The sums of clusters, each less what the mean of all rows gives a cluster of its size."""
    found: Array = sums - sums.sum(axis=1, keepdims=True) / sizes.sum() * sizes
    return found


def simultaneous(
    pairs: Sequence[tuple[int, int]], differences: Array, error: Array, plain: Array, t: Array, least: float
) -> Iterator[Pair]:
    """Yield each pair with its interval and p, all pairs together. How far resamples are from the differences, of shape
    (pairs, 2000): `plain` in standard errors that all have, for the interval; `t` in those of each resample, for p. A
    standard error up to `least` is none: such a difference is certain.
    """
    import numpy as np

    half, p_values = np.zeros(len(pairs)), np.where(np.abs(differences) > least, LEAST_P, 1.0)
    if (some := error > least).any():
        half[some] = np.sort(np.abs(plain[some]).max(axis=0))[-2 * TAIL] * error[some]
        p_values[some] = stepped(np.abs(differences[some]) / error[some], np.abs(t[some]))
    for pair, difference, far, p_value in zip(pairs, differences, half, p_values, strict=True):
        yield Pair(*pair, float(difference), (float(difference - far), float(difference + far)), float(p_value))


def stepped(found: Array, t: Array) -> Array:
    """The p of each |t|, step by step from the largest: how often the largest of it and of all smaller ones is as large
    in resamples, at least the p of the step before; `t` of shape (pairs, 2000).
    """
    import numpy as np

    order, p_values = np.argsort(-found, kind="stable"), np.empty(len(found))
    most = np.maximum.accumulate(t[order][::-1])[::-1]
    beyond = np.count_nonzero(most >= found[order, None] - TIE, axis=1)
    p_values[order] = np.maximum.accumulate((1 + beyond) / (RESAMPLES + 1))
    return p_values
