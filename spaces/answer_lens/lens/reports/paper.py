"""Sentences for a paper: what was measured and how, on how many questions, with which version."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens import VERSION
from lens.inference import intervals
from lens.reports.cells import format_decimal, format_interval, format_p_value
from lens.reports.comparison_sections import list_differences
from lens.reports.section import Row, Section
from lens.words.notes import Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results

DIGITS = 3
# The smallest p that is written as a number.
LEAST_P = 0.0001


class PaperFigure(float):
    """A figure in a sentence, with three digits."""

    def __format__(self, form: str) -> str:
        return format_decimal(float(self), DIGITS)


class PaperInterval(NamedTuple):
    """An interval in a sentence, whose ends have three digits."""

    low: float
    high: float

    def __str__(self) -> str:
        return format_interval(self.low, self.high, DIGITS)


class PaperP(float):
    """A p-value in a sentence, as papers write it.

    >>> f"{PaperP(0.01234)}, {PaperP(1e-9)}"
    'p = 0.0123, p < 0.0001'
    """

    def __format__(self, form: str) -> str:
        if self < LEAST_P:
            return f"p < {LEAST_P}"
        return f"p = {format_p_value(float(self))}"


def describe_for_paper(results: Results) -> list[Section]:
    """Return the section of sentences: the means of one system, or the differences of several.

    For two systems, all metrics are included. For more systems, only the differences with the best
    one by the first metric are included. There is no section without sentences.
    """
    systems = len(results.names)
    if systems == 1:
        notes = describe_means(results)
    else:
        compared = set(results.differences["metric"])
        described = [series for series in results.primary if series.key in compared]
        if systems > 2:
            described = described[:1]
        notes = []
        for series in described:
            notes += describe_pairs(results, series)
    if not notes:
        return []
    return [Section("paper", Note("report.paper"), notes=notes)]


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
        "mean": PaperFigure(row["mean"]),
        "interval": PaperInterval(row["low"], row["high"]),
        "count": row["scored"],
        "version": VERSION,
    }
    return Note("paper.mean", values)


def describe_pairs(results: Results, series: Series) -> list[Note]:
    """Return a sentence for each difference by a metric that has an interval.

    For more than two systems, only differences with the best one are included.
    """
    systems = len(results.names)
    notes = []
    for row in list_differences(results, series, with_best=systems > 2):
        if None not in (row["low"], row["p"]):
            notes.append(describe_pair(series, row, systems))
    return notes


def describe_pair(series: Series, row: Row, systems: int) -> Note:
    """Return the sentence on a difference by a metric; `systems` is the number of all systems."""
    values = {
        "first": row["first"],
        "second": row["second"],
        "metric": series.title,
        "mean_first": PaperFigure(row["mean_first"]),
        "mean_second": PaperFigure(row["mean_second"]),
        "difference": PaperFigure(row["difference"]),
        "interval": PaperInterval(row["low"], row["high"]),
        "p": PaperP(row["p"]),
        "test": describe_test(systems),
        "count": row["questions"],
        "version": VERSION,
    }
    return Note("paper.difference", values)


def describe_test(systems: int) -> Note:
    """Return the phrase that says how interval and p are computed for this number of systems."""
    if systems == 2:
        return Note("paper.paired")
    draws = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED}
    return Note("paper.simultaneous", {"systems": systems, **draws})
