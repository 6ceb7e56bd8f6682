"""What the scores of a table come to: means, intervals, groups, and two systems compared."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.scoring import modules
from lens.scoring.catalog import Series, series_of
from lens.scoring.rows import Scorer, Told
from lens.statistics import intervals
from lens.tables.roll import Roll

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.scoring.marks import Marks, Outcome

    Array = NDArray[Any]


@dataclass(frozen=True)
class Figure:
    """What a summary says of one series; a mean of None where no row is scored."""

    series: Series
    mean: float | None
    interval: tuple[float, float] | None
    scored: int
    unscored: Mapping[str, int]


@dataclass(frozen=True)
class Summary:
    """What the scores of a table come to. `groups` is empty where no group column was chosen; `stopped` says, in words,
    which metric could not be computed to the end.
    """

    source: str
    rows: int
    figures: Sequence[Figure]
    groups: Mapping[str, Sequence[Figure]]
    group_column: str
    corpus_bleu: float | None
    costs: Mapping[str, float | None]
    signatures: Mapping[str, str]
    stopped: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True)
class Difference:
    """Two systems on the same rows, by one series; a tie is a difference of at most 1e-12."""

    series: Series
    rows: int
    first: float | None
    second: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    wins: int
    ties: int
    losses: int


def score_or_none(value: float) -> float | None:
    """A score of a column; None for none."""
    return None if math.isnan(value) else float(value)


class Tally:
    """The scores of a table, as its blocks come in, in whatever order."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = list(scorers)
        self.series = series_of(scorer.name for scorer in scorers)
        self.reasons: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        # By metric: of each block its scores by its first row, what is said of it by its number, and where it stopped.
        self.values: dict[str, dict[int, Array]] = {scorer.name: {} for scorer in scorers}
        self.told: dict[str, dict[int, Told]] = {scorer.name: {} for scorer in scorers}
        self.stops: dict[str, int] = {}

    def take(self, outcome: Outcome) -> None:
        """Note what one block came to; a scorer that was stopped there is told, by the first block of that kind."""
        for scorer in self.scorers:
            self.note(scorer, outcome.number, outcome.first, outcome.marks[scorer.name])

    def note(self, scorer: Scorer, number: int, first: int, marks: Marks) -> None:
        """Note what one metric made of a block."""
        import numpy as np

        self.values[scorer.name][first] = np.array(marks.values, dtype=float).reshape(-1, len(scorer.series))
        self.reasons[scorer.name] |= {first + at: reason for at, reason in marks.reasons().items()}
        self.told[scorer.name][number] = marks.told
        if marks.stopped and number <= self.stops.get(scorer.name, number):
            self.stops[scorer.name], scorer.stopped = number, marks.stopped
        self.__dict__.pop("columns", None)

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The scores of all rows so far by series; NaN where there is none."""
        import numpy as np

        found: dict[str, Array] = {}
        for scorer in self.scorers:
            blocks = sorted(self.values[scorer.name].items())
            empty = np.empty((0, len(scorer.series)))
            whole = np.concatenate([empty, *(values for _, values in blocks)])
            found |= {series.key: np.ascontiguousarray(whole[:, at]) for at, series in enumerate(scorer.series)}
        return {series.key: found[series.key] for series in self.series}

    def scores(self, key: str) -> list[float | None]:
        """A column of scores, None where there is none."""
        return [score_or_none(value) for value in self.columns[key]]

    def row(self, row: int) -> dict[str, float | None]:
        """The scores of one row by series."""
        return {key: score_or_none(column[row]) for key, column in self.columns.items()}

    def primary(self) -> dict[str, Array]:
        """The columns of the primary series."""
        return {series.key: self.columns[series.key] for series in self.series if series.primary}

    def correlations(self) -> dict[tuple[str, str], tuple[float | None, int]]:
        """How alike the primary series rank the rows; empty where there is but one."""
        primary = self.primary()
        return intervals.correlations(primary) if len(primary) > 1 else {}

    def together(self, name: str) -> Told:
        """What a metric says of the whole run, in the order of its blocks."""
        whole = Told()
        for _, told in sorted(self.told[name].items()):
            whole.add(told)
        return whole

    def corpus_bleu(self) -> float | None:
        """BLEU of all scored rows together, as the module's own; None where the metric could not be computed."""
        scorer = next((scorer for scorer in self.scorers if scorer.name == "bleu"), None)
        if scorer is None or scorer.stopped or not any(counts := self.together("bleu").bleu):
            return None
        scorer.prepare()  # the rows may have been scored elsewhere
        return float(modules.code_of(scorer.module).bleu_of(counts, effective_order=False)["bleu"])

    def figures(self, rows: Array | None = None) -> list[Figure]:
        """What each series says, of all rows or of those at the given positions, with 95% intervals: of a mean the
        seeded percentile bootstrap, of a pass rate Wilson's.
        """
        columns = [
            self.columns[series.key] if rows is None else self.columns[series.key][rows] for series in self.series
        ]
        found = []
        for series, column, interval in zip(self.series, columns, intervals.mean_intervals(columns), strict=True):
            scored = [value for value in column.tolist() if not math.isnan(value)]
            if series.share and scored:
                interval = intervals.wilson(round(sum(scored)), len(scored))
            missing = self.reasons[series.metric]
            lacking = sorted(missing) if rows is None else [row for row in rows.tolist() if row in missing]
            reasons = Counter(missing[row] for row in lacking)
            mean = statistics.fmean(scored) if scored else None
            found.append(Figure(series, mean, interval, len(scored), dict(reasons.most_common())))
        return found

    def summary(self, source: str, roll: Roll) -> Summary:
        """What all the scores come to."""
        import numpy as np

        group_of = np.asarray(roll.group_of)
        groups = {name: self.figures(np.flatnonzero(group_of == number)) for name, number in roll.groups.items()}
        told = {scorer.name: self.together(scorer.name) for scorer in self.scorers}
        return Summary(
            source=source,
            rows=len(roll),
            figures=self.figures(),
            groups=groups if roll.column else {},
            group_column=roll.column,
            corpus_bleu=self.corpus_bleu(),
            costs={scorer.name: told[scorer.name].cost for scorer in self.scorers if scorer.metric.judge},
            signatures={name: one.signature() for name, one in told.items() if one.signatures},
            stopped={scorer.name: scorer.stopped for scorer in self.scorers if scorer.stopped},
            notes=[*roll.doubts(), *(f"{name}: {note}" for name, one in told.items() for note in one.notes())],
        )


def differences(first: Tally, second: Tally, order: Sequence[int]) -> list[Difference]:
    """How two systems compare, series by series, over the rows that are scored for both; `order` has for each row of
    the first its place in the second.
    """
    found = []
    for series in first.series:
        if series.key in second.columns:
            mine, theirs = first.columns[series.key], second.columns[series.key][list(order)]
            both = (mine == mine) & (theirs == theirs)  # NaN is no score
            found.append(difference_of(series, mine[both], theirs[both]))
    return found


def difference_of(series: Series, mine: Array, theirs: Array) -> Difference:
    """How two systems compare by one series."""
    if not len(mine):
        return Difference(series, 0, None, None, None, None, None, 0, 0, 0)
    first, second = statistics.fmean(mine), statistics.fmean(theirs)
    wins_ties_losses = intervals.wins_ties_losses(mine, theirs)
    return Difference(series, len(mine), first, second, *intervals.paired(mine, theirs), *wins_ties_losses)
