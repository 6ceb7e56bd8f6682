"""Find the facts that an answer changes in a sentence of the reference, and nothing else.

A copied sentence with one changed fact has nearly all words of the reference, and contradicts it.
Such a fact stands in the slot of another fact. A slot is what stands around some words in their
sentence: two words before them and one after, or one before and two after. Auxiliary verbs and
negators are no part of a slot, so that "does not boil" stands in the slot of "boils".
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from .contradictions import SHORTEST_REFERENCE, Contradiction, find_span
from .equality import agree
from .lexicon import AUXILIARY, STOP_WORDS
from .text import Text, is_negator

LEAST_COMMON = 0.7  # the share of its words that a copied sentence has in common with its source
LONGEST_THING = 3  # words of a thing that changes its place with another
MOST_WORDS = 2000  # of a text in which such things are looked for
DENIAL_REACH = 2  # words between a denial's place and the slot of the denied word
# What stands between the items of a list, whose order says nothing.
JOINTS = frozenset("and or nor und oder y o et ou 和 与 或 及".split())
# A slot of such words alone is none: nearly anything can stand between "a" and "the".
EDGE_AND_STOP_WORDS = STOP_WORDS | {""}
ARTICLES = frozenset("a an the der die das".split())
# The next stems on one side; "" stands for the edge of the sentence.
Neighbours = tuple[str, ...]
Slot = tuple[Neighbours, Neighbours]
# The things in each slot of a text, with the place of their first word.
SlotIndex = dict[Slot, dict[str, int]]
# For each thing of an answer the others in whose slots it stands: the words of the thing in the
# answer, each with the first word of the other in the reference.
Replacements = dict[str, dict[str, dict[range, int]]]


def mark_edits(
    answer: Text, reference: Text, contradictions: Sequence[Contradiction]
) -> list[Contradiction]:
    """Return contradictions, with a mark on those that change a copied sentence.

    Things that have changed their places in a copied sentence are added. A reference of fewer than
    SHORTEST_REFERENCE words has none: roles.py compares it.
    """
    if len(reference.words) < SHORTEST_REFERENCE:
        return list(contradictions)
    exchanges = find_exchanges(answer, reference)
    exchanged = {place for exchange in exchanges for place in exchange.places}
    marked = list[Contradiction]()
    for contradiction in contradictions:
        is_exchanged = contradiction.found in exchanged
        if is_exchanged or is_edit(answer, reference, contradiction):
            contradiction = replace(contradiction, evidence=1.0, is_edit=True)
        marked.append(contradiction)
    known = {contradiction.found for contradiction in contradictions}
    for exchange in exchanges:
        if known.isdisjoint(exchange.places):
            found, expected = exchange.places[0], exchange.expected
            marked.append(Contradiction("swapped", 1.0, found, expected, is_edit=True))
    return marked


def is_edit(answer: Text, reference: Text, contradiction: Contradiction) -> bool:
    """Return whether a contradiction is all that a copied sentence changes there.

    If the answer has the expected fact, too, the sentence may only be turned round.
    """
    found, expected = contradiction.found, contradiction.expected
    if not is_copied_sentence(answer, found, reference, expected):
        return False
    if contradiction.kind == "denied":
        return is_denied_slot(answer, found, reference, expected)
    if contradiction.kind == "affirmed":
        return is_denied_slot(reference, expected, answer, found)
    has_expected = reference.stems[expected] in list_sentence_stems(answer, found)
    if has_expected or has_number(answer, reference, expected):
        return False
    slots = list_slots(answer, *find_span(answer, found))
    return not slots.isdisjoint(list_slots(reference, *find_span(reference, expected)))


def is_copied_sentence(answer: Text, found: int, reference: Text, expected: int) -> bool:
    """Return whether the sentences of two words have most of their words in common."""
    sentence = list_sentence_stems(answer, found)
    source = list_sentence_stems(reference, expected)
    common = len(sentence & source)
    return common >= LEAST_COMMON * max(len(sentence), len(source))


def list_sentence_stems(text: Text, i: int) -> set[str]:
    """Return the stems of the sentence of a word."""
    start = bisect_left(text.sentence, text.sentence[i])
    end = bisect_right(text.sentence, text.sentence[i])
    return set(text.stems[start:end])


def is_denied_slot(denying: Text, negator: int, other: Text, place: int) -> bool:
    """Return whether a negator stands in a slot that another text has near a place."""
    slots = list_slots(denying, negator, negator + 1)
    first, last = max(0, place - DENIAL_REACH), min(len(other.words), place + DENIAL_REACH)
    return any(not slots.isdisjoint(list_slots(other, i, i)) for i in range(first, last + 1))


def has_number(answer: Text, reference: Text, i: int) -> bool:
    """Return whether an answer has the number at a place of the reference, too."""
    for quantity in reference.quantities:
        if i in reference.words_between(quantity.start, quantity.end):
            return any(agree(quantity, other) for other in answer.quantities)
    return False


def list_slots(text: Text, start: int, end: int) -> set[Slot]:
    """Return the slots of a range of words.

    In Chinese, where a word is a single character, a slot has two words on either side.
    """
    sentence = text.sentence[min(start, len(text.words) - 1)]
    before = list_neighbours(text, range(start - 1, -1, -1), sentence)
    after = list_neighbours(text, range(end, len(text.words)), sentence)
    slots = {(before, after)}
    if not text.is_chinese:
        slots |= {(before, after[:1]), (before[:1], after)}
    return {slot for slot in slots if not EDGE_AND_STOP_WORDS.issuperset(slot[0] + slot[1])}


def list_neighbours(text: Text, places: range, sentence: int) -> Neighbours:
    """Return the first two stems at some places of a sentence."""
    stems = list[str]()
    for i in places:
        if text.sentence[i] != sentence:
            break
        if text.words[i] in AUXILIARY or is_negator(text.words[i]):
            continue
        stems.append(text.stems[i])
        if len(stems) == 2:
            return tuple(stems)
    return (*stems, "", "")[:2]


# ---- things that have changed their places


class Exchange(NamedTuple):
    """Two things of an answer, each in the slot of the other.

    Attributes:
        places: their first words in the answer.
        expected: the first word of what the reference has in place of the first thing.
    """

    places: tuple[int, int]
    expected: int


def find_exchanges(answer: Text, reference: Text) -> list[Exchange]:
    """Return the pairs of things that have changed their places in a copied sentence."""
    exchanges = list[Exchange]()
    if not has_most_words(answer, reference):
        return exchanges
    replaced = find_replaced_things(answer, index_slots(reference))
    known_words = set[str]()
    # Of "value above" and "above", the shorter thing is the one that has changed its place.
    for thing in sorted(replaced, key=lambda thing: len(thing.split())):
        for other, places in replaced[thing].items():
            back = replaced.get(other, {}).get(thing, {})
            if not back or (len(places) > 1 and len(back) > 1):
                continue  # two exchanges may be none: A rises if B falls, A falls if B rises
            here, expected = next(iter(places.items()))
            there = next(iter(back))
            words = set(thing.split()) | set(other.split())
            is_new = known_words.isdisjoint(words) and not is_enumeration(answer, here, there)
            if is_new and is_copied_sentence(answer, here.start, reference, expected):
                known_words |= words
                exchanges.append(Exchange((here.start, there.start), expected))
    return exchanges


def has_most_words(answer: Text, reference: Text) -> bool:
    """Return whether a text of at most MOST_WORDS words has most of its words from another."""
    if max(len(answer.words), len(reference.words)) > MOST_WORDS:
        return False
    common = sum(stem in reference.places for stem in answer.stems)
    return common >= LEAST_COMMON * len(answer.stems)


def index_slots(text: Text) -> SlotIndex:
    """Return the things of a text by their slots."""
    index = SlotIndex()
    for start, end in list_things(text):
        thing = " ".join(text.stems[start:end])
        for slot in list_slots(text, start, end):
            index.setdefault(slot, {}).setdefault(thing, start)
    return index


def find_replaced_things(answer: Text, index: SlotIndex) -> Replacements:
    """Return which things of an answer stand in slots of other things of the reference.

    A thing that also stands in a slot of its own is left out.
    """
    replaced = Replacements()
    in_own_slot = set[str]()
    for start, end in list_things(answer):
        thing = " ".join(answer.stems[start:end])
        for slot in list_slots(answer, start, end):
            things = index.get(slot, {})
            is_whole = len(slot[0]) == len(slot[1])
            if thing in things and (is_whole or len(things) == 1):
                in_own_slot.add(thing)
            for other, place in things.items():
                places = replaced.setdefault(thing, {}).setdefault(other, {})
                places[range(start, end)] = place
    return {thing: others for thing, others in replaced.items() if thing not in in_own_slot}


def is_enumeration(text: Text, one: range, other: range) -> bool:
    """Return whether two things of a text are items of a list (red, green and blue), or overlap."""
    first, last = sorted((one, other), key=lambda words: words.start)
    if first.stop >= last.start:
        return True
    before = last.start - 1
    if text.words[before] in ARTICLES:
        before -= 1
    is_followed = text.clause[first.stop] != text.clause[first.stop - 1]
    is_preceded = text.clause[before] != text.clause[last.start]
    return (is_followed or text.words[first.stop] in JOINTS) and (
        is_preceded or text.words[before] in JOINTS
    )


def list_things(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the ranges of words of a sentence that can be a thing.

    Such a range has at most LONGEST_THING words, and begins and ends with a telling word.
    """
    is_telling = [word not in STOP_WORDS and not is_negator(word) for word in text.words]
    for start in range(len(text.words)):
        for end in range(start + 1, min(start + LONGEST_THING, len(text.words)) + 1):
            is_inside = text.sentence[end - 1] == text.sentence[start]
            if is_inside and is_telling[start] and is_telling[end - 1]:
                yield start, end
