"""What the tab "Files" shows of a scored file: its report with plots, tables of rows, and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.explanations.file_verdict import caution, verdict
from lens.page.file_run import Run
from lens.page.html import cut, render
from lens.reports import contents, formats, latex
from lens.reports.contents import Section, between, decimal, named
from lens.scoring.catalog import Series
from lens.scoring.scored_columns import Layout, lead, won_by
from lens.scoring.summary import Figure, Summary
from lens.tables.cells import kind_of
from lens.tables.write import write_rows
from lens.words import say
from lens.words.printed import name_of, one_line

if TYPE_CHECKING:
    import pandas

MAX_TEXT, FAR_ROWS, DIGITS, BINS = 160, 10, 3, 20
DOWNLOADS = ("rows.csv", "rows.jsonl", "rows.parquet", "summary.md", "summary.tex")
BREAKS = re.compile(r"\s+")


def sections(results: Run, correlated: bool = True, **more: Any) -> list[Section]:
    """What the report says of one system, or of two."""
    related, names = results.correlations if correlated else None, [one.name for one in results.answers]
    more = {"caution": caution(results.summary), **more}
    return contents.sections(results.summaries, results.differences, related, names, **more)


def sentence(results: Run) -> str:
    """What is certain of a file, or of two systems."""
    return verdict(results.summary, results.differences, results.correlations, results.names)


def report(results: Run) -> str:
    """What the scores mean together, and what the summary of a file says in every form; groups are one table here."""
    with contents.digits(DIGITS):
        found = sections(results, by_group=grouped)
    ranks = {say("f_report_differences"): 0, say("f_report_correlations"): 3}
    tables = sorted((one for one in found if one.rows), key=lambda one: ranks.get(one.title, 2 - one.begins))
    return render(
        "file_results.html",
        sections=[(one, one.rows) for one in tables],
        told=[one for one in found if not one.rows],
        histograms=list(histograms(results)),
        bins=BINS,
        sentence=sentence(results),
        made_up=results.sent.made_up,
    )


def grouped(summary: Summary, groups: Iterable[str], name: str) -> list[Section]:
    """One table of all groups: mean, rows and interval of each metric."""
    column, shown = name_of(summary.group_column), [one.series for one in summary.figures if one.series.primary]
    rows = [[name_of(group), *(cell(summary.groups[group], one) for one in shown)] for group in groups]
    heads, told = [column, *(one.title for one in shown)], [(say("ft_groups_info"), "")]
    return [Section(named(say("ft_by_group", column=column), name), heads, rows, told)] if rows else []


def cell(figures: Sequence[Figure], series: Series) -> str:
    """What a group's figures say of one series, in two lines."""
    one = next(one for one in figures if one.series == series)
    return f"{decimal(one.mean)} ({one.scored:,})\n{between(one.interval)}"


def histograms(results: Run) -> Iterator[tuple[str, float, float, list[int]]]:
    """How the scores of each metric are spread: title, lower end of the scale, mean, rows in each of its parts."""
    import numpy

    for series in (figure.series for figure in results.summary.figures if figure.series.plotted):
        for one in results.answers:
            scores = [value for value in one.columns[series.key] if value is not None]
            if scores:
                counts, _ = numpy.histogram(numpy.clip(scores, series.low, 1), BINS, (series.low, 1))
                yield named(series.title, one.name), series.low, sum(scores) / len(scores), counts.tolist()


def shown(text: str | Sequence[str]) -> str:
    """A text, or several, on one line, cut; what steers or hides is replaced."""
    whole = text if isinstance(text, str) else " | ".join(text)
    return one_line(cut(BREAKS.sub(" ", whole[: 4 * MAX_TEXT]).strip(), MAX_TEXT))


def table_of(results: Run, rows: Sequence[int], apart: bool = False) -> pandas.DataFrame:
    """Rows with their scores and texts; with `apart`, how far apart the metrics rank each."""
    import pandas

    found: dict[str, list[Any]] = {say("ft_row_head"): [row + 1 for row in rows]}
    if apart:
        found[say("ft_far_by")] = [round(results.far[row] or 0.0, DIGITS) for row in rows]
    if results.names:
        found[say("ft_won_by")] = [won(results, row) for row in rows]
    for series in results.primary:
        for one in results.answers:
            values = [one.columns[series.key][row] for row in rows]
            found[named(series.title, one.name)] = [None if value is None else round(value, DIGITS) for value in values]
    for one in results.answers:
        head = named(say("f_role_prediction").capitalize(), one.name)
        found[head] = [shown(one.items[row].prediction) for row in rows]
    for role in ("reference", "question", "group", "id"):
        texts = [shown(getattr(results.items[row], role)) for row in rows]
        found |= {say(f"f_role_{role}").capitalize(): texts} if role == "reference" or any(texts) else {}
    return pandas.DataFrame(found, dtype=object)


def won(results: Run, row: int) -> str:
    """Which system won a row, and by how many metrics."""
    ahead = lead(results.metrics, *(one.scores(row) for one in results.answers))
    name = won_by(ahead, results.names) or contents.DASH
    return f"{name} +{abs(ahead)}" if ahead else say("ft_tied") if ahead == 0 else name


def all_rows(results: Run) -> pandas.DataFrame:
    """The table of all rows."""
    return table_of(results, range(len(results.items)))


def far_rows(results: Run) -> pandas.DataFrame:
    """The table of the rows where scores disagree most."""
    far = sorted(((value, -row) for row, value in enumerate(results.far) if value), reverse=True)
    return table_of(results, [-row for _, row in far[:FAR_ROWS]], apart=True)


def write_downloads(results: Run, folder: Path) -> list[str]:
    """The scored rows in three kinds of files, the summary in two; their paths."""
    columns = results.sent.table.columns
    kinds = {name: kind_of(cells) for name, cells in columns.items()}
    read = any(item.whole for item in results.items)
    layout = Layout(kinds, results.metrics, results.names, results.other_file, read)
    paths = [folder / f"answer_lens_{name}" for name in DOWNLOADS]
    for path in paths[:3]:
        with path.open("wb") as file:
            write_rows(file, path.suffix[1:], scored_rows(results, columns, layout), layout.kinds)
    told: dict[str, Any] = {"sentence": sentence(results)} if results.names else {}
    texts = formats.markdown(sections(results, **told)), latex.latex(sections(results, correlated=False, **told))
    for path, text in zip(paths[3:], texts, strict=True):
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return [str(path) for path in paths]


def scored_rows(results: Run, columns: Mapping[str, Sequence[Any]], layout: Layout) -> Iterator[dict[str, Any]]:
    """The rows of the file with their scores, and those of a second system with its answer."""
    for row, cells in enumerate(zip(*columns.values(), strict=True)):
        other: tuple[Any, ...] = ()
        for one in results.answers[1:]:
            item = one.items[row]
            other = one.scores(row), None if item.lacks == "no_answer" else item.prediction
        yield layout.row(dict(zip(columns, cells, strict=True)), results.scored(row), results.items[row], *other)
