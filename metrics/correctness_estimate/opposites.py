"""Which words are opposites, and which say the same.

It tells by the pairs of lexicon.py, by prefixes, and by the direction of a change.
"""

import re
from functools import cache, lru_cache

from .lexicon import (
    CHINESE_OPPOSITES,
    DIRECTIONS,
    ENGLISH_OPPOSITES,
    EUROPEAN_OPPOSITES,
    IRREGULAR_FORMS,
    IRREGULAR_PAST,
    NEGATIVE_PREFIX,
)
from .text import fold_word, stem_word

SHORTEST_ROOT = 3  # letters
UP, DOWN = (frozenset(map(stem_word, words.split())) for words in DIRECTIONS)


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem."""
    found: dict[str, set[str]] = {}
    pairs = [
        *ENGLISH_OPPOSITES.replace("\n", " ").split(","),
        *EUROPEAN_OPPOSITES.replace("\n", " ").split(","),
        *map(" ".join, CHINESE_OPPOSITES.split()),
    ]
    for pair in pairs:
        one, other = (stem_word(fold_word(word)) for word in pair.split())
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
        found |= list_opposite_stems(stem)
    for one, other in (("ful", "less"), ("less", "ful")):
        if word.endswith(one):
            found.add(stem_word(word.removesuffix(one) + other))
    return frozenset(found)


def has_opposite(word: str) -> bool:
    """Return whether a word has a known opposite."""
    return bool(list_known_opposites(word))


def list_opposite_stems(stem: str) -> frozenset[str]:
    """Return the opposites of a stem, by the pairs and by the direction of a change."""
    found = opposites().get(stem, frozenset())
    for side, contrary in ((UP, DOWN), (DOWN, UP)):
        if stem in side:
            found |= contrary
    return found


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


# ---- roots

# Questions for yes or no compare roots: of pay and payment one is made from the other.

DERIVING = re.compile(
    r"(?:e?d|e?n|e?s|e?r|ing|ments?|[ai]?tions?|ors?|ers?|ful|fully|able|abl|ibl|al|ive?|ous"
    r"|it[iy]|nes+|y|i|ists?"
    r"|ship|dom|[ae]nc|graphi|i?c)"
)
LESS = re.compile(r"less(?:ness)?$|free?$")
FULL = re.compile(r"ful+$|y$|i$")
COUNT_WORDS = {
    "once": "1",
    "twice": "2",
    "thrice": "3",
    "one": "1",
    "single": "1",
    "both": "2",
    "double": "2",
}


@cache
def find_root(word: str) -> str:
    """Return the stem of a word, of an irregular form that of its verb."""
    word = COUNT_WORDS.get(word, word)
    return stem_word(IRREGULAR_FORMS.get(word) or IRREGULAR_PAST.get(word) or word)


def is_derived(one: str, other: str) -> bool:
    """Return whether one root is made from the other: pay and payment."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if (
        len(shorter) < SHORTEST_ROOT
        or shorter[0].isdigit()
        or shorter[:SHORTEST_ROOT] != longer[:SHORTEST_ROOT]
    ):
        return False
    if longer.startswith(shorter):
        return DERIVING.fullmatch(longer[len(shorter) :]) is not None
    # creat(e) and creation, tru(e) and truth, photograph and photographi
    cut = shorter[:-1]
    return (
        len(cut) > SHORTEST_ROOT
        and longer.startswith(cut)
        and bool(DERIVING.fullmatch(longer[len(cut) :]))
    )


def are_opposite_roots(one: str, other: str) -> bool:
    """Return whether two roots are opposites: by the table, a negating prefix, or "-less"."""
    if other in list_opposite_stems(one):
        return True
    for a, b in ((one, other), (other, one)):
        bare = NEGATIVE_PREFIX.sub("", a)
        if bare != a and not is_derived(a, b) and is_derived(bare, b):
            return True
    endings = [LESS.sub("", root) for root in (one, other)]
    if (endings[0] != one) == (endings[1] != other):
        return False
    plain = [FULL.sub("", root) for root in endings]
    return min(map(len, plain)) >= SHORTEST_ROOT and is_derived(*plain)


def is_same_degree(one: str, other: str) -> bool:
    """Return whether two roots are forms of one adjective: higher and highest."""
    return cut_degree(one) == cut_degree(other)


def cut_degree(root: str) -> str:
    """Return an adjective without the ending of its comparative or superlative."""
    bare = re.sub(r"(?:i?er|i?est)$", "", root)
    if len(bare) < SHORTEST_ROOT - 1:
        return root
    return re.sub(r"(.)\1$", r"\1", bare)
