"""Batches of OpenAI, Mistral and Anthropic bring the same replies at half the price.

Wherever a run ends and whatever comes back, nothing is lost or paid for twice, and no failure is a
score.
"""

import itertools
import json
import os
import random
import re
import signal
import sqlite3
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from metrics.eve_judge import judge_batches
from tests.support.batch_server import BatchServer
from tests.support.judge_server import (
    JudgeServer,
    Reply,
    Request,
    make_error,
    make_good_reply,
    make_verdict,
)
from tests.support.judges import EVE, KEY, L3, judge_rows, select_keys
from tests.support.processes import PROCESS_CONTEXT

PROVIDERS = ("openai", "mistral", "anthropic")
each_provider = pytest.mark.parametrize("provider", PROVIDERS)
# The paths at which the providers create a batch.
PATHS = {"openai": "/v1/batches", "mistral": "/v1/batch/jobs", "anthropic": "/v1/messages/batches"}
NO_POWER = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def reply_by_number(request: Request, number: int) -> Reply:
    """Return a verdict of 1 for the answers with odd numbers, and of 0 for those with even ones."""
    odd = int(re.search(r"Answer (\d+)", request.prompt)[1]) % 2  # type: ignore[index]
    return make_verdict(f'{{"score": {odd}, "reasoning": "{odd}"}}')


def judge_by_batches(
    server: JudgeServer, provider: str, cache: Path, rows: int = 20, **settings: Any
) -> Any:
    """Return eve_judge's result for some rows, whose requests are sent as batches.

    Args:
        server: the server of the provider.
        provider: the name of the provider.
        cache: the folder of the cache.
        rows: the number of rows.
        settings: more arguments of `compute`.
    """
    arguments = {"batch": True, "on_error": "skip", **settings}
    return judge_rows(EVE, server, rows, provider=provider, cache=cache, **arguments)


def count_batches(server: BatchServer) -> int:
    """Return how many batches were created."""
    return len(server.batches)


@each_provider
def test_a_batch_gives_the_replies_of_single_requests_at_half_the_price(
    provider: str, tmp_path: Path
) -> None:
    with BatchServer(reply_by_number, polls_before_end=2) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache", model="judge-1")
        dry = run(dry_run=True)
        assert server.requests == []
        assert dry["calls"] == 20
        result = run()
        again = run()
        assert count_batches(server) == 1
        assert len(server.paid_requests) == 20
        assert len({*server.paid_requests}) == 20
    assert result["calls"] == {"sent": 20, "cached": 0}
    assert again["calls"] == {"sent": 0, "cached": 20}

    with JudgeServer(reply_by_number) as single_server:
        single = judge_rows(EVE, single_server, 20, provider=provider)
    keys = ("accuracy", "passed", "failed", "n_scored", "tokens", "failures")
    assert select_keys(result, *keys) == select_keys(single, *keys)
    row_keys = ("score", "reasoning", "usage")
    for row, single_row in zip(result["per_example"], single["per_example"], strict=True):
        assert select_keys(row, *row_keys) == select_keys(single_row, *row_keys)
    # A batch changes no score, so it has the signature of single requests.
    signature = result["signature"].replace(server.url, "")
    assert signature == single["signature"].replace(single_server.url, "")


@each_provider
def test_a_run_with_more_rows_asks_only_about_the_new_ones(provider: str, tmp_path: Path) -> None:
    with BatchServer(reply_by_number) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache")
        assert run(20)["calls"] == {"sent": 20, "cached": 0}
        assert run(25)["calls"] == {"sent": 5, "cached": 20}
        assert len(server.paid_requests) == 25
        # Single requests use the replies of batches.
        assert run(25, batch=False)["calls"] == {"sent": 0, "cached": 25}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="genai-prices needs it")
def test_both_prices_are_shown_and_half_is_paid(tmp_path: Path) -> None:
    """gpt-4o-mini costs 0.15 USD per million tokens of input, and 0.60 per million of output."""
    with BatchServer(reply_by_number) as server:
        run = partial(judge_by_batches, server, "openai", tmp_path / "cache", model="gpt-4o-mini")
        dry = run(dry_run=True)
        paid = run()
        assert 0 < dry["Cost_batch"] == pytest.approx(dry["Cost"] / 2)
        assert paid["Cost"] == pytest.approx(20 * (120 * 0.15 + 10 * 0.60) / 1e6 / 2)
        assert "Cost_batch" not in run(dry_run=True, batch=False)
        assert run()["Cost"] == 0
        unknown = run(dry_run=True, model="judge-9")
    assert unknown["Cost"] is None
    assert unknown["Cost_batch"] is None


@each_provider
def test_requests_have_the_form_that_the_providers_document(provider: str, tmp_path: Path) -> None:
    """The server of the tests checks each batch; this test checks headers, bodies and the cache."""
    with BatchServer(reply_by_number) as server:
        result = judge_by_batches(server, provider, tmp_path / "cache", 2, temperature=0.5)
        assert result["n_scored"] == 2
        for request in server.requests:
            assert select_own_headers(request.headers) == HEADERS[provider]
        (batch,) = server.batches.values()
    body = batch.api.read_completion(batch.lines[0])
    assert select_keys(body, "model", "temperature") == {"model": "judge-1", "temperature": 0.5}
    assert body["messages"][0]["role"] == "user"
    assert ("response_format" in body) == (provider != "anthropic")
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*"))
    assert KEY.encode() not in stored
    assert b"Answer 1" not in stored


# The headers that each provider documents.
HEADERS = {
    "anthropic": {"x-api-key": KEY, "anthropic-version": "2023-06-01"},
    "openai": {"authorization": f"Bearer {KEY}"},
    "mistral": {"authorization": f"Bearer {KEY}"},
}


def select_own_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a request that a provider may ask for."""
    beginnings = ("x-", "authorization", "anthropic", "openai")
    return {name: value for name, value in headers.items() if name.startswith(beginnings)}


# Results in any order, missing, failed or expired


def shuffle_lines(lines: list[bytes]) -> list[bytes]:
    """Return the lines of a file of results in another order, some twice, with others between."""
    between = [
        b"",
        b"{broken",
        b"[]",
        b'"text"',
        b"null",
        b'{"custom_id": "not-asked-for", "response": {"status_code": 200, "body": {}}}',
        b'{"custom_id": null}',
    ]
    shuffled = [*lines, *lines[:3], *between]
    random.Random(0).shuffle(shuffled)
    return shuffled


@each_provider
def test_lines_come_in_any_order_and_with_others_between(provider: str, tmp_path: Path) -> None:
    with BatchServer(reply_by_number) as server:
        server.change_results = shuffle_lines
        result = judge_by_batches(server, provider, tmp_path / "cache")
    assert result["n_scored"] == 20
    assert result["passed"] == 10
    assert [row["score"] for row in result["per_example"]] == [row % 2 for row in range(20)]


@each_provider
def test_a_line_that_is_missing_is_unscored_and_asked_for_again(
    provider: str, tmp_path: Path
) -> None:
    with BatchServer(reply_by_number) as server:
        server.change_results = lambda lines: lines[:5] + lines[6:-1] + [lines[-1][:-20]]
        result = judge_by_batches(server, provider, tmp_path / "cache")
        expected = {
            "n_scored": 18,
            "n_failed": 2,
            "failures": {"missing_line": 2},
            "lowest": 8 / 20,
            "highest": 10 / 20,
        }
        assert select_keys(result, *expected) == expected
        server.change_results = list
        again = judge_by_batches(server, provider, tmp_path / "cache")
        assert again["n_scored"] == 20
        assert again["calls"] == {"sent": 2, "cached": 18}
        assert count_batches(server) == 2


@each_provider
def test_a_request_that_fails_in_a_batch_is_no_score(provider: str, tmp_path: Path) -> None:
    faults = {
        3: make_error(400, "The prompt was flagged by the content filter"),
        4: make_error(529, "Overloaded"),
        5: make_verdict(None, refusal="I cannot."),
        6: make_verdict('{"score": 1}', finish_reason="length"),
        7: make_verdict("?"),
    }
    if provider == "anthropic":
        faults[5] = make_verdict("I cannot.", finish_reason="refusal")

    def reply_with_fault(request: Request, number: int) -> Reply:
        row = re.search(r"Answer (\d+)", request.prompt)
        assert row
        return faults.get(int(row[1])) or reply_by_number(request, number)

    with BatchServer(reply_with_fault) as server:
        result = judge_by_batches(server, provider, tmp_path / "cache")
        reasons = [row["reason"] for row in result["per_example"][3:8]]
        assert reasons == ["content_filter", "server_error", "refusal", "cut_off", "no_verdict"]
        assert result["n_scored"] == 15
        assert result["n_failed"] == 5
        server.answer = reply_by_number
        again = judge_by_batches(server, provider, tmp_path / "cache")
        # Replies were paid for and are kept; the two rows without one are asked for again.
        assert again["calls"] == {"sent": 2, "cached": 18}
        assert again["n_scored"] == 17


@each_provider
def test_a_batch_that_expires_half_way_keeps_its_finished_replies(
    provider: str, tmp_path: Path
) -> None:
    expired_request = {
        "code": "batch_expired",
        "message": "This request could not be executed before the completion window.",
    }
    expired_result: dict[str, Any] = {"response": None, "error": expired_request}
    if provider == "anthropic":
        expired_result = {"result": {"type": "expired"}}

    def expire_second_half(lines: list[bytes]) -> list[bytes]:
        finished = lines[:10]
        expired = [json.dumps(json.loads(line) | expired_result).encode() for line in lines[10:]]
        return finished + expired

    with BatchServer(reply_by_number) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache")
        server.outcome = "expired"
        server.change_results = expire_second_half
        result = run()
        assert result["n_scored"] == 10
        assert result["failures"] == {"batch_expired": 10}
        server.polls_before_end = 10**6
        with pytest.raises(Exception, match="10 of 20 rows could not be scored"):
            run(batch="later", on_error="raise")
        server.outcome = ""
        server.change_results = list
        server.polls_before_end = 0
        again = run()
        assert again["n_scored"] == 20
        assert again["calls"] == {"sent": 10, "cached": 10}
        # 20 rows, and the second half again, which expired in the first batch.
        assert len(server.paid_requests) == 20 + 10


@pytest.mark.parametrize("provider", ["openai", "mistral"])
@pytest.mark.parametrize(
    ("end", "reason"), [("failed", "batch_failed"), ("cancelled", "missing_line")]
)
def test_a_batch_that_fails_as_a_whole_says_why(
    provider: str,
    end: str,
    reason: str,
    tmp_path: Path,
) -> None:
    problem = rf"20 of 20 rows could not be scored \({reason} 20\)"
    with BatchServer(reply_by_number) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache")
        server.outcome = end
        server.change_results = lambda lines: []
        with pytest.raises(Exception, match=problem) as raised:
            run(on_error="raise")
        message = str(raised.value)
        assert f"(status: {end}" in message
        assert ("Enqueued token limit" in message) == (end == "failed")
        server.outcome = ""
        server.change_results = list
        assert run()["n_scored"] == 20


@pytest.mark.parametrize("provider", ["openai", "mistral"])
def test_a_server_without_structured_output_is_asked_without(provider: str, tmp_path: Path) -> None:
    message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported."

    def refuse_schema(request: Request, number: int) -> Reply:
        if "response_format" in request.body:
            return make_error(400, message)
        return reply_by_number(request, number)

    with BatchServer(refuse_schema) as server:
        result = judge_by_batches(server, provider, tmp_path / "cache")
        assert result["n_scored"] == 20
        assert count_batches(server) == 2
        assert result["signature"].endswith("|output:text")


@each_provider
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (make_error(401, f"Incorrect API key provided: {KEY}"), "bad_key"),
        (make_error(400, "The batch is refused: billing hard limit"), "quota"),
    ],
    ids=["bad key", "refused batch"],
)
def test_a_run_that_was_stopped_before_its_batch_can_be_repeated(
    provider: str, reply: Reply, reason: str, tmp_path: Path
) -> None:
    with BatchServer(reply_by_number) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache")
        server.intercept = lambda request: reply
        with pytest.raises(Exception, match=rf"was stopped \({reason}\)") as raised:
            run()
        assert KEY not in str(raised.value)
        assert KEY not in repr(raised.value.__dict__)
        server.intercept = lambda request: None
        assert run()["n_scored"] == 20
        assert count_batches(server) == 1


# Runs that end at any moment


@each_provider
def test_the_call_that_submits_a_batch_fetches_its_results_later(
    provider: str, tmp_path: Path
) -> None:
    with BatchServer(reply_by_number, polls_before_end=3) as server:
        run = partial(judge_by_batches, server, provider, tmp_path / "cache")
        for _ in range(3):
            with pytest.raises(
                Exception, match=r"batch_pending.*repeat the same call later"
            ) as raised:
                run(batch="later")
            assert raised.value.reason == "batch_pending"  # type: ignore[attr-defined]
        assert run(dry_run=True)["calls"] == 0
        assert run(dry_run=True)["Cost_batch"] == 0
        result = run(batch="later")
        assert result["n_scored"] == 20
        assert result["calls"]["sent"] == 20
        assert count_batches(server) == 1


@each_provider
def test_a_batch_whose_creation_was_not_answered_is_found_and_not_created_again(
    provider: str, tmp_path: Path
) -> None:
    failures = (
        Reply({}, way="reset"),
        Reply({}, way="close"),
        Reply(status=500),
        Reply({}, way="reset within"),
    )
    for number, failure in enumerate(failures):
        with BatchServer(reply_by_number) as server:
            lost_replies = [failure]

            def lose_first_answer(request: Request, reply: Reply) -> Reply:
                is_creation = request.method == "POST" and request.path == PATHS[provider]
                return lost_replies.pop() if is_creation and lost_replies else reply  # noqa: B023

            server.change_reply = lose_first_answer
            result = judge_by_batches(server, provider, tmp_path / str(number))
            assert result["n_scored"] == 20
            assert count_batches(server) == 1
            assert len(server.paid_requests) == 20


@each_provider
def test_a_creation_that_never_arrived_is_tried_again(provider: str, tmp_path: Path) -> None:
    with BatchServer(reply_by_number) as server:
        faults = [
            make_error(429, "Too many requests, slow down", code="rate_limit_exceeded"),
            make_error(503, "Overloaded"),
        ]

        def fail_first_creations(request: Request) -> Reply | None:
            is_creation = request.method == "POST" and request.path == PATHS[provider]
            return faults.pop() if is_creation and faults else None

        server.intercept = fail_first_creations
        assert judge_by_batches(server, provider, tmp_path / "cache")["n_scored"] == 20
        assert count_batches(server) == 1


def judge_in_process(
    url: str,
    provider: str,
    cache: Path,
    pipe: Any,
) -> None:
    """Judge 20 rows by batches, and send the result or the name of the error through a pipe."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = judge_by_batches(url, provider, cache)  # type: ignore[arg-type]
    except BaseException as failure:
        result = type(failure).__name__
    pipe.send(result)


class BatchProcess:
    """A process that judges 20 rows by batches, and that a test can end with a signal."""

    def __init__(self, server: BatchServer, provider: str, cache: Path) -> None:
        self.pipe, theirs = PROCESS_CONTEXT.Pipe()
        self.process = PROCESS_CONTEXT.Process(
            target=judge_in_process, args=(server.url, provider, cache, theirs), daemon=True
        )
        self.process.start()
        theirs.close()

    def wait_for_end(self, signal_number: int) -> Any:
        """Return what the process sends after a signal, which is nothing where it is killed."""
        os.kill(self.process.pid, signal_number)
        outcome = self.pipe.recv() if signal_number == signal.SIGINT else None
        self.process.join(20)
        return outcome


def list_stages(request: Request, path: str) -> set[str]:
    """Return the stages of a run at which a request is sent, given the path of the batches."""
    if request.method == "POST" and request.path == path:
        return {"upload", "creation", "created"}
    stages = set()
    if request.path == "/v1/files":
        stages.add("upload")
    if request.method == "GET" and request.path.startswith(f"{path}/"):
        stages.add("waiting")
    if request.path.endswith(("/content", "/results")):
        stages.add("results")
    return stages


# The provider and the stage at which a run is killed. In "upload" and "creation" the request has
# not been executed, in "created" it has.
KILLED_RUNS = [
    ("openai", "upload"),
    ("openai", "creation"),
    ("openai", "created"),
    ("openai", "waiting"),
    ("openai", "results"),
    ("mistral", "created"),
    ("mistral", "results"),
    ("anthropic", "creation"),
    ("anthropic", "created"),
    ("anthropic", "waiting"),
    ("anthropic", "results"),
]


@NO_POWER
@pytest.mark.parametrize(("provider", "stage"), KILLED_RUNS)
def test_a_run_that_is_killed_anywhere_pays_for_nothing_twice(
    provider: str, stage: str, tmp_path: Path
) -> None:
    reached = threading.Event()
    polls = 10**6 if stage == "waiting" else 0

    def hang_at_stage(request: Request, reply: Reply | None = None) -> Any:
        if stage not in list_stages(request, PATHS[provider]):
            return reply
        reached.set()
        return reply if stage == "waiting" else Reply(way="hang")

    with BatchServer(reply_by_number, polls_before_end=polls) as server:
        if stage in ("upload", "creation"):
            server.intercept = hang_at_stage
        else:
            server.change_reply = hang_at_stage
        process = BatchProcess(server, provider, tmp_path / "cache")
        assert reached.wait(60)
        process.wait_for_end(signal.SIGKILL)
        server.intercept = lambda request: None
        server.change_reply = lambda request, reply: reply
        server.polls_before_end = 0
        result = judge_by_batches(server, provider, tmp_path / "cache")
        assert select_keys(result, "n_scored", "passed") == {"n_scored": 20, "passed": 10}
        assert count_batches(server) == 1
        assert sorted(server.paid_requests) == sorted({*server.paid_requests})
        again = judge_by_batches(server, provider, tmp_path / "cache")
        assert again["calls"] == {"sent": 0, "cached": 20}


@NO_POWER
def test_ctrl_c_ends_the_waiting_and_the_same_call_takes_the_batch_up(tmp_path: Path) -> None:
    with BatchServer(reply_by_number, polls_before_end=10**6) as server:
        process = BatchProcess(server, "openai", tmp_path / "cache")
        server.wait(lambda server: any(batch.polls for batch in server.batches.values()))  # type: ignore[attr-defined]
        assert process.wait_for_end(signal.SIGINT) == "KeyboardInterrupt"
        server.polls_before_end = 0
        assert judge_by_batches(server, "openai", tmp_path / "cache")["n_scored"] == 20
        assert count_batches(server) == 1


@each_provider
def test_runs_that_share_a_cache_share_their_batches(provider: str, tmp_path: Path) -> None:
    with BatchServer(reply_by_number, polls_before_end=4) as server:
        runs = [
            partial(judge_by_batches, server, provider, tmp_path / "cache", rows)
            for rows in (20, 20, 30)
        ]
        with ThreadPoolExecutor(3) as threads:
            results = list(threads.map(lambda run: run(), runs))
        assert [result["n_scored"] for result in results] == [20, 20, 30]
        assert len(server.paid_requests) == len({*server.paid_requests}) == 30


def test_a_batch_of_another_run_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    """Anthropic keeps no name of a batch, so only its results tell whose it is.

    The other batch has as many rows, and was created when this one was lost.
    """
    with BatchServer(reply_by_number) as server, BatchServer(reply_by_number) as elsewhere:
        server.intercept = lambda request: Reply(way="reset") if request.method == "POST" else None
        with pytest.raises(Exception, match="was stopped"):
            judge_by_batches(server, "anthropic", tmp_path / "cache", max_retries=0)
        server.intercept = lambda request: None
        other = judge_by_batches(server, "anthropic", tmp_path / "other", model="judge-2")
        assert other["n_scored"] == 20
        assert judge_by_batches(elsewhere, "anthropic", tmp_path / "third")["n_scored"] == 20
        result = judge_by_batches(server, "anthropic", tmp_path / "cache")
        assert result["n_scored"] == 20
        assert count_batches(server) == 2
        assert len(server.paid_requests) == len({*server.paid_requests}) == 40


def test_rows_of_a_lost_batch_are_sent_again_after_the_batch_of_another_run_was_read(
    tmp_path: Path,
) -> None:
    """Both the lost batch and that of the other run have 20 rows; this run has only 12 of them."""
    with BatchServer(reply_by_number) as server:
        server.intercept = lambda request: Reply(way="reset") if request.method == "POST" else None
        with pytest.raises(Exception, match="was stopped"):
            judge_by_batches(server, "anthropic", tmp_path / "cache", max_retries=0)
        server.intercept = lambda request: None
        judge_by_batches(server, "anthropic", tmp_path / "other", model="judge-2")
        result = judge_by_batches(server, "anthropic", tmp_path / "cache", 12)
    assert result["n_scored"] == 12
    assert len(server.paid_requests) == 20 + 12


def test_the_key_goes_to_no_other_address_for_results(tmp_path: Path) -> None:
    """Anthropic's answers hold the address of the results; only one of its own server is used."""
    with BatchServer(reply_by_number) as server, JudgeServer() as elsewhere:
        moved = f"{server.url.removesuffix('/v1')}/v1/messages/batches/msgbatch_0/results?of=day"

        for number, address in enumerate((f"{elsewhere.url}/results", moved)):

            def change_address(request: Request, reply: Reply, address: str = address) -> Reply:
                if not isinstance(reply.body, dict) or not reply.body.get("results_url"):
                    return reply
                return Reply({**reply.body, "results_url": address})

            server.change_reply = change_address
            result = judge_by_batches(server, "anthropic", tmp_path / str(number))
            assert result["n_scored"] == 20
            server.batches.clear()
            server.results.clear()
        assert elsewhere.requests == []
        assert sum(request.path.endswith("?of=day") for request in server.requests) == 1


@pytest.mark.parametrize(
    ("max_requests", "max_bytes", "batch_sizes"),
    [(3, 1000, [3, 3, 1]), (100, 25, [2, 2, 2, 1]), (1, 5, [1] * 7)],
)
def test_too_many_requests_for_one_batch_go_into_several(
    max_requests: int,
    max_bytes: int,
    batch_sizes: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judge_batches, "MAX_REQUESTS", max_requests)
    monkeypatch.setattr(judge_batches, "MAX_BYTES", max_bytes)
    calls = [Mock(key=str(number)) for number in range(7)]
    batches = list(judge_batches.split_calls(calls, lambda call: b"ten bytes!"))
    assert [len(batch) for batch in batches] == batch_sizes
    keys = itertools.chain.from_iterable(batches)
    assert list(keys) == [*"0123456"]


def test_a_lost_batch_with_rows_that_this_run_lacks_is_not_waited_for(tmp_path: Path) -> None:
    """The batch was never created, and its prompts are not kept.

    The rows of this run therefore go into a batch of their own.
    """
    with BatchServer(reply_by_number) as server:
        server.intercept = lambda request: (
            Reply(way="reset") if request.path == PATHS["openai"] else None
        )
        with pytest.raises(Exception, match="was stopped"):
            judge_by_batches(server, "openai", tmp_path / "cache", 20, max_retries=0)
        server.intercept = lambda request: None
        result = judge_by_batches(server, "openai", tmp_path / "cache", 12)
        assert result["n_scored"] == 12
        assert len(server.paid_requests) == 12


def test_a_server_that_is_away_for_a_while_does_not_end_the_waiting(tmp_path: Path) -> None:
    with BatchServer(reply_by_number, polls_before_end=3) as server:
        faults = [
            Reply(way="reset"),
            Reply(b"<html>", 502),
            Reply(b"not json"),
            make_error(429, "slow down"),
        ]
        server.intercept = lambda request: (
            faults.pop() if faults and request.path.startswith("/v1/batches/") else None
        )
        result = judge_by_batches(server, "openai", tmp_path / "cache", max_retries=0)
        assert result["n_scored"] == 20
        assert count_batches(server) == 1
        assert faults == []


def test_a_batch_of_another_account_is_not_paid_for_again_unasked(tmp_path: Path) -> None:
    with BatchServer(reply_by_number, polls_before_end=10**6) as server:
        with pytest.raises(Exception, match="batch_pending"):
            judge_by_batches(server, "openai", tmp_path / "cache", batch="later")
        server.intercept = lambda request: make_error(404, "No batch found with id 'batch_0'.")
        with pytest.raises(
            Exception, match=r"was stopped \(batch_unknown\).*another key.*batch=False"
        ):
            judge_by_batches(server, "openai", tmp_path / "cache")
        assert count_batches(server) == 1


# Batches that are refused, and batches of several judges


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"provider": "deepseek"},
            "batch is True; False; True or 'later' with a cache and one of openai",
        ),
        ({"cache": False}, "batch is True"),
        ({"batch": 1}, "batch is 1"),
        ({"batch": "now"}, "batch is 'now'"),
    ],
)
def test_a_batch_that_cannot_be_sent_is_refused_with_the_reason(
    settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with BatchServer(reply_by_number) as server:
        with pytest.raises(ValueError, match=message):
            judge_by_batches(
                server, **{"provider": "openai", "cache": tmp_path / "cache", **settings}
            )
        assert server.requests == []


def test_a_cache_that_cannot_be_written_takes_no_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect_to_small_database(*arguments: Any, **settings: Any) -> Any:
        database = connect(*arguments, **settings)
        database.execute("PRAGMA max_page_count = 6")
        return database

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect_to_small_database)
    with BatchServer(reply_by_number) as server:
        with pytest.raises(Exception, match=r"was stopped \(no_cache\)"):
            judge_by_batches(server, "openai", tmp_path / "cache", 300)
        assert server.batches == {}


def test_a_cache_that_is_locked_takes_no_batch(tmp_path: Path) -> None:
    with BatchServer(reply_by_number) as server:
        judge_by_batches(server, "openai", tmp_path / "cache", 1)
        holder = sqlite3.connect(tmp_path / "cache", isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            with pytest.raises(Exception, match=r"was stopped \(no_cache\).*locked"):
                judge_by_batches(server, "openai", tmp_path / "cache", 5)
        finally:
            holder.close()
        assert count_batches(server) == 1


def test_replies_and_judges_of_a_panel_go_by_batches(tmp_path: Path) -> None:
    """All batches are submitted before any is waited for."""
    order = []
    with BatchServer(reply_by_number, polls_before_end=1) as server:
        server.intercept = lambda request: order.append((request.method, request.path))  # type: ignore[func-returns-value]
        claude = {
            "model": "claude",
            "provider": "anthropic",
            "base_url": server.url,
            "api_key": "sk-other",
        }
        result = judge_by_batches(
            server,
            "openai",
            tmp_path / "cache",
            6,
            model=None,
            models=["judge-1", "judge-2", claude],
            samples=2,
        )
    assert result["n_scored"] == 6
    assert result["passed"] == 3
    assert len(server.paid_requests) == 36
    flip_rates = {name: judge["flip_rate"] for name, judge in result["judges"].items()}
    assert flip_rates == {"judge-1": 0, "judge-2": 0, "claude": 0}
    last_submission = max(at for at, (method, path) in enumerate(order) if method == "POST")
    before = [path for _, path in order[:last_submission]]
    assert not any(path.endswith(("/content", "/results")) for path in before)


def test_l3score_takes_batches_too(tmp_path: Path) -> None:
    with BatchServer(make_good_reply) as server:
        result = judge_rows(L3, server, 5, provider="openai", batch=True, cache=tmp_path / "cache")
        assert result["n_scored"] == 5
        assert count_batches(server) == 1
        assert result["L3Score"] > 0.9
