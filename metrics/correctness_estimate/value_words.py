"""Read words beside a value: a rise or a fall, a time zone, "ago", "by" or "to", a factor."""

import re

from .bounds import read_before
from .quantities import Quantity
from .text import Text

# ---- rises and falls

# Words for a fall and for a rise. An answer with a word for a fall may leave out the minus.
FALL = re.compile(
    r"\b(?:f[ae]ll|declin|decreas|dropp?|shr[aiu]nk|contract|los[et]|loss|deficit|down|lower|reduc"
    r"|below)|下降|减少|跌|降|亏|零下"
)
RISE = re.compile(
    r"\b(?:profit|surplus|income|earn|gr[eo]w|r[oi]se|increas|gain|climb|up(?! to)"
    r"|higher|rais|soar)|上升|增|涨|升|盈"
)


def is_direction(word: str) -> bool:
    """Return whether a word means a rise or a fall."""
    return bool(RISE.match(word) or FALL.match(word))


def read_direction(text: Text) -> int:
    """Return 1 for a text about a rise, -1 for one about a fall, 0 for neither or both."""
    has_rise = RISE.search(text.lower) is not None
    has_fall = FALL.search(text.lower) is not None
    return has_rise - has_fall


def read_direction_beside(answer: Text, value: Quantity) -> int:
    """Return the direction of the clause in which a value stands, or else its sign."""
    inside = answer.words_between(value.start, value.end)
    if not inside:  # a number inside a word: in1978to
        return read_sign(value, answer.text)
    clause = answer.find_clause(inside.start)
    beside = Text(answer.span(clause.start, clause.stop))
    return read_direction(beside) or read_sign(value, answer.text)


def turns_direction(answer: Text, reference: Text, value: Quantity) -> bool:
    """Return whether a value is a rise in an answer, and a fall in the reference, or reversed."""
    expected = read_direction(reference)
    if not expected or reference.quantities[0].written < 0:
        return False
    return expected * read_direction_beside(answer, value) < 0


# "-5", "minus 5".
MINUS_BEFORE = re.compile(r"\s*(?:-|minus|negative)", re.IGNORECASE)
# "+5", "plus 5", and no sum: 2 + 5.
PLUS_BEFORE = re.compile(r"(?<!\w)(?<!\w\s)(?:\+|plus)\s?$", re.IGNORECASE)


def read_sign(quantity: Quantity, text: str) -> int:
    """Return -1 for a number of a text with a minus before it, 1 for one with a plus, else 0."""
    if MINUS_BEFORE.match(quantity.text):
        return -1
    return 1 if PLUS_BEFORE.search(read_before(text, quantity)) else 0


# ---- another zone, time or kind of change

# A time zone right behind a time of day, by the group of its names.
ZONE_BEHIND = re.compile(
    r"\s*\(?(?:(?P<utc>utc|gmt|greenwich|zulu)|(?P<eastern>eastern|e[sd]t)"
    r"|(?P<central>central time|c[sd]t)|(?P<mountain>mountain time|m[sd]t)"
    r"|(?P<pacific>pacific(?: time)?|p[sd]t)|(?P<cet>ces?t)|(?P<bst>bst)|(?P<jst>jst)"
    r"|(?P<msk>msk))\b"
)
PAST_BEHIND = re.compile(r"\s*(?:ago|earlier(?! than))\b")
FUTURE_BEHIND = re.compile(r"\s*(?:from now|hence)\b")
FUTURE_BEFORE = re.compile(r"\bin (?:about |around |exactly )?$")
# "fell by 4%", "fell to 4%"
ASKS_BY = re.compile(r"\bby (?:how much|what|how many)\b")
# "by a factor of 12", "12 times"
FACTOR_BEFORE = re.compile(r"\bfactor of (?:about |around )?$")
FACTOR_BEHIND = re.compile(r"\s?(?:-?fold|times)\b")
CHANGED_BY_OR_TO = re.compile(r"\b(?P<word>by|to) (?:about |around |only |just |some )?$")


def has_other_meaning(answer: Text, reference: Text, question: Text, value: Quantity) -> bool:
    """Return whether words beside the same value make it another one in an answer.

    They are another time zone, "ago" for "in", "to" for "by" (it fell to 4%), or a factor for a
    percentage.
    """
    expected = reference.quantities[0]
    if expected.dimension == "percent" and is_factor(answer, value):
        return True
    zones = {read_zone(answer, value), read_zone(reference, expected)} - {""}
    if len(zones) > 1:
        return True
    if expected.dimension in ("time", "months"):
        times = {read_tense(answer, value), read_tense(reference, expected)}
        if times == {-1, 1}:
            return True
    return has_other_change_word(answer, reference, question, value)


def has_other_change_word(answer: Text, reference: Text, question: Text, value: Quantity) -> bool:
    """Return whether an answer has "to" before a value for "by", or "by" for "to"."""
    expected = reference.quantities[0]
    word = read_change_word(answer, value)
    expected_word = read_change_word(reference, expected)
    tells_change = read_direction(answer) != 0
    asks_by = expected_word == "by" or ASKS_BY.search(question.lower) is not None
    is_range = "from" in answer.first_place
    if word == "to" and asks_by and not is_range:
        return tells_change or expected.dimension == "percent"
    return tells_change and {word, expected_word} == {"by", "to"}


def is_factor(text: Text, value: Quantity) -> bool:
    """Return whether a value tells how many times as much: a factor of 12, 12 times."""
    if FACTOR_BEFORE.search(read_before(text.lower, value)):
        return True
    return FACTOR_BEHIND.match(text.lower, value.end) is not None


def read_zone(text: Text, value: Quantity) -> str:
    """Return the name of the time zone right behind a value, "" for none."""
    zone = ZONE_BEHIND.match(text.lower, value.end)
    return (zone.lastgroup or "") if zone else ""


def read_tense(text: Text, value: Quantity) -> int:
    """Return 1 for a time that lies ahead (in six weeks), -1 for "six weeks ago", else 0."""
    if PAST_BEHIND.match(text.lower, value.end):
        return -1
    lies_ahead = FUTURE_BEFORE.search(read_before(text.lower, value)) or FUTURE_BEHIND.match(
        text.lower, value.end
    )
    return 1 if lies_ahead else 0


def read_change_word(text: Text, value: Quantity) -> str:
    """Return the "by" or "to" right before a value, "" for neither."""
    word = CHANGED_BY_OR_TO.search(read_before(text.lower, value))
    return word["word"] if word else ""
