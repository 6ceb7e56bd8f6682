"""What the form of the tab "Files" offers: files are read, and their columns are guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import gradio as gr

from lens.experiment.systems import MAX_SYSTEMS
from lens.page.files.file_scoring import MULTI
from lens.page.files.files_results import show_text
from lens.page.files.form_fields import EXAMPLE, FURTHER_COLUMNS
from lens.page.html import escape
from lens.page.serving import uploads
from lens.page.tab import Sent, Updates, read_example, read_upload, show_part
from lens.scoring import model_files
from lens.scoring.catalog import BY_NAME, METRIC_NAMES, list_series
from lens.study.annotations import STAND_IN
from lens.tables.cells import is_kind, list_answers, parse_whole
from lens.tables.column_names import find_doubts
from lens.tables.final_answer import remove_thinking
from lens.tables.roles import (
    CELL_OPTIONS,
    COLUMNS,
    REFERENCES,
    SEVERAL,
    guess_roles,
    join_names,
)  # fmt: skip
from lens.tables.separators import Unsplit, find_unsplit, split_references
from lens.tables.text_files import WrongEncoding
from lens.tables.thinking_marks import UnknownMarks
from lens.tables.untrusted import Table
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import MAX_NAME, name_systems, shorten_name, show_name

EXAMPLE_ROLES = {"group": ["topic"], "prediction": ["answer", "answer_b"]}
# Up to so many files are named one by one when they are read.
FEW_FILES = 4
# What is chosen besides columns and metrics.
CHOICES = (*CELL_OPTIONS, MULTI)
PREVIEW_ROWS = 3
# What all files of a visitor may take in memory.
MOST_TOGETHER = 40_000_000


@dataclass(frozen=True, eq=False)
class Files:
    """The files that were read, by where each had lain, and what could not be read of those that
    were sent.
    """

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


def files_chosen(
    paths: list[str] | None, before: Files | None, encoding: str | None = None
) -> Updates:
    """Files were chosen, or taken away again; one that was read before is not there any more, and
    is not read again.

    What was chosen for the first one stays where that is the same. The encoding can be chosen once
    one does not fit.
    """
    asks = {}
    known = dict(zip(before.paths, before.sents, strict=True)) if before else {}
    read: dict[str, Sent] = {}
    paths = paths or []
    refusal = (
        say("systems.many_systems", count=len(paths), limit=MAX_SYSTEMS)
        if len(paths) > MAX_SYSTEMS
        else ""
    )
    for path in [] if refusal else paths:
        try:
            read[path] = known[path] if path in known else read_upload(path, True, encoding or "")
            if sum(one.size for one in read.values()) > MOST_TOGETHER:
                raise UserError("files_tab.too_much", size=MOST_TOGETHER // 1_000_000)
        except UserError as error:
            read.pop(path, None)
            name = (
                shorten_name(path.rpartition("/")[2]) + say("page.colon") if len(paths) > 1 else ""
            )
            refusal = join_sentences(refusal, f"{name}{error}")
            if isinstance(error, WrongEncoding):
                asks = {"encoding": gr.update(visible=True)}
    if len(read) < len(paths) and not refusal:
        refusal = say("files_tab.twice")
    for path in paths:  # what was not read, and what was sent again
        uploads.delete_upload(path)
    files = Files(list(read.values()), list(read), refusal) if read else None
    return (
        show_choices(
            files, refusal, anew=not (before and files and files.sents[0] is before.sents[0])
        )
        | asks
    )


def filter_chosen(files: Files | None, place: Any) -> Updates:
    """Another filter of a log was chosen, by its place: its rows are read, and what is chosen for
    them stays.
    """
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
    filters = (
        say("log.filter", filter=show_name(sent.filter), others=join_names(others))
        if others
        else ""
    )
    return join_sentences(
        say("files_tab.read", name=show_text(sent.name), rows=sent.table.rows),
        sent.table.told,
        filters,
    )


def describe_files(sents: Sequence[Sent]) -> list[str]:
    """Return what was read of each file; of many, how many and how many rows."""
    if len(sents) <= FEW_FILES:
        return list(map(describe_reading, sents))
    rows = [sent.table.rows for sent in sents]
    told = dict.fromkeys(str(sent.table.told) for sent in sents if sent.table.told)
    counts = {"files": len(sents), "least": min(rows), "most": max(rows), "total": sum(rows)}
    return [
        say("files_tab.read_alike" if min(rows) == max(rows) else "files_tab.read_many", **counts),
        *told,
    ]


def name_further_columns(roles: Mapping[str, Sequence[str]]) -> str:
    """Return the line behind which the further columns stand, with those that are chosen."""
    chosen = [say(f"role.{role}") for role in FURTHER_COLUMNS if roles.get(role)]
    if not chosen:
        return say("files_tab.further_columns")
    return say("files_tab.further_chosen", roles=say("page.list_comma").join(chosen))


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
    roles = {role: [name] for role, name in guessed.single_columns().items()} | {
        "judges": list(guessed.judges)
    }
    roles |= EXAMPLE_ROLES if first.made_up else {}
    if (
        len(files.sents) > 1
        or len({*map(str, files.table.cells("".join(roles.get("system", ()))))}) < 2
    ):
        roles.pop("system", None)
    missing, calls = list_downloads(), sum(one.table.rows for one in files.sents)
    metrics: dict[str, Any] = {
        "info": " ".join([say("files_tab.judge_note", calls=calls), *missing.values()])
    }
    if anew:
        found |= {
            role: column_choice(role, names, roles.get(role, [])) for role in (*COLUMNS, "judges")
        }
        scores = [(one.title, one.key) for one in list_series(METRIC_NAMES) if one.primary]
        found["stand_in"] = gr.update(choices=[*scores, *list_places(names)], value=STAND_IN)
        found["references"] = gr.update(
            value=REFERENCES[any(one.table.needs_all for one in files.sents)]
        )
        metrics["value"] = [
            name for name in METRIC_NAMES if not BY_NAME[name].judge and name not in missing
        ]
    filters = list(list_filters(files))
    chosen = str(filters.index(first.filter)) if filters else None
    return found | {
        "status": escape(
            join_sentences(
                refusal,
                *describe_files(files.sents),
                *list_doubts(names, roles),
                say("files_tab.then_start"),
            )
        ),
        "form": gr.update(visible=True),
        "further": gr.update(label=name_further_columns(roles)),
        "filter": gr.update(choices=list_places(filters), value=chosen, visible=len(filters) > 1),
        "metrics": gr.update(**metrics),
        "preview": gr.update(value=first_rows(first.table), visible=True),
    }


def list_doubts(names: Sequence[str], roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Return, in words, which columns could have been meant for another role than the form has
    chosen.
    """
    taken = {role: column for role, columns in roles.items() for column in columns}
    return [
        one.describe(command=False)
        for one in find_doubts(names, taken, ("reference", "prediction"))
    ]


def column_choice(role: str, names: Sequence[str], chosen: Sequence[str]) -> Any:
    """Return a field's columns to choose from: several for answers, one for each other role."""
    places = [str(names.index(name)) for name in chosen if name in names]
    if role in SEVERAL:
        return gr.update(choices=list_places(names), value=places)
    return gr.update(
        choices=[(say("files_tab.none"), ""), *list_places(names)], value="".join(places[:1])
    )


def list_places(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return names to choose from; they go by their places, for a name may be anything."""
    shown_names = name_systems(names, files=False, most=MAX_NAME) if names else []
    return [(name, str(place)) for place, name in enumerate(shown_names)]


def about_cells(files: Files | None, prediction: Any, reference: Any, separator: str) -> Updates:
    """Return what is to be chosen where there are such cells: empty ones, several references,
    thinking aloud.
    """
    if files is None:
        return dict.fromkeys(
            ("empty", "references", "reasoning", "reasoning_tags", "split", MULTI), hide()
        )
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
        **about_thinking(
            cell for sent in files.sents for name in predictions for cell in sent.table.cells(name)
        ),
    }


def has_several(cell: Any, separator: str) -> bool:
    """Return whether a cell of references holds several."""
    return isinstance(cell, list) or isinstance(split_references(str(cell), separator), list)


def about_thinking(cells: Iterable[Any]) -> Updates:
    """Return what is to be chosen where answers think aloud, and where they may do so in marks that
    are not known.
    """
    thinking, marks = 0, UnknownMarks()
    for cell in cells:
        for text in list_answers(cell):
            if isinstance(text, str):
                thinking += bool(remove_thinking(text)[1])
                marks.add_answer(text)
    unknown = marks.find_commonest()
    info = say("files_tab.tags_info", **asdict(unknown)) if unknown else ""
    return {
        "reasoning": gr.update(
            visible=bool(thinking or unknown), info=say("files_tab.reasoning_info", count=thinking)
        ),
        "reasoning_tags": gr.update(
            visible=bool(unknown), info=info, **({} if unknown else {"value": ""})
        ),
    }


def split_button(found: Unsplit | None) -> Any:
    """Return the button that fills in a separator that nobody named, with how many references have
    it.
    """
    told = say("files_tab.split", **asdict(found)) if found else ""
    return gr.update(value=told, visible=bool(found))


def split_chosen(files: Files | None, reference: Any) -> Updates:
    """Fill in the separator that was found in the references."""
    columns = (
        [find_column(files.table.choices, place) for place in reference or []] if files else []
    )
    found = (
        find_unsplit(cell for column in columns for cell in files.table.cells(column))
        if files
        else None
    )
    return {"separator": found.separator} if found else {}


def first_rows(table: Table) -> dict[str, list[Any]]:
    """Return the first rows of a file."""

    def text(cell: Any) -> str:
        return show_text("–" if cell is None else cell if is_kind(cell, "texts") else str(cell))

    columns = [map(text, column[:PREVIEW_ROWS]) for column in table.columns.values()]
    return {
        "headers": [show_text(name) for name in table.columns],
        "data": list(map(list, zip(*columns, strict=True))),
    }


def list_downloads() -> dict[str, str]:
    """Return what there is to know of the metrics whose model is not on this machine, by their
    names.
    """
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
