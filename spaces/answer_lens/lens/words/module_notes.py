"""The notes of the metrics' modules in words: a module gives each with its key and values beside its English text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lens.words import estimate_notes, has_text, say
from lens.words.notes import Note

# What a note calls the two texts.
SIDES = ("prediction", "reference")


def describe_entry_note(entry: Mapping[str, Any]) -> str:
    """Return the note of an entry of `per_example` in words.

    A module that gives no keys, or one that this program does not know, has its English note shown as it is.
    """
    data = entry.get("note_data")
    english = str(entry.get("note") or "")
    if not data:
        return estimate_notes.translate(english)
    if not all(is_known(one) for one in data):
        return english
    return say("module.between_notes").join(str(make_note(one)) for one in data)


def is_known(data: Mapping[str, Any]) -> bool:
    """Return whether this program has words for a module's note."""
    return has_text(f"module.note.{data.get('key')}")


def make_note(data: Mapping[str, Any]) -> Note:
    """Return a module's note as a note of this program.

    >>> str(make_note({"key": "no_word", "sides": ["prediction", "reference"]}))
    'no word in the prediction and the reference'
    """
    values = {name: value for name, value in data.items() if name != "key"}
    if "sides" in values:
        values["sides"] = name_sides(values["sides"])
    if "counts" in values:
        values["counts"] = name_counts(values["counts"])
    if "kind" in values:
        values["kind"] = Note(f"module.appeal.{values['kind'].replace(' ', '_')}")
    if data["key"] == "other_characters":
        values = {side: Note(f"module.{values[side]}") for side in SIDES}
    return Note(f"module.note.{data['key']}", values)


def name_sides(sides: Sequence[str]) -> Note:
    """Return the names of one or both texts."""
    names = [Note(f"module.{side}") for side in sides]
    return names[0] if len(names) == 1 else Note("module.both", {"first": names[0], "last": names[1]})


def name_counts(counts: Mapping[str, int]) -> str:
    """Return how many of something are in each text."""
    named = [Note("module.count", {"count": count, "side": Note(f"module.{side}")}) for side, count in counts.items()]
    return say("page.comma").join(map(str, named))
