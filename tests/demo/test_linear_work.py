"""A text that is twice as long takes at most twice the work, in every pattern and function.

The work is counted, because seconds depend on how busy the machine is. For a pattern the steps of
its backtracking are counted (support/pattern_steps.py), for a function the lines that it runs.
tests/metrics/test_long_texts.py does the same for whole modules.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.awkward_texts import (
    GENERAL,
    build_awkward_texts,
    build_text,
    build_units,
    find_longest_bound,
    find_runs,
)
from tests.support.loop_steps import FIXED_LINES, MOST_TIMES, count_lines
from tests.support.pattern_nodes import parse_pattern
from tests.support.pattern_steps import TooMany, count_steps
from tests.support.project import import_file
from tests.support.project_patterns import Use, collect_uses

# Steps of a pattern that do not depend on the length of the text.
FIXED_STEPS = 400
PATTERN_LENGTH, LOOP_LENGTH = 64, 640
# Steps after which a pattern counts as too slow.
LIMIT = 300_000


def find_slow_unit(use: Use) -> tuple[str, str] | None:
    """Return a text whose repetition makes a pattern slower than linear; None if there is none.

    The text is a pair for `build_text`: the beginning, and the repeated part.
    """
    tree = parse_pattern(use.pattern)
    if not any(find_runs(tree, use.pattern.flags)):
        return None
    length = max(PATTERN_LENGTH, 2 * find_longest_bound(tree))
    for unit in dict.fromkeys([*build_units(use.pattern), *GENERAL]):
        try:
            steps = count_steps(use.pattern, build_text(unit, length), use.anchored, LIMIT)
            most = int(MOST_TIMES * steps + FIXED_STEPS)
            count_steps(use.pattern, build_text(unit, 2 * length), use.anchored, most)
        except TooMany:
            return unit
    return None


def test_every_pattern_reads_a_text_in_linear_time() -> None:
    uses = collect_uses()
    assert len(uses) > 100, "the patterns of the project are not found"
    slow_units = {}
    for use in uses:
        unit = find_slow_unit(use)
        if unit:
            slow_units[f"{use.place}: {use.pattern.pattern[:80]}"] = unit
    assert slow_units == {}


SLOW_PATTERNS = [
    r"\d.*/\s*km\b",
    r"\s*(\([^()]*\))\s*$",
    r"\$([^$\n]*[\\^_={][^$\n]*)\$",
    r"\S*\*{2,}\S*",
    r"(a+)+b",
    r"(?:a|a)*b",
    r"[.!?]\W*(yes|no)\b",
]
LINEAR_PATTERNS = [
    r"\d",
    r"a+",
    r"\s+",
    r"<[^<>]*>",
    r"\bno\b.{0,40}\bone\b",
    r'"(?:[^"\\]|\\.)*"?',
    r"(?<![a-z])[a-z]+/",
    r"\w+\b",
]


@pytest.mark.parametrize("pattern", SLOW_PATTERNS)
def test_a_pattern_that_is_slower_than_linear_is_found(pattern: str) -> None:
    assert find_slow_unit(Use(re.compile(pattern), "", anchored=False)) is not None


@pytest.mark.parametrize("pattern", LINEAR_PATTERNS)
def test_a_linear_pattern_is_not_reported(pattern: str) -> None:
    assert find_slow_unit(Use(re.compile(pattern), "", anchored=False)) is None


# Loops


@pytest.fixture
def plain_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse JSON with Python's own code instead of C, so that its lines are counted."""
    monkeypatch.setattr(json.scanner, "make_scanner", json.scanner.py_make_scanner)  # type: ignore[attr-defined]
    monkeypatch.setattr(json.decoder, "scanstring", json.decoder.py_scanstring)  # type: ignore[attr-defined]
    for module in [import_file("judge_bias"), import_file("eve_judge")]:
        for name, value in vars(module).items():
            if isinstance(value, json.JSONDecoder):
                monkeypatch.setattr(module, name, json.JSONDecoder())


def import_lens(name: str) -> Any:
    """Import a module of the demo."""
    return importlib.import_module(f"lens.{name}")


def list_metric_loops(name: str) -> dict[str, Callable[[str], object]]:
    """Return functions that score a text as an answer, and as a reference."""
    score, other = import_file(name).score, "Paris is the capital, 3 km from here, not Rome. 北京"
    return {
        f"{name}, answer": lambda text: score(text, other),
        f"{name}, reference": lambda text: score(other, text),
    }


# Functions that read a text of a user, by what the text is.
LOOPS: dict[str, Callable[[str], object]] = {
    "a separator": lambda text: import_lens("tables.separators").find_separators(text),
    "names of columns": lambda text: import_lens("tables.roles").guess_roles(
        [text, "answer", "reference"]
    ),
    "a name that is near": lambda text: import_lens("tables.roles").suggest_name(
        text, [text[::-1], "answer"]
    ),
    "an answer": lambda text: import_lens("tables.answer_texts").read_answer(text),
    "a box": lambda text: import_lens("tables.answer_texts").read_answer(text, final="boxed"),
    "words before an answer": lambda text: import_lens("tables.answer_texts").read_answer(
        text, final=text[:3]
    ),
    "references in JSON": lambda text: import_lens("tables.separators").split_references(
        text, "json"
    ),
    "references between lines": lambda text: import_lens("tables.separators").split_references(
        text, r"\n"
    ),
    "a verdict of a person": lambda text: import_lens("tables.verdict_words").parse_verdict(text),
    "a line of a terminal": lambda text: import_lens("words.printed").make_one_line(text),
    "HTML": lambda text: import_lens("page.html").escape(text),
    "a table with commas": lambda text: import_lens("tables.untrusted").read_contents(
        "csv", text.encode(), True
    ),
    "a table in JSON": lambda text: import_lens("tables.untrusted").read_contents(
        "json", text.encode(), True
    ),
    "a reply about quality": lambda text: import_file("judge_bias").overall_score(text),
    "a reply of a verdict": lambda text: import_file("eve_judge").read_verdict(text),
    "a reply that begins with yes": lambda text: import_file("l3score").read_word(text),
    "an error of a server": lambda text: import_file("l3score", "judge_replies").format_plain_line(
        text
    ),
}
for metric in ("bleu", "rouge", "lv_eval_f1", "lv_eval_rouge", "correctness_estimate"):
    LOOPS |= list_metric_loops(metric)


@pytest.mark.usefixtures("plain_json")
@pytest.mark.parametrize("name", LOOPS)
def test_every_loop_over_a_text_is_linear(name: str) -> None:
    loop = LOOPS[name]
    loop_once = lambda text: count_lines(lambda: loop(text))  # noqa: E731
    loop_once("warm up 北京 3 km")
    slow_texts = []
    short_texts = build_awkward_texts(LOOP_LENGTH)
    long_texts = build_awkward_texts(2 * LOOP_LENGTH)
    for short, long in zip(short_texts, long_texts, strict=True):
        try:
            count_lines(lambda: loop(long), int(MOST_TIMES * loop_once(short) + FIXED_LINES))  # noqa: B023
        except TooMany:
            slow_texts.append(short[:20])
    assert slow_texts == []
