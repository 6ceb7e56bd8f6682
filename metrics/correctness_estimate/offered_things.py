"""Decide which of two things that a question offers an answer chooses: oak or beech?

"Beech was considered, but oak won", "oak, although beech is cheaper" and "both oak and beech" do
not choose beech, though they have the word. In the answer one mark, RIGHT, replaces the thing that
the reference names, and another one, OTHER, the other thing.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from .conclusions import TAKING_BACK
from .found_reference import choose_alternative
from .lexicon import DETERMINERS, PREPOSITIONS, STOP_WORDS
from .outcomes import UNLIKELY, Decision
from .text import RECENT_TEXTS, Text

LONGEST_ANSWER = 30  # words
LONGEST_REFERENCE = 5  # words
RIGHT, OTHER = "\x01", "\x02"
THING = f"[{RIGHT}{OTHER}]"
CLAUSE = rf"[^.;:!?{RIGHT}{OTHER}]"
# "both oak and beech", "oak and beech both do", "oak and beech alike"
TAKES_BOTH = re.compile(
    rf"\bboth {THING} and {THING}|{THING} and {THING},? (?:\w+ )?(?:both|alike|equally|together)\b"
    rf"|{THING} and {THING}\W*$"
)
# "torn between oak and beech", "I'm not sure which", "either of them", "oak or beech"
LEFT_OPEN = re.compile(
    rf"\b(?:torn|undecided|wavered?|wavering|hesitated|toss-up|choice) between {THING} (?:and|or)"
    rf" {THING}|\b(?:not sure|unsure|can't say|cannot say|don't know|unclear) (?:which|whether)\b"
    rf"|^\W*(?:either )?{THING},? or {THING}\W*$"
)
# One thing is set aside, and the other one is taken: X was considered, but Y; they turned X down
# and took Y.
SET_ASIDE = re.compile(
    rf"(?:(?P<considered>{THING}) (?:was|were|had been|has been) (?:\w+ )?"
    r"(?:considered|discussed|debated|proposed|suggested|planned|tried|favou?red|expected|rumou?red"
    r"|offered|searched|rejected|declined|dropped|discarded|dismissed|refused)\b"
    r"|\b(?:rejected|declined|refused|dismissed|discarded|dropped|passed on|passed over|ruled out"
    rf"|gave up|voted against|decided against) (?P<rejected>{THING})"
    rf"|\b(?:turned|voted) (?P<turned>{THING}) down)"
    rf"{CLAUSE}{{0,40}}(?:[,;.] |\b(?:and|but) ){CLAUSE}{{0,60}}(?P<taken>{THING})"
)
# An answer that begins with one thing, and tells more of the other one in its next clause.
BEGINS_WITH_THING = re.compile(
    rf"^\W*(?:(?:it|that|this) (?:is|was) |it's )?(?P<taken>{THING})"
    rf"(?:[,.;–—-]| (?:although|though|because|since|while|whereas)\b)[^,.;:!?]{{0,60}}{THING}"
)
# Behind these the first thing may be given up: oak? No, beech.
TURNED_BACK = re.compile(
    rf"[?…]|\b(?:{TAKING_BACK}|no|not|never|but|rather|instead|actually|originally|at first|then"
    r"|finally|in the end|later|before|until|former|latter|however|yet|wrong|false|or)\b|n't\b"
)


class Offer(NamedTuple):
    """The stems of the offered thing that a reference names, and of the other one."""

    right: frozenset[str]
    other: frozenset[str]


def decide_offered_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer chooses the other of two offered things, both, or neither.

    None if it chooses the one that the reference names, or the question offers no two things.
    """
    if "or" not in question.first_place or not 1 < len(answer.words) <= LONGEST_ANSWER:
        return None
    offer = read_offer(question, reference)
    if not offer or not offer.right <= answer.places.keys():
        return None
    marked = mark_things(answer, offer)
    found, expected = answer.text.strip(), reference.text.strip()
    if marked.count(RIGHT) == 1 and marked.count(OTHER) == 1:
        if TAKES_BOTH.search(marked) or LEFT_OPEN.search(marked):
            return Decision(UNLIKELY, "either", found, expected)
        aside = SET_ASIDE.search(marked)
        if aside and aside["taken"] == OTHER:
            return Decision(UNLIKELY, "replaced", found, expected)
    first = BEGINS_WITH_THING.match(marked)
    if first and first["taken"] == OTHER and not TURNED_BACK.search(marked, first.end("taken")):
        return Decision(UNLIKELY, "replaced", found, expected)
    return None


@lru_cache(maxsize=RECENT_TEXTS)
def read_offer(question: Text, reference: Text) -> Offer | None:
    """Return the two things beside the only "or" of a question, if a reference names one of them.

    Each has as many telling words as the reference: the canal or the park.
    """
    if question.words.count("or") != 1 or len(reference.words) > LONGEST_REFERENCE:
        return None
    chosen = choose_alternative(question, reference)
    if not chosen:
        joint = question.first_place["or"]
        before = [
            i
            for i in question.telling
            if i < joint and question.clause[i] <= question.clause[joint]
        ]
        behind = [i for i in question.telling if i > joint]
        count = len(reference.content)
        left = {question.stems[i] for i in before[-count:]} if count else set[str]()
        right = {question.stems[i] for i in behind[:count]}
        chosen = order_by_reference(left, right, set(reference.content))
    if not chosen:
        return None
    expected, other = chosen
    offer = Offer(frozenset(expected - other), frozenset(other - expected))
    return offer if offer.right and offer.other else None


def order_by_reference(
    left: set[str], right: set[str], reference: set[str]
) -> tuple[set[str], set[str]] | None:
    """Return two offered things, first the one whose words are those of the reference, or None."""
    if left == reference:
        return left, right
    return (right, left) if right == reference else None


def mark_things(answer: Text, offer: Offer) -> str:
    """Return an answer in lower case with RIGHT and OTHER in place of the two offered things.

    Small words before a thing go with it: in the canal.
    """
    marked = list[str]()
    end = 0
    for i, stem in enumerate(answer.stems):
        mark = RIGHT if stem in offer.right else OTHER if stem in offer.other else ""
        if not mark:
            continue
        start = i
        while (
            start
            and answer.clause[start - 1] == answer.clause[i]
            and is_small(answer.words[start - 1])
        ):
            start -= 1
        begin = max(end, answer.starts[start])
        between = answer.lower[end:begin]
        is_same_thing = marked and marked[-1] == mark and not between.strip()
        if not is_same_thing:
            marked += [between, mark]
        end = answer.find_end_of_word(i)
    return "".join([*marked, answer.lower[end:]])


def is_small(word: str) -> bool:
    """Return whether a word is an article or a preposition."""
    return word in DETERMINERS or (word in PREPOSITIONS and word in STOP_WORDS)
