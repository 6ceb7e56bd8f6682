"""Figures in digits, compared in any magnitude: 1,577 beside $1.577 billion, 20% beside 0.2, 3.1
beside 3.14.
"""

import math
import re
from typing import NamedTuple

from .lexicon import SCALES

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
    found = []
    for match in FIGURE.finditer(text):
        written = match[0].replace(",", "")
        whole, _, rest = written.partition(".")
        rest = rest.rstrip("0")
        digits = (whole + rest).lstrip("0") if rest else whole.lstrip("0").rstrip("0")
        percent = text[match.end() : match.end() + 2].strip().startswith("%")
        scale = SCALE.match(text, match.end())
        found.append(
            Figure(
                float(written), max(len(digits), 1), len(rest), percent, scale[1] if scale else ""
            )
        )
        if len(found) == MOST_FIGURES:
            break
    return found


def compare_figures(one: Figure, other: Figure) -> float:
    """Return how far two figures may be one, 0..1: in thousands or
    millions, in percent, rounded.
    """
    if one.scale and other.scale and one.scale != other.scale:  # 1,577 million are 1.577 billion
        one, other = (q._replace(value=q.value * SCALES[q.scale], scale="") for q in (one, other))
        return float(abs(one.value - other.value) <= 0.01 * max(one.value, other.value))
    if one.value == other.value or not one.value or not other.value:
        return float(one.value == other.value)
    best, gap = 0.0, math.log10(one.value / other.value)
    powers = {0, 3 * round(gap / 3)} if min(one.digits, other.digits) > 1 else {0}
    if one.percent or other.percent or min(one.value, other.value) < 1:
        powers |= {2, -2}
    for power in powers:
        if abs(gap - power) < 0.05 and abs(power) <= 9:
            scaled = other.value * 10.0**power
            most = max(one.value, scaled)
            off = abs(one.value - scaled) / most
            rounding = max(0.5 * 10.0**-one.decimals, 0.5 * 10.0 ** (power - other.decimals)) / most
            near = (
                1.0
                if off < 1e-9
                else 0.9
                if off <= min(rounding + 1e-9, 0.06)
                else 0.6
                if off <= 0.01
                else 0.35
            )
            best = max(best, (near if off <= 0.05 else 0.0) - 0.05 * (power != 0))
    return best
