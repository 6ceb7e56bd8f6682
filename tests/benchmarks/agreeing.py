"""How far scores agree with verdicts: AUROC, best threshold, Kendall's tau, intervals. Pure functions of numbers.

- AUROC: of a right and a wrong answer, how often the right one has the higher score; a tie is half (Hanley and McNeil
  1982, The meaning and use of the area under a receiver operating characteristic curve). 0.5 is chance.
- Bootstrap: Efron 1979; whole questions are drawn, with all their answers, since answers to one question are alike. The
  draws are seeded and kept as how often each question is drawn, so that all sums of an AUROC are whole numbers.
- tau-b: Kendall 1945, The treatment of ties in ranking problems. 1 is the same order, -1 the reverse.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

RESAMPLES, SEED = 2000, 0
# Drawn answers in memory at once.
BLOCK = 4_000_000
# Means so near are a tie.
TIE = 1e-12

Interval = tuple[float, float]


def draws(questions: int) -> "Array":
    """Return how often each question is in each resample: whole numbers of shape (RESAMPLES, questions)."""
    stream = np.random.RandomState(SEED)
    return np.stack(
        [
            np.bincount(stream.randint(0, questions, size=questions, dtype=np.int32), minlength=questions)
            for _ in range(RESAMPLES)
        ]
    ).astype(np.int32)


def ascending(scores: "Array") -> tuple["Array", "Array"]:
    """Return the positions of the scores, the lowest first, and where in that order each distinct score begins."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    return order, np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])


def areas(scores: "Array", right: "Array", question: "Array", weights: "Array") -> "Array":
    """Return one AUROC for each row of weights, NaN where only right or only wrong answers have any.

    Args:
        scores: of shape (answers,). right (bool), question (its position): the same shape.
        weights: how often each question counts, of shape (rows, questions).
    """
    order, starts = ascending(scores)
    good, asked = right[order], question[order]
    found, at_once = [], max(1, BLOCK // len(scores))
    for start in range(0, len(weights), at_once):
        block = weights[start : start + at_once, asked]
        above = np.add.reduceat(block * good, starts, axis=1, dtype=np.int64)
        below = np.add.reduceat(block * ~good, starts, axis=1, dtype=np.int64)
        # Twice the pairs in which the right answer lies higher; a tie counts once.
        pairs = (above * (2 * np.cumsum(below, axis=1) - below)).sum(axis=1)
        every = 2 * above.sum(axis=1) * below.sum(axis=1)
        found.append(np.where(every > 0, pairs / np.maximum(every, 1), np.nan))
    return np.concatenate(found)


def area(scores: "Array", right: "Array") -> float:
    """Return the AUROC of all answers; NaN where all are right or all are wrong.

    >>> area(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    return float(areas(scores, right, np.zeros(len(scores), int), np.ones((1, 1), np.int32))[0])


def interval(drawn: "Array") -> Interval | None:
    """Return the ends between which 95% of the resamples lie; None where half of them or more have no figure."""
    known = np.sort(drawn[~np.isnan(drawn)])
    tail = len(known) // 40
    return (float(known[tail]), float(known[-tail - 1])) if 2 * len(known) > len(drawn) else None


def best_threshold(scores: "Array", right: "Array") -> tuple[float, float | None]:
    """Return the best accuracy of "from this score up an answer is right", and that score.

    Of equally good ones it is the lowest; None stands for calling every answer wrong.

    >>> best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    order, starts = ascending(scores)
    good = right[order]
    wrong_below = np.r_[0, np.cumsum(~good)][starts]
    right_above = good.sum() - np.r_[0, np.cumsum(good)][starts]
    hits = np.r_[wrong_below + right_above, (~good).sum()]
    best = int(np.argmax(hits))
    return float(hits[best] / len(good)), float(scores[order[starts[best]]]) if best < len(starts) else None


def taus(first: "Array", second: "Array") -> "Array":
    """Return Kendall's tau-b of each row of two arrays of shape (rows, systems); NaN where one ranks nothing.

    >>> taus(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.5, 0.4]])).round(4).tolist()
    [0.3333]
    """
    ahead, behind = np.triu_indices(first.shape[1], 1)

    def signs(means: "Array") -> "Array":
        steps = means[:, ahead] - means[:, behind]
        return np.where(np.abs(steps) <= TIE, 0.0, np.sign(steps))

    one, other = signs(first), signs(second)
    size = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(size > 0, (one * other).sum(axis=1) / size, np.nan)


def means(values: "Array", question: "Array", system: "Array", systems: int, weights: "Array") -> "Array":
    """Return the mean of each system's answers for each row of weights (rows, questions): shape (rows, systems).

    A system without an answer in a resample has the mean NaN, and the resample's tau with it.
    """
    shape = (weights.shape[1], systems)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (question, system), values)
    np.add.at(counts, (question, system), 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (weights @ sums) / (weights @ counts)


def rounded(values: Sequence[float | None]) -> list[float | None]:
    """Return figures for a file: six decimals, None for what there is none of."""
    return [None if value is None or np.isnan(value) else round(float(value), 6) for value in values]
