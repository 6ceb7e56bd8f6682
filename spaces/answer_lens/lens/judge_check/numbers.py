"""The numbers that a file of a judge's replies allows, as the two modules give them.

Rows are counted from 1, as a reader counts them; the header of a CSV file and empty lines are no
rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens.experiment.table_notes import count_rows
from lens.judge_check.against_people import Against, against_people
from lens.scoring import failures, modules
from lens.scoring.catalog import Metric
from lens.scoring.modules import ACCURACY, BIAS
from lens.tables.cells import MAX_SHOWN, is_missing, parse_number
from lens.tables.roles import format_cell, join_names
from lens.tables.untrusted import Table
from lens.tables.verdict_words import OF_JUDGES, OF_PEOPLE
from lens.words import say
from lens.words.notes import Note, UserError

REPLIES = ("generated", "anchor_score", "perturbation_category")
CHANCES = ("chosen_logprob", "rejected_logprob")
TYPE = "perturbation_type"
CATEGORY = "perturbation_category"
# The module takes no larger scores.
LARGEST = 1e100

Range = tuple[float, float]


@dataclass(frozen=True)
class Part:
    """What one module says of the file: its result, or in plain words why there is none."""

    result: Mapping[str, Any] | None = None
    message: str = ""
    failed: bool = False


@dataclass(frozen=True)
class Check:
    """All parts, for a file of so many rows.

    The replies and the range of scores, where there are any.
    """

    rows: int
    replies: Sequence[Any]
    bias: Part
    accuracy: Part
    scale: Range | None = None
    people: Against | None = None


def check(table: Table, scale: Range | None) -> Check:
    """Return all numbers that the file allows.

    Raises:
        UserError: it allows none.
    """
    lacks_replies = list_missing(table, REPLIES)
    lacks_chances = list_missing(table, CHANCES)
    people = against_people(table)
    if lacks_replies and lacks_chances and not people:
        raise UserError(
            "judge_check.columns_wrong",
            found=join_names(table.names),
            replies=join_names(REPLIES),
            chances=join_names(CHANCES),
            verdicts=join_names((OF_JUDGES[0], OF_PEOPLE[0])),
        )
    bias = compute_part(BIAS, lacks_replies, lambda: compute_bias(table, scale))
    accuracy = compute_part(ACCURACY, lacks_chances, lambda: compute_accuracy(table))
    return Check(table.rows, read_replies(table), bias, accuracy, scale, people)


def list_missing(table: Table, needed: Sequence[str]) -> list[str]:
    """Return which of the columns that are needed a file lacks."""
    return [column for column in needed if column not in table.columns]


def compute_part(
    name: str, lacking: Sequence[str], compute: Callable[[], Mapping[str, Any]]
) -> Part:
    """Return the result of one module.

    Whatever goes wrong is said in plain words and is never a number.
    """
    if lacking:
        return Part(message=say("judge_check.needs", columns=join_names(lacking)))
    try:
        return Part(compute())
    except UserError as error:
        message = str(error)
    except (TypeError, ValueError) as error:
        message = say("failure.refused", message=failures.read_first_line(error))
    except Exception as error:  # whatever a module does: the other number goes on
        message = failures.describe_failure(Metric(name, "", ""), error).message
    return Part(message=message, failed=True)


def compute_bias(table: Table, scale: Range | None) -> Mapping[str, Any]:
    """Return what judge_bias says.

    Raises:
        UserError: a cell is none that the module takes.
    """
    module = modules.make_module(BIAS)
    categories = list(modules.find_code(module).MEASURES)
    result: Mapping[str, Any] = module.compute(
        predictions=read_texts("generated", read_replies(table)),
        references=read_scores(table, "anchor_score", scale),
        perturbation_categories=read_categories(table, categories),
        perturbation_types=read_types(table),
        score_range=scale,
        per_example=True,
    )
    return result


def compute_accuracy(table: Table) -> Mapping[str, Any]:
    """Return what reward_accuracy says.

    Raises:
        UserError: a cell is none that the module takes.
    """
    chosen, rejected = (read_numbers(table, name) for name in CHANCES)
    module = modules.make_module(ACCURACY, "logprobs")
    result: Mapping[str, Any] = module.compute(
        chosen=chosen,
        rejected=rejected,
        groups=read_types(table),
        signature=True,
    )
    return result


def read_texts(name: str, cells: Sequence[Any]) -> list[str]:
    """Return the texts of a column.

    Raises:
        UserError: a cell is no text, with its row.
    """
    for row, cell in enumerate(cells, 1):
        if not isinstance(cell, str):
            shown = say("page.cell_empty") if cell is None else format_cell(cell)
            raise UserError("table.cell_no_text", column=name, row=row, cell=shown)
    return list(cells)


def read_categories(table: Table, known: Sequence[str]) -> list[str]:
    """Return the categories of the rows.

    Args:
        table: the file.
        known: the categories that there are.

    Raises:
        UserError: a row has another one.
    """
    cells = read_texts(CATEGORY, table.columns[CATEGORY])
    wrong = [row for row, cell in enumerate(cells, 1) if cell not in known]
    if not wrong:
        return cells
    first = wrong[0]
    values = {
        "column": CATEGORY,
        "row": first,
        "cell": format_cell(cells[first - 1]),
        "known": join_names(known),
    }
    raise UserError(Note("judge_check.wrong_category", values | count_rows(wrong)))


def read_scores(table: Table, name: str, scale: Range | None) -> list[float]:
    """Return a column of scores.

    Raises:
        UserError: a cell is none, or lies outside the judge's scale, with its row.
    """
    scores = read_numbers(table, name)
    low, high = scale or (-LARGEST, LARGEST)
    for row, score in enumerate(scores, 1):
        if not low <= score <= high:
            raise UserError(
                "judge_check.outside_scale",
                column=name,
                row=row,
                score=score,
                low=low,
                high=high,
            )
    return scores


def read_replies(table: Table) -> list[Any]:
    """Return the judge's replies: for null and NaN the empty text, for a bare number its text."""
    replies = []
    for cell in table.columns.get("generated", []):
        replies.append("" if is_missing(cell) else read_cell(cell))
    return replies


def read_types(table: Table) -> list[str | None] | None:
    """Return the perturbation types, if there are any; a number as its text.

    Raises:
        UserError: a type is neither a text nor missing, with its row.
    """
    if TYPE not in table.columns:
        return None
    cells = [read_cell(cell) for cell in table.columns[TYPE]]
    texts = ["" if is_missing(cell) else cell for cell in cells]
    read_texts(TYPE, texts)
    return cells


def read_cell(cell: Any) -> Any:
    """Return a number of JSON or Parquet as its text.

    Any other cell as it is, and so what is no number (NaN).
    """
    if is_missing(cell) or isinstance(cell, bool):
        return cell
    return str(cell) if isinstance(cell, int | float) else cell


def read_numbers(table: Table, name: str) -> list[float]:
    """Return a column of numbers.

    Raises:
        UserError: a cell is none, with its row.
    """
    numbers = []
    for row, cell in enumerate(table.columns[name], 1):
        number = parse_number(cell)
        if number is None:
            raise UserError("page.cell_no_number", column=name, row=row, cell=show_cell(cell))
        numbers.append(number)
    return numbers


def show_cell(cell: Any) -> str:
    """Return a cell that is no number for a message."""
    text = "" if cell is None else str(cell)
    if not text.strip():
        return say("page.cell_empty")
    return f"“{text[:MAX_SHOWN]}”"


def score_range(low: str, high: str) -> Range | None:
    """Return the range of scores that the visitor gave.

    It is None if both fields are empty; UserError for no range.
    """
    if not low.strip() and not high.strip():
        return None
    bottom = parse_number(low)
    top = parse_number(high)
    if bottom is None or top is None or bottom >= top:
        raise UserError("judge_check.range_wrong")
    return bottom, top
