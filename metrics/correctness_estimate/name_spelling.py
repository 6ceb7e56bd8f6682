"""Whether two words can be one name: short forms, spellings of one sound, derived words."""

import re

from .lexicon import NICKNAMES
from .text import SAME_SPELLING, compare_spelling, fold_sounds

# Endings that make another word of a name: Roman, Romanian. The digits are a footnote's.
SHORTEST_STEM = 5  # letters of a name that another is derived from
NAME_ENDING = re.compile(r"(?:a?n|ian|ean|ism|ist|ite|ese|ish|ic|ia|ria)s?|\d{1,3}")


def is_derived(one: str, other: str) -> bool:
    """Return whether one of two words is the other with an ending: Zoroastrian, Zoroastrianism."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < SHORTEST_STEM or not longer.startswith(shorter):
        return False
    return NAME_ENDING.fullmatch(longer[len(shorter) :]) is not None


def is_short_form(one: str, other: str) -> bool:
    """Return whether two given names are the same, or one may be short for the other."""
    if one == other or are_nicknames(one, other):
        return True
    if is_pet_form(one, other) or is_pet_form(other, one):
        return True
    return one[0] == other[0] and min(len(one), len(other)) <= 2


def are_nicknames(one: str, other: str) -> bool:
    """Return whether two given names are usual forms of one: Bill, William."""
    return any({one, other} <= names for names in NICKNAMES)


PET_ENDING = re.compile(r"([a-z])\1?(?:y|ie)$")
SHORTEST_PET_FORM = 3  # letters without the ending


def is_pet_form(one: str, other: str) -> bool:
    """Return whether a given name is short for another, with -y or -ie behind it: Lizzy, Eddie."""
    short = PET_ENDING.sub(r"\1", one)
    if short == one or len(short) < SHORTEST_PET_FORM:
        return False
    return are_nicknames(short, other)


def is_same_given_name(one: str, other: str) -> bool:
    """Return whether two given names can be one: an initial, a short form, another spelling."""
    if is_short_form(one, other):
        return True
    if has_other_ending(one, other):
        return False
    has_same_beginning = one.startswith(other[:4]) or other.startswith(one[:4])
    return has_same_beginning or sounds_alike(one, other)


GENDERED_ENDING = re.compile(r"(?:ia|[aeo]|ie)$")


def has_other_ending(one: str, other: str) -> bool:
    """Return whether only the last vowel makes two names of one: Mario, Maria."""
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
# Costs of a change in an edit distance, in which any other change costs 1.
ANOTHER_VOWEL = 0.3
NEAR_SOUND = 0.4
FARTHEST = 0.2  # the largest distance of two spellings of a long name, per letter
LONGEST_SOUND = 30  # letters of a name that are read
SHORTEST_SOUND = 4  # letters by sound: a shorter name has one spelling
LONG_NAME = 6  # letters by sound: for a shorter name half of FARTHEST holds


def sounds_alike(one: str, other: str) -> bool:
    """Return whether two words are spellings of one name: Qaddafi, Gaddafi; Mohammed, Muhammad.

    Their letters are alike, or their edit distance by sound is small. In this distance another
    vowel or a near consonant costs less than another letter.
    """
    if compare_spelling(one, other) >= SAME_SPELLING:
        return True
    if min(len(one), len(other)) < SHORTEST_SOUND:
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
    """Return the edit distance of two words, with the costs of changed and dropped letters."""
    # row[j] is the distance of the letters of `one` read so far and the first j of `other`.
    row = [float(j) for j in range(len(other) + 1)]
    for i, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], float(i)
        for j, other_letter in enumerate(other, 1):
            changed = diagonal + change_cost(letter, other_letter)
            dropped = row[j] + drop_cost(letter)
            added = row[j - 1] + drop_cost(other_letter)
            diagonal = row[j]
            row[j] = min(changed, dropped, added)
    return row[-1]


def change_cost(one: str, other: str) -> float:
    """Return the cost of a change of one letter into another, 0..1."""
    if one == other:
        return 0.0
    if one in VOWELS and other in VOWELS:
        return ANOTHER_VOWEL
    return NEAR_SOUND if one + other in NEAR_SOUNDS else 1.0


def drop_cost(letter: str) -> float:
    """Return the cost of a letter that is left out: less for a vowel or an h."""
    return NEAR_SOUND if letter in VOWELS or letter == "h" else 1.0
