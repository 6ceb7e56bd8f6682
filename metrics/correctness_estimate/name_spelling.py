"""Whether two words can be one name: short forms, spellings of one sound, derived words."""

import re

from .lexicon import NICKNAMES
from .text import SAME_SPELLING, compare_spelling, fold_sounds

# What makes another word of a name; the digits are a footnote's.
SHORTEST_STEM = 5  # letters of a name that another is derived from
NAME_ENDING = re.compile(r"(?:a?n|ian|ean|ism|ist|ite|ese|ish|ic|ia|ria)s?|\d{1,3}")


def is_derived(one: str, other: str) -> bool:
    """Return whether one of two words is the other with an ending: Zoroastrian, Zoroastrianism."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < SHORTEST_STEM or not longer.startswith(shorter):
        return False
    return NAME_ENDING.fullmatch(longer[len(shorter) :]) is not None


def is_short_form(one: str, other: str) -> bool:
    """Return whether two given names are the same, or one is short for the other."""
    if one == other or any({one, other} <= names for names in NICKNAMES):
        return True
    if is_pet_form(one, other) or is_pet_form(other, one):
        return True
    return one[0] == other[0] and min(len(one), len(other)) <= 2


PET_ENDING = re.compile(r"([a-z])\1?(?:y|ie)$")
SHORTEST_PET_FORM = 3  # letters without the ending


def is_pet_form(one: str, other: str) -> bool:
    """Return whether a given name is short for another, with -y or -ie behind it: Lizzy, Eddie."""
    short = PET_ENDING.sub(r"\1", one)
    if short == one or len(short) < SHORTEST_PET_FORM:
        return False
    return any({short, other} <= names for names in NICKNAMES)


def is_same_given_name(one: str, other: str) -> bool:
    """Return whether two given names can be one: an initial, a short form, another spelling."""
    if is_short_form(one, other):
        return True
    if has_other_ending(one, other):
        return False
    return one.startswith(other[:4]) or other.startswith(one[:4]) or sounds_alike(one, other)


GENDERED_ENDING = re.compile(r"(?:ia|[aeo]|ie)$")


def has_other_ending(one: str, other: str) -> bool:
    """Return whether two given names differ in a last vowel: Mario and Maria are two names."""
    if one == other:
        return False
    shorter, longer = sorted((fold_sounds(one), fold_sounds(other)), key=len)
    if longer == f"{shorter}a":
        return True  # Anthony, Antonia
    if GENDERED_ENDING.sub("", one) != GENDERED_ENDING.sub("", other):
        return False
    return "a" in (one[-1], other[-1]) and one[-1] != other[-1]


VOWELS = frozenset("aeiou")
NEAR_SOUNDS = frozenset({"gk", "kg", "dt", "td", "bp", "pb", "fv", "vf", "sz", "zs", "ck", "kc"})
# What a change of a letter costs.
ANOTHER_VOWEL = 0.3
NEAR_SOUND = 0.4
FARTHEST = 0.2  # the most that changes may cost, for each letter of a name
LONGEST_SOUND = 30  # letters that are read
SHORTEST_SOUND = 4  # letters of a name, by sound, that has other spellings
LONG_NAME = 6  # letters of a name that may be farther from its spelling


def sounds_alike(one: str, other: str) -> bool:
    """Return whether two words are spellings of one name: Qaddafi, Gaddafi; Mohammed, Muhammad.

    The edit distance of the two by sound, in which another vowel or a near consonant costs less, is
    small.
    """
    if compare_spelling(one, other) >= SAME_SPELLING:
        return True
    if min(len(one), len(other)) < 4:
        return one == other
    one, other = fold_sounds(one)[:LONGEST_SOUND], fold_sounds(other)[:LONGEST_SOUND]
    if change_cost(one[0], other[0]) == 1:
        return False
    length = min(len(one), len(other))
    if length < SHORTEST_SOUND:
        return one == other  # Hall is not Hill
    farthest = FARTHEST if length >= LONG_NAME else FARTHEST / 2
    return measure_sound_distance(one, other) <= length * farthest


def measure_sound_distance(one: str, other: str) -> float:
    """Return the edit distance of two words, by what it costs to change or drop each letter."""
    row = [float(i) for i in range(len(other) + 1)]
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], float(i)
        for j, b in enumerate(other, 1):
            changed = last + change_cost(a, b)
            last = row[j]
            row[j] = min(changed, last + drop_cost(a), row[j - 1] + drop_cost(b))
    return row[-1]


def change_cost(one: str, other: str) -> float:
    """Return what it costs to change one letter into another."""
    if one == other:
        return 0.0
    if one in VOWELS and other in VOWELS:
        return ANOTHER_VOWEL
    return NEAR_SOUND if one + other in NEAR_SOUNDS else 1.0


def drop_cost(letter: str) -> float:
    """Return what it costs to leave a letter out."""
    return NEAR_SOUND if letter in VOWELS or letter == "h" else 1.0
