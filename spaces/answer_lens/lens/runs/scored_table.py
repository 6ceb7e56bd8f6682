"""One system's table on its way through the metrics, block by block: from the first block on, or from where a run was
broken off. Judges are asked in this process alone; an engine scores the rest, here, in processes or on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from lens.runs.blocks import Block, Finished, Outcome, blocks_of, score_block, write_part
from lens.runs.parts import Parts
from lens.runs.progress import bars, tell
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import Tally
from lens.tables import sources
from lens.tables.roles import BadTable
from lens.tables.sources import Scan, Source


class Table:
    """One system's file: where it comes from, what is in it, and its scores."""

    def __init__(
        self, source: Source, stamps: Sequence[Mapping[str, Any]], scan: Scan, scorers: Sequence[Scorer], separator: str
    ) -> None:
        self.source, self.stamps, self.scan, self.separator = source, stamps, scan, separator
        self.scorers = scorers
        self.judges = [scorer for scorer in scorers if scorer.metric.judge]
        self.tally = Tally(scorers)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.scan.roll)

    def unchanged(self) -> None:
        """BadTable where its files are not those any more that were read first."""
        if self.source.stamps() != self.stamps:
            raise self.changed()

    def changed(self) -> BadTable:
        """The refusal of a table that was written to."""
        return BadTable(f"{self.source.name} has changed since it was first read; no result is given. Once nothing "
                        "writes to it any more, run the same command with --restart.")  # fmt: skip


@dataclass(frozen=True)
class Work:
    """What an engine is to do: give each block of these numbers with what the metrics make of it, in whatever order.

    `written`: where it may write the scored rows by itself. `rows_needed`: whether the block is needed here, to ask
    judges about it or to write its rows; else there may be None in its place.
    """

    table: Table
    scorers: Sequence[Scorer]
    size: int
    numbers: Sequence[int]
    written: tuple[Parts, Layout] | None
    rows_needed: bool

    def blocks(self) -> Iterator[Block]:
        """The blocks, read anew."""
        table, wanted = self.table, set(self.numbers)
        if not wanted:
            return iter(())
        rows = sources.items(table.source, table.scan.roles, table.separator)
        return (block for block in blocks_of(rows, self.size) if block.number in wanted)


Told = Callable[[str, int], None]
Scores = Callable[[int], Mapping[str, float | None]]
Engine = Callable[[Work, Told], Generator[tuple[Block | None, Outcome], None, None]]


def here(work: Work, told: Told) -> Generator[tuple[Block, Outcome], None, None]:
    """The engine that scores in this process."""
    for block in work.blocks():
        yield block, score_block(work.scorers, block, told)


def score(
    table: Table,
    engine: Engine,
    size: int,
    parts: Parts | None = None,
    layout: Layout | None = None,
    against: Scores | None = None,
) -> None:
    """Score all blocks that no earlier run has finished. Where there are `parts`, what each block comes to is kept
    there, and with a `layout` its scored rows; `against` gives the second system's scores of a row.
    """
    others = [scorer for scorer in table.scorers if not scorer.metric.judge]
    added = bool(table.judges or against)
    with bars([scorer.name for scorer in table.scorers], table.rows) as told:
        count = -(-table.rows // size)
        kept = take_kept(table, size, count, Finished(parts), told) if parts else set()
        work = Work(
            table, others, size, [number for number in range(count) if number not in kept],
            written=(parts, layout) if parts and layout and not added else None,
            rows_needed=bool(added and (layout or table.judges)),
        )  # fmt: skip
        with closing((engine if others and work.numbers else here)(work, told)) as outcomes:
            for block, outcome in outcomes:
                if table.judges and block:
                    outcome = outcome.joined(score_block(table.judges, block, told))
                if not belongs(outcome, table, size):
                    raise table.changed()
                table.tally.take(outcome)
                if parts and not layout:
                    parts.write(parts.outcome_name(outcome.number), outcome.to_json().encode())
                elif parts and layout and block and outcome.piece < 0:
                    rows = range(block.first, block.first + len(block.rows))
                    write_part(parts, layout, block, outcome, [against(row) for row in rows] if against else None)
        table.unchanged()


def take_kept(table: Table, size: int, count: int, finished: Finished, told: Told) -> set[int]:
    """Take over what an earlier run has finished, and say how much that is; the numbers of its blocks."""
    kept = set[int]()
    for number in range(count):
        outcome = finished.outcome(number)
        if outcome and belongs(outcome, table, size):
            table.tally.take(outcome)
            kept.add(number)
            for scorer in table.scorers:
                told(scorer.name, outcome.rows)
    if kept:
        tell(f"{table.source.name}: {len(kept):,} of {count:,} blocks are taken over from an earlier run.")
    return kept


def belongs(outcome: Outcome, table: Table, size: int) -> bool:
    """Whether an outcome is of a block of this table, and of these metrics."""
    first = outcome.number * size
    of_table = (outcome.first, outcome.rows) == (first, min(size, table.rows - first))
    return of_table and outcome.marks.keys() >= {scorer.name for scorer in table.scorers}
