"""The estimate's reasons in words.

What differs between answer and reference, and what becomes of its statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lens.words import say
from lens.words.formats import HAN, cut_text
from lens.words.notes import Note

# What the answer makes of a statement of the reference, and what it says besides.
STATEMENTS = ("said", "differs", "missing", "besides")
# The estimate's reason that the answer says the same: a value, an option, yes or no, a name by its
# initials, a text.
SAME_VALUE = "same"
# The estimate's reasons that are a difference between the texts: those with one thing instead of
# another, with something more or less, and those that take all of the answer back.
INSTEAD = (
    "number", "date", "unit", "option", "formula", "yes_no", "name", "surname", "given_name",
    "opposite", "coarser", "roles", "swapped",
)  # fmt: skip
MORE_OR_LESS = ("partial", "added", "either")
DIFFERENCES = (*INSTEAD, *MORE_OR_LESS, "denied", "candidates", "refusal")
# What of a difference stands in the answer, and what in the reference: of a partial list the answer
# lacks the rest.
IN_ANSWER = tuple(kind for kind in DIFFERENCES if kind != "partial")
IN_REFERENCE = (*INSTEAD, "partial", "denied")
MAX_QUOTED = 120
# What is read at one glance; a Chinese character is as wide as two letters.
MAX_WORDS, MAX_WIDTH = 15, 100

# One reason of the estimate, as the module gives it.
Reason = Mapping[str, Any]


class DifferenceLine(NamedTuple):
    """The line on a difference, and whether it says what stands instead of what."""

    note: Note
    is_full: bool


def describe_difference_line(difference: Reason) -> DifferenceLine:
    """Return the line on a difference.

    It says what stands instead of what, if that is short.
    """
    full = describe_difference(difference)
    if fits_on_line(full):
        return DifferenceLine(full, True)
    return DifferenceLine(Note(f"difference.{difference['kind']}"), False)


def describe_difference(difference: Reason) -> Note:
    """Return what differs, and what stands there."""
    kind = difference["kind"]
    what = Note(f"difference.{kind}")
    # "The number differs, 1990s instead of 1990s" says nothing: "early" and "late" differ there.
    if kind in INSTEAD and difference["found"].casefold() == difference["expected"].casefold():
        return what
    form = "difference.lacking" if kind == "partial" else "difference.quoted"
    if kind in INSTEAD:
        form = "difference.instead"
    return Note(form, {"what": what, **quote_texts(difference)})


def describe_same_value(reason: Reason) -> Note:
    """Return the line on an answer with the reference's value.

    Both are shown where they are written otherwise.
    """
    full = Note("explain.line.same_value_in", quote_texts(reason))
    is_other_spelling = reason["found"] != reason["expected"]
    return full if is_other_spelling and fits_on_line(full) else Note("explain.line.same_value")


def describe_reason(reason: Reason) -> str:
    """Return a reason of the estimate in a sentence."""
    if reason["kind"] in DIFFERENCES:
        return capitalize(say("difference.sentence", what=describe_difference(reason)))
    return say(f"explain.estimate.{reason['kind']}", **quote_texts(reason))


def quote_texts(reason: Reason) -> dict[str, str]:
    """Return what a reason found, and what it looked for, where that is not too long."""
    return {key: cut_text(reason[key], MAX_QUOTED) for key in ("found", "expected")}


def fits_on_line(note: Note) -> bool:
    """Return whether a line is read at one glance."""
    line = str(note)
    return len(line.split()) <= MAX_WORDS and len(line) + len(HAN.findall(line)) <= MAX_WIDTH


def capitalize(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def describe_statements(reasons: Mapping[str, Any]) -> tuple[str, list[Reason]]:
    """Return a line for each statement of a long reference, and one with their counts.

    Of a short reference there is nothing.
    """
    statements = list(reasons.get("statements") or ())
    if not statements:
        return "", []
    counts = dict.fromkeys(STATEMENTS, 0)
    for statement in statements:
        counts[statement["kind"]] += 1
    line = [
        say("statement.said_count", count=counts["said"], all=len(statements) - counts["besides"])
    ]
    line += [
        say(f"statement.{kind}_count", count=counts[kind])
        for kind in STATEMENTS[1:]
        if counts[kind]
    ]
    return say("page.list_comma").join(line), statements
