"""Runs of the tab "Files": who waits, who works, and how far each has come.

Two runs work at once and eight may wait; more are refused. A run computes its metrics one after another, chunk by
chunk: those of words in its own thread, those of a model in the one thread that the model has, which answers of the
other tab get between two chunks, and judges in theirs. A run that nobody wants any more ends at its next chunk.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from lens.page import background
from lens.page.files_choice import Choice, Prepared
from lens.reports.contents import Correlations
from lens.scoring import judge as judging
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.old_steps import Pace, add, steps, timed
from lens.scoring.rows import Scored, Scorer
from lens.scoring.summary import Difference, Summary, Tally, differences
from lens.statistics import intervals
from lens.tables.roles import Item

WORKING, WAITING = 2, 8
POLL_SECONDS = 0.1

State = Literal["waiting", "working", "done", "cancelled", "failed"]


class Stopped(Exception):
    """Nobody waits for this run any more."""


@dataclass
class Mark:
    """How far one metric has come, over both systems."""

    metric: str
    total: int
    done: int = 0
    begun: float | None = None
    seconds: float = 0.0

    def elapsed(self) -> float:
        """The seconds that it has taken so far."""
        return self.seconds if self.begun is None else time.monotonic() - self.begun


@dataclass
class Results:
    """What a run came to."""

    summary: Summary
    second: Summary | None
    differences: Sequence[Difference]
    correlations: Correlations
    far: Sequence[float | None]
    tally: Tally
    other: Tally | None
    order: Sequence[int]
    # What judges said of each row of the first system.
    judged: Mapping[str, Sequence[Scored]] = field(default_factory=dict)


class System:
    """One system's rows and its scores."""

    def __init__(self, prepared: Prepared, metrics: Sequence[str], judge: Judge) -> None:
        self.items, self.roll, self.roles = prepared.items, prepared.roll, prepared.roles
        settings = judging.arguments(judge) | {"on_error": "skip"}
        del settings["per_example"]  # the scorer's own to say
        self.scorers = {
            name: Scorer(name, settings, judge.key) if BY_NAME[name].judge else Scorer(name) for name in metrics
        }
        self.tally = Tally(list(self.scorers.values()))

    def forget_judge(self) -> None:
        """Keep nothing of the judge's key."""
        for scorer in self.scorers.values():
            scorer.settings, scorer.key, scorer.module = {}, "", None


class Run:
    """One file on its way through the metrics."""

    def __init__(
        self,
        source: str,
        choice: Choice,
        first: Prepared,
        second: Prepared | None = None,
        order: Sequence[int] = (),
        judge: Judge = NO_JUDGE,
    ) -> None:
        self.source, self.choice, self.order = source, choice, order
        self.first = System(first, choice.metrics, judge)
        self.second = System(second, choice.metrics, judge) if second else None
        total = len(first.items) * (2 if second else 1)
        self.marks = [Mark(name, total) for name in choice.metrics]
        self.judged: dict[str, list[Scored]] = {name: [] for name in choice.metrics if BY_NAME[name].judge}
        self.state: State = "waiting"
        self.error = ""
        self.results: Results | None = None
        self.stop = threading.Event()
        self.ended: Future[None] = Future()
        self.lock = threading.RLock()

    @property
    def items(self) -> Sequence[Item]:
        """The rows of the first system."""
        return self.first.items

    def cancel(self) -> None:
        """End it at its next chunk; one that waits ends at once."""
        with self.lock:
            self.stop.set()
            if self.state == "waiting":
                self.end("cancelled")

    def end(self, state: State) -> None:
        """Note how it ended, once."""
        if not self.ended.done():
            self.state = state
            self.first.forget_judge()
            if self.second:
                self.second.forget_judge()
            self.ended.set_result(None)

    def work(self) -> None:
        """Compute all metrics, then what they come to."""
        with self.lock:
            if self.stop.is_set():
                self.end("cancelled")
                return
            self.state = "working"
        try:
            for mark in self.marks:
                self.compute(mark)
            self.results = self.collected()
            self.end("done")
        except Stopped:
            self.end("cancelled")
        except Exception as error:  # a defect: the page says so, the log says where
            pasted_answer.note_failure("files", error)
            self.error = type(error).__name__
            self.end("failed")

    def compute(self, mark: Mark) -> None:
        """All chunks of one metric."""
        mark.begun = time.monotonic()
        for system in filter(None, (self.first, self.second)):
            scorer = system.scorers[mark.metric]
            for _, scored in steps(scorer, Pace(scorer.metric), system.items, self.chunk):
                add(system.tally, scorer, scored)
                if system is self.first and scorer.metric.judge:
                    self.judged[mark.metric] += scored
                mark.done += len(scored)
        mark.seconds, mark.begun = mark.elapsed(), None

    def chunk(self, scorer: Scorer, items: Sequence[Item]) -> tuple[list[Scored], float]:
        """The scores of a chunk, in the thread that the metric has, and the seconds that they took there; Stopped where
        nobody waits for them any more.
        """
        if self.stop.is_set():
            raise Stopped
        if scorer.metric.kind == "words":
            return timed(scorer, items)
        context = contextvars.copy_context()
        worker = background.JUDGES if scorer.metric.judge else background.WORKERS[scorer.name]
        future = cast(Future[Any], worker.submit(cast(Any, lambda: context.run(timed, scorer, items))))
        while True:
            try:
                return cast(tuple[list[Scored], float], future.result(POLL_SECONDS))
            except TimeoutError:
                if self.stop.is_set():
                    future.cancel()
                    raise Stopped from None

    def collected(self) -> Results:
        """What all scores come to."""
        first, second = self.first, self.second
        return Results(
            summary=first.tally.summary(self.source, first.roll),
            second=second.tally.summary(self.source, second.roll) if second else None,
            differences=differences(first.tally, second.tally, self.order) if second else [],
            correlations=first.tally.correlations(),
            far=intervals.disagreement(first.tally.primary()),
            tally=first.tally,
            other=second.tally if second else None,
            order=self.order,
            judged=self.judged,
        )


class Line:
    """The line in which runs wait for a thread."""

    def __init__(self, working: int = WORKING, waiting: int = WAITING) -> None:
        self.most = working + waiting
        self.worker = background.Worker("files", working)
        self.runs: list[Run] = []
        self.lock = threading.Lock()

    def join(self, run: Run) -> bool:
        """Let a run wait for its turn; False where too many do."""
        with self.lock:
            if len(self.runs) >= self.most:
                return False
            self.runs.append(run)
        run.ended.add_done_callback(lambda _: self.leave(run))
        context = contextvars.copy_context()
        self.worker.submit(cast(Callable[[], Any], lambda: context.run(run.work)))
        return True

    def leave(self, run: Run) -> None:
        """A run has ended."""
        with self.lock:
            self.runs.remove(run)

    def before(self, run: Run) -> int:
        """How many runs came before this one and have not ended."""
        with self.lock:
            return self.runs.index(run) if run in self.runs else 0


LINE = Line()
