"""Which words are opposites, and which say the same.

Opposites are the pairs of lexicon.py, words with and without a negating prefix (safe, unsafe), with
contrary prefixes (overpaid, underpaid), and words for a change up and a change down (rise, drop).

Statements compare words (`are_opposite_words`). Questions for yes or no compare roots
(`are_opposite_roots`): "pay" and "payment" have related roots, and an opposite of one is an
opposite of the other.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from .lexicon import (
    CHINESE_OPPOSITES,
    CONTRARY_PREFIXES,
    DIRECTIONS,
    ENGLISH_OPPOSITES,
    EUROPEAN_OPPOSITES,
    IRREGULAR_FORMS,
    IRREGULAR_PAST,
    NEGATIVE_PREFIX,
    NEGATIVE_PREFIXES,
    SENSES,
)
from .text import HAN, RECENT_TEXTS, Text, fold_word, stem_word

SHORTEST_ROOT = 3  # letters
SHORTEST_REST = 4  # letters of a word behind its prefix
UP, DOWN = (frozenset(map(stem_word, words.split())) for words in DIRECTIONS)


@cache
def map_opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem of the pairs in lexicon.py."""
    opposites: dict[str, set[str]] = {}
    pairs = [
        *ENGLISH_OPPOSITES.replace("\n", " ").split(","),
        *EUROPEAN_OPPOSITES.replace("\n", " ").split(","),
        *map(" ".join, CHINESE_OPPOSITES.split()),
    ]
    for pair in pairs:
        one, other = (stem_word(fold_word(word)) for word in pair.split())
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in opposites.items()}


@lru_cache(maxsize=4096)
def list_forms(word: str) -> frozenset[str]:
    """Return the stems that stand for a word.

    They are its own, that of a verb's base (rose, rise), and that of a word with -ful, -er or -est
    added (helpful, help; safer, safe).
    """
    stem = stem_word(word)
    stems = {stem}
    stems.add(stem_word(find_base(word)))
    for suffix in ("ful", "er", "est"):
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_ROOT:
            bare = word.removesuffix(suffix)
            stems |= {stem_word(bare), stem_word(bare + "e")}
    if len(stem) > SHORTEST_ROOT and stem[-1] == stem[-2]:
        stems.add(stem[:-1])  # repelled
    return frozenset(stems)


@lru_cache(maxsize=4096)
def list_known_opposites(word: str) -> frozenset[str]:
    """Return the stems of a word's opposites: the known ones, and -less for -ful."""
    stems = set[str]()
    for stem in list_forms(word):
        stems |= list_opposite_stems(stem)
    for ending, opposite in (("ful", "less"), ("less", "ful")):
        if word.endswith(ending):
            stems.add(stem_word(word.removesuffix(ending) + opposite))
    return frozenset(stems)


def has_opposite(word: str) -> bool:
    """Return whether a word has a known opposite."""
    return bool(list_known_opposites(word))


def list_opposite_stems(stem: str) -> frozenset[str]:
    """Return the opposites of a stem: those of the pairs, and changes in the other direction."""
    stems = map_opposites().get(stem, frozenset())
    if stem in UP:
        stems |= DOWN
    if stem in DOWN:
        stems |= UP
    return stems


def strip_negative_prefix(word: str) -> str:
    """Return a word without a negating prefix: safe for unsafe."""
    if not word.startswith(NEGATIVE_PREFIXES):
        return word
    return NEGATIVE_PREFIX.sub("", word)


@lru_cache(maxsize=RECENT_TEXTS)
def list_bare_words(text: Text) -> dict[int, str]:
    """Return the places of words with a negating prefix, each with the word without the prefix."""
    bare_words = dict[int, str]()
    for i, word in enumerate(text.words):
        bare = strip_negative_prefix(word)
        if bare != word:
            bare_words[i] = bare
    return bare_words


@lru_cache(maxsize=4096)
def list_contrary_stems(word: str) -> frozenset[str]:
    """Return the stems of a word's opposites, and of the word with another prefix or without it."""
    bare = strip_negative_prefix(word)
    stems = list_known_opposites(word).union(map(stem_word, swap_prefix(word)))
    return stems if bare == word else stems | {stem_word(bare)}


def swap_prefix(word: str) -> list[str]:
    """Return a word with the contrary of its prefix: overpaid for underpaid.

    Not each of them is a word.
    """
    swapped = list[str]()
    for prefix, contrary in CONTRARY_PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= SHORTEST_REST:
            swapped.append(contrary + rest)
    return swapped


def are_opposite_words(one: str, other: str) -> bool:
    """Return whether two words are opposites, or one is the other with a negating prefix."""
    if not list_contrary_stems(one).isdisjoint(list_forms(other)):
        return True
    if one == other:
        return False
    return strip_negative_prefix(one) == other or strip_negative_prefix(other) == one


def may_have_opposites(text: Text, other: Text) -> bool:
    """Return whether a word of a text may be an opposite of a word of another text.

    This takes less time than to compare each pair of words.
    """
    contrary_stems = set[str]().union(*map(list_contrary_stems, text.words))
    if any(not contrary_stems.isdisjoint(list_forms(word)) for word in other.words):
        return True
    return not text.first_place.keys().isdisjoint(list_bare_words(other).values())


def have_same_stem(one: str, other: str) -> bool:
    """Return whether two words are forms of the same word."""
    return not list_forms(one).isdisjoint(list_forms(other))


def say_same(one: str, other: str) -> bool:
    """Return whether two words say the same: they have an opposite in common."""
    return not list_contrary_stems(one).isdisjoint(list_contrary_stems(other))


# ---- roots

# Endings that make a word from another: pay and payment, poison and poisonous.
DERIVING = re.compile(
    r"(?:e?d|e?n|e?s|e?r|ing|ments?|[ai]?tions?|ors?|ers?|ful|fully|able|abl|ibl|al|ive?|ous"
    r"|it[iy]|nes+|y|i|ists?"
    r"|ship|dom|[ae]nc|graphi|i?c)"
)
LESS = re.compile(r"less(?:ness)?$|free?$")  # harmless, sugar-free
FULL = re.compile(r"ful+$|y$|i$")  # harmful, sugary
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
    """Return the stem of a word, or of its verb if the word is an irregular form."""
    return stem_word(find_base(COUNT_WORDS.get(word, word)))


def find_base(word: str) -> str:
    """Return the verb or noun of an irregular form, or the word itself: broken, break."""
    return IRREGULAR_FORMS.get(word) or IRREGULAR_PAST.get(word) or word


def is_derived(one: str, other: str) -> bool:
    """Return whether one root is made from the other: pay and payment."""
    if one == other:
        return True
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < SHORTEST_ROOT or shorter[0].isdigit():
        return False
    if shorter[:SHORTEST_ROOT] != longer[:SHORTEST_ROOT]:
        return False
    if longer.startswith(shorter):
        return has_deriving_ending(longer, shorter)
    # creat(e) and creation, tru(e) and truth, photograph(y) and photographic
    cut = shorter[:-1]
    return len(cut) > SHORTEST_ROOT and longer.startswith(cut) and has_deriving_ending(longer, cut)


def has_deriving_ending(root: str, beginning: str) -> bool:
    """Return whether an ending that makes words follows the beginning of a root."""
    return DERIVING.fullmatch(root[len(beginning) :]) is not None


def are_opposite_roots(one: str, other: str) -> bool:
    """Return whether two roots are opposites: by the pairs, a negating prefix, or "-less"."""
    if other in list_opposite_stems(one):
        return True
    return adds_prefix(one, other) or adds_prefix(other, one) or adds_less(one, other)


def adds_prefix(one: str, other: str) -> bool:
    """Return whether a root is made from another by a negating prefix: unsafe, safe."""
    bare = strip_negative_prefix(one)
    return bare != one and not is_derived(one, other) and is_derived(bare, other)


def adds_less(one: str, other: str) -> bool:
    """Return whether only one of two related roots ends in "-less" or "-free": harmless, harm."""
    cut_one, cut_other = LESS.sub("", one), LESS.sub("", other)
    if (cut_one != one) == (cut_other != other):
        return False
    bare_one, bare_other = FULL.sub("", cut_one), FULL.sub("", cut_other)
    return min(len(bare_one), len(bare_other)) >= SHORTEST_ROOT and is_derived(bare_one, bare_other)


def is_same_degree(one: str, other: str) -> bool:
    """Return whether two roots are forms of one adjective: higher and highest."""
    return cut_degree(one) == cut_degree(other)


def cut_degree(root: str) -> str:
    """Return an adjective without the ending of its comparative or superlative."""
    bare = re.sub(r"(?:i?er|i?est)$", "", root)
    if len(bare) < SHORTEST_ROOT - 1:
        return root
    return re.sub(r"(.)\1$", r"\1", bare)


# ---- senses

# A sense has two sides, two opposite states, each with its words and phrases: open, shut.
Sense = tuple[re.Pattern[str], re.Pattern[str]]


@cache
def compile_senses() -> list[Sense]:
    """Return the two sides of each sense as patterns."""
    senses = list[Sense]()
    for line in SENSES.replace("|\n ", "| ").replace("\n ", " ").strip().splitlines():
        one, _, other = line.partition("|")
        senses.append((compile_side(one), compile_side(other)))
    return senses


def compile_side(words: str) -> re.Pattern[str]:
    """Return the words of one side of a sense as a pattern.

    "*" stands for any ending, "_" for a space with up to two words more.
    """
    forms = list[str]()
    for word in sorted(words.split(), key=len, reverse=True):
        if HAN.match(word):
            forms.append(word)
        else:
            form = word.replace("*", r"\w*").replace("_", r"\s(?:(?!not)\w+\s){0,2}?")
            forms.append(rf"(?<![\w-]){form}(?![\w-])")
    return re.compile("|".join(forms))


def choose_side(matches: Sequence[re.Match[str] | None]) -> int | None:
    """Return which of two matches is the only one or contains the other: 0, 1 or None.

    "costs nothing" contains "costs".
    """
    one, other = matches
    if one and other:
        if one.start() <= other.start() and other.end() <= one.end():
            return 0
        return 1 if other.start() <= one.start() and one.end() <= other.end() else None
    if one:
        return 0
    return 1 if other else None
