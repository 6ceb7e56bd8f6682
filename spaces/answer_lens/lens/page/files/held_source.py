"""A table that is stored in memory for a visitor, because uploaded files are deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from lens.experiment.answers import Answer, make_answer
from lens.page.tab import Sent
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.catalog import BY_NAME, list_series
from lens.scoring.row_scores import Scored
from lens.scoring.work import MOST_OF_ANSWER, count_characters
from lens.study.tables import AnswerTable, ReadText
from lens.tables.cells import Kind, find_kind, is_missing, split_answers
from lens.tables.file_reading import Row
from lens.tables.roles import NothingToScore, Roles
from lens.tables.untrusted import MAX_ROWS
from lens.words.notes import UserError, join_notes
from lens.words.printed import shorten_name


class HeldSource:
    """The source of a table of answers that is stored for a session.

    Attributes:
        sent: the file.
        roles: the column of each role.
        held: the answers in the order of the table.
    """

    def __init__(self, sent: Sent, roles: Roles) -> None:
        """Read the answers of a file.

        Args:
            sent: the file.
            roles: the column of each role.

        Raises:
            UserError: a cell does not fit the role of its column, or there is too much to score.
        """
        self.sent, self.roles, self.name = sent, roles, sent.name
        self.held: list[Answer] = []
        # The positions of the answers whose cells are missing.
        self.missing: set[int] = set()
        columns = {name: sent.table.cells(name) for name in roles.columns()}
        for number, sample, cells in islice(
            number_answers(columns, roles.prediction), MAX_ROWS + 1
        ):
            if is_missing(cells.get(roles.prediction)):
                self.missing.add(len(self.held))
            self.held.append(make_short_answer(cells, roles, number, sample))
        if len(self.held) > MAX_ROWS:
            raise UserError(
                "table.many_answers", column=shorten_name(roles.prediction), limit=MAX_ROWS
            )

    @property
    def origin(self) -> object:
        """The file, which several columns of answers share."""
        return self.sent

    @property
    def model(self) -> str:
        """The model that a log names."""
        return self.sent.table.model

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """The columns of the scored file."""
        columns: dict[str, Sequence[Any]] = dict(self.sent.table.columns)
        if any(answer.sample for answer in self.held):  # a value in an object becomes a column
            columns[self.roles.prediction] = self.sent.table.cells(self.roles.prediction)
        return columns

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of each column of the scored file."""
        kinds = {name: find_kind(cells) for name, cells in self.columns.items()}
        if self.roles.prediction in kinds:
            kinds[self.roles.prediction] = "text"
        return kinds

    def describe(self) -> dict[str, Any]:
        """Return the name of the file; its bytes are deleted."""
        return {"name": self.name}

    def answers(self) -> Iterator[Answer]:
        """Yield the answers."""
        return iter(self.held)

    def answer(self, place: int) -> Answer:
        """Return the answer at a position."""
        return self.held[place]

    def rows(self) -> Iterator[Row]:
        """Yield the cells of each answer."""
        for _, _, cells in number_answers(self.columns, self.roles.prediction):
            yield cells

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield each answer with its cells."""
        return zip(self.rows(), self.held, strict=True)

    @contextmanager
    def open_texts(self) -> Iterator[ReadText]:
        """Give a function that returns the text of an answer by position."""
        yield lambda place: None if place in self.missing else self.held[place].prediction

    def explain(self, error: NothingToScore) -> NothingToScore:
        """Return an error whose message also says how the file was read."""
        return NothingToScore(join_notes(self.sent.table.reading_notes, error.note))

    def check_unchanged(self, left: object = None) -> None:
        """Do nothing, because nobody else can change the table."""


def number_answers(
    columns: Mapping[str, Sequence[Any]], prediction: str
) -> Iterator[tuple[int, int, Row]]:
    """Yield the row from 1, the number within its cell, and the cells of each answer."""
    for number, cells in enumerate(zip(*columns.values(), strict=True), 1):
        row = dict(zip(columns, cells, strict=True))
        for sample, own in split_answers(row, prediction):
            yield number, sample, own


def make_short_answer(
    row: Mapping[str, Any],
    roles: Roles,
    number: int,
    sample: int,
) -> Answer:
    """Return the answer in a row.

    Raises:
        UserError: a cell does not fit the role of its column, or scoring the row takes too long.
    """
    answer = make_answer(row, roles, number, sample)
    length = count_characters(answer.prediction, answer.references)
    if length > MOST_OF_ANSWER:
        count = len(answer.references)
        raise UserError(
            "files_tab.row_long",
            row=number,
            count=count,
            length=length,
            limit=MOST_OF_ANSWER,
        )
    return answer


class HeldTable(AnswerTable):
    """A table that is stored for a session, with its index and scores."""

    def __init__(self, sent: Sent, roles: Roles) -> None:
        """Read the answers of a file.

        Args:
            sent: the file.
            roles: the column of each role.
        """
        source = HeldSource(sent, roles)
        super().__init__(source)
        self.sent = sent
        self.answers = source.held


class HeldResults:
    """The results of a study's first table, which are stored for opened rows and downloads.

    The scores are in the table. Only results of judges and estimates are stored here.
    """

    def __init__(self, table: AnswerTable) -> None:
        self.table = table
        self.said: dict[str, list[Scored]] = {}

    def keep(self, table: int, result: BlockResult) -> None:
        """Store the results of judges and estimates for a block of the first table.

        The blocks of a metric must be stored in order.
        """
        if table != 0:
            return
        for name, scores in result.scores.items():
            if BY_NAME[name].judge or BY_NAME[name].estimate:
                self.said.setdefault(name, []).extend(scores.rows)

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of the first table, block by block."""
        first = 0
        for number, rows in sorted(self.table.scores.block_rows.items()):
            result = BlockResult(number, first, rows)
            places = range(first, first + rows)
            for name in self.table.scores.metrics:
                own = [self.find_scored(name, place) for place in places]
                result.scores[name] = BlockScores(own)
            yield result
            first += rows

    def find_scored(self, name: str, place: int) -> Scored:
        """Return the result of a metric for an answer in the first table."""
        if name in self.said:
            return self.said[name][place]
        scores = self.table.scores
        values = []
        for series in list_series([name]):
            value = float(scores.columns[series.key][place])
            values.append(None if value != value else value)  # NaN is no score
        return Scored(tuple(values), scores.reasons[name].get(place, ""))
