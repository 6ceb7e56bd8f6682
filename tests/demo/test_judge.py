"""The judge of a pasted answer: which are allowed, their arguments, keys, and failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from lens import words
from lens.page import build
from lens.page.answer.cards import draw_card
from lens.scoring import judge as judging
from lens.scoring import modules, pasted_answer
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.judge_failures import explain_failure
from lens.scoring.submission import Submission

from tests.demo.html_outline import visible_text
from tests.demo.metric_samples import BY_NAME, FIRST_EXAMPLE, JUDGE_METRICS
from tests.support import judges
from tests.support.decision_server import DecisionServer
from tests.support.judge_server import JudgeServer, make_good_reply

KEY = "sk-Zq7WvN3xR9tKb5Lm2HdYp8FcJs4Ga6Ue"
TABLE = modules.load_providers()
EVE = BY_NAME["eve_judge"]
# The keys of a module's result for one judged answer.
PAID = {
    "Cost": 0.002,
    "tokens": {"input": 50, "output": 9},
    "calls": {"sent": 1},
    "signature": f"x|{KEY}",
}


def make_judge(
    provider: str = "openai",
    model: str = "m",
    key: str = KEY,
    address: str = "",
    decides: bool = False,
) -> Judge:
    """Return a complete judge."""
    return Judge.parse(provider, model, key, address, False, decides)


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all keys from the environment, and all variables that make the page public."""
    names = [
        "SPACE_ID",
        "ANSWER_LENS_PUBLIC",
        "GRADIO_SHARE",
        "GRADIO_SERVER_NAME",
        judging.TIMEOUT_VARIABLE,
    ]
    for name in (
        *names,
        *(provider.key_variable for provider in TABLE.values() if provider.key_variable),
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("environment", "public"),
    [
        ({}, False),
        ({"SPACE_ID": "org/space"}, True),
        ({"SPACE_ID": "org/space", "ANSWER_LENS_PUBLIC": "0"}, True),
        ({"ANSWER_LENS_PUBLIC": "yes"}, True),
        ({"GRADIO_SERVER_NAME": "0.0.0.0"}, True),
        ({"GRADIO_SERVER_NAME": "0.0.0.0", "ANSWER_LENS_PUBLIC": "0"}, False),
        ({"GRADIO_SERVER_NAME": "127.0.0.1"}, False),
        ({"GRADIO_SHARE": "True"}, True),
        ({"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}, False),
    ],
)
def test_a_page_that_others_can_reach_is_public_and_offers_no_local_provider(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], public: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert judging.is_public() == public
    addresses = [provider.base_url for provider in judging.list_offered_providers(TABLE).values()]
    assert len(addresses) >= 5
    assert any(address.startswith("http://") for address in addresses) != public

    def launch_page(**options: object) -> None:
        # With share=None Gradio would share the page on Kaggle, SageMaker and Colab.
        assert options["share"] is ("GRADIO_SHARE" in environment)
        raise InterruptedError

    monkeypatch.setattr(build.demo, "launch", launch_page)
    with pytest.raises(InterruptedError):
        build.main()


@pytest.mark.parametrize(
    ("chosen", "missing"),
    [
        (NO_JUDGE, "give a provider and a model"),
        (make_judge(provider=""), "give a provider under"),
        (make_judge(model=" "), "give a model under"),
        (make_judge(key=""), "give a key (or the environment variable OPENAI_API_KEY)"),
        (
            make_judge("anthropic", "", ""),
            "give a model and a key (or the environment variable ANTHROPIC_API_KEY)",
        ),
        (make_judge("vllm", key=""), ""),
        (make_judge("", key="", address="http://127.0.0.1:1/v1"), ""),
        (make_judge(), ""),
        (make_judge("no-such"), "does not ask that provider"),
        (make_judge(model="m" * 501), "at most 500 characters"),
        (make_judge(key="k" * 501), "at most 500 characters"),
        (make_judge("anthropic", decides=True), "anthropic gives no decisions"),
        (make_judge("typesafe"), "typesafe gives decisions and no text"),
        (make_judge("typesafe", decides=True), ""),
        (make_judge("openai", decides=True), ""),
        (make_judge("anthropic", address="http://127.0.0.1:1/v1", decides=True), ""),
    ],
)
def test_the_message_names_what_a_judge_lacks(chosen: Judge, missing: str) -> None:
    message = judging.describe_missing_settings(chosen, TABLE)
    assert (missing in message) if missing else not message
    assert KEY not in message


def test_the_key_of_the_environment_is_not_used_on_a_public_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-owner")
    assert not judging.describe_missing_settings(make_judge(key=""), TABLE)
    assert judging.make_arguments(make_judge(key=""), "eve_judge")["api_key"] is None
    monkeypatch.setenv("SPACE_ID", "org/space")
    assert "give a key under" in judging.describe_missing_settings(make_judge(key=" \n"), TABLE)


def test_a_public_page_sends_nothing_to_an_address_of_a_visitor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    forged_judges = [
        make_judge("vllm"),
        make_judge(address="http://127.0.0.1:1/v1"),
        make_judge(address="https://api.openai.com/v1"),
        make_judge("none"),
    ]
    for judge in forged_judges:
        result = pasted_answer.score(EVE, FIRST_EXAMPLE, True, judge)
        assert result.state == "needs"
        assert result.score is None
        assert result.prompt


def test_the_arguments_of_a_judge_on_a_private_and_a_public_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = judging.make_arguments(make_judge(address=" http://127.0.0.1:1/v1 "), "eve_judge")
    assert arguments["base_url"] == "http://127.0.0.1:1/v1"
    expected = {
        "api_key": KEY,
        "cache": False,
        "progress": False,
        "on_error": "raise",
        "max_retries": 2,
        "timeout": 60,
    }
    assert arguments.items() >= expected.items()
    monkeypatch.setenv(judging.TIMEOUT_VARIABLE, "7.5")
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    arguments = judging.make_arguments(make_judge(), "eve_judge")
    assert arguments["max_retries"] == 0
    assert arguments["timeout"] == 7.5


def test_a_key_is_removed_from_every_text() -> None:
    assert KEY not in f"{make_judge()!r} {make_judge()}"
    assert Judge.parse(None, 5, ["x"], {"x": 1}) == NO_JUDGE
    entry = {"message": f"bad {KEY}", KEY: [KEY, 1], "model": None}
    assert judging.hide_key(entry, KEY) == {
        "message": "bad [key]",
        "[key]": ["[key]", 1],
        "model": None,
    }
    assert judging.hide_key("none of it", "none") == "none of it", (
        "a short key may be a word of the text"
    )
    row = {
        "score": 1,
        "model": KEY,
        "reasoning": f"you said {KEY}",
        "reason": None,
        "message": None,
        "usage": None,
    }
    result = judging.make_verdict(PAID | {"per_example": [row]}, make_judge(), "prompt")
    assert result.state == "scored"
    assert KEY not in str(result)
    declined = row | {"score": None, "reason": "declined", "message": "it declines"}
    result = judging.make_verdict(PAID | {"per_example": [declined]}, make_judge(), "prompt")
    assert (result.state, result.score) == ("error", None)
    assert result.message.startswith("The judge says that the answer declines to answer.")


class JudgeError(RuntimeError):
    """Like the error of the judge modules, each of which has a class of its own in evaluate."""

    def __init__(self, reason: str, message: str = "m", result: Any = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.result = result


REASONS = """
bad_key forbidden no_model parameter_refused no_logprobs quota redirect unreachable bad_request
rate_limited server_error connection timeout context_too_long content_filter refusal cut_off
no_choices no_content logprobs_missing logprobs_malformed thinking unknown_end not_json
error_in_reply no_verdict bad_verdict ambiguous declined no_decisions wrong_api no_answers
missing_answer answer_malformed
""".split()


def test_every_reason_of_a_failure_has_a_text() -> None:
    assert [code for code in REASONS if not words.has_text(f"unscored.{code}")] == []


ROW = {
    "score": None,
    "reason": "refusal",
    "message": "no",
    "model": "judge-1",
    "usage": PAID["tokens"],
}
REFUSED = JudgeError("refusal", result=PAID | {"per_example": [ROW]})


@pytest.mark.parametrize(
    ("problem", "state", "text"),
    [
        (ValueError(f"base_url is {KEY}"), "error", "The judge was not asked: base_url is [key]."),
        (TypeError("model is 5"), "error", "The judge was not asked: model is 5."),
        (ImportError("pip install openai"), "unavailable", "pip install openai"),
        (RuntimeError(KEY), "error", "could not be computed (RuntimeError)"),
        (
            JudgeError("bad_key", f"it said {KEY}"),
            "unavailable",
            "not a score of 0. What came back: it said [key].",
        ),
        (JudgeError("new_code"), "error", "The judge gave no usable verdict"),
        (REFUSED, "error", "The judge refused to judge this"),
        (REFUSED, "error", "judge-1: 50 tokens in, 9 out, 0.0020 USD"),
    ],
)
def test_a_failure_has_no_score_and_shows_its_reason_and_cost(
    problem: Exception, state: str, text: str
) -> None:
    result = explain_failure(problem, make_judge(), "prompt")
    assert result.state == state
    assert result.score is None
    assert result.prompt == "prompt"
    shown = visible_text(draw_card(EVE, result))
    assert text in shown
    assert KEY not in shown


def test_a_judge_needs_only_an_address_and_a_note_says_if_the_question_is_empty() -> None:
    empty = Submission(" ", "Paris", "Paris")
    with JudgeServer(make_good_reply) as server:
        judge = make_judge("", address=server.url)
        for metric in JUDGE_METRICS:
            for submission, asked, chosen, has_note in (
                (empty, True, judge, True),
                (empty, False, judge, True),
                (FIRST_EXAMPLE, True, judge, False),
                (empty, True, NO_JUDGE, False),
            ):
                result = pasted_answer.score(metric, submission, asked, chosen)
                card = visible_text(draw_card(metric, result))
                assert card.count("The question is empty, so the judge gets none.") == has_note
        assert len(server.requests) == 4
    with JudgeServer(judges.compare_texts) as server:
        result = pasted_answer.score(EVE, empty, True, make_judge("", address=server.url))
        assert result.state == "scored"
        assert result.score == 1.0


def test_a_decision_models_probabilities_and_prompt_are_shown() -> None:
    def decide_verdict(state: str, text: str, choices: Sequence[str]) -> Any:
        return {"right": 0.7, "wrong": 0.2, "declined": 0.1} if choices else 0.92

    with DecisionServer(decide_verdict) as server:
        chosen = make_judge("vllm", address=server.url, decides=True)
        cards = {}
        for metric in JUDGE_METRICS:
            result = pasted_answer.score(metric, FIRST_EXAMPLE, True, chosen)
            state = server.requests[-1].body["state"]
            assert result.prompt == f"{state}\n\n{server.question_texts[-1]}"
            cards[metric.name] = visible_text(draw_card(metric, result))
        paths = {request.path for request in server.requests}
    assert paths == {"/v1/systemone"}
    for words_of_card in ("not the published L3Score", "Yes0.92", "No0.08"):
        assert words_of_card in cards["l3score"]
    for words_of_card in ("PASS", "Right0.70", "Wrong0.20", "Declined0.10"):
        assert words_of_card in cards["eve_judge"]


def test_a_decision_model_is_asked_once_even_if_several_samples_are_wanted() -> None:
    """Its probabilities would not change."""
    judge = Judge.parse("openai", "m", KEY, "", True, True)
    assert "samples" not in judging.make_arguments(judge, "eve_judge")


def test_a_visitors_mistake_is_not_logged_as_a_defect(
    caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    result = pasted_answer.score(EVE, FIRST_EXAMPLE, True, make_judge(address="no address"))
    assert result.message.startswith("The judge was not asked")
    assert caplog.text == ""
    monkeypatch.setattr(judging, "make_arguments", lambda judge, name: dict(TABLE)["defect"])
    pasted_answer.score(EVE, FIRST_EXAMPLE, True, make_judge())
    assert "KeyError" in caplog.text
