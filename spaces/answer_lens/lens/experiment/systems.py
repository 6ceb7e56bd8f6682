"""Finds the systems of a study, and matches their answers to the same questions.

A system is a file of answers, a column of answers, or the rows of a table that name the system.
Answers are about the same question if their references are equal, and the texts of their questions
if all tables have them. Their ids must be equal, too, if every answer has one. Without ids and
texts, if a system's references recur, the order of the rows must be equal, too. Several answers of
a system to one question are repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lens.experiment.index import NO_TEXT, AnswerIndex
from lens.experiment.question_keys import (
    UNMATCHED,
    choose_keys,
    list_rows,
    number_questions,
    select_system,
)
from lens.experiment.table_notes import count_rows
from lens.tables.roles import join_names
from lens.words.notes import Note, UserError
from lens.words.printed import name_systems, shorten_name

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    Array = NDArray[Any]
    Cluster = Sequence[int] | Array | None

MAX_SYSTEMS = 50
# The columns of an index that may identify the question of an answer.
QUESTION_COLUMNS = ["row", "id", "references", "question"]
# A message names at most this many systems.
MAX_NAMES = 5


@dataclass(frozen=True, eq=False)
class System:
    """A system, and its answers to the questions that all systems answer.

    Attributes:
        name: the name of the system.
        table: the number of the table with its answers, from 0.
        positions: the positions of its answers in the index of the table, from 0, in the order of
            the questions. A row with several answers has several positions.
        question: the number of each answer's question, from 0, in ascending order.
        label: the name in the table's column of systems; empty if all answers of the table are its
            own.
    """

    name: str
    table: int
    positions: Array
    question: Array
    label: str = ""

    @cached_property
    def has_repeats(self) -> bool:
        """True if the system has several answers to a question."""
        later_answers = self.question[1:]
        answers_before = self.question[:-1]
        is_repeat = later_answers == answers_before
        return bool(is_repeat.any())

    @property
    def questions(self) -> int:
        """The number of questions that all systems answer."""
        if not len(self.question):
            return 0
        return int(self.question[-1]) + 1

    def find_answers(self, question: int) -> list[int]:
        """Return the positions of the system's answers to a question."""
        start = self.question.searchsorted(question, "left")
        end = self.question.searchsorted(question, "right")
        positions: list[int] = self.positions[start:end].tolist()
        return positions


def match_systems(
    indexes: Sequence[AnswerIndex],
    names: Sequence[str],
    is_column_chosen: bool = False,
) -> tuple[list[System], list[Note]]:
    """Return the systems, with the questions that all of them answer, and notes on them.

    Args:
        indexes: the indexes of the tables.
        names: the names of the systems, unless a column has the names.
        is_column_chosen: whether the user chose the column of systems. A guessed column is ignored
            if its systems cannot be matched, or if the answers to their common questions are less
            than half of the table's.

    Raises:
        UserError: there are too many systems, they have no question in common, or their rows, which
            are matched by order, do not have the same order.
    """
    first = indexes[0]
    try:
        systems, notes = match_tables(indexes, names)
        if first.has_systems and not is_column_chosen:
            refuse_few_common(systems, first)
    except UserError as error:
        if is_column_chosen or not first.has_systems:
            raise
        values = {
            "column": shorten_name(first.roles.system),
            "why": error.note,
        }
        first.ignore_systems()
        systems, notes = match_tables(indexes, names)
        column_is_ignored = Note("systems.no_systems", values)
        notes.insert(0, column_is_ignored)
    return systems, notes


def refuse_few_common(systems: Sequence[System], index: AnswerIndex) -> None:
    """Raise UserError if less than half of the answers are to questions that all systems answer."""
    shared = sum(len(system.positions) for system in systems)
    if 2 * shared < len(index):
        raise UserError("systems.few_common", shared=shared, rows=len(index))


def match_tables(
    indexes: Sequence[AnswerIndex], names: Sequence[str]
) -> tuple[list[System], list[Note]]:
    """Return the systems of tables, with the questions that all of them answer, and notes."""
    systems = list_systems(indexes, names)
    count = len(systems)
    if count > MAX_SYSTEMS:
        raise UserError("systems.many_systems", count=count, limit=MAX_SYSTEMS)
    has_one_system = count == 1
    if has_one_system and not systems[0].label:
        return keep_all_questions(indexes[0], names[0])
    answers = list_answers(indexes, systems)
    is_unnamed = answers["system"] == UNMATCHED
    unnamed = answers[is_unnamed]
    if has_one_system and unnamed.empty:
        return keep_all_questions(indexes[0], names[0])

    answers = answers[~is_unnamed]
    system_names = [system.name for system in systems]
    has_questions = all(index.roles.question for index in indexes)
    keys = choose_keys(answers, has_questions, system_names)
    answers["question"] = number_questions(answers, keys.columns, count)
    is_left_out = answers["question"] == UNMATCHED
    if is_left_out.all():
        shown_names = join_names(system_names, MAX_NAMES)
        raise UserError(f"systems.nothing_common_{keys.kind}", names=shown_names)

    notes = []
    if not has_one_system:
        last_question = int(answers["question"].max())
        counts = {"systems": count, "questions": last_question + 1}
        notes.append(Note(f"systems.matched_{keys.kind}", counts))
    if not unnamed.empty:
        rows = list_rows(unnamed)
        notes.append(Note("systems.no_system", count_rows(rows)))
    matched = []
    for number, system in enumerate(systems):
        system_answers = select_system(answers, number)
        notes += describe_left_out(system, system_answers)
        matched_system = add_answers(system, system_answers)
        notes += describe_repeats(matched_system)
        matched.append(matched_system)
    return matched, notes


def add_answers(system: System, answers: DataFrame) -> System:
    """Return a system with its answers to the questions that all systems answer."""
    is_shared = answers["question"] != UNMATCHED
    shared = answers[is_shared]
    ordered = shared.sort_values(["question", "position"])
    positions = ordered["position"].to_numpy()
    question = ordered["question"].to_numpy()
    return replace(system, positions=positions, question=question)


def describe_left_out(system: System, answers: DataFrame) -> list[Note]:
    """Return a note on a system's answers to questions that not all systems answer."""
    is_left_out = answers["question"] == UNMATCHED
    left_out = answers[is_left_out]
    if left_out.empty:
        return []
    rows = list_rows(left_out)
    values = count_rows(rows)
    values["name"] = shorten_name(system.name)
    return [Note("systems.alone", values)]


def keep_all_questions(index: AnswerIndex, name: str) -> tuple[list[System], list[Note]]:
    """Return the only system, with one question per row, and a note if it has repeats."""
    import numpy as np

    positions = np.arange(len(index))
    rows = index.frame["row"]
    question = rows.to_numpy(dtype=int)
    system = System(name, 0, positions, question)
    notes = describe_repeats(system)
    return [system], notes


def describe_repeats(system: System) -> list[Note]:
    """Return a note if a system has several answers to a question."""
    if not system.has_repeats:
        return []
    values = {
        "name": shorten_name(system.name),
        "answers": len(system.positions),
        "questions": system.questions,
    }
    return [Note("systems.repeats", values)]


def list_systems(indexes: Sequence[AnswerIndex], names: Sequence[str]) -> list[System]:
    """Return the systems without their answers: one per table, or those in its column."""
    import numpy as np

    no_numbers = np.empty(0, dtype=int)
    systems = []
    for table, (index, name) in enumerate(zip(indexes, names, strict=True)):
        labels = [""]
        system_names = [name]
        if index.has_systems:
            labels = [label for label in index.systems if label]
            system_names = name_systems(labels, files=False)
        for label, system_name in zip(labels, system_names, strict=True):
            system = System(system_name, table, no_numbers, no_numbers, label)
            systems.append(system)
    return systems


def list_answers(indexes: Sequence[AnswerIndex], systems: Sequence[System]) -> DataFrame:
    """Return the answers of all tables.

    The columns are the position in the index, the number of the system, and the columns that
    identify the question. The text of the question is named "text" here, because "question" becomes
    the number of the question.
    """
    import numpy as np
    import pandas

    frames = []
    for table, index in enumerate(indexes):
        frame = index.frame.reindex(columns=QUESTION_COLUMNS, fill_value=NO_TEXT)
        frame = frame.rename(columns={"question": "text"})
        frame["position"] = np.arange(len(frame))
        numbers = number_labels(systems, table)
        if index.has_systems:
            labels = index.frame["system"]
            frame["system"] = [numbers.get(label, UNMATCHED) for label in labels]
        else:
            frame["system"] = numbers[""]
        frames.append(frame)
    return pandas.concat(frames, ignore_index=True)


def number_labels(systems: Sequence[System], table: int) -> dict[str, int]:
    """Return the number of each system of a table, by its label in the table."""
    numbers = {}
    for number, system in enumerate(systems):
        if system.table == table:
            numbers[system.label] = number
    return numbers


def cluster_questions(indexes: Sequence[AnswerIndex], systems: Sequence[System]) -> Cluster:
    """Return the cluster of each question; None if questions are independent.

    If one system has all answers of a table, the clusters are those of its rows. Otherwise only a
    column of the role "cluster" defines clusters.
    """
    import numpy as np

    first = systems[0]
    index = indexes[first.table]
    has_whole_table = len(systems) == 1 and not first.label
    if index.cluster is None:
        return None
    if not has_whole_table and not index.is_cluster_named:
        return None
    _, first_answers = np.unique(first.question, return_index=True)
    positions = first.positions[first_answers]
    clusters: Array = index.cluster[positions]
    return clusters
