"""The first reading of a table: its columns and their kinds, and at the same time who is who among its rows.

Which column is what is guessed from all columns, and rows of JSON may bring new ones late. So the first row's columns
are taken for all of them, and the rare table of which that is not true is read a second time.
"""

from __future__ import annotations

from collections.abc import Mapping

from lens.tables import sources
from lens.tables.cells import Kinds
from lens.tables.read import Row
from lens.tables.roles import BadTable, Roles, chosen, item_of
from lens.tables.roll import Roll
from lens.tables.sources import Scan, Source
from lens.words import say


class Survey:
    """What one reading finds, as far as the roles of the first row's columns are those of the whole table."""

    def __init__(self, given: Mapping[str, str | None], separator: str, compared: bool) -> None:
        self.given, self.separator, self.compared = given, separator, compared
        self.kinds = Kinds()
        self.roles: Roles | None = None
        self.roll = Roll(compared)
        self.count = 0
        self.refused = ""

    def add(self, row: Row, number: int, name: str) -> None:
        """Note a row; `number` and `name` say where it stands."""
        self.kinds.add(row)
        self.count += 1
        if self.count == 1:
            self.begin(row)
        if self.roles is not None and not self.refused:
            self.refused = refusal(self.roll, row, self.roles, name, number, self.separator)

    def begin(self, row: Row) -> None:
        """Guess the roles."""
        try:
            self.roles = chosen(list(row), self.given)
        except BadTable:  # said at the end, if it still holds then
            return
        self.roll.column = self.roles.group


def refusal(roll: Roll, row: Row, roles: Roles, name: str, number: int, separator: str) -> str:
    """Note a row in the roll, or say why it cannot be scored; `name` and `number` say where it stands."""
    try:
        item = item_of(row, roles, number, separator)
    except BadTable as error:
        return f"{name}: {error}"
    try:
        roll.add(item)
    except BadTable as error:
        return str(error)
    return ""


def surveyed(source: Source, given: Mapping[str, str | None], separator: str = "", compared: bool = False) -> Scan:
    """Read a table to its end before anything is scored; BadTable for what cannot be. `given` are the roles by name."""
    found = Survey(given, separator, compared)
    for part in source.parts():
        for number, row in enumerate(part.rows(), part.first + 1):
            found.add(row, number, part.name)
    if not found.count:
        raise BadTable(say("f_no_rows", name=source.name))
    kinds = found.kinds.found()
    roles = chosen(list(kinds), given)
    if roles != found.roles:
        return sources.scan(source, roles, kinds, separator, compared)
    if found.refused:
        raise BadTable(found.refused)
    found.roll.checked(roles)
    return Scan(roles, kinds, found.roll)
