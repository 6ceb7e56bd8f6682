"""One sentence on a scored file: what is certain of it, and nothing where nothing is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lens.explanations.agreement_with_people import agreement
from lens.inference.intervals import Z
from lens.reports.score_sections import Correlations
from lens.scoring.catalog import Series
from lens.study.results import Summary, SystemComparison
from lens.words import say, sentences
from lens.words.printed import name_of

# With fewer rows than that, a percentile interval is too narrow to rest a sentence on.
LEAST_ROWS = 10
# Of systems that are worse than another.
MAX_NAMED = 5
# What is called alike and what different: the end of the 95% interval of Spearman's correlation that is nearer to 0.5.
ALIKE, DIFFERENT = 0.8, 0.5


def verdict(
    summary: Summary, standings: Sequence[SystemComparison], correlations: Correlations, names: Sequence[str] = ()
) -> str:
    """The sentence on several systems, called by their names; of one system on how alike the metrics rank."""
    if summary.clusters < LEAST_ROWS:
        return say("ft_v_few", least=LEAST_ROWS)
    compared = [one for one in standings if one.series.primary and one.questions >= LEAST_ROWS]
    return systems(compared, list(map(name_of, names))) if compared else rankings(summary, correlations)


def systems(compared: Sequence[SystemComparison], names: Sequence[str]) -> str:
    """Which system is better than which others beyond chance, by which metrics, and which of them do not rank systems
    as people do.
    """
    leads: dict[tuple[int, tuple[int, ...]], list[Series]] = {}
    for one in compared:
        top = max(range(len(one.ranked)), key=one.means.__getitem__)
        worse = tuple(place for place, best in zip(one.ranked, one.ranking.best, strict=True) if not best)
        leads.setdefault((one.ranked[top], worse), []).append(one.series)
    certain = {lead: series for lead, series in leads.items() if lead[1]}
    if not certain:
        return say("ft_v_none")
    comma = say("list_comma")
    doubted = [series.title for found in certain.values() for series in found if unranked(series.metric)]
    warning = say("ft_v_unranked", metrics=comma.join(doubted)) if doubted else ""
    told = []
    for (ahead, worse), series in certain.items():
        behind = comma.join(names[place] for place in worse[:MAX_NAMED])
        behind += say("and_more", count=len(worse) - MAX_NAMED) if len(worse) > MAX_NAMED else ""
        metrics = comma.join(one.title for one in series)
        told.append(say("ft_v_better", ahead=names[ahead], behind=behind, metrics=metrics))
    split = any(one[0] in other[1] and other[0] in one[1] for one in certain for other in certain)
    rest = say("ft_v_rest") if len(certain) < len(leads) else ""
    return sentences(say("ft_v_split") if split else "", *told, rest, warning)


def unranked(metric: str) -> bool:
    """Whether a metric, as far as it was measured, does not rank systems as people do: its tau may be 0 or less."""
    tau = agreement()["scores"].get(metric, {}).get("tau")
    return tau is not None and not (tau[1] or 0) > 0


def doubted(summary: Summary) -> list[str]:
    """The metrics of a file that do not rank systems as people do."""
    return [one.series.metric for one in summary.figures if one.series.primary and unranked(one.series.metric)]


def caution(summary: Summary) -> str:
    """Which of a file's metrics do not rank systems as people do; nothing where all do, or were not measured."""
    shown = [figure.series for figure in summary.figures if figure.series.primary]
    doubted = [series.title for series in shown if unranked(series.metric)]
    return say("ft_v_unranked", metrics=say("list_comma").join(doubted)) if doubted else ""


def rankings(summary: Summary, correlations: Correlations) -> str:
    """Whether the two metrics that agree least rank the rows alike, or differently."""
    titles = {figure.series.key: figure.series.title for figure in summary.figures if figure.series.primary}
    found = [
        (rho, min(n, summary.clusters), *pair)
        for pair, (rho, n) in correlations.items()
        if pair[0] < pair[1] and titles.keys() >= {*pair} and rho is not None and n >= LEAST_ROWS
    ]
    if not found:
        return ""
    rho, n, one, other = min(found)
    low, high = around(rho, n)
    values = {"one": titles[one], "other": titles[other], "rho": rho, "n": n}
    if high < DIFFERENT:
        return say("ft_v_different", **values)
    return say("ft_v_alike", **values) if low > ALIKE else ""


def around(rho: float, n: int) -> tuple[float, float]:
    """The 95% interval of Spearman's correlation by Fisher's z, with the error of Bonett and Wright (2000)."""
    if abs(rho) >= 1:
        return rho, rho
    half = Z * math.sqrt((1 + rho**2 / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
