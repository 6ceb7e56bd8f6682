"""Long runs of l3score and eve_judge: killed, interrupted, resumed, sharing a cache, a full disk.

Also hostile texts, prompts, costs, signatures and refused settings. A run that is killed or
interrupted is a process of its own. Most of what both judges do with the same code is tested with
l3score only.
"""

import asyncio
import itertools
import json
import math
import os
import re
import signal
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support import project
from tests.support.judge_server import (
    GOOD_REPLIES,
    JudgeServer,
    Reply,
    Request,
    make_good_reply,
    make_tokens,
    make_verdict,
)
from tests.support.judges import (
    EVE,
    KEY,
    L3,
    both_judges,
    judge_rows,
    make_columns,
    select_keys,
)
from tests.support.processes import PROCESS_CONTEXT

not_on_windows = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no such signals and limits"
)
SCORE = {L3: "L3Score", EVE: "accuracy"}
# As many rows as EVE's question set has.
ROWS = 1257
# As many requests in flight as a judge has by default.
CONCURRENCY = 32


class JudgeProcess:
    """A process that judges `count` rows with L3Score."""

    def __init__(self, server: JudgeServer, cache: Path, count: int = ROWS) -> None:
        self.pipe, theirs = PROCESS_CONTEXT.Pipe()
        self.process = PROCESS_CONTEXT.Process(
            target=run_judge, args=(count, server.url, cache, theirs), daemon=True
        )
        self.process.start()
        theirs.close()

    def wait_for_end(self, signal_number: int = 0) -> Any:
        """Wait for the end of the process and return the result, or the name of its exception.

        Args:
            signal_number: the signal to send first; 0 for none.
        """
        if signal_number:
            os.kill(self.process.pid, signal_number)
        assert self.pipe.poll(120), "the process did not end in 120 seconds"
        result = self.pipe.recv()
        self.process.join(10)
        return result


def run_judge(
    count: int,
    url: str,
    cache: Path,
    pipe: Any,
) -> None:
    """Judge rows in a process of its own and send the result, or the name of the exception."""
    # Tests that run in the background ignore Ctrl-C, and the process would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = judge_rows(L3, url, count, cache=cache)
    except BaseException as failure:
        result = type(failure).__name__
    pipe.send(result)


def make_slow_reply(delay: float) -> Any:
    """Return a function that answers every request well after `delay` seconds."""
    return lambda request, number: Reply(make_good_reply(request).body, delay=delay)


def is_complete(result: Any, count: int = ROWS) -> bool:
    """Return whether every row is scored."""
    return bool(result["n_scored"] == count and not result["n_failed"] and not result["failures"])


# Runs that are killed or interrupted.


@not_on_windows
def test_a_run_killed_after_900_requests_resumes_from_its_cache(tmp_path: Path) -> None:
    with JudgeServer(make_slow_reply(0.02)) as server:
        first = JudgeProcess(server, tmp_path / "cache")
        server.wait(lambda server: len(server.requests) >= 900)
        first.process.kill()
        first.process.join(10)
        assert 900 <= len(server.requests) < ROWS
        result = JudgeProcess(server, tmp_path / "cache").wait_for_end()
    assert is_complete(result)
    # Only requests in flight when the run was killed were sent twice.
    assert ROWS <= len(server.requests) <= ROWS + CONCURRENCY
    assert result["calls"]["cached"] >= 900 - CONCURRENCY
    fill = project.import_file(L3).fill_prompt
    prompts = set(map(fill, *make_columns(ROWS).values()))
    assert {request.prompt for request in server.requests} == prompts


@not_on_windows
def test_ctrl_c_sends_no_more_requests_and_caches_replies_that_still_arrive(tmp_path: Path) -> None:
    sent = 3 * CONCURRENCY

    def hold_last_replies(request: Request, number: int) -> Reply:
        reply = make_good_reply(request)
        is_last = number >= sent - CONCURRENCY
        return Reply(reply.body, way="held") if is_last else reply

    with JudgeServer(hold_last_replies) as server:
        process = JudgeProcess(server, tmp_path / "cache")
        server.wait(lambda server: len(server.requests) == sent)
        # The held replies come a second after Ctrl-C: no reply lets the process send another
        # request before.
        threading.Timer(1, server.release).start()
        assert process.wait_for_end(signal.SIGINT) == "KeyboardInterrupt"
        assert len(server.requests) == sent
        server.answer = make_good_reply
        again = JudgeProcess(server, tmp_path / "cache").wait_for_end()
        assert is_complete(again)
        # The replies in flight arrived and were cached.
        assert again["calls"] == {"sent": ROWS - sent, "cached": sent}
        # If no reply arrives, the process waits only a few seconds, less than a request's timeout.
        server.answer = Reply(way="hang")
        process = JudgeProcess(server, tmp_path / "other", 100)
        server.wait(lambda server: len(server.requests) == ROWS + CONCURRENCY)
        assert process.wait_for_end(signal.SIGINT) == "KeyboardInterrupt"
        assert len(server.requests) == ROWS + CONCURRENCY


def test_processes_and_threads_that_share_a_cache_pay_once(tmp_path: Path) -> None:
    with JudgeServer(make_slow_reply(0.01)) as server:
        started = [JudgeProcess(server, tmp_path / "cache") for _ in range(2)]
        results = [process.wait_for_end() for process in started]
        assert all(is_complete(result) for result in results)
        # Each process sends what the other has not sent. If one pauses for seconds, the other may
        # take it for dead and send its requests in flight again.
        assert ROWS <= len(server.requests) <= ROWS + CONCURRENCY
        sent = len(server.requests)
        again = run_at_once(
            [partial(judge_rows, L3, server, ROWS, cache=tmp_path / "cache", api_key="sk-another")]
            * 4
        )
        # A reply from the cache does not depend on the API key.
        assert len(server.requests) == sent
    assert all(result["calls"] == {"sent": 0, "cached": ROWS} for result in again)
    assert len({result["L3Score"] for result in results + again}) == 1


def run_with_wrong_clock(
    hours: float,
    pipe: Any,
    url: str,
    cache: Path,
) -> None:
    """Judge 150 rows in a process whose clock is wrong by `hours`."""
    now = time.time
    time.time = lambda: now() + hours * 3600
    pipe.send(judge_rows(L3, url, 150, cache=cache, max_concurrency=4))


@pytest.mark.parametrize("hours", [(0, 1), (-1, 0)])
def test_runs_with_different_clocks_pay_once_for_each_request(
    hours: tuple[int, int], tmp_path: Path
) -> None:
    with JudgeServer(make_slow_reply(0.05)) as server:
        pipes = []
        for offset in hours:
            ours, theirs = PROCESS_CONTEXT.Pipe()
            PROCESS_CONTEXT.Process(
                target=run_with_wrong_clock,
                args=(offset, theirs, server.url, tmp_path / "cache"),
                daemon=True,
            ).start()
            pipes.append(ours)
        assert all(pipe.poll(120) for pipe in pipes)
        results = [pipe.recv() for pipe in pipes]
        assert all(is_complete(result, 150) for result in results)
        assert len(server.requests) == 150


@pytest.mark.parametrize("hours", [-24, 24 * 365])
def test_the_claim_of_a_dead_run_is_taken_over_within_seconds_whatever_its_clock_showed(
    hours: int, tmp_path: Path
) -> None:
    with JudgeServer() as server:
        run = partial(judge_rows, L3, server, 3, cache=tmp_path / "cache")
        run()
        database = sqlite3.connect(tmp_path / "cache", isolation_level=None)
        (request,) = database.execute("SELECT request FROM replies LIMIT 1").fetchone()
        database.execute("DELETE FROM replies WHERE request = ?", (request,))
        database.execute(
            "INSERT INTO claims VALUES (?, 'dead', ?)", (request, time.time() + hours * 3600)
        )
        began = time.monotonic()
        assert run()["calls"] == {"sent": 1, "cached": 2}
        assert 4 < time.monotonic() - began < 15
        assert list(database.execute("SELECT * FROM claims")) == []
        database.close()


@pytest.mark.parametrize("pages", [1, 2, 50])
def test_with_a_full_disk_replies_are_not_cached_but_every_row_is_scored(
    pages: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect_small(*arguments: Any, **settings: Any) -> Any:
        database = connect(*arguments, **settings)
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    connect = sqlite3.connect
    with JudgeServer() as server:
        run = partial(judge_rows, L3, server, 500, cache=tmp_path / "cache")
        monkeypatch.setattr(sqlite3, "connect", connect_small)
        result = run()
        assert len(server.requests) == 500
        assert is_complete(result, 500)
        assert any("disk is full" in note for note in result["notes"])
        # With room on the disk, only the replies that were not cached are paid for again.
        monkeypatch.setattr(sqlite3, "connect", connect)
        again = run()
    assert is_complete(again, 500)
    assert again["calls"]["cached"] + again["calls"]["sent"] == 500


def test_a_locked_cache_delays_no_reply(tmp_path: Path) -> None:
    with JudgeServer(
        lambda request, number: Reply(GOOD_REPLIES[True].body, delay=0.05 * (number % 5))
    ) as server:
        run = partial(judge_rows, L3, server, cache=tmp_path / "c.sqlite")
        run(1)
        holder = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            result = run(40, timeout=1, max_retries=0, max_concurrency=8)
        finally:
            holder.close()
        assert is_complete(result, 40)
        assert any("database is locked" in note for note in result["notes"])
        assert run(40)["calls"]["cached"] == 1


# Unusable caches, and what a cache holds.


@not_on_windows
@pytest.mark.parametrize("name", ["file/cache", "file"])
def test_an_unusable_cache_is_refused_before_anything_is_sent(name: str, tmp_path: Path) -> None:
    text = "This is no database, but something that its owner may want to keep.\n" * 100
    (tmp_path / "file").write_text(text)
    with JudgeServer() as server:
        for dry_run in (False, True):
            with pytest.raises(OSError, match=f"cache is '.*{name}', which cannot be used"):
                judge_rows(L3, server, 3, cache=tmp_path / name, dry_run=dry_run)
        assert server.requests == []
    assert [path.read_text() for path in tmp_path.iterdir()] == [text]


@both_judges
def test_a_second_run_sends_nothing_and_returns_equal_results(judge: str, tmp_path: Path) -> None:
    """Replies without a verdict are cached, too; llama.cpp sends such replies.

    If a judge were asked again until it has a verdict, each run would have another mean.
    """

    def leave_out_verdict_of_odd_rows(request: Request, number: int) -> Reply:
        match = re.search(r"Answer (\d+)", request.prompt)
        assert match
        is_odd = int(match[1]) % 2
        return make_verdict("Yes") if is_odd else make_good_reply(request)

    with JudgeServer(leave_out_verdict_of_odd_rows) as server:
        run = partial(judge_rows, judge, server, 80, cache=tmp_path / "cache", on_error="skip")
        first = run()
        server.answer = make_good_reply
        second = run()
        assert len(server.requests) == 80
        same = first.keys() - {"tokens", "Cost", "notes", "note_data", "calls", "per_example"}
        assert select_keys(first, *same) == select_keys(second, *same)
        for first_row, second_row in zip(first["per_example"], second["per_example"], strict=True):
            assert first_row | {"cached": True, "requests": 0} == second_row
        assert select_keys(first, "n_scored", "n_failed") == {"n_scored": 40, "n_failed": 40}
        assert second["calls"] == {"sent": 0, "cached": 80}
        # The 40 replies sent now have no verdict again. The run does not stop, because cached
        # verdicts count when it checks whether any reply has one.
        server.answer = leave_out_verdict_of_odd_rows
        third = run(retry_unusable=True)
        assert third["calls"] == {"sent": 40, "cached": 40}
        assert third["n_scored"] == 40


@both_judges
def test_replies_cached_by_an_older_version_are_used_and_its_failed_ones_asked_for_again(
    judge: str, tmp_path: Path
) -> None:
    """That version cached failures that another request may mend, and had no table of claims."""
    empty_reply = {
        "model": "m",
        "usage": None,
        "text": None,
        "refusal": None,
        "first_token": None,
        "output": "text",
    }
    finish_reasons = ["no choices", "insufficient_system_resource", "None", "refusal"]
    with JudgeServer() as server:
        run = partial(judge_rows, judge, server, 6, cache=tmp_path / "cache", on_error="skip")
        run()
        database = sqlite3.connect(tmp_path / "cache", isolation_level=None)
        requests = [request for (request,) in database.execute("SELECT request FROM replies")]
        for request, finish in zip(requests, finish_reasons, strict=False):
            stored_reply = json.dumps({**empty_reply, "finish": finish})
            database.execute(
                "UPDATE replies SET reply = ? WHERE request = ?", (stored_reply, request)
            )
        database.execute("DROP TABLE claims")
        database.close()
        result = run()
    assert result["calls"] == {"sent": 3, "cached": 3}
    assert result["failures"] == {"refusal": 1}


DAMAGE: list[bytes] = [
    b"?",
    b"",
    b"{}",
    b"[]",
    b"null",
    b"[" * 5000,
    b'{"a":' * 5000,
    b"\xff\xfe" * 150,
    b'{"text": "Yes"}',
    b'{"model": 1, "usage": 1, "finish": 1, "text": 1, "refusal": 1, '
    b'"first_token": 1, "output": 1}',
]


@both_judges
def test_damaged_entries_of_the_cache_are_asked_for_again_and_counted_in_a_note(
    judge: str, tmp_path: Path
) -> None:
    with JudgeServer() as server:
        run = partial(judge_rows, judge, server, len(DAMAGE) + 4, cache=tmp_path / "cache")
        undamaged = run()
        database = sqlite3.connect(tmp_path / "cache", isolation_level=None)
        replies = list(database.execute("SELECT request, CAST(reply AS BLOB) FROM replies"))
        # The damage: one letter (still valid JSON), one number, an entry of an older version
        # (without a checksum: valid), DAMAGE, and a number in place of a text.
        changes = [
            replies[0][1].replace(b"judge-1", b"judge-l"),
            replies[1][1].replace(b"120", b"121"),
        ]
        entry_without_checksum = {
            name: value for name, value in json.loads(replies[2][1]).items() if name != "checksum"
        }
        changes += [json.dumps(entry_without_checksum).encode(), *DAMAGE]
        for (request, _), change in zip(replies, changes, strict=False):
            database.execute(
                "UPDATE replies SET reply = CAST(? AS TEXT) WHERE request = ?", (change, request)
            )
        database.execute(
            "UPDATE replies SET reply = 7 WHERE request = ?", (replies[len(changes)][0],)
        )
        database.close()
        dry = run(dry_run=True)
        again = run()
        third = run()
    count = len(DAMAGE) + 3
    assert dry["calls"] == count
    assert again["calls"] == {"sent": count, "cached": 1}
    for result in (dry, again):
        expected = f"damaged entries of the cache: {count}"
        assert any(expected in note for note in result["notes"]), result["notes"]
    assert third["calls"]["sent"] == 0
    assert third["notes"] == []
    assert undamaged[SCORE[judge]] == again[SCORE[judge]] == third[SCORE[judge]]


@both_judges
def test_a_request_with_another_setting_is_not_answered_from_the_cache(
    judge: str, tmp_path: Path
) -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"model": "judge-2"},
        {"extra_body": {"seed": 1}},
        {"temperature": 0},
    ]
    changes += (
        [{"prompt": "spiqa"}, {"top_logprobs": 7}] if judge == L3 else [{"prompt": "evalkit"}]
    )
    with JudgeServer() as server, JudgeServer() as second_server:
        for number, settings in enumerate(changes, 1):
            for _ in range(2):
                result = judge_rows(judge, server, 2, cache=tmp_path / "cache", **settings)
            assert len(server.requests) == 2 * number
            assert ("temperature" in result["signature"]) == ("temperature" in settings)
            assert server.requests[-1].body.get("temperature") == settings.get("temperature")
        judge_rows(judge, second_server, 2, cache=tmp_path / "cache")
        assert len(second_server.requests) == 2


@both_judges
def test_the_default_cache_is_in_the_users_folder_and_holds_no_prompt_and_no_key(
    judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with JudgeServer() as server:
        for cache, requests in ((True, 2), (True, 2), (False, 4)):
            judge_rows(judge, server, 2, cache=cache)
            assert len(server.requests) == requests
    assert len(list(tmp_path.rglob("answer_lens/judge.sqlite"))) == 1
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"judge-1" in stored
    for secret in (KEY, KEY[8:18], "Question 1", "Answer 1", "Reference 1"):
        assert secret.encode() not in stored


def test_equal_rows_share_one_request_only_with_a_cache(tmp_path: Path) -> None:
    texts = {name: column * 3 for name, column in make_columns(4).items()}
    with JudgeServer(make_slow_reply(0.02)) as server:
        shared = judge_rows(L3, server, texts, cache=tmp_path / "cache")
        assert shared["calls"] == {"sent": 4, "cached": 8}
        assert judge_rows(L3, server, texts)["calls"] == {"sent": 12, "cached": 0}
        assert len(server.requests) == 4 + 12
    assert is_complete(shared, 12)


# Concurrency, threads, keys and addresses.


def test_requests_in_flight_reach_max_concurrency_and_connections_are_closed_at_the_end() -> None:
    with JudgeServer(make_slow_reply(0.05)) as server:
        assert is_complete(judge_rows(L3, server, 21, max_concurrency=7), 21)
        assert server.most_in_flight == 7
        # Connections are reused, and closed at the end.
        assert server.n_connections <= 7
        server.wait(lambda server: not server.connections)
        server.wait(
            lambda server: (
                not {t.name for t in threading.enumerate() if t.name.startswith("judge_")}
            )
        )


def test_users_in_one_process_keep_their_keys_and_addresses_apart() -> None:
    with JudgeServer(make_slow_reply(0.01)) as first, JudgeServer(make_slow_reply(0.01)) as second:
        users = []
        for judge in (L3, EVE):
            run = partial(judge_rows, judge, max_concurrency=8)
            users.append(partial(run, first, 100, api_key="sk-user-0"))
            users.append(partial(run, second, 100, api_key="sk-user-1"))
        for result in run_at_once(users):
            assert is_complete(result, 100)
        assert first.keys == {"sk-user-0"}
        assert second.keys == {"sk-user-1"}
        assert len(first.requests) == 200
        assert len(second.requests) == 200


def run_at_once(functions: list[Any]) -> list[Any]:
    """Call each function in a thread of its own and return their results."""
    with ThreadPoolExecutor(len(functions)) as threads:
        return list(threads.map(lambda function: function(), functions))


def test_a_judge_works_inside_a_running_event_loop() -> None:
    async def main() -> Any:
        return judge_rows(L3, server, 20)

    with JudgeServer() as server:
        assert is_complete(asyncio.run(main()), 20)


OPENAI = [
    f"OPENAI_{name}" for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET")
]
HEADERS = "X-Elsewhere: sk-elsewhere\nauthorization: Bearer sk-elsewhere\nnothing"
FROM_ELSEWHERE = dict.fromkeys([*OPENAI, "DEEPSEEK_API_KEY"], "sk-elsewhere") | {
    "OPENAI_CUSTOM_HEADERS": HEADERS
}


@pytest.mark.parametrize("provider", ["openai", "deepseek", "vllm"])
@pytest.mark.parametrize("key", [KEY, None])
def test_no_key_header_or_proxy_of_the_environment_is_used_for_a_local_address(
    provider: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as server, JudgeServer() as elsewhere:
        proxy = elsewhere.url.removesuffix("/v1")
        proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"), proxy)
        for name, value in {**FROM_ELSEWHERE, **proxies, "OPENAI_BASE_URL": elsewhere.url}.items():
            monkeypatch.setenv(name, value)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert is_complete(judge_rows(L3, server, 3, provider=provider, api_key=key), 3)
        assert elsewhere.requests == []
    for request in server.requests:
        assert request.headers.get("authorization") == (f"Bearer {KEY}" if key else None)
        assert "elsewhere" not in json.dumps([request.headers, request.body])
        assert not {"openai-organization", "openai-project"} & set(request.headers)


# Results.


@both_judges
def test_each_reference_is_one_request_and_the_best_verdict_counts(judge: str) -> None:
    worse = {
        L3: make_tokens([("No", -0.1), ("Yes", -2.5)]),
        EVE: make_verdict('{"score": 0, "reasoning": "It differs."}'),
    }[judge]

    def prefer_right_reference(request: Request, number: int) -> Reply:
        return make_good_reply(request) if "the right one" in request.prompt else worse

    with JudgeServer(prefer_right_reference) as server:
        result = judge_rows(
            judge,
            server,
            make_columns(2) | {"references": [["wrong", "the right one", "off"], ["wrong"]]},
        )
    first, second = result["per_example"]
    assert first["reference"] == 1
    assert first["requests"] == 3
    assert first["usage"]["input"] == 360
    assert first["score"] > 0.5 > second["score"]


@both_judges
def test_without_any_verdict_there_is_no_mean(judge: str) -> None:
    with JudgeServer(Reply(b"")) as server:
        result = judge_rows(judge, server, 2, on_error="skip")
    expected = {
        SCORE[judge]: None,
        "lowest": 0.0,
        "highest": 1.0,
        "n_scored": 0,
        "n_failed": 2,
        "failures": {"not_json": 2},
    }
    assert select_keys(result, *expected) == expected


@pytest.mark.parametrize("counted_by", ["tiktoken o200k_base", "characters/4"])
@both_judges
def test_a_dry_run_counts_requests_and_tokens_and_sends_nothing(
    judge: str,
    counted_by: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fake tiktoken counts words as tokens.

    If its file cannot be loaded, characters are counted.
    """
    words = Mock(encode=lambda text, disallowed_special: text.split())
    offline = None if "tiktoken" in counted_by else OSError("no network")
    monkeypatch.setitem(
        sys.modules, "tiktoken", Mock(get_encoding=Mock(return_value=words, side_effect=offline))
    )
    with JudgeServer() as server:
        ask = partial(judge_rows, judge, server, cache=tmp_path / "cache")
        ask(3)
        dry = ask(10, dry_run=True, api_key=None)
        assert select_keys(dry, "calls", "cached_calls") == {"calls": 7, "cached_calls": 3}
        assert len(server.requests) == 3
        form = "|output:json_schema" if judge == EVE else ""
        assert ask(10)["signature"] == dry["signature"] + form
        prompts = [request.prompt for request in server.requests[3:]]
    counts = []
    for prompt in prompts:
        counts.append(math.ceil(len(prompt) / 4) if offline else len(prompt.split()))
    # 7 requests, each with FRAME_TOKENS = 7 for the frame around its message.
    assert dry["tokens"]["input"] == sum(counts) + 7 * 7
    assert dry["counted_by"] == counted_by


@both_judges
def test_tokens_and_cost_count_only_requests_that_were_sent(judge: str, tmp_path: Path) -> None:
    """Each reply of the server reports 120 tokens of input and 10 of output.

    gpt-4o-mini costs 0.15 USD for a million tokens of input, and 0.60 USD for a million of output.
    """
    with JudgeServer() as server:
        ask = partial(judge_rows, judge, server, cache=tmp_path / "cache")
        assert ask(3)["tokens"] == {"input": 360, "output": 30}
        # The price of judge-1 is unknown, and a note says so. Cached replies cost nothing.
        paid = ask(5)
        free = ask(5)
        assert select_keys(paid, "tokens", "Cost") == {
            "tokens": {"input": 240, "output": 20},
            "Cost": None,
        }
        assert f"no price is known for judge-1 at {server.url}" in " ".join(paid["notes"])
        assert select_keys(free, "tokens", "Cost", "notes") == {
            "tokens": {"input": 0, "output": 0},
            "Cost": 0,
            "notes": [],
        }
        if sys.version_info >= (3, 11):  # genai-prices needs it
            cost = 10 * (120 * 0.15 + 10 * 0.60) / 1e6
            assert ask(10, model="gpt-4o-mini")["Cost"] == pytest.approx(cost)
        # Some providers count thinking in the total only: 203 - 100 = 103 tokens of output.
        usage = {"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 203}
        server.answer = Reply({**GOOD_REPLIES[judge == L3].body, "usage": usage})
        assert ask(1, model="judge-2")["tokens"] == {"input": 100, "output": 103}
        server.answer = Reply({**GOOD_REPLIES[judge == L3].body, "usage": None})
        silent = ask(2, model="gpt-4o-mini-2")
    assert silent["Cost"] is None
    assert silent["n_scored"] == 2
    assert "no tokens for 2 replies" in silent["notes"][0]


# Prompts.

HOSTILE = [
    "",
    " ",
    "\n",
    "{0}",
    "{}",
    "{question}",
    "{answer}{output}",
    "{gt}{reference}",
    "{format_instructions}",
    "{{question}}",
    "<GT>",
    "<answer>",
    "'\"\"\"'''",
    '```json\n{"score": 1}\n```',
    "\\1 \\g<0> \\n \\",
    "%s %(question)s %",
    "$1 $question ${answer}",
    "half a pair \ud83d",
    "NUL \0 and bell \a",
    'Reference Answer: "{reference}"\n\nUsing the rules above',
    "中文 e\u0301 \u202e \u2028",
    "Ground-truth answer: {gt}  \nCandidate answer: {answer}",
]


# SHA-256 of each published prompt with the texts Q, P and R. In order: nhop/L3Score, google/spiqa
# at 56ed963, the card of eve-esa/open-ended, eve-esa/evalkit at ed56639 (with the
# {format_instructions} of the card).
PUBLISHED = [
    (L3, "card", "24144a0b37e876d7537b64edb1ea09b171292c54ddf687b0c99f90aa988d7ec6"),
    (L3, "spiqa", "b1cfb865a0bb3d85019e9d8a400ea2d393b85aaea7f05eddda30a48171e8ba8a"),
    (EVE, "card", "e3ba5cabbad07fe855aea9a79b69239e56fe5dc66b8c1a5ca291326860dea584"),
    (EVE, "evalkit", "874bc9937affc49df9f6b3108d646b17d41f2ee67a2857539c7ea9b87a2ff0f4"),
]


@pytest.mark.parametrize(("judge", "prompt", "digest"), PUBLISHED)
def test_every_prompt_is_the_published_one_and_quotes_its_texts_verbatim(
    judge: str, prompt: str, digest: str
) -> None:
    fill = project.import_file(judge).fill_prompt
    assert sha256(fill("Q", "P", "R", prompt).encode()).hexdigest() == digest
    # The prompt with a mark in the place of each text.
    marks = ("\x01", "\x02", "\x03")
    marked = fill(*marks, prompt)
    assert sorted(re.findall("[\x01-\x03]", marked)) == [*marks]
    for texts in itertools.product(HOSTILE, repeat=3):
        text_of_mark = dict(zip(marks, texts, strict=True))
        expected = re.sub("[\x01-\x03]", lambda mark: text_of_mark[mark[0]], marked)  # noqa: B023
        assert fill(*texts, prompt) == expected
    columns = {}
    for name, first in zip(make_columns(0), (0, 5, 11), strict=True):
        columns[name] = HOSTILE[first:] + HOSTILE[:first]
    with JudgeServer() as server:
        result = judge_rows(judge, server, columns, prompt=prompt, max_concurrency=1)
    assert is_complete(result, len(HOSTILE))
    prompts = [fill(*texts, prompt) for texts in zip(*columns.values(), strict=True)]
    assert [request.prompt for request in server.requests] == prompts


# Settings that are refused before anything is sent.

NO_CACHE = "cache is .*; True, False or the path"
# An address may hold a key: the message leaves it out.
WITHOUT_SECRET = r"base_url is 'http:\.\.\.|base_url is 'http://h/\.\.\."
REFUSED: list[tuple[str, Any, str]] = [
    ("model", " ", "model is ' '"),
    ("max_concurrency", 0, "max_concurrency is 0"),
    ("max_concurrency", "many", "max_concurrency is 'many'"),
    ("timeout", float("nan"), "timeout is nan"),
    ("max_retries", -1, "max_retries is -1"),
    ("on_error", "ignore", "on_error is 'ignore'"),
    ("temperature", "hot", "temperature is 'hot'"),
    ("extra_body", [], r"extra_body is \[\]"),
    ("extra_body", {"stream": True}, r"extra_body is \{'stream': True\}"),
    ("extra_body", {"seed": float("nan")}, "JSON"),
    ("progress", "yes", "progress is 'yes'"),
    ("cache", "\ud800", NO_CACHE),
    ("cache", None, NO_CACHE),
    ("cache", "a\0b", NO_CACHE),
    ("cache", "~no-such-user/x", NO_CACHE),
    ("cache", 5, NO_CACHE),
    ("cache", "", "cache is ''; True, False or the path"),
    ("cache", "  ", "cache is '  '; True, False or the path"),
    ("base_url", "ftp://h/v1", "base_url is"),
    ("base_url", "h:80", "base_url is"),
    ("base_url", "http://", "base_url is"),
    ("base_url", "http://h:x", "base_url is"),
    ("base_url", "http://h:0", "base_url is"),
    ("base_url", "http://me:sk-1@h/v1", WITHOUT_SECRET),
    ("base_url", "http://h/?k=1", WITHOUT_SECRET),
    ("base_url", "http://h/#1", WITHOUT_SECRET),
    ("maxretries", 1, "has no argument 'maxretries'; did you mean 'max_retries'"),
]


@both_judges
def test_an_invalid_setting_is_refused_before_anything_is_sent(judge: str) -> None:
    with JudgeServer() as server:
        for name, value, message in REFUSED:
            with pytest.raises((ValueError, TypeError), match=message):
                judge_rows(judge, server, 2, **{name: value})
        assert server.requests == []


def test_a_signature_holds_every_setting_uncut_and_no_secret() -> None:
    with JudgeServer() as server:
        long = {"a": "x" * 2000, "seed": 1}
        stop = {"stop": ["</s>"]}
        bodies = (
            stop,
            {"stop": ["<eos>"]},
            long,
            {**long, "seed": 2},
            {"api_key": "sk-other"},
            {"max_tokens": None},
        )
        signatures = [judge_rows(L3, server, 1, extra_body=body)["signature"] for body in bodies]
        # With retry_unusable the mean may differ at each run, so the signature names it.
        signatures.append(judge_rows(L3, server, 1, retry_unusable=True)["signature"])
    assert len(set(signatures)) == 7
    assert "sk-other" not in signatures[4]
    assert not any("\n" in signature for signature in signatures)
    assert ["retry_unusable:yes" in signature for signature in signatures] == [False] * 6 + [True]
