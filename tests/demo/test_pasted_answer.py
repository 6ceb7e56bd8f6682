"""Score one answer with one metric: where its module and model come from, and failures."""

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
from lens.page.answer.answer_form import EXAMPLES
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
from tests.support.project import ROOT, read_front_matter

pytestmark = pytest.mark.usefixtures("small_models")
COSINE, BERTSCORE = BY_NAME["cosine_similarity"], BY_NAME["bertscore"]


def test_scoring_from_a_clone_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_connection(*arguments: object) -> None:
        raise AssertionError(f"network: {arguments[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse_connection)
    monkeypatch.setattr(socket, "getaddrinfo", refuse_connection)
    modules.load_class.cache_clear()
    for metric in OWN_METRICS:
        assert pasted_answer.score(metric, FIRST_EXAMPLE).state == "scored"
    for metric in JUDGE_METRICS:
        assert pasted_answer.score(metric, FIRST_EXAMPLE).state == "needs"


def test_the_estimate_reads_the_question() -> None:
    metric = BY_NAME["correctness_estimate"]
    without_question = Submission("", FIRST_EXAMPLE.reference, FIRST_EXAMPLE.answer)
    assert pasted_answer.score(metric, FIRST_EXAMPLE).reasons["note"] is None
    assert "no question was given" in pasted_answer.score(metric, without_question).reasons["note"]


TEXTS = ("question", "reference", "answer", "keywords")
SEVERAL_REFERENCES = Submission(
    "", "Rome\n\nred moss", "red moss", "moss stone", has_several_references=True
)


@pytest.mark.parametrize(
    ("name", "changes", "score", "reference", "signature"),
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
        (
            "lv_eval_f1",
            {"has_several_references": False},
            0.8,
            None,
            "min_keyword_recall:en-0.2,zh-0.4",
        ),
        ("lv_eval_rouge", {}, 0.0, 0, "multi_reference:first"),
        ("lv_eval_rouge", {"multi_reference": "max"}, 1.0, 1, "multi_reference:max"),
        ("rouge", {}, 1.0, 1, "multi_reference:max"),
        ("cosine_similarity", {}, 1.0, 1, ""),
        ("correctness_estimate", {}, None, 1, "multi_reference:nearest"),
        ("bleu", {}, 1.0, None, ""),
    ],
)
def test_each_metric_counts_the_right_one_of_several_references_and_gets_the_chosen_settings(
    name: str,
    changes: dict[str, Any],
    score: float | None,
    reference: int | None,
    signature: str,
) -> None:
    submission = replace(SEVERAL_REFERENCES, **changes)
    result = pasted_answer.score(BY_NAME[name], submission)
    if score is not None:
        assert result.score == pytest.approx(score)
    if submission.has_several_references:
        assert result.reasons.get("reference") == reference
    assert signature in result.signature
    card = visible_text(draw_card(BY_NAME[name], result, submission))
    assert (f"number {(reference or 0) + 1} counted" in card) == (reference is not None)
    assert ("All references count together" in card) == (name == "bleu")
    assert ("reads the first alone" in card) == (signature == "multi_reference:first")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reference": "x\n" * 21}, "21 references are given"),
        ({"reference": "\n \n"}, "Needs a reference"),
        ({"min_keyword_recall": 1.5}, "a number from 0 to 1"),
        ({"min_keyword_recall": float("nan")}, "a number from 0 to 1"),
        *(({field: "x" * 50_001}, "is too long: 50,001 characters") for field in TEXTS),
        (dict.fromkeys(TEXTS, "x" * 50_000), ""),
    ],
)
def test_submissions_that_are_too_long_or_incomplete_are_not_scored(
    changes: dict[str, Any], message: str
) -> None:
    result = pasted_answer.begin_result(
        BY_NAME["lv_eval_f1"], replace(SEVERAL_REFERENCES, **changes)
    )
    assert result.state == ("needs" if message else "pending")
    assert message in result.message


def test_threads_that_score_at_the_same_time_get_their_own_scores() -> None:
    def score_words(submission: Submission) -> list[float | None]:
        return [pasted_answer.score(metric, submission).score for metric in WORD_METRICS]

    examples = list(EXAMPLES.values())
    with ThreadPoolExecutor(6) as pool:
        scores = list(pool.map(score_words, examples * 8))
    assert scores == [score_words(example) for example in examples] * 8


def test_a_module_comes_from_the_clone_or_from_the_organisation_on_the_hub(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ANSWER_LENS_ORG", raising=False)
    assert modules.locate_module("bleu") == str(ROOT / "metrics" / "bleu")
    monkeypatch.setattr(modules, "METRICS_FOLDER", tmp_path)
    with pytest.raises(modules.ModuleUnavailable):
        modules.locate_module("bleu")
    monkeypatch.setenv("ANSWER_LENS_ORG", " some-org ")
    assert modules.locate_module("bleu") == "some-org/bleu"


# Failures

ask_hub = contextvars.ContextVar("ask_hub", default=True)


class FailingModule:
    """A module whose `compute` raises an error.

    `may_ask_hub` records for each call if it may ask the Hub.
    """

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.may_ask_hub: list[bool] = []

    def compute(self, **arguments: object) -> dict[str, Any]:
        self.may_ask_hub.append(ask_hub.get())
        raise self.error


@pytest.fixture
def break_modules(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes the modules of all metrics fail with an error."""
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")

    def take_error(error: Exception) -> FailingModule:
        module = FailingModule(error)
        monkeypatch.setattr(modules, "make_module", lambda name: module)
        return module

    return take_error


@pytest.mark.parametrize(
    "metric", [BY_NAME["lv_eval_f1"], *MODEL_METRICS], ids=lambda metric: metric.name
)
@pytest.mark.parametrize(
    ("error", "state", "message"),
    [
        (ValueError("row 0: None\nsecond line"), "error", "refused this input: row 0: None"),
        (ImportError("pip install jieba==0.42.1"), "unavailable", "pip install jieba==0.42.1"),
        (KeyError("secret"), "error", "could not be computed (KeyError)"),
    ],
)
def test_a_failure_has_a_message_and_no_score(
    break_modules: Any,
    caplog: pytest.LogCaptureFixture,
    metric: catalog.Metric,
    error: Exception,
    state: str,
    message: str,
) -> None:
    break_modules(error)
    result = pasted_answer.score(metric, FIRST_EXAMPLE)
    assert (result.state, result.score) == (state, None)
    assert message in result.message
    assert "secret" not in result.message + caplog.text
    assert "second line" not in result.message


def test_a_model_that_cannot_be_loaded_is_reported_with_its_environment_variable(
    break_modules: Any, caplog: pytest.LogCaptureFixture
) -> None:
    failures.note_missing.cache_clear()
    break_modules(OSError("no model X. Pass a folder\nsecond line"))
    for metric in MODEL_METRICS * 3:
        result = pasted_answer.score(metric, FIRST_EXAMPLE)
        assert metric.model
        assert result.state == "unavailable"
        assert result.message.startswith("No model X. Pass a folder. ")
        assert metric.model.variable in result.message
    assert len(caplog.messages) == len(MODEL_METRICS), "one message for each model"
    # Without a traceback, because a missing model is no defect.
    for line, metric in zip(caplog.messages, MODEL_METRICS, strict=True):
        assert re.fullmatch(
            rf"{metric.name}: no score, for its model \S+ cannot be had \(OSError\); .* once", line
        )


@pytest.mark.parametrize("error", [OSError, ValueError])
@pytest.mark.parametrize(
    "named", ["{}/mine", "{}/mine/", "./mine", "~/mine", "mine", "../own/mine", "."]
)
def test_no_message_shows_the_path_of_a_models_folder(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    break_modules: Any,
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
    break_modules(error(f"no model in {named!r}, that is in {folder}/config.json"))
    for message in (
        pasted_answer.score(BERTSCORE, FIRST_EXAMPLE).message,
        pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE).message,
    ):
        assert folder.name in message
        assert not [part for part in (str(tmp_path), "~", f"/{folder.name}") if part in message]


# Models


# The variables of BERTScore's model and layer, and the arguments of the module.
NAMED: list[tuple[str, str, dict[str, Any]]] = [
    ("", "", {"model_type": "microsoft/deberta-xlarge-mnli"}),
    (" roberta-large ", "", {"model_type": "roberta-large"}),
    ("./mine", "", {"model_type": "./mine", "num_layers": "last"}),
    ("./mine", " 5 ", {"model_type": "./mine", "num_layers": 5}),
    ("./mine", "five", {"model_type": "./mine", "num_layers": "five"}),
]


def test_bertscore_gets_the_model_and_the_layer_of_its_environment_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = SimpleNamespace(known_layers=lambda model: None if model == "./mine" else 17)
    for named, layers, arguments in NAMED:
        monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
        monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
        assert BERTSCORE.arguments(code) == arguments


def test_a_model_is_on_disk_if_its_configuration_and_weights_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import huggingface_hub

    cached_files: list[str] = []

    def find_cached_file(name: str, file: str) -> str | None:
        is_cached = name == "sentence-transformers/small" and file in cached_files
        return file if is_cached else None

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", find_cached_file)
    complete = (["config.json", "model.safetensors"], ["config.json", "pytorch_model.bin"])
    for files in (
        *complete,
        [],
        ["config.json"],
        ["model.safetensors"],
        ["config.json", "model.safetensors.index.json"],
    ):
        cached_files[:] = files
        is_complete = files in complete
        assert model_files.is_on_disk("sentence-transformers/small") == is_complete
        assert model_files.is_on_disk("small") == is_complete
        assert not model_files.is_on_disk("sentence-transformers/other")
    assert model_files.is_on_disk(str(ROOT))


def test_before_scoring_a_card_says_if_its_model_is_loaded_or_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loading = pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE, is_asked=False)
    assert loading.state == "pending"
    assert "Loading the model" in loading.message
    assert "/" not in loading.message
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", "org/elsewhere")
    missing = pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE, is_asked=False)
    assert missing.state == "needs"
    assert "org/elsewhere is not on this machine" in missing.message
    assert pasted_answer.score(BERTSCORE, FIRST_EXAMPLE, is_asked=False) == missing
    downloading = pasted_answer.begin_result(BERTSCORE, FIRST_EXAMPLE)
    assert downloading.state == "pending"
    assert "GB" not in missing.message + downloading.message
    without_reference = pasted_answer.begin_result(BERTSCORE, Submission(answer="x"), False)
    assert without_reference.message.startswith("Needs a reference")


def test_a_model_is_downloaded_only_if_the_visitor_pressed_score(
    break_modules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = break_modules(OSError("no model"))
    # This file plays the code of the module: it has `ask_hub`, which the demo sets.
    monkeypatch.setattr(modules, "find_code", lambda module: sys.modules[__name__])
    monkeypatch.setattr(pasted_answer, "is_on_disk", lambda name: True)
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "org/half-here")
    unasked = pasted_answer.score(COSINE, FIRST_EXAMPLE, is_asked=False)
    assert unasked.state == "needs"
    assert "org/half-here is not on this machine. Press Score" in unasked.message
    assert pasted_answer.score(COSINE, FIRST_EXAMPLE).state == "unavailable"
    assert module.may_ask_hub == [False, True]
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "./no-folder")
    assert pasted_answer.score(COSINE, FIRST_EXAMPLE, is_asked=False).state == "unavailable"


def test_warming_up_scores_only_metrics_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []
    monkeypatch.setattr(
        pasted_answer, "score", lambda metric, submission: scored.append(metric.name)
    )
    pasted_answer.warm_up()
    assert scored == [metric.name for metric in METRICS if not metric.model]


# The documents


def test_the_demo_requires_and_lists_what_its_metrics_need() -> None:
    space = ROOT / "spaces" / "answer_lens"
    requirements = (space / "requirements.txt").read_text(encoding="utf-8").split("\n")
    readme = (space / "README.md").read_text(encoding="utf-8")
    settings = read_front_matter(readme)
    assert settings["sdk"] == "gradio"
    assert settings["app_file"] == "app.py"
    assert settings["license"] == "apache-2.0"
    assert len(settings["short_description"]) <= 60
    for metric in METRICS:
        folder = ROOT / "metrics" / metric.name
        needed = (folder / "requirements.txt").read_text(encoding="utf-8").split("\n")
        # The demo pins one torch, and has no dry runs, for which tiktoken counts tokens.
        not_needed = {line for line in needed if line.startswith(("torch>", "tiktoken"))}
        packages = {line for line in needed if line and line[0] != "#"}
        assert packages <= {*requirements, *not_needed}
        row = rf"^\| {re.escape(metric.title)} \| .+ \| `{metric.name}` \|$"
        assert re.search(row, readme, re.MULTILINE), (
            f"spaces/answer_lens/README.md lacks a row for {metric.name}"
        )
