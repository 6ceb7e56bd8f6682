"""Formats numbers as the texts of cells. A missing figure is a dash, and never 0."""

from __future__ import annotations

from collections.abc import Callable

from lens.words import say
from lens.words.formats import format_percent

DASH = "–"


def format_decimal(value: float | None, digits: int) -> str:
    """Return a figure with this many digits; a dash for None.

    >>> format_decimal(0.12345, 4), format_decimal(-0.00001, 4), format_decimal(None, 4)
    ('0.1235', '0.0000', '–')
    """
    if value is None:
        return DASH
    rounded = round(value, digits) + 0.0  # -0.0 + 0.0 is 0.0
    return f"{rounded:.{digits}f}"


def format_interval(low: float | None, high: float | None, digits: int) -> str:
    """Return an interval; a dash for None. If it does not contain 0, no end is rounded to 0.

    >>> format_interval(0.00002, 0.5, 4), format_interval(-0.00002, 0.5, 4)
    ('[2e-05, 0.5000]', '[0.0000, 0.5000]')
    """
    if low is None or high is None:
        return DASH
    excludes_zero = low * high > 0
    ends = []
    for end in (low, high):
        text = format_decimal(end, digits)
        is_rounded_to_zero = float(text) == 0
        ends.append(f"{end:.0e}" if excludes_zero and is_rounded_to_zero else text)
    return join_ends(ends)


def format_shares(
    low: float | None, high: float | None, format_end: Callable[[float], str] = format_percent
) -> str:
    """Return an interval of shares; a dash for None.

    >>> format_shares(0.25, 1.0)
    '[25%, 100%]'
    """
    if low is None or high is None:
        return DASH
    return join_ends([format_end(low), format_end(high)])


def join_ends(ends: list[str]) -> str:
    """Return the ends of an interval in brackets."""
    return f"[{', '.join(ends)}]"


def format_p_value(value: float | None) -> str:
    """Return a p-value; a dash for None. A p below 0.05 is never rounded up to 0.05.

    >>> format_p_value(100 / 2001), format_p_value(102 / 2001)
    ('0.0499', '0.0510')
    """
    if value is None:
        return DASH
    shown = min(value, 0.0499) if value < 0.05 else value
    return f"{shown:.4f}"


def format_mean(
    mean: float | None,
    low: float | None,
    high: float | None,
    digits: int,
) -> str:
    """Return a mean with half the width of its interval; a dash for None.

    >>> format_mean(0.5, 0.4, 0.6, 3), format_mean(0.5, None, None, 3)
    ('0.500 ± 0.100', '0.500')
    """
    text = format_decimal(mean, digits)
    if mean is None or low is None or high is None:
        return text
    return f"{text} ± {format_decimal((high - low) / 2, digits)}"


def format_rank(best: int | None, worst: int | None) -> str:
    """Return a range of ranks; a dash for None.

    >>> format_rank(1, 1), format_rank(2, 4), format_rank(None, None)
    ('1', '2 to 4', '–')
    """
    if best is None or worst is None:
        return DASH
    return f"{best}" if best == worst else say("report.rank_ends", low=best, high=worst)
