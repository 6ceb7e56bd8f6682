"""A visitor's file on its way through the metrics: its rows as the metrics take them, scored block by block.

The driver is runs/blocks.py, as for the command. Between two blocks other visitors have their turn, and a run that was
cancelled, or whose visitor has gone, ends there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lens.page.background import in_its_turn
from lens.page.sent_files import Sent
from lens.reports.contents import Correlations, names_of
from lens.runs.blocks import Block, Outcome, score_block
from lens.scoring import judge as judging
from lens.scoring.catalog import BY_NAME, Series
from lens.scoring.judge import Judge
from lens.scoring.rows import Scored, Scorer
from lens.scoring.summary import Difference, Summary, Tally, differences
from lens.statistics import intervals
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of
from lens.tables.roll import Roll, paired_rows
from lens.words import say

# The rows of a block, by the kinds of its metrics: a model takes long for each row, and a judge is asked about many at
# once.
ROWS = {"words": 512, "judges": 128, "embeddings": 32}


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

    def __init__(self, sent: Sent, roles: Roles) -> None:
        self.sent, self.roles, self.roll = sent, roles, Roll(column=roles.group)
        columns = {name: sent.table.columns[name] for name in roles.named().values()}
        rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
        self.items = [item_of(row, roles, number) for number, row in enumerate(rows, 1)]
        for item in self.items:
            self.roll.add(item)
        self.roll.checked(roles)

    def begin(self, metrics: Sequence[str], judge: Judge) -> None:
        """Make a scorer of each metric."""
        settings = judging.arguments(judge) | {"on_error": "skip"}
        del settings["per_example"]  # the scorer's own to say
        self.scorers = {
            name: Remembering(name, settings, judge.key) if BY_NAME[name].judge else Scorer(name) for name in metrics
        }
        self.outcomes: dict[int, Outcome] = {}

    async def score(self, name: str, number: int, start: int, end: int) -> None:
        """Score one block by one metric, when it has its turn."""
        block, scorer = Block(number, start, self.items[start:end]), self.scorers[name]
        job = functools.partial(score_block, [scorer], block)
        found = await in_its_turn(scorer.metric, job, asks=scorer.metric.judge)
        scorer.stopped = scorer.stopped or found.marks[name].stopped
        self.outcomes[number] = self.outcomes.get(number, found).joined(found)

    def sum_up(self, metrics: Sequence[str]) -> None:
        """Take these metrics' scores together."""
        self.tally = Tally([self.scorers[name] for name in metrics])
        for outcome in self.outcomes.values():
            self.tally.take(outcome)

    def scores(self, order: Sequence[int]) -> dict[str, list[float | None]]:
        """The scores by series, rows in this order."""
        columns = {series.key: self.tally.scores(series.key) for series in self.tally.series}
        return {key: [column[place] for place in order] for key, column in columns.items()}


@dataclass(eq=False)
class Results:
    """What a run came to. Nothing of a judge's key is in it: the scorers are not kept."""

    sent: Sent
    metrics: Sequence[str]
    items: Sequence[Item]
    summary: Summary
    columns: Mapping[str, Sequence[float | None]]
    reasons: Mapping[str, Mapping[int, str]]
    judged: Mapping[str, Sequence[Scored]]
    correlations: Correlations
    far: Sequence[float | None]
    # What each system is called, and where there is a second one its rows in the order of the first one's.
    names: Sequence[str]
    other: Summary | None
    other_items: Sequence[Item]
    other_columns: Mapping[str, Sequence[float | None]]
    differences: Sequence[Difference]
    other_file: bool

    @property
    def primary(self) -> list[Series]:
        """The series that the tables of rows and the plots show."""
        return [figure.series for figure in self.summary.figures if figure.series.primary]

    def scored(self, row: int) -> dict[str, Scored]:
        """What each metric says of a row."""
        series = [figure.series for figure in self.summary.figures]
        found = {}
        for name in self.metrics:
            values = tuple(self.columns[one.key][row] for one in series if one.metric == name)
            plain = Scored(values, self.reasons[name].get(row, ""))
            found[name] = self.judged[name][row] if name in self.judged else plain
        return found


class Run:
    """One file, or two, with what was chosen for it; BadTable where that does not fit."""

    def __init__(self, first: Sent, second: Sent | None, given: Mapping[str, str], metrics: Sequence[str]) -> None:
        if not metrics:
            raise BadTable(say("ft_no_metric"))
        self.metrics, self.finished = [name for name in BY_NAME if name in metrics], list[str]()
        own, other = {role: name for role, name in given.items() if role != "other"}, given.get("other", "")
        roles = chosen(first.names, own)
        self.first, self.second = System(first, roles), None
        self.order: Sequence[int] = range(len(self.first.items))
        if second:
            self.second = System(second, second_roles(second, roles, other))
            self.order = paired_rows(self.first.roll, self.second.roll, bool(roles.id))
        elif other:
            if other in (roles.prediction, roles.reference, roles.question, roles.keywords):
                raise BadTable(say("f_two_roles", column=other))
            self.second = System(first, replace(roles, prediction=other))

    async def steps(self, judge: Judge) -> AsyncIterator[tuple[str, int]]:
        """Score, one metric after the other: the metric, and how many rows it has scored. What is `finished` stays,
        whatever becomes of the rest.
        """
        systems = [self.first, self.second] if self.second else [self.first]
        for system in systems:
            system.begin(self.metrics, judge)
        rows, size = len(self.first.items), min(ROWS[BY_NAME[name].kind] for name in self.metrics)
        for name in self.metrics:
            for number, start in enumerate(range(0, rows, size)):
                end = min(start + size, rows)
                for system in systems:
                    await system.score(name, number, start, end)
                yield name, end
            self.finished.append(name)

    def results(self) -> Results:
        """What the scores of the finished metrics come to."""
        first, second = self.first, self.second
        for system in [first, second] if second else [first]:
            system.sum_up(self.finished)
        tally = first.tally
        other_file = bool(second and second.sent is not first.sent)
        if second:  # its rows are in the groups of the first one's
            second.roll.column, second.roll.groups = first.roll.column, first.roll.groups
            for place, group in zip(self.order, first.roll.group_of, strict=True):
                second.roll.group_of[place] = group
        systems = [first, second] if second else [first]
        return Results(
            sent=first.sent,
            metrics=[*self.finished],
            items=first.items,
            summary=tally.summary(first.sent.name, first.roll),
            columns=first.scores(range(len(first.items))),
            reasons=tally.reasons,
            judged={scorer.name: scorer.kept for scorer in tally.scorers if isinstance(scorer, Remembering)},
            correlations=tally.correlations(),
            far=intervals.disagreement(tally.primary()),
            names=names_of((one.sent.name if other_file else one.roles.prediction for one in systems), other_file),
            other=second.tally.summary(second.sent.name, second.roll) if second else None,
            other_items=[second.items[place] for place in self.order] if second else [],
            other_columns=second.scores(self.order) if second else {},
            differences=differences(tally, second.tally, self.order) if second else [],
            other_file=other_file,
        )


def second_roles(sent: Sent, roles: Roles, prediction: str) -> Roles:
    """The roles of the second file's columns: those of the first by name, where it has them, and else as guessed."""
    named = {role: name for role, name in roles.named().items() if name in sent.names}
    named |= {"separator": roles.separator, "empty": roles.empty}
    left_out = {role: "" for role in ("question", "keywords", "id") if not getattr(roles, role)}
    answers = {"prediction": prediction or guess(sent.names).prediction}
    return chosen(sent.names, {**left_out, **named, **answers, "group": ""})
