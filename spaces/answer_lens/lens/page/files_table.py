"""The rows of a scored file as a table that is sorted, filtered and leafed through, and those where scores disagree.

All that comes from a file passes through `parts.escape`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from lens.page.files_form import cut
from lens.page.files_jobs import Results, Run
from lens.page.files_rows import PAGE_ROWS, TEXT_KEYS, View, found_rows, text_of
from lens.page.html import escape
from lens.reports.contents import name_of
from lens.scoring.catalog import Series
from lens.words import say
from lens.words.formats import number

MAX_TEXT, FAR_ROWS = 160, 10


def primaries(results: Results) -> list[Series]:
    """The series that have a column."""
    return [series for series in results.tally.series if series.primary]


def texts_of(run: Run) -> list[str]:
    """The columns of texts that the file has."""
    named = run.first.roles.named()
    return [key for key in ("prediction", "reference", "question", "group", "id") if key in named]


def score_cell(results: Results, series: Series, row: int) -> str:
    """One score."""
    value = results.tally.columns[series.key][row]
    return "–" if math.isnan(value) else number(value)


def text_cell(text: str) -> str:
    """A text on one line, cut."""
    return f'<td class="ft-text" dir="auto">{cut(" ".join(text[: 4 * MAX_TEXT].split()), MAX_TEXT)}</td>'


def opener(row: int) -> str:
    """The button that opens the cards of a row."""
    label = say("ft_open_row", row=row + 1)
    return (
        f'<button type="button" class="ft-button ft-open" data-ft="open" data-row="{row}" aria-label="{label}">'
        f"{row + 1:,}</button>"
    )


def draw_far(run: Run, results: Results) -> str:
    """The rows where scores disagree most."""
    far = [(value, -row) for row, value in enumerate(results.far) if value]
    rows = [-place for _, place in sorted(far, reverse=True)[:FAR_ROWS]]
    if not rows:
        return ""
    heads = [
        say("ft_row_head"),
        say("ft_far_by"),
        *(one.title for one in primaries(results)),
        say("ft_role_prediction"),
    ]
    body = ""
    for row in rows:
        scores = "".join(f"<td>{score_cell(results, one, row)}</td>" for one in primaries(results))
        body += (
            f'<tr data-row="{row}"><th scope="row">{opener(row)}</th><td>{results.far[row] or 0:.2f}</td>'
            f"{scores}{text_cell(run.items[row].prediction)}</tr>"
        )
    titles = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads[:-1])
    titles += f'<th scope="col" class="ft-text">{escape(heads[-1])}</th>'
    return (
        f'<section class="al-overview" aria-labelledby="ft-far"><h2 id="ft-far">{say("ft_far")}</h2>'
        f'<p class="al-detail">{say("ft_far_info")}</p><div class="al-scroll ft-scroll" role="region" tabindex="0" '
        f'aria-label="{say("table_of", title=say("ft_far"))}">'
        f'<table class="al-table ft-table ft-rows"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></section>"
    )


def draw_controls(run: Run, results: Results, view: View) -> str:
    """The filters, above the table of rows."""
    text = f'<input type="search" id="ft-f-text" maxlength="500" value="{escape(view.text)}">'
    ticked = " checked" if view.unscored else ""
    ends = "".join(draw_end(name, end) for name, end in (("low", view.low), ("high", view.high)))
    return (
        f'<section class="al-overview" aria-labelledby="ft-rows-head"><h2 id="ft-rows-head">{say("ft_rows_head")}</h2>'
        f'<p class="al-detail">{say("ft_rows_info")}</p><form class="ft-filter" data-ft="filter">'
        f"{field('text', text)}{draw_group_choice(run, view)}{draw_series_choice(results, view)}{ends}"
        f'<div class="ft-tick"><input type="checkbox" id="ft-f-unscored"{ticked}>'
        f'<label for="ft-f-unscored">{say("ft_f_unscored")}</label></div><div class="ft-buttons">'
        f'<button type="submit" class="ft-button">{say("ft_filter")}</button>'
        f'<button type="button" class="ft-button" data-ft="unfilter">{say("ft_unfilter")}</button></div></form>'
        "</section>"
    )


def draw_end(name: str, end: float | None) -> str:
    """The field for one end of a range of scores."""
    value = "" if end is None else f"{end:g}"
    return field(name, f'<input type="text" inputmode="decimal" id="ft-f-{name}" value="{value}">')


def draw_group_choice(run: Run, view: View) -> str:
    """The choice of a group, where there are groups."""
    if not run.first.roll.column:
        return ""
    groups = [(str(place), name_of(name), place == view.group) for name, place in run.first.roll.groups.items()]
    return field("group", draw_options("group", say("ft_all"), groups))


def draw_series_choice(results: Results, view: View) -> str:
    """The choice of a metric whose scores are to lie in a range."""
    series = [(one.key, one.title, one.key == view.series) for one in results.tally.series]
    return field("series", draw_options("series", say("ft_none"), series))


def draw_options(name: str, none: str, options: Sequence[tuple[str, str, bool]]) -> str:
    """A field to choose from: value, what is shown, whether it is chosen."""
    drawn = "".join(
        f'<option value="{value}"{" selected" if chosen else ""}>{cut(shown, 60)}</option>'
        for value, shown, chosen in options
    )
    return f'<select id="ft-f-{name}"><option value="">{none}</option>{drawn}</select>'


def field(name: str, control: str) -> str:
    """One filter with its label."""
    return f'<div class="ft-field"><label for="ft-f-{name}">{say(f"ft_f_{name}")}</label>{control}</div>'


def draw_rows(run: Run, results: Results, view: View) -> str:
    """One page of the rows that a view asks for."""
    rows = found_rows(run, results, view)
    pages = max(1, -(-len(rows) // PAGE_ROWS))
    page = min(view.page, pages - 1)
    shown = rows[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]
    heads = [("row", say("ft_row_head")), *((series.key, series.title) for series in primaries(results))]
    heads += [(key, say(f"ft_role_{key}")) for key in texts_of(run)]
    titles = "".join(draw_head(key, title, view) for key, title in heads)
    body = "".join(draw_row(run, results, row) for row in shown)
    count = say("ft_shown", first=page * PAGE_ROWS + 1 if rows else 0, last=page * PAGE_ROWS + len(shown),
                found=len(rows), rows=len(run.items))  # fmt: skip
    count = count if rows else say("ft_none_found", rows=len(run.items))
    ignored = f'<p class="al-sentence al-refused" role="status">{say(view.trouble)}</p>' if view.trouble else ""
    return (
        f'<div class="al-overview ft-listing" data-page="{page}">{ignored}'
        f'<p class="al-detail" role="status">{count}</p><div class="al-scroll ft-scroll" role="region" tabindex="0" '
        f'aria-label="{say("table_of", title=say("ft_rows_head"))}">'
        f'<table class="al-table ft-table ft-rows"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{draw_pages(page, pages)}</div>"
    )


def draw_head(key: str, title: str, view: View) -> str:
    """The head of a column, a button that sorts by it."""
    order = ("descending" if view.down else "ascending") if view.sort == key else "none"
    mark = {"ascending": "▲", "descending": "▼", "none": ""}[order]
    kind = ' class="ft-text"' if key in TEXT_KEYS[1:] else ""
    return (
        f'<th scope="col"{kind} aria-sort="{order}">'
        f'<button type="button" class="ft-sort" data-ft="sort" data-key="{key}">'
        f'{escape(title)}<span aria-hidden="true">{mark}</span></button></th>'
    )


def draw_row(run: Run, results: Results, row: int) -> str:
    """One row of the table."""
    item = run.items[row]
    cells = "".join(text_cell(text_of(getattr(item, key))) for key in texts_of(run))
    scores = "".join(f"<td>{score_cell(results, series, row)}</td>" for series in primaries(results))
    return f'<tr data-row="{row}"><th scope="row">{opener(row)}</th>{scores}{cells}</tr>'


def draw_pages(page: int, pages: int) -> str:
    """The buttons that leaf through the pages."""
    if pages == 1:
        return ""

    def button(key: str, target: int, off: bool) -> str:
        disabled = " disabled" if off else ""
        return (
            f'<button type="button" class="ft-button" data-ft="page" data-page="{target}"{disabled}>{say(key)}</button>'
        )

    steps: Sequence[tuple[str, int, bool]] = [
        ("ft_first", 0, page == 0),
        ("ft_before", page - 1, page == 0),
        ("ft_next", page + 1, page == pages - 1),
        ("ft_last", pages - 1, page == pages - 1),
    ]
    drawn = [button(*step) for step in steps]
    where = f'<span class="al-detail">{say("ft_page", page=page + 1, pages=pages)}</span>'
    return f'<nav class="ft-pages" aria-label="{say("ft_pages")}">{"".join(drawn[:2])}{where}{"".join(drawn[2:])}</nav>'
