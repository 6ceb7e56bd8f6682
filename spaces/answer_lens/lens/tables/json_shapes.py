"""The rows in the JSON that people have: which of its lists and objects is the table.

Rows are objects: one on each line, in an array, or one after another. Lists of cells have their names in the first one.
A file that is one object may hold the rows by their keys, by column, in a list, or as pandas splits them. What is
taken is told; what could be taken in two ways is decided by the usual names of columns, or refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from lens.tables import logs
from lens.tables.json_values import Doubled, read_values
from lens.tables.reading import Reading, Row, refuse_twice
from lens.tables.replies import is_batch_line, is_reply_row, read_batch_line, read_reply_row
from lens.tables.roles import BadTable, Roles, guess, listing
from lens.words import say
from lens.words.printed import short

# Objects one in another that are looked through for the rows.
MAX_DEPTH = 3
# A table has no more columns; an object of more is one of rows.
MAX_NAMES = 200


def read_json(stream: TextIO, reading: Reading) -> Iterator[Row]:
    """Yield the rows of a JSON file; BadTable where there are none that can be told.

    The one object of another tool's log is its row.
    """
    values = read_values(stream)
    first = list(itertools.islice(values, 2))
    rows = read_one(first[0], reading) if len(first) == 1 else read_several(itertools.chain(first, values), reading)
    is_batch = None
    for number, row in enumerate(rows, 1):
        check_row(row, number)
        if is_batch is None:
            is_batch = is_batch_line(row)
            if is_batch:
                reading.tell(say("shape_batch"))
        if is_batch:
            yield read_batch_line(row)
        elif is_reply_row(row):
            yield read_reply_row(row)
        else:
            yield row


def check_row(row: Any, number: int) -> None:
    """Refuse what is no object, and one in which a key stands twice."""
    if not isinstance(row, dict):
        raise BadTable(say("file_no_object", row=number))
    if isinstance(row, Doubled):
        raise BadTable(f"{say('row', number=number)}{say('colon')}{say('file_twice', column=short(row.key))}")


def read_several(values: Iterable[Any], reading: Reading) -> Iterable[Any]:
    """Return the rows of several values: objects, or lists of cells of which the first has the names."""
    values = iter(values)
    first = next(values, None)
    if first is None:
        return ()
    every = itertools.chain([first], values)
    return read_lists(every, reading) if isinstance(first, list) else every


def read_one(value: Any, reading: Reading) -> Iterable[Any]:
    """Return the rows of the one value of a file."""
    if isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            reading.tell(say("shape_texts"))
            return [{"prediction": one} for one in value]
        return read_several(value, reading)
    if not isinstance(value, dict) or isinstance(value, Doubled):
        return [value]
    return read_object(value, reading)


def read_object(value: Row, reading: Reading) -> Iterable[Any]:
    """Return the rows of the one object of a file, which may be a row itself."""
    if logs.format_of(value) or is_batch_line(value) or is_reply_row(value) or has_both(plain_names(value)):
        return [value]
    for read in (read_split, read_columns, read_by_key, read_listed, read_texts_by_key):
        rows = read(value, reading)
        if rows is not None:
            return rows
    return [value]


def plain_names(value: Mapping[str, Any]) -> list[str]:
    """Return the names in an object of what is neither a list nor an object."""
    return [name for name, cell in value.items() if not isinstance(cell, list | dict)]


def guess_roles(names: Iterable[str]) -> Roles:
    """Return the roles of columns by their usual names; none where there are too many for columns."""
    first = list(itertools.islice(names, MAX_NAMES + 1))
    return guess(first) if len(first) <= MAX_NAMES else Roles()


def has_both(names: Iterable[str]) -> bool:
    """Return whether names of columns have one for the answer and one for the reference."""
    roles = guess_roles(names)
    return bool(roles.prediction and roles.reference)


def has_either(names: Iterable[str]) -> bool:
    """Return whether names of columns have one for the answer or one for the reference."""
    roles = guess_roles(names)
    return bool(roles.prediction or roles.reference)


def is_row(names: Iterable[str]) -> bool:
    """Return whether names are those of a row: one of them has the question, the answer or the reference."""
    roles = guess_roles(names)
    return bool(roles.prediction or roles.reference or roles.question)


def read_lists(lists: Iterable[Any], reading: Reading) -> Iterator[Row]:
    """Yield the rows of lists of cells; BadTable where the first does not have the names of the columns."""
    lists = iter(lists)
    names: Any = next(lists, [])
    if not all(isinstance(name, str) for name in names) or not has_either(names):
        raise BadTable(say("shape_no_names"))
    reading.tell(say("shape_lists"))
    yield from name_cells(names, lists)


def name_cells(names: Sequence[str], lists: Iterable[Any]) -> Iterator[Row]:
    """Yield a row for each list of cells; BadTable with the number of one that does not fit the names."""
    refuse_twice(names)
    for number, cells in enumerate(lists, 1):
        if not isinstance(cells, list):
            raise BadTable(say("shape_no_list", row=number))
        if len(cells) != len(names):
            raise BadTable(say("file_ragged", row=number, cells=len(cells), columns=len(names)))
        yield dict(zip(names, cells, strict=True))


def read_split(value: Row, reading: Reading) -> Iterable[Any] | None:
    """Return the rows of a table that pandas wrote with orient="split"; None for anything else."""
    names, lists = value.get("columns"), value.get("data")
    if not isinstance(names, list) or not isinstance(lists, list) or not all(isinstance(one, str) for one in names):
        return None
    if lists and not isinstance(lists[0], list):
        return None
    reading.tell(say("shape_split"))
    rows = name_cells(names, lists)
    labels = value.get("index")
    if not isinstance(labels, list) or len(labels) != len(lists) or labels == list(range(len(lists))):
        return rows
    return ({"index": label, **row} for label, row in zip(labels, rows, strict=True))


def read_columns(value: Row, reading: Reading) -> Iterable[Any] | None:
    """Return the rows of an object of columns, which are lists of one length; None for anything else.

    Texts and numbers beside the columns are left out, where the columns have usual names.
    """
    columns = {name: cells for name, cells in value.items() if isinstance(cells, list)}
    others = plain_names(value)
    if not columns or len(columns) + len(others) < len(value):
        return None
    if others and (is_row(others) or not has_both(columns)):
        return None
    listed = [name for name, cells in columns.items() if is_table(cells)]
    if listed and (len(columns) == 1 or not has_either(columns)):
        return None
    lengths = {name: len(cells) for name, cells in columns.items()}
    if len({*lengths.values()}) > 1:
        if listed or not has_both(columns):
            return None
        shown = say("list_comma").join(f"“{short(name)}” {length:,}" for name, length in lengths.items())
        raise BadTable(say("shape_lengths", lengths=shown))
    reading.tell(say("shape_columns") + tell_others(others))
    return (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))


def read_by_key(value: Row, reading: Reading, path: str = "") -> Iterable[Any] | None:
    """Return the rows of an object that has them by their keys, or by column and key, as pandas does.

    None for anything else. Texts and numbers beside the rows are left out.
    """
    rows = {key: row for key, row in value.items() if isinstance(row, dict)}
    others = plain_names(value)
    if not rows or len(rows) + len(others) < len(value) or has_either(others):
        return None
    for number, row in enumerate(rows.values(), 1):
        check_row(row, number)
    inner = next(iter(rows.values()))
    is_even = all(row.keys() == inner.keys() for row in rows.values())
    if has_either(inner):
        reading.tell(tell_path(path) + say("shape_by_key", column=key_column(inner)) + tell_others(others))
        return ({key_column(row): key} | row for key, row in rows.items())
    if is_even and not others and inner and has_either(rows):
        reading.tell(tell_path(path) + say("shape_columns"))
        return [{name: cells[key] for name, cells in rows.items()} for key in inner]
    return None


def key_column(row: Mapping[str, Any]) -> str:
    """Return the name of the column that has the keys of rows: "id", unless they have one."""
    return "key" if guess_roles(row).id else "id"


def read_listed(value: Row, reading: Reading) -> Iterable[Any] | None:
    """Return the rows of the one list of objects in an object; None where there is none.

    Raises:
        BadTable: where there are several, and not one of them alone has an answer by its name.
    """
    tables = dict(find_tables(value))
    likely = [path for path, table in tables.items() if guess_roles(first_object(table)).prediction]
    likely = likely or [path for path, table in tables.items() if has_either(first_object(table))]
    if not likely and not is_row(plain_names(value)):
        likely = list(tables)
    if not likely:
        return None
    if len(likely) > 1:
        raise BadTable(say("shape_several", names=listing(likely), name=likely[0]))
    (path,) = likely
    table = tables[path]
    if isinstance(table, dict):
        return read_by_key(table, reading, path)
    others = [name for name in value if name != path.partition(".")[0]]
    reading.tell(say("shape_listed", name=short(path)) + tell_others(others))
    return table


def find_tables(value: Row, path: str = "", depth: int = MAX_DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield the lists of objects, and the objects of rows by their keys, in an object with their dotted names."""
    for name, inner in value.items():
        here = f"{path}.{name}" if path else name
        if isinstance(inner, list) and is_table(inner):
            yield here, inner
        elif isinstance(inner, dict) and depth:
            if read_by_key(inner, Reading()) is None:
                yield from find_tables(inner, here, depth - 1)
            else:
                yield here, inner


def is_table(cells: Sequence[Any]) -> bool:
    """Return whether a list is one of objects."""
    return bool(cells) and all(isinstance(one, dict) for one in cells)


def first_object(table: Any) -> Mapping[str, Any]:
    """Return the first row of a list of objects, or of an object of rows by their keys."""
    if isinstance(table, list):
        return table[0]  # type: ignore[no-any-return]
    return next(one for one in table.values() if isinstance(one, dict))


def read_texts_by_key(value: Row, reading: Reading) -> Iterable[Any] | None:
    """Return the rows of an object that has nothing but texts, or lists of texts, by their ids, as SQuAD's predictions.

    None for anything else.
    """
    if len(value) < 2 or is_row(value):
        return None
    if not all(isinstance(cell, str) or is_texts(cell) for cell in value.values()):
        return None
    reading.tell(say("shape_texts_by_key"))
    return [{"id": key, "prediction": cell} for key, cell in value.items()]


def is_texts(cell: Any) -> bool:
    """Return whether a cell is a list of texts."""
    return isinstance(cell, list) and all(isinstance(one, str) for one in cell)


def tell_path(path: str) -> str:
    """Return, in words, where in a file the rows are; nothing where they are the file."""
    return say("shape_in", name=short(path)) if path else ""


def tell_others(names: Sequence[str]) -> str:
    """Return, in words, what beside the rows is not read; nothing where there is nothing."""
    return say("between_sentences") + say("shape_others", names=listing(names, 5)) if names else ""
