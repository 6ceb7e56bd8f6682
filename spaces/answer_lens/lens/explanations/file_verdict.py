"""One sentence on a scored file: what is certain of it, and nothing where nothing is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lens.explanations.agreement_with_people import agreement
from lens.inference.intervals import Z
from lens.reports.score_sections import Correlations
from lens.scoring.catalog import Series
from lens.study.results import Summary, SystemComparison
from lens.words import say, sentences
from lens.words.printed import show_name

# With fewer rows than that, a percentile interval is too narrow to rest a sentence on.
LEAST_ROWS = 10
# Of systems that are worse than another.
MAX_NAMED = 5
# What is called alike and what different: the end of the 95% interval of Spearman's correlation that is nearer to 0.5.
ALIKE, DIFFERENT = 0.8, 0.5


class Lead(NamedTuple):
    """The system of the highest mean by a metric, and those that are worse beyond chance."""

    ahead: int
    worse: tuple[int, ...]


def verdict(
    summary: Summary, comparisons: Sequence[SystemComparison], correlations: Correlations, names: Sequence[str] = ()
) -> str:
    """Return the sentence on several systems, called by their names; of one system on how alike the metrics rank."""
    if summary.clusters < LEAST_ROWS:
        return say("ft_v_few", least=LEAST_ROWS)
    shown = [one for one in comparisons if one.series.primary and one.questions >= LEAST_ROWS]
    if shown:
        return describe_leads(shown, list(map(show_name, names)))
    return describe_rankings(summary, correlations)


def describe_leads(comparisons: Sequence[SystemComparison], names: Sequence[str]) -> str:
    """Return which system is better than which others beyond chance, and by which metrics.

    Those of these metrics are named that do not rank systems as people do.
    """
    leads = group_by_lead(comparisons)
    certain = {lead: series for lead, series in leads.items() if lead.worse}
    if not certain:
        return say("ft_v_none")
    told = []
    if is_split(list(certain)):
        told.append(say("ft_v_split"))
    shown = list[Series]()
    for lead, series in certain.items():
        shown += series
        metrics = say("list_comma").join(one.title for one in series)
        told.append(say("ft_v_better", ahead=names[lead.ahead], behind=list_behind(lead, names), metrics=metrics))
    if len(certain) < len(leads):
        told.append(say("ft_v_rest"))
    return sentences(*told, warn_of_unreliable(shown))


def group_by_lead(comparisons: Sequence[SystemComparison]) -> dict[Lead, list[Series]]:
    """Return who leads by which metrics."""
    leads: dict[Lead, list[Series]] = {}
    for one in comparisons:
        top = max(range(len(one.ranked)), key=one.means.__getitem__)
        worse = tuple(place for place, is_best in zip(one.ranked, one.ranking.best, strict=True) if not is_best)
        leads.setdefault(Lead(one.ranked[top], worse), []).append(one.series)
    return leads


def list_behind(lead: Lead, names: Sequence[str]) -> str:
    """Return the names of the systems that are worse, not all of them where there are many."""
    behind = say("list_comma").join(names[place] for place in lead.worse[:MAX_NAMED])
    more = len(lead.worse) - MAX_NAMED
    return behind + say("and_more", count=more) if more > 0 else behind


def is_split(leads: Sequence[Lead]) -> bool:
    """Return whether one system leads by a metric and is worse by another, and the reverse."""
    for one in leads:
        for other in leads:
            if one.ahead in other.worse and other.ahead in one.worse:
                return True
    return False


def is_unreliable_for_ranking(metric: str) -> bool:
    """Return whether a metric, as far as it was measured, does not rank systems as people do: tau may be 0 or less."""
    tau = agreement()["scores"].get(metric, {}).get("tau")
    return tau is not None and not (tau[1] or 0) > 0


def warn_of_unreliable(series: Sequence[Series]) -> str:
    """Return which of these do not rank systems as people do; nothing where all do, or were not measured."""
    titles = say("list_comma").join(one.title for one in series if is_unreliable_for_ranking(one.metric))
    return say("ft_v_unranked", metrics=titles) if titles else ""


def primary_series(summary: Summary) -> list[Series]:
    """Return the main series of each metric of a file."""
    return [figure.series for figure in summary.figures if figure.series.primary]


def unreliable_metrics(summary: Summary) -> list[str]:
    """Return the metrics of a file that do not rank systems as people do."""
    return [series.metric for series in primary_series(summary) if is_unreliable_for_ranking(series.metric)]


def caution(summary: Summary) -> str:
    """Return which of a file's metrics do not rank systems as people do; nothing where all do, or were not measured."""
    return warn_of_unreliable(primary_series(summary))


def describe_rankings(summary: Summary, correlations: Correlations) -> str:
    """Return whether the two metrics that agree least rank the rows alike, or differently."""
    titles = {series.key: series.title for series in primary_series(summary)}
    measured = []
    for (one, other), (rho, count) in correlations.items():
        is_shown = one < other and one in titles and other in titles
        if is_shown and rho is not None and count >= LEAST_ROWS:
            measured.append((rho, min(count, summary.clusters), one, other))
    if not measured:
        return ""
    rho, count, one, other = min(measured)
    low, high = correlation_interval(rho, count)
    values = {"one": titles[one], "other": titles[other], "rho": rho, "n": count}
    if high < DIFFERENT:
        return say("ft_v_different", **values)
    return say("ft_v_alike", **values) if low > ALIKE else ""


def correlation_interval(rho: float, count: int) -> tuple[float, float]:
    """Return the 95% interval of Spearman's correlation by Fisher's z, with the error of Bonett and Wright (2000)."""
    if abs(rho) >= 1:
        return rho, rho
    half = Z * math.sqrt((1 + rho**2 / 2) / (count - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
