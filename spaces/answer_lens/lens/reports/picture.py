"""Draws the means of several systems as SVG: one panel per metric, with 95% intervals.

The best system is first. Lines and texts have the colour of the surrounding text, so the picture
fits dark and light pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from lens.reports.cells import format_decimal
from lens.reports.comparison_sections import list_ranks, order_systems
from lens.reports.section import Row
from lens.words import say
from lens.words.printed import make_one_line, show_name

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.study.results import Results

# Sizes in pixels. A panel has names at the left, one line per system, and the axis at the bottom.
PANEL_WIDTH, NAMES_WIDTH, MARGIN = 262, 98, 15
HEAD_HEIGHT, LINE_HEIGHT, AXIS_HEIGHT = 24, 21, 22
PANELS_IN_ROW = 3
# How many characters of a name are shown.
MAX_NAME = 14
DIGITS = 3


def draw_picture(results: Results) -> str:
    """Return one SVG file with all panels."""
    panels = draw_panels(results)
    panel_height = compute_panel_height(len(results.names))
    placed_panels = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, PANELS_IN_ROW)
        x = column * PANEL_WIDTH
        y = row * panel_height
        placed_panels.append(panel.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1))
    rows = math.ceil(len(panels) / PANELS_IN_ROW)
    width = PANEL_WIDTH * min(PANELS_IN_ROW, len(panels))
    opening_tag = open_svg(width, panel_height * rows, say("report.picture"))
    return "\n".join([opening_tag, *placed_panels, "</svg>\n"])


def draw_panels(results: Results) -> list[str]:
    """Return one panel per metric, for its primary series."""
    return ["\n".join(draw_panel(results, series)) for series in results.primary]


def compute_panel_height(systems: int) -> int:
    """Return the height of a panel with this number of systems."""
    return HEAD_HEIGHT + LINE_HEIGHT * systems + AXIS_HEIGHT


def open_svg(width: int, height: int, label: str) -> str:
    """Return the opening tag of a picture of this size."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    spoken = f'role="img" aria-label={quoteattr(make_one_line(label))}'
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {spoken} {style}>'


def draw_panel(results: Results, series: Series) -> Iterator[str]:
    """Yield the elements of one metric's panel: one line per system, best first, and the axis.

    The point of a mean is filled if the system may be the best.
    """
    whole = results.whole
    scores_of_series = whole[whole["metric"] == series.key]
    scores = {row["system"]: row for row in scores_of_series.to_dict("records")}
    ranks = list_ranks(results, series)
    scale = find_scale(scores.values())
    systems = len(results.names)
    yield open_svg(PANEL_WIDTH, compute_panel_height(systems), series.title)
    yield f'<text x="0" y="14" font-weight="bold">{escape(series.title)}</text>'
    for line, name in enumerate(order_systems(results, series)):
        middle = HEAD_HEIGHT + LINE_HEIGHT * line + LINE_HEIGHT // 2
        is_best = name in ranks and bool(ranks[name]["is_best"])
        weight = ' font-weight="bold"' if is_best else ""
        shown = escape(show_name(name, MAX_NAME))
        yield f'<text x="{NAMES_WIDTH}" y="{middle + 4}" text-anchor="end"{weight}>{shown}</text>'
        if scores[name]["mean"] is not None:
            yield from draw_mean(scores[name], scale, middle, is_best)
    yield from draw_axis(scale, HEAD_HEIGHT + LINE_HEIGHT * systems)


class Scale(NamedTuple):
    """The ends of a scale of scores."""

    low: float
    high: float

    def find_position(self, value: float) -> str:
        """Return the horizontal position of a score in a panel."""
        share = (value - self.low) / (self.high - self.low)
        left = NAMES_WIDTH + MARGIN
        width = PANEL_WIDTH - NAMES_WIDTH - 2 * MARGIN
        return f"{left + share * width:.1f}"


def find_scale(scores: Iterable[Row]) -> Scale:
    """Return the scale from the smallest to the largest mean or end of an interval.

    The ends of the scale are never equal.
    """
    values: list[float] = []
    for row in scores:
        ends = (row["low"], row["high"], row["mean"])
        values += [end for end in ends if end is not None]
    low = min(values, default=0.0)
    high = max(values, default=1.0)
    if low == high:
        return Scale(low - 0.5, high + 0.5)
    return Scale(low, high)


def draw_mean(
    row: Row,
    scale: Scale,
    middle: int,
    is_best: bool,
) -> Iterator[str]:
    """Yield the line of an interval, if there is one, and the point of its mean."""
    label = f"{row['system']}: {format_decimal(row['mean'], DIGITS)}"
    if row["low"] is not None:
        first, last = scale.find_position(row["low"]), scale.find_position(row["high"])
        label += f" [{format_decimal(row['low'], DIGITS)}, {format_decimal(row['high'], DIGITS)}]"
        yield f'<path d="M{first} {middle}H{last}" stroke="currentColor" stroke-width="2"/>'
    x = scale.find_position(row["mean"])
    fill = "currentColor" if is_best else "none"
    place = f'cx="{x}" cy="{middle}" r="4"'
    colour = f'fill="{fill}" stroke="currentColor" stroke-width="2"'
    title = f"<title>{escape(make_one_line(label))}</title>"
    yield f"<circle {place} {colour}>{title}</circle>"


def draw_axis(scale: Scale, bottom: int) -> Iterator[str]:
    """Yield the axis of a panel, with numbers at its ends and in the middle."""
    first, last = scale.find_position(scale.low), scale.find_position(scale.high)
    yield f'<path d="M{first} {bottom}H{last}" stroke="currentColor" stroke-opacity="0.4"/>'
    for value in (scale.low, (scale.low + scale.high) / 2, scale.high):
        position, text = scale.find_position(value), format_decimal(value, DIGITS)
        attributes = f'x="{position}" y="{bottom + 13}" text-anchor="middle" font-size="10"'
        yield f"<text {attributes}>{text}</text>"
    yield "</svg>"
