"""Reads the answer in a row of a table, in the form that the metrics need.

Texts stay unchanged, except that thinking and final answers are handled as the user chose
(final_answer.py). A cell of the wrong type is refused, with the number of its row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lens.tables.answer_texts import read_answer, read_final_references
from lens.tables.cell_texts import describe_inner, read_cells
from lens.tables.cells import fits_column_type, is_blank, is_missing
from lens.tables.final_answer import UNFINISHED
from lens.tables.roles import ABSTAIN, SCORED_EMPTY, ReadingOptions, Roles, format_cell
from lens.tables.separators import split_references
from lens.tables.verdict_words import parse_verdict, read_verdict_score
from lens.words.notes import Note, UserError, join_notes
from lens.words.printed import shorten_name

NO_ANSWER = "no_answer"
NO_FINAL_ANSWER = "no_final_answer"
NO_REFERENCE = "no_reference"
# The reasons of skipped answers, which say what is blank.
SKIP_REASONS = (NO_ANSWER, NO_FINAL_ANSWER, NO_REFERENCE)
# The roles whose cells must be texts after `read_cells`.
TEXT_ROLES = ("prediction", "question", "keywords")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer with its question, references and verdicts.

    Attributes:
        prediction: the text that is scored.
        references: the right answers; there is at least one, and a single one may be blank.
        verdict: a person's verdict.
        judge_verdicts: the verdicts of judges.
        stand_in: the score that stands in for a person's verdict.
        sample: the number of the answer among those in its cell, from 0.
        raw_prediction: the whole answer if only a part of it is scored; else empty.
        skip_reason: why it is not scored (one of SKIP_REASONS); empty if it is.
        left_out: codes of `read_answer`: "aside" or "unfinished" for thinking, "final" if a final
            answer was extracted, "no_final" if none was found.
        converted: the kinds of cells that were converted to texts (cell_texts.py).
        reference_code: whether final answers of the references were extracted: the code of
            `read_final_references`.
        has_list: whether the references were a list, or were split.
        needs_all: whether all references are needed, so that the score is their mean.
        reference_number: the number of the reference, from 0, if the references are scored one by
            one.
        decided: the score, if it is decided without a metric because the reference says that the
            question has no answer; else None.
    """

    prediction: str
    references: tuple[str, ...]
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""
    system: str = ""
    cluster: str = ""
    verdict: str = ""
    judge_verdicts: tuple[str, ...] = ()
    stand_in: float | None = None
    skip_reason: str = ""
    raw_prediction: str = ""
    left_out: tuple[str, ...] = ()
    sample: int = 0
    converted: tuple[str, ...] = ()
    reference_code: str = ""
    has_list: bool = False
    needs_all: bool = False
    reference_number: int = 0
    decided: float | None = None

    def find_blank(self) -> str:
        """Return what is blank, as one of SKIP_REASONS; empty if nothing is.

        If thinking has no end, the answer has no final answer.
        """
        if is_blank(list(self.references)):
            return NO_REFERENCE
        if not is_blank(self.prediction):
            return ""
        return NO_FINAL_ANSWER if UNFINISHED in self.left_out else NO_ANSWER


def make_answer(
    row: Mapping[str, Any],
    roles: Roles,
    number: int,
    sample: int = 0,
) -> Answer:
    """Return the answer in a row.

    A missing or blank answer or reference is allowed; the options of reading say whether it is
    scored.

    Args:
        row: the cells by column, with a single answer.
        roles: the column of each role, and how cells are read.
        number: the number of the row, from 1, for messages.
        sample: the number of the answer among those in its cell, from 0.

    Raises:
        UserError: a cell does not fit the role of its column.
    """
    reading = roles.reading
    cells, converted = read_row(row, roles)
    texts = read_texts(cells, roles, number)
    raw_prediction = texts["prediction"]
    prediction, left_out = read_answer(
        raw_prediction, reading.reasoning, reading.final, reading.reasoning_tags
    )

    first_cell = cells.get("reference")
    columns = [(roles.reference, first_cell)]
    for name in roles.more_references:
        reference_cells, kinds = read_cells({"reference": row.get(name)})
        columns.append((name, reference_cells["reference"]))
        converted += kinds
    reference, reference_code = read_reference_columns(columns, reading, number)
    has_list = isinstance(reference, list)
    references = (reference,) if isinstance(reference, str) else tuple(reference)

    verdict = read_verdict(cells.get("verdict"), roles.verdict, number)
    judge_verdicts = []
    for name in roles.judges:
        judge_verdict = read_verdict(row.get(name), name, number)
        judge_verdicts.append(judge_verdict)
    stand_in = None
    if roles.stand_in:
        cell = cells.get("stand_in")
        stand_in = read_stand_in_score(cell, roles.stand_in, number)
    answer = Answer(
        prediction,
        references,
        texts["question"],
        texts["keywords"],
        group=str(cells.get("group", "")),
        id=str(cells.get("id", "")),
        system=str(cells.get("system", "")),
        cluster=str(cells.get("cluster", "")),
        verdict=verdict,
        judge_verdicts=tuple(judge_verdicts),
        stand_in=stand_in,
        raw_prediction=raw_prediction if prediction != raw_prediction else "",
        left_out=left_out,
        sample=sample,
        converted=tuple(dict.fromkeys(converted)),
        reference_code=reference_code,
        has_list=has_list,
        needs_all=reading.references == "all" and len(references) > 1,
    )
    return decide_blank(answer, reading.empty)


def read_row(row: Mapping[str, Any], roles: Roles) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the cells of a row by role, and the kinds of the cells that were converted to texts.

    Missing cells are left out, and several keywords are joined to one text.
    """
    cells: dict[str, Any] = {}
    columns = roles.single_columns()
    for role, name in columns.items():
        if not is_missing(row.get(name)):
            cells[role] = row[name]
    cells, converted = read_cells(cells)
    if fits_column_type(cells.get("keywords"), "texts"):
        cells["keywords"] = " ".join(cells["keywords"])
    return cells, converted


def read_texts(cells: Mapping[str, Any], roles: Roles, number: int) -> dict[str, str]:
    """Return the cells that must be texts, by role; a missing cell is an empty text.

    Raises:
        UserError: a cell is not a text.
    """
    texts: dict[str, str] = {}
    for role in TEXT_ROLES:
        cell = cells.get(role, "")
        if not isinstance(cell, str):
            column = getattr(roles, role)
            raise make_cell_error("table.cell_no_text", column, cell, number)
        texts[role] = cell
    return texts


def decide_blank(answer: Answer, empty: str) -> Answer:
    """Apply the rules for blank cells to an answer.

    It may be skipped, or be right or wrong without a metric.
    """
    reason = answer.find_blank()
    if reason and reason not in SCORED_EMPTY[empty]:
        return replace(answer, skip_reason=reason)
    if reason == NO_REFERENCE and empty == ABSTAIN:
        is_finished = UNFINISHED not in answer.left_out
        abstains = is_finished and is_blank(answer.prediction)
        return replace(answer, decided=float(abstains))
    return answer


def make_cell_error(
    key: str,
    column: str,
    cell: Any,
    number: int,
) -> UserError:
    """Return the error for a cell of the wrong type, with the values in it that could be chosen."""
    values = {
        "column": shorten_name(column),
        "row": number,
        "cell": format_cell(cell),
    }
    wrong_type = Note(key, values)
    inner_values = describe_inner(column, cell)
    return UserError(join_notes(wrong_type, inner_values))


def read_reference_columns(
    columns: Sequence[tuple[str, Any]],
    reading: ReadingOptions,
    number: int,
) -> tuple[str | list[str], str]:
    """Return the references in the columns of a row, and the code of `read_final_references`.

    Missing cells and repeated texts are left out.
    """
    texts = []
    for name, cell in columns:
        text_or_list = read_reference_cell(cell, name, reading.separator, number)
        texts.append(text_or_list)
    reference = texts[0] if len(texts) == 1 else join_references(texts)
    if isinstance(reference, str):
        (final,), code = read_final_references([reference], reading.final)
        return final, code
    return read_final_references(reference, reading.final)


def join_references(cells: Sequence[str | list[str]]) -> str | list[str]:
    """Return the distinct references of several columns; a single one, or none, is a text."""
    distinct: dict[str, None] = {}
    for cell in cells:
        texts = [cell] if isinstance(cell, str) else cell
        for text in texts:
            if text.strip():
                distinct[text] = None
    if len(distinct) > 1:
        return list(distinct)
    return "".join(distinct)


def read_reference_cell(
    cell: Any,
    column: str,
    separator: str,
    number: int,
) -> str | list[str]:
    """Return the references in a cell, which may be a text to split or a list."""
    if is_missing(cell):
        cell = ""
    if isinstance(cell, str) or cell == []:
        return split_references(cell or "", separator)
    if not fits_column_type(cell, "texts"):
        raise make_cell_error("table.cell_no_reference", column, cell, number)
    return list(cell)


def read_verdict(cell: Any, column: str, number: int) -> str:
    """Return the verdict in a cell, empty if nobody read the row.

    Raises:
        UserError: the cell is not a verdict.
    """
    verdict = parse_verdict(cell)
    if verdict is None:
        name = shorten_name(column)
        shown_cell = format_cell(cell)
        raise UserError("verdicts.unknown", column=name, row=number, cell=shown_cell)
    return verdict


def read_stand_in_score(cell: Any, column: str, number: int) -> float | None:
    """Return the score in a cell that stands in for a verdict; None for an empty cell.

    Raises:
        UserError: the cell is neither a number nor a verdict.
    """
    value = read_verdict_score(cell)
    # NaN is neither a number nor a verdict.
    if value is not None and math.isnan(value):
        name = shorten_name(column)
        shown_cell = format_cell(cell)
        raise UserError("verdicts.no_stand_in", column=name, row=number, cell=shown_cell)
    return value
