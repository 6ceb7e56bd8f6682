"""A reference that is a value: a number with its unit, a date, a formula.

The value decides whether an answer is right.

A value is right or it is not, however many words the two texts share: 5 °C is not -5 °C, $50 is not
€50, and 1e6 is 1,000,000. Where that cannot be told (the answer has the value and another one
beside it, or none at all) nothing is decided here.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from .equality import (
    FEWEST_DIGITS,
    agree,
    can_replace,
    is_among,
    is_coarser,
    is_scaled,
    is_whole_century,
    is_within,
    may_be_meant,
    name_difference,
)
from .lexicon import SCALES, STOP_WORDS
from .numerals import SHORT_SCALES
from .outcomes import COARSER, DIFFERENT, EQUAL, OPEN, Decision
from .quantities import Quantity
from .text import Text, stem_word


# ---- what bounds a number

# What stands around a number and bounds it: at least, no more than, early in, about.

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


# ---- several numbers

# A reference of several numbers: a ratio, a point, a range, a list.


def decide_ratio(said: Sequence[Quantity], expected: Quantity) -> Decision | None:
    """Return whether an answer's numbers are the two of a ratio: two boys for every three girls."""
    if len(said) == 1 and {said[0].dimension} & {"ratio", "clock"}:
        return Decision(DIFFERENT, "number", said[0].text, expected.text)
    sides = [float(side) for side in re.findall(r"\d+(?:\.\d+)?", expected.text.replace(",", ""))]
    written = [one.written for one in said]
    if written == sides:
        return Decision(EQUAL, "value", said[0].text, expected.text)
    return (
        Decision(OPEN, "value", said[0].text, expected.text)
        if sorted(written) == sorted(sides)
        else None
    )


def decide_sequence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the numbers of a reference that is a point, a range or a list of numbers."""
    wanted, said = reference.quantities, answer.quantities
    if len(wanted) < 2 or not said or not is_only_quantities(reference):
        return None
    if len(said) != len(wanted):
        return decide_length(answer, reference)
    found, expected = quote_sequence(answer), quote_sequence(reference)
    if all(map(agree, said, wanted)):
        is_range = RANGE.search(reference.text) and not RANGE.search(answer.text)
        return None if is_range else Decision(EQUAL, "value", found, expected)
    is_point = reference.text.strip()[0] in "([{" or asks_for_order(question)
    is_list = not is_point and LIST_WORD.search(reference.text)
    if is_list and all(is_among(one, wanted) for one in said):
        return None
    pairs = zip(said, wanted, strict=True)
    if any(can_replace(a, b) and not agree(a, b) for a, b in pairs):
        return Decision(DIFFERENT, "number", found, expected)
    return None


def decide_length(answer: Text, reference: Text) -> Decision | None:
    """Decide by the count, if an answer has fewer or more numbers than a list of them."""
    wanted, said = reference.quantities, answer.quantities
    is_range = RANGE.search(reference.text) is not None and wanted[0].kind == "number"
    if is_range and len(said) == 1 and is_among(said[0], wanted) and "±" not in reference.text:
        return Decision(COARSER, "list", answer.text.strip(), reference.text.strip())
    if not LIST_WORD.search(reference.text):
        return None
    has_no_other = all(is_among(one, wanted) for one in said)
    if len(said) < len(wanted) and has_no_other:
        return Decision(COARSER, "list", answer.text.strip(), reference.text.strip())
    if len(said) > len(wanted) and not has_no_other and is_only_quantities(answer):
        return Decision(DIFFERENT, "added", answer.text.strip(), reference.text.strip())
    return None


def quote_sequence(text: Text) -> str:
    """Return what a text has from its first number to its last."""
    return text.text[text.quantities[0].start : text.quantities[-1].end]


ORDER = re.compile(
    r"\b(?:respectively|order|sequence|ascending|descending|rank(?:ed|ing)?|sort(?:ed)?)\b|顺序"
    r"|排序|依次"
)
RANGE = re.compile(
    r"\d\W{0,3}(?:[-–—~～]|to|bis|till?|until|through|up to|到|至)\W{0,3}\d|\bbetween\b|[\])}]",
    re.IGNORECASE,
)
LIST_WORD = re.compile(r"\band\b|[和、&]|,.*,")


def asks_for_order(question: Text) -> bool:
    """Return whether a question asks for things in their order."""
    return ORDER.search(question.lower) is not None


def is_only_quantities(text: Text) -> bool:
    """Return whether a text has nothing but quantities and small words."""
    inside = {i for one in text.quantities for i in text.words_between(one.start, one.end)}
    return all(
        i in inside or word in STOP_WORDS or word in ABOUT for i, word in enumerate(text.words)
    )


# ---- one value

# An answer that says a fall in words may leave out the minus.
FALL = re.compile(
    r"\b(?:f[ae]ll|declin|decreas|dropp?|shr[aiu]nk|contract|los[et]|loss|deficit|down|lower|reduc"
    r"|below)|下降|减少|跌|降|亏|零下"
)
RISE = re.compile(
    r"\b(?:profit|surplus|gr[eo]w|r[oi]se|increas|gain|climb|up(?! to)"
    r"|higher|rais|soar)|上升|增|涨|升|盈"
)
# An operator beside a number: it is part of a formula.
OPERATOR_BEFORE, OPERATOR_AFTER = re.compile(r"[/^*·×]\s?$"), re.compile(r"\s?[/^*·×]")
MOST_RIVALS = 50


def is_value(reference: Text, question: Text) -> bool:
    """Return whether a reference is one quantity with only small or known words beside it."""
    if len(reference.quantities) != 1:
        return False
    quantity = reference.quantities[0]
    if has_operator(reference.text, quantity):
        return False
    inside = reference.words_between(quantity.start, quantity.end)
    for i, word in enumerate(reference.words):
        known = (
            word in STOP_WORDS
            or word in ABOUT
            or reference.stems[i] in question.places
            or is_direction(word)
        )
        bounds = reference.starts[i] < quantity.start and BOUND_BEFORE.search(
            reference.lower[: quantity.start]
        )
        is_part = PERIOD_PART.search(reference.lower[: quantity.start])
        if (
            i not in inside
            and not known
            and not bounds
            and not is_part
            and not is_variable(reference, i)
        ):
            return False
    return True


def has_operator(text: str, quantity: Quantity) -> bool:
    """Return whether a number is part of a formula: 1/x."""
    is_operand = OPERATOR_BEFORE.search(text[max(0, quantity.start - 2) : quantity.start])
    return bool(is_operand or OPERATOR_AFTER.match(text, quantity.end))


def is_direction(word: str) -> bool:
    """Return whether a word says that something rises or falls."""
    return bool(RISE.match(word) or FALL.match(word))


def read_direction(text: Text) -> int:
    """Return 1 for a text that says a rise, -1 for a fall, 0 for neither or both."""
    return bool(RISE.search(text.lower)) - bool(FALL.search(text.lower))


def is_variable(text: Text, i: int) -> bool:
    """Return whether a word is a letter that is set equal to a value: x = 5."""
    after = text.text[text.starts[i] + len(text.shown[i]) :].lstrip()
    return len(text.words[i]) == 1 and after.startswith(("=", "≈"))


def decide_quantity(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer has the quantity that a reference is.

    It is None where that cannot be told.
    """
    if not is_value(reference, question):
        return None
    wanted = read_bounds(reference.text, reference.quantities[0])
    expected = wanted.quantity
    said = [
        one
        for one in answer.quantities[:MOST_RIVALS]
        if not repeats_question(one, expected, question)
    ]
    same = [one for one in said if has_value(one, answer, wanted, question)]
    is_count = not expected.dimension and expected.written >= 1
    counts = is_count and asks_for_count(reference, question)
    if counts and same and all(one.dimension == "percent" for one in same):
        return Decision(DIFFERENT, "unit", same[0].text, expected.text)
    if expected.dimension == "ratio" and not same:
        return decide_ratio(said, expected)
    rivals = [one for one in said if one not in same and can_replace(one, expected)]
    if not same:
        return decide_rivals(answer, reference, rivals)
    has_rival = bool(rivals) and not is_conclusion(answer, same[-1], said)
    if has_rival or may_be_unsaid(answer, same, expected, question):
        return None
    return decide_direction(answer, reference, question, same[0])


COUNTING = re.compile(r"\b(?:how (?:many|often)|times)\b|多少[个人只次]")


def asks_for_count(reference: Text, question: Text) -> bool:
    """Return whether a plain number counts, so that percents are something else: ten times, 10%."""
    asked = question.lower
    return COUNTING.search(f"{asked[:LONGEST_ASKED]}\n{reference.lower}") is not None and not any(
        word in asked for word in ("percent", "per cent", "%", "share", "proportion")
    )


LONGEST_ASKED = 300  # characters of a question that say what is counted


def may_be_unsaid(
    answer: Text,
    same: Sequence[Quantity],
    expected: Quantity,
    question: Text,
) -> bool:
    """Return whether the quantities that are the expected one say less or are denied."""
    if any(is_denied(answer, one) for one in same):
        return True
    return all(is_coarser(one, expected) for one in same) or all(
        has_unknown_unit(answer, one, expected, question) for one in same
    )


def decide_direction(
    answer: Text,
    reference: Text,
    question: Text,
    same: Quantity,
) -> Decision | None:
    """Return that an answer with the right quantity is right, unless a rise is a fall there."""
    expected = reference.quantities[0]
    wanted, said, asked = map(read_direction, (reference, answer, question))
    if (wanted and not said and not asked) or has_other_denial(answer, reference, expected):
        return None
    if expected.written > 0 and said * (wanted or asked) < 0:
        return Decision(DIFFERENT, "opposite", answer.text.strip(), reference.text.strip())
    return Decision(EQUAL, "value", same.text, expected.text)


def decide_rivals(answer: Text, reference: Text, rivals: Sequence[Quantity]) -> Decision | None:
    """Return that an answer has another quantity than the reference, or one that is less exact."""
    expected = reference.quantities[0]
    if len(rivals) == 1 and is_within(rivals[0], expected):
        # 1995 for the 1990s, and the 1990s for 1995
        outcome = COARSER if expected.kind == "date" else OPEN
        return Decision(outcome, "date", rivals[0].text, expected.text)
    may_be_same = stands_inside_word(answer, expected) or any(
        may_be_meant(one, expected) for one in rivals
    )
    if not rivals or may_be_same:
        return None
    nearest = max(
        rivals,
        key=lambda one: (one.written == expected.written, one.dimension == expected.dimension),
    )
    found, shown = quote_bound(answer.text, nearest), quote_bound(reference.text, expected)
    return Decision(DIFFERENT, name_difference(nearest, expected), found, shown)


def has_other_denial(answer: Text, reference: Text, expected: Quantity) -> bool:
    """Return whether only one of two texts denies something.

    "no more than" bounds a quantity and denies nothing.
    """
    bound = BOUND_BEFORE.search(
        reference.lower[max(0, expected.start - LONGEST_BOUND) : expected.start]
    )
    if bound and NEGATED_BOUND.match(bound[0]):
        return False
    return bool(reference.denials) and len(answer.denials) % 2 != len(reference.denials) % 2


def has_unknown_unit(
    answer: Text,
    one: Quantity,
    expected: Quantity,
    question: Text,
) -> bool:
    """Return whether an unknown word, maybe a unit, follows a number without a unit."""
    if (
        one.dimension
        or not expected.dimension
        or expected.kind != "number"
        or expected.dimension in ("decade", "age")
    ):
        return False
    after = answer.words_between(one.end, one.end + 2)
    if not after:
        return False
    word = answer.words[after.start]
    return (
        is_like_unit(answer.shown[after.start])
        and word not in STOP_WORDS | ABOUT
        and answer.stems[after.start] not in question.places
    )


LONGEST_ABBREVIATION = 4  # letters


def is_like_unit(shown: str) -> bool:
    """Return whether a word behind a number may be a unit: a small word, or letters such as MWh."""
    has_both = shown[:1].isupper() and not shown.istitle() and shown.isalpha()
    return shown.islower() or (has_both and len(shown) <= LONGEST_ABBREVIATION)


CONCLUSION = re.compile(
    r"(?:\b(?:so|thus|therefore|hence|total|in all|altogether|answer|result|equals?)\b|=|所以|因此"
    r"|答案)[^.]*$"
)


LONGEST_CONCLUSION = 80  # characters before a value


def is_conclusion(answer: Text, one: Quantity, said: Sequence[Quantity]) -> bool:
    """Return whether an answer's last quantity is its conclusion: So the slope is minus two."""
    return (
        one is said[-1]
        and CONCLUSION.search(answer.lower[max(0, one.start - LONGEST_CONCLUSION) : one.start])
        is not None
    )


def repeats_question(one: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether an answer's quantity only repeats one of the question."""
    is_opposite = abs(one.written) == abs(expected.written) and one.dimension == expected.dimension
    return not agree(one, expected) and not is_opposite and is_among(one, question.quantities)


# Small words of languages in which a comma stands before the decimals, and a point or a space
# between thousands.
DECIMAL_COMMA_WORDS = frozenset(
    "der die das ist wie wer welche welcher welches wann el los las es que cual cuanto cuantos "
    "quien le les est quel "
    "quelle combien la du des une una del il qual quanto quante sind hat".split()
)
SCALE_WORD = re.compile(r"\d\s?([a-z]{3,})")
ONE_GROUP = re.compile(r"\d{1,3}[.,]\d{3}")


def has_decimal_comma(question: Text) -> bool:
    """Return whether a question is in a language where a comma stands before decimals."""
    is_spanish = question.text.startswith("¿")
    return is_spanish or len(DECIMAL_COMMA_WORDS & set(question.words)) > 1


def compare_in_decimal_comma(one: Quantity, expected: Quantity) -> bool | None:
    """Return whether two numbers are equal where a comma stands before decimals.

    It is None where that is not the matter.
    """
    digits = [re.search(r"\d[\d.,' ]*", quantity.text) for quantity in (one, expected)]
    if not digits[0] or not digits[1] or one.kind != "number" or one.unit != expected.unit:
        return None
    written = [match[0].strip(" .,'") for match in digits if match]
    if all(ONE_GROUP.fullmatch(number) for number in written):
        return re.sub("[.,]", "", written[0]) == re.sub(
            "[.,]", "", written[1]
        )  # 2.718 and 2,718: either may be either
    values = list[float]()
    for quantity, number in zip((one, expected), written, strict=True):
        values.append(read_scale(quantity.text) * read_decimal_comma(number))
    return values[0] == values[1]


def read_scale(text: str) -> float:
    """Return what a word behind digits multiplies them by: 85 Tausend."""
    word = SCALE_WORD.search(text.lower())
    return SCALES.get(word[1]) or SHORT_SCALES.get(word[1], 1.0) if word else 1.0


def read_decimal_comma(written: str) -> float:
    """Return a number that has a comma before its decimals."""
    written = written.replace(" ", "").replace("'", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", written):
        written = written.replace(".", "")
    elif written.count(",") > 1:
        written = written.replace(",", "")
    return (
        float(written.replace(",", "."))
        if written.count(",") + written.count(".") < 2
        else math.nan
    )


def asks_for_version(question: Text) -> bool:
    """Return whether a question asks for a version, which is no decimal number."""
    return "version" in question.places or "版本" in question.text


def has_value(
    one: Quantity,
    answer: Text,
    wanted: Bounded,
    question: Text,
) -> bool:
    """Return whether a quantity of an answer is the wanted one, with its bounds and sign."""
    in_comma = (
        compare_in_decimal_comma(one, wanted.quantity) if has_decimal_comma(question) else None
    )
    if in_comma or (in_comma is None and agree(one, wanted.quantity)):
        if asks_for_version(question) and one.text.strip() != wanted.quantity.text.strip():
            return False  # 3.1 is not 3.10
        return has_same_bounds(read_bounds(answer.text, one), wanted)
    if is_whole_century(one, wanted.quantity):
        return True
    if wanted.quantity.written >= 0 or not FALL.search(answer.lower):
        return False
    opposite = wanted.quantity._replace(
        value=negate(wanted.quantity), written=-wanted.quantity.written
    )
    return agree(one, opposite) or is_scaled(one, opposite)


def negate(one: Quantity) -> tuple[float | None, ...]:
    """Return the value of a number with the other sign."""
    return (-(one.value[0] or 0.0), *one.value[1:])


def is_denied(answer: Text, one: Quantity) -> bool:
    """Return whether a denial stands in the clause of a quantity."""
    clauses = {answer.clause[i] for i in answer.words_between(one.start, one.end)}
    start = max(0, one.start - LONGEST_BOUND)
    bound = BOUND_BEFORE.search(answer.text[start : one.start])  # "no more than" denies nothing
    inside = answer.words_between(start + bound.start(), one.start) if bound else range(0)
    denials = [i for i in (*answer.denials, *answer.untrue) if i not in inside]
    return any(answer.clause[i] in clauses for i in denials)


def stands_inside_word(answer: Text, expected: Quantity) -> bool:
    """Return whether a quantity stands in an answer only as part of a word: in1996."""
    if expected.text.isalpha() and stem_word(expected.text.lower()) in answer.places:
        return True  # "second" of "the second most" is no number of its own
    digits = max(re.findall(r"\d[\d.,]*", expected.text), key=len, default="").rstrip(".,")
    if len(digits) < FEWEST_DIGITS:
        return False
    places = [
        match.start() for match in re.finditer(rf"(?<![\d.,]){re.escape(digits)}", answer.text)
    ]
    return any(
        not any(one.start <= place < one.end for one in answer.quantities) for place in places
    )
