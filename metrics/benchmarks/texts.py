"""Texts to measure with: made up from a seed, or EVOUNA's.

English words come with the frequencies that fall as in real texts (the vocabulary of MiniLM, which
is sorted by them), Chinese ones from jieba's own dictionary by its frequencies. A prediction is its
reference with some words changed, some left out and a part moved; the keywords are words of the
reference. One seed always makes the same rows.
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
from tests.support.project import SHARED

# What the vocabulary does not have: an article of one letter, and words that punctuation or other
# letters stand in.
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
# Shares of words that are changed and left out, and of texts in which a part is moved.
CHANGED = 0.15
LEFT_OUT = 0.08
MOVED = 0.3
# Answers of five systems to the questions of NQ (Wang et al. 2023, arXiv 2305.12421), where they
# are at hand.
EVOUNA = SHARED / "human" / "evouna_nq.json"
read_verdicts = cache(verdicts.read)


class Rows(NamedTuple):
    """What is scored: one answer, one right answer, and its keywords ("" for none) per row."""

    predictions: list[str]
    references: list[str]
    keywords: list[str]


Texts = Callable[[Random, int], Rows]


class Language(NamedTuple):
    """Words with running sums of their weights, what stands between two, the marks, and the length
    of a keyword.
    """

    words: list[str]
    sums: list[float]
    between: str
    marks: str
    keyword: int

    def draw_words(self, numbers: Random, count: int) -> list[str]:
        """Return so many words."""
        return numbers.choices(self.words, cum_weights=self.sums, k=count)

    def write_text(self, numbers: Random, words: list[str], characters: int) -> str:
        """Return words as a text: a capital before and a mark after every few of them.

        Chinese is filled and cut.
        """
        left = words if self.between else words + self.draw_words(numbers, characters)
        parts = []
        while left:
            few = numbers.randint(3, 9)
            part = self.between.join(left[:few]).capitalize()
            parts.append(part + numbers.choice(self.marks))
            left = left[few:]
        text = self.between.join(parts)
        return text if self.between else text[:characters]

    def change_words(self, numbers: Random, words: list[str]) -> list[str]:
        """Return the words with some changed, some left out, and now and then a part moved to the
        front.
        """
        others = self.draw_words(numbers, len(words))
        kept = []
        for word, other in zip(words, others, strict=True):
            chance = numbers.random()
            if chance >= LEFT_OUT:
                kept.append(other if chance < LEFT_OUT + CHANGED else word)
        start = 0
        if numbers.random() < MOVED:
            start = numbers.randint(0, len(kept))
        return kept[start:] + kept[:start] or words

    def choose_keywords(self, numbers: Random, words: list[str]) -> str:
        """Return one to three of the longer words; "" for one row of ten."""
        long = [word for word in words if len(word) >= self.keyword and word.isalpha()]
        count = min(len(long), numbers.randint(1, 3)) if numbers.random() > 0.1 else 0
        return self.between.join(numbers.sample(long, count))


@cache
def load_english() -> Language:
    """Return English; the n-th word comes with a weight of 1 / n."""
    vocabulary = Path(models.find_minilm(), "vocab.txt").read_text("utf-8").split()
    words = [word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 1]
    for i, word in enumerate(MORE_WORDS):
        words.insert(4 + 60 * i, word)
    sums = list(accumulate(1 / (i + 1) for i in range(len(words))))
    return Language(words, sums, " ", ",.", 4)


@cache
def load_chinese() -> Language:
    """Return Chinese: the words of jieba's dictionary."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    known = {word: count for word, count in jieba.dt.FREQ.items() if count}
    return Language(list(known), list(accumulate(known.values())), "", "，，，。、；", 2)


def make_rows(
    known: Callable[[], Language],
    numbers: Random,
    count: int,
    least: int,
    most: int,
    prediction: int = 0,
) -> Rows:
    """Make rows of texts.

    Args:
        known: loads the language.
        numbers: the stream of chance.
        count: how many rows.
        least: words of a reference at least; in Chinese, characters.
        most: words of a reference at most.
        prediction: the length of the answers; 0 for that of the reference.
    """
    rows = Rows([], [], [])
    language = known()
    for _ in range(count):
        length = numbers.randint(least, most)
        words = language.draw_words(numbers, length if language.between else 1 + length // 2)
        changed = language.change_words(numbers, words)
        rows.predictions.append(language.write_text(numbers, changed, prediction or length))
        rows.references.append(language.write_text(numbers, words, length))
        rows.keywords.append(language.choose_keywords(numbers, words))
    return rows


def make_summaries(numbers: Random, count: int) -> Rows:
    """Return rows of summaries: 8 to 24 lines of 8 to 24 words, the answers' lines in another
    order.
    """
    rows = Rows([], [], [""] * count)
    for _ in range(count):
        written = make_rows(load_english, numbers, numbers.randint(8, 24), 8, 24)
        rows.references.append("\n".join(written.references))
        rows.predictions.append(
            "\n".join(numbers.sample(written.predictions, len(written.predictions)))
        )
    return rows


def make_shared_rows(numbers: Random, count: int, systems: int = 5) -> Rows:
    """Return rows of Chinese answers by several systems to the same questions, one system after the
    other.
    """
    once = make_rows(load_chinese, numbers, max(1, count // systems), 10, 200)
    answers = []
    for text in once.references * systems:
        answers.append("".join(load_chinese().change_words(numbers, [*text])))
    return Rows(answers, once.references * systems, once.keywords * systems)


def load_evouna(numbers: Random, count: int) -> Rows:
    """Return so many answers of EVOUNA, each with the first right answer."""
    found = read_verdicts(EVOUNA)
    answers = numbers.sample(found.answers, count)
    references = [found.references[answer.question][0] for answer in answers]
    return Rows([answer.text for answer in answers], references, [""] * count)
