"""One sentence on a scored file: what is certain of it, and nothing where nothing is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lens.explanations.agreement_with_people import agreement
from lens.reports.contents import Correlations
from lens.scoring.summary import Difference, Summary
from lens.statistics.intervals import Z
from lens.words import say, sentences
from lens.words.printed import name_of

# With fewer rows than that, a percentile interval is too narrow to rest a sentence on.
LEAST_ROWS = 10
# What is called alike and what different: the end of the 95% interval of Spearman's correlation that is nearer to 0.5.
ALIKE, DIFFERENT = 0.8, 0.5


def verdict(
    summary: Summary, differences: Sequence[Difference], correlations: Correlations, names: Sequence[str] = ()
) -> str:
    """The sentence on two systems, called by their names, where there are two; else on how alike the metrics rank."""
    if summary.clusters < LEAST_ROWS:
        return say("ft_v_few", least=LEAST_ROWS)
    compared = [one for one in differences if one.series.primary and one.rows >= LEAST_ROWS]
    return systems(compared, *map(name_of, names)) if compared else rankings(summary, correlations)


def systems(compared: list[Difference], first: str, second: str) -> str:
    """Which system is better, by those metrics whose interval leaves out 0, and which of them do not rank systems as
    people do.
    """
    signs = {one.series: (one.interval[0] > 0) - (one.interval[1] < 0) for one in compared if one.interval}
    better, worse = ([series.title for series, sign in signs.items() if sign == side] for side in (1, -1))
    doubted = [series.title for series, sign in signs.items() if sign and unranked(series.metric)]
    comma = say("list_comma")
    warning = say("ft_v_unranked", metrics=comma.join(doubted)) if doubted else ""
    if not better and not worse:
        return say("ft_v_none")
    if better and worse:
        given = {"first": first, "second": second, "better": comma.join(better), "worse": comma.join(worse)}
        return sentences(say("ft_v_split", **given), warning)
    ahead, behind = (first, second) if better else (second, first)
    rest = say("ft_v_rest") if len(compared) > len(better) + len(worse) else ""
    return sentences(say("ft_v_better", ahead=ahead, behind=behind, metrics=comma.join(better or worse)), rest, warning)


def unranked(metric: str) -> bool:
    """Whether a metric, as far as it was measured, does not rank systems as people do: its tau may be 0 or less."""
    tau = agreement()["scores"].get(metric, {}).get("tau")
    return tau is not None and not (tau[1] or 0) > 0


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
