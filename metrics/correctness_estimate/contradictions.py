"""Find facts of an answer that stand in the place of other facts of a long reference.

Two places are alike if the words around them are alike. For each fact of the answer, the most
similar place of the reference is looked for. If another fact of its kind stands there, and the
answer does not have that fact in a place as similar, the two facts contradict each other. Names and
numbers that both texts have contradict each other only if two of them have changed places.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from .denials import CONDITIONS, denies_verb, is_content, is_denied_before
from .equality import agree, are_compatible, is_among, is_within, may_be_meant
from .lexicon import DENYING_WORD
from .matching import weigh_stems
from .opposites import has_opposite, list_opposite_stems
from .quantities import Quantity
from .swapped_facts import (
    are_items,
    find_likest_place,
    find_passive_clauses,
    find_swapped_facts,
)
from .text import CachedProperty, Text

# ---- the words around a fact

# A fact is a number or date, a name, a word that has an opposite, or a denial. The words around it
# are the telling words on either side in its sentence. Rare words weigh more than frequent ones,
# near words more than far ones. All numbers of facts and words are bounded, so that the time is
# linear in the length of the texts.

NEIGHBOURS = 4  # words around a fact, on either side
LESS_PER_STEP = 0.15  # how much less each further one of them weighs
OTHER_SIDE = 0.4  # what a shared word counts that stands on the other side
LEAST_SHARED = 1.0  # what two places must have in common by weight
UNIT_WEIGHT = 3.0  # weight of the unit of a number
LABEL_WEIGHT = 1.5  # more weight for the word right before a number without a unit: season 2
MOST_FACTS = 30  # facts of a kind in a text that are compared
# Whether a word stands after a fact (True) or before it, and its stem.
Neighbour = tuple[bool, str]
# The words around a fact with their weights. On each side the nearest one comes first.
Context = dict[Neighbour, float]


@dataclass(frozen=True)
class Fact:
    """A fact of a text, or a place where one could stand.

    Attributes:
        start, end: the range of its words.
        context: the words around it, with their weights.
        stems: its own words.
        quantity: the number or date, if it is one.
    """

    start: int
    end: int
    context: Context = field(default_factory=dict)
    stems: frozenset[str] = frozenset()
    quantity: Quantity | None = None

    @CachedProperty
    def nearest(self) -> set[Neighbour]:
        """The nearest word on either side."""
        before = self.list_nearest(is_after=False, count=1)
        after = self.list_nearest(is_after=True, count=1)
        return before | after

    def list_nearest(self, *, is_after: bool, count: int) -> set[Neighbour]:
        """Return the nearest words on one side."""
        on_this_side = [word for word in self.context if word[0] is is_after]
        return set(on_this_side[:count])


@dataclass(frozen=True)
class Pair:
    """A fact of the answer, a fact of the reference, and how alike their places are.

    Attributes:
        found, expected: their numbers in the lists of facts; of a denial and its place, the
            numbers of the words.
        likeness: how alike their places are.
    """

    found: int
    expected: int
    likeness: float


class FactFinder:
    """Finds the facts of a text, with the words around them.

    Attributes:
        text: the text.
        weight: the weight of each stem.
        content: the telling words.
        passive_clauses: the passive clauses that say who did it.
    """

    def __init__(self, text: Text, weight: dict[str, float]) -> None:
        """Find the telling words and the passive clauses of a text."""
        self.text = text
        self.weight = weight
        self.content = [i for i in range(len(text.words)) if is_content(text, i)]
        self.passive_clauses = find_passive_clauses(text)

    def make_fact(
        self,
        start: int,
        end: int,
        stems: frozenset[str] = frozenset(),
        quantity: Quantity | None = None,
    ) -> Fact:
        """Return a fact with the words around it.

        In a passive clause that says who did it, the two sides are exchanged.
        """
        text = self.text
        here = min(start, len(text.words) - 1)
        n_before, n_until_end = bisect_left(self.content, start), bisect_left(self.content, end)
        before = self.content[max(0, n_before - NEIGHBOURS) : n_before][::-1]
        after = self.content[n_until_end : n_until_end + NEIGHBOURS]
        is_passive = text.clause[here] in self.passive_clauses
        context = Context()
        for is_after, words in ((is_passive, before), (not is_passive, after)):
            for steps, i in enumerate(words):
                if text.sentence[i] == text.sentence[here]:
                    weight = self.weight[text.stems[i]] * (1 - LESS_PER_STEP * steps)
                    context.setdefault((is_after, text.stems[i]), weight)
        if quantity and quantity.unit:
            context[True, f"unit {quantity.unit}"] = UNIT_WEIGHT
        elif quantity and before[:1] == [start - 1] and text.clause[start - 1] == text.clause[here]:
            context[False, f"label {text.stems[start - 1]}"] = LABEL_WEIGHT
        return Fact(start, end, context, stems, quantity)

    @CachedProperty
    def numbers(self) -> list[Fact]:
        """The numbers and dates."""
        numbers = list[Fact]()
        for quantity in self.text.quantities[:MOST_FACTS]:
            words = self.text.words_between(quantity.start, quantity.end)
            if words:
                numbers.append(self.make_fact(words.start, words.stop, quantity=quantity))
        return numbers

    def find_names(self, known: Set[str]) -> list[Fact]:
        """Return the names, and words at the start of a sentence that are names elsewhere.

        Args:
            known: the stems of names in both texts.
        """
        text = self.text
        in_numbers = list_span_words((number.start, number.end) for number in self.numbers)
        spans = [span for span in text.names[:MOST_FACTS] if in_numbers.isdisjoint(range(*span))]
        in_facts = in_numbers | list_span_words(text.names)
        first_words = list[tuple[int, int]]()
        for i, stem in enumerate(text.stems):
            if stem in known and i not in in_facts and text.is_new_sentence(i):
                first_words.append((i, i + 1))
        names = list[Fact]()
        for start, end in sorted(spans + first_words[:MOST_FACTS]):
            names.append(self.make_fact(start, end, frozenset(text.stems[start:end])))
        return names

    def find_opposites(self, skipped: Set[str]) -> list[Fact]:
        """Return the words that have an opposite, without some stems."""
        stems, words = self.text.stems, self.text.words
        opposites = list[Fact]()
        for i, stem in enumerate(stems):
            is_no_longer = words[i] == "longer" and words[i - 1] == "no"
            if is_no_longer or stem in skipped or not has_opposite(words[i]):
                continue
            opposites.append(self.make_fact(i, i + 1, frozenset([stem])))
            if len(opposites) == MOST_FACTS:
                break
        return opposites


def list_span_words(spans: Iterable[tuple[int, int]]) -> set[int]:
    """Return the numbers of all words in some spans."""
    words = set[int]()
    for start, end in spans:
        words.update(range(start, end))
    return words


def measure_likeness(one: Fact, other: Fact) -> float:
    """Return how alike the words around two facts are, 0..1.

    It is the weight of the words that both have, divided by the geometric mean of the weights of
    each. If each fact stands beside the other ("A beat B", "B beat A"), the other one counts as a
    word that both have.
    """
    shared_weights = list[float]()
    for (is_after, stem), weight in one.context.items():
        on_same_side = other.context.get((is_after, stem))
        on_other_side = other.context.get((not is_after, stem))
        if on_same_side:
            shared_weights.append(min(weight, on_same_side))
        elif stem in other.stems:
            if any((is_after, word) in other.context for word in one.stems):
                shared_weights.append(weight)
        elif on_other_side:
            shared_weights.append(OTHER_SIDE * min(weight, on_other_side))
    shared = math.fsum(shared_weights)
    if shared < LEAST_SHARED:
        return 0.0
    weight, other_weight = math.fsum(one.context.values()), math.fsum(other.context.values())
    return shared / math.sqrt(weight * other_weight)


def is_same(one: Fact, other: Fact) -> bool:
    """Return whether two facts say the same."""
    if one.quantity and other.quantity:
        return agree(one.quantity, other.quantity)
    return not one.stems.isdisjoint(other.stems)


def is_comparable(one: Fact, other: Fact) -> bool:
    """Return whether one fact could stand for the other.

    Names always can, numbers if they measure the same.
    """
    quantity, other_quantity = one.quantity, other.quantity
    if not quantity or not other_quantity:
        return True
    if quantity.kind == other_quantity.kind:
        is_date = quantity.kind == "date"
        return is_date or are_compatible(quantity.dimension, other_quantity.dimension)
    return not quantity.dimension and not other_quantity.dimension


def is_opposite(one: Fact, other: Fact) -> bool:
    """Return whether two words are opposites."""
    return any(not list_opposite_stems(stem).isdisjoint(other.stems) for stem in one.stems)


class Comparison:
    """The facts of an answer and of a reference, and how like their places are.

    Attributes:
        answer_facts, reference_facts: the facts.
        likeness: of each fact of the answer, how like its place is to that of each fact of the
            reference.
        same: of each fact of the answer, whether each fact of the reference says the same.
        answer_best: of each fact of the answer, its likeness to the most similar place of the
            reference that says the same; -1 if none does.
        reference_best: of each fact of the reference, its likeness to the most similar place of
            the answer that says the same; -1 if none does.
    """

    def __init__(self, answer_facts: Sequence[Fact], reference_facts: Sequence[Fact]) -> None:
        """Compare each fact with each."""
        self.answer_facts = answer_facts
        self.reference_facts = reference_facts
        self.likeness = [
            [measure_likeness(one, other) for other in reference_facts] for one in answer_facts
        ]
        self.same = [[is_same(one, other) for other in reference_facts] for one in answer_facts]
        self.answer_best = [-1.0] * len(answer_facts)
        self.reference_best = [-1.0] * len(reference_facts)
        for i, row in enumerate(self.same):
            for j, agrees in enumerate(row):
                if agrees:
                    likeness = self.likeness[i][j]
                    self.answer_best[i] = max(self.answer_best[i], likeness)
                    self.reference_best[j] = max(self.reference_best[j], likeness)

    def find_replacements(self, is_rival: Callable[[Fact, Fact], bool]) -> Iterator[Pair]:
        """Yield the facts of the answer that stand in the place of another fact.

        Args:
            is_rival: whether a fact of the answer and one of the reference exclude each other.
        """
        for i, fact in enumerate(self.answer_facts):
            likeness = self.likeness[i]
            rivals = list[int]()
            for j, other in enumerate(self.reference_facts):
                if not self.same[i][j] and is_rival(fact, other):
                    rivals.append(j)
            if not rivals:
                continue
            nearest = max(rivals, key=likeness.__getitem__)
            own_likeness = max(self.answer_best[i], self.reference_best[nearest], 0.0)
            if likeness[nearest] > own_likeness:
                yield Pair(i, nearest, likeness[nearest])

    def measure_return(self, i: int, j: int) -> float:
        """Return how like the answer's place of one fact is to the reference's place of another.

        Args:
            i: a fact of the answer, in the place of fact j.
            j: the fact of the reference that the answer may have in the place of fact i.
        """
        answer_places = [m for m in range(len(self.answer_facts)) if self.same[m][j]]
        reference_places = [n for n in range(len(self.reference_facts)) if self.same[i][n]]
        highest = 0.0
        for m in answer_places:
            for n in reference_places:
                if self.likeness[m][n] > self.answer_best[m]:
                    highest = max(highest, self.likeness[m][n])
        return highest

    @CachedProperty
    def replacements(self) -> dict[str, list[Pair]]:
        """The facts in another's place, by kind.

        "strange": the reference does not have the fact of the answer. "swapped": two facts have
        changed places.
        """
        replacements: dict[str, list[Pair]] = {"strange": [], "swapped": []}
        for pair in self.find_replacements(is_comparable):
            if self.answer_best[pair.found] < 0:
                replacements["strange"].append(pair)
                continue
            returned = self.measure_return(pair.found, pair.expected)
            if returned:
                likeness = min(pair.likeness, returned)
                replacements["swapped"].append(Pair(pair.found, pair.expected, likeness))
        return replacements


# ---- denials

# What one text denies, and the other text says without a denial.

MOST_PLACES = 5  # places of a word that are compared
DENIAL_REACH = 5  # words between a place and a negator that denies it
SOFT_DENIAL_REACH = 1  # words between a place and a word that denies it without a negator
OTHER_NEXT_WORDS = 0.1  # less likeness if none of the nearest words is the same
OTHER_FOLLOWING_WORD = 0.1  # less likeness if the denied word is another one
CONDITION_REACH = 6  # words between a condition and a denial in it
UNTIL_REACH = 8  # words from a negator to the "until" that goes with it
# If a denied place of the other text has this share of the highest likeness, that text denies, too.
DENIED_SHARE = 0.7
# Words that deny beside a place as those of `DENYING_WORD` do.
SOFT_DENIAL = re.compile("unlike|only|little|few|miss|stop|except|unless|instead|rather|ohne|少")


def find_denials(one: FactFinder, other: FactFinder) -> Iterator[Pair]:
    """Yield the denials of one text whose place in the other text is not denied."""
    text = one.text
    for i in text.denials[:MOST_FACTS]:
        if is_harmless(text, i):
            continue
        pair = find_undenied_place(one.make_fact(i, i + 1), other)
        if pair:
            yield pair


def is_harmless(text: Text, i: int) -> bool:
    """Return whether a denial denies nothing.

    It answers a question (No, ...), stands beside its contrary (with or without) or in a condition
    (if not), bounds something, or rejects another thing (in butter, not oil).
    """
    if text.words[i] == "no" and text.is_new_sentence(i):
        return True
    if text.words[i] == "not" and not denies_verb(text.words, i):
        return True
    previous = text.words[i - 1] if i else ""
    if previous == "or" or (previous == "and" and text.words[i] == "without"):
        return True
    if bounds_something(text, i):
        return True
    for j in range(max(0, i - CONDITION_REACH), i):
        if text.words[j] in CONDITIONS and text.clause[j] == text.clause[i]:
            return True
    return False


def bounds_something(text: Text, i: int) -> bool:
    """Return whether a negator bounds: no more than two, no matter who, not until 1911."""
    sentence = text.find_sentence(i)
    following = text.words[i + 1 : min(i + 1 + UNTIL_REACH, sentence.stop)]
    return following[1:2] == ["than"] or following[:1] == ["matter"] or "until" in following


def find_undenied_place(fact: Fact, other: FactFinder) -> Pair | None:
    """Return the most similar place for a denial in another text, if that text does not deny it.

    None if a place that is almost as similar is denied, or if the place has an opposite of one of
    the words around the denial.
    """
    text = other.text
    denials, stems = set(text.denials), {stem for _, stem in fact.context}
    most_similar, highest, highest_denied = None, 0.0, 0.0
    for i in list_likely_places(text, stems):
        place = other.make_fact(i, i)
        likeness = measure_place_likeness(fact, place)
        if is_denied_near(text, i, denials, stems):
            highest_denied = max(highest_denied, likeness)
        elif likeness > highest:
            most_similar, highest = place, likeness
    if most_similar is None or highest_denied >= DENIED_SHARE * highest:
        return None
    around = {stem for _, stem in most_similar.context}
    if any(not list_opposite_stems(stem).isdisjoint(around) for stem in stems):
        return None
    return Pair(fact.start, min(most_similar.start, len(text.words) - 1), highest)


def list_likely_places(text: Text, stems: Set[str]) -> list[int]:
    """Return the places right before and right after the words with some stems."""
    places = set[int]()
    for stem in stems:
        places.update(text.places.get(stem, [])[:MOST_PLACES])
    return sorted(places | {place + 1 for place in places})


def measure_place_likeness(fact: Fact, place: Fact) -> float:
    """Return how like a place is to that of a denial; less if the words next to it are others."""
    likeness = measure_likeness(fact, place)
    if fact.nearest.isdisjoint(place.nearest):
        likeness -= OTHER_NEXT_WORDS
    denied_word = fact.list_nearest(is_after=True, count=1)
    if denied_word.isdisjoint(place.list_nearest(is_after=True, count=2)):
        likeness -= OTHER_FOLLOWING_WORD
    return likeness


def denies_softly(word: str) -> bool:
    """Return whether a word denies without a negator: failed, only."""
    return bool(DENYING_WORD.match(word) or SOFT_DENIAL.match(word))


def is_denied_near(text: Text, i: int, denials: Set[int], around: Set[str]) -> bool:
    """Return whether something near a place denies it.

    Args:
        text: the text.
        i: the place, between two words.
        denials: the negators of the text.
        around: the words that the other text has around the place. They are no soft denials.
    """
    n_words = len(text.words)
    sentence = text.sentence[min(i, n_words - 1)]
    for j in range(max(0, i - DENIAL_REACH), min(n_words, i + DENIAL_REACH + 1)):
        if text.sentence[j] != sentence:
            continue
        if j in denials:
            return True
        is_beside = abs(j - i) <= SOFT_DENIAL_REACH
        if is_beside and text.stems[j] not in around and denies_softly(text.words[j]):
            return True
    return False


# ---- what contradicts what

SHORTEST_REFERENCE = 8  # words of a reference; in a shorter one facts have few words around them
# The evidence rises from 0 at LEAST_LIKENESS to 1 at WIDTH above it. In a longer reference more
# places are alike by chance: from USUAL_LENGTH on, the least likeness grows by MORE_BY_LENGTH times
# the logarithm of the number of words.
LEAST_LIKENESS = {
    "number": 0.2, "name": 0.2, "denied": 0.06, "affirmed": 0.55, "opposite": 0.05, "swapped": 0.0,
}  # fmt: skip
MORE_BY_LENGTH = {
    "number": 0.2, "name": 0.2, "denied": 0.19, "affirmed": 0.15, "opposite": 0.05, "swapped": 0.2,
}  # fmt: skip
USUAL_LENGTH = 3.7  # logarithm of the number of words: 40 words
WIDTH = 0.25
LEAST_EVIDENCE = 0.25  # less of it is chance: without it the grading sets are ranked better
LONE_EVIDENCE = 1.0  # of a value that is the only one of its kind in both texts, and differs
MORE_IN_CHINESE = 0.2  # more in Chinese: each word is a single character
OWN_PLACE = 0.4  # the share of the likeness of a fact's own place that another place loses
GERMAN_WORDS = frozenset(
    "der das und ist nicht ein eine einen dem den von mit werden wird sind auf für sich als".split()
)
GRAMMAR = frozenset({"with", "without"})  # opposites that may stand beside any word
FEWEST_GERMAN_WORDS = 2  # of GERMAN_WORDS, in a German text


@dataclass(frozen=True)
class Contradiction:
    """Two facts in one place.

    Attributes:
        kind: number, name, opposite, denied (only the answer denies it), affirmed (only the
            reference denies it) or swapped.
        evidence: how sure the contradiction is, 0..1.
        found, expected: the first words of the two facts, in the answer and in the reference.
        is_edit: whether it is all that a copied sentence of the reference changes there.
    """

    kind: str
    evidence: float
    found: int
    expected: int
    is_edit: bool = False


def find_contradictions(answer: Text, reference: Text, question: Text) -> list[Contradiction]:
    """Return what an answer says in the place of something else in the reference.

    Empty for a reference of fewer than SHORTEST_REFERENCE words.
    """
    if len(reference.words) < SHORTEST_REFERENCE:
        return []
    weight = weigh_stems({*answer.stems, *reference.stems, *question.stems})
    in_answer, in_reference = FactFinder(answer, weight), FactFinder(reference, weight)
    name_stems = list_name_stems(answer) | list_name_stems(reference)
    names = Comparison(in_answer.find_names(name_stems), in_reference.find_names(name_stems))
    numbers = Comparison(in_answer.numbers, in_reference.numbers)
    repeated = Comparison(in_answer.numbers, FactFinder(question, weight).numbers)
    words = Comparison(
        in_answer.find_opposites(GRAMMAR | question.places.keys()),
        in_reference.find_opposites(GRAMMAR),
    )
    strange_numbers = select_strange_numbers(numbers, repeated)
    strange_names = select_strange_names(names, reference)
    opposites = select_opposites(words, answer, reference)
    rated = [
        *rate_pairs("swapped", names, select_swapped(names, answer, reference), reference),
        *rate_pairs("swapped", numbers, select_swapped(numbers, answer, reference), reference),
        *rate_pairs("number", numbers, strange_numbers, reference),
        *rate_pairs("name", names, strange_names, reference),
        *rate_pairs("opposite", words, opposites, reference),
        *rate_denials(in_answer, in_reference),
    ]
    contradictions = [
        contradiction for contradiction in rated if contradiction.evidence > LEAST_EVIDENCE
    ]
    contradictions = add_swaps(contradictions, answer, reference)
    if not any(contradiction.kind == "number" for contradiction in contradictions):
        for found, expected in find_lone_values(answer, reference, question):
            contradictions.append(Contradiction("number", LONE_EVIDENCE, found, expected))
    return contradictions


def list_name_stems(text: Text) -> set[str]:
    """Return the stems of the words of a text's names."""
    return {text.stems[i] for i in list_span_words(text.names)}


def select_strange_numbers(numbers: Comparison, repeated: Comparison) -> list[Pair]:
    """Return the numbers in another's place that neither reference nor question has.

    Args:
        numbers: the numbers of the answer and the reference.
        repeated: the numbers of the answer and the question.
    """
    strange = numbers.replacements["strange"]
    return [pair for pair in strange if repeated.answer_best[pair.found] < 0]


def select_strange_names(names: Comparison, reference: Text) -> list[Pair]:
    """Return the names in another's place, if the answer does not have that other name."""
    if is_german(reference):
        return []
    strange = names.replacements["strange"]
    return [pair for pair in strange if names.reference_best[pair.expected] < 0]


def select_swapped(facts: Comparison, answer: Text, reference: Text) -> list[Pair]:
    """Return the facts in each other's place, but for the items of a list."""
    pairs = list[Pair]()
    for pair in facts.replacements["swapped"]:
        others = [m for m, same in enumerate(facts.same) if same[pair.expected]]
        found = facts.answer_facts[pair.found].start
        starts = [facts.answer_facts[m].start for m in others]
        if not any(are_items(answer, found, start, reference) for start in starts):
            pairs.append(pair)
    return pairs


def select_opposites(words: Comparison, answer: Text, reference: Text) -> list[Pair]:
    """Return the words in the place of their opposite."""
    pairs = list[Pair]()
    for pair in words.find_replacements(is_opposite):
        found, expected = words.answer_facts[pair.found], words.reference_facts[pair.expected]
        # "not cold" does not contradict "hot".
        is_denied = is_denied_before(answer, found.start)
        if is_denied != is_denied_before(reference, expected.start):
            continue
        if not has_stem_beside(found.stems, reference, expected.start):
            pairs.append(pair)
    return pairs


def has_stem_beside(stems: Set[str], text: Text, i: int) -> bool:
    """Return whether the sentence of a word has one of some stems, too: start and stop bit."""
    places = [place for stem in stems for place in text.places.get(stem, [])]
    return any(text.sentence[place] == text.sentence[i] for place in places)


def is_german(text: Text) -> bool:
    """Return whether a text is German, where words with a capital may be no names."""
    return len(GERMAN_WORDS & set(text.words)) >= FEWEST_GERMAN_WORDS


def rate_pairs(
    kind: str,
    facts: Comparison,
    pairs: Sequence[Pair],
    reference: Text,
) -> Iterator[Contradiction]:
    """Yield pairs of facts as contradictions, with their evidence."""
    for pair in pairs:
        likeness = pair.likeness - OWN_PLACE * max(facts.answer_best[pair.found], 0.0)
        evidence = rate_evidence(kind, likeness, reference)
        found = facts.answer_facts[pair.found].start
        expected = facts.reference_facts[pair.expected].start
        yield Contradiction(kind, evidence, found, expected)


def add_swaps(
    contradictions: Sequence[Contradiction], answer: Text, reference: Text
) -> list[Contradiction]:
    """Return contradictions with the facts that stand in each other's place.

    Such a pair replaces the contradictions in its places if none of them is as sure.
    """
    swaps = list[Contradiction]()
    kept = list(contradictions)
    for swap in find_swapped_facts(answer, reference):
        evidence = min(swap.gains, 1.0)
        rivals = [rival for rival in kept if rival.found in swap.places]
        if all(rival.evidence < evidence for rival in rivals):
            kept = [contradiction for contradiction in kept if contradiction not in rivals]
            expected_fact = answer.stems[swap.second]
            expected = find_likest_place(answer, swap.first, reference, expected_fact)
            swaps.append(Contradiction("swapped", evidence, swap.first, expected))
    return [*swaps, *kept]


def rate_denials(in_answer: FactFinder, in_reference: FactFinder) -> Iterator[Contradiction]:
    """Yield what only the answer denies, and then what only the reference denies."""
    reference = in_reference.text
    for pair in find_denials(in_answer, in_reference):
        evidence = rate_evidence("denied", pair.likeness, reference)
        yield Contradiction("denied", evidence, pair.found, pair.expected)
    for pair in find_denials(in_reference, in_answer):
        evidence = rate_evidence("affirmed", pair.likeness, reference)
        yield Contradiction("affirmed", evidence, pair.expected, pair.found)


def rate_evidence(kind: str, likeness: float, reference: Text) -> float:
    """Return how sure a contradiction is, 0..1, by how like its two places are."""
    extra_length = max(0.0, math.log1p(len(reference.words)) - USUAL_LENGTH)
    least = LEAST_LIKENESS[kind] + MORE_BY_LENGTH[kind] * extra_length
    if reference.is_chinese:
        least += MORE_IN_CHINESE
    return max(0.0, min(1.0, (likeness - least) / WIDTH))


def find_span(text: Text, i: int) -> tuple[int, int]:
    """Return the range of words of the name or number at a place, or of the word there."""
    for start, end in text.names:
        if start <= i < end:
            return start, end
    quantity = text.find_quantity(i)
    if not quantity:
        return i, i + 1
    words = text.words_between(quantity.start, quantity.end)
    return words.start, words.stop


# ---- values that stand alone

# Find a value that each of two texts has once for its kind, and that differs: the only year. A long
# reference of 1973 alone and an answer of 1937 alone contradict each other, whatever words stand
# around the two. On the grading sets, 17% of such answers are right, and 75% of those whose only
# value is the same.

MOST_VALUES = 30  # quantities of a text that are compared
YEAR = "year"
LEAST_COMMON = 2  # telling words that the sentences of two such values have in common


def find_lone_values(answer: Text, reference: Text, question: Text) -> list[tuple[int, int]]:
    """Return the first words of values that differ, in the answer and in the reference.

    Both texts have just one value of the kind, and neither may mean the other. A value that the
    question has is none of them.
    """
    expected_values = select_lone_values(reference)
    found_values = select_lone_values(answer) if expected_values else {}
    pairs = list[tuple[int, int]]()
    for kind in sorted(expected_values.keys() & found_values.keys()):
        found, expected = found_values[kind], expected_values[kind]
        if may_mean_the_same(found, expected) or is_among(found, question.quantities):
            continue
        place, expected_place = find_first_word(answer, found), find_first_word(reference, expected)
        if count_common_words(answer, place, reference, expected_place) >= LEAST_COMMON:
            pairs.append((place, expected_place))
    return pairs


def select_lone_values(text: Text) -> dict[str, Quantity]:
    """Return the quantities of a text by their kind, if it has just one of the kind."""
    values: dict[str, list[Quantity]] = {}
    for quantity in text.quantities[:MOST_VALUES]:
        kind = name_kind(quantity)
        if kind and not is_among(quantity, values.get(kind, ())):
            values.setdefault(kind, []).append(quantity)
    return {kind: quantities[0] for kind, quantities in values.items() if len(quantities) == 1}


def name_kind(quantity: Quantity) -> str:
    """Return YEAR for a date with a year, or else the dimension of a number; "" for neither."""
    if quantity.kind == "date":
        return YEAR if quantity.value[0] else ""
    return quantity.dimension


def may_mean_the_same(found: Quantity, expected: Quantity) -> bool:
    """Return whether two quantities may mean the same, by rounding, or as parts of one period."""
    is_part = is_within(expected, found)
    return is_part or agree(found, expected) or may_be_meant(found, expected)


def count_common_words(answer: Text, place: int, reference: Text, expected_place: int) -> int:
    """Return how many telling stems the sentences of two values have in common."""
    found, expected = (
        text.list_stems(text.find_sentence(place))
        for text, place in ((answer, place), (reference, expected_place))
    )
    return len(found & expected)


def find_first_word(text: Text, quantity: Quantity) -> int:
    """Return the first word of a quantity."""
    return text.words_between(quantity.start, quantity.end).start
