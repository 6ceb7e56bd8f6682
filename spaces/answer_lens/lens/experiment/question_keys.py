"""Chooses the columns that are equal in all answers to one question, and numbers the questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.experiment.index import NO_TEXT
from lens.words.notes import UserError
from lens.words.printed import shorten_name

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    Array = NDArray[Any]

# The number in place of a system's if an answer has no system, and in place of a question's if not
# all systems answer it.
UNMATCHED = -1
# The columns that identify a row, which may have several answers.
ROW_KEYS = ["system", "row"]


def select_system(answers: DataFrame, number: int) -> DataFrame:
    """Return the answers of the system with this number."""
    return answers[answers["system"] == number]


def list_rows(answers: DataFrame) -> list[int]:
    """Return the rows of answers in their tables, counted from 1."""
    numbers = answers["row"] + 1
    rows: list[int] = numbers.tolist()
    return rows


@dataclass(frozen=True)
class MatchKeys:
    """The columns that are equal in all answers to one question.

    Attributes:
        kind: what matches the answers besides their references: "ids", "questions" (their texts, or
            nothing if references suffice) or "order".
        columns: the names of the columns.
    """

    kind: str
    columns: list[str]


def choose_keys(answers: DataFrame, has_questions: bool, names: Sequence[str]) -> MatchKeys:
    """Return the columns by which answers are matched.

    If rows can only be matched by their order, the column "turn" is added to `answers`: the number
    of the row among those of its system.

    Args:
        answers: the answers of all systems.
        has_questions: whether all tables have the texts of questions.
        names: the names of the systems.

    Raises:
        UserError: rows can only be matched by their order, and do not have the same order.
    """
    texts = ["references"]
    if has_questions:
        texts.append("text")
    has_id = answers["id"] != NO_TEXT
    if has_id.all():
        return MatchKeys("ids", ["id", *texts])
    if has_questions:
        return MatchKeys("questions", texts)
    rows = answers.drop_duplicates(ROW_KEYS)
    is_repeated = rows.duplicated(["system", "references"])
    if not is_repeated.any():
        return MatchKeys("questions", texts)
    rows_of_system = rows.groupby("system")
    rows = rows.assign(turn=rows_of_system.cumcount())
    check_order(rows, names)
    # All answers in a row have the row's turn.
    turns = rows.set_index(ROW_KEYS)["turn"]
    rows_of_answers = answers.set_index(ROW_KEYS).index
    answers["turn"] = rows_of_answers.map(turns)
    return MatchKeys("order", ["turn", *texts])


def check_order(rows: DataFrame, names: Sequence[str]) -> None:
    """Raise UserError if the systems' rows are not about the same questions in the same order."""
    first = select_system(rows, 0)
    first_name = shorten_name(names[0])
    first_length = len(first)
    first_references = first["references"].to_numpy()
    for number, name in enumerate(names):
        second = select_system(rows, number)
        second_length = len(second)
        pair = {"name": first_name, "other": shorten_name(name)}
        if second_length != first_length:
            lengths = {"first": first_length, "second": second_length}
            raise UserError("systems.pair_lengths", **pair, **lengths)
        second_references = second["references"].to_numpy()
        differs = first_references != second_references
        if differs.any():
            turn = int(differs.argmax())
            first_row = list_rows(first)[turn]
            second_row = list_rows(second)[turn]
            raise UserError("systems.pair_differs", **pair, row=first_row, place=second_row)


def number_questions(answers: DataFrame, keys: Sequence[str], systems: int) -> Array:
    """Return the number of each answer's question, in the order of the first system.

    It is UNMATCHED if not all systems answer the question.

    Args:
        answers: the answers of all systems.
        keys: the columns that are equal in all answers to one question.
        systems: the number of systems.
    """
    import pandas

    answers_of_key = answers.groupby(list(keys), sort=False)
    key = answers_of_key.ngroup()
    system = answers["system"]
    systems_of_key = system.groupby(key).nunique()
    is_answered_by_all = systems_of_key == systems
    shared_keys = systems_of_key.index[is_answered_by_all]

    keys_of_first = key[system == 0]
    is_shared = keys_of_first.isin(shared_keys)
    in_order = keys_of_first[is_shared].unique()
    questions = pandas.Index(in_order)
    # pandas gives a key that is not in the index the number -1, which is UNMATCHED.
    numbers: Array = questions.get_indexer(key)
    return numbers
