"""Several systems by a few verdicts: figures of each pair alone, the floor, clusters, and coverage
by draws.
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
    """Return verdicts on all rows of systems that answer alike, and estimates of them that know
    something.

    Args:
        seed: of the stream of random numbers.
        rows: how many rows.
        near: whether each system has only half a percent more wrong than the one before.
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
    """Return the verdicts on a sample of rows, NaN on the others."""
    shuffled = np.random.RandomState(seed).permutation(right.shape[1]).tolist()
    sample = sampling.alternate_strata(shuffled, stratum)[:read]
    verdicts = np.full(right.shape, np.nan)
    verdicts[:, sample] = right[:, sample]
    return verdicts


def test_each_pair_is_what_ppi_says_of_its_differences() -> None:
    right, estimates = make_verdicts(0)
    stratum = sampling.assign_strata(600, *estimates.tolist())
    given = draw_verdicts(right, stratum, 60, 1)
    found = compare_shares(given, estimates, stratum)
    assert found
    assert found.rows == 60
    assert len(found.pairs) == 6
    # One tuning for all pairs: that of a column in which all their rows stand one below the other.
    pairs = list(combinations(range(SYSTEMS), 2))
    steps = [given[one] - given[other] for one, other in pairs]
    apart = [estimates[one] - estimates[other] for one, other in pairs]
    covariance = variance = 0.0
    for at in range(sampling.STRATA):
        there = np.array(stratum) == at
        read = there & ~np.isnan(given[0])
        read_for_unread = read.sum() / (there & ~read).sum()
        weight = there.mean() ** 2 / read.sum()
        for step, far in zip(steps, apart, strict=True):
            spread = np.cov(step[read], far[read]) * weight
            covariance += spread[0, 1]
            variance += spread[1, 1] * (1 + read_for_unread)
    for pair, step, far in zip(found.pairs, steps, apart, strict=True):
        mean, error = estimate_mean(step, far, stratum, covariance / variance)
        assert pair.difference == pytest.approx(mean, abs=1e-12)
        assert pair.interval
        half = pair.interval[1] - mean
        # With two made-up questions; 55 degrees of freedom: of six pairs the 95% point is beyond
        # 2.0, that of one, and within Bonferroni's 2.74.
        widened_error = (error**2 * 56 / 55 + 2 / 60**2) ** 0.5
        assert 2.3 < half / widened_error < 2.75


def test_a_pair_that_never_differed_is_not_known_to_be_equal() -> None:
    right, estimates = make_verdicts(0)
    right[1] = right[0]
    given = draw_verdicts(right, [0] * 600, 20, 1)
    scores: Any
    for scores in ([], estimates):
        found = compare_shares(given, scores, [0] * 600)
        assert found
        level = found.pairs[0]
        assert level.interval
        assert level.interval[1] - level.interval[0] >= 4 / 20
        assert level.p_value is not None
        assert level.p_value > 0.5


def test_systems_that_are_all_right_and_all_wrong_are_apart_as_far_as_can_be() -> None:
    apart = compare_shares([[True] * 20, [False] * 20, [False] * 20], [], [0] * 20)
    assert apart
    assert apart.ranks == ((1, 1), (2, 3), (2, 3))
    assert apart.best == (True, False, False)
    assert apart.pairs[0].interval
    assert apart.pairs[0].interval[1] == 1.0


def test_a_question_on_which_one_answer_could_not_be_judged_is_none_that_was_read() -> None:
    right, estimates = make_verdicts(2)
    some = draw_verdicts(right, [0] * 600, 50, 3)
    some[2, np.flatnonzero(~np.isnan(some[2]))[:10]] = np.nan
    fewer = compare_shares(some, estimates, [0] * 600)
    assert fewer
    assert fewer.rows == 40


def test_an_estimate_may_be_missing_and_says_nothing_more_where_all_is_read() -> None:
    right, estimates = make_verdicts(2)
    holes: Any = estimates.tolist()
    holes[0][5] = None
    assert compare_shares(draw_verdicts(right, [0] * 600, 50, 3), holes, [0] * 600)
    assert compare_shares(right, estimates, [0] * 600) == compare_shares(right, [], [0] * 600)


def test_too_few_verdicts_compare_nothing() -> None:
    right, _ = make_verdicts(2)
    assert compare_shares(draw_verdicts(right, [0] * 600, 2, 3), [], [0] * 600) is None
    lone = [0] * 599 + [1]
    assert compare_shares(right, [], lone) is None, "one row in a stratum"


def test_answers_to_a_question_are_read_together() -> None:
    """Each row twice, as clusters of two: no interval is narrower for it, within the degrees of
    freedom.
    """
    right, estimates = make_verdicts(4, 300)
    given = draw_verdicts(right, [0] * 300, 60, 5)
    once = compare_shares(given, estimates, [0] * 300)
    given_twice = given.repeat(2, 1)
    estimates_twice = estimates.repeat(2, 1)
    cluster = np.repeat(np.arange(300), 2)
    twice = compare_shares(given_twice, estimates_twice, [0] * 600, cluster=cluster)
    apart = compare_shares(given_twice, estimates_twice, [0] * 600)
    assert once
    assert twice
    assert apart
    for one, two, plain in zip(once.pairs, twice.pairs, apart.pairs, strict=True):
        assert one.interval
        assert two.interval
        assert plain.interval
        assert two.difference == pytest.approx(one.difference, abs=0.002)
        assert np.ptp(two.interval) == pytest.approx(np.ptp(one.interval), rel=0.03)
        assert np.ptp(plain.interval) < 0.8 * np.ptp(two.interval)


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("read", [20, 50])
def test_all_intervals_hold_at_once(read: int, near: bool) -> None:
    """200 samples should give 190 families that hold, with a standard error of 3.

    Useless estimates cost little.
    """
    right, estimates = make_verdicts(6, near=near)
    useless = []
    for at, own in enumerate(estimates):
        shuffled = np.random.RandomState(at).permutation(own)
        useless.append(shuffled.tolist())
    none_held, none_width = measure_coverage(right, [], read)
    useful_held, useful_width = measure_coverage(right, estimates.tolist(), read)
    useless_held, useless_width = measure_coverage(right, useless, read)
    assert none_held >= 182
    assert useful_held >= 182
    assert useless_held >= 182
    if near:
        # Where systems hardly differ, useless estimates add more of the little that there is.
        assert useless_width < 1.15 * none_width
    else:
        assert useless_width < 1.1 * none_width
        assert useful_width < 0.9 * none_width


def measure_coverage(right: Any, scores: list[Any], read: int) -> tuple[int, float]:
    """Return in how many of 200 samples all intervals hold the true difference, and their mean
    width.
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
