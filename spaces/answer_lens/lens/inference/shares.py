"""Estimates the share of right answers by a person's verdicts, alone or joined with scores.

- Scores of all rows are joined by prediction-powered inference (`ppi`).
- Rows of one cluster are dependent: a variance is multiplied by the design effect of the rows'
  influences (Kish 1965, Survey sampling).
- If rows were drawn with unequal probabilities, each row is weighted by the inverse of its
  probability (Hajek 1971). So the share by verdicts alone is unbiased, too.
- The interval is Clopper and Pearson's (1934) for the number of verdicts with the same standard
  error (`effective_n`; Korn and Graubard 1998, Confidence intervals for proportions with small
  expected number of positive counts). So a useless score gives the interval of the verdicts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import (
    Interval,
    correct_for_clusters,
    count_units,
    design_effect,
    effective_sample_size,
    select_clusters,
    share_interval,
)
from lens.inference.ppi import estimate_means, fill_scores, split_strata, tune_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]

# None stands for a row that nobody read, or that a reader could not decide.
Verdict = bool | None
Scores = Sequence[float | None]
# A score with at most this many values consists of verdicts: right, wrong and undecided.
VALUES_OF_VERDICTS = 3


@dataclass(frozen=True)
class Share:
    """The share of right answers.

    Attributes:
        share: the share, from 0 to 1.
        interval: the 95% interval.
        read: the number of verdicts.
        effective_n: the number of verdicts that alone would give the same standard error.
    """

    share: float
    interval: Interval
    read: int
    effective_n: float


def weigh_verdicts(verdicts: Sequence[Verdict], stratum: Sequence[int]) -> Array:
    """Return the weight of each verdict: the inverse probability that its row was drawn.

    A row without a verdict has the weight 0. In each stratum, the probability is the share of rows
    with a verdict. Weights are scaled to the mean 1 over all verdicts.

    >>> weigh_verdicts([True, None, None, False, True, None], [0, 0, 0, 1, 1, 0]).tolist()
    [2.0, 0.0, 0.0, 0.5, 0.5, 0.0]
    """
    import numpy as np

    is_read = np.array([verdict is not None for verdict in verdicts], dtype=float)
    _, number = np.unique(np.asarray(stratum), return_inverse=True)
    rows = np.bincount(number)
    read_rows = np.bincount(number, is_read)
    inverse_probability = rows / np.maximum(read_rows, 1.0)
    weights = is_read * inverse_probability[number]
    total: float = weights.sum()
    if not total:
        return weights
    return weights * is_read.sum() / total


def estimate_share(
    verdicts: Sequence[Verdict],
    cluster: Cluster = None,
    weights: Array | None = None,
) -> Share:
    """Return the share of right answers by the verdicts alone.

    Args:
        verdicts: the verdicts; None for a row without a verdict.
        cluster: the cluster of each row, or None if rows are independent.
        weights: the weight of each row (`weigh_verdicts`), if rows were drawn with unequal
            probabilities. Then the share is Hajek's ratio (Hajek 1971, comment on an essay by
            Basu), and `effective_n` is Kish's (1965) effective sample size.
    """
    import numpy as np

    values = np.array(verdicts, dtype=float)
    is_read = ~np.isnan(values)
    read_values = values[is_read]
    read = len(read_values)
    weight = np.ones(read) if weights is None else weights[is_read]
    share = float(weight @ read_values / weight.sum())
    clusters = select_clusters(cluster, is_read)
    influence = weight * (read_values - share)
    effective_n = effective_sample_size(weight) / design_effect(influence, clusters)
    units = count_units(read, clusters)
    corrected_n = correct_for_clusters(effective_n, read, units)
    interval = share_interval(share, corrected_n)
    return Share(share, interval, read, effective_n)


def estimate_share_with_scores(
    verdicts: Sequence[Verdict],
    scores: Scores,
    stratum: Sequence[int],
    cluster: Cluster = None,
) -> Share:
    """Return the share of right answers by the verdicts and the scores of all rows.

    If all verdicts are the same, or all scores, the result is that of the verdicts alone.

    Args:
        verdicts: the verdicts; None for a row without a verdict.
        scores: the score of each row; None for a row without a score.
        stratum: the stratum of each row, from which the rows were drawn. Strata are ignored unless
            each of them has two verdicts.
        cluster: the cluster of each row, or None if rows are independent.
    """
    import numpy as np

    weights = weigh_verdicts(verdicts, stratum)
    by_verdicts = estimate_share(verdicts, cluster, weights)
    values = np.array([verdicts], dtype=float)
    read = ~np.isnan(values[0])
    strata = split_strata(stratum, read)
    if any(part.read.sum() < 2 for part in strata):
        strata = split_strata([0] * len(read), read)
    columns = fill_scores(np.array([scores], dtype=float), strata)
    tuning = tune_scores(values, columns, strata)
    powered = estimate_means(values, columns, strata, tuning)

    (mean,) = powered.means.tolist()
    share = min(max(mean, 0.0), 1.0)
    verdict_variance = share * (1 - share)
    if not verdict_variance or not tuning:
        return by_verdicts
    (influence,) = powered.influence
    (scaled_influence,) = powered.scaled_influence
    independent_variance = float((scaled_influence**2).sum())
    variance = independent_variance * design_effect(influence, cluster)
    read_n = by_verdicts.effective_n
    distinct = {score for score in scores if score is not None}
    # Scores with few values are a judge's verdicts, whose residuals may all be 0.
    if len(distinct) <= VALUES_OF_VERDICTS:
        variance = floor_variance(variance, read_n, verdict_variance)
    else:
        variance = shrink_variance(variance, read_n, verdict_variance, len(strata))
    effective_n = max(verdict_variance / variance, 1.0)
    interval = share_interval(share, effective_n)
    return Share(share, interval, by_verdicts.read, effective_n)


def convert_to_scores(verdicts: Sequence[Verdict]) -> list[float | None]:
    """Return verdicts as scores: 1 for right, 0 for wrong, None for no verdict."""
    return [None if verdict is None else float(verdict) for verdict in verdicts]


def shrink_variance(
    variance: float,
    read: float,
    verdict_variance: float,
    pseudo_observations: int,
) -> float:
    """Return the variance, moved towards that of the verdicts alone.

    A few residuals may all be small by chance, which would make the interval too short. So
    pseudo-observations with the variance of a verdict are added, one per stratum.

    Args:
        variance: the variance of the estimate.
        read: the effective number of verdicts.
        verdict_variance: the variance of one verdict.
        pseudo_observations: the number of pseudo-observations.
    """
    total = read**2 * variance + pseudo_observations * verdict_variance
    return total / (read + pseudo_observations) / read


def floor_variance(variance: float, read: float, verdict_variance: float) -> float:
    """Return the variance with a lower limit, for scores that are themselves verdicts.

    A near-perfect judge may have no residual in a small sample. So two pseudo-observations that
    contradict it are added, one in each direction (Agresti and Min 2005, Simple improved confidence
    intervals for comparing matched proportions). They are weighted by the share of the variance
    that the judge saves. The result is never above the variance without the judge, unless
    `variance` itself is.

    Args:
        variance: the variance of the estimate.
        read: the effective number of verdicts.
        verdict_variance: the variance of one verdict.
    """
    variance_without_judge = verdict_variance / read
    gain = max(1 - variance / variance_without_judge, 0.0)
    with_pseudo_observations = variance + 2 * gain / read**2
    floored = min(with_pseudo_observations, variance_without_judge)
    return max(floored, variance)


def count_missing_verdicts(
    share: float,
    effective_n: float,
    n_read: int,
    width: float,
) -> int:
    """Return how many more verdicts are needed for an interval of this width.

    Each new verdict is assumed to be worth as much as those read so far.

    Args:
        share: the share of right answers.
        effective_n: the number of verdicts that alone would give the same standard error.
        n_read: the number of verdicts so far.
        width: the width that the interval should have.
    """
    for more in count():
        effective_n_with_more = effective_n * (n_read + more) / n_read
        low, high = share_interval(share, effective_n_with_more)
        if high - low <= width:
            return more
    raise AssertionError("the interval gets as narrow as one wants")
