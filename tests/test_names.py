"""The rule for names: a function is a verb and its object, so that a reader knows what it does
before reading it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import METRICS, ROOT

# What keeps the rule. A folder that begins to keep it joins this list.
FOLDERS = (
    "bertscore",
    "bleu",
    "cosine_similarity",
    "judge_bias",
    "lv_eval_f1",
    "lv_eval_rouge",
    "reward_accuracy",
    "rouge",
)
FILES = [ROOT / "spaces" / "publish.py", METRICS / "shared" / "text_model.py"]

VERBS = frozenset(
    "adapt add begin bound build check choose clean commit complete compute count cut describe "
    "detect "
    "drop embed estimate expand explain fetch find fit forget format grade identify limit list "
    "load make "
    "mark match measure normalize plan prepare read refuse remove render replace score skip split "
    "stem "
    "subtract summarize take tokenize walk warn weigh write".split()
)
QUESTIONS = frozenset("can has is reads".split())
# Names without an object, or without a verb, and why they stay.
EXCEPTIONS = {
    "_info",
    "_compute",  # evaluate calls them
    "_check_columns",  # of the class below all metrics
    # what every scoring.py has, and what users call
    "score",
    "explain",
    "grade",
    "tokenize",
    "summarize",
    "log_prob",
    "overall_score",  # what users call
    "average",
    "_compare",
    "_result",  # of reward_accuracy, beside _compute
    # the names that chinese_words.py gives them, where it is missing
    "chinese_words",
    "words",
    "words_twice",
    "next_row",  # a step of a recurrence
    "publish",
    "main",
    "load_back",  # commands
}


def list_files() -> list[Path]:
    """Return the files that keep the rule, without copies: these are written elsewhere."""
    files = list(FILES)
    for folder in FOLDERS:
        for path in sorted((METRICS / folder).glob("*.py")):
            if not path.read_text("utf-8").startswith("# A copy of"):
                files.append(path)
    return files


def find_functions(tree: ast.AST) -> Iterator[str]:
    """Yield the names of functions and methods, but for properties and Python's own."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
        if not node.name.startswith("__") and not decorators & {"property", "cached_property"}:
            yield node.name


def is_verb_with_object(name: str) -> bool:
    """Return whether a name is a verb and its object, or a question."""
    verb, _, rest = name.strip("_").partition("_")
    return bool(rest) and verb in VERBS | QUESTIONS


@pytest.mark.parametrize("path", list_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_function_is_a_verb_and_its_object(path: Path) -> None:
    names = set(find_functions(ast.parse(path.read_text("utf-8")))) - EXCEPTIONS
    wrong = sorted(name for name in names if not is_verb_with_object(name))
    assert not wrong, "name what each does and to what; a new verb joins VERBS"


def test_each_exception_is_in_use() -> None:
    names = {
        name for path in list_files() for name in find_functions(ast.parse(path.read_text("utf-8")))
    }
    assert names >= EXCEPTIONS
