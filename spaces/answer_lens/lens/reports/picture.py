"""Draws the means of several systems as SVG: one panel per metric, with 95% intervals.

The best system is first. Lines and texts have the colour of the surrounding text, so the picture
fits dark and light pages.
"""

from __future__ import annotations

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

# The sizes in a panel: its width, and the space for names, a line, the header, the axis and the
# edges. BESIDE is the number of panels in a row.
WIDTH, NAMES, LINE, HEAD, AXIS, EDGE = 262, 98, 21, 24, 22, 15
BESIDE = 3
MAX_NAME = 14
DIGITS = 3


def draw_picture(results: Results) -> str:
    """Return one SVG file with all panels."""
    panels, height = draw_panels(results), compute_panel_height(len(results.names))
    rows = -(-len(panels) // BESIDE)
    placed = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, BESIDE)
        placed.append(panel.replace("<svg ", f'<svg x="{column * WIDTH}" y="{row * height}" ', 1))
    width = WIDTH * min(BESIDE, len(panels))
    return "\n".join([open_svg(width, height * rows, say("report.picture")), *placed, "</svg>\n"])


def draw_panels(results: Results) -> list[str]:
    """Return one panel per metric, for its primary series."""
    return ["\n".join(draw_panel(results, series)) for series in results.primary]


def compute_panel_height(systems: int) -> int:
    """Return the height of a panel with this number of systems."""
    return HEAD + LINE * systems + AXIS


def open_svg(wide: int, high: int, label: str) -> str:
    """Return the opening tag of a picture of this size."""
    spoken = quoteattr(make_one_line(label))
    box = (
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" aria-label={spoken}'
    )
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style}>'


def draw_panel(results: Results, series: Series) -> Iterator[str]:
    """Yield the elements of one metric's panel: one line per system, best first, and the axis.

    The point of a mean is filled if the system may be the best.
    """
    whole = results.whole
    of_series = whole[whole["metric"] == series.key]
    scores = {row["system"]: row for row in of_series.to_dict("records")}
    ranks = list_ranks(results, series)
    scale = find_scale(scores.values())
    systems = len(results.names)
    yield open_svg(WIDTH, compute_panel_height(systems), series.title)
    yield f'<text x="0" y="14" font-weight="bold">{escape(series.title)}</text>'
    for line, name in enumerate(order_systems(results, series)):
        middle = HEAD + LINE * line + LINE // 2
        is_best = name in ranks and bool(ranks[name]["is_best"])
        weight = ' font-weight="bold"' if is_best else ""
        shown = escape(show_name(name, MAX_NAME))
        yield f'<text x="{NAMES}" y="{middle + 4}" text-anchor="end"{weight}>{shown}</text>'
        if scores[name]["mean"] is not None:
            yield from draw_mean(scores[name], scale, middle, is_best)
    yield from draw_axis(scale, HEAD + LINE * systems)


class Scale(NamedTuple):
    """The ends of a scale of scores."""

    low: float
    high: float

    def find_position(self, value: float) -> str:
        """Return the horizontal position of a score in a panel."""
        part = (value - self.low) / (self.high - self.low)
        return f"{NAMES + EDGE + part * (WIDTH - NAMES - 2 * EDGE):.1f}"


def find_scale(scores: Iterable[Row]) -> Scale:
    """Return the scale from the smallest to the largest mean or end of an interval.

    The ends of the scale are never equal.
    """
    values: list[float] = []
    for row in scores:
        ends = (row["low"], row["high"], row["mean"])
        values += [end for end in ends if end is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return Scale(low - 0.5, high + 0.5) if low == high else Scale(low, high)


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
    fill = "currentColor" if is_best else "none"
    circle = (
        f'<circle cx="{scale.find_position(row["mean"])}" cy="{middle}" r="4" fill="{fill}" '
        'stroke="currentColor" '
    )
    yield circle + f'stroke-width="2"><title>{escape(make_one_line(label))}</title></circle>'


def draw_axis(scale: Scale, bottom: int) -> Iterator[str]:
    """Yield the axis of a panel, with numbers at its ends and in the middle."""
    first, last = scale.find_position(scale.low), scale.find_position(scale.high)
    yield f'<path d="M{first} {bottom}H{last}" stroke="currentColor" stroke-opacity="0.4"/>'
    for value in (scale.low, (scale.low + scale.high) / 2, scale.high):
        position, text = scale.find_position(value), format_decimal(value, DIGITS)
        attributes = f'x="{position}" y="{bottom + 13}" text-anchor="middle" font-size="10"'
        yield f"<text {attributes}>{text}</text>"
    yield "</svg>"
