"""What `make bench` measures from outside: loading every module, the demo until its page is there, its tab Files.

A start is a process of its own. The one that does not count leaves the compiled files behind that any second start
finds.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.benchmarks.measuring import Given, Took, Way
from tests.benchmarks.texts import Rows
from tests.browser.browsing import ARGUMENTS, Demo, find_chromium, free_port
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import METRICS, NAMES, ROOT

SPACE = ROOT / "spaces" / "answer_lens"
LOAD = """
import sys, time
import evaluate
start = time.perf_counter()
for path in sys.argv[1:]:
    evaluate.load(path)
print(time.perf_counter() - start)
"""
EMPTY = '''
import datasets
import evaluate


class Empty(evaluate.Metric):
    """Nothing."""

    def _info(self):
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": text})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {}
'''
BLANK = """
import gradio
with gradio.Blocks() as page:
    pass
page.launch(quiet=True, prevent_thread_lock=True)
print(page.local_url, flush=True)
page.block_thread()
"""


def folder_with(**files: str) -> Path:
    """Return a new folder, in the caches of this run, with these programs."""
    folder = Path(tempfile.mkdtemp(dir=os.environ["HF_HOME"]))
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def loading(modules: list[Path]) -> Way:
    """Load modules in a fresh process, timed once evaluate is there."""
    command = [sys.executable, "-c", LOAD, *map(str, modules)]
    # Compiled files are kept, as for any user.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = WITHOUT_TRANSFORMERS

    def run(rows: Rows) -> Took:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return Took(done.stdout.splitlines()[-1])

    return Way(run)


def our_modules(given: Given) -> Way:
    return loading([METRICS / name for name in NAMES])


def empty_modules(given: Given) -> Way:
    """Load as many modules that do nothing as there are of ours."""
    names = [f"empty_{i}" for i in range(len(NAMES))]
    return loading([folder_with(**{name: EMPTY}) / f"{name}.py" for name in names])


def serving(folder: Path) -> Way:
    """Start the page in a folder, until it is there."""

    def run(rows: Rows) -> Took:
        start = time.perf_counter()
        demo = Demo.start(folder, free_port())
        try:
            with urllib.request.urlopen(demo.url) as page:
                page.read()
            return Took(time.perf_counter() - start)
        finally:
            demo.stop()

    return Way(run)


def our_page(given: Given) -> Way:
    return serving(SPACE)


def empty_page(given: Given) -> Way:
    return serving(folder_with(app=BLANK))


def files_tab(given: Given) -> Way:
    """Score a file in the tab Files of the demo in a browser, from the press of Start until its summary is there."""
    from playwright.sync_api import sync_playwright

    demo = Demo.start(SPACE, free_port(), PYTHONPATH=WITHOUT_TRANSFORMERS)
    atexit.register(demo.stop)
    browser = sync_playwright().start().chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
    page = browser.new_page()
    page.set_default_timeout(300_000)

    def run(rows: Rows) -> Took:
        file = folder_with() / "rows.jsonl"
        texts = zip(rows.predictions, rows.references, strict=True)
        file.write_text("\n".join(json.dumps({"prediction": p, "reference": r}) for p, r in texts))
        page.goto(f"{demo.url}?lang=en")
        page.get_by_role("tab", name="Files").click()
        page.set_input_files("#ft-file input[type=file]", str(file))
        page.locator("#ft-status", has_text="was read").wait_for()
        for name in ("Cosine similarity", "BERTScore"):
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
        start = time.perf_counter()
        page.click("#ft-start")
        page.wait_for_selector("#ft-report .ft-shown")
        return Took(time.perf_counter() - start)

    return Way(run)
