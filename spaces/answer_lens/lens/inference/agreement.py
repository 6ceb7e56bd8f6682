"""How far a score agrees with verdicts: AUROC and the best threshold. `make agreement` and one's own verdicts use it.

AUROC: of a right and a wrong answer, how often the right one has the higher score; a tie is half, 0.5 is chance (Hanley
and McNeil 1982, The meaning and use of the area under a receiver operating characteristic curve).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def area(scores: Array, right: Array, weights: Array | None = None) -> float:
    """Return the AUROC of all answers; NaN where all are right or all are wrong.

    Args:
        scores: the score of each answer.
        right: whether it is right.
        weights: the weight of each answer, where answers were drawn with unequal chances.

    >>> import numpy as np
    >>> area(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    pairs = float(weight[right].sum()) * float(weight[~right].sum())
    if not pairs:
        return float("nan")
    below = weight_below(scores, scores[~right], weight[~right])
    share = float(weight[right] @ below[right]) / pairs
    # Weights are no whole numbers: what should be 1 is 1.
    return share if weights is None else round(share, 12)


def weight_below(scores: Array, others: Array, weights: Array) -> Array:
    """Return the weight of other scores below each score; of equal ones it is half."""
    import numpy as np

    order = np.argsort(others, kind="stable")
    total = np.r_[0.0, np.cumsum(weights[order])]
    ranked = others[order]
    under, upto = (total[np.searchsorted(ranked, scores, side)] for side in ("left", "right"))
    half: Array = (under + upto) / 2
    return half


def placements(scores: Array, right: Array, weights: Array | None = None) -> Array:
    """Return how far each answer moves the AUROC (DeLong et al. 1988, Comparing the areas under two or more correlated
    receiver operating characteristic curves).

    Of a right answer that is the share of wrong ones below it, of a wrong answer the share of right ones above it, each
    less the AUROC and by the weight of its kind.

    >>> import numpy as np
    >>> placements(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    array([ 0.0625, -0.0625, -0.0625,  0.0625])
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    influence = np.empty(len(scores))
    for kind, sign in ((right, 1), (~right, -1)):
        below = weight_below(scores[kind], scores[~kind], weight[~kind]) / weight[~kind].sum()
        share = weight[kind] / weight[kind].sum()
        influence[kind] = sign * share * (below - share @ below)
    return influence


def best_threshold(scores: Array, right: Array, weights: Array | None = None) -> tuple[float, float | None]:
    """Return the best accuracy of "from this score up an answer is right", and that score.

    Of equally good ones it is the lowest; None stands for calling every answer wrong.

    >>> import numpy as np
    >>> best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    distinct, at = np.unique(scores, return_inverse=True)
    # From each distinct score up: all right answers, and what it gains and loses by those that lie below.
    hits = weight[right].sum() + np.r_[0, np.cumsum(np.bincount(at, np.where(right, -weight, weight)))]
    best = int(np.argmax(hits))
    return float(hits[best] / weight.sum()), float(distinct[best]) if best < len(distinct) else None
