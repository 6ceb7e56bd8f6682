"""Estimate the mean of one system with the functions of `lens.inference.ppi`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from lens.inference import ppi
from lens.inference.shares import Verdict


def estimate_mean(
    values: Sequence[Verdict] | Any,
    scores: Any,
    stratum: Sequence[int],
    tuning: float | None = None,
) -> tuple[float, float]:
    """Return the mean of one system and its standard error.

    Args:
        values: the verdict on each row; NaN or None for a row that was not read.
        scores: the score of each row.
        stratum: the stratum of each row.
        tuning: the weight of the scores; None for that of `tune_scores`.
    """
    columns = np.array([values], dtype=float)
    strata = ppi.split_strata(stratum, ~np.isnan(columns[0]))
    filled = ppi.fill_scores(np.array([scores], dtype=float), strata)
    if tuning is None:
        tuning = ppi.tune_scores(columns, filled, strata)
    powered = ppi.estimate_means(columns, filled, strata, tuning)
    return float(powered.means[0]), float((powered.scaled_influence**2).sum() ** 0.5)
