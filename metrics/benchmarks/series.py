"""Every score that needs no judge, of every answer: the best over the listed references.

Two modules give no score to an answer and are not here: reward_accuracy and judge_bias say how good
a judge is.
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
from tests.support.project import WITH_TOKENS, import_file, load

Array = NDArray[Any]
# The model of the scores that need one.
MODEL = "all-MiniLM-L6-v2"
# A score of this name stands for LV-Eval's gate: the reference is its own keywords, for verdicts
# come with none.
GATE = "lv_eval_f1_gate"
# Given the question and all references at once, and an estimate of its own where it learned from
# these very answers.
ESTIMATE = "correctness_estimate"
# The same fraction comes out of floats apart by less, and would not be the tie that it is.
DECIMALS = 12


class Way(NamedTuple):
    """A module as it is asked once, and the scores that come of it: each by its path in the reasons
    of a row.
    """

    module: str
    scores: Mapping[str, tuple[str, ...]]
    keywords: bool = False


SCORE, RECALL = ("score",), ("recall",)
OF_ROUGE = {name: (name, "fmeasure") for name in ROUGE}
OF_ROUGE |= {f"{name}_recall": (name, "recall") for name in ("rouge1", "rougeL")}
WAYS = (
    Way("lv_eval_f1", {"lv_eval_f1": SCORE, "lv_eval_f1_recall": RECALL}),
    Way("lv_eval_f1", {GATE: SCORE}, keywords=True),
    Way("bleu", {"bleu": SCORE}),
    Way("rouge", OF_ROUGE),
    Way("lv_eval_rouge", {"lv_eval_rouge": SCORE, "lv_eval_rouge_recall": RECALL}),
    Way("cosine_similarity", {"cosine_similarity": SCORE}),
    Way(
        "bertscore",
        {"bertscore": ("f1",), "bertscore_precision": ("precision",), "bertscore_recall": RECALL},
    ),
    Way(ESTIMATE, {ESTIMATE: SCORE}),
)


class Series(NamedTuple):
    """One score of all answers, in their order, and what made it.

    `left_out`: it learned from these very answers, and each was scored by what had learned from
    other questions.
    """

    name: str
    module: str
    signature: str
    values: Array
    model: str = ""
    left_out: bool = False


def make_columns(verdicts: Verdicts) -> dict[str, Any]:
    """Return each answer with its question and all references."""
    return {
        "questions": [verdicts.questions[answer.question] for answer in verdicts.answers],
        "predictions": [answer.text for answer in verdicts.answers],
        "references": [list(verdicts.references[answer.question]) for answer in verdicts.answers],
    }


def score_answers(way: Way, verdicts: Verdicts) -> list[Series]:
    """Return the scores of one way: for each answer the best with any of its references, each score
    for itself.
    """
    sides = [
        (answer.text, reference, at)
        for at, answer in enumerate(verdicts.answers)
        for reference in verdicts.references[answer.question]
    ]
    predictions, references, at = map(list, zip(*sides, strict=True))
    given = choose_model(way.module) | ({"answer_keywords": references} if way.keywords else {})
    brief = "brief" if way.module in WITH_TOKENS else True
    result = load(way.module).compute(
        predictions=predictions, references=references, per_example=brief, **given
    )
    found = []
    for name, path in way.scores.items():
        best = np.full(len(verdicts.answers), -np.inf)
        np.maximum.at(best, at, [reduce(getitem, path, row) for row in result["per_example"]])
        model = MODEL if way.module in models.WITH_MODEL else ""
        found.append(Series(name, way.module, result["signature"], np.round(best, DECIMALS), model))
    return found


def estimate_answers(verdicts: Verdicts) -> Series:
    """Return how likely people would call each answer right.

    Of the data that the trees were made from, by trees that were made without its question (`make
    estimate`), for figures on one's own training data say nothing.
    """
    left_out = verdicts.digest == import_file(ESTIMATE, "model").TRAINED_ON
    some = {
        name: column[:1] if left_out else column for name, column in make_columns(verdicts).items()
    }
    result = load(ESTIMATE).compute(**some, per_example=True)
    values = np.array([row["score"] for row in result["per_example"]])
    if left_out:
        from metrics.training import estimate

        values = estimate.estimate_unseen_questions(verdicts)
    return Series(
        ESTIMATE, ESTIMATE, result["signature"], np.round(values, DECIMALS), left_out=left_out
    )


def score_all_ways(verdicts: Verdicts, ways: Sequence[Way] = WAYS) -> list[Series]:
    """Return all scores of all answers, and say on the error stream how long each module took."""
    found = []
    for way in ways:
        start = time.perf_counter()
        found += (
            [estimate_answers(verdicts)] if way.module == ESTIMATE else score_answers(way, verdicts)
        )
        print(
            f"{', '.join(way.scores)}: {time.perf_counter() - start:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return found
