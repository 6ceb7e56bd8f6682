"""Sections of a report as Markdown and as JSON; plain text is made in plain_text.py.

A section holds raw text; everything in it is escaped here, so that no name of a file, a column or a group can be taken
for markup, or break a table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens.words.printed import one_line

NUMBER = r"-?(?:0|[1-9][0-9]*)(?:,[0-9]{3})*(?:\.[0-9]+)?(?:e-[0-9]+)?"
# The mark behind a head whose figures are not to be believed without more; JSON has it in the lines alone.
DOUBT = " †"
ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "[]|$"} | {ord(sign): f"\\{sign}" for sign in "\\`*_{}#~!"}
ENTITIES |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


@dataclass(frozen=True)
class Section:
    """One part of a report: a table, lines below it; each line may end in something to be set as code.

    The first columns, as many as `names` says, are of names; the others are of figures, of which those at the places in
    `best`, by row and column, stand out. One that `begins` opens what there is on a system, as the first one does.
    """

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[tuple[str, str]] = ()
    begins: bool = False
    best: frozenset[tuple[int, int]] = frozenset()
    names: int = 1

    def marked(self, form: str) -> list[list[str]]:
        """The rows, cells that stand out in this form."""
        rows = [list(row) for row in self.rows]
        for row, column in self.best:
            rows[row][column] = form.format(rows[row][column])
        return rows


def in_markdown(text: str) -> str:
    r"""A text as Markdown that shows it and does nothing else.

    >>> in_markdown("a|b <i>"), in_markdown("1. x"), in_markdown("my_file")
    ('a&#124;b &lt;i&gt;', '1\\. x', 'my\\_file')
    """
    escaped = one_line(text).strip().translate(ENTITIES)
    return re.sub(r"^([0-9]*)([-+=.)])", r"\1\\\2", escaped)


def code_in_markdown(text: str) -> str:
    """A text as code, between more backticks than stand in a row in it."""
    shown = one_line(text)
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def table_in_markdown(section: Section) -> str:
    """A section's table, names on the left, figures on the right."""
    from tabulate import tabulate

    of = section.names
    rows = [[*map(in_markdown, row[:of]), *row[of:]] for row in section.marked("**{}**")]
    heads = list(map(in_markdown, section.heads))
    sides = ["left" if at < of else "right" for at, _ in enumerate(heads)]
    return tabulate(rows, heads, "pipe", colalign=sides, disable_numparse=True)


def markdown(sections: Sequence[Section]) -> str:
    """Sections as Markdown, as GitHub and model cards read it."""
    lines: list[str] = []
    for number, section in enumerate(sections):
        lines += [f"{'##' if number and not section.begins else '#'} {in_markdown(section.title)}", ""]
        lines += [table_in_markdown(section), ""] if section.rows else []
        lines += [
            f"- {in_markdown(text)}{f': {code_in_markdown(code)}' if code else ''}" for text, code in section.lines
        ]
        lines += [""] if section.lines else []
    return "\n".join(lines)


def figure(cell: str) -> str | float | list[float] | dict[str, float] | None:
    """A cell as JSON has it: a figure as a number, an interval as two, a mean with half its interval as an object, a
    dash as null, else the text.

    >>> figure("1,234"), figure("[-0.5, 2e-05]"), figure("\u2013"), figure("GPT-4")
    (1234, [-0.5, 2e-05], None, 'GPT-4')
    """
    if cell == "\u2013":
        return None
    if re.fullmatch(rf"{NUMBER}|\[{NUMBER}, {NUMBER}\]", cell):
        return json.loads(re.sub(r",(?! )", "", cell))  # type: ignore[no-any-return]
    if re.fullmatch(rf"{NUMBER} ± {NUMBER}", cell):
        mean, half = map(float, cell.split(" ± "))
        return {"mean": mean, "plus_minus": half}
    return cell


def as_json(sections: Sequence[Section]) -> str:
    """Sections as JSON: of each its title, its rows by the heads of the columns, and its lines."""

    def named(heads: Sequence[str]) -> list[str]:
        """The heads, of which a file's own may be one of ours."""
        heads = [head.removesuffix(DOUBT) for head in heads]
        return [f"{head} ({at})" if head in heads[:at] else head for at, head in enumerate(heads)]

    found = [
        {
            "title": section.title,
            "rows": [
                dict(
                    zip(named(section.heads), [*row[: section.names], *map(figure, row[section.names :])], strict=True)
                )
                for row in section.rows
            ],
            "lines": [f"{text}: {code}" if code else text for text, code in section.lines],
        }
        for section in sections
    ]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
