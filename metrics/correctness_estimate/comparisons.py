"""Decide which of two things an answer prefers: who won, who is taller.

Where a question asks which thing is on one side of a relation, the answer's relation tells whether
it is the reference's thing. "Bob is shorter" prefers Ann, as "Ann is taller than Bob" does.
"""

from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from .degrees import NOT_AS, compare_degrees, count_denials
from .found_reference import DETERMINERS, read_alternatives
from .lexicon import BE, STOP_WORDS
from .opposites import find_root, has_opposite, is_same_degree, map_opposites
from .outcomes import DIFFERENT, EQUAL, Decision
from .relations import (
    BACKWARD,
    CONTEST,
    FORWARD,
    LONGEST_REFERENCE,
    MOST_WORDS,
    compare_relations,
    have_common,
    is_comparative,
    read_sides,
)
from .text import RECENT_TEXTS, Text

QUESTION_WORDS = frozenset("who whom whose which what wer wen qui quien 谁".split())
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


# ---- two things that a question or a reference compares


def decide_comparison(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer prefers the thing that the reference names, else DIFFERENT.

    Return None if the question compares no two things or the answer prefers neither. "Bob is
    shorter" and "Bob is shorter than his brother" prefer Ann.
    """
    longest = max(len(reference.words), len(answer.words))
    if longest > LONGEST_COMPARISON or answer.hedges:
        return None
    if count_denials(answer) or question.denials:
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


def read_compared(answer: Text, reference: Text) -> Choice | None:
    """Return the two things that a short reference compares (A is older than B), else None."""
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
    names_both = all(have_common(answer.places.keys(), side) for side in sides)
    if "than" in answer.first_place and not names_both:
        return None  # it compares one of them with something else
    comparative = words[comparatives[0]]
    common = set(reference.content) - sides.doer - sides.other - {reference.stems[comparatives[0]]}
    return Choice(sides.doer, sides.other, {ONE} | common, comparative)


# ---- a question for the winner or the loser


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
