"""Workbooks of Excel: the rows of one sheet.

A formula has the value that it had when the workbook was saved.

openpyxl reads row by row. Texts stand as they are, numbers and booleans as what they are, dates as
their ISO form; an empty cell is missing.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from lens.tables.reading import Reading, Row, number_duplicates
from lens.tables.roles import join_names
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# The errors of openpyxl about a file that is no whole workbook.
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
)
# Of such an error, and of the names of other sheets, how much is told.
MAX_TOLD = 120
MAX_SHEETS = 5
FORMULA, ERROR = "f", "e"


def read_workbook(file: IO[bytes], reading: Reading) -> Iterator[Row]:
    """Yield the rows of a sheet: the one that is asked for, or the first that has a row.

    Raises:
        UserError: where openpyxl is missing, for no whole workbook, and for a formula that was
            never computed.
    """
    refuse_large(file, reading)
    book = open_workbook(file, values=True)
    for sheet in choose_sheets(book, reading.sheet):
        rows = read_sheet_rows(SheetRows(file, sheet), reading)
        first = next(rows, None)
        if first is None:
            continue
        if not reading.sheet:
            note_other_sheets(book.sheetnames, sheet.title, reading)
        yield from itertools.chain([first], rows)
        return


def note_other_sheets(names: Sequence[str], chosen: str, reading: Reading) -> None:
    """Note which sheet is read, where there are others."""
    others = [name for name in names if name != chosen]
    if others:
        note = say("excel.sheet", sheet=shorten_name(chosen), others=join_names(others, MAX_SHEETS))
        reading.add_note(note)


def choose_sheets(book: Any, name: str) -> list[Any]:
    """Return the sheets that may have the rows: the one of a name, or those that are not hidden."""
    if not name:
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return visible or book.worksheets
    sheets = [sheet for sheet in book.worksheets if sheet.title == name]
    if not sheets:
        raise UserError(
            "excel.no_sheet", sheet=shorten_name(name), found=join_names(book.sheetnames)
        )
    return sheets


@contextlib.contextmanager
def refuse_broken_workbook() -> Iterator[None]:
    """Refuse a file that is no whole workbook."""
    try:
        yield
    except UNREADABLE as error:
        raise UserError("excel.unreadable", message=shorten_name(str(error), MAX_TOLD)) from None


def refuse_large(file: IO[bytes], reading: Reading) -> None:
    """Refuse a workbook that unpacks to more than it may.

    More than it says of itself is never unpacked.
    """
    with refuse_broken_workbook():
        members = zipfile.ZipFile(file).infolist()
        size = sum(member.file_size for member in members)
    if reading.most_bytes is not None and size > reading.most_bytes:
        raise UserError("file.bytes", limit=reading.most_bytes // 1_000_000)


def open_workbook(file: IO[bytes], values: bool) -> Any:
    """Open a workbook for its values, or for its formulas."""
    try:
        import openpyxl
    except ImportError:
        raise UserError("excel.missing") from None
    with refuse_broken_workbook(), warnings.catch_warnings():
        # openpyxl warns of what it does not keep, such as rules for input.
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(file, read_only=True, data_only=values, keep_links=False)


class SheetRows:
    """The rows of cells of a sheet, and the formulas behind empty cells.

    Formulas are read only where a cell is empty.
    """

    def __init__(self, file: IO[bytes], sheet: Any) -> None:
        self.file = file
        self.sheet = sheet
        self.formulas: Iterator[tuple[int, Sequence[Any]]] | None = None

    def __iter__(self) -> Iterator[tuple[int, Sequence[Any]]]:
        return iterate_rows(self.sheet)

    def refuse_uncomputed(self, number: int, width: int) -> None:
        """Refuse a row, by its number in the sheet, in which a formula has no value."""
        if self.formulas is None:
            book = open_workbook(self.file, values=False)
            self.formulas = iterate_rows(book[self.sheet.title])
        cells = next((cells for place, cells in self.formulas if place == number), ())
        for cell in cells[:width]:
            if cell.value is not None and cell.data_type == FORMULA:
                raise UserError("excel.formula", cell=cell.coordinate)


def iterate_rows(sheet: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows of cells of a sheet with their numbers, from 1."""
    # What a sheet says of its size is often wrong, and a single stray cell can make it huge.
    sheet.reset_dimensions()
    with refuse_broken_workbook():
        yield from enumerate(sheet.iter_rows(), 1)


def read_sheet_rows(rows: SheetRows, reading: Reading) -> Iterator[Row]:
    """Yield the rows of a sheet by the names in the first one that is not empty."""
    names: list[str] = []
    errors = 0
    for number, cells in rows:
        values = [read_value(cell) for cell in cells]
        is_empty = is_all_none(values)
        if not names:
            names = [] if is_empty else read_names(values)
            continue
        if not is_all_none(values[len(names) :]):
            raise UserError("file.ragged", row=number, cells=len(values), columns=len(names))
        # Behind an empty cell may stand a formula that was never computed.
        if None in values[: len(names)]:
            rows.refuse_uncomputed(number, len(names))
        if is_empty:
            continue
        errors += sum(cell.data_type == ERROR for cell in cells)
        values += [None] * (len(names) - len(values))
        yield dict(zip(names, values, strict=False))
    if errors:
        reading.add_note(say("excel.errors", count=errors))


def is_all_none(values: Sequence[Any]) -> bool:
    """Return whether all values are None."""
    return all(value is None for value in values)


def read_names(values: Sequence[Any]) -> list[str]:
    """Return the names of columns, without empty ones at the end."""
    names = ["" if value is None else str(value).strip() for value in values]
    while names and not names[-1]:
        names.pop()
    return number_duplicates(names)


def read_value(cell: Any) -> Any:
    """Return what is in a cell: a text, a number or a boolean.

    It is None for an empty one, and for an error of a formula.
    """
    value = cell.value
    if cell.data_type == ERROR or value == "":
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    return str(value)
