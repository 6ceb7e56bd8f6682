"""Compares a judge's verdicts with a person's: agreement, missed answers, and the joined share.

- Kappa: Cohen 1960, A coefficient of agreement for nominal scales. Its standard error: Fleiss,
  Cohen and Everitt 1969, Large sample standard errors of kappa and weighted kappa. With few rows,
  this error is too small: with 20 verdicts, only 0.14 to 0.95 of its 95% intervals contain the true
  kappa. So the interval uses Student's quantile, and four pseudo-rows are spread evenly over the
  table of both verdicts (Agresti and Coull 1998). It is wide if nearly all verdicts are the same,
  because then a few rows say little about kappa.
- Sensitivity is the share of answers that the judge calls right among those that the person calls
  right. Specificity is the share that the judge calls wrong among those that the person calls
  wrong. Their intervals are Clopper and Pearson's, as in `intervals`.
- If rows were drawn with unequal probabilities, each row is weighted by the inverse of its
  probability (Hajek 1971).
- The joined share is that of `shares.estimate_share_with_scores`: on rows that nobody read, the
  judge stands in for the person.
- Dependent rows of a cluster are taken into account by the design effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import (
    Interval,
    count_units,
    design_effect,
    effective_sample_size,
    select_clusters,
    student_quantile,
)
from lens.inference.shares import (
    Share,
    Verdict,
    convert_to_scores,
    estimate_share,
    estimate_share_with_scores,
    weigh_verdicts,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]

# Pseudo-rows for the interval of kappa: for two kinds of verdicts, one in each cell of the table.
PSEUDO_ROWS = 4


@dataclass(frozen=True)
class Rate:
    """A share of some rows with its 95% interval."""

    share: float
    interval: Interval
    rows: int


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance with its 95% interval.

    Both are None if all verdicts of both are the same. The interval is also None for fewer than two
    independent rows.
    """

    kappa: float | None
    interval: Interval | None
    rows: int


@dataclass(frozen=True)
class JudgeAgreement:
    """A judge's verdicts compared with a person's.

    Attributes:
        counts: the numbers of rows that both call right, only the judge calls right, only the
            person calls right, and neither calls right.
        sensitivity: the share that the judge calls right among the answers that the person calls
            right; None if there are no such answers.
        specificity: the share that the judge calls wrong among the answers that the person calls
            wrong; None if there are no such answers.
        kappa: the agreement beyond chance.
        judge_share: the share of right answers by the judge, on all rows that it judged.
        person_share: the share of right answers by the person, on the rows that were read.
        joined_share: the share by both together; None if the judge adds nothing (`can_join`).
        differing_rows: the rows on which the two verdicts differ.
    """

    counts: tuple[int, int, int, int]
    sensitivity: Rate | None
    specificity: Rate | None
    kappa: Kappa
    judge_share: Share
    person_share: Share
    joined_share: Share | None
    differing_rows: Sequence[int]

    @property
    def rows(self) -> int:
        """The number of rows with a verdict of both."""
        return sum(self.counts)

    @property
    def modal_share(self) -> float:
        """The share of the most frequent verdict among the verdicts of both.

        If it is near 1, kappa says little.
        """
        both_right, judge_right, person_right, none_right = self.counts
        right = 2 * both_right + judge_right + person_right
        wrong = 2 * none_right + judge_right + person_right
        return max(right, wrong) / (right + wrong)


def cohen_kappa(
    first: Sequence[Any],
    second: Sequence[Any],
    cluster: Cluster = None,
    weights: Array | None = None,
) -> Kappa:
    """Return Cohen's kappa of two readers, for verdicts of any kind.

    Args:
        first: the verdicts of one reader.
        second: the verdicts of the other reader on the same rows.
        cluster: the cluster of each row, or None if rows are independent.
        weights: the weight of each row; None if all rows were drawn with equal probability.

    >>> agreement = cohen_kappa([1, 1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 1, 1, 1, 0])
    >>> agreement.kappa, [round(end, 3) for end in agreement.interval]
    (0.5, [-0.31, 0.977])
    """
    import numpy as np

    rows = len(first)
    kinds = list(dict.fromkeys([*first, *second]))
    if len(kinds) < 2:
        return Kappa(None, None, rows)
    # Verdicts as numbers from 0, and their pair on each row: the row's cell in the table.
    by_first = [kinds.index(verdict) for verdict in first]
    by_second = [kinds.index(verdict) for verdict in second]
    cells = (by_first, by_second)
    weight = np.ones(rows) if weights is None else weights
    # The total weight of the rows with each pair of verdicts.
    n_kinds = len(kinds)
    table = np.zeros((n_kinds, n_kinds))
    np.add.at(table, cells, weight)
    kappa, influence = measure_kappa(table)
    units = count_units(rows, cluster)
    if units < 2:
        return Kappa(kappa, None, rows)

    row_influence = weight * influence[cells]
    effective_n = effective_sample_size(weight) / design_effect(row_influence, cluster)
    # The table scaled to the effective number of independent rows, with the pseudo-rows added.
    scaled = table / weight.sum() * effective_n
    padded = scaled + PSEUDO_ROWS / n_kinds**2
    centre, influence = measure_kappa(padded)
    squares = float((padded * influence**2).sum())
    variance = squares / padded.sum() ** 2
    error = variance**0.5
    half = student_quantile(units - 1) * error
    # The pseudo-rows move the interval towards 0. With very few rows, it might not contain kappa.
    low = float(min(centre - half, kappa))
    high = float(max(centre + half, kappa))
    interval = (max(low, -1.0), min(high, 1.0))
    return Kappa(kappa, interval, rows)


def measure_kappa(table: Array) -> tuple[float, Array]:
    """Return Cohen's kappa of a table, and the influence of a row in each cell.

    Kappa is (observed - expected) / (1 - expected): the observed share of rows on which both
    agree, and the expected one if their verdicts were independent.

    Source: Fleiss et al. 1969.
    """
    import numpy as np

    shares = table / table.sum()
    of_first = shares.sum(axis=1)
    of_second = shares.sum(axis=0)
    expected = float(of_first @ of_second)
    observed = float(np.trace(shares))
    kappa = (observed - expected) / (1 - expected)
    # A row moves the observed agreement by its own, and the expected one by both marginal shares.
    moves_of_expected = of_second[:, None] + of_first[None, :]
    moves = np.eye(len(table)) - (1 - kappa) * moves_of_expected
    mean = (shares * moves).sum()
    influence = (moves - mean) / (1 - expected)
    return kappa, influence


def compare_judge(
    person: Sequence[Verdict],
    judge: Sequence[Verdict],
    stratum: Sequence[int],
    cluster: Cluster = None,
) -> JudgeAgreement | None:
    """Compare a judge's verdicts with a person's on the same rows; None if no row has both.

    Args:
        person: the person's verdicts; None stands for neither right nor wrong.
        judge: the judge's verdicts.
        stratum: the stratum of each row, from which the rows for the person were drawn.
        cluster: the cluster of each row, or None if rows are independent.
    """
    import numpy as np

    # The person's verdicts on rows that the judge judged, too.
    on_both: list[Verdict] = []
    for verdict, judge_verdict in zip(person, judge, strict=True):
        on_both.append(None if judge_verdict is None else verdict)
    known = np.flatnonzero([verdict is not None for verdict in on_both])
    if not len(known):
        return None
    clusters = select_clusters(cluster, known)
    weights = weigh_verdicts(on_both, stratum)[known]
    person_weights = weigh_verdicts(person, stratum)
    person_values = np.array(person, dtype=float)
    judge_values = np.array(judge, dtype=float)
    is_right: Array = person_values[known] == 1
    is_passed: Array = judge_values[known] == 1
    differs = is_right != is_passed
    return JudgeAgreement(
        counts=count_pairs(is_right, is_passed),
        sensitivity=estimate_rate(is_right, is_passed, clusters, weights),
        specificity=estimate_rate(~is_right, ~is_passed, clusters, weights),
        kappa=cohen_kappa(is_right.tolist(), is_passed.tolist(), clusters, weights),
        judge_share=estimate_share(judge, cluster),
        person_share=estimate_share(person, cluster, person_weights),
        joined_share=join_shares(person, judge, stratum, cluster),
        differing_rows=known[differs].tolist(),
    )


def count_pairs(is_right: Array, is_passed: Array) -> tuple[int, int, int, int]:
    """Return the numbers of rows with each pair of verdicts, as in `JudgeAgreement.counts`."""
    both_right = is_right & is_passed
    judge_right = is_passed & ~is_right
    person_right = is_right & ~is_passed
    none_right = ~is_right & ~is_passed
    return (
        int(both_right.sum()),
        int(judge_right.sum()),
        int(person_right.sum()),
        int(none_right.sum()),
    )


def join_shares(
    person: Sequence[Verdict],
    judge: Sequence[Verdict],
    stratum: Sequence[int],
    cluster: Cluster,
) -> Share | None:
    """Return the share of right answers by the person and the judge together.

    It is None if the judge adds nothing to the person's verdicts.

    Args:
        person: the person's verdicts.
        judge: the judge's verdicts on the same rows.
        stratum: the stratum of each row.
        cluster: the cluster of each row, or None if rows are independent.
    """
    scores = convert_to_scores(judge)
    if not can_join(person, scores):
        return None
    return estimate_share_with_scores(person, scores, stratum, cluster)


def estimate_rate(
    condition: Array,
    hits: Array,
    cluster: Array | None,
    weights: Array,
) -> Rate | None:
    """Return the share of hits among the rows that meet a condition; None if no row meets it."""
    (rows,) = condition.nonzero()
    if not len(rows):
        return None
    clusters = select_clusters(cluster, rows)
    verdicts = hits[rows].tolist()
    estimate = estimate_share(verdicts, clusters, weights[rows])
    return Rate(estimate.share, estimate.interval, estimate.read)


def can_join(person: Sequence[Verdict], scores: Sequence[float | None]) -> bool:
    """Return whether a judge's scores can be joined with a person's verdicts.

    This needs two different scores, a score on an unread row, and two verdicts of the person.
    """
    distinct = {score for score in scores if score is not None}
    read = 0
    scored_unread = 0
    for verdict, score in zip(person, scores, strict=True):
        if verdict is not None:
            read += 1
        elif score is not None:
            scored_unread += 1
    return len(distinct) > 1 and scored_unread > 0 and read > 1
