"""The order in which a person reads answers, so that the read ones are a random sample.

The order is the same on every machine. If two systems are compared, strata get verdicts in
proportion to the uncertainty of their estimates (Neyman 1934, On the two different aspects of the
representative method; Fisch et al. 2024, arXiv 2406.04291).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# The number of strata: quarters of the rows, or of the uncertainty of the estimates.
STRATA = 4
SEED = 0


def hash_name(name: object) -> bytes:
    """Return a hash of a name as a random sort key, the same on every machine."""
    text = f"{SEED}:{name}"
    return hashlib.sha256(text.encode()).digest()


def draw_reading_order(stratum: Sequence[int]) -> list[int]:
    """Return all rows in reading order: for every n, the first n rows are a random sample.

    Args:
        stratum: the stratum of each row; strata take turns.

    >>> draw_reading_order([0] * 10), draw_reading_order([0] * 5 + [1] * 5)
    ([7, 4, 9, 3, 8, 2, 6, 0, 5, 1], [4, 7, 3, 9, 2, 8, 0, 6, 1, 5])
    """
    rows = range(len(stratum))
    shuffled = sorted(rows, key=hash_name)
    return alternate_strata(shuffled, stratum)


def alternate_strata(order: Sequence[int], stratum: Sequence[int]) -> list[int]:
    """Return rows in this order, but taken from each stratum in turn.

    >>> alternate_strata([3, 2, 1, 0], [0, 0, 1, 1])
    [1, 3, 0, 2]
    """
    rows_of_stratum: list[list[int]] = [[] for _ in range(STRATA)]
    for row in order:
        number = stratum[row]
        rows_of_stratum[number].append(row)
    alternated: list[int] = []
    # A turn has one row of each stratum; None if all its rows are taken.
    for turn in zip_longest(*rows_of_stratum):
        alternated += [row for row in turn if row is not None]
    return alternated


def assign_strata(rows: int, *estimates: Sequence[float | None]) -> list[int]:
    """Return the number of each row's stratum, from 0.

    Without estimates, there is one stratum. With the estimates of one system, each stratum is a
    quarter of the rows, in the order of their estimates. Equal estimates keep their order, and rows
    without an estimate are lowest.

    With two systems, each stratum is a quarter of the uncertainty of the estimates. So the same
    number of verdicts in each stratum is near the best allocation (Neyman 1934). Certain estimates
    may be wrong, so each row's size is its uncertainty and a constant. The constants are half of
    the total size. With three or more systems, all estimates of a row are seldom certain and wrong,
    so the constants are a quarter.

    Args:
        rows: the number of rows.
        estimates: the estimates of each system; None for a row without an estimate.

    >>> assign_strata(4, [0.4, 0.3, None, 0.1])
    [3, 2, 0, 1]
    >>> assign_strata(6, [0.5, 0.5, 1.0, 1.0, 1.0, 1.0], [0.5, 0.5, 0.0, 0.0, 0.0, 0.0])
    [1, 2, 0, 0, 0, 1]
    """
    import numpy as np

    if not estimates or not rows:
        return [0] * rows
    columns = np.array(estimates, dtype=float)
    if len(columns) == 1:
        values = np.nan_to_num(columns[0], nan=-1.0)
        return cut_quarters(values, np.ones(rows))
    uncertainty = measure_uncertainty(columns)
    mean_uncertainty = sum(uncertainty) / rows
    added_size = mean_uncertainty or 1.0
    if len(columns) > 2:
        added_size = added_size / 3
    return cut_quarters(uncertainty, uncertainty + added_size)


def measure_uncertainty(estimates: Array) -> Array:
    """Return the standard deviation of the number of right answers in each row.

    Each estimate is taken as the probability that the answer is right. Answers are independent, so
    their binomial variances p (1 - p) are added.
    """
    import numpy as np

    probability = np.nan_to_num(estimates, nan=0.5)
    variance = probability * (1 - probability)
    variance_of_row: Array = variance.sum(axis=0)
    return variance_of_row**0.5


def cut_quarters(values: Array, sizes: Array) -> list[int]:
    """Return the stratum of each row: rows sorted by value, in parts of equal total size."""
    import numpy as np

    order = np.argsort(values, kind="stable")
    cumulative_size = np.cumsum(sizes[order])
    total_size = cumulative_size[-1]
    # The total size of the rows before each row.
    size_before = np.roll(cumulative_size, 1)
    size_before[0] = 0.0
    quarter = size_before * STRATA / total_size
    # Rounding errors could put the last row beyond the last quarter.
    quarter = np.minimum(quarter, STRATA - 1)
    stratum = np.empty(len(values), dtype=int)
    stratum[order] = quarter
    numbers: list[int] = stratum.tolist()
    return numbers
