"""BERTScore's pieces of words put together as words: how near each comes to its best match in the other text.

A word's similarity is the mean of its pieces', by weight, and its match is the words that its pieces matched.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.page.html import cut
from lens.words import say

# A piece, its best match, their similarity and its weight.
Piece = Sequence[Any]
CONTINUES = "##"
# The least similarity of each mark but the last.
MARKS = {"near": 0.9, "close": 0.7, "far": 0.5}
MAX_WEAKEST = 5
MAX_MATCHES = 4


@dataclass
class Word:
    """One word of a text: its pieces as the module gives them, and the words that they matched."""

    text: str
    pieces: list[Piece]
    matches: list[str] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """The weight of all its pieces."""
        return sum(float(piece[3]) for piece in self.pieces)

    @property
    def similarity(self) -> float:
        """The mean similarity of its pieces by weight; the plain mean where none has a weight."""
        if not self.weight:
            return sum(float(piece[2]) for piece in self.pieces) / len(self.pieces)
        return sum(float(piece[2]) * float(piece[3]) for piece in self.pieces) / self.weight

    @property
    def kind(self) -> str:
        """The mark of its similarity."""
        return next((kind for kind, least in MARKS.items() if self.similarity >= least), "weak")

    @property
    def match(self) -> str:
        """The words that it matched, as one text."""
        return say("list_comma").join(cut(match, 120) for match in self.matches[:MAX_MATCHES]) or say("matched_nothing")


@dataclass
class Text:
    """The words of a text, whether it is Chinese (for fonts and screen readers), and whether weights differ."""

    words: list[Word]
    chinese: bool
    weighted: bool


def matched_words(reason: Mapping[str, Any]) -> tuple[Text, Text]:
    """The words of answer and reference, each with its matches."""
    sides = [words_of(reason[f"{side}_tokens"]) for side in ("prediction", "reference")]
    for words, others in (sides, sides[::-1]):
        find_matches(words, others)
    answer, reference = (Text(words, is_chinese(words), is_weighted(words)) for words in sides)
    return answer, reference


def words_of(pieces: Sequence[Piece]) -> list[Word]:
    """The words of a text, put together from their pieces."""
    words: list[Word] = []
    for piece in pieces:
        text = str(piece[0])
        if words and continues(text, words[-1].text):
            words[-1].text += bare(text)
            words[-1].pieces.append(piece)
        else:
            words.append(Word(bare(text) or text, [piece]))
    return words


def bare(piece: str) -> str:
    """A piece without the sign that it continues a word; empty for the further bytes of a character."""
    return piece.removeprefix(CONTINUES)


def continues(piece: str, word: str) -> bool:
    """Whether a piece belongs to the word before it. A lone "##" is a further byte of a character beyond ASCII, or the
    two signs themselves.
    """
    if not bare(piece):
        return not word.isascii()
    return piece.startswith(CONTINUES) and joins(word, bare(piece))


def joins(before: str, after: str) -> bool:
    """Whether a piece makes one word with what is before it: letters and digits do, signs do not, nor does what is
    written without spaces.
    """
    ends = (before[-1:] or "a", after[0])
    return all(unicodedata.category(end)[0] in "LMN" and not (is_han(end) or is_kana(end)) for end in ends)


def is_han(sign: str) -> bool:
    """Whether it is a Chinese sign."""
    return "\u3400" <= sign <= "\u9fff" or sign >= "\U00020000"


def is_kana(sign: str) -> bool:
    """Whether it is one of the kana of Japanese."""
    return "\u3040" <= sign <= "\u30ff"


def find_matches(words: Sequence[Word], others: Sequence[Word]) -> None:
    """Give each word the words of the other text that its pieces matched."""
    homes: dict[str, dict[str, None]] = {}
    for other in others:
        for piece in other.pieces:
            homes.setdefault(str(piece[0]), {})[other.text] = None
    for word in words:
        matched = [str(piece[1]) for piece in word.pieces if piece[1] is not None]
        word.matches = named(matched, [list(homes.get(text, {bare(text): None})) for text in matched])


def named(matched: Sequence[str], candidates: Sequence[Sequence[str]]) -> list[str]:
    """The words that pieces matched: a word that has them all, else for each piece its word, or itself where several
    words have it ("…gara" where it continues a word).
    """
    if not candidates:
        return []
    common = [word for word in candidates[0] if all(word in others for others in candidates)]
    if len(common) == 1:
        return common
    named = []
    for piece, words in zip(matched, candidates, strict=True):
        continuing = bare(piece) not in ("", piece)
        named.append(words[0] if len(words) == 1 else f"…{bare(piece)}" if continuing else bare(piece))
    return list(dict.fromkeys(text for text in named if text))


def is_chinese(words: Sequence[Word]) -> bool:
    """Whether a text is Chinese."""
    signs = "".join(word.text for word in words)
    return 2 * sum("\u3400" <= sign <= "\u9fff" for sign in signs) > len(signs) and not any(map(is_kana, signs))


def is_weighted(words: Sequence[Word]) -> bool:
    """Whether some piece of a text has another weight than 1."""
    return any(float(piece[3]) != 1 for word in words for piece in word.pieces)


def weakest(answer: Text, reference: Text) -> list[tuple[Word, str]]:
    """The words of both texts that matched worst, none of the best mark among them, each with the key of its side.

    Two words that matched each other stand there once.
    """
    sided = [(word, "answer_side") for word in answer.words] + [(word, "reference_side") for word in reference.words]
    found: dict[frozenset[str], tuple[Word, str]] = {}
    for word, side in sorted(sided, key=lambda one: one[0].similarity):
        if word.kind != "near":
            found.setdefault(frozenset((word.text, word.match)), (word, side))
    return list(found.values())[:MAX_WEAKEST]
