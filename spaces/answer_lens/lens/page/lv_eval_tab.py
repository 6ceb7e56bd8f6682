"""The tab "LV-Eval": the official table for prediction files, downloads, and published models."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
import pandas
from anyio.to_thread import run_sync
from markupsafe import Markup

from lens import DATA
from lens.lv_eval import export, published
from lens.lv_eval.export import FORMATTERS
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
# The name of the archive with the example, without its extension.
EXAMPLE_ZIP = "made_up_lv_eval"
# The choice of all published models.
ALL_MODELS = "every"
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
            parts["files"], try_example, parts["cancel"] = build_lv_eval_form()
        with gr.Column(min_width=300, elem_classes="al-main lv-main"):
            parts["shown"] = html(draw_message(say("judge_check.start")), elem_id="lv-results")
            with gr.Column(elem_classes=[HIDDEN]) as parts["details"]:
                parts |= build_details()
    run: dict[str, Any] = {"work": score, "show_progress_on": parts["shown"], "lane": SCORING}
    runs = [
        tab.connect(parts["files"].upload, inputs=parts["files"], **run),
        tab.connect(try_example.click, **run),
    ]
    tab.connect(
        parts["cancel"].click,
        lambda: AFTER_RUN | {"shown": draw_message(say("page.cancelled"))},
        outputs=[parts["shown"], parts["cancel"], parts["files"]],
        cancels=runs,
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
    parts = {}
    with gr.Row(elem_classes="lv-downloads"):
        for extension in FORMATTERS:
            parts[extension] = gr.DownloadButton(
                f"result.{extension}", size="sm", elem_id=f"lv-{extension}"
            )
    html(f'<h2 class="al-small">{say("lv_eval.plot")}</h2>')
    choices = [(say("lv_eval.every_model"), ALL_MODELS)]
    choices += [(model, model) for model in published.MODELS]
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
    # Screen readers do not read the progress bar, so they get its text.
    spoken = f'<p class="al-unseen" role="status">{say("lv_eval.reading")}</p>'
    yield {
        "details": show_part(False),
        "held": None,
        "files": None,
        "shown": spoken,
        "cancel": gr.update(interactive=True),
    }
    is_example = paths is None
    files = read_local_files(EXAMPLE) if paths is None else await run_sync(read_uploads, paths)
    steps = score_files(files)
    result = OfficialResult()
    while step := await BLOCKS.run(functools.partial(next, steps, None)):
        result = step.result
        scored_files = step.number - 1 + step.done / step.rows
        progress(scored_files / step.files, desc=say("lv_eval.scoring", **step._asdict()))
        # A cancelled run stops at a `yield`.
        yield {"held": None}
    # The folder exists until Gradio has copied the files.
    with tempfile.TemporaryDirectory() as folder:
        yield AFTER_RUN | show_result(result, is_example, Path(folder))


def read_uploads(paths: list[str]) -> list[Predictions]:
    """Read a visitor's prediction files, and delete the uploads."""
    try:
        return read_visitor_files(paths)
    finally:
        for path in paths:
            uploads.delete_upload(path)


def show_result(result: OfficialResult, is_example: bool, folder: Path) -> Updates:
    """Return the updates for a complete run, and write the files for download into a folder."""
    run = Run(result, say("lv_eval.yours_example" if is_example else "lv_eval.yours"))
    file_name = "made_up_result" if is_example else "result"
    paths = {}
    for extension, format_file in FORMATTERS.items():
        path = folder / f"{file_name}.{extension}"
        path.write_text(format_file(result), "utf-8", newline="")
        paths[extension] = str(path)
    lengths = {length for _, length in result.scores}
    return {
        "held": run,
        "shown": draw_result(result, is_example),
        "details": show_part(True),
        "plot": gr.update(value=list_averages(result), visible=len(lengths) > 1),
        "model": ALL_MODELS,
        "comparison": draw_model_comparison(run, ALL_MODELS),
        "signed": gr.update(value="\n".join(result.signatures), lines=len(result.signatures)),
        **paths,
    }


@dataclass(frozen=True)
class Run:
    """A visitor's result, and its name in tables beside published models."""

    result: OfficialResult
    name: str


def compare_models(run: Run | None, model: str) -> Updates:
    """Return the comparison with the chosen model."""
    return {"comparison": draw_model_comparison(run, model) if run else ""}


def build_lv_eval_form() -> tuple[gr.File, gr.Button, gr.Button]:
    """Build the form: the description, the field for files, and the buttons."""
    limits = say("judge_check.file_info", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS)
    info = f"{say('lv_eval.info')} {limits}"
    file_names = rich("lv_eval.form_name", lengths=", ".join(LENGTHS), datasets=", ".join(DATASETS))
    points = [file_names, rich("lv_eval.form_line")]
    html(part("about", say("lv_eval.head"), info, say("lv_eval.form"), points))
    files = gr.File(
        label=say("lv_eval.field"),
        file_count="multiple",
        file_types=[".jsonl", ".zip"],
        height=160,
        elem_id="lv-file",
    )
    try_example = gr.Button(say("page.try_example"), size="sm", elem_id="lv-try")
    # The folder exists until Gradio has copied the archive.
    with tempfile.TemporaryDirectory() as folder:
        archive = shutil.make_archive(f"{folder}/{EXAMPLE_ZIP}", "zip", EXAMPLE)
        gr.DownloadButton(say("page.get_example"), archive, size="sm", elem_id="lv-get-example")
    cancel = gr.Button(say("page.cancel"), interactive=False, elem_id="lv-cancel")
    return files, try_example, cancel


def build_plot() -> gr.LinePlot:
    """Build the line plot of averages by length; the numbers are in the table."""
    colours = {export.name_dataset(name): colour for name, colour in COLOURS.items()}
    return gr.LinePlot(
        x="length",
        y="score",
        color="kind",
        x_title=" ",
        y_title="%",
        color_title="",
        color_map=colours,
        colors_in_legend=list(colours),
        sort=list(LENGTHS),
        y_lim=[0, None],
        height=320,
        show_label=False,
        elem_id="lv-plot",
    )


def list_averages(result: OfficialResult) -> pandas.DataFrame:
    """Return the data of the plot: one row per kind of datasets and length."""
    averages = add_averages(result.table).loc[[*AVERAGES], [*LENGTHS]]
    named = averages.rename(index=export.name_dataset)
    named = named.rename_axis(index="kind", columns="length")
    return named.stack(future_stack=True).reset_index(name="score")


def draw_result(result: OfficialResult, is_example: bool) -> str:
    """Return the HTML of the official table, with notes on the files."""
    official = format_section(export.describe_result(result))
    averages = [export.name_dataset(name) for name in AVERAGES]
    return render(
        "lv_eval_result.html",
        result=result,
        official=official,
        averages=averages,
        is_example=is_example,
    )


def draw_model_comparison(run: Run, model: str) -> str:
    """Return the comparison of the run with published models, in two tables.

    The first table has the overall averages. The second has, by dataset, the scores of the run and
    of one model, or the averages of all models.
    """
    scores = run.result.table
    tables = {run.name: add_averages(scores)}
    for name in published.MODELS:
        tables[name] = published.select_published_scores(name, scores)
    joined = pandas.concat(tables)
    averages = joined.xs(published.OVERALL, level=1)
    ranked = averages.sort_values(AVERAGE, ascending=False, kind="stable")
    _, *score_titles = export.list_column_titles()
    heads = [say("judge.model"), *score_titles]
    overall = SectionText("", heads, export.format_rows(ranked))
    if model == ALL_MODELS:
        # One row per model, one column per dataset.
        by_dataset = joined[AVERAGE].unstack(sort=False)[DATASETS]
        heads = [say("judge.model"), *DATASETS]
        compared = SectionText(say("lv_eval.beside_all"), heads, export.format_rows(by_dataset))
    else:
        rows = pair_rows(tables[run.name].loc[DATASETS], tables[model].loc[DATASETS])
        compared = SectionText(say("lv_eval.beside"), export.list_column_titles(), rows)
    return render(
        "lv_eval_published.html",
        result=run.result,
        own=run.name,
        overall=overall,
        compared=compared,
        source=published.SOURCE,
        commit=published.COMMIT[:7],
    )


def pair_rows(run: pandas.DataFrame, model: pandas.DataFrame) -> list[list[str]]:
    """Return rows whose cells have the run's score and the model's score."""
    cell = Markup('<b>{}</b> <span class="lv-other">{}</span>')
    rows = []
    for run_row, model_row in zip(export.format_rows(run), export.format_rows(model), strict=True):
        dataset, *run_scores = run_row
        _, *model_scores = model_row
        row = [dataset]
        for run_score, model_score in zip(run_scores, model_scores, strict=True):
            row.append(cell.format(run_score, model_score))
        rows.append(row)
    return rows
