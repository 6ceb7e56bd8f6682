"""Read the wordings, facts and verbs for made-up answers from the text files in wordings/."""

import re
import string
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "wordings"
HEADING = re.compile(r"\[(\w+)\]")
# The placeholders that a wording may have; the files say what each means.
NAMED_PLACEHOLDERS = "x y sx sy q list a A b B figure other third quantity year filler".split()
# Facts in chinese.txt have {}, whose name is empty.
PLACEHOLDERS = frozenset([*NAMED_PLACEHOLDERS, ""])

Wordings = dict[str, list[str]]


def read_wordings(name: str) -> Wordings:
    """Return the lists of one file of wordings/ by their names.

    Raises:
        ValueError: the file does not have the form that `parse_wordings` describes.
    """
    path = FOLDER / f"{name}.txt"
    return parse_wordings(path.read_text("utf-8"), path.name)


def parse_wordings(text: str, file_name: str) -> Wordings:
    """Return the lists of a text by their names, in the order of the text.

    A line `[name]` begins a list. A line that begins with # is a comment. Every other line with
    text is one wording.

    Raises:
        ValueError: a wording stands before the first list, or has an unknown placeholder or broken
            braces; a name is used twice; or a list is empty. The message has the file, and the line
            unless a list is empty.
    """
    lists: Wordings = {}
    current = None
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{file_name}, line {number}"
        wording = line.strip()
        heading = HEADING.fullmatch(wording)
        if heading and heading[1] in lists:
            raise ValueError(
                f"{place}: the list [{heading[1]}] is there twice; give it another name"
            )
        if heading:
            current = lists[heading[1]] = []
        elif wording and not wording.startswith("#"):
            if current is None:
                raise ValueError(
                    f"{place}: {wording!r} stands before the first list; a list begins with [name]"
                )
            check_placeholders(wording, place)
            current.append(wording)
    for name, wordings in lists.items():
        if not wordings:
            raise ValueError(f"{file_name}: the list [{name}] is empty")
    return lists


def check_placeholders(wording: str, place: str) -> None:
    """Raise ValueError if a wording has broken braces, or a placeholder that no code fills."""
    try:
        parts = list(string.Formatter().parse(wording))
    except ValueError as error:
        raise ValueError(f"{place}: {wording!r}: {error}") from None
    for _, name, _, _ in parts:
        if name is not None and name not in PLACEHOLDERS:
            known = ", ".join(f"{{{placeholder}}}" for placeholder in sorted(PLACEHOLDERS))
            raise ValueError(f"{place}: {{{name}}} is no placeholder; the placeholders are {known}")


# Wordings that the model learns from, and wordings that it is only measured on.
LEARNED = read_wordings("learned")
UNSEEN = read_wordings("unseen")
