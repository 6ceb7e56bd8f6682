"""The part of the tab "Files" for reading a sample of answers.

The user's verdicts are joined with the scores of all rows. They are stored only for the page, like
the scored rows, and the user can keep them as a file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from lens.page.files.file_scoring import FileScoring
from lens.page.files.sample_reading import (
    MAX_COUNT,
    USUAL_COUNT,
    SampleReading,
    begin_reading,
    go_back,
    resume_reading,
    take_verdict,
)
from lens.page.files.sample_views import compare_readers, show_reading, update_buttons
from lens.page.html import escape
from lens.page.tab import FILE_TYPES, PRIVATE, READING, Tab, Updates, html
from lens.study.annotations import METHODS, UNIFORM, list_methods
from lens.tables.verdict_words import VERDICT_KEYS
from lens.words import say

# Scrolls to the first answer and its buttons after a sample is drawn.
SHOW_ANSWER = "() => { document.querySelector('#rd-panel')?.scrollIntoView({block: 'start'}); }"
QUICK = {"show_progress": "hidden"}


def list_method_choices(methods: Sequence[str]) -> list[tuple[str, str]]:
    """Return methods of drawing questions as choices."""
    choices = []
    for method in methods:
        label = say(f"reading.{method}")
        choices.append((label, method))
    return choices


def offer_sample(run: FileScoring) -> Updates:
    """Return the updates that offer samples of new results, and hide an earlier sample."""
    methods = list_methods(run.verdicts)
    # The second method is better than the uniform one, if it can be used.
    default_method = methods[1] if len(methods) > 1 else methods[0]
    updates: Updates = {
        "way": gr.update(choices=list_method_choices(methods), value=default_method),
        "reading": None,
        "panel": gr.update(visible=False),
        "found": "",
        "comparison": "",
    }
    for key in VERDICT_KEYS.values():
        updates[f"rd_{key}"] = gr.update(interactive=True)
    return updates


def build_sample(language: str, scored: gr.State) -> dict[str, Any]:
    """Build this part of the tab, and return its fields.

    Args:
        language: the language of the page.
        scored: the state with the scored study.
    """
    gr.Markdown(f"## {say('reading.head')}\n{say('reading.info')}", container=False)
    tab = Tab("read", language, lambda text: {"answer": escape(text)})
    parts = tab.parts
    parts |= {"reading": gr.State(None), "scored": scored}
    fields = build_way(parts)
    with gr.Column(visible=False, elem_id="rd-panel") as parts["panel"]:
        parts["answer"] = html("", elem_id="rd-answer")
        with gr.Row(elem_id="rd-buttons"):
            build_verdict_buttons(parts)
        fields["show"] = gr.Checkbox(False, label=say("reading.show"), elem_id="rd-show")
        parts["found"] = html("", elem_id="rd-found")
        with gr.Accordion(say("reading.files"), open=False):
            fields |= build_verdict_files(parts)
    connect_sample(tab, fields)
    del parts["scored"]
    return parts


def build_way(parts: Updates) -> dict[str, Any]:
    """Build the choices before reading: the number of questions and the method of drawing."""
    with gr.Row():
        count = gr.Number(
            USUAL_COUNT,
            label=say("reading.rows"),
            precision=0,
            minimum=1,
            maximum=MAX_COUNT,
            min_width=120,
            elem_id="rd-rows",
        )
        parts["way"] = gr.Dropdown(
            list_method_choices(METHODS[:1]),
            value=UNIFORM,
            label=say("reading.way"),
            min_width=160,
            elem_id="rd-way",
        )
        begin = gr.Button(
            say("reading.begin"), variant="primary", min_width=120, elem_id="rd-begin"
        )
    return {"count": count, "begin": begin}


def build_verdict_buttons(parts: Updates) -> None:
    """Build a button for each verdict, and one to go back; each has a key."""
    for key in (*VERDICT_KEYS.values(), "b"):
        title = say(f"reading.{key}")
        label = f"{title} ({key.upper()})"
        parts[f"rd_{key}"] = gr.Button(label, min_width=90, elem_id=f"rd-{key}")


def build_verdict_files(parts: Updates) -> dict[str, Any]:
    """Build the fields for existing verdicts: of a file, of a column, of another reader."""
    gr.Markdown(say("reading.files_info"), container=False)
    files: dict[str, Any] = {"file_types": FILE_TYPES, "height": 110}
    mine = gr.File(label=say("reading.mine"), elem_id="rd-mine", **files)
    column = gr.Button(say("reading.column"), size="sm", elem_id="rd-column")
    theirs = gr.File(label=say("reading.theirs"), elem_id="rd-theirs", **files)
    parts["comparison"] = html("", elem_id="rd-kappa")
    return {"mine": mine, "column": column, "theirs": theirs}


def connect_sample(tab: Tab, fields: dict[str, Any]) -> None:
    """Connect the buttons and keys that change the sample."""
    parts = tab.parts
    sample = [parts["reading"], parts["scored"], fields["show"]]
    drawn = [*sample, fields["count"], parts["way"]]
    outputs = dict(parts)
    del outputs["scored"]

    def connect(event: Any, change: Callable[..., Any], inputs: Any, **options: Any) -> Any:
        """Connect an event that changes the sample, and show the changed sample.

        Args:
            event: the event.
            change: returns the new sample, given the sample, the run and further values.
            inputs: the fields of the sample, of the run, of showing scores, and of further values.
            options: further options of Gradio.
        """

        def change_sample(
            reading: SampleReading | None, run: FileScoring | None, shows_scores: bool, *values: Any
        ) -> Updates:
            changed = change(reading, run, *values)
            updates = show_reading(changed, run, shows_scores)
            updates |= update_buttons(changed, reading)
            return updates

        shown = list(outputs.values())
        return tab.connect(event, change_sample, inputs, outputs=shown, **options)

    # A new sample keeps the verdicts so far.
    begun = connect(fields["begin"].click, draw_new_sample, drawn, **QUICK)
    begun.then(None, js=SHOW_ANSWER, **PRIVATE)
    for verdict, key in VERDICT_KEYS.items():
        take = functools.partial(take_verdict, verdict=verdict)
        connect(parts[f"rd_{key}"].click, take, sample, **QUICK)
    connect(parts["rd_b"].click, lambda reading, run: go_back(reading), sample, **QUICK)
    connect(fields["show"].input, lambda reading, run: reading, sample, **QUICK)
    connect(fields["column"].click, resume_sample, drawn, **QUICK)
    own_file = [*drawn, fields["mine"]]
    connect(fields["mine"].upload, resume_sample, own_file, lane=READING)
    other_file = [parts["reading"], parts["scored"], fields["theirs"]]
    tab.connect(
        fields["theirs"].upload,
        compare_readers,
        other_file,
        lambda text: {"comparison": escape(text)},
        outputs=parts["comparison"],
        lane=READING,
    )


def draw_new_sample(
    reading: SampleReading | None,
    run: FileScoring | None,
    count: Any,
    method: str,
) -> SampleReading | None:
    """Return a sample of another size or method, with the verdicts so far."""
    verdicts = reading.verdicts if reading else {}
    return begin_reading(run, count, method, verdicts)


def resume_sample(
    reading: SampleReading | None,
    run: FileScoring | None,
    count: Any,
    method: str,
    path: str | None = None,
) -> SampleReading | None:
    """Return a sample with the verdicts of a file, or of a column of the table."""
    return resume_reading(run, count, method, path)
