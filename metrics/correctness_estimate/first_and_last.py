"""Decide by the order of two things, where a question asks which came first or last.

"The castle, then the church" does not say that the church came first, though it has the word.
"""

import re
from functools import lru_cache

from .outcomes import EQUAL, UNLIKELY, Decision
from .text import RECENT_TEXTS, Text

LONGEST_REFERENCE = 6  # words
LONGEST_ANSWER = 20  # words
ASKED_ORDER = re.compile(
    r"\b(?:(?P<first>first|earliest|earlier|initially)|(?P<last>last|latest|later|finally))\b"
    r"(?! (?:name|lady|aid|year|week|month|night|time|century|world war)\b)"
)
# Two things in their order, each with the words around it: first A, then B; A was before B.
IN_ORDER = re.compile(
    r"^(?P<one>[^.;:!?]{1,150}?),? (?:and )?(?:only )?"
    r"(?:then|followed by|before|next|precede[sd]?|prior to|→|->) (?P<two>[^;:!?]{1,150})$"
)
# Two things in the other order: B after A, B followed A.
TURNED_ROUND = re.compile(
    r"^(?P<two>[^.;:!?]{1,150}?),? (?:only )?"
    r"(?:after|follow(?:s|ed)(?! by)|once) (?P<one>[^;:!?]{1,150})$"
)
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
    if not has_length or not 2 < len(answer.words) <= LONGEST_ANSWER:
        return None
    order = read_two_things(answer)
    if not order:
        return None
    is_choice = "or" in question.first_place
    wanted = set(reference.content)
    if not is_choice:
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


@lru_cache(maxsize=RECENT_TEXTS)
def read_asked_end(question: Text) -> str:
    """Return "first" or "last" if a question asks what came first or last, else ""."""
    ends = {match.lastgroup or "" for match in ASKED_ORDER.finditer(question.lower)}
    return ends.pop() if len(ends) == 1 else ""


def read_two_things(answer: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of the first and the second of two things, None if an answer has not two."""
    lower = answer.lower.strip()
    if BEGINS_WITH_ORDER.match(lower):
        return None
    match = IN_ORDER.match(lower) or TURNED_ROUND.match(lower)
    if not match:
        return None
    offset = answer.lower.index(lower)
    things = list[set[str]]()
    for name in ("one", "two"):
        start, end = match.span(name)
        places = answer.words_between(offset + start, offset + end)
        things.append({answer.stems[i] for i in places}.intersection(answer.content))
    return (things[0], things[1]) if all(things) else None
