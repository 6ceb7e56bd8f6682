"""Escapes texts in CSV that a spreadsheet would run as a formula (OWASP: CSV injection)."""

from __future__ import annotations

import re

from lens.tables.cells import NUMBER

# The beginning of a text that a spreadsheet may run as a formula. The spreadsheet skips blanks,
# quotation marks and invisible characters. A tab or a line break at the beginning also counts,
# because the spreadsheet may begin a new cell after it.
FORMULA = re.compile(
    r"""
    [\s"'\ufeff\u200b\x00-\x1f]* [=+\-@＝＋－＠]    # a sign that begins a formula
    | [ "'\ufeff\u200b]* [\t\r\n]                   # a tab or a line break
    """,
    re.VERBOSE,
)
# The beginning of a formula within a text. After a semicolon, a tab or a line break a spreadsheet
# may begin a new cell. A part that begins with + or - is usually an item of a list. It is harmful
# only if it contains ( | or !.
INNER_FORMULA = re.compile(
    r"""
    (?<= [;\t\r\n] )                        # what may end a cell
    (?=
        [ "'\ufeff\u200b\x00]*              # what a spreadsheet skips
        (?:
            [=@＝＠]                        # a formula
            | [+\-＋－] [^;\t\r\n]* [(|!]   # a formula, or a harmful item of a list
        )
    )
    """,
    re.VERBOSE,
)


def escape_formulas(text: str) -> str:
    r"""Put an apostrophe before everything that a spreadsheet could run as a harmful formula.

    >>> [escape_formulas(text) for text in ("=1+1", ' "@x', "-5", "+1.5e3", "a=b")]
    ["'=1+1", '\' "@x', '-5', '+1.5e3', 'a=b']
    >>> escape_formulas("x;=cmd|' /C calc'!A0"), escape_formulas("two:\n- one\n-2\n-cmd|x!A0")
    ("x;'=cmd|' /C calc'!A0", "two:\n- one\n-2\n'-cmd|x!A0")
    """
    if FORMULA.match(text) and not NUMBER.fullmatch(text):
        text = f"'{text}"
    return INNER_FORMULA.sub("'", text)
