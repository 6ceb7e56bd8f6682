"""Exports scores for inspect_ai's `precomputed_scores`, which adds them to a log.

A record is `{"id", "value", "epoch"?, "answer", "explanation"?, "metadata"}` (inspect_ai 0.3.285).
It belongs to the sample with this id and epoch, or without an epoch to all epochs of the sample.
inspect_ai refuses two records of the same sample and epoch, and so does this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from lens.experiment.index import NO_TEXT
from lens.study.exports.scored_answers import (
    ScoredAnswer,
    join_texts,
    list_signatures,
    read_scored_answers,
)
from lens.study.tables import AnswerTable
from lens.tables.cells import is_missing, parse_number, write_json
from lens.tables.roles import format_cell
from lens.words.notes import UserError
from lens.words.printed import shorten_name

if TYPE_CHECKING:
    from lens.study.study import Study

EPOCH = "epoch"
# The judge's text that inspect_ai shows as the explanation of a score.
EXPLANATION = "reasoning"


def refuse_unfit_study(study: Study) -> None:
    """Raise UserError, before scoring, if `precomputed_scores` could not match the records.

    Raises:
        UserError: there are several systems, an answer has no id, or two answers have the same id
            and epoch.
    """
    if len(study.systems) > 1:
        raise UserError("export.several_systems", count=len(study.systems))
    table = study.first
    roles = table.source.roles
    if not roles.id:
        raise UserError("export.no_id_column")
    frame = table.index.frame
    without_id = frame[(frame["id"] == NO_TEXT) & (frame["skip_reason"] == "")]
    if not without_id.empty:
        row = int(without_id["row"].iloc[0]) + 1
        raise UserError("export.no_id", column=shorten_name(roles.id), row=row)
    number_epochs(table)  # raises if the epochs do not fit


def number_epochs(table: AnswerTable) -> list[int | None]:
    """Return the epoch of each answer: its cell of the column `epoch`, or a number.

    The number is how often the answer's id came before, plus 1. All epochs are None if there is no
    such column and no id has several answers.

    Raises:
        UserError: a cell of the column is not an integer from 1, or two answers have the same id
            and epoch.
    """
    ids = table.index.frame["id"]
    if EPOCH in table.source.column_types:
        epochs = read_epochs(table)
        refuse_equal_epochs(table, epochs)
        return epochs
    if not ids.duplicated().any():
        return [None] * len(table)
    numbers: list[int | None] = (ids.groupby(ids).cumcount() + 1).tolist()
    return numbers


def read_epochs(table: AnswerTable) -> list[int | None]:
    """Return the epoch of each answer in the column `epoch`; None for an empty cell."""
    epochs: list[int | None] = []
    for number, row in enumerate(table.source.rows(), 1):
        cell = row.get(EPOCH)
        if is_missing(cell) or cell == "":
            epochs.append(None)
            continue
        epoch = parse_number(cell)
        if epoch is None or epoch < 1 or not epoch.is_integer():
            raise UserError("export.no_epoch", row=number, cell=format_cell(cell))
        epochs.append(int(epoch))
    return epochs


def refuse_equal_epochs(table: AnswerTable, epochs: list[int | None]) -> None:
    """Raise UserError if two answers have the same id and epoch."""
    frame = table.index.frame[["row", "id"]].assign(epoch=epochs)
    repeated = frame[frame.duplicated(["id", "epoch"])]
    if not repeated.empty:
        row = int(repeated["row"].iloc[0]) + 1
        epoch = epochs[int(repeated.index[0])]
        raise UserError("export.same_epoch", row=row, epoch="–" if epoch is None else epoch)


def list_records(study: Study) -> Iterator[dict[str, Any]]:
    """Yield a record for each scored answer of the only system."""
    epochs = number_epochs(study.first)
    signatures = list_signatures(study, 0)
    for scored_answer in read_scored_answers(study, 0):
        value = choose_value(scored_answer)
        if value is not None:
            yield make_record(scored_answer, value, epochs[scored_answer.place], signatures)


def choose_value(scored_answer: ScoredAnswer) -> float | dict[str, float | None] | None:
    """Return the value of a record: a number, or an object with the scores of several series.

    Return None if no series has a score.
    """
    scores = {series.key: score for series, score in scored_answer.list_scores()}
    if all(score is None for score in scores.values()):
        return None
    if len(scores) == 1:
        (score,) = scores.values()
        return score
    return scores


def make_record(
    scored_answer: ScoredAnswer,
    value: float | dict[str, float | None],
    epoch: int | None,
    signatures: dict[str, str],
) -> dict[str, Any]:
    """Return the record of one answer."""
    record: dict[str, Any] = {"id": scored_answer.answer.id, "value": value}
    if epoch is not None:
        record["epoch"] = epoch
    record["answer"] = scored_answer.answer.prediction
    metadata: dict[str, Any] = {"signature": signatures}
    explanations = []
    for metric in scored_answer.scored:
        for part, text in scored_answer.list_remarks(metric).items():
            if part == EXPLANATION:
                explanations.append(text)
            else:
                metadata[f"{metric}_{part}"] = text
    explanation = join_texts(explanations)
    if explanation:
        record["explanation"] = explanation
    record["metadata"] = metadata
    return record


def write_records(file: IO[bytes], records: Iterator[dict[str, Any]], is_array: bool) -> None:
    """Write records as JSON Lines or as an array, one by one."""
    if not is_array:
        for record in records:
            file.write(f"{write_json(record)}\n".encode())
        return
    separator = "[\n"
    for record in records:
        file.write(f"{separator}{write_json(record)}".encode())
        separator = ",\n"
    file.write(b"[]\n" if separator == "[\n" else b"\n]\n")
