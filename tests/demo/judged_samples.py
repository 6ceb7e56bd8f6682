"""Rows with a judge's verdict on each and a person's verdict on some."""

from __future__ import annotations

import random
from typing import Any

from lens.page.files import files_form
from lens.page.files.files_reading import Files

from tests.demo.command_runs import Rows
from tests.demo.files_visits import read_choices, send_rows

ESTIMATE = "correctness_estimate"


def make_judged_rows(
    count: int = 200,
    read: int = 40,
    accuracy: float = 0.85,
    seed: int = 3,
    name: str = "it is",
) -> Rows:
    """Return rows with a judge's verdict on each and a person's on some.

    Args:
        count: the number of rows; 70% of the answers are right.
        read: the number of rows with a person's verdict, which is always correct.
        accuracy: the probability that the judge's verdict is correct.
        seed: the seed of the random numbers.
        name: the words before each answer, by which a system can be told from another.
    """
    rng = random.Random(seed)
    rows: Rows = []
    for number in range(count):
        is_right = rng.random() < 0.7
        agrees = rng.random() < accuracy
        city = "Paris" if is_right else "Rome"
        row: dict[str, Any] = {
            "id": f"q{number}",
            "question": f"Where is {number}?",
            "reference": f"Paris {number}",
            "prediction": f"{name} {city} {number}.",
            "judge_verdict": int(is_right == agrees),
            "human": "",
        }
        rows.append(row)
    for row in rng.sample(rows, read):
        row["human"] = "right" if "Paris" in row["prediction"] else "wrong"
    return rows


def is_disputed(row: dict[str, Any]) -> bool:
    """Return whether the person and the judge have different verdicts on a row."""
    if not row["human"]:
        return False
    return bool(row["human"] == "right") != bool(row["judge_verdict"])


def select_read(rows: Rows) -> Rows:
    """Return the rows that a person has read."""
    return [row for row in rows if row["human"]]


def guess_choices(rows: Rows) -> dict[str, Any]:
    """Return the columns that the page chooses for a file with these rows."""
    return read_choices(files_form.show_choices(Files([send_rows(rows)])))
