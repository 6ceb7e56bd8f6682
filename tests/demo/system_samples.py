"""Answers of five systems, from a good one to a bad one, to the same questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.demo.command_runs import Rows, write_jsonl

# The probability that a system's answer is right.
SKILL = {
    "a": 0.9,
    "b": 0.8,
    "c": 0.8,
    "d": 0.4,
    "e": 0.1,
}
QUESTIONS = range(40)


def answer_question(system: str, question: int, turn: int = 0) -> str:
    """Return a system's answer, which is right with the probability in SKILL.

    The same arguments always give the same answer. `turn` is the number of a repeated run, from 0.
    """
    luck = random.Random(f"{system} {question} {turn}").random()
    if luck < SKILL[system]:
        return f"It is city {question}."
    return f"It is a town, {system}."


def make_question(question: int) -> dict[str, Any]:
    """Return a row with a question and its reference, without an answer."""
    return {
        "id": f"q{question}",
        "question": f"Where is {question}?",
        "reference": f"city {question}",
    }


def make_system_rows(system: str, questions: Sequence[int] = QUESTIONS, turn: int = 0) -> Rows:
    """Return a system's rows with its answers to questions."""
    rows = []
    for question in questions:
        rows.append({**make_question(question), "answer": answer_question(system, question, turn)})
    return rows


def make_wide_rows(systems: Sequence[str]) -> Rows:
    """Return a row for each question, with one column of answers for each system."""
    rows = []
    for question in QUESTIONS:
        row = make_question(question)
        for system in systems:
            row[system] = answer_question(system, question)
        rows.append(row)
    return rows


def make_long_rows(systems: Sequence[str], column: str = "model") -> Rows:
    """Return a row for each answer of each system.

    Args:
        systems: the names of the systems.
        column: the column that names the system.
    """
    rows = []
    for system in systems:
        rows += set_cells(make_system_rows(system), **{column: system})
    return rows


def write_systems(
    folder: Path, systems: str = "abc", other_rows: Mapping[str, Rows] | None = None
) -> list[Path]:
    """Write a file for each system and return the paths.

    Args:
        folder: the folder to write to.
        systems: the names of the systems, one letter each.
        other_rows: rows by system, instead of those of `make_system_rows`.
    """
    paths = []
    for system in systems:
        rows = (other_rows or {}).get(system) or make_system_rows(system)
        paths.append(write_jsonl(folder / f"{system}.jsonl", rows))
    return paths


def drop_columns(rows: Rows, *names: str) -> Rows:
    """Return rows without some of their columns."""
    remaining_rows = []
    for row in rows:
        remaining_rows.append({name: cell for name, cell in row.items() if name not in names})
    return remaining_rows


def set_cells(rows: Rows, **cells: Any) -> Rows:
    """Return rows in which these cells are added or replaced."""
    return [row | cells for row in rows]


def select_rows(rows: Rows, **cells: Any) -> Rows:
    """Return the rows that have these cells."""
    return [row for row in rows if cells.items() <= row.items()]


def list_column(rows: Rows, name: str) -> list[Any]:
    """Return the cells of a column."""
    return [row[name] for row in rows]
