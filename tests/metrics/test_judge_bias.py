"""judge_bias: what a reply's score is, bounds by brute force, intervals, bad input. By hand: its tests.py and card."""

import itertools
import json
import math
import random
import re
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.project import functions, load

bias = functions("judge_bias")

BY_HAND: dict[str, Any] = {
    "predictions": ["3.5", "3", "5", "2.5", "3.5", "4"],
    "references": [4, 3, 4.5, 4, 3.5, 3],
    "perturbation_categories": ["represent"] * 3 + ["error"] * 3,
}


@pytest.fixture(scope="module")
def metric() -> Any:
    """One object for the tests that leave nothing in it."""
    return load("judge_bias", keep_in_memory=True)


# fmt: off
REPLIES: list[tuple[str, float | str]] = [
    # an object with the key
    ('{"overall_score": 4}', 4.0), ('{"overall_score": -0.5e1}', -5.0), ('{"overall_score": "4"}', 4.0),
    ('{"overall_score": " +4.0\\n"}', 4.0), ('{"overall_score": ".5"}', 0.5), ('\ufeff{"overall\\u005fscore": 4}', 4.0),
    ('I think:\n```json\n{\n  "reasoning": "Good.",\n  "overall_score": 4\n}\n```\nThat is all.', 4.0),
    ('{"reasoning": "a \\"quoted\\" } brace, \ud800 北京 😀", "overall_score": 4}', 4.0),
    ('{"overall_score": 4, "ratio": NaN, "most": -Infinity, "digits": ' + "9" * 5000 + "}", 4.0),
    # which of several
    ('{"overall_score": 2} or rather {"overall_score": 4}', 4.0), ('{"overall_score": 4} {"other": 2}', 4.0),
    ('{"overall_score": 2, "overall_score": 4}', 4.0), ('{"overall_score": 4} {"overall_score": 2', 4.0),
    ('{{"overall_score": 4}}', 4.0), ('{ {"overall_score": 2}, {"overall_score": 4}, }', 4.0),
    # further in
    ('{"scores": {"overall_score": 4}}', 4.0), ('[{"overall_score": 2}, {"overall_score": 4}]', 4.0),
    ('{"a": {"overall_score": 2}, "overall_score": 4, "b": {"overall_score": 3}}', 4.0),
    ('{"a": {"overall_score": 2}, "b": {"overall_score": 4, "c": {"overall_score": 3}}}', 4.0),
    ('{"a": {"overall_score": 2}, "a": 1} {}', "no_score"),
    # a number alone
    ("4", 4.0), (" 4.50\n", 4.5), ("4.", 4.0), ("-3", -3.0), ("4e0", 4.0), ("1e999", "bad_score"),
    # thinking: forms of its marks, their places, and those that are part of a text
    ('<think>{"overall_score": 2}</think>{"overall_score": 4}', 4.0), ("<think>Is it 2?</think>\n\n4", 4.0),
    ('<|channel|>analysis<|message|>{"overall_score": 2}<|channel|>final<|message|>{"overall_score": 4}', 4.0),
    ("<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>4", 4.0),
    ('{"overall_score": 4}\n<reasoning>draft was {"overall_score": 2}</reasoning>', 4.0),
    ('<think>x</think>{"overall_score": 2, "reasoning": "a closing </think> tag"}', 2.0),
    ('[THINK]{"overall_score": 1}[/THINK] 3', 3.0), ('<THINK>{"overall_score": 1}</THINK> no', "no_score"),
    ('<thinking effort="high">{"overall_score": 1}</thinking> no', "no_score"),
    ('Okay.\n<think>{"overall_score": 1} hmm so', "no_score"), ('{"overall_score": 1} or so</think> No.', "no_score"),
    ('<think>a</think>{"overall_score": 4}</think> I cannot say.', "no_score"),
    ('<think>{"overall_score": 4}</think>{"overall_score": null}', "bad_score"),
    # no score
    ("4 5", "no_score"), ("٤", "no_score"), ("NaN", "no_score"), ('{"Overall_score": 4}', "no_score"),
    ("{'overall_score': 4}", "no_score"), ('{"overall_score": 4', "no_score"), ('{"overall_score": 4,}', "no_score"),
    ('{"overall_score": 04}', "no_score"), ('{"overall_score": "4\\x"}', "no_score"),
    ('{"a": "{\\"overall_score\\": 4}"}', "no_score"),
    # a score that is no number
    ('{"overall_score": ""}', "bad_score"), ('{"overall_score": "inf"}', "bad_score"),
    ('{"overall_score": true}', "bad_score"), ('{"overall_score": -Infinity}', "bad_score"),
    ('{"overall_score": ' + "9" * 5000 + "}", "bad_score"), ('{"overall_score": [4]}', "bad_score"),
    ('{"overall_score": {"overall_score": 4}}', "bad_score"),
    # very long
    ('{"a":' * 3000, "no_score"), ('{"a":' * 200 + '{"overall_score": 4}' + "}" * 200, 4.0),
    ('{"a": "' + '\\"' * 500_000 + '", "overall_score": "4"}', 4.0), (" " * 1_000_000 + "4", 4.0),
]
# fmt: on


def outcome(reply: str) -> float | str:
    """Return the score of a reply, or the code of the reason why it has none."""
    try:
        return bias.overall_score(reply)
    except bias.NoScore as none:
        return none.reason if 0 < len(str(none)) < 250 else "a message of no use"


@pytest.mark.parametrize(("reply", "said"), REPLIES, ids=range(len(REPLIES)))
def test_what_the_score_of_a_reply_is(reply: str, said: float | str) -> None:
    assert outcome(reply) == said


# The rule of the card as plainly as it can be said, at whatever cost.
DECODER = json.JSONDecoder(strict=False, parse_int=float)


def holds(value: Any) -> list[Any]:
    """Return [the deciding score], or [] where there is none."""
    if isinstance(value, dict) and "overall_score" in value:
        return [value["overall_score"]]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ([found for item in inner for found in holds(item)[-1:]] or [])[-1:]


def slow_number(value: Any) -> float | str:
    if isinstance(value, str):
        text = value.strip()
        plain = bool(re.fullmatch("[-+.0-9eE]+", text))
        try:
            value = float(text) if plain else None
        except ValueError:
            value = None
    fit = isinstance(value, float) and abs(value) <= 1e100
    return value if fit else "bad_score"


def slow_score(reply: str) -> float | str:
    """Character by character: a mark of thinking, an object, or a character of the text around them."""
    found: list[Any] = []
    around, place = "", 0
    while place < len(reply):
        rest = reply[place:]
        if rest.startswith(("</think>", "</analysis>")):
            found, around, place = [], "", place + rest.index(">") + 1
            continue
        if rest.startswith(("<think>", "<analysis>")):
            ends = [at for mark in ("</think>", "</analysis>") if (at := rest.find(mark, 1)) >= 0]
            place = place + rest.index(">", min(ends)) + 1 if ends else len(reply)
            continue
        try:
            value, place = DECODER.raw_decode(reply, place) if rest[0] == "{" else (None, place + 1)
        except ValueError:
            value, place = None, place + 1
        found, around = holds(value) or found, around + rest[0]
    if re.fullmatch(r"\s*[-+.0-9][-+.0-9eE]*\s*", around) and isinstance(slow_number(around), float):
        return slow_number(around)
    return slow_number(found[0]) if found else "no_score"


PIECES = (
    '{ } [ ] " : , \\ \\" {" "} {} [] 4 0 - . .5 e1 4.5 true null NaN -Infinity "a" "a": \\u0041 \\x \ud800 <think> '
    '</think> ```json overall_score "overall_score" "overall_score": {"overall_score": "overall_score":4 "4" '
    '{"overall_score":2} {"a":{"overall_score":3}} ,"b":[ ,"a":{ }} ]}'
).split()
VALUES = st.recursive(
    st.sampled_from([4, 2.5, -1, "4", "x", True, None, float("nan"), '{"overall_score": 1}', "a } b { c"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["overall_score", "a", "b", '"']), inner)
    ),
    max_leaves=12,
)


SCRAPS = st.lists(st.sampled_from([*PIECES, " ", "\n", "\x00"]), max_size=20).map("".join)
WHOLE = st.lists(VALUES.map(json.dumps), min_size=1, max_size=3).map(" or ".join)


@settings(max_examples=200, deadline=None)
@given(SCRAPS | WHOLE, st.integers(0, 60))
@example('{"a":{},"b":[{"overall_score":2},{"a":"{"b":1,"overall_score":3}"', 0)
@example('{"":"{"overall_score":4}","a":{"overall_score":2}} "', 0)
def test_json_whole_and_broken_equals_the_slow_version(reply: str, at: int) -> None:
    for broken in (reply, reply[:at] + reply[at + 1 :], reply[: at + 1] + reply[at:], reply[at:]):
        assert outcome(broken) == slow_score(broken)


def row(category: str, anchor: float, value: float | None) -> Any:
    return bias.explain("?" if value is None else str(value), anchor, category, None, (0, 10))


quarters = st.integers(0, 40).map(lambda n: n / 4)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["represent", "error"]),
    st.lists(st.tuples(quarters, st.none() | quarters), min_size=1, max_size=6),
    st.sampled_from([(0, 10), (-1, 10.5), (0, 20)]),
)
def test_bounds_equal_brute_force(
    category: str, rows: list[tuple[float, float | None]], ends: tuple[float, float]
) -> None:
    """Whatever the unscored replies had said: at the ends of the range and at the anchor the mean is extreme."""
    entries = [row(category, anchor, value) for anchor, value in rows]
    choices = [[value] if value is not None else [ends[0], anchor, ends[1]] for anchor, value in rows]
    means = [
        fmean(bias.deviation(value, anchor, category) for value, (anchor, _) in zip(values, rows, strict=True))
        for values in itertools.product(*choices)
    ]
    assert bias.bounds(entries, ends) == pytest.approx([min(means), max(means)], abs=1e-12)


def slow_interval(values: list[float]) -> list[float]:
    stream, column = np.random.RandomState(0), sorted(values)
    means = []
    for _ in range(2000):
        total = 0.0
        for _ in column:
            total += column[int(stream.random_sample() * len(column))]
        means.append(min(max(total / len(column), column[0]), column[-1]))
    means.sort()
    return [means[50], means[1949]]


def test_intervals_equal_a_slow_bootstrap() -> None:
    values = [1 / 3, *(random.Random(2).gauss(1, 1) for _ in range(15))]
    want = slow_interval(values)
    assert bias.interval(values) == want
    assert bias.interval(values[::-1]) == want


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.0, 1e100, 5e-324])
def test_an_interval_of_equal_values_is_exact(value: float) -> None:
    assert [bias.interval([value] * n) for n in (2, 3, 1000)] == [[value, value]] * 3


def test_an_interval_is_frozen() -> None:
    """The same numbers on every machine and with every numpy: these were computed once and written down."""
    assert bias.interval([1 / k - 0.3 for k in range(1, 14)]) == [-0.16724109224109224, 0.09292374292374289]


def test_the_table_by_type(metric: Any) -> None:
    table = metric.compute(**BY_HAND, perturbation_types=["b", "a", "b", "c", None, "b"])["by_type"]
    keys = ("perturbation_type", "perturbation_category", "measure", "mean", "n", "n_scored", "unparsed")
    assert [[entry[key] for key in keys] for entry in table] == [
        ["b", "represent", "repr_bias", 0.5, 2, 2, 0],
        ["a", "represent", "repr_bias", 0.0, 1, 1, 0],
        ["c", "error", "error_sensitivity", 1.5, 1, 1, 0],
        [None, "error", "error_sensitivity", 0.0, 1, 1, 0],
        ["b", "error", "error_sensitivity", -1.0, 1, 1, 0],
    ]
    assert table[0]["interval"] == [0.5, 0.5]
    assert "by_type" not in metric.compute(**BY_HAND, perturbation_types=[None, "", float("nan"), pd.NA, "", ""])


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
    assert [entry["note"] is None for entry in result["per_example"]] == [True, False, False, False, False, True]
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
def test_what_the_pure_functions_refuse(arguments: tuple[Any, ...], message: str) -> None:
    for refuse in (bias.score, lambda *given: bias.explain(*given[:3], None, *given[3:])):
        with pytest.raises((TypeError, ValueError), match=message) as caught:
            refuse(*arguments)
        assert not isinstance(caught.value, bias.NoScore)


ROW: dict[str, Any] = {"predictions": ["4"], "references": [4], "perturbation_categories": ["error"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"perturbation_categories": [None]}, r"perturbation_categories\[0\] is None"),
        ({"perturbation_types": [3]}, r"perturbation_types\[0\] is 3 \(int\)"),
        ({"score_range": (4, 4)}, r"score_range is \(4, 4\)"),
        ({"score_range": (1, math.inf)}, r"score_range is \(1, inf\)"),
        ({"score_range": "15"}, "score_range is '15'; None or two numbers"),
        ({"score_range": (False, True)}, r"score_range is \(False, True\)"),
        ({"perturbation_category": ["error"]}, "did you mean 'perturbation_categories'"),
    ],
)
def test_bad_input_is_refused_by_row_and_value(metric: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        metric.compute(**{**ROW, **change})
    assert len(str(caught.value)) < 400
    assert metric.compute(**ROW)["n_error"] == 1  # nothing of it stayed


def test_many_wrong_categories_are_named_and_counted(metric: Any) -> None:
    rows = {"predictions": ["4"] * 9, "references": [4] * 9}
    with pytest.raises(ValueError, match=r"\[1\] is 'wrong 1', \[2\] is 'wrong 2', \[3\] is 'wrong 3' and 5 more"):
        metric.compute(**rows, perturbation_categories=["error", *(f"wrong {i}" for i in range(1, 9))])


@pytest.mark.parametrize("ends", [[1.0, 5], np.array([1, 5]), (Fraction(1), 5)])
def test_a_range_may_be_of_any_numbers_and_the_result_can_be_saved(metric: Any, ends: Any) -> None:
    result = metric.compute(**{**ROW, "predictions": ["6"]}, score_range=ends, per_example=True)
    assert result["error_sensitivity_bounds"] == [-1.0, 3.0]
    assert "|score_range:1.0..5.0|" in result["signature"]
    assert json.loads(json.dumps(result)) == result


def test_rows_added_one_by_one_equal_compute_and_outlast_a_failed_call() -> None:
    scorer, rows = load("judge_bias"), {**BY_HAND, "perturbation_types": ["x", "", "y", "x", "\ud800", ""]}
    for reply, anchor, category, kind in zip(*rows.values(), strict=True):
        given = {"perturbation_type": kind} if kind else {}
        scorer.add(prediction=reply, reference=anchor, perturbation_category=category, **given)
    with pytest.raises(ValueError, match=r"perturbation_categories\[0\] is 'wrong'"):
        scorer.add(prediction="3", reference=4, perturbation_category="wrong")
    with pytest.raises(ValueError, match=r"references\[0\] is 4.0, outside the score_range 5.0 to 6.0"):
        scorer.compute(score_range=(5, 6))
    assert scorer.compute(per_example=True) == load("judge_bias").compute(**rows, per_example=True)


def test_no_mean_overflows(metric: Any) -> None:
    rows = {"predictions": ["1e100"] * 9, "references": [-1e100] * 9, "perturbation_categories": ["represent"] * 9}
    assert metric.compute(**rows, signature=True)["repr_bias_interval"] == [2e100, 2e100]
