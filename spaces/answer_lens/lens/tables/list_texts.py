"""Parses lists that are written as text by JSON, Python, pandas or numpy.

The text is only parsed; no code in it is run.
"""

from __future__ import annotations

import ast
import json
import re

from lens.tables.cell_texts import read_all_texts

STRING = r"[uU]?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
# An item and the comma behind it, which numpy does not write.
ITEM = re.compile(rf"\s*({STRING}|{NUMBER}|True|False)\s*(,?)", re.DOTALL)
# The beginning of a list of quoted texts: "['", "(u'" or "array(['".
OPENING = re.compile(r"\s*(?:array\()?[\[({]\s*[uU]?['\"]")
CLOSING_BRACKETS = {"[": "]", "(": ")", "{": "}"}
# A longer text is not parsed.
MAX_CHARACTERS = 100_000


def looks_like_list(text: str) -> bool:
    """Return whether a text begins and ends like a list of quoted texts."""
    return OPENING.match(text) is not None and text.rstrip()[-1] in "])}"


def read_list(text: str) -> list[str] | None:
    r"""Return the texts of a list that is written as text; None if it is not such a list.

    Numbers and booleans in it are returned as texts.

    >>> read_list('["a", "b"]'), read_list("['a', \"b's\"]")
    (['a', 'b'], ['a', "b's"])
    >>> read_list("['a' 'b']"), read_list("[1, 2.5]")
    (['a', 'b'], ['1', '2.5'])
    >>> read_list("('a',)"), read_list("array(['a', 'b'], dtype=object)")
    (['a'], ['a', 'b'])
    >>> read_list("['a' ... 'z']"), read_list("[a]")
    (None, None)
    """
    text = text.strip()
    if len(text) > MAX_CHARACTERS:
        return None
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return read_python_list(text)
    if not isinstance(items, list):
        return None
    return read_all_texts(items)


def read_python_list(text: str) -> list[str] | None:
    """Return the texts of a list, tuple, set or array as Python or numpy writes it.

    The result is None for any other text.
    """
    if text.startswith("array(") and text.endswith(")"):
        inner = text[len("array(") : -1]
        text = inner.rpartition(", dtype=")[0].rstrip() or inner
    bracket = text[:1]
    if len(text) < 2 or text[-1] != CLOSING_BRACKETS.get(bracket):
        return None
    # Round and curly brackets without quotation marks or a comma are ordinary brackets.
    if bracket != "[" and not (looks_like_list(text) and "," in text):
        return None
    return read_items(text, 1, len(text) - 1)


def read_items(text: str, start: int, end: int) -> list[str] | None:
    """Return the items between two positions of a text; None if anything else stands there."""
    items = []
    start = end - len(text[start:end].lstrip())
    while start < end:
        match = ITEM.match(text, start, end)
        if match is None:
            return None
        item = read_item(match[1])
        if item is None:
            return None
        items.append(item)
        start = match.end()
    return items


def read_item(item: str) -> str | None:
    """Return the text of an item; None if it is quoted and Python cannot parse it."""
    if item[-1] not in "'\"":
        return item.lower() if item in ("True", "False") else item
    if "\\" not in item:
        return item.lstrip("uU")[1:-1]
    try:
        return str(ast.literal_eval(item))
    except (ValueError, SyntaxError):
        return None
