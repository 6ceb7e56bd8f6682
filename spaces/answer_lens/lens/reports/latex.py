r"""Writes the sections of a report as LaTeX (booktabs), and escapes all of their texts.

Names are shown as they are: special characters of LaTeX are escaped, and so are [ and *, which
LaTeX would take for an option at the beginning of a row. A character that pdfLaTeX does not know
stays unchanged, and a comment at the top says so.
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
# In code, quotation marks stay unchanged, and two hyphens do not become a dash.
CODE_ESCAPES = ESCAPES | {ord('"'): '"', ord("-"): "{-}"}
# Code may be broken behind one of these characters, or after 16 other characters.
PIECES = re.compile(r"[^|:,;/\-_.=+@ ]{0,16}[|:,;/\-_.=+@ ]|.{1,16}")
# A table with more rows may extend over several pages.
MAX_PAGE_ROWS = 40
# The last letter that pdfLaTeX knows without further packages.
LATIN = "\u017f"
# A table with more columns has smaller letters. A longer header has its words on several lines.
WIDE, HEAD = 5, 12

# A section with the label of its table.
LabelledSection = tuple[SectionText, str]


def escape_text(text: str, escapes: dict[int, str] = ESCAPES) -> str:
    r"""Return LaTeX that shows a text and does nothing else.

    Control characters become spaces, because LaTeX refuses them or takes them for the end of a
    paragraph.

    >>> escape_text("50% of a_b"), escape_text("[x]")
    ('50\\% of a\\_b', '{[}x{]}')
    """
    return "".join(sign if sign.isprintable() else " " for sign in text).translate(escapes)


def quote_code(text: str) -> str:
    r"""Return a text as code that can be broken at suitable positions.

    >>> quote_code("v:1")
    '\\texttt{v:\\allowbreak{}1}'
    """
    pieces = PIECES.findall(text.replace("\n", " "))
    breakable = r"\allowbreak{}".join(escape_text(piece, CODE_ESCAPES) for piece in pieces)
    return rf"\texttt{{{breakable}}}"


def set_figure(text: str) -> str:
    """Return a figure in LaTeX, with a minus sign and a small "± ..." if it has them."""
    mean, plus_minus, half = text.partition(" ± ")
    if plus_minus:
        return rf"{set_figure(mean)}{{\tiny$\pm${half}}}"
    escaped = escape_text(text)
    # The text is compared, because the escaped dash of a missing figure also has hyphens.
    return escaped.replace("-", "$-$") if "-" in text else escaped


def set_head(text: str) -> str:
    r"""Return the header of a column of figures, on several lines if it is long.

    >>> set_head("Mean"), set_head("Correctness estimate")
    ('Mean', '\\shortstack[r]{Correctness\\\\ estimate}')
    """
    lines = [escape_text(line) for line in textwrap.wrap(text, HEAD, break_long_words=False)]
    stacked = "\\\\ ".join(lines)
    return rf"\shortstack[r]{{{stacked}}}" if len(lines) > 1 else escape_text(text)


def format_list(lines: Sequence[tuple[str, str]]) -> str:
    """Return the list of lines below a table; each is a text and perhaps code."""
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
    """Return a table and the lines below it; a long table may continue on the next page."""
    rows = set_rows(section)
    caption = rf"\caption{{{escape_text(section.title)}}}\label{{tab:{label}}}"
    columns = "l" * section.n_names + "r" * (len(section.heads) - section.n_names)
    small = r"\scriptsize\setlength{\tabcolsep}{1.5pt}" if len(section.heads) > WIDE else r"\small"
    head, *body = rows
    if len(body) > MAX_PAGE_ROWS:
        ruled = [r"\toprule", head, r"\midrule", r"\endhead", *body, r"\bottomrule"]
        long = [
            f"{{{small}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"{caption} \\",
            *ruled,
            r"\end{longtable}",
            "}",
        ]
        return "\n".join([*long, format_list(lines)])
    ruled = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    float_ = [
        r"\begin{table}[htbp]",
        r"\centering",
        caption,
        small,
        rf"\begin{{tabular}}{{{columns}}}",
        *ruled,
    ]
    return "\n".join([*float_, r"\end{tabular}", format_list(lines) + r"\end{table}", ""])


def set_rows(section: SectionText) -> list[str]:
    """Return the header and the rows of a table, with the best cells in bold."""
    names = section.n_names
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
    """Return one table per section; lines of sections without a table go below the first one."""
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
    """Return each section with a label for its table: its id, with a number if it is repeated."""
    labelled = []
    counts = Counter[str]()
    for section in sections:
        name = section.id.replace("_", "-") or "table"
        counts[name] += 1
        labelled.append((section, name if counts[name] == 1 else f"{name}-{counts[name]}"))
    return labelled


def format_latex(sections: Sequence[SectionText]) -> str:
    """Return the sections as LaTeX, with comments on needed packages at the top."""
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
