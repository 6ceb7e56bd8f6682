"""What there is to tell of a system beside its figures: doubts, warnings of modules, rows on which a metric failed."""

from __future__ import annotations

from collections.abc import Mapping

from lens.experiment.systems import System
from lens.inference import intervals
from lens.scoring.catalog import BY_NAME
from lens.scoring.rows import MetricNotes
from lens.scoring.table_scores import TableScores
from lens.study.tables import AnswerTable
from lens.words import has_text, say
from lens.words.formats import format_percent

# Rows on which a metric failed that a report names; it counts all of them.
MOST_ERRORS = 3


def list_notes(table: AnswerTable, notes: Mapping[str, MetricNotes], system: System) -> list[str]:
    """Return what there is to tell of a system, in words.

    Args:
        table: the table with its answers.
        notes: what the metrics say of this table.
        system: the system.
    """
    lines = [str(note) for note in table.index.list_doubts()]
    lines += describe_first_only(notes)
    lines += describe_warnings(notes)
    lines += describe_row_errors(table.scores, set(system.rows.tolist()))
    for name, own in notes.items():
        lines += [f"{name}: {note}" for note in (*own.notes(), *describe_flips(own))]
    return lines


def describe_flips(notes: MetricNotes) -> list[str]:
    """Return in how many rows a judge's replies to one prompt differ, where it was asked several times."""
    if not notes.repeated:
        return []
    share = notes.flipped / notes.repeated
    low, high = intervals.share_interval(share, notes.repeated)
    shares = {"share": format_percent(share), "low": format_percent(low), "high": format_percent(high)}
    return [say("systems.flips", rows=notes.repeated, count=notes.flipped, **shares)]


def describe_first_only(notes: Mapping[str, MetricNotes]) -> list[str]:
    """Return which metrics read the first of several references only, where rows have several."""
    titles = [BY_NAME[name].title for name, own in notes.items() if own.reads_first]
    several = max((own.several for own in notes.values()), default=0)
    if not several or not titles:
        return []
    return [say("table.several", count=several, titles=say("page.list_comma").join(titles))]


def describe_row_errors(scores: TableScores, rows: set[int]) -> list[str]:
    """Return one sentence for each of the first rows of a system on which a metric failed."""
    lines = []
    for name in scores.metrics:
        errors = scores.errors[name]
        for row in sorted(rows & errors.keys())[:MOST_ERRORS]:
            lines.append(say("table.row_error", title=BY_NAME[name].title, row=row + 1, error=errors[row]))
    return lines


def describe_warnings(notes: Mapping[str, MetricNotes]) -> list[str]:
    """Return one sentence for each warning and count, with the metrics that give it."""
    titles: dict[tuple[str, int], list[str]] = {}
    for name, own in notes.items():
        for warning, count in own.warnings.items():
            titles.setdefault((warning, count), []).append(BY_NAME[name].title)
    lines = []
    for (warning, count), named in titles.items():
        key = f"warning.{warning}"
        if has_text(key):  # a module of the Hub may be newer than this program
            lines.append(say(key, count=count, titles=say("page.list_comma").join(named)))
    return lines
