"""What an answer says in the place of something else in a long reference: the same words around it,
another fact.

Each fact of the answer is set beside the place of the reference with the likest words around it
(places.py). Where another fact of its kind stands in that place, and the answer does not have that
other one in a place as like, the two contradict each other. Names and numbers that both texts have
contradict each other only where two of them have changed places.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .denied_places import find_denials, is_denied_before
from .features import weigh_stems
from .places import Comparison, Pair, Places, is_opposite
from .text import Text

SHORTEST_REFERENCE = 8  # words of a reference in which a fact has something around it
# From how like on two places tell something, and how much more so the longer the reference is (from
# USUAL_LENGTH on, by the logarithm of its words), for in a long one something is like by chance.
# WIDTH further on they tell all.
LEAST_LIKENESS = {
    "number": 0.2, "name": 0.2, "denied": 0.15, "affirmed": 0.55, "opposite": 0.05, "swapped": 0.0,
}  # fmt: skip
MORE_BY_LENGTH = {
    "number": 0.2, "name": 0.2, "denied": 0.15, "affirmed": 0.15, "opposite": 0.05, "swapped": 0.2,
}  # fmt: skip
USUAL_LENGTH, WIDTH = 3.7, 0.25
MORE_IN_CHINESE = 0.2  # how much more so where a word is a single character
OWN_PLACE = 0.4  # what is taken from a likeness, of how like the fact's own place is
GERMAN_WORDS = frozenset(
    "der das und ist nicht ein eine einen dem den von mit werden wird sind auf für sich als".split()
)
GRAMMAR = frozenset({"with", "without"})  # opposites that join anything


@dataclass(frozen=True)
class Contradiction:
    """Two facts in one place.

    Attributes:
        kind: number, name, opposite, denied, affirmed (what the reference alone denies) or swapped.
        evidence: how far it tells anything, 0..1.
        found, expected: where both stand, in the answer and in the reference.
    """

    kind: str
    evidence: float
    found: int
    expected: int


def find_contradictions(answer: Text, reference: Text, question: Text) -> list[Contradiction]:
    """Return what an answer says in the place of something else in the reference.

    A reference of fewer than SHORTEST_REFERENCE words has nothing around its facts: none are
    returned.
    """
    if len(reference.words) < SHORTEST_REFERENCE:
        return []
    weight = weigh_stems({*answer.stems, *reference.stems, *question.stems})
    said, wanted, asked = (Places(text, weight) for text in (answer, reference, question))
    known = {
        text.stems[i] for text in (answer, reference) for span in text.names for i in range(*span)
    }
    names = Comparison(said.find_names(known), wanted.find_names(known))
    numbers, asked_numbers = (
        Comparison(said.numbers, wanted.numbers),
        Comparison(said.numbers, asked.numbers),
    )
    words = Comparison(
        said.find_opposites(GRAMMAR | question.places.keys()), wanted.find_opposites(GRAMMAR)
    )
    strange = [
        pair for pair in numbers.replacements["strange"] if asked_numbers.own[pair.found] < 0
    ]
    strange_names = list[Pair]()
    if not is_german(reference):
        strange_names = [
            pair for pair in names.replacements["strange"] if names.had[pair.expected] < 0
        ]
    opposed = [
        pair
        for pair in words.find_replacements(is_opposite)
        if is_turned_alike(words, pair, said, wanted) and not has_found_beside(words, pair, wanted)
    ]
    found = [
        *rate_pairs("swapped", names, names.replacements["swapped"], reference),
        *rate_pairs("swapped", numbers, numbers.replacements["swapped"], reference),
        *rate_pairs("number", numbers, strange, reference),
        *rate_pairs("name", names, strange_names, reference),
        *rate_pairs("opposite", words, opposed, reference),
    ]
    for pair in find_denials(said, wanted):
        evidence = rate_evidence("denied", pair.likeness, reference)
        found.append(Contradiction("denied", evidence, pair.found, pair.expected))
    for pair in find_denials(wanted, said):
        evidence = rate_evidence("affirmed", pair.likeness, reference)
        found.append(Contradiction("affirmed", evidence, pair.expected, pair.found))
    return [one for one in found if one.evidence > 0]


def is_german(text: Text) -> bool:
    """Return whether a text is in German, where every noun has a capital: there a capital makes no
    name.
    """
    return len(GERMAN_WORDS & set(text.words)) >= 2


def is_turned_alike(
    words: Comparison,
    pair: Pair,
    said: Places,
    wanted: Places,
) -> bool:
    """Return whether both of two opposites are denied, or none: "not cold" does not contradict
    "hot".
    """
    found = is_denied_before(said.text, words.said[pair.found].start)
    return found == is_denied_before(wanted.text, words.wanted[pair.expected].start)


def has_found_beside(words: Comparison, pair: Pair, wanted: Places) -> bool:
    """Return whether the reference has the answer's word in that sentence, too: start and stop
    bit.
    """
    text, here = wanted.text, words.wanted[pair.expected].start
    places = [i for stem in words.said[pair.found].stems for i in text.places.get(stem, [])]
    return any(text.sentence[i] == text.sentence[here] for i in places)


def rate_pairs(
    kind: str,
    facts: Comparison,
    pairs: Sequence[Pair],
    reference: Text,
) -> Iterator[Contradiction]:
    """Yield pairs as contradictions, with how far each tells anything."""
    for pair in pairs:
        likeness = pair.likeness - OWN_PLACE * max(facts.own[pair.found], 0.0)
        evidence = rate_evidence(kind, likeness, reference)
        yield Contradiction(
            kind, evidence, facts.said[pair.found].start, facts.wanted[pair.expected].start
        )


def rate_evidence(kind: str, likeness: float, reference: Text) -> float:
    """Return how far it tells anything, 0..1, that two places are so like."""
    longer = max(0.0, math.log1p(len(reference.words)) - USUAL_LENGTH)
    least = (
        LEAST_LIKENESS[kind]
        + MORE_BY_LENGTH.get(kind, 0.0) * longer
        + MORE_IN_CHINESE * reference.is_chinese
    )
    return max(0.0, min(1.0, (likeness - least) / WIDTH))
