"""l3score and eve_judge against a server that does everything wrong: each fault is unscored with its reason, never 0.

Every case goes over the wire to tests/support/judge_server.py. Rows marked FAULT get a fault, the others a good reply.
"""

import json
import logging
import math
import re
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import (
    FITTING,
    JudgeServer,
    Reply,
    Request,
    completion,
    error,
    fitting,
    says,
    tokens,
    verdict,
)

L3, EVE = "l3score", "eve_judge"
JUDGES = (L3, EVE)
KEY = "sk-proj-Zx7QwErTy93PoIuLkJhGfDs"
# What the good replies of the server score.
GOOD = {L3: math.exp(-0.1) / (math.exp(-0.1) + math.exp(-2.5)), EVE: 1}
both_judges = pytest.mark.parametrize("judge", JUDGES)


def ask(judge: str, server: JudgeServer | str, marks: Sequence[str] = ("a", "FAULT 0", "b"), **settings: Any) -> Any:
    """Return the result of judging rows so marked, one request after the other unless told otherwise."""
    given = {"model": "judge-1", "api_key": KEY, "base_url": getattr(server, "url", server), "cache": False}
    given |= {"timeout": 20.0, "max_retries": 1, "max_concurrency": 1, "progress": False, "per_example": True}
    rows = {
        "questions": [f"Question {number}?" for number in range(len(marks))],
        "predictions": [f"An answer {mark}." for mark in marks],
        "references": [f"The reference {number}" for number in range(len(marks))],
    }
    return project.load(judge).compute(**rows, **{**given, "on_error": "skip", **settings})


def fails(judge: str, server: JudgeServer | str, marks: Sequence[str] = ("a", "FAULT 0", "b"), **settings: Any) -> Any:
    """Return the JudgeError that judging ends with."""
    with pytest.raises(RuntimeError) as caught:
        ask(judge, server, marks, **settings)
    assert type(caught.value).__name__ == "JudgeError", caught.value
    return caught.value


def of_rows(result: Any, key: str) -> list[Any]:
    """Return one key of every row."""
    return [row[key] for row in result["per_example"]]


def faulty(replies: Sequence[Reply], once: Sequence[Reply] = ()) -> Callable[[Request, int], Reply]:
    """Answer the row FAULT n with the n-th reply, ONCE n so for the first time, every other as it asks for."""
    first = dict(enumerate(once))

    def answer(request: Request, number: int) -> Reply:
        fault, passing = (re.search(rf"\b{mark} (\d+)\b", request.prompt) for mark in ("FAULT", "ONCE"))
        reply = replies[int(fault[1])] if fault else None
        return reply or (first.pop(int(passing[1]), None) if passing else None) or fitting(request)

    return answer


def told(failure: BaseException | None) -> Iterator[str]:
    """Yield everything that an error and what led to it say."""
    while failure is not None:
        yield from (str(failure), repr(failure.args), repr(vars(failure)), *traceback.format_exception(failure))
        failure = failure.__cause__ or failure.__context__


@pytest.fixture
def no_trace(caplog: pytest.LogCaptureFixture, capfd: Any, tmp_path: Path) -> Callable[..., None]:
    """Return the function that finds the key in errors, results, logs, what was printed and the files written."""
    for name in ("", "openai", "httpx2", "httpcore2", "aiohttp", "aiohttp.client", "asyncio", "evaluate"):
        caplog.set_level(logging.DEBUG, logger=name or None)

    def check(*seen: Any) -> None:
        texts = [text for value in seen for text in (told(value) if isinstance(value, Exception) else [repr(value)])]
        texts += [record.getMessage() + repr(record.__dict__) for record in caplog.records]
        texts += capfd.readouterr()
        texts += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
        secret = KEY.removeprefix("sk-proj-")
        assert not [text for text in texts if any(secret[i : i + 8] in text for i in range(len(secret) - 7))]

    return check


def test_the_search_for_a_key_finds_it(no_trace: Callable[..., None], tmp_path: Path) -> None:
    deep = ValueError("nothing here")
    deep.__context__ = RuntimeError("harmless", {"headers": [f"Bearer {KEY}"]})
    no_trace(ValueError("nothing here"), {"key": KEY[:7]})
    for seen in (deep, {"key": KEY[10:20]}):
        with pytest.raises(AssertionError):
            no_trace(seen)
    (tmp_path / "file").write_text(f"... {KEY}")
    with pytest.raises(AssertionError):
        no_trace()


# Faults of one row: the reply and its reason. Those of replies are kept, those of errors are asked for again.

TOO_LONG = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5120 tokens."
FENCE = "```"
HTML = {"content-type": "text/html"}


def choices(value: Any) -> Reply:
    """Return a completion with these choices."""
    return Reply(completion(says("Yes"), choices=value))


def choice(judge: str, **changes: Any) -> Reply:
    """Return the good reply with other values in its choice."""
    return choices([{**FITTING[judge == L3].body["choices"][0], **changes}])


ERRORS_OF_A_ROW = [
    (error(400, TOO_LONG, code="context_length_exceeded", param="messages"), "context_too_long"),
    (error(413, "Request too large: maximum context length exceeded"), "context_too_long"),
    (error(400, "The response was filtered due to the content management policy."), "content_filter"),
    (error(403, 'judge-1 requires moderation. Your input was flagged for "violence".', None), "content_filter"),
    (error(400, "The request is not good."), "bad_request"),
    (error(422, "Unprocessable Entity"), "bad_request"),
    (Reply(b"<h1>Bad Request</h1>", 400, HTML), "bad_request"),
    (Reply(b"<html>Welcome</html>", headers=HTML), "not_json"),
    (Reply(b""), "not_json"),
    (Reply([completion(says("Yes"))]), "not_json"),
    (Reply(b"null"), "not_json"),
    (Reply(b'{"choices": [{"index": 0, "mess'), "not_json"),
    (Reply(b'{"choices": "\xff\xfe"}'), "not_json"),
    (Reply({"error": {"message": "Something went wrong."}}), "error_in_reply"),
    (Reply({"error": "Something went wrong.", "choices": None}), "error_in_reply"),
    (Reply({"error": {"message": TOO_LONG, "code": "context_length_exceeded"}}), "context_too_long"),
    (choice(EVE, finish_reason="error"), "error_in_reply"),
]
REPLIES = [
    (choices([]), "no_choices"),
    (choices(None), "no_choices"),
    (Reply({"id": "chatcmpl-1"}), "no_choices"),
    (choice(L3, message=says(None)), "no_content"),
    (choice(L3, message={"role": "assistant"}), "no_content"),
    (choice(L3, message="Yes"), "no_content"),
    (verdict(None, refusal="I cannot help with that."), "refusal"),
    (choice(L3, message=says("", refusal="I cannot help with that.")), "refusal"),
    (choice(EVE, finish_reason="content_filter"), "content_filter"),
    (choice(L3, finish_reason="content_filter"), "content_filter"),
]
ONE: dict[str, Any] = {"token": "Yes", "logprob": -0.1, "bytes": None}
NO_LOGPROBS: list[Any] = [None, {}, "none", {"content": None}, {"content": []}, {"content": {}}, {"content": ["Yes"]}]
EMPTY: list[Any] = [None, "", []]
NO_LOGPROBS += [{"content": [ONE | {"top_logprobs": value}]} for value in EMPTY]
LOGPROBS: list[tuple[Reply, str]] = [(choice(L3, logprobs=value), "logprobs_missing") for value in NO_LOGPROBS]
LOGPROBS += [
    (tokens(pairs), "logprobs_malformed")
    for pairs in (
        [("Yes", None), ("No", None)],
        [("Yes", -0.1), ("No", math.nan)],
        [("Yes", -0.1), ("No", -2.5), ("Maybe", math.nan)],
        [("Yes", "-0.1"), ("No", -2.5)],
        [("Yes", True), ("No", -2.5)],
        [("Yes", 0.92), ("No", 0.08)],
        [("Yes", math.inf), ("No", -2.5)],
        [(7, -0.1), ("No", -2.5)],
        [("Yes", -9999.0), ("No", -9999.0)],
    )
]
VERDICTS = [
    (verdict(text), reason)
    for reason, texts in {
        "bad_verdict": ['{"score": true}', '{"score": 2}', '{"score": 0.5}', '{"score": NaN}', '{"score": null}',
                        '{"score": 0.9999999999999999}', '{"score": "PASS"}', '{"score": [1]}',
                        '{"score": 1' + "0" * 5000 + "}"],
        "no_verdict": ['{"reasoning": "Same."}', '{"Score": 1}', "1", "The score is 1.", "{'score': 1}", "", " \n ",
                       '{"score": 1, "reasoning": "The ans', '{"a":' * 100_000, "[" * 100_000],
        "ambiguous": ['{"score": 1, "score": 0}', '{"score": 1}\n{"score": 0}', '[{"score": 1}, {"score": 0}]',
                      f'{FENCE}json\n{{"score": 0}}\n{FENCE}\nNo:\n{FENCE}\n{{"score": 1}}\n{FENCE}'],
    }.items()
    for text in texts
]  # fmt: skip
VERDICTS += [(verdict(text, finish_reason="length"), "cut_off") for text in ('{"score": 1}', "Let me think")]
KEPT = {L3: REPLIES + LOGPROBS, EVE: REPLIES + VERDICTS}


@both_judges
def test_a_fault_of_one_row_leaves_it_unscored(judge: str, tmp_path: Path, no_trace: Callable[..., None]) -> None:
    replies, reasons = map(list, zip(*ERRORS_OF_A_ROW, *KEPT[judge], strict=True))
    cache, errors = str(tmp_path / "cache"), len(ERRORS_OF_A_ROW)
    marks = [mark for i in range(len(replies)) for mark in (f"FAULT {i}", f"good {i}")]
    with JudgeServer(faulty(replies)) as server:
        result = ask(judge, server, marks, cache=cache)
        assert len(server.requests) == len(marks)
        again = ask(judge, server, marks, cache=cache)
        # A reply is a reply, whatever it says: what is asked for again is what was none.
        assert len(server.requests) == len(marks) + errors
        third = ask(judge, server, marks, cache=cache, retry_unusable=True)
        assert len(server.requests) == len(marks) + errors + len(replies)
    for one in (result, again, third):
        assert of_rows(one, "reason") == [reason for reason in reasons for reason in (reason, None)]
        assert of_rows(one, "score")[::2] == [None] * len(replies)
        assert of_rows(one, "score")[1::2] == pytest.approx([GOOD[judge]] * len(replies))
        assert all(of_rows(one, "message")[::2])
        assert (one["n_scored"], one["n_failed"]) == (len(replies), len(replies))
        assert sum(one["failures"].values()) == len(replies)
        assert one["lowest"] == pytest.approx(GOOD[judge] / 2)
        assert one["highest"] == pytest.approx((GOOD[judge] + 1) / 2)
    assert again["calls"] == {"sent": errors, "cached": len(marks) - errors}
    json.dumps(result).encode()
    no_trace(result, again)


@both_judges
def test_by_default_a_fault_of_one_row_raises_after_the_batch(judge: str, tmp_path: Path) -> None:
    marks, cache = ("a", "FAULT 0", "FAULT 1", "b"), str(tmp_path / "cache")
    with JudgeServer(faulty([choices([]), Reply(b"?")])) as server:
        first, again = (fails(judge, server, marks, on_error="raise", cache=cache) for _ in range(2))
        assert len(server.requests) == 4 + 1
        server.answer = fitting
        settings = {"on_error": "raise", "cache": cache}
        assert fails(judge, server, marks, **settings).failures == {"no_choices": 1}
        assert ask(judge, server, marks, **settings, retry_unusable=True)["n_scored"] == 4
        assert len(server.requests) == 4 + 1 + 1 + 1
    assert first.failures == again.failures == {"no_choices": 1, "not_json": 1}
    assert first.reason in first.failures
    assert "2 of 4 rows could not be scored" in str(first)
    assert "for 1 replies without a verdict again only with retry_unusable=True" in str(first)
    assert of_rows(first.result, "reason") == [None, "no_choices", "not_json", None]


# Odd replies that hold a verdict all the same.


def formula(yes: float, no: float) -> float:
    """Return the score of two log-probabilities."""
    return math.exp(yes) / (math.exp(yes) + math.exp(no))


ODD_TOKENS: list[tuple[list[tuple[str, float]], float, str]] = [
    ([("Yes", -0.2)], math.exp(-0.2) / (math.exp(-0.2) + 1 - math.exp(-0.2)), "yes_only"),
    ([("no", -6.0), ("No", -2.5), ("Maybe", -3.0), ("yes", -7.0), ("Yes", -0.1)], formula(-0.1, -2.5), "both"),
    ([("Yes", 0.0), ("No", -9999.0)], 1.0, "both"),
    ([("No", 0.0), ("Yes", -9999.0)], 0.0, "both"),
    ([("Yes", 1e-7), ("No", -20.0)], formula(1e-7, -20.0), "both"),
    ([("\n", -0.01), ("Yes", -5.0), (" no ", -6.0)], formula(-5.0, -6.0), "both"),
    *([([(first, -0.01), ("#", -7.0)], 0.0, "neither") for first in ("**", "\n", "<think>", "Yes.", "▁Yes")]),
]
ODD_VERDICTS = [
    f'{FENCE}json\n{{"score": 1, "reasoning": "Same."}}\n{FENCE}',
    'By the rule {a} for [things], \\frac{x}{y}: {"score": "1"} {',
    '[{"result": {"score": 1.0}}]',
    '<think>{"score": 0}? No: {"score": 1}.</think>{"score": 1}',
    '{"score": 1, "reasoning": "half \ud83d, \\ud83d and two\nlines"}',
    "{a} " * 50_000 + '{"score": 1}',
]
PARTS = [{"type": "text", "text": '{"score": '}, {"type": "image"}, {"type": "text", "text": "1}"}]
USAGES: list[Any] = [None, 7, {}, [], {"prompt_tokens": "many"}, {"prompt_tokens": 10**400}]
BESIDE = [{"usage": usage} for usage in USAGES]
BESIDE += [{"model": None}, {"model": 7}, {"model": {}}, {"id": None}, {"error": None}]


def test_an_odd_reply_with_log_probabilities_scores() -> None:
    with JudgeServer(faulty([tokens(pairs) for pairs, _, _ in ODD_TOKENS])) as server:
        result = ask(L3, server, [f"FAULT {i}" for i in range(len(ODD_TOKENS))], max_retries=0)
    assert of_rows(result, "score") == pytest.approx([score for _, score, _ in ODD_TOKENS], abs=1e-12)
    assert of_rows(result, "branch") == [branch for _, _, branch in ODD_TOKENS]
    assert (result["n_neither"], result["failures"]) == (5, {})
    assert all(row["note"] for row in result["per_example"] if row["branch"] == "neither")


@both_judges
def test_an_odd_reply_with_a_verdict_scores(judge: str) -> None:
    good = FITTING[judge == L3]
    replies = [Reply({**good.body, **beside}) for beside in BESIDE]
    replies += [choice(judge, finish_reason=None), replace(good, way="drip", pace=0.0003)]
    replies += [verdict(text) for text in ODD_VERDICTS if judge == EVE]
    replies += [choice(EVE, message={"content": PARTS}) for _ in range(judge == EVE)]
    with JudgeServer(faulty(replies)) as server:
        result = ask(judge, server, [f"FAULT {i}" for i in range(len(replies))], max_retries=0)
        assert len(server.requests) == len(replies)
    assert of_rows(result, "score") == pytest.approx([GOOD[judge]] * len(replies))
    json.dumps(result).encode()


# What errors mean: status, what a provider says, what follows and the reason.

QUOTA = "You exceeded your current quota, please check your plan and billing details."
EXTRA = {"loc": ["body", "foo"], "msg": "Extra inputs are not permitted", "input": {"logprobs": True}}
RATE = "Rate limit reached for model `m` on tokens per minute (TPM). " + "x" * 300 + " Upgrade at https://x/billing"
MEANINGS: list[tuple[int, Any, str, str]] = [
    (400, "input length and `max_tokens` exceed context limit: 199000 + 1024 > 200000", "row", "context_too_long"),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", "row", "context_too_long"),
    (400, "the request exceeds the available context size (4096 tokens)", "row", "context_too_long"),
    (422, {"error": "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 + 1"}, "row", "context_too_long"),
    (422, {"error": "`inputs` must have less than 4095 tokens. Given: 5000"}, "row", "context_too_long"),
    (400, {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error":{"code":'
     '"context_length_exceeded"}}'}}}, "row", "context_too_long"),
    (400, "Could not finish the message because max_tokens or model output limit was reached.", "row", "cut_off"),
    (400, "Content Exists Risk", "row", "content_filter"),
    (400, "Output blocked by content filtering policy", "row", "content_filter"),
    (403, {"error": {"message": "Your input was flagged", "metadata": {"reasons": ["x"]}}}, "row", "content_filter"),
    (403, "Your account has been flagged for suspicious activity.", "stop", "forbidden"),
    (403, "You are not allowed to request logprobs from this model", "stop", "no_logprobs"),
    (400, "This model does not support logprobs.", "stop", "no_logprobs"),
    (400, {"error": {"message": "Unsupported value", "param": "top_logprobs"}}, "stop", "no_logprobs"),
    (422, {"detail": [{"loc": ["body", "top_logprobs"], "msg": "Extra inputs"}]}, "stop", "no_logprobs"),
    (422, {"detail": [EXTRA]}, "stop", "parameter_refused"),
    (400, {"error": {"message": "No.", "param": "temperature"}}, "stop", "parameter_refused"),
    (400, {"error": {"message": "No 'foo'", "code": "unsupported_parameter"}}, "stop", "parameter_refused"),
    (422, {"object": "error", "message": "something odd"}, "row", "bad_request"),
    (400, "Incorrect API key provided: ab***yz.", "stop", "bad_key"),
    (401, {"detail": "Invalid token"}, "stop", "bad_key"),
    (404, "model 'x' not found, try pulling it first", "stop", "no_model"),
    (400, "foo/bar is not a valid model ID", "stop", "no_model"),
    (400, "Unable to access non-serverless model x.", "stop", "no_model"),
    (410, "The model has been retired", "stop", "no_model"),
    (402, "Insufficient Balance", "stop", "quota"),
    (429, {"error": {"message": QUOTA, "code": "insufficient_quota"}}, "stop", "quota"),
    (429, {"code": "exhausted", "error": "Your team reached its monthly spending limit."}, "stop", "quota"),
    (400, "Your credit balance is too low to access the API.", "stop", "quota"),
    (429, "Budget has been exceeded! Current cost: 10.1", "stop", "quota"),
    (429, {"error": {"message": RATE, "code": "rate_limit_exceeded"}}, "again", "rate_limited"),
    (429, QUOTA + " Please retry in 17s.", "again", "rate_limited"),
    (429, "slow down", "again", "rate_limited"),
    (503, "<html>", "again", "server_error"),
    (307, "", "stop", "redirect"),
    (405, "", "stop", "bad_request"),
    (200, {"code": 401, "msg": "invalid token"}, "stop", "bad_key"),
    (200, {"object": "error", "code": 404, "message": "The model does not exist."}, "stop", "no_model"),
    (200, {"error": {"message": QUOTA, "type": "insufficient_quota"}}, "stop", "quota"),
    (200, {"error": {"message": "Overloaded", "code": 529}}, "again", "server_error"),
    (200, {"error": {"type": "rate_limit_error"}}, "again", "rate_limited"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "kind", "reason"), MEANINGS, ids=range(len(MEANINGS)))
def test_what_providers_say_is_understood(status: int, body: Any, kind: str, reason: str) -> None:
    content = json.dumps(body if isinstance(body, dict) else {"error": {"message": body}} if body else {})
    failure = project.functions(L3, "judge_providers").failure_of(status, content.encode())
    assert (failure.kind, failure.reason) == (kind, reason)
    assert failure.message.startswith(f"HTTP {status}")
    assert len(failure.message) < 400
    assert "ab***yz" not in failure.message


# Failures that stop the batch.

STOPS = [
    (error(400, "Unsupported parameter: 'top_k'.", param="top_k"), "parameter_refused"),
    (error(401, f"Incorrect API key provided: {KEY}.", code=KEY, param=KEY), "bad_key"),
    (Reply(f"<p>Bearer {KEY}".encode(), 401, {**HTML, "x-key": KEY}), "bad_key"),
    (Reply(b"<h1>Forbidden</h1>", 403, HTML), "forbidden"),
    (error(404, "The model `judge-1` does not exist.", code="model_not_found"), "no_model"),
    (Reply({"detail": "Not Found"}, 404), "no_model"),
    (error(402, "Insufficient credits.", None), "quota"),
    (error(429, QUOTA, "insufficient_quota", "insufficient_quota"), "quota"),
    (Reply({"error": {"message": f"No such key {KEY}", "code": 401}}), "bad_key"),
    (error(400, "logprobs are not supported with this model.", param="logprobs"), "no_logprobs"),
    *((Reply(b"", status, {"location": "/v2"}), "redirect") for status in (301, 302, 303, 307, 308)),
]


@pytest.mark.parametrize("number", range(len(STOPS)), ids=[f"{r.status}-{reason}" for r, reason in STOPS])
def test_a_failure_that_will_not_pass_stops_the_batch(
    number: int, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    (reply, reason), judge, cache = STOPS[number], JUDGES[number % 2], str(tmp_path / "cache")
    marks, settings = ("a", "FAULT 0", "b", "c"), {"cache": cache, "extra_body": {"top_k": 5}}
    with JudgeServer(faulty([reply])) as server:
        failure = fails(judge, server, marks, on_error=["raise", "skip"][number % 2], max_retries=5, **settings)
        assert len(server.requests) == 2
        server.answer = fitting
        # The first row was paid for and kept.
        assert ask(judge, server, marks, **settings)["calls"] == {"sent": 3, "cached": 1}
    assert failure.reason == reason
    assert failure.failures == {reason: 1, "not_sent": 2}
    assert of_rows(failure.result, "reason") == [None, reason, "not_sent", "not_sent"]
    assert of_rows(failure.result, "score") == [pytest.approx(GOOD[judge]), None, None, None]
    no_trace(failure)


@both_judges
@pytest.mark.parametrize("reply", [error(400, "I do not like any."), choices([]), Reply(b"")], ids=["400", "none", ""])
def test_the_same_failure_of_32_requests_stops_the_batch(judge: str, reply: Reply, tmp_path: Path) -> None:
    settings = {"cache": str(tmp_path / "cache"), "max_concurrency": 4}
    with JudgeServer(reply) as server:
        failure = fails(judge, server, [*map(str, range(50))], **settings)
        assert 32 <= len(server.requests) < 32 + 4
        assert failure.failures[failure.reason] == len(server.requests)
        # From the cache it is the same call with the same end; nothing is paid for to find out.
        sent = len(server.requests)
        assert fails(judge, server, [*map(str, range(50))], **settings).reason == failure.reason
        assert (len(server.requests) == sent) == (reply.status == 200 and reply.body != b"")


def test_a_row_refused_before_the_first_good_reply_is_the_rows_own() -> None:
    with JudgeServer(faulty([error(400, "I do not like this one.")])) as server:
        result = ask(L3, server, ["FAULT 0", *map(str, range(19))], max_concurrency=8)
        assert len(server.requests) == 20
    assert result["failures"] == {"bad_request": 1}


# Failures that pass.

PASSING = [
    (error(408, "Request Timeout", "timeout"), "server_error"),
    (error(409, "Conflict", "conflict"), "server_error"),
    (error(425, "Too Early", "too_early"), "server_error"),
    (error(429, "Rate limit reached for judge-1.", "requests", "rate_limit_exceeded"), "rate_limited"),
    (error(500, "The server had an error.", "server_error"), "server_error"),
    (Reply(b"<html><h1>503 Service Unavailable</h1></html>", 503, HTML), "server_error"),
    (error(529, "Overloaded", "overloaded_error"), "server_error"),
    (Reply({"error": {"message": "Overloaded", "code": 529}}), "server_error"),
    (Reply({"error": {"message": "Slow down", "code": 429}}), "rate_limited"),
    (Reply(way="reset"), "connection"),
    (Reply(way="close"), "connection"),
    (Reply({"choices": "x" * 200}, way="close within"), "connection"),
    (Reply({"choices": "x" * 200}, way="reset within"), "connection"),
    (Reply(b"hello", headers={"content-encoding": "gzip"}), "connection"),
]
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
NO_HTTP = [
    b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    b"HTTP/1.1 OK\r\n\r\n",
    CHUNKED + b"zz\r\n{}\r\n",
    b"HTTP/1.1 200 OK\r\nx: " + b"a" * 100_000,
]


@pytest.fixture(params=["aiohttp", "httpx2"])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have requests sent through aiohttp, or through what the SDK has where that is not installed."""

    class Missing:
        def __init__(self, **settings: Any) -> None:
            raise RuntimeError("To use the aiohttp client you must have installed the package with the `aiohttp` extra")

    if request.param == "httpx2":
        monkeypatch.setattr("openai.DefaultAioHttpClient", Missing)


@both_judges
@pytest.mark.usefixtures("client")
def test_a_failure_that_passes_is_retried_and_one_that_stays_is_unscored(
    judge: str, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    replies, reasons = map(list, zip(*PASSING, strict=True))
    marks = [f"{kind} {i}" for kind in ("FAULT", "ONCE") for i in range(len(replies))]
    with JudgeServer(faulty(replies, once=replies)) as server:
        result = ask(judge, server, marks, max_concurrency=len(marks), cache=str(tmp_path / "cache"))
        assert len(server.requests) == 2 * len(marks)
    assert of_rows(result, "reason") == reasons + [None] * len(replies)
    assert of_rows(result, "score")[: len(replies)] == [None] * len(replies)
    assert of_rows(result, "score")[len(replies) :] == pytest.approx([GOOD[judge]] * len(replies))
    assert of_rows(result, "requests") == [2] * len(marks)
    assert result["calls"] == {"sent": 2 * len(marks), "cached": 0}
    no_trace(result)


@pytest.mark.usefixtures("client")
def test_what_is_no_http_is_unscored(tmp_path: Path, no_trace: Callable[..., None]) -> None:
    """The SDK may try again, or not: a server that speaks something else will do so the next time."""
    with JudgeServer(faulty([Reply(said, way="raw") for said in NO_HTTP])) as server:
        result = ask(L3, server, ["a", *(f"FAULT {i}" for i in range(len(NO_HTTP)))], cache=str(tmp_path / "cache"))
    assert of_rows(result, "reason") == [None] + ["connection"] * len(NO_HTTP)
    assert of_rows(result, "score")[1:] == [None] * len(NO_HTTP)
    no_trace(result)


@both_judges
def test_a_server_that_takes_too_long_is_left(judge: str, no_trace: Callable[..., None]) -> None:
    """Each byte of a drip comes in time for a timeout between bytes: all tries together have to end."""
    ways = [replace(FITTING[judge == L3], way=way, pace=0.03) for way in ("hang", "drip")]  # type: ignore[arg-type]
    limited = error(429, "Slow down", headers={"Retry-After": "100"})
    with JudgeServer(faulty([*ways, limited])) as server:
        marks = ["a", "FAULT 0", "FAULT 1", "FAULT 2"]
        result = ask(judge, server, marks, timeout=1.0, max_retries=0, max_concurrency=4)
        assert len(server.requests) == 4
        # A wait that is longer than the deadline, and one that no client should sit through.
        waiting = ask(judge, server, ["FAULT 2"], timeout=0.2, max_retries=4)
        server.answer = error(429, "Slow down", headers={"Retry-After": "300"})
        refused = ask(judge, server, ["a"], max_retries=5)
        assert len(server.requests) == 6
    assert of_rows(result, "reason") == [None, "timeout", "timeout", "rate_limited"]
    assert waiting["failures"] == refused["failures"] == {"rate_limited": 1}
    no_trace(result)


@both_judges
def test_a_server_that_is_asked_to_wait_for_is_waited_for(judge: str) -> None:
    waits = [{"retry-after-ms": "10"}, {"Retry-After": "soon"}, {"Retry-After": "nan"}]
    once = [error(429, "Slow down", headers=headers) for headers in waits]
    with JudgeServer(faulty([], once=once)) as server:
        assert ask(judge, server, [f"ONCE {i}" for i in range(3)], max_concurrency=3)["n_scored"] == 3
        server.answer = once[0]
        result = ask(judge, server, ["a"], max_retries=4)
    assert (result["failures"], of_rows(result, "requests")) == ({"rate_limited": 1}, [5])


# Servers that are not there.


@both_judges
def test_a_server_that_is_not_there_is_said(judge: str, no_trace: Callable[..., None]) -> None:
    with JudgeServer() as server:
        address = server.url
    begun = time.monotonic()
    failure = fails(judge, address, max_retries=5 if judge == L3 else 1)
    # The waits of the SDK: 0.5, 1, 2, 4 and 8 s at most.
    assert time.monotonic() - begun < 20
    assert failure.reason == "unreachable"
    assert address in str(failure)
    assert failure.failures == {"unreachable": 1, "not_sent": 2}
    assert failure.result["calls"]["sent"] == (6 if judge == L3 else 2)
    no_trace(failure)


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_server_that_dies_in_the_middle_is_noticed(at_once: int, tmp_path: Path) -> None:
    def answer(request: Request, number: int) -> Reply:
        if number == 50:
            server.end()
        return fitting(request)

    with JudgeServer(answer) as server:
        marks, settings = [*map(str, range(200))], {"max_concurrency": at_once, "cache": tmp_path / "cache"}
        failure = fails(L3, server, marks, max_retries=2, **settings)
        sent = len(server.requests)
    assert failure.reason == "unreachable"
    # Those under way are tried again as often as any, and no other row is sent.
    assert sent <= 50 + at_once
    assert failure.result["calls"]["sent"] <= sent + 3 * at_once
    assert failure.result["n_scored"] >= 50 - at_once
    with JudgeServer(port=server.port) as server:
        assert ask(L3, server, marks, **settings)["calls"]["cached"] == failure.result["n_scored"]


@pytest.mark.usefixtures("client")
def test_https_to_a_server_of_plain_http_is_said() -> None:
    for said in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b""):
        with JudgeServer() as server:
            server.unread = said
            failure = fails(L3, server.url.replace("http:", "https:"), max_retries=0)
            assert server.requests == []
        assert failure.reason == "unreachable"
        assert "base_url begins with http://" in str(failure)


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("address", ["http://nobody.invalid/v1", f"http://{'a' * 70}.invalid/v1"])
def test_a_name_that_no_server_has_is_said(address: str) -> None:
    assert fails(L3, address, max_retries=0).reason == "unreachable"


# The key.


@both_judges
@pytest.mark.parametrize("broken", [f"{KEY} {KEY}", f"{KEY}\n{KEY}", f"{KEY}é", f"{KEY}\ud800", f"{KEY}\0", "  ", 5])
def test_a_broken_key_is_refused_unshown_and_unsent(judge: str, broken: Any, no_trace: Callable[..., None]) -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError, match="api_key is no key") as caught:
            ask(judge, server, api_key=broken)
        assert server.requests == []
        ask(judge, server, api_key=f" {KEY}\r\n")
        assert server.keys == {KEY}
    no_trace(caught.value)


@both_judges
def test_a_reply_that_echoes_the_key_does_not_carry_it_on(
    judge: str, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    """Some proxies send requests back, headers and all."""
    body = FITTING[judge == L3].body
    said = body["choices"][0] | ({} if judge == L3 else {"message": says(f'{{"score": 1, "reasoning": "{KEY}"}}')})
    echo = Reply({**body, "model": f"m-{KEY}", "id": KEY, "choices": [said]})
    refused, failed = Reply(completion(says(None, refusal=f"Not with {KEY}"))), Reply({"error": {"message": KEY}})
    shouted = verdict(f"{KEY} is no verdict") if judge == EVE else tokens([(KEY, -0.1)])
    with JudgeServer([echo, refused, failed, shouted]) as server:
        result = ask(judge, server, "abcd", cache=str(tmp_path / "cache"))
        again = ask(judge, server, "abcd", cache=str(tmp_path / "cache"))
    assert of_rows(result, "score")[0] == pytest.approx(GOOD[judge])
    no_trace(result, again)


@both_judges
@pytest.mark.parametrize("key", ["content", "message", "choices", "123456", "ollama", "e", "score"])
def test_a_key_that_is_a_word_changes_no_score_and_no_signature(judge: str, key: str) -> None:
    with JudgeServer() as server:
        plain, keyed = ask(judge, server, "a", api_key=None), ask(judge, server, "a", api_key=key)
    assert (keyed["signature"], keyed["per_example"]) == (plain["signature"], plain["per_example"])
