"""How fast the modules are, beside what they reproduce: the tables in README.md beside this file.

Run: make bench [LVEVAL=path], or .venv/bin/python -m metrics.benchmarks.speed [--lveval PATH] [--only NAME ...]

Every case is a process of its own with one thread. Ours and the peers score the same rows in turn, each repeat new
ones, after a first repeat that is not counted: what stays known from one text to the next counts, a text that was
scored before does not, unless the case itself repeats it. A figure is made of the medians, its spread is that of the
repeats. The scores of all rows are compared: where one differs the exit code is 1. A missed target stays in the table.
`--lveval` takes a checkout of LV-Eval's repository, whose functions are then measured too. `--only` without a name
writes the tables anew from results.json.
"""

import argparse
import gc
import json
import os
import platform
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median
from typing import Any

import numpy as np

from metrics.benchmarks import report, ways
from metrics.benchmarks.cases import CASES, DELAY, KINDS, KINDS_OF_TEXT, LV_EVAL, RATE_ROWS, Case, Way
from metrics.benchmarks.texts import EVOUNA, Texts, evouna
from tests.support.judge_server import JudgeServer, Reply, Request, fitting
from tests.support.processes import FORKED
from tests.support.project import NAMES, ROOT

RESULTS = ROOT / "metrics" / "benchmarks" / "results.json"
README = ROOT / "metrics" / "benchmarks" / "README.md"
RATE, REPEATS = "rate-", 5
EVERYTHING = (*CASES, *(RATE + name for name in NAMES))


def timed(who: Mapping[str, Way], texts: Texts, rows: int, seed: str, repeats: int) -> tuple[Any, Any]:
    """Return the seconds a row of each way in each repeat, and what the ways returned with the rows."""
    seconds: dict[str, list[float]] = defaultdict(list)
    returned = []
    for repeat in range(repeats + 1):
        given, found = texts(Random(f"{seed} {repeat}"), rows), {}
        for name in sorted(who, reverse=repeat % 2 == 0):  # who begins changes
            start = time.perf_counter()
            found[name] = who[name](given)
            took = time.perf_counter() - start
            if repeat:  # the first is there to get warm
                result = found[name]
                seconds[name].append((result if isinstance(result, ways.Took) else took) / rows)
        returned.append((given, found))
    return seconds, returned


def compared(name: str, case: Case, rows: int, repeats: int) -> dict[str, Any]:
    """Return a case as it stands in the results; a peer that is not at hand is left out."""
    peer = case.peer if case.peer and (case.peer.name != LV_EVAL or ways.SETTINGS["lveval"]) else None
    who = {"ours": case.ours} | ({"theirs": peer.way} if peer else {})
    seconds, returned = timed(who, case.texts, rows, name, repeats)
    medians = {one: median(times) for one, times in seconds.items()}
    if case.peer and not peer:
        return medians
    each = [KINDS[case.kind](*times) for times in zip(*seconds.values(), strict=True)]
    value = KINDS[case.kind](*medians.values())
    found = {**medians, "value": value, "low": min(each), "high": max(each)}
    if peer and not isinstance(returned[0][1]["theirs"], ways.Took):
        pairs = [(both["ours"], peer.scores(given) if peer.scores else both["theirs"]) for given, both in returned]
        # To the last bit where nothing is tolerated.
        equal = (np.allclose(*pair, 0, peer.tolerance) if peer.tolerance else pair[0] == pair[1] for pair in pairs)
        found["equal"] = all(equal)
    return found


def rates(name: str, rows: int, repeats: int) -> dict[str, float]:
    """Return the rows per second of a module by the kind of the texts."""
    way = {"judge_bias": ways.biases, "reward_accuracy": ways.rewarded}.get(name, partial(ways.compute, name, []))
    # The words of reward_accuracy's model are parted by spaces.
    kinds = [kind for kind in KINDS_OF_TEXT if name != "reward_accuracy" or kind.startswith("English")]
    times = {kind: timed({"ours": way}, KINDS_OF_TEXT[kind], rows, f"{name} {kind}", repeats)[0] for kind in kinds}
    return {kind: 1 / median(seconds["ours"]) for kind, seconds in times.items()}


def measure(name: str, settings: dict[str, str], rows: int = 0, repeats: int = REPEATS) -> dict[str, Any]:
    """Return the figures of a case or of a module, on other than its usual rows where they are given."""
    ways.SETTINGS.update(settings)
    if name in CASES:
        return compared(name, CASES[name], rows or CASES[name].rows, repeats)
    module = name.removeprefix(RATE)
    return rates(module, rows or RATE_ROWS.get(module, 1_000), repeats)


def slow(request: Request, number: int) -> Reply:
    """Answer as a judge that takes its time."""
    return replace(fitting(request), delay=DELAY)


def prepare() -> None:
    """Prepare a process that measures: what it has imported already is no burden on its collections, and the package
    rouge, which LV-Eval calls, goes as deep as both texts have words.
    """
    gc.freeze()
    sys.setrecursionlimit(100_000)


def run(names: Sequence[str], lveval: str, results: report.Results) -> None:
    """Measure each in a process of its own, with a judge's server in this one, and keep what is found at once."""
    for name in names:
        start = time.perf_counter()
        alone = ProcessPoolExecutor(1, FORKED, initializer=prepare)
        with JudgeServer(slow if name in CASES else fitting) as judge, alone:
            found = alone.submit(measure, name, {"judge": judge.url, "lveval": lveval}).result()
        results["cases" if name in CASES else "rates"][name.removeprefix(RATE)] = found
        results["machine"] = {"cores": os.cpu_count(), "python": ".".join(platform.python_version_tuple()[:2])}
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def main(command: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=EVERYTHING, metavar="NAME", help=", ".join(EVERYTHING))
    parser.add_argument("--lveval", default="", metavar="PATH", help="a checkout of LV-Eval's repository")
    asked = parser.parse_args(command)
    # Of a whole run nothing older stays; a part of it takes its place among the rest.
    known = json.loads(RESULTS.read_text("utf-8")) if asked.only is not None else {"cases": {}, "rates": {}}
    names = [name for name in EVERYTHING if EVOUNA.exists() or name not in CASES or CASES[name].texts is not evouna]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # For the processes to come: one thread each, no network, caches of their own.
        os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HOME=folder, XDG_CACHE_HOME=folder)
        os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_DATASETS_OFFLINE="1")
        os.environ.update(HF_HUB_DISABLE_PROGRESS_BARS="1", GRADIO_ANALYTICS_ENABLED="False")
        run(names if asked.only is None else asked.only, asked.lveval, known)
    README.write_text(report.with_tables(README.read_text("utf-8"), known), "utf-8")
    print(report.speed_table(known), report.rates_table(known), sep="\n\n")
    return 0 if all(case.get("equal", True) for case in known["cases"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
