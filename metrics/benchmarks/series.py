"""Score every answer with each score that needs no judge: the best value over the references.

Two modules are missing, since they score no answers: reward_accuracy and judge_bias measure judges.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.training.verdicts import Verdicts
from metrics.benchmarks.ways import ROUGE, choose_model
from tests.support import models
from tests.support.project import METRICS_WITH_TOKENS, import_file, load

Array = NDArray[Any]
# The model for the scores that need one.
MODEL = "all-MiniLM-L6-v2"
# The name of the score with LV-Eval's gate. The reference serves as keywords, since verdicts have
# none.
GATE = "lv_eval_f1_gate"
# This score gets the question and all references at once. If it was trained on these very answers,
# each is scored by a model that was trained without its question.
ESTIMATE = "correctness_estimate"
# Decimals to which scores are rounded, so that equal fractions are ties despite floats.
DECIMALS = 12


class ModuleCall(NamedTuple):
    """A way to score answers: one call of a module, which may give several scores.

    Attributes:
        module: the module.
        scores: for each score, by its name, the keys that lead to it in an entry of `per_example`.
        keywords: whether the references are passed as keywords.
    """

    module: str
    scores: Mapping[str, tuple[str, ...]]
    keywords: bool = False


SCORE, RECALL = ("score",), ("recall",)
ROUGE_SCORES = {name: (name, "fmeasure") for name in ROUGE}
ROUGE_SCORES |= {f"{name}_recall": (name, "recall") for name in ("rouge1", "rougeL")}
WAYS = (
    ModuleCall("lv_eval_f1", {"lv_eval_f1": SCORE, "lv_eval_f1_recall": RECALL}),
    ModuleCall("lv_eval_f1", {GATE: SCORE}, keywords=True),
    ModuleCall("bleu", {"bleu": SCORE}),
    ModuleCall("rouge", ROUGE_SCORES),
    ModuleCall("lv_eval_rouge", {"lv_eval_rouge": SCORE, "lv_eval_rouge_recall": RECALL}),
    ModuleCall("cosine_similarity", {"cosine_similarity": SCORE}),
    ModuleCall(
        "bertscore",
        {
            "bertscore": ("f1",),
            "bertscore_precision": ("precision",),
            "bertscore_recall": RECALL,
        },
    ),
    ModuleCall(ESTIMATE, {ESTIMATE: SCORE}),
)


class Series(NamedTuple):
    """One score of all answers.

    Attributes:
        name: the name of the score.
        module: its module.
        signature: the signature of its result.
        values: the score of each answer.
        model: the model that it was computed with; empty for none.
        left_out: whether each answer was scored by a model that was trained without its question,
            since the score was trained on these very answers.
    """

    name: str
    module: str
    signature: str
    values: Array
    model: str = ""
    left_out: bool = False


def collect_columns(verdicts: Verdicts) -> dict[str, Any]:
    """Return the columns of all answers, each with its question and all references."""
    columns: dict[str, Any] = {"questions": [], "predictions": [], "references": []}
    for answer in verdicts.answers:
        columns["questions"].append(verdicts.questions[answer.question])
        columns["predictions"].append(answer.text)
        columns["references"].append(list(verdicts.references[answer.question]))
    return columns


def score_answers(way: ModuleCall, verdicts: Verdicts) -> list[Series]:
    """Return the scores from one call: for each answer the best over its references.

    Each score takes its own best.
    """
    predictions: list[str] = []
    references: list[str] = []
    places: list[int] = []
    for place, answer in enumerate(verdicts.answers):
        for reference in verdicts.references[answer.question]:
            predictions.append(answer.text)
            references.append(reference)
            places.append(place)

    settings = choose_model(way.module)
    if way.keywords:
        settings["answer_keywords"] = references
    settings["per_example"] = "brief" if way.module in METRICS_WITH_TOKENS else True
    result = load(way.module).compute(predictions=predictions, references=references, **settings)

    model = MODEL if way.module in models.WITH_MODEL else ""
    all_series = []
    for name, keys in way.scores.items():
        scores = [reduce(getitem, keys, row) for row in result["per_example"]]
        best = np.full(len(verdicts.answers), -np.inf)
        np.maximum.at(best, places, scores)
        values = np.round(best, DECIMALS)
        all_series.append(Series(name, way.module, result["signature"], values, model))
    return all_series


def estimate_answers(verdicts: Verdicts) -> Series:
    """Return the estimate of each answer.

    If the model was trained on this data, each answer is estimated by a model that was trained
    without its question (see `make estimate`): figures on training data would mean nothing.
    """
    left_out = verdicts.digest == import_file(ESTIMATE, "model").TRAINED_ON
    columns = collect_columns(verdicts)
    if left_out:
        # One row is enough for the signature.
        columns = {name: column[:1] for name, column in columns.items()}
    result = load(ESTIMATE).compute(**columns, per_example=True)
    values = np.array([row["score"] for row in result["per_example"]])
    if left_out:
        from metrics.training import estimate

        values = estimate.estimate_unseen_questions(verdicts)
    return Series(
        ESTIMATE, ESTIMATE, result["signature"], np.round(values, DECIMALS), left_out=left_out
    )


def score_all_ways(verdicts: Verdicts, ways: Sequence[ModuleCall] = WAYS) -> list[Series]:
    """Return all scores of all answers, and print the time of each call on the error stream."""
    all_series = []
    for way in ways:
        start = time.perf_counter()
        if way.module == ESTIMATE:
            all_series.append(estimate_answers(verdicts))
        else:
            all_series += score_answers(way, verdicts)
        seconds = time.perf_counter() - start
        print(f"{', '.join(way.scores)}: {seconds:.0f} s", file=sys.stderr, flush=True)
    return all_series
