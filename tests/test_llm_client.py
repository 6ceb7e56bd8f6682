"""What the judges' client makes of what providers say, of odd keys, addresses and caches."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.judge_server import JudgeServer, Reply, error, tokens, verdict
from tests.project import functions, load

client = functions("l3score", "llm_client")
SENT = ("logprobs", "top_logprobs", "max_tokens")

# status, body, what follows and the reason; the words are those of the providers.
ERRORS: list[tuple[int, Any, str, str]] = [
    (400, {"error": {"message": "This model's maximum context length is 8192 tokens. "
     "However, your messages had 9000.", "code": "context_length_exceeded", "param": "messages"}},
     "row", "context_too_long"),
    (400, {"error": {"message": "This model's maximum context length is 4096 tokens. "
     "However, your request has 5120.", "param": "input_tokens"}}, "row", "context_too_long"),
    (400, {"error": {"message": "input length and `max_tokens` exceed context limit: 199000 + 1024 > 200000"}},
     "row", "context_too_long"),
    (400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}, "row", "context_too_long"),
    (400, {"error": "This model's maximum prompt length is 131072 but the request contains 200000 tokens."},
     "row", "context_too_long"),
    (422, {"error": {"message": "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 + 1"}},
     "row", "context_too_long"),
    (422, {"error": "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000"},
     "row", "context_too_long"),
    (400, {"error": {"message": "the request exceeds the available context size"}}, "row", "context_too_long"),
    (413, "Request Entity Too Large", "row", "context_too_long"),
    (400, {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error":{"code":'
    '"context_length_exceeded"}}'}}}, "row", "context_too_long"),
    (400, {"error": {"message": "Could not finish the message because max_tokens or model output limit was reached."}},
     "row", "cut_off"),
    (400, {"error": {"message": "Content Exists Risk"}}, "row", "content_filter"),
    (400, {"error": {"message": "Output blocked by content filtering policy"}}, "row", "content_filter"),
    (400, {"error": {"message": "Your input was flagged.", "code": "invalid_prompt", "param": "prompt"}},
     "row", "content_filter"),
    (403, {"error": {"message": "Your input was flagged", "metadata": {"reasons": ["x"]}}}, "row", "content_filter"),
    (403, {"error": {"message": "Your account has been flagged for suspicious activity."}}, "stop", "forbidden"),
    (403, "<html>Blocked for your online safety</html>", "stop", "forbidden"),
    (403, {"error": {"message": "You are not allowed to request logprobs from this model"}}, "stop", "no_logprobs"),
    (400, {"error": {"message": "logprobs are not supported with reasoning models.", "param": "logprobs"}},
     "stop", "no_logprobs"),
    (400, {"error": {"message": "Unsupported value: 'temperature' does not support 0", "param": "temperature"}},
     "stop", "parameter_refused"),
    (400, {"error": {"message": "Unsupported parameter: 'max_tokens'", "code": "unsupported_parameter"}},
     "stop", "parameter_refused"),
    (422, {"detail": [{"loc": ["body", "top_logprobs"], "msg": "Extra inputs are forbidden"}]},
     "stop", "no_logprobs"),
    (422, {"detail": [{"loc": ["body", "foo"], "msg": "Extra inputs are not permitted", "input": {"logprobs": True}}]},
     "stop", "parameter_refused"),
    (422, {"object": "error", "message": "something odd"}, "doubt", "bad_request"),
    (400, "Incorrect API key provided: ab***yz.", "stop", "bad_key"),
    (401, {"detail": "Invalid token"}, "stop", "bad_key"),
    (404, {"error": {"message": "model 'x' not found, try pulling it first"}}, "stop", "no_model"),
    (400, {"error": {"message": "foo/bar is not a valid model ID"}}, "stop", "no_model"),
    (400, {"error": {"message": "Unable to access non-serverless model x."}}, "stop", "no_model"),
    (402, {"error": {"message": "Insufficient Balance"}}, "stop", "quota"),
    (429, {"error": {"message": "You exceeded your current quota, please check your plan and billing details.",
    "code": "insufficient_quota"}}, "stop", "quota"),
    (429, {"code": "Some resource has been exhausted", "error": "Your team x has either used all available credits or "
    "reached its monthly spending limit."}, "stop", "quota"),
    (400, {"error": {"message": "Your credit balance is too low to access the API."}}, "stop", "quota"),
    (400, {"error": {"message": "You have reached your specified API usage limits."}}, "stop", "quota"),
    (429, {"error": {"message": "Budget has been exceeded! Current cost: 10.1"}}, "stop", "quota"),
    (429, {"error": {"message": "Rate limit reached for model `m` on tokens per minute (TPM): Limit 6000. " + "x" * 300
    + " Upgrade today at https://console.example/settings/billing", "code": "rate_limit_exceeded"}},
     "again", "rate_limited"),
    (429, {"error": {"message": "You exceeded your current quota, please check your plan and billing. "
    "Please retry in 17s."}}, "again", "rate_limited"),
    (429, "slow down", "again", "rate_limited"),
    (408, "", "again", "server_error"),
    (529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}, "again", "server_error"),
    (503, "<html>", "again", "server_error"),
    (307, "", "stop", "redirect"),
    (410, {"error": {"message": "The model has been retired"}}, "stop", "no_model"),
    (405, "", "stop", "bad_request"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "kind", "reason"), ERRORS, ids=[str(i) for i in range(len(ERRORS))])
def test_what_providers_say_is_understood(status: int, body: Any, kind: str, reason: str) -> None:
    failure = client.failure_of(status, body, SENT)
    assert (failure.kind, failure.reason) == (kind, reason)
    assert failure.message.startswith(f"HTTP {status}")
    assert len(failure.message) < 400
    assert "ab***yz" not in failure.message


def test_an_error_without_words_is_its_status() -> None:
    assert client.failure_of(500, {"error": {"message": "", "type": "server_error"}}).message == "HTTP 500"
    assert client.failure_of(500, {"ok": False}).message == 'HTTP 500: {"ok": false}'


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 +99999999999999"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({}, None),
    ],
)
def test_retry_after_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert client.retry_after(headers) == seconds


def test_the_wait_before_a_request_is_sent_again_doubles_up_to_eight_seconds() -> None:
    for retries, most in enumerate([0.5, 1, 2, 4, 8, 8, 8]):
        waits = [client.backoff(retries) for _ in range(50)]
        assert 0.75 * most <= min(waits) < max(waits) <= most


KEY = "sk-geheim/0123+456789abcdef"
GOOD = [("Yes", -0.1), ("No", -3.0), ("I", -5.0), ("The", -6.0), ("A", -7.0)]


def ask(judge: str, server: JudgeServer, rows: int = 1, **settings: Any) -> dict[str, Any]:
    """Return the result for some rows."""
    columns = {name: [f"{name} {i}" for i in range(rows)] for name in ("questions", "predictions", "references")}
    fixed = {"model": "judge-1", "base_url": server.url, "cache": False, "progress": False, "per_example": True}
    return dict(load(judge).compute(**{**columns, **fixed, **settings}))


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps({"score": 1, "reasoning": f"The key is {KEY}."}),
        json.dumps({"score": 1, "reasoning": f"The key is {KEY}."}).replace("/", "\\/"),
        json.dumps({"score": 1, "reasoning": f"The key begins {KEY[:20]}"}),
        json.dumps({"score": 1, "reasoning": KEY.upper()}),
        json.dumps({"score": 1, "reasoning": "sk-geheim%2F0123%2B456789abcdef"}),
        '{"score": 1, "reasoning": "' + "".join(f"\\u{ord(c):04x}" for c in KEY) + '"}',
        [{"type": "text", "text": '{"score": 1, "reasoning": "' + KEY[:9]}, {"type": "text", "text": KEY[9:] + '"}'}],
    ],
    ids=["plain", "slashes", "half", "capitals", "percent", "escaped", "parts"],
)
def test_a_reply_that_shows_the_key_is_kept_without_it(reply: Any, tmp_path: Path) -> None:
    with JudgeServer(verdict(reply)) as server:
        result = ask("eve_judge", server, api_key=KEY, cache=tmp_path / "c.sqlite")
    assert result["accuracy"] == 1.0
    kept = json.dumps(result).lower()
    assert "[key]" in kept
    assert not any(part in kept for part in (KEY, KEY[:12], KEY[-12:], "geheim%2f0123"))
    if "\\u" not in str(reply) and "\\/" not in str(reply):
        stored = b"".join(path.read_bytes() for path in tmp_path.glob("c.sqlite*"))
        assert KEY[:12].encode() not in stored


@pytest.mark.parametrize("judge", ["l3score", "eve_judge"])
@pytest.mark.parametrize(
    "key", ["content", "message", "choices", "logprob", "tokens", "123456", "ollama", "e", "score"]
)
def test_a_key_that_is_a_word_changes_no_score_and_no_signature(judge: str, key: str, tmp_path: Path) -> None:
    pairs = [("Yes", -0.1234567), *GOOD[1:]]
    reply = tokens(pairs) if judge == "l3score" else verdict('{"score": 1, "reasoning": "fine"}')
    with JudgeServer(reply) as server:
        plain = ask(judge, server)
        keyed = ask(judge, server, api_key=key, cache=tmp_path / "c.sqlite")
        again = ask(judge, server, api_key=key, cache=tmp_path / "c.sqlite")
        asked = len(server.requests)
    assert (keyed["signature"], keyed["per_example"][0]["score"]) == (
        plain["signature"],
        plain["per_example"][0]["score"],
    )
    assert (again["calls"]["cached"], asked) == (1, 2)


def test_what_stands_in_a_signature_is_not_cut_and_not_secret() -> None:
    with JudgeServer(tokens(GOOD)) as server:
        long, stop = {"a": "x" * 2000, "seed": 1}, {"stop": ["</s>"]}
        signatures = [
            ask("l3score", server, extra_body=body)["signature"]
            for body in (stop, {"stop": ["<eos>"]}, long, {**long, "seed": 2}, {"api_key": "sk-other"})
        ]
    assert len(set(signatures)) == 5
    assert "sk-other" not in signatures[4]
    assert not any("\n" in signature for signature in signatures)


def test_a_setting_in_the_wrong_place_shows_no_key() -> None:
    with JudgeServer() as server, pytest.raises(ValueError, match="what looks like a key") as caught:
        ask("l3score", server, provider="sk-proj-abcdef")
    assert "abcdef" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://h:abc/v1", "http://h:99999/v1", "http://", "ftp://h/v1", "h/v1", "http://h:0"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with JudgeServer() as server, pytest.raises(ValueError, match="base_url is"):
        ask("l3score", server, base_url=address)


@pytest.mark.parametrize("stored", ["{}", '{"choices": 7}', '{"choices": [{}]}', "[]", "null", "no JSON", "\x00"])
def test_what_is_no_reply_in_the_cache_is_asked_again(stored: str, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with JudgeServer(tokens(GOOD)) as server:
        ask("l3score", server, cache=path)
        with sqlite3.connect(path) as database:
            database.execute("UPDATE replies SET reply = ?", (stored,))
        assert ask("l3score", server, cache=path, dry_run=True)["calls"] == 1
        assert ask("l3score", server, cache=path)["calls"] == {"sent": 1, "cached": 0}
        assert ask("l3score", server, cache=path)["calls"] == {"sent": 0, "cached": 1}


def test_the_form_of_output_is_part_of_what_is_remembered(tmp_path: Path) -> None:
    with JudgeServer(verdict('{"score": 1}')) as server:
        first = ask("eve_judge", server, cache=tmp_path / "c.sqlite")
        other = ask("eve_judge", server, cache=tmp_path / "c.sqlite", provider="anthropic")
    assert (first["calls"]["sent"], other["calls"]["sent"]) == (1, 1)
    assert first["signature"].endswith("|output:json_schema")
    assert other["signature"].endswith("|output:text")


def test_a_locked_cache_makes_no_reply_late(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with JudgeServer(lambda request, number: tokens(GOOD, delay=0.05 * (number % 5))) as server:
        ask("l3score", server, cache=path)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            result = ask("l3score", server, rows=40, cache=path, timeout=1, max_retries=0, max_concurrency=8)
        finally:
            holder.close()
        assert (result["n_scored"], len(result["notes"])) == (40, 2)
        assert "could not be stored" in result["notes"][1]
        assert ask("l3score", server, rows=40, cache=path)["calls"]["cached"] == 1


def test_a_refusal_before_the_first_good_reply_is_the_rows_own_when_one_follows() -> None:
    def answer(request: Any, number: int) -> Reply:
        odd = "predictions 3" in request.prompt
        return error(400, "I do not like this one.") if odd else tokens(GOOD, delay=0.2)

    with JudgeServer(answer) as server:
        result = ask("l3score", server, rows=20, max_concurrency=8, on_error="skip")
        assert len(server.requests) == 20
    assert (result["n_scored"], result["failures"]) == (19, {"bad_request": 1})


def test_a_refusal_of_every_row_stops_after_those_in_flight() -> None:
    with JudgeServer(error(400, "I do not like any.")) as server:
        with pytest.raises(RuntimeError, match=r"stopped \(bad_request\)"):
            ask("l3score", server, rows=50, max_concurrency=4)
        assert len(server.requests) <= 4


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 203}, {"input": 100, "output": 103}),
        ({"prompt_tokens": 100.0, "completion_tokens": 9}, {"input": 100, "output": 9}),
        ({"prompt_tokens": 100, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 900}}, None),
    ],
)
def test_tokens_are_counted_as_providers_report_them(usage: Any, expected: dict[str, int] | None) -> None:
    with JudgeServer(tokens(GOOD, usage=usage)) as server:
        result = ask("l3score", server, model="gpt-4o-mini")
    assert result["tokens"] == (expected or {"input": 100, "output": 9})
    if sys.version_info >= (3, 11):  # genai-prices needs it
        assert result["Cost"] > 0


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": 10**400, "completion_tokens": 1}]
)
def test_without_a_count_of_tokens_the_cost_is_not_known(usage: Any) -> None:
    with JudgeServer(tokens(GOOD, usage=usage, model=None)) as server:
        result = ask("l3score", server, model="gpt-4o-mini")
    assert (result["Cost"], result["n_scored"]) == (None, 1)
    assert "no tokens for 1 replies" in result["notes"][0]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"code": 401, "msg": "invalid token"}, "bad_key"),
        ({"object": "error", "code": 404, "message": "The model does not exist."}, "no_model"),
        ({"error": {"code": 402, "message": "Insufficient credits"}}, "quota"),
    ],
)
def test_an_error_that_comes_as_a_success_stops_all_the_same(body: Any, reason: str) -> None:
    with JudgeServer(Reply(body)) as server:
        with pytest.raises(RuntimeError, match=rf"stopped \({reason}\)"):
            ask("l3score", server, rows=9, max_concurrency=2)
        assert len(server.requests) <= 2
