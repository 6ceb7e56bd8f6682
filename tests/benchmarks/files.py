"""The Files tab against the modules called in one process, and the command's memory at 10,000 and 100,000 rows.

Run: .venv/bin/python -m tests.benchmarks.files [--rows 1257] [--repeats 3] [--only tab|memory]

The table has answers of about 100 words, of a vocabulary of 3,000, and the metrics are the four of words. For the tab a
demo and a headless browser are started; its time is from the press of Start until the summary is there, and the first
progress until a metric has rows done. The peer is one process that calls `compute` of the four modules, loaded and
warm, on the same rows. They take turns; the ratio is that of the medians. Memory is the peak of the command's process.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.support.processes import search_path
from tests.support.project import ROOT

SPACE = ROOT / "spaces" / "answer_lens"
WORDS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
Rows = list[dict[str, str]]

PEER = """
import json, sys, time, evaluate
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
texts = {"predictions": [r["prediction"] for r in rows], "references": [r["reference"] for r in rows]}
modules = [evaluate.load(f"metrics/{name}", keep_in_memory=True) for name in sys.argv[2:]]
for module in modules:
    module.compute(predictions=["a 中文"], references=["a 中文"])
for line in sys.stdin:
    start = time.perf_counter()
    for module in modules:
        module.compute(**texts)
    print(time.perf_counter() - start, flush=True)
"""


def rows_of(count: int, words: int = 100) -> Rows:
    """Return rows whose answers share 70% of their words with the reference."""
    numbers = random.Random(7)
    known = ["".join(numbers.choices("abcdefghijklmnop", k=numbers.randint(2, 9))) for _ in range(3000)]
    rows = []
    for number in range(count):
        reference = numbers.choices(known, k=numbers.randint(8 * words // 10, 12 * words // 10))
        answer = [word if numbers.random() < 0.7 else numbers.choice(known) for word in reference]
        rows.append({"id": str(number), "prediction": " ".join(answer), "reference": " ".join(reference)})
    return rows


def written(path: Path, rows: Rows) -> Path:
    """Write rows as JSON Lines."""
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


class Peer:
    """A process that calls the modules when asked."""

    def __init__(self, file: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": search_path(*WORDS)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PEER, str(file), *WORDS],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
        )  # fmt: skip

    def seconds(self) -> float:
        """Return how long all rows take."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def tab_seconds(page: Any, file: Path) -> tuple[float, float]:
    """Return how long the tab takes until the first progress, and until its summary."""
    page.reload()  # to a field for files the same one again is no change
    page.get_by_role("tab", name="Files").click()
    page.set_input_files("#ft-file input[type=file]", str(file))
    page.locator("#ft-status", has_text="was read").wait_for()
    for name in ("Cosine similarity", "BERTScore"):
        page.get_by_label(name, exact=True).uncheck()
    start = time.perf_counter()
    page.click("#ft-start")
    page.locator("#ft-status", has_text=" of ").wait_for()
    first = time.perf_counter() - start
    page.wait_for_selector("#ft-report .ft-shown")
    return first, time.perf_counter() - start


def measure_tab(count: int, repeats: int) -> None:
    """Print how the tab compares with the modules."""
    sys.path[:0] = [str(ROOT / "tests" / "browser")]
    from browsing import ARGUMENTS, Demo, find_chromium, free_port
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = written(Path(folder) / "rows.jsonl", rows_of(count))
        peer = Peer(file)
        demo = Demo.start(SPACE, free_port(), PYTHONPATH=search_path(*WORDS))
        context = playwright.chromium.launch_persistent_context(
            f"{folder}/profile", executable_path=find_chromium(), args=ARGUMENTS
        )
        try:
            page = context.new_page()
            page.set_default_timeout(300_000)
            page.goto(f"{demo.url}?lang=en")
            tab_seconds(page, file)
            peer.seconds()
            found = [(*tab_seconds(page, file), peer.seconds()) for _ in range(repeats)]
        finally:
            context.close()
            demo.stop()
            peer.process.kill()
    first, tab, alone = (median(times) for times in zip(*found, strict=True))
    print(
        f"{count} rows: tab {tab:.2f} s, modules {alone:.2f} s, ratio {tab / alone:.2f}; first progress {first:.2f} s"
    )


def measure_memory(counts: tuple[int, ...]) -> None:
    """Print the command's peak of memory and its time for tables of several sizes."""
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            file = written(Path(folder) / f"{count}.jsonl", rows_of(count, words=20))
            command = [sys.executable, str(SPACE / "score.py"), str(file), "--metrics", "lv_eval_f1", "bleu", "rouge"]
            command += ["--out", f"{folder}/{count}.parquet"]
            start = time.perf_counter()
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": search_path(*WORDS)},
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
            assert status == 0, status
            print(f"{count:,} rows: {used.ru_maxrss / 1024:.0f} MB at the peak, {time.perf_counter() - start:.0f} s")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1257)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=["tab", "memory"])
    given = parser.parse_args()
    if given.only != "memory":
        measure_tab(given.rows, given.repeats)
    if given.only != "tab":
        measure_memory((10_000, 100_000))


if __name__ == "__main__":
    main()
