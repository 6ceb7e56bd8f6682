"""Figures about columns of scores: against fractions worked by hand, slow obvious versions, and scipy."""

from __future__ import annotations

import itertools
import math
import random
import sys
import tracemalloc
import warnings
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.statistics import intervals

SCORES = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
COLUMNS = st.lists(SCORES, min_size=1, max_size=30)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=30)
HOLES = st.lists(st.tuples(*[st.one_of(st.none(), SCORES)] * 3), max_size=30)


def uniform(n: int, seed: int) -> list[float]:
    """Made-up scores."""
    drawn = random.Random(seed)
    return [drawn.random() for _ in range(n)]


# Intervals of means


def test_golden_intervals() -> None:
    """Drawn with RandomState, whose stream is frozen: these digits hold for every version and machine."""
    assert intervals.mean_interval([0.0, 1.0, 1.0, 0.5]) == (0.125, 1.0)
    assert intervals.mean_interval([k / 10 for k in range(11)]) == (0.3181818181818182, 0.6818181818181818)
    assert intervals.mean_interval(uniform(1257, 1)) == (0.494454668237563, 0.5267949925005778)
    assert intervals.paired(uniform(40, 1), uniform(40, 2))[2] == 242 / 2001


def slow_interval(values: list[float]) -> tuple[float, float]:
    """The percentile bootstrap, one resample after another."""
    import numpy as np

    stream, n = np.random.RandomState(intervals.SEED), len(values)
    rows = (stream.randint(0, n, size=n, dtype=np.int32) for _ in range(intervals.RESAMPLES))
    means = sorted(math.fsum(values[row] for row in drawn) / n for drawn in rows)
    return means[50], means[-51]


@settings(max_examples=25)
@given(COLUMNS)
def test_means_are_those_of_rows_drawn_one_by_one(values: list[float]) -> None:
    assert intervals.mean_interval(values) == pytest.approx(slow_interval(values), abs=1e-11)


@settings(max_examples=40)
@given(HOLES.filter(len))
def test_series_of_the_same_rows_have_the_intervals_that_each_has_alone(rows: list[tuple[float | None, ...]]) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)]
    for values, found in zip(columns, intervals.mean_intervals(columns), strict=True):
        scored = [value for value in values if value is not None]
        assert found == (intervals.mean_interval(scored) if scored else None)


@given(COLUMNS)
def test_an_interval_lies_within_the_scores(values: list[float]) -> None:
    low, high = intervals.mean_interval(values)
    assert min(values) <= low <= high <= max(values)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [uniform(50, seed) for seed in range(3)]
    whole = intervals.mean_intervals(values)
    for block in (1, 777, 10**7):
        monkeypatch.setattr(intervals, "BLOCK", block)
        assert intervals.mean_intervals(values) == whole


@pytest.mark.parametrize("value", [0.1, 0.0, 1.0, -0.3, 1 / 3])
@pytest.mark.parametrize("n", [1, 2, 3, 1000])
def test_one_row_and_equal_rows_give_that_score_exactly_without_a_warning(value: float, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert intervals.mean_interval([value] * n) == (value, value)
        assert intervals.mean_intervals([[value] * n, [None] * n]) == [(value, value), None]


@pytest.mark.parametrize(
    "values", [[5e-324, 0.0], [1e-310, 2e-310, 3e-310], [0.1, 0.1 + 1e-17, math.nextafter(0.1, 1)]]
)
def test_scores_that_hardly_differ(values: list[float]) -> None:
    low, high = intervals.mean_interval(values)
    assert min(values) <= low <= high <= max(values)


def test_the_interval_covers_the_mean_about_as_often_as_it_says() -> None:
    """400 samples of 60 from a skewed distribution of mean 1/4: a 95% interval misses it 20 times, give or take."""
    drawn = random.Random(5)
    samples = [[drawn.betavariate(1, 3) for _ in range(60)] for _ in range(400)]
    covered = sum(low <= 0.25 <= high for low, high in map(intervals.mean_interval, samples))
    assert 0.91 <= covered / 400 <= 0.98


def test_columns_of_an_array_are_read() -> None:
    assert intervals.mean_intervals([array("d", [0.5, math.nan])]) == [(0.5, 0.5)]


def test_what_is_no_score_is_refused_with_its_row() -> None:
    with pytest.raises(ValueError, match="row 2: the score is missing"):
        intervals.mean_interval([0.5, math.nan])
    with pytest.raises(ValueError, match="row 3: a finite score is expected, got inf"):
        intervals.mean_intervals([[0.5, None, math.inf]])
    with pytest.raises(ValueError, match="no scores"):
        intervals.mean_interval([])
    with pytest.raises(ValueError, match=r"one length are expected, got \[1, 2\]"):
        intervals.mean_intervals([[0.5], [0.5, 1.0]])


def test_many_rows_take_little_memory() -> None:
    columns = [array("d", uniform(100_000, seed)) for seed in range(7)]
    tracemalloc.start()
    found = intervals.mean_intervals(columns)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert all(low < 0.5 < high and high - low < 0.004 for low, high in filter(None, found))
    assert most < 60_000_000


# Pass rates


@pytest.mark.parametrize(
    ("passes", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (1, 3), (8, 10), (500, 1257), (1, 100_000)]
)
def test_wilson_is_that_of_scipy(passes: int, n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    peer = stats.binomtest(passes, n).proportion_ci(method="wilson")
    assert intervals.wilson(passes, n) == pytest.approx((peer.low, peer.high), abs=1e-12)


def test_wilson_by_hand() -> None:
    """One pass of two, with z² = 3.8415: (1 + 1.9207 ± 1.96 √(1/2 + 0.9604)) / 5.8415."""
    assert intervals.wilson(1, 2) == pytest.approx((0.09453, 0.90547), abs=5e-6)


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_within_0_and_1(given_: tuple[int, int]) -> None:
    passes, n = given_
    low, high = intervals.wilson(passes, n)
    assert 0.0 <= low <= passes / n <= high <= 1.0
    assert (low == 0.0) == (passes == 0)
    assert (high == 1.0) == (passes == n)


@pytest.mark.parametrize(("passes", "n"), [(0, 0), (2, 1), (-1, 3)])
def test_wilson_refuses_what_is_no_rate(passes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"got {passes} of {n}"):
        intervals.wilson(passes, n)


# Two systems


def slow_p(first: list[float], second: list[float]) -> float:
    """The p-value in whole numbers: scores of these tests are multiples of 1/4."""
    import numpy as np

    apart = [round(4 * (a - b)) for a, b in zip(first, second, strict=True)]
    stream, n = np.random.RandomState(intervals.SEED), len(apart)
    far = 0
    for _ in range(intervals.RESAMPLES):
        drawn = sum(apart[row] for row in stream.randint(0, n, size=n, dtype=np.int32))
        far += abs(drawn - sum(apart)) >= abs(sum(apart))
    return (far + 1) / (intervals.RESAMPLES + 1)


QUARTERS = st.integers(0, 4).map(lambda k: k / 4)


@settings(max_examples=40)
@given(st.lists(st.tuples(QUARTERS, QUARTERS), min_size=2, max_size=20))
def test_p_is_the_share_of_resamples_as_far_off(rows: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*rows, strict=True))
    difference, interval, p_value = intervals.paired(first, second)
    assert p_value == slow_p(first, second)
    assert difference == (sum(first) - sum(second)) / len(rows)
    assert interval == pytest.approx(slow_interval([a - b for a, b in rows]), abs=1e-11)


@given(PAIRS)
def test_systems_the_other_way_round(rows: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*rows, strict=True))
    difference, (low, high), p_value = intervals.paired(first, second)
    assert intervals.paired(second, first) == (-difference, (-high, -low), p_value)
    assert intervals.wins_ties_losses(first, second) == intervals.wins_ties_losses(second, first)[::-1]


@given(COLUMNS)
def test_a_system_against_itself(values: list[float]) -> None:
    assert intervals.paired(values, values) == (0.0, (0.0, 0.0), 1.0)
    assert intervals.wins_ties_losses(values, values) == (0, len(values), 0)


def test_one_row_and_equal_differences() -> None:
    assert intervals.paired([0.75], [0.25]) == (0.5, (0.5, 0.5), None)
    assert intervals.paired([0.75, 0.5], [0.25, 0.0]) == (0.5, (0.5, 0.5), 1 / 2001)


def test_p_is_small_about_as_often_as_it_says_where_nothing_differs() -> None:
    """400 pairs of systems that differ by chance alone: p below 0.05 in about one of twenty."""
    drawn = random.Random(6)
    found = [intervals.paired(*([drawn.random() for _ in range(60)] for _ in range(2)))[2] or 0 for _ in range(400)]
    assert 0.02 <= sum(p < 0.05 for p in found) / 400 <= 0.10
    assert 0.40 <= sum(p < 0.5 for p in found) / 400 <= 0.60


def test_systems_of_different_rows_are_refused() -> None:
    for function in (intervals.paired, intervals.wins_ties_losses, intervals.spearman):
        with pytest.raises(ValueError, match="same rows are expected, got 1 and 2"):
            function([0.5], [0.5, 1.0])  # type: ignore[operator]


# Correlation


def slow_ranks(values: list[float]) -> list[float]:
    """The mean of the places that a value could have."""
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


@given(PAIRS)
def test_spearman_is_that_of_scipy(rows: list[tuple[float, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = map(list, zip(*rows, strict=True))
    found = intervals.spearman(first, second)
    if len(rows) < 3 or len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)
        assert -1 <= found <= 1


def test_spearman_by_hand() -> None:
    """1 - 6 Σd² / (n(n² - 1)) with d = 0, 0, -1, 1; and with ties 1.5, 1.5, 3 against 1, 2, 3: 1.5 / √(1.5 · 2)."""
    assert intervals.spearman([1, 2, 3, 4], [1, 2, 4, 3]) == 0.8
    assert intervals.spearman([5, 5, 9], [1, 2, 3]) == pytest.approx(1.5 / math.sqrt(3))
    assert intervals.spearman([], []) is None


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=30, unique=True))
def test_the_same_order_is_exactly_1(values: list[float]) -> None:
    assert intervals.spearman(values, values) == 1.0
    assert intervals.spearman(values, [-value for value in values]) == -1.0


def test_correlations_rest_on_the_rows_that_both_have() -> None:
    series = {"a": [1, 2, 3, 4, None], "b": [1, None, 3, 2, 5], "c": [0.5] * 5, "d": [None] * 5}
    found = intervals.correlations(series)
    assert list(found) == list(itertools.product("abcd", repeat=2))
    assert found["a", "b"] == found["b", "a"] == (0.5, 3)
    assert found["a", "a"] == (1.0, 4)
    assert found["a", "c"] == (None, 4)
    assert found["a", "d"] == found["d", "d"] == (None, 0)


# Disagreement


def slow_disagreement(rows: list[tuple[float | None, ...]]) -> list[float | None]:
    """Ranks by counting."""
    percentiles: list[list[float]] = [[] for _ in rows]
    for column in zip(*rows, strict=True):
        scored = [value for value in column if value is not None]
        if len(set(scored)) > 1:
            ranks = iter(slow_ranks(scored))
            for at, value in enumerate(column):
                if value is not None:
                    percentiles[at].append((next(ranks) - 1) / (len(scored) - 1))
    return [max(found) - min(found) if len(found) > 1 else None for found in percentiles]


@given(HOLES)
def test_disagreement_is_the_span_of_percentile_ranks(rows: list[tuple[float | None, ...]]) -> None:
    columns = zip(*rows, strict=True) if rows else [()] * 3
    found = intervals.disagreement({str(at): list(column) for at, column in enumerate(columns)})
    assert found == pytest.approx(slow_disagreement(rows), abs=1e-12)


def test_disagreement_by_hand() -> None:
    """Ranks of the last column: 1.5, 1.5, 3 of 3, so 1/4, 1/4, 1; the constant one is left out."""
    series = {"f1": [0.0, 0.5, 1.0], "flat": [1.0, 1.0, 1.0], "judge": [0.0, 0.0, 1.0]}
    assert intervals.disagreement(series) == [0.25, 0.25, 0.0]
    assert intervals.disagreement({"f1": [0.0, 1.0]}) == [None, None]
    assert intervals.disagreement({}) == []


# Histograms


@given(st.lists(st.integers(-5, 25)), st.integers(1, 20))
def test_histogram_by_whole_numbers(steps: list[int], bins: int) -> None:
    """Scores that are borders: each counts in the part above it, those beyond the ends in the nearest part."""
    expected = [0] * bins
    for step in steps:
        expected[min(max(step, 0), bins - 1)] += 1
    assert intervals.histogram([step / bins for step in steps], 0.0, 1.0, bins) == expected


def test_histogram_by_hand() -> None:
    assert intervals.histogram([-1.0, -0.7, 0.0, 1.0, None, math.nan], -1.0, 1.0, 20) == [
        *(1, 0, 0, 1, 0, 0, 0, 0, 0, 0),
        *(1, 0, 0, 0, 0, 0, 0, 0, 0, 1),
    ]
    assert intervals.histogram([], 0.0, 1.0) == [0] * 20
    assert sum(intervals.histogram(uniform(1000, 3), 0.0, 1.0)) == 1000
