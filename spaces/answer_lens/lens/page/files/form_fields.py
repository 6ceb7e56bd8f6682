"""Builds the fields of the tab "Files", step by step: files, columns, metrics, Start."""

from __future__ import annotations

import json
from collections.abc import Sequence

import gradio as gr

from lens import DATA
from lens.page.answer.answer_form import build_multi_reference
from lens.page.html import part
from lens.page.tab import FILE_TYPES, Updates, html
from lens.scoring.catalog import METRICS, MULTI_REFERENCE
from lens.tables.final_marks import BOXED, MARKERS
from lens.tables.roles import (
    COLUMN_ROLES,
    MULTI_COLUMN_ROLES,
    REASONING,
    REFERENCE_USES,
    SCORED_EMPTY,
    ReadingOptions,
)
from lens.tables.text_files import ENCODINGS
from lens.tables.untrusted import MAX_BYTES, MAX_COLUMNS, MAX_ROWS
from lens.words import say

EXAMPLE = DATA / "examples" / "made_up_files.csv"
# The columns of most studies. The other columns are in a part that opens with a click.
MAIN_COLUMNS = ("prediction", "reference", "question", "id")
FURTHER_COLUMNS = (*(role for role in COLUMN_ROLES if role not in MAIN_COLUMNS), "judges")
# Makes screen readers read the status line, and names the button that adds files. Gradio nests
# another button in that button, which screen readers would read, too.
STATUS_SCRIPT = """
element.setAttribute('role', 'status');
const name_button = () => {
  const add = document.querySelector('#ft-file button:has(button)');
  const inner = add?.querySelector('button');
  if (!inner || inner.disabled) return;
  inner.disabled = true;
  for (const attribute of ['aria-label', 'title']) add.setAttribute(attribute, ADD_FILES);
  add.onclick = (event) => event.target.matches('input') || add.querySelector('input')?.click();
};
new MutationObserver(name_button).observe(document.body, {subtree: true, childList: true});
"""


def build_form() -> Updates:
    """Build the four steps: files, columns, metrics, and Start with the status."""
    with gr.Column(elem_classes="ft-steps"):
        parts = build_file_step()
        with gr.Column(visible=False, elem_id="ft-form") as parts["form"]:
            parts |= build_column_step()
            titles = [(metric.title, metric.name) for metric in METRICS]
            parts["metrics"] = gr.CheckboxGroup(
                titles, label=say("files_tab.step_metrics"), elem_id="ft-metrics"
            )
            parts["unsure"] = gr.Checkbox(
                False,
                label=say("files_tab.unsure"),
                info=say("files_tab.unsure_info"),
                visible=False,
                elem_id="ft-unsure",
            )
        with gr.Row(elem_classes="ft-go"):
            parts["go"] = gr.Button(
                say("files_tab.start"),
                variant="primary",
                scale=0,
                min_width=110,
                elem_id="ft-start",
            )
            parts["cancel"] = gr.Button(
                say("page.cancel"), scale=0, min_width=90, elem_id="ft-cancel"
            )
            script = STATUS_SCRIPT.replace("ADD_FILES", json.dumps(say("files_tab.add")))
            parts["status"] = gr.HTML(
                say("judge_check.start"), js_on_load=script, elem_id="ft-status"
            )
    return parts


def build_file_step() -> Updates:
    """Build the field for files, the example, and the description of files."""
    parts: Updates = {}
    with gr.Row(elem_classes="ft-step"):
        parts["file"] = gr.File(
            file_count="multiple",
            file_types=FILE_TYPES,
            label=say("files_tab.step_files"),
            height=110,
            scale=3,
            min_width=280,
            elem_id="ft-file",
        )
        with gr.Column(scale=2, min_width=280, elem_classes="ft-example"):
            with gr.Row():
                parts["example"] = gr.Button(
                    say("page.try_example"), size="sm", min_width=120, elem_id="ft-try"
                )
                gr.DownloadButton(say("page.get_example"), EXAMPLE, size="sm", min_width=120)
            limits = say(
                "files_tab.file_info",
                size=MAX_BYTES // 1_000_000,
                rows=MAX_ROWS,
                columns=MAX_COLUMNS,
            )
            html(part("about_files", say("files_tab.info"), say("files_tab.kinds"), limits))
    encodings = [("UTF-8", ""), *((name, name) for name in ENCODINGS)]
    labels = {"label": say("files_tab.encoding"), "info": say("files_tab.encoding_info")}
    parts["encoding"] = gr.Dropdown(
        encodings, value="", visible=False, elem_id="ft-encoding", **labels
    )
    return parts


def build_column_step() -> Updates:
    """Build the choices of columns and of reading cells.

    Choices that are seldom changed are in a part that opens with a click.
    """
    html(part("step", say("files_tab.step_columns")))
    labels = {"label": say("files_tab.filter"), "info": say("files_tab.filter_info")}
    parts: Updates = {"filter": gr.Dropdown([], visible=False, elem_id="ft-filter", **labels)}
    with gr.Row(elem_classes="ft-step"):
        parts |= build_columns(MAIN_COLUMNS)
    parts |= build_questions()
    with gr.Accordion(say("files_tab.further_columns"), open=False, elem_id="ft-further") as parts[
        "further"
    ]:
        with gr.Row():
            parts |= build_columns(FURTHER_COLUMNS)
        with gr.Row():
            parts |= build_further_choices()
    return parts


def build_columns(roles: Sequence[str]) -> Updates:
    """Build the field for the column of each role."""
    columns: Updates = {}
    for role in roles:
        options = {"multiselect": True} if role in MULTI_COLUMN_ROLES else {}
        label = say(f"role.{role}").capitalize()
        columns[role] = gr.Dropdown([], label=label, min_width=150, elem_id=f"ft-{role}", **options)
    return columns


def build_questions() -> Updates:
    """Build the choices for empty cells, several references and thinking."""
    parts: Updates = {"split": gr.Button(visible=False, size="sm", elem_id="ft-split")}
    choices: dict[str, tuple[Sequence[str], str]] = {
        "references": (REFERENCE_USES, ReadingOptions.references),
        "reasoning": (tuple(REASONING), ReadingOptions.reasoning),
        "empty": (tuple(SCORED_EMPTY), ReadingOptions.empty),
    }
    for name, (options, value) in choices.items():
        titles = [(say(f"files_tab.{name}_{option}"), option) for option in options]
        label = say(f"files_tab.{name}")
        parts[name] = gr.Radio(
            titles,
            value=value,
            label=label,
            visible=False,
            elem_id=f"ft-{name}",
        )
    parts["reasoning_tags"] = gr.Textbox(
        label=say("files_tab.tags"),
        max_length=200,
        visible=False,
        elem_id="ft-reasoning-tags",
    )
    parts[MULTI_REFERENCE] = build_multi_reference(visible=False, elem_id="ft-multi-reference")
    return parts


def build_further_choices() -> Updates:
    """Build the choices that are seldom changed: stand-in, separator and final answers."""
    final = [
        (say("files_tab.final_whole"), ""),
        (r"\boxed{…}", BOXED),
        *((words, words) for words in MARKERS),
    ]
    return {
        "stand_in": gr.Dropdown(
            [],
            label=say("files_tab.stand_in"),
            info=say("files_tab.stand_in_info"),
            elem_id="ft-stand-in",
        ),
        "separator": gr.Textbox(
            "", label=say("files_tab.separator"), max_length=20, elem_id="ft-separator"
        ),
        "final": gr.Dropdown(
            final,
            value="",
            label=say("files_tab.final"),
            info=say("files_tab.final_info"),
            allow_custom_value=True,
            elem_id="ft-final",
        ),
    }
