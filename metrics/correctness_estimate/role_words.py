"""Read which thing has which role by a word for the role: "Ann was the teacher, Bob the pupil".

The reference tells a relation of two things: "Ann taught Bob". A clause of the answer that has one
of the things and a word for a role ("the teacher", "on top") gives the thing that role. Where it
names the other thing, too, "of" or "'s" stands beside that one: "Bob's teacher was Ann".
"""

import re
from collections.abc import Iterator, Set

from .degrees import compare_degrees
from .lexicon import BE, DETERMINERS, PREPOSITIONS
from .opposites import find_root
from .relations import (
    BACKWARD,
    EXCHANGED,
    FORWARD,
    NO_PIVOTS,
    POSSESSIVES,
    SOURCES,
    SUBJECT_PRONOUNS,
    TURNED_ROUND,
    Sides,
    compare_relations,
    find_base,
    have_common,
    is_act,
    is_comparative,
    is_passive,
    is_verb,
    join_phrase,
    read_sides,
)
from .text import Text

# The one to whom something is done, whatever it is.
UNDERGOING = frozenset("victim target recipient beneficiary".split())
DOING_ENDINGS = ("er", "or", "ant")  # interviewer, invader, accuser, donor
UNDERGOING_ENDING = "ee"  # interviewee, trainee
# Words between two clauses that each give a thing its role.
CLAUSE_JOINTS = frozenset("and while whereas but und".split())
ROLE_REACH = 2  # words before a noun in which its determiner stands: the better teacher
OTHER_REACH = 3  # words from a noun to the thing behind its "of"
SHORTEST_BASE = 3  # letters of a word without its ending


def list_role_votes(answer: Text, reference: Text, pivot: int) -> Iterator[int]:
    """Yield TURNED_ROUND for each role that an answer gives as a reference does, else EXCHANGED.

    A word that both texts have is read by its sides (`roles.compare_around`).

    Args:
        answer: the answer.
        reference: the reference.
        pivot: the place of the word that tells the relation in the reference.
    """
    sides = read_sides(reference, pivot)
    if not all(sides) or answer.denials:
        return
    relation = join_phrase(reference.words, pivot)
    for clause in split_by_joints(answer):
        for i in clause:
            is_known = answer.stems[i] in reference.places and not is_undergone(answer, i)
            role = 0 if is_known else read_role(answer, i, relation)
            if not role or not is_role_word(answer, i, clause):
                continue
            holder = find_holder(answer, i, clause, sides)
            if holder:
                yield TURNED_ROUND if holder == role else EXCHANGED


def split_by_joints(text: Text) -> Iterator[range]:
    """Yield the clauses of a text, which end at "and" and the like, too."""
    start = 0
    for i in range(1, len(text.words) + 1):
        is_end = i == len(text.words)
        is_joint = not is_end and text.words[i] in CLAUSE_JOINTS
        if is_end or is_joint or text.clause[i] != text.clause[i - 1]:
            yield range(start, i)
            start = i


def read_role(text: Text, i: int, relation: str) -> int:
    """Return FORWARD if a word names the doer of a relation, BACKWARD the other thing, else 0."""
    word = text.words[i]
    is_object = word == "object" and not BE.isdisjoint(text.words[max(0, i - 2) : i])
    if word in UNDERGOING or is_object:  # was the object of her envy
        return BACKWARD
    role = (
        (is_comparative(word) and is_comparative(relation) and compare_degrees(relation, word))
        or compare_relations(relation, join_phrase(text.words, i))
        or read_derived(word, relation)
    )
    return -role if is_undergone(text, i) else role


def is_undergone(text: Text, i: int) -> bool:
    """Return whether a word is a participle that names the one who undergoes it: the accused."""
    before = text.words[i - 1] if i else ""
    if before in DETERMINERS:
        return text.words[i].endswith("ed")
    return not before.endswith("'s") and is_passive(text, i)


def read_derived(word: str, relation: str) -> int:
    """Return FORWARD for a noun such as "invader" beside "invaded", BACKWARD for "trainee"."""
    base = find_base(relation)
    for ending in (*DOING_ENDINGS, UNDERGOING_ENDING):
        bare = word.removesuffix(ending)
        if bare == word or len(bare) < SHORTEST_BASE:
            continue
        is_doubled = bare[-1] == bare[-2]  # winner
        verb = bare[:-1] if is_doubled else bare
        if base in (find_root(bare), find_root(bare + "e"), find_root(verb)):
            return BACKWARD if ending == UNDERGOING_ENDING else FORWARD
    return 0


def is_role_word(text: Text, i: int, clause: range) -> bool:
    """Return whether a word names a role: a noun with a determiner, or the last of its clause.

    A comparative with a determiner does so, too: the cheaper phone.
    """
    n_words = 1 + join_phrase(text.words, i).count("-")
    if i + n_words == clause.stop:
        return True
    before = text.words[max(clause.start, i - ROLE_REACH) : i]
    has_determiner = not (DETERMINERS | POSSESSIVES).isdisjoint(before)
    following = text.words[i + 1]
    if not has_determiner or following == "than":
        return False
    return following == "of" or following in BE or is_comparative(text.words[i])


def find_holder(text: Text, i: int, clause: range, sides: Sides) -> int:
    """Return which thing has the role that a word names: FORWARD the doer, BACKWARD the other.

    The result is 0 if that cannot be told.
    """
    doer, other = (list_places(text, clause, side) for side in sides)
    if doer and other:
        doer_beside, other_beside = (is_beside(text, i, places) for places in (doer, other))
        if doer_beside == other_beside:
            return 0
        return BACKWARD if doer_beside else FORWARD
    if not doer and not other:
        return 0
    is_owner = is_beside(text, i, doer or other)
    return FORWARD if bool(doer) != is_owner else BACKWARD


def list_places(text: Text, clause: range, thing: Set[str]) -> list[int]:
    """Return where a clause names a thing."""
    return [i for i in clause if text.stems[i] in thing]


def is_beside(text: Text, noun: int, places: list[int]) -> bool:
    """Return whether a thing stands behind the "of" of a noun, or before it with "'s"."""
    following = text.words[noun + 1 : noun + 2]
    for place in places:
        if place < noun and text.words[place].endswith("'s"):
            return True
        is_near = noun < place <= noun + 1 + OTHER_REACH
        if is_near and following == ["of"]:
            return True
    return False


# ---- acts with two sides

# Find an act whose two sides are exchanged, by a possessor or by a passive. "Tarn's takeover of
# Bright" is not "Bright's takeover of Tarn", and "he pushed the referee" is not "the goalkeeper was
# pushed by the referee". roles.py reads the verbs between two things.

# "Brightwell's takeover of Tarn"
OWNED = re.compile(
    r"\b(?P<owner>[\w-]{2,30}(?: [\w-]{2,30}){0,2})(?:'s|s') (?P<act>[\w-]{3,30})"
    r" (?:of|over|against|to|for|from|by) (?P<other>[^,.;]{2,40})"
)
CLEFT_WORDS = frozenset("who that which one".split())  # Marcel was the one who
COPULAS = frozenset("is are was were".split())
ORDER = frozenset("before after behind ahead".split())
# Words between two things that do not act on each other, or of which the second one acts.
NO_ACT = ORDER | frozenset(
    "and or with than as to like when if because since while once unless until although".split()
)
REACH = 4  # words behind a verb, or "by", in which the other side stands


def has_exchanged_owner(answer: Text, reference: Text) -> bool:
    """Return whether the possessor of an act and its object are exchanged."""
    expected = OWNED.search(reference.text)
    stated = OWNED.search(answer.text) if expected else None
    if not expected or not stated:
        return False
    if find_root(stated["act"].lower()) != find_root(expected["act"].lower()):
        return False
    owner, other = read_owner_and_other(answer, stated)
    expected_owner, expected_other = read_owner_and_other(reference, expected)
    if have_common(owner, expected_owner) or have_common(other, expected_other):
        return False
    return have_common(owner, expected_other) and have_common(other, expected_owner)


def read_owner_and_other(text: Text, match: re.Match[str]) -> tuple[set[str], set[str]]:
    """Return the stems of the possessor and of the other side of an act."""
    owner = text.list_stems(text.words_between(*match.span("owner")))
    return owner, text.list_stems(text.words_between(*match.span("other")))


def has_turned_voice(answer: Text, reference: Text) -> bool:
    """Return whether one text acts on somebody by whom the other is acted on.

    A pronoun is the other side in the reference: "he pushed the referee".
    """
    if SUBJECT_PRONOUNS.isdisjoint(reference.words[:1]):
        return False
    for active, passive in ((reference, answer), (answer, reference)):
        doers = list(list_doers(passive))
        for root, objects in list_objects(active):
            if any(root == act and have_common(objects, stems) for act, stems in doers):
                return True
    return False


def list_objects(text: Text) -> Iterator[tuple[str, set[str]]]:
    """Yield the root of each active verb, and the stems of the words behind it."""
    for i, word in enumerate(text.words):
        if i and is_verb(word) and not is_passive(text, i):
            yield find_root(word), text.list_stems(list_reach(text, i + 1))


def list_doers(text: Text) -> Iterator[tuple[str, set[str]]]:
    """Yield the root of each verb in the passive with "by", and the stems behind the "by"."""
    for i, word in enumerate(text.words):
        behind = text.words[i + 1 : i + 3]
        if "by" in behind and is_verb(word) and is_passive(text, i):
            start = i + 2 + behind.index("by")
            yield find_root(word), text.list_stems(list_reach(text, start))


def list_reach(text: Text, start: int) -> range:
    """Return the words from one on in which the other side of a verb may stand."""
    return range(start, min(start + REACH, len(text.words)))


# ---- an act in unknown words


def has_exchanged_actor(answer: Text, reference: Text, verb: int) -> bool:
    """Return whether the one to whom a reference does something is the one who acts in an answer.

    The words for the act need not be known: "It was Lennart who pointed the finger at Rosa" is the
    reverse of "Rosa accused Lennart".
    """
    sides = read_sides(reference, verb)
    if not all(sides) or answer.denials or is_passive(reference, verb):
        return False
    if not ORDER.isdisjoint(reference.words[:-1]):
        return False
    words = range(len(answer.words))
    objects = sides.other & reference.list_stems(find_first_object(reference, verb))
    doer, other = (
        list_places(answer, words, side) for side in (sides.doer, objects or sides.other)
    )
    if not doer or not other:
        return False
    return find_actor(answer, *sorted((doer[0], other[0]))) == other[0]


def find_first_object(text: Text, verb: int) -> range:
    """Return the words of the first thing behind a verb: the cook, in "gave the cook a watch"."""
    stop = verb + 2
    while stop < len(text.words) and text.words[stop] not in DETERMINERS | PREPOSITIONS:
        stop += 1
    return range(verb + 1, stop)


def find_actor(text: Text, first: int, second: int) -> int:
    """Return which of two things acts on the other: the first one, or one behind "by" or "from".

    The result is -1 if that cannot be told.
    """
    source = {thing: find_preposition_before(text, thing) for thing in (first, second)}
    for thing in (second, first):
        if source[thing] in SOURCES:
            return thing
    between = text.words[first + 1 : second]
    if "hands" in between:  # passed into the hands of, suffered at the hands of
        return second
    if text.words[first].endswith("'s"):  # Mabel's claim that Jory had cheated
        is_actor = is_act(text, range(first, first + 1), first + 1)
    else:
        has_other_role = source[first] or not NO_ACT.isdisjoint((*between, source[second]))
        is_actor = not has_other_role and tells_act_between(text, first, second)
    return first if is_actor else -1


def tells_act_between(text: Text, first: int, second: int) -> bool:
    """Return whether words between two things tell what the first one does to the second one.

    "The firm is part of the group" and "the firm was sold to the group" do not.
    """
    between = range(first + 1, second)
    if not is_one_clause(text, first, second) or text.words[second].endswith("'s"):
        return False
    if any(is_passive(text, i) for i in between):
        return False
    words = text.words[first + 1 : second]
    is_description = not COPULAS.isdisjoint(words[:1]) and CLEFT_WORDS.isdisjoint(words)
    return not is_description and any(word not in NO_PIVOTS for word in words)


def is_one_clause(text: Text, first: int, second: int) -> bool:
    """Return whether two words stand in one clause, or the second one in a relative clause."""
    if text.clause[first] == text.clause[second]:
        return True
    is_next = text.clause[first] + 1 == text.clause[second]
    return is_next and text.words[text.find_clause(second).start] == "who"


def find_preposition_before(text: Text, i: int) -> str:
    """Return the preposition before a thing, or "": by the little fox."""
    for j in range(i - 1, max(-1, i - 1 - REACH), -1):
        word = text.words[j]
        if word in ("of", "to") and text.words[j - 1] in SOURCES:
            return text.words[j - 1]  # because of, due to
        if word in PREPOSITIONS or word in SOURCES:
            return word
        if is_verb(word) or word in BE or text.shown[j][0].isupper():
            return ""
    return ""
