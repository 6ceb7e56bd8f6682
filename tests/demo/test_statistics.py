"""Figures about columns of scores: against fractions worked by hand, slow obvious versions, and scipy."""

from __future__ import annotations

import itertools
import math
import random
import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.statistics import intervals
from scipy import stats

SCORES = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=30)
HOLES = st.lists(st.tuples(*[st.one_of(st.none(), SCORES)] * 3), max_size=30)
QUARTERS = st.integers(0, 4).map(lambda k: k / 4)


def mean_interval(values: Any) -> tuple[float, float]:
    (found,) = intervals.mean_intervals([values])
    assert found is not None
    return found


def slow_means(values: list[float]) -> list[float]:
    """The means of the percentile bootstrap, one resample after another, in order."""
    stream, n = np.random.RandomState(intervals.SEED), len(values)
    rows = (stream.randint(0, n, size=n) for _ in range(intervals.RESAMPLES))
    return sorted(math.fsum(values[row] for row in drawn) / n for drawn in rows)


# Intervals of means


def test_golden_intervals() -> None:
    """Drawn with RandomState, whose stream is frozen: these digits hold for every version and machine."""
    assert mean_interval([0.0, 1.0, 1.0, 0.5]) == (0.125, 1.0)
    assert mean_interval([k / 10 for k in range(11)]) == pytest.approx((0.318181818182, 0.681818181818))
    drawn = random.Random(1)
    found = mean_interval([drawn.random() for _ in range(1257)])
    assert found == pytest.approx((0.494454668238, 0.526794992501))


@settings(max_examples=20, deadline=None)
@given(HOLES.filter(len))
def test_intervals_are_those_of_rows_drawn_one_by_one(rows: list[tuple[float | None, ...]]) -> None:
    """Of each series those of its own scored rows, within its scores."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    for values, found in zip(columns, intervals.mean_intervals(columns), strict=True):
        scored = [value for value in values if value is not None]
        assert (found is None) == (not scored)
        if found:
            means = slow_means(scored)
            assert found == pytest.approx((means[50], means[-51]), abs=1e-11)
            assert min(scored) <= found[0] <= found[1] <= max(scored)


def test_many_rows_take_little_memory_however_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = list(np.random.RandomState(1).uniform(size=(5, 20_000)))
    tracemalloc.start()
    found = intervals.mean_intervals(columns)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 30_000_000
    monkeypatch.setattr(intervals, "DRAWN", 1_000_000)
    assert intervals.mean_intervals(columns[:1]) == found[:1]


@pytest.mark.parametrize("n", [1, 2, 1000])
def test_one_row_and_equal_rows_give_that_score_exactly_without_a_warning(n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for value in (0.1, 0.0, -0.3, 1 / 3):
            assert intervals.mean_intervals([[value] * n, [None] * n, [math.nan] * n]) == [(value, value), None, None]
    assert intervals.mean_intervals([[]]) == [None]
    assert intervals.paired([0.75], [0.25]) == (0.5, (0.5, 0.5), None)
    assert intervals.paired([0.75, 0.5], [0.25, 0.0]) == (0.5, (0.5, 0.5), 1 / 2001)


def test_very_many_rows_have_the_normal_interval_which_is_the_bootstraps(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = np.random.RandomState(3)
    first = stream.beta(2, 3, 60_000)
    second = first + stream.normal(0.0003, 0.1, 60_000)
    normal, (difference, interval, p_value) = mean_interval(first), intervals.paired(first, second)
    width = normal[1] - normal[0]
    assert width == pytest.approx(2 * 1.959964 * np.std(first, ddof=1) / math.sqrt(len(first)), rel=1e-6)
    assert interval[0] < difference < interval[1]
    assert p_value == pytest.approx(stats.ttest_rel(first, second).pvalue, rel=1e-3)
    assert intervals.paired(first, first) == (0.0, (0.0, 0.0), 1.0)
    assert intervals.paired(first, first / 2)[2] == intervals.LEAST_P
    assert mean_interval([0.25] * 60_000) == (0.25, 0.25)
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 60_000)
    # 2,000 resamples know the width to about 3%, and the ends to 3% of it.
    assert mean_interval(first) == pytest.approx(normal, abs=0.05 * width)


# Clusters


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(QUARTERS, st.integers(0, 4)), min_size=2, max_size=20))
def test_rows_of_a_cluster_are_drawn_together(rows: list[tuple[float, int]]) -> None:
    values, names = [value for value, _ in rows], list(dict.fromkeys(of for _, of in rows))
    cluster = [names.index(of) for _, of in rows]
    (found,) = intervals.mean_intervals([values], cluster)
    _, interval, p_value = intervals.paired(values, [0.0] * len(values), cluster)
    if len(names) == 1:
        assert (found, interval, p_value) == (None, None, None)
        return
    sums = [math.fsum(value for value, of in rows if of == name) for name in names]
    sizes = [cluster.count(at) for at in range(len(names))]
    stream, n = np.random.RandomState(intervals.SEED), len(names)
    drawn = (stream.randint(0, n, size=n) for _ in range(intervals.RESAMPLES))
    means = sorted(math.fsum(sums[one] for one in own) / sum(sizes[one] for one in own) for own in drawn)
    assert found == interval == pytest.approx((means[50], means[-51]), abs=1e-11)
    beyond = min(sum(mean <= 1e-13 for mean in means), sum(mean >= -1e-13 for mean in means))
    assert p_value == min(1, max(1, 2 * beyond) / 2001)


def test_intervals_of_clusters_hold_as_often_as_they_say_and_clusters_of_one_row_change_no_digit() -> None:
    stream, held, held_by_rows = np.random.RandomState(5), 0, 0
    cluster = np.repeat(np.arange(80), 5)
    for _ in range(200):
        scores = (stream.rand(400) < np.repeat(stream.rand(80), 5)).astype(float)
        share = intervals.wilson(scores.mean(), 400 / intervals.design_effect(scores - scores.mean(), cluster))
        (found,), by_rows = intervals.mean_intervals([scores], cluster), mean_interval(scores)
        assert found == pytest.approx(share, abs=0.02)
        held += bool(found and found[0] <= 0.5 <= found[1])
        held_by_rows += by_rows[0] <= 0.5 <= by_rows[1]
    assert held >= 180 > 175 > held_by_rows
    alone = stream.permutation(400)
    assert intervals.mean_intervals([scores], alone) == [mean_interval(scores)]
    assert intervals.paired(scores, scores[::-1], alone) == intervals.paired(scores, scores[::-1])


def test_very_many_clusters_have_the_normal_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, cluster = np.random.RandomState(4), np.arange(60_000) // 3
    scores = np.repeat(stream.rand(20_000), 3) + stream.rand(60_000)
    (resampled,) = intervals.mean_intervals([scores], cluster)
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 10_000)
    (normal,) = intervals.mean_intervals([scores], cluster)
    assert normal
    assert resampled == pytest.approx(normal, abs=0.05 * (normal[1] - normal[0]))
    difference, interval, p_value = intervals.paired(scores, scores + 1e-4 * stream.normal(size=60_000), cluster)
    assert interval
    assert p_value
    assert interval[0] < difference < interval[1]


# Two systems


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(QUARTERS, QUARTERS), min_size=2, max_size=20))
def test_p_is_twice_the_share_of_resamples_beyond_0(rows: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*rows, strict=True))
    difference, interval, p_value = intervals.paired(first, second)
    means = slow_means([a - b for a, b in rows])
    beyond = min(sum(mean <= 0 for mean in means), sum(mean >= 0 for mean in means))
    assert p_value == min(1, max(1, 2 * beyond) / 2001)
    assert difference == (sum(first) - sum(second)) / len(rows)
    assert interval == pytest.approx((means[50], means[-51]), abs=1e-11)


@settings(max_examples=50, deadline=None)
@given(PAIRS, st.floats(-1, 1))
def test_p_is_below_5_percent_exactly_where_the_interval_leaves_out_0(
    rows: list[tuple[float, float]], shift: float
) -> None:
    first, second = [one + shift for one, _ in rows], [other for _, other in rows]
    difference, (low, high), p_value = intervals.paired(first, second)
    assert (p_value is None) == (len(rows) == 1)
    if p_value is not None and max(abs(low), abs(high)) > 1e-9:
        assert (p_value < 0.05) == (low > 0 or high < 0)
    assert intervals.paired(second, first) == (-difference, (-high, -low), p_value)
    assert intervals.wins_ties_losses(first, second) == intervals.wins_ties_losses(second, first)[::-1]
    assert intervals.paired(first, first) == (0.0, (0.0, 0.0), 1.0 if len(rows) > 1 else None)
    assert intervals.wins_ties_losses(first, first) == (0, len(rows), 0)


# Correlation


def test_correlations_rest_on_the_rows_that_both_have() -> None:
    """1 - 6 Σd² / (n(n² - 1)) with d = 0, -1, 1 over the three rows that a and b have."""
    series = {"a": [1, 2, 3, 4, None], "b": [1, None, 3, 2, 5], "c": [0.5] * 5, "d": [None] * 5}
    found = intervals.correlations(series)
    assert list(found) == list(itertools.product("abcd", repeat=2))
    assert found["a", "b"] == found["b", "a"] == (0.5, 3)
    assert found["a", "a"] == (1.0, 4)
    assert found["a", "c"] == (None, 4)
    assert found["a", "d"] == found["d", "d"] == (None, 0)


# Disagreement


def test_disagreement_is_the_span_of_percentile_ranks() -> None:
    """Ranks r of n scores as (r - 1) / (n - 1), of equal ones the mean; a column of one value says nothing."""
    holes = {"a": [0.0, 0.5, 1.0, None], "b": [0.9, 0.5, None, 0.2], "c": [0.5] * 4}
    assert intervals.disagreement(holes) == [1.0, 0.0, None, None]
    equal = intervals.disagreement({"a": [1, 1, 2, 3], "b": [1, 2, 3, 4]})
    assert equal == pytest.approx([1 / 6, 1 / 6, 0, 0])
    assert intervals.disagreement({"a": [], "b": []}) == []
