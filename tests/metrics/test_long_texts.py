"""A text that is twice as long takes at most twice the work, in lines of Python that run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.project import load

SIGNS = 1_000
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


def count_lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python `work` runs."""
    count = 0

    def count_line(*_: Any) -> Any:
        nonlocal count
        count += 1
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "name", ["correctness_estimate", "lv_eval_f1", "lv_eval_rouge", "bleu", "rouge"]
)
def test_scoring_takes_time_linear_in_the_length_of_the_texts(name: str) -> None:
    metric = load(name)

    def score_pair(prediction: str, reference: str) -> int:
        rows = {"predictions": [prediction], "references": [reference]}
        return count_lines_run(lambda: metric.compute(**rows, per_example=True))

    score_pair("中国 A 1 not", "中国 B 2")  # tables and patterns are made once
    slow = []
    for number, piece in enumerate(PIECES):
        # Each text has other words, because cached words would not be counted.
        once = f"q{number}1 " + repeat_piece(piece, SIGNS // len(piece))
        twice = f"q{number}2 " + repeat_piece(piece, 2 * SIGNS // len(piece))
        pairs = [
            ((once, "Cao wrote 3"), (twice, "Cao wrote 3")),
            (("Cao wrote 3", once), ("Cao wrote 3", twice)),
            ((once, once), (twice, twice)),
        ]
        for less, more in pairs:
            counts = score_pair(*less), score_pair(*more)
            if counts[1] > 2.2 * counts[0] + 1_000:
                slow.append((piece, counts))
    assert not slow
