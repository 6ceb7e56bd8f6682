"""What the scores of a study come to, as tables: means, groups, differences, ranks, correlations."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.experiment.systems import System
from lens.inference import correlation, intervals
from lens.inference.ranking import Ranking, rank_systems
from lens.scoring.catalog import SERIES, Series
from lens.scoring.rows import MetricNotes
from lens.study.measures import Row, count_reasons, decide_scores, measure_estimates, measure_scores
from lens.study.result_notes import list_notes
from lens.study.study import Study, average_answers
from lens.study.tables import AnswerTable

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    Array = NDArray[Any]

BY_KEY = {series.key: series for series in SERIES}

SYSTEM_COLUMNS = ("system", "rows", "clusters", "corpus_bleu")
SCORE_COLUMNS = (
    "system", "metric", "group", "mean", "low", "high", "scored", "unscored", "units", "repeats",
)  # fmt: skip
REASON_COLUMNS = ("system", "metric", "reason", "count")
ESTIMATE_COLUMNS = ("system", "metric", "right", "low", "high", "probability", "ranking", "likeness")
DIFFERENCE_COLUMNS = (
    "metric", "first", "second", "mean_first", "mean_second", "difference", "low", "high", "p",
    "won", "tied", "lost", "questions", "repeats",
)  # fmt: skip
RANK_COLUMNS = ("metric", "system", "mean", "best_rank", "worst_rank", "is_best", "questions", "repeats")
CORRELATION_COLUMNS = ("metric", "other", "rho", "n")
METRIC_COLUMNS = ("system", "metric", "cost", "signature", "stopped")


@dataclass(frozen=True)
class Results:
    """What the scores of a study come to. A metric stands by the key of its series; None is no number.

    Attributes:
        systems: a row a system: how many `rows` and `clusters` it has, and BLEU of all rows together.
        scores: a row a system, series and group (None: all rows): mean, low and high (of the 95% interval), how many
            rows are scored and unscored, how many independent `units` these are, and `repeats`: how far the scores of
            one question's answers differ (their standard deviation, in the mean).
        reasons: a row a system, series and reason: how many rows have no score for it.
        estimates: a row a system: the share of estimates that count as right, and how many estimates are what.
        differences: a row a series and pair of systems, over the questions that are scored for all ranked systems;
            p is not corrected for several metrics; `won`, `tied` and `lost` count questions.
        ranks: a row a series and ranked system: `is_best` where it is not worse than the best beyond chance.
        correlations: a row two series: Spearman's rho, and over how many answers.
        metrics: a row a system and metric: cost in dollars (None: unknown), signature, and why it was stopped (None: it
            was not).
        notes: what there is to tell of each system, in words.
        group_column: the column that names the groups; empty where none does.
    """

    systems: DataFrame
    scores: DataFrame
    reasons: DataFrame
    estimates: DataFrame
    differences: DataFrame
    ranks: DataFrame
    correlations: DataFrame
    metrics: DataFrame
    notes: Mapping[str, Sequence[str]]
    group_column: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return list(self.systems["system"])

    @property
    def series(self) -> list[Series]:
        """The series of the scores, in the order of the catalog."""
        return [BY_KEY[key] for key in self.scores["metric"].unique()]

    @property
    def primary(self) -> list[Series]:
        """The main series of each metric."""
        return [series for series in self.series if series.primary]

    @property
    def whole(self) -> DataFrame:
        """The scores of all rows, without those of groups."""
        return self.scores[self.scores["group"].isna()]


def summarize_study(study: Study, with_correlations: bool = True) -> Results:
    """Return what the scores of a study come to, with notes in the language that is spoken."""
    # Of each table once, for it may have the answers of many systems.
    notes = [{name: table.scores.notes(name) for name in table.scores.metrics} for table in study.tables]
    differences: list[Row] = []
    ranks: list[Row] = []
    for series in study.first.scores.series if len(study.systems) > 1 else ():
        pairs, places = compare_by_series(study, series)
        differences += pairs
        ranks += places
    return Results(
        systems=make_frame(list_systems(study), SYSTEM_COLUMNS),
        scores=make_frame(list_scores(study), SCORE_COLUMNS),
        reasons=make_frame(list_reasons(study), REASON_COLUMNS),
        estimates=make_frame(list_estimates(study), ESTIMATE_COLUMNS),
        differences=make_frame(differences, DIFFERENCE_COLUMNS),
        ranks=make_frame(ranks, RANK_COLUMNS),
        correlations=make_frame(list_correlations(study) if with_correlations else (), CORRELATION_COLUMNS),
        metrics=make_frame(list_metrics(study, notes), METRIC_COLUMNS),
        notes={one.name: list_notes(table_of(study, one), notes[one.table], one) for one in study.systems},
        group_column=study.first.index.roles.group,
    )


def make_frame(rows: Iterable[Row], columns: Sequence[str]) -> DataFrame:
    """Return a table; a number stays what it is, and None says that there is none."""
    import pandas

    return pandas.DataFrame(list(rows), columns=list(columns), dtype=object)


def table_of(study: Study, system: System) -> AnswerTable:
    """Return the table with the answers of a system."""
    return study.tables[system.table]


def list_systems(study: Study) -> Iterator[Row]:
    """Yield the rows and clusters of each system, and BLEU of all its rows together."""
    import numpy as np

    for system in study.systems:
        table = table_of(study, system)
        cluster = cluster_answers(study, system)
        yield {
            "system": system.name,
            "rows": len(system.rows),
            "clusters": len(system.rows) if cluster is None else len(np.unique(cluster)),
            "corpus_bleu": table.scores.corpus_bleu(system.label) if is_whole(system, table) else None,
        }


def is_whole(system: System, table: AnswerTable) -> bool:
    """Return whether all answers of a system are to questions that all systems answer."""
    if not system.label:
        return len(system.rows) == len(table)
    return len(system.rows) == int((table.index.frame["system"] == system.label).sum())


def list_scores(study: Study) -> Iterator[Row]:
    """Yield the means of each system, of all its rows and of each group; groups are those of the first one's rows."""
    import numpy as np

    first = study.systems[0]
    index = table_of(study, first).index
    group_of = np.zeros(study.questions, dtype=int)
    group_of[first.question] = index.frame["group"].to_numpy()[first.rows]
    groups = index.groups if index.roles.group else []
    for system in study.systems:
        scores = table_of(study, system).scores
        cluster = cluster_answers(study, system)
        question = system.question if system.has_repeats else None
        for row in measure_scores(scores, system.rows, cluster, question):
            repeats = measure_repeats(study, [system], row["metric"])
            yield {"system": system.name, "group": None, "repeats": repeats, **row}
        for number, group in enumerate(groups):
            part = group_of[system.question] == number
            if part.any():
                own_cluster = None if cluster is None else cluster[part]
                own_question = None if question is None else question[part]
                for row in measure_scores(scores, system.rows[part], own_cluster, own_question):
                    yield {"system": system.name, "group": group, "repeats": None, **row}


def list_reasons(study: Study) -> Iterator[Row]:
    """Yield how many rows of each system have no score by a series, for each reason."""
    for system in study.systems:
        scores = table_of(study, system).scores
        for series in scores.series:
            for row in count_reasons(scores, series, system.rows):
                yield {"system": system.name, **row}


def list_estimates(study: Study) -> Iterator[Row]:
    """Yield what the estimates of each system are, and how many count as right."""
    import numpy as np

    states = [np.array(table.scores.interpretations(), dtype=object) for table in study.tables]
    for system in study.systems:
        scores = table_of(study, system).scores
        cluster = cluster_answers(study, system)
        question = system.question if system.has_repeats else None
        row = measure_estimates(scores, states[system.table], system.rows, cluster, question)
        if row is not None:
            yield {"system": system.name, **row}


def list_metrics(study: Study, notes: Sequence[Mapping[str, MetricNotes]]) -> Iterator[Row]:
    """Yield the cost and the signature of each metric for each system, and why it was stopped."""
    for system in study.systems:
        table = table_of(study, system)
        ending = table.index.notes.signature()
        for name, own in notes[system.table].items():
            yield {
                "system": system.name,
                "metric": name,
                "cost": own.cost,
                "signature": own.signature() + ending if own.signatures else None,
                "stopped": table.scores.stopped.get(name),
            }


def cluster_answers(study: Study, system: System) -> Array | None:
    """Return which of a system's answers go together: those to one question, or to one cluster of questions."""
    import numpy as np

    if study.cluster is not None:
        return np.asarray(study.cluster)[system.question]
    return system.question if system.has_repeats else None


def compare_by_series(study: Study, series: Series) -> tuple[list[Row], list[Row]]:
    """Return the differences of systems by one series, and their ranks.

    There are none where fewer than two systems have scores, or no question is scored for all of these.
    """
    import numpy as np

    columns = []
    for system in study.systems:
        column = table_of(study, system).scores.columns[series.key]
        columns.append(average_answers(column, system, study.questions))
    ranked = [place for place, column in enumerate(columns) if not np.isnan(column).all()]
    if len(ranked) < 2:
        return [], []
    scores = np.array([columns[place] for place in ranked])
    is_shared = ~np.isnan(scores).any(axis=0)
    if not is_shared.any():
        return [], []
    scores = scores[:, is_shared]
    cluster = None if study.cluster is None else np.asarray(study.cluster)[is_shared]
    ranking = rank_systems(scores, cluster)
    names = [study.systems[place].name for place in ranked]
    means = [statistics.fmean(own) for own in scores]
    common: Row = {"metric": series.key, "questions": int(is_shared.sum())}
    common["repeats"] = measure_repeats(study, study.systems, series.key)
    ranks = []
    for name, mean, (best, worst), leads in zip(names, means, ranking.ranks, ranking.best, strict=True):
        ranks.append({**common, "system": name, "mean": mean, "best_rank": best, "worst_rank": worst, "is_best": leads})
    differences = [{**common, **row} for row in list_pairs(ranking, names, means, decide_scores(series, scores))]
    return differences, ranks


def list_pairs(ranking: Ranking, names: Sequence[str], means: Sequence[float], decided: Array) -> Iterator[Row]:
    """Yield the difference of each two systems.

    Args:
        ranking: the differences and ranks of the systems.
        names: those of the systems.
        means: their means.
        decided: their scores as far as they tell answers apart.
    """
    for pair in ranking.pairs:
        won, tied, lost = intervals.count_wins_ties_losses(decided[pair.first], decided[pair.second])
        low, high = pair.interval or (None, None)
        yield {
            "first": names[pair.first],
            "second": names[pair.second],
            "mean_first": means[pair.first],
            "mean_second": means[pair.second],
            "difference": pair.difference,
            "low": low,
            "high": high,
            "p": pair.p_value,
            "won": won,
            "tied": tied,
            "lost": lost,
        }


def list_correlations(study: Study) -> Iterator[Row]:
    """Yield how alike each two plotted series rank the answers of all systems; nothing where there is but one."""
    import numpy as np

    plotted = {}
    for series in study.first.scores.series:
        if series.plotted:
            own = [table_of(study, one).scores.columns[series.key][one.rows] for one in study.systems]
            plotted[series.key] = np.concatenate(own)
    if len(plotted) > 1:
        for (one, other), (rho, count) in correlation.correlate_series(plotted).items():
            yield {"metric": one, "other": other, "rho": rho, "n": count}


def measure_repeats(study: Study, systems: Sequence[System], key: str) -> float | None:
    """Return how far the scores of one system's answers to a question differ.

    It is their standard deviation, in the mean over the questions with several answers; None where no system has
    several.
    """
    import pandas

    spreads: list[float] = []
    for system in systems:
        if system.has_repeats:
            scores = pandas.Series(table_of(study, system).scores.columns[key][system.rows])
            spreads += scores.groupby(system.question).std().dropna().tolist()
    return statistics.fmean(spreads) if spreads else None
