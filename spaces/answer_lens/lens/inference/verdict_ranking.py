"""Several systems compared by a few verdicts: questions are drawn, and all systems' answers to each are read.

Each system's share of right answers is joined with its estimates of all rows (PPI++, `verdicts`), with one tuning for
all of them, so that the difference of two is that of the differences of the estimates. Intervals of all differences
hold together, with the draws of `ranking`.

The floor: few verdicts may show no difference where there is one, and no variance then. So the variance of each pair
has two made-up questions, one for each side (Agresti and Min 2005). The variance of one question held all intervals of
16 systems in 0.72 to 0.85 of samples only.

It is assumed that the questions read are a random sample, as `verdicts` says; strata as they were drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import ROWS_FOR_EACH_SIDE, Contrast, sum_clusters
from lens.inference.ranking import Ranking, compare_together, contrast_variances, draw_t, ranked
from lens.inference.verdicts import filled

# How much a made-up question counts where estimates of all rows are joined: these differ where verdicts do not.
WEIGHT_BESIDE_ESTIMATES = 0.5

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.inference.verdicts import Scores, Verdict

    Array = NDArray[Any]
    # Of each stratum its share of the rows, where those read are, and where the others.
    Parts = list[tuple[float, Array, Array]]


def differences_of_shares(
    verdicts: Sequence[Sequence[Verdict]],
    scores: Sequence[Scores],
    stratum: Sequence[int],
    cluster: Cluster = None,
) -> Ranking | None:
    """Compare two systems or more by their shares of right answers; `verdicts` of shape (systems, rows), `scores` the
    same, or none, for the verdicts alone. A row counts as read where each system has a verdict; `rows` of what comes
    says how many.

    `stratum` as the rows were drawn; None where one has fewer than two rows that were read. `cluster`: which rows
    belong together.

    >>> right = [[True] * 30, [False] * 6 + [True] * 24, [False] * 24 + [True] * 6]
    >>> found = differences_of_shares(right, [], [0] * 30)
    >>> found.ranks, [round(end, 3) for end in found.pairs[0].interval]
    (((1, 2), (1, 2), (3, 3)), [-0.015, 0.415])
    """
    import numpy as np

    given, of = np.array(verdicts, dtype=float), np.asarray(stratum)
    read = ~np.isnan(given).any(axis=0)
    estimates = np.array([filled(one) for one in scores]) if len(scores) else np.zeros(given.shape)
    parts: Parts = [((of == one).mean(), (of == one) & read, (of == one) & ~read) for one in np.unique(of)]
    tuning = common(given, estimates, parts)
    worth = len(np.unique(np.asarray(cluster)[read])) if cluster is not None else int(read.sum())
    # One degree of freedom for the mean of each stratum, one for the tuning.
    free = worth - len(parts)
    left = free - bool(tuning)
    if min(there.sum() for _, there, _ in parts) < 2 or free < 2:
        return None
    shares, influence = joined(given, estimates, parts, tuning)
    pairs = list(combinations(range(len(given)), 2))
    covariance = covariance_of_shares(influence, cluster, free / left)
    made_up = ROWS_FOR_EACH_SIDE * (WEIGHT_BESIDE_ESTIMATES if tuning else 1.0)
    errors = standard_errors(influence, np.array(pairs), covariance, free / left, worth, made_up)
    differences = [float(shares[one] - shares[other]) for one, other in pairs]
    contrasts = [Contrast(*one) for one in zip(differences, errors.tolist(), strict=True)]
    t = draw_t(covariance, left, np.array(pairs))
    compared = compare_together(pairs, differences, contrasts, t, left, 1.0)
    return ranked(compared, len(given), int(read.sum()))


def common(values: Array, scores: Array, parts: Parts) -> float:
    """How much the scores count: `verdicts.common_tuning` of the differences of all pairs taken together, which are
    those of each system from the mean of all.
    """
    import numpy as np

    value, score = values - values.mean(axis=0), scores - scores.mean(axis=0)
    covariance = variance = 0.0
    for part, read, others in parts:
        n, rest = read.sum(), others.sum()
        if n < 2 or not rest:
            continue
        far = score[:, read] - score[:, read].mean(axis=1, keepdims=True)
        weight = part**2 / n / (n - 1)
        covariance += weight * float((value[:, read] * far).sum())
        variance += weight * float((far**2).sum()) * (1 + n / rest)
    return covariance / variance if variance > np.finfo(float).eps else 0.0


def joined(values: Array, scores: Array, parts: Parts, tuning: float) -> tuple[Array, Array]:
    """Each system's share, as `verdicts.prediction_powered` has it with this tuning, and how far each row moves it, of
    shape (systems, rows): the sum of squares is the variance.
    """
    import numpy as np

    shares, influence = np.zeros(len(values)), np.zeros(values.shape)
    for part, read, others in parts:
        counted = (tuning if others.any() else 0.0) * scores
        for there, column in ((read, values - counted), (others, counted)):
            rows = int(there.sum())
            if rows:
                own = column[:, there]
                mean = own.mean(axis=1, keepdims=True)
                shares += part * mean[:, 0]
                influence[:, there] = part * (own - mean) / (rows * max(rows - 1, 1)) ** 0.5
    return shares, influence


def standard_errors(
    influence: Array, pairs: Array, covariance: Array, wider: float, read: int, made_up: float
) -> Array:
    """Return the standard error of each pair's difference, with two made-up questions.

    Args:
        influence: how far each row moves each system's share; the sum of squares is the variance.
        pairs: the places of both systems.
        covariance: the covariance of the shares, which clusters make larger.
        wider: how much larger variances are than their sums of squares.
        read: the questions that were read, or their clusters.
        made_up: how much a made-up question for either side counts.
    """
    import numpy as np

    ahead, behind = pairs.T
    (clustered,) = contrast_variances(covariance[None], ahead, behind)
    by_rows = [float(((influence[one] - influence[other]) ** 2).sum()) for one, other in pairs]
    floor = 2 * made_up / read**2
    errors: Array = np.sqrt(np.maximum(clustered, np.array(by_rows) * wider) + floor)
    return errors


def covariance_of_shares(influence: Array, cluster: Cluster, wider: float) -> Array:
    """Return the covariance of the systems' shares, from how far each row, or cluster of rows, moves them."""
    sums, sizes = sum_clusters(influence, cluster)
    bessel = 1.0
    if sizes is not None:
        rows, clusters = influence.shape[1], len(sizes)
        bessel = clusters / (clusters - 1) * (rows - 1) / rows
    covariance: Array = sums @ sums.T * bessel * wider
    return covariance
