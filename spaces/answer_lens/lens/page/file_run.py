"""A visitor's file on its way through the metrics: its rows as the metrics take them, scored block by block.

The driver is runs/blocks.py, as for the command. Between two blocks other visitors have their turn, and a run that was
cancelled, or whose visitor has gone, ends there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lens.page.background import in_its_turn
from lens.reports.contents import Correlations
from lens.runs.blocks import Block, Outcome, score_block
from lens.scoring import judge as judging
from lens.scoring.catalog import BY_NAME, Series
from lens.scoring.judge import Judge
from lens.scoring.rows import Scored, Scorer
from lens.scoring.summary import Difference, Summary, Tally, differences
from lens.statistics import intervals
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of
from lens.tables.roll import Roll, paired_rows
from lens.tables.untrusted import Table
from lens.words import say

# The rows of a first block, so that something is soon to be seen, and of the others: a model takes long for each row,
# and a judge is asked about many at once.
FIRST, WORDS_ROWS, MODEL_ROWS, JUDGE_ROWS = 16, 512, 32, 128
MAX_SEPARATOR = 20


@dataclass(eq=False)
class Sent:
    """A file that was read: its name, its rows, and whether it is the made-up example."""

    name: str
    table: Table
    made_up: bool = False

    @property
    def names(self) -> list[str]:
        """Its columns."""
        return list(self.table.columns)


class Remembering(Scorer):
    """A metric that keeps all that it says of each row: a judge is not asked again for the cards of a row."""

    def __init__(self, name: str, settings: Mapping[str, Any] | None = None, key: str = "") -> None:
        super().__init__(name, settings, key)
        self.kept: list[Scored] = []

    def score(self, items: Sequence[Item]) -> list[Scored]:
        """The scores of some rows."""
        scored = super().score(items)
        self.kept += scored
        return scored


class System:
    """One system's answers, and who is who among its rows; BadTable where a cell does not fit its column's role."""

    def __init__(self, sent: Sent, roles: Roles, separator: str) -> None:
        self.sent, self.roles, self.roll = sent, roles, Roll(column=roles.group)
        columns = {name: sent.table.columns[name] for name in roles.named().values()}
        rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
        self.items = [item_of(row, roles, number, separator) for number, row in enumerate(rows, 1)]
        for item in self.items:
            self.roll.add(item)
        self.roll.checked(roles)

    def begin(self, metrics: Sequence[str], judge: Judge) -> None:
        """Make a scorer of each metric."""
        settings = judging.arguments(judge) | {"on_error": "skip"}
        del settings["per_example"]  # the scorer's own to say
        self.scorers = [
            Remembering(name, settings, judge.key) if BY_NAME[name].judge else Scorer(name) for name in metrics
        ]
        self.tally = Tally(self.scorers)

    async def score(self, block: Block) -> None:
        """Score one block, each metric where it has its turn."""
        found: Outcome | None = None
        for scorer in self.scorers:
            job = functools.partial(score_block, [scorer], block)
            outcome = await in_its_turn(scorer.metric, job, asks=scorer.metric.judge)
            found = found.joined(outcome) if found else outcome
        if found:
            self.tally.take(found)


@dataclass(eq=False)
class Results:
    """What a run came to. Nothing of a judge's key is in it: the scorers are not kept."""

    sent: Sent
    metrics: Sequence[str]
    items: Sequence[Item]
    series: Sequence[Series]
    summary: Summary
    columns: Mapping[str, Sequence[float | None]]
    reasons: Mapping[str, Mapping[int, str]]
    judged: Mapping[str, Sequence[Scored]]
    correlations: Correlations
    far: Sequence[float | None]
    # The second system's rows in the order of the first one's, where there is one, and what each system is called.
    names: Sequence[str]
    other: Summary | None = None
    other_items: Sequence[Item] = ()
    other_columns: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    differences: Sequence[Difference] = ()
    other_file: bool = False

    @property
    def primary(self) -> list[Series]:
        """The series that the tables of rows and the plots show."""
        return [series for series in self.series if series.primary]

    def scored(self, row: int) -> dict[str, Scored]:
        """What each metric says of a row."""
        found = {}
        for name in self.metrics:
            values = tuple(self.columns[series.key][row] for series in self.series if series.metric == name)
            plain = Scored(values, self.reasons[name].get(row, ""))
            found[name] = self.judged[name][row] if name in self.judged else plain
        return found


class Run:
    """One file, or two, with what was chosen for it; BadTable where that does not fit."""

    def __init__(
        self, first: Sent, second: Sent | None, given: Mapping[str, str], separator: str, metrics: Sequence[str]
    ) -> None:
        if not metrics:
            raise BadTable(say("ft_no_metric"))
        if len(separator) > MAX_SEPARATOR:
            raise BadTable(say("ft_long_separator", limit=MAX_SEPARATOR))
        self.metrics = [name for name in BY_NAME if name in metrics]
        own = {role: name for role, name in given.items() if role != "other"}
        roles, other = chosen(first.names, own), given.get("other", "")
        self.first, self.second = System(first, roles, separator), None
        self.order: Sequence[int] = ()
        if second:
            self.second = System(second, second_roles(second, roles, other), separator)
            self.order = paired_rows(self.first.roll, self.second.roll, bool(roles.id))
        elif other:
            if other in (roles.prediction, roles.reference, roles.question, roles.keywords):
                raise BadTable(say("f_two_roles", column=other))
            self.second = System(first, replace(roles, prediction=other), separator)
            self.order = range(len(self.first.items))

    @property
    def systems(self) -> list[System]:
        """The systems that are scored."""
        return [self.first, self.second] if self.second else [self.first]

    async def steps(self, judge: Judge) -> AsyncIterator[int]:
        """Score all blocks; each time, how many rows have all their scores."""
        for system in self.systems:
            system.begin(self.metrics, judge)
        for number, (start, end) in enumerate(self.ends()):
            for system in self.systems:
                await system.score(Block(number, start, [], system.items[start:end]))
            yield end

    def ends(self) -> Iterator[tuple[int, int]]:
        """Where each block begins and ends."""
        kinds, rows = {BY_NAME[name].kind for name in self.metrics}, len(self.first.items)
        size = JUDGE_ROWS if "judges" in kinds else MODEL_ROWS if "embeddings" in kinds else WORDS_ROWS
        starts = [0, *range(FIRST, rows, size)]
        return zip(starts, [*starts[1:], rows], strict=True)

    def results(self) -> Results:
        """What all the scores come to."""
        first, second, source = self.first, self.second, self.first.sent.name
        tally = first.tally
        found = Results(
            sent=first.sent,
            metrics=self.metrics,
            items=first.items,
            series=tally.series,
            summary=tally.summary(source, first.roll),
            columns={series.key: tally.scores(series.key) for series in tally.series},
            reasons=tally.reasons,
            judged={scorer.name: scorer.kept for scorer in first.scorers if isinstance(scorer, Remembering)},
            correlations=tally.correlations(),
            far=intervals.disagreement(tally.primary()),
            names=[first.roles.prediction],
        )
        if second is None:
            return found
        other_file = second.sent is not first.sent
        if other_file:
            second.roll.column, second.roll.groups = first.roll.column, first.roll.groups
            for place, group in zip(self.order, first.roll.group_of, strict=True):
                second.roll.group_of[place] = group
        scores = {series.key: second.tally.scores(series.key) for series in tally.series}
        return replace(
            found,
            names=[one.sent.name if other_file else one.roles.prediction for one in (first, second)],
            other=second.tally.summary(second.sent.name, second.roll),
            other_items=[second.items[place] for place in self.order],
            other_columns={key: [column[place] for place in self.order] for key, column in scores.items()},
            differences=differences(tally, second.tally, self.order),
            other_file=other_file,
        )


def second_roles(sent: Sent, roles: Roles, prediction: str) -> Roles:
    """The roles of the second file's columns: those of the first by name, where it has them, and else as guessed."""
    named = {role: name for role, name in roles.named().items() if name in sent.names}
    left_out = {role: "" for role in ("question", "keywords", "id") if not getattr(roles, role)}
    answers = {"prediction": prediction or guess(sent.names).prediction}
    return chosen(sent.names, {**left_out, **named, **answers, "group": ""})
