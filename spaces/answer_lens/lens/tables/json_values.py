"""Reads the values in a JSON file, one after another.

A value stands on one line (JSON Lines), or extends over several lines.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn, TextIO

from lens.tables.cells import cut_cell
from lens.words.notes import UserError

# A byte order mark. Files that were joined or saved again may have several.
BYTE_ORDER_MARK = "\ufeff"
BLANK = f" \t\r\n{BYTE_ORDER_MARK}"
NOT_BLANK = re.compile(f"[^{BLANK}]")


class DuplicateKeyObject(dict[str, Any]):
    """A JSON object that has one key, `key`, twice."""

    key = ""


def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, as a `DuplicateKeyObject` if one of its keys stands twice."""
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    duplicate = DuplicateKeyObject(value)
    counts = Counter(key for key, _ in pairs)
    ((duplicate.key, _),) = counts.most_common(1)
    return duplicate


DECODER = json.JSONDecoder(object_pairs_hook=build_object)


def read_values(stream: TextIO) -> Iterator[Any]:
    """Yield the values of a file; empty lines are skipped.

    If a line is not a complete value, the value goes on in the next lines. Only then, the rest of
    the file is read into memory at once.

    Raises:
        UserError: a value is malformed or incomplete, is nested too deeply, or has a number with
        thousands of digits.
    """
    for number, line in enumerate(stream, 1):
        text = line.strip(BLANK)
        if not text:
            continue
        try:
            value = DECODER.decode(text)
        except json.JSONDecodeError as error:
            if not can_continue(error, text):
                refuse_value(error, text, 0, number)
            yield from read_text(text + "\n" + stream.read(), number)
            return
        except (RecursionError, ValueError) as error:
            refuse_value(error, text, 0, number)
        yield value


def can_continue(error: json.JSONDecodeError, text: str) -> bool:
    """Return whether a malformed line may be the beginning of a value, or has several values."""
    return error.pos >= len(text) or error.msg == "Extra data"


def read_text(text: str, line: int) -> Iterator[Any]:
    """Yield the values of a text that begins at this line of a file."""
    text = text.rstrip(BLANK)
    begin = NOT_BLANK.search(text)
    while begin:
        try:
            value, end = DECODER.raw_decode(text, begin.start())
        except (RecursionError, ValueError) as error:
            refuse_value(error, text, begin.start(), line)
        yield value
        begin = NOT_BLANK.search(text, end)


def refuse_value(
    error: Exception,
    text: str,
    begin: int,
    line: int,
) -> NoReturn:
    """Raise UserError for a malformed value.

    Args:
        error: the parser's error.
        text: the text that was parsed.
        begin: the position in the text at which the value begins.
        line: the line of the file at which the text begins.
    """
    if isinstance(error, json.JSONDecodeError):
        raise UserError("file.not_json", line=line + error.lineno - 1, column=error.colno) from None
    if isinstance(error, RecursionError):
        raise UserError("file.nested", line=line + text.count("\n", 0, begin)) from None
    # Otherwise an integer has more digits than Python parses.
    numbers = re.finditer("[0-9]+", text)
    longest = max(numbers, key=lambda number: len(number[0]))
    digits = longest[0]
    raise UserError(
        "file.digits",
        line=line + text.count("\n", 0, longest.start()),
        digits=len(digits),
        value=cut_cell(digits),
    ) from None
