"""Whether two numbers or dates mean the same, in any magnitude, and whether one may stand for the
other.
"""

import math
import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from .lexicon import SCALES
from .numerals import HALF_A_DAY
from .quantities import EITHER_HALF, Quantity

SAME_AS_RATIO = {"", "percent"}


EXACT, CONVERTED = 1e-9, 0.01  # how far two figures may be apart: in one unit, in two


HALF_A_DEGREE = 0.56  # how far two temperatures may be apart that were rounded in two units


def agree(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities can mean the same: no part that both say differs, and one part
    both say.

    >>> from .quantities import find_quantities
    >>> one, two, three = find_quantities("28 January 1813; 1813-01-28; 1831")
    >>> agree(one, two), agree(one, three)
    (True, False)
    """
    if one.kind == other.kind == "date":
        return is_same_date(one, other)
    if one.kind != other.kind:
        return is_number_of_date(one, other)
    if one.dimension == other.dimension:
        return is_near(one, other) and not has_other_country(one, other)
    return compatible(one.dimension, other.dimension) and agree_across_dimensions(one, other)


def is_same_date(one: Quantity, other: Quantity) -> bool:
    """Return whether two dates have every part that both say, and one at least."""
    has_part = False
    for a, b in zip(one.value, other.value, strict=True):
        if a is None or b is None:
            continue
        if a != b:
            return False
        has_part = True
    return has_part


def is_number_of_date(one: Quantity, other: Quantity) -> bool:
    """Return whether a number is all that a date says: 1813 without a unit is the year."""
    date, number = (one, other) if one.kind == "date" else (other, one)
    parts = [part for part in date.value if part is not None]
    return len(parts) == 1 and number.value[0] == parts[0] and not number.dimension


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
    if one.unit == other.unit:
        return abs(a - b) <= EXACT * max(abs(a), abs(b))
    if one.dimension == "temperature":
        return abs(a - b) <= HALF_A_DEGREE
    return abs(a - b) <= CONVERTED * max(abs(a), abs(b))


def agree_across_dimensions(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers agree of which one does not say its unit, or says it loosely."""
    mass = next((q for q in (one, other) if q.dimension == "mass"), None)
    if mass and mass.unit != "lb" and "pound" in (one.dimension, other.dimension):
        return False
    if "power" in (one.dimension, other.dimension):  # 60 W is no longitude
        return one.value[0] == other.value[0]
    if "clock" in (one.dimension, other.dimension):  # 12 noon
        less, more = sorted((one.written, other.written))
        return "" in (one.dimension, other.dimension) and 60 * less == more
    if one.written == other.written:
        return True
    hundred = {one.dimension, other.dimension} == SAME_AS_RATIO
    return hundred and (is_share(one, other) or is_share(other, one))


def is_share(percent: Quantity, share: Quantity) -> bool:
    """Return whether percents are a share, as far as they are rounded: 33% and a third."""
    if percent.dimension != "percent":
        return False
    wanted = 100 * share.written
    digits = find_figures(percent.text)[:1]
    is_rounded = bool(digits) and not math.isclose(wanted, round(wanted, digits[0].decimals + 2))
    off = 0.5 * 10.0 ** -digits[0].decimals if is_rounded else 1e-9 * abs(wanted)
    return abs((percent.value[0] or 0.0) - wanted) <= off


def rounding(one: Quantity) -> float:
    """Return half a unit of the last digit of a number with two digits or more after its point,
    else 0.
    """
    written = re.search(r"\d\.(\d\d+)", one.text)
    if not written or "√" in one.text:
        return 0.0
    return 0.5 * 10.0 ** -len(written[1]) * (1 + 1e-9)


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
    {"power", "longitude"},  # 60 W
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


# ---- figures in digits: 1,577 beside $1.577 billion, 20% beside 0.2, 3.1 beside 3.14

DIGIT = re.compile(r"\d")
FIGURE = re.compile(
    r"(?<![\w.√⁄])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?!⁄)"
)


SCALE = re.compile(r"\s?(thousand|million|billion|trillion)\b")


MOST_FIGURES = 40  # of a text


class Figure(NamedTuple):
    """A figure in digits: its value, how many digits tell and stand after the point, whether %,
    which scale follows.
    """

    value: float
    digits: int
    decimals: int
    percent: bool
    scale: str


def find_figures(text: str) -> list[Figure]:
    """Return the figures of a text.

    >>> [one[:4] + (one.scale,) for one in find_figures("$1,577.50 million, 20%")]
    [(1577.5, 5, 1, False, 'million'), (20.0, 1, 0, True, '')]
    """
    found = list[Figure]()
    if not DIGIT.search(text):
        return found
    for match in islice(FIGURE.finditer(text), MOST_FIGURES):
        written = match[0].replace(",", "")
        whole, _, decimals = written.partition(".")
        decimals = decimals.rstrip("0")
        # Zeros at the beginning tell nothing, nor do those at the end of a whole number.
        digits = (whole + decimals).lstrip("0") if decimals else whole.strip("0")
        is_percent = text[match.end() : match.end() + 2].strip().startswith("%")
        scale = SCALE.match(text, match.end())
        found.append(
            Figure(
                value=float(written),
                digits=max(len(digits), 1),
                decimals=len(decimals),
                percent=is_percent,
                scale=scale[1] if scale else "",
            )
        )
    return found


def compare_figures(one: Figure, other: Figure) -> float:
    """Return how far two figures may be one, 0..1: in thousands or
    millions, in percent, rounded.
    """
    if one.scale and other.scale and one.scale != other.scale:  # 1,577 million are 1.577 billion
        a, b = one.value * SCALES[one.scale], other.value * SCALES[other.scale]
        return float(abs(a - b) <= CONVERTED * max(a, b))
    if one.value == other.value:
        return 1.0
    if not one.value or not other.value:
        return 0.0
    gap = math.log10(one.value / other.value)
    best = 0.0
    for power in list_powers(one, other, gap):
        if abs(gap - power) < 0.05 and abs(power) <= 9:
            penalty = SCALED_PENALTY if power else 0.0
            best = max(best, rate_rounding(one, other, power) - penalty)
    return best


SCALED_PENALTY = 0.05  # what figures lose that are equal in another scale alone


def list_powers(one: Figure, other: Figure, gap: float) -> set[int]:
    """Return the powers of ten by which two figures may differ and yet be one.

    Args:
        one: a figure.
        other: another figure.
        gap: the logarithm of the first as a multiple of the second.
    """
    powers = {0}
    if min(one.digits, other.digits) > 1:
        powers.add(3 * round(gap / 3))
    if one.percent or other.percent or min(one.value, other.value) < 1:
        powers |= {2, -2}
    return powers


def rate_rounding(one: Figure, other: Figure, power: int) -> float:
    """Return how far one figure may be another one times a power of ten, but for rounding, 0..1."""
    scaled = other.value * 10.0**power
    most = max(one.value, scaled)
    off = abs(one.value - scaled) / most
    if off > NEAR:
        return 0.0
    if off < EXACT:
        return 1.0
    last_digits = max(0.5 * 10.0**-one.decimals, 0.5 * 10.0 ** (power - other.decimals))
    if off <= last_digits / most + EXACT:
        return 0.9
    return 0.6 if off <= CONVERTED else 0.35


# ---- numbers that may stand for each other

ORDINAL = re.compile(
    r"(?:\d(?:st|nd|rd|th)|first|second|third|(?:if|four|six|seven|eigh|nin|en|dred|sand)th"
    r"|tieth)$|^第",
    re.IGNORECASE,
)
FIRST_YEAR, LAST_YEAR = 100, 2100
MOST_ROUNDED = 2.0  # how many times one number may be the other, but for thousands and percent
NEAR = 0.05  # how far a rounded number may be from the exact one
FEWEST_DIGITS = 3  # of a rounded number that may stand for the exact one


def is_whole_century(one: Quantity, expected: Quantity) -> bool:
    """Return whether the hundreds of years stand for a century: the 1600s for the 17th century."""
    decade = one if one.dimension == "decade" else expected
    return {one.dimension, expected.dimension} == {"decade", "age"} and (
        (decade.value[0] or 1) % 100 == 0 and is_within(one, expected)
    )


def is_coarser(one: Quantity, expected: Quantity) -> bool:
    """Return whether a date leaves out a part that is expected: 1813 for 28 January 1813."""
    if expected.kind == "version":
        return False
    if expected.kind != "date" or one.kind != "date":
        return expected.kind == "date" and sum(part is not None for part in expected.value) > 1
    return any(a is None and b is not None for a, b in zip(one.value, expected.value, strict=True))


def can_replace(one: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity answers the same question as the one that is expected."""
    dimensions = {one.dimension, expected.dimension}
    if dimensions in ({"ratio", "clock"}, {"decade", "age"}):
        return "decade" in dimensions or (":" in one.text and ":" in expected.text)
    if "version" in (one.kind, expected.kind):
        return not one.dimension.strip("version")
    if one.kind == expected.kind == "date":
        return has_common_part(one, expected)
    if is_ordinal(one) != is_ordinal(expected) or is_roman(one) != is_roman(expected):
        return False
    if one.kind == expected.kind:
        return one.written == expected.written or measure_the_same(one, expected)
    return can_replace_year(one, expected)


def has_common_part(one: Quantity, other: Quantity) -> bool:
    """Return whether two dates both say a year, a month or a day."""
    pairs = zip(one.value, other.value, strict=True)
    return any(a is not None and b is not None for a, b in pairs)


def measure_the_same(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers can be of one dimension, or are sums of money."""
    return compatible(one.dimension, other.dimension) or are_currencies(one, other)


def can_replace_year(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number can stand for a year, or a year for a number; 1000 may be either."""
    date, number = (one, expected) if one.kind == "date" else (expected, one)
    if date.value[1:] != (None, None):
        return False
    is_period = number.dimension in ("decade", "age")
    may_be_year = not number.dimension and FIRST_YEAR <= number.written <= LAST_YEAR
    return is_period or may_be_year or is_tenfold(one, expected)


def is_ordinal(one: Quantity) -> bool:
    """Return whether a number is an ordinal: 6th, sixth."""
    is_count = one.kind == "number" and not one.dimension and (one.value[0] or 0.5).is_integer()
    return is_count and bool(ORDINAL.search(one.text))


def is_roman(one: Quantity) -> bool:
    """Return whether a number is a Roman numeral."""
    return one.text.isalpha() and one.text.isupper() and one.text.isascii()


def are_currencies(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are sums of money."""
    return {one.dimension, other.dimension} <= CURRENCIES


def may_be_meant(one: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity may be the expected one: rounded, in thousands, with the mark of a
    footnote.
    """
    if agree(one, expected):  # the bounds differ
        return False
    return may_be_rounded(one, expected) or has_footnote(one, expected) or is_within(one, expected)


def is_within(one: Quantity, expected: Quantity) -> bool:
    """Return whether a year lies in a decade or a century."""
    if {one.dimension, expected.dimension} == {"decade", "age"}:
        decade, century = (one, expected) if one.dimension == "decade" else (expected, one)
        return (decade.value[0] or 0) // 100 + 1 == century.value[0]
    period, year = (one, expected) if one.dimension in ("decade", "age") else (expected, one)
    if period.dimension not in ("decade", "age") or year.kind != "date" or year.value[0] is None:
        return False
    number = period.value[0] or 0
    if period.dimension == "decade":
        return number <= year.value[0] <= number + 10
    return 100 * number - 100 <= year.value[0] <= 100 * number


def has_footnote(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number is the expected one with the digits of a footnote behind it: 19831
    for 1983.
    """
    digits, wanted = (re.sub(r"\D", "", q.text) for q in (one, expected))
    is_longer = digits.startswith(wanted) and 1 <= len(digits) - len(wanted) <= 2
    return len(wanted) >= FEWEST_DIGITS and is_longer and not is_tenfold(one, expected)


def may_be_rounded(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number may be the expected one, rounded or in
    thousands: 3.14 for 3.14159.
    """
    if one.kind != expected.kind or one.kind == "date" or one.written * expected.written <= 0:
        return False
    has_same_unit = one.dimension == expected.dimension or not (
        one.dimension and expected.dimension
    )
    if has_same_unit and is_rounder(one, expected):
        return True
    if is_scaled(one, expected):
        return True
    ours, theirs = find_figures(one.text), find_figures(expected.text)
    if not ours or not theirs or one.unit != expected.unit or one.value[0] == expected.value[0]:
        return False
    is_amount = (
        any(figure.scale or figure.percent for figure in (ours[0], theirs[0]))
        or expected.dimension in CURRENCIES
    )
    less, more = sorted((abs(one.written), abs(expected.written)))
    if not is_amount and more > MOST_ROUNDED * less:
        return False
    digits = max(ours[0].digits, theirs[0].digits)
    return digits >= FEWEST_DIGITS and compare_figures(ours[0], theirs[0]) >= 0.8


def is_cut(one: Quantity, other: Quantity) -> bool:
    """Return whether one of two numbers is the other with fewer decimals: 2.4 for 2.45."""
    ours, theirs = find_figures(one.text), find_figures(other.text)
    if len(ours) != 1 or len(theirs) != 1 or one.unit != other.unit:
        return False
    fewest, most = sorted((ours[0].decimals, theirs[0].decimals))
    is_near = abs(ours[0].value - theirs[0].value) < 10.0**-fewest
    return fewest < most and is_near and ours[0].scale == theirs[0].scale


def is_same_in_thousands(one: Quantity, other: Quantity) -> bool:
    """Return whether one number says its thousands or millions, and the other leaves them to a
    table's head: $1,577 million, $1577.00.
    """
    ours, theirs = find_figures(one.text)[:1], find_figures(other.text)[:1]
    if not ours or not theirs or one.kind != "number" or other.kind != "number":
        return False
    says_scale = [ours[0].value != one.written, theirs[0].value != other.written]
    return says_scale[0] != says_scale[1] and compare_figures(ours[0], theirs[0]) > 0.8


def is_scaled(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number says its millions, and the expected one leaves them out: $137
    million, 137.
    """
    scaled = [figure.value for figure in find_figures(one.text) if figure.scale]
    return not expected.dimension and scaled == [expected.written]


def is_rounder(one: Quantity, expected: Quantity) -> bool:
    """Return whether two numbers are near, and one of them is rounder than the other: 760 and
    759.96.
    """
    a, b = one.value[0] or 0.0, expected.value[0] or 0.0
    if one.dimension != expected.dimension:  # one leaves out its unit
        a, b = one.written, expected.written
    digits = [figure.digits for q in (one, expected) for figure in find_figures(q.text)[:1]]
    return abs(a - b) <= NEAR * max(abs(a), abs(b)) and len(digits) == 2 and digits[0] != digits[1]
