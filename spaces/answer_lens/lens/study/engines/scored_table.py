"""One system's table on its way through the metrics, block by block: from the first block on, or from where a run was
broken off. Judges are asked in this process alone; an engine scores the rest, here, in processes or on a cluster. Once
all is scored the table is read again, and its rows are written with their scores.
"""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

from lens.experiment.answers import make_answer
from lens.experiment.survey import read_answers, survey_table
from lens.scoring.rows import Scorer
from lens.scoring.table_scores import TableScores
from lens.study.engines.blocks import Block, BlockResult, OnProgress, blocks_of, score_block
from lens.study.engines.progress import progress
from lens.study.engines.resume import Parts
from lens.study.scored_file import ScoredFileSchema, Scores
from lens.tables.answer_texts import read_answer
from lens.tables.cells import missing
from lens.tables.sources import Source
from lens.words.notes import UserError
from lens.words.printed import name_of, tell

Result = Callable[[], BlockResult]
# Gives each block with what the metrics make of it, in order.
Outcomes = Generator[tuple[Block, BlockResult], None, None]
Engine = Callable[[Sequence[Scorer], Iterable[Block], OnProgress], Outcomes]


class Lost(Exception):
    """What a run breaks off at: processes that ended from outside, a file that cannot be written."""


class Table:
    """One system's file, read to its end: where it comes from, what is in it, and its scores, in blocks of a `size`.

    `which` is its name among the parts of a run; `matched` says whether its answers are matched with others'.
    """

    def __init__(
        self, source: Source, scorers: Sequence[Scorer], size: int, which: str, matched: bool,
        roles: Mapping[str, str | None],
    ) -> None:  # fmt: skip
        self.source, self.scorers, self.size, self.which = source, scorers, size, which
        self.stamps = source.stamps()
        self.roles, self.kinds, self.roll = survey_table(source, roles, matched)
        self.tally = TableScores(scorers)
        self.rows = len(self.roll)
        self.unchanged()

    def unchanged(self, left: object = None) -> None:
        """UserError where its files are not those any more that were read first, or a row is left of them."""
        if left is not None or self.source.stamps() != self.stamps:
            raise UserError("command_changed", name=self.source.name)  # fmt: skip

    def score(self, engine: Engine, parts: Parts | None) -> None:
        """Score all blocks that no earlier run has finished; where there are `parts`, what each comes to is kept."""
        judges = [scorer for scorer in self.scorers if scorer.metric.judge]
        others = [scorer for scorer in self.scorers if not scorer.metric.judge]
        kept = self.take_kept(parts) if parts else {}
        with progress(name_of(self.source.name), self.rows * len(self.scorers)) as bar:
            told: OnProgress = bar.update
            told(sum(kept.values()) * len(self.scorers))
            # Where nothing is left to score, the table is not read once more.
            is_left = sum(kept.values()) < self.rows
            every = blocks_of(read_answers(self.source, self.roles) if is_left else (), self.size)
            blocks = (block for block in every if block.number not in kept)
            with closing((engine if others else here)(others, blocks, told)) as outcomes:
                for block, outcome in outcomes:
                    if judges:
                        outcome = outcome.joined(score_block(judges, block, told))
                    self.tally.take(outcome)
                    if parts:
                        parts.keep(self.which, outcome)
        self.unchanged()

    def take_kept(self, parts: Parts) -> dict[int, int]:
        """Take over the blocks that an earlier run has finished; return the rows of each by its number."""
        kept: dict[int, int] = {}
        for outcome in parts.outcomes(self.which):
            if outcome.complete:
                self.tally.take(outcome)
                kept[outcome.number] = outcome.rows
        if kept:
            rows = sum(kept.values())
            tell(f"{self.source.name}: {rows:,} of {self.rows:,} rows are taken over from an earlier run.")
        return kept

    def scored(
        self, parts: Parts, layout: ScoredFileSchema, others: Callable[[int], Sequence[tuple[Scores, str | None]]]
    ) -> Iterator[list[dict[str, Any]]]:
        """The rows of each block with their scores, and those of the other systems with their answers."""
        rows = self.source.answers(self.roles.prediction)
        for outcome in parts.outcomes(self.which):
            yield [
                layout.row(
                    row,
                    outcome.scored(at),
                    make_answer(row, self.roles, outcome.first + at + 1) if layout.read else None,
                    others(outcome.first + at),
                )
                for at, row in enumerate(islice(rows, outcome.rows))
            ]
        self.unchanged(next(rows, None))


@contextmanager
def answers_of(table: Table) -> Iterator[Callable[[int], str | None]]:
    """The answers of a table by their places, in a temporary file until the end of the block: memory stays flat."""
    with closing(sqlite3.connect("")) as file:
        roles = table.roles
        cells: Iterator[Any] = (row.get(roles.prediction) for row in table.source.answers(roles.prediction))
        options = (roles.reasoning, roles.final, roles.reasoning_tags)
        read = (None if missing(cell) else read_answer(cell, *options)[0] for cell in cells)
        texts = ((place, json.dumps(text)) for place, text in enumerate(read))
        file.execute("CREATE TABLE answers (place INTEGER PRIMARY KEY, text)")
        file.executemany("INSERT INTO answers VALUES (?, ?)", texts)
        table.unchanged()
        yield lambda place: json.loads(*file.execute("SELECT text FROM answers WHERE place = ?", [place]).fetchone())


def here(scorers: Sequence[Scorer], blocks: Iterable[Block], told: OnProgress) -> Outcomes:
    """The engine that scores in this process."""
    for block in blocks:
        yield block, score_block(scorers, block, told)


def elsewhere(
    scorers: Sequence[Scorer],
    blocks: Iterable[Block],
    told: OnProgress,
    send: Callable[[Sequence[Scorer], Block], Result],
    most: int,
) -> Outcomes:
    """Blocks scored by other processes, to which `most` are sent ahead. `send` gives what waits for one."""
    sent = deque[tuple[Block, Result]]()

    def taken() -> tuple[Block, BlockResult]:
        block, result = sent.popleft()
        outcome = result()
        told(outcome.rows * len(scorers))
        # In one process nothing comes after a stop: what was sent before it loses its scores.
        late = [scorer for scorer in scorers if scorer.stopped]
        return block, outcome.joined(score_block(late, block)) if late else outcome

    for block in blocks:
        sent.append((block, send([scorer for scorer in scorers if not scorer.stopped], block)))
        if len(sent) >= most:
            yield taken()
    while sent:
        yield taken()
