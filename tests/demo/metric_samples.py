"""Made-up results of metrics for tests of the page, in the form that each module documents."""

from __future__ import annotations

from typing import Any

from lens.page.answer.answer_form import EXAMPLES
from lens.scoring.catalog import METRICS
from lens.scoring.metric_result import MetricResult

BY_NAME = {metric.name: metric for metric in METRICS}
WORD_METRICS = [metric for metric in METRICS if metric.kind == "words"]
MODEL_METRICS = [metric for metric in METRICS if metric.model]
JUDGE_METRICS = [metric for metric in METRICS if metric.judge]
OWN_METRICS = WORD_METRICS + MODEL_METRICS
# The metrics that compare words. A new metric whose reasons have keys of its own needs them in
# `make_own_reasons` below, and nothing else here.
OVERLAP_METRICS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
FIRST_EXAMPLE = next(iter(EXAMPLES.values()))

# The reasons with which a metric with a model reports the lengths of its texts.
TEXT_LENGTHS = {
    "prediction_length": 300,
    "reference_length": 12,
    "max_length": 256,
    "prediction_truncated": True,
    "reference_truncated": False,
    "prediction_unknown": 0,
    "reference_unknown": 0,
}
# The reasons with which a judge reports its request.
TOKEN_COUNTS = {"input": 1234, "output": 5}
JUDGE_CALL = {
    "tokens": TOKEN_COUNTS,
    "usage": TOKEN_COUNTS,
    "cost": 0.00012,
    "sent": 1,
    "reason": None,
    "message": None,
}
ROUGE_MEASURE = {"precision": 0.5, "recall": 0.25, "fmeasure": 1 / 3}
ESTIMATE_WEIGHTS = {"missing": -1.0, "number": -0.5, "found": 0.5}


def make_reasons(name: str, text: str = "rome", **changes: Any) -> dict[str, Any]:
    """Return reasons in the form that a module documents.

    Args:
        name: the name of the module.
        text: the value of each text in the reasons.
        changes: keys that are added or replaced.
    """
    tokens = [[text, mark] for mark in ("matched", "reordered", "unmatched", "blacklisted")]
    shared = {
        "score": 0.5,
        "language": "en",
        "prediction_tokens": tokens,
        "reference_tokens": tokens,
        "note": text,
    }
    return shared | make_own_reasons(text).get(name, {}) | changes


def make_estimate_reasons(text: str) -> list[dict[str, Any]]:
    """Return reasons of the correctness estimate, the one with the largest weight first."""
    reasons = []
    for kind, weight in ESTIMATE_WEIGHTS.items():
        reasons.append(
            {
                "kind": kind,
                "found": text,
                "expected": text,
                "weight": weight,
                "sentence": text,
            }
        )
    return reasons


def make_own_reasons(text: str) -> dict[str, dict[str, Any]]:
    """Return for each module the reasons that not all modules have."""
    return {
        "correctness_estimate": {
            "right": False,
            "interpretation": "probability",
            "reference": 0,
            "reasons": make_estimate_reasons(text),
        },
        "lv_eval_f1": {
            "f1": 0.5,
            "precision": 0.5,
            "recall": 0.5,
            "keyword_recall": 0.5,
            "min_keyword_recall": 0.2,
            "gate": "answer_keywords",
            "gate_passed": True,
            "matched_keywords": [text],
            "missing_keywords": [text],
            "blacklisted_keywords": [text],
            "overlap": 1,
            "prediction_length": 2,
            "reference_length": 2,
        },
        "bleu": {
            "precisions": [0.5, 0.4, 0.3, 0.2],
            "matches": [5, 4, 3, 2],
            "totals": [10, 10, 10, 10],
            "brevity_penalty": 1.0,
            "length_ratio": 1.0,
            "tokenizer": text,
        },
        "rouge": {key: dict(ROUGE_MEASURE) for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
        "lv_eval_rouge": {
            "precision": 0.5,
            "recall": 0.5,
            "lcs_words": 1,
            "prediction_words": 2,
            "reference_words": 2,
        },
        "cosine_similarity": TEXT_LENGTHS,
        "bertscore": {
            **TEXT_LENGTHS,
            "precision": 0.5,
            "recall": 0.5,
            "f1": 0.5,
            "prediction_tokens": [[text, text, 0.4, 1.0], ["sky", None, 0.6, 1.0]],
            "reference_tokens": [[text, "sky", 0.8, 1.0], ["sky", text, 0.95, 1.0]],
        },
        "l3score": {
            **JUDGE_CALL,
            "branch": "both",
            "p_yes": 0.6,
            "p_no": 0.2,
            "mass": 0.8,
            "model": text,
            "top_tokens": [[text, 0.6], ["No", 0.2]],
        },
        "eve_judge": {
            **JUDGE_CALL,
            "reasoning": text,
            "reply": text,
            "model": text,
        },
    }


def make_scored_result(
    name: str, score: float = 0.5, text: str = "rome", **changes: Any
) -> MetricResult:
    """Return the result of a scored row with made-up reasons; a judge's has a prompt, too."""
    prompt = f"prompt {text}" if BY_NAME[name].judge else ""
    reasons = make_reasons(name, text, score=score, **changes)
    return MetricResult("scored", score, reasons, f"{name}|{text}", prompt=prompt)
