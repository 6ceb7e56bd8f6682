"""Find the facts that an answer changes in a sentence of the reference, and nothing else.

A copied sentence with one changed fact has nearly all words of the reference, and contradicts it.
Such a fact stands in the slot of another fact. The slot of some words is what stands around them in
their sentence: two words before them and one after, or one before and two after. Auxiliary verbs
and negators are no part of a slot, so that "does not boil" stands in the slot of "boils".

A value is looked for in a reworded sentence, too: "it opened in 1923" beside "opened in 1932".
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from .contradictions import (
    MOST_FACTS,
    SHORTEST_REFERENCE,
    Contradiction,
    find_span,
    is_harmless,
    list_likely_places,
)
from .contraries import list_prefixed_words
from .denials import is_content, list_denied_words
from .equality import agree
from .facts import count_same_parts, may_mean
from .lexicon import AUXILIARY, STOP_WORDS, TURNING_WORDS
from .opposites import list_opposite_stems
from .quantities import Quantity
from .text import RECENT_TEXTS, Text, is_negator

LEAST_COMMON = 0.7  # the share of its words that a copied sentence has in common with its source
LONGEST_THING = 3  # words of a thing that changes its place with another
MOST_THINGS = 6  # things of a text that stand in one slot: with more, the slot tells nothing
MOST_WORDS = 2000  # words of a text in which such things are looked for
DENIAL_KINDS = frozenset({"denied", "affirmed"})  # find_edited_denials finds them in copies
NEIGHBOUR_REACH = 3  # words between a value and a telling word that says what it counts
REWORDED_EVIDENCE = 0.6  # that a reworded sentence is all the same but for a value
TURNS = TURNING_WORDS | {"and", "且"}  # words behind which a denial ends
# Words that are no part of a slot, besides negators: 是 and 的 only stress what follows them.
NO_SLOT_WORDS = AUXILIARY | frozenset("是的了有并也都")
# What stands between the items of a list, whose order says nothing.
JOINTS = frozenset("and or nor und oder y o et ou 和 与 或 及".split())
EDGE = ""  # stands for the word beyond the first or the last of a sentence
# Three such words are no slot: nearly anything can stand between "a" and "while the".
EDGE_AND_STOP_WORDS = STOP_WORDS | {EDGE}
ARTICLES = frozenset("a an the der die das".split())
# The next two stems on one side of some words, or the next one.
Neighbours = tuple[str, ...]
Slot = tuple[Neighbours, Neighbours]


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
    marked = [*find_edited_denials(answer, reference), *find_edited_prefixes(answer, reference)]
    known = set(map(locate_negator, marked))
    for contradiction in contradictions:
        if locate_negator(contradiction) in known:
            continue
        is_exchanged = contradiction.found in exchanged
        if is_exchanged or is_edit(answer, reference, contradiction):
            contradiction = replace(contradiction, evidence=1.0, is_edit=True)
        elif is_other_value(answer, reference, contradiction):
            contradiction = replace(contradiction, evidence=REWORDED_EVIDENCE, is_edit=True)
        marked.append(contradiction)
    contradicting = {contradiction.found for contradiction in contradictions}
    for exchange in exchanges:
        if contradicting.isdisjoint(exchange.places):
            found, expected = exchange.one
            swapped = Contradiction("swapped", 1.0, found.start, expected.start, is_edit=True)
            marked.append(swapped)
    return marked


def locate_negator(contradiction: Contradiction) -> tuple[str, int]:
    """Return the kind of a contradiction, and the place of its negator if it has one."""
    is_affirmed = contradiction.kind == "affirmed"
    return contradiction.kind, contradiction.expected if is_affirmed else contradiction.found


def is_edit(answer: Text, reference: Text, contradiction: Contradiction) -> bool:
    """Return whether a contradiction of two facts is all that a copied sentence changes there.

    If the answer has the expected fact, too, the sentence may only be turned round.
    """
    if contradiction.kind in DENIAL_KINDS:
        return False
    found, expected = contradiction.found, contradiction.expected
    if not is_copied_sentence(answer, found, reference, expected):
        return False
    if has_expected_fact(answer, found, reference, expected):
        return False
    slots = list_slots(answer, *find_span(answer, found))
    expected_slots = list_slots(reference, *find_span(reference, expected))
    return not slots.isdisjoint(expected_slots)


def is_other_value(answer: Text, reference: Text, contradiction: Contradiction) -> bool:
    """Return whether a reworded sentence gives something another value: 5 May 1923 for 5 May 1932.

    The next telling word on one side is the same, or two parts of the dates are.
    """
    found, expected = contradiction.found, contradiction.expected
    is_weak = contradiction.evidence < REWORDED_EVIDENCE
    if contradiction.kind != "number" or is_weak or answer.is_chinese:
        return False
    value, expected_value = answer.find_quantity(found), reference.find_quantity(expected)
    if not value or not expected_value or not are_rivals(value, expected_value):
        return False
    if has_expected_fact(answer, found, reference, expected):
        return False
    has_same_parts = value.kind == "date" and count_same_parts(value, expected_value) > 1
    return has_same_parts or has_same_neighbour(answer, found, reference, expected)


def are_rivals(value: Quantity, expected: Quantity) -> bool:
    """Return whether two values count the same, and one is not the other with a footnote."""
    is_same_sort = value.kind == expected.kind and value.unit == expected.unit
    return is_same_sort and not may_mean(value, expected)


def has_same_neighbour(answer: Text, found: int, reference: Text, expected: int) -> bool:
    """Return whether a telling word stands near two facts, on the same side."""
    neighbours = list_telling_neighbours(answer, *find_span(answer, found))
    return not neighbours.isdisjoint(
        list_telling_neighbours(reference, *find_span(reference, expected))
    )


def list_telling_neighbours(text: Text, start: int, end: int) -> set[tuple[bool, str]]:
    """Return the telling stems near some words, and whether each stands after them."""
    first, last = max(0, start - NEIGHBOUR_REACH), min(len(text.words), end + NEIGHBOUR_REACH)
    neighbours = set[tuple[bool, str]]()
    for i in (*range(first, start), *range(end, last)):
        if text.sentence[i] == text.sentence[start] and is_content(text, i):
            neighbours.add((i >= end, text.stems[i]))
    return neighbours


def has_expected_fact(answer: Text, found: int, reference: Text, expected: int) -> bool:
    """Return whether an answer has the fact of the reference, too: a number, or in the sentence.

    "One in three" has a word of "one in ten", and is another number.
    """
    quantity = reference.find_quantity(expected)
    if quantity:
        return any(agree(quantity, other) for other in answer.quantities)
    start, end = find_span(reference, expected)
    return list_sentence_stems(answer, found).issuperset(reference.stems[start:end])


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


def find_edited_denials(answer: Text, reference: Text) -> Iterator[Contradiction]:
    """Yield the denials that a copied sentence adds, and those that it leaves out."""
    if not (answer.denials or reference.denials) or not has_most_words(answer, reference):
        return
    for negator, place in find_undenied_slots(answer, reference):
        yield Contradiction("denied", 1.0, negator, place, is_edit=True)
    for negator, place in find_undenied_slots(reference, answer):
        yield Contradiction("affirmed", 1.0, place, negator, is_edit=True)


def find_edited_prefixes(answer: Text, reference: Text) -> Iterator[Contradiction]:
    """Yield the negating prefixes that a copied sentence adds or leaves out: official."""
    if not has_most_words(answer, reference):
        return
    pairs = list_prefixed_words(answer, reference)
    pairs += [(found, expected) for expected, found in list_prefixed_words(reference, answer)]
    for found, expected in pairs:
        contradiction = Contradiction("opposite", 1.0, found, expected, is_edit=True)
        if is_edit(answer, reference, contradiction):
            yield contradiction


def find_undenied_slots(denying: Text, other: Text) -> Iterator[tuple[int, int]]:
    """Yield the negators of a text with the place of another text that has their slot, undenied.

    "Bats do not use their eyes" has a negator in the slot before "use their" of "Bats use their".
    """
    for i in denying.denials[:MOST_FACTS]:
        if is_harmless(denying, i):
            continue
        slots = list_slots(denying, i, i + 1)
        stems = {stem for before, after in slots for stem in (before[0], after[0])}
        for place in list_likely_places(other, stems):
            has_slot = has_slot_near(other, place, slots)
            if has_slot and is_copied_denial(denying, i, other, place):
                yield i, min(place, len(other.words) - 1)
                break


def has_slot_near(text: Text, place: int, slots: set[Slot]) -> bool:
    """Return whether nothing, or a single word (with, without), stands in a slot at a place."""
    around = list_slots(text, place, place) | list_slots(text, place, place + 1)
    return not slots.isdisjoint(around)


def is_copied_denial(denying: Text, negator: int, other: Text, place: int) -> bool:
    """Return whether a sentence has been copied but for a negator, which denies something new.

    If the other sentence denies the same words elsewhere, it is only turned round. If it has the
    opposite of a denied word, it may say the same: not bright, dark.
    """
    here = min(place, len(other.words) - 1)
    if not is_copied_sentence(denying, negator, other, here):
        return False
    denials = [i for i in other.denials if other.sentence[i] == other.sentence[here]][:MOST_FACTS]
    if any(may_deny(other, i, here) for i in denials):
        return False
    denied = list_denied_stems(denying, negator)
    stems = list_sentence_stems(other, here)
    if any(not list_opposite_stems(stem).isdisjoint(stems) for stem in denied - stems):
        return False
    for i in denials:
        others = list_denied_stems(other, i)
        if denied and others and (denied <= others or others <= denied):
            return False
    return True


def may_deny(text: Text, negator: int, place: int) -> bool:
    """Return whether a negator may deny what stands at a place of its sentence.

    It may in its clause, and in the items of a list up to an "and": no loss, delay or noise. A
    clause with a verb of its own is no item.
    """
    clause = text.clause[place]
    if text.clause[negator] == clause or negator > place:
        return text.clause[negator] == clause
    start, end = bisect_left(text.clause, clause), bisect_right(text.clause, clause)
    between = text.words[negator + 1 : place + 1]
    return TURNS.isdisjoint(between) and AUXILIARY.isdisjoint(text.words[start:end])


@lru_cache(maxsize=RECENT_TEXTS * MOST_FACTS)
def list_denied_stems(text: Text, negator: int) -> set[str]:
    """Return the stems that a negator denies, up to an "and"."""
    denied = list_denied_words(text, negator)
    joint = next((i for i in sorted(denied) if text.words[i - 1] in JOINTS), len(text.words))
    return {text.stems[i] for i in denied if i < joint}


def list_slots(text: Text, start: int, end: int) -> set[Slot]:
    """Return the slots of a range of words.

    In Chinese, where a word is a single character, a slot has two words on either side.
    """
    sentence = text.sentence[min(start, len(text.words) - 1)]
    before = list_neighbours(text, range(start - 1, -1, -1), sentence)
    after = list_neighbours(text, range(end, len(text.words)), sentence)
    slots = {(before, after)}
    if text.is_chinese:
        return slots
    if not EDGE_AND_STOP_WORDS.issuperset(before + after[:1]):
        slots.add((before, after[:1]))
    if not EDGE_AND_STOP_WORDS.issuperset(before[:1] + after):
        slots.add((before[:1], after))
    return slots


def list_neighbours(text: Text, places: range, sentence: int) -> Neighbours:
    """Return the first two stems at some places of a sentence, EDGE for a missing one."""
    stems = list[str]()
    for i in places:
        if text.sentence[i] != sentence:
            break
        if text.words[i] in NO_SLOT_WORDS or is_negator(text.words[i]):
            continue
        stems.append(text.stems[i])
        if len(stems) == 2:
            return tuple(stems)
    return (*stems, EDGE, EDGE)[:2]


# ---- things that have changed their places


class Thing(NamedTuple):
    """Some words of a text that may change their place with others.

    Attributes:
        stems: their stems, with a space between them.
        start, end: the range of the words.
    """

    stems: str
    start: int
    end: int


class Replacement(NamedTuple):
    """A thing of the answer that stands in the slot of another thing of the reference."""

    found: Thing
    expected: Thing


class Exchange(NamedTuple):
    """Two replacements, each of which has what the other one replaces."""

    one: Replacement
    other: Replacement

    @property
    def places(self) -> tuple[int, int]:
        """The first words of the two things in the answer."""
        return self.one.found.start, self.other.found.start

    @property
    def stems(self) -> set[str]:
        """The stems of the two things."""
        return {*self.one.found.stems.split(), *self.one.expected.stems.split()}


# The stems of the thing that an answer has, and of the thing that it replaces.
StemPair = tuple[str, str]


def find_exchanges(answer: Text, reference: Text) -> list[Exchange]:
    """Return the pairs of things that have changed their places in a copied sentence."""
    if not has_most_words(answer, reference):
        return []
    exchanges = list[Exchange]()
    known_words = set[str]()
    for exchange in pair_replacements(group_replacements(answer, reference)):
        words = exchange.stems
        if known_words.isdisjoint(words) and is_real_exchange(answer, reference, exchange):
            known_words |= words
            exchanges.append(exchange)
    return exchanges


def pair_replacements(replacements: dict[StemPair, list[Replacement]]) -> Iterator[Exchange]:
    """Yield the pairs of replacements of which each has what the other one replaces.

    Of "value above" and "above", the shorter thing has changed its place: it comes first.
    """
    for found, expected in sorted(replacements, key=lambda pair: len(pair[0])):
        group = replacements[found, expected]
        opposite_group = replacements.get((expected, found), [])
        # "A rises if B falls, A falls if B rises" says the same the other way round.
        is_turned_round = min(len(group), len(opposite_group)) > 1
        if opposite_group and not is_turned_round:
            yield Exchange(group[0], opposite_group[0])


def has_most_words(answer: Text, reference: Text) -> bool:
    """Return whether an answer has most of its words from a reference of at most MOST_WORDS."""
    if max(len(answer.words), len(reference.words)) > MOST_WORDS:
        return False
    n_common = sum(stem in reference.places for stem in answer.stems)
    return n_common >= LEAST_COMMON * len(answer.stems)


def is_real_exchange(answer: Text, reference: Text, exchange: Exchange) -> bool:
    """Return whether an exchange is in a copied sentence, and its things are no items of a list."""
    replacement = exchange.one
    things = (replacement.found, exchange.other.found)
    first, last = sorted(things, key=lambda thing: thing.start)
    if first.end >= last.start or is_enumeration(answer, first, last):
        return False
    found, expected = replacement.found.start, replacement.expected.start
    return is_copied_sentence(answer, found, reference, expected)


def is_enumeration(text: Text, first: Thing, last: Thing) -> bool:
    """Return whether two things of a text are items of a list: red, green and blue."""
    before = last.start - 1
    if text.words[before] in ARTICLES:
        before -= 1
    ends_item = text.clause[first.end] != text.clause[first.end - 1]
    begins_item = text.clause[before] != text.clause[last.start]
    has_joint_after = text.words[first.end] in JOINTS
    has_joint_before = text.words[before] in JOINTS
    return (ends_item or has_joint_after) and (begins_item or has_joint_before)


def group_replacements(answer: Text, reference: Text) -> dict[StemPair, list[Replacement]]:
    """Return the replacements of an answer by the stems of what it has and of what it replaces.

    A thing that also stands in a slot of its own has not changed its place, and is left out.
    """
    moved_words = list_moved_words(answer, reference)
    answer_things = list(list_things(answer, moved_words))
    reference_things = list(list_things(reference, list_moved_words(reference, answer)))
    index = index_slots(reference, select_things(reference_things, answer_things))
    unmoved = {answer.stems[i] for i in range(len(answer.words)) if i not in moved_words}
    replacements: dict[StemPair, list[Replacement]] = {}
    for found in select_things(answer_things, reference_things):
        for slot in list_slots(answer, found.start, found.end):
            things = index.get(slot, {})
            if has_own_slot(found, slot, things):
                unmoved.add(found.stems)
            for expected in things.values():
                group = replacements.setdefault((found.stems, expected.stems), [])
                if not group or group[-1].found != found:
                    group.append(Replacement(found, expected))
    return {pair: group for pair, group in replacements.items() if pair[0] not in unmoved}


def select_things(things: Sequence[Thing], others: Sequence[Thing]) -> list[Thing]:
    """Return the things that another text has, too: only such a thing can change its place."""
    stems = {thing.stems for thing in others}
    return [thing for thing in things if thing.stems in stems]


def has_own_slot(found: Thing, slot: Slot, things: dict[str, Thing]) -> bool:
    """Return whether a thing stands in its own slot, given the reference's things of that slot.

    A slot of three words is its own only if no other thing stands there.
    """
    before, after = slot
    is_whole_slot = len(before) == len(after)
    return found.stems in things and (is_whole_slot or len(things) == 1)


@lru_cache(maxsize=RECENT_TEXTS)
def list_windows(text: Text) -> list[tuple[str, ...]]:
    """Return for each word its stem with the two stems on either side."""
    stems = [EDGE, EDGE, *text.stems, EDGE, EDGE]
    return list(zip(stems, stems[1:], stems[2:], stems[3:], stems[4:], strict=False))


def list_moved_words(text: Text, other: Text) -> set[int]:
    """Return the words of a text that stand between other words than in another text."""
    known = set(list_windows(other))
    return {i for i, window in enumerate(list_windows(text)) if window not in known}


def index_slots(text: Text, things: Sequence[Thing]) -> dict[Slot, dict[str, Thing]]:
    """Return some things of a text by their slots, and then by their stems.

    A slot with more than MOST_THINGS is left out: "w1 x. w2 x. w3 x."
    """
    index: dict[Slot, dict[str, Thing]] = {}
    for thing in things:
        for slot in list_slots(text, thing.start, thing.end):
            index.setdefault(slot, {}).setdefault(thing.stems, thing)
    return {slot: things for slot, things in index.items() if len(things) <= MOST_THINGS}


def list_things(text: Text, moved_words: set[int]) -> Iterator[Thing]:
    """Yield all runs of at most LONGEST_THING words of a sentence that may be a thing.

    A thing begins and ends with a telling word that stands between other words than before.
    """
    for start in sorted(moved_words):
        if not is_edge_of_thing(text, start):
            continue
        for last in range(start, min(start + LONGEST_THING, len(text.words))):
            if text.sentence[last] != text.sentence[start]:
                break
            if last in moved_words and is_edge_of_thing(text, last):
                end = last + 1
                yield Thing(" ".join(text.stems[start:end]), start, end)


def is_edge_of_thing(text: Text, i: int) -> bool:
    """Return whether a thing may begin or end with a word."""
    return text.words[i] not in STOP_WORDS and not is_negator(text.words[i])
