"""Several systems compared at once: all differences of two, which system may have which rank, who
may be the best.

- Simultaneous 95% intervals: in 95% of samples all of them hold what they are of. Single-step
  max-t: each difference -+ the 95% point of the largest |t| of all pairs, times the pair's standard
  error (Romano and Wolf 2005, Stepwise multiple testing as formalized data snooping, Econometrica
  73).
- p: of the same t and the same draws, step by step from the largest |t| (the same paper). The
  chance that any of the pairs that do not differ gets a p below 0.05 is 5%. A single step is never
  smaller than the steps: where an interval leaves out 0, p is below 0.05. The reverse need not be
  so.
- The draws are of a normal distribution with the covariance of the systems' means, each pair's
  variance estimated anew in every draw as from so many rows (Chernozhukov, Chetverikov and Kato
  2013, Gaussian approximations and multiplier bootstrap for maxima of sums of high-dimensional
  random vectors, Annals of Statistics 41; Wishart 1928). Resampled rows do not do: a pair that
  differs in two rows of twenty differs in none of them in every tenth resample.
- Standard errors have the two made-up rows of `intervals.contrast_means`.
- Ranks: a system is below each one that the intervals say is better, and above each that they say
  is worse (Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks, Review of Economic
  Studies 91). In 95% of samples the intervals of all ranks hold.

Two systems give what `intervals.compare_means` gives.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import (
    LEAST_P,
    RESAMPLES,
    SEED,
    TAIL,
    TIE,
    Contrast,
    Interval,
    compare_means,
    contrast_means,
    find_scale,
    interval_around,
    largest_lead,
    student_quantile,
    sum_clusters,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster, Scores

    Array = NDArray[Any]

# What floats make of an eigenvalue that is 0, as a share of the largest one.
NO_SPREAD = 1e-13
# Numbers of the drawn matrices that are in memory at once.
DRAWN = 2_000_000


@dataclass(frozen=True)
class Pair:
    """The difference of two systems' means.

    Attributes:
        first: the place of one system in the table.
        second: the place of the other.
        difference: the mean of the first, less that of the second.
        interval: its 95% interval, simultaneous with those of all pairs; None for one row or
            cluster.
        p_value: its p, step by step; None likewise.
    """

    first: int
    second: int
    difference: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True)
class Ranking:
    """Several systems compared.

    Attributes:
        pairs: the differences of all pairs.
        ranks: the best and the worst rank that each system may have; 1 is the largest mean.
        rows: how many rows that rests on.
    """

    pairs: tuple[Pair, ...]
    ranks: tuple[tuple[int, int], ...]
    rows: int

    @property
    def best(self) -> tuple[bool, ...]:
        """True for each system that is level with the best, within chance."""
        return tuple(first == 1 for first, _ in self.ranks)


def rank_by_intervals(pairs: Iterable[Pair], systems: int, rows: int) -> Ranking:
    """Return the pairs with the ranks that their intervals leave.

    >>> apart, level = Pair(0, 1, 0.5, (0.25, 0.75), 0.01), Pair(1, 2, 0.25, (-0.25, 0.75), 0.4)
    >>> rank_by_intervals([apart, Pair(0, 2, 0.75, (0.5, 1.0), 0.01), level], 3, 20).ranks
    ((1, 1), (2, 3), (2, 3))
    """
    pairs = tuple(pairs)
    better = [0] * systems
    worse = [0] * systems
    for pair in pairs:
        low, high = pair.interval or (0.0, 0.0)
        if low > 0:
            better[pair.second] += 1
            worse[pair.first] += 1
        elif high < 0:
            better[pair.first] += 1
            worse[pair.second] += 1
    ranks = []
    for above, below in zip(better, worse, strict=True):
        best_rank = 1 + above
        worst_rank = systems - below
        ranks.append((best_rank, worst_rank))
    return Ranking(pairs, tuple(ranks), rows)


def rank_systems(scores: Sequence[Scores] | Array, cluster: Cluster = None) -> Ranking:
    """Compare systems by the means of their scores, of shape (systems, rows); higher is better.

    Pairs come in the order of `itertools.combinations`. Several metrics at once want a correction,
    which is not made here.

    Args:
        scores: the scores of each system on the same rows.
        cluster: the cluster of each row, or None if rows are independent.

    Raises:
        ValueError: a system has no score (None, NaN) in a row, or another number of rows.

    >>> first, second, third = [0.9, 0.8, 1.0, 0.7], [0.5, 0.4, 0.6, 0.3], [0.6, 0.3, 0.6, 0.3]
    >>> found = rank_systems([first * 5, second * 5, third * 5])
    >>> found.ranks, found.best
    (((1, 1), (2, 3), (2, 3)), (True, False, False))
    """
    import numpy as np

    columns = check_scores(scores)
    sums, sizes = sum_clusters(columns, cluster)
    pairs = list(combinations(range(len(columns)), 2))
    units = sums.shape[1]
    if len(pairs) < 2 or units == 1:
        alone = []
        for one, other in pairs:
            difference, interval, p_value = compare_means(columns[one], columns[other], cluster)
            alone.append(Pair(one, other, difference, interval, p_value))
        return rank_by_intervals(alone, *columns.shape)
    means = [statistics.fmean(column) for column in columns]
    differences = [means[one] - means[other] for one, other in pairs]
    bottom, top = find_scale(columns)
    contrasts = []
    for one, other in pairs:
        lead = largest_lead(columns[[one, other]], sizes)
        ahead = sums[one] - sums[other]
        contrasts.append(contrast_means(ahead, sizes, lead))
    degrees = units - 1
    weights = np.ones(units) if sizes is None else sizes
    covariance = covariance_of_means(sums, weights)
    t = draw_t(covariance, degrees, np.array(pairs))
    compared = compare_together(pairs, differences, contrasts, t, degrees, top - bottom)
    return rank_by_intervals(compared, *columns.shape)


def check_scores(scores: Sequence[Scores] | Array) -> Array:
    """Return the scores of all systems, of shape (systems, rows), none of them missing."""
    import numpy as np

    counts = [len(of_system) for of_system in scores]
    if len(set(counts)) != 1 or not counts[0]:
        told = ", ".join(map(str, counts)) or "none"
        raise ValueError(f"systems are compared on the same rows, at least one; these have {told}")
    columns = np.array(scores, dtype=float)
    is_missing = ~np.isfinite(columns)
    if is_missing.any():
        system, row = np.argwhere(is_missing)[0]
        value = f"system {system + 1} has {columns[system, row]} in row {row + 1}"
        raise ValueError(f"{value}: leave out rows in which a system has no score")
    return columns


def covariance_of_means(sums: Array, sizes: Array) -> Array:
    """Return the covariance of the systems' means, from the sums of clusters of these sizes."""
    clusters = sums.shape[1]
    rows = sizes.sum()
    means = sums.sum(axis=1, keepdims=True) / rows
    centred = sums - means * sizes
    covariance: Array = centred @ centred.T * clusters / (clusters - 1) / rows**2
    return covariance


def draw_t(covariance: Array, degrees: int, pairs: Array) -> Array:
    """Return |t| of each pair in 2,000 draws in which no two systems differ, of shape (pairs,
    2000).

    A pair without a variance of its own gets 0: it adds nothing to the largest |t|.
    """
    import numpy as np

    ahead, behind = pairs.T
    root = symmetric_square_root(covariance)
    least = NO_SPREAD * float(np.diag(covariance).max())
    (own_variances,) = contrast_variances(covariance[None], ahead, behind)
    has_spread = own_variances > least
    most = max(1, DRAWN // len(covariance) ** 2)
    drawn = []
    for start in range(0, RESAMPLES, most):
        draws = min(most, RESAMPLES - start)
        means, scatter = draw_independent(start, draws, len(root), degrees)
        means = means @ root
        variances = contrast_variances(root @ scatter @ root, ahead, behind) / degrees
        is_usable = has_spread & (variances > 0)
        differences = np.abs(means[:, ahead] - means[:, behind])
        errors = np.sqrt(np.where(is_usable, variances, 1.0))
        drawn.append(np.where(is_usable, differences / errors, 0.0))
    return np.concatenate(drawn).T


@lru_cache(maxsize=1)
def draw_independent(
    start: int,
    draws: int,
    size: int,
    degrees: int,
) -> tuple[Array, Array]:
    """Return means of so many independent normal columns, and their sums of squares and products,
    in each draw.

    Several metrics of the same systems share them. With more degrees of freedom than columns the
    sums come from a triangular root (Bartlett 1933, On the theory of statistical regression).
    """
    import numpy as np

    stream = np.random.RandomState(SEED + start)
    means = stream.standard_normal((draws, size))
    if degrees <= size:
        rows = stream.standard_normal((draws, degrees, size))
        return means, np.swapaxes(rows, 1, 2) @ rows
    root = np.tril(stream.standard_normal((draws, size, size)), -1)
    diagonal = np.arange(size)
    squares = stream.chisquare(degrees - diagonal, (draws, size))
    root[:, diagonal, diagonal] = np.sqrt(squares)
    return means, root @ np.swapaxes(root, 1, 2)


def contrast_variances(covariances: Array, ahead: Array, behind: Array) -> Array:
    """Return the variances of the differences of pairs, of shape (matrices, pairs)."""
    import numpy as np

    own = np.diagonal(covariances, axis1=1, axis2=2)
    shared = covariances[:, ahead, behind]
    variances: Array = own[:, ahead] + own[:, behind] - 2 * shared
    return variances


def symmetric_square_root(covariance: Array) -> Array:
    """Return the symmetric root, the same on every machine.

    The signs of eigenvectors, and so other roots, are not.
    """
    import numpy as np

    spread, axes = np.linalg.eigh(covariance)
    least = NO_SPREAD * max(spread[-1], 0.0)
    kept = np.where(spread > least, spread, 0.0)
    root: Array = (axes * kept**0.5) @ axes.T
    return root


def compare_together(
    pairs: Sequence[tuple[int, int]],
    differences: Sequence[float],
    contrasts: Sequence[Contrast],
    t: Array,
    degrees: float,
    scale: float,
) -> Iterator[Pair]:
    """Yield each pair with its simultaneous interval and its step-down p.

    Args:
        pairs: the places of both systems.
        differences: the differences as they are shown.
        contrasts: the same for inference, with their standard errors.
        t: |t| of each pair in draws in which no two systems differ, of shape (pairs, 2000).
        degrees: degrees of freedom. No interval is narrower, and no p smaller, than Student's of
            the pair alone.
        scale: how far two means can be apart.
    """
    import numpy as np
    from scipy import stats

    observed = np.array([abs(one.centre) / one.error for one in contrasts])
    largest_of_draws = np.sort(t.max(axis=0))
    largest = float(largest_of_draws[-2 * TAIL])
    quantile = max(largest, student_quantile(degrees))
    alone = 2 * stats.t.sf(observed, degrees)
    p_values = np.maximum(step_down_p_values(observed, t), alone)
    for place, (first, second) in enumerate(pairs):
        interval = interval_around(contrasts[place], quantile, scale)
        yield Pair(first, second, differences[place], interval, float(p_values[place]))


def step_down_p_values(observed: Array, t: Array) -> Array:
    """Return the p of each |t|, step by step from the largest (Romano and Wolf 2005).

    Each p says how often the largest of a |t| and of all smaller ones is as large in the draws. It
    is at least the p of the step before, and never 0.
    """
    import numpy as np

    order = np.argsort(-observed, kind="stable")
    smallest_first = t[order][::-1]
    # Of each |t| and all smaller ones the largest in each draw.
    largest = np.maximum.accumulate(smallest_first)[::-1]
    is_beyond = largest >= observed[order, None] - TIE
    beyond = np.count_nonzero(is_beyond, axis=1)
    of_step = LEAST_P + beyond / (RESAMPLES + 1)
    p_values = np.empty(len(observed))
    p_values[order] = np.maximum.accumulate(of_step)
    return p_values
