"""Edits of the numbers, years and months in English texts: another value, or the same value written differently."""

import random
import re
from collections.abc import Sequence

from metrics.training.text_edits import has_phrase, replace_match
from metrics.training.vocabulary import MONTHS, NUMBER_WORDS, ONES, SCALES, TENS

YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w.,]*\d)")
MONTH_NAMES = [name.title() for name in MONTHS]
MONTH = re.compile(rf"\b(?:{'|'.join(MONTH_NAMES)})\b")
SPOKEN_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
SPOKEN_NUMBER = re.compile(rf"\b(?:{'|'.join(SPOKEN_NUMBERS)})\b", re.I)
YEAR_STEPS = (-100, -30, -12, -10, -7, -5, -3, -2, -1, 1, 2, 3, 4, 6, 8, 11, 20, 100)


def falsify_number(text: str, rng: random.Random) -> str | None:
    """Return a text with one number, year or month changed, None if it has none."""
    matches = [match for pattern in (YEAR, NUMBER, MONTH, SPOKEN_NUMBER) for match in pattern.finditer(text)]
    if not matches:
        return None
    match = rng.choice(matches)
    return replace_match(text, match, choose_other_value(match[0], rng))


def choose_other_value(value: str, rng: random.Random) -> str:
    """Return another month for a month, another year for a year, another number for a number."""
    if MONTH.fullmatch(value):
        return rng.choice([name for name in MONTH_NAMES if name != value])
    if SPOKEN_NUMBER.fullmatch(value):
        return rng.choice([word for word in SPOKEN_NUMBERS if word != value.lower()])
    if YEAR.fullmatch(value):
        return choose_other_year(value, rng)
    return choose_other_figure(value, rng)


def choose_other_year(year: str, rng: random.Random) -> str:
    """Return another year: the last two digits exchanged, or some years earlier or later."""
    if rng.random() < 0.25 and year[2] != year[3]:
        return year[:2] + year[3] + year[2]
    return str(int(year) + rng.choice(YEAR_STEPS))


def choose_other_figure(figure: str, rng: random.Random) -> str:
    """Return another number in digits, with as many decimals, and with commas if the first one has them."""
    value = float(figure.replace(",", ""))
    other = rng.choice([value + 1, value + 2, value * 10, value * 2, max(value - 1, 0), value + 7])
    if other == value:  # 0
        other += 3
    separator = "," if "," in figure else ""
    decimals = len(figure.partition(".")[2])
    return f"{other:{separator}.{decimals}f}"


def falsify_reference(reference: str, references: Sequence[str], rng: random.Random) -> str | None:
    """Return a reference with one number changed, None if it has none or then agrees with another reference."""
    changed = falsify_number(reference, rng)
    if not changed:
        return None
    for other in references:
        if has_phrase(changed, other) and not has_phrase(reference, other):
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
        tens, ones = divmod(number, 10)
        word = TENS[tens - 2]
        return f"{word}-{ONES[ones]}" if ones else word
    scale = next(name for name in ("billion", "million", "thousand", "hundred") if SCALES[name] <= number)
    count, rest = divmod(number, SCALES[scale])
    words = f"{spell_number(count)} {scale}"
    return f"{words} {spell_number(rest)}" if rest else words


def respell_number(text: str) -> str | None:
    """Return a text with one number in words instead of digits or the reverse, None if it has none."""
    digits = NUMBER.search(text)
    if digits:
        whole = digits[0].replace(",", "")
        if whole.isdigit():
            return replace_match(text, digits, spell_number(int(whole)))
    spoken = SPOKEN_NUMBER.search(text)
    if spoken:
        return replace_match(text, spoken, str(NUMBER_WORDS[spoken[0].lower()]))
    return None
