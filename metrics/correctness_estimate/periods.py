"""Read an amount per period as the amount in the period that a question asks about.

Where the question is how much something costs a year, "$10 a month" is $120, and "$120 a year" is
$120, too.
"""

import re
from functools import lru_cache

from .frequencies import ADVERBS, HOURS
from .numerals import UNIT
from .quantities import Quantity
from .text import RECENT_TEXTS, Text

LONGEST_QUESTION = 300  # characters of a question in which a period is looked for
ADJECTIVES = {"annual": "year"}
PERIOD_BY_WORD = {**ADVERBS, **ADJECTIVES}
PERIODS = "|".join(HOURS)
# "per day", "each week", "a year"; "monthly", "annual".
ASKED_PERIOD = re.compile(
    rf"\b(?:(?:per|each|every|an?) (?P<unit>{PERIODS})|(?P<word>{'|'.join(PERIOD_BY_WORD)}))\b"
)
# The period behind an amount that quantities.py does not read: "$120 annually", "30 km each week".
PERIOD_BEHIND = re.compile(
    rf",? (?:(?:per|each|every|an?) (?P<unit>{PERIODS})|(?P<word>{'|'.join(ADVERBS)}))\b"
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_asked_period(question: Text) -> str:
    """Return the only period that a question names: "year" for "the annual fee", or ""."""
    matches = ASKED_PERIOD.finditer(question.lower[:LONGEST_QUESTION])
    periods = {name_period(match) for match in matches}
    return periods.pop() if len(periods) == 1 else ""


def name_period(match: re.Match[str]) -> str:
    """Return the name of a period that a pattern has found: "year" for "annually"."""
    return match["unit"] or PERIOD_BY_WORD[match["word"]]


def convert_to_asked_period(
    value: Quantity, answer: Text, expected: Quantity, question: Text
) -> Quantity:
    """Return an amount per period as the amount in the period that a question asks about.

    The amount stays as it is if the answer or the question names no period, or the expected amount
    has one itself.
    """
    asked = read_asked_period(question)
    if not asked or "/" in expected.dimension or value.kind != "number":
        return value
    bare_unit, _, divisor = value.unit.partition("/")
    behind = PERIOD_BEHIND.match(answer.lower, value.end)
    stated = divisor or (name_period(behind) if behind else "")
    if stated not in HOURS or (divisor and divisor not in UNIT):
        return value
    dimension = value.dimension.partition("/")[0]
    amount = value.amount * UNIT[divisor].size if divisor else value.amount
    if stated == asked:
        return value._replace(value=(amount,), dimension=dimension, unit=bare_unit)
    amount *= count_periods(asked, stated)
    return value._replace(value=(amount,), dimension=dimension, written=amount)


def count_periods(long: str, short: str) -> float:
    """Return how many periods of one name another has: a year has 12 months."""
    one, other = UNIT.get(long), UNIT.get(short)
    if one and other and one.dimension == other.dimension:
        return one.size / other.size
    return HOURS[long] / HOURS[short]
