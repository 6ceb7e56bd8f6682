"""Decide which of two things an answer prefers: who won, who is taller.

Where a question asks which thing is on one side of a relation, the answer's relation tells whether
it is the reference's thing. "Bob is shorter" prefers Ann, as "Ann is taller than Bob" does.
"""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from .degrees import NOT_AS, compare_degrees, count_denials
from .found_reference import read_alternatives
from .lexicon import BE, DETERMINERS, STOP_WORDS, SUPERLATIVE
from .opposites import cut_degree, find_root, has_opposite, is_same_degree, map_opposites
from .outcomes import DIFFERENT, EQUAL, LIKELY, UNLIKELY, Decision
from .relations import (
    BACKWARD,
    BY,
    CONTEST,
    FORWARD,
    LONGEST_REFERENCE,
    MOST_WORDS,
    Sides,
    compare_relations,
    have_common,
    is_comparative,
    is_passive,
    is_verb,
    read_sides,
    read_things,
    split_sides,
)
from .text import RECENT_TEXTS, Text

QUESTION_WORDS = frozenset("who whom whose which what wer wen qui quien 谁".split())
ONE = "1"  # the stem of "one"
NO_SUBJECT = BE | frozenset("do does did can could would".split())  # whom did they beat
DOER_NOUN = ("er", "or")  # winner, victor
VERB_REACH = 4  # words of a question up to its verb: which team won
LONGEST_CHOICE = 4  # words of a reference that names one of two things
LONGEST_MARK = 2  # letters and digits that tell two things of a name apart: plan A, Alto 3
NO_THINGS = STOP_WORDS | {"one", "ones"}
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
        votes = list_comparative_votes(answer, reference, question, choice)
    if len(votes) != 1:
        return None
    outcome = EQUAL if True in votes else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def decide_alternative(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide which of two things an answer takes, where a question offers just these.

    UNLIKELY if it takes neither: both are heavy, lead or tin.
    """
    choice = read_choice(question, reference)
    if choice is None or answer.words[:1] == ["you"]:
        return None  # you pay more for the train
    if takes_neither(answer, choice):
        return Decision(UNLIKELY, "either", answer.text.strip(), reference.text.strip())
    return decide_comparison(answer, reference, question)


# Words that may tell which of two things it is.
CHOOSING = frozenset(
    "but than rather instead not former latter first second while whereas beat ahead behind though "
    "although however yet prefer choose chose correct right answer no only last one".split()
)


def takes_neither(answer: Text, choice: Choice) -> bool:
    """Return whether an answer names two things once, joined, and says no more of either.

    "Both lead and tin are heavy" and "lead or tin, hard to say" take neither.
    """
    if answer.denials or not CHOOSING.isdisjoint(answer.words) or len(answer.words) > MOST_WORDS:
        return False
    if any(map(is_comparative, answer.words)) or TELLS_EXTREME.search(answer.lower):
        return False
    expected = [i for i, stem in enumerate(answer.stems) if stem in choice.expected]
    other = [i for i, stem in enumerate(answer.stems) if stem in choice.other]
    is_once = len(expected) == len(choice.expected) and len(other) == len(choice.other)
    if not is_once or not expected or not other:
        return False
    first, last = sorted([expected, other])
    if answer.clause[first[-1]] != answer.clause[last[0]]:
        return False  # the daughter, and the son got the money
    between = range(first[-1] + 1, last[0])
    joint = " ".join(answer.words[between.start : between.stop])
    return TAKES_BOTH.fullmatch(joint) is not None


# What stands between two things of which none is taken: lead and tin, lead is as heavy as tin.
TAKES_BOTH = re.compile(
    r"(?:and|or)(?: the)?(?: \w+)?"
    r"|(?:is|was|are|were) (?:\w+ )?(?:as \w+ as|the same as|equal to|like)(?: the)?(?: \w+)?"
)
TELLS_EXTREME = re.compile(rf"\b(?:most\b|least\b|{SUPERLATIVE})")


def list_comparative_votes(
    answer: Text, reference: Text, question: Text, choice: Choice
) -> set[bool]:
    """Return whether an answer's comparative gives it to the expected thing, or to the other one.

    Where that compares something else (a higher profit), what the last clause names counts.
    """
    last_named = list_last_named(answer, choice)
    known = question.places.keys() | reference.places.keys()
    if last_named and compares_other_thing(answer, choice.comparative, known):
        return last_named
    return set(list_votes(answer, choice.comparative, choice.expected, choice.other))


def compares_other_thing(answer: Text, comparative: str, known: Set[str]) -> bool:
    """Return whether an answer's comparative is about something new: a higher profit."""
    for i, word in enumerate(answer.words[:-1]):
        if not compare_asked_word(comparative, word):
            continue
        is_new = answer.words[i + 1] not in NO_THINGS and answer.stems[i + 1] not in known
        if is_new and answer.clause[i + 1] == answer.clause[i]:
            return True
    return False


def list_last_named(answer: Text, choice: Choice) -> set[bool]:
    """Return whether the last clause of several names the expected thing, or the other one."""
    last = answer.clause[-1]
    if last == 0 or answer.sentence[0] != answer.sentence[-1]:
        return set()
    stems = set(answer.stems[answer.clause.index(last) :])
    names_expected = have_common(stems, choice.expected)
    names_other = have_common(stems, choice.other)
    return {names_expected} if names_expected != names_other else set()


def list_not_as_votes(answer: Text, choice: Choice) -> set[bool]:
    """Return whether "not as long as" prefers the expected thing; empty for no such words."""
    not_as = NOT_AS.search(answer.lower)
    if not not_as or not choice.comparative:
        return set()
    i = answer.words_between(*not_as.span("degree")).start
    side = compare_asked_word(choice.comparative, answer.words[i])
    lesser, greater = read_named_sides(answer, i, choice.expected | choice.other)
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
        ends_clause = is_amount and question.clause[i + 1] != question.clause[i]
        is_adverb = word == "more" and is_amount and not ends_clause
        if is_adverb and i and question.words[i - 1] in BE:
            return question.words[i + 1]  # "which is more accurate, A or B"
        if is_comparative(word) or ends_clause:
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


# ---- a thing that is compared without the other one

LONGEST_COMPARED = 5  # words of "the old one was smaller"
# "How did the new stadium compare with the old one?"
ASKS_TO_COMPARE = re.compile(
    r"\W*how (?:do|does|did) (?P<thing>[^?]{1,60}?) compare\b"
    r"[^?]{0,40}? (?:with|to) (?P<other>[^?]{1,60}?)(?: in \w{1,20})?\?"
)


def decide_compared_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer says of the other thing what a reference says of one, else None.

    Where a question compares lead with aluminium, "Aluminium is heavier" is UNLIKELY beside "lead
    is heavier", and "Aluminium is lighter" is LIKELY.
    """
    found, shown = answer.text.strip(), reference.text.strip()
    answer, reference, question = map(read_things, (answer, reference, question))
    expected, stated = read_compared_thing(reference), read_compared_thing(answer)
    if not expected or not stated or answer.denials or reference.denials:
        return None
    if not expected.thing | stated.thing <= question.places.keys():
        return None
    thing, other = expected.thing, stated.thing
    if not thing:
        thing, other = read_asked_things(question)
    if not stated.thing or not thing.isdisjoint(stated.thing) or not stated.thing <= other:
        return None
    direction = compare_asked_word(expected.comparative, stated.comparative)
    if not direction:
        return None
    outcome = UNLIKELY if direction == FORWARD else LIKELY
    return Decision(outcome, "roles", found, shown)


class ComparedThing(NamedTuple):
    """The stems of a thing, empty for a pronoun, and the comparative that a text says of it."""

    thing: set[str]
    comparative: str


def read_compared_thing(text: Text) -> ComparedThing | None:
    """Return the thing and the comparative of a text such as "lead is heavier", else None."""
    words = text.words
    if not 2 < len(words) <= LONGEST_COMPARED or not is_comparative_adjective(words[-1]):
        return None
    verb = next((i for i, word in enumerate(words) if word in BE), 0)
    thing = {text.stems[i] for i in range(verb) if words[i] not in STOP_WORDS | {"one"}}
    return ComparedThing(thing, words[-1]) if verb else None


def read_asked_things(question: Text) -> tuple[set[str], set[str]]:
    """Return the stems of the thing that a question asks about, and of what it is compared with."""
    asked = ASKS_TO_COMPARE.match(question.lower)
    if not asked:
        return set(), set()
    things = list[set[str]]()
    for name in ("thing", "other"):
        things.append(question.list_stems(question.words_between(*asked.span(name))))
    return things[0], things[1]


def is_comparative_adjective(word: str) -> bool:
    """Return whether a word is an adjective's comparative: heavier, but not father."""
    if not is_comparative(word):
        return False
    return compare_relations(word, "more") != 0 or has_opposite(cut_degree(word))


# ---- the same two things in the other order

# Words between two things that are compared.
COMPARING = frozenset("than ahead behind before after above below".split())


def is_turned_round(answer: Text, reference: Text) -> bool:
    """Return whether an answer compares the things of a reference in the other order."""
    one, other = read_compared_names(reference)
    return bool(one and other) and read_compared_names(answer) == (other, one)


def read_compared_names(text: Text) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems with a capital before and behind the only word that compares two things."""
    places = [i for i, word in enumerate(text.words) if word in COMPARING]
    if len(places) != 1:
        return frozenset(), frozenset()
    names = [i for i in text.telling if text.shown[i][0].isupper()]
    before = frozenset(text.stems[i] for i in names if i < places[0])
    return before, frozenset(text.stems[i] for i in names if i > places[0])


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
    choice = read_choice(question, reference)
    if choice and not {"both", "against"}.isdisjoint(answer.words):
        return False
    if choice:  # Who won, Lena or Marta?
        votes = list_votes(answer, asked_verb, choice.expected, choice.other)
    else:
        expected = set(reference.content) - question.places.keys()
        votes = list_votes(answer, asked_verb, expected)
    return set(votes) == {False}


def decide_other_side(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer says of the other of two that it lost, where one won, else None.

    UNLIKELY if it says that the other one won, and the reverse where the question is who lost.
    """
    asked_verb = find_asked_contest(question)
    choice = read_choice(question, reference) if asked_verb else None
    if not choice or answer.denials or not 0 < len(answer.words) <= MOST_WORDS:
        return None
    names_expected = have_common(choice.expected, answer.places.keys())
    if names_expected or not have_common(choice.other, answer.places.keys()):
        return None
    votes = set(list_votes(answer, asked_verb, choice.other))
    if len(votes) != 1:
        return None
    outcome = UNLIKELY if True in votes else LIKELY
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


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


# ---- a question for the doer: who was the buyer?

LONGEST_ASKED = 300  # characters of a question that are read
ASKS_FOR_DOER = re.compile(
    r"\b(?:who|which(?: \w+){1,2}|what \w+)(?: is| was|'s| are| were) (?:the|a)"
    r" (?P<doer>\w+(?:er|or))\b"
)


def decide_doer(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the sides of a verb, where a question asks for the doer, or return None.

    "Lane was sold to Whitmore" makes Whitmore the buyer.
    """
    asked = ASKS_FOR_DOER.search(question.lower[:LONGEST_ASKED])
    if not asked or answer.denials or len(answer.words) > MOST_WORDS or "who" in answer.words:
        return None
    votes = set[bool]()
    has_converse = False
    for i, word in enumerate(answer.words):
        direction = compare_asked_word(asked["doer"], word) if is_verb(word) else 0
        if direction:
            has_converse = has_converse or direction != FORWARD
            votes |= set(list_side_votes(answer, i, direction, set(reference.content)))
    if len(votes) != 1 or (votes == {True} and not has_converse):
        return None
    outcome = LIKELY if votes.pop() else UNLIKELY
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def list_side_votes(answer: Text, verb: int, direction: int, expected: Set[str]) -> Iterator[bool]:
    """Yield whether a verb gives the asked role to the expected thing, nothing if it is unclear.

    Of a passive without a doer, who stands behind "to" is on the other side: sold to Whitmore.
    """
    if is_passive(answer, verb) and BY.isdisjoint(answer.words):
        named = [i for i in answer.find_clause(verb) if answer.stems[i] in expected]
        if named:
            is_receiver = "to" in answer.words[verb : named[0]]
            yield is_receiver and direction != FORWARD
        return
    sides = read_sides(answer, verb)
    holder, counterpart = sides if direction == FORWARD else reversed(sides)
    if have_common(expected, holder) != have_common(expected, counterpart):
        yield have_common(expected, holder)


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
        sides = read_named_sides(answer, i, expected | other)
        holder, counterpart = sides if is_forward else reversed(sides)
        supports = have_common(expected, holder) or have_common(other, counterpart)
        opposes = have_common(expected, counterpart) or have_common(other, holder)
        if supports != opposes:
            yield supports


def read_named_sides(answer: Text, i: int, named: Set[str]) -> Sides:
    """Return the sides of a word; of Alto 3 and Alto 5, or plans A and B, only the marks."""
    if all(len(stem) > LONGEST_MARK for stem in named):
        return read_sides(answer, i)
    doer, other = ({answer.stems[j] for j in places} & named for places in split_sides(answer, i))
    return Sides(doer - other, other - doer)


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
    if asked == word:
        return FORWARD  # more accurate
    relation = compare_relations(asked, word)
    # A defeat is the opposite of a win, but who defeated somebody won.
    if relation and word.endswith(("ed", "ing")):
        return relation
    if root in map_opposites().get(asked_root, ()):
        return BACKWARD
    return compare_degrees(asked, word) or relation


def names_holder_behind(text: Text, i: int) -> bool:
    """Return whether the thing that a comparative describes follows it: the older one is Ann."""
    start = i - 2 if text.words[i - 1] in ("more", "less") else i - 1
    if start < 0 or text.words[start] != "the" or not text.is_new_sentence(start):
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


# ---- who won

# Decide by who won: "Harrow won 3-1" is "3-1 to Harrow", and not "3-1 to Belfield".

LONGEST_REPORT = 30  # words of a text that tells who won
TEAM = r"(?<![\w'-])(?P<{}>[A-Z][\w'-]{{0,30}}(?: [A-Z][\w'-]{{0,30}}){{0,3}})"
FOR_TEAM = r"(?:\d{1,3}|win|victory|triumph) (?:to|for|by) (?:the )?"
WINNER = re.compile(
    rf"{TEAM.format('subject')}"
    r" (?:won|wins|beat|beats|defeated|edged|prevailed|triumphed|thrashed)\b"
    rf"|(?i:{FOR_TEAM}){TEAM.format('recipient')}"
)
LOSER = re.compile(
    rf"{TEAM.format('subject')} (?:lost|loses|(?:was|were|got) (?:beaten|defeated)|went down)\b"
    rf"|\b(?:defeat|loss) for (?:the )?{TEAM.format('recipient')}"
    rf"|\b(?:beat|beats|beating|defeat(?:ed|ing)|edged|thrashed) (?:the )?{TEAM.format('object')}"
)


class Contest(NamedTuple):
    """The stems of the words of the winner and of the loser; empty if a text does not tell."""

    winner: frozenset[str]
    loser: frozenset[str]


def decide_contest(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer gives a win to the other team than the reference, else None.

    EQUAL if it gives the win, or the loss, to the same team with the same score, which a report
    of the loss may turn round. The other team is one that the question names, or the loser.
    """
    if max(len(answer.words), len(reference.words)) > LONGEST_REPORT:
        return None
    expected = read_contest(reference)
    if not expected.winner or answer.denials or reference.denials:
        return None
    found = read_contest(answer)
    losers = question.places.keys() | expected.loser
    has_lost = is_same_team(found.loser, expected.winner)
    is_other = has_lost or not found.winner.isdisjoint(losers)
    if is_other and found.winner.isdisjoint(expected.winner):
        return Decision(DIFFERENT, "roles", answer.text.strip(), reference.text.strip())
    has_same_winner = is_same_team(found.winner, expected.winner)
    has_same_loser = is_same_team(found.loser, expected.loser)
    score, expected_score = read_score(answer), read_score(reference)
    is_same_score = score == expected_score or (has_same_loser and score[::-1] == expected_score)
    if not (has_same_winner or has_same_loser) or not is_same_score or not score:
        return None
    return Decision(EQUAL, "roles", answer.text.strip(), reference.text.strip())


def read_score(text: Text) -> list[str]:
    """Return the numbers of a text, in its order."""
    return re.findall(r"\d+", text.text)


GENERAL_TEAMS = frozenset("team side club".split())


def is_same_team(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether all words of one name are in the other: Velm, FC Velm."""
    one, other = one - GENERAL_TEAMS, other - GENERAL_TEAMS
    return bool(one and other) and (one <= other or other <= one)


@lru_cache(maxsize=RECENT_TEXTS)
def read_contest(text: Text) -> Contest:
    """Return who won and who lost, as a text tells it first."""
    return Contest(read_team(text, WINNER), read_team(text, LOSER))


def read_team(text: Text, pattern: re.Pattern[str]) -> frozenset[str]:
    """Return the stems of the team that a pattern finds first, or none."""
    match = pattern.search(text.text)
    if match is None or match.lastgroup is None:
        return frozenset()
    words = text.words_between(*match.span(match.lastgroup))
    letters = {text.stems[i] for i in words if len(text.shown[i]) == 1 and text.shown[i].isupper()}
    return frozenset(text.list_stems(words) | letters)  # team A
