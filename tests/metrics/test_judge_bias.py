"""Test the bounds and intervals of judge_bias, and that it refuses bad input.

tests.py of judge_bias and its card have values computed by hand. test_replies.py tests how replies
are read.
"""

import itertools
import json
import math
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.support.project import import_file, load

bias = import_file("judge_bias")

BY_HAND: dict[str, Any] = {
    "predictions": ["3.5", "3", "5", "2.5", "3.5", "4"],
    "references": [4, 3, 4.5, 4, 3.5, 3],
    "perturbation_categories": ["represent"] * 3 + ["error"] * 3,
}


@pytest.fixture(scope="module")
def metric() -> Any:
    """Return judge_bias, shared by the tests that leave no rows in it."""
    return load("judge_bias", keep_in_memory=True)


quarters = st.integers(0, 40).map(lambda n: n / 4)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["represent", "error"]),
    st.lists(st.tuples(quarters, st.none() | quarters), min_size=1, max_size=6),
    st.sampled_from([(0, 10), (-1, 10.5), (0, 20)]),
)
def test_bounds_equal_those_of_trying_every_score(
    category: str, rows: list[tuple[float, float | None]], ends: tuple[float, float]
) -> None:
    """A reply without a score could have had any score.

    The mean is most extreme if that score is at an end of the range or equals the anchor.
    """
    entries = []
    possible_scores = []
    for anchor, value in rows:
        reply = "?" if value is None else str(value)
        entries.append(bias.explain(reply, anchor, category))
        possible_scores.append([ends[0], anchor, ends[1]] if value is None else [value])

    means = []
    for values in itertools.product(*possible_scores):
        deviations = []
        for value, (anchor, _) in zip(values, rows, strict=True):
            deviations.append(bias.measure_deviation(value, anchor, category))
        means.append(fmean(deviations))
    assert bias.find_bounds(entries, ends) == pytest.approx([min(means), max(means)], abs=1e-12)


@pytest.mark.parametrize("rows", [2, 3, 10, 13, 150, 3000])
def test_an_interval_is_students_with_two_pseudo_rows(rows: int) -> None:
    """scipy computes the same from all rows and two pseudo-rows, in any order."""
    scale = bias.Scale(4.0, is_known=False)
    values = [1 / k - 0.3 for k in range(1, rows + 1)]
    interval = bias.estimate_interval(values, scale, "error")
    mean = fmean(values)
    with_pseudo_rows = [*values, mean + 4, mean - 4]
    half = stats.t.ppf(0.975, rows - 1) * stats.sem(with_pseudo_rows)
    assert interval == pytest.approx([mean - half, mean + half], rel=1e-9)
    assert interval == bias.estimate_interval(values[::-1], scale, "error")


# Student's t for a 95% interval, by the degrees of freedom.
STUDENT_T = {1: 12.7062, 9: 2.2622}
KNOWN_SCALE = bias.Scale(4.0, is_known=True)
OBSERVED_SCALE = bias.Scale(4.0, is_known=False)


@pytest.mark.parametrize(
    ("values", "scale", "category", "ends"),
    [
        # Means beyond a known scale are impossible.
        ([0.5, 0.5], KNOWN_SCALE, "represent", [0.0, 4.0]),
        ([0.5, 0.5], KNOWN_SCALE, "error", [-4.0, 4.0]),
        # A bias is at least 0. Two equal values have the variance of the pseudo-rows, 2 * 4**2 / 3.
        (
            [0.5, 0.5],
            OBSERVED_SCALE,
            "represent",
            [0.0, 0.5 + STUDENT_T[1] * 4 * (2 / 3 / 4) ** 0.5],
        ),
        (
            [0.0] * 10,
            KNOWN_SCALE,
            "error",
            [-STUDENT_T[9] * 4 * (2 / 11 / 12) ** 0.5, STUDENT_T[9] * 4 * (2 / 11 / 12) ** 0.5],
        ),
        ([5e-324] * 9, bias.Scale(5e-324, False), "error", [5e-324, 5e-324]),
    ],
)
def test_an_interval_has_the_ends_computed_by_hand(
    values: list[float],
    scale: Any,
    category: str,
    ends: list[float],
) -> None:
    interval = bias.estimate_interval(values, scale, category)
    assert interval == pytest.approx(ends, abs=1e-3)


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([0.5], KNOWN_SCALE),
        ([], KNOWN_SCALE),
        ([0.0] * 9, bias.Scale(0.0, is_known=False)),
    ],
    ids=["one value", "no value", "a scale of one point"],
)
def test_there_is_no_interval_without_two_values_and_a_scale(
    values: list[float], scale: Any
) -> None:
    assert bias.estimate_interval(values, scale, "error") is None


def list_values(rows: list[dict[str, Any]], keys: tuple[str, ...]) -> list[list[Any]]:
    """Return the values of some keys of each row."""
    values = []
    for row in rows:
        values.append([row[key] for key in keys])
    return values


def test_the_scale_is_the_given_one_or_the_range_of_all_rows() -> None:
    rows = [
        bias.explain("2", 4, "error"),
        bias.explain("3.5", 4, "error"),
        bias.explain("?", 1.5, "error"),
    ]
    assert bias.find_scale(rows, None) == bias.Scale(2.5, is_known=False)
    assert bias.find_scale(rows, (1, 10)) == bias.Scale(9, is_known=True)
    assert bias.find_scale([], None) == bias.Scale(0.0, is_known=False)


def test_the_table_has_one_line_for_each_type_of_perturbation(metric: Any) -> None:
    table = metric.compute(**BY_HAND, perturbation_types=["b", "a", "b", "c", None, "b"])["by_type"]
    keys = (
        "perturbation_type",
        "perturbation_category",
        "measure",
        "mean",
        "n",
        "n_scored",
        "unparsed",
    )
    assert list_values(table, keys) == [
        ["b", "represent", "repr_bias", 0.5, 2, 2, 0],
        ["a", "represent", "repr_bias", 0.0, 1, 1, 0],
        ["c", "error", "error_sensitivity", 1.5, 1, 1, 0],
        [None, "error", "error_sensitivity", 0.0, 1, 1, 0],
        ["b", "error", "error_sensitivity", -1.0, 1, 1, 0],
    ]
    # The type "b" has two rows with the deviations 0.5. All six rows show a scale of 2.5 points.
    high = 0.5 + STUDENT_T[1] * 2.5 * (2 / 3 / 4) ** 0.5
    assert table[0]["interval"] == pytest.approx([0.0, high], abs=1e-3)


def test_there_is_no_table_without_types_of_perturbation(metric: Any) -> None:
    no_types = [None, "", float("nan"), pd.NA, "", ""]
    assert "by_type" not in metric.compute(**BY_HAND, perturbation_types=no_types)


def test_per_example_has_the_reason_of_each_row_without_a_score(metric: Any) -> None:
    result = metric.compute(
        predictions=['{"overall_score": 2}', "\ud800?", "null", '{"overall_score": "a"}', "9", "1"],
        references=[4, 4, 3, 2, 5, 3],
        perturbation_categories=["error", "error", "represent", "represent", "error", "represent"],
        perturbation_types=["x\ud800", "", "y", "y", "y", "z"],
        score_range=(1, 5),
        per_example=True,
    )
    rows = result["per_example"]
    keys = (
        "score",
        "overall_score",
        "anchor_score",
        "perturbation_category",
        "perturbation_type",
        "reason",
    )
    assert list(rows[0]) == [*keys, "note"]
    assert list_values(rows, keys) == [
        [2.0, 2.0, 4.0, "error", "x\ud800", None],
        [None, None, 4.0, "error", None, "no_score"],
        [None, None, 3.0, "represent", "y", "no_score"],
        [None, None, 2.0, "represent", "y", "bad_score"],
        [None, None, 5.0, "error", "y", "out_of_range"],
        [2.0, 1.0, 3.0, "represent", "z", None],
    ]
    for row in rows:
        assert (row["note"] is None) == (row["reason"] is None)
    assert rows[4]["note"] == "the overall_score is 9.0, outside 1.0 to 5.0"
    assert result["failures"] == {"no_score": 2, "bad_score": 1, "out_of_range": 1}


@pytest.mark.parametrize(
    ("arguments", "score_range", "message"),
    [
        ((3.5, 4, "error"), None, "reply is 3.5"),
        (("4", None, "error"), None, "anchor is None"),
        (("4", -math.inf, "error"), None, "anchor is -inf"),
        (("4", 4, "errors"), None, "the category is 'errors'"),
        (("4", 4, "error"), 5, "score_range is 5"),
    ],
)
@pytest.mark.parametrize("function", [bias.score, bias.explain], ids=["score", "explain"])
def test_functions_refuse_bad_arguments_with_the_reason(
    function: Any, arguments: tuple[Any, ...], score_range: Any, message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        function(*arguments, score_range=score_range)
    assert not isinstance(caught.value, bias.NoScore)


ROW: dict[str, Any] = {
    "predictions": ["4"],
    "references": [4],
    "perturbation_categories": ["error"],
}
NINE_ROWS = {
    "predictions": ["4"] * 9,
    "references": [4] * 9,
    "perturbation_categories": ["error", *(f"wrong {number}" for number in range(1, 9))],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"perturbation_categories": [None]}, r"perturbation_categories\[0\] is None"),
        (
            NINE_ROWS,
            r"\[1\] is 'wrong 1', \[2\] is 'wrong 2', \[3\] is 'wrong 3' and 5 more",
        ),
        ({"perturbation_types": [3]}, r"perturbation_types\[0\] is 3 \(int\)"),
        ({"score_range": (4, 4)}, r"score_range is \(4, 4\)"),
        ({"score_range": (1, math.inf)}, r"score_range is \(1, inf\)"),
        ({"score_range": "15"}, "score_range is '15'; None or two numbers"),
        ({"score_range": (False, True)}, r"score_range is \(False, True\)"),
        ({"perturbation_category": ["error"]}, "did you mean 'perturbation_categories'"),
    ],
)
def test_bad_input_is_refused_by_row_and_value(
    metric: Any, change: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        metric.compute(**{**ROW, **change})
    assert len(str(caught.value)) < 400
    assert metric.compute(**ROW)["n_error"] == 1, "no row of the refused call was kept"


@pytest.mark.parametrize("ends", [[1.0, 5], np.array([1, 5]), (Fraction(1), 5)])
def test_a_range_may_be_of_any_numbers_and_the_result_can_be_saved(metric: Any, ends: Any) -> None:
    result = metric.compute(**{**ROW, "predictions": ["6"]}, score_range=ends, per_example=True)
    assert result["error_sensitivity_bounds"] == [-1.0, 3.0]
    assert "|score_range:1.0..5.0|" in result["signature"]
    assert json.loads(json.dumps(result)) == result


def test_rows_added_one_by_one_equal_compute_and_outlast_a_failed_call() -> None:
    scorer = load("judge_bias")
    columns = {**BY_HAND, "perturbation_types": ["x", "", "y", "x", "\ud800", ""]}
    for reply, anchor, category, kind in zip(*columns.values(), strict=True):
        options = {"perturbation_type": kind} if kind else {}
        scorer.add(prediction=reply, reference=anchor, perturbation_category=category, **options)
    with pytest.raises(ValueError, match=r"perturbation_categories\[0\] is 'wrong'"):
        scorer.add(prediction="3", reference=4, perturbation_category="wrong")
    message = r"references\[0\] is 4.0, outside the score_range 5.0 to 6.0"
    with pytest.raises(ValueError, match=message):
        scorer.compute(score_range=(5, 6))
    expected = load("judge_bias").compute(**columns, per_example=True)
    assert scorer.compute(per_example=True) == expected


def test_no_mean_overflows(metric: Any) -> None:
    rows = {
        "predictions": ["1e100"] * 9,
        "references": [-1e100] * 9,
        "perturbation_categories": ["represent"] * 9,
    }
    low, high = metric.compute(**rows, signature=True)["repr_bias_interval"]
    assert 1e100 < low < 2e100 < high < 3e100
