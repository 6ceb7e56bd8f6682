"""What an estimate may be taken for: a probability, a ranking, or likeness to the reference."""

from functools import cache

from .features import Measured
from .model import FEATURES, USUAL
from .stand import ASKS, MOST_READ, NO, YES
from .wording import Text

# A probability; good for ranking alone; likeness to the reference, no more.
KNOWN = ("probability", "ranking", "likeness")
MOST_SURE, MOST_RANKED = 6, 25  # words of a reference up to which it may be a probability, and a ranking
MOST_UNUSUAL = 3  # unusual features, from which on it is no probability
# Finite verbs, and what may stand before one that makes no statement.
FINITE = frozenset(
    "is are was were has have had can could will would shall should may might must do does did include includes "
    "contain contains cause causes mean means".split()
)
RELATIVE = frozenset("that which who whose where".split())


def known_of(measured: Measured) -> str:
    """Return what an estimate may be taken for, by the reference and how unusual the answer is.

    On answers to other questions than it learned from it is as sure as it says where the reference is a short fact and
    few features are out of the ordinary; to some 25 words it still ranks answers; beyond, and in other scripts, it
    tells how like the reference an answer is.
    """
    answer, reference, question = measured.texts
    latin = sum(word.isascii() for word in answer.words + reference.words)
    foreign = reference.han or 2 * latin < len(answer.words) + len(reference.words)
    if foreign or not 0 < len(reference.words) <= MOST_RANKED:
        return KNOWN[2]
    if len(reference.words) > MOST_SURE or states(reference, question):
        return KNOWN[1]
    outside = sum(not low <= measured.features[name] <= high for name, low, high in usual())
    return KNOWN[0] if outside < MOST_UNUSUAL else KNOWN[1]


@cache
def usual() -> list[tuple[str, float, float]]:
    """Return between what values each feature usually lies."""
    bounds = (pair.partition(":") for pair in USUAL)
    return [(name, float(low), float(high)) for name, (low, _, high) in zip(FEATURES, bounds, strict=True)]


def states(reference: Text, question: Text) -> bool:
    """Return whether a reference makes a statement of its own, where a fact would be a name, a value or a few words.

    It has a finite verb (not after "that" or "which"), or most of it is the question's, or the question is one for yes
    or no and it says neither.
    """
    words, solid = reference.words, reference.solid
    before = ["", *words]
    finite = any(word in FINITE and before[i] not in RELATIVE for i, word in enumerate(words))
    again = 2 * sum(one in question.places for one in solid) >= len(solid) > 0
    asked = ASKS.match(question.text[:MOST_READ]) and not YES.match(reference.text) and not NO.match(reference.text)
    return len(words) > 2 and bool(finite or again or asked)
