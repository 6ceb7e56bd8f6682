"""Decides which targets of a log are references, and whether an answer has to name all of them.

A log has a target for every sample, but two kinds of targets are no texts to compare an answer
with:

- a placeholder: the first samples of the log all have the same number, and some question does not
  contain it. Tasks that check whether instructions are followed have such targets;
- a program that asserts: the tests of a task that asks for code.

If a target is the position of an option, the text of that option is the reference.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import fits_column_type
from lens.tables.column_names import USUAL_NAMES, normalize_name

# How several references of a sample count, by the tool's scores or settings: an answer needs all,
# any one is enough, or this is not known.
ALL, ANY, UNKNOWN = "all", "any", "unknown"
# The largest rounding error of a score: tools write two decimals or more.
ROUNDING_ERROR = 0.005
# The comma in "1,000".
THOUSANDS_COMMA = re.compile(r"(?<=\d),(?=\d)")
WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
# A number in a column of these names is an id, not an answer.
ID_NAMES = {normalize_name(name) for name in USUAL_NAMES["id"]}
# The keys that data sets use for the options of a question.
OPTION_KEYS = ("choices", "options")
# More references than this are not searched for in an answer, because the work grows with both.
MAX_REFERENCES = 100
# A longer target is not parsed as a program of tests.
MAX_PROGRAM_LENGTH = 20_000


@dataclass
class ReferenceUse:
    """Infers from a tool's scores whether an answer has to name all of several references.

    Only answers that name some of the references show the difference. All are needed if a score is
    the share of references that the answer names, or is 1 only if it names all. Any one is enough
    if the score of such an answer is 1. If one reference contains another, as "Jane Austen" and
    "Austen", they are spellings of one answer.

    Attributes:
        samples: the number of samples with several references.
        distinct_samples: the number of those whose references are different answers.
        declared: the number of samples by the use that the tool's settings declare.
        partial_answers: by score, the number of answers that name some references but not all.
        full_answers: by score, the number of answers that name all references.
        not_shares: the scores that are not always the share of references that an answer names.
        not_all_or_nothing: the scores that are not always 1 for all references and 0 otherwise.
        is_any_enough: whether a score was 1 for an answer that does not name all references.
    """

    samples: int = 0
    distinct_samples: int = 0
    declared: Counter[str] = field(default_factory=Counter)
    partial_answers: Counter[str] = field(default_factory=Counter)
    full_answers: Counter[str] = field(default_factory=Counter)
    not_shares: set[str] = field(default_factory=set)
    not_all_or_nothing: set[str] = field(default_factory=set)
    is_any_enough: bool = False

    def declare(self, use: str) -> None:
        """Count a sample for which the tool's settings say how references count."""
        self.declared[use] += 1

    def add_sample(
        self, references: Sequence[str], answer: str | None, scores: Mapping[str, Any]
    ) -> None:
        """Compare a tool's scores with the share of references that an answer names."""
        distinct = {reference.strip().casefold() for reference in references}
        distinct.discard("")
        if len(distinct) < 2:
            return
        self.samples += 1
        if len(distinct) > MAX_REFERENCES or are_spellings(distinct):
            return
        self.distinct_samples += 1
        if answer is None:
            return
        text = answer.casefold()
        named_count = sum(reference in text for reference in distinct)
        share = named_count / len(distinct)
        for column, score in scores.items():
            if is_share(score):
                self.compare_score(column, float(score), share)

    def compare_score(self, column: str, score: float, share: float) -> None:
        """Note whether a score is the share of references named, or is 1 only for all of them."""
        if abs(score - share) > ROUNDING_ERROR:
            self.not_shares.add(column)
        if score not in (0, 1) or (score == 1) != (share == 1):
            self.not_all_or_nothing.add(column)
        self.full_answers[column] += share == 1
        self.partial_answers[column] += 0 < share < 1
        if score == 1 and share < 1:
            self.is_any_enough = True

    @property
    def use(self) -> str:
        """How references count: ALL, ANY or UNKNOWN; empty if no sample has several references."""
        if not self.samples:
            return ""
        if self.declared[ALL]:
            return ALL if self.declared[ALL] >= self.samples else UNKNOWN
        if self.declared[ANY] >= self.distinct_samples:
            return ANY
        if self.has_score_of_all():
            return ALL
        return ANY if self.is_any_enough else UNKNOWN

    def has_score_of_all(self) -> bool:
        """Return whether a score is the share of references named, or is 1 only for all of them."""
        for column, count in self.partial_answers.items():
            if not count:
                continue
            if column not in self.not_shares:
                return True
            if self.full_answers[column] and column not in self.not_all_or_nothing:
                return True
        return False


def is_share(score: Any) -> bool:
    """Return whether a score is a number from 0 to 1.

    A tool may write -1 if it did not score a sample.
    """
    return isinstance(score, int | float) and 0 <= score <= 1


def are_spellings(references: Iterable[str]) -> bool:
    """Return whether the shortest reference is a part of another one.

    In a text of ASCII characters, only whole words count.

    >>> are_spellings({"jane austen", "austen"}), are_spellings({"北京", "北京市"})
    (True, True)
    >>> are_spellings({"1", "12"})
    False
    """
    # Only the shortest reference is compared, because comparing all pairs would be quadratic.
    shortest, *longer = sorted(references, key=len)
    pattern = re.escape(shortest)
    if shortest.isascii():
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return any(re.search(pattern, reference) for reference in longer)


def find_placeholder(samples: Sequence[tuple[Any, Any]]) -> str:
    """Return the placeholder in the first samples of a log; empty if targets are references.

    A placeholder is a number that is the target of all samples, and that some question does not
    contain.

    Args:
        samples: the target of each sample, and what the log knows of its question.

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
    """Return what is known of a question without its ids."""
    if not isinstance(question, Mapping):
        return question
    without_ids = {}
    for name, cell in question.items():
        if normalize_name(name) not in ID_NAMES:
            without_ids[name] = cell
    return without_ids


def has_number(value: Any, number: str) -> bool:
    """Return whether a value is a number, or contains it as a separate word."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return any(has_number(cell, number) for cell in value)
    if isinstance(value, bool) or value is None:
        return False
    text = THOUSANDS_COMMA.sub("", str(value))
    return bool(re.search(rf"(?<![\w.]){re.escape(number)}(?!\w)", text))


def is_test_program(target: Any) -> bool:
    r"""Return whether a target is a Python program of tests.

    Such a program executes an assertion, either directly or in a function that it calls.

    >>> is_test_program("assert add(1, 2) == 3")
    True
    >>> is_test_program("def f(x):\n    assert x\n    return x")
    False
    """
    if not isinstance(target, str) or "assert" not in target or len(target) > MAX_PROGRAM_LENGTH:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = ast.parse(target.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    asserting_functions = set()
    for statement in program.body:
        if isinstance(statement, ast.FunctionDef) and has_assertion(statement):
            asserting_functions.add(statement.name)
    # pytest calls functions whose names begin like this.
    if any(name.startswith("test") for name in asserting_functions):
        return True
    return any(has_executed_assertion(statement, asserting_functions) for statement in program.body)


def has_assertion(statement: ast.AST) -> bool:
    """Return whether a statement contains an assertion."""
    return any(isinstance(node, ast.Assert) for node in ast.walk(statement))


def has_executed_assertion(statement: ast.stmt, asserting_functions: set[str]) -> bool:
    """Return whether a statement asserts when it runs, directly or by a call of these functions."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    if has_assertion(statement):
        return True
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in asserting_functions:
            return True
    return False


def are_option_positions(samples: Sequence[tuple[Any, Any]], answers: Sequence[Any]) -> bool:
    """Return whether the targets of a log's first samples are positions of options.

    This needs answers that are not all numbers.

    >>> are_option_positions([("1", {"choices": ["Bath", "Steventon"]})], ["In Bath."])
    True
    >>> are_option_positions([("1", {"choices": ["1", "2"]})], ["1"])
    False
    """
    if not samples or all(is_whole_number(answer) for answer in answers):
        return False
    return all(read_option(target, question) is not None for target, question in samples)


def is_whole_number(value: Any) -> bool:
    """Return whether a value is an integer, or the text of one."""
    return WHOLE_NUMBER.fullmatch(str(value).strip()) is not None


def read_option(target: Any, question: Any) -> str | None:
    """Return the text of the option whose position, from 0, is the target.

    The result is None if there is no such option, or if the target is itself an option.
    """
    text = str(target).strip()
    options = find_options(question)
    if not is_whole_number(text) or text in options:
        return None
    position = int(text)
    return options[position] if position in range(len(options)) else None


def find_options(question: Any) -> list[str]:
    """Return the options of a question: a list of texts, or the texts of labelled options.

    >>> find_options({"choices": {"label": ["A", "B"], "text": ["Bath", "Steventon"]}})
    ['Bath', 'Steventon']
    """
    if not isinstance(question, Mapping):
        return []
    for key in OPTION_KEYS:
        options = question.get(key)
        if isinstance(options, Mapping):
            options = options.get("text")
        if options and isinstance(options, list) and fits_column_type(options, "texts"):
            return options
    return []
