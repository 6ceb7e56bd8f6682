"""EVE's judge: which replies are verdicts, and what the share of passes comes to."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge_server import JudgeServer, error, verdict
from tests.project import functions, load

eve_judge = functions("eve_judge")

READ = [
    ('{"score": 1}', 1),
    ('{"score": 0, "reasoning": "no"}', 0),
    ('{"score": "1"}', 1),
    ('{"score": "0"}', 0),
    ('{"score": 1.0}', 1),
    ('{"score": -0.0}', 0),
    ('{"score": 1e0}', 1),
    ('```json\n{"score": 1}\n```', 1),
    ('Sure! {"score": 0} Anything else?', 0),
    ('The set {1, 2} and \\frac{a}{b}. {"score": 1}', 1),
    ('[{"score": 1}]', 1),
    ('{"result": {"score": 1}}', 1),
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
    ("", "no_verdict"),
    ("1", "no_verdict"),
    ("PASS", "no_verdict"),
    ("score: 1", "no_verdict"),
    ("{'score': 1}", "no_verdict"),
    ('{"Score": 1}', "no_verdict"),
    ('{"reasoning": "yes"}', "no_verdict"),
    ('{"score": 1', "no_verdict"),
    ('{"score": 1, "details": {"score": 0},}', "no_verdict"),
    ('{"score": 1,} {"score": 0}', "no_verdict"),
    ('"{\\"score\\": 1}"', "no_verdict"),
    ('<think>{"score": 1}', "no_verdict"),
    ("[" * 100_000, "no_verdict"),
    ("{" * 100_000, "no_verdict"),
    ('{"score": true}', "bad_verdict"),
    ('{"score": 2}', "bad_verdict"),
    ('{"score": 0.5}', "bad_verdict"),
    ('{"score": -1}', "bad_verdict"),
    ('{"score": NaN}', "bad_verdict"),
    ('{"score": null}', "bad_verdict"),
    ('{"score": "yes"}', "bad_verdict"),
    ('{"score": "1.0"}', "bad_verdict"),
    ('{"score": [1]}', "bad_verdict"),
    ('{"score": {"value": 1}}', "bad_verdict"),
    ('{"score": 1, "score": 0}', "ambiguous"),
    ('{"score": 1} or {"score": 0}', "ambiguous"),
    ('{"score": 1, "old": {"score": 0}}', "ambiguous"),
    ('{"score": 1, "score": null}', "ambiguous"),
]


@pytest.mark.parametrize(("reply", "expected"), READ, ids=[str(i) for i in range(len(READ))])
def test_a_verdict_is_read(reply: str, expected: int) -> None:
    assert eve_judge.score(reply) == expected


@pytest.mark.parametrize(("reply", "reason"), UNREAD, ids=[str(i) for i in range(len(UNREAD))])
def test_what_is_no_verdict_is_no_score(reply: str, reason: str) -> None:
    with pytest.raises(eve_judge.NoVerdict) as caught:
        eve_judge.score(reply)
    assert caught.value.reason == reason
    assert len(str(caught.value)) < 250


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PROSE = st.text(st.characters(exclude_characters="{}"), max_size=30).filter(lambda text: "think>" not in text)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3), st.sampled_from([0, 1]), PROSE, PROSE)
def test_a_verdict_is_read_whatever_stands_beside_it(rest: Any, value: int, before: str, after: str) -> None:
    reply = before + json.dumps({**rest, "score": value, "reasoning": "why"}) + after
    assert eve_judge.read_verdict(reply) == (value, "why")


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_any_other_text_is_a_verdict_or_none_and_nothing_else(reply: str) -> None:
    found = eve_judge.read_choice(functions("eve_judge", "llm_client").Choice(reply, False, None))
    assert found["score"] in (0, 1) or found["reason"] in ("no_verdict", "bad_verdict", "ambiguous")


def ask(server: JudgeServer, rows: int = 1, **settings: Any) -> dict[str, Any]:
    """Return the result for some rows."""
    fixed = {"model": "judge-1", "base_url": server.url, "cache": False, "progress": False, "per_example": True}
    columns = {name: [f"{name} {i}" for i in range(rows)] for name in ("questions", "predictions", "references")}
    return dict(load("eve_judge").compute(**{**columns, **fixed, **settings}))


def test_accuracy_passes_and_fails() -> None:
    replies = [verdict('{"score": 1, "reasoning": "a"}'), verdict('{"score": 0, "reasoning": "b"}'), verdict("?")]
    with JudgeServer(replies) as server:
        result = ask(server, rows=3, max_concurrency=1, on_error="skip")
    assert (result["accuracy"], result["passed"], result["failed"]) == (1 / 2, 1, 1)
    assert (result["lowest"], result["highest"]) == (1 / 3, 2 / 3)
    assert (result["n_scored"], result["n_failed"], result["failures"]) == (2, 1, {"no_verdict": 1})
    assert [row["score"] for row in result["per_example"]] == [1, 0, None]
    assert [row["reasoning"] for row in result["per_example"]] == ["a", "b", None]
    assert [row["reply"] for row in result["per_example"]][2] == "?"
    assert all(type(row["score"]) in (int, type(None)) for row in result["per_example"])


def test_a_failed_reference_leaves_a_pass_a_pass_and_nothing_else_known() -> None:
    fails, passes, none = (verdict(f'{{"score": {s}}}') for s in ("0", "1", "null"))
    for replies, expected in (([none, passes], 1), ([passes, none], 1), ([fails, none], None)):
        with JudgeServer(replies) as server:
            result = ask(server, references=[["a", "b"]], max_concurrency=1, on_error="skip")
        assert result["per_example"][0]["score"] == expected
        assert result["n_failed"] == (expected is None)


REFUSED = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."


@pytest.mark.parametrize(
    ("refusals", "form"),
    [(0, "json_schema"), (1, "json_object"), (2, None)],
)
def test_structured_output_where_the_server_has_it(refusals: int, form: str | None) -> None:
    refusal = error(400, REFUSED, param="response_format")
    with JudgeServer([refusal] * refusals + [verdict('{"score": 1}')]) as server:
        result = ask(server, rows=3, max_concurrency=1)
        forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert result["accuracy"] == 1.0
    assert forms == ["json_schema", "json_object", None][:refusals] + [form] * 3
    assert result["calls"]["sent"] == 3 + refusals


def test_many_refusals_of_a_form_at_once_lower_it_by_one() -> None:
    def answer(request: Any, number: int) -> Any:
        form = request.body.get("response_format", {}).get("type")
        return error(400, REFUSED, param="response_format") if form == "json_schema" else verdict('{"score": 1}')

    with JudgeServer(answer) as server:
        assert ask(server, rows=40, max_concurrency=8)["accuracy"] == 1.0
        forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert (forms.count("json_object"), None in forms) == (40, False)
    assert forms.count("json_schema") <= 8


def test_parameters_are_those_given() -> None:
    with JudgeServer(verdict('{"score": 1}')) as server:
        ask(server, temperature=0.0, max_tokens=None, extra_body={"seed": 7})
        body = server.requests[0].body
    assert {name: body.get(name) for name in ("temperature", "seed", "max_tokens")} == {
        "temperature": 0.0,
        "seed": 7,
        "max_tokens": None,
    }
    with JudgeServer(verdict('{"score": 1}')) as server:
        ask(server)
        assert (server.requests[0].body["max_tokens"], "temperature" in server.requests[0].body) == (1024, False)


@pytest.mark.parametrize("temperature", ["hot", math.nan, True])
def test_a_temperature_is_a_number(temperature: Any) -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError, match="temperature is"):
            ask(server, temperature=temperature)
        assert server.requests == []
