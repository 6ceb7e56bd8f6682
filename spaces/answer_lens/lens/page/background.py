"""Who waits for what: lanes for each model, for judges and for words; the newest submission wins.

Scores of words are computed at once, a few submissions at a time; those of long texts have a lane of their own, for
which ordinary ones never wait. Each metric with a model has one thread, in which it may take minutes to fetch and load
the model. A submission that a newer one of the same page has overtaken, or whose
page was closed, says nothing more, and its jobs that have not begun are never begun. A judge that was asked answers all
the same, and is paid: a page's newer submission waits for it before it asks the same judge.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from lens.page.visitors import Lane
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.metric_result import MetricResult

Result = TypeVar("Result")

OF_WORDS, OF_LONG, OF_JUDGES = Lane(4), Lane(1), Lane(32, 32)
OF_MODELS = {metric.name: Lane(1) for metric in METRICS if metric.model}
# Characters of a submission from which on it counts as long: some 0.3 s of all scores of words.
LONG = 5_000

# The newest submission of each page, by its session; it is done once a newer one has come or the page was closed.
NEWEST: dict[str, asyncio.Future[None]] = {}
# Whose turn it is to ask a judge, by session and metric.
TURNS: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()


@contextlib.contextmanager
def newest(session: str) -> Iterator[asyncio.Future[None]]:
    """The submission that begins is the newest of its page; the future is done as soon as it no longer is."""
    overtake(session)
    NEWEST[session] = overtaken = asyncio.get_running_loop().create_future()
    try:
        yield overtaken
    finally:
        overtaken.cancel()
        if NEWEST.get(session) is overtaken:
            del NEWEST[session]


def overtake(session: str) -> None:
    """What is under way for a page is not wanted any more."""
    if session in NEWEST:
        NEWEST[session].cancel()


async def in_its_turn(
    metric: Metric, job: Callable[[], Result], words: Lane, asks: bool = False, address: str = ""
) -> Result:
    """One metric's job, done in a thread once there is room for it and it is the visitor's turn: in the lane of its
    model, of judges that are asked, or else of `words`.
    """
    lane = OF_MODELS[metric.name] if metric.model else OF_JUDGES if metric.judge and asks else words
    return await lane.run(job, address)


def lane_of(submission: Submission) -> Lane:
    """Where the scores of words of a submission are computed."""
    texts = (one for one in vars(submission).values() if isinstance(one, str))
    return OF_LONG if sum(map(len, texts)) > LONG else OF_WORDS


async def results(
    submission: Submission,
    asked: bool,
    pending: Sequence[int],
    overtaken: asyncio.Future[None],
    judge: Judge = NO_JUDGE,
    session: str = "",
    address: str = "",
) -> AsyncGenerator[tuple[int, MetricResult], None]:
    """The outcomes of the metrics at the positions `pending`, each as it is ready, until they are overtaken.

    Those of words come first, one after another: the seconds in which a model's libraries are imported would slow them
    down.
    """
    asks, words_lane = pasted_answer.asks(judge, asked), lane_of(submission)

    async def scored(position: int) -> tuple[int, MetricResult]:
        metric = METRICS[position]
        asking = metric.judge and asks
        turn = TURNS.setdefault((session, metric.name), asyncio.Lock()) if asking else contextlib.nullcontext()
        async with turn:
            return position, await in_its_turn(metric, lambda: score(metric), words_lane, asking, address)

    def score(metric: Metric) -> MetricResult:
        wanted = not overtaken.done()
        return pasted_answer.score(metric, submission, asked, judge) if wanted else MetricResult("pending")

    words = [position for position in pending if METRICS[position].kind == "words"]
    for together in (*([position] for position in words), [one for one in pending if one not in words]):
        waiting: set[asyncio.Future[Any]] = {asyncio.create_task(scored(position)) for position in together}
        while waiting:
            done, waiting = await asyncio.wait({*waiting, overtaken}, return_when=asyncio.FIRST_COMPLETED)
            if overtaken in done:
                return
            waiting.discard(overtaken)
            for task in done:
                yield task.result()
