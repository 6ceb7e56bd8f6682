"""The notes of the metrics' modules in words.

A module gives each with its key and values beside its English text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lens.words import has_text, say
from lens.words.notes import Note

# What a note calls the two texts.
SIDES = ("prediction", "reference")


def describe_entry_note(entry: Mapping[str, Any]) -> str:
    """Return the note of an entry of `per_example` in words.

    A module that gives no keys, or one that this program does not know, has its English note shown
    as it is.
    """
    data = entry.get("note_data")
    english = str(entry.get("note") or "")
    if not data or not all(is_known(note) for note in data):
        return english
    notes = [str(make_note(note)) for note in data]
    return say("module.between_notes").join(notes)


def is_known(data: Mapping[str, Any]) -> bool:
    """Return whether this program has words for a module's note."""
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
        kind = values["kind"].replace(" ", "_")
        values["kind"] = Note(f"module.injection.{kind}")
    if key == "other_characters":
        for side in SIDES:
            values[side] = Note(f"module.{values[side]}")
    return Note(f"module.note.{key}", values)


def name_sides(sides: Sequence[str]) -> Note:
    """Return the names of one or both texts."""
    names = [Note(f"module.{side}") for side in sides]
    if len(names) == 1:
        return names[0]
    first, last = names
    return Note("module.both", {"first": first, "last": last})


def name_counts(counts: Mapping[str, int]) -> str:
    """Return how many of something are in each text."""
    named = []
    for side, count in counts.items():
        values = {"count": count, "side": Note(f"module.{side}")}
        named.append(str(Note("module.count", values)))
    return say("page.comma").join(named)
