"""What is said, not yet in a language: a key of the words, and the values in its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lens.words import say
from lens.words.printed import make_one_line


class Note(NamedTuple):
    """A sentence to be said.

    It has the key of its text and the values in it, which may be notes themselves.

    `str(note)` is its text in the language that is spoken then.
    """

    key: str
    values: Mapping[str, object] = {}

    def __str__(self) -> str:
        return say(self.key, **self.values)


class Listing(NamedTuple):
    """Several things within a note: names, numbers or notes.

    `str(listing)` is their texts in the language that is spoken then, with the text called
    `between` between each two.
    """

    items: Sequence[object]
    between: str = "page.list_comma"

    def __str__(self) -> str:
        return say(self.between).join(map(str, self.items))


class UserError(Exception):
    """What cannot be done, in words for the user: on one line, whatever a file brought along.

    Attributes:
        note: what is said.
    """

    def __init__(self, note: Note | str, /, **values: object) -> None:
        self.note = Note(note, values) if isinstance(note, str) else note

    def __str__(self) -> str:
        return make_one_line(str(self.note))


def join_notes(*notes: object) -> Note:
    """Return several sentences, notes or texts, as one note; empty ones are left out."""
    *earlier, last = [note for note in notes if str(note)]
    joined = last
    if not isinstance(joined, Note):
        joined = Note("page.as_it_is", {"text": last})
    for note in reversed(earlier):
        joined = Note("page.two_sentences", {"first": note, "second": joined})
    return joined
