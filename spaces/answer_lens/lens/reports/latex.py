r"""Sections of a report as LaTeX (booktabs) from raw text; all of it is escaped here.

Names are set as they are read: a character of LaTeX's own is escaped, and so is what LaTeX would take for an option at
the beginning of a row ([, *). What pdfLaTeX has no sign for stands as it is, with a word on it at the top.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from lens.reports.formats import Section
from lens.words import say

SPECIALS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", '"': "''", "`": "{`}",
    "–": "{--}", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "†": r"\textdagger{}", "\ufffd": "?",
} | {sign: f"\\{sign}" for sign in "{}$&#_%"}  # fmt: skip
ESCAPES = {ord(sign): escaped for sign, escaped in SPECIALS.items()}
# In code, quotation marks stay as they are, and two hyphens stay two.
CODE_ESCAPES = ESCAPES | {ord('"'): '"', ord("-"): "{-}"}
# Behind one of these signs, or so many others, code may go on in the next line.
PIECES = re.compile(r"[^|:,;/\-_.=+@ ]{0,16}[|:,;/\-_.=+@ ]|.{1,16}")
# More rows do not fit on a page.
LONG = 40
# The last of the letters that pdfLaTeX knows without being asked.
LATIN = "\u017f"
# With more columns than that, letters are smaller; words of a head of more signs stand below each other.
WIDE, HEAD = 5, 12


def in_latex(text: str, escapes: dict[int, str] = ESCAPES) -> str:
    r"""A text as LaTeX that shows it and does nothing else; control characters, which LaTeX refuses or takes for the
    end of a paragraph, are spaces.

    >>> in_latex("50% of a_b"), in_latex("[x]")
    ('50\\% of a\\_b', '{[}x{]}')
    """
    return "".join(sign if sign.isprintable() else " " for sign in text).translate(escapes)


def code_in_latex(text: str) -> str:
    r"""A text as code that may be broken where one would.

    >>> code_in_latex("v:1")
    '\\texttt{v:\\allowbreak{}1}'
    """
    pieces = PIECES.findall(text.replace("\n", " "))
    breakable = r"\allowbreak{}".join(in_latex(piece, CODE_ESCAPES) for piece in pieces)
    return rf"\texttt{{{breakable}}}"


def figure(text: str) -> str:
    """A figure, with a minus sign where it has one; what is given or taken is small."""
    mean, plus_minus, half = text.partition(" ± ")
    if plus_minus:
        return rf"{figure(mean)}{{\tiny$\pm${half}}}"
    return in_latex(text).replace("-", "$-$") if "-" in text else in_latex(text)


def head_of(text: str) -> str:
    r"""The head of a column of figures, in several lines where it is long.

    >>> head_of("Mean"), head_of("Correctness estimate")
    ('Mean', '\\shortstack[r]{Correctness\\\\ estimate}')
    """
    lines = [in_latex(line) for line in textwrap.wrap(text, HEAD, break_long_words=False)]
    stacked = "\\\\ ".join(lines)
    return rf"\shortstack[r]{{{stacked}}}" if len(lines) > 1 else in_latex(text)


def listed(lines: Sequence[tuple[str, str]]) -> str:
    """Lines below a table, each a text and, where there is one, code."""
    if not lines:
        return ""
    items = [rf"\item {in_latex(text)}{f': {code_in_latex(code)}' if code else ''}" for text, code in lines]
    begin, end = [r"\begin{footnotesize}", r"\begin{itemize}"], [r"\end{itemize}", r"\end{footnotesize}"]
    return "\n".join([*begin, r"\raggedright", *items, *end, ""])


def table(section: Section, lines: Sequence[tuple[str, str]]) -> str:
    """A table and the lines below it; a long one goes on on the next page."""
    of = section.names
    shown = [[*map(in_latex, row[:of]), *map(figure, row[of:])] for row in section.rows]
    rows = replace(section, rows=shown).marked(r"\textbf{{{}}}")
    heads = [*map(in_latex, section.heads[:of]), *map(head_of, section.heads[of:])]
    head, *body = (" & ".join(row) + r" \\" for row in (heads, *rows))
    caption, columns = rf"\caption{{{in_latex(section.title)}}}", "l" * of + "r" * (len(section.heads) - of)
    small = r"\scriptsize\setlength{\tabcolsep}{1.5pt}" if len(section.heads) > WIDE else r"\small"
    ruled = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    if len(rows) > LONG:
        ruled.insert(3, r"\endhead")
        long = [f"{{{small}", rf"\begin{{longtable}}{{{columns}}}", rf"{caption} \\", *ruled, r"\end{longtable}", "}"]
        return "\n".join([*long, listed(lines)])
    float_ = [r"\begin{table}[htbp]", r"\centering", caption, small, rf"\begin{{tabular}}{{{columns}}}", *ruled]
    return "\n".join([*float_, r"\end{tabular}", listed(lines) + r"\end{table}", ""])


def system(sections: Sequence[Section]) -> str:
    """A table for each section that has one; below the first all that is in none."""
    first, *others = sections
    lines = [*first.lines, *(line for section in others if not section.rows for line in section.lines)]
    tables = [table(section, section.lines) for section in others if section.rows]
    return "\n".join([table(first, lines), *tables])


def latex(sections: Sequence[Section]) -> str:
    """What there is on each system, and at the top what it takes."""
    starts = [at for at, section in enumerate(sections) if section.begins or not at]
    ends = [*starts[1:], len(sections)]
    body = "\n".join(system(sections[start:end]) for start, end in zip(starts, ends, strict=True))
    packages = "booktabs,longtable" if r"\begin{longtable}" in body else "booktabs"
    head = [f"% {say('f_report_needs')} \\usepackage{{{packages}}}"]
    return "\n".join([*head, *([] if max(body) <= LATIN else [f"% {say('f_report_unicode')}"]), body])
