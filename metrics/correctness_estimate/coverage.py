"""How much of a reference an answer has, of whatever length: shares of its words, clauses and letters.

A word weighs as much as it is rare (rarity.py: the logarithm of all answers to those with it, in EVOUNA). Words
of the question count only where a reference has no others.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache

from .rarity import RAREST, RARITY_TEXT
from .wording import Text
from .word_lists import STOP

MOST_LETTERS = 4000  # of a text


@cache
def rarities() -> dict[str, float]:
    """Return how rare each stem of the table is, as rarity.py has them: a level, then its stems."""
    found, level = dict[str, float](), 0.0
    for word in RARITY_TEXT.split():
        if word[0] == "+":
            level = int(word[1:]) / 10
        else:
            found[word] = level
    return found


def weigher(stems: set[str]) -> dict[str, float]:
    """Return how rare each of some stems is; those outside the table are as rare as any."""
    known = rarities()
    return {one: known.get(one, RAREST) for one in stems}


def parts_of(text: Text, numbers: Sequence[int]) -> list[set[str]]:
    """Return the stems that count in each sentence or clause; `numbers` say in which each word stands."""
    found: dict[int, set[str]] = {}
    for word, one, number in zip(text.words, text.stems, numbers, strict=True):
        if word not in STOP:
            found.setdefault(number, set()).add(one)
    return list(found.values())


def letters(text: Text) -> set[str]:
    """Return every four neighbouring characters of the words, of Chinese every two; 1000 is not like 10000."""
    size = 2 if text.han else 4
    joined = ("" if text.han else " ").join(word for word in text.words if word.isalpha())[:MOST_LETTERS]
    return {joined[i : i + size] for i in range(len(joined) - size + 1)}


def share(both: set[str], of: set[str], weight: dict[str, float]) -> float:
    """Return the share of a set that is in another one too, by weight; fsum, for the order of a set is chance."""
    return math.fsum(weight[one] for one in both) / (math.fsum(weight[one] for one in of) or 1.0)


def covered(parts: list[set[str]], asked: set[str], there: set[str], weight: dict[str, float]) -> float:
    """Return the mean share of the parts of a reference that an answer has."""
    new = [part - asked or part for part in parts]
    return sum(share(part & there, part, weight) for part in new) / (len(new) or 1)


def coverage_features(answer: Text, reference: Text, question: Text, have: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the shares; `have` are stems of the reference that the answer has in another spelling or form."""
    told, wanted = set(answer.solid), set(reference.solid)
    asked = set(question.stems)
    new, besides = wanted - asked or wanted, told - asked
    there = told | have
    weight = weigher(told | wanted | have)
    recall, precision = share(new & there, new, weight), share(besides & new, besides, weight)
    yield "cover_rare", recall
    yield "cover_both", 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    yield "cover_clauses", covered(parts_of(reference, reference.clause), asked, there, weight)
    spelled = letters(reference)
    yield "cover_letters", len(spelled & letters(answer)) / (len(spelled) or 1)
