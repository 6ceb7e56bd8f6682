"""Scores blocks on a Ray cluster, on this machine or at an address.

This process reads the table and sends each block as a task. Ray repeats a task if its process is
lost. The result of a block does not depend on where it was scored. Judges are asked only in this
process, so no key is sent to a cluster.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens import SPACE
from lens.scoring.modules import METRICS_FOLDER
from lens.scoring.rows import Scorer
from lens.study.engines.blocks import Block, Lost, OnProgress, Results, Wait, send_ahead
from lens.study.engines.processes import (
    AHEAD,
    change_environment,
    count_cores,
    pack_scorers,
    score_packed,
)
from lens.tables.cells import cut_cell, parse_whole
from lens.tables.places import hide_secrets
from lens.words.notes import UserError

# The environment variables that change scores, or that say where the modules are.
PASSED_VARIABLES = (
    "ANSWER_LENS_ORG",
    "ANSWER_LENS_EMBEDDING_MODEL",
    "ANSWER_LENS_BERTSCORE_MODEL",
    "ANSWER_LENS_BERTSCORE_LAYERS",
    "HF_HUB_OFFLINE",
)
# These settings stop Ray from reporting usage statistics to its makers, from endless retries if
# memory is short, and from logging.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_task_oom_retries": "3",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
}
# How often a block is repeated if its process was lost.
RETRIES = 3
REACH_SECONDS = 5.0
MAX_TOLD = 300


@dataclass(frozen=True)
class Cluster:
    """The engine that scores on a Ray cluster, with up to `most` blocks at the same time."""

    ray: Any
    most: int

    def __call__(
        self, scorers: Sequence[Scorer], blocks: Iterable[Block], on_progress: OnProgress
    ) -> Results:
        """Score blocks on the cluster.

        Raises:
            Lost: processes were lost again and again.
        """
        task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(score_packed)

        def send(running: Sequence[Scorer], block: Block) -> Wait:
            return functools.partial(self.ray.get, task.remote(pack_scorers(running), block))

        try:
            yield from send_ahead(scorers, blocks, on_progress, send, self.most)
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            lines = (str(error).strip() or type(error).__name__).splitlines()
            raise Lost(
                f"Processes of the cluster were lost again and again ({lines[-1][:MAX_TOLD]}; "
                "each block is "
                f"tried {RETRIES + 1} times); most often the memory does not suffice. The "
                "same command goes on; "
                "give it fewer --workers."
            ) from None


@contextlib.contextmanager
def join_cluster(
    address: str | None, count: int | None, withheld: Iterable[str]
) -> Iterator[Cluster]:
    """Join a Ray cluster until the end of the block, or start one on this machine.

    Args:
        address: the address of the cluster; None to start one on this machine.
        count: the number of blocks that are scored at once; by default one per processor.
        withheld: the environment variables that the processes do not get.
    """
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    try:
        import ray
    except ImportError:
        install = f"pip install -r {SPACE / 'requirements-ray.txt'}"
        raise UserError("command.no_ray", command=install) from None
    settings: dict[str, Any] = {"address": address}
    if not address:
        settings = {
            "address": "local",
            "num_cpus": count or count_cores(),
            "include_dashboard": False,
        }
    handler = signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix="answer-lens-") as folder, keep_quiet():
        try:
            with change_environment(withheld):
                start(ray, settings | {"runtime_env": make_environment(Path(folder))})
            # Ray replaces the handler of SIGTERM; this restores the previous handler.
            signal.signal(signal.SIGTERM, handler)
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            yield Cluster(ray, count if address and count else AHEAD * processors)
        finally:
            ray.shutdown()


def start(ray: Any, settings: dict[str, Any]) -> None:
    """Start or join a Ray cluster.

    Raises:
        UserError: this fails, or the address does not answer, which Ray would try for ever.
    """
    address = settings["address"]
    try:
        if address.startswith("ray://"):
            raise ValueError(
                "no data is scored over Ray's client; run the command on a machine of the "
                "cluster with "
                "--ray-address auto, or by `ray job submit`"
            )
        host, _, port = address.rpartition(":")
        if port.isdecimal():
            if not (number := parse_whole(port, 65_535)):
                raise ValueError(f"{cut_cell(port)} is no port")
            socket.create_connection((host.strip("[]"), number), REACH_SECONDS).close()
        ray.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # Ray and the network can raise any error
        message = getattr(error, "strerror", None) or str(error).strip().partition("\n")[0].rstrip(
            "."
        )
        raise UserError(
            "command.no_cluster",
            address=hide_secrets(address),
            error=message or type(error).__name__,
        ) from None
    logging.getLogger("ray").setLevel(logging.CRITICAL)


@contextlib.contextmanager
def keep_quiet() -> Iterator[None]:
    """Send Ray's output to stderr, because stdout is for results, and hide its warnings."""
    with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"ray\.")
        yield


def make_environment(folder: Path) -> dict[str, Any]:
    """Return the runtime environment of the cluster's processes, with a folder of code.

    The folder has this package and the metrics. The environment variables are those that scores
    depend on.
    """
    ignored = shutil.ignore_patterns(
        "__pycache__", "*.png", ".*", "page", "benchmarks", "*.md", "app.py", "tests.py"
    )
    for source in (SPACE / "lens", METRICS_FOLDER):
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=ignored)
    return {
        "working_dir": str(folder),
        "env_vars": {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ},
    }
