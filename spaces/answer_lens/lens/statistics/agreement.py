"""How far a score agrees with verdicts: AUROC and the best threshold. `make agreement` and one's own verdicts use it.

AUROC: of a right and a wrong answer, how often the right one has the higher score; a tie is half, 0.5 is chance (Hanley
and McNeil 1982, The meaning and use of the area under a receiver operating characteristic curve).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Drawn answers in memory at once.
BLOCK = 4_000_000


def ascending(scores: Array) -> tuple[Array, Array]:
    """The positions of the scores, the lowest first, and where in that order each distinct score begins."""
    import numpy as np

    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    return order, np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])


def areas(scores: Array, right: Array, question: Array, weights: Array) -> Array:
    """One AUROC for each row of weights, NaN where only right or only wrong answers have any.

    `weights`, of shape (rows, questions), says how often each question counts; the others are of shape (answers,).
    """
    import numpy as np

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


def area(scores: Array, right: Array) -> float:
    """The AUROC of all answers; NaN where all are right or all are wrong.

    >>> import numpy as np
    >>> area(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    import numpy as np

    return float(areas(scores, right, np.zeros(len(scores), int), np.ones((1, 1), np.int32))[0])


def best_threshold(scores: Array, right: Array) -> tuple[float, float | None]:
    """The best accuracy of "from this score up an answer is right", and that score.

    Of equally good ones it is the lowest; None stands for calling every answer wrong.

    >>> import numpy as np
    >>> best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    import numpy as np

    order, starts = ascending(scores)
    good = right[order]
    wrong_below = np.r_[0, np.cumsum(~good)][starts]
    right_above = good.sum() - np.r_[0, np.cumsum(good)][starts]
    hits = np.r_[wrong_below + right_above, (~good).sum()]
    best = int(np.argmax(hits))
    return float(hits[best] / len(good)), float(scores[order[starts[best]]]) if best < len(starts) else None
