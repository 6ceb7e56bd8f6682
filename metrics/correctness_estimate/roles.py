"""Find two things that have changed their roles: "Ann taught Bob" and "Bob taught Ann".

If an answer has the same things on the other sides of a word that tells their relation, it says the
reverse. It does not if its word tells the relation from the other side: "Bob learned from Ann".
Which of two things a comparison prefers is read in comparisons.py.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from .chinese_roles import measure_chinese_exchange
from .comparisons import (
    QUESTION_WORDS,
    decide_comparison,
    has_lost_contest,
)
from .crossed_facts import CROSSED, STRAIGHT, compare_joints, exchanges_cause
from .degrees import NOT_AS, compare_degrees, count_denials
from .denials import find_denying_words
from .first_and_last import decide_order
from .role_words import has_exchanged_owner, has_turned_voice
from .lexicon import BE, DETERMINERS, PRONOUNS, STOP_WORDS
from .opposites import cut_degree, find_root, map_opposites
from .outcomes import EQUAL, LIKELY, Decision, Objection
from .relations import (
    BACKWARD,
    BY,
    DIRECTED,
    EXCHANGED,
    FORWARD,
    INVERTED,
    LONGEST_REFERENCE,
    MOST_WORDS,
    NO_PIVOTS,
    REPLACED,
    SAME_ROLE_JOINTS,
    TURNED_ROUND,
    compare_relations,
    find_base,
    find_doer,
    find_owner,
    have_common,
    has_passive,
    is_comparative,
    is_infinitive,
    is_passive,
    is_verb,
    join_phrase,
    name_things,
    read_sides,
    read_things,
    says_relation,
    tells_relation,
    unify_forms,
)
from .role_words import UNDERGOING_ENDING, has_exchanged_actor, list_role_votes
from .text import RECENT_TEXTS, Text, is_sentence

UNCOMPARED = frozenset("mr mrs ms miss dr prof one ones".split())  # Mrs Lang, the plastic ones
# Words behind a verb that stand before a thing as a verb does: eat parasites off the fish.
BEFORE_CIRCUMSTANCE = frozenset("with without in at on during like as".split())
OPTIONAL = INVERTED | {"against"}  # words that an answer may lack: Varn lies north of Holt
PARTICLES = frozenset("off out up down away round around through across along past".split())
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
SAME_BEGINNING = 4  # letters that the forms of a word share: dense, denser
LEAST_SHARED = 0.66  # share of the reference's words in an answer that says the same things
LEAST_CROSSED = 0.4  # the same share in an answer that joins facts of the reference crosswise
FEW_MORE = 3  # words by which an answer may be longer than a reference to be read as a whole
MOST_LONGER = 8  # words by which such an answer may be longer than the reference
# The stems of the things on the two sides of a word, or from which and to which something goes.
Pair = tuple[set[str], set[str]]


# ---- objections and decisions


def compare_roles(answer: Text, reference: Text, question: Text) -> Iterator[Objection]:
    """Yield an objection if two things of the reference have changed their roles."""
    found, expected = answer.text.strip(), reference.text.strip()
    answer, reference, question = name_things(answer, reference, question)
    is_exchanged = has_exchanged_roles(answer, reference)
    if is_exchanged or has_lost_contest(answer, reference, question):
        yield Objection("roles", 1.0, found, expected)


@lru_cache(maxsize=RECENT_TEXTS)
def has_exchanged_roles(answer: Text, reference: Text) -> bool:
    """Return whether two things of the reference have changed their roles in an answer."""
    answer = cut_to_reference(answer, reference)
    answer, reference = read_things(answer), read_things(reference)
    joints = compare_joints(answer, reference)
    if joints == CROSSED or exchanges_cause(answer, reference):
        return says_the_same_things(answer, reference, LEAST_CROSSED)
    if joints == STRAIGHT:
        return False
    vote = measure_exchange(answer, reference)
    if vote != TURNED_ROUND and exchanges_unknown_act(answer, reference):
        return says_the_same_things(answer, reference, LEAST_CROSSED)
    if vote != EXCHANGED and not puts_subject_behind_than(answer, reference):
        return False
    return says_the_same_things(answer, reference)


def puts_subject_behind_than(answer: Text, reference: Text) -> bool:
    """Return whether an answer has the subject of a reference's only comparative behind "than".

    "The ferry is faster than the train" is not "The train is faster".
    """
    if "than" in reference.first_place or answer.words.count("than") != 1:
        return False
    than = answer.first_place["than"]
    for i, word in enumerate(reference.words):
        subject = reference.list_stems(range(i))
        if not subject or not is_comparative(word) or answer.stems[than - 1] != reference.stems[i]:
            continue
        before, behind = (
            answer.list_stems(range(than)),
            answer.list_stems(range(than + 1, len(answer.words))),
        )
        return subject <= behind and subject.isdisjoint(before)
    return False


def cut_to_reference(answer: Text, reference: Text) -> Text:
    """Return the clauses of an answer that have words of a reference, with those between them.

    "No, here the ulcer causes the infection, by leaving it open" is read as its second clause. An
    answer that denies anything, but for a "no" at its beginning, is read as a whole.
    """
    is_short = len(answer.words) <= len(reference.words) + FEW_MORE
    if is_short or len(reference.content) < 2 or answer.clause[-1:] == [0]:
        return answer
    if len(answer.words) > MOST_WORDS or any(i > 0 for i in answer.denials):
        return answer
    places = [i for i, stem in enumerate(answer.stems) if stem in reference.places]
    telling = [i for i in places if answer.words[i] not in STOP_WORDS]
    if not telling:
        return answer
    first, last = (answer.clause[i] for i in (telling[0], telling[-1]))
    words = [i for i, clause in enumerate(answer.clause) if first <= clause <= last]
    return Text(answer.span(words[0], words[-1] + 1))


def decide_roles(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells the same relation from the other side, else LIKELY or None.

    LIKELY if it tells it in another word from the same side.

    "Denmark lies south of Norway" says the same as "Norway lies north of Denmark". A comparison
    that the question asks for is decided first, and may be DIFFERENT.
    """
    found, expected = answer.text.strip(), reference.text.strip()
    answer, reference, question = name_things(answer, reference, question)
    decision = decide_comparison(answer, reference, question)
    decision = decision or decide_order(answer, reference)
    if decision:
        return decision._replace(found=found, expected=expected)
    exchange = measure_exchange(answer, reference)
    outcome = EQUAL if exchange == TURNED_ROUND else ""
    if exchange == 0:
        outcome = compare_same_way_round(answer, reference, question)
    # A Chinese comparison is read as a whole, and may have a "not": 泰山没有黄山高.
    if not outcome or not (answer.is_chinese or tells_all(answer, reference)):
        return None
    return Decision(outcome, "roles", found, expected)


def compare_same_way_round(answer: Text, reference: Text, question: Text) -> str:
    """Return whether an answer tells a known relation in another form, and the same way round.

    LIKELY for another word: "It was the heron who fooled the fox" for "The heron tricked the fox".
    EQUAL for another form of the word: "The firm is owned by Ann" for "Ann owns the firm". Else "".
    """
    if answer.is_chinese or not has_length_of_relation(answer, reference):
        return ""
    if find_denying_words(answer):  # he refused to give in
        return ""
    for pivot in list_pivots(reference):
        word = reference.words[pivot]
        if not tells_relation(word) or 0 not in compare_around(answer, reference, pivot):
            continue
        if not any(is_same_form(word, other) for other in answer.words):
            return LIKELY
        known = reference.places.keys() | question.places.keys()
        is_new_form = word not in answer.first_place
        has_new_word = any(
            answer.stems[i] not in known and not is_same_form(word, answer.words[i])
            for i in answer.telling
        )
        return EQUAL if is_new_form and not has_new_word else ""
    return ""


def tells_all(answer: Text, reference: Text) -> bool:
    """Return whether no text denies, and an answer has words for all of a reference."""
    if count_denials(answer) or reference.denials:
        return False
    telling = [i for i in reference.telling if reference.words[i] not in OPTIONAL]
    return all(has_equivalent(answer, i, reference) for i in telling)


def says_the_same_things(answer: Text, reference: Text, least: float = LEAST_SHARED) -> bool:
    """Return whether an answer has most words of a reference, or words for them, and few more."""
    longest = len(reference.words) + MOST_LONGER
    if count_words_around(answer, reference) > longest:
        return False
    telling = [i for i in reference.telling if reference.words[i] not in UNCOMPARED]
    n_shared = sum(has_equivalent(answer, i, reference) for i in telling)
    return n_shared >= least * len(telling)


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
    if not has_length_of_relation(answer, reference):
        return 0
    finders = (has_exchanged_route, has_exchanged_owner, has_turned_voice)
    if any(is_exchanged(answer, reference) for is_exchanged in finders):
        return EXCHANGED
    if not says_relation(reference) or is_symmetric(reference):
        return 0
    votes: dict[str, list[int]] = {
        pivot_class: [] for pivot_class in ("role", "verb", "relation", "word", "preposition")
    }
    for pivot in list_pivots(reference):
        pivot_class = classify_pivot(reference.words[pivot])
        if has_object(reference, pivot) or is_passive_with_doer(reference, pivot):
            pivot_class = "verb"
        votes[pivot_class] += compare_around(answer, reference, pivot)
        if pivot_class != "preposition" or is_sentence(reference):
            votes["role"] += list_role_votes(answer, reference, pivot)
    vote = join_votes(votes["role"] or votes["verb"] or votes["relation"] or votes["word"])
    if vote or has_passive(answer) != has_passive(reference):
        return vote
    preposition_vote = join_votes(votes["preposition"])
    return vote if preposition_vote is None else preposition_vote


def has_length_of_relation(answer: Text, reference: Text) -> bool:
    """Return whether two texts have so many words as those whose roles are compared."""
    return 2 < len(answer.words) <= MOST_WORDS and len(reference.words) <= LONGEST_REFERENCE


def exchanges_unknown_act(answer: Text, reference: Text) -> bool:
    """Return whether an answer tells a reference's act in words that it lacks, and exchanged."""
    is_relation = has_length_of_relation(answer, reference) and says_relation(reference)
    if not is_relation or is_symmetric(reference):
        return False
    verbs = [i for i in list_pivots(reference) if has_object(reference, i)]
    if len(verbs) != 1 or tells_act(answer, reference, verbs[0]):
        return False
    return has_exchanged_actor(answer, reference, verbs[0])


def tells_act(answer: Text, reference: Text, verb: int) -> bool:
    """Return whether an answer has a reference's verb, or a word that tells it from the other side.

    A noun does not count: the loan was made to Ann by Bob.
    """
    for i in find_relation(answer, reference, verb):
        is_noun = i > 0 and answer.words[i - 1] in DETERMINERS
        if not is_noun or compare_words(reference, verb, answer, i) == BACKWARD:
            return True
    return False


def has_object(text: Text, i: int) -> bool:
    """Return whether a word is a verb with an object behind it: Ann saw Bob, orbits the giant."""
    word = text.words[i]
    if i + 1 >= len(text.words) or text.words[i - 1] in DETERMINERS:
        return False
    if word in DIRECTED or word in PARTICLES:
        return False
    following = text.words[i + 1]
    if following in DETERMINERS or text.shown[i + 1][0].isupper():
        return True
    is_noun = not is_verb(word) and has_object(text, i + 1)  # the line manager approves the request
    is_known = (is_verb(word) or tells_relation(word)) and not is_comparative(following)
    return is_known and not is_noun and following not in DIRECTED | PARTICLES | BEFORE_CIRCUMSTANCE


def is_passive_with_doer(text: Text, i: int) -> bool:
    """Return whether a word is the participle of a passive with a doer: was inspired by Ann."""
    return is_passive(text, i) and bool(find_doer(text, i))


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
    places = [i for i in places if not is_infinitive(answer, i)]
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
        is_turned = is_lessened(answer, j, reference) or other.endswith(UNDERGOING_ENDING)
        return BACKWARD if is_turned else FORWARD
    if side:
        return side  # victory, defeat
    if other_stem in map_opposites().get(stem, ()) and {stem, other_stem} not in SAME_GENERATION:
        return BACKWARD if tells_sides(word) else 0
    if i > 0 and is_comparative(other) and reference.words[i - 1] == "more":
        # more expensive, cheaper
        return BACKWARD if cut_degree(other_stem) in map_opposites().get(stem, ()) else 0
    # What is softened gets softer: a verb and a comparative tell a degree of different things.
    is_same_kind = is_comparative(word) == is_comparative(other)
    return compare_degrees(word, other) if is_same_kind else 0


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


def is_lessened(answer: Text, i: int, reference: Text) -> bool:
    """Return whether an answer says "less" of a word, and the reference does not."""
    if "less" in reference.first_place or answer.words[i] in DIRECTED:
        return False
    return is_less_than(answer, i)


def is_less_than(answer: Text, i: int) -> bool:
    """Return whether a word of an answer is less so: less strong, not as strong as."""
    if i > 0 and answer.words[i - 1] == "less":
        return True
    not_as = NOT_AS.search(answer.lower)
    return not_as is not None and answer.starts[i] == not_as.start("degree")


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
    if is_lessened(answer, i, reference):
        other_stems.discard("more")  # less expensive, more expensive
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
    if word in NO_PIVOTS or i in figures or word.endswith("'s"):
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


# ---- what a sentence is


def asks_for_both(question: Text) -> bool:
    """Return whether a question asks for both sides of a relation: who beat whom."""
    return sum(word in QUESTION_WORDS for word in question.words) > 1


def is_symmetric(text: Text) -> bool:
    """Return whether a relation holds either way round: A met B, A and B are twins."""
    symmetric = SYMMETRIC.intersection(text.words)
    # "Ann won against Bob" tells who won.
    if symmetric and not (symmetric == {"against"} and any(map(tells_relation, text.words))):
        return True
    has_joint = not SAME_ROLE_JOINTS.isdisjoint(text.words)
    is_directed = not DIRECTED.isdisjoint(text.words) or any(map(tells_relation, text.words))
    return has_joint and not is_directed


# ---- a way from one place to another, and the same way back: from Hull to Oslo

ROUTE_START = frozenset("from left leaves leave leaving started starts departed departs".split())
ROUTE_END = frozenset(
    "to into towards toward till until onto reach reached reaches arrive arrived arrives end ended "
    "ends enter enters entered became becomes become".split()
)
MAKING = frozenset("make makes made produce produces produced get gets obtained".split())
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
    replacement = read_replacement(text)
    if replacement:
        return replacement
    starts = find_words(text, ROUTE_START)
    starts += [i for i in find_words(text, {"of"}) if text.words[i - 1] == "out"]
    ends = find_words(text, ROUTE_END)
    if not EXCHANGES.isdisjoint(text.words):
        ends += find_words(text, {"for"})  # exchanged for
    if not REPLACED.isdisjoint(text.words):
        ends += find_words(text, {"with", "by"})  # butter was replaced with oil
    n_words = len(text.words)
    if not ends and starts and not MAKING.isdisjoint(text.words):
        return join_route(text, range(starts[-1] + 1, n_words), range(starts[-1]))
    if not ends:
        return None
    if not starts:
        return read_route_without_start(text, ends)
    start = starts[0]
    end = next((i for i in ends if i > start), ends[-1])
    if end > start:  # from Hull to Oslo
        source, target = range(start + 1, end), range(end + 1, n_words)
    else:  # to Oslo from Hull
        source, target = range(start + 1, n_words), range(end + 1, start)
    return join_route(text, source, target)


# What goes stands behind these words, and what comes in its place before them, but in a passive.
REPLACEMENT = re.compile(
    r"\b(?:replace[sd]?|replacing|supplant(?:s|ed)?|supersede[sd]?|displace[sd]?|instead of"
    r"|(?:in|take[sn]?|took|taking) (?:the )?place of)\b"
)


def read_replacement(text: Text) -> Pair | None:
    """Return what goes and what comes: oil instead of butter, a pump replaced the boiler."""
    match = REPLACEMENT.search(text.lower)
    if not match:
        return None
    words = text.words_between(*match.span())
    is_turned = "with" in text.words[words.stop :]  # they replaced butter with oil
    if is_turned or any(is_passive(text, i) for i in words):
        return None  # butter was replaced by oil
    return join_route(text, range(words.stop, len(text.words)), range(words.start))


def find_words(text: Text, words: Set[str]) -> list[int]:
    """Return the places of some words in a text."""
    places = [i for i, word in enumerate(text.words) if word in words]
    return [i for i in places if not is_infinitive(text, i)]


def read_route_without_start(text: Text, ends: Sequence[int]) -> Pair | None:
    """Return the route whose source stands before the only "to" or "into", or None."""
    if len(ends) != 1 or (names_doer(text) and REPLACED.isdisjoint(text.words)):
        return None
    end = ends[0]
    source, target = range(end), range(end + 1, len(text.words))
    if end == 0:  # into the tea you pour the milk
        behind = (i for i in target if text.words[i] in PRONOUNS or text.words[i] in BE)
        subject = next(behind, len(text.words))
        source, target = range(subject, len(text.words)), range(1, subject)
    if not source or not target:
        return None
    return join_route(text, source, target)


def names_doer(text: Text) -> bool:
    """Return whether a text has a "by" before the doer, and not only "by which" or "by it"."""
    places = find_words(text, BY)
    return any(text.words[i + 1 : i + 2] not in (["which"], ["it"]) for i in places)


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
