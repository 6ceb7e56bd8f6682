"""Which words are opposites, and which say the same.

It tells by the pairs of lexicon.py, by prefixes, and by the direction of a change.
"""

from functools import cache, lru_cache

from .lexicon import (
    CHINESE_OPPOSITES,
    DIRECTIONS,
    ENGLISH_OPPOSITES,
    IRREGULAR_PAST,
    NEGATIVE_PREFIX,
)
from .text import stem_word

SHORTEST_ROOT = 3  # letters
UP, DOWN = (frozenset(map(stem_word, words.split())) for words in DIRECTIONS)


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem."""
    found: dict[str, set[str]] = {}
    pairs = [
        *ENGLISH_OPPOSITES.replace("\n", " ").split(","),
        *map(" ".join, CHINESE_OPPOSITES.split()),
    ]
    for pair in pairs:
        one, other = map(stem_word, pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in found.items()}


@lru_cache(maxsize=4096)
def list_forms(word: str) -> frozenset[str]:
    """Return the stems that stand for a word: its own, that of a verb's base, of a word in it."""
    found = {stem_word(word)}
    if word in IRREGULAR_PAST:
        found.add(stem_word(IRREGULAR_PAST[word]))
    for suffix in ("ful", "er"):
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_ROOT:
            found.add(stem_word(word.removesuffix(suffix)))
    stem = stem_word(word)
    if len(stem) > SHORTEST_ROOT and stem[-1] == stem[-2]:
        found.add(stem[:-1])  # repelled
    return frozenset(found)


@lru_cache(maxsize=4096)
def list_known_opposites(word: str) -> frozenset[str]:
    """Return the stems of a word's opposites."""
    found = set[str]()
    for stem in list_forms(word):
        found |= opposites().get(stem, frozenset())
    for one, other in (("ful", "less"), ("less", "ful")):
        if word.endswith(one):
            found.add(stem_word(word.removesuffix(one) + other))
    for side, contrary in ((UP, DOWN), (DOWN, UP)):
        if not side.isdisjoint(list_forms(word)):
            found |= contrary
    return frozenset(found)


def list_contrary_stems(word: str) -> frozenset[str]:
    """Return the stems of a word's opposites, and that of the word without a negating prefix."""
    bare = NEGATIVE_PREFIX.sub("", word)
    known = list_known_opposites(word)
    return known if bare == word else known | {stem_word(bare)}


def are_opposite(one: str, other: str) -> bool:
    """Return whether two words are opposites, or one is the other with a negating prefix."""
    if not list_contrary_stems(one).isdisjoint(list_forms(other)):
        return True
    bare = NEGATIVE_PREFIX.sub("", one), NEGATIVE_PREFIX.sub("", other)
    return one != other and (bare[0] == other or bare[1] == one)


def have_same_stem(one: str, other: str) -> bool:
    """Return whether two words are forms of one."""
    return not list_forms(one).isdisjoint(list_forms(other))


def say_same(one: str, other: str) -> bool:
    """Return whether two words say the same: they have an opposite in common."""
    return not list_contrary_stems(one).isdisjoint(list_contrary_stems(other))
