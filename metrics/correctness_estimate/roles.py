"""Find two things that have changed their roles: "Ann taught Bob" and "Bob taught Ann".

If an answer has the same things on the other sides of a word that tells their relation, it says the
reverse. It does not if its word tells the relation from the other side: "Bob learned from Ann".
Where the question asks which thing is on one side (who won, who is taller), the answer's relation
tells whether it is the reference's thing.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .chinese_roles import measure_chinese_exchange
from .crossed_facts import CROSSED, STRAIGHT, compare_joints
from .degrees import compare_degrees, read_degree_phrases
from .found_reference import DETERMINERS, read_alternatives
from .lexicon import BE, IRREGULAR_PAST, NAME_VERB, PRONOUNS, STOP_WORDS
from .opposites import cut_degree, find_root, has_opposite, is_same_degree, map_opposites
from .outcomes import DIFFERENT, EQUAL, Decision, Objection
from .relations import (
    BACKWARD,
    BY,
    CONTEST,
    DIRECTED,
    EXCHANGED,
    FORWARD,
    NO_PIVOTS,
    PERSONS,
    SUBJECT_PRONOUNS,
    TURNED_ROUND,
    compare_relations,
    find_base,
    find_owner,
    is_comparative,
    is_passive,
    join_phrase,
    read_sides,
    split_sides,
    tells_relation,
    unify_forms,
)
from .role_words import UNDERGOING_ENDING, list_role_votes
from .text import RECENT_TEXTS, Text

# Words between two things that have the same role.
SAME_ROLE_JOINTS = frozenset("and or with".split())
SYMMETRIC = frozenset(
    "versus vs & married met between meets marry against both equal equals same".split()
)
# Stems of opposites that tell no relation from its two sides: "Ann is Bob's mother" makes Bob no
# father.
SAME_GENERATION = (
    {"father", "mother"},
    {"brother", "sister"},
    {"son", "daughter"},
    {"aunt", "uncl"},
)
MOST_WORDS = 30  # of an answer whose roles are compared
LONGEST_REFERENCE = 12  # words; a longer one tells of further things, which stand near by chance
SAME_BEGINNING = 4  # letters that the forms of a word share: dense, denser
LEAST_SHARED = 0.66  # share of the reference's words in an answer that says the same things
LEAST_CROSSED = 0.4  # the same share in an answer that joins facts of the reference crosswise
MOST_LONGER = 8  # words by which such an answer may be longer than the reference
QUESTION_WORDS = frozenset("who whom whose which what wer wen qui quien 谁".split())
# The stems of the things on the two sides of a word, or from which and to which something goes.
Pair = tuple[set[str], set[str]]


# ---- texts as roles are read in them

# A single letter that names a thing: sample B. "A" does so before a verb, a preposition or a mark.
LABEL = re.compile(
    r"(?<![\w'’.-])(?:[B-HJ-Z]|A(?=\W*$|\s?[.,;:?]"
    r"|\s(?:is|was|has|had|does|did|or|and|than|to|on|in|of|by|[a-z]{2,}(?:s|ed))\b))(?![\w'’+\x23-]|\.\w)"
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_things(text: Text) -> Text:
    """Return a text with words for letters that name things, and for phrases for more or less.

    >>> read_things(Text("A weighs more than B.")).text
    'LabelA is heavier than LabelB.'
    """
    text = read_degree_phrases(text)
    if not any(len(shown) == 1 for shown in text.shown):
        return text
    spelled = LABEL.sub(lambda match: f"Label{match[0]}", text.text)
    return text if spelled == text.text else Text(spelled)


@lru_cache(maxsize=RECENT_TEXTS)
def name_pronoun(reference: Text, question: Text, answer: Text) -> Text:
    """Return a reference with the only name of a question for its last "it".

    "Mount Pell hides it" beside "What hides Mount Gray?" is "Mount Pell hides Mount Gray". Where a
    question compares two persons, "he is taller" is "Tom is taller than Ned". A pronoun that the
    answer has, too, stays.
    """
    if not question.names or not PERSONS.keys().isdisjoint(answer.words):
        return reference
    names = [
        question.span(start, stop)
        for start, stop in question.names
        if question.stems[stop - 1] not in reference.places
    ]
    words = reference.words
    if not 2 < len(words) <= LONGEST_REFERENCE:
        return reference
    text = reference.text.rstrip(" .")
    if words[-1] == "it" and len(names) == 1:
        return Text(f"{text[: text.rindex(' ')]} {names[0]}")
    compares = "compare" in question.first_place and is_comparative(words[-1])
    if compares and len(names) == 2 and words[0] in SUBJECT_PRONOUNS:  # he is taller
        return Text(f"{names[0]}{text[reference.find_end_of_word(0) :]} than {names[1]}")
    return reference


# ---- objections and decisions


def compare_roles(answer: Text, reference: Text, question: Text) -> Iterator[Objection]:
    """Yield an objection if two things of the reference have changed their roles."""
    found, expected = answer.text.strip(), reference.text.strip()
    reference = name_pronoun(reference, question, answer)
    answer, reference, question = map(read_things, (answer, reference, question))
    is_exchanged = has_exchanged_roles(answer, reference)
    if is_exchanged or has_lost_contest(answer, reference, question):
        yield Objection("roles", 1.0, found, expected)


@lru_cache(maxsize=RECENT_TEXTS)
def has_exchanged_roles(answer: Text, reference: Text) -> bool:
    """Return whether two things of the reference have changed their roles in an answer."""
    answer, reference = read_things(answer), read_things(reference)
    joints = compare_joints(answer, reference)
    if joints == CROSSED:
        return says_the_same_things(answer, reference, LEAST_CROSSED)
    is_exchanged = joints != STRAIGHT and measure_exchange(answer, reference) == EXCHANGED
    return is_exchanged and says_the_same_things(answer, reference)


def decide_roles(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells the same relation from the other side, or None.

    "Denmark lies south of Norway" says the same as "Norway lies north of Denmark". A comparison
    that the question asks for is decided first, and may be DIFFERENT.
    """
    found, expected = answer.text.strip(), reference.text.strip()
    reference = name_pronoun(reference, question, answer)
    answer, reference, question = map(read_things, (answer, reference, question))
    decision = decide_comparison(answer, reference, question)
    decision = decision or decide_order(answer, reference)
    if decision:
        return decision._replace(found=found, expected=expected)
    if measure_exchange(answer, reference) != TURNED_ROUND:
        return None
    # A Chinese comparison is read as a whole, and may have a "not": 泰山没有黄山高.
    if not answer.is_chinese and not tells_all(answer, reference):
        return None
    return Decision(EQUAL, "roles", found, expected)


def tells_all(answer: Text, reference: Text) -> bool:
    """Return whether no text denies, and an answer has words for all of a reference."""
    n_denials = len(answer.denials) - len(NOT_AS.findall(answer.lower))
    if n_denials or reference.denials:
        return False
    return all(has_equivalent(answer, i, reference) for i in reference.telling)


def says_the_same_things(answer: Text, reference: Text, least: float = LEAST_SHARED) -> bool:
    """Return whether an answer has most words of a reference, or words for them, and few more."""
    longest = len(reference.words) + MOST_LONGER
    if count_words_around(answer, reference) > longest:
        return False
    n_shared = sum(has_equivalent(answer, i, reference) for i in reference.telling)
    return n_shared >= least * len(reference.telling)


def count_words_around(answer: Text, reference: Text) -> int:
    """Return the length of an answer's sentences that have a telling word of a reference."""
    sentences = set[int]()
    for stem in reference.content:
        places = answer.places.get(stem, ())
        sentences.update(answer.sentence[i] for i in places)
    return sum(sentence in sentences for sentence in answer.sentence)


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
    has_length = 2 < len(answer.words) <= MOST_WORDS
    if not has_length or len(reference.words) > LONGEST_REFERENCE:
        return 0
    if has_exchanged_route(answer, reference):
        return EXCHANGED
    if not says_relation(reference) or is_symmetric(reference):
        return 0
    votes: dict[str, list[int]] = {"role": [], "relation": [], "word": [], "preposition": []}
    for pivot in list_pivots(reference):
        pivot_class = classify_pivot(reference.words[pivot])
        votes[pivot_class] += compare_around(answer, reference, pivot)
        if pivot_class != "preposition" or is_sentence(reference):
            votes["role"] += list_role_votes(answer, reference, pivot)
    vote = join_votes(votes["role"] or votes["relation"] or votes["word"])
    return vote or join_votes(votes["preposition"]) or vote


def classify_pivot(word: str) -> str:
    """Return "preposition", "relation" if the word tells a known one, or else "word"."""
    if word in DIRECTED:
        return "preposition"
    if tells_relation(word) or is_comparative(word):
        return "relation"
    return "word"


def join_votes(votes: Sequence[int]) -> int | None:
    """Return the vote of several words: TURNED_ROUND if any has it, else 0, else EXCHANGED."""
    for vote in (TURNED_ROUND, 0, EXCHANGED):
        if vote in votes:
            return vote
    return None


def compare_around(answer: Text, reference: Text, pivot: int) -> Iterator[int]:
    """Yield EXCHANGED if the things around a word have changed sides, TURNED_ROUND or 0 if not.

    It is TURNED_ROUND if the word tells the relation from the other side, too. Nothing is yielded
    if the answer has no such word, has two of them, or has other things around it.
    """
    places = find_relation(answer, reference, pivot)
    if len(places) != 1:
        return  # each of two such words may tell of other things
    i = places[0]
    expected = read_sides(reference, pivot)
    stated: Pair = read_sides(answer, i)
    if classify_pivot(reference.words[pivot]) == "relation":
        stated = unify_pair(stated, expected)
    is_crossed = are_crossed(stated, expected)
    if is_crossed is None:
        return
    is_backward = compare_words(reference, pivot, answer, i) == BACKWARD
    if works_both_ways(answer, i, reference, pivot):
        is_backward = not is_backward
    if has_other_opposite(answer, i, reference, pivot):
        is_backward = not is_backward
    if is_crossed != is_backward:
        yield EXCHANGED
    else:
        yield TURNED_ROUND if is_crossed else 0


# Words behind a verb that name what makes a thing do it: ice melts under salt.
CIRCUMSTANCE = frozenset("in with from under through at when if once because thanks near".split())


# Verbs of which the thing may be the subject, too: acid dissolves marble, marble dissolves.
CHANGING = frozenset(
    find_root(verb)
    for verb in (
        "dissolve melt break burst crack open close shut sink spoil soften harden burn "
        "stiffen boil cook freeze heat cool warm dry expand shrink bend tear split shatter "
        "rip spin turn roll change improve worsen heal increase decrease widen narrow thicken "
        "bleach fade rust rot ripen swell contract stretch explode ignite evaporate condense "
        "crumble decompose ferment corrode crystallize solidify weaken strengthen slow "
        "accelerate"
    ).split()
)


def works_both_ways(answer: Text, i: int, reference: Text, pivot: int) -> bool:
    """Return whether a reference's verb has an object and an answer's has none, only a cause.

    "Acid dissolves marble" says the same as "Marble dissolves in acid".
    """
    if find_root(reference.words[pivot]) not in CHANGING or is_passive(answer, i):
        return False
    if not is_same_form(reference.words[pivot], answer.words[i]):
        return False
    is_caused = has_circumstance(answer, i) and not has_circumstance(reference, pivot)
    return is_caused and not is_passive(reference, pivot)


def has_circumstance(text: Text, verb: int) -> bool:
    """Return whether no object follows a verb, but what makes a thing do it: melts quickly in."""
    behind = text.words[verb + 1 : verb + 3]
    if behind and behind[0].endswith("ly"):
        behind = behind[1:]
    return not CIRCUMSTANCE.isdisjoint(behind[:1])


def find_relation(answer: Text, reference: Text, pivot: int) -> list[int]:
    """Return the words of an answer that are a reference's pivot, or else tell its relation."""
    places = answer.places.get(reference.stems[pivot], [])
    verbs = [i for i in places if i == 0 or answer.words[i - 1] not in DETERMINERS]
    if verbs:
        return verbs
    related = [i for i in range(len(answer.words)) if compare_words(reference, pivot, answer, i)]
    others = [i for i in related if i not in places]
    return others or places  # Bob received the pass from Ann, where Ann passed to Bob


def compare_words(reference: Text, i: int, answer: Text, j: int) -> int:
    """Return FORWARD if two words tell one relation from one side, BACKWARD if from both, else 0.

    Forms of one word tell it from one side. Opposites tell it from both sides: older, younger.
    """
    word, other = reference.words[i], answer.words[j]
    phrase = join_phrase(reference.words, i)
    other_phrase = join_phrase(answer.words, j)
    side = compare_relations(phrase, other_phrase)
    is_phrase = phrase != word or other_phrase != other
    if side == BACKWARD or (is_phrase and side):
        return side  # depends, dependency; preys on, prey
    stem, other_stem = reference.stems[i], answer.stems[j]
    if stem == other_stem or is_same_form(word, other):
        return BACKWARD if other.endswith(UNDERGOING_ENDING) else FORWARD
    if other_stem in map_opposites().get(stem, ()) and {stem, other_stem} not in SAME_GENERATION:
        return BACKWARD if tells_sides(word) else 0
    if i > 0 and is_comparative(other) and reference.words[i - 1] == "more":
        # more expensive, cheaper
        return BACKWARD if cut_degree(other_stem) in map_opposites().get(stem, ()) else 0
    # What is softened gets softer: a verb and a comparative tell a degree of different things.
    is_same_kind = is_comparative(word) == is_comparative(other)
    return (is_same_kind and compare_degrees(word, other)) or compare_relations(
        phrase, other_phrase
    )


# Words whose opposite tells the same from the other side, besides comparatives and relations.
SIDES = frozenset(
    "north south east west northern southern eastern western left right ahead behind in front "
    "back first last early late up down inside outside more less superior inferior".split()
)


def tells_sides(word: str) -> bool:
    """Return whether a word's opposite tells its relation from the other side: south of, older.

    "Open" does not: what is closed in winter is not open in winter.
    """
    is_side = word in SIDES or word in DIRECTED
    return is_side or is_comparative(word) or word.endswith("er") or tells_relation(word)


# "Hemp is not as strong as nylon"
NOT_AS = re.compile(r"(?:\bnot|n't) (?:quite |nearly )?(?:as|so) (?P<degree>\w+) as\b")


def is_same_form(one: str, other: str) -> bool:
    """Return whether two words are forms of one: beat and beaten, dense and denser."""
    bases = find_base(one), find_base(other)
    shorter, longer = sorted(bases, key=len)
    beginning = shorter[:SAME_BEGINNING]
    return len(shorter) > 2 and longer.startswith(beginning)


def has_other_opposite(answer: Text, i: int, reference: Text, pivot: int) -> bool:
    """Return whether an answer has opposites of an odd number of the words around a pivot."""
    n_opposites = 0
    other_stems = set(reference.stems) - {reference.stems[pivot]}
    for stem in other_stems - answer.places.keys():
        opposites = map_opposites().get(stem, frozenset()) - {answer.stems[i]}
        n_opposites += have_common(answer.places.keys(), opposites)
    return n_opposites % 2 == 1


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
    is_last = i + 1 == len(text.words)
    if is_last and not find_owner(text, i):
        return False
    word = text.words[i]
    if word in DIRECTED:
        return True
    if word in NO_PIVOTS or i in figures:
        return False
    neighbours = (text.words[i - 1], *text.words[i + 1 : i + 2])
    return SAME_ROLE_JOINTS.isdisjoint(neighbours)


def are_crossed(stated: Pair, expected: Pair) -> bool | None:
    """Return whether the things of two pairs are crossed; None if they are others, or both ways."""
    is_straight = all(map(have_common, stated, expected))
    is_crossed = all(map(have_common, stated, reversed(expected)))
    if is_straight == is_crossed:
        return None
    return is_crossed


def unify_pair(stated: Pair, expected: Pair) -> Pair:
    """Return the things of two sides, with the expected ones of which they are forms."""
    known = expected[0] | expected[1]
    return unify_forms(stated[0], known), unify_forms(stated[1], known)


def have_common(first: Set[str], second: Set[str]) -> bool:
    """Return whether two sets have an element in common."""
    return not first.isdisjoint(second)


# ---- what a sentence is


def asks_for_both(question: Text) -> bool:
    """Return whether a question asks for both sides of a relation: who beat whom."""
    return sum(word in QUESTION_WORDS for word in question.words) > 1


def is_symmetric(text: Text) -> bool:
    """Return whether a relation holds either way round: A met B, A and B are twins."""
    if not SYMMETRIC.isdisjoint(text.words):
        return True
    has_joint = not SAME_ROLE_JOINTS.isdisjoint(text.words)
    is_directed = not DIRECTED.isdisjoint(text.words) or any(map(tells_relation, text.words))
    return has_joint and not is_directed


@lru_cache(maxsize=RECENT_TEXTS)
def says_relation(text: Text) -> bool:
    """Return whether a text tells a relation of two things, with or without a full stop."""
    if is_sentence(text):
        return True
    if not has_length_of_sentence(text):
        return False
    first_word = text.words[0]
    if first_word in PRONOUNS or first_word == "from":
        return True
    begins_with_name = text.shown[0][0].isupper() and first_word not in DETERMINERS
    if (first_word == "the" or begins_with_name) and has_verb_inside(text):
        return True
    if has_word_between_names(text) or has_word_between_things(text):
        return True
    return has_verb_before_determiner(text)


def has_verb_before_determiner(text: Text) -> bool:
    """Return whether a telling word stands between a thing and a determiner: pumps fill the tank.

    In a phrase without a verb, a preposition stands there: the door of the house.
    """
    for i in range(2, len(text.words) - 1):
        before = text.words[i - 2 : i]
        is_in_clause = text.clause[i - 2] == text.clause[i]
        is_verb_likely = is_in_clause and text.shown[i - 1].islower() and text.shown[i].islower()
        if is_verb_likely and text.words[i] in DETERMINERS and NO_PIVOTS.isdisjoint(before):
            return True
    return False


BETWEEN_THINGS = DIRECTED - frozenset("above under of from for onto".split())
VERB_ENDINGS = ("s", "ed", "te")  # pollinates, pollinated, heiratete


def has_word_between_things(text: Text) -> bool:
    """Return whether a preposition or verb stands between two things.

    Examples: "light into electricity" and "bees pollinate clover".
    """
    words = text.words
    if SAME_ROLE_JOINTS.isdisjoint(words):
        for before, word in pairwise(words[:-1]):
            if before in NO_PIVOTS:
                continue
            if word in BETWEEN_THINGS or tells_relation(word):
                return True
    if len(words) != 3 or not NO_PIVOTS.isdisjoint(words):
        return False
    return words[1].endswith(VERB_ENDINGS)


def has_verb_inside(text: Text) -> bool:
    """Return whether a word between the first and the last has the form of a verb."""
    inside = range(1, len(text.words) - 1)
    return any(text.shown[i].islower() and is_verb(text.words[i]) for i in inside)


def is_verb(word: str) -> bool:
    """Return whether a word has the form of a verb."""
    return word in IRREGULAR_PAST or NAME_VERB.match(word) is not None


def has_word_between_names(text: Text) -> bool:
    """Return whether a text has a telling word between two capitals: Socrates taught Plato."""
    capitals = [i for i, shown in enumerate(text.shown) if shown[0].isupper()]
    if len(capitals) < 2:
        return False
    for i in range(capitals[0] + 1, capitals[-1]):
        is_lower = text.shown[i].islower()
        if is_lower and text.words[i] not in STOP_WORDS:
            return True
    return False


def has_length_of_sentence(text: Text) -> bool:
    """Return whether a text is one sentence of three to MOST_WORDS words."""
    has_length = 2 < len(text.words) <= MOST_WORDS
    return has_length and text.sentence[-1] == 0


@lru_cache(maxsize=RECENT_TEXTS)
def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence: it has a form of "be", or ends with a full stop."""
    if not has_length_of_sentence(text):
        return False
    if not BE.isdisjoint(text.words):
        return True
    return text.text.rstrip().endswith((".", "。"))


# ---- a way from one place to another, and the same way back: from Hull to Oslo

LONGEST_BARE_ROUTE = 4  # words of a route without a verb: ink from soot
ROUTE_START = frozenset("from left leaves leave leaving started starts departed departs".split())
ROUTE_END = frozenset(
    "to into towards toward till until onto reach reached reaches arrive arrived arrives end ended "
    "ends enter enters entered became becomes become".split()
)
REPLACED = frozenset("replaced substituted".split())
EXCHANGES = frozenset("exchanged swapped traded changed".split())


def has_exchanged_route(answer: Text, reference: Text) -> bool:
    """Return whether an answer goes from where the reference goes to, and the other way round."""
    expected = read_route(reference)
    if expected is None:
        return False
    stated = read_route(answer)
    return stated is not None and bool(are_crossed(unify_pair(stated, expected), expected))


def read_route(text: Text) -> Pair | None:
    """Return the source and target of the first route in a text, or None.

    Without "from", the source stands before "to" or "into": milk into the tea.
    """
    starts = find_words(text, ROUTE_START)
    ends = find_words(text, ROUTE_END)
    if not EXCHANGES.isdisjoint(text.words):
        ends += find_words(text, {"for"})  # exchanged for
    if not REPLACED.isdisjoint(text.words):
        ends += find_words(text, {"with", "by"})  # butter was replaced with oil
    if not ends:
        return read_route_to_product(text)
    if not starts:
        return read_route_without_start(text, ends)
    n_words = len(text.words)
    start = starts[0]
    end = next((i for i in ends if i > start), ends[-1])
    if end > start:  # from Hull to Oslo
        source, target = range(start + 1, end), range(end + 1, n_words)
    else:  # to Oslo from Hull
        source, target = range(start + 1, n_words), range(end + 1, start)
    return join_route(text, source, target)


def find_words(text: Text, words: Set[str]) -> list[int]:
    """Return the places of some words in a text."""
    return [i for i, word in enumerate(text.words) if word in words]


def read_route_without_start(text: Text, ends: Sequence[int]) -> Pair | None:
    """Return the route whose source stands before the only "to" or "into", or None."""
    if len(ends) != 1 or (names_doer(text) and REPLACED.isdisjoint(text.words)):
        return None
    end = ends[0]
    source, target = range(end), range(end + 1, len(text.words))
    if not source or not target:
        return None
    return join_route(text, source, target)


def names_doer(text: Text) -> bool:
    """Return whether a text has a "by" before the doer, and not only "by which"."""
    places = find_words(text, BY)
    return any(text.words[i + 1 : i + 2] != ["which"] for i in places)


def read_route_to_product(text: Text) -> Pair | None:
    """Return the route from a material behind "from" to its product: ink is made from soot."""
    n_words = len(text.words)
    start = text.first_place.get("from", 0)
    if not start:
        return None
    if n_words > LONGEST_BARE_ROUTE and not is_passive(text, start - 1):
        return None
    return join_route(text, range(start + 1, n_words), range(start))


def join_route(text: Text, source_words: range, target_words: range) -> Pair:
    """Return the route between the places of two ranges; what is in both is left out."""
    source = collect_places(text, source_words)
    target = collect_places(text, target_words)
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


# ---- a question for one side: who won the match; who is taller, Ann or Bob?

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
    if not asked_verb or answer.denials:
        return False
    if len(answer.words) > MOST_WORDS:
        return False
    expected = set(reference.content) - question.places.keys()
    votes = list_votes(answer, asked_verb, expected)
    return set(votes) == {False}


@lru_cache(maxsize=RECENT_TEXTS)
def find_asked_contest(question: Text) -> str:
    """Return the verb of a question about who won or lost something, or ""."""
    for i, word in enumerate(question.words[:VERB_REACH]):
        words_before = question.words[:i]
        if QUESTION_WORDS.isdisjoint(words_before):
            continue
        if compare_relations(word, CONTEST):
            return word if NO_SUBJECT.isdisjoint(words_before) else ""
    return ""


def decide_comparison(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer prefers the thing that the reference names, else DIFFERENT.

    Return None if the question compares no two things or the answer prefers neither. "Bob is
    shorter" and "Bob is shorter than his brother" prefer Ann.
    """
    longest = max(len(reference.words), len(answer.words))
    n_denials = len(answer.denials) - len(NOT_AS.findall(answer.lower))
    if longest > LONGEST_COMPARISON or n_denials or answer.hedges or question.denials:
        return None
    choice = read_choice(question, reference) or read_compared(answer, reference)
    if choice is None:
        return None
    votes = list_not_as_votes(answer, choice) or list_first_named(answer, choice)
    if not votes and choice.comparative:
        votes = set(list_votes(answer, choice.comparative, choice.expected, choice.other))
    if len(votes) != 1:
        return None
    outcome = EQUAL if True in votes else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def list_not_as_votes(answer: Text, choice: Choice) -> set[bool]:
    """Return whether "not as long as" prefers the expected thing; empty for no such words."""
    not_as = NOT_AS.search(answer.lower)
    if not not_as or not choice.comparative:
        return set()
    i = answer.words_between(*not_as.span("degree")).start
    side = compare_asked_word(choice.comparative, answer.words[i])
    lesser, greater = read_sides(answer, i)
    preferred = greater if side == FORWARD else lesser
    if not side or have_common(preferred, choice.expected) == have_common(preferred, choice.other):
        return set()
    return {have_common(preferred, choice.expected)}


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


FARTHER = frozenset("further farther".split())


def find_comparative(question: Text, things: Set[str]) -> str:
    """Return the word with which a question compares two things (taller), or ""."""
    for i, word in enumerate(question.words):
        if question.stems[i] in things:
            continue
        is_amount = word in ("more", "less") and question.clause[i] != question.clause[-1]
        if word in FARTHER and has_opposite("".join(question.words[i + 1 : i + 2])):
            return question.words[i + 1]  # further north
        if is_comparative(word) or (is_amount and question.clause[i + 1] != question.clause[i]):
            return word  # "which costs more, A or B", but not "more fuel"
    return ""


def read_compared(answer: Text, reference: Text) -> Choice | None:
    """Return the two things that a short reference compares (A is older than B), else None.

    None, too, if the answer compares one of them with something else.
    """
    words = reference.words
    if len(words) > LONGEST_REFERENCE or "than" not in reference.first_place:
        return None
    if reference.quantities or reference.denials:
        return None
    comparatives = [i for i, word in enumerate(words) if is_comparative(word)]
    if len(comparatives) != 1:
        return None
    sides = read_sides(reference, comparatives[0])
    if not all(sides):
        return None
    if "than" in answer.first_place and not names_both(answer, sides):
        return None
    comparative = words[comparatives[0]]
    common = set(reference.content) - sides.doer - sides.other - {reference.stems[comparatives[0]]}
    return Choice(sides.doer, sides.other, {ONE} | common, comparative)


def names_both(answer: Text, sides: Pair) -> bool:
    """Return whether an answer names both sides of a relation."""
    return all(have_common(answer.places.keys(), side) for side in sides)


def find_preference(
    reference: Text, comparative: str, first: Set[str], second: Set[str]
) -> bool | None:
    """Return whether a reference prefers the first of two things, None if it prefers neither."""
    stems = reference.places.keys()
    names_first = have_common(first, stems)
    names_second = have_common(second, stems)
    if names_first != names_second:
        return names_first if len(reference.words) <= LONGEST_CHOICE else None
    if not (names_first and comparative) or reference.quantities:
        return None
    votes = set(list_votes(reference, comparative, first, second))
    return votes.pop() if len(votes) == 1 else None


def list_first_named(answer: Text, choice: Choice) -> set[bool]:
    """Return whether the first clause of an answer is just the expected thing, or the other one.

    The set is empty if it is neither: the aunt, since ...
    """
    clause_length = answer.clause.count(0)
    stems = set[str]()
    for i, word in enumerate(answer.words[:clause_length]):
        if word not in STOP_WORDS:
            stems.add(answer.stems[i])
    stems -= choice.common
    if stems == choice.expected:
        return {True}
    return {False} if stems == choice.other else set()


# ---- what comes before something, and what comes after it

LONGEST_ORDER = 6  # words of a reference that says what something comes before or after
ORDER = "before"  # the relation of an earlier thing and a later one
MEANWHILE = 2  # beside FORWARD and BACKWARD: during the siege
ORDER_REACH = 3  # words of such a reference up to its "before": shortly before
OVER_REACH = 6  # places behind "when" before which "over" stands: when the siege was over
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


def decide_order(answer: Text, reference: Text) -> Decision | None:
    """Return EQUAL if an answer puts something on a reference's side of a thing, else DIFFERENT.

    "The siege came later" says the same as "before the siege". Return None if the reference tells
    no such order, or the answer none.
    """
    if len(answer.words) > MOST_WORDS or answer.denials or answer.hedges:
        return None
    order = read_order(reference)
    if order is None:
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
    has_date = any(quantity.kind == "date" for quantity in reference.quantities)
    if has_date or not REPLACED.isdisjoint(reference.words):
        return None
    places = [i for i in range(len(reference.words)) if read_order_word(reference, i)]
    if len(places) != 1:
        return None
    place = places[0]
    if place >= ORDER_REACH:
        return None
    behind = reference.stems[place + 1 :]
    thing = set(behind).intersection(reference.content)
    if not thing:
        return None
    return Order(read_order_word(reference, place), thing)


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
        if is_doer and direction != MEANWHILE:
            yield -direction
        else:
            yield direction


def read_order_word(text: Text, i: int) -> int:
    """Return FORWARD for a word that puts a thing before another, BACKWARD for after, else 0."""
    word = text.words[i]
    if word == "when":
        behind = text.words[i + 1 : i + OVER_REACH]
        return 0 if OVER.isdisjoint(behind) else BACKWARD
    if word == "by":
        behind = text.words[i + 1 : i + 3]
        return FORWARD if behind == ["the", "time"] else 0
    is_adjective = i > 0 and text.words[i - 1] in DETERMINERS  # the following day
    if is_adjective or text.words[i : i + 2] in NO_ORDER:
        return 0
    return ORDER_BY_CONJUNCTION.get(word) or compare_relations(word, ORDER)


# ---- votes of an answer's words


def list_votes(
    answer: Text,
    asked: str,
    expected: Set[str],
    other: Set[str] = frozenset(),
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
        if not direction:
            continue
        if not is_degree and is_unclear(answer, i):
            continue
        is_forward = direction == FORWARD
        if answer.words[i - 1] == "less":
            is_forward = not is_forward
        if names_holder_behind(answer, i):
            is_forward = not is_forward
        sides = read_sides(answer, i)
        holder, counterpart = sides if is_forward else reversed(sides)
        supports = have_common(expected, holder) or have_common(other, counterpart)
        opposes = have_common(expected, counterpart) or have_common(other, holder)
        if supports != opposes:
            yield supports


def is_unclear(answer: Text, i: int) -> bool:
    """Return whether a word does not tell clearly which thing does it: the winner, won by India."""
    return is_doer_noun(answer, i) or names_doer_behind(answer, i)


def compare_asked_word(asked: str, word: str) -> int:
    """Return FORWARD if a word says the same as an asked one, BACKWARD if the reverse, else 0."""
    if word in STOP_WORDS and word not in ("more", "less"):
        return 0
    asked_root, root = find_root(asked), find_root(word)
    if is_comparative(asked) and is_same_degree(asked_root, root):
        return FORWARD
    if root in map_opposites().get(asked_root, ()):
        return BACKWARD
    return compare_degrees(asked, word) or compare_relations(asked, word)


def names_holder_behind(text: Text, i: int) -> bool:
    """Return whether the thing that a comparative describes follows it: the older one is Ann."""
    if text.words[i - 1] != "the" or not text.is_new_sentence(i - 1):
        return False
    return not BE.isdisjoint(text.words[i + 1 :])


def is_doer_noun(answer: Text, i: int) -> bool:
    """Return whether a word is a noun that tells a relation: the winner, a victory."""
    if answer.words[i].endswith(DOER_NOUN):
        return True
    return i > 0 and answer.words[i - 1] in DETERMINERS


def names_doer_behind(text: Text, verb: int) -> bool:
    """Return whether a name follows "by" behind a verb without "was": won by India."""
    if not BE.isdisjoint(text.words[:verb]):
        return False
    for i in range(verb + 1, len(text.words) - 1):
        if text.words[i] == "by" and text.shown[i + 1][0].isupper():
            return True
    return False
