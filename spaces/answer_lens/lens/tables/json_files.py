"""Reads rows from the common forms of JSON files.

A file has one row per line, an array of rows, rows one after another, or one object. One object may
hold the rows in one of several shapes (`json_shapes.py`). A note says which shape was read. If two
shapes are possible, the usual names of columns decide, or the file is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from lens.tables import known_formats
from lens.tables.cells import fits_column_type
from lens.tables.file_reading import FileReading, Row
from lens.tables.json_shapes import (
    check_row,
    has_answer_and_reference,
    list_plain_names,
    read_by_key,
    read_columns,
    read_lists,
    read_only_table,
    read_split,
    read_texts_by_key,
)
from lens.tables.json_values import DuplicateKeyObject, read_values
from lens.tables.replies import is_batch_line, is_reply_row, read_batch_line, read_reply_row
from lens.words import say


def read_json(stream: TextIO, reading: FileReading) -> Iterator[Row]:
    """Yield the rows of a JSON file.

    If the file is another tool's log in one object, that object is its only row.

    Raises:
        UserError: no rows can be recognised in the file.
    """
    read_row = None
    for number, row in enumerate(find_rows(stream, reading), 1):
        check_row(row, number)
        if read_row is None:
            read_row = choose_row_reader(row, reading)
        yield read_row(row)


def read_plain_json(stream: TextIO) -> Iterator[Row]:
    """Yield the rows of JSON Lines or of an array unchanged.

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


def find_rows(stream: TextIO, reading: FileReading) -> Iterable[Any]:
    """Return the rows of a JSON file, which holds one value or several."""
    values = read_values(stream)
    first_values = list(itertools.islice(values, 2))
    if len(first_values) == 1:
        return read_single_value(first_values[0], reading)
    return read_several_values(itertools.chain(first_values, values), reading)


def choose_row_reader(first: Row, reading: FileReading) -> Callable[[Row], Row]:
    """Return the function that reads the rows of a file, chosen by its first row.

    If the first row is a line of a batch, all other rows are, too.
    """
    if is_batch_line(first):
        reading.add_note(say("json.batch"))
        return read_batch_line
    return read_row_or_reply


def read_row_or_reply(row: Row) -> Row:
    """Return a row unchanged, or with the answer's text if it is a model's reply."""
    return read_reply_row(row) if is_reply_row(row) else row


def read_several_values(values: Iterable[Any], reading: FileReading) -> Iterable[Any]:
    """Return the rows of several values.

    The values are objects, or one list of column names and then lists of cells.
    """
    values = iter(values)
    first = next(values, None)
    if first is None:
        return ()
    rows = itertools.chain([first], values)
    if isinstance(first, list):
        return read_lists(rows, reading)
    return rows


def read_single_value(value: Any, reading: FileReading) -> Iterable[Any]:
    """Return the rows of a file with a single value."""
    if isinstance(value, list):
        if value and fits_column_type(value, "texts"):
            reading.add_note(say("json.texts"))
            return [{"prediction": text} for text in value]
        return read_several_values(value, reading)
    if not isinstance(value, dict) or isinstance(value, DuplicateKeyObject):
        return [value]
    return read_object(value, reading)


def read_object(value: Row, reading: FileReading) -> Iterable[Any]:
    """Return the rows of a file with a single object, which may itself be a row."""
    if is_known_row(value):
        return [value]
    for read_shape in (read_split, read_columns, read_by_key, read_only_table, read_texts_by_key):
        rows = read_shape(value, reading)
        if rows is not None:
            return rows
    return [value]


def is_known_row(value: Row) -> bool:
    """Return whether an object is itself a row.

    It is if it is a tool's log, a line of a batch or a reply, or has both an answer and a
    reference.
    """
    if known_formats.find_format(value) or is_batch_line(value) or is_reply_row(value):
        return True
    return has_answer_and_reference(list_plain_names(value))
