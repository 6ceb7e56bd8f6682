"""Find facts of an answer that stand in the place of other facts of a long reference.

Each fact of the answer is set beside the place of the reference with the likest words around it.
Where another fact of its kind stands in that place, and the answer does not have that
other one in a place as like, the two contradict each other. Names and numbers that both texts have
contradict each other only where two of them have changed places.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from .equality import agree, compatible
from .features import weigh_stems
from .lexicon import BE, NEGATORS, PARTICIPLE, STOP_WORDS
from .opposites import has_opposite, list_opposite_stems
from .quantities import Quantity
from .text import Text


# ---- the words around a fact

# The facts of a text with the words around them, and how like the places of two facts are. A fact
# is a number or date, a name, a word that has an opposite, or a denial. It belongs to the words
# around it: those that tell something, on either side in its sentence, the rarer and the nearer the
# more. All is bounded, so that it is linear in the length of the texts.

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
        """Find the words that carry meaning, and the clauses in the passive with a doer."""
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
        """Return the names, and words at the start of a sentence that are names elsewhere.

        `known` are the stems of names.
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
            if has_opposite(words[i]) and stem not in but and not is_no_longer:
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
    """Return how alike the words around two facts are, 0..1.

    It is the weight of the words that both have, divided by the mean weight of each.

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
    """Return whether one fact could stand for the other.

    Names always can, numbers if they measure the same.
    """
    ours, theirs = one.quantity, other.quantity
    if not ours or not theirs:
        return True
    if ours.kind == theirs.kind:
        return ours.kind == "date" or compatible(ours.dimension, theirs.dimension)
    return not ours.dimension and not theirs.dimension


def is_opposite(one: Fact, other: Fact) -> bool:
    """Return whether two words are opposites."""
    return any(not list_opposite_stems(stem).isdisjoint(other.stems) for stem in one.stems)


class Comparison:
    """The facts of an answer and a reference, the likeness of their places, and which agree.

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
        """Return how like fact `i`'s place in the reference is the answer's place of fact `j`."""
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
        """The facts in another's place, by kind.

        "strange": the other text does not have the fact. "swapped": two facts have changed places.
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


# ---- denials

# Denials beside a long reference: what one text denies, and the other says without a denial.

MOST_PLACES = 5  # places of a word that are compared
# Words from a place in which a denial bears on it, in which a word does that denies without a
# negator, and in which a denial turns an opposite round.
DENIAL_REACH, SOFT_DENIAL_REACH, OPPOSITE_REACH = 5, 1, 3
# What is taken from a likeness where the nearest words are others, and where the denied word is.
OTHER_NEXT_WORDS, OTHER_FOLLOWING_WORD = 0.1, 0.1
# What makes a condition, and in how many words before a denial.
CONDITIONS = frozenset("if unless when whether until wenn falls ob".split())
CONDITION_REACH = 6
DENIED_TOO = (
    0.7  # how like, to the likest place, one that is denied must be for the denial to stand there
)
SOFT_DENIAL = re.compile(
    "unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|ban|prevent|unlike|only|little|few|miss|zero|stop|"
    "avoid|keine?|nicht|ohne|except|unless|instead|rather|少"
)


def find_denials(one: Places, other: Places) -> Iterator[Pair]:
    """Yield the denials of one text whose place in the other text is not denied."""
    text = one.text
    for i in text.denials[:MOST_FACTS]:
        if text.words[i] == "no" and text.is_new_sentence(i):
            continue  # it answers a question
        if is_harmless(text, i):
            continue
        pair = find_undenied_place(one.locate(i, i + 1), other)
        if pair:
            yield pair


def is_harmless(text: Text, i: int) -> bool:
    """Return whether a denial takes nothing back: no more than two, with or without, if not."""
    previous = text.words[i - 1] if i else ""
    following = text.words[i + 1 : i + 3]
    if following[:1] == ["matter"] or following[1:] == ["than"] or previous == "or":
        return True
    if text.words[i] == "without" and previous == "and":
        return True
    before = range(max(0, i - CONDITION_REACH), i)
    return any(text.words[j] in CONDITIONS and text.clause[j] == text.clause[i] for j in before)


def find_undenied_place(fact: Fact, other: Places) -> Pair | None:
    """Return the likest place for a denial in a text, if nothing is denied there.

    Nothing may be denied in a place that is almost as like, either.
    """
    text, denials = other.text, set(other.text.denials)
    nearest, stems = set(select_nearest(fact.context)), {stem for _, stem in fact.context}
    following = select_following(fact.context, 1)
    places = {place for stem in stems for place in text.places.get(stem, [])[:MOST_PLACES]}
    best = denied = 0.0
    at, there = -1, Context()
    for gap in sorted(places | {place + 1 for place in places}):
        candidate = other.locate(gap, gap)
        likeness = measure_likeness(fact, candidate)
        likeness -= OTHER_NEXT_WORDS * nearest.isdisjoint(select_nearest(candidate.context))
        likeness -= OTHER_FOLLOWING_WORD * following.isdisjoint(
            select_following(candidate.context, 2)
        )
        if is_denied_near(text, gap, denials, stems):
            denied = max(denied, likeness)
        elif likeness > best:
            best, at, there = likeness, gap, candidate.context
    around = {stem for _, stem in there}
    has_opposite = any(not list_opposite_stems(stem).isdisjoint(around) for stem in stems)
    if at < 0 or has_opposite or denied >= DENIED_TOO * best:
        return None
    return Pair(fact.start, min(at, len(text.words) - 1), best)


def select_following(context: Context, count: int) -> set[tuple[bool, str]]:
    """Return the first words after a place."""
    return set([key for key in context if key[0]][:count])


def is_denied_near(
    text: Text,
    i: int,
    denials: Set[int],
    around: Set[str],
) -> bool:
    """Return whether something near a word denies it.

    Words that the other text also has around that place do not count.
    """
    last = len(text.words)
    sentence = text.sentence[min(i, last - 1)]
    for at in range(max(0, i - DENIAL_REACH), min(last, i + DENIAL_REACH + 1)):
        if text.sentence[at] != sentence:
            continue
        is_soft = (
            abs(at - i) <= SOFT_DENIAL_REACH
            and text.stems[at] not in around
            and SOFT_DENIAL.match(text.words[at])
        )
        if at in denials or is_soft:
            return True
    return False


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether a word is denied right before it."""
    near = [
        at
        for at in text.denials
        if 0 < i - at <= OPPOSITE_REACH and text.sentence[at] == text.sentence[i]
    ]
    return len(near) % 2 == 1


# ---- what contradicts what

SHORTEST_REFERENCE = 8  # words of a reference in which a fact has something around it
# From how like on two places tell something, and how much more so the longer the reference is (from
# USUAL_LENGTH on, by the logarithm of its words), for in a long one something is like by chance.
# WIDTH further on they tell all.
LEAST_LIKENESS = {
    "number": 0.2, "name": 0.2, "denied": 0.15, "affirmed": 0.55, "opposite": 0.05, "swapped": 0.0,
}  # fmt: skip
MORE_BY_LENGTH = {
    "number": 0.2, "name": 0.2, "denied": 0.15, "affirmed": 0.15, "opposite": 0.05, "swapped": 0.2,
}  # fmt: skip
USUAL_LENGTH, WIDTH = 3.7, 0.25
MORE_IN_CHINESE = 0.2  # how much more so where a word is a single character
OWN_PLACE = 0.4  # what is taken from a likeness, of how like the fact's own place is
GERMAN_WORDS = frozenset(
    "der das und ist nicht ein eine einen dem den von mit werden wird sind auf für sich als".split()
)
GRAMMAR = frozenset({"with", "without"})  # opposites that join anything


@dataclass(frozen=True)
class Contradiction:
    """Two facts in one place.

    Attributes:
        kind: number, name, opposite, denied, affirmed (what the reference alone denies) or swapped.
        evidence: how far it tells anything, 0..1.
        found, expected: where both stand, in the answer and in the reference.
    """

    kind: str
    evidence: float
    found: int
    expected: int


def find_contradictions(answer: Text, reference: Text, question: Text) -> list[Contradiction]:
    """Return what an answer says in the place of something else in the reference.

    A reference of fewer than SHORTEST_REFERENCE words has nothing around its facts: none are
    returned.
    """
    if len(reference.words) < SHORTEST_REFERENCE:
        return []
    weight = weigh_stems({*answer.stems, *reference.stems, *question.stems})
    said, wanted, asked = (Places(text, weight) for text in (answer, reference, question))
    known = {
        text.stems[i] for text in (answer, reference) for span in text.names for i in range(*span)
    }
    names = Comparison(said.find_names(known), wanted.find_names(known))
    numbers, asked_numbers = (
        Comparison(said.numbers, wanted.numbers),
        Comparison(said.numbers, asked.numbers),
    )
    words = Comparison(
        said.find_opposites(GRAMMAR | question.places.keys()), wanted.find_opposites(GRAMMAR)
    )
    strange = [
        pair for pair in numbers.replacements["strange"] if asked_numbers.own[pair.found] < 0
    ]
    strange_names = list[Pair]()
    if not is_german(reference):
        strange_names = [
            pair for pair in names.replacements["strange"] if names.had[pair.expected] < 0
        ]
    opposed = [
        pair
        for pair in words.find_replacements(is_opposite)
        if is_turned_alike(words, pair, said, wanted) and not has_found_beside(words, pair, wanted)
    ]
    found = [
        *rate_pairs("swapped", names, names.replacements["swapped"], reference),
        *rate_pairs("swapped", numbers, numbers.replacements["swapped"], reference),
        *rate_pairs("number", numbers, strange, reference),
        *rate_pairs("name", names, strange_names, reference),
        *rate_pairs("opposite", words, opposed, reference),
    ]
    for pair in find_denials(said, wanted):
        evidence = rate_evidence("denied", pair.likeness, reference)
        found.append(Contradiction("denied", evidence, pair.found, pair.expected))
    for pair in find_denials(wanted, said):
        evidence = rate_evidence("affirmed", pair.likeness, reference)
        found.append(Contradiction("affirmed", evidence, pair.expected, pair.found))
    return [one for one in found if one.evidence > 0]


def is_german(text: Text) -> bool:
    """Return whether a text is German, where a capital does not make a name."""
    return len(GERMAN_WORDS & set(text.words)) >= 2


def is_turned_alike(
    words: Comparison,
    pair: Pair,
    said: Places,
    wanted: Places,
) -> bool:
    """Return whether both opposites are denied, or none.

    "not cold" does not contradict "hot".
    """
    found = is_denied_before(said.text, words.said[pair.found].start)
    return found == is_denied_before(wanted.text, words.wanted[pair.expected].start)


def has_found_beside(words: Comparison, pair: Pair, wanted: Places) -> bool:
    """Return whether the same sentence of the reference has that word, too: start and stop bit."""
    text, here = wanted.text, words.wanted[pair.expected].start
    places = [i for stem in words.said[pair.found].stems for i in text.places.get(stem, [])]
    return any(text.sentence[i] == text.sentence[here] for i in places)


def rate_pairs(
    kind: str,
    facts: Comparison,
    pairs: Sequence[Pair],
    reference: Text,
) -> Iterator[Contradiction]:
    """Yield pairs as contradictions, with how far each tells anything."""
    for pair in pairs:
        likeness = pair.likeness - OWN_PLACE * max(facts.own[pair.found], 0.0)
        evidence = rate_evidence(kind, likeness, reference)
        yield Contradiction(
            kind, evidence, facts.said[pair.found].start, facts.wanted[pair.expected].start
        )


def rate_evidence(kind: str, likeness: float, reference: Text) -> float:
    """Return how far it tells anything, 0..1, that two places are so like."""
    longer = max(0.0, math.log1p(len(reference.words)) - USUAL_LENGTH)
    least = (
        LEAST_LIKENESS[kind]
        + MORE_BY_LENGTH.get(kind, 0.0) * longer
        + MORE_IN_CHINESE * reference.is_chinese
    )
    return max(0.0, min(1.0, (likeness - least) / WIDTH))
