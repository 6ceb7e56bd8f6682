"""Which column of a table is what, guessed by its name, and a row as the metrics take it.

No text is altered: a cell that is no text where one belongs is refused with its row, and a list of references stays
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from lens.tables.cells import MAX_SHOWN, cut, missing
from lens.words import say

# The usual names of each column, the most telling first. "answer" is the reference of a dataset, unless it has another;
# then it is what the model answered.
USUAL = {
    "reference": (
        "reference", "references", "ground_truth", "target", "gold_answer", "golden_answer", "gold", "expected",
        "answers", "answer",
    ),
    "prediction": (
        "prediction", "predictions", "pred", "response", "model_answer", "model_output", "llm_output", "output",
        "generated", "completion", "answer",
    ),
    "question": ("question", "query", "user_query", "input", "prompt", "instruction"),
    "keywords": ("answer_keywords", "gold_ans", "keywords"),
    "id": ("id", "_id", "qid", "question_id", "example_id", "uid", "idx", "index"),
}  # fmt: skip
KNOWN = frozenset(name for names in USUAL.values() for name in names)
# What a name may have at its end, as in "Gold Answer(s)" and "LLM Output (v2)".
ADDED = re.compile(r"\s*\((s|v\d+)\)$")


class BadTable(Exception):
    """A table that cannot be scored, in words for its user."""


@dataclass(frozen=True)
class Roles:
    """The name of the column of each role; empty where the table has none."""

    prediction: str = ""
    reference: str = ""
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""

    def named(self) -> dict[str, str]:
        """The roles that have a column."""
        return {field.name: name for field in fields(self) if (name := getattr(self, field.name))}


@dataclass(frozen=True, slots=True)
class Item:
    """One row as the metrics take it. `lacks` says why it is not scored: "no_answer" or "no_reference"."""

    prediction: str
    reference: str | list[str]
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""
    lacks: str = ""


def usual(name: str) -> str:
    """A column's name as the table of usual names has it.

    >>> usual(" Model Answer"), usual("model-answer"), usual("LLM Output (v2)")
    ('model_answer', 'model_answer', 'llm_output')
    """
    return ADDED.sub("", name.strip().casefold()).replace(" ", "_").replace("-", "_")


def guess(names: Sequence[str]) -> Roles:
    """The roles of columns by their usual names; no column has two. A group is never guessed.

    >>> guess(["Question", "Answer", "response"])
    Roles(prediction='response', reference='Answer', question='Question', keywords='', group='', id='')
    >>> guess(["question", "reference", "answer"]).prediction
    'answer'
    """
    found: dict[str, str] = {}
    for role, candidates in USUAL.items():
        free = [name for name in names if name not in found.values()]
        found[role] = next((name for one in candidates for name in free if usual(name) == one), "")
    return Roles(**found)


def chosen(names: Sequence[str], given: Mapping[str, str | None]) -> Roles:
    """The roles as guessed, but for those that are given; "" takes a role away. A column that is not there, a role that
    is needed and has none, one column for two roles: BadTable.
    """
    roles = replace(guess(names), **{role: name for role, name in given.items() if name is not None})
    claimed = {name for role, name in given.items() if name}
    guessed = {role: name for role, name in roles.named().items() if not given.get(role)}
    roles = replace(roles, **{role: "" for role, name in guessed.items() if name in claimed})
    for role, name in roles.named().items():
        if name not in names:
            raise BadTable(say("f_no_column", column=name, found=listing(names), role=say(f"f_role_{role}")))
    for role in ("prediction", "reference"):
        if not getattr(roles, role):
            raise BadTable(
                say("f_no_role", role=say(f"f_role_{role}"), found=listing(names), usual=listing(USUAL[role]))
            )
    texts = [roles.prediction, roles.reference, roles.question, roles.keywords]
    doubled = next((name for name in texts if name and texts.count(name) > 1), None)
    if doubled is not None:
        raise BadTable(say("f_two_roles", column=doubled))
    return roles


def listing(names: Iterable[str], most: int = 30) -> str:
    """Names in a row, not all of them where there are many."""
    names = list(names)
    shown = ", ".join(f"“{name[:MAX_SHOWN]}”" for name in names[:most])
    return shown + (say("and_more", count=len(names) - most) if len(names) > most else "") or "–"


def shown(cell: Any) -> str:
    """A cell for a message."""
    if missing(cell):
        return say("f_cell_null")
    return cut(f"{cell!r} ({type(cell).__name__})")


def item_of(row: Mapping[str, Any], roles: Roles, number: int, separator: str = "") -> Item:
    """A row as the metrics take it; `number`, counted from 1, is for messages. `separator` stands between several
    references in one text.

    A row without an answer or a reference (null, which an empty text is not) is no mistake, but it is not scored.
    """
    no_answer, no_reference = missing(row.get(roles.prediction)), missing(row.get(roles.reference))
    return Item(
        lacks="no_reference" if no_reference else "no_answer" if no_answer else "",
        prediction="" if no_answer else text_of(row, roles.prediction, number),
        reference="" if no_reference else reference_of(row, roles.reference, number, separator),
        question="" if missing(row.get(roles.question)) else text_of(row, roles.question, number),
        keywords=keywords_of(row, roles.keywords, number) if roles.keywords else "",
        group=label_of(row.get(roles.group)) if roles.group else "",
        id=label_of(row.get(roles.id)) if roles.id else "",
    )


def text_of(row: Mapping[str, Any], column: str, number: int) -> str:
    """A cell that must be a text."""
    cell = row.get(column)
    if not isinstance(cell, str):
        raise BadTable(say("f_cell_no_text", column=column, row=number, cell=shown(cell)))
    return cell


def reference_of(row: Mapping[str, Any], column: str, number: int, separator: str) -> str | list[str]:
    """One reference, or a list of them."""
    cell = row.get(column)
    if isinstance(cell, str):
        several = [part.strip() for part in cell.split(separator)] if separator else []
        return [part for part in several if part] or [cell] if len(several) > 1 else cell
    if not isinstance(cell, list) or not cell:
        raise BadTable(say("f_cell_no_reference", column=column, row=number, cell=shown(cell)))
    for place, one in enumerate(cell, 1):
        if not isinstance(one, str):
            raise BadTable(say("f_cell_no_reference_in", column=column, row=number, place=place, cell=shown(one)))
    return cell


def keywords_of(row: Mapping[str, Any], column: str, number: int) -> str:
    """The keywords: a text, nothing, or a list of texts."""
    cell = row.get(column)
    if missing(cell):
        return ""
    if isinstance(cell, list) and all(isinstance(one, str) for one in cell):
        return " ".join(cell)
    return text_of(row, column, number)


def label_of(cell: Any) -> str:
    """A group or an id as a text."""
    return "" if missing(cell) else cell if isinstance(cell, str) else str(cell)
