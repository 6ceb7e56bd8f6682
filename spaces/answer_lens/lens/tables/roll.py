"""Who is who in a table: groups, ids, and which rows of two tables are the same."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lens.tables.roles import BadTable, Item, Roles
from lens.words import say

MAX_GROUPS = 200


LISTLIKE = re.compile(r"""\[\s*(['"]).*\1\s*\]""", re.DOTALL)


def mark_of(item: Item) -> int:
    """A number that is the same for rows with the same question and reference, and no others."""
    several = [item.reference] if isinstance(item.reference, str) else item.reference
    asked = "\0".join([item.question, *several]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(asked, digest_size=8).digest(), "little")


class Refused(BadTable):
    """Two tables that are not about the same rows."""


@dataclass
class Roll:
    """Who is who in a table: the groups of its rows and, for a comparison, their ids and a mark of what was asked."""

    compared: bool = True
    rows: int = 0
    ids: list[str] = field(default_factory=list)
    asked: array[int] = field(default_factory=lambda: array("Q"))
    groups: dict[str, int] = field(default_factory=dict)
    group_of: array[int] = field(default_factory=lambda: array("I"))
    column: str = ""
    lacking: dict[str, list[int]] = field(default_factory=dict)
    # Rows whose reference is a text that looks like a list written as one, as tables in CSV have it.
    listlike: int = 0

    def add(self, item: Item) -> None:
        """Note a row; BadTable where there are too many groups."""
        if item.lacks:
            self.lacking.setdefault(item.lacks, []).append(len(self) + 1)
        self.rows += 1
        self.listlike += isinstance(item.reference, str) and bool(LISTLIKE.fullmatch(item.reference))
        if self.compared:
            self.ids.append(item.id)
            self.asked.append(mark_of(item))
        self.group_of.append(self.groups.setdefault(item.group, len(self.groups)))
        if len(self.groups) > MAX_GROUPS:
            raise BadTable(say("f_many_groups", column=self.column, limit=MAX_GROUPS))

    def __len__(self) -> int:
        return self.rows

    def checked(self, roles: Roles) -> None:
        """BadTable where no row has both an answer and a reference: then a column is not what it was taken for."""
        if sum(map(len, self.lacking.values())) == len(self):
            raise BadTable(say("f_all_lack", prediction=roles.prediction, reference=roles.reference))

    def told(self) -> list[str]:
        """In words, which rows will not be scored, and doubts."""
        told = [
            say(f"f_{code}", count=len(rows), rows=", ".join(f"{row:,}" for row in rows[:5]) + ", …" * (len(rows) > 5))
            for code, rows in self.lacking.items()
        ]
        return told + self.doubts()

    def doubts(self) -> list[str]:
        """In words, what is scored, but perhaps not as it is meant."""
        return [say("f_listlike", count=self.listlike)] if self.listlike else []


def paired_rows(first: Roll, second: Roll, by_id: bool) -> list[int]:
    """For each row of the first table the position of the same row in the second; Refused where they do not match."""
    if len(first) != len(second):
        raise Refused(say("f_pair_lengths", first=len(first), second=len(second)))
    order = matched_ids(first.ids, second.ids) if by_id else list(range(len(first)))
    for row, position in enumerate(order):
        if first.asked[row] != second.asked[position]:
            key = "f_pair_differs_id" if by_id else "f_pair_differs"
            raise Refused(say(key, row=row + 1, other=position + 1, id=first.ids[row][:60]))
    return order


def matched_ids(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """For each id of the first table its position in the second."""
    for ids, which in ((first, "f_pair_first"), (second, "f_pair_second")):
        twice = next((one for one, count in Counter(ids).items() if count > 1), None)
        if twice is not None:
            raise Refused(say("f_pair_twice", id=twice[:60], which=say(which)))
    positions = {one: position for position, one in enumerate(second)}
    lacking = [one for one in first if one not in positions]
    if lacking:
        ids = ", ".join(f"“{one[:60]}”" for one in lacking[:5])
        raise Refused(say("f_pair_lacking", count=len(lacking), ids=ids))
    return [positions[one] for one in first]
