"""What the numbers of a judge check mean together, in a sentence or two that they bear out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgecheck import Check
from parts import percent
from texts import say

# Nearer to 0 than this share of the scores in use, a sensitivity is as good as none.
NEGLIGIBLE = 0.05
MANY_UNPARSED = 0.1
# From fewer rows nothing is concluded: the interval of a few is narrow where they happen to agree.
LEAST_ROWS = 10


def verdict(found: Check) -> str:
    """What the numbers mean together, in a sentence or two that they bear out."""
    said = [about_replies(found.bias.result), about_both(found), about_unparsed(found.bias.result)]
    return " ".join(sentence for sentence in said if sentence) or alone(found)


def given_scores(result: Mapping[str, Any]) -> list[float]:
    """The scores that stand in the replies."""
    return [row["overall_score"] for row in result["per_example"] if row["overall_score"] is not None]


def about_replies(result: Mapping[str, Any] | None) -> str:
    """What the bias and the sensitivity say of the judge."""
    if result is None or not result["n_scored"]:
        return ""
    scores = given_scores(result)
    if len(scores) >= LEAST_ROWS and len(set(scores)) == 1:
        return say("w_constant", score=f"{scores[0]:g}")
    if scored_in(result, "error") < LEAST_ROWS:
        return say("w_few_errors", least=LEAST_ROWS)
    low, high = result["error_sensitivity_interval"]
    if max(-low, high) <= NEGLIGIBLE * spread(result, scores):
        return say("w_blind")
    if high < 0:
        return say("w_reversed")
    if low <= 0:
        return say("w_unsure")
    if scored_in(result, "represent") < LEAST_ROWS:
        return say("w_notices", least=LEAST_ROWS)
    moved = result["repr_bias_interval"]
    return say("w_more" if low > moved[1] else "w_less" if high < moved[0] else "w_alike")


def scored_in(result: Mapping[str, Any], category: str) -> int:
    """How many rows of a category have a score."""
    own = [row for row in result["per_example"] if row["perturbation_category"] == category]
    return sum(row["score"] is not None for row in own)


def spread(result: Mapping[str, Any], scores: list[float]) -> float:
    """How far apart the scores in use lie, the judge's and the anchors'."""
    used = scores + [row["anchor_score"] for row in result["per_example"]]
    return float(max(used) - min(used))


def about_both(found: Check) -> str:
    """Where the written scores and the log-probabilities contradict each other."""
    if found.bias.result is None or found.accuracy.result is None:
        return ""
    sensitivity, accuracy = found.bias.result["error_sensitivity_interval"], found.accuracy.result["interval"]
    if accuracy is None or scored_in(found.bias.result, "error") < LEAST_ROWS:
        return ""
    if accuracy[0] > 0.5 and sensitivity[0] <= 0:
        return say("w_only_chances", share=percent(found.accuracy.result["reward_accuracy"]))
    if accuracy[1] < 0.5 and sensitivity[0] > 0:
        return say("w_only_replies", share=percent(found.accuracy.result["reward_accuracy"]))
    return ""


def about_unparsed(result: Mapping[str, Any] | None) -> str:
    """That many replies count in no number."""
    if result is None or result["unparsed"] <= MANY_UNPARSED * len(result["per_example"]):
        return ""
    return say("w_unparsed", unparsed=result["unparsed"], rows=len(result["per_example"]))


def alone(found: Check) -> str:
    """What to say where the log-probabilities are all there is."""
    result = found.accuracy.result
    if result is None or result["interval"] is None:
        return ""
    low, high = result["interval"]
    side = "above" if low > 0.5 else "below" if high < 0.5 else "chance"
    return say(f"w_{side}", share=percent(result["reward_accuracy"]))
