"""To be deleted with the old page/files_jobs.py, its only user: chunks by the clock instead of blocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from lens.scoring.catalog import Metric
from lens.scoring.marks import Marks
from lens.scoring.rows import Scored, Scorer, Told
from lens.scoring.summary import Tally
from lens.tables.roles import Item

FIRST, MOST, SHORT, LONG, JUDGE_ROWS, MAX_CHARACTERS = 16, 512, 0.25, 1.5, 128, 400_000


class Pace:
    """How many rows the next chunk has: few at first, so that something is soon to be seen."""

    def __init__(self, metric: Metric) -> None:
        self.judge, self.rows = metric.judge, JUDGE_ROWS if metric.judge else FIRST

    def took(self, seconds: float) -> None:
        """Note how long a full chunk took."""
        if not self.judge:
            self.rows = min(4 * self.rows, MOST) if seconds < SHORT else self.rows
            self.rows = max(self.rows // 2, 1) if seconds > LONG else self.rows

    def end(self, items: Sequence[Item], start: int) -> int:
        """Where the chunk that begins at `start` ends."""
        size, end = 0, start
        while end < len(items) and end - start < self.rows:
            size += len(items[end].prediction) + sum(map(len, items[end].reference))
            if size > MAX_CHARACTERS and end > start:
                break
            end += 1
        return end


def timed(scorer: Scorer, items: Sequence[Item]) -> tuple[list[Scored], float]:
    """Some scores, and the seconds that they took."""
    begun = time.monotonic()
    return scorer.score(items), time.monotonic() - begun


def steps(
    scorer: Scorer, pace: Pace, items: Sequence[Item], compute: Callable[..., tuple[list[Scored], float]] = timed
) -> Iterator[tuple[int, list[Scored]]]:
    """The scores of some rows, chunk by chunk, each with the position of its first row."""
    start = 0
    while start < len(items):
        end = pace.end(items, start)
        scored, seconds = compute(scorer, items[start:end])
        pace.took(seconds)
        yield start, scored
        start = end


def add(tally: Tally, scorer: Scorer, rows: Sequence[Scored]) -> None:
    """Note the next rows of one metric."""
    marks = Marks(told=scorer.told, stopped=scorer.stopped)
    marks.add(rows)
    scorer.told = Told()
    tally.note(scorer, len(tally.told[scorer.name]), sum(map(len, tally.values[scorer.name].values())), marks)
