"""The tab "Files": its fields and its events."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import gradio as gr

from lens.page.files_calls import again, look, open_row, send, start, stop
from lens.page.files_form import draw_said
from lens.page.files_upload import EXAMPLE, MEGABYTES, example_bytes
from lens.page.worded import both, language_field, worded, worded_html
from lens.tables.visitors_file import MAX_BYTES, MAX_COLUMNS, MAX_ROWS
from lens.words import say

SCRIPT = Path(__file__).resolve().with_name("files.js")
KINDS = ".csv,.tsv,.jsonl,.ndjson,.json,.parquet"
# Calls under way, most of them answered at once; no more than app.py lets Gradio have.
CALLS = 256
# The line that is read aloud; the element stays, what is in it changes.
SPEAKING = "element.setAttribute('role', 'status'); element.setAttribute('aria-live', 'polite');"
SHOWN = '#ft-results .ft-shown:not([data-state="waiting"])'


def build_files(buttons: str, switch: gr.HTML, judge: list[Any]) -> None:
    """The whole tab. `buttons` is the JavaScript of the buttons inside cards, `switch` that of the language, `judge`
    the fields in which a judge is chosen.
    """
    with gr.Row(elem_classes="al-page", elem_id="ft-tab"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            build_fields()
            form = gr.HTML("", apply_default_css=False, js_on_load=None, elem_id="ft-form")
            with gr.Row(elem_classes="ft-start"):
                go = worded(gr.Button, {"value": "ft_start"}, variant="primary", min_width=120, elem_id="ft-start")
                cancel = worded(
                    gr.Button, {"value": "ft_cancel"}, interactive=False, min_width=100, elem_id="ft-cancel"
                )
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            status = gr.HTML("", apply_default_css=False, js_on_load=SPEAKING, elem_id="ft-status")
            results = worded_html(
                lambda: draw_said(say("ft_begin"), "waiting"), SHOWN, js_on_load=buttons, elem_id="ft-results"
            )
            rows = gr.HTML("", apply_default_css=False, js_on_load=None, elem_id="ft-rows")
            cards = gr.HTML("", apply_default_css=False, js_on_load=buttons, elem_id="ft-cards")
    connect([form, status, results, rows, cards, cancel], go, judge, switch)


def connect(outputs: list[Any], go: gr.Button, judge: list[Any], switch: gr.HTML) -> None:
    """The events of the tab; the browser's side of each is in files.js."""
    hidden = [gr.Textbox(visible="hidden", show_label=False, container=False) for _ in range(7)]
    sender, looker, opener, redrawer = (
        gr.Button(visible="hidden", elem_id=f"ft-{name}") for name in ("send", "look", "open", "again")
    )
    language = language_field()
    *_, rows, cards, cancel = outputs
    event: dict[str, Any] = {
        "show_progress": "hidden",
        # A newer call may come while an older one is answered; TURNS and LOOKS keep them apart.
        "trigger_mode": "multiple",
        "concurrency_limit": CALLS,
        "concurrency_id": "files",
        "api_visibility": "private",
    }

    def calls(name: str) -> str:
        return f"(...values) => window.answerLensFiles.{name}(values)"

    sender.click(send, [*hidden, language], outputs, js=calls("send"), **event)
    go.click(start, [*hidden[:3], *judge, language], outputs[1:], js=calls("start"), **event)
    cancel.click(stop, [hidden[0], language], None, js=calls("stop"), **event)
    looker.click(look, [*hidden[:3], language], rows, js=calls("look"), **event)
    opener.click(open_row, [*hidden[:3], language], cards, js=calls("open"), **event)
    redrawer.click(again, [*hidden[:4], language], outputs, js=calls("again"), **event)
    switch.select(js="() => { window.answerLensFiles?.switched(); }", api_visibility="private")


def build_fields() -> None:
    """The fields for the files, and the example."""
    data = base64.b64encode(example_bytes()).decode()

    def field(name: str, label: str, info: str) -> str:
        return (
            f'<div class="al-file"><label for="{name}">{both(label)}</label><input type="file" id="{name}" '
            f'accept="{KINDS}" data-limit="{MAX_BYTES}" aria-describedby="{name}-info">'
            f'<p class="al-detail" id="{name}-info">{info}</p></div>'
        )

    limits = both("ft_file_info", size=MEGABYTES, rows=MAX_ROWS, columns=MAX_COLUMNS)
    gr.HTML(
        f'<h2 class="al-small">{both("ft_head")}</h2><p class="al-detail">{both("ft_info")}</p>'
        f"{field('ft-file', 'ft_file', limits)}"
        f'<details class="al-details al-columns"><summary>{both("ft_compare")}</summary>'
        f"{field('ft-second-file', 'ft_second_file', both('ft_second_info'))}</details>"
        f'<button type="button" class="ft-button ft-try" id="ft-try" data-ft="example">{both("try_example")}</button> '
        f'<p class="al-detail">{both("ft_example_info")} <a download="{EXAMPLE.name}" '
        f'href="data:text/csv;base64,{data}">{both("get_example")}</a></p>',
        apply_default_css=False,
        js_on_load=SCRIPT.read_text(encoding="utf-8"),
        elem_id="ft-input",
    )
