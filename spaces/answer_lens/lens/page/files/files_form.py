"""The form of the tab "Files": describes files, and offers their columns as choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr

from lens.experiment.systems import MAX_SYSTEMS
from lens.page.files.files_reading import Files, FilesReading, read_files
from lens.page.files.files_results import show_text
from lens.page.files.form_fields import EXAMPLE, FURTHER_COLUMNS
from lens.page.html import escape
from lens.page.serving import uploads
from lens.page.tab import Updates, VisitorFile, read_example, show_part
from lens.scoring import model_files
from lens.scoring.catalog import BY_NAME, METRIC_NAMES, MULTI_REFERENCE, list_series
from lens.study.annotations import STAND_IN
from lens.tables.cells import fits_column_type, parse_integer
from lens.tables.column_names import find_doubts
from lens.tables.roles import (
    CELL_OPTIONS,
    COLUMN_ROLES,
    MULTI_COLUMN_ROLES,
    REFERENCE_USES,
    guess_roles,
    join_names,
)  # fmt: skip
from lens.tables.untrusted import Table
from lens.words import join_sentences, say
from lens.words.printed import MAX_NAME, name_systems, show_name

# The columns of the example that are not recognised by their names.
EXAMPLE_ROLES = {"group": ["topic"], "prediction": ["answer", "answer_b"]}
# Up to this many files are described one by one after reading.
FEW_FILES = 4
# The choices of reading and scoring, besides columns and metrics.
CHOICES = (*CELL_OPTIONS, MULTI_REFERENCE)
# How many rows of a file are shown.
PREVIEW_ROWS = 3


def read_chosen_files(
    paths: list[str] | None, before: Files | None, encoding: str | None = None
) -> Updates:
    """Read the chosen files, and return the updates of the form.

    A file that was read before is not read again, because its upload is deleted. If the first file
    is unchanged, the choices stay. If a file does not fit its encoding, the field for the encoding
    is shown.
    """
    paths = paths or []
    reading = FilesReading()
    if len(paths) > MAX_SYSTEMS:
        message = say("systems.many_systems", count=len(paths), limit=MAX_SYSTEMS)
        reading.refusals.append(message)
    else:
        reading = read_files(paths, before, encoding or "")
    uploads_by_path = reading.uploads
    if len(uploads_by_path) < len(paths) and not reading.refusals:
        reading.refusals.append(say("files_tab.twice"))
    # Deletes uploads that were not read, or were sent again.
    for path in paths:
        uploads.delete_upload(path)
    refusal = join_sentences(*reading.refusals)
    files = None
    if uploads_by_path:
        files = Files(list(uploads_by_path.values()), list(uploads_by_path), refusal)
    is_same = False
    if before and files:
        is_same = files.uploads[0] is before.uploads[0]
    updates = show_choices(files, refusal, is_new=not is_same)
    if reading.asks_encoding:
        updates["encoding"] = gr.update(visible=True)
    return updates


def show_filter(files: Files | None, place: Any) -> Updates:
    """Show the rows of another filter of a log, given its position; the choices stay."""
    if files is None:
        return show_choices(None)
    name = find_column(list_filters(files), place)
    filtered = [file.select_filter(name) for file in files.uploads]
    return show_choices(Files(filtered, files.paths), is_new=False)


def list_filters(files: Files) -> Sequence[str]:
    """Return the filters of the first file; empty if it is not a log with filters."""
    return files.uploads[0].filters


def describe_reading(file: VisitorFile) -> str:
    """Return sentences on a file: its rows, and notes on how it was read."""
    rows = say("files_tab.read", name=show_text(file.name), rows=file.table.rows)
    other_filters = [name for name in file.filters if name != file.filter]
    filters = ""
    if other_filters:
        shown_filter = show_name(file.filter)
        filters = say("log.filter", filter=shown_filter, others=join_names(other_filters))
    return join_sentences(rows, file.table.reading_notes, filters)


def describe_files(uploads: Sequence[VisitorFile]) -> list[str]:
    """Return sentences on each file; for many files, only their number and their rows."""
    if len(uploads) <= FEW_FILES:
        return list(map(describe_reading, uploads))
    rows = [file.table.rows for file in uploads]
    fewest = min(rows)
    most = max(rows)
    key = "files_tab.read_alike" if fewest == most else "files_tab.read_many"
    counts = {"files": len(uploads), "least": fewest, "most": most, "total": sum(rows)}
    sentences = [say(key, **counts)]
    for file in uploads:
        notes = file.table.reading_notes
        if notes and notes not in sentences:
            sentences.append(notes)
    return sentences


def name_further_columns(roles: Mapping[str, Sequence[str]]) -> str:
    """Return the title of the part with further columns, which names the chosen ones."""
    chosen = [say(f"role.{role}") for role in FURTHER_COLUMNS if roles.get(role)]
    if not chosen:
        return say("files_tab.further_columns")
    roles_text = say("page.list_comma").join(chosen)
    return say("files_tab.further_chosen", roles=roles_text)


def show_example() -> Updates:
    """Read the example, and return the updates that show its form."""
    example = read_example(EXAMPLE, everything=True)
    updates = show_choices(Files([example]))
    return updates | {"file": None}


def show_choices(files: Files | None, refusal: str = "", is_new: bool = True) -> Updates:
    """Return the updates that show the choices and the first rows; earlier results are removed.

    Args:
        files: the files that were read; None if there are none.
        refusal: why other files were not read.
        is_new: whether columns and metrics are guessed; if not, the choices stay.
    """
    updates: Updates = {
        "files": files,
        "run": None,
        "scored": None,
        "results": show_part(False),
    }
    if files is None:
        updates["status"] = escape(refusal or say("judge_check.start"))
        # The field is not emptied after the user has emptied it: the next file may be on its way.
        if refusal:
            updates["file"] = None
        return updates | {"form": hide_part(), "preview": hide_part()}
    roles = guess_columns(files)
    if is_new:
        updates |= offer_all_columns(files, roles)
    sentences = [*describe_files(files.uploads), *list_doubts(files.table.choices, roles)]
    status = join_sentences(refusal, *sentences, say("files_tab.then_start"))
    return updates | {
        "status": escape(status),
        "form": gr.update(visible=True),
        "further": gr.update(label=name_further_columns(roles)),
        "filter": offer_filters(files),
        "metrics": offer_metrics(files, is_new),
        "preview": gr.update(value=show_first_rows(files.table), visible=True),
    }


def offer_filters(files: Files) -> Any:
    """Return the filters of a log to choose from; the field shows if it has two or more."""
    filters = list(list_filters(files))
    chosen = None
    if filters:
        place = filters.index(files.uploads[0].filter)
        chosen = str(place)
    return gr.update(
        choices=list_places(filters),
        value=chosen,
        visible=len(filters) > 1,
    )


def offer_metrics(files: Files, is_new: bool) -> Any:
    """Return what calls of judges and downloads of models the metrics need.

    If `is_new`, all metrics that need neither are chosen.
    """
    calls = sum(file.table.rows for file in files.uploads)
    missing_models = list_downloads()
    judge_note = say("files_tab.judge_note", calls=calls)
    info = " ".join([judge_note, *missing_models.values()])
    if not is_new:
        return gr.update(info=info)
    chosen = []
    for name in METRIC_NAMES:
        if not BY_NAME[name].judge and name not in missing_models:
            chosen.append(name)
    return gr.update(info=info, value=chosen)


def guess_columns(files: Files) -> dict[str, list[str]]:
    """Return the columns of each role, guessed by their names."""
    first = files.uploads[0]
    wrong_verdicts = first.table.find_wrong_verdicts()
    guessed = guess_roles(files.table.choices, wrong_verdicts)
    roles = {role: [name] for role, name in guessed.single_columns().items()}
    roles["judges"] = list(guessed.judges)
    if first.is_example:
        roles |= EXAMPLE_ROLES
    # A column names systems only in a lone file, and only where it has several names.
    systems = set[str]()
    for name in roles.get("system", ()):
        cells = files.table.cells(name)
        systems.update(map(str, cells))
    if len(files.uploads) > 1 or len(systems) < 2:
        roles.pop("system", None)
    return roles


def offer_all_columns(files: Files, roles: Mapping[str, Sequence[str]]) -> Updates:
    """Return the updates that offer columns, with the guessed ones chosen."""
    names = files.table.choices
    updates: Updates = {}
    for role in (*COLUMN_ROLES, "judges"):
        chosen = roles.get(role, [])
        updates[role] = offer_columns(role, names, chosen)
    scores = []
    for series in list_series(METRIC_NAMES):
        if series.primary:
            scores.append((series.title, series.key))
    updates["stand_in"] = gr.update(
        choices=[*scores, *list_places(names)],
        value=STAND_IN,
    )
    needs_all = any(file.table.needs_all for file in files.uploads)
    best_counts, all_count = REFERENCE_USES
    updates["references"] = gr.update(value=all_count if needs_all else best_counts)
    return updates


def list_doubts(names: Sequence[str], roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Return sentences on columns that may be meant for another role than the guessed one."""
    # If a role has several columns, the last one counts.
    chosen = {role: columns[-1] for role, columns in roles.items() if columns}
    doubts = find_doubts(names, chosen, ("reference", "prediction"))
    return [doubt.describe(command=False) for doubt in doubts]


def offer_columns(role: str, names: Sequence[str], chosen: Sequence[str]) -> Any:
    """Return the update of the field for a role, with the columns and the chosen ones."""
    places = [str(names.index(name)) for name in chosen if name in names]
    choices = list_places(names)
    if role in MULTI_COLUMN_ROLES:
        return gr.update(choices=choices, value=places)
    no_column = (say("files_tab.none"), "")
    place = places[0] if places else ""
    return gr.update(choices=[no_column, *choices], value=place)


def list_places(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return names as choices; their values are positions, because a name may be any text."""
    if not names:
        return []
    shown_names = name_systems(names, files=False, max_length=MAX_NAME)
    return [(name, str(place)) for place, name in enumerate(shown_names)]


def show_first_rows(table: Table) -> dict[str, list[Any]]:
    """Return the first rows of a file as a table."""
    headers = []
    columns = []
    for name, cells in table.columns.items():
        headers.append(show_text(name))
        columns.append(map(show_cell, cells[:PREVIEW_ROWS]))
    rows = list(map(list, zip(*columns, strict=True)))
    return {"headers": headers, "data": rows}


def show_cell(cell: Any) -> str:
    """Return a cell of a file as a shortened text."""
    if cell is None:
        return "–"
    if fits_column_type(cell, "texts"):
        return show_text(cell)
    return show_text(str(cell))


def list_downloads() -> dict[str, str]:
    """Return a note for each metric whose model is not on this machine, by the metric's name."""
    notes = {}
    for name, metric in BY_NAME.items():
        model = metric.model
        if model is None or model_files.is_on_disk(model.name()):
            continue
        notes[name] = say(
            "files_tab.model_note",
            title=metric.title,
            model=model.name(),
            size=model_files.format_download_size(model),
        )
    return notes


def hide_part() -> Any:
    """Return the update that hides a part."""
    return gr.update(visible=False)


def find_column(names: Sequence[str], place: object) -> str:
    """Return the column at a position; empty if there is none."""
    if not isinstance(place, str):
        return ""
    number = parse_integer(place, len(names) - 1)
    if number is None:
        return ""
    return names[number]
