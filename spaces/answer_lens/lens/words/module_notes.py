"""Translates the notes of the metrics' modules.

A module returns its notes as one English text, and as a list (`note_data`) of a key with values for
each note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lens.words import has_text, say
from lens.words.notes import Note

# The two texts of a row; a note is on one of them, or on both.
SIDES = ("prediction", "reference")


def describe_entry_note(entry: Mapping[str, Any]) -> str:
    """Return the notes in an entry of `per_example`, translated; an empty text without a note.

    If the module returns no keys, or an unknown one, its English text is returned.
    """
    data = entry.get("note_data")
    english = str(entry.get("note") or "")
    if not data or not all(map(is_known, data)):
        return english
    notes = map(make_note, data)
    return say("module.between_notes").join(map(str, notes))


def is_known(data: Mapping[str, Any]) -> bool:
    """Return whether this program has a text for a module's note."""
    return has_text(f"module.note.{data.get('key')}")


def make_note(data: Mapping[str, Any]) -> Note:
    """Return a module's note as a note of this program.

    >>> str(make_note({"key": "no_word", "sides": ["prediction", "reference"]}))
    'no word in the prediction and the reference'
    """
    values = dict(data)
    key = values.pop("key")
    if "sides" in values:
        values["sides"] = name_sides(values["sides"])
    if "counts" in values:
        values["counts"] = name_counts(values["counts"])
    if "kind" in values:
        # The kind of a prompt injection in English: "asks for a verdict".
        kind = values["kind"].replace(" ", "_")
        values["kind"] = Note(f"module.injection.{kind}")
    if key == "other_characters":
        # The kind of Chinese characters of each text: "simplified" or "traditional".
        for side in SIDES:
            values[side] = Note(f"module.{values[side]}")
    return Note(f"module.note.{key}", values)


def name_sides(sides: Sequence[str]) -> Note:
    """Return the names of one or both of SIDES, as the value of a note."""
    names = [Note(f"module.{side}") for side in sides]
    if len(names) == 1:
        return names[0]
    first, last = names
    return Note("module.both", {"first": first, "last": last})


def name_counts(counts: Mapping[str, int]) -> str:
    """Return how many tokens of each text a model does not know, as the value of a note."""
    named_counts = []
    for side, count in counts.items():
        values = {"count": count, "side": Note(f"module.{side}")}
        named_counts.append(str(Note("module.count", values)))
    return say("page.comma").join(named_counts)
