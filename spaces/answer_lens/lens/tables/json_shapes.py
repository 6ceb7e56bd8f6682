"""Recognises the shapes in which one JSON object or list holds the rows of a table.

The shapes, for a table with the columns a and b:

- by key: {"q1": {"a": 1, "b": 2}, "q2": ...};
- by column: {"a": [1, ...], "b": [2, ...]};
- in a list: {"data": [{"a": 1, "b": 2}, ...]};
- lists of cells after a list of names: [["a", "b"], [1, 2], ...];
- as pandas writes it with orient="split": {"columns": ["a", "b"], "data": [[1, 2], ...]};
- texts by id, which are answers: {"q1": "Paris", ...}.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lens.tables.cells import fits_column_type
from lens.tables.file_reading import FileReading, Row, refuse_duplicates
from lens.tables.json_values import DuplicateKeyObject
from lens.tables.replies import are_objects
from lens.tables.roles import Roles, guess_roles, join_names
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# How deep nested objects are searched for the rows.
MAX_DEPTH = 3
# An object with more keys than this has rows by their keys, not columns.
MAX_COLUMNS = 200
# A note names at most this many values that are not read.
MAX_UNREAD_NAMES = 5


def check_row(row: Any, number: int) -> None:
    """Refuse a row that is not an object, or that has one key twice."""
    if not isinstance(row, dict):
        raise UserError("file.no_object", row=number)
    if isinstance(row, DuplicateKeyObject):
        raise UserError("file.twice_in_row", row=number, column=shorten_name(row.key))


def list_plain_names(value: Mapping[str, Any]) -> list[str]:
    """Return the names of an object's values that are neither lists nor objects."""
    return [name for name, cell in value.items() if not isinstance(cell, list | dict)]


def guess_table_roles(names: Iterable[str]) -> Roles:
    """Return the roles of columns by their usual names; no roles if there are too many columns."""
    first_names = tuple(itertools.islice(names, MAX_COLUMNS + 1))
    if len(first_names) > MAX_COLUMNS:
        return Roles()
    return guess_cached_roles(first_names)


@lru_cache(maxsize=256)
def guess_cached_roles(names: tuple[str, ...]) -> Roles:
    """Return the roles of columns, cached because a file may have many lists of these columns."""
    return guess_roles(names)


def has_answer_and_reference(names: Iterable[str]) -> bool:
    """Return whether there is a column of answers and one of references, by their names."""
    roles = guess_table_roles(names)
    return bool(roles.prediction and roles.reference)


def has_answer_or_reference(names: Iterable[str]) -> bool:
    """Return whether there is a column of answers or one of references, by their names."""
    roles = guess_table_roles(names)
    return bool(roles.prediction or roles.reference)


def has_row_names(names: Iterable[str]) -> bool:
    """Return whether there is a column of questions, answers or references, by their names."""
    roles = guess_table_roles(names)
    return bool(roles.prediction or roles.reference or roles.question)


def read_lists(lists: Iterable[Any], reading: FileReading) -> Iterator[Row]:
    """Yield the rows of lists of cells, by the names in the first list.

    Raises:
        UserError: the first list does not have usual names of columns.
    """
    lists = iter(lists)
    names: Any = next(lists, [])
    if not fits_column_type(names, "texts") or not has_answer_or_reference(names):
        raise UserError("json.no_names")
    reading.add_note(say("json.lists"))
    yield from name_cells(names, lists)


def name_cells(names: Sequence[str], lists: Iterable[Any]) -> Iterator[Row]:
    """Yield a row for each list of cells.

    Raises:
        UserError: a list of cells does not have as many cells as there are names; the message has
        its number.
    """
    refuse_duplicates(names)
    for number, cells in enumerate(lists, 1):
        if not isinstance(cells, list):
            raise UserError("json.no_list", row=number)
        if len(cells) != len(names):
            raise UserError("file.ragged", row=number, cells=len(cells), columns=len(names))
        yield dict(zip(names, cells, strict=True))


def read_split(value: Row, reading: FileReading) -> Iterable[Any] | None:
    """Return the rows that pandas wrote with orient="split"; None for another shape."""
    names: Any = value.get("columns")
    lists = value.get("data")
    if not fits_column_type(names, "texts") or not isinstance(lists, list):
        return None
    if lists and not isinstance(lists[0], list):
        return None
    reading.add_note(say("json.split"))
    rows = name_cells(names, lists)
    labels = value.get("index")
    if not isinstance(labels, list) or len(labels) != len(lists):
        return rows
    # A table of pandas without an index of its own has the labels 0, 1, 2, ...
    if labels == list(range(len(lists))):
        return rows
    return label_rows(labels, rows)


def label_rows(labels: Iterable[Any], rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows with their labels in a column "index"."""
    for label, row in zip(labels, rows, strict=True):
        yield {"index": label, **row}


def read_columns(value: Row, reading: FileReading) -> Iterable[Any] | None:
    """Return the rows of an object of columns; None for another shape.

    The columns are lists of the same length. Single texts and numbers are left out if the columns
    have usual names.
    """
    columns = {name: cells for name, cells in value.items() if isinstance(cells, list)}
    unread = list_plain_names(value)
    has_objects = len(columns) + len(unread) < len(value)
    if not columns or has_objects or not may_be_columns(columns, unread):
        return None
    lengths = {name: len(cells) for name, cells in columns.items()}
    has_equal_lengths = len(set(lengths.values())) == 1
    if has_equal_lengths:
        reading.add_note(say("json.columns") + describe_unread(unread))
        return join_columns(columns)
    if has_tables(columns) or not has_answer_and_reference(columns):
        return None
    raise UserError("json.lengths", lengths=format_lengths(lengths))


def may_be_columns(columns: Mapping[str, list[Any]], unread: Sequence[str]) -> bool:
    """Return whether the lists in an object may be the columns of a table.

    Args:
        columns: the lists by their names.
        unread: the names of the single texts and numbers beside them.
    """
    if unread and (has_row_names(unread) or not has_answer_and_reference(columns)):
        return False
    if not has_tables(columns):
        return True
    return len(columns) > 1 and has_answer_or_reference(columns)


def has_tables(columns: Mapping[str, list[Any]]) -> bool:
    """Return whether a list in an object is itself a table, and not a column."""
    return any(is_table(cells) for cells in columns.values())


def join_columns(columns: Mapping[str, list[Any]]) -> Iterator[Row]:
    """Yield the rows of columns that have the same length."""
    for cells in zip(*columns.values(), strict=True):
        yield dict(zip(columns, cells, strict=True))


def format_lengths(lengths: Mapping[str, int]) -> str:
    """Return the names of columns with their lengths, for a message."""
    columns = [f"“{shorten_name(name)}” {length:,}" for name, length in lengths.items()]
    return say("page.list_comma").join(columns)


def read_by_key(value: Row, reading: FileReading, path: str = "") -> Iterable[Any] | None:
    """Return the rows of an object that has them by their keys; None for another shape.

    pandas also writes them by column, and then by key. Texts and numbers beside the rows are left
    out.
    """
    rows = {key: row for key, row in value.items() if isinstance(row, dict)}
    unread = list_plain_names(value)
    has_lists = len(rows) + len(unread) < len(value)
    if not rows or has_lists or has_answer_or_reference(unread):
        return None
    for number, row in enumerate(rows.values(), 1):
        check_row(row, number)
    first = next(iter(rows.values()))
    if has_answer_or_reference(first):
        note = say("json.by_key", column=name_key_column(first))
        reading.add_note(describe_path(path) + note + describe_unread(unread))
        return add_keys(rows)

    has_same_keys = all(row.keys() == first.keys() for row in rows.values())
    if has_same_keys and not unread and first and has_answer_or_reference(rows):
        reading.add_note(describe_path(path) + say("json.columns"))
        return transpose_columns(rows)
    return None


def add_keys(rows: Mapping[str, Row]) -> Iterator[Row]:
    """Yield rows with their keys in an additional column."""
    for key, row in rows.items():
        yield {name_key_column(row): key, **row}


def transpose_columns(columns: Mapping[str, Row]) -> list[Row]:
    """Return the rows of columns whose cells stand by the same keys."""
    keys = next(iter(columns.values()))
    rows = []
    for key in keys:
        row = {name: cells[key] for name, cells in columns.items()}
        rows.append(row)
    return rows


def name_key_column(row: Mapping[str, Any]) -> str:
    """Return the name of the column for the keys of rows: "id", or "key" if they have an id."""
    return "key" if guess_table_roles(row).id else "id"


def read_only_table(value: Row, reading: FileReading) -> Iterable[Any] | None:
    """Return the rows of the only list of objects in an object; None if there is none.

    Raises:
        UserError: there are several lists of objects, and not exactly one has answers by its names.
    """
    tables = dict(find_tables(value))
    likely = find_likely_tables(tables)
    plain_names = list_plain_names(value)
    if not likely and not has_row_names(plain_names):
        likely = list(tables)
    if not likely:
        return None
    if len(likely) > 1:
        raise UserError("json.several", names=join_names(likely), name=likely[0])
    (path,) = likely
    table = tables[path]
    if isinstance(table, dict):
        return read_by_key(table, reading, path)
    root, _, _ = path.partition(".")
    unread = [name for name in value if name != root]
    note = say("json.listed", name=shorten_name(path))
    reading.add_note(note + describe_unread(unread))
    return table


def find_likely_tables(tables: Mapping[str, Any]) -> list[str]:
    """Return the paths of the tables that have answers by the usual names.

    If no table has answers, the tables with references are returned.
    """
    with_answers = []
    with_references = []
    for path, table in tables.items():
        roles = guess_table_roles(find_first_row(table))
        if roles.prediction:
            with_answers.append(path)
        elif roles.reference:
            with_references.append(path)
    return with_answers or with_references


def find_tables(value: Row, path: str = "", depth: int = MAX_DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield the dotted names and values of the tables in an object.

    A table is a list of objects, or an object of rows by their keys.
    """
    for name, inner in value.items():
        inner_path = f"{path}.{name}" if path else name
        if isinstance(inner, list) and is_table(inner):
            yield inner_path, inner
        elif isinstance(inner, dict) and depth:
            has_rows = read_by_key(inner, FileReading()) is not None
            if has_rows:
                yield inner_path, inner
            else:
                yield from find_tables(inner, inner_path, depth - 1)


def is_table(cells: Sequence[Any]) -> bool:
    """Return whether a list has items, and all of them are objects."""
    return bool(cells) and are_objects(cells)


def find_first_row(table: Any) -> Mapping[str, Any]:
    """Return the first row of a list of objects, or of an object of rows by their keys."""
    if isinstance(table, list):
        return table[0]  # type: ignore[no-any-return]
    return next(row for row in table.values() if isinstance(row, dict))


def read_texts_by_key(value: Row, reading: FileReading) -> Iterable[Any] | None:
    """Return the rows of an object of texts by their ids; None for another shape.

    The values may also be lists of texts. SQuAD's predictions have this shape.
    """
    if len(value) < 2 or has_row_names(value):
        return None
    for cell in value.values():
        if not isinstance(cell, str) and not fits_column_type(cell, "texts"):
            return None
    reading.add_note(say("json.texts_by_key"))
    return [{"id": key, "prediction": text} for key, text in value.items()]


def describe_path(path: str) -> str:
    """Return a sentence that says where in a file the rows are; empty for the whole file."""
    return say("json.in", name=shorten_name(path)) if path else ""


def describe_unread(names: Sequence[str]) -> str:
    """Return a sentence that names the values that are not read; empty if there are none."""
    if not names:
        return ""
    note = say("json.others", names=join_names(names, MAX_UNREAD_NAMES))
    return say("page.between_sentences") + note
