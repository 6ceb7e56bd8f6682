"""How a file is to be read, and what there is to tell of how it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.tables.column_names import may_have_role
from lens.words.notes import UserError
from lens.words.printed import shorten_name

Row = dict[str, Any]


@dataclass
class Reading:
    """What a user said of a file, and what it turned out to be while it was read.

    Attributes:
        encoding: the encoding of a text; empty for UTF-8, or what a mark at its beginning says.
        sheet: the sheet of a workbook; empty for the first that has rows.
        most_bytes: what a workbook may unpack to; None for any size.
        notes: what is to be told, each once.
    """

    encoding: str = ""
    sheet: str = ""
    most_bytes: int | None = None
    notes: dict[str, None] = field(default_factory=dict)

    def add_note(self, note: str) -> None:
        """Keep a note, once."""
        self.notes[note] = None


def refuse_duplicates(names: Iterable[str]) -> None:
    """Refuse a column that stands twice: which of them is meant, nobody can know."""
    for name, count in Counter(names).items():
        if count > 1:
            raise UserError("file.twice", column=shorten_name(name))


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with a number behind those that stand twice.

    Raises:
        UserError: a name that stands twice is empty, or may name a role.

    >>> number_duplicates(["question", "Status", "Status"])
    ['question', 'Status (1)', 'Status (2)']
    """
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1 and (not name or may_have_role(name)):
            raise UserError("file.twice", column=shorten_name(name))
    turns = Counter[str]()
    numbered = []
    for name in names:
        turns[name] += 1
        numbered.append(f"{name} ({turns[name]})" if counts[name] > 1 else name)
    refuse_duplicates(numbered)
    return numbered
