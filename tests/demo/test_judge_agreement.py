"""Agreement of a judge with a person, and estimates recalibrated by a person's verdicts.

scikit-learn, statsmodels and scipy compute the expected figures.
"""

from typing import Any

import numpy as np
import pytest
from lens.inference import judge_agreement, recalibration, shares
from scipy import optimize, special, stats
from sklearn import metrics as sklearn_metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint


@pytest.mark.parametrize("seed", range(20))
def test_agreement_figures_equal_those_of_scikit_learn_and_statsmodels(seed: int) -> None:
    stream = np.random.RandomState(seed)
    rows = stream.randint(5, 300)
    person = stream.rand(rows) < stream.uniform(0.2, 0.9)
    agrees = stream.rand(rows) < stream.uniform(0.5, 1)
    guesses = stream.rand(rows) < 0.5
    judge = np.where(agrees, person, guesses)
    person[:4] = [True, True, False, False]
    judge[:4] = [True, False, True, False]
    found = judge_agreement.compare_judge(person.tolist(), judge.tolist(), [0] * rows)
    assert found
    table = sklearn_metrics.confusion_matrix(person, judge)
    (none_right, judge_right), (person_right, both_right) = table
    assert found.counts == (both_right, judge_right, person_right, none_right)
    kappa = sklearn_metrics.cohen_kappa_score(person, judge)
    assert found.kappa.kappa == pytest.approx(kappa, abs=1e-12)
    # The interval is that of statsmodels for the table with one made-up row added to each cell, but
    # with Student's quantile, and it includes the kappa of the table itself.
    padded_kappa = cohens_kappa(table + 1)
    half = stats.t.ppf(0.975, rows - 1) * padded_kappa.std_kappa
    low = min(padded_kappa.kappa - half, found.kappa.kappa)
    high = max(padded_kappa.kappa + half, found.kappa.kappa)
    assert found.kappa.interval == pytest.approx((max(low, -1), min(high, 1)), abs=1e-9)
    for rate, is_right in ((found.sensitivity, True), (found.specificity, False)):
        assert rate
        share = sklearn_metrics.recall_score(person, judge, pos_label=is_right)
        interval = proportion_confint(round(share * rate.rows), rate.rows, method="beta")
        assert rate.share == pytest.approx(share)
        assert rate.interval == pytest.approx(interval)
    assert found.joined_share is None, "a person read all rows: the judge stands in for none"


@pytest.mark.parametrize("seed", range(20))
def test_kappa_of_three_verdicts_equals_that_of_scikit_learn(seed: int) -> None:
    stream = np.random.RandomState(seed)
    rows = stream.randint(5, 300)
    first = stream.choice(["right", "wrong", "declined"], rows)
    agrees = stream.rand(rows) < 0.7
    second = np.where(agrees, first, "declined")
    expected = sklearn_metrics.cohen_kappa_score(first, second)
    found = judge_agreement.cohen_kappa(first.tolist(), second.tolist())
    assert found.kappa == pytest.approx(expected)


def test_the_interval_of_a_kappa_without_any_difference_has_a_width() -> None:
    same = [True, False] * 10
    found = judge_agreement.cohen_kappa(same, same)
    assert found.kappa == 1
    assert found.interval
    assert 0.4 < found.interval[0] < 0.9
    assert found.interval[1] == 1
    assert judge_agreement.cohen_kappa([True] * 5, [True] * 5).kappa is None
    assert judge_agreement.compare_judge([True, None], [None, False], [0, 0]) is None


def test_rows_of_one_cluster_count_once() -> None:
    person = [True, False, True, True] * 10
    judge = [True, False, False, True] * 10
    once = judge_agreement.compare_judge(person, judge, [0] * 40)
    twice = judge_agreement.compare_judge(person * 2, judge * 2, [0] * 80, [*range(40)] * 2)
    assert once
    assert twice
    assert once.sensitivity
    assert twice.sensitivity
    assert once.kappa.interval
    assert once.kappa.interval == pytest.approx(twice.kappa.interval, abs=0.01)
    assert once.sensitivity.interval == pytest.approx(twice.sensitivity.interval, abs=0.01)


@pytest.mark.parametrize(
    ("share", "sensitivity", "specificity"),
    [
        (0.8, 0.6, 0.6),
        (0.8, 0.9, 0.9),
        (0.8, 0.95, 0.95),
        (0.9, 0.95, 0.95),
        (0.8, 0.9375, 1.0),
        (0.5, 1.0, 0.9),
        (0.7, 0.5, 0.5),
    ],
)
def test_the_share_joined_with_a_judges_verdicts_is_unbiased_and_no_less_precise(
    share: float, sensitivity: float, specificity: float
) -> None:
    stream = np.random.RandomState(1)
    rows = 1000
    read = 50
    draws = 300
    hits = 0
    errors = []
    widths = []
    person_widths = []
    for _ in range(draws):
        truth = stream.rand(rows) < share
        passes_right = stream.rand(rows) < sensitivity
        passes_wrong = stream.rand(rows) >= specificity
        judge = np.where(truth, passes_right, passes_wrong).astype(float)
        verdicts: list[bool | None] = [None] * rows
        verdicts[:read] = truth[:read].tolist()
        found = shares.estimate_share_with_scores(verdicts, judge.tolist(), [0] * rows)
        person_share = shares.estimate_share(verdicts)
        low, high = found.interval
        hits += low <= truth.mean() <= high
        errors.append(found.share - truth.mean())
        widths.append(high - low)
        person_widths.append(np.ptp(person_share.interval))
    # 95% of 300 intervals should hold; the standard error of the share is 1.3 percentage points.
    assert hits / draws >= 0.92
    assert abs(np.mean(errors)) < 3 * np.std(errors) / draws**0.5
    # A judge with sensitivity + specificity = 1 guesses: it may widen the interval by 2%.
    largest_ratio = 1.02 if sensitivity + specificity == 1 else 1.0
    assert np.mean(widths) <= largest_ratio * np.mean(person_widths)


def test_recalibration_is_the_logistic_ridge_fit_and_makes_estimates_better() -> None:
    stream = np.random.RandomState(2)
    truth = stream.rand(400)
    odds = special.logit(truth)
    estimates = special.expit(1.5 + 0.5 * odds)
    right = stream.rand(400) < truth

    def compute_loss(fit: Any) -> float:
        start, slope = fit
        probabilities = recalibration.apply_fit(estimates, start, slope).clip(1e-12, 1 - 1e-12)
        loss = -np.log(np.where(right, probabilities, 1 - probabilities)).sum()
        return float(loss + compute_ridge(start, slope))

    found = recalibration.fit_recalibration(estimates.tolist(), right.tolist())
    assert found
    exact = {"xatol": 1e-7, "fatol": 1e-9}
    best = optimize.minimize(compute_loss, [0.0, 1.0], method="Nelder-Mead", options=exact)
    assert (found.start, found.slope) == pytest.approx(tuple(best.x), abs=1e-4)
    assert found.after < 0.6 * found.before
    recalibrated = [found.recalibrate(estimate) for estimate in estimates.tolist()]
    assert np.mean(recalibrated) == pytest.approx(right.mean(), abs=0.01)


def compute_ridge(start: float, slope: float) -> float:
    """Return the penalty of a fit: a normal prior around start 0 and slope 1 (no change)."""
    moved = start**2 / 2 / recalibration.SHIFT_DEVIATION**2
    stretched = (slope - 1) ** 2 / 2 / recalibration.STRETCH_DEVIATION**2
    return moved + stretched


def test_few_verdicts_shift_an_estimate_and_do_not_change_its_slope() -> None:
    stream = np.random.RandomState(2)
    estimates = stream.rand(30).tolist()
    right = (stream.rand(30) < 0.6).tolist()
    few = recalibration.fit_recalibration(estimates, right)
    assert few
    assert few.slope == 1
    assert recalibration.fit_recalibration(estimates[:19], right[:19]) is None
    assert recalibration.fit_recalibration(estimates, [True] * 30) is None


@pytest.mark.parametrize("kind", ["far off", "upside down", "perfectly separated"])
@pytest.mark.parametrize("rows", [30, 60, 400])
def test_the_recalibration_finds_the_optimum_of_difficult_verdicts(kind: str, rows: int) -> None:
    """Undamped Newton steps would oscillate here, or stop at start 116 and slope 22."""
    stream = np.random.RandomState(rows)
    estimates = stream.beta(8, 0.3, rows)
    odds = recalibration.log_odds(estimates)
    probabilities = {
        "far off": special.expit(-3 + 0.9 * odds),
        "upside down": np.where(estimates > 0.9, 0.02, 0.9),
    }
    right = (
        stream.rand(rows) < probabilities[kind]
        if kind in probabilities
        else estimates > np.median(estimates)
    )
    right[:2] = True, False
    n_parameters = 2 if rows >= recalibration.LEAST_TO_STRETCH else 1

    def compute_loss(fit: Any) -> float:
        start, slope = np.r_[fit, 1.0][:2]
        shifted = start + slope * odds
        losses = np.logaddexp(0, shifted) - right * shifted
        return float(losses.sum() + compute_ridge(start, slope))

    found = recalibration.fit_recalibration(estimates.tolist(), right.tolist())
    assert found
    exact = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 10_000}
    unchanged = [0.0, 1.0][:n_parameters]
    best = optimize.minimize(compute_loss, unchanged, method="Nelder-Mead", options=exact)
    fit = [found.start, found.slope][:n_parameters]
    assert fit == pytest.approx(best.x.tolist(), abs=1e-4)


def test_a_fit_that_does_not_converge_is_no_recalibration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalibration, "CONVERGED", -1.0)
    estimates = [0.2] * 15 + [0.8] * 15
    right = [False] * 14 + [True] * 16
    assert recalibration.fit_recalibration(estimates, right) is None
