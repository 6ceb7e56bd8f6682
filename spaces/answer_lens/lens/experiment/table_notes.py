"""What there is to tell of a table: rows that are not scored, and what a reader may not expect.

For instance thinking that was set aside, references that nobody split, worked solutions, marks that
may be those of thinking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from lens.experiment.answers import Answer
from lens.tables.answer_texts import FINAL, NO_FINAL, REASONING
from lens.tables.cells import is_blank
from lens.tables.final_answer import ASIDE, UNFINISHED
from lens.tables.final_marks import BOXED, MARKERS, find_final, find_own_final
from lens.tables.roles import Roles
from lens.tables.separators import LIST, Separators, Unsplit
from lens.tables.thinking_marks import UnknownMarks
from lens.words.notes import Listing, Note, join_notes

# References are taken for worked solutions where so many of them are.
LEAST_WORKED = 0.8
TEX_BOX = r"\boxed{}"
# Of rows with the same code, the numbers of so many are told.
MAX_ROWS = 5

# The numbers of rows, from 1, by what is to be told of them.
RowsByCode = dict[str, list[int]]


class RowNumbers(NamedTuple):
    """The numbers of rows within a note, and whether there are more."""

    numbers: Sequence[int]
    has_more: bool

    def __str__(self) -> str:
        texts = [f"{number:,}" for number in self.numbers]
        if self.has_more:
            texts.append("…")
        return ", ".join(texts)


class SeparatorCount(NamedTuple):
    """A separator within a note, and in how many references it stands."""

    separator: str
    references: int

    def __str__(self) -> str:
        return f"“{self.separator}” ({self.references:,})"


class TableNotes:
    """Counts, answer by answer, what there is to tell of a table.

    Attributes:
        skipped: the rows that are not scored, by their reason; `scored_blank` those that are scored
            all the same.
        left_out: the rows of whose answers something was left out; `converted` those with cells
            that are no texts but count as one.
        complete: how many answers have both an answer and a reference.
        has_raw: whether the text of some answer is not what is scored.
    """

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.skipped: RowsByCode = {}
        self.scored_blank: RowsByCode = {}
        self.left_out: RowsByCode = {}
        self.converted: RowsByCode = {}
        self.complete = 0
        self.has_raw = False
        self.separators = Separators()
        self.unknown_marks = UnknownMarks()
        # The rows by whether final answers were taken of their references, and by the score that
        # was decided.
        self.references_read: RowsByCode = {}
        self.decided: dict[float, list[int]] = {}
        self.several = 0
        # How many references are worked solutions by their own marks, and which marks the answers
        # beside them have.
        self.worked = Counter[str]()
        self.answer_marks = Counter[str]()

    def add(self, answer: Answer, row: int) -> None:
        """Note an answer in a row, and the references with the first answer of the row."""
        self.add_blank(answer, row)
        self.has_raw = self.has_raw or bool(answer.raw_prediction)
        for code in answer.left_out:
            self.left_out.setdefault(code, []).append(row)
        for code in answer.converted:
            rows = self.converted.setdefault(code, [])
            if rows[-1:] != [row]:
                rows.append(row)
        if answer.decided is not None:
            self.decided.setdefault(answer.decided, []).append(row)
        if self.roles.reading.reasoning == REASONING[0] and not self.roles.reading.final:
            self.unknown_marks.add_answer(answer.prediction)
        if answer.sample == 0:
            self.add_references(answer, row)

    def add_blank(self, answer: Answer, row: int) -> None:
        """Note what is blank of an answer."""
        reason = answer.find_blank()
        if not reason:
            self.complete += 1
        elif answer.skip_reason:
            self.skipped.setdefault(reason, []).append(row)
        elif answer.decided is None:
            self.scored_blank.setdefault(reason, []).append(row)

    def add_references(self, answer: Answer, row: int) -> None:
        """Note the references of a row."""
        if not answer.has_list:
            self.separators.add_reference(answer.references[0])
        self.several += answer.needs_all
        if is_blank(list(answer.references)):
            return
        if self.roles.reading.final:
            self.references_read.setdefault(answer.reference_read, []).append(row)
        elif not answer.has_list:
            self.add_worked_solution(answer)

    def add_worked_solution(self, answer: Answer) -> None:
        """Count a reference that is a worked solution, and marks of final answers in the answer."""
        own = find_own_final(answer.references[0])
        if own is None:
            return
        mark, _ = own
        self.worked[mark] += 1
        for mark in (BOXED, *MARKERS):
            if find_final(answer.prediction, mark) is not None:
                self.answer_marks[mark] += 1

    def list_skipped(self) -> list[Note]:
        """Return which rows are not scored."""
        return describe_rows("skipped", self.skipped)

    def list_left_out(self) -> list[Note]:
        """Return what of the answers is not scored, and which blank ones are."""
        # Where thinking has no end, the rows are told among those without an answer.
        left_out = {code: rows for code, rows in self.left_out.items() if code != UNFINISHED}
        notes = describe_rows("left", left_out)
        notes += describe_rows("empty", self.scored_blank)
        return notes

    def list_texts(self) -> list[Note]:
        """Return what there is to tell of the texts in the cells."""
        notes = describe_rows("cell_was", self.converted)
        notes += describe_separators(self.separators)
        notes += self.describe_worked()
        notes += self.describe_final()
        if self.several:
            notes.append(Note("table.needs_all", {"count": self.several}))
        if self.decided:
            notes.append(self.describe_decided())
        unknown = self.unknown_marks.find_most_frequent()
        if unknown:
            notes.append(Note("table.unknown_marks", asdict(unknown)))
        return notes

    def describe_decided(self) -> Note:
        """Return how many rows are right or wrong without a metric, as their reference is blank."""
        right = len(self.decided.get(1.0, ()))
        wrong = len(self.decided.get(0.0, ()))
        values = {"count": right + wrong, "right": right, "wrong": wrong}
        return Note("table.abstain", values)

    def describe_worked(self) -> list[Note]:
        """Return that the references are worked solutions, and the option that reads their ends."""
        count = self.worked.total()
        if not count or count < LEAST_WORKED * self.separators.rows:
            return []
        ((own, _),) = self.worked.most_common(1)
        mark = TEX_BOX if own == BOXED else own
        # Where no answer has a mark, the references' own is named.
        ((final, _),) = self.answer_marks.most_common(1) or [(own, 0)]
        values = {
            "count": count,
            "rows": self.separators.rows,
            "mark": mark,
            "final": final,
        }
        return [Note("table.worked", values)]

    def describe_final(self) -> list[Note]:
        """Return in how many rows final answers were taken of the references."""
        if FINAL not in self.references_read:
            return []
        rows = {code: self.references_read.get(code, []) for code in (FINAL, NO_FINAL)}
        return describe_rows("reference", rows)

    def signature(self) -> str:
        """Return what of the reading moves scores, for the end of every signature.

        It is empty if nothing does.
        """
        parts = ""
        if self.left_out.keys() & {ASIDE, UNFINISHED}:
            parts += "|reasoning:aside"
            for pair in self.roles.reading.reasoning_tags:
                parts += f"|reasoning_tags:{escape_part(' '.join(pair))}"
        if FINAL in self.left_out:
            parts += f"|final:{escape_part(self.roles.reading.final)}"
        if self.several:
            parts += "|references:all"
        if self.decided:
            parts += "|empty:abstain"
        if FINAL in self.references_read:
            parts += "|final_references:yes"
        return parts


def escape_part(text: str) -> str:
    """Return a text without the sign that separates the parts of a signature."""
    return text.replace("|", "%7C")


def describe_separators(separators: Separators) -> list[Note]:
    """Return notes on references in one text that nobody split.

    Each names the option that splits them, and how many there are.
    """
    notes = []
    unsplit = separators.find_most_frequent()
    if unsplit:
        notes.append(describe_unsplit(unsplit))
    if separators.unreadable:
        notes.append(Note("table.listlike", {"count": separators.unreadable}))
    return notes


def describe_unsplit(unsplit: Unsplit) -> Note:
    """Return a separator that nobody named, and further ones."""
    key = "table.unsplit_list" if unsplit.separator == LIST else "table.unsplit"
    values = {"separator": unsplit.separator, "count": unsplit.count, "rows": unsplit.rows}
    note = Note(key, values)
    if not unsplit.others:
        return note
    others = [SeparatorCount(separator, count) for separator, count in unsplit.others]
    return join_notes(note, Note("table.unsplit_others", {"others": Listing(others)}))


def describe_rows(kind: str, rows_by_code: Mapping[str, Sequence[int]]) -> list[Note]:
    """Return how many rows there are of each code, and the first of them."""
    notes = []
    for code, rows in rows_by_code.items():
        if rows:
            notes.append(Note(f"table.{kind}.{code}", count_rows(rows)))
    return notes


def count_rows(rows: Sequence[int]) -> dict[str, object]:
    """Return how many rows these are, and the numbers of the first of them, for a note."""
    first = RowNumbers(rows[:MAX_ROWS], has_more=len(rows) > MAX_ROWS)
    return {"count": len(rows), "rows": first}
