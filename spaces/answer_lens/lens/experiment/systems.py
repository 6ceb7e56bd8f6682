"""Which systems an experiment has, and which of their answers are to the same question.

A system is a file of answers, a column of them, or the rows of one table that name it. Questions are matched by their
ids where every answer has one, else by their texts and references, else by their order. Several answers of one system
to one question are its repeats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.experiment.index import AnswerIndex
from lens.tables.roles import listing
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import names_of, short

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Cluster = Sequence[int] | Array | None
    # What is the same of two answers to one question.
    Key = tuple[Any, ...]

MAX_SYSTEMS = 50
# What is to be told: a text, or the key of one and its values.
Saying = str | tuple[str, dict[str, Any]]


@dataclass(frozen=True, eq=False)
class System:
    """One system: the place of the table that has its answers, their rows there, and the question of each of them, in
    the order of the questions; `named`: what stands for it in a column of the table, where it is not all of that.
    """

    name: str
    table: int
    rows: Array
    question: Array
    named: str = ""

    @cached_property
    def single(self) -> bool:
        """Whether it answers each question once."""
        return len(self.question) == len({*self.question.tolist()})

    def answers_to(self, question: int) -> list[int]:
        """The rows of its answers to a question."""
        first, last = self.question.searchsorted([question, question + 1])
        return list(self.rows[first:last].tolist())


@dataclass(frozen=True, eq=False)
class Experiment:
    """Some systems, how many questions all of them answer, which of these go together, and what is to be told of it."""

    systems: Sequence[System]
    questions: int
    cluster: Cluster = None
    sayings: Sequence[Saying] = ()

    @property
    def told(self) -> list[str]:
        """What is to be told of it, in the language that is spoken."""
        return [one if isinstance(one, str) else say(one[0], **one[1]) for one in self.sayings]

    @cached_property
    def names(self) -> list[str]:
        """What the systems are called."""
        return [one.name for one in self.systems]


@dataclass
class Part:
    """The rows of a table that are one system's, and what each asks."""

    name: str
    table: int
    rows: list[int]
    roll: AnswerIndex
    named: str = ""
    keys: list[Key] = field(default_factory=list)

    @property
    def in_table(self) -> Array:
        """The row of its table of each of them, which several share where a cell has a list of answers."""
        return self.roll.row_of[self.rows]


def experiment_of(
    rolls: Sequence[AnswerIndex], names: Sequence[str], sure: bool = False, told: Sequence[Saying] = ()
) -> Experiment:
    """The systems of some tables, whose `names` are those of the systems, unless a column has these; `told` is to be
    told of them besides. Unless one is `sure` of the column, it is not taken for that of the systems where half of the
    questions or more would be left out.

    UserError where there are too many, or no question is answered by all of them.
    """
    try:
        found = matched(rolls, names)
        if any(rolls[0].systems) and not sure:
            refuse_few(found, rolls[0])
    except UserError as error:
        if sure or not rolls[0].systems:
            raise
        told = [*told, ("f_no_systems", {"column": short(rolls[0].named_systems), "why": error})]
        rolls[0].systems = []
        found = matched(rolls, names)
    return replace(found, sayings=[*told, *found.sayings])


def refuse_few(found: Experiment, roll: AnswerIndex) -> None:
    """UserError where the systems of a table have less than half of its answers in common."""
    kept = sum(len(one.rows) for one in found.systems)
    if 2 * kept < len(roll):
        raise UserError("f_few_common", kept=kept, rows=len(roll))


def matched(rolls: Sequence[AnswerIndex], names: Sequence[str]) -> Experiment:
    """The systems, with what each answers."""
    import numpy as np

    parts = list(parts_of(rolls, names))
    if len(parts) > MAX_SYSTEMS:
        raise UserError("f_many_systems", count=len(parts), limit=MAX_SYSTEMS)
    if len(parts) == 1 and len(parts[0].rows) == len(rolls[0]):
        return alone(rolls[0], names[0])
    way = keyed(parts)
    common = set.intersection(*({*part.keys} for part in parts))
    if not common:
        raise UserError(f"f_nothing_common_{way}", names=listing([part.name for part in parts], 5))
    number = {key: at for at, key in enumerate(dict.fromkeys(key for key in parts[0].keys if key in common))}
    told = list[Saying]()
    if len(parts) > 1:
        told.append((f"f_matched_{way}", {"systems": len(parts), "questions": len(number)}))
    nobody = [
        roll.row_of[at] + 1 for roll in rolls for at, one in enumerate(roll.system_of) if any(roll.systems) and not one
    ]
    told += [("f_no_system", numbered(nobody))] if nobody else []
    systems = []
    for part in parts:
        found = sorted((number[key], row) for key, row in zip(part.keys, part.rows, strict=True) if key in number)
        left = [part.roll.row_of[row] + 1 for key, row in zip(part.keys, part.rows, strict=True) if key not in number]
        if left:
            told.append(("f_alone", {"name": short(part.name), **numbered(left)}))
        question, rows_there = np.array(found).T
        systems.append(System(part.name, part.table, rows_there, question, part.named))
        if not systems[-1].single:
            told.append(repeats_of(systems[-1], len(number)))
    return Experiment(systems, len(number), cluster_of(rolls[parts[0].table], systems[0]), told)


def alone(roll: AnswerIndex, name: str) -> Experiment:
    """The only system, each row of whose table is a question."""
    import numpy as np

    found = System(name, 0, np.arange(len(roll)), roll.row_of)
    if found.single:
        return Experiment([found], len(roll), roll.cluster)
    firsts = np.unique(roll.row_of, return_index=True)[1]
    cluster = None if roll.cluster is None else np.asarray(roll.cluster)[firsts]
    return Experiment([found], len(firsts), cluster, [repeats_of(found, len(firsts))])


def repeats_of(system: System, questions: int) -> Saying:
    """That a system has several answers to a question."""
    return "f_repeats", {"name": short(system.name), "answers": len(system.rows), "questions": questions}


def parts_of(rolls: Sequence[AnswerIndex], names: Sequence[str]) -> Iterator[Part]:
    """Yield the rows of each system; those of a table that names none in its column are left out."""
    for table, (roll, name) in enumerate(zip(rolls, names, strict=True)):
        if not any(roll.systems):
            yield Part(name, table, list(range(len(roll))), roll)
            continue
        found: dict[str, list[int]] = {one: [] for one in roll.systems if one}
        for row, system in enumerate(roll.system_of):
            if system:
                found[system].append(row)
        for shown, (system, rows) in zip(names_of(found, files=False), found.items(), strict=True):
            yield Part(shown, table, rows, roll, system)


def numbered(rows: Sequence[int]) -> dict[str, Any]:
    """How many rows these are, and the first of them, for a message."""
    return {"count": len(rows), "rows": ", ".join(f"{row:,}" for row in rows[:5]) + ", …" * (len(rows) > 5)}


def keyed(parts: Sequence[Part]) -> str:
    """Give each row of each part what tells its question, and say by what they are matched."""
    asks = all(part.roll.asks for part in parts)
    by_id = all(part.roll.ids[row] for part in parts for row in part.rows)
    for part in parts:
        asked = [(part.roll.references[row], part.roll.questions[row] if asks else 0) for row in part.rows]
        part.keys = [(part.roll.ids[row], *one) for row, one in zip(part.rows, asked, strict=True)] if by_id else asked
    if by_id:
        return "ids"
    if asks:
        return "questions"
    # The key of each row, by its number.
    keys_of = [dict(zip(part.in_table.tolist(), part.keys, strict=True)) for part in parts]
    if all(len({*keys.values()}) == len(keys) for keys in keys_of):
        return "questions"
    first, own = parts[0], keys_of[0]
    for part, keys in zip(parts[1:], keys_of[1:], strict=True):
        if len(keys) != len(own):
            given = {"first": len(own), "name": short(first.name), "other": short(part.name)}
            raise UserError("f_pair_lengths", **given, second=len(keys))
        for (row, key), (place, other) in zip(own.items(), keys.items(), strict=True):
            if key != other:
                places = {"row": row + 1, "name": short(first.name), "place": place + 1}
                raise UserError("f_pair_differs", **places, other=short(part.name))
    for part, keys in zip(parts, keys_of, strict=True):
        turns = dict(zip(keys, range(len(keys)), strict=True))
        part.keys = [(turns[row], *key) for row, key in zip(part.in_table.tolist(), part.keys, strict=True)]
    return "order"


def cluster_of(roll: AnswerIndex, system: System) -> Cluster:
    """Which questions go together by a column that names their clusters; None where none does."""
    if not roll.clustered_by or not roll.named_cluster:
        return None
    assert roll.cluster is not None
    return [roll.cluster[system.answers_to(question)[0]] for question in dict.fromkeys(system.question.tolist())]
