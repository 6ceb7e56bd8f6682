"""The form of the tab "Files": files are read, and what their columns are is chosen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import gradio as gr

from lens import DATA
from lens.experiment.systems import MAX_SYSTEMS
from lens.page.answer.answer_tab import multi_reference
from lens.page.files.file_scoring import MULTI
from lens.page.files.files_results import show_text
from lens.page.html import escape
from lens.page.serving import uploads
from lens.page.tab import KINDS, Sent, Updates, read_example, read_upload, show_part
from lens.scoring import model_files
from lens.scoring.catalog import BY_NAME, METRIC_NAMES, list_series
from lens.study.annotations import STAND_IN
from lens.tables.cells import is_kind, list_answers, parse_whole
from lens.tables.column_names import find_doubts
from lens.tables.final_answer import without_thinking
from lens.tables.final_marks import BOXED, MARKERS
from lens.tables.roles import (
    CELL_OPTIONS,
    COLUMNS,
    REASONING,
    REFERENCES,
    SCORED_EMPTY,
    SEVERAL,
    ReadingOptions,
    guess_roles,
    join_names,
)  # fmt: skip
from lens.tables.separators import Unsplit, find_unsplit, split_references
from lens.tables.text_files import ENCODINGS, WrongEncoding
from lens.tables.thinking_marks import UnknownMarks
from lens.tables.untrusted import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, Table
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import MAX_NAME, name_systems, shorten_name, show_name

EXAMPLE = DATA / "examples" / "made_up_files.csv"
EXAMPLE_ROLES = {"group": ["topic"], "prediction": ["answer", "answer_b"]}
# What is chosen besides columns and metrics.
CHOICES = (*CELL_OPTIONS, MULTI)
PREVIEW_ROWS = 3
# What all files of a visitor may take in memory.
MOST_TOGETHER = 40_000_000
# A line that is read aloud, and names for the field that filters, which Gradio gives but a title, and for the button
# that adds files, which Gradio puts around another one.
SPEAKING = """
element.setAttribute('role', 'status');
const name = () => {
  document.querySelectorAll('#ft-results .search-input').forEach((one) => one.setAttribute('aria-label', one.title));
  const add = document.querySelector('#ft-file button:has(button)'), inner = add?.querySelector('button');
  if (!inner || inner.disabled) return;
  inner.disabled = true;
  for (const attribute of ['aria-label', 'title']) add.setAttribute(attribute, ADD_FILES);
  add.onclick = (event) => event.target.matches('input') || add.querySelector('input')?.click();
};
new MutationObserver(name).observe(document.body, {subtree: true, childList: true});
"""


@dataclass(frozen=True, eq=False)
class Files:
    """The files that were read, by where each had lain, and what could not be read of those that were sent."""

    sents: Sequence[Sent]
    paths: Sequence[str] = ()
    refusal: str = ""

    @property
    def size(self) -> int:
        """About how many bytes they take in memory."""
        return sum(one.size for one in self.sents)

    @property
    def table(self) -> Table:
        """The first table, by whose columns the others go."""
        return self.sents[0].table


def files_chosen(paths: list[str] | None, before: Files | None, encoding: str | None = None) -> Updates:
    """Files were chosen, or taken away again; one that was read before is not there any more, and is not read again.

    What was chosen for the first one stays where that is the same. The encoding can be chosen once one does not fit.
    """
    asks = {}
    known = dict(zip(before.paths, before.sents, strict=True)) if before else {}
    read: dict[str, Sent] = {}
    paths = paths or []
    refusal = say("systems.many_systems", count=len(paths), limit=MAX_SYSTEMS) if len(paths) > MAX_SYSTEMS else ""
    for path in [] if refusal else paths:
        try:
            read[path] = known[path] if path in known else read_upload(path, True, encoding or "")
            if sum(one.size for one in read.values()) > MOST_TOGETHER:
                raise UserError("files_tab.too_much", size=MOST_TOGETHER // 1_000_000)
        except UserError as error:
            read.pop(path, None)
            name = shorten_name(path.rpartition("/")[2]) + say("page.colon") if len(paths) > 1 else ""
            refusal = join_sentences(refusal, f"{name}{error}")
            if isinstance(error, WrongEncoding):
                asks = {"encoding": gr.update(visible=True)}
    if len(read) < len(paths) and not refusal:
        refusal = say("files_tab.twice")
    for path in paths:  # what was not read, and what was sent again
        uploads.delete_upload(path)
    files = Files(list(read.values()), list(read), refusal) if read else None
    return show_choices(files, refusal, anew=not (before and files and files.sents[0] is before.sents[0])) | asks


def filter_chosen(files: Files | None, place: Any) -> Updates:
    """Another filter of a log was chosen, by its place: its rows are read, and what is chosen for them stays."""
    if files is None:
        return show_choices(None)
    wanted = find_column(list_filters(files), place)
    return show_choices(Files([one.only(wanted) for one in files.sents], files.paths), anew=False)


def list_filters(files: Files | None) -> Sequence[str]:
    """Return the filters of the first file, if it is a log that has some."""
    first = files.sents[0] if files else None
    return first.every.filters if first and first.every else []


def describe_reading(sent: Sent) -> str:
    """Return what was read, and what a log was taken for."""
    every = sent.every.filters if sent.every else []
    others = [name for name in every if name != sent.filter]
    filters = say("log.filter", filter=show_name(sent.filter), others=join_names(others)) if others else ""
    return join_sentences(
        say("files_tab.read", name=show_text(sent.name), rows=sent.table.rows), sent.table.told, filters
    )


def example_chosen() -> Updates:
    """Read the example, and show the form for it."""
    return show_choices(Files([read_example(EXAMPLE, everything=True)])) | {"file": None}


def show_choices(files: Files | None, refusal: str = "", anew: bool = True) -> Updates:
    """Return what can be chosen for some files, and the first rows; what was scored before is gone.

    Unless they are `anew`, what is chosen stays.
    """
    found: Updates = {"files": files, "run": None, "scored": None, "results": show_part(False)}
    if files is None:
        # A field that was emptied is left alone, for the next file may be on its way there.
        emptied = {"file": None} if refusal else {}
        status = {"status": escape(refusal or say("judge_check.start"))}
        return found | emptied | status | {"form": hide(), "preview": hide()}
    names, first = files.table.choices, files.sents[0]
    guessed = guess_roles(names, first.table.find_wrong_verdicts())
    roles = {role: [name] for role, name in guessed.single_columns().items()} | {"judges": list(guessed.judges)}
    roles |= EXAMPLE_ROLES if first.made_up else {}
    if len(files.sents) > 1 or len({*map(str, files.table.cells("".join(roles.get("system", ()))))}) < 2:
        roles.pop("system", None)
    missing, calls = list_downloads(), sum(one.table.rows for one in files.sents)
    metrics: dict[str, Any] = {"info": " ".join([say("files_tab.judge_note", calls=calls), *missing.values()])}
    if anew:
        found |= {role: column_choice(role, names, roles.get(role, [])) for role in (*COLUMNS, "judges")}
        scores = [(one.title, one.key) for one in list_series(METRIC_NAMES) if one.primary]
        found["stand_in"] = gr.update(choices=[*scores, *list_places(names)], value=STAND_IN)
        found["references"] = gr.update(value=REFERENCES[any(one.table.needs_all for one in files.sents)])
        metrics["value"] = [name for name in METRIC_NAMES if not BY_NAME[name].judge and name not in missing]
    filters = list(list_filters(files))
    chosen = str(filters.index(first.filter)) if filters else None
    return found | {
        "status": escape(
            join_sentences(
                refusal, *map(describe_reading, files.sents), *list_doubts(names, roles), say("files_tab.then_start")
            )
        ),
        "form": gr.update(visible=True),
        "filter": gr.update(choices=list_places(filters), value=chosen, visible=len(filters) > 1),
        "metrics": gr.update(**metrics),
        "preview": gr.update(value=first_rows(first.table), visible=True),
    }


def list_doubts(names: Sequence[str], roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Return, in words, which columns could have been meant for another role than the form has chosen."""
    taken = {role: column for role, columns in roles.items() for column in columns}
    return [one.describe(command=False) for one in find_doubts(names, taken, ("reference", "prediction"))]


def column_choice(role: str, names: Sequence[str], chosen: Sequence[str]) -> Any:
    """Return a field's columns to choose from: several for answers, one for each other role."""
    places = [str(names.index(name)) for name in chosen if name in names]
    if role in SEVERAL:
        return gr.update(choices=list_places(names), value=places)
    return gr.update(choices=[(say("files_tab.none"), ""), *list_places(names)], value="".join(places[:1]))


def list_places(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return names to choose from; they go by their places, for a name may be anything."""
    shown_names = name_systems(names, files=False, most=MAX_NAME) if names else []
    return [(name, str(place)) for place, name in enumerate(shown_names)]


def about_cells(files: Files | None, prediction: Any, reference: Any, separator: str) -> Updates:
    """Return what is to be chosen where there are such cells: empty ones, several references, thinking aloud."""
    if files is None:
        return dict.fromkeys(("empty", "references", "reasoning", "reasoning_tags", "split", MULTI), hide())
    names = files.table.choices
    predictions = [find_column(names, place) for place in prediction or []] or [""]
    columns = [find_column(names, place) for place in reference or []]
    first = files.sents[0]
    cells = [cell for column in columns for cell in files.table.cells(column)]
    several = len(columns) > 1 or any(has_several(cell, separator) for cell in cells)
    answers = sum(sent.blanks(name) for sent in files.sents for name in predictions)
    references = sum(first.blanks(column) for column in columns[:1])
    info = say("files_tab.empty_info", answers=answers, references=references)
    multi = gr.update(visible=True) if several else gr.update(visible=False, value="first")
    return {
        "empty": gr.update(visible=bool(answers or references), info=info),
        "references": gr.update(visible=several),
        "split": split_button(find_unsplit(cells) if not separator else None),
        MULTI: multi,
        **about_thinking(cell for sent in files.sents for name in predictions for cell in sent.table.cells(name)),
    }


def has_several(cell: Any, separator: str) -> bool:
    """Return whether a cell of references holds several."""
    return isinstance(cell, list) or isinstance(split_references(str(cell), separator), list)


def about_thinking(cells: Iterable[Any]) -> Updates:
    """Return what is to be chosen where answers think aloud, and where they may do so in marks that are not known."""
    thinking, marks = 0, UnknownMarks()
    for cell in cells:
        for text in list_answers(cell):
            if isinstance(text, str):
                thinking += bool(without_thinking(text)[1])
                marks.add_answer(text)
    unknown = marks.find_commonest()
    info = say("files_tab.tags_info", **asdict(unknown)) if unknown else ""
    return {
        "reasoning": gr.update(visible=bool(thinking or unknown), info=say("files_tab.reasoning_info", count=thinking)),
        "reasoning_tags": gr.update(visible=bool(unknown), info=info, **({} if unknown else {"value": ""})),
    }


def split_button(found: Unsplit | None) -> Any:
    """Return the button that fills in a separator that nobody named, with how many references have it."""
    told = say("files_tab.split", **asdict(found)) if found else ""
    return gr.update(value=told, visible=bool(found))


def split_chosen(files: Files | None, reference: Any) -> Updates:
    """Fill in the separator that was found in the references."""
    columns = [find_column(files.table.choices, place) for place in reference or []] if files else []
    found = find_unsplit(cell for column in columns for cell in files.table.cells(column)) if files else None
    return {"separator": found.separator} if found else {}


def first_rows(table: Table) -> dict[str, list[Any]]:
    """Return the first rows of a file."""

    def text(cell: Any) -> str:
        return show_text("–" if cell is None else cell if is_kind(cell, "texts") else str(cell))

    columns = [map(text, column[:PREVIEW_ROWS]) for column in table.columns.values()]
    return {"headers": [show_text(name) for name in table.columns], "data": list(map(list, zip(*columns, strict=True)))}


def list_downloads() -> dict[str, str]:
    """Return what there is to know of the metrics whose model is not on this machine, by their names."""
    models = {name: one.model for name, one in BY_NAME.items() if one.model}
    return {
        name: say(
            "files_tab.model_note",
            title=BY_NAME[name].title,
            model=one.name(),
            size=model_files.format_download_size(one),
        )
        for name, one in models.items()
        if not model_files.is_on_disk(one.name())
    }


def hide() -> Any:
    """Return the update that hides a part."""
    return gr.update(visible=False)


def find_column(names: Sequence[str], place: object) -> str:
    """Return the column at a place, empty for none."""
    at = parse_whole(place, len(names) - 1) if isinstance(place, str) else None
    return "" if at is None else names[at]


def build_form() -> Updates:
    """Build the fields for files and for what is chosen for them."""
    gr.Markdown(f"## {say('files_tab.head')}\n{say('files_tab.info')}", container=False)
    field = gr.File(file_count="multiple", file_types=KINDS, label=say("files_tab.file"), height=130, elem_id="ft-file")
    encodings = [("UTF-8", ""), *((name, name) for name in ENCODINGS)]
    labels = {"label": say("files_tab.encoding"), "info": say("files_tab.encoding_info")}
    encoding = gr.Dropdown(encodings, value="", visible=False, elem_id="ft-encoding", **labels)
    parts: Updates = {"file": field, "encoding": encoding}
    with gr.Row():
        parts["example"] = gr.Button(say("page.try_example"), size="sm", min_width=120, elem_id="ft-try")
        gr.DownloadButton(say("page.get_example"), EXAMPLE, size="sm", min_width=120)
    limits = say("files_tab.file_info", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS, columns=MAX_COLUMNS)
    gr.Markdown(limits, container=False, elem_classes="ft-info")
    with gr.Column(visible=False, elem_id="ft-form") as parts["form"]:
        labels = {"label": say("files_tab.filter"), "info": say("files_tab.filter_info")}
        parts["filter"] = gr.Dropdown([], visible=False, elem_id="ft-filter", **labels)
        with gr.Row():
            for role in (*COLUMNS, "judges"):
                label, wide = say(f"role.{role}").capitalize(), {"multiselect": True} if role in SEVERAL else {}
                parts[role] = gr.Dropdown([], label=label, min_width=130, elem_id=f"ft-{role}", **wide)
        labels = {"label": say("files_tab.stand_in"), "info": say("files_tab.stand_in_info")}
        parts["stand_in"] = gr.Dropdown([], elem_id="ft-stand-in", **labels)
        parts["separator"] = gr.Textbox(label=say("files_tab.separator"), max_length=20, elem_id="ft-separator")
        parts["split"] = gr.Button(visible=False, size="sm", elem_id="ft-split")
        ways = [(say(f"files_tab.references_{way}"), way) for way in REFERENCES]
        looks: dict[str, Any] = {"visible": False, "elem_id": "ft-references"}
        parts["references"] = gr.Radio(
            ways, value=ReadingOptions.references, label=say("files_tab.references"), **looks
        )
        ways = [(say(f"files_tab.empty_{way}"), way) for way in SCORED_EMPTY]
        final = [(say("files_tab.final_whole"), ""), (r"\boxed{…}", BOXED), *((words, words) for words in MARKERS)]
        parts["final"] = gr.Dropdown(
            final,
            value="",
            label=say("files_tab.final"),
            info=say("files_tab.final_info"),
            allow_custom_value=True,
            elem_id="ft-final",
        )
        thinking = [(say(f"files_tab.reasoning_{way}"), way) for way in REASONING]
        looks = {"visible": False, "elem_id": "ft-reasoning"}
        parts["reasoning"] = gr.Radio(
            thinking, value=ReadingOptions.reasoning, label=say("files_tab.reasoning"), **looks
        )
        looks = {"visible": False, "max_length": 200, "elem_id": "ft-reasoning-tags"}
        parts["reasoning_tags"] = gr.Textbox(label=say("files_tab.tags"), **looks)
        parts["empty"] = gr.Radio(
            ways, value=ReadingOptions.empty, label=say("files_tab.empty"), visible=False, elem_id="ft-empty"
        )
        parts[MULTI] = multi_reference(visible=False, elem_id="ft-multi-reference")
        titles = [(BY_NAME[name].title, name) for name in METRIC_NAMES]
        parts["metrics"] = gr.CheckboxGroup(titles, label=say("files_tab.metrics"), elem_id="ft-metrics")
    with gr.Row():
        parts["go"] = gr.Button(say("files_tab.start"), variant="primary", min_width=120, elem_id="ft-start")
        parts["cancel"] = gr.Button(say("page.cancel"), min_width=100, elem_id="ft-cancel")
    speaking = SPEAKING.replace("ADD_FILES", json.dumps(say("files_tab.add")))
    parts["status"] = gr.HTML(say("judge_check.start"), js_on_load=speaking, elem_id="ft-status")
    return parts
