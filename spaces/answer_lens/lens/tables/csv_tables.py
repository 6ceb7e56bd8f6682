"""Reads tables from CSV files and from plain lines of text.

CSV is read by Python's own strict reader. If a quotation mark is missing, pyarrow reads the rest of
the file as one cell. pandas shifts or cuts rows that are too long.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from lens.tables.file_reading import FileReading, Row, number_duplicates
from lens.tables.json_values import BLANK, BYTE_ORDER_MARK
from lens.tables.roles import guess_roles
from lens.words import say
from lens.words.notes import UserError

# A first line such as "sep=;", which tells Excel the delimiter.
DELIMITER_LINE = re.compile(r"\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)
# The possible delimiters, the likeliest first. Those within quotation marks do not count.
DELIMITERS = ",;\t|"
QUOTED = re.compile(r'"[^"]*"?')
QUOTED_CELL = re.compile(r'"[^"]*"')
# The largest limit that Python's reader accepts on every system.
MAX_CELL_LENGTH = 2**31 - 1
# In a table with tabs, a line of tabs has cells and is not blank.
BLANK_BUT_TABS = BLANK.replace("\t", "")


def read_csv(stream: TextIO, reading: FileReading) -> Iterator[Row]:
    """Yield the rows of a CSV file; empty lines and lines of spaces are skipped."""
    csv.field_size_limit(MAX_CELL_LENGTH)
    first = read_first_line(stream)
    options: dict[str, Any] = {"strict": True}
    if first.delimiter == "\t" and stream.seekable():
        if are_quotes_text(stream):
            options["quoting"] = csv.QUOTE_NONE
            reading.add_note(say("file.csv_bare_quotes"))
        stream.seek(0)
        first = read_first_line(stream)
    reader = csv.reader(first.rejoin(stream), delimiter=first.delimiter, **options)
    yield from read_csv_rows(reader)


@dataclass(frozen=True)
class FirstLine:
    """The first line of a table that is not empty, and the delimiter of the table.

    Attributes:
        text: the line.
        delimiter: the delimiter.
        names_delimiter: whether the line is Excel's "sep=;", which is not part of the table.
    """

    text: str
    delimiter: str
    names_delimiter: bool

    def rejoin(self, stream: Iterable[str]) -> Iterable[str]:
        """Return the lines of the table, with this line unless it only names the delimiter."""
        return stream if self.names_delimiter else itertools.chain([self.text], stream)


def read_first_line(stream: TextIO) -> FirstLine:
    """Return the first line of a table that is not empty."""
    first = next((line for line in stream if line.strip(BLANK)), "")
    text = first.lstrip(BYTE_ORDER_MARK)
    delimiter_line = DELIMITER_LINE.fullmatch(text)
    if delimiter_line:
        return FirstLine(text, delimiter_line[1], names_delimiter=True)
    return FirstLine(text, find_delimiter(text), names_delimiter=False)


def find_delimiter(header: str) -> str:
    """Return the delimiter of a header: the most frequent one outside quotation marks.

    >>> find_delimiter('"question, with, commas";reference;prediction'), find_delimiter("a,b")
    (';', ',')
    """
    return max(DELIMITERS, key=QUOTED.sub("", header).count)


def are_quotes_text(stream: TextIO) -> bool:
    """Return whether quotation marks in a table with tabs are part of its texts.

    They are if two conditions hold. Every line has as many tabs as the first, so each line can be a
    row. And reading the quoted cells of CSV fails, or joins several lines into one row although the
    names of the columns are not all quoted.
    """
    stream.seek(0)
    first = read_first_line(stream)
    if not first.names_delimiter:
        stream.seek(0)
    tabs: int | None = None
    lines = 0
    has_quoted_cell = False
    for line in stream:
        text = line.strip(BLANK_BUT_TABS)
        if not text:
            continue
        if tabs is None:
            tabs = text.count("\t")
        if text.count("\t") != tabs:
            return False
        lines += 1
        if text.startswith('"') or '\t"' in text:
            has_quoted_cell = True
    if tabs is None or not has_quoted_cell:
        return False
    rows = count_quoted_rows(stream, tabs + 1)
    if rows >= 0 and is_quoted_line(first.text):
        return False
    return rows != lines


def is_quoted_line(line: str) -> bool:
    """Return whether all cells in a line with tabs are in quotation marks."""
    return all(QUOTED_CELL.fullmatch(cell) for cell in line.strip("\r\n").split("\t"))


def count_quoted_rows(stream: TextIO, width: int) -> int:
    """Count the rows of a table with tabs whose cells may be quoted.

    The result is -1 if this fails, or if a row does not have `width` cells.
    """
    stream.seek(0)
    lines = read_first_line(stream).rejoin(stream)
    rows = 0
    try:
        for cells in csv.reader(lines, delimiter="\t", strict=True):
            if not has_cells(cells):
                continue
            rows += 1
            if len(cells) != width:
                return -1
    except csv.Error:
        return -1
    return rows


def has_cells(cells: list[str]) -> bool:
    """Return whether a line of CSV has cells; an empty line and a line of spaces have none."""
    return bool(cells) and not (len(cells) == 1 and cells[0].isspace())


def read_csv_rows(reader: Iterable[list[str]]) -> Iterator[Row]:
    """Yield the rows of CSV as dicts, by the names in the first line."""
    lines = filter(has_cells, reader)
    number = 0
    try:
        head = [name.strip() for name in next(lines, [])]
        names = number_duplicates(drop_empty_names(head))
        for number, cells in enumerate(lines, 1):
            if len(cells) != len(head):
                raise UserError("file.ragged", row=number, cells=len(cells), columns=len(head))
            if any(cells[len(names) :]):
                raise UserError("file.twice", column="")
            yield dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise UserError("file.not_csv", row=number + 1, message=str(error)) from None


def drop_empty_names(head: list[str]) -> list[str]:
    """Drop the empty names at the end of a header, if at least two names are empty.

    Spreadsheets write such names for empty columns.
    """
    names = list(head)
    # A single empty name may be a column whose name was forgotten.
    if names.count("") < 2:
        return names
    while names and not names[-1]:
        names.pop()
    return names


def read_lines(stream: TextIO, reading: FileReading) -> Iterator[Row]:
    """Yield the lines of a text as answers; an empty line is an empty answer.

    The text is a table if its first line has the usual names of columns.
    """
    lines = iter(stream)
    first = next(lines, "").lstrip(BYTE_ORDER_MARK)
    names = next(csv.reader([first], delimiter=find_delimiter(first)), [])
    roles = guess_roles(names)
    if roles.prediction and roles.reference and stream.seekable():
        reading.add_note(say("file.txt_table"))
        stream.seek(0)
        yield from read_csv(stream, reading)
        return
    reading.add_note(say("file.txt_lines"))
    for line in itertools.chain([first] if first else [], lines):
        yield {"prediction": line.rstrip("\r\n")}
