"""The sections that compare systems: the one table of all, and their differences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lens.inference import intervals
from lens.reports.score_sections import (
    describe_doubt,
    describe_intervals,
    describe_repeats,
    mean_columns,
    mean_values,
    primary_series,
)
from lens.reports.section import (
    Column,
    Section,
    interval_column,
    make_frame,
    metric_column,
    name_column,
    report_head,
    show_count,
    show_decimal,
    show_p_value,
    show_rank,
    show_wins,
)
from lens.scoring.catalog import BY_NAME
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.study.results import Summary, SystemComparison


def describe_systems(
    summaries: Sequence[Summary],
    comparisons: Sequence[SystemComparison],
    names: Sequence[str],
    doubted: Collection[str] = (),
) -> Section:
    """Return the one table of several systems: their means, best first by the first metric, and the interval of ranks.

    The best of each metric, and all that are not worse beyond chance, stand out.
    """
    series = primary_series(summaries[0])
    by_key = {one.series.key: one for one in comparisons}
    leading = next((by_key[one.key] for one in series if one.key in by_key), None)
    order = order_systems(leading, len(names))
    rows: list[dict[str, Any]] = [{"system": names[at], **mean_values(summaries[at].figures, series)} for at in order]
    for one in series:
        if one.key in by_key:
            mark_best(rows, order, by_key[one.key])
    columns = [name_column("system", report_head("system")), *mean_columns(series, doubted)]
    notes = [report_head("best")]
    if leading is not None:
        add_ranks(rows, order, leading)
        columns.append(Column("rank", report_head("rank"), show_rank))
        notes.append(Note("f_report_ranks", {"title": leading.series.title}))
    notes += [*describe_intervals(summaries), *describe_doubt(series, doubted)]
    return Section("systems", report_head("systems"), make_frame(rows), columns, notes, begins=True)


def mark_best(rows: Sequence[dict[str, Any]], order: Sequence[int], comparison: SystemComparison) -> None:
    """Note in the rows of systems which of them are the best by a metric, or not worse beyond chance."""
    best = dict(zip(comparison.ranked, comparison.ranking.best, strict=True))
    for row, place in zip(rows, order, strict=True):
        row[f"{comparison.series.key}_best"] = bool(best.get(place, False))


def add_ranks(rows: Sequence[dict[str, Any]], order: Sequence[int], comparison: SystemComparison) -> None:
    """Add the interval of its rank by a metric to the row of each system."""
    ranks = dict(zip(comparison.ranked, comparison.ranking.ranks, strict=True))
    for row, place in zip(rows, order, strict=True):
        row["best_rank"], row["worst_rank"] = ranks.get(place, (None, None))


def order_systems(comparison: SystemComparison | None, systems: int) -> list[int]:
    """Return the systems, best first by one metric; those that it does not rank come last."""
    means = {}
    if comparison is not None:
        means = dict(zip(comparison.ranked, comparison.means, strict=True))
    return sorted(range(systems), key=lambda place: (place not in means, -means.get(place, 0.0)))


def keep_best(comparison: SystemComparison) -> SystemComparison:
    """Return a comparison with the differences alone that the system of the highest mean has."""
    best = max(range(len(comparison.ranked)), key=comparison.means.__getitem__)
    pairs = tuple(pair for pair in comparison.ranking.pairs if best in (pair.first, pair.second))
    return replace(comparison, ranking=replace(comparison.ranking, pairs=pairs))


def describe_differences(
    comparisons: Sequence[SystemComparison], names: Sequence[str], sentence: str = "", with_best: bool = False
) -> Section:
    """Return the table of differences, and a sentence on what is certain of them.

    Args:
        comparisons: how systems stand by each metric.
        names: those of the systems.
        sentence: what is certain; empty for nothing.
        with_best: whether only the differences with the best system are there.
    """
    notes = []
    if with_best:
        notes.append(report_head("with_best"))
    if sentence:
        notes.append(Note("as_it_is", {"text": sentence}))
    notes.append(describe_method(len(names)))
    if any(BY_NAME[one.series.metric].estimate for one in comparisons):
        notes.append(report_head("estimate_wins"))
    notes += describe_repeats((one.series, one.repeats) for one in comparisons)
    frame = make_frame(difference_rows(comparisons, names))
    return Section("differences", report_head("differences"), frame, difference_columns(), notes)


def difference_columns() -> list[Column]:
    """Return the columns of a table of differences."""
    return [
        metric_column(),
        name_column("first", report_head("first")),
        name_column("second", report_head("second")),
        Column("mean_first", report_head("mean_first"), show_decimal),
        Column("mean_second", report_head("mean_second"), show_decimal),
        Column("difference", report_head("difference"), show_decimal),
        interval_column(),
        Column("p", report_head("p"), show_p_value),
        Column("wins", report_head("wins"), show_wins),
        Column("questions", report_head("both"), show_count),
    ]


def difference_rows(comparisons: Sequence[SystemComparison], names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Yield a row for each metric and pair of systems."""
    for comparison in comparisons:
        for pair in comparison.ranking.pairs:
            low, high = pair.interval or (None, None)
            won, tied, lost = comparison.wins[pair.first, pair.second]
            yield {
                "metric": comparison.series.key,
                "first": names[comparison.ranked[pair.first]],
                "second": names[comparison.ranked[pair.second]],
                "mean_first": comparison.means[pair.first],
                "mean_second": comparison.means[pair.second],
                "difference": pair.difference,
                "low": low,
                "high": high,
                "p": pair.p_value,
                "won": won,
                "tied": tied,
                "lost": lost,
                "questions": comparison.questions,
                "repeats": comparison.repeats,
            }


def describe_method(systems: int) -> Note:
    """Return how the intervals and p of differences are computed, with so many systems."""
    if systems == 2:
        return report_head("paired")
    draws = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "least": intervals.LEAST_P}
    return Note("f_report_simultaneous", draws)
