"""Load and call judges in tests.

A fake server passes an answer that equals the reference, and fails any other.
"""

import atexit
import functools
import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import JudgeServer, Reply, Request, make_tokens, make_verdict

JUDGES = EVE, L3 = ("eve_judge", "l3score")
both_judges = pytest.mark.parametrize("judge", JUDGES)
KEY = "sk-proj-Zx7QwErTy93PoIuLkJhGfDs"
# The address in the examples of the cards: the default of vLLM.
ADDRESS = "http://127.0.0.1:8000/v1"
# The texts in the prompts of both judges, which begin and end like these:
# l3score: "Ground-truth answer: Paris\nCandidate answer: Rome\n\nIs the semantic"
# eve_judge: 'Provided Answer: "Rome"\nReference Answer: "Paris"\n\nUsing the rules'
L3SCORE_TEXTS = re.compile(
    r"Ground-truth answer: (?P<reference>.*?) *\n"
    r"Candidate answer: (?P<prediction>.*?) *\n+Is the semantic",
    re.S,
)
EVE_JUDGE_TEXTS = re.compile(
    r'Provided Answer: "(?P<prediction>.*?)"\nReference Answer: "(?P<reference>.*?)"\n+'
    "Using the rules",
    re.S,
)
YES = make_tokens([("Yes", -1e-9), ("No", -30.0), ("yes", -31.0), ("The", -32.0), (" Yes", -33.0)])
NO = make_tokens([("No", -1e-9), ("Yes", -30.0), ("no", -31.0), ("The", -32.0), (" No", -33.0)])
PASS = make_verdict('{"score": 1, "reasoning": "It says the same."}')
FAIL = make_verdict('{"score": 0, "reasoning": "It says something else."}')


def compare_texts(request: Request, number: int = 0) -> Reply:
    """Return Yes or a pass if the answer in the prompt equals the reference, else No or a fail."""
    texts = L3SCORE_TEXTS.search(request.prompt) or EVE_JUDGE_TEXTS.search(request.prompt)
    assert texts, request.prompt[:300]
    is_equal = texts["prediction"] == texts["reference"]
    if request.body.get("logprobs"):
        return YES if is_equal else NO
    return PASS if is_equal else FAIL


@functools.cache
def start_server() -> JudgeServer:
    """Start one server for this process, and return it at each call."""
    started = JudgeServer(compare_texts).__enter__()
    atexit.register(started.__exit__, None, None, None)
    return started


def load(name: str, **settings: Any) -> Any:
    """Return a metric that can be called with predictions and references only.

    A judge gets questions, a model and the address of this process's server, unless the test passes
    its own.
    """
    metric = project.load(name, **settings)
    if name not in JUDGES:
        return metric
    judge_class = type(metric)

    class JudgeWithDefaults(judge_class):  # type: ignore[misc, valid-type]
        def compute(self, **arguments: Any) -> Any:
            """Compute with a judge's other arguments filled in."""
            defaults = {
                "model": "judge-1",
                "base_url": start_server().url,
                "cache": False,
                "progress": False,
            }
            return super().compute(**(defaults | add_questions(arguments)))

        def add_batch(self, **columns: Any) -> None:
            """Add rows, with a question for each."""
            super().add_batch(**add_questions(columns))

    JudgeWithDefaults.__name__ = judge_class.__name__
    JudgeWithDefaults.__module__ = judge_class.__module__
    return JudgeWithDefaults(**settings)


def select_keys(entry: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return the values of some keys of a result, or of a row's entry."""
    return {key: entry[key] for key in keys}


def make_columns(count: int) -> dict[str, Any]:
    """Return the columns of `count` different rows."""
    names = {"questions": "Question", "predictions": "Answer", "references": "Reference"}
    columns = {}
    for column, name in names.items():
        columns[column] = [f"{name} {number}" for number in range(count)]
    return columns


def judge_rows(
    judge: str, server: JudgeServer | str, rows: int | dict[str, Any], **settings: Any
) -> Any:
    """Judge rows and return the result; nothing is cached unless `settings` say so.

    Args:
        judge: the name of the judge.
        server: the server, or its address.
        rows: the columns of the rows, or the number of rows to make.
        settings: more arguments of `compute`.
    """
    arguments = {
        "model": "judge-1",
        "api_key": KEY,
        "base_url": getattr(server, "url", server),
        "cache": False,
        "timeout": 20.0,
        "progress": False,
        "per_example": True,
    }
    columns = make_columns(rows) if isinstance(rows, int) else rows
    return project.load(judge).compute(**columns, **(arguments | settings))


def add_questions(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with a question for each row.

    Without rows, or with a column that has no length, they are returned without questions.
    """
    columns = {}
    for name, value in arguments.items():
        # An iterator can be read only once, and its length is needed.
        columns[name] = list(value) if hasattr(value, "__next__") else value
    column = columns.get("predictions", columns.get("references"))
    try:
        rows = len(column)  # type: ignore[arg-type]
    except TypeError:
        return columns
    return {"questions": ["?"] * rows, **columns}
