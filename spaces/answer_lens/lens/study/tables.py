"""The tables of a study: where answers come from, and what is known of each table."""

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
from lens.tables.cells import Kind, is_missing
from lens.tables.reading import Row
from lens.tables.roles import NothingToScore, Roles
from lens.tables.sources import Source
from lens.words.notes import UserError, join_notes

# Gives the text of an answer by its place in the table; None if its cell is missing.
ReadText = Callable[[int], str | None]


class AnswerSource(Protocol):
    """Where the answers of a table come from: a file that is read again, or a list that is held.

    Attributes:
        roles: the column of each role, and how cells are read.
    """

    name: str
    roles: Roles

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of the columns of the scored file."""

    @property
    def origin(self) -> object:
        """The object that two tables share if they are columns of one."""

    @property
    def model(self) -> str:
        """The model that a log names; else empty."""

    def describe(self) -> dict[str, Any]:
        """Return the name of the table, and what tells its bytes from others."""

    def answers(self) -> Iterator[Answer]:
        """Yield the answers from the beginning."""

    def answer(self, place: int) -> Answer:
        """Return the answer at a place."""

    def rows(self) -> Iterator[Row]:
        """Yield the cells of each answer as they go to the scored file."""

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield the cells of each answer with the answer."""

    def open_texts(self) -> AbstractContextManager[ReadText]:
        """Give the texts of answers by their places, until the end of the block."""

    def explain(self, error: NothingToScore) -> NothingToScore:
        """Return an error with what the table was taken for."""

    def check_unchanged(self, left: object = None) -> None:
        """Refuse a table that is not the one any more that was read first, or of which a row is
        left.
        """


class FileSource:
    """A table in files, which are read again each time: its texts are never in memory together."""

    def __init__(self, source: Source, given: Mapping[str, Any]) -> None:
        self.source = source
        self.name = source.name
        self.stamps = source.stamps()
        self.roles, self.columns = survey_table(source, given)

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of the columns."""
        return self.columns

    @property
    def origin(self) -> object:
        """The files, which several columns of answers share."""
        return self.source

    @property
    def model(self) -> str:
        """The model that its logs name."""
        return self.source.model

    def answers(self) -> Iterator[Answer]:
        """Yield the answers from the beginning."""
        return read_answers(self.source, self.roles)

    def answer(self, place: int) -> Answer:
        """Return the answer at a place; the table is read again up to there."""
        return next(islice(self.answers(), place, None))

    def rows(self) -> Iterator[Row]:
        """Yield the cells of each answer from the beginning."""
        return self.source.answers(self.roles.prediction)

    def describe(self) -> dict[str, Any]:
        """Return the name of the table, and what tells its bytes from others."""
        return self.source.identify()

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield the cells of each answer with the answer, from the beginning."""
        for number, row in enumerate(self.rows(), 1):
            yield row, make_answer(row, self.roles, number)

    @contextmanager
    def open_texts(self) -> Iterator[ReadText]:
        """Give the texts of answers by their places, from a temporary file: memory stays flat."""
        with closing(sqlite3.connect("")) as file:
            file.execute("CREATE TABLE answers (place INTEGER PRIMARY KEY, text)")
            file.executemany("INSERT INTO answers VALUES (?, ?)", self.list_texts())
            self.check_unchanged()

            def read_text(place: int) -> str | None:
                row = file.execute("SELECT text FROM answers WHERE place = ?", [place]).fetchone()
                text: str | None = json.loads(row[0])
                return text

            yield read_text

    def list_texts(self) -> Iterator[tuple[int, str]]:
        """Yield the place and the text of each answer, as JSON; null where its cell is missing."""
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
        """Return an error with what logs were taken for."""
        return NothingToScore(join_notes(*self.source.describe_logs(), error.note))

    def check_unchanged(self, left: object = None) -> None:
        """Refuse files that are not those any more that were read first, or of which
        a row is left.
        """
        if left is not None or self.source.stamps() != self.stamps:
            raise UserError("command.changed", name=self.name)


class AnswerTable:
    """A table of answers, with their index and their scores."""

    def __init__(self, source: AnswerSource, is_matched: bool = True) -> None:
        """Read a table to its end.

        Args:
            source: where its answers come from.
            is_matched: whether they are matched with those of other tables.
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
        """Return the cells and the answers at some places, of one reading of the table."""
        found = {}
        for place, row in enumerate(self.source.rows_with_answers()):
            if place in places:
                found[place] = row
        return found
