"""Read the bounds of a value: at least five, no more than 20 kg, by Monday, the early 1990s.

A value with a bound is another value than the same number with the opposite bound.
"""

import re
from typing import NamedTuple

from .equality import agree
from .outcomes import UNLIKELY, Decision
from .quantities import Quantity
from .text import Text

FROM_TIME = re.compile(r"\bfrom(?: the)?\s*$", re.IGNORECASE)
BY_TIME = re.compile(r"\bby(?: the)?\s*$", re.IGNORECASE)
# Bounds of a number, before it ("at least 5") and after it ("5 or more").
# The group `low` says that the number is the least one, `high` that it is the greatest one.
BOUND_BEFORE = re.compile(
    r"(?P<low>at least|(?:no|not) (?:less|younger|sooner|earlier|lower|smaller|shorter|slower"
    r"|lighter|narrower|nearer|closer|colder|cooler) than"
    r"|no fewer than|not (?:before|until)|"
    r"(?:a )?minimum(?: of)?|not (?:under|below)"
    r"|(?:more|older|higher|longer|larger|later|greater) than|over|above|exceeding|after"
    r"|since"
    r"|>=?|≥|"
    r"至少|超过|大于|不少于|不低于|多于|高于)\s*$|"
    r"(?P<high>at most|up to|(?:no|not) (?:more|older|later|greater|higher|larger|longer"
    r"|faster|heavier|wider|taller|bigger|further|farther|deeper|warmer|hotter) than|"
    r"(?:a )?maximum(?: of)?|not (?:over|above|exceeding|after)"
    r"|(?:less|fewer|smaller|younger|lower|shorter|earlier) than"
    r"|under|below|before"
    r"|until|till|"
    r"<=?|≤|"
    r"至多|最多|不超过|小于|不到|少于|低于)\s*$",
    re.IGNORECASE,
)
BOUND_AFTER = re.compile(
    r"\s*(?P<low>(?:years? )?(?:or|and) (?:more|above|later|over|older|up(?:wards)?|higher|greater"
    r"|longer)\b(?! ?\d| than)|\+(?!\d)|onwards?\b|on(?=\W*$)"
    r"|at the earliest\b|以上|之后|以后)|"
    r"\s*(?P<high>(?:years? )?(?:or|and) (?:less|fewer|below|earlier|under|younger|lower|smaller"
    r"|shorter)\b(?! ?\d| than)|at (?:the )?(?:most|latest)\b"
    r"|以下|以内|之前|以前)",
    re.IGNORECASE,
)
LONGEST_BOUND = 36  # characters before a number that are read for a bound
# "early 1990s", "the end of May".
PERIOD_PART = re.compile(
    r"(early|mid|middle|late|beginning|end|first half|second half)(?: of)?(?: the)?[ -]*$",
    re.IGNORECASE,
)
PERIOD_PARTS = {
    "beginning": "early",
    "middle": "mid",
    "end": "late",
    "first half": "early",
    "second half": "late",
}


class Bounded(NamedTuple):
    """A quantity with the words that bound it.

    Attributes:
        quantity: the quantity.
        bound: -1 for at most, 1 for at least, 0 for neither.
        is_exact: whether the text says that the number is no bound: exactly 5, x = 5.
        part: the part of a period that is meant: "early", "mid", "late" or "".
    """

    quantity: Quantity
    bound: int
    part: str
    is_exact: bool = False


EXACT = re.compile(
    r"(?:\b(?:exactly|precisely|just)|[^<>!]="
    r"|\b(?:no more (?:and|or|nor) no (?:fewer|less)|no (?:fewer|less) (?:and|or|nor) no more"
    r"|neither more nor (?:fewer|less)) than)\s*$"
)


def read_before(text: str, quantity: Quantity, length: int = LONGEST_BOUND) -> str:
    """Return the characters of a text before a quantity, as far as a bound is looked for."""
    return text[max(0, quantity.start - length) : quantity.start]


def read_bounds(text: str, quantity: Quantity) -> Bounded:
    """Return a quantity of a text with the words around it that bound it."""
    before = read_before(text, quantity)
    bound = 0
    is_exact = EXACT.search(before) is not None
    bound_words = BOUND_BEFORE.search(before) or BOUND_AFTER.match(text, quantity.end)
    if bound_words and not is_exact:
        bound = 1 if bound_words["low"] else -1
    elif quantity.kind == "date" or quantity.dimension == "clock":
        bound = read_time_bound(before)
    period_part = PERIOD_PART.search(before)
    name = period_part[1].lower() if period_part else ""
    return Bounded(quantity, bound, PERIOD_PARTS.get(name, name), is_exact)


def read_time_bound(before: str) -> int:
    """Return 1 for "from" before a time, -1 for "by", 0 for neither."""
    if FROM_TIME.search(before):
        return 1
    return -1 if BY_TIME.search(before) else 0


def find_start_of_bound(text: str, quantity: Quantity) -> int:
    """Return where a quantity begins, with the words before it that bound it."""
    before = read_before(text, quantity)
    bound = BOUND_BEFORE.search(before)
    return quantity.start - len(before) + bound.start() if bound else quantity.start


def quote_bound(text: str, quantity: Quantity) -> str:
    """Return a quantity as it was written, with the words that bound it."""
    bound_after = BOUND_AFTER.match(text, quantity.end)
    end = bound_after.end() if bound_after else quantity.end
    return text[find_start_of_bound(text, quantity) : end].strip()


def has_same_bounds(one: Bounded, other: Bounded) -> bool:
    """Return whether two quantities may have the same bounds.

    A missing bound contradicts none.
    """
    has_other_part = bool(one.part and other.part) and one.part != other.part
    has_opposite_bound = one.bound * other.bound < 0
    bounds_exact_number = (one.is_exact and other.bound) or (other.is_exact and one.bound)
    return not has_other_part and not has_opposite_bound and not bounds_exact_number


# "more than" before a number.
BEYOND = re.compile(
    r"\b(?:more|greater|less|fewer|smaller) than\s*$|超过\s*$|少于\s*$", re.IGNORECASE
)
MOST_COUNTED = 12  # the largest number that people count, and do not round


def lies_beyond(value: Quantity, answer: Text, wanted: Bounded) -> bool:
    """Return whether an answer has more or less than a small number: more than eight legs."""
    expected = wanted.quantity
    if wanted.bound or expected.dimension:
        return False
    if expected.written % 1 != 0 or not 0 < expected.written <= MOST_COUNTED:
        return False
    before = read_before(answer.text, value)
    return BEYOND.search(before) is not None and EXACT.search(before.lower()) is None


LONGEST_SENTENCE = 15  # words of a reference whose only number has a bound
MOST_VALUES = 50  # quantities of an answer that are compared


def decide_bound(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer bounds a reference's only number on the other side, else None.

    "If I sell fewer than 100 units" says another thing than "if I sell at least 100 units".
    """
    if len(reference.quantities) != 1 or len(reference.words) > LONGEST_SENTENCE:
        return None
    wanted = read_bounds(reference.text, reference.quantities[0])
    if not wanted.bound or len(answer.quantities) > MOST_VALUES:
        return None
    same = [value for value in answer.quantities if agree(value, wanted.quantity)]
    bounds = [read_bounds(answer.text, value) for value in same]
    if not same or any(has_same_bounds(bounded, wanted) for bounded in bounds):
        return None
    found, expected = same[0], wanted.quantity
    return Decision(
        UNLIKELY,
        "number",
        quote_bound(answer.text, found),
        quote_bound(reference.text, expected),
    )
