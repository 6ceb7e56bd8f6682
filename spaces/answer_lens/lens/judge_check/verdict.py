"""What the numbers of a judge check mean together, in a sentence or two that they bear out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas

from lens.judge_check.numbers import Check, Range
from lens.words import join_sentences, say
from lens.words.formats import cut_text, format_percent
from lens.words.printed import make_one_line

# Nearer to 0 than this share of the scale, a sensitivity is as good as none, and two numbers are
# much the same.
NEGLIGIBLE = 0.05
# From this share on the same score, a judge tells next to nothing apart.
CONSTANT = 0.95
MANY_UNPARSED = MANY_TIES = 0.1
# Types that are named in a sentence, and the characters of each name.
MAX_TYPES, MAX_TYPE_NAME = 5, 80
# From fewer rows nothing is concluded. A type is named from fewer on, and its rows are counted.
LEAST_ROWS, LEAST_OF_TYPE = 10, 5

# The verdicts on the replies by which the scores do fall, or rise, for errors.
FALLS, RISES = (
    ("judge_check.verdict.more", "judge_check.verdict.less", "judge_check.verdict.alike"),
    ("judge_check.verdict.reversed",),
)
# Those that do not speak of scores above the anchors, and do speak of errors.
UNRAISED = (
    *FALLS,
    "judge_check.verdict.blind",
    "judge_check.verdict.unsure",
    "judge_check.verdict.unclear_below",
)


def verdict(found: Check) -> str:
    """Return what the numbers mean together, in a sentence or two that they bear out."""
    result = found.bias.result
    if result is None:
        return describe_accuracy(found)
    if not result["n_scored"]:
        return join_sentences(say("judge_check.verdict.none"), describe_accuracy(found))
    rows = keep_scored(result)
    key = choose_sentence(result, rows, found.scale)
    return join_sentences(
        describe_replies(key, rows),
        describe_rewarded(key, result),
        describe_contradiction(key, found),
        describe_unparsed(result),
    )


def keep_scored(result: Mapping[str, Any]) -> pandas.DataFrame:
    """Return the rows whose replies have a score: that and the anchor, by the category."""
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
    # Where the scale is not given, it is the middle nine tenths of the scores in use.
    ends = scale or (scores.quantile(0.05, "higher"), scores.quantile(0.95, "lower"))
    little = NEGLIGIBLE * (ends[1] - ends[0])
    if max(-low, high) <= little:
        return "judge_check.verdict.blind"
    if low <= 0 <= high:
        return "judge_check.verdict.unsure"
    return compare_with_rewording(result, rows, little)


def compare_with_rewording(result: Mapping[str, Any], rows: pandas.DataFrame, little: float) -> str:
    """Return the key of the sentence on errors that move the scores, beside what rewording moves.

    Reworded texts may lie as far from their anchors, to the same side, as those with an error.

    Args:
        result: what judge_bias says.
        rows: the rows whose replies have a score.
        little: a difference that is as good as none.
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
    """Return the sentence of this key; that a low bias is no merit only where there is a bias."""
    scores = rows["overall_score"]
    usual = scores.mode()[0]
    told = say(
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
    return join_sentences(told, say("judge_check.verdict.no_merit")) if has_merit else told


def describe_rewarded(key: str, result: Mapping[str, Any]) -> str:
    """Return the types of errors that raise the scores for certain.

    There are none if the first sentence says so of all errors.
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
    more = (
        say("page.and_more", count=len(rewarded) - MAX_TYPES) if len(rewarded) > MAX_TYPES else ""
    )
    return say("judge_check.verdict.rewarded", types=say("page.list_comma").join(types) + more)


def is_rewarded(row: Mapping[str, Any]) -> bool:
    """Return whether errors of a type raise the scores for certain."""
    if row["measure"] != "error_sensitivity" or not row["interval"]:
        return False
    return bool(row["n_scored"] >= LEAST_OF_TYPE and row["interval"][1] < 0)


def show_type(name: object) -> str:
    """Return a perturbation type as it is shown, not too long."""
    return cut_text(make_one_line(str(name or "")) or say("judge_check.no_type"), MAX_TYPE_NAME)


def describe_contradiction(key: str, found: Check) -> str:
    """Return where written scores and log-probabilities contradict each other.

    Both must be certain.
    """
    side = choose_side(found.accuracy.result) if found.accuracy.result else ""
    contradicts = key in {"above": RISES, "below": FALLS}.get(side, ())
    return (
        join_sentences(say("judge_check.verdict.disagree"), describe_accuracy(found))
        if contradicts
        else ""
    )


def describe_unparsed(result: Mapping[str, Any]) -> str:
    """Return that many replies count in neither number; nothing if few do."""
    if result["unparsed"] <= MANY_UNPARSED * len(result["per_example"]):
        return ""
    return say(
        "judge_check.verdict.unparsed", unparsed=result["unparsed"], rows=len(result["per_example"])
    )


def choose_side(result: Mapping[str, Any]) -> str:
    """Return which sentence reward accuracy allows: "few", "ties", "above", "below" or "chance"."""
    if result["n"] < LEAST_ROWS or result["interval"] is None:
        return "few"
    if result["ties"] > MANY_TIES * result["n"]:
        return "ties"
    low, high = result["interval"]
    if low > 0.5:
        return "above"
    return "below" if high < 0.5 else "chance"


def describe_accuracy(found: Check) -> str:
    """Return what to say where the log-probabilities are all there is."""
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
