"""Reads the rows of one sheet of an Excel workbook.

A formula has the value that was saved with the workbook. openpyxl reads row by row. Texts, numbers
and booleans stay unchanged, dates become texts in ISO format, and an empty cell is missing.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from lens.tables.file_reading import FileReading, Row, number_duplicates
from lens.tables.roles import join_names
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# The errors that openpyxl raises if a file is not a complete workbook.
UNREADABLE_ERRORS = (
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
# The longest text of such an error, and the most names of other sheets, in a message.
MAX_ERROR_LENGTH = 120
MAX_SHEET_NAMES = 5
# openpyxl's types of cells.
FORMULA_TYPE = "f"
ERROR_TYPE = "e"


def read_workbook(file: IO[bytes], reading: FileReading) -> Iterator[Row]:
    """Yield the rows of the sheet that the user names, or of the first sheet with a row.

    Raises:
        UserError: openpyxl is missing, the file is not a complete workbook, or a formula has no
            saved value.
    """
    refuse_large(file, reading)
    book = open_workbook(file, values=True)
    for sheet in find_sheets(book, reading.sheet):
        rows = read_sheet_rows(SheetRows(file, sheet), reading)
        first = next(rows, None)
        if first is None:
            continue
        if not reading.sheet:
            note_other_sheets(book.sheetnames, sheet.title, reading)
        yield from itertools.chain([first], rows)
        return


def note_other_sheets(names: Sequence[str], chosen: str, reading: FileReading) -> None:
    """Add a note that says which sheet is read, if there are other sheets."""
    unread = [name for name in names if name != chosen]
    if unread:
        others = join_names(unread, MAX_SHEET_NAMES)
        reading.add_note(say("excel.sheet", sheet=shorten_name(chosen), others=others))


def find_sheets(book: Any, name: str) -> list[Any]:
    """Return the sheet of this name; if the name is empty, all sheets that are not hidden."""
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
    """Raise UserError if a file is not a complete workbook."""
    try:
        yield
    except UNREADABLE_ERRORS as error:
        raise UserError(
            "excel.unreadable", message=shorten_name(str(error), MAX_ERROR_LENGTH)
        ) from None


def refuse_large(file: IO[bytes], reading: FileReading) -> None:
    """Refuse a workbook whose unpacked size is above the limit.

    The size is the one that its zip archive declares; zipfile never unpacks more than that.
    """
    with refuse_broken_workbook():
        members = zipfile.ZipFile(file).infolist()
        size = sum(member.file_size for member in members)
    if reading.most_bytes is not None and size > reading.most_bytes:
        raise UserError("file.bytes", limit=reading.most_bytes // 1_000_000)


def open_workbook(file: IO[bytes], values: bool) -> Any:
    """Open a workbook to read either its values or its formulas."""
    try:
        import openpyxl
    except ImportError:
        raise UserError("excel.missing") from None
    with refuse_broken_workbook(), warnings.catch_warnings():
        # openpyxl warns about parts that it does not read, such as rules for input.
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(file, read_only=True, data_only=values, keep_links=False)


class SheetRows:
    """The rows of a sheet, with a check for formulas in empty cells.

    Formulas are read only if a cell is empty.
    """

    def __init__(self, file: IO[bytes], sheet: Any) -> None:
        self.file = file
        self.sheet = sheet
        self.formulas: Iterator[tuple[int, Sequence[Any]]] | None = None

    def __iter__(self) -> Iterator[tuple[int, Sequence[Any]]]:
        return iterate_rows(self.sheet)

    def refuse_uncomputed(self, number: int, width: int) -> None:
        """Raise UserError if a formula in this row of the sheet has no value."""
        if self.formulas is None:
            book = open_workbook(self.file, values=False)
            self.formulas = iterate_rows(book[self.sheet.title])
        cells = next((cells for row, cells in self.formulas if row == number), ())
        for cell in cells[:width]:
            if cell.value is not None and cell.data_type == FORMULA_TYPE:
                raise UserError("excel.formula", cell=cell.coordinate)


def iterate_rows(sheet: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows of a sheet with their numbers, from 1."""
    # The size that a sheet declares is often wrong, and one stray cell can make it huge.
    sheet.reset_dimensions()
    with refuse_broken_workbook():
        yield from enumerate(sheet.iter_rows(), 1)


def read_sheet_rows(rows: SheetRows, reading: FileReading) -> Iterator[Row]:
    """Yield the rows of a sheet as dicts, by the names in the first row that is not empty."""
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
        # An empty cell may have a formula whose value was never saved.
        if None in values[: len(names)]:
            rows.refuse_uncomputed(number, len(names))
        if is_empty:
            continue
        errors += sum(cell.data_type == ERROR_TYPE for cell in cells)
        values += [None] * (len(names) - len(values))
        yield dict(zip(names, values, strict=False))
    if errors:
        reading.add_note(say("excel.errors", count=errors))


def is_all_none(values: Sequence[Any]) -> bool:
    """Return whether all values are None."""
    return all(value is None for value in values)


def read_names(values: Sequence[Any]) -> list[str]:
    """Return the names of the columns, without empty names at the end."""
    names = ["" if value is None else str(value).strip() for value in values]
    while names and not names[-1]:
        names.pop()
    return number_duplicates(names)


def read_value(cell: Any) -> Any:
    """Return the value of a cell: a text, a number or a boolean.

    The result is None for an empty cell, and for the error of a formula.
    """
    value = cell.value
    if cell.data_type == ERROR_TYPE or value == "":
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    return str(value)
