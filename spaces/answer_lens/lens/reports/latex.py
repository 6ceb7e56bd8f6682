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

SPECIAL_CHARACTERS = {
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
ESCAPES = {ord(sign): escaped for sign, escaped in SPECIAL_CHARACTERS.items()}
# In code, quotation marks stay unchanged, and two hyphens do not become a dash.
CODE_ESCAPES = ESCAPES | {ord('"'): '"', ord("-"): "{-}"}
# A piece of code, after which the line may be broken. It ends with one of these characters, or has
# 16 others: "version:1_2" has the pieces "version:", "1_" and "2".
CODE_PIECE = re.compile(r"[^|:,;/\-_.=+@ ]{0,16}[|:,;/\-_.=+@ ]|.{1,16}")
# A table with more rows may extend over several pages.
MAX_PAGE_ROWS = 40
# The last letter that pdfLaTeX knows without further packages.
LAST_KNOWN_LETTER = "\u017f"
# A table with more columns has smaller letters.
MAX_NORMAL_COLUMNS = 5
# A header with more characters is set on several lines.
MAX_HEAD_WIDTH = 12

# A section with the label of its table.
LabelledSection = tuple[SectionText, str]


def escape_text(text: str, escapes: dict[int, str] = ESCAPES) -> str:
    r"""Return LaTeX that shows a text and does nothing else.

    Control characters become spaces, because LaTeX refuses them or takes them for the end of a
    paragraph.

    >>> escape_text("50% of a_b"), escape_text("[x]")
    ('50\\% of a\\_b', '{[}x{]}')
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return printable.translate(escapes)


def quote_code(text: str) -> str:
    r"""Return a text as code that can be broken at suitable positions.

    >>> quote_code("v:1")
    '\\texttt{v:\\allowbreak{}1}'
    """
    pieces = CODE_PIECE.findall(text.replace("\n", " "))
    breakable = r"\allowbreak{}".join(escape_text(piece, CODE_ESCAPES) for piece in pieces)
    return rf"\texttt{{{breakable}}}"


def format_figure(text: str) -> str:
    """Return a figure in LaTeX, with a minus sign and a small "± ..." if it has them."""
    mean, plus_minus, half_width = text.partition(" ± ")
    if plus_minus:
        return rf"{format_figure(mean)}{{\tiny$\pm${half_width}}}"
    escaped = escape_text(text)
    # The text is compared, because the escaped dash of a missing figure also has hyphens.
    return escaped.replace("-", "$-$") if "-" in text else escaped


def format_head(text: str) -> str:
    r"""Return the header of a column of figures, on several lines if it is long.

    >>> format_head("Mean"), format_head("Correctness estimate")
    ('Mean', '\\shortstack[r]{Correctness\\\\ estimate}')
    """
    lines = textwrap.wrap(text, MAX_HEAD_WIDTH, break_long_words=False)
    if len(lines) <= 1:
        return escape_text(text)
    stacked = "\\\\ ".join(map(escape_text, lines))
    return rf"\shortstack[r]{{{stacked}}}"


def format_list(lines: Sequence[tuple[str, str]]) -> str:
    """Return the list of lines below a table; each is a text and perhaps code."""
    if not lines:
        return ""
    items = []
    for text, code in lines:
        ending = f": {quote_code(code)}" if code else ""
        items.append(rf"\item {escape_text(text)}{ending}")
    latex_lines = [
        r"\begin{footnotesize}",
        r"\begin{itemize}",
        r"\raggedright",
        *items,
        r"\end{itemize}",
        r"\end{footnotesize}",
        "",
    ]
    return "\n".join(latex_lines)


def format_table(section: SectionText, lines: Sequence[tuple[str, str]], label: str) -> str:
    """Return a table and the lines below it; a long table may continue on the next page."""
    head, *rows = format_rows(section)
    caption = rf"\caption{{{escape_text(section.title)}}}\label{{tab:{label}}}"
    n_columns = len(section.heads)
    # Names are aligned left, and figures right.
    alignment = "l" * section.n_names + "r" * (n_columns - section.n_names)
    font = r"\small"
    if n_columns > MAX_NORMAL_COLUMNS:
        font = r"\scriptsize\setlength{\tabcolsep}{1.5pt}"
    if len(rows) > MAX_PAGE_ROWS:
        latex_lines = [
            f"{{{font}",
            rf"\begin{{longtable}}{{{alignment}}}",
            rf"{caption} \\",
            r"\toprule",
            head,
            r"\midrule",
            r"\endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}",
            "}",
            format_list(lines),
        ]
    else:
        latex_lines = [
            r"\begin{table}[htbp]",
            r"\centering",
            caption,
            font,
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            head,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            format_list(lines) + r"\end{table}",
            "",
        ]
    return "\n".join(latex_lines)


def format_rows(section: SectionText) -> list[str]:
    """Return the header and the rows of a table, with the best cells in bold."""
    n_names = section.n_names
    heads = [escape_text(head) for head in section.heads[:n_names]]
    heads += [format_head(head) for head in section.heads[n_names:]]
    rows = []
    for row in section.rows:
        names = [escape_text(cell) for cell in row[:n_names]]
        figures = [format_figure(cell) for cell in row[n_names:]]
        rows.append(names + figures)
    marked_rows = replace(section, rows=rows).mark_best(r"\textbf{{{}}}")
    return [" & ".join(row) + r" \\" for row in (heads, *marked_rows)]


def format_part(sections: Sequence[LabelledSection]) -> str:
    """Return one table per section; lines of sections without a table go below the first one."""
    (first, first_label), *later_sections = sections
    lines_of_first = list(first.lines)
    later_tables = []
    for section, label in later_sections:
        if section.rows:
            later_tables.append(format_table(section, section.lines, label))
        else:
            lines_of_first += section.lines
    return "\n".join([format_table(first, lines_of_first, first_label), *later_tables])


def label_sections(sections: Sequence[SectionText]) -> list[LabelledSection]:
    """Return each section with a label for its table: its id, with a number if it is repeated."""
    labelled = []
    counts = Counter[str]()
    for section in sections:
        label = section.id.replace("_", "-") or "table"
        counts[label] += 1
        if counts[label] > 1:
            label = f"{label}-{counts[label]}"
        labelled.append((section, label))
    return labelled


def format_latex(sections: Sequence[SectionText]) -> str:
    """Return the sections as LaTeX, with comments on needed packages at the top."""
    parts: list[list[LabelledSection]] = []
    for section, label in label_sections(sections):
        if section.begins or not parts:
            parts.append([])
        parts[-1].append((section, label))
    body = "\n".join(map(format_part, parts))
    packages = "booktabs,longtable" if r"\begin{longtable}" in body else "booktabs"
    head = [f"% {say('report.needs')} \\usepackage{{{packages}}}"]
    if max(body) > LAST_KNOWN_LETTER:
        head.append(f"% {say('report.unicode')}")
    return "\n".join([*head, body])
