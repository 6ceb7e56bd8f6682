"""A visitor's file on its way through the metrics: its rows as the metrics take them, scored block by block.

The driver is runs/blocks.py, as for the command. Between two blocks other visitors have their turn, and a run that was
cancelled, or whose visitor has gone, ends there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lens.experiment.answers import Answer, make_answer
from lens.experiment.index import AnswerIndex
from lens.experiment.systems import experiment_of
from lens.experiment.verdict_file import mark
from lens.inference import correlation
from lens.page.background import in_its_turn
from lens.page.held import size_of
from lens.page.html import cut
from lens.page.tab import Sent
from lens.page.visitors import Lane
from lens.reports.contents import names_of
from lens.scoring import judge as judging
from lens.scoring.block_scores import BlockScores
from lens.scoring.catalog import BY_NAME, Series, series_of
from lens.scoring.judge import Judge
from lens.scoring.row_scores import Scored
from lens.scoring.rows import Scorer
from lens.scoring.table_scores import TableScores, listed
from lens.scoring.work import MOST_OF_ANSWER, characters_read, in_parts
from lens.study.annotations import STAND_IN, SystemVerdicts, choose_answers, with_judges
from lens.study.engines.blocks import Block, BlockResult, score_block
from lens.study.results import by_question, correlations, standings, summaries
from lens.tables.cells import each_answer
from lens.tables.roles import CELL_OPTIONS, SEVERAL, NothingToScore, Roles, chosen, for_each_answer, guess, listing
from lens.tables.untrusted import MAX_ROWS
from lens.words import say
from lens.words.notes import UserError, join_notes
from lens.words.printed import names_by_model, short

# The rows of a block, by the kinds of its metrics: a model takes long for each row, and a judge is asked about many at
# once.
ROWS = {"words": 512, "judges": 128, "embeddings": 32}
# Blocks of words, of whichever files: they take turns, for Python computes one thing at a time.
BLOCKS = Lane(1)


# What may be chosen for a whole file: which of several references LV-Eval's two scores read.
MULTI = "multi_reference"
# Of an answer that is shown beside verdicts.
MAX_TEXT = 160


class Remembering(Scorer):
    """A judge that keeps all that it says of each row: it is not asked again for the cards of a row."""

    def __init__(self, name: str, judge: Judge) -> None:
        settings = judging.arguments(judge, name) | {"on_error": "skip"}
        del settings["per_example"]  # the scorer's own to say
        super().__init__(name, settings, judge.key)
        self.kept: list[Scored] = []

    def score(self, items: Sequence[Answer]) -> list[Scored]:
        """The scores of some rows."""
        scored = super().score(items)
        self.kept += scored
        return scored


class Table:
    """A table of answers: what its columns are, its rows as the metrics take them, who is who among them, and what the
    metrics make of them. UserError where a cell does not fit its column's role.
    """

    def __init__(self, sent: Sent, roles: Roles) -> None:
        self.sent, self.roles = sent, roles
        columns = {name: sent.table.cells(name) for name in roles.columns()}
        rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
        answers = (
            (one, number, repeat)
            for number, row in enumerate(rows, 1)
            for repeat, one in each_answer(row, roles.prediction)
        )
        self.items = [short_item(one, roles, *at) for one, *at in islice(answers, MAX_ROWS + 1)]
        if len(self.items) > MAX_ROWS:
            raise UserError("f_many_answers", column=short(roles.prediction), limit=MAX_ROWS)
        try:
            self.roll = AnswerIndex(self.items, roles)
        except NothingToScore as error:
            raise NothingToScore(join_notes(sent.table.told, error.note)) from None

    def begin(self, settings: Mapping[str, dict[str, str]], judge: Judge) -> None:
        """Make a scorer of each metric."""
        self.scorers = {
            name: Remembering(name, judge) if BY_NAME[name].judge else Scorer(name, own)
            for name, own in settings.items()
        }
        self.outcomes: dict[int, BlockResult] = {}

    async def score(self, name: str, number: int, start: int, end: int) -> None:
        """Score one block by one metric, when it has its turn; by one of words, long rows in several turns."""
        scorer, items = self.scorers[name], self.items[start:end]
        found = BlockResult(number, start, len(items), {name: BlockScores()})
        for part in in_parts(items) if scorer.metric.kind == "words" else [items]:
            job = functools.partial(score_block, [scorer], Block(number, start, part))
            outcome = await in_its_turn(scorer.metric, job, BLOCKS, scorer.metric.judge)
            found.marks[name].join(outcome.marks[name])
            scorer.stopped = scorer.stopped or outcome.marks[name].stopped
        self.outcomes[number] = self.outcomes.get(number, found).joined(found)

    def sum_up(self, metrics: Sequence[str]) -> TableScores:
        """These metrics' scores together."""
        tally = TableScores([self.scorers[name] for name in metrics])
        for outcome in self.outcomes.values():
            tally.take(outcome)
        return tally


@dataclass(frozen=True, eq=False)
class Answers:
    """One system's answers by question: all of them, the one that is read, their scores by series, of several answers
    the mean; and its name, empty where it is the only one.
    """

    name: str
    every: Sequence[Sequence[Answer]]
    items: Sequence[Answer]
    columns: Mapping[str, Sequence[float | None]]
    read: SystemVerdicts

    def scores(self, question: int) -> dict[str, float | None]:
        """The scores of a question by series."""
        return {key: column[question] for key, column in self.columns.items()}


class Run:
    """Some systems' answers with what was chosen for them, and in the end what they came to; UserError where that does
    not fit. They come as files, as columns of one file, or as one that names them in a column.

    `stand_in`: the score that stands in for verdicts, unless a column does. `metrics` are those that are done. Once it
    is summed up, nothing of a judge's key is in it.
    """

    def __init__(
        self,
        files: Sequence[Sent],
        given: Mapping[str, Any],
        metrics: Sequence[str],
        multi: str = "first",
        stand_in: str = "",
    ) -> None:
        if not metrics:
            raise UserError("ft_no_metric")
        self.chosen, self.metrics = [name for name in BY_NAME if name in metrics], list[str]()
        self.multi, self.stand_in = multi, standing(stand_in, self.chosen)
        self.settings: dict[str, dict[str, str]] = {
            name: {MULTI: multi} if MULTI in BY_NAME[name].settings else {} for name in self.chosen
        }
        first, several = files[0], len(files) > 1
        lists = {role: [one] if isinstance(one := given.get(role) or [], str) else list(one) for role in SEVERAL}
        if several and len(lists["prediction"]) > 1:
            raise UserError("ft_files_or_columns")
        own, *others = for_each_answer({**given, **lists, "prediction": lists["prediction"] or [""]})
        own |= {"verdict": own["verdict"] or "", **({"system": ""} if several or others else {})}
        roles = chosen(first.table.choices, own)
        # Whether each system is a file of its own.
        self.apart, left_out = several, list[str]()
        # The parts of the results that were looked at.
        self.made = set[str]()
        self.tables = usable(files, roles, left_out)
        for other in others:
            self.tables.append(Table(first, chosen(first.table.choices, other | {"system": ""})))
        self.sent, self.answer = self.tables[0].sent, self.tables[0].roles.prediction
        titles = [one.sent.name if several else one.roles.prediction for one in self.tables]
        names = names_of(titles, files=several) if len(titles) > 1 else [self.sent.name]
        if several and len(titles) > 1:
            names = names_by_model(names, [table.sent.table.model for table in self.tables])
        self.found = experiment_of([one.roll for one in self.tables], names, told=left_out)
        self.rows = sum(len(table.items) for table in self.tables)

    async def steps(self, judge: Judge) -> AsyncIterator[tuple[str, int]]:
        """Score, one metric after the other: the metric, and how many rows it has scored. What is done stays, whatever
        becomes of the rest.
        """
        for table in self.tables:
            table.begin(self.settings, judge)
        size = min(ROWS[BY_NAME[name].kind] for name in self.chosen)
        for name in self.chosen:
            done = 0
            for table in self.tables:
                rows = len(table.items)
                for number, start in enumerate(range(0, rows, size)):
                    end = min(start + size, rows)
                    await table.score(name, number, start, end)
                    done += end - start
                    yield name, done
            self.metrics.append(name)

    def results(self) -> Run:
        """The run with what the scores of the metrics that are done come to, and without its scorers, which hold a
        judge's key.
        """
        tables, self.tables = self.tables, []
        tallies, rolls = [one.sum_up(self.metrics) for one in tables], [one.roll for one in tables]
        found, first = self.found, tallies[0]
        # Whether the other systems' scores stand beside the first one's, for they are not rows of its table.
        self.beside = len(tables) > 1
        # What systems are called, where there are several.
        self.names = found.names if len(found.systems) > 1 else []
        self.summaries, self.standings = summaries(tallies, rolls, found), standings(tallies, found)
        self.summary, self.answers = self.summaries[0], list[Answers]()
        for one in found.systems:
            items, tally, rows = tables[one.table].items, tallies[one.table], choose_answers(one)
            columns = {key: listed(by_question(column, one, found.questions)) for key, column in tally.columns.items()}
            marks = [None if items[row].skip_reason else mark(items[row].prediction) for row in rows]
            # Where each question has one answer, these are the same scores.
            scores = {
                series: columns[series.key] if one.single else listed(tally.columns[series.key][rows])
                for series in tally.series
            }
            said = [items[row].verdict for row in rows]
            read = SystemVerdicts(one.name, marks, scores, said, rows=rows)
            self.answers.append(
                Answers(
                    name=one.name if self.names else "",
                    every=[[items[row] for row in one.answers_to(at)] for at in range(found.questions)],
                    items=[items[row] for row in rows],
                    columns=columns,
                    read=with_judges(read, tally, rolls[one.table], self.stand_in),
                )
            )
        # Of the first table, by row: what its file gets.
        self.items, self.row_of = tables[0].items, choose_answers(found.systems[0])
        whole = self.row_of == list(range(len(self.items)))
        self.columns = self.answers[0].columns if whole else {key: first.scores(key) for key in first.columns}
        self.reasons = first.reasons
        # Whether the tables have verdicts of judges.
        self.judged_in_file = any(one.judges for one in rolls)
        self.judged = {one.name: one.kept for one in first.scorers if isinstance(one, Remembering)}
        # What the estimate says of each row besides its score.
        blocks = [outcome for _, outcome in sorted(tables[0].outcomes.items())]
        estimates = [name for name in self.metrics if BY_NAME[name].estimate]
        self.estimated = {name: [row for one in blocks for row in one.marks[name].rows] for name in estimates}
        # The question of each row.
        own = found.systems[0]
        self.question_of = dict(zip(own.rows.tolist(), own.question.tolist(), strict=True))
        main = list(first.primary())
        self.correlations = correlations(tallies, found)
        if self.names:
            self.far = [spread_of([one.columns[main[0]][at] for one in self.answers]) for at in range(found.questions)]
        else:
            self.far = correlation.spread_of_ranks({key: self.answers[0].columns[key] for key in main})
        self.size = size_of(self, self.sent)
        return self

    @property
    def primary(self) -> list[Series]:
        """The series that the tables of rows and the plots show."""
        return [figure.series for figure in self.summary.figures if figure.series.primary]

    @property
    def read(self) -> list[SystemVerdicts]:
        """The answers of all systems, as they are read."""
        return [one.read for one in self.answers]

    def text(self, system: str, question: int) -> str:
        """The answer of a system to a question that is read, cut."""
        answers = next(one for one in self.answers if one.read.name == system)
        return cut(answers.items[question].prediction, MAX_TEXT)

    def scored(self, row: int) -> dict[str, Scored]:
        """What each metric says of a row of the first table."""
        found = {name: kept[row] for name, kept in (self.judged | self.estimated).items()}
        for name in self.metrics:
            values = tuple(self.columns[one.key][row] for one in series_of([name]))
            found.setdefault(name, Scored(values, self.reasons[name].get(row, "")))
        return found


def short_item(row: Mapping[str, Any], roles: Roles, number: int, repeat: int) -> Answer:
    """Return a row as the metrics take it.

    Raises:
        UserError: a cell does not fit its column's role, or scoring the row takes too long.
    """
    item = make_answer(row, roles, number, repeat)
    length = characters_read(item.prediction, item.references)
    if length > MOST_OF_ANSWER:
        count = len(item.references)
        raise UserError("ft_row_long", row=number, count=count, length=length, limit=MOST_OF_ANSWER)
    return item


def standing(stand_in: str, metrics: Sequence[str]) -> str:
    """The score that stands in for verdicts, if it will be there; of the usual one that is no matter."""
    scores = [series.key for series in series_of(metrics)]
    if stand_in not in ("", STAND_IN, *scores):
        raise UserError("vd_no_such_score", name=stand_in, scores=listing(scores))
    return stand_in


def spread_of(scores: Iterable[float | None]) -> float | None:
    """How far apart scores are; None where fewer than two are there."""
    there = [score for score in scores if score is not None]
    return max(there) - min(there) if len(there) > 1 else None


def usable(files: Sequence[Sent], roles: Roles, left_out: list[str]) -> list[Table]:
    """A table of each file; of three or more one that has nothing to score is left out, and told in `left_out`."""
    found = []
    for sent in files:
        try:
            found.append(Table(sent, roles if sent is files[0] else roles_of(sent, roles)))
        except UserError as error:
            if len(files) == 1:
                raise
            if len(files) == 2 or not isinstance(error, NothingToScore):
                raise UserError("error_in", place=short(sent.name), error=error.note) from None
            left_out.append(say("ft_left_out", name=short(sent.name), why=error))
    if not found:
        raise UserError("as_it_is", text=left_out[0])
    return found


def roles_of(sent: Sent, roles: Roles) -> Roles:
    """The roles of another file's columns: those of the first by name, where it has them, and else as guessed."""
    names = sent.table.choices
    own: dict[str, Any] = {role: name for role, name in roles.named().items() if name in names}
    own |= {name: getattr(roles, name) for name in ("stand_in", *CELL_OPTIONS)}
    own |= {"more_references": tuple(name for name in roles.more_references if name in names)}
    judges = [name for name in roles.judges if name in names]
    left_out = {role: "" for role in ("question", "keywords", "id", "verdict") if not getattr(roles, role)}
    left_out |= {"group": "", "system": ""}
    return chosen(names, {"prediction": guess(names).prediction, **own, **left_out, "judges": judges})
