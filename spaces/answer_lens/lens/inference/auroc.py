"""The agreement of a score with verdicts: AUROC and the best threshold.

AUROC is the share of pairs of a right and a wrong answer in which the right one has the higher
score. A tie counts one half, and 0.5 is chance (Hanley and McNeil 1982, The meaning and use of the
area under a receiver operating characteristic curve).

The interval is made for few verdicts: Newcombe 2006, Confidence intervals for an effect size
measure based on the Mann-Whitney statistic, part 2, method 5. If the AUROC is 1, this interval has
a width, unlike that of a bootstrap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.inference.intervals import NORMAL_QUANTILE, Interval

# The smallest distance from the AUROC at which an end of its interval is searched for.
MIN_DISTANCE = 1e-9

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def measure_auroc(scores: Array, right: Array, weights: Array | None = None) -> float:
    """Return the AUROC of a score; NaN if all answers are right, or all are wrong.

    Args:
        scores: the score of each answer.
        right: whether each answer is right.
        weights: the weight of each answer; None if all answers were drawn with equal probability.

    >>> import numpy as np
    >>> measure_auroc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    0.875
    """
    weight = fill_weights(weights, len(scores))
    wrong = ~right
    weight_of_right = weight[right]
    weight_of_wrong = weight[wrong]
    total_right = float(weight_of_right.sum())
    total_wrong = float(weight_of_wrong.sum())
    pairs = total_right * total_wrong
    if not pairs:
        return float("nan")
    scores_of_right = scores[right]
    scores_of_wrong = scores[wrong]
    wrong_below = weight_below(scores_of_right, scores_of_wrong, weight_of_wrong)
    pairs_in_order = float(weight_of_right @ wrong_below)
    share = pairs_in_order / pairs
    if weights is None:
        return share
    # Sums of weights have rounding errors: this makes a share that should be 1 exactly 1.
    return round(share, 12)


def fill_weights(weights: Array | None, answers: int) -> Array:
    """Return the weights of answers; each is 1 if they were drawn with equal probability."""
    import numpy as np

    if weights is None:
        return np.ones(answers)
    return weights


def weight_below(scores: Array, others: Array, weights: Array) -> Array:
    """Return the total weight of the other scores below each score; equal scores count one half."""
    import numpy as np

    order = np.argsort(others, kind="stable")
    ranked = others[order]
    cumulative = np.cumsum(weights[order])
    # The total weight of the first n ranked scores, for every n from 0.
    total = np.concatenate([[0.0], cumulative])
    count_below = np.searchsorted(ranked, scores, "left")
    count_up_to_equal = np.searchsorted(ranked, scores, "right")
    below = total[count_below]
    up_to_equal = total[count_up_to_equal]
    weight: Array = (below + up_to_equal) / 2
    return weight


def measure_influence(scores: Array, right: Array, weights: Array | None = None) -> Array:
    """Return the influence of each answer on the AUROC.

    For a right answer, it depends on the share of wrong answers below it. For a wrong answer, it
    depends on the share of right answers above it. The AUROC is subtracted from this share, and the
    result is multiplied by the answer's weight among the answers of its kind.

    >>> import numpy as np
    >>> measure_influence(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    array([ 0.0625, -0.0625, -0.0625,  0.0625])
    """
    import numpy as np

    weight = fill_weights(weights, len(scores))
    influence = np.empty(len(scores))
    wrong = ~right
    influence[right] = measure_own_influence(scores, right, weight)
    influence[wrong] = -measure_own_influence(scores, wrong, weight)
    return influence


def measure_own_influence(scores: Array, is_own: Array, weight: Array) -> Array:
    """Return the influence of each answer of one kind, by the share of the other kind below it."""
    is_other = ~is_own
    own_weight = weight[is_own]
    other_weight = weight[is_other]
    own_scores = scores[is_own]
    other_scores = scores[is_other]
    others_below = weight_below(own_scores, other_scores, other_weight)
    share_below = others_below / other_weight.sum()
    own_share = own_weight / own_weight.sum()
    mean_below = own_share @ share_below
    influence: Array = own_share * (share_below - mean_below)
    return influence


def find_best_threshold(
    scores: Array, right: Array, weights: Array | None = None
) -> tuple[float, float | None]:
    """Return the best accuracy of a threshold on the score, and the threshold.

    Answers with at least this score are called right. Of equally good thresholds, the lowest is
    returned. None means that calling all answers wrong is best.

    >>> import numpy as np
    >>> find_best_threshold(np.array([0.1, 0.4, 0.5, 0.8]), np.array([False, True, False, True]))
    (0.75, 0.4)
    """
    import numpy as np

    weight = fill_weights(weights, len(scores))
    distinct, place = np.unique(scores, return_inverse=True)
    # When the threshold moves above a score, its right answers are lost and its wrong ones gained.
    gain_of_answer = np.where(right, -weight, weight)
    gain_of_score = np.bincount(place, gain_of_answer)
    # The gain of each threshold over the lowest: from all answers right to all answers wrong.
    gain_above_score = np.cumsum(gain_of_score)
    gain = np.concatenate([[0], gain_above_score])
    hits_at_lowest = weight[right].sum()
    hits = hits_at_lowest + gain
    best = int(np.argmax(hits))
    share_of_hits = hits[best] / weight.sum()
    accuracy = float(share_of_hits)
    if best == len(distinct):
        return accuracy, None
    return accuracy, float(distinct[best])


def auroc_interval(area: float, right: float, wrong: float) -> Interval:
    """Return the 95% interval of an AUROC.

    Args:
        area: the AUROC.
        right: the effective number of right answers, at least 1; it need not be an integer.
        wrong: the effective number of wrong answers, at least 1.

    >>> [round(end, 3) for end in auroc_interval(1.0, 15, 5)]
    [0.745, 1.0]
    """
    from scipy import optimize

    half = (right + wrong) / 2 - 1

    def measure_distance(true: float) -> float:
        """Return the squared distance from a true AUROC, less what chance explains.

        Chance explains z standard errors. Their variance is that of Hanley and McNeil 1982, with
        half of all answers, less 1, in place of m - 1 and of n - 1 (Newcombe 2006):

            A (1 - A) / (m n) * (1 + half (1 - A) / (2 - A) + half A / (1 + A))

        A is the true AUROC, m and n are the numbers of right and of wrong answers, and z is
        NORMAL_QUANTILE.
        """
        of_wrong = half * (1 - true) / (2 - true)
        of_right = half * true / (1 + true)
        pairs = 1 + of_wrong + of_right
        variance_of_pair = NORMAL_QUANTILE**2 * true * (1 - true)
        by_chance = variance_of_pair * pairs / (right * wrong)
        distance = area - true
        return float(distance**2 - by_chance)

    # The distance is negative next to the AUROC, and positive at 0 and 1.
    low = 0.0
    if area > 0:
        below_area = area - MIN_DISTANCE
        low = float(optimize.brentq(measure_distance, 0.0, below_area))
    high = 1.0
    if area < 1:
        above_area = area + MIN_DISTANCE
        high = float(optimize.brentq(measure_distance, above_area, 1.0))
    return low, high
