"""Use the tab "Files" without a browser: upload, score, look at and download files."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lens.page.answer import judge_form
from lens.page.files import files_form, files_results, files_tab, opened_row
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.page.tab import Tab, VisitorFile
from lens.scoring.judge import NO_JUDGE
from lens.tables.roles import CELL_OPTIONS, COLUMN_ROLES, MULTI_COLUMN_ROLES
from lens.tables.untrusted import Table
from lens.words import speaking

from tests.demo.command_runs import OVERLAP_METRICS, Rows, compute_overlap_scores
from tests.demo.page_visits import collect_steps

ROLES = {"prediction": "prediction", "reference": "reference"}
FORM_ROLES = (*COLUMN_ROLES, "judges", "stand_in")
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'
WORDS = "red green blue one two three four five".split()


class NamedParts(dict[str, str]):
    """The parts of a tab: each part is its own name, so that steps can be read by names."""

    def __missing__(self, name: str) -> str:
        return name


def send_rows(rows: Rows, name: str = "a.jsonl") -> VisitorFile:
    """Return rows as a file that a visitor uploaded."""
    columns = {}
    for name_of_column in rows[0]:
        columns[name_of_column] = [row.get(name_of_column) for row in rows]
    return VisitorFile(name, Table(list(columns), len(rows), columns))


def send_systems(systems: Mapping[str, Rows]) -> list[VisitorFile]:
    """Return the rows of each system as an uploaded file that has the system's name."""
    return [send_rows(rows, name) for name, rows in systems.items()]


def make_wordy_rows(count: int = 12) -> Rows:
    """Return rows of which every third prediction is wrong, beginning with the first."""
    rng = random.Random(5)
    rows: Rows = []
    for number in range(count):
        reference = " ".join(rng.choices(WORDS, k=6))
        wrong = " ".join(rng.choices(WORDS, k=6))
        row = {
            "id": f"q{number}",
            "reference": reference,
            "prediction": reference if number % 3 else wrong,
            "other": wrong,
            "kind": WORDS[number % 2],
        }
        rows.append(row)
    return rows


def score_tables(
    *tables: Rows, metrics: Sequence[str] = OVERLAP_METRICS, **roles: Any
) -> FileScoring:
    """Score tables as files named a.jsonl, b.jsonl and so on.

    Args:
        tables: the rows of each file.
        metrics: the names of the metrics.
        roles: the column of each role, if it differs from ROLES.
    """
    files = []
    for letter, rows in zip("abcdefg", tables, strict=False):
        files.append(send_rows(rows, f"{letter}.jsonl"))
    choices = {**ROLES, "question": "", "id": "", "system": "", **roles}
    return finish_scoring(FileScoring(files, choices, metrics))


def finish_scoring(run: FileScoring) -> FileScoring:
    """Score all rows and return the finished scoring."""

    async def score() -> FileScoring:
        steps = [rows_done async for _, rows_done in run.steps(NO_JUDGE)]
        assert steps[-1] == run.rows
        return run.finish()

    return asyncio.run(score())


def list_notes(run: FileScoring) -> Sequence[str]:
    """Return the texts of the notes on the first system."""
    return [str(note) for note in run.results.notes[run.study.names[0]]]


def draw_results(run: FileScoring) -> str:
    """Return the HTML of the results without the rows."""
    return (
        files_results.draw_summary(run)
        + files_results.draw_comparison(run)
        + files_results.draw_histograms(run)
    )


def read_downloads(results: FileScoring, folder: Path) -> dict[str, bytes]:
    """Return the content of each download by its name without "answer_lens_"."""
    downloads = {}
    for path in map(Path, files_results.write_downloads(results, folder)):
        downloads[path.name.removeprefix("answer_lens_")] = path.read_bytes()
    return downloads


def read_choices(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the column that a form shows as chosen for each role."""
    names = shown["files"].table.choices
    choices: dict[str, Any] = {}
    for role in FORM_ROLES:
        value = shown[role]["value"]
        if role in MULTI_COLUMN_ROLES:
            choices[role] = [files_form.find_column(names, place) for place in value]
        else:
            choices[role] = files_form.find_column(names, value)
    return choices


def draw_opened_row(results: FileScoring, row: int, language: str = "en") -> str:
    """Return the HTML of an opened row."""
    with speaking(language):
        return asyncio.run(opened_row.draw_row(results, row))


def compute_row_scores(rows: Rows, predictions: str = "prediction") -> dict[str, list[float]]:
    """Compute the scores of rows with the modules themselves, for each series."""
    texts = [row[predictions] for row in rows]
    return compute_overlap_scores(predictions=texts, references=[row["reference"] for row in rows])


def press_start(
    *uploads: VisitorFile,
    metrics: Sequence[str] = OVERLAP_METRICS,
    judge: Mapping[str, Any] | None = None,
) -> list[Mapping[str, Any]]:
    """Press Start with the guessed columns, and return the changes of the page step by step.

    Args:
        uploads: the files.
        metrics: the names of the metrics.
        judge: values of the judge's panel that differ from its empty ones.
    """
    values: dict[str, Any] = dict.fromkeys([*FORM_ROLES, *CELL_OPTIONS], "")
    values |= {
        "files": None,
        "references": "any",
        "empty": "answers",
        "reasoning": "aside",
        "multi_reference": "first",
        "metrics": list(metrics),
        "unsure": False,
    }
    if uploads:
        files = Files(uploads)
        shown = files_form.show_choices(files)
        values |= {role: shown[role]["value"] for role in FORM_ROLES}
        values["files"] = files
    for name, value in (judge_form.EMPTY | dict(judge or {})).items():
        values[f"judge_{name}"] = value
    tab = Tab("files", "en", files_tab.show_refusal)
    tab.parts = NamedParts()
    callback = tab.make_callback(files_tab.score_files, tab.refusal)

    def ignore_progress(*fraction: Any, **description: Any) -> None:
        """Take the place of Gradio's progress bar."""

    return collect_steps(callback, values, ignore_progress)
