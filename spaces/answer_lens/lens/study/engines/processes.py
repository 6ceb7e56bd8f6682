"""Scores blocks in several processes, each with the same metrics.

A block is sent to a process, and its result comes back. Only this process has a judge's key. If a
process is lost, the run ends, and the same command resumes it.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from lens.scoring.block_scores import BlockResult
from lens.scoring.modules import load_providers
from lens.scoring.scorer import Scorer
from lens.study.engines.blocks import (
    Block,
    BlockResults,
    OnProgress,
    RunInterrupted,
    WaitForResult,
    score_block,
    send_ahead,
)

# The number of blocks sent to each process: one that it scores, and one that waits.
BLOCKS_PER_PROCESS = 2
# The environment variable for the number of threads of numerical libraries.
THREADS_VARIABLE = "OMP_NUM_THREADS"


def pack_scorers(scorers: Sequence[Scorer]) -> bytes:
    """Return the names and settings of metrics as bytes for another process."""
    return pickle.dumps([(scorer.name, scorer.settings) for scorer in scorers])


@functools.lru_cache(1)
def unpack_scorers(metrics: bytes) -> list[Scorer]:
    """Return the metrics in a process that scores; they are loaded only once."""
    return [Scorer(name, settings) for name, settings in pickle.loads(metrics)]


def score_packed(metrics: bytes, block: Block) -> BlockResult:
    """Score a block in a process that was started for scoring."""
    return score_block(unpack_scorers(metrics), block)


def prepare_process() -> None:
    """Prepare a process: it ignores Ctrl-C, and ends when its parent process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait until the parent process ends, even if it is killed, and end this process."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def list_key_variables(own_variable: str | None) -> set[str]:
    """Return the environment variables with judges' keys, which other processes do not get.

    Args:
        own_variable: the variable that the user names, in addition to those of known providers.
    """
    names = {provider.key_variable for provider in load_providers().values()}
    return {name for name in (own_variable, *names) if name}


@contextmanager
def change_environment(withheld: Iterable[str], **added: str) -> Iterator[None]:
    """Change the environment of processes that are started in the `with` statement.

    Args:
        withheld: the variables that are removed.
        added: the variables that are added.
    """
    previous = {name: os.environ.pop(name, None) for name in {*withheld, *added}}
    os.environ.update(added)
    try:
        yield
    finally:
        for name, value in previous.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def run_in_processes(
    count: int,
    withheld: Iterable[str],
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    on_progress: OnProgress,
) -> BlockResults:
    """Score blocks in `count` processes, without the withheld environment variables.

    Raises:
        RunInterrupted: a process was ended from outside.
    """
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), prepare_process)
    # Each process gets an equal share of the cores, unless the environment sets a number of
    # threads.
    threads = os.environ.get(THREADS_VARIABLE) or str(max(1, count_cores() // count))

    def send(running: Sequence[Scorer], block: Block) -> WaitForResult:
        # The pool starts a process when a block is submitted, so the environment is changed here.
        with change_environment(withheld, **{THREADS_VARIABLE: threads}):
            future = pool.submit(score_packed, pack_scorers(running), block)
        # The method is returned without a call, because calling it waits for the result.
        return future.result

    try:
        yield from send_ahead(scorers, blocks, on_progress, send, BLOCKS_PER_PROCESS * count)
        pool.shutdown()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
            process.join()
        if isinstance(error, BrokenProcessPool):
            raise RunInterrupted(
                "Processes that score were ended from outside, most often for lack of memory. "
                f"The same command resumes the run: give it fewer than {count:,} --workers, or "
                "fewer --block-rows and --restart."
            ) from None
        raise
