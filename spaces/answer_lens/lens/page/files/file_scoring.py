"""Scores a visitor's files block by block, and holds the results.

Other visitors are served between two blocks. A cancelled run, or one whose visitor has left, ends
between two blocks, too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from anyio.to_thread import run_sync

from lens.experiment.answers import Answer
from lens.inference.correlation import spread_of_ranks
from lens.page.files.held_source import HeldResults, HeldTable
from lens.page.files.open_files import open_tables
from lens.page.files.scoring_turns import score_in_turns
from lens.page.files.shown_names import rename_systems
from lens.page.html import cut_text
from lens.page.serving.session_store import measure_size
from lens.page.tab import VisitorFile
from lens.scoring import judge as judging
from lens.scoring.block_scores import BlockResult
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
from lens.scoring.row_scores import RowResult
from lens.scoring.scorer import Scorer
from lens.scoring.table_scores import TableScores, list_column_scores
from lens.study.annotations import STAND_IN, SystemVerdicts
from lens.study.engines.blocks import Block
from lens.study.engines.cascade import join_block, split_block
from lens.study.results import Results
from lens.study.study import Study
from lens.tables.roles import join_names
from lens.words.notes import UserError
from lens.words.printed import drop_shared_ending

# The number of rows in a block, by the kind of metric. A model takes long for each row, and a judge
# is asked about many rows at once.
BLOCK_ROWS = {"words": 512, "judges": 128, "embeddings": 32}
# How many characters of an answer are shown with verdicts.
MAX_TEXT = 160


class FileScoring:
    """A visitor's study of files: the user's choices, the scores, and finally the results.

    The systems are files, columns of one file, or names in a column. A judge's key is not stored
    here: only the scorer of a run has it.

    Attributes:
        chosen: the requested metrics.
        metrics: the metrics that are completed.
        scored: the requested metrics, and the joined verdict if a judge is asked only about unsure
            rows.
        made_parts: the parts of the results that are already made.
        is_finished: whether `finish` was called.
        results: the results, after it is finished.
        shown_results: the results with the names of systems that the page shows.
        verdicts: the answers of all systems that a person can read, with the verdicts in the files.
        size: the approximate size in memory in bytes, without the files.
    """

    results: Results
    shown_results: Results
    verdicts: list[SystemVerdicts]

    def __init__(
        self,
        files: Sequence[VisitorFile],
        choices: Mapping[str, Any],
        metrics: Sequence[str],
        multi: str = "first",
        stand_in: str = "",
        unsure: Thresholds | None = None,
    ) -> None:
        """Read the answers of files.

        Args:
            files: the files.
            choices: the chosen columns by role, and the options of reading cells.
            metrics: the requested metrics.
            multi: which of several references LV-Eval's scores read.
            stand_in: the score that stands in for verdicts, unless a column is chosen.
            unsure: the thresholds between which a judge is asked; None to ask about all rows.

        Raises:
            UserError: the choices do not fit the files.
        """
        if not metrics:
            raise UserError("files_tab.no_metric")
        self.chosen = [name for name in METRIC_NAMES if name in metrics]
        self.unsure = check_unsure(unsure, self.chosen)
        if self.unsure and ESTIMATE not in self.chosen:
            # The estimate says which rows are unsure.
            self.chosen.insert(0, ESTIMATE)
        self.scored = list(self.chosen)
        if self.unsure:
            self.scored.append(CASCADE.name)
        self.metrics: list[str] = []
        self.multi = multi
        self.stand_in = check_stand_in_score(stand_in, self.scored)
        self.made_parts = set[str]()
        self.is_finished = False
        self.size = 0
        opened = open_tables(files, choices)
        self.tables = opened.tables
        self.study = Study(self.tables, opened.names, notes=opened.left_out)
        self.store = HeldResults(self.tables[0])
        self.study.store = self.store
        self.rows = sum(map(len, self.tables))

    @property
    def names(self) -> list[str]:
        """The names of the systems; empty for a single system."""
        if self.n_systems == 1:
            return []
        return self.study.names

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.study.systems)

    @property
    def short_names(self) -> list[str]:
        """The names of the systems that the page shows; empty for a single system."""
        return list(drop_shared_ending(self.names))

    @property
    def settings(self) -> dict[str, dict[str, str]]:
        """The settings of each metric."""
        settings: dict[str, dict[str, str]] = {}
        for name in self.chosen:
            settings[name] = {}
            if MULTI_REFERENCE in BY_NAME[name].settings:
                settings[name][MULTI_REFERENCE] = self.multi
        return settings

    @property
    def primary(self) -> list[Series]:
        """The series in tables of rows and in plots."""
        return [series for series in self.study.first.scores.series if series.primary]

    @property
    def primary_keys(self) -> list[str]:
        """The keys of the series in tables of rows and in plots."""
        return [series.key for series in self.primary]

    async def steps(self, judge: Judge) -> AsyncIterator[tuple[str, int]]:
        """Score with one metric after another; yield the metric and its number of scored rows.

        Completed metrics stay, even if a later one is cancelled or fails.
        """
        for table in self.tables:
            table.scores = TableScores(self.scored)
        for name in self.chosen:
            done = 0
            for number, table in enumerate(self.tables):
                scorer = make_scorer(name, self.settings[name], judge)
                for block in self.list_blocks(table):
                    result = await self.score_part(scorer, table.scores, block)
                    table.scores.add_block(result)
                    self.store.keep(number, result)
                    done += len(block.answers)
                    yield name, done
            self.metrics.append(name)
            if self.unsure and BY_NAME[name].judge:
                self.metrics.append(CASCADE.name)

    def list_blocks(self, table: HeldTable) -> Iterator[Block]:
        """Yield the blocks of a table, as small as the slowest of the metrics asks for."""
        size = min(BLOCK_ROWS[BY_NAME[name].kind] for name in self.chosen)
        starts = range(0, len(table), size)
        for number, first in enumerate(starts):
            answers = table.answers[first : first + size]
            yield Block(number, first, answers)

    async def score_part(self, scorer: Scorer, scores: TableScores, block: Block) -> BlockResult:
        """Score a block; a judge may be asked only about rows whose estimate is unsure.

        Args:
            scorer: the metric.
            scores: the scores of the block's table so far.
            block: the block.
        """
        if self.unsure is None or not scorer.metric.judge:
            return await score_in_turns(scorer, block)
        estimates = read_estimates(scores, block)
        split = split_block(block, estimates, self.unsure)
        result = await score_in_turns(scorer, split.unsure)
        judged = result.scores[scorer.name]
        joined = await run_sync(join_block, scorer, split, judged)
        return BlockResult(
            number=block.number,
            first=block.first,
            rows=len(block.answers),
            scores=joined,
        )

    def finish(self) -> FileScoring:
        """Make the results of the completed metrics, and return the study."""
        self.is_finished = True
        for table in self.tables:
            table.scores.keep_metrics(self.metrics)
        self.results = self.study.results()
        shown_names = drop_shared_ending(self.study.names)
        names = dict(zip(self.study.names, shown_names, strict=True))
        self.shown_results = rename_systems(self.results, names)
        self.verdicts = self.study.read_systems(stand_in=self.stand_in)
        files = [table.file for table in self.tables]
        self.size = measure_size(self, *files)
        return self

    def list_answers(self, system: int, question: int) -> list[Answer]:
        """Return a system's answers to a question."""
        study_system = self.study.systems[system]
        table = self.tables[study_system.table]
        rows = study_system.find_answers(question)
        return [table.answers[row] for row in rows]

    def answer(self, system: int, question: int) -> Answer:
        """Return the answer of a system to a question that a person reads."""
        return self.study.answer(system, question)

    def read_answers(self) -> list[Answer]:
        """Return the answers that a person reads, one system after another."""
        answers = []
        for system in range(self.n_systems):
            for question in range(self.study.questions):
                answer = self.answer(system, question)
                answers.append(answer)
        return answers

    def scores(self, system: int) -> dict[str, list[float | None]]:
        """Return a system's score of each question, by series; None for a missing score."""
        columns = self.study.question_scores(system)
        return {key: list_column_scores(column) for key, column in columns.items()}

    def differences(self) -> list[float | None]:
        """Return the spread of the scores of each question.

        For several systems, it is the spread of their scores by the first metric. For one system,
        it is how differently the metrics rank the question.
        """
        keys = self.primary_keys
        if self.n_systems == 1:
            scores = self.scores(0)
            primary_scores = {key: scores[key] for key in keys}
            return spread_of_ranks(primary_scores)
        columns = []
        for system in range(self.n_systems):
            scores = self.scores(system)
            columns.append(scores[keys[0]])
        return [measure_spread(scores) for scores in zip(*columns, strict=True)]

    def show_answers(self, names: Sequence[str]) -> Callable[[str, int], str]:
        """Return a function that shortens the answer of a system, by name, to a question."""

        def show_answer(system: str, question: int) -> str:
            number = names.index(system)
            answer = self.answer(number, question)
            return cut_text(answer.prediction, MAX_TEXT)

        return show_answer


def make_scorer(name: str, settings: Mapping[str, str], judge: Judge) -> Scorer:
    """Return the scorer of a metric.

    A judge's entries are stored, so it is not asked again for the cards of a row.
    """
    if not BY_NAME[name].judge:
        return Scorer(name, settings)
    arguments = judging.make_arguments(judge, name)
    arguments["on_error"] = "skip"
    # The scorer sets it.
    del arguments["per_example"]
    return Scorer(name, arguments, judge.key, keeps_entries=True)


def read_estimates(scores: TableScores, block: Block) -> list[RowResult]:
    """Return the estimate of each row of a block."""
    rows = slice(block.first, block.first + len(block.answers))
    values = list_column_scores(scores.columns[ESTIMATE][rows])
    interpretations = scores.list_interpretations()[rows]
    estimates = []
    for value, interpretation in zip(values, interpretations, strict=True):
        estimates.append(RowResult((value,), interpretation=interpretation))
    return estimates


def check_unsure(unsure: Thresholds | None, metrics: Sequence[str]) -> Thresholds | None:
    """Return the thresholds if one judge is chosen; None if no judge is chosen.

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
    """Return the score that stands in for verdicts; UserError if it will not be computed.

    The default is always allowed.
    """
    scores = [series.key for series in list_series(metrics)]
    is_default = stand_in in ("", STAND_IN)
    if not is_default and stand_in not in scores:
        names = join_names(scores)
        raise UserError("verdicts.no_such_score", name=stand_in, scores=names)
    return stand_in


def measure_spread(scores: Iterable[float | None]) -> float | None:
    """Return the largest minus the smallest score; None for fewer than two scores."""
    known = [score for score in scores if score is not None]
    if len(known) < 2:
        return None
    return max(known) - min(known)
