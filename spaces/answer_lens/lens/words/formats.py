"""Formats numbers for texts."""

from __future__ import annotations

import math
import re

from lens.words import say

# LV-Eval ROUGE gives an identical text 0.999999995, because its formula adds 1e-8 to the divisor.
ROUNDING_ERROR = 1e-6
# A Chinese character.
HAN = re.compile("[\u3400-\u9fff]")


def format_number(value: float | None, digits: int = 2) -> str:
    """Return a score with two decimals; a dash for None.

    0.00 means exactly 0, and 1.00 means 1 up to a rounding error.

    >>> [format_number(value) for value in (0.5, 0.001, 0.0, 0.999, 0.999999995, None)]
    ['0.50', '<0.01', '0.00', '>0.99', '1.00', '–']
    """
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    is_between = 0 < value < 1 - ROUNDING_ERROR
    if not is_between or float(text) not in (0.0, 1.0):
        return text
    if value < 0.5:
        return f"<{10**-digits:.{digits}f}"
    return f">0.{'9' * digits}"


def format_percent(value: float) -> str:
    """Return a share as a whole percentage; 0% and 100% mean exactly 0 and 1.

    >>> format_percent(0.5), format_percent(1.0), format_percent(0.9999)
    ('50%', '100%', '>99%')
    >>> format_percent(0.0), format_percent(0.001)
    ('0%', '<1%')
    """
    text = f"{100 * value:.0f}%"
    is_between = 0 < value < 1
    if not is_between or text not in ("0%", "100%"):
        return text
    return "<1%" if value < 0.5 else ">99%"


class Percent(float):
    """A share in a note, which is shown as a whole percentage.

    >>> f"{Percent(0.5)} or {Percent(0.001)}", Percent(0.5) == 0.5
    ('50% or <1%', True)
    """

    def __format__(self, form: str) -> str:
        return format_percent(float(self))


class Money(float):
    """A price in dollars in a note, which is shown with two significant digits.

    >>> f"{Money(0.0000123)}"
    '0.000012 USD'
    """

    def __format__(self, form: str) -> str:
        return format_money(float(self))


def cut_text(text: object, max_length: int) -> str:
    """Return a text, shortened to this many characters."""
    whole = str(text)
    if len(whole) <= max_length:
        return whole
    return whole[:max_length] + "…"


def format_verdict(score: float) -> str:
    """Return the word for a verdict of 1 or 0."""
    return say("page.pass" if score == 1 else "page.fail")


def format_money(cost: float | None) -> str:
    """Return a price in dollars, with two significant digits and at least two decimals.

    >>> format_money(0.0000123), format_money(0.5), format_money(0.0), format_money(None)
    ('0.000012 USD', '0.50 USD', '0 USD', 'price unknown')
    """
    if cost is None:
        return say("page.price_unknown")
    if cost == 0:
        return "0 USD"
    digits = max(2, 1 - math.floor(math.log10(cost)))
    return f"{cost:.{digits}f} USD"
