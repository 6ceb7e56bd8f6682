"""Estimate the mean of one system with the functions of `lens.inference.ppi`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from lens.inference import ppi
from lens.inference.shares import Verdict


class MeanEstimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


def estimate_mean(
    verdicts: Sequence[Verdict] | Any,
    scores: Any,
    stratum: Sequence[int],
    tuning: float | None = None,
) -> MeanEstimate:
    """Return the prediction-powered mean of the verdicts on one system.

    Args:
        verdicts: the verdict on each row; NaN or None for a row that was not read.
        scores: the score of each row.
        stratum: the stratum of each row.
        tuning: the weight of the scores; None for that of `tune_scores`.
    """
    # The functions of ppi take a row of each array for each system.
    verdicts_of_systems = np.array([verdicts], dtype=float)
    is_read = ~np.isnan(verdicts_of_systems[0])
    strata = ppi.split_strata(stratum, is_read)
    scores_of_systems = ppi.fill_scores(np.array([scores], dtype=float), strata)
    if tuning is None:
        tuning = ppi.tune_scores(verdicts_of_systems, scores_of_systems, strata)
    powered = ppi.estimate_means(verdicts_of_systems, scores_of_systems, strata, tuning)
    variance = (powered.scaled_influence**2).sum()
    return MeanEstimate(float(powered.means[0]), float(variance**0.5))
