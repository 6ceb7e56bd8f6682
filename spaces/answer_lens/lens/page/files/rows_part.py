"""The part of the tab "Files" with the table of rows and the cards of one row."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

import gradio as gr

from lens.page.files import opened_row
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_form import hide_part, list_places
from lens.page.files.row_table import (
    ALL,
    BY_VERDICTS,
    CHANGED,
    FILE_ORDER,
    FILTERS,
    FILTERS_OF_SYSTEMS,
    ORDERS,
    ROWS_SHOWN,
    RowChoice,
    draw_rows,
    list_marking_scores,
)
from lens.page.files.sample_reading import list_system_verdicts
from lens.page.html import escape
from lens.page.tab import LOOKING, PRIVATE, Tab, Updates, html
from lens.tables.cells import parse_integer
from lens.words import say

# The fields of the choices for the table of rows.
ROW_CHOICES = ("marks_by", "show_rows", "before", "after", "search", "order", "row_count")
MORE_ROWS = f"(count) => count + {ROWS_SHOWN}"
# The event has the number of the row whose button was pressed.
ROW_BUTTONS = """element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-row]');
  if (button) trigger('select', {row: Number(button.dataset.row)});
})"""
SHOW_ROW = (
    "() => { document.querySelector('#ft-opened-head')?.scrollIntoView({block: 'nearest'}); }"
)


def build_rows() -> Updates:
    """Build the table of rows with its choices, and the part for the cards of one row."""
    parts: Updates = {}
    with gr.Row(elem_classes="ft-step"):
        parts["show_rows"] = gr.Dropdown(
            [], label=say("rows.show"), min_width=150, elem_id="ft-show"
        )
        parts["marks_by"] = gr.Dropdown(
            [], label=say("rows.marks_by"), min_width=150, elem_id="ft-marks-by"
        )
        orders = [(say(f"rows.order_{name}"), name) for name in ORDERS]
        parts["order"] = gr.Dropdown(
            orders, label=say("rows.order"), min_width=150, elem_id="ft-order"
        )
        parts["search"] = gr.Textbox(
            label=say("rows.search"),
            max_lines=1,
            min_width=150,
            elem_id="ft-search",
        )
    with gr.Row(visible=False, elem_classes="ft-step") as parts["systems"]:
        parts["before"] = gr.Dropdown(
            [], label=say("rows.before"), min_width=150, elem_id="ft-before"
        )
        parts["after"] = gr.Dropdown([], label=say("rows.after"), min_width=150, elem_id="ft-after")
    parts["rows"] = html("", js_on_load=ROW_BUTTONS, elem_id="ft-rows")
    with gr.Row():
        parts["row_count"] = gr.Number(ROWS_SHOWN, precision=0, visible=False)
        parts["more_rows"] = gr.Button(
            say("rows.more"),
            size="sm",
            scale=0,
            min_width=160,
            elem_id="ft-more",
        )
    parts["row"] = gr.Number(
        1,
        label=say("files_tab.open_row"),
        precision=0,
        minimum=1,
        elem_id="ft-row",
    )
    parts["cards"] = html("", js_on_load=None, elem_id="ft-cards")
    return parts


def connect_rows(tab: Tab) -> None:
    """Connect the choices with the table of rows, and its buttons with the cards of a row."""
    parts = tab.parts
    choices = [parts[name] for name in ("marks_by", "show_rows", "before", "after", "order")]
    inputs = {name: parts[name] for name in ("scored", "reading", *ROW_CHOICES)}
    shows: dict[str, Any] = {
        "outputs": [parts["status"], parts["rows"], parts["systems"]],
        "refusal": lambda text: {"status": escape(text)},
        "lane": LOOKING,
        "trigger_mode": "always_last",
        "show_progress": "hidden",
    }
    # After another choice, the table begins with the first rows again.
    events = [*(field.input for field in choices), parts["search"].submit]
    gr.on(events, None, None, parts["row_count"], js=f"() => {ROWS_SHOWN}", **PRIVATE)
    tab.connect([parts["part_rows"].select, *events], show_rows, inputs, **shows)
    more = parts["more_rows"].click(
        None, parts["row_count"], parts["row_count"], js=MORE_ROWS, **PRIVATE
    )
    tab.connect(more.then, show_rows, inputs, **shows)
    newest: dict[str, Any] = {
        "lane": LOOKING,
        "outputs": parts["cards"],
        "refusal": lambda text: {"cards": escape(text)},
        "trigger_mode": "always_last",
    }
    for opened in (
        tab.connect(parts["rows"].select, open_selected, parts["scored"], **newest),
        tab.connect(parts["row"].submit, open_row, [parts["scored"], parts["row"]], **newest),
    ):
        opened.then(None, js=SHOW_ROW, **PRIVATE)


def offer_rows(run: FileScoring) -> Updates:
    """Return the updates that offer choices for the table of rows, without rows."""
    scores = [(series.title, series.key) for series in list_marking_scores(run)]
    _, first_score = scores[0]
    filters = []
    for name in FILTERS:
        if run.names or name not in FILTERS_OF_SYSTEMS:
            filters.append((say(f"rows.show_{name}"), name))
    systems = list_places(run.short_names)
    updates: Updates = {
        "rows": "",
        "marks_by": gr.update(
            choices=[*scores, (say("rows.verdicts"), BY_VERDICTS)], value=first_score
        ),
        "show_rows": gr.update(choices=filters, value=ALL),
        "order": FILE_ORDER,
        "search": "",
        "row_count": ROWS_SHOWN,
        "systems": hide_part(),
    }
    if run.names:
        updates |= {
            "before": gr.update(choices=systems, value="0"),
            "after": gr.update(choices=systems, value="1"),
        }
    return updates


def show_rows(values: Mapping[str, Any]) -> Updates:
    """Return the updates that show the chosen rows, with the verdicts so far.

    Args:
        values: the run, the sample, and the values of ROW_CHOICES, by name.
    """
    run: FileScoring | None = values["scored"]
    if run is None:
        return {}
    count = values["row_count"]
    choice = RowChoice(
        marks_by=values["marks_by"],
        show=values["show_rows"],
        before=find_system(run, values["before"], 0),
        after=find_system(run, values["after"], 1),
        search=values["search"] or "",
        order=values["order"],
        count=count if isinstance(count, int) else ROWS_SHOWN,
    )
    is_pair = choice.show == CHANGED and bool(run.names)
    verdicts = list_system_verdicts(run, values["reading"])
    return {"rows": draw_rows(run, choice, verdicts), "systems": gr.update(visible=is_pair)}


def find_system(run: FileScoring, place: Any, default: int) -> int:
    """Return the number of the chosen system; `default` if none is chosen."""
    if not isinstance(place, str) or not run.names:
        return default
    number = parse_integer(place, len(run.names) - 1)
    return default if number is None else number


async def open_row(run: FileScoring | None, number: Any) -> AsyncGenerator[Updates, None]:
    """Yield the cards of a row by its number."""
    if run is None:
        yield {"cards": escape(say("files_tab.gone"))}
    elif isinstance(number, int) and 0 < number <= run.study.questions:
        yield {"cards": await opened_row.draw_row(run, number - 1)}
    else:
        yield {"cards": ""}


async def open_selected(
    run: FileScoring | None, event: gr.EventData
) -> AsyncGenerator[Updates, None]:
    """Yield the cards of the row whose button was pressed in the table."""
    async for step in open_row(run, event.row):
        yield step
