"""Compare prediction-powered means with cases computed by hand and with the library glide-py.

A row is read if a person gave a verdict on it; every row has a score. The tuning is the weight of
the scores, lambda in PPI++. Rows may be drawn from several strata.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from lens.inference import ppi
from lens.inference.intervals import NORMAL_QUANTILE
from lens.inference.shares import Verdict

from tests.demo.ppi_estimates import MeanEstimate, estimate_mean
from tests.support.project import DATA_BESIDE_PROJECT

GOLDENS = DATA_BESIDE_PROJECT / "ppi" / "goldens.json"


def estimate_like_glide(verdicts: Sequence[Verdict], scores: Sequence[float]) -> MeanEstimate:
    """Return the mean of one stratum with the tuning of glide.

    glide uses the variance of all scores; `tune_scores` uses that of the read rows.
    """
    all_verdicts = np.array(verdicts, dtype=float)
    all_scores = np.array(scores)
    is_read = ~np.isnan(all_verdicts)
    read_verdicts = all_verdicts[is_read]
    read_scores = all_scores[is_read]
    n_read = len(read_verdicts)
    n_unread = len(verdicts) - n_read
    covariances = np.cov(read_verdicts, read_scores)
    slope = covariances[0, 1] / all_scores.var(ddof=1)
    tuning = slope / (1 + n_read / n_unread)
    one_stratum = [0] * len(verdicts)
    return estimate_mean(verdicts, scores, one_stratum, tuning)


def estimate_each_stratum(
    verdicts: Sequence[Verdict],
    scores: Sequence[float],
    stratum_of_rows: list[int],
) -> MeanEstimate:
    """Return the mean over strata, each with its own tuning and weighted by its share of rows."""
    mean = 0.0
    variance = 0.0
    for stratum in set(stratum_of_rows):
        rows = list_rows_of_stratum(stratum_of_rows, stratum)
        stratum_verdicts = [verdicts[row] for row in rows]
        stratum_scores = [scores[row] for row in rows]
        estimate = estimate_like_glide(stratum_verdicts, stratum_scores)
        share = len(rows) / len(stratum_of_rows)
        mean += share * estimate.mean
        variance += share**2 * estimate.error**2
    return MeanEstimate(mean, variance**0.5)


def list_rows_of_stratum(stratum_of_rows: list[int], stratum: int) -> list[int]:
    """Return the rows of a stratum."""
    return [row for row, number in enumerate(stratum_of_rows) if number == stratum]


def check_golden(golden: Mapping[str, float], estimate: MeanEstimate) -> None:
    """Check a mean and its 95% interval, which is that of the normal distribution."""
    half_width = NORMAL_QUANTILE * estimate.error
    figures = {
        "mean": estimate.mean,
        "low": estimate.mean - half_width,
        "high": estimate.mean + half_width,
    }
    for name, figure in figures.items():
        assert figure == pytest.approx(golden[name], abs=1e-9), name


def test_estimates_with_the_tuning_of_glide_equal_those_of_glide() -> None:
    if not GOLDENS.exists():
        pytest.skip(f"{GOLDENS} is not on this machine")
    text = GOLDENS.read_text("utf-8")
    for case in json.loads(text):
        verdicts = case["verdicts"]
        scores = case["scores"]
        estimate = estimate_like_glide(verdicts, scores)
        check_golden(case["ppi_plus_plus"], estimate)
        stratified_golden = case["stratified"]  # None if the case has no strata
        if stratified_golden:
            estimate = estimate_each_stratum(verdicts, scores, case["strata"])
            check_golden(stratified_golden, estimate)


# Two of four rows are read. Read and unread scores have the mean 1/2, so the estimated mean of the
# verdicts is 1/2 with any tuning. On the read rows the covariance, the variance of the scores and
# that of the verdicts are 1/2.
FOUR_VERDICTS = [True, False, None, None]
FOUR_SCORES = [1.0, 0.0, 1.0, 0.0]
ONE_STRATUM = [0] * 4


def test_an_estimate_with_a_fixed_tuning_equals_one_computed_by_hand() -> None:
    # Verdict - 3/4 score varies by (1/4)^2 * 1/2 on the 2 read rows, and 3/4 score by
    # (3/4)^2 * 1/2 on the 2 unread rows.
    mean, error = estimate_mean(FOUR_VERDICTS, FOUR_SCORES, ONE_STRATUM, tuning=3 / 4)
    variance = 1 / 64 + 9 / 64
    assert mean == pytest.approx(1 / 2)
    assert error**2 == pytest.approx(variance)


def test_an_estimate_with_the_best_tuning_equals_one_computed_by_hand() -> None:
    # The tuning is covariance / ((1 + read / unread) variance) = 1/2 / ((1 + 2/2) * 1/2) = 1/2.
    # Verdict - 1/2 score varies by (1/2)^2 * 1/2 on the 2 read rows, and 1/2 score by as much on
    # the 2 unread rows.
    mean, error = estimate_mean(FOUR_VERDICTS, FOUR_SCORES, ONE_STRATUM)
    variance = 1 / 16 + 1 / 16
    assert mean == pytest.approx(1 / 2)
    assert error**2 == pytest.approx(variance)


def test_the_difference_of_two_systems_equals_the_mean_of_their_differences() -> None:
    # Scores of three systems that are higher for right answers, on average by 1/2.
    rng = np.random.RandomState(1)
    is_right = rng.rand(3, 90) < 0.6
    noise = rng.rand(3, 90)
    scores = is_right * 0.5 + noise * 0.5
    is_read = rng.rand(90) < 0.4
    all_verdicts = is_right.astype(float)
    verdicts = np.where(is_read, all_verdicts, np.nan)
    stratum_of_rows = [0, 1, 2] * 30
    strata = ppi.split_strata(stratum_of_rows, is_read)

    tuning_of_systems = ppi.tune_scores(verdicts[:2], scores[:2], strata)
    verdict_differences = verdicts[[0]] - verdicts[[1]]
    score_differences = scores[[0]] - scores[[1]]
    tuning_of_difference = ppi.tune_scores(verdict_differences, score_differences, strata)
    assert tuning_of_systems == pytest.approx(tuning_of_difference)

    tuning = 1 / 2  # any other would do
    powered = ppi.estimate_means(verdicts, scores, strata, tuning)
    means = powered.means
    influence = powered.scaled_influence
    for first, second in itertools.combinations(range(3), 2):
        verdict_difference = verdicts[first] - verdicts[second]
        score_difference = scores[first] - scores[second]
        estimate = estimate_mean(verdict_difference, score_difference, stratum_of_rows, tuning)
        difference = means[first] - means[second]
        influence_on_difference = influence[first] - influence[second]
        variance = (influence_on_difference**2).sum()
        assert difference == pytest.approx(estimate.mean)
        assert variance == pytest.approx(estimate.error**2)


# Verdicts on the answers of three systems; the fourth row was not read.
VERDICTS = np.array(
    [
        [1.0, 0.0, 1.0, np.nan],
        [0.0, 0.0, 1.0, np.nan],
        [1.0, 1.0, 0.0, np.nan],
    ]
)
FIRST_THREE = np.array([True, True, True, False])
SCORES = np.array([0.1, 0.7, 0.3, 0.9])


def test_the_tuning_is_0_if_scores_are_constant() -> None:
    strata = ppi.split_strata(ONE_STRATUM, FIRST_THREE)
    verdicts = VERDICTS[[0]]
    constant = np.array([[0.7] * 4])
    assert ppi.tune_scores(verdicts, constant, strata) == 0


def test_the_tuning_is_0_if_all_systems_have_the_same_scores() -> None:
    """Such scores say nothing about differences of systems."""
    strata = ppi.split_strata(ONE_STRATUM, FIRST_THREE)
    same = np.tile(SCORES, (3, 1))
    assert ppi.tune_scores(VERDICTS, same, strata) == 0


def test_the_tuning_is_0_if_every_row_was_read() -> None:
    every_row = np.ones(4, dtype=bool)
    strata = ppi.split_strata(ONE_STRATUM, every_row)
    verdicts = np.array([[1.0, 0.0, 1.0, 0.0]])
    scores = np.array([SCORES])
    assert ppi.tune_scores(verdicts, scores, strata) == 0


def test_a_missing_score_is_replaced_by_the_mean_of_its_stratum() -> None:
    """In a stratum without any score it is replaced by 0."""
    every_row = np.ones(6, dtype=bool)
    stratum_of_rows = [0, 0, 0, 1, 1, 2]
    strata = ppi.split_strata(stratum_of_rows, every_row)
    scores = [0.2, 0.4, np.nan, np.nan, 0.9, np.nan]
    (filled,) = ppi.fill_scores(np.array([scores]), strata)
    expected = [0.2, 0.4, 0.3, 0.9, 0.9, 0.0]
    assert filled.tolist() == pytest.approx(expected)
