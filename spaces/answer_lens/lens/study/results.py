"""What the scores of systems come to: means, intervals, groups, and how the systems stand."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lens.experiment.systems import System
from lens.inference import correlation, intervals
from lens.inference.ranking import Ranking, rank_systems
from lens.scoring.catalog import BY_NAME, Series
from lens.scoring.rows import MetricNotes
from lens.scoring.table_scores import EstimateCounts, Figure, TableScores, decide_scores
from lens.study.study import Study, average_answers
from lens.study.tables import AnswerTable
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


# How alike two series rank answers, by their keys: Spearman's correlation, and the answers that it rests on.
Correlations = Mapping[tuple[str, str], tuple[float | None, int]]


@dataclass(frozen=True)
class Results:
    """What the scores of a study come to: a summary of each system, their comparisons, and how alike metrics rank."""

    summaries: Sequence[Summary]
    comparisons: Sequence[SystemComparison]
    correlations: Correlations


def summarize_study(study: Study, with_correlations: bool = True) -> Results:
    """Return what the scores of a study come to, in the language that is spoken."""
    correlations = correlate_metrics(study) if with_correlations else {}
    return Results(summarize_systems(study), compare_systems(study), correlations)


def summarize_systems(study: Study) -> list[Summary]:
    """Return what the scores of each system come to; groups are those of the first system's rows."""
    import numpy as np

    first = study.systems[0]
    index = study.tables[first.table].index
    group_of = np.zeros(study.questions, dtype=int)
    group_of[first.question] = index.frame["group"].to_numpy()[first.rows]
    groups = index.groups if index.roles.group else []
    # Of each table once, for it may have the answers of many systems.
    notes = [{name: table.scores.notes(name) for name in table.scores.metrics} for table in study.tables]
    states = [np.array(table.scores.interpretations(), dtype=object) for table in study.tables]
    summaries = []
    for system in study.systems:
        table = study.tables[system.table]
        cluster = cluster_answers(study, system)
        question = system.question if system.has_repeats else None
        own_groups = {}
        for number, group in enumerate(groups):
            part = group_of[system.question] == number
            if part.any():
                own_groups[group] = table.scores.figures(
                    system.rows[part],
                    None if cluster is None else cluster[part],
                    None if question is None else question[part],
                )
        summary = Summary(
            source=system.name,
            rows=len(system.rows),
            clusters=len(system.rows) if cluster is None else len(np.unique(cluster)),
            figures=table.scores.figures(system.rows, cluster, question),
            groups=own_groups,
            group_column=index.roles.group,
            corpus_bleu=table.scores.corpus_bleu(system.label) if is_whole(system, table) else None,
            estimate=table.scores.count_right(states[system.table], system.rows, cluster, question),
            repeats=measure_repeats(study, system),
            **describe_metrics(table, notes[system.table], system),
        )
        summaries.append(summary)
    return summaries


def is_whole(system: System, table: AnswerTable) -> bool:
    """Return whether all answers of a system are to questions that all systems answer."""
    if not system.label:
        return len(system.rows) == len(table)
    return len(system.rows) == int((table.index.frame["system"] == system.label).sum())


def describe_metrics(table: AnswerTable, notes: Mapping[str, MetricNotes], system: System) -> dict[str, Any]:
    """Return what there is to tell of the metrics of a system: costs, signatures, stops, notes."""
    ending = table.index.notes.signature()
    metrics = table.scores.metrics
    lines = [str(note) for note in table.index.list_doubts()]
    lines += first_only(notes)
    lines += format_warnings(notes)
    lines += format_row_errors(table.scores, set(system.rows.tolist()))
    for name, own in notes.items():
        lines += [f"{name}: {note}" for note in (*own.notes(), *flips(own))]
    return {
        "costs": {name: notes[name].cost for name in metrics if BY_NAME[name].judge},
        "signatures": {name: own.signature() + ending for name, own in notes.items() if own.signatures},
        "stopped": {name: table.scores.stopped[name] for name in metrics if name in table.scores.stopped},
        "notes": lines,
    }


def cluster_answers(study: Study, system: System) -> Array | None:
    """Return which of a system's answers go together: those to one question, or to one cluster of questions."""
    import numpy as np

    if study.cluster is not None:
        return np.asarray(study.cluster)[system.question]
    return system.question if system.has_repeats else None


def compare_systems(study: Study) -> list[SystemComparison]:
    """Return how the systems stand, series by series.

    A series is left out that fewer than two systems have scores of, or that no question has from all of these.
    """
    if len(study.systems) < 2:
        return []
    comparisons = []
    for series in study.first.scores.series:
        comparison = compare_by_series(study, series)
        if comparison is not None:
            comparisons.append(comparison)
    return comparisons


def compare_by_series(study: Study, series: Series) -> SystemComparison | None:
    """Return how the systems stand by one series; None where it compares none."""
    import numpy as np

    columns = []
    for system in study.systems:
        column = study.tables[system.table].scores.columns[series.key]
        columns.append(average_answers(column, system, study.questions))
    ranked = [place for place, column in enumerate(columns) if not np.isnan(column).all()]
    if len(ranked) < 2:
        return None
    scores = np.array([columns[place] for place in ranked])
    shared = ~np.isnan(scores).any(axis=0)
    if not shared.any():
        return None
    scores = scores[:, shared]
    cluster = None if study.cluster is None else np.asarray(study.cluster)[shared]
    decided = decide_scores(series, scores)
    wins = {}
    for first, second in itertools.combinations(range(len(ranked)), 2):
        wins[first, second] = intervals.count_wins_ties_losses(decided[first], decided[second])
    return SystemComparison(
        series=series,
        questions=int(shared.sum()),
        ranked=ranked,
        means=[statistics.fmean(own) for own in scores],
        ranking=rank_systems(scores, cluster),
        wins=wins,
        repeats=spread_of_repeats(study, study.systems, series.key),
    )


def correlate_metrics(study: Study) -> Correlations:
    """Return how alike the plotted series rank the answers of all systems; empty where there is but one."""
    import numpy as np

    plotted = {}
    for series in study.first.scores.series:
        if series.plotted:
            own = [study.tables[one.table].scores.columns[series.key][one.rows] for one in study.systems]
            plotted[series.key] = np.concatenate(own)
    return correlation.correlate_series(plotted) if len(plotted) > 1 else {}


def measure_repeats(study: Study, system: System) -> dict[str, float]:
    """Return how far the scores of a system's answers to a question differ, by series; empty without repeats."""
    spreads = {}
    for series in study.tables[system.table].scores.series:
        spread = spread_of_repeats(study, [system], series.key)
        if spread is not None:
            spreads[series.key] = spread
    return spreads


def spread_of_repeats(study: Study, systems: Sequence[System], key: str) -> float | None:
    """Return how far the scores of one system's answers to a question differ.

    It is their standard deviation, in the mean over the questions with several answers; None where no system has
    several.
    """
    import pandas

    spreads: list[float] = []
    for system in systems:
        if system.has_repeats:
            scores = pandas.Series(study.tables[system.table].scores.columns[key][system.rows])
            spreads += scores.groupby(system.question).std().dropna().tolist()
    return statistics.fmean(spreads) if spreads else None


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


def format_row_errors(scores: TableScores, rows: set[int]) -> list[str]:
    """Return one sentence for each of the first rows of a system on which a metric failed."""
    lines = []
    for name, errors in scores.errors.items():
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
