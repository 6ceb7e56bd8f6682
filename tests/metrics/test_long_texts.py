"""Scoring a text that is twice as long takes at most twice the work, whatever part it repeats.

Whole modules are called here, with many repeated parts. tests/demo/test_linear_work.py tests single
patterns, whose steps are not lines of Python, and single functions, with texts built from patterns.
"""

from __future__ import annotations

import pytest

from tests.support.loop_steps import FIXED_LINES, MOST_TIMES, count_lines
from tests.support.project import load

# The length of the shorter text.
CHARACTERS = 1_000
# Parts of long texts that once took quadratic time somewhere: signs that NFKC makes longer, one
# word, negators, numerals, dates, brackets, names, Chinese, TeX, texts without ends of sentences,
# many lines, lists, options, formulas. "#" is replaced by a number.
PIECES = [
    "\ufdfa",
    "a",
    "x ",
    "not ",
    "no longer ",
    "never, ",
    "12 ",
    "1.1.",
    "two ",
    "10 to 20 ",
    "3 km ",
    "5% ",
    "1990 ",
    "January ",
    "(",
    "[",
    '"',
    "-",
    "?",
    ". ",
    "\n",
    "Ann ",
    "Ann B. ",
    "or ",
    "is not ",
    "cannot ",
    "unlike ",
    "e\u0301",
    "\u0301",
    "😀",
    "万",
    "十分",
    "三",
    "不",
    "不是",
    "没有",
    "不仅",
    "曹",
    "北京",
    "，",
    "。",
    "1月2日",
    "か",
    "ж ",
    "w# x\n",
    "\\frac{",
    "\\boxed{",
    "{",
    "10^",
    "$a^",
    "√2",
    "red, ",
    "A and ",
    "(A) x ",
    "A, B ",
    "Ann beat Bob ",
    "1e9 ",
    "5 km/",
    "MDC",
    "三分之",
    "x + ",
    "yes ",
    "w# and ",
]


def repeat_piece(piece: str, times: int) -> str:
    """Return a repeated piece; each "#" in it is replaced by the number of the repetition."""
    return "".join(piece.replace("#", str(number)) for number in range(times))


@pytest.mark.parametrize(
    "name", ["correctness_estimate", "lv_eval_f1", "lv_eval_rouge", "bleu", "rouge"]
)
def test_scoring_takes_time_linear_in_the_length_of_the_texts(name: str) -> None:
    metric = load(name)

    def score_pair(prediction: str, reference: str) -> int:
        rows = {"predictions": [prediction], "references": [reference]}
        return count_lines(lambda: metric.compute(**rows, per_example=True))

    score_pair("中国 A 1 not", "中国 B 2")  # tables and patterns are made once
    slow = []
    for number, piece in enumerate(PIECES):
        # Each text has other words, because cached words would not be counted.
        once = f"q{number}1 " + repeat_piece(piece, CHARACTERS // len(piece))
        twice = f"q{number}2 " + repeat_piece(piece, 2 * CHARACTERS // len(piece))
        pairs = [
            ((once, "Cao wrote 3"), (twice, "Cao wrote 3")),
            (("Cao wrote 3", once), ("Cao wrote 3", twice)),
            ((once, once), (twice, twice)),
        ]
        for less, more in pairs:
            counts = score_pair(*less), score_pair(*more)
            if counts[1] > MOST_TIMES * counts[0] + FIXED_LINES:
                slow.append((piece, counts))
    assert not slow
