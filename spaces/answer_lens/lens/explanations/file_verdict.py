"""Summarizes a scored file in a few sentences, with only what is certain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lens.explanations.agreement_with_people import agreement
from lens.inference.intervals import Z
from lens.reports.score_sections import RankingDoubt
from lens.reports.section import DOUBT
from lens.scoring.catalog import Series
from lens.study.results import Results
from lens.words import join_sentences, say
from lens.words.printed import show_name

# With fewer rows, an interval is too unreliable for a sentence.
LEAST_ROWS = 10
# The most names of worse systems in a sentence.
MAX_NAMED = 5
# Metrics rank alike if the lower end of the correlation's 95% interval is above ALIKE, and
# differently if the upper end is below DIFFERENT.
ALIKE, DIFFERENT = 0.8, 0.5


class Lead(NamedTuple):
    """The system with the highest mean by a metric, and the systems that are certainly worse."""

    ahead: str
    worse: tuple[str, ...]


def verdict(results: Results) -> str:
    """Return the sentences on several systems; for one system, on how similarly metrics rank."""
    return describe_systems(results) or describe_rankings(results)


def describe_systems(results: Results) -> str:
    """Return the sentences on several systems.

    They say so if there are too few rows. They are empty if no systems are compared.
    """
    (clusters, *_) = results.systems["clusters"]
    if clusters < LEAST_ROWS:
        return say("file_verdict.few", least=LEAST_ROWS)
    ranks = results.ranks[results.ranks["questions"] >= LEAST_ROWS]
    compared = set(ranks["metric"])
    shown = [series for series in results.primary if series.key in compared]
    return describe_leads(results, shown) if shown else ""


def describe_leads(results: Results, compared: Sequence[Series]) -> str:
    """Return sentences on the systems that are certainly better than others, by metric.

    Metrics that do not rank systems as people do have the mark of doubt.
    """
    leads = group_by_lead(results, compared)
    certain = {lead: series for lead, series in leads.items() if lead.worse}
    if not certain:
        return say("file_verdict.none")
    sentences = []
    if is_split(list(certain)):
        sentences.append(say("file_verdict.split"))
    sentences += [describe_lead(lead, series) for lead, series in certain.items()]
    if len(certain) < len(leads):
        sentences.append(say("file_verdict.rest"))
    return join_sentences(*sentences)


def describe_lead(lead: Lead, series: Sequence[Series]) -> str:
    """Return a sentence on the systems that one system is better than, with the metrics."""
    metrics = say("page.list_comma").join(map(mark_title, series))
    return say(
        "file_verdict.better",
        ahead=show_name(lead.ahead),
        behind=list_behind(lead),
        metrics=metrics,
    )


def mark_title(series: Series) -> str:
    """Return the title of a series, with the mark of doubt if it does not rank as people do."""
    return series.title + DOUBT if is_unreliable_for_ranking(series.metric) else series.title


def group_by_lead(results: Results, compared: Sequence[Series]) -> dict[Lead, list[Series]]:
    """Return the series by which each system leads."""
    leads: dict[Lead, list[Series]] = {}
    for series in compared:
        ranks = results.ranks[results.ranks["metric"] == series.key].to_dict("records")
        top = max(ranks, key=lambda row: row["mean"])
        worse = tuple(row["system"] for row in ranks if not row["is_best"])
        leads.setdefault(Lead(top["system"], worse), []).append(series)
    return leads


def list_behind(lead: Lead) -> str:
    """Return the names of the worse systems; if there are many, only the first."""
    behind = say("page.list_comma").join(map(show_name, lead.worse[:MAX_NAMED]))
    more = len(lead.worse) - MAX_NAMED
    return behind + say("page.and_more", count=more) if more > 0 else behind


def is_split(leads: Sequence[Lead]) -> bool:
    """Return whether two systems are each certainly better by a different metric."""
    for one in leads:
        for other in leads:
            if one.ahead in other.worse and other.ahead in one.worse:
                return True
    return False


def is_unreliable_for_ranking(metric: str) -> bool:
    """Return whether a metric may not rank systems as people do: its tau may be 0 or less."""
    tau = agreement()["scores"].get(metric, {}).get("tau")
    return tau is not None and not (tau[1] or 0) > 0


def describe_ranking_doubt(results: Results) -> RankingDoubt:
    """Return the metrics of a file that do not rank systems as people do, with the evidence."""
    data = agreement()
    metrics = [series.metric for series in results.primary]
    doubted = [metric for metric in metrics if is_unreliable_for_ranking(metric)]
    systems = data["systems"]
    return RankingDoubt(doubted, data["title"], systems, math.comb(systems, 2))


def describe_rankings(results: Results) -> str:
    """Return a sentence on how similarly the two most different metrics rank the rows."""
    titles = {series.key: series.title for series in results.primary}
    (clusters, *_) = results.systems["clusters"]
    measured = []
    for row in results.correlations.to_dict("records"):
        one, other, rho, count = (row[name] for name in ("metric", "other", "rho", "n"))
        is_shown = one < other and one in titles and other in titles
        if is_shown and rho is not None and count >= LEAST_ROWS:
            measured.append((rho, min(count, clusters), one, other))
    if not measured:
        return ""
    rho, count, one, other = min(measured)
    low, high = correlation_interval(rho, count)
    values = {
        "one": titles[one],
        "other": titles[other],
        "rho": rho,
        "n": count,
    }
    if high < DIFFERENT:
        return say("file_verdict.different", **values)
    return say("file_verdict.alike", **values) if low > ALIKE else ""


def correlation_interval(rho: float, count: int) -> tuple[float, float]:
    """Return the 95% interval of Spearman's correlation by Fisher's z.

    The standard error is that of Bonett and Wright (2000).
    """
    if abs(rho) >= 1:
        return rho, rho
    half = Z * math.sqrt((1 + rho**2 / 2) / (count - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
