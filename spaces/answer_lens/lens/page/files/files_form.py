"""The form of the tab "Files": reads files, and offers their columns as choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from lens.tables.cells import is_kind, parse_whole
from lens.tables.column_names import find_doubts
from lens.tables.roles import (
    CELL_OPTIONS,
    COLUMNS,
    REFERENCES,
    SEVERAL,
    guess_roles,
    join_names,
)  # fmt: skip
from lens.tables.text_files import WrongEncoding
from lens.tables.untrusted import Table
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import MAX_NAME, name_systems, shorten_name, show_name

EXAMPLE_ROLES = {"group": ["topic"], "prediction": ["answer", "answer_b"]}
# Up to this many files are described one by one after reading.
FEW_FILES = 4
# The choices besides columns and metrics.
CHOICES = (*CELL_OPTIONS, MULTI)
PREVIEW_ROWS = 3
# The limit for all files of a visitor together, in bytes of memory.
MOST_TOGETHER = 40_000_000


@dataclass(frozen=True, eq=False)
class Files:
    """The files that were read.

    Attributes:
        uploads: the content of each file.
        paths: the path of each upload, by which it is recognised if it is chosen again.
        refusal: why other files could not be read.
    """

    uploads: Sequence[Sent]
    paths: Sequence[str] = ()
    refusal: str = ""

    @property
    def size(self) -> int:
        """The approximate size of all files in memory, in bytes."""
        return sum(one.size for one in self.uploads)

    @property
    def table(self) -> Table:
        """The first table; the columns of the other tables follow its columns."""
        return self.uploads[0].table


def choose_files(
    paths: list[str] | None, before: Files | None, encoding: str | None = None
) -> Updates:
    """Read the chosen files, and return the updates of the form.

    A file that was read before is not read again, because its upload is deleted. If the first file
    is unchanged, the choices stay. If a file does not fit its encoding, the field for the encoding
    is shown.
    """
    paths = paths or []
    read: dict[str, Sent] = {}
    refusals: list[str] = []
    asks_encoding = False
    if len(paths) > MAX_SYSTEMS:
        refusals.append(say("systems.many_systems", count=len(paths), limit=MAX_SYSTEMS))
    else:
        asks_encoding = read_files(paths, before, encoding or "", read, refusals)
    if len(read) < len(paths) and not refusals:
        refusals.append(say("files_tab.twice"))
    # Deletes uploads that were not read, or were sent again.
    for path in paths:
        uploads.delete_upload(path)
    refusal = join_sentences(*refusals)
    files = Files(list(read.values()), list(read), refusal) if read else None
    is_same = before is not None and files is not None and files.uploads[0] is before.uploads[0]
    shown = show_choices(files, refusal, anew=not is_same)
    if asks_encoding:
        shown["encoding"] = gr.update(visible=True)
    return shown


def read_files(
    paths: Sequence[str],
    before: Files | None,
    encoding: str,
    read: dict[str, Sent],
    refusals: list[str],
) -> bool:
    """Read files into `read`, and add the messages of files that cannot be read to `refusals`.

    Returns:
        Whether the user must choose the encoding of a file.
    """
    known: dict[str, Sent] = {}
    if before:
        known = dict(zip(before.paths, before.uploads, strict=True))
    asks_encoding = False
    for path in paths:
        try:
            read[path] = known[path] if path in known else read_upload(path, True, encoding)
            if sum(sent.size for sent in read.values()) > MOST_TOGETHER:
                raise UserError("files_tab.too_much", size=MOST_TOGETHER // 1_000_000)
        except UserError as error:
            read.pop(path, None)
            name = ""
            if len(paths) > 1:
                name = shorten_name(path.rpartition("/")[2]) + say("page.colon")
            refusals.append(f"{name}{error}")
            asks_encoding = asks_encoding or isinstance(error, WrongEncoding)
    return asks_encoding


def choose_filter(files: Files | None, place: Any) -> Updates:
    """Show the rows of another filter of a log, given its position; the choices stay."""
    if files is None:
        return show_choices(None)
    wanted = find_column(list_filters(files), place)
    return show_choices(Files([one.only(wanted) for one in files.uploads], files.paths), anew=False)


def list_filters(files: Files | None) -> Sequence[str]:
    """Return the filters of the first file; empty if it is not a log with filters."""
    first = files.uploads[0] if files else None
    return first.every.filters if first and first.every else []


def describe_reading(sent: Sent) -> str:
    """Return sentences on a file: its rows, and notes on how it was read."""
    every = sent.every.filters if sent.every else []
    others = [name for name in every if name != sent.filter]
    filters = ""
    if others:
        filters = say("log.filter", filter=show_name(sent.filter), others=join_names(others))
    read = say("files_tab.read", name=show_text(sent.name), rows=sent.table.rows)
    return join_sentences(read, sent.table.reading_notes, filters)


def describe_files(uploads: Sequence[Sent]) -> list[str]:
    """Return sentences on each file; for many files, only their number and their rows."""
    if len(uploads) <= FEW_FILES:
        return list(map(describe_reading, uploads))
    rows = [sent.table.rows for sent in uploads]
    least = min(rows)
    most = max(rows)
    key = "files_tab.read_alike" if least == most else "files_tab.read_many"
    read = say(key, files=len(uploads), least=least, most=most, total=sum(rows))
    notes = [str(sent.table.reading_notes) for sent in uploads if sent.table.reading_notes]
    return [read, *dict.fromkeys(notes)]


def name_further_columns(roles: Mapping[str, Sequence[str]]) -> str:
    """Return the title of the part with further columns, which names the chosen ones."""
    chosen = [say(f"role.{role}") for role in FURTHER_COLUMNS if roles.get(role)]
    if not chosen:
        return say("files_tab.further_columns")
    return say("files_tab.further_chosen", roles=say("page.list_comma").join(chosen))


def choose_example() -> Updates:
    """Read the example, and return the updates that show its form."""
    return show_choices(Files([read_example(EXAMPLE, everything=True)])) | {"file": None}


def show_choices(files: Files | None, refusal: str = "", anew: bool = True) -> Updates:
    """Return the updates that show the choices and the first rows; earlier results are removed.

    Args:
        files: the files that were read; None if there are none.
        refusal: why other files were not read.
        anew: whether columns and metrics are guessed; if not, the choices stay.
    """
    shown: Updates = {
        "files": files,
        "run": None,
        "scored": None,
        "results": show_part(False),
    }
    if files is None:
        shown["status"] = escape(refusal or say("judge_check.start"))
        # A field that was emptied is left alone, for the next file may be on its way there.
        if refusal:
            shown["file"] = None
        return shown | {"form": hide(), "preview": hide()}
    roles = guess_columns(files)
    if anew:
        shown |= choose_columns(files, roles)
    read = [*describe_files(files.uploads), *list_doubts(files.table.choices, roles)]
    status = join_sentences(refusal, *read, say("files_tab.then_start"))
    return shown | {
        "status": escape(status),
        "form": gr.update(visible=True),
        "further": gr.update(label=name_further_columns(roles)),
        "filter": offer_filters(files),
        "metrics": offer_metrics(files, anew),
        "preview": gr.update(value=show_first_rows(files.table), visible=True),
    }


def offer_filters(files: Files) -> Any:
    """Return the filters of a log to choose from; the field shows if it has two or more."""
    filters = list(list_filters(files))
    chosen = str(filters.index(files.uploads[0].filter)) if filters else None
    return gr.update(choices=list_places(filters), value=chosen, visible=len(filters) > 1)


def offer_metrics(files: Files, anew: bool) -> Any:
    """Return what calls of judges and downloads of models the metrics need.

    If `anew`, all metrics that need neither are chosen.
    """
    calls = sum(sent.table.rows for sent in files.uploads)
    missing_models = list_downloads()
    info = " ".join([say("files_tab.judge_note", calls=calls), *missing_models.values()])
    if not anew:
        return gr.update(info=info)
    chosen = []
    for name in METRIC_NAMES:
        if not BY_NAME[name].judge and name not in missing_models:
            chosen.append(name)
    return gr.update(info=info, value=chosen)


def guess_columns(files: Files) -> dict[str, list[str]]:
    """Return the columns of each role, guessed by their names."""
    first = files.uploads[0]
    guessed = guess_roles(files.table.choices, first.table.find_wrong_verdicts())
    roles = {role: [name] for role, name in guessed.single_columns().items()}
    roles["judges"] = list(guessed.judges)
    if first.made_up:
        roles |= EXAMPLE_ROLES
    # A column names systems only in a lone file, and only where it has several names.
    systems = set[str]()
    for name in roles.get("system", ()):
        systems.update(map(str, files.table.cells(name)))
    if len(files.uploads) > 1 or len(systems) < 2:
        roles.pop("system", None)
    return roles


def choose_columns(files: Files, roles: Mapping[str, Sequence[str]]) -> Updates:
    """Return the updates that offer columns, with the guessed ones chosen."""
    names = files.table.choices
    shown: Updates = {}
    for role in (*COLUMNS, "judges"):
        shown[role] = offer_columns(role, names, roles.get(role, []))
    scores = [(series.title, series.key) for series in list_series(METRIC_NAMES) if series.primary]
    shown["stand_in"] = gr.update(choices=[*scores, *list_places(names)], value=STAND_IN)
    needs_all = any(sent.table.needs_all for sent in files.uploads)
    shown["references"] = gr.update(value=REFERENCES[needs_all])
    return shown


def list_doubts(names: Sequence[str], roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Return sentences on columns that may be meant for another role than the guessed one."""
    # Of a role with several columns the last one counts.
    chosen = {role: columns[-1] for role, columns in roles.items() if columns}
    doubts = find_doubts(names, chosen, ("reference", "prediction"))
    return [doubt.describe(command=False) for doubt in doubts]


def offer_columns(role: str, names: Sequence[str], chosen: Sequence[str]) -> Any:
    """Return the update of the field for a role, with the columns and the chosen ones."""
    places = [str(names.index(name)) for name in chosen if name in names]
    choices = list_places(names)
    if role in SEVERAL:
        return gr.update(choices=choices, value=places)
    return gr.update(choices=[(say("files_tab.none"), ""), *choices], value="".join(places[:1]))


def list_places(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return names as choices; their values are positions, because a name may be any text."""
    shown_names = name_systems(names, files=False, most=MAX_NAME) if names else []
    return [(name, str(place)) for place, name in enumerate(shown_names)]


def show_first_rows(table: Table) -> dict[str, list[Any]]:
    """Return the first rows of a file as a table."""
    columns = [map(show_cell, column[:PREVIEW_ROWS]) for column in table.columns.values()]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return {"headers": [show_text(name) for name in table.columns], "data": rows}


def show_cell(cell: Any) -> str:
    """Return a cell of a file as a shortened text."""
    if cell is None:
        return "–"
    return show_text(cell if is_kind(cell, "texts") else str(cell))


def list_downloads() -> dict[str, str]:
    """Return a note for each metric whose model is not on this machine, by the metric's name."""
    notes = {}
    for name, metric in BY_NAME.items():
        model = metric.model
        if model and not model_files.is_on_disk(model.name()):
            size = model_files.format_download_size(model)
            notes[name] = say(
                "files_tab.model_note", title=metric.title, model=model.name(), size=size
            )
    return notes


def hide() -> Any:
    """Return the update that hides a part."""
    return gr.update(visible=False)


def find_column(names: Sequence[str], place: object) -> str:
    """Return the column at a position; empty if there is none."""
    at = parse_whole(place, len(names) - 1) if isinstance(place, str) else None
    return "" if at is None else names[at]
