"""Who is who in a table: groups, clusters, systems, ids and what each row asks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.experiment.answers import Answer
from lens.experiment.cell_notes import CellNotes, describe_rows
from lens.tables.answer_texts import FINAL
from lens.tables.final_answer import ASIDE, UNFINISHED
from lens.tables.roles import ABSTAIN, NothingToScore, Roles
from lens.words import say
from lens.words.notes import UserError
from lens.words.printed import short

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MAX_GROUPS = 200


class AnswerIndex:
    """Who is who in a table: the groups of its rows by `column`; the `cluster` of each row, None where every row is one
    of its own; and, where answers are to be `matched`, the ids of the rows and marks of what each asks, and the system
    of each where a column names it.

    `verdicts` are a person's, `judges` those of each column of a judge's; `stand_in` what stands in for them, None
    where no column does. `lacking` has the rows that are not scored by what they lack, `empty` those that are scored
    all the same, `left_out` those of whose answers something was left out, `converted` those with cells that are no
    texts but count as one.

    UserError where there are too many groups; NothingToScore where no row has both an answer and a reference: then a
    column is not what it was taken for, unless all rows are asked for.
    """

    def __init__(self, items: Iterable[Answer], roles: Roles, matched: bool = True) -> None:
        self.tags = roles.reasoning_tags
        self.column, self.final, self.asks, self.named_cluster = roles.group, roles.final, bool(roles.question), False
        self.ids, self.verdicts, self.system_of = list[str](), list[str](), list[str]()
        self.judges: dict[str, list[str]] = {name: [] for name in roles.judges}
        self.stand_in: list[float | None] | None = [] if roles.stand_in else None
        self.named_stand_in = roles.stand_in
        self.references, self.questions, self.group_of = array("q"), array("q"), array("I")
        # What tells rows of one cluster, by the columns that may name it, the first that does so counts.
        names = {"cluster": roles.cluster, "id": roles.id, "question": roles.question}
        marks = {role: array("q") for role, name in names.items() if name}
        self.groups: dict[str, int] = {}
        self.lacking: dict[str, list[int]] = {}
        self.empty: dict[str, list[int]] = {}
        self.left_out: dict[str, list[int]] = {}
        self.converted: dict[str, list[int]] = {}
        # The places of the answers that are not the first one in their cell.
        self.repeats = array("Q")
        self.cells, whole, row = CellNotes(roles), 0, 0
        for place, item in enumerate(items):
            if item.sample:
                self.repeats.append(place)
            else:
                row += 1
            self.cells.add(item, row)
            self.group_of.append(self.groups.setdefault(item.group, len(self.groups)))
            if len(self.groups) > MAX_GROUPS:
                raise UserError("f_many_groups", column=short(self.column), limit=MAX_GROUPS)
            self.verdicts.append(item.verdict)
            for found_by, one in zip(self.judges.values(), item.judge_verdicts, strict=True):
                found_by.append(one)
            if self.stand_in is not None:
                self.stand_in.append(item.stand_in)
            empty = item.find_blank()
            if empty and item.decided is None:
                (self.lacking if item.skip_reason else self.empty).setdefault(empty, []).append(row)
            for code in item.left_out:
                self.left_out.setdefault(code, []).append(row)
            for code in item.converted:
                rows = self.converted.setdefault(code, [])
                if rows[-1:] != [row]:
                    rows.append(row)
            whole += not empty
            reference = hash(item.references)
            for role, found in marks.items():
                asked = (item.question, reference) if role == "question" else getattr(item, role)
                found.append(hash(asked or (role, row)))
            if matched:
                self.ids.append(item.id)
                self.references.append(reference)
                self.questions.append(hash(item.question))
            if roles.system:
                self.system_of.append(item.system)
        self.systems, self.named_systems = list(dict.fromkeys(self.system_of)), roles.system
        self.cluster, self.clusters, self.clustered_by = None, row, ""
        for role, found in marks.items():
            numbers = {mark: number for number, mark in enumerate(dict.fromkeys(found))}
            if len(numbers) < row:
                self.cluster, self.named_cluster = array("I", map(numbers.__getitem__, found)), role == "cluster"
                self.clusters, self.clustered_by = len(numbers), names[role]
                break
        if not whole and roles.empty not in ("all", ABSTAIN):
            raise NothingToScore("f_all_lack", prediction=short(roles.prediction), reference=short(roles.reference))

    def __len__(self) -> int:
        return len(self.group_of)

    @cached_property
    def row_of(self) -> Array:
        """Of each answer the row that it is in, from 0: several, where a cell has a list."""
        import numpy as np

        first = np.ones(len(self), dtype=int)
        first[np.array(self.repeats, dtype=int)] = 0
        return first.cumsum() - 1

    def told(self) -> list[str]:
        """In words, which rows will not be scored, and doubts."""
        return [*describe_rows("f", self.lacking), *self.doubts()]

    def doubts(self) -> list[str]:
        """In words, what is scored, but perhaps not as it is meant."""
        # Where thinking has no end, the rows are told among those without an answer.
        left_out = {code: rows for code, rows in self.left_out.items() if code != UNFINISHED}
        told = [*self.clustered(), *describe_rows("f_left", left_out), *describe_rows("f_empty", self.empty)]
        return [*told, *describe_rows("f_cell_was", self.converted), *self.cells.describe()]

    def clustered(self) -> list[str]:
        """In words, which rows are resampled together."""
        # Of several systems the answers to one question are no repeats.
        by = "" if self.systems and not self.named_cluster else short(self.clustered_by)
        rows = len(self) - len(self.repeats)
        return [say("f_clusters", rows=rows, clusters=self.clusters, column=by)] if by else []

    def signature(self) -> str:
        """What of the reading moves scores, for the end of every signature; nothing where nothing was left out."""
        found = ""
        if self.left_out.keys() & {ASIDE, UNFINISHED}:
            tags = "".join(f"|reasoning_tags:{in_signature(' '.join(pair))}" for pair in self.tags)
            found += f"|reasoning:aside{tags}"
        if FINAL in self.left_out:
            found += f"|final:{in_signature(self.final)}"
        return found + self.cells.signature()


def in_signature(text: str) -> str:
    """Return a text without the sign that separates the parts of a signature."""
    return text.replace("|", "%7C")
