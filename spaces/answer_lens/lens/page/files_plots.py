"""Plots of the tab "Files" as HTML: a histogram of each metric, the correlations between them.

Drawn here and not by Gradio, whose plots have their labels collide at the width of a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lens.page.files_jobs import Results
from lens.page.html import escape
from lens.reports.contents import DASH, four
from lens.scoring.catalog import Series
from lens.scoring.summary import Figure
from lens.statistics.intervals import histogram
from lens.words import say
from lens.words.formats import number

BINS = 20


def draw_histograms(results: Results) -> str:
    """A histogram of each metric."""
    figures = [figure for figure in results.summary.figures if figure.series.primary and figure.scored]
    drawn = "".join(draw_histogram(figure, results.tally.scores(figure.series.key)) for figure in figures)
    return (
        f'<section class="al-overview" aria-labelledby="ft-spread"><h2 id="ft-spread">{say("ft_spread")}</h2>'
        f'<p class="al-detail">{say("ft_spread_info", bins=BINS)}</p><div class="ft-plots">{drawn}</div></section>'
        if drawn
        else ""
    )


def draw_histogram(figure: Figure, scores: Sequence[float | None]) -> str:
    """The bars of one metric, its mean as a line; in words for those who cannot see them."""
    series = figure.series
    counts = histogram(scores, series.low, 1.0, BINS)
    most = max(counts)
    bars = "".join(f'<span style="height:{100 * count / most:.1f}%"></span>' for count in counts)
    at = 100 * (min(max(figure.mean or 0.0, series.low), 1.0) - series.low) / (1 - series.low)
    mean = f'<i style="left:{at:.1f}%"></i>'
    return (
        f'<figure class="ft-plot"><figcaption>{escape(series.title)} '
        f'<span class="al-detail">{say("ft_mean_is", mean=number(figure.mean))}</span></figcaption>'
        f'<div class="ft-bars" role="img" aria-label="{escape(in_words(series, counts))}">{bars}{mean}</div>'
        f'<div class="ft-axis" aria-hidden="true"><span>{series.low:g}</span>'
        f"<span>{say('ft_most_rows', count=most)}</span><span>1</span></div></figure>"
    )


def in_words(series: Series, counts: Sequence[int]) -> str:
    """A histogram as a sentence; bars without rows are left out."""
    width = (1 - series.low) / len(counts)
    parts = [
        say("ft_bar", low=series.low + place * width, high=series.low + (place + 1) * width, count=count)
        for place, count in enumerate(counts)
        if count
    ]
    return f"{series.title}{say('colon')}{say('list_comma').join(parts)}"


def draw_correlations(results: Results) -> str:
    """Spearman's correlation of every two metrics, and over how many rows."""
    series = [figure.series for figure in results.summary.figures if figure.series.primary]
    if len(series) < 2:
        return ""
    heads = "".join(f'<th scope="col">{escape(one.title)}</th>' for one in series)
    body = "".join(
        f'<tr><th scope="row">{escape(one.title)}</th>'
        f"{''.join(draw_pair(results.correlations, one, other) for other in series)}</tr>"
        for one in series
    )
    return (
        f'<section class="al-overview" aria-labelledby="ft-alike"><h2 id="ft-alike">{say("ft_alike")}</h2>'
        f'<p class="al-detail">{say("ft_alike_info")}</p>'
        f'<div class="al-scroll ft-scroll" role="region" tabindex="0" '
        f'aria-label="{say("table_of", title=say("ft_alike"))}">'
        f'<table class="al-table ft-table"><thead><tr><td></td>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
        "</section>"
    )


def draw_pair(found: Mapping[tuple[str, str], tuple[float | None, int]], one: Series, other: Series) -> str:
    """One cell: the correlation, its strength as a tint, and the rows."""
    if one is other:
        return f"<td>{DASH}</td>"
    rho, n = found.get((one.key, other.key), (None, 0))
    tint = "" if rho is None else f' style="--ft-tint:{100 * abs(rho) * 0.35:.0f}%"'
    return f'<td class="ft-tint"{tint}>{four(rho)} <span class="al-count">n = {n:,}</span></td>'
