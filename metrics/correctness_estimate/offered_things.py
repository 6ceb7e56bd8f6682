"""Decide which of two things that a question offers an answer chooses: oak or beech?

"Beech was considered, but oak won", "oak, although beech is cheaper" and "both oak and beech" do
not choose beech, though they have the word. In the answer one mark, RIGHT, replaces the thing that
the reference names, and another one, OTHER, the other thing.
"""

import re
from collections.abc import Set
from functools import lru_cache
from typing import NamedTuple

from .conclusions import TAKING_BACK
from .found_reference import choose_alternative
from .lexicon import DETERMINERS, PREPOSITIONS, STOP_WORDS
from .outcomes import DIFFERENT, UNLIKELY, UPHELD, Decision
from .text import RECENT_TEXTS, Text

LONGEST_ANSWER = 30  # words
LONGEST_REFERENCE = 5  # words
RIGHT, OTHER = "\x01", "\x02"
THING = f"[{RIGHT}{OTHER}]"
IN_CLAUSE = rf"[^.;:!?{RIGHT}{OTHER}]"
# "both oak and beech", "oak and beech both do", "oak and beech alike"
IN_PART = r"(?:partly|half|sometimes|in part|some)"
TAKES_BOTH = re.compile(
    rf"\b{IN_PART} {THING},?(?: and| or)? {IN_PART} {THING}|"
    rf"\bboth {THING} and {THING}|{THING} and {THING},? (?:\w+ )?(?:both|alike|equally|together)\b"
    rf"|^(?!.*\b(?:against|out|without|from|instead)\b).*{THING} and {THING}(?: in equal \w+)?\W*$"
)
# One of the two is taken all the same.
CHOOSES = re.compile(r"\b(?:former|latter|first|second|took|chose|picked|only|but)\b")
# "torn between oak and beech", "I'm not sure which", "oak or beech, whichever you like"
LEFT_OPEN = re.compile(
    rf"\b(?:torn|undecided|wavered?|wavering|hesitated|toss-up|choice) between {THING} (?:and|or)"
    rf" {THING}|\b(?:not sure|unsure|can't say|cannot say|don't know|unclear) which"
    r"(?: one| (?:it|(?:he|she|they|we) \w+))?(?=\W*$|[,;.] )"
    rf"|^\W*(?:either )?{THING},? or {THING}"
    r"(?:,? (?:whichever|whatever|as you|either|it|hard|difficult|who knows|i)\b[^.;]*)?\W*$"
    rf"|\b(?:could|might|may) be {THING},? (?:(?:or|and) )?(?:it )?(?:could|might|may) be {THING}"
)
REFUSED = r"(?:rejected|declined|dropped|discarded|dismissed|refused|turned down|ruled out)"
REFUSING = re.compile(REFUSED)
# What stands before the thing that is taken: but in the end they went with oak.
TAKING = (
    r"(?:(?:in the end|finally|eventually|then|now|today),? )?"
    r"(?:(?:they|he|she|we|it|you|the \w+) )?(?:(?:finally|eventually|has|have|since) ){0,2}"
    r"(?:went|chose|took|picked|settled|opted|signed|joined|bought|used|asked|decided|got|is|was"
    r"|moved|became)(?: (?:with|for|on|to))? "
)
# What stands behind it: but oak won.
WINNING = r"\W*$| won\b| was (?:chosen|picked|used|taken|preferred)\b| it (?:is|was)\b"
NOT_TAKEN = rf"(?! (?:was |were |is )?(?:not|never|\w+n't|{REFUSED})\b)"
# One thing is set aside, and the other one is taken: X was considered, but Y; they turned X down
# and took Y; it used to be X, but now it is Y.
SET_ASIDE = re.compile(
    rf"(?:{THING} (?:(?:was|were|had been|has been) (?:\w+ )?"
    r"(?:considered|discussed|debated|proposed|suggested|planned|tried|favou?red|expected|rumou?red"
    rf"|offered|searched|cancelled|{REFUSED})\b|would (?:have been|be)\b)"
    rf"{IN_CLAUSE}{{0,40}}[,;.]? ?\b(?:but|yet|so|until),? "
    # "On" and "over" go with the thing: passed on oak.
    rf"|(?:\b(?:{REFUSED}|passed|gave up|voted against|decided against) {THING}"
    rf"|\b(?:turned|voted) {THING} down|\bused to (?:\w+ )?{THING})"
    rf"{IN_CLAUSE}{{0,40}}(?:[,;.] |\b(?:and|but),? )(?:(?:and|but),? )?)"
    rf"(?:{TAKING}(?P<taken>{THING}){NOT_TAKEN}|(?P<winner>{THING})(?={WINNING}))"
)
# Which one was rejected, considered first, or formerly the capital?
ASKS_FOR_REFUSED = re.compile(
    r"\b(?:reject|declin|refus|dismiss|discard|drop|consider|propos|suggest|former|expect|offer|plan"
    r"|tri|try|cancel|favou?r|search|discuss|debat)\w*"
    r"|\b(?:turn\w* down|rule[ds]? out|g[ia]ve up|against|first|once|not|used to)\b|n't\b"
)
# "..., so it is the oak", "..., hence oak": what is named there alone is chosen.
CONCLUDED = re.compile(
    r"[,;.:–—-] ?(?:and )?(?:so|hence|thus|therefore),?"
    r" (?:it (?:is|was|must be|must have been) |it's |that's "
    r"|(?:they|he|she|we|you) (?:took|chose|used|bought) )?"
    rf"(?P<taken>{THING})(?: one)?\W*$"
)
# The two things alone, before the answer: "Oak or beech... They took oak."
REPEATED = re.compile(rf"^\W*(?:(?:hmm|well|so),? )?{THING} or {THING}[.…?!]+\s+")
# An answer that begins with one thing, and tells more of the other one in its next clause.
BEGINS_WITH_THING = re.compile(
    rf"^\W*(?:(?:it|that|this) (?:is|was) |it's )?(?P<taken>{THING})['\"’”*)]{{0,2}}"
    r"(?: (?:did|does|do|is|was|were|has|have)(?: it)?)?"
    r"(?P<between>(?:[,.;!–—-]| (?:although|though|because|since|while|whereas)\b)[^,.;:!?]{0,60})"
    rf"{THING}"
)
# Between the two, these may give the first one up: oak, or rather beech.
GIVES_FIRST_UP = re.compile(
    rf"\b(?:{TAKING_BACK}|no,|and(?=\W*$)|but|or|rather|instead|then|finally|in the end|later"
    r"|before|until|former|latter|however|yet|wrong|false)\b|\bno\W*$"
)
ONLY_NOT = re.compile(r"[,;–—-]? ?(?:and )?not ?")  # oak, not beech
DENIED = re.compile(r"\b(?:not|never|no)\b|n't\b")


class Offer(NamedTuple):
    """Two things that a question offers.

    Attributes:
        right: the stems that only the thing has which the reference names.
        other: the stems that only the other thing has.
        common: the stems of both: baking soda or baking powder.
    """

    right: frozenset[str]
    other: frozenset[str]
    common: frozenset[str]


def decide_offered_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer chooses the other of two offered things, both, or neither.

    DIFFERENT if it is nothing but the other thing, and UPHELD if it names the right one first or in
    conclusion. None if words do not tell what it chooses, or the question offers no two things.
    """
    if "or" not in question.first_place or not 0 < len(answer.words) <= LONGEST_ANSWER:
        return None
    offer = read_offer(question, reference)
    if not offer or offer.other.isdisjoint(answer.places):
        return None
    found, expected = answer.text.strip(), reference.text.strip()
    if offer.right.isdisjoint(answer.places):
        is_bare = set(answer.content) <= offer.other | offer.common and not answer.denials
        return Decision(DIFFERENT, "option", found, expected) if is_bare else None
    marked = REPEATED.sub("", mark_things(answer, offer, {*reference.places, *question.places}))
    if takes_both_or_neither(marked):
        return Decision(UNLIKELY, "either", found, expected)
    taken = read_taken_thing(marked, ASKS_FOR_REFUSED.search(question.lower) is not None)
    if taken == OTHER:
        return Decision(UNLIKELY, "replaced", found, expected)
    return Decision(UPHELD, "option", found, expected) if taken == RIGHT else None


def takes_both_or_neither(marked: str) -> bool:
    """Return whether an answer takes both things, or neither."""
    if marked.count(RIGHT) != 1 or marked.count(OTHER) != 1:
        return False
    takes_both = TAKES_BOTH.search(marked) is not None and not CHOOSES.search(marked)
    return takes_both or LEFT_OPEN.search(marked) is not None


def read_taken_thing(marked: str, asks_for_refused: bool) -> str:
    """Return the thing that an answer takes, RIGHT or OTHER, "" if words do not tell.

    Args:
        marked: the answer with the marks.
        asks_for_refused: whether the question asks for the thing that was set aside.
    """
    if RIGHT not in marked:  # Oak or beech? Beech.
        is_refused = DENIED.search(marked) or REFUSING.search(marked)
        return OTHER if OTHER in marked and not is_refused else ""
    concluded = CONCLUDED.search(marked)
    if concluded:
        return concluded["taken"]
    aside = None if asks_for_refused else SET_ASIDE.search(marked)
    if aside and marked.count(RIGHT) == marked.count(OTHER) == 1:
        return aside["taken"] or aside["winner"]
    first = BEGINS_WITH_THING.match(marked)
    if not first or GIVES_FIRST_UP.search(first["between"]):
        return ""
    if ONLY_NOT.fullmatch(first["between"]):
        return first["taken"]
    # "Oak, not beech" takes oak; "oak, which they did not want; beech" may take beech.
    return "" if first["taken"] == OTHER and DENIED.search(first["between"]) else first["taken"]


@lru_cache(maxsize=RECENT_TEXTS)
def read_offer(question: Text, reference: Text) -> Offer | None:
    """Return the two things beside the only "or" of a question, if a reference names one of them.

    Each has as many telling words as the other: the canal or the park, the first or the third
    floor.
    """
    if question.words.count("or") != 1 or len(reference.words) > LONGEST_REFERENCE:
        return None
    left, right = read_left_side(question), read_right_side(question)
    chosen = order_by_reference(left, right, set(reference.content))
    chosen = chosen or choose_alternative(question, reference)
    if not chosen:
        return None
    expected, other = chosen
    common = frozenset(expected & other)
    offer = Offer(frozenset(expected - other), frozenset(other - expected), common)
    return offer if offer.right and offer.other else None


def read_left_side(question: Text) -> list[str]:
    """Return the stems of the telling words right before an "or", in its clause."""
    i = stop = question.first_place["or"]
    start = question.find_clause(stop - 1).start
    while i > start and question.words[i - 1] not in STOP_WORDS:
        i -= 1
    return question.stems[i:stop]


def read_right_side(question: Text) -> list[str]:
    """Return the stems of the telling words behind an "or" and its small words."""
    start = question.first_place["or"] + 1
    while start < len(question.words) and question.words[start] in STOP_WORDS:
        start += 1
    stop = start
    while stop < len(question.words) and question.words[stop] not in STOP_WORDS:
        stop += 1
    return question.stems[start:stop]


def order_by_reference(
    left: list[str], right: list[str], reference: set[str]
) -> tuple[set[str], set[str]] | None:
    """Return the stems of two offered things, first of the one that a reference names, or None.

    Args:
        left: the stems before the "or", the thing's last.
        right: the stems behind the "or", the thing's first.
        reference: the telling stems of the reference.
    """
    if not left or not right:
        return None
    takes_left, takes_right = left[-1] in reference, right[0] in reference
    if takes_left and takes_right:  # baking soda or baking powder
        takes_left, takes_right = reference == set(left), reference == set(right[: len(left)])
    if takes_left == takes_right:
        return None
    side = left[::-1] if takes_left else right
    n_named = next((i for i, stem in enumerate(side) if stem not in reference), len(side))
    length = min(n_named, len(left), len(right))
    one, other = set(left[-length:]), set(right[:length])
    return (one, other) if takes_left else (other, one)


def mark_things(answer: Text, offer: Offer, known: Set[str]) -> str:
    """Return an answer in lower case with RIGHT and OTHER in place of the two offered things.

    Small words before a thing and known words behind it go with it: on the first floor.

    Args:
        answer: the answer.
        offer: the two things.
        known: the stems of the reference and of the question.
    """
    marked = list[str]()
    end = 0
    for i, stem in enumerate(answer.stems):
        mark = find_mark(stem, offer) if answer.words[i] != "one" else ""  # the second one
        if not mark:
            between = answer.lower[end : answer.starts[i]]
            is_head = bool(marked) and is_telling_known(answer, i, known) and not between.strip()
            end = answer.find_end_of_word(i) if is_head else end
            continue
        begin = max(end, answer.starts[find_beginning(answer, i, offer.common)])
        between = answer.lower[end:begin]
        is_same_thing = marked and marked[-1] == mark and not between.strip()
        if not is_same_thing:
            marked += [between, mark]
        end = answer.find_end_of_word(i)
    return "".join([*marked, answer.lower[end:]])


def find_mark(stem: str, offer: Offer) -> str:
    """Return the mark of the thing that has a stem, or ""."""
    if stem in offer.right:
        return RIGHT
    return OTHER if stem in offer.other else ""


def is_telling_known(answer: Text, i: int, known: Set[str]) -> bool:
    """Return whether a word tells something and is known: the floor of the first floor."""
    return i in answer.telling and answer.stems[i] in known


def find_beginning(answer: Text, i: int, common: Set[str]) -> int:
    """Return the first of the small words and those of both things right before a word."""
    while i and answer.clause[i - 1] == answer.clause[i]:
        if not is_small(answer.words[i - 1]) and answer.stems[i - 1] not in common:
            break
        i -= 1
    return i


def is_small(word: str) -> bool:
    """Return whether a word is an article or a preposition."""
    return word in DETERMINERS or (word in PREPOSITIONS and word in STOP_WORDS)
