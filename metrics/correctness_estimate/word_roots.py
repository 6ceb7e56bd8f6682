"""What different words have in common: irregular forms, words made of others, and opposites."""

import re
from functools import cache

from .lexicon import IRREGULAR_PAST, NEGATIVE_PREFIX
from .opposites import opposites
from .lexicon import IRREGULAR_FORMS
from .text import stem_word

SHORTEST_ROOT = 3  # letters of a word that another is derived from
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
    if other in opposites().get(one, ()):
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
