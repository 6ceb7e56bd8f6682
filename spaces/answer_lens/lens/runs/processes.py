"""Blocks scored in several processes, each with the same metrics.

The rows of a block go to a process and come back as its outcome; the scored rows are written there, or here where a
judge or a second system has something to add. Judges are asked here alone: there is one bound on their requests, and no
process but this one has their key. What a process computes depends on the block and on what had been stopped before it,
so a process that is lost costs time and nothing else.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from lens.runs.blocks import Block, Outcome, score_block, write_part
from lens.runs.parts import Parts
from lens.scoring import pasted_answer
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.words import language, say, speaking

# Blocks under way, for each process: one that it scores and one that waits for it.
AHEAD = 2
# So often processes may be lost with no block finished in between.
MOST_LOST = 3
# Threads that libraries of numbers start in each process.
THREADS = "OMP_NUM_THREADS"

Written = tuple[Parts, Layout]


class Lost(Exception):
    """Processes ended again and again before they had finished a block."""


@dataclass(frozen=True)
class Task:
    """What each process does: metrics with their settings, where the scored rows go, and what it says in what words."""

    metrics: Sequence[tuple[str, Mapping[str, Any]]]
    written: Written | None
    language: str
    threads: int
    withheld: tuple[str, ...]


@dataclass
class Job:
    """A block under way, and what had been stopped when it was sent."""

    block: Block
    stops: Mapping[str, str]
    future: Future[Outcome]


class Here:
    """What a process knows of its work."""

    task: Task
    scorers: Sequence[Scorer] = ()


def begin(task: Task) -> None:
    """Prepare a process: it leaves Ctrl-C to the one that started it, and does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    for name in task.withheld:
        os.environ.pop(name, None)
    os.environ[THREADS] = str(task.threads)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(task.threads)
    Here.task, Here.scorers = task, [Scorer(name, settings) for name, settings in task.metrics]


def end_with_parent() -> None:
    """End this process when the one that started it has ended, be it killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def work(block: Block, stops: Mapping[str, str]) -> Outcome:
    """Score a block in a process that has begun, and write its rows where that is asked."""
    for scorer in Here.scorers:
        scorer.stopped = stops.get(scorer.name, "")
    with speaking(Here.task.language):
        outcome = score_block(Here.scorers, block)
    if Here.task.written:
        write_part(*Here.task.written, block, outcome)
    return outcome


def context() -> Any:
    """How processes are started: from one that has loaded what takes long, or, on Windows, each anew."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["evaluate"])
    return found


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def key_variables(more: str | None) -> tuple[str, ...]:
    """The environment's names of keys for judges, of which other processes get none."""
    known = [one.key_variable for one in pasted_answer.providers().values()]
    return tuple(name for name in dict.fromkeys([*known, more or ""]) if name)


def threads_for(count: int) -> int:
    """How many threads each of so many processes may have: its share of the cores, unless the environment says."""
    said = os.environ.get(THREADS, "")
    return int(said) if said.isdigit() else max(1, cores() // count)


def warm(count: int, withheld: Sequence[str]) -> None:
    """Start the process from which the others come: it loads what takes long while this one reads the table. It gets no
    keys, and so many threads as the others have each.
    """
    if context().get_start_method() != "forkserver":
        return
    from multiprocessing import forkserver

    before = {name: os.environ.pop(name, None) for name in (THREADS, *withheld)}
    os.environ[THREADS] = before[THREADS] or str(threads_for(count))
    try:
        forkserver.ensure_running()
    finally:
        del os.environ[THREADS]
        os.environ.update({name: value for name, value in before.items() if value is not None})


class Workers:
    """So many processes that score blocks; use it with `with`."""

    def __init__(
        self, count: int, scorers: Sequence[Scorer], written: Written | None, key_variable: str | None = None
    ) -> None:
        self.count = count
        metrics = [(scorer.name, scorer.settings) for scorer in scorers]
        self.task = Task(metrics, written, language(), threads_for(count), key_variables(key_variable))
        self.others = set(multiprocessing.active_children())
        # Blocks taken, also when processes were lost last, and how often that was without one in between.
        self.finished, self.finished_then, self.lost = 0, -1, 0
        self.waiting: deque[Job] = deque()
        self.pool = self.started()

    def started(self) -> ProcessPoolExecutor:
        """The processes, each of which starts when there is a block for it."""
        warm(self.count, self.task.withheld)
        return ProcessPoolExecutor(self.count, context(), begin, (self.task,))

    def outcomes(
        self, blocks: Iterable[Block], stops: Callable[[], Mapping[str, str]]
    ) -> Iterator[tuple[Block, Outcome]]:
        """Each block with its outcome, in order. `stops` says which metrics have been stopped by now, and why: what was
        sent before a stop is scored again, for in one process nothing comes after it. Lost where processes cannot be
        kept alive.
        """
        for block in blocks:
            self.waiting.append(self.sent(block, stops()))
            if len(self.waiting) >= AHEAD * self.count:
                yield self.taken(stops())
        while self.waiting:
            yield self.taken(stops())

    def sent(self, block: Block, stops: Mapping[str, str]) -> Job:
        """A block on its way to a process."""
        try:
            return Job(block, stops, self.pool.submit(work, block, stops))
        except BrokenProcessPool as error:  # noticed when the block is asked for
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return Job(block, stops, failed)

    def taken(self, stops: Mapping[str, str]) -> tuple[Block, Outcome]:
        """The first block under way, once it is finished."""
        while True:
            job = self.waiting[0]
            try:
                outcome = job.future.result()
            except BrokenProcessPool:
                self.restart()
                continue
            if job.stops == stops:
                self.waiting.popleft()
                self.finished += 1
                return job.block, outcome
            self.waiting[0] = self.sent(job.block, stops)

    def restart(self) -> None:
        """Begin anew with other processes, and with the blocks that were not finished."""
        done = [job.future.done() and not job.future.exception() for job in self.waiting]
        finished = self.finished + sum(done)
        self.lost = self.lost + 1 if finished == self.finished_then else 1
        self.finished_then = finished
        if self.lost >= MOST_LOST:
            raise Lost(say("f_workers_lost", times=self.lost, workers=self.count))
        self.end()
        self.pool = self.started()
        for at, (job, kept) in enumerate(zip(self.waiting, done, strict=True)):
            if not kept:
                self.waiting[at] = self.sent(job.block, job.stops)

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - self.others:
            process.terminate()
            process.join()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.pool.shutdown()
        else:
            self.end()
