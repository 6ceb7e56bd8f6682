"""Marks around thinking aloud that final_answer.py does not know.

A user names them, or answers begin with them.
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
# Elements of HTML that answers are written in, and what stands around the answer itself.
NO_THINKING = frozenset(
    "a abbr article b big blockquote body br caption center cite code dd div dl dt em figure font "
    "footer form h1 h2 h3 "
    "h4 h5 h6 head header hr html i img input label li main math mark nav ol p pre q s script "
    "section small span "
    "strong style sub sup svg table tbody td th thead tr tt u ul var xml answer final "
    "final_answer response output "
    "result solution".split()
)
LEAST_SHARE = 0.1
# Of the marks that a visitor names.
MOST_PAIRS, MOST_SIGNS = 10, 100


@dataclass(frozen=True)
class UnknownMark:
    """Marks that are not known for thinking.

    It counts the answers that begin with a block in them.
    """

    opening: str
    closing: str
    count: int
    rows: int


class UnknownMarks:
    """Counts the marks that answers begin with, where the rest of the answer follows them."""

    def __init__(self) -> None:
        self.rows = 0
        self.counts = Counter[tuple[str, str]]()

    def add_answer(self, text: str) -> None:
        """Count an answer, its known thinking aside."""
        if not text.strip():
            return
        self.rows += 1
        pair = find_unknown_mark(text)
        if pair:
            self.counts[pair] += 1

    def find_commonest(self) -> UnknownMark | None:
        """Return the commonest marks, where a tenth of the answers begins with them."""
        for (opening, closing), count in self.counts.most_common(1):
            if count >= LEAST_SHARE * self.rows:
                return UnknownMark(opening, closing, count, self.rows)
        return None


def find_unknown_mark(text: str) -> tuple[str, str] | None:
    """Return the marks around a block at the beginning of an answer, if more follows behind it.

    Else None.

    >>> find_unknown_mark("<plan>Paris?</plan> Lyon"), find_unknown_mark("[PLAN]Paris?[/PLAN]Lyon")
    (('<plan>', '</plan>'), ('[PLAN]', '[/PLAN]'))
    >>> [find_unknown_mark(text) for text in ("<b>Paris</b> or Lyon", "<plan>Paris</plan>")]
    [None, None]
    >>> [find_unknown_mark(text) for text in ("[1] Lyon",)]
    [None]
    """
    mark = MARK.match(text)
    if not mark or (mark["tag"] or "").casefold() in NO_THINKING:
        return None
    opening, closing = name_pair(mark)
    _, closed, rest = text[mark.end() :].partition(closing)
    return (opening, closing) if closed and rest.strip() else None


def name_pair(mark: re.Match[str]) -> tuple[str, str]:
    """Return the mark that opens a block, as options name it, and the mark that closes it."""
    tag = mark["tag"]
    if tag and mark["attributes"]:
        # The attributes may differ from answer to answer: a tag with some is named by its
        # beginning.
        return f"<{tag}", f"</{tag}>"
    if tag:
        return f"<{tag}>", f"</{tag}>"
    opening = mark["other"]
    sign = 2 if opening.startswith("<|") else 1
    return opening, f"{opening[:sign]}/{opening[sign:]}"


def parse_tags(text: str) -> Tags:
    """Return the pairs of marks in a text, with spaces between the marks.

    Raises:
        UserError: a mark is alone, or opens and closes.

    >>> parse_tags("<plan> </plan>"), parse_tags("")
    ((('<plan>', '</plan>'),), ())
    """
    marks = text.split()
    pairs = tuple(zip(marks[::2], marks[1::2], strict=False))
    check_tags(pairs, alone=marks[-1] if len(marks) % 2 else "")
    return pairs


def check_tags(pairs: Tags, alone: str = "") -> None:
    """Raise UserError for marks around thinking that cannot be used.

    They are empty, the same, too many or too long.
    """
    wrong = next((pair for pair in pairs if not is_pair(pair)), None)
    if alone or wrong:
        raise UserError("table.bad_tags", marks=shorten_name(" ".join(wrong or (alone,))))
    if len(pairs) > MOST_PAIRS:
        raise UserError("table.many_tags", limit=MOST_PAIRS)


def is_pair(pair: tuple[str, str]) -> bool:
    """Return whether two texts may be the marks around thinking."""
    opening, closing = pair
    if not opening.strip() or not closing.strip() or opening == closing:
        return False
    return max(map(len, pair)) <= MOST_SIGNS
