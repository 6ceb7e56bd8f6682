"""A visitor's files on their way through the metrics, block by block, and what they come to.

Between two blocks other visitors have their turn, and a run that was cancelled, or whose visitor
has gone, ends there.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

from anyio.to_thread import run_sync

from lens.experiment.answers import Answer
from lens.inference.correlation import spread_of_ranks
from lens.page.files.held_source import HeldResults
from lens.page.files.open_files import open_tables
from lens.page.files.shown_names import rename_systems
from lens.page.html import cut_text
from lens.page.serving.session_store import measure_size
from lens.page.serving.submissions import run_in_lane
from lens.page.serving.visitors import Lane
from lens.page.tab import Sent
from lens.scoring import judge as judging
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import (
    BY_NAME,
    CASCADE,
    ESTIMATE,
    METRIC_NAMES,
    MULTI_REFERENCE,
    Series,
    list_series,
)
from lens.scoring.judge import Judge
from lens.scoring.row_scores import Scored
from lens.scoring.rows import Scorer
from lens.scoring.table_scores import TableScores, list_scores
from lens.scoring.work import split_rows
from lens.study.annotations import STAND_IN, SystemVerdicts
from lens.study.engines.blocks import Block, note_stops, score_block
from lens.study.engines.cascade import join_block, split_block
from lens.study.results import Results
from lens.study.study import Study
from lens.tables.roles import (
    join_names,
)
from lens.words.notes import UserError
from lens.words.printed import drop_shared_ending

# The rows of a block, by the kinds of its metrics: a model takes long for each row, and a judge is
# asked about many at once.
ROWS = {"words": 512, "judges": 128, "embeddings": 32}
# Blocks of words, of whichever files: they take turns, for Python computes one thing at a time.
BLOCKS = Lane(1)


# What may be chosen for a whole file: which of several references LV-Eval's two scores read.
MULTI = MULTI_REFERENCE
# Of an answer that is shown beside verdicts.
MAX_TEXT = 160


class FileScoring:
    """A visitor's study of files: what was chosen for it, its scores, and in the end its results.

    The systems come as files, as columns of one file, or as one that names them in a column. Once
    it is finished, nothing of a judge's key is in it.

    Attributes:
        chosen: the metrics that are asked for; `metrics` are those that are done.
        scored: these, and the verdict of estimate and judge together where a judge is asked about
            unsure rows alone.
        made: the parts of the results that were looked at.
        is_finished: whether its results are there, or are just being made.
        results: what the scores come to; only once it is finished.
        shown_results: the same, with the names of systems that the page shows.
        verdicts: the answers of all systems as they are read, with the verdicts of the files.
        size: about how many bytes it takes in memory, apart from the files.
    """

    results: Results
    shown_results: Results
    verdicts: list[SystemVerdicts]

    def __init__(
        self,
        files: Sequence[Sent],
        given: Mapping[str, Any],
        metrics: Sequence[str],
        multi: str = "first",
        stand_in: str = "",
        unsure: Thresholds | None = None,
    ) -> None:
        """Read the answers of some files.

        Args:
            files: the files.
            given: the columns that were chosen by role, and how cells are read.
            metrics: the metrics that are asked for.
            multi: which of several references LV-Eval's scores read.
            stand_in: the score that stands in for verdicts, unless a column does.
            unsure: where a judge is asked, if not about all rows.

        Raises:
            UserError: what was chosen does not fit.
        """
        if not metrics:
            raise UserError("files_tab.no_metric")
        self.chosen = [name for name in METRIC_NAMES if name in metrics]
        self.unsure = check_unsure(unsure, self.chosen)
        if self.unsure and ESTIMATE not in self.chosen:
            self.chosen.insert(0, ESTIMATE)
        self.scored = [*self.chosen, CASCADE.name] if self.unsure else self.chosen
        self.metrics: list[str] = []
        self.multi, self.stand_in = multi, check_stand_in_score(stand_in, self.scored)
        self.made = set[str]()
        self.is_finished = False
        self.size = 0
        opened = open_tables(files, given)
        self.tables = opened.tables
        self.study = Study(self.tables, opened.names, notes=opened.left_out)
        self.store = self.study.store = HeldResults(self.tables[0])
        self.rows = sum(map(len, self.tables))

    @property
    def names(self) -> list[str]:
        """The names of the systems, where there are several."""
        return self.study.names if len(self.study.systems) > 1 else []

    @property
    def short_names(self) -> list[str]:
        """The names of the systems, where there are several, as the page shows them."""
        return list(drop_shared_ending(self.names))

    @property
    def settings(self) -> dict[str, dict[str, str]]:
        """The settings of each metric."""
        settings: dict[str, dict[str, str]] = {}
        for name in self.chosen:
            settings[name] = {MULTI: self.multi} if MULTI in BY_NAME[name].settings else {}
        return settings

    @property
    def primary(self) -> list[Series]:
        """The series that the tables of rows and the plots show."""
        return [series for series in self.study.first.scores.series if series.primary]

    async def steps(self, judge: Judge) -> AsyncIterator[tuple[str, int]]:
        """Score, one metric after the other: the metric, and how many rows it has scored.

        What is done stays, whatever becomes of the rest.
        """
        size = min(ROWS[BY_NAME[name].kind] for name in self.chosen)
        for table in self.tables:
            table.scores = TableScores(self.scored)
        for name in self.chosen:
            done = 0
            for number, table in enumerate(self.tables):
                scorer = make_scorer(name, self.settings[name], judge)
                for block, first in enumerate(range(0, len(table), size)):
                    answers = table.answers[first : first + size]
                    result = await self.score_part(
                        scorer, table.scores, Block(block, first, answers)
                    )
                    table.scores.add_block(result)
                    self.store.keep(number, result)
                    done += len(answers)
                    yield name, done
            self.metrics.append(name)
            if self.unsure and BY_NAME[name].judge:
                self.metrics.append(CASCADE.name)

    async def score_part(self, scorer: Scorer, scores: TableScores, block: Block) -> BlockResult:
        """Score a block; ask a judge only where the estimate is unsure, if that was chosen.

        Args:
            scorer: the metric.
            scores: those of the block's table so far.
            block: the block.
        """
        if self.unsure is None or not scorer.metric.judge:
            return await score_in_turns(scorer, block)
        split = split_block(block, read_estimates(scores, block), self.unsure)
        result = await score_in_turns(scorer, split.unsure)
        joined = await run_sync(join_block, scorer, split, result.scores[scorer.name])
        return BlockResult(block.number, block.first, len(block.answers), joined)

    def finish(self) -> FileScoring:
        """Return it with the results of the metrics that are done."""
        self.is_finished = True
        for table in self.tables:
            table.scores.keep_metrics(self.metrics)
        self.results = self.study.results()
        shown_names = drop_shared_ending(self.study.names)
        names = dict(zip(self.study.names, shown_names, strict=True))
        self.shown_results = rename_systems(self.results, names)
        self.verdicts = self.study.read_systems(stand_in=self.stand_in)
        self.size = measure_size(self, *(table.sent for table in self.tables))
        return self

    def list_answers(self, system: int, question: int) -> list[Answer]:
        """Return a system's answers to a question."""
        own = self.study.systems[system]
        return [self.tables[own.table].answers[place] for place in own.find_answers(question)]

    def answer(self, system: int, question: int) -> Answer:
        """Return a system's answer to a question that is read."""
        return self.study.answer(system, question)

    def read_answers(self) -> list[Answer]:
        """Return the answers that are read, those of each system after those of the one before."""
        answers = []
        for system in range(len(self.study.systems)):
            answers += [self.answer(system, question) for question in range(self.study.questions)]
        return answers

    def scores(self, system: int) -> dict[str, list[float | None]]:
        """Return a system's scores by series, each for every question; None where there is none."""
        return {
            key: list_scores(column) for key, column in self.study.question_scores(system).items()
        }

    def differences(self) -> list[float | None]:
        """Return how far scores of each question are apart.

        Of several systems these are their scores by the first metric, of one how differently the
        metrics rank it.
        """
        main = [series.key for series in self.primary]
        if not self.names:
            scores = self.scores(0)
            return spread_of_ranks({key: scores[key] for key in main})
        columns = [self.scores(system)[main[0]] for system in range(len(self.study.systems))]
        return [measure_spread(scores) for scores in zip(*columns, strict=True)]

    def show_answers(self, names: Sequence[str]) -> Callable[[str, int], str]:
        """Return what shows the answer of a system, by one of these names, to a question, cut."""

        def show_answer(system: str, question: int) -> str:
            return cut_text(self.answer(names.index(system), question).prediction, MAX_TEXT)

        return show_answer


def make_scorer(name: str, settings: Mapping[str, str], judge: Judge) -> Scorer:
    """Return a metric.

    A judge keeps all that it says of each row, for it is not asked again for the cards of a row.
    """
    if not BY_NAME[name].judge:
        return Scorer(name, settings)
    arguments = judging.make_arguments(judge, name) | {"on_error": "skip"}
    del arguments["per_example"]  # the scorer's own to say
    return Scorer(name, arguments, judge.key, keeps_entries=True)


def read_estimates(scores: TableScores, block: Block) -> list[Scored]:
    """Return the estimate of each row of a block."""
    places = slice(block.first, block.first + len(block.answers))
    values = list_scores(scores.columns[ESTIMATE][places])
    states = scores.list_interpretations()[places]
    estimates = []
    for value, state in zip(values, states, strict=True):
        estimates.append(Scored((value,), interpretation=state))
    return estimates


async def score_in_turns(scorer: Scorer, block: Block) -> BlockResult:
    """Score a block, when it has its turn; by a metric of words, long rows in several turns."""
    scores = {scorer.name: BlockScores()}
    result = BlockResult(block.number, block.first, len(block.answers), scores)
    parts = split_rows(block.answers) if scorer.metric.kind == "words" else [block.answers]
    for part in parts:
        job = functools.partial(score_block, [scorer], Block(block.number, block.first, part))
        own = await run_in_lane(scorer.metric, job, BLOCKS, scorer.metric.judge)
        result.scores[scorer.name].join(own.scores[scorer.name])
        note_stops([scorer], own)
    return result


def check_unsure(unsure: Thresholds | None, metrics: Sequence[str]) -> Thresholds | None:
    """Return where a judge is asked, if one judge alone is; None where none is.

    Raises:
        UserError: several judges are chosen.
    """
    judges = [name for name in metrics if BY_NAME[name].judge]
    if unsure is None or not judges:
        return None
    if len(judges) > 1:
        titles = [BY_NAME[name].title for name in judges]
        raise UserError("files_tab.one_judge", judges=join_names(titles))
    return unsure


def check_stand_in_score(stand_in: str, metrics: Sequence[str]) -> str:
    """Return the score that stands in for verdicts, if it will be there.

    Of the usual one that is no matter.
    """
    scores = [series.key for series in list_series(metrics)]
    if stand_in not in ("", STAND_IN, *scores):
        raise UserError("verdicts.no_such_score", name=stand_in, scores=join_names(scores))
    return stand_in


def measure_spread(scores: Iterable[float | None]) -> float | None:
    """Return how far apart scores are; None where fewer than two are there."""
    there = [score for score in scores if score is not None]
    return max(there) - min(there) if len(there) > 1 else None
