"""The sections of a report: as data, and as texts.

A section is a data frame whose columns have stable English names, with the columns that a reader
sees and the notes below the table. JSON has the frame. All other formats are made from
`SectionText`, which has the text of each cell and no numbers.

A column NAME of a frame may have companions: NAME_low and NAME_high are the ends of its interval,
NAME_n is its number of rows, and NAME_best tells if its cell is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lens.reports.cells import (
    DASH,
    format_decimal,
    format_interval,
    format_mean,
    format_p_value,
    format_rank,
    format_shares,
)
from lens.scoring.catalog import SERIES
from lens.study.result_columns import make_frame
from lens.words import say
from lens.words.formats import format_percent
from lens.words.notes import Note

if TYPE_CHECKING:
    from pandas import DataFrame

# The number of decimals, unless a column or the page has fewer.
DIGITS = 4
# The number of decimals of a figure in a note.
FIGURE_DIGITS = 2
# The mark after the header of a metric whose means do not rank systems as people do.
DOUBT = " †"
# The key of corpus BLEU, which is in the table of scores without being a series.
CORPUS_BLEU = "corpus_bleu"
SERIES_BY_KEY = {series.key: series for series in SERIES}

# A row of a frame: the values by column.
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column that a reader sees.

    Attributes:
        name: the column of the frame, or the common prefix of the columns that make a cell.
        head: the header, a note or a text.
        show: returns the text of a cell, given a row of the frame, the column and the number of
            decimals.
        digits: the largest number of decimals.
        is_name: whether it has names or texts, which come before all figures.
        is_doubted: whether its header gets the mark of doubt.
    """

    name: str
    head: Note | str
    show: Callable[[Row, Column, int], str]
    digits: int = DIGITS
    is_name: bool = False
    is_doubted: bool = False


@dataclass(frozen=True)
class Section:
    """A section of a report.

    Attributes:
        id: the id by which code finds the section.
        title: the title.
        frame: the numbers.
        columns: the shown columns; empty if no table is shown.
        notes: the notes below the table.
        codes: texts to copy, each with its name.
        begins: whether a new part of the report begins with it, as with the first section.
    """

    id: str
    title: Note
    frame: DataFrame = field(default_factory=make_frame)
    columns: Sequence[Column] = ()
    notes: Sequence[Note] = ()
    codes: Sequence[tuple[str, str]] = ()
    begins: bool = False


@dataclass(frozen=True)
class SectionText:
    """A section as texts, for writers of Markdown, LaTeX, plain text and HTML.

    Attributes:
        lines: the notes, each with a code or an empty text.
        best: the marked cells, by row and column.
        n_names: the number of columns of names, which come first.
    """

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[tuple[str, str]] = ()
    begins: bool = False
    best: frozenset[tuple[int, int]] = frozenset()
    n_names: int = 1
    id: str = ""

    def mark_best(self, form: str) -> list[list[str]]:
        """Return the rows, with marked cells in this format."""
        rows = [list(row) for row in self.rows]
        for row, column in self.best:
            cell = rows[row][column]
            rows[row][column] = form.format(cell)
        return rows


class Decimals(dict[str, float]):
    """Figures in a note, by the titles of their metrics; a page shows fewer decimals."""

    def format(self, digits: int) -> str:
        """Return the titles with their figures, as a text."""
        texts = {title: format_decimal(value, digits) for title, value in self.items()}
        return join_named(texts)


class NamedShares(dict[str, float]):
    """Shares in a note, by the names of their systems."""

    def __format__(self, form: str) -> str:
        texts = {name: format_percent(share) for name, share in self.items()}
        return join_named(texts)


class NamedRanks(dict[str, tuple[int, int]]):
    """The best and the worst ranks in a note, by the names of their systems."""

    def __format__(self, form: str) -> str:
        texts = {name: format_rank(*ranks) for name, ranks in self.items()}
        return join_named(texts)


class Figure(float):
    """A figure in a note, which is shown with two decimals."""

    def __format__(self, form: str) -> str:
        return f"{float(self):.{FIGURE_DIGITS}f}"


def join_named(texts: Mapping[str, str]) -> str:
    """Return texts as a list, each with its name before it: "gpt 40%, llama 35%"."""
    named = [f"{name} {text}" for name, text in texts.items()]
    return say("page.list_comma").join(named)


def format_sections(sections: Iterable[Section], digits: int = DIGITS) -> list[SectionText]:
    """Return sections as texts, with at most this number of decimals."""
    return [format_section(section, digits) for section in sections]


def format_section(section: Section, digits: int = DIGITS) -> SectionText:
    """Return a section as texts, with at most this number of decimals."""
    columns = section.columns
    records = section.frame.to_dict("records") if columns else []
    rows = []
    for record in records:
        cells = []
        for column in columns:
            shown_digits = min(digits, column.digits)
            cells.append(column.show(record, column, shown_digits))
        rows.append(cells)
    lines = [(format_note(note, digits), "") for note in section.notes]
    n_names = sum(column.is_name for column in columns)
    return SectionText(
        title=str(section.title),
        heads=[format_head(column) for column in columns],
        rows=rows,
        lines=[*lines, *section.codes],
        begins=section.begins,
        best=find_best_cells(records, columns),
        n_names=n_names or 1,
        id=section.id,
    )


def find_best_cells(
    records: Sequence[Row], columns: Sequence[Column]
) -> frozenset[tuple[int, int]]:
    """Return the row and column of each cell that is marked as the best."""
    best = set()
    for row, record in enumerate(records):
        for position, column in enumerate(columns):
            if record.get(f"{column.name}_best"):
                best.add((row, position))
    return frozenset(best)


def format_head(column: Column) -> str:
    """Return the header of a column, with the mark of doubt if the column is doubted."""
    head = str(column.head)
    if column.is_doubted:
        head += DOUBT
    return head


def format_note(note: Note, digits: int = DIGITS) -> str:
    """Return the text of a note, with this number of decimals in its figures."""
    values = dict(note.values)
    for name, value in note.values.items():
        if isinstance(value, Decimals):
            values[name] = value.format(digits)
    return str(Note(note.key, values))


def name_with_system(title: str, system: str) -> str:
    """Return a title with the name of the system; unchanged if the name is empty."""
    if not system:
        return title
    return say("report.title_of_system", title=title, system=system)


def make_report_note(key: str) -> Note:
    """Return a text of the section "report" in the words, as a note."""
    return Note(f"report.{key}")


def make_name_column(name: str, head: Note | str) -> Column:
    """Return a column of names or texts."""
    return Column(name, head, show_text, is_name=True)


def make_system_columns(is_comparison: bool) -> list[Column]:
    """Return the column of systems, in a list that is empty for a single system."""
    if not is_comparison:
        return []
    return [make_name_column("system", make_report_note("system"))]


def make_metric_column() -> Column:
    """Return the column of metrics, which shows titles instead of keys."""
    return Column("metric", make_report_note("metric"), show_metric, is_name=True)


def make_interval_column() -> Column:
    """Return the column of intervals from `low` to `high`."""
    return Column("interval", make_report_note("interval"), show_interval)


# Functions for `Column.show`: each returns the text of a cell in a row of the frame.


def show_text(row: Row, column: Column, digits: int) -> str:
    """Return a name or a text unchanged."""
    return str(row[column.name])


def show_metric(row: Row, column: Column, digits: int) -> str:
    """Return the title of a metric, given the key of its scores."""
    return find_scores_title(row[column.name])


def show_count(row: Row, column: Column, digits: int) -> str:
    """Return a count with separators of thousands."""
    return f"{row[column.name]:,}"


def show_decimal(row: Row, column: Column, digits: int) -> str:
    """Return a figure with decimals."""
    return format_decimal(row[column.name], digits)


def show_mean(row: Row, column: Column, digits: int) -> str:
    """Return a mean with half the width of its interval."""
    name = column.name
    low = row[f"{name}_low"]
    high = row[f"{name}_high"]
    return format_mean(row[name], low, high, digits)


def show_interval(row: Row, column: Column, digits: int) -> str:
    """Return the interval from `low` to `high`."""
    return format_interval(row["low"], row["high"], digits)


def show_percent(row: Row, column: Column, digits: int) -> str:
    """Return a share as a percentage."""
    return format_percent(row[column.name])


def show_percent_interval(row: Row, column: Column, digits: int) -> str:
    """Return the interval of a share from `low` to `high`."""
    return format_shares(row["low"], row["high"])


def show_p_value(row: Row, column: Column, digits: int) -> str:
    """Return a p-value."""
    return format_p_value(row[column.name])


def show_rank(row: Row, column: Column, digits: int) -> str:
    """Return the range of ranks from `best_rank` to `worst_rank`."""
    return format_rank(row["best_rank"], row["worst_rank"])


def show_wins(row: Row, column: Column, digits: int) -> str:
    """Return the numbers of questions won, tied and lost."""
    return f"{row['won']:,} / {row['tied']:,} / {row['lost']:,}"


def show_correlation(row: Row, column: Column, digits: int) -> str:
    """Return a correlation with its number of rows."""
    count = row[f"{column.name}_n"]
    if not count:
        return DASH
    rho = format_decimal(row[column.name], digits)
    return f"{rho} ({count:,})"


def show_source(row: Row, column: Column, digits: int) -> str:
    """Return the name of the source of a share, or of a difference of shares."""
    return name_source(row)


def name_source(row: Row) -> str:
    """Return the name of the source of a share: the verdicts, perhaps with a stand-in."""
    key = f"verdicts.{row['source']}"
    stand_in = row["stand_in"] or ""
    return say(key, read=row["n_read"], rows=row["rows"], by=stand_in)


def find_scores_title(key: str) -> str:
    """Return the title of scores, given their key."""
    if key == CORPUS_BLEU:
        return say("report.corpus")
    return SERIES_BY_KEY[key].title
