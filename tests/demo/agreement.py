"""Made-up figures of how far scores agree with people; the fixture `hold` has the page hold them."""

from __future__ import annotations

from typing import Any

from lens.explanations import agreement_with_people as evidence
from lens.scoring.catalog import Submission
from lens.scoring.outcome import Outcome

GROUPS = ("overall", *evidence.LENGTHS)
SHORT = Submission("", "moss", "red moss")
MEDIUM = Submission("", "moss", "a patch of red moss on it")
LONG = Submission("", "moss", "red moss " * 11)


def figures(value: float, spread: float = 0.01, **changes: Any) -> dict[str, Any]:
    """A score that agrees with people as far in every group; `changes` are other entries."""
    ends = [value, round(value - spread, 4), round(value + spread, 4)]
    return {"model": "", "tau": [0.4, 0.2, 0.6], **{group: list(ends) for group in GROUPS}, **changes}


def made(**changes: Any) -> dict[str, Any]:
    """A made-up file: no figure, name or number of it is that of the data set that was measured."""
    scores = {
        "lv_eval_f1": figures(0.91),
        "lv_eval_f1_gate": figures(0.938, medium=[0.942, 0.93, 0.95]),
        "bleu": figures(0.75, tau=[-0.4, -0.6, -0.2], short=[0.955, 0.95, 0.96]),
        "rouge": figures(0.88),
        "lv_eval_rouge": figures(0.87),
        "cosine_similarity": figures(0.83, model="all-MiniLM-L6-v2"),
    }
    return {
        "title": "Pebble Quiz",
        "source": "Doe 1999",
        "url": "https://example.org/pebbles",
        "language": "en",
        "questions": 1234,
        "answers": 8638,
        "systems": 7,
        "reference_words": {"median": 3, "most": 9},
        "scores": scores,
    } | changes


def scored(name: str, value: float, **changes: Any) -> Outcome:
    """A score with reasons that suffice for the sentence."""
    measure = {"precision": value, "recall": value, "fmeasure": value}
    reasons = dict.fromkeys(("rouge1", "rouge2", "rougeL", "rougeLsum"), measure) | {
        "language": "en", "prediction_tokens": [["a", "matched"]], "reference_tokens": [["a", "matched"]],
        "gate": "none", "gate_passed": True, "matched_keywords": ["a"], "missing_keywords": [],
        "blacklisted_keywords": [], "min_keyword_recall": 0.2, "prediction_length": 1, "reference_length": 1,
        "overlap": 1, "brevity_penalty": 1.0, "matches": [1, 0, 0, 0], "totals": [1, 0, 0, 0],
    }  # fmt: skip
    return Outcome("scored", value, reasons | changes)
