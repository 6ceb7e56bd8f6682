"""The summary of a scored file as Markdown, as LaTeX (booktabs) and as plain text for the terminal.

What a report says is put together once, as sections of raw text; each of the three then writes sections and escapes
everything in them, so that no name of a file, a column or a group can be taken for markup, or break a table. A figure
that is missing is a dash and never 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.reports import latex as latextable
from lens.statistics import intervals
from lens.words import knows, say
from lens.words.formats import UNPRINTABLE, money

if TYPE_CHECKING:
    from lens.scoring.summary import Difference, Figure, Summary

Correlations = Mapping[tuple[str, str], tuple[float | None, int]]

DASH = "–"
MAX_NAME = 60
BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]+")
# Signs that turn the direction of what follows them around.
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Section:
    """One part of a report: a table, lines below it; each line may end in something to be set as code.

    The first column is of names; the others are of figures.
    """

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[tuple[str, str]] = ()


def one_line(text: str) -> str:
    """A text on one line, without what cannot be printed."""
    return TURNS.sub("\ufffd", UNPRINTABLE.sub("\ufffd", BREAKS.sub(" ", text)))


def name_of(text: str) -> str:
    r"""A name that a file brought along, of bounded length; in words where it is empty.

    >>> name_of("a\nb"), name_of(" ")
    ('a b', '(empty)')
    """
    shown = one_line(text[: MAX_NAME + 1])
    return (shown if len(shown) <= MAX_NAME else shown[:MAX_NAME] + "…") if shown.strip() else say("f_report_empty")


def four(value: float | None) -> str:
    """A figure with four digits; a dash for none.

    >>> four(0.12345), four(-0.00001), four(None)
    ('0.1235', '0.0000', '–')
    """
    return DASH if value is None else f"{value:.4f}" if abs(value) >= 0.00005 else "0.0000"


def between(interval: tuple[float, float] | None) -> str:
    """An interval; a dash for none."""
    return f"[{four(interval[0])}, {four(interval[1])}]" if interval else DASH


# What a report says


def figure_row(name: str, figure: Figure) -> list[str]:
    """One row of a table of figures."""
    unscored = sum(figure.unscored.values())
    return [name, four(figure.mean), between(figure.interval), f"{figure.scored:,}", f"{unscored:,}"]


def heads(first: str) -> list[str]:
    """The heads of a table of figures."""
    return [first, *(say(f"f_report_{key}") for key in ("mean", "interval", "scored", "unscored"))]


def overall(summary: Summary) -> Section:
    """The figures of the whole file; corpus BLEU, which is no mean of rows, is a row of its own."""
    rows = []
    for figure in summary.figures:
        rows.append(figure_row(figure.series.title, figure))
        if figure.series.key == "bleu" and summary.corpus_bleu is not None:
            rows.append([say("f_report_corpus"), four(summary.corpus_bleu), DASH, rows[-1][3], rows[-1][4]])
    lines = [(say("f_report_rows", rows=summary.rows), ""), *((method, "") for method in methods(summary))]
    title = say("f_report_title", source=name_of(summary.source))
    return Section(title, heads(say("f_report_metric")), rows, lines)


def in_words(part: str, rows: Iterable[int]) -> str:
    """How the intervals over so many rows each are computed: drawn, from the normal distribution, or both."""
    many = {count > intervals.MOST_RESAMPLED for count in rows if count}
    way = "_both" if len(many) > 1 else "_normal" if True in many else ""
    least = 1 / (intervals.RESAMPLES + 1)
    given = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "most": intervals.MOST_RESAMPLED}
    return say(f"f_report_{part}{way}", **given, z=intervals.Z, least=least)


def methods(summary: Summary) -> list[str]:
    """How the intervals of a summary are computed, of means and of pass rates."""
    figures = [figure for part in (summary.figures, *summary.groups.values()) for figure in part]
    means = [figure.scored for figure in figures if not figure.series.share]
    shares = any(figure.series.share for figure in figures)
    found = [in_words("method", means)] if means or not shares else []
    return found + [say("f_report_method_wilson")] * shares


def grouped(summary: Summary) -> list[Section]:
    """A table by group for each series."""
    column = name_of(summary.group_column)
    found = []
    for figure in summary.figures:
        rows = [
            figure_row(name_of(group), part)
            for group, figures in summary.groups.items()
            for part in figures
            if part.series.key == figure.series.key
        ]
        if rows:
            title = say("f_report_by", title=figure.series.title, column=column)
            found.append(Section(title, heads(column), rows))
    return found


def compared(differences: Sequence[Difference]) -> list[Section]:
    """The table of two systems, where two were compared."""
    if not differences:
        return []
    keys = ("metric", "first", "second", "difference", "interval", "p", "wins", "both")
    rows = [
        [
            *(entry.series.title, four(entry.first), four(entry.second), four(entry.difference)),
            *(between(entry.interval), four(entry.p_value)),
            f"{entry.wins:,} / {entry.ties:,} / {entry.losses:,}",
            f"{entry.rows:,}",
        ]
        for entry in differences
    ]
    told = in_words("paired", (entry.rows for entry in differences))
    return [Section(say("f_report_differences"), [say(f"f_report_{key}") for key in keys], rows, [(told, "")])]


def correlated(summary: Summary, correlations: Correlations | None) -> list[Section]:
    """The table of correlations, where there are any."""
    if not correlations:
        return []
    titles = {figure.series.key: figure.series.title for figure in summary.figures}
    keys = list(dict.fromkeys(key for pair in correlations for key in pair))

    def cell(one: str, other: str) -> str:
        rho, n = correlations.get((one, other)) or correlations.get((other, one)) or (None, 0)
        return f"{four(rho)} ({n:,})" if n else DASH

    names = [titles.get(key, key) for key in keys]
    rows = [[name, *(cell(one, other) for other in keys)] for name, one in zip(names, keys, strict=True)]
    title, told = say("f_report_correlations"), say("f_report_spearman")
    return [Section(title, [say("f_report_metric"), *names], rows, [(told, "")])]


def reason_of(code: str) -> str:
    """A reason code in words, where there are any."""
    return say(f"reason_{code}") if knows(f"reason_{code}") else code


def cost_of(amount: float | None) -> str:
    """A cost in dollars, to two digits that are not 0; "unknown" where the price is."""
    return say("f_report_unknown") if amount is None else say("f_report_usd", amount=money(amount).removeprefix("$"))


def told(summary: Summary) -> list[Section]:
    """What stands below the tables: what is missing and why, cost, notes, signatures."""
    titles = {figure.series.metric: figure.series.title for figure in summary.figures if figure.series.primary}
    why = [
        say(
            "f_report_why",
            title=figure.series.title,
            reasons=say("f_report_and").join(
                say("f_report_reason", reason=reason_of(code), count=count) for code, count in figure.unscored.items()
            ),
        )
        for figure in summary.figures
        if sum(figure.unscored.values())
    ]
    stops = [say("f_report_stopped", title=titles.get(key, key), message=why) for key, why in summary.stopped.items()]
    costs = [say("f_report_cost", title=titles.get(key, key), cost=cost_of(usd)) for key, usd in summary.costs.items()]
    lines = {"reasons": why, "stops": stops, "costs": costs, "notes": list(summary.notes)}
    found = [
        Section(say(f"f_report_{key}"), lines=[(line, "") for line in said]) for key, said in lines.items() if said
    ]
    signatures = list(summary.signatures.items())
    return found + ([Section(say("f_report_signatures"), lines=signatures)] if signatures else [])


def sections(
    summary: Summary, differences: Sequence[Difference] = (), correlations: Correlations | None = None
) -> list[Section]:
    """All that a report says, in order."""
    tables = [*compared(differences), *grouped(summary), *correlated(summary, correlations)]
    return [overall(summary), *tables, *told(summary)]


# Markdown

ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "[]|$"} | {ord(sign): f"\\{sign}" for sign in "\\`*_{}#~!"}
ENTITIES |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


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


def table_in_markdown(section: Section) -> list[str]:
    """A section's table."""
    names = [in_markdown(head) for head in section.heads]
    rows = [names, ["---", *["---:"] * (len(names) - 1)]]
    rows += [[in_markdown(row[0]), *row[1:]] for row in section.rows]
    return [f"| {' | '.join(row)} |" for row in rows] + [""]


def markdown(summary: Summary, differences: Sequence[Difference] = (), correlations: Correlations | None = None) -> str:
    """The report as Markdown, as GitHub and model cards read it."""
    lines: list[str] = []
    for number, section in enumerate(sections(summary, differences, correlations)):
        lines += [f"{'##' if number else '#'} {in_markdown(section.title)}", ""]
        lines += table_in_markdown(section) if section.rows else []
        lines += [
            f"- {in_markdown(text)}{f': {code_in_markdown(code)}' if code else ''}" for text, code in section.lines
        ]
        lines += [""] if section.lines else []
    return "\n".join(lines)


# Plain text


def width(text: str) -> int:
    r"""How many columns of a terminal a text takes: two for a Chinese character, none for an accent.

    >>> width("F1"), width("均值"), width("e\u0301")
    (2, 4, 1)
    """
    silent = ("Mn", "Me", "Cf")
    return sum(
        0 if unicodedata.category(sign) in silent else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text
    )


def table_in_plain(section: Section) -> list[str]:
    """A section's table in aligned columns, figures to the right."""
    rows = [[one_line(cell) for cell in row] for row in (section.heads, *section.rows)]
    widths = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    rows.insert(1, ["-" * size for size in widths])
    lines = []
    for row in rows:
        gaps = [" " * (size - width(cell)) for cell, size in zip(row, widths, strict=True)]
        cells = [row[0] + gaps[0], *(gap + cell for gap, cell in zip(gaps[1:], row[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return [*lines, ""]


def plain(summary: Summary, differences: Sequence[Difference] = ()) -> str:
    """The report for the terminal."""
    lines: list[str] = []
    for section in sections(summary, differences):
        lines += [one_line(section.title), "=" * width(one_line(section.title))]
        lines += table_in_plain(section) if section.rows else []
        lines += [one_line(f"{text}: {code}" if code else text) for text, code in section.lines]
        lines += [""] if section.lines else []
    return "\n".join(lines)


# LaTeX


def latex(summary: Summary, differences: Sequence[Difference] = ()) -> str:
    """The report as LaTeX: a table of booktabs with all that is no table below it, then the other tables."""
    first, *others = sections(summary, differences)
    tables = [section for section in others if section.rows]
    lines = [*first.lines, *(line for section in others if not section.rows for line in section.lines)]
    drawn = latextable.tables(first.title, first.heads, first.rows, lines)
    for section in tables:
        drawn += latextable.tables(section.title, section.heads, section.rows, section.lines)
    return latextable.document(drawn, say("f_report_needs"), say("f_report_unicode"))
