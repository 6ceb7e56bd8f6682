"""Exports the samples of Every Eval Ever: one line of JSON per answer and series of scores.

Source: instance_level_eval.schema.json of every-eval-ever 0.3.0 (MIT,
https://github.com/evaleval/every_eval_ever).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.scoring.catalog import Series
from lens.study.annotations import PASSES, VERDICT_VALUES, SystemVerdicts
from lens.study.exports.scored_answers import ScoredAnswer, read_scored_answers
from lens.tables import places

if TYPE_CHECKING:
    from lens.study.study import Study

SCHEMA_VERSION = "0.3.0"
# A required value that the table does not have.
UNKNOWN = "unknown"
# The source of a sample's `is_correct`, which is written in its metadata.
BY_PERSON = "the verdict of a person"
BY_SCORE = f"score >= {PASSES}"


@dataclass(frozen=True)
class Evaluation:
    """The values that the samples and the aggregate of one system share.

    Attributes:
        system: the number of the system in the study, from 0.
        name: the name of the system.
        model: the model; UNKNOWN if neither the user nor a log names it.
        dataset: the name of the table, without secrets of an address.
        time: the time of the export in seconds since 1970, as a text.
    """

    system: int
    name: str
    model: str
    dataset: str
    time: str

    @property
    def id(self) -> str:
        """The id that connects samples with their aggregate, in the form of the schema."""
        return f"{self.dataset}/{self.model}/{self.time}"


def describe_evaluation(study: Study, number: int, time: str) -> Evaluation:
    """Return the values that the files of the system with this number share."""
    system = study.systems[number]
    source = study.tables[system.table].source
    if system.label:
        model = system.label
    elif len(study.systems) > 1:
        model = system.name
    else:
        model = source.model or UNKNOWN
    return Evaluation(number, system.name, model, name_dataset(source.name), time)


def name_dataset(name: str) -> str:
    """Return the name of a table without secrets, and without folders of this machine.

    >>> name_dataset("/home/me/runs/*.jsonl"), name_dataset("org/data (test)")
    ('*.jsonl', 'org/data (test)')
    >>> name_dataset("s3://a:b@c/d.csv?e=1")
    'd.csv'
    """
    name = places.hide_secrets(name)
    if places.is_address(name) or name.startswith((".", "/", "~")) or "\\" in name:
        name = name.replace("\\", "/").rpartition("/")[2]
    return name


def find_verdicts(systems: Sequence[SystemVerdicts], system: int) -> dict[int, str]:
    """Return the verdicts of a person on a system's answers, by the rows of the answers."""
    if not systems:
        return {}
    rows = systems[system].rows
    verdicts = systems[system].verdicts
    return {row: verdict for row, verdict in zip(rows, verdicts, strict=True) if verdict}


def make_samples(
    study: Study, evaluation: Evaluation, verdicts: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    """Yield a sample for each score of each answer of a system.

    Args:
        study: the scored study.
        evaluation: the values that the files of the system share.
        verdicts: a person's verdicts by the rows of the answers.
    """
    table = study.tables[study.systems[evaluation.system].table]
    rows = table.index.frame["row"].to_numpy()
    for scored_answer in read_scored_answers(study, evaluation.system):
        row = int(rows[scored_answer.place]) + 1
        shared_values = describe_answer(scored_answer, evaluation, row)
        verdict = scored_answer.answer.verdict or verdicts.get(scored_answer.place, "")
        is_right = VERDICT_VALUES.get(verdict)
        for series, score in scored_answer.list_scores():
            if score is not None:
                metadata = {"row": str(row), **scored_answer.list_remarks(series.metric)}
                yield make_sample(shared_values, series, score, is_right, metadata)


def describe_answer(
    scored_answer: ScoredAnswer, evaluation: Evaluation, row: int
) -> dict[str, Any]:
    """Return the values that the samples of one answer share.

    Args:
        scored_answer: the answer.
        evaluation: the values that the files of the system share.
        row: the number of the table's row, from 1, which is used if the answer has no id.
    """
    answer = scored_answer.answer
    references = list(answer.references)
    # The hash that identifies a sample for all models, computed as by the converters of the
    # schema's package.
    text = answer.question + "".join(references)
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    attribution = {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": answer.prediction,
        "extraction_method": "+".join(answer.left_out) or "none",
        "is_terminal": True,
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation.id,
        "model_id": evaluation.model,
        "evaluation_name": evaluation.dataset,
        "sample_id": answer.id or str(row),
        "sample_hash": digest,
        "interaction_type": "single_turn",
        "input": {"raw": answer.question, "reference": references},
        "output": {"raw": [answer.raw_prediction or answer.prediction]},
        "answer_attribution": [attribution],
    }


def make_sample(
    shared_values: Mapping[str, Any],
    series: Series,
    score: float,
    is_right: bool | None,
    metadata: Mapping[str, str],
) -> dict[str, Any]:
    """Return the sample of one answer and one series.

    Args:
        shared_values: the values that the samples of the answer share.
        series: the series.
        score: the score.
        is_right: a person's verdict; None if nobody read the answer.
        metadata: further values.
    """
    is_correct = score >= PASSES if is_right is None else is_right
    basis = BY_SCORE if is_right is None else BY_PERSON
    return {
        **shared_values,
        "evaluation_result_id": series.key,
        "evaluation": {"score": score, "is_correct": is_correct},
        "metadata": {"is_correct": basis, **metadata},
    }
