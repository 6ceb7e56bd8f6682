"""Notes: messages that are not yet translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lens.words import say
from lens.words.printed import make_one_line


class Note(NamedTuple):
    """A message: the key of its text, and the values in the text, which may be notes, too.

    `str(note)` is the text in the language that is current at that time.
    """

    key: str
    values: Mapping[str, object] = {}

    def __str__(self) -> str:
        return say(self.key, **self.values)


class Listing(NamedTuple):
    """A list in a note: of names, numbers or notes.

    `str(listing)` joins their texts with the text of the key `between`.
    """

    items: Sequence[object]
    between: str = "page.list_comma"

    def __str__(self) -> str:
        return say(self.between).join(map(str, self.items))


class UserError(Exception):
    """An error that the user can understand and correct; its message is on one line.

    Attributes:
        note: the message.
    """

    def __init__(self, note: Note | str, /, **values: object) -> None:
        self.note = Note(note, values) if isinstance(note, str) else note

    def __str__(self) -> str:
        return make_one_line(str(self.note))


def join_notes(*notes: object) -> Note:
    """Join notes and texts to one note; empty ones are left out."""
    *earlier, last = [note for note in notes if str(note)]
    joined = last
    if not isinstance(joined, Note):
        joined = Note("page.as_it_is", {"text": last})
    for note in reversed(earlier):
        joined = Note("page.two_sentences", {"first": note, "second": joined})
    return joined
