"""Find two things that have changed their roles: "Ann taught Bob" and "Bob taught Ann".

If an answer has the same things on the other sides of a word that tells their relation, it says the
reverse. It does not if its word tells the relation from the other side: "Bob learned from Ann".
Where the question asks which thing is on one side (who won, who is taller), the answer's relation
tells whether it is the reference's thing.
"""

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from .chinese_roles import measure_chinese_exchange
from .found_reference import DETERMINERS, read_alternatives
from .lexicon import BE, IRREGULAR_PAST, NAME_VERB, PRONOUNS, STOP_WORDS
from .opposites import find_root, has_opposite, is_same_degree, map_opposites
from .outcomes import DIFFERENT, EQUAL, Decision, Objection
from .relations import (
    BACKWARD,
    BY,
    DIRECTED,
    EXCHANGED,
    FORWARD,
    NO_PIVOTS,
    TURNED_ROUND,
    compare_relations,
    find_base,
    find_owner,
    has_passive,
    is_passive,
    join_phrase,
    read_sides,
    split_sides,
    tells_relation,
)
from .text import RECENT_TEXTS, Text

PLACE_WORDS = frozenset("above under of from for onto".split())
JOINTS = frozenset("and or with".split())
SYMMETRIC = frozenset(
    "versus vs & married met between meets marry against both equal equals same".split()
)
MOST_WORDS = 30  # of an answer whose roles are compared
LONGEST_REFERENCE = 12  # words; a longer one tells of further things, which stand near by chance
SAME_BEGINNING = 4  # letters that the forms of a word share: dense, denser
LEAST_SHARED = 0.66  # share of the reference's words in an answer that says the same things
MOST_LONGER = 8  # words by which such an answer may be longer than the reference
QUESTION_WORDS = frozenset("who whom whose which what wer wen qui quien 谁".split())
SHORTEST_ROUTE = 4  # words of a route without a verb: ink from soot
ROUTE_START = frozenset("from left leaves leave leaving started starts departed departs".split())
ROUTE_END = frozenset(
    "to into towards toward till until onto reached reaches arrived arrives ended ends".split()
)


# The stems of the things on the two sides of a word, or from which and to which something goes.
Pair = tuple[set[str], set[str]]


# ---- objections and decisions


def compare_roles(answer: Text, reference: Text, question: Text) -> Iterator[Objection]:
    """Yield an objection if two things of the reference have changed their roles."""
    if has_exchanged_roles(answer, reference) or has_lost_contest(answer, reference, question):
        yield Objection("roles", 1.0, answer.text.strip(), reference.text.strip())


@lru_cache(maxsize=RECENT_TEXTS)
def has_exchanged_roles(answer: Text, reference: Text) -> bool:
    """Return whether two things of the reference have changed their roles in an answer."""
    is_exchanged = measure_exchange(answer, reference) == EXCHANGED
    is_exchanged = is_exchanged or has_exchanged_clauses(answer, reference)
    return is_exchanged and says_the_same_things(answer, reference)


def decide_roles(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells the same relation from the other side, or None.

    "Denmark lies south of Norway" says the same as "Norway lies north of Denmark". A comparison
    that the question asks for is decided first, and may be DIFFERENT.
    """
    comparison = decide_comparison(answer, reference, question) or decide_order(answer, reference)
    if comparison:
        return comparison
    if measure_exchange(answer, reference) != TURNED_ROUND:
        return None
    # A Chinese comparison is read as a whole, and may have a "not": 泰山没有黄山高.
    if not answer.is_chinese and not tells_all(answer, reference):
        return None
    return Decision(EQUAL, "roles", answer.text.strip(), reference.text.strip())


def tells_all(answer: Text, reference: Text) -> bool:
    """Return whether no text denies, and an answer has words for all of a reference."""
    if answer.denials or reference.denials:
        return False
    return all(has_equivalent(answer, i, reference) for i in list_content(reference))


def says_the_same_things(answer: Text, reference: Text) -> bool:
    """Return whether an answer has most words of a reference, or words for them, and few more."""
    content = list_content(reference)
    shared = sum(has_equivalent(answer, i, reference) for i in content)
    is_short = count_words_around(answer, reference) <= len(reference.words) + MOST_LONGER
    return is_short and shared >= LEAST_SHARED * len(content)


def count_words_around(answer: Text, reference: Text) -> int:
    """Return the length of an answer's sentences that have a telling word of a reference."""
    sentences = set[int]()
    for stem in reference.content:
        sentences.update(answer.sentence[i] for i in answer.places.get(stem, ()))
    return sum(sentence in sentences for sentence in answer.sentence)


def list_content(text: Text) -> list[int]:
    """Return the places of the words that tell something."""
    return [i for i, word in enumerate(text.words) if word not in STOP_WORDS]


def has_equivalent(answer: Text, i: int, reference: Text) -> bool:
    """Return whether an answer has a word of the reference, its opposite or its relation.

    Args:
        answer: the answer.
        i: the place of the word in the reference.
        reference: the reference.
    """
    if reference.stems[i] in answer.places:
        return True
    return any(compare_words(reference, i, answer, j) for j in range(len(answer.words)))


# ---- whether two things are exchanged


@lru_cache(maxsize=RECENT_TEXTS)
def measure_exchange(answer: Text, reference: Text) -> int | None:
    """Return EXCHANGED if two things have changed their roles, else TURNED_ROUND, 0 or None.

    It is TURNED_ROUND if the answer tells the same from the other side, 0 if it tells the same
    from the same side, and None if words cannot tell.
    """
    if reference.is_chinese:
        return measure_chinese_exchange(answer.text, reference.text)
    if not 2 < len(answer.words) <= MOST_WORDS or len(reference.words) > LONGEST_REFERENCE:
        return 0
    if has_exchanged_route(answer, reference):
        return EXCHANGED
    if not says_relation(reference) or is_symmetric(reference):
        return 0
    votes: dict[str, list[int]] = {"relation": [], "word": [], "preposition": []}
    for pivot in list_pivots(reference):
        votes[classify_pivot(reference.words[pivot])] += compare_around(answer, reference, pivot)
    vote = join_votes(votes["relation"] or votes["word"])
    if vote or has_passive(answer) != has_passive(reference):
        return vote
    return join_votes(votes["preposition"]) or vote


def classify_pivot(word: str) -> str:
    """Return "preposition", "relation" if the word tells a known one, or else "word"."""
    if word in DIRECTED:
        return "preposition"
    return "relation" if tells_relation(word) or is_comparative(word) else "word"


def join_votes(votes: Sequence[int]) -> int | None:
    """Return the vote of several words: TURNED_ROUND if any has it, else 0, else EXCHANGED."""
    return next((vote for vote in (TURNED_ROUND, 0, EXCHANGED) if vote in votes), None)


def compare_around(answer: Text, reference: Text, pivot: int) -> Iterator[int]:
    """Yield EXCHANGED if the things around a word have changed sides, TURNED_ROUND or 0 if not.

    It is TURNED_ROUND if the word tells the relation from the other side, too. Nothing is yielded
    if the answer has no such word, has two of them, or has other things around it.
    """
    places = answer.places.get(reference.stems[pivot], [])
    if not places:
        places = [i for i in range(len(answer.words)) if compare_words(reference, pivot, answer, i)]
    if len(places) != 1:
        return  # each of two such words may tell of other things
    i = places[0]
    is_crossed = compare_sides(answer, i, reference, pivot)
    if is_crossed is None:
        return
    relation = compare_words(reference, pivot, answer, i)
    is_backward = (relation == BACKWARD) != has_other_opposite(answer, i, reference, pivot)
    if is_crossed != is_backward:
        yield EXCHANGED
    else:
        yield TURNED_ROUND if is_crossed else 0


def compare_words(reference: Text, i: int, answer: Text, j: int) -> int:
    """Return FORWARD if two words tell one relation from one side, BACKWARD if from both, else 0.

    Forms of one word tell it from one side. Opposites tell it from both sides: older, younger.
    """
    word, other = reference.words[i], answer.words[j]
    stem, other_stem = reference.stems[i], answer.stems[j]
    phrase, other_phrase = join_phrase(reference.words, i), join_phrase(answer.words, j)
    is_phrase = (phrase, other_phrase) != (word, other)
    if not is_phrase and compare_relations(word, other) == BACKWARD:
        return BACKWARD  # depends, dependency
    if stem == other_stem or is_same_form(word, other):
        return BACKWARD if is_lessened(answer, j, reference) else FORWARD
    if other_stem in map_opposites().get(stem, ()):
        return BACKWARD
    return compare_relations(phrase, other_phrase)


def is_lessened(answer: Text, i: int, reference: Text) -> bool:
    """Return whether "less" stands before a word of an answer, and not in the reference."""
    return i > 0 and answer.words[i - 1] == "less" and "less" not in reference.first_place


def is_same_form(one: str, other: str) -> bool:
    """Return whether two words are forms of one: beat and beaten, dense and denser."""
    shorter, longer = sorted((find_base(one), find_base(other)), key=len)
    return len(shorter) > 2 and longer.startswith(shorter[:SAME_BEGINNING])


def has_other_opposite(answer: Text, i: int, reference: Text, pivot: int) -> bool:
    """Return whether an answer has opposites of an odd number of the words around a pivot."""
    count = 0
    for stem in set(reference.stems) - {reference.stems[pivot]}:
        if stem in answer.places:
            continue
        others = map_opposites().get(stem, frozenset()) - {answer.stems[i]}
        count += not answer.places.keys().isdisjoint(others)
    return count % 2 == 1


def list_pivots(text: Text) -> list[int]:
    """Return the places of the words that may tell the relation of two things.

    They are verbs, comparisons and prepositions, not names, figures or the first word.
    """
    named = set[int]()
    for start, end in text.names:
        named.update(range(start, end))
    figures = set[int]()
    for quantity in text.quantities:
        figures.update(text.words_between(quantity.start, quantity.end))
    places = [i for i in range(1, len(text.words)) if i not in named]
    return [i for i in places if is_pivot(text, i, figures)]


def is_pivot(text: Text, i: int, figures: set[int]) -> bool:
    """Return whether a word outside names may tell the relation of two things.

    Args:
        text: the sentence.
        i: the place of the word.
        figures: the places of the words that are figures.
    """
    if i + 1 == len(text.words) and not find_owner(text, i):
        return False
    if text.words[i] in DIRECTED:
        return True
    if text.words[i] in NO_PIVOTS or i in figures:
        return False
    neighbours = (text.words[i - 1], *text.words[i + 1 : i + 2])
    return JOINTS.isdisjoint(neighbours)


def compare_sides(answer: Text, i: int, reference: Text, pivot: int) -> bool | None:
    """Return True if the things around a word have changed sides, None if they are others."""
    return are_crossed(read_sides(answer, i), read_sides(reference, pivot))


def are_crossed(stated: Pair, expected: Pair) -> bool | None:
    """Return whether the things of two pairs are crossed; None if they are others, or both ways."""
    is_straight = all(map(have_common, stated, expected))
    is_crossed = all(map(have_common, stated, reversed(expected)))
    if is_straight == is_crossed:
        return None
    return is_crossed


def have_common(first: Set[str], second: Set[str]) -> bool:
    """Return whether two sets have an element in common."""
    return not first.isdisjoint(second)


# ---- what a sentence is


def asks_for_both(question: Text) -> bool:
    """Return whether a question asks for both sides of a relation: who beat whom."""
    return sum(word in QUESTION_WORDS for word in question.words) > 1


def is_symmetric(text: Text) -> bool:
    """Return whether a relation holds either way round: A met B, A and B are twins."""
    words = set(text.words)
    return bool(SYMMETRIC & words) or bool(JOINTS & words and not DIRECTED & words)


@lru_cache(maxsize=RECENT_TEXTS)
def says_relation(text: Text) -> bool:
    """Return whether a text tells a relation of two things, with or without a full stop."""
    if is_sentence(text):
        return True
    if not has_length_of_sentence(text):
        return False
    if text.words[0] in PRONOUNS or text.words[0] == "from":
        return True
    if text.words[0] == "the" and any(is_verb(word) for word in text.words[2:-1]):
        return True
    return has_word_between_names(text) or has_word_between_things(text)


def has_word_between_things(text: Text) -> bool:
    """Return whether a preposition or verb stands between two things.

    Examples: "light into electricity" and "bees pollinate clover".
    """
    last = len(text.words) - 1
    for i in range(1, last):
        is_between = text.words[i - 1] not in NO_PIVOTS
        if not is_between or not JOINTS.isdisjoint(text.words):
            continue
        if text.words[i] in DIRECTED - PLACE_WORDS or tells_relation(text.words[i]):
            return True
    return (
        last == 2 and NO_PIVOTS.isdisjoint(text.words) and text.words[1].endswith(("s", "ed", "te"))
    )


def is_verb(word: str) -> bool:
    """Return whether a word has the form of a verb."""
    return word in IRREGULAR_PAST or NAME_VERB.match(word) is not None


def has_word_between_names(text: Text) -> bool:
    """Return whether a text has a telling word between two capitals: Socrates taught Plato."""
    capitals = [i for i, shown in enumerate(text.shown) if shown[0].isupper()]
    if len(capitals) < 2:
        return False
    between = range(capitals[0] + 1, capitals[-1])
    return any(text.shown[i].islower() and text.words[i] not in STOP_WORDS for i in between)


def has_length_of_sentence(text: Text) -> bool:
    """Return whether a text is one sentence of three to MOST_WORDS words."""
    return 2 < len(text.words) <= MOST_WORDS and text.sentence[-1] == 0


@lru_cache(maxsize=RECENT_TEXTS)
def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence: it has a form of "be", or ends with a full stop."""
    if not has_length_of_sentence(text):
        return False
    return not BE.isdisjoint(text.words) or text.text.rstrip().endswith((".", "。"))


# ---- a way from one place to another, and the same way back: from Hull to Oslo


def has_exchanged_route(answer: Text, reference: Text) -> bool:
    """Return whether an answer goes from where the reference goes to, and the other way round."""
    expected = read_route(reference)
    stated = read_route(answer) if expected else None
    return bool(expected and stated and are_crossed(stated, expected))


def read_route(text: Text) -> Pair | None:
    """Return the source and target of the first route in a text, or None.

    Without "from", the source stands before "to" or "into": milk into the tea.
    """
    if ROUTE_END.isdisjoint(text.words):
        return read_route_to_product(text)
    n_words = len(text.words)
    starts = [i for i, word in enumerate(text.words) if word in ROUTE_START]
    ends = [i for i, word in enumerate(text.words) if word in ROUTE_END]
    if not starts:
        return read_route_without_start(text, ends)
    start = starts[0]
    end = next((i for i in ends if i > start), ends[-1])
    if end > start:
        return join_route(text, range(start + 1, end), range(end + 1, n_words))
    return join_route(text, range(start + 1, n_words), range(end + 1, start))


def read_route_without_start(text: Text, ends: Sequence[int]) -> Pair | None:
    """Return the route whose source stands before the only "to" or "into", or None."""
    n_words = len(text.words)
    if len(ends) != 1 or not BY.isdisjoint(text.words):
        return None
    end = ends[0]
    is_between = 0 < end < n_words - 1
    return join_route(text, range(end), range(end + 1, n_words)) if is_between else None


def read_route_to_product(text: Text) -> Pair | None:
    """Return the route from a material behind "from" to its product: ink is made from soot."""
    start = text.first_place.get("from", 0)
    is_short = len(text.words) <= SHORTEST_ROUTE
    if not start or not (is_short or is_passive(text, start - 1)):
        return None
    return join_route(text, range(start + 1, len(text.words)), range(start))


def join_route(text: Text, source_words: range, target_words: range) -> Pair:
    """Return the route between the places of two ranges; what is in both is left out."""
    source, target = collect_places(text, source_words), collect_places(text, target_words)
    return source - target, target - source


def collect_places(text: Text, words: range) -> set[str]:
    """Return the telling stems of a range of words, adjectives without their comparative."""
    stems = [text.stems[i] for i in words if text.words[i] not in STOP_WORDS]
    return {strip_comparative(stem) for stem in stems}


def strip_comparative(stem: str) -> str:
    """Return an adjective without its comparative: hotter is hot, colder is cold."""
    if not stem.endswith("er") or len(stem) < 5:
        return stem
    return stem[:-3] if stem[-3] == stem[-4] else stem[:-2]


# ---- two clauses that have exchanged a part: arrays are static and lists dynamic


def has_exchanged_clauses(answer: Text, reference: Text) -> bool:
    """Return whether each of an answer's two clauses has a part of both clauses of a reference."""
    expected = read_two_clauses(reference)
    stated = read_two_clauses(answer) if expected else None
    if expected is None or stated is None:
        return False
    return all(have_common(one, other) for one in stated for other in expected)


@lru_cache(maxsize=RECENT_TEXTS)
def read_two_clauses(text: Text) -> Pair | None:
    """Return the telling stems that only one of a text's two clauses has, or None."""
    if text.is_chinese or len(text.words) > MOST_WORDS:
        return None
    clauses = [set[str](), set[str]()]
    n_clauses = 1
    for i, word in enumerate(text.words):
        is_new = word in JOINTS or (i > 0 and text.clause[i] != text.clause[i - 1])
        n_clauses += is_new and i > 0
        if n_clauses > len(clauses):
            return None
        tells_thing = word not in STOP_WORDS and word not in ("one", "ones")
        if tells_thing or word in DIRECTED:
            clauses[n_clauses - 1].add(text.stems[i])
    first, second = clauses
    return (first - second, second - first) if n_clauses == len(clauses) else None


# ---- a question for one side: who won the match; who is taller, Ann or Bob?

CONTEST = "defeat"  # the relation of a winner and a loser
ONE = "1"  # the stem of "one"
NO_SUBJECT = BE | frozenset("do does did can could would".split())  # whom did they beat
DOER_NOUN = ("er", "or")  # winner, victor
VERB_REACH = 4  # words of a question up to its verb: which team won
LONGEST_CHOICE = 4  # words of a reference that names one of two things
LONGEST_COMPARISON = 22  # words of a text that compares two things and says nothing else


class Choice(NamedTuple):
    """Two things that a question compares.

    Attributes:
        expected: the stems of the one that the reference names.
        other: the stems of the other one.
        common: the stems that both have, and that of "one": the red box or the blue one.
        comparative: the question's comparative, or "".
    """

    expected: set[str]
    other: set[str]
    common: set[str]
    comparative: str


def has_lost_contest(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer makes the reference the loser, where a question asks who won.

    Spain lost to Italy, if the reference is Spain. A question for the loser is read the same way.
    """
    asked_verb = find_asked_contest(question)
    if not asked_verb or len(answer.words) > MOST_WORDS or answer.denials:
        return False
    expected = {stem for stem in reference.content if stem not in question.places}
    return set(list_votes(answer, asked_verb, expected)) == {False}


@lru_cache(maxsize=RECENT_TEXTS)
def find_asked_contest(question: Text) -> str:
    """Return the verb of a question about who won or lost something, or ""."""
    for i in range(1, min(VERB_REACH, len(question.words))):
        word, words_before = question.words[i], question.words[:i]
        if compare_relations(word, CONTEST) and not QUESTION_WORDS.isdisjoint(words_before):
            return word if NO_SUBJECT.isdisjoint(words_before) else ""
    return ""


def decide_comparison(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer prefers the thing that the reference names, else DIFFERENT.

    Return None if the question compares no two things or the answer prefers neither. "Bob is
    shorter" and "Bob is shorter than his brother" prefer Ann.
    """
    if max(len(reference.words), len(answer.words)) > LONGEST_COMPARISON:
        return None
    choice = read_choice(question, reference) or read_compared(answer, reference)
    if choice is None or answer.denials or answer.hedges:
        return None
    votes = list_first_named(answer, choice)
    if not votes and choice.comparative:
        votes = set(list_votes(answer, choice.comparative, choice.expected, choice.other))
    if len(votes) != 1:
        return None
    outcome = EQUAL if True in votes else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def read_choice(question: Text, reference: Text) -> Choice | None:
    """Return the two things of a question if a reference prefers one of them, else None.

    It names just one (Ann), or compares the two (Ann is taller than Bob).
    """
    alternatives = read_alternatives(question)
    if alternatives is None:
        return None
    first, second = alternatives
    comparative = find_comparative(question, first | second)
    common = (first & second) | {ONE}
    first, second = first - common, second - common
    prefers_first = find_preference(reference, comparative, first, second)
    if prefers_first is None:
        return None
    if prefers_first:
        return Choice(first, second, common, comparative)
    return Choice(second, first, common, comparative)


def find_comparative(question: Text, things: Set[str]) -> str:
    """Return the word with which a question compares two things (taller), or ""."""
    for word, stem in zip(question.words, question.stems, strict=True):
        if stem not in things and is_comparative(word):
            return word
    return ""


def read_compared(answer: Text, reference: Text) -> Choice | None:
    """Return the two things that a short reference compares (A is older than B), else None.

    None, too, if the answer compares one of them with something else.
    """
    comparatives = [i for i, word in enumerate(reference.words) if is_comparative(word)]
    is_short = len(reference.words) <= LONGEST_REFERENCE and not reference.quantities
    if len(comparatives) != 1 or not is_short or "than" not in reference.first_place:
        return None
    sides = read_sides(reference, comparatives[0])
    if reference.denials or not all(sides):
        return None
    if "than" in answer.first_place and not names_both(answer, sides):
        return None
    return Choice(sides.doer, sides.other, {ONE}, reference.words[comparatives[0]])


def names_both(answer: Text, sides: Pair) -> bool:
    """Return whether an answer names both sides of a relation."""
    return all(have_common(answer.places.keys(), side) for side in sides)


def find_preference(
    reference: Text, comparative: str, first: Set[str], second: Set[str]
) -> bool | None:
    """Return whether a reference prefers the first of two things, None if it prefers neither."""
    names_first = have_common(first, reference.places.keys())
    names_second = have_common(second, reference.places.keys())
    if names_first != names_second:
        return names_first if len(reference.words) <= LONGEST_CHOICE else None
    if not (names_first and comparative) or reference.quantities:
        return None
    votes = set(list_votes(reference, comparative, first, second))
    return votes.pop() if len(votes) == 1 else None


def is_comparative(word: str) -> bool:
    """Return whether a word compares two things and has an opposite: older, younger."""
    if not word.endswith("er"):
        return False
    return compare_relations(word, "more") != 0 or has_opposite(word)


def list_first_named(answer: Text, choice: Choice) -> set[bool]:
    """Return whether the first clause of an answer is just the expected thing, or the other one.

    The set is empty if it is neither: the aunt, since ...
    """
    clause_length = answer.clause.count(0)
    stems = {answer.stems[i] for i in range(clause_length) if answer.words[i] not in STOP_WORDS}
    stems -= choice.common
    if stems == choice.expected:
        return {True}
    return {False} if stems == choice.other else set()


# ---- what comes before something, and what comes after it

LONGEST_ORDER = 6  # words of a reference that says what something comes before or after
ORDER = "before"  # the relation of an earlier thing and a later one
MEANWHILE = 2  # beside FORWARD and BACKWARD: during the siege
ORDER_REACH = 3  # words of such a reference up to its "before": shortly before
# Conjunctions by the order that they tell: until it began, as soon as it was over.
ORDER_BY_CONJUNCTION = {
    **dict.fromkeys("until till ahead first".split(), FORWARD),
    **dict.fromkeys("once soon".split(), BACKWARD),
    **dict.fromkeys("during while amid".split(), MEANWHILE),
}
OVER = frozenset(
    "over ended ends finished finishes past passed done complete completed gone".split()
)
NO_ORDER = (["next", "to"], ["once", "a"], ["once", "per"], ["once", "every"])
ORDER_ADVERBS = frozenset("first earlier later afterwards afterward next".split())


def decide_order(answer: Text, reference: Text) -> Decision | None:
    """Return EQUAL if an answer puts something on a reference's side of a thing, else DIFFERENT.

    "The siege came later" says the same as "before the siege". Return None if the reference tells
    no such order, or the answer none.
    """
    order = read_order(reference)
    if order is None or len(answer.words) > MOST_WORDS or answer.denials or answer.hedges:
        return None
    if not order.thing <= answer.places.keys():
        return None
    votes = set(list_order_votes(answer, order.thing))
    if len(votes) != 1:
        return None
    outcome = EQUAL if order.direction in votes else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


class Order(NamedTuple):
    """A direction (FORWARD: before, BACKWARD: after, MEANWHILE) and the stems of a thing."""

    direction: int
    thing: set[str]


@lru_cache(maxsize=RECENT_TEXTS)
def read_order(reference: Text) -> Order | None:
    """Return what a short reference is before or after, or None: shortly before the siege.

    A date is compared as a value.
    """
    if reference.is_chinese or len(reference.words) > LONGEST_ORDER:
        return None
    if any(quantity.kind == "date" for quantity in reference.quantities):
        return None
    places = [i for i in range(len(reference.words)) if read_order_word(reference, i)]
    if len(places) != 1 or places[0] >= ORDER_REACH or is_order_adverb(reference, places[0]):
        return None
    thing = {stem for stem in reference.stems[places[0] + 1 :] if stem in reference.content}
    return Order(read_order_word(reference, places[0]), thing) if thing else None


def list_order_votes(answer: Text, thing: Set[str]) -> Iterator[int]:
    """Yield FORWARD for each word that puts something before a thing, BACKWARD for after it."""
    for i in range(len(answer.words)):
        direction = read_order_word(answer, i)
        if not direction:
            continue
        doer_words, other_words = split_sides(answer, i)
        is_doer = thing <= {answer.stems[k] for k in doer_words}
        is_other = thing <= {answer.stems[k] for k in other_words}
        if is_doer == is_other:
            continue
        tells_of_thing = is_doer or is_order_adverb(answer, i)
        yield -direction if tells_of_thing and direction != MEANWHILE else direction


def read_order_word(text: Text, i: int) -> int:
    """Return FORWARD for a word that puts a thing before another, BACKWARD for after, else 0."""
    word = text.words[i]
    if word == "when":
        return 0 if OVER.isdisjoint(text.words[i + 1 : i + ORDER_REACH * 2]) else BACKWARD
    if word == "by":
        return FORWARD if text.words[i + 1 : i + 3] == ["the", "time"] else 0
    is_adjective = i > 0 and text.words[i - 1] in DETERMINERS  # the following day
    if is_adjective or text.words[i : i + 2] in NO_ORDER:
        return 0
    return ORDER_BY_CONJUNCTION.get(word) or compare_relations(word, ORDER)


def is_order_adverb(text: Text, i: int) -> bool:
    """Return whether a word tells when the thing of its clause came: it came later."""
    return text.words[i] in ORDER_ADVERBS and text.words[i + 1 : i + 2] != ["than"]


# ---- votes of an answer's words


def list_votes(
    answer: Text, asked: str, expected: Set[str], other: Set[str] = frozenset()
) -> Iterator[bool]:
    """Yield for each word that tells an asked relation whether it gives it to the expected thing.

    Args:
        answer: the answer.
        asked: the question's word for the relation: won, taller.
        expected: the stems of the thing that the reference names.
        other: the stems of another thing that the question names.
    """
    is_degree = is_comparative(asked)
    for i, word in enumerate(answer.words):
        direction = compare_asked_word(asked, word)
        is_unclear = is_doer_noun(answer, i) or names_doer_behind(answer, i)
        if not direction or (is_unclear and not is_degree):
            continue
        sides = read_sides(answer, i)
        is_turned = (answer.words[i - 1] == "less") != names_holder_behind(answer, i)
        is_forward = (direction == FORWARD) != is_turned
        holder, rest = sides if is_forward else reversed(sides)
        supports = have_common(expected, holder) or have_common(other, rest)
        opposes = have_common(expected, rest) or have_common(other, holder)
        if supports != opposes:
            yield supports


def compare_asked_word(asked: str, word: str) -> int:
    """Return FORWARD if a word says the same as an asked one, BACKWARD if the reverse, else 0."""
    if word in STOP_WORDS and word not in ("more", "less"):
        return 0
    asked_root, root = find_root(asked), find_root(word)
    if is_comparative(asked) and is_same_degree(asked_root, root):
        return FORWARD
    if root in map_opposites().get(asked_root, ()):
        return BACKWARD
    return compare_relations(asked, word)


def names_holder_behind(text: Text, i: int) -> bool:
    """Return whether the thing that a comparative describes follows it: the older one is Ann."""
    begins_sentence = text.words[i - 1] == "the" and text.is_new_sentence(i - 1)
    return begins_sentence and not BE.isdisjoint(text.words[i + 1 :])


def is_doer_noun(answer: Text, i: int) -> bool:
    """Return whether a word is a noun that tells a relation: the winner, a victory."""
    before = answer.words[max(0, i - 1) : i]
    return answer.words[i].endswith(DOER_NOUN) or not DETERMINERS.isdisjoint(before)


def names_doer_behind(text: Text, verb: int) -> bool:
    """Return whether a name follows "by" behind a verb without "was": won by India."""
    if not BE.isdisjoint(text.words[:verb]):
        return False
    pairs = zip(text.words[verb + 1 :], text.shown[verb + 2 :], strict=False)
    return any(word == "by" and following[0].isupper() for word, following in pairs)
