"""How fast the modules are, beside what they reproduce: the tables in README.md beside this file.

Run: make bench [LVEVAL=path], or .venv/bin/python -m tests.benchmarks.speed [--lveval PATH] [--only NAME ...]

Every case is a process of its own with one thread. Ours and the peers score the same rows in turn, each repeat new
ones, after a first repeat that is not counted: what stays known from one text to the next counts, a text that was
scored before does not, unless the case itself repeats it. A figure is made of the medians, its spread is that of the
repeats. The scores of all rows are compared: where one differs the exit code is 1. A missed target stays in the table.
`--lveval` takes a checkout of LV-Eval's repository, whose functions are then measured too.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.benchmarks import rates, report
from tests.benchmarks.cases import CASES
from tests.benchmarks.measuring import Given
from tests.support.judges import JUDGES
from tests.support.models import WITH_MODEL
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import NAMES, ROOT

RESULTS = ROOT / "tests" / "benchmarks" / "results.json"
README = ROOT / "tests" / "benchmarks" / "README.md"
RATE = "rate-"
EVERYTHING = (*CASES, *(RATE + name for name in NAMES))
# The package rouge, and with it LV-Eval's function, goes as deep as both texts have words.
RECURSION = 100_000


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=EVERYTHING, metavar="NAME", help=", ".join(EVERYTHING))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=float, default=1.0, metavar="SHARE", help="of each case's usual rows")
    parser.add_argument("--lveval", default="", metavar="PATH", help="a checkout of LV-Eval's repository")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="PATH", help="where the results go")
    parser.add_argument("--readme", action="store_true", help="write the tables of --json into README.md, and end")
    return parser.parse_args(given)


def work(name: str, given: Given) -> dict[str, Any]:
    """Measure one case in this process."""
    module = name.removeprefix(RATE)
    if not (module in WITH_MODEL if module != name else CASES[name].with_model):
        sys.path.insert(0, WITHOUT_TRANSFORMERS)
    sys.setrecursionlimit(RECURSION)
    return rates.measure(module, given) if module != name else CASES[name].measure(name, given)


def measure(name: str, given: Given) -> dict[str, Any]:
    """Measure one case in a process of its own, with a judge beside it where it asks one."""
    delay = CASES[name].judge if name in CASES else 0.0 if name.removeprefix(RATE) in JUDGES else None
    with (
        judge(delay) if delay is not None else contextlib.nullcontext("") as url,
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone,
    ):
        return alone.submit(work, name, replace(given, judge=url)).result()


@contextlib.contextmanager
def judge(delay: float) -> Iterator[str]:
    """Run a judge that answers after so many seconds in a process of its own, and yield its address."""
    command = [sys.executable, "-m", "tests.support.judge_server", "--delay", str(delay)]
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
    os.environ.update(HF_HUB_DISABLE_PROGRESS_BARS="1", GRADIO_ANALYTICS_ENABLED="False")


def known(path: Path) -> report.Results:
    """Return the results of a file; none where it is not there."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {"machine": {}, "cases": {}, "rates": {}}


def add(results: report.Results, name: str, found: dict[str, Any], path: Path) -> None:
    """Add what was measured to the results, in the order of the table, and write them."""
    version = ".".join(platform.python_version_tuple()[:2])
    results["machine"] = {"cores": os.cpu_count(), "python": version, "system": platform.system()}
    results["cases" if name in CASES else "rates"][name.removeprefix(RATE)] = found
    results["cases"] = {key: results["cases"][key] for key in CASES if key in results["cases"]}
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


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
            except Exception as error:  # a case may raise whatever it likes
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    cases = {name: case for name, case in results["cases"].items() if name in done}
    speeds = {name: rate for name, rate in results["rates"].items() if RATE + name in done}
    print(report.printed({**results, "cases": cases, "rates": speeds}))
    wrong = [f"{name}: the scores differ: {one['difference']}" for name, one in cases.items() if one.get("difference")]
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong or len(done) < len(names) else 0


def main(command: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    asked = arguments(command)
    if asked.readme:
        README.write_text(report.with_tables(README.read_text("utf-8"), known(asked.json)), "utf-8")
        return 0
    # Of a whole run nothing older stays; a part of it takes its place among the rest.
    results = known(asked.json if asked.only else Path("none"))
    return run(asked.only or EVERYTHING, Given(asked.repeats, asked.rows, asked.lveval), results, asked.json)


if __name__ == "__main__":
    sys.exit(main())
