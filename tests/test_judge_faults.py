"""l3score and eve_judge against a server that does everything wrong: each fault is unscored with its reason, never 0.

Every case goes over the wire to tests/judge_server.py. Rows marked FAULT get the fault, the others a good reply.
"""

import json
import logging
import math
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tests import project
from tests.judge_server import (
    FITTING,
    Answer,
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
SCORE = {L3: "L3Score", EVE: "accuracy"}
# What the good replies of the server score.
GOOD = {L3: math.exp(-0.1) / (math.exp(-0.1) + math.exp(-2.5)), EVE: 1}
CODES = set(
    "bad_key forbidden no_model parameter_refused no_logprobs quota redirect unreachable bad_request rate_limited "
    "server_error connection timeout context_too_long content_filter refusal cut_off no_choices no_content "
    "logprobs_missing logprobs_malformed not_json error_in_reply no_verdict bad_verdict ambiguous not_sent".split()
)
LOGGERS = ("", "openai", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "aiohttp.client", "asyncio", "evaluate")


@dataclass(frozen=True)
class Case:
    """What the server answers to a row marked FAULT, and what becomes of it. only: the judge it concerns."""

    name: str
    reply: Reply
    reason: str = ""
    score: float = math.nan
    only: str = ""
    branch: str = ""


def each(cases: list[Case]) -> pytest.MarkDecorator:
    """Return the parameters of a test: every case for every judge it concerns."""
    return pytest.mark.parametrize(
        ("judge", "case"),
        [
            pytest.param(judge, case, id=f"{judge}-{case.name}")
            for case in cases
            for judge in JUDGES
            if case.only in ("", judge)
        ],
    )


@lru_cache
def metric(judge: str) -> Any:
    """Return a judge as a user loads it, but for a shorter wait before it asks again."""
    scorer = project.load(judge)
    sys.modules[type(scorer).__module__.rpartition(".")[0] + ".llm_client"].BACKOFF_SECONDS = 0.02  # type: ignore[attr-defined]
    return scorer


def rows(*marks: str) -> dict[str, list[str]]:
    """Return three columns, a row for each mark."""
    return {
        "questions": [f"Question {number}?" for number in range(len(marks))],
        "predictions": [f"An answer {mark}" for mark in marks],
        "references": [f"The reference {number}" for number in range(len(marks))],
    }


def ask(judge: str, server: JudgeServer | str, *marks: str, **settings: Any) -> Any:
    """Return the result of judging rows so marked, one request after the other unless told otherwise."""
    given = {"model": "judge-1", "api_key": KEY, "base_url": getattr(server, "url", server), "cache": False}
    given |= {"timeout": 20.0, "max_retries": 1, "max_concurrency": 1, "progress": False, "per_example": True}
    return metric(judge).compute(**rows(*marks), **{**given, **settings})


def fails(judge: str, server: JudgeServer | str, *marks: str, **settings: Any) -> Any:
    """Return the JudgeError that judging ends with."""
    with pytest.raises(RuntimeError) as caught:
        ask(judge, server, *marks, **settings)
    assert type(caught.value).__name__ == "JudgeError", caught.value
    return caught.value


def scores(result: Any) -> list[float | None]:
    """Return the rows' scores; what the good reply scores, within the last digits, as GOOD has it."""
    found = [row["score"] for row in result["per_example"]]
    return [next((want for want in GOOD.values() if score == pytest.approx(want)), score) for score in found]


def reasons(result: Any) -> list[str | None]:
    """Return the rows' reason codes."""
    return [row["reason"] for row in result["per_example"]]


def to_faults(reply: Reply) -> Answer:
    """Answer rows marked FAULT with this, every other as it asks for."""
    return lambda request, number: reply if "FAULT" in request.prompt else fitting(request)


def good(judge: str) -> Reply:
    """Return the server's good reply for a judge."""
    return FITTING[judge == L3]


def changed(judge: str, **choice: Any) -> Reply:
    """Return the good reply with other values in its choice."""
    body = good(judge).body
    return Reply({**body, "choices": [{**body["choices"][0], **choice}]})


def choices(value: Any) -> Reply:
    """Return a completion with these choices."""
    return Reply(completion(says("Yes"), choices=value))


def without(key: str) -> Reply:
    """Return a completion that lacks a key."""
    return Reply({name: value for name, value in completion(says("Yes")).items() if name != key})


def told(failure: BaseException | None) -> Iterator[str]:
    """Yield everything that an error and what led to it say."""
    while failure is not None:
        yield from (str(failure), repr(failure), repr(failure.args), "".join(traceback.format_exception(failure)))
        yield from held(failure.__dict__, 0)
        if failure.__cause__ is not None and failure.__context__ is not failure.__cause__:
            yield from told(failure.__context__)
        failure = failure.__cause__ or failure.__context__


def held(value: Any, depth: int) -> Iterator[str]:
    """Yield every text that can be reached from a value by its keys, items and attributes."""
    if isinstance(value, str | bytes):
        yield value if isinstance(value, str) else value.decode("utf-8", "replace")
    elif depth < 10:
        inside = value.items() if hasattr(value, "items") else value if isinstance(value, list | tuple | set) else ()
        for item in [*inside, *getattr(value, "__dict__", {}).values()]:
            yield from held(item, depth + 1)


def parts(key: str) -> set[str]:
    """Return the parts of a key that give it away."""
    secret = key.removeprefix("sk-proj-")
    return {secret[start : start + 8] for start in range(len(secret) - 7)}


@pytest.fixture
def no_trace(caplog: pytest.LogCaptureFixture, capfd: Any, tmp_path: Path) -> Callable[..., None]:
    """Return the function that finds the key in errors, results, logs, what was printed and the files written."""
    for name in LOGGERS:
        caplog.set_level(logging.DEBUG, logger=name or None)

    def check(*seen: Any, key: str = KEY) -> None:
        texts = [
            text for value in seen for text in (told(value) if isinstance(value, BaseException) else [repr(value)])
        ]
        texts += [record.getMessage() + repr(record.__dict__) for record in caplog.records]
        texts += capfd.readouterr()
        texts += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
        assert not [text for text in texts for part in parts(key) if part in text]

    return check


def test_the_search_for_a_key_finds_it(no_trace: Callable[..., None], tmp_path: Path) -> None:
    deep = ValueError("nothing here")
    deep.__context__ = RuntimeError("harmless", {"headers": [f"Bearer {KEY}"]})
    for seen in (deep, {"key": KEY[10:20]}):
        with pytest.raises(AssertionError):
            no_trace(seen)
    no_trace(ValueError("nothing here"), {"key": KEY[:7]})
    (tmp_path / "file").write_text(f"... {KEY}")
    with pytest.raises(AssertionError):
        no_trace()
    (tmp_path / "file").unlink()
    logging.getLogger("openai").debug("sent %s", KEY)
    with pytest.raises(AssertionError):
        no_trace()


# Failures of one row: they are not asked for again, and the rest of the batch goes on.

FENCE = "```"
NONE_LISTED: dict[str, Any] = {"token": "Yes", "logprob": -0.1, "bytes": None}
TOO_LONG = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5120 tokens."
FILTERED = "The response was filtered due to the prompt triggering the content management policy."
MODERATED = 'judge-1 requires moderation. Your input was flagged for "violence".'


def logprobs(value: Any) -> Reply:
    """Return a reply whose choice has these logprobs."""
    return changed(L3, logprobs=value)


ROW_FAULTS = [
    Case(
        "400 context too long",
        error(400, TOO_LONG, code="context_length_exceeded", param="messages"),
        "context_too_long",
    ),
    Case("400 context too long, in words only", error(400, TOO_LONG, "BadRequestError"), "context_too_long"),
    Case(
        "400 prompt is too long",
        error(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        "context_too_long",
    ),
    Case(
        "400 of llama.cpp",
        error(
            400, "request (5120 tokens) exceeds the available context size (4096 tokens)", "exceed_context_size_error"
        ),
        "context_too_long",
    ),
    Case("413 too long", error(413, "Request too large: maximum context length exceeded"), "context_too_long"),
    Case("400 content filter", error(400, FILTERED, None, "content_filter", "prompt"), "content_filter"),
    Case("403 moderation", error(403, MODERATED, None), "content_filter"),
    Case("400 without a word why", error(400, "The request is not good."), "bad_request"),
    Case("422 without a word why", error(422, "Unprocessable Entity"), "bad_request"),
    Case("400 with HTML", Reply(b"<h1>Bad Request</h1>", 400, {"content-type": "text/html"}), "bad_request"),
    Case("200 with HTML", Reply(b"<html>Welcome</html>", headers={"content-type": "text/html"}), "not_json"),
    Case("200 with HTML called JSON", Reply(b"<html>Welcome</html>"), "not_json"),
    Case("200 with an empty body", Reply(b""), "not_json"),
    Case("200 with a list", Reply([completion(says("Yes"))]), "not_json"),
    Case("200 with null", Reply(b"null"), "not_json"),
    Case("200 with half an object", Reply(b'{"choices": [{"index": 0, "mess'), "not_json"),
    Case("200 with bytes that are not UTF-8", Reply(b'{"choices": "\xff\xfe"}'), "not_json"),
    Case("200 with an error object", Reply({"error": {"message": "Something went wrong."}}), "error_in_reply"),
    Case("200 with an error text", Reply({"error": "Something went wrong."}), "error_in_reply"),
    Case(
        "200 with an error object and null choices",
        Reply({"error": {"message": "Odd."}, "choices": None}),
        "error_in_reply",
    ),
    Case(
        "200 with an error object, context too long",
        Reply({"error": {"message": TOO_LONG, "code": "context_length_exceeded"}}),
        "context_too_long",
    ),
    Case("no choices", choices([]), "no_choices"),
    Case("choices missing", without("choices"), "no_choices"),
    Case("null choices", choices(None), "no_choices"),
    Case("content null", verdict(None), "no_content", only=EVE),
    Case("content null", changed(L3, message=says(None)), "no_content", only=L3),
    Case("content missing", changed(L3, message={"role": "assistant"}), "no_content"),
    Case("refusal", verdict(None, refusal="I cannot help with that."), "refusal"),
    Case("refusal and content", changed(L3, message=says("", refusal="I cannot help with that.")), "refusal", only=L3),
    Case("content filter", verdict("", finish_reason="content_filter"), "content_filter"),
    Case("content filter in mid-verdict", changed(EVE, finish_reason="content_filter"), "content_filter", only=EVE),
    Case("content filter after the token", changed(L3, finish_reason="content_filter"), "content_filter", only=L3),
    Case("cut off", verdict('{"score": 1, "reasoning": "The ans', finish_reason="length"), "cut_off", only=EVE),
    Case("cut off before a verdict", verdict("Let me think", finish_reason="length"), "cut_off", only=EVE),
    # The log-probabilities.
    Case("logprobs missing", verdict("Yes"), "logprobs_missing", only=L3),
    Case(
        "logprobs not even named",
        Reply(completion(says("Yes"), choices=[{"message": says("Yes")}])),
        "logprobs_missing",
        only=L3,
    ),
    Case("logprobs null inside", logprobs({"content": None, "refusal": None}), "logprobs_missing", only=L3),
    Case("logprobs empty", logprobs({"content": [], "refusal": None}), "logprobs_missing", only=L3),
    Case("logprobs an empty object", logprobs({}), "logprobs_missing", only=L3),
    Case("logprobs without top list", logprobs({"content": [NONE_LISTED]}), "logprobs_missing", only=L3),
    Case(
        "logprobs with null for top list",
        logprobs({"content": [{**NONE_LISTED, "top_logprobs": None}]}),
        "logprobs_missing",
        only=L3,
    ),
    Case(
        "logprobs with an empty top list",
        logprobs({"content": [{**NONE_LISTED, "top_logprobs": []}]}),
        "logprobs_missing",
        only=L3,
    ),
    Case("null values", tokens([("Yes", None), ("No", None)]), "logprobs_malformed", only=L3),
    Case("one null value", tokens([("Yes", -0.1), ("No", None)]), "logprobs_malformed", only=L3),
    Case("NaN values", tokens([("Yes", math.nan), ("No", math.nan)]), "logprobs_malformed", only=L3),
    Case("one NaN value", tokens([("Yes", -0.1), ("No", math.nan)]), "logprobs_malformed", only=L3),
    Case(
        "NaN for another token",
        tokens([("Yes", -0.1), ("No", -2.5), ("Maybe", math.nan)]),
        "logprobs_malformed",
        only=L3,
    ),
    Case("a text for a value", tokens([("Yes", "-0.1"), ("No", -2.5)]), "logprobs_malformed", only=L3),
    Case("true for a value", tokens([("Yes", True), ("No", -2.5)]), "logprobs_malformed", only=L3),
    Case("a probability for a value", tokens([("Yes", 0.92), ("No", 0.08)]), "logprobs_malformed", only=L3),
    Case("infinite", tokens([("Yes", math.inf), ("No", -2.5)]), "logprobs_malformed", only=L3),
    Case(
        "a list of texts",
        logprobs({"content": [{**NONE_LISTED, "top_logprobs": ["Yes", "No"]}]}),
        "logprobs_malformed",
        only=L3,
    ),
    Case("a token that is no text", tokens([(7, -0.1), ("No", -2.5)]), "logprobs_malformed", only=L3),
    Case("-9999 for both", tokens([("Yes", -9999.0), ("No", -9999.0)]), "logprobs_malformed", only=L3),
    Case(
        "-9999 for all", tokens([("Yes", -9999.0), ("No", -9999.0), ("Maybe", -9999.0)]), "logprobs_malformed", only=L3
    ),
    Case(
        "two choices that disagree",
        choices([c for r in (FITTING[True], tokens([("No", -0.1), ("Yes", -2.5)])) for c in r.body["choices"]]),
        "ambiguous",
        only=L3,
    ),
    # The verdicts.
    Case(
        "two choices that disagree",
        choices([c for text in ('{"score": 1}', '{"score": 0}') for c in verdict(text).body["choices"]]),
        "ambiguous",
        only=EVE,
    ),
]
VERDICT_FAULTS = {
    "true": ('{"score": true}', "bad_verdict"),
    "false": ('{"score": false}', "bad_verdict"),
    "2": ('{"score": 2}', "bad_verdict"),
    "0.5": ('{"score": 0.5}', "bad_verdict"),
    "-1": ('{"score": -1}', "bad_verdict"),
    "nearly 1": ('{"score": 0.9999999999999999}', "bad_verdict"),
    "NaN": ('{"score": NaN}', "bad_verdict"),
    "Infinity": ('{"score": Infinity}', "bad_verdict"),
    "null": ('{"score": null}', "bad_verdict"),
    "an empty text": ('{"score": ""}', "bad_verdict"),
    "PASS": ('{"score": "PASS"}', "bad_verdict"),
    "a list inside": ('{"score": [1]}', "bad_verdict"),
    "an object inside": ('{"score": {"value": 1}}', "bad_verdict"),
    "5,000 digits": ('{"score": 1' + "0" * 5000 + "}", "bad_verdict"),
    "missing": ('{"reasoning": "It says the same."}', "no_verdict"),
    "under another name": ('{"Score": 1}', "no_verdict"),
    "bare": ("1", "no_verdict"),
    "in a bare list": ("[1]", "no_verdict"),
    "in words": ("The score is 1.", "no_verdict"),
    "single quotes": ("{'score': 1}", "no_verdict"),
    "no quotes": ("{score: 1}", "no_verdict"),
    "half an object": ('{"score": 1, "reasoning": "The ans', "no_verdict"),
    "empty": ("", "no_verdict"),
    "blank": (" \n ", "no_verdict"),
    "only in a text": ('{"reasoning": "I would say {\\"score\\": 1}"}', "no_verdict"),
    "nested too deep": ('{"a":' * 100_000, "no_verdict"),
    "lists nested too deep": ("[" * 100_000, "no_verdict"),
    "duplicate keys": ('{"score": 1, "score": 0}', "ambiguous"),
    "two that disagree": ('{"score": 1}\n{"score": 0}', "ambiguous"),
    "fenced, two that disagree": (
        f'{FENCE}json\n{{"score": 0}}\n{FENCE}\nNo:\n{FENCE}\n{{"score": 1}}\n{FENCE}',
        "ambiguous",
    ),
    "nested, two that disagree": ('{"score": 1, "second": {"score": 0}}', "ambiguous"),
    "a list, two that disagree": ('[{"score": 1}, {"score": 0}]', "ambiguous"),
}
ROW_FAULTS += [Case(f"verdict {name}", verdict(text), why, only=EVE) for name, (text, why) in VERDICT_FAULTS.items()]


@each(ROW_FAULTS)
def test_a_fault_of_one_row_leaves_it_unscored(
    judge: str, case: Case, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    with JudgeServer(to_faults(case.reply)) as server:
        run = partial(ask, judge, server, "a", "FAULT", "b", cache=str(tmp_path / "cache"))
        result = run(on_error="skip")
        assert len(server.requests) == 3
        again = run(on_error="skip")
        # What was good is not paid for twice, what was not is asked for again.
        assert len(server.requests) == 4
    assert scores(result) == [GOOD[judge], None, GOOD[judge]]
    assert reasons(result) == [None, case.reason, None]
    assert result["per_example"][1]["message"]
    assert result["failures"] == again["failures"] == {case.reason: 1}
    assert (result["n_scored"], result["n_failed"]) == (2, 1)
    assert result[SCORE[judge]] == pytest.approx(GOOD[judge])
    assert result["lowest"] == pytest.approx(2 * GOOD[judge] / 3)
    assert result["highest"] == pytest.approx((2 * GOOD[judge] + 1) / 3)
    assert (result["calls"], again["calls"]) == ({"sent": 3, "cached": 0}, {"sent": 1, "cached": 2})
    no_trace(result, again)


@each(
    [case for case in ROW_FAULTS if case.name in ("no choices", "refusal", "200 with HTML", "400 without a word why")]
)
def test_by_default_a_fault_of_one_row_raises_after_the_batch(
    judge: str, case: Case, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    with JudgeServer(to_faults(case.reply)) as server:
        failure = fails(judge, server, "a", "FAULT", "b", cache=str(tmp_path / "cache"))
        assert len(server.requests) == 3
        assert fails(judge, server, "a", "FAULT", "b", cache=str(tmp_path / "cache")).failures == {case.reason: 1}
        assert len(server.requests) == 4
        server.answer = fitting
        # The fault is gone: the third run pays for that one row.
        assert ask(judge, server, "a", "FAULT", "b", cache=str(tmp_path / "cache"))["n_scored"] == 3
        assert len(server.requests) == 5
    assert (failure.reason, failure.failures) == (case.reason, {case.reason: 1})
    assert "1 of 3" in str(failure)
    assert reasons(failure.result) == [None, case.reason, None]
    no_trace(failure)


ODD_CHOICES: list[dict[str, Any]] = [
    {"message": None},
    {"message": "Yes"},
    {"message": {"role": "assistant", "content": 7}},
]
ODD_CHOICES += [
    {"message": []},
    {"logprobs": "none"},
    {"logprobs": {"content": {}}},
    {"logprobs": {"content": ["Yes"]}},
]
ODD_USAGES: list[Any] = [None, 7, {}, {"prompt_tokens": "many"}, []]
ODD_LISTS: list[Any] = [[None], 7, {}, ["Yes"], "Yes"]
ODD_BESIDE: list[dict[str, Any]] = [{"usage": usage} for usage in ODD_USAGES]
ODD_BESIDE += [
    {"model": None},
    {"model": 7},
    {"model": {}},
    {"id": None},
    {"created": "now"},
    {"system_fingerprint": 7},
]


@pytest.mark.parametrize("judge", JUDGES)
def test_shapes_that_no_server_should_send_are_unscored_or_scored_but_never_zero(judge: str) -> None:
    broken = [changed(judge, **choice) for choice in ODD_CHOICES] + [*map(choices, ODD_LISTS)]
    replies = broken + [Reply({**good(judge).body, **beside}) for beside in ODD_BESIDE]
    with JudgeServer(replies) as server:
        result = ask(judge, server, *map(str, range(len(replies))), on_error="skip")
        assert len(server.requests) == len(replies)
    for row, score in zip(result["per_example"], scores(result), strict=True):
        assert score == GOOD[judge] or (score is None and row["reason"] in CODES)
    # Whatever else a reply says, a good verdict in it counts.
    assert scores(result)[len(broken) :] == [GOOD[judge]] * len(ODD_BESIDE)
    json.dumps(result)


# Odd replies that hold a verdict all the same.


def formula(yes: float, no: float) -> float:
    """Return the score of two log-probabilities."""
    return math.exp(yes) / (math.exp(yes) + math.exp(no))


ODD_TOKENS = {
    "shorter than asked": ([("Yes", -0.2)], math.exp(-0.2) / (math.exp(-0.2) + 1 - math.exp(-0.2)), "yes_only"),
    "two listed": ([("No", -0.5), ("Yes", -1.0)], formula(-1.0, -0.5), "both"),
    "unsorted": (
        [("no", -6.0), ("No", -2.5), ("Maybe", -3.0), ("yes", -7.0), ("Yes", -0.1)],
        formula(-0.1, -2.5),
        "both",
    ),
    "-9999 for no": ([("Yes", 0.0), ("No", -9999.0)], 1.0, "both"),
    "-9999 for yes": ([("No", 0.0), ("Yes", -9999.0)], 0.0, "both"),
    "-9999 for the rest": ([("Yes", -0.1), ("No", -2.5), ("a", -9999.0), ("b", -9999.0)], formula(-0.1, -2.5), "both"),
    "a rounding error above 0": ([("Yes", 1e-7), ("No", -20.0)], formula(1e-7, -20.0), "both"),
    "first token newline, then Yes and No": ([("\n", -0.01), ("Yes", -5.0), ("No", -6.0)], formula(-5.0, -6.0), "both"),
    "first token ** alone": ([("**", -0.001), ("#", -7.0)], 0.0, "neither"),
    "first token newline alone": ([("\n", -0.001), ("\n\n", -7.0)], 0.0, "neither"),
    "first token <think>": ([("<think>", 0.0)], 0.0, "neither"),
    "first token Yes.": ([("Yes.", -0.01), ("No.", -5.0)], 0.0, "neither"),
    "first token with a mark of SentencePiece": ([("▁Yes", -0.01), ("▁No", -5.0)], 0.0, "neither"),
    "a space before": ([(" Yes", -0.1), (" no ", -2.5)], formula(-0.1, -2.5), "both"),
}
ODD_VERDICTS = {
    "fenced": f'{FENCE}json\n{{"score": 1, "reasoning": "Same."}}\n{FENCE}',
    "fenced without a name": f'{FENCE}\n{{"score": 1}}\n{FENCE}',
    "with text before": 'Here is my verdict:\n{"score": 1}',
    "with text after": '{"score": 1}\nI hope that this helps.',
    "with braces before": 'By the rule {a} for [things], \\frac{x}{y}: {"score": 1} {',
    "as text": '{"score": "1"}',
    "as 1.0": '{"score": 1.0}',
    "nested": '{"result": {"score": 1}}',
    "in a list": '[{"score": 1}]',
    "twice the same": '{"score": 1}\n{"score": 1}',
    "twice the same key": '{"score": 1, "score": 1.0}',
    "after a think block": '<think>\nIs it {a} or "b"? {"facts": [1, 2]\n</think>\n\n{"score": 1}',
    "after a think block that weighs both": '<think>{"score": 0}? No: {"score": 1}.</think>{"score": 1}',
    "with a lone surrogate": '{"score": 1, "reasoning": "half \ud83d"}',
    "with a lone surrogate, escaped": '{"score": 1, "reasoning": "half \\ud83d"}',
    "with a line break in a text": '{"score": 1, "reasoning": "two\nlines"}',
    "after many braces": "{a} " * 50_000 + '{"score": 1}',
    "after many open lists": "[" * 20_000 + '{"score": 1}',
}
ODD = [
    Case(name, tokens(pairs), score=score, only=L3, branch=branch)
    for name, (pairs, score, branch) in ODD_TOKENS.items()
]
ODD += [Case(f"verdict {name}", verdict(text), score=1, only=EVE) for name, text in ODD_VERDICTS.items()]
ODD += [
    Case("verdict 0", verdict('{"score": 0}'), score=0, only=EVE),
    Case('verdict "0"', verdict('{"score": "0"}'), score=0, only=EVE),
    Case("verdict -0.0", verdict('{"score": -0.0}'), score=0, only=EVE),
    Case("two choices that agree", choices(2 * good(L3).body["choices"]), score=GOOD[L3], only=L3, branch="both"),
    Case("two choices that agree", choices(2 * good(EVE).body["choices"]), score=1, only=EVE),
    Case("no finish reason", changed(L3, finish_reason=None), score=GOOD[L3], only=L3, branch="both"),
    Case("no finish reason", changed(EVE, finish_reason=None), score=1, only=EVE),
    Case(
        "a slow drip that ends in time",
        replace(good(L3), way="drip", pace=0.0003),
        score=GOOD[L3],
        only=L3,
        branch="both",
    ),
    Case("a slow drip that ends in time", replace(good(EVE), way="drip", pace=0.0003), score=1, only=EVE),
    Case("error null beside the choices", Reply({**good(EVE).body, "error": None}), score=1, only=EVE),
]


@each(ODD)
def test_an_odd_reply_with_a_verdict_scores(judge: str, case: Case) -> None:
    with JudgeServer(to_faults(case.reply)) as server:
        result = ask(judge, server, "a", "FAULT", max_retries=0)
        assert len(server.requests) == 2
    row = result["per_example"][1]
    assert row["score"] == pytest.approx(case.score, abs=1e-12)
    assert (row["reason"], result["n_failed"], result["failures"]) == (None, 0, {})
    if judge == L3:
        assert row["branch"] == case.branch
        assert result["n_neither"] == (case.branch == "neither")
        if case.branch == "neither":
            assert row["note"]
    # A result can be saved, whatever the texts in it.
    json.dumps(result).encode()


def test_a_list_shorter_than_asked_is_said() -> None:
    with JudgeServer([tokens([("Yes", -0.5), ("No", -1.0)]), good(L3)]) as server:
        first, second = ask(L3, server, "a", "b", top_logprobs=5)["per_example"]
    assert first["note"]
    assert second["note"] is None


# Failures that stop the batch.

QUOTA = "You exceeded your current quota, please check your plan and billing details."
UNKNOWN_PARAMETER = {
    "detail": [{"type": "extra_forbidden", "loc": ["body", "top_k"], "msg": "Extra inputs are not permitted"}]
}
STOPS = [
    Case(
        "400 parameter refused",
        error(400, "Unsupported parameter: 'top_k'.", code="unsupported_parameter", param="top_k"),
        "parameter_refused",
    ),
    Case(
        "400 value refused",
        error(
            400,
            "Unsupported value: 'top_k' does not support 5 with this model.",
            code="unsupported_value",
            param="top_k",
        ),
        "parameter_refused",
    ),
    Case("422 parameter refused", Reply(UNKNOWN_PARAMETER, 422), "parameter_refused"),
    Case(
        "401",
        error(401, "Incorrect API key provided: sk-pr***. You can find yours elsewhere.", code="invalid_api_key"),
        "bad_key",
    ),
    Case("401 that echoes the key", error(401, f"Incorrect API key provided: {KEY}.", code=KEY, param=KEY), "bad_key"),
    Case(
        "401 that echoes the key in HTML",
        Reply(f"<p>Bearer {KEY}".encode(), 401, {"content-type": "text/html", "x-key": KEY}),
        "bad_key",
    ),
    Case("403", error(403, "Your project does not have access to this model.", code="access_denied"), "forbidden"),
    Case("403 with HTML", Reply(b"<h1>Forbidden</h1>", 403, {"content-type": "text/html"}), "forbidden"),
    Case("404 model", error(404, "The model `judge-1` does not exist.", code="model_not_found"), "no_model"),
    Case("404 address", Reply({"detail": "Not Found"}, 404), "no_model"),
    Case("402", error(402, "Insufficient credits.", None), "quota"),
    Case("429 quota exhausted", error(429, QUOTA, "insufficient_quota", "insufficient_quota"), "quota"),
    Case("302", Reply(b"", 302, {"location": "http://127.0.0.1:9/v1/chat/completions"}), "redirect"),
    Case("307", Reply(b"", 307, {"location": "/v2/chat/completions"}), "redirect"),
    Case("308", Reply(b"", 308, {"location": "/v2/chat/completions"}), "redirect"),
    Case(
        "200 with an error object, bad key", Reply({"error": {"message": f"No such key {KEY}", "code": 401}}), "bad_key"
    ),
    Case(
        "200 with an error object, quota", Reply({"error": {"message": QUOTA, "type": "insufficient_quota"}}), "quota"
    ),
    Case(
        "400 logprobs refused",
        error(400, "logprobs are not supported with this model.", param="logprobs"),
        "no_logprobs",
        only=L3,
    ),
    Case(
        "400 logprobs refused, in words only",
        error(400, "This model does not support logprobs.", None),
        "no_logprobs",
        only=L3,
    ),
    Case(
        "400 top_logprobs refused",
        error(400, "'top_logprobs' is not supported.", param="top_logprobs"),
        "no_logprobs",
        only=L3,
    ),
]


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@each(STOPS)
def test_a_failure_that_will_not_pass_stops_the_batch(
    judge: str, case: Case, on_error: str, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    cache = str(tmp_path / "cache")
    with JudgeServer(to_faults(case.reply)) as server:
        failure = fails(judge, server, "a", "FAULT", "b", "c", on_error=on_error, cache=cache, extra_body={"top_k": 5})
        assert len(server.requests) == 2
        server.answer = fitting
        assert ask(judge, server, "a", "FAULT", "b", "c", cache=cache, extra_body={"top_k": 5})["n_scored"] == 4
        # The first row was paid for and kept.
        assert len(server.requests) == 5
    assert failure.reason == case.reason
    assert failure.failures == {case.reason: 1, "not_sent": 2}
    assert reasons(failure.result) == [None, case.reason, "not_sent", "not_sent"]
    assert scores(failure.result) == [GOOD[judge], None, None, None]
    no_trace(failure)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("status", [400, 405, 422])
def test_a_refused_request_stops_the_batch_where_none_was_accepted(judge: str, status: int) -> None:
    with JudgeServer(error(status, "The request is not good.")) as server:
        failure = fails(judge, server, "a", "b", "c", on_error="skip")
        assert len(server.requests) == 1
    assert (failure.reason, failure.failures) == ("bad_request", {"bad_request": 1, "not_sent": 2})


@pytest.mark.parametrize("judge", JUDGES)
def test_a_server_that_is_not_there_is_said(judge: str, no_trace: Callable[..., None]) -> None:
    with JudgeServer() as server:
        address = server.url
    failure = fails(judge, address, "a", "b", on_error="skip")
    assert failure.reason == "unreachable"
    assert address.removeprefix("http://").removesuffix("/v1") in str(failure)
    no_trace(failure)


def test_a_server_that_never_gives_log_probabilities_is_asked_32_times() -> None:
    with JudgeServer(verdict("Yes")) as server:
        failure = fails(L3, server, *map(str, range(40)), on_error="skip")
        assert len(server.requests) == 32
    assert (failure.reason, failure.failures["not_sent"]) == ("no_logprobs", 8)
    with JudgeServer([good(L3), verdict("Yes")]) as server:
        result = ask(L3, server, *map(str, range(40)), on_error="skip")
        assert len(server.requests) == 40
    assert result["failures"] == {"logprobs_missing": 39}


@pytest.mark.parametrize("refused", [["json_schema"], ["json_schema", "json_object"]])
@pytest.mark.parametrize("status", [400, 422])
def test_a_server_without_structured_output_is_asked_for_less(refused: list[str], status: int) -> None:
    def answer(request: Request, number: int) -> Reply:
        kind = (request.body.get("response_format") or {}).get("type")
        message = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
        return error(status, message, param="response_format") if kind in refused else fitting(request)

    with JudgeServer(answer) as server:
        result = ask(EVE, server, "a", "b", "c")
        assert len(server.requests) == 3 + len(refused)
    assert (result["n_scored"], result["failures"]) == (3, {})
    assert result["calls"]["sent"] == 3 + len(refused)


# Failures that pass.

UNAVAILABLE = Reply(b"<html><h1>503 Service Unavailable</h1></html>", 503, {"content-type": "text/html"})
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
PASSING = [
    Case("408", error(408, "Request Timeout", "timeout"), "server_error"),
    Case("409", error(409, "Conflict", "conflict"), "server_error"),
    Case("425", error(425, "Too Early", "too_early"), "server_error"),
    Case("429", error(429, "Rate limit reached for judge-1.", "requests", "rate_limit_exceeded"), "rate_limited"),
    Case(
        "429 about tokens",
        error(429, "Request too large: limit of tokens per min (TPM)", "tokens", "rate_limit_exceeded"),
        "rate_limited",
    ),
    Case("500", error(500, "The server had an error while processing your request.", "server_error"), "server_error"),
    Case("502", Reply(b"Bad Gateway", 502, {"content-type": "text/plain"}), "server_error"),
    Case("503 with HTML", UNAVAILABLE, "server_error"),
    Case("529", error(529, "Overloaded", "overloaded_error"), "server_error"),
    Case(
        "200 with an error object, overloaded", Reply({"error": {"message": "Overloaded", "code": 529}}), "server_error"
    ),
    Case("200 with an error object, 429", Reply({"error": {"message": "Slow down", "code": 429}}), "rate_limited"),
    Case("reset before the body", Reply(way="reset"), "connection"),
    Case("closed before the body", Reply(way="close"), "connection"),
    Case("closed in the middle of the body", Reply({"choices": "x" * 200}, way="close within"), "connection"),
    Case("no HTTP at all", Reply(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", way="raw"), "connection"),
    Case("a status that is none", Reply(b"HTTP/1.1 OK\r\n\r\n", way="raw"), "connection"),
    Case("a broken chunk", Reply(CHUNKED + b"zz\r\n{}\r\n", way="raw"), "connection"),
    Case("a header without end", Reply(b"HTTP/1.1 200 OK\r\nx: " + b"a" * 100_000, way="raw"), "connection"),
    Case("zipped, but not so", Reply(b"hello", headers={"content-encoding": "gzip"}), "connection"),
    Case("reset in the middle of the body", Reply({"choices": "x" * 200}, way="reset within"), "connection"),
]


@each(PASSING)
def test_a_failure_that_passes_is_retried_and_one_that_stays_is_unscored(
    judge: str, case: Case, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    once = iter([case.reply])

    def answer(request: Request, number: int) -> Reply:
        if "ONCE" in request.prompt:
            return next(once, good(judge))
        return case.reply if "FAULT" in request.prompt else good(judge)

    with JudgeServer(answer) as server:
        result = ask(
            judge, server, "a", "ONCE", "FAULT", "b", on_error="skip", max_concurrency=4, cache=str(tmp_path / "c")
        )
        assert len(server.requests) == 6
    assert reasons(result) == [None, None, case.reason, None]
    assert scores(result) == [GOOD[judge], GOOD[judge], None, GOOD[judge]]
    assert [row["requests"] for row in result["per_example"]] == [1, 2, 2, 1]
    assert result["calls"] == {"sent": 6, "cached": 0}
    no_trace(result)


@each([replace(case, only=EVE) for case in PASSING if case.reply.way != "whole"])
def test_without_aiohttp_the_same_holds(
    judge: str, case: Case, no_trace: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK's other transport; this is how the SDK says that aiohttp is not installed."""

    def missing(**settings: Any) -> None:
        raise RuntimeError("To use the aiohttp client you must have installed the package with the `aiohttp` extra")

    monkeypatch.setattr("openai.DefaultAioHttpClient", missing)
    with JudgeServer(to_faults(case.reply)) as server:
        result = ask(judge, server, "a", "FAULT", "b", on_error="skip", max_retries=0)
        assert len(server.requests) == 3
    assert (reasons(result), scores(result)) == ([None, case.reason, None], [1, None, 1])
    no_trace(result)


@pytest.mark.parametrize("judge", JUDGES)
def test_by_default_a_failure_that_stays_raises_after_the_batch(judge: str, no_trace: Callable[..., None]) -> None:
    with JudgeServer(to_faults(UNAVAILABLE)) as server:
        failure = fails(judge, server, "a", "FAULT", "b", max_retries=0)
        assert len(server.requests) == 3
    assert (failure.reason, failure.failures) == ("server_error", {"server_error": 1})
    no_trace(failure)


def in_two_seconds() -> Reply:
    """Return a 429 that says when to come again, as a date; dates count whole seconds."""
    date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=2), usegmt=True)
    return error(429, "Slow down", headers={"Retry-After": date})


# What is answered, and the seconds after which it may be asked again.
AFTER: dict[str, tuple[Callable[[], Reply], float]] = {
    "seconds": (lambda: error(429, "Slow down", headers={"Retry-After": "1"}), 1.0),
    "milliseconds": (lambda: error(429, "Slow down", headers={"retry-after-ms": "1200"}), 1.2),
    "date": (in_two_seconds, 0.95),
    "seconds, with 503": (lambda: replace(UNAVAILABLE, headers={"Retry-After": "1"}), 1.0),
}


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("kind", AFTER)
def test_retry_after_is_honoured(judge: str, kind: str) -> None:
    reply, least = AFTER[kind]
    arrived = []

    def answer(request: Request, number: int) -> Reply:
        arrived.append(monotonic())
        return fitting(request) if number else reply()

    with JudgeServer(answer) as server:
        result = ask(judge, server, "a", timeout=5.0)
    assert (len(arrived), result["n_scored"]) == (2, 1)
    assert least <= arrived[1] - arrived[0] <= least + 4


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("header", [{"Retry-After": "300"}, {"retry-after-ms": "300000"}])
def test_a_wait_beyond_the_deadline_fails_at_once(judge: str, header: dict[str, str]) -> None:
    with JudgeServer(to_faults(error(429, "Slow down", headers=header))) as server:
        start = monotonic()
        result = ask(judge, server, "a", "FAULT", "b", on_error="skip", max_retries=5)
        assert monotonic() - start < 15
        assert len(server.requests) == 3
    assert result["failures"] == {"rate_limited": 1}


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("header", ["soon", "-5", "", "nan", "1e999", "Wed, 99 Foo 2026 99:99:99 GMT"])
def test_a_retry_after_that_says_nothing_is_no_obstacle(judge: str, header: str) -> None:
    with JudgeServer([error(429, "Slow down", headers={"Retry-After": header}), good(judge)]) as server:
        assert ask(judge, server, "a", timeout=5.0)["n_scored"] == 1
        assert len(server.requests) == 2


@pytest.mark.parametrize("judge", JUDGES)
def test_rate_limited_for_ever_ends(judge: str) -> None:
    with JudgeServer(to_faults(error(429, "Slow down", headers={"retry-after-ms": "10"}))) as server:
        result = ask(judge, server, "a", "FAULT", "b", on_error="skip", max_retries=4)
        assert len(server.requests) == 2 + 5
    assert result["failures"] == {"rate_limited": 1}
    assert result["per_example"][1]["requests"] == 5


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("way", ["hang", "drip"])
def test_a_server_that_takes_too_long_is_left(judge: str, way: Any, no_trace: Callable[..., None]) -> None:
    """Each byte of a drip comes in time for a timeout between bytes: the whole request has to end."""
    with JudgeServer(to_faults(replace(good(judge), way=way, pace=0.03))) as server:
        start = monotonic()
        result = ask(judge, server, "a", "FAULT", "b", on_error="skip", max_retries=0, timeout=1.0)
        assert monotonic() - start < 6
        assert len(server.requests) == 3
        server.wait(lambda server: server.in_flight == 0)
    assert result["failures"] == {"timeout": 1}
    no_trace(result)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_hanging_server_is_asked_again_within_the_deadline(judge: str) -> None:
    with JudgeServer(lambda request, number: Reply(way="hang") if number < 1 else fitting(request)) as server:
        result = ask(judge, server, "a", max_retries=2, timeout=1.0)
        assert len(server.requests) == 2
    assert result["n_scored"] == 1
    with JudgeServer(Reply(way="hang")) as server:
        start = monotonic()
        failure = fails(judge, server, "a", max_retries=2, timeout=0.3)
        assert monotonic() - start < 0.9 + 5
        assert 1 <= len(server.requests) <= 3
    assert failure.reason in ("timeout", "unreachable")


# The key.


@pytest.mark.parametrize("judge", JUDGES)
def test_a_key_is_stripped_of_white_space(judge: str) -> None:
    with JudgeServer() as server:
        ask(judge, server, "a", api_key=f" {KEY}\r\n")
    assert server.keys == {KEY}


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("broken", [f"{KEY[:12]} {KEY[12:]}", f"{KEY}\n{KEY}", f"{KEY}é", f"{KEY}\ud800", f"{KEY}\0"])
def test_a_broken_key_is_refused_unshown_and_unsent(judge: str, broken: str, no_trace: Callable[..., None]) -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError) as caught:
            ask(judge, server, "a", api_key=broken)
        assert server.requests == []
    no_trace(caught.value)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_reply_that_echoes_the_key_does_not_carry_it_on(
    judge: str, tmp_path: Path, no_trace: Callable[..., None]
) -> None:
    """Some proxies send requests back, headers and all."""
    body = good(judge).body
    choice = body["choices"][0]
    content = choice["message"]["content"] if judge == L3 else json.dumps({"score": 1, "reasoning": f"Bearer {KEY}"})
    echo = {**body, "model": f"m-{KEY}", "id": KEY, "choices": [{**choice, "message": says(content)}]}
    refused = completion(says(None, refusal=f"Not with {KEY}"))
    shouted = verdict(f"{KEY} is no verdict") if judge == EVE else tokens([(KEY, -0.1)])
    with JudgeServer([Reply(echo), Reply(refused), Reply({"error": {"message": KEY}}), shouted]) as server:
        result = ask(judge, server, "a", "b", "c", "d", on_error="skip", cache=str(tmp_path / "cache"))
        assert len(server.requests) == 4
    assert result["per_example"][0]["score"] == pytest.approx(GOOD[judge])
    no_trace(result)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize(
    "address",
    ["http://me:{KEY}@127.0.0.1:{port}/v1", "http://127.0.0.1:{port}/v1?k={KEY}", "http://127.0.0.1:{port}/v1#{KEY}"],
)
def test_an_address_that_holds_a_secret_is_refused(judge: str, address: str, no_trace: Callable[..., None]) -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError) as caught:
            ask(judge, address.format(KEY=KEY, port=server.port), "a")
        assert server.requests == []
    no_trace(caught.value)
