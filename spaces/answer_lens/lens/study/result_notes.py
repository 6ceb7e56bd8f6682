"""What there is to tell of a system beside its figures: doubts, warnings of modules, rows on which
a metric failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lens.experiment.systems import System
from lens.inference import intervals
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_notes import MetricNotes
from lens.scoring.table_scores import TableScores
from lens.study.tables import AnswerTable
from lens.words import has_text, say
from lens.words.formats import Percent
from lens.words.notes import Note

# Rows on which a metric failed that a report names; it counts all of them.
MOST_ERRORS = 3


def list_notes(table: AnswerTable, notes: Mapping[str, MetricNotes], system: System) -> list[Note]:
    """Return what there is to tell of a system.

    Args:
        table: the table with its answers.
        notes: what the metrics say of this table.
        system: the system.
    """
    found = table.index.list_doubts()
    found += list_first_only(notes)
    found += list_warnings(notes)
    found += list_row_errors(table.scores, set(system.rows.tolist()))
    for name, own in notes.items():
        for note in [*own.list_notes(), *list_flips(own)]:
            found.append(Note("report.note_of_metric", {"name": name, "note": note}))
    return found


def list_flips(notes: MetricNotes) -> list[Note]:
    """Return in how many rows a judge's replies to one prompt differ, where it was asked several
    times.
    """
    if not notes.repeated:
        return []
    share = notes.flipped / notes.repeated
    low, high = intervals.share_interval(share, notes.repeated)
    shares = {"share": Percent(share), "low": Percent(low), "high": Percent(high)}
    return [Note("systems.flips", {"rows": notes.repeated, "count": notes.flipped, **shares})]


def list_first_only(notes: Mapping[str, MetricNotes]) -> list[Note]:
    """Return which metrics read the first of several references only, where rows have several."""
    titles = [BY_NAME[name].title for name, own in notes.items() if own.reads_first]
    several = max((own.several for own in notes.values()), default=0)
    if not several or not titles:
        return []
    return [Note("table.several", {"count": several, "titles": join_titles(titles)})]


def list_row_errors(scores: TableScores, rows: set[int]) -> list[Note]:
    """Return one note for each of the first rows of a system on which a metric failed."""
    notes = []
    for name in scores.metrics:
        errors = scores.errors[name]
        for row in sorted(rows & errors.keys())[:MOST_ERRORS]:
            values = {"title": BY_NAME[name].title, "row": row + 1, "error": errors[row]}
            notes.append(Note("table.row_error", values))
    return notes


def list_warnings(notes: Mapping[str, MetricNotes]) -> list[Note]:
    """Return one note for each warning and count, with the metrics that give it."""
    titles: dict[tuple[str, int], list[str]] = {}
    for name, own in notes.items():
        for warning, count in own.warnings.items():
            titles.setdefault((warning, count), []).append(BY_NAME[name].title)
    found = []
    for (warning, count), own_titles in titles.items():
        key = f"warning.{warning}"
        if has_text(key):  # a module of the Hub may be newer than this program
            found.append(Note(key, {"count": count, "titles": join_titles(own_titles)}))
    return found


def join_titles(titles: Sequence[str]) -> str:
    """Return the titles of some metrics in words."""
    return say("page.list_comma").join(titles)
