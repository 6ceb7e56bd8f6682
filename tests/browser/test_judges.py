"""The judges of the demo: nobody is asked unasked, what they say is shown, and the visitor's key shows nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import doctest
import functools
import gc
import importlib
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from browsing import Demo
from conftest import SPACE
from lens import words
from lens.explanations import disagreement
from lens.page import background, cards, judge_reasons
from lens.page.examples import EXAMPLES
from lens.scoring import catalog, pasted_answer
from lens.scoring import judge as judging
from lens.scoring.catalog import METRICS
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome
from test_cards import scored, visible
from test_page import FOUR, JUDGES, NIAGARA, WATCH, fill, opened, press_score, scores, wait_ready

from tests.support.judge_server import JudgeServer, Reply, Request, error, fitting, says, verdict
from tests.support.judge_server import completion as completed
from tests.support.project import functions

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
KEY = "sk-Zq7WvN3xR9tKb5Lm2HdYp8FcJs4Ga6Ue"
MARKUP = "<img src=x onerror=\"window.broken='reasoning'\"></p></article> \u202e 中文 " + "x" * 300
FILE = {"path": KEY, "meta": {"_type": "gradio.FileData"}}
BY_NAME = {metric.name: metric for metric in METRICS}
# Where on the page the card of LV-Eval F1 stands, and where those of the judges.
WORDS_AT = METRICS.index(BY_NAME["lv_eval_f1"])
JUDGES_AT = [position for position, metric in enumerate(METRICS) if metric.judge]
FIRST = EXAMPLES[0].submission
TABLE = pasted_answer.providers()


def judge(provider: str = "openai", model: str = "m", key: str = KEY, address: str = "") -> Judge:
    """A judge that lacks nothing."""
    return Judge.given(provider, model, key, address)


# Who may be asked


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of the developer's own, and a page on the own computer."""
    for name in [one.key_variable for one in TABLE.values() if one.key_variable]:
        monkeypatch.delenv(name, raising=False)
    for name in ("SPACE_ID", "ANSWER_LENS_PUBLIC", "GRADIO_SHARE", "GRADIO_SERVER_NAME", judging.TIMEOUT_VARIABLE):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("environment", "public"),
    [
        ({}, False),
        ({"SPACE_ID": "org/space"}, True),
        ({"SPACE_ID": "org/space", "ANSWER_LENS_PUBLIC": "0"}, True),
        ({"ANSWER_LENS_PUBLIC": "1"}, True),
        ({"ANSWER_LENS_PUBLIC": "yes"}, True),
        ({"GRADIO_SERVER_NAME": "0.0.0.0"}, True),
        ({"GRADIO_SERVER_NAME": "0.0.0.0", "ANSWER_LENS_PUBLIC": "0"}, False),
        ({"GRADIO_SERVER_NAME": "127.0.0.1"}, False),
        ({"GRADIO_SHARE": "True"}, True),
        ({"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}, False),
    ],
)
def test_who_can_reach_the_page(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], public: bool) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert judging.public() == public
    addresses = [one.base_url for one in judging.offered(TABLE).values()]
    assert len(addresses) >= 5
    assert any(address.startswith("http://") for address in addresses) != public


@pytest.mark.parametrize(
    ("environment", "shared"),
    [({}, False), ({"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}, False), ({"GRADIO_SHARE": "TRUE"}, True)],
)
def test_the_page_is_shared_only_where_the_owner_says_so(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], shared: bool
) -> None:
    app, given_to_launch = importlib.import_module("lens.page.build"), {}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def launch(**options: object) -> None:
        given_to_launch.update(options)
        raise InterruptedError

    monkeypatch.setattr(app.demo, "launch", launch)
    with pytest.raises(InterruptedError):
        app.main()
    # None would leave it to Gradio, which shares on Kaggle, SageMaker and Colab.
    assert given_to_launch["share"] is shared
    assert judging.public() or not given_to_launch["share"]


@pytest.mark.parametrize(
    ("chosen", "missing"),
    [
        (NO_JUDGE, "give a provider and a model"),
        (judge(provider=""), "give a provider under"),
        (judge(model=" "), "give a model under"),
        (judge(key=""), "give a key (or the environment variable OPENAI_API_KEY)"),
        (judge("anthropic", "", ""), "give a model and a key (or the environment variable ANTHROPIC_API_KEY)"),
        (judge("vllm", key=""), ""),
        (judge(key="", address="http://127.0.0.1:1/v1"), ""),
        (judge(), ""),
        (judge("no-such"), "does not ask that provider"),
        (judge(model="m" * 501), "at most 500 characters"),
        (judge(key="k" * 501), "at most 500 characters"),
    ],
)
def test_what_a_judge_lacks_here(chosen: Judge, missing: str) -> None:
    said = judging.what_is_missing(chosen, TABLE)
    assert (missing in said) if missing else not said
    assert KEY not in said


def test_the_key_of_the_environment_is_the_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-owner")
    assert not judging.what_is_missing(judge(key=""), TABLE)
    assert judging.arguments(judge(key=""))["api_key"] is None
    monkeypatch.setenv("SPACE_ID", "org/space")
    assert "give a key under" in judging.what_is_missing(judge(key=""), TABLE)
    assert "give a key under" in judging.what_is_missing(judge(key=" \n"), TABLE)


@pytest.mark.parametrize(
    "forged",
    [
        judge("vllm"),
        judge("ollama", key=""),
        judge(address="http://127.0.0.1:1/v1"),
        judge(address="https://api.openai.com/v1"),
        judge("no-such"),
    ],
)
def test_a_public_page_asks_no_other_address(monkeypatch: pytest.MonkeyPatch, forged: Judge) -> None:
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    assert not pasted_answer.asks(forged, True)
    for metric in METRICS:
        if metric.judge:
            outcome = pasted_answer.score(metric, FIRST, True, forged)
            assert (outcome.state, outcome.score) == ("needs", None)
            assert outcome.prompt


def test_what_a_judge_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    given_here = judging.arguments(judge(address=" http://127.0.0.1:1/v1 "))
    assert given_here["base_url"] == "http://127.0.0.1:1/v1"
    assert (given_here["api_key"], given_here["cache"], given_here["progress"]) == (KEY, False, False)
    assert (given_here["on_error"], given_here["max_retries"], given_here["timeout"]) == ("raise", 2, 60.0)
    assert judging.RETRIES == 2
    for said, seconds in (("7.5", 7.5), ("soon", 60.0), ("-1", 60.0), ("nan", 60.0), ("inf", 60.0)):
        monkeypatch.setenv(judging.TIMEOUT_VARIABLE, said)
        assert judging.timeout() == seconds
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    assert judging.arguments(judge())["max_retries"] == 0


def test_a_judge_does_not_show_its_key() -> None:
    assert KEY not in f"{judge()!r} {judge()}"
    assert Judge.given(None, 5, ["x"], {"x": 1}) == NO_JUDGE


def test_examples_in_the_code_run() -> None:
    result = doctest.testmod(judging)
    assert (result.failed, result.attempted > 0) == (0, True)


# What becomes of a question


class JudgeError(RuntimeError):
    """As the modules raise it; evaluate loads a class of its own for each of them."""

    def __init__(self, reason: str, message: str = "m", result: Any = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.result = result


REASONS = """bad_key forbidden no_model parameter_refused no_logprobs quota redirect unreachable bad_request
rate_limited server_error connection timeout context_too_long content_filter refusal cut_off no_choices no_content
logprobs_missing logprobs_malformed not_json error_in_reply no_verdict bad_verdict ambiguous""".split()


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_has_words(code: str) -> None:
    outcome = judging.failure(JudgeError(code, f"it said {KEY}"), judge(), "prompt", TABLE)
    assert outcome.score is None
    assert outcome.state == ("unavailable" if code in judging.STOPPED else "error")
    assert outcome.message.startswith(words.say(f"reason_{code}"))
    assert words.say("reason_other") not in outcome.message
    assert "not a score of 0. What came back: it said [key]." in outcome.message
    assert words.say("reason_other") in judging.failure(JudgeError("new_code"), judge(), "", TABLE).message


@pytest.mark.parametrize(
    ("code", "chosen", "environment", "said"),
    [
        ("bad_key", judge("vllm", key=""), "", "The server asks for a key"),
        ("forbidden", judge(key="", address="http://127.0.0.1:1/v1"), "sk-of-the-owner", "The server asks for a key"),
        ("bad_key", judge(key=""), "sk-of-the-owner", "The provider does not accept this key"),
        ("forbidden", judge("vllm"), "", "This key may not use this model"),
        ("no_model", judge(address="http://127.0.0.1:1"), "", "or the address is wrong (does it end in /v1?)"),
        ("no_model", judge(), "", "The provider has no such model."),
    ],
)
def test_a_reason_fits_who_was_asked(
    monkeypatch: pytest.MonkeyPatch, code: str, chosen: Judge, environment: str, said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", environment)
    outcome = judging.failure(JudgeError(code), chosen, "prompt", TABLE)
    assert said in outcome.message
    assert outcome.state == "unavailable"


@pytest.mark.parametrize(
    ("problem", "state", "said"),
    [
        (ValueError(f"base_url is {KEY}"), "error", "The judge was not asked: base_url is [key]."),
        (TypeError("model is 5"), "error", "The judge was not asked: model is 5."),
        (ImportError("pip install openai"), "unavailable", "pip install openai"),
        (RuntimeError(KEY), "error", "could not be computed (RuntimeError)"),
    ],
)
def test_other_errors_are_no_score(problem: Exception, state: str, said: str) -> None:
    outcome = judging.failure(problem, judge(), "prompt", TABLE)
    assert (outcome.state, outcome.score, outcome.prompt) == (state, None, "prompt")
    assert said in outcome.message
    assert KEY not in outcome.message


def test_what_a_failure_cost_is_said() -> None:
    usage = {"input": 50, "output": 9}
    row = {"score": None, "reason": "refusal", "message": "no", "model": "judge-1", "usage": usage}
    result = {"per_example": [row], "Cost": 0.002, "tokens": usage, "calls": {"sent": 1}}
    outcome = judging.failure(JudgeError("refusal", result=result), judge(), "prompt", TABLE)
    card = visible(importlib.import_module("lens.page.build").card(BY_NAME["eve_judge"], outcome))
    assert "judge-1: 50 tokens in, 9 out, $0.0020" in card
    assert "The judge refused to judge this" in card
    assert "prompt" in card


def test_tokens_that_the_server_did_not_report_are_not_none() -> None:
    reason = scored("eve_judge", usage=None, tokens={"input": 0, "output": 0}, cost=None, model="m").per_example
    assert visible(judge_reasons.draw_paid(reason or {})) == "m: tokens not reported, price unknown"


def test_an_empty_question_is_said_and_allowed(server: JudgeServer) -> None:
    empty, chosen = catalog.Submission(" ", "Paris", "Paris"), judge("vllm", address=server.url)
    for name in JUDGES:
        card = [visible(cards.draw_card(BY_NAME[name], pasted_answer.score(BY_NAME[name], *one))) for one in (
            (empty, True, chosen), (empty, False, chosen), (FIRST, True, chosen), (empty, True, NO_JUDGE)
        )]  # fmt: skip
        assert [one.count("The question is empty, so the judge gets none.") for one in card] == [1, 1, 0, 0]
    assert len(server.requests) == 4


def test_what_a_visitor_chose_wrongly_is_no_defect(caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    outcome = pasted_answer.score(BY_NAME["eve_judge"], FIRST, True, judge(address="no address"))
    assert outcome.message.startswith("The judge was not asked")
    assert caplog.text == ""
    monkeypatch.setattr(judging, "arguments", lambda judge: dict(TABLE)["defect"])
    pasted_answer.score(BY_NAME["eve_judge"], FIRST, True, judge())
    assert "KeyError" in caplog.text


def test_a_key_that_comes_back_in_a_verdict_is_hidden() -> None:
    row = {
        "score": 1,
        "model": KEY,
        "reasoning": f"you said {KEY}",
        "reason": None,
        "message": None,
        "usage": None,
    }
    result = {"per_example": [row], "Cost": None, "tokens": {"input": 1, "output": 1}, "calls": {"sent": 1}}
    outcome = judging.verdict(result | {"signature": f"x|{KEY}"}, judge(), "prompt")
    assert outcome.state == "scored"
    assert not [part for part in (KEY[:8], KEY[8:16]) if part in str(outcome)]


@pytest.mark.parametrize(
    ("branch", "said", "estimated"),
    [
        ("both", "yes / (yes + no)", 0),
        ("yes_only", "No is not among its likeliest first words", 1),
        ("no_only", "Yes is not among its likeliest first words", 1),
        ("neither", "0 by definition and says nothing about the answer", 0),
    ],
)
def test_the_branch_of_l3score_in_words(branch: str, said: str, estimated: int) -> None:
    drawn = visible(judge_reasons.draw_l3score(scored("l3score", branch=branch).per_example or {}))
    assert said in drawn
    assert drawn.count("not listed, estimated") == estimated
    assert "Other words0.20" in drawn
    assert ("Yes–not listedNo–not listed" if branch == "neither" else "Yes0.60") in drawn


def test_tokens_that_cannot_be_seen_are_made_visible() -> None:
    drawn = visible(judge_reasons.draw_first([["\n", 0.5], [" Yes", 0.25], ["", 0.1], ["x" * 500, 0.1], ["n", 0.05]]))
    for part in ("↵ 0.50", "␣Yes 0.25", "(empty) 0.10", "x" * 40 + "… 0.10"):
        assert part in drawn
    assert judge_reasons.draw_first([]) == ""


def test_the_prompt_is_the_prompt() -> None:
    prompt = "\n\nfirst\r\nsecond  <b>&amp; \t"
    html = judge_reasons.draw_prompt("Title", prompt, True)
    assert "&#13;\nsecond  &lt;b&gt;&amp;amp; \t</code>" in html
    assert "replaced" not in html
    assert "replaced" in judge_reasons.draw_prompt("Title", "\x00", False)


# The sentence


@pytest.mark.parametrize(
    ("words", "judged", "said"),
    [
        ({"bleu": 0.1, "rouge": 0.2}, {"l3score": 0.97, "eve_judge": 1}, "contradicts the words (L3Score 0.97 and EVE"),
        ({"bleu": 0.8, "rouge": 0.9}, {"l3score": 0.02, "eve_judge": 0}, "contradicts the words (L3Score 0.02 and EVE"),
        ({"bleu": 0.8, "rouge": 0.9}, {"l3score": 0.97}, "A language model’s verdict: L3Score 0.97."),
        ({"bleu": 0.45, "rouge": 0.9}, {"eve_judge": 0}, "A language model’s verdict: EVE judge FAIL."),
        (
            {"lv_eval_f1": 0.0, "bleu": 0.88, "rouge": 0.95},
            {"l3score": 0.001, "eve_judge": 0},
            "A language model sides with LV-Eval F1 (L3Score <0.01 and EVE judge FAIL): it",
        ),
        (
            {"lv_eval_f1": 0.6, "bleu": 0.1, "rouge": 0.7},
            {"eve_judge": 1},
            "A language model sides with LV-Eval F1 and ROUGE-L (EVE judge PASS): it",
        ),
        ({"bleu": 0.1, "rouge": 0.2}, {"eve_judge": 0}, "A language model’s verdict: EVE judge FAIL."),
        ({"bleu": 0.1, "rouge": 0.2}, {"l3score": 0.5}, "A language model’s verdict: L3Score 0.50."),
        ({"bleu": 0.1, "rouge": 0.9}, {"l3score": 0.95, "eve_judge": 0}, "contradict each other (L3Score 0.95 and EVE"),
        ({}, {"l3score": 0.95}, "Only a judge gave a score"),
        ({"cosine_similarity": 0.5}, {"eve_judge": 1}, "0.50. A language model’s verdict: EVE judge PASS."),
    ],
)
def test_judges_are_named_beside_the_words(words: dict[str, float], judged: dict[str, float], said: str) -> None:
    outcomes = {name: scored(name, score) for name, score in (words | judged).items()}
    sentence = disagreement.explain(outcomes)
    assert said in sentence
    assert "contradict" in said or "contradict" not in sentence
    if words:
        assert sentence.startswith(disagreement.explain({name: outcomes[name] for name in words}))


def test_a_judge_that_says_neither_yes_nor_no_contradicts_nobody() -> None:
    words = {name: scored(name, 0.9) for name in ("bleu", "rouge")}
    neither = {"l3score": scored("l3score", 0.0, branch="neither")}
    assert disagreement.explain(words | neither) == disagreement.explain(words)
    passed = disagreement.explain(words | neither | {"eve_judge": scored("eve_judge", 1)})
    assert passed.endswith(" A language model’s verdict: EVE judge PASS.")


# Waiting


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the judges' threads in which something was scored; no judge is asked."""
    threads: list[str] = []

    def score(metric: catalog.Metric, *others: object) -> Outcome:
        if metric.judge:
            threads.append(threading.current_thread().name.rstrip("_0123456789"))
        return scored(metric.name)

    monkeypatch.setattr(pasted_answer, "score", score)
    return threads


@pytest.mark.parametrize(
    ("asked", "chosen", "pool"), [(True, judge(), "judges"), (False, judge(), "words"), (True, NO_JUDGE, "words")]
)
def test_only_who_is_asked_waits_among_the_judges(counted: list[str], asked: bool, chosen: Judge, pool: str) -> None:
    async def run() -> None:
        async for _ in background.results(FIRST, asked, JUDGES_AT, lambda: True, chosen):
            pass

    asyncio.run(run())
    assert counted == [pool, pool]


def test_what_was_overtaken_while_it_waited_is_never_asked(counted: list[str], monkeypatch: Any) -> None:
    one, gate, wanted = background.Worker("judges"), threading.Event(), [True]
    monkeypatch.setattr(background, "JUDGES", one)
    one.submit(lambda: (gate.wait(10), Outcome("pending"))[1])

    async def run() -> None:
        async for _ in background.results(FIRST, True, JUDGES_AT, lambda: wanted[0], judge()):
            pass

    threading.Timer(0.3, lambda: wanted.clear() or wanted.append(False)).start()  # type: ignore[func-returns-value]
    asyncio.run(run())
    gate.set()
    one.submit(lambda: Outcome("pending")).result(5)
    assert counted == []


def test_a_visitors_judges_wait_for_those_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    newest, begun, gate = {"a": 1, "b": 1}, [], threading.Event()

    def score(metric: catalog.Metric, submission: catalog.Submission, *others: object) -> Outcome:
        if metric.judge:
            begun.append(submission.answer)
            assert gate.wait(10)
        return scored(metric.name)

    async def ask(session: str, turn: int) -> list[int]:
        newest[session] = turn
        submission = catalog.Submission("q", "r", f"{session}{turn}")
        pending = [WORDS_AT, *JUDGES_AT]
        found = background.results(submission, True, pending, lambda: newest[session] == turn, judge(), session)
        return [position async for position, _ in found]

    async def have_begun(count: int) -> None:
        while len(begun) < count:
            await asyncio.sleep(0.01)

    async def run() -> list[list[int]]:
        asked = []
        for session, turn, count in (("a", 1, 2), ("a", 2, 2), ("a", 3, 2), ("b", 1, 4)):
            asked.append(asyncio.create_task(ask(session, turn)))
            await asyncio.sleep(0.3)
            await asyncio.wait_for(have_begun(count), 10)
        await asyncio.sleep(0.5)
        assert sorted(begun) == ["a1", "a1", "b1", "b1"]
        gate.set()
        return await asyncio.gather(*asked)

    monkeypatch.setattr(pasted_answer, "score", score)
    found = asyncio.run(run())
    assert sorted(begun) == ["a1", "a1", "a3", "a3", "b1", "b1"]
    words, everything = [WORDS_AT], sorted([WORDS_AT, *JUDGES_AT])
    assert [sorted(positions) for positions in found] == [words, words, everything, everything]
    assert not background.JUDGED.counts


def test_many_judges_are_waited_for_at_once_and_no_job_is_remembered() -> None:
    class Thing:
        """Something that a job holds."""

    worker, gate, thing = background.Worker("judges", 3), threading.Barrier(3), Thing()
    held = weakref.ref(thing)

    def job(thing: Thing) -> Callable[[], Outcome]:
        return lambda: (gate.wait(5), thing, Outcome("pending"))[2]

    jobs = [worker.submit(job(thing)) for _ in range(3)]
    assert {one.result(5) for one in jobs} == {Outcome("pending")}
    del thing
    until = time.monotonic() + 10
    while held() is not None:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert worker.started == 3


# In a browser


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    """A language model's server on loopback whose replies fit."""
    with JudgeServer() as running_server:
        yield running_server


def open_panel(page: Page) -> None:
    """Open the judge's panel."""
    page.get_by_role("button", name="Judge (optional)").click()
    page.locator("#key input").wait_for()


def choose_judge(page: Page, address: str, key: str = KEY) -> None:
    """Fill in the judge's panel."""
    open_panel(page)
    page.get_by_role("combobox", name="Provider").click()
    page.get_by_role("option", name="vllm").click()
    for field, value in (("model", "judge-1"), ("key", key), ("address", address)):
        page.locator(f"#{field} input").fill(value)


def state(page: Page, name: str) -> str | None:
    """The state of a card."""
    return page.locator(f"#card-{name} article").get_attribute("data-state")


def choose_example(page: Page, number: int) -> None:
    """Press the button of an example and wait for its scores."""
    page.get_by_role("button", name=EXAMPLES[number].label).click()
    page.locator(".al-example", has_text=EXAMPLES[number].shows).wait_for()
    wait_ready(page)


def test_without_a_judge_the_cards_offer_the_exact_prompt(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    assert not page.locator("#key input").is_visible()
    for name in JUDGES:
        card, title = page.locator(f"#card-{name}"), BY_NAME[name].title
        assert (state(page, name), scores(page, (name,))[name]) == ("needs", "Needs a judge")
        assert "give a provider and a model under “Judge”" in card.inner_text()
        prompt = functions(name).fill_prompt(FIRST.question, FIRST.answer, FIRST.reference)
        assert card.locator("pre code").text_content() == prompt
        page.get_by_role("button", name=f"Copy the prompt of {title}").click()
        card.get_by_text("Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == prompt
    assert "verdict" not in page.locator(".al-sentence").inner_text()
    assert "still to come" not in page.locator(".al-sentence").inner_text()
    page.locator("#card-eve_judge .al-open").click()
    page.locator("#key input").wait_for()
    assert page.locator("#key input").get_attribute("autocomplete") == "new-password"
    assert page.locator("#key input").get_attribute("type") == "password"


def play(request: Request, number: int) -> Reply:
    """Fitting replies, the reasoning of which is hostile."""
    reply = json.dumps({"score": 1, "reasoning": MARKUP})
    return fitting(request) if request.body.get("logprobs") else verdict(reply)


def test_a_judge_is_asked_only_on_request_and_its_reasons_are_shown(
    open_page: Open, demo: Demo, server: JudgeServer
) -> None:
    server.answer = play
    page = opened(open_page, demo, width=390)
    choose_judge(page, server.url)
    choose_example(page, 1)
    fill(page, question="Why?", reference="Rayleigh", answer="Rayleigh scattering {reference}")
    choose_example(page, 4)
    choose_example(page, 1)
    assert server.requests == []
    for name in JUDGES:
        assert (state(page, name), scores(page, (name,))[name]) == ("needs", "Not asked yet")
        assert "Press Score to ask the judge" in page.locator(f"#card-{name}").inner_text()
    press_score(page)
    assert scores(page, JUDGES) == {"l3score": "0.92", "eve_judge": "PASS"}
    submission = EXAMPLES[1].submission
    prompts = {functions(n).fill_prompt(submission.question, submission.answer, submission.reference) for n in JUDGES}
    assert {request.prompt for request in server.requests} == prompts
    assert (len(server.requests), server.keys) == (2, {KEY})
    l3score, eve = (page.locator(f"#card-{name}") for name in JUDGES)
    for title, value in (("Yes", "0.90"), ("No", "0.08"), ("Other words", "0.01")):
        row = l3score.locator(".al-row", has=page.get_by_text(title, exact=True))
        assert row.locator(".al-number").inner_text() == value
        assert row.locator(".al-fill").count() == 1
    assert l3score.locator(".al-first bdi").all_inner_texts() == ["Yes", "No", "YES", "␣Yes", "no"]
    assert eve.locator(".al-reasoning").text_content() == MARKUP
    assert page.evaluate("window.broken") is None
    for card in (l3score, eve):
        assert "judge-1: 120 tokens in, 10 out, price unknown" in card.inner_text()
        assert not card.locator("pre").is_visible()
        assert "provider:vllm" in card.locator(".al-signature code").inner_text()
    assert "contradicts the words (L3Score 0.92 and EVE judge PASS)" in page.locator(".al-sentence").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    choose_example(page, 0)
    assert scores(page, JUDGES) == {"l3score": "Not asked yet", "eve_judge": "Not asked yet"}
    assert len(server.requests) == 2


def test_the_panel_needs_no_mouse(open_page: Open, demo: Demo, server: JudgeServer) -> None:
    from playwright.sync_api import expect

    page = opened(open_page, demo)
    page.locator("#keywords input, #keywords textarea").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#key input").wait_for()
    page.keyboard.press("Tab")
    provider = page.get_by_role("combobox", name="Provider")
    page.get_by_role("option", name="vllm").wait_for()
    for _ in range(1 + [*TABLE].index("vllm")):
        page.keyboard.press("ArrowDown")
    page.locator('[role="option"].active', has_text="vllm").wait_for()
    page.keyboard.press("Enter")
    expect(provider).to_have_value("vllm (127.0.0.1)")
    for text in ("judge-1", KEY, server.url):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    assert provider.input_value() == "vllm (127.0.0.1)"
    page.evaluate("() => { document.querySelector('.al-overview').dataset.done = 'old'; }")
    page.keyboard.press("Enter")
    wait_ready(page)
    assert scores(page, JUDGES) == {"l3score": "0.92", "eve_judge": "PASS"}


FAULTS: dict[str, tuple[Callable[[Request, int], Reply], str, str]] = {
    "key echoed": (
        lambda request, number: error(401, f"Incorrect API key provided: {request.key}.", code="invalid_api_key"),
        "unavailable",
        "does not accept this key",
    ),
    "refusal": (
        lambda request, number: Reply(completed(says(None, refusal=f"I will not, {KEY}"))),
        "error",
        "refused to judge",
    ),
    "page": (
        lambda request, number: Reply(f"<html><b>{KEY}</b></html>".encode(), headers={"content-type": "text/html"}),
        "error",
        "no language model’s server",
    ),
    "redirect": (
        lambda request, number: Reply(status=307, headers={"location": "http://127.0.0.1:9/v1"}),
        "unavailable",
        "which is not followed",
    ),
    "silence": (lambda request, number: Reply(way="hang"), "error", "No answer came in time"),
}


def test_a_fault_is_said_in_words_and_is_no_score(
    open_page: Open, demo: Demo, server: JudgeServer, axe_source: str
) -> None:
    page = opened(open_page, demo)
    choose_judge(page, server.url)
    for answer, expected, said in FAULTS.values():
        server.answer = answer
        press_score(page)
        for name in JUDGES:
            card = page.locator(f"#card-{name}").inner_text()
            assert said in card
            assert state(page, name) == expected
            assert scores(page, (name,))[name] == "No score"
        assert scores(page, FOUR) == NIAGARA
        assert "verdict" not in page.locator(".al-sentence").inner_text()
        assert not [part for part in (KEY[:17], KEY[17:]) if part in page.content()]
    check_axe(page, axe_source)
    server.answer = fitting
    press_score(page)
    assert scores(page, JUDGES) == {"l3score": "0.92", "eve_judge": "PASS"}


def check_axe(page: Page, axe_source: str) -> None:
    """Nothing that axe-core complains of."""
    page.wait_for_timeout(300)
    page.evaluate(axe_source)
    found = page.evaluate("async () => (await axe.run()).violations")
    assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_axe_finds_nothing_in_panel_and_cards(
    open_page: Open, demo: Demo, server: JudgeServer, axe_source: str, width: int, scheme: str
) -> None:
    page = opened(open_page, demo, width=width, scheme=scheme)
    open_panel(page)
    page.get_by_role("combobox", name="Provider").click()
    page.get_by_role("option", name="vllm").wait_for()
    check_axe(page, axe_source)
    page.get_by_role("option", name="openai").click()
    page.get_by_role("button", name="Judge (optional)").click()
    choose_judge(page, server.url)
    press_score(page)
    for card in JUDGES:
        page.locator(f"#card-{card} .al-reasons summary").click()
    check_axe(page, axe_source)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_slow_judge_keeps_nobody_waiting_and_comes_too_late(
    open_page: Open, start_demo: Callable[..., Demo], server: JudgeServer
) -> None:
    server.answer = lambda request, number: Reply(fitting(request).body, way="held")
    page = opened(open_page, start_demo(SPACE, ANSWER_LENS_JUDGE_TIMEOUT="60"))
    choose_judge(page, server.url)
    page.evaluate(WATCH)
    page.get_by_role("button", name="Score", exact=True).click()
    server.wait(lambda one: len(one.requests) == 2)
    page.wait_for_selector(f'.al-overview[data-done="{len(METRICS) - len(JUDGES)}"]')
    assert "Asking judge-1" in page.locator("#card-l3score").inner_text()
    assert "2 scores are still to come" in page.locator(".al-sentence").inner_text()
    assert scores(page, FOUR) == NIAGARA
    page.get_by_role("button", name=EXAMPLES[2].label).click()
    page.locator(".al-example", has_text=EXAMPLES[2].shows).wait_for()
    wait_ready(page)
    assert (server.in_flight, len(server.requests)) == (2, 2)
    server.release()
    server.wait(lambda one: one.in_flight == 0)
    page.wait_for_timeout(500)
    assert scores(page, JUDGES) == {"l3score": "Not asked yet", "eve_judge": "Not asked yet"}
    states = [enumerate(seen.split()) for seen in page.evaluate("window.seen")]
    assert "scored" not in [state for seen in states for position, state in seen if position in JUDGES_AT]


def test_long_names_and_long_reasoning_stay_readable(
    open_page: Open, demo: Demo, server: JudgeServer, axe_source: str
) -> None:
    name, reasoning = "m" * 200, "Because. " * 600
    long = json.dumps({"score": 1, "reasoning": reasoning})
    server.answer = lambda request, number: (
        Reply(fitting(request).body | {"model": name}) if request.body.get("logprobs") else verdict(long, model=name)
    )
    page = opened(open_page, demo, width=390)
    choose_judge(page, server.url)
    press_score(page)
    region = page.get_by_role("region", name="The judge’s reasoning")
    assert region.inner_text().startswith("Because. Because.")
    assert region.evaluate("one => [one.scrollHeight > one.clientHeight, one.tabIndex]") == [True, 0]
    border = "one => getComputedStyle(one).border"
    assert region.evaluate(border) == page.locator("#card-eve_judge pre").evaluate(border)
    for paid in page.locator(".al-paid").all():
        assert "m" * 60 in paid.inner_text()
        assert paid.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert page.locator(".al-paid").count() == 2
    check_axe(page, axe_source)


@functools.cache
def scoring_call(demo_url: str) -> int:
    """The number of a call that scores."""
    config = json.loads(fetch(f"{demo_url}config"))
    return next(int(one["id"]) for one in config["dependencies"] if len(one["outputs"]) == 1 + len(METRICS))


def joined(demo_url: str, session: str, *values: object) -> None:
    """Queue a submission as the page does, and do not wait for it."""
    body = {"data": [*values, "en"], "fn_index": scoring_call(demo_url), "session_hash": session, "trigger_id": 1}
    fetch(f"{demo_url}gradio_api/queue/join", body)


def test_many_judges_that_are_waited_for_leave_room_for_another(
    start_demo: Callable[..., Demo], space_copy: Callable[..., Path], server: JudgeServer
) -> None:
    server.answer = Reply(way="hang")
    demo = start_demo(space_copy("lv_eval_f1", "eve_judge", "l3score"), ANSWER_LENS_JUDGE_TIMEOUT="60")
    texts_sent = ("Where?", "Paris", "Paris", "", "1", "asked")
    for number in range(42):
        joined(demo.url, f"judged{number}", *texts_sent, "vllm", "m", "", server.url)
    server.wait(lambda one: len(one.requests) >= background.JUDGE_THREADS)
    joined(demo.url, "words", *texts_sent, None, "", "", "")
    stream = urllib.request.urlopen(f"{demo.url}gradio_api/queue/data?session_hash=words", timeout=30)
    with stream as lines:
        assert any(re.search(rb'data-metric=\\"lv_eval_f1\\" data-state=\\"scored', line) for line in lines)
    assert server.in_flight == len(server.requests) == background.JUDGE_THREADS, "it had waited for a judge to end"


# Where others can reach the page


def call(demo_url: str, *values: object) -> str:
    """What the server answers to a call that says what it likes."""
    session = f"forged{time.monotonic_ns()}"
    joined(demo_url, session, *values)
    found = ""
    with urllib.request.urlopen(f"{demo_url}gradio_api/queue/data?session_hash={session}", timeout=30) as lines:
        for line in lines:
            found += line.decode()
            if b'"process_completed"' in line:
                break
    return found


def fetch(url: str, body: object = None) -> str:
    """The text at an address."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def test_a_public_page_asks_only_known_providers_with_the_visitors_key(
    open_page: Open, start_demo: Callable[..., Demo], server: JudgeServer
) -> None:
    secret = "sk-of-the-owner-1234567890"
    settings = {"SPACE_ID": "org/space", "OPENAI_API_KEY": secret, "OPENAI_BASE_URL": server.url}
    demo = start_demo(SPACE, **settings)
    page = opened(open_page, demo)
    open_panel(page)
    assert page.locator("#address").count() == 0
    page.get_by_role("combobox", name="Provider").click()
    options = page.get_by_role("option").all_inner_texts()
    assert len(options) >= 5
    assert not re.search(r"vllm|llamacpp|ollama|127\.|localhost", " ".join(options))
    page.get_by_role("option", name="openai").click()
    page.locator("#model input").fill("some-model")
    press_score(page)
    for name in JUDGES:
        assert (state(page, name), scores(page, (name,))[name]) == ("needs", "Needs a judge")
        assert "give a key under" in page.locator(f"#card-{name}").inner_text()
    texts_sent = ("Where?", "Paris", "Paris", "", "1", "asked")
    said = [
        call(demo.url, *texts_sent, provider, "m", KEY, address)
        for provider, address in (("vllm", server.url), ("openai", server.url), (None, server.url), ("nobody", ""))
    ]
    assert "another cannot be chosen" in said[1]
    assert "another cannot be chosen" in said[2]
    for one in (said[0], said[3]):
        assert '"success":false' in one
    assert server.requests == []
    everything = "".join(said) + page.content() + demo.log() + fetch(f"{demo.url}config")
    assert not [part for part in (secret, KEY) if part in everything]


@pytest.mark.parametrize(
    ("host", "origin", "environment", "status"),
    [
        ("127.0.0.1:7860", None, {}, 200),
        ("localhost", None, {}, 200),
        ("LOCALHOST:7860", "http://localhost:7860", {}, 200),
        ("[::1]:7860", "http://[::1]:7860", {}, 200),
        ("evil.example:7860", None, {}, 403),
        ("evil.example:7860", "http://evil.example:7860", {}, 403),
        ("127.0.0.1.evil.example", None, {}, 403),
        ("localhost@evil.example", None, {}, 403),
        ("", None, {}, 403),
        (None, None, {}, 403),
        ("localhost:7860", "http://evil.example", {}, 403),
        ("localhost:7860", "http://localhost:3000", {}, 403),
        ("localhost:7860", "null", {}, 403),
        ("my-desk:7860", "http://my-desk:7860", {"GRADIO_SERVER_NAME": "My-Desk", "ANSWER_LENS_PUBLIC": "0"}, 200),
        ("evil.example", None, {"GRADIO_SERVER_NAME": "0.0.0.0", "ANSWER_LENS_PUBLIC": "0"}, 403),
        ("org-space.hf.space", "https://huggingface.co", {"SPACE_ID": "org/space"}, 200),
    ],
)
def test_no_other_website_speaks_for_the_owner(
    monkeypatch: pytest.MonkeyPatch, host: str | None, origin: str | None, environment: dict[str, str], status: int
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    sent: list[dict[str, Any]] = []

    async def page(scope: object, receive: object, send: Callable[..., Any]) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    named = [(b"host", host), (b"origin", origin)]
    headers = [(name, value.encode()) for name, value in named if value is not None]
    scope = {"type": "http", "path": "/gradio_api/queue/join", "headers": headers}
    asyncio.run(importlib.import_module("lens.page.build").OnlyThePage(page)(scope, None, send))
    assert sent[0]["status"] == status


@pytest.mark.parametrize("name", ["Host", "Origin"])
def test_the_running_page_refuses_other_websites(demo: Demo, name: str) -> None:
    own = urlsplit(demo.url).netloc

    def asked(value: str) -> urllib.request.Request:
        return urllib.request.Request(
            f"{demo.url}config", headers={name: value if name == "Host" else f"http://{value}"}
        )

    with urllib.request.urlopen(asked(own), timeout=30) as answer:
        assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked("evil.example"), timeout=30)
    assert refused.value.code == 403
    assert b"ANSWER_LENS_PUBLIC=1" in refused.value.read()


# The key


@pytest.mark.parametrize(
    "values",
    [
        ("Where?", "Paris", "Paris", "", "1", "asked", "vllm", "m", KEY),
        ("Where?", "Paris", "Paris", "", "1", "asked", "vllm", "m", KEY, "", KEY),
        ("Where?", "Paris", "Paris", "", "1", "asked", "vllm", "m", FILE, ""),
        ("Where?", "Paris", "Paris", "", "1", "asked", KEY, "m", KEY, ""),
        ("Where?", "Paris", "Paris", "", "1", "asked", "vllm", "m", [KEY], {"x": KEY}),
    ],
)  # fmt: skip
def test_a_call_in_another_form_leaves_no_key_in_the_log(demo: Demo, values: tuple[object, ...]) -> None:
    assert '"process_completed"' in call(demo.url, *values)
    assert KEY[:12] not in demo.log()


def parts_of(key: str) -> list[bytes]:
    """The key and its halves as they could stand in a file."""
    half = len(key) // 2
    return [part.encode(code) for part in (key, key[:half], key[half:]) for code in ("utf-8", "utf-16-le")]


def files_with(folder: Path, key: str) -> list[str]:
    """The files below a folder that hold the key or half of it, in name or content."""
    found = []
    for path in folder.rglob("*"):
        content = str(path).encode() + (path.read_bytes() if path.is_file() and not path.is_symlink() else b"")
        if any(part in content for part in parts_of(key)):
            found.append(str(path))
    return found


class Tap:
    """A port of its own that leads to the demo and keeps every byte that passes, each way."""

    def __init__(self, url: str) -> None:
        self.target = int(url.rstrip("/").rpartition(":")[2])
        self.sent, self.received = bytearray(), bytearray()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Lead each connection on."""
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self.listener.accept()
                demo = socket.create_connection(("127.0.0.1", self.target))
                for ends in ((browser, demo, self.sent), (demo, browser, self.received)):
                    threading.Thread(target=self.lead, args=ends, daemon=True).start()

    def lead(self, source: socket.socket, target: socket.socket, kept: bytearray) -> None:
        """Pass on what comes from one end, and keep it."""
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                kept += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def heads(self) -> bytes:
        """What was sent but for the bodies of JSON, and the bodies that hold no key."""
        return re.sub(
            rb'\{"data":\[.*?"session_hash":"\w+"\}',
            lambda body: b"" if KEY.encode() in body[0] else body[0],
            self.sent,
        )


def test_the_key_leaves_no_trace(
    open_page: Open, start_demo: Callable[..., Demo], server: JudgeServer, tmp_path: Path
) -> None:
    server.answer = lambda request, number: (
        error(401, f"Incorrect API key provided: {request.key}.", code="invalid_api_key")
        if "wrong" in request.prompt
        else fitting(request)
    )
    home = tmp_path / "home"
    folders = {name: str(home / name.lower()) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "GRADIO_TEMP_DIR")}
    for folder in folders.values():
        Path(folder).mkdir(parents=True)
    demo = start_demo(SPACE, **folders)
    tap = Tap(demo.url)
    page = open_page(tap.url)
    wait_ready(page)
    choose_judge(page, server.url)
    press_score(page)
    assert scores(page, JUDGES) == {"l3score": "0.92", "eve_judge": "PASS"}
    page.locator("#question textarea, #question input").fill("wrong?")
    press_score(page)
    assert "[key]" in page.locator("#card-l3score").inner_text()
    choose_example(page, 2)
    assert server.keys == {KEY}
    seen = page.content() + page.url + page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    seen += str(page.context.storage_state()) + demo.log()
    assert page.evaluate("async () => (await indexedDB.databases()).length") == 0
    assert tap.sent.count(KEY.encode()) == 2, "the key was sent where nobody asked"
    assert b"process_completed" in tap.received, "the scores themselves were not looked at"
    page.reload()
    wait_ready(page)
    open_panel(page)
    assert page.locator("#key input").input_value() == ""
    page.context.close()
    demo.process.terminate()
    assert demo.process.stdout is not None
    seen += demo.process.stdout.read() + demo.log()
    found = [part for part in parts_of(KEY) for text in (seen.encode(), tap.received, tap.heads()) if part in text]
    assert not found
    assert len(list(tmp_path.rglob("*"))) > 50
    assert files_with(tmp_path, KEY) == []


def test_the_servers_memory_does_not_hold_the_key_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def key() -> str:
        return KEY[:3] + "memory" + KEY[:2:-1]

    def held(value: object) -> bool:
        return (type(value) is str and key() in value) or (type(value) is bytes and key().encode() in value)

    page = importlib.import_module("lens.page.build").build()
    page.launch(prevent_thread_lock=True, quiet=True, run_history=False, enable_monitoring=False)
    try:
        with JudgeServer(
            lambda request, number: fitting(request) if number < 2 else error(401, f"No: {request.key}")
        ) as server:
            for question in ("right?", "wrong?"):
                said = call(
                    page.local_url, question, "Paris", "Paris", "", "1", "asked", "vllm", "m", key(), server.url
                )
                assert "process_completed" in said
                assert not held(said)
            assert server.keys == {key()}
            server.requests.clear()
            server.encoded.clear()
        gc.collect()
        left = [type(one) for one in gc.get_objects() if any(held(part) for part in gc.get_referents(one))]
        assert left == []
    finally:
        page.close()
