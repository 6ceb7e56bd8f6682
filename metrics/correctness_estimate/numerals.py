"""Read numerals (in words, Roman, Chinese, in digits), fractions, roots and times as numbers.

The spellings of units are read here, too.
"""

import math
import re
import unicodedata
from typing import NamedTuple

from .lexicon import (
    HAN_DIGITS,
    HAN_NO_NUMBER,
    HAN_NUMBER,
    HAN_SCALES,
    NUMBER_WORDS,
    ORDINALS,
    ROMAN_DIGITS,
    SCALES,
    TENS,
    UNITS,
)

LONGEST_NUMERAL = 30  # characters; a longer numeral is left as it is
LONGEST_LONE_NUMERAL = 3  # characters of a text that is a single numeral: 五。
# 两个半 (2.5), 三成 (30%), 半小时 (half an hour), 三分之一 (1/3), 三点一四 (3.14), 第三 (3rd).
HAN_NUMERAL = re.compile(
    f"(?:{HAN_NO_NUMBER})"
    f"|(?P<and_half>{HAN_NUMBER}|\\d{{1,9}})个半"
    f"|(?P<tenths>[一二三四五六七八九\\d])成"
    f"|(?P<half>半个?)(?=小时|钟头|月|年|天|斤|公斤)"
    f"|(?P<below>{HAN_NUMBER}|\\d{{1,9}})分之(?P<above>{HAN_NUMBER}|\\d{{1,9}}(?:\\.\\d{{1,9}})?)"
    f"|(?P<whole>{HAN_NUMBER})点(?P<decimals>[零〇一二三四五六七八九]{{1,9}})"
    f"|(?:第)?(?P<numeral>{HAN_NUMBER})"
)
# Measure words and other characters behind a number. Before one of them a single character is a
# number ("两个人"), elsewhere it is a word.
MEASURE_WORDS = frozenset(
    "点个年月日号天岁回次人名位只条本部座米公千克斤吨秒分小周星世元美英度章集场届代国省种州层万亿"
)


class Unit(NamedTuple):
    """A unit: its dimension, its size in the first unit of the dimension, and its usual name."""

    dimension: str
    size: float
    name: str


def read_units() -> dict[str, Unit]:
    """Return the unit of each spelling: a kilometer is of "length" and has 1000 meters."""
    units = dict[str, Unit]()
    for line in UNITS.strip().replace("\n ", " ").splitlines():
        dimension, _, entries = line.partition(": ")
        for entry in entries.split("|"):
            size, *names = entry.split()
            unit = Unit(dimension, float(size), names[0])
            for name in names:
                spelling = unicodedata.normalize("NFKC", name.replace("-", " "))
                units[spelling] = unit
                units[f"{spelling}s"] = unit
    return units


UNIT = read_units()
# Scales that may stand right behind digits: 5k, 3 Millionen, 3万.
SHORT_SCALES = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "bn": 1e9,
    "tausend": 1e3,
    "mil": 1e3,
    "millionen": 1e6,
    "millones": 1e6,
    "milliarden": 1e9,
    "万": 1e4,
    "亿": 1e8,
    "百": 100.0,
    "千": 1000.0,
}
FRACTIONS = {
    "half": 0.5,
    "halves": 0.5,
    "quarter": 0.25,
    "quarters": 0.25,
}
for number, ordinal in enumerate(ORDINALS[2:10], 3):
    FRACTIONS |= {ordinal: 1 / number, f"{ordinal}s": 1 / number}
# "twenties": 20, ...
DECADES = {f"{ten[:-1]}ies": 20 + 10 * i for i, ten in enumerate(TENS)}
HAN_PARTS_OF_DAY = "上午 早上 凌晨 清晨 中午 下午 晚上 傍晚 夜里".split()


def read_number_words(words: str) -> float:
    """Return a number written in English words.

    >>> [read_number_words(words) for words in ("a hundred and one", "nineteen ten", "two million")]
    [101.0, 1910.0, 2000000.0]
    >>> read_number_words("three point one four")
    3.14
    """
    whole, *decimals = re.split(r"\spoint\s", words, maxsplit=1)
    if decimals:
        digits = "".join(f"{NUMBER_WORDS[word]:g}" for word in decimals[0].split())
        return float(f"{read_number_words(whole):.0f}.{digits}")
    total = part = 0.0
    for word in re.findall(r"[^\W\d_]+", words):
        value = NUMBER_WORDS.get(word, 0.0)
        if value >= 1000:
            total, part = total + (part or 1.0) * value, 0.0
        elif value in (100, 12) and word.startswith(("hundred", "dozen")):
            part = (part or 1.0) * value
        elif 10 <= part < 100 and value >= 10:
            part = part * 100 + value  # nineteen eighty: a year
        else:
            part += value
    return total + part


def read_roman(numeral: str) -> float:
    """Return a Roman numeral's value.

    >>> read_roman("XIV"), read_roman("MCMXC")
    (14.0, 1990.0)
    """
    values = [ROMAN_DIGITS[c] for c in numeral.upper()]
    total = 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if following > value else value
    return float(total)


def replace_han_numeral(match: re.Match[str]) -> str:
    """Return a Chinese numeral as digits, for `re.sub`.

    A single character becomes a digit only before a measure word.

    >>> HAN_NUMERAL.sub(replace_han_numeral, "三分之一, 百分之五, 一亿五千万, 两个人")
    '1/3, 5%, 150000000, 2个人'
    """
    if match["tenths"]:
        return f"{read_han_digits(match['tenths'])}0%"
    if match["half"]:
        return "0.5"
    if match["and_half"]:
        return f"{read_han_digits(match['and_half'])}.5"
    if match["below"]:
        return read_han_fraction(match["below"], match["above"])
    if match["whole"]:
        decimals = "".join(str(HAN_DIGITS[c]) for c in match["decimals"])
        return f"{read_han_numeral(match['whole'])}.{decimals}"
    return str(read_han_numeral(match["numeral"])) if counts_something(match) else match[0]


def counts_something(match: re.Match[str]) -> bool:
    """Return whether a Chinese numeral is a number, and no part of a word or of a figure: 3万."""
    numeral, text = match["numeral"], match.string
    if not numeral or len(numeral) > LONGEST_NUMERAL:
        return False
    if text[match.start() - 1 : match.start()].isdigit():
        return False
    is_ordinal = match[0].startswith("第")
    if len(numeral) > 1 or len(text) <= LONGEST_LONE_NUMERAL or is_ordinal:
        return True
    return text[match.end() : match.end() + 1] in MEASURE_WORDS


def read_han_fraction(below: str, above: str) -> str:
    """Return a Chinese fraction as digits: 三分之一 is 1/3, 百分之五 is 5%."""
    top = above if above[0].isdigit() else str(read_han_numeral(above))
    if below in ("百", "100"):
        return f"{top}%"
    return f"{top}/{read_han_digits(below)}"


def read_han_digits(numeral: str) -> str:
    """Return a Chinese numeral as digits; digits stay."""
    return numeral if numeral.isascii() and numeral.isdigit() else str(read_han_numeral(numeral))


def read_han_numeral(numeral: str) -> int:
    """Return the value of a Chinese numeral.

    >>> read_han_numeral("一九九八"), read_han_numeral("三百二十")
    (1998, 320)
    """
    if all(c in HAN_DIGITS for c in numeral):
        return int("".join(str(HAN_DIGITS[c]) for c in numeral))
    total = part = digit = 0
    for c in numeral:
        if c in HAN_DIGITS:
            digit = HAN_DIGITS[c]
            continue
        scale = HAN_SCALES[c]
        if scale < 10**4:
            part += (digit or 1) * scale
        elif total > scale:  # 一亿五千万
            total += (part + digit) * scale
            part = 0
        else:  # 三千万亿
            total = ((total + part + digit) or 1) * scale
            part = 0
        digit = 0
    return total + part + digit


# ---- figures, by the groups of quantity_patterns.QUANTITY


def read_fraction(match: re.Match[str]) -> float:
    """Return a fraction: 2/3, two thirds, a quarter."""
    top = match["top"].lower()
    figure = NUMBER_WORDS[top] if top in NUMBER_WORDS else float(top)
    if match["part"].startswith("-"):
        figure = -figure
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
    whole = read_count_or_article(match["whole2"])
    n_parts = read_count_or_article(match["part2"])
    part = FRACTIONS[match["name2"].lower()]
    scale_name = match["scale2"] or match["scale3"] or ""
    return SCALES.get(scale_name.lower(), 1) * (whole + n_parts * part)


def read_count_or_article(word: str) -> float:
    """Return a number in digits or words; an article is one."""
    return 1.0 if word.lower() in ("a", "an") else read_count(word)


def read_root(match: re.Match[str]) -> float:
    """Return a square root: √2, 3√2, √2/2."""
    root = math.sqrt(float(match["under"]))
    times = float(match["times"] or 1)
    below = float(match["below"] or 1) or 1.0
    is_negative = match["root"].startswith("-")
    figure = root * times / below
    return -figure if is_negative else figure


# "1,234,567" and "1.234.567", without decimals.
GROUPS_OF_THREE = re.compile(r"-?\d{1,3}(?:,\d{3})+|-?\d{1,3}(?:\.\d{3}){2,}")


def read_digits(text: str) -> float:
    """Return a number in digits, with any usual sign between groups and before decimals.

    >>> [read_digits(text) for text in ("1,234.5", "1.234,5", "1 234 567", "3,14", "1e6")]
    [1234.5, 1234.5, 1234567.0, 3.14, 1000000.0]
    """
    text = text.replace(" ", "").replace("'", "")
    if text.startswith("0,"):
        text = text.replace(",", ".")  # no group of thousands begins with a zero
    if GROUPS_OF_THREE.fullmatch(text):
        return float(text.replace(",", "").replace(".", ""))
    last_sign = max(text.rfind(","), text.rfind("."))
    has_decimal_comma = last_sign > 0 and text[last_sign] == ","
    if has_decimal_comma:
        whole = text[:last_sign].replace(".", "").replace(",", "")
        return float(f"{whole}.{text[last_sign + 1 :]}")
    return float(text.replace(",", ""))


def read_number(match: re.Match[str]) -> float:
    """Return a number in digits or words with its scale: 1.5 million, twenty-one, 1亿5000万."""
    if match["digits"]:
        figure = read_digits(match["digits"])
    else:
        figure = read_number_words(match["words"].lower())
    scale = (match["scale"] or "").strip().lower()
    is_chinese = scale[:1] in ("万", "亿", "百", "千")
    for part in scale if is_chinese else [scale]:  # 万亿 are two scales
        figure *= SCALES.get(part) or SHORT_SCALES.get(part, 1)
    return figure + 1e4 * float(match["rest"] or 0)


def read_decade_name(match: re.Match[str]) -> float:
    """Return the first year of a decade: 1990 for "nineteen-nineties", 90 for "the nineties"."""
    decade = float(DECADES[match["decade_word"].lower()])
    hundreds = match["hundreds"]
    return 100 * NUMBER_WORDS[hundreds.lower()] + decade if hundreds else decade


# How the figure of each kind of quantity is read.
FIGURES = {
    "clock": lambda m: read_clock(m)[0],
    "ratio": read_ratio,
    "share_of": lambda m: 100 * read_count(m["some"]) / (read_count(m["all"]) or 1.0),
    "decade": lambda m: float(re.sub(r"\D", "", m["decade"])),
    "decade_name": read_decade_name,
    "and_part": read_and_part,
    "age": lambda m: float(m["century"] or m["han_century"]),
    "part": read_fraction,
    "mixed": read_mixed,
    "half_scale": lambda m: NUMBER_WORDS[m["half_name"].lower()] / 2,
    "single": lambda m: FRACTIONS[(m["share"] or m["half_of"]).lower()],
    "root": read_root,
    "number": read_number,
    "roman": lambda m: read_roman(m["roman"]),
}


# ---- times of day

# "half past seven", "twenty-five minutes to 9".
MINUTES_BESIDE_HOUR = re.compile(
    r"(?:a )?(?P<minutes>\w+(?:[ -]five)?)(?: minutes?)? (?P<side>past|to) (?P<hour>\w+)"
)
# "halb neun" is half past eight, "Viertel nach acht" a quarter past eight.
GERMAN_MINUTES = re.compile(
    r"(?P<minutes>halb|viertel|fünf|zehn|zwanzig)(?: (?P<side>vor|nach))? (?!uhr)(?P<hour>\w+)"
)
GERMAN_PARTS = {"halb": 30, "viertel": 15, "fünf": 5, "zehn": 10, "zwanzig": 20}
# "7", "seven", "7:05", "17 Uhr 5", "7点半"
HOUR_AND_MINUTE = re.compile(
    r"(?P<hour>\d+|[^\W\d_]+)(?:(?:[:.点时]| uhr )(?P<minute>\d{1,2}|半|[13一三]刻)?)?"
    r"(?::(?P<second>\d\d))?"
)
# "seven thirty", "nine oh five"
SPOKEN_TIME = re.compile(
    r"(?P<hour>[a-z]+)[ -](?:oh[ -])?"
    r"(?P<minute>(?:ten|fifteen|twenty|thirty|forty|fifty)(?:[ -][a-z]+)?|(?<=oh[ -])[a-z]+)\b"
)
MINUTE_WORDS = {
    "half": 30,
    "quarter": 15,
    "twenty-five": 25,
    "半": 30,
    "1刻": 15,
    "3刻": 45,
    "一刻": 15,
    "三刻": 45,
}
NOON = 12  # hours
HALF_A_DAY = 720.0  # minutes
FIRST_HOUR_OF_NIGHT = 6
NAMED_HOUR = re.compile(r"(?:^|\s)(?:noon|midday|midnight)$")  # no "afternoon"


def read_clock(match: re.Match[str]) -> tuple[float, str]:
    """Return a time of day in minutes and its half: "a" before noon, "p" after, "" if unknown."""
    clock = re.sub(r"\s", " ", match["clock"].lower())
    is_beside = MINUTES_BESIDE_HOUR.match(clock) is not None
    if NAMED_HOUR.search(clock) and not is_beside:
        return (0.0 if "midnight" in clock else 60.0 * NOON), "p"
    hour, minutes = read_hour_and_minutes(clock)
    before = match.string[max(0, match.start() - 2) : match.start()]
    half = read_half_of_day(clock, before, hour)
    if half:
        hour = hour % NOON + NOON * (half == "p")
    return 60.0 * hour + minutes, half


def read_hour_and_minutes(clock: str) -> tuple[int, float]:
    """Return the hour and the minutes after it; minutes before the hour are negative."""
    german = GERMAN_MINUTES.match(clock)
    if german:
        sign = 1 if german["side"] == "nach" else -1
        return read_hour(german["hour"]), sign * GERMAN_PARTS[german["minutes"]]
    beside = MINUTES_BESIDE_HOUR.match(clock)
    if beside:
        sign = 1 if beside["side"] == "past" else -1
        return read_hour(beside["hour"]), sign * read_minutes(beside["minutes"])
    spoken = SPOKEN_TIME.match(clock)
    if spoken:
        return read_hour(spoken["hour"]), read_number_words(spoken["minute"])
    parts = HOUR_AND_MINUTE.match(clock)
    if not parts:
        return 0, 0.0
    seconds = int(parts["second"] or 0)
    return read_hour(parts["hour"]), read_minutes(parts["minute"] or "0") + seconds / 60


HOURS_BY_NAME = {"noon": 12, "midday": 12, "midnight": 24}


def read_hour(word: str) -> int:
    """Return an hour in digits or words; the German ein is one."""
    if word in HOURS_BY_NAME:
        return HOURS_BY_NAME[word]
    return int(word) if word.isdigit() else int(NUMBER_WORDS.get(word, 1))


def read_minutes(word: str) -> int:
    """Return minutes in digits or words: half, quarter, twenty five."""
    if word.isdigit():
        return int(word)
    return int(MINUTE_WORDS.get(word.replace(" ", "-")) or NUMBER_WORDS[word])


# "5 a.m.", "5 in the morning", "neun Uhr morgens"; "5 p.m.", "neun Uhr abends".
BEFORE_NOON = re.compile(r"(?:(?:morning|a)\.?m?\.?|morgens|vormittags)$")
AFTER_NOON = re.compile(r"(?:p\.?m?\.?|afternoon|evening|mittags|abends|nachts)$")


def read_half_of_day(clock: str, before: str, hour: int) -> str:
    """Return "a" for a time before noon, "p" for one after it, "" if the text does not say it.

    Args:
        clock: the time of day.
        before: the two characters before it, which may be a Chinese part of the day.
        hour: the hour.
    """
    if hour > NOON:
        return ""
    if before in HAN_PARTS_OF_DAY:
        return read_chinese_half(before, hour)
    if clock.endswith("night"):
        return "p" if FIRST_HOUR_OF_NIGHT <= hour < NOON else "a"
    if BEFORE_NOON.search(clock):
        return "a"
    return "p" if AFTER_NOON.search(clock) else ""


def read_chinese_half(part: str, hour: int) -> str:
    """Return the half of the day of an hour by its Chinese part of the day; 中午 is noon."""
    if part in ("下午", "晚上", "傍晚", "夜里") or hour == NOON:
        return "p"
    return "p" if part == "中午" and hour < NOON - 1 else "a"
