"""Who is who in a table: groups, ids, and which rows of two tables are the same."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from lens.tables.final_answer import ASIDE, UNFINISHED
from lens.tables.roles import BadTable, Item, Roles, listing
from lens.tables.separators import Separators
from lens.words import say
from lens.words.printed import short

MAX_GROUPS = 200
LISTLIKE = re.compile(r"""\[\s*(['"]).*\1\s*\]""", re.DOTALL)


class Roll:
    """Who is who in a table: the groups of its rows by `column`; the `cluster` of each row, None where every row is one
    of its own; where it is `compared` with another, the ids of the rows and a mark of what each asks.

    `lacking` has the rows that are not scored by what they lack, `empty` those that are scored all the same, `left_out`
    those of whose answers something was left out; `listlike` counts the references that are texts which look like
    lists.

    BadTable where there are too many groups, or no row has both an answer and a reference: then a column is not what it
    was taken for, unless all rows are asked for.
    """

    def __init__(self, items: Iterable[Item], roles: Roles, compared: bool = True) -> None:
        self.column, self.final = roles.group, roles.final
        self.ids, self.verdicts = list[str](), list[str]()
        self.asked, self.group_of = array("q"), array("I")
        # What tells rows of one cluster, by the columns that may name it, the first that does so counts.
        names = {"cluster": roles.cluster, "id": roles.id, "asked": roles.question}
        marks = {role: array("q") for role, name in names.items() if name}
        self.groups: dict[str, int] = {}
        self.lacking: dict[str, list[int]] = {}
        self.empty: dict[str, list[int]] = {}
        self.left_out: dict[str, list[int]] = {}
        self.separators, self.listlike, whole = Separators(), 0, 0
        for row, item in enumerate(items, 1):
            self.group_of.append(self.groups.setdefault(item.group, len(self.groups)))
            if len(self.groups) > MAX_GROUPS:
                raise BadTable(say("f_many_groups", column=short(self.column), limit=MAX_GROUPS))
            self.verdicts.append(item.verdict)
            if empty := item.empty():
                (self.lacking if item.lacks else self.empty).setdefault(empty, []).append(row)
            for code in item.left_out:
                self.left_out.setdefault(code, []).append(row)
            whole += not empty
            self.separators.add(item.reference)
            self.listlike += isinstance(item.reference, str) and bool(LISTLIKE.fullmatch(item.reference))
            several = [item.reference] if isinstance(item.reference, str) else item.reference
            asked = hash((item.question, *several))
            for role, found in marks.items():
                mark = asked if role == "asked" else hash(text) if (text := getattr(item, role)) else hash((role, row))
                found.append(mark)
            if compared:
                self.ids.append(item.id)
                self.asked.append(asked)
        self.cluster, self.clusters, self.clustered_by = None, len(self), ""
        for role, found in marks.items():
            numbers = {mark: number for number, mark in enumerate(dict.fromkeys(found))}
            if len(numbers) < len(self):
                self.cluster = array("I", map(numbers.__getitem__, found))
                self.clusters, self.clustered_by = len(numbers), names[role]
                break
        if not whole and roles.empty != "all":
            raise BadTable(say("f_all_lack", prediction=short(roles.prediction), reference=short(roles.reference)))

    def __len__(self) -> int:
        return len(self.group_of)

    def told(self) -> list[str]:
        """In words, which rows will not be scored, and doubts."""
        return [*numbered("f", self.lacking), *self.doubts()]

    def doubts(self) -> list[str]:
        """In words, what is scored, but perhaps not as it is meant."""
        listlike = [say("f_listlike", count=self.listlike)] if self.listlike else []
        # Where thinking has no end, the rows are told among those without an answer.
        left_out = {code: rows for code, rows in self.left_out.items() if code != UNFINISHED}
        found = self.separators.found()
        unsplit = [say("f_unsplit", **asdict(found))] if found else []
        # A list in JSON is told once, with its remedy.
        doubts = unsplit if found and found.separator == "json" else [*unsplit, *listlike]
        return [*self.clustered(), *numbered("f_left", left_out), *numbered("f_empty", self.empty), *doubts]

    def clustered(self) -> list[str]:
        """In words, which rows are resampled together."""
        by = short(self.clustered_by)
        return [say("f_clusters", rows=len(self), clusters=self.clusters, column=by)] if by else []

    def signature(self) -> str:
        """What of the reading moves scores, for the end of every signature; nothing where nothing was left out."""
        thinking = "|reasoning:aside" if self.left_out.keys() & {ASIDE, UNFINISHED} else ""
        return thinking + (f"|final:{self.final.replace('|', '%7C')}" if "final" in self.left_out else "")


def numbered(key: str, found: Mapping[str, Sequence[int]]) -> list[str]:
    """In words, how many rows lack what, and the first of them."""
    return [
        say(f"{key}_{code}", count=len(rows), rows=", ".join(f"{row:,}" for row in rows[:5]) + ", …" * (len(rows) > 5))
        for code, rows in found.items()
    ]


def paired_rows(first: Roll, second: Roll, by_id: bool) -> list[int]:
    """For each row of the first table the position of the same row in the second; BadTable where they do not match."""
    if by_id:
        order = matched_ids(first.ids, second.ids)
    elif len(first) == len(second):
        order = list(range(len(first)))
    else:
        raise BadTable(say("f_pair_lengths", first=len(first), second=len(second)))
    for row, position in enumerate(order):
        if first.asked[row] != second.asked[position]:
            raise BadTable(say("f_pair_differs_id" if by_id else "f_pair_differs", row=row + 1, other=position + 1))
    return order


def matched_ids(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """For each id of the first table its position in the second."""
    for ids in (first, second):
        one, count = Counter(ids).most_common(1)[0]
        if count > 1:
            raise BadTable(say("f_pair_twice", id=short(one)))
    positions, known = {one: position for position, one in enumerate(second)}, set(first)
    alone = [one for one in first if one not in positions] + [one for one in second if one not in known]
    if alone:
        raise BadTable(say("f_pair_lacking", count=len(alone), ids=listing(alone, 5)))
    return [positions[one] for one in first]
