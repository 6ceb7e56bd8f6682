"""Who waits for what: the newest submission of each visitor, and threads that keep a model from holding up the rest.

Scores of words are computed at once, a few submissions at a time. Each metric with a model has one thread of its own,
in which it may take minutes to fetch and load the model. Judges are asked in threads that do nothing but wait for them.
A submission that a newer one of the same visitor has overtaken, or whose visitor has gone, ends at its next step, and
its jobs that have not begun are never begun. A judge that was asked answers all the same, and is paid: until the judges
of a visitor's older submission have ended, those of a newer one wait.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome

WORD_THREADS = 4
JUDGE_THREADS = 32
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


def turn_number(turn: object) -> int:
    """The number of a turn; 0 for what no page sends."""
    text = str(turn)
    return int(text) if text.isdecimal() and len(text) < 16 else 0


class UnderWay:
    """How many jobs of judges each session has that were handed on and have not ended."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lock = threading.Lock()

    def busy(self, session: str) -> bool:
        """Whether a session has any."""
        return session in self.counts

    def add(self, session: str, job: Future[Outcome]) -> None:
        """Count a job until it has ended, was cancelled or has failed."""
        with self.lock:
            self.counts[session] += 1
        job.add_done_callback(lambda _: self.end(session))

    def end(self, session: str) -> None:
        """One job less; a session without any is forgotten."""
        with self.lock:
            self.counts[session] -= 1
            if not self.counts[session]:
                del self.counts[session]


class Worker:
    """Threads that do jobs in turn, by default one. Unlike those of an executor they never hold up the end of the
    program, and they remember no job that they have done.
    """

    def __init__(self, name: str, most: int = 1) -> None:
        self.name = name
        self.most = most
        self.jobs: queue.SimpleQueue[tuple[Future[Outcome], Job]] = queue.SimpleQueue()
        self.started = 0
        self.lock = threading.Lock()

    def submit(self, job: Job) -> Future[Outcome]:
        """Queue a job; with each of the first ones a thread starts."""
        future: Future[Outcome] = Future()
        self.jobs.put((future, job))
        with self.lock:
            if self.started < self.most:
                threading.Thread(target=self.work, name=self.name, daemon=True).start()
                self.started += 1
        return future

    def work(self) -> None:
        """Do one job after another; a job that was cancelled before its turn is passed over."""
        while True:
            self.do(*self.jobs.get())

    def do(self, future: Future[Outcome], job: Job) -> None:
        """Do one job."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(job())
        except BaseException as error:  # handed to whoever waits for the job; the thread goes on
            future.set_exception(error)


Result = TypeVar("Result")


class Bounded:
    """Threads for jobs of a tab's own, of which so many at most are done or wait; more are refused.

    A job speaks the language of whoever hands it on. Its place is free again when it has ended, waited for or not.
    """

    def __init__(self, name: str, threads: int, most: int) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.places = threading.BoundedSemaphore(most)

    def begin(self, job: Callable[[], Result]) -> Future[Result] | None:
        """Queue a job; None where too many are."""
        if not self.places.acquire(blocking=False):
            return None
        future = self.threads.submit(contextvars.copy_context().run, job)
        future.add_done_callback(lambda _: self.places.release())
        return future


TURNS = Turns()
WORKERS = {metric.name: Worker(f"model of {metric.name}") for metric in METRICS if metric.model}
JUDGES = Worker("judges", JUDGE_THREADS)
JUDGED = UnderWay()
WORDS = ThreadPoolExecutor(WORD_THREADS, thread_name_prefix="words")


def job_of(metric: Metric, submission: Submission, asked: bool, wanted: Callable[[], bool], judge: Judge) -> Job:
    """The scoring of one metric, which is left undone where nobody waits for it any more; in whichever thread it is
    done, it speaks the language of whoever asked for it.
    """
    language = contextvars.copy_context()
    return lambda: (
        language.run(pasted_answer.score, metric, submission, asked, judge) if wanted() else Outcome("pending")
    )


def begun(metric: Metric, job: Job, asks: bool, session: str) -> asyncio.Future[Outcome]:
    """A job, handed to where its metric is scored. A judge that is not asked only has its prompt written, which takes
    no time.
    """
    if metric.model:
        return asyncio.wrap_future(WORKERS[metric.name].submit(job))
    if not metric.judge or not asks:
        return asyncio.wrap_future(WORDS.submit(job))
    asking = JUDGES.submit(job)
    JUDGED.add(session, asking)
    return asyncio.wrap_future(asking)


async def some_done(waiting: Collection[asyncio.Future[Outcome]]) -> set[asyncio.Future[Outcome]]:
    """What is done of it, at the latest after POLL_SECONDS; at once where something is."""
    if not waiting:
        await asyncio.sleep(POLL_SECONDS)
        return set()
    done, _ = await asyncio.wait(waiting, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    return done


async def results(
    submission: Submission,
    asked: bool,
    pending: list[int],
    wanted: Callable[[], bool],
    judge: Judge = NO_JUDGE,
    session: str = "",
) -> AsyncIterator[tuple[int, Outcome]]:
    """The outcomes of the metrics at the positions `pending`, each as it is ready, as long as they are wanted.

    Those of words come first: the seconds in which a model's libraries are imported would slow them down. Judges are
    asked once none is under way that was asked before in the same session.
    """
    jobs = {position: job_of(METRICS[position], submission, asked, wanted, judge) for position in pending}
    asks = pasted_answer.asks(judge, asked)
    waiting: dict[asyncio.Future[Outcome], int] = {}
    try:
        for position in [position for position in pending if METRICS[position].kind == "words"]:
            outcome = await asyncio.wrap_future(WORDS.submit(jobs.pop(position)))
            if not wanted():
                return
            yield position, outcome
        later = {at for at in jobs if METRICS[at].judge and asks}
        waiting = {begun(METRICS[at], job, asks, session): at for at, job in jobs.items() if at not in later}
        while waiting or later:
            if later and not JUDGED.busy(session):
                waiting |= {begun(METRICS[at], jobs[at], asks, session): at for at in sorted(later)}
                later = set()
            for future in await some_done(waiting):
                if wanted():
                    yield waiting.pop(future), future.result()
            if not wanted():
                return
    finally:
        for future in waiting:
            future.cancel()
