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
from lens.tables.cells import MAX_SHOWN_CHARACTERS, is_missing, parse_number
from lens.tables.roles import format_cell, join_names
from lens.tables.untrusted import Table
from lens.tables.verdict_words import JUDGE_VERDICT_NAMES, PERSON_VERDICT_NAMES
from lens.words import say
from lens.words.notes import Note, UserError

REPLY_COLUMNS = ("generated", "anchor_score", "perturbation_category")
LOGPROB_COLUMNS = ("chosen_logprob", "rejected_logprob")
TYPE = "perturbation_type"
CATEGORY = "perturbation_category"
# The largest score that judge_bias accepts.
MAX_SCORE = 1e100

# The lowest and the highest score of a judge's scale.
Range = tuple[float, float]


@dataclass(frozen=True)
class ModuleResult:
    """The result of one module for a file, or a message if there is none.

    Attributes:
        result: what the module's `compute` returned.
        message: why there is no result.
        is_failed: whether the module has failed; if not, the file lacks its columns.
    """

    result: Mapping[str, Any] | None = None
    message: str = ""
    is_failed: bool = False


@dataclass(frozen=True)
class JudgeCheck:
    """The results of a judge check.

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
    bias: ModuleResult
    accuracy: ModuleResult
    scale: Range | None = None
    people: PeopleComparison | None = None


def compute_check(table: Table, scale: Range | None) -> JudgeCheck:
    """Compute all numbers for which a file has the columns, and compare its verdicts.

    Raises:
        UserError: the file has neither the columns of a module nor verdicts.
    """
    missing_reply_columns = list_missing_columns(table, REPLY_COLUMNS)
    missing_logprob_columns = list_missing_columns(table, LOGPROB_COLUMNS)
    people = compare_with_people(table)
    if missing_reply_columns and missing_logprob_columns and not people:
        raise UserError(
            "judge_check.columns_wrong",
            found=join_names(table.names),
            replies=join_names(REPLY_COLUMNS),
            chances=join_names(LOGPROB_COLUMNS),
            verdicts=join_names((JUDGE_VERDICT_NAMES[0], PERSON_VERDICT_NAMES[0])),
        )
    bias = run_module(BIAS, missing_reply_columns, lambda: compute_bias(table, scale))
    accuracy = run_module(ACCURACY, missing_logprob_columns, lambda: compute_accuracy(table))
    return JudgeCheck(table.rows, read_replies(table), bias, accuracy, scale, people)


def list_missing_columns(table: Table, needed: Sequence[str]) -> list[str]:
    """Return the needed columns that a file does not have."""
    return [column for column in needed if column not in table.columns]


def run_module(
    name: str, missing_columns: Sequence[str], compute: Callable[[], Mapping[str, Any]]
) -> ModuleResult:
    """Return the result of one module; every error becomes a message, and never a number."""
    if missing_columns:
        return ModuleResult(message=say("judge_check.needs", columns=join_names(missing_columns)))
    try:
        return ModuleResult(compute())
    except UserError as error:
        message = str(error)
    except (TypeError, ValueError) as error:
        message = say("failure.refused", message=failures.read_first_line(error))
    # A module may raise any error; the other module is still run.
    except Exception as error:
        message = failures.describe_failure(Metric(name, "", ""), error).message
    return ModuleResult(message=message, is_failed=True)


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
    chosen, rejected = (read_numbers(table, name) for name in LOGPROB_COLUMNS)
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
    """Return a column of scores, which are on the judge's scale if it is known.

    Raises:
        UserError: a cell is not a number, or is outside the judge's scale; the message has its row.
    """
    scores = read_numbers(table, name)
    low, high = scale or (-MAX_SCORE, MAX_SCORE)
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
    return f"“{text[:MAX_SHOWN_CHARACTERS]}”"


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
