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
