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

import gradio as gr
import pytest

from tests.browser.browsing import free_port
from tests.support.judges import JUDGES
from tests.support.processes import search_path
from tests.support.project import METRICS, NAMES, provide_model


@pytest.mark.parametrize("name", NAMES)
def test_the_page_computes_its_examples(name: str) -> None:
    provide_model(name)
    page: Any = runpy.run_path(str(METRICS / name / "app.py"))["page"]()
    (compute,) = (function for function in page.fns.values() if function.fn.__name__ == "compute")
    assert compute.api_visibility == "private"
    rows = next(one for one in page.blocks.values() if type(one).__name__ == "Dataset").samples
    assert len(rows) >= 2
    for row in rows:
        row = [field.preprocess(value) for field, value in zip(compute.inputs, row, strict=True)]
        result = compute.fn(*row)
        if name in JUDGES:  # nobody is asked, and no key is taken
            assert result["calls"] == 1
            assert all(text in result["first_prompt"] for text in row)
        else:
            assert result["per_example"][0]["score"] is not None
    with pytest.raises(gr.Error, match="None"):
        compute.fn(*[None for _ in rows[0]])


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
