"""A few verdicts of people joined with a score of all rows: the share of right answers, and which score to believe.

- Prediction-powered inference: Angelopoulos et al. 2023, Science 382 (arXiv 2301.09633). The mean of the scores of all
  rows is corrected by how far they are from the verdicts where there are some. The result is unbiased however bad the
  score is; a good one makes the interval shorter.
- PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453. The score counts as much as it has earned (`tuning`): a
  useless one is left aside.
- Stratified: Fisch et al. 2024, arXiv 2406.04291. Where two systems are compared, strata get verdicts by what the
  estimates leave open (Neyman 1934, On the two different aspects of the representative method).
- Rows of one cluster are not independent: a variance is multiplied by the design effect of what each row adds to the
  estimate (Kish 1965, Survey sampling).
- Rows that were drawn with unequal chances are weighted by these (Hajek 1971); so the verdicts alone are unbiased too.
- The interval is Clopper and Pearson's (1934) with as many verdicts as give the same standard error ("worth"; Korn and
  Graubard 1998, Confidence intervals for proportions with small expected number of positive counts). So a useless score
  gives the interval of the verdicts alone.

- AUROC's interval for few verdicts: Newcombe 2006, Confidence intervals for an effect size measure based on the
  Mann-Whitney statistic, part 2, method 5. At an AUROC of 1 it has a width, as a bootstrap has not.

What all of it assumes: the rows that were read are a random sample of the rows, such as the first n of
`order_of_reading`. The score that stands in for the verdicts is named beforehand, never picked by looking at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, zip_longest
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import (
    Interval,
    Z,
    count_units,
    design_effect,
    effective_sample_size,
    share_interval,
    worth_of_clusters,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]
    # What is known of some rows; None or NaN of the others.
    Values = Sequence[float | None] | Array

# Verdicts: true, false, None for a row that nobody read or that a reader could not decide.
Verdict = bool | None
Scores = Sequence[float | None]
STRATA = 4
# A score that takes so many values at most is one of verdicts: right, wrong, and something between.
OF_VERDICTS = 3
SEED = 0


@dataclass(frozen=True)
class Share:
    """The share of right answers, its 95% interval, the verdicts read, and how many of them alone would be worth it."""

    share: float
    interval: Interval
    read: int
    worth: float


def chance(name: object) -> bytes:
    """A number by which to sort, the same for this name on every machine."""
    return hashlib.sha256(f"{SEED}:{name}".encode()).digest()


def order_of_reading(stratum: Sequence[int]) -> list[int]:
    """All rows in the order in which to read them: its first n are a random sample of n, the same on every machine.

    >>> order_of_reading([0] * 10), order_of_reading([0] * 5 + [1] * 5)
    ([7, 4, 9, 3, 8, 2, 6, 0, 5, 1], [4, 7, 3, 9, 2, 8, 0, 6, 1, 5])
    """
    return in_turn(sorted(range(len(stratum)), key=chance), stratum)


def in_turn(order: Sequence[int], stratum: Sequence[int]) -> list[int]:
    """The rows in this order, one of each stratum in turn.

    >>> in_turn([3, 2, 1, 0], [0, 0, 1, 1])
    [1, 3, 0, 2]
    """
    turns: list[list[int]] = [[] for _ in range(STRATA)]
    for row in order:
        turns[stratum[row]].append(row)
    return [row for turn in zip_longest(*turns) for row in turn if row is not None]


def strata(rows: int, *estimates: Scores) -> list[int]:
    """The stratum of each row, from 0. Without estimates there is one. With a system's: the quarter of the row; equal
    ones by their place, rows without one lowest.

    With those of two systems: by how far the two verdicts may be from them. Half of what each stratum has in all is
    this spread, half is its rows. So as many verdicts on each stratum are near to the best allocation (Neyman 1934),
    and estimates that are sure of themselves are not believed outright. Of more systems, which are seldom all sure and
    wrong, three quarters are the spread.

    >>> strata(4, [0.4, 0.3, None, 0.1]), strata(6, [0.5, 0.5, 1.0, 1.0, 1.0, 1.0], [0.5, 0.5, 0.0, 0.0, 0.0, 0.0])
    ([3, 2, 0, 1], [1, 2, 0, 0, 0, 1])
    """
    import numpy as np

    if not estimates or not rows:
        return [0] * rows
    given = np.array(estimates, dtype=float)
    values, sizes = np.nan_to_num(given[0], nan=-1.0), np.ones(rows)
    if len(estimates) > 1:
        likely = np.nan_to_num(given, nan=0.5)
        values = (likely * (1 - likely)).sum(axis=0) ** 0.5
        sizes = values + (sum(values) / rows or 1.0) / (3 if len(estimates) > 2 else 1)
    order, found = np.argsort(values, kind="stable"), np.empty(rows, dtype=int)
    upto = np.cumsum(sizes[order])
    found[order] = np.minimum(np.r_[0.0, upto[:-1]] * STRATA / upto[-1], STRATA - 1)
    return list(found.tolist())


def filled(scores: Values) -> Array:
    """Return the scores, the mean of all in the place of one that is missing."""
    import numpy as np

    found = np.array(scores, dtype=float)
    missing = np.isnan(found)
    if missing.any():
        found[missing] = 0.0 if missing.all() else found[~missing].mean()
    return found


def by_stratum(values: Values, scores: Values, stratum: Sequence[int]) -> Iterator[tuple[Array, Array, Array]]:
    """Yield for each stratum where its rows are, their values and their scores, of which none is missing then."""
    import numpy as np

    value, score, of = np.array(values, dtype=float), np.array(scores, dtype=float), np.array(stratum)
    for one in np.unique(of):
        yield of == one, value[of == one], filled(score[of == one])


def prediction_powered(
    values: Values, scores: Values, stratum: Sequence[int], tuning: float | None = None, cluster: Cluster = None
) -> tuple[float, float]:
    """The mean of values that are known for some rows, at least two of each stratum, with a score of all rows, and its
    standard error: each stratum's own estimate, weighted by its rows. The score counts as much as `tuning` says, or as
    each stratum's own (PPI++); not at all where all is known, or where it is constant. `cluster`: which rows belong
    together.
    """
    import numpy as np

    mean, variance, influence = 0.0, 0.0, np.zeros(len(stratum))
    for there, value, score in by_stratum(values, scores, stratum):
        part, added = float(there.mean()), np.zeros(len(value))
        known = ~np.isnan(value)
        value, read, elsewhere = value[known], score[known], score[~known]
        n, others, spread, counts = len(value), len(elsewhere), score.var(ddof=1), 0.0
        if others and np.ptp(score):
            counts = np.cov(value, read)[0, 1] / ((1 + n / others) * spread) if tuning is None else tuning
            far = elsewhere.var(ddof=1) if others > 1 else spread
            mean += part * counts * elsewhere.mean()
            variance += part**2 * counts**2 * far / others
            added[~known] = part * counts / others * (elsewhere - elsewhere.mean())
        left = value - counts * read
        mean += part * left.mean()
        variance += part**2 * left.var(ddof=1) / n
        added[known] = part / n * (left - left.mean())
        influence[there] = added
    return float(mean), float((variance * design_effect(influence, cluster)) ** 0.5)


def common_tuning(values: Values, scores: Values, stratum: Sequence[int]) -> float:
    """One tuning for all strata, from the read rows alone: the slope of the values over the scores within strata, each
    stratum counting as much as in the variance. Of few verdicts it is steadier than a mean of the strata's own.
    """
    import numpy as np

    covariance = variance = 0.0
    for there, value, score in by_stratum(values, scores, stratum):
        part, known = float(there.mean()), ~np.isnan(value)
        read, left = known.sum(), (~known).sum()
        if left and np.ptp(score[known]):
            spread = np.cov(value[known], score[known]) * part**2 / read
            covariance += float(spread[0, 1])
            variance += float(spread[1, 1]) * (1 + read / left)
    return covariance / variance if variance else 0.0


def weigh_verdicts(verdicts: Sequence[Verdict], stratum: Sequence[int]) -> Array:
    """Return the weight of each verdict, the inverse of its row's chance to be drawn; 0 for rows without one.

    Rows of one stratum have one chance: how many of them have a verdict, by how many there are. Weights have the mean
    1, so that rows with equal chances have just that.

    >>> weigh_verdicts([True, None, None, False, True, None], [0, 0, 0, 1, 1, 0]).tolist()
    [2.0, 0.0, 0.0, 0.5, 0.5, 0.0]
    """
    import numpy as np

    strata_of, known = np.asarray(stratum), np.array([one is not None for one in verdicts], dtype=float)
    _, number = np.unique(strata_of, return_inverse=True)
    rows, read = np.bincount(number), np.bincount(number, known)
    weights = known * (rows / np.maximum(read, 1.0))[number]
    total: float = weights.sum()
    return weights * known.sum() / total if total else weights


def share_alone(verdicts: Sequence[Verdict], cluster: Cluster = None, weights: Array | None = None) -> Share:
    """Return the share of right answers by the verdicts alone.

    Args:
        verdicts: None stands for a row without one.
        cluster: the cluster of each row, or None if rows are independent.
        weights: the weight of each row (`weigh_verdicts`), where rows were drawn with unequal chances; the share is
            Hajek's ratio then (Hajek 1971, comment on an essay by Basu), and counts as many verdicts as Kish's (1965)
            effective sample size.
    """
    import numpy as np

    values = np.array(verdicts, dtype=float)
    known = ~np.isnan(values)
    given = values[known]
    weight = np.ones(len(given)) if weights is None else weights[known]
    share = float(weight @ given / weight.sum())
    clusters = None if cluster is None else np.asarray(cluster)[known]
    worth = effective_sample_size(weight) / design_effect(weight * (given - share), clusters)
    units = count_units(len(given), clusters)
    ends = share_interval(share, worth_of_clusters(worth, len(given), units))
    return Share(share, ends, len(given), worth)


def share_with_scores(
    verdicts: Sequence[Verdict], scores: Scores, stratum: Sequence[int], cluster: Cluster = None
) -> Share:
    """The share of right answers by the verdicts and the scores of all rows; `stratum` as they were drawn, which counts
    where each has two verdicts; `cluster`: which rows belong together.

    Verdicts that are all the same, or a score that is, say no more than the verdicts alone.
    """
    alone = share_alone(verdicts, cluster, weigh_verdicts(verdicts, stratum))
    stratum = strata(len(verdicts)) if few(verdicts, stratum) else stratum
    tuning = common_tuning(verdicts, scores, stratum)
    mean, error = prediction_powered(verdicts, scores, stratum, tuning, cluster)
    share = min(max(mean, 0.0), 1.0)
    spread = share * (1 - share)
    if not spread or not tuning:
        return alone
    few_values = len({one for one in scores if one is not None}) <= OF_VERDICTS
    made_up = len(set(stratum))
    of = contradicted(error**2, alone.worth, spread) if few_values else careful(error**2, alone.worth, spread, made_up)
    worth = max(spread / of, 1.0)
    return Share(share, share_interval(share, worth), alone.read, worth)


def few(values: Values, stratum: Sequence[int]) -> bool:
    """Whether a stratum has fewer than two values."""
    return any((value == value).sum() < 2 for _, value, _ in by_stratum(values, values, stratum))  # NaN is none


def careful(variance: float, read: float, spread: float, made_up: int) -> float:
    """The variance of an estimate from so many verdicts, and from made-up ones with the variance of a plain verdict: a
    few residuals that are all small by chance would make the interval too short.
    """
    return (read**2 * variance + made_up * spread) / (read + made_up) / read


def contradicted(variance: float, read: float, spread: float) -> float:
    """The variance of an estimate where what stands in are verdicts too, such as a judge's: with two made-up verdicts
    that contradict it, one each way (after Agresti and Min 2005, Simple improved confidence intervals for comparing
    matched proportions), as far as it has made the variance smaller than that of the verdicts alone, to which this
    adds up at most. A judge that is seldom wrong may be so in none of the rows read, and its residuals show no variance
    then.
    """
    alone = spread / read
    gained = max(1 - variance / alone, 0.0)
    return max(min(variance + 2 * gained / read**2, alone), variance)


def area_interval(area: float, right: float, wrong: float) -> Interval:
    """The 95% interval of an AUROC over so many right and wrong answers, at least one of each; they need not be whole
    numbers.

    >>> [round(end, 3) for end in area_interval(1.0, 15, 5)]
    [0.745, 1.0]
    """
    from scipy import optimize

    half = (right + wrong) / 2 - 1

    def beyond(true: float) -> float:
        pairs = 1 + half * (1 - true) / (2 - true) + half * true / (1 + true)
        return float((area - true) ** 2 - Z**2 * true * (1 - true) * pairs / (right * wrong))

    # Beside the AUROC it is below 0, at 0 and 1 above.
    low = float(optimize.brentq(beyond, 0.0, area - 1e-9)) if area > 0 else 0.0
    return low, float(optimize.brentq(beyond, area + 1e-9, 1.0)) if area < 1 else 1.0


def more_verdicts(share: Share, width: float) -> int:
    """How many more verdicts make the interval at most so wide, if each is worth as much as those read so far."""

    def wide(more: int) -> float:
        low, high = share_interval(share.share, share.worth * (share.read + more) / share.read)
        return high - low

    return next(more for more in count() if wide(more) <= width)
