"""What an answer says in the place of something else: the same words around it, and another thing in their middle.

A thing is a number or date, a name, a word that has an opposite, or a denial. It belongs to the words around it: those
that tell something, on either side in its sentence, the rarer and the nearer the more. Each thing of the answer stands
beside the place of the reference with the likest words around it. Where another thing of its kind stands in that place,
and the answer does not have that other one in a place as like, the two contradict each other. Names and numbers that
both texts have contradict each other only where two of them have changed places. A number may contradict the question,
too. All is bounded, so that it is linear in the length of the texts.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from .coverage import weigher
from .opposites import opposites
from .quantities import Quantity, agree, compatible
from .word_lists import NEGATORS, STOP
from .wording import Text

FEWEST = 8  # words of a reference in which a thing has something around it
NEAR = 4  # words on either side that a thing belongs to
FARTHER = 0.15  # how much less each further one of them weighs
OTHER_SIDE = 0.4  # what a word counts that stands on the other side
LEAST = 1.0  # what two places must have in common by weight
OF_UNIT = 3.0  # what a unit weighs beside its number
MOST, MOST_PLACES = 30, 5  # things of a kind in a text, and places of a word, that are compared
# Words from a place in which a denial bears on it, in which a word does that denies without a negator, and in which a
# denial turns an opposite round.
DENIES_NEAR, SOFT_NEAR, TURNS_NEAR = 5, 1, 3
# From how like on two places tell something, and how much more so the longer the reference is (from USUAL on, by the
# logarithm of its words), for in a long one something is like by chance. WIDTH further on they tell all.
FROM = {"number": 0.2, "asked": 0.1, "denied": 0.2, "affirmed": 0.55, "opposite": 0.1, "swapped": 0.0, "moved": 0.15}
RISING = {"number": 0.2, "denied": 0.15, "affirmed": 0.15, "opposite": 0.05, "swapped": 0.2, "moved": 0.2}
USUAL, WIDTH = 3.7, 0.25
IN_CHINESE = 0.2  # how much more so where a word is a single character
# What is taken from a likeness: of how like the thing's own place is; where the nearest words are others.
OWN, NOT_NEXT = 0.4, 0.1
FURTHER = 0.5  # what each further contradiction of a kind counts, to the one before
DENIED_TOO = 0.7  # how like, to the likest place, one that is denied must be for the denial to stand there
# Words that deny without a negator.
SOFT = re.compile(
    "unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|ban|prevent|unlike|only|little|few|miss|zero|stop|"
    "avoid|keine?|nicht|ohne|except|unless|instead|rather|少"
)
GRAMMAR = frozenset({"with", "without"})  # opposites that join anything
BE = frozenset("is are was were be been being".split())
PARTICIPLE = re.compile("(?:ed|en|wn|ght|un|ung|uck|ade|eld|uilt|ound|ost|old|aid|ent|one)$")
Pair = tuple[int, int, float]  # two things, or where they stand, and how like their places are
Around = dict[tuple[bool, str], float]  # stems after a thing (True) or before it, with what they weigh


class Thing(NamedTuple):
    """Something that could be another: which words, its stems or the number it is, and what stands around it."""

    start: int
    end: int
    around: Around
    stems: frozenset[str] = frozenset()
    quantity: Quantity | None = None


class Contradiction(NamedTuple):
    """Two things in one place: of FROM which kind, how far it tells anything, 0..1, and where both stand.

    Of a number that is "asked" the other stands in the question; "affirmed" is what the reference alone denies.
    """

    kind: str
    evidence: float
    found: int
    expected: int


class Places:
    """A text, and what stands around each of its words."""

    def __init__(self, text: Text, weight: dict[str, float]) -> None:
        self.text, self.weight = text, weight
        self.solid = [i for i, word in enumerate(text.words) if tells(text, i, word)]
        self.passive = passive_clauses(text)

    def thing(self, start: int, end: int, stems: frozenset[str] = frozenset(), one: Quantity | None = None) -> Thing:
        """Return a thing with the words around it; where something is done by somebody, the sides are exchanged."""
        text, here = self.text, min(start, len(self.text.words) - 1)
        first, after = bisect_left(self.solid, start), bisect_left(self.solid, end)
        before, behind = self.solid[max(0, first - NEAR) : first][::-1], self.solid[after : after + NEAR]
        turned, found = text.clause[here] in self.passive, Around()
        for side, some in ((turned, before), (not turned, behind)):
            for steps, i in enumerate(some):
                if text.sentence[i] == text.sentence[here]:
                    found.setdefault((side, text.stems[i]), self.weight[text.stems[i]] * (1 - FARTHER * steps))
        if one and one.unit:
            found[True, f"unit {one.unit}"] = OF_UNIT
        return Thing(start, end, found, stems, one)

    @cached_property
    def numbers(self) -> list[Thing]:
        """Numbers and dates."""
        spans = [(self.text.within(one.start, one.end), one) for one in self.text.quantities[:MOST]]
        return [self.thing(span.start, span.stop, one=one) for span, one in spans if span]

    def names(self, known: Set[str]) -> list[Thing]:
        """Return the names, and what begins a sentence and is a name elsewhere: `known` are the stems of names."""
        text = self.text
        taken = {i for one in self.numbers for i in range(one.start, one.end)}
        spans = [span for span in text.names[:MOST] if taken.isdisjoint(range(*span))]
        named = {i for span in text.names for i in range(*span)} | taken
        begins = (i for i in range(len(text.words)) if i == 0 or text.sentence[i] != text.sentence[i - 1])
        spans += [(i, i + 1) for i in begins if text.stems[i] in known and i not in named][:MOST]
        return [self.thing(start, end, frozenset(text.stems[start:end])) for start, end in sorted(spans)]

    def opposed(self, besides: Set[str]) -> list[Thing]:
        """Return the words that have an opposite, but for some."""
        stems, table = self.text.stems, opposites()
        again = {i for i, word in enumerate(self.text.words) if word == "longer" and self.text.words[i - 1] == "no"}
        found = [i for i, stem in enumerate(stems) if stem in table and stem not in besides and i not in again][:MOST]
        return [self.thing(i, i + 1, frozenset([stems[i]])) for i in found]


def tells(text: Text, i: int, word: str) -> bool:
    """Return whether a word tells something, and neither denies nor is part of a denial."""
    if word in STOP or word in NEGATORS or word.endswith("n't"):
        return False
    return not (word == "longer" and i and text.words[i - 1] == "no")


def passive_clauses(text: Text) -> set[int]:
    """Return the clauses that say by whom something was done."""
    words = text.words
    done = {text.clause[i] for i, word in enumerate(words) if i and word == "by" and PARTICIPLE.search(words[i - 1])}
    return {text.clause[i] for i, word in enumerate(words) if word in BE and text.clause[i] in done}


def like(one: Thing, other: Thing) -> float:
    """Return how like the words around two things are, 0..1: what both have, to the mean of what each has.

    Where each of two words stands beside the other, they are like as if the other were one and the same.
    """
    both = list[float]()
    for (side, stem), weight in one.around.items():
        if there := other.around.get((side, stem)):
            both.append(min(weight, there))
        elif stem in other.stems:
            both += [weight] * any((side, word) in other.around for word in one.stems)
        elif there := other.around.get((not side, stem)):
            both.append(OTHER_SIDE * min(weight, there))
    shared = math.fsum(both)
    total = math.fsum(one.around.values()) * math.fsum(other.around.values())
    return shared / math.sqrt(total) if shared >= LEAST else 0.0


def same(one: Thing, other: Thing) -> bool:
    """Return whether two things say the same."""
    if one.quantity and other.quantity:
        return agree(one.quantity, other.quantity)
    return not one.stems.isdisjoint(other.stems)


def comparable(one: Thing, other: Thing) -> bool:
    """Return whether one of two things could stand for the other: names always, numbers by what they measure."""
    mine, theirs = one.quantity, other.quantity
    if not mine or not theirs:
        return True
    if mine.kind == theirs.kind:
        return mine.kind == "date" or compatible(mine.dimension, theirs.dimension)
    return not mine.dimension and not theirs.dimension


def opposed(one: Thing, other: Thing) -> bool:
    """Return whether two words are opposites."""
    table = opposites()
    return any(not table[word].isdisjoint(other.stems) for word in one.stems)


class Compared:
    """The things of an answer beside those of a reference: how like their places are, and which say the same."""

    def __init__(self, told: Sequence[Thing], wanted: Sequence[Thing]) -> None:
        self.told, self.wanted = told, wanted
        self.likes = [[like(one, other) for other in wanted] for one in told]
        self.same = [[same(one, other) for other in wanted] for one in told]
        ours = ([self.likes[i][j] for j in range(len(wanted)) if self.same[i][j]] for i in range(len(told)))
        self.own = [max(some, default=-1.0) for some in ours]  # the likest place that agrees; -1 where none does
        theirs = ([self.likes[i][j] for i in range(len(told)) if self.same[i][j]] for j in range(len(wanted)))
        self.had = [max(some, default=-1.0) for some in theirs]

    def others(self, rival: Callable[[Thing, Thing], bool]) -> Iterator[Pair]:
        """Yield the things of the answer that stand in another's place, the other, and how like the places are."""
        for i, one in enumerate(self.told):
            row = self.likes[i]
            some = [j for j, two in enumerate(self.wanted) if not self.same[i][j] and rival(one, two)]
            j = max(some, key=lambda at: row[at], default=-1)
            if j >= 0 and row[j] > max(self.own[i], self.had[j], 0.0):
                yield i, j, row[j]

    def back(self, i: int, j: int) -> float:
        """Return how like the reference's place of thing `i` is the one where the answer has what stands at `j`."""
        there = [m for m in range(len(self.told)) if self.same[m][j]]
        places = [n for n in range(len(self.wanted)) if self.same[i][n]]
        return max((self.likes[m][n] for m in there for n in places if self.likes[m][n] > self.own[m]), default=0.0)

    @cached_property
    def placed(self) -> dict[str, list[Pair]]:
        """Return `others` by kind: "strange" where the other text has none of it, "swapped" where the two have changed
        places, "moved" where this one alone has.
        """
        found: dict[str, list[Pair]] = {"strange": [], "swapped": [], "moved": []}
        for i, j, near in self.others(comparable):
            if self.own[i] < 0:
                found["strange"].append((i, j, near))
            elif back := self.back(i, j):
                found["swapped"].append((i, j, min(near, back)))
            else:
                found["moved"].append((i, j, near - self.own[i]))
        return found


def turned(text: Text, at: int) -> bool:
    """Return whether a word is denied right before it."""
    return sum(0 < at - i <= TURNS_NEAR and text.sentence[i] == text.sentence[at] for i in text.denials) % 2 == 1


def denied_near(text: Text, at: int, denials: Set[int], around: Set[str]) -> bool:
    """Return whether a place of a text is denied, or as good as, but for words that the other has around it, too."""
    last = len(text.words)
    sentence = text.sentence[min(at, last - 1)]
    near = [i for i in range(max(0, at - DENIES_NEAR), min(last, at + DENIES_NEAR + 1)) if text.sentence[i] == sentence]
    soft = (i for i in near if abs(i - at) <= SOFT_NEAR and text.stems[i] not in around)
    return any(i in denials for i in near) or any(SOFT.match(text.words[i]) for i in soft)


def denied(one: Places, two: Places) -> Iterator[Pair]:
    """Yield the denials of one text whose place in the other denies nothing: where both stand, how like they are."""
    table, own, other, denials = opposites(), one.text, two.text, set(two.text.denials)
    for i in own.denials[:MOST]:
        if own.words[i] == "no" and (not i or own.sentence[i - 1] != own.sentence[i]):
            continue  # it answers a question
        mine, best, denied_too, at, theirs = one.thing(i, i + 1), 0.0, 0.0, -1, Around()
        nearest, stems = set(beside(mine.around)), {stem for _, stem in mine.around}
        places = {p for _, stem in mine.around for p in other.places.get(stem, [])[:MOST_PLACES]}
        for gap in sorted(places | {p + 1 for p in places}):
            there = two.thing(gap, gap)
            near = like(mine, there) - NOT_NEXT * nearest.isdisjoint(beside(there.around))
            if denied_near(other, gap, denials, stems):
                denied_too = max(denied_too, near)
            elif near > best:
                best, at, theirs = near, gap, there.around
        there_too = {stem for _, stem in theirs}
        flipped = any(not table.get(stem, frozenset()).isdisjoint(there_too) for stem in stems)
        if at >= 0 and not flipped and denied_too < DENIED_TOO * best:
            yield i, min(at, len(other.words) - 1), best


def beside(around: Around) -> list[tuple[bool, str]]:
    """Return the nearest word on either side."""
    return [key for side in (False, True) for key in [one for one in around if one[0] is side][:1]]


def contradictions(answer: Text, reference: Text, question: Text) -> list[Contradiction]:
    """Return what an answer says in the place of something else: in the reference, or a number of the question."""
    if len(reference.words) < FEWEST:
        return []
    weight = weigher({*answer.stems, *reference.stems, *question.stems})
    told, wanted, asked = (Places(text, weight) for text in (answer, reference, question))
    known = {text.stems[i] for text in (answer, reference) for span in text.names for i in range(*span)}
    names = Compared(told.names(known), wanted.names(known))
    numbers, again = Compared(told.numbers, wanted.numbers), Compared(told.numbers, asked.numbers)
    words = Compared(told.opposed(GRAMMAR | question.places.keys()), wanted.opposed(GRAMMAR))
    some = [
        ("swapped", names, names.placed["swapped"]),
        ("swapped", numbers, numbers.placed["swapped"]),
        ("moved", names, names.placed["moved"]),
        ("number", numbers, [one for one in numbers.placed["strange"] if again.own[one[0]] < 0]),
        ("asked", again, [one for one in again.placed["strange"] if numbers.own[one[0]] < 0]),
        ("opposite", words, [*words.others(opposed)]),
    ]
    found = [
        (kind, near - OWN * max(side.own[i], 0.0), side.told[i].start, side.wanted[j].start)
        for kind, side, pairs in some
        for i, j, near in pairs
    ]
    found = [one for one in found if one[0] != "opposite" or turned(answer, one[2]) == turned(reference, one[3])]
    found += [("denied", near, i, j) for i, j, near in denied(told, wanted)]
    found += [("affirmed", near, j, i) for i, j, near in denied(wanted, told)]
    sure = [Contradiction(kind, evidence(kind, near, reference), i, j) for kind, near, i, j in found]
    return [one for one in sure if one.evidence > 0]


def evidence(kind: str, like: float, reference: Text) -> float:
    """Return how far it tells anything, 0..1, that two places are so like."""
    more = RISING.get(kind, 0.0) * max(0.0, math.log1p(len(reference.words)) - USUAL)
    return max(0.0, min(1.0, (like - FROM[kind] - more - IN_CHINESE * reference.han) / WIDTH))


def contradicted(found: Sequence[Contradiction]) -> float:
    """Return how far an answer contradicts a reference: all kinds together, of each kind every further one less."""
    kinds = (sorted((one.evidence for one in found if one.kind == kind), reverse=True) for kind in FROM)
    return math.fsum(evidence * FURTHER**i for some in kinds for i, evidence in enumerate(some))
