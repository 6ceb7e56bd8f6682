"""A visitor's file on its way through the metrics: its rows as the metrics take them, scored block by block.

The driver is runs/blocks.py, as for the command. Between two blocks other visitors have their turn, and a run that was
cancelled, or whose visitor has gone, ends there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lens.page.background import in_its_turn
from lens.page.held import size_of
from lens.page.tab import Sent
from lens.page.visitors import Lane
from lens.reports.contents import names_of
from lens.runs.blocks import Block, Outcome, score_block
from lens.scoring import judge as judging
from lens.scoring.catalog import BY_NAME, Series, series_of
from lens.scoring.judge import Judge
from lens.scoring.rows import Scored, Scorer
from lens.scoring.summary import Summary, Tally, differences
from lens.statistics import intervals
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of
from lens.tables.roll import Roll, paired_rows
from lens.words import say
from lens.words.printed import short

# The rows of a block, by the kinds of its metrics: a model takes long for each row, and a judge is asked about many at
# once.
ROWS = {"words": 512, "judges": 128, "embeddings": 32}
# Blocks of words, of whichever files: they take turns, for Python computes one thing at a time.
BLOCKS = Lane(1)


# What may be chosen for a whole file: which of several references LV-Eval's two scores read.
MULTI = "multi_reference"


class Remembering(Scorer):
    """A judge that keeps all that it says of each row: it is not asked again for the cards of a row."""

    def __init__(self, name: str, judge: Judge) -> None:
        settings = judging.arguments(judge) | {"on_error": "skip"}
        del settings["per_example"]  # the scorer's own to say
        super().__init__(name, settings, judge.key)
        self.kept: list[Scored] = []

    def score(self, items: Sequence[Item]) -> list[Scored]:
        """The scores of some rows."""
        scored = super().score(items)
        self.kept += scored
        return scored


class System:
    """One system's answers, and who is who among its rows; BadTable where a cell does not fit its column's role."""

    def __init__(self, sent: Sent, roles: Roles) -> None:
        self.sent, self.roles = sent, roles
        columns = {name: sent.table.cells(name) for name in roles.named().values()}
        rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
        self.items = [item_of(row, roles, number) for number, row in enumerate(rows, 1)]
        self.roll = Roll(self.items, roles)
        # The places of the first system's rows among these.
        self.order: Sequence[int] = range(len(self.items))

    def arrange(self, first: System, by_id: bool) -> None:
        """Find the rows of the first system among these, which get its groups."""
        self.order = paired_rows(first.roll, self.roll, by_id)
        self.roll.column, self.roll.groups = first.roll.column, first.roll.groups
        for place, group in zip(self.order, first.roll.group_of, strict=True):
            self.roll.group_of[place] = group

    def begin(self, settings: Mapping[str, dict[str, str]], judge: Judge) -> None:
        """Make a scorer of each metric."""
        self.scorers = {
            name: Remembering(name, judge) if BY_NAME[name].judge else Scorer(name, own)
            for name, own in settings.items()
        }
        self.outcomes: dict[int, Outcome] = {}

    async def score(self, name: str, number: int, start: int, end: int) -> None:
        """Score one block by one metric, when it has its turn."""
        block, scorer = Block(number, start, self.items[start:end]), self.scorers[name]
        job = functools.partial(score_block, [scorer], block)
        found = await in_its_turn(scorer.metric, job, BLOCKS, scorer.metric.judge)
        scorer.stopped = scorer.stopped or found.marks[name].stopped
        self.outcomes[number] = self.outcomes.get(number, found).joined(found)

    def sum_up(self, metrics: Sequence[str]) -> Tally:
        """These metrics' scores together."""
        tally = Tally([self.scorers[name] for name in metrics])
        for outcome in self.outcomes.values():
            tally.take(outcome)
        return tally


@dataclass(frozen=True)
class Answers:
    """One system's answers with their scores by series, rows in the order of the first system's; its name, empty where
    it is the only one.
    """

    name: str
    items: Sequence[Item]
    columns: Mapping[str, Sequence[float | None]]

    def scores(self, row: int) -> dict[str, float | None]:
        """The scores of a row by series."""
        return {key: column[row] for key, column in self.columns.items()}


class Run:
    """One file, or two, with what was chosen for it, and in the end what it came to; BadTable where that does not fit.

    `metrics` are those that are done. Once it is summed up, nothing of a judge's key is in it.
    """

    def __init__(
        self, first: Sent, second: Sent | None, given: Mapping[str, str], metrics: Sequence[str], multi: str = "first"
    ) -> None:
        if not metrics:
            raise BadTable(say("ft_no_metric"))
        self.chosen, self.metrics = [name for name in BY_NAME if name in metrics], list[str]()
        self.multi = multi
        self.settings: dict[str, dict[str, str]] = {
            name: {MULTI: multi} if MULTI in BY_NAME[name].settings else {} for name in self.chosen
        }
        own, other = {role: name for role, name in given.items() if role != "other"}, given.get("other", "")
        roles = chosen(first.table.choices, own)
        self.systems = [System(first, roles)]
        self.sent, self.items, self.other_file = first, self.systems[0].items, second is not None
        if second:
            self.systems.append(System(second, second_roles(second, roles, other)))
            self.systems[1].arrange(self.systems[0], bool(roles.id))
        elif other:
            if other in (roles.prediction, roles.reference, roles.question, roles.keywords):
                raise BadTable(say("f_two_roles", column=short(other)))
            self.systems.append(System(first, replace(roles, prediction=other)))

    async def steps(self, judge: Judge) -> AsyncIterator[tuple[str, int]]:
        """Score, one metric after the other: the metric, and how many rows it has scored. What is done stays, whatever
        becomes of the rest.
        """
        for system in self.systems:
            system.begin(self.settings, judge)
        rows, size = len(self.items), min(ROWS[BY_NAME[name].kind] for name in self.chosen)
        for name in self.chosen:
            for number, start in enumerate(range(0, rows, size)):
                end = min(start + size, rows)
                for system in self.systems:
                    await system.score(name, number, start, end)
                yield name, end
            self.metrics.append(name)

    def results(self) -> Run:
        """The run with what the scores of the metrics that are done come to, and without its scorers, which hold a
        judge's key.
        """
        systems, self.systems = self.systems, []
        tallies = [one.sum_up(self.metrics) for one in systems]
        titles = [one.sent.name if self.other_file else one.roles.prediction for one in systems]
        names, self.answers, self.summaries = names_of(titles, self.other_file), list[Answers](), list[Summary]()
        # What systems are called, where there are two.
        self.names = names if len(systems) > 1 else []
        for name, one, tally in zip(names, systems, tallies, strict=True):
            columns = {series.key: tally.scores(series.key) for series in tally.series}
            columns = {key: [column[row] for row in one.order] for key, column in columns.items()}
            items = [one.items[row] for row in one.order]
            self.answers.append(Answers(name if self.names else "", items, columns))
            self.summaries.append(tally.summary(name if self.other_file else self.sent.name, one.roll))
        first, self.summary = tallies[0], self.summaries[0]
        self.columns, self.reasons = self.answers[0].columns, first.reasons
        self.judged = {one.name: one.kept for one in first.scorers if isinstance(one, Remembering)}
        self.correlations, self.far = first.correlations(), intervals.disagreement(first.primary())
        self.differences = differences(tallies, systems[1].order, systems[0].roll.cluster) if self.names else []
        self.cluster = systems[0].roll.cluster
        self.size = size_of(self, self.sent)
        return self

    @property
    def primary(self) -> list[Series]:
        """The series that the tables of rows and the plots show."""
        return [figure.series for figure in self.summary.figures if figure.series.primary]

    def scored(self, row: int) -> dict[str, Scored]:
        """What each metric says of a row."""
        found = {name: kept[row] for name, kept in self.judged.items()}
        for name in self.metrics:
            values = tuple(self.columns[one.key][row] for one in series_of([name]))
            found.setdefault(name, Scored(values, self.reasons[name].get(row, "")))
        return found


def second_roles(sent: Sent, roles: Roles, prediction: str) -> Roles:
    """The roles of the second file's columns: those of the first by name, where it has them, and else as guessed."""
    names = sent.table.choices
    named = {role: name for role, name in roles.named().items() if name in names}
    named |= {name: getattr(roles, name) for name in ("separator", "empty", "reasoning", "final")}
    left_out = {role: "" for role in ("question", "keywords", "id") if not getattr(roles, role)}
    answers = {"prediction": prediction or guess(names).prediction}
    return chosen(names, {**left_out, **named, **answers, "group": ""})
