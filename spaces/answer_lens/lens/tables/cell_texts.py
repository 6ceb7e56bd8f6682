"""Cells that are no texts but count as one.

Numbers and booleans, replies of models, objects that hold references.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from lens.tables.cells import (
    Nested,
    is_kind,
    is_missing,
    list_inner_names,
    load_cell,
    read_scalar_text,
)
from lens.tables.replies import read_question, read_reply
from lens.words import say
from lens.words.printed import shorten_name

# What a cell was that counts as its text.
NUMBER, REPLY, OBJECT = "number", "reply", "object"
MAX_NAMED = 5


def read_cells(cells: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the cells of a row by their roles, and what was no text before.

    Each cell is a text or a list of texts.

    What cannot be read so stays as it is.
    """
    texts = dict(cells)
    kinds: dict[str, None] = {}  # a dict keeps the order
    for role, read in READERS.items():
        cell = load_cell(cells.get(role))
        if is_missing(cell) or isinstance(cell, str) or is_kind(cell, "texts"):
            continue
        text, kind = read(cell)
        if text is not None:
            texts[role] = text
            kinds[kind] = None
    return texts, tuple(kinds)


def read_answer_cell(cell: Any) -> tuple[str | None, str]:
    """Return the text of an answer, and what its cell is; None where it has no text."""
    text = read_scalar_text(cell)
    if text is not None:
        return text, NUMBER
    return read_reply(cell), REPLY


def read_question_cell(cell: Any) -> tuple[str | None, str]:
    """Return the text of a question, and what its cell is; None where it has no text."""
    text = read_scalar_text(cell)
    if text is not None:
        return text, NUMBER
    return read_question(cell), REPLY


def read_keyword_cell(cell: Any) -> tuple[str | None, str]:
    """Return keywords in one text, and what their cell is; None where it has no text."""
    if not isinstance(cell, list):
        return read_answer_cell(cell)
    keywords = read_all_texts(cell)
    text = " ".join(keywords) if keywords else None
    return text, NUMBER


def read_answer_text(cell: Any) -> Any:
    """Return the text of one answer; what has none stays as it is."""
    text, _ = read_answer_cell(load_cell(cell))
    return cell if text is None else text


def read_reference_cell(cell: Any) -> tuple[str | list[str] | None, str]:
    """Return the references in a cell, and what the cell is; None where it has none.

    >>> read_reference_cell(5), read_reference_cell([5, 5.0, "five"])
    (('5', 'number'), (['5', '5.0', 'five'], 'number'))
    >>> read_reference_cell({"text": ["a", "b"], "answer_start": [3, 3]})
    (['a', 'b'], 'object')
    >>> read_reference_cell([{"text": "a"}, {"text": "b"}])
    (['a', 'b'], 'object')
    >>> read_reference_cell({"value": "a", "aliases": ["b"]})
    (['a', 'b'], 'object')
    """
    text = read_scalar_text(cell)
    if text is not None:
        return text, NUMBER
    if isinstance(cell, list):
        return read_reference_list(cell)
    if isinstance(cell, dict):
        return read_reference_object(cell)
    return None, OBJECT


def read_reference_list(cells: list[Any]) -> tuple[list[str] | None, str]:
    """Return the references in a list of texts, or of objects that have a text each."""
    texts = read_all_texts(cells)
    if texts is not None:
        return texts, NUMBER
    inner = [cell.get("text") if isinstance(cell, dict) else None for cell in cells]
    return read_all_texts(inner), OBJECT


def read_reference_object(cell: dict[str, Any]) -> tuple[str | list[str] | None, str]:
    """Return the references in an object.

    SQuAD's texts, a value with its aliases, or a reply of a model.
    """
    if isinstance(cell.get("text"), list):
        return read_all_texts(cell["text"]), OBJECT
    has_value = read_scalar_text(cell.get("value")) is not None
    if has_value and isinstance(cell.get("aliases"), list):
        texts = read_all_texts([cell["value"], *cell["aliases"]])
        unique = list(dict.fromkeys(texts)) if texts else None
        return unique, OBJECT
    return read_reply(cell), REPLY


# What reads the cells of each role.
READERS = {
    "prediction": read_answer_cell,
    "question": read_question_cell,
    "keywords": read_keyword_cell,
    "reference": read_reference_cell,
}


def describe_inner(column: str, cell: Any) -> str:
    """Return, in words, what in an object could be chosen instead of it.

    It is nothing for any other cell.
    """
    if not isinstance(cell, dict | Nested):
        return ""
    inner = list_inner_names(column, load_cell(cell))
    names = [f"“{shorten_name(name)}”" for name in islice(inner, MAX_NAMED)]
    if not names:
        return ""
    return say("table.inner", names=say("page.list_comma").join(names))


def read_all_texts(cells: list[Any]) -> list[str] | None:
    """Return the texts of all of some cells; None where one has none."""
    texts = []
    for cell in cells:
        text = read_scalar_text(cell)
        if text is None:
            return None
        texts.append(text)
    return texts
