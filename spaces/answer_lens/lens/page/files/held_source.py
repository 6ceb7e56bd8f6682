"""A table that is stored in memory for a visitor, because uploaded files are deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from lens.experiment.answers import Answer, make_answer
from lens.page.tab import VisitorFile
from lens.scoring.block_scores import BlockResult, BlockScores
from lens.scoring.catalog import BY_NAME, list_series
from lens.scoring.row_scores import RowResult
from lens.scoring.table_scores import list_column_scores
from lens.scoring.work import MAX_ANSWER_CHARACTERS, count_characters
from lens.study.tables import AnswerTable, ReadText
from lens.tables.cells import ColumnType, find_column_type, is_missing, split_answers
from lens.tables.file_reading import Row
from lens.tables.roles import NothingToScore, Roles
from lens.tables.untrusted import MAX_ROWS
from lens.words.notes import UserError, join_notes
from lens.words.printed import shorten_name


class HeldSource:
    """The source of a table of answers that is stored for a session.

    Attributes:
        file: the file.
        roles: the column of each role.
        held: the answers in the order of the table.
    """

    def __init__(self, file: VisitorFile, roles: Roles) -> None:
        """Read the answers of a file.

        Args:
            file: the file.
            roles: the column of each role.

        Raises:
            UserError: a cell does not fit the role of its column, or there is too much to score.
        """
        self.file = file
        self.roles = roles
        self.name = file.name
        self.held: list[Answer] = []
        # The positions of the answers whose cells are missing.
        self.missing: set[int] = set()
        columns = {name: file.table.cells(name) for name in roles.columns()}
        for cells in number_answers(columns, roles.prediction):
            self.hold_answer(cells)

    def hold_answer(self, cells: AnswerCells) -> None:
        """Add an answer; UserError if there are too many, or if it cannot be scored."""
        place = len(self.held)
        prediction = self.roles.prediction
        if place == MAX_ROWS:
            name = shorten_name(prediction)
            raise UserError("table.many_answers", column=name, limit=MAX_ROWS)
        if is_missing(cells.row.get(prediction)):
            self.missing.add(place)
        answer = make_short_answer(cells, self.roles)
        self.held.append(answer)

    @property
    def origin(self) -> object:
        """The file, which several columns of answers share."""
        return self.file

    @property
    def model(self) -> str:
        """The model that a log names."""
        return self.file.table.model

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """The columns of the scored file."""
        table = self.file.table
        columns: dict[str, Sequence[Any]] = dict(table.columns)
        has_samples = any(answer.sample for answer in self.held)
        if has_samples:
            # A value in an object becomes a column.
            prediction = self.roles.prediction
            columns[prediction] = table.cells(prediction)
        return columns

    @property
    def column_types(self) -> Mapping[str, ColumnType]:
        """The type of each column of the scored file."""
        types = {name: find_column_type(cells) for name, cells in self.columns.items()}
        prediction = self.roles.prediction
        if prediction in types:
            types[prediction] = "text"
        return types

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
        for cells in number_answers(self.columns, self.roles.prediction):
            yield cells.row

    def rows_with_answers(self) -> Iterator[tuple[Row, Answer]]:
        """Yield each answer with its cells."""
        return zip(self.rows(), self.held, strict=True)

    @contextmanager
    def open_texts(self) -> Iterator[ReadText]:
        """Yield a function that returns the text of the answer at a position."""

        def read_text(place: int) -> str | None:
            if place in self.missing:
                return None
            return self.held[place].prediction

        yield read_text

    def explain(self, error: NothingToScore) -> NothingToScore:
        """Return an error whose message also says how the file was read."""
        return NothingToScore(join_notes(self.file.table.reading_notes, error.note))

    def check_unchanged(self, extra_row: object = None) -> None:
        """Do nothing, because nobody else can change the table."""


class AnswerCells(NamedTuple):
    """The cells of an answer.

    Attributes:
        number: the number of its row in the file, from 1.
        sample: the number of the answer within its cell.
        row: the cells of its row, with this answer alone.
    """

    number: int
    sample: int
    row: Row


def number_answers(columns: Mapping[str, Sequence[Any]], prediction: str) -> Iterator[AnswerCells]:
    """Yield the cells of each answer; `prediction` is the column of answers."""
    rows_of_cells = zip(*columns.values(), strict=True)
    for number, cells in enumerate(rows_of_cells, 1):
        row = dict(zip(columns, cells, strict=True))
        for sample, own_row in split_answers(row, prediction):
            yield AnswerCells(number, sample, own_row)


def make_short_answer(cells: AnswerCells, roles: Roles) -> Answer:
    """Return an answer.

    Raises:
        UserError: a cell does not fit the role of its column, or scoring the row takes too long.
    """
    answer = make_answer(cells.row, roles, cells.number, cells.sample)
    length = count_characters(answer.prediction, answer.references)
    if length > MAX_ANSWER_CHARACTERS:
        raise UserError(
            "files_tab.row_long",
            row=cells.number,
            count=len(answer.references),
            length=length,
            limit=MAX_ANSWER_CHARACTERS,
        )
    return answer


class HeldTable(AnswerTable):
    """A table that is stored for a session, with its index and scores."""

    def __init__(self, file: VisitorFile, roles: Roles) -> None:
        """Read the answers of a file.

        Args:
            file: the file.
            roles: the column of each role.
        """
        source = HeldSource(file, roles)
        super().__init__(source)
        self.file = file
        self.answers = source.held


class HeldResults:
    """The results of a study's first table, which are stored for opened rows and downloads.

    The scores are in the table. Only results of judges and estimates are stored here.
    """

    def __init__(self, table: AnswerTable) -> None:
        self.table = table
        # The results of judges and estimates by metric, in the order of the rows.
        self.kept: dict[str, list[RowResult]] = {}

    def keep(self, table: int, result: BlockResult) -> None:
        """Store the results of judges and estimates for a block of the first table.

        The blocks of a metric must be stored in order.
        """
        if table != 0:
            return
        for name, scores in result.scores.items():
            metric = BY_NAME[name]
            if metric.judge or metric.estimate:
                stored = self.kept.setdefault(name, [])
                stored.extend(scores.rows)

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of the first table, block by block."""
        table_scores = self.table.scores
        first = 0
        for number, rows in sorted(table_scores.block_rows.items()):
            result = BlockResult(number, first, rows)
            places = range(first, first + rows)
            for name in table_scores.metrics:
                scored = [self.find_scored(name, place) for place in places]
                result.scores[name] = BlockScores(scored)
            yield result
            first += rows

    def find_scored(self, name: str, place: int) -> RowResult:
        """Return the result of a metric for an answer in the first table."""
        if name in self.kept:
            return self.kept[name][place]
        scores = self.table.scores
        values = []
        for series in list_series([name]):
            column = scores.columns[series.key]
            values += list_column_scores(column[place : place + 1])
        reason = scores.reasons[name].get(place, "")
        return RowResult(tuple(values), reason)
