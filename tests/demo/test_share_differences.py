"""Compare the shares of right answers of several systems by verdicts on some of the rows.

Tests the figures of each pair, the least width of an interval, clusters, and coverage by
simulation.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from lens.inference import sampling
from lens.inference.ranking import Ranking
from lens.inference.share_differences import compare_shares

from tests.demo.ppi_estimates import estimate_mean

SYSTEMS = 4
# The stratum of each of 600 rows.
ONE_STRATUM = [0] * 600


def make_verdicts(seed: int, rows: int = 600, near: bool = False) -> tuple[Any, Any]:
    """Return simulated verdicts on the answers of SYSTEMS systems, and useful estimates of them.

    Args:
        seed: the seed of the random numbers.
        rows: the number of rows.
        near: if True, all systems fail at the same rows, and each system has 0.5 percentage points
            more wrong answers than the one before; if False, 3 points, with failures at other rows.

    Returns:
        verdicts (0 or 1) and estimates (0.01 to 0.99), both of shape (SYSTEMS, rows).
    """
    rng = np.random.RandomState(seed)
    easy = rng.rand(rows)
    rank = np.arange(SYSTEMS)[:, None]
    if near:
        worse = rank * 0.005
        able = easy > 0.3
    else:
        worse = rank * 0.03
        ability = easy + rng.normal(0, 0.15, (SYSTEMS, rows))
        able = ability > 0.3
    lucky = rng.rand(SYSTEMS, rows) >= worse
    right = able & lucky
    noise = rng.normal(0, 0.15, (SYSTEMS, rows))
    estimates = np.clip(right * 0.6 + 0.2 + noise, 0.01, 0.99)
    return right.astype(float), estimates


def sample_verdicts(
    right: Any,
    stratum: list[int],
    read: int,
    seed: int,
) -> Any:
    """Return the verdicts on a sample of `read` rows; NaN on the other rows."""
    rng = np.random.RandomState(seed)
    _, rows = right.shape
    shuffled = rng.permutation(rows).tolist()
    reading_order = sampling.alternate_strata(shuffled, stratum)
    sample = reading_order[:read]
    verdicts = np.full(right.shape, np.nan)
    verdicts[:, sample] = right[:, sample]
    return verdicts


def subtract_pairs(columns: Any) -> list[Any]:
    """Return the differences of each pair of systems, row by row."""
    pairs = combinations(range(SYSTEMS), 2)
    return [columns[first] - columns[second] for first, second in pairs]


def tune_all_pairs(
    verdict_differences: list[Any],
    estimate_differences: list[Any],
    stratum: list[int],
) -> float:
    """Return the weight of the estimates: the pairs' covariances divided by their variances."""
    covariance = 0.0
    variance = 0.0
    is_read = ~np.isnan(verdict_differences[0])
    for number in range(sampling.STRATA):
        is_in_stratum = np.array(stratum) == number
        read = is_in_stratum & is_read
        unread = is_in_stratum & ~is_read
        weight = is_in_stratum.mean() ** 2 / read.sum()
        # The mean of the unread rows' estimates has a variance, too.
        inflation = 1 + read.sum() / unread.sum()
        for verdicts, estimates in zip(verdict_differences, estimate_differences, strict=True):
            covariances = np.cov(verdicts[read], estimates[read])
            covariance += weight * covariances[0, 1]
            variance += weight * covariances[1, 1] * inflation
    return float(covariance / variance)


def test_each_difference_equals_ppi_on_the_differences_of_the_rows() -> None:
    right, estimates = make_verdicts(0)
    stratum = sampling.assign_strata(600, *estimates.tolist())
    verdicts = sample_verdicts(right, stratum, 60, 1)
    ranking = compare_shares(verdicts, estimates, stratum)
    assert ranking
    assert ranking.rows == 60
    assert len(ranking.pairs) == 6

    verdict_differences = subtract_pairs(verdicts)
    estimate_differences = subtract_pairs(estimates)
    tuning = tune_all_pairs(verdict_differences, estimate_differences, stratum)
    # The variance is multiplied by 56/55: 60 questions - 4 strata = 56 degrees of freedom, and 55
    # with the tuning. One pseudo-question in favour of each system is added, which counts half.
    pseudo_variance = 2 * 0.5 / 60**2
    for number, pair in enumerate(ranking.pairs):
        mean, error = estimate_mean(
            verdict_differences[number], estimate_differences[number], stratum, tuning
        )
        assert pair.difference == pytest.approx(mean, abs=1e-12)
        assert pair.interval
        _, high = pair.interval
        widened_error = (error**2 * 56 / 55 + pseudo_variance) ** 0.5
        # The 95% point of t(55) is 2.0 for one interval and 2.74 for six by Bonferroni; that of the
        # family lies between them.
        assert 2.3 < (high - mean) / widened_error < 2.75


@pytest.mark.parametrize("with_estimates", [True, False])
def test_the_interval_of_two_systems_that_never_differed_has_a_width(with_estimates: bool) -> None:
    right, estimates = make_verdicts(0)
    right[1] = right[0]
    verdicts = sample_verdicts(right, ONE_STRATUM, 20, 1)
    scores = estimates if with_estimates else []
    ranking = compare_shares(verdicts, scores, ONE_STRATUM)
    assert ranking
    equal_pair = ranking.pairs[0]
    assert equal_pair.interval
    low, high = equal_pair.interval
    assert high - low >= 4 / 20
    assert equal_pair.p_value is not None
    assert equal_pair.p_value > 0.5


def test_the_interval_of_an_all_right_and_an_all_wrong_system_reaches_one() -> None:
    right = [True] * 20
    wrong = [False] * 20
    ranking = compare_shares([right, wrong, wrong], [], [0] * 20)
    assert ranking
    assert ranking.ranks == ((1, 1), (2, 3), (2, 3))
    assert ranking.best == (True, False, False)
    interval = ranking.pairs[0].interval
    assert interval
    assert interval[1] == 1.0


def test_a_row_counts_as_read_only_if_every_system_has_a_verdict() -> None:
    right, estimates = make_verdicts(2)
    verdicts = sample_verdicts(right, ONE_STRATUM, 50, 3)
    # 50 rows were read; for 10 of them the third system has no verdict.
    read_rows = np.flatnonzero(~np.isnan(verdicts[2]))
    verdicts[2, read_rows[:10]] = np.nan
    ranking = compare_shares(verdicts, estimates, ONE_STRATUM)
    assert ranking
    assert ranking.rows == 40


def test_estimates_may_be_missing_and_change_nothing_if_all_rows_are_read() -> None:
    right, estimates = make_verdicts(2)
    incomplete_estimates: Any = estimates.tolist()
    incomplete_estimates[0][5] = None
    verdicts = sample_verdicts(right, ONE_STRATUM, 50, 3)
    assert compare_shares(verdicts, incomplete_estimates, ONE_STRATUM)
    with_estimates = compare_shares(right, estimates, ONE_STRATUM)
    without_estimates = compare_shares(right, [], ONE_STRATUM)
    assert with_estimates == without_estimates


def test_too_few_verdicts_compare_nothing() -> None:
    right, _ = make_verdicts(2)
    two_verdicts = sample_verdicts(right, ONE_STRATUM, 2, 3)
    assert compare_shares(two_verdicts, [], ONE_STRATUM) is None
    one_row_in_stratum_1 = [0] * 599 + [1]
    ranking = compare_shares(right, [], one_row_in_stratum_1)
    assert ranking is None, "a stratum with one row has no variance"


def test_rows_of_one_cluster_count_once() -> None:
    """If each row is there twice, in clusters of two, the intervals keep their width.

    They differ by less than 3%. Without clusters they would be narrower.
    """
    right, estimates = make_verdicts(4, 300)
    verdicts = sample_verdicts(right, [0] * 300, 60, 5)
    single = compare_shares(verdicts, estimates, [0] * 300)
    verdicts_twice = verdicts.repeat(2, 1)
    estimates_twice = estimates.repeat(2, 1)
    cluster = np.repeat(np.arange(300), 2)
    twice = compare_shares(verdicts_twice, estimates_twice, ONE_STRATUM, cluster)
    without_clusters = compare_shares(verdicts_twice, estimates_twice, ONE_STRATUM)
    widths = measure_widths(single)
    widths_twice = measure_widths(twice)
    assert widths_twice == pytest.approx(widths, rel=0.03)
    ratios = measure_widths(without_clusters) / widths_twice
    assert (ratios < 0.8).all()
    assert single
    assert twice
    differences = [pair.difference for pair in single.pairs]
    differences_twice = [pair.difference for pair in twice.pairs]
    assert differences_twice == pytest.approx(differences, abs=0.002)


def measure_widths(ranking: Ranking | None) -> Any:
    """Return the widths of the intervals of all pairs."""
    assert ranking
    low, high = np.array([pair.interval for pair in ranking.pairs]).T
    return high - low


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("read", [20, 50])
def test_all_intervals_hold_at_once(read: int, near: bool) -> None:
    """In 95% of the samples all intervals hold: 190 of 200, with a standard error of 3.

    Estimates that know nothing widen the intervals by less than 15%.
    """
    right, estimates = make_verdicts(6, near=near)
    shuffled = []
    for seed, system_estimates in enumerate(estimates):
        rng = np.random.RandomState(seed)
        shuffled.append(rng.permutation(system_estimates).tolist())
    held_without, width_without = measure_coverage(right, [], read)
    held_useful, width_useful = measure_coverage(right, estimates.tolist(), read)
    held_useless, width_useless = measure_coverage(right, shuffled, read)
    assert held_without >= 182
    assert held_useful >= 182
    assert held_useless >= 182
    if near:
        # Intervals are narrow if systems hardly differ, so the same noise is a larger part of them.
        assert width_useless < 1.15 * width_without
    else:
        assert width_useless < 1.1 * width_without
        assert width_useful < 0.9 * width_without


def measure_coverage(right: Any, scores: list[Any], read: int) -> tuple[int, float]:
    """Return the number of samples, of 200, whose intervals all hold, and the mean width.

    An interval holds if the true difference lies within it.
    """
    true_shares = right.mean(axis=1)
    true_differences = np.array(subtract_pairs(true_shares))
    stratum = sampling.assign_strata(600, *scores)
    samples_that_hold = 0
    widths = []
    for seed in range(200):
        verdicts = sample_verdicts(right, stratum, read, seed)
        ranking = compare_shares(verdicts, scores, stratum)
        assert ranking
        low, high = np.array([pair.interval for pair in ranking.pairs]).T
        holds = (low <= true_differences) & (true_differences <= high)
        samples_that_hold += bool(holds.all())
        widths.append((high - low).mean())
    return samples_that_hold, float(np.mean(widths))
