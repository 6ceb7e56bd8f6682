"""The tab "Files": a table of answers is read, its columns are chosen, it is scored, and what came of it is shown."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import gradio as gr

from lens import DATA
from lens.page import opened_row
from lens.page.file_run import MAX_SEPARATOR, Results, Run, Sent
from lens.page.files_results import DOWNLOADS, all_rows, far_rows, report, shown, write_downloads
from lens.page.html import escape
from lens.scoring import failures, model_files, modules
from lens.scoring import judge as judging
from lens.scoring.catalog import BY_NAME
from lens.scoring.judge import Judge
from lens.tables.roles import BadTable, Roles, guess
from lens.tables.untrusted import BadFile, Table, read, read_upload
from lens.tables.visitors_file import MAX_BYTES, MAX_COLUMNS, MAX_ROWS
from lens.words import each_step, say, sentences, speaking

EXAMPLE = DATA / "examples" / "made_up_files.csv"
EXAMPLE_ROLES = {"group": "topic", "other": "answer_b"}
KINDS = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"]
ROLES = (*(one.name for one in fields(Roles)), "other")
NEEDED = ("prediction", "reference")
PREVIEW_ROWS, MAX_NAME = 3, 60
KEPT_SECONDS = 3600
PROGRESS = gr.Progress()
JUDGES = [name for name, metric in BY_NAME.items() if metric.judge]
# Files that are scored, and read, at once; others wait.
RUNS = 2
PRIVATE: dict[str, Any] = {"api_visibility": "private"}

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


def received(path: str) -> Sent:
    """The rows of a file that was sent, which is deleted; BadFile where it cannot be read."""
    return Sent(Path(path).name, read_upload(path, everything=True))


def made_up() -> Sent:
    """The example."""
    return Sent(EXAMPLE.name, read("csv", EXAMPLE.read_bytes(), everything=True), made_up=True)


def told(sent: Sent) -> str:
    """That a file was read, and how many rows it has."""
    rows = say("ft_row" if sent.table.rows == 1 else "ft_rows", rows=sent.table.rows)
    return say("ft_read", name=shown(sent.name), rows=rows)


def column_choice(names: Sequence[str], chosen: str, needed: bool = False) -> Any:
    """A field's columns to choose from; they go by their places, for a name may be anything."""
    places = [(shown(name)[:MAX_NAME] or "–", str(place)) for place, name in enumerate(names)]
    none = (say("ft_choose" if needed else "ft_none"), "")
    return gr.update(choices=[none, *places], value=str(names.index(chosen)) if chosen in names else "")


def named(names: Sequence[str], place: object) -> str:
    """The column at a place, empty for none."""
    return names[int(place)] if isinstance(place, str) and place.isdecimal() and int(place) < len(names) else ""


def first_rows(table: Table) -> dict[str, list[Any]]:
    """The first rows of a file."""
    columns = [column[:PREVIEW_ROWS] for column in table.columns.values()]
    data = [[shown(as_text(cell)) for cell in cells] for cells in zip(*columns, strict=True)]
    return {"headers": [shown(name) for name in table.columns], "data": data}


def as_text(cell: Any) -> str | list[str]:
    """A cell of any kind to be shown."""
    if isinstance(cell, list) and all(isinstance(one, str) for one in cell):
        return cell
    return "–" if cell is None else str(cell)


def at_hand() -> list[str]:
    """The metrics chosen at first: those of words, and those whose model need not be fetched."""
    return [
        name
        for name, one in BY_NAME.items()
        if one.kind == "words" or (one.model is not None and model_files.on_disk(one.model.name()))
    ]


def to_know(calls: int) -> str:
    """What there is to know of some metrics before they are chosen."""
    told = [say("ft_judge_note", calls=calls)]
    for metric in BY_NAME.values():
        if metric.model is not None and not model_files.on_disk(metric.model.name()):
            size = model_files.download_size(metric.model)
            told.append(say("ft_model_note", title=metric.title, model=metric.model.name(), size=size))
    return " ".join(told)


def opened(first: Sent | None, second: Sent | None, refusal: str = "", chosen: bool = False) -> list[Any]:
    """The choices for a file, or for two, and its first rows; what was scored before is gone. `chosen`: of the first
    file they stay as they are.
    """
    if first is None:
        kept = [gr.skip() for _ in (*ROLES, "metrics")]
        return [None, None, None, escape(refusal or say("ft_begin")), hidden(), *kept, hidden(), hidden()]
    names = first.names
    roles = vars(guess(names)) | (EXAMPLE_ROLES if first.made_up else {"other": ""})
    others = second.names if second else names
    if second:
        roles["other"] = roles["prediction"] if roles["prediction"] in others else guess(others).prediction
    choices = [column_choice(others if role == "other" else names, roles[role], role in NEEDED) for role in ROLES]
    metrics: dict[str, Any] = {"info": to_know(first.table.rows * (2 if second else 1))}
    if chosen:
        choices[:-1] = [gr.skip() for _ in choices[:-1]]
    else:
        metrics["value"] = at_hand()
    said = sentences(refusal, *(told(one) for one in (first, second) if one), say("ft_then_start"))
    shows = [first, second, None, escape(said), gr.update(visible=True)]
    return [*shows, *choices, gr.update(**metrics), gr.update(value=first_rows(first.table), visible=True), hidden()]


def hidden() -> Any:
    """A part of the page that is not shown."""
    return gr.update(visible=False)


def judge_missing(metrics: Sequence[str], judge: Judge) -> str:
    """Why a judge that was chosen cannot be asked; nothing where it can, or none was chosen."""
    table = modules.providers() if set(metrics) & set(JUDGES) else {}
    if not table or not judging.what_is_missing(judge, table):
        return ""
    return judging.refused(judge, table) or say("ft_needs_judge")


async def score(values: Sequence[Any], progress: gr.Progress) -> AsyncGenerator[list[Any], None]:
    """Start was pressed: what is said, how many rows of how many are done, and in the end the results.

    The values are both files, the columns by role, the separator, the metrics, and the judge's four fields.
    """
    first, second, *places, separator, metrics, provider, model, key, address = values
    judge = Judge.given(provider, model, key, address)
    if first is None:
        yield [say("check_no_file"), None, None]
        return
    given = {role: named(first.names, place) for role, place in zip(ROLES, places, strict=True)}
    given["other"] = named((second or first).names, places[-1])
    try:
        missing = judge_missing(metrics, judge)
        if missing:
            raise BadTable(missing)
        run = await asyncio.to_thread(Run, first, second, given, separator, metrics)
        rows = len(run.first.items)
        async for done in run.steps(judge):
            progress((done, rows), unit=say("ft_unit"))
            yield [say("ft_progress", done=done, total=rows), (done, rows), None]
        yield [say("ft_done"), None, await asyncio.to_thread(run.results)]
    except BadTable as error:
        yield [escape(error), None, None]
    except Exception as error:  # a defect: the page says so, the log says where, without a word of the file
        failures.note_failure("files", error)
        yield [say("ft_failed", error=type(error).__name__), None, None]


async def show(results: Results | None) -> AsyncGenerator[list[Any], None]:
    """What came of a run: whether it is shown, the report, the downloads, both tables, no row's cards."""
    if results is None:
        yield [hidden(), "", *[None for _ in DOWNLOADS], None, None, ""]
        return
    with tempfile.TemporaryDirectory() as folder:  # Gradio takes copies of the files
        files = await asyncio.to_thread(write_downloads, results, Path(folder))
        drawn = await asyncio.to_thread(report, results)
        tables = await asyncio.to_thread(lambda: [far_rows(results), all_rows(results)])
        yield [gr.update(visible=True), drawn, *files, *tables, ""]


def build(language: str, judge: Sequence[Any], buttons: str = "") -> None:
    """The whole tab. `judge`: the fields in which a judge is chosen; `buttons`: the JavaScript of buttons in cards."""
    held = [gr.State(None, time_to_live=KEPT_SECONDS) for _ in range(4)]
    first, second, scored, done = held
    with gr.Row(elem_classes="al-page", elem_id="ft-tab"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            gr.Markdown(f"## {say('ft_head')}\n{say('ft_info')}", container=False)
            limits = say("ft_file_info", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS, columns=MAX_COLUMNS)
            file = gr.File(file_types=KINDS, label=say("ft_file"), height=130, elem_id="ft-file")
            with gr.Row():
                example = gr.Button(say("try_example"), size="sm", min_width=120, elem_id="ft-try")
                gr.DownloadButton(say("get_example"), EXAMPLE, size="sm", min_width=120)
            gr.Markdown(limits, container=False, elem_classes="ft-info")
            with gr.Accordion(say("ft_compare"), open=False):
                gr.Markdown(say("ft_second_info"), container=False, elem_classes="ft-info")
                other_file = gr.File(
                    file_types=KINDS, label=say("ft_second_file"), height=130, elem_id="ft-second-file"
                )
            with gr.Column(visible=False, elem_id="ft-form") as form:
                with gr.Row():
                    columns = [column_field(role) for role in ROLES]
                separator = gr.Textbox(label=say("ft_separator"), max_length=MAX_SEPARATOR, elem_id="ft-separator")
                titles = [(metric.title, name) for name, metric in BY_NAME.items()]
                metrics = gr.CheckboxGroup(titles, label=say("ft_metrics"), elem_id="ft-metrics")
            with gr.Row():
                go = gr.Button(say("ft_start"), variant="primary", min_width=120, elem_id="ft-start")
                cancel = gr.Button(say("ft_cancel"), min_width=100, elem_id="ft-cancel")
            status = gr.HTML(say("ft_begin"), js_on_load=SPEAKING, elem_id="ft-status")
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            preview = gr.Dataframe(
                label=say("ft_first_rows"), interactive=False, buttons=[], visible=False, elem_id="ft-preview"
            )
            with gr.Column(visible=False, elem_id="ft-results") as results:
                summary = gr.HTML("", apply_default_css=False, js_on_load=buttons or None, elem_id="ft-report")
                gr.Markdown(f"## {say('ft_downloads')}\n{say('ft_kept')}", container=False)
                with gr.Row(elem_id="ft-downloads"):
                    keys = [f"ft_download_{name.replace('.', '_')}" for name in DOWNLOADS]
                    downloads = [gr.DownloadButton(say(key), size="sm", min_width=150) for key in keys]
                gr.Markdown(f"## {say('ft_far')}\n{say('ft_far_info')}", container=False)
                far = rows_table("ft_far", "ft-far")
                gr.Markdown(f"## {say('ft_rows_head')}\n{say('ft_rows_info')}", container=False)
                every = rows_table("ft_rows_head", "ft-rows", show_search="filter")
                row = gr.Number(label=say("ft_open_row"), precision=0, minimum=1, elem_id="ft-row")
                cards = gr.HTML("", apply_default_css=False, js_on_load=buttons or None, elem_id="ft-cards")

    def tried(given: Sent | None, receive: Callable[[], tuple[Sent | None, Sent | None]]) -> list[Any]:
        with speaking(language):
            try:
                return opened(*receive(), chosen=given is not None)
            except BadFile as error:
                return opened(given, None, str(error), chosen=given is not None)

    def read_first(path: str | None) -> list[Any]:
        found = tried(None, lambda: (received(path) if path else None, None))
        return [*found, gr.skip() if found[0] else None, None]

    def read_second(path: str | None, given: Sent | None) -> list[Any]:
        found = tried(given, lambda: (given, received(path) if path else None))
        return [*found, gr.skip(), gr.skip() if found[1] else None]

    def read_example() -> list[Any]:
        return [*tried(None, lambda: (made_up(), None)), None, None]

    async def show_all(given: Results | None) -> AsyncIterator[list[Any]]:
        async for step in each_step(language, show(given)):
            yield step

    async def begin(progress: gr.Progress = PROGRESS, *values: Any) -> AsyncIterator[list[Any]]:
        async for step in each_step(language, score(values, progress)):
            yield step

    def cancelled(how_far: tuple[int, int] | None) -> tuple[str, None]:
        with speaking(language):
            if how_far is None:
                return say("ft_stopped"), None
            return say("ft_cancelled", rows=how_far[0], total=how_far[1]), None

    async def open_row(given: Results | None, number: Any) -> str:
        with speaking(language):
            if not given:
                return escape(say("ft_gone"))
            known = isinstance(number, int) and 0 < number <= len(given.items)
            return await opened_row.opened(given, number - 1) if known else ""

    async def open_selected(given: Results | None, event: gr.SelectData) -> str:
        return await open_row(given, event.row_value[0] if event.row_value else None)

    run = go.click(
        begin,
        [first, second, *columns, separator, metrics, *judge],
        [status, done, scored],
        js=ASKING,
        show_progress_on=[status],
        concurrency_limit=RUNS,
        concurrency_id="files",
        **PRIVATE,
    )
    shows = run.then(show_all, [scored], [results, summary, *downloads, far, every, cards], **PRIVATE)
    shows.then(None, js=SHOW, **PRIVATE)
    ends: dict[str, Any] = {"cancels": [run, shows], **PRIVATE}
    cancel.click(cancelled, [done], [status, done], **ends)
    choices = [first, second, scored, status, form, *columns, metrics, preview, results, file, other_file]
    ends |= {"outputs": choices, "concurrency_limit": RUNS, "concurrency_id": "reading"}
    gr.on([file.upload, file.clear], read_first, [file], **ends)
    gr.on([other_file.upload, other_file.clear], read_second, [other_file, first], **ends)
    example.click(read_example, None, **ends)
    gr.on([one.input for one in (*columns, separator, metrics)], None, js=OLD, **PRIVATE)
    newest: dict[str, Any] = {"outputs": cards, "trigger_mode": "always_last", **PRIVATE}
    opens = [table.select(open_selected, [scored], **newest) for table in (far, every)]
    for event in (*opens, row.submit(open_row, [scored, row], **newest)):
        event.then(None, js=SHOW_ROW, **PRIVATE)


def column_field(role: str) -> gr.Dropdown:
    """The field in which the column of a role is chosen."""
    return gr.Dropdown([], label=say(f"ft_role_{role}"), min_width=130, elem_id=f"ft-{role}")


def rows_table(label: str, name: str, **more: Any) -> gr.Dataframe:
    """A table of rows, each of which opens its cards."""
    return gr.Dataframe(
        label=say(label), show_label=False, interactive=False, datatype="auto", pinned_columns=1, max_height=500,
        buttons=[], max_chars=80, elem_id=name, elem_classes="ft-rows", **more,
    )  # fmt: skip
