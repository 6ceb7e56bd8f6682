"""Sentences that are ready to paste into a paper: what was measured, over how many questions, how, by which version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens import VERSION
from lens.inference import intervals
from lens.reports.cells import format_decimal, format_interval, format_p_value
from lens.reports.comparison_sections import keep_best
from lens.reports.section import Section, make_frame
from lens.words.notes import Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.inference.ranking import Pair
    from lens.scoring.table_scores import Figure
    from lens.study.results import Summary, SystemComparison

# Digits of a figure in a sentence, and the least p that is given as a number.
DIGITS, LEAST_P = 3, 0.0001


def describe_for_paper(
    summaries: Sequence[Summary], comparisons: Sequence[SystemComparison], names: Sequence[str]
) -> list[Section]:
    """Return the sentences on a file: of one system its means, of several their differences; nothing without any.

    Of two systems all metrics are there, of more the differences with the best one by the first metric.
    """
    main = [one for one in comparisons if one.series.primary]
    if len(summaries) == 1:
        notes = describe_means(summaries[0])
    elif len(summaries) == 2:
        notes = describe_pairs(main, names)
    else:
        notes = describe_pairs([keep_best(one) for one in main[:1]], names)
    return [Section("paper", Note("f_report_paper"), make_frame([]), notes=notes)] if notes else []


def describe_means(summary: Summary) -> list[Note]:
    """Return a sentence on the mean of each metric."""
    return [describe_mean(summary, figure) for figure in summary.figures if figure.series.primary and figure.interval]


def describe_mean(summary: Summary, figure: Figure) -> Note:
    """Return the sentence on the mean of a metric."""
    assert figure.interval is not None
    values = {
        "system": show_name(summary.source),
        "metric": figure.series.title,
        "mean": format_decimal(figure.mean, DIGITS),
        "interval": format_interval(*figure.interval, DIGITS),
        "count": figure.scored,
        "version": VERSION,
    }
    return Note("f_paper_mean", values)


def describe_pairs(comparisons: Sequence[SystemComparison], names: Sequence[str]) -> list[Note]:
    """Return a sentence on each difference that has an interval."""
    notes = []
    for comparison in comparisons:
        for pair in comparison.ranking.pairs:
            if pair.interval and pair.p_value is not None:
                notes.append(describe_pair(comparison, pair, names))
    return notes


def describe_pair(comparison: SystemComparison, pair: Pair, names: Sequence[str]) -> Note:
    """Return the sentence on the difference of two systems by a metric."""
    assert pair.interval is not None
    assert pair.p_value is not None
    values = {
        "first": names[comparison.ranked[pair.first]],
        "second": names[comparison.ranked[pair.second]],
        "metric": comparison.series.title,
        "mean_first": format_decimal(comparison.means[pair.first], DIGITS),
        "mean_second": format_decimal(comparison.means[pair.second], DIGITS),
        "difference": format_decimal(pair.difference, DIGITS),
        "interval": format_interval(*pair.interval, DIGITS),
        "p": format_p(pair.p_value),
        "test": describe_test(len(names)),
        "count": comparison.questions,
        "version": VERSION,
    }
    return Note("f_paper_difference", values)


def describe_test(systems: int) -> Note:
    """Return how the interval and p of a difference are computed, with so many systems."""
    if systems == 2:
        return Note("f_paper_paired")
    return Note("f_paper_simultaneous", {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "systems": systems})


def format_p(value: float) -> str:
    """Return a p-value as papers write it.

    >>> format_p(0.01234), format_p(1e-9)
    ('p = 0.0123', 'p < 0.0001')
    """
    return f"p < {LEAST_P}" if value < LEAST_P else f"p = {format_p_value(value)}"
