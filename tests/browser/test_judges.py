"""The judges in a browser: nobody is asked unasked, what they say is shown, and the visitor's key shows nowhere."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Demo
from conftest import SPACE
from lens.scoring import modules
from lens.scoring.catalog import METRICS
from test_page import EXAMPLES, FOUR, JUDGES, NIAGARA, WATCH, fill, opened, press_score, scores, wait_ready

from tests.support.judge_server import JudgeServer, Reply, Request, error, fitting, says, verdict
from tests.support.judge_server import completion as completed
from tests.support.project import functions

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
KEY = "sk-Zq7WvN3xR9tKb5Lm2HdYp8FcJs4Ga6Ue"
MARKUP = "<img src=x onerror=\"window.broken='reasoning'\"></p></article> \u202e 中文 " + "x" * 300
BY_NAME = {metric.name: metric for metric in METRICS}
# Where on the page the cards of the judges stand.
JUDGES_AT = [position for position, metric in enumerate(METRICS) if metric.judge]
FIRST = EXAMPLES[0].submission
TABLE = modules.providers()


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


def call(demo_url: str, *values: object) -> str:
    """What the server answers to a call that says what it likes, as one that was asked for."""
    dependencies = json.loads(fetch(f"{demo_url}config"))["dependencies"]
    scores = next(one["id"] for one in dependencies if "sent(true" in str(one["js"]))
    session = f"forged{time.monotonic_ns()}"
    body = {"data": [*values], "fn_index": scores, "session_hash": session, "trigger_id": 1}
    fetch(f"{demo_url}gradio_api/queue/join", body)
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
    texts_sent = ("Where?", "Paris", "Paris", "")
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
        error(401, f"Incorrect API key provided: {request.key}", code="invalid_api_key")
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
