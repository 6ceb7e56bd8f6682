"""A study: systems' answers to the same questions, and their scores.

Three words have a fixed meaning here. A *question* is its number, from 0, among the questions that
all systems answer. A *row* is the number of an answer in its table, from 0. A person *reads* one
answer of each system to a question, even if the system has several answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.experiment.answers import Answer
from lens.experiment.systems import System, cluster_questions, match_systems
from lens.inference.sampling import hash_name
from lens.scoring.scorer import Scorer
from lens.study.annotations import Sample, SystemVerdicts, draw_method_samples
from lens.study.engines.score_table import ResultStore, RunOptions, score_table
from lens.study.measures import average_answers
from lens.study.results import Results, summarize_study
from lens.study.scored_file import ScoredFileSchema, write_blocks
from lens.study.tables import AnswerTable
from lens.study.verdict_reading import mark_answers, read_systems
from lens.words.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class Study:
    """The answers of systems to the same questions, and their scores.

    Attributes:
        store: stores the results of blocks; None until answers are scored.
        tables: the tables with the answers. Several files, or columns, have one table per system.
        systems: the systems, with the question of each of their answers.
        questions: the number of questions that all systems answer.
        cluster: the cluster of each question; None if questions are independent.
        notes: notes on how the questions were matched.
    """

    def __init__(
        self,
        tables: Sequence[AnswerTable],
        names: Sequence[str],
        is_column_chosen: bool = False,
        notes: Sequence[Note] = (),
    ) -> None:
        """Match the answers of several tables.

        Args:
            tables: the tables.
            names: the names of the systems, unless a column has the names.
            is_column_chosen: whether the user chose that column.
            notes: notes that come before those on matching.

        Raises:
            UserError: there are too many systems, or they have no question in common.
        """
        self.store: ResultStore | None = None
        self.tables = list(tables)
        indexes = [table.index for table in tables]
        self.systems, matching_notes = match_systems(indexes, names, is_column_chosen)
        self.notes = [*notes, *matching_notes]
        self.questions = self.systems[0].questions
        self.cluster = cluster_questions(indexes, self.systems)

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [system.name for system in self.systems]

    @property
    def first(self) -> AnswerTable:
        """The table with the answers of the first system; the scored file has its rows."""
        return self.tables[0]

    @property
    def metrics(self) -> list[str]:
        """The metrics that are scored."""
        return self.first.scores.metrics

    @property
    def has_other_tables(self) -> bool:
        """True if each system has its own table, so the scored file has columns for each system."""
        return len(self.tables) > 1

    @property
    def has_other_files(self) -> bool:
        """True if each system has its own file, so the scored file also has columns of answers."""
        return len({id(table.source.origin) for table in self.tables}) > 1

    def score(self, scorers: Sequence[Scorer], options: RunOptions) -> None:
        """Score all answers with these metrics, table by table."""
        self.store = options.store
        for number, table in enumerate(self.tables):
            # Each table gets new scorers, because a stop of a metric applies to one table only.
            table_scorers = [
                Scorer(scorer.name, scorer.settings, scorer.key, scorer.keeps_entries)
                for scorer in scorers
            ]
            score_table(table, number, table_scorers, options)

    def answer(self, system: int, question: int) -> Answer:
        """Return the answer that a person reads; a file is opened and read again for it."""
        table = self.tables[self.systems[system].table]
        return table.source.answer(self.chosen_rows[system][question])

    def draw_samples(self, systems: Sequence[SystemVerdicts]) -> list[Sample]:
        """Return the samples of questions that can be read, one per method.

        Args:
            systems: the answers of all systems that a person can read.
        """
        return draw_method_samples(systems, self.cluster)

    def read_systems(
        self, verdicts: Sequence[Sequence[str]] | None = None, stand_in: str = ""
    ) -> list[SystemVerdicts]:
        """Return the answers of all systems that a person can read, with verdicts and scores.

        Args:
            verdicts: a person's verdicts on each system's answers; by default those in the tables.
            stand_in: the series that is the stand-in, unless a column of the table is.
        """
        return read_systems(self, self.marks, verdicts, stand_in)

    @cached_property
    def marks(self) -> list[list[str | None]]:
        """A mark for each answer of each table, equal for equal answers; None without an answer."""
        return mark_answers(self)

    def list_scored_blocks(self, schema: ScoredFileSchema) -> Iterator[list[dict[str, object]]]:
        """Yield the rows of the scored file, block by block.

        Args:
            schema: the columns of the file.
        """
        assert self.store is not None, "results of blocks are kept"
        return write_blocks(self, schema, self.store)

    def results(self, with_correlations: bool = True) -> Results:
        """Return the results of the study."""
        return summarize_study(self, with_correlations)

    @cached_property
    def chosen_rows(self) -> list[list[int]]:
        """The row of the answer that a person reads, by system and question."""
        return [choose_answers(system) for system in self.systems]

    def question_scores(self, number: int) -> dict[str, Array]:
        """Return a system's scores by series: one per question, the mean over its answers."""
        system = self.systems[number]
        columns = self.tables[system.table].scores.columns
        averaged = {}
        for key, column in columns.items():
            averaged[key] = average_answers(column, system, self.questions)
        return averaged

    def question_score(self, number: int, key: str, question: int) -> float | None:
        """Return a system's score of one question: the mean over its answers, or None."""
        system = self.systems[number]
        column = self.tables[system.table].scores.columns[key]
        answers = system.find_answers(question)
        scores = [score for score in column[answers].tolist() if not math.isnan(score)]
        if not scores:
            return None
        return sum(scores) / len(scores)


def choose_answers(system: System) -> list[int]:
    """Return the position of a system's answer to each question; of several, of a random one."""
    if not system.has_repeats:
        return list(system.positions.tolist())
    chosen = []
    for question in range(system.questions):
        positions = system.find_answers(question)
        # The answer with the lowest hash is as good as random, but the same in each run.
        chosen.append(min(positions, key=lambda position: hash_name((system.name, position))))
    return chosen
