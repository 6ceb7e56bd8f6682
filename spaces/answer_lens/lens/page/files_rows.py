"""The rows of a scored file: which of them a visitor asks for, in which order, and as they are downloaded."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lens.page.files_held import Held
from lens.page.files_jobs import Results, Run
from lens.reports import contents
from lens.scoring.catalog import SERIES, series_of
from lens.scoring.rows import Scored
from lens.scoring.scored_columns import Layout
from lens.tables.cells import kind_of
from lens.tables.write import bytes_of
from lens.words import speaking

PAGE_ROWS = 25
MAX_VIEW, MAX_TEXT = 5_000, 500
TEXT_KEYS = ("row", "id", "question", "reference", "prediction", "group")
KEYS = (*TEXT_KEYS, *(series.key for series in SERIES))
# What can be downloaded: its name, and what kind of file it is.
DOWNLOADS = {
    "rows.csv": "text/csv; charset=utf-8",
    "rows.jsonl": "application/x-ndjson; charset=utf-8",
    "rows.parquet": "application/vnd.apache.parquet",
    "summary.md": "text/markdown; charset=utf-8",
    "summary.tex": "application/x-tex; charset=utf-8",
}


@dataclass(frozen=True)
class View:
    """What is to be seen of the rows: sorted by a key, filtered, one page. `group` is the place of one, -1 for all.
    `trouble` is the key of what there is to say of a range that cannot be looked for.
    """

    sort: str = "row"
    down: bool = False
    text: str = ""
    group: int = -1
    series: str = ""
    low: float | None = None
    high: float | None = None
    unscored: bool = False
    page: int = 0
    trouble: str = field(default="", compare=False)


def read_view(text: object) -> View:
    """A view as the page sends it; what no page sends, or what is no number, counts as not chosen."""
    try:
        given = json.loads(text) if isinstance(text, str) and len(text) <= MAX_VIEW else {}
    except (ValueError, RecursionError):
        given = {}
    given = given if isinstance(given, dict) else {}
    wrong = trouble(given)
    return View(
        sort=given["sort"] if given.get("sort") in KEYS else "row",
        down=given.get("down") is True,
        text=given["text"][:MAX_TEXT] if isinstance(given.get("text"), str) else "",
        group=whole(given.get("group"), -1),
        series=given["series"] if given.get("series") in KEYS[len(TEXT_KEYS) :] else "",
        low=None if wrong else plain_number(given.get("low")),
        high=None if wrong else plain_number(given.get("high")),
        unscored=given.get("unscored") is True,
        page=whole(given.get("page"), 0),
        trouble=wrong,
    )


def trouble(given: dict[str, Any]) -> str:
    """The key of what is wrong with the range of scores in a view; nothing where there is none, or a good one."""
    ends = [end for end in (given.get("low"), given.get("high")) if isinstance(end, str) and end.strip()]
    if any(plain_number(end) is None for end in ends):
        return "ft_no_number"
    return "ft_no_series" if ends and given.get("series") not in KEYS[len(TEXT_KEYS) :] else ""


def whole(value: object, otherwise: int) -> int:
    """A small whole number, or what stands for one."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isdecimal() and len(text) < 7 else otherwise


def plain_number(value: object) -> float | None:
    """A number that was typed, be it with a decimal comma, None where there is none."""
    try:
        number = float(value.replace(",", ".")) if isinstance(value, str) and len(value) < 40 else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def found_rows(run: Run, results: Results, view: View) -> list[int]:
    """The places of the rows that a view asks for, in its order; rows without what they are sorted by come last."""
    rows = [row for row in range(len(run.items)) if fits(run, results, view, row)]
    key = view.sort
    if key == "row":
        return rows[::-1] if view.down else rows
    if key in TEXT_KEYS:
        return sorted(rows, key=lambda row: text_of(getattr(run.items[row], key)), reverse=view.down)
    column = results.tally.columns.get(key)
    if column is None:
        return rows
    scored = [row for row in rows if not math.isnan(column[row])]
    scored.sort(key=lambda row: column[row], reverse=view.down)
    return scored + [row for row in rows if math.isnan(column[row])]


def fits(run: Run, results: Results, view: View, row: int) -> bool:
    """Whether a row passes the filters."""
    item, roll = run.items[row], run.first.roll
    if view.group >= 0 and roll.column and roll.group_of[row] != view.group:
        return False
    if view.text:
        texts = (item.question, text_of(item.reference), item.prediction)
        if not any(view.text.casefold() in text.casefold() for text in texts):
            return False
    if view.unscored and not any(row in missing for missing in results.tally.reasons.values()):
        return False
    column = results.tally.columns.get(view.series)
    if column is None or (view.low is None and view.high is None):
        return True
    low, high = (-math.inf if view.low is None else view.low), (math.inf if view.high is None else view.high)
    return low <= column[row] <= high


def text_of(cell: str | list[str]) -> str:
    """References as one text."""
    return cell if isinstance(cell, str) else " | ".join(cell)


def scored_row(run: Run, results: Results, row: int) -> dict[str, Scored]:
    """What each metric says of a row, put together again from what is held."""
    found, scores = {}, results.tally.row(row)
    for metric in run.choice.metrics:
        if metric in results.judged:
            found[metric] = results.judged[metric][row]
            continue
        values = tuple(scores[series.key] for series in series_of([metric]))
        found[metric] = Scored(values, results.tally.reasons[metric].get(row, ""))
    return found


def other_scores(results: Results, row: int) -> dict[str, float | None] | None:
    """The second system's scores of a row, where there is one."""
    return None if results.other is None else results.other.row(results.order[row])


def rows_out(held: Held, run: Run, results: Results, layout: Layout) -> Iterator[dict[str, Any]]:
    """The rows of the file with their scores."""
    columns = held.first.table.columns
    for row, cells in enumerate(zip(*columns.values(), strict=True)):
        given = dict(zip(columns, cells, strict=True))
        yield layout.row(given, scored_row(run, results, row), other_scores(results, row))


def download(held: Held, name: str, language: str) -> bytes | None:
    """The bytes of a download; None where there are no results or no such file."""
    run = held.run
    if run is None or run.results is None or name not in DOWNLOADS:
        return None
    results = run.results
    with speaking(language):
        if name == "summary.md":
            return encoded(contents.markdown(results.summary, results.differences, results.correlations))
        if name == "summary.tex":
            return encoded(contents.latex(results.summary, results.differences))
    kinds = {column: kind_of(cells) for column, cells in held.first.table.columns.items()}
    layout = Layout(kinds, run.choice.metrics, results.other is not None)
    return bytes_of(rows_out(held, run, results, layout), name.partition(".")[2], layout.names, layout.kinds)


def encoded(text: str) -> bytes:
    """A text as the bytes of a file."""
    return text.encode("utf-8", "backslashreplace")
