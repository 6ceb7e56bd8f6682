"""The tab "LV-Eval": prediction files in, the official table, its downloads and the published models beside it out.

What a visitor sends is deleted as soon as it is read, and files for download after an hour.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
import pandas
from anyio.to_thread import run_sync
from gradio.processing_utils import save_bytes_to_cache
from markupsafe import Markup

from lens import DATA
from lens.lv_eval import export, published
from lens.lv_eval.official_result import Official, Step, scored
from lens.lv_eval.predictions import MAX_BYTES, MAX_ROWS, BadRun, from_disk, from_visitor
from lens.lv_eval.tasks import DATASETS, LENGTHS, MULTI_HOP, SINGLE_HOP, TASKS, Metric
from lens.page.html import render
from lens.scoring.failures import note_failure
from lens.words import each_step, say, speaking

EXAMPLE = DATA / "examples" / "lv_eval"
EXAMPLE_ZIP = "made_up_lv_eval"
# Runs that are scored at a time; others wait in Gradio's queue.
RUNS = 2
FORGET_SECONDS = 3600
EVERY = "every"
# Each is seen on the page's light and its dark ground.
SERIES = {"single": (SINGLE_HOP, "#0d9488"), "multi": (MULTI_HOP, "#d97706"), "all": (DATASETS, "#6366f1")}
KINDS = {True: "gated", False: "plain", None: "rouge"}
FORMS = {"json": export.result_json, "csv": export.result_csv, "md": export.markdown, "tex": export.latex}

# Gradio's own look of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

Updates = dict[Any, Any]


def build(language: str) -> None:
    """The whole tab, in one language."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            files, example, cancel = build_form()
        with gr.Column(min_width=300, elem_classes="al-main lv-main"):
            shown = html(message(say("lv_start")), elem_id="lv-results")
            with gr.Column(visible=False) as details:
                downloads, plot = build_downloads(), build_plot()
                standings = html()
                choices = [(say("lv_every_model"), EVERY), *((model, model) for model in published.MODELS)]
                model = gr.Dropdown(choices, label=say("lv_compare"), filterable=False, elem_id="lv-model")
                compared = html()
                differs = html()
                signatures = gr.Textbox(label=say("lv_signed"), buttons=["copy"], elem_id="lv-signed")
    held = gr.State(None, time_to_live=FORGET_SECONDS)

    def result(found: Official, made_up: bool) -> Updates:
        """All that a run gives."""
        own = say("lv_yours_example" if made_up else "lv_yours")
        return {
            held: (found, own),
            shown: draw_result(found, made_up),
            details: gr.Column(visible=True),
            plot: gr.LinePlot(averages(found), visible=len({length for _, length in found.scores}) > 1),
            standings: draw_standings(found, own),
            model: EVERY,
            compared: draw_compared(found, EVERY, own),
            differs: render("lv_eval_differs.html", found=found),
            signatures: gr.Textbox("\n".join(found.signed), lines=len(found.signed)),
            **{button: saved(found, button, form, made_up) for form, button in downloads.items()},
        }

    async def steps(paths: list[str] | None, progress: gr.Progress) -> AsyncGenerator[Updates, None]:
        """What the tab shows of a visitor's files, or of the example where there are none, step by step."""
        nothing: Updates = {details: gr.Column(visible=False), held: None, files: None}
        progress(0, desc=say("lv_reading"))
        # What the bar of progress says, for those who cannot see it.
        spoken = f'<p class="al-unseen" role="status">{say("lv_reading")}</p>'
        yield {**nothing, shown: spoken, cancel: gr.Button(interactive=True)}
        last: Updates = {files: None, cancel: gr.Button(interactive=False)}
        try:
            run = scored(from_disk(EXAMPLE) if paths is None else await run_sync(received, paths))
            found = Official()
            while step := await run_sync(next, run, None):
                found = step.result
                progress((step.number - 1 + step.done / step.rows) / step.files, desc=told(step))
                yield {held: None}  # at every step a run that nobody waits for ends; what comes late changes nothing
            yield last | result(found, paths is None)
        except BadRun as error:
            yield last | {shown: message(str(error))}
        except Exception as error:  # whatever a module does: said, and never a score
            note_failure("lv_eval", error)
            yield last | {shown: message(say("lv_failed", error=type(error).__name__))}

    async def score(paths: list[str] | None = None, progress: gr.Progress = gr.Progress()) -> AsyncIterator[Updates]:  # noqa: B008
        async for step in each_step(language, steps(paths, progress)):
            yield step

    def stop() -> Updates:
        with speaking(language):
            return {shown: message(say("lv_cancelled")), cancel: gr.Button(interactive=False), files: None}

    def compare(run: tuple[Official, str] | None, chosen: str) -> str:
        with speaking(language):
            return draw_compared(run[0], chosen, run[1]) if run else ""

    everything = [held, shown, details, plot, standings, model, compared, differs, signatures, files, cancel]
    event: dict[str, Any] = {
        "fn": score,
        "outputs": [*everything, *downloads.values()],
        "show_progress_on": shown,
        "concurrency_limit": RUNS,
        "concurrency_id": "lv_eval",
        "api_visibility": "private",
    }
    running = [files.upload(inputs=files, **event), example.click(**event)]
    cancel.click(stop, None, [shown, cancel, files], cancels=running, api_visibility="private")
    model.input(compare, [held, model], compared, show_progress="hidden", api_visibility="private")


def build_form() -> tuple[gr.File, gr.Button, gr.Button]:
    """The field for the files, what must be in them, and the example to look at."""
    kinds: dict[str, list[str]] = {}
    for name, task in TASKS.items():
        kinds.setdefault(kind_of(task.metric), []).append(name)
    html(render("lv_eval_form.html", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS, lengths=LENGTHS, kinds=kinds))
    files = gr.File(
        label=say("lv_field"), file_count="multiple", file_types=[".jsonl", ".zip"], height=160, elem_id="lv-file"
    )
    example = gr.Button(say("lv_try"), size="sm", elem_id="lv-try")
    with tempfile.TemporaryDirectory() as folder:
        archive = shutil.make_archive(f"{folder}/{EXAMPLE_ZIP}", "zip", EXAMPLE)
        gr.DownloadButton(say("lv_get_example"), archive, size="sm", elem_id="lv-get-example")
    return files, example, gr.Button(say("lv_cancel"), interactive=False, elem_id="lv-cancel")


def build_downloads() -> Mapping[str, gr.DownloadButton]:
    """A button for each form of the result."""
    html(f'<h2 class="al-small">{say("lv_downloads")}</h2>')
    with gr.Row(elem_classes="lv-downloads"):
        return {
            form: gr.DownloadButton(f"result.{form} ({say(f'lv_as_{form}')})", size="sm", elem_id=f"lv-{form}")
            for form in FORMS
        }


def build_plot() -> gr.LinePlot:
    """The averages by length as lines; the numbers stand in the table."""
    colours = {say(f"lv_{name}"): colour for name, (_, colour) in SERIES.items()}
    axes = {"x": "length", "y": "score", "color": "kind", "x_title": " ", "y_title": "%", "color_title": ""}
    looks: dict[str, Any] = {"color_map": colours, "colors_in_legend": list(colours), "sort": list(LENGTHS)}
    html(f'<h2 class="al-small">{say("lv_plot")}</h2>')
    return gr.LinePlot(show_label=False, y_lim=[0, None], height=320, elem_id="lv-plot", **axes, **looks)


def averages(found: Official) -> pandas.DataFrame:
    """What the plot shows."""
    rows = [
        (length, found.average(datasets, (length,)), say(f"lv_{name}"))
        for name, (datasets, _) in SERIES.items()
        for length in LENGTHS
    ]
    return pandas.DataFrame(rows, columns=["length", "score", "kind"])


def received(paths: Sequence[str]) -> Any:
    """The prediction files that a visitor sent, which are deleted."""
    try:
        return from_visitor(paths)
    finally:
        for path in paths:
            Path(path).unlink(missing_ok=True)


def saved(found: Official, button: gr.DownloadButton, form: str, made_up: bool) -> str:
    """A form of the result as a file in Gradio's temporary folder, which is emptied after an hour."""
    name = f"{'made_up_' if made_up else ''}result.{form}"
    return save_bytes_to_cache(FORMS[form](found).encode(), name, button.GRADIO_CACHE)


def told(step: Step) -> str:
    """How far the scoring has come, in words."""
    return say("lv_scoring", number=step.number, files=step.files, name=step.name, done=step.done, rows=step.rows)


def message(text: str) -> str:
    """What stands there instead of numbers."""
    return render("message.html", title=say("lv_results"), text=text, source="")


def kind_of(metric: Metric) -> str:
    """The key of the text that names a metric."""
    return f"lv_{metric.language}_{KINDS[metric.gate]}"


def draw_result(found: Official, made_up: bool) -> str:
    """The official table, and what it rests on."""
    lines = list(export.lines(found))
    return render("lv_eval_result.html", found=found, head=export.head(), lines=lines, made_up=made_up, tasks=TASKS)


def draw_standings(found: Official, own: str) -> str:
    """The overall averages of the run and of the published models."""
    source = {"source": published.SOURCE, "commit": published.COMMIT[:7]}
    rows = named(published.standings(found, own), own)
    return render("lv_eval_published.html", found=found, rows=rows, heads=list(LENGTHS), **source)


def draw_compared(found: Official, model: str, own: str) -> str:
    """The run dataset by dataset beside one published model, or beside all."""
    if model == EVERY:
        rows = named(published.by_dataset(found, own), own)
        return render("lv_eval_compared.html", rows=rows, heads=list(DATASETS), model="")
    pair = Markup('<b>{}</b> <span class="lv-other">{}</span>').format
    beside = [
        (name, [pair(*map(export.figure, both)) for both in pairs], False)
        for name, pairs in published.beside(found, model)
    ]
    return render("lv_eval_compared.html", rows=beside, heads=list(LENGTHS), model=model)


def named(rows: Sequence[tuple[str, published.Figures]], own: str) -> list[tuple[str, list[str], bool]]:
    """Figures as text, as the template of tables takes them; the visitor's own stand out."""

    def shown(text: str, name: str) -> str:
        return Markup("<b>{}</b>").format(text) if name == own else text

    return [(shown(name, name), [shown(export.figure(one), name) for one in figures], False) for name, figures in rows]
