"""No text makes more than twice the work when it is twice as long: patterns and loops, counted in
steps.

A clock would tell how busy the machine is. Of a pattern the steps of its backtracking are counted
(support/pattern_steps.py), of a function the lines that it runs.
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
from tests.support.loop_steps import count_lines
from tests.support.pattern_nodes import parse_pattern
from tests.support.pattern_steps import TooMany, count_steps
from tests.support.project import import_file
from tests.support.project_patterns import Use, collect_uses

# Twice the work and something for what does not depend on the length.
MOST_TIMES, AND_MORE = 2.5, 400
PATTERN_LENGTH, LOOP_LENGTH = 64, 640
# Lines of what is remembered, such as words that were cut before.
REMEMBERED = 3_000
LIMIT = 300_000


def awkward_unit(use: Use) -> tuple[str, str] | None:
    """Return what makes more than twice the work when it is there twice as often.

    It is None where nothing does.
    """
    tree = parse_pattern(use.pattern)
    if not any(find_runs(tree, use.pattern.flags)):
        return None
    length = max(PATTERN_LENGTH, 2 * find_longest_bound(tree))
    for unit in dict.fromkeys([*build_units(use.pattern), *GENERAL]):
        try:
            steps = count_steps(use.pattern, build_text(unit, length), use.anchored, LIMIT)
            most = int(MOST_TIMES * steps + AND_MORE)
            count_steps(use.pattern, build_text(unit, 2 * length), use.anchored, most)
        except TooMany:
            return unit
    return None


def test_every_pattern_reads_a_text_in_linear_time() -> None:
    every = collect_uses()
    assert len(every) > 100, "patterns are not found"
    awkward = {
        f"{use.place}: {use.pattern.pattern[:80]}": unit
        for use in every
        if (unit := awkward_unit(use))
    }
    assert awkward == {}


READS_AGAIN = [
    r"\d.*/\s*km\b",
    r"\s*(\([^()]*\))\s*$",
    r"\$([^$\n]*[\\^_={][^$\n]*)\$",
    r"\S*\*{2,}\S*",
    r"(a+)+b",
    r"(?:a|a)*b",
    r"[.!?]\W*(yes|no)\b",
]
READS_ONCE = [
    r"\d",
    r"a+",
    r"\s+",
    r"<[^<>]*>",
    r"\bno\b.{0,40}\bone\b",
    r'"(?:[^"\\]|\\.)*"?',
    r"(?<![a-z])[a-z]+/",
    r"\w+\b",
]


@pytest.mark.parametrize("pattern", READS_AGAIN)
def test_a_pattern_that_reads_a_text_again_and_again_is_found(pattern: str) -> None:
    assert awkward_unit(Use(re.compile(pattern), "", anchored=False)) is not None


@pytest.mark.parametrize("pattern", READS_ONCE)
def test_a_pattern_that_reads_a_text_once_is_not(pattern: str) -> None:
    assert awkward_unit(Use(re.compile(pattern), "", anchored=False)) is None


# Loops


@pytest.fixture
def plain_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have JSON read by Python's own code, whose lines count."""
    monkeypatch.setattr(json.scanner, "make_scanner", json.scanner.py_make_scanner)  # type: ignore[attr-defined]
    monkeypatch.setattr(json.decoder, "scanstring", json.decoder.py_scanstring)  # type: ignore[attr-defined]
    for module in [import_file("judge_bias"), import_file("eve_judge")]:
        for name, value in vars(module).items():
            if isinstance(value, json.JSONDecoder):
                monkeypatch.setattr(module, name, json.JSONDecoder())


def import_lens(name: str) -> Any:
    """Return a module of the demo."""
    return importlib.import_module(f"lens.{name}")


def metric_loops(name: str) -> dict[str, Callable[[str], object]]:
    """Return what a metric does with an answer and with a reference."""
    score, other = import_file(name).score, "Paris is the capital, 3 km from here, not Rome. 北京"
    return {
        f"{name}, answer": lambda text: score(text, other),
        f"{name}, reference": lambda text: score(other, text),
    }


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
    LOOPS |= metric_loops(metric)


@pytest.mark.usefixtures("plain_json")
@pytest.mark.parametrize("name", LOOPS)
def test_every_loop_over_a_text_is_linear(name: str) -> None:
    loop = LOOPS[name]
    loop_once = lambda text: count_lines(lambda: loop(text))  # noqa: E731
    loop_once("warm up 北京 3 km")
    awkward = []
    short_texts = build_awkward_texts(LOOP_LENGTH)
    long_texts = build_awkward_texts(2 * LOOP_LENGTH)
    for short, long in zip(short_texts, long_texts, strict=True):
        try:
            count_lines(lambda: loop(long), int(MOST_TIMES * loop_once(short) + REMEMBERED))  # noqa: B023
        except TooMany:
            awkward.append(short[:20])
    assert awkward == []
