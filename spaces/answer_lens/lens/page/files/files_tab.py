"""The tab "Files": reads and scores the answers of systems, and shows the results.

The results have several parts. Each part is made when it is first opened.
"""

from __future__ import annotations

import asyncio
import functools
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from lens.page.answer import judge_form
from lens.page.files import read_sample
from lens.page.files.cell_questions import CELL_FIELDS, ask_about_cells, choose_separator
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_form import (
    hide_part,
    read_chosen_files,
    show_choices,
    show_example,
    show_filter,
)
from lens.page.files.files_results import (
    DOWNLOADS,
    draw_comparison,
    draw_histograms,
    draw_summary,
    write_downloads,
)
from lens.page.files.form_fields import build_form
from lens.page.files.rows_part import build_rows, connect_rows, offer_rows
from lens.page.files.sample_reading import SampleReading, list_system_verdicts
from lens.page.files.start_request import (
    FIELDS,
    describe_missing_judge,
    read_chosen_columns,
    write_send_script,
)
from lens.page.html import escape
from lens.page.tab import HIDDEN, LOOKING, PRIVATE, READING, SCORING, Tab, Updates, html, show_part
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import BY_NAME, JUDGE_NAMES, MULTI_REFERENCE
from lens.words import say
from lens.words.notes import UserError

PROGRESS = gr.Progress()
# The parts of the results, in order.
PARTS = ("summary", "compare", "rows", "read", "downloads")

# Marks the results as old, because the choices have changed.
MARK_RESULTS_OLD = "() => { document.querySelector('#ft-results')?.classList.add('al-stale'); }"
SHOW_RESULTS = """() => {
  document.querySelector('#ft-results')?.classList.remove('al-stale');
  answerLens.write_address();
  document.querySelector('#ft-results')?.scrollIntoView({behavior: 'smooth'});
}"""


def show_refusal(text: str) -> Updates:
    """Return the updates that show why a run was refused or failed."""
    return {"status": escape(text), "run": None}


async def score_files(
    values: Mapping[str, Any], progress: gr.Progress = PROGRESS
) -> AsyncGenerator[Updates, None]:
    """Score the files after Start was pressed; yield the progress, and finally the results.

    Args:
        values: the values of FIELDS and of the judge's fields, by name; columns are positions.
        progress: Gradio's progress bar.
    """
    files = values["files"]
    metrics = values["metrics"]
    stand_in = values["stand_in"]
    judge = judge_form.read_judge(values)
    yield {"scored": None, "run": None, "results": show_part(False)}
    if files is None:
        raise UserError("judge_check.no_file")
    chosen = read_chosen_columns(files.table.choices, values)
    missing_judge = describe_missing_judge(metrics, judge)
    if missing_judge:
        raise UserError("page.as_it_is", text=missing_judge)
    # `stand_in` is the position of a column, or the name of a score.
    is_score = isinstance(stand_in, str) and not chosen["stand_in"]
    score = stand_in if is_score else ""
    asks_unsure = values["unsure"] and set(metrics) & set(JUDGE_NAMES)
    thresholds = Thresholds() if asks_unsure else None
    run = await asyncio.to_thread(
        FileScoring, files.uploads, chosen, metrics, values[MULTI_REFERENCE], score, thresholds
    )
    yield {"run": run}
    async for name, done in run.steps(judge):
        status = say("files_tab.progress", title=BY_NAME[name].title, done=done, total=run.rows)
        n_done = run.chosen.index(name) + done / run.rows
        progress(n_done / len(run.chosen), desc=status)
        yield {"status": status}
    results = await asyncio.to_thread(show_results, run)
    yield {"status": say("files_tab.done"), **results}


async def show_cancelled(run: FileScoring | None) -> AsyncGenerator[Updates, None]:
    """Yield the results of the completed metrics after Cancel was pressed."""
    # No metric is completed, or the results were already being made.
    if not run or not run.metrics or run.is_finished:
        yield {"status": say("page.cancelled"), "run": None}
        return
    titles = [BY_NAME[name].title for name in run.metrics]
    joined = say("page.list_comma").join(titles)
    results = await asyncio.to_thread(show_results, run)
    yield {"status": say("files_tab.cancelled", titles=joined), **results}


def show_results(run: FileScoring) -> Updates:
    """Return the updates that show the summary; other parts are made when they are opened."""
    run.finish()
    return {
        "scored": run,
        "run": None,
        "report": draw_summary(run),
        "compared": "",
        "spread": "",
        "cards": "",
        "preview": hide_part(),
        **offer_rows(run),
        "results": show_part(True),
        "parts": gr.update(selected=PARTS[0]),
        # A button is inactive until its file is written.
        **dict.fromkeys(DOWNLOADS, gr.update(value=None, interactive=False)),
        **read_sample.offer_sample(run),
    }


def show_differences(run: FileScoring | None) -> Updates:
    """Return the comparison of systems when its part is first opened."""
    if run is None or "compare" in run.made_parts:
        return {}
    run.made_parts.add("compare")
    return {"compared": draw_comparison(run)}


def show_histograms(run: FileScoring | None) -> Updates:
    """Return the histograms of scores."""
    return {"spread": draw_histograms(run)} if run else {}


async def show_downloads(
    run: FileScoring | None, reading: SampleReading | None
) -> AsyncGenerator[Updates, None]:
    """Write the files with the verdicts so far when the downloads are opened.

    They are written again only if the verdicts have changed.
    """
    if run is None:
        return
    systems = list_system_verdicts(run, reading)
    verdicts = tuple(tuple(system.verdicts) for system in systems)
    part = f"downloads {hash(verdicts)}"
    if part in run.made_parts:
        return
    run.made_parts.add(part)
    # The folder exists until Gradio has copied the files.
    with tempfile.TemporaryDirectory() as folder:
        files = await asyncio.to_thread(write_downloads, run, Path(folder), systems)
        buttons = [gr.update(value=file, interactive=True) for file in files]
        yield dict(zip(DOWNLOADS, buttons, strict=True))


def build(language: str, judge: judge_form.JudgeFields) -> None:
    """Build the whole tab.

    Args:
        language: the language of the page.
        judge: the fields in which a judge is chosen, by name.
    """
    tab = Tab("files", language, show_refusal)
    parts = tab.parts
    parts |= {name: gr.State(None) for name in ("files", "run", "scored")}
    with gr.Column(elem_id="ft-tab"):
        parts |= build_form()
        parts |= build_results(language, parts["scored"])
    run = connect_start(tab, judge)
    connect_form(tab, run)
    connect_parts(tab)
    connect_rows(tab)


def connect_start(tab: Tab, judge: judge_form.JudgeFields) -> Any:
    """Connect Start and Cancel, and return the event of Start."""
    parts = tab.parts
    fields = {name: parts[name] for name in FIELDS}
    fields |= {judge_form.PREFIX + name: field for name, field in judge.items()}
    run = tab.connect(
        parts["go"].click,
        score_files,
        fields,
        js=write_send_script(fields),
        show_progress_on=parts["status"],
        lane=SCORING,
    )
    run.then(None, js=SHOW_RESULTS, **PRIVATE)
    stopped = tab.connect(
        parts["cancel"].click,
        lambda: {"status": say("page.cancelled")},
        outputs=[parts["status"], parts["run"]],
        cancels=run,
    )
    tab.connect(stopped.then, show_cancelled, parts["run"])
    return run


def connect_form(tab: Tab, run: Any) -> None:
    """Connect the choice of files and columns with the form.

    Args:
        tab: the tab.
        run: the event of Start, which is cancelled if other files are chosen.
    """
    parts = tab.parts
    files, file = parts["files"], parts["file"]
    reads: dict[str, Any] = {
        "lane": READING,
        "cancels": run,
        # So a file is read even if it is chosen while the previous one is being removed.
        "trigger_mode": "always_last",
        # If files are not stored any more, the field is emptied, so they can be chosen again.
        "refusal": functools.partial(show_choices, None),
    }
    file_events = [file.upload, file.clear, file.delete]
    filters = [files, parts["filter"]]
    read = [
        tab.connect(file_events, read_chosen_files, [file, files, parts["encoding"]], **reads),
        tab.connect(parts["example"].click, show_example, **reads),
        tab.connect(parts["filter"].input, show_filter, filters, **reads),
        tab.connect(parts["split"].click, choose_separator, [files, parts["reference"]]),
    ]
    columns = [parts[name] for name in ("prediction", "reference", "separator")]
    follows: dict[str, Any] = {
        "outputs": [parts[name] for name in CELL_FIELDS],
        "refusal": show_nothing,
    }
    changes_of_cells = [event.then for event in read]
    changes_of_cells += [column.input for column in columns]
    for change in changes_of_cells:
        tab.connect(change, ask_about_cells, [files, *columns], **follows)
    # If a judge is chosen, the user can let it be asked only about some rows.
    metrics, unsure = parts["metrics"], parts["unsure"]
    tab.connect(metrics.input, offer_unsure, metrics, outputs=unsure, refusal=show_nothing)
    changes = [parts[name].input for name in FIELDS if name != "files"]
    gr.on(changes, None, js=MARK_RESULTS_OLD, **PRIVATE)


def show_nothing(text: str) -> Updates:
    """Return no updates for an error message, so that the form stays unchanged."""
    return {}


def offer_unsure(metrics: Sequence[str]) -> Updates:
    """Return the update that offers to ask a judge only about unsure rows, if one is chosen."""
    has_judge = not set(metrics).isdisjoint(JUDGE_NAMES)
    return {"unsure": gr.update(visible=has_judge)}


def connect_parts(tab: Tab) -> None:
    """Connect the parts of the results, so that each is made when it is opened."""
    parts = tab.parts
    status, scored = parts["status"], parts["scored"]
    looks: dict[str, Any] = {"refusal": lambda text: {"status": escape(text)}, "lane": LOOKING}
    compared = [status, parts["compared"]]
    tab.connect(parts["part_compare"].select, show_differences, scored, outputs=compared, **looks)
    spread = [status, parts["spread"]]
    tab.connect(parts["show_spread"].click, show_histograms, scored, outputs=spread, **looks)
    downloads = [status, *(parts[name] for name in DOWNLOADS)]
    inputs = [scored, parts["reading"]]
    tab.connect(parts["part_downloads"].select, show_downloads, inputs, outputs=downloads, **looks)


def build_results(language: str, scored: gr.State) -> Updates:
    """Build the parts that show the first rows and the results."""
    preview = gr.Dataframe(
        label=say("files_tab.first_rows"),
        visible=False,
        interactive=False,
        buttons=[],
        elem_id="ft-preview",
    )
    tabs: dict[str, Any] = {}

    def build_part(name: str) -> Any:
        title = say(f"files_tab.part.{name}")
        tabs[f"part_{name}"] = gr.Tab(title, id=name, elem_id=f"ft-part-{name}")
        return tabs[f"part_{name}"]

    with gr.Column(elem_classes=[HIDDEN], elem_id="ft-results") as results:
        parts: Updates = {"results": results, "preview": preview}
        with gr.Tabs(
            selected=PARTS[0], overflow_behavior="wrap", elem_classes="al-tabs ft-parts"
        ) as parts["parts"]:
            with build_part("summary"):
                parts["report"] = html("", js_on_load=None, elem_id="ft-report")
            with build_part("compare"):
                parts["compared"] = html("", js_on_load=None, elem_id="ft-compared")
                parts["show_spread"] = gr.Button(
                    say("files_tab.show_spread"), size="sm", elem_id="ft-show-spread"
                )
                parts["spread"] = html("", js_on_load=None, elem_id="ft-spread-shown")
            with build_part("rows"):
                parts |= build_rows()
            with build_part("read"):
                parts |= read_sample.build_sample(language, scored)
            with build_part("downloads"):
                gr.Markdown(say("page.downloads_kept"), container=False)
                with gr.Row(elem_id="ft-downloads"):
                    for name in DOWNLOADS:
                        parts[name] = gr.DownloadButton(
                            name,
                            size="sm",
                            min_width=150,
                            interactive=False,
                        )
    return parts | tabs
