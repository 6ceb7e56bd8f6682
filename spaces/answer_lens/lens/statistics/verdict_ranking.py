"""Several systems compared by a few verdicts: questions are drawn, and all systems' answers to each are read.

Each system's share of right answers is joined with its estimates of all rows (PPI++, `verdicts`), with one tuning for
all of them, so that the difference of two is that of the differences of the estimates. Intervals of all differences
hold together: Student's t of several dimensions (Dunnett 1955, A multiple comparison procedure for comparing several
treatments with a control), with how these differences go together.

The floor: few verdicts may show no difference where there is one, and no variance then. So a pair has at least the
variance that one question gives which tells the two apart, of those read. Two made-up questions for each pair (Agresti
and Min 2005) hold too, and are wider.

It is assumed that the questions read are a random sample, as `verdicts` says; strata as they were drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.statistics.intervals import RESAMPLES, SEED, summed
from lens.statistics.ranking import Pair, Ranking, ranked, rooted, simultaneous
from lens.statistics.verdicts import filled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.statistics.intervals import Cluster
    from lens.statistics.verdicts import Scores, Verdict

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
    (((1, 1), (2, 2), (3, 3)), [0.021, 0.379])
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
    ahead, behind = np.array(pairs).T
    error, t = together(influence, ahead, behind, cluster, free / left, left, worth)
    found = simultaneous(pairs, shares[ahead] - shares[behind], error, t, t, 0.0)
    return ranked(map(within, found), len(given), int(read.sum()))


def within(pair: Pair) -> Pair:
    """A pair with its interval within what shares can differ by."""
    low, high = pair.interval or (-1.0, 1.0)
    return replace(pair, interval=(max(low, -1.0), min(high, 1.0)))


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


def together(
    influence: Array, ahead: Array, behind: Array, cluster: Cluster, wider: float, free: int, read: int
) -> tuple[Array, Array]:
    """The standard error of each pair's difference, and 2,000 draws of how far all are off in these, of shape (pairs,
    2000). `wider`: how much larger variances are than their sums of squares; `free`: degrees of freedom.
    """
    import numpy as np

    sums, sizes = summed(influence, cluster)
    bessel = 1.0 if sizes is None else len(sizes) / (len(sizes) - 1) * (influence.shape[1] - 1) / influence.shape[1]
    root = rooted(sums @ sums.T * bessel * wider)
    own = ((root[ahead] - root[behind]) ** 2).sum(axis=1)
    alone = ((influence[ahead] - influence[behind]) ** 2).sum(axis=1) * wider
    variance = np.maximum(np.maximum(own, alone), read**-2.0)
    stream = np.random.RandomState(SEED)
    means, apart = (stream.standard_normal((some, RESAMPLES)) for some in (len(root), len(own)))
    off = (root[ahead] - root[behind]) @ means + (variance - own)[:, None] ** 0.5 * apart
    t = off / variance[:, None] ** 0.5 / (stream.chisquare(free, RESAMPLES) / free) ** 0.5
    return variance**0.5, t
