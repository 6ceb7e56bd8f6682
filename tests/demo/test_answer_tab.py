"""The tab that scores one answer: its steps, its queues, refused requests, and what it forgets."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest
from lens import words
from lens.page.answer import answer_form, answer_tab, judge_form
from lens.page.serving import access, submissions, visitors
from lens.page.serving.submissions import ScoreRequest
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric
from lens.scoring.judge import Judge
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from tests.demo.metric_samples import FIRST_EXAMPLE, JUDGE_METRICS, WORD_METRICS, make_scored_result
from tests.demo.page_server import serve_page, submit_answer
from tests.demo.page_visits import find_holders
from tests.support.judge_server import JudgeServer, make_error, make_good_reply

JUDGE = Judge.parse("openai", "m", "sk-key", "")
WORD_POSITIONS = [METRICS.index(metric) for metric in WORD_METRICS]
PARIS = {"question": "Where?", "reference": "Paris", "answer": "Paris"}
# Every page gets these: a first step, which shows the empty cards, and a last one, which changes
# nothing.
STEPS_WITHOUT_SCORES = 2
# The number of steps of a page that gets all scores: each metric has a step in between.
ALL_STEPS = STEPS_WITHOUT_SCORES + len(METRICS)


class FakeScorer:
    """A fake scorer: it returns made-up scores at once, or holds them back until `gate` is set.

    `waits` decides for which metrics it waits. `begun` lists each metric that was begun with its
    answer.
    """

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.waits: Callable[[Metric], bool] = lambda metric: False
        self.begun: list[tuple[Metric, str]] = []

    def __call__(self, metric: Metric, submission: Submission, *others: object) -> MetricResult:
        self.begun.append((metric, submission.answer))
        if self.waits(metric):
            is_gate_open = self.gate.wait(20)
            assert is_gate_open, "the gate was not set in time"
        return make_scored_result(metric.name)

    async def wait_until_begun(self, count: int) -> None:
        """Wait until `count` scores were begun."""
        while len(self.begun) < count:
            await asyncio.sleep(0.01)


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> FakeScorer:
    scorer = FakeScorer()
    monkeypatch.setattr(pasted_answer, "score", scorer)
    return scorer


async def collect_steps(steps: Any) -> list[Any]:
    """Return all steps of a response."""
    return [step async for step in steps]


def fill_form(**values: object) -> dict[str, Any]:
    """Return a value for each field of the page, in the order of the fields.

    A field without a value among the arguments is empty.
    """
    no_judge = {judge_form.PREFIX + name: value for name, value in judge_form.EMPTY.items()}
    filled = asdict(Submission()) | no_judge | values
    assert tuple(filled) == answer_form.FIELDS
    return filled


def fill_judge(provider: str | None, key: str, address: str) -> dict[str, object]:
    """Return the values of a judge's fields."""
    return {
        "judge_provider": provider,
        "judge_model": "m",
        "judge_key": key,
        "judge_address": address,
    }


def make_response(language: str, asked: bool, session: str = "s", **request: Any) -> Any:
    """Return the steps of a response to a submission of the first example.

    Args:
        language: the page's language.
        asked: whether the visitor pressed the button.
        session: the session of the page.
        request: other attributes of the request.
    """
    defaults = {"session_hash": session, "headers": Headers(), "client": None}
    visitor = SimpleNamespace(**(defaults | request))
    values = fill_form(**asdict(FIRST_EXAMPLE))
    return answer_tab.make_responder(language, asked)(visitor, **values)


# What the page shows


def close_card(html: str) -> str:
    """Return the HTML of a card with its details closed."""
    return html.replace(" open>", ">")


def find_changed_cards(first: Sequence[Any], steps: Sequence[Sequence[Any]]) -> list[int]:
    """Return the positions of the cards that each step changes, and check that no other is sent.

    A card that a step only opens or closes is not counted. Each step also changes the overview,
    which is the first part of the page.
    """
    shown = list(first)
    changed = []
    for step in steps:
        assert isinstance(step[0], str), "the overview must change"
        for place, part in enumerate(step):
            if not isinstance(part, str):
                continue
            assert part != shown[place], "an unchanged card is sent again"
            is_card = place > 0
            if is_card and close_card(part) != close_card(shown[place]):
                changed.append(place - 1)
            shown[place] = part
    return changed


def test_each_score_is_shown_when_it_is_ready_and_a_slow_model_delays_no_other(
    scores: FakeScorer,
) -> None:
    scores.waits = lambda metric: metric.name == "cosine_similarity"

    async def collect_shown() -> list[Any]:
        steps: list[Any] = []
        async for step in answer_tab.score_all(ScoreRequest(FIRST_EXAMPLE, True)):
            steps.append(step)
            if len(steps) == len(METRICS):  # the first step, and all metrics but the slow one
                scores.gate.set()
        return steps

    first, *steps, last = asyncio.run(collect_shown())
    changed = find_changed_cards(first, steps)
    assert changed[: len(WORD_POSITIONS)] == WORD_POSITIONS
    assert sorted(changed) == list(range(len(METRICS)))
    assert METRICS[changed[-1]].name == "cosine_similarity"
    # The last step changes nothing, since Gradio may show it after a newer submission.
    assert not any(isinstance(part, str) for part in last)
    # The overview differs at each submission, or the page would keep it marked as old.
    first_again, *_ = asyncio.run(collect_shown())
    assert first_again[0] != first[0]
    assert first_again[1:] == first[1:]


def test_the_page_shows_the_length_of_the_answer() -> None:
    results = [make_scored_result(metric.name) for metric in METRICS]
    page = "".join(answer_tab.draw_page(FIRST_EXAMPLE, results))
    assert "over 20 words (this answer)" in page
    without_answer = Submission("", FIRST_EXAMPLE.reference)
    assert "this answer)" not in "".join(answer_tab.draw_page(without_answer, results))


@pytest.mark.parametrize(("f1_reference", "differs"), [(1, False), (0, True)])
def test_the_page_says_whether_all_scores_read_the_same_reference(
    f1_reference: int, differs: bool
) -> None:
    results = []
    for metric in METRICS:
        reference = f1_reference if metric.name == "lv_eval_f1" else 1
        results.append(make_scored_result(metric.name, reference=reference))
    submission = Submission("", "a\nb", "b", has_several_references=True)
    overview, *_ = answer_tab.draw_page(submission, results)
    assert ("not every score reads the same one" in overview) == differs


def test_visitors_at_the_same_time_each_read_their_own_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        pasted_answer,
        "score",
        lambda metric, *others: MetricResult("needs", message=words.say("loading")),
    )
    for table, text in zip(words.TABLES.values(), ("Loading here", "此处加载"), strict=True):
        monkeypatch.setitem(table, "loading", text)

    async def run_visits() -> list[list[Any]]:
        visits = []
        for number, language in enumerate(["en", "zh"] * 6):
            headers = Headers({"x-forwarded-for": f"{number}"})
            response = make_response(language, False, session=f"{number}", headers=headers)
            visits.append(collect_steps(response))
        return await asyncio.gather(*visits)

    for number, steps in enumerate(asyncio.run(run_visits())):
        shown = "".join(map(str, itertools.chain(*steps)))
        is_chinese = number % 2 == 1
        assert ("此处加载" in shown) == is_chinese
        assert ("Loading here" in shown) != is_chinese


# Queues


def test_a_newer_submission_of_a_page_ends_the_older_one(scores: FakeScorer) -> None:
    scores.waits = lambda metric: True

    async def run_visit() -> tuple[list[Any], list[Any]]:
        def submit_example() -> asyncio.Task[list[Any]]:
            request = ScoreRequest(FIRST_EXAMPLE, True, session="a")
            return asyncio.create_task(collect_steps(answer_tab.score_all(request)))

        older = submit_example()
        await scores.wait_until_begun(1)
        newer = submit_example()
        shown = await asyncio.wait_for(older, 10)
        scores.gate.set()
        return shown, await newer

    older, newer = asyncio.run(run_visit())
    assert len(older) == STEPS_WITHOUT_SCORES
    assert len(newer) == ALL_STEPS
    assert not any(isinstance(part, str) for part in older[-1])
    assert not submissions.NEWEST


def test_a_step_that_is_still_drawn_when_a_newer_submission_begins_is_not_shown(
    scores: FakeScorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_page = answer_tab.draw_page
    older_draws, newer_is_shown = threading.Event(), threading.Event()

    def draw_slowly(submission: Submission, *others: Any) -> list[str]:
        if submission.answer == "older":
            older_draws.set()
            assert newer_is_shown.wait(20)
        return draw_page(submission, *others)

    monkeypatch.setattr(answer_tab, "draw_page", draw_slowly)

    async def run_visit() -> list[Any]:
        request = ScoreRequest(Submission("", "Paris", "older"), True, session="a")
        older = asyncio.create_task(collect_steps(answer_tab.score_all(request)))
        await asyncio.to_thread(older_draws.wait, 20)
        await collect_steps(answer_tab.score_all(ScoreRequest(FIRST_EXAMPLE, True, session="a")))
        newer_is_shown.set()
        return await older

    for step in asyncio.run(run_visit()):
        assert not any(isinstance(part, str) for part in step)


def test_submissions_of_a_page_begin_in_the_order_in_which_they_arrive(page_server: Any) -> None:
    # Gradio begins events of one queue in this order, and chooses among several queues at random.
    # The English page and the Chinese page have an overview each, which tells their events apart.
    queues_by_overview: dict[str, set[str]] = {}
    for event in page_server.fns.values():
        is_submission = "send_values" in str(event.js)
        if is_submission:
            overview, *_ = event.outputs
            queues_by_overview.setdefault(overview._id, set()).add(event.concurrency_id)
    queues_of_english, queues_of_chinese = queues_by_overview.values()
    assert len(queues_of_english) == 1
    assert len(queues_of_chinese) == 1


def test_scores_of_a_closed_page_are_not_begun(scores: FakeScorer) -> None:
    scores.waits = lambda metric: True
    n_at_once = int(submissions.WORDS_LANE.limit_of_all.total_tokens)

    async def run_visit() -> list[Any]:
        pages = []
        for session in "abcdefg":
            request = ScoreRequest(FIRST_EXAMPLE, session=session, address=session)
            pages.append(asyncio.create_task(collect_steps(answer_tab.score_all(request))))
        await scores.wait_until_begun(n_at_once)
        for session in "abcdefg":
            submissions.end_submission(session)
        shown = await asyncio.wait_for(asyncio.gather(*pages), 10)
        scores.gate.set()
        return shown

    for steps in asyncio.run(run_visit()):
        assert len(steps) == STEPS_WITHOUT_SCORES
    assert len(scores.begun) == n_at_once, "a score of a closed page was begun"


def test_a_visitors_judges_run_one_submission_after_another_and_delay_no_other_score(
    scores: FakeScorer,
) -> None:
    scores.waits = lambda metric: metric.judge
    n_metrics = len(METRICS)
    n_without_judges = n_metrics - len(JUDGE_METRICS)
    # Submissions of the visitors a, b and c, and how many scores of each can begin at once. The
    # judges of a2 and a3 wait for those of a1, and a3 replaces a2.
    n_begun_at_once = {
        "a1": n_metrics,
        "a2": n_without_judges,
        "a3": n_without_judges,
        "b1": n_metrics,
        "c1": n_metrics,
    }

    async def run_visits() -> dict[str, int]:
        tasks: dict[str, asyncio.Task[list[Any]]] = {}
        n_begun = 0
        for name, n_new in n_begun_at_once.items():
            visitor = name[0]
            request = ScoreRequest(Submission("q", "r", name), True, JUDGE, session=visitor)
            steps = answer_tab.score_all(request)
            tasks[name] = asyncio.create_task(collect_steps(steps))
            n_begun += n_new
            await asyncio.wait_for(scores.wait_until_begun(n_begun), 10)
        scores.gate.set()
        return {name: len(await task) for name, task in tasks.items()}

    n_steps = asyncio.run(run_visits())
    # Newer submissions ended a1 and a2, so that they show no judge's score.
    for ended in ("a1", "a2"):
        assert n_steps[ended] <= ALL_STEPS - len(JUDGE_METRICS)
    for finished in ("a3", "b1", "c1"):
        assert n_steps[finished] == ALL_STEPS
    judged = Counter(answer for metric, answer in scores.begun if metric.judge)
    assert judged == dict.fromkeys(("a1", "a3", "b1", "c1"), len(JUDGE_METRICS))
    # More judges waited than the lane of the other scores has room for, so they waited elsewhere.
    assert len(judged) * len(JUDGE_METRICS) > submissions.WORDS_LANE.limit_of_all.total_tokens
    assert not submissions.JUDGE_TURNS


def test_the_submissions_in_progress_of_one_address_are_limited(scores: FakeScorer) -> None:
    scores.waits = lambda metric: True
    most = visitors.MAX_EVENTS_OF_VISITOR

    async def run_visit() -> tuple[list[Any], list[Any]]:
        def start_visit(number: int, address: str) -> asyncio.Task[list[Any]]:
            client = SimpleNamespace(host=address)
            return asyncio.create_task(
                collect_steps(make_response("en", True, session=f"{number}", client=client))
            )

        allowed = [start_visit(number, "1.1.1.1") for number in range(most)]
        await asyncio.sleep(0)
        refused = await start_visit(most, "1.1.1.1")
        from_elsewhere = start_visit(most + 1, "2.2.2.2")
        scores.gate.set()
        return refused, await asyncio.gather(*allowed, from_elsewhere)

    refused, accepted = asyncio.run(run_visit())
    assert len(refused) == 1
    assert "Too much from your address is under way" in refused[0][0]
    assert {len(steps) for steps in accepted} == {ALL_STEPS}
    assert not visitors.UNDER_WAY


# Refused requests

DESK = {"GRADIO_SERVER_NAME": "My-Desk", "ANSWER_LENS_PUBLIC": "0"}
SPACE = {"SPACE_ID": "org/space"}
PAGE = "/gradio_api/queue/data"
JOIN = "/gradio_api/queue/join"


@pytest.mark.parametrize(
    ("path", "headers", "environment", "status"),
    [
        # A page at home takes no request of another website or through a proxy.
        (PAGE, {"host": "127.0.0.1:7860"}, {}, 200),
        (PAGE, {"host": "LOCALHOST:7860", "origin": "http://localhost:7860"}, {}, 200),
        (PAGE, {"host": "[::1]:7860"}, {}, 200),
        (PAGE, {"host": "evil.example:7860", "origin": "http://evil.example:7860"}, {}, 400),
        (PAGE, {"host": "127.0.0.1.evil.example"}, {}, 400),
        (PAGE, {"host": "localhost@evil.example"}, {}, 400),
        (PAGE, {"host": ""}, {}, 400),
        (PAGE, {"host": "localhost:7860", "origin": "http://localhost:3000"}, {}, 403),
        (PAGE, {"origin": "null"}, {}, 403),
        (PAGE, {"x-forwarded-for": "1.2.3.4"}, {}, 403),
        (PAGE, {"forwarded": "for=1.2.3.4"}, {}, 403),
        (PAGE, {"x-real-ip": "1.2.3.4"}, {}, 403),
        (PAGE, {"x-forwarded-proto": "https"}, {}, 403),
        (PAGE, {"via": "1.1 proxy"}, {}, 403),
        (PAGE, {"cf-connecting-ip": "1.2.3.4"}, {}, 403),
        (PAGE, {"host": "my-desk:7860"}, DESK, 200),
        (PAGE, {"host": "evil.example"}, DESK, 400),
        (
            PAGE,
            {"host": "org.hf.space", "origin": "https://hf.co", "x-forwarded-for": "1.2.3.4"},
            SPACE,
            200,
        ),
        # Addresses and sizes that the page itself never requests.
        ("/", {}, {}, 200),
        (JOIN, {"content-length": "4000000"}, {}, 200),
        (JOIN, {"content-length": "4000001"}, {}, 413),
        (JOIN, {"content-length": "9" * 5000}, {}, 413),
        ("/gradio_api/upload", {"content-length": "4000001"}, {}, 200),
        (JOIN, {"content-length": "-1"}, {}, 413),
        (JOIN, {"transfer-encoding": "chunked"}, {}, 413),
        ("/gradio_api/deep_link?session_hash=x", {}, {}, 404),
        ("/gradio_api/call/respond", {}, {}, 404),
        ("/gradio_api/info", {}, {}, 404),
        ("/gradio_api//upload", {}, {}, 404),
        ("/zh/gradio_api/deep_link", {}, {}, 404),
    ],
)
def test_requests_of_other_websites_and_programs_are_refused(
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    headers: dict[str, str],
    environment: dict[str, str],
    status: int,
) -> None:
    for name in ("SPACE_ID", "ANSWER_LENS_PUBLIC", "GRADIO_SHARE", "GRADIO_SERVER_NAME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    page: Any = PlainTextResponse("page")
    for guard in reversed(access.make_guards()):
        page = guard.cls(page, *guard.args, **guard.kwargs)
    answer = TestClient(page, base_url="http://localhost").get(path, headers=headers)
    assert answer.status_code == status
    has_hint = "ANSWER_LENS_PUBLIC=1" in answer.text
    assert has_hint == (status == 403)


# What the server forgets


@pytest.fixture(scope="module")
def page_server() -> Iterator[Any]:
    """The page, served for all tests of this file."""
    with serve_page() as page:
        yield page


@pytest.fixture
def judges_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all scores by made-up ones, except those of judges."""
    real = pasted_answer.score

    def score_judges(metric: Metric, *others: Any) -> Any:
        return real(metric, *others) if metric.judge else make_scored_result(metric.name)

    monkeypatch.setattr(pasted_answer, "score", score_judges)


@pytest.mark.usefixtures("judges_only")
def test_no_object_in_memory_keeps_a_visitors_key(page_server: Any) -> None:
    # The key is built at run time; otherwise the search would find this file's own constant.
    def make_key() -> str:
        return "sk-" + "".join(reversed("Zq7WvN3xR9tKb5Lm"))

    with JudgeServer(
        lambda request, number: (
            make_good_reply(request) if number < 2 else make_error(401, f"No: {request.key}")
        )
    ) as server:
        for _ in range(2):
            form = fill_form(**PARIS, **fill_judge("vllm", make_key(), server.url))
            messages = submit_answer(page_server, "keyed", True, *form.values())
            assert "process_completed" in messages
            assert make_key() not in messages
        assert server.keys == {make_key()}
        server.requests.clear()
    assert find_holders(make_key) == []


@pytest.mark.usefixtures("judges_only")
def test_a_public_page_never_uses_the_owners_key_or_an_address_of_the_visitor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key_of_owner = "sk-of-the-owner-1234567890"
    key = "sk-of-the-visitor-123456"
    with JudgeServer() as server:
        monkeypatch.setenv("SPACE_ID", "org/space")
        monkeypatch.setenv("OPENAI_API_KEY", key_of_owner)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        # The values of the judge's panel, and a part of the reply.
        forged_judges = [
            (fill_judge("openai", key, server.url), "Choose one of those that it offers"),
            (fill_judge(None, key, server.url), "Choose one of those that it offers"),
            (fill_judge("openai", "", ""), "give a key under"),
            (fill_judge("vllm", key, ""), '"success":false'),
        ]
        with serve_page() as page:
            config = page.get_config_file()
            shown = json.dumps(config, default=str)
            for number, (judge, refusal) in enumerate(forged_judges):
                form = fill_form(**PARIS, **judge)
                messages = submit_answer(page, f"forged{number}", True, *form.values())
                assert refusal in messages
                shown += messages
        assert server.requests == []
    assert {event["api_visibility"] for event in config["dependencies"]} == {"private"}
    assert not re.search("vllm|llamacpp|ollama", json.dumps(config, default=str))
    assert key_of_owner not in shown
    assert key not in shown


def test_no_object_in_memory_keeps_a_typed_text(page_server: Any, scores: FakeScorer) -> None:
    for number in range(20):
        form = fill_form(reference="Paris", answer=f"Xyzzy{number} city")
        messages = submit_answer(page_server, f"typed{number % 4}", False, *form.values())
        assert "process_completed" in messages
    scores.begun.clear()
    # The text is built at run time; otherwise the search would find this file's own constant.
    assert find_holders(lambda: "1yzzyX"[::-1]) == []
