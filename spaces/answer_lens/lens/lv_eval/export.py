"""The official LV-Eval result as files: result.json and result.csv as the original writes them, byte for byte, and the
table of a paper in Markdown and LaTeX, and for the terminal.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

import pandas

from lens.lv_eval.official_result import AVERAGE, Official, averaged, scored
from lens.lv_eval.predictions import from_disk
from lens.lv_eval.tasks import AVERAGES, LENGTHS
from lens.reports.cells import DASH
from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.plain_text import format_plain_text
from lens.reports.section import Column, Row, Section, format_section
from lens.words import say
from lens.words.notes import Note
from lens.words.printed import tell


def figure(value: float) -> str:
    """A percentage with the two digits that the original gives; a dash for none.

    >>> figure(12.5), figure(0.0), figure(math.nan)
    ('12.50', '0.00', '–')
    """
    return DASH if math.isnan(value) else f"{value:.2f}"


def in_text(table: pandas.DataFrame) -> list[list[str]]:
    """A table of scores as rows of text."""
    return [[say(name) if name in AVERAGES else name, *map(figure, row)] for name, row in table.iterrows()]


def head() -> list[str]:
    """The titles of the columns."""
    return [say("lv_dataset"), *LENGTHS, say("lv_average")]


def result_json(found: Official) -> str:
    """result.json: the scores by dataset and length, in the order of the files."""
    return json.dumps({"_".join(cell): score for cell, score in found.scores.items()}, indent=4)


def result_csv(found: Official) -> str:
    """result.csv: a row for each dataset, a column for each length."""
    return found.table.to_csv(index_label="dataset_name", lineterminator="\n")


def section(found: Official) -> Section:
    """Return the table, with what it rests on and the signatures."""
    # A signature begins with the name of its metric.
    signatures = [(signature.partition("|")[0], signature) for signature in found.signed]
    columns = [Column("dataset_name", Note("lv_dataset"), show_dataset, is_name=True)]
    columns += [Column(name, title, show_score) for name, title in zip((*LENGTHS, AVERAGE), head()[1:], strict=True)]
    coverage = Note("as_it_is", {"text": found.coverage()})
    frame = averaged(found.table).rename_axis("dataset_name").reset_index()
    return Section("lv_eval", Note("lv_caption"), frame, columns, [coverage], signatures)


def show_dataset(row: Row, column: Column, digits: int) -> str:
    """Return the name of a dataset, or of an average."""
    name = str(row[column.name])
    return say(name) if name in AVERAGES else name


def show_score(row: Row, column: Column, digits: int) -> str:
    """Return a score as the original gives it."""
    return figure(row[column.name])


# Each kind of file by its suffix.
FORMS: dict[str, Callable[[Official], str]] = {
    "json": result_json,
    "csv": result_csv,
    "md": lambda found: format_markdown([format_section(section(found))]),
    "tex": lambda found: format_latex([format_section(section(found))]),
}


def targets(path: str | Path, out: str | Path | None = None) -> tuple[Path, Path]:
    """Where result.json and result.csv go: into `out`, by default the folder eval_result beside the prediction files,
    as in the original; of a zip, beside it in a folder of its name.
    """
    place = Path(path)
    folder = Path(out) if out is not None else (place if place.is_dir() else place.with_suffix("")) / "eval_result"
    return folder / "result.json", folder / "result.csv"


def command(path: str | Path, out: str | Path | None = None) -> int:
    """Score the prediction files of a folder or a zip, print the table, and write result.json and result.csv. Returns
    0; raises UserError, with words for the reader, where something is wrong with a file.
    """
    found = Official()
    for step in scored(from_disk(Path(path))):
        found = step.result
        if step.done == step.rows:
            tell(say("lv_scoring", **step._asdict()))
    tell(*format_plain_text([format_section(section(found))]).split("\n"), file=sys.stdout)
    for target, text in zip(targets(path, out), (result_json(found), result_csv(found)), strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="")
    tell(say("lv_written", folder=target.parent), file=sys.stdout)
    return 0
