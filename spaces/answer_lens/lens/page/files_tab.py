"""The tab "Files": a table of answers is read, its columns are chosen, it is scored, and what came of it is shown."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gradio as gr

from lens import DATA
from lens.page import opened_row, read_sample
from lens.page.answer_tab import multi_reference
from lens.page.file_run import MULTI, Run
from lens.page.files_results import DOWNLOADS, all_rows, far_rows, report, shown, write_downloads
from lens.page.html import escape
from lens.page.tab import KINDS, LOOKING, PRIVATE, READING, SCORING, Sent, Tab, Updates, example, html, received
from lens.reports.contents import names_of
from lens.scoring import judge as judging
from lens.scoring import model_files, modules
from lens.scoring.catalog import BY_NAME
from lens.scoring.judge import Judge
from lens.tables.cells import fits, whole
from lens.tables.final_answer import without_thinking
from lens.tables.roles import BOXED, COLUMNS, REASONING, SCORED_EMPTY, BadTable, Roles, guess, listing, references_in
from lens.tables.separators import Unsplit, unsplit
from lens.tables.untrusted import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, Table
from lens.words import say, sentences
from lens.words.printed import MAX_NAME, name_of

EXAMPLE = DATA / "examples" / "made_up_files.csv"
# Words that prompts ask models to write before a final answer; others can be typed.
MARKERS = ("Final answer:", "The answer is", "Answer:", "####")
EXAMPLE_ROLES = {"group": "topic", "other": "answer_b"}
ROLES = (*COLUMNS, "other")
# What is chosen besides columns and metrics.
CHOICES = ("separator", "empty", "reasoning", "final", MULTI)
PREVIEW_ROWS = 3
PROGRESS = gr.Progress()
JUDGES = [name for name, metric in BY_NAME.items() if metric.judge]

# The judge of the other tab, and its key, are sent only where a judge is to be asked.
ASKING = f"""(...values) => values.at(-5).some((one) => {JUDGES}.includes(one))
  ? values : [...values.slice(0, -4), null, '', '', '']"""
# What was chosen is not what was scored any more.
OLD = "() => { document.querySelector('#ft-results')?.classList.add('al-stale'); }"
SHOW = """() => {
  document.querySelector('#ft-results')?.classList.remove('al-stale');
  document.querySelector('#ft-report .ft-shown')?.scrollIntoView({behavior: 'smooth'});
}"""
SHOW_ROW = "() => { document.querySelector('#ft-opened-head')?.scrollIntoView({block: 'nearest'}); }"
# A line that is read aloud, and a name for the field that filters, which Gradio gives but a title.
SPEAKING = """
element.setAttribute('role', 'status');
const name = () => document.querySelectorAll('#ft-results .search-input').forEach((one) => {
  one.setAttribute('aria-label', one.title);
});
new MutationObserver(name).observe(document.body, {subtree: true, childList: true});
"""


def read_from(path: str | None) -> tuple[Sent | None, str]:
    """The file that was chosen, or why it cannot be read; neither where its field was emptied."""
    try:
        return (received(path, everything=True) if path else None), ""
    except BadTable as error:
        return None, str(error)


def first_chosen(path: str | None) -> Updates:
    """A file was chosen, or its field was emptied."""
    return choices(*read_from(path))


def second_chosen(path: str | None, first: Sent | None) -> Updates:
    """The same of the second file; what is chosen for the first one stays."""
    second, refusal = read_from(path)
    return choices(first, refusal, second, anew=False)


def filter_chosen(first: Sent | None, second: Sent | None, place: Any) -> Updates:
    """Another filter of a log was chosen, by its place: its rows are read, and what is chosen for them stays."""
    wanted = named(filters_of(first), place)
    other = second.only(wanted) if second else None
    return choices(first.only(wanted) if first else None, second=other, anew=False)


def filters_of(sent: Sent | None) -> Sequence[str]:
    """The filters of a log, if it is one that has some."""
    return sent.every.filters if sent and sent.every else []


def read(sent: Sent) -> str:
    """What was read, and what a log was taken for."""
    others = [name for name in filters_of(sent) if name != sent.filter]
    filters = say("log_filter", filter=name_of(sent.filter), others=listing(others)) if others else ""
    return sentences(say("ft_read", name=shown(sent.name), rows=sent.table.rows), sent.table.told, filters)


def example_chosen() -> Updates:
    """The example was chosen."""
    return choices(example(EXAMPLE, everything=True)) | {"file": None}


def choices(first: Sent | None, refusal: str = "", second: Sent | None = None, anew: bool = True) -> Updates:
    """What can be chosen for a file, or for two, and its first rows; what was scored before is gone. Unless it is
    `anew`, what is chosen for the first file stays.
    """
    found: Updates = {"first": first, "run": None, "scored": None, "results": hidden()}
    if first is None:
        # A field that was emptied is left alone, for the next file may be on its way there.
        emptied = dict.fromkeys(("second", "other_file", "file") if refusal else ("second", "other_file"))
        status = {"status": escape(refusal or say("check_start"))}
        return found | emptied | status | {"form": hidden(), "preview": hidden()}
    names, others = first.table.choices, (second or first).table.choices
    roles = dict.fromkeys(ROLES, "") | guess(names).named() | (EXAMPLE_ROLES if first.made_up else {})
    if second:
        roles["other"] = roles["prediction"] if roles["prediction"] in others else guess(others).prediction
    found |= {"second": second} if second else {"second": None, "other_file": None}
    missing, calls = to_fetch(), first.table.rows * (2 if second else 1)
    metrics: dict[str, Any] = {"info": " ".join([say("ft_judge_note", calls=calls), *missing.values()])}
    if anew:
        found |= {role: column_choice(names, name) for role, name in roles.items()}
        metrics["value"] = [name for name, one in BY_NAME.items() if not one.judge and name not in missing]
    filters = list(filters_of(first))
    chosen = str(filters.index(first.filter)) if filters else None
    return found | {
        "status": escape(sentences(refusal, *map(read, filter(None, (first, second))), say("ft_then_start"))),
        "form": gr.update(visible=True),
        "filter": gr.update(choices=places_of(filters), value=chosen, visible=len(filters) > 1),
        "other": column_choice(others, roles["other"]),
        "metrics": gr.update(**metrics),
        "preview": gr.update(value=first_rows(first.table), visible=True),
    }


def column_choice(names: Sequence[str], chosen: str) -> Any:
    """A field's columns to choose from."""
    value = str(names.index(chosen)) if chosen in names else ""
    return gr.update(choices=[(say("ft_none"), ""), *places_of(names)], value=value)


def places_of(names: Sequence[str]) -> list[tuple[str, str]]:
    """Names to choose from; they go by their places, for a name may be anything."""
    shown_names = names_of(names, files=False, most=MAX_NAME) if names else []
    return [(name, str(place)) for place, name in enumerate(shown_names)]


def about_cells(
    first: Sent | None, second: Sent | None, prediction: Any, reference: Any, other: Any, separator: str
) -> Updates:
    """What is to be chosen where there are such cells: what becomes of empty ones and of thinking aloud, and which of
    several references LV-Eval's two scores read.
    """
    if first is None:
        return {"empty": hidden(), "reasoning": hidden(), "split": hidden(), MULTI: hidden()}
    systems = ((first, prediction), (second or first, other))
    answers = sum(sent.blanks(named(sent.table.choices, place)) for sent, place in systems)
    references = first.blanks(named(first.table.choices, reference))
    told = say("ft_empty_info", answers=answers, references=references)
    cells = first.table.cells(named(first.table.choices, reference))
    several = any(isinstance(one, list) or isinstance(references_in(str(one), separator), list) for one in cells)
    choice = gr.update(visible=True) if several else gr.update(visible=False, value="first")
    texts = (cell for sent, place in systems for cell in sent.table.cells(named(sent.table.choices, place)))
    thinking = sum(isinstance(cell, str) and bool(without_thinking(cell)[1]) for cell in texts)
    return {
        "empty": gr.update(visible=bool(answers or references), info=told),
        "reasoning": gr.update(visible=bool(thinking), info=say("ft_reasoning_info", count=thinking)),
        "split": split_button(unsplit(cells) if not separator else None),
        MULTI: choice,
    }


def split_button(found: Unsplit | None) -> Any:
    """The button that fills in a separator which nobody named, with the count of references that have it."""
    told = say("ft_split", **asdict(found)) if found else ""
    return gr.update(value=told, visible=bool(found))


def split_chosen(first: Sent | None, reference: Any) -> Updates:
    """The references are to be split at the separator that was found."""
    found = unsplit(first.table.cells(named(first.table.choices, reference))) if first else None
    return {"separator": found.separator} if found else {}


def first_rows(table: Table) -> dict[str, list[Any]]:
    """The first rows of a file."""

    def text(cell: Any) -> str:
        return shown("–" if cell is None else cell if fits("texts", cell) else str(cell))

    columns = [map(text, column[:PREVIEW_ROWS]) for column in table.columns.values()]
    return {"headers": [shown(name) for name in table.columns], "data": list(map(list, zip(*columns, strict=True)))}


def to_fetch() -> dict[str, str]:
    """What there is to know of the metrics whose model is not on this machine, by their names."""
    models = {name: one.model for name, one in BY_NAME.items() if one.model}
    return {
        name: say("ft_model_note", title=BY_NAME[name].title, model=one.name(), size=model_files.download_size(one))
        for name, one in models.items()
        if not model_files.on_disk(one.name())
    }


def hidden() -> Any:
    """A part of the page that is not shown."""
    return gr.update(visible=False)


def refusal(text: str) -> Updates:
    """What stands where a run cannot be, or came to no end."""
    return {"status": escape(text), "run": None}


def judge_missing(metrics: Sequence[str], judge: Judge) -> str:
    """Why a judge that was chosen cannot be asked; nothing where it can, or none was chosen."""
    table = modules.providers() if set(metrics) & set(JUDGES) else {}
    if not table or not judging.what_is_missing(judge, table):
        return ""
    return judging.refused(judge, table) or say("ft_needs_judge")


async def score(progress: gr.Progress = PROGRESS, *values: Any) -> AsyncGenerator[Updates, None]:
    """Start was pressed: how many rows are done, and in the end the results.

    The values are both files, the places of the columns by role, the separator, what becomes of empty cells and of
    thinking aloud, where the final answer stands, which of several references counts, the metrics, and the judge's four
    fields.
    """
    first, second, *places, separator, empty, reasoning, final, multi, metrics, provider, model, key, address = values
    judge = Judge.given(provider, model, key, address)
    yield {"scored": None, "run": None, "results": hidden()}
    if first is None:
        raise BadTable(say("check_no_file"))
    names = [*[first.table.choices] * (len(ROLES) - 1), (second or first).table.choices]
    given = {role: named(of, place) for role, of, place in zip(ROLES, names, places, strict=True)}
    if missing := judge_missing(metrics, judge):
        raise BadTable(missing)
    given |= {"separator": separator, "empty": empty, "reasoning": reasoning, "final": final or ""}
    run = await asyncio.to_thread(Run, first, second, given, metrics, multi)
    yield {"run": run}
    rows, every = len(run.items), len(run.chosen)
    async for name, done in run.steps(judge):
        told = say("ft_progress", title=BY_NAME[name].title, done=done, total=rows)
        progress((run.chosen.index(name) + done / rows) / every, desc=told)
        yield {"status": told}
    with tempfile.TemporaryDirectory() as folder:  # until Gradio has taken copies of the files
        yield {"status": say("ft_done"), **await asyncio.to_thread(finished, run, Path(folder))}


def named(names: Sequence[str], place: object) -> str:
    """The column at a place, empty for none."""
    at = whole(place, len(names) - 1) if isinstance(place, str) else None
    return "" if at is None else names[at]


async def cancelled(run: Run | None) -> AsyncGenerator[Updates, None]:
    """Cancel was pressed: what the finished metrics come to, if there are any."""
    if not run or not run.metrics or not run.systems:  # nothing is done, or all was just being summed up
        yield {"status": say("cancelled"), "run": None}
        return
    titles = say("list_comma").join(BY_NAME[name].title for name in run.metrics)
    with tempfile.TemporaryDirectory() as folder:
        found = await asyncio.to_thread(finished, run, Path(folder))
        yield {"status": say("ft_cancelled", titles=titles), **found}


def finished(run: Run, folder: Path) -> Updates:
    """What came of the metrics that are done: the report, the downloads, both tables, no row's cards."""
    run.results()
    files = dict(zip(DOWNLOADS, write_downloads(run, folder), strict=True))
    found = {"report": report(run), "far": far_rows(run), "every": all_rows(run), "results": gr.update(visible=True)}
    return {"scored": run, "run": None, "cards": "", **found, **read_sample.begin_anew(run), **files}


async def open_row(run: Run | None, number: Any) -> AsyncGenerator[Updates, None]:
    """The cards of a row by its number."""
    there = run and isinstance(number, int) and 0 < number <= len(run.items)
    yield {
        "cards": await opened_row.opened(run, number - 1) if run and there else "" if run else escape(say("ft_gone"))
    }


async def open_selected(run: Run | None, event: gr.SelectData) -> AsyncGenerator[Updates, None]:
    """The cards of the row that was chosen in a table."""
    async for step in open_row(run, event.row_value[0] if event.row_value else None):
        yield step


def build(language: str, judge: Sequence[Any]) -> None:
    """The whole tab. `judge`: the fields in which a judge is chosen."""
    tab = Tab("files", language, refusal)
    parts = tab.parts
    parts |= {name: gr.State(None) for name in ("first", "second", "run", "scored")}
    with gr.Row(elem_classes="al-page", elem_id="ft-tab"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            parts |= build_form()
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            parts |= build_results(language, parts["scored"])
    given = [parts[name] for name in ("first", "second", *ROLES, *CHOICES, "metrics")]
    status, scored, cards = parts["status"], parts["scored"], parts["cards"]
    asks: dict[str, Any] = {"js": ASKING, "show_progress_on": status, "lane": SCORING}
    run = tab.on(parts["go"].click, score, [*given, *judge], **asks)
    run.then(None, js=SHOW, **PRIVATE)
    stopped = tab.on(parts["cancel"].click, lambda: {"status": say("cancelled")}, outputs=status, cancels=run)
    tab.on(stopped.then, cancelled, parts["run"])
    file, other_file = parts["file"], parts["other_file"]
    # "always_last": a file chosen while the one before is still being cleared is read all the same.
    reads: dict[str, Any] = {"lane": READING, "cancels": run, "trigger_mode": "always_last"}
    read = [
        tab.on([file.upload, file.clear], first_chosen, file, **reads),
        tab.on([other_file.upload, other_file.clear], second_chosen, [other_file, parts["first"]], **reads),
        tab.on(parts["example"].click, example_chosen, **reads),
        tab.on(parts["filter"].input, filter_chosen, [parts[name] for name in ("first", "second", "filter")], **reads),
    ]
    columns = [parts[name] for name in ("prediction", "reference", "other", "separator")]
    shown = [parts[name] for name in ("empty", "reasoning", "split", MULTI)]
    split = tab.on(parts["split"].click, split_chosen, [parts["first"], parts["reference"]])
    for chosen in (*(one.then for one in (*read, split)), *(one.input for one in columns)):
        tab.on(chosen, about_cells, [parts["first"], parts["second"], *columns], outputs=shown)
    gr.on([one.input for one in given[2:]], None, js=OLD, **PRIVATE)
    newest: dict[str, Any] = {"lane": LOOKING, "outputs": cards, "trigger_mode": "always_last"}
    opens = [tab.on(parts[name].select, open_selected, scored, **newest) for name in ("far", "every")]
    for opened in (*opens, tab.on(parts["row"].submit, open_row, [scored, parts["row"]], **newest)):
        opened.then(None, js=SHOW_ROW, **PRIVATE)


def build_form() -> Updates:
    """What is sent and chosen."""
    gr.Markdown(f"## {say('ft_head')}\n{say('ft_info')}", container=False)
    parts: Updates = {"file": gr.File(file_types=KINDS, label=say("ft_file"), height=130, elem_id="ft-file")}
    with gr.Row():
        parts["example"] = gr.Button(say("try_example"), size="sm", min_width=120, elem_id="ft-try")
        gr.DownloadButton(say("get_example"), EXAMPLE, size="sm", min_width=120)
    limits = say("ft_file_info", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS, columns=MAX_COLUMNS)
    gr.Markdown(limits, container=False, elem_classes="ft-info")
    with gr.Accordion(say("ft_compare"), open=False):
        gr.Markdown(say("ft_second_info"), container=False, elem_classes="ft-info")
        label = say("ft_second_file")
        parts["other_file"] = gr.File(file_types=KINDS, label=label, height=130, elem_id="ft-second-file")
    with gr.Column(visible=False, elem_id="ft-form") as parts["form"]:
        labels = {"label": say("ft_filter"), "info": say("ft_filter_info")}
        parts["filter"] = gr.Dropdown([], visible=False, elem_id="ft-filter", **labels)
        with gr.Row():
            for role in ROLES:
                label = say(f"f_role_{role}").capitalize()
                parts[role] = gr.Dropdown([], label=label, min_width=130, elem_id=f"ft-{role}")
        parts["separator"] = gr.Textbox(label=say("ft_separator"), max_length=20, elem_id="ft-separator")
        parts["split"] = gr.Button(visible=False, size="sm", elem_id="ft-split")
        ways = [(say(f"ft_empty_{way}"), way) for way in SCORED_EMPTY]
        final = [(say("ft_final_whole"), ""), (r"\boxed{…}", BOXED), *((words, words) for words in MARKERS)]
        parts["final"] = gr.Dropdown(
            final,
            value="",
            label=say("ft_final"),
            info=say("ft_final_info"),
            allow_custom_value=True,
            elem_id="ft-final",
        )
        thinking = [(say(f"ft_reasoning_{way}"), way) for way in REASONING]
        looks: dict[str, Any] = {"visible": False, "elem_id": "ft-reasoning"}
        parts["reasoning"] = gr.Radio(thinking, value=Roles.reasoning, label=say("ft_reasoning"), **looks)
        parts["empty"] = gr.Radio(ways, value=Roles.empty, label=say("ft_empty"), visible=False, elem_id="ft-empty")
        parts[MULTI] = multi_reference(visible=False, elem_id="ft-multi-reference")
        titles = [(metric.title, name) for name, metric in BY_NAME.items()]
        parts["metrics"] = gr.CheckboxGroup(titles, label=say("ft_metrics"), elem_id="ft-metrics")
    with gr.Row():
        parts["go"] = gr.Button(say("ft_start"), variant="primary", min_width=120, elem_id="ft-start")
        parts["cancel"] = gr.Button(say("cancel"), min_width=100, elem_id="ft-cancel")
    parts["status"] = gr.HTML(say("check_start"), js_on_load=SPEAKING, elem_id="ft-status")
    return parts


def build_results(language: str, scored: gr.State) -> Updates:
    """What is shown of a file, and of its scores."""
    table = {"interactive": False, "buttons": []}
    preview = gr.Dataframe(label=say("ft_first_rows"), visible=False, elem_id="ft-preview", **table)
    rows = {"datatype": "auto", "pinned_columns": 1, "max_height": 500, "max_chars": 80, "elem_classes": "ft-rows"}
    rows |= table | {"show_label": False}
    with gr.Column(visible=False, elem_id="ft-results") as results:
        parts: Updates = {
            "results": results,
            "preview": preview,
            "report": html("", js_on_load=None, elem_id="ft-report"),
        }
        gr.Markdown(f"## {say('downloads')}\n{say('downloads_kept')}", container=False)
        with gr.Row(elem_id="ft-downloads"):
            parts |= {name: gr.DownloadButton(name, size="sm", min_width=150) for name in DOWNLOADS}
        parts |= read_sample.build(language, scored)
        gr.Markdown(f"## {say('ft_far')}\n{say('ft_far_info')}", container=False)
        parts["far"] = gr.Dataframe(label=say("ft_far"), elem_id="ft-far", **rows)
        gr.Markdown(f"## {say('ft_rows_head')}\n{say('ft_rows_info')}", container=False)
        parts["every"] = gr.Dataframe(label=say("ft_rows_head"), show_search="filter", elem_id="ft-rows", **rows)
        parts["row"] = gr.Number(1, label=say("ft_open_row"), precision=0, minimum=1, elem_id="ft-row")
        parts["cards"] = html("", js_on_load=None, elem_id="ft-cards")
    return parts
