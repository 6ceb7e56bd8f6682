r"""Finds texts that contain several references, and the separator between them.

Texts are split only if the user says so, because a "/" or ";" may belong to an answer. A "/" in a
date, a fraction, a unit (km/h), an address or "and/or" is not reported. Nor is a separator of a
text with a part of more than MAX_WORDS words or MAX_CHARACTERS characters. A short sentence with
";" or "or" is reported: "I came; I saw."
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lens.tables.final_marks import find_own_final
from lens.tables.list_texts import looks_like_list, read_list

# The separators as --separator and the page accept them. " or " is a word, and may belong to an
# answer.
SEPARATORS = ("/", ";", "|", r"\n")
OR = " or "
LIST = "json"
# Signs that have no other use than to separate, such as "||" or "<sep>".
MARKER = re.compile(r"\|{2,}|;{2,}|#{3,}|@{2,}|<(?:or|sep)>|\[(?:or|sep)\]", re.I)
# A text without any of these has no separator.
HAS_SEPARATOR = re.compile(
    r"[/;|\n]|###|@@|<(?:or|sep)>|\[(?:or|sep)\]| or |\A\s*(?:array\()?[\[({]", re.I
)
# A "/" that belongs to an answer: between numbers, in an address or a path, in "and/or" and the
# like.
SLASH_WITHIN = re.compile(
    r"\d\s?/\s?\d|:/|\w\.\w{2,}/|\b(?:and/or|s/he|he/she|his/her|w/o?|c/o|n/a)\b", re.I
)
DIGIT = re.compile(r"\d")
# A "/" and a unit behind a number: "60 miles/hour", "5 mg/dL".
PER_UNIT = re.compile(
    r"/\s*(?:[a-zµ]{1,2}|h(?:ou)?rs?|sec(?:ond)?s?|min(?:ute)?s?|day|week|month|year|mol|person"
    r"|capita)\b",
    re.I,
)
# The longest part of a split text, in words, and in characters for languages without spaces. This
# limit and the next ones are choices, not measured.
MAX_WORDS = 10
MAX_CHARACTERS = 120
# If all parts around "/" have at most this number of characters, they may be units or an
# abbreviation.
MAX_UNIT_LENGTH = 3
# The most words on each side of "or".
MAX_WORDS_OR = 4
# A separator that may belong to an answer is reported if this share of the references has it.
MIN_SHARE = 0.1


@dataclass(frozen=True)
class FoundSeparator:
    """The most frequent separator in the references, which the user did not choose.

    Attributes:
        separator: the separator.
        count: the number of references in which it stands between texts that look like answers.
        references: the number of references.
        less_frequent: the other separators, with their counts.
    """

    separator: str
    count: int
    references: int
    less_frequent: Sequence[tuple[str, int]] = ()


def find_separators(text: str) -> list[str]:
    r"""Return the separators that stand between parts of a text which look like answers.

    >>> [find_separators(text) for text in ("Edward VIII/Prince Edward", '["a", "b"]')]
    [['/'], ['json']]
    >>> [find_separators(text) for text in ("a; b | c", "Ann\nBob")]
    [[';', '|'], ['\\n']]
    >>> [find_separators(text) for text in ("['a' 'b']", "a || b", "a <OR> b", "Paris or Lutetia")]
    [['json'], ['||'], ['<OR>'], [' or ']]
    >>> find_separators("48/2 = 24\n#### 24"), find_separators("x = 1\nx + 1 = 2")
    ([], [])
    >>> [find_separators(text) for text in ("12/03/2020", "90 km/h", "https://a.org/b/c")]
    [[], [], []]
    >>> [find_separators(text) for text in ("cats and/or dogs", "AC/DC")]
    [[], []]
    >>> find_separators("I came; I saw."), find_separators("word " * 11 + "; b")
    ([';'], [])
    """
    if not HAS_SEPARATOR.search(text) or find_own_final(text):
        return []
    if looks_like_list(text):
        return [LIST] if read_list(text) else []
    # A list that cannot be parsed is not split, because its brackets would stay in the parts.
    if text.lstrip().startswith("["):
        return []
    separators = []
    for separator in (*SEPARATORS, *dict.fromkeys(MARKER.findall(text))):
        if is_separating(read_sign(separator), text):
            separators.append(separator)
    if has_alternatives(text):
        separators.append(OR)
    return separators


def is_separating(sign: str, text: str) -> bool:
    """Return whether a sign stands between parts of a text that look like answers."""
    if sign not in text:
        return False
    parts = [part.strip() for part in text.strip().split(sign)]
    if not all(is_short_answer(part, MAX_WORDS) for part in parts):
        return False
    if sign == "\n":
        # The lines of a calculation have an equals sign.
        return "=" not in text
    if sign != "/":
        return True
    is_unit = max(map(len, parts)) <= MAX_UNIT_LENGTH
    return not is_unit and not SLASH_WITHIN.search(text) and not has_rate(text)


def is_short_answer(text: str, max_words: int) -> bool:
    """Return whether a text is not empty, and as short as an answer."""
    return 0 < len(text) <= MAX_CHARACTERS and 0 < len(text.split()) <= max_words


def has_alternatives(text: str) -> bool:
    """Return whether a text has short alternatives with "or" between them.

    Texts that end like a sentence and texts with digits ("2 or 3 days") do not count.
    """
    parts = text.strip().split(OR)
    is_sentence = text.rstrip().endswith((".", "?", "!"))
    if len(parts) < 2 or is_sentence or DIGIT.search(text):
        return False
    return all(is_short_answer(part, MAX_WORDS_OR) for part in parts)


def has_rate(text: str) -> bool:
    """Return whether a "/" and a unit follow anywhere behind a number.

    A single pattern for both would search the rest of the text again from every digit.
    """
    digit = DIGIT.search(text)
    return digit is not None and PER_UNIT.search(text, digit.end()) is not None


def read_sign(separator: str) -> str:
    r"""Return the characters that a separator stands for: "\n" is written for a line break."""
    return separator.replace(r"\n", "\n")


def split_references(text: str, separator: str) -> str | list[str]:
    """Split one text into references: at the separator, or with "json" as a list.

    Parts are stripped, and empty ones are left out. A text that cannot be split is returned
    unchanged.

    >>> split_references("a / b", "/"), split_references("['a ', 'b/c']", "json")
    (['a', 'b'], ['a ', 'b/c'])
    >>> split_references("[a]", "json")
    '[a]'
    """
    if separator == LIST:
        texts = read_list(text)
        return text if texts is None else texts
    sign = read_sign(separator)
    if not sign or sign not in text:
        return text
    parts = [part.strip() for part in text.split(sign)]
    return [part for part in parts if part] or [text]


def is_certain(separator: str) -> bool:
    """Return whether a separator has no other meaning, so a single row with it is reported."""
    return separator == LIST or MARKER.fullmatch(separator) is not None


def rank_separator(separator_and_count: tuple[str, int]) -> tuple[int, bool]:
    """Return the sort key of a separator and its count.

    Of two equally frequent separators, the certain one ranks higher.
    """
    separator, count = separator_and_count
    return count, is_certain(separator)


class Separators:
    """Counts the separators in references, and texts that look like lists but cannot be parsed."""

    def __init__(self) -> None:
        self.n_references = 0
        self.unreadable = 0
        self.counts = Counter[str]()

    def add_reference(self, reference: object) -> None:
        """Count a reference; a list of references is skipped, because it is already split."""
        if not isinstance(reference, str) or not reference.strip():
            return
        self.n_references += 1
        separators = find_separators(reference)
        self.counts.update(separators)
        if not separators and looks_like_list(reference):
            self.unreadable += 1

    def find_most_frequent(self) -> FoundSeparator | None:
        """Return the most frequent separator; None if no separator is frequent enough."""
        counts = []
        for separator, count in self.counts.most_common():
            if self.is_frequent_enough(separator, count):
                counts.append((separator, count))
        if not counts:
            return None
        counts.sort(key=rank_separator, reverse=True)
        (separator, count), *less_frequent = counts
        return FoundSeparator(separator, count, self.n_references, less_frequent)

    def is_frequent_enough(self, separator: str, count: int) -> bool:
        """Return whether a separator is certain, or stands in a tenth of the references."""
        return is_certain(separator) or count >= MIN_SHARE * self.n_references


def find_frequent_separator(references: Iterable[object]) -> FoundSeparator | None:
    """Return the most frequent separator in references; None if none is frequent enough.

    `Separators.is_frequent_enough` says when it is.
    """
    separators = Separators()
    for reference in references:
        separators.add_reference(reference)
    return separators.find_most_frequent()
