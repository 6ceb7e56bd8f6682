"""Scores submitted answers in lanes; a newer submission of a page ends the older one.

A submission also ends when its page is closed. It then shows nothing more, and its waiting jobs
never begin. A judge that was already asked still replies, and must be paid. So the newer submission
waits for this reply before it asks the same judge.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from lens.page.serving.visitors import Lane
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission

Result = TypeVar("Result")

# The lanes of metrics without a model. Long texts have their own, so that they delay no others.
WORDS_LANE, LONG_LANE = Lane(4), Lane(1)
# A submission may ask all its judges at once, because a judge runs on another machine.
JUDGES_LANE = Lane(32, 32)
# Each metric with a model has its own lane, because loading the model may take minutes.
MODEL_LANES = {metric.name: Lane(1) for metric in METRICS if metric.model}
# A submission with more characters is long. With so many, all metrics without a model together take
# about 0.3 s.
LONG_CHARACTERS = 5_000

# The newest submission of each page, by session: a future that is done when the submission ends.
NEWEST: dict[str, asyncio.Future[None]] = {}
# The locks for asking a judge, by session and metric.
JUDGE_TURNS: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()


@contextlib.contextmanager
def begin_submission(session: str) -> Iterator[asyncio.Future[None]]:
    """Run a submission of a page in this block, and end the older one.

    The block is given a future that is done when a newer submission begins or the page is closed.
    """
    end_submission(session)
    end = asyncio.get_running_loop().create_future()
    NEWEST[session] = end
    try:
        yield end
    finally:
        end.cancel()
        if NEWEST.get(session) is end:
            del NEWEST[session]


def end_submission(session: str) -> None:
    """End the submission of a page, if one is under way."""
    if session in NEWEST:
        NEWEST[session].cancel()


async def run_in_lane(
    metric: Metric,
    job: Callable[[], Result],
    words_lane: Lane,
    asks_judge: bool = False,
    address: str = "",
) -> Result:
    """Run the job of a metric in a thread, when it is the visitor's turn in the metric's lane.

    Args:
        metric: the metric; one with a model has its own lane.
        job: computes the score.
        words_lane: the lane if neither a model nor a judge is needed.
        asks_judge: whether the job asks a judge; it then runs in the lane of judges.
        address: the address of the visitor.
    """
    lane = words_lane
    if metric.model:
        lane = MODEL_LANES[metric.name]
    elif asks_judge:
        lane = JUDGES_LANE
    return await lane.run(job, address)


def choose_lane(submission: Submission) -> Lane:
    """Return the lane of a submission for metrics without a model."""
    texts = (value for value in vars(submission).values() if isinstance(value, str))
    is_long = sum(map(len, texts)) > LONG_CHARACTERS
    return LONG_LANE if is_long else WORDS_LANE


@dataclass(frozen=True)
class ScoreRequest:
    """A visitor's request to score a submission.

    Attributes:
        submission: the texts to score.
        is_asked: whether the visitor asked for scores. If the page itself did, no model is
            downloaded and no judge is asked.
        judge: the chosen judge.
        session: the session of the page.
        address: the address of the visitor.
    """

    submission: Submission
    is_asked: bool = False
    judge: Judge = NO_JUDGE
    session: str = ""
    address: str = ""


async def score_pending(
    request: ScoreRequest, pending: Sequence[int], end: asyncio.Future[None]
) -> AsyncGenerator[tuple[int, MetricResult], None]:
    """Yield the position and result of each pending metric as soon as it is ready.

    Metrics without a model come first, one after another, because importing a model's libraries
    would slow them down for seconds.

    Args:
        request: what to score.
        pending: the positions in METRICS of the metrics to compute.
        end: is done when the submission ends; then nothing more is yielded.
    """
    has_judge = pasted_answer.can_ask_judge(request.judge, request.is_asked)
    words_lane = choose_lane(request.submission)

    async def score_metric(position: int) -> tuple[int, MetricResult]:
        metric = METRICS[position]
        asks_judge = metric.judge and has_judge
        turn: Any = contextlib.nullcontext()
        if asks_judge:
            turn = JUDGE_TURNS.setdefault((request.session, metric.name), asyncio.Lock())
        job = functools.partial(compute_result, metric)
        async with turn:
            result = await run_in_lane(metric, job, words_lane, asks_judge, request.address)
        return position, result

    def compute_result(metric: Metric) -> MetricResult:
        if end.done():
            return MetricResult("pending")
        return pasted_answer.score(metric, request.submission, request.is_asked, request.judge)

    words = [position for position in pending if METRICS[position].kind == "words"]
    slow = [position for position in pending if position not in words]
    one_by_one = [[position] for position in words]
    for positions in (*one_by_one, slow):
        running: set[asyncio.Future[Any]] = set()
        for position in positions:
            running.add(asyncio.create_task(score_metric(position)))
        while running:
            done, running = await asyncio.wait({*running, end}, return_when=asyncio.FIRST_COMPLETED)
            if end in done:
                return
            running.discard(end)
            for task in done:
                yield task.result()
