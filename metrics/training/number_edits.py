"""Edit numbers, years and months in English texts: another value, or another spelling."""

import re
from collections.abc import Sequence
from random import Random

from metrics.training.text_edits import has_phrase, replace_match
from metrics.training.vocabulary import MONTHS, NUMBER_WORDS, ONES, SCALES, TENS

# A year from 1000 to 2099.
YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
# A number of up to three digits, or with commas: "206", "1,257", "3.5". It is no part of a longer
# one: "2024" and "1.2.3" have none.
NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w.,]*\d)")
MONTH_NAMES = [name.title() for name in MONTHS]
MONTH = re.compile(rf"\b(?:{'|'.join(MONTH_NAMES)})\b")
SPOKEN_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
SPOKEN_NUMBER = re.compile(rf"\b(?:{'|'.join(SPOKEN_NUMBERS)})\b", re.I)
# By how many years a wrong year differs.
YEAR_STEPS = (-100, -30, -12, -10, -7, -5, -3, -2, -1, 1, 2, 3, 4, 6, 8, 11, 20, 100)
# From the largest: a number is spelled with the first that is not larger than it.
SCALE_NAMES = ("billion", "million", "thousand", "hundred")


def falsify_number(text: str, rng: Random) -> str | None:
    """Return a text with one number, year or month changed; None if it has none."""
    matches: list[re.Match[str]] = []
    for pattern in (YEAR, NUMBER, MONTH, SPOKEN_NUMBER):
        matches += pattern.finditer(text)
    if not matches:
        return None
    match = rng.choice(matches)
    other_value = choose_other_value(match[0], rng)
    return replace_match(text, match, other_value)


def choose_other_value(value: str, rng: Random) -> str:
    """Return another month for a month, another year for a year, another number for a number."""
    if MONTH.fullmatch(value):
        return choose_other_word(value, MONTH_NAMES, rng)
    if SPOKEN_NUMBER.fullmatch(value):
        return choose_other_word(value.lower(), SPOKEN_NUMBERS, rng)
    if YEAR.fullmatch(value):
        return choose_other_year(value, rng)
    return choose_other_figure(value, rng)


def choose_other_word(word: str, words: Sequence[str], rng: Random) -> str:
    """Return one of some words, but not this one."""
    others = [other for other in words if other != word]
    return rng.choice(others)


def choose_other_year(year: str, rng: Random) -> str:
    """Return another year: with its last two digits exchanged, or some years earlier or later."""
    century, tens, ones = year[:2], year[2], year[3]
    if rng.random() < 0.25 and tens != ones:
        return century + ones + tens
    other = int(year) + rng.choice(YEAR_STEPS)
    return str(other)


def choose_other_figure(figure: str, rng: Random) -> str:
    """Return another number in digits.

    It has as many decimals, and commas if this one has any.
    """
    value = float(figure.replace(",", ""))
    candidates = [
        value + 1,
        value + 2,
        value * 10,
        value * 2,
        max(value - 1, 0),
        value + 7,
    ]
    other = rng.choice(candidates)
    if other == value:
        # A factor, or the least value, leaves 0 as it is.
        other += 3
    separator = "," if "," in figure else ""
    _, _, decimals = figure.partition(".")
    return f"{other:{separator}.{len(decimals)}f}"


def falsify_reference(reference: str, references: Sequence[str], rng: Random) -> str | None:
    """Return a reference with one number changed.

    Return None if it has no number, or if it then contains another reference and so may be right.
    """
    changed = falsify_number(reference, rng)
    if not changed:
        return None
    for right_answer in references:
        if has_phrase(changed, right_answer) and not has_phrase(reference, right_answer):
            return None
    return changed


def spell_number(number: int) -> str:
    """Return a whole number below a trillion in English words.

    >>> spell_number(2021)
    'two thousand twenty-one'
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        words = TENS[tens - 2]
        separator = "-"
    else:
        scale = next(name for name in SCALE_NAMES if SCALES[name] <= number)
        count, rest = divmod(number, SCALES[scale])
        words = f"{spell_number(count)} {scale}"
        separator = " "
    if not rest:
        return words
    return f"{words}{separator}{spell_number(rest)}"


def respell_number(text: str) -> str | None:
    """Return a text with one number in words instead of digits, or the reverse.

    Return None if it has no number.
    """
    digits = NUMBER.search(text)
    if digits:
        figure = digits[0].replace(",", "")
        if figure.isdigit():
            words = spell_number(int(figure))
            return replace_match(text, digits, words)
    spoken = SPOKEN_NUMBER.search(text)
    if spoken:
        word = spoken[0].lower()
        return replace_match(text, spoken, f"{NUMBER_WORDS[word]:g}")
    return None
