"""Writes the scored file: the rows of the first system's table, with the scores of all systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lens.experiment.answers import Answer
from lens.inference.recalibration import Recalibration
from lens.scoring.catalog import BY_NAME, list_series
from lens.scoring.row_scores import RowResult
from lens.scoring.table_scores import list_column_scores
from lens.study.engines.score_table import ResultStore
from lens.study.tables import ReadText
from lens.tables.cells import ColumnType

if TYPE_CHECKING:
    from lens.study.study import Study
    from lens.tables.file_reading import Row

# The scores of one answer or question, by the keys of their series.
Scores = Mapping[str, float | None]
SCORED_TEXT = "scored_answer"
ANSWER = "answer"
# The ending of the column of a recalibrated estimate.
RECALIBRATED = "_recalibrated"


@dataclass(frozen=True)
class OtherCells:
    """The cells of another system for a question.

    Attributes:
        scores: its scores.
        text: its answer if that is in another file; else None.
    """

    scores: Scores
    text: str | None


# A function that returns the cells of each other system for a question; empty for no question.
ReadOthers = Callable[[int | None], list[OtherCells]]


class ScoredFileSchema:
    """The columns of a scored file.

    If a column of the table has the name of a score, it is renamed to input_<name>; this happens if
    a scored file is scored again. With several systems, the columns of scores are named `score
    (system)`.

    Attributes:
        column_types: the type of each column, in order.
        has_scored_text: whether there is a column with the scored part of each answer, because some
            answers were cut.
    """

    def __init__(self, study: Study, recalibration: Recalibration | None = None) -> None:
        """Make the columns of a study's scored file.

        Args:
            study: the scored study.
            recalibration: the fit of the estimate to verdicts, whose results are added as a column.
        """
        self.metrics = study.metrics
        self.has_answers = study.has_other_files
        self.has_scored_text = study.first.index.notes.has_cut_answer
        self.recalibration = recalibration
        # The ending of the names of each system's columns.
        names = study.names if study.has_other_tables else []
        self.own_ending, *self.other_endings = [f" ({name})" for name in names] or [""]
        added_columns = self.list_score_columns()
        source_types = study.first.source.column_types
        self.renamed: dict[str, str] = {}
        self.column_types: dict[str, ColumnType] = {}
        for name, column_type in source_types.items():
            if name in added_columns:
                self.renamed[name] = find_free_name(name, {*source_types, *added_columns})
            self.column_types[self.renamed.get(name, name)] = column_type
        self.column_types |= added_columns

    def list_score_columns(self) -> dict[str, ColumnType]:
        """Return the columns that are added to the columns of the table."""
        columns: dict[str, ColumnType] = {}
        if self.has_scored_text:
            columns[f"{SCORED_TEXT}{self.own_ending}"] = "text"
        all_keys: dict[str, None] = {}
        for metric in self.metrics:
            keys = dict.fromkeys(series.key for series in list_series([metric]))
            all_keys |= keys
            for key in self.add_recalibrated(keys):
                columns[f"{key}{self.own_ending}"] = "number"
            for part in list_metric_parts(metric):
                columns[f"{metric}_{part}{self.own_ending}"] = "text"
        for ending in self.other_endings:
            if self.has_answers:
                columns[f"{ANSWER}{ending}"] = "text"
            for key in self.add_recalibrated(all_keys):
                columns[f"{key}{ending}"] = "number"
        return columns

    def make_row(
        self,
        cells: Row,
        scored: Mapping[str, RowResult],
        answer: Answer | None,
        others: Sequence[OtherCells],
    ) -> dict[str, object]:
        """Return one row of the scored file.

        Args:
            cells: the cells of the table's row.
            scored: the result of each metric for the row.
            answer: the answer; needed only for the column of scored texts.
            others: the cells of each other system for the question.
        """
        row = {self.renamed.get(name, name): cell for name, cell in cells.items()}
        if answer is not None:
            scored_text = answer.prediction if answer.raw_prediction else None
            row[f"{SCORED_TEXT}{self.own_ending}"] = scored_text
        scores: dict[str, float | None] = {}
        for metric in self.metrics:
            result = scored[metric]
            for series, value in zip(list_series([metric]), result.values, strict=True):
                scores[series.key] = value
            for part in list_metric_parts(metric):
                text = getattr(result, part)
                row[f"{metric}_{part}{self.own_ending}"] = text or None
        for key, value in self.add_recalibrated(scores).items():
            row[f"{key}{self.own_ending}"] = value
        for ending, other in zip(self.other_endings, others, strict=True):
            if self.has_answers:
                row[f"{ANSWER}{ending}"] = other.text
            for key, value in self.add_recalibrated(other.scores).items():
                row[f"{key}{ending}"] = value
        return row

    def add_recalibrated(self, scores: Scores) -> dict[str, float | None]:
        """Return scores, with the recalibrated estimate if there is a recalibration."""
        all_scores = dict(scores)
        if self.recalibration is None:
            return all_scores
        for metric in self.metrics:
            if BY_NAME[metric].estimate and metric in scores:
                estimate = scores[metric]
                recalibrated = None
                if estimate is not None:
                    recalibrated = self.recalibration.recalibrate(estimate)
                all_scores[f"{metric}{RECALIBRATED}"] = recalibrated
        return all_scores


def write_blocks(
    study: Study, schema: ScoredFileSchema, store: ResultStore
) -> Iterator[list[dict[str, object]]]:
    """Yield the rows of the scored file, block by block.

    Args:
        study: the scored study.
        schema: the columns of the file.
        store: the results of the first table's blocks.
    """
    source = study.first.source
    first_system = study.systems[0]
    question_of: dict[int, int] = {}
    if schema.other_endings:
        question_of = dict(
            zip(first_system.positions.tolist(), first_system.question.tolist(), strict=True)
        )
    rows: Iterator[tuple[Row, Answer | None]]
    if schema.has_scored_text:
        rows = source.rows_with_answers()
    else:
        rows = ((row, None) for row in source.rows())
    with open_others(study, schema) as read_others:
        for result in store.results(0):
            block = []
            for number, (row, answer) in enumerate(islice(rows, result.rows)):
                # `result.first` is the number of the block's first row.
                question = question_of.get(result.first + number)
                others = read_others(question)
                scored = result.find_row(number)
                block.append(schema.make_row(row, scored, answer, others))
            yield block
        source.check_unchanged(next(rows, None))


@contextmanager
def open_others(study: Study, schema: ScoredFileSchema) -> Iterator[ReadOthers]:
    """Give a function that reads the other systems' cells, until the end of the `with` statement.

    Args:
        study: the scored study.
        schema: the columns of the file.
    """
    numbers = range(1, len(study.systems)) if schema.other_endings else range(0)
    with ExitStack() as stack:
        columns: list[Mapping[str, Sequence[float | None]]] = []
        readers: list[ReadText] = []
        for number in numbers:
            arrays = study.question_scores(number)
            columns.append({key: list_column_scores(array) for key, array in arrays.items()})
            if schema.has_answers:
                # Answers of other files are read by position, because their rows may be in another
                # order.
                table = study.tables[study.systems[number].table]
                readers.append(stack.enter_context(table.source.open_texts()))

        def read_others(question: int | None) -> list[OtherCells]:
            if question is None:
                return [OtherCells({}, None) for _ in numbers]
            cells: list[OtherCells] = []
            for position, number in enumerate(numbers):
                scores = {key: column[question] for key, column in columns[position].items()}
                text = None
                if schema.has_answers:
                    read_text = readers[position]
                    rows = study.systems[number].find_answers(question)
                    text = join_texts([read_text(row) for row in rows])
                cells.append(OtherCells(scores, text))
            return cells

        yield read_others


def list_metric_parts(metric: str) -> tuple[str, ...]:
    """Return the fields of a metric's result that are columns besides its scores.

    Judges have a reason and a message, and estimates have an interpretation and statements.
    """
    if BY_NAME[metric].estimate:
        return "interpretation", "statements"
    if not BY_NAME[metric].judge:
        return ()
    if BY_NAME[metric].judge_writes:
        return "reason", "message", "reasoning"
    return "reason", "message"


def join_texts(texts: Sequence[str | None]) -> str | None:
    """Return a system's answers as one cell: several answers are a JSON list."""
    if len(texts) == 1:
        return texts[0]
    return json.dumps(texts, ensure_ascii=False)


def find_free_name(name: str, names: Collection[str]) -> str:
    """Return a free name for a column of the table that has the name of a score."""
    free_name = f"input_{name}"
    while free_name in names:
        free_name = f"input_{free_name}"
    return free_name
