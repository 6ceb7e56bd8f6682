"""Answers as arrays: their features, their verdicts, and where they come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.correctness_estimate.interpretation import is_unsure
from metrics.correctness_estimate.measure import KINDS, Measurement, measure_answer, sum_evidence
from metrics.correctness_estimate.outcomes import Decision
from metrics.training.grades import Graded
from metrics.training.questions import NumberedAnswer
from metrics.training.verdicts import Verdicts

COLUMNS = ("features", "evidence", "decisions", "unsure", "words", "right", "question", "kind")


@dataclass(frozen=True)
class Rows:
    """Answers as arrays with one row each.

    Attributes:
        names: the names of the features.
        features: the features, which the trees read.
        evidence: the evidence for each kind of objection (measure.KINDS).
        decisions: the value that decides, or None.
        unsure: whether the estimate stays away from 0 and 1.
        words: how many words the reference has.
        right: whether the answer is right.
        question: the number of its question.
        kind: the system, the kind of made-up answer, or the source.
    """

    names: list[str]
    features: Any
    evidence: Any
    decisions: Any
    unsure: Any
    words: Any
    right: Any
    question: Any
    kind: Any

    def select(self, kept: Any) -> "Rows":
        """Return the rows that a mask selects."""
        return Rows(self.names, *(getattr(self, name)[kept] for name in COLUMNS))

    def column(self, name: str) -> Any:
        """Return one feature of all rows."""
        return self.features[:, self.names.index(name)]

    def columns(self, names: Sequence[str]) -> Any:
        """Return some features of all rows."""
        return self.features[:, [self.names.index(name) for name in names]]


def make_rows(
    measurements: Sequence[Measurement],
    right: Any,
    question: Any,
    kind: Any,
) -> Rows:
    """Return rows from measured answers."""
    names = list(measurements[0].features)
    features = np.array([list(one.features.values()) for one in measurements])
    evidence = np.array(
        [[sum_evidence(one.objections)[name] for name in KINDS] for one in measurements]
    )
    decisions = np.empty(len(measurements), object)
    decisions[:] = [one.decision for one in measurements]
    words = [len(one.reference.words) for one in measurements]
    unsure = np.array([is_unsure(one) for one in measurements])
    columns = (np.array(column) for column in (words, right, question, kind))
    return Rows(names, features, evidence, decisions, unsure, *columns)


def measure_verdicts(verdicts: Verdicts) -> Rows:
    """Return the answers that people judged as rows."""
    answers = verdicts.answers
    measurements = [
        measure_answer(
            one.text, verdicts.references[one.question], verdicts.questions[one.question]
        )
        for one in answers
    ]
    return make_rows(
        measurements,
        [one.right for one in answers],
        [one.question for one in answers],
        [one.system for one in answers],
    )


def measure_made_answers(answers: Sequence[NumberedAnswer]) -> Rows:
    """Return made-up answers as rows."""
    made = [one.answer for one in answers]
    measurements = [measure_answer(one.answer, one.references, one.question) for one in made]
    numbers = [one.question_number for one in answers]
    return make_rows(measurements, [one.right for one in made], numbers, [one.kind for one in made])


def measure_graded_answers(answers: Sequence[Graded]) -> Rows:
    """Return graded answers as rows; their kind is the source, and each question has a number."""
    questions = dict.fromkeys((one.source, one.question) for one in answers)
    numbers = {question: number for number, question in enumerate(questions)}
    measurements = [measure_answer(one.answer, one.references, one.question) for one in answers]
    question = [numbers[one.source, one.question] for one in answers]
    return make_rows(
        measurements, [one.right for one in answers], question, [one.source for one in answers]
    )


def is_decided(decision: Decision | None, outcomes: Sequence[str]) -> bool:
    """Return whether a value decides an answer, with one of some outcomes."""
    return decision is not None and decision.outcome in outcomes


def join_rows(one: Rows, other: Rows) -> Rows:
    """Return the rows of one and then those of the other."""
    return Rows(
        one.names, *(np.concatenate([getattr(one, name), getattr(other, name)]) for name in COLUMNS)
    )
