"""Scoring one answer with one metric: where modules come from, which models may be fetched, and what goes wrong."""

from __future__ import annotations

import contextvars
import re
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lens.page.answer_tab import EXAMPLES
from lens.scoring import catalog, model_files, modules, pasted_answer
from lens.scoring.catalog import METRICS, Submission

from tests.demo.made import BY_NAME, FIRST, JUDGES, OF_WORDS, OWN, WITH_MODEL
from tests.support.project import ROOT

pytestmark = pytest.mark.usefixtures("small_models")


def test_scoring_from_a_clone_asks_no_other_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"network: {arguments[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    modules.loaded_class.cache_clear()
    pasted_answer.in_memory.clear()
    assert [pasted_answer.score(metric, FIRST).state for metric in OWN] == ["scored"] * len(OWN)
    assert [pasted_answer.score(metric, FIRST).state for metric in JUDGES] == ["needs"] * len(JUDGES)


def test_threads_do_not_disturb_each_other() -> None:
    wrong: list[tuple[str, float | None]] = []

    def work(submission: Submission, expected: dict[str, float | None]) -> None:
        for _ in range(10):
            for metric in OF_WORDS:
                found = pasted_answer.score(metric, submission).score
                if found != expected[metric.name]:
                    wrong.append((metric.name, found))

    jobs = [
        (
            example,
            {metric.name: pasted_answer.score(metric, example).score for metric in OF_WORDS},
        )
        for example in EXAMPLES.values()
    ]
    threads = [threading.Thread(target=work, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_where_a_module_comes_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANSWER_LENS_ORG", raising=False)
    assert modules.location("bleu") == str(ROOT / "metrics" / "bleu")
    monkeypatch.setattr(modules, "METRICS_FOLDER", tmp_path)
    with pytest.raises(modules.Unavailable):
        modules.location("bleu")
    monkeypatch.setenv("ANSWER_LENS_ORG", " some-org ")
    assert modules.location("bleu") == "some-org/bleu"


class Failing:
    """A module whose compute fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def compute(self, **arguments: object) -> dict[str, Any]:
        raise self.error


@pytest.mark.parametrize("metric", [BY_NAME["lv_eval_f1"], *WITH_MODEL], ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    ("error", "state", "said"),
    [
        (ValueError("row 0: None\nsecond line"), "error", "refused this input: row 0: None"),
        (ImportError("pip install jieba==0.42.1"), "unavailable", "pip install jieba==0.42.1"),
        (RuntimeError("secret"), "error", "could not be computed (RuntimeError)"),
        (KeyError("secret"), "error", "could not be computed (KeyError)"),
    ],
)
def test_what_goes_wrong_is_said_and_is_no_score(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    metric: catalog.Metric,
    error: Exception,
    state: str,
    said: str,
) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    monkeypatch.setattr(modules, "fresh_module", lambda name: Failing(error))
    outcome = pasted_answer.score(metric, FIRST)
    assert (outcome.state, outcome.score) == (state, None)
    assert said in outcome.message
    assert "secret" not in outcome.message + caplog.text
    assert "second line" not in outcome.message


@pytest.mark.parametrize("field", ["question", "reference", "answer", "keywords"])
def test_the_length_of_every_field_is_limited(field: str) -> None:
    limit = pasted_answer.MAX_CHARACTERS
    texts_given = {"reference": "Paris", "answer": "Paris"}
    assert not pasted_answer.problem(Submission(**(texts_given | {field: "x" * limit})))
    too_long = Submission(**(texts_given | {field: "x" * (limit + 1)}))
    assert "50,001" in pasted_answer.problem(too_long)
    assert pasted_answer.score(BY_NAME["lv_eval_f1"], too_long).state == "needs"


def test_a_model_that_cannot_be_had_is_said_with_the_variable(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error = OSError("no model X. Pass a folder\nsecond line")
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    monkeypatch.setattr(modules, "fresh_module", lambda name: Failing(error))
    for metric in WITH_MODEL:
        assert metric.model is not None
        outcome = pasted_answer.score(metric, FIRST)
        assert outcome.state == "unavailable"
        assert outcome.message.startswith("No model X. Pass a folder. ")
        assert metric.model.variable in outcome.message
        assert f"{metric.name}: no score, for its model cannot be had (OSError)" in caplog.text
    assert "File " not in caplog.text  # no traceback: it is no defect


@pytest.mark.parametrize("named", ["", "  ", "org/other"])
def test_a_blank_variable_names_no_model(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    for metric in WITH_MODEL:
        assert metric.model is not None
        monkeypatch.setenv(metric.model.variable, named)
        assert metric.model.name() == (named.strip() or metric.model.default)


@pytest.mark.parametrize(
    ("named", "layers", "arguments"),
    [
        ("", "", {"model_type": "microsoft/deberta-xlarge-mnli"}),
        ("roberta-large", "", {"model_type": "roberta-large"}),
        ("./mine", "", {"model_type": "./mine", "num_layers": "last"}),
        ("./mine", " 5 ", {"model_type": "./mine", "num_layers": 5}),
        ("./mine", "-1", {"model_type": "./mine", "num_layers": -1}),
        ("./mine", "five", {"model_type": "./mine", "num_layers": "five"}),
    ],
)
def test_the_layer_of_bertscore(
    monkeypatch: pytest.MonkeyPatch, named: str, layers: str, arguments: dict[str, Any]
) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
    module: Any = SimpleNamespace(known_layers=lambda model: None if model == "./mine" else 17)
    assert catalog.bertscore_model(FIRST, module) == arguments


@pytest.mark.parametrize(
    ("files", "there"),
    [
        ([], False),
        (["config.json"], False),
        (["model.safetensors"], False),
        (["config.json", "model.safetensors"], True),
        (["config.json", "pytorch_model.bin"], True),
        (["config.json", "model.safetensors.index.json"], False),
    ],
)
def test_a_model_is_on_disk_when_all_of_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], there: bool
) -> None:
    import huggingface_hub

    def cached(name: str, file: str) -> str | None:
        return str(tmp_path / file) if name == "sentence-transformers/small" and file in files else None

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", cached)
    assert model_files.on_disk("sentence-transformers/small") == model_files.on_disk("small") == there
    assert not model_files.on_disk("sentence-transformers/other")
    assert model_files.on_disk(str(tmp_path))


def test_what_a_model_card_says_before_it_is_scored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    metric = BY_NAME["bertscore"]
    monkeypatch.setattr(pasted_answer, "in_memory", set())
    monkeypatch.setattr(pasted_answer, "asked_for", set())
    assert "Loading the model" in pasted_answer.at_once(metric, FIRST, asked=False).message
    assert "/" not in pasted_answer.at_once(metric, FIRST).message
    assert pasted_answer.score(metric, FIRST).state == "scored"
    assert pasted_answer.at_once(metric, FIRST).message == "Computing."
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", "org/elsewhere")
    unasked, asked = pasted_answer.at_once(metric, FIRST, asked=False), pasted_answer.at_once(metric, FIRST)
    assert (unasked.state, asked.state) == ("needs", "pending")
    assert "org/elsewhere is not on this machine" in unasked.message
    assert "GB" not in unasked.message + asked.message
    assert pasted_answer.at_once(metric, FIRST, asked=False) == asked, (
        "what someone asked for is not said to be under way"
    )
    pasted_answer.asked_for.clear()
    assert pasted_answer.score(metric, FIRST, asked=False) == unasked
    assert pasted_answer.at_once(metric, Submission(answer="x"), asked=False).message.startswith("Needs a reference")


ask_hub = contextvars.ContextVar("ask_hub", default=True)


class Asking:
    """A module whose model is not here: it notes whether it may ask the Hub, which does not answer."""

    def __init__(self) -> None:
        self.asked: list[bool] = []

    def compute(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(ask_hub.get())
        raise OSError("no model")


def test_a_module_asks_the_hub_only_where_someone_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Asking()
    monkeypatch.setattr(modules, "fresh_module", lambda name: module)
    monkeypatch.setattr(pasted_answer, "on_disk", lambda name: True)
    monkeypatch.setattr(pasted_answer, "asked_for", set())
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "org/half-here")
    metric = BY_NAME["cosine_similarity"]
    unasked = pasted_answer.score(metric, FIRST, asked=False)
    assert unasked.state == "needs"
    assert "org/half-here is not on this machine. Press Score" in unasked.message
    assert pasted_answer.score(metric, FIRST).state == "unavailable"
    assert not pasted_answer.asked_for, "a fetch that failed counts as under way"
    pasted_answer.at_once(metric, FIRST)
    assert pasted_answer.score(metric, FIRST, asked=False).state == "unavailable"
    assert module.asked == [False, True, True]
    assert ask_hub.get()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "./no-folder")
    assert pasted_answer.score(metric, FIRST, asked=False).state == "unavailable"


@pytest.mark.parametrize("error", [OSError, ValueError])
@pytest.mark.parametrize("named", ["{}/mine", "{}/mine/", "./mine", "~/mine", "mine", "../own/mine", "."])
def test_no_message_says_where_a_folder_lies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: type[Exception], named: str
) -> None:
    home = tmp_path / "own"
    (home / "mine").mkdir(parents=True)
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    named = named.format(home)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
    folder = Path(named).expanduser().resolve()
    failing = Failing(error(f"no model in {named!r}, that is in {folder}/config.json"))
    monkeypatch.setattr(modules, "fresh_module", lambda name: failing)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    metric = BY_NAME["bertscore"]
    for message in (pasted_answer.score(metric, FIRST).message, pasted_answer.at_once(metric, FIRST).message):
        assert folder.name in message
        assert str(tmp_path) not in message
        assert "~" not in message
        assert f"/{folder.name}" not in message


@pytest.mark.parametrize("layers", ["abc", "99", "-1"])
def test_a_wrong_layer_is_blamed_on_the_variable(monkeypatch: pytest.MonkeyPatch, layers: str) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
    outcome = pasted_answer.score(BY_NAME["bertscore"], FIRST)
    assert outcome.state == "unavailable"
    assert "environment variable ANSWER_LENS_BERTSCORE_LAYERS" in outcome.message
    assert layers in outcome.message


def test_warming_up_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    scored_ones: list[str] = []
    monkeypatch.setattr(pasted_answer, "score", lambda metric, submission: scored_ones.append(metric.name))
    pasted_answer.warm_up()
    assert scored_ones == [metric.name for metric in METRICS if not metric.model]


def test_the_table_names_metrics_that_exist_and_what_they_need() -> None:
    mine = (ROOT / "spaces" / "answer_lens" / "requirements.txt").read_text(encoding="utf-8").split("\n")
    for metric in METRICS:
        folder = ROOT / "metrics" / metric.name
        assert (folder / f"{metric.name}.py").is_file()
        assert metric.paper_url.startswith("https://")
        needed = (folder / "requirements.txt").read_text(encoding="utf-8").split("\n")
        # The demo has one torch, and sends nothing on trial, which is what tiktoken counts for.
        more = {line for line in needed if line.startswith(("torch>", "tiktoken"))}
        assert {line for line in needed if line and line[0] != "#"} <= {*mine, *more}
    assert len(BY_NAME) == len(METRICS)


def test_the_readme_has_the_settings_of_a_space() -> None:
    readme = (ROOT / "spaces" / "answer_lens" / "README.md").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+): (.+)$", readme.split("---")[1], re.MULTILINE))
    assert settings["sdk"] == "gradio"
    assert settings["app_file"] == "app.py"
    assert settings["license"] == "apache-2.0"
    assert len(settings["short_description"]) <= 60
    for metric in METRICS:
        row = re.search(rf"^\| {re.escape(metric.title)} \| .+ \| `{metric.name}` \|$", readme, re.MULTILINE)
        assert row is not None, f"spaces/answer_lens/README.md's table lacks a row for {metric.title} (`{metric.name}`)"
