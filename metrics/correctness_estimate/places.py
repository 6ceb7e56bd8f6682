"""The facts of a text with the words around them, and how like the places of two facts are.

A fact is a number or date, a name, a word that has an opposite, or a denial. It belongs to the
words around it: those that tell something, on either side in its sentence, the rarer and the nearer
the more. All is bounded, so that it is linear in the length of the texts.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from .equality import agree, compatible
from .lexicon import BE, NEGATORS, PARTICIPLE, STOP_WORDS
from .opposites import opposites
from .quantities import Quantity
from .text import Text

NEIGHBOURS = 4  # words on either side that a fact belongs to
LESS_PER_STEP = 0.15  # how much less each further one of them weighs
OTHER_SIDE = 0.4  # what a word counts that stands on the other side
LEAST_SHARED = 1.0  # what two places must have in common by weight
UNIT_WEIGHT = 3.0  # what a unit weighs beside its number
MOST_FACTS = 30  # facts of a kind in a text that are compared
# Stems after a fact (True) or before it, with what they weigh.
Context = dict[tuple[bool, str], float]


@dataclass(frozen=True)
class Fact:
    """Something that could be another.

    Attributes:
        start, end: from where to where its words stand.
        context: the words around it, with what they weigh.
        stems: its own words.
        quantity: the number or date that it is.
    """

    start: int
    end: int
    context: Context = field(default_factory=dict)
    stems: frozenset[str] = frozenset()
    quantity: Quantity | None = None


@dataclass(frozen=True)
class Pair:
    """Two facts by their numbers, or two words by their places, and how like their places are."""

    found: int
    expected: int
    likeness: float


class Places:
    """A text, and what stands around each of its words."""

    def __init__(self, text: Text, weight: dict[str, float]) -> None:
        """Find the words that tell something, and the clauses that say by
        whom something was done.
        """
        self.text = text
        self.weight = weight
        self.content = [i for i in range(len(text.words)) if is_context(text, i)]
        self.passive = find_passive_clauses(text)

    def locate(
        self,
        start: int,
        end: int,
        stems: frozenset[str] = frozenset(),
        one: Quantity | None = None,
    ) -> Fact:
        """Return a fact with the words around it.

        Where something is done by somebody, the sides are exchanged.
        """
        text = self.text
        here = min(start, len(text.words) - 1)
        first, after = bisect_left(self.content, start), bisect_left(self.content, end)
        before = self.content[max(0, first - NEIGHBOURS) : first][::-1]
        behind = self.content[after : after + NEIGHBOURS]
        is_passive = text.clause[here] in self.passive
        context = Context()
        for side, words in ((is_passive, before), (not is_passive, behind)):
            for steps, i in enumerate(words):
                if text.sentence[i] == text.sentence[here]:
                    weight = self.weight[text.stems[i]] * (1 - LESS_PER_STEP * steps)
                    context.setdefault((side, text.stems[i]), weight)
        if one and one.unit:
            context[True, f"unit {one.unit}"] = UNIT_WEIGHT
        return Fact(start, end, context, stems, one)

    @cached_property
    def numbers(self) -> list[Fact]:
        """The numbers and dates."""
        found = list[Fact]()
        for quantity in self.text.quantities[:MOST_FACTS]:
            words = self.text.words_between(quantity.start, quantity.end)
            if words:
                found.append(self.locate(words.start, words.stop, one=quantity))
        return found

    def find_names(self, known: Set[str]) -> list[Fact]:
        """Return the names, and what begins a sentence and is a name elsewhere: `known` are the
        stems of names.
        """
        text = self.text
        inside = {i for number in self.numbers for i in range(number.start, number.end)}
        spans = [span for span in text.names[:MOST_FACTS] if inside.isdisjoint(range(*span))]
        inside.update(i for span in text.names for i in range(*span))
        beginnings = (i for i in range(len(text.words)) if text.is_new_sentence(i))
        spans += [(i, i + 1) for i in beginnings if text.stems[i] in known and i not in inside][
            :MOST_FACTS
        ]
        return [
            self.locate(start, end, frozenset(text.stems[start:end]))
            for start, end in sorted(spans)
        ]

    def find_opposites(self, but: Set[str]) -> list[Fact]:
        """Return the words that have an opposite, but for some."""
        stems, words = self.text.stems, self.text.words
        found = list[Fact]()
        for i, stem in enumerate(stems):
            is_no_longer = words[i] == "longer" and words[i - 1] == "no"
            if stem in opposites() and stem not in but and not is_no_longer:
                found.append(self.locate(i, i + 1, frozenset([stem])))
            if len(found) == MOST_FACTS:
                break
        return found


def is_context(text: Text, i: int) -> bool:
    """Return whether a word tells something, and neither denies nor is part of a denial."""
    word = text.words[i]
    if word in STOP_WORDS or word in NEGATORS or word.endswith("n't"):
        return False
    return not (word == "longer" and i and text.words[i - 1] == "no")


def find_passive_clauses(text: Text) -> set[int]:
    """Return the clauses that say by whom something was done."""
    words = text.words
    done = {
        text.clause[i]
        for i, word in enumerate(words)
        if i and word == "by" and PARTICIPLE.search(words[i - 1])
    }
    return {text.clause[i] for i, word in enumerate(words) if word in BE and text.clause[i] in done}


def measure_likeness(one: Fact, other: Fact) -> float:
    """Return how like the words around two facts are, 0..1: what both have, to the mean of what
    each has.

    Where each of two words stands beside the other, they are like as if the other were one and the
    same.
    """
    shared = list[float]()
    for (side, stem), weight in one.context.items():
        same_side = other.context.get((side, stem))
        other_side = other.context.get((not side, stem))
        if same_side:
            shared.append(min(weight, same_side))
        elif stem in other.stems:
            if any((side, word) in other.context for word in one.stems):
                shared.append(weight)
        elif other_side:
            shared.append(OTHER_SIDE * min(weight, other_side))
    total = math.fsum(shared)
    if total < LEAST_SHARED:
        return 0.0
    return total / math.sqrt(math.fsum(one.context.values()) * math.fsum(other.context.values()))


def is_same(one: Fact, other: Fact) -> bool:
    """Return whether two facts say the same."""
    if one.quantity and other.quantity:
        return agree(one.quantity, other.quantity)
    return not one.stems.isdisjoint(other.stems)


def is_comparable(one: Fact, other: Fact) -> bool:
    """Return whether one of two facts could stand for the other: names always, numbers by what they
    measure.
    """
    ours, theirs = one.quantity, other.quantity
    if not ours or not theirs:
        return True
    if ours.kind == theirs.kind:
        return ours.kind == "date" or compatible(ours.dimension, theirs.dimension)
    return not ours.dimension and not theirs.dimension


def is_opposite(one: Fact, other: Fact) -> bool:
    """Return whether two words are opposites."""
    return any(not opposites()[word].isdisjoint(other.stems) for word in one.stems)


class Comparison:
    """The facts of an answer beside those of a reference: how like their places are, and which say
    the same.

    Attributes:
        said, wanted: the facts of the answer, and of the reference.
        own: of each fact of the answer the likest place that agrees; -1 where none does. `had` is
            the same of each fact of the reference.
    """

    def __init__(self, said: Sequence[Fact], wanted: Sequence[Fact]) -> None:
        """Compare each fact with each."""
        self.said = said
        self.wanted = wanted
        self.likeness = [[measure_likeness(one, other) for other in wanted] for one in said]
        self.same = [[is_same(one, other) for other in wanted] for one in said]
        self.own = [-1.0] * len(said)
        self.had = [-1.0] * len(wanted)
        for i, row in enumerate(self.same):
            for j, agrees in enumerate(row):
                if agrees:
                    self.own[i] = max(self.own[i], self.likeness[i][j])
                    self.had[j] = max(self.had[j], self.likeness[i][j])

    def find_replacements(self, is_rival: Callable[[Fact, Fact], bool]) -> Iterator[Pair]:
        """Yield the facts of the answer that stand in another's place."""
        for i, fact in enumerate(self.said):
            row = self.likeness[i]
            rivals = [
                j
                for j, other in enumerate(self.wanted)
                if not self.same[i][j] and is_rival(fact, other)
            ]
            j = max(rivals, key=lambda at: row[at], default=-1)
            if j >= 0 and row[j] > max(self.own[i], self.had[j], 0.0):
                yield Pair(i, j, row[j])

    def measure_return(self, i: int, j: int) -> float:
        """Return how like the reference's place of fact `i` is the one where the answer has what
        stands at `j`.
        """
        there = [m for m in range(len(self.said)) if self.same[m][j]]
        places = [n for n in range(len(self.wanted)) if self.same[i][n]]
        likest = 0.0
        for m in there:
            for n in places:
                if self.likeness[m][n] > self.own[m]:
                    likest = max(likest, self.likeness[m][n])
        return likest

    @cached_property
    def replacements(self) -> dict[str, list[Pair]]:
        """The facts in another's place by kind: "strange" where the other text has none of it,
        "swapped" where the two have changed places.
        """
        found: dict[str, list[Pair]] = {"strange": [], "swapped": []}
        for pair in self.find_replacements(is_comparable):
            own = self.own[pair.found]
            if own < 0:
                found["strange"].append(pair)
                continue
            back = self.measure_return(pair.found, pair.expected)
            if back:
                found["swapped"].append(Pair(pair.found, pair.expected, min(pair.likeness, back)))
        return found


def select_nearest(context: Context) -> list[tuple[bool, str]]:
    """Return the nearest word on either side."""
    found = list[tuple[bool, str]]()
    for side in (False, True):
        found += [key for key in context if key[0] is side][:1]
    return found
