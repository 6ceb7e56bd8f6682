"""EVE's judge: which replies are verdicts, and what the share of passes comes to."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.judge_server import JudgeServer, error, verdict
from tests.support.project import functions, load

eve_judge = functions("eve_judge")

# More stand in the card, whose edge cases are run.
READ = [
    ('{"score": 1.0}', 1),
    ('{"score": -0.0}', 0),
    ('{"score": 1e0}', 1),
    ('The set {1, 2} and \\frac{a}{b}. {"score": 1}', 1),
    ('{"score": 1, "score": 1}', 1),
    ('{"score": 1} So: {"score": 1.0}', 1),
    ('<think>{"score": 0}</think>{"score": 1}', 1),
    ('{"score": 0} hm </think> {"score": 1}', 1),
    ('{"score": 1, "reasoning": "it says </think> in the text"}', 1),
    ('{"score": 1, "reasoning": "it says {\\"score\\": 0}"}', 1),
    ('{"score": 1, "reasoning": "two\nlines"}', 1),
    ('{"score": 1, "reasoning": "\\ud800"}', 1),
    ('\ufeff{"score": 1}', 1),
]
UNREAD = [
    ("score: 1", "no_verdict"),
    ('{"Score": 1}', "no_verdict"),
    ('{"reasoning": "yes"}', "no_verdict"),
    ('{"score": 1, "details": {"score": 0},}', "no_verdict"),
    ('{"score": 1,} {"score": 0}', "no_verdict"),
    ('"{\\"score\\": 1}"', "no_verdict"),
    ("[" * 100_000, "no_verdict"),
    ('{"score": "1.0"}', "bad_verdict"),
    ('{"score": 1, "old": {"score": 0}}', "ambiguous"),
    ('{"score": 1, "score": null}', "ambiguous"),
]


@pytest.mark.parametrize(("reply", "expected"), READ, ids=range(len(READ)))
def test_a_verdict_is_read(reply: str, expected: int) -> None:
    assert eve_judge.score(reply) == expected


@pytest.mark.parametrize(("reply", "reason"), UNREAD, ids=range(len(UNREAD)))
def test_what_is_no_verdict_is_no_score(reply: str, reason: str) -> None:
    with pytest.raises(eve_judge.NoVerdict) as caught:
        eve_judge.score(reply)
    assert caught.value.reason == reason
    assert len(str(caught.value)) < 250


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
PROSE = st.text(st.characters(exclude_characters="{}"), max_size=30).filter(lambda text: "think>" not in text)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=3), st.sampled_from([0, 1]), PROSE, PROSE)
def test_a_verdict_is_read_whatever_stands_beside_it(rest: Any, value: int, before: str, after: str) -> None:
    reply = before + json.dumps({**rest, "score": value, "reasoning": "why"}) + after
    assert eve_judge.read_verdict(reply) == (value, "why")


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_any_other_text_is_a_verdict_or_none_and_nothing_else(reply: str) -> None:
    with contextlib.suppress(eve_judge.NoVerdict):
        assert eve_judge.score(reply) in (0, 1)


PASS = verdict('{"score": 1}')


def ask(server: JudgeServer, rows: int = 1, **settings: Any) -> dict[str, Any]:
    """Return the result for some rows."""
    fixed = {"model": "judge-1", "base_url": server.url, "cache": False, "progress": False, "per_example": True}
    columns = {name: [f"{name} {i}" for i in range(rows)] for name in ("questions", "predictions", "references")}
    return dict(load("eve_judge").compute(**{**columns, **fixed, **settings}))


def test_accuracy_passes_and_fails() -> None:
    replies = [verdict('{"score": 1, "reasoning": "a"}'), verdict('{"score": 0, "reasoning": "b"}'), verdict("?")]
    with JudgeServer(replies) as server:
        result = ask(server, rows=3, max_concurrency=1, on_error="skip")
    assert (result["accuracy"], result["passed"], result["failed"], result["n_failed"]) == (1 / 2, 1, 1, 1)
    rows = [(row["score"], row["reasoning"], row["reply"]) for row in result["per_example"]]
    said = [reply.body["choices"][0]["message"]["content"] for reply in replies]
    assert rows == [(1, "a", said[0]), (0, "b", said[1]), (None, None, "?")]
    assert type(rows[0][0]) is int


def test_a_failed_reference_leaves_a_pass_a_pass_and_nothing_else_known() -> None:
    fails, passes, none = (verdict(f'{{"score": {s}}}') for s in ("0", "1", "null"))
    for replies, expected in (([none, passes], 1), ([passes, none], 1), ([fails, none], None)):
        with JudgeServer(replies) as server:
            result = ask(server, references=[["a", "b"]], max_concurrency=1, on_error="skip")
        assert result["per_example"][0]["score"] == expected
        assert result["n_failed"] == (expected is None)


REFUSED = error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported.")


@pytest.mark.parametrize(
    ("provider", "form"), [("vllm", "json_schema"), ("deepseek", "json_object"), ("anthropic", None)]
)
def test_structured_output_is_asked_for_where_it_is_offered(provider: str, form: str | None, tmp_path: Path) -> None:
    with JudgeServer(verdict('{"score": 1}')) as server:
        results = [ask(server, rows=3, provider=provider, cache=tmp_path / "cache") for _ in range(2)]
        forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert forms == [form] * 3
    assert all(result["signature"].endswith(f"|output:{form or 'text'}") for result in results)


def test_a_server_that_refuses_structured_output_is_asked_once_more_without(tmp_path: Path) -> None:
    with JudgeServer(lambda request, n: REFUSED if "response_format" in request.body else PASS) as server:
        result = ask(server, rows=40, max_concurrency=8, cache=tmp_path / "cache")
        refused = sum("response_format" in request.body for request in server.requests)
        # For the batch it is remembered; only what was under way is refused.
        assert 1 <= refused <= 8
        assert len(server.requests) == 40 + refused
        again = ask(server, rows=40, cache=tmp_path / "cache")
    assert (result["accuracy"], result["calls"]["sent"], again["calls"]["sent"]) == (1.0, 40 + refused, 0)
    assert result["signature"].endswith("|output:text")
    assert again["signature"] == result["signature"]


def test_parameters_are_those_given() -> None:
    body = {"seed": 7, "response_format": {"type": "text"}}
    with JudgeServer(PASS) as server:
        ask(server, temperature=0.0, max_tokens=None, extra_body=body)
        ask(server)
        bodies = [{k: v for k, v in r.body.items() if k not in ("model", "messages")} for r in server.requests]
    assert bodies[0] == {"temperature": 0.0, **body}
    assert (bodies[1].pop("response_format")["type"], bodies[1]) == ("json_schema", {"max_tokens": 1024})
