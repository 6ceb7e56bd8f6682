"""Several systems by a few verdicts: figures of each pair alone, the floor, clusters, and coverage by draws."""

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
    """Verdicts on all rows of systems that answer alike, and estimates of them that know something; near: systems of
    which each has half a percent more wrong than the one before.
    """
    stream = np.random.RandomState(seed)
    easy = stream.rand(rows)
    worse = np.arange(SYSTEMS)[:, None] * (0.005 if near else 0.03)
    own = 0.0 if near else stream.normal(0, 0.15, (SYSTEMS, rows))
    right = (easy + own > 0.3) & (stream.rand(SYSTEMS, rows) >= worse)
    estimates = np.clip(right * 0.6 + 0.2 + stream.normal(0, 0.15, (SYSTEMS, rows)), 0.01, 0.99)
    return right.astype(float), estimates


def draw_verdicts(right: Any, stratum: list[int], read: int, seed: int) -> Any:
    """The verdicts on so many rows, NaN on the others."""
    order = sampling.alternate_strata(np.random.RandomState(seed).permutation(right.shape[1]).tolist(), stratum)[:read]
    found = np.full(right.shape, np.nan)
    found[:, order] = right[:, order]
    return found


def test_each_pair_is_what_ppi_says_of_its_differences() -> None:
    right, estimates = make_verdicts(0)
    stratum = sampling.assign_strata(600, *estimates.tolist())
    given = draw_verdicts(right, stratum, 60, 1)
    found = compare_shares(given, estimates, stratum)
    assert found
    assert (found.rows, len(found.pairs)) == (60, 6)
    # One tuning for all pairs: that of a column in which all their rows stand one below the other.
    pairs = list(combinations(range(SYSTEMS), 2))
    steps = [given[one] - given[other] for one, other in pairs]
    apart = [estimates[one] - estimates[other] for one, other in pairs]
    covariance = variance = 0.0
    for at in range(sampling.STRATA):
        there = np.array(stratum) == at
        read = there & ~np.isnan(given[0])
        weight = there.mean() ** 2 / read.sum()
        for step, far in zip(steps, apart, strict=True):
            spread = np.cov(step[read], far[read]) * weight
            covariance += spread[0, 1]
            variance += spread[1, 1] * (1 + read.sum() / (there & ~read).sum())
    for pair, step, far in zip(found.pairs, steps, apart, strict=True):
        mean, error = estimate_mean(step, far, stratum, covariance / variance)
        assert pair.difference == pytest.approx(mean, abs=1e-12)
        assert pair.interval
        # With two made-up questions; 55 degrees of freedom: of six pairs the 95% point is beyond 2.0, that of one, and
        # within Bonferroni's 2.74.
        assert 2.3 < (pair.interval[1] - mean) / (error**2 * 56 / 55 + 2 / 60**2) ** 0.5 < 2.75


def test_a_pair_that_never_differed_is_not_known_to_be_equal() -> None:
    right, estimates = make_verdicts(0)
    right[1] = right[0]
    cases: tuple[Any, ...] = ([], estimates)
    for scores in cases:
        found = compare_shares(draw_verdicts(right, [0] * 600, 20, 1), scores, [0] * 600)
        assert found
        level = found.pairs[0]
        assert level.interval
        assert level.interval[1] - level.interval[0] >= 4 / 20
        assert level.p_value is not None
        assert level.p_value > 0.5
    # All right, all wrong: apart as far as can be.
    apart = compare_shares([[True] * 20, [False] * 20, [False] * 20], [], [0] * 20)
    assert apart
    assert (apart.ranks, apart.best) == (((1, 1), (2, 3), (2, 3)), (True, False, False))
    assert apart.pairs[0].interval
    assert apart.pairs[0].interval[1] == 1.0


def test_what_is_not_read() -> None:
    right, estimates = make_verdicts(2)
    given = draw_verdicts(right, [0] * 600, 50, 3)
    # A question on which one system's answer could not be judged is none that was read.
    some = given.copy()
    some[2, np.flatnonzero(~np.isnan(some[2]))[:10]] = np.nan
    fewer = compare_shares(some, estimates, [0] * 600)
    assert fewer
    assert fewer.rows == 40
    # An estimate that is missing is the mean of its system; all read, estimates say nothing more.
    holes: Any = estimates.tolist()
    holes[0][5] = None
    assert compare_shares(given, holes, [0] * 600)
    assert compare_shares(right, estimates, [0] * 600) == compare_shares(right, [], [0] * 600)
    assert compare_shares(draw_verdicts(right, [0] * 600, 2, 3), [], [0] * 600) is None
    lone = [0] * 599 + [1]
    assert compare_shares(right, [], lone) is None, "one row in a stratum"


def test_answers_to_a_question_are_read_together() -> None:
    """Each row twice, as clusters of two: no interval is narrower for it, within the degrees of freedom."""
    right, estimates = make_verdicts(4, 300)
    given = draw_verdicts(right, [0] * 300, 60, 5)
    once = compare_shares(given, estimates, [0] * 300)
    cluster = np.repeat(np.arange(300), 2)
    twice = compare_shares(given.repeat(2, 1), estimates.repeat(2, 1), [0] * 600, cluster=cluster)
    apart = compare_shares(given.repeat(2, 1), estimates.repeat(2, 1), [0] * 600)
    assert once
    assert twice
    assert apart
    for one, two, plain in zip(once.pairs, twice.pairs, apart.pairs, strict=True):
        widths = [pair.interval[1] - pair.interval[0] for pair in (one, two, plain) if pair.interval]
        assert two.difference == pytest.approx(one.difference, abs=0.002)
        assert widths[1] == pytest.approx(widths[0], rel=0.03)
        assert widths[2] < 0.8 * widths[1]


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("read", [20, 50])
def test_all_intervals_hold_at_once(read: int, near: bool) -> None:
    """Of 200 samples 95% are 190, with a standard error of 3; useless estimates cost little."""
    right, estimates = make_verdicts(6, near=near)
    useless = [np.random.RandomState(at).permutation(one).tolist() for at, one in enumerate(estimates)]
    true = [right[one].mean() - right[other].mean() for one, other in combinations(range(SYSTEMS), 2)]
    held, widths = [0, 0, 0], [0.0, 0.0, 0.0]
    for seed in range(200):
        for at, scores in enumerate(([], estimates.tolist(), useless)):
            stratum = sampling.assign_strata(600, *scores)
            found = compare_shares(draw_verdicts(right, stratum, read, seed), scores, stratum)
            assert found
            ends = np.array([pair.interval for pair in found.pairs])
            held[at] += bool(((ends[:, 0] <= true) & (true <= ends[:, 1])).all())
            widths[at] += np.ptp(ends, axis=1).mean() / 200
    assert min(held) >= 182, held
    # Where systems hardly differ, useless estimates add more of the little that there is.
    assert widths[2] < (1.15 if near else 1.1) * widths[0]
    assert near or widths[1] < 0.9 * widths[0]
