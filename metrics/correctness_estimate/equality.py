"""Equality of numbers and dates, in any magnitude, and which of them may stand for another."""

import math
import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from .lexicon import SCALES
from .numerals import HALF_A_DAY
from .quantities import EITHER_HALF, Quantity

SHARE_DIMENSIONS = {"", "percent"}  # in which a share may be written: 0.2, 20%
EXACT = 1e-9  # largest relative difference of two figures in one unit
CONVERTED = 0.01  # largest relative difference of two figures in two units
HALF_A_DEGREE = 0.56  # °C: largest difference of two temperatures that were rounded in two units


def agree(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities can mean the same.

    Two dates have at least one part in common, and no common part differs.

    >>> from .quantities import find_quantities
    >>> one, two, three = find_quantities("28 January 1813; 1813-01-28; 1831")
    >>> agree(one, two), agree(one, three)
    (True, False)
    """
    if one.kind == other.kind == "date":
        return is_same_date(one, other)
    if one.kind != other.kind:
        return is_number_of_date(one, other)
    if one.dimension == other.dimension == "version":
        return one.value == other.value
    if one.dimension == other.dimension:
        return is_near(one, other) and not has_other_country(one, other)
    if not are_compatible(one.dimension, other.dimension):
        return False
    return agree_across_dimensions(one, other)


def is_same_date(one: Quantity, other: Quantity) -> bool:
    """Return whether two dates agree in each common part, and have at least one."""
    has_part = False
    for a, b in zip(one.value, other.value, strict=True):
        if a is None or b is None:
            continue
        if a != b:
            return False
        has_part = True
    return has_part


def is_number_of_date(one: Quantity, other: Quantity) -> bool:
    """Return whether a date has only one part, and a plain number is this part: the year 1813."""
    date, number = (one, other) if one.kind == "date" else (other, one)
    if number.dimension:
        return False
    parts = [part for part in date.value if part is not None]
    return len(parts) == 1 and parts[0] == number.value[0]


def is_among(one: Quantity, quantities: Iterable[Quantity]) -> bool:
    """Return whether one of some quantities can mean the same."""
    return any(agree(one, other) for other in quantities)


def has_other_country(one: Quantity, other: Quantity) -> bool:
    """Return whether two sums of money are of two countries: US dollars, Canadian dollars."""
    country, _, _ = one.unit.rpartition(" ")
    other_country, _, _ = other.unit.rpartition(" ")
    return country != other_country and "" not in (country, other_country)


def is_near(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers of one dimension are equal, but for rounding and conversion."""
    a, b = one.amount, other.amount
    if one.dimension == "decade" and min(a, b) < 100:  # the seventies
        return a % 100 == b % 100
    if "√" in one.text or "√" in other.text:
        tolerance = max(EXACT * abs(a), measure_rounding(one), measure_rounding(other))
        return abs(a - b) <= tolerance
    if EITHER_HALF in (one.unit, other.unit):
        return abs(a - b) in (0.0, HALF_A_DAY)
    if one.unit == other.unit:
        return abs(a - b) <= EXACT * max(abs(a), abs(b))
    if one.dimension == "temperature":
        return abs(a - b) <= HALF_A_DEGREE
    return abs(a - b) <= CONVERTED * max(abs(a), abs(b))


def agree_across_dimensions(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers agree, if one has no unit or an ambiguous one (pound)."""
    dimensions = {one.dimension, other.dimension}
    if "pound" in dimensions and (is_mass_in_other_unit(one, other) or is_pence(one, other)):
        return agree_in_pounds(one, other)
    # 60 W is no longitude, and 50 cents are half a dollar.
    has_cents = "cent" in dimensions and "" not in dimensions
    if has_cents or "power" in dimensions:
        return one.value[0] == other.value[0]
    if "clock" in dimensions:
        return "" in dimensions and are_minutes_of_hours(one, other)
    if one.written == other.written:
        return True
    if dimensions != SHARE_DIMENSIONS:
        return False
    return is_share(one, other) or is_share(other, one)


def is_mass_in_other_unit(one: Quantity, other: Quantity) -> bool:
    """Return whether the first mass of two quantities is not in pounds."""
    for quantity in (one, other):
        if quantity.dimension == "mass":
            return quantity.unit != "lb"
    return False


GRAMS_OF_POUND = 453.59237
SAME_MASS = 0.01  # largest difference of two equal masses in different units, as a share


def is_pence(one: Quantity, other: Quantity) -> bool:
    """Return whether one of two quantities is in pence."""
    return "pence" in (one.unit, other.unit)


def agree_in_pounds(one: Quantity, other: Quantity) -> bool:
    """Return whether an amount in pounds equals a mass in another unit, or a sum in pence."""
    pounds, value = (one, other) if one.dimension == "pound" else (other, one)
    if value.unit == "pence":
        return math.isclose(pounds.amount, value.amount)
    grams = pounds.amount * GRAMS_OF_POUND
    return value.dimension == "mass" and abs(grams - value.amount) <= SAME_MASS * abs(grams)


def are_minutes_of_hours(one: Quantity, other: Quantity) -> bool:
    """Return whether the larger number has the minutes of the smaller one's hours: 12 noon."""
    less, more = sorted((one.written, other.written))
    return 60 * less == more


def is_share(percent: Quantity, share: Quantity) -> bool:
    """Return whether percents are a share, but for rounding: 33% and a third."""
    if percent.dimension != "percent":
        return False
    wanted = 100 * share.written
    tolerance = EXACT * abs(wanted)
    figures = find_figures(percent.text)
    if figures:
        decimals = figures[0].decimals
        is_exact = math.isclose(wanted, round(wanted, decimals + 2))
        if not is_exact:  # a third is not, so that 33% may stand for it; 0.334 is
            tolerance = 0.5 * 10.0**-decimals
    return abs(percent.amount - wanted) <= tolerance


TWO_DECIMALS = re.compile(r"\d\.(\d\d+)")  # the 14 of 3.14


def measure_rounding(quantity: Quantity) -> float:
    """Return half a unit of a number's last decimal, 0 for fewer than two decimals or a root."""
    decimals = TWO_DECIMALS.search(quantity.text)
    if not decimals or "√" in quantity.text:
        return 0.0
    return 0.5 * 10.0 ** -len(decimals[1]) * (1 + EXACT)


CURRENCIES = frozenset(
    "dollar cent euro sterling pound yen yuan rupee won franc ruble crown peso real zloty lira "
    "rand baht shekel bitcoin dong rupiah taka ringgit hryvnia forint koruna dirham dinar riyal "
    "shilling naira".split()
)

# Pairs of dimensions that one ambiguous word or sign may mean.
AMBIGUOUS_DIMENSIONS = (
    {"pound", "sterling"},
    {"cent", "dollar"},
    {"cent", "euro"},
    {"pound", "mass"},
    {"degree", "temperature"},
    {"force", "latitude"},  # 12 N
    {"power", "longitude"},  # 60 W
    {"degree", "latitude"},
    {"degree", "longitude"},
)


def are_compatible(one: str, other: str) -> bool:
    """Return whether two dimensions may be the same: one is missing or ambiguous."""
    if "ratio" in (one, other) and one != other:
        return False
    if not one or not other or one == other or {one, other} in AMBIGUOUS_DIMENSIONS:
        return True
    # 1200 pounds a month, where the question asks for the rent of a month.
    one, _, period = one.partition("/")
    other, _, other_period = other.partition("/")
    is_money = not CURRENCIES.isdisjoint({one, other})
    has_one_period = bool(period) != bool(other_period)
    return is_money and has_one_period and are_compatible(one, other)


def is_tenfold(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure is ten, a hundred, ... times the other."""
    less, more = sorted((abs(one.written), abs(other.written)))
    if not 0 < less < more:
        return False
    return more in (less * 10**power for power in range(1, 10))


def name_difference(one: Quantity, other: Quantity) -> str:
    """Return the kind of difference between two quantities: number, date or unit."""
    are_numbers = one.kind == other.kind == "number"
    if are_numbers and one.written == other.written and one.unit != other.unit:
        return "unit"
    # 1000 and 10000 are no years.
    if "date" in (one.kind, other.kind) and not is_tenfold(one, other):
        return "date"
    return "number"


# ---- figures in digits: 1,577 beside $1.577 billion, 20% beside 0.2, 3.1 beside 3.14

DIGIT = re.compile(r"\d")
# "1,577.50", "20", ".5"; no part of a fraction.
FIGURE = re.compile(
    r"(?<![\w.√⁄])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?!⁄)"
)
SCALE = re.compile(r"\s?(thousand|million|billion|trillion)\b")
MOST_FIGURES = 40  # figures of a text that are read


class Figure(NamedTuple):
    """A figure in digits.

    Attributes:
        value: its value.
        digits: how many digits it has, without zeros that tell nothing.
        decimals: how many of them stand after the point.
        percent: whether a percent sign follows.
        scale: the scale that follows ("million"), or "".
    """

    value: float
    digits: int
    decimals: int
    percent: bool
    scale: str


def find_figures(text: str) -> list[Figure]:
    """Return the figures of a text.

    >>> [tuple(figure) for figure in find_figures("$1,577.50 million, 20%")]
    [(1577.5, 5, 1, False, 'million'), (20.0, 1, 0, True, '')]
    """
    if not DIGIT.search(text):
        return []
    matches = islice(FIGURE.finditer(text), MOST_FIGURES)
    return [read_figure(text, match) for match in matches]


def find_first_figures(one: Quantity, other: Quantity) -> tuple[Figure, Figure] | None:
    """Return the first figure of each of two quantities, None if one has no figure."""
    figures = find_figures(one.text)
    other_figures = find_figures(other.text)
    return (figures[0], other_figures[0]) if figures and other_figures else None


def read_figure(text: str, match: re.Match[str]) -> Figure:
    """Return the figure at a match of FIGURE in a text."""
    written = match[0].replace(",", "")
    whole, _, decimals = written.partition(".")
    decimals = decimals.rstrip("0")
    # Zeros at the beginning tell nothing, nor do those at the end of a whole number.
    digits = (whole + decimals).lstrip("0") if decimals else whole.strip("0")
    following = text[match.end() : match.end() + 2]
    scale = SCALE.match(text, match.end())
    return Figure(
        value=float(written),
        digits=max(len(digits), 1),
        decimals=len(decimals),
        percent=following.strip().startswith("%"),
        scale=scale[1] if scale else "",
    )


def compare_figures(one: Figure, other: Figure) -> float:
    """Return how far two figures may mean the same, 0..1: in thousands, in percent, rounded."""
    if one.scale and other.scale and one.scale != other.scale:  # 1,577 million are 1.577 billion
        a = one.value * SCALES[one.scale]
        b = other.value * SCALES[other.scale]
        return float(abs(a - b) <= CONVERTED * max(a, b))
    if one.value == other.value:
        return 1.0
    if min(one.value, other.value) == 0:
        return 0.0
    gap = math.log10(one.value / other.value)
    best = 0.0
    for power in list_powers(one, other, gap):
        if abs(gap - power) < LARGEST_GAP and abs(power) <= HIGHEST_POWER:
            penalty = SCALED_PENALTY if power else 0.0
            best = max(best, rate_rounding(one, other, power) - penalty)
    return best


SCALED_PENALTY = 0.05  # taken from figures that are equal only in another scale
LARGEST_GAP = 0.05  # between two figures of one scale, as a decimal logarithm: 12%
HIGHEST_POWER = 9  # of ten, by which two figures may differ: dollars, and billions of dollars
# How far two figures are the same that differ only by rounding, by 1% or by NEAR (5%).
ROUNDED, WITHIN_ONE_PERCENT, WITHIN_FIVE_PERCENT = 0.9, 0.6, 0.35
SAME_FIGURE = 0.8  # what compare_figures returns at least for two figures that may be one


def list_powers(one: Figure, other: Figure, gap: float) -> set[int]:
    """Return the powers of ten by which two figures may differ and yet mean the same.

    Args:
        one: a figure.
        other: another figure.
        gap: the decimal logarithm of their ratio.
    """
    powers = {0}
    if min(one.digits, other.digits) > 1:
        powers.add(3 * round(gap / 3))
    if one.percent or other.percent or min(one.value, other.value) < 1:
        powers |= {2, -2}
    return powers


def rate_rounding(one: Figure, other: Figure, power: int) -> float:
    """Return how far a figure may be another one times a power of ten, with rounding, 0..1."""
    scaled = other.value * 10.0**power
    larger = max(one.value, scaled)
    difference = abs(one.value - scaled) / larger
    if difference > NEAR:
        return 0.0
    if difference < EXACT:
        return 1.0
    half_of_last_digit = max(0.5 * 10.0**-one.decimals, 0.5 * 10.0 ** (power - other.decimals))
    if difference <= half_of_last_digit / larger + EXACT:
        return ROUNDED
    return WITHIN_ONE_PERCENT if difference <= CONVERTED else WITHIN_FIVE_PERCENT


# ---- numbers that may stand for each other

# "6th", "sixth", "第6".
ORDINAL = re.compile(
    r"(?:\d(?:st|nd|rd|th)|first|second|third|(?:if|four|six|seven|eigh|nin|en|dred|sand)th"
    r"|tieth)$|^第",
    re.IGNORECASE,
)
FIRST_YEAR, LAST_YEAR = 100, 2100  # between them a plain number may be a year
LONGEST_FOOTNOTE = 2  # digits behind a number
MOST_ROUNDED = 2.0  # largest ratio of two numbers that differ by rounding, not by a scale
NEAR = 0.05  # largest relative difference of a rounded number and the exact one
FEWEST_DIGITS = 3  # digits of a rounded number that may stand for the exact one


def is_whole_century(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a decade stands for a century: the 1600s for the 17th century."""
    if {quantity.dimension, expected.dimension} != {"decade", "age"}:
        return False
    decade = quantity if quantity.dimension == "decade" else expected
    begins_century = decade.amount != 0 and decade.amount % 100 == 0
    return begins_century and is_within(quantity, expected)


def is_coarser(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a date leaves out a part that is expected: 1813 for 28 January 1813."""
    if expected.kind != "date":
        return False
    if quantity.kind != "date":
        return sum(part is not None for part in expected.value) > 1
    pairs = zip(quantity.value, expected.value, strict=True)
    return any(part is None and expected_part is not None for part, expected_part in pairs)


def can_replace(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity can answer the same question as the expected quantity."""
    dimensions = {quantity.dimension, expected.dimension}
    if dimensions == {"decade", "age"}:
        return True
    if dimensions == {"ratio", "clock"}:
        return ":" in quantity.text and ":" in expected.text
    if "version" in (quantity.kind, expected.kind):
        return not quantity.dimension.strip("version")
    if quantity.kind == expected.kind == "date":
        return has_common_part(quantity, expected)
    return can_replace_number(quantity, expected)


def can_replace_number(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a number, or a year, can answer the same question as the expected number."""
    if is_ordinal(quantity) != is_ordinal(expected) or is_roman(quantity) != is_roman(expected):
        return False
    if quantity.kind != expected.kind:
        return can_replace_year(quantity, expected)
    if quantity.written == expected.written:
        return True
    has_one_measure = are_compatible(quantity.dimension, expected.dimension)
    return has_one_measure or are_currencies(quantity, expected)


def has_common_part(one: Quantity, other: Quantity) -> bool:
    """Return whether two dates both say a year, a month or a day."""
    pairs = zip(one.value, other.value, strict=True)
    return any(a is not None and b is not None for a, b in pairs)


def can_replace_year(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a number can stand for a year, or a year for a number; 1000 may be either."""
    date, number = (quantity, expected) if quantity.kind == "date" else (expected, quantity)
    if date.value[1:] != (None, None):
        return False
    is_period = number.dimension in ("decade", "age")
    may_be_year = not number.dimension and FIRST_YEAR <= number.written <= LAST_YEAR
    return is_period or may_be_year or is_tenfold(quantity, expected)


def is_ordinal(quantity: Quantity) -> bool:
    """Return whether a number is an ordinal: 6th, sixth."""
    if quantity.kind != "number" or quantity.dimension:
        return False
    is_whole = quantity.amount != 0 and quantity.amount.is_integer()
    return is_whole and ORDINAL.search(quantity.text) is not None


def is_roman(quantity: Quantity) -> bool:
    """Return whether a number is a Roman numeral."""
    text = quantity.text
    return text.isalpha() and text.isupper() and text.isascii()


def are_currencies(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are sums of money."""
    return {one.dimension, other.dimension} <= CURRENCIES


def may_be_meant(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity may be the expected one: rounded, scaled, with a footnote."""
    if agree(quantity, expected):  # the bounds differ
        return False
    if quantity.kind == "version":
        return False
    if may_be_rounded(quantity, expected) or has_footnote(quantity, expected):
        return True
    return is_within(quantity, expected)


def is_within(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a year lies in a decade or a century, or a decade in a century."""
    if {quantity.dimension, expected.dimension} == {"decade", "age"}:
        is_decade = quantity.dimension == "decade"
        decade, century = (quantity, expected) if is_decade else (expected, quantity)
        return decade.amount // 100 + 1 == century.amount
    if quantity.dimension in ("decade", "age"):
        return is_year_of_period(expected, quantity)
    return is_year_of_period(quantity, expected)


def is_year_of_period(date: Quantity, period: Quantity) -> bool:
    """Return whether the year of a date lies in a decade or a century."""
    year = date.value[0] if date.kind == "date" else None
    if year is None or period.dimension not in ("decade", "age"):
        return False
    if period.dimension == "decade":
        first, last = period.amount, period.amount + 10
    else:
        first, last = 100 * period.amount - 100, 100 * period.amount
    return first <= year <= last


def has_footnote(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a number is the expected one with a footnote's digits: 19831 for 1983."""
    digits = re.sub(r"\D", "", quantity.text)
    expected_digits = re.sub(r"\D", "", expected.text)
    if len(expected_digits) < FEWEST_DIGITS or not digits.startswith(expected_digits):
        return False
    if not 1 <= len(digits) - len(expected_digits) <= LONGEST_FOOTNOTE:
        return False
    return not is_tenfold(quantity, expected)


def may_be_rounded(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether a number may be the expected one, rounded or scaled: 3.14 for 3.14159."""
    if quantity.kind != expected.kind or quantity.kind == "date":
        return False
    has_same_sign = quantity.written * expected.written > 0
    if not has_same_sign:
        return False
    has_one_unit = quantity.dimension == expected.dimension
    leaves_out_unit = not quantity.dimension or not expected.dimension
    if (has_one_unit or leaves_out_unit) and is_rounder(quantity, expected):
        return True
    return is_scaled(quantity, expected) or has_rounded_figure(quantity, expected)


def has_rounded_figure(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether the first figures of two numbers may be one, but for rounding and scale."""
    pair = find_first_figures(quantity, expected)
    if not pair or quantity.unit != expected.unit or quantity.amount == expected.amount:
        return False
    figure, expected_figure = pair
    less, more = sorted((abs(quantity.written), abs(expected.written)))
    is_money = expected.dimension in CURRENCIES
    if more > MOST_ROUNDED * less and not is_money:
        return False
    digits = max(figure.digits, expected_figure.digits)
    return digits >= FEWEST_DIGITS and compare_figures(figure, expected_figure) >= SAME_FIGURE


def is_cut(one: Quantity, other: Quantity) -> bool:
    """Return whether one of two numbers is the other with fewer decimals: 2.4 for 2.45."""
    figures = find_figures(one.text)
    other_figures = find_figures(other.text)
    if len(figures) != 1 or len(other_figures) != 1 or one.unit != other.unit:
        return False
    figure, other_figure = figures[0], other_figures[0]
    fewest, most = sorted((figure.decimals, other_figure.decimals))
    has_same_digits = abs(figure.value - other_figure.value) < 10.0**-fewest
    return fewest < most and has_same_digits and figure.scale == other_figure.scale


def is_same_in_thousands(one: Quantity, other: Quantity) -> bool:
    """Return whether only one of two equal numbers says its scale: $1,577 million, $1577.00.

    The other one leaves its thousands or millions to a table's head.
    """
    if one.kind != "number" or other.kind != "number":
        return False
    pair = find_first_figures(one, other)
    if not pair:
        return False
    figure, other_figure = pair
    says_scale = figure.value != one.written
    other_says_scale = other_figure.value != other.written
    return says_scale != other_says_scale and compare_figures(figure, other_figure) > SAME_FIGURE


def is_scaled(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether only the expected number leaves out its millions: $137 million, 137."""
    scaled = [figure.value for figure in find_figures(quantity.text) if figure.scale]
    return not expected.dimension and scaled == [expected.written]


def is_rounder(quantity: Quantity, expected: Quantity) -> bool:
    """Return whether two numbers are near, and one is rounder than the other: 760 and 759.96."""
    a, b = quantity.amount, expected.amount
    if quantity.dimension != expected.dimension:  # one leaves out its unit
        a, b = quantity.written, expected.written
    if abs(a - b) > NEAR * max(abs(a), abs(b)):
        return False
    pair = find_first_figures(quantity, expected)
    return pair is not None and pair[0].digits != pair[1].digits
