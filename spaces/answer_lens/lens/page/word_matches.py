"""BERTScore's reasons: precision, recall and F1, and for every word how near its best match in the other text comes.

The module compares pieces of words; here they are put together again. A word's similarity is the mean of its pieces',
by weight, and its match is the words that its pieces matched.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.page.html import MAX_TOKEN_LENGTH, MAX_TOKENS, bar, escape, listed, measured
from lens.page.reasons import draw_cuts
from lens.words import say
from lens.words.formats import number

Piece = Sequence[Any]
CONTINUES = "##"
# The steps of the marks: from each similarity on, the class of the mark and the text that the legend gives it.
STEPS = ((0.9, "near", "near_90"), (0.7, "close", "near_70"), (0.5, "far", "near_50"), (-1.0, "weak", "near_less"))
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
    def match(self) -> str:
        """The words that it matched, as one text."""
        return say("list_comma").join(cut(match) for match in self.matches[:MAX_MATCHES]) or say("matched_nothing")


def cut(text: str) -> str:
    """A word that is not too long to be shown."""
    return text if len(text) <= MAX_TOKEN_LENGTH else text[:MAX_TOKEN_LENGTH] + "…"


def bare(piece: object) -> str:
    """A piece without the sign that it continues a word; empty for the further bytes of a character."""
    return str(piece).removeprefix(CONTINUES)


def continues(piece: str, word: str) -> bool:
    """Whether a piece belongs to the word before it. A lone "##" is a further byte of a character beyond ASCII, or the
    two signs themselves.
    """
    if not bare(piece):
        return not word.isascii()
    return piece.startswith(CONTINUES) and joins(word, bare(piece))


def han(character: str) -> bool:
    """Whether it is written without spaces, each sign for itself: Chinese, and the kana of Japanese."""
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or character >= "\U00020000"


def joins(before: str, after: str) -> bool:
    """Whether a piece makes one word with what is before it: letters and digits do, signs do not."""
    ends = (before[-1:] or "a", after[0])
    return all(unicodedata.category(end)[0] in "LMN" for end in ends) and not any(han(end) for end in ends)


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
    words have it.
    """
    if not candidates:
        return []
    common = [word for word in candidates[0] if all(word in others for others in candidates)]
    if len(common) == 1:
        return common
    pairs = zip(matched, candidates, strict=True)
    single = [words[0] if len(words) == 1 else shown_piece(piece) for piece, words in pairs]
    return list(dict.fromkeys(text for text in single if text))


def shown_piece(piece: str) -> str:
    """A piece for itself: "…gara" where it continues a word."""
    return f"…{bare(piece)}" if bare(piece) not in ("", piece) else bare(piece)


def kind_of(similarity: float) -> str:
    """The class of the mark for a similarity."""
    return next((kind for least, kind, _ in STEPS if similarity >= least), STEPS[-1][1])


def language_of(words: Sequence[Word]) -> str:
    """What says that a text is Chinese, for fonts and for those who have it read to them."""
    signs = "".join(word.text for word in words)
    chinese = sum("\u3400" <= sign <= "\u9fff" for sign in signs)
    kana = any("\u3040" <= sign <= "\u30ff" for sign in signs)
    return ' lang="zh"' if 2 * chinese > len(signs) and not kana else ""


def draw_text(title: str, words: Sequence[Word]) -> str:
    """A text, each word marked by how near its best match comes."""
    drawn = " ".join(
        f'<bdi class="al-token al-{kind_of(word.similarity)}">{escape(cut(word.text))}</bdi>'
        for word in words[:MAX_TOKENS]
    )
    if len(words) > MAX_TOKENS:
        drawn += f' <span class="al-detail">{say("more_words", count=len(words) - MAX_TOKENS)}</span>'
    body = drawn or f'<span class="al-detail">{say("no_words")}</span>'
    return f'<h4 class="al-small">{title}</h4><p class="al-words" dir="auto"{language_of(words)}>{body}</p>'


def draw_legend() -> str:
    """What the marks mean."""
    drawn = "".join(f'<li><span class="al-token al-{kind}">{say(key)}</span></li>' for _, kind, key in STEPS)
    return f'<ul class="al-legend" aria-label="{say("legend")}">{drawn}</ul>'


def weakest(answer: Sequence[Word], reference: Sequence[Word]) -> list[tuple[Word, str]]:
    """The words of both texts that matched worst, none of the best step among them.

    Two words that matched each other stand there once.
    """
    sided = [(word, "answer_side") for word in answer] + [(word, "reference_side") for word in reference]
    found: dict[frozenset[str], tuple[Word, str]] = {}
    for word, side in sorted(sided, key=lambda one: one[0].similarity):
        if word.similarity < STEPS[0][0]:
            found.setdefault(frozenset((word.text, word.match)), (word, side))
    return list(found.values())[:MAX_WEAKEST]


def draw_pair(word: Word) -> str:
    """A word and its match."""
    match = f"<bdi>{escape(word.match)}</bdi>"
    return f'<bdi>{escape(cut(word.text))}</bdi> <span aria-hidden="true">→</span> {match}'


def draw_weakest(answer: Sequence[Word], reference: Sequence[Word]) -> str:
    """The weakest words as a list, each with its match, a bar and the similarity."""
    rows = [
        f'<div class="al-row al-pair"><dt>{draw_pair(word)} <span class="al-detail">{say(side)}</span></dt>'
        f'<dd>{bar(word.similarity)}<span class="al-number">{escape(number(word.similarity))}</span></dd></div>'
        for word, side in weakest(answer, reference)
    ]
    return f'<h4 class="al-small">{say("weakest")}</h4>{listed(rows)}' if rows else ""


def draw_table(title: str, words: Sequence[Word]) -> str:
    """Every word of one text, its match and its similarity."""
    weighted = any(float(piece[3]) != 1 for word in words for piece in word.pieces)
    heads = ("word", "best_match", "similarity", *(("weight",) if weighted else ()))
    rows = "".join(
        f'<tr><th scope="row"><bdi>{escape(cut(word.text))}</bdi></th><td><bdi>{escape(word.match)}</bdi></td>'
        f"<td>{escape(number(word.similarity))}</td>"
        f"{f'<td>{escape(number(word.weight))}</td>' if weighted else ''}</tr>"
        for word in words[:MAX_TOKENS]
    )
    more = len(words) - MAX_TOKENS
    drawn = "".join(f'<th scope="col">{say(head)}</th>' for head in heads)
    rest = f'<p class="al-detail">{say("more_words", count=more)}</p>' if more > 0 else ""
    return (
        f'<table class="al-table al-pairs"><caption>{title}</caption><thead><tr>{drawn}</tr></thead>'
        f"<tbody{language_of(words)}>{rows}</tbody></table>{rest}"
    )


def draw_details(answer: Sequence[Word], reference: Sequence[Word]) -> str:
    """All words of both texts, to be opened; it scrolls in itself."""
    tables = draw_table(say("answer_table"), answer) + draw_table(say("reference_table"), reference)
    return (
        f'<details class="al-details"><summary>{say("word_by_word")}</summary>'
        f'<div class="al-scroll" role="region" tabindex="0" aria-label="{say("word_by_word")}">{tables}</div></details>'
    )


def draw_lengths(reason: Mapping[str, Any]) -> str:
    """How many tokens the model reads of each text."""
    limit = reason["max_length"]
    lengths = {"answer": reason["prediction_length"], "reference": reason["reference_length"]}
    text = say("tokens_of_both", **lengths) if limit is None else say("tokens_within", limit=limit, **lengths)
    return f'<p class="al-detail">{text}</p>'


def draw_bertscore(reason: Mapping[str, Any]) -> str:
    """The three measures, how to read them, and both texts word by word, unless one of them has no words."""
    answer, reference = words_of(reason["prediction_tokens"]), words_of(reason["reference_tokens"])
    find_matches(answer, reference)
    find_matches(reference, answer)
    details = {"precision": say("of_answer_words"), "recall": say("of_reference_words"), "f1": ""}
    rows = [measured(say(f"bert_{key}"), float(reason[key]), detail) for key, detail in details.items()]
    drawn = f'<p class="al-how">{say("how_bertscore")}</p>{listed(rows)}{draw_lengths(reason)}{draw_cuts(reason)}'
    if not answer or not reference:
        return drawn
    return (
        f"{drawn}{draw_text(say('answer_words'), answer)}"
        f"{draw_text(say('reference_words'), reference)}{draw_legend()}"
        f"{draw_weakest(answer, reference)}{draw_details(answer, reference)}"
    )
