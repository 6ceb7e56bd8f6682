"""Collects the scores of a table, block by block."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lens.scoring import modules
from lens.scoring.catalog import BY_NAME, CASCADE, Series, list_series
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.scorer import ROW_FAILED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.scoring.block_scores import BlockResult, BlockScores

    Array = NDArray[Any]

T = TypeVar("T")


def list_column_scores(column: Array) -> list[float | None]:
    """Return a column of scores as a list; None for a missing score."""
    scores: list[float | None] = []
    for score in column.tolist():
        scores.append(None if math.isnan(score) else score)
    return scores


class TableScores:
    """Collects the scores of a table, block by block.

    Attributes:
        metrics: the names of the metrics.
        reasons: the reasons of answers without a score, by metric and row.
        errors: the messages of errors on single rows, by metric and row.
        stopped: why a metric gave no more scores, by metric.
        block_rows: the number of answers in each block, by the block's number.
    """

    def __init__(self, metrics: Sequence[str]) -> None:
        self.metrics = list(metrics)
        self.reasons: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.errors: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.stopped: dict[str, str] = {}
        self.block_rows: dict[int, int] = {}
        # The scores of each metric and block, of shape (series, rows), and the notes on the block.
        self.values: dict[str, dict[int, Array]] = {name: {} for name in metrics}
        self.block_notes: dict[str, dict[int, MetricNotes]] = {name: {} for name in metrics}
        # The interpretations of the estimates in each block.
        self.block_interpretations: dict[int, list[str]] = {}

    @property
    def series(self) -> list[Series]:
        """The series of the metrics."""
        return list_series(self.metrics)

    @property
    def summarized_series(self) -> list[Series]:
        """The series that tables of results show.

        In a cascade, the judge has no mean of its own, because its rows are a selection. The joined
        verdict comes first, in its place.
        """
        if CASCADE.name not in self.metrics:
            return self.series
        summarized = list_series([CASCADE.name])
        for series in self.series:
            if not BY_NAME[series.metric].gives_verdicts:
                summarized.append(series)
        return summarized

    def add_block(self, result: BlockResult) -> None:
        """Add the results of metrics for a block."""
        self.block_rows[result.number] = result.rows
        for name, scores in result.scores.items():
            self.add_metric(name, result, scores)
        self.forget_columns()

    def forget_columns(self) -> None:
        """Forget the cached columns, because blocks or metrics have changed."""
        self.__dict__.pop("columns", None)

    def add_metric(self, name: str, result: BlockResult, scores: BlockScores) -> None:
        """Add the results of one metric for a block."""
        import numpy as np

        values = [row.values for row in scores.rows]
        self.values[name][result.number] = np.array(values, dtype=float).T
        self.block_notes[name][result.number] = scores.notes
        reasons = self.reasons[name]
        for number, reason in scores.find_reasons().items():
            reasons[result.first + number] = reason
        errors = self.errors[name]
        for number, row in enumerate(scores.rows, result.first):
            if row.reason == ROW_FAILED:
                errors[number] = row.message
        if BY_NAME[name].estimate:
            # There are only a few different texts, so each is stored once.
            interpretations = [sys.intern(row.interpretation) for row in scores.rows]
            self.block_interpretations[result.number] = interpretations
        if scores.stopped:
            self.stopped.setdefault(name, scores.stopped)

    def keep_metrics(self, metrics: Sequence[str]) -> None:
        """Remove metrics that are not among these, because they were not completed."""
        for name in set(self.metrics).difference(metrics):
            self.metrics.remove(name)
            self.stopped.pop(name, None)
        self.forget_columns()

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The scores of all answers so far, by series; NaN for a missing score."""
        import numpy as np

        columns = {}
        for name in self.metrics:
            metric_series = list_series([name])
            # The first part has no rows, so that a metric without blocks has empty columns.
            no_rows = np.empty((len(metric_series), 0))
            blocks = sort_blocks(self.values[name])
            joined = np.hstack([no_rows, *blocks])
            for series, column in zip(metric_series, joined, strict=True):
                columns[series.key] = column
        return {series.key: columns[series.key] for series in self.series}

    def list_interpretations(self) -> list[str]:
        """Return the interpretation of each answer's estimate; empty if there is no estimate."""
        if not any(BY_NAME[name].estimate for name in self.metrics):
            return []
        interpretations: list[str] = []
        for block in sort_blocks(self.block_interpretations):
            interpretations += block
        return interpretations

    def join_notes(self, name: str) -> MetricNotes:
        """Return the notes of a metric on the whole table, in the order of its blocks."""
        table_notes = MetricNotes()
        for notes in sort_blocks(self.block_notes[name]):
            table_notes.add(notes)
        return table_notes

    def compute_corpus_bleu(self, label: str = "") -> float | None:
        """Return BLEU of all scored answers together, or of those of the system with this label.

        The module's own code computes it. It is None if the metric was not chosen, or could not be
        computed.
        """
        for name in self.metrics:
            corpus = BY_NAME[name].corpus_score
            if corpus is None or name in self.stopped:
                continue
            totals = self.sum_corpus_counts(name, label)
            if not any(totals):
                return None
            code = modules.load_code(name)
            return corpus.score(code, totals)
        return None

    def sum_corpus_counts(self, name: str, label: str) -> list[int]:
        """Return a metric's counts of all systems together, or of the system with this label."""
        counts = self.join_notes(name).corpus_counts
        if label:
            return counts.get(label, [])
        counts_of_systems = zip(*counts.values(), strict=True)
        return [sum(column) for column in counts_of_systems]


def sort_blocks(blocks: Mapping[int, T]) -> list[T]:
    """Return the values of blocks in the order of the blocks' numbers."""
    return [blocks[number] for number in sorted(blocks)]


def average_groups(group: Array, scores: Array, groups: int) -> Array:
    """Return the mean score of each group, numbered from 0; NaN for a group without scores."""
    import numpy as np

    scored = ~np.isnan(scores)
    group_of_scored = group[scored]
    sums = np.bincount(group_of_scored, scores[scored], groups)
    counts = np.bincount(group_of_scored, minlength=groups)
    means = sums / np.maximum(counts, 1)
    return np.where(counts, means, np.nan)
