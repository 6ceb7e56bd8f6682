"""Notes on a table: skipped rows, and everything that a user may not expect.

Examples are thinking that was set aside, references that were not split, references that are worked
solutions, and unknown marks of thinking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from lens.experiment.answers import Answer
from lens.tables.answer_texts import FINAL, NO_FINAL
from lens.tables.cells import is_blank
from lens.tables.final_answer import ASIDE, UNFINISHED
from lens.tables.final_marks import BOXED, MARKERS, find_final, find_own_final
from lens.tables.roles import Roles
from lens.tables.separators import LIST, FoundSeparator, Separators
from lens.tables.thinking_marks import UnknownMarks
from lens.words.notes import Listing, Note, join_notes

# The note on worked solutions appears if at least this share of the references are such. A choice.
MIN_WORKED_SHARE = 0.8
TEX_BOX = r"\boxed{}"
# A note lists the numbers of at most this many rows.
MAX_ROWS = 5

# The numbers of rows, from 1, by the code of a note.
RowsByCode = dict[str, list[int]]


class RowNumbers(NamedTuple):
    """The first row numbers in a note, and whether there are more."""

    numbers: Sequence[int]
    has_more: bool

    def __str__(self) -> str:
        texts = [f"{number:,}" for number in self.numbers]
        if self.has_more:
            texts.append("…")
        return ", ".join(texts)


class SeparatorCount(NamedTuple):
    """A separator in a note, with the number of references that contain it."""

    separator: str
    n_references: int

    def __str__(self) -> str:
        return f"“{self.separator}” ({self.n_references:,})"


class TableNotes:
    """Collects what the notes on a table say, answer by answer.

    Attributes:
        skipped: the rows that are not scored, by the reason.
        scored_blank: the blank rows that are scored, by what is blank.
        answers_by_code: the rows by the codes of `read_answer`, which say what part of an answer is
            scored, and whether a final answer was found.
        references_by_code: the rows by the code of `read_final_references`.
        converted: the rows with cells that were converted to texts, by kind.
        decided: the rows that are decided without a metric, by their score.
        n_complete: the number of answers that have a text and a reference.
        has_cut_answer: whether any answer lost a part, so that not the whole cell is scored.
        n_needing_all: the number of rows whose score is the mean over all references.
        worked_solutions: the number of references that are worked solutions, by their mark.
        answer_marks: the number of answers to such references that have a mark, by the mark.
    """

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.skipped: RowsByCode = {}
        self.scored_blank: RowsByCode = {}
        self.answers_by_code: RowsByCode = {}
        self.converted: RowsByCode = {}
        self.n_complete = 0
        self.has_cut_answer = False
        self.separators = Separators()
        self.unknown_marks = UnknownMarks()
        self.references_by_code: RowsByCode = {}
        self.decided: dict[float, list[int]] = {}
        self.n_needing_all = 0
        self.worked_solutions = Counter[str]()
        self.answer_marks = Counter[str]()

    def add(self, answer: Answer, row: int) -> None:
        """Add an answer in a row, and with the first answer also the references of the row."""
        self.add_blank(answer, row)
        self.has_cut_answer = self.has_cut_answer or bool(answer.raw_prediction)
        for code in answer.left_out:
            self.answers_by_code.setdefault(code, []).append(row)
        for code in answer.converted:
            rows = self.converted.setdefault(code, [])
            if rows[-1:] != [row]:
                rows.append(row)
        if answer.decided is not None:
            self.decided.setdefault(answer.decided, []).append(row)
        reading = self.roles.reading
        if reading.reasoning == "aside" and not reading.final:
            self.unknown_marks.add_answer(answer.prediction)
        if answer.sample == 0:
            self.add_references(answer, row)

    def add_blank(self, answer: Answer, row: int) -> None:
        """Add what is blank in an answer."""
        reason = answer.find_blank()
        if not reason:
            self.n_complete += 1
        elif answer.skip_reason:
            self.skipped.setdefault(reason, []).append(row)
        elif answer.decided is None:
            self.scored_blank.setdefault(reason, []).append(row)

    def add_references(self, answer: Answer, row: int) -> None:
        """Add the references of a row."""
        if not answer.has_list:
            self.separators.add_reference(answer.references[0])
        self.n_needing_all += answer.needs_all
        if is_blank(list(answer.references)):
            return
        if self.roles.reading.final:
            self.references_by_code.setdefault(answer.reference_code, []).append(row)
        elif not answer.has_list:
            self.add_worked_solution(answer)

    def add_worked_solution(self, answer: Answer) -> None:
        """Count a reference that is a worked solution, and marks of final answers in the answer."""
        mark_and_answer = find_own_final(answer.references[0])
        if mark_and_answer is None:
            return
        reference_mark, _ = mark_and_answer
        self.worked_solutions[reference_mark] += 1
        for mark in (BOXED, *MARKERS):
            if find_final(answer.prediction, mark) is not None:
                self.answer_marks[mark] += 1

    def list_skipped(self) -> list[Note]:
        """Return notes on rows that are not scored."""
        return describe_rows("skipped", self.skipped)

    def list_answer_notes(self) -> list[Note]:
        """Return notes on the scored part of answers, and on scored blank rows."""
        # Rows whose thinking has no end are among those without an answer.
        rows_by_code = dict(self.answers_by_code)
        rows_by_code.pop(UNFINISHED, None)
        notes = describe_rows("left", rows_by_code)
        notes += describe_rows("empty", self.scored_blank)
        return notes

    def list_texts(self) -> list[Note]:
        """Return notes on the texts in the cells."""
        notes = describe_rows("cell_was", self.converted)
        notes += describe_separators(self.separators)
        notes += self.describe_worked()
        notes += self.describe_final()
        if self.n_needing_all:
            notes.append(Note("table.needs_all", {"count": self.n_needing_all}))
        if self.decided:
            notes.append(self.describe_decided())
        unknown = self.unknown_marks.find_most_frequent()
        if unknown:
            notes.append(Note("table.unknown_marks", asdict(unknown)))
        return notes

    def describe_decided(self) -> Note:
        """Return a note on rows that are decided without a metric, as their reference is blank."""
        right_rows = self.decided.get(1.0, [])
        wrong_rows = self.decided.get(0.0, [])
        values = {
            "count": len(right_rows) + len(wrong_rows),
            "right": len(right_rows),
            "wrong": len(wrong_rows),
        }
        return Note("table.abstain", values)

    def describe_worked(self) -> list[Note]:
        """Return a note on worked solutions as references, with the mark for option --final."""
        count = self.worked_solutions.total()
        if not count or count < MIN_WORKED_SHARE * self.separators.n_references:
            return []
        reference_mark = find_most_frequent(self.worked_solutions)
        shown_mark = TEX_BOX if reference_mark == BOXED else reference_mark
        # If no answer has a mark, the note names the mark of the references.
        answer_mark = reference_mark
        if self.answer_marks:
            answer_mark = find_most_frequent(self.answer_marks)
        values = {
            "count": count,
            "rows": self.separators.n_references,
            "mark": shown_mark,
            "final": answer_mark,
        }
        return [Note("table.worked", values)]

    def describe_final(self) -> list[Note]:
        """Return a note on the rows whose references' final answers were extracted."""
        if FINAL not in self.references_by_code:
            return []
        rows_by_code = {}
        for code in (FINAL, NO_FINAL):
            rows_by_code[code] = self.references_by_code.get(code, [])
        return describe_rows("reference", rows_by_code)

    def make_signature_part(self) -> str:
        """Return the options of reading that change scores, for the end of every signature.

        It is empty if no option does.
        """
        parts = ""
        if self.answers_by_code.keys() & {ASIDE, UNFINISHED}:
            parts += "|reasoning:aside"
            for pair in self.roles.reading.reasoning_tags:
                parts += f"|reasoning_tags:{escape_part(' '.join(pair))}"
        if FINAL in self.answers_by_code:
            parts += f"|final:{escape_part(self.roles.reading.final)}"
        if self.n_needing_all:
            parts += "|references:all"
        if self.decided:
            parts += "|empty:abstain"
        if FINAL in self.references_by_code:
            parts += "|final_references:yes"
        return parts


def find_most_frequent(marks: Counter[str]) -> str:
    """Return the most frequent mark; of equally frequent ones, the first."""
    ((mark, _),) = marks.most_common(1)
    return mark


def escape_part(text: str) -> str:
    """Escape the separator of a signature's parts in a text."""
    return text.replace("|", "%7C")


def describe_separators(separators: Separators) -> list[Note]:
    """Return notes on references that may need to be split, with the option that splits them."""
    notes = []
    unsplit = separators.find_most_frequent()
    if unsplit:
        notes.append(describe_unsplit(unsplit))
    if separators.unreadable:
        notes.append(Note("table.listlike", {"count": separators.unreadable}))
    return notes


def describe_unsplit(unsplit: FoundSeparator) -> Note:
    """Return a note on a separator that the user did not choose, and on less frequent ones."""
    key = "table.unsplit_list" if unsplit.separator == LIST else "table.unsplit"
    values = {
        "separator": unsplit.separator,
        "count": unsplit.count,
        "rows": unsplit.references,
    }
    note = Note(key, values)
    if not unsplit.less_frequent:
        return note
    separators = [SeparatorCount(*counted) for counted in unsplit.less_frequent]
    others = Note("table.unsplit_others", {"others": Listing(separators)})
    return join_notes(note, others)


def describe_rows(kind: str, rows_by_code: Mapping[str, Sequence[int]]) -> list[Note]:
    """Return one note per code, with the number of rows and the first row numbers."""
    notes = []
    for code, rows in rows_by_code.items():
        if rows:
            notes.append(Note(f"table.{kind}.{code}", count_rows(rows)))
    return notes


def count_rows(rows: Sequence[int]) -> dict[str, object]:
    """Return the number of rows, and the first row numbers, as the values of a note."""
    count = len(rows)
    first_rows = RowNumbers(rows[:MAX_ROWS], has_more=count > MAX_ROWS)
    return {"count": count, "rows": first_rows}
