"""Find the facts that an answer changes in a sentence of the reference, and nothing else.

Two things that have changed their places ("Ann taught Bob", "Bob taught Ann") are edits, too.

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
from .lexicon import AUXILIARY, ITEM_JOINTS, STOP_WORDS, TURNING_WORDS
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
EDGE = ""  # stands for the word beyond the first or the last of a sentence
# Three such words are no slot: nearly anything can stand between "a" and "while the".
EDGE_AND_STOP_WORDS = STOP_WORDS | {EDGE}
ARTICLES = frozenset("a an the der die das".split())
# The next two stems on one side of some words, or the next one.
Neighbours = tuple[str, ...]
Slot = tuple[Neighbours, Neighbours]


class Place(NamedTuple):
    """A word of a text, with its number."""

    text: Text
    i: int

    def find_span(self) -> tuple[int, int]:
        """Return the range of the name or number at the place, or of the word."""
        return find_span(self.text, self.i)

    def list_sentence_stems(self) -> set[str]:
        """Return the stems of the sentence of the word."""
        sentence = self.text.find_sentence(self.i)
        return set(self.text.stems[sentence.start : sentence.stop])


def mark_edits(
    answer: Text,
    reference: Text,
    contradictions: Sequence[Contradiction],
) -> list[Contradiction]:
    """Return contradictions, with a mark on those that change a copied sentence.

    Things that have changed their places in a copied sentence are added. A reference of fewer than
    SHORTEST_REFERENCE words has none: roles.py compares it.
    """
    if len(reference.words) < SHORTEST_REFERENCE:
        return list(contradictions)
    exchanges = find_exchanged_things(answer, reference)
    exchanged = {place for exchange in exchanges for place in exchange.places}
    marked = list(find_edited_denials(answer, reference))
    marked += find_edited_prefixes(answer, reference)
    known = set(map(identify_denial, marked))
    for contradiction in contradictions:
        if identify_denial(contradiction) in known:
            continue
        is_exchanged = contradiction.found in exchanged
        marked.append(mark_edit(answer, reference, contradiction, is_exchanged=is_exchanged))
    contradicting = {contradiction.found for contradiction in contradictions}
    for exchange in exchanges:
        if contradicting.isdisjoint(exchange.places):
            marked.append(report_exchange(exchange))
    return marked


def mark_edit(
    answer: Text,
    reference: Text,
    contradiction: Contradiction,
    *,
    is_exchanged: bool,
) -> Contradiction:
    """Return a contradiction, with a mark if it is an edit.

    Args:
        answer: the answer.
        reference: the reference.
        contradiction: the contradiction.
        is_exchanged: whether its fact has changed its place with another one.
    """
    if is_exchanged or is_edit(answer, reference, contradiction):
        return replace(contradiction, evidence=1.0, is_edit=True)
    if is_other_value(answer, reference, contradiction):
        return replace(contradiction, evidence=REWORDED_EVIDENCE, is_edit=True)
    return contradiction


def report_exchange(exchange: "Exchange") -> Contradiction:
    """Return the contradiction of two things that have changed their places."""
    found, expected = exchange.one
    return Contradiction("swapped", 1.0, found.start, expected.start, is_edit=True)


def identify_denial(contradiction: Contradiction) -> tuple[str, int]:
    """Return the kind of a contradiction, with the place of its negator if it is a denial."""
    if contradiction.kind == "affirmed":
        return contradiction.kind, contradiction.expected
    return contradiction.kind, contradiction.found


def is_edit(answer: Text, reference: Text, contradiction: Contradiction) -> bool:
    """Return whether a contradiction of two facts is all that a copied sentence changes there.

    If the answer has the expected fact, too, the sentence may only be turned round.
    """
    if contradiction.kind in DENIAL_KINDS:
        return False
    found = Place(answer, contradiction.found)
    expected = Place(reference, contradiction.expected)
    if not is_copied_sentence(found, expected):
        return False
    if has_expected_fact(found, expected):
        return False
    slots = list_slots(answer, *found.find_span())
    expected_slots = list_slots(reference, *expected.find_span())
    return not slots.isdisjoint(expected_slots)


def is_other_value(answer: Text, reference: Text, contradiction: Contradiction) -> bool:
    """Return whether a reworded sentence gives something another value: 5 May 1923 for 5 May 1932.

    The next telling word on one side is the same, or two parts of the dates are.
    """
    if contradiction.kind != "number" or contradiction.evidence < REWORDED_EVIDENCE:
        return False
    if answer.is_chinese:
        return False
    found = Place(answer, contradiction.found)
    expected = Place(reference, contradiction.expected)
    value = answer.find_quantity(found.i)
    expected_value = reference.find_quantity(expected.i)
    if not value or not expected_value or not are_rivals(value, expected_value):
        return False
    if has_expected_fact(found, expected):
        return False
    if value.kind == "date" and count_same_parts(value, expected_value) > 1:
        return True
    return has_same_neighbour(found, expected)


def are_rivals(value: Quantity, expected: Quantity) -> bool:
    """Return whether two values count the same, and one is not the other with a footnote."""
    if value.kind != expected.kind or value.unit != expected.unit:
        return False
    return not may_mean(value, expected)


def has_same_neighbour(found: Place, expected: Place) -> bool:
    """Return whether a telling word stands near two facts, on the same side."""
    neighbours = list_telling_neighbours(found)
    return not neighbours.isdisjoint(list_telling_neighbours(expected))


def list_telling_neighbours(fact: Place) -> set[tuple[bool, str]]:
    """Return the telling stems near a fact, and whether each stands after it."""
    text = fact.text
    start, end = fact.find_span()
    first = max(0, start - NEIGHBOUR_REACH)
    last = min(len(text.words), end + NEIGHBOUR_REACH)
    neighbours = set[tuple[bool, str]]()
    for i in (*range(first, start), *range(end, last)):
        if text.sentence[i] != text.sentence[start]:
            continue
        if is_content(text, i):
            is_after = i >= end
            neighbours.add((is_after, text.stems[i]))
    return neighbours


def has_expected_fact(found: Place, expected: Place) -> bool:
    """Return whether an answer has the fact of the reference, too.

    Any sentence may have a number, but only that of the found fact may have a name. "One in three"
    has a word of "one in ten", and is another number.
    """
    quantity = expected.text.find_quantity(expected.i)
    if quantity:
        return any(agree(quantity, other) for other in found.text.quantities)
    start, end = expected.find_span()
    expected_stems = expected.text.stems[start:end]
    return found.list_sentence_stems().issuperset(expected_stems)


def is_copied_sentence(found: Place, expected: Place) -> bool:
    """Return whether the sentences of two words have most of their words in common."""
    sentence = found.list_sentence_stems()
    source = expected.list_sentence_stems()
    longest = max(len(sentence), len(source))
    return len(sentence & source) >= LEAST_COMMON * longest


def find_edited_denials(answer: Text, reference: Text) -> Iterator[Contradiction]:
    """Yield the denials that a copied sentence adds, and those that it leaves out."""
    if not answer.denials and not reference.denials:
        return
    if not has_most_words(answer, reference):
        return
    for negator, place in find_undenied_slots(answer, reference):
        yield Contradiction("denied", 1.0, negator, place, is_edit=True)
    for negator, place in find_undenied_slots(reference, answer):
        yield Contradiction("affirmed", 1.0, place, negator, is_edit=True)


def find_edited_prefixes(answer: Text, reference: Text) -> Iterator[Contradiction]:
    """Yield the negating prefixes that a copied sentence adds or leaves out: unofficial."""
    if not has_most_words(answer, reference):
        return
    pairs = list_prefixed_words(answer, reference)
    for expected, found in list_prefixed_words(reference, answer):
        pairs.append((found, expected))
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
        place = find_undenied_slot(Place(denying, i), other)
        if place is not None:
            yield i, place


def find_undenied_slot(negator: Place, other: Text) -> int | None:
    """Return the place of another text that has the slot of a negator, undenied; else None."""
    slots = list_slots(negator.text, negator.i, negator.i + 1)
    neighbours = set[str]()
    for before, after in slots:
        neighbours.update((before[0], after[0]))
    last = len(other.words) - 1
    for place in list_likely_places(other, neighbours):
        if not has_slot_near(other, place, slots):
            continue
        undenied = Place(other, min(place, last))
        if is_copied_denial(negator, undenied):
            return undenied.i
    return None


def has_slot_near(text: Text, place: int, slots: set[Slot]) -> bool:
    """Return whether nothing, or a single word (with, without), stands in a slot at a place."""
    slots_of_nothing = list_slots(text, place, place)
    slots_of_word = list_slots(text, place, place + 1)
    return not slots.isdisjoint(slots_of_nothing | slots_of_word)


def is_copied_denial(negator: Place, undenied: Place) -> bool:
    """Return whether a sentence has been copied but for a negator, which denies something new.

    If the other sentence denies the same words elsewhere, it is only turned round. If it has the
    opposite of a denied word, it may say the same: not bright, dark.
    """
    if not is_copied_sentence(negator, undenied):
        return False
    other_negators = list_sentence_negators(undenied)
    if any(may_deny(undenied.text, i, undenied.i) for i in other_negators):
        return False
    denied = list_denied_stems(negator.text, negator.i)
    if has_opposite_stem(denied, undenied.list_sentence_stems()):
        return False
    for i in other_negators:
        other_denied = list_denied_stems(undenied.text, i)
        if not denied or not other_denied:
            continue
        if denied <= other_denied or other_denied <= denied:
            return False
    return True


def list_sentence_negators(place: Place) -> list[int]:
    """Return the first negators of the sentence of a word."""
    sentence = place.text.sentence
    negators = [i for i in place.text.denials if sentence[i] == sentence[place.i]]
    return negators[:MOST_FACTS]


def has_opposite_stem(stems: set[str], sentence: set[str]) -> bool:
    """Return whether a sentence has an opposite of a stem that it lacks."""
    opposites = set[str]()
    for stem in stems - sentence:
        opposites |= list_opposite_stems(stem)
    return not opposites.isdisjoint(sentence)


def may_deny(text: Text, negator: int, place: int) -> bool:
    """Return whether a negator may deny what stands at a place of its sentence.

    It may in its clause, and in the items of a list up to an "and": no loss, delay or noise. A
    clause with a verb of its own is no item.
    """
    clause = text.clause[place]
    is_same_clause = text.clause[negator] == clause
    if is_same_clause or negator > place:
        return is_same_clause
    between = text.words[negator + 1 : place + 1]
    if not TURNS.isdisjoint(between):
        return False
    start = bisect_left(text.clause, clause)
    end = bisect_right(text.clause, clause)
    return AUXILIARY.isdisjoint(text.words[start:end])


@lru_cache(maxsize=RECENT_TEXTS * MOST_FACTS)
def list_denied_stems(text: Text, negator: int) -> set[str]:
    """Return the stems that a negator denies, up to an "and"."""
    denied = set[str]()
    for i in sorted(list_denied_words(text, negator)):
        if text.words[i - 1] in ITEM_JOINTS:
            break
        denied.add(text.stems[i])
    return denied


def list_slots(text: Text, start: int, end: int) -> set[Slot]:
    """Return the slots of a range of words.

    In Chinese, where a word is a single character, a slot has two words on either side.
    """
    n_words = len(text.words)
    sentence = text.sentence[min(start, n_words - 1)]
    before = list_neighbours(text, range(start - 1, -1, -1), sentence)
    after = list_neighbours(text, range(end, n_words), sentence)
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
        word = text.words[i]
        if word in NO_SLOT_WORDS or is_negator(word):
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
        found, expected = self.one
        return {*found.stems.split(), *expected.stems.split()}


# The stems of the thing that an answer has, and of the thing that it replaces.
StemPair = tuple[str, str]


def find_exchanged_things(answer: Text, reference: Text) -> list[Exchange]:
    """Return the pairs of things that have changed their places in a copied sentence.

    Unlike `crossed_facts.compare_joints`, this reads texts of any length, but needs the same slots.
    """
    if not has_most_words(answer, reference):
        return []
    replacements = group_replacements(answer, reference)
    exchanges = list[Exchange]()
    known_stems = set[str]()
    for exchange in pair_replacements(replacements):
        if not known_stems.isdisjoint(exchange.stems):
            continue
        if is_real_exchange(answer, reference, exchange):
            known_stems |= exchange.stems
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
    if len(answer.words) > MOST_WORDS or len(reference.words) > MOST_WORDS:
        return False
    n_common = sum(stem in reference.places for stem in answer.stems)
    return n_common >= LEAST_COMMON * len(answer.stems)


def is_real_exchange(answer: Text, reference: Text, exchange: Exchange) -> bool:
    """Return whether an exchange is in a copied sentence, and its things are no items of a list."""
    found, expected = exchange.one
    things = (found, exchange.other.found)
    first, last = sorted(things, key=lambda thing: thing.start)
    if first.end >= last.start or is_enumeration(answer, first, last):
        return False
    return is_copied_sentence(
        Place(answer, found.start),
        Place(reference, expected.start),
    )


def is_enumeration(text: Text, first: Thing, last: Thing) -> bool:
    """Return whether two things of a text are items of a list: red, green and blue."""
    before = last.start - 1
    if text.words[before] in ARTICLES:
        before -= 1
    behind = first.end
    ends_clause = text.clause[behind] != text.clause[behind - 1]
    if not ends_clause and text.words[behind] not in ITEM_JOINTS:
        return False
    begins_clause = text.clause[before] != text.clause[last.start]
    return begins_clause or text.words[before] in ITEM_JOINTS


def group_replacements(answer: Text, reference: Text) -> dict[StemPair, list[Replacement]]:
    """Return the replacements of an answer by the stems of what it has and of what it replaces.

    A thing that also stands in a slot of its own has not changed its place, and is left out.
    """
    moved_words = list_moved_words(answer, reference)
    moved_reference_words = list_moved_words(reference, answer)
    answer_things = list(list_things(answer, moved_words))
    reference_things = list(list_things(reference, moved_reference_words))
    index = index_slots(reference, select_things(reference_things, answer_things))
    unmoved = set[str]()
    for i, stem in enumerate(answer.stems):
        if i not in moved_words:
            unmoved.add(stem)
    replacements: dict[StemPair, list[Replacement]] = {}
    for found in select_things(answer_things, reference_things):
        for slot in list_slots(answer, found.start, found.end):
            rivals = index.get(slot, {})
            if has_own_slot(found, slot, rivals):
                unmoved.add(found.stems)
            for expected in rivals.values():
                add_replacement(replacements, found, expected)
    for pair in list(replacements):
        if pair[0] in unmoved:
            del replacements[pair]
    return replacements


def add_replacement(
    replacements: dict[StemPair, list[Replacement]],
    found: Thing,
    expected: Thing,
) -> None:
    """Add a replacement, unless that of the same found thing is the last one."""
    group = replacements.setdefault((found.stems, expected.stems), [])
    if not group or group[-1].found != found:
        group.append(Replacement(found, expected))


def select_things(things: Sequence[Thing], others: Sequence[Thing]) -> list[Thing]:
    """Return the things that another text has, too: only such a thing can change its place."""
    stems = {thing.stems for thing in others}
    return [thing for thing in things if thing.stems in stems]


def has_own_slot(found: Thing, slot: Slot, things: dict[str, Thing]) -> bool:
    """Return whether a thing stands in its own slot, given the reference's things of that slot.

    A slot of three words is its own only if no other thing stands there.
    """
    if found.stems not in things:
        return False
    before, after = slot
    is_whole_slot = len(before) == len(after)
    return is_whole_slot or len(things) == 1


@lru_cache(maxsize=RECENT_TEXTS)
def list_windows(text: Text) -> list[tuple[str, ...]]:
    """Return for each word its stem with the two stems on either side."""
    stems = [EDGE, EDGE, *text.stems, EDGE, EDGE]
    shifted = (stems[start:] for start in range(5))
    return list(zip(*shifted, strict=False))


def list_moved_words(text: Text, other: Text) -> set[int]:
    """Return the words of a text that stand between other words than in another text."""
    known_windows = set(list_windows(other))
    windows = enumerate(list_windows(text))
    return {i for i, window in windows if window not in known_windows}


def index_slots(text: Text, things: Sequence[Thing]) -> dict[Slot, dict[str, Thing]]:
    """Return some things of a text by their slots, and then by their stems.

    A slot with more than MOST_THINGS is left out: "w1 x. w2 x. w3 x."
    """
    index: dict[Slot, dict[str, Thing]] = {}
    for thing in things:
        for slot in list_slots(text, thing.start, thing.end):
            things_of_slot = index.setdefault(slot, {})
            things_of_slot.setdefault(thing.stems, thing)
    crowded = [slot for slot in index if len(index[slot]) > MOST_THINGS]
    for slot in crowded:
        del index[slot]
    return index


def list_things(text: Text, moved_words: set[int]) -> Iterator[Thing]:
    """Yield all runs of at most LONGEST_THING words of a sentence that may be a thing.

    A thing begins and ends with a telling word that stands between other words than before.
    """
    for start in sorted(moved_words):
        if not is_edge_of_thing(text, start):
            continue
        stop = min(start + LONGEST_THING, len(text.words))
        for last in range(start, stop):
            if text.sentence[last] != text.sentence[start]:
                break
            if last in moved_words and is_edge_of_thing(text, last):
                end = last + 1
                yield Thing(" ".join(text.stems[start:end]), start, end)


def is_edge_of_thing(text: Text, i: int) -> bool:
    """Return whether a thing may begin or end with a word."""
    word = text.words[i]
    return word not in STOP_WORDS and not is_negator(word)
