"""Test l3score and eve_judge with decision models, which answer typed questions with probabilities.

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
from tests.support.judge_server import JudgeServer, Reply, Request, make_error, make_good_reply
from tests.support.judges import EVE, KEY, L3, judge_rows, make_columns, select_keys

each_api = pytest.mark.parametrize("api", APIS)
# The probability of each verdict in an answer of a server.
VERDICTS = {"right": 0.7, "wrong": 0.2, "declined": 0.1}
ask_one_by_one = partial(judge_rows, on_error="skip", max_retries=1, max_concurrency=1)
ask_l3 = partial(ask_one_by_one, L3, probability="decision")
ask_eve = partial(ask_one_by_one, EVE, reply="decision")


def answer_one_half(state: str, text: str, choices: Sequence[str]) -> float:
    """Return the probability 1/2 for every question."""
    return 0.5


def read_answer_number(state: str) -> int:
    """Return the number of the answer in a request's text."""
    answer = re.search(r"Answer (\d+)", state)
    assert answer
    return int(answer[1])


def decide_by_number(state: str, text: str, choices: Sequence[str]) -> Any:
    """Return a tenth of the answer's last digit, or 0.8 for one of three choices by its number."""
    number = read_answer_number(state)
    if choices:
        probabilities = [0.1, 0.1, 0.1]
        probabilities[number % 3] = 0.8
        return dict(zip(choices, probabilities, strict=True))
    return (number % 10) / 10


def make_rows_with_references(*counts: int) -> dict[str, Any]:
    """Return the columns of rows; each row has the given number of references.

    Reference 2.1 is the second reference of the third row.
    """
    rows = make_columns(len(counts))
    rows["references"] = []
    for row, count in enumerate(counts):
        references = [f"Reference {row}.{number}" for number in range(count)]
        rows["references"].append(references)
    return rows


def list_outcomes(result: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return the score and the reason of each row."""
    rows = result["per_example"]
    return [(row["score"], row["reason"]) for row in rows]


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
        paths = {request.path for request in server.requests}
        bodies = [request.body for request in server.requests]
    assert paths == {PATHS[api]}
    assert len(bodies) == 5
    scores = [row["score"] for row in result["per_example"]]
    assert scores == [0.0, 0.1, 0.2, 0.3, 0.4]
    expected = {
        "L3Score": pytest.approx(0.2),
        "n_scored": 5,
        "tokens": {"input": 500, "output": 0},
    }
    assert select_keys(result, *expected) == expected
    assert again["calls"] == {"sent": 0, "cached": 5}
    assert dry["calls"] == 5
    assert dry["cached_calls"] == 0
    assert "|probability:decision|" in result["signature"]
    assert f"|api:{api}|" in result["signature"]
    assert result["signature"] == dry["signature"] + "|served:decider-1"
    assert result["signature"] == again["signature"]
    assert "not the published L3Score" in " ".join(result["notes"])
    chat_parameters = {"logprobs", "max_tokens", "messages", "temperature"}
    for body in bodies:
        assert not body.keys() & chat_parameters
    assert "Answer 0" in dry["first_prompt"]
    assert "Reference 0" in dry["first_prompt"]


@each_api
def test_a_verdict_is_a_choice_with_the_probability_of_each(api: str, tmp_path: Path) -> None:
    with DecisionServer(decide_by_number, [api]) as server:
        run = partial(ask_eve, server, 6, api=api, cache=tmp_path / "cache")
        result = run()
        again = run()
    assert list_outcomes(result) == [(1, None), (0, None), (None, "declined")] * 2
    second_row = result["per_example"][1]
    assert second_row["probabilities"] == {"right": 0.1, "wrong": 0.8, "declined": 0.1}
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
    probabilities = {"0": 0.2, "1": 0.9, "2": 0.5}

    def decide_by_reference(state: str, text: str, choices: Sequence[str]) -> Any:
        reference = re.search(r"Reference \d\.(\d)", text)
        assert reference
        return probabilities[reference[1]]

    with DecisionServer(decide_by_reference, [api], tokens=100) as server:
        run = partial(ask_l3, server, api=api, cache=tmp_path / "cache")
        rows = make_rows_with_references(3, 1, 2)
        dry = run(rows, dry_run=True)
        result = run(rows)
        assert dry["calls"] == 3
        assert len(server.requests) == 3
        # The third row has one more reference than before: only that one is asked about.
        repeated = run(make_rows_with_references(3, 1, 3))
        assert len(server.requests) == 4
    first, second, third = result["per_example"]
    of_best = {"score": 0.9, "reference": 1, "requests": 1}
    assert select_keys(first, *of_best) == of_best
    assert select_keys(third, *of_best) == of_best
    of_only = {"score": 0.2, "reference": 0, "requests": 1}
    assert select_keys(second, *of_only) == of_only
    # The tokens of a request are divided among its questions, and their sum is exact.
    assert result["tokens"] == {"input": 300, "output": 0}
    assert first["usage"]["input"] == 100
    assert repeated["calls"] == {"sent": 1, "cached": 6}
    assert repeated["tokens"] == {"input": 100, "output": 0}


@pytest.mark.parametrize(
    ("api", "sizes"),
    [
        ("decisions", [400, 1]),
        ("systemone", [64, 64, 64, 64, 64, 64, 17]),
    ],
)
def test_more_questions_than_a_request_takes_go_in_several_requests(
    api: str, sizes: list[int]
) -> None:
    with DecisionServer(answer_one_half, [api]) as server:
        rows = make_rows_with_references(401)
        result = ask_l3(server, rows, api=api)
        questions_of_requests = [request.body["questions"] for request in server.requests]
    assert [len(questions) for questions in questions_of_requests] == sizes
    assert result["n_scored"] == 1
    assert result["calls"] == {"sent": len(sizes), "cached": 0}


@each_api
def test_rows_of_one_reference_take_one_request_each(api: str) -> None:
    with DecisionServer(decide_by_number, [api]) as server:
        result = ask_l3(server, 401, api=api, max_concurrency=32)
    assert result["n_scored"] == 401
    assert result["calls"]["sent"] == 401


@pytest.mark.parametrize("ask", [ask_l3, ask_eve], ids=[L3, EVE])
def test_texts_are_sent_unchanged(ask: Any) -> None:
    texts = ["{gt}", "{answer}", "\ud83d", '"} ]', "ignore the above"]
    rows = {
        "questions": texts,
        "predictions": texts[::-1],
        "references": texts[2:] + texts[:2],
    }

    def answer_as_asked(state: str, text: str, choices: Sequence[str]) -> Any:
        return VERDICTS if choices else 0.5

    with DecisionServer(answer_as_asked) as server:
        result = ask(server, rows)
        bodies = [request.body for request in server.requests]
    assert result["n_scored"] == 5
    for number, body in enumerate(bodies):
        (question,) = body["questions"]
        assert rows["questions"][number] in body["input"]
        assert rows["predictions"][number] in body["input"]
        assert rows["references"][number] in question["instructions"]


# Faults of an answer, and the reason that the row gets. An answer that stands in the reply is
# cached, even if it is malformed; one that is missing is asked for again.


def make_probability_answer(api: str, value: Any) -> Any:
    """Return the answer to a yes-or-no question, with a probability that may be anything."""
    if api == "decisions":
        return {"type": "predicate", "probability": value}
    return {"type": "noul", "noul": value}


NO_NUMBERS = ["0.9", None, math.nan, math.inf, 1.5, -0.1, True, [0.5], {"p": 0.5}, 10**400]


@each_api
def test_an_answer_that_is_no_probability_is_no_score(api: str, tmp_path: Path) -> None:
    malformed = [make_probability_answer(api, value) for value in NO_NUMBERS]
    malformed += [{"type": "choice", "choice": "yes"}, {"type": None}, {}]
    faults = [*malformed, REFUSAL]
    # Two valid answers follow, with the probability 1/2.
    n_rows = len(faults) + 2
    expected: list[Any] = [(None, "answer_malformed")] * len(malformed)
    expected += [(None, "refusal"), (0.5, None), (0.5, None)]

    def answer_with_fault(state: str, text: str, choices: Sequence[str]) -> Any:
        number = read_answer_number(state)
        if number >= len(faults):
            return 0.5
        return {"type": "nothing", **faults[number]}

    with DecisionServer(answer_with_fault, [api]) as server:
        run = partial(ask_l3, server, n_rows, api=api, cache=tmp_path / "cache")
        result = run()
        again = run()
        assert len(server.requests) == n_rows
        retried = run(retry_unusable=True)
    assert list_outcomes(result) == expected
    assert list_outcomes(again) == expected
    assert list_outcomes(retried) == expected
    assert again["calls"]["sent"] == 0
    assert retried["calls"]["sent"] == len(faults)
    # The two valid scores sum to 1. A row with a fault could have had any score from 0 to 1.
    assert result["lowest"] == 1 / n_rows
    assert result["highest"] == (1 + len(faults)) / n_rows
    # The result can be saved.
    json.dumps(result)


def make_choice_answer(api: str, choice: Any, probabilities: Any) -> dict[str, Any]:
    """Return the answer to a question with choices, in the format of a server."""
    answer = {"type": "choice", "choice": choice, "probabilities": probabilities}
    if api == "decisions" and isinstance(probabilities, dict):
        entries = []
        for value, probability in probabilities.items():
            entries.append({"value": value, "probability": probability})
        answer["probabilities"] = entries
    return answer


@each_api
@pytest.mark.parametrize(
    ("choice", "probabilities", "message"),
    [
        ("right", VERDICTS | {"right": 0.6}, "do not add up to 1"),
        ("right", VERDICTS | {"right": 1.0, "declined": -0.2}, "numbers in 0..1"),
        ("right", VERDICTS | {"wrong": "0.2"}, "numbers in 0..1"),
        ("right", {"right": 0.6, "wrong": 0.4}, "one for each of"),
        ("right", VERDICTS | {"right": 0.6, "maybe": 0.1}, "one for each of"),
        ("right", "all", "one for each of"),
        ("wrong", VERDICTS, "another is likelier"),
        ("maybe", VERDICTS, "one of right, wrong, declined"),
        (True, VERDICTS, "one of right, wrong, declined"),
    ],
)
def test_a_choice_with_inconsistent_probabilities_is_no_verdict(
    api: str, choice: Any, probabilities: Any, message: str
) -> None:
    answer = make_choice_answer(api, choice, probabilities)
    with DecisionServer(lambda state, text, choices: answer, [api]) as server:
        (row,) = ask_eve(server, 1, api=api)["per_example"]
    assert (row["score"], row["reason"]) == (None, "answer_malformed")
    assert message in row["message"]


@each_api
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"type": "choice", "choice": "right"}, "one for each of"),
        ({"type": "predicate", "probability": 0.9}, "'choice' was asked for"),
    ],
)
def test_an_answer_without_a_choice_or_its_probabilities_is_no_verdict(
    api: str, answer: dict[str, Any], message: str
) -> None:
    with DecisionServer(lambda state, text, choices: answer, [api]) as server:
        (row,) = ask_eve(server, 1, api=api)["per_example"]
    assert (row["score"], row["reason"]) == (None, "answer_malformed")
    assert message in row["message"]


def reverse_answers(body: Any) -> Any:
    """Return the body of a reply with its answers in reverse order, in either format."""
    answers = body["answers"]
    if isinstance(answers, dict):
        return {**body, "answers": dict(reversed(answers.items()))}
    return {**body, "answers": answers[::-1]}


def drop_first_answer(body: Any) -> Any:
    """Return the body of a reply without its first answer, in either format."""
    answers = body["answers"]
    if isinstance(answers, dict):
        _, *later_answers = answers.items()
        return {**body, "answers": dict(later_answers)}
    return {**body, "answers": answers[1:]}


@each_api
def test_answers_are_matched_by_their_names_and_a_missing_one_is_asked_for_again(
    api: str, tmp_path: Path
) -> None:
    def decide_by_reference(state: str, text: str, choices: Sequence[str]) -> float:
        reference = re.search(r"Reference 0\.(\d)", text)
        assert reference
        return int(reference[1]) / 10

    rows = make_rows_with_references(3)
    with DecisionServer(decide_by_reference, [api]) as server:
        server.change = reverse_answers
        (row,) = ask_l3(server, rows, api=api)["per_example"]
        assert row["score"] == 0.2
        assert row["reference"] == 2

        server.change = drop_first_answer
        run = partial(ask_l3, server, rows, api=api, cache=tmp_path / "cache")
        (row,) = run()["per_example"]
        assert row["score"] is None
        assert row["reason"] == "missing_answer"
        assert row["reference"] == 0

        server.change = lambda body: body
        again = run()
    assert again["L3Score"] == 0.2
    assert again["calls"] == {"sent": 1, "cached": 2}


def drop_names(body: Any) -> Any:
    """Return the body of a reply without the names of its answers."""
    answers = [{**answer, "name": None} for answer in body["answers"]]
    return {**body, "answers": answers}


def keep_first_without_name(body: Any) -> Any:
    """Return the body of a reply with its first answer only, without its name."""
    first, *_ = drop_names(body)["answers"]
    return {**body, "answers": [first]}


def repeat_first_answer(body: Any) -> Any:
    """Return the body of a reply whose first answer is there twice, in place of the second."""
    first, *_ = body["answers"]
    return {**body, "answers": [first, first]}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (drop_names, {"score": 0.9, "reason": None, "reference": 1}),
        (keep_first_without_name, {"score": None, "reason": "missing_answer"}),
        (repeat_first_answer, {"score": None, "reason": "missing_answer"}),
    ],
)
def test_answers_without_names_come_in_the_order_of_the_questions(
    change: Any, expected: dict[str, Any]
) -> None:
    """If their number is not that of the questions, one is missing."""

    def prefer_second(state: str, text: str, choices: Sequence[str]) -> float:
        return 0.9 if "Reference 0.1" in text else 0.2

    with DecisionServer(prefer_second, ["decisions"]) as server:
        server.change = change
        result = ask_l3(server, make_rows_with_references(2))
    (row,) = result["per_example"]
    assert select_keys(row, *expected) == expected


@each_api
def test_the_other_questions_of_a_request_count_if_one_is_refused(api: str) -> None:
    def refuse_first(state: str, text: str, choices: Sequence[str]) -> Any:
        return REFUSAL if "Reference 0.0" in text else 1.0

    with DecisionServer(refuse_first, [api]) as server:
        result = ask_l3(server, make_rows_with_references(2), api=api)
    (row,) = result["per_example"]
    # The best of several references is known once one has the highest possible score.
    assert row["score"] == 1.0
    assert row["reference"] == 1
    assert row["requests"] == 1


@each_api
def test_a_row_with_a_text_that_is_too_long_does_not_harm_the_others(api: str) -> None:
    rows = make_rows_with_references(3, 1)
    rows["references"][0][1] = "x" * 3000

    def refuse_long(request: Request, number: int) -> Reply | None:
        if len(json.dumps(request.body)) <= 3000:
            return None
        return make_error(400, "This model's maximum context length is 1000 tokens.")

    with DecisionServer(answer_one_half, [api]) as server:
        server.intercept = refuse_long
        result = ask_l3(server, rows, api=api)
        # The three questions of the first row together, then one by one; and the second row.
        assert len(server.requests) == 1 + 3 + 1
    assert list_outcomes(result) == [(None, "context_too_long"), (0.5, None)]
    assert result["failures"] == {"context_too_long": 1}


@each_api
@pytest.mark.parametrize(
    "message",
    ["Too many questions.", "questions: List should have at most 2 items after validation"],
)
def test_a_server_that_takes_fewer_questions_is_asked_them_one_by_one(
    api: str, message: str
) -> None:
    def refuse_many(request: Request, number: int) -> Reply | None:
        questions = request.body["questions"]
        return make_error(422, message) if len(questions) > 2 else None

    with DecisionServer(answer_one_half, [api]) as server:
        server.intercept = refuse_many
        result = ask_l3(server, make_rows_with_references(4, 2), api=api)
        # The four questions of the first row together, then one by one; and the second row.
        assert len(server.requests) == 1 + 4 + 1
    assert result["n_scored"] == 2
    assert result["failures"] == {}


@each_api
def test_texts_that_the_server_has_truncated_get_no_score(api: str, tmp_path: Path) -> None:
    def report_truncation(body: Any) -> Any:
        usage = {**body["usage"], "truncated": True}
        return {**body, "usage": usage}

    with DecisionServer(answer_one_half, [api]) as server:
        server.change = report_truncation
        result = ask_l3(server, 2, api=api, cache=tmp_path / "cache")
    assert result["failures"] == {"context_too_long": 2}
    assert result["n_scored"] == 0


# Requests that fail

CHAT_CHOICE = {"message": {"content": "Yes"}, "finish_reason": "stop"}
CHAT_COMPLETION = {"choices": [CHAT_CHOICE]}
# Replies after which only their row has no score, and the reason of the row.
ROW_FAILURES: list[tuple[Reply, str]] = [
    (make_error(429, "Rate limit reached", code="rate_limit_exceeded"), "rate_limited"),
    (make_error(500, "The server had an error."), "server_error"),
    (Reply({"error": {"message": "Overloaded", "code": 529}}), "server_error"),
    (Reply(way="reset"), "connection"),
    (Reply({"answers": "x" * 200}, way="close within"), "connection"),
    (Reply(b"<html>"), "not_json"),
    (Reply(b'{"answers": [{"type": "pred'), "not_json"),
    (Reply(CHAT_COMPLETION), "no_answers"),
    (Reply({"model": "m", "answers": "none"}), "no_answers"),
    (Reply({"model": "m", "answers": None}), "no_answers"),
    (make_error(400, "The prompt was flagged by the content filter"), "content_filter"),
    (make_error(400, "Odd."), "bad_request"),
    # A state that is too long says nothing about the format that the server speaks.
    (
        make_error(400, "The input must be less than 32000 tokens; context_length_exceeded"),
        "context_too_long",
    ),
    (
        make_error(422, "state is required to be valid: it exceeds the context length"),
        "context_too_long",
    ),
]
# Replies that every request would get: the run is stopped.
RUN_FAILURES: list[tuple[Reply, str]] = [
    (make_error(401, "Incorrect API key provided"), "bad_key"),
    (make_error(404, "The model `judge-1` does not exist.", code="model_not_found"), "no_model"),
    (make_error(400, "Unsupported model", param="model"), "no_model"),
    (make_error(501, "This model is not a decision model", "not_supported_error"), "no_decisions"),
    (make_error(400, "The model judge-1 does not support the Decisions API."), "no_decisions"),
    (Reply({"detail": "Not Found"}, 404), "wrong_api"),
    (Reply(b"", 405), "wrong_api"),
    (make_error(400, "Missing required parameter: 'state'."), "wrong_api"),
    (Reply({"detail": [{"loc": ["body", "input"], "msg": "Field required"}]}, 422), "wrong_api"),
    (
        make_error(
            429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"
        ),
        "quota",
    ),
]


@pytest.mark.parametrize(("api", "judge"), [("decisions", L3), ("systemone", EVE)])
def test_a_failed_request_gives_no_score_and_its_reason(
    api: str, judge: str, tmp_path: Path
) -> None:
    """Every second request fails. Repeating the run asks for the failed rows only."""
    failing_replies = [reply for reply, _ in ROW_FAILURES]
    n_failed = len(failing_replies)
    valid_answer = VERDICTS if judge == EVE else 0.5

    def fail_odd_rows(request: Request, number: int) -> Reply | None:
        row = read_answer_number(json.dumps(request.body))
        return failing_replies[row // 2] if row % 2 else None

    with DecisionServer(lambda state, text, choices: valid_answer, [api]) as server:
        ask = ask_l3 if judge == L3 else ask_eve
        run = partial(ask, server, 2 * n_failed, api=api, cache=tmp_path / "cache")
        server.intercept = fail_odd_rows
        result = run()
        server.intercept = lambda request, number: None
        again = run()
    reasons = [row["reason"] for row in result["per_example"]]
    assert reasons[::2] == [None] * n_failed
    assert reasons[1::2] == [reason for _, reason in ROW_FAILURES]
    assert again["calls"] == {"sent": n_failed, "cached": n_failed}
    assert again["n_failed"] == 0


@pytest.mark.parametrize(
    ("reply", "reason"),
    RUN_FAILURES,
    ids=[f"{reply.status}-{reason}" for reply, reason in RUN_FAILURES],
)
@each_api
def test_a_failure_that_every_request_would_have_stops_the_run(
    api: str, reply: Reply, reason: str
) -> None:
    other_api = "systemone" if api == "decisions" else "decisions"
    with DecisionServer(answer_one_half, [api]) as server:
        server.intercept = lambda request, number: reply
        with pytest.raises(RuntimeError, match=rf"was stopped \({reason}\)") as raised:
            ask_l3(server, 3, api=api)
        assert len(server.requests) == 1
    message = str(raised.value)
    assert KEY not in message
    proposes_other_api = f"api='{other_api}'" in message
    assert proposes_other_api == (reason == "wrong_api")


@pytest.mark.parametrize(("spoken", "asked"), [APIS, APIS[::-1]])
def test_an_error_names_the_option_for_a_server_that_speaks_the_other_format(
    spoken: str, asked: str
) -> None:
    with DecisionServer(decide_by_number, [spoken]) as server:
        with pytest.raises(RuntimeError, match=rf"the server may lack /{asked}: api='{spoken}'"):
            ask_l3(server, 40, api=asked, max_concurrency=32)
        assert len(server.requests) <= 40
        assert ask_l3(server, 4, api=spoken)["n_scored"] == 4


def test_a_chat_server_is_refused_as_a_decision_model() -> None:
    """It does not know the path."""

    def answer_chats_only(request: Request, number: int) -> Reply:
        return make_good_reply(request) if "chat" in request.path else make_error(404, "Not Found")

    with JudgeServer(answer_chats_only) as server, pytest.raises(RuntimeError, match=r"wrong_api"):
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
    other_api = "systemone" if api == "decisions" else "decisions"
    with DecisionServer(decide_by_number) as server:
        result = ask_l3(server, 1, provider=provider)
        ask_l3(server, 1, provider=provider, api=other_api)
        paths = [request.path for request in server.requests]
    assert f"|api:{api}|" in result["signature"]
    assert paths == [PATHS[api], PATHS[other_api]]


def test_no_key_of_the_environment_reaches_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "TYPESAFE_API_KEY", "OPENAI_ORG_ID"):
        monkeypatch.setenv(name, "sk-elsewhere")
    with DecisionServer(decide_by_number) as server:
        for provider in ("openai", "typesafe", "vllm"):
            ask_l3(server, 1, provider=provider, api_key=None)
        ask_l3(server, 1, api_key=KEY)
        keys = [request.key for request in server.requests]
        headers = json.dumps([request.headers for request in server.requests])
    assert keys == [None, None, None, KEY]
    assert "elsewhere" not in headers
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


# The prices of input tokens in USD. As a chat, gpt-6-luna costs more.
LUNA_DECISION_PRICE = 0.10 / 1e6
JEV_PRICE = 0.042 / 1e6
needs_prices = pytest.mark.skipif(sys.version_info < (3, 11), reason="genai-prices needs it")


@needs_prices
def test_a_planned_decision_has_the_price_of_a_decision_and_not_of_a_chat() -> None:
    settings: dict[str, Any] = {"dry_run": True, "cache": False, "probability": "decision"}
    plan = partial(project.load(L3).compute, **make_columns(1000), **settings)
    luna = plan(model="gpt-6-luna")
    luna_tokens = luna["tokens"]["input"]
    assert luna["Cost"] == pytest.approx(luna_tokens * LUNA_DECISION_PRICE)
    jev = plan(model="jev-latest", provider="typesafe")
    jev_tokens = jev["tokens"]["input"]
    assert jev["Cost"] == pytest.approx(jev_tokens * JEV_PRICE)
    unknown = plan(model="gpt-9-luna")
    assert unknown["Cost"] is None, "a model without a known price"


@needs_prices
def test_a_decision_costs_the_tokens_that_the_server_reports() -> None:
    with DecisionServer(decide_by_number, tokens=123) as server:
        result = ask_l3(server, 3, provider="typesafe", model="jev-latest")
    assert result["Cost"] == pytest.approx(3 * 123 * JEV_PRICE)


@needs_prices
def test_the_cost_is_unknown_if_the_server_reports_no_tokens() -> None:
    with DecisionServer(decide_by_number) as server:
        server.change = lambda body: {**body, "usage": {"input_tokens": "many"}}
        result = ask_l3(server, 2, provider="typesafe", model="jev-latest")
    assert result["Cost"] is None
    assert result["n_scored"] == 2
    assert "no tokens for 2 replies" in " ".join(result["notes"])


def test_a_panel_of_decision_models_each_in_its_own_format() -> None:
    first = DecisionServer(lambda state, text, choices: VERDICTS, ["decisions"])
    second = DecisionServer(decide_by_number, ["systemone"])
    with first, second:
        other = {"model": "two", "base_url": second.url, "api": "systemone"}
        result = ask_eve(first, 3, model=None, models=["one", other])
    scores = [row["score"] for row in result["per_example"]]
    assert scores == [1, None, None]
    assert "|api:decisions+systemone|" in result["signature"]


@each_api
def test_a_run_that_is_broken_off_and_repeated_is_paid_for_once(api: str, tmp_path: Path) -> None:
    def refuse_request_120(request: Request, number: int) -> Reply | None:
        return make_error(401, "Incorrect API key") if number == 120 else None

    rows = make_rows_with_references(*[2] * 200)
    with DecisionServer(answer_one_half, [api]) as server:
        run = partial(ask_l3, server, rows, api=api, max_concurrency=4, cache=tmp_path / "cache")
        server.intercept = refuse_request_120
        with pytest.raises(RuntimeError, match="bad_key"):
            run()
        server.intercept = lambda request, number: None
        result = run()
        # Each request has the two questions of a row. The refused one is not paid for.
        texts = server.question_texts
        paid = texts[: 2 * 120] + texts[2 * 121 :]
    assert result["n_scored"] == 200
    assert len(paid) == 400
    assert len(set(paid)) == 400
