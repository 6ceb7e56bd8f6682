"""Decide by a reference that is one value: a number with its unit, or a date.

A value is right or wrong, however many words the two texts share: 5 °C is not -5 °C, $50 is not
€50, and 1e6 is 1,000,000. Nothing is decided here if the answer has no value, or if it has
another value beside the right one.
"""

import itertools
import math
import re
from collections.abc import Sequence
from functools import lru_cache

from .bounds import (
    BOUND_AFTER,
    BOUND_BEFORE,
    LONGEST_SENTENCE,
    MOST_VALUES,
    PERIOD_PART,
    Bounded,
    find_start_of_bound,
    has_same_bounds,
    lies_beyond,
    quote_bound,
    read_before,
    read_bounds,
)
from .counted_things import decide_counted_thing, decide_counted_sort
from .equality import (
    FEWEST_DIGITS,
    agree,
    can_replace,
    is_among,
    is_coarser,
    is_ordinal,
    is_scaled,
    is_whole_century,
    is_within,
    may_be_meant,
    name_difference,
)
from .frequencies import convert_to_asked_period
from .lexicon import OR_MAYBE, ORDINALS, PREPOSITIONS, SCALES, STOP_WORDS
from .number_lists import decide_ratio, is_variable
from .numerals import HALF_A_DAY, SHORT_SCALES, UNIT, Unit
from .opposites import are_opposite_words, find_root
from .outcomes import COARSER, DIFFERENT, EQUAL, LIKELY, UNLIKELY, Decision
from .quantifiers import NEGATIVE_QUESTION
from .quantities import EITHER_HALF, Quantity
from .quantity_patterns import ABOUT
from .relations import is_comparative
from .text import RECENT_TEXTS, Text, stem_word
from .yes_or_no import restates_question
from .value_words import (
    FALL,
    has_other_meaning,
    is_direction,
    read_direction,
    read_direction_beside,
    turns_direction,
)


# ---- times of day

# Words of time zones. They do not change what a time is.
TIME_ZONES = frozenset(
    "local time utc gmt est edt cst cdt mst mdt pst pdt cet cest bst ist jst eet msk eastern "
    "central pacific mountain standard daylight greenwich mean uhr".split()
)


def is_other_half(one: Quantity, other: Quantity) -> bool:
    """Return whether two times of day are twelve hours apart and cannot be the same.

    A time without am or pm may be of either half of the day. But 05:20 is not 17:20, for a zero
    before the hour means the morning, and 12:00 is noon, not midnight.
    """
    if one.dimension != "clock" or other.dimension != "clock":
        return False
    early, late = sorted((one, other), key=lambda time: time.amount)
    if late.amount - early.amount != HALF_A_DAY:
        return False
    if early.unit == EITHER_HALF:
        return early.text.startswith("0")
    return late.unit == EITHER_HALF and late.text.strip() == "12:00"


# ---- references that are a value

# Operators beside a number that is part of a formula: 1/x.
OPERATOR_BEFORE = re.compile(r"[/^*·×]\s?$")
OPERATOR_AFTER = re.compile(r"\s?[/^*·×]")
OPTION_OF_NUMERALS = re.compile(r"\(?[A-J][).:] ?(?:[IVX]+\b)")  # B: I and III


def is_value(reference: Text, question: Text) -> bool:
    """Return whether a reference is one quantity, and its other words tell nothing.

    They tell nothing if they are known, are a bound ("at least"), or a variable ("x = 5").
    """
    if len(reference.quantities) != 1 or restates_question(reference, question):
        return False
    quantity = reference.quantities[0]
    if has_operator(reference.text, quantity) or OPTION_OF_NUMERALS.match(reference.text):
        return False
    unknown = list_unknown_words(reference, quantity, question)
    if not unknown:
        return True
    before = reference.lower[: quantity.start]
    if PERIOD_PART.search(before):
        return True
    bound_before = BOUND_BEFORE.search(before)
    if bound_before:
        inside = reference.words_between(bound_before.start(), quantity.start)
        unknown = [i for i in unknown if i not in inside]
    bound_after = BOUND_AFTER.match(reference.text, quantity.end)
    if bound_after:
        inside = reference.words_between(*bound_after.span())
        unknown = [i for i in unknown if i not in inside]
    return all(is_variable(reference, i) for i in unknown)


def list_unknown_words(reference: Text, quantity: Quantity, question: Text) -> list[int]:
    """Return the places of words outside a value that may tell something."""
    inside = reference.words_between(quantity.start, quantity.end)
    unknown = list[int]()
    for i in range(len(reference.words)):
        if i not in inside and not is_known_word(reference, i, question):
            unknown.append(i)
    return unknown


def is_known_word(reference: Text, i: int, question: Text) -> bool:
    """Return whether a word beside a value tells nothing new.

    It is a stop word, a word of the question, a time zone, or a word for a rise or a fall.
    """
    word = reference.words[i]
    if word in STOP_WORDS or word in ABOUT or reference.stems[i] in question.places:
        return True
    if word in TIME_ZONES and reference.quantities[0].dimension == "clock":
        return True
    return is_direction(word)


def has_operator(text: str, quantity: Quantity) -> bool:
    """Return whether a number is part of a formula: 1/x."""
    before = read_before(text, quantity, 2)
    return bool(OPERATOR_BEFORE.search(before) or OPERATOR_AFTER.match(text, quantity.end))


def has_opposite_degree(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer has only the opposite of a comparative: ten minutes longer.

    Of somebody else the opposite may be true. What is compared with "than" is read by roles.py.
    """
    if "than" in reference.first_place:
        return False
    known = reference.places.keys() | question.places.keys()
    if any(known.isdisjoint(answer.stems[start:stop]) for start, stop in find_people(answer)):
        return False
    value = reference.quantities[0]
    inside = reference.words_between(value.start, value.end)
    for i, word in enumerate(reference.words):
        is_said = i in inside or reference.stems[i] in answer.places
        if is_said or word in PREPOSITIONS or not is_comparative(word):
            continue
        if any(are_opposite_words(other, word) for other in answer.words):
            return True
    return False


def find_people(answer: Text) -> list[tuple[int, int]]:
    """Return the names of an answer, with its first word if it has a capital."""
    first = [(0, 1)] if answer.shown[0].istitle() and answer.words[0] not in STOP_WORDS else []
    return [*first, *answer.names]


# ---- zero: none, nobody, free

# "0", "None of them."
ZERO = re.compile(
    r"\W*(?:there (?:is|are|was|were) )?"
    r"(?:0|zero|none|no ?one|nobody|nothing|no (?P<thing>[a-z]+))(?: of (?:them|those))?\W*",
    re.IGNORECASE,
)
ASKS_FOR_PRICE = re.compile(
    r"\bhow much (?:does|did|do|is|was|are|were|will|would)\b"
    r"|\bwhat\b[^?]{0,20}\b(?:price|cost|fee|fare|(?:sur)?charge)\b"
    r"|\bfree\b[^?]{0,30}\b(?:pay|costs?|charge)\b|\b(?:pay|costs?|charge)\b[^?]{0,30}\bfree\b"
)
# "It is free", "free of charge", "It cost no money", "There is no charge, it's free"
FREE_PART = (
    r"(?:(?:it|this|that|they|entry|admission|there|you)"
    r"(?: is| was|'s| are| were| costs?| pays?)? )?"
    r"(?:(?:completely|entirely|totally|for|done) )?"
    r"(?:free(?: of charge)?|gratis|no (?:(?:extra|additional) )?(?:(?:sur)?charge|cost|money|fee)"
    r"|at no (?:extra |additional )?(?:charge|cost)|without charge|not a (?:cent|penny)|none"
    r"|nothing|(?:0|zero) (?:euros?|dollars?|pounds?|cents?|pence)"
    r"|(?:you|they|we) (?:don't|do not) (?:have to |need to )?(?:charge|pay)(?: you)?"
    r"(?: (?:anything|a (?:thing|penny|cent)))?)"
    r"(?: extra| at all| for (?:it|that|this))?"
)
FREE = re.compile(rf"\W*{FREE_PART}(?:[,;.:] (?:so |and )?{FREE_PART}){{0,2}}\W*")
# "They reported no side effects", "there weren't any", "she did not win a single seat"
NOT_ANY = re.compile(
    r"(?:^\W*(?:nobody|no one|none|nothing)\b|(?:\bnot|n't) (?:\w+ ){0,5}?"
    r"(?:any|a single|even one)\b"
    r"|\bno\b(?=\W*$| (?!(?:more|less|fewer|longer|other)\b)))"
)
LONGEST_ZERO = 12  # words
WHATSOEVER = frozenset("any single one whatsoever ever there even all".split())


def decide_zero(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer and a reference are words for zero, else None."""
    if not says_zero(reference, question) or not says_zero(answer, question):
        return None
    return Decision(EQUAL, "value", answer.text.strip(), reference.text.strip())


def says_zero(text: Text, question: Text) -> bool:
    """Return whether a text only says that there is none, or none of what the question names."""
    if ASKS_FOR_PRICE.search(question.lower[:LONGEST_ASKED]) and FREE.fullmatch(text.lower):
        return True
    zero = ZERO.fullmatch(text.text)
    if zero:
        return not zero["thing"] or stem_word(zero["thing"].lower()) in question.places
    return denies_all(text, question)


def denies_all(text: Text, question: Text) -> bool:
    """Return whether a text denies once that there is any of what a question names."""
    if len(text.denials) != 1 or not 1 < len(text.words) <= LONGEST_ZERO or question.denials:
        return False
    negative = NEGATIVE_QUESTION.search(question.lower)
    if negative and find_root(negative[0]) not in map(find_root, text.words):
        behind = question.words_between(negative.end(), len(question.text))
        roots = {find_root(question.words[i]) for i in behind if i in question.telling}
        if not roots.isdisjoint(map(find_root, text.words)):
            return False  # Who refused to sign? Nobody signed.
    if not NOT_ANY.search(text.lower) or text.text.endswith("?"):
        return False
    asked_roots = set(map(find_root, question.words))
    telling = [text.words[i] for i in text.telling if i not in text.denials]
    return all(word in WHATSOEVER or find_root(word) in asked_roots for word in telling)


# ---- the quantity of an answer


def decide_quantity(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer has the quantity that a reference is.

    None if that cannot be told.
    """
    zero = decide_zero(answer, reference, question)
    has_number = bool(reference.quantities)
    reference = spell_single_unit(reference)
    if zero or not is_value(reference, question):
        return zero
    wanted = read_wanted_value(reference, question)
    expected = wanted.quantity
    values = drop_explained(list_values(answer, reference, expected, question), answer)
    if not has_number:  # about 30 cm may be a foot
        values = [value for value in values if is_alike(value, expected)]
    rest = find_rest(answer, values, reference, question)
    if rest:
        return Decision(EQUAL, "value", rest.text, expected.text)
    same = [value for value in values if has_value(value, answer, wanted, question)]
    if not same:
        return decide_other_values(answer, reference, values, expected)
    decision = (
        decide_other_meaning(answer, reference, question, same, wanted)
        or decide_offer(answer, values, same, expected)
        or decide_counted_thing(answer, reference, question, same)
        or decide_counted_sort(answer, reference, question, same)
    )
    if decision:
        return decision
    has_other_value = has_rival(answer, values, same, expected)
    has_other_value = has_other_value or has_other_ordinal(answer, expected, question)
    if has_other_value or may_be_unsaid(answer, same, expected):
        return None
    return decide_direction(answer, reference, question, same[0])


def is_alike(value: Quantity, expected: Quantity) -> bool:
    """Return whether a value is the expected one, or in its unit."""
    return value.unit == expected.unit or agree(value, expected)


UNIT_ALONE = re.compile(r"\W*(?:about )?an? (?P<unit>[a-z]{2,12})\W*", re.IGNORECASE)


@lru_cache(maxsize=RECENT_TEXTS)
def spell_single_unit(reference: Text) -> Text:
    """Return a reference that is a single unit with its number: 1 mile for a mile."""
    match = None if reference.quantities else UNIT_ALONE.fullmatch(reference.text)
    unit = UNIT.get(match["unit"].lower()) if match else None
    return Text(f"1 {match['unit']}") if match and unit and unit.dimension else reference


def find_other_unit(answer: Text, same: Sequence[Quantity], expected: Quantity) -> Quantity | None:
    """Return the expected figure with another unit, if else an answer has it only without one.

    "270 / 1.5 = 180, which gives 180 m/s" says m/s where km/h are expected.
    """
    if not expected.dimension or any(value.dimension for value in same):
        return None
    for value in answer.quantities:
        has_other_unit = value.dimension and value.unit != expected.unit
        if has_other_unit and value.written == expected.written:
            return value
    return None


def decide_other_meaning(
    answer: Text,
    reference: Text,
    question: Text,
    same: Sequence[Quantity],
    wanted: Bounded,
) -> Decision | None:
    """Return the decision against an answer whose words take back its right figure, else None.

    UNLIKELY if it denies the figure, DIFFERENT if the words beside it make it another value.
    """
    expected = wanted.quantity
    if turns_direction(answer, reference, same[0]) or has_opposite_degree(
        answer, reference, question
    ):
        return Decision(DIFFERENT, "opposite", answer.text.strip(), expected.text)
    if all(is_asked_and_denied(answer, value) for value in same):
        return Decision(UNLIKELY, "denied", answer.text.strip(), expected.text)
    if all(lies_beyond(value, answer, wanted) for value in same):
        return Decision(DIFFERENT, "number", quote_bound(answer.text, same[0]), expected.text)
    if has_other_meaning(answer, reference, question, same[0]):
        return Decision(DIFFERENT, "number", answer.text.strip(), expected.text)
    other_unit = find_other_unit(answer, same, expected)
    if not other_unit and are_percents_of_count(same, expected, reference, question):
        other_unit = same[0]
    return Decision(DIFFERENT, "unit", other_unit.text, expected.text) if other_unit else None


DENIED_QUESTION = re.compile(
    r"[^.?!]{0,20}\?[\s\"']*(?:no(?! (?:doubt|question|idea|more|less|later|earlier"
    r"|problem))|nope|wrong"
    r"|not(?! (?:bad|more|less|a problem)))\b",
    re.IGNORECASE,
)


def is_asked_and_denied(answer: Text, value: Quantity) -> bool:
    """Return whether an answer asks whether it is a value, and denies that: 1920? No."""
    return DENIED_QUESTION.match(answer.text, value.end) is not None


# A share of what was there before: 60% of the original price.
OF_BEFORE = re.compile(
    r"\s?of (?:the|its|their|his|her) (?:original|old|previous|initial|former|first)\b"
)


def find_rest(
    answer: Text, values: Sequence[Quantity], reference: Text, question: Text
) -> Quantity | None:
    """Return the share to which something fell, if it fell by the reference's share, or None.

    What was reduced by 40% is now 60% of the original price.
    """
    expected = reference.quantities[0]
    falls = read_direction(reference) + read_direction(question) < 0
    if expected.dimension != "percent" or not falls:
        return None
    for value in values:
        tells_rest = OF_BEFORE.match(answer.lower, value.end)
        if tells_rest and value.dimension == "percent" and value.written + expected.written == 100:
            return value
    return None


JOINING = frozenset("or rather".split())
JOINING_REACH = 2  # words before an ordinal: or the second
STATEMENT_START = re.compile(r"\W*(?:(?:it's|it is|it was|that's|that is|the answer is) )?")
REASON = re.compile(r"[^.;:!?\d]{0,20}[,;]? (?:because|since)\b")


def drop_explained(values: list[Quantity], answer: Text) -> list[Quantity]:
    """Return only the first of some values if an answer states it and gives a reason.

    "It's 14, because 13 is too small" states 14.
    """
    if not values or not STATEMENT_START.fullmatch(answer.lower, 0, values[0].start):
        return values
    return values[:1] if REASON.match(answer.lower, values[0].end) else values


# What a question for a bound asks for: the greatest value, or the least one.
ASKED_BOUND = re.compile(
    r"\b(?:(?P<high>max(?:imum)?|at most|upper limit)|(?P<low>min(?:imum)?|at least|lower limit))\b"
)


def read_wanted_value(reference: Text, question: Text) -> Bounded:
    """Return the value of a reference, with the bounds and the unit that the question asks for."""
    wanted = read_bounds(reference.text, reference.quantities[0])
    asked = ASKED_BOUND.search(question.lower[:LONGEST_ASKED])
    bound = wanted.bound
    if asked and not bound:
        bound = 1 if asked["low"] else -1
    return wanted._replace(quantity=add_asked_unit(wanted.quantity, question), bound=bound)


def has_rival(
    answer: Text, values: Sequence[Quantity], same: Sequence[Quantity], expected: Quantity
) -> bool:
    """Return whether an answer has another value beside the right one, which is no conclusion."""
    for value in values:
        if value not in same and can_replace(value, expected):
            return not is_conclusion(answer, same[-1], values)
    return False


# What stands between two values of which either may be meant, or that are a range: 12 or 15 km
OFFERING = re.compile(OR_MAYBE)
RANGE = re.compile(r" (?:and|to|through) ")
LONGEST_RANGE = 8  # words of an answer that is just a range


def decide_offer(
    answer: Text, values: Sequence[Quantity], same: Sequence[Quantity], expected: Quantity
) -> Decision | None:
    """Return UNLIKELY if an answer offers another value beside the right one: 12 or 15 km.

    Of two dates or times of day with "to", one may be asked for.
    """
    if len(same) > 1:
        return None  # 2 or 3? It is 3
    is_short = len(answer.words) <= LONGEST_RANGE and same[0].kind != "date"
    may_be_range = is_short and expected.dimension not in ("clock", "decade")
    for first, second in itertools.pairwise(values):
        if same[0] not in (first, second) or first.dimension != second.dimension:
            continue
        between = answer.lower[first.end : second.start]
        if OFFERING.fullmatch(between) or (may_be_range and RANGE.fullmatch(between)):
            offered = answer.text[first.start : second.end]
            return Decision(UNLIKELY, "either", offered, expected.text)
    return None


def has_other_ordinal(answer: Text, expected: Quantity, question: Text) -> bool:
    """Return whether an answer joins another ordinal to the expected one: second or third.

    Or the first clause has another one, and not the expected: she came second, ahead of the third.
    """
    if not is_ordinal(expected):
        return False
    first_words = answer.words[: answer.clause.count(0)]
    others = set(ORDINALS) - question.first_place.keys() - {expected.text.lower()}
    if not others.isdisjoint(first_words) and expected.text.lower() not in first_words:
        return True
    for i, word in enumerate(answer.words):
        if word not in ORDINALS or word == expected.text.lower() or word in question.first_place:
            continue
        beside = (*answer.words[max(0, i - JOINING_REACH) : i], *answer.words[i + 1 : i + 2])
        if not JOINING.isdisjoint(beside):
            return True
    return False


def decide_other_values(
    answer: Text,
    reference: Text,
    values: Sequence[Quantity],
    expected: Quantity,
) -> Decision | None:
    """Decide by the values of an answer that has not the expected one."""
    if expected.dimension == "ratio":
        return decide_ratio(answer, values, expected)
    rivals = [value for value in values if can_replace(value, expected)]
    return decide_rivals(answer, reference, rivals)


# The unit of "how many days".
ASKED_UNIT = re.compile(r"\bhow many (\w+)")
ASKS_FOR_AGE = re.compile(r"\bhow old\b|\bat (?:what|which) age\b")
COUNTED_DIMENSIONS = frozenset({"time", "months"})  # those that a plain number may have


def add_asked_unit(expected: Quantity, question: Text) -> Quantity:
    """Return a plain number with the unit in which a question asks for it: how many days."""
    if expected.kind != "number" or expected.dimension:
        return expected
    unit = read_asked_unit(question)
    if not unit or unit.dimension not in COUNTED_DIMENSIONS:
        return expected
    return expected._replace(
        value=(expected.written * unit.size,), dimension=unit.dimension, unit=unit.name
    )


def read_asked_unit(question: Text) -> Unit | None:
    """Return the unit in which a question asks for a number: how many days, how old."""
    start = question.lower[:LONGEST_ASKED]
    if ASKS_FOR_AGE.search(start):
        return UNIT["year"]
    asked = ASKED_UNIT.search(start)
    return UNIT.get(asked[1]) if asked else None


# Six pairs are twelve people, but two pairs of shoes are two.
PAIRS = re.compile(r"\s?pairs?\b(?!\sof\s(?:twins|shoes|trousers|glasses|scissors))")
SHORT_YEAR = re.compile(r"['’]\d\d")  # in '94
SLASHED_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
# "It takes a week": an article is one. But "once a week" is no length of time.
ONE_UNIT = re.compile(
    r"(?:^|\b(?:is|takes?|took|lasts?|lasted|about|for|only|just) )"
    r"an? (?:full |whole |single )?(\w+)\b"
)


def list_values(
    answer: Text, reference: Text, expected: Quantity, question: Text
) -> list[Quantity]:
    """Return the quantities of an answer that may be the expected one."""
    values = list[Quantity]()
    for quantity in answer.quantities[:MOST_VALUES]:
        value = read_short_date(count_pairs(quantity, answer, question), answer, expected)
        value = read_clock_with_point(value, expected)
        value = read_pence(read_asked_part(value, expected, question), answer, expected)
        value = convert_to_asked_period(value, answer, expected, question)
        if not repeats_question(value, expected, question):
            values.append(value)
    unit = read_unit_alone(answer, expected)
    if unit and not any(value.start <= unit.start < value.end for value in answer.quantities):
        values.append(unit)
    is_fall = read_direction(reference) < 0 < expected.written
    return list(map(drop_sign, values)) if is_fall else values  # a fall of 2% is -2%


PART_OF_WHOLE = re.compile(r"(?P<part>\d+)(?: ?/ ?| out of | of )(?P<whole>\d+)")


def read_asked_part(value: Quantity, expected: Quantity, question: Text) -> Quantity:
    """Return the part of a whole that a question names: 24 of 24/30, where 30 pupils were asked."""
    match = None if expected.dimension else PART_OF_WHOLE.fullmatch(value.text.strip())
    if not match or expected.written % 1 != 0:
        return value
    part, whole = float(match["part"]), float(match["whole"])
    if not any(asked.written == whole for asked in question.quantities):
        return value
    return value._replace(value=(part,), written=part, dimension="", unit="")


def read_pence(value: Quantity, answer: Text, expected: Quantity) -> Quantity:
    """Return a number before a "p" as pence, beside a sum of pounds: 50p."""
    is_sum = expected.dimension in ("sterling", "pound")
    behind = answer.text[value.end : value.end + 2]
    if not is_sum or value.dimension or behind[:1] != "p" or behind[1:].isalpha():
        return value
    return value._replace(value=(value.written / 100,), dimension="sterling", unit="pence")


def count_pairs(quantity: Quantity, answer: Text, question: Text) -> Quantity:
    """Return a number of pairs as the number of their parts: six pairs are twelve."""
    pairs = PAIRS.match(answer.lower, quantity.end)
    if not pairs or quantity.dimension or "pair" in question.places:
        return quantity
    count, end = 2 * quantity.written, pairs.end()
    text = answer.text[quantity.start : end]
    return quantity._replace(value=(count,), written=count, text=text, end=end)


def read_short_date(quantity: Quantity, answer: Text, expected: Quantity) -> Quantity:
    """Return a year of two digits ('94) or a date such as 03/12/1994 as the expected date may be.

    The year is one of the expected century. Which number is the month differs by country, so the
    expected order counts if it fits.
    """
    if expected.kind != "date" or not expected.value[0]:
        return quantity
    if SHORT_YEAR.fullmatch(answer.text[max(0, quantity.start - 1) : quantity.end]):
        century = expected.value[0] // 100 * 100
        year = century + quantity.written
        return quantity._replace(kind="date", value=(year, None, None))
    date = SLASHED_DATE.fullmatch(quantity.text.strip())
    if not date or None in expected.value:
        return quantity
    first, second, year = map(float, date.groups())
    has_month_first = expected.value[1] == first
    month, day = (first, second) if has_month_first else (second, first)
    return quantity._replace(value=(year, month, day))


CLOCK_WITH_POINT = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)")


def read_clock_with_point(quantity: Quantity, expected: Quantity) -> Quantity:
    """Return a number such as 23.45 as a time of day, if one is expected."""
    time = CLOCK_WITH_POINT.fullmatch(quantity.text.strip())
    if not time or expected.dimension != "clock" or quantity.dimension:
        return quantity
    minutes = 60.0 * int(time[1]) + int(time[2])
    return quantity._replace(
        value=(minutes,), written=minutes, dimension="clock", unit=expected.unit
    )


def read_unit_alone(answer: Text, expected: Quantity) -> Quantity | None:
    """Return one unit of the expected dimension, if an answer has it without a number: a week."""
    if not expected.dimension:
        return None
    match = ONE_UNIT.search(answer.lower[:LONGEST_ASKED])
    unit = UNIT.get(match[1]) if match else None
    if not match or not unit or unit.dimension != expected.dimension:
        return None
    return Quantity(
        kind="number",
        value=(unit.size,),
        dimension=unit.dimension,
        written=1.0,
        unit=unit.name,
        text=match[1],
        start=match.start(1),
        end=match.end(1),
    )


def drop_sign(quantity: Quantity) -> Quantity:
    """Return a number below zero as one above; its text keeps the sign."""
    is_below_zero = quantity.kind == "number" and quantity.written < 0
    return negate(quantity) if is_below_zero else quantity


def negate(quantity: Quantity) -> Quantity:
    """Return a number with the other sign; its text stays."""
    value = (-quantity.amount, *quantity.value[1:])
    return quantity._replace(value=value, written=-quantity.written)


LONGEST_ASKED = 300  # characters of a question, or an answer, that are read for a unit
COUNTING = re.compile(r"\b(?:how (?:many|often)|times)\b|多少[个人只次]")
WORDS_FOR_SHARES = ("percent", "per cent", "%", "share", "proportion")


def are_percents_of_count(
    same: Sequence[Quantity], expected: Quantity, reference: Text, question: Text
) -> bool:
    """Return whether an answer has percents where the reference counts: 10% for ten times."""
    if expected.dimension or expected.written < 1:
        return False
    if any(value.dimension != "percent" for value in same):
        return False
    if any(word in question.lower for word in WORDS_FOR_SHARES):
        return False
    return COUNTING.search(f"{question.lower[:LONGEST_ASKED]}\n{reference.lower}") is not None


def may_be_unsaid(answer: Text, same: Sequence[Quantity], expected: Quantity) -> bool:
    """Return whether an answer denies the expected value, or is less exact."""
    if any(is_denied(answer, value) for value in same):
        return True
    return all(is_coarser(value, expected) for value in same)


def decide_direction(
    answer: Text,
    reference: Text,
    question: Text,
    same: Quantity,
) -> Decision | None:
    """Return EQUAL for an answer with the right quantity, DIFFERENT if its rise is a fall.

    None if one text says nothing of a direction, or denies something.
    """
    expected = reference.quantities[0]
    direction = read_direction(answer) or read_direction_beside(answer, same)
    expected_direction = read_direction(reference)
    asked_direction = read_direction(question)
    is_unsaid = expected_direction and not direction and not asked_direction
    if is_unsaid:
        return None
    is_opposite = direction * (expected_direction or asked_direction) < 0
    if is_opposite and expected.written > 0:
        return Decision(DIFFERENT, "opposite", answer.text.strip(), reference.text.strip())
    return Decision(EQUAL, "value", same.text, expected.text)


def decide_rivals(answer: Text, reference: Text, rivals: Sequence[Quantity]) -> Decision | None:
    """Decide whether an answer's quantities differ from the reference, or are less exact."""
    expected = reference.quantities[0]
    is_period = len(rivals) == 1 and is_within(rivals[0], expected)
    if is_period:  # 1995 for the 1990s, and the 1990s for 1995
        outcome = COARSER if expected.kind == "date" else LIKELY
        return Decision(outcome, "date", rivals[0].text, expected.text)
    if not rivals or stands_inside_word(answer, expected):
        return None
    if any(may_be_meant(rival, expected) for rival in rivals):
        return None
    nearest = find_nearest(rivals, expected)
    return Decision(
        DIFFERENT,
        name_difference(nearest, expected),
        quote_bound(answer.text, nearest),
        quote_bound(reference.text, expected),
    )


def find_nearest(rivals: Sequence[Quantity], expected: Quantity) -> Quantity:
    """Return the first quantity with the expected figure, else one with its dimension."""
    return max(
        rivals,
        key=lambda rival: (
            rival.written == expected.written,
            rival.dimension == expected.dimension,
        ),
    )


# "So the slope is minus two."
CONCLUSION = re.compile(
    r"(?:\b(?:so|thus|therefore|hence|total|in all|altogether|answer|result|equals?)\b|=|所以|因此"
    r"|答案)[^.]*$"
)
LONGEST_CONCLUSION = 80  # characters before a value


def is_conclusion(answer: Text, value: Quantity, values: Sequence[Quantity]) -> bool:
    """Return whether a value is an answer's last one, and a word for a conclusion precedes it."""
    if value is not values[-1]:
        return False
    before = read_before(answer.lower, value, LONGEST_CONCLUSION)
    return CONCLUSION.search(before) is not None


def repeats_question(value: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether an answer's quantity only repeats one of the question."""
    if agree(value, expected):
        return False
    has_same_size = abs(value.written) == abs(expected.written)
    has_same_dimension = value.dimension == expected.dimension
    if has_same_dimension and has_same_size:
        return False
    asked = question.quantities
    if value.dimension and has_same_dimension:  # 12 euros are not the 12 eggs of the question
        asked = [quantity for quantity in asked if quantity.dimension]
    return is_among(value, asked)


# ---- numbers in languages that write a comma before the decimals

# Frequent words of German, Spanish, French and Italian. There a comma stands before the decimals,
# and a point or a space between thousands.
DECIMAL_COMMA_WORDS = frozenset(
    "der die das ist wie wer welche welcher welches wann el los las es que cual cuanto cuantos "
    "quien le les est quel "
    "quelle combien la du des une una del il qual quanto quante sind hat".split()
)
WRITTEN_DIGITS = re.compile(r"\d[\d.,' ]*")  # 1.234,5
SCALE_WORD = re.compile(r"\d\s?([a-z]{3,})")  # the "tausend" of "85 Tausend"
ONE_GROUP = re.compile(r"\d{1,3}[.,]\d{3}")  # 2,718
POINTS_BETWEEN_GROUPS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")  # 1.234,5


def has_decimal_comma(question: Text) -> bool:
    """Return whether a question is in a language where a comma stands before decimals."""
    is_spanish = question.text.startswith("¿")
    return is_spanish or len(DECIMAL_COMMA_WORDS & set(question.words)) > 1


def compare_in_decimal_comma(one: Quantity, expected: Quantity) -> bool | None:
    """Return True if two numbers are equal when a comma stands before their decimals.

    The result is None if they are no numbers in digits, or have two units.
    """
    if one.kind != "number" or one.dimension == "clock" or one.unit != expected.unit:
        return None
    digits, expected_digits = find_digits(one), find_digits(expected)
    if not digits or not expected_digits:
        return None
    if ONE_GROUP.fullmatch(digits) and ONE_GROUP.fullmatch(expected_digits):
        # 2.718 and 2,718: each sign may stand before thousands or decimals.
        return re.sub("[.,]", "", digits) == re.sub("[.,]", "", expected_digits)
    figure = read_scale_word(one.text) * read_decimal_comma(digits)
    expected_figure = read_scale_word(expected.text) * read_decimal_comma(expected_digits)
    return figure == expected_figure


def find_digits(quantity: Quantity) -> str:
    """Return the first number in a quantity's text as it was written, "" for none."""
    match = WRITTEN_DIGITS.search(quantity.text)
    return match[0].strip(" .,'") if match else ""


def read_scale_word(text: str) -> float:
    """Return the factor of a word behind digits: 1000 for "85 Tausend", 1 without such a word."""
    word = SCALE_WORD.search(text.lower())
    if not word:
        return 1.0
    return SCALES.get(word[1]) or SHORT_SCALES.get(word[1], 1.0)


def read_decimal_comma(written: str) -> float:
    """Return a number that has a comma before its decimals, NaN if it cannot be read."""
    written = written.replace(" ", "").replace("'", "")
    if POINTS_BETWEEN_GROUPS.fullmatch(written):
        written = written.replace(".", "")
    elif written.count(",") > 1:
        written = written.replace(",", "")
    if written.count(",") + written.count(".") > 1:
        return math.nan
    return float(written.replace(",", "."))


# ---- a value within a sentence


def decide_changed_value(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says all that a reference says, but with another value.

    "Within 14 months with the receipt" differs from "within 14 days with the receipt". Else None.
    """
    expected = reference.quantities
    if not expected or len(reference.words) > LONGEST_SENTENCE or reference.is_chinese:
        return None
    if not has_other_words(answer, reference, question):
        return None
    missing = [value for value in expected if not is_among(value, answer.quantities)]
    known = [*expected, *question.quantities]
    new = [value for value in answer.quantities[:MOST_VALUES] if not is_among(value, known)]
    if len(missing) != 1 or len(new) != 1:
        return None
    [wanted], [found] = missing, new
    is_verse = wanted.dimension in ("clock", "ratio")  # a book's chapter may stand for 22:28
    if is_verse or not can_replace(found, wanted) or may_be_meant(found, wanted):
        return None
    return Decision(UNLIKELY, name_difference(found, wanted), found.text, wanted.text)


def has_other_words(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer has a reference's telling words, but for values and the question."""
    inside = set[int]()
    for value in reference.quantities:
        inside.update(reference.words_between(value.start, value.end))
    telling = set[str]()
    for i, word in enumerate(reference.words):
        if i not in inside and word not in STOP_WORDS:
            telling.add(reference.stems[i])
    return bool(telling - question.places.keys()) and telling <= (
        answer.places.keys() | question.places.keys()
    )


# ---- whether a quantity is the expected one


def asks_for_version(question: Text) -> bool:
    """Return whether a question asks for a version, which is no decimal number."""
    return "version" in question.places or "版本" in question.text


def has_value(
    value: Quantity,
    answer: Text,
    wanted: Bounded,
    question: Text,
) -> bool:
    """Return whether a quantity of an answer is the wanted one, with its bounds and sign."""
    expected = wanted.quantity
    if is_other_half(value, expected) or is_amount_for_year(value, expected, question):
        return False
    if is_equal(value, expected, question):
        if asks_for_version(question) and value.text.strip() != expected.text.strip():
            return False  # 3.1 is not 3.10
        return has_same_bounds(read_bounds(answer.text, value), wanted)
    if is_whole_century(value, expected):
        return True
    if not has_sign_elsewhere(value, answer, expected):
        return False
    opposite = negate(expected)
    return agree(value, opposite) or is_scaled(value, opposite)


ASKS_FOR_YEAR = re.compile(r"\b(?:when|years?)\b")


def is_amount_for_year(value: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether an amount such as 1,912 stands where a question asks for a year."""
    if expected.kind != "date" or value.kind != "number" or "," not in value.text:
        return False
    return ASKS_FOR_YEAR.search(question.lower[:LONGEST_ASKED]) is not None


def is_equal(value: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether two quantities are equal, by the decimal sign of the question's language."""
    if has_decimal_comma(question):
        is_equal_number = compare_in_decimal_comma(value, expected)
        if is_equal_number is not None:
            return is_equal_number
    return agree(value, expected)


# A minus behind a number: the charge of an ion is 2-.
MINUS_BEHIND = re.compile(r"\s?(?:-|minus\b)(?![\w\s]*\d)|(?: \w+)? negative\b")


def has_sign_elsewhere(value: Quantity, answer: Text, expected: Quantity) -> bool:
    """Return whether a number below zero is expected, and the answer says so in another way.

    It has a word for a fall, or a minus behind the number.
    """
    if expected.written >= 0:
        return False
    if FALL.search(answer.lower):
        return True
    return MINUS_BEHIND.match(answer.lower, value.end) is not None


def is_denied(answer: Text, value: Quantity) -> bool:
    """Return whether a denial stands in the clause of a quantity."""
    clauses = {answer.clause[i] for i in answer.words_between(value.start, value.end)}
    # "no more than" denies nothing.
    bound_words = answer.words_between(find_start_of_bound(answer.text, value), value.start)
    for i in (*answer.denials, *answer.untrue):
        if i not in bound_words and answer.clause[i] in clauses:
            return True
    return False


def stands_inside_word(answer: Text, expected: Quantity) -> bool:
    """Return whether an answer has a quantity that was not read as one: "in1996"."""
    if expected.text.isalpha():
        places = answer.places.get(stem_word(expected.text.lower()), [])
        # "second" of "the second most" is no number of its own
        if any(not is_in_quantity(answer, answer.starts[i]) for i in places):
            return True
    numbers = re.findall(r"\d[\d.,]*", expected.text)
    digits = max(numbers, key=len, default="").rstrip(".,")
    if len(digits) < FEWEST_DIGITS:
        return False
    for match in re.finditer(rf"(?<![\d.,]){re.escape(digits)}", answer.text):
        if not is_in_quantity(answer, match.start()):
            return True
    return False


def is_in_quantity(text: Text, place: int) -> bool:
    """Return whether a character of a text belongs to one of its quantities."""
    return any(quantity.start <= place < quantity.end for quantity in text.quantities)
