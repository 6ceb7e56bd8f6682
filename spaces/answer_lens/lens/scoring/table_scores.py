"""The scores of a table, as its blocks come in."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lens.scoring import modules
from lens.scoring.catalog import BY_NAME, CASCADE, Series, list_series
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.rows import ROW_FAILED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.scoring.block_scores import BlockResult, BlockScores

    Array = NDArray[Any]

T = TypeVar("T")


def list_scores(column: Array) -> list[float | None]:
    """Return a column of scores as a list, None if there is none."""
    return [None if math.isnan(score) else score for score in column.tolist()]


class TableScores:
    """The scores of a table, as its blocks come in.

    Attributes:
        metrics: the names of the metrics that are done, or on their way.
        reasons: why answers are not scored, by metric and place; `errors` has what a module failed
            with on one of them.
        stopped: why a metric gave no more scores, by its name.
        block_rows: how many answers each block has, by its number.
    """

    def __init__(self, metrics: Sequence[str]) -> None:
        self.metrics = list(metrics)
        self.reasons: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.errors: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.stopped: dict[str, str] = {}
        self.block_rows: dict[int, int] = {}
        # By metric and block: an array with a row for each series, and what the metric says of the
        # block.
        self.values: dict[str, dict[int, Array]] = {name: {} for name in metrics}
        self.block_notes: dict[str, dict[int, MetricNotes]] = {name: {} for name in metrics}
        # What the estimates of a block's answers may be taken for.
        self.block_states: dict[int, list[str]] = {}

    @property
    def series(self) -> list[Series]:
        """The series of the metrics."""
        return list_series(self.metrics)

    @property
    def summarized_series(self) -> list[Series]:
        """The series that tables of results show.

        A judge that was asked only where the estimate is unsure has no mean of its own there: its
        rows are a selection. The verdict of both stands first, in its place.
        """
        if CASCADE.name not in self.metrics:
            return self.series
        series = list_series([CASCADE.name])
        series += [own for own in self.series if not BY_NAME[own.metric].gives_verdicts]
        return series

    def take(self, result: BlockResult) -> None:
        """Note what some metrics made of a block."""
        self.block_rows[result.number] = result.rows
        for name, scores in result.scores.items():
            self.take_metric(name, result, scores)
        self.__dict__.pop("columns", None)

    def take_metric(self, name: str, result: BlockResult, scores: BlockScores) -> None:
        """Note what one metric made of a block."""
        import numpy as np

        values = [row.values for row in scores.rows]
        self.values[name][result.number] = np.array(values, dtype=float).T
        self.block_notes[name][result.number] = scores.notes
        for place, reason in scores.find_reasons().items():
            self.reasons[name][result.first + place] = reason
        for place, row in enumerate(scores.rows, result.first):
            if row.reason == ROW_FAILED:
                self.errors[name][place] = row.message
        if BY_NAME[name].estimate:
            # The few texts that there are stand in memory once.
            states = [sys.intern(row.interpretation) for row in scores.rows]
            self.block_states[result.number] = states
        if scores.stopped:
            self.stopped.setdefault(name, scores.stopped)

    def keep_metrics(self, metrics: Sequence[str]) -> None:
        """Leave out metrics that are not among these, for they were not scored to the end."""
        for name in set(self.metrics).difference(metrics):
            self.metrics.remove(name)
            self.stopped.pop(name, None)
        self.__dict__.pop("columns", None)

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The scores of all answers so far by series; NaN where there is none."""
        import numpy as np

        columns = {}
        for name in self.metrics:
            own = list_series([name])
            blocks = sort_blocks(self.values[name])
            joined = np.hstack(blocks) if blocks else np.empty((len(own), 0))
            for series, column in zip(own, joined, strict=True):
                columns[series.key] = column
        return {series.key: columns[series.key] for series in self.series}

    def list_interpretations(self) -> list[str]:
        """Return what the estimate of each answer may be taken for.

        It is empty if it is not among the metrics.
        """
        if not any(BY_NAME[name].estimate for name in self.metrics):
            return []
        states: list[str] = []
        for block in sort_blocks(self.block_states):
            states += block
        return states

    def join_notes(self, name: str) -> MetricNotes:
        """Return what a metric says of the whole table, in the order of its blocks."""
        whole = MetricNotes()
        for notes in sort_blocks(self.block_notes[name]):
            whole.add(notes)
        return whole

    def compute_corpus_bleu(self, label: str = "") -> float | None:
        """Return BLEU of all scored answers together, or of those whose system has this label.

        It is computed as the module does; None if the metric was not chosen, or could not be
        computed.
        """
        for name in self.metrics:
            corpus = BY_NAME[name].corpus_score
            if corpus is None or name in self.stopped:
                continue
            counts = self.join_notes(name).corpus_counts
            if label:
                totals = counts.get(label, [])
            else:
                totals = [sum(column) for column in zip(*counts.values(), strict=True)]
            if not any(totals):
                return None
            return corpus.score(modules.load_code(name), totals)
        return None


def sort_blocks(blocks: Mapping[int, T]) -> list[T]:
    """Return what belongs to blocks, by their numbers, in the order of the blocks."""
    return [blocks[number] for number in sorted(blocks)]


def average_groups(group: Array, scores: Array, groups: int) -> Array:
    """Return the mean of the scores of each group, numbered from 0; NaN where it has none."""
    import numpy as np

    scored = ~np.isnan(scores)
    sums = np.bincount(group[scored], scores[scored], groups)
    counts = np.bincount(group[scored], minlength=groups)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)
