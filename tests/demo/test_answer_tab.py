"""The tab that scores one answer: what it shows step by step, who waits for whom, who is refused, what is forgotten."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from lens import words
from lens.explanations import agreement_with_people
from lens.page import access, answer_tab, background, build
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from tests.demo.made import FIRST, JUDGES, KNOWN, OF_WORDS, WITH_MODEL, scored
from tests.support.judge_server import JudgeServer, error, fitting

JUDGE = Judge.given("openai", "m", "sk-key", "")
WORDS_AT, MODELS_AT, JUDGES_AT = (
    [at for at, metric in enumerate(METRICS) if metric in kind] for kind in (OF_WORDS, WITH_MODEL, JUDGES)
)
Score = Callable[..., Outcome]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[[Score], None]:
    """Scores that take no time and ask nobody, or those of another function."""

    def take(score: Score = lambda metric, *others: scored(metric.name)) -> None:
        monkeypatch.setattr(pasted_answer, "score", score)

    take()
    return take


def stepped(steps: Any) -> list[Any]:
    """All that an asynchronous generator yields."""

    async def collect() -> list[Any]:
        return [step async for step in steps]

    return asyncio.run(collect())


def respond(language: str, asked: bool, *values: object, session: str = "s", **request: Any) -> Any:
    """The steps of a call of the page."""
    given = SimpleNamespace(**{"session_hash": session, "headers": {}, "client": None} | request)
    return answer_tab.responder(language, asked)(*values, given)


TEXTS = (*(getattr(FIRST, name) for name in ("question", "reference", "answer", "keywords")), None, "", "", "")


# What is shown


@pytest.mark.usefixtures("quick")
def test_the_page_scores_one_metric_after_another() -> None:
    first, *steps, empty = stepped(answer_tab.score_all(FIRST, True))
    assert all(
        part != other for part, other in zip(first[:1], stepped(answer_tab.score_all(FIRST, True))[0], strict=False)
    )
    changed = []
    for before, after in zip([first, *steps], steps, strict=False):
        changed.append([at for at, (one, other) in enumerate(zip(before[1:], after[1:], strict=True)) if one != other])
        assert before[0] != after[0]
    assert changed[: len(WORDS_AT)] == [[at] for at in WORDS_AT]
    assert sorted(changed[len(WORDS_AT) :]) == [[at] for at in MODELS_AT + JUDGES_AT]
    assert not any(isinstance(part, str) for part in empty), "Gradio would send it again after a newer turn"


def test_marks_and_sentence_know_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"lv_eval_f1": 0.0, "bleu": 0.9, "rouge": 0.9, "lv_eval_rouge": 0.9}
    outcomes = [scored(metric.name, values.get(metric.name, 0.5)) for metric in METRICS]
    overview, *drawn = answer_tab.page_of(FIRST, outcomes)
    marked = [METRICS[position] for position, one in enumerate(drawn) if "over 20 words (this answer)" in one]
    assert [metric for metric in KNOWN + JUDGES if metric in marked] == KNOWN
    assert "\nFor English answers of over 20 words" in overview
    assert "one wrong word in a long sentence" in overview
    answerless = answer_tab.page_of(Submission("", FIRST.reference), outcomes)
    assert "this answer)" not in "".join(answerless)
    assert "For English answers of" not in answerless[0]
    monkeypatch.setattr(agreement_with_people, "agreement", lambda: None)
    without, *plain = answer_tab.page_of(FIRST, outcomes)
    assert without.partition("</p></section>")[0] == overview.partition("\nFor English answers of")[0]
    assert "al-agrees" not in "".join(plain)


@pytest.mark.usefixtures("quick")
def test_what_is_no_text_counts_as_empty() -> None:
    first = stepped(respond("zh", False, ["x"], "Rome", {}, None, 5, None, {"x": 1}, []))[0]
    assert "正在计算" in first[1]


def test_two_visitors_at_once_are_each_answered_in_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pasted_answer, "score", lambda metric, *others: Outcome("needs", message=words.say("loading")))
    for table, text in zip(words.TABLES.values(), ("Loading here", "此处加载"), strict=True):
        monkeypatch.setitem(table, "loading", text)

    async def both() -> list[str]:
        async def all_of(number: int) -> str:
            steps = respond(
                ("en", "zh")[number % 2], False, *TEXTS, session=f"{number}", headers={"x-forwarded-for": number}
            )
            return "".join([part async for step in steps for part in step if isinstance(part, str)])

        return await asyncio.gather(*(all_of(number) for number in range(12)))

    for number, shown in enumerate(asyncio.run(both())):
        assert ("此处加载" in shown, "Loading here" in shown) == ((False, True), (True, False))[number % 2]


# Who waits for whom


def test_the_newest_submission_of_a_page_wins(quick: Any) -> None:
    gate = threading.Event()
    quick(lambda metric, *others: (gate.wait(10), scored(metric.name))[1])

    async def run() -> tuple[list[Any], list[Any]]:
        async def collect(session: str) -> list[Any]:
            return [step async for step in answer_tab.score_all(FIRST, True, session=session)]

        older = asyncio.create_task(collect("a"))
        await asyncio.sleep(0.2)
        newer = asyncio.create_task(collect("a"))
        await asyncio.sleep(0.2)
        assert older.done(), "what was overtaken still waits"
        gate.set()
        return await older, await newer

    older, newer = asyncio.run(run())
    assert (len(older), len(newer)) == (2, 2 + len(METRICS))
    assert not any(isinstance(part, str) for part in older[-1])
    assert not background.NEWEST


def test_a_closed_page_is_waited_for_by_nobody(quick: Any) -> None:
    gate = threading.Event()
    begun: list[str] = []

    def score(metric: Metric, *others: object) -> Outcome:
        begun.append(metric.name)
        gate.wait(10)
        return scored(metric.name)

    quick(score)

    async def run() -> list[Any]:
        async def collect(session: str) -> list[Any]:
            return [step async for step in answer_tab.score_all(FIRST, True, session=session)]

        pages = [asyncio.create_task(collect(session)) for session in "abcdefg"]
        while len(begun) < background.OF_WORDS.total_tokens:
            await asyncio.sleep(0.05)
        for session in "abcdefg":
            await answer_tab.leave(SimpleNamespace(session_hash=session))  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        assert all(page.done() for page in pages)
        gate.set()
        return await asyncio.gather(*pages)

    assert [len(steps) for steps in asyncio.run(run())] == [2] * 7
    assert len(begun) == background.OF_WORDS.total_tokens, "what nobody waits for any more was begun"


def test_a_slow_model_keeps_no_other_waiting(quick: Any) -> None:
    gate = threading.Event()
    slow = "cosine_similarity"
    quick(lambda metric, *others: (metric.name == slow and gate.wait(10), scored(metric.name))[1])

    async def run() -> list[str]:
        order: list[str] = []
        with background.newest("a") as overtaken:
            async for position, _ in background.results(FIRST, True, range(len(METRICS)), overtaken):
                order.append(METRICS[position].name)
                if len(order) == len(METRICS) - 1:
                    gate.set()
        return order

    assert asyncio.run(run())[-1] == slow


@pytest.mark.parametrize(("asked", "chosen", "waits"), [(True, JUDGE, 2), (False, JUDGE, 0), (True, NO_JUDGE, 0)])
def test_only_who_is_asked_waits_among_the_judges(quick: Any, asked: bool, chosen: Judge, waits: int) -> None:
    busy: list[float] = []

    def score(metric: Metric, *others: object) -> Outcome:
        busy.append(background.OF_JUDGES.borrowed_tokens)
        return scored(metric.name)

    quick(score)

    async def run() -> None:
        with background.newest("a") as overtaken:
            async for _ in background.results(FIRST, asked, JUDGES_AT, overtaken, chosen):
                pass

    asyncio.run(run())
    assert (max(busy) > 0) == bool(waits)


def test_a_visitors_judges_wait_for_those_asked_before(quick: Any) -> None:
    begun: list[str] = []
    gate = threading.Event()

    def score(metric: Metric, submission: Submission, *others: object) -> Outcome:
        if metric.judge:
            begun.append(submission.answer)
            assert gate.wait(10)
        return scored(metric.name)

    async def ask(session: str, turn: int) -> list[int]:
        submission, pending = Submission("q", "r", f"{session}{turn}"), [WORDS_AT[0], *JUDGES_AT]
        with background.newest(session) as overtaken:
            found = background.results(submission, True, pending, overtaken, JUDGE, session)
            return [position async for position, _ in found]

    async def run() -> list[list[int]]:
        asked = []
        for session, turn in (("a", 1), ("a", 2), ("a", 3), ("b", 1)):
            asked.append(asyncio.create_task(ask(session, turn)))
            await asyncio.sleep(0.3)
        assert sorted(begun) == ["a1", "a1", "b1", "b1"]
        gate.set()
        return await asyncio.gather(*asked)

    quick(score)
    some, everything = [WORDS_AT[0]], sorted([WORDS_AT[0], *JUDGES_AT])
    assert [sorted(positions) for positions in asyncio.run(run())] == [some, some, everything, everything]
    assert sorted(begun) == ["a1", "a1", "a3", "a3", "b1", "b1"]
    assert not background.ASKED


def test_one_address_has_so_many_submissions_under_way(quick: Any) -> None:
    gate = threading.Event()
    quick(lambda metric, *others: (gate.wait(10), scored(metric.name))[1])

    async def run() -> tuple[list[Any], list[Any]]:
        async def collect(number: int, address: str) -> list[Any]:
            request = {"headers": {}, "client": SimpleNamespace(host=address)}
            return [step async for step in respond("en", True, *TEXTS, session=f"{number}", **request)]

        many = [asyncio.create_task(collect(number, "1.1.1.1")) for number in range(background.MOST_OF_ADDRESS)]
        await asyncio.sleep(0.3)
        refused = await collect(99, "1.1.1.1")
        other = asyncio.create_task(collect(100, "2.2.2.2"))
        await asyncio.sleep(0.1)
        gate.set()
        await asyncio.gather(*many)
        return refused, await other

    refused, other = asyncio.run(run())
    assert len(refused) == 1
    assert "Too many submissions from your address" in refused[0][0]
    assert len(other) == 2 + len(METRICS)
    assert not background.OF_ADDRESS


# Who is refused


@pytest.mark.parametrize(
    ("host", "headers", "environment", "status"),
    [
        ("127.0.0.1:7860", {}, {}, 200),
        ("LOCALHOST:7860", {"origin": "http://localhost:7860"}, {}, 200),
        ("[::1]:7860", {"origin": "http://[::1]:7860"}, {}, 200),
        ("evil.example:7860", {"origin": "http://evil.example:7860"}, {}, 400),
        ("127.0.0.1.evil.example", {}, {}, 400),
        ("localhost@evil.example", {}, {}, 400),
        ("", {}, {}, 400),
        ("localhost:7860", {"origin": "http://evil.example"}, {}, 403),
        ("localhost:7860", {"origin": "http://localhost:3000"}, {}, 403),
        ("localhost:7860", {"origin": "null"}, {}, 403),
        ("localhost:7860", {"x-forwarded-for": "1.2.3.4"}, {}, 403),
        ("localhost:7860", {"forwarded": "for=1.2.3.4"}, {}, 403),
        ("my-desk:7860", {}, {"GRADIO_SERVER_NAME": "My-Desk", "ANSWER_LENS_PUBLIC": "0"}, 200),
        ("evil.example", {}, {"GRADIO_SERVER_NAME": "0.0.0.0", "ANSWER_LENS_PUBLIC": "0"}, 400),
        ("org.hf.space", {"origin": "https://hf.co", "x-forwarded-for": "1.2.3.4"}, {"SPACE_ID": "org/space"}, 200),
    ],
)
def test_no_other_website_speaks_for_the_owner(
    monkeypatch: pytest.MonkeyPatch, host: str, headers: dict[str, str], environment: dict[str, str], status: int
) -> None:
    for name in ("SPACE_ID", "ANSWER_LENS_PUBLIC", "GRADIO_SHARE", "GRADIO_SERVER_NAME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    answer = guarded().get("/gradio_api/queue/data", headers={"host": host, **headers})
    assert answer.status_code == status
    assert ("ANSWER_LENS_PUBLIC=1" in answer.text) == (status == 403)


def guarded() -> TestClient:
    """A page that says "page" to whatever passes the guards."""
    page: Any = PlainTextResponse("page")
    for guard in reversed(access.guards()):
        page = guard.cls(page, *guard.args, **guard.kwargs)
    return TestClient(page, base_url="http://localhost")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/gradio_api/queue/join", {"content-length": "4000000"}, 200),
        ("/gradio_api/queue/join", {"content-length": "4000001"}, 413),
        ("/gradio_api/upload", {"content-length": "4000001"}, 200),
        ("/gradio_api/queue/join", {"content-length": "-1"}, 413),
        ("/gradio_api/queue/join", {"content-length": "x"}, 413),
        ("/gradio_api/queue/join", {"transfer-encoding": "chunked"}, 413),
        ("/gradio_api/deep_link?session_hash=x", {}, 404),
        ("/gradio_api/call/respond", {}, 404),
        ("/gradio_api/run/respond", {}, 404),
        ("/gradio_api/runs", {}, 404),
        ("/gradio_api/info", {}, 404),
        ("/gradio_api//upload", {}, 404),
        ("/zh/gradio_api/deep_link", {}, 404),
    ],
)
def test_what_the_page_never_asks_for_is_refused(path: str, headers: dict[str, str], status: int) -> None:
    assert guarded().get(path, headers=headers).status_code == status


# What is forgotten


@pytest.fixture(scope="module")
def served() -> Iterator[Any]:
    """The page, served in this process."""
    page = build.build()
    options = {"prevent_thread_lock": True, "quiet": True, "run_history": False, "enable_monitoring": False}
    page.launch(**options, state_session_capacity=256, app_kwargs={"middleware": access.guards()})
    yield page
    page.close()


def call(page: Any, session: str, asked: bool, *values: object) -> str:
    """All that the server answers to one submission."""
    at = next(
        number
        for number, event in page.fns.items()
        if event.concurrency_id == "scores" and ("sent(true" in str(event.js)) == asked
    )
    body = {"data": [*values], "fn_index": at, "session_hash": session, "trigger_id": 1}
    request = urllib.request.Request(
        f"{page.local_url}gradio_api/queue/join", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=30).close()
    found = ""
    with urllib.request.urlopen(f"{page.local_url}gradio_api/queue/data?session_hash={session}", timeout=30) as lines:
        for line in lines:
            found += line.decode()
            if b'"process_completed"' in line:
                break
    return found


def holders(mark: Callable[[], str]) -> list[type]:
    """The kinds of objects that hold a text in which what `mark` gives stands."""

    def held(value: object) -> bool:
        return (type(value) is str and mark() in value) or (type(value) is bytes and mark().encode() in value)

    gc.collect()
    return [type(one) for one in gc.get_objects() if any(held(part) for part in gc.get_referents(one))]


def test_no_reference_to_a_key_is_kept(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = pasted_answer.score
    quick = lambda metric, *others: real(metric, *others) if metric.judge else scored(metric.name)  # noqa: E731
    monkeypatch.setattr(pasted_answer, "score", quick)

    def key() -> str:
        return "sk-" + "".join(reversed("Zq7WvN3xR9tKb5Lm"))

    with JudgeServer(
        lambda request, number: fitting(request) if number < 2 else error(401, f"No: {request.key}")
    ) as server:
        for question in ("right?", "wrong?"):
            said = call(served, "keyed", True, question, "Paris", "Paris", "", "vllm", "m", key(), server.url)
            assert "process_completed" in said
            assert key() not in said
        assert server.keys == {key()}
        server.requests.clear()
        server.encoded.clear()
    assert holders(key) == []


@pytest.mark.usefixtures("quick")
def test_nothing_that_was_typed_or_shown_is_held(served: Any) -> None:
    for number in range(20):
        said = call(served, f"typed{number % 4}", False, "", "Paris", f"Xyzzy{number} city", "", None, "", "", "")
        assert "process_completed" in said
    assert holders(lambda: "1yzzyX"[::-1]) == []


def test_the_running_page_refuses_what_the_page_never_asks_for(served: Any) -> None:
    for path in (
        "gradio_api/deep_link?session_hash=keyed",
        "gradio_api/info",
        "gradio_api/runs",
        "gradio_api/file=app.py",
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{served.local_url}gradio_api/{path}", timeout=30)
        assert refused.value.code in (403, 404)
    with contextlib.closing(urllib.request.urlopen(f"{served.local_url}config", timeout=30)) as answer:
        config = json.load(answer)
    assert [config[name] for name in ("run_history", "show_error", "analytics_enabled")] == [False] * 3
    assert not [one for one in config["dependencies"] if one["api_visibility"] == "public"]


# Both languages


def test_each_page_has_its_words_in_its_language() -> None:
    pages: dict[str, str] = {}
    for language, place in build.PLACES.items():
        blocks = [one for one in build.demo.blocks.values() if one.page == place]
        shown = [str(getattr(one, name, "")) for one in blocks for name in ("label", "info", "placeholder")]
        pages[language] = "\n".join(shown)
        assert words.TABLES[language]["judge_key_info_here"] in pages[language]
    assert "Answer to score" not in pages["zh"]
    assert not re.search("[\u3400-\u9fff]", pages["en"])
