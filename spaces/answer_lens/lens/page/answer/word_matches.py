"""Joins BERTScore's word pieces to words, each with the similarity to its best match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

# The prefix of a piece that continues a word: "unbound" has the pieces "un" and "##bound".
CONTINUATION = "##"
# Japanese kana and Chinese characters, each of which is a word.
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\U00020000-\U0010ffff]")
# The lowest similarity of each mark; a word below all of them is "weak".
LOWEST_SIMILARITIES = {"near": 0.9, "close": 0.7, "far": 0.5}


class Word(NamedTuple):
    """A word with its mark ("near", "close", "far", "weak"), similarity and best match."""

    text: str
    kind: str
    similarity: float
    match: str


class PieceMatch(NamedTuple):
    """The best match of a piece in the other text, None without one, and their similarity."""

    match: str | None
    similarity: float


def mark_words(pieces: Sequence[Sequence[Any]]) -> list[Word]:
    """Return the words of a text with their marks.

    The similarity of a word is the mean of its pieces, and its match is the joined matches.

    Args:
        pieces: BERTScore's pieces of the text, each with best match, similarity and weight.
    """
    texts: list[str] = []
    matches_of_words: list[list[PieceMatch]] = []
    for piece, match, similarity, *_ in pieces:
        piece = str(piece)
        piece_match = PieceMatch(match, float(similarity))
        text = piece.removeprefix(CONTINUATION)
        if texts and is_continuation(piece, texts[-1]):
            texts[-1] += text
            matches_of_words[-1].append(piece_match)
        else:
            texts.append(text or piece)
            matches_of_words.append([piece_match])
    return list(map(make_word, texts, matches_of_words))


def make_word(text: str, piece_matches: Sequence[PieceMatch]) -> Word:
    """Return a word with the mean similarity and the joined matches of its pieces."""
    similarity = fmean(piece.similarity for piece in piece_matches)
    matches = [str(piece.match) for piece in piece_matches if piece.match is not None]
    # Pieces of one word in the other text become that word again.
    match = " ".join(dict.fromkeys(matches))
    match = match.replace(f" {CONTINUATION}", "").removeprefix(CONTINUATION)
    return Word(text, choose_mark(similarity), similarity, match)


def choose_mark(similarity: float) -> str:
    """Return the mark of a word by its similarity."""
    for mark, lowest in LOWEST_SIMILARITIES.items():
        if similarity >= lowest:
            return mark
    return "weak"


def is_continuation(piece: str, word: str) -> bool:
    """Return whether a piece continues the previous word.

    Letters and digits do. Punctuation and scripts without spaces do not.
    """
    text = piece.removeprefix(CONTINUATION)
    if not text:
        # The piece is a further byte of a non-ASCII character, or "##" stands in the text.
        return not word.isascii()
    if piece == text:
        return False
    return is_letter(word[-1:] or "a") and is_letter(text[0])


def is_letter(character: str) -> bool:
    """Return whether a character is a letter, an accent or a digit of a script with spaces."""
    # The first letter of Unicode's category: letter, mark or number.
    category = unicodedata.category(character)[0]
    return category in "LMN" and not UNSPACED.match(character)
