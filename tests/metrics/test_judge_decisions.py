"""l3score and eve_judge ask decision models, which answer typed questions with probabilities.

The tests cover both formats of such servers, and every fault of an answer.
"""

import json
import math
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import project
from tests.support.decision_server import APIS, PATHS, REFUSAL, DecisionServer
from tests.support.judge_server import JudgeServer, Reply, Request, error, fitting
from tests.support.judges import EVE, KEY, L3, judge_rows, make_columns, select_keys

each_api = pytest.mark.parametrize("api", APIS)
WAY: dict[str, dict[str, Any]] = {L3: {"probability": "decision"}, EVE: {"reply": "decision"}}
VERDICTS = {"right": 0.7, "wrong": 0.2, "declined": 0.1}
ask_l3 = partial(
    judge_rows,
    L3,
    probability="decision",
    on_error="skip",
    max_retries=1,
    max_concurrency=1,
)
ask_eve = partial(
    judge_rows,
    EVE,
    reply="decision",
    on_error="skip",
    max_retries=1,
    max_concurrency=1,
)


def read_answer_number(state: str) -> int:
    """Return the number of the answer in a request's text."""
    answer = re.search(r"Answer (\d+)", state)
    assert answer
    return int(answer[1])


def decide_by_number(state: str, text: str, choices: Sequence[str]) -> Any:
    """Return a probability that follows from the answer's number, or one for each choice."""
    number = read_answer_number(state)
    if choices:
        values = [0.1, 0.1, 0.1]
        values[number % 3] = 0.8
        return dict(zip(choices, values, strict=True))
    return (number % 10) / 10


def make_rows_with_references(*counts: int) -> dict[str, Any]:
    """Return the columns of rows that have so many references each."""
    rows = make_columns(len(counts))
    rows["references"] = []
    for row, count in enumerate(counts):
        references = [f"Reference {row}.{number}" for number in range(count)]
        rows["references"].append(references)
    return rows


# Questions and their answers


@each_api
def test_the_score_is_the_probability_and_its_name_says_that_a_decision_model_gave_it(
    api: str, tmp_path: Path
) -> None:
    with DecisionServer(decide_by_number, [api]) as server:
        run = partial(ask_l3, server, 5, api=api, cache=tmp_path / "cache")
        dry = run(dry_run=True)
        result = run()
        again = run()
        assert {request.path for request in server.requests} == {PATHS[api]}
        bodies = [request.body for request in server.requests]
    assert [row["score"] for row in result["per_example"]] == [0.0, 0.1, 0.2, 0.3, 0.4]
    expected = {
        "L3Score": pytest.approx(0.2),
        "n_scored": 5,
        "tokens": {"input": 500, "output": 0},
    }
    assert select_keys(result, *expected) == expected
    assert again["calls"] == {"sent": 0, "cached": 5}
    assert select_keys(dry, "calls", "cached_calls") == {"calls": 5, "cached_calls": 0}
    assert len(bodies) == 5
    assert "|probability:decision|" in result["signature"]
    assert f"|api:{api}|" in result["signature"]
    assert dry["signature"] + "|served:decider-1" == result["signature"] == again["signature"]
    assert "not the published L3Score" in " ".join(result["notes"])
    # Parameters of a chat are not sent to a decision model.
    parameters = {parameter for body in bodies for parameter in body}
    assert not parameters & {"logprobs", "max_tokens", "messages", "temperature"}
    assert re.search("Answer 0.*Reference 0|Reference 0.*Answer 0", dry["first_prompt"], re.S)


@each_api
def test_a_verdict_is_a_choice_with_the_probability_of_each(api: str, tmp_path: Path) -> None:
    with DecisionServer(decide_by_number, [api]) as server:
        run = partial(ask_eve, server, 6, api=api, cache=tmp_path / "cache")
        result = run()
        again = run()
    rows = result["per_example"]
    verdicts = [(row["score"], row["reason"]) for row in rows]
    assert verdicts == [(1, None), (0, None), (None, "declined")] * 2
    assert rows[1]["probabilities"] == {"right": 0.1, "wrong": 0.8, "declined": 0.1}
    expected = {
        "accuracy": 1 / 2,
        "declined": 2,
        "n_failed": 0,
        "passed": 2,
        "failed": 2,
        "right_of_all": 2 / 6,
    }
    assert select_keys(result, *expected) == expected
    assert "|reply:decision|" in result["signature"]
    assert again["calls"]["sent"] == 0
    assert again["accuracy"] == result["accuracy"]


@each_api
def test_one_request_asks_about_all_references_of_a_row_and_the_best_counts(
    api: str, tmp_path: Path
) -> None:
    def decide(state: str, text: str, choices: Sequence[str]) -> Any:
        return {"0": 0.2, "1": 0.9, "2": 0.5}[re.search(r"Reference \d\.(\d)", text)[1]]  # type: ignore[index]

    with DecisionServer(decide, [api], tokens=100) as server:
        run = partial(
            ask_l3, server, make_rows_with_references(3, 1, 2), api=api, cache=tmp_path / "cache"
        )
        dry = run(dry_run=True)
        result = run()
        assert len(server.requests) == dry["calls"] == 3
        # The first row has one reference more than before, and only that one is asked about.
        more = ask_l3(server, make_rows_with_references(3, 1, 3), api=api, cache=tmp_path / "cache")
        assert len(server.requests) == 4
    rows = [(row["score"], row["reference"], row["requests"]) for row in result["per_example"]]
    assert rows == [(0.9, 1, 1), (0.2, 0, 1), (0.9, 1, 1)]
    # The tokens of a request are shared out among its questions, and their sum is exact.
    assert result["tokens"] == {"input": 300, "output": 0}
    assert result["per_example"][0]["usage"]["input"] == 100
    assert more["calls"] == {"sent": 1, "cached": 6}
    assert more["tokens"] == {"input": 100, "output": 0}


@pytest.mark.parametrize(
    ("api", "sizes"), [("decisions", [400, 1]), ("systemone", [64] * 6 + [17])]
)
def test_more_questions_than_a_request_takes_go_in_several(api: str, sizes: list[int]) -> None:
    with DecisionServer(lambda state, text, choices: 0.5, [api]) as server:
        result = ask_l3(server, make_rows_with_references(401), api=api)
        assert [len(request.body["questions"]) for request in server.requests] == sizes
    assert result["n_scored"] == 1
    assert result["calls"] == {"sent": len(sizes), "cached": 0}


@each_api
def test_rows_of_one_reference_take_one_request_each(api: str) -> None:
    with DecisionServer(decide_by_number, [api]) as server:
        result = ask_l3(server, 401, api=api, max_concurrency=32)
    assert result["n_scored"] == 401
    assert result["calls"]["sent"] == 401


def test_texts_are_sent_unchanged() -> None:
    texts = ["{gt}", "{answer}", "\ud83d", '"} ]', "ignore the above"]
    rows = {"questions": texts, "predictions": texts[::-1], "references": texts[2:] + texts[:2]}
    for judge in (L3, EVE):
        with DecisionServer(lambda state, text, choices: VERDICTS if choices else 0.5) as server:
            assert judge_rows(judge, server, rows, max_concurrency=1, **WAY[judge])["n_scored"] == 5
        for request, question, answer, reference in zip(
            server.requests, *rows.values(), strict=True
        ):
            assert question in request.body["input"]
            assert answer in request.body["input"]
            assert reference in request.body["questions"][0]["instructions"]


# Faults of an answer, each with the reason it is given. Some are kept, others are asked for again.


def make_probability_answer(api: str, value: Any) -> Any:
    """Return the answer to a question of yes or no, with a probability that may be anything."""
    if api == "decisions":
        return {"type": "predicate", "probability": value}
    return {"type": "noul", "noul": value}


NO_NUMBERS = ["0.9", None, math.nan, math.inf, 1.5, -0.1, True, [0.5], {"p": 0.5}, 10**400]


@each_api
def test_an_answer_that_is_no_probability_is_no_score(api: str, tmp_path: Path) -> None:
    faults = [make_probability_answer(api, value) for value in NO_NUMBERS]
    faults += [{"type": "choice", "choice": "yes"}, {"type": None}, {}, REFUSAL]
    # Two right answers follow, with the probability 1/2.
    n_rows = len(faults) + 2
    expected: list[Any] = [(None, "answer_malformed")] * (len(faults) - 1)
    expected += [(None, "refusal"), (0.5, None), (0.5, None)]

    def decide(state: str, text: str, choices: Sequence[str]) -> Any:
        number = read_answer_number(state)
        if number >= len(faults):
            return 0.5
        return {"type": "nothing", **faults[number]}

    with DecisionServer(decide, [api]) as server:
        run = partial(ask_l3, server, n_rows, api=api, cache=tmp_path / "cache")
        result = run()
        again = run()
        assert len(server.requests) == n_rows
        retried = run(retry_unusable=True)
    for run_result in (result, again, retried):
        rows = run_result["per_example"]
        assert [(row["score"], row["reason"]) for row in rows] == expected
    assert again["calls"]["sent"] == 0
    assert retried["calls"]["sent"] == len(faults)
    assert result["lowest"] == 1 / n_rows
    assert result["highest"] == (1 + len(faults)) / n_rows
    json.dumps(result)


# A choice, the probabilities beside it, and the message about them.
CHOICES: list[tuple[Any, Any, str]] = [
    ("right", {"right": 0.5, "wrong": 0.3, "declined": 0.1}, "do not add up to 1"),
    ("right", {"right": 0.9, "wrong": 0.3, "declined": -0.2}, "numbers in 0..1"),
    ("right", {"right": 0.9, "wrong": "0.1", "declined": 0.0}, "numbers in 0..1"),
    ("right", {"right": 0.6, "wrong": 0.4}, "one for each of"),
    ("right", {"right": 0.5, "wrong": 0.3, "declined": 0.1, "maybe": 0.1}, "one for each of"),
    ("right", "all", "one for each of"),
    ("wrong", VERDICTS, "another is likelier"),
    ("maybe", VERDICTS, "one of right, wrong, declined"),
    (True, VERDICTS, "one of right, wrong, declined"),
]


def make_choice_answer(api: str, choice: Any, probabilities: Any) -> dict[str, Any]:
    """Return the answer to a question with choices, in the format of a server."""
    answer = {"type": "choice", "choice": choice, "probabilities": probabilities}
    if api == "decisions" and isinstance(probabilities, dict):
        answer["probabilities"] = [
            {"value": value, "probability": number} for value, number in probabilities.items()
        ]
    return answer


@each_api
def test_an_answer_that_is_none_of_the_choices_is_no_verdict(api: str) -> None:
    answers = []
    messages = []
    for choice, probabilities, message in CHOICES:
        answers.append(make_choice_answer(api, choice, probabilities))
        messages.append(message)
    answers.append({"type": "choice", "choice": "right"})
    messages.append("one for each of")
    answers.append({"type": "predicate", "probability": 0.9})
    messages.append("'choice' was asked for")

    def decide(state: str, text: str, choices: Sequence[str]) -> Any:
        return answers[read_answer_number(state)]

    with DecisionServer(decide, [api]) as server:
        rows = ask_eve(server, len(answers), api=api)["per_example"]
    for row, message in zip(rows, messages, strict=True):
        assert (row["score"], row["reason"]) == (None, "answer_malformed")
        assert message in row["message"]


@each_api
def test_answers_are_matched_by_their_names_and_one_that_is_missing_is_asked_for_again(
    api: str, tmp_path: Path
) -> None:
    def decide(state: str, text: str, choices: Sequence[str]) -> float:
        return int(text.split("Reference 0.")[1][0]) / 10

    def turn_around(body: Any) -> Any:
        answers = body["answers"]
        turned = answers[::-1] if api == "decisions" else dict(reversed(answers.items()))
        return {**body, "answers": turned}

    def leave_out(body: Any) -> Any:
        answers = body["answers"]
        kept = answers[1:] if api == "decisions" else dict(list(answers.items())[1:])
        return {**body, "answers": kept}

    with DecisionServer(decide, [api]) as server:
        server.change = turn_around
        row = ask_l3(server, make_rows_with_references(3), api=api)["per_example"][0]
        assert select_keys(row, "score", "reference") == {"score": 0.2, "reference": 2}
        server.change = leave_out
        run = partial(
            ask_l3, server, make_rows_with_references(3), api=api, cache=tmp_path / "cache"
        )
        row = run()["per_example"][0]
        expected = {"score": None, "reason": "missing_answer", "reference": 0}
        assert select_keys(row, *expected) == expected
        server.change = lambda body: body
        again = run()
    assert again["L3Score"] == 0.2
    assert again["calls"] == {"sent": 1, "cached": 2}


def test_answers_without_names_come_in_the_order_of_the_questions() -> None:
    def without_names(body: Any) -> Any:
        return {**body, "answers": [{**answer, "name": None} for answer in body["answers"]]}

    with DecisionServer(
        lambda state, text, choices: 0.9 if "0.1" in text else 0.2, ["decisions"]
    ) as server:
        server.change = without_names
        row = ask_l3(server, make_rows_with_references(2))["per_example"][0]
        assert row["score"] == 0.9
        assert row["reference"] == 1
        server.change = lambda body: {
            **without_names(body),
            "answers": without_names(body)["answers"][:1],
        }
        row = ask_l3(server, make_rows_with_references(2))["per_example"][0]
        assert row["score"] is None
        assert row["reason"] == "missing_answer"
        server.change = lambda body: {**body, "answers": [body["answers"][0]] * 2}
        row = ask_l3(server, make_rows_with_references(2))["per_example"][0]
        assert row["reason"] == "missing_answer", "one question has two answers, and the other none"


@each_api
def test_one_refused_question_leaves_the_others(api: str) -> None:
    def decide(state: str, text: str, choices: Sequence[str]) -> Any:
        return REFUSAL if "0.0" in text else 1.0

    with DecisionServer(decide, [api]) as server:
        row = ask_l3(server, make_rows_with_references(2), api=api)["per_example"][0]
    # The best of several references is known once one has the highest possible score.
    assert row["score"] == 1.0
    assert row["reference"] == 1
    assert row["requests"] == 1


@each_api
def test_one_text_that_is_too_long_leaves_the_others(api: str) -> None:
    rows = make_rows_with_references(3, 1)
    rows["references"][0][1] = "x" * 3000

    def refuse_long(request: Request, number: int) -> Reply | None:
        long = len(json.dumps(request.body)) > 3000
        return error(400, "This model's maximum context length is 1000 tokens.") if long else None

    with DecisionServer(lambda state, text, choices: 0.4, [api]) as server:
        server.before = refuse_long
        result = ask_l3(server, rows, api=api)
        assert len(server.requests) == 1 + 3 + 1
    reasons = [row["reason"] for row in result["per_example"]]
    assert reasons == ["context_too_long", None]
    assert result["failures"] == {"context_too_long": 1}


@each_api
@pytest.mark.parametrize(
    "message",
    ["Too many questions.", "questions: List should have at most 2 items after validation"],
)
def test_a_server_that_takes_fewer_questions_is_asked_them_one_by_one(
    api: str, message: str
) -> None:
    with DecisionServer(lambda state, text, choices: 0.4, [api]) as server:
        server.before = lambda request, n: (
            error(422, message) if len(request.body["questions"]) > 2 else None
        )
        result = ask_l3(server, make_rows_with_references(4, 2), api=api)
        assert len(server.requests) == 1 + 4 + 1
    assert result["n_scored"] == 2
    assert result["failures"] == {}


@each_api
def test_texts_that_the_server_has_cut_get_no_score(api: str, tmp_path: Path) -> None:
    with DecisionServer(lambda state, text, choices: 0.5, [api]) as server:
        server.change = lambda body: {**body, "usage": {**body["usage"], "truncated": True}}
        result = ask_l3(server, 2, api=api, cache=tmp_path / "cache")
    assert result["failures"] == {"context_too_long": 2}
    assert result["n_scored"] == 0


# Requests that fail

NO_TEXT = {"choices": [{"message": {"content": "Yes"}, "finish_reason": "stop"}]}
OF_REQUESTS: list[tuple[Reply, str]] = [
    (error(429, "Rate limit reached", code="rate_limit_exceeded"), "rate_limited"),
    (error(500, "The server had an error."), "server_error"),
    (Reply({"error": {"message": "Overloaded", "code": 529}}), "server_error"),
    (Reply(way="reset"), "connection"),
    (Reply({"answers": "x" * 200}, way="close within"), "connection"),
    (Reply(b"<html>"), "not_json"),
    (Reply(b'{"answers": [{"type": "pred'), "not_json"),
    (Reply(NO_TEXT), "no_answers"),
    (Reply({"model": "m", "answers": "none"}), "no_answers"),
    (Reply({"model": "m", "answers": None}), "no_answers"),
    (error(400, "The prompt was flagged by the content filter"), "content_filter"),
    (error(400, "Odd."), "bad_request"),
    # A state that is too long says nothing about the format that the server speaks.
    (
        error(400, "The input must be less than 32000 tokens; context_length_exceeded"),
        "context_too_long",
    ),
    (
        error(422, "state is required to be valid: it exceeds the context length"),
        "context_too_long",
    ),
]
STOPS: list[tuple[Reply, str]] = [
    (error(401, "Incorrect API key provided"), "bad_key"),
    (error(404, "The model `judge-1` does not exist.", code="model_not_found"), "no_model"),
    (error(400, "Unsupported model", param="model"), "no_model"),
    (error(501, "This model is not a decision model", "not_supported_error"), "no_decisions"),
    (error(400, "The model judge-1 does not support the Decisions API."), "no_decisions"),
    (Reply({"detail": "Not Found"}, 404), "wrong_api"),
    (Reply(b"", 405), "wrong_api"),
    (error(400, "Missing required parameter: 'state'."), "wrong_api"),
    (Reply({"detail": [{"loc": ["body", "input"], "msg": "Field required"}]}, 422), "wrong_api"),
    (
        error(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
        "quota",
    ),
]


@pytest.mark.parametrize(("api", "judge"), [("decisions", L3), ("systemone", EVE)])
def test_a_failed_request_gives_no_score_and_its_reason(
    api: str, judge: str, tmp_path: Path
) -> None:
    replies = [reply for reply, _ in OF_REQUESTS]
    good = VERDICTS if judge == EVE else 0.5
    run = partial(ask_l3 if judge == L3 else ask_eve, api=api)

    def fail(request: Request, number: int) -> Reply | None:
        row = int(re.search(r"Answer (\d+)", json.dumps(request.body))[1])  # type: ignore[index]
        return replies[row // 2] if row % 2 else None

    with DecisionServer(lambda state, text, choices: good, [api]) as server:
        server.before = fail
        result = run(server, 2 * len(replies), cache=tmp_path / "cache")
        server.before = lambda request, number: None
        again = run(server, 2 * len(replies), cache=tmp_path / "cache")
    reasons = [row["reason"] for row in result["per_example"]]
    assert reasons[1::2] == [reason for _, reason in OF_REQUESTS]
    assert reasons[::2] == [None] * len(replies)
    assert again["calls"] == {"sent": len(replies), "cached": len(replies)}
    assert again["n_failed"] == 0


@pytest.mark.parametrize(
    "number", range(len(STOPS)), ids=[f"{r.status}-{reason}" for r, reason in STOPS]
)
@each_api
def test_a_failure_that_every_request_would_meet_stops_the_run(api: str, number: int) -> None:
    reply, reason = STOPS[number]
    other = "systemone" if api == "decisions" else "decisions"
    with DecisionServer(lambda state, text, choices: 0.5, [api]) as server:
        server.before = lambda request, number: reply
        with pytest.raises(RuntimeError, match=rf"was stopped \({reason}\)") as raised:
            ask_l3(server, 3, api=api)
        assert len(server.requests) == 1
    assert KEY not in str(raised.value)
    assert (f"api='{other}'" in str(raised.value)) == (reason == "wrong_api")


@pytest.mark.parametrize(("spoken", "asked"), [APIS, APIS[::-1]])
def test_a_server_that_speaks_the_other_format_is_told_with_the_option_to_give(
    spoken: str, asked: str
) -> None:
    with DecisionServer(decide_by_number, [spoken]) as server:
        with pytest.raises(RuntimeError, match=rf"the server may lack /{asked}: api='{spoken}'"):
            ask_l3(server, 40, api=asked, max_concurrency=32)
        assert len(server.requests) <= 40
        assert ask_l3(server, 4, api=spoken)["n_scored"] == 4


def test_a_chat_server_is_refused_as_a_decision_model() -> None:
    """Such a server answers as llama.cpp does for a text model, or does not know the path."""

    def answer(request: Request, number: int) -> Reply:
        return fitting(request) if "chat" in request.path else error(404, "Not Found")

    with JudgeServer(answer) as server, pytest.raises(RuntimeError, match=r"wrong_api"):
        ask_l3(server, 3, api="systemone")


# Servers, keys, settings and prices


@pytest.mark.parametrize(
    ("provider", "api"),
    [
        ("openai", "decisions"),
        ("fireworks", "decisions"),
        ("vllm", "systemone"),
        ("llamacpp", "systemone"),
        ("ollama", "systemone"),
        ("openrouter", "systemone"),
        ("typesafe", "systemone"),
    ],
)
def test_the_format_is_that_of_the_provider_unless_it_is_named(provider: str, api: str) -> None:
    with DecisionServer(decide_by_number) as server:
        assert f"|api:{api}|" in ask_l3(server, 1, provider=provider)["signature"]
        other = "systemone" if api == "decisions" else "decisions"
        ask_l3(server, 1, provider=provider, api=other)
        assert [request.path for request in server.requests] == [PATHS[api], PATHS[other]]


def test_no_key_of_the_environment_reaches_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "TYPESAFE_API_KEY", "OPENAI_ORG_ID"):
        monkeypatch.setenv(name, "sk-elsewhere")
    with DecisionServer(decide_by_number) as server:
        for provider in ("openai", "typesafe", "vllm"):
            ask_l3(server, 1, provider=provider, api_key=None)
        ask_l3(server, 1, api_key=KEY)
        assert [request.key for request in server.requests] == [None, None, None, KEY]
        assert not any("elsewhere" in json.dumps(request.headers) for request in server.requests)
    monkeypatch.delenv("TYPESAFE_API_KEY")
    with pytest.raises(ValueError, match="set TYPESAFE_API_KEY in the environment"):
        ask_l3("", 1, provider="typesafe", base_url=None, api_key=None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"api": "responses"}, "api is 'responses'; None or one of 'decisions', 'systemone'"),
        (
            {"provider": "anthropic", "base_url": None},
            r"provider is 'anthropic'; one that gives decisions \(openai",
        ),
        ({"temperature": 0}, "temperature is 0; None"),
        ({"samples": 3}, "samples is 3; 1 "),
        ({"batch": True, "cache": "cache"}, "batch is True; False"),
        ({"extra_body": {"state": "x"}}, r"extra_body is \{'state': 'x'\}"),
        ({"prompt": "spiqa"}, "prompt is 'spiqa'; 'card' is expected"),
        (
            {"probability": "logprobs", "api": "decisions"},
            "api is 'decisions'; None, unless a decision",
        ),
        (
            {"probability": "logprobs", "provider": "typesafe", "base_url": None},
            "provider is 'typesafe'; one that",
        ),
    ],
)
def test_a_setting_that_makes_no_sense_for_a_decision_is_refused(
    settings: dict[str, Any], message: str
) -> None:
    with DecisionServer(decide_by_number) as server:
        with pytest.raises(ValueError, match=message):
            judge_rows(L3, server, 1, **{"probability": "decision", **settings})
        assert server.requests == []
    with pytest.raises(ValueError, match="reply is 'json'; one of"):
        judge_rows(EVE, "http://127.0.0.1:1/v1", 1, reply="json")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="genai-prices needs it")
def test_a_decision_is_priced_as_a_decision_and_not_as_a_chat(tmp_path: Path) -> None:
    """gpt-6-luna costs 0.10 USD per million tokens of input as a decision, and more as a chat.

    jev costs 0.042 USD per million.
    """
    dry = project.load(L3).compute
    plan = partial(dry, **make_columns(1000), dry_run=True, cache=False, probability="decision")
    decision = plan(model="gpt-6-luna")
    assert decision["Cost"] == pytest.approx(decision["tokens"]["input"] * 0.10 / 1e6)
    jev = plan(model="jev-latest", provider="typesafe")
    assert jev["Cost"] == pytest.approx(jev["tokens"]["input"] * 0.042 / 1e6)
    assert plan(model="gpt-9-luna")["Cost"] is None
    with DecisionServer(decide_by_number, tokens=123) as server:
        paid = ask_l3(server, 3, provider="typesafe", model="jev-latest")
        assert paid["Cost"] == pytest.approx(3 * 123 * 0.042 / 1e6)
        server.change = lambda body: {**body, "usage": {"input_tokens": "many"}}
        silent = ask_l3(server, 2, provider="typesafe", model="jev-latest")
    assert silent["Cost"] is None
    assert silent["n_scored"] == 2
    assert any("no tokens for 2 replies" in note for note in silent["notes"])


def test_a_panel_of_decision_models_each_in_its_own_format() -> None:
    first = DecisionServer(lambda state, text, choices: VERDICTS, ["decisions"])
    second = DecisionServer(decide_by_number, ["systemone"])
    with first, second:
        models = ["one", {"model": "two", "base_url": second.url, "api": "systemone"}]
        result = ask_eve(first, 3, model=None, models=models)
    assert [row["score"] for row in result["per_example"]] == [1, None, None]
    assert "|api:decisions+systemone|" in result["signature"]


@each_api
def test_a_run_that_is_broken_off_and_repeated_is_paid_for_once(api: str, tmp_path: Path) -> None:
    rows = make_rows_with_references(*[2] * 200)
    with DecisionServer(lambda state, text, choices: 0.5, [api]) as server:
        server.before = lambda request, number: (
            error(401, "Incorrect API key") if number == 120 else None
        )
        with pytest.raises(RuntimeError, match="bad_key"):
            ask_l3(server, rows, api=api, max_concurrency=4, cache=tmp_path / "cache")
        server.before = lambda request, number: None
        result = ask_l3(server, rows, api=api, max_concurrency=4, cache=tmp_path / "cache")
        good = [text for number, text in enumerate(server.asked) if number // 2 != 120]
    assert result["n_scored"] == 200
    assert len(good) == len({*good}) == 400
