"""Find names and numbers of an answer that stand in each other's place, by the words around them.

A fact has support in a place of the answer if the words around that place stand around the fact in
the reference, too. Two facts are swapped if each has more support in the place of the other: "Ohm
measured the current, Ampere the voltage", if the reference says it the other way round.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .lexicon import BE, ITEM_JOINTS, PARTICIPLE, STOP_WORDS
from .text import RECENT_TEXTS, Text

NEAR = 4  # words on either side of a place of the answer that count
REACH = 8  # words on either side of a fact of the reference that count
DECAY = 2.0  # words: with each further one of them, closeness falls by the factor e
OTHER_SIDE = 0.2  # the share that a word counts on the other side of the fact
STOP_WORD = 0.7  # the share that a stop word counts; it counts only beside the fact
LEAST_GAIN = 0.05  # of the support of each of two swapped facts
LEAST_GAINS = 0.5  # of the support of both together
# More gains are needed for each further time that a fact stands in a text: by chance, one of many
# places fits the other fact better.
GAINS_OF_REPETITION = 0.12
ONCE_EACH = 4  # how often two facts stand in two texts, if each stands once in each
MOST_OWN_SUPPORT = 0.8  # of one of two swapped facts; if both have more, the answer is reworded
SHORTEST_FACT = 2  # characters: a letter or a digit mostly labels something
LIST_WORDS = ITEM_JOINTS | {"the"}  # words of a list besides the facts that it lists
MOST_FACTS = 200  # names and numbers of a text, each as often as it occurs

Support = dict[str, float]  # of each fact, by its stem


class Swap(NamedTuple):
    """Two swapped facts.

    Attributes:
        first, second: their places in the answer.
        gains: how much more support they would have in each other's place.
    """

    first: int
    second: int
    gains: float

    @property
    def places(self) -> tuple[int, int]:
        """The places of both in the answer."""
        return self.first, self.second


def find_swapped_facts(answer: Text, reference: Text) -> list[Swap]:
    """Return the pairs of facts that stand in each other's place, the surest first.

    A fact is in one pair at most.

    >>> answer = Text("Ohm was born in Lyon, Ampere in Erlangen.")
    >>> len(find_swapped_facts(answer, Text("Ampere was born in Lyon and Ohm in Erlangen.")))
    1
    """
    counts = Counter(list_facts(reference).values())
    places = {i: stem for i, stem in list_facts(answer).items() if stem in counts}
    counts += Counter(places.values())
    if len(set(places.values())) < 2:
        return []
    support = {i: measure_support(answer, i, reference) for i in places}
    swaps = list[Swap]()
    for first, second in combinations(places, 2):
        one, other = places[first], places[second]
        gains = sum_gains(support[first], one, support[second], other)
        n_further = counts[one] + counts[other] - ONCE_EACH
        is_enough = gains >= LEAST_GAINS + GAINS_OF_REPETITION * n_further
        if is_enough and not may_change_places(answer, first, second, reference):
            swaps.append(Swap(first, second, gains))
    return list(select_surest(swaps, places))


def sum_gains(here: Support, one: str, there: Support, other: str) -> float:
    """Return how much more support two facts have in each other's place; 0 if one has not.

    Args:
        here: the support of each fact in the first place.
        one: the fact that stands there.
        there: the support of each fact in the second place.
        other: the fact that stands there.
    """
    own, other_own = here.get(one, 0.0), there.get(other, 0.0)
    gain, other_gain = here.get(other, 0.0) - own, there.get(one, 0.0) - other_own
    if min(gain, other_gain) < LEAST_GAIN or min(own, other_own) > MOST_OWN_SUPPORT:
        return 0.0
    return gain + other_gain


def find_likest_place(answer: Text, place: int, reference: Text, fact: str) -> int:
    """Return the place of a fact in a reference that is most like a place of an answer."""
    words = {answer.stems[neighbour.place] for neighbour in list_neighbours(answer, place, NEAR)}
    closeness = dict[int, float]()
    for i in reference.places[fact][:MOST_FACTS]:
        shared = 0.0
        for neighbour in list_neighbours(reference, i, REACH):
            if reference.stems[neighbour.place] in words:
                shared += neighbour.closeness
        closeness[i] = shared
    return max(closeness, key=closeness.__getitem__)


def select_surest(swaps: list[Swap], places: dict[int, str]) -> Iterator[Swap]:
    """Yield swaps from the surest on, without those of a fact that was in one before."""
    known = set[str]()
    for swap in sorted(swaps, key=lambda swap: -swap.gains):
        stems = {places[swap.first], places[swap.second]}
        if known.isdisjoint(stems):
            known |= stems
            yield swap


def may_change_places(answer: Text, first: int, second: int, reference: Text) -> bool:
    """Return whether two facts may change places and the answer says the same.

    They are items of a list, or only one text says in the passive what they do. Two words side by
    side may be one name.
    """
    if abs(first - second) == 1 and answer.sentence[first] == answer.sentence[second]:
        return True
    if are_items(answer, first, second, reference):
        return True
    pair = {answer.stems[first], answer.stems[second]}
    return share_passive_clause(answer, pair) != share_passive_clause(reference, pair)


@lru_cache(maxsize=RECENT_TEXTS)
def list_facts(text: Text) -> dict[int, str]:
    """Return the stems of the names and numbers of a text by their places.

    Each word with a capital or a digit counts, but for stop words and single characters.
    """
    facts = dict[int, str]()
    for i, shown in enumerate(text.shown):
        is_fact = len(shown) >= SHORTEST_FACT and text.words[i] not in STOP_WORDS
        if is_fact and (shown[0].isupper() or shown[0].isdigit()):
            facts[i] = text.stems[i]
            if len(facts) == MOST_FACTS:
                break
    return facts


def are_items(answer: Text, first: int, second: int, reference: Text) -> bool:
    """Return whether two facts of an answer are items of a list, and of one of the reference."""
    items = number_items(answer)
    one, other = items[first], items[second]
    if one.list_number != other.list_number or one.number == other.number:
        return False
    lists = list[set[int]]()
    for place in (first, second):
        places = reference.places.get(answer.stems[place], [])[:MOST_FACTS]
        lists.append({number_items(reference)[i].list_number for i in places})
    return not lists[0].isdisjoint(lists[1])


class Item(NamedTuple):
    """The number of a list of names or numbers in a text, and that of an item of a list."""

    list_number: int
    number: int


@lru_cache(maxsize=RECENT_TEXTS)
def number_items(text: Text) -> list[Item]:
    """Return the item of each word.

    A list is a run of facts with nothing but commas and LIST_WORDS between them: "Ann, Bob and
    Eve". An item may have several words.
    """
    facts, item = list_facts(text), Item(0, 0)
    items = list[Item]()
    for i, word in enumerate(text.words):
        mark = text.read_between(i - 1, i) if i > 0 else ""
        is_list_word = word in LIST_WORDS
        begins_list = mark not in ("", ",") or not (i in facts or is_list_word)
        begins_item = mark == "," or is_list_word
        item = Item(item.list_number + begins_list, item.number + begins_item)
        items.append(item)
    return items


def share_passive_clause(text: Text, pair: set[str]) -> bool:
    """Return whether two facts stand in one passive clause that names a doer."""
    return any(pair <= facts for facts in group_passive_facts(text))


@lru_cache(maxsize=RECENT_TEXTS)
def group_passive_facts(text: Text) -> list[set[str]]:
    """Return the facts of each passive clause that names a doer."""
    groups = {clause: set[str]() for clause in find_passive_clauses(text)}
    if groups:
        for i, stem in list_facts(text).items():
            groups.get(text.clause[i], set()).add(stem)
    return list(groups.values())


def measure_support(answer: Text, place: int, reference: Text) -> Support:
    """Return the support of each fact of a reference in a place of an answer."""
    closeness_to_facts = read_closeness(reference)
    own = answer.stems[place]
    support = defaultdict[str, float](float)
    for neighbour in list_neighbours(answer, place, NEAR):
        word, closeness = answer.words[neighbour.place], neighbour.closeness
        if word in STOP_WORDS:
            if abs(neighbour.place - place) > 1:
                continue
            closeness *= STOP_WORD
        stem = answer.stems[neighbour.place]
        for fact, expected in closeness_to_facts.get((stem, neighbour.is_after), {}).items():
            if stem not in (fact, own):
                support[fact] += closeness * expected
    return support


@lru_cache(maxsize=RECENT_TEXTS)
def read_closeness(reference: Text) -> dict[tuple[str, bool], Support]:
    """Return how close each word is to the facts of a reference, 0..1.

    The keys are the stem of a word and whether it is looked for after the fact.
    """
    table = defaultdict[tuple[str, bool], Support](dict)
    for place, fact in list_facts(reference).items():
        for neighbour in list_neighbours(reference, place, REACH):
            for is_after in (False, True):
                share = 1.0 if is_after == neighbour.is_after else OTHER_SIDE
                closest = table[reference.stems[neighbour.place], is_after]
                closest[fact] = max(share * neighbour.closeness, closest.get(fact, 0.0))
    return table


class Neighbour(NamedTuple):
    """A word in the sentence of a place.

    Attributes:
        place: its own place.
        is_after: whether it stands after the other place.
        closeness: how near the two are, 0..1.
    """

    place: int
    is_after: bool
    closeness: float


def list_neighbours(text: Text, place: int, reach: int) -> Iterator[Neighbour]:
    """Yield the words of the same sentence within reach of a place."""
    sentence = text.find_sentence(place)
    start, end = max(sentence.start, place - reach), min(sentence.stop, place + reach + 1)
    for i in range(start, end):
        if i != place:
            closeness = math.exp((1 - abs(i - place)) / DECAY)
            yield Neighbour(i, i > place, closeness)


@lru_cache(maxsize=RECENT_TEXTS)
def find_passive_clauses(text: Text) -> set[int]:
    """Return the passive clauses that say by whom something was done."""
    clauses_with_agent = set[int]()
    for i, word in enumerate(text.words):
        if word == "by" and i and PARTICIPLE.search(text.words[i - 1]):
            clauses_with_agent.add(text.clause[i])
    if not clauses_with_agent:
        return set()
    clauses_with_be = {text.clause[i] for i, word in enumerate(text.words) if word in BE}
    return clauses_with_agent & clauses_with_be
