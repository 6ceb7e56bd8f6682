"""What stands around a number and bounds it: at least, no more than, early in, about."""

import re
from typing import NamedTuple

from .quantities import Quantity

# Words beside a number that do not change what it is.
ABOUT = frozenset(
    "about around approximately roughly nearly almost circa ca some exactly precisely "
    "only total just".split()
)
# What bounds a number, before it and after it: below 0 for "at most", above for "at least".
BOUND_BEFORE = re.compile(
    r"(?P<low>at least|(?:no|not) (?:less|younger|sooner|earlier|lower|smaller|shorter) than"
    r"|no fewer than|"
    r"(?:a )?minimum(?: of)?|not (?:under|below)|more than|greater than|over|above|exceeding|after"
    r"|>=?|≥|"
    r"至少|超过|大于|不少于|不低于|多于|高于)\s*$|"
    r"(?P<high>at most|up to|(?:no|not) (?:more|older|later|greater|higher|larger|longer) than|"
    r"(?:a )?maximum(?: of)?|not (?:over|above|exceeding)|less than|fewer than|smaller than|under"
    r"|below|before|"
    r"<=?|≤|"
    r"至多|最多|不超过|小于|不到|少于|低于)\s*$",
    re.IGNORECASE,
)
BOUND_AFTER = re.compile(
    r"\s*(?P<low>(?:years? )?(?:or|and) (?:more|above|later|over|older|up(?:wards)?|higher|greater"
    r"|longer)\b|\+(?!\d)|以上|之后|以后)|"
    r"\s*(?P<high>(?:years? )?(?:or|and) (?:less|fewer|below|earlier|under|younger|lower|smaller"
    r"|shorter)\b|at (?:the )?most\b|以下|以内|之前|以前)",
    re.IGNORECASE,
)
NEGATED_BOUND = re.compile("not? |不")
LONGEST_BOUND = 24  # characters
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
    """A quantity with what bounds it: -1 for at most, 1 for at least, 0 for neither.

    The part of its period.
    """

    quantity: Quantity
    bound: int
    part: str


def read_bounds(text: str, quantity: Quantity) -> Bounded:
    """Return a quantity of a text with the words around it that bound it."""
    before = text[max(0, quantity.start - LONGEST_BOUND) : quantity.start]
    match = BOUND_BEFORE.search(before) or BOUND_AFTER.match(text, quantity.end)
    bound = 0
    if match:
        bound = 1 if match["low"] else -1
    part = PERIOD_PART.search(before)
    name = part[1].lower() if part else ""
    return Bounded(quantity, bound, PERIOD_PARTS.get(name, name))


def quote_bound(text: str, quantity: Quantity) -> str:
    """Return a quantity as it was written, with what bounds it."""
    start = max(0, quantity.start - LONGEST_BOUND)
    before = BOUND_BEFORE.search(text[start : quantity.start])
    after = BOUND_AFTER.match(text, quantity.end)
    first = start + before.start() if before else quantity.start
    return text[first : after.end() if after else quantity.end].strip()


def has_same_bounds(one: Bounded, other: Bounded) -> bool:
    """Return whether two quantities may have the same bounds.

    A bound that is not said contradicts nothing.
    """
    if one.part and other.part and one.part != other.part:
        return False
    return one.bound * other.bound >= 0
