"""The one table of the metrics that the page shows.

A metric to come is one more entry in METRICS and, where no drawing function fits, one more function in reasons.py.
Nothing else on the page knows a metric by name, but for disagreement.py, which compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import reasons


@dataclass(frozen=True)
class Submission:
    """What the user pasted."""

    question: str = ""
    reference: str = ""
    answer: str = ""
    keywords: str = ""


@dataclass(frozen=True)
class Metric:
    """One metric as the page shows it; `name` is its folder, its file and its name on the Hub."""

    name: str
    title: str
    measures: str
    paper: str
    paper_url: str
    draw_reasons: Callable[[Mapping[str, Any]], str]
    low: float = 0.0
    high: float = 1.0
    direction: Literal["higher", "lower"] = "higher"
    needs: tuple[str, ...] = ("reference",)
    arguments: Callable[[Submission], dict[str, Any]] = lambda submission: {}


def answer_keywords(submission: Submission) -> dict[str, Any]:
    """The keywords of LV-Eval, left out where none were given."""
    return {"answer_keywords": [submission.keywords]} if submission.keywords.strip() else {}


METRICS = (
    Metric(
        name="lv_eval_f1",
        title="LV-Eval F1",
        measures="Are the keywords there? If enough are: how many words do answer and reference share, in any order?",
        paper="LV-Eval, Yuan et al. 2024",
        paper_url="https://arxiv.org/abs/2402.05136",
        draw_reasons=reasons.draw_lv_eval_f1,
        arguments=answer_keywords,
    ),
    Metric(
        name="bleu",
        title="BLEU",
        measures="How many runs of one to four words of the answer stand in the reference? Short answers are punished.",
        paper="Papineni et al. 2002",
        paper_url="https://aclanthology.org/P02-1040/",
        draw_reasons=reasons.draw_bleu,
    ),
    Metric(
        name="rouge",
        title="ROUGE-L",
        measures="How long is the longest sequence of words that both texts have in the same order?",
        paper="ROUGE, Lin 2004",
        paper_url="https://aclanthology.org/W04-1013/",
        draw_reasons=reasons.draw_rouge,
    ),
    Metric(
        name="lv_eval_rouge",
        title="LV-Eval ROUGE",
        measures="ROUGE-L over different words, without Chinese ones that say little. Made for long Chinese answers.",
        paper="LV-Eval, Yuan et al. 2024",
        paper_url="https://arxiv.org/abs/2402.05136",
        draw_reasons=reasons.draw_lv_eval_rouge,
    ),
)
