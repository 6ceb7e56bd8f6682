"""What the report of a scored file says: sections of raw text, for Markdown, LaTeX and the terminal alike.

A figure that is missing is a dash and never 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.inference import intervals
from lens.reports.formats import DOUBT
from lens.reports.formats import Section as Section
from lens.reports.notes import reason_of as reason_of
from lens.reports.notes import signed, told
from lens.scoring.catalog import BY_NAME
from lens.words import say
from lens.words.printed import MAX_SYSTEM as MAX_SYSTEM
from lens.words.printed import name_of
from lens.words.printed import names_of as names_of

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.scoring.table_scores import Figure
    from lens.study.results import Summary, SystemComparison

Correlations = Mapping[tuple[str, str], tuple[float | None, int]]

DASH = "–"
# Up to so many systems the terminal shows their differences by every metric; of more than so many those with the best.
FEW_SYSTEMS, MANY_SYSTEMS = 2, 6
# Digits of a mean with half its interval, unless figures are given in full.
GRID_DIGITS, IN_FULL = 3, 10
# What an estimate may be taken for, as the module says.
ESTIMATE_STATES = ("probability", "ranking", "likeness")
# Digits behind the point; a page shows fewer.
DIGITS = ContextVar("digits", default=4)


def named(title: str, system: str) -> str:
    """A title with the name of the system that it is about, where there are several."""
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


def heads_of(*keys: str) -> list[str]:
    """Heads of columns."""
    return [say(f"f_report_{key}") for key in keys]


def figures(title: str, first: str, rows: Iterable[tuple[str, Figure]], corpus_bleu: float | None = None) -> Section:
    """A table of figures; corpus BLEU, which is no mean of rows, is a row of its own."""
    found = []
    for name, figure in rows:
        counts = [f"{figure.scored:,}", f"{sum(figure.unscored.values()):,}"]
        found.append([name, decimal(figure.mean), between(figure.interval), *counts])
        if BY_NAME[figure.series.metric].corpus_score and corpus_bleu is not None:
            found.append([say("f_report_corpus"), decimal(corpus_bleu), DASH, *counts])
    return Section(title, [first, *heads_of("mean", "interval", "scored", "unscored")], found)


def overall(summary: Summary) -> Section:
    """The table of all metrics of one system, and how its intervals are computed."""
    means = [(figure.series.title, figure) for figure in summary.figures]
    title = say("f_report_title", source=name_of(summary.source))
    table = figures(title, say("f_report_metric"), means, summary.corpus_bleu)
    lines = [say("f_report_rows", rows=summary.rows), *ways_of([summary])]
    lines += differing((one, summary.repeats.get(one.key)) for one in primary(summary))
    return replace(table, begins=True, lines=[(line, "") for line in lines])


def ways_of(summaries: Sequence[Summary]) -> list[str]:
    """Return how the intervals of systems are computed, and whether some are rough."""
    return [say("f_report_method"), *warn_of_few_rows(figure for one in summaries for figure in one.figures)]


def warn_of_few_rows(shown: Iterable[Figure]) -> list[str]:
    """Return a warning where some figures rest on few rows; nothing where none does."""
    rough = any(0 < figure.units < intervals.FEW_ROWS for figure in shown)
    return [say("f_report_rough", least=intervals.FEW_ROWS)] if rough else []


def estimates(summaries: Sequence[Summary], names: Sequence[str]) -> list[Section]:
    """Return the table of what the estimates are and how many count as right; nothing where there are none.

    Their mean, which the other tables have, is over all of them: only probabilities can be counted.
    """
    several, rows = len(summaries) > 1, list[list[str]]()
    for summary, name in zip(summaries, names, strict=True):
        if (found := summary.estimate) is None:
            continue
        mean = next(figure.mean for figure in summary.figures if figure.series.key == found.key)
        counts = [f"{found.counts.get(state, 0):,}" for state in ESTIMATE_STATES]
        shown = [decimal(mean), decimal(found.right), between(found.interval)]
        rows.append([name_of(name) if not several else name, *shown, *counts])
    if not rows:
        return []
    heads = heads_of("system", "mean_of_all", "counted_right", "interval", *ESTIMATE_STATES)
    lines = [(say("f_report_estimates_info"), "")]
    return [Section(say("f_report_estimates"), heads, rows, lines)]


def differing(spreads: Iterable[tuple[Series, float | None]]) -> list[str]:
    """How far scores of one system's answers to a question differ, by the main series; nothing without repeats."""
    there = [f"{one.title} {decimal(found)}" for one, found in spreads if found is not None and one.primary]
    return [say("f_report_repeats", spread=say("list_comma").join(there))] if there else []


def plus_minus(figure: Figure | None) -> str:
    """A mean with half its interval; a dash for none."""
    if figure is None or figure.mean is None:
        return DASH
    low, high = figure.interval or (None, None)
    return decimal(figure.mean) + (f" ± {decimal((high - low) / 2)}" if low is not None and high is not None else "")


def grid(
    title: str, head: str, rows: Mapping[str, Sequence[Figure]], series: Sequence[Series], doubted: Collection[str]
) -> Section:
    """Names in rows, metrics in columns: the mean of each with half its interval. Metrics that are `doubted` have a
    mark and a footnote: their means rank systems no better than chance, as far as is known.
    """
    cells = []
    with digits(DIGITS.get() if DIGITS.get() >= IN_FULL else min(DIGITS.get(), GRID_DIGITS)):
        for name, figures in rows.items():
            found = {one.series.key: one for one in figures}
            cells.append([name, *(plus_minus(found.get(one.key)) for one in series)])
    titles = [f"{one.title}{DOUBT}" if one.metric in doubted else one.title for one in series]
    of = say("list_comma").join(one.title for one in series if one.metric in doubted)
    lines = [(say("f_report_doubt", mark=DOUBT.strip(), metrics=of), "")] if of else []
    return Section(title, [head, *titles], cells, lines)


def primary(summary: Summary) -> list[Series]:
    """The main series of each metric."""
    return [figure.series for figure in summary.figures if figure.series.primary]


def experiment(
    summaries: Sequence[Summary],
    standings: Sequence[SystemComparison],
    names: Sequence[str],
    doubted: Collection[str] = (),
) -> Section:
    """The one table of several systems: their means, best first by the first metric, and the interval of its ranks. The
    best of each metric, and all that are not worse beyond chance, are marked.
    """
    series = primary(summaries[0])
    shown = {one.series.key: one for one in standings}
    leading = next((shown[one.key] for one in series if one.key in shown), None)
    order = ordered(leading, len(names))
    figures = {names[at]: summaries[at].figures for at in order}
    table = grid(say("f_report_systems"), say("f_report_system"), figures, series, doubted)
    ranks = {} if leading is None else dict(zip(leading.ranked, leading.ranking.ranks, strict=True))
    best = {
        (order.index(place), column)
        for column, one in enumerate(series, 1)
        if one.key in shown
        for place, leads in zip(shown[one.key].ranked, shown[one.key].ranking.best, strict=True)
        if leads
    }
    lines = [say("f_report_best"), *ways_of(summaries)]
    heads, rows = list(table.heads), [list(row) for row in table.rows]
    if leading is not None:
        heads.append(say("f_report_rank"))
        for row, place in zip(rows, order, strict=True):
            row.append(rank_of(ranks.get(place)))
        lines.insert(1, say("f_report_ranks", title=leading.series.title))
    told = [(line, "") for line in lines]
    return replace(table, heads=heads, rows=rows, lines=[*told, *table.lines], best=frozenset(best), begins=True)


def ordered(standing: SystemComparison | None, systems: int) -> list[int]:
    """The systems, best first by one metric; those that it does not rank come last."""
    means = {} if standing is None else dict(zip(standing.ranked, standing.means, strict=True))
    return sorted(range(systems), key=lambda place: (place not in means, -means.get(place, 0.0)))


def rank_of(ends: tuple[int, int] | None) -> str:
    """An interval of ranks; a dash for none.

    >>> rank_of((1, 1)), rank_of((2, 4)), rank_of(None)
    ('1', '2 to 4', '–')
    """
    if ends is None:
        return DASH
    low, high = ends
    return f"{low}" if low == high else say("f_report_rank_ends", low=low, high=high)


def every_figure(summaries: Sequence[Summary], names: Sequence[str]) -> Section:
    """All series of all systems with their intervals and how many rows have a score."""
    rows = []
    for place, figure in enumerate(summaries[0].figures):
        for name, one in zip(names, summaries, strict=True):
            own = [(figure.series.title, one.figures[place])]
            rows += [[title, name, *cells] for title, *cells in figures("", "", own, one.corpus_bleu).rows]
    heads = [*heads_of("metric", "system"), *heads_of("mean", "interval", "scored", "unscored")]
    return Section(say("f_report_figures"), heads, rows, names=2)


def grouped(summary: Summary, name: str, doubted: Collection[str] = ()) -> Section:
    """The table by group: groups in rows, metrics in columns."""
    column = name_of(summary.group_column)
    rows = {name_of(group): figures for group, figures in summary.groups.items()}
    table = grid(named(say("f_report_groups", column=column), name), column, rows, primary(summary), doubted)
    counts = (own[0].scored + sum(own[0].unscored.values()) for own in summary.groups.values())
    cells = [[*row, f"{count:,}"] for row, count in zip(table.rows, counts, strict=True)]
    rough = warn_of_few_rows(figure for own in summary.groups.values() for figure in own)
    heads = [*table.heads, *heads_of("count")]
    lines = [*((line, "") for line in (say("f_report_grid"), *rough)), *table.lines]
    return replace(table, heads=heads, rows=cells, lines=lines)


def with_best(standing: SystemComparison) -> SystemComparison:
    """The same with the differences alone that the system of the highest mean has."""
    best = max(range(len(standing.ranked)), key=standing.means.__getitem__)
    pairs = tuple(pair for pair in standing.ranking.pairs if best in (pair.first, pair.second))
    return replace(standing, ranking=replace(standing.ranking, pairs=pairs))


def compared(
    standings: Sequence[SystemComparison], names: Sequence[str], sentence: str = "", fewer: bool = False
) -> Section:
    """The table of differences, `fewer` than there are or all, and a sentence on what is certain of them."""
    rows = []
    for entry in standings:
        for pair in entry.ranking.pairs:
            both = pair.first, pair.second
            first, second = (names[entry.ranked[at]] for at in both)
            won = " / ".join(f"{count:,}" for count in entry.wins[both])
            means = [decimal(entry.means[at]) for at in both]
            ends = [decimal(pair.difference), between(pair.interval), p_of(pair.p_value)]
            rows.append([entry.series.title, first, second, *means, *ends, won, f"{entry.questions:,}"])
    columns = heads_of("metric", "first", "second", "mean_first", "mean_second", "difference", "interval", "p", "wins")
    told = [(line, "") for line in (say("f_report_with_best") if fewer else "", sentence) if line]
    told.append((how_compared(len(names)), ""))
    if any(BY_NAME[entry.series.metric].estimate for entry in standings):
        told.append((say("f_report_estimate_wins"), ""))
    told += [(line, "") for line in differing((one.series, one.repeats) for one in standings)]
    return Section(say("f_report_differences"), [*columns, *heads_of("both")], rows, told, names=3)


def how_compared(systems: int) -> str:
    """Return how the intervals and p of differences are computed, with so many systems."""
    if systems == 2:
        return say("f_report_paired")
    draws = {"resamples": intervals.RESAMPLES, "seed": intervals.SEED, "least": intervals.LEAST_P}
    return say("f_report_simultaneous", **draws)


def correlated(summary: Summary, correlations: Correlations) -> Section:
    """The table of correlations, with the rows that each rests on where that is not the same number for all."""
    titles = {figure.series.key: figure.series.title for figure in summary.figures}
    names, counts = {one: titles[one] for one, _ in correlations}, {n for _, n in correlations.values()}

    def cell(one: str, other: str) -> str:
        rho, n = correlations[one, other]
        return (decimal(rho) + (f" ({n:,})" if len(counts) > 1 else "")) if n else DASH

    rows = [[name, *(cell(one, other) for other in names)] for one, name in names.items()]
    told = say("f_report_spearman") if len(counts) > 1 else say("f_report_spearman_all", rows=max(counts))
    return Section(say("f_report_correlations"), [*heads_of("metric"), *names.values()], rows, [(told, "")])


def sections(
    summaries: Sequence[Summary],
    standings: Sequence[SystemComparison] = (),
    names: Sequence[str] = (),
    correlations: Correlations | None = None,
    verdicts: Sequence[Section] = (),
    sentence: str = "",
    caution: str = "",
    doubted: Collection[str] = (),
    notes: Sequence[str] = (),
    full: bool = True,
) -> list[Section]:
    """All that a report says, in order. `verdicts`: what those say. The `sentence` says what is certain of a
    comparison, the `caution` what the scores are worth for comparing groups; the metrics that are `doubted` get a mark
    where they rank; `notes` are on how systems were matched. Unless it is `full`, differences of several systems are
    those by the first metric, of many those with the best, and figures stand in the one table alone.
    """
    first, several = summaries[0], len(summaries) > 1
    names = names or [one.source for one in summaries]
    found = [experiment(summaries, standings, names, doubted) if several else overall(first)]
    if several:
        main = [one for one in standings if one.series.primary]
        shown = standings if full or len(summaries) <= FEW_SYSTEMS else main[:1]
        fewer = not full and len(summaries) > MANY_SYSTEMS
        found.append(compared(list(map(with_best, shown)) if fewer else shown, names, sentence, fewer))
        found += [every_figure(summaries, names)] if full else []
    found += estimates(summaries, names)
    groups = [
        grouped(one, name if several else "", doubted) for one, name in zip(summaries, names, strict=True) if one.groups
    ]
    # What they have in common stands below the last.
    found += [replace(table, lines=()) for table in groups[:-1]]
    found += [replace(table, lines=[*table.lines, (caution, "")] if caution else table.lines) for table in groups[-1:]]
    found += [correlated(first, correlations)] if correlations else []
    return [*found, *verdicts, *told(summaries, names, notes), *signed(summaries, names)]
