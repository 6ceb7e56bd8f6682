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
from lens.scoring.catalog import BY_NAME, Series, series_of
from lens.scoring.rows import Scorer, Told
from lens.statistics import intervals
from lens.tables.roll import Roll
from lens.words import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.scoring.marks import Outcome
    from lens.statistics.intervals import Cluster

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
    which metric could not be computed to the end. `clusters`: how many there are of rows that are resampled together;
    as many as rows, where each stands alone.
    """

    source: str
    rows: int
    clusters: int
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
    """Two systems on the same rows, by one series; a tie is a difference of at most 1e-12, by the estimate two answers
    on the same side of its threshold.
    """

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


class Tally:
    """The scores of a table, as its blocks come in."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = list(scorers)
        self.series = series_of(scorer.name for scorer in scorers)
        self.reasons: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        # By the number of a block: its scores, a row for each series of each scorer, and what each metric says of it.
        self.blocks: dict[int, Array] = {}
        self.told: dict[int, dict[str, Told]] = {}

    def take(self, outcome: Outcome) -> None:
        """Note what one block came to; a scorer that was stopped there is told."""
        import numpy as np

        marks = {scorer.name: outcome.marks[scorer.name] for scorer in self.scorers}
        values = [column for one in marks.values() for column in zip(*(row.values for row in one.rows), strict=True)]
        self.blocks[outcome.number] = np.array(values, dtype=float)
        self.told[outcome.number] = {name: one.told for name, one in marks.items()}
        for scorer, one in zip(self.scorers, marks.values(), strict=True):
            self.reasons[scorer.name] |= {outcome.first + at: reason for at, reason in one.reasons().items()}
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
        return [None if math.isnan(score) else score for score in self.columns[key].tolist()]

    def row(self, row: int) -> dict[str, float | None]:
        """The scores of one row by series."""
        return {key: None if math.isnan(column[row]) else float(column[row]) for key, column in self.columns.items()}

    def primary(self) -> dict[str, Array]:
        """The columns of the primary series."""
        return {series.key: self.columns[series.key] for series in self.series if series.primary}

    def correlations(self) -> dict[tuple[str, str], tuple[float | None, int]]:
        """How alike the plotted series rank the rows; empty where there is but one."""
        plotted = {one.key: self.columns[one.key] for one in self.series if one.plotted}
        return intervals.correlations(plotted) if len(plotted) > 1 else {}

    def together(self, name: str) -> Told:
        """What a metric says of the whole run, in the order of its blocks."""
        whole = Told()
        for _, told in sorted(self.told.items()):
            whole.add(told[name])
        return whole

    def corpus_bleu(self) -> float | None:
        """BLEU of all scored rows together, as the module's own; None where the metric could not be computed."""
        scorer = next((scorer for scorer in self.scorers if scorer.name == "bleu"), None)
        if scorer is None or scorer.stopped or not any(counts := self.together("bleu").bleu):
            return None
        scorer.prepare()  # the rows may have been scored elsewhere
        return float(modules.code_of(scorer.module).bleu_of(counts, effective_order=False)["bleu"])

    def told_apart(self, series: Series, *scores: Array) -> list[Array]:
        """Scores as far as they tell answers apart: an estimate says on which side of its threshold an answer is."""
        if not BY_NAME[series.metric].estimate:
            return list(scores)
        scorer = next(scorer for scorer in self.scorers if scorer.name == series.metric)
        scorer.prepare()  # the rows may have been scored elsewhere
        return [one >= modules.code_of(scorer.module).THRESHOLD for one in scores]

    def figures(self, cluster: Cluster = None, rows: Array | None = None) -> list[Figure]:
        """What each series says, of all rows or of those at the given positions, with 95% intervals: of a mean the
        seeded percentile bootstrap, of a pass rate Wilson's. `cluster`: which of all rows go together.
        """
        import numpy as np

        columns = [column if rows is None else column[rows] for column in self.columns.values()]
        of = cluster if rows is None or cluster is None else np.asarray(cluster)[rows]
        found = []
        for series, column, interval in zip(self.series, columns, intervals.mean_intervals(columns, of), strict=True):
            scored = [value for value in column.tolist() if not math.isnan(value)]
            mean = statistics.fmean(scored) if scored else None
            if series.share and mean is not None:
                there = ~np.isnan(column)
                together = None if of is None else np.asarray(of)[there]
                effect = intervals.design_effect(column[there] - mean, together)
                interval = intervals.wilson(mean, len(scored) / effect)
            missing = self.reasons[series.metric]
            lacking = sorted(missing) if rows is None else [row for row in rows.tolist() if row in missing]
            reasons = Counter(missing[row] for row in lacking)
            found.append(Figure(series, mean, interval, len(scored), dict(reasons.most_common())))
        return found

    def summary(self, source: str, roll: Roll) -> Summary:
        """What all the scores come to."""
        import numpy as np

        of = np.asarray(roll.group_of)
        groups = {name: self.figures(roll.cluster, np.flatnonzero(of == at)) for name, at in roll.groups.items()}
        told = {scorer.name: self.together(scorer.name) for scorer in self.scorers}
        return Summary(
            source=source,
            rows=len(roll),
            clusters=roll.clusters,
            figures=self.figures(roll.cluster),
            groups=groups if roll.column else {},
            group_column=roll.column,
            corpus_bleu=self.corpus_bleu(),
            costs={scorer.name: told[scorer.name].cost for scorer in self.scorers if scorer.metric.judge},
            signatures={name: one.signature() + roll.signature() for name, one in told.items() if one.signatures},
            stopped={scorer.name: scorer.stopped for scorer in self.scorers if scorer.stopped},
            notes=roll.doubts()
            + first_only(told)
            + [f"{name}: {note}" for name, one in told.items() for note in one.notes()],
        )


def first_only(told: Mapping[str, Told]) -> list[str]:
    """Which metrics read the first of several references only, as their signatures say, where rows have several."""
    titles = [BY_NAME[name].title for name, one in told.items() if "multi_reference:first" in one.signature()]
    several = max((one.several for one in told.values()), default=0)
    return [say("f_several", count=several, titles=say("list_comma").join(titles))] if several and titles else []


def differences(tallies: Sequence[Tally], order: Sequence[int], cluster: Cluster = None) -> list[Difference]:
    """How two systems compare, series by series, over the rows that are scored for both; `order` has for each row of
    the first its place in the second, `cluster` which rows of the first go together.
    """
    import numpy as np

    found, (first, second) = [], tallies
    for series in first.series:
        mine, theirs = first.columns[series.key], second.columns[series.key][list(order)]
        both = (mine == mine) & (theirs == theirs)  # NaN is no score
        mine, theirs, of = mine[both], theirs[both], None if cluster is None else np.asarray(cluster)[both]
        if not len(mine):
            found.append(Difference(series, 0, None, None, None, None, None, 0, 0, 0))
            continue
        one, other, paired = statistics.fmean(mine), statistics.fmean(theirs), intervals.paired(mine, theirs, of)
        counts = intervals.wins_ties_losses(*first.told_apart(series, mine, theirs))
        found.append(Difference(series, len(mine), one, other, *paired, *counts))
    return found
