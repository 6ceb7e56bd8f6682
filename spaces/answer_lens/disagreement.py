"""One sentence: where the scores of one answer disagree, and why.

Rules are tried in order, the most telling first; each looks at the reasons that the modules give and says nothing where
it does not apply.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cards import Outcome
from parts import number, percent
from registry import METRICS
from texts import say

Scored = Mapping[str, Outcome]
TITLES = {metric.name: metric.title for metric in METRICS}
OVERLAP = ("bleu", "rouge", "lv_eval_rouge")
HIGH, LOW, CLOSE, WIDE, RARE = 0.5, 0.4, 0.25, 0.3, 0.1
MAX_KEYWORDS_SAID = 5


def explain(outcomes: Mapping[str, Outcome]) -> str:
    """The sentence for the outcomes of one answer, by metric name."""
    scored = {name: outcome for name, outcome in outcomes.items() if outcome.score is not None}
    for rule in RULES:
        sentence = rule(scored)
        if sentence:
            return sentence
    return spread(scored)


def reasons(scored: Scored, name: str) -> Mapping[str, Any]:
    """The reasons of one metric; empty where it gave no score."""
    return (scored[name].per_example or {}) if name in scored else {}


def value(scored: Scored, name: str) -> float:
    """The score of a metric that is there."""
    return scored[name].score or 0.0


def said(scored: Scored, names: Sequence[str]) -> str:
    """Scores as words: "BLEU 0.88 and ROUGE-L 0.95"."""
    parts = [f"{TITLES[name]} {number(value(scored, name))}" for name in names if name in scored]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def span(scored: Scored) -> str:
    """Lowest to highest score as words."""
    values = [value(scored, name) for name in scored]
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def overlap(scored: Scored) -> list[float]:
    """The scores that count shared words and know no keywords."""
    return [value(scored, name) for name in OVERLAP if name in scored]


def too_few(scored: Scored) -> str:
    """Fewer than two scores: nothing to compare."""
    if not scored:
        return say("v_none")
    return say("v_one", best=said(scored, list(scored))) if len(scored) == 1 else ""


def empty_answer(scored: Scored) -> str:
    """No metric found a word in the answer."""
    if any(reasons(scored, name).get("prediction_tokens") for name in scored) or overlap_any(scored):
        return ""
    return say("v_empty")


def overlap_any(scored: Scored) -> bool:
    """Whether any score is above the bottom."""
    return any(value(scored, name) > 0 for name in scored)


def gate_failed(scored: Scored) -> str:
    """The gate of LV-Eval F1 stands against high overlap."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate_passed", True) or max(overlap(scored), default=0.0) < HIGH:
        return ""
    high = [name for name in OVERLAP if name in scored and value(scored, name) >= HIGH]
    key = "v_gate_high" if gated["gate"] == "answer_keywords" else "v_gate_reference"
    return say(
        key,
        overlap=said(scored, high),
        recall=say("v_only", share=percent(gated["keyword_recall"])) if gated["keyword_recall"] else say("v_none_of"),
        threshold=percent(gated["min_keyword_recall"]),
        missing=keywords(gated),
    )


def keyword_slipped(scored: Scored) -> str:
    """A keyword is missing, and the gate was passed all the same."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate") != "answer_keywords" or not gated["gate_passed"] or not gated["missing_keywords"]:
        return ""
    if value(scored, "lv_eval_f1") < HIGH:
        return ""
    return say(
        "v_slipped",
        missing=keywords(gated),
        recall=percent(gated["keyword_recall"]),
        threshold=percent(gated["min_keyword_recall"]),
        f1=number(value(scored, "lv_eval_f1")),
        overlap=said(scored, OVERLAP),
    )


def keywords(gated: Mapping[str, Any]) -> str:
    """The missing keywords, not all of them where there are many."""
    missing = gated["missing_keywords"]
    more = ", …" if len(missing) > MAX_KEYWORDS_SAID else ""
    return ", ".join(missing[:MAX_KEYWORDS_SAID]) + more


def scrambled(scored: Scored) -> str:
    """The same words in another order."""
    measures = reasons(scored, "rouge")
    if not measures or measures["rouge1"]["fmeasure"] < HIGH:
        return ""
    if measures["rouge1"]["fmeasure"] - measures["rougeL"]["fmeasure"] < CLOSE:
        return ""
    f1 = value(scored, "lv_eval_f1") if "lv_eval_f1" in scored else 0.0
    return say(
        "v_scrambled" if f1 >= HIGH else "v_scrambled_short",
        rouge1=number(measures["rouge1"]["fmeasure"]),
        ordered=said(scored, OVERLAP),
    )


def keywords_but_low(scored: Scored) -> str:
    """Every keyword is there, and the scores are low: too long, or in other words."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate") != "answer_keywords" or gated["missing_keywords"] or not gated["gate_passed"]:
        return ""
    low = [name for name in ("lv_eval_f1", *OVERLAP) if name in scored and value(scored, name) < LOW]
    if not low or not gated["reference_length"]:
        return ""
    ratio = gated["prediction_length"] / gated["reference_length"]
    key = "v_long" if ratio >= 2 else "v_reworded"
    return say(key, overlap=said(scored, low), ratio=ratio)


def all_low(scored: Scored) -> str:
    """Hardly a word in common."""
    return "" if max(value(scored, name) for name in scored) >= LOW else say("v_low", span=span(scored))


def all_same(scored: Scored) -> str:
    """Almost the reference itself."""
    return say("v_same", span=span(scored)) if min(value(scored, name) for name in scored) >= 0.99 else ""


def spread(scored: Scored) -> str:
    """Where no rule applies: how far apart the scores are, and what sets them apart."""
    ranked = sorted(scored, key=lambda name: value(scored, name))
    width = value(scored, ranked[-1]) - value(scored, ranked[0])
    if width < WIDE:
        gate = reasons(scored, "lv_eval_f1").get("gate")
        hint = say("v_no_keywords") if gate in ("none", "reference") else ""
        return say("v_agree", width=width, span=span(scored)) + hint
    return say("v_spread", best=said(scored, ranked[-1:]), worst=said(scored, ranked[:1]), why=why(scored, ranked[0]))


def why(scored: Scored, worst: str) -> str:
    """What sets the lowest score apart."""
    bleu = reasons(scored, "bleu")
    if worst == "bleu" and bleu["brevity_penalty"] < 0.7:
        return say("v_why_brevity")
    if worst == "bleu" and bleu["precisions"][-1] < RARE:
        return say("v_why_ngrams")
    lengths = reasons(scored, "lv_eval_f1")
    sizes = (lengths.get("prediction_length", 0), lengths.get("reference_length", 0))
    return say("v_why_length") if max(sizes) >= 2 * min(sizes) else say("v_why_order")


RULES: tuple[Callable[[Scored], str], ...] = (
    too_few,
    empty_answer,
    gate_failed,
    keyword_slipped,
    scrambled,
    keywords_but_low,
    all_low,
    all_same,
)
