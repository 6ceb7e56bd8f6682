"""Summarizes the scores of a study: means, groups, differences, ranks and correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lens.experiment.systems import System
from lens.inference import correlation
from lens.scoring.catalog import SERIES, Series
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.table_scores import TableScores
from lens.study.annotations import SystemVerdicts, draw_method_samples
from lens.study.cascade_results import list_cascades
from lens.study.comparisons import compare_by_series, measure_repeats
from lens.study.measures import Row, count_reasons, measure_estimates, measure_scores
from lens.study.result_columns import (
    CASCADE_COLUMNS,
    CORRELATION_COLUMNS,
    DIFFERENCE_COLUMNS,
    ESTIMATE_COLUMNS,
    METRIC_COLUMNS,
    RANK_COLUMNS,
    REASON_COLUMNS,
    SCORE_COLUMNS,
    SYSTEM_COLUMNS,
    VERDICT_COLUMNS,
    make_frame,
    make_verdict_frame,
)
from lens.study.result_notes import list_notes_on_system
from lens.study.tables import AnswerTable
from lens.study.verdict_results import note_missing_verdicts, tabulate_verdicts
from lens.words.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    from lens.inference.intervals import Cluster
    from lens.study.study import Study

    Array = NDArray[Any]

BY_KEY = {series.key: series for series in SERIES}


@dataclass(frozen=True)
class Results:
    """The results of a study, as tables whose columns are described in result_columns.py.

    Attributes:
        systems: one row per system.
        scores: one row per system, series and group: means with intervals.
        reasons: one row per system, series and reason: the number of rows without a score.
        estimates: one row per system: the counts of interpretations, and the share of right
            answers.
        differences: one row per series and pair of systems, on the questions that are scored for
            all ranked systems.
        ranks: one row per series and ranked system.
        correlations: one row per pair of series: their rank correlation.
        metrics: one row per system and metric: cost, signature, and why it was stopped.
        cascade: one row per system, if a judge was asked only about unsure rows: the numbers of
            rows that the estimate and the judge decided.
        verdicts: one row per system and source: the share of right answers. Systems with fewer than
            20 verdicts have no rows.
        agreement: one row per system and series: the agreement of scores and verdicts, best first.
        verdict_differences: one row per pair of systems and source, by verdicts on the same
            questions.
        verdict_ranks: one row per system and source.
        judges: one row per judge and system: the judge's figures.
        disagreements: one row per answer on which a judge and the person differ.
        recalibration: one row per system: the mean estimate before and after the fit to all
            verdicts.
        readers: one row per system with three or more readers: their agreement.
        bridged_shares: one row per system and source, if there are two judges: the share of right
            answers by the old and the new judge.
        lead_changes: one row per pair of systems, if there are two judges: the lead by each judge.
        notes: the notes on each system.
        group_column: the column of groups; empty if there is none.
        missing_verdicts: a note on missing verdicts, by the names of systems with too few verdicts.
    """

    systems: DataFrame
    scores: DataFrame
    reasons: DataFrame
    estimates: DataFrame
    differences: DataFrame
    ranks: DataFrame
    correlations: DataFrame
    metrics: DataFrame
    cascade: DataFrame
    verdicts: DataFrame
    agreement: DataFrame
    verdict_differences: DataFrame
    verdict_ranks: DataFrame
    judges: DataFrame
    disagreements: DataFrame
    recalibration: DataFrame
    readers: DataFrame
    bridged_shares: DataFrame
    lead_changes: DataFrame
    notes: Mapping[str, Sequence[Note]]
    group_column: str = ""
    missing_verdicts: Mapping[str, Note] = field(default_factory=dict)

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

    def add_verdicts(self, systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> Results:
        """Return these results with the tables on verdicts.

        Args:
            systems: the systems with the verdicts on them.
            cluster: the cluster of each question; None if questions are independent.
        """
        if not systems:
            return self
        samples = draw_method_samples(systems, cluster)
        tables = tabulate_verdicts(systems, samples, cluster)
        frames = {name: make_verdict_frame(name, rows) for name, rows in tables.items()}
        missing = note_missing_verdicts(systems, samples)
        return replace(self, missing_verdicts=missing, **frames)


def summarize_study(study: Study, with_correlations: bool = True) -> Results:
    """Return the results of a scored study."""
    # Once per table, because a table may have the answers of many systems.
    notes = [collect_metric_notes(table.scores) for table in study.tables]
    differences: list[Row] = []
    ranks: list[Row] = []
    if len(study.systems) > 1:
        for series in study.first.scores.summarized_series:
            series_differences, series_ranks = compare_by_series(study, series)
            differences += series_differences
            ranks += series_ranks
    correlations = list_correlations(study) if with_correlations else ()
    return Results(
        systems=make_frame(list_systems(study), SYSTEM_COLUMNS),
        scores=make_frame(make_mean_rows(study), SCORE_COLUMNS),
        reasons=make_frame(list_reasons(study), REASON_COLUMNS),
        estimates=make_frame(list_estimates(study), ESTIMATE_COLUMNS),
        differences=make_frame(differences, DIFFERENCE_COLUMNS),
        ranks=make_frame(ranks, RANK_COLUMNS),
        correlations=make_frame(correlations, CORRELATION_COLUMNS),
        metrics=make_frame(list_metrics(study, notes), METRIC_COLUMNS),
        cascade=make_frame(list_cascades(study, notes), CASCADE_COLUMNS),
        **{name: make_verdict_frame(name) for name in VERDICT_COLUMNS},
        notes=list_system_notes(study, notes),
        group_column=study.first.index.roles.group,
    )


def collect_metric_notes(scores: TableScores) -> dict[str, MetricNotes]:
    """Return the notes of each metric on a table."""
    return {name: scores.join_notes(name) for name in scores.metrics}


def list_system_notes(
    study: Study, notes: Sequence[Mapping[str, MetricNotes]]
) -> dict[str, list[Note]]:
    """Return the notes on each system, by name.

    Args:
        study: the study.
        notes: the notes of the metrics on each table.
    """
    system_notes = {}
    for system in study.systems:
        table = study.tables[system.table]
        system_notes[system.name] = list_notes_on_system(table, notes[system.table], system)
    return system_notes


def list_systems(study: Study) -> Iterator[Row]:
    """Yield the numbers of rows and clusters of each system, and its corpus BLEU."""
    import numpy as np

    for system in study.systems:
        table = study.tables[system.table]
        clusters = len(system.positions)
        cluster = cluster_answers(study, system)
        if cluster is not None:
            clusters = len(np.unique(cluster))
        corpus_bleu = None
        if has_all_answers(system, table):
            corpus_bleu = table.scores.compute_corpus_bleu(system.label)
        yield {
            "system": system.name,
            "rows": len(system.positions),
            "clusters": clusters,
            "corpus_bleu": corpus_bleu,
        }


def has_all_answers(system: System, table: AnswerTable) -> bool:
    """Return whether the study uses all answers of a system."""
    if not system.label:
        return len(system.positions) == len(table)
    is_own = table.index.frame["system"] == system.label
    return len(system.positions) == int(is_own.sum())


def make_mean_rows(study: Study) -> Iterator[Row]:
    """Yield the means of each system: of all its rows, and of each group.

    The group of a question is that of the first system's row.
    """
    import numpy as np

    first = study.systems[0]
    index = study.tables[first.table].index
    group_of = np.zeros(study.questions, dtype=int)
    group_of[first.question] = index.frame["group"].to_numpy()[first.positions]
    groups = index.groups if index.roles.group else []
    for system in study.systems:
        for row in measure_answers(study, system):
            row["repeats"] = measure_repeats(study, [system], row["metric"])
            yield row | {"group": None}
        for number, group in enumerate(groups):
            is_of_group = group_of[system.question] == number
            if is_of_group.any():
                for row in measure_answers(study, system, is_of_group):
                    yield row | {"group": group}


def measure_answers(study: Study, system: System, chosen: Array | None = None) -> list[Row]:
    """Return the means of a system over all its answers, or over the chosen answers."""
    scores = study.tables[system.table].scores
    positions = system.positions
    cluster = cluster_answers(study, system)
    question = system.question if system.has_repeats else None
    if chosen is not None:
        positions = positions[chosen]
        cluster = None if cluster is None else cluster[chosen]
        question = None if question is None else question[chosen]
    measured = measure_scores(scores, positions, cluster, question)
    return [{"system": system.name, **row} for row in measured]


def list_reasons(study: Study) -> Iterator[Row]:
    """Yield the number of rows without a score, per system, series and reason."""
    for system in study.systems:
        scores = study.tables[system.table].scores
        for series in scores.summarized_series:
            for row in count_reasons(scores, series, system.positions):
                yield {"system": system.name, **row}


def list_estimates(study: Study) -> Iterator[Row]:
    """Yield the counts of interpretations and the share of right answers of each system."""
    import numpy as np

    interpretations = []
    for table in study.tables:
        table_interpretations = table.scores.list_interpretations()
        interpretations.append(np.array(table_interpretations, dtype=object))
    for system in study.systems:
        row = measure_estimates(
            study.tables[system.table].scores,
            interpretations[system.table],
            system.positions,
            cluster_answers(study, system),
            system.question if system.has_repeats else None,
        )
        if row is not None:
            yield {"system": system.name, **row}


def list_metrics(study: Study, notes: Sequence[Mapping[str, MetricNotes]]) -> Iterator[Row]:
    """Yield the cost and signature of each metric for each system, and why it was stopped."""
    for system in study.systems:
        table = study.tables[system.table]
        ending = table.index.notes.make_signature_part()
        for name, metric_notes in notes[system.table].items():
            signature = None
            if metric_notes.signatures:
                signature = metric_notes.join_signatures() + ending
            yield {
                "system": system.name,
                "metric": name,
                "cost": metric_notes.cost,
                "signature": signature,
                "stopped": table.scores.stopped.get(name),
            }


def cluster_answers(study: Study, system: System) -> Array | None:
    """Return the cluster of each answer of a system: its question, or its cluster of questions.

    The result is None if answers are independent.
    """
    import numpy as np

    if study.cluster is not None:
        return np.asarray(study.cluster)[system.question]
    return system.question if system.has_repeats else None


def list_correlations(study: Study) -> Iterator[Row]:
    """Yield the rank correlation of every two plotted series over the answers of all systems.

    There are no rows for a single series.
    """
    import numpy as np

    plotted = {}
    for series in study.first.scores.summarized_series:
        if not series.plotted:
            continue
        columns = []
        for system in study.systems:
            column = study.tables[system.table].scores.columns[series.key]
            columns.append(column[system.positions])
        plotted[series.key] = np.concatenate(columns)
    if len(plotted) < 2:
        return
    correlations = correlation.correlate_series(plotted)
    for (metric, other), (rho, count) in correlations.items():
        yield {
            "metric": metric,
            "other": other,
            "rho": rho,
            "n": count,
        }
