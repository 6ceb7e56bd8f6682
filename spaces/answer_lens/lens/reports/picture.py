"""The picture of several systems: for each metric their means as points with 95% intervals, best first, as SVG.

Lines and texts have the colour of what is around them, so that it fits a dark page and a white one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from lens.reports.contents import decimal, digits, ordered, primary
from lens.words import say
from lens.words.printed import name_of, one_line

if TYPE_CHECKING:
    from lens.scoring.table_scores import Figure
    from lens.study.results import Summary, SystemComparison

# Of a panel, in the units of its box: width, the room for names, lines, head and axis; panels beside each other.
WIDTH, NAMES, LINE, HEAD, AXIS, EDGE = 262, 98, 21, 24, 22, 15
BESIDE = 3
MAX_NAME = 14


def picture(summaries: Sequence[Summary], standings: Sequence[SystemComparison], names: Sequence[str]) -> str:
    """All panels in one file."""
    found, high = panels(summaries, standings, names), height(names)
    rows = -(-len(found) // BESIDE)
    placed = [
        one.replace("<svg ", f'<svg x="{at % BESIDE * WIDTH}" y="{at // BESIDE * high}" ', 1)
        for at, one in enumerate(found)
    ]
    wide = WIDTH * min(BESIDE, len(found))
    return "\n".join([begun(wide, high * rows, say("f_report_picture")), *placed, "</svg>\n"])


def panels(summaries: Sequence[Summary], standings: Sequence[SystemComparison], names: Sequence[str]) -> list[str]:
    """A panel for the main series of each metric."""
    shown, main = {one.series.key: one for one in standings}, primary(summaries[0])
    with digits(3):
        return [
            "\n".join(panel([one.figures[place] for one in summaries], shown.get(figure.series.key), names))
            for place, figure in enumerate(summaries[0].figures)
            if figure.series in main
        ]


def height(names: Sequence[str]) -> int:
    """How high a panel is."""
    return HEAD + LINE * len(names) + AXIS


def begun(wide: int, high: int, label: str) -> str:
    """The beginning of a picture of this size."""
    box = (
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" aria-label={quoteattr(one_line(label))}'
    )
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style}>'


def panel(figures: Sequence[Figure], standing: SystemComparison | None, names: Sequence[str]) -> Iterator[str]:
    """One metric: a line for each system, filled where it is not worse than the best beyond chance, and the axis."""
    ends = [end for one in figures for end in (*(one.interval or ()), one.mean) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    low, high = (low - 0.5, high + 0.5) if low == high else (low, high)

    def across(value: float) -> str:
        return f"{NAMES + EDGE + (value - low) / (high - low) * (WIDTH - NAMES - 2 * EDGE):.1f}"

    ranked = () if standing is None else zip(standing.ranked, standing.ranking.best, strict=True)
    best, title = {place for place, leads in ranked if leads}, figures[0].series.title
    yield begun(WIDTH, height(names), title)
    yield f'<text x="0" y="14" font-weight="bold">{escape(title)}</text>'
    for line, place in enumerate(ordered(standing, len(names))):
        middle, figure = HEAD + LINE * line + LINE // 2, figures[place]
        weight = ' font-weight="bold"' if place in best else ""
        name = escape(name_of(names[place], MAX_NAME))
        yield f'<text x="{NAMES}" y="{middle + 4}" text-anchor="end"{weight}>{name}</text>'
        if figure.mean is None:
            continue
        told = f"{names[place]}: {decimal(figure.mean)}"
        if figure.interval:
            first, last = map(across, figure.interval)
            told += f" [{decimal(figure.interval[0])}, {decimal(figure.interval[1])}]"
            yield f'<path d="M{first} {middle}H{last}" stroke="currentColor" stroke-width="2"/>'
        inside = "currentColor" if place in best else "none"
        yield (f'<circle cx="{across(figure.mean)}" cy="{middle}" r="4" fill="{inside}" stroke="currentColor" '
               f'stroke-width="2"><title>{escape(one_line(told))}</title></circle>')  # fmt: skip
    bottom = HEAD + LINE * len(names)
    yield f'<path d="M{across(low)} {bottom}H{across(high)}" stroke="currentColor" stroke-opacity="0.4"/>'
    for value in (low, (low + high) / 2, high):
        yield f'<text x="{across(value)}" y="{bottom + 13}" text-anchor="middle" font-size="10">{decimal(value)}</text>'
    yield "</svg>"
