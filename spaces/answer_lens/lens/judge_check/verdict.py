"""Summarizes the numbers of a judge check in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas

from lens.judge_check.numbers import JudgeCheck, Range
from lens.words import join_sentences, say
from lens.words.formats import cut_text, format_percent
from lens.words.printed import make_one_line

# A sensitivity, or a difference of two numbers, below this share of the scale is negligible.
NEGLIGIBLE_SHARE = 0.05
# If at least this share of the scores is the same, a judge distinguishes almost nothing.
CONSTANT_SHARE = 0.95
# More unparsed replies or ties than this share are reported.
MANY_UNPARSED = MANY_TIES = 0.1
# How many types a sentence names, and how many characters of each name.
MAX_TYPES, MAX_TYPE_NAME = 5, 80
# The fewest rows for a conclusion, and for naming a type with its number of rows.
MIN_ROWS, MIN_ROWS_OF_TYPE = 10, 5

# The keys of sentences that say that errors lower the scores, or raise them.
ERRORS_LOWER_SCORES = (
    "judge_check.verdict.more",
    "judge_check.verdict.less",
    "judge_check.verdict.alike",
)
ERRORS_RAISE_SCORES = ("judge_check.verdict.reversed",)
# The keys of the other sentences about errors, unless they suggest that errors raise the scores.
ERRORS_MAY_NOT_RAISE = (
    *ERRORS_LOWER_SCORES,
    "judge_check.verdict.blind",
    "judge_check.verdict.unsure",
    "judge_check.verdict.unclear_below",
)


def summarize_check(check: JudgeCheck) -> str:
    """Return the sentences that summarize the numbers."""
    result = check.bias.result
    if result is None:
        return describe_accuracy(check)
    if not result["n_scored"]:
        return join_sentences(say("judge_check.verdict.none"), describe_accuracy(check))
    rows = select_scored_rows(result)
    key = choose_sentence(result, rows, check.scale)
    return join_sentences(
        describe_replies(key, rows),
        describe_rewarded(key, result),
        describe_contradiction(key, check),
        describe_unparsed(result),
    )


def select_scored_rows(result: Mapping[str, Any]) -> pandas.DataFrame:
    """Return the score and the anchor score of each scored row, indexed by category."""
    names = ["perturbation_category", "overall_score", "anchor_score"]
    rows = pandas.DataFrame(result["per_example"], columns=names).set_index(names[0])
    return rows.astype(float).dropna()


def choose_sentence(result: Mapping[str, Any], rows: pandas.DataFrame, scale: Range | None) -> str:
    """Return the key of the sentence on bias and sensitivity."""
    scores = rows["overall_score"]
    most_frequent = scores.mode()[0]
    equal_shares = (scores == most_frequent).groupby(level="perturbation_category").mean()
    if len(scores) >= MIN_ROWS and equal_shares.min() >= CONSTANT_SHARE:
        return "judge_check.verdict.constant"
    if (rows.index == "error").sum() < MIN_ROWS:
        return "judge_check.verdict.few_errors"
    if scale is None:
        # The range of the middle 90% of the scores stands in for the scale.
        scale = (scores.quantile(0.05, "higher"), scores.quantile(0.95, "lower"))
    lowest_score, highest_score = scale
    negligible = NEGLIGIBLE_SHARE * (highest_score - lowest_score)
    low, high = result["error_sensitivity_interval"]
    if max(-low, high) <= negligible:
        return "judge_check.verdict.blind"
    if low <= 0 <= high:
        return "judge_check.verdict.unsure"
    return compare_with_rewording(result, rows, negligible)


def compare_with_rewording(
    result: Mapping[str, Any], rows: pandas.DataFrame, negligible: float
) -> str:
    """Return the key of the sentence that compares the effect of errors with that of rewording.

    The scores of reworded texts may differ from their anchors as much as those of texts with
    errors. Then it is unclear whether errors are the reason.

    Args:
        result: the result of judge_bias.
        rows: the scored rows.
        negligible: the largest negligible difference.
    """
    low, high = result["error_sensitivity_interval"]
    # Whether errors are scored below or above their anchors.
    side = "below" if low > 0 else "above"
    reworded = rows[rows.index == "represent"]
    falls = reworded["anchor_score"] - reworded["overall_score"]
    if len(falls) < MIN_ROWS:
        return f"judge_check.verdict.unclear_{side}"
    mean_fall = falls.mean()
    # About half of a 95% interval.
    margin = 2 * falls.sem()
    falls_as_much = mean_fall + margin >= low
    if side == "above":
        falls_as_much = mean_fall - margin <= high
    if falls_as_much or abs(result["error_sensitivity"] - mean_fall) <= negligible:
        return f"judge_check.verdict.unclear_{side}"
    if side == "above":
        return "judge_check.verdict.reversed"
    # The bias is how far rewording moves scores, down or up.
    lowest_bias, highest_bias = result["repr_bias_interval"]
    if low > highest_bias:
        return "judge_check.verdict.more"
    return "judge_check.verdict.less" if high < lowest_bias else "judge_check.verdict.alike"


def describe_replies(key: str, rows: pandas.DataFrame) -> str:
    """Return the sentence of this key.

    If the judge does not see errors, another sentence says that a low bias is then no merit.
    """
    scores = rows["overall_score"]
    most_frequent = scores.mode()[0]
    sentence = say(
        key,
        least=MIN_ROWS,
        score=f"{most_frequent:g}",
        scored=len(scores),
        same=(scores == most_frequent).sum(),
    )
    sees_no_errors = key in (
        "judge_check.verdict.constant",
        "judge_check.verdict.blind",
        "judge_check.verdict.few_errors",
    )
    if sees_no_errors and "represent" in rows.index:
        return join_sentences(sentence, say("judge_check.verdict.no_merit"))
    return sentence


def describe_rewarded(key: str, result: Mapping[str, Any]) -> str:
    """Return a sentence on the types of errors that certainly raise the scores.

    It is empty if there are none, or if the first sentence says so of all errors.
    """
    rewarded = [row for row in result.get("by_type", ()) if is_rewarded(row)]
    if not rewarded or key not in ERRORS_MAY_NOT_RAISE:
        return ""
    types = []
    for row in rewarded[:MAX_TYPES]:
        values = {
            "name": show_type(row["perturbation_type"]),
            "mean": f"{row['mean']:.2f}",
            "count": row["n_scored"],
        }
        types.append(say("judge_check.verdict.type", **values))
    text = say("page.list_comma").join(types)
    if len(rewarded) > MAX_TYPES:
        text += say("page.and_more", count=len(rewarded) - MAX_TYPES)
    return say("judge_check.verdict.rewarded", types=text)


def is_rewarded(row: Mapping[str, Any]) -> bool:
    """Return whether errors of a type certainly raise the scores."""
    if row["measure"] != "error_sensitivity" or not row["interval"]:
        return False
    _, high = row["interval"]
    return bool(row["n_scored"] >= MIN_ROWS_OF_TYPE and high < 0)


def show_type(name: object) -> str:
    """Return a perturbation type for a sentence, shortened to MAX_TYPE_NAME characters."""
    line = make_one_line(str(name or ""))
    if not line:
        line = say("judge_check.no_type")
    return cut_text(line, MAX_TYPE_NAME)


def describe_contradiction(key: str, check: JudgeCheck) -> str:
    """Return a sentence if scores and log-probabilities certainly contradict each other."""
    if not check.accuracy.result:
        return ""
    accuracy = classify_accuracy(check.accuracy.result)
    is_contradiction = (accuracy == "above" and key in ERRORS_RAISE_SCORES) or (
        accuracy == "below" and key in ERRORS_LOWER_SCORES
    )
    if not is_contradiction:
        return ""
    return join_sentences(say("judge_check.verdict.disagree"), describe_accuracy(check))


def describe_unparsed(result: Mapping[str, Any]) -> str:
    """Return a sentence if many replies could not be parsed; empty if few could not."""
    unparsed = result["unparsed"]
    rows = len(result["per_example"])
    if unparsed <= MANY_UNPARSED * rows:
        return ""
    return say("judge_check.verdict.unparsed", unparsed=unparsed, rows=rows)


def classify_accuracy(result: Mapping[str, Any]) -> str:
    """Return "above", "below" or "chance" for an accuracy; "few" or "ties" if it is unclear."""
    if result["n"] < MIN_ROWS or result["interval"] is None:
        return "few"
    if result["ties"] > MANY_TIES * result["n"]:
        return "ties"
    low, high = result["interval"]
    if low > 0.5:
        return "above"
    if high < 0.5:
        return "below"
    return "chance"


def describe_accuracy(check: JudgeCheck) -> str:
    """Return the sentence on reward accuracy; empty if there are no log-probabilities."""
    result = check.accuracy.result
    if result is None:
        return ""
    share = format_percent(result["reward_accuracy"])
    return say(
        f"judge_check.verdict.{classify_accuracy(result)}",
        share=share,
        ties=result["ties"],
        pairs=result["n"],
        least=MIN_ROWS,
    )
