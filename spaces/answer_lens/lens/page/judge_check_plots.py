"""The numbers of a judge check by perturbation type, as HTML: plots, and the same as tables.

All that comes from a file passes through `parts.escape`. Bars are drawn here and not by Gradio, whose plots put
categories in an order of their own and have their labels collide at the width of a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lens.page.html import escape
from lens.words import say
from lens.words.formats import number

MAX_TYPES = 40
MAX_TYPE_NAME = 80
LARGE = 1e6

Pair = Sequence[float] | None


def signed(value: float | None) -> str:
    """A difference of scores with two digits; a dash for none. A 0.00 is exactly 0, and large ones are written short.

    >>> signed(0.5), signed(-1.25), signed(0.001), signed(-0.001), signed(0.0), signed(1e90), signed(None)
    ('0.50', '-1.25', '<0.01', '>-0.01', '0.00', '1e+90', '–')
    """
    if value is None:
        return "–"
    if abs(value) >= LARGE:
        return f"{value:.4g}"
    shown = f"{value:.2f}"
    return ("<0.01" if value > 0 else ">-0.01") if value and float(shown) == 0 else shown


def between(pair: Pair, accuracy: bool = False) -> str:
    """An interval in words; a dash for none."""
    show = number if accuracy else signed
    return say("from_to", low=show(pair[0]), high=show(pair[1])) if pair else "–"


def draw_by_type(result: Mapping[str, Any]) -> str:
    """The plots and the table of judge_bias by type; both plots on one scale."""
    types = result["by_type"][:MAX_TYPES]
    ends = [end for row in types for end in (row["interval"] or [row["mean"] or 0.0])]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    plots = "".join(
        draw_plot(
            say(f"plot_{measure}"),
            measure,
            [
                (row["perturbation_type"], row["n_scored"], row["mean"], row["interval"])
                for row in types
                if row["measure"] == measure
            ],
            (low, high if high > low else low + 1.0),
        )
        for measure in ("repr_bias", "error_sensitivity")
    )
    head = ("type", "measure_of", "scored_of", "mean", "interval")
    cells = [
        (
            row["perturbation_type"],
            say(f"short_{row['measure']}"),
            say("scored_count", scored=row["n_scored"], rows=row["n"]),
            signed(row["mean"]),
            between(row["interval"]),
        )
        for row in types
    ]
    return draw_types("bias", plots, head, cells, len(result["by_type"])) if types else ""


def draw_by_group(result: Mapping[str, Any]) -> str:
    """The plot and the table of reward_accuracy by type."""
    groups = result["by_group"][:MAX_TYPES]
    rows = [(row["group"], row["n"], row["reward_accuracy"], row["interval"]) for row in groups]
    plot = draw_plot(say("plot_reward_accuracy"), "reward_accuracy", rows, (0.0, 1.0), mark=0.5)
    head = ("type", "pairs", "ties", "mean_margin", "accuracy", "interval")
    cells = [
        (
            row["group"],
            f"{row['n']:,}",
            f"{row['ties']:,}",
            signed(row["mean_margin"]),
            number(row["reward_accuracy"]),
            between(row["interval"], accuracy=True),
        )
        for row in groups
    ]
    return draw_types("accuracy", plot, head, cells, len(result["by_group"])) if groups else ""


def draw_types(name: str, plots: str, head: Sequence[str], cells: Iterable[Sequence[str]], total: int) -> str:
    """A section by type: the plots, the same as a table, and how many types are left out."""
    more = f'<p class="al-detail">{say("more_types", count=total - MAX_TYPES)}</p>' if total > MAX_TYPES else ""
    title = say(f"types_{name}")
    table = draw_table(say("table_of", title=title), head, cells)
    return (
        f'<section class="al-overview" aria-labelledby="al-types-{name}"><h2 id="al-types-{name}">'
        f"{title}</h2>{plots}{more}{table}</section>"
    )


def draw_plot(
    title: str, measure: str, rows: Sequence[tuple[str, int, float | None, Pair]], scale: Pair, mark: float = 0.0
) -> str:
    """A bar from 0 for each type, with its interval as a line, and the number as text; a tick at `mark`."""
    drawn = "".join(
        f'<div><dt><bdi>{type_name(name)}</bdi> <span class="al-count">{say("plot_count", count=count)}</span></dt>'
        f"<dd>{whiskered(value, interval, scale or (0, 1), mark)}{said(value, interval, measure)}</dd></div>"
        for name, count, value, interval in rows
    )
    return f'<h3 class="al-small">{title}</h3><dl class="al-plot">{drawn}</dl>' if drawn else ""


def said(value: float | None, interval: Pair, measure: str) -> str:
    """A number and its interval, as text."""
    accuracy = measure == "reward_accuracy"
    shown = number(value) if accuracy else signed(value)
    pair = f' <span class="al-detail">({between(interval, accuracy)})</span>' if interval else ""
    return f'<span class="al-number">{escape(shown)}{pair}</span>'


def whiskered(value: float | None, interval: Pair, scale: Sequence[float], mark: float) -> str:
    """The bar of a value from 0, its interval as a line over it; for the eye only."""
    low, high = scale

    def at(point: float) -> float:
        return 100 * (min(max(point, low), high) - low) / (high - low)

    def piece(kind: str, first: float, last: float) -> str:
        start, end = sorted((at(first), at(last)))
        return f'<span class="al-{kind}" style="left:{start:.2f}%;width:{end - start:.2f}%"></span>'

    bar = "" if value is None else piece("fill", 0.0, value)
    line = piece("whisker", *interval) if interval else ""
    tick = f'<span class="al-tick" style="left:{at(mark):.2f}%"></span>'
    return f'<span class="al-bar" aria-hidden="true">{bar}{tick}{line}</span>'


def type_name(name: object) -> str:
    """A perturbation type for the page, breakable after an underscore."""
    text = str(name or say("no_type"))
    return escape(text if len(text) <= MAX_TYPE_NAME else text[:MAX_TYPE_NAME] + "…").replace("_", "_<wbr>")


def draw_table(label: str, head: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table behind a line to click, which scrolls in its own box where it is wider than the page."""
    titles = "".join(f'<th scope="col">{say(f"head_{name}")}</th>' for name in head)
    rows = ""
    for name, *values in cells:
        own = "".join(f"<td>{escape(value)}</td>" for value in values)
        rows += f'<tr><th scope="row"><bdi>{type_name(name)}</bdi></th>{own}</tr>'
    return (
        f'<details class="al-details"><summary>{say("as_table")}</summary><div class="al-scroll" role="region" '
        f'tabindex="0" aria-label="{escape(label)}"><table class="al-table"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )
