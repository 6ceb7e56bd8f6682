"""judge_bias: means worked out by hand, what a reply's score is, bounds by brute force, intervals, bad input."""

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

CATEGORIES = ["represent"] * 3 + ["error"] * 3
BY_HAND: dict[str, Any] = {
    "predictions": ["3.5", "3", "5", "2.5", "3.5", "4"],
    "references": [4, 3, 4.5, 4, 3.5, 3],
    "perturbation_categories": CATEGORIES,
}


@pytest.fixture(scope="module")
def metric() -> Any:
    """One object for the tests that leave nothing in it."""
    return load("judge_bias", keep_in_memory=True)


def test_both_means_by_hand(metric: Any) -> None:
    result = metric.compute(**BY_HAND)
    assert result["repr_bias"] == pytest.approx(1 / 3, abs=1e-15)  # (0.5 + 0 + 0.5) / 3
    assert result["error_sensitivity"] == pytest.approx(1 / 6, abs=1e-15)  # (1.5 + 0 - 1) / 3
    assert (result["n_represent"], result["n_error"], result["n_scored"], result["unparsed"]) == (3, 3, 6, 0)
    assert (result["failures"], result["by_type"], result["repr_bias_bounds"]) == ({}, [], None)
    assert "per_example" not in result


# fmt: off
REPLIES: list[tuple[str, float | str]] = [
    # an object with the key
    ('{"overall_score": 4}', 4.0), ('{"overall_score": -0.5e1}', -5.0), ('{"overall_score": "4"}', 4.0),
    ('{"overall_score": " +4.0\\n"}', 4.0), ('{"overall_score": ".5"}', 0.5), ('\ufeff{"overall\\u005fscore": 4}', 4.0),
    ('I think:\n```json\n{\n  "reasoning": "Good.",\n  "overall_score": 4\n}\n```\nThat is all.', 4.0),
    ('{"reasoning": "two\nlines\tand a \x01", "overall_score": 4}', 4.0),
    ('{"reasoning": "a \\"quoted\\" } brace, \ud800 北京 😀", "overall_score": 4}', 4.0),
    ('{"overall_score": 4, "ratio": NaN, "most": -Infinity, "digits": ' + "9" * 5000 + "}", 4.0),
    # which of several
    ('{"overall_score": 2} or rather {"overall_score": 4}', 4.0), ('{"overall_score": 4} {"other": 2}', 4.0),
    ('{"overall_score": 2, "overall_score": 4}', 4.0), ('{"overall_score": 4} {"overall_score": 2', 4.0),
    ('{{"overall_score": 4}}', 4.0), ('{ {"overall_score": 2}, {"overall_score": 4}, }', 4.0),
    ("{'overall_score': 2} {\"overall_score\": 4}", 4.0), ('{"x": "{ "overall_score": 4 }"}', 4.0),
    # further in
    ('{"scores": {"overall_score": 4}}', 4.0), ('[{"overall_score": 2}, {"overall_score": 4}]', 4.0),
    ('{"a": {"overall_score": 2}, "overall_score": 4, "b": {"overall_score": 3}}', 4.0),
    ('{"a": {"overall_score": 2}, "b": {"overall_score": 4, "c": {"overall_score": 3}}}', 4.0),
    ('{"a": {"overall_score": 2}, "a": 1} {}', "no_score"),
    # a number alone
    ("4", 4.0), (" 4.50\n", 4.5), ("4.", 4.0), ("-3", -3.0), ("4e0", 4.0), ("1e999", "bad_score"),
    # thinking: forms of its marks, their places, and those that are part of a text
    ('<think>{"overall_score": 2}</think>{"overall_score": 4}', 4.0), ("<think>Is it 2?</think>\n\n4", 4.0),
    ('{"overall_score": 2}</think>{"overall_score": 4}', 4.0),
    ('<think>a</think>b<think>{"overall_score": 2}</think>{"overall_score": 4}', 4.0),
    ('<|channel|>analysis<|message|>{"overall_score": 2}<|channel|>final<|message|>{"overall_score": 4}', 4.0),
    ("<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>4", 4.0),
    ('<|start|>assistant<|channel|>analysis<|message|>{"overall_score": 2}', "no_score"),
    ('{"overall_score": 4}\n<reasoning>draft was {"overall_score": 2}</reasoning>', 4.0),
    ('<think>x</think>{"overall_score": 2, "reasoning": "a closing </think> tag"}', 2.0),
    ('[THINK]{"overall_score": 1}[/THINK] 3', 3.0), ('<THINK>{"overall_score": 1}</THINK> no', "no_score"),
    ('<thinking effort="high">{"overall_score": 1}</thinking> no', "no_score"),
    ('Okay.\n<think>{"overall_score": 1} hmm so', "no_score"), ('{"overall_score": 1} or so</think> No.', "no_score"),
    ('<think>a</think>{"overall_score": 4}</think> I cannot say.', "no_score"),
    ('<think>{"overall_score": 4}</think>{"overall_score": null}', "bad_score"),
    # no score
    ("", "no_score"), (" \n", "no_score"), ("I give it 4.", "no_score"), ("4/5", "no_score"), ("4 5", "no_score"),
    ("٤", "no_score"), ("NaN", "no_score"), ('{"score": 4}', "no_score"), ('{"Overall_score": 4}', "no_score"),
    ("{'overall_score': 4}", "no_score"), ('{"overall_score": 4', "no_score"), ('{"overall_score": 4,}', "no_score"),
    ('{"overall_score": 04}', "no_score"), ('{"overall_score": +4}', "no_score"), ('{"overall_score": 4.}', "no_score"),
    ('{"overall_score": "4\\x"}', "no_score"), ('{"a": "{\\"overall_score\\": 4}"}', "no_score"),
    # a score that is no number
    ('{"overall_score": "4/5"}', "bad_score"), ('{"overall_score": ""}', "bad_score"),
    ('{"overall_score": "٤"}', "bad_score"), ('{"overall_score": "1_0"}', "bad_score"),
    ('{"overall_score": "inf"}', "bad_score"), ('{"overall_score": true}', "bad_score"),
    ('{"overall_score": NaN}', "bad_score"), ('{"overall_score": -Infinity}', "bad_score"),
    ('{"overall_score": 1e101}', "bad_score"), ('{"overall_score": ' + "9" * 5000 + "}", "bad_score"),
    ('{"overall_score": [4]}', "bad_score"), ('{"overall_score": {"overall_score": 4}}', "bad_score"),
    ('{"overall_score": "\ud800"}', "bad_score"), ('{"overall_score": 4} {"overall_score": null}', "bad_score"),
]
# fmt: on


def outcome(reply: str, score_range: tuple[float, float] | None = None) -> float | str:
    """Return the score of a reply, or the code of the reason why it has none."""
    try:
        return bias.overall_score(reply, score_range)
    except bias.NoScore as none:
        return none.reason if 0 < len(str(none)) < 250 else "a message of no use"


@pytest.mark.parametrize(("reply", "said"), REPLIES)
def test_what_the_score_of_a_reply_is(reply: str, said: float | str) -> None:
    assert outcome(reply) == said


@pytest.mark.parametrize(
    ("reply", "said"),
    [("1", 1.0), ("5", 5.0), ("0.99", "out_of_range"), ('{"overall_score": 5.01}', "out_of_range"), ("x", "no_score")],
)
def test_both_ends_of_the_range_are_in_it(reply: str, said: float | str) -> None:
    assert outcome(reply, (1, 5)) == said


def test_a_score_that_is_no_number_is_named() -> None:
    for value, shown in [('"f\\u00e4ir"', "'fäir'"), ("null", "None"), ("[1]", "[1.0]"), ("{}", "{}")]:
        with pytest.raises(bias.NoScore, match=re.escape(f"the overall_score is {shown}; a finite number")):
            bias.overall_score(f'{{"overall_score": {value}}}')


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


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"a":' * 3000, "no_score"),
        ('{"a":' * 200 + '{"overall_score": 4}' + "}" * 200, 4.0),
        ("{" * 100_000, "no_score"),
        ('{"a": "' + '\\"' * 500_000 + '", "overall_score": "4"}', 4.0),
        ('{"overall_score": "' + "1" * 1_000_000 + '"}', "bad_score"),
        (" " * 1_000_000 + "4", 4.0),
    ],
    ids=["nested", "far inside", "braces", "escapes", "digits", "spaces"],
)
def test_a_very_long_reply(reply: str, said: float | str) -> None:
    assert outcome(reply) == said


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


def test_bounds_by_hand(metric: Any) -> None:
    rows = {"predictions": ["4", "?", "?", "6"], "references": [4, 3, 4, 5], "score_range": (1, 5)}
    result = metric.compute(**rows, perturbation_categories=["represent", "represent", "error", "error"])
    assert result["repr_bias_bounds"] == [0.0, 1.0]  # 0 and 0 to 2
    assert result["error_sensitivity_bounds"] == [-1 / 2, 7 / 2]  # -1 to 3 and 0 to 4
    assert (result["repr_bias"], result["error_sensitivity"]) == (0.0, None)
    result = metric.compute(**rows, perturbation_categories=["error"] * 4)
    assert (result["repr_bias"], result["repr_bias_interval"], result["repr_bias_bounds"]) == (None, None, None)
    whole = metric.compute(**BY_HAND, score_range=[1, 5])
    assert whole["repr_bias_bounds"] == [whole["repr_bias"]] * 2


def test_an_interval_needs_two_values_and_is_exact_for_equal_ones() -> None:
    assert (bias.interval([]), bias.interval([3.0])) == (None, None)
    for value in (0.1, 1 / 3, -0.7, 0.0, 1e100, 5e-324):
        for n in (2, 3, 7, 1000):
            assert bias.interval([value] * n) == [value, value]


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


def test_an_interval_is_frozen() -> None:
    """The same numbers on every machine and with every numpy: these were computed once and written down."""
    assert bias.interval([1 / k - 0.3 for k in range(1, 14)]) == [-0.16724109224109224, 0.09292374292374289]


def test_order_of_rows_moves_nothing(metric: Any) -> None:
    rows = list(zip(*BY_HAND.values(), strict=True))
    random.Random(1).shuffle(rows)
    shuffled = dict(zip(BY_HAND, map(list, zip(*rows, strict=True)), strict=True))
    assert shuffled != BY_HAND
    assert metric.compute(**shuffled) == metric.compute(**BY_HAND)


def test_the_table_by_type(metric: Any) -> None:
    kinds = ["b", "a", "b", "c", None, "b"]
    table = metric.compute(**BY_HAND, perturbation_types=kinds)["by_type"]
    assert [(e["perturbation_type"], e["perturbation_category"], e["measure"], e["mean"]) for e in table] == [
        ("b", "represent", "repr_bias", 0.5),
        ("a", "represent", "repr_bias", 0.0),
        ("c", "error", "error_sensitivity", 1.5),
        (None, "error", "error_sensitivity", 0.0),
        ("b", "error", "error_sensitivity", -1.0),
    ]
    assert table[0]["interval"] == [0.5, 0.5]
    assert [(e["n"], e["n_scored"], e["unparsed"]) for e in table] == [(2, 2, 0), *[(1, 1, 0)] * 4]
    assert metric.compute(**BY_HAND, perturbation_types=[None, "", float("nan"), pd.NA, "", ""])["by_type"] == []


def test_per_example_says_why_in_the_order_of_the_rows(metric: Any) -> None:
    result = metric.compute(
        predictions=['{"overall_score": 2}', "\ud800?", "null", '{"overall_score": "a"}', "9", "1"],
        references=[4, 4, 3, 2, 5, 3],
        perturbation_categories=["error", "error", "represent", "represent", "error", "represent"],
        perturbation_types=["x\ud800", "", "y", "y", "y", "z"],
        score_range=(1, 5),
        per_example=True,
    )
    rows = result["per_example"]
    assert [entry["score"] for entry in rows] == [2.0, None, None, None, None, 2.0]
    assert [entry["overall_score"] for entry in rows] == [2.0, None, None, None, None, 1.0]
    assert [entry["anchor_score"] for entry in rows] == [4.0, 4.0, 3.0, 2.0, 5.0, 3.0]
    assert [entry["perturbation_type"] for entry in rows] == ["x\ud800", None, "y", "y", "y", "z"]
    reasons = [None, "no_score", "no_score", "bad_score", "out_of_range", None]
    assert [entry["reason"] for entry in rows] == reasons
    assert [entry["note"] is None for entry in rows] == [reason is None for reason in reasons]
    assert rows[4]["note"] == "the overall_score is 9.0, outside 1.0 to 5.0"
    assert result["failures"] == {"no_score": 2, "bad_score": 1, "out_of_range": 1}
    assert list(rows[0]) == [
        "score", "overall_score", "anchor_score", "perturbation_category", "perturbation_type", "reason", "note",
    ]  # fmt: skip


def test_the_pure_function_is_the_score_of_a_row() -> None:
    assert bias.score("3.5", 4, "represent") == bias.score("3.5", 4, "error") == 0.5
    assert bias.score("5", 4, "error") == -1
    with pytest.raises(ValueError, match="the category is 'errors'"):
        bias.score("5", 4, "errors")
    with pytest.raises(bias.NoScore, match=r"outside 1\.0 to 5\.0"):
        bias.score("6", 4, "error", (1, 5))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((3.5, 4, "error"), TypeError, "reply is 3.5"),
        (("4", None, "error"), TypeError, "anchor is None"),
        (("4", True, "error"), TypeError, "anchor is True"),
        (("4", -math.inf, "error"), ValueError, "anchor is -inf"),
        (("4", 10**400, "error"), ValueError, "anchor is 1000"),
        (("4", 4, "error", 5), TypeError, "score_range is 5"),
    ],
)
def test_what_the_pure_functions_refuse(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        bias.score(*arguments)
    assert not isinstance(caught.value, bias.NoScore)
    with pytest.raises(error, match=message):
        bias.explain(*arguments[:3], None, *arguments[3:])


ROW: dict[str, Any] = {"predictions": ["4"], "references": [4], "perturbation_categories": ["error"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"perturbation_categories": [None]}, r"perturbation_categories\[0\] is None"),
        ({"perturbation_categories": None}, "perturbation_categories is missing"),
        ({"perturbation_types": [3]}, r"perturbation_types\[0\] is 3 \(int\)"),
        ({"score_range": (4, 4)}, r"score_range is \(4, 4\)"),
        ({"score_range": (1, math.inf)}, r"score_range is \(1, inf\)"),
        ({"score_range": (0, 10**400)}, r"score_range is \(0, 10000"),
        ({"score_range": "15"}, "score_range is '15'; None or two numbers"),
        ({"score_range": (1, 3, 5)}, r"score_range is \(1, 3, 5\)"),
        ({"score_range": (False, True)}, r"score_range is \(False, True\)"),
        ({"score_range": {1, 5}}, r"score_range is \{1, 5\}"),
        ({"perturbation_category": ["error"]}, "did you mean 'perturbation_categories'"),
    ],
)
def test_bad_input_is_refused_by_row_and_value(metric: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        metric.compute(**{**ROW, **change})
    assert len(str(caught.value)) < 400
    assert metric.compute(**ROW)["n_error"] == 1  # nothing of it stayed


def test_many_wrong_categories_are_named_and_counted(metric: Any) -> None:
    categories = ["error", *(f"wrong {i}" for i in range(1, 9))]
    with pytest.raises(ValueError, match=r"\[1\] is 'wrong 1', \[2\] is 'wrong 2', \[3\] is 'wrong 3' and 5 more"):
        metric.compute(predictions=["4"] * 9, references=[4] * 9, perturbation_categories=categories)


@pytest.mark.parametrize("ends", [(1, 5), [1.0, 5], np.array([1, 5]), (np.int64(1), np.float32(5)), (Fraction(1), 5)])
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
    assert metric.compute(**rows)["repr_bias_interval"] == [2e100, 2e100]
