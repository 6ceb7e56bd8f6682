"""Writes the sections of a report as plain text for the terminal, at most WIDTH wide.

If a table is too wide, these steps are taken until it fits:

1. In a comparison, columns with the same cell in every row are removed and named above the table.
2. Headers are set on several lines.
3. Names are set on several lines.
4. Columns are split into blocks below each other.

No figure is left out. A signature stays on one line, because users copy it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lens.reports.section import DOUBT, SectionText
from lens.words import say
from lens.words.printed import make_one_line

# The width of the text in characters.
WIDTH = 100
# What separates columns.
GAP = "  "
# The narrowest column for names that are set on several lines.
MIN_NAME_WIDTH = 16
INDENT = "  "
# The ranges of Chinese and Japanese characters.
WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
# What stays on one line: blanks, a Chinese or Japanese character with its closing punctuation, or
# another word with its mark of doubt. "Mean 均值。" has the tokens "Mean", " ", "均" and "值。".
TOKEN = re.compile(rf"[ ]+|[{WIDE}][、。，；：？！）》〉」』】％]*|[^ {WIDE}]+(?:{DOUBT})?")
# The Unicode categories of characters without a width of their own.
ZERO_WIDTH = ("Mn", "Me", "Cf")


@dataclass(frozen=True)
class Column:
    """A column of a table: its header, its cells, whether they are names, and its width."""

    head: str
    cells: Sequence[str]
    is_name: bool
    width: int

    def fit_head(self) -> Column:
        """Return the column with the smallest width for its cells and the words of its header."""
        texts = [*self.head.split(" "), *self.cells]
        return replace(self, width=max(map(measure_width, texts)))


def measure_width(text: str) -> int:
    r"""Return the width of a text in a terminal: 2 for a Chinese character, 0 for an accent.

    >>> measure_width("F1"), measure_width("均值"), measure_width("e\u0301")
    (2, 4, 1)
    """
    total = 0
    for character in text:
        if unicodedata.category(character) in ZERO_WIDTH:
            continue
        is_wide = unicodedata.east_asian_width(character) in "WF"
        total += 2 if is_wide else 1
    return total


def format_plain_text(sections: Sequence[SectionText]) -> str:
    """Return sections as plain text for the terminal."""
    lines: list[str] = []
    for section in sections:
        title = wrap_text(make_one_line(section.title), WIDTH)
        lines += title
        lines.append("=" * max(map(measure_width, title)))
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
    """Wrap a note to lines of at most WIDTH; all lines but the first are indented."""
    first, *later_lines = wrap_text(text, WIDTH - len(INDENT))
    return [first, *(INDENT + line for line in later_lines)]


def wrap_text(text: str, width: int) -> list[str]:
    """Wrap a text to lines of this width, at blanks and between Chinese characters.

    >>> wrap_text("Won / tied / lost", 6), wrap_text("均值与区间。", 8)
    (['Won /', 'tied /', 'lost'], ['均值与区', '间。'])
    """
    lines = list[str]()
    line = ""
    for token in TOKEN.findall(text):
        if token.strip() and measure_width(line + token) > width:
            if line.strip():
                lines.append(line.rstrip())
                line = ""
            *full_lines, token = split_word(token, width)
            lines += full_lines
        line += token
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return lines


def split_word(word: str, width: int) -> list[str]:
    """Split a word into pieces of this width, each of at least one character.

    >>> split_word("fifteen", 3), split_word("one", 3)
    (['fif', 'tee', 'n'], ['one'])
    """
    pieces = []
    piece = ""
    for character in word:
        if piece and measure_width(piece + character) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def format_table(section: SectionText) -> list[str]:
    """Return the lines of a table, with names aligned left and figures right, within WIDTH."""
    columns = make_text_columns(section)
    lines = list[str]()
    # Each row of a comparison names its two systems.
    is_comparison = section.n_names > 1
    if is_comparison and measure_table(columns) > WIDTH:
        constant, columns = split_constant_columns(columns)
        if constant:
            lines += describe_constant_columns(constant)
            lines.append("")
    if measure_table(columns) > WIDTH:
        columns = wrap_heads(columns)
    if measure_table(columns) > WIDTH:
        columns = narrow_names(columns)
    first, *later_blocks = split_blocks(columns)
    lines += format_block(first)
    for block in later_blocks:
        lines += ["", *format_block(block)]
    return lines


def make_text_columns(section: SectionText) -> list[Column]:
    """Return the columns of a table.

    Marked cells have a star behind them, and other cells in the same column have a blank.
    """
    starred_columns = {column for _, column in section.best}
    columns = []
    for column, title in enumerate(section.heads):
        head = make_one_line(title)
        cells = []
        for row, row_cells in enumerate(section.rows):
            cell = make_one_line(row_cells[column])
            if column in starred_columns:
                cell += "*" if (row, column) in section.best else " "
            cells.append(cell)
        width = max(map(measure_width, [head, *cells]))
        is_name = column < section.n_names
        columns.append(Column(head, cells, is_name, width))
    return columns


def describe_constant_columns(columns: Sequence[Column]) -> list[str]:
    """Return the note on columns with the same cell in every row: each header with its cell."""
    colon = say("page.colon")
    named_cells = [f"{column.head}{colon}{column.cells[0]}" for column in columns]
    return wrap_note(say("page.list_comma").join(named_cells))


def measure_table(columns: Sequence[Column]) -> int:
    """Return the width of a table with these columns."""
    gaps = len(GAP) * (len(columns) - 1)
    return gaps + sum(column.width for column in columns)


def split_constant_columns(columns: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """Split columns into those with the same cell in all rows, and the others.

    At least one column of names stays among the others.
    """
    constant = list[Column]()
    others = list[Column]()
    for column in columns:
        if len(column.cells) > 1 and len(set(column.cells)) == 1:
            constant.append(column)
        else:
            others.append(column)
    if not any(column.is_name for column in others):
        others.insert(0, constant.pop(0))
    return constant, others


def wrap_heads(columns: Sequence[Column]) -> list[Column]:
    """Narrow columns to the longest words of their headers.

    Then, from the left, each gets its full width back if there is room.
    """
    narrowed = [column.fit_head() for column in columns]
    for position, column in enumerate(columns):
        room = WIDTH - measure_table(narrowed)
        if column.width - narrowed[position].width <= room:
            narrowed[position] = column
    return narrowed


def narrow_names(columns: Sequence[Column]) -> list[Column]:
    """Narrow the columns of names as far as needed and allowed, the widest first."""
    narrowed = list(columns)
    while (excess := measure_table(narrowed) - WIDTH) > 0:
        wide_names = []
        for position, column in enumerate(narrowed):
            if column.is_name and column.width > MIN_NAME_WIDTH:
                wide_names.append(position)
        if not wide_names:
            break
        widest = max(wide_names, key=lambda position: narrowed[position].width)
        # By half of the excess at a time, so that two long names are narrowed alike.
        width = narrowed[widest].width - (excess + 1) // 2
        width = max(MIN_NAME_WIDTH, width)
        narrowed[widest] = replace(narrowed[widest], width=width)
    return narrowed


def split_blocks(columns: Sequence[Column]) -> list[list[Column]]:
    """Split columns into blocks that fit, each with all columns of names."""
    names = [column for column in columns if column.is_name]
    blocks = [list(names)]
    for column in columns[len(names) :]:
        block = blocks[-1]
        has_figures = len(block) > len(names)
        if has_figures and measure_table([*block, column]) > WIDTH:
            blocks.append([*names, column])
        else:
            block.append(column)
    return blocks


def format_block(columns: Sequence[Column]) -> list[str]:
    """Return the lines of a block of columns; headers and names may take several lines."""
    heads = [column.head for column in columns]
    rules = ["-" * column.width for column in columns]
    lines = format_row(heads, columns, is_head=True)
    lines.append(GAP.join(rules))
    cells_by_column = [column.cells for column in columns]
    for cells in zip(*cells_by_column, strict=True):
        lines += format_row(cells, columns)
    return lines


def format_row(cells: Sequence[str], columns: Sequence[Column], is_head: bool = False) -> list[str]:
    """Return the lines of one row, as many as its tallest cell has.

    Shorter cells are aligned at the top, in a header at the bottom.
    """
    wrapped_cells = []
    for cell, column in zip(cells, columns, strict=True):
        wrapped_cells.append(wrap_cell(cell, column.width))
    height = max(map(len, wrapped_cells))
    lines_by_column = []
    for lines, column in zip(wrapped_cells, columns, strict=True):
        blank_lines = [""] * (height - len(lines))
        aligned = blank_lines + lines if is_head else lines + blank_lines
        lines_by_column.append([pad_cell(line, column) for line in aligned])
    return [GAP.join(line).rstrip() for line in zip(*lines_by_column, strict=True)]


def wrap_cell(cell: str, width: int) -> list[str]:
    """Return a cell unchanged if it fits on one line, or else wrapped."""
    if measure_width(cell) <= width:
        return [cell]
    return wrap_text(cell, width)


def pad_cell(text: str, column: Column) -> str:
    """Pad a text to the width of its column, with names left and figures right."""
    blanks = " " * (column.width - measure_width(text))
    return text + blanks if column.is_name else blanks + text
