"""What there is to tell of the texts of a table: references that nobody split, worked solutions, final answers, empty
references, marks that may be those of thinking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from lens.tables.answer_texts import FINAL, NO_FINAL, REASONING
from lens.tables.cells import blank
from lens.tables.final_marks import BOXED, MARKERS, find_final, find_own_final
from lens.tables.roles import Item, Roles
from lens.tables.separators import LIST, Separators
from lens.tables.thinking_marks import UnknownMarks
from lens.words import say, sentences

# References are taken for worked solutions where so many of them are.
LEAST_WORKED = 0.8
TEX_BOX = r"\boxed{}"


class CellNotes:
    """Counts, row by row, what there is to tell of a table's texts."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.separators, self.unknown_marks = Separators(), UnknownMarks()
        # The rows by whether final answers were taken of their references, and by the score that was decided.
        self.references_read: dict[str, list[int]] = {}
        self.decided: dict[float, list[int]] = {}
        self.several = 0
        # How many references are worked solutions by their own marks, and which marks the answers beside them have.
        self.worked, self.answer_marks = Counter[str](), Counter[str]()

    def add(self, item: Item, row: int) -> None:
        """Note an answer in a row, and the references with the first answer."""
        if item.decided is not None:
            self.decided.setdefault(item.decided, []).append(row)
        if self.roles.reasoning == REASONING[0] and not self.roles.final:
            self.unknown_marks.add(item.prediction)
        if item.repeat:
            return
        self.separators.add(item.reference)
        self.several += item.needs_all
        if blank(item.reference):
            return
        if self.roles.final:
            self.references_read.setdefault(item.reference_read, []).append(row)
        elif isinstance(item.reference, str):
            self.note_worked_solution(item)

    def note_worked_solution(self, item: Item) -> None:
        """Count a reference that is a worked solution, and the marks of final answers in the answer."""
        own = find_own_final(str(item.reference))
        if own is None:
            return
        self.worked[own[0]] += 1
        self.answer_marks.update(mark for mark in (BOXED, *MARKERS) if find_final(item.prediction, mark) is not None)

    def describe(self) -> list[str]:
        """Return, in words, what there is to tell."""
        told = [*describe_separators(self.separators), *self.describe_worked(), *self.describe_final()]
        if self.several:
            told.append(say("f_needs_all", count=self.several))
        if self.decided:
            counts = {"right": len(self.decided.get(1.0, ())), "wrong": len(self.decided.get(0.0, ()))}
            told.append(say("f_abstain", count=sum(counts.values()), **counts))
        if unknown := self.unknown_marks.found():
            told.append(say("f_unknown_marks", **asdict(unknown)))
        return told

    def describe_worked(self) -> list[str]:
        """Return, in words, that the references are worked solutions, with the option for their final answers."""
        count = sum(self.worked.values())
        if not count or count < LEAST_WORKED * self.separators.rows:
            return []
        ((own, _),) = self.worked.most_common(1)
        final = self.answer_marks.most_common(1)[0][0] if self.answer_marks else own
        mark = TEX_BOX if own == BOXED else own
        return [say("f_worked", count=count, rows=self.separators.rows, mark=mark, final=final)]

    def describe_final(self) -> list[str]:
        """Return, in words, in how many rows final answers were taken of the references."""
        if FINAL not in self.references_read:
            return []
        return describe_rows("f_reference", {code: self.references_read.get(code, ()) for code in (FINAL, NO_FINAL)})

    def signature(self) -> str:
        """Return what of the reading of references moves scores, for the end of a signature."""
        parts = [("references:all", bool(self.several)), ("empty:abstain", bool(self.decided))]
        parts.append(("final_references:yes", FINAL in self.references_read))
        return "".join(f"|{part}" for part, holds in parts if holds)


def describe_separators(separators: Separators) -> list[str]:
    """Return what to tell of references in one text that nobody split: which option splits them, and in how many."""
    told = []
    found = separators.found()
    if found:
        key = "f_unsplit_list" if found.separator == LIST else "f_unsplit"
        others = say("list_comma").join(f"“{one}” ({count:,})" for one, count in found.others)
        more = say("f_unsplit_others", others=others) if others else ""
        told.append(sentences(say(key, separator=found.separator, count=found.count, rows=found.rows), more))
    if separators.unreadable:
        told.append(say("f_listlike", count=separators.unreadable))
    return told


def describe_rows(key: str, found: Mapping[str, Sequence[int]]) -> list[str]:
    """Return, in words, how many rows there are of each code, and the first of them."""
    return [
        say(f"{key}_{code}", count=len(rows), rows=", ".join(f"{row:,}" for row in rows[:5]) + ", …" * (len(rows) > 5))
        for code, rows in found.items()
        if rows
    ]
