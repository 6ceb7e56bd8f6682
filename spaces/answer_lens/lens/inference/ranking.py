"""Compares several systems at once: all differences, and the possible ranks of each system.

- Simultaneous 95% intervals: in 95% of samples, all intervals contain the true differences. They
  are single-step max-t intervals: each difference plus or minus its standard error times the 95%
  quantile of the largest |t| of all pairs (Romano and Wolf 2005, Stepwise multiple testing as
  formalized data snooping, Econometrica 73).
- p: step-down p-values of the same t and the same draws (the same paper). If some pairs do not
  differ, the probability that any of them gets a p below 0.05 is 5%. A single-step p is never
  smaller than a step-down p. So p is below 0.05 if an interval does not contain 0, but not always
  the other way round.
- The draws are those of `t_draws`.
- Standard errors include the two pseudo-rows of `mean_differences.contrast_means`.
- Ranks: a system ranks below all systems that are better by their intervals, and above all that are
  worse (Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks, Review of Economic Studies
  91). In 95% of samples, the ranges of ranks contain all true ranks.

For two systems, the result is that of `mean_differences.compare_means`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import (
    RESAMPLES,
    SMALLEST_P,
    TIE,
    Interval,
    find_scale,
    student_quantile,
    sum_clusters,
)
from lens.inference.mean_differences import (
    Contrast,
    compare_means,
    contrast_means,
    interval_around,
    largest_lead,
)
from lens.inference.t_draws import draw_t

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster, Scores

    Array = NDArray[Any]

# The number of draws at or above the 95% quantile.
DRAWS_BEYOND = RESAMPLES // 20


@dataclass(frozen=True)
class Pair:
    """The difference of two systems' means.

    Attributes:
        first: the index of one system.
        second: the index of the other system.
        difference: the mean of the first system minus that of the second.
        interval: the 95% interval, simultaneous for all pairs; None for one row or cluster.
        p_value: the step-down p; None for one row or cluster.
    """

    first: int
    second: int
    difference: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True)
class Ranking:
    """A comparison of several systems.

    Attributes:
        pairs: the differences of all pairs.
        ranks: the best and the worst possible rank of each system; 1 is the largest mean.
        rows: the number of compared rows.
    """

    pairs: tuple[Pair, ...]
    ranks: tuple[tuple[int, int], ...]
    rows: int

    @property
    def best(self) -> tuple[bool, ...]:
        """For each system, whether it may be the best."""
        return tuple(first == 1 for first, _ in self.ranks)


def rank_by_intervals(pairs: Iterable[Pair], systems: int, rows: int) -> Ranking:
    """Return the ranking whose possible ranks follow from the intervals of the pairs.

    >>> first_better = [Pair(0, 1, 0.5, (0.25, 0.75), 0.01), Pair(0, 2, 0.75, (0.5, 1.0), 0.01)]
    >>> not_different = Pair(1, 2, 0.25, (-0.25, 0.75), 0.4)
    >>> rank_by_intervals([*first_better, not_different], 3, 20).ranks
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
    """Compare systems by the means of their scores; a higher mean is better.

    The pairs are in the order of `itertools.combinations`. If several metrics are tested, the
    p-values need a correction, which is not made here.

    Args:
        scores: the scores of each system on the same rows, of shape (systems, rows).
        cluster: the cluster of each row, or None if rows are independent.

    Raises:
        ValueError: a score is missing (None, NaN), or the systems have different numbers of rows.

    >>> first, second, third = [0.9, 0.8, 1.0, 0.7], [0.5, 0.4, 0.6, 0.3], [0.6, 0.3, 0.6, 0.3]
    >>> ranking = rank_systems([first * 5, second * 5, third * 5])
    >>> ranking.ranks, ranking.best
    (((1, 1), (2, 3), (2, 3)), (True, False, False))
    """
    import numpy as np

    columns = check_scores(scores)
    sums, sizes = sum_clusters(columns, cluster)
    systems, rows = columns.shape
    pairs = list(combinations(range(systems), 2))
    units = sums.shape[1]
    if len(pairs) < 2 or units == 1:
        single_pairs = []
        for first, second in pairs:
            means = compare_means(columns[first], columns[second], cluster)
            pair = Pair(first, second, *means)
            single_pairs.append(pair)
        return rank_by_intervals(single_pairs, systems, rows)

    system_means = [statistics.fmean(column) for column in columns]
    differences = []
    contrasts = []
    for first, second in pairs:
        differences.append(system_means[first] - system_means[second])
        lead = largest_lead(columns[[first, second]], sizes)
        difference_of_sums = sums[first] - sums[second]
        contrast = contrast_means(difference_of_sums, sizes, lead)
        contrasts.append(contrast)
    degrees = units - 1
    weights = np.ones(units) if sizes is None else sizes
    covariance = covariance_of_means(sums, weights)
    t = draw_t(covariance, degrees, np.array(pairs))
    bottom, top = find_scale(columns)
    scale = top - bottom
    compared = compare_together(pairs, differences, contrasts, t, degrees, scale)
    return rank_by_intervals(compared, systems, rows)


def check_scores(scores: Sequence[Scores] | Array) -> Array:
    """Return the scores as an array of shape (systems, rows); ValueError if one is missing."""
    import numpy as np

    counts = [len(system_scores) for system_scores in scores]
    if len(set(counts)) != 1 or not counts[0]:
        shown_counts = ", ".join(map(str, counts)) or "none"
        raise ValueError(
            f"systems are compared on the same rows, at least one; these have {shown_counts}"
        )
    columns = np.array(scores, dtype=float)
    is_missing = ~np.isfinite(columns)
    if is_missing.any():
        system, row = np.argwhere(is_missing)[0]
        value = f"system {system + 1} has {columns[system, row]} in row {row + 1}"
        raise ValueError(f"{value}: leave out rows in which a system has no score")
    return columns


def covariance_of_means(sums: Array, sizes: Array) -> Array:
    """Return the covariance of the systems' means, given the sums and sizes of the clusters."""
    clusters = sums.shape[1]
    rows = sizes.sum()
    totals = sums.sum(axis=1, keepdims=True)
    means = totals / rows
    centred = sums - means * sizes
    products = centred @ centred.T
    covariance: Array = products * clusters / (clusters - 1) / rows**2
    return covariance


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
        pairs: the indices of the two systems in each pair.
        differences: the differences of the means, as they are shown.
        contrasts: the differences with pseudo-rows, and their standard errors.
        t: |t| of each pair in draws without true differences, of shape (pairs, 2000).
        degrees: the degrees of freedom. No interval is narrower, and no p smaller, than Student's
            for the pair alone.
        scale: the largest possible difference of two means.
    """
    import numpy as np
    from scipy import stats

    observed = np.array([contrast.t for contrast in contrasts])
    largest_of_draws = np.sort(t.max(axis=0))
    quantile_of_draws = float(largest_of_draws[-DRAWS_BEYOND])
    quantile = max(quantile_of_draws, student_quantile(degrees))
    p_of_pair_alone = 2 * stats.t.sf(observed, degrees)
    step_down_p = step_down_p_values(observed, t)
    p_values = np.maximum(step_down_p, p_of_pair_alone)
    for number, (first, second) in enumerate(pairs):
        interval = interval_around(contrasts[number], quantile, scale)
        p_value = float(p_values[number])
        yield Pair(first, second, differences[number], interval, p_value)


def step_down_p_values(observed: Array, t: Array) -> Array:
    """Return the step-down p of each |t|, from the largest to the smallest (Romano and Wolf 2005).

    Each p is the share of draws in which the largest of this |t| and all smaller ones is at least
    as large as observed. A p is at least the p of the previous step, and never 0.
    """
    import numpy as np

    order = np.argsort(-observed, kind="stable")
    smallest_first = t[order][::-1]
    # For each |t|, the largest of it and all smaller ones in each draw.
    largest = np.maximum.accumulate(smallest_first)[::-1]
    is_beyond = largest >= observed[order, None] - TIE
    beyond = np.count_nonzero(is_beyond, axis=1)
    of_step = SMALLEST_P + beyond / (RESAMPLES + 1)
    p_values = np.empty(len(observed))
    p_values[order] = np.maximum.accumulate(of_step)
    return p_values
