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
    one_system = np.array([values], dtype=float)
    is_read = ~np.isnan(one_system[0])
    strata = ppi.split_strata(stratum, is_read)
    filled = ppi.fill_scores(np.array([scores], dtype=float), strata)
    if tuning is None:
        tuning = ppi.tune_scores(one_system, filled, strata)
    powered = ppi.estimate_means(one_system, filled, strata, tuning)
    variance = (powered.scaled_influence**2).sum()
    return float(powered.means[0]), float(variance**0.5)
