"""Measure how fast the modules are, compared with the programs that they reproduce.

Run: make bench [LVEVAL=path], or .venv/bin/python -m metrics.benchmarks.speed [--lveval PATH]
[--only NAME ...]

The tables are written into README.md beside this file. Every case runs in its own process with one
thread. Ours and the peer's way score the same rows in turn, and each repeat has new rows. The first
repeat is not counted: so caches between texts help, but no text was scored before, unless the case
itself repeats it. A figure is computed from medians; its range is that of the repeats. The scores
of all rows are compared: if any differs, the exit code is 1. A missed target stays in the table.
`--lveval` takes a checkout of LV-Eval's repository, whose functions are then measured, too.
`--only` without a name writes the tables from results.json.
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
from typing import Any, NamedTuple

import numpy as np

from metrics.benchmarks import report, ways
from metrics.benchmarks.cases import (
    CASES,
    DELAY,
    COMPARISONS,
    KINDS_OF_TEXT,
    LV_EVAL,
    RATE_ROWS,
    Case,
    Peer,
    Way,
)
from metrics.benchmarks.texts import EVOUNA, MakeRows, Rows, load_evouna
from tests.support.judge_server import JudgeServer, Reply, Request, make_good_reply
from tests.support.processes import PROCESS_CONTEXT
from tests.support.project import NAMES, ROOT

RESULTS = ROOT / "metrics" / "benchmarks" / "results.json"
README = ROOT / "metrics" / "benchmarks" / "README.md"
RATE = "rate-"
REPEATS = 5
EVERYTHING = (*CASES, *(RATE + name for name in NAMES))


class Repeat(NamedTuple):
    """The rows of one repeat, and the results of the ways by their names."""

    rows: Rows
    results: dict[str, Any]


class Timing(NamedTuple):
    """What was measured of several ways on the same rows.

    Attributes:
        seconds: the seconds per row of each way, in each repeat but the first.
        repeats: all repeats.
    """

    seconds: dict[str, list[float]]
    repeats: list[Repeat]


def time_ways(
    ways_by_name: Mapping[str, Way],
    make_rows: MakeRows,
    count: int,
    seed: str,
    n_repeats: int,
) -> Timing:
    """Time several ways on the same rows.

    Args:
        ways_by_name: the ways.
        make_rows: makes the rows of a repeat.
        count: how many rows.
        seed: the seed of the rows.
        n_repeats: how many repeats are counted; the one before them warms up caches.
    """
    seconds: dict[str, list[float]] = defaultdict(list)
    repeats = []
    for number in range(n_repeats + 1):
        rows = make_rows(Random(f"{seed} {number}"), count)
        results = {}
        # The ways take turns to be the first.
        for name in sorted(ways_by_name, reverse=number % 2 == 0):
            start = time.perf_counter()
            result = ways_by_name[name](rows)
            duration = time.perf_counter() - start
            if isinstance(result, ways.MeasuredSeconds):
                duration = result
            results[name] = result
            if number:
                seconds[name].append(duration / count)
        repeats.append(Repeat(rows, results))
    return Timing(seconds, repeats)


def compare_case(
    name: str,
    case: Case,
    rows: int,
    repeats: int,
) -> dict[str, Any]:
    """Return the figures of a case; without LV-Eval's repository its functions are left out."""
    peer = case.peer
    if peer and peer.name == LV_EVAL and not ways.SETTINGS["lveval"]:
        peer = None
    ways_by_name = {"ours": case.ours}
    if peer:
        ways_by_name["theirs"] = peer.way
    timing = time_ways(ways_by_name, case.make_rows, rows, name, repeats)
    medians = {side: median(times) for side, times in timing.seconds.items()}
    if case.peer and not peer:
        return medians
    compare = COMPARISONS[case.kind]
    values = [compare(*times) for times in zip(*timing.seconds.values(), strict=True)]
    figures = {
        **medians,
        "value": compare(*medians.values()),
        "low": min(values),
        "high": max(values),
    }
    if peer and not isinstance(timing.repeats[0].results["theirs"], ways.MeasuredSeconds):
        figures["equal"] = all(is_equal(peer, repeat) for repeat in timing.repeats)
    return figures


def is_equal(peer: Peer, repeat: Repeat) -> bool:
    """Return whether a peer's scores equal ours in a repeat, within its tolerance."""
    ours = repeat.results["ours"]
    theirs = peer.scores(repeat.rows) if peer.scores else repeat.results["theirs"]
    if peer.tolerance:
        return np.allclose(ours, theirs, rtol=0, atol=peer.tolerance)
    return bool(ours == theirs)


def measure_throughput(name: str, rows: int, repeats: int) -> dict[str, float]:
    """Return the rows per second of a module, by the kind of the texts."""
    own_ways: dict[str, Way] = {
        "judge_bias": ways.measure_biases,
        "reward_accuracy": ways.measure_rewards,
    }
    way = own_ways.get(name) or partial(ways.compute_with_rows, name, [])
    rates = {}
    for kind, make_rows in KINDS_OF_TEXT.items():
        # The tokenizer of reward_accuracy's model splits words at spaces.
        if name == "reward_accuracy" and not kind.startswith("English"):
            continue
        timing = time_ways({"ours": way}, make_rows, rows, f"{name} {kind}", repeats)
        rates[kind] = 1 / median(timing.seconds["ours"])
    return rates


def measure_one(
    name: str,
    settings: dict[str, str],
    rows: int = 0,
    repeats: int = REPEATS,
) -> dict[str, Any]:
    """Return the figures of a case or of a module.

    Args:
        name: the name of the case, or that of the module after RATE.
        settings: the settings of ways.py.
        rows: the number of rows; 0 for the usual one.
        repeats: the number of repeats that count.
    """
    ways.SETTINGS.update(settings)
    if name in CASES:
        return compare_case(name, CASES[name], rows or CASES[name].rows, repeats)
    module = name.removeprefix(RATE)
    return measure_throughput(module, rows or RATE_ROWS.get(module, 1_000), repeats)


def reply_slowly(request: Request, number: int) -> Reply:
    """Return the reply of a judge that answers after DELAY seconds."""
    return replace(make_good_reply(request), delay=DELAY)


def prepare_process() -> None:
    """Prepare a process for measuring.

    Objects that exist already are excluded from garbage collection. The recursion limit is raised,
    since the package rouge, which LV-Eval calls, recurses as deep as both texts have words.
    """
    gc.freeze()
    sys.setrecursionlimit(100_000)


def measure_cases(names: Sequence[str], lveval: str, results: report.Results) -> None:
    """Measure each case in its own process, and write its figures at once.

    A judge's server runs in this process.
    """
    for name in names:
        start = time.perf_counter()
        process = ProcessPoolExecutor(1, PROCESS_CONTEXT, initializer=prepare_process)
        with JudgeServer(reply_slowly if name in CASES else make_good_reply) as judge, process:
            figures = process.submit(
                measure_one, name, {"judge": judge.url, "lveval": lveval}
            ).result()
        results["cases" if name in CASES else "rates"][name.removeprefix(RATE)] = figures
        results["machine"] = {
            "cores": os.cpu_count(),
            "python": ".".join(platform.python_version_tuple()[:2]),
        }
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def list_possible_names() -> list[str]:
    """Return the names of all cases and rates, without those that need EVOUNA if it is missing."""
    names = []
    for name in EVERYTHING:
        needs_evouna = name in CASES and CASES[name].make_rows is load_evouna
        if EVOUNA.exists() or not needs_evouna:
            names.append(name)
    return names


def main(command: Sequence[str] | None = None) -> int:
    """Run the command, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        nargs="*",
        choices=EVERYTHING,
        metavar="NAME",
        help=", ".join(EVERYTHING),
    )
    parser.add_argument(
        "--lveval", default="", metavar="PATH", help="a checkout of LV-Eval's repository"
    )
    options = parser.parse_args(command)
    # A whole run replaces all older figures; a partial one replaces only its own.
    results: report.Results = {"cases": {}, "rates": {}}
    names = list_possible_names()
    if options.only is not None:
        results = json.loads(RESULTS.read_text("utf-8"))
        names = options.only
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # The new processes have one thread each, no network, and caches of their own.
        os.environ.update(
            OMP_NUM_THREADS="1",
            TOKENIZERS_PARALLELISM="false",
            HF_HOME=folder,
            XDG_CACHE_HOME=folder,
        )
        os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_DATASETS_OFFLINE="1")
        os.environ.update(HF_HUB_DISABLE_PROGRESS_BARS="1", GRADIO_ANALYTICS_ENABLED="False")
        measure_cases(names, options.lveval, results)
    README.write_text(report.fill_tables(README.read_text("utf-8"), results), "utf-8")
    print(report.format_speed(results), report.format_rates(results), sep="\n\n")
    return 0 if all(case.get("equal", True) for case in results["cases"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
