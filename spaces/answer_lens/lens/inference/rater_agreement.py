"""The agreement of three or more readers, which are people or judges ("raters" in the literature).

- Alpha: Krippendorff 2011, Computing Krippendorff's alpha-reliability, for nominal values. 1 is
  full agreement, and 0 is chance. Rows with verdicts of fewer than two readers are left out.
- Its interval is a jackknife over rows, or over clusters of rows (Efron and Tibshirani 1993, An
  introduction to the bootstrap, chapter 11), with Student's quantile. A few rows that agree by
  chance would make it too short. So pseudo-rows are added in which the readers agree no more than
  by chance, as in `judge_agreement`.
- The share of the most frequent verdict is reported, too. If nearly all verdicts are the same,
  alpha and kappa are low although readers hardly ever differ (Feinstein and Cicchetti 1990).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import Interval, count_units, select_clusters, student_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]

# A reader's verdict on a row; None if there is none.
Value = Hashable | None
# With at least this many readers, alpha is reported in addition to kappa.
MIN_READERS = 3


@dataclass(frozen=True)
class RaterAgreement:
    """The agreement of several readers.

    Attributes:
        alpha: Krippendorff's alpha; None if all verdicts are the same.
        interval: the 95% interval of alpha; None with fewer than two rows or clusters.
        rows: the number of rows with verdicts of at least two readers.
        modal_share: the share of the most frequent verdict among all verdicts.
    """

    alpha: float | None
    interval: Interval | None
    rows: int
    modal_share: float


def measure_agreement(
    readers: Sequence[Sequence[Value]], cluster: Cluster = None
) -> RaterAgreement | None:
    """Return the agreement of readers on the same rows; None if no row has two verdicts.

    Args:
        readers: the verdicts of each reader, of any kind; None for a row without a verdict.
        cluster: the cluster of each row, or None if rows are independent.

    >>> agreement = measure_agreement([[1, 1, 0, 0, None], [1, 1, 0, 1, 0], [1, 1, 0, 0, 0]])
    >>> round(agreement.alpha, 3), agreement.rows, round(agreement.modal_share, 3)
    (0.735, 5, 0.5)
    """
    import numpy as np

    counts = count_values(readers)
    is_pairable = counts.sum(axis=1) >= 2
    counts = counts[is_pairable]
    rows = len(counts)
    if not rows:
        return None
    verdicts_of_value = counts.sum(axis=0)
    most_frequent = verdicts_of_value.max()
    modal_share = float(most_frequent / verdicts_of_value.sum())
    if np.count_nonzero(verdicts_of_value) < 2:
        return RaterAgreement(None, None, rows, modal_share)
    clusters = select_clusters(cluster, is_pairable)
    terms = summarize_rows(counts)
    sums = terms.sum(axis=0)
    alpha = float(compute_alpha(sums))
    interval = estimate_interval(counts, alpha, clusters)
    return RaterAgreement(alpha, interval, rows, modal_share)


def count_values(readers: Sequence[Sequence[Value]]) -> Array:
    """Return how many readers gave each value to each row, of shape (rows, distinct values)."""
    import numpy as np

    places: dict[Value, int] = {}
    for verdicts in readers:
        for value in verdicts:
            if value is not None:
                places.setdefault(value, len(places))
    rows = len(readers[0])
    counts = np.zeros((rows, len(places)))
    for verdicts in readers:
        for row, value in enumerate(verdicts):
            if value is not None:
                counts[row, places[value]] += 1
    return counts


def summarize_rows(counts: Array) -> Array:
    """Return the terms that alpha sums over rows: the disagreement, and the counts of each value.

    Args:
        counts: how many readers gave each value to each row, of shape (rows, values); each row has
            at least two readers.

    Returns:
        An array of shape (rows, 1 + values).
    """
    import numpy as np

    readers = counts.sum(axis=1)
    equal_pairs = (counts**2).sum(axis=1)
    differing_pairs = readers**2 - equal_pairs
    # Each row counts as often as it has readers, whatever the number of its pairs.
    disagreement = differing_pairs / (readers - 1)
    return np.column_stack([disagreement, counts])


def compute_alpha(sums: Array) -> Array:
    """Return Krippendorff's alpha of the sums of `summarize_rows`, of shape (..., 1 + values).

    Alpha is 1 minus the observed disagreement divided by the expected one. The expected one is the
    share of pairs of different verdicts among all pairs of verdicts, also of different rows. With
    n_v verdicts of the value v, and n verdicts in all, it is (n^2 - sum of n_v^2) / (n (n - 1)).
    """
    disagreement = sums[..., 0]
    verdicts_of_value = sums[..., 1:]
    verdicts = verdicts_of_value.sum(axis=-1)
    observed = disagreement / verdicts
    pairs = verdicts * (verdicts - 1)
    equal_pairs = (verdicts_of_value**2).sum(axis=-1)
    differing_pairs = verdicts**2 - equal_pairs
    expected = differing_pairs / pairs
    alpha: Array = 1 - observed / expected
    return alpha


def estimate_interval(counts: Array, alpha: float, cluster: Array | None) -> Interval | None:
    """Return the 95% interval of alpha; None with fewer than two rows or clusters."""
    import numpy as np

    rows = len(counts)
    units = count_units(rows, cluster)
    if units < 2:
        return None
    unit = np.arange(rows)
    if cluster is not None:
        _, unit = np.unique(cluster, return_inverse=True)
    terms = summarize_rows(counts)
    _, terms_per_row = terms.shape
    terms_of_unit = np.zeros((units, terms_per_row))
    np.add.at(terms_of_unit, unit, terms)
    pseudo_terms = summarize_rows(make_pseudo_rows(counts))
    terms_of_unit = np.vstack([terms_of_unit, pseudo_terms])
    sums = terms_of_unit.sum(axis=0)
    centre = float(compute_alpha(sums))

    # The jackknife: the variance is (n - 1) / n times the squared deviations of these alphas.
    alpha_without_unit = compute_alpha(sums - terms_of_unit)
    deviations = alpha_without_unit - alpha_without_unit.mean()
    squares = float((deviations**2).sum())
    variance = (1 - 1 / len(deviations)) * squares
    half = student_quantile(units - 1) * variance**0.5
    # The pseudo-rows move the interval towards 0. With very few rows, it might not contain alpha.
    low = min(centre - half, alpha)
    high = max(centre + half, alpha)
    return max(low, -1.0), min(high, 1.0)


def make_pseudo_rows(counts: Array) -> Array:
    """Return four pseudo-rows with the two most frequent values.

    In two rows all readers agree, and in two rows one half has each value.
    """
    import numpy as np

    readers_of_row = counts.sum(axis=1)
    readers = readers_of_row.mean()
    verdicts_of_value = counts.sum(axis=0)
    rarest_first = np.argsort(verdicts_of_value)
    *_, second, first = rarest_first
    rows = np.zeros((4, len(verdicts_of_value)))
    rows[0, first] = readers
    rows[1, second] = readers
    rows[2:, [first, second]] = readers / 2
    return rows  # type: ignore[no-any-return]
