"""Marks around thinking that final_answer.py does not know.

They are chosen by the user, or found at the beginning of answers.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lens.tables.final_answer import Tags
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# A mark at the beginning of an answer: <plan>, [PLAN], <|plan|>, 【思考】.
TAG = r"<(?P<tag>\w[\w:.-]{0,40})(?P<attributes>\s[^<>\n]{0,200})?>"
MARK = re.compile(
    rf"\s*(?:{TAG}|(?P<other>\[[^\W\d_][\w ]{{0,40}}\]|<\|[\w:]{{1,40}}\|>|【\w{{1,20}}】))"
)
# Elements of HTML in answers, and tags around the answer itself. Neither marks thinking.
NO_THINKING_TAGS = frozenset(
    "a abbr article b big blockquote body br caption center cite code dd div dl dt em figure font "
    "footer form h1 h2 h3 h4 h5 h6 head header hr html i img input label li main math mark nav ol "
    "p pre q s script section small span strong style sub sup svg table tbody td th thead tr tt u "
    "ul var xml answer final final_answer response output result solution".split()
)
# Marks are reported if this share of the answers begins with them.
MIN_SHARE = 0.1
# The most pairs of marks that a visitor may choose, and the longest mark in characters.
MAX_PAIRS = 10
MAX_MARK_LENGTH = 100


@dataclass(frozen=True)
class UnknownMark:
    """A pair of marks that is not known as marks of thinking.

    Attributes:
        opening: the opening mark.
        closing: the closing mark.
        count: the number of answers that begin with a block in these marks.
        rows: the number of answers.
    """

    opening: str
    closing: str
    count: int
    rows: int


class UnknownMarks:
    """Counts the unknown marks around a block at the beginning of answers."""

    def __init__(self) -> None:
        self.rows = 0
        self.counts = Counter[tuple[str, str]]()

    def add_answer(self, text: str) -> None:
        """Count an answer, whose known thinking is already removed."""
        if not text.strip():
            return
        self.rows += 1
        pair = find_unknown_mark(text)
        if pair:
            self.counts[pair] += 1

    def find_most_frequent(self) -> UnknownMark | None:
        """Return the most frequent marks, if a tenth of the answers begin with them; else None."""
        for (opening, closing), count in self.counts.most_common(1):
            if count >= MIN_SHARE * self.rows:
                return UnknownMark(opening, closing, count, self.rows)
        return None


def find_unknown_mark(text: str) -> tuple[str, str] | None:
    """Return the marks around a block at the beginning of an answer, if more text follows.

    The result is None if there is no such block.

    >>> find_unknown_mark("<plan>Paris?</plan> Lyon"), find_unknown_mark("[PLAN]Paris?[/PLAN]Lyon")
    (('<plan>', '</plan>'), ('[PLAN]', '[/PLAN]'))
    >>> [find_unknown_mark(text) for text in ("<b>Paris</b> or Lyon", "<plan>Paris</plan>")]
    [None, None]
    >>> [find_unknown_mark(text) for text in ("[1] Lyon",)]
    [None]
    """
    mark = MARK.match(text)
    if not mark or (mark["tag"] or "").casefold() in NO_THINKING_TAGS:
        return None
    opening, closing = find_pair(mark)
    _, found_closing, answer = text[mark.end() :].partition(closing)
    return (opening, closing) if found_closing and answer.strip() else None


def find_pair(mark: re.Match[str]) -> tuple[str, str]:
    """Return the opening mark, in the form for the command's option, and the closing mark."""
    tag = mark["tag"]
    if tag and mark["attributes"]:
        # Attributes may differ between answers, so only the beginning of the tag is returned.
        return f"<{tag}", f"</{tag}>"
    if tag:
        return f"<{tag}>", f"</{tag}>"
    opening = mark["other"]
    # The slash stands behind "<|", "[" or "【".
    bracket_length = 2 if opening.startswith("<|") else 1
    return opening, f"{opening[:bracket_length]}/{opening[bracket_length:]}"


def parse_tags(text: str) -> Tags:
    """Parse pairs of marks in a text with spaces between the marks.

    Raises:
        UserError: the number of marks is odd, or a pair has two equal marks or a mark that is too
        long.

    >>> parse_tags("<plan> </plan>"), parse_tags("")
    ((('<plan>', '</plan>'),), ())
    """
    marks = text.split()
    pairs = tuple(zip(marks[::2], marks[1::2], strict=False))
    check_tags(pairs, unpaired=marks[-1] if len(marks) % 2 else "")
    return pairs


def check_tags(pairs: Tags, unpaired: str = "") -> None:
    """Raise UserError for marks that cannot be used.

    Such marks are empty, equal, too many, too long, or without a second mark (`unpaired`).
    """
    wrong_pair = next((pair for pair in pairs if not is_pair(pair)), None)
    if unpaired or wrong_pair:
        marks = " ".join(wrong_pair or (unpaired,))
        raise UserError("table.bad_tags", marks=shorten_name(marks))
    if len(pairs) > MAX_PAIRS:
        raise UserError("table.many_tags", limit=MAX_PAIRS)


def is_pair(pair: tuple[str, str]) -> bool:
    """Return whether two texts can be the marks around thinking."""
    opening, closing = pair
    if not opening.strip() or not closing.strip() or opening == closing:
        return False
    return max(map(len, pair)) <= MAX_MARK_LENGTH
