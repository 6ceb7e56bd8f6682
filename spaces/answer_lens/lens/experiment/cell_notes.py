"""What there is to tell of the texts of a table: references that nobody split, worked solutions, final answers, empty
references, marks that may be those of thinking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from lens.experiment.answers import Answer
from lens.tables.answer_texts import FINAL, NO_FINAL, REASONING
from lens.tables.cells import blank
from lens.tables.final_marks import BOXED, MARKERS, find_final, find_own_final
from lens.tables.roles import Roles
from lens.tables.separators import LIST, Separators, Unsplit
from lens.tables.thinking_marks import UnknownMarks
from lens.words import say, sentences

# References are taken for worked solutions where so many of them are.
LEAST_WORKED = 0.8
TEX_BOX = r"\boxed{}"
# Of rows with the same code, the numbers of so many are told.
MAX_ROWS = 5


class CellNotes:
    """Counts, row by row, what there is to tell of a table's texts."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.separators = Separators()
        self.unknown_marks = UnknownMarks()
        # The rows by whether final answers were taken of their references, and by the score that was decided.
        self.references_read: dict[str, list[int]] = {}
        self.decided: dict[float, list[int]] = {}
        self.several = 0
        # How many references are worked solutions by their own marks, and which marks the answers beside them have.
        self.worked = Counter[str]()
        self.answer_marks = Counter[str]()

    def add(self, item: Answer, row: int) -> None:
        """Note an answer in a row, and the references with the first answer."""
        if item.decided is not None:
            self.decided.setdefault(item.decided, []).append(row)
        if self.roles.reasoning == REASONING[0] and not self.roles.final:
            self.unknown_marks.add(item.prediction)
        if item.sample:
            return
        if not item.has_list:
            self.separators.add(item.references[0])
        self.several += item.needs_all
        if blank(list(item.references)):
            return
        if self.roles.final:
            self.references_read.setdefault(item.reference_read, []).append(row)
        elif not item.has_list:
            self.note_worked_solution(item)

    def note_worked_solution(self, item: Answer) -> None:
        """Count a reference that is a worked solution, and the marks of final answers in the answer."""
        own = find_own_final(item.references[0])
        if own is None:
            return
        mark, _ = own
        self.worked[mark] += 1
        for mark in (BOXED, *MARKERS):
            if find_final(item.prediction, mark) is not None:
                self.answer_marks[mark] += 1

    def describe(self) -> list[str]:
        """Return, in words, what there is to tell."""
        notes = [*describe_separators(self.separators), *self.describe_worked(), *self.describe_final()]
        if self.several:
            notes.append(say("f_needs_all", count=self.several))
        if self.decided:
            right, wrong = (len(self.decided.get(score, ())) for score in (1.0, 0.0))
            notes.append(say("f_abstain", count=right + wrong, right=right, wrong=wrong))
        unknown = self.unknown_marks.find_commonest()
        if unknown:
            notes.append(say("f_unknown_marks", **asdict(unknown)))
        return notes

    def describe_worked(self) -> list[str]:
        """Return, in words, that the references are worked solutions, with the option for their final answers."""
        count = self.worked.total()
        if not count or count < LEAST_WORKED * self.separators.rows:
            return []
        ((own, _),) = self.worked.most_common(1)
        mark = TEX_BOX if own == BOXED else own
        # Where no answer has a mark, the references' own is named.
        ((final, _),) = self.answer_marks.most_common(1) or [(own, 0)]
        return [say("f_worked", count=count, rows=self.separators.rows, mark=mark, final=final)]

    def describe_final(self) -> list[str]:
        """Return, in words, in how many rows final answers were taken of the references."""
        if FINAL not in self.references_read:
            return []
        rows = {code: self.references_read.get(code, ()) for code in (FINAL, NO_FINAL)}
        return describe_rows("f_reference", rows)

    def signature(self) -> str:
        """Return what of the reading of references moves scores, for the end of a signature."""
        parts = ""
        if self.several:
            parts += "|references:all"
        if self.decided:
            parts += "|empty:abstain"
        if FINAL in self.references_read:
            parts += "|final_references:yes"
        return parts


def describe_separators(separators: Separators) -> list[str]:
    """Return what to tell of references in one text that nobody split: which option splits them, and in how many."""
    notes = []
    unsplit = separators.find_commonest()
    if unsplit:
        notes.append(describe_unsplit(unsplit))
    if separators.unreadable:
        notes.append(say("f_listlike", count=separators.unreadable))
    return notes


def describe_unsplit(unsplit: Unsplit) -> str:
    """Return, in words, a separator that nobody named, and further ones."""
    key = "f_unsplit_list" if unsplit.separator == LIST else "f_unsplit"
    note = say(key, separator=unsplit.separator, count=unsplit.count, rows=unsplit.rows)
    if not unsplit.others:
        return note
    others = [f"“{separator}” ({count:,})" for separator, count in unsplit.others]
    return sentences(note, say("f_unsplit_others", others=say("list_comma").join(others)))


def describe_rows(key: str, rows_by_code: Mapping[str, Sequence[int]]) -> list[str]:
    """Return, in words, how many rows there are of each code, and the first of them."""
    notes = []
    for code, rows in rows_by_code.items():
        if rows:
            notes.append(say(f"{key}_{code}", count=len(rows), rows=format_rows(rows)))
    return notes


def format_rows(rows: Sequence[int]) -> str:
    """Return the numbers of the first rows, for a message."""
    numbers = ", ".join(f"{row:,}" for row in rows[:MAX_ROWS])
    return f"{numbers}, …" if len(rows) > MAX_ROWS else numbers
