"""A table read and scored on a cluster: what each of its processes does, and how that becomes one result.

A table is cut into slices: a file, or some row groups of a Parquet file. All slices are read first, and what one
process would refuse is refused in the same words before anything is scored. Then each slice is read into blocks, which
begin where they would in one process, and the blocks are scored wherever there is room. Their scored rows are written
there, or here where a judge or a second system has something to add. Judges are asked here alone: one bound on their
requests, and no other process has their key.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from typing import Any, cast

from lens import words
from lens.runs.blocks import Block, Outcome, score_block, write_part
from lens.runs.parts import Parts
from lens.runs.ray_cluster import READING, SCORING, Spread
from lens.runs.scored_table import Table, Work, bars
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables import sources
from lens.tables.cells import KINDS, Kind, Kinds
from lens.tables.first_reading import refusal
from lens.tables.places import is_address, local_path
from lens.tables.roles import BadTable, Roles, chosen
from lens.tables.roll import MAX_GROUPS, Roll
from lens.tables.sources import FileSource, FilesSource, Scan, Source
from lens.words import say

# Row groups of Parquet are taken together until they have so many rows.
SLICE_ROWS = 16_384

Given = Mapping[str, str | None]


def spoken(language: str) -> None:
    """Say all in this language from now on; a process of a cluster works for one run."""
    words.CURRENT.set(language)


def slices(file: FileSource) -> Iterator[FileSource]:
    """A file, or a Parquet file's row groups, in order; what cannot be read stays one slice, and is refused later."""
    counts = file.group_rows() if file.kind == "parquet" else []
    begun, first, rows = 0, 0, 0
    for at, count in enumerate(counts):
        rows += count
        if rows >= SLICE_ROWS or at == len(counts) - 1:
            part = copy(file)
            part.groups, part.first = range(begun, at + 1), first
            yield part
            begun, first, rows = at + 1, first + rows, 0
    if not counts:
        yield file


@dataclass
class Found:
    """What reading a slice finds. `unreadable` is why its file cannot be read to the end, `refused` why a row cannot be
    scored, before which the roll ends.
    """

    kinds: Kinds = field(default_factory=Kinds)
    rows: int = 0
    roll: Roll | None = None
    unreadable: str = ""
    refused: str = ""


def survey(part: FileSource, roles: Roles | None, separator: str, compared: bool, language: str) -> Iterator[Found]:
    """Read a slice to its end: the kinds of its columns and, once it is known which is what, who is who in it."""
    spoken(language)
    found = Found(roll=Roll(compared, column=roles.group) if roles else None)
    try:
        for row in part.rows():
            found.rows += 1
            found.kinds.add(row)
            if roles and found.roll is not None and not found.refused:
                found.refused = refusal(found.roll, row, roles, part.name, part.first + found.rows, separator)
    except BadTable as error:
        found.unreadable = str(error)
    yield found


def merge_kinds(whole: Kinds, part: Kinds) -> None:
    """Add to the kinds of columns what a later slice leaves of them."""
    for name, kinds in part.possible.items():
        before = whole.possible.get(name, cast("list[Kind]", list(KINDS)))
        whole.possible[name] = [kind for kind in before if kind in kinds]


def merge_rolls(whole: Roll, part: Roll) -> None:
    """Add to who is who what a later slice has; BadTable where there are too many groups."""
    for code, rows in part.lacking.items():
        whole.lacking.setdefault(code, []).extend(len(whole) + row for row in rows)
    numbers = [whole.groups.setdefault(name, len(whole.groups)) for name in part.groups]
    if len(whole.groups) > MAX_GROUPS:
        raise BadTable(say("f_many_groups", column=whole.column, limit=MAX_GROUPS))
    whole.group_of.extend(part.group_of if numbers == [*range(len(numbers))] else (numbers[at] for at in part.group_of))
    whole.rows += part.rows
    whole.listlike += part.listlike
    whole.ids += part.ids
    whole.asked.extend(part.asked)


@dataclass(frozen=True)
class Slices:
    """A table cut into slices, with the row of the table at which each begins."""

    parts: Sequence[FileSource]
    starts: Sequence[int]
    rows: int

    def of(self, number: int, size: int) -> int:
        """The slice in which a block begins."""
        return bisect_right(self.starts, number * size) - 1


@dataclass(frozen=True)
class Plan:
    """What the processes of a cluster have to know to read and score a table."""

    slices: Slices
    roles: Roles
    separator: str
    size: int
    metrics: Sequence[tuple[str, Mapping[str, Any]]]
    written: tuple[Parts, Layout] | None
    brought: bool
    language: str


Wanted = tuple[int, Sequence[int]]


def read(wanted: Wanted, plan: Plan) -> Iterator[Block]:
    """The blocks of these numbers that begin in a slice; the last may end in another."""
    spoken(plan.language)
    at, numbers = wanted
    place = plan.slices.starts[at]
    rows = sources.items(FilesSource("", plan.slices.parts[at:]), plan.roles, plan.separator)
    for number in numbers:
        first = number * plan.size
        for _ in islice(rows, first - place):
            pass
        taken = list(islice(rows, plan.size))
        place = first + len(taken)
        yield Block(number, first, [row for row, _ in taken], [item for _, item in taken])


# The metrics of this process, by their settings: a module is loaded once.
LOADED: dict[str, list[Scorer]] = {}


def score(block: Block, plan: Plan) -> Iterator[tuple[Block | None, Outcome]]:
    """A block's outcome, with its rows where they are needed to complete it."""
    spoken(plan.language)
    named = repr(plan.metrics)
    if named not in LOADED:
        LOADED[named] = [Scorer(name, settings) for name, settings in plan.metrics]
    outcome = score_block(LOADED[named], block)
    if plan.written:
        write_part(*plan.written, block, outcome)
    yield block if plan.brought else None, outcome


class Tables:
    """What a run knows of its tables on a cluster, on which `most` blocks may be scored at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.slices: dict[int, Slices] = {}

    def scan(self, source: Source, given: Given, separator: str, compared: bool) -> Scan:
        """Read a table to its end before anything is scored: its columns, who is who; BadTable for what is refused."""
        parts = self.cut(source)
        roles = self.first_guess(source, given)
        found = self.surveyed(source, parts, roles, separator, compared)
        kinds = Kinds()
        for one in found:
            merge_kinds(kinds, one.kinds)
        settled = chosen(list(kinds.found()), given)
        if settled != roles:  # a column came late
            found = self.surveyed(source, parts, settled, separator, compared)
        roll = Roll(compared, column=settled.group)
        for one in found:
            if one.roll is not None:
                merge_rolls(roll, one.roll)
            if one.refused:
                raise BadTable(one.refused)
        roll.checked(settled)
        starts = [0, *accumulate(one.rows for one in found)][:-1]
        self.slices[id(source)] = Slices(parts, starts, len(roll))
        return Scan(settled, kinds.found(), roll)

    def cut(self, source: Source) -> list[FileSource]:
        """The slices of a table, their paths such that any process finds them."""
        files = [copy(part) for part in source.parts() if isinstance(part, FileSource)]
        if not files:
            raise BadTable(say("f_ray_dataset", name=source.name))
        if all(file.kind != "parquet" for file in files):
            return files
        return list(Spread(files).step(slices, share=READING, most=self.most).results(ordered=True))

    def first_guess(self, source: Source, given: Given) -> Roles | None:
        """Which column is what, by the first row; nothing where it does not tell."""
        try:
            return chosen(list(next(source.rows(), {})), given)
        except BadTable:
            return None

    def surveyed(
        self, source: Source, parts: Sequence[FileSource], roles: Roles | None, separator: str, compared: bool
    ) -> list[Found]:
        """What is in each slice, all of them read at once; BadTable where one cannot be, or none has a row."""
        asked = (roles, separator, compared, words.language())
        found = []
        for one in Spread(parts).step(survey, *asked, share=SCORING, most=self.most).results(ordered=True):
            if one.unreadable:
                raise BadTable(one.unreadable)
            found.append(one)
        if not any(one.rows for one in found):
            raise BadTable(say("f_no_rows", name=source.name))
        return found


@dataclass
class SpreadWork(Work):
    """How a table is scored on a cluster."""

    tables: Tables = field(default_factory=lambda: Tables(1))

    def score(self, table: Table) -> None:
        """Score all blocks that no earlier run has finished."""
        with bars(table) as told:
            kept = self.take_kept(table, told)
            for block, outcome in self.spread(table, kept, told):
                self.take(table, outcome)
                if block is not None:
                    self.keep(block, outcome)
                elif self.parts and self.layout is None:
                    self.parts.write_outcome(outcome.number, outcome.to_json())
            table.unchanged()

    def spread(
        self, table: Table, kept: set[int], told: Callable[[str, int], None]
    ) -> Iterator[tuple[Block | None, Outcome]]:
        """Each block that is wanted with what all metrics make of it, in whatever order they are done."""
        judges = [scorer for scorer in table.scorers if scorer.metric.judge]
        others = [scorer for scorer in table.scorers if not scorer.metric.judge]
        plan = self.plan(table, others, bool(judges))
        wanted: dict[int, list[int]] = {}
        for number in range(-(-table.rows // self.block_rows)):
            if number not in kept:
                wanted.setdefault(plan.slices.of(number, self.block_rows), []).append(number)
        if not wanted:
            return
        most = self.tables.most
        work = Spread(list(wanted.items())).step(read, plan, share=READING, most=max(1, most // 2))
        for block, outcome in work.step(score, plan, share=SCORING, most=most).results():
            for scorer in others:
                told(scorer.name, outcome.rows)
            yield block, outcome.joined(score_block(judges, block, told)) if judges else outcome

    def plan(self, table: Table, others: Sequence[Scorer], judged: bool) -> Plan:
        """What the cluster is told; of judges nothing."""
        written = None
        if self.parts and self.layout and not judged and self.others is None:
            place = self.parts.folder
            place = place if is_address(place) else str(local_path(place).absolute())
            written = (replace(self.parts, folder=place), self.layout)
        return Plan(
            slices=self.tables.slices[id(table.source)],
            roles=table.scan.roles,
            separator=table.separator,
            size=self.block_rows,
            metrics=[(scorer.name, scorer.settings) for scorer in others],
            written=written,
            brought=judged or bool(self.layout and not written),
            language=words.language(),
        )
