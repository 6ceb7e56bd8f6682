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


class Piece(NamedTuple):
    """The best match of a piece of a word, None where it has none, and their similarity."""

    match: str | None
    similarity: float


def mark_words(pieces: Sequence[Sequence[Any]]) -> list[Word]:
    """Return the words of a text, given its pieces with best match, similarity and weight.

    The similarity of a word is the mean of its pieces, and its match is the joined matches.
    """
    texts: list[str] = []
    pieces_of_words: list[list[Piece]] = []
    for text, match, similarity, *_ in pieces:
        piece = Piece(match, float(similarity))
        text = str(text)
        bare = text.removeprefix(CONTINUES)
        if texts and is_continued(text, bare, texts[-1]):
            texts[-1] += bare
            pieces_of_words[-1].append(piece)
        else:
            texts.append(bare or text)
            pieces_of_words.append([piece])
    return list(map(join_pieces, texts, pieces_of_words))


def join_pieces(text: str, pieces: Sequence[Piece]) -> Word:
    """Return the word that pieces form."""
    similarity = fmean(piece.similarity for piece in pieces)
    matches = [str(piece.match) for piece in pieces if piece.match is not None]
    # Pieces of one word in the other text become that word again.
    match = " ".join(dict.fromkeys(matches))
    match = match.replace(f" {CONTINUES}", "").removeprefix(CONTINUES)
    return Word(text, choose_mark(similarity), similarity, match)


def choose_mark(similarity: float) -> str:
    """Return the mark of a word by its similarity."""
    for mark, least in MARKS.items():
        if similarity >= least:
            return mark
    return "weak"


def is_continued(piece: str, bare: str, word: str) -> bool:
    """Return whether a piece continues the previous word.

    Letters and digits do. Punctuation and scripts without spaces do not. A piece of only "##" is a
    further byte of a non-ASCII character, or the two characters themselves.
    """
    if not bare:
        return not word.isascii()
    if piece == bare:
        return False
    return is_letter(word[-1:] or "a") and is_letter(bare[0])


def is_letter(sign: str) -> bool:
    """Return whether a sign is a letter, a mark or a digit of a script with spaces."""
    kind = unicodedata.category(sign)[0]
    return kind in "LMN" and not UNSPACED.match(sign)
