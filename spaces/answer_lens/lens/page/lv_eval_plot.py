"""The averages by length as lines, in HTML and SVG: the lines are stretched to the width of the page, and the words
beside them are HTML, which keeps its size on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

from lens.lv_eval.export import figure
from lens.lv_eval.official_result import Official
from lens.lv_eval.tasks import DATASETS, LENGTHS, MULTI_HOP, SINGLE_HOP
from lens.page.html import escape
from lens.words import say

SERIES = (("single", SINGLE_HOP), ("multi", MULTI_HOP), ("all", DATASETS))
# The top of the plot is the first of these that no point exceeds; four steps lead up to it.
TOPS = (4, 8, 12, 20, 40, 60, 80, 100)
STEPS = 4

Points = Sequence[tuple[float, float] | None]


def top_of(values: Sequence[float | None]) -> int:
    """The value at the top of the plot.

    >>> top_of([3.5, None, 12.0]), top_of([])
    (12, 4)
    """
    most = max((value for value in values if value is not None), default=0.0)
    return next(top for top in TOPS if most <= top)


def points_of(values: Sequence[float | None], top: float) -> Points:
    """Where each value stands, in percent from the left and from the top; None where there is none."""
    return [
        None if value is None else (100 * (place + 0.5) / len(values), 100 * (1 - value / top))
        for place, value in enumerate(values)
    ]


def runs(points: Points) -> list[list[tuple[float, float]]]:
    """The points that stand beside each other: a line does not bridge what is missing."""
    found: list[list[tuple[float, float]]] = [[]]
    for point in points:
        if point is None:
            found.append([])
        else:
            found[-1].append(point)
    return [run for run in found if run]


def draw_plot(found: Official) -> str:
    """The plot of the single-hop, the multi-hop and all averages by length."""
    values = {name: [found.average(datasets, (length,)) for length in LENGTHS] for name, datasets in SERIES}
    top = top_of([value for row in values.values() for value in row])
    drawn = "".join(draw_series(name, points_of(row, top)) for name, row in values.items())
    marks = "".join(
        f'<span class="lv-y" style="top:{100 - 100 * step / STEPS:.0f}%">{top * step / STEPS:g}</span>'
        for step in range(STEPS + 1)
    )
    grid = "".join(f'<line class="lv-grid" x1="0" x2="100" y1="{y}" y2="{y}"/>' for y in range(0, 101, 100 // STEPS))
    lengths = "".join(f"<span>{length}</span>" for length in LENGTHS)
    return (
        f'<section class="al-overview" aria-labelledby="lv-plot"><h2 id="lv-plot">{say("lv_plot")}</h2>'
        f'<p class="al-detail">{say("lv_plot_info")}</p>{draw_legend()}'
        f'<div class="lv-plot" role="img" aria-label="{escape(spoken(values))}"><div class="lv-area">{marks}'
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{grid}{lines_of(values, top)}</svg>'
        f'{drawn}</div><div class="lv-x">{lengths}</div></div></section>'
    )


def draw_legend() -> str:
    """Which line is which."""
    entries = "".join(
        f'<li><span class="lv-key lv-{name}" aria-hidden="true"></span>{escape(say(f"lv_{name}"))}</li>'
        for name, _ in SERIES
    )
    return f'<ul class="al-legend lv-legend">{entries}</ul>'


def lines_of(values: dict[str, list[float | None]], top: float) -> str:
    """The lines, in the SVG."""
    return "".join(
        f'<polyline class="lv-line lv-{name}" points="{" ".join(f"{x:.2f},{y:.2f}" for x, y in run)}"/>'
        for name, row in values.items()
        for run in runs(points_of(row, top))
    )


def draw_series(name: str, points: Points) -> str:
    """The points of one line."""
    return "".join(
        f'<span class="lv-point lv-{name}" style="left:{point[0]:.2f}%;top:{point[1]:.2f}%"></span>'
        for point in points
        if point
    )


def spoken(values: dict[str, list[float | None]]) -> str:
    """What the plot shows, for those who cannot see it."""
    return ". ".join(
        f"{say(f'lv_{name}')}: "
        + ", ".join(f"{length} {figure(value)}" for length, value in zip(LENGTHS, row, strict=True))
        for name, row in values.items()
    )
