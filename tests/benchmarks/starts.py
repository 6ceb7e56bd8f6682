"""The cases of `make bench` that measure starts: loading every module, and the demo until its page is served.

Each start is a process of its own. One comes before those that count: it leaves the compiled files behind that any
second start finds.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.ways import Given
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import METRICS, NAMES, ROOT

PATIENCE = 120.0
# What a module may need and must not import before it is asked for a score.
HEAVY = {
    "bert_score", "genai_prices", "jieba", "nltk", "openai", "regex", "rouge_score", "sacrebleu", "scipy",
    "sentence_transformers", "sklearn", "tokenizers", "torch", "transformers",
}  # fmt: skip
LOAD = """
import json, sys, time
import evaluate
known = {name.partition(".")[0] for name in sys.modules}
start = time.perf_counter()
for path in sys.argv[1:]:
    evaluate.load(path)
seconds = time.perf_counter() - start
print(json.dumps([seconds, sorted({name.partition(".")[0] for name in sys.modules} - known)]))
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
import sys
import gradio
with gradio.Blocks() as page:
    pass
page.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
"""


@dataclass(frozen=True)
class Start:
    """Starts of ours and of the least that could be started, in turn; `prepare` makes both in a folder.

    Each returns the seconds of one start, and the names of heavy packages that it imported.
    """

    what: str
    against: str
    kind: str
    target: float
    prepare: Callable[[str], dict[str, Callable[[], tuple[float, list[str]]]]]
    with_model: bool = False
    asks: bool = False

    def measure(self, name: str, given: Given) -> dict[str, Any]:
        """Return the case with its one comparison."""
        times: dict[str, list[float]] = {"ours": [], "theirs": []}
        imported: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            starts = self.prepare(folder)
            for repeat in range(-1, given.repeats):
                for who, start in starts.items():
                    seconds, names = start()
                    times[who] += [seconds] if repeat >= 0 else []
                    imported = names if who == "ours" else imported
        line = self.line(times) | {"heavy": sorted(HEAVY & set(imported))}
        return {"case": name, "what": self.what, "repeats": given.repeats, "imported": imported, "lines": [line]}

    def line(self, times: dict[str, list[float]]) -> dict[str, Any]:
        """Return the line of the table."""
        ours, theirs = median(times["ours"]), median(times["theirs"])
        if self.kind == "ms":
            value, each = ours * 1000, [seconds * 1000 for seconds in times["ours"]]
        else:
            value, each = ours / theirs, [a / b for a, b in zip(times["ours"], times["theirs"], strict=True)]
        about = {"against": self.against, "kind": self.kind, "target": self.target, "value": value}
        return about | {"low": min(each), "high": max(each), "ours": ours, "theirs": theirs}


def environment(**more: str) -> dict[str, str]:
    """Return what a started process sees: compiled files are kept, as for any user."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | more


def load_seconds(folder: str, paths: list[str]) -> tuple[float, list[str]]:
    """Return the seconds in which a fresh process loads modules once evaluate is there, and what they import."""
    more = {"PYTHONPATH": WITHOUT_TRANSFORMERS, "HF_HOME": f"{folder}/home", "HF_EVALUATE_OFFLINE": "1"}
    command = [sys.executable, "-c", LOAD, *paths]
    found = subprocess.run(command, env=environment(**more), capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"loading failed:\n{found.stderr}")
    seconds, names = json.loads(found.stdout.splitlines()[-1])
    return seconds, names


def loads(folder: str) -> dict[str, Callable[[], tuple[float, list[str]]]]:
    """Return how to load every module of ours, and as many empty ones."""
    empty = [Path(folder) / f"empty_{i}" for i in range(len(NAMES))]
    for path in empty:
        path.mkdir()
        (path / f"{path.name}.py").write_text(EMPTY)
    ours, theirs = [str(METRICS / name) for name in NAMES], [str(path) for path in empty]
    return {"ours": lambda: load_seconds(folder, ours), "theirs": lambda: load_seconds(folder, theirs)}


def served(process: "subprocess.Popen[bytes]", port: int, errors: Path, start: float) -> float:
    """Return the seconds from `start` until the page is there."""
    while time.perf_counter() - start < PATIENCE:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
                page.read()
            return time.perf_counter() - start
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.01)
    raise RuntimeError(f"no page was served:\n{errors.read_text()}")


def page_seconds(folder: str, command: list[str], port: int) -> tuple[float, list[str]]:
    """Return the seconds from the start of a process until its page is there."""
    errors = Path(folder) / "errors.txt"
    more = {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", "HF_HOME": f"{folder}/home"}
    more |= {"GRADIO_ANALYTICS_ENABLED": "False"}
    with errors.open("wb") as stream:
        start = time.perf_counter()
        with subprocess.Popen(command, env=environment(**more), stdout=stream, stderr=stream) as process:
            try:
                return served(process, port, errors, start), []
            finally:
                process.terminate()


def pages(folder: str) -> dict[str, Callable[[], tuple[float, list[str]]]]:
    """Return how to start the demo, and a page with nothing in it."""
    sys.path[:0] = [str(ROOT / "tests" / "browser")]
    from browsing import free_port

    blank = Path(folder) / "blank.py"
    blank.write_text(BLANK)
    app = str(ROOT / "spaces" / "answer_lens" / "app.py")

    def start(*command: str) -> tuple[float, list[str]]:
        port = free_port()
        return page_seconds(folder, [sys.executable, *command, str(port)], port)

    return {"ours": lambda: start(app), "theirs": lambda: start(str(blank))}


STARTS = {
    "load": Start("`evaluate.load` of all ten modules", "ten empty modules", "ms", 100, loads),
    "demo": Start(
        "the demo, from its start to the page", "a gradio page with nothing in it", "times its time", 1.5, pages
    ),
}
