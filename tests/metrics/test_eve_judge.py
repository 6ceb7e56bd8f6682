"""eve_judge: the accuracy, replies that did not end normally, and the requests that servers get.

Which replies are verdicts is tested in test_replies.py.
"""

from functools import partial
from pathlib import Path

import pytest

from tests.support.judge_server import JudgeServer, make_error, make_verdict
from tests.support.judges import judge_rows, make_columns

PASS = make_verdict('{"score": 1}')

ask = partial(judge_rows, "eve_judge")


def test_the_accuracy_is_the_share_of_passes_among_scored_rows() -> None:
    replies = [
        make_verdict('{"score": 1, "reasoning": "a"}'),
        make_verdict('{"score": 0, "reasoning": "b"}'),
        make_verdict("?"),
    ]
    with JudgeServer(replies) as server:
        result = ask(server, 3, max_concurrency=1, on_error="skip")
    assert result["accuracy"] == 1 / 2
    assert result["passed"] == 1
    assert result["failed"] == 1  # verdicts of 0
    assert result["n_failed"] == 1  # rows without a verdict
    rows = [(row["score"], row["reasoning"], row["reply"]) for row in result["per_example"]]
    texts = [reply.body["choices"][0]["message"]["content"] for reply in replies]
    assert rows == [(1, "a", texts[0]), (0, "b", texts[1]), (None, None, "?")]
    assert type(rows[0][0]) is int


def test_if_one_reference_has_no_verdict_only_a_pass_by_another_counts() -> None:
    verdict_0 = make_verdict('{"score": 0}')
    verdict_1 = make_verdict('{"score": 1}')
    no_verdict = make_verdict('{"score": null}')
    cases = (
        ([no_verdict, verdict_1], 1),
        ([verdict_1, no_verdict], 1),
        ([verdict_0, no_verdict], None),
    )
    for replies, expected in cases:
        with JudgeServer(replies) as server:
            result = ask(
                server,
                make_columns(1) | {"references": [["a", "b"]]},
                max_concurrency=1,
                on_error="skip",
            )
        assert result["per_example"][0]["score"] == expected
        assert result["n_failed"] == (expected is None)


# The finish reasons that servers send, by the reason why a verdict in such a reply does not count;
# under None are those with which it counts.
ENDS = {
    None: (
        "stop",
        "STOP",
        "eos",
        "eos_token",
        "stop_sequence",
        "end_turn",
        "COMPLETE",
        "tool-calls",
        "null",
        "",
        None,
    ),
    "cut_off": ("length", "MAX_TOKENS", "model_length", "model_context_window_exceeded"),
    "content_filter": (
        "content_filter",
        "CONTENT-FILTERED",
        "content_filter: PROHIBITED_CONTENT",
        "SAFETY",
        "SPII",
        "FinishReason.RECITATION",
        "BLOCKLIST",
        "guardrail_intervened",
        "sensitive",
    ),
    "refusal": ("refusal",),
    "unknown_end": ("OTHER", "LANGUAGE", "unstoppable", "length of stay"),
}


@pytest.mark.parametrize("reason", ENDS)
def test_a_verdict_counts_only_if_its_reply_ended_normally(reason: str | None) -> None:
    replies = [make_verdict('{"score": 1}', finish_reason=end) for end in ENDS[reason]]  # type: ignore[arg-type]
    with JudgeServer(replies) as server:
        rows = ask(server, len(replies), max_concurrency=1, on_error="skip")["per_example"]
    for row in rows:
        assert row["reason"] == reason
        assert row["score"] == (None if reason else 1)
    if reason == "unknown_end":
        for row, end in zip(rows, ENDS[reason], strict=True):
            assert str(end) in row["message"]


def test_verdicts_outside_of_json_are_counted_in_a_note() -> None:
    texts = [
        '{"score": 1, "reasoning": "Same."}',
        "{'score': 0, 'reasoning': 'It's another.'}",
        "**Score:** 1",
        "Well.",
    ]
    with JudgeServer([make_verdict(text) for text in texts]) as server:
        result = ask(server, 4, max_concurrency=1, on_error="skip")
        dry = ask(server, 4, dry_run=True)
    rows = [(row["score"], row["reading"], row["reasoning"]) for row in result["per_example"]]
    assert rows == [
        (1, "json", "Same."),
        (0, "key", "It's another."),
        (1, "key", None),
        (None, None, None),
    ]
    assert result["n_by_key"] == 2
    assert result["passed"] == 2
    assert result["failures"] == {"no_verdict": 1}
    assert "|verdicts:json-or-key|" in result["signature"]
    assert dry["signature"].endswith("|verdicts:json-or-key")


REFUSED = make_error(
    400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported."
)


@pytest.mark.parametrize(
    ("provider", "form"),
    [("vllm", "json_schema"), ("deepseek", "json_object"), ("anthropic", None)],
)
def test_structured_output_is_requested_from_providers_that_offer_it(
    provider: str, form: str | None, tmp_path: Path
) -> None:
    with JudgeServer(PASS) as server:
        # The second time the replies to the three rows are read from the cache.
        results = [ask(server, 3, provider=provider, cache=tmp_path / "cache") for _ in range(2)]
        forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert forms == [form] * 3
    assert all(result["signature"].endswith(f"|output:{form or 'text'}") for result in results)


def test_after_a_refusal_of_structured_output_the_server_is_asked_without_it(
    tmp_path: Path,
) -> None:
    with JudgeServer(
        lambda request, n: REFUSED if "response_format" in request.body else PASS
    ) as server:
        result = ask(server, 40, max_concurrency=8, cache=tmp_path / "cache")
        refused = sum("response_format" in request.body for request in server.requests)
        # The refusal is remembered for all rows: only the requests in flight are refused.
        assert 1 <= refused <= 8
        assert len(server.requests) == 40 + refused
        again = ask(server, 40, cache=tmp_path / "cache")
    assert result["accuracy"] == 1.0
    assert result["calls"]["sent"] == 40 + refused
    assert again["calls"]["sent"] == 0
    assert result["signature"].endswith("|output:text")
    assert again["signature"] == result["signature"]


def test_the_request_has_exactly_the_given_parameters() -> None:
    body = {"seed": 7, "response_format": {"type": "text"}}
    with JudgeServer(PASS) as server:
        ask(server, 1, temperature=0.0, max_tokens=None, extra_body=body)
        ask(server, 1)
        ask(
            server,
            1,
            extra_body={"max_tokens": None, "response_format": None, "max_completion_tokens": 9},
        )
        bodies = []
        for request in server.requests:
            settings = dict(request.body)
            del settings["model"], settings["messages"]
            bodies.append(settings)
    assert bodies[0] == {"temperature": 0.0, **body}
    assert bodies[1].pop("response_format")["type"] == "json_schema"
    assert bodies[1] == {"max_tokens": 1024}
    assert bodies[2] == {"max_completion_tokens": 9}
