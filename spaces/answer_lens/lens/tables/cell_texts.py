"""Cells that are no texts, but count as one: numbers and booleans, replies of models, objects that hold references."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from lens.tables.cells import Nested, as_text, fits, inner_names, missing
from lens.tables.replies import read_question, read_reply
from lens.words import say
from lens.words.printed import short

# What a cell was that counts as its text.
NUMBER, REPLY, OBJECT = "number", "reply", "object"
MAX_NAMED = 5


def read_cells(cells: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the cells of a row by their roles, as texts or lists of texts, and what was none of these before.

    What cannot be read so stays as it is.
    """
    read, kinds = dict(cells), dict[str, None]()
    for role in ("prediction", "question", "keywords", "reference"):
        cell = unpack(cells.get(role))
        if missing(cell) or isinstance(cell, str) or fits("texts", cell):
            continue
        text, kind = read_references(cell) if role == "reference" else read_text(cell, role)
        if text is not None:
            read[role] = text
            kinds[kind] = None
    return read, tuple(kinds)


def unpack(cell: Any) -> Any:
    """Return a cell as it was before it came from the reader of visitors' files."""
    return json.loads(cell.text) if isinstance(cell, Nested) else cell


def read_text(cell: Any, role: str = "prediction") -> tuple[str | None, str]:
    """Return the text of a cell, and what the cell is; None where it has no text."""
    text = as_text(cell)
    if text is not None:
        return text, NUMBER
    if role == "keywords" and isinstance(cell, list):
        keywords = read_all_texts(cell)
        return (" ".join(keywords) if keywords else None), NUMBER
    return (read_question(cell) if role == "question" else read_reply(cell)), REPLY


def answer_text(cell: Any) -> Any:
    """Return the text of one answer; what has none stays as it is."""
    text = read_text(unpack(cell))[0]
    return cell if text is None else text


def read_references(cell: Any) -> tuple[str | list[str] | None, str]:
    """Return the references in a cell, and what the cell is; None where it has none.

    >>> read_references(5), read_references([5, 5.0, "five"])
    (('5', 'number'), (['5', '5.0', 'five'], 'number'))
    >>> read_references({"text": ["a", "b"], "answer_start": [3, 3]}), read_references([{"text": "a"}, {"text": "b"}])
    ((['a', 'b'], 'object'), (['a', 'b'], 'object'))
    >>> read_references({"value": "a", "aliases": ["b"]})
    (['a', 'b'], 'object')
    """
    text = as_text(cell)
    if text is not None:
        return text, NUMBER
    if isinstance(cell, list):
        texts = read_all_texts(cell)
        if texts is not None:
            return texts, NUMBER
        return read_all_texts([one.get("text") if isinstance(one, dict) else None for one in cell]), OBJECT
    if not isinstance(cell, dict):
        return None, OBJECT
    if isinstance(cell.get("text"), list):
        return read_all_texts(cell["text"]), OBJECT
    if isinstance(cell.get("aliases"), list) and as_text(cell.get("value")) is not None:
        every = read_all_texts([cell["value"], *cell["aliases"]])
        return (list(dict.fromkeys(every)) if every else None), OBJECT
    return read_reply(cell), REPLY


def describe_inner(column: str, cell: Any) -> str:
    """Return, in words, what in an object could be chosen instead of it; nothing for any other cell."""
    names = list(islice(inner_names(column, unpack(cell)), MAX_NAMED)) if isinstance(cell, dict | Nested) else []
    shown = say("list_comma").join(f"“{short(name)}”" for name in names)
    return say("f_inner", names=shown) if names else ""


def read_all_texts(cells: list[Any]) -> list[str] | None:
    """Return the texts of all of some cells; None where one has none."""
    texts = [as_text(one) for one in cells]
    return None if None in texts else [one for one in texts if one is not None]
