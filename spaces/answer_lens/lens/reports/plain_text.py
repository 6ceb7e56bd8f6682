"""Sections of a report as plain text for the terminal, no line of which is wider than WIDTH.

A comparison that is too wide first loses the columns that hold the same in every row, which are named above it. Then
the heads of a table are set on several lines, then its names, and at last its columns stand in blocks below each
other. No figure is left out. A signature, which is there to be copied, stays on one line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lens.reports.formats import DOUBT, Section
from lens.words import say
from lens.words.printed import one_line

WIDTH = 100
GAP = "  "
# Names are set on several lines rather than cut, but in no narrower column than this.
NARROWEST_NAME = 16
INDENT = "  "
# Where a line may end: at blanks but that before a mark of doubt, and behind each character of Chinese or Japanese with
# the marks that close it.
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
    r"""Return how many columns of a terminal a text takes: two for a Chinese character, none for an accent.

    >>> width("F1"), width("均值"), width("e\u0301")
    (2, 4, 1)
    """
    total = 0
    for sign in text:
        if unicodedata.category(sign) not in SILENT:
            total += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
    return total


def plain(sections: Sequence[Section]) -> str:
    """Return sections as text for the terminal."""
    lines: list[str] = []
    for section in sections:
        title = wrap_text(one_line(section.title), WIDTH)
        lines += [*title, "=" * max(map(width, title))]
        if section.rows:
            lines += [*format_table(section), ""]
        for text, code in section.lines:
            lines += [one_line(f"{text}: {code}")] if code else wrap_note(one_line(text))
        if section.lines:
            lines.append("")
    return "\n".join(lines)


def wrap_note(text: str) -> list[str]:
    """Return a note on lines that fit; all but the first are indented."""
    first, *others = wrap_text(text, WIDTH - len(INDENT))
    return [first, *(INDENT + line for line in others)]


def wrap_text(text: str, size: int) -> list[str]:
    """Return a text on lines of at most this width, broken at blanks and between Chinese characters.

    >>> wrap_text("Won / tied / lost", 6), wrap_text("均值与区间。", 8)
    (['Won /', 'tied /', 'lost'], ['均值与区', '间。'])
    """
    lines, line, used = list[str](), "", 0
    for token in TOKEN.findall(text):
        needed = width(token)
        if used + needed > size and token.strip():
            if line.strip():
                lines.append(line.rstrip())
                line, used = "", 0
            while needed > size:  # a word that is wider than a line
                head = cut_to(token, size)
                lines.append(head)
                token = token[len(head) :]
                needed = width(token)
        line += token
        used += needed
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def cut_to(text: str, size: int) -> str:
    """Return the beginning of a text that fits, at least one character."""
    used = 0
    for place, sign in enumerate(text):
        used += width(sign)
        if used > size and place:
            return text[:place]
    return text


def format_table(section: Section) -> list[str]:
    """Return a table in aligned columns, names on the left, figures on the right, within WIDTH."""
    columns = columns_of(section)
    same = list[Column]()
    if total_size(columns) > WIDTH and section.names > 1:  # a comparison: each row names its systems anew
        same, columns = take_out_same(columns)
    if total_size(columns) > WIDTH:
        columns = wrap_heads(columns)
    if total_size(columns) > WIDTH:
        columns = narrow_names(columns)
    lines = list[str]()
    if same:
        told = [f"{column.head}{say('colon')}{column.cells[0]}" for column in same]
        lines += [*wrap_note(say("list_comma").join(told)), ""]
    for number, block in enumerate(split_blocks(columns)):
        lines += [""] if number else []
        lines += format_block(block)
    return lines


def columns_of(section: Section) -> list[Column]:
    """Return the columns of a table; cells that stand out have a star behind them, all others of theirs a blank."""
    starred = {column for _, column in section.best}
    columns = []
    for place, head in enumerate(section.heads):
        cells = [one_line(row[place]) for row in section.rows]
        if place in starred:
            cells = [f"{cell}{'*' if (row, place) in section.best else ' '}" for row, cell in enumerate(cells)]
        head = one_line(head)
        columns.append(Column(head, cells, place < section.names, max(map(width, [head, *cells]))))
    return columns


def total_size(columns: Sequence[Column]) -> int:
    """Return how wide a table of these columns is."""
    return sum(column.size for column in columns) + len(GAP) * (len(columns) - 1)


def take_out_same(columns: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """Split columns into those with the same in each of several rows and the others, one of names among these."""
    same = [column for column in columns if len(column.cells) > 1 and len(set(column.cells)) == 1]
    names = [column for column in columns if column.is_name]
    if all(column in same for column in names):
        same = [column for column in same if column is not names[0]]
    return same, [column for column in columns if column not in same]


def wrap_heads(columns: Sequence[Column]) -> list[Column]:
    """Return the columns as narrow as their heads on several lines allow, but for those that there is room for."""
    narrowed = [column.narrowest_head() for column in columns]
    for place, column in enumerate(columns):
        room = WIDTH - total_size(narrowed)
        if column.size - narrowed[place].size <= room:
            narrowed[place] = column
    return narrowed


def narrow_names(columns: Sequence[Column]) -> list[Column]:
    """Return the columns, those of names narrowed as far as is needed and allowed, the widest first."""
    narrowed = list(columns)
    while (over := total_size(narrowed) - WIDTH) > 0:
        names = [column for column in narrowed if column.is_name and column.size > NARROWEST_NAME]
        if not names:
            break
        widest = max(names, key=lambda column: column.size)
        # Half of what is left at most, so that two long names share it.
        size = max(NARROWEST_NAME, widest.size - (over + 1) // 2)
        narrowed[narrowed.index(widest)] = replace(widest, size=size)
    return narrowed


def split_blocks(columns: Sequence[Column]) -> list[list[Column]]:
    """Return blocks of columns that fit, each with all columns of names before its figures."""
    names = [column for column in columns if column.is_name]
    blocks, block = list[list[Column]](), list(names)
    for column in columns[len(names) :]:
        if total_size([*block, column]) > WIDTH and len(block) > len(names):
            blocks.append(block)
            block = list(names)
        block.append(column)
    return [*blocks, block]


def format_block(columns: Sequence[Column]) -> list[str]:
    """Return the lines of some columns; heads and names may take several lines."""
    lines = format_row([column.head for column in columns], columns, bottom=True)
    lines.append(GAP.join("-" * column.size for column in columns))
    for cells in zip(*(column.cells for column in columns), strict=True):
        lines += format_row(cells, columns)
    return lines


def format_row(cells: Sequence[str], columns: Sequence[Column], bottom: bool = False) -> list[str]:
    """Return one row on as many lines as its tallest cell takes; heads stand at the `bottom` of these."""
    texts = []
    for cell, column in zip(cells, columns, strict=True):
        fits = width(cell) <= column.size
        texts.append([cell] if fits else wrap_text(cell, column.size))
    height = max(map(len, texts))
    lines = []
    for number in range(height):
        parts = []
        for text, column in zip(texts, columns, strict=True):
            place = number - (height - len(text)) if bottom else number
            part = text[place] if 0 <= place < len(text) else ""
            blanks = " " * (column.size - width(part))
            parts.append(part + blanks if column.is_name else blanks + part)
        lines.append(GAP.join(parts).rstrip())
    return lines
