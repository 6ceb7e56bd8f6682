"""Summarizes a scored file in a few sentences, with only what is certain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from lens.explanations.agreement_with_people import load_agreement
from lens.inference.intervals import NORMAL_QUANTILE
from lens.reports.score_sections import RankingDoubt
from lens.reports.section import DOUBT
from lens.scoring.catalog import Series
from lens.study.results import Results
from lens.words import join_sentences, say
from lens.words.printed import show_name

# With fewer rows, an interval is too unreliable for a sentence.
MIN_ROWS = 10
# How many worse systems a sentence names.
MAX_NAMED = 5
# Metrics rank alike if the lower end of the correlation's 95% interval is above ALIKE, and
# differently if the upper end is below DIFFERENT.
ALIKE, DIFFERENT = 0.8, 0.5


class Lead(NamedTuple):
    """The system with the highest mean by a metric, and the systems that are certainly worse."""

    best: str
    worse: tuple[str, ...]


class Correlation(NamedTuple):
    """Spearman's correlation of two series, with the number of independent rows."""

    rho: float
    rows: int
    first: str
    second: str


def describe_file(results: Results) -> str:
    """Return the sentences on several systems; for one system, on how similarly metrics rank."""
    return describe_systems(results) or describe_rankings(results)


def describe_systems(results: Results) -> str:
    """Return the sentences on several systems; empty if no systems are compared.

    With too few rows, the sentence says so.
    """
    independent_rows = results.systems["clusters"].iloc[0]
    if independent_rows < MIN_ROWS:
        return say("file_verdict.few", least=MIN_ROWS)
    has_enough_rows = results.ranks["questions"] >= MIN_ROWS
    keys = set(results.ranks["metric"][has_enough_rows])
    compared = [series for series in results.primary if series.key in keys]
    if not compared:
        return ""
    return describe_leads(results, compared)


def describe_leads(results: Results, compared: Sequence[Series]) -> str:
    """Return sentences on the systems that are certainly better than others, by metric.

    Metrics that do not rank systems as people do have the mark of doubt.
    """
    leads = group_by_lead(results, compared)
    certain_leads = [lead for lead in leads if lead.worse]
    if not certain_leads:
        return say("file_verdict.none")
    sentences = []
    if is_split(certain_leads):
        sentences.append(say("file_verdict.split"))
    for lead in certain_leads:
        sentences.append(describe_lead(lead, leads[lead]))
    if len(certain_leads) < len(leads):
        sentences.append(say("file_verdict.rest"))
    return join_sentences(*sentences)


def describe_lead(lead: Lead, series: Sequence[Series]) -> str:
    """Return a sentence on the systems that one system is better than, with the metrics."""
    metrics = say("page.list_comma").join(map(mark_title, series))
    return say(
        "file_verdict.better",
        ahead=show_name(lead.best),
        behind=join_worse_systems(lead),
        metrics=metrics,
    )


def mark_title(series: Series) -> str:
    """Return the title of a series, with the mark of doubt if it does not rank as people do."""
    if is_unreliable_for_ranking(series.metric):
        return series.title + DOUBT
    return series.title


def group_by_lead(results: Results, compared: Sequence[Series]) -> dict[Lead, list[Series]]:
    """Return the series with the same lead, by lead."""
    leads: dict[Lead, list[Series]] = {}
    for series in compared:
        ranks = results.ranks[results.ranks["metric"] == series.key].to_dict("records")
        best = max(ranks, key=lambda row: row["mean"])
        worse = tuple(row["system"] for row in ranks if not row["is_best"])
        lead = Lead(best["system"], worse)
        leads.setdefault(lead, []).append(series)
    return leads


def join_worse_systems(lead: Lead) -> str:
    """Return the names of the worse systems; if there are many, only the first."""
    names = map(show_name, lead.worse[:MAX_NAMED])
    text = say("page.list_comma").join(names)
    unnamed = len(lead.worse) - MAX_NAMED
    if unnamed > 0:
        text += say("page.and_more", count=unnamed)
    return text


def is_split(leads: Sequence[Lead]) -> bool:
    """Return whether of two systems, each is certainly better than the other by some metric."""
    for first, second in itertools.combinations(leads, 2):
        if first.best in second.worse and second.best in first.worse:
            return True
    return False


def is_unreliable_for_ranking(metric: str) -> bool:
    """Return whether a metric may not rank systems as people do: its tau may be 0 or less."""
    figures = load_agreement()["scores"].get(metric, {})
    tau = figures.get("tau")
    if tau is None:
        return False
    _, low, _ = tau
    return not (low or 0) > 0


def describe_ranking_doubt(results: Results) -> RankingDoubt:
    """Return the metrics of a file that do not rank systems as people do, with the evidence."""
    data = load_agreement()
    metrics = [series.metric for series in results.primary]
    unreliable_metrics = list(filter(is_unreliable_for_ranking, metrics))
    systems = data["systems"]
    pairs_of_systems = math.comb(systems, 2)
    return RankingDoubt(unreliable_metrics, data["title"], systems, pairs_of_systems)


def describe_rankings(results: Results) -> str:
    """Return a sentence on how similarly the two most different metrics rank the rows."""
    correlations = list_primary_correlations(results)
    if not correlations:
        return ""
    lowest = min(correlations)
    low, high = estimate_correlation_interval(lowest.rho, lowest.rows)
    if high < DIFFERENT:
        key = "file_verdict.different"
    elif low > ALIKE:
        key = "file_verdict.alike"
    else:
        return ""
    titles = {series.key: series.title for series in results.primary}
    return say(
        key,
        one=titles[lowest.first],
        other=titles[lowest.second],
        rho=lowest.rho,
        n=lowest.rows,
    )


def list_primary_correlations(results: Results) -> list[Correlation]:
    """Return the correlations of the primary series that are measured on enough rows."""
    keys = {series.key for series in results.primary}
    independent_rows = results.systems["clusters"].iloc[0]
    correlations = []
    for row in results.correlations.to_dict("records"):
        first, second, rho = row["metric"], row["other"], row["rho"]
        # Each pair is in the table twice.
        if first >= second or not {first, second} <= keys:
            continue
        if rho is not None and row["n"] >= MIN_ROWS:
            rows = min(row["n"], independent_rows)
            correlations.append(Correlation(rho, rows, first, second))
    return correlations


def estimate_correlation_interval(rho: float, count: int) -> tuple[float, float]:
    """Return the 95% interval of Spearman's correlation by Fisher's z.

    The standard error is that of Bonett and Wright (2000).
    """
    if abs(rho) >= 1:
        return rho, rho
    standard_error = math.sqrt((1 + rho**2 / 2) / (count - 3))
    half_width = NORMAL_QUANTILE * standard_error
    center = math.atanh(rho)
    return math.tanh(center - half_width), math.tanh(center + half_width)
