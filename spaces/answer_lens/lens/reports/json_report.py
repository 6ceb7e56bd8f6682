"""Writes a report as JSON, with stable English names and unrounded numbers."""

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
        sections: the sections.
        about: further values: the version, the date, the inputs and the settings.
    """
    report = {
        "program": PROGRAM,
        **(about or {}),
        "sections": [list_section_values(section) for section in sections],
    }
    return json.dumps(report, indent=1, ensure_ascii=False, default=str) + "\n"


def list_section_values(section: Section) -> dict[str, Any]:
    """Return the id, title, rows and notes of a section.

    Titles and notes are in the current language.
    """
    return {
        "id": section.id,
        "title": str(section.title),
        "rows": section.frame.to_dict("records"),
        "notes": [list_note_values(note) for note in section.notes],
    }


def list_note_values(note: Note) -> dict[str, str]:
    """Return the key and the text of a note."""
    return {"key": note.key, "text": format_note(note)}
