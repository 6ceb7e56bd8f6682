"""Joins BERTScore's word pieces to words, each with the similarity to its best match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

# The prefix of a piece that continues the previous piece without a space.
CONTINUES = "##"
# Chinese characters and Japanese kana, each of which is a word.
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\U00020000-\U0010ffff]")
# The lowest similarity of each mark, except the last one ("weak").
MARKS = {"near": 0.9, "close": 0.7, "far": 0.5}


class Word(NamedTuple):
    """A word with its mark, its similarity, and its best match."""

    text: str
    kind: str
    similarity: float
    match: str


def mark_words(pieces: Sequence[Sequence[Any]]) -> list[Word]:
    """Return the words of a text, given its pieces with best match, similarity and weight.

    The similarity of a word is the mean of its pieces, and its match is the joined matches.
    """
    words: list[tuple[str, list[Sequence[Any]]]] = []
    for piece in pieces:
        text = str(piece[0])
        bare = text.removeprefix(CONTINUES)
        if words and is_continued(text, bare, words[-1][0]):
            words[-1] = (words[-1][0] + bare, [*words[-1][1], piece])
        else:
            words.append((bare or text, [piece]))
    return [join_pieces(text, own) for text, own in words]


def join_pieces(text: str, pieces: Sequence[Sequence[Any]]) -> Word:
    """Return the word that pieces form."""
    similarity = fmean(float(piece[2]) for piece in pieces)
    kind = next((kind for kind, least in MARKS.items() if similarity >= least), "weak")
    match = " ".join(dict.fromkeys(str(piece[1]) for piece in pieces if piece[1] is not None))
    return Word(text, kind, similarity, match.replace(f" {CONTINUES}", "").removeprefix(CONTINUES))


def is_continued(piece: str, bare: str, word: str) -> bool:
    """Return whether a piece continues the previous word.

    Letters and digits do. Punctuation and scripts without spaces do not. A piece of only "##" is a
    further byte of a non-ASCII character, or the two characters themselves.
    """
    if not bare:
        return not word.isascii()
    ends = (word[-1:] or "a", bare[0])
    joined = all(unicodedata.category(end)[0] in "LMN" and not UNSPACED.match(end) for end in ends)
    return joined and piece != bare
