"""The tab "LV-Eval": the official table for prediction files, downloads, and published models."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import gradio as gr
import pandas
from anyio.to_thread import run_sync
from markupsafe import Markup

from lens import DATA
from lens.lv_eval import export, published
from lens.lv_eval.export import WRITERS
from lens.lv_eval.official_result import AVERAGE, OfficialResult, add_averages, score_files
from lens.lv_eval.predictions import (
    MAX_BYTES,
    MAX_ROWS,
    Predictions,
    read_local_files,
    read_visitor_files,
)
from lens.lv_eval.tasks import AVERAGES, DATASETS, LENGTHS
from lens.page.files.scoring_turns import BLOCKS
from lens.page.html import part, render, rich
from lens.page.serving import uploads
from lens.page.tab import HIDDEN, SCORING, Tab, Updates, draw_message, html, show_part
from lens.reports.section import SectionText, format_section
from lens.words import say

EXAMPLE = DATA / "examples" / "lv_eval"
EXAMPLE_ZIP = "made_up_lv_eval"
EVERY = "every"
# Colours that are visible on a light and on a dark background.
COLOURS = dict(zip(AVERAGES, ("#0d9488", "#d97706", "#6366f1"), strict=True))
PROGRESS = gr.Progress()
# The updates after every run, whether it was completed or not.
AFTER_RUN: Updates = {"files": None, "cancel": gr.update(interactive=False)}


def build(language: str) -> None:
    """Build the whole tab in one language."""
    tab = Tab("lv_eval", language, lambda text: AFTER_RUN | {"shown": draw_message(text)})
    parts = tab.parts
    parts["held"] = gr.State(None)
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            parts["files"], example, parts["cancel"] = build_lv_eval_form()
        with gr.Column(min_width=300, elem_classes="al-main lv-main"):
            parts["shown"] = html(draw_message(say("judge_check.start")), elem_id="lv-results")
            with gr.Column(elem_classes=[HIDDEN]) as parts["details"]:
                parts |= build_details()
    event: dict[str, Any] = {"work": score, "show_progress_on": parts["shown"], "lane": SCORING}
    running = [
        tab.connect(parts["files"].upload, inputs=parts["files"], **event),
        tab.connect(example.click, **event),
    ]
    stopped = [parts[name] for name in ("shown", "cancel", "files")]
    tab.connect(
        parts["cancel"].click,
        lambda: AFTER_RUN | {"shown": draw_message(say("page.cancelled"))},
        outputs=stopped,
        cancels=running,
    )
    comparison: dict[str, Any] = {
        "outputs": parts["comparison"],
        "refusal": lambda text: {"comparison": draw_message(text)},
        "show_progress": "hidden",
    }
    tab.connect(parts["model"].input, compare_models, [parts["held"], parts["model"]], **comparison)


def build_details() -> dict[str, Any]:
    """Build the parts below the table: downloads, plot, and comparison with published models."""
    html(
        f'<h2 class="al-small">{say("page.downloads")}</h2><p '
        f'class="al-detail">{say("page.downloads_kept")}</p>'
    )
    with gr.Row(elem_classes="lv-downloads"):
        parts = {
            form: gr.DownloadButton(f"result.{form}", size="sm", elem_id=f"lv-{form}")
            for form in WRITERS
        }
    html(f'<h2 class="al-small">{say("lv_eval.plot")}</h2>')
    choices = [(say("lv_eval.every_model"), EVERY), *((model, model) for model in published.MODELS)]
    return parts | {
        "plot": build_plot(),
        "model": gr.Dropdown(
            choices, label=say("lv_eval.compare"), filterable=False, elem_id="lv-model"
        ),
        "comparison": html(),
        "signed": gr.Textbox(label=say("report.signatures"), buttons=["copy"], elem_id="lv-signed"),
    }


async def score(
    paths: list[str] | None = None, progress: gr.Progress = PROGRESS
) -> AsyncGenerator[Updates, None]:
    """Score a visitor's files, or the example, and yield the updates of the tab."""
    progress(0, desc=say("lv_eval.reading"))
    # The text of the progress bar, for screen readers.
    spoken = f'<p class="al-unseen" role="status">{say("lv_eval.reading")}</p>'
    nothing: Updates = {"details": show_part(False), "held": None, "files": None}
    yield {**nothing, "shown": spoken, "cancel": gr.update(interactive=True)}
    is_example = paths is None
    files = read_local_files(EXAMPLE) if paths is None else await run_sync(read_uploads, paths)
    run = score_files(files)
    found = OfficialResult()
    while step := await BLOCKS.run(functools.partial(next, run, None)):
        found = step.result
        done = (step.number - 1 + step.done / step.rows) / step.files
        progress(done, desc=say("lv_eval.scoring", **step._asdict()))
        # A cancelled run stops at a `yield`.
        yield {"held": None}
    # The folder exists until Gradio has copied the files.
    with tempfile.TemporaryDirectory() as folder:
        yield AFTER_RUN | show_result(found, is_example, Path(folder))


def read_uploads(paths: list[str]) -> list[Predictions]:
    """Read a visitor's prediction files, and delete the uploads."""
    try:
        return read_visitor_files(paths)
    finally:
        for path in paths:
            uploads.delete_upload(path)


def show_result(found: OfficialResult, made_up: bool, folder: Path) -> Updates:
    """Return the updates for a complete run, and write the files for download into a folder."""
    own = say("lv_eval.yours_example" if made_up else "lv_eval.yours")
    name = "made_up_result" if made_up else "result"
    paths = {}
    for suffix, write in WRITERS.items():
        path = folder / f"{name}.{suffix}"
        path.write_text(write(found), "utf-8", newline="")
        paths[suffix] = str(path)
    lengths = {length for _, length in found.scores}
    return {
        "held": (found, own),
        "shown": draw_result(found, made_up),
        "details": show_part(True),
        "plot": gr.update(value=list_averages(found), visible=len(lengths) > 1),
        "model": EVERY,
        "comparison": draw_model_comparison(found, EVERY, own),
        "signed": gr.update(value="\n".join(found.signatures), lines=len(found.signatures)),
        **paths,
    }


def compare_models(run: tuple[OfficialResult, str] | None, chosen: str) -> Updates:
    """Return the comparison with the chosen model."""
    return {"comparison": draw_model_comparison(run[0], chosen, run[1]) if run else ""}


def build_lv_eval_form() -> tuple[gr.File, gr.Button, gr.Button]:
    """Build the form: the description, the field for files, and the buttons."""
    info = (
        f"{say('lv_eval.info')} "
        f"{say('judge_check.file_info', size=MAX_BYTES // 1_000_000, rows=MAX_ROWS)}"
    )
    name = rich("lv_eval.form_name", lengths=", ".join(LENGTHS), datasets=", ".join(DATASETS))
    html(
        part(
            "about",
            say("lv_eval.head"),
            info,
            say("lv_eval.form"),
            [name, rich("lv_eval.form_line")],
        )
    )
    kinds = [".jsonl", ".zip"]
    files = gr.File(
        label=say("lv_eval.field"),
        file_count="multiple",
        file_types=kinds,
        height=160,
        elem_id="lv-file",
    )
    example = gr.Button(say("page.try_example"), size="sm", elem_id="lv-try")
    with tempfile.TemporaryDirectory() as folder:
        archive = shutil.make_archive(f"{folder}/{EXAMPLE_ZIP}", "zip", EXAMPLE)
        gr.DownloadButton(say("page.get_example"), archive, size="sm", elem_id="lv-get-example")
    return files, example, gr.Button(say("page.cancel"), interactive=False, elem_id="lv-cancel")


def build_plot() -> gr.LinePlot:
    """Build the line plot of averages by length; the numbers are in the table."""
    colours = {export.name_dataset(name): colour for name, colour in COLOURS.items()}
    axes = {
        "x": "length",
        "y": "score",
        "color": "kind",
        "x_title": " ",
        "y_title": "%",
        "color_title": "",
    }
    looks: dict[str, Any] = {
        "color_map": colours,
        "colors_in_legend": list(colours),
        "sort": list(LENGTHS),
    }
    return gr.LinePlot(
        show_label=False, y_lim=[0, None], height=320, elem_id="lv-plot", **axes, **looks
    )


def list_averages(found: OfficialResult) -> pandas.DataFrame:
    """Return the data of the plot."""
    table = add_averages(found.table).loc[[*AVERAGES], [*LENGTHS]].rename(index=export.name_dataset)
    return (
        table.rename_axis(index="kind", columns="length")
        .stack(future_stack=True)
        .reset_index(name="score")
    )


def draw_result(found: OfficialResult, made_up: bool) -> str:
    """Return the HTML of the official table, with notes on the files."""
    official = format_section(export.describe_result(found))
    averages = [export.name_dataset(name) for name in AVERAGES]
    return render(
        "lv_eval_result.html",
        found=found,
        official=official,
        averages=averages,
        made_up=made_up,
    )


def draw_model_comparison(found: OfficialResult, model: str, own: str) -> str:
    """Return the comparison of the run with published models, in two tables.

    The first table has the overall averages. The second has, by dataset, the scores of the run and
    of one model, or the averages of all models.
    """
    scores = found.table
    tables = {own: add_averages(scores)}
    for name in published.MODELS:
        tables[name] = published.select_published_scores(name, scores)
    every = pandas.concat(tables)
    averages = every.xs(published.OVERALL, level=1)
    ranked = averages.sort_values(AVERAGE, ascending=False, kind="stable")
    heads = [say("judge.model"), *export.list_column_titles()[1:]]
    overall = SectionText("", heads, export.format_rows(ranked))
    if model == EVERY:
        # One row per model, one column per dataset.
        by_dataset = every[AVERAGE].unstack(sort=False)[DATASETS]
        heads = [say("judge.model"), *DATASETS]
        compared = SectionText(say("lv_eval.beside_all"), heads, export.format_rows(by_dataset))
    else:
        rows = pair_rows(tables[own].loc[DATASETS], tables[model].loc[DATASETS])
        compared = SectionText(say("lv_eval.beside"), export.list_column_titles(), rows)
    template_values = {
        "overall": overall,
        "compared": compared,
        "own": own,
        "source": published.SOURCE,
    }
    return render(
        "lv_eval_published.html", found=found, commit=published.COMMIT[:7], **template_values
    )


def pair_rows(own: pandas.DataFrame, other: pandas.DataFrame) -> list[list[str]]:
    """Return rows whose cells have the run's score and the other model's score."""
    cell = Markup('<b>{}</b> <span class="lv-other">{}</span>')
    rows = []
    for own_row, other_row in zip(export.format_rows(own), export.format_rows(other), strict=True):
        dataset, *own_scores = own_row
        _, *other_scores = other_row
        row = [dataset]
        for own_score, other_score in zip(own_scores, other_scores, strict=True):
            row.append(cell.format(own_score, other_score))
        rows.append(row)
    return rows
