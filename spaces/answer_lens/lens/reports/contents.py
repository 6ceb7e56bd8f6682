"""What the report of a scored file says: sections of raw text, for Markdown, LaTeX and the terminal alike.

A figure that is missing is a dash and never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.reports.formats import Section as Section
from lens.reports.formats import one_line
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
    return (shown if len(shown) <= MAX_NAME else shown[:MAX_NAME] + "…") if shown.strip() else say("empty_token")


def four(value: float | None) -> str:
    """A figure with four digits; a dash for none.

    >>> four(0.12345), four(-0.00001), four(None)
    ('0.1235', '0.0000', '–')
    """
    return DASH if value is None else f"{value:.4f}" if abs(value) >= 0.00005 else "0.0000"


def between(interval: tuple[float, float] | None) -> str:
    """An interval; a dash for none."""
    return f"[{four(interval[0])}, {four(interval[1])}]" if interval else DASH


def figures(title: str, first: str, rows: Iterable[tuple[str, Figure]], corpus_bleu: float | None = None) -> Section:
    """A table of figures; corpus BLEU, which is no mean of rows, is a row of its own."""
    found = []
    for name, figure in rows:
        counts = [f"{figure.scored:,}", f"{sum(figure.unscored.values()):,}"]
        found.append([name, four(figure.mean), between(figure.interval), *counts])
        if figure.series.key == "bleu" and corpus_bleu is not None:
            found.append([say("f_report_corpus"), four(corpus_bleu), DASH, *counts])
    return Section(title, [first, *heads("mean", "interval", "scored", "unscored")], found)


def heads(*keys: str) -> list[str]:
    """Heads of columns."""
    return [say(f"f_report_{key}") for key in keys]


def in_words(part: str, rows: Iterable[int]) -> str:
    """How the intervals over so many rows each are computed: drawn, from the normal distribution, or both."""
    many = {count > intervals.MOST_RESAMPLED for count in rows if count}
    way = "_both" if len(many) > 1 else "_normal" if True in many else ""
    given = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "most": intervals.MOST_RESAMPLED}
    return say(f"f_report_{part}{way}", **given, z=intervals.Z, least=intervals.LEAST_P)


def methods(summary: Summary) -> list[str]:
    """How the intervals of a summary are computed, of means and of pass rates."""
    found = [figure for part in (summary.figures, *summary.groups.values()) for figure in part]
    means = [figure.scored for figure in found if not figure.series.share]
    shares = len(means) < len(found)
    told = [in_words("method", means)] if means or not shares else []
    return told + [say("f_report_method_wilson")] * shares


def overall(summary: Summary) -> Section:
    """The table of all metrics, and how its intervals are computed."""
    title, rows = say("f_report_title", source=name_of(summary.source)), say("f_report_rows", rows=summary.rows)
    means = [(figure.series.title, figure) for figure in summary.figures]
    table = figures(title, say("f_report_metric"), means, summary.corpus_bleu)
    return replace(table, lines=[(line, "") for line in (rows, *methods(summary))])


def grouped(summary: Summary) -> list[Section]:
    """A table by group for each series."""
    column, found = name_of(summary.group_column), []
    parts = [(name_of(group), part) for group, figures in summary.groups.items() for part in figures]
    for figure in summary.figures:
        rows = [(group, part) for group, part in parts if part.series.key == figure.series.key]
        if rows:
            found.append(figures(say("f_report_by", title=figure.series.title, column=column), column, rows))
    return found


def compared(differences: Sequence[Difference]) -> Section:
    """The table of two systems."""
    rows = [
        [
            *(entry.series.title, four(entry.first), four(entry.second), four(entry.difference)),
            *(between(entry.interval), four(entry.p_value)),
            f"{entry.wins:,} / {entry.ties:,} / {entry.losses:,}",
            f"{entry.rows:,}",
        ]
        for entry in differences
    ]
    keys = heads("metric", "first", "second", "difference", "interval", "p", "wins", "both")
    told = in_words("paired", (entry.rows for entry in differences))
    return Section(say("f_report_differences"), keys, rows, [(told, "")])


def correlated(summary: Summary, correlations: Correlations) -> Section:
    """The table of correlations."""
    titles = {figure.series.key: figure.series.title for figure in summary.figures}
    names = {key: titles.get(key, key) for pair in correlations for key in pair}

    def cell(one: str, other: str) -> str:
        rho, n = correlations.get((one, other)) or correlations.get((other, one)) or (None, 0)
        return f"{four(rho)} ({n:,})" if n else DASH

    rows = [[name, *(cell(one, other) for other in names)] for one, name in names.items()]
    told = [(say("f_report_spearman"), "")]
    return Section(say("f_report_correlations"), [*heads("metric"), *names.values()], rows, told)


def reason_of(code: str) -> str:
    """A reason code in words, where there are any."""
    return say(f"reason_{code}") if knows(f"reason_{code}") else code


def why_unscored(figure: Figure) -> str:
    """Why rows have no score by one metric."""
    reasons = [say("f_report_reason", reason=reason_of(code), count=count) for code, count in figure.unscored.items()]
    return say("f_report_why", title=figure.series.title, reasons=say("f_report_and").join(reasons))


def cost_of(amount: float | None) -> str:
    """A cost in dollars, to two digits that are not 0; "unknown" where the price is."""
    return say("f_report_unknown") if amount is None else say("f_report_usd", amount=money(amount).removeprefix("$"))


def told(summary: Summary) -> list[Section]:
    """What stands below the tables: what is missing and why, cost, notes, signatures."""
    titles = {figure.series.metric: figure.series.title for figure in summary.figures if figure.series.primary}

    def named(said: Mapping[str, str]) -> list[str]:
        return [say("f_report_line", title=titles.get(name, name), said=one) for name, one in said.items()]

    lines = {
        "reasons": [why_unscored(figure) for figure in summary.figures if sum(figure.unscored.values())],
        "stops": named(summary.stopped),
        "costs": named({name: cost_of(usd) for name, usd in summary.costs.items()}),
        "notes": list(summary.notes),
    }
    found = [
        Section(say(f"f_report_{key}"), lines=[(line, "") for line in said]) for key, said in lines.items() if said
    ]
    signatures = list(summary.signatures.items())
    return found + ([Section(say("f_report_signatures"), lines=signatures)] if signatures else [])


def sections(
    summary: Summary, differences: Sequence[Difference] = (), correlations: Correlations | None = None
) -> list[Section]:
    """All that a report says, in order."""
    found = [overall(summary)]
    found += [compared(differences)] if differences else []
    found += grouped(summary)
    found += [correlated(summary, correlations)] if correlations else []
    return found + told(summary)
