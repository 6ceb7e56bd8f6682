"""Computes the numbers of the judge check with judge_bias and reward_accuracy.

Rows are counted from 1; the header of a CSV file and empty lines are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens.experiment.table_notes import count_rows
from lens.judge_check.people_comparison import PeopleComparison, compare_with_people
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
# The largest score that the module accepts.
LARGEST = 1e100

Range = tuple[float, float]


@dataclass(frozen=True)
class Part:
    """The result of one module for the file, or a message if there is none."""

    result: Mapping[str, Any] | None = None
    message: str = ""
    failed: bool = False


@dataclass(frozen=True)
class Check:
    """The results of all parts of the judge check.

    Attributes:
        rows: the number of rows in the file.
        replies: the replies of the judge.
        bias: the result of judge_bias.
        accuracy: the result of reward_accuracy.
        scale: the range of scores that the visitor gave; None for no range.
        people: the comparison with people; None if there are no verdicts.
    """

    rows: int
    replies: Sequence[Any]
    bias: Part
    accuracy: Part
    scale: Range | None = None
    people: PeopleComparison | None = None


def check(table: Table, scale: Range | None) -> Check:
    """Compute all numbers that are possible for a file.

    Raises:
        UserError: the file has the columns of no part.
    """
    lacks_replies = list_missing_columns(table, REPLIES)
    lacks_chances = list_missing_columns(table, CHANCES)
    people = compare_with_people(table)
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


def list_missing_columns(table: Table, needed: Sequence[str]) -> list[str]:
    """Return the needed columns that a file does not have."""
    return [column for column in needed if column not in table.columns]


def compute_part(
    name: str, lacking: Sequence[str], compute: Callable[[], Mapping[str, Any]]
) -> Part:
    """Return the result of one module; every error becomes a message, and never a number."""
    if lacking:
        return Part(message=say("judge_check.needs", columns=join_names(lacking)))
    try:
        return Part(compute())
    except UserError as error:
        message = str(error)
    except (TypeError, ValueError) as error:
        message = say("failure.refused", message=failures.read_first_line(error))
    except Exception as error:  # a module may raise any error; the other number is still computed
        message = failures.describe_failure(Metric(name, "", ""), error).message
    return Part(message=message, failed=True)


def compute_bias(table: Table, scale: Range | None) -> Mapping[str, Any]:
    """Return the result of judge_bias.

    Raises:
        UserError: the module does not accept a cell.
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
    """Return the result of reward_accuracy.

    Raises:
        UserError: the module does not accept a cell.
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
        UserError: a cell is not a text; the message has its row.
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
        known: the valid categories.

    Raises:
        UserError: a row has another category.
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
        UserError: a cell is not a number, or is outside the judge's scale; the message has its row.
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
    """Return the judge's replies; null and NaN become empty texts, and numbers become texts."""
    replies = []
    for cell in table.columns.get("generated", []):
        replies.append("" if is_missing(cell) else read_cell(cell))
    return replies


def read_types(table: Table) -> list[str | None] | None:
    """Return the perturbation types; None if there is no such column.

    Numbers become texts.

    Raises:
        UserError: a type is neither a text nor missing; the message has its row.
    """
    if TYPE not in table.columns:
        return None
    cells = [read_cell(cell) for cell in table.columns[TYPE]]
    texts = ["" if is_missing(cell) else cell for cell in cells]
    read_texts(TYPE, texts)
    return cells


def read_cell(cell: Any) -> Any:
    """Return a number as a text; any other cell, such as NaN or a boolean, is unchanged."""
    if is_missing(cell) or isinstance(cell, bool):
        return cell
    return str(cell) if isinstance(cell, int | float) else cell


def read_numbers(table: Table, name: str) -> list[float]:
    """Return a column of numbers.

    Raises:
        UserError: a cell is not a number; the message has its row.
    """
    numbers = []
    for row, cell in enumerate(table.columns[name], 1):
        number = parse_number(cell)
        if number is None:
            raise UserError("page.cell_no_number", column=name, row=row, cell=show_cell(cell))
        numbers.append(number)
    return numbers


def show_cell(cell: Any) -> str:
    """Return a cell that is not a number, for a message."""
    text = "" if cell is None else str(cell)
    if not text.strip():
        return say("page.cell_empty")
    return f"“{text[:MAX_SHOWN]}”"


def parse_score_range(low: str, high: str) -> Range | None:
    """Parse the range of scores that the visitor typed; None if both fields are empty.

    Raises:
        UserError: the fields are not a range.
    """
    if not low.strip() and not high.strip():
        return None
    bottom = parse_number(low)
    top = parse_number(high)
    if bottom is None or top is None or bottom >= top:
        raise UserError("judge_check.range_wrong")
    return bottom, top
