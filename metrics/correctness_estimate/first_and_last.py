"""Decide by the order of things and of steps, and by a place in a row.

Where a question asks which came first, "The castle, then the church" does not say that it was the
church, though it has the word. "The third door" is another door than "the second door". "Plug it
in, wait and unplug it" are other steps than "unplug it, wait and plug it in". "The siege came
later" says the same as "before the siege".
"""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from .lexicon import DETERMINERS, ORDINALS, STOP_WORDS
from .contraries import has_contrary_word
from .offered_things import read_offer
from .outcomes import DIFFERENT, EQUAL, LIKELY, UNLIKELY, UPHELD, Decision
from .relations import (
    BACKWARD,
    FORWARD,
    MOST_WORDS,
    REPLACED,
    compare_relations,
    have_common,
    is_verb,
    split_sides,
)
from .text import RECENT_TEXTS, Text

LONGEST_REFERENCE = 6  # words
LONGEST_ANSWER = 20  # words
# "Which was built first?", "Which comes last in the list?"
ASKED_ORDER = re.compile(
    r"\b(?:(?P<first>first|earliest|earlier|initially)|(?P<last>last|latest|later|finally))\b"
    r"(?=\W*$|,| (?:in|of|at|on|or|when|according)\b)"
)
# Two things in their order, each with the words around it: first A, then B; A was before B.
IN_ORDER = re.compile(
    r"^(?P<one>[^.;:!?]{1,150}?)(?:(?:,|,? and) (?:only )?(?:then|next|after (?:that|this))"
    r"|,? (?:followed by|→|->)| (?:before|precede[sd]?(?! by)|prior to)) (?P<two>[^;:!?]{1,150})$"
)
# Two things in the other order: B after A, B followed A.
TURNED_ROUND = re.compile(
    r"^(?P<two>[^.;:!?]{1,150}?) (?:only )?"
    r"(?:(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )after(?! all\b| that\b| this\b)"
    r"|follow(?:s|ed)(?! by)|preceded by) (?P<one>[^;:!?]{1,150})$"
)
CHOOSING = frozenset("or between".split())  # words of a question that names two things
# "Before the castle, the church" is in no such form.
BEGINS_WITH_ORDER = re.compile(r"^\W*(?:before|after|once|when)\b")


def decide_first_or_last(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer puts a reference where a question asks for it, else UNLIKELY.

    None if the question does not ask what came first or last, or the answer tells no such order.
    """
    asked = read_asked_end(question)
    if not asked or reference.quantities or answer.denials:
        return None
    has_length = 0 < len(reference.words) <= LONGEST_REFERENCE
    if not has_length or not 1 < len(answer.words) <= LONGEST_ANSWER:
        return None
    order = read_two_things(answer)
    if not order:
        return decide_placed_thing(answer, reference, question, asked)
    is_choice = not CHOOSING.isdisjoint(question.words)
    wanted = set(reference.content)
    if is_choice:  # the French Revolution or the American Revolution
        wanted -= {stem for stem in wanted if len(question.places.get(stem, ())) > 1}
    else:
        wanted -= question.places.keys()
    is_first, is_last = (wanted <= thing for thing in order)
    if not wanted or is_first == is_last:
        return None
    other = order[1] if is_first else order[0]
    if not is_choice and other <= question.places.keys():
        return None  # the first novel after the war
    is_asked = is_first == (asked == "first")
    outcome = EQUAL if is_asked else UNLIKELY
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def decide_placed_thing(
    answer: Text, reference: Text, question: Text, asked: str
) -> Decision | None:
    """Decide by the place of the only one of two offered things: the castle came later.

    Where the question is which of the two came first, that says that it was the other one.
    """
    place, offer = read_place(answer), read_offer(question, reference)
    is_comparison = "than" in question.first_place
    if not place or not offer or place == asked or is_comparison:
        return None
    if any(ORDER_WORD.match(stem) for stem in offer.right | offer.other | offer.common):
        return None  # The Last Day
    names_right = have_common(offer.right, answer.places.keys())
    names_other = have_common(offer.other, answer.places.keys())
    known = question.places.keys() | reference.places.keys()
    telling = [i for i in answer.telling if not ORDER_WORD.match(answer.words[i])]
    if names_right == names_other or any(answer.stems[i] not in known for i in telling):
        return None
    outcome = LIKELY if names_other else UNLIKELY
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


@lru_cache(maxsize=RECENT_TEXTS)
def read_asked_end(question: Text) -> str:
    """Return "first" or "last" if a question asks what came first or last, else "".

    "Who was the first man on the Moon" asks for no order of two things.
    """
    ends = {match.lastgroup or "" for match in ASKED_ORDER.finditer(question.lower)}
    return ends.pop() if len(ends) == 1 else ""


def read_two_things(answer: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of the first and the second of two things, None if an answer has not two."""
    if BEGINS_WITH_ORDER.match(answer.lower):
        return None
    match = IN_ORDER.match(answer.lower) or TURNED_ROUND.match(answer.lower)
    if not match:
        return None
    things = list[set[str]]()
    for name in ("one", "two"):
        places = answer.words_between(*match.span(name))
        things.append({answer.stems[i] for i in places}.intersection(answer.content))
    return (things[0], things[1]) if all(things) else None


# ---- two things in their order

LEAST_NAMED = 0.5  # share of a thing's words that an answer has of it
STEPS_WITH_VALUE = range(4, 8)  # telling words of a reference that tells two steps with a value


def decide_two_in_order(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer puts two things in the order of a reference, else UNLIKELY.

    "First cream the butter, then sift the flour" says the same as "Creaming the butter comes
    before sifting the flour". None if one of the two tells no order of two things.
    """
    is_value = bool(reference.quantities) and len(reference.content) not in STEPS_WITH_VALUE
    if is_value or answer.denials or reference.denials:
        return None
    if not 2 < len(reference.words) <= LONGEST_ANSWER or len(answer.words) > LONGEST_ANSWER:
        return None
    expected = read_two_things(reference)
    order = read_two_things(answer) if expected else None
    if not expected or not order or order == expected:
        return None
    outcome = compare_order(order, expected)
    if not outcome or (outcome == UPHELD and reference.quantities):
        return None
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


# "The church came first", "the church was earlier": one thing with its place in the order.
PLACED_FIRST = re.compile(
    r"\b(?:first|earlier|earliest|before (?:it|that))\W*$"
    r"|^\W*(?:the )?(?:first|at first|earlier|earliest)\b"
)
PLACED_LAST = re.compile(
    r"\b(?:last|later|latest|second|next|afterwards|after (?:it|that))\W*$"
    r"|^\W*(?:the )?(?:last|later|latest|second|next|then|afterwards)\b"
)
# Words of such an answer that name no thing.
ORDER_WORD = re.compile("first|earl|last|late|second|next|afterwards|then|before|came|come")


def decide_one_in_order(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the one thing that an answer puts first or last: "The church came first".

    UPHELD if it has this place in the reference, which puts two things in their order, else
    UNLIKELY. Without a place, the thing has the one that the question asks for. None if the answer
    tells more than one thing.
    """
    if not 0 < len(answer.words) <= LONGEST_ANSWER or len(reference.words) > LONGEST_ANSWER:
        return None
    if answer.denials or reference.denials or len(set(answer.sentence)) > 1:
        return None
    expected = read_two_things(reference)
    if not expected or read_two_things(answer):
        return None
    place = read_place(answer) or read_asked_end(question)
    is_first = find_named_thing(answer, expected, question)
    if not place or is_first is None:
        return None
    outcome = UPHELD if is_first == (place == "first") else UNLIKELY
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def read_place(answer: Text) -> str:
    """Return "first" or "last" if an answer puts a thing there, else ""."""
    is_first = PLACED_FIRST.search(answer.lower) is not None
    is_last = PLACED_LAST.search(answer.lower) is not None
    if is_first == is_last:
        return ""
    return "first" if is_first else "last"


def find_named_thing(
    answer: Text, expected: tuple[set[str], set[str]], question: Text
) -> bool | None:
    """Return whether an answer names the first of two things, and nothing of the second.

    None if it names both or neither, or tells more than the question and the reference.
    """
    known = question.places.keys() | expected[0] | expected[1]
    places = [i for i in answer.telling if not ORDER_WORD.match(answer.words[i])]
    if any(answer.stems[i] not in known for i in places):
        return None
    verbs = {answer.stems[i] for i in places if is_verb(answer.words[i])}
    found = {answer.stems[i] for i in places} - verbs
    first, second = expected[0] - expected[1] - verbs, expected[1] - expected[0] - verbs
    names_first = bool(first) and names_most(found, first)
    names_second = bool(second) and names_most(found, second)
    return names_first if names_first != names_second else None


def compare_order(order: tuple[set[str], set[str]], expected: tuple[set[str], set[str]]) -> str:
    """Return UPHELD if two things are in the same order, UNLIKELY if turned round, else ""."""
    first, second = expected[0] - expected[1], expected[1] - expected[0]
    if not first or not second:
        return ""
    is_same = names_most(order[0], first) and names_most(order[1], second)
    is_turned = names_most(order[0], second) and names_most(order[1], first)
    if is_same == is_turned:
        return ""
    return UPHELD if is_same else UNLIKELY


def names_most(stems: set[str], thing: set[str]) -> bool:
    """Return whether some stems have most stems of a thing."""
    return len(stems & thing) >= LEAST_NAMED * len(thing)


# ---- places in a row: the second door

LONGEST_PLACE = 12  # words of a reference or an answer that tells one place in a row
NEIGHBOURS = frozenset("after before behind next past".split())
NUMBERED = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")  # 2nd


def decide_ordinal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has another ordinal than a reference, else None.

    "The third door on the left" is another door than "the second door on the left".
    """
    expected = list_ordinals(reference)
    if len(expected) != 1 or not may_tell_place(answer, reference):
        return None
    found = list_ordinals(answer)
    if len(found) != 1 or expected.keys() == found.keys():
        return None
    others = list_other_stems(reference, expected)
    if not others or not answer.places.keys() >= others:
        return None
    if list_other_stems(answer, found) - question.places.keys() - reference.places.keys():
        return None  # the first Republican president was the 16th
    return Decision(UNLIKELY, "number", answer.text.strip(), reference.text.strip())


def may_tell_place(answer: Text, reference: Text) -> bool:
    """Return whether two texts are short, and have no date or denial.

    The answer places nothing beside another thing: the door after the first one is the second.
    """
    if max(len(answer.words), len(reference.words)) > LONGEST_PLACE or answer.denials:
        return False
    quantities = (*answer.quantities, *reference.quantities)
    has_date = any(quantity.kind == "date" for quantity in quantities)
    return not has_date and NEIGHBOURS.isdisjoint(answer.words)


def list_other_stems(text: Text, ordinals: dict[int, str]) -> set[str]:
    """Return the stems of a text's telling words other than its ordinals."""
    pairs = zip(text.words, text.stems, strict=True)
    left_out = STOP_WORDS.union(ordinals.values())
    return {stem for word, stem in pairs if word not in left_out}


@lru_cache(maxsize=RECENT_TEXTS)
def list_ordinals(text: Text) -> dict[int, str]:
    """Return the ordinals of a text, each with its word: second, 2nd."""
    ordinals = dict[int, str]()
    for word in text.words:
        numbered = NUMBERED.fullmatch(word)
        if numbered:
            ordinals[int(numbered[1])] = word
        elif word in ORDINALS:
            ordinals[ORDINALS.index(word) + 1] = word
    return ordinals


# ---- steps

LONGEST_STEPS = 40  # words of a reference or an answer
STEP_JOINT = re.compile(r"[,;.\n]+(?: (?:and|then|finally|next))*| (?:and then|then|and) ")
TURNING = frozenset("before after until once first last".split())
# A reference with one of these tells steps whose order counts.
IN_SEQUENCE = re.compile(r"\b(?:then|wait|back|finally|next|again)\b")


def decide_steps(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has the steps of a reference in another order, else None.

    Each step must have words of its own, and stand in just one step of the answer.
    """
    longest = max(len(answer.words), len(reference.words))
    if not question.lower.startswith("how ") or longest > LONGEST_STEPS or answer.is_chinese:
        return None
    tells_order = IN_SEQUENCE.search(reference.lower)  # not: diet, exercise and insulin
    if not tells_order or not TURNING.isdisjoint(answer.words + reference.words):
        return None
    steps, expected_steps = list_steps(answer), list_steps(reference)
    if len(expected_steps) < 3 or len(steps) < 3:
        return None
    places = list[int]()
    for step in expected_steps:
        same = [place for place, other in enumerate(steps) if step == other]
        if len(same) != 1:
            return None
        places += same
    if places == sorted(places):
        return None
    return Decision(UNLIKELY, "swapped", answer.text.strip(), reference.text.strip())


def list_steps(text: Text) -> list[set[str]]:
    """Return the stems of each step of a text that tell something, numbers among them."""
    bounds = [0]
    for joint in STEP_JOINT.finditer(text.lower):
        bounds += joint.span()
    bounds.append(len(text.lower))
    steps = list[set[str]]()
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        stems = {text.stems[i] for i in text.words_between(start, end)}
        step = stems.intersection(text.content) - {"back"}
        if step:
            steps.append(step)
    return steps


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
ORDER_ADVERBS = frozenset("first earlier later afterwards afterward next".split())


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
    if not order.thing <= answer.places.keys() or has_contrary_word(answer, reference):
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
    if place >= ORDER_REACH or is_order_adverb(reference, place):
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
        tells_of_thing = is_doer or is_order_adverb(answer, i)
        if tells_of_thing and direction != MEANWHILE:
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


def is_order_adverb(text: Text, i: int) -> bool:
    """Return whether a word tells when the thing of its clause came: it came later."""
    if text.words[i] not in ORDER_ADVERBS:
        return False
    return text.words[i + 1 : i + 2] != ["than"]
