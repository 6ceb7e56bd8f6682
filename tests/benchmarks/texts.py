"""Texts to measure with: made up from a seed, or taken from a file.

English words come with the frequencies that fall as in real texts (the vocabulary of MiniLM, which is sorted by them),
Chinese ones from jieba's own dictionary by its frequencies. A prediction is its reference with some words changed, some
left out and a part moved; the keywords are words of the reference. One seed always makes the same rows.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.support import models
from tests.support.project import SHARED

# What the vocabulary does not have: an article of one letter, and words that punctuation or other letters stand in.
MORE_WORDS = ("a", "don't", "U.S.", "well-known", "1,257", "café", "3.5", "–", "naïve", "(see", "“so”")
CHANGED, LEFT_OUT, MOVED = 0.15, 0.08, 0.3
# Answers of five systems to the questions of NQ (Wang et al. 2023, arXiv 2305.12421), where they are at hand.
EVOUNA = SHARED / "human" / "evouna_nq.json"


class Rows(NamedTuple):
    """What is scored: one answer, one right answer, and its keywords ("" for none) per row."""

    predictions: list[str]
    references: list[str]
    keywords: list[str]


class Words(NamedTuple):
    """Words with their running sums of weights, and how they are written down as a text."""

    words: Sequence[str]
    sums: Sequence[float]
    written: Callable[[Random, list[str]], str]

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
    return Words(known, list(accumulate(1 / (i + 1) for i in range(len(known)))), english_text)


@cache
def chinese_words() -> Words:
    """Return the words of jieba's dictionary with their frequencies."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    known = {word: count for word, count in jieba.dt.FREQ.items() if count}
    return Words(list(known), list(accumulate(known.values())), chinese_text)


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
    known, rows = english_words(), Rows([], [], [])
    for _ in range(count):
        written = [known.drawn(numbers, numbers.randint(8, 24)) for _ in range(numbers.randint(8, 24))]
        rows.references.append("\n".join(english_text(numbers, words) for words in written))
        numbers.shuffle(written)
        rows.predictions.append("\n".join(english_text(numbers, changed(numbers, words, known)) for words in written))
        rows.keywords.append("")
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
    longest = next((i for i, end in enumerate(accumulate(map(len, words))) if end >= reference), len(words))
    words = words[: longest + 1]
    answer = filled(numbers, changed(numbers, words, known), prediction)
    return answer, filled(numbers, words, reference), keywords_of(numbers, words, 2).replace(" ", "")


def chinese(numbers: Random, count: int, least: int = 10, most: int = 200) -> Rows:
    """Return rows of `least` to `most` characters, the two texts of a row about as long as each other."""
    lengths = (numbers.randint(least, most) for _ in range(count))
    pairs = (chinese_pair(numbers, min(most, max(least, round(n * numbers.uniform(0.8, 1.2)))), n) for n in lengths)
    return rows_of(pairs)


def long_texts(numbers: Random, count: int, prediction: int = 50_000, reference: int = 1_000) -> Rows:
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


@cache
def evouna_pairs() -> list[tuple[str, str, str]]:
    """Return every answer of EVOUNA with the first right answer."""
    questions = json.loads(EVOUNA.read_text("utf-8"))
    good = [one for one in questions if not one["improper"]]
    pairs = [(one[name], one["golden_answer"].split("/")[0]) for one in good for name in one if name[:7] == "answer_"]
    return [(answer, reference, "") for answer, reference in pairs if isinstance(answer, str)]


def evouna(numbers: Random, count: int) -> Rows:
    """Return so many answers of EVOUNA."""
    return rows_of(iter(numbers.sample(evouna_pairs(), count)))


def from_file(path: str, language: str) -> Rows:
    """Return the rows of a file of JSON Lines (prediction, reference, keywords) in Chinese ("zh") or not ("en"), each
    once.
    """
    from tests.support.project import functions

    han = functions("lv_eval_f1").HAN
    found = []
    for number, line in enumerate(Path(path).read_text("utf-8").split("\n"), 1):  # a text may hold other line ends
        row = row_of(line, f"{path}, line {number}") if line.strip() else None
        if row and ("zh" if han.search(row[1]) else "en") == language:
            found.append(row)
    if not found:
        raise ValueError(f"{path} has no row in {language!r}; a reference with Chinese characters makes a row Chinese")
    found = list(dict.fromkeys(found))
    Random(7).shuffle(found)
    return rows_of(iter(found))


def row_of(line: str, where: str) -> tuple[str, str, str]:
    """Return prediction, reference and keywords of a line of JSON; raise ValueError that says where it is wrong."""
    try:
        row: Any = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{where}: {line!r:.80} is no JSON") from error
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("prediction", "reference")):
        raise ValueError(f"{where}: prediction and reference must be there, as texts")
    keywords = row.get("keywords") or ""
    if not isinstance(keywords, str):
        raise ValueError(f"{where}: keywords is {keywords!r:.80}; one text is expected")
    return row["prediction"], row["reference"], keywords


def portion(rows: Rows, number: int, portions: int, count: int) -> Rows:
    """Return one of so many portions of the rows, none of which shares a row with another, of `count` rows at most."""
    size = min(count, len(rows.references) // portions)
    if not size:
        raise ValueError(f"the file has {len(rows.references)} rows of this language; {portions} are needed at least")
    return Rows(*(column[number * size : (number + 1) * size] for column in rows))
