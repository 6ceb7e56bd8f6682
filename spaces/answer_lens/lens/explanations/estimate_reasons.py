"""Describes the reasons of the estimate: differences from the reference, and its statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lens.words import say
from lens.words.formats import HAN, cut_text
from lens.words.notes import Note

# The kinds of statements: said, contradicted or missing in the answer, or only in the answer.
STATEMENTS = ("said", "differs", "missing", "besides")
# The kind of the reason that answer and reference have the same value: a number, an option, yes or
# no, a name by its initials, or a text.
SAME_VALUE = "same"
# The kinds of reasons that are differences: something instead of something else (INSTEAD),
# something more or less (MORE_OR_LESS), or the whole answer taken back.
INSTEAD = (
    "number", "date", "unit", "option", "formula", "yes_no", "name", "surname", "given_name",
    "opposite", "coarser", "roles", "replaced", "swapped",
)  # fmt: skip
MORE_OR_LESS = ("partial", "added", "either")
DIFFERENCES = (*INSTEAD, *MORE_OR_LESS, "denied", "candidates", "refusal")
# The kinds of differences that are marked in the answer and in the reference. A partial list is
# marked only in the reference, because the answer does not have the rest.
IN_ANSWER = tuple(kind for kind in DIFFERENCES if kind != "partial")
IN_REFERENCE = (*INSTEAD, "partial", "denied")
MAX_QUOTED = 120
# The longest line that can be read at a glance, in words and letters. A Chinese character counts as
# two letters.
MAX_WORDS, MAX_WIDTH = 15, 100

# A reason of the estimate, as the module returns it.
Reason = Mapping[str, Any]


class DifferenceLine(NamedTuple):
    """The line on a difference, and whether it quotes the texts that differ."""

    note: Note
    is_full: bool


def describe_difference_line(difference: Reason) -> DifferenceLine:
    """Return the line on a difference, which quotes the texts if it is short."""
    full = describe_difference(difference)
    if fits_on_line(full):
        return DifferenceLine(full, True)
    return DifferenceLine(Note(f"difference.{difference['kind']}"), False)


def describe_difference(difference: Reason) -> Note:
    """Return a note on a difference, with the texts that differ."""
    kind = difference["kind"]
    what = Note(f"difference.{kind}")
    if kind in INSTEAD:
        form = "difference.instead"
        found = difference["found"].casefold()
        expected = difference["expected"].casefold()
        # "The number differs, 1990s instead of 1990s" is no help: "early" and "late" differ there.
        if found == expected:
            return what
    elif kind == "partial":
        form = "difference.lacking"
    else:
        form = "difference.quoted"
    return Note(form, {"what": what, **quote_texts(difference)})


def describe_same_value(reason: Reason) -> Note:
    """Return the line on an answer with the reference's value.

    Both texts are quoted if they are written differently.
    """
    short = Note("explain.line.same_value")
    if reason["found"] == reason["expected"]:
        return short
    full = Note("explain.line.same_value_in", quote_texts(reason))
    if not fits_on_line(full):
        return short
    return full


def describe_estimate_reason(reason: Reason) -> str:
    """Return a reason of the estimate as a sentence."""
    if reason["kind"] in DIFFERENCES:
        return capitalize(say("difference.sentence", what=describe_difference(reason)))
    return say(f"explain.estimate.{reason['kind']}", **quote_texts(reason))


def quote_texts(reason: Reason) -> dict[str, str]:
    """Return the found and the expected text of a reason, each shortened."""
    return {
        "found": cut_text(reason["found"], MAX_QUOTED),
        "expected": cut_text(reason["expected"], MAX_QUOTED),
    }


def fits_on_line(note: Note) -> bool:
    """Return whether a line can be read at a glance."""
    line = str(note)
    words = len(line.split())
    width = len(line) + len(HAN.findall(line))
    return words <= MAX_WORDS and width <= MAX_WIDTH


def capitalize(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def describe_statements(reasons: Mapping[str, Any]) -> tuple[str, list[Reason]]:
    """Return a line with the counts of statements, and the statements, of a long reference.

    Both are empty for a short reference.
    """
    statements = list(reasons.get("statements") or ())
    if not statements:
        return "", []
    counts = dict.fromkeys(STATEMENTS, 0)
    for statement in statements:
        counts[statement["kind"]] += 1
    in_reference = len(statements) - counts["besides"]
    texts = [say("statement.said_count", count=counts["said"], all=in_reference)]
    for kind in STATEMENTS[1:]:
        if counts[kind]:
            texts.append(say(f"statement.{kind}_count", count=counts[kind]))
    return say("page.list_comma").join(texts), statements
