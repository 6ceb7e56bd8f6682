"""What the tab "Files" shows of a scored file: its report with plots, tables of rows, and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.explanations.file_verdict import verdict
from lens.page.file_run import Run
from lens.page.html import cut, printable, render
from lens.reports import contents, formats, latex
from lens.reports.contents import Section, between, four, name_of
from lens.scoring.scored_columns import AGAINST, Layout
from lens.scoring.summary import Summary
from lens.tables.cells import kind_of
from lens.tables.write import write_rows
from lens.words import say

if TYPE_CHECKING:
    import pandas

MAX_TEXT, FAR_ROWS, DIGITS, BINS = 160, 10, 3, 20
DOWNLOADS = ("rows.csv", "rows.jsonl", "rows.parquet", "summary.md", "summary.tex")
BREAKS = re.compile(r"\s+")


def report(results: Run) -> str:
    """What the scores mean together, and what the summary of a file says in every form."""
    summary, other = results.summary, results.other
    systems = zip((summary, other), results.names, strict=False)
    groups = [grouped(one, name) for one, name in systems if one and one.groups]
    tables = [contents.overall(replace(summary, groups={}))]
    tables += [contents.compared(results.differences)] if results.differences else []
    tables += groups
    tables += [contents.correlated(summary, results.correlations)] if results.correlations else []
    told = contents.told(summary)
    if other:  # its signatures are those of the first system
        second = f"{say('ft_second_short')}{say('colon')}"
        told += [replace(one, title=second + one.title) for one in contents.told(replace(other, signatures={}))]
    return render(
        "file_results.html",
        sections=[(one, one.rows) for one in tables],
        told=told,
        histograms=list(histograms(results)),
        bins=BINS,
        sentence=verdict(summary, results.differences, results.correlations, results.names),
        made_up=results.sent.made_up,
    )


def grouped(summary: Summary, system: str) -> Section:
    """One table of all groups: mean, interval and rows of each metric."""
    column, shown = name_of(summary.group_column), [one.series for one in summary.figures if one.series.primary]
    rows = [
        [
            name_of(group),
            *(f"{four(one.mean)} {between(one.interval)} ({one.scored:,})" for one in figures if one.series.primary),
        ]
        for group, figures in summary.groups.items()
    ]
    title = f"{say('ft_by_group', column=column)} · {name_of(system)}"
    return Section(title, [column, *(one.title for one in shown)], rows, [(say("ft_groups_info"), "")])


def histograms(results: Run) -> Iterator[tuple[str, float, float, list[int]]]:
    """How the scores of each metric are spread: title, lower end of the scale, mean, rows in each of its parts."""
    import numpy

    for series in results.primary:
        for place, name in enumerate(results.names):
            columns = results.other_columns if place else results.columns
            scores = [value for value in columns[series.key] if value is not None]
            if scores:
                title = f"{series.title} · {name_of(name)}" if results.other else series.title
                counts, _ = numpy.histogram(numpy.clip(scores, series.low, 1), BINS, (series.low, 1))
                yield title, series.low, sum(scores) / len(scores), counts.tolist()


def shown(text: str | Sequence[str]) -> str:
    """A text, or several, on one line, cut; what cannot be shown is replaced."""
    whole = text if isinstance(text, str) else " | ".join(text)
    return str(printable(cut(BREAKS.sub(" ", whole[: 4 * MAX_TEXT]).strip(), MAX_TEXT)))


def ahead(results: Run, row: int) -> int:
    """By how many more metrics the first system is ahead in a row; below 0, the second is."""
    pairs = [(results.columns[one.key][row], results.other_columns[one.key][row]) for one in results.primary]
    return sum((a > b) - (a < b) for a, b in pairs if a is not None and b is not None)


def table_of(results: Run, rows: Sequence[int], apart: bool = False) -> pandas.DataFrame:
    """Rows with their scores and texts; with `apart`, how far apart the metrics rank each."""
    import pandas

    def scores(columns: Mapping[str, Sequence[float | None]], key: str) -> list[float | None]:
        values = [columns[key][row] for row in rows]
        return [None if value is None else round(value, DIGITS) for value in values]

    found: dict[str, list[Any]] = {say("ft_row_head"): [row + 1 for row in rows]}
    if apart:
        found[say("ft_far_by")] = [round(results.far[row] or 0.0, DIGITS) for row in rows]
    found |= {one.title: scores(results.columns, one.key) for one in results.primary}
    if results.other:
        found[say("ft_ahead")] = [ahead(results, row) for row in rows]
        found |= {f"{one.title} · 2": scores(results.other_columns, one.key) for one in results.primary}
    items = [results.items[row] for row in rows]
    roles = ("prediction", "reference", "question", "group", "id")
    texts = {role: [shown(getattr(item, role)) for item in items] for role in roles}
    if results.other:
        texts["other"] = [shown(results.other_items[row].prediction) for row in rows]
    order = ("prediction", "reference", "other", "question", "group", "id")
    needed = ("prediction", "reference")
    found |= {
        say(f"f_role_{role}").capitalize(): texts[role] for role in order if role in needed or any(texts.get(role, ()))
    }
    return pandas.DataFrame(found, dtype=object)


def all_rows(results: Run) -> pandas.DataFrame:
    """The table of all rows."""
    return table_of(results, range(len(results.items)))


def far_rows(results: Run) -> pandas.DataFrame:
    """The table of the rows where scores disagree most."""
    far = sorted(((value, -row) for row, value in enumerate(results.far) if value), reverse=True)
    return table_of(results, [-row for _, row in far[:FAR_ROWS]], apart=True)


def write_downloads(results: Run, folder: Path) -> list[str]:
    """The scored rows in three kinds of files, the summary in two; their paths."""
    columns = dict(results.sent.table.columns)
    if results.other_file:  # of a second column, the answers stand in the file already
        name = f"prediction{AGAINST}"
        while name in columns:
            name = f"{name}_"
        columns[name] = [None if item.lacks == "no_answer" else item.prediction for item in results.other_items]
    layout = Layout({name: kind_of(cells) for name, cells in columns.items()}, results.metrics, bool(results.other))
    paths = [folder / f"answer_lens_{name}" for name in DOWNLOADS]
    for path in paths[:3]:
        with path.open("wb") as file:
            write_rows(file, path.suffix[1:], scored_rows(results, columns, layout), layout.kinds)
    texts = (
        formats.markdown(contents.sections(results.summary, results.differences, results.correlations)),
        latex.latex(contents.sections(results.summary, results.differences)),
    )
    for path, text in zip(paths[3:], texts, strict=True):
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return [str(path) for path in paths]


def scored_rows(results: Run, columns: Mapping[str, Sequence[Any]], layout: Layout) -> Iterator[dict[str, Any]]:
    """The rows of the file with their scores."""
    for row, cells in enumerate(zip(*columns.values(), strict=True)):
        other = {key: values[row] for key, values in results.other_columns.items()} if results.other else None
        yield layout.row(dict(zip(columns, cells, strict=True)), results.scored(row), other)
