"""The work that the scores of words are for a row.

A visitor may ask for so much of it at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lens.experiment.answers import Answer

# What the page takes of one answer: with Chinese texts all scores of words together take some five
# seconds.
MOST_OF_ANSWER = 200_000
# Rows that the page scores before other visitors have their turn: some half a second.
MOST_AT_ONCE = 20_000


def count_characters(answer: str, references: str | Sequence[str]) -> int:
    """Return how many characters a score reads: those of the answer once with each reference.

    >>> count_characters("abc", "de"), count_characters("abc", ["de", "f"])
    (5, 9)
    """
    if isinstance(references, str):
        return len(answer) + len(references)
    return len(answer) * len(references) + sum(map(len, references))


def split_rows(items: Iterable[Answer], most: int = MOST_AT_ONCE) -> Iterator[list[Answer]]:
    """Yield rows in parts, each of which ends with the row that fills it."""
    part: list[Answer] = []
    characters = 0
    for item in items:
        part.append(item)
        characters += count_characters(item.prediction, item.references)
        if characters >= most:
            yield part
            part, characters = [], 0
    if part:
        yield part
