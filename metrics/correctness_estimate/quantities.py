"""Numbers, dates and units of a text as values, English and Chinese, so that "5" and "five" are the same thing.

A date is (year, month, day), None for a part that is not said; years BC are negative. A number is one figure in the
unit of its dimension (5 km are 5000 of "length"). What cannot be told for certain (is 03/04/2015 in March or in April?)
is left out of the value, so that it contradicts nothing.
"""

import math
import re
from functools import cache
from typing import NamedTuple

from .lexicon import MONTHS, NUMBER_WORDS, ONES, ORDINALS, SCALES, TEMPERATURES, TENS
from .numerals import HAN_NUMERAL, UNIT, read_han_numeral, read_number_words, read_roman

Value = tuple[float | None, ...]

SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "万": 1e4, "亿": 1e8, "百": 100.0, "千": 1000.0}
FRACTIONS = {"half": 0.5, "halves": 0.5, "quarter": 0.25, "quarters": 0.25}
for number, ordinal in enumerate(ORDINALS[2:10], 3):
    FRACTIONS |= {ordinal: 1 / number, f"{ordinal}s": 1 / number}
FRACTION_NAMES = "|".join(sorted(FRACTIONS, key=len, reverse=True))
# Words whose match is looked up ignore the case of ASCII letters alone (?a:...): for Unicode i is also Turkish \u0130
# and \u0131, s is also \u017f and k the Kelvin sign, and none of these is in a table.
MONTH_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS if name != "may")
MONTH = rf"(?P<{{}}>(?a:{MONTH_NAMES}|may|sept))\b\.?"
DECADES = {f"{ten[:-1]}ies": 20 + 10 * i for i, ten in enumerate(TENS)}
DECADE_NAMES = f"(?a:{'|'.join(DECADES)})"
DAY = r"(?P<{}>\d?\d)(?:st|nd|rd|th)?\b"
WORD_NUMBER = f"(?a:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
# Digits in the usual spellings: 1,234.5; 1.234.567 or 1.234,5; 1 234 567 or 1'234'567; 3,14; 3.14, .5 and 1e6.
DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?![\d.])|\d{1,3}(?:\.\d{3})+,\d+"
    r"|\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?(?![\d/⁄])|(?<![,(\d])\d+,(?:\d{1,2}|\d{4,})(?![\d,])|\d+(?:\.\d+)?|\.\d+)"
    r"(?:e[+-]?\d{1,3}(?![\w.]))?"
)
UNIT_NAMES = f"(?a:{'|'.join(re.escape(name) for name in sorted(UNIT, key=len, reverse=True))})"
ROOT = r"(?P<root>-?(?:(?P<times>\d+(?:\.\d+)?)\s?)?√\s?\(?(?P<under>\d+(?:\.\d+)?)\)?(?:\s?/\s?(?P<below>\d+))?)"
ROMAN = "M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
# A Roman numeral and nothing else; of C, D and M at least three, for CD, DC and MD are other things.
ROMAN_ALONE = re.compile(rf"\s*((?=[IVXL]{{2,}}\W*$|[IVXLCDM]{{3,}}\W*$){ROMAN})[\s.]*")
QUANTITY = "|".join(
    [
        ROOT,
        r"(?P<iso>\b(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})\b)",
        rf"(?P<dmy>\b{DAY.format('d2')}(?: of)?[ -]+{MONTH.format('m2')}(?:,?(?: of)?[ -]+(?P<y2>\d{{3,4}})\b)?)",
        rf"(?P<mdy>\b{MONTH.format('m3')} {DAY.format('d3')}(?![:,.]?\d)(?:,? (?P<y3>\d{{3,4}})\b)?)",
        rf"(?P<my>\b{MONTH.format('m4')},?(?: of)?(?: (?P<y4>\d{{4}})\b)?)",
        r"(?P<slash>\b(?P<a5>\d{1,2})[/.](?P<b5>\d{1,2})[/.](?P<y5>\d{4})\b)",
        r"(?P<era>(?-i:\bAD\s)(?P<y0>\d{1,4})\b|\b(?P<y00>\d{1,4})\s(?-i:AD|CE|A\.D\.)(?!\w))",
        r"(?P<han_date>(?P<y6>\d{2,4})年(?!代)(?:(?P<m6>\d{1,2})月)?(?:(?P<d6>\d{1,2})[日号])?)",
        r"(?P<han_day>(?P<m7>\d{1,2})月(?:(?P<d7>\d{1,2})[日号])?)",
        r"(?P<clock>\b(?P<h8>[0-2]?\d)(?::(?P<n8>[0-5]\d))?\s*(?:(?P<half8>[ap])\.?m\b\.?)"
        r"|\b(?P<h9>[0-2]?\d):(?P<n9>[0-5]\d)\b(?P<part9>\s(?:o'clock\s)?(?:in\sthe\s(?a:morning|afternoon|evening)|at\snight))?"
        r"|\b(?P<h0>\d{1,2})(?:\so'clock)?(?P<part0>\s(?:in\sthe\s(?a:morning|afternoon|evening)|at\snight))\b)",
        r"(?P<decade>\b\d{3}0(?:'?s\b|年代))",
        rf"(?P<decade_name>\bthe (?P<decade_word>{DECADE_NAMES})\b)",
        r"(?P<age>\b(?P<century>\d{1,2})(?:st|nd|rd|th)?[ -]+(?a:centur(?:y|ies))\b|(?P<han_century>\d{1,2})世纪)",
        r"(?P<year>(?<![\d.,$£€¥-])(?P<y10>1\d{3}|20\d{2})(?![\d%e]|[,.]\d)"
        r"(?:\s*[-–/]\s*(?P<to>\d{2})(?!\d))?)",
        rf"(?P<and_part>\b(?P<whole2>an?|\d+|(?a:{'|'.join(ONES)}))(?:\s(?P<unit2>{UNIT_NAMES}))?"
        r"\sand\s(?P<part2>an?|one|two|three)[ -](?P<name2>(?a:hal(?:f|ves)|quarters?|thirds?))\b)",
        r"(?P<mixed>-?\b(?P<whole>\d+)\s+(?:and\s+)?(?P<over>\d+)[/⁄](?P<under2>\d+)\b(?!/))",
        rf"(?P<part>-?\b(?P<top>\d+|(?a:{'|'.join(ONES)}))"
        rf"(?:[/⁄](?P<bottom>\d+)\b(?!/)|[ -](?P<name>(?a:{FRACTION_NAMES}))\b))",
        r"(?P<single>\ba[ -](?P<share>(?a:quarter|half|third(?=\s+of\b|\W*$)))\b)",
        rf"(?P<number>(?:(?P<money>[$£€¥₹])\s?)?(?<![a-z\d.])(?:(?P<digits>-?{DIGITS})|(?P<words>\b(?:{WORD_NUMBER})"
        rf"(?:(?:[\s-]+|\s+and\s+)(?:{WORD_NUMBER}))*\b))(?:st\b|nd\b|rd\b|th\b)?"
        r"(?P<scale>\s*(?:[万亿百千]+|(?a:hundred|thousand|million|billion|trillion|dozen|mn|bn)\b)|(?<=\d)[kKM]\b)?"
        r"(?:(?<=亿)(?P<rest>\d+(?:\.\d+)?)万)?)",
        r"(?P<roman>(?-i:(?<=[a-z] )[IVXL]{2,}\b|(?<=[a-z] )[VX]\b|(?<=[a-z] )I(?![ \w'’])))",
    ]
)
# A letter after a degree sign or a number is no unit of its own where a word goes on.
UNIT_AFTER = rf"[\s-]?({UNIT_NAMES})(?![a-z])"
PER_UNIT = rf"\s?(?:/|per\s|an?\s)\s?({UNIT_NAMES})(?![a-z])"
# Where a quantity can begin: a digit, a root, a sign of money, a Roman numeral, or one of these words.
START = re.compile(r"\.?\d+|[√$£€¥₹]|[A-Za-z]+")
REST_OF_NUMBER = re.compile(r"(?:[.,]?\d+)*")
BEGINNINGS = {*NUMBER_WORDS, "a", "an", "the", "ad", "sept", *MONTHS, *(name[:3] for name in MONTHS)}
NO_NUMBER_ALONE = re.compile("one|second|first|half", re.IGNORECASE)
# What stands before or after a number and belongs to its value.
MINUS = re.compile(r"(?:minus|negative|负|零下)\s?$")
BEFORE_CHRIST = re.compile(r"\s*(?:BC|BCE|B\.C\.(?:E\.)?)(?![A-Za-z])")
HAN_BEFORE_CHRIST = "公元前"
DIRECTION = re.compile(r"\s?°?\s?([NSEW])(?![A-Za-z])")
DIRECTIONS = {"N": ("latitude", 1.0), "S": ("latitude", -1.0), "E": ("longitude", 1.0), "W": ("longitude", -1.0)}
DEGREES = re.compile(r"\s?°?\s?([CF])(?![A-Za-z.])|\s(K)(?![A-Za-z.])")
CURRENCY_CODE = re.compile(r"(?:(USD|EUR|GBP|CNY|RMB|JPY|INR)|US)\s?$")
CODES = {"USD": "dollar", "EUR": "euro", "GBP": "sterling", "CNY": "yen", "RMB": "yen", "JPY": "yen", "INR": "rupee"}
SAME_AS_RATIO = {"", "percent"}
EXACT, CONVERTED = 1e-9, 0.01  # how far two figures may be apart: in one unit, in two
EITHER_HALF = "clock of either half"  # a time of day up to 12:59 without am or pm
NOON, HALF_A_DAY = 12, 720.0  # hours, minutes
HALF_A_DEGREE = 0.56  # how far two temperatures may be apart that were rounded in two units


@cache
def compile_ignoring_case(pattern: str) -> re.Pattern[str]:
    """Return a pattern for both cases of letters, made when it is first needed: that takes 5 ms, a third of loading."""
    return re.compile(pattern, re.IGNORECASE)


class Quantity(NamedTuple):
    """A number or a date of a text, and where it stands.

    `value` is (year, month, day) of a "date", of a "number" one figure in the unit of its dimension; `written` and
    `unit` are the figure and the unit as they were written.
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
    """The unit of a number: its dimension, its size, its usual name, and where it ends in the text."""

    dimension: str
    size: float
    name: str
    end: int

    def convert(self, figure: float) -> float:
        """Return a figure in the unit of the dimension."""
        zero, size = TEMPERATURES.get(self.name, (0.0, self.size))
        return (figure - zero) * size


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text (NFKC), in its order; Chinese numerals are read as digits.

    >>> [(q.kind, q.value, q.dimension) for q in find_quantities("On 28 January 1813, five km from 1,000 pubs")]
    [('date', (1813.0, 1, 28.0), ''), ('number', (5000.0,), 'length'), ('number', (1000.0,), '')]
    >>> [q.value for q in find_quantities("-5, 1e6, 3,14; 1 234 567, 2 1/2, 44 BC, 三分之一")]
    [(-5.0,), (1000000.0,), (3.14,), (1234567.0,), (2.5,), (-44.0, None, None), (0.3333333333333333,)]
    """
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
        match = compile_ignoring_case(QUANTITY).match(text, at - minus)
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
            found.append(Quantity("date", (year, None, None), "", year, "", match["to"], done - 2, done))
    return found


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
    figure = FIGURES[kind](match)
    unit = read_unit(match, kind, text)
    if MINUS.search(text, max(0, start - 10), start):
        figure = -figure
    value = unit.convert(figure)
    end = unit.end
    if unit.dimension in ("", "age") and is_before_christ(text, start, end):
        end = include_era(text, end)
        if kind == "number":
            return Quantity("date", (-value, None, None), "", -value, "", text[start:end].strip(), start, end)
        value = -value
    return Quantity("number", (value,), unit.dimension, figure, unit.name, text[start:end].strip(), start, end)


def is_before_christ(text: str, start: int, end: int) -> bool:
    """Return whether a year or a century at this place is one before Christ."""
    return bool(BEFORE_CHRIST.match(text, end)) or text.endswith(HAN_BEFORE_CHRIST, 0, start)


def include_era(text: str, end: int) -> int:
    """Return where a year ends, with the era behind it."""
    era = BEFORE_CHRIST.match(text, end)
    return era.end() if era else end


def read_date(match: re.Match[str], kind: str, text: str) -> Quantity | None:
    """Return a date; a year with a unit behind it is a number, and years before Christ are negative."""
    start, end = match.span()
    if kind == "year" and not match["to"]:
        after = compile_ignoring_case(UNIT_AFTER).match(text, end)
        if after and after[1].lower() in UNIT:
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
        hour = int(match["h8"] or match["h9"] or match["h0"])
        is_open = not read_half_of_day(match, hour) and 1 <= hour <= NOON
        return Unit(kind, 1.0, EITHER_HALF if is_open else kind, end)
    if kind == "decade_name":
        return Unit("decade", 1.0, "decade", end)
    if kind in ("decade", "age"):
        return Unit(kind, 1.0, kind, end)
    if kind == "number" and match["money"]:
        return Unit(*UNIT[match["money"]], end)
    if kind == "and_part" and match["unit2"]:
        return Unit(*UNIT[match["unit2"].lower()], end)
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
    if not after or after[1].lower() not in UNIT:
        return Unit("", 1.0, "", end)
    is_ordinal = (
        re.search("(?:th|first|second|third)$", match["words"] or "", re.IGNORECASE) if kind == "number" else None
    )
    if UNIT[after[1].lower()][2] == "century" and is_ordinal:
        return Unit("age", 1.0, "age", after.end())
    return follow_unit(after, text)


def follow_unit(after: re.Match[str], text: str) -> Unit:
    """Return a unit, with the unit that it is divided by: 5 mg/kg, 60 miles per hour."""
    unit = Unit(*UNIT[after[1].lower()], after.end())
    below = compile_ignoring_case(PER_UNIT).match(text, unit.end)
    if not below or below[1].lower() not in UNIT:
        return unit
    dimension, size, name = UNIT[below[1].lower()]
    return Unit(f"{unit.dimension}/{dimension}", unit.size / size, f"{unit.name}/{name}", below.end())


def read_month(name: str | None) -> float | None:
    """Return the number of a month by its name."""
    return next((i for i, one in enumerate(MONTHS, 1) if one[:3] == name[:3].lower()), None) if name else None


def make_date(year: str | None, month: float | None, day: str | None) -> Value | None:
    """Return a date, None where no calendar has its month; a day that no month has contradicts any other."""
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
    """Return a month and perhaps a year; "may" and "march" alone are other words, and so is every short form."""
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


def read_clock(match: re.Match[str]) -> float:
    """Return a time of day in minutes."""
    hour = int(match["h8"] or match["h9"] or match["h0"])
    minute = int(match["n8"] or match["n9"] or 0)
    half = read_half_of_day(match, hour)
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return 60.0 * hour + minute


def read_half_of_day(match: re.Match[str], hour: int) -> str:
    """Return "a" for a time before noon, "p" for one after it, "" where it is not said."""
    if match["half8"]:
        return match["half8"].lower()
    part = (match["part9"] or match["part0"] or "").lower()
    if not part or hour > NOON:
        return ""
    if "night" in part:
        return "p" if 6 <= hour < NOON else "a"
    return "a" if "morning" in part else "p"


def read_fraction(match: re.Match[str]) -> float:
    """Return a fraction: 2/3, two thirds, a quarter."""
    top = match["top"].lower()
    figure = NUMBER_WORDS[top] if top in NUMBER_WORDS else float(top)
    figure *= -1 if match["part"].startswith("-") else 1
    if match["name"]:
        return figure * FRACTIONS[match["name"].lower()]
    return figure / (float(match["bottom"]) or 1.0)


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
    figure = math.sqrt(float(match["under"])) * float(match["times"] or 1) / (float(match["below"] or 1) or 1.0)
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
    figure = read_digits(match["digits"]) if match["digits"] else read_number_words(match["words"].lower())
    scale = (match["scale"] or "").strip().lower()
    for part in scale if scale[:1] in ("万", "亿", "百", "千") else [scale]:  # 万亿 are two
        figure *= SCALES.get(part) or SHORT_SCALES.get(part, 1)
    return figure + 1e4 * float(match["rest"] or 0)


FIGURES = {
    "clock": read_clock,
    "decade": lambda m: float(re.sub(r"\D", "", m["decade"])),
    "decade_name": lambda m: float(DECADES[m["decade_word"].lower()]),
    "and_part": read_and_part,
    "age": lambda m: float(m["century"] or m["han_century"]),
    "part": read_fraction,
    "mixed": read_mixed,
    "single": lambda m: FRACTIONS[m["share"].lower()],
    "root": read_root,
    "number": read_number,
    "roman": lambda m: read_roman(m["roman"]),
}


def agree(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities can mean the same: no part that both say differs, and one part both say.

    >>> one, two, three = find_quantities("28 January 1813; 1813-01-28; 1831")
    >>> agree(one, two), agree(one, three)
    (True, False)
    """
    if one.kind == other.kind == "date":
        both = [(a, b) for a, b in zip(one.value, other.value, strict=True) if a is not None and b is not None]
        return bool(both) and all(a == b for a, b in both)
    if one.kind != other.kind:
        day, number = (one, other) if one.kind == "date" else (other, one)
        parts = [part for part in day.value if part is not None]
        return len(parts) == 1 and number.value[0] == parts[0] and not number.dimension
    if one.dimension == other.dimension:
        return is_near(one, other)
    if not compatible(one.dimension, other.dimension):
        return False
    return agree_across_dimensions(one, other)


def is_near(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers of one dimension are equal, as far as rounding and conversion allow."""
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
    return hundred and any(math.isclose(a.written, 100 * b.written) for a, b in ((one, other), (other, one)))


def rounding(one: Quantity) -> float:
    """Return half a unit of the last digit of a number with two digits or more after its point, else 0."""
    written = re.search(r"\d\.(\d\d+)", one.text)
    return 0.5 * 10.0 ** -len(written[1]) * (1 + 1e-9) if written and "√" not in one.text else 0.0


LOOSE = (
    {"pound", "sterling"},
    {"pound", "mass"},
    {"degree", "temperature"},
    {"degree", "latitude"},
    {"degree", "longitude"},
)


def compatible(one: str, other: str) -> bool:
    """Return whether two dimensions may be the same: one is not said, or is a looser word."""
    return not one or not other or one == other or {one, other} in LOOSE


def is_tenfold(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure is ten, a hundred, ... times the other."""
    less, more = sorted((abs(one.written), abs(other.written)))
    return less > 0 and more > less and more in (less * 10**power for power in range(1, 10))


def name_difference(one: Quantity, other: Quantity) -> str:
    """Return the kind of difference between two quantities: number, date or unit."""
    if other.kind == one.kind == "number" and other.written == one.written and other.unit != one.unit:
        return "unit"
    is_date = "date" in (one.kind, other.kind)
    return "date" if is_date and not is_tenfold(one, other) else "number"  # 1000 and 10000 are no years
