"""Blocks read and scored on a Ray cluster, here or at an address, by Ray Data.

A task for each file reads it into blocks, which begin where they would in one process; actors score the blocks and
write their rows, or send them back where a judge or a second system has something to add. What comes of a block does
not depend on where it was scored, so processes may be lost. Judges are asked here alone, and no key goes to a cluster.
Blocks and outcomes travel as bytes, pickled by us, so that nothing is altered on the way.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import shutil
import signal
import socket
import sys
import tempfile
import threading
import warnings
from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Any

from lens import SPACE
from lens.runs.blocks import Block, Outcome, score_block, write_part
from lens.runs.parts import Parts
from lens.runs.processes import Lost, cores, environment
from lens.runs.scored_table import Told, Work
from lens.scoring.modules import METRICS_FOLDER
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables import sources
from lens.tables.places import shown
from lens.tables.roles import BadTable, Roles
from lens.tables.sources import Source

# What makes a score another one, or says where the modules are.
TAKEN = (
    "ANSWER_LENS_ORG", "ANSWER_LENS_EMBEDDING_MODEL", "ANSWER_LENS_BERTSCORE_MODEL", "ANSWER_LENS_BERTSCORE_LAYERS",
    "HF_HUB_OFFLINE",
)  # fmt: skip
# Without these Ray asks a server of its makers for its opinion, tries for ever where memory is short, and talks.
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_task_oom_retries": "3", "RAY_BACKEND_LOG_LEVEL": "fatal"}
# How often a block is tried again whose process was lost, and a process is started again.
RETRIES = 3
# The processors that a step takes. One that reads takes none: a share of one keeps the actors from ever starting.
READING, SCORING = 0.0, 1.0
REACH_SECONDS = 5.0
MAX_TOLD = 300


def loaded() -> Any:
    """Ray with its package for data; BadTable where it is not installed."""
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    try:
        import ray
        import ray.data
    except ImportError:
        install = f"pip install -r {SPACE / 'requirements-ray.txt'}"
        raise BadTable(f"--engine ray needs the package ray: {install}") from None
    return ray


@contextlib.contextmanager
def connected(address: str | None, count: int | None, withheld: Sequence[str]) -> Iterator[Cluster]:
    """A cluster until the end of the block: the one at an address, or one of this machine that ends with it. `count`
    blocks are scored at once, or one for each of its processors. Its processes get none of the `withheld` variables of
    the environment.
    """
    module = loaded()
    settings: dict[str, Any] = {"address": "local", "num_cpus": count or cores(), "include_dashboard": False}
    if address:
        refuse_unreached(address)
        settings = {"address": address}
    handler = signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix="answer-lens-") as folder, hushed():
        try:
            with environment(withheld):
                start(module, {**settings, "runtime_env": taken_along(Path(folder))})
            own_signal(handler)
            yield Cluster(count or max(1, int(module.cluster_resources().get("CPU", 1))))
        finally:
            module.shutdown()
            own_signal(handler)


def own_signal(handler: Any) -> None:
    """Let a request to end do what it did before, which Ray sets anew; signals belong to the main thread."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)


@contextlib.contextmanager
def hushed() -> Iterator[None]:
    """Keep Ray's words from the output, where the results belong, and its hints from the terminal."""
    with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"ray\.")
        # Of a name that Ray will change; our versions of it are pinned.
        warnings.filterwarnings("ignore", message=".*ray_remote_args")
        yield


def taken_along(folder: Path) -> dict[str, Any]:
    """What every process of the cluster gets: this package and the metrics, by way of a folder, and the settings of the
    environment that scores depend on.
    """
    for source in (SPACE / "lens", METRICS_FOLDER):
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".*", "page", "README.md", "app.py", "tests.py")
            shutil.copytree(source, folder / source.name, ignore=ignored)
    taken = {name: os.environ[name] for name in TAKEN if name in os.environ}
    return {"working_dir": str(folder), "env_vars": taken}


def refuse_unreached(address: str) -> None:
    """Refuse an address at which nobody answers, where Ray would try for ever, or one of Ray's client."""
    if address.startswith("ray://"):
        raise BadTable(f"{shown(address)} is an address of Ray's client, over which no data is scored. Run the command "
                       "on a machine of the cluster with --ray-address auto, or by `ray job submit`.")  # fmt: skip
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except OSError as error:
        raise unreached(address, error.strerror or error) from None


def start(module: Any, settings: Mapping[str, Any]) -> None:
    """Start or join a cluster; BadTable where that fails."""
    try:
        module.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # whatever a cluster or the way to it brings about
        told = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise unreached(settings["address"], told) from None
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def unreached(address: str, told: object) -> BadTable:
    """The refusal of a cluster that is not there."""
    return BadTable(f"No cluster of Ray could be started or joined ({shown(address)}): {told}. One that asks for a "
                    "token is joined with RAY_AUTH_MODE=token in the environment.")  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What the processes of a cluster have to know to read and score a table; of judges nothing."""

    files: Sequence[Source]
    # The row of the table at which each file begins.
    starts: Sequence[int]
    roles: Roles
    separator: str
    size: int
    metrics: Sequence[tuple[str, Mapping[str, Any]]]
    written: tuple[Parts, Layout] | None
    rows_needed: bool


def rows_of(row: Mapping[str, Any], files: Sequence[Source]) -> dict[str, Any]:
    """How many rows a file has."""
    return {**row, "rows": sum(1 for _ in files[row["file"]].rows())}


def read(row: Mapping[str, Any], plan: Plan) -> Iterator[dict[str, bytes]]:
    """The wanted blocks that begin in a file; the last may end in another."""
    at = row["file"]
    place = plan.starts[at]
    rows = chain.from_iterable(sources.items(one, plan.roles, plan.separator) for one in plan.files[at:])
    for number in row["numbers"]:
        first = int(number) * plan.size
        taken = list(islice(rows, first - place, first - place + plan.size))
        place = first + len(taken)
        block = Block(int(number), first, [one for one, _ in taken], [item for _, item in taken])
        yield {"block": pickle.dumps(block)}


class BlockScorer:
    """An actor, which has the metrics loaded once."""

    def __init__(self) -> None:
        self.scorers: list[Scorer] = []

    def __call__(self, batch: Mapping[str, Any], plan: Plan) -> dict[str, list[bytes]]:
        """What the metrics make of blocks, with their rows where they are needed to complete it."""
        self.scorers = self.scorers or [Scorer(name, settings) for name, settings in plan.metrics]
        found = []
        for packed in batch["block"]:
            block = pickle.loads(packed)
            outcome = score_block(self.scorers, block)
            if plan.written:
                write_part(*plan.written, block, outcome)
            found.append(pickle.dumps((block if plan.rows_needed else None, outcome)))
        return {"outcome": found}


class Cluster:
    """The engine that scores `most` blocks at once on the cluster that is joined."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, work: Work, told: Told) -> Generator[tuple[Block | None, Outcome], None, None]:
        """Each block, or None, with its outcome, as they are done; Lost where processes cannot be kept alive."""
        module = loaded()
        try:
            for row in self.results(module, work).iter_rows():
                block, outcome = pickle.loads(row["outcome"])
                for scorer in work.scorers:
                    told(scorer.name, outcome.rows)
                yield block, outcome
        except (module.exceptions.RayError, ConnectionError) as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, Exception) and not isinstance(cause, module.exceptions.RayError):
                raise cause from None
            lines = (str(error).strip() or type(error).__name__).splitlines()
            raise Lost(f"Processes of the cluster were lost again and again ({lines[-1][:MAX_TOLD]}; each block is "
                       f"tried {RETRIES + 1} times); most often the memory does not suffice. The same command goes on; "
                       "give it fewer --workers.") from None  # fmt: skip

    def results(self, module: Any, work: Work) -> Any:
        """A dataset of outcomes, of which nothing is computed before it is read."""
        context = module.data.DataContext.get_current()
        # One block of Ray's for each of ours; as long as it takes; in silence; a failure as it was.
        context.target_max_block_size = 1
        context.execution_no_progress_timeout_s = -1
        context.enable_progress_bars = context.print_on_execution_start = False
        context.raise_original_map_exception = True
        plan = self.plan(module, work)
        wanted: dict[int, list[int]] = {}
        for number in work.numbers:
            wanted.setdefault(bisect_right(plan.starts, number * work.size) - 1, []).append(number)
        tasks = [{"file": at, "numbers": numbers} for at, numbers in wanted.items()]
        readers = module.data.TaskPoolStrategy(size=max(1, min(len(tasks), self.most // 2)))
        blocks = module.data.from_items(tasks, override_num_blocks=max(len(tasks), 1)).flat_map(
            read, fn_args=(plan,), compute=readers, num_cpus=READING, max_retries=RETRIES
        )
        actors = module.data.ActorPoolStrategy(size=self.most)
        # Without an end to both, a block that costs an actor its life each time would be tried for ever.
        tried = {"max_task_retries": RETRIES, "max_restarts": RETRIES}
        return blocks.map_batches(BlockScorer, fn_args=(plan,), batch_size=1, compute=actors, num_cpus=SCORING, **tried)

    def plan(self, module: Any, work: Work) -> Plan:
        """What the cluster is told. Where there are several files, it counts their rows first."""
        table, files = work.table, list(work.table.source.parts())
        counts = [table.rows]
        if len(files) > 1:
            numbered = module.data.from_items([{"file": at} for at in range(len(files))])
            counted = numbered.map(rows_of, fn_args=(files,), num_cpus=READING).take_all()
            counts = [row["rows"] for row in sorted(counted, key=lambda row: row["file"])]
        metrics = [(scorer.name, scorer.settings) for scorer in work.scorers]
        starts = [0, *accumulate(counts)][:-1]
        scan = table.scan
        return Plan(files, starts, scan.roles, table.separator, work.size, metrics, work.written, work.rows_needed)
