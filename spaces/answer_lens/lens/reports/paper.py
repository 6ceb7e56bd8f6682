"""Sentences that are ready to paste into a paper: what was measured, over how many questions, how,
by which version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens import VERSION
from lens.inference import intervals
from lens.reports.cells import format_decimal, format_interval, format_p_value
from lens.reports.comparison_sections import list_differences
from lens.reports.section import Row, Section, make_frame
from lens.words.notes import Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results

# Digits of a figure in a sentence, and the least p that is given as a number.
DIGITS, LEAST_P = 3, 0.0001


def describe_for_paper(results: Results) -> list[Section]:
    """Return the sentences on a file: of one system its means, of several their differences;
    nothing without any.

    Of two systems all metrics are there, of more the differences with the best one by the first
    metric.
    """
    compared = set(results.differences["metric"])
    series = [one for one in results.primary if one.key in compared]
    systems = len(results.names)
    notes = describe_means(results) if systems == 1 else []
    told = series if systems == 2 else series[:1]
    for one in told:
        notes += describe_pairs(results, one)
    return [Section("paper", Note("report.paper"), make_frame([]), notes=notes)] if notes else []


def describe_means(results: Results) -> list[Note]:
    """Return a sentence on the mean of each metric."""
    rows = {row["metric"]: row for row in results.whole.to_dict("records")}
    notes = []
    for series in results.primary:
        row = rows[series.key]
        if row["low"] is not None:
            notes.append(describe_mean(series, row))
    return notes


def describe_mean(series: Series, row: Row) -> Note:
    """Return the sentence on the mean of a metric."""
    values = {
        "system": show_name(row["system"]),
        "metric": series.title,
        "mean": format_decimal(row["mean"], DIGITS),
        "interval": format_interval(row["low"], row["high"], DIGITS),
        "count": row["scored"],
        "version": VERSION,
    }
    return Note("paper.mean", values)


def describe_pairs(results: Results, series: Series) -> list[Note]:
    """Return a sentence on each difference by a metric that has an interval; of many systems those
    with the best.
    """
    systems = len(results.names)
    notes = []
    for row in list_differences(results, series, with_best=systems > 2):
        if None not in (row["low"], row["p"]):
            notes.append(describe_pair(series, row, systems))
    return notes


def describe_pair(series: Series, row: Row, systems: int) -> Note:
    """Return the sentence on the difference of two of so many systems by a metric."""
    values = {
        "first": row["first"],
        "second": row["second"],
        "metric": series.title,
        "mean_first": format_decimal(row["mean_first"], DIGITS),
        "mean_second": format_decimal(row["mean_second"], DIGITS),
        "difference": format_decimal(row["difference"], DIGITS),
        "interval": format_interval(row["low"], row["high"], DIGITS),
        "p": format_p(row["p"]),
        "test": describe_test(systems),
        "count": row["questions"],
        "version": VERSION,
    }
    return Note("paper.difference", values)


def describe_test(systems: int) -> Note:
    """Return how the interval and p of a difference are computed, with so many systems."""
    if systems == 2:
        return Note("paper.paired")
    return Note(
        "paper.simultaneous",
        {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "systems": systems},
    )


def format_p(value: float) -> str:
    """Return a p-value as papers write it.

    >>> format_p(0.01234), format_p(1e-9)
    ('p = 0.0123', 'p < 0.0001')
    """
    return f"p < {LEAST_P}" if value < LEAST_P else f"p = {format_p_value(value)}"
