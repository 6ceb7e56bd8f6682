"""Read the numbers, dates and units of a text as values: "5" and "five" are the same.

A date is (year, month, day), with None for a missing part; years BC are negative. A number is one
figure in the unit of its dimension (5 km are 5000 of "length"). An ambiguous part of a date is left
out (is 03/04/2015 in March or in April?), so that it contradicts nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from .lexicon import MONTHS, TEMPERATURES
from .numerals import (
    FIGURES,
    HAN_NUMERAL,
    HAN_PARTS_OF_DAY,
    NOON,
    UNIT,
    Unit,
    read_clock,
    read_number_words,
    read_digits,
    replace_han_numeral,
    read_roman,
)
from .quantity_patterns import (
    BEFORE_CHRIST,
    BELOW_ZERO,
    BEHIND_ARTICLE,
    BEGINNINGS,
    CODES,
    CODE_UNITS,
    CURRENCY_CODE,
    DEGREES,
    DIRECTION,
    DIRECTIONS,
    HAN_BEFORE_CHRIST,
    HAN_RATIO,
    MINUS,
    NO_NUMBER_ALONE,
    OF_UNIT,
    PER_UNIT,
    QUANTITY,
    REST_OF_NUMBER,
    ROMAN_ALONE,
    START,
    UNIT_AFTER,
    UNIT_NAMES,
    compile_ignoring_case,
)

Value = tuple[float | None, ...]
EITHER_HALF = "clock of either half"  # a time of day up to 12:59 without am or pm
LONGEST_MINUS = 10  # characters: "negative "
LONGEST_CODE = 4  # characters of a currency's code and a space
LENGTH_OF_PART_OF_DAY = 2  # characters of 下午
LONGEST_LONE_NUMBER = 12  # characters of a text that may be a number such as "one" and no more


class Quantity(NamedTuple):
    """A number or a date of a text, and where it stands.

    Attributes:
        kind: "number", "date" or "version".
        value: of a date (year, month, day); of a number one figure in the unit of its dimension.
        dimension: "length", "mass", ...; "" for a plain number and for a date.
        written, unit: the figure and the unit as they were written.
        text, start, end: the quantity in its text, and from where to where it stands.
    """

    kind: str
    value: Value
    dimension: str
    written: float
    unit: str
    text: str
    start: int
    end: int

    @property
    def amount(self) -> float:
        """The figure of a number, or the year of a date; 0 for a date without a year."""
        return self.value[0] or 0.0


class UnitMatch(NamedTuple):
    """The unit of a number in a text, and where the number with its unit ends."""

    unit: Unit
    end: int

    def convert(self, figure: float) -> float:
        """Return a figure in the first unit of the dimension: 5 km are 5000 m."""
        zero, size = TEMPERATURES.get(self.unit.name, (0.0, self.unit.size))
        return (figure - zero) * size


NO_UNIT = Unit("", 1.0, "")


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text (NFKC), in its order.

    Chinese numerals are read as digits.

    >>> found = find_quantities("On 28 January 1813, five km from 1,000 pubs")
    >>> [(one.kind, one.value, one.dimension) for one in found]
    [('date', (1813.0, 1, 28.0), ''), ('number', (5000.0,), 'length'), ('number', (1000.0,), '')]
    >>> [one.value for one in find_quantities("-5, 1e6, 3,14; 1 234 567, 2 1/2, 44 BC, 四分之一")]
    [(-5.0,), (1000000.0,), (3.14,), (1234567.0,), (2.5,), (-44.0, None, None), (0.25,)]
    """
    if text.isascii():
        return find_in_digits(text)
    text = HAN_RATIO.sub(":", text)
    if not HAN_NUMERAL.search(text):
        return find_in_digits(text)
    rewritten = rewrite_han_numerals(text)
    quantities = list[Quantity]()
    for quantity in find_in_digits(rewritten.text):
        start, end = rewritten.starts[quantity.start], rewritten.ends[quantity.end - 1]
        shown = text[start:end].strip()
        quantities.append(quantity._replace(text=shown, start=start, end=end))
    return quantities


@dataclass(frozen=True)
class RewrittenText:
    """A text with Chinese numerals as digits.

    Attributes:
        text: the text with digits.
        starts, ends: where each character of it begins and ends in the original text. A digit
            has the bounds of its whole numeral.
    """

    text: str
    starts: list[int]
    ends: list[int]


def rewrite_han_numerals(text: str) -> RewrittenText:
    """Return a text with its Chinese numerals as digits."""
    parts = list[str]()
    starts = list[int]()
    ends = list[int]()
    done = 0
    for match in HAN_NUMERAL.finditer(text):
        start, end = match.span()
        digits = replace_han_numeral(match)
        parts += [text[done:start], digits]
        starts += [*range(done, start), *[start] * len(digits)]
        ends += [*range(done + 1, start + 1), *[end] * len(digits)]
        done = end
    parts.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return RewrittenText("".join(parts), starts, ends)


def find_in_digits(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text without Chinese numerals."""
    roman = ROMAN_ALONE.fullmatch(text)
    if roman and roman[1]:
        start, end = roman.span(1)
        return [make_number(read_roman(roman[1]), UnitMatch(NO_UNIT, end), text, start)]
    found = list[Quantity]()
    done = 0
    lower = text.replace("\u0130", "i").lower()  # of the same length
    for beginning in START.finditer(lower):
        if beginning.start() < done or not can_begin(beginning, text):
            continue
        match = match_quantity(text, beginning.start())
        if match:
            quantities = read_quantities(match, text)
            found += quantities
            done = max([match.end(), *(quantity.end for quantity in quantities)])
        elif beginning[0][-1].isdigit():
            done = skip_number(text, beginning.end())
    return join_measures(found, text)


def match_quantity(text: str, start: int) -> re.Match[str] | None:
    """Return the match of a quantity at a place, with the minus before it if there is one."""
    pattern = compile_ignoring_case(QUANTITY)
    # The hyphen of "A-5" is no minus.
    has_minus = text[start - 1 : start] == "-" and not text[start - 2 : start - 1].isalnum()
    if has_minus:
        match = pattern.match(text, start - 1)
        if match:
            return match
    return pattern.match(text, start)


def skip_number(text: str, start: int) -> int:
    """Return where a number ends that cannot be read: of "are1,754" not even 754 is read."""
    rest = REST_OF_NUMBER.match(text, start)
    return rest.end() if rest else start


def read_quantities(match: re.Match[str], text: str) -> list[Quantity]:
    """Return the quantities of one match: one, none, or the two years of 1939-45."""
    quantities = list[Quantity]()
    quantity = read_quantity(match, text)
    if quantity:
        quantities.append(quantity)
    if match["to"]:
        century = match["y10"][:2]
        last_year = float(century + match["to"])
        quantities.append(make_date_quantity((last_year, None, None), text, *match.span("to")))
    return quantities


def join_measures(quantities: list[Quantity], text: str) -> list[Quantity]:
    """Return quantities, with two that make one measure joined: 5 feet 10 inches."""
    joined = list[Quantity]()
    for quantity in quantities:
        larger = joined[-1] if joined else None
        if larger and not quantity.dimension:
            quantity = read_smaller_part(quantity, larger, text)
        if larger and is_smaller_part(larger, quantity, text):
            joined[-1] = add_smaller_part(larger, quantity, text)
            continue
        single = read_single_unit(quantity, text)
        part = quantity
        if single and not quantity.dimension:
            part = read_smaller_part(quantity, single, text)
        is_part = single is not None and may_follow_single_unit(single, part, text)
        joined.append(add_smaller_part(single, part, text) if single and is_part else quantity)
    return joined


# "an hour and" before thirty minutes, "a dollar" before fifty
UNIT_BEFORE_NUMBER = re.compile(
    rf"\ban? (?P<unit>{UNIT_NAMES})(?:,? (?:and|plus))?(?: then)?(?: another)?(?: a)? $",
    re.IGNORECASE,
)
LONGEST_BEFORE_NUMBER = 30  # characters
OF_TIMES = re.compile(r"\b(?:once|twice|thrice|times|every|per|each)\W*$", re.IGNORECASE)


def read_single_unit(smaller: Quantity, text: str) -> Quantity | None:
    """Return the single larger unit right before a quantity: an hour and ten minutes."""
    if smaller.kind != "number":
        return None
    start = max(0, smaller.start - LONGEST_BEFORE_NUMBER)
    match = UNIT_BEFORE_NUMBER.search(text[start : smaller.start])
    unit = UNIT.get(match["unit"].lower()) if match else None
    if not match or not unit or OF_TIMES.search(text[start : start + match.start()]):
        return None  # twice a day 2 minutes
    unit_match = UnitMatch(unit, start + match.end("unit"))
    return make_number(1.0, unit_match, text, start + match.start())


def may_follow_single_unit(larger: Quantity, smaller: Quantity, text: str) -> bool:
    """Return whether a quantity continues a single unit: a dollar fifty, an hour and 90 minutes."""
    if is_smaller_part(larger, smaller, text):
        return True
    smaller_unit = smaller.amount / (smaller.written or 1.0)
    has_same_dimension = larger.dimension == smaller.dimension in JOINED_DIMENSIONS
    return has_same_dimension and larger.amount > smaller_unit > 0


DECIMALS_OF_SUM = 9  # to which a sum of two parts is rounded: 3 euros 20 are 3.2 euros


def add_smaller_part(larger: Quantity, smaller: Quantity, text: str) -> Quantity:
    """Return a measure with its smaller part added; the unit is that of the larger part."""
    amount = larger.amount + smaller.amount
    return larger._replace(
        value=(amount,),
        written=round(larger.written * amount / (larger.amount or 1.0), DECIMALS_OF_SUM),
        text=text[larger.start : smaller.end].strip(),
        end=smaller.end,
    )


# A number of two digits right behind one of these units is in the other unit: 1 m 75, 2 h 30.
UNIT_OF_DIGITS = {"m": "cm", "hour": "minute"}
TWO_DIGITS_BEHIND_UNIT = re.compile(
    r"\s?\d\d(?![\d.,:])(?!\s?(?!(?:tall|high|long|wide|deep)\b)\w)"
)


def read_smaller_part(number: Quantity, larger: Quantity, text: str) -> Quantity:
    """Return a number behind a measure in the smaller unit that it stands for, if it does."""
    if larger.unit == "ft":
        return read_inches(number, larger, text)
    if not number.dimension and larger.dimension in MONEY and CENTS_BEHIND.match(text, number.end):
        return read_cents(number, larger, text)
    is_beside = TWO_DIGITS_BEHIND_UNIT.match(text, larger.end) or is_minutes(number, larger, text)
    if larger.unit not in UNIT_OF_DIGITS or not is_beside or number.kind != "number":
        return number
    unit = UNIT[UNIT_OF_DIGITS[larger.unit]]
    return make_number(number.written, UnitMatch(unit, number.end), text, number.start)


MINUTES = range(1, 60)


def is_minutes(number: Quantity, hours: Quantity, text: str) -> bool:
    """Return whether a number ends a text behind "and" as the minutes of hours: an hour and ten."""
    is_joined = text[hours.end : number.start] in (" and ", " ") and hours.unit == "hour"
    return is_joined and number.written in MINUTES and not text[number.end :].strip(" .")


MONEY = frozenset("dollar euro pound sterling".split())
# Behind the cents of "two pounds fifty" no thing follows.
CENTS_BEHIND = re.compile(r"\W*$|[.,;:!?)]|\s(?:for|per|each|an?|in|to|on|at|and|or)\b")
CENTS = range(10, 100)  # cents without a unit


def read_cents(number: Quantity, money: Quantity, text: str) -> Quantity:
    """Return a number right behind a sum of money as its cents, if it can be: two pounds fifty."""
    is_beside = not text[money.end : number.start].strip() and money.written % 1 == 0
    if not is_beside or number.kind != "number" or number.written not in CENTS:
        return number
    part = number.written / 100 * money.amount / (money.written or 1.0)
    return number._replace(value=(part,), dimension=money.dimension, unit="cent")


INCHES_OF_FOOT = 12
BETWEEN_FEET_AND_INCHES = re.compile(r"[\s,.-]*(?:and )?")
# The last number of "six foot two" needs no unit.
INCHES = re.compile(r"\s?(?:in\b\.?|\"|″)(?!\s(?:the|a|an|[A-Z]))|(?=[\s.]*$)")


def read_inches(number: Quantity, feet: Quantity, text: str) -> Quantity:
    """Return a number behind feet as inches, if it can stand for them: 5 ft 6 in.

    Without a unit it stands for inches only right behind the feet: six foot two.
    """
    inches = INCHES.match(text, number.end)
    if not inches or number.kind != "number":
        return number
    has_no_unit = not inches[0]
    is_beside = BETWEEN_FEET_AND_INCHES.fullmatch(text, feet.end, number.start) is not None
    if has_no_unit and (not is_beside or number.written >= INCHES_OF_FOOT):
        return number
    return make_number(number.written, UnitMatch(UNIT["inch"], inches.end()), text, number.start)


JOINED_DIMENSIONS = frozenset("time months length mass".split())
JOINT_OF_MEASURE = re.compile(
    r",? ?(?:(?:and|plus) )?(?:then )?(?:another )?|零|又"
)  # between two hours and ten minutes


def is_smaller_part(larger: Quantity, smaller: Quantity, text: str) -> bool:
    """Return whether a quantity continues a measure: 45 minutes of 2 h 45 min."""
    has_cents = smaller.dimension == "cent" and larger.dimension in ("dollar", "euro")
    has_cents = has_cents or (smaller.unit == "cent" and smaller.dimension in MONEY)
    has_cents = has_cents or (smaller.unit == "pence" and larger.dimension in ("pound", "sterling"))
    is_joined = smaller.dimension in JOINED_DIMENSIONS and larger.dimension == smaller.dimension
    if not is_joined and not has_cents:
        return False
    if larger.unit == smaller.unit or larger.written <= 0:
        return False
    larger_unit = larger.amount / larger.written
    if not 0 < smaller.amount < larger_unit:
        return False
    return JOINT_OF_MEASURE.fullmatch(text, larger.end, smaller.start) is not None


def can_begin(beginning: re.Match[str], text: str) -> bool:
    """Return whether a quantity can begin with a match of START, which ignores the case."""
    word = beginning[0]
    if word in BEHIND_ARTICLE:
        return BEHIND_ARTICLE[word].match(text, beginning.end()) is not None
    if word in BEGINNINGS or not word[0].isalpha():
        return True
    roman = text[beginning.start() : beginning.end()]
    return roman.isupper()


def read_quantity(match: re.Match[str], text: str) -> Quantity | None:
    """Return the quantity of one match, None if it is a word and no number."""
    kind = match.lastgroup or ""
    if kind in DATES:
        return read_date(match, kind, text)
    if kind == "version":
        return read_version(match)
    if kind == "number" and is_mere_word(match, text):
        return None
    start = find_number_start(match, kind, text)
    figure = FIGURES[kind](match)
    unit_match = read_unit(match, kind, text)
    minus = MINUS.search(text, max(0, start - LONGEST_MINUS), start)
    if minus:
        figure = -figure
        start = minus.start()
    below_zero = BELOW_ZERO.match(text, unit_match.end)
    if below_zero and figure > 0 and kind == "number":
        figure = -figure
        unit_match = unit_match._replace(end=below_zero.end())
    if unit_match.unit.name in CODE_UNITS:
        start = include_currency_code(text, start)
    may_be_era = unit_match.unit.dimension in ("", "age")
    if may_be_era and is_before_christ(text, start, unit_match.end):
        return read_number_before_christ(figure, unit_match, text, start)
    return make_number(figure, unit_match, text, start)


def include_currency_code(text: str, start: int) -> int:
    """Return where a sum of money begins, with the code before it: EUR 5."""
    code = CURRENCY_CODE.search(text, max(0, start - LONGEST_CODE), start)
    return code.start() if code else start


def is_mere_word(match: re.Match[str], text: str) -> bool:
    """Return whether a number in words is none: "one of them", "at first"."""
    if not match["words"] or not NO_NUMBER_ALONE.fullmatch(match["words"]):
        return False
    if len(text) <= LONGEST_LONE_NUMBER or match["scale"]:
        return False
    return compile_ignoring_case(UNIT_AFTER).match(text, match.end()) is None


def read_version(match: re.Match[str]) -> Quantity:
    """Return the version of a program: 3.10.2."""
    return Quantity(
        kind="version",
        value=tuple(map(float, match[0].split("."))),
        dimension="version",
        written=0.0,
        unit="",
        text=match[0],
        start=match.start(),
        end=match.end(),
    )


def find_number_start(match: re.Match[str], kind: str, text: str) -> int:
    """Return where a number begins; a Chinese time of day with the part of the day before it."""
    start = match.start()
    if kind != "clock":
        return start
    start_with_part = max(0, start - LENGTH_OF_PART_OF_DAY)
    has_part_of_day = text[start_with_part:start] in HAN_PARTS_OF_DAY
    return start_with_part if has_part_of_day else start


def read_number_before_christ(
    figure: float, unit_match: UnitMatch, text: str, start: int
) -> Quantity:
    """Return a year or a century before Christ, which is negative."""
    value = -unit_match.convert(figure)
    end = include_era(text, unit_match.end)
    if not unit_match.unit.dimension:
        return make_date_quantity((value, None, None), text, start, end)
    century = make_number(figure, unit_match._replace(end=end), text, start)
    return century._replace(value=(value,))


def make_number(figure: float, unit_match: UnitMatch, text: str, start: int) -> Quantity:
    """Return a number that begins at a place and ends with its unit."""
    return Quantity(
        kind="number",
        value=(unit_match.convert(figure),),
        dimension=unit_match.unit.dimension,
        written=figure,
        unit=unit_match.unit.name,
        text=text[start : unit_match.end].strip(),
        start=start,
        end=unit_match.end,
    )


def make_date_quantity(date: Value, text: str, start: int, end: int) -> Quantity:
    """Return a date that stands at a place."""
    return Quantity(
        kind="date",
        value=date,
        dimension="",
        written=date[0] or 0,
        unit="",
        text=text[start:end].strip(),
        start=start,
        end=end,
    )


def is_before_christ(text: str, start: int, end: int) -> bool:
    """Return whether a year or a century at this place is one before Christ."""
    return bool(BEFORE_CHRIST.match(text, end)) or text.endswith(HAN_BEFORE_CHRIST, 0, start)


def include_era(text: str, end: int) -> int:
    """Return where a year ends, with the era behind it."""
    era = BEFORE_CHRIST.match(text, end)
    return era.end() if era else end


def read_date(match: re.Match[str], kind: str, text: str) -> Quantity | None:
    """Return a date.

    A year with a unit behind it is a number, and years before Christ are negative.
    """
    start, end = match.span()
    if kind == "year" and not match["to"]:
        after = compile_ignoring_case(UNIT_AFTER).match(text, end)
        if after and after["unit"].lower() in UNIT:
            return make_number(float(match["y10"]), extend_unit(after, text), text, start)
    value = DATES[kind](match)
    if value is None:
        return None
    if value[0] and is_before_christ(text, start, end):
        value = (-value[0], *value[1:])
        end = include_era(text, end)
    return make_date_quantity(value, text, start, end)


def read_unit(match: re.Match[str], kind: str, text: str) -> UnitMatch:
    """Return the unit of a number, by the readers for its kind."""
    if kind in KIND_UNITS:
        return UnitMatch(KIND_UNITS[kind], match.end())
    for read in UNIT_READERS.get(kind, ()):
        unit_match = read(match, text)
        if unit_match:
            return unit_match
    return UnitMatch(NO_UNIT, match.end())


def read_clock_unit(match: re.Match[str], text: str) -> UnitMatch:
    """Return the unit of a time of day, which may be of either half of the day."""
    minutes, half = read_clock(match)
    is_open = not half and 0 < minutes < 60 * (NOON + 1)
    unit = Unit("clock", 1.0, EITHER_HALF if is_open else "clock")
    return UnitMatch(unit, match.end())


def read_money_sign(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the currency whose sign stands before a number: $5, $20 a day."""
    if not match["money"]:
        return None
    return divide_unit(UNIT[match["money"]], match.end(), text)


def read_currency_code(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the currency whose code stands before a number: EUR 5."""
    start = max(0, match.start() - LONGEST_CODE)
    code = CURRENCY_CODE.search(text, start, match.start())
    if not code or not code[1]:
        return None
    unit = Unit(CODES[code[1]], 1.0, code[1].lower())
    return UnitMatch(unit, match.end())


def read_unit_inside(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the unit between a number and its fraction: a mile and a half."""
    if not match["unit2"]:
        return None
    return UnitMatch(UNIT[match["unit2"].lower()], match.end())


def read_unit_of_part(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the unit of which a number is a part: a quarter of an hour."""
    whole = compile_ignoring_case(OF_UNIT).match(text, match.end())
    return UnitMatch(UNIT[whole[1].lower()], whole.end()) if whole else None


MOST_DEGREES = 180  # of latitude or longitude


def read_direction(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return latitude or longitude, with its sign, for a number before N, S, E or W."""
    direction = DIRECTION.match(text, match.end())
    if not direction or not match["digits"]:
        return None
    if read_digits(match["digits"]) > MOST_DEGREES:
        return None  # 2000 W are watts
    dimension, sign = DIRECTIONS[direction[1]]
    return UnitMatch(Unit(dimension, sign, direction[1]), direction.end())


def read_degrees(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the unit of a temperature: 5 °C, 40F, 300 K."""
    degrees = DEGREES.match(text, match.end())
    if not degrees:
        return None
    name = f"°{degrees[1].lower()}" if degrees[1] else "kelvin"
    return UnitMatch(Unit("temperature", 1.0, name), degrees.end())


def read_unit_after(match: re.Match[str], text: str) -> UnitMatch | None:
    """Return the unit behind a number; the 20th century is no length of time."""
    after = compile_ignoring_case(UNIT_AFTER).match(text, match.end())
    if not after or after["unit"].lower() not in UNIT:
        return None
    is_ordinal = ORDINAL_WORD.search(match["words"] or "")
    if is_ordinal and UNIT[after["unit"].lower()].name == "century":
        return UnitMatch(AGE, after.end())
    return extend_unit(after, text)


ORDINAL_WORD = re.compile("(?:th|first|second|third)$", re.IGNORECASE)  # the "twentieth" century
AGE = Unit("age", 1.0, "age")
DECADE = Unit("decade", 1.0, "decade")
# The unit of a kind that has only one.
KIND_UNITS = {
    "ratio": Unit("ratio", 1.0, "ratio"),
    "share_of": UNIT["%"],
    "decade_name": DECADE,
    "decade": DECADE,
    "age": AGE,
}
UnitReader = Callable[[re.Match[str], str], UnitMatch | None]
# The functions that read the unit of another kind, the surest first.
AFTER: tuple[UnitReader, ...] = (read_currency_code, read_degrees, read_unit_after)
UNIT_READERS: dict[str, tuple[UnitReader, ...]] = {
    "clock": (read_clock_unit,),
    "number": (read_money_sign, read_currency_code, read_direction, read_degrees, read_unit_after),
    "part": (read_unit_of_part, *AFTER),
    "half_scale": AFTER,
    "single": (read_unit_of_part,),
    "mixed": AFTER,
    "and_part": (read_unit_inside, *AFTER),
}


def extend_unit(after: re.Match[str], text: str) -> UnitMatch:
    """Return a unit, with its country and the unit that it is divided by: 60 miles per hour."""
    unit = UNIT[after["unit"].lower()]
    if after["country"]:
        unit = unit._replace(name=f"{after['country'].lower()} {unit.name}")
    return divide_unit(unit, after.end(), text)


def divide_unit(unit: Unit, end: int, text: str) -> UnitMatch:
    """Return a unit that ends at a place, with the unit that it is divided by if there is one."""
    per_unit = compile_ignoring_case(PER_UNIT).match(text, end)
    if not per_unit:
        return UnitMatch(unit, end)
    divisor = UNIT.get(per_unit[1].lower(), UNIT["second"])  # the s of m/s
    quotient = Unit(
        dimension=f"{unit.dimension}/{divisor.dimension}",
        size=unit.size / divisor.size,
        name=f"{unit.name}/{divisor.name}",
    )
    return UnitMatch(quotient, per_unit.end())


LENGTH_OF_SHORT_MONTH = 3  # letters of "Jan"


def read_month(name: str | None) -> float | None:
    """Return the number of a month by its name."""
    if not name:
        return None
    for number, month in enumerate(MONTHS, 1):
        if month.startswith(name[:LENGTH_OF_SHORT_MONTH].lower()):
            return number
    return None


def make_date(year: str | None, month: float | None, day: str | None) -> Value | None:
    """Return a date, None if its month is not 1 to 12.

    An impossible day is kept: it differs from every other.
    """
    if month and not 1 <= month <= len(MONTHS):
        return None
    return (float(year) if year else None, month, float(day) if day else None)


def read_slashed_date(match: re.Match[str]) -> Value | None:
    """Return a date such as 28/1/1813; only the year if day and month could be exchanged."""
    first, second, year = int(match["a5"]), int(match["b5"]), match["y5"]
    if "." in match[0]:  # with points the day stands first
        return make_date(year, second, match["a5"])
    less, more = sorted((first, second))
    if less <= len(MONTHS) < more:
        return make_date(year, less, str(more))
    return make_date(year, None, None)


def read_month_alone(match: re.Match[str]) -> Value | None:
    """Return a month, with its year if there is one.

    Without a year, "may" and "march" are other words, and so is every short form.
    """
    name, year = match["m4"], match["y4"]
    is_full_name = len(name) > LENGTH_OF_SHORT_MONTH and name.lower() != "march"
    is_named = name[0].isupper() and (is_full_name or stands_as_month(match))
    if not year and not is_named:
        return None
    return make_date(year, read_month(name), None)


# What stands beside "May" and "March" where they are months: in May, May or June.
ANY_MONTH = f"(?:{'|'.join(MONTHS)})"
BEFORE_MONTH = re.compile(
    rf"\b(?:in|by|of|since|until|till|from|early|late|mid|{ANY_MONTH},? (?:and|or|to))[ -]$",
    re.IGNORECASE,
)
BEHIND_MONTH = re.compile(rf",? (?:and|or|to) (?:in )?{ANY_MONTH}\b", re.IGNORECASE)
LONGEST_BEFORE_MONTH = 16  # characters


def stands_as_month(match: re.Match[str]) -> bool:
    """Return whether "May" or "March" stands as a month: behind "in", or beside another month."""
    if match["m4"].lower() not in ("may", "march"):
        return False
    start = match.start("m4")
    before = match.string[max(0, start - LONGEST_BEFORE_MONTH) : start]
    if BEFORE_MONTH.search(before):
        return True
    return BEHIND_MONTH.match(match.string, match.end("m4")) is not None


DATES = {
    "iso": lambda m: make_date(m["y1"], float(m["m1"]), m["d1"]),
    "dmy": lambda m: make_date(m["y2"], read_month(m["m2"]), m["d2"]),
    "mdy": lambda m: make_date(m["y3"], read_month(m["m3"]), m["d3"]),
    "day_words": lambda m: make_date(
        m["y8"], read_month(m["m8"]), str(read_number_words(m["d8"].lower()))
    ),
    "my": read_month_alone,
    "era": lambda m: make_date(m["y0"] or m["y00"], None, None),
    "slash": read_slashed_date,
    "han_date": lambda m: make_date(m["y6"], float(m["m6"]) if m["m6"] else None, m["d6"]),
    "han_day": lambda m: make_date(None, float(m["m7"]), m["d7"]),
    "year": lambda m: make_date(m["y10"], None, None),
}
