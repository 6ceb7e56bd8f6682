"""Time and memory of one pair of texts of 48 kB each, for every metric and for the packages of the originals.

Run: .venv/bin/python -m tests.benchmarks.long_texts [--peers]

Four kinds of text: 24,000 words of one letter, 8,000 English-like words, 1,800 lines, 16,000 Chinese characters. Each
measurement is a process of its own, which first scores a short pair. Time and memory come from two runs; memory is the
peak of what Python allocates during the second, or what the process grew by in the first, whichever is more.
`--peers` also runs the packages `rouge` (on 5 and 12 kB: more takes minutes) and `rouge_score`.
"""

import argparse
import multiprocessing
import random
import re
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.models import WITH_MODEL
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import NAMES, load

# Megabytes. Where the process has grown by more, that says it; tracing a slow peer takes very long.
TRACED_BELOW = 100
KINDS = ("letters", "words", "lines", "chinese")
# ru_maxrss counts bytes on macOS and kilobytes elsewhere.
KILOBYTES = 2**20 if sys.platform == "darwin" else 2**10


def text(kind: str, share: float = 1.0) -> str:
    """Return a text of 48 kB (or a share of it) from the shared random state."""
    if kind == "letters":
        return " ".join(random.choices("abcdefghijklmn", k=int(24_000 * share)))
    if kind == "words":
        return " ".join("".join(random.choices("abcdefgh", k=5)) for _ in range(int(8_000 * share)))
    if kind == "lines":
        return "\n".join(f"line {i} {random.choice(['says', 'said'])} hello to all" for i in range(int(1_800 * share)))
    return "".join(random.choices("的一国在人了有中是年和大业不为发会工经上地", k=int(16_000 * share)))


def scorer(name: str) -> Callable[[str, str], Any]:
    """Return what scores one pair: a metric of ours through `compute`, or a peer."""
    if name == "rouge package":
        from rouge import Rouge

        return lambda p, r: Rouge().get_scores([p], [r])
    if name == "rouge_score":
        from rouge_score.rouge_scorer import RougeScorer

        return lambda p, r: RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]).score(r, p)
    metric = load(name)
    return lambda p, r: metric.compute(predictions=[p], references=[r], per_example=True)["per_example"][0]["score"]


def peak() -> float:
    """Return the most megabytes that this process has held. (What getrusage says of a started process begins with what
    the one that started it held.)
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1]) / 2**10  # type: ignore[index]
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KILOBYTES


def work(name: str, kind: str, share: float, results: Any) -> None:
    """Measure in this process: the score, seconds, and megabytes added to the peak."""
    random.seed(3)
    if name not in WITH_MODEL:
        sys.path.insert(0, WITHOUT_TRANSFORMERS)
    score, prediction, reference = scorer(name), text(kind, share), text(kind, share)
    score("北京 a b", "北京 a")
    before, start = peak(), time.perf_counter()
    value = attempt(score, prediction, reference)
    seconds = time.perf_counter() - start
    grown = peak() - before
    if grown < TRACED_BELOW:
        tracemalloc.start()
        attempt(score, prediction, reference)
        grown = max(grown, tracemalloc.get_traced_memory()[1] / 2**20)
    results.put((value, seconds, grown))


def attempt(score: Callable[[str, str], Any], prediction: str, reference: str) -> Any:
    """Return the score, or None where a peer fails as the rouge package does."""
    try:
        return score(prediction, reference)
    except RecursionError:
        return None


def measure(name: str, kind: str = "letters", share: float = 1.0) -> tuple[Any, float, float]:
    """Return the score, the seconds and the megabytes of one pair, measured in a fresh process."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=work, args=(name, kind, share, results))
    process.start()
    while process.is_alive() and results.empty():
        process.join(0.1)
    if results.empty():
        raise RuntimeError(f"the process that scores with {name} ended with {process.exitcode}: see its error above")
    result: tuple[Any, float, float] = results.get()
    process.join()
    return result


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true", help="also run the packages of the originals")
    rows = [(name, kind, 1.0) for name in NAMES for kind in KINDS]
    if parser.parse_args().peers:
        rows += [("rouge_score", "words", 1.0), ("rouge package", "words", 0.1), ("rouge package", "words", 0.25)]
    print("| metric | text | kB | seconds | MB more |\n|---|---|---|---|---|")
    for name, kind, share in rows:
        value, seconds, megabytes = measure(name, kind, share)
        crashed = ", RecursionError" if value is None else ""
        print(f"| {name} | {kind} | {48 * share:.0f} | {seconds:.2f}{crashed} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
