"""What the tab "Files" shows of a scored file: its report with plots, tables of rows, and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lens.experiment.answers import Answer
from lens.explanations.file_verdict import caution, doubted, verdict
from lens.page.file_run import Run
from lens.page.html import cut, render
from lens.reports import contents, formats, latex, own_verdicts
from lens.reports.contents import Section, named
from lens.reports.picture import panels, picture
from lens.study.annotations import SystemVerdicts
from lens.study.scored_file import ScoredFileSchema, answers_in
from lens.tables.cells import each_answer, kind_of
from lens.tables.write import write_rows
from lens.words import say
from lens.words.printed import one_line

if TYPE_CHECKING:
    import pandas

MAX_TEXT, FAR_ROWS, DIGITS, BINS = 160, 10, 3, 20
DOWNLOADS = ("rows.csv", "rows.jsonl", "rows.parquet", "summary.md", "summary.tex", "ranks.svg")
BREAKS = re.compile(r"\s+")


def summary(run: Run) -> str:
    """The first part of the results: the one table, its picture, what is certain of it; groups, one's own verdicts from
    a column of the file, and what is missing or was paid.
    """
    with contents.digits(DIGITS):
        found = sections(run)
        verdicts = verdicts_of(run, run.read)
        shown = [Markup(one) for one in panels(run.summaries, run.standings, run.names)] if run.names else []
    compared = say("f_report_differences"), say("f_report_correlations"), say("f_report_figures")
    tables = [one for one in found if one.rows and one.title not in compared]
    told = [one for one in found if not one.rows]
    own: dict[str, Any] = {"sentence": sentence(run), "made_up": run.sent.made_up, "panels": shown}
    return render(
        "file_results.html", part="ft-summary", sections=[tables[0], *verdicts, *tables[1:]], told=told, **own
    )


def verdicts_of(run: Run, read: Sequence[SystemVerdicts]) -> list[Section]:
    """What verdicts say; nothing where there are none, of a person or of a judge in the file."""
    if not (run.judged_in_file or any(any(one.said) for one in read)):
        return []
    return own_verdicts.sections(read, run.found.cluster, run.text)


def compared(run: Run) -> str:
    """The second part: all differences, a metric after the other, how alike the metrics rank, and all figures."""
    with contents.digits(DIGITS):
        of_each = {one.series.title: contents.compared([one], run.names) for one in run.standings if one.series.primary}
        lines = list(dict.fromkeys(line for one in of_each.values() for line in one.lines))
        correlated = [contents.correlated(run.summary, run.correlations)] if run.correlations else []
        figures = [contents.every_figure(run.summaries, run.names)] if run.names else []
    # The first column is the metric, which stands above.
    differences = [
        replace(one, title=title, heads=one.heads[1:], rows=[row[1:] for row in one.rows])
        for title, one in of_each.items()
    ]
    parts = {"differences": differences, "lines": lines, "correlated": correlated, "figures": figures}
    return render("compared.html", **parts)


def spread(run: Run) -> str:
    """How the scores are spread."""
    return render("histograms.html", histograms=list(histograms(run)), bins=BINS)


def sections(run: Run, correlated: bool = True, **more: Any) -> list[Section]:
    """What the report says."""
    said: dict[str, Any] = {"caution": caution(run.summary), "doubted": doubted(run.summary), **more}
    said |= {"correlations": run.correlations} if correlated else {}
    return contents.sections(run.summaries, run.standings, run.names, notes=run.found.told, **said)


def sentence(run: Run) -> str:
    """What is certain of a file, or of several systems."""
    return verdict(run.summary, run.standings, run.correlations, run.names)


def histograms(run: Run) -> Iterator[tuple[str, float, float, list[int]]]:
    """How the scores of each metric are spread: title, lower end of the scale, mean, rows in each of its parts."""
    import numpy

    for series in (figure.series for figure in run.summary.figures if figure.series.plotted):
        for one in run.answers:
            scores = [value for value in one.columns[series.key] if value is not None]
            if scores:
                counts, _ = numpy.histogram(numpy.clip(scores, series.low, 1), BINS, (series.low, 1))
                yield named(series.title, one.name), series.low, sum(scores) / len(scores), counts.tolist()


def shown(text: str | Sequence[str]) -> str:
    """A text, or several, on one line, cut; what steers or hides is replaced."""
    whole = text if isinstance(text, str) else " | ".join(text)
    return one_line(cut(BREAKS.sub(" ", whole[: 4 * MAX_TEXT]).strip(), MAX_TEXT))


def table_of(run: Run, questions: Sequence[int], key: str = "", apart: bool = False) -> pandas.DataFrame:
    """Questions with their scores and texts: of one system all its scores, of several those by one series, the first
    unless `key` names it. With `apart`, how far apart the metrics rank each.
    """
    import pandas

    found: dict[str, list[Any]] = {say("ft_row_head"): [at + 1 for at in questions]}
    if apart:
        found[say("ft_far_by")] = [round(run.far[at] or 0.0, DIGITS) for at in questions]
    series = next((one for one in run.primary if one.key == key), run.primary[0])
    for one in run.answers if run.names else ():
        found[one.name] = [rounded(one.columns[series.key][at]) for at in questions]
    first, roles = run.answers[0], ["reference", "question", "group", "id"]
    if not run.names:
        found |= {one.title: [rounded(first.columns[one.key][at]) for at in questions] for one in run.primary}
        roles.insert(0, "prediction")
    for role in roles:
        texts = [shown(text_of(first.items[at], role)) for at in questions]
        there = role in ("prediction", "reference") or any(texts)
        found |= {say(f"f_role_{role}").capitalize(): texts} if there else {}
    return pandas.DataFrame(found, dtype=object)


def text_of(answer: Answer, role: str) -> str | Sequence[str]:
    """Return the text, or the texts, that an answer has in a role."""
    return answer.references if role == "reference" else str(getattr(answer, role))


def rounded(value: float | None) -> float | None:
    """A score for a table."""
    return None if value is None else round(value, DIGITS)


def all_rows(run: Run, key: str = "") -> pandas.DataFrame:
    """The table of all questions."""
    return table_of(run, range(run.found.questions), key)


def far_rows(run: Run) -> pandas.DataFrame:
    """The table of the questions where the metrics disagree most or, of several systems, these by the first metric."""
    far = sorted(((value, -at) for at, value in enumerate(run.far) if value), reverse=True)
    return table_of(run, [-at for _, at in far[:FAR_ROWS]], apart=True)


def write_downloads(run: Run, folder: Path, read: Sequence[SystemVerdicts] = ()) -> list[str]:
    """The scored rows in three kinds of files, the summary in two, and the picture of several systems; their paths.
    `read`: the answers of the systems with the verdicts so far.
    """
    read = read or run.read
    columns: dict[str, Sequence[Any]] = dict(run.sent.table.columns)
    if any(item.sample for item in run.items):  # what is in an object becomes a column
        columns[run.answer] = run.sent.table.cells(run.answer)
    kinds = {name: kind_of(cells) for name, cells in columns.items()}
    kinds |= {run.answer: "text"} if run.answer in kinds else {}
    several = run.names if run.beside else []
    whole = any(item.raw_prediction for item in run.items)
    layout = ScoredFileSchema(kinds, run.metrics, several, run.apart, whole, own_verdicts.recalibration(read))
    paths = [folder / f"answer_lens_{name}" for name in DOWNLOADS]
    for path in paths[:3]:
        with path.open("wb") as file:
            write_rows(file, path.suffix[1:], scored_rows(run, columns, layout), layout.kinds)
    told: dict[str, Any] = {"sentence": sentence(run)} if run.names else {}
    told["verdicts"] = verdicts_of(run, read)
    texts = [formats.markdown(sections(run, **told)), latex.latex(sections(run, correlated=False, **told))]
    texts += [picture(run.summaries, run.standings, run.names or [run.summary.source])]
    for path, text in zip(paths[3:], texts, strict=True):
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return [str(path) for path in paths]


def scored_rows(run: Run, columns: Mapping[str, Sequence[Any]], layout: ScoredFileSchema) -> Iterator[dict[str, Any]]:
    """The rows of the first file with their scores, and those of the other systems with their answers."""
    nothing: list[tuple[dict[str, float | None], str | None]] = [({}, None)] * (len(layout.names) - 1)
    rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
    answers = (one for row in rows for _, one in each_answer(row, run.answer))
    for row, cells in enumerate(answers):
        others, at = nothing, run.question_of.get(row)
        if at is not None and layout.others:
            others = [(one.scores(at), answers_in(list(map(answered, one.every[at])))) for one in run.answers[1:]]
        yield layout.row(cells, run.scored(row), run.items[row], others)


def answered(item: Answer) -> str | None:
    """What a system answered; None where it has no answer."""
    return None if item.skip_reason == "no_answer" else item.prediction
