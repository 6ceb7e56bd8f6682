"""Writes the sections of a report as Markdown, and escapes all of their texts.

So no name of a file, a column or a group can be taken for markup, or break a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lens.reports.section import SectionText
from lens.words.printed import make_one_line

ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "[]|$"} | {
    ord(sign): f"\\{sign}" for sign in "\\`*_{}#~!"
}
ENTITIES |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def escape_text(text: str) -> str:
    r"""Return Markdown that shows a text and does nothing else.

    >>> escape_text("a|b <i>"), escape_text("1. x"), escape_text("my_file")
    ('a&#124;b &lt;i&gt;', '1\\. x', 'my\\_file')
    """
    escaped = make_one_line(text).strip().translate(ENTITIES)
    return re.sub(r"^([0-9]*)([-+=.)])", r"\1\\\2", escaped)


def quote_code(text: str) -> str:
    """Return a text as code, between more backticks than any run of backticks in it."""
    shown = make_one_line(text)
    backticks = re.findall("`+", shown)
    longest = max(map(len, backticks), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def format_table(section: SectionText) -> str:
    """Return a section's table, with names aligned left and figures aligned right."""
    from tabulate import tabulate

    names = section.n_names
    rows = []
    for row in section.mark_best("**{}**"):
        texts = [escape_text(cell) for cell in row[:names]]
        rows.append([*texts, *row[names:]])
    heads = list(map(escape_text, section.heads))
    sides = ["left" if place < names else "right" for place, _ in enumerate(heads)]
    return tabulate(rows, heads, "pipe", colalign=sides, disable_numparse=True)


def format_line(text: str, code: str) -> str:
    """Return a line below a table."""
    line = f"- {escape_text(text)}"
    return f"{line}: {quote_code(code)}" if code else line


def format_markdown(sections: Sequence[SectionText]) -> str:
    """Return sections as Markdown for GitHub and model cards."""
    lines: list[str] = []
    for number, section in enumerate(sections):
        is_top = section.begins or not number
        lines += [f"{'#' if is_top else '##'} {escape_text(section.title)}", ""]
        if section.rows:
            lines += [format_table(section), ""]
        if section.lines:
            lines += [*(format_line(text, code) for text, code in section.lines), ""]
    return "\n".join(lines)
