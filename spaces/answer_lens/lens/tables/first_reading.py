"""The first reading of a table: its columns and their kinds, and at the same time who is who among its rows.

Which column is what is guessed from all columns, and rows of JSON may bring new ones late. So the first row's columns
are taken for all of them, and the rare table of which that is not true is read a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from lens.tables.cells import Kind, Kinds
from lens.tables.roles import BadTable, Roles, chosen
from lens.tables.roll import Roll
from lens.tables.sources import Source, item_at


@dataclass
class Scan:
    """What a first reading of a table finds: who is who, the columns' kinds, the groups and ids of the rows."""

    roles: Roles
    kinds: dict[str, Kind]
    roll: Roll


def surveyed(
    source: Source,
    given: Mapping[str, str | None],
    compared: bool = False,
    names: Sequence[str] = (),
) -> Scan:
    """Read a table to its end before anything is scored; BadTable for what cannot be. `given` are the roles by name,
    `names` all columns, where they are known.
    """
    noted, roll, guessed, refused = Kinds(), Roll(compared), None, None
    for place, number, row in source.rows():
        if not noted.possible:
            with suppress(BadTable):  # said at the end, if it still holds then
                guessed = chosen(names or list(row), given)
                roll.column = guessed.group
        noted.add(row)
        if guessed and not refused:
            try:
                roll.add(item_at(place, number, row, guessed))
            except BadTable as error:
                refused = error
    kinds = noted.found()
    if not kinds:
        raise BadTable(f"{source.name} has no rows.")
    roles = chosen(list(kinds), given)
    if roles != guessed:
        return surveyed(source, given, compared, list(kinds))
    if refused:
        raise refused
    roll.checked(roles)
    return Scan(roles, kinds, roll)
