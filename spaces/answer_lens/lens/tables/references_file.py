"""References that stand in a file of their own, and go to the answers by their ids, else by their order."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lens.tables.cells import ABSENT, inside
from lens.tables.reading import Row
from lens.tables.roles import BadTable, guess, listing
from lens.words import say
from lens.words.printed import short

# What is taken from such a file under the name of its role, whatever its column is called.
TAKEN = ("reference", "question", "keywords")
# Names of ids that only files for batches have.
BATCH_IDS = ("custom_id", "key")

# The name of its file, its number there, and a row.
Placed = tuple[str, int, Row]


class References:
    """The rows of a file of references, by id where all have one, and in their order.

    Args:
        name: what the file is called in messages.
        rows: its rows.
        given: the names of columns by role, as a user says them; of several columns a list.
        stamps: what tells whether the file is still the same.

    Raises:
        BadTable: for a file without rows or references, and for one in which an id stands twice.
    """

    def __init__(
        self, name: str, rows: Iterable[Row], given: Mapping[str, Any], stamps: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.name, self.rows, self.stamps = name, list(rows), stamps
        names = list(dict.fromkeys(column for row in self.rows for column in row))
        if not names:
            raise BadTable(f"{name}: {say('file_no_rows')}")
        self.taken = self.choose_columns(names, given)
        self.id = self.choose_id(names, given)
        self.places = self.index_ids()

    def choose_columns(self, names: Sequence[str], given: Mapping[str, Any]) -> dict[str, str]:
        """Return the columns that are taken, by the names that they get: what a user names keeps its name."""
        guessed = guess(names)
        taken: dict[str, str] = {}
        for role in TAKEN:
            named = listed(given.get(role))
            own = [name for name in named if inside(self.rows[0], name, ABSENT) is not ABSENT]
            taken |= {name: name for name in own}
            if not named and getattr(guessed, role):
                taken[role] = getattr(guessed, role)
        # The only column of a text, or of a list of texts, has what is asked for.
        if not listed(given.get("reference")) and "reference" not in taken and guessed.prediction:
            taken["reference"] = guessed.prediction
        if not taken:
            told = say("f_no_role", role=say("f_role_reference"), found=listing(names), usual=listing(TAKEN[:1]))
            raise BadTable(f"{self.name}: {told}")
        return taken

    def choose_id(self, names: Sequence[str], given: Mapping[str, Any]) -> str:
        """Return the column of the ids; empty where there is none, or none is wanted."""
        named = given.get("id")
        if named == "":
            return ""
        candidates = [named, guess(names).id, *BATCH_IDS]
        return next((name for name in candidates if name and name in names), "")

    def index_ids(self) -> dict[str, int]:
        """Return the place of each id; none unless every row has one."""
        places: dict[str, int] = {}
        for place, row in enumerate(self.rows):
            identity = row.get(self.id)
            if identity in (None, ""):
                return {}
            first = places.setdefault(str(identity), place)
            if first != place:
                told = say("ref_twice", id=short(str(identity)), row=place + 1, first=first + 1)
                raise BadTable(f"{self.name}: {told}")
        return places

    def join(self, row: Row, place: int) -> Row:
        """Return an answer's row with what a row of references has: all its columns, and those that are taken."""
        own = self.rows[place]
        others = {name: cell for name, cell in own.items() if name not in (self.id, *self.taken.values(), *row)}
        return others | row | {name: inside(own, column) for name, column in self.taken.items()}


class Join:
    """Answers' rows with their references, and what there is to tell once all are read."""

    def __init__(self, references: References, given: Mapping[str, Any]) -> None:
        self.references, self.given_id = references, given.get("id")
        self.notes: list[str] = []

    def rows(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Yield the rows with their references; BadTable where these are matched by order, and differ in number."""
        rows = iter(rows)
        first = next(rows, None)
        if first is None:
            return
        column = self.choose_id(first[2])
        every = itertools.chain([first], rows)
        yield from self.by_id(every, column) if column else self.by_order(every)

    def choose_id(self, row: Row) -> str:
        """Return the column of the ids of the answers; empty where these, or the references, have none."""
        name = guess(list(row)).id if self.given_id is None else str(self.given_id)
        return name if self.references.places and name in row else ""

    def by_id(self, rows: Iterable[Placed], column: str) -> Iterator[Placed]:
        """Yield the rows with the references of the same id; those without any have none."""
        used, count, without = set[int](), 0, 0
        for part, number, row in rows:
            count += 1
            place = self.references.places.get(str(row.get(column)))
            if place is None:
                without += 1
                yield part, number, row
            else:
                used.add(place)
                yield part, number, self.references.join(row, place)
        self.notes = [say("ref_by_id", name=self.references.name, rows=count - without)]
        if without:
            self.notes.append(say("ref_without", count=without))
        unused = len(self.references.rows) - len(used)
        if unused:
            self.notes.append(say("ref_unused", count=unused))

    def by_order(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """Yield the rows with the references at the same place."""
        count, most = 0, len(self.references.rows)
        for place, (part, number, row) in enumerate(rows):
            count += 1
            if place < most:
                yield part, number, self.references.join(row, place)
        if count != most:
            raise BadTable(say("ref_lengths", name=self.references.name, references=most, rows=count))
        self.notes = [say("ref_by_order", name=self.references.name, rows=count)]


def listed(given: Any) -> list[str]:
    """Return the columns that a user names for a role; none where none is named."""
    if isinstance(given, str):
        return [given] if given else []
    return list(given or ())
