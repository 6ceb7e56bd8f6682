"""Test the agreement of a judge with a person, and estimates recalibrated by a person's verdicts.

scikit-learn, statsmodels and scipy compute the expected figures.
"""

from typing import Any

import numpy as np
import pytest
from lens.inference import recalibration
from lens.inference.judge_agreement import JudgeAgreement, cohen_kappa, compare_judge
from lens.inference.recalibration import fit_recalibration
from lens.inference.shares import estimate_share, estimate_share_with_scores
from scipy import optimize, special, stats
from sklearn import metrics as sklearn_metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint


def simulate_person_and_judge(seed: int) -> tuple[Any, Any]:
    """Return a person's and a judge's verdicts on 5 to 299 rows; each pair of verdicts occurs."""
    rng = np.random.RandomState(seed)
    rows = rng.randint(5, 300)
    person = rng.rand(rows) < rng.uniform(0.2, 0.9)
    agrees = rng.rand(rows) < rng.uniform(0.5, 1)
    guesses = rng.rand(rows) < 0.5
    judge = np.where(agrees, person, guesses)
    # The four pairs of verdicts.
    person[:4] = [True, True, False, False]
    judge[:4] = [True, False, True, False]
    return person, judge


def compare_all_rows(person: Any, judge: Any) -> JudgeAgreement:
    """Return the agreement of a judge with a person who read every row, in one stratum."""
    one_stratum = [0] * len(person)
    agreement = compare_judge(person.tolist(), judge.tolist(), one_stratum)
    assert agreement
    return agreement


@pytest.mark.parametrize("seed", range(20))
def test_kappa_equals_that_of_scikit_learn_and_its_interval_that_of_statsmodels(seed: int) -> None:
    """The interval is that of statsmodels for a table with one pseudo-row added to each cell.

    It uses Student's quantile, and it includes the kappa of the table itself.
    """
    person, judge = simulate_person_and_judge(seed)
    agreement = compare_all_rows(person, judge)
    kappa = sklearn_metrics.cohen_kappa_score(person, judge)
    assert agreement.kappa.kappa == pytest.approx(kappa, abs=1e-12)

    table = sklearn_metrics.confusion_matrix(person, judge)
    padded = cohens_kappa(table + 1)
    degrees = len(person) - 1
    half = stats.t.ppf(0.975, degrees) * padded.std_kappa
    low = min(padded.kappa - half, kappa)
    high = max(padded.kappa + half, kappa)
    expected = (max(low, -1), min(high, 1))
    assert agreement.kappa.interval == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_counts_and_rates_equal_those_of_scikit_learn_and_statsmodels(seed: int) -> None:
    person, judge = simulate_person_and_judge(seed)
    agreement = compare_all_rows(person, judge)
    table = sklearn_metrics.confusion_matrix(person, judge)
    # The first index is the person's verdict, the second one the judge's: 1 if the answer is right.
    both_right = table[1, 1]
    right_by_judge_only = table[0, 1]
    right_by_person_only = table[1, 0]
    both_wrong = table[0, 0]
    expected = (both_right, right_by_judge_only, right_by_person_only, both_wrong)
    assert agreement.counts == expected
    rates = {True: agreement.sensitivity, False: agreement.specificity}
    for is_right, rate in rates.items():
        assert rate
        share = sklearn_metrics.recall_score(person, judge, pos_label=is_right)
        agreeing_rows = round(share * rate.rows)
        interval = proportion_confint(agreeing_rows, rate.rows, method="beta")
        assert rate.share == pytest.approx(share)
        assert rate.interval == pytest.approx(interval)
    assert agreement.joined_share is None, "a person read all rows: the judge stands in for none"


@pytest.mark.parametrize("seed", range(20))
def test_kappa_of_three_verdicts_equals_that_of_scikit_learn(seed: int) -> None:
    rng = np.random.RandomState(seed)
    rows = rng.randint(5, 300)
    kinds = ["right", "wrong", "declined"]
    first = rng.choice(kinds, rows)
    agrees = rng.rand(rows) < 0.7
    second = np.where(agrees, first, "declined")
    expected = sklearn_metrics.cohen_kappa_score(first, second)
    result = cohen_kappa(first.tolist(), second.tolist())
    assert result.kappa == pytest.approx(expected)


def test_the_interval_of_a_kappa_of_1_has_a_width() -> None:
    same = [True, False] * 10
    result = cohen_kappa(same, same)
    assert result.kappa == 1
    assert result.interval
    low, high = result.interval
    assert 0.4 < low < 0.9
    assert high == 1


def test_kappa_is_none_if_all_verdicts_are_the_same() -> None:
    same = [True] * 5
    assert cohen_kappa(same, same).kappa is None


def test_a_judge_without_a_verdict_on_any_read_row_is_not_compared() -> None:
    person = [True, None]
    judge = [None, False]
    assert compare_judge(person, judge, [0, 0]) is None


def test_rows_of_one_cluster_count_once() -> None:
    person = [True, False, True, True] * 10
    judge = [True, False, False, True] * 10
    cluster = [*range(40)] * 2
    once = compare_judge(person, judge, [0] * 40)
    twice = compare_judge(person * 2, judge * 2, [0] * 80, cluster)
    assert once
    assert twice
    interval = twice.kappa.interval
    assert interval
    assert once.kappa.interval == pytest.approx(interval, abs=0.01)
    assert once.sensitivity
    assert twice.sensitivity
    interval = twice.sensitivity.interval
    assert once.sensitivity.interval == pytest.approx(interval, abs=0.01)


def simulate_judge(is_right: Any, sensitivity: float, specificity: float, rng: Any) -> Any:
    """Return the verdicts of a judge, 1 or 0, given which answers are right."""
    verdict_if_right = rng.rand(len(is_right)) < sensitivity
    verdict_if_wrong = rng.rand(len(is_right)) >= specificity
    verdicts = np.where(is_right, verdict_if_right, verdict_if_wrong)
    return verdicts.astype(float)


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
    """A person reads 50 of 1000 rows, in each of 300 samples."""
    rng = np.random.RandomState(1)
    samples = 300
    rows = 1000
    read = 50
    one_stratum = [0] * rows
    intervals_that_hold = 0
    errors = []
    widths = []
    widths_by_verdicts = []
    for _ in range(samples):
        is_right = rng.rand(rows) < share
        judge = simulate_judge(is_right, sensitivity, specificity, rng)
        verdicts: list[bool | None] = [None] * rows
        verdicts[:read] = is_right[:read].tolist()
        joined = estimate_share_with_scores(verdicts, judge.tolist(), one_stratum)
        by_verdicts = estimate_share(verdicts)
        true_share = is_right.mean()
        low, high = joined.interval
        intervals_that_hold += low <= true_share <= high
        errors.append(joined.share - true_share)
        widths.append(high - low)
        widths_by_verdicts.append(np.ptp(by_verdicts.interval))
    # 95% of the intervals should hold, with a standard error of sqrt(0.95 * 0.05 / 300) = 1.3%.
    assert intervals_that_hold / samples >= 0.92
    standard_error = np.std(errors) / samples**0.5
    assert abs(np.mean(errors)) < 3 * standard_error
    # A judge with sensitivity + specificity = 1 guesses: it may widen the interval by 2%.
    guesses = sensitivity + specificity == 1
    largest_ratio = 1.02 if guesses else 1.0
    ratio = np.mean(widths) / np.mean(widths_by_verdicts)
    assert ratio <= largest_ratio


def minimize_loss(log_odds: Any, is_right: Any, n_parameters: int, tolerance: float) -> list[float]:
    """Return the parameters of the logistic fit with the least penalized loss, by Nelder-Mead.

    Args:
        log_odds: the log odds of the estimates.
        is_right: the verdict on each row.
        n_parameters: 1 to fit the start only (the slope is 1), 2 to fit start and slope.
        tolerance: the largest error of a parameter; that of the loss is a hundredth of it.
    """

    def compute_loss(parameters: Any) -> float:
        start = parameters[0]
        slope = parameters[1] if n_parameters == 2 else 1.0
        fitted = start + slope * log_odds
        losses = np.logaddexp(0, fitted) - is_right * fitted
        penalty = compute_ridge(start, slope)
        return float(losses.sum() + penalty)

    unchanged = [0.0, 1.0][:n_parameters]
    options = {
        "xatol": tolerance,
        "fatol": tolerance / 100,
        "maxiter": 10_000,
    }
    best = optimize.minimize(compute_loss, unchanged, method="Nelder-Mead", options=options)
    parameters: list[float] = best.x.tolist()
    return parameters


def compute_ridge(start: float, slope: float) -> float:
    """Return the penalty of a fit: a normal prior around start 0 and slope 1 (no change)."""
    shift = start / recalibration.SHIFT_DEVIATION
    stretch = (slope - 1) / recalibration.STRETCH_DEVIATION
    return (shift**2 + stretch**2) / 2


def test_recalibration_is_the_logistic_ridge_fit_and_makes_estimates_better() -> None:
    rng = np.random.RandomState(2)
    probabilities = rng.rand(400)
    log_odds = 1.5 + 0.5 * special.logit(probabilities)
    estimates = special.expit(log_odds).tolist()
    is_right = rng.rand(400) < probabilities
    fit = fit_recalibration(estimates, is_right.tolist())
    assert fit
    best = minimize_loss(log_odds, is_right, n_parameters=2, tolerance=1e-7)
    assert [fit.start, fit.slope] == pytest.approx(best, abs=1e-4)
    assert fit.after < 0.6 * fit.before
    recalibrated = [fit.recalibrate(estimate) for estimate in estimates]
    share = is_right.mean()
    assert np.mean(recalibrated) == pytest.approx(share, abs=0.01)


def test_few_verdicts_shift_an_estimate_and_do_not_change_its_slope() -> None:
    rng = np.random.RandomState(2)
    estimates = rng.rand(30).tolist()
    verdicts = (rng.rand(30) < 0.6).tolist()
    fit = fit_recalibration(estimates, verdicts)
    assert fit
    assert fit.slope == 1


def test_fewer_than_twenty_verdicts_or_equal_ones_fit_nothing() -> None:
    estimates = np.linspace(0.1, 0.9, 30).tolist()
    verdicts = [True, False] * 15
    assert fit_recalibration(estimates[:20], verdicts[:20])
    assert fit_recalibration(estimates[:19], verdicts[:19]) is None
    assert fit_recalibration(estimates, [True] * 30) is None


@pytest.mark.parametrize("kind", ["far off", "upside down", "perfectly separated"])
@pytest.mark.parametrize("rows", [30, 60, 400])
def test_the_recalibration_finds_the_optimum_of_difficult_verdicts(kind: str, rows: int) -> None:
    """Undamped Newton steps would oscillate here, or stop at start 116 and slope 22."""
    rng = np.random.RandomState(rows)
    estimates = rng.beta(8, 0.3, rows)
    log_odds = recalibration.log_odds(estimates)
    if kind == "far off":
        probability = special.expit(-3 + 0.9 * log_odds)
        is_right = rng.rand(rows) < probability
    elif kind == "upside down":
        probability = np.where(estimates > 0.9, 0.02, 0.9)
        is_right = rng.rand(rows) < probability
    else:
        is_right = estimates > np.median(estimates)
    # With equal verdicts nothing would be fitted.
    is_right[:2] = True, False

    fit = fit_recalibration(estimates.tolist(), is_right.tolist())
    assert fit
    n_parameters = 2 if rows >= recalibration.MIN_VERDICTS_TO_STRETCH else 1
    best = minimize_loss(log_odds, is_right, n_parameters, tolerance=1e-9)
    parameters = [fit.start, fit.slope][:n_parameters]
    assert parameters == pytest.approx(best, abs=1e-4)


def test_a_fit_that_does_not_converge_is_no_recalibration(monkeypatch: pytest.MonkeyPatch) -> None:
    estimates = [0.2] * 15 + [0.8] * 15
    verdicts = [False] * 14 + [True] * 16
    assert fit_recalibration(estimates, verdicts)
    monkeypatch.setattr(recalibration, "MAX_GRADIENT", -1.0)
    assert fit_recalibration(estimates, verdicts) is None
