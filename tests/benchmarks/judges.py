"""Time, CPU and memory of the judges' client against a server on loopback that answers every request after 300 ms.

Run: .venv/bin/python -m tests.benchmarks.judges [--rows 1257] [--repeats 3] [--only eve_judge]

The server (tests/support/judge_server.py) is a process of its own, and so is every measurement. Ours runs with its
cache and its progress bar on, each repeat with a new cache; the figures are medians, the CPU is what `compute` takes of
the whole process, and memory what a process grows by at its peak. A call of one row comes before: in it the SDK is
imported. "First call" is what that takes beyond the server's 300 ms. Peers in the same run, with the prompts of the
same rows and the plain openai SDK: calls one after the other, and a pool of 10 threads with one client. Both are so
slow that they send a sample; their time for all rows is worked out from it. The ideal is rows * 0.3 s / calls at once.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any

from tests.benchmarks.long_texts import peak
from tests.support import project

DELAY = 0.3
JUDGES = ("l3score", "eve_judge")
AT_ONCE = (64, 256)
# The bounds of the time by the ideal.
BOUNDS = {64: 1.15, 256: 1.6}
# peer: calls of its sample, calls at once
PEERS = {"plain SDK, one after the other": (20, 1), "plain SDK, 10 threads": (300, 10)}


def columns(count: int) -> dict[str, list[str]]:
    """Return so many rows of about the length of EVE's."""
    numbers, padding = range(count), "as the handbook says, " * 8
    return {
        "questions": [f"What does band {number} of the instrument measure, and how sharply?" for number in numbers],
        "predictions": [f"It measures surface reflectance {number} at 20 m, {padding}." for number in numbers],
        "references": [f"Surface reflectance {number} in the red edge at 20 m, {padding}." for number in numbers],
    }


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Run the server in a process of its own and yield its address."""
    command = [sys.executable, "-m", "tests.support.judge_server", "--delay", str(DELAY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def served(url: str) -> int:
    """Return how many requests the server has had."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/count") as reply:
        return int(json.load(reply)["requests"])


def quiet() -> None:
    """Draw the progress bar to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def ours(judge: str, url: str, count: int, at_once: int) -> dict[str, float]:
    """Return the figures of judging all rows with a new cache, and once more from that cache."""
    quiet()
    metric = project.load(judge)
    with tempfile.TemporaryDirectory() as folder:
        settings = {"model": "judge-1", "base_url": url, "api_key": "sk-benchmark", "max_concurrency": at_once}
        first, _, _ = timed(partial(metric.compute, **columns(1), **settings, cache=f"{folder}/first", progress=True))
        run = partial(metric.compute, **columns(count), **settings, cache=f"{folder}/cache", progress=True)
        memory, requests = peak(), served(url)
        seconds, cpu, result = timed(run)
        grown, sent = peak() - memory, served(url) - requests
        again, _, second = timed(run)
    assert result["n_scored"] == second["n_scored"] == count
    return {
        "seconds": seconds,
        "cpu_ms": cpu / count * 1000,
        "mb": grown,
        "sent": sent,
        "first": first - DELAY,
        "again": again,
        "again_sent": served(url) - requests - sent,
    }


def timed(run: Any) -> tuple[float, float, Any]:
    """Return the seconds that a call takes, those of CPU, and its result."""
    start, cpu = time.perf_counter(), time.process_time()
    result = run()
    return time.perf_counter() - start, time.process_time() - cpu, result


def plain(judge: str, url: str, count: int, at_once: int) -> dict[str, float]:
    """Return the figures of so many calls with the plain SDK and a pool of threads."""
    import openai

    client = openai.OpenAI(base_url=url, api_key="sk-benchmark")
    fill = project.functions(judge).fill_prompt
    prompts = [fill(*row) for row in zip(*columns(count).values(), strict=True)]
    more: dict[str, Any] = {"logprobs": True, "top_logprobs": 5, "max_tokens": 1} if judge == "l3score" else {}

    def call(prompt: str) -> Any:
        messages: Any = [{"role": "user", "content": prompt}]
        return client.chat.completions.create(model="judge-1", messages=messages, **more).choices[0]

    call("Warm up.")
    memory = peak()
    with ThreadPoolExecutor(at_once) as pool:
        seconds, cpu, _ = timed(lambda: list(pool.map(call, prompts)))
    return {"seconds": seconds, "cpu_ms": cpu / count * 1000, "mb": peak() - memory}


def work(function: Any, arguments: tuple[Any, ...], results: Any) -> None:
    """Measure in this process."""
    results.put(function(*arguments))


def alone(function: Any, *arguments: Any) -> dict[str, float]:
    """Return what a function measures in a process of its own."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=work, args=(function, arguments, results))
    process.start()
    while process.is_alive() and results.empty():
        time.sleep(0.05)
    if results.empty():
        raise RuntimeError(f"{function.__name__}{arguments} has failed")
    found: dict[str, float] = results.get()
    process.join()
    return found


def row(judge: str, who: str, found: dict[str, float], rows: int, at_once: int, sample: int = 0) -> dict[str, Any]:
    """Print the table's row of a measurement, and return it."""
    seconds = found["seconds"] * (rows / sample if sample else 1)
    ideal = rows * DELAY / at_once
    first = f"{found['first']:.2f}" if "first" in found else ""
    again = f"{found['again']:.2f} s, {found['again_sent']:.0f} requests" if "again" in found else ""
    about = "about " if sample else ""
    of = f" (from {sample} calls)" if sample else ""
    print(
        f"| {judge} | {who}{of} | {ideal:.2f} | {about}{seconds:.2f} | {seconds / ideal:.3f} | {found['cpu_ms']:.2f} | "
        f"{found['mb']:.0f} | {first} | {again} |",
        flush=True,
    )
    return {
        "judge": judge,
        "who": who,
        "sample": sample,
        "ideal": ideal,
        "ratio": seconds / ideal,
        **found,
        "all": seconds,
    }


def measure(judge: str, url: str, rows: int, repeats: int) -> Iterator[dict[str, Any]]:
    """Yield the table's rows of one judge."""
    for at_once in AT_ONCE:
        runs = [alone(ours, judge, url, rows, at_once) for _ in range(repeats)]
        middle = {key: median(run[key] for run in runs) for key in runs[0]}
        bound = f"ours, {at_once} at once (at most {BOUNDS[at_once]})"
        yield row(judge, bound, middle, rows, at_once)
    for who, (sample, at_once) in PEERS.items():
        calls = min(sample, rows)
        yield row(judge, who, alone(plain, judge, url, calls, at_once), rows, at_once, calls)


def main() -> None:
    """Print a table in Markdown, and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1257)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=JUDGES)
    given = parser.parse_args()
    titles = (
        "judge",
        "who",
        "ideal s",
        "s",
        "times the ideal",
        "CPU ms a call",
        "MB",
        "first call s",
        "second run, from the cache",
    )
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    with server() as url:
        names = [given.only] if given.only else JUDGES
        found = [line for judge in names for line in measure(judge, url, given.rows, given.repeats)]
    print(json.dumps({"rows": given.rows, "repeats": given.repeats, "results": found}))


if __name__ == "__main__":
    main()
