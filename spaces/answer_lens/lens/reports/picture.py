"""The picture of several systems: for each metric their means as points with 95% intervals, best
first, as SVG.

Lines and texts have the colour of what is around them, so that it fits a dark page and a white one.
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

# Of a panel, in the units of its box: width, the room for names, lines, head and axis; panels
# beside each other.
WIDTH, NAMES, LINE, HEAD, AXIS, EDGE = 262, 98, 21, 24, 22, 15
BESIDE = 3
MAX_NAME = 14
DIGITS = 3


def draw_picture(results: Results) -> str:
    """Return all panels in one file."""
    panels, height = draw_panels(results), panel_height(len(results.names))
    rows = -(-len(panels) // BESIDE)
    placed = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, BESIDE)
        placed.append(panel.replace("<svg ", f'<svg x="{column * WIDTH}" y="{row * height}" ', 1))
    width = WIDTH * min(BESIDE, len(panels))
    return "\n".join([open_svg(width, height * rows, say("report.picture")), *placed, "</svg>\n"])


def draw_panels(results: Results) -> list[str]:
    """Return a panel for the main series of each metric."""
    return ["\n".join(draw_panel(results, series)) for series in results.primary]


def panel_height(systems: int) -> int:
    """Return how high a panel of so many systems is."""
    return HEAD + LINE * systems + AXIS


def open_svg(wide: int, high: int, label: str) -> str:
    """Return the beginning of a picture of this size."""
    spoken = quoteattr(make_one_line(label))
    box = (
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" aria-label={spoken}'
    )
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style}>'


def draw_panel(results: Results, series: Series) -> Iterator[str]:
    """Yield the parts of one metric: a line for each system, best first, and the axis.

    The mean of a system is filled where it is not worse than the best beyond chance.
    """
    whole = results.whole
    of_series = whole[whole["metric"] == series.key]
    scores = {row["system"]: row for row in of_series.to_dict("records")}
    ranks = list_ranks(results, series)
    scale = find_scale(scores.values())
    systems = len(results.names)
    yield open_svg(WIDTH, panel_height(systems), series.title)
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

    def place(self, value: float) -> str:
        """Return where a score lies across a panel."""
        part = (value - self.low) / (self.high - self.low)
        return f"{NAMES + EDGE + part * (WIDTH - NAMES - 2 * EDGE):.1f}"


def find_scale(scores: Iterable[Row]) -> Scale:
    """Return the scale from the least to the greatest of all means and ends of intervals.

    These are never the same.
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
    """Yield the point of a mean and the line of its interval."""
    label = f"{row['system']}: {format_decimal(row['mean'], DIGITS)}"
    if row["low"] is not None:
        first, last = scale.place(row["low"]), scale.place(row["high"])
        label += f" [{format_decimal(row['low'], DIGITS)}, {format_decimal(row['high'], DIGITS)}]"
        yield f'<path d="M{first} {middle}H{last}" stroke="currentColor" stroke-width="2"/>'
    fill = "currentColor" if is_best else "none"
    circle = (
        f'<circle cx="{scale.place(row["mean"])}" cy="{middle}" r="4" fill="{fill}" '
        'stroke="currentColor" '
    )
    yield circle + f'stroke-width="2"><title>{escape(make_one_line(label))}</title></circle>'


def draw_axis(scale: Scale, bottom: int) -> Iterator[str]:
    """Yield the line below a panel, with its ends and its middle."""
    first, last = scale.place(scale.low), scale.place(scale.high)
    yield f'<path d="M{first} {bottom}H{last}" stroke="currentColor" stroke-opacity="0.4"/>'
    for value in (scale.low, (scale.low + scale.high) / 2, scale.high):
        place, text = scale.place(value), format_decimal(value, DIGITS)
        yield (
            f'<text x="{place}" y="{bottom + 13}" text-anchor="middle" font-size="10">{text}</text>'
        )
    yield "</svg>"
