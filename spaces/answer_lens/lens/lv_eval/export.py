"""Writes the official LV-Eval result.

result.json and result.csv are equal to those of LV-Eval's own program, byte for byte. The table for
a paper is written in Markdown, in LaTeX and in the terminal.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

import pandas

from lens.lv_eval.official_result import AVERAGE, OfficialResult, add_averages, score_files
from lens.lv_eval.predictions import read_local_files
from lens.lv_eval.tasks import AVERAGES, LENGTHS
from lens.reports.cells import DASH
from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.plain_text import format_plain_text
from lens.reports.section import Column, Row, Section, format_section
from lens.words import say
from lens.words.notes import Note
from lens.words.printed import print_lines


def format_score(value: float) -> str:
    """Return a percentage with two decimals, as in LV-Eval's tables; a dash for NaN.

    >>> format_score(12.5), format_score(0.0), format_score(math.nan)
    ('12.50', '0.00', '–')
    """
    if math.isnan(value):
        return DASH
    return f"{value:.2f}"


def format_rows(table: pandas.DataFrame) -> list[list[str]]:
    """Return a table of scores as rows of texts."""
    rows = []
    for name, scores in table.iterrows():
        cells = [format_score(score) for score in scores]
        rows.append([name_dataset(name), *cells])
    return rows


def name_dataset(name: str) -> str:
    """Return the shown name of a row: that of a dataset, or an average in the page's language."""
    if name in AVERAGES:
        return say(f"lv_eval.rows.{name}")
    return name


def list_column_titles() -> list[str]:
    """Return the titles of the table's columns."""
    return [say("lv_eval.dataset"), *LENGTHS, say("lv_eval.average")]


def format_result_json(result: OfficialResult) -> str:
    """Return the text of result.json: scores by dataset and length, in the order of the files."""
    scores = {}
    for (dataset, length), score in result.scores.items():
        scores[f"{dataset}_{length}"] = score
    return json.dumps(scores, indent=4)


def format_result_csv(result: OfficialResult) -> str:
    """Return the text of result.csv: one row per dataset, one column per length."""
    return result.table.to_csv(index_label="dataset_name", lineterminator="\n")


def describe_result(result: OfficialResult) -> Section:
    """Return the table for a paper, with a note on missing files and the signatures."""
    signatures = []
    for signature in result.signatures:
        # A signature begins with the name of its metric.
        name, _, _ = signature.partition("|")
        signatures.append((name, signature))
    columns = [Column("dataset_name", Note("lv_eval.dataset"), show_dataset_cell, is_name=True)]
    for length in LENGTHS:
        columns.append(Column(length, length, show_score_cell))
    columns.append(Column(AVERAGE, Note("lv_eval.average"), show_score_cell))
    coverage = Note("page.as_it_is", {"text": result.describe_coverage()})
    table = add_averages(result.table)
    return Section(
        "lv_eval",
        title=Note("lv_eval.caption"),
        frame=table.rename_axis("dataset_name").reset_index(),
        columns=columns,
        notes=[coverage],
        codes=signatures,
    )


def show_dataset_cell(row: Row, column: Column, digits: int) -> str:
    """Return the text of a cell with the name of a dataset or of an average."""
    return name_dataset(str(row[column.name]))


def show_score_cell(row: Row, column: Column, digits: int) -> str:
    """Return the text of a cell with a score; LV-Eval always has two decimals."""
    return format_score(row[column.name])


def format_result_markdown(result: OfficialResult) -> str:
    """Return the table for a paper in Markdown."""
    section = format_section(describe_result(result))
    return format_markdown([section])


def format_result_latex(result: OfficialResult) -> str:
    """Return the table for a paper in LaTeX."""
    section = format_section(describe_result(result))
    return format_latex([section])


# The functions that format the files, by their extensions.
FORMATTERS: dict[str, Callable[[OfficialResult], str]] = {
    "json": format_result_json,
    "csv": format_result_csv,
    "md": format_result_markdown,
    "tex": format_result_latex,
}


def choose_targets(path: str | Path, out: str | Path | None = None) -> tuple[Path, Path]:
    """Return the paths of result.json and result.csv.

    They are in `out`, or by default in the folder eval_result next to the prediction files, as
    LV-Eval's own program writes them. For a.zip, the folder is a/eval_result.
    """
    predictions = Path(path)
    if out is not None:
        folder = Path(out)
    elif predictions.is_dir():
        folder = predictions / "eval_result"
    else:
        folder = predictions.with_suffix("") / "eval_result"
    return folder / "result.json", folder / "result.csv"


def score_folder(path: str | Path, out: str | Path | None = None) -> int:
    """Score the prediction files in a folder or a zip archive.

    The table is printed, and result.json and result.csv are written.

    Returns:
        0, the exit code.

    Raises:
        UserError: a file is malformed.
    """
    result = OfficialResult()
    files = read_local_files(Path(path))
    for step in score_files(files):
        result = step.result
        is_file_scored = step.done == step.rows
        if is_file_scored:
            print_lines(say("lv_eval.scoring", **step._asdict()))
    section = format_section(describe_result(result))
    table = format_plain_text([section])
    print_lines(*table.split("\n"), file=sys.stdout)
    json_path, csv_path = choose_targets(path, out)
    folder = json_path.parent
    folder.mkdir(parents=True, exist_ok=True)
    json_path.write_text(format_result_json(result), "utf-8", newline="")
    csv_path.write_text(format_result_csv(result), "utf-8", newline="")
    print_lines(say("lv_eval.written", folder=folder), file=sys.stdout)
    return 0
