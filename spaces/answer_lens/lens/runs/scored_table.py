"""One system's table on its way through the metrics, block by block: here or in several processes, from the first block
on or from where a run was broken off.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any

from lens.runs.blocks import BLOCK_ROWS, Block, Finished, Outcome, blocks_of, score_block, write_part
from lens.runs.parts import Parts
from lens.runs.processes import Workers
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import Tally
from lens.tables import sources
from lens.tables.roles import BadTable
from lens.tables.sources import Scan, Source
from lens.words import say

LINE_SECONDS = 5.0


class Table:
    """One system's file: where it comes from, what is in it, and its scores."""

    def __init__(
        self, source: Source, scan: Scan, scorers: Sequence[Scorer], separator: str, stamps: Sequence[Mapping[str, Any]]
    ) -> None:
        self.source, self.scan, self.separator = source, scan, separator
        self.stamps = stamps
        self.scorers = list(scorers)
        for scorer in self.scorers:
            if told := scorer.refused_setting():
                raise BadTable(say("f_refused_setting", metric=scorer.name, message=told))
        self.tally = Tally(self.scorers)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.scan.roll)

    def blocks(self, size: int) -> Iterator[Block]:
        """Its rows, read anew."""
        return blocks_of(sources.items(self.source, self.scan.roles, self.separator), size)

    def unchanged(self) -> None:
        """BadTable where its files are not those any more that were read first."""
        if self.source.stamps() != self.stamps:
            raise BadTable(say("f_changed", name=self.source.name))


@dataclass
class Work:
    """How a table is scored, and where its scored rows go: `layout` and `parts` say it, where they are written at all.

    `others` gives the scores of the second system for a row. `workers` is how many processes there are; with 1 it is
    this one.
    """

    block_rows: int = BLOCK_ROWS
    workers: int = 1
    parts: Parts | None = None
    layout: Layout | None = None
    others: Callable[[int], Mapping[str, float | None]] | None = None
    key_variable: str | None = None

    def score(self, table: Table) -> None:
        """Score all blocks that no earlier run has finished."""
        with bars(table) as told:
            kept = self.take_kept(table, told)
            blocks = (block for block in table.blocks(self.block_rows) if block.number not in kept)
            with closing(self.outcomes(table, blocks, told)) as outcomes:
                for block, outcome in outcomes:
                    self.take(table, outcome)
                    self.keep(block, outcome)
            table.unchanged()

    def take(self, table: Table, outcome: Outcome) -> None:
        """Note what a block came to; BadTable where the table has no such block any more."""
        if not self.belongs(outcome, table):
            raise BadTable(say("f_changed", name=table.source.name))
        table.tally.take(outcome)

    def take_kept(self, table: Table, told: Callable[[str, int], None]) -> set[int]:
        """Take over what an earlier run has finished, and say how much that is; the numbers of its blocks."""
        if self.parts is None:
            return set()
        finished, kept = Finished(self.parts), set[int]()
        count = -(-table.rows // self.block_rows)
        for number in range(count):
            outcome = finished.outcome(number)
            if outcome and self.belongs(outcome, table):
                table.tally.take(outcome)
                kept.add(number)
                for scorer in table.scorers:
                    told(scorer.name, outcome.rows)
        if kept:
            print(say("f_parts_taken", kept=len(kept), blocks=count, source=table.source.name), file=sys.stderr)
        return kept

    def belongs(self, outcome: Outcome, table: Table) -> bool:
        """Whether an outcome is of a block of this table, and of these metrics."""
        first = outcome.number * self.block_rows
        size = min(self.block_rows, table.rows - first)
        return (outcome.first, outcome.rows) == (first, size) and outcome.marks.keys() >= {
            scorer.name for scorer in table.scorers
        }

    def outcomes(
        self, table: Table, blocks: Iterable[Block], told: Callable[[str, int], None]
    ) -> Generator[tuple[Block, Outcome], None, None]:
        """Each block with what all metrics make of it."""
        judges = [scorer for scorer in table.scorers if scorer.metric.judge]
        others = [scorer for scorer in table.scorers if not scorer.metric.judge]
        if self.workers == 1 or not others:
            for block in blocks:
                yield block, score_block(table.scorers, block, told)
            return
        written = (self.parts, self.layout) if self.written_there(table) and self.parts and self.layout else None
        with Workers(self.workers, others, written, self.key_variable) as workers:
            for block, outcome in workers.outcomes(blocks, lambda: stops_of(others)):
                for scorer in others:
                    told(scorer.name, outcome.rows)
                yield block, outcome.joined(score_block(judges, block, told)) if judges else outcome

    def written_there(self, table: Table) -> bool:
        """Whether the processes that score write the rows: where nothing is to be added here."""
        judged = any(scorer.metric.judge for scorer in table.scorers)
        several = self.workers > 1 and not all(scorer.metric.judge for scorer in table.scorers)
        return several and not judged and self.others is None and self.layout is not None

    def keep(self, block: Block, outcome: Outcome) -> None:
        """Write a block's part."""
        if self.parts is None or outcome.piece >= 0:
            return
        if self.layout is None:
            self.parts.write_outcome(block.number, outcome.to_json())
            return
        others = [self.others(block.first + at) for at in range(len(block.rows))] if self.others else None
        write_part(self.parts, self.layout, block, outcome, others)


def stops_of(scorers: Sequence[Scorer]) -> dict[str, str]:
    """Which metrics have been stopped, and why."""
    return {scorer.name: scorer.stopped for scorer in scorers if scorer.stopped}


@contextmanager
def bars(table: Table) -> Iterator[Callable[[str, int], None]]:
    """Progress of each metric, told by its name and how many rows more are done."""
    with ExitStack() as stack:
        made = ((one.name, progress(one.name, table.rows, at)) for at, one in enumerate(table.scorers))
        shown = {name: stack.enter_context(bar) for name, bar in made}
        yield lambda name, rows: shown[name].update(rows)


class Lines:
    """Progress where nobody sees bars move, such as in a log: a line every few seconds, and one at the end."""

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.rows, self.done = name, rows, 0
        self.told = time.monotonic()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self.tell()

    def update(self, rows: int) -> None:
        """So many rows more are done."""
        self.done += rows
        if time.monotonic() - self.told > LINE_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Say how far it is."""
        self.told = time.monotonic()
        print(say("f_progress", metric=self.name, done=self.done, rows=self.rows), file=sys.stderr, flush=True)


def progress(name: str, rows: int, position: int) -> Any:
    """A bar of progress on the error stream, or lines where that is no terminal."""
    if not sys.stderr.isatty():
        return Lines(name, rows)
    from tqdm import tqdm

    return tqdm(total=rows, desc=name, unit=" rows", position=position, file=sys.stderr, mininterval=0.3)
