"""BERTScore's pieces of words put together as words: how near each comes to its best match in the
other text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

# A piece that begins with it follows on the one before, with no space between.
CONTINUES = "##"
# Chinese, and the kana of Japanese: each sign is a word.
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\U00020000-\U0010ffff]")
# The least similarity of each mark but the last.
MARKS = {"near": 0.9, "close": 0.7, "far": 0.5}


class Word(NamedTuple):
    """A word and the mark of its similarity, as the other metrics give theirs.

    The similarity, and the best match.
    """

    text: str
    kind: str
    similarity: float
    match: str


def mark_words(pieces: Sequence[Sequence[Any]]) -> list[Word]:
    """Return the words of a text, from its pieces: piece, best match, similarity, weight.

    A word's similarity is the mean of its pieces', and its match is theirs.
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
    """Return a word of some pieces."""
    similarity = fmean(float(piece[2]) for piece in pieces)
    kind = next((kind for kind, least in MARKS.items() if similarity >= least), "weak")
    match = " ".join(dict.fromkeys(str(piece[1]) for piece in pieces if piece[1] is not None))
    return Word(text, kind, similarity, match.replace(f" {CONTINUES}", "").removeprefix(CONTINUES))


def is_continued(piece: str, bare: str, word: str) -> bool:
    """Return whether a piece belongs to the word before it.

    Letters and digits do; signs and what is written without spaces do not. A lone "##" is a further
    byte of a character beyond ASCII, or the two signs themselves.
    """
    if not bare:
        return not word.isascii()
    ends = (word[-1:] or "a", bare[0])
    joined = all(unicodedata.category(end)[0] in "LMN" and not UNSPACED.match(end) for end in ends)
    return joined and piece != bare
