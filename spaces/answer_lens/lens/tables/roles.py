"""The roles of a table's columns, guessed by their names or chosen by the user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NoReturn

from lens.tables.answer_texts import REASONING as REASONING
from lens.tables.cells import Nested, cut_cell, is_missing
from lens.tables.column_names import (
    MAX_USUAL_NAMES,
    format_options,
    guess_columns,
    is_judge_column,
    suggest_name,
)
from lens.tables.column_names import USUAL_NAMES as USUAL_NAMES
from lens.tables.column_names import is_verdict_column as is_verdict_column
from lens.tables.column_names import normalize_name as normalize_name
from lens.tables.final_answer import Tags
from lens.tables.verdict_words import parse_verdict
from lens.words import say
from lens.words.notes import Note, UserError, join_notes
from lens.words.printed import shorten_name

# The kinds of rows that are scored although a cell is missing (null, NaN) or blank. With "abstain",
# an empty reference means that the question has no answer (SQuAD 2). Then an empty answer is right,
# and any other answer is wrong.
ABSTAIN = "abstain"
SCORED_EMPTY = {
    "answers": ("no_answer", "no_final_answer"),
    "all": ("no_answer", "no_final_answer", "no_reference"),
    "none": (),
    ABSTAIN: ("no_answer", "no_final_answer", "no_reference"),
}
# How several references are used: "any" takes the best score, and "all" the mean of the scores.
REFERENCE_USES = ("any", "all")
# The roles for whose columns the page and the command have a field or an option.
COLUMN_ROLES = (
    "prediction",
    "reference",
    "question",
    "keywords",
    "group",
    "id",
    "system",
    "cluster",
    "verdict",
)
# The roles that several columns may have. Each of several columns of answers has its own column of
# verdicts.
MULTI_COLUMN_ROLES = ("prediction", "reference", "verdict", "judges")


class NothingToScore(UserError):
    """Raised if a table has nothing to score; other systems are still scored."""


class MissingRole(UserError):
    """Raised if a table has no column for a role that is needed.

    Attributes:
        options: the command's options that choose the columns, with COLUMN for an unknown one.
    """

    def __init__(self, role: str, roles: Roles, names: Sequence[str]) -> None:
        values = {
            "role": Note(f"role.{role}"),
            "found": join_names(names),
            "usual": join_names(USUAL_NAMES[role], MAX_USUAL_NAMES),
        }
        hint = Note("references_file.file_hint") if role == "reference" else ""
        super().__init__(join_notes(Note("table.no_role", values), hint))
        columns = {
            "reference": roles.reference or "COLUMN",
            "prediction": roles.prediction or "COLUMN",
        }
        self.options = format_options(columns)


@dataclass(frozen=True)
class ReadingOptions:
    """How the cells of a table are read.

    Attributes:
        separator: the text between several references in one cell ("json": the cell is a list).
        references: whether any reference is enough, or all are needed; one of REFERENCE_USES.
        empty: which rows with an empty cell are scored; a key of SCORED_EMPTY.
        reasoning: whether thinking is set aside; one of REASONING.
        reasoning_tags: pairs of texts that open and close thinking, besides the known ones.
        final: the mark of final answers: BOXED, or the words before one; empty for whole answers.
    """

    separator: str = ""
    references: str = REFERENCE_USES[0]
    empty: str = "answers"
    reasoning: str = REASONING[0]
    reasoning_tags: Tags = ()
    final: str = ""


CELL_OPTIONS = tuple(field.name for field in fields(ReadingOptions))


@dataclass(frozen=True)
class Roles:
    """The column of each role (empty if there is none), and how cells are read.

    Attributes:
        prediction: the answers.
        reference: the right answers.
        question: the questions.
        keywords: the answer keywords.
        group: the groups by which results are shown.
        id: the ids that match the answers of several systems.
        system: the system that gave each answer.
        cluster: the clusters of dependent rows.
        verdict: a person's verdicts.
        stand_in: scores or verdicts that stand in for a person's.
        judges: the columns with verdicts of judges.
        more_references: further columns of right answers.
        reading: how cells are read.
    """

    prediction: str = ""
    reference: str = ""
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""
    system: str = ""
    cluster: str = ""
    verdict: str = ""
    stand_in: str = ""
    judges: tuple[str, ...] = ()
    more_references: tuple[str, ...] = ()
    reading: ReadingOptions = ReadingOptions()

    def single_columns(self) -> dict[str, str]:
        """Return the column of each role that has a single column."""
        columns = {}
        for role in (*COLUMN_ROLES, "stand_in"):
            name = getattr(self, role)
            if name:
                columns[role] = name
        return columns

    def all_columns(self) -> list[tuple[str, str]]:
        """Return pairs of a role and a column, for every column that has a role."""
        columns = list(self.single_columns().items())
        columns += [("reference", name) for name in self.more_references]
        columns += [("judges", name) for name in self.judges]
        return columns

    def columns(self) -> list[str]:
        """Return the columns that have a role, without duplicates."""
        names = [name for _, name in self.all_columns()]
        return list(dict.fromkeys(names))


def guess_roles(names: Sequence[str], unfit: Collection[str] = ()) -> Roles:
    """Return the roles of columns by their usual names.

    A column in `unfit` has a cell that is no verdict, so it is not taken for verdicts.

    >>> guess_roles(["Question", "Answer", "response"]).single_columns()
    {'prediction': 'response', 'reference': 'Answer', 'question': 'Question'}
    >>> guess_roles(["Questions", "ground truths [human]", "Answer (GPT)"]).single_columns()
    {'prediction': 'Answer (GPT)', 'reference': 'ground truths [human]', 'question': 'Questions'}
    >>> guess_roles(["human", "LLM judge", "is_correct"], unfit=["is_correct"]).judges
    ('LLM judge',)
    """
    columns: dict[str, Any] = guess_columns(names, unfit)
    taken = {*unfit, *columns.values()}
    judges = [name for name in names if is_judge_column(name) and name not in taken]
    return Roles(**columns, judges=tuple(judges))


def note_wrong_verdicts(
    rows: Iterable[Mapping[str, Any]], messages: dict[str, str]
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows, and note columns that are named like verdicts but have another cell.

    Args:
        rows: the rows of a table.
        messages: a message on the first such cell is added, by the name of its column.
    """
    are_verdicts: dict[str, bool] = {}
    for number, row in enumerate(rows, 1):
        for name, cell in row.items():
            if name not in are_verdicts:
                are_verdicts[name] = is_verdict_column(name)
            if are_verdicts[name] and name not in messages and parse_verdict(cell) is None:
                values = {"column": shorten_name(name), "row": number, "cell": format_cell(cell)}
                messages[name] = say("verdicts.not_taken", **values)
        yield row


def choose_roles(
    names: Sequence[str], choices: Mapping[str, Any], unfit: Collection[str] = ()
) -> Roles:
    """Return the guessed roles, changed by the user's choices; "" removes a role.

    Args:
        names: the columns.
        choices: the chosen columns by role (for the reference one or several), and the options of
            reading cells by the names in CELL_OPTIONS.
        unfit: columns that are not guessed to be verdicts.

    Raises:
        UserError: a column does not exist, a needed role has no column, a column has two roles, or
            a judge's verdicts were chosen as a person's.
    """
    chosen = {role: name for role, name in choices.items() if name is not None}
    chosen |= split_reference_columns(choices.get("reference"))
    options = {name: chosen.pop(name) for name in CELL_OPTIONS if name in chosen}

    taken = [chosen.get(role) for role in COLUMN_ROLES]
    taken += chosen.get("judges", ())
    taken += chosen.get("more_references", ())
    free = [name for name in names if name not in taken]
    roles = replace(guess_roles(free, unfit), **chosen)
    judges = tuple(name for name in roles.judges if name)
    roles = replace(roles, judges=judges, reading=ReadingOptions(**options))
    check_roles(roles, names)
    return roles


def split_reference_columns(columns: str | Sequence[str] | None) -> dict[str, Any]:
    """Split the columns chosen for the reference into the first one and the others."""
    if columns is None:
        return {}
    if isinstance(columns, str):
        return {"reference": columns}
    first, *further = list(dict.fromkeys(columns)) or [""]
    return {"reference": first, "more_references": tuple(name for name in further if name)}


def check_roles(roles: Roles, names: Sequence[str]) -> None:
    """Raise UserError if roles do not fit a table with these columns."""
    for role, name in roles.all_columns():
        if name not in names:
            refuse_column(role, name, names)
    for role in ("prediction", "reference"):
        if not getattr(roles, role):
            raise MissingRole(role, roles, names)
    refuse_two_roles(roles)
    if roles.verdict and (is_judge_column(roles.verdict) or roles.verdict in roles.judges):
        raise UserError("verdicts.is_judge", column=shorten_name(roles.verdict))


def refuse_column(role: str, name: str, names: Sequence[str]) -> NoReturn:
    """Raise UserError for a column that does not exist, with a similar name, if any."""
    values = {
        "column": shorten_name(name),
        "found": join_names(names),
        "role": Note(f"role.{role}"),
    }
    raise UserError(join_notes(Note("table.no_column", values), suggest_name(name, names)))


def refuse_two_roles(roles: Roles) -> None:
    """Raise UserError if a column has two of the roles answer, reference, question and keywords."""
    columns = [
        roles.prediction,
        roles.reference,
        roles.question,
        roles.keywords,
        *roles.more_references,
    ]
    counts = Counter(filter(None, columns))
    for name, count in counts.items():
        if count > 1:
            raise UserError("table.two_roles", column=shorten_name(name))


def split_by_answer_column(table_choices: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the user's choices for each column of answers in a table.

    Columns of verdicts, of a person or a judge, belong to the columns of answers in their order.

    Raises:
        UserError: there are not as many columns of verdicts as of answers.
    """
    answers = table_choices["prediction"] or ()
    if len(answers) < 2:
        return [choose_single_answer(table_choices)]
    choices_by_answer = []
    for name in answers:
        choices = {**table_choices, "prediction": name, "verdict": "", "judges": ()}
        choices_by_answer.append(choices)
    for role in ("verdict", "judges", "stand_in"):
        columns = list_columns(table_choices.get(role))
        if columns and len(columns) != len(answers):
            raise UserError(
                "verdicts.each_answer",
                role=Note(f"role.{role}"),
                columns=len(columns),
                answers=len(answers),
            )
        # Without chosen columns, there is nothing to pair.
        for choices, name in zip(choices_by_answer, columns, strict=False):
            choices[role] = (name,) if role == "judges" else name
    return choices_by_answer


def choose_single_answer(table_choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user's choices for a table with one chosen column of answers, or none.

    Raises:
        UserError: several columns of verdicts are chosen.
    """
    verdicts = table_choices.get("verdict") or ()
    if len(verdicts) > 1:
        raise UserError("verdicts.several", columns=join_names(verdicts))
    choices = dict(table_choices)
    for role in ("prediction", "verdict"):
        columns = table_choices.get(role)
        choices[role] = columns[0] if columns else columns
    return choices


def list_columns(columns: str | Sequence[str] | None) -> list[str]:
    """Return the columns chosen for a role as a list, which is empty if none is chosen."""
    if isinstance(columns, str):
        columns = [columns]
    return [name for name in columns or () if name]


def join_names(names: Iterable[str], limit: int = 30) -> str:
    """Join names with commas for a message; at most `limit` are listed."""
    names = list(names)
    quoted = [f"“{shorten_name(name)}”" for name in names[:limit]]
    text = say("page.list_comma").join(quoted)
    if len(names) > limit:
        text += say("page.and_more", count=len(names) - limit)
    return text or "–"


def format_cell(cell: Any) -> str:
    """Return a cell with its type, for a message."""
    if is_missing(cell):
        return say("table.cell_null")
    type_name = type(cell).__name__
    if isinstance(cell, Nested):
        type_name = "list" if cell.text.startswith("[") else "dict"
    return cut_cell(f"{cell!r} ({type_name})")
