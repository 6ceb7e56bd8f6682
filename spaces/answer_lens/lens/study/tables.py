"""The tables of a study: the sources of answers, with an index and scores."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import islice
from typing import Any, Protocol

from lens.experiment.answers import Answer, make_answer
from lens.experiment.index import AnswerIndex
from lens.experiment.survey import read_answers, survey_table
from lens.scoring.table_scores import TableScores
from lens.tables.answer_texts import read_answer
from lens.tables.cells import ColumnType, is_missing
from lens.tables.file_reading import Row
from lens.tables.roles import NothingToScore, Roles
from lens.tables.sources import Source
from lens.words.notes import UserError, join_notes

# Returns the text of an answer by its position in the table; None if its cell is missing.
ReadText = Callable[[int], str | None]


class AnswerSource(Protocol):
    """The source of a table's answers: a file that is read each time, or a list in memory.

    Attributes:
        name: the name of the table.
        roles: the column of each role, and how cells are read.
    """

    name: str
    roles: Roles

    @property
    def column_types(self) -> Mapping[str, ColumnType]:
        """The types of the columns in the written file of scored rows."""

    @property
    def origin(self) -> object:
        """An object that two tables share if their answers are columns of the same file."""

    @property
    def model(self) -> str:
        """The model that a log names; empty if there is none."""

    def describe(self) -> dict[str, Any]:
        """Return the name of the table, and a hash of its content."""

    def answers(self) -> Iterator[Answer]:
        """Yield the answers from the beginning."""

    def answer(self, place: int) -> Answer:
        """Return the answer at a position."""

    def rows(self) -> Iterator[Row]:
        """Yield the cells of each answer for the written file of scored rows."""

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield each answer with its cells."""

    def open_texts(self) -> AbstractContextManager[ReadText]:
        """Give a function that reads answers' texts by position, while a `with` statement runs."""

    def explain(self, error: NothingToScore) -> NothingToScore:
        """Return an error whose message says how the table was read."""

    def check_unchanged(self, extra_row: object = None) -> None:
        """Raise UserError if the table has changed since it was opened.

        Args:
            extra_row: a row that the table had not when it was opened; None if there is none.
        """


class FileSource:
    """A table in files, which are read again each time to save memory."""

    def __init__(self, source: Source, chosen_roles: Mapping[str, Any]) -> None:
        self.source = source
        self.name = source.name
        self.stamps = source.stamps()
        self.roles, self.columns = survey_table(source, chosen_roles)

    @property
    def column_types(self) -> Mapping[str, ColumnType]:
        """The types of the columns."""
        return self.columns

    @property
    def origin(self) -> object:
        """The files of the table, which several columns of answers share."""
        return self.source

    @property
    def model(self) -> str:
        """The model that the logs name; empty if there is none."""
        return self.source.model

    def answers(self) -> Iterator[Answer]:
        """Yield the answers from the beginning."""
        return read_answers(self.source, self.roles)

    def answer(self, place: int) -> Answer:
        """Return the answer at a position; the table is read again up to this answer."""
        return next(islice(self.answers(), place, None))

    def rows(self) -> Iterator[Row]:
        """Yield the cells of each answer from the beginning."""
        return self.source.answers(self.roles.prediction)

    def describe(self) -> dict[str, Any]:
        """Return the name of the table, and a hash of its content."""
        return self.source.identify()

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield each answer with its cells, from the beginning."""
        for number, row in enumerate(self.rows(), 1):
            yield row, make_answer(row, self.roles, number)

    @contextmanager
    def open_texts(self) -> Iterator[ReadText]:
        """Give a function that reads answers' texts by position from a temporary file."""
        # SQLite keeps a database without a name in a temporary file.
        with closing(sqlite3.connect("")) as database:
            database.execute("CREATE TABLE answers (place INTEGER PRIMARY KEY, text)")
            database.executemany("INSERT INTO answers VALUES (?, ?)", self.list_texts())
            self.check_unchanged()

            def read_text(place: int) -> str | None:
                query = database.execute("SELECT text FROM answers WHERE place = ?", [place])
                (json_text,) = query.fetchone()
                text: str | None = json.loads(json_text)
                return text

            yield read_text

    def list_texts(self) -> Iterator[tuple[int, str]]:
        """Yield the position and the text of each answer as JSON; null if its cell is missing."""
        reading = self.roles.reading
        for place, row in enumerate(self.rows()):
            text: Any = row.get(self.roles.prediction)
            if is_missing(text):
                yield place, json.dumps(None)
            else:
                prediction, _ = read_answer(
                    text, reading.reasoning, reading.final, reading.reasoning_tags
                )
                yield place, json.dumps(prediction)

    def explain(self, error: NothingToScore) -> NothingToScore:
        """Return an error whose message also says which logs were read."""
        return NothingToScore(join_notes(*self.source.describe_logs(), error.note))

    def check_unchanged(self, extra_row: object = None) -> None:
        """Raise UserError if the files have changed since they were opened.

        Args:
            extra_row: a row that the files had not when they were opened; None if there is none.
        """
        if extra_row is not None or self.source.stamps() != self.stamps:
            raise UserError("command.changed", name=self.name)


class AnswerTable:
    """A table of answers, with an index and scores."""

    def __init__(self, source: AnswerSource, is_matched: bool = True) -> None:
        """Read a table to its end, and index its answers.

        Args:
            source: the source of the answers.
            is_matched: whether the answers will be matched with those of other tables.
        """
        self.source = source
        try:
            self.index = AnswerIndex(
                source.answers(), source.roles, is_matched or bool(source.roles.system)
            )
        except NothingToScore as error:
            raise source.explain(error) from None
        source.check_unchanged()
        self.scores = TableScores([])

    def __len__(self) -> int:
        return len(self.index)

    def read_places(self, places: Collection[int]) -> dict[int, tuple[Row, Answer]]:
        """Return the cells and the answers at some positions; the table is read once."""
        rows = {}
        for place, row_and_answer in enumerate(self.source.rows_with_answers()):
            if place in places:
                rows[place] = row_and_answer
        return rows
