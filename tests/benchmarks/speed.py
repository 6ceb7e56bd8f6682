"""How fast the modules are, beside what they reproduce: the table in the README.

Run: make bench [LVEVAL=path], or .venv/bin/python -m tests.benchmarks.speed [--lveval PATH] [--only NAME ...]

Every case is a process of its own with one thread. Ours and the peers score the same rows in turn, each repeat new
ones, after a first repeat that is not counted: what stays known from one text to the next counts, a text that was
scored before does not, unless the case itself repeats it. A figure is made of the medians, its spread is that of the
repeats. The scores of all rows are compared: where one differs the exit code is 1. A missed target stays in the table.
`--lveval` takes a checkout of LV-Eval's repository, whose functions are then measured too. `--data` takes rows from a
file of JSON Lines with prediction, reference and keywords, for the cases that do not make up a form of their own.
"""

import argparse
import contextlib
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.benchmarks import rates, report
from tests.benchmarks.cases import CASES, Case
from tests.benchmarks.judges import alone
from tests.benchmarks.starts import STARTS, Start
from tests.benchmarks.ways import PACKAGES, Given, installed
from tests.support.judges import JUDGES
from tests.support.models import WITH_MODEL
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import NAMES, ROOT

RESULTS = ROOT / "tests" / "benchmarks" / "results.json"
README = ROOT / "README.md"
RATE = "rate-"
MEASURED: dict[str, Case | Start] = {**CASES, **STARTS}
EVERYTHING = (*MEASURED, *(RATE + name for name in NAMES))
# The package rouge, and with it LV-Eval's function, goes as deep as both texts have words.
RECURSION = 100_000


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=EVERYTHING, metavar="NAME", help="these of --list, and no others")
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=float, default=1.0, metavar="SHARE", help="of each case's usual rows")
    parser.add_argument("--data", default="", metavar="PATH", help="JSON Lines: prediction, reference, keywords")
    parser.add_argument("--lveval", default="", metavar="PATH", help="a checkout of LV-Eval's repository")
    parser.add_argument("--peers", nargs="*", choices=PACKAGES, help="packages to compare with (those installed)")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="PATH", help="where the results go")
    parser.add_argument("--readme", action="store_true", help="write the tables of --json into the README, and end")
    found = parser.parse_args(given)
    if found.repeats < 1 or not 0 < found.rows < math.inf:
        parser.error("--repeats and --rows must be numbers above 0")
    if found.lveval and not (Path(found.lveval) / "metrics.py").is_file():
        parser.error(f"--lveval: {found.lveval} has no metrics.py; the folder of LV-Eval's repository is expected")
    if found.data and not Path(found.data).is_file():
        parser.error(f"--data: {found.data} is not there")
    if not found.json.parent.is_dir():
        parser.error(f"--json: the folder {found.json.parent} is not there")
    return found


def work(name: str, given: Given) -> dict[str, Any]:
    """Measure one case in this process."""
    module = name.removeprefix(RATE) if name.startswith(RATE) else ""
    if not (module in WITH_MODEL if module else MEASURED[name].with_model):
        sys.path.insert(0, WITHOUT_TRANSFORMERS)
    sys.setrecursionlimit(RECURSION)
    return rates.measure(module, given) if module else MEASURED[name].measure(name, given)


def measure(name: str, given: Given) -> dict[str, Any]:
    """Measure one case in a process of its own, with a judge beside it where it asks one."""
    asks = name.removeprefix(RATE) in JUDGES if name.startswith(RATE) else MEASURED[name].asks
    with judge() if asks else contextlib.nullcontext("") as url:
        return alone(work, name, replace(given, judge=url))


@contextlib.contextmanager
def judge() -> Iterator[str]:
    """Run a judge that answers at once in a process of its own, and yield its address."""
    command = [sys.executable, "-m", "tests.support.judge_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def prepare(folder: str) -> None:
    """Set what the processes to come read: one thread each, no network, caches of their own."""
    os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HOME=folder, XDG_CACHE_HOME=folder)
    os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_DATASETS_OFFLINE="1")
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"


def known(path: Path) -> report.Results:
    """Return the results of a file, or none where it is not there."""
    return json.loads(path.read_text("utf-8")) if path.exists() else none_yet()


def none_yet() -> report.Results:
    """Return results without a case."""
    return {"machine": {}, "cases": {}, "rates": {}}


def add(results: report.Results, name: str, found: dict[str, Any], path: Path) -> None:
    """Add what was measured to the results, in the order of the list, and write them."""
    version = ".".join(platform.python_version_tuple()[:2])
    results["machine"] = {"cores": os.cpu_count(), "python": version, "system": platform.system()}
    part = "rates" if name.startswith(RATE) else "cases"
    results[part][name.removeprefix(RATE)] = found
    results["cases"] = {key: results["cases"][key] for key in MEASURED if key in results["cases"]}
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


def print_tables(results: report.Results, names: Sequence[str]) -> None:
    """Print the tables of what was measured now."""
    cases = {name: case for name, case in results["cases"].items() if name in names}
    speeds = {name: rate for name, rate in results["rates"].items() if RATE + name in names}
    shown = {**results, "cases": cases, "rates": speeds}
    if cases:
        print(f"{report.speed_table(shown)}\n\n{report.machine(shown)}")
    if speeds:
        print(f"\nRows per second and core:\n\n{report.rates_table(shown)}")


def differences(results: report.Results, names: Sequence[str]) -> list[str]:
    """Return a sentence for each comparison whose scores differ."""
    cases = [results["cases"][name] for name in names if name in results["cases"]]
    lines = [(case["case"], line) for case in cases for line in case["lines"] if "difference" in line]
    return [f"{name}: the scores differ from {line['against']}: {line['difference']}" for name, line in lines]


def run(names: Sequence[str], given: Given, results: report.Results, path: Path) -> int:
    """Measure, print and write; return the exit code. A case that fails says why, and the others go on."""
    done = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder)
        for name in names:
            start = time.perf_counter()
            try:
                add(results, name, measure(name, given), path)
                done.append(name)
            except RuntimeError as error:
                print(f"{name}: {error}", file=sys.stderr)
            print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    print_tables(results, done)
    wrong = differences(results, done)
    print("\n".join(wrong), file=sys.stderr, end="\n" * bool(wrong))
    return 1 if wrong or len(done) < len(names) else 0


def main(command: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    asked = arguments(command)
    if asked.list:
        print("\n".join(EVERYTHING))
        return 0
    if asked.readme:
        README.write_text(report.with_tables(README.read_text("utf-8"), known(asked.json)), "utf-8")
        return 0
    peers = installed() if asked.peers is None else tuple(asked.peers)
    given = Given(asked.repeats, asked.rows, asked.data, asked.lveval, peers)
    # Of a whole run nothing older stays; a part of it takes its place among the rest.
    results = known(asked.json) if asked.only else none_yet()
    return run(asked.only or EVERYTHING, given, results, asked.json)


if __name__ == "__main__":
    sys.exit(main())
