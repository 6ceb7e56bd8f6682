"""What the scores of systems come to: means, intervals, groups, and how the systems stand."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lens.experiment.index import AnswerIndex
from lens.experiment.systems import Experiment, System
from lens.inference import correlation, intervals
from lens.inference.ranking import Ranking, rank_systems
from lens.scoring.catalog import BY_NAME, Series
from lens.scoring.rows import MetricNotes
from lens.scoring.table_scores import EstimateCounts, Figure, TableScores, means_by
from lens.words import knows, say
from lens.words.formats import percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


# Rows on which a metric failed that a report names; it counts all of them.
MOST_ERRORS = 3


@dataclass(frozen=True)
class Summary:
    """What the scores of a system come to. `groups` is empty where no group column was chosen; `stopped` says, in
    words, which metric could not be computed to the end. `clusters`: how many there are of rows that are resampled
    together; as many as rows, where each stands alone. Costs, signatures, stops and notes are those of the table with
    its answers.
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
    # What the estimates may be taken for, and how many count as right; None where it is not among the metrics.
    estimate: EstimateCounts | None = None
    # By series, how far scores of one question's answers differ, where it has several.
    repeats: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SystemComparison:
    """How systems stand by one series, over the `questions` that are scored for all of those that are `ranked`: their
    places among the systems. `means` are over these questions, of repeats their mean. `wins`: of each pair how many
    questions the first wins, ties (at most 1e-12 apart; by the estimate both on one side of its threshold), loses.
    `repeats` is how far scores of one system's answers to a question differ: their standard deviation, in the mean.
    """

    series: Series
    questions: int
    ranked: Sequence[int]
    means: Sequence[float]
    ranking: Ranking
    wins: Mapping[tuple[int, int], tuple[int, int, int]]
    repeats: float | None


def summaries(tallies: Sequence[TableScores], rolls: Sequence[AnswerIndex], found: Experiment) -> list[Summary]:
    """What the scores of each system come to; groups are those of the first system's rows."""
    import numpy as np

    first = found.systems[0]
    named = rolls[first.table]
    group_of = np.zeros(found.questions, dtype=int)
    group_of[first.question] = np.asarray(named.group_of)[first.rows]
    # Of each table once, for it may have the answers of many systems.
    said_of = [{scorer.name: tally.together(scorer.name) for scorer in tally.scorers} for tally in tallies]
    states_of = [np.array(tally.interpretations(), dtype=object) for tally in tallies]
    told = []
    for system in found.systems:
        tally, roll, said = tallies[system.table], rolls[system.table], said_of[system.table]
        cluster, asked = together(found, system), None if system.single else system.question
        groups = {
            name: tally.figures(
                system.rows[part], None if cluster is None else cluster[part], asked if asked is None else asked[part]
            )
            for name, number in (named.groups if named.column else {}).items()
            if (part := group_of[system.question] == number).any()
        }
        whole = len(system.rows) == (roll.system_of.count(system.named) if system.named else len(roll))
        told.append(
            Summary(
                source=system.name,
                rows=len(system.rows),
                clusters=len(system.rows) if cluster is None else len(np.unique(cluster)),
                figures=tally.figures(system.rows, cluster, asked),
                groups=groups,
                group_column=named.column,
                corpus_bleu=tally.corpus_bleu(system.named) if whole else None,
                costs={scorer.name: said[scorer.name].cost for scorer in tally.scorers if scorer.metric.judge},
                signatures={name: one.signature() + roll.signature() for name, one in said.items() if one.signatures},
                stopped={scorer.name: scorer.stopped for scorer in tally.scorers if scorer.stopped},
                notes=roll.doubts()
                + first_only(said)
                + format_warnings(said)
                + format_row_errors(tally, set(system.rows.tolist()))
                + [f"{name}: {note}" for name, one in said.items() for note in (*one.notes(), *flips(one))],
                estimate=tally.count_right(states_of[system.table], system.rows, cluster, asked),
                repeats={
                    series.key: spread
                    for series in tally.series
                    if (spread := repeated(tallies, [system], series.key)) is not None
                },
            )
        )
    return told


def together(found: Experiment, system: System) -> Array | None:
    """Which of a system's rows go together: those of one question, or of one cluster of questions."""
    import numpy as np

    if found.cluster is not None:
        return np.asarray(found.cluster)[system.question]
    return None if system.single else system.question


def by_question(column: Array, system: System, questions: int) -> Array:
    """A system's scores by question, of several answers their mean; NaN where none is scored."""
    return means_by(system.question, column[system.rows], questions)


def standings(tallies: Sequence[TableScores], found: Experiment) -> list[SystemComparison]:
    """How the systems stand, series by series; without a series that fewer than two systems have scores of, or that no
    question has from all of these.
    """
    import numpy as np

    told = []
    for series in tallies[0].series if len(found.systems) > 1 else ():
        columns = [by_question(tallies[one.table].columns[series.key], one, found.questions) for one in found.systems]
        ranked = [place for place, column in enumerate(columns) if not np.isnan(column).all()]
        if len(ranked) < 2:
            continue
        scores = np.array([columns[place] for place in ranked])
        both = ~np.isnan(scores).any(axis=0)
        if not both.any():
            continue
        scores, cluster = scores[:, both], None if found.cluster is None else np.asarray(found.cluster)[both]
        apart = tallies[0].told_apart(series, scores)
        pairs = itertools.combinations(range(len(ranked)), 2)
        wins = {(one, other): intervals.count_wins_ties_losses(apart[one], apart[other]) for one, other in pairs}
        means = [statistics.fmean(own) for own in scores]
        spread = repeated(tallies, found.systems, series.key)
        ranks = rank_systems(scores, cluster)
        told.append(SystemComparison(series, int(both.sum()), ranked, means, ranks, wins, spread))
    return told


def correlations(tallies: Sequence[TableScores], found: Experiment) -> dict[tuple[str, str], tuple[float | None, int]]:
    """How alike the plotted series rank the answers of all systems; empty where there is but one."""
    import numpy as np

    plotted = {
        one.key: np.concatenate([tallies[of.table].columns[one.key][of.rows] for of in found.systems])
        for one in tallies[0].series
        if one.plotted
    }
    return correlation.correlate_series(plotted) if len(plotted) > 1 else {}


def repeated(tallies: Sequence[TableScores], systems: Sequence[System], key: str) -> float | None:
    """How far the scores of one system's answers to a question differ: their standard deviation, in the mean over the
    questions with several answers; None where no system has several.
    """
    import pandas as pd

    parts = [one for one in systems if not one.single]
    spreads = [pd.Series(tallies[one.table].columns[key][one.rows]).groupby(one.question).std() for one in parts]
    every = [spread for own in spreads for spread in own.dropna().tolist()]
    return statistics.fmean(every) if every else None


def flips(told: MetricNotes) -> list[str]:
    """In how many rows a judge's replies to one prompt differ, where it was asked several times."""
    if not told.repeated:
        return []
    low, high = intervals.share_interval(told.flipped / told.repeated, told.repeated)
    shares = {"share": percent(told.flipped / told.repeated), "low": percent(low), "high": percent(high)}
    return [say("f_flips", rows=told.repeated, count=told.flipped, **shares)]


def first_only(told: Mapping[str, MetricNotes]) -> list[str]:
    """Return which metrics read the first of several references only, where rows have several."""
    titles = [BY_NAME[name].title for name, one in told.items() if one.reads_first]
    several = max((one.several for one in told.values()), default=0)
    return [say("f_several", count=several, titles=say("list_comma").join(titles))] if several and titles else []


def format_row_errors(tally: TableScores, rows: set[int]) -> list[str]:
    """Return one sentence for each of the first rows of a system on which a metric failed."""
    lines = []
    for name, errors in tally.errors.items():
        failed = sorted(rows & errors.keys())
        for row in failed[:MOST_ERRORS]:
            lines.append(say("f_row_error", title=BY_NAME[name].title, row=row + 1, error=errors[row]))
    return lines


def format_warnings(told: Mapping[str, MetricNotes]) -> list[str]:
    """Return one sentence for each warning and count, with the metrics that give it."""
    titles: dict[tuple[str, int], list[str]] = {}
    for name, one in told.items():
        for warning, count in one.warnings.items():
            titles.setdefault((warning, count), []).append(BY_NAME[name].title)
    lines = []
    for (warning, count), named in titles.items():
        key = f"f_warning_{warning}"
        if knows(key):  # a module of the Hub may be newer than this program
            lines.append(say(key, count=count, titles=say("list_comma").join(named)))
    return lines
