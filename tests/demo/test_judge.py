"""Who may be asked as a judge, what it is given, and what becomes of a question."""

from __future__ import annotations

from typing import Any

import pytest
from lens import words
from lens.page import build
from lens.page.answer_tab import card
from lens.page.cards import draw_card
from lens.scoring import catalog, modules, pasted_answer
from lens.scoring import judge as judging
from lens.scoring.catalog import METRICS
from lens.scoring.judge import NO_JUDGE, Judge

from tests.demo.made import BY_NAME, FIRST, JUDGES, visible
from tests.support.judge_server import JudgeServer, fitting

KEY = "sk-Zq7WvN3xR9tKb5Lm2HdYp8FcJs4Ga6Ue"
TABLE = modules.providers()


def judge(provider: str = "openai", model: str = "m", key: str = KEY, address: str = "") -> Judge:
    """A judge that lacks nothing."""
    return Judge.given(provider, model, key, address)


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
    given_to_launch: dict[str, object] = {}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def launch(**options: object) -> None:
        given_to_launch.update(options)
        raise InterruptedError

    monkeypatch.setattr(build.demo, "launch", launch)
    with pytest.raises(InterruptedError):
        build.main()
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
    said = visible(card(BY_NAME["eve_judge"], outcome))
    assert "judge-1: 50 tokens in, 9 out, $0.0020" in said
    assert "The judge refused to judge this" in said
    assert "prompt" in said


def test_an_empty_question_is_said_and_allowed() -> None:
    empty = catalog.Submission(" ", "Paris", "Paris")
    with JudgeServer(fitting) as server:
        chosen = judge("vllm", address=server.url)
        for metric in JUDGES:
            asked = ((empty, True, chosen), (empty, False, chosen), (FIRST, True, chosen), (empty, True, NO_JUDGE))
            told = [visible(draw_card(metric, pasted_answer.score(metric, *one))) for one in asked]
            assert [one.count("The question is empty, so the judge gets none.") for one in told] == [1, 1, 0, 0]
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
    assert KEY not in str(outcome)
