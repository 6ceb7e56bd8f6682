"""The estimate of one system's mean by the functions of `lens.inference.ppi`."""

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
    """Return the mean of one system and its standard error, by `tune_scores` if
    no tuning is given.
    """
    columns = np.array([values], dtype=float)
    strata = ppi.split_strata(stratum, ~np.isnan(columns[0]))
    filled = ppi.fill_scores(np.array([scores], dtype=float), strata)
    if tuning is None:
        tuning = ppi.tune_scores(columns, filled, strata)
    powered = ppi.estimate_means(columns, filled, strata, tuning)
    return float(powered.means[0]), float((powered.scaled_influence**2).sum() ** 0.5)
