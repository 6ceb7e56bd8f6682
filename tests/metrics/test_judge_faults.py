"""l3score and eve_judge ask a server that does everything wrong, and no fault becomes a score of 0.

Each fault leaves its row unscored, with the reason. Every case is a request to
tests/support/judge_server.py, which answers rows marked FAULT with a fault and all others with a
good reply.
"""

import json
import logging
import math
import re
import socket
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import aiohttp
import pytest

from tests.support.judge_server import (
    GOOD_REPLIES,
    JudgeServer,
    Reply,
    Request,
    make_completion,
    make_error,
    make_good_reply,
    make_message,
    make_tokens,
    make_verdict,
)
from tests.support.judges import (
    EVE,
    JUDGES,
    KEY,
    L3,
    both_judges,
    judge_rows,
    make_columns,
    select_keys,
)
from tests.support.project import import_file

# The scores of the server's good replies. l3score's holds the log-probabilities -0.1 of Yes and
# -2.5 of No.
GOOD = {L3: math.exp(-0.1) / (math.exp(-0.1) + math.exp(-2.5)), EVE: 1}


def ask_judge(
    judge: str,
    server: JudgeServer | str,
    marks: Sequence[str] = ("a", "FAULT 0", "b"),
    **settings: Any,
) -> Any:
    """Return the result of judging rows with these marks, by default one at a time."""
    rows = make_columns(len(marks)) | {"predictions": [f"An answer {mark}." for mark in marks]}
    return judge_rows(
        judge,
        server,
        rows,
        **{"max_retries": 1, "max_concurrency": 1, "on_error": "skip", **settings},
    )


def expect_failure(*arguments: Any, **settings: Any) -> Any:
    """Return the JudgeError with which judging rows ends."""
    with pytest.raises(RuntimeError) as caught:
        ask_judge(*arguments, **settings)
    assert type(caught.value).__name__ == "JudgeError", caught.value
    return caught.value


def list_values(result: Any, key: str) -> list[Any]:
    """Return the value under one key of every row of a result."""
    return [row[key] for row in result["per_example"]]


def make_faults(
    replies: Sequence[Reply], once: Sequence[Reply] = ()
) -> Callable[[Request, int], Reply]:
    """Return a server's function that answers the row FAULT n with the n-th of some replies.

    The row ONCE n gets the n-th of others when it first comes. Everything else gets a good reply.
    """
    first_replies = dict(enumerate(once))

    def reply_with_fault(request: Request, number: int) -> Reply:
        fault = re.search(r"\bFAULT (\d+)\b", request.prompt)
        if fault:
            return replies[int(fault[1])]
        passing = re.search(r"\bONCE (\d+)\b", request.prompt)
        reply = first_replies.pop(int(passing[1]), None) if passing else None
        return reply or make_good_reply(request)

    return reply_with_fault


def list_error_texts(failure: BaseException | None) -> Iterator[str]:
    """Yield all texts of an error and of the errors that led to it."""
    while failure is not None:
        yield from (
            str(failure),
            repr(failure.args),
            repr(vars(failure)),
            *traceback.format_exception(failure),
        )
        failure = failure.__cause__ or failure.__context__


@pytest.fixture
def assert_key_unseen(
    caplog: pytest.LogCaptureFixture, capfd: Any, tmp_path: Path
) -> Callable[..., None]:
    """Return a function that fails if the key is anywhere where others could read it.

    It looks at errors, results, logs, printed text and written files.
    """
    for name in (
        "",
        "openai",
        "httpx2",
        "httpcore2",
        "aiohttp",
        "aiohttp.client",
        "asyncio",
        "evaluate",
    ):
        caplog.set_level(logging.DEBUG, logger=name or None)

    def check(*seen: Any) -> None:
        texts = [*capfd.readouterr()]
        for value in seen:
            texts += list_error_texts(value) if isinstance(value, Exception) else [repr(value)]
        for record in caplog.records:
            texts.append(record.getMessage() + repr(record.__dict__))
        for path in tmp_path.rglob("*"):
            if path.is_file():
                texts.append(path.read_bytes().decode("latin-1"))
        assert not list(filter(has_part_of_key, texts))

    return check


def has_part_of_key(text: str) -> bool:
    """Return whether eight characters of the key in a row are in a text."""
    secret = KEY.removeprefix("sk-proj-")
    return any(secret[i : i + 8] in text for i in range(len(secret) - 7))


# Faults of one row, as the server's reply and the reason given for it. Replies are kept; rows with
# errors are asked for again.

TOO_LONG = (
    "This model's maximum context length is 4096 tokens. However, your messages resulted "
    "in 5120 tokens."
)
HTML = {"content-type": "text/html"}


def make_choices(value: Any) -> Reply:
    """Return a completion that has this value in place of its choices."""
    return Reply(make_completion(make_message("Yes"), choices=value))


def make_choice(judge: str, **changes: Any) -> Reply:
    """Return the good reply with other values in its choice."""
    return make_choices([{**GOOD_REPLIES[judge == L3].body["choices"][0], **changes}])


ERRORS_OF_A_ROW = [
    (
        make_error(400, TOO_LONG, code="context_length_exceeded", param="messages"),
        "context_too_long",
    ),
    (
        make_error(
            400, "input length and `max_tokens` exceed context limit: 199000 + 1024 > 200000"
        ),
        "context_too_long",
    ),
    (make_error(400, "prompt is too long: 210000 tokens > 200000 maximum"), "context_too_long"),
    # Messages of vLLM, TGI and SGLang when a prompt leaves too little room for the reply.
    (
        make_error(
            400,
            "max_tokens must be at least 1, got -7584. (parameter=max_tokens, value=-7584)",
            param="max_tokens",
        ),
        "context_too_long",
    ),
    (make_error(400, "max_completion_tokens must be at least 1, got 0."), "context_too_long"),
    (
        Reply({"error": "Input validation error: `max_new_tokens` must be strictly positive"}, 422),
        "context_too_long",
    ),
    (
        Reply({"error": {"message": "`inputs` must have less than 512 tokens. Given: 600"}}, 424),
        "context_too_long",
    ),
    (
        make_error(
            400, "Requested token count exceeds the model's maximum context length of 4096 tokens."
        ),
        "context_too_long",
    ),
    (
        make_error(
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed "
            "(1048576).",
        ),
        "context_too_long",
    ),
    (
        make_error(400, "Please reduce your prompt; or completion length.", param="max_tokens"),
        "context_too_long",
    ),
    (make_error(400, "Range of input length should be [1, 30720]"), "context_too_long"),
    (make_error(400, "Prompt 超长"), "context_too_long"),
    (
        make_error(
            500, "the request exceeds the available context size", "exceed_context_size_error"
        ),
        "context_too_long",
    ),
    (
        make_error(
            429, "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000."
        ),
        "context_too_long",
    ),
    (Reply({"error": "Request failed during generation"}, 424), "bad_request"),
    (
        make_error(400, "the request exceeds the available context size (4096 tokens)"),
        "context_too_long",
    ),
    (
        Reply(
            {"error": "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 + 1"}, 422
        ),
        "context_too_long",
    ),
    (
        Reply({"error": "`inputs` must have less than 4095 tokens. Given: 5000"}, 422),
        "context_too_long",
    ),
    (
        make_error(400, "Provider returned error", {"raw": '{"code": "context_length_exceeded"}'}),
        "context_too_long",
    ),
    (
        make_error(
            400,
            "Could not finish the message because max_tokens or model output limit was reached.",
        ),
        "cut_off",
    ),
    (make_error(400, "Content Exists Risk"), "content_filter"),
    (
        make_error(403, "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"),
        "content_filter",
    ),
    (
        make_error(
            400, "Input data may contain inappropriate content.", code="data_inspection_failed"
        ),
        "content_filter",
    ),
    (make_error(400, "Output blocked by content filtering policy"), "content_filter"),
    (
        make_error(400, "The response was filtered due to the content management policy."),
        "content_filter",
    ),
    (
        make_error(
            403, 'judge-1 requires moderation. Your input was flagged for "violence".', None
        ),
        "content_filter",
    ),
    (make_error(400, "The request is not good."), "bad_request"),
    (Reply(b"<h1>Bad Request</h1>", 400, HTML), "bad_request"),
    (Reply(b"<html>Welcome</html>", headers=HTML), "not_json"),
    (Reply(b""), "not_json"),
    (Reply(b'{"choices": [{"index": 0, "mess'), "not_json"),
    (Reply({"error": {"message": "Something went wrong."}}), "error_in_reply"),
    (Reply({"error": "Something went wrong.", "choices": None}), "error_in_reply"),
    (
        Reply({"error": {"message": TOO_LONG, "code": "context_length_exceeded"}}),
        "context_too_long",
    ),
    (make_choice(EVE, finish_reason="error"), "error_in_reply"),
]
REFUSAL = make_verdict(None, refusal="I cannot help with that.")
REPLIES = [
    (make_choice(L3, message={"role": "assistant"}), "no_content"),
    (REFUSAL, "refusal"),
    (make_choice(L3, finish_reason="content_filter: PROHIBITED_CONTENT"), "content_filter"),
    (make_choice(L3, native_finish_reason="SAFETY"), "content_filter"),
    (make_choice(L3, finish_reason="OTHER"), "unknown_end"),
]
NO_LOGPROBS: list[Any] = [
    None,
    {},
    "none",
    {"content": None},
    {"content": []},
    {"content": [{"top_logprobs": []}]},
]
LOGPROBS = [(make_choice(L3, logprobs=value), "logprobs_missing") for value in NO_LOGPROBS]
LOGPROBS += [(make_tokens([("Yes", None), ("No", math.nan)]), "logprobs_malformed")]
VERDICTS = [
    (make_verdict('{"score": true}'), "bad_verdict"),
    (make_verdict(""), "no_verdict"),
    (make_verdict('{"score": 1}\n{"score": 0}'), "ambiguous"),
    (make_verdict('{"score": 1}', finish_reason="length"), "cut_off"),
]
KEPT = {L3: REPLIES + LOGPROBS, EVE: REPLIES + VERDICTS}


@both_judges
def test_a_fault_of_one_row_leaves_it_unscored(
    judge: str, tmp_path: Path, assert_key_unseen: Callable[..., None]
) -> None:
    faults = [*ERRORS_OF_A_ROW, *KEPT[judge]]
    replies = [reply for reply, _ in faults]
    cache = str(tmp_path / "cache")
    errors = len(ERRORS_OF_A_ROW)
    # Every other row is good.
    marks = []
    reasons = []
    for number, (_, reason) in enumerate(faults):
        marks += [f"FAULT {number}", f"good {number}"]
        reasons += [reason, None]
    with JudgeServer(make_faults(replies)) as server:
        result = ask_judge(judge, server, marks, cache=cache)
        assert len(server.requests) == len(marks)
        again = ask_judge(judge, server, marks, cache=cache)
        # Every reply is kept, whatever it says; only rows that got no reply are asked for again.
        assert len(server.requests) == len(marks) + errors
        third = ask_judge(judge, server, marks, cache=cache, retry_unusable=True)
        assert len(server.requests) == len(marks) + errors + len(replies)
    for run_result in (result, again, third):
        assert list_values(run_result, "reason") == reasons
        assert all(list_values(run_result, "message")[::2])
        check_half_scored(run_result, len(replies), GOOD[judge])
    assert again["calls"] == {"sent": errors, "cached": len(marks) - errors}
    json.dumps(result)
    assert_key_unseen(result, again)


def check_half_scored(result: dict[str, Any], n_faults: int, good: float) -> None:
    """Check the scores of as many faults as good rows, in turn."""
    scores = list_values(result, "score")
    assert scores[::2] == [None] * n_faults
    assert scores[1::2] == pytest.approx([good] * n_faults)
    expected = {
        "n_scored": n_faults,
        "n_failed": n_faults,
        "lowest": pytest.approx(good / 2),
        "highest": pytest.approx((good + 1) / 2),
    }
    assert select_keys(result, *expected) == expected
    assert sum(result["failures"].values()) == n_faults


@both_judges
def test_by_default_a_fault_of_one_row_raises_after_the_batch(judge: str, tmp_path: Path) -> None:
    marks = ("a", "FAULT 0", "FAULT 1", "b")
    settings = {"on_error": "raise", "cache": tmp_path / "cache"}
    with JudgeServer(make_faults([REFUSAL, Reply(b"?")])) as server:
        first, again = (expect_failure(judge, server, marks, **settings) for _ in range(2))
        assert len(server.requests) == 4 + 1
        server.answer = make_good_reply
        assert expect_failure(judge, server, marks, **settings).failures == {"refusal": 1}
        assert ask_judge(judge, server, marks, **settings, retry_unusable=True)["n_scored"] == 4
        assert len(server.requests) == 4 + 1 + 1 + 1
    assert first.failures == again.failures == {"refusal": 1, "not_json": 1}
    assert first.reason in first.failures
    message = str(first)
    assert "2 of 4 rows could not be scored" in message
    assert "run it again to resume" in message
    assert "refusal" in message
    assert "not_json" in message
    assert list_values(first.result, "reason") == [None, "refusal", "not_json", None]


# Odd replies that nevertheless hold a verdict

PARTS = [{"type": "text", "text": '{"score": '}, {"type": "image"}, {"type": "text", "text": "1}"}]
BESIDE: list[dict[str, Any]] = [
    {"usage": None},
    {"usage": 7},
    {"usage": []},
    {"usage": {"prompt_tokens": "many"}},
]
BESIDE += [{"model": None}, {"model": {}}, {"id": None}, {"error": None}]


@both_judges
def test_an_odd_reply_with_a_verdict_scores(judge: str) -> None:
    good = GOOD_REPLIES[judge == L3]
    replies = [Reply({**good.body, **beside}) for beside in BESIDE]
    replies += [make_choice(judge, finish_reason=None), replace(good, way="drip", pace=0.0003)]
    # test_replies.py has the other forms of a verdict.
    replies += [
        make_choice(EVE, message={"content": PARTS}),
        make_verdict('{"score": 1} \ud83d'),
    ] * (judge == EVE)
    with JudgeServer(make_faults(replies)) as server:
        result = ask_judge(
            judge, server, [f"FAULT {i}" for i in range(len(replies))], max_retries=0
        )
        assert len(server.requests) == len(replies)
    assert list_values(result, "score") == pytest.approx([GOOD[judge]] * len(replies))
    json.dumps(result).encode()


# Failures that stop the run

QUOTA = "You exceeded your current quota, please check your plan and billing details."
EXTRA = {
    "loc": ["body", "foo"],
    "msg": "Extra inputs are not permitted",
    "input": {"logprobs": True},
}
STOPS = [
    (make_error(400, "Unsupported parameter: 'top_k'.", param="top_k"), "parameter_refused"),
    (make_error(400, "No.", param="temperature"), "parameter_refused"),
    (make_error(400, "No 'foo'", code="unsupported_parameter"), "parameter_refused"),
    (Reply({"detail": [EXTRA]}, 422), "parameter_refused"),
    (
        make_error(400, "logprobs are not supported with this model.", param="logprobs"),
        "no_logprobs",
    ),
    (make_error(403, "You are not allowed to request logprobs from this model"), "no_logprobs"),
    (make_error(400, "Unsupported value", param="top_logprobs"), "no_logprobs"),
    (
        Reply({"detail": [{"loc": ["body", "top_logprobs"], "msg": "Extra inputs"}]}, 422),
        "no_logprobs",
    ),
    (make_error(401, f"Incorrect API key provided: {KEY}.", code=KEY, param=KEY), "bad_key"),
    (make_error(400, "Incorrect API key provided: ab***yz."), "bad_key"),
    (Reply(f"<p>Bearer {KEY}".encode(), 401, {**HTML, "x-key": KEY}), "bad_key"),
    (Reply({"error": {"message": f"No such key {KEY}", "code": 401}}), "bad_key"),
    (Reply({"code": 401, "msg": "invalid token"}), "bad_key"),
    (Reply(b"<h1>Forbidden</h1>", 403, HTML), "forbidden"),
    (make_error(403, "Your account has been flagged for suspicious activity."), "forbidden"),
    (make_error(404, "The model `judge-1` does not exist.", code="model_not_found"), "no_model"),
    (Reply({"detail": "Not Found"}, 404), "no_model"),
    (make_error(400, "foo/bar is not a valid model ID"), "no_model"),
    (make_error(400, "Unable to access non-serverless model x."), "no_model"),
    (Reply({"object": "error", "code": 404, "message": "The model does not exist."}), "no_model"),
    (make_error(402, "Insufficient credits.", None), "quota"),
    (make_error(429, QUOTA, "insufficient_quota", "insufficient_quota"), "quota"),
    (Reply({"error": {"message": QUOTA, "type": "insufficient_quota"}}), "quota"),
    (
        Reply({"code": "exhausted", "error": "Your team reached its monthly spending limit."}, 429),
        "quota",
    ),
    (make_error(400, "Your credit balance is too low to access the API."), "quota"),
    (make_error(429, "Budget has been exceeded! Current cost: 10.1"), "quota"),
    (Reply(b"", 405), "bad_request"),
    *((Reply(b"", status, {"location": "/v2"}), "redirect") for status in (301, 307)),
]


@pytest.mark.parametrize(
    "number", range(len(STOPS)), ids=[f"{r.status}-{reason}" for r, reason in STOPS]
)
def test_a_failure_that_will_not_pass_stops_the_batch(
    number: int, tmp_path: Path, assert_key_unseen: Callable[..., None]
) -> None:
    reply, reason = STOPS[number]
    judge = JUDGES[number % 2]
    settings = {"cache": str(tmp_path / "cache"), "extra_body": {"top_k": 5}}
    before = () if reason in OF_SETTINGS else ("a",)
    marks = (*before, "FAULT 0", "b", "c")
    with JudgeServer(make_faults([reply])) as server:
        failure = expect_failure(
            judge, server, marks, on_error=["raise", "skip"][number % 2], max_retries=5, **settings
        )
        assert len(server.requests) == len(before) + 1
        server.answer = make_good_reply
        # The first row was paid for and kept.
        assert ask_judge(judge, server, marks, **settings)["calls"] == {
            "sent": 3,
            "cached": len(before),
        }
    assert failure.reason == reason
    assert failure.failures == {reason: 1, "not_sent": 2}
    assert list_values(failure.result, "reason")[-3:] == [reason, "not_sent", "not_sent"]
    scores = [pytest.approx(GOOD[judge])] * len(before) + [None] * 3
    assert list_values(failure.result, "score") == scores
    message = list_values(failure.result, "message")[len(before)]
    assert message[:8] == f"HTTP {reply.status}"
    assert len(message) < 400
    assert "***" not in message
    assert_key_unseen(failure)


@both_judges
@pytest.mark.parametrize(
    "reply",
    [make_error(400, "I do not like any."), REFUSAL, Reply(b"")],
    ids=["400", "refusal", ""],
)
def test_the_same_failure_of_32_requests_stops_the_batch(
    judge: str, reply: Reply, tmp_path: Path
) -> None:
    settings = {"cache": str(tmp_path / "cache"), "max_concurrency": 4}
    with JudgeServer(reply) as server:
        failure = expect_failure(judge, server, [*map(str, range(50))], **settings)
        assert 32 <= len(server.requests) < 32 + 4
        assert failure.failures[failure.reason] == len(server.requests)
        # Once the server works again the same call goes on, whatever the stopped run left behind.
        server.answer = make_good_reply
        assert ask_judge(judge, server, [*map(str, range(50))], **settings)["calls"] == {
            "sent": 50,
            "cached": 0,
        }


OF_SETTINGS = ("parameter_refused", "no_logprobs")


@pytest.mark.parametrize(
    "number", [i for i, (_, reason) in enumerate(STOPS) if reason in OF_SETTINGS]
)
def test_a_row_fails_alone_if_its_settings_worked_for_another_row(
    number: int, tmp_path: Path
) -> None:
    """Servers compute a limit from the length of a row, and name the parameter that exceeds it."""
    (reply, reason), judge = STOPS[number], JUDGES[number % 2]
    with JudgeServer(make_faults([reply])) as server:
        result = ask_judge(
            judge,
            server,
            ("a", "FAULT 0", "b", "c"),
            cache=tmp_path / "cache",
            extra_body={"top_k": 5},
        )
        again = ask_judge(
            judge,
            server,
            ("a", "FAULT 0", "b", "d"),
            cache=tmp_path / "cache",
            extra_body={"top_k": 5},
        )
    assert list_values(result, "reason") == [None, reason, None, None]
    assert list_values(again, "reason") == [None, reason, None, None]


def refuse_long_rows(request: Request, number: int) -> Reply:
    """Answer a prompt of more than 3,000 characters as vLLM does."""
    over = len(request.prompt) - 3000
    message = f"max_tokens must be at least 1, got {-over}. (parameter=max_tokens, value={-over})"
    return (
        make_error(400, message, "BadRequestError", param="max_tokens")
        if over > 0
        else make_good_reply(request)
    )


@both_judges
@pytest.mark.parametrize("order", ["long first", "short first"])
def test_rows_that_are_too_long_never_stop_the_rest(judge: str, order: str) -> None:
    """A table sorted by length may begin with many rows that are too long.

    So many failures of any other kind would stop the run.
    """
    lengths = [9000 - i for i in range(60)] + [10] * 10
    lengths = lengths if order == "long first" else lengths[::-1]
    rows = make_columns(70) | {"predictions": ["x" * length for length in lengths]}
    with JudgeServer(refuse_long_rows) as server:
        result = judge_rows(judge, server, rows, max_concurrency=4, on_error="skip")
        assert len(server.requests) == 70
    assert result["n_scored"] == 10
    assert result["failures"] == {"context_too_long": 60}


def test_the_run_stops_if_even_the_shortest_row_is_too_long() -> None:
    rows = make_columns(200) | {"predictions": ["x" * (9000 + i * 7 % 200) for i in range(200)]}
    with JudgeServer(refuse_long_rows) as server:
        with pytest.raises(RuntimeError, match=r"was stopped \(context_too_long\)"):
            judge_rows(L3, server, rows, max_concurrency=4, on_error="skip")
        assert 32 <= len(server.requests) < 45


def test_an_error_message_of_any_length_is_read_for_its_reason() -> None:
    read = import_file(L3, "judge_replies").read_response
    texts = [
        "x" * 200_000,
        "*a" * 100_000,
        "<" * 200_000,
        '{"error": "' + "max_" * 50_000 + '"}',
        "** " * 70_000,
        '{"error": ' + '"a' * 60_000,
        "tokens" * 40_000,
        "\\n[" * 60_000,
    ]
    for text in texts:
        assert read(400, text)[1]["reason"] in ("bad_request", "context_too_long")


# Temporary failures

TPM = (
    "Rate limit reached for model `m` on tokens per minute (TPM). "
    + "x" * 300
    + " Upgrade at https://x/billing"
)
PASSING = [
    (make_error(408, "Request Timeout", "timeout"), "server_error"),
    (make_error(409, "Conflict", "conflict"), "server_error"),
    (make_error(425, "Too Early", "too_early"), "server_error"),
    (
        make_error(429, TPM, code="rate_limit_exceeded", headers={"retry-after-ms": "9"}),
        "rate_limited",
    ),
    (
        make_error(429, QUOTA + " Please retry in 17s.", headers={"retry-after-ms": "9"}),
        "rate_limited",
    ),
    (make_error(500, "The server had an error.", "server_error"), "server_error"),
    (make_error(504, "rpc error: context deadline exceeded"), "server_error"),
    (make_error(503, "the prompt took too long"), "server_error"),
    (Reply(b"<html><h1>503 Service Unavailable</h1></html>", 503, HTML), "server_error"),
    (make_error(529, "Overloaded", "overloaded_error"), "server_error"),
    (Reply({"error": {"message": "Overloaded", "code": 529}}), "server_error"),
    (Reply({"error": {"message": "Slow down", "code": 429}}), "rate_limited"),
    (Reply({"error": {"type": "rate_limit_error"}}), "rate_limited"),
    (make_choices([]), "no_choices"),
    (Reply({"id": "chatcmpl-1"}), "no_choices"),
    (make_choice(EVE, finish_reason=None, message=make_message("")), "no_choices"),
    (make_choice(L3, finish_reason="insufficient_system_resource"), "server_error"),
    (
        make_choice(L3, finish_reason=None, error={"code": 429, "message": "Slow down"}),
        "rate_limited",
    ),
    (
        make_choice(L3, finish_reason="error", error={"code": 502, "message": "Upstream failed"}),
        "server_error",
    ),
    (Reply(way="reset"), "connection"),
    (Reply(way="close"), "connection"),
    (Reply({"choices": "x" * 200}, way="close within"), "connection"),
    (Reply({"choices": "x" * 200}, way="reset within"), "connection"),
    (Reply(b"hello", headers={"content-encoding": "gzip"}), "connection"),
]
NO_HTTP = [
    b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    b"HTTP/1.1 OK\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nx: " + b"a" * 100_000,
]


@both_judges
def test_a_temporary_failure_is_retried_and_a_lasting_one_is_unscored(
    judge: str, tmp_path: Path, assert_key_unseen: Callable[..., None]
) -> None:
    replies = [reply for reply, _ in PASSING]
    reasons = [reason for _, reason in PASSING]
    # Faults that last, then those that pass.
    marks = [f"FAULT {number}" for number in range(len(replies))]
    marks += [f"ONCE {number}" for number in range(len(replies))]
    settings = {"max_concurrency": len(marks), "cache": str(tmp_path / "cache")}
    with JudgeServer(make_faults(replies, once=replies)) as server:
        result = ask_judge(judge, server, marks, **settings)
        assert len(server.requests) == 2 * len(marks)
        server.answer = make_good_reply  # what failed is asked for again
        assert ask_judge(judge, server, marks, **settings)["calls"] == {
            "sent": len(replies),
            "cached": len(replies),
        }
    assert list_values(result, "reason") == reasons + [None] * len(replies)
    assert list_values(result, "score")[: len(replies)] == [None] * len(replies)
    assert list_values(result, "score")[len(replies) :] == pytest.approx(
        [GOOD[judge]] * len(replies)
    )
    assert list_values(result, "requests") == [2] * len(marks)
    assert result["calls"] == {"sent": 2 * len(marks), "cached": 0}
    assert_key_unseen(result)


def test_a_server_that_takes_too_long_or_speaks_no_http_is_given_up(
    assert_key_unseen: Callable[..., None],
) -> None:
    """All tries together have an end, as has every wait.

    A timeout between bytes would not end a reply that comes byte by byte.
    """
    ways = [Reply(way="hang"), replace(GOOD_REPLIES[True], way="drip", pace=0.03)]
    ways += [
        make_error(429, "Slow down", headers={"Retry-After": "100"}),
        *(Reply(said, way="raw") for said in NO_HTTP),
    ]
    with JudgeServer(make_faults(ways)) as server:
        marks = ["a", *(f"FAULT {i}" for i in range(len(ways)))]
        result = ask_judge(
            L3, server, marks, timeout=1.0, max_retries=0, max_concurrency=len(marks)
        )
        assert len(server.requests) == len(marks)
        waiting = ask_judge(L3, server, ["FAULT 2"], timeout=0.2, max_retries=4)
        assert len(server.requests) == len(marks) + 1
    assert list_values(result, "reason") == [
        None,
        "timeout",
        "timeout",
        "rate_limited",
        *["connection"] * len(NO_HTTP),
    ]
    assert list_values(result, "score")[1:] == [None] * len(ways)
    assert waiting["failures"] == {"rate_limited": 1}
    assert_key_unseen(result)


# Servers that cannot be reached


@pytest.mark.parametrize("name", ["", "nobody.invalid", f"{'a' * 70}.invalid"])
def test_a_server_that_cannot_be_reached_is_named_in_the_error(
    name: str, assert_key_unseen: Callable[..., None]
) -> None:
    with JudgeServer() as server:
        address = f"http://{name}/v1" if name else server.url
    failure = expect_failure(L3, address, max_retries=2)
    assert failure.reason == "unreachable"
    assert address in str(failure)
    assert failure.failures == {"unreachable": 1, "not_sent": 2}
    assert failure.result["calls"]["sent"] <= 3
    assert_key_unseen(failure)


@pytest.mark.parametrize(
    ("scheme", "words"), [("http", "no server listens"), ("https", "speaks plain HTTP")]
)
def test_a_wrong_port_or_scheme_is_found_out_before_all_rows_are_tried(
    scheme: str, words: str
) -> None:
    with JudgeServer() as server:
        address = server.url.replace("http", scheme)
        if scheme == "http":
            server.loop.call_soon_threadsafe(server.crash)
            server.wait(lambda server: not server.listening.is_serving())
        failure = expect_failure(
            L3, address, [*map(str, range(100))], max_retries=5, max_concurrency=32
        )
    assert failure.reason == "unreachable"
    assert words in str(failure)
    assert address in str(failure)
    assert failure.result["calls"]["sent"] <= 32


PEER = Mock(host="127.0.0.1", port=80, ssl=True)
LOST: list[tuple[Exception, str]] = [
    (aiohttp.ClientConnectionResetError("Cannot write to closing transport"), "connection"),
    (aiohttp.ServerDisconnectedError(), "connection"),
    (aiohttp.ClientOSError(1, "[SSL] application data after close notify"), "connection"),
    (aiohttp.ClientConnectorError(PEER, ConnectionResetError(104, "reset by peer")), "connection"),
    (aiohttp.ClientConnectorError(PEER, OSError(24, "Too many open files")), "connection"),
    (aiohttp.SocketTimeoutError("Timeout on reading data from socket"), "timeout"),
    (TimeoutError(), "timeout"),
    (aiohttp.ClientConnectorError(PEER, ConnectionRefusedError(111, "refused")), "unreachable"),
    (
        aiohttp.ClientConnectorDNSError(PEER, socket.gaierror(-2, "Name or service not known")),
        "unreachable",
    ),
    (aiohttp.ClientConnectorCertificateError(PEER, Exception("self-signed")), "unreachable"),
]


@pytest.mark.parametrize(
    ("lost", "reason"), LOST, ids=[f"{type(one).__name__} {reason}" for one, reason in LOST]
)
def test_only_a_server_that_takes_no_connection_is_unreachable(
    lost: Exception, reason: str
) -> None:
    lost.__cause__ = getattr(lost, "os_error", None)
    judge = import_file(L3, "judge").Judge(L3, "m", {})
    failure = import_file(L3, "judge_client").describe_exception(lost, judge, is_reached=False)
    assert failure["reason"] == reason
    assert failure["kind"] == ("stop" if reason == "unreachable" else "again")
    assert not failure["message"].endswith(": ")


@pytest.mark.parametrize("retries", [0, 2])
def test_a_server_that_answers_and_closes_stops_no_run(retries: int) -> None:
    with JudgeServer(
        lambda request, n: replace(make_good_reply(request), way="last", delay=0.002 * (n % 5))
    ) as server:
        result = ask_judge(
            L3, server, [*map(str, range(300))], max_retries=retries, max_concurrency=32
        )
    assert result["n_scored"] + result["failures"].get("connection", 0) == 300


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_server_that_dies_in_the_middle_is_noticed(at_once: int, tmp_path: Path) -> None:
    def answer(request: Request, number: int) -> Reply:
        if number == 50:
            server.crash()
        return make_good_reply(request)

    with JudgeServer(answer) as server:
        marks = [*map(str, range(200))]
        settings = {"max_concurrency": at_once, "cache": tmp_path / "cache"}
        failure = expect_failure(L3, server, marks, max_retries=2, **settings)
        sent = len(server.requests)
    assert failure.reason == "unreachable"
    # Requests under way are tried again as often as any, and no other row is sent.
    assert sent <= 50 + at_once
    assert failure.result["calls"]["sent"] <= sent + 3 * at_once
    assert failure.result["n_scored"] >= 50 - at_once
    with JudgeServer(port=server.port) as server:
        assert (
            ask_judge(L3, server, marks, **settings)["calls"]["cached"]
            == failure.result["n_scored"]
        )


# Keys, which nobody may see


@pytest.mark.parametrize(
    "broken", [f"{KEY} {KEY}", f"{KEY}\n{KEY}", f"{KEY}é", f"{KEY}\ud800", f"{KEY}\0", "  ", 5]
)
def test_a_broken_key_is_refused_and_neither_shown_nor_sent(
    broken: Any, assert_key_unseen: Callable[..., None]
) -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError, match="api_key is no key") as caught:
            ask_judge(L3, server, api_key=broken)
        assert server.requests == []
        ask_judge(L3, server, api_key=f" {KEY}\r\n")
        assert server.keys == {KEY}
    assert_key_unseen(caught.value)


@both_judges
def test_a_key_that_a_server_repeats_in_its_reply_is_removed(
    judge: str, tmp_path: Path, assert_key_unseen: Callable[..., None]
) -> None:
    """Some proxies send requests back, including their headers."""
    body = GOOD_REPLIES[judge == L3].body
    choice = body["choices"][0] | (
        {} if judge == L3 else {"message": make_message(f'{{"score": 1, "reasoning": "{KEY}"}}')}
    )
    echo = Reply({**body, "model": f"m-{KEY}", "id": KEY, "choices": [choice]})
    refused = Reply(make_completion(make_message(None, refusal=f"Not with {KEY}")))
    failed = Reply({"error": {"message": KEY}})
    shouted = make_verdict(f"{KEY} is no verdict") if judge == EVE else make_tokens([(KEY, -0.1)])
    with JudgeServer([echo, refused, failed, shouted]) as server:
        results = [
            ask_judge(judge, server, "abcd", cache=str(tmp_path / "cache")) for _ in range(2)
        ]
    assert list_values(results[0], "score")[0] == pytest.approx(GOOD[judge])
    assert_key_unseen(*results)


@both_judges
@pytest.mark.parametrize("key", ["content", "123456", "e", "score"])
def test_a_key_that_is_a_word_changes_no_score_and_no_signature(judge: str, key: str) -> None:
    with JudgeServer() as server:
        plain = ask_judge(judge, server, "a", api_key=None)
        keyed = ask_judge(judge, server, "a", api_key=key)
    assert keyed["signature"] == plain["signature"]
    assert keyed["per_example"] == plain["per_example"]
