r"""Several references in one text that nobody split.

Which separator stands between them, and in how many rows.

Nothing is split unasked, for a "/" or ";" may belong to an answer: dates, fractions, units (km/h),
addresses, "and/or" and sentences do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lens.tables.final_marks import find_own_final
from lens.tables.list_texts import looks_like_list, read_list

# As --separator and the page take them; " or " is a word, and may well belong to an answer.
SIGNS, OR, LIST = ("/", ";", "|", r"\n"), " or ", "json"
# What nobody writes but to separate.
MARKER = re.compile(r"\|{2,}|;{2,}|#{3,}|@{2,}|<(?:or|sep)>|\[(?:or|sep)\]", re.I)
# Without any of these there is nothing to look for.
ANY = re.compile(r"[/;|\n]|###|@@|<(?:or|sep)>|\[(?:or|sep)\]| or |\A\s*(?:array\()?[\[({]", re.I)
# A "/" that belongs to an answer: between numbers, in an address or a path, in "and/or" and its
# like.
SLASH_WITHIN = re.compile(
    r"\d\s?/\s?\d|:/|\w\.\w{2,}/|\b(?:and/or|s/he|he/she|his/her|w/o?|c/o|n/a)\b", re.I
)
DIGIT = re.compile(r"\d")
# What follows a number so: "60 miles/hour", "5 mg/dL".
PER_UNIT = re.compile(
    r"/\s*(?:[a-zµ]{1,2}|h(?:ou)?rs?|sec(?:ond)?s?|min(?:ute)?s?|day|week|month|year|mol|person"
    r"|capita)\b",
    re.I,
)
# An answer has at most so many words, or signs where words are not spaced. Parts of units and
# abbreviations are short.
MOST_WORDS, MOST_SIGNS, SHORT = 10, 120, 3
# Beside "or" an answer is shorter still: longer texts are sentences.
MOST_WORDS_OR = 4
LEAST_SHARE = 0.1


@dataclass(frozen=True)
class Unsplit:
    """A separator that nobody named.

    It counts the references that have it between what look like answers.
    """

    separator: str
    count: int
    rows: int
    others: Sequence[tuple[str, int]] = ()


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
    """
    if not ANY.search(text) or find_own_final(text):
        return []
    if looks_like_list(text):
        return [LIST] if read_list(text) else []
    if text.lstrip().startswith("["):
        return []
    separators = []
    for separator in (*SIGNS, *dict.fromkeys(MARKER.findall(text))):
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
    if not all(is_short_answer(part, MOST_WORDS) for part in parts):
        return False
    if sign == "\n":
        # The lines of a calculation have an equals sign.
        return "=" not in text
    if sign != "/":
        return True
    is_unit = max(map(len, parts)) <= SHORT
    return not is_unit and not SLASH_WITHIN.search(text) and not has_rate(text)


def is_short_answer(text: str, most_words: int) -> bool:
    """Return whether a text is as short as an answer, and not empty."""
    return 0 < len(text) <= MOST_SIGNS and 0 < len(text.split()) <= most_words


def has_alternatives(text: str) -> bool:
    """Return whether a text is names with "or" between them.

    Sentences and numbers ("2 or 3 days") are none.
    """
    parts = text.strip().split(OR)
    is_sentence = text.rstrip().endswith((".", "?", "!"))
    if len(parts) < 2 or is_sentence or DIGIT.search(text):
        return False
    return all(is_short_answer(part, MOST_WORDS_OR) for part in parts)


def has_rate(text: str) -> bool:
    """Return whether a number is followed, somewhere, by a "/" and a unit.

    One pattern for both would look through the rest of the text again from every digit.
    """
    digit = DIGIT.search(text)
    return digit is not None and PER_UNIT.search(text, digit.end()) is not None


def read_sign(separator: str) -> str:
    r"""Return the sign that a separator stands for: a line break is given as \n."""
    return separator.replace(r"\n", "\n")


def split_references(text: str, separator: str) -> str | list[str]:
    """Return the references in one text: between the separator, or with "json" those of a list.

    Else the text alone.

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
    """Return whether a separator can be nothing else.

    Then a single row with it is worth a word.
    """
    return separator == LIST or MARKER.fullmatch(separator) is not None


def rank_separator(counted: tuple[str, int]) -> tuple[int, bool]:
    """Return the key that separators are sorted by.

    Of two as common, one that can be nothing else goes first.
    """
    separator, count = counted
    return count, is_certain(separator)


class Separators:
    """Counts the separators of references, and texts that look like lists but are none."""

    def __init__(self) -> None:
        self.rows = 0
        self.unreadable = 0
        self.counts = Counter[str]()

    def add_reference(self, reference: object) -> None:
        """Count a reference; one that is a list is split already."""
        if not isinstance(reference, str) or not reference.strip():
            return
        self.rows += 1
        separators = find_separators(reference)
        self.counts.update(separators)
        if not separators and looks_like_list(reference):
            self.unreadable += 1

    def find_commonest(self) -> Unsplit | None:
        """Return the commonest separator.

        One that may belong to answers where a tenth of the references has it.
        """
        counts = []
        for separator, count in self.counts.most_common():
            if self.is_worth_telling(separator, count):
                counts.append((separator, count))
        if not counts:
            return None
        counts.sort(key=rank_separator, reverse=True)
        (separator, count), *others = counts
        return Unsplit(separator, count, self.rows, others)

    def is_worth_telling(self, separator: str, count: int) -> bool:
        """Return whether a separator stands in enough references."""
        return is_certain(separator) or count >= LEAST_SHARE * self.rows


def find_unsplit(references: Iterable[object]) -> Unsplit | None:
    """Return the commonest separator that nobody named in some references."""
    separators = Separators()
    for reference in references:
        separators.add_reference(reference)
    return separators.find_commonest()
