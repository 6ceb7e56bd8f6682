"""Summarizes the scores of some answers: means with intervals, missing scores, estimates."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

from lens.inference import intervals
from lens.scoring import modules
from lens.scoring.catalog import BY_NAME, Series
from lens.scoring.table_scores import TableScores, average_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lens.experiment.systems import System
    from lens.inference.intervals import Cluster, Interval

    Array = NDArray[Any]

# The interpretations of an estimate by its module. Only a probability counts as right or wrong.
PROBABILITY = "probability"
INTERPRETATIONS = (PROBABILITY, "ranking", "likeness")

# A row in a table of results.
Row = dict[str, Any]


def measure_scores(
    scores: TableScores,
    rows: Array,
    cluster: Cluster,
    question: Array | None,
) -> list[Row]:
    """Return the mean and 95% interval of each series, with the numbers of scored answers.

    Args:
        scores: the scores of the table.
        rows: the rows of the answers in the table.
        cluster: the cluster of each of these answers; None if they are independent.
        question: the number of each answer's question. The scores of the answers to a question
            are averaged first. None if each question has one answer.
    """
    import numpy as np

    columns = [scores.columns[series.key][rows] for series in scores.summarized_series]
    averaged, clusters = average_questions(columns, cluster, question)
    measured = []
    for series, column, means in zip(scores.summarized_series, columns, averaged, strict=True):
        row: Row = {"metric": series.key, **measure_mean(means, clusters)}
        row["scored"] = int(np.count_nonzero(~np.isnan(column)))
        reasons = count_reasons(scores, series, rows)
        row["unscored"] = sum(reason["count"] for reason in reasons)
        measured.append(row)
    return measured


def measure_mean(column: Array, clusters: Array | None) -> Row:
    """Return the mean of a column, its 95% interval, and the number of independent units.

    Args:
        column: the scores; NaN for a missing score.
        clusters: the cluster of each score; None if scores are independent.
    """
    import numpy as np

    is_scored = ~np.isnan(column)
    mean = statistics.fmean(column[is_scored]) if is_scored.any() else None
    (interval,) = intervals.mean_intervals([column], clusters)
    scored_clusters = None if clusters is None else clusters[is_scored]
    units = intervals.count_units(int(is_scored.sum()), scored_clusters)
    return {"mean": mean, **name_interval_ends(interval), "units": units}


def name_interval_ends(interval: Interval | None) -> Row:
    """Return the ends of an interval as `low` and `high`; both are None without an interval."""
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def count_reasons(scores: TableScores, series: Series, rows: Array) -> list[Row]:
    """Return the reasons for missing scores of a series, with counts, the most frequent first."""
    reasons = scores.reasons[series.metric]
    counts = Counter(reasons[row] for row in rows.tolist() if row in reasons)
    counted = []
    for reason, count in counts.most_common():
        counted.append({"metric": series.key, "reason": reason, "count": count})
    return counted


def measure_estimates(
    scores: TableScores,
    interpretations: Array,
    rows: Array,
    cluster: Cluster,
    question: Array | None,
) -> Row | None:
    """Return the share of right answers by the estimates, and the counts of interpretations.

    The share has a 95% interval. The result is None if there are no estimates.

    Args:
        scores: the scores of the table.
        interpretations: the interpretation of the estimate of each answer in the table.
        rows: the rows of the answers in the table.
        cluster: the cluster of each of these answers; None if they are independent.
        question: the number of each answer's question; None if each question has one answer.
    """
    import numpy as np

    estimates = [series for series in scores.series if BY_NAME[series.metric].estimate]
    if not estimates or not len(interpretations):
        return None
    series = estimates[0]
    values = scores.columns[series.key][rows]
    row_interpretations = interpretations[rows]
    is_usable = (row_interpretations == PROBABILITY) & ~np.isnan(values)
    right = np.full(len(rows), np.nan)
    if is_usable.any():
        right[is_usable] = apply_threshold(series, values[is_usable])
    (column,), clusters = average_questions([right], cluster, question)
    share = measure_mean(column, clusters)
    row: Row = {"metric": series.key, "right": share["mean"]}
    row |= {"low": share["low"], "high": share["high"]}
    counts = Counter(row_interpretations.tolist())
    for interpretation in INTERPRETATIONS:
        row[interpretation] = counts.get(interpretation, 0)
    return row


def apply_threshold(series: Series, scores: Array) -> Array:
    """Return an estimate's scores as right or wrong, by its threshold; other scores unchanged."""
    if not BY_NAME[series.metric].estimate:
        return scores
    is_right: Array = scores >= modules.load_code(series.metric).THRESHOLD
    return is_right


def average_questions(
    columns: Sequence[Array], cluster: Cluster, question: Array | None
) -> tuple[Sequence[Array], Array | None]:
    """Return columns with the mean score of each question, and the cluster of each question.

    If `question` is None, each answer is a question of its own.
    """
    import numpy as np

    clusters = None if cluster is None else np.asarray(cluster)
    if question is None:
        return columns, clusters
    _, first_answers, numbers = np.unique(question, return_index=True, return_inverse=True)
    averaged = [average_groups(numbers, column, len(first_answers)) for column in columns]
    if clusters is not None:
        clusters = clusters[first_answers]
    return averaged, clusters


def average_answers(column: Array, system: System, questions: int) -> Array:
    """Return a system's score of each question: the mean over its scored answers, or NaN."""
    return average_groups(system.question, column[system.positions], questions)
