"""Decide by what a number counts: 3 eggs and 3 bananas, 3 small boxes and 3 large ones."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .lexicon import PREPOSITIONS, STOP_WORDS
from .opposites import are_opposite_words, have_same_stem
from .outcomes import LIKELY, UNLIKELY, Decision
from .quantities import Quantity
from .relations import has_same_beginning
from .synonyms import are_synonyms
from .text import Text

# Words behind a number that name no thing of their own: three large ones.
GENERAL_THINGS = frozenset(
    "ones pieces units items copies others times things bucks quid grand degrees points".split()
)
SHORTEST_PLURAL = 4  # letters
OTHER_PLURALS = frozenset("sheep fish deer mice geese feet teeth oxen".split())


# Beings of which the question may name the sort: 40 guests, where it asks how many children.
GENERAL_BEINGS = frozenset("people persons humans animals guests visitors members".split())
MEASURES = frozenset("measure volume mass length".split())  # dimensions


def decide_counted_thing(
    answer: Text,
    reference: Text,
    question: Text,
    same: Sequence[Quantity],
) -> Decision | None:
    """Return UNLIKELY if an answer has the right number, but counts something else, or None.

    "5 stations" are no "5 km", and neither three bananas nor three cups are "three eggs". LIKELY,
    which is less sure than EQUAL, if only the question tells what is counted.
    """
    expected = reference.quantities[0]
    counts_thing = bool(read_counted_thing(reference, expected))
    if counts_thing and all(value.dimension in MEASURES for value in same):
        return Decision(UNLIKELY, "unit", same[0].text, reference.text.strip())
    things = [read_counted_thing(answer, value) for value in same]
    if not all(things) or any(is_known_thing(thing, reference, question) for thing in things):
        return None
    found, shown = f"{same[0].text} {things[0]}", reference.text.strip()
    if expected.dimension or counts_thing:
        return Decision(UNLIKELY, "unit" if expected.dimension else "name", found, shown)
    return Decision(LIKELY, "name", found, shown) if is_unasked(answer, question) else None


def is_unasked(answer: Text, question: Text) -> bool:
    """Return whether an answer has none of the things behind "how many": 12 tigers for lions."""
    things = list_asked_things(question)
    if not things or not GENERAL_BEINGS.isdisjoint(answer.words):
        return False
    return not any(have_same_stem(word, thing) for word in answer.words for thing in things)


def list_asked_things(question: Text) -> list[str]:
    """Return the two words behind "how many", none if neither is a plural: how many lions."""
    for i, pair in enumerate(pairwise(question.words)):
        if pair == ("how", "many"):
            things = question.words[i + 2 : i + 4]
            return things if any(map(is_plural, things)) else []
    return []


def is_plural(word: str) -> bool:
    """Return whether a word may be the plural of a noun: eggs, sheep."""
    has_ending = word.endswith("s") and not word.endswith("ss") and len(word) >= SHORTEST_PLURAL
    return (has_ending and word not in STOP_WORDS) or word in OTHER_PLURALS


LONGEST_COUNT = 3  # words of a reference that is a number and a thing
LONGEST_COUNTING = 6  # words of an answer that is the same


def decide_other_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if a short answer counts another thing than a reference: two bags, two boxes.

    None for a thing that the question names, or for a synonym.
    """
    if len(reference.quantities) != 1 or len(answer.quantities) != 1:
        return None
    if len(reference.words) > LONGEST_COUNT or len(answer.words) > LONGEST_COUNTING:
        return None
    expected, value = reference.quantities[0], answer.quantities[0]
    thing, found = read_counted_thing(reference, expected), read_counted_thing(answer, value)
    if not thing or not found or value.written != expected.written:
        return None
    if thing in answer.first_place or is_known_thing(found, reference, question):
        return None
    return Decision(UNLIKELY, "name", answer.text.strip(), reference.text.strip())


def read_counted_thing(answer: Text, value: Quantity) -> str:
    """Return the plural right behind a plain number, or behind one word: 3 eggs, 3 large eggs."""
    place = find_counted_thing(answer, value)
    return "" if place is None else answer.words[place]


def find_counted_thing(answer: Text, value: Quantity) -> int | None:
    """Return the place of the plural right behind a plain number or behind one word, or None."""
    if value.dimension or value.kind == "date":
        return None
    last = answer.words_between(value.start, value.end).stop - 1
    if answer.text[value.end : value.end + 1] == "-":
        return None  # a three-part series
    for i in (last + 1, last + 2):
        is_inside = i < len(answer.words) and answer.clause[i] == answer.clause[last]
        word = answer.words[i] if is_inside else ""
        if not word.isalpha() or word in STOP_WORDS or word in PREPOSITIONS:
            return None
        if is_plural(word):
            return i
    return None


def is_known_thing(thing: str, reference: Text, question: Text) -> bool:
    """Return whether a thing is named in a question or reference, or could be any thing."""
    if thing in GENERAL_THINGS:
        return True
    words = (*question.distinct, *reference.distinct)
    return any(have_same_stem(word, thing) or are_synonyms(word, thing) for word in words)


# Words before a counted thing that do not tell which sort it is: different boxes, official games.
GENERAL_SORTS = frozenset(
    "different distinct separate individual total overall full whole single main own official "
    "actual additional extra further more possible available many much several few "
    "some any all".split()
)


def decide_counted_sort(
    answer: Text, reference: Text, question: Text, same: Sequence[Quantity]
) -> Decision | None:
    """Return UNLIKELY if an answer counts another sort of the asked thing, or None.

    "3 large boxes" are no "3 small boxes". LIKELY if its sort may be another word for the asked
    one, or one more: 3 wooden boxes.
    """
    sorts = [read_other_sort(answer, value, reference, question) for value in same]
    other = sorts[0]
    if not other or not all(sorts):
        return None
    is_clear = are_other_sorts(other.found, other.asked)
    outcome = UNLIKELY if is_clear else LIKELY
    return Decision(outcome, "name", f"{same[0].text} {other.found}", other.asked)


class OtherSort(NamedTuple):
    """The word before a counted thing, and the one that the question or the reference has there.

    Attributes:
        found: the word of the answer.
        asked: the word of the question or the reference.
    """

    found: str
    asked: str


def read_other_sort(
    answer: Text, value: Quantity, reference: Text, question: Text
) -> OtherSort | None:
    """Return the sort of thing that an answer counts with a value, if another one is asked for.

    The word before the thing must be new, and the asked one must be missing in the answer.
    """
    thing = find_counted_thing(answer, value)
    last = answer.words_between(value.start, value.end).stop - 1
    if thing != last + 2:
        return None
    found = answer.words[thing - 1]
    known = (*question.stems, *reference.stems)
    is_known = any(has_same_beginning(answer.stems[thing - 1], stem) for stem in known)
    if is_known or found in GENERAL_SORTS:
        return None
    for text in (reference, question):
        asked = read_sort(text, answer.words[thing])
        if asked and asked not in answer.first_place and not are_synonyms(found, asked):
            place = text.first_place[asked]
            return OtherSort(answer.shown[thing - 1], text.shown[place])
    return None


COLOURS = frozenset(
    "black white red green blue yellow brown grey gray orange pink purple violet".split()
)
DEMONYM = re.compile(r"[A-Z][a-z]+(?:an|ish|ese|ench|utch)$")  # German, British, Chinese


def are_other_sorts(one: str, other: str) -> bool:
    """Return whether two words exclude each other: opposites, colours, countries."""
    if are_opposite_words(one.lower(), other.lower()) or {one.lower(), other.lower()} <= COLOURS:
        return True
    return bool(DEMONYM.match(one) and DEMONYM.match(other))


def read_sort(text: Text, thing: str) -> str:
    """Return the word before a thing in a text, "" if it tells no sort: small boxes."""
    for i, word in enumerate(text.words):
        if i and have_same_stem(word, thing) and text.clause[i] == text.clause[i - 1]:
            before = text.words[i - 1]
            is_sort = before.isalpha() and before not in STOP_WORDS | PREPOSITIONS | GENERAL_SORTS
            return before if is_sort and text.find_quantity(i - 1) is None else ""
    return ""
