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
from lens.scoring.scorer import Scorer
from lens.study.engines.blocks import (
    Block,
    BlockResults,
    OnProgress,
    RunInterrupted,
    WaitForResult,
    send_ahead,
)
from lens.study.engines.processes import (
    BLOCKS_PER_PROCESS,
    change_environment,
    count_cores,
    pack_scorers,
    score_packed,
)
from lens.tables.cells import cut_cell, parse_integer
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
RAY_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_task_oom_retries": "3",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
}
# How often a block is repeated if its process was lost.
RETRIES = 3
# How long an address may take to answer before Ray is started; Ray itself would wait for ever.
CONNECT_SECONDS = 5.0
MAX_PORT = 65_535
# The most characters that a message quotes of an error of Ray.
MAX_ERROR_LENGTH = 300


@dataclass(frozen=True)
class Cluster:
    """The engine that scores on a Ray cluster.

    Attributes:
        ray: the package ray, connected to the cluster.
        max_sent: how many blocks are sent before the first result is awaited: those that are
            scored, and others that wait.
    """

    ray: Any
    max_sent: int

    def __call__(
        self, scorers: Sequence[Scorer], blocks: Iterable[Block], on_progress: OnProgress
    ) -> BlockResults:
        """Score blocks on the cluster.

        Raises:
            RunInterrupted: processes were lost again and again.
        """
        task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(score_packed)

        def send(running: Sequence[Scorer], block: Block) -> WaitForResult:
            return functools.partial(self.ray.get, task.remote(pack_scorers(running), block))

        try:
            yield from send_ahead(scorers, blocks, on_progress, send, self.max_sent)
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            lines = (str(error).strip() or type(error).__name__).splitlines()
            last_line = lines[-1][:MAX_ERROR_LENGTH]
            raise RunInterrupted(
                f"Processes of the cluster were lost again and again ({last_line}; "
                f"each block is tried {RETRIES + 1} times). The usual cause is too little "
                "memory. Run the same command again with fewer --workers: it continues where it "
                "stopped."
            ) from None


@contextlib.contextmanager
def join_cluster(
    address: str | None, count: int | None, hidden_variables: Iterable[str]
) -> Iterator[Cluster]:
    """Connect to a Ray cluster, or start one on this machine, while the `with` statement runs.

    Args:
        address: the address of the cluster; None to start one on this machine.
        count: with an address, the number of blocks that are sent to the cluster at a time, by
            default BLOCKS_PER_PROCESS per processor. Without an address, the number of processes
            that are started, by default one per core.
        hidden_variables: the environment variables that the processes do not get.
    """
    for name, value in RAY_SETTINGS.items():
        os.environ.setdefault(name, value)
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
            with change_environment(hidden_variables):
                connect(ray, settings | {"runtime_env": copy_code(Path(folder))})
            # Ray replaces the handler of SIGTERM; this restores the previous handler.
            signal.signal(signal.SIGTERM, handler)
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            max_sent = count if address and count else BLOCKS_PER_PROCESS * processors
            yield Cluster(ray, max_sent)
        finally:
            ray.shutdown()


def connect(ray: Any, settings: dict[str, Any]) -> None:
    """Connect to a Ray cluster, or start one.

    Raises:
        UserError: this fails, or the address does not answer, which Ray would try for ever.
    """
    address = settings["address"]
    try:
        if address.startswith("ray://"):
            raise ValueError(
                "no data is scored over Ray's client; run the command on a machine of the "
                "cluster with --ray-address auto, or by `ray job submit`"
            )
        refuse_silent_address(address)
        ray.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # Ray and the network can raise any error
        first_line = str(error).strip().partition("\n")[0].rstrip(".")
        message = getattr(error, "strerror", None) or first_line or type(error).__name__
        raise UserError(
            "command.no_cluster", address=hide_secrets(address), error=message
        ) from None
    logging.getLogger("ray").setLevel(logging.CRITICAL)


def refuse_silent_address(address: str) -> None:
    """Raise an error if an address with a port, such as "10.0.0.1:6379", does not answer."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        return
    port_number = parse_integer(port, MAX_PORT)
    if not port_number:
        raise ValueError(f"{cut_cell(port)} is no port")
    socket.create_connection((host.strip("[]"), port_number), CONNECT_SECONDS).close()


@contextlib.contextmanager
def keep_quiet() -> Iterator[None]:
    """Send Ray's output to stderr, because stdout is for results, and hide its warnings."""
    with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"ray\.")
        yield


def copy_code(folder: Path) -> dict[str, Any]:
    """Copy the code into a folder, and return the runtime environment of the cluster's processes.

    The code is this package and the metrics. The environment has this folder and the variables on
    which scores depend.
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
