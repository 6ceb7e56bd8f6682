"""A reference that is a value: a number with its unit, a date, a formula.

The value decides whether an answer is right.

A value is right or it is not, however many words the two texts share: 5 °C is not -5 °C, $50 is not
€50, and 1e6 is 1,000,000. Where that cannot be told (the answer has the value and another one
beside it, or none at all) nothing is decided here.
"""

import math
import re
from collections.abc import Sequence

from .bounds import (
    ABOUT,
    BOUND_BEFORE,
    LONGEST_BOUND,
    NEGATED_BOUND,
    PERIOD_PART,
    Bounded,
    has_same_bounds,
    quote_bound,
    read_bounds,
)
from .clock_times import TIME_ZONES, is_other_half
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
from .number_lists import decide_ratio
from .numerals import SHORT_SCALES, UNIT
from .outcomes import COARSER, DIFFERENT, EQUAL, OPEN, Decision
from .quantities import Quantity
from .text import Text, stem_word


# An answer that says a fall in words may leave out the minus.
FALL = re.compile(
    r"\b(?:f[ae]ll|declin|decreas|dropp?|shr[aiu]nk|contract|los[et]|loss|deficit|down|lower|reduc"
    r"|below)|下降|减少|跌|降|亏|零下"
)
RISE = re.compile(
    r"\b(?:profit|surplus|income|earn|gr[eo]w|r[oi]se|increas|gain|climb|up(?! to)"
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
    beside = [i for i in range(len(reference.words)) if i not in inside]
    unknown = [i for i in beside if not is_known_word(reference, i, question)]
    if not unknown:
        return True
    before = reference.lower[: quantity.start]
    if PERIOD_PART.search(before):
        return True
    if BOUND_BEFORE.search(before):
        unknown = [i for i in unknown if reference.starts[i] >= quantity.start]
    return all(is_variable(reference, i) for i in unknown)


def is_known_word(reference: Text, i: int, question: Text) -> bool:
    """Return whether a word beside a value tells nothing: a small word or one of the question."""
    word = reference.words[i]
    if word in STOP_WORDS or word in ABOUT or reference.stems[i] in question.places:
        return True
    if word in TIME_ZONES and reference.quantities[0].dimension == "clock":
        return True
    return is_direction(word)


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


def read_sign(one: Quantity) -> int:
    """Return -1 for a number with a minus before it, else 0."""
    return -1 if MINUS_BEFORE.match(one.text) else 0


MINUS_BEFORE = re.compile(r"\s*(?:-|minus|negative)", re.IGNORECASE)


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
    expected = add_asked_unit(wanted.quantity, question)
    wanted = wanted._replace(quantity=expected)
    said = list_values(answer, expected, question)
    if read_direction(reference) < 0 < expected.written:
        said = [drop_sign(one) for one in said]  # a fall of 2% is -2%
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


ASKED_UNIT = re.compile(r"\bhow many (\w+)")
COUNTED_UNITS = frozenset({"time", "months"})  # dimensions of what is counted in numbers alone


def add_asked_unit(expected: Quantity, question: Text) -> Quantity:
    """Return a plain number with the unit in which a question asks for it: how many days."""
    asked = ASKED_UNIT.search(question.lower[:LONGEST_ASKED])
    unit = UNIT.get(asked[1]) if asked else None
    if not unit or expected.kind != "number" or expected.dimension or unit[0] not in COUNTED_UNITS:
        return expected
    dimension, size, name = unit
    return expected._replace(value=(expected.written * size,), dimension=dimension, unit=name)


PAIRS = re.compile(r"\s?pairs?\b(?!\sof\s(?:twins|shoes|trousers|glasses|scissors))")
# "It takes a week": an article, and not what comes once in a week.
ONE_UNIT = re.compile(r"(?:^|\b(?:is|takes?|took|lasts?|lasted|about|for|only|just) )an? (\w+)\b")


def list_values(answer: Text, expected: Quantity, question: Text) -> list[Quantity]:
    """Return the quantities of an answer that may be the expected one: six pairs are twelve."""
    found = list[Quantity]()
    for one in answer.quantities[:MOST_RIVALS]:
        pairs = PAIRS.match(answer.lower, one.end)
        if pairs and not one.dimension and "pair" not in question.places:
            one = double_quantity(one, pairs.end(), answer)
        if not repeats_question(one, expected, question):
            found.append(one)
    single = ONE_UNIT.search(answer.lower[:LONGEST_ASKED]) if expected.dimension else None
    unit = UNIT.get(single[1]) if single else None
    if single and unit and unit[0] == expected.dimension and not found:
        dimension, size, name = unit
        place = single.span(1)
        found.append(Quantity("number", (size,), dimension, 1.0, name, single[1], *place))
    return found


def drop_sign(one: Quantity) -> Quantity:
    """Return a number below zero as one above; its text keeps the sign."""
    if one.kind != "number" or one.written >= 0:
        return one
    return one._replace(value=negate(one), written=-one.written)


def double_quantity(one: Quantity, end: int, answer: Text) -> Quantity:
    """Return a number of pairs as the number of their parts."""
    return one._replace(
        value=(2 * one.written,),
        written=2 * one.written,
        text=answer.text[one.start : end],
        end=end,
    )


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
    said = said or read_sign(same)
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
    if one.dimension == "clock":
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
    if is_other_half(one, wanted.quantity):
        return False
    if in_comma or (in_comma is None and agree(one, wanted.quantity)):
        if asks_for_version(question) and one.text.strip() != wanted.quantity.text.strip():
            return False  # 3.1 is not 3.10
        return has_same_bounds(read_bounds(answer.text, one), wanted)
    if is_whole_century(one, wanted.quantity):
        return True
    if not has_said_sign(one, answer, wanted.quantity):
        return False
    opposite = wanted.quantity._replace(
        value=negate(wanted.quantity), written=-wanted.quantity.written
    )
    return agree(one, opposite) or is_scaled(one, opposite)


# A sign behind a number: the charge of an ion is 2-.
MINUS_BEHIND = re.compile(r"\s?(?:-|minus\b)(?![\w\s]*\d)|(?: \w+)? negative\b")


def has_said_sign(one: Quantity, answer: Text, expected: Quantity) -> bool:
    """Return whether an answer says in words, or behind the number, that it is below zero."""
    if expected.written >= 0:
        return False
    return FALL.search(answer.lower) is not None or is_minus_behind(one, answer)


def is_minus_behind(one: Quantity, answer: Text) -> bool:
    """Return whether a minus stands behind a number, or the word negative."""
    return MINUS_BEHIND.match(answer.lower, one.end) is not None


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
