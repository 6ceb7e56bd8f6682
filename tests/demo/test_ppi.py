"""Prediction-powered means, compared with cases computed by hand and with glide-py."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from lens.inference import ppi
from lens.inference.intervals import Z
from lens.inference.shares import Verdict

from tests.demo.ppi_estimates import estimate_mean
from tests.support.project import DATA_BESIDE_PROJECT

GOLDENS = DATA_BESIDE_PROJECT / "ppi" / "goldens.json"


def estimate_like_glide(values: Sequence[Verdict], scores: Sequence[float]) -> tuple[float, float]:
    """Return the mean of one stratum and its standard error, with the tuning of glide.

    glide uses the variance of all scores; `tune_scores` that of the rows that were read.
    """
    column = np.array(values, dtype=float)
    score = np.array(scores)
    read = ~np.isnan(column)
    covariances = np.cov(column[read], score[read])
    read_for_unread = read.sum() / (~read).sum()
    variance = score.var(ddof=1)
    tuning = covariances[0, 1] / ((1 + read_for_unread) * variance)
    one_stratum = [0] * len(values)
    return estimate_mean(values, scores, one_stratum, tuning)


def estimate_each_stratum(
    values: Sequence[Verdict], scores: Sequence[float], stratum: list[int]
) -> Any:
    """Return the mean of strata, each with its own tuning, and its standard error."""
    mean = variance = 0.0
    for number in set(stratum):
        rows = [row for row, row_stratum in enumerate(stratum) if row_stratum == number]
        own_values = [values[row] for row in rows]
        own_scores = [scores[row] for row in rows]
        own_mean, error = estimate_like_glide(own_values, own_scores)
        share = len(rows) / len(stratum)
        mean += share * own_mean
        variance += share**2 * error**2
    return mean, variance**0.5


def check_golden(golden: Mapping[str, float], mean: float, error: float) -> None:
    """Check a mean and its 95% interval."""
    assert mean == pytest.approx(golden["mean"], abs=1e-9)
    assert mean - Z * error == pytest.approx(golden["low"], abs=1e-9)
    assert mean + Z * error == pytest.approx(golden["high"], abs=1e-9)


def test_estimates_with_the_tuning_of_glide_equal_those_of_glide() -> None:
    if not GOLDENS.exists():
        pytest.skip(f"{GOLDENS} is not on this machine")
    for case in json.loads(GOLDENS.read_text("utf-8")):
        verdicts = case["verdicts"]
        scores = case["scores"]
        mean, error = estimate_like_glide(verdicts, scores)
        check_golden(case["ppi_plus_plus"], mean, error)
        if case["stratified"]:
            mean, error = estimate_each_stratum(verdicts, scores, case["strata"])
            check_golden(case["stratified"], mean, error)


def test_an_estimate_computed_by_hand() -> None:
    # Two of four rows are read. With the variance of all scores, 1/3, the tuning is
    # lambda = cov / ((1 + 2/2) var) = 0.5 / (2 * 1/3) = 3/4. The scores of both halves have the
    # mean 1/2, so the share is 3/4 * 1/2 + (1/2 - 3/4 * 1/2) = 1/2. With the variance of the read
    # scores, 1/2, the tuning is lambda = 0.5 / (2 * 1/2) = 1/2.
    verdicts = [True, False, None, None]
    scores = [1.0, 0.0, 1.0, 0.0]
    mean, error = estimate_mean(verdicts, scores, [0] * 4, tuning=3 / 4)
    assert mean == pytest.approx(1 / 2)
    # s^2 = (3/4)^2 * (1/2) / 2 + (1/4)^2 * (1/2) / 2 = 9/64 + 1/64
    assert error**2 == pytest.approx(9 / 64 + 1 / 64)
    # s^2 = (1/2)^2 * (1/2) / 2 + (1/2)^2 * (1/2) / 2 = 1/16 + 1/16
    mean, error = estimate_mean(verdicts, scores, [0] * 4)
    assert mean == pytest.approx(1 / 2)
    assert error**2 == pytest.approx(1 / 16 + 1 / 16)


def test_the_difference_of_two_systems_equals_the_mean_of_their_differences() -> None:
    stream = np.random.RandomState(1)
    right = stream.rand(3, 90) < 0.6
    noise = stream.rand(3, 90)
    scores = right * 0.5 + noise * 0.5
    is_read = stream.rand(90) < 0.4
    values = np.where(is_read, right.astype(float), np.nan)
    stratum = (np.arange(90) % 3).tolist()
    strata = ppi.split_strata(stratum, is_read)
    value_steps = values[:1] - values[1:2]
    score_steps = scores[:1] - scores[1:2]
    tuning = ppi.tune_scores(value_steps, score_steps, strata)
    assert ppi.tune_scores(values[:2], scores[:2], strata) == pytest.approx(tuning)

    powered = ppi.estimate_means(values, scores, strata, 0.5)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        value_step = values[first] - values[second]
        score_step = scores[first] - scores[second]
        mean, error = estimate_mean(value_step, score_step, stratum, 0.5)
        difference = powered.means[first] - powered.means[second]
        influence = powered.scaled_influence[first] - powered.scaled_influence[second]
        assert difference == pytest.approx(mean)
        assert (influence**2).sum() ** 0.5 == pytest.approx(error)


def test_scores_that_are_constant_or_equal_for_all_systems_have_weight_0() -> None:
    verdicts = [
        [1.0, 0.0, 1.0, np.nan],
        [0.0, 0.0, 1.0, np.nan],
        [1.0, 1.0, 0.0, np.nan],
    ]
    values = np.array(verdicts)
    strata = ppi.split_strata([0] * 4, ~np.isnan(values[0]))
    constant = np.full((1, 4), 0.7)
    assert ppi.tune_scores(values[:1], constant, strata) == 0

    scores = np.array([[0.1, 0.7, 0.3, 0.9]])
    same = np.tile(scores, (3, 1))
    assert ppi.tune_scores(values, same, strata) == 0, "three systems with the same scores"

    every = ppi.split_strata([0] * 4, np.ones(4, dtype=bool))
    assert ppi.tune_scores(values[:1], scores, every) == 0, "every row was read"


def test_a_missing_score_is_replaced_by_the_mean_of_its_stratum() -> None:
    """In a stratum without any score it is 0."""
    every_row = np.ones(6, dtype=bool)
    strata = ppi.split_strata([0, 0, 0, 1, 1, 2], every_row)
    scores = np.array([[0.2, 0.4, np.nan, np.nan, 0.9, np.nan]])
    (filled,) = ppi.fill_scores(scores, strata)
    assert filled.tolist() == pytest.approx([0.2, 0.4, 0.3, 0.9, 0.9, 0.0])
