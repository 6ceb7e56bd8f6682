r"""Sections of a report as LaTeX (booktabs) from raw text; all of it is escaped here.

Names are set as they are read: a character of LaTeX's own is escaped, and so is what LaTeX would
take for an option at the beginning of a row ([, *). What pdfLaTeX has no sign for stands as it is,
with a word on it at the top.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lens.reports.section import SectionText
from lens.words import say

SPECIALS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    '"': "''",
    "`": "{`}",
    "–": "{--}",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "†": r"\textdagger{}",
    "\ufffd": "?",
} | {sign: f"\\{sign}" for sign in "{}$&#_%"}
ESCAPES = {ord(sign): escaped for sign, escaped in SPECIALS.items()}
# In code, quotation marks stay as they are, and two hyphens stay two.
CODE_ESCAPES = ESCAPES | {ord('"'): '"', ord("-"): "{-}"}
# Behind one of these signs, or so many others, code may go on in the next line.
PIECES = re.compile(r"[^|:,;/\-_.=+@ ]{0,16}[|:,;/\-_.=+@ ]|.{1,16}")
# More rows do not fit on a page.
LONG = 40
# The last of the letters that pdfLaTeX knows without being asked.
LATIN = "\u017f"
# With more columns than that, letters are smaller; words of a head of more signs stand below each
# other.
WIDE, HEAD = 5, 12

# A section with the label of its table.
LabelledSection = tuple[SectionText, str]


def escape_text(text: str, escapes: dict[int, str] = ESCAPES) -> str:
    r"""Return a text as LaTeX that shows it and does nothing else.

    Control characters, which LaTeX refuses or takes for the end of a paragraph, are spaces.

    >>> escape_text("50% of a_b"), escape_text("[x]")
    ('50\\% of a\\_b', '{[}x{]}')
    """
    return "".join(sign if sign.isprintable() else " " for sign in text).translate(escapes)


def quote_code(text: str) -> str:
    r"""Return a text as code that may be broken where one would.

    >>> quote_code("v:1")
    '\\texttt{v:\\allowbreak{}1}'
    """
    pieces = PIECES.findall(text.replace("\n", " "))
    breakable = r"\allowbreak{}".join(escape_text(piece, CODE_ESCAPES) for piece in pieces)
    return rf"\texttt{{{breakable}}}"


def set_figure(text: str) -> str:
    """Return a figure with a minus sign where it has one, and what is given or taken in small."""
    mean, plus_minus, half = text.partition(" ± ")
    if plus_minus:
        return rf"{set_figure(mean)}{{\tiny$\pm${half}}}"
    escaped = escape_text(text)
    # A dash for a missing figure is made of hyphens, too.
    return escaped.replace("-", "$-$") if "-" in text else escaped


def set_head(text: str) -> str:
    r"""Return the head of a column of figures, in several lines where it is long.

    >>> set_head("Mean"), set_head("Correctness estimate")
    ('Mean', '\\shortstack[r]{Correctness\\\\ estimate}')
    """
    lines = [escape_text(line) for line in textwrap.wrap(text, HEAD, break_long_words=False)]
    stacked = "\\\\ ".join(lines)
    return rf"\shortstack[r]{{{stacked}}}" if len(lines) > 1 else escape_text(text)


def list_lines(lines: Sequence[tuple[str, str]]) -> str:
    """Return the lines below a table, each a text and, where there is one, code."""
    if not lines:
        return ""
    items = []
    for text, code in lines:
        ending = f": {quote_code(code)}" if code else ""
        items.append(rf"\item {escape_text(text)}{ending}")
    begin, end = (
        [r"\begin{footnotesize}", r"\begin{itemize}"],
        [r"\end{itemize}", r"\end{footnotesize}"],
    )
    return "\n".join([*begin, r"\raggedright", *items, *end, ""])


def set_table(section: SectionText, lines: Sequence[tuple[str, str]], label: str) -> str:
    """Return a table and the lines below it; a long one goes on on the next page."""
    rows = set_rows(section)
    caption = rf"\caption{{{escape_text(section.title)}}}\label{{tab:{label}}}"
    columns = "l" * section.names + "r" * (len(section.heads) - section.names)
    small = r"\scriptsize\setlength{\tabcolsep}{1.5pt}" if len(section.heads) > WIDE else r"\small"
    head, *body = rows
    if len(body) > LONG:
        ruled = [r"\toprule", head, r"\midrule", r"\endhead", *body, r"\bottomrule"]
        long = [
            f"{{{small}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"{caption} \\",
            *ruled,
            r"\end{longtable}",
            "}",
        ]
        return "\n".join([*long, list_lines(lines)])
    ruled = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    float_ = [
        r"\begin{table}[htbp]",
        r"\centering",
        caption,
        small,
        rf"\begin{{tabular}}{{{columns}}}",
        *ruled,
    ]
    return "\n".join([*float_, r"\end{tabular}", list_lines(lines) + r"\end{table}", ""])


def set_rows(section: SectionText) -> list[str]:
    """Return the lines of a table: its head and its rows, names escaped, figures set, the best in
    bold.
    """
    names = section.names
    heads = [escape_text(head) for head in section.heads[:names]]
    heads += [set_head(head) for head in section.heads[names:]]
    cells = []
    for row in section.rows:
        texts = [escape_text(cell) for cell in row[:names]]
        figures = [set_figure(cell) for cell in row[names:]]
        cells.append(texts + figures)
    rows = replace(section, rows=cells).mark_best(r"\textbf{{{}}}")
    return [" & ".join(row) + r" \\" for row in (heads, *rows)]


def set_system(sections: Sequence[LabelledSection]) -> str:
    """Return a table for each section that has one; below the first stands all that is in none."""
    (first, first_label), *others = sections
    lines = list(first.lines)
    tables = []
    for section, label in others:
        if section.rows:
            tables.append(set_table(section, section.lines, label))
        else:
            lines += section.lines
    return "\n".join([set_table(first, lines, first_label), *tables])


def add_labels(sections: Sequence[SectionText]) -> list[LabelledSection]:
    """Return each section with a label for its table: what the section is, numbered where several
    are the same.
    """
    labelled = []
    counts = Counter[str]()
    for section in sections:
        name = section.id.replace("_", "-") or "table"
        counts[name] += 1
        labelled.append((section, name if counts[name] == 1 else f"{name}-{counts[name]}"))
    return labelled


def format_latex(sections: Sequence[SectionText]) -> str:
    """Return what there is on each system, and at the top what it takes."""
    labelled = add_labels(sections)
    by_system: list[list[LabelledSection]] = []
    for section, label in labelled:
        if section.begins or not by_system:
            by_system.append([])
        by_system[-1].append((section, label))
    body = "\n".join(map(set_system, by_system))
    packages = "booktabs,longtable" if r"\begin{longtable}" in body else "booktabs"
    head = [f"% {say('report.needs')} \\usepackage{{{packages}}}"]
    if max(body) > LATIN:
        head.append(f"% {say('report.unicode')}")
    return "\n".join([*head, body])
