"""Tables of CSV and plain lines of text.

CSV is read by Python's own strict reader: pyarrow's takes the rest of a file for one cell where a
quotation mark is missing, and pandas' shifts or cuts rows that are too long.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from lens.tables.json_values import BLANK, MARK
from lens.tables.reading import Reading, Row, number_duplicates
from lens.tables.roles import guess_roles
from lens.words import say
from lens.words.notes import UserError

# The first line with which Excel is told the sign between the columns.
SEPARATOR = re.compile(r"\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)
# The signs that may stand between columns, the likeliest first, and what is quoted, in which they
# do not count.
DELIMITERS = ",;\t|"
QUOTED = re.compile(r'"[^"]*"?')
LONGEST_CELL = 2**31 - 1
# In a table with tabs these are cells.
BLANK_BUT_TABS = BLANK.replace("\t", "")


def read_csv(stream: TextIO, reading: Reading) -> Iterator[Row]:
    """Yield the rows of a CSV file; empty lines, and those of spaces alone, are none."""
    csv.field_size_limit(LONGEST_CELL)
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
    """The first line of a table that is not empty, and its delimiter.

    `names_delimiter`: the line is Excel's "sep=;", which is none of the table.
    """

    text: str
    delimiter: str
    names_delimiter: bool

    def rejoin(self, stream: Iterable[str]) -> Iterable[str]:
        """Return the lines of the table.

        The first is left out where it only names the delimiter.
        """
        return stream if self.names_delimiter else itertools.chain([self.text], stream)


def read_first_line(stream: TextIO) -> FirstLine:
    """Return the first line of a table that is not empty."""
    first = next((line for line in stream if line.strip(BLANK)), "")
    text = first.lstrip(MARK)
    separator = SEPARATOR.fullmatch(text)
    if separator:
        return FirstLine(text, separator[1], names_delimiter=True)
    return FirstLine(text, find_delimiter(text), names_delimiter=False)


def find_delimiter(header: str) -> str:
    """Return the delimiter of the columns' names: the commonest outside quotation marks.

    >>> find_delimiter('"question, with, commas";reference;prediction'), find_delimiter("a,b")
    (';', ',')
    """
    return max(DELIMITERS, key=QUOTED.sub("", header).count)


def are_quotes_text(stream: TextIO) -> bool:
    """Return whether quotation marks in a table with tabs are part of its texts.

    They are where every line has as many tabs as the first, so that each can be a row, and reading
    the quoted cells of CSV is an error or takes several lines for one.
    """
    stream.seek(0)
    if not read_first_line(stream).names_delimiter:
        stream.seek(0)
    tabs, lines, has_quoted = -1, 0, False
    for line in stream:
        text = line.strip(BLANK_BUT_TABS)
        if not text:
            continue
        if tabs < 0:
            tabs = text.count("\t")
        if text.count("\t") != tabs:
            return False
        lines += 1
        has_quoted = has_quoted or text.startswith('"') or '\t"' in text
    return has_quoted and count_quoted_rows(stream, tabs + 1) != lines


def count_quoted_rows(stream: TextIO, width: int) -> int:
    """Return how many rows a table with tabs has where cells may be quoted.

    -1 where it has none of that width.
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
    """Return whether a line of CSV has cells: one that is empty, or of spaces alone, has none."""
    return bool(cells) and not (len(cells) == 1 and cells[0].isspace())


def read_csv_rows(reader: Iterable[list[str]]) -> Iterator[Row]:
    """Yield the rows of CSV by the names in the first one."""
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
    """Return the names of columns without the empty ones at the end.

    Spreadsheets write empty columns so.
    """
    names = list(head)
    # A single one may be a column whose name was forgotten.
    if names.count("") < 2:
        return names
    while names and not names[-1]:
        names.pop()
    return names


def read_lines(stream: TextIO, reading: Reading) -> Iterator[Row]:
    """Yield the lines of a text as answers; a line may be empty, and is an answer all the same.

    A text whose first line has the usual names of columns is a table.
    """
    lines = iter(stream)
    first = next(lines, "").lstrip(MARK)
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
