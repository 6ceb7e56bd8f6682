"""Runs the submissions of pasted answers in lanes; the newest submission of a page wins.

Metrics without a model are computed at once, for a few submissions at a time. Long texts have their
own lane, so they never delay others. Each metric with a model has one thread, which may take
minutes to download and load the model. A submission ends when a newer one of the same page begins,
or when the page is closed: it shows nothing more, and its waiting jobs never begin. A judge that
was already asked still replies, and must be paid. So the newer submission waits for this reply
before it asks the same judge.
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

WORDS_LANE, LONG_LANE, JUDGES_LANE = Lane(4), Lane(1), Lane(32, 32)
MODEL_LANES = {metric.name: Lane(1) for metric in METRICS if metric.model}
# The number of characters of a long submission, which takes about 0.3 s for all metrics without a
# model.
LONG_CHARACTERS = 5_000

# The newest submission of each page, by session. Its future is done when a newer submission begins
# or the page is closed.
NEWEST: dict[str, asyncio.Future[None]] = {}
# The locks for asking a judge, by session and metric.
JUDGE_TURNS: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()


@contextlib.contextmanager
def begin_submission(session: str) -> Iterator[asyncio.Future[None]]:
    """Begin a submission of a page, until the end of the block.

    The given future is done when a newer submission begins or the page is closed.
    """
    overtake(session)
    NEWEST[session] = overtaken = asyncio.get_running_loop().create_future()
    try:
        yield overtaken
    finally:
        overtaken.cancel()
        if NEWEST.get(session) is overtaken:
            del NEWEST[session]


def overtake(session: str) -> None:
    """End the submission of a page that is under way."""
    if session in NEWEST:
        NEWEST[session].cancel()


async def run_in_lane(
    metric: Metric,
    job: Callable[[], Result],
    words: Lane,
    asks: bool = False,
    address: str = "",
) -> Result:
    """Run the job of a metric in a thread, when it is the visitor's turn in its lane.

    Args:
        metric: the metric; one with a model has its own lane.
        job: the job.
        words: the lane of metrics without a model.
        asks: whether a judge is asked, in the lane of judges.
        address: the address of the visitor.
    """
    if metric.model:
        lane = MODEL_LANES[metric.name]
    elif metric.judge and asks:
        lane = JUDGES_LANE
    else:
        lane = words
    return await lane.run(job, address)


def choose_lane(submission: Submission) -> Lane:
    """Return the lane of a submission for metrics without a model."""
    texts = (one for one in vars(submission).values() if isinstance(one, str))
    return LONG_LANE if sum(map(len, texts)) > LONG_CHARACTERS else WORDS_LANE


@dataclass(frozen=True)
class ScoreRequest:
    """A visitor's request to score a submission.

    Attributes:
        submission: the scored texts.
        is_asked: whether the visitor asked for the scores, and not the page itself. Only then a
            model is downloaded or a judge is asked.
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
    request: ScoreRequest, pending: Sequence[int], overtaken: asyncio.Future[None]
) -> AsyncGenerator[tuple[int, MetricResult], None]:
    """Yield the position and result of each pending metric as soon as it is ready.

    It ends when a newer submission begins. Metrics without a model come first, one after another,
    because importing a model's libraries would slow them down for seconds.
    """
    asks_judge = pasted_answer.is_asked(request.judge, request.is_asked)
    words_lane = choose_lane(request.submission)

    async def score_metric(position: int) -> tuple[int, MetricResult]:
        metric = METRICS[position]
        is_judge_asked = metric.judge and asks_judge
        turn: Any = contextlib.nullcontext()
        if is_judge_asked:
            turn = JUDGE_TURNS.setdefault((request.session, metric.name), asyncio.Lock())
        job = functools.partial(compute_result, metric)
        async with turn:
            result = await run_in_lane(metric, job, words_lane, is_judge_asked, request.address)
        return position, result

    def compute_result(metric: Metric) -> MetricResult:
        if overtaken.done():
            return MetricResult("pending")
        return pasted_answer.score(metric, request.submission, request.is_asked, request.judge)

    words = [position for position in pending if METRICS[position].kind == "words"]
    others = [position for position in pending if position not in words]
    for together in (*([position] for position in words), others):
        waiting: set[asyncio.Future[Any]] = set()
        for position in together:
            waiting.add(asyncio.create_task(score_metric(position)))
        while waiting:
            done, waiting = await asyncio.wait(
                {*waiting, overtaken}, return_when=asyncio.FIRST_COMPLETED
            )
            if overtaken in done:
                return
            waiting.discard(overtaken)
            for task in done:
                yield task.result()
