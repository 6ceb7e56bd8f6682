"""Compares systems by one series of scores: differences, ranks, and the spread of repeats."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lens.experiment.systems import System
from lens.inference.ranking import Ranking, rank_systems
from lens.inference.win_counts import count_wins_ties_losses
from lens.scoring.catalog import Series
from lens.study.measures import Row, apply_threshold, average_answers, name_interval_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.study.study import Study

    Array = NDArray[Any]


def compare_by_series(study: Study, series: Series) -> tuple[list[Row], list[Row]]:
    """Return the differences of systems by one series, and their ranks.

    Both are empty if fewer than two systems have scores, or if no question is scored for all of
    these.
    """
    import numpy as np

    names = []
    columns = []
    for system in study.systems:
        answer_scores = study.tables[system.table].scores.columns[series.key]
        column = average_answers(answer_scores, system, study.questions)
        if not np.isnan(column).all():
            names.append(system.name)
            columns.append(column)
    if len(columns) < 2:
        return [], []
    scores = np.array(columns)
    is_shared = ~np.isnan(scores).any(axis=0)
    if not is_shared.any():
        return [], []
    scores = scores[:, is_shared]
    cluster = None
    if study.cluster is not None:
        cluster = np.asarray(study.cluster)[is_shared]
    ranking = rank_systems(scores, cluster)
    means = [statistics.fmean(column) for column in scores]
    decided = apply_threshold(series, scores)
    common: Row = {"metric": series.key, "questions": int(is_shared.sum())}
    common["repeats"] = measure_repeats(study, study.systems, series.key)
    differences = [common | row for row in list_pairs(ranking, names, means, decided)]
    ranks = [common | row for row in list_rank_rows(ranking, names, means)]
    return differences, ranks


def list_rank_rows(ranking: Ranking, names: Sequence[str], means: Sequence[float]) -> Iterator[Row]:
    """Yield the possible ranks of each system, with its mean."""
    for number, name in enumerate(names):
        best, worst = ranking.ranks[number]
        yield {
            "system": name,
            "mean": means[number],
            "best_rank": best,
            "worst_rank": worst,
            "is_best": ranking.best[number],
        }


def list_pairs(
    ranking: Ranking,
    names: Sequence[str],
    means: Sequence[float],
    decided: Array,
) -> Iterator[Row]:
    """Yield the difference of every two systems.

    Args:
        ranking: the differences and ranks of the systems.
        names: the names of the systems.
        means: the means of the systems.
        decided: the scores for counting wins, of shape (systems, questions) (`apply_threshold`).
    """
    for pair in ranking.pairs:
        first = pair.first
        second = pair.second
        won, tied, lost = count_wins_ties_losses(decided[first], decided[second])
        yield {
            "first": names[first],
            "second": names[second],
            "mean_first": means[first],
            "mean_second": means[second],
            "difference": pair.difference,
            **name_interval_ends(pair.interval),
            "p": pair.p_value,
            "won": won,
            "tied": tied,
            "lost": lost,
        }


def measure_repeats(study: Study, systems: Sequence[System], key: str) -> float | None:
    """Return the spread of a system's scores of several answers to the same question.

    It is the mean standard deviation over the questions with several answers; None if there are no
    such questions.
    """
    import pandas

    spreads: list[float] = []
    for system in systems:
        if system.has_repeats:
            column = study.tables[system.table].scores.columns[key]
            scores = pandas.Series(column[system.positions])
            spreads += scores.groupby(system.question).std().dropna().tolist()
    return statistics.fmean(spreads) if spreads else None
