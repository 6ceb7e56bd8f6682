"""The first reading of a table: its columns and their kinds, and at the same time who is who among its rows.

Which column is what is guessed from all columns, and rows of JSON may bring new ones late. So the first row's columns
are taken for all of them, and the rare table of which that is not true is read a second time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from lens.tables import sources
from lens.tables.cells import Kinds
from lens.tables.roles import BadTable, chosen
from lens.tables.roll import Roll
from lens.tables.sources import Scan, Source
from lens.words import say


def surveyed(source: Source, given: Mapping[str, str | None], separator: str = "", compared: bool = False) -> Scan:
    """Read a table to its end before anything is scored; BadTable for what cannot be. `given` are the roles by name."""
    noted, roll, guessed, refused, count = Kinds(), Roll(compared), None, "", 0
    for part in source.parts():
        for number, row in enumerate(part.rows(), 1):
            count += 1
            if count == 1:
                with contextlib.suppress(BadTable):  # said at the end, if it still holds then
                    guessed = chosen(list(row), given)
                    roll.column = guessed.group
            noted.add(row)
            if guessed and not refused:
                try:
                    roll.add(sources.item_at(part, number, row, guessed, separator))
                except BadTable as error:
                    refused = str(error)
    if not count:
        raise BadTable(say("f_no_rows", name=source.name))
    kinds = noted.found()
    roles = chosen(list(kinds), given)
    if roles != guessed:
        return sources.scan(source, roles, kinds, separator, compared)
    if refused:
        raise BadTable(refused)
    roll.checked(roles)
    return Scan(roles, kinds, roll)
