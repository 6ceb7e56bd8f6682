"""Who waits for what: lanes for each model, for judges and for words; the newest submission wins.

Scores of words are computed at once, a few submissions at a time; those of long texts have a lane
of their own, for which ordinary ones never wait. Each metric with a model has one thread, in which
it may take minutes to fetch and load the model. A submission ends when a newer one of the same page
begins, or when the page is closed: it shows nothing more, and its jobs that have not begun are
never begun. A judge that was asked answers all the same, and is paid: the newer submission waits
for it before it asks the same judge.
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
# Characters of a submission from which on it counts as long: some 0.3 s of all scores of words.
LONG_CHARACTERS = 5_000

# The newest submission of each page, by its session; it is done once a newer one has come or the
# page was closed.
NEWEST: dict[str, asyncio.Future[None]] = {}
# Whose turn it is to ask a judge, by session and metric.
JUDGE_TURNS: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()


@contextlib.contextmanager
def begin_submission(session: str) -> Iterator[asyncio.Future[None]]:
    """Begin the newest submission of a page, until the end of the block.

    The future is done once it is overtaken.
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
    """End what is under way for a page."""
    if session in NEWEST:
        NEWEST[session].cancel()


async def run_in_lane(
    metric: Metric,
    job: Callable[[], Result],
    words: Lane,
    asks: bool = False,
    address: str = "",
) -> Result:
    """Do one metric's job in a thread, once there is room for it and it is the visitor's turn.

    Args:
        metric: whose job it is: one with a model has a lane of its own.
        job: what to do.
        words: the lane of metrics of words.
        asks: whether a judge is asked, which has the judges' lane.
        address: the visitor.
    """
    if metric.model:
        lane = MODEL_LANES[metric.name]
    elif metric.judge and asks:
        lane = JUDGES_LANE
    else:
        lane = words
    return await lane.run(job, address)


def choose_lane(submission: Submission) -> Lane:
    """Return the lane in which the scores of words of a submission are computed."""
    texts = (one for one in vars(submission).values() if isinstance(one, str))
    return LONG_LANE if sum(map(len, texts)) > LONG_CHARACTERS else WORDS_LANE


@dataclass(frozen=True)
class ScoreRequest:
    """A submission as a visitor sends it.

    Attributes:
        submission: what is scored.
        is_asked: whether the visitor asked for these scores, and not the page itself: only then a
            model is fetched and a judge is asked.
        judge: the judge that was chosen.
        session: the page that it comes from.
        address: the visitor.
    """

    submission: Submission
    is_asked: bool = False
    judge: Judge = NO_JUDGE
    session: str = ""
    address: str = ""


async def score_pending(
    request: ScoreRequest, pending: Sequence[int], overtaken: asyncio.Future[None]
) -> AsyncGenerator[tuple[int, MetricResult], None]:
    """Yield the results of the metrics at the positions `pending`, each as it is ready, until they
    are overtaken.

    Those of words come first, one after another: the seconds in which a model's libraries are
    imported would slow them down.
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
