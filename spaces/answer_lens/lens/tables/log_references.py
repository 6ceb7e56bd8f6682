"""Which targets of a log are references, and whether an answer has to name all of several.

A log names a target for every sample, but not every target is a text to compare an answer with.
These are none:

- a number that stands nowhere in what the log knows of the question, where all samples at the
  beginning of the log have the same one: a placeholder, as tasks have that check instructions;
- a program that asserts: the tests of a task that asks for code.

A number that is the place of an option, where the question has options, is that option's text.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import is_kind
from lens.tables.column_names import USUAL, normalize_name

# How the references of a log count: by its tool's own scores or settings, all of them or any one;
# or nobody knows.
ALL, ANY, UNKNOWN = "all", "any", "unknown"
# Tools write scores with two decimals or more.
ROUNDING = 0.005
THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
# A number by these names is no answer.
ID_NAMES = {normalize_name(name) for name in USUAL["id"]}
# Where a question has its options, by the names that data sets use.
OPTIONS = ("choices", "options")
# More references than this are not looked up in an answer: the work would grow with both.
MAX_NAMES = 100
# Beyond this a target is no program of tests: one is read as a whole.
MAX_PROGRAM = 20_000


@dataclass
class ReferenceUse:
    """Infers from the scores of a tool whether an answer has to name all of several references.

    An answer that names some of them tells the two apart: a score that is the share of the
    references named, or 1 only where all are, counts all; a score of 1 beside some counts any.
    References of which one is a part of another are spellings of one answer.
    """

    several: int = 0
    distinct: int = 0
    declared: Counter[str] = field(default_factory=Counter)
    partly: Counter[str] = field(default_factory=Counter)
    fully: Counter[str] = field(default_factory=Counter)
    not_share: set[str] = field(default_factory=set)
    not_every: set[str] = field(default_factory=set)
    any_counts: bool = False

    def declare(self, use: str) -> None:
        """Note how the tool says that the references of a sample count."""
        self.declared[use] += 1

    def add_sample(
        self, references: Sequence[str], answer: str | None, scores: Mapping[str, Any]
    ) -> None:
        """Note how many references an answer names, and what its tool's scores are."""
        names = {name.strip().casefold() for name in references}
        names.discard("")
        if len(names) < 2:
            return
        self.several += 1
        if len(names) > MAX_NAMES or are_spellings(names):
            return
        self.distinct += 1
        if answer is None:
            return
        text = answer.casefold()
        named = [name for name in names if name in text]
        share = len(named) / len(names)
        for column, score in scores.items():
            if is_share(score):
                self.compare(column, float(score), share)

    def compare(self, column: str, score: float, share: float) -> None:
        """Note whether a score is the share of references that an answer names.

        Note too whether it takes all of them.
        """
        if abs(score - share) > ROUNDING:
            self.not_share.add(column)
        if score not in (0, 1) or (score == 1) != (share == 1):
            self.not_every.add(column)
        self.fully[column] += share == 1
        self.partly[column] += 0 < share < 1
        self.any_counts = self.any_counts or (score == 1 and share < 1)

    @property
    def use(self) -> str:
        """Return how the references count; empty where no sample has several."""
        if not self.several:
            return ""
        if self.declared[ALL]:
            return ALL if self.declared[ALL] >= self.several else UNKNOWN
        if self.declared[ANY] >= self.distinct:
            return ANY
        if self.has_score_of_all():
            return ALL
        return ANY if self.any_counts else UNKNOWN

    def has_score_of_all(self) -> bool:
        """Return whether a score is the share of the references named, or 1 only where all are."""
        for column, answers in self.partly.items():
            if not answers:
                continue
            if column not in self.not_share:
                return True
            if self.fully[column] and column not in self.not_every:
                return True
        return False


def is_share(score: Any) -> bool:
    """Return whether a score is a number from 0 to 1.

    A tool may write -1 where it did not score.
    """
    return isinstance(score, int | float) and 0 <= score <= 1


def are_spellings(names: Iterable[str]) -> bool:
    """Return whether one of some references is a part of another.

    Words written with a to z must be whole.

    >>> are_spellings({"jane austen", "austen"}), are_spellings({"北京", "北京市"})
    (True, True)
    >>> are_spellings({"1", "12"})
    False
    """
    # The shortest stands in another one wherever any does but by chance; all pairs would be
    # quadratic.
    shortest, *others = sorted(names, key=len)
    part = re.escape(shortest)
    if shortest.isascii():
        part = rf"(?<!\w){part}(?!\w)"
    return any(re.search(part, other) for other in others)


def find_placeholder(samples: Sequence[tuple[Any, Any]]) -> str:
    """Return the target that is no reference in the first samples of a log.

    It is empty where targets are references.

    It is the same number in all of them, and some question does not have it.

    Args:
        samples: of each sample the target and what the log knows of the question.

    >>> find_placeholder([("0", {"prompt": "Say hello."}), (0, {"prompt": "Write 0 lines."})])
    '0'
    >>> find_placeholder([("72", {"answer": "#### 72"})]), find_placeholder([("1", {}), ("2", {})])
    ('', '')
    """
    targets = {str(target).strip() for target, _ in samples}
    if len(targets) != 1:
        return ""
    target = targets.pop()
    if not is_whole_number(target):
        return ""
    for _, question in samples:
        if not has_number(drop_ids(question), target):
            return target
    return ""


def drop_ids(question: Any) -> Any:
    """Return what is known of a question without what numbers it."""
    if not isinstance(question, Mapping):
        return question
    known = {}
    for name, cell in question.items():
        if normalize_name(name) not in ID_NAMES:
            known[name] = cell
    return known


def has_number(value: Any, number: str) -> bool:
    """Return whether a number stands in a value, or in a text of it as a word of its own."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return any(has_number(cell, number) for cell in value)
    if isinstance(value, bool) or value is None:
        return False
    text = THOUSANDS.sub("", str(value))
    return bool(re.search(rf"(?<![\w.]){re.escape(number)}(?!\w)", text))


def is_test_program(target: Any) -> bool:
    r"""Return whether a target is a Python program of tests.

    Such a program asserts when it runs, itself or by what it calls.

    >>> is_test_program("assert add(1, 2) == 3")
    True
    >>> is_test_program("def f(x):\n    assert x\n    return x")
    False
    """
    if not isinstance(target, str) or "assert" not in target or len(target) > MAX_PROGRAM:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = ast.parse(target.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    asserting = set()
    for statement in program.body:
        if isinstance(statement, ast.FunctionDef) and has_assertion(statement):
            asserting.add(statement.name)
    # pytest calls functions of this name.
    if any(name.startswith("test") for name in asserting):
        return True
    return any(is_asserting(statement, asserting) for statement in program.body)


def has_assertion(statement: ast.AST) -> bool:
    """Return whether a statement asserts anywhere within it."""
    return any(isinstance(node, ast.Assert) for node in ast.walk(statement))


def is_asserting(statement: ast.stmt, asserting: set[str]) -> bool:
    """Return whether a statement of a program asserts when it runs; these functions do."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    if has_assertion(statement):
        return True
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in asserting:
            return True
    return False


def are_option_places(samples: Sequence[tuple[Any, Any]], answers: Sequence[Any]) -> bool:
    """Return whether the targets of a log's first samples are places of options.

    The answers must be texts.

    >>> are_option_places([("1", {"choices": ["Bath", "Steventon"]})], ["In Bath."])
    True
    >>> are_option_places([("1", {"choices": ["1", "2"]})], ["1"])
    False
    """
    if not samples or all(is_whole_number(answer) for answer in answers):
        return False
    return all(read_option(target, question) is not None for target, question in samples)


def is_whole_number(value: Any) -> bool:
    """Return whether a value is a whole number, or the text of one."""
    return WHOLE_NUMBER.fullmatch(str(value).strip()) is not None


def read_option(target: Any, question: Any) -> str | None:
    """Return the text of the option whose place a target is, from 0.

    It is None where it is none, or is itself an option.
    """
    text = str(target).strip()
    options = find_options(question)
    if not is_whole_number(text) or text in options:
        return None
    place = int(text)
    return options[place] if 0 <= place < len(options) else None


def find_options(question: Any) -> list[str]:
    """Return the options of a question: a list of texts, or the texts that labels stand for."""
    if not isinstance(question, Mapping):
        return []
    for name in OPTIONS:
        options = question.get(name)
        if isinstance(options, Mapping):
            options = options.get("text")
        if options and isinstance(options, list) and is_kind(options, "texts"):
            return options
    return []
