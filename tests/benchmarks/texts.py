"""Texts to measure with: made up from a seed, or EVOUNA's.

English words come with the frequencies that fall as in real texts (the vocabulary of MiniLM, which is sorted by them),
Chinese ones from jieba's own dictionary by its frequencies. A prediction is its reference with some words changed, some
left out and a part moved; the keywords are words of the reference. One seed always makes the same rows.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from metrics.training import verdicts
from tests.support import models
from tests.support.project import SHARED

# What the vocabulary does not have: an article of one letter, and words that punctuation or other letters stand in.
MORE_WORDS = ("a", "don't", "U.S.", "well-known", "1,257", "café", "3.5", "–", "naïve", "(see", "“so”")
CHANGED, LEFT_OUT, MOVED = 0.15, 0.08, 0.3
# Answers of five systems to the questions of NQ (Wang et al. 2023, arXiv 2305.12421), where they are at hand.
EVOUNA = SHARED / "human" / "evouna_nq.json"
read_verdicts = cache(verdicts.read)


class Rows(NamedTuple):
    """What is scored: one answer, one right answer, and its keywords ("" for none) per row."""

    predictions: list[str]
    references: list[str]
    keywords: list[str]


Texts = Callable[[Random, int], Rows]


class Words(NamedTuple):
    """Words with their running sums of weights."""

    words: Sequence[str]
    sums: Sequence[float]

    def drawn(self, numbers: Random, count: int) -> list[str]:
        """Return so many words."""
        return numbers.choices(self.words, cum_weights=self.sums, k=count)


@cache
def english_words() -> Words:
    """Return English words; the n-th comes with a weight of 1 / n."""
    with open(f"{models.minilm()}/vocab.txt", encoding="utf-8") as stream:
        known = [word for word in stream.read().split() if word.isascii() and word.isalpha() and len(word) > 1]
    for i, word in enumerate(MORE_WORDS):
        known.insert(4 + 60 * i, word)
    return Words(known, list(accumulate(1 / (i + 1) for i in range(len(known)))))


@cache
def chinese_words() -> Words:
    """Return the words of jieba's dictionary with their frequencies."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    known = {word: count for word, count in jieba.dt.FREQ.items() if count}
    return Words(list(known), list(accumulate(known.values())))


def english_text(numbers: Random, words: list[str]) -> str:
    """Return words as sentences: capitals, commas, full stops."""
    written, left = [], 0
    for word in words:
        begins = left == 0
        left = numbers.randint(6, 20) if begins else left - 1
        if begins or numbers.random() < 0.05:
            word = word.capitalize()
        written.append(word + "." if left == 0 else word + "," if numbers.random() < 0.07 else word)
    return " ".join(written).rstrip(".,") + "."


def chinese_text(numbers: Random, words: list[str]) -> str:
    """Return words as sentences: a mark after every few of them."""
    parts, start = [], 0
    while start < len(words):
        end = start + numbers.randint(3, 9)
        parts.append("".join(words[start:end]) + numbers.choice("，，，。、；"))
        start = end
    return "".join(parts)


def changed(numbers: Random, words: list[str], known: Words) -> list[str]:
    """Return the words with some changed, some left out, and now and then a part moved to the front."""
    others = iter(known.drawn(numbers, len(words)))
    kept = []
    for word in words:
        chance = numbers.random()
        if chance >= LEFT_OUT:
            kept.append(next(others) if chance < LEFT_OUT + CHANGED else word)
    if numbers.random() < MOVED:
        at = numbers.randint(0, len(kept))
        kept = kept[at:] + kept[:at]
    return kept or words


def keywords_of(numbers: Random, words: list[str], least: int) -> str:
    """Return one to three of the words that have so many letters at least; "" for one row of ten."""
    long = [word for word in words if len(word) >= least and word.isalpha()]
    if not long or numbers.random() < 0.1:
        return ""
    return " ".join(numbers.sample(long, min(len(long), numbers.randint(1, 3))))


def english(numbers: Random, count: int, least: int = 5, most: int = 60) -> Rows:
    """Return rows whose references have `least` to `most` words."""
    known, rows = english_words(), Rows([], [], [])
    for _ in range(count):
        words = known.drawn(numbers, numbers.randint(least, most))
        rows.references.append(english_text(numbers, words))
        rows.predictions.append(english_text(numbers, changed(numbers, words, known)))
        rows.keywords.append(keywords_of(numbers, words, 4))
    return rows


def lines(numbers: Random, count: int) -> Rows:
    """Return rows of summaries: 8 to 24 lines of 8 to 24 words, the answers' lines in another order."""
    rows = Rows([], [], [""] * count)
    for _ in range(count):
        written = english(numbers, numbers.randint(8, 24), 8, 24)
        rows.references.append("\n".join(written.references))
        rows.predictions.append("\n".join(numbers.sample(written.predictions, len(written.predictions))))
    return rows


def filled(numbers: Random, words: list[str], characters: int) -> str:
    """Return a Chinese text of exactly so many characters that begins with these words."""
    known = chinese_words()
    missing = max(0, characters - sum(map(len, words)))
    return chinese_text(numbers, words + known.drawn(numbers, missing))[:characters]


def chinese_pair(numbers: Random, prediction: int, reference: int) -> tuple[str, str, str]:
    """Return an answer, a right answer of so many characters each, and its keywords."""
    known = chinese_words()
    words = known.drawn(numbers, reference)
    ends = list(accumulate(map(len, words)))
    words = words[: 1 + sum(end < reference for end in ends)]
    answer = filled(numbers, changed(numbers, words, known), prediction)
    return answer, filled(numbers, words, reference), keywords_of(numbers, words, 2).replace(" ", "")


def chinese(numbers: Random, count: int, least: int = 10, most: int = 200) -> Rows:
    """Return rows of `least` to `most` characters, the two texts of a row about as long as each other."""
    lengths = (numbers.randint(least, most) for _ in range(count))
    pairs = (chinese_pair(numbers, min(most, max(least, round(n * numbers.uniform(0.8, 1.2)))), n) for n in lengths)
    return rows_of(pairs)


def long_texts(numbers: Random, count: int, prediction: int, reference: int) -> Rows:
    """Return rows of long Chinese texts of exactly so many characters."""
    return rows_of(chinese_pair(numbers, prediction, reference) for _ in range(count))


def shared(numbers: Random, count: int, systems: int = 5) -> Rows:
    """Return rows of Chinese answers by several systems to the same questions, one system after the other."""
    known, once = chinese_words(), chinese(numbers, max(1, count // systems))
    rows = Rows([], once.references * systems, once.keywords * systems)
    for reference in rows.references:
        words = [reference[i : i + 2] for i in range(0, len(reference), 2)]
        rows.predictions.append(filled(numbers, changed(numbers, words, known), len(reference)))
    return rows


def rows_of(pairs: Iterator[tuple[str, str, str]]) -> Rows:
    """Return rows from answers, right answers and keywords."""
    return Rows(*map(list, zip(*pairs, strict=True)))


def evouna(numbers: Random, count: int) -> Rows:
    """Return so many answers of EVOUNA, each with the first right answer."""
    found = read_verdicts(EVOUNA)
    answers = numbers.sample(found.answers, count)
    return rows_of((answer.text, found.references[answer.question][0], "") for answer in answers)


def none(numbers: Random, count: int) -> Rows:
    """Return one row without a word, for what scores nothing."""
    return Rows([""], [""], [""])
