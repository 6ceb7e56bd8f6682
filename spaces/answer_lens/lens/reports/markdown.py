"""Writes the sections of a report as Markdown, and escapes all of their texts.

So no name of a file, a column or a group can be taken for markup, or break a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lens.reports.section import SectionText
from lens.words.printed import make_one_line

# What shows a sign that has a meaning in Markdown. For most, a backslash before it is enough.
ENTITIES = str.maketrans(
    {
        "[": "&#91;",
        "]": "&#93;",
        "|": "&#124;",
        "$": "&#36;",
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
    }
)
ENTITIES |= {ord(sign): f"\\{sign}" for sign in "\\`*_{}#~!"}
# A sign that begins a list, or underlines a heading, if it begins a line.
LIST_SIGN = re.compile(r"^([0-9]*)([-+=.)])")


def escape_text(text: str) -> str:
    r"""Return Markdown that shows a text and does nothing else.

    >>> escape_text("a|b <i>"), escape_text("1. x"), escape_text("my_file")
    ('a&#124;b &lt;i&gt;', '1\\. x', 'my\\_file')
    """
    stripped = make_one_line(text).strip()
    escaped = stripped.translate(ENTITIES)
    return LIST_SIGN.sub(r"\1\\\2", escaped)


def quote_code(text: str) -> str:
    """Return a text as code, between more backticks than any run of backticks in it."""
    shown = make_one_line(text)
    backticks = re.findall("`+", shown)
    if not backticks:
        return f"`{shown}`"
    longest = max(map(len, backticks))
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}"


def format_table(section: SectionText) -> str:
    """Return a section's table, with names aligned left and figures aligned right."""
    from tabulate import tabulate

    names = section.n_names
    rows = []
    for row in section.mark_best("**{}**"):
        texts = [escape_text(cell) for cell in row[:names]]
        rows.append([*texts, *row[names:]])
    heads = list(map(escape_text, section.heads))
    figures = len(heads) - names
    sides = ["left"] * names + ["right"] * figures
    return tabulate(rows, heads, "pipe", colalign=sides, disable_numparse=True)


def format_line(text: str, code: str) -> str:
    """Return a line below a table."""
    line = f"- {escape_text(text)}"
    if code:
        line += f": {quote_code(code)}"
    return line


def format_markdown(sections: Sequence[SectionText]) -> str:
    """Return sections as Markdown for GitHub and model cards."""
    lines: list[str] = []
    for number, section in enumerate(sections):
        is_top = section.begins or not number
        level = "#" if is_top else "##"
        title = escape_text(section.title)
        lines += [f"{level} {title}", ""]
        if section.rows:
            lines += [format_table(section), ""]
        for text, code in section.lines:
            lines.append(format_line(text, code))
        if section.lines:
            lines.append("")
    return "\n".join(lines)
