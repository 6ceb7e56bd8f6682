"""Numbers, dates and units of a text as values, English and Chinese, so that "5" and "five" are the
same thing.

A date is (year, month, day), None for a part that is not said; years BC are negative. A number is
one figure in the unit of its dimension (5 km are 5000 of "length"). What cannot be told for certain
(is 03/04/2015 in March or in April?) is left out of the value, so that it contradicts nothing.
"""

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from .lexicon import MONTHS, NUMBER_WORDS, SCALES, TEMPERATURES
from .numerals import HAN_NUMERAL, UNIT, read_han_numeral, read_number_words, read_roman

from .quantity_patterns import (
    BEFORE_CHRIST,
    BEGINNINGS,
    CODES,
    CODE_UNITS,
    CURRENCY_CODE,
    DECADES,
    DEGREES,
    DIRECTION,
    DIRECTIONS,
    FRACTIONS,
    HAN_BEFORE_CHRIST,
    HAN_PARTS_OF_DAY,
    HAN_RATIO,
    MINUS,
    NO_NUMBER_ALONE,
    OF_UNIT,
    PER_UNIT,
    QUANTITY,
    REST_OF_NUMBER,
    ROMAN_ALONE,
    SHORT_SCALES,
    START,
    UNIT_AFTER,
    compile_ignoring_case,
)

from .clock import HALF_A_DAY, NOON, read_clock

Value = tuple[float | None, ...]
SAME_AS_RATIO = {"", "percent"}
EXACT, CONVERTED = 1e-9, 0.01  # how far two figures may be apart: in one unit, in two
EITHER_HALF = "clock of either half"  # a time of day up to 12:59 without am or pm
HALF_A_DEGREE = 0.56  # how far two temperatures may be apart that were rounded in two units


class Quantity(NamedTuple):
    """A number or a date of a text, and where it stands.

    `value` is (year, month, day) of a "date", of a "number" one figure in the unit of its
    dimension; `written` and `unit` are the figure and the unit as they were written.
    """

    kind: str
    value: Value
    dimension: str
    written: float
    unit: str
    text: str
    start: int
    end: int


class Unit(NamedTuple):
    """The unit of a number: its dimension, its size, its usual name, and where it
    ends in the text.
    """

    dimension: str
    size: float
    name: str
    end: int

    def convert(self, figure: float) -> float:
        """Return a figure in the unit of the dimension."""
        zero, size = TEMPERATURES.get(self.name, (0.0, self.size))
        return (figure - zero) * size


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text (NFKC), in its order; Chinese numerals are read as
    digits.

    >>> [(q.kind, q.value, q.dimension) for q in find_quantities("On 28 January 1813, five km from 1,000 pubs")]
    [('date', (1813.0, 1, 28.0), ''), ('number', (5000.0,), 'length'), ('number', (1000.0,), '')]
    >>> [q.value for q in find_quantities("-5, 1e6, 3,14; 1 234 567, 2 1/2, 44 BC, 三分之一")]
    [(-5.0,), (1000000.0,), (3.14,), (1234567.0,), (2.5,), (-44.0, None, None), (0.3333333333333333,)]
    """
    text = HAN_RATIO.sub(":", text)
    if text.isascii() or not HAN_NUMERAL.search(text):
        return find_in_digits(text)
    parts = list[str]()
    places = list[int]()
    done = 0
    for match in HAN_NUMERAL.finditer(text):
        digits = read_han_numeral(match)
        parts += [text[done : match.start()], digits]
        places += [*range(done, match.start()), *[match.start()] * len(digits)]
        done = match.end()
    places += range(done, len(text) + 1)
    found = []
    for one in find_in_digits("".join([*parts, text[done:]])):
        start, end = places[one.start], places[one.end]
        found.append(one._replace(text=text[start:end].strip(), start=start, end=end))
    return found


def find_in_digits(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text without Chinese numerals."""
    alone = ROMAN_ALONE.fullmatch(text)
    if alone and alone[1]:
        value = read_roman(alone[1])
        return [Quantity("number", (value,), "", value, "", alone[1], *alone.span(1))]
    found: list[Quantity] = []
    done = 0
    for start in START.finditer(text):
        word, at = start[0], start.start()
        if at < done or not can_begin(word):
            continue
        minus = text[at - 1 : at] == "-" and not text[at - 2 : at - 1].isalnum()
        pattern = compile_ignoring_case(QUANTITY)
        match = pattern.match(text, at - minus) or (pattern.match(text, at) if minus else None)
        if not match:
            if word[-1].isdigit():  # of "are1,754" nothing is read, rather than 754
                done = REST_OF_NUMBER.match(text, start.end()).end()  # type: ignore[union-attr]
            continue
        done = match.end()
        quantity = read_quantity(match, text)
        if quantity:
            found.append(quantity)
            done = max(done, quantity.end)
        if match["to"]:
            year = float(match["y10"][:2] + match["to"])
            found.append(
                Quantity("date", (year, None, None), "", year, "", match["to"], done - 2, done)
            )
    return join_measures(found, text)


def join_measures(quantities: list[Quantity], text: str) -> list[Quantity]:
    """Return quantities with one in place of two that make one measure: 2 hours and 45 minutes, 5
    feet 10 inches.
    """
    found = list[Quantity]()
    for one in quantities:
        last = found[-1] if found else None
        if last and last.unit == "ft" and not one.dimension:
            one = read_inches(one, text)
        if last and is_rest_of_measure(last, one, text):
            value = (last.value[0] or 0.0) + (one.value[0] or 0.0)
            written = last.written * value / (last.value[0] or 1.0)
            found[-1] = last._replace(
                value=(value,),
                written=written,
                text=text[last.start : one.end].strip(),
                end=one.end,
            )
        else:
            found.append(one)
    return found


INCHES = re.compile(r"\s?(?:in\b\.?|\"|″)(?!\s(?:the|a|an|[A-Z]))")


def read_inches(one: Quantity, text: str) -> Quantity:
    """Return a number behind feet as inches where it stands for them: 5 ft 6 in."""
    inches = INCHES.match(text, one.end)
    if not inches:
        return one
    dimension, size, name = UNIT["inch"]
    return one._replace(
        value=(one.written * size,),
        dimension=dimension,
        unit=name,
        text=text[one.start : inches.end()],
        end=inches.end(),
    )


def is_rest_of_measure(last: Quantity, one: Quantity, text: str) -> bool:
    """Return whether a quantity is what a measure has beyond its whole units: the 45 minutes of 2
    hours 45 minutes.
    """
    if (
        last.dimension != one.dimension
        or one.dimension not in JOINED_DIMENSIONS
        or last.unit == one.unit
    ):
        return False
    value, rest = last.value[0] or 0.0, one.value[0] or 0.0
    is_less = 0 < rest < value / last.written if last.written > 0 else False
    return is_less and JOINT_OF_MEASURE.fullmatch(text, last.end, one.start) is not None


JOINED_DIMENSIONS = frozenset("time months length mass".split())
JOINT_OF_MEASURE = re.compile(r",? ?(?:and )?|零|又")


def can_begin(word: str) -> bool:
    """Return whether a quantity can begin with a word."""
    return not word[0].isalpha() or word.lower() in BEGINNINGS or not word.strip("IVXL")


def read_quantity(match: re.Match[str], text: str) -> Quantity | None:
    """Return what one match stands for, None where it is a word and no number."""
    kind = match.lastgroup or ""
    start, end = match.span()
    if kind in DATES:
        return read_date(match, kind, text)
    if kind == "number" and match["words"] and NO_NUMBER_ALONE.fullmatch(match["words"]):
        has_unit = match["scale"] or compile_ignoring_case(UNIT_AFTER).match(text, end)
        if len(text) > 12 and not has_unit:
            return None  # "one of them", "at first"
    if kind == "version":
        return Quantity(
            "version",
            tuple(map(float, match[0].split("."))),
            "version",
            0.0,
            "",
            match[0],
            start,
            end,
        )
    if kind == "clock" and text[max(0, start - 2) : start] in HAN_PARTS_OF_DAY:
        start -= 2
    figure = FIGURES[kind](match)
    unit = read_unit(match, kind, text)
    minus = MINUS.search(text, max(0, start - 10), start)
    if minus:
        figure = -figure
        start = minus.start()
    code = CURRENCY_CODE.search(text, max(0, start - 4), start) if unit.name in CODE_UNITS else None
    start = code.start() if code else start
    value = unit.convert(figure)
    end = unit.end
    if unit.dimension in ("", "age") and is_before_christ(text, start, end):
        end = include_era(text, end)
        if not unit.dimension:
            return Quantity(
                "date", (-value, None, None), "", -value, "", text[start:end].strip(), start, end
            )
        value = -value
    return Quantity(
        "number", (value,), unit.dimension, figure, unit.name, text[start:end].strip(), start, end
    )


def is_before_christ(text: str, start: int, end: int) -> bool:
    """Return whether a year or a century at this place is one before Christ."""
    return bool(BEFORE_CHRIST.match(text, end)) or text.endswith(HAN_BEFORE_CHRIST, 0, start)


def include_era(text: str, end: int) -> int:
    """Return where a year ends, with the era behind it."""
    era = BEFORE_CHRIST.match(text, end)
    return era.end() if era else end


def read_date(match: re.Match[str], kind: str, text: str) -> Quantity | None:
    """Return a date; a year with a unit behind it is a number, and years before Christ are
    negative.
    """
    start, end = match.span()
    if kind == "year" and not match["to"]:
        after = compile_ignoring_case(UNIT_AFTER).match(text, end)
        if after and after["unit"].lower() in UNIT:
            unit = follow_unit(after, text)
            figure = float(match["y10"])
            return Quantity("number", (unit.convert(figure),), unit.dimension, figure, unit.name,
                            text[start : unit.end].strip(), start, unit.end)  # fmt: skip
    value = DATES[kind](match)
    if value is None:
        return None
    if value[0] and is_before_christ(text, start, end):
        value = (-value[0], *value[1:])
        end = include_era(text, end)
    return Quantity("date", value, "", value[0] or 0, "", text[start:end].strip(), start, end)


def read_unit(match: re.Match[str], kind: str, text: str) -> Unit:
    """Return the unit of a number: of money before it, of whatever is measured after it."""
    end = match.end()
    if kind == "clock":
        minutes, half = read_clock(match)
        is_open = not half and 0 < minutes < 60 * (NOON + 1)
        return Unit(kind, 1.0, EITHER_HALF if is_open else kind, end)
    if kind == "ratio":
        return Unit("ratio", 1.0, "ratio", end)
    if kind == "share_of":
        return Unit(*UNIT["%"], end)
    if kind == "decade_name":
        return Unit("decade", 1.0, "decade", end)
    if kind in ("decade", "age"):
        return Unit(kind, 1.0, kind, end)
    if kind == "number" and match["money"]:
        return Unit(*UNIT[match["money"]], end)
    if kind == "and_part" and match["unit2"]:
        return Unit(*UNIT[match["unit2"].lower()], end)
    if kind in ("part", "single"):
        of_unit = compile_ignoring_case(OF_UNIT).match(text, end)
        if of_unit:
            return Unit(*UNIT[of_unit[1].lower()], of_unit.end())
    if kind not in ("number", "part", "mixed", "and_part"):
        return Unit("", 1.0, "", end)
    code = CURRENCY_CODE.search(text, max(0, match.start() - 4), match.start())
    if code and code[1]:
        return Unit(CODES[code[1]], 1.0, code[1].lower(), end)
    direction = DIRECTION.match(text, end)
    if direction and kind == "number" and match["digits"]:
        dimension, sign = DIRECTIONS[direction[1]]
        return Unit(dimension, sign, direction[1], direction.end())
    degrees = DEGREES.match(text, end)
    if degrees:
        name = f"°{degrees[1].lower()}" if degrees[1] else "kelvin"
        return Unit("temperature", 1.0, name, degrees.end())
    after = compile_ignoring_case(UNIT_AFTER).match(text, end)
    if not after or after["unit"].lower() not in UNIT:
        return Unit("", 1.0, "", end)
    is_ordinal = (
        re.search("(?:th|first|second|third)$", match["words"] or "", re.IGNORECASE)
        if kind == "number"
        else None
    )
    if UNIT[after["unit"].lower()][2] == "century" and is_ordinal:
        return Unit("age", 1.0, "age", after.end())
    return follow_unit(after, text)


def follow_unit(after: re.Match[str], text: str) -> Unit:
    """Return a unit, with the unit that it is divided by: 5 mg/kg, 60 miles per hour."""
    unit = Unit(*UNIT[after["unit"].lower()], after.end())
    if after["country"]:
        unit = unit._replace(name=f"{after['country'].lower()} {unit.name}")
    below = compile_ignoring_case(PER_UNIT).match(text, unit.end)
    if not below:
        return unit
    dimension, size, name = UNIT.get(below[1].lower(), UNIT["second"])
    return Unit(
        f"{unit.dimension}/{dimension}", unit.size / size, f"{unit.name}/{name}", below.end()
    )


def read_month(name: str | None) -> float | None:
    """Return the number of a month by its name."""
    return (
        next((i for i, one in enumerate(MONTHS, 1) if one[:3] == name[:3].lower()), None)
        if name
        else None
    )


def make_date(year: str | None, month: float | None, day: str | None) -> Value | None:
    """Return a date, None where no calendar has its month; a day that no month has contradicts any
    other.
    """
    if month and not 1 <= month <= 12:
        return None
    return (float(year) if year else None, month, float(day) if day else None)


def read_slashed_date(match: re.Match[str]) -> Value | None:
    """Return a date such as 28/1/1813; where day and month could be either, the year alone."""
    first, second = int(match["a5"]), int(match["b5"])
    if first > 12 >= second or second > 12 >= first:
        return make_date(match["y5"], min(first, second), str(max(first, second)))
    return make_date(match["y5"], None, None)


def read_month_alone(match: re.Match[str]) -> Value | None:
    """Return a month and perhaps a year; "may" and "march" alone are other words, and so is every
    short form.
    """
    name = match["m4"]
    is_month = match["y4"] or (name[0].isupper() and len(name) > 3 and name.lower() != "march")
    return make_date(match["y4"], read_month(name), None) if is_month else None


DATES = {
    "iso": lambda m: make_date(m["y1"], float(m["m1"]), m["d1"]),
    "dmy": lambda m: make_date(m["y2"], read_month(m["m2"]), m["d2"]),
    "mdy": lambda m: make_date(m["y3"], read_month(m["m3"]), m["d3"]),
    "my": read_month_alone,
    "era": lambda m: make_date(m["y0"] or m["y00"], None, None),
    "slash": read_slashed_date,
    "han_date": lambda m: make_date(m["y6"], float(m["m6"]) if m["m6"] else None, m["d6"]),
    "han_day": lambda m: make_date(None, float(m["m7"]), m["d7"]),
    "year": lambda m: make_date(m["y10"], None, None),
}


def read_fraction(match: re.Match[str]) -> float:
    """Return a fraction: 2/3, two thirds, a quarter."""
    top = match["top"].lower()
    figure = NUMBER_WORDS[top] if top in NUMBER_WORDS else float(top)
    figure *= -1 if match["part"].startswith("-") else 1
    if match["name"]:
        return figure * FRACTIONS[match["name"].lower()]
    return figure / (float(match["bottom"]) or 1.0)


def read_ratio(match: re.Match[str]) -> float:
    """Return a ratio: 1:25,000, one to twenty-five thousand."""
    if match["to_one"]:
        return 1.0 / (read_count(match["to_one"]) or 1.0)
    return read_count(match["first"]) / (read_count(match["second"]) or 1.0)


def read_count(text: str) -> float:
    """Return a number in digits or words."""
    return float(text.replace(",", "")) if text[0].isdigit() else read_number_words(text.lower())


def read_mixed(match: re.Match[str]) -> float:
    """Return a whole number and a fraction: 2 1/2."""
    figure = float(match["whole"]) + float(match["over"]) / (float(match["under2"]) or 1.0)
    return -figure if match["mixed"].startswith("-") else figure


def read_and_part(match: re.Match[str]) -> float:
    """Return a number with a part in words: one and a half, two and three quarters."""
    counts = {"a": 1.0, "an": 1.0, **NUMBER_WORDS}
    whole, part = match["whole2"].lower(), match["part2"].lower()
    figure = float(whole) if whole.isdigit() else counts[whole]
    return figure + counts[part] * FRACTIONS[match["name2"].lower()]


def read_root(match: re.Match[str]) -> float:
    """Return a square root: √2, 3√2, √2/2."""
    figure = (
        math.sqrt(float(match["under"]))
        * float(match["times"] or 1)
        / (float(match["below"] or 1) or 1.0)
    )
    return -figure if match["root"].startswith("-") else figure


def read_digits(text: str) -> float:
    """Return a number in digits, whatever signs stand between its groups and before its decimals.

    >>> [read_digits(text) for text in ("1,234.5", "1.234.567", "1.234,5", "1 234 567", "3,14", "1e6")]
    [1234.5, 1234567.0, 1234.5, 1234567.0, 3.14, 1000000.0]
    """
    text = text.replace(" ", "").replace("'", "")
    last = max(text.rfind(","), text.rfind("."))
    groups = re.fullmatch(r"-?\d{1,3}(?:,\d{3})+|-?\d{1,3}(?:\.\d{3}){2,}", text)
    if groups:
        return float(text.replace(",", "").replace(".", ""))
    if last > 0 and text[last] == ",":
        return float(text[:last].replace(".", "").replace(",", "") + "." + text[last + 1 :])
    return float(text.replace(",", ""))


def read_number(match: re.Match[str]) -> float:
    """Return a number in digits or words with its scale: 1.5 million, twenty-one, 1亿5000万."""
    figure = (
        read_digits(match["digits"])
        if match["digits"]
        else read_number_words(match["words"].lower())
    )
    scale = (match["scale"] or "").strip().lower()
    for part in scale if scale[:1] in ("万", "亿", "百", "千") else [scale]:  # 万亿 are two
        figure *= SCALES.get(part) or SHORT_SCALES.get(part, 1)
    return figure + 1e4 * float(match["rest"] or 0)


FIGURES = {
    "clock": lambda m: read_clock(m)[0],
    "ratio": read_ratio,
    "share_of": lambda m: 100 * read_count(m["some"]) / (read_count(m["all"]) or 1.0),
    "decade": lambda m: float(re.sub(r"\D", "", m["decade"])),
    "decade_name": lambda m: float(DECADES[m["decade_word"].lower()]),
    "and_part": read_and_part,
    "age": lambda m: float(m["century"] or m["han_century"]),
    "part": read_fraction,
    "mixed": read_mixed,
    "single": lambda m: FRACTIONS[(m["share"] or m["half_of"]).lower()],
    "root": read_root,
    "number": read_number,
    "roman": lambda m: read_roman(m["roman"]),
}


def agree(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities can mean the same: no part that both say differs, and one part
    both say.

    >>> one, two, three = find_quantities("28 January 1813; 1813-01-28; 1831")
    >>> agree(one, two), agree(one, three)
    (True, False)
    """
    if one.kind == other.kind == "date":
        both = [
            (a, b)
            for a, b in zip(one.value, other.value, strict=True)
            if a is not None and b is not None
        ]
        return bool(both) and all(a == b for a, b in both)
    if one.kind != other.kind:
        day, number = (one, other) if one.kind == "date" else (other, one)
        parts = [part for part in day.value if part is not None]
        return len(parts) == 1 and number.value[0] == parts[0] and not number.dimension
    if one.dimension == other.dimension:
        return is_near(one, other) and not has_other_country(one, other)
    if not compatible(one.dimension, other.dimension):
        return False
    return agree_across_dimensions(one, other)


def is_among(one: Quantity, quantities: Iterable[Quantity]) -> bool:
    """Return whether one of some quantities can mean the same."""
    return any(agree(one, other) for other in quantities)


def has_other_country(one: Quantity, other: Quantity) -> bool:
    """Return whether two sums of money are in currencies of two countries: US dollars, Canadian
    dollars.
    """
    countries = {quantity.unit.rpartition(" ")[0] for quantity in (one, other)}
    return len(countries) == 2 and "" not in countries


def is_near(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers of one dimension are equal, as far as rounding and conversion
    allow.
    """
    a, b = one.value[0] or 0.0, other.value[0] or 0.0
    if one.dimension == "decade" and min(a, b) < 100:  # the seventies
        return a % 100 == b % 100
    if "√" in one.text or "√" in other.text:
        return abs(a - b) <= max(EXACT * abs(a), rounding(one), rounding(other))
    if EITHER_HALF in (one.unit, other.unit):
        return abs(a - b) in (0.0, HALF_A_DAY)
    if one.unit != other.unit and one.dimension == "temperature":
        return abs(a - b) <= HALF_A_DEGREE
    return abs(a - b) <= (CONVERTED if one.unit != other.unit else EXACT) * max(abs(a), abs(b))


def agree_across_dimensions(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers agree of which one does not say its unit, or says it loosely."""
    mass = next((q for q in (one, other) if q.dimension == "mass"), None)
    if mass and mass.unit != "lb" and "pound" in (one.dimension, other.dimension):
        return False
    if "clock" in (one.dimension, other.dimension):  # 12 noon
        less, more = sorted((one.written, other.written))
        return "" in (one.dimension, other.dimension) and 60 * less == more
    if one.written == other.written:
        return True
    hundred = {one.dimension, other.dimension} == SAME_AS_RATIO
    return hundred and any(
        math.isclose(a.written, 100 * b.written) for a, b in ((one, other), (other, one))
    )


def rounding(one: Quantity) -> float:
    """Return half a unit of the last digit of a number with two digits or more after its point,
    else 0.
    """
    written = re.search(r"\d\.(\d\d+)", one.text)
    return 0.5 * 10.0 ** -len(written[1]) * (1 + 1e-9) if written and "√" not in one.text else 0.0


CURRENCIES = frozenset(
    "dollar euro sterling pound yen yuan rupee won franc ruble crown peso real zloty lira rand "
    "baht shekel "
    "bitcoin".split()
)
LOOSE = (
    {"pound", "sterling"},
    {"pound", "mass"},
    {"degree", "temperature"},
    {"force", "latitude"},  # 12 N
    {"degree", "latitude"},
    {"degree", "longitude"},
)


def compatible(one: str, other: str) -> bool:
    """Return whether two dimensions may be the same: one is not said, or is a looser word."""
    if "ratio" in (one, other) and one != other:
        return False
    if not one or not other or one == other or {one, other} in LOOSE:
        return True
    # 1200 pounds a month, where the question asks for the rent of a month.
    (one, _, below), (other, _, other_below) = one.partition("/"), other.partition("/")
    is_money = bool({one, other} & CURRENCIES)
    return is_money and bool(below) != bool(other_below) and compatible(one, other)


def is_tenfold(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure is ten, a hundred, ... times the other."""
    less, more = sorted((abs(one.written), abs(other.written)))
    return less > 0 and more > less and more in (less * 10**power for power in range(1, 10))


def name_difference(one: Quantity, other: Quantity) -> str:
    """Return the kind of difference between two quantities: number, date or unit."""
    if (
        other.kind == one.kind == "number"
        and other.written == one.written
        and other.unit != one.unit
    ):
        return "unit"
    is_date = "date" in (one.kind, other.kind)
    return (
        "date" if is_date and not is_tenfold(one, other) else "number"
    )  # 1000 and 10000 are no years
