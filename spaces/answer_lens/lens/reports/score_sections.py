"""The sections on scores: of each system, of groups, of the estimates, and how alike the metrics
rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.inference import intervals
from lens.reports.section import (
    CORPUS_BLEU,
    DOUBT,
    Column,
    Decimals,
    Row,
    Section,
    interval_column,
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
from lens.study.measures import ESTIMATE_STATES
from lens.study.result_columns import make_frame
from lens.words.notes import Listing, Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results


class RankingDoubt(NamedTuple):
    """The metrics whose means do not rank systems as people do, and the data that showed it.

    Attributes:
        metrics: their names.
        title: the data.
        systems: how many systems it has.
        pairs: how many pairs of systems these are.
    """

    metrics: Collection[str] = ()
    title: str = ""
    systems: int = 0
    pairs: int = 0


NO_DOUBT = RankingDoubt()
# Digits of a mean with half its interval.
MEAN_DIGITS = 3
SCORE_FIELDS = ["metric", "system", "mean", "low", "high", "scored", "unscored", "repeats"]


def describe_scores(results: Results) -> Section:
    """Return the table of all metrics of one system, and how its intervals are computed."""
    (name,) = results.names
    (rows,) = results.systems["rows"]
    whole = results.whole.to_dict("records")
    notes = [Note("report.rows", {"rows": rows})]
    notes += describe_intervals(whole)
    notes += describe_repeats(results, whole)
    frame = make_frame(list_score_rows(results))
    frame["system"] = show_name(name)
    return Section(
        "scores",
        Note("report.title", {"source": show_name(name)}),
        frame,
        [metric_column(), *score_columns()],
        notes,
        begins=True,
    )


def describe_all_scores(results: Results) -> Section:
    """Return the table of all scores of several systems, with their intervals and how many rows
    have a score.
    """
    columns = [metric_column(), name_column("system", report_head("system"))]
    columns += score_columns()
    frame = make_frame(list_score_rows(results))
    return Section("scores", report_head("figures"), frame, columns)


def score_columns() -> list[Column]:
    """Return the columns of a mean, its interval, and the rows with and without a score."""
    return [
        Column("mean", report_head("mean"), show_decimal),
        interval_column(),
        Column("scored", report_head("scored"), show_count),
        Column("unscored", report_head("unscored"), show_count),
    ]


def list_score_rows(results: Results) -> list[dict[str, Any]]:
    """Return a row for each metric and system.

    Corpus BLEU, which is no mean of rows, has one of its own.
    """
    corpus = dict(zip(results.systems["system"], results.systems["corpus_bleu"], strict=True))
    rows = []
    for series in results.series:
        has_corpus_score = BY_NAME[series.metric].corpus_score is not None
        of_series = results.whole[results.whole["metric"] == series.key]
        for row in of_series[SCORE_FIELDS].to_dict("records"):
            rows.append(row)
            bleu = corpus[row["system"]]
            if has_corpus_score and bleu is not None:
                no_mean = {"low": None, "high": None, "repeats": None}
                rows.append({**row, "metric": CORPUS_BLEU, "mean": bleu, **no_mean})
    return rows


def describe_intervals(scores: Iterable[Row]) -> list[Note]:
    """Return how the intervals of systems are computed, and whether some are rough."""
    return [report_head("method"), *warn_of_few_rows(scores)]


def warn_of_few_rows(scores: Iterable[Row]) -> list[Note]:
    """Return a warning where some figures rest on few rows; nothing if none does."""
    is_rough = any(0 < row["units"] < intervals.FEW_ROWS for row in scores)
    if not is_rough:
        return []
    return [Note("report.rough", {"least": intervals.FEW_ROWS})]


def describe_repeats(results: Results, rows: Iterable[Row]) -> list[Note]:
    """Return how far scores of one system's answers to a question differ, by the main series.

    It is empty without repeats.

    Args:
        results: those of the study.
        rows: rows with a metric and how far its scores differ.
    """
    spreads = {row["metric"]: row["repeats"] for row in rows}
    shown = Decimals()
    for series in results.primary:
        spread = spreads.get(series.key)
        if spread is not None:
            shown[series.title] = spread
    if not shown:
        return []
    return [Note("report.repeats", {"spread": shown})]


def describe_estimates(results: Results) -> list[Section]:
    """Return the table of what the estimates are and how many count as right.

    It is empty if there are none.

    Their mean, which the other tables have, is over all of them: only probabilities can be counted.
    """
    rows = []
    whole = results.whole
    for record in results.estimates.to_dict("records"):
        name = record["system"]
        is_own = (whole["system"] == name) & (whole["metric"] == record["metric"])
        (mean,) = whole[is_own]["mean"]
        shown = name if len(results.names) > 1 else show_name(name)
        row: dict[str, Any] = {"system": shown, "mean": mean}
        for field in ("right", "low", "high", *ESTIMATE_STATES):
            row[field] = record[field]
        rows.append(row)
    if not rows:
        return []
    columns = [
        name_column("system", report_head("system")),
        Column("mean", report_head("mean_of_all"), show_decimal),
        Column("right", report_head("counted_right"), show_decimal),
        interval_column(),
    ]
    for state in ESTIMATE_STATES:
        columns.append(Column(state, report_head(state), show_count))
    notes = [report_head("estimates_info")]
    return [Section("estimates", report_head("estimates"), make_frame(rows), columns, notes)]


def mean_columns(series: Sequence[Series], doubt: RankingDoubt) -> list[Column]:
    """Return a column for each metric; those of doubted metrics have the mark."""
    columns = []
    for one in series:
        is_doubted = one.metric in doubt.metrics
        columns.append(Column(one.key, one.title, show_mean, MEAN_DIGITS, is_doubted=is_doubted))
    return columns


def mean_values(scores: Iterable[Row], series: Sequence[Series]) -> dict[str, float | None]:
    """Return the mean of each metric with the ends of its interval, as `mean_columns` show them."""
    by_key = {row["metric"]: row for row in scores}
    nothing: Row = {"mean": None, "low": None, "high": None}
    values: dict[str, float | None] = {}
    for one in series:
        row = by_key.get(one.key, nothing)
        values[one.key] = row["mean"]
        values[f"{one.key}_low"] = row["low"]
        values[f"{one.key}_high"] = row["high"]
    return values


def describe_doubt(series: Sequence[Series], doubt: RankingDoubt) -> list[Note]:
    """Return the footnote on metrics whose means rank systems no better than chance, as far as is
    known.
    """
    titles = [one.title for one in series if one.metric in doubt.metrics]
    if not titles:
        return []
    values = {
        "mark": DOUBT.strip(),
        "metrics": Listing(titles),
        "title": doubt.title,
        "systems": doubt.systems,
        "pairs": doubt.pairs,
    }
    return [Note("report.doubt", values)]


def describe_groups(results: Results, system: str, doubt: RankingDoubt = NO_DOUBT) -> Section:
    """Return the table of a system's groups: groups in rows, metrics in columns."""
    group_column = show_name(results.group_column)
    series = results.primary
    shown_system = system if len(results.names) > 1 else ""
    rows: list[dict[str, Any]] = []
    every: list[Row] = []
    for group, own in list_groups(results, system).items():
        row: dict[str, Any] = {"group": show_name(group), "system": shown_system}
        row |= mean_values(own, series)
        row["rows"] = own[0]["scored"] + own[0]["unscored"]
        rows.append(row)
        every += own
    columns = [name_column("group", group_column)]
    columns += mean_columns(series, doubt)
    columns.append(Column("rows", report_head("count"), show_count))
    notes = [report_head("grid")]
    notes += warn_of_few_rows(every)
    title = Note("report.groups", {"column": group_column})
    if shown_system:
        title = Note("report.title_of_system", {"title": title, "system": shown_system})
    return Section("groups", title, make_frame(rows), columns, notes)


def list_groups(results: Results, system: str) -> Mapping[str, list[Row]]:
    """Return the scores of a system's groups by their names; nothing without groups."""
    scores = results.scores
    groups: dict[str, list[Row]] = {}
    is_of_group = (scores["system"] == system) & scores["group"].notna()
    for row in scores[is_of_group].to_dict("records"):
        groups.setdefault(row["group"], []).append(row)
    return groups


def describe_correlations(results: Results) -> list[Section]:
    """Return the table of correlations, with the rows that each rests on where that is not the same
    number for all.

    There is none where they were not computed, or there is but one metric.
    """
    if results.correlations.empty:
        return []
    keys = list(results.correlations["metric"].unique())
    rows: dict[str, dict[str, Any]] = {key: {"metric": key} for key in keys}
    for record in results.correlations.to_dict("records"):
        row = rows[record["metric"]]
        other = record["other"]
        row[other] = record["rho"]
        row[f"{other}_n"] = record["n"]
    counts = set(results.correlations["n"])
    if len(counts) == 1:
        note = Note("report.spearman_all", {"rows": counts.pop()})
        show = show_decimal
    else:
        note = report_head("spearman")
        show = show_correlation
    columns = [metric_column()]
    for key in keys:
        columns.append(Column(key, title_of_scores(key), show))
    frame = make_frame(rows.values())
    return [Section("correlations", report_head("correlations"), frame, columns, [note])]
