"""l3score and eve_judge over long runs: killed, interrupted, resumed, shared, without disk, and with hostile texts.

What ends with its process runs in one of its own.
"""

import asyncio
import itertools
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import FITTING, JudgeServer, Reply, Request, fitting, tokens, verdict
from tests.support.processes import FORKED

L3, EVE = "l3score", "eve_judge"
JUDGES = (L3, EVE)
both_judges = pytest.mark.parametrize("judge", JUDGES)
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals and limits")
SCORE = {L3: "L3Score", EVE: "accuracy"}
EVALKIT = "b5ed3567e6ba19d2e2798f96249ed99e72eb09bcae8ce35fdbf5508e369021e8"
VARIANTS = [(L3, "card"), (L3, "spiqa"), (EVE, "card"), (EVE, "evalkit")]
# The rows of EVE's question set, for whose sake none may be lost.
ROWS, CONCURRENCY = 1257, 64
KEY = "sk-test-Zx7QwErTy93Po"
SETTINGS = {"model": "judge-1", "progress": False, "per_example": True, "timeout": 20.0, "api_key": KEY}


def columns(count: int) -> dict[str, list[str]]:
    """Return so many different rows."""
    names = {"questions": "Question", "predictions": "Answer", "references": "Reference"}
    return {column: [f"{name} {number}" for number in range(count)] for column, name in names.items()}


def judged(judge: str, server: JudgeServer, count: int, **settings: Any) -> Any:
    """Return the result of judging so many rows in this process."""
    given = {**SETTINGS, "base_url": server.url, "max_concurrency": CONCURRENCY, "cache": False, **settings}
    return project.load(judge).compute(**{**columns(count), **given})


class Started:
    """A process of its own that judges so many rows. limit: the most bytes a file may have there."""

    def __init__(self, judge: str, server: JudgeServer, cache: Path, count: int = ROWS, limit: int = 0) -> None:
        settings = {**SETTINGS, "base_url": server.url, "max_concurrency": CONCURRENCY, "cache": str(cache)}
        self.pipe, theirs = FORKED.Pipe()
        self.process = FORKED.Process(target=run, args=(judge, count, limit, settings, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process.pid
        os.kill(self.process.pid, number)

    def ended(self) -> Any:
        """Return the result, or the error's name, once it has ended."""
        if not self.pipe.poll(120):
            self.process.kill()
            raise TimeoutError("the process goes on and on")
        result = self.pipe.recv()
        self.process.join(10)
        return result


def run(judge: str, count: int, limit: int, settings: dict[str, Any], pipe: Any) -> None:
    """Be that process."""
    # Tests that run in the background ignore Ctrl-C, and so would this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    metric = project.load(judge)
    if limit:
        import resource

        # What exceeds the limit fails to be written, as on a full disk, instead of ending the process.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        result = metric.compute(**columns(count), **settings)
    except BaseException as failure:
        result = {"error": type(failure).__name__, "message": str(failure)}
    pipe.send(result)


def slow(delay: float) -> Any:
    """Answer every request well, after so many seconds."""
    replies = {kind: Reply(reply.body, delay=delay) for kind, reply in FITTING.items()}
    return lambda request, number: replies[bool(request.body.get("logprobs"))]


def well(result: Any, count: int = ROWS) -> bool:
    """Tell whether every row is scored."""
    return bool(result["n_scored"] == count and not result["n_failed"] and not result["failures"])


# Runs that are broken off.


@not_on_windows
@both_judges
def test_a_run_killed_at_call_900_goes_on_from_there(judge: str, tmp_path: Path) -> None:
    with JudgeServer(slow(0.02)) as server:
        first = Started(judge, server, tmp_path / "cache")
        server.wait(lambda server: len(server.requests) >= 900)
        first.signal(signal.SIGKILL)
        first.process.join(10)
        assert first.process.exitcode == -signal.SIGKILL
        assert 900 <= len(server.requests) < ROWS
        result = Started(judge, server, tmp_path / "cache").ended()
    assert well(result)
    # None was paid for twice but those whose answer was on its way.
    assert ROWS <= len(server.requests) <= ROWS + CONCURRENCY
    assert result["calls"]["cached"] >= 900 - CONCURRENCY
    fill = project.functions(judge).fill_prompt
    assert {request.prompt for request in server.requests} == set(map(fill, *columns(ROWS).values()))


@not_on_windows
@both_judges
def test_ctrl_c_sends_no_more_and_keeps_what_arrives(judge: str, tmp_path: Path) -> None:
    sent = 3 * CONCURRENCY

    def answer(request: Request, number: int) -> Reply:
        return fitting(request) if number < sent - CONCURRENCY else Reply(fitting(request).body, way="held")

    with JudgeServer(answer) as server:
        process = Started(judge, server, tmp_path / "cache")
        server.wait(lambda server: len(server.requests) == sent)
        process.signal(signal.SIGINT)
        # None is answered before the process knows of it, so none is about to be sent.
        time.sleep(1)
        server.release()
        assert process.ended()["error"] == "KeyboardInterrupt"
        assert len(server.requests) == sent
        server.answer = fitting
        again = Started(judge, server, tmp_path / "cache").ended()
        assert well(again)
        # Those in flight arrived and were kept.
        assert again["calls"] == {"sent": ROWS - sent, "cached": sent}
        # Where none arrives, no more than a few seconds are waited: the process ends, long before a request would.
        server.answer = Reply(way="hang")
        process = Started(judge, server, tmp_path / "other", 100)
        server.wait(lambda server: len(server.requests) == ROWS + CONCURRENCY)
        process.signal(signal.SIGINT)
        assert process.ended()["error"] == "KeyboardInterrupt"
        assert len(server.requests) == ROWS + CONCURRENCY


@both_judges
def test_processes_and_threads_share_a_cache(judge: str, tmp_path: Path) -> None:
    with JudgeServer(slow(0.01)) as server:
        started = [Started(judge, server, tmp_path / "cache") for _ in range(2)]
        results = [process.ended() for process in started]
        assert all(well(result) for result in results)
        assert ROWS <= len(server.requests) <= 2 * ROWS
        sent = len(server.requests)
        again = at_once([partial(judged, judge, server, ROWS, cache=tmp_path / "cache", api_key="sk-another")] * 4)
        # Whoever pays for it, a reply is the same.
        assert len(server.requests) == sent
    assert all(result["calls"] == {"sent": 0, "cached": ROWS} for result in again)
    assert len({result[SCORE[judge]] for result in results + again}) == 1


@not_on_windows
@pytest.mark.parametrize(("judge", "limit"), [(L3, 1), (L3, 20_000), (L3, 200_000), (EVE, 20_000)])
def test_a_full_disk_costs_the_cache_and_no_row(judge: str, limit: int, tmp_path: Path) -> None:
    """A limit of the size of files stands for the disk: SQLite meets both as a write that fails."""
    with JudgeServer() as server:
        result = Started(judge, server, tmp_path / "cache", limit=limit).ended()
        assert len(server.requests) == ROWS
        assert well(result)
        note = next(note for note in result["notes"] if "stored" in note)
        # Without the limit: only what could not be kept is paid for again.
        again = Started(judge, server, tmp_path / "cache").ended()
    assert well(again)
    assert str(again["calls"]["sent"]) in note
    assert again["calls"]["cached"] + again["calls"]["sent"] == ROWS


@both_judges
def test_a_full_file_system_costs_the_cache_and_no_row(judge: str, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no small file system can be mounted here")
    try:
        with JudgeServer() as server:
            result = Started(judge, server, small / "cache").ended()
            assert len(server.requests) == ROWS
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)
    assert well(result)
    assert any("stored" in note for note in result["notes"])


def test_a_locked_cache_makes_no_reply_late(tmp_path: Path) -> None:
    with JudgeServer(lambda request, number: Reply(FITTING[True].body, delay=0.05 * (number % 5))) as server:
        run = partial(judged, L3, server, cache=tmp_path / "c.sqlite")
        run(1)
        holder = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            result = run(40, timeout=1, max_retries=0, max_concurrency=8)
        finally:
            holder.close()
        assert well(result, 40)
        assert any("could not be stored" in note for note in result["notes"])
        assert run(40)["calls"]["cached"] == 1


# Caches that are none.


@not_on_windows
@both_judges
@pytest.mark.parametrize("place", ["in a file", "no database", "read only"])
def test_a_cache_that_cannot_be_opened_is_said_before_anything_is_sent(judge: str, place: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("This is no database, but something that its owner may want to keep.\n" * 100)
    cache = {"in a file": file / "cache", "no database": file, "read only": Path("/proc/cache")}[place]
    with JudgeServer() as server:
        with pytest.raises(OSError, match=re.escape(str(cache))):
            judged(judge, server, 3, cache=str(cache))
        assert server.requests == []
    assert file.read_text().startswith("This is no database")


@both_judges
@pytest.mark.parametrize("cache", ["", "\ud800", "a\0b", 7, None, b""])
def test_a_cache_that_is_no_path_is_refused(
    judge: str, cache: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with JudgeServer() as server:
        for settings in ({}, {"dry_run": True}):
            with pytest.raises(ValueError, match=r"^cache is .*; True, False or the path of a file is expected$"):
                judged(judge, server, 3, cache=cache, **settings)
        assert server.requests == []
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("stored", ["{}", '{"choices": [{}]}', "[]", "null", "no JSON", "\x00"])
def test_what_is_no_reply_in_the_cache_is_asked_again(stored: str, tmp_path: Path) -> None:
    with JudgeServer() as server:
        run = partial(judged, L3, server, 1, cache=tmp_path / "c.sqlite")
        run()
        with sqlite3.connect(tmp_path / "c.sqlite") as database:
            database.execute("UPDATE replies SET reply = ?", (stored,))
        assert run(dry_run=True)["calls"] == 1
        assert run()["calls"] == {"sent": 1, "cached": 0}
        assert run()["calls"] == {"sent": 0, "cached": 1}


# What is kept, and asked for again.


@both_judges
def test_a_second_run_sends_nothing_and_says_the_same(judge: str, tmp_path: Path) -> None:
    """Also where only some replies have a verdict, as llama.cpp gives some first tokens no log-probabilities: the mean
    of a judge that is asked until it has one would be another at each run.
    """

    def answer(request: Request, number: int) -> Reply:
        odd = int(re.search(r"Answer (\d+)", request.prompt)[1]) % 2  # type: ignore[index]
        return verdict("Yes") if odd else fitting(request)

    with JudgeServer(answer) as server:
        run = partial(judged, judge, server, 80, cache=tmp_path / "cache", on_error="skip")
        first = run()
        server.answer = fitting
        second = run()
        assert len(server.requests) == 80
        assert second["calls"] == {"sent": 0, "cached": 80}
        for key in ("signature", "n_scored", "failures", SCORE[judge], "lowest", "highest"):
            assert first[key] == second[key]
        told = ["score", "reason", "message", "note", "reference", "model", "usage"]
        told += ["branch", "p_yes", "p_no", "mass", "top_tokens"] if judge == L3 else ["reasoning", "reply"]
        for one, other in zip(first["per_example"], second["per_example"], strict=True):
            assert [one[key] for key in told] == [other[key] for key in told]
            assert (one["cached"], other["cached"]) == (False, True)
        assert (first["n_scored"], first["n_failed"]) == (40, 40)
        # Those that have a verdict count when it is judged whether any has one.
        server.answer = answer
        third = run(retry_unusable=True)
        assert (third["calls"], third["n_scored"]) == ({"sent": 40, "cached": 40}, 40)
        server.answer = fitting
        assert run(retry_unusable=True)["n_scored"] == 80


@both_judges
def test_a_changed_request_is_another_request(judge: str, tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [{}, {"model": "judge-2"}, {"extra_body": {"seed": 1}}, {"temperature": 0}]
    changes += [{"prompt": "spiqa"}, {"top_logprobs": 7}] if judge == L3 else [{"prompt": "evalkit"}]
    with JudgeServer() as server, JudgeServer() as other:
        for number, settings in enumerate(changes, 1):
            for _ in range(2):
                result = judged(judge, server, 2, cache=tmp_path / "cache", **settings)
            assert len(server.requests) == 2 * number
            assert ("temperature" in result["signature"]) == ("temperature" in settings)
            assert server.requests[-1].body.get("temperature") == settings.get("temperature")
        judged(judge, other, 2, cache=tmp_path / "cache")
        assert len(other.requests) == 2


@both_judges
def test_the_cache_lies_in_the_users_folder_and_holds_no_prompt_and_no_key(
    judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with JudgeServer() as server:
        for cache, requests in ((True, 2), (True, 2), (False, 4)):
            judged(judge, server, 2, cache=cache)
            assert len(server.requests) == requests
    assert len(list(tmp_path.rglob("answer_lens/judge.sqlite"))) == 1
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"judge-1" in stored
    for secret in (KEY, KEY[8:18], "Question 1", "Answer 1", "Reference 1"):
        assert secret.encode() not in stored


@both_judges
def test_equal_rows_share_a_request_and_without_a_cache_none(judge: str, tmp_path: Path) -> None:
    texts: Any = {name: column * 3 for name, column in columns(4).items()}
    with JudgeServer(slow(0.02)) as server:
        shared = judged(judge, server, 0, **texts, cache=tmp_path / "cache")
        assert shared["calls"] == {"sent": 4, "cached": 8}
        assert judged(judge, server, 0, **texts)["calls"] == {"sent": 12, "cached": 0}
        assert len(server.requests) == 4 + 12
    assert well(shared, 12)


# Who calls, and from where.


@both_judges
def test_no_more_is_in_flight_than_allowed_and_no_less_and_nothing_stays_behind(judge: str) -> None:
    for concurrency in (1, 7):
        with JudgeServer(slow(0.05)) as server:
            assert well(judged(judge, server, 3 * concurrency, max_concurrency=concurrency), 3 * concurrency)
            assert server.most_in_flight == concurrency
            # Connections are kept, and closed at the end.
            assert server.n_connections <= concurrency
            server.wait(lambda server: not server.connections)
            server.wait(lambda server: not {t.name for t in threading.enumerate() if t.name.startswith("judge_")})


def test_users_in_one_process_keep_their_keys_and_addresses_apart() -> None:
    keys = [f"sk-user-{number}" for number in range(2)]
    with JudgeServer(slow(0.01)) as first, JudgeServer(slow(0.01)) as second:
        users = [partial(judged, judge, server, 100, api_key=key, max_concurrency=8)
                 for judge in JUDGES for server, key in zip((first, second), keys, strict=True)]  # fmt: skip
        assert all(well(result, 100) for result in at_once(users))
        assert (first.keys, second.keys) == ({keys[0]}, {keys[1]})
        assert len(first.requests) == len(second.requests) == 200


def at_once(functions: list[Any]) -> list[Any]:
    """Return the results of functions, each called in a thread of its own."""
    results: list[Any] = [None] * len(functions)

    def call(number: int) -> None:
        results[number] = functions[number]()

    threads = [threading.Thread(target=call, args=(number,)) for number in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@both_judges
def test_it_works_inside_a_running_event_loop(judge: str) -> None:
    async def main() -> Any:
        return judged(judge, server, 20)

    with JudgeServer() as server:
        assert well(asyncio.run(main()), 20)


FROM_ELSEWHERE = {
    "OPENAI_API_KEY": "sk-elsewhere-1",
    "OPENAI_ADMIN_KEY": "sk-elsewhere-2",
    "OPENAI_ORG_ID": "org-elsewhere",
    "OPENAI_PROJECT_ID": "proj-elsewhere",
    "OPENAI_CUSTOM_HEADERS": "X-Elsewhere: sk-elsewhere-3\nauthorization: Bearer sk-elsewhere-4\nnothing",
    "OPENAI_WEBHOOK_SECRET": "elsewhere-5",
    "DEEPSEEK_API_KEY": "sk-elsewhere-6",
}


@both_judges
@pytest.mark.parametrize("provider", ["openai", "deepseek", "vllm"])
@pytest.mark.parametrize("key", [KEY, None])
def test_nothing_of_the_environment_reaches_a_users_address(
    judge: str, provider: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer() as server, JudgeServer() as elsewhere:
        proxy = elsewhere.url.removesuffix("/v1")
        proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"), proxy)
        for name, value in {**FROM_ELSEWHERE, **proxies, "OPENAI_BASE_URL": elsewhere.url}.items():
            monkeypatch.setenv(name, value)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert well(judged(judge, server, 3, provider=provider, api_key=key), 3)
        assert elsewhere.requests == []
    for request in server.requests:
        assert request.headers.get("authorization") == (f"Bearer {KEY}" if key else None)
        assert "elsewhere" not in json.dumps([request.headers, request.body])
        assert not {"openai-organization", "openai-project"} & set(request.headers)


@pytest.mark.parametrize("provider", ["openai", "xai"])
def test_a_missing_key_is_named_by_its_variable(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(f"{provider.upper()}_API_KEY", raising=False)
    with pytest.raises(ValueError, match=f"set {provider.upper()}_API_KEY in the environment"):
        project.load(EVE).compute(**columns(1), model="judge-1", provider=provider, cache=False)


@both_judges
def test_a_redirect_is_not_followed(judge: str) -> None:
    with JudgeServer() as other:
        moved = Reply(b"", 307, {"location": f"{other.url}/chat/completions"})
        with JudgeServer(moved) as server, pytest.raises(RuntimeError, match=r"\(redirect\)"):
            judged(judge, server, 3, max_concurrency=1)
        assert (len(server.requests), other.requests) == (1, [])


# Results.


@both_judges
def test_each_reference_is_one_call_and_the_best_counts(judge: str) -> None:
    worse = {L3: tokens([("No", -0.1), ("Yes", -2.5)]), EVE: verdict('{"score": 0, "reasoning": "It differs."}')}[judge]

    def answer(request: Request, number: int) -> Reply:
        return fitting(request) if "the right one" in request.prompt else worse

    with JudgeServer(answer) as server:
        references: Any = [["wrong", "the right one", "off"], ["wrong"]]
        result = judged(judge, server, 2, references=references)
    first, second = result["per_example"]
    assert (first["reference"], first["requests"], first["usage"]["input"]) == (1, 3, 360)
    assert first["score"] > 0.5 > second["score"]


@both_judges
def test_rows_without_a_verdict_are_skipped_within_bounds(judge: str) -> None:
    """Whatever the failed rows would have scored, the mean would lie within the bounds."""

    def answer(request: Request, number: int) -> Reply:
        return Reply(b"") if re.search(r"Answer [148]\b", request.prompt) else fitting(request)

    with JudgeServer(answer) as server:
        result = judged(judge, server, 10, on_error="skip")
        scored = [row["score"] for row in result["per_example"] if row["score"] is not None]
        assert (result["n_scored"], result["n_failed"], len(scored)) == (7, 3, 7)
        means = (result[SCORE[judge]], result["lowest"], result["highest"])
        assert means == pytest.approx((sum(scored) / 7, sum(scored) / 10, (sum(scored) + 3) / 10))
        server.answer = Reply(b"")
        nothing = judged(judge, server, 2, on_error="skip")
    assert (nothing[SCORE[judge]], nothing["lowest"], nothing["highest"]) == (None, 0.0, 1.0)
    assert (nothing["n_scored"], nothing["n_failed"], nothing["failures"]) == (0, 2, {"not_json": 2})


class Tokens:
    """Stands in for tiktoken: counts words, once it has its file."""

    name = "o200k_base"

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble = trouble

    def encoding_for_model(self, model: str) -> "Tokens":
        if self.trouble:
            raise self.trouble
        if model == "judge-1":
            raise KeyError(model)
        return self

    def get_encoding(self, name: str) -> "Tokens":
        assert name == self.name
        return self

    def encode(self, text: str, disallowed_special: Any) -> list[str]:
        return text.split()


@both_judges
@pytest.mark.parametrize("package", [Tokens(), Tokens(OSError("no network")), None], ids=["at hand", "offline", "none"])
def test_a_dry_run_sends_nothing_and_counts(
    judge: str, package: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", package)
    words = package is not None and package.trouble is None
    with JudgeServer() as server:
        ask = partial(judged, judge, server, cache=tmp_path / "cache")
        ask(3)
        dry = ask(10, dry_run=True, api_key=None)
        assert (dry["calls"], dry["cached_calls"], len(server.requests)) == (7, 3, 3)
        form = "|output:json_schema" if judge == EVE else ""
        assert ask(10)["signature"] == dry["signature"] + form
        prompts = [request.prompt for request in server.requests[3:]]
    counts = [len(prompt.split()) if words else -(-len(prompt) // 4) for prompt in prompts]
    assert dry["tokens"]["input"] == sum(counts) + 7 * 7
    assert dry["counted_by"] == ("tiktoken o200k_base" if words else "characters/4")


@both_judges
def test_tokens_and_cost_are_those_of_what_was_paid_for(judge: str, tmp_path: Path) -> None:
    """gpt-4o-mini: 0.15 USD for a million tokens of input, 0.60 for one of output."""
    with JudgeServer() as server:
        ask = partial(judged, judge, server, cache=tmp_path / "cache")
        assert ask(3)["tokens"] == {"input": 360, "output": 30}
        # The price of judge-1 is unknown, and that is said; what came from the cache costs nothing.
        paid, free = ask(5), ask(5)
        assert (paid["tokens"], paid["Cost"]) == ({"input": 240, "output": 20}, None)
        assert any("price" in note for note in paid["notes"])
        assert (free["tokens"], free["Cost"], free["notes"]) == ({"input": 0, "output": 0}, 0, [])
        if sys.version_info >= (3, 11):  # genai-prices needs it
            assert ask(10, model="gpt-4o-mini")["Cost"] == pytest.approx(10 * (120 * 0.15 + 10 * 0.60) / 1e6)
        server.answer = Reply({**FITTING[judge == L3].body, "usage": None})
        silent = ask(2, model="gpt-4o-mini-2")
    assert (silent["Cost"], silent["n_scored"]) == (None, 2)
    assert "no tokens for 2 replies" in silent["notes"][0]


# Prompts.

HOSTILE = ["", " ", "\n", "{0}", "{}", "{question}", "{answer}{output}", "{gt}{reference}", "{format_instructions}",
           "{{question}}", "<GT>", "<answer>", "'\"\"\"'''", "```json\n{\"score\": 1}\n```", "\\1 \\g<0> \\n \\",
           "%s %(question)s %", "$1 $question ${answer}", "half a pair \ud83d", "NUL \0 and bell \a",
           'Reference Answer: "{reference}"\n\nUsing the rules above', "中文 e\u0301 \u202e \u2028",
           "Ground-truth answer: {gt}  \nCandidate answer: {answer}"]  # fmt: skip


@pytest.mark.parametrize(("judge", "prompt"), VARIANTS)
def test_every_prompt_holds_its_texts_verbatim_and_arrives_so(judge: str, prompt: str) -> None:
    fill = project.functions(judge).fill_prompt
    marks = {"\x01": 0, "\x02": 1, "\x03": 2}
    parts = [marks.get(part, part) for part in re.split("([\x01\x02\x03])", fill(*marks, prompt))]
    assert sorted(parts[1::2]) == [0, 1, 2]
    for triple in itertools.product(HOSTILE, repeat=3):
        assert fill(*triple, prompt) == "".join(part if isinstance(part, str) else triple[part] for part in parts)
    texts: Any = dict(zip(columns(0), (HOSTILE[n:] + HOSTILE[:n] for n in (0, 5, 11)), strict=True))
    with JudgeServer() as server:
        assert well(judged(judge, server, 0, **texts, prompt=prompt, max_concurrency=1), len(HOSTILE))
    assert [request.prompt for request in server.requests] == [
        fill(*t, prompt) for t in zip(*texts.values(), strict=True)
    ]
    assert all(len(request.body["messages"]) == 1 for request in server.requests)


CARD_L3 = (
    "You are given a question, ground-truth answer, and a candidate answer.\n\nQuestion: Q  \n"
    "Ground-truth answer: R  \nCandidate answer: P\n\n"
    "Is the semantic meaning of the ground-truth and candidate answers similar?  \n"
    "Answer in one word - Yes or No."
)
SPIQA = (
    "You are given a question, ground-truth answer, and a candidate answer. Question: Q \nGround-truth answer: R \n"
    "Candidate answer: P \nIs the semantic meaning of the ground-truth and candidate answers similar? "
    "Answer in one word - Yes or No."
)


def test_the_prompts_are_the_published_ones() -> None:
    fill = project.functions(L3).fill_prompt
    assert fill("Q", "P", "R") == fill("Q", "P", "R", "card") == CARD_L3
    assert fill("Q", "P", "R", "spiqa") == SPIQA
    asks = project.functions(EVE).fill_prompt("Q", "P", "R")
    assert asks.startswith(
        "You are a strict fact-checker for Earth Observation (EO). Your task is to give a score of 0"
    )
    assert 'Question: "Q"\nProvided Answer: "P"\nReference Answer: "R"\n' in asks
    # The text in metrics/prompts/llm_judge_qa.yaml of eve-esa/evalkit at ed56639.
    evalkit, given, _ = project.functions(EVE).PROMPTS["evalkit"].partition("Respond in JSON")
    assert sha256(f"{evalkit}{{format_instructions}}".encode()).hexdigest() == EVALKIT, given


# What is refused before anything is sent.

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"model": None}, "model is None"),
    ({"model": " "}, "model is ' '"),
    ({"provider": "groq"}, "provider is 'groq'; one of 'openai'"),
    ({"provider": []}, r"provider is \[\]"),
    ({"max_concurrency": 0}, "max_concurrency is 0"),
    ({"max_concurrency": "many"}, "max_concurrency is 'many'"),
    ({"timeout": 0}, "timeout is 0"),
    ({"timeout": float("nan")}, "timeout is nan"),
    ({"max_retries": -1}, "max_retries is -1"),
    ({"on_error": "ignore"}, "on_error is 'ignore'"),
    ({"progress": "no"}, "progress is 'no'"),
    ({"retry_unusable": 1}, "retry_unusable is 1"),
    ({"prompt": "mine"}, "prompt is 'mine'"),
    ({"temperature": "hot"}, "temperature is 'hot'"),
    ({"temperature": True}, "temperature is True"),
    ({"temperature": float("nan")}, "temperature is nan"),
    ({"extra_body": []}, r"extra_body is \[\]"),
    ({"extra_body": {"stream": True}}, "extra_body has 'stream'"),
    ({"extra_body": {"seed": float("nan")}}, "extra_body cannot be sent"),
    *(
        ({"base_url": address}, "base_url is")
        for address in ("ftp://h/v1", "h:80", "http://", "http://h:x", "http://h:0")
    ),
    *(({"base_url": f"http://{h}"}, "base_url holds more than an address") for h in ("me:sk-1@h/v1", "h/?k=1", "h/#1")),
    ({"temperatur": 1}, "has no argument 'temperatur'; did you mean 'temperature'"),
    ({"maxretries": 1}, "has no argument 'maxretries'; did you mean 'max_retries'"),
]


@both_judges
def test_a_setting_that_makes_no_sense_is_refused_before_anything_is_sent(judge: str) -> None:
    with JudgeServer() as server:
        for wrong, message in REFUSED:
            with pytest.raises((ValueError, TypeError), match=message):
                judged(judge, server, 2, **wrong)
        assert server.requests == []


def test_what_stands_in_a_signature_is_not_cut_and_not_secret() -> None:
    with JudgeServer() as server:
        long, stop = {"a": "x" * 2000, "seed": 1}, {"stop": ["</s>"]}
        bodies = (stop, {"stop": ["<eos>"]}, long, {**long, "seed": 2}, {"api_key": "sk-other"})
        signatures = [judged(L3, server, 1, extra_body=body)["signature"] for body in bodies]
    assert len(set(signatures)) == 5
    assert "sk-other" not in signatures[4]
    assert not any("\n" in signature for signature in signatures)
