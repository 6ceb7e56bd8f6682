"""Notes on a system: doubts on columns, warnings of modules, and rows on which a metric failed."""

from __future__ import annotations

from collections.abc import Mapping

from lens.experiment.systems import System
from lens.inference import intervals
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.table_scores import TableScores
from lens.study.tables import AnswerTable
from lens.words import has_text
from lens.words.formats import Percent
from lens.words.notes import Listing, Note

# A report names at most this many rows on which a metric failed; it counts all of them.
MAX_ROW_ERRORS = 3


def list_notes_on_system(
    table: AnswerTable, notes: Mapping[str, MetricNotes], system: System
) -> list[Note]:
    """Return the notes on a system.

    Args:
        table: the table with the system's answers.
        notes: the notes of the metrics on this table.
        system: the system.
    """
    system_notes = table.index.list_doubts()
    system_notes += list_first_reference_notes(notes)
    system_notes += list_warnings(notes)
    positions = set(system.positions.tolist())
    system_notes += list_row_errors(table.scores, positions)
    for name, metric_notes in notes.items():
        for note in [*metric_notes.list_notes(), *list_flip_notes(metric_notes)]:
            system_notes.append(Note("report.note_of_metric", {"name": name, "note": note}))
    return system_notes


def list_flip_notes(notes: MetricNotes) -> list[Note]:
    """Return a note on the rows whose verdict differs between repeated requests to a judge."""
    if not notes.repeated:
        return []
    share = notes.flipped / notes.repeated
    low, high = intervals.share_interval(share, notes.repeated)
    values = {
        "rows": notes.repeated,
        "count": notes.flipped,
        "share": Percent(share),
        "low": Percent(low),
        "high": Percent(high),
    }
    return [Note("systems.flips", values)]


def list_first_reference_notes(notes: Mapping[str, MetricNotes]) -> list[Note]:
    """Return a note on metrics that read only the first reference, if rows have several."""
    titles = []
    count = 0
    for name, metric_notes in notes.items():
        count = max(count, metric_notes.rows_with_several_references)
        if metric_notes.reads_first_reference:
            titles.append(BY_NAME[name].title)
    if not count or not titles:
        return []
    return [Note("table.several", {"count": count, "titles": Listing(titles)})]


def list_row_errors(scores: TableScores, rows: set[int]) -> list[Note]:
    """Return one note per row for the first rows on which a metric failed."""
    notes = []
    for name in scores.metrics:
        title = BY_NAME[name].title
        errors = scores.errors[name]
        failed = sorted(rows & errors.keys())
        for row in failed[:MAX_ROW_ERRORS]:
            values = {"title": title, "row": row + 1, "error": errors[row]}
            notes.append(Note("table.row_error", values))
    return notes


def list_warnings(notes: Mapping[str, MetricNotes]) -> list[Note]:
    """Return one note per warning and count, with the metrics that have it."""
    titles_by_warning: dict[tuple[str, int], list[str]] = {}
    for name, metric_notes in notes.items():
        for warning_and_count in metric_notes.warnings.items():
            titles = titles_by_warning.setdefault(warning_and_count, [])
            titles.append(BY_NAME[name].title)
    warnings = []
    for (warning, count), titles in titles_by_warning.items():
        key = f"warning.{warning}"
        if has_text(key):  # a module of the Hub may be newer than this program
            warnings.append(Note(key, {"count": count, "titles": Listing(titles)}))
    return warnings
