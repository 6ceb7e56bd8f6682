"""The small page of each metric folder, built from what the module says of itself."""

import os
import runpy
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import free_port
from tests.judges import JUDGES
from tests.processes import search_path
from tests.project import ANSWERS, METRICS, OF_JUDGES, provide_model


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Any:
    provide_model(request.param)
    return runpy.run_path(str(METRICS / request.param / "app.py"))["page"]()


@pytest.mark.parametrize("page", [name for name in ANSWERS if name not in JUDGES], indirect=True)
def test_the_page_computes_and_answers_bad_input_in_words(page: Any) -> None:
    compute = next(function.fn for function in page.fns.values() if function.fn.__name__ == "compute")
    inputs = next(function.inputs for function in page.fns.values() if function.fn is compute)
    texts = [component for component in inputs if type(component).__name__ == "Textbox"]
    settings = [component.value for component in inputs[len(texts) :]]
    assert compute(*["red fox" for _ in texts], *settings)["per_example"][0]["score"] > 0.99
    long = compute("x" * 50_001, *["red" for _ in texts[1:]], *settings)
    assert long == {"error": "predictions has 50,001 characters; at most 50,000 fit here"}
    assert all(function.api_visibility != "public" for function in page.fns.values() if function.fn is compute)


@pytest.mark.parametrize("page", OF_JUDGES, indirect=True)
def test_the_page_computes_its_examples_and_names_a_text_that_is_no_number(page: Any) -> None:
    function = next(function for function in page.fns.values() if function.fn.__name__ == "compute")
    examples = next(one for one in page.blocks.values() if type(one).__name__ == "Dataset").samples
    assert len(examples) >= 2
    settings = [component.value for component in function.inputs if type(component).__name__ == "Checkbox"]
    for row in examples:
        assert function.fn(*row, *settings)["per_example"][0]["score"] is not None
    names = [component.label for component in function.inputs]
    if "references" in names:
        row = ["x" if name == "references" else text for name, text in zip(names, examples[0], strict=True)]
        assert function.fn(*row, *settings) == {"error": "references[0] is 'x' (str); a number is expected"}


@pytest.mark.parametrize("page", JUDGES, indirect=True)
def test_the_page_of_a_judge_takes_no_key_and_asks_nobody(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    function = next(function for function in page.fns.values() if function.fn.__name__ == "compute")
    assert [component.label for component in function.inputs][:5] == [
        "questions", "predictions", "references", "provider", "model",
    ]  # fmt: skip
    assert len(function.inputs) == 5
    for name, module in list(sys.modules.items()):
        if name.endswith(".llm_client"):
            monkeypatch.setattr(module, "connected", pytest.fail)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-house")
    texts = ["Where?", "a red fox", "a blue dog"]
    assert "model is ''" in function.fn(*texts, "openai", "")["error"]
    plan = function.fn(*texts, "openai", "gpt-4o-mini")
    assert plan["calls"] == 1
    assert all(text in plan["first_prompt"] for text in texts)


def test_the_page_is_served_from_a_folder_copied_alone(tmp_path: Path) -> None:
    folder = tmp_path / "app"  # the name that it has on Spaces
    shutil.copytree(METRICS / "lv_eval_f1", folder, ignore=shutil.ignore_patterns("__pycache__"))
    port = free_port()
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "HF_HOME": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = search_path("lv_eval_f1")
    with subprocess.Popen([sys.executable, "app.py"], cwd=folder, env=environment) as process:
        try:
            assert b"lv_eval_f1" in answer(f"http://127.0.0.1:{port}/config", process)
        finally:
            process.terminate()


def answer(url: str, process: subprocess.Popen[bytes]) -> bytes:
    """Return what the page answers as soon as it does."""
    for _ in range(240):
        assert process.poll() is None, "the page has stopped"
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                return reply.read()
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(url)
