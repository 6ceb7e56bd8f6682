"""The options of reading a file, and the notes on how it was read."""

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
class FileReading:
    """The user's options for a file, and the notes for the user made while it is read.

    Attributes:
        encoding: the encoding of a text; empty for UTF-8, or the encoding of its byte order mark.
        sheet: the sheet of a workbook; empty for the first sheet that has rows.
        most_bytes: the largest unpacked size of a workbook; None for no limit.
        notes: the notes, as the keys of a dict, so each is kept once and in order.
    """

    encoding: str = ""
    sheet: str = ""
    most_bytes: int | None = None
    notes: dict[str, None] = field(default_factory=dict)

    def add_note(self, note: str) -> None:
        """Add a note, unless it is there already."""
        self.notes[note] = None


def refuse_duplicates(names: Iterable[str]) -> None:
    """Raise UserError if two columns have the same name, so that the name is ambiguous."""
    for name, count in Counter(names).items():
        if count > 1:
            raise UserError("file.twice", column=shorten_name(name))


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with a number behind each name that stands twice.

    Raises:
        UserError: a name that stands twice is empty or a usual name of a role.

    >>> number_duplicates(["question", "Status", "Status"])
    ['question', 'Status (1)', 'Status (2)']
    """
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1 and (not name or may_have_role(name)):
            raise UserError("file.twice", column=shorten_name(name))
    counts_so_far = Counter[str]()
    numbered = []
    for name in names:
        counts_so_far[name] += 1
        number = counts_so_far[name]
        numbered.append(f"{name} ({number})" if counts[name] > 1 else name)
    # A numbered name may be the name of another column.
    refuse_duplicates(numbered)
    return numbered
