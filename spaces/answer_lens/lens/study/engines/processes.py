"""Blocks scored in several processes, each with the same metrics.

A block goes to a process and comes back as its outcome. No process but this one has a judge's key.
If a process is lost, the run ends. The same command resumes it.
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
from lens.scoring.rows import Scorer
from lens.study.engines.blocks import (
    Block,
    Lost,
    OnProgress,
    Results,
    Wait,
    score_block,
    send_ahead,
)

# Blocks under way, for each process: one that it scores and one that waits for it.
AHEAD = 2
# Threads that libraries of numbers start in each process.
THREADS = "OMP_NUM_THREADS"


def pack_scorers(scorers: Sequence[Scorer]) -> bytes:
    """Return what another process has to know of the metrics."""
    return pickle.dumps([(scorer.name, scorer.settings) for scorer in scorers])


@functools.lru_cache(1)
def unpack_scorers(metrics: bytes) -> list[Scorer]:
    """Return the metrics in a process that scores, loaded once."""
    return [Scorer(name, settings) for name, settings in pickle.loads(metrics)]


def score_packed(metrics: bytes, block: Block) -> BlockResult:
    """Score a block in another process."""
    return score_block(unpack_scorers(metrics), block)


def prepare_process() -> None:
    """Prepare a process: it leaves Ctrl-C to the one that started it, and does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End this process when the one that started it has ended, be it killed."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def list_key_variables(own_variable: str | None) -> set[str]:
    """Return the environment variables that hold judges' keys; other processes get none of them.

    Args:
        own_variable: the variable that the user names, besides those of known providers.
    """
    names = {provider.key_variable for provider in load_providers().values()}
    return {name for name in (own_variable, *names) if name}


@contextmanager
def change_environment(withheld: Iterable[str], **more: str) -> Iterator[None]:
    """Change the environment of processes that are started in the `with` statement.

    Some variables are left out, some are added.
    """
    before = {name: os.environ.pop(name, None) for name in {*withheld, *more}}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})


def run_in_processes(
    count: int,
    withheld: Iterable[str],
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    on_progress: OnProgress,
) -> Results:
    """Score blocks in so many processes, without some variables of the environment.

    Raises:
        Lost: a process was ended from outside.
    """
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), prepare_process)
    # Each process has its share of the cores, unless the environment says something else.
    threads = os.environ.get(THREADS) or str(max(1, count_cores() // count))

    def send(running: Sequence[Scorer], block: Block) -> Wait:
        # The pool starts a process when there is something for it.
        with change_environment(withheld, **{THREADS: threads}):
            future = pool.submit(score_packed, pack_scorers(running), block)
        # The method itself: whoever waits for the block calls it.
        return future.result

    try:
        yield from send_ahead(scorers, blocks, on_progress, send, AHEAD * count)
        pool.shutdown()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
            process.join()
        if isinstance(error, BrokenProcessPool):
            raise Lost(
                "Processes that score were ended from outside, most often for lack of memory. "
                f"The same command resumes the run: give it fewer than {count:,} --workers, or "
                "fewer --block-rows and --restart."
            ) from None
        raise
