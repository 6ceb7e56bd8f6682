"""Blocks scored in several processes, each with the same metrics.

A block goes to a process and comes back as its outcome; the scored rows are written there, or here where a judge or a
second system has something to add. No process but this one has a judge's key. Where processes are lost the run ends,
and the same command goes on.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, ClassVar

from lens.runs.blocks import Block, Outcome, score_block, write_part
from lens.runs.parts import Parts
from lens.runs.scored_table import Told, Work
from lens.scoring.modules import providers
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout

# Blocks under way, for each process: one that it scores and one that waits for it.
AHEAD = 2
# Threads that libraries of numbers start in each process.
THREADS = "OMP_NUM_THREADS"


class Lost(Exception):
    """Processes ended from outside."""


class Here:
    """What a process has to do."""

    scorers: ClassVar[Sequence[Scorer]] = ()
    written: ClassVar[tuple[Parts, Layout] | None] = None


def begin(metrics: Sequence[tuple[str, Mapping[str, Any]]], written: tuple[Parts, Layout] | None) -> None:
    """Prepare a process: it leaves Ctrl-C to the one that started it, and does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    Here.scorers, Here.written = [Scorer(name, settings) for name, settings in metrics], written


def end_with_parent() -> None:
    """End this process when the one that started it has ended, be it killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def work_on(block: Block, stops: Mapping[str, str]) -> Outcome:
    """Score a block in a process that has begun, and write its rows where that is asked."""
    for scorer in Here.scorers:
        scorer.stopped = stops.get(scorer.name, "")
    outcome = score_block(Here.scorers, block)
    if Here.written:
        write_part(*Here.written, block, outcome)
    return outcome


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def key_variables(more: str | None) -> tuple[str, ...]:
    """The environment's names of keys for judges, of which other processes get none."""
    known = [one.key_variable for one in providers().values()]
    return tuple(name for name in dict.fromkeys([*known, more or ""]) if name)


@contextmanager
def environment(withheld: Sequence[str], **more: str) -> Iterator[None]:
    """What processes started meanwhile inherit: the environment without some variables, and with some more."""
    before = {name: os.environ.pop(name, None) for name in {*withheld, *more}}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})


class Processes:
    """The engine that scores in so many processes."""

    def __init__(self, count: int, withheld: Sequence[str]) -> None:
        self.count, self.withheld = count, withheld
        # Each process has its share of the cores, unless the environment says something else.
        said = os.environ.get(THREADS, "")
        self.threads = int(said) if said.isdigit() else max(1, cores() // count)

    @contextmanager
    def starting(self) -> Iterator[None]:
        """What processes inherit that are started meanwhile; Ctrl-C reaches them not even before they have begun."""
        masked = hasattr(signal, "pthread_sigmask")
        with environment(self.withheld, **{THREADS: str(self.threads)}):
            if masked:
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                yield
            finally:
                if masked:
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def __call__(self, work: Work, told: Told) -> Generator[tuple[Block, Outcome], None, None]:
        """Each block with its outcome, in order; Lost where a process ended from outside."""
        metrics = [(scorer.name, scorer.settings) for scorer in work.scorers]
        with self.starting():
            spawn = multiprocessing.get_context("spawn")
            pool = ProcessPoolExecutor(self.count, spawn, begin, (metrics, work.written))
        sent = deque[Any]()

        def taken() -> tuple[Block, Outcome]:
            block, stops, future = sent.popleft()
            outcome: Outcome = future.result()
            for scorer in work.scorers:
                told(scorer.name, outcome.rows)
            # In one process nothing comes after a stop: what was sent before it loses its scores.
            late = [scorer for scorer in work.scorers if scorer.stopped and scorer.name not in stops]
            return block, outcome.joined(score_block(late, block)) if late else outcome

        try:
            for block in work.blocks():
                stops = {scorer.name: scorer.stopped for scorer in work.scorers if scorer.stopped}
                with self.starting():  # a process starts when there is something for it
                    sent.append((block, stops, pool.submit(work_on, block, stops)))
                if len(sent) >= AHEAD * self.count:
                    yield taken()
            while sent:
                yield taken()
            pool.shutdown()
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
                process.join()
            if isinstance(error, BrokenProcessPool):
                raise Lost("Processes that score were ended from outside; most often the memory does not suffice. The "
                           f"same command goes on; give it fewer than {self.count:,} --workers, or fewer --block-rows "
                           "and --restart.") from None  # fmt: skip
            raise
