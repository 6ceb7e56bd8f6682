"""The sections on scores: of systems, of groups, of the estimates, and correlations."""

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
    find_scores_title,
    make_interval_column,
    make_metric_column,
    make_name_column,
    make_report_note,
    show_correlation,
    show_count,
    show_decimal,
    show_mean,
)
from lens.scoring.catalog import BY_NAME
from lens.study.measures import INTERPRETATIONS
from lens.study.result_columns import make_frame
from lens.words.notes import Listing, Note
from lens.words.printed import show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results


class RankingDoubt(NamedTuple):
    """The metrics whose means do not rank systems as people do, with the evidence.

    Attributes:
        metrics: the names of the metrics.
        title: the title of the data that shows this.
        systems: the number of systems in the data.
        pairs: the number of pairs of systems.
    """

    metrics: Collection[str] = ()
    title: str = ""
    systems: int = 0
    pairs: int = 0


NO_DOUBT = RankingDoubt()
# The digits of a mean with half its interval.
MEAN_DIGITS = 3
SCORE_FIELDS = ["metric", "system", "mean", "low", "high", "scored", "unscored", "repeats"]


def describe_scores(results: Results) -> Section:
    """Return the table of all metrics of one system, with notes on its intervals."""
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
        [make_metric_column(), *make_score_columns()],
        notes,
        begins=True,
    )


def describe_all_scores(results: Results) -> Section:
    """Return the table of all scores of several systems, with intervals and numbers of rows."""
    columns = [make_metric_column(), make_name_column("system", make_report_note("system"))]
    columns += make_score_columns()
    frame = make_frame(list_score_rows(results))
    return Section("scores", make_report_note("figures"), frame, columns)


def make_score_columns() -> list[Column]:
    """Return the columns of a mean, its interval, and the rows with and without a score."""
    return [
        Column("mean", make_report_note("mean"), show_decimal),
        make_interval_column(),
        Column("scored", make_report_note("scored"), show_count),
        Column("unscored", make_report_note("unscored"), show_count),
    ]


def list_score_rows(results: Results) -> list[dict[str, Any]]:
    """Return one row per metric and system.

    Corpus BLEU has its own row, because it is not a mean of rows.
    """
    systems = results.systems
    corpus_bleu = dict(zip(systems["system"], systems["corpus_bleu"], strict=True))
    scores = results.whole[SCORE_FIELDS]
    rows = []
    for series in results.series:
        has_corpus_score = BY_NAME[series.metric].corpus_score is not None
        scores_of_series = scores[scores["metric"] == series.key]
        for row in scores_of_series.to_dict("records"):
            rows.append(row)
            bleu = corpus_bleu[row["system"]]
            if has_corpus_score and bleu is not None:
                rows.append(make_corpus_row(row, bleu))
    return rows


def make_corpus_row(row: Row, bleu: float) -> dict[str, Any]:
    """Return the row of corpus BLEU, with the numbers of rows of the mean's row."""
    return {
        **row,
        "metric": CORPUS_BLEU,
        "mean": bleu,
        "low": None,
        "high": None,
        "repeats": None,
    }


def describe_intervals(scores: Iterable[Row]) -> list[Note]:
    """Return notes on how intervals are computed, and on rough intervals."""
    return [make_report_note("method"), *warn_of_few_rows(scores)]


def warn_of_few_rows(scores: Iterable[Row]) -> list[Note]:
    """Return a warning if figures are based on few rows."""
    is_rough = any(0 < row["units"] < intervals.FEW_ROWS for row in scores)
    if not is_rough:
        return []
    return [Note("report.rough", {"least": intervals.FEW_ROWS})]


def describe_repeats(results: Results, rows: Iterable[Row]) -> list[Note]:
    """Return a note on the spread of repeats by the primary series; none without repeats.

    Args:
        results: the results of the study.
        rows: rows with a metric and the spread of its repeats.
    """
    spreads = {row["metric"]: row["repeats"] for row in rows}
    spreads_by_title = Decimals()
    for series in results.primary:
        spread = spreads.get(series.key)
        if spread is not None:
            spreads_by_title[series.title] = spread
    if not spreads_by_title:
        return []
    return [Note("report.repeats", {"spread": spreads_by_title})]


def describe_estimates(results: Results) -> list[Section]:
    """Return the table of the estimates: interpretations, and the share of right answers.

    There is no table without estimates. The mean is over all estimates, but only probabilities can
    be counted as right or wrong.
    """
    rows = list_estimate_rows(results)
    if not rows:
        return []
    columns = [
        make_name_column("system", make_report_note("system")),
        Column("mean", make_report_note("mean_of_all"), show_decimal),
        Column("right", make_report_note("counted_right"), show_decimal),
        make_interval_column(),
    ]
    for state in INTERPRETATIONS:
        column = Column(state, make_report_note(state), show_count)
        columns.append(column)
    frame = make_frame(rows)
    notes = [make_report_note("estimates_info")]
    return [Section("estimates", make_report_note("estimates"), frame, columns, notes)]


def list_estimate_rows(results: Results) -> list[dict[str, Any]]:
    """Return the figures of each system's estimates, with their mean."""
    whole = results.whole
    rows = []
    for record in results.estimates.to_dict("records"):
        name = record["system"]
        is_of_estimate = (whole["system"] == name) & (whole["metric"] == record["metric"])
        (mean,) = whole[is_of_estimate]["mean"]
        shown_name = name if len(results.names) > 1 else show_name(name)
        row: dict[str, Any] = {"system": shown_name, "mean": mean}
        for field in ("right", "low", "high", *INTERPRETATIONS):
            row[field] = record[field]
        rows.append(row)
    return rows


def make_mean_columns(series: Sequence[Series], doubt: RankingDoubt) -> list[Column]:
    """Return one column per metric; doubtful metrics are marked."""
    columns = []
    for shown in series:
        is_doubted = shown.metric in doubt.metrics
        column = Column(shown.key, shown.title, show_mean, MEAN_DIGITS, is_doubted=is_doubted)
        columns.append(column)
    return columns


def list_mean_values(scores: Iterable[Row], series: Sequence[Series]) -> dict[str, float | None]:
    """Return the mean of each metric and the ends of its interval, for `make_mean_columns`."""
    by_key = {row["metric"]: row for row in scores}
    no_score: Row = {"mean": None, "low": None, "high": None}
    values: dict[str, float | None] = {}
    for shown in series:
        key = shown.key
        row = by_key.get(key, no_score)
        values[key] = row["mean"]
        values[f"{key}_low"] = row["low"]
        values[f"{key}_high"] = row["high"]
    return values


def describe_doubt(series: Sequence[Series], doubt: RankingDoubt) -> list[Note]:
    """Return the footnote on metrics whose means rank systems no better than chance."""
    titles = [shown.title for shown in series if shown.metric in doubt.metrics]
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
    all_scores: list[Row] = []
    for group, scores in list_groups(results, system).items():
        row: dict[str, Any] = {"group": show_name(group), "system": shown_system}
        row |= list_mean_values(scores, series)
        # The scores of all metrics have the same rows.
        first_score = scores[0]
        row["rows"] = first_score["scored"] + first_score["unscored"]
        rows.append(row)
        all_scores += scores
    columns = [make_name_column("group", group_column)]
    columns += make_mean_columns(series, doubt)
    count_column = Column("rows", make_report_note("count"), show_count)
    columns.append(count_column)
    notes = [make_report_note("grid")]
    notes += warn_of_few_rows(all_scores)
    title = Note("report.groups", {"column": group_column})
    if shown_system:
        title = Note("report.title_of_system", {"title": title, "system": shown_system})
    return Section("groups", title, make_frame(rows), columns, notes)


def list_groups(results: Results, system: str) -> Mapping[str, list[Row]]:
    """Return the scores of a system's groups, by the groups' names."""
    scores = results.scores
    groups: dict[str, list[Row]] = {}
    is_of_group = (scores["system"] == system) & scores["group"].notna()
    for row in scores[is_of_group].to_dict("records"):
        groups.setdefault(row["group"], []).append(row)
    return groups


def describe_correlations(results: Results) -> list[Section]:
    """Return the table of correlations, with the numbers of rows if these differ.

    There is no table if correlations were not computed, or if there is only one metric.
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
        note = make_report_note("spearman")
        show = show_correlation
    columns = [make_metric_column()]
    for key in keys:
        title = find_scores_title(key)
        columns.append(Column(key, title, show))
    frame = make_frame(rows.values())
    return [Section("correlations", make_report_note("correlations"), frame, columns, [note])]
