"""What the tab "Files" shows of a scored file: its report with plots, tables of rows, and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lens.experiment.answers import Answer
from lens.explanations.file_verdict import caution, unreliable_metrics, verdict
from lens.page.files.file_scoring import FileScoring
from lens.page.html import cut_text, render
from lens.reports.comparison_sections import describe_differences
from lens.reports.contents import make_sections
from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.picture import draw_panels, draw_picture
from lens.reports.score_sections import describe_all_scores, describe_correlations
from lens.reports.section import Section, SectionText, format_section, format_sections, name_with_system
from lens.reports.verdict_sections import describe_verdicts
from lens.study.annotations import SystemVerdicts
from lens.study.scored_file import ScoredFileSchema
from lens.study.verdict_results import fit_estimate
from lens.tables.write import write_rows
from lens.words import say
from lens.words.printed import make_one_line

if TYPE_CHECKING:
    import pandas

MAX_TEXT, FAR_ROWS, DIGITS, BINS = 160, 10, 3, 20
DOWNLOADS = ("rows.csv", "rows.jsonl", "rows.parquet", "summary.md", "summary.tex", "ranks.svg")
# Sections of the report that stand in the second part, or in the downloads alone.
SHOWN_BELOW = ("differences", "correlations", "scores", "paper")
BREAKS = re.compile(r"\s+")


def draw_summary(run: FileScoring) -> str:
    """Return the first part of the results: the one table, its picture, what is certain of it.

    Groups, one's own verdicts from a column of the file, and what is missing or was paid.
    """
    first, *others = list_sections(run)
    others = [one for one in others if one.id not in SHOWN_BELOW]
    tables = [first, *list_verdict_sections(run, run.verdicts), *(one for one in others if one.columns)]
    panels = draw_panels(run.results) if run.names else []
    return render(
        "file_results.html",
        part="ft-summary",
        sections=format_sections(tables, DIGITS),
        told=format_sections(one for one in others if not one.columns),
        sentence=write_sentence(run),
        made_up=run.tables[0].sent.made_up,
        panels=list(map(Markup, panels)),
    )


def list_verdict_sections(run: FileScoring, read: Sequence[SystemVerdicts]) -> list[Section]:
    """Return what verdicts say; nothing where there are none, of a person or of a judge in the file."""
    if not (any(table.index.judges for table in run.tables) or any(one.has_verdicts for one in read)):
        return []
    return describe_verdicts(run.results.add_verdicts(read, run.study.cluster), run.text)


def draw_comparison(run: FileScoring) -> str:
    """Return the second part: all differences, metric by metric, how alike the metrics rank, and all figures."""
    results = run.results
    compared_by = set(results.differences["metric"])
    differences = []
    for series in results.primary:
        if series.key in compared_by:
            table = describe_differences(results, [series])
            # The metric, which stands above, needs no column.
            columns = [column for column in table.columns if column.name != "metric"]
            shown = format_section(replace(table, columns=columns), DIGITS)
            differences.append(replace(shown, title=series.title))
    figures = [describe_all_scores(results)] if run.names else []
    return render(
        "compared.html",
        differences=differences,
        lines=join_lines(differences),
        correlated=format_sections(describe_correlations(results), DIGITS),
        figures=format_sections(figures, DIGITS),
    )


def join_lines(sections: Sequence[SectionText]) -> list[tuple[str, str]]:
    """Return the lines of several sections, each once."""
    return list(dict.fromkeys(line for section in sections for line in section.lines))


def draw_histograms(run: FileScoring) -> str:
    """Return how the scores are spread."""
    return render("histograms.html", histograms=list(count_histograms(run)), bins=BINS)


def list_sections(run: FileScoring, correlated: bool = True, **more: Any) -> list[Section]:
    """Return what the report says."""
    return make_sections(
        run.results,
        with_correlations=correlated,
        caution=caution(run.results),
        doubted=unreliable_metrics(run.results),
        notes=run.study.notes,
        **more,
    )


def write_sentence(run: FileScoring) -> str:
    """Return what is certain of a file, or of several systems."""
    return verdict(run.results)


def count_histograms(run: FileScoring) -> Iterator[tuple[str, float, float, list[int]]]:
    """Yield the histogram of each metric's scores: title, lower end of the scale, mean, rows in each bin."""
    import numpy

    columns = [run.scores(system) for system in range(len(run.study.systems))]
    for series in (one for one in run.results.series if one.plotted):
        for name, own in zip(run.names or [""], columns, strict=True):
            scores = [value for value in own[series.key] if value is not None]
            if scores:
                counts, _ = numpy.histogram(numpy.clip(scores, series.low, 1), BINS, (series.low, 1))
                yield name_with_system(series.title, name), series.low, sum(scores) / len(scores), counts.tolist()


def show_text(text: str | Sequence[str]) -> str:
    """Return a text, or several, on one line, cut; what steers or hides is replaced."""
    whole = text if isinstance(text, str) else " | ".join(text)
    return make_one_line(cut_text(BREAKS.sub(" ", whole[: 4 * MAX_TEXT]).strip(), MAX_TEXT))


def make_table(run: FileScoring, questions: Sequence[int], key: str = "", apart: bool = False) -> pandas.DataFrame:
    """Questions with their scores and texts: of one system all its scores, of several those by one series, the first
    unless `key` names it. With `apart`, how far apart the metrics rank each.
    """
    import pandas

    found: dict[str, list[Any]] = {say("files_tab.row_head"): [at + 1 for at in questions]}
    if apart:
        far = run.differences()
        found[say("files_tab.far_by")] = [round(far[at] or 0.0, DIGITS) for at in questions]
    series = next((one for one in run.primary if one.key == key), run.primary[0])
    for system, name in enumerate(run.names):
        scores = run.scores(system)[series.key]
        found[name] = [round_score(scores[at]) for at in questions]
    roles = ["reference", "question", "group", "id"]
    if not run.names:
        columns = run.scores(0)
        found |= {one.title: [round_score(columns[one.key][at]) for at in questions] for one in run.primary}
        roles.insert(0, "prediction")
    answers = [run.answer(0, at) for at in questions]
    for role in roles:
        texts = [show_text(answer_text(answer, role)) for answer in answers]
        there = role in ("prediction", "reference") or any(texts)
        found |= {say(f"role.{role}").capitalize(): texts} if there else {}
    return pandas.DataFrame(found, dtype=object)


def answer_text(answer: Answer, role: str) -> str | Sequence[str]:
    """Return the text, or the texts, that an answer has in a role."""
    return answer.references if role == "reference" else str(getattr(answer, role))


def round_score(value: float | None) -> float | None:
    """Return a score for a table."""
    return None if value is None else round(value, DIGITS)


def all_rows(run: FileScoring, key: str = "") -> pandas.DataFrame:
    """Return the table of all questions."""
    return make_table(run, range(run.study.questions), key)


def far_rows(run: FileScoring) -> pandas.DataFrame:
    """Return the table of the questions where the metrics disagree most.

    With several systems: where these are farthest apart by the first metric.
    """
    far = sorted(((value, -at) for at, value in enumerate(run.differences()) if value), reverse=True)
    return make_table(run, [-at for _, at in far[:FAR_ROWS]], apart=True)


def write_downloads(run: FileScoring, folder: Path, read: Sequence[SystemVerdicts] = ()) -> list[str]:
    """Return the scored rows in three kinds of files, the summary in two, and the picture of several systems.

    Their paths. `read`: the answers of the systems with the verdicts so far.
    """
    read = read or run.verdicts
    schema = ScoredFileSchema(run.study, fit_estimate(read))
    paths = [folder / f"answer_lens_{name}" for name in DOWNLOADS]
    for path in paths[:3]:
        rows = chain.from_iterable(run.study.scored_rows(schema))
        with path.open("wb") as file:
            write_rows(file, path.suffix[1:], rows, schema.kinds)
    told: dict[str, Any] = {"sentence": write_sentence(run)} if run.names else {}
    told["verdicts"] = list_verdict_sections(run, read)
    texts = [
        format_markdown(format_sections(list_sections(run, **told))),
        format_latex(format_sections(list_sections(run, correlated=False, **told))),
        draw_picture(run.results),
    ]
    for path, text in zip(paths[3:], texts, strict=True):
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return [str(path) for path in paths]
