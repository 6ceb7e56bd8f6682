"""Compare statistics of series of scores with fractions computed by hand and with scipy."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.inference.correlation import correlate_series, spread_of_ranks
from lens.inference.intervals import mean_intervals, share_interval
from lens.inference.mean_differences import compare_means
from lens.inference.win_counts import count_wins_ties_losses
from scipy import stats

# Any scores, and a few that are often equal.
ANY_SCORES = st.floats(-1, 1)
FEW_SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
SCORES = st.one_of(ANY_SCORES, FEW_SCORES)
# Rows with the scores of two systems.
PAIR = st.tuples(SCORES, SCORES)
PAIRS = st.lists(PAIR, min_size=1, max_size=30)
SHIFTS = st.floats(-1, 1)
# Rows of three columns; any cell may be empty.
SCORE_OR_NONE = st.one_of(st.none(), SCORES)
INCOMPLETE_ROW = st.tuples(SCORE_OR_NONE, SCORE_OR_NONE, SCORE_OR_NONE)
INCOMPLETE_ROWS = st.lists(INCOMPLETE_ROW, min_size=1, max_size=30)


def compute_mean_interval(scores: Any) -> tuple[float, float]:
    """Return the interval of the mean of one series of scores."""
    (interval,) = mean_intervals([scores])
    assert interval is not None
    return interval


# Intervals of means


@pytest.mark.parametrize(("right", "rows"), [(0, 10), (3, 10), (10, 10), (19, 20), (57, 100)])
def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(right: int, rows: int) -> None:
    """scipy computes the expected interval. The mean of scores of 0 and 1 is a share, too."""
    test = stats.binomtest(right, rows)
    low, high = test.proportion_ci(0.95, "exact")
    expected = pytest.approx((low, high), abs=1e-9)
    share = right / rows
    assert share_interval(share, rows) == expected
    wrong = rows - right
    scores = [1.0] * right + [0.0] * wrong
    assert compute_mean_interval(scores) == expected


def test_the_interval_of_a_mean_equals_one_computed_by_hand() -> None:
    """A mean is treated as a share among the number of verdicts with the same variance.

    To find that number, two pseudo-rows of weight 1/2 are added, with the scores 0 and 1.
    """
    scores = [0.0, 1.0, 1.0, 0.5]
    # Weights sum to 5, scores to 1/2 + 5/2 = 3.
    padded_mean = 3 / 5
    # Squares sum to 1/2 + 1 + 1 + 1/4 = 11/4.
    padded_variance = 11 / 4 / 5 - padded_mean**2
    variance_of_verdicts = padded_mean * (1 - padded_mean)
    effective_rows = 4 * variance_of_verdicts / padded_variance
    expected = share_interval(2.5 / 4, effective_rows)
    interval = compute_mean_interval(scores)
    assert interval == pytest.approx(expected, abs=1e-12)


def test_scores_in_a_narrow_range_have_a_narrow_interval() -> None:
    scores = [0.79, 0.8, 0.81] * 40
    low, high = compute_mean_interval(scores)
    assert low > 0.765
    assert high < 0.83


@pytest.mark.parametrize("score", [1.0, 0.996])
def test_the_interval_of_ten_right_answers_is_about_that_of_the_rule_of_three(
    score: float,
) -> None:
    """The rule of three gives 1 - 3/10 = 0.7; the interval is slightly wider."""
    low, high = compute_mean_interval([score] * 10)
    assert 0.6 < low < 0.72
    assert 0.996 < high <= 1


@settings(max_examples=40, deadline=None)
@given(INCOMPLETE_ROWS)
def test_the_interval_of_a_series_uses_only_its_scored_rows(
    rows: list[tuple[float | None, ...]],
) -> None:
    """It contains the mean, and does not depend on the order of the rows."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    column_intervals = mean_intervals(columns)
    for column, interval in zip(columns, column_intervals, strict=True):
        scored = [score for score in column if score is not None]
        if len(scored) < 2:
            assert interval is None
        else:
            assert interval is not None
            of_reversed = compute_mean_interval(scored[::-1])
            assert interval == pytest.approx(of_reversed, abs=1e-12)
            low, high = interval
            mean = math.fsum(scored) / len(scored)
            assert low <= mean <= high
            # The scale ends at 0 and 1, or at the smallest and largest score beyond.
            bottom = min([*scored, 0.0])
            top = max([*scored, 1.0])
            assert low >= bottom - 1e-12
            assert high <= top + 1e-12


def test_intervals_of_100_000_scores_take_less_than_10_megabytes() -> None:
    rng = np.random.RandomState(1)
    columns = list(rng.rand(5, 20_000))
    tracemalloc.start()
    mean_intervals(columns)
    _current, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n", [2, 20, 1000])
@pytest.mark.parametrize("value", [0.1, 0.0, -0.3, 1 / 3])
def test_the_interval_of_equal_scores_has_a_width(value: float, n: int) -> None:
    low, high = compute_mean_interval([value] * n)
    assert low <= value <= high
    assert high - low > 1 / n


@pytest.mark.filterwarnings("error")
def test_series_without_a_score_have_no_interval_and_no_warning() -> None:
    columns = [[0.1, 0.1], [None, None], [math.nan, math.nan]]
    interval, *intervals_without_scores = mean_intervals(columns)
    assert interval
    assert intervals_without_scores == [None, None]


@pytest.mark.parametrize("n", [2, 20, 1000])
def test_the_interval_of_the_difference_of_equal_systems_has_a_width(n: int) -> None:
    scores = [0.75] * n
    difference, interval, p_value = compare_means(scores, scores)
    assert difference == 0
    assert p_value == 1
    assert interval
    low, high = interval
    assert low < 0
    assert high == -low


def test_one_row_has_no_interval() -> None:
    assert mean_intervals([[]]) == [None]
    assert mean_intervals([[0.5]]) == [None]
    assert compare_means([0.75], [0.25]) == (0.5, None, None)


def test_with_very_many_rows_the_interval_is_that_of_the_normal_distribution() -> None:
    rng = np.random.RandomState(3)
    rows = 60_000
    first = rng.beta(2, 3, rows)
    second = first + rng.normal(0.0003, 0.1, rows)
    low, high = compute_mean_interval(first)
    error = np.std(first, ddof=1) / math.sqrt(rows)
    half = stats.norm.ppf(0.975) * error
    assert high - low == pytest.approx(2 * half, rel=2e-3)

    difference, interval, p_value = compare_means(first, second)
    assert interval
    low, high = interval
    assert low < difference < high
    test = stats.ttest_rel(first, second)
    assert p_value == pytest.approx(test.pvalue, rel=0.01)


# Clusters


# More than FEW_CLUSTERS = 50. With fewer, the pseudo-clusters of a difference have the largest
# difference that any two scores of the data have, and the results below would not be equal.
CLUSTERS = 60


def test_equal_rows_of_a_cluster_count_once() -> None:
    """If the four rows of each cluster are equal, the interval is that of one row per cluster."""
    rng = np.random.RandomState(5)
    cluster = np.repeat(np.arange(CLUSTERS), 4)
    first = rng.rand(CLUSTERS)
    first_repeated = np.repeat(first, 4)
    (interval_of_clusters,) = mean_intervals([first_repeated], cluster)
    interval_of_rows = compute_mean_interval(first)
    # Only the degrees of freedom differ.
    assert interval_of_clusters == pytest.approx(interval_of_rows, abs=0.01)

    second = rng.rand(CLUSTERS)
    second_repeated = np.repeat(second, 4)
    of_clusters = compare_means(first_repeated, second_repeated, cluster)
    of_rows = compare_means(first, second)
    # The difference, its interval and the p-value.
    for value, expected in zip(of_clusters, of_rows, strict=True):
        assert value == pytest.approx(expected)


def test_clusters_of_one_row_change_nothing_and_a_single_cluster_has_no_interval() -> None:
    rng = np.random.RandomState(6)
    first = rng.rand(CLUSTERS)
    second = rng.rand(CLUSTERS)
    order = rng.permutation(CLUSTERS)
    (interval_of_clusters,) = mean_intervals([first], order)
    assert interval_of_clusters == compute_mean_interval(first)
    by_rows = compare_means(first, second)
    assert compare_means(first, second, order) == by_rows

    one_cluster = [7] * CLUSTERS
    assert mean_intervals([first], one_cluster) == [None]
    _, interval, p_value = compare_means(first, second, one_cluster)
    assert interval is None
    assert p_value is None


def test_95_percent_intervals_of_clusters_hold_in_95_percent_of_samples() -> None:
    """190 of 200, with a standard error of 3. Intervals that ignore clusters hold less often."""
    rng = np.random.RandomState(5)
    true_mean = 0.5
    cluster = np.repeat(np.arange(80), 5)
    held_with_clusters = 0
    held_without_clusters = 0
    for _ in range(200):
        draws = rng.rand(400)
        mean_of_row = np.repeat(rng.rand(80), 5)
        scores = (draws < mean_of_row).astype(float)
        (interval,) = mean_intervals([scores], cluster)
        assert interval
        low, high = interval
        held_with_clusters += low <= true_mean <= high
        low, high = compute_mean_interval(scores)
        held_without_clusters += low <= true_mean <= high
    assert held_with_clusters >= 182
    assert held_without_clusters < 178


# Two systems


def test_interval_and_p_value_of_a_difference_computed_by_hand() -> None:
    """Of twelve questions the first system wins seven and loses none.

    One pseudo-question for each side is added, won by 1 and lost by 1.
    """
    first = [1.0] * 7 + [0.5] * 5
    second = [0.0] * 7 + [0.5] * 5
    difference, interval, p_value = compare_means(first, second)
    assert difference == pytest.approx(7 / 12)

    padded_mean = (7 + 1 - 1) / 14
    # Around the mean 1/2: seven won, five equal, the pseudo-questions 1 and -1.
    squares = 7 / 4 + 5 / 4 + 1 / 4 + 9 / 4
    variance = squares / 13
    error = math.sqrt(variance / 14)
    # The pseudo-questions add no degree of freedom: 12 - 1 = 11.
    half = stats.t.ppf(0.975, 11) * error
    low = padded_mean - half
    high = padded_mean + half
    assert interval == pytest.approx((low, high))
    t = padded_mean / error
    expected_p = 2 * stats.t.sf(t, 11)
    assert p_value == pytest.approx(expected_p)


def test_a_difference_far_from_0_has_a_very_small_p_value() -> None:
    """24 of 100 questions are lost and none won.

    A sign test has p = 2 / 2**24 = 1e-7. Ours may be larger, but must be far below 0.05, since the
    interval is far from 0.
    """
    first = [0.0] * 24 + [1.0] * 76
    second = [1.0] * 100
    difference, interval, p_value = compare_means(first, second)
    assert difference == -0.24
    assert interval == pytest.approx((-0.325, -0.146), abs=0.002)
    assert p_value is not None
    assert p_value < 1e-4


@settings(max_examples=50, deadline=None)
@given(PAIRS, SHIFTS)
def test_p_is_below_5_percent_exactly_if_the_interval_excludes_0(
    rows: list[tuple[float, float]], shift: float
) -> None:
    first = [score + shift for score, _ in rows]
    second = [score for _, score in rows]
    _, interval, p_value = compare_means(first, second)
    if len(rows) == 1:
        assert p_value is None
        assert interval is None
    else:
        assert p_value is not None
        assert interval is not None
        low, high = interval
        excludes_0 = low > 0 or high < 0
        assert (p_value < 0.05) == excludes_0


@settings(max_examples=50, deadline=None)
@given(PAIRS, SHIFTS)
def test_the_difference_of_exchanged_systems_is_the_negative_one(
    rows: list[tuple[float, float]], shift: float
) -> None:
    first = [score + shift for score, _ in rows]
    second = [score for _, score in rows]
    difference, interval, p_value = compare_means(first, second)
    exchanged = compare_means(second, first)
    assert exchanged.difference == -difference
    assert exchanged.p_value == p_value
    if interval:
        low, high = interval
        assert exchanged.interval == pytest.approx((-high, -low))


@settings(max_examples=50, deadline=None)
@given(PAIRS)
def test_wins_of_exchanged_systems_are_losses(rows: list[tuple[float, float]]) -> None:
    first = [score for score, _ in rows]
    second = [score for _, score in rows]
    wins, ties, losses = count_wins_ties_losses(first, second)
    exchanged = count_wins_ties_losses(second, first)
    assert exchanged == (losses, ties, wins)
    same = count_wins_ties_losses(first, first)
    assert same == (0, len(rows), 0)


# Correlation


def test_correlations_use_only_rows_with_both_scores() -> None:
    """Each pair of series has Spearman's rho and the number of rows with both scores."""
    series = {
        "a": [1, 2, 3, 4, None],
        "b": [1, None, 3, 2, 5],
        "constant": [0.5] * 5,
        "empty": [None] * 5,
    }
    correlations = correlate_series(series)
    all_pairs = itertools.product(series, repeat=2)
    assert list(correlations) == list(all_pairs)
    # Ranks in the three common rows: 1, 2, 3 and 1, 3, 2. 1 - 6 * (0 + 1 + 1) / (3 * (9 - 1)) = 1/2
    assert correlations["a", "b"] == (0.5, 3)
    assert correlations["b", "a"] == (0.5, 3)
    assert correlations["a", "a"] == (1.0, 4)
    assert correlations["a", "constant"] == (None, 4)
    assert correlations["a", "empty"] == (None, 0)
    assert correlations["empty", "empty"] == (None, 0)


# Disagreement


def test_disagreement_is_the_range_of_a_rows_percentile_ranks() -> None:
    """The percentile rank of rank r among n scores is (r - 1) / (n - 1).

    A series with only one value has no ranks.
    """
    # Percentile ranks of a: 0, 1/2, 1, none; of b: 1, 1/2, none, 0.
    incomplete = {
        "a": [0.0, 0.5, 1.0, None],
        "b": [0.9, 0.5, None, 0.2],
        "c": [0.5] * 4,
    }
    spreads = spread_of_ranks(incomplete)
    assert spreads == [1.0, 0.0, None, None]
    assert spread_of_ranks({"a": [], "b": []}) == []


def test_equal_scores_have_their_mean_rank() -> None:
    # Percentile ranks of a: 1/6, 1/6, 2/3, 1; of b: 0, 1/3, 2/3, 1.
    series = {
        "a": [1, 1, 2, 3],
        "b": [1, 2, 3, 4],
    }
    spreads = spread_of_ranks(series)
    assert spreads == pytest.approx([1 / 6, 1 / 6, 0, 0])
