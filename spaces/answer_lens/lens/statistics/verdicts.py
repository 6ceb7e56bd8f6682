"""A few verdicts of people joined with a score of all rows: the share of right answers, and which score to believe.

- Prediction-powered inference: Angelopoulos et al. 2023, Science 382 (arXiv 2301.09633). The mean of the scores of all
  rows is corrected by how far they are from the verdicts where there are some. The result is unbiased however bad the
  score is; a good one makes the interval shorter.
- PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453. The score counts as much as it has earned (`tuning`): a
  useless one is left aside.
- Stratified: Fisch et al. 2024, arXiv 2406.04291.
- The interval is Wilson's (1927) with as many verdicts as give the same standard error ("worth"; Dean and Pagano 2015,
  Evaluating confidence interval methods for binomial proportions in clustered surveys). So a useless score gives the
  interval of the verdicts alone.

- AUROC's interval for few verdicts: Newcombe 2006, Confidence intervals for an effect size measure based on the
  Mann-Whitney statistic, part 2, method 5. At an AUROC of 1 it has a width, as a bootstrap has not.

What all of it assumes: the rows that were read are a random sample of the rows, such as the first n of
`order_of_reading`. The score that stands in for the verdicts is named beforehand, never picked by looking at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.statistics.intervals import Interval, Z

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Verdicts: true, false, None for a row that nobody read or that a reader could not decide.
Verdict = bool | None
STRATA = 4
SEED = 0
# So many made-up verdicts with the variance of a plain one join the residuals, in a stratified sample one for each
# stratum: a few residuals that are all small by chance would make the interval too short.
MADE_UP = 1


@dataclass(frozen=True)
class Estimate:
    """A mean, its standard error, and how much the score counts in it (0: not at all)."""

    mean: float
    standard_error: float
    tuning: float


@dataclass(frozen=True)
class Share:
    """The share of right answers, its 95% interval, the verdicts read, and how many of them alone would be worth it."""

    share: float
    interval: Interval
    read: int
    worth: float


def order_of_reading(rows: int, scores: Sequence[float | None] | None = None, seed: int = SEED) -> list[int]:
    """All rows in the order in which to read them: its first n are a random sample of n, the same on every machine.

    With scores, the sample is stratified: each quarter of the rows, from the lowest scores to the highest, gives one
    row in turn.
    """
    shuffled = sorted(range(rows), key=lambda row: hashlib.sha256(f"{seed}:{row}".encode()).digest())
    if scores is None:
        return shuffled
    return in_turn(shuffled, strata(scores))


def in_turn(order: Sequence[int], stratum: Sequence[int]) -> list[int]:
    """The rows in this order, one of each stratum in turn.

    >>> in_turn([3, 2, 1, 0], [0, 0, 1, 1])
    [1, 3, 0, 2]
    """
    turns: list[list[int]] = [[] for _ in range(STRATA)]
    for row in order:
        turns[stratum[row]].append(row)
    return [turn[at] for at in range(max(map(len, turns))) for turn in turns if at < len(turn)]


def drawn_as(read: Collection[int], rows: int, scores: Sequence[float | None] | None = None) -> str:
    """How the rows that were read came to be chosen: "uniform" or "stratified" where they are the first of that order
    of reading, empty where they are not: then nothing promises that they are like the others.

    >>> drawn_as(order_of_reading(10)[:4], 10), drawn_as({0, 1, 2, 3}, 10)
    ('uniform', '')
    """
    chosen = set(read)
    orders = {"uniform": order_of_reading(rows)} | ({"stratified": order_of_reading(rows, scores)} if scores else {})
    return next((name for name, order in orders.items() if chosen == set(order[: len(chosen)])), "")


def strata(scores: Sequence[float | None]) -> list[int]:
    """The quarter of each row by its score, 0 to 3; equal scores by their place, rows without a score lowest."""
    ascending = sorted(range(len(scores)), key=lambda row: (-1.0 if scores[row] is None else scores[row], row))
    found = [0] * len(scores)
    for place, row in enumerate(ascending):
        found[row] = place * STRATA // len(scores)
    return found


def prediction_powered(values: Sequence[float | None], scores: Sequence[float | None]) -> Estimate:
    """The mean of values that are known for some rows, with a score of all rows (PPI++, tuned).

    A row without a score counts with the mean of the others. At least two values are needed.
    """
    import numpy as np

    known = np.array([value is not None for value in values])
    score = filled(scores)
    value = np.array([value for value in values if value is not None], dtype=float)
    there, elsewhere = score[known], score[~known]
    n, others = len(value), len(elsewhere)
    spread = score.var(ddof=1)
    if not others or not np.ptp(score):
        return Estimate(float(value.mean()), float(value.std(ddof=1) / n**0.5), 0.0)
    tuning = float(np.cov(value, there)[0, 1] / ((1 + n / others) * spread))
    left = value - tuning * there
    far = elsewhere.var(ddof=1) if others > 1 else spread
    return Estimate(
        float(tuning * elsewhere.mean() + left.mean()),
        float((tuning**2 * far / others + left.var(ddof=1) / n) ** 0.5),
        tuning,
    )


def filled(scores: Sequence[float | None]) -> Array:
    """The scores, the mean of all in the place of one that is missing."""
    import numpy as np

    found = np.array(scores, dtype=float)
    return np.where(np.isnan(found), np.nanmean(found) if not np.isnan(found).all() else 0.0, found)


def stratified(values: Sequence[float | None], scores: Sequence[float | None], stratum: Sequence[int]) -> Estimate:
    """The same from a sample that was drawn by stratum: each stratum's own estimate, weighted by its rows.

    Each stratum needs at least two values. The tuning is the mean of the strata's.
    """
    rows = {one: [row for row, other in enumerate(stratum) if other == one] for one in sorted(set(stratum))}
    found = [
        (len(those) / len(stratum), prediction_powered([values[row] for row in those], [scores[row] for row in those]))
        for those in rows.values()
    ]
    return Estimate(
        sum(weight * one.mean for weight, one in found),
        sum((weight * one.standard_error) ** 2 for weight, one in found) ** 0.5,
        sum(weight * one.tuning for weight, one in found),
    )


def wilson(share: float, worth: float) -> Interval:
    """Wilson's 95% interval of a share that `worth` verdicts gave; they need not be a whole number.

    >>> [round(end, 4) for end in wilson(0.8, 10)]
    [0.4902, 0.9433]
    """
    weight = Z**2 / worth
    middle = (share + weight / 2) / (1 + weight)
    half = (share * (1 - share) * weight + weight**2 / 4) ** 0.5 / (1 + weight)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def share_alone(verdicts: Sequence[Verdict]) -> Share:
    """The share of right answers by the verdicts alone."""
    given = [verdict for verdict in verdicts if verdict is not None]
    share = sum(given) / len(given)
    return Share(share, wilson(share, len(given)), len(given), len(given))


def share_with_scores(
    verdicts: Sequence[Verdict], scores: Sequence[float | None], stratum: Sequence[int] | None = None
) -> Share:
    """The share of right answers by the verdicts and the scores of all rows; `stratum` where they were drawn by it
    (it counts where each has two verdicts).

    Verdicts that are all the same, or a score that is, say no more than the verdicts alone.
    """
    alone = share_alone(verdicts)
    given = [one for one, verdict in zip(stratum or [], verdicts, strict=False) if verdict is not None]
    if stratum and any(given.count(one) < 2 for one in set(stratum)):
        stratum = None
    found = stratified(verdicts, scores, stratum) if stratum else prediction_powered(verdicts, scores)
    share, read = min(max(found.mean, 0.0), 1.0), alone.read
    spread = share * (1 - share)
    if not spread or not found.tuning:
        return alone
    made_up = STRATA * MADE_UP if stratum else MADE_UP
    variance = (read**2 * found.standard_error**2 + made_up * spread) / (read + made_up)
    worth = max(read * spread / variance, 1.0)
    return Share(share, wilson(share, worth), read, worth)


@dataclass(frozen=True)
class Difference:
    """How much larger the first system's share of right answers is, its 95% interval, and the rows read for it."""

    difference: float
    interval: Interval
    read: int


def difference(
    first: Sequence[Verdict],
    second: Sequence[Verdict],
    first_scores: Sequence[float | None] | None = None,
    second_scores: Sequence[float | None] | None = None,
) -> Difference:
    """The difference of two systems over rows where both have verdicts; with their scores of all rows, if given.

    Student's t with one degree of freedom less than rows read, of which there must be two.
    """
    import numpy as np
    from scipy import stats

    apart = [
        None if one is None or two is None else int(one) - int(two) for one, two in zip(first, second, strict=True)
    ]
    read = sum(step is not None for step in apart)
    scores = [0.0] * len(apart) if first_scores is None else filled(first_scores) - filled(second_scores or [])
    found = prediction_powered(apart, list(np.asarray(scores)))
    half = float(stats.t.ppf(0.975, read - 1)) * found.standard_error
    return Difference(found.mean, (max(found.mean - half, -1.0), min(found.mean + half, 1.0)), read)


def area_interval(area: float, right: int, wrong: int) -> Interval:
    """The 95% interval of an AUROC over so many right and wrong answers, at least one of each.

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
        low, high = wilson(share.share, share.worth * (share.read + more) / share.read)
        return high - low

    more = 0
    while wide(more) > width:
        more += 1
    return more


def cohens_kappa(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Two readers' agreement beyond chance (Cohen 1960); None where both gave one and the same verdict to all.

    >>> cohens_kappa([True, True, False, False], [True, False, False, False])
    0.5
    """
    rows = len(first)
    alike = sum(one == other for one, other in zip(first, second, strict=True)) / rows
    right, other_right = sum(first) / rows, sum(second) / rows
    chance = right * other_right + (1 - right) * (1 - other_right)
    return None if chance == 1 else (alike - chance) / (1 - chance)
