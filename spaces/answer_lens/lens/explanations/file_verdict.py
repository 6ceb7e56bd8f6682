"""One sentence on a scored file: what is certain of it, and nothing where nothing is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lens.reports.contents import Correlations
from lens.scoring.summary import Difference, Summary
from lens.statistics.intervals import Z
from lens.words import say, sentences

# With fewer rows than that, a percentile interval is too narrow to rest a sentence on.
LEAST_ROWS = 10
# What is called alike and what different: the end of the 95% interval of Spearman's correlation that is nearer to 0.5.
ALIKE, DIFFERENT = 0.8, 0.5


def verdict(summary: Summary, differences: Sequence[Difference], correlations: Correlations) -> str:
    """The sentence on two systems where there are two, and else on how alike the metrics rank the rows."""
    if summary.rows < LEAST_ROWS:
        return say("ft_v_few", least=LEAST_ROWS)
    compared = [one for one in differences if one.series.primary and one.rows >= LEAST_ROWS]
    return systems(compared) if compared else rankings(summary, correlations)


def systems(compared: list[Difference]) -> str:
    """Which system is better, by those metrics whose interval leaves out 0."""
    better = [one.series.title for one in compared if one.interval and one.interval[0] > 0]
    worse = [one.series.title for one in compared if one.interval and one.interval[1] < 0]
    if not better and not worse:
        return say("ft_v_none")
    comma = say("list_comma")
    if better and worse:
        return say("ft_v_split", better=comma.join(better), worse=comma.join(worse))
    key = "ft_v_better" if better else "ft_v_worse"
    rest = len(compared) - len(better) - len(worse)
    return sentences(say(key, metrics=comma.join(better or worse)), say("ft_v_rest") if rest else "")


def rankings(summary: Summary, correlations: Correlations) -> str:
    """Whether the two metrics that agree least rank the rows alike, or differently."""
    titles = {figure.series.key: figure.series.title for figure in summary.figures}
    found = [
        (rho, n, *pair)
        for pair, (rho, n) in correlations.items()
        if pair[0] < pair[1] and rho is not None and n >= LEAST_ROWS
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
