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
from lens.scoring.catalog import BY_NAME, CorpusScore, Series, series_of
from lens.scoring.rows import ROW_FAILED, MetricNotes, Scorer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.scoring.block_scores import BlockResult

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


def listed(column: Array) -> list[float | None]:
    """A column of scores, None where there is none."""
    return [None if math.isnan(score) else score for score in column.tolist()]


class TableScores:
    """The scores of a table, as its blocks come in."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = list(scorers)
        self.series = series_of(scorer.name for scorer in scorers)
        self.reasons: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        # By the number of a block: its scores, a row for each series of each scorer, and what each metric says of it.
        self.blocks: dict[int, Array] = {}
        self.told: dict[int, dict[str, MetricNotes]] = {}
        # What a module failed with on single rows.
        self.errors: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        # Of each block what the estimates of its rows may be taken for, where there are some.
        self.states: dict[int, list[str]] = {}

    def take(self, outcome: BlockResult) -> None:
        """Note what one block came to; a scorer that was stopped there is told."""
        import numpy as np

        marks = {scorer.name: outcome.marks[scorer.name] for scorer in self.scorers}
        values = [column for one in marks.values() for column in zip(*(row.values for row in one.rows), strict=True)]
        self.blocks[outcome.number] = np.array(values, dtype=float)
        self.told[outcome.number] = {name: one.told for name, one in marks.items()}
        self.states[outcome.number] = [
            sys.intern(row.interpretation) for name, one in marks.items() if BY_NAME[name].estimate for row in one.rows
        ]
        for scorer, one in zip(self.scorers, marks.values(), strict=True):
            self.reasons[scorer.name] |= {outcome.first + at: reason for at, reason in one.reasons().items()}
            failed = {outcome.first + at: row.message for at, row in enumerate(one.rows) if row.reason == ROW_FAILED}
            self.errors[scorer.name] |= failed
            scorer.stopped = scorer.stopped or one.stopped
        self.__dict__.pop("columns", None)

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The scores of all rows so far by series; NaN where there is none."""
        import numpy as np

        keys = [series.key for scorer in self.scorers for series in scorer.series]
        blocks = [scores for _, scores in sorted(self.blocks.items())]
        found = dict(zip(keys, np.hstack(blocks or [np.empty((len(keys), 0))]), strict=True))
        return {series.key: found[series.key] for series in self.series}

    def scores(self, key: str) -> list[float | None]:
        """A column of scores, None where there is none."""
        return listed(self.columns[key])

    def primary(self) -> dict[str, Array]:
        """The columns of the primary series."""
        return {series.key: self.columns[series.key] for series in self.series if series.primary}

    def interpretations(self) -> list[str]:
        """What the estimate of each row may be taken for; empty where it is not among the metrics."""
        return [state for _, block in sorted(self.states.items()) for state in block]

    def together(self, name: str) -> MetricNotes:
        """What a metric says of the whole run, in the order of its blocks."""
        whole = MetricNotes()
        for _, told in sorted(self.told.items()):
            whole.add(told[name])
        return whole

    def corpus_bleu(self, system: str = "") -> float | None:
        """Return BLEU of all scored rows together, or of those that name this system.

        None if the metric was not chosen, or could not be computed.
        """
        for scorer in self.scorers:
            if scorer.metric.corpus_score is not None and not scorer.stopped:
                return self.corpus_score(scorer, scorer.metric.corpus_score, system)
        return None

    def corpus_score(self, scorer: Scorer, corpus: CorpusScore, system: str) -> float | None:
        """Return the score of all rows of a system together, or of all rows if none is named; None without a row."""
        every = self.together(scorer.name).corpus_counts
        parts = [counts for name, counts in every.items() if system in ("", name)]
        counts = list(map(sum, zip(*parts, strict=True)))
        if not any(counts):
            return None
        scorer.prepare()  # the rows may have been scored elsewhere
        return corpus.score(modules.code_of(scorer.module), counts)

    def told_apart(self, series: Series, scores: Array) -> Array:
        """Scores as far as they tell answers apart: an estimate says on which side of its threshold an answer is."""
        if not BY_NAME[series.metric].estimate:
            return scores
        scorer = next(scorer for scorer in self.scorers if scorer.name == series.metric)
        scorer.prepare()  # the rows may have been scored elsewhere
        apart: Array = scores >= modules.code_of(scorer.module).THRESHOLD
        return apart

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
            right[usable] = self.told_apart(series, scores[usable])
        columns, clusters = average_questions([right], cluster, question)
        (interval,) = intervals.mean_intervals(columns, clusters)
        there = columns[0][~np.isnan(columns[0])]
        return EstimateCounts(series.key, statistics.fmean(there) if len(there) else None, interval, counts)


def average_questions(
    columns: Sequence[Array], cluster: Cluster, question: Array | None
) -> tuple[Sequence[Array], Array | None]:
    """Return columns with one score for each question, the mean of its answers, and the clusters of the questions."""
    import numpy as np

    clusters = None if cluster is None else np.asarray(cluster)
    if question is None:
        return columns, clusters
    _, firsts, numbers = np.unique(question, return_index=True, return_inverse=True)
    averaged = [means_by(numbers, column, len(firsts)) for column in columns]
    return averaged, None if clusters is None else clusters[firsts]


def means_by(number: Array, scores: Array, count: int) -> Array:
    """The mean of the scores of each number below `count`; NaN where it has none."""
    import numpy as np

    scored = ~np.isnan(scores)
    sums = np.bincount(number[scored], scores[scored], count)
    counts = np.bincount(number[scored], minlength=count)
    return np.where(counts, sums / np.maximum(counts, 1), np.nan)
