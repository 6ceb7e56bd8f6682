r"""Tables of LaTeX (booktabs) from raw text; all of it is escaped here.

Names are set as they are read: a character of LaTeX's own is escaped, and so is what LaTeX would take for an option at
the beginning of a row ([, *). What pdfLaTeX has no sign for stands as it is, with a word on it at the top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SPECIALS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", '"': "''", "`": "{`}",
    "–": "{--}", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "\ufffd": "?",
} | {sign: f"\\{sign}" for sign in "{}$&#_%"}  # fmt: skip
ESCAPES = {ord(sign): escaped for sign, escaped in SPECIALS.items()}
# In code, quotation marks stay as they are, and two hyphens stay two.
CODE_ESCAPES = ESCAPES | {ord('"'): '"', ord("-"): "{-}"}
# After one of these, or after so many characters without one, code may go on in the next line.
BREAKS, RUN = "|:,;/-_.=+@ ", 16
# Rows that fit on a page, and tables that LaTeX can hold back until they find their place.
ROWS, HELD = 40, 12
# The last of the letters that pdfLaTeX knows without being asked.
LATIN = "\u017f"
# With more columns than that, letters are smaller.
WIDE = 6


def in_latex(text: str) -> str:
    r"""A text as LaTeX that shows it and does nothing else.

    >>> in_latex("50% of a_b"), in_latex("[x]")
    ('50\\% of a\\_b', '{[}x{]}')
    """
    return one_line(text).translate(ESCAPES)


def one_line(text: str) -> str:
    """A text without control characters, which LaTeX refuses or takes for the end of a paragraph."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def code_in_latex(text: str) -> str:
    r"""A text as code that may be broken where one would.

    >>> code_in_latex("v:1")
    '\\texttt{v:\\allowbreak{}1}'
    """
    pieces, run = [], 0
    for sign in one_line(text):
        run = 0 if sign in BREAKS or run == RUN else run + 1
        pieces.append(sign.translate(CODE_ESCAPES) + ("" if run else r"\allowbreak{}"))
    return rf"\texttt{{{''.join(pieces)}}}"


def figure(text: str) -> str:
    """A figure, with a minus sign where it has one."""
    return in_latex(text) if "-" not in text else in_latex(text).replace("-", "$-$")


def tabular(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows below their heads: names on the left, figures on the right."""
    names = [in_latex(head) for head in heads]
    body = [[in_latex(row[0]), *(figure(cell) for cell in row[1:])] for row in rows]
    begin = rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}"
    drawn = [r"\toprule", f"{' & '.join(names)} \\\\", r"\midrule", *(f"{' & '.join(row)} \\\\" for row in body)]
    return [begin, *drawn, r"\bottomrule", r"\end{tabular}"]


def listed(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Lines below a table, each a text and, where there is one, code."""
    if not lines:
        return []
    items = [rf"\item {in_latex(text)}{f': {code_in_latex(code)}' if code else ''}" for text, code in lines]
    return [
        r"\begin{footnotesize}",
        r"\begin{itemize}",
        r"\raggedright",
        *items,
        r"\end{itemize}",
        r"\end{footnotesize}",
    ]


def tables(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], lines: Sequence[tuple[str, str]] = ()
) -> list[list[str]]:
    """A table and the lines below it; one of many rows in pieces that fit on a page, the lines below the last."""
    starts = range(0, max(len(rows), 1), ROWS)
    found = []
    for start in starts:
        wide = [r"\scriptsize", r"\setlength{\tabcolsep}{1.5pt}"] if len(heads) > WIDE else [r"\small"]
        below = listed(lines) if start == starts[-1] else []
        body = [r"\centering", rf"\caption{{{in_latex(caption)}}}", *wide, *tabular(heads, rows[start : start + ROWS])]
        found.append([r"\begin{table}[htbp]", *body, *below, r"\end{table}"])
    return found


def document(found: Sequence[Sequence[str]], needs: str, unicode: str) -> str:
    """Tables one after another, with what they need at the top; now and then LaTeX is made to set those held back."""

    def pieces() -> Iterator[str]:
        for number, table in enumerate(found, 1):
            yield "\n".join(table) + "\n"
            if number % HELD == 0 and number < len(found):
                yield "\\clearpage\n"

    body = "\n".join(pieces())
    head = [f"% {needs} \\usepackage{{booktabs}}", *([] if max(body) <= LATIN else [f"% {unicode}"])]
    return "\n".join([*head, body])
