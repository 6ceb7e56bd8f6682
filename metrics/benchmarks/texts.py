"""Texts to measure with: made up with a fixed seed, or those of EVOUNA.

English words are those of MiniLM's vocabulary, which is sorted by frequency; the n-th word has the
weight 1 / n (Zipf's law). Chinese words are drawn from jieba's dictionary by its frequencies. A
prediction is its reference with some words changed, some left out and a part moved. Keywords are
words of the reference. The same seed always makes the same rows.
"""

import logging
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from metrics.training import verdicts
from tests.support import models
from tests.support.project import DATA_BESIDE_PROJECT

# Words that the vocabulary lacks: an article of one letter, and words with punctuation or letters
# outside ASCII.
MORE_WORDS = (
    "a",
    "don't",
    "U.S.",
    "well-known",
    "1,257",
    "café",
    "3.5",
    "–",
    "naïve",
    "(see",
    "“so”",
)
# The share of words that are changed, of words that are left out, and of texts with a moved part.
CHANGED_SHARE = 0.15
LEFT_OUT_SHARE = 0.08
MOVED_SHARE = 0.3
# Answers of five systems to the questions of NQ (Wang et al. 2023, arXiv 2305.12421), if they are
# on this machine.
EVOUNA = DATA_BESIDE_PROJECT / "human" / "evouna_nq.json"
read_verdicts = cache(verdicts.read_verdicts)


class Rows(NamedTuple):
    """Rows to score: one answer, one right answer, and its keywords ("" for none) per row."""

    predictions: list[str]
    references: list[str]
    keywords: list[str]


# A function that makes a number of rows, with a random generator. make_rows_of_systems rounds the
# number.
MakeRows = Callable[[Random, int], Rows]


class Language(NamedTuple):
    """A language to write texts in.

    Attributes:
        words: its words.
        sums: the running sums of their weights.
        between: the text between two words; empty in Chinese.
        marks: the marks at the end of a part.
        least_keyword_length: the least length of a keyword, in characters.
    """

    words: list[str]
    sums: list[float]
    between: str
    marks: str
    least_keyword_length: int

    def draw_words(self, rng: Random, count: int) -> list[str]:
        """Return `count` random words."""
        return rng.choices(self.words, cum_weights=self.sums, k=count)

    def write_text(self, rng: Random, words: list[str], characters: int) -> str:
        """Return words as a text: parts of a few words, with a capital and a mark at the end.

        An English text has these words, and `characters` is not used. A Chinese text begins with
        these words, goes on with random ones and is cut to `characters`.
        """
        remaining = words
        if not self.between:
            remaining = words + self.draw_words(rng, characters)
        parts = []
        while remaining:
            n_words = rng.randint(3, 9)
            part = self.between.join(remaining[:n_words]).capitalize()
            parts.append(part + rng.choice(self.marks))
            remaining = remaining[n_words:]
        text = self.between.join(parts)
        return text if self.between else text[:characters]

    def change_words(self, rng: Random, words: list[str]) -> list[str]:
        """Return the words with some changed and some left out.

        Sometimes a part is moved to the front. If all are left out, return them unchanged. Instead
        of words these may be characters, each of which becomes a word.
        """
        others = self.draw_words(rng, len(words))
        kept = []
        for word, other in zip(words, others, strict=True):
            draw = rng.random()
            if draw < LEFT_OUT_SHARE:
                continue
            is_changed = draw < LEFT_OUT_SHARE + CHANGED_SHARE
            kept.append(other if is_changed else word)
        start = 0
        if rng.random() < MOVED_SHARE:
            start = rng.randint(0, len(kept))
        moved = kept[start:] + kept[:start]
        return moved or words

    def choose_keywords(self, rng: Random, words: list[str]) -> str:
        """Return one to three of the longer words; none for one row in ten."""
        long = []
        for word in words:
            if len(word) >= self.least_keyword_length and word.isalpha():
                long.append(word)
        count = 0
        if rng.random() > 0.1:
            count = min(len(long), rng.randint(1, 3))
        return self.between.join(rng.sample(long, count))


@cache
def load_english() -> Language:
    """Return English, with the words of MiniLM's vocabulary."""
    vocabulary = Path(models.find_minilm(), "vocab.txt").read_text("utf-8")
    words = []
    for token in vocabulary.split():
        if token.isascii() and token.isalpha() and len(token) > 1:
            words.append(token)
    # The article "a" becomes the fifth most frequent word. The others follow, each 60 places later.
    for i, word in enumerate(MORE_WORDS):
        words.insert(4 + 60 * i, word)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return Language(
        words,
        sums=list(accumulate(weights)),
        between=" ",
        marks=",.",
        least_keyword_length=4,
    )


@cache
def load_chinese() -> Language:
    """Return Chinese: the words of jieba's dictionary."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    # A frequency of 0 marks the beginning of words that is no word itself.
    frequencies = {word: count for word, count in jieba.dt.FREQ.items() if count}
    return Language(
        words=list(frequencies),
        sums=list(accumulate(frequencies.values())),
        between="",
        marks="，，，。、；",
        least_keyword_length=2,
    )


def draw_text_rows(
    load_language: Callable[[], Language],
    rng: Random,
    count: int,
    least: int,
    most: int,
    answer_characters: int = 0,
) -> Rows:
    """Make rows of texts.

    Args:
        load_language: loads the language.
        rng: draws the words.
        count: how many rows.
        least: the fewest words of a reference; in Chinese, characters.
        most: the most words of a reference; in Chinese, characters.
        answer_characters: the length of an answer in Chinese; 0 for that of its reference.
    """
    rows = Rows([], [], [])
    language = load_language()
    for _ in range(count):
        length = rng.randint(least, most)
        # A Chinese word has two characters on average.
        count_of_words = length if language.between else 1 + length // 2
        words = language.draw_words(rng, count_of_words)
        changed = language.change_words(rng, words)
        answer_length = answer_characters or length
        rows.predictions.append(language.write_text(rng, changed, answer_length))
        rows.references.append(language.write_text(rng, words, length))
        rows.keywords.append(language.choose_keywords(rng, words))
    return rows


def make_summaries(rng: Random, count: int) -> Rows:
    """Return summaries of 8 to 24 lines of 8 to 24 words.

    The lines of the answers are in another order.
    """
    rows = Rows([], [], [""] * count)
    for _ in range(count):
        lines = rng.randint(8, 24)
        written = draw_text_rows(load_english, rng, lines, 8, 24)
        rows.references.append("\n".join(written.references))
        shuffled = rng.sample(written.predictions, lines)
        rows.predictions.append("\n".join(shuffled))
    return rows


def make_rows_of_systems(rng: Random, count: int, systems: int = 5) -> Rows:
    """Return Chinese answers of several systems to the same questions, system by system.

    The number of rows is `count`, rounded down to a multiple of `systems`, and at least `systems`.
    """
    questions = max(1, count // systems)
    of_one_system = draw_text_rows(load_chinese, rng, questions, 10, 200)
    references = of_one_system.references * systems
    answers = []
    for text in references:
        characters = load_chinese().change_words(rng, list(text))
        answers.append("".join(characters))
    return Rows(answers, references, of_one_system.keywords * systems)


def load_evouna(rng: Random, count: int) -> Rows:
    """Return `count` answers of EVOUNA, each with its first reference."""
    verdicts = read_verdicts(EVOUNA)
    answers = rng.sample(verdicts.answers, count)
    texts = []
    references = []
    for answer in answers:
        texts.append(answer.text)
        references.append(verdicts.references[answer.question][0])
    return Rows(texts, references, [""] * count)
