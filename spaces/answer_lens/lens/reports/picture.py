"""The picture of several systems: for each metric their means as points with 95% intervals, best first, as SVG.

Lines and texts have the colour of what is around them, so that it fits a dark page and a white one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from lens.reports.cells import format_decimal
from lens.reports.comparison_sections import order_systems
from lens.reports.score_sections import primary_series
from lens.words import say
from lens.words.printed import one_line, show_name

if TYPE_CHECKING:
    from lens.scoring.table_scores import Figure
    from lens.study.results import Summary, SystemComparison

# Of a panel, in the units of its box: width, the room for names, lines, head and axis; panels beside each other.
WIDTH, NAMES, LINE, HEAD, AXIS, EDGE = 262, 98, 21, 24, 22, 15
BESIDE = 3
MAX_NAME = 14
DIGITS = 3


def draw_picture(summaries: Sequence[Summary], comparisons: Sequence[SystemComparison], names: Sequence[str]) -> str:
    """Return all panels in one file."""
    panels, height = draw_panels(summaries, comparisons, names), panel_height(names)
    rows = -(-len(panels) // BESIDE)
    placed = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, BESIDE)
        placed.append(panel.replace("<svg ", f'<svg x="{column * WIDTH}" y="{row * height}" ', 1))
    width = WIDTH * min(BESIDE, len(panels))
    return "\n".join([open_svg(width, height * rows, say("f_report_picture")), *placed, "</svg>\n"])


def draw_panels(
    summaries: Sequence[Summary], comparisons: Sequence[SystemComparison], names: Sequence[str]
) -> list[str]:
    """Return a panel for the main series of each metric."""
    by_key = {one.series.key: one for one in comparisons}
    main = primary_series(summaries[0])
    panels = []
    for place, figure in enumerate(summaries[0].figures):
        if figure.series in main:
            figures = [one.figures[place] for one in summaries]
            panels.append("\n".join(draw_panel(figures, by_key.get(figure.series.key), names)))
    return panels


def panel_height(names: Sequence[str]) -> int:
    """Return how high a panel is."""
    return HEAD + LINE * len(names) + AXIS


def open_svg(wide: int, high: int, label: str) -> str:
    """Return the beginning of a picture of this size."""
    box = (
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" aria-label={quoteattr(one_line(label))}'
    )
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style}>'


def draw_panel(figures: Sequence[Figure], comparison: SystemComparison | None, names: Sequence[str]) -> Iterator[str]:
    """Yield the parts of one metric: a line for each system, best first, and the axis.

    The mean of a system is filled where it is not worse than the best beyond chance.
    """
    low, high = find_ends(figures)
    best = find_best(comparison)
    title = figures[0].series.title
    yield open_svg(WIDTH, panel_height(names), title)
    yield f'<text x="0" y="14" font-weight="bold">{escape(title)}</text>'
    for line, place in enumerate(order_systems(comparison, len(names))):
        middle = HEAD + LINE * line + LINE // 2
        weight = ' font-weight="bold"' if place in best else ""
        name = escape(show_name(names[place], MAX_NAME))
        yield f'<text x="{NAMES}" y="{middle + 4}" text-anchor="end"{weight}>{name}</text>'
        if figures[place].mean is not None:
            scale = Scale(low, high)
            yield from draw_mean(figures[place], scale, middle, place in best, names[place])
    yield from draw_axis(Scale(low, high), HEAD + LINE * len(names))


class Scale(NamedTuple):
    """The ends of a scale of scores."""

    low: float
    high: float

    def place(self, value: float) -> str:
        """Return where a score lies across a panel."""
        part = (value - self.low) / (self.high - self.low)
        return f"{NAMES + EDGE + part * (WIDTH - NAMES - 2 * EDGE):.1f}"


def find_ends(figures: Sequence[Figure]) -> tuple[float, float]:
    """Return the least and the greatest of all means and ends of intervals, never the same."""
    values = list[float]()
    for figure in figures:
        values += figure.interval or ()
        if figure.mean is not None:
            values.append(figure.mean)
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def find_best(comparison: SystemComparison | None) -> set[int]:
    """Return the systems that are not worse than the best beyond chance."""
    if comparison is None:
        return set()
    pairs = zip(comparison.ranked, comparison.ranking.best, strict=True)
    return {place for place, is_best in pairs if is_best}


def draw_mean(figure: Figure, scale: Scale, middle: int, is_best: bool, name: str) -> Iterator[str]:
    """Yield the point of a mean and the line of its interval."""
    assert figure.mean is not None
    label = f"{name}: {format_decimal(figure.mean, DIGITS)}"
    if figure.interval:
        first, last = map(scale.place, figure.interval)
        low, high = (format_decimal(end, DIGITS) for end in figure.interval)
        label += f" [{low}, {high}]"
        yield f'<path d="M{first} {middle}H{last}" stroke="currentColor" stroke-width="2"/>'
    fill = "currentColor" if is_best else "none"
    circle = f'<circle cx="{scale.place(figure.mean)}" cy="{middle}" r="4" fill="{fill}" stroke="currentColor" '
    yield circle + f'stroke-width="2"><title>{escape(one_line(label))}</title></circle>'


def draw_axis(scale: Scale, bottom: int) -> Iterator[str]:
    """Yield the line below a panel, with its ends and its middle."""
    first, last = scale.place(scale.low), scale.place(scale.high)
    yield f'<path d="M{first} {bottom}H{last}" stroke="currentColor" stroke-opacity="0.4"/>'
    for value in (scale.low, (scale.low + scale.high) / 2, scale.high):
        place, text = scale.place(value), format_decimal(value, DIGITS)
        yield f'<text x="{place}" y="{bottom + 13}" text-anchor="middle" font-size="10">{text}</text>'
    yield "</svg>"
