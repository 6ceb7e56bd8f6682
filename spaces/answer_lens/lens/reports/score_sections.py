"""The sections on scores: of each system, of groups, of the estimates, and how alike the metrics rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lens.inference import intervals
from lens.reports.section import (
    CORPUS_BLEU,
    DOUBT,
    Column,
    Decimals,
    Section,
    interval_column,
    make_frame,
    metric_column,
    name_column,
    report_head,
    show_correlation,
    show_count,
    show_decimal,
    show_mean,
    title_of_scores,
)
from lens.scoring.catalog import BY_NAME
from lens.words import say
from lens.words.notes import Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.scoring.table_scores import Figure
    from lens.study.results import Summary

# By two metrics their correlation, and over how many rows.
Correlations = Mapping[tuple[str, str], tuple[float | None, int]]

# Digits of a mean with half its interval.
MEAN_DIGITS = 3
# What an estimate may be taken for, as the module says.
ESTIMATE_STATES = ("probability", "ranking", "likeness")


def describe_scores(summary: Summary) -> Section:
    """Return the table of all metrics of one system, and how its intervals are computed."""
    repeats = [(figure.series, summary.repeats.get(figure.series.key)) for figure in summary.figures]
    return Section(
        "scores",
        Note("f_report_title", {"source": show_name(summary.source)}),
        make_frame(score_rows([summary], [show_name(summary.source)])),
        [metric_column(), *score_columns()],
        [Note("f_report_rows", {"rows": summary.rows}), *describe_intervals([summary]), *describe_repeats(repeats)],
        begins=True,
    )


def describe_all_scores(summaries: Sequence[Summary], names: Sequence[str]) -> Section:
    """Return the table of all scores of several systems, with their intervals and how many rows have a score."""
    columns = [metric_column(), name_column("system", report_head("system")), *score_columns()]
    return Section("scores", report_head("figures"), make_frame(score_rows(summaries, names)), columns)


def score_columns() -> list[Column]:
    """Return the columns of a mean, its interval, and the rows with and without a score."""
    return [
        Column("mean", report_head("mean"), show_decimal),
        interval_column(),
        Column("scored", report_head("scored"), show_count),
        Column("unscored", report_head("unscored"), show_count),
    ]


def score_rows(summaries: Sequence[Summary], names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Yield a row for each metric and system; corpus BLEU, which is no mean of rows, has one of its own."""
    for place, first in enumerate(summaries[0].figures):
        for name, summary in zip(names, summaries, strict=True):
            figure = summary.figures[place]
            low, high = figure.interval or (None, None)
            counts = {"scored": figure.scored, "unscored": sum(figure.unscored.values())}
            own = {"metric": first.series.key, "system": name}
            repeats = summary.repeats.get(first.series.key)
            yield {**own, "mean": figure.mean, "low": low, "high": high, **counts, "repeats": repeats}
            if BY_NAME[first.series.metric].corpus_score and summary.corpus_bleu is not None:
                own["metric"] = CORPUS_BLEU
                yield {**own, "mean": summary.corpus_bleu, "low": None, "high": None, **counts, "repeats": None}


def describe_intervals(summaries: Sequence[Summary]) -> list[Note]:
    """Return how the intervals of systems are computed, and whether some are rough."""
    figures = [figure for summary in summaries for figure in summary.figures]
    return [report_head("method"), *warn_of_few_rows(figures)]


def warn_of_few_rows(figures: Iterable[Figure]) -> list[Note]:
    """Return a warning where some figures rest on few rows; nothing where none does."""
    is_rough = any(0 < figure.units < intervals.FEW_ROWS for figure in figures)
    return [Note("f_report_rough", {"least": intervals.FEW_ROWS})] if is_rough else []


def describe_repeats(spreads: Iterable[tuple[Series, float | None]]) -> list[Note]:
    """Return how far scores of one system's answers to a question differ; nothing without repeats."""
    shown = Decimals()
    for series, spread in spreads:
        if spread is not None and series.primary:
            shown.append((series.title, spread))
    return [Note("f_report_repeats", {"spread": shown})] if shown else []


def describe_estimates(summaries: Sequence[Summary], names: Sequence[str]) -> list[Section]:
    """Return the table of what the estimates are and how many count as right; nothing where there are none.

    Their mean, which the other tables have, is over all of them: only probabilities can be counted.
    """
    rows = []
    for summary, name in zip(summaries, names, strict=True):
        counted = summary.estimate
        if counted is None:
            continue
        low, high = counted.interval or (None, None)
        row: dict[str, Any] = {"system": name if len(summaries) > 1 else show_name(name)}
        row["mean"] = next(figure.mean for figure in summary.figures if figure.series.key == counted.key)
        row |= {"right": counted.right, "low": low, "high": high}
        rows.append(row | {state: counted.counts.get(state, 0) for state in ESTIMATE_STATES})
    if not rows:
        return []
    columns = [
        name_column("system", report_head("system")),
        Column("mean", report_head("mean_of_all"), show_decimal),
        Column("right", report_head("counted_right"), show_decimal),
        interval_column(),
        *(Column(state, report_head(state), show_count) for state in ESTIMATE_STATES),
    ]
    return [Section("estimates", report_head("estimates"), make_frame(rows), columns, [report_head("estimates_info")])]


def primary_series(summary: Summary) -> list[Series]:
    """Return the main series of each metric."""
    return [figure.series for figure in summary.figures if figure.series.primary]


def mean_columns(series: Sequence[Series], doubted: Collection[str]) -> list[Column]:
    """Return a column for each metric; those of `doubted` metrics have the mark."""
    return [Column(one.key, one.title, show_mean, MEAN_DIGITS, is_doubted=one.metric in doubted) for one in series]


def mean_values(figures: Sequence[Figure], series: Sequence[Series]) -> dict[str, float | None]:
    """Return the mean of each metric with the ends of its interval, as `mean_columns` show them."""
    by_key = {figure.series.key: figure for figure in figures}
    values: dict[str, float | None] = {}
    for one in series:
        figure = by_key.get(one.key)
        mean = figure.mean if figure else None
        low, high = (figure and figure.interval) or (None, None)
        values |= {one.key: mean, f"{one.key}_low": low, f"{one.key}_high": high}
    return values


def describe_doubt(series: Sequence[Series], doubted: Collection[str]) -> list[Note]:
    """Return the footnote on metrics whose means rank systems no better than chance, as far as is known."""
    titles = say("list_comma").join(one.title for one in series if one.metric in doubted)
    return [Note("f_report_doubt", {"mark": DOUBT.strip(), "metrics": titles})] if titles else []


def describe_groups(summary: Summary, system: str, doubted: Collection[str] = ()) -> Section:
    """Return the table of groups: groups in rows, metrics in columns."""
    column, series = show_name(summary.group_column), primary_series(summary)
    rows = list[dict[str, Any]]()
    every: list[Figure] = []
    for group, figures in summary.groups.items():
        count = figures[0].scored + sum(figures[0].unscored.values())
        rows.append({"group": show_name(group), "system": system, **mean_values(figures, series), "rows": count})
        every += figures
    title = Note("f_report_groups", {"column": column})
    count_column = Column("rows", report_head("count"), show_count)
    return Section(
        "groups",
        add_system(title, system),
        make_frame(rows),
        [name_column("group", column), *mean_columns(series, doubted), count_column],
        [report_head("grid"), *warn_of_few_rows(every), *describe_doubt(series, doubted)],
    )


def add_system(title: Note, system: str) -> Note:
    """Return a title with the name of the system that it is about, where there are several."""
    return Note("title_of_system", {"title": title, "system": system}) if system else title


def describe_correlations(correlations: Correlations) -> Section:
    """Return the table of correlations, with the rows that each rests on where that is not the same number for all."""
    keys = list(dict.fromkeys(one for one, _ in correlations))
    counts = {count for _, count in correlations.values()}
    rows = []
    for one in keys:
        row: dict[str, Any] = {"metric": one}
        for other in keys:
            row[other], row[f"{other}_n"] = correlations[one, other]
        rows.append(row)
    note, show = report_head("spearman"), show_correlation
    if len(counts) == 1:
        note, show = Note("f_report_spearman_all", {"rows": max(counts)}), show_decimal
    columns = [Column(key, title_of_scores(key), show) for key in keys]
    return Section("correlations", report_head("correlations"), make_frame(rows), [metric_column(), *columns], [note])
