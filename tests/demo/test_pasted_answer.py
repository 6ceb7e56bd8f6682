"""Scoring one answer with one metric: where modules come from, which models may be fetched, and
what goes wrong.
"""

from __future__ import annotations

import contextvars
import re
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lens.page.answer.answer_tab import EXAMPLES
from lens.page.answer.cards import draw_card
from lens.scoring import catalog, failures, model_files, modules, pasted_answer
from lens.scoring.catalog import METRICS
from lens.scoring.submission import Submission

from tests.demo.html_outline import visible_text
from tests.demo.metric_samples import (
    BY_NAME,
    FIRST_EXAMPLE,
    JUDGE_METRICS,
    MODEL_METRICS,
    OWN_METRICS,
    WORD_METRICS,
)
from tests.support.project import ROOT

pytestmark = pytest.mark.usefixtures("small_models")
COSINE, BERTSCORE = BY_NAME["cosine_similarity"], BY_NAME["bertscore"]


def test_scoring_from_a_clone_asks_no_other_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_connection(*arguments: object) -> None:
        raise AssertionError(f"network: {arguments[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse_connection)
    monkeypatch.setattr(socket, "getaddrinfo", refuse_connection)
    modules.load_class.cache_clear()
    assert [pasted_answer.score(metric, FIRST_EXAMPLE).state for metric in OWN_METRICS] == [
        "scored"
    ] * len(OWN_METRICS)
    assert [pasted_answer.score(metric, FIRST_EXAMPLE).state for metric in JUDGE_METRICS] == [
        "needs"
    ] * len(JUDGE_METRICS)


def test_the_estimate_reads_the_question() -> None:
    metric, unasked = (
        BY_NAME["correctness_estimate"],
        Submission("", FIRST_EXAMPLE.reference, FIRST_EXAMPLE.answer),
    )
    assert pasted_answer.score(metric, FIRST_EXAMPLE).reasons["note"] is None
    assert "no question was given" in pasted_answer.score(metric, unasked).reasons["note"]


TEXTS = ("question", "reference", "answer", "keywords")
KEYED = Submission("", "Rome\n\nred moss", "red moss", "moss stone", several=True)


@pytest.mark.parametrize(
    ("name", "changes", "score", "counted", "signed"),
    [
        ("lv_eval_f1", {}, 0.0, 0, "multi_reference:first"),
        ("lv_eval_f1", {"multi_reference": "max"}, 1.0, 1, "multi_reference:max"),
        (
            "lv_eval_f1",
            {"multi_reference": "max", "min_keyword_recall": 1},
            0.0,
            0,
            "min_keyword_recall:1.0",
        ),
        ("lv_eval_f1", {"several": False}, 0.8, None, "min_keyword_recall:en-0.2,zh-0.4"),
        ("lv_eval_rouge", {}, 0.0, 0, "multi_reference:first"),
        ("lv_eval_rouge", {"multi_reference": "max"}, 1.0, 1, "multi_reference:max"),
        ("rouge", {}, 1.0, 1, "multi_reference:max"),
        ("cosine_similarity", {}, 1.0, 1, ""),
        ("correctness_estimate", {}, None, 1, "multi_reference:nearest"),
        ("bleu", {}, 1.0, None, ""),
    ],
)
def test_which_of_several_references_counts_and_what_is_chosen_reaches_the_module(
    name: str,
    changes: dict[str, Any],
    score: float | None,
    counted: int | None,
    signed: str,
) -> None:
    submission = replace(KEYED, **changes)
    outcome = pasted_answer.score(BY_NAME[name], submission)
    assert score is None or outcome.score == pytest.approx(score)
    assert (outcome.reasons.get("reference") if submission.several else None) == counted
    assert signed in outcome.signature
    card = visible_text(draw_card(BY_NAME[name], outcome, submission))
    assert (f"number {(counted or 0) + 1} counted" in card) == (counted is not None)
    assert ("All references count together" in card) == (name == "bleu")
    assert ("reads the first alone" in card) == (signed == "multi_reference:first")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reference": "x\n" * 21}, "21 references are given"),
        ({"reference": "\n \n"}, "Needs a reference"),
        ({"min_keyword_recall": 1.5}, "a number from 0 to 1"),
        ({"min_keyword_recall": float("nan")}, "a number from 0 to 1"),
        *(({field: "x" * 50_001}, "is too long: 50,001 characters") for field in TEXTS),
        (dict.fromkeys(TEXTS, "x" * 50_000), ""),
    ],
)
def test_what_the_page_does_not_score(changes: dict[str, Any], said: str) -> None:
    outcome = pasted_answer.begin_result(BY_NAME["lv_eval_f1"], replace(KEYED, **changes))
    assert (outcome.state, said in outcome.message) == ("needs" if said else "pending", True)


def test_threads_do_not_disturb_each_other() -> None:
    def find_cards(submission: Submission) -> list[float | None]:
        return [pasted_answer.score(metric, submission).score for metric in WORD_METRICS]

    examples = list(EXAMPLES.values())
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(find_cards, examples * 8)) == [find_cards(one) for one in examples] * 8


def test_where_a_module_comes_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANSWER_LENS_ORG", raising=False)
    assert modules.locate_module("bleu") == str(ROOT / "metrics" / "bleu")
    monkeypatch.setattr(modules, "METRICS_FOLDER", tmp_path)
    with pytest.raises(modules.Unavailable):
        modules.locate_module("bleu")
    monkeypatch.setenv("ANSWER_LENS_ORG", " some-org ")
    assert modules.locate_module("bleu") == "some-org/bleu"


# What goes wrong

ask_hub = contextvars.ContextVar("ask_hub", default=True)


class Failing:
    """A module whose compute fails; it notes whether it may ask the Hub."""

    def __init__(self, error: Exception) -> None:
        self.error, self.asked = error, list[bool]()

    def compute(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(ask_hub.get())
        raise self.error


@pytest.fixture
def fail_with(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have all metrics be such a module."""
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")

    def take_error(error: Exception) -> Failing:
        module = Failing(error)
        monkeypatch.setattr(modules, "make_module", lambda name: module)
        return module

    return take_error


@pytest.mark.parametrize(
    "metric", [BY_NAME["lv_eval_f1"], *MODEL_METRICS], ids=lambda metric: metric.name
)
@pytest.mark.parametrize(
    ("error", "state", "said"),
    [
        (ValueError("row 0: None\nsecond line"), "error", "refused this input: row 0: None"),
        (ImportError("pip install jieba==0.42.1"), "unavailable", "pip install jieba==0.42.1"),
        (KeyError("secret"), "error", "could not be computed (KeyError)"),
    ],
)
def test_what_goes_wrong_is_said_and_is_no_score(
    fail_with: Any,
    caplog: pytest.LogCaptureFixture,
    metric: catalog.Metric,
    error: Exception,
    state: str,
    said: str,
) -> None:
    fail_with(error)
    outcome = pasted_answer.score(metric, FIRST_EXAMPLE)
    assert (outcome.state, outcome.score, said in outcome.message) == (state, None, True)
    assert "secret" not in outcome.message + caplog.text
    assert "second line" not in outcome.message


def test_a_model_that_cannot_be_had_is_said_with_the_variable(
    fail_with: Any, caplog: pytest.LogCaptureFixture
) -> None:
    failures.note_missing.cache_clear()
    fail_with(OSError("no model X. Pass a folder\nsecond line"))
    for metric in MODEL_METRICS * 3:
        outcome = pasted_answer.score(metric, FIRST_EXAMPLE)
        assert metric.model
        assert outcome.state == "unavailable"
        assert outcome.message.startswith("No model X. Pass a folder. ")
        assert metric.model.variable in outcome.message
    assert len(caplog.messages) == len(MODEL_METRICS), "once for each model"
    for line, metric in zip(
        caplog.messages, MODEL_METRICS, strict=True
    ):  # and without a traceback: it is no defect
        assert re.fullmatch(
            rf"{metric.name}: no score, for its model \S+ cannot be had \(OSError\); .* once", line
        )


@pytest.mark.parametrize("error", [OSError, ValueError])
@pytest.mark.parametrize(
    "named", ["{}/mine", "{}/mine/", "./mine", "~/mine", "mine", "../own/mine", "."]
)
def test_no_message_says_where_a_folder_lies(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    fail_with: Any,
    error: type[Exception],
    named: str,
) -> None:
    home = tmp_path / "own"
    (home / "mine").mkdir(parents=True)
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    named = named.format(home)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
    folder = Path(named).expanduser().resolve()
    fail_with(error(f"no model in {named!r}, that is in {folder}/config.json"))
    for message in (
        pasted_answer.score(BERTSCORE, FIRST_EXAMPLE).message,
        pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE).message,
    ):
        assert folder.name in message
        assert not [one for one in (str(tmp_path), "~", f"/{folder.name}") if one in message]


# Models


NAMED: list[tuple[str, str, dict[str, Any]]] = [
    ("", "", {"model_type": "microsoft/deberta-xlarge-mnli"}),
    (" roberta-large ", "", {"model_type": "roberta-large"}),
    ("./mine", "", {"model_type": "./mine", "num_layers": "last"}),
    ("./mine", " 5 ", {"model_type": "./mine", "num_layers": 5}),
    ("./mine", "five", {"model_type": "./mine", "num_layers": "five"}),
]


def test_the_model_and_the_layer_of_bertscore(monkeypatch: pytest.MonkeyPatch) -> None:
    code = SimpleNamespace(known_layers=lambda model: None if model == "./mine" else 17)
    for named, layers, arguments in NAMED:
        monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
        monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
        assert BERTSCORE.arguments(code) == arguments


def test_a_model_is_on_disk_when_all_of_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def find_cached_file(name: str, file: str) -> str | None:
        return file if name == "sentence-transformers/small" and file in files else None

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", find_cached_file)
    whole = (["config.json", "model.safetensors"], ["config.json", "pytorch_model.bin"])
    for files in (
        *whole,
        [],
        ["config.json"],
        ["model.safetensors"],
        ["config.json", "model.safetensors.index.json"],
    ):
        there = files in whole
        assert (
            model_files.is_on_disk("sentence-transformers/small")
            == model_files.is_on_disk("small")
            == there
        )
        assert not model_files.is_on_disk("sentence-transformers/other")
    assert model_files.is_on_disk(str(ROOT))


def test_what_a_model_card_says_before_it_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE, asked=False)
    assert (outcome.state, "Loading the model" in outcome.message, "/" in outcome.message) == (
        "pending",
        True,
        False,
    )
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", "org/elsewhere")
    unasked, asked = (
        pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE, asked=False),
        pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE),
    )
    assert (unasked.state, asked.state) == ("needs", "pending")
    assert "org/elsewhere is not on this machine" in unasked.message
    assert "GB" not in unasked.message + asked.message
    assert pasted_answer.score(BERTSCORE, FIRST_EXAMPLE, asked=False) == unasked
    assert pasted_answer.begin_result(BERTSCORE, Submission(answer="x"), False).message.startswith(
        "Needs a reference"
    )


def test_a_module_asks_the_hub_only_where_someone_asked(
    fail_with: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = fail_with(OSError("no model"))
    monkeypatch.setattr(modules, "find_code", lambda module: sys.modules[__name__])
    monkeypatch.setattr(pasted_answer, "is_on_disk", lambda name: True)
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "org/half-here")
    unasked = pasted_answer.score(COSINE, FIRST_EXAMPLE, asked=False)
    assert unasked.state == "needs"
    assert "org/half-here is not on this machine. Press Score" in unasked.message
    assert pasted_answer.score(COSINE, FIRST_EXAMPLE).state == "unavailable"
    assert module.asked == [False, True]
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "./no-folder")
    assert pasted_answer.score(COSINE, FIRST_EXAMPLE, asked=False).state == "unavailable"


def test_warming_up_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    monkeypatch.setattr(
        pasted_answer, "score", lambda metric, submission: found.append(metric.name)
    )
    pasted_answer.warm_up()
    assert found == [metric.name for metric in METRICS if not metric.model]


# The documents


def test_the_space_has_what_its_metrics_need_and_says_so() -> None:
    space = ROOT / "spaces" / "answer_lens"
    mine = (space / "requirements.txt").read_text(encoding="utf-8").split("\n")
    readme = (space / "README.md").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+): (.+)$", readme.split("---")[1], re.MULTILINE))
    assert (settings["sdk"], settings["app_file"], settings["license"]) == (
        "gradio",
        "app.py",
        "apache-2.0",
    )
    assert len(settings["short_description"]) <= 60
    for metric in METRICS:
        folder = ROOT / "metrics" / metric.name
        needed = (folder / "requirements.txt").read_text(encoding="utf-8").split("\n")
        # The demo has one torch, and sends nothing on trial, which is what tiktoken counts for.
        more = {line for line in needed if line.startswith(("torch>", "tiktoken"))}
        assert {line for line in needed if line and line[0] != "#"} <= {*mine, *more}
        row = rf"^\| {re.escape(metric.title)} \| .+ \| `{metric.name}` \|$"
        assert re.search(row, readme, re.MULTILINE), (
            f"spaces/answer_lens/README.md lacks a row for {metric.name}"
        )
