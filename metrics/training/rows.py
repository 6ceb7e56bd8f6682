"""Answers as arrays: their features, their verdicts, and where they come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.correctness_estimate.scoring import is_unsure
from metrics.correctness_estimate.measure import (
    OBJECTION_KINDS,
    Measurement,
    measure_answer,
    sum_evidence,
)
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
        evidence: the evidence for each kind of objection (measure.OBJECTION_KINDS).
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

    def select(self, mask: Any) -> "Rows":
        """Return the rows that a mask selects."""
        return Rows(self.names, *(getattr(self, name)[mask] for name in COLUMNS))

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
    features = np.array([list(measurement.features.values()) for measurement in measurements])
    evidence = np.array(
        [
            [sum_evidence(measurement.objections)[name] for name in OBJECTION_KINDS]
            for measurement in measurements
        ]
    )
    decisions = np.empty(len(measurements), object)
    decisions[:] = [measurement.decision for measurement in measurements]
    words = [len(measurement.reference.words) for measurement in measurements]
    unsure = np.array([is_unsure(measurement) for measurement in measurements])
    columns = (np.array(column) for column in (words, right, question, kind))
    return Rows(names, features, evidence, decisions, unsure, *columns)


def measure_verdicts(verdicts: Verdicts) -> Rows:
    """Return the answers that people judged as rows."""
    answers = verdicts.answers
    measurements = [
        measure_answer(
            answer.text, verdicts.references[answer.question], verdicts.questions[answer.question]
        )
        for answer in answers
    ]
    return make_rows(
        measurements,
        [answer.right for answer in answers],
        [answer.question for answer in answers],
        [answer.system for answer in answers],
    )


def measure_made_answers(answers: Sequence[NumberedAnswer]) -> Rows:
    """Return made-up answers as rows."""
    made = [entry.answer for entry in answers]
    measurements = [
        measure_answer(entry.answer, entry.references, entry.question) for entry in made
    ]
    numbers = [entry.question_number for entry in answers]
    return make_rows(
        measurements, [entry.right for entry in made], numbers, [entry.kind for entry in made]
    )


def measure_graded_answers(answers: Sequence[Graded]) -> Rows:
    """Return graded answers as rows; their kind is the source, and each question has a number."""
    questions = dict.fromkeys((answer.source, answer.question) for answer in answers)
    numbers = {question: number for number, question in enumerate(questions)}
    measurements = [
        measure_answer(answer.answer, answer.references, answer.question) for answer in answers
    ]
    question = [numbers[answer.source, answer.question] for answer in answers]
    return make_rows(
        measurements,
        [answer.right for answer in answers],
        question,
        [answer.source for answer in answers],
    )


def is_decided(decision: Decision | None, outcomes: Sequence[str]) -> bool:
    """Return whether a value decides an answer, with one of some outcomes."""
    return decision is not None and decision.outcome in outcomes


def concatenate_rows(first: Rows, second: Rows) -> Rows:
    """Return the rows of one and then those of the other."""
    return Rows(
        first.names,
        *(np.concatenate([getattr(first, name), getattr(second, name)]) for name in COLUMNS),
    )
