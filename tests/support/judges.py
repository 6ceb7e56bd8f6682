"""The judges for tests that know no judge: with questions, a model, and a server that finds equal
texts equal.
"""

import atexit
import functools
import re
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import JudgeServer, Reply, Request, tokens, verdict

JUDGES = EVE, L3 = ("eve_judge", "l3score")
both_judges = pytest.mark.parametrize("judge", JUDGES)
KEY = "sk-proj-Zx7QwErTy93PoIuLkJhGfDs"
# The address in the examples of the cards: that of vLLM, as it is started by default.
ADDRESS = "http://127.0.0.1:8000/v1"
TEXTS = re.compile(
    r"Ground-truth answer: (?P<r1>.*?) *\nCandidate answer: (?P<p1>.*?) *\n+Is the semantic|"
    r'Provided Answer: "(?P<p2>.*?)"\nReference Answer: "(?P<r2>.*?)"\n+Using the rules',
    re.S,
)
YES = tokens([("Yes", -1e-9), ("No", -30.0), ("yes", -31.0), ("The", -32.0), (" Yes", -33.0)])
NO = tokens([("No", -1e-9), ("Yes", -30.0), ("no", -31.0), ("The", -32.0), (" No", -33.0)])
PASS = verdict('{"score": 1, "reasoning": "It says the same."}')
FAIL = verdict('{"score": 0, "reasoning": "It says something else."}')


def compare_texts(request: Request, number: int = 0) -> Reply:
    """Return Yes, or a pass, where the answer in the prompt is the reference, and else No, or a
    fail.
    """
    found = TEXTS.search(request.prompt)
    assert found, request.prompt[:300]
    texts = found.groupdict()
    same = (texts["r1"], texts["r2"]) == (texts["p1"], texts["p2"])
    if request.body.get("logprobs"):
        return YES if same else NO
    return PASS if same else FAIL


@functools.cache
def start_server() -> JudgeServer:
    """Return the server of this process."""
    started = JudgeServer(compare_texts).__enter__()
    atexit.register(started.__exit__, None, None, None)
    return started


def load(name: str, **settings: Any) -> Any:
    """Return a metric that needs no more than predictions and references.

    A judge asks the server of this process.
    """
    scorer = project.load(name, **settings)
    if name not in JUDGES:
        return scorer
    kind = type(scorer)

    class Provided(kind):  # type: ignore[misc, valid-type]
        def compute(self, **given: Any) -> Any:
            """Compute with what a judge needs besides."""
            asked = {
                "model": "judge-1",
                "base_url": start_server().url,
                "cache": False,
                "progress": False,
            }
            return super().compute(**(asked | add_questions(given)))

        def add_batch(self, **given: Any) -> None:
            """Add with a question for each row."""
            super().add_batch(**add_questions(given))

    Provided.__name__ = kind.__name__
    Provided.__module__ = kind.__module__
    return Provided(**settings)


def make_columns(count: int) -> dict[str, Any]:
    """Return so many different rows."""
    names = {"questions": "Question", "predictions": "Answer", "references": "Reference"}
    return {
        column: [f"{name} {number}" for number in range(count)] for column, name in names.items()
    }


def judge_rows(
    judge: str, server: JudgeServer | str, rows: int | dict[str, Any], **settings: Any
) -> Any:
    """Return the result of judging rows, or so many, by a server or by its address.

    Nothing is kept.
    """
    given = {
        "model": "judge-1",
        "api_key": KEY,
        "base_url": getattr(server, "url", server),
        "cache": False,
    }
    given |= {"timeout": 20.0, "progress": False, "per_example": True, **settings}
    return project.load(judge).compute(
        **(make_columns(rows) if isinstance(rows, int) else rows), **given
    )


def add_questions(given: dict[str, Any]) -> dict[str, Any]:
    """Return the columns with a question for each row, where there are rows."""
    columns = {k: list(v) if hasattr(v, "__next__") else v for k, v in given.items()}
    column = columns.get("predictions", columns.get("references"))
    try:
        rows = len(column)  # type: ignore[arg-type]
    except TypeError:
        return columns
    return {"questions": ["?"] * rows, **columns}
