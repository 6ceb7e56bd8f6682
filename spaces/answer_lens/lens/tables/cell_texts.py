"""The texts of cells that are not texts.

Such cells are numbers and booleans, replies of models, and objects that hold references.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from lens.tables.cells import (
    Nested,
    fits_column_type,
    format_scalar,
    is_missing,
    list_nested_names,
    load_cell,
)
from lens.tables.replies import read_question, read_reply
from lens.words import say
from lens.words.printed import shorten_name

# The kinds of cells that are converted to texts.
SCALAR = "number"
REPLY = "reply"
OBJECT = "object"
# A message names at most this many values in an object.
MAX_NESTED_NAMES = 5


def read_cells(cells: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Convert the cells of a row to texts, and return them with the kinds of the converted cells.

    Each converted cell is a text or a list of texts. A cell that cannot be converted stays
    unchanged.
    """
    texts = dict(cells)
    kinds: dict[str, None] = {}  # a dict keeps the order
    for role, read_cell in READERS.items():
        cell = load_cell(cells.get(role))
        if is_missing(cell) or isinstance(cell, str) or fits_column_type(cell, "texts"):
            continue
        text, kind = read_cell(cell)
        if text is not None:
            texts[role] = text
            kinds[kind] = None
    return texts, tuple(kinds)


def read_answer_cell(cell: Any) -> tuple[str | None, str]:
    """Return the text of an answer, and the kind of its cell.

    The text is "" for a message without text, and None for a cell that is no answer.
    """
    text = format_scalar(cell)
    if text is not None:
        return text, SCALAR
    return read_reply(cell), REPLY


def read_question_cell(cell: Any) -> tuple[str | None, str]:
    """Return the text of a question (None if it has none), and the kind of its cell."""
    text = format_scalar(cell)
    if text is not None:
        return text, SCALAR
    return read_question(cell), REPLY


def read_keyword_cell(cell: Any) -> tuple[str | None, str]:
    """Return the keywords as one text (None if there are none), and the kind of their cell."""
    if not isinstance(cell, list):
        return read_answer_cell(cell)
    keywords = read_all_texts(cell)
    text = " ".join(keywords) if keywords else None
    return text, SCALAR


def read_answer_text(cell: Any) -> Any:
    """Return the text of one answer; a cell that has no text is returned unchanged."""
    text, _ = read_answer_cell(load_cell(cell))
    return cell if text is None else text


def read_reference_cell(cell: Any) -> tuple[str | list[str] | None, str]:
    """Return the references in a cell (None if it has none), and the kind of the cell.

    >>> read_reference_cell(5), read_reference_cell([5, 5.0, "five"])
    (('5', 'number'), (['5', '5.0', 'five'], 'number'))
    >>> read_reference_cell({"text": ["a", "b"], "answer_start": [3, 3]})
    (['a', 'b'], 'object')
    >>> read_reference_cell([{"text": "a"}, {"text": "b"}])
    (['a', 'b'], 'object')
    >>> read_reference_cell({"value": "a", "aliases": ["b"]})
    (['a', 'b'], 'object')
    """
    text = format_scalar(cell)
    if text is not None:
        return text, SCALAR
    if isinstance(cell, list):
        return read_reference_list(cell)
    if isinstance(cell, dict):
        return read_reference_object(cell)
    return None, OBJECT


def read_reference_list(cells: list[Any]) -> tuple[list[str] | None, str]:
    """Return the references in a list of texts, numbers or objects with a "text" each."""
    texts = read_all_texts(cells)
    if texts is not None:
        return texts, SCALAR
    inner = [cell.get("text") if isinstance(cell, dict) else None for cell in cells]
    return read_all_texts(inner), OBJECT


def read_reference_object(cell: dict[str, Any]) -> tuple[str | list[str] | None, str]:
    """Return the references in an object, and the kind of the cell.

    The object has the form of SQuAD ({"text": [...]}), is a value with aliases, or is a model's
    reply.
    """
    if isinstance(cell.get("text"), list):
        return read_all_texts(cell["text"]), OBJECT
    has_value = format_scalar(cell.get("value")) is not None
    if has_value and isinstance(cell.get("aliases"), list):
        texts = read_all_texts([cell["value"], *cell["aliases"]])
        unique = list(dict.fromkeys(texts)) if texts else None
        return unique, OBJECT
    return read_reply(cell), REPLY


# The function that reads the cells of each role.
READERS = {
    "prediction": read_answer_cell,
    "question": read_question_cell,
    "keywords": read_keyword_cell,
    "reference": read_reference_cell,
}


def describe_inner(column: str, cell: Any) -> str:
    """Return a sentence that names the values in an object that could be chosen as columns.

    It is empty for a cell that is not an object.
    """
    if not isinstance(cell, dict | Nested):
        return ""
    inner = list_nested_names(column, load_cell(cell))
    names = [f"“{shorten_name(name)}”" for name in islice(inner, MAX_NESTED_NAMES)]
    if not names:
        return ""
    return say("table.inner", names=say("page.list_comma").join(names))


def read_all_texts(cells: list[Any]) -> list[str] | None:
    """Return the texts of all cells; None if a cell has no text."""
    texts = []
    for cell in cells:
        text = format_scalar(cell)
        if text is None:
            return None
        texts.append(text)
    return texts
