"""The rules for names: a reader knows what a function does before reading it.

Everywhere a name is no participle, adverb or preposition alone ("told", "once", "of"), does not
begin with a participle ("drawn_rows") and does not end with a preposition ("width_of"). In STRICT
folders a function is a verb and its object; of a method, and of a function within a function, the
object may be left out.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support.project import ROOT

STRICT = ("metrics/", "spaces/publish.py")
# Folders that do not keep the strict rule yet.
NOT_STRICT = ("metrics/correctness_estimate/", "metrics/training/")

VERBS = frozenset(
    "adapt add append apply ask average begin blank bound build calculate change check choose "
    "claim classify clean close collect commit compare compile complete compose compute "
    "convert count create cut delete describe detect draw drop embed encode end ensure estimate "
    "execute expand expire explain fetch fill find finish fit flatten fold forget format get give "
    "grade group guess handle hash hide identify index join keep leave limit list load look make "
    "mark match measure merge name normalize note number open order parse place plan post "
    "prepare price put quote raise rank read record refuse register release remove render "
    "renew reorder repeat replace reply require restore round run say score select send set "
    "settle share shorten show simulate skip sort split start stem stop store submit subtract "
    "sum summarize take tell time tokenize train trim unwrap upload use wait walk warn watch "
    "weigh wrap write".split()
)
QUESTIONS = frozenset(
    "can ends fails fits has holds is needs opens reads refuses repeats speaks stands takes thinks "
    "was".split()
)
PARTICIPLES = frozenset(
    "asked begun bound brought built caught chosen cut drawn found given gone grown heard held "
    "kept known left lost made meant put read said seen sent set shown shut spoken spread stood "
    "sung taken thought told worn written".split()
)
# These are verbs as well: with an object ("read_table") they say what is done.
ALSO_VERBS = frozenset("bound cut put read set spread".split())
ADVERBS = frozenset(
    "alike alone anew apart around back beside besides between elsewhere exact far free here "
    "inside like near once other others outside own signed under whole wider".split()
)
# "stand_in" is a noun: a judge or a score that stands in for a person's verdict.
PREPOSITIONS = frozenset("as at by for from in of on to with".split())
ENDS_IN_ED = frozenset("embed exceed feed need proceed seed speed".split())

# Names that break a rule, and why they stay.
EXCEPTIONS = {
    # evaluate calls them
    "_compute",
    "_feature_names",
    "_info",
    # what every scoring.py has, and what users call
    "log_prob",
    "overall_score",
    # reward_accuracy's, beside _compute
    "_result",
    # steps of a recurrence
    "next_row",
    # commands
    "load_back",
    "main",
    "publish",
}
# Verbs that may stand alone, since the module names the object: `bleu.scoring.tokenize`.
ALONE = frozenset("average explain grade score summarize tokenize".split())
# Names that a folder does not have better yet. A mended name leaves this list.
STILL_THERE: set[str] = {
    "metrics/correctness_estimate/facts.py: is_turned_to",
    "metrics/correctness_estimate/matching.py: wanted_words",
    "metrics/correctness_estimate/names.py: is_short_for",
    "metrics/correctness_estimate/statements.py: span_of",
    "metrics/correctness_estimate/values.py: stands_in",
}


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Function:
    """A function of the project; `is_inner` tells if a class or another function contains it."""

    path: str
    name: str
    is_inner: bool

    def __str__(self) -> str:
        return f"{self.path}: {self.name}"


def list_files() -> list[str]:
    """Return the Python files that git tracks, without the copies of metrics/shared."""
    command = ["git", "ls-files", "-z", "*.py"]
    process = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = []
    for path in process.stdout.split("\0"):
        if path and not (ROOT / path).read_text("utf-8").startswith("# A copy of"):
            paths.append(path)
    return paths


def find_functions(path: str) -> Iterator[Function]:
    """Yield the functions of a file except properties, fixtures, tests and Python's own."""

    def walk(node: ast.AST, is_inner: bool) -> Iterator[Function]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTION) and is_named_freely(child):
                yield Function(path, child.name, is_inner)
            has_inner = is_inner or isinstance(child, (*FUNCTION, ast.ClassDef))
            yield from walk(child, has_inner)

    yield from walk(ast.parse((ROOT / path).read_text("utf-8")), False)


def is_named_freely(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether the rules apply to a function: properties and fixtures may be nouns."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    if any(text.lower().endswith("property") or "fixture" in text for text in decorators):
        return False
    return not function.name.startswith(("__", "test_"))


def find_fault(name: str) -> str:
    """Return which rule for all names a name breaks; "" if it breaks none."""
    words = name.strip("_").lower().split("_")
    first = words[0]
    is_participle = first in PARTICIPLES
    if len(first) > 3 and first.endswith("ed"):
        is_participle = first not in ENDS_IN_ED
    if len(words) == 1 and (is_participle or first in ADVERBS | PREPOSITIONS):
        return "a participle, adverb or preposition alone"
    if is_participle and first not in ALSO_VERBS:
        return "begins with a participle"
    if words[-1] in PREPOSITIONS and words[-2:] != ["stand", "in"]:
        return "ends with a preposition"
    return ""


def is_verb_with_object(function: Function) -> bool:
    """Return whether a function is a verb and its object, or a question."""
    verb, _, object_of_verb = function.name.strip("_").partition("_")
    if verb not in VERBS | QUESTIONS:
        return False
    return bool(object_of_verb) or function.is_inner or verb in ALONE


def is_strict(path: str) -> bool:
    """Return whether a file is in a folder with the strict rule."""
    return path.startswith(STRICT) and not path.startswith(NOT_STRICT)


FUNCTIONS = [function for path in list_files() for function in find_functions(path)]


def test_every_name_says_what_its_function_does() -> None:
    faults = {}
    for function in FUNCTIONS:
        fault = find_fault(function.name)
        is_known = str(function) in STILL_THERE or function.name in EXCEPTIONS
        if fault and not is_known:
            faults[str(function)] = fault
    assert not faults, "name what each of these functions does, and to what"


def test_a_function_is_a_verb_and_its_object() -> None:
    faults = []
    for function in FUNCTIONS:
        is_right = is_verb_with_object(function) or function.name in EXCEPTIONS
        if is_strict(function.path) and not is_right:
            faults.append(str(function))
    assert not faults, (
        "name what each of these functions does, and to what; add a new verb to VERBS"
    )


@pytest.mark.parametrize(
    ("name", "is_fault"),
    [
        ("told", True),
        ("drawn_rows", True),
        ("width_of", True),
        ("checked", True),
        ("read_table", False),
        ("need_key", False),
        ("find_stand_in", False),
    ],
)
def test_the_rules_tell_good_names_from_bad_ones(name: str, is_fault: bool) -> None:
    assert bool(find_fault(name)) == is_fault


def test_each_exception_is_in_use() -> None:
    strict = {function.name for function in FUNCTIONS if is_strict(function.path)}
    assert strict >= EXCEPTIONS
