"""Rows per second and core of each module: through `compute`, in one process with one thread, its model loaded.

The judges are asked through a server on loopback that answers at once: what is left is the work of the process.
"""

import functools
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from tests.benchmarks import rewards, texts
from tests.benchmarks.texts import Rows
from tests.benchmarks.ways import QUESTION, Given
from tests.support import models
from tests.support.judges import JUDGES
from tests.support.project import load

KINDS = {
    "English, 15 words": functools.partial(texts.english, least=15, most=15),
    "English, 100 words": functools.partial(texts.english, least=100, most=100),
    "Chinese, 100 characters": functools.partial(texts.chinese, least=100, most=100),
}
# Rows of one repeat: about a second of work.
ROWS = {"bertscore": 24, "cosine_similarity": 32, "reward_accuracy": 6, "eve_judge": 200, "l3score": 200}
MOST_ROWS, REPEATS = 1_000, 3


def answers(name: str, given: Given) -> Callable[[Rows], Any]:
    """Return what scores answers against references."""
    metric = load(name)
    settings: dict[str, Any] = {}
    if name == "cosine_similarity":
        settings = {"model": models.minilm(), "device": "cpu"}
    if name == "bertscore":
        settings = {"model_type": models.minilm(), "num_layers": 6, "device": "cpu"}

    def run(rows: Rows) -> Any:
        return metric.compute(predictions=rows.predictions, references=rows.references, **settings)

    return run


def judged(name: str, given: Given) -> Callable[[Rows], Any]:
    """Return what asks a judge, its replies not kept."""
    metric = load(name)
    settings = {"model": "judge-1", "base_url": given.judge, "api_key": "sk-benchmark", "cache": False}

    def run(rows: Rows) -> Any:
        columns = {"questions": [QUESTION] * len(rows.references), "predictions": rows.predictions}
        return metric.compute(**columns, references=rows.references, progress=False, **settings)

    return run


def biases(name: str, given: Given) -> Callable[[Rows], Any]:
    """Return what reads a judge's replies: an explanation of the row's length, and a score."""
    metric = load(name)

    def run(rows: Rows) -> Any:
        replies = [f'{text}\n{{"overall_score": {i % 5}}}' for i, text in enumerate(rows.predictions)]
        kinds = ["represent" if i % 2 else "error" for i in range(len(replies))]
        return metric.compute(predictions=replies, references=[3.0] * len(replies), perturbation_categories=kinds)

    return run


def rewarded(name: str, given: Given) -> Callable[[Rows], Any]:
    """Return what compares two texts after a prompt, all of the row's length, with a model of 20 million weights."""
    metric = load(name)
    folder = tempfile.TemporaryDirectory()
    model = rewards.make(Path(folder.name) / "llama", "llama")
    words = rewards.vocabulary(16_000)[2:]

    def known(text: str) -> str:
        return " ".join(words[zlib.crc32(word.encode()) % len(words)] for word in text.split())

    def run(rows: Rows, _keep: Any = folder) -> Any:
        chosen, rejected = ([known(text) for text in column] for column in rows[:2])
        return metric.compute(
            prompts=rejected, chosen=chosen, rejected=rejected, model=model, device="cpu", progress=False
        )

    return run


MAKERS = {"judge_bias": biases, "reward_accuracy": rewarded, **dict.fromkeys(JUDGES, judged)}
# The words of that model are parted by spaces.
ENGLISH_ONLY = ("reward_accuracy",)


def measure(name: str, given: Given) -> dict[str, Any]:
    """Return the rows per second of one module in this process, for each kind of text."""
    run = MAKERS.get(name, answers)(name, given)
    count = max(2, round(ROWS.get(name, MOST_ROWS) * given.scale))
    found: dict[str, float] = {}
    for kind, make in KINDS.items():
        if name in ENGLISH_ONLY and not kind.startswith("English"):
            continue
        run(make(Random(f"{name} {kind}"), max(2, count // 10)))
        times = []
        for repeat in range(min(REPEATS, given.repeats)):
            rows = make(Random(f"{name} {kind} {repeat}"), count)
            start = time.perf_counter()
            run(rows)
            times.append(time.perf_counter() - start)
        found[kind] = count / median(times)
    return {"module": name, "rows": count, "per_second": found}
