"""How far a score agrees with verdicts: AUROC and the best threshold. `make agreement` and one's own verdicts use it.

AUROC: of a right and a wrong answer, how often the right one has the higher score; a tie is half, 0.5 is chance (Hanley
and McNeil 1982, The meaning and use of the area under a receiver operating characteristic curve).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def area(scores: Array, right: Array) -> float:
    """The AUROC of all answers; NaN where all are right or all are wrong.

    >>> import numpy as np
    >>> area(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    from scipy import stats

    good = int(right.sum())
    pairs = good * (len(right) - good)
    return float(stats.rankdata(scores)[right].sum() - good * (good + 1) / 2) / pairs if pairs else float("nan")


def placements(scores: Array, right: Array) -> Array:
    """How far each answer moves the AUROC: of a right one the share of wrong ones that it is above, of a wrong one the
    share of right ones that are above it, each less the AUROC and by how many of its kind there are (DeLong et al.
    1988, Comparing the areas under two or more correlated receiver operating characteristic curves).

    >>> import numpy as np
    >>> placements(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    array([ 0.0625, -0.0625, -0.0625,  0.0625])
    """
    import numpy as np
    from scipy import stats

    # Ranks among all less those among one's own kind count the others below, a tie as half.
    ranks, found = stats.rankdata(scores), np.empty(len(scores))
    for kind in (right, ~right):
        beyond = (ranks[kind] - stats.rankdata(scores[kind])) / (~kind).sum()
        found[kind] = (beyond - beyond.mean()) / kind.sum() * (1 if kind is right else -1)
    return found


def best_threshold(scores: Array, right: Array) -> tuple[float, float | None]:
    """The best accuracy of "from this score up an answer is right", and that score.

    Of equally good ones it is the lowest; None stands for calling every answer wrong.

    >>> import numpy as np
    >>> best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    import numpy as np

    distinct, at = np.unique(scores, return_inverse=True)
    # From each distinct score up: all right answers, and what it gains and loses by those that lie below.
    hits = right.sum() + np.r_[0, np.cumsum(np.bincount(at, np.where(right, -1, 1)))]
    best = int(np.argmax(hits))
    return float(hits[best] / len(right)), float(distinct[best]) if best < len(distinct) else None
