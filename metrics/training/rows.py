"""Answers as arrays: their features, their verdicts, and where they come from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.correctness_estimate.scoring import is_unsure
from metrics.correctness_estimate.measure import (
    OBJECTION_KINDS,
    Measurement,
    measure_answer,
    sum_evidence,
)
from metrics.training.grades import Graded
from metrics.training.questions import NumberedAnswer
from metrics.training.verdicts import Verdicts

Array = NDArray[Any]
# The fields of Rows that have one entry for each answer.
COLUMNS = (
    "features",
    "evidence",
    "decisions",
    "unsure",
    "words",
    "reference_length",
    "right",
    "question",
    "kind",
)


@dataclass(frozen=True)
class Rows:
    """Answers as arrays with one row each.

    Attributes:
        names: the names of the features.
        features: the features, which the trees read.
        evidence: the evidence for each kind of objection (measure.OBJECTION_KINDS).
        decisions: what decides about the answer without the trees (outcomes.Decision), or None.
        unsure: whether the estimate stays away from 0 and 1.
        words: how many words the reference has.
        reference_length: how many of them count for the weights of objections.
        right: whether the answer is right.
        question: the number of its question.
        kind: the system that gave the answer, the kind of made-up answer, or the grading set.
    """

    names: list[str]
    features: Array
    evidence: Array
    decisions: Array
    unsure: Array
    words: Array
    reference_length: Array
    right: Array
    question: Array
    kind: Array

    def select(self, mask: Array) -> "Rows":
        """Return the rows that a mask selects."""
        columns = {name: getattr(self, name)[mask] for name in COLUMNS}
        return replace(self, **columns)

    def column(self, name: str) -> Array:
        """Return one feature of all rows."""
        column: Array = self.features[:, self.names.index(name)]
        return column

    def columns(self, names: Sequence[str]) -> Array:
        """Return some features of all rows."""
        places = [self.names.index(name) for name in names]
        columns: Array = self.features[:, places]
        return columns


def make_rows(
    measurements: Sequence[Measurement],
    right: Sequence[bool],
    question: Sequence[int],
    kind: Sequence[str],
) -> Rows:
    """Return rows from measured answers."""
    features = []
    evidence = []
    for measurement in measurements:
        features.append(list(measurement.features.values()))
        evidence_by_kind = sum_evidence(measurement.objections)
        evidence.append([evidence_by_kind[name] for name in OBJECTION_KINDS])
    # np.array() would make a column of each field of a decision, which is a tuple.
    decisions = np.empty(len(measurements), object)
    for place, measurement in enumerate(measurements):
        decisions[place] = measurement.decision
    return Rows(
        names=list(measurements[0].features),
        features=np.array(features),
        evidence=np.array(evidence),
        decisions=decisions,
        unsure=np.array([is_unsure(measurement) for measurement in measurements]),
        words=np.array([len(measurement.reference.words) for measurement in measurements]),
        reference_length=np.array([measurement.reference_length for measurement in measurements]),
        right=np.array(right),
        question=np.array(question),
        kind=np.array(kind),
    )


def measure_verdicts(verdicts: Verdicts) -> Rows:
    """Return the answers that people judged as rows."""
    answers = verdicts.answers
    measurements = []
    for answer in answers:
        references = verdicts.references[answer.question]
        question = verdicts.questions[answer.question]
        measurements.append(measure_answer(answer.text, references, question))
    return make_rows(
        measurements,
        right=[answer.right for answer in answers],
        question=[answer.question for answer in answers],
        kind=[answer.system for answer in answers],
    )


def measure_made_answers(answers: Sequence[NumberedAnswer]) -> Rows:
    """Return made-up answers as rows."""
    made = [numbered.answer for numbered in answers]
    measurements = []
    for answer in made:
        measurements.append(measure_answer(answer.answer, answer.references, answer.question))
    return make_rows(
        measurements,
        right=[answer.right for answer in made],
        question=[numbered.question_number for numbered in answers],
        kind=[answer.kind for answer in made],
    )


def measure_graded_answers(answers: Sequence[Graded]) -> Rows:
    """Return graded answers as rows; their kind is the source, and each question has a number."""
    questions = dict.fromkeys((answer.source, answer.question) for answer in answers)
    numbers = {question: number for number, question in enumerate(questions)}
    measurements = []
    for answer in answers:
        measurements.append(measure_answer(answer.answer, answer.references, answer.question))
    return make_rows(
        measurements,
        right=[answer.right for answer in answers],
        question=[numbers[answer.source, answer.question] for answer in answers],
        kind=[answer.source for answer in answers],
    )


def concatenate_rows(first: Rows, second: Rows) -> Rows:
    """Return the rows of one and then those of the other."""
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        columns[name] = np.concatenate([getattr(first, name), getattr(second, name)])
    return replace(first, **columns)
