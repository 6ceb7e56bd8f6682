"""What the report of a scored file says: sections of raw text, for Markdown, LaTeX and the terminal alike.

A figure that is missing is a dash and never 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.reports.formats import Section as Section
from lens.scoring.catalog import BY_NAME
from lens.statistics import intervals
from lens.words import knows, say
from lens.words.formats import money
from lens.words.printed import name_of

if TYPE_CHECKING:
    from lens.scoring.summary import Difference, Figure, Summary

Correlations = Mapping[tuple[str, str], tuple[float | None, int]]

DASH = "–"
# Of the name of one of two systems, which heads columns.
MAX_SYSTEM = 30
# Digits behind the point; a page shows fewer.
DIGITS = ContextVar("digits", default=4)


def names_of(given: Iterable[str], files: bool = True, most: int = MAX_SYSTEM) -> list[str]:
    """What systems are called, by their files, with as many folders as tell two apart, or by their columns, with
    numbers where nothing tells them apart.

    >>> names_of(["runs/gpt/out.csv", "runs/llama/out.csv"]), names_of(["w/o", "x", "w/o "], files=False)
    (['gpt/out.csv', 'llama/out.csv'], ['w/o (1)', 'x', 'w/o (3)'])
    """
    parts = [re.split(r"[/\\]", name) if files else [name] for name in given]
    for depth in range(1, max(map(len, parts)) + 1):
        names = [name_of("/".join(part[-depth:]), most) for part in parts]
        if len({*names}) == len(names):
            break
    return [f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]


def named(title: str, system: str) -> str:
    """A title with the name of the system that it is about, where there are two."""
    return f"{title} · {system}" if system else title


@contextmanager
def digits(number: int) -> Iterator[None]:
    """Show so many digits behind the point meanwhile."""
    before = DIGITS.set(number)
    try:
        yield
    finally:
        DIGITS.reset(before)


def decimal(value: float | None) -> str:
    """A figure with as many digits as are shown here; a dash for none.

    >>> decimal(0.12345), decimal(-0.00001), decimal(None)
    ('0.1235', '0.0000', '–')
    """
    many = DIGITS.get()
    return DASH if value is None else f"{round(value, many) + 0.0:.{many}f}"  # -0.0 + 0.0 is 0.0


def between(interval: tuple[float, float] | None) -> str:
    """An interval, no end of which is rounded to 0 where it leaves out 0; a dash for none.

    >>> between((0.00002, 0.5)), between((-0.00002, 0.5))
    ('[2e-05, 0.5000]', '[0.0000, 0.5000]')
    """
    low, high = interval or (0, 0)
    ends = (f"{end:.0e}" if low * high > 0 and not float(decimal(end)) else decimal(end) for end in (low, high))
    return f"[{', '.join(ends)}]" if interval else DASH


def p_of(value: float | None) -> str:
    """A p-value, never rounded up to 0.05, for then the interval leaves out 0.

    >>> p_of(100 / 2001), p_of(102 / 2001)
    ('0.0499', '0.0510')
    """
    return DASH if value is None else f"{min(value, 0.0499) if value < 0.05 else value:.4f}"


def heads(*keys: str) -> list[str]:
    """Heads of columns."""
    return [say(f"f_report_{key}") for key in keys]


def figures(title: str, first: str, rows: Iterable[tuple[str, Figure]], corpus_bleu: float | None = None) -> Section:
    """A table of figures; corpus BLEU, which is no mean of rows, is a row of its own."""
    found = []
    for name, figure in rows:
        counts = [f"{figure.scored:,}", f"{sum(figure.unscored.values()):,}"]
        found.append([name, decimal(figure.mean), between(figure.interval), *counts])
        if figure.series.key == "bleu" and corpus_bleu is not None:
            found.append([say("f_report_corpus"), decimal(corpus_bleu), DASH, *counts])
    return Section(title, [first, *heads("mean", "interval", "scored", "unscored")], found)


def method(key: str, **names: str) -> str:
    """How intervals are computed: of means, of pass rates, of differences."""
    given = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "most": intervals.MOST_RESAMPLED}
    return say(f"f_report_{key}", **given, z=intervals.Z, least=intervals.LEAST_P, **names)


def overall(summary: Summary, name: str) -> Section:
    """The table of all metrics, and how its intervals are computed."""
    source = named(name_of(summary.source), name if name != summary.source else "")
    means = [(figure.series.title, figure) for figure in summary.figures]
    table = figures(say("f_report_title", source=source), say("f_report_metric"), means, summary.corpus_bleu)
    ways = dict.fromkeys("wilson" if figure.series.share else "method" for figure in summary.figures)
    lines = [say("f_report_rows", rows=summary.rows), *map(method, sorted(ways))]
    return replace(table, begins=True, lines=[(line, "") for line in lines])


def grouped(summary: Summary, groups: Iterable[str], name: str) -> list[Section]:
    """A table by group for each series."""
    column, found = name_of(summary.group_column), []
    parts = [(name_of(group), part) for group in groups for part in summary.groups.get(group, ())]
    for figure in summary.figures:
        rows = [(group, part) for group, part in parts if part.series.key == figure.series.key]
        title = say("f_report_by", title=figure.series.title, column=column)
        if rows:
            found.append(figures(named(title, name), column, rows))
    return found


def compared(differences: Sequence[Difference], names: Sequence[str], sentence: str = "") -> Section:
    """The table of two systems, which are called by their names, and a sentence on what is certain of it."""
    first, second = names
    rows = [
        [
            *(entry.series.title, decimal(entry.first), decimal(entry.second), decimal(entry.difference)),
            *(between(entry.interval), p_of(entry.p_value)),
            f"{entry.wins:,} / {entry.ties:,} / {entry.losses:,}",
            f"{entry.rows:,}",
        ]
        for entry in differences
    ]
    columns = [*heads("metric"), first, second, *heads("difference", "interval", "p", "wins", "both")]
    told = [(sentence, "")] if sentence else []
    told.append((method("paired", first=first, second=second), ""))
    if any(BY_NAME[entry.series.metric].estimate for entry in differences):
        told.append((say("f_report_estimate_wins", first=first, second=second), ""))
    return Section(say("f_report_differences"), columns, rows, told)


def correlated(summary: Summary, correlations: Correlations) -> Section:
    """The table of correlations, with the rows that each rests on where that is not the same number for all."""
    titles = {figure.series.key: figure.series.title for figure in summary.figures}
    names, counts = {one: titles[one] for one, _ in correlations}, {n for _, n in correlations.values()}

    def cell(one: str, other: str) -> str:
        rho, n = correlations[one, other]
        return (decimal(rho) + (f" ({n:,})" if len(counts) > 1 else "")) if n else DASH

    rows = [[name, *(cell(one, other) for other in names)] for one, name in names.items()]
    told = say("f_report_spearman") if len(counts) > 1 else say("f_report_spearman_all", rows=max(counts))
    return Section(say("f_report_correlations"), [*heads("metric"), *names.values()], rows, [(told, "")])


def reason_of(code: str) -> str:
    """A reason code in words, where there are any."""
    return say(f"reason_{code}") if knows(f"reason_{code}") else code


def why_unscored(figures: Sequence[Figure]) -> list[str]:
    """Why rows have no score, once for all metrics of which the same is to be said."""
    said: dict[str, dict[str, None]] = {}
    for figure in figures:
        counts = (say("f_report_reason", reason=reason_of(code), count=n) for code, n in figure.unscored.items() if n)
        said.setdefault(say("f_report_and").join(counts), {})[figure.series.metric] = None
    every = say("f_report_all") if len(said) == 1 and len(figures) > 1 else ""
    titles = {
        reasons: every or say("list_comma").join(BY_NAME[one].title for one in of) for reasons, of in said.items()
    }
    return [f"{title}{say('colon')}{reasons}" for reasons, title in titles.items() if reasons]


def told(summary: Summary, system: str) -> list[Section]:
    """What stands below the tables: what is missing and why, cost, notes."""

    def by_metric(said: Mapping[str, str]) -> list[str]:
        return [f"{BY_NAME[name].title}{say('colon')}{one}" for name, one in said.items()]

    lines = {
        "reasons": why_unscored(summary.figures),
        "stops": by_metric(summary.stopped),
        "costs": by_metric({name: money(usd) for name, usd in summary.costs.items()}),
        "notes": list(summary.notes),
    }
    told = {named(say(f"f_report_{key}"), system): [(line, "") for line in said] for key, said in lines.items()}
    return [Section(title, lines=said) for title, said in told.items() if said]


def signed(summary: Summary, system: str) -> list[Section]:
    """The signatures, to cite."""
    lines = list(summary.signatures.items())
    return [Section(named(say("f_report_signatures"), system), lines=lines)] if lines else []


def sections(
    summaries: Sequence[Summary],
    differences: Sequence[Difference] = (),
    correlations: Correlations | None = None,
    names: Sequence[str] = (),
    verdicts: Sequence[Sequence[Section]] = (),
    by_group: Callable[[Summary, Iterable[str], str], list[Section]] = grouped,
    sentence: str = "",
    caution: str = "",
) -> list[Section]:
    """All that a report says, in order: on the first system, on both, which have `names`, and on the second, which has
    its groups in the order of the first, and its signatures where they are others. `verdicts`: what those say of each.
    The `sentence` says what is certain of a comparison, the `caution` what the scores are worth for comparing groups.
    """
    found, first = list[Section](), summaries[0]
    alike = all(one.signatures == first.signatures for one in summaries)
    for place, summary in enumerate(summaries):
        name, groups = names[place] if names else "", [one for one in first.groups if one in summary.groups]
        found.append(overall(summary, name))
        found += [compared(differences, names, sentence)] if differences and not place else []
        tables = by_group(summary, dict.fromkeys([*groups, *summary.groups]), name)
        if tables and caution:
            tables[-1] = replace(tables[-1], lines=[*tables[-1].lines, (caution, "")])
        found += tables
        found += [correlated(summary, correlations)] if correlations and not place else []
        found += told(summary, name)
        found += signed(summary, "" if alike else name) if not (place and alike) else []
        found += verdicts[place] if verdicts else []
    return found
