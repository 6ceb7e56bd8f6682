"""Who waits for what: the newest submission of each visitor, and threads that keep a model from holding up the rest.

Scores of words are computed at once, a few submissions at a time. Each metric with a model has one thread of its own,
in which it may take minutes to fetch and load the model. A submission that a newer one of the same visitor has
overtaken, or whose visitor has gone, ends at its next step, and its jobs that have not begun are never begun.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor

import scoring
from cards import Outcome
from registry import METRICS, Metric, Submission

WORD_THREADS = 4
POLL_SECONDS = 0.2
MAX_SESSIONS = 65_536

Job = Callable[[], Outcome]


class Turns:
    """The newest turn of each session. A turn is a number that grows with each submission of one open page."""

    def __init__(self, most: int = MAX_SESSIONS) -> None:
        self.newest: OrderedDict[str, int] = OrderedDict()
        self.most = most
        self.lock = threading.Lock()

    def begin(self, session: str, turn: int) -> bool:
        """Note a turn; False where a newer one came first. Of too many sessions the oldest are forgotten."""
        with self.lock:
            if turn < self.newest.get(session, turn):
                return False
            self.newest[session] = turn
            self.newest.move_to_end(session)
            while len(self.newest) > self.most:
                self.newest.popitem(last=False)
            return True

    def holds(self, session: str, turn: int) -> bool:
        """Whether this turn is still the newest of a session that is still open."""
        return self.newest.get(session) == turn

    def forget(self, session: str) -> None:
        """The page was closed: what still runs for it ends."""
        with self.lock:
            self.newest.pop(session, None)


class Worker:
    """One thread that does jobs in turn. Unlike that of an executor it never holds up the end of the program."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.jobs: queue.SimpleQueue[tuple[Future[Outcome], Job]] = queue.SimpleQueue()
        self.started = False
        self.lock = threading.Lock()

    def submit(self, job: Job) -> Future[Outcome]:
        """Queue a job, and start the thread with the first one."""
        future: Future[Outcome] = Future()
        self.jobs.put((future, job))
        with self.lock:
            if not self.started:
                threading.Thread(target=self.work, name=self.name, daemon=True).start()
                self.started = True
        return future

    def work(self) -> None:
        """Do one job after another; a job that was cancelled before its turn is passed over."""
        while True:
            future, job = self.jobs.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(job())
            except BaseException as error:  # handed to whoever waits for the job; the thread goes on
                future.set_exception(error)


TURNS = Turns()
WORKERS = {metric.name: Worker(f"model of {metric.name}") for metric in METRICS if metric.model}
WORDS = ThreadPoolExecutor(WORD_THREADS, thread_name_prefix="words")


def job_of(metric: Metric, submission: Submission, asked: bool, wanted: Callable[[], bool]) -> Job:
    """The scoring of one metric, which is left undone where nobody waits for it any more."""
    return lambda: scoring.score(metric, submission, asked) if wanted() else Outcome("pending")


async def results(
    submission: Submission, asked: bool, pending: list[int], wanted: Callable[[], bool]
) -> AsyncIterator[tuple[int, Outcome]]:
    """The outcomes of the metrics at the positions `pending`, each as it is ready, as long as they are wanted.

    Those without a model come first: the seconds in which a model's libraries are imported would slow them down.
    """
    jobs = {position: job_of(METRICS[position], submission, asked, wanted) for position in pending}
    waiting: dict[asyncio.Future[Outcome], int] = {}
    try:
        for position in [position for position in pending if METRICS[position].model is None]:
            outcome = await asyncio.wrap_future(WORDS.submit(jobs.pop(position)))
            if not wanted():
                return
            yield position, outcome
        waiting = {asyncio.wrap_future(WORKERS[METRICS[at].name].submit(job)): at for at, job in jobs.items()}
        while waiting:
            done, _ = await asyncio.wait(waiting, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not wanted():
                return
            for future in done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
