"""judge_bias has the right bounds and intervals, and refuses bad input.

Its tests.py and its card have values computed by hand; test_replies.py has the reading of replies.
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
    """Unscored replies could have had any score.

    The mean is most extreme where they are at the ends of the range or at the anchor, so that these
    are all the scores to try.
    """
    entries = [
        bias.explain("?" if said is None else str(said), anchor, category) for anchor, said in rows
    ]
    choices = [
        [value] if value is not None else [ends[0], anchor, ends[1]] for anchor, value in rows
    ]
    means = [
        fmean(
            bias.measure_deviation(value, anchor, category)
            for value, (anchor, _) in zip(values, rows, strict=True)
        )
        for values in itertools.product(*choices)
    ]
    assert bias.find_bounds(entries, ends) == pytest.approx([min(means), max(means)], abs=1e-12)


@pytest.mark.parametrize("rows", [2, 3, 10, 13, 150, 3000])
def test_an_interval_is_students_with_two_rows_added(rows: int) -> None:
    """scipy computes the same from rows with the two written out, in any order."""
    values = [1 / k - 0.3 for k in range(1, rows + 1)]
    mean = fmean(values)
    all_rows = [*values, mean + 4, mean - 4]
    half = stats.t.ppf(0.975, rows - 1) * stats.sem(all_rows)
    scale = bias.Scale(4.0, is_known=False)
    assert bias.estimate_interval(values, scale, "error") == pytest.approx(
        [mean - half, mean + half], rel=1e-9
    )
    assert bias.estimate_interval(values, scale, "error") == bias.estimate_interval(
        values[::-1], scale, "error"
    )


@pytest.mark.parametrize(
    ("values", "scale", "category", "ends"),
    [
        ([0.5], bias.Scale(4.0, True), "error", None),
        ([], bias.Scale(4.0, True), "error", None),
        ([0.0] * 9, bias.Scale(0.0, False), "error", None),
        # Means beyond a given scale are impossible. Where the scale is only seen in the rows, a
        # bias is still at least 0.
        ([0.5, 0.5], bias.Scale(4.0, True), "represent", [0.0, 4.0]),
        ([0.5, 0.5], bias.Scale(4.0, True), "error", [-4.0, 4.0]),
        # 0.5 plus 12.7062 * 4 * sqrt(2 / 3 / 4); 12.7062 is Student's t for 95% and one degree of
        # freedom.
        ([0.5, 0.5], bias.Scale(4.0, False), "represent", [0.0, 21.249]),
        # Ten equal values give 2.2622 * 4 * sqrt(2 / 11 / 12), with t for nine degrees of freedom.
        ([0.0] * 10, bias.Scale(4.0, True), "error", [-1.114, 1.114]),
        ([5e-324] * 9, bias.Scale(5e-324, False), "error", [5e-324, 5e-324]),
    ],
)
def test_an_interval_has_the_ends_computed_by_hand(
    values: list[float],
    scale: Any,
    category: str,
    ends: list[float] | None,
) -> None:
    assert bias.estimate_interval(values, scale, category) == (
        ends and pytest.approx(ends, abs=1e-3)
    )


def test_the_scale_is_the_one_given_or_the_one_that_all_rows_show() -> None:
    rows = [
        bias.explain(reply, anchor, "error") for reply, anchor in (("2", 4), ("3.5", 4), ("?", 1.5))
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
    assert [[entry[key] for key in keys] for entry in table] == [
        ["b", "represent", "repr_bias", 0.5, 2, 2, 0],
        ["a", "represent", "repr_bias", 0.0, 1, 1, 0],
        ["c", "error", "error_sensitivity", 1.5, 1, 1, 0],
        [None, "error", "error_sensitivity", 0.0, 1, 1, 0],
        ["b", "error", "error_sensitivity", -1.0, 1, 1, 0],
    ]
    # The type has two rows, and all six rows together show a scale of 2.5 points.
    assert table[0]["interval"] == pytest.approx(
        [0.0, 0.5 + 12.7062 * 2.5 * (2 / 3 / 4) ** 0.5], abs=1e-3
    )
    assert "by_type" not in metric.compute(
        **BY_HAND, perturbation_types=[None, "", float("nan"), pd.NA, "", ""]
    )


def test_per_example_says_why_in_the_order_of_the_rows(metric: Any) -> None:
    result = metric.compute(
        predictions=['{"overall_score": 2}', "\ud800?", "null", '{"overall_score": "a"}', "9", "1"],
        references=[4, 4, 3, 2, 5, 3],
        perturbation_categories=["error", "error", "represent", "represent", "error", "represent"],
        perturbation_types=["x\ud800", "", "y", "y", "y", "z"],
        score_range=(1, 5),
        per_example=True,
    )
    rows = [list(entry.values())[:-1] for entry in result["per_example"]]
    assert rows == [
        [2.0, 2.0, 4.0, "error", "x\ud800", None],
        [None, None, 4.0, "error", None, "no_score"],
        [None, None, 3.0, "represent", "y", "no_score"],
        [None, None, 2.0, "represent", "y", "bad_score"],
        [None, None, 5.0, "error", "y", "out_of_range"],
        [2.0, 1.0, 3.0, "represent", "z", None],
    ]
    assert [entry["note"] is None for entry in result["per_example"]] == [
        True,
        False,
        False,
        False,
        False,
        True,
    ]
    assert result["per_example"][4]["note"] == "the overall_score is 9.0, outside 1.0 to 5.0"
    assert result["failures"] == {"no_score": 2, "bad_score": 1, "out_of_range": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3.5, 4, "error"), "reply is 3.5"),
        (("4", None, "error"), "anchor is None"),
        (("4", -math.inf, "error"), "anchor is -inf"),
        (("4", 4, "errors"), "the category is 'errors'"),
        (("4", 4, "error", 5), "score_range is 5"),
    ],
)
def test_functions_refuse_bad_arguments_with_the_reason(
    arguments: tuple[Any, ...], message: str
) -> None:
    for refuse in (bias.score, lambda *given: bias.explain(*given[:3], None, *given[3:])):
        with pytest.raises((TypeError, ValueError), match=message) as caught:
            refuse(*arguments)
        assert not isinstance(caught.value, bias.NoScore)


ROW: dict[str, Any] = {
    "predictions": ["4"],
    "references": [4],
    "perturbation_categories": ["error"],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"perturbation_categories": [None]}, r"perturbation_categories\[0\] is None"),
        (
            {name: ROW[name] * 9 for name in ("predictions", "references")}
            | {"perturbation_categories": ["error", *(f"wrong {i}" for i in range(1, 9))]},
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
    assert metric.compute(**ROW)["n_error"] == 1  # nothing of it stayed


@pytest.mark.parametrize("ends", [[1.0, 5], np.array([1, 5]), (Fraction(1), 5)])
def test_a_range_may_be_of_any_numbers_and_the_result_can_be_saved(metric: Any, ends: Any) -> None:
    result = metric.compute(**{**ROW, "predictions": ["6"]}, score_range=ends, per_example=True)
    assert result["error_sensitivity_bounds"] == [-1.0, 3.0]
    assert "|score_range:1.0..5.0|" in result["signature"]
    assert json.loads(json.dumps(result)) == result


def test_rows_added_one_by_one_equal_compute_and_outlast_a_failed_call() -> None:
    scorer = load("judge_bias")
    rows = {**BY_HAND, "perturbation_types": ["x", "", "y", "x", "\ud800", ""]}
    for reply, anchor, category, kind in zip(*rows.values(), strict=True):
        given = {"perturbation_type": kind} if kind else {}
        scorer.add(prediction=reply, reference=anchor, perturbation_category=category, **given)
    with pytest.raises(ValueError, match=r"perturbation_categories\[0\] is 'wrong'"):
        scorer.add(prediction="3", reference=4, perturbation_category="wrong")
    with pytest.raises(
        ValueError, match=r"references\[0\] is 4.0, outside the score_range 5.0 to 6.0"
    ):
        scorer.compute(score_range=(5, 6))
    assert scorer.compute(per_example=True) == load("judge_bias").compute(**rows, per_example=True)


def test_no_mean_overflows(metric: Any) -> None:
    rows = {
        "predictions": ["1e100"] * 9,
        "references": [-1e100] * 9,
        "perturbation_categories": ["represent"] * 9,
    }
    low, high = metric.compute(**rows, signature=True)["repr_bias_interval"]
    assert 1e100 < low < 2e100 < high < 3e100
