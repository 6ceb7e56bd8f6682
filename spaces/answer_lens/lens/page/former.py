"""What the tabs that have not been rewritten yet take from this page; to be deleted with the last of them."""

from __future__ import annotations

import contextvars
import html
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from lens.scoring.catalog import METRICS
from lens.scoring.outcome import Outcome
from lens.words.formats import UNPRINTABLE

MAX_SESSIONS = 65_536
Job = Callable[[], Outcome]


def escape(text: object) -> str:
    """`text` as HTML that shows it and does nothing else."""
    return html.escape(UNPRINTABLE.sub("\ufffd", str(text)), quote=True)


def bar(value: float, low: float = 0.0, high: float = 1.0, threshold: float | None = None) -> str:
    """A bar for the eye only; the number beside it says the same."""
    width = 100 * min(max((value - low) / (high - low), 0.0), 1.0)
    tick = ""
    if threshold is not None:
        tick = f'<span class="al-tick" style="left:{100 * (threshold - low) / (high - low):.1f}%"></span>'
    fill = f'<span class="al-fill" style="width:{width:.1f}%"></span>'
    return f'<span class="al-bar" aria-hidden="true">{fill}{tick}</span>'


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


WORKERS = {metric.name: Worker(f"model of {metric.name}") for metric in METRICS if metric.model}
JUDGES = Worker("judges", 32)
WORDS = ThreadPoolExecutor(4, thread_name_prefix="words")
