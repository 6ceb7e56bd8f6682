"""What a visitor chose for a file, as the page sends it, checked; and the rows as the metrics take them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from lens.page.files_held import Held, Sent
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME, Metric
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of
from lens.tables.roll import Roll, paired_rows
from lens.words import say

ROLES = tuple(one.name for one in fields(Roles))
WORDS = tuple(name for name, metric in BY_NAME.items() if metric.kind == "words")
MAX_CHOICE, MAX_SEPARATOR = 20_000, 20
# The example's group, and its second system.
EXAMPLE_GROUP, EXAMPLE_OTHER = "topic", "answer_b"


@dataclass(frozen=True)
class Choice:
    """The columns by role, the column of a second system (of the second file where there is one), the separator of
    references, the metrics.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    other: str = ""
    separator: str = ""
    metrics: Sequence[str] = WORDS


@dataclass
class Prepared:
    """One system's rows as the metrics take them, who is who among them, and which columns they are from."""

    items: list[Item]
    roll: Roll
    roles: Roles


def first_choice(sent: Sent) -> Choice:
    """What is chosen at first: the roles as guessed, the metrics of words and those whose model is at hand."""
    roles = guess(sent.names)
    other = ""
    if sent.made_up:
        roles, other = replace(roles, group=EXAMPLE_GROUP), EXAMPLE_OTHER
    metrics = [name for name, one in BY_NAME.items() if one.kind == "words" or at_hand(one)]
    return Choice({role: getattr(roles, role) for role in ROLES}, other, metrics=metrics)


def at_hand(metric: Metric) -> bool:
    """Whether a metric has a model that need not be fetched."""
    return metric.model is not None and pasted_answer.on_disk(metric.model.name())


def other_column(held: Held, choice: Choice) -> str:
    """The second file's column of answers: as chosen, or else as in the first file, or else as guessed."""
    if held.second is None:
        return choice.other
    names = held.second.names
    return next((name for name in (choice.other, choice.roles.get("prediction", "")) if name in names), "") or (
        guess(names).prediction
    )


def read_choice(held: Held, text: object) -> Choice:
    """What the page sends; BadTable where no page would send it. Columns come as their places among the names."""
    try:
        given = json.loads(text) if isinstance(text, str) and len(text) <= MAX_CHOICE else None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict) or not isinstance(given.get("roles"), dict):
        raise BadTable(say("ft_bad_call"))
    metrics, separator = given.get("metrics"), given.get("separator", "")
    if not isinstance(metrics, list) or not all(isinstance(one, str) and one in BY_NAME for one in metrics):
        raise BadTable(say("ft_bad_call"))
    if not isinstance(separator, str) or len(separator) > MAX_SEPARATOR:
        raise BadTable(say("ft_long_separator", limit=MAX_SEPARATOR))
    roles = {role: column(held.first.names, given["roles"].get(role, "")) for role in ROLES}
    other = column((held.second or held.first).names, given["roles"].get("other", ""))
    return Choice(roles, other, separator, tuple(name for name in BY_NAME if name in metrics))


def column(names: Sequence[str], place: object) -> str:
    """The column at a place, "" for none."""
    if place == "":
        return ""
    if not isinstance(place, str) or not place.isdecimal() or len(place) > 4 or int(place) >= len(names):
        raise BadTable(say("ft_bad_call"))
    return names[int(place)]


def prepare(held: Held, choice: Choice) -> tuple[Prepared, Prepared | None, list[int]]:
    """The rows of the file and, where two systems are compared, of the second, with the place of each row in it.
    BadTable where a column, a cell or a pair of rows does not fit.
    """
    if not choice.metrics:
        raise BadTable(say("ft_no_metric"))
    roles = chosen(held.first.names, choice.roles)
    first = rows_of(held.first, roles, choice.separator)
    if held.second is not None:
        second = rows_of(held.second, second_roles(held.second, roles, other_column(held, choice)), choice.separator)
        return first, second, paired_rows(first.roll, second.roll, bool(roles.id))
    if not choice.other:
        return first, None, []
    if choice.other in (roles.prediction, roles.reference, roles.question, roles.keywords):
        raise BadTable(say("f_two_roles", column=choice.other))
    second = rows_of(held.first, replace(roles, prediction=choice.other), choice.separator)
    return first, second, list(range(len(second.items)))


def second_roles(sent: Sent, roles: Roles, prediction: str) -> Roles:
    """The roles of the second file's columns: those of the first by name, where it has them, and else as guessed."""
    named = {role: name for role, name in roles.named().items() if name in sent.names}
    left_out = {role: "" for role in ("question", "keywords", "id") if not getattr(roles, role)}
    return chosen(sent.names, {**left_out, **named, "prediction": prediction, "group": ""})


def rows_of(sent: Sent, roles: Roles, separator: str) -> Prepared:
    """The rows of one file."""
    roll, items = Roll(column=roles.group), []
    for item in (item_of(row, roles, number, separator) for number, row in enumerate(dicts(sent, roles), 1)):
        roll.add(item)
        items.append(item)
    roll.checked(roles)
    return Prepared(items, roll, roles)


def dicts(sent: Sent, roles: Roles) -> Sequence[dict[str, Any]]:
    """The cells that have a role, row by row."""
    names = list(dict.fromkeys(roles.named().values()))
    columns = [sent.table.columns[name] for name in names]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]
