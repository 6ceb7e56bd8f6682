r"""Cells of a table: the type of each column, and how cells are read, written and shown.

A lone surrogate has no bytes in UTF-8, so it is written as its escape, such as \ud800. JSON reads
that escape as the same text.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lens.tables.replies import read_reply, split_choices

ColumnType = Literal["text", "integer", "number", "boolean", "texts", "json"]

# The types of a column, in the order in which they are tried. The last one can store every cell.
COLUMN_TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# Some programs end a line at these characters, but JSON allows them in a text.
LINE_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
# The lowest and highest integer that a column of each type stores exactly: 64 bits, or a float.
EXACT_INTEGERS = {"integer": (-(2**63), 2**63 - 1), "number": (-(2**53), 2**53)}
# A message shows at most this many characters of a cell. A longer text is not parsed as a number.
MAX_SHOWN_CHARACTERS = 60
# Stands for an absent cell, because None is a value that a cell can have.
ABSENT = object()
# How deep nested objects are searched for columns, and how many dotted names are offered.
MAX_DEPTH, MAX_NESTED_NAMES = 4, 50


@dataclass(frozen=True, repr=False)
class Nested:
    """A cell with lists or objects, stored as JSON text to save memory."""

    text: str

    def __repr__(self) -> str:
        return self.text


def fits_column_type(cell: Any, column_type: str) -> bool:
    """Return whether a column of this type can store a cell without loss.

    The cell must not be missing. The type "json" can store every cell.
    """
    if isinstance(cell, str):
        return column_type in ("text", "json")
    if isinstance(cell, bool):
        return column_type in ("boolean", "json")
    if isinstance(cell, int) and column_type in EXACT_INTEGERS:
        lowest, highest = EXACT_INTEGERS[column_type]
        return lowest <= cell <= highest
    if isinstance(cell, float):
        return column_type in ("number", "json")
    if column_type == "texts":
        return isinstance(cell, list) and all(isinstance(text, str) for text in cell)
    return column_type == "json"


def parse_integer(text: str, maximum: int) -> int | None:
    """Parse a text of digits as a number from 0 to `maximum`; return None for any other text.

    >>> [parse_integer(text, 10) for text in (" 007", "11", "-1", "1.0", "9" * 5000)]
    [7, None, None, None, None]
    """
    text = text.strip()
    digits = text.lstrip("0")
    if text and not digits:  # the text has only zeros
        digits = "0"
    # Python refuses to read thousands of digits.
    if not digits.isdecimal() or len(digits) > len(str(maximum)):
        return None
    number = int(digits)
    return number if number <= maximum else None


def parse_number(cell: Any) -> float | None:
    """Parse a cell as a finite number; spaces around a text are ignored.

    The result is None for anything else, such as "4,5" or "4/5".

    >>> parse_number(" 4.5 "), parse_number(4), parse_number("4,5")
    (4.5, 4.0, None)
    >>> parse_number("nan"), parse_number(10**400)
    (None, None)
    """
    if isinstance(cell, str):
        text = cell.strip()
        if len(text) > MAX_SHOWN_CHARACTERS or not NUMBER.fullmatch(text):
            return None
        cell = float(text)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    return float(cell) if abs(cell) <= sys.float_info.max else None


def format_scalar(cell: Any) -> str | None:
    """Return a text, number or boolean as a CSV file writes it; None for any other cell.

    >>> [format_scalar(cell) for cell in ("a", 5, 2.5, True, None, ["a"])]
    ['a', '5', '2.5', 'true', None, None]
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).lower()
    if is_missing(cell) or not isinstance(cell, int | float):
        return None
    return repr(cell)


def is_missing(cell: Any) -> bool:
    """Return whether a cell is missing: None or NaN."""
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def is_blank(cell: Any) -> bool:
    """Return whether a cell is missing, or contains only white space.

    >>> [is_blank(cell) for cell in (None, " ", [], ["", " "], ["", "a"], 0)]
    [True, True, True, True, False, False]
    """
    if isinstance(cell, list):
        return all(is_blank_text(text) for text in cell)
    return is_blank_text(cell)


def is_blank_text(cell: Any) -> bool:
    """Return whether a cell that is not a list is missing, or contains only white space."""
    if isinstance(cell, str):
        return not cell.strip()
    return is_missing(cell)


def load_cell(cell: Any) -> Any:
    """Return a cell with its lists or objects parsed, if it is stored as JSON text."""
    return load_nested(cell) if isinstance(cell, Nested) else cell


def list_answers(cell: Any) -> list[Any]:
    """Return the answers in a cell, which may be a list.

    An empty cell or an empty list gives one missing answer. A model's reply gives one answer, or
    one per choice.

    >>> [list_answers(cell) for cell in ("a", ["a", "b"], [], None, Nested('["a", 7]'))]
    [['a'], ['a', 'b'], [None], [None], ['a', 7]]
    """
    value = load_cell(cell)
    if isinstance(value, dict):
        return split_choices(value)
    if not isinstance(value, list):
        return [cell]
    if read_reply(value) is not None:
        return [value]
    return value or [None]


def split_answers(row: dict[str, Any], column: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield one row per answer in the cell of this column, with the number of the answer from 0.

    >>> list(split_answers({"id": 1, "answer": ["a", "b"]}, "answer"))
    [(0, {'id': 1, 'answer': 'a'}), (1, {'id': 1, 'answer': 'b'})]
    """
    cell = row.get(column)
    if not isinstance(cell, list | dict | Nested):
        yield 0, row
        return
    for number, answer in enumerate(list_answers(cell)):
        yield number, {**row, column: answer}


def find_nested_value(value: Any, name: str, absent: Any = None) -> Any:
    """Return the value of a name in an object, or of a dotted name in nested objects.

    In a list, a number is the index of an item, from 0. Any other name gives the list of its values
    in all objects of the list. `absent` is returned if nothing has the name.

    >>> golds = [{"text": "a"}, {"text": "b"}, {}]
    >>> row = {"doc": {"answer": "a", "n": 1}, "doc.n": 2, "golds": golds}
    >>> [find_nested_value(row, name) for name in ("doc.answer", "doc.n")]
    ['a', 2]
    >>> [find_nested_value(row, name) for name in ("golds.1.text", "golds.text")]
    ['b', ['a', 'b']]
    """
    if isinstance(value, list):
        return find_in_list(value, name, absent)
    if not isinstance(value, Mapping):
        return absent
    if name in value:
        return value[name]
    # A key may itself have dots, so the name is split at each dot in turn.
    dot = name.find(".")
    while dot >= 0:
        outer_value = value.get(name[:dot])
        inner_value = find_nested_value(outer_value, name[dot + 1 :], absent)
        if inner_value is not absent:
            return inner_value
        dot = name.find(".", dot + 1)
    return absent


def find_in_list(items: list[Any], name: str, absent: Any) -> Any:
    """Return an item of a list by its index, or the values of a name in all objects of the list."""
    first_part, _, inner_name = name.partition(".")
    if first_part.isdecimal():
        index = parse_integer(first_part, len(items) - 1)
        if index is None:
            return absent
        return find_nested_value(items[index], inner_name, absent) if inner_name else items[index]
    values = []
    for item in items:
        if isinstance(item, Mapping):
            value = find_nested_value(item, name, absent)
            if value is not absent:
                values.append(value)
    return values or absent


def list_nested_names(name: str, cell: Any, depth: int = MAX_DEPTH) -> Iterator[str]:
    """Yield the dotted names of the values in an object that could be cells of a column.

    For a list of objects, only the first object is searched. The name of the cell itself is not
    yielded.

    >>> list(list_nested_names("doc", {"answer": "a", "more": {"n": 1, "x": [{}]}, "none": None}))
    ['doc.answer', 'doc.more.n']
    >>> list(list_nested_names("choices", [{"message": {"content": "a"}}]))
    ['choices.0.message.content']
    """
    has_objects = isinstance(cell, list) and bool(cell) and isinstance(cell[0], dict)
    if isinstance(cell, dict) and depth:
        for key, value in cell.items():
            yield from list_nested_names(f"{name}.{key}", value, depth - 1)
    elif has_objects and depth:
        yield from list_nested_names(f"{name}.0", cell[0], depth - 1)
    elif is_column_cell(cell):
        is_inner_value = depth < MAX_DEPTH
        if is_inner_value:
            yield name


def is_column_cell(cell: Any) -> bool:
    """Return whether a column can have this cell: a text, a number or a list of texts."""
    return isinstance(cell, str | int | float) or fits_column_type(cell, "texts")


def find_column_types(rows: Iterable[Mapping[str, Any]]) -> dict[str, ColumnType]:
    """Return the type of each column, in column order.

    It is the first of COLUMN_TYPES that can store all cells of the column without loss. A missing
    cell fits every type, so a column of only missing cells is of the type "text".
    """
    possible: dict[str, list[ColumnType]] = {}
    for row in rows:
        for name, cell in row.items():
            types = possible.setdefault(name, list(COLUMN_TYPES))
            # Most cells are texts, and only the types "text" and "json" can store a text.
            if isinstance(cell, str) and types[0] == "text":
                types[:] = ["text", "json"]
            elif not is_missing(cell):
                types[:] = [fitting for fitting in types if fits_column_type(cell, fitting)]
    return {name: types[0] for name, types in possible.items()}


def find_column_type(cells: Iterable[Any]) -> ColumnType:
    """Return the type of one column.

    >>> [find_column_type(cells) for cells in ([1, None, 2], [1, 0.5], ["a", None])]
    ['integer', 'number', 'text']
    >>> [find_column_type(cells) for cells in ([["a"], []], ["a", 1], [None])]
    ['texts', 'json', 'text']
    """
    return find_column_types({"": cell} for cell in cells).get("", "text")


def replace_non_finite(value: Any) -> Any:
    """Return a value that JSON can store: NaN becomes None, and an infinite number a text."""
    if isinstance(value, Nested):
        return replace_non_finite(load_nested(value))
    if isinstance(value, dict):
        return {key: replace_non_finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [replace_non_finite(inner) for inner in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    if math.isnan(value):
        return None
    return "Infinity" if value > 0 else "-Infinity"


def load_nested(nested: Nested) -> Any:
    """Parse the lists or objects of a cell that is stored as JSON text."""
    return json.loads(nested.text)


def write_json(value: Any) -> str:
    """Return a value as JSON on one line."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=load_nested)
    except ValueError:
        text = json.dumps(replace_non_finite(value), ensure_ascii=False)
    return escape_surrogates(text.translate(LINE_ENDS))


def escape_surrogates(text: str) -> str:
    r"""Replace each lone surrogate in a text by its escape.

    >>> escape_surrogates("a\ud800é")
    'a\\ud800é'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def cut_cell(text: str) -> str:
    """Shorten a text for a message to MAX_SHOWN_CHARACTERS characters."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "…"
