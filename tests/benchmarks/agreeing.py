"""How far scores agree with verdicts: AUROC, best threshold, Kendall's tau, intervals. Pure functions of numbers.

- AUROC and best threshold: as for one's own verdicts, lens/statistics/agreement.py of the demo.
- Bootstrap: Efron 1979; whole questions are drawn, with all their answers, since answers to one question are alike. The
  draws are seeded and kept as how often each question is drawn, so that all sums of an AUROC are whole numbers.
- tau-b: Kendall 1945, The treatment of ties in ranking problems. 1 is the same order, -1 the reverse.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.statistics import verdicts as verdicts
from lens.statistics.agreement import area as area
from lens.statistics.agreement import best_threshold as best_threshold

Array = NDArray[Any]

RESAMPLES, SEED = 2000, 0
# Means so near are a tie.
TIE = 1e-12
# Drawn answers in memory at once.
BLOCK = 4_000_000


def draws(questions: int) -> Array:
    """Return how often each question is in each resample: whole numbers of shape (RESAMPLES, questions)."""
    stream = np.random.RandomState(SEED)
    drawn = (stream.randint(0, questions, size=questions, dtype=np.int32) for _ in range(RESAMPLES))
    return np.stack([np.bincount(one, minlength=questions) for one in drawn]).astype(np.int32)


def interval(drawn: Array) -> tuple[float, float] | None:
    """Return the ends between which 95% of the resamples lie; None where half of them or more have no figure."""
    known = np.sort(drawn[~np.isnan(drawn)])
    tail = len(known) // 40
    return (float(known[tail]), float(known[-tail - 1])) if 2 * len(known) > len(drawn) else None


def areas(scores: Array, right: Array, question: Array, weights: Array) -> Array:
    """One AUROC for each row of weights, NaN where only right or only wrong answers have any.

    `weights`, of shape (rows, questions), says how often each question counts; the others are of shape (answers,).
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
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


def taus(first: Array, second: Array) -> Array:
    """Return Kendall's tau-b of each row of two arrays of shape (rows, systems); NaN where one ranks nothing.

    >>> taus(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.5, 0.4]])).round(4).tolist()
    [0.3333]
    """
    ahead, behind = np.triu_indices(first.shape[1], 1)

    def signs(means: Array) -> Array:
        steps = means[:, ahead] - means[:, behind]
        return np.where(np.abs(steps) <= TIE, 0.0, np.sign(steps))

    one, other = signs(first), signs(second)
    size = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(size > 0, (one * other).sum(axis=1) / size, np.nan)


def means(values: Array, question: Array, system: Array, systems: int, weights: Array) -> Array:
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
