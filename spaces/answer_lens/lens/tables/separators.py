r"""Several references in one text that nobody split: which separator stands between them, and in how many.

Nothing is split unasked, for a "/" or ";" may belong to an answer: dates, fractions, units (km/h), addresses, "and/or"
and sentences do not count.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lens.tables.cells import fits

# As --separator and the page take them.
SEPARATORS = ("/", ";", "|", r"\n", "json")
# Without any of these there is nothing to look for.
ANY = re.compile(r"[/;|\n]|\A\s*\[")
# A "/" that belongs to an answer: between numbers, in an address or a path, in "and/or" and its like.
SLASH_WITHIN = re.compile(r"\d\s?/\s?\d|:/|\w\.\w{2,}/|\b(?:and/or|s/he|he/she|his/her|w/o?|c/o|n/a)\b", re.I)
DIGIT = re.compile(r"\d")
# What follows a number so: "60 miles/hour", "5 mg/dL".
PER_UNIT = re.compile(
    r"/\s*(?:[a-zµ]{1,2}|h(?:ou)?rs?|sec(?:ond)?s?|min(?:ute)?s?|day|week|month|year|mol|person|capita)\b", re.I
)
# An answer has at most so many words, or signs where words are not spaced. Parts of units and abbreviations are short.
MOST_WORDS, MOST_SIGNS, SHORT = 10, 120, 3
LEAST_SHARE = 0.1


@dataclass(frozen=True)
class Unsplit:
    """A separator that nobody named, and how many of how many references have it between what look like answers."""

    separator: str
    count: int
    rows: int


def separators_in(text: str) -> list[str]:
    r"""The separators that stand between parts of a text which look like answers.

    >>> [separators_in(text) for text in ("Edward VIII/Prince Edward", '["a", "b"]', "a; b | c", "Ann\nBob")]
    [['/'], ['json'], [';', '|'], ['\\n']]
    >>> [separators_in(text) for text in ("12/03/2020", "90 km/h", "https://a.org/b/c", "cats and/or dogs", "AC/DC")]
    [[], [], [], [], []]
    """
    if not ANY.search(text):
        return []
    if text.lstrip().startswith("["):
        try:
            return ["json"] if fits("texts", found := json.loads(text)) and len(found) > 1 else []
        except (ValueError, RecursionError):
            return []
    return [one for one in SEPARATORS[:-1] if (sign := written(one)) in text and separates(sign, text)]


def separates(sign: str, text: str) -> bool:
    """Whether a sign stands between parts of a text that look like answers."""
    parts = [part.strip() for part in text.strip().split(sign)]
    if not all(parts) or any(len(part) > MOST_SIGNS or len(part.split()) > MOST_WORDS for part in parts):
        return False
    if sign != "/":
        return True
    return max(map(len, parts)) > SHORT and not SLASH_WITHIN.search(text) and not has_rate(text)


def has_rate(text: str) -> bool:
    """Return whether a number is followed, somewhere, by a "/" and a unit.

    One pattern for both would look through the rest of the text again from every digit.
    """
    digit = DIGIT.search(text)
    return digit is not None and PER_UNIT.search(text, digit.end()) is not None


def written(separator: str) -> str:
    r"""The sign that a separator stands for: a line break is given as \n."""
    return separator.replace(r"\n", "\n")


class Separators:
    """Counts the separators of references."""

    def __init__(self) -> None:
        self.rows, self.counts = 0, Counter[str]()

    def add(self, reference: object) -> None:
        """Count a reference; one that is a list is split already."""
        if isinstance(reference, str) and reference.strip():
            self.rows += 1
            self.counts.update(separators_in(reference))

    def found(self) -> Unsplit | None:
        """The commonest separator, where at least a tenth of the references has it."""
        ((separator, count),) = self.counts.most_common(1) or [("", 0)]
        return Unsplit(separator, count, self.rows) if count and count >= LEAST_SHARE * self.rows else None


def unsplit(references: Iterable[object]) -> Unsplit | None:
    """The separator that nobody named in some references."""
    counted = Separators()
    for one in references:
        counted.add(one)
    return counted.found()
