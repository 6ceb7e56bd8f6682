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
from lens.inference.share_differences import compare_shares

from tests.demo.ppi_estimates import estimate_mean

SYSTEMS = 4


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
    stream = np.random.RandomState(seed)
    easy = stream.rand(rows)
    rank = np.arange(SYSTEMS)[:, None]
    if near:
        worse = rank * 0.005
        able = easy > 0.3
    else:
        worse = rank * 0.03
        able = easy + stream.normal(0, 0.15, (SYSTEMS, rows)) > 0.3
    lucky = stream.rand(SYSTEMS, rows) >= worse
    right = able & lucky
    noise = stream.normal(0, 0.15, (SYSTEMS, rows))
    estimates = np.clip(right * 0.6 + 0.2 + noise, 0.01, 0.99)
    return right.astype(float), estimates


def draw_verdicts(
    right: Any,
    stratum: list[int],
    read: int,
    seed: int,
) -> Any:
    """Return the verdicts on a sample of `read` rows; NaN on the other rows."""
    shuffled = np.random.RandomState(seed).permutation(right.shape[1]).tolist()
    sample = sampling.alternate_strata(shuffled, stratum)[:read]
    verdicts = np.full(right.shape, np.nan)
    verdicts[:, sample] = right[:, sample]
    return verdicts


def test_each_difference_equals_ppi_on_the_differences_of_the_rows() -> None:
    right, estimates = make_verdicts(0)
    stratum = sampling.assign_strata(600, *estimates.tolist())
    verdicts = draw_verdicts(right, stratum, 60, 1)
    found = compare_shares(verdicts, estimates, stratum)
    assert found
    assert found.rows == 60
    assert len(found.pairs) == 6
    # All pairs share one tuning: the sum of their covariances divided by the sum of their
    # variances.
    pairs = list(combinations(range(SYSTEMS), 2))
    steps = [verdicts[one] - verdicts[other] for one, other in pairs]
    estimate_steps = [estimates[one] - estimates[other] for one, other in pairs]
    covariance = variance = 0.0
    for number in range(sampling.STRATA):
        is_in_stratum = np.array(stratum) == number
        read = is_in_stratum & ~np.isnan(verdicts[0])
        read_for_unread = read.sum() / (is_in_stratum & ~read).sum()
        weight = is_in_stratum.mean() ** 2 / read.sum()
        for step, estimate_step in zip(steps, estimate_steps, strict=True):
            spread = np.cov(step[read], estimate_step[read]) * weight
            covariance += spread[0, 1]
            variance += spread[1, 1] * (1 + read_for_unread)
    for pair, step, estimate_step in zip(found.pairs, steps, estimate_steps, strict=True):
        mean, error = estimate_mean(step, estimate_step, stratum, covariance / variance)
        assert pair.difference == pytest.approx(mean, abs=1e-12)
        assert pair.interval
        half = pair.interval[1] - mean
        # 60 questions - 4 strata - 1 tuning = 55 degrees of freedom (56 without the tuning): the
        # variance is multiplied by 56/55. One made-up question for each system, which counts half,
        # is added: 2 * 0.5 / 60**2. The 95% point of t(55) is 2.0 for one interval and 2.74 for six
        # by Bonferroni; that of the family lies between them.
        widened_error = (error**2 * 56 / 55 + 2 * 0.5 / 60**2) ** 0.5
        assert 2.3 < half / widened_error < 2.75


def test_the_interval_of_two_systems_that_never_differed_has_a_width() -> None:
    right, estimates = make_verdicts(0)
    right[1] = right[0]
    verdicts = draw_verdicts(right, [0] * 600, 20, 1)
    scores: Any
    for scores in ([], estimates):
        found = compare_shares(verdicts, scores, [0] * 600)
        assert found
        level = found.pairs[0]
        assert level.interval
        assert level.interval[1] - level.interval[0] >= 4 / 20
        assert level.p_value is not None
        assert level.p_value > 0.5


def test_the_interval_of_an_all_right_and_an_all_wrong_system_reaches_one() -> None:
    apart = compare_shares([[True] * 20, [False] * 20, [False] * 20], [], [0] * 20)
    assert apart
    assert apart.ranks == ((1, 1), (2, 3), (2, 3))
    assert apart.best == (True, False, False)
    assert apart.pairs[0].interval
    assert apart.pairs[0].interval[1] == 1.0


def test_a_row_counts_as_read_only_if_every_system_has_a_verdict() -> None:
    right, estimates = make_verdicts(2)
    verdicts = draw_verdicts(right, [0] * 600, 50, 3)
    verdicts[2, np.flatnonzero(~np.isnan(verdicts[2]))[:10]] = np.nan
    found = compare_shares(verdicts, estimates, [0] * 600)
    assert found
    # 50 rows were read; for 10 of them the third system has no verdict.
    assert found.rows == 40


def test_estimates_may_be_missing_and_change_nothing_if_all_rows_are_read() -> None:
    right, estimates = make_verdicts(2)
    incomplete_estimates: Any = estimates.tolist()
    incomplete_estimates[0][5] = None
    assert compare_shares(draw_verdicts(right, [0] * 600, 50, 3), incomplete_estimates, [0] * 600)
    assert compare_shares(right, estimates, [0] * 600) == compare_shares(right, [], [0] * 600)


def test_too_few_verdicts_compare_nothing() -> None:
    right, _ = make_verdicts(2)
    assert compare_shares(draw_verdicts(right, [0] * 600, 2, 3), [], [0] * 600) is None
    lone = [0] * 599 + [1]
    assert compare_shares(right, [], lone) is None, "a stratum with one row has no variance"


def test_rows_of_one_cluster_count_once() -> None:
    """If each row is there twice, in clusters of two, the intervals keep their width.

    They differ by less than 3%. Without clusters they would be narrower.
    """
    right, estimates = make_verdicts(4, 300)
    verdicts = draw_verdicts(right, [0] * 300, 60, 5)
    single = compare_shares(verdicts, estimates, [0] * 300)
    verdicts_twice = verdicts.repeat(2, 1)
    estimates_twice = estimates.repeat(2, 1)
    cluster = np.repeat(np.arange(300), 2)
    twice = compare_shares(verdicts_twice, estimates_twice, [0] * 600, cluster=cluster)
    without_clusters = compare_shares(verdicts_twice, estimates_twice, [0] * 600)
    assert single
    assert twice
    assert without_clusters
    for one, two, plain in zip(single.pairs, twice.pairs, without_clusters.pairs, strict=True):
        assert one.interval
        assert two.interval
        assert plain.interval
        assert two.difference == pytest.approx(one.difference, abs=0.002)
        assert np.ptp(two.interval) == pytest.approx(np.ptp(one.interval), rel=0.03)
        assert np.ptp(plain.interval) < 0.8 * np.ptp(two.interval)


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("read", [20, 50])
def test_all_intervals_hold_at_once(read: int, near: bool) -> None:
    """In 95% of the samples all intervals hold: 190 of 200, with a standard error of 3.

    Estimates that know nothing widen the intervals by less than 15%.
    """
    right, estimates = make_verdicts(6, near=near)
    useless = []
    for seed, system_estimates in enumerate(estimates):
        shuffled = np.random.RandomState(seed).permutation(system_estimates)
        useless.append(shuffled.tolist())
    none_held, none_width = measure_coverage(right, [], read)
    useful_held, useful_width = measure_coverage(right, estimates.tolist(), read)
    useless_held, useless_width = measure_coverage(right, useless, read)
    assert none_held >= 182
    assert useful_held >= 182
    assert useless_held >= 182
    if near:
        # If systems hardly differ, intervals are narrow, and the same noise is a larger part of
        # them.
        assert useless_width < 1.15 * none_width
    else:
        assert useless_width < 1.1 * none_width
        assert useful_width < 0.9 * none_width


def measure_coverage(right: Any, scores: list[Any], read: int) -> tuple[int, float]:
    """Return the number of samples, of 200, whose intervals all hold, and the mean width.

    An interval holds if the true difference lies within it.
    """
    means = right.mean(axis=1)
    differences = [means[one] - means[other] for one, other in combinations(range(SYSTEMS), 2)]
    true = np.array(differences)
    stratum = sampling.assign_strata(600, *scores)
    held = 0
    width = 0.0
    for seed in range(200):
        verdicts = draw_verdicts(right, stratum, read, seed)
        found = compare_shares(verdicts, scores, stratum)
        assert found
        low, high = np.array([pair.interval for pair in found.pairs]).T
        is_held = (low <= true) & (true <= high)
        held += bool(is_held.all())
        width += (high - low).mean() / 200
    return held, width
