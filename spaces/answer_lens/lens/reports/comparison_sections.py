"""The sections that compare systems: the table of all systems, and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.inference import intervals
from lens.reports.score_sections import (
    NO_DOUBT,
    RankingDoubt,
    describe_doubt,
    describe_intervals,
    describe_repeats,
    list_mean_values,
    make_mean_columns,
)
from lens.reports.section import (
    Column,
    Row,
    Section,
    make_interval_column,
    make_metric_column,
    make_name_column,
    make_report_note,
    show_count,
    show_decimal,
    show_p_value,
    show_rank,
    show_wins,
)
from lens.scoring.catalog import BY_NAME
from lens.study.result_columns import DIFFERENCE_COLUMNS, make_frame
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results


def describe_systems(results: Results, doubt: RankingDoubt = NO_DOUBT) -> Section:
    """Return the table of several systems: their means and ranges of ranks, best first.

    The first metric that ranks systems gives the order. For each metric, the best system and all
    that are not certainly worse are marked.
    """
    leading = find_leading_series(results)
    scores = results.whole
    rows: list[dict[str, Any]] = []
    for name in order_systems(results, leading):
        scores_of_system = scores[scores["system"] == name].to_dict("records")
        means = list_mean_values(scores_of_system, results.primary)
        rows.append({"system": name, **means})
    for series in results.primary:
        mark_best(rows, list_ranks(results, series), series)
    columns = [make_name_column("system", make_report_note("system"))]
    columns += make_mean_columns(results.primary, doubt)
    notes = [make_report_note("best")]
    if leading is not None:
        add_ranks(rows, list_ranks(results, leading))
        # The rank is next to the name, because the table should show first which system is best.
        columns.insert(1, Column("rank", make_report_note("rank"), show_rank))
        notes.append(Note("report.ranks", {"title": leading.title}))
    notes += describe_intervals(scores.to_dict("records"))
    notes += describe_doubt(results.primary, doubt)
    title = make_report_note("systems")
    return Section("systems", title, make_frame(rows), columns, notes, begins=True)


def list_ranks(results: Results, series: Series) -> dict[str, Row]:
    """Return the row of `Results.ranks` of each system by a series, by the system's name."""
    ranks = results.ranks[results.ranks["metric"] == series.key]
    return {row["system"]: row for row in ranks.to_dict("records")}


def find_leading_series(results: Results) -> Series | None:
    """Return the first primary series that ranks systems; None if no series does."""
    ranked = set(results.ranks["metric"])
    for series in results.primary:
        if series.key in ranked:
            return series
    return None


def mark_best(rows: Sequence[dict[str, Any]], ranks: dict[str, Row], series: Series) -> None:
    """Mark in the rows of systems which ones may be the best by a series."""
    if not ranks:
        return
    for row in rows:
        rank = ranks.get(row["system"])
        row[f"{series.key}_best"] = bool(rank and rank["is_best"])


def add_ranks(rows: Sequence[dict[str, Any]], ranks: dict[str, Row]) -> None:
    """Add the range of ranks to the row of each system."""
    for row in rows:
        rank = ranks.get(row["system"], {})
        row["best_rank"] = rank.get("best_rank")
        row["worst_rank"] = rank.get("worst_rank")


def order_systems(results: Results, series: Series | None) -> list[str]:
    """Return the names of the systems, best first by a series; unranked systems come last."""
    if series is None:
        return results.names
    means = {name: row["mean"] for name, row in list_ranks(results, series).items()}
    unranked = [name for name in results.names if name not in means]
    ranked = [name for name in results.names if name in means]
    ranked.sort(key=lambda name: -means[name])
    return ranked + unranked


def list_differences(results: Results, series: Series, with_best: bool = False) -> list[Row]:
    """Return the differences by a series: all, or only those with the best system."""
    is_of_series = results.differences["metric"] == series.key
    rows: list[Row] = results.differences[is_of_series].to_dict("records")
    if not with_best or not rows:
        return rows
    best, *_ = order_systems(results, series)
    return [row for row in rows if best in (row["first"], row["second"])]


def describe_differences(
    results: Results,
    series: Sequence[Series],
    sentence: str = "",
    with_best: bool = False,
) -> Section:
    """Return the table of differences, with a sentence on the significant ones.

    Args:
        results: the results of the study.
        series: the series by which systems are compared.
        sentence: a sentence on the statistically significant differences; empty for none.
        with_best: whether only the differences with the best system are shown.
    """
    rows: list[Row] = []
    for compared in series:
        rows += list_differences(results, compared, with_best)
    notes = []
    if with_best:
        notes.append(make_report_note("with_best"))
    if sentence:
        notes.append(Note("page.as_it_is", {"text": sentence}))
    notes.append(describe_method(len(results.names)))
    compared_keys = {row["metric"] for row in rows}
    compared_metrics = [shown.metric for shown in series if shown.key in compared_keys]
    if any(BY_NAME[metric].estimate for metric in compared_metrics):
        notes.append(make_report_note("estimate_wins"))
    notes += describe_repeats(results, rows)
    frame = make_frame(rows, DIFFERENCE_COLUMNS)
    return Section(
        "differences", make_report_note("differences"), frame, make_difference_columns(), notes
    )


def make_difference_columns() -> list[Column]:
    """Return the columns of a table of differences."""
    return [
        make_metric_column(),
        make_name_column("first", make_report_note("first")),
        make_name_column("second", make_report_note("second")),
        Column("mean_first", make_report_note("mean_first"), show_decimal),
        Column("mean_second", make_report_note("mean_second"), show_decimal),
        Column("difference", make_report_note("difference"), show_decimal),
        make_interval_column(),
        Column("p", make_report_note("p"), show_p_value),
        Column("wins", make_report_note("wins"), show_wins),
        Column("questions", make_report_note("both"), show_count),
    ]


def describe_method(systems: int) -> Note:
    """Return a note on how intervals and p are computed for this number of systems."""
    if systems == 2:
        return make_report_note("paired")
    draws = {
        "resamples": intervals.RESAMPLES,
        "seed": intervals.SEED,
        "least": intervals.SMALLEST_P,
    }
    return Note("report.simultaneous", draws)
