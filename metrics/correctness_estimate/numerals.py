"""Numerals that are no digits, English, Roman and Chinese, as values; units of measure by their
spellings.
"""

import re
import unicodedata

from .lexicon import (
    HAN_DIGITS,
    HAN_NO_NUMBER,
    HAN_NUMBER,
    HAN_SCALES,
    NUMBER_WORDS,
    ROMAN_DIGITS,
    UNITS,
)

LONGEST_NUMERAL = 30  # characters: what is longer counts nothing
HAN_NUMERAL = re.compile(
    f"(?:{HAN_NO_NUMBER})|(?P<and_half>{HAN_NUMBER}|\\d{{1,9}})个半|(?P<tenths>[一二三四五六七八九\\d])成|(?P<half>半个?)(?=小时|钟头|月|年|天|斤|公斤)|"
    f"(?P<below>{HAN_NUMBER}|\\d{{1,9}})分之(?P<above>{HAN_NUMBER}|\\d{{1,9}}(?:\\.\\d{{1,9}})?)"
    f"|(?P<whole>{HAN_NUMBER})点(?P<decimals>[零〇一二三四五六七八九]{{1,9}})|(?:第)?(?P<numeral>{HAN_NUMBER})"
)
COUNTED = frozenset(
    "点个年月日号天岁回次人名位只条本部座米公千克斤吨秒分小周星世元美英度章集场届代国省种州层万亿"
)


def read_units() -> dict[str, tuple[str, float, str]]:
    """Return of each spelling its dimension, how many of the dimension's unit it is, and its usual
    name.
    """
    found: dict[str, tuple[str, float, str]] = {}
    for line in UNITS.strip().replace("\n ", " ").splitlines():
        dimension, _, rest = line.partition(": ")
        for entry in rest.split("|"):
            factor, *names = entry.split()
            for name in (unicodedata.normalize("NFKC", name.replace("-", " ")) for name in names):
                found |= {form: (dimension, float(factor), names[0]) for form in (name, f"{name}s")}
    return found


UNIT = read_units()


def read_number_words(words: str) -> float:
    """Return a number written in English words.

    >>> [read_number_words(words) for words in ("one hundred and twenty-one", "nineteen eighty-four", "two million")]
    [121.0, 1984.0, 2000000.0]
    """
    total = part = 0.0
    for word in re.findall(r"[^\W\d_]+", words):
        value = NUMBER_WORDS.get(word, 0.0)
        if value >= 1000:
            total, part = total + (part or 1.0) * value, 0.0
        elif value in (100, 12) and word.startswith(("hundred", "dozen")):
            part = (part or 1.0) * value
        elif 10 <= part < 100 and value >= 10 and part % 100 >= 10:
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


def read_han_numeral(match: re.Match[str]) -> str:
    """Return a Chinese numeral as digits; a single character only before what is counted.

    >>> [HAN_NUMERAL.sub(read_han_numeral, text) for text in ("三分之一", "百分之五", "一亿五千万", "两个人")]
    ['1/3', '5%', '150000000', '2个人']
    """
    if match["tenths"]:
        return f"{match['tenths'] if match['tenths'].isascii() else HAN_DIGITS[match['tenths']]}0%"
    if match["half"]:
        return "0.5"
    if match["and_half"]:
        figure = match["and_half"]
        return f"{figure if figure.isdigit() and figure.isascii() else han_value(figure)}.5"
    if match["below"]:
        return read_han_fraction(match["below"], match["above"])
    if match["whole"]:
        return (
            f"{han_value(match['whole'])}.{''.join(str(HAN_DIGITS[c]) for c in match['decimals'])}"
        )
    numeral = match["numeral"]
    if not numeral or len(numeral) > LONGEST_NUMERAL:
        return match[0]
    after = match.string[match.end() : match.end() + 1]
    if (
        len(numeral) == 1
        and after not in COUNTED
        and len(match.string) > 3
        and not match[0].startswith("第")
    ):
        return match[0]
    if match.string[match.start() - 1 : match.start()].isdigit():
        return match[0]  # 3万: a scale
    return str(han_value(numeral))


def read_han_fraction(below: str, above: str) -> str:
    """Return a Chinese fraction as digits: 三分之一 is 1/3, 百分之五 is 5%."""
    top = above if above[0].isdigit() else str(han_value(above))
    if below in ("百", "100"):
        return f"{top}%"
    return f"{top}/{below if below.isdigit() and below.isascii() else han_value(below)}"


def han_value(numeral: str) -> int:
    """Return the value of a Chinese numeral.

    >>> han_value("一九九八"), han_value("三百二十")
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
            total = (total + part + digit or 1) * scale
            part = 0
        digit = 0
    return total + part + digit
