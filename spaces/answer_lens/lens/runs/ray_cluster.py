"""A Ray cluster for the length of a run, here or at an address, and lists of work spread over it by Ray Data.

Every unit of work and every result is a row of bytes, pickled by us, so that nothing is altered on the way. Functions
are plain and of a module that the other machines get along (`staged`). No key of a judge goes to a cluster: judges are
asked by the process that starts the run.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens import SPACE
from lens.runs.processes import Lost, cores
from lens.scoring import pasted_answer
from lens.tables import places
from lens.tables.roles import BadTable
from lens.words import say

INSTALL = f"pip install -r {SPACE / 'requirements-ray.txt'}"
# What makes a score another one, or says where the modules are.
TAKEN = (
    "ANSWER_LENS_ORG", "ANSWER_LENS_EMBEDDING_MODEL", "ANSWER_LENS_BERTSCORE_MODEL", "ANSWER_LENS_BERTSCORE_LAYERS",
    "HF_HUB_OFFLINE",
)  # fmt: skip
# Without these, what runs asks a server of Ray's makers for its opinion, and draws bars of its own.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_task_oom_retries": "3",
}
# How often a piece of work is tried again whose process was lost.
RETRIES = 3
# The processors that a step takes. One that reads takes none, so that it never keeps what it has read from being
# scored; and another share keeps Ray from making one step of the two, which would leave a file to one process.
READING, SCORING = 0.0, 1.0
REACH_SECONDS = 5.0
MAX_TOLD = 300


def loaded() -> Any:
    """Ray with its package for data; BadTable where it is not installed."""
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    try:
        import ray
        import ray.data
        import ray.util.client
    except ImportError:
        raise BadTable(say("f_no_ray", command=INSTALL)) from None
    return ray


@contextlib.contextmanager
def environment(withheld: Sequence[str]) -> Iterator[None]:
    """The environment that started processes inherit: without these variables, and with the way to our files."""
    before = dict(os.environ)
    for name in withheld:
        os.environ.pop(name, None)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SPACE), before.get("PYTHONPATH")]))
    try:
        yield
    finally:
        for name in {"PYTHONPATH", *withheld}:
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


@contextlib.contextmanager
def own_signals() -> Iterator[None]:
    """Keep what a request to end does, which Ray would set anew; signals belong to the main thread."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def staged(folder: Path) -> None:
    """Put into a folder what other machines need of ours: this program's files, and the metrics."""
    for path in [
        *SPACE.glob("*.py"),
        *SPACE.glob("lens/**/*.py"),
        *SPACE.glob("lens/**/*.json"),
        *pasted_answer.METRICS_FOLDER.glob("*/*.py"),
    ]:
        place = folder / path.relative_to(SPACE.parent.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


def along(folder: Path) -> dict[str, Any]:
    """What Ray is told of the files that go along, and of the environment that they need."""
    taken = {name: os.environ[name] for name in TAKEN if name in os.environ}
    # Processes begin in the folder that is unpacked from it; Ray fills in the path that they had.
    path = f"spaces/answer_lens{os.pathsep}${{PYTHONPATH}}"
    return {"working_dir": str(folder), "env_vars": {"PYTHONPATH": path, **taken}}


@contextlib.contextmanager
def hushed() -> Iterator[None]:
    """Keep Ray's words from the output, where the results belong, and its hints from the terminal."""
    with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"ray\.")
        # Of a name that Ray will change; our versions of it are pinned.
        warnings.filterwarnings("ignore", message=".*ray_remote_args")
        yield


@contextlib.contextmanager
def connected(address: str | None, count: int | None, withheld: Sequence[str]) -> Iterator[int]:
    """A cluster until the end of the block: the one at an address, or one of this machine that ends with it. Given is
    how many blocks may be scored at once: `count`, or one for each of its processors. Its processes get none of the
    `withheld` variables of the environment.
    """
    module = loaded()
    with tempfile.TemporaryDirectory(prefix="answer-lens-") as folder, hushed():
        settings: dict[str, Any] = {"address": "local", "num_cpus": count or cores(), "include_dashboard": False}
        if address:
            refuse_unreached(address)
            staged(Path(folder))
            settings = {"address": address, "runtime_env": along(Path(folder))}
        try:
            with environment(withheld), own_signals():
                start(module, settings)
            yield count or max(1, int(module.cluster_resources().get("CPU", 1)))
        finally:
            with own_signals():
                module.shutdown()


def refuse_unreached(address: str) -> None:
    """Refuse an address at which nobody answers: Ray would try for ever."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except OSError as error:
        raise BadTable(say("f_ray_unreached", address=places.shown(address), error=error.strerror or error)) from None


def start(module: Any, settings: Mapping[str, Any]) -> None:
    """Start or join a cluster; BadTable where that fails."""
    try:
        module.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # whatever a cluster or the way to it brings about
        told = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise BadTable(say("f_ray_unreached", address=places.shown(settings["address"]), error=told)) from None
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def packed(value: Any) -> dict[str, bytes]:
    """A value as a row of Ray Data."""
    return {"packed": pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)}


def unpacked(row: Mapping[str, bytes]) -> Any:
    """The value of a row."""
    return pickle.loads(row["packed"])


@dataclass(frozen=True)
class Failure:
    """What went wrong with a unit, on its way to the process that started the run."""

    error: Exception


def done(row: Mapping[str, bytes], function: Callable[..., Iterator[Any]], *given: Any) -> Iterator[dict[str, bytes]]:
    """What a function makes of a unit, as rows; a failure comes instead of what is left, and passes all steps."""
    unit = unpacked(row)
    if isinstance(unit, Failure):
        yield packed(unit)
        return
    try:
        yield from map(packed, function(unit, *given))
    except Exception as error:  # said where the run was started
        yield failed(error)


def failed(error: Exception) -> dict[str, bytes]:
    """A failure as a row, in its own words alone where it cannot be sent."""
    try:
        row = packed(Failure(error))
        unpacked(row)
    except Exception:  # whatever an error of another package does when it is pickled
        return packed(Failure(RuntimeError(f"{type(error).__name__}: {error}")))
    return row


Step = tuple[Callable[..., Iterator[Any]], tuple[Any, ...], float, int]


@dataclass(frozen=True)
class Spread:
    """Work spread over a cluster, step by step; nothing is done before results are asked for."""

    units: Sequence[Any]
    steps: tuple[Step, ...] = ()

    def step(self, function: Callable[..., Iterator[Any]], *given: Any, share: float, most: int) -> Spread:
        """Have `function(unit, *given)` make units of each, `most` of them at a time."""
        return Spread(self.units, (*self.steps, (function, given, share, most)))

    def results(self, ordered: bool = False) -> Iterator[Any]:
        """What comes of the last step, as soon as it is there, or in the order of the units. Lost where processes of
        the cluster, or all of it, cannot be kept alive.
        """
        module = loaded()
        led = self.led_there if module.util.client.ray.is_connected() else self.led_here
        try:
            for found in map(pickle.loads, led(ordered)):
                if isinstance(found, Failure):
                    raise found.error
                yield found
        except (module.exceptions.RayError, ConnectionError) as error:
            told = (str(error).strip().splitlines() or [""])[-1][:MAX_TOLD] or type(error).__name__
            raise Lost(say("f_ray_lost", times=RETRIES + 1, error=told)) from None

    def led_here(self, ordered: bool) -> Iterator[bytes]:
        """The results, packed, of work that this process leads."""
        module = loaded()
        context = module.data.DataContext.get_current()
        # A block of Ray's for each of ours; as long as it takes; in silence.
        context.target_max_block_size = 1
        context.execution_no_progress_timeout_s = -1
        context.enable_progress_bars = context.print_on_execution_start = False
        context.execution_options.preserve_order = ordered
        units = [packed(unit) for unit in self.units]
        data = module.data.from_items(units, override_num_blocks=len(units))
        for at, (function, given, share, most) in enumerate(self.steps):
            pool = module.data.TaskPoolStrategy(size=most if at else min(most, len(units)))
            data = data.flat_map(done, fn_args=(function, *given), compute=pool, num_cpus=share, max_retries=RETRIES)
        for row in data.iter_rows():
            yield row["packed"]

    def led_there(self, ordered: bool) -> Iterator[bytes]:
        """The same of work that a process of the cluster leads: over Ray's client nothing else can."""
        module = loaded()
        leader = module.remote(num_cpus=0)(Leader).remote(pickle.dumps(self), ordered)
        asked = leader.more.remote()
        while (found := module.get(asked)) is not None:
            asked = leader.more.remote()
            yield found


class Leader:
    """What leads the work from within a cluster."""

    def __init__(self, work: bytes, ordered: bool) -> None:
        self.found = pickle.loads(work).led_here(ordered)

    def more(self) -> bytes | None:
        """The next result, or None where there is no more."""
        return next(self.found, None)
