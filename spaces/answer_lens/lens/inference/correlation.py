"""How similarly series of scores rank the same rows, and how far they disagree on each row.

Source: Spearman 1904, The proof and measurement of association between two things.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    Scores = Sequence[float | None] | NDArray[Any]

# The fewest rows for which a correlation is computed.
MIN_ROWS = 3


class Correlation(NamedTuple):
    """The correlation of two series.

    Attributes:
        rho: Spearman's correlation; None if one of the series is constant, or if fewer than 3 rows
            have both scores.
        rows: the number of rows with both scores.
    """

    rho: float | None
    rows: int


def correlate_series(series: Mapping[str, Scores]) -> dict[tuple[str, str], Correlation]:
    """Return the correlation of every two series.

    Each pair is in the result in both orders, and each series with itself.

    >>> correlate_series({"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]})["a", "b"]
    Correlation(rho=0.8, rows=4)
    """
    frame = make_frame(series)
    rhos = frame.corr("spearman", min_periods=MIN_ROWS)
    has_score = frame.notna().astype(int)
    # The number of rows with both scores, for each pair of series.
    rows = has_score.T @ has_score
    correlations: dict[tuple[str, str], Correlation] = {}
    for pair in product(frame, repeat=2):
        rho = read_number(rhos.loc[pair])
        rows_of_pair = int(rows.loc[pair])
        correlations[pair] = Correlation(rho, rows_of_pair)
    return correlations


def make_frame(series: Mapping[str, Scores]) -> DataFrame:
    """Return a frame with one column per series, and NaN for missing scores."""
    import pandas as pd

    return pd.DataFrame(dict(series), dtype=float)


def read_number(value: float) -> float | None:
    """Return a number of a frame; None if it is NaN."""
    return None if math.isnan(value) else float(value)


def spread_of_ranks(series: Mapping[str, Scores]) -> list[float | None]:
    """Return how far the series disagree on each row, from 0 to 1.

    This is the largest minus the smallest percentile rank of the row's scores. The percentile rank
    of a score in a series of n scores is (rank - 1) / (n - 1), so scales do not matter. A constant
    series has no ranks and is left out. The result is None for a row with a score in fewer than two
    series.

    >>> spread_of_ranks({"f1": [0.0, 0.5, 1.0], "judge": [0.0, 1.0, 0.0], "other": [0.2, 0.2, 0.2]})
    [0.25, 0.5, 0.75]
    """
    frame = make_frame(series)
    is_varied = frame.nunique() > 1
    varied = frame.loc[:, is_varied]
    ranks_below = varied.rank() - 1
    largest_rank_below = varied.count() - 1
    percentile_ranks = ranks_below / largest_rank_below

    largest = percentile_ranks.max(axis=1)
    smallest = percentile_ranks.min(axis=1)
    spread = largest - smallest
    has_two_ranks = percentile_ranks.count(axis=1) > 1
    spread = spread.where(has_two_ranks)
    return [read_number(value) for value in spread]
