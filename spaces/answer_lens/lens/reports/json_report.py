"""A report as JSON: the frames of its sections under stable English names, numbers as numbers, and
what it is about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lens.reports.section import Section, format_note
from lens.words.notes import Note

PROGRAM = "Answer Lens"


def format_json(sections: Sequence[Section], about: Mapping[str, Any] | None = None) -> str:
    """Return a report as JSON.

    Args:
        sections: what it says.
        about: what it is about, by name: the version, the date, the inputs and the settings.
    """
    report = {
        "program": PROGRAM,
        **(about or {}),
        "sections": [section_values(section) for section in sections],
    }
    return json.dumps(report, indent=1, ensure_ascii=False, default=str) + "\n"


def section_values(section: Section) -> dict[str, Any]:
    """Return a section: its rows by the names of the columns.

    Titles and notes are in the language that is spoken.
    """
    return {
        "id": section.id,
        "title": str(section.title),
        "rows": section.frame.to_dict("records"),
        "notes": [note_values(note) for note in section.notes],
    }


def note_values(note: Note) -> dict[str, str]:
    """Return a note by its key and in words."""
    return {"key": note.key, "text": format_note(note)}
