"""Sections of a report as plain text for the terminal, no line of which is wider than WIDTH.

A comparison that is too wide first loses the columns that hold the same in every row, which are
named above it. Then the heads of a table are set on several lines, then its names, and at last its
columns stand in blocks below each other. No figure is left out. A signature, which is there to be
copied, stays on one line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lens.reports.section import DOUBT, SectionText
from lens.words import say
from lens.words.printed import make_one_line

WIDTH = 100
GAP = "  "
# Names are set on several lines rather than cut, but in no narrower column than this.
NARROWEST_NAME = 16
INDENT = "  "
# Where a line may end: at blanks but that before a mark of doubt, and behind each character of
# Chinese or Japanese with the marks that close it.
WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
TOKEN = re.compile(rf"[ ]+|[{WIDE}][、。，；：？！）》〉」』】％]*|[^ {WIDE}]+(?:{DOUBT})?")
SILENT = ("Mn", "Me", "Cf")


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its cells, whether they are names, and how wide it is set."""

    head: str
    cells: Sequence[str]
    is_name: bool
    size: int

    def narrowest_head(self) -> Column:
        """Return the column as narrow as its cells and the longest word of its head allow."""
        words = max(map(width, self.head.split(" ")), default=0)
        return replace(self, size=max([words, *map(width, self.cells)]))


def width(text: str) -> int:
    r"""Return how many columns of a terminal a text takes: two for a Chinese character, none for an
    accent.

    >>> width("F1"), width("均值"), width("e\u0301")
    (2, 4, 1)
    """
    total = 0
    for sign in text:
        if unicodedata.category(sign) in SILENT:
            continue
        is_wide = unicodedata.east_asian_width(sign) in "WF"
        total += 2 if is_wide else 1
    return total


def format_plain_text(sections: Sequence[SectionText]) -> str:
    """Return sections as text for the terminal."""
    lines: list[str] = []
    for section in sections:
        title = wrap_text(make_one_line(section.title), WIDTH)
        lines += title
        lines.append("=" * max(map(width, title)))
        if section.rows:
            lines += format_table(section)
            lines.append("")
        for text, code in section.lines:
            if code:
                lines.append(make_one_line(f"{text}: {code}"))
            else:
                lines += wrap_note(make_one_line(text))
        if section.lines:
            lines.append("")
    return "\n".join(lines)


def wrap_note(text: str) -> list[str]:
    """Return a note on lines that fit; all but the first are indented."""
    first, *others = wrap_text(text, WIDTH - len(INDENT))
    return [first, *(INDENT + line for line in others)]


def wrap_text(text: str, size: int) -> list[str]:
    """Return a text on lines of at most this width, broken at blanks and between Chinese
    characters.

    >>> wrap_text("Won / tied / lost", 6), wrap_text("均值与区间。", 8)
    (['Won /', 'tied /', 'lost'], ['均值与区', '间。'])
    """
    lines = list[str]()
    line = ""
    for token in TOKEN.findall(text):
        if token.strip() and width(line + token) > size:
            if line.strip():
                lines.append(line.rstrip())
                line = ""
            *heads, token = split_word(token, size)
            lines += heads
        line += token
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return lines


def split_word(word: str, size: int) -> list[str]:
    """Return a word in pieces that fit on a line, each of at least one character.

    >>> split_word("fifteen", 3), split_word("one", 3)
    (['fif', 'tee', 'n'], ['one'])
    """
    pieces = []
    piece = ""
    for sign in word:
        if piece and width(piece + sign) > size:
            pieces.append(piece)
            piece = ""
        piece += sign
    return [*pieces, piece]


def format_table(section: SectionText) -> list[str]:
    """Return a table in aligned columns, names on the left, figures on the right, within WIDTH."""
    columns = read_columns(section)
    lines = list[str]()
    is_comparison = section.names > 1  # each row names its systems anew
    if is_comparison and total_size(columns) > WIDTH:
        same, columns = take_out_same(columns)
        if same:
            lines += name_same(same)
            lines.append("")
    if total_size(columns) > WIDTH:
        columns = wrap_heads(columns)
    if total_size(columns) > WIDTH:
        columns = narrow_names(columns)
    first, *others = split_blocks(columns)
    lines += format_block(first)
    for block in others:
        lines += ["", *format_block(block)]
    return lines


def read_columns(section: SectionText) -> list[Column]:
    """Return the columns of a table.

    Cells that stand out have a star behind them, all others of theirs a blank.
    """
    starred = {place for _, place in section.best}
    columns = []
    for place, head in enumerate(section.heads):
        head = make_one_line(head)
        cells = []
        for number, row in enumerate(section.rows):
            cell = make_one_line(row[place])
            if place in starred:
                cell += "*" if (number, place) in section.best else " "
            cells.append(cell)
        size = max(map(width, [head, *cells]))
        columns.append(Column(head, cells, place < section.names, size))
    return columns


def name_same(columns: Sequence[Column]) -> list[str]:
    """Return the note of columns with the same cell in every row: each head with this cell."""
    colon = say("page.colon")
    parts = [f"{column.head}{colon}{column.cells[0]}" for column in columns]
    return wrap_note(say("page.list_comma").join(parts))


def total_size(columns: Sequence[Column]) -> int:
    """Return how wide a table of these columns is."""
    gaps = len(GAP) * (len(columns) - 1)
    return gaps + sum(column.size for column in columns)


def take_out_same(columns: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """Split columns into those with the same in each of several rows and the others, one of names
    among these.
    """
    same = list[Column]()
    others = list[Column]()
    for column in columns:
        if len(column.cells) > 1 and len(set(column.cells)) == 1:
            same.append(column)
        else:
            others.append(column)
    if not any(column.is_name for column in others):
        others.insert(0, same.pop(0))
    return same, others


def wrap_heads(columns: Sequence[Column]) -> list[Column]:
    """Return the columns as narrow as their heads on several lines allow, but for those that there
    is room for.
    """
    narrowed = [column.narrowest_head() for column in columns]
    for place, column in enumerate(columns):
        room = WIDTH - total_size(narrowed)
        if column.size - narrowed[place].size <= room:
            narrowed[place] = column
    return narrowed


def narrow_names(columns: Sequence[Column]) -> list[Column]:
    """Return the columns, those of names narrowed as far as is needed and allowed, the widest
    first.
    """
    narrowed = list(columns)
    while (over := total_size(narrowed) - WIDTH) > 0:
        places = []
        for place, column in enumerate(narrowed):
            if column.is_name and column.size > NARROWEST_NAME:
                places.append(place)
        if not places:
            break
        widest = max(places, key=lambda place: narrowed[place].size)
        # Half of what is left at most, so that two long names share it.
        size = narrowed[widest].size - (over + 1) // 2
        size = max(NARROWEST_NAME, size)
        narrowed[widest] = replace(narrowed[widest], size=size)
    return narrowed


def split_blocks(columns: Sequence[Column]) -> list[list[Column]]:
    """Return blocks of columns that fit, each with all columns of names before its figures."""
    names = [column for column in columns if column.is_name]
    blocks = [list(names)]
    for column in columns[len(names) :]:
        block = blocks[-1]
        has_figures = len(block) > len(names)
        if has_figures and total_size([*block, column]) > WIDTH:
            blocks.append([*names, column])
        else:
            block.append(column)
    return blocks


def format_block(columns: Sequence[Column]) -> list[str]:
    """Return the lines of some columns; heads and names may take several lines."""
    heads = [column.head for column in columns]
    rules = ["-" * column.size for column in columns]
    lines = format_row(heads, columns, bottom=True)
    lines.append(GAP.join(rules))
    cells_by_column = [column.cells for column in columns]
    for cells in zip(*cells_by_column, strict=True):
        lines += format_row(cells, columns)
    return lines


def format_row(cells: Sequence[str], columns: Sequence[Column], bottom: bool = False) -> list[str]:
    """Return one row on as many lines as its tallest cell takes.

    Heads stand at the `bottom` of these.
    """
    texts = []
    for cell, column in zip(cells, columns, strict=True):
        texts.append(wrap_cell(cell, column.size))
    height = max(map(len, texts))
    aligned = []
    for text, column in zip(texts, columns, strict=True):
        missing = [""] * (height - len(text))
        lines = missing + text if bottom else text + missing
        aligned.append([pad_cell(line, column) for line in lines])
    return [GAP.join(parts).rstrip() for parts in zip(*aligned, strict=True)]


def wrap_cell(cell: str, size: int) -> list[str]:
    """Return a cell on one line if it fits, with its blanks, or else on several."""
    if width(cell) <= size:
        return [cell]
    return wrap_text(cell, size)


def pad_cell(text: str, column: Column) -> str:
    """Return a text as wide as its column: names on the left, figures on the right."""
    blanks = " " * (column.size - width(text))
    return text + blanks if column.is_name else blanks + text
