"""How far a score agrees with verdicts: AUROC and the best threshold.

AUROC: of a right and a wrong answer, how often the right one has the higher score; a tie is half,
0.5 is chance (Hanley and McNeil 1982, The meaning and use of the area under a receiver operating
characteristic curve).

Its interval for few verdicts: Newcombe 2006, Confidence intervals for an effect size measure based
on the Mann-Whitney statistic, part 2, method 5. At an AUROC of 1 it has a width, as a bootstrap has
not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.inference.intervals import Interval, Z

# How near to the AUROC the ends of its interval are looked for.
NEARLY = 1e-9

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def measure_auroc(scores: Array, right: Array, weights: Array | None = None) -> float:
    """Return the AUROC of all answers; NaN where all are right or all are wrong.

    Args:
        scores: the score of each answer.
        right: whether it is right.
        weights: the weight of each answer, where answers were drawn with unequal chances.

    >>> import numpy as np
    >>> measure_auroc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    of_right = weight[right]
    of_wrong = weight[~right]
    pairs = float(of_right.sum()) * float(of_wrong.sum())
    if not pairs:
        return float("nan")
    below = weight_below(scores, scores[~right], of_wrong)
    pairs_in_order = float(of_right @ below[right])
    share = pairs_in_order / pairs
    # Weights are no whole numbers: what should be 1 is 1.
    return share if weights is None else round(share, 12)


def weight_below(scores: Array, others: Array, weights: Array) -> Array:
    """Return the weight of other scores below each score; of equal ones it is half."""
    import numpy as np

    order = np.argsort(others, kind="stable")
    ranked = others[order]
    cumulative = np.cumsum(weights[order])
    total = np.concatenate([[0.0], cumulative])
    first_equal = np.searchsorted(ranked, scores, "left")
    first_above = np.searchsorted(ranked, scores, "right")
    weight: Array = (total[first_equal] + total[first_above]) / 2
    return weight


def measure_influence(scores: Array, right: Array, weights: Array | None = None) -> Array:
    """Return how far each answer moves the AUROC.

    Of a right answer that is the share of wrong ones below it, of a wrong answer the share of right
    ones above it, each less the AUROC and by the weight of its kind.

    Source: DeLong et al. 1988, Comparing the areas under two or more correlated receiver operating
        characteristic curves.

    >>> import numpy as np
    >>> measure_influence(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    array([ 0.0625, -0.0625, -0.0625,  0.0625])
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    influence = np.empty(len(scores))
    influence[right] = measure_own_influence(scores, right, weight)
    influence[~right] = -measure_own_influence(scores, ~right, weight)
    return influence


def measure_own_influence(scores: Array, is_own: Array, weight: Array) -> Array:
    """Return how far each answer of one kind moves the share of the other kind below it."""
    own = weight[is_own]
    others = weight[~is_own]
    below = weight_below(scores[is_own], scores[~is_own], others)
    below = below / others.sum()
    share = own / own.sum()
    influence: Array = share * (below - share @ below)
    return influence


def find_best_threshold(
    scores: Array, right: Array, weights: Array | None = None
) -> tuple[float, float | None]:
    """Return the best accuracy of "from this score up an answer is right", and that score.

    Of equally good ones it is the lowest; None stands for calling every answer wrong.

    >>> import numpy as np
    >>> find_best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    import numpy as np

    weight = np.ones(len(scores)) if weights is None else weights
    distinct, place = np.unique(scores, return_inverse=True)
    # A threshold that passes a score loses the right answers with it, and gains the wrong ones.
    gain_of_each = np.where(right, -weight, weight)
    gain = np.bincount(place, gain_of_each)
    cumulative = np.concatenate([[0], np.cumsum(gain)])
    hits = weight[right].sum() + cumulative
    best = int(np.argmax(hits))
    accuracy = float(hits[best] / weight.sum())
    if best == len(distinct):
        return accuracy, None
    return accuracy, float(distinct[best])


def auroc_interval(area: float, right: float, wrong: float) -> Interval:
    """Return the 95% interval of an AUROC.

    Args:
        area: the AUROC.
        right: how many right answers it rests on, at least one; it need not be a whole number.
        wrong: how many wrong ones, likewise.

    >>> [round(end, 3) for end in auroc_interval(1.0, 15, 5)]
    [0.745, 1.0]
    """
    from scipy import optimize

    half = (right + wrong) / 2 - 1

    def measure_distance(true: float) -> float:
        """Return how far the AUROC is from a true one, beyond what chance explains."""
        of_wrong = half * (1 - true) / (2 - true)
        of_right = half * true / (1 + true)
        pairs = 1 + of_wrong + of_right
        by_chance = Z**2 * true * (1 - true) * pairs / (right * wrong)
        return float((area - true) ** 2 - by_chance)

    # Beside the AUROC the distance is below 0, at 0 and 1 above.
    low = 0.0
    if area > 0:
        low = float(optimize.brentq(measure_distance, 0.0, area - NEARLY))
    high = 1.0
    if area < 1:
        high = float(optimize.brentq(measure_distance, area + NEARLY, 1.0))
    return low, high
