"""What the numbers of a judge check mean together, in a sentence or two that they bear out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas

from lens.judge_check.numbers import Check, Range
from lens.words import say, sentences
from lens.words.formats import cut, percent
from lens.words.printed import one_line

# Nearer to 0 than this share of the scale, a sensitivity is as good as none, and two numbers are much the same.
NEGLIGIBLE = 0.05
# From this share on the same score, a judge tells next to nothing apart.
CONSTANT = 0.95
MANY_UNPARSED = MANY_TIES = 0.1
# Types that are named in a sentence, and the characters of each name.
MAX_TYPES, MAX_TYPE_NAME = 5, 80
# From fewer rows nothing is concluded. A type is named from fewer on, and its rows are counted.
LEAST_ROWS, LEAST_OF_TYPE = 10, 5

# The verdicts on the replies by which the scores do fall, or rise, for errors.
FALLS, RISES = ("w_more", "w_less", "w_alike"), ("w_reversed",)
# Those that do not speak of scores above the anchors, and do speak of errors.
UNRAISED = (*FALLS, "w_blind", "w_unsure", "w_unclear_below")


def verdict(found: Check) -> str:
    """What the numbers mean together, in a sentence or two that they bear out."""
    result = found.bias.result
    if result is None:
        return alone(found)
    if not result["n_scored"]:
        return sentences(say("w_none"), alone(found))
    rows = scored_rows(result)
    key = about_replies(result, rows, found.scale)
    return sentences(sentence(key, rows), rewarded(key, result), about_both(key, found), about_unparsed(result))


def scored_rows(result: Mapping[str, Any]) -> pandas.DataFrame:
    """The rows whose replies have a score: that and the anchor, by the category."""
    names = ["perturbation_category", "overall_score", "anchor_score"]
    rows = pandas.DataFrame(result["per_example"], columns=names).set_index(names[0])
    return rows.astype(float).dropna()


def about_replies(result: Mapping[str, Any], rows: pandas.DataFrame, scale: Range | None) -> str:
    """The name of the sentence on bias and sensitivity."""
    scores = rows["overall_score"]
    same = (scores == scores.mode()[0]).groupby(level=0).mean()
    if len(scores) >= LEAST_ROWS and same.min() >= CONSTANT:
        return "w_constant"
    if (rows.index == "error").sum() < LEAST_ROWS:
        return "w_few_errors"
    low, high = result["error_sensitivity_interval"]
    # Where the scale is not given, it is the middle nine tenths of the scores in use.
    ends = scale or (scores.quantile(0.05, "higher"), scores.quantile(0.95, "lower"))
    little = NEGLIGIBLE * (ends[1] - ends[0])
    if max(-low, high) <= little:
        return "w_blind"
    if low <= 0 <= high:
        return "w_unsure"
    side = "below" if low > 0 else "above"
    # Reworded texts may lie as far from their anchors, to the same side, as those with an error.
    falls = (rows["anchor_score"] - scores)[rows.index == "represent"]
    if len(falls) < LEAST_ROWS:
        return f"w_unclear_{side}"
    mean, error = falls.mean(), 2 * falls.sem()
    reaches = mean + error >= low if low > 0 else mean - error <= high
    if reaches or abs(result["error_sensitivity"] - mean) <= little:
        return f"w_unclear_{side}"
    if side == "above":
        return "w_reversed"
    moved = result["repr_bias_interval"]
    return "w_more" if low > moved[1] else "w_less" if high < moved[0] else "w_alike"


def sentence(key: str, rows: pandas.DataFrame) -> str:
    """The sentence of this name; that a low bias is no merit only where there is a bias."""
    scores = rows["overall_score"]
    usual = scores.mode()[0]
    told = say(key, least=LEAST_ROWS, score=f"{usual:g}", scored=len(scores), same=(scores == usual).sum())
    merit = key in ("w_constant", "w_blind", "w_few_errors") and "represent" in rows.index
    return sentences(told, say("w_no_merit") if merit else "")


def rewarded(key: str, result: Mapping[str, Any]) -> str:
    """The types of errors that raise the scores for certain, where the first sentence does not say so of all errors."""
    errors = [row for row in result.get("by_type", ()) if row["measure"] == "error_sensitivity" and row["interval"]]
    found = [row for row in errors if row["n_scored"] >= LEAST_OF_TYPE and row["interval"][1] < 0]
    if not found or key not in UNRAISED:
        return ""
    types = [
        say("w_type", name=type_name(row["perturbation_type"]), mean=f"{row['mean']:.2f}", count=row["n_scored"])
        for row in found[:MAX_TYPES]
    ]
    more = say("and_more", count=len(found) - MAX_TYPES) if len(found) > MAX_TYPES else ""
    return say("w_rewarded", types=say("list_comma").join(types) + more)


def type_name(name: object) -> str:
    """A perturbation type as it is shown, not too long."""
    return cut(one_line(str(name or "")) or say("no_type"), MAX_TYPE_NAME)


def about_both(key: str, found: Check) -> str:
    """Where the written scores and the log-probabilities contradict each other, and both are certain."""
    side = side_of(found.accuracy.result) if found.accuracy.result else ""
    apart = key in {"above": RISES, "below": FALLS}.get(side, ())
    return sentences(say("w_disagree"), alone(found)) if apart else ""


def about_unparsed(result: Mapping[str, Any]) -> str:
    """That many replies count in neither number."""
    if result["unparsed"] <= MANY_UNPARSED * len(result["per_example"]):
        return ""
    return say("w_unparsed", unparsed=result["unparsed"], rows=len(result["per_example"]))


def side_of(result: Mapping[str, Any]) -> str:
    """Which sentence reward accuracy allows: "few", "ties", "above", "below" or "chance"."""
    if result["n"] < LEAST_ROWS or result["interval"] is None:
        return "few"
    if result["ties"] > MANY_TIES * result["n"]:
        return "ties"
    low, high = result["interval"]
    return "above" if low > 0.5 else "below" if high < 0.5 else "chance"


def alone(found: Check) -> str:
    """What to say where the log-probabilities are all there is."""
    result = found.accuracy.result
    if result is None:
        return ""
    share = percent(result["reward_accuracy"])
    return say(f"w_{side_of(result)}", share=share, ties=result["ties"], pairs=result["n"], least=LEAST_ROWS)
