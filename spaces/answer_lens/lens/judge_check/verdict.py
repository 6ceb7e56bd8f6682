"""Summarizes the numbers of a judge check in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas

from lens.judge_check.numbers import Check, Range
from lens.words import join_sentences, say
from lens.words.formats import cut_text, format_percent
from lens.words.printed import make_one_line

# A sensitivity, or a difference of two numbers, below this share of the scale is negligible.
NEGLIGIBLE = 0.05
# If at least this share of the scores is the same, a judge distinguishes almost nothing.
CONSTANT = 0.95
MANY_UNPARSED = MANY_TIES = 0.1
# The most types that a sentence names, and the longest name in characters.
MAX_TYPES, MAX_TYPE_NAME = 5, 80
# The fewest rows for a conclusion. A type is named with fewer rows, together with their number.
LEAST_ROWS, LEAST_OF_TYPE = 10, 5

# The sentences which say that errors lower the scores, or raise them.
FALLS, RISES = (
    ("judge_check.verdict.more", "judge_check.verdict.less", "judge_check.verdict.alike"),
    ("judge_check.verdict.reversed",),
)
# The sentences about errors which do not say that errors raise the scores.
UNRAISED = (
    *FALLS,
    "judge_check.verdict.blind",
    "judge_check.verdict.unsure",
    "judge_check.verdict.unclear_below",
)


def summarize_check(found: Check) -> str:
    """Return the sentences that summarize the numbers."""
    result = found.bias.result
    if result is None:
        return describe_accuracy(found)
    if not result["n_scored"]:
        return join_sentences(say("judge_check.verdict.none"), describe_accuracy(found))
    rows = select_scored_rows(result)
    key = choose_sentence(result, rows, found.scale)
    return join_sentences(
        describe_replies(key, rows),
        describe_rewarded(key, result),
        describe_contradiction(key, found),
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
    same = (scores == scores.mode()[0]).groupby(level=0).mean()
    if len(scores) >= LEAST_ROWS and same.min() >= CONSTANT:
        return "judge_check.verdict.constant"
    if (rows.index == "error").sum() < LEAST_ROWS:
        return "judge_check.verdict.few_errors"
    low, high = result["error_sensitivity_interval"]
    # If no scale is given, it is the range of the middle 90% of the scores.
    ends = scale or (scores.quantile(0.05, "higher"), scores.quantile(0.95, "lower"))
    little = NEGLIGIBLE * (ends[1] - ends[0])
    if max(-low, high) <= little:
        return "judge_check.verdict.blind"
    if low <= 0 <= high:
        return "judge_check.verdict.unsure"
    return compare_with_rewording(result, rows, little)


def compare_with_rewording(result: Mapping[str, Any], rows: pandas.DataFrame, little: float) -> str:
    """Return the key of the sentence that compares the effect of errors with that of rewording.

    The scores of reworded texts may differ from their anchors as much as those of texts with
    errors.

    Args:
        result: the result of judge_bias.
        rows: the scored rows.
        little: a negligible difference.
    """
    low, high = result["error_sensitivity_interval"]
    side = "below" if low > 0 else "above"
    falls = (rows["anchor_score"] - rows["overall_score"])[rows.index == "represent"]
    if len(falls) < LEAST_ROWS:
        return f"judge_check.verdict.unclear_{side}"
    mean, error = falls.mean(), 2 * falls.sem()
    reaches = mean + error >= low if low > 0 else mean - error <= high
    if reaches or abs(result["error_sensitivity"] - mean) <= little:
        return f"judge_check.verdict.unclear_{side}"
    if side == "above":
        return "judge_check.verdict.reversed"
    least_moved, most_moved = result["repr_bias_interval"]
    if low > most_moved:
        return "judge_check.verdict.more"
    return "judge_check.verdict.less" if high < least_moved else "judge_check.verdict.alike"


def describe_replies(key: str, rows: pandas.DataFrame) -> str:
    """Return the sentence of this key, perhaps with one on a bias of no merit."""
    scores = rows["overall_score"]
    usual = scores.mode()[0]
    sentence = say(
        key,
        least=LEAST_ROWS,
        score=f"{usual:g}",
        scored=len(scores),
        same=(scores == usual).sum(),
    )
    has_merit = (
        key
        in (
            "judge_check.verdict.constant",
            "judge_check.verdict.blind",
            "judge_check.verdict.few_errors",
        )
        and "represent" in rows.index
    )
    return join_sentences(sentence, say("judge_check.verdict.no_merit")) if has_merit else sentence


def describe_rewarded(key: str, result: Mapping[str, Any]) -> str:
    """Return a sentence on the types of errors that certainly raise the scores.

    It is empty if there are none, or if the first sentence says so of all errors.
    """
    rewarded = [row for row in result.get("by_type", ()) if is_rewarded(row)]
    if not rewarded or key not in UNRAISED:
        return ""
    types = []
    for row in rewarded[:MAX_TYPES]:
        name = show_type(row["perturbation_type"])
        types.append(
            say(
                "judge_check.verdict.type",
                name=name,
                mean=f"{row['mean']:.2f}",
                count=row["n_scored"],
            )
        )
    names = say("page.list_comma").join(types)
    if len(rewarded) > MAX_TYPES:
        names += say("page.and_more", count=len(rewarded) - MAX_TYPES)
    return say("judge_check.verdict.rewarded", types=names)


def is_rewarded(row: Mapping[str, Any]) -> bool:
    """Return whether errors of a type certainly raise the scores."""
    if row["measure"] != "error_sensitivity" or not row["interval"]:
        return False
    return bool(row["n_scored"] >= LEAST_OF_TYPE and row["interval"][1] < 0)


def show_type(name: object) -> str:
    """Return a perturbation type for a sentence, shortened to MAX_TYPE_NAME characters."""
    line = make_one_line(str(name or ""))
    if not line:
        line = say("judge_check.no_type")
    return cut_text(line, MAX_TYPE_NAME)


def describe_contradiction(key: str, found: Check) -> str:
    """Return a sentence if scores and log-probabilities certainly contradict each other."""
    if not found.accuracy.result:
        return ""
    side = choose_side(found.accuracy.result)
    contradicting_keys = {"above": RISES, "below": FALLS}.get(side, ())
    if key not in contradicting_keys:
        return ""
    return join_sentences(say("judge_check.verdict.disagree"), describe_accuracy(found))


def describe_unparsed(result: Mapping[str, Any]) -> str:
    """Return a sentence if many replies could not be parsed; empty if few could not."""
    unparsed = result["unparsed"]
    rows = len(result["per_example"])
    if unparsed <= MANY_UNPARSED * rows:
        return ""
    return say("judge_check.verdict.unparsed", unparsed=unparsed, rows=rows)


def choose_side(result: Mapping[str, Any]) -> str:
    """Return the name of the sentence on accuracy: "few", "ties", "above", "below" or "chance"."""
    if result["n"] < LEAST_ROWS or result["interval"] is None:
        return "few"
    if result["ties"] > MANY_TIES * result["n"]:
        return "ties"
    low, high = result["interval"]
    if low > 0.5:
        return "above"
    if high < 0.5:
        return "below"
    return "chance"


def describe_accuracy(found: Check) -> str:
    """Return the sentence on reward accuracy; empty if there are no log-probabilities."""
    result = found.accuracy.result
    if result is None:
        return ""
    share = format_percent(result["reward_accuracy"])
    return say(
        f"judge_check.verdict.{choose_side(result)}",
        share=share,
        ties=result["ties"],
        pairs=result["n"],
        least=LEAST_ROWS,
    )
