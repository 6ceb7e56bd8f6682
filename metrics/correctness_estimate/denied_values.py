"""Tell the values that an answer denies from those that it states: not 25 minutes but 40."""

from .equality import can_replace, is_among
from .lexicon import STOP_WORDS
from .outcomes import UNLIKELY, UPHELD, Decision
from .quantities import Quantity
from .text import Text

DENIAL_REACH = 3  # words between a denial and the value that it denies: not the full 25 minutes
NEAR_VALUE = STOP_WORDS | frozenset("full usual whole exactly just about old".split())


def decide_denied_value(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by what an answer denies, if each denial stands right before a value.

    UPHELD if only other values are denied, and UNLIKELY if the reference's is and another one is
    stated. None if the reference is more than a value.
    """
    if not answer.denials or question.denials or not is_only_value(reference):
        return None
    expected = reference.quantities[0]
    denied = list_denied_values(answer)
    stated = [value for value in answer.quantities if value not in denied]
    if len(denied) < len(answer.denials) or "no" in answer.words:
        return None  # a denial of something else, or a correction: 12, no, 13
    is_denied, is_stated = is_among(expected, denied), is_among(expected, stated)
    if is_stated and not is_denied:
        return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
    if is_denied and not is_stated and any(can_replace(value, expected) for value in stated):
        return Decision(UNLIKELY, "denied", answer.text.strip(), reference.text.strip())
    return None


def is_only_value(reference: Text) -> bool:
    """Return whether a reference has one value, and no other word that tells something."""
    if len(reference.quantities) != 1:
        return False
    value = reference.quantities[0]
    inside = reference.words_between(value.start, value.end)
    return all(i in inside for i in reference.telling)


def list_denied_values(answer: Text) -> list[Quantity]:
    """Return the values that a denial stands before, with nothing but small words between."""
    denied = list[Quantity]()
    for value in answer.quantities:
        first = answer.words_between(value.start, value.end).start
        start = max(
            [i for i in answer.denials if first - DENIAL_REACH <= i + 1 <= first], default=-1
        )
        if start >= 0 and NEAR_VALUE.issuperset(answer.words[start + 1 : first]):
            denied.append(value)
    return denied
