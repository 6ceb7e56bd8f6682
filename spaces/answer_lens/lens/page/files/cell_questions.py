"""The choices that the tab "Files" offers because of certain cells.

Such cells are empty, have several references, or have thinking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import gradio as gr

from lens.page.files.files_form import find_column, hide_part
from lens.page.files.files_reading import Files
from lens.page.tab import Updates
from lens.scoring.catalog import MULTI_REFERENCE
from lens.tables.cells import list_answers
from lens.tables.final_answer import remove_thinking
from lens.tables.separators import FoundSeparator, find_frequent_separator, split_references
from lens.tables.thinking_marks import UnknownMarks
from lens.words import say

# The fields of these choices; MULTI_REFERENCE is the choice of the reference that LV-Eval reads.
CELL_FIELDS = ("empty", "references", "reasoning", "reasoning_tags", "split", MULTI_REFERENCE)


def ask_about_cells(
    files: Files | None,
    prediction: Any,
    reference: Any,
    separator: str,
) -> Updates:
    """Return the updates that show the choices for the cells of the chosen columns."""
    if files is None:
        return dict.fromkeys(CELL_FIELDS, hide_part())
    predictions = find_columns(files, prediction) or [""]
    columns = find_columns(files, reference)
    references = read_cells(files, columns)
    answers: list[Any] = []
    for file in files.uploads:
        for name in predictions:
            answers += file.table.cells(name)
    has_several = len(columns) > 1
    if not has_several:
        has_several = any(has_reference_list(cell, separator) for cell in references)
    multi_reference = gr.update(visible=True)
    if not has_several:
        multi_reference = gr.update(visible=False, value="first")
    # A separator that may be meant to split cells.
    unused_separator = None if separator else find_frequent_separator(references)
    return {
        "empty": ask_about_empty_cells(files, predictions, columns),
        "references": gr.update(visible=has_several),
        "split": offer_separator(unused_separator),
        MULTI_REFERENCE: multi_reference,
        **ask_about_thinking(answers),
    }


def find_columns(files: Files, places: Any) -> list[str]:
    """Return the columns at these positions of the first file."""
    return [find_column(files.table.choices, place) for place in places or []]


def read_cells(files: Files, columns: Iterable[str]) -> list[Any]:
    """Return the cells of some columns of the first file."""
    cells: list[Any] = []
    for column in columns:
        cells += files.table.cells(column)
    return cells


def ask_about_empty_cells(
    files: Files,
    predictions: Iterable[str],
    references: Sequence[str],
) -> Any:
    """Return the choice for empty answers and empty references.

    Empty references are counted in the first column of references of the first file.
    """
    empty_answers = 0
    for file in files.uploads:
        for name in predictions:
            empty_answers += file.count_blanks(name)
    empty_references = 0
    if references:
        empty_references = files.uploads[0].count_blanks(references[0])
    info = say("files_tab.empty_info", answers=empty_answers, references=empty_references)
    is_needed = bool(empty_answers or empty_references)
    return gr.update(visible=is_needed, info=info)


def has_reference_list(cell: Any, separator: str) -> bool:
    """Return whether a cell is a list of references, or has several as one text."""
    if isinstance(cell, list):
        return True
    references = split_references(str(cell), separator)
    return isinstance(references, list)


def ask_about_thinking(cells: Iterable[Any]) -> Updates:
    """Return the updates that show the choices on thinking, in known or unknown marks."""
    n_with_thinking = 0
    marks = UnknownMarks()
    for cell in cells:
        for text in list_answers(cell):
            if isinstance(text, str):
                _, removed = remove_thinking(text)
                n_with_thinking += bool(removed)
                marks.add_answer(text)
    unknown_mark = marks.find_most_frequent()
    tags = gr.update(visible=False, info="", value="")
    if unknown_mark:
        tags_info = say("files_tab.tags_info", **asdict(unknown_mark))
        tags = gr.update(visible=True, info=tags_info)
    info = say("files_tab.reasoning_info", count=n_with_thinking)
    is_needed = bool(n_with_thinking or unknown_mark)
    reasoning = gr.update(visible=is_needed, info=info)
    return {"reasoning": reasoning, "reasoning_tags": tags}


def offer_separator(separator: FoundSeparator | None) -> Any:
    """Return the update of the button that fills in a separator; hidden without one."""
    if separator is None:
        return gr.update(value="", visible=False)
    title = say("files_tab.split", **asdict(separator))
    return gr.update(value=title, visible=True)


def choose_separator(files: Files | None, reference: Any) -> Updates:
    """Return the update that fills in the separator found in the references."""
    if files is None:
        return {}
    columns = find_columns(files, reference)
    references = read_cells(files, columns)
    found = find_frequent_separator(references)
    if found is None:
        return {}
    return {"separator": found.separator}
