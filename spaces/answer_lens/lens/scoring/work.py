"""The work of scoring a row, in characters, and the limits of a visitor's request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lens.experiment.answers import Answer

# The limit for one answer on the page. For Chinese texts, all metrics without a model take about
# five seconds.
MAX_ANSWER_CHARACTERS = 200_000
# The characters that the page scores before it serves other visitors: about half a second.
MAX_PART_CHARACTERS = 20_000


def count_characters(answer: str, references: str | Sequence[str]) -> int:
    """Return the number of characters that a metric reads: the answer once per reference.

    >>> count_characters("abc", "de"), count_characters("abc", ["de", "f"])
    (5, 9)
    """
    if isinstance(references, str):
        return len(answer) + len(references)
    return len(answer) * len(references) + sum(map(len, references))


def split_rows(
    answers: Iterable[Answer], max_characters: int = MAX_PART_CHARACTERS
) -> Iterator[list[Answer]]:
    """Yield rows in parts; a part ends when it reaches `max_characters`."""
    part: list[Answer] = []
    characters = 0
    for answer in answers:
        part.append(answer)
        characters += count_characters(answer.prediction, answer.references)
        if characters >= max_characters:
            yield part
            part = []
            characters = 0
    if part:
        yield part
