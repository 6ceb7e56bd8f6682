"""Numbers, dates and units of a text as values, English and Chinese, so that "5" and "five" are the same thing.

A date is (year, month, day), None for a part that is not said. A number has its value in the unit of its dimension
(5 km are 5000 of "length"), and the number and the unit as they were written. What cannot be told for certain (is
03/04/2015 in March or in April?) is left out of the value, so that it contradicts nothing.
"""

import math
import re
from functools import cache
from typing import NamedTuple
from .units import UNIT
from .chinese_numerals import HAN_NUMERAL, han_digits

Value = tuple[float | None, ...]

MONTHS = "january february march april may june july august september october november december".split()
# Words whose match is looked up ignore the case of ASCII letters alone (?a:...): for Unicode i is also Turkish \u0130
# and \u0131, s is also \u017f and k the Kelvin sign, and none of these is in a table.
MONTH_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else name for name in MONTHS)
MONTH = rf"(?P<{{}}>(?a:{MONTH_NAMES}|sept))\b\.?"
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
SHORT_SCALES = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9, "万": 10**4, "亿": 10**8, "百": 100, "千": 1000}
WORDS: dict[str, float] = {word: value for value, word in enumerate(ONES)}
WORDS |= {word: value for value, word in enumerate(ORDINALS, 1)}
WORDS |= {word: 20 + 10 * i for i, word in enumerate(TENS)}
WORDS |= {f"{word[:-1]}ieth": 20 + 10 * i for i, word in enumerate(TENS)}
WORDS |= {f"{word}th": value for word, value in SCALES.items()} | SCALES | {"half": 0.5}
FRACTIONS = {"half": 0.5, "halves": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25, "quarters": 0.25}
WORD_NUMBER = f"(?a:{'|'.join(sorted(WORDS, key=len, reverse=True))})"
PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
UNIT_NAMES = "|".join(re.escape(name) for name in sorted(UNIT, key=len, reverse=True))
DAY = r"(?P<{}>\d?\d)(?:st|nd|rd|th)?\b"
ROOT = r"(?P<root>-?(?:(?P<times>\d+(?:\.\d+)?)\s?)?√\s?\(?(?P<under>\d+(?:\.\d+)?)\)?(?:\s?/\s?(?P<below>\d+))?)"
QUANTITY = "|".join(
    [
        ROOT,
        r"(?P<iso>\b(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})\b)",
        rf"(?P<dmy>\b{DAY.format('d2')}(?: of)?[ -]+{MONTH.format('m2')}(?:,?(?: of)?[ -]+(?P<y2>\d{{3,4}})\b)?)",
        rf"(?P<mdy>\b{MONTH.format('m3')} {DAY.format('d3')}(?![:,.]?\d)(?:,? (?P<y3>\d{{3,4}})\b)?)",
        rf"(?P<my>\b{MONTH.format('m4')},?(?: of)?(?: (?P<y4>\d{{4}})\b)?)",
        r"(?P<slash>\b(?P<a5>\d{1,2})[/.](?P<b5>\d{1,2})[/.](?P<y5>\d{4})\b)",
        r"(?P<han_date>(?P<y6>\d{2,4})年(?!代)(?:(?P<m6>\d{1,2})月)?(?:(?P<d6>\d{1,2})[日号])?)",
        r"(?P<han_day>(?P<m7>\d{1,2})月(?:(?P<d7>\d{1,2})[日号])?)",
        r"(?P<clock>\b(?P<h8>[0-2]?\d)(?::(?P<n8>[0-5]\d))?\s*(?:(?P<half8>[ap])\.?m\b\.?)|\b(?P<h9>[0-2]?\d):(?P<n9>[0-5]\d)\b)",
        r"(?P<decade>\b\d{3}0(?:'?s\b|年代))",
        r"(?P<age>\b(?P<century>\d{1,2})(?:st|nd|rd|th)?[ -]+(?a:centur(?:y|ies))\b|(?P<han_century>\d{1,2})世纪)",
        r"(?P<year>(?<![\d.,$£€¥-])(?P<y10>1\d{3}|20\d{2})(?![\d%]|[,.]\d)(?:\s*[-–/]\s*(?P<to>\d{2})(?!\d))?)",
        rf"(?P<part>-?\b(?P<top>\d+|(?a:{'|'.join(ONES)}))"
        r"(?:[/⁄](?P<bottom>\d+)\b(?!/)|[ -](?P<name>(?a:thirds?|quarters?|half|halves))\b))",
        rf"(?P<number>(?:(?P<money>[$£€¥₹])\s?)?(?<![a-z\d.])(?:(?P<digits>-?(?:{PLAIN}))|(?P<words>\b(?:{WORD_NUMBER})"
        rf"(?:(?:[\s-]+|\s+and\s+)(?:{WORD_NUMBER}))*\b))(?:st\b|nd\b|rd\b|th\b)?"
        r"(?P<scale>\s*(?:[万亿百千]+|(?a:hundred|thousand|million|billion|trillion|dozen|mn|bn)\b)|(?<=\d)[kKM]\b)?)",
        r"(?P<roman>(?-i:(?<=[a-z] )[IVXL]{2,}\b|(?<=[a-z] )[VX]\b|(?<=[a-z] )I(?![ \w'’])))",
    ]
)
UNIT_AFTER = rf"[\s-]?((?a:{UNIT_NAMES}))(?![a-z])"
# Where a quantity can begin: a digit, a root, a sign of money, a Roman numeral, or one of these words.
START = re.compile(r"\d+|[√$£€¥₹]|[A-Za-z]+")
BEGINNINGS = {*WORDS, "sept", *MONTHS, *(name[:3] for name in MONTHS)}
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern for both cases of letters, made when it is first needed: that takes 5 ms, a third of loading."""
    return re.compile(pattern, re.I)


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


def quantities(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text (NFKC), in its order; Chinese numerals are read as digits.

    >>> [(q.kind, q.value, q.dimension) for q in quantities("On 28 January 1813, five km from 1,000 pubs")]
    [('date', (1813.0, 1, 28.0), ''), ('number', (5000.0,), 'length'), ('number', (1000.0,), '')]
    """
    if text.isascii() or not HAN_NUMERAL.search(text):
        return quantities_in_digits(text)
    parts, places, done = list[str](), list[int](), 0
    for match in HAN_NUMERAL.finditer(text):
        digits = han_digits(match)
        parts += [text[done : match.start()], digits]
        places += [*range(done, match.start()), *[match.start()] * len(digits)]
        done = match.end()
    places += range(done, len(text) + 1)
    found = []
    for one in quantities_in_digits("".join([*parts, text[done:]])):
        start, end = places[one.start], places[one.end]
        found.append(one._replace(text=text[start:end].strip(), start=start, end=end))
    return found


def quantities_in_digits(text: str) -> list[Quantity]:
    """Return the numbers and dates of a text without Chinese numerals."""
    found: list[Quantity] = []
    done = 0
    for start in START.finditer(text):
        word, at = start[0], start.start()
        if at < done or (word[0].isalpha() and word.lower() not in BEGINNINGS and word.strip("IVXL")):
            continue
        minus = text[at - 1 : at] == "-" and not text[at - 2 : at - 1].isalnum()
        match = compiled(QUANTITY).match(text, at - minus)
        if not match:
            continue
        done = match.end()
        if one := quantity(match, text):
            found.append(one)
        if match["to"]:
            year = float(match["y10"][:2] + match["to"])
            found.append(Quantity("date", (year, None, None), "", year, "", match["to"], done - 2, done))
    return found


def quantity(match: re.Match[str], text: str) -> Quantity | None:
    """Return what one match stands for, None where it is a word and no number."""
    kind = match.lastgroup or ""
    if kind in DATES:
        value = DATES[kind](match)
        if value is None:
            return None
        return Quantity("date", value, "", value[0] or 0, "", match[0].strip(), match.start(), match.end())
    if kind == "number" and match["words"] and re.fullmatch("one|second|first|half", match["words"], re.I):
        short = len(text) <= 12
        if not short and not match["scale"] and not compiled(UNIT_AFTER).match(text, match.end()):
            return None  # "one of them", "at first"
    figure = FIGURES[kind](match)
    dimension, factor, unit, end = unit_of(match, kind, text)
    return Quantity(
        "number", (figure * factor,), dimension, figure, unit, text[match.start() : end].strip(), match.start(), end
    )


def unit_of(match: re.Match[str], kind: str, text: str) -> tuple[str, float, str, int]:
    """Return the dimension of a number, the factor to its unit, the unit's name, and where it ends."""
    if kind in ("clock", "decade", "age"):
        return kind, 1.0, kind, match.end()
    if kind == "number" and match["money"]:
        dimension, factor, name = UNIT[match["money"]]
        return dimension, factor, name, match.end()
    after = compiled(UNIT_AFTER).match(text, match.end()) if kind in ("number", "part") else None
    if after:
        dimension, factor, name = UNIT[after[1].lower()]
        if name == "century" and re.search("(?:th|first|second|third)$", match["words"] or "", re.I):
            return "age", 1.0, "age", after.end()
        return dimension, factor, name, after.end()
    return "", 1.0, "", match.end()


def month(name: str | None) -> float | None:
    """Return the number of a month by its name."""
    return next((i for i, one in enumerate(MONTHS, 1) if one[:3] == name[:3].lower()), None) if name else None


def date(year: str | None, month: float | None, day: str | None) -> Value | None:
    """Return a date, None where no calendar has its month; a day that no month has contradicts any other."""
    if month and not 1 <= month <= 12:
        return None
    return (float(year) if year else None, month, float(day) if day else None)


def slashed(match: re.Match[str]) -> Value | None:
    """Return a date such as 28/1/1813; where day and month could be either, the year alone."""
    first, second = int(match["a5"]), int(match["b5"])
    if first > 12 >= second or second > 12 >= first:
        return date(match["y5"], min(first, second), str(max(first, second)))
    return date(match["y5"], None, None)


def month_alone(match: re.Match[str]) -> Value | None:
    """Return a month and perhaps a year; "may" and "march" alone are other words, and so is every short form."""
    name = match["m4"]
    said = match["y4"] or (name[0].isupper() and len(name) > 3 and name.lower() != "march")
    return date(match["y4"], month(name), None) if said else None


DATES = {
    "iso": lambda m: date(m["y1"], float(m["m1"]), m["d1"]),
    "dmy": lambda m: date(m["y2"], month(m["m2"]), m["d2"]),
    "mdy": lambda m: date(m["y3"], month(m["m3"]), m["d3"]),
    "my": month_alone,
    "slash": slashed,
    "han_date": lambda m: date(m["y6"], float(m["m6"]) if m["m6"] else None, m["d6"]),
    "han_day": lambda m: date(None, float(m["m7"]), m["d7"]),
    "year": lambda m: date(m["y10"], None, None),
}


def clock(match: re.Match[str]) -> float:
    """Return a time of day in minutes."""
    hour, minute = int(match["h8"] or match["h9"]), int(match["n8"] or match["n9"] or 0)
    half = (match["half8"] or "").lower()
    return 60.0 * (hour % 12 + 12 * (half == "p") if half else hour) + minute


def fraction(match: re.Match[str]) -> float:
    """Return a fraction: 2/3, two thirds, a quarter."""
    top = match["top"].lower()
    figure = (WORDS[top] if top in WORDS else float(top)) * (-1 if match["part"].startswith("-") else 1)
    if match["name"]:
        return figure * FRACTIONS[match["name"].lower()]
    return figure / (float(match["bottom"]) or 1.0)


def root(match: re.Match[str]) -> float:
    """Return a square root: √2, 3√2, √2/2."""
    figure = math.sqrt(float(match["under"])) * float(match["times"] or 1) / (float(match["below"] or 1) or 1.0)
    return -figure if match["root"].startswith("-") else figure


def plain_number(match: re.Match[str]) -> float:
    """Return a number in digits or words with its scale: 1.5 million, twenty-one."""
    figure = float(match["digits"].replace(",", "")) if match["digits"] else spelled(match["words"].lower())
    scale = (match["scale"] or "").strip().lower()
    for part in scale if HAN_NUMERAL.match(scale) else [scale]:  # 万亿 are two
        figure *= SCALES.get(part) or SHORT_SCALES.get(part, 1)
    return figure


def spelled(words: str) -> float:
    """Return a number written in English words.

    >>> spelled("one hundred and twenty-one"), spelled("nineteen eighty-four"), spelled("two million")
    (121.0, 1984.0, 2000000.0)
    """
    total = part = 0.0
    for word in re.findall(r"[a-z]+", words):
        value = WORDS.get(word, 0.0)
        if value >= 1000:
            total, part = total + (part or 1.0) * value, 0.0
        elif value in (100, 12) and word.startswith(("hundred", "dozen")):
            part = (part or 1.0) * value
        elif 10 <= part < 100 and value >= 10 and part % 100 >= 10:
            part = part * 100 + value  # nineteen eighty: a year
        else:
            part += value
    return total + part


def roman(match: re.Match[str]) -> float:
    """Return a Roman numeral's value."""
    values = [ROMAN[c] for c in match["roman"].upper()]
    return float(sum(-v if any(w > v for w in values[i + 1 : i + 2]) else v for i, v in enumerate(values)))


FIGURES = {
    "clock": clock,
    "decade": lambda m: float(re.sub(r"\D", "", m["decade"])),
    "age": lambda m: float(m["century"] or m["han_century"]),
    "part": fraction,
    "root": root,
    "number": plain_number,
    "roman": roman,
}


def agree(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities can mean the same: no part that both say differs, and one part both say.

    >>> one, two, three = quantities("28 January 1813; 1813-01-28; 1831")
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
    if one.dimension != other.dimension and not compatible(one.dimension, other.dimension):
        return False
    if one.dimension == other.dimension:
        a, b = one.value[0] or 0.0, other.value[0] or 0.0
        if "√" in one.text or "√" in other.text:
            return abs(a - b) <= max(1e-9 * abs(a), rounding(one), rounding(other))
        return abs(a - b) <= (0.01 if one.unit != other.unit else 1e-9) * max(abs(a), abs(b))
    mass = next((q for q in (one, other) if q.dimension == "mass"), None)
    if mass and mass.unit != "lb" and "pound" in (one.dimension, other.dimension):
        return False
    if "clock" in (one.dimension, other.dimension):  # 12 noon
        return "" in (one.dimension, other.dimension) and 60 * min(one.written, other.written) == max(
            one.written, other.written
        )
    hundred = {one.dimension, other.dimension} == {"", "percent"}
    return one.written == other.written or (hundred and one.written in (100 * other.written, other.written / 100))


def rounding(one: Quantity) -> float:
    """Return half a unit of the last digit of a number with two digits or more after its point, else 0."""
    written = re.search(r"\d\.(\d\d+)", one.text)
    return 0.5 * 10.0 ** -len(written[1]) * (1 + 1e-9) if written and "√" not in one.text else 0.0


def compatible(one: str, other: str) -> bool:
    """Return whether two dimensions may be the same: one is not said, or is a looser word."""
    pairs = ({"pound", "sterling"}, {"pound", "mass"}, {"degree", "celsius"}, {"degree", "fahrenheit"})
    return not one or not other or one == other or {one, other} in pairs
