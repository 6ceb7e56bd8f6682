"""The scores of a table, as its blocks come in, and what each series of them comes to."""

from __future__ import annotations

import math
import statistics
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.inference import intervals
from lens.scoring import modules
from lens.scoring.catalog import BY_NAME, Series, series_of
from lens.scoring.rows import ROW_FAILED, MetricNotes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.scoring.block_scores import BlockResult, BlockScores

    Array = NDArray[Any]

# The state of an estimate that is a probability.
PROBABILITY = "probability"


@dataclass(frozen=True)
class Figure:
    """What a summary says of one series; a mean of None where no row is scored."""

    series: Series
    mean: float | None
    interval: tuple[float, float] | None
    scored: int
    unscored: Mapping[str, int]
    # Independent rows: of questions with several answers the questions, of clusters the clusters.
    units: int = 0


@dataclass(frozen=True)
class EstimateCounts:
    """What estimates may be taken for, by `counts` of "probability", "ranking" and "likeness".

    `right`: the share of the probabilities that count as right, with its interval; None where no estimate is one.
    """

    key: str
    right: float | None
    interval: tuple[float, float] | None
    counts: Mapping[str, int]


def list_scores(column: Array) -> list[float | None]:
    """Return a column of scores as a list, None where there is none."""
    return [None if math.isnan(score) else score for score in column.tolist()]


class TableScores:
    """The scores of a table, as its blocks come in.

    Attributes:
        metrics: the names of the metrics that are done, or on their way.
        reasons: why answers are not scored, by metric and place; `errors` has what a module failed with on one of them.
        stopped: why a metric gave no more scores, by its name.
        block_rows: how many answers each block has, by its number.
    """

    def __init__(self, metrics: Sequence[str]) -> None:
        self.metrics = list(metrics)
        self.reasons: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.errors: dict[str, dict[int, str]] = {name: {} for name in metrics}
        self.stopped: dict[str, str] = {}
        self.block_rows: dict[int, int] = {}
        # By metric and block: an array with a row for each series, and what the metric says of the block.
        self.values: dict[str, dict[int, Array]] = {name: {} for name in metrics}
        self.block_notes: dict[str, dict[int, MetricNotes]] = {name: {} for name in metrics}
        # What the estimates of a block's answers may be taken for.
        self.block_states: dict[int, list[str]] = {}

    @property
    def series(self) -> list[Series]:
        """The series of the metrics."""
        return series_of(self.metrics)

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
        self.values[name][result.number] = np.array(list(zip(*values, strict=True)), dtype=float)
        self.block_notes[name][result.number] = scores.notes
        for place, reason in scores.reasons().items():
            self.reasons[name][result.first + place] = reason
        for place, row in enumerate(scores.rows):
            if row.reason == ROW_FAILED:
                self.errors[name][result.first + place] = row.message
        if BY_NAME[name].estimate:
            self.block_states[result.number] = [sys.intern(row.interpretation) for row in scores.rows]
        if scores.stopped:
            self.stopped.setdefault(name, scores.stopped)

    def keep_metrics(self, metrics: Sequence[str]) -> None:
        """Leave out metrics that are not among these, for they were not scored to the end."""
        self.metrics = [name for name in self.metrics if name in metrics]
        self.stopped = {name: reason for name, reason in self.stopped.items() if name in metrics}
        self.__dict__.pop("columns", None)

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The scores of all answers so far by series; NaN where there is none."""
        import numpy as np

        columns = {}
        for name in self.metrics:
            own = series_of([name])
            blocks = [values for _, values in sorted(self.values[name].items())]
            joined = np.hstack(blocks) if blocks else np.empty((len(own), 0))
            for series, column in zip(own, joined, strict=True):
                columns[series.key] = column
        return {series.key: columns[series.key] for series in self.series}

    def scores(self, key: str) -> list[float | None]:
        """Return a column of scores, None where there is none."""
        return list_scores(self.columns[key])

    def interpretations(self) -> list[str]:
        """Return what the estimate of each answer may be taken for; empty where it is not among the metrics."""
        if not any(BY_NAME[name].estimate for name in self.metrics):
            return []
        return [state for _, block in sorted(self.block_states.items()) for state in block]

    def notes(self, name: str) -> MetricNotes:
        """Return what a metric says of the whole table, in the order of its blocks."""
        whole = MetricNotes()
        for _, notes in sorted(self.block_notes[name].items()):
            whole.add(notes)
        return whole

    def corpus_bleu(self, label: str = "") -> float | None:
        """Return BLEU of all scored answers together, or of those whose system has this label.

        It is computed as the module does; None where the metric was not chosen, or could not be computed.
        """
        for name in self.metrics:
            corpus = BY_NAME[name].corpus_score
            if corpus is not None and name not in self.stopped:
                by_label = self.notes(name).corpus_counts
                parts = [counts for own, counts in by_label.items() if label in ("", own)]
                counts = list(map(sum, zip(*parts, strict=True)))
                return corpus.score(modules.load_code(name), counts) if any(counts) else None
        return None

    def figures(self, rows: Array, cluster: Cluster = None, question: Array | None = None) -> list[Figure]:
        """Return what each series says of some rows, with 95% intervals.

        Args:
            rows: the positions of the rows.
            cluster: the cluster of each of these rows, or None if rows are independent.
            question: the question of each row, if questions have several answers: their mean counts.
        """
        import numpy as np

        answers = [column[rows] for column in self.columns.values()]
        columns, clusters = average_questions(answers, cluster, question)
        found = []
        for series, of_rows, column in zip(self.series, answers, columns, strict=True):
            scored = ~np.isnan(column)
            (interval,) = intervals.mean_intervals([column], clusters)
            missing = self.reasons[series.metric]
            reasons = Counter(missing[row] for row in rows.tolist() if row in missing)
            found.append(
                Figure(
                    series=series,
                    mean=statistics.fmean(column[scored]) if scored.any() else None,
                    interval=interval,
                    scored=int(np.count_nonzero(~np.isnan(of_rows))),
                    unscored=dict(reasons.most_common()),
                    units=intervals.count_units(int(scored.sum()), None if clusters is None else clusters[scored]),
                )
            )
        return found

    def count_right(
        self, states: Array, rows: Array, cluster: Cluster = None, question: Array | None = None
    ) -> EstimateCounts | None:
        """Return what the estimates of some rows are and how many of them count as right; None without estimates.

        Args:
            states: what the estimate of each row of the table may be taken for (`interpretation`).
            rows: the positions of the rows.
            cluster: the cluster of each of these rows, or None if rows are independent.
            question: the question of each row, if questions have several answers.
        """
        import numpy as np

        series = next((one for one in self.series if BY_NAME[one.metric].estimate), None)
        if series is None or not len(states):
            return None
        counts = Counter(state for state in states[rows].tolist() if state)
        scores = self.columns[series.key][rows]
        usable = (states[rows] == PROBABILITY) & ~np.isnan(scores)
        right = np.full(len(rows), np.nan)
        if usable.any():
            right[usable] = decide_scores(series, scores[usable])
        columns, clusters = average_questions([right], cluster, question)
        (interval,) = intervals.mean_intervals(columns, clusters)
        there = columns[0][~np.isnan(columns[0])]
        return EstimateCounts(series.key, statistics.fmean(there) if len(there) else None, interval, counts)


def decide_scores(series: Series, scores: Array) -> Array:
    """Return scores as far as they tell answers apart: an estimate says on which side of its threshold they are."""
    if not BY_NAME[series.metric].estimate:
        return scores
    is_right: Array = scores >= modules.load_code(series.metric).THRESHOLD
    return is_right


def average_questions(
    columns: Sequence[Array], cluster: Cluster, question: Array | None
) -> tuple[Sequence[Array], Array | None]:
    """Return columns with one score for each question, the mean of its answers, and the clusters of the questions."""
    import numpy as np

    clusters = None if cluster is None else np.asarray(cluster)
    if question is None:
        return columns, clusters
    _, firsts, numbers = np.unique(question, return_index=True, return_inverse=True)
    averaged = [average_groups(numbers, column, len(firsts)) for column in columns]
    return averaged, None if clusters is None else clusters[firsts]


def average_groups(group: Array, scores: Array, groups: int) -> Array:
    """Return the mean of the scores of each group, numbered from 0; NaN where it has none."""
    import numpy as np

    scored = ~np.isnan(scores)
    sums = np.bincount(group[scored], scores[scored], groups)
    counts = np.bincount(group[scored], minlength=groups)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)
