"""What the report of a scored file says: sections of raw text, for Markdown, LaTeX and the terminal alike.

A figure that is missing is a dash and never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lens.reports import formats
from lens.reports import latex as latex_report
from lens.reports.formats import Section, one_line
from lens.reports.formats import width as width  # to be deleted with its last user here
from lens.statistics import intervals
from lens.words import knows, say
from lens.words.formats import money

if TYPE_CHECKING:
    from lens.scoring.summary import Difference, Figure, Summary

Correlations = Mapping[tuple[str, str], tuple[float | None, int]]

DASH = "–"
MAX_NAME = 60


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
    given = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "most": intervals.MOST_RESAMPLED}
    return say(f"f_report_{part}{way}", **given, z=intervals.Z, least=intervals.LEAST_P)


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


def markdown(summary: Summary, differences: Sequence[Difference] = (), correlations: Correlations | None = None) -> str:
    """The report as Markdown, as GitHub and model cards read it."""
    return formats.markdown(sections(summary, differences, correlations))


def plain(summary: Summary, differences: Sequence[Difference] = ()) -> str:
    """The report for the terminal."""
    return formats.plain(sections(summary, differences))


def latex(summary: Summary, differences: Sequence[Difference] = ()) -> str:
    """The report as LaTeX."""
    return latex_report.latex(sections(summary, differences))
