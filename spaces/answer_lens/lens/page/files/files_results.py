"""Draws the results of the tab "Files": report, plots and downloads."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from markupsafe import Markup

from lens.explanations.file_verdict import describe_file, describe_ranking_doubt
from lens.page.files.file_scoring import FileScoring
from lens.page.files.shown_names import name_verdicts
from lens.page.html import cut_text, render
from lens.reports.comparison_sections import describe_differences
from lens.reports.contents import Commentary, make_sections
from lens.reports.json_report import format_json
from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.picture import draw_panels, draw_picture
from lens.reports.score_sections import describe_all_scores, describe_correlations
from lens.reports.section import (
    Section,
    SectionText,
    format_section,
    format_sections,
    name_with_system,
)
from lens.reports.verdict_sections import describe_verdicts
from lens.study.annotations import SystemVerdicts
from lens.study.results import Results
from lens.study.scored_file import ScoredFileSchema
from lens.study.verdict_results import fit_estimate
from lens.tables.write import write_rows
from lens.words.printed import make_one_line

# How many characters of a text are shown.
MAX_TEXT = 160
# How many decimals figures have on the page.
DIGITS = 3
# The number of bars in a histogram.
BINS = 20
ROW_FILES = ("rows.csv", "rows.jsonl", "rows.parquet")
REPORT_FILES = ("summary.md", "summary.tex", "summary.json", "ranks.svg")
ALL_FILES = "all.zip"
DOWNLOADS = (ALL_FILES, *ROW_FILES, *REPORT_FILES)
# Sections of the report that are only in the second part, or only in the downloads.
SHOWN_BELOW = ("differences", "correlations", "scores", "paper")
WHITE_SPACE = re.compile(r"\s+")


def draw_summary(run: FileScoring) -> str:
    """Return the HTML of the first part of the results.

    It has the main table, its picture and summary, groups, verdicts in the files, missing scores,
    and costs.
    """
    results = run.shown_results
    first, *later_sections = list_sections(run, results)
    tables = [first, *list_verdict_sections(run, results, run.verdicts)]
    remarks = []
    for section in later_sections:
        if section.id in SHOWN_BELOW:
            continue
        if section.columns:
            tables.append(section)
        else:
            remarks.append(section)
    panels = draw_panels(results) if run.names else []
    return render(
        "file_results.html",
        part="ft-summary",
        sections=format_sections(tables, DIGITS),
        remarks=format_sections(remarks),
        sentence=describe_file(results),
        is_example=run.tables[0].file.is_example,
        panels=list(map(Markup, panels)),
    )


def list_verdict_sections(
    run: FileScoring, results: Results, systems: Sequence[SystemVerdicts]
) -> list[Section]:
    """Return the sections on verdicts; an empty list if there are no verdicts.

    Args:
        run: the scored study.
        results: the results, with the names of systems to show.
        systems: the answers of all systems, with verdicts.
    """
    has_judges = any(table.index.judges for table in run.tables)
    has_verdicts = any(system.has_verdicts for system in systems)
    if not has_judges and not has_verdicts:
        return []
    named = name_verdicts(systems, results.names)
    with_verdicts = results.add_verdicts(named, run.study.cluster)
    return describe_verdicts(with_verdicts, run.show_answers(results.names))


def draw_comparison(run: FileScoring) -> str:
    """Return the HTML of the second part: all differences by metric, correlations, all figures."""
    results = run.shown_results
    compared_by = set(results.differences["metric"])
    differences = []
    for series in results.primary:
        if series.key in compared_by:
            table = describe_differences(results, [series])
            # The title has the metric, so its column is left out.
            columns = [column for column in table.columns if column.name != "metric"]
            shown = format_section(replace(table, columns=columns), DIGITS)
            differences.append(replace(shown, title=series.title))
    figures = [describe_all_scores(results)] if run.names else []
    return render(
        "compared.html",
        differences=differences,
        lines=collect_lines(differences),
        correlated=format_sections(describe_correlations(results), DIGITS),
        figures=format_sections(figures, DIGITS),
    )


def collect_lines(sections: Sequence[SectionText]) -> list[tuple[str, str]]:
    """Return the lines of several sections, without duplicates."""
    lines = dict[tuple[str, str], None]()
    for section in sections:
        lines |= dict.fromkeys(section.lines)
    return list(lines)


def draw_histograms(run: FileScoring) -> str:
    """Return the HTML of the histograms of scores."""
    return render("histograms.html", histograms=list(count_histograms(run)), bins=BINS)


def list_sections(
    run: FileScoring,
    results: Results,
    verdicts: Sequence[Section] = (),
    sentence: str = "",
) -> list[Section]:
    """Return the sections of the report."""
    commentary = Commentary(
        sentence=sentence,
        doubt=describe_ranking_doubt(results),
        notes=run.study.notes,
    )
    return make_sections(results, commentary, verdicts)


def count_histograms(run: FileScoring) -> Iterator[tuple[str, float, float, list[int]]]:
    """Yield title, lower end of the scale, mean, and counts of the bins of each histogram."""
    import numpy

    names = run.short_names or [""]
    columns = [run.scores(system) for system in range(run.n_systems)]
    for series in run.results.series:
        if not series.plotted:
            continue
        for name, scores_of_system in zip(names, columns, strict=True):
            scores = [score for score in scores_of_system[series.key] if score is not None]
            if not scores:
                continue
            clipped = numpy.clip(scores, series.low, 1)
            counts, _ = numpy.histogram(clipped, BINS, (series.low, 1))
            yield (
                name_with_system(series.title, name),
                series.low,
                sum(scores) / len(scores),
                counts.tolist(),
            )


def show_text(text: str | Sequence[str]) -> str:
    """Return a text, or several texts, on one line, shortened and without control characters."""
    whole = text if isinstance(text, str) else " | ".join(text)
    # White space may become shorter, so more characters are read than are shown.
    beginning = whole[: 4 * MAX_TEXT]
    with_blanks = WHITE_SPACE.sub(" ", beginning).strip()
    return make_one_line(cut_text(with_blanks, MAX_TEXT))


def write_downloads(
    run: FileScoring, folder: Path, systems: Sequence[SystemVerdicts] = ()
) -> list[str]:
    """Write the scored rows, the reports, the picture, and a zip archive of all files.

    Args:
        run: the scored study.
        folder: the folder for the files.
        systems: the answers of the systems with verdicts; by default those in the files.

    Returns:
        The paths in the order of DOWNLOADS.
    """
    systems = systems or run.verdicts
    paths = {name: folder / f"answer_lens_{name}" for name in DOWNLOADS}
    schema = ScoredFileSchema(run.study, fit_estimate(systems))
    for name in ROW_FILES:
        rows = chain.from_iterable(run.study.list_scored_blocks(schema))
        with paths[name].open("wb") as file:
            write_rows(file, paths[name].suffix[1:], rows, schema.column_types)
    for name, text in zip(REPORT_FILES, write_reports(run, systems), strict=True):
        paths[name].write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    with zipfile.ZipFile(paths[ALL_FILES], "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (*ROW_FILES, *REPORT_FILES):
            archive.write(paths[name], paths[name].name)
    return [str(paths[name]) for name in DOWNLOADS]


def write_reports(run: FileScoring, systems: Sequence[SystemVerdicts]) -> list[str]:
    """Return the texts of REPORT_FILES."""
    results = run.results
    sentence = describe_file(results) if run.names else ""
    verdicts = list_verdict_sections(run, results, systems)
    sections = list_sections(run, results, verdicts, sentence)
    uncorrelated = [section for section in sections if section.id != "correlations"]
    return [
        format_markdown(format_sections(sections)),
        format_latex(format_sections(uncorrelated)),
        format_json(sections, {"systems": run.study.names}),
        draw_picture(results),
    ]
