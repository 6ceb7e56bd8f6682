"""Outcomes made up for the tests of the page: reasons in the form that each module documents."""

from __future__ import annotations

import asyncio
import gc
import inspect
import time
from collections.abc import Callable
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import gradio as gr
from lens.page.answer.answer_tab import EXAMPLES
from lens.page.serving import uploads
from lens.scoring.catalog import METRICS
from lens.scoring.metric_result import MetricResult
from starlette.datastructures import Headers

BY_NAME = {metric.name: metric for metric in METRICS}
OF_WORDS = [metric for metric in METRICS if metric.kind == "words"]
WITH_MODEL = [metric for metric in METRICS if metric.model]
JUDGES = [metric for metric in METRICS if metric.judge]
OWN = OF_WORDS + WITH_MODEL
# Those whose marks, values and figures of agreement the tests know; a further metric with reasons of its own needs
# them in `reason()` below, and nothing else here.
FOUR = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
KNOWN = [BY_NAME[name] for name in FOUR] + WITH_MODEL
FIRST = next(iter(EXAMPLES.values()))
# Whoever presses a button of a tab.
VISITOR = SimpleNamespace(session_hash="visitor", headers=Headers(), client=None)
VOID = {"wbr", "br", "img", "input"}


# What a module with a model says of its texts.
LENGTHS = {
    "prediction_length": 300, "reference_length": 12, "max_length": 256,
    "prediction_truncated": True, "reference_truncated": False, "prediction_unknown": 0, "reference_unknown": 0,
}  # fmt: skip
TOKENS_PAID = {"input": 1234, "output": 5}
PAID = {
    "tokens": TOKENS_PAID, "usage": TOKENS_PAID, "cost": 0.00012, "sent": 1, "reason": None, "message": None,
}  # fmt: skip


class Outline(HTMLParser):
    """Collects elements and attributes, and checks that every element is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def reason(name: str, text: str = "rome", **changes: Any) -> dict[str, Any]:
    """Reasons in the form that the module `name` documents, with `text` wherever a text stands."""
    tokens = [[text, "matched"], [text, "reordered"], [text, "unmatched"], [text, "blacklisted"]]
    measure = {"precision": 0.5, "recall": 0.25, "fmeasure": 1 / 3}
    shared = {"score": 0.5, "language": "en", "prediction_tokens": tokens, "reference_tokens": tokens, "note": text}
    own: dict[str, dict[str, Any]] = {
        "correctness_estimate": {
            "right": False, "interpretation": "probability", "reference": 0,
            "reasons": [
                {"kind": kind, "found": text, "expected": text, "weight": weight, "sentence": text}
                for kind, weight in {"missing": -1.0, "number": -0.5, "found": 0.5}.items()
            ],
        },
        "lv_eval_f1": {
            "f1": 0.5, "precision": 0.5, "recall": 0.5, "keyword_recall": 0.5, "min_keyword_recall": 0.2,
            "gate": "answer_keywords", "gate_passed": True, "matched_keywords": [text], "missing_keywords": [text],
            "blacklisted_keywords": [text], "overlap": 1, "prediction_length": 2, "reference_length": 2,
        },
        "bleu": {
            "precisions": [0.5, 0.4, 0.3, 0.2],
            "matches": [5, 4, 3, 2],
            "totals": [10, 10, 10, 10],
            "brevity_penalty": 1.0,
            "length_ratio": 1.0,
            "tokenizer": text,
        },
        "rouge": {key: dict(measure) for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
        "lv_eval_rouge": {
            "precision": 0.5, "recall": 0.5, "lcs_words": 1, "prediction_words": 2, "reference_words": 2,
        },
        "cosine_similarity": LENGTHS,
        "bertscore": LENGTHS | {
            "precision": 0.5, "recall": 0.5, "f1": 0.5,
            "prediction_tokens": [[text, text, 0.4, 1.0], ["sky", None, 0.6, 1.0]],
            "reference_tokens": [[text, "sky", 0.8, 1.0], ["sky", text, 0.95, 1.0]],
        },
        "l3score": PAID | {
            "branch": "both", "p_yes": 0.6, "p_no": 0.2, "mass": 0.8, "model": text,
            "top_tokens": [[text, 0.6], ["No", 0.2]],
        },
        "eve_judge": PAID | {"reasoning": text, "reply": text, "model": text},
    }  # fmt: skip
    return shared | own.get(name, {}) | changes


def scored(name: str, score: float = 0.5, text: str = "rome", **changes: Any) -> MetricResult:
    """A score with such reasons, and for a judge with its prompt."""
    prompt = f"prompt {text}" if BY_NAME[name].judge else ""
    return MetricResult("scored", score, reason(name, text, score=score, **changes), f"{name}|{text}", prompt=prompt)


def visible(html: str, between: str = "") -> str:
    """The text of a card, with `between` at every tag."""
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign, assignment]
    parser.feed(html)
    return between.join(pieces)


def uploaded(path: object) -> str:
    """A file as one that a visitor uploaded, which waits to be read."""
    uploads.WAITING[str(path)] = uploads.Upload("9.9.9.9", 1, time.monotonic())
    return str(path)


def steps_of(callback: Callable[..., Any], *values: object) -> list[Any]:
    """What an event of a tab shows, step by step, but for the last of several, which changes nothing."""

    async def collect() -> list[Any]:
        if not inspect.isasyncgenfunction(callback):
            return [await callback(VISITOR, *values)]
        *steps, last = [step async for step in callback(VISITOR, *values)]
        assert all(value == gr.skip() for value in last.values())
        return steps

    return asyncio.run(collect())


def holders(mark: Callable[[], str]) -> list[type]:
    """The kinds of objects that hold a text in which what `mark` gives stands."""

    def held(value: object) -> bool:
        return (type(value) is str and mark() in value) or (type(value) is bytes and mark().encode() in value)

    gc.collect()
    return [type(one) for one in gc.get_objects() if any(held(part) for part in gc.get_referents(one))]
