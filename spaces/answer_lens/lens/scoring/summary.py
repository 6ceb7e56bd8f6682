"""What the scores of a table come to: means, intervals, groups, and two systems compared."""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.scoring.catalog import Series, series_of
from lens.scoring.rows import Scored, Scorer
from lens.statistics import intervals
from lens.tables.roll import Roll

if TYPE_CHECKING:
    from lens.runs.blocks import Marks, Outcome


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


def bleu_counts(entry: Mapping[str, Any]) -> tuple[int, ...]:
    """The counts of a row that make up the corpus BLEU of many."""
    return (entry["prediction_length"], entry["reference_length"], *entry["matches"], *entry["totals"])


class Noted:
    """What chunks or blocks say once or again, each thing in its place, in whatever order the blocks come."""

    def __init__(self) -> None:
        self.first: dict[str, tuple[int, int]] = {}

    def note(self, number: int, told: Iterable[str]) -> list[str]:
        """Note what a block says; the whole in the order in which it is said first."""
        for place, one in enumerate(told):
            self.first[one] = min((number, place), self.first.get(one, (number, place)))
        return sorted(self.first, key=lambda one: self.first[one])


def score_or_none(value: float) -> float | None:
    """A score of a column; None for none."""
    return None if math.isnan(value) else value


class Tally:
    """The scores of a table, as they come in: eight bytes a score, NaN where there is none."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = list(scorers)
        self.series = series_of(scorer.name for scorer in scorers)
        self.columns: dict[str, array[float]] = {series.key: array("d") for series in self.series}
        self.reasons: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        self.bleu = [0] * 10
        self.code: Any = None
        self.signatures = {scorer.name: Noted() for scorer in scorers}
        self.remarks = {scorer.name: Noted() for scorer in scorers}
        # The first block in which each metric was stopped.
        self.stops: dict[str, int] = {}

    def add(self, scorer: Scorer, rows: Iterable[Scored]) -> None:
        """Note the next rows of one metric."""
        columns = [self.columns[series.key] for series in scorer.series]
        for row in rows:
            for column, value in zip(columns, row.values, strict=True):
                column.append(math.nan if value is None else value)
            if row.values[0] is None:
                self.reasons[scorer.name][len(columns[0]) - 1] = row.reason or "other"
            elif scorer.name == "bleu":
                self.count(row.entry)
        if scorer.name == "bleu":
            self.code = sys.modules[type(scorer.module).__module__] if scorer.module is not None else None

    def count(self, entry: Mapping[str, Any]) -> None:
        """Add a row's counts to those of the corpus."""
        self.bleu = [a + b for a, b in zip(self.bleu, bleu_counts(entry), strict=True)]

    def take(self, outcome: Outcome) -> None:
        """Note what one block came to, once each; blocks may come in any order.

        The scorers are told what concerns a whole run: signatures, costs, remarks, and a stop, which is that of the
        first block that has one.
        """
        for scorer in self.scorers:
            marks = outcome.marks[scorer.name]
            for series, values in zip(scorer.series, marks.values, strict=True):
                self.place(self.columns[series.key], outcome.first, values)
            missing = (at for at, value in enumerate(marks.values[0]) if value is None)
            self.reasons[scorer.name] |= {outcome.first + at: marks.reasons.get(at, "other") for at in missing}
            if marks.bleu:
                self.bleu = [a + b for a, b in zip(self.bleu, marks.bleu, strict=True)]
            self.told(scorer, outcome.number, marks)

    def place(self, column: array[float], first: int, values: Sequence[float | None]) -> None:
        """Put scores where they belong, whatever of those before is still to come."""
        if len(column) < first + len(values):
            column.extend([math.nan] * (first + len(values) - len(column)))
        column[first : first + len(values)] = array("d", [math.nan if value is None else value for value in values])

    def told(self, scorer: Scorer, number: int, marks: Marks) -> None:
        """Tell a scorer what a block says of the run."""
        scorer.signatures = self.signatures[scorer.name].note(number, marks.signatures)
        remarks = self.remarks[scorer.name].note(number, marks.remarks)
        scorer.remarks = {one: scorer.remarks.get(one, 0) + marks.remarks.get(one, 0) for one in remarks}
        if scorer.metric.judge:
            scorer.cost = None if scorer.cost is None or marks.cost is None else scorer.cost + marks.cost
        if marks.stopped and number <= self.stops.get(scorer.name, number):
            self.stops[scorer.name], scorer.stopped = number, marks.stopped

    def scores(self, key: str) -> list[float | None]:
        """A column of scores, None where there is none."""
        return [score_or_none(value) for value in self.columns[key]]

    def row(self, row: int) -> dict[str, float | None]:
        """The scores of one row by series."""
        return {key: score_or_none(column[row]) for key, column in self.columns.items()}

    def primary(self) -> dict[str, array[float]]:
        """The columns of the primary series."""
        return {series.key: self.columns[series.key] for series in self.series if series.primary}

    def correlations(self) -> dict[tuple[str, str], tuple[float | None, int]]:
        """How alike the primary series rank the rows; empty where there is but one."""
        primary = self.primary()
        return intervals.correlations(primary) if len(primary) > 1 else {}

    def corpus_bleu(self) -> float | None:
        """BLEU of all scored rows together, as the module's own; None where the metric could not be computed."""
        scorer = next((scorer for scorer in self.scorers if scorer.name == "bleu"), None)
        if scorer is None or scorer.stopped or not any(self.bleu):
            return None
        if self.code is None:  # the rows were scored elsewhere
            scorer.prepare()
            self.code = sys.modules[type(scorer.module).__module__]
        return float(self.code.bleu_of(self.bleu, effective_order=False)["bleu"])

    def figures(self, rows: Sequence[int] | None = None) -> list[Figure]:
        """What each series says, of all rows or of those at the given positions, with 95% intervals: of a mean the
        seeded percentile bootstrap, of a pass rate Wilson's.
        """
        columns = [self.columns[series.key] for series in self.series]
        if rows is not None:
            columns = [array("d", (column[row] for row in rows)) for column in columns]
        drawn = intervals.mean_intervals(columns) if columns and columns[0] else [None] * len(columns)
        found = []
        for series, column, interval in zip(self.series, columns, drawn, strict=True):
            scored = [value for value in column if not math.isnan(value)]
            if series.share and scored:
                interval = intervals.wilson(round(math.fsum(scored)), len(scored))
            missing = self.reasons[series.metric]
            lacking = sorted(missing) if rows is None else [row for row in rows if row in missing]
            reasons = Counter(missing[row] for row in lacking)
            mean = math.fsum(scored) / len(scored) if scored else None
            found.append(Figure(series, mean, interval, len(scored), dict(reasons.most_common())))
        return found

    def summary(self, source: str, roll: Roll) -> Summary:
        """What all the scores come to."""
        groups: dict[str, list[Figure]] = {}
        if roll.column:
            rows_of: list[list[int]] = [[] for _ in roll.groups]
            for row, group in enumerate(roll.group_of):
                rows_of[group].append(row)
            groups = {name: self.figures(rows_of[number]) for name, number in roll.groups.items()}
        return Summary(
            source=source,
            rows=len(roll),
            figures=self.figures(),
            groups=groups,
            group_column=roll.column,
            corpus_bleu=self.corpus_bleu(),
            costs={scorer.name: scorer.cost for scorer in self.scorers if scorer.metric.judge},
            signatures={scorer.name: scorer.signature for scorer in self.scorers if scorer.signatures},
            stopped={scorer.name: scorer.stopped for scorer in self.scorers if scorer.stopped},
            notes=[*roll.doubts(), *(note for scorer in self.scorers for note in scorer.notes)],
        )


def differences(first: Tally, second: Tally, order: Sequence[int]) -> list[Difference]:
    """How two systems compare, series by series, over the rows that are scored for both."""
    found = []
    for series in first.series:
        if series.key not in second.columns:
            continue
        mine, theirs = first.columns[series.key], second.columns[series.key]
        pairs = [(a, theirs[position]) for a, position in zip(mine, order, strict=True)]
        kept = [(a, b) for a, b in pairs if not math.isnan(a) and not math.isnan(b)]
        found.append(difference_of(series, [a for a, _ in kept], [b for _, b in kept]))
    return found


def difference_of(series: Series, mine: Sequence[float], theirs: Sequence[float]) -> Difference:
    """How two systems compare by one series."""
    if not mine:
        return Difference(series, 0, None, None, None, None, None, 0, 0, 0)
    found, interval, p_value = intervals.paired(mine, theirs)
    first, second = (math.fsum(side) / len(side) for side in (mine, theirs))
    wins, ties, losses = intervals.wins_ties_losses(mine, theirs)
    return Difference(series, len(mine), first, second, found, interval, p_value, wins, ties, losses)
