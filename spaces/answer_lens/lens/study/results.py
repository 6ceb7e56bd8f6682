"""What the scores of a study come to, as tables: means,
groups, differences, ranks, correlations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lens.experiment.systems import System
from lens.inference import correlation
from lens.scoring.catalog import SERIES, Series
from lens.scoring.metric_notes import MetricNotes
from lens.study.annotations import SystemVerdicts, list_samples
from lens.study.cascade_results import list_cascades
from lens.study.comparisons import compare_by_series, measure_repeats
from lens.study.measures import Row, count_reasons, measure_estimates, measure_scores
from lens.study.result_notes import list_notes
from lens.study.tables import AnswerTable
from lens.study.verdict_results import list_missing, tabulate_verdicts
from lens.words.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    from lens.inference.intervals import Cluster
    from lens.study.study import Study

    Array = NDArray[Any]

BY_KEY = {series.key: series for series in SERIES}

SYSTEM_COLUMNS = ("system", "rows", "clusters", "corpus_bleu")
SCORE_COLUMNS = (
    "system", "metric", "group", "mean", "low", "high", "scored", "unscored", "units", "repeats",
)  # fmt: skip
REASON_COLUMNS = ("system", "metric", "reason", "count")
ESTIMATE_COLUMNS = (
    "system",
    "metric",
    "right",
    "low",
    "high",
    "probability",
    "ranking",
    "likeness",
)
DIFFERENCE_COLUMNS = (
    "metric", "first", "second", "mean_first", "mean_second", "difference", "low", "high", "p",
    "won", "tied", "lost", "questions", "repeats",
)  # fmt: skip
RANK_COLUMNS = (
    "metric",
    "system",
    "mean",
    "best_rank",
    "worst_rank",
    "is_best",
    "questions",
    "repeats",
)
CORRELATION_COLUMNS = ("metric", "other", "rho", "n")
CASCADE_COLUMNS = (
    "system",
    "judge",
    "settled_right",
    "settled_wrong",
    "judged",
    "judge_mean",
    "undecided",
    "cost",
    "saved",
)
METRIC_COLUMNS = ("system", "metric", "cost", "signature", "stopped")
VERDICT_COLUMNS = {
    "verdicts": (
        "system", "source", "share", "low", "high", "n_read", "effective_n", "method", "rows", "undecided", "stand_in",
    ),
    "agreement": ("system", "metric", "auroc", "low", "high", "accuracy", "threshold", "verdicts"),
    "verdict_differences": (
        "first", "second", "source", "difference", "low", "high", "n_read", "rows", "method", "stand_in",
    ),
    "verdict_ranks": ("system", "source", "best_rank", "worst_rank", "n_read", "rows", "method", "stand_in"),
    "judges": (
        "judge", "system", "n", "kappa", "kappa_low", "kappa_high", "kappa_n",
        "modal", "modal_low", "modal_high", "modal_n",
        "sensitivity", "sensitivity_low", "sensitivity_high", "sensitivity_n",
        "specificity", "specificity_low", "specificity_high", "specificity_n",
        "raw", "raw_low", "raw_high", "raw_n", "alone", "alone_low", "alone_high", "alone_n",
        "corrected", "corrected_low", "corrected_high", "corrected_n", "effective_n",
        "both_right", "judge_right", "you_right", "none_right", "overall", "overall_n", "rows", "is_read",
    ),
    "disagreements": ("judge", "system", "question", "row", "person", "judge_verdict"),
    "recalibration": ("system", "before", "after", "error_before", "error_after", "verdicts"),
    "readers": ("system", "readers", "alpha", "low", "high", "modal_share", "n"),
    "bridged_shares": (
        "system", "old", "new", "source", "share", "low", "high", "n", "kappa", "kappa_low", "kappa_high", "kappa_n",
    ),
    "lead_changes": ("first", "second", "before", "after", "change", "low", "high", "p", "changes_places", "n"),
}  # fmt: skip


def make_frame(rows: Iterable[Row], columns: Sequence[str]) -> DataFrame:
    """Return a table; a number stays what it is, and None says that there is none."""
    import pandas

    return pandas.DataFrame(list(rows), columns=list(columns), dtype=object)


def make_verdict_frame(name: str, rows: Iterable[Row] = ()) -> DataFrame:
    """Return one of the tables on verdicts."""
    return make_frame(rows, VERDICT_COLUMNS[name])


@dataclass(frozen=True)
class Results:
    """What the scores of a study come to.

    A metric stands by the key of its series; None is no number.

    Attributes:
        systems: a row a system: how many `rows` and `clusters` it has, and BLEU of all rows
            together.
        scores: a row a system, series and group (None: all rows): mean, low and high (of the 95%
            interval), how many rows are scored and unscored, how many independent `units` these
            are, and `repeats`: how far the scores of one question's answers differ (their standard
            deviation, in the mean).
        reasons: a row a system, series and reason: how many rows have no score for it.
        estimates: a row a system: the share of estimates that count as right, and how many
            estimates are what.
        differences: a row a series and pair of systems, over the questions that are scored for all
            ranked systems; p is not corrected for several metrics; `won`, `tied` and `lost` count
            questions.
        ranks: a row a series and ranked system: `is_best` where it is not worse than the best
            beyond chance.
        correlations: a row two series: Spearman's rho, and over how many answers.
        metrics: a row a system and metric: cost in dollars (None: unknown), signature, and why it
            was stopped (None: it was not).
        cascade: a row a system, where a judge was asked about unsure rows alone: how many rows the
            estimate settled as right and as wrong, how many the judge decided, how many are left
            without a verdict; what the judge cost, and what it would have cost besides on the
            settled rows (`saved`), in dollars (None: unknown).
        notes: what there is to tell of each system.
        group_column: the column that names the groups; empty where none does.
        verdicts: a row a system and source (the verdicts alone, joined with what stands in
            elsewhere, the share of answers that were attempted, that of right ones among these):
            the share with its interval, how many verdicts it rests on (`n_read`) and how many these
            are worth (`effective_n`), how they were drawn (`method`; None: not here), of how many
            `rows`. Systems with fewer than 20 verdicts have none.
        missing_verdicts: of these systems, what to do until there are figures.
        agreement: a row a system and series, the best first: how far the scores agree with the
            verdicts (AUROC), the best accuracy and the `threshold` that has it (None: every answer
            is called wrong).
        verdict_differences: a row a pair of systems and source, by the verdicts on the same
            questions.
        verdict_ranks: a row a system and source.
        judges: a row a judge and system: its figures beside a person's verdicts on `n` answers,
            each with low, high and its own n; `overall`: the share of right answers by all that the
            judge says. Figures are None where n is below 20; `is_read`: whether the person has read
            any answer.
        disagreements: a row an answer on which a judge and the person differ.
        recalibration: a row a system: its mean estimate before and after it is fitted to all
            verdicts, and the calibration error of both.
        readers: a row a system whose answers have verdicts of three or more people or judges:
            Krippendorff's alpha with its interval, and the share of the most frequent verdict.
        bridged_shares: of two judges, a row a system and source (the old judge, the new one on the
            rows that it judged, or both together): the share of right answers with its interval,
            and Cohen's kappa of the two judges.
        lead_changes: of two judges, a row a pair of systems: how far the first is ahead by each
            judge, the change with its interval and its p, corrected for all pairs, and whether the
            two change places.
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
        """Return these results with what the verdicts on the systems say.

        Args:
            systems: the systems with the verdicts on them.
            cluster: which questions go together.
        """
        if not systems:
            return self
        samples = list_samples(systems, cluster)
        rows = tabulate_verdicts(systems, samples, cluster)
        frames = {name: make_verdict_frame(name, own) for name, own in rows.items()}
        return replace(self, missing_verdicts=list_missing(systems, samples), **frames)


def summarize_study(study: Study, with_correlations: bool = True) -> Results:
    """Return what the scores of a study come to."""
    # Of each table once, for it may have the answers of many systems.
    notes = []
    for table in study.tables:
        notes.append({name: table.scores.join_notes(name) for name in table.scores.metrics})
    differences: list[Row] = []
    ranks: list[Row] = []
    for series in study.first.scores.summarized_series if len(study.systems) > 1 else ():
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
        correlations=make_frame(
            list_correlations(study) if with_correlations else (), CORRELATION_COLUMNS
        ),
        metrics=make_frame(list_metrics(study, notes), METRIC_COLUMNS),
        cascade=make_frame(list_cascades(study, notes), CASCADE_COLUMNS),
        **{name: make_verdict_frame(name) for name in VERDICT_COLUMNS},
        notes=list_system_notes(study, notes),
        group_column=study.first.index.roles.group,
    )


def list_system_notes(
    study: Study, notes: Sequence[Mapping[str, MetricNotes]]
) -> dict[str, list[Note]]:
    """Return what there is to tell of each system.

    Args:
        study: the study.
        notes: what the metrics say of each table.
    """
    system_notes = {}
    for system in study.systems:
        table = study.tables[system.table]
        system_notes[system.name] = list_notes(table, notes[system.table], system)
    return system_notes


def list_systems(study: Study) -> Iterator[Row]:
    """Yield the rows and clusters of each system, and BLEU of all its rows together."""
    import numpy as np

    for system in study.systems:
        table = study.tables[system.table]
        cluster = cluster_answers(study, system)
        yield {
            "system": system.name,
            "rows": len(system.rows),
            "clusters": len(system.rows) if cluster is None else len(np.unique(cluster)),
            "corpus_bleu": table.scores.compute_corpus_bleu(system.label)
            if is_whole(system, table)
            else None,
        }


def is_whole(system: System, table: AnswerTable) -> bool:
    """Return whether all answers of a system are to questions that all systems answer."""
    if not system.label:
        return len(system.rows) == len(table)
    is_own = table.index.frame["system"] == system.label
    return len(system.rows) == int(is_own.sum())


def list_scores(study: Study) -> Iterator[Row]:
    """Yield the means of each system, of all its rows and of each group; groups are those of the
    first one's rows.
    """
    import numpy as np

    first = study.systems[0]
    index = study.tables[first.table].index
    group_of = np.zeros(study.questions, dtype=int)
    group_of[first.question] = index.frame["group"].to_numpy()[first.rows]
    groups = index.groups if index.roles.group else []
    for system in study.systems:
        scores = study.tables[system.table].scores
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
        scores = study.tables[system.table].scores
        for series in scores.summarized_series:
            for row in count_reasons(scores, series, system.rows):
                yield {"system": system.name, **row}


def list_estimates(study: Study) -> Iterator[Row]:
    """Yield what the estimates of each system are, and how many count as right."""
    import numpy as np

    states = [np.array(table.scores.list_interpretations(), dtype=object) for table in study.tables]
    for system in study.systems:
        scores = study.tables[system.table].scores
        cluster = cluster_answers(study, system)
        question = system.question if system.has_repeats else None
        row = measure_estimates(scores, states[system.table], system.rows, cluster, question)
        if row is not None:
            yield {"system": system.name, **row}


def list_metrics(study: Study, notes: Sequence[Mapping[str, MetricNotes]]) -> Iterator[Row]:
    """Yield the cost and the signature of each metric for each system, and why it was stopped."""
    for system in study.systems:
        table = study.tables[system.table]
        ending = table.index.notes.signature()
        for name, own in notes[system.table].items():
            yield {
                "system": system.name,
                "metric": name,
                "cost": own.cost,
                "signature": own.join_signatures() + ending if own.signatures else None,
                "stopped": table.scores.stopped.get(name),
            }


def cluster_answers(study: Study, system: System) -> Array | None:
    """Return which of a system's answers go together: those to one question, or to one cluster of
    questions.
    """
    import numpy as np

    if study.cluster is not None:
        return np.asarray(study.cluster)[system.question]
    return system.question if system.has_repeats else None


def list_correlations(study: Study) -> Iterator[Row]:
    """Yield how alike each two plotted series rank the answers of all systems; nothing where there
    is but one.
    """
    import numpy as np

    plotted = {}
    for series in study.first.scores.summarized_series:
        if series.plotted:
            columns = []
            for system in study.systems:
                column = study.tables[system.table].scores.columns[series.key]
                columns.append(column[system.rows])
            plotted[series.key] = np.concatenate(columns)
    if len(plotted) > 1:
        for (one, other), (rho, count) in correlation.correlate_series(plotted).items():
            yield {"metric": one, "other": other, "rho": rho, "n": count}
