"""The rows in the JSON that people have.

One on each line, in an array, one after another, or in one object.

A file that is one object may hold the rows in one of several shapes (`json_shapes.py`). What is
taken is told; what could be taken in two ways is decided by the usual names of columns, or refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from lens.tables import known_formats
from lens.tables.cells import is_kind
from lens.tables.json_shapes import (
    check_row,
    has_answer_and_reference,
    list_plain_names,
    read_by_key,
    read_columns,
    read_listed,
    read_lists,
    read_split,
    read_texts_by_key,
)
from lens.tables.json_values import Doubled, read_values
from lens.tables.reading import Reading, Row
from lens.tables.replies import is_batch_line, is_reply_row, read_batch_line, read_reply_row
from lens.words import say


def read_json(stream: TextIO, reading: Reading) -> Iterator[Row]:
    """Yield the rows of a JSON file; UserError where there are none that can be told.

    The one object of another tool's log is its row.
    """
    read_row = None
    for number, row in enumerate(find_rows(stream, reading), 1):
        check_row(row, number)
        if read_row is None:
            read_row = choose_row_reader(row, reading)
        yield read_row(row)


def read_plain_json(stream: TextIO) -> Iterator[Row]:
    """Yield the rows of JSON Lines or of an array as they stand.

    A file of one object is one row.
    """
    values = read_values(stream)
    first = next(values, None)
    if first is None:
        return
    rows = first if isinstance(first, list) else itertools.chain([first], values)
    for number, row in enumerate(rows, 1):
        check_row(row, number)
        yield row


def find_rows(stream: TextIO, reading: Reading) -> Iterable[Any]:
    """Return the rows of a JSON file, which holds one value or several."""
    values = read_values(stream)
    first = list(itertools.islice(values, 2))
    if len(first) == 1:
        return read_one(first[0], reading)
    every = itertools.chain(first, values)
    return read_several(every, reading)


def choose_row_reader(first: Row, reading: Reading) -> Callable[[Row], Row]:
    """Return what reads the rows of a file, by its first row.

    The other lines are of the same batch.
    """
    if is_batch_line(first):
        reading.add_note(say("json.batch"))
        return read_batch_line
    return read_row_or_reply


def read_row_or_reply(row: Row) -> Row:
    """Return a row as it stands, or with the text of the reply that it is."""
    return read_reply_row(row) if is_reply_row(row) else row


def read_several(values: Iterable[Any], reading: Reading) -> Iterable[Any]:
    """Return the rows of several values.

    They are objects, or lists of cells after a list of names.
    """
    values = iter(values)
    first = next(values, None)
    if first is None:
        return ()
    rows = itertools.chain([first], values)
    if isinstance(first, list):
        return read_lists(rows, reading)
    return rows


def read_one(value: Any, reading: Reading) -> Iterable[Any]:
    """Return the rows of the one value of a file."""
    if isinstance(value, list):
        if value and is_kind(value, "texts"):
            reading.add_note(say("json.texts"))
            return [{"prediction": text} for text in value]
        return read_several(value, reading)
    if not isinstance(value, dict) or isinstance(value, Doubled):
        return [value]
    return read_object(value, reading)


def read_object(value: Row, reading: Reading) -> Iterable[Any]:
    """Return the rows of the one object of a file, which may be a row itself."""
    if is_known_row(value):
        return [value]
    for read_shape in (read_split, read_columns, read_by_key, read_listed, read_texts_by_key):
        rows = read_shape(value, reading)
        if rows is not None:
            return rows
    return [value]


def is_known_row(value: Row) -> bool:
    """Return whether an object is a row of a known form.

    It is the log of a tool, a reply, or has both an answer and a reference.
    """
    if known_formats.find_format(value) or is_batch_line(value) or is_reply_row(value):
        return True
    return has_answer_and_reference(list_plain_names(value))
