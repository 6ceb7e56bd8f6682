"""Joins the references in a separate file to the answers, by id or else by order."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from lens.tables.cells import ABSENT, find_nested_value
from lens.tables.file_reading import Row
from lens.tables.roles import guess_roles, join_names, list_columns
from lens.words import say
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

# The roles whose columns are added to the answers' rows, under the name of the role.
JOINED_ROLES = ("reference", "question", "keywords")
# Names of ids that only the files of batch requests use.
BATCH_IDS = ("custom_id", "key")

# The name of a row's file, the row's number in it, and the row.
PlacedRow = tuple[str, int, Row]


class References:
    """The rows of a file of references, in their order, and by id if every row has one.

    Args:
        name: the name of the file in messages.
        rows: the rows of the file.
        choices: the columns that the user chose, by role; a list if a role has several.
        stamps: values that change when the file changes.

    Raises:
        UserError: the file has no rows or no references, or an id stands twice.
    """

    def __init__(
        self,
        name: str,
        rows: Iterable[Row],
        choices: Mapping[str, Any],
        stamps: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self.rows = list(rows)
        self.stamps = stamps
        names = list(dict.fromkeys(itertools.chain.from_iterable(self.rows)))
        if not names:
            raise UserError("page.error_in", place=name, error=Note("file.no_rows"))
        self.added_columns = self.choose_columns(names, choices)
        self.id = self.choose_id(names, choices)
        self.index_of_id = self.index_ids()

    def choose_columns(self, names: Sequence[str], choices: Mapping[str, Any]) -> dict[str, str]:
        """Return the columns that are added to the answers, by the names that they get there.

        A guessed column gets the name of its role; a column that the user chose keeps its name.
        """
        guessed = guess_roles(names)
        added_columns: dict[str, str] = {}
        for role in JOINED_ROLES:
            columns = list_columns(choices.get(role))
            guessed_column = getattr(guessed, role)
            added_columns |= {name: name for name in columns if self.has_column(name)}
            if guessed_column and not columns:
                added_columns[role] = guessed_column
        # A file of plain lines, or a list of texts, is read as answers. Here they are the
        # references.
        is_named = bool(list_columns(choices.get("reference")))
        if guessed.prediction and not is_named and "reference" not in added_columns:
            added_columns["reference"] = guessed.prediction
        if not added_columns:
            self.refuse_columns(names)
        return added_columns

    def refuse_columns(self, names: Sequence[str]) -> NoReturn:
        """Raise UserError for a file without a column of references."""
        values = {
            "role": Note("role.reference"),
            "found": join_names(names),
            "usual": join_names(["reference"]),
        }
        raise UserError("page.error_in", place=self.name, error=Note("table.no_role", values))

    def has_column(self, name: str) -> bool:
        """Return whether the first row has a column, or a value with this dotted name."""
        return find_nested_value(self.rows[0], name, ABSENT) is not ABSENT

    def choose_id(self, names: Sequence[str], choices: Mapping[str, Any]) -> str:
        """Return the column of the ids; empty if there is none, or the user wants none."""
        column = choices.get("id")
        if column == "":
            return ""
        for name in (column, guess_roles(names).id, *BATCH_IDS):
            if name and name in names:
                return str(name)
        return ""

    def index_ids(self) -> dict[str, int]:
        """Return the index of the row of each id; an empty dict unless every row has an id."""
        index_of_id: dict[str, int] = {}
        for index, row in enumerate(self.rows):
            identity = row.get(self.id)
            if identity in (None, ""):
                return {}
            name = str(identity)
            first = index_of_id.setdefault(name, index)
            if first != index:
                values = {"id": shorten_name(name), "row": index + 1, "first": first + 1}
                raise UserError(
                    "page.error_in", place=self.name, error=Note("references_file.twice", values)
                )
        return index_of_id

    def join(self, row: Row, index: int) -> Row:
        """Return an answer's row with the columns of the row of references at this index."""
        reference_row = self.rows[index]
        used = {self.id, *self.added_columns.values(), *row}
        unused = {name: cell for name, cell in reference_row.items() if name not in used}
        added = {}
        for name, column in self.added_columns.items():
            added[name] = find_nested_value(reference_row, column)
        return unused | row | added


class Join:
    """Joins references to the rows of answers, and collects notes on how they were matched."""

    def __init__(self, references: References, choices: Mapping[str, Any]) -> None:
        self.references = references
        self.chosen_id = choices.get("id")
        self.notes: list[str] = []

    def rows(self, rows: Iterable[PlacedRow]) -> Iterator[PlacedRow]:
        """Yield the rows with their references.

        Raises:
            UserError: rows are matched by order, and their numbers differ.
        """
        rows = iter(rows)
        first = next(rows, None)
        if first is None:
            return
        _, _, row = first
        column = self.choose_id(row)
        rows = itertools.chain([first], rows)
        if column:
            yield from self.join_by_id(rows, column)
        else:
            yield from self.join_by_order(rows)

    def choose_id(self, row: Row) -> str:
        """Return the column of the answers' ids; empty if answers or references have none."""
        if not self.references.index_of_id:
            return ""
        if self.chosen_id is None:
            return guess_roles(list(row)).id
        name = str(self.chosen_id)
        return name if name in row else ""

    def join_by_id(self, rows: Iterable[PlacedRow], column: str) -> Iterator[PlacedRow]:
        """Yield the rows with the references of the same id; unmatched rows get no references."""
        used_references: set[int] = set()
        matched = 0
        unmatched = 0
        for part, number, row in rows:
            index = self.references.index_of_id.get(str(row.get(column)))
            if index is None:
                unmatched += 1
                yield part, number, row
            else:
                matched += 1
                used_references.add(index)
                yield part, number, self.references.join(row, index)
        self.notes = self.describe_matches(matched, unmatched, len(used_references))

    def describe_matches(self, matched: int, unmatched: int, used_references: int) -> list[str]:
        """Return notes on the numbers of answers and references that were matched by id, or not."""
        notes = [say("references_file.by_id", name=self.references.name, rows=matched)]
        if unmatched:
            notes.append(say("references_file.without", count=unmatched))
        unused = len(self.references.rows) - used_references
        if unused:
            notes.append(say("references_file.unused", count=unused))
        return notes

    def join_by_order(self, rows: Iterable[PlacedRow]) -> Iterator[PlacedRow]:
        """Yield the rows with the references at the same position."""
        count = 0
        references = len(self.references.rows)
        for part, number, row in rows:
            if count < references:
                yield part, number, self.references.join(row, count)
            count += 1
        if count != references:
            raise UserError(
                "references_file.lengths",
                name=self.references.name,
                references=references,
                rows=count,
            )
        self.notes = [say("references_file.by_order", name=self.references.name, rows=count)]
