"""Answers of five systems to the same questions, and their scoring on the page."""

from __future__ import annotations

import random
from typing import Any

from lens.page.files.file_scoring import FileScoring

from tests.demo.command_runs import Rows
from tests.demo.files_visits import ROLES, finish_scoring

NAMES = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
WORDS = "red green blue one two three four five".split()


def make_five_systems(count: int = 40) -> dict[str, Rows]:
    """Return five systems' answers to the same questions.

    The answers of the n-th system are right with probability 0.17 n.
    """
    rng = random.Random(3)
    references = [" ".join(rng.choices(WORDS, k=5)) for _ in range(count)]
    systems: dict[str, Rows] = {}
    for rank, name in enumerate(NAMES, 1):
        systems[name] = []
        for number, reference in enumerate(references):
            is_right = rng.random() < 0.17 * rank
            answer = reference if is_right else " ".join(rng.choices(WORDS, k=5))
            row = {
                "id": f"q{number}",
                "question": f"Which {number}?",
                "reference": reference,
                "prediction": answer,
                "human": answer == reference,
            }
            systems[name].append(row)
    return systems


def score_files(*files: Any, metrics: Any = ("lv_eval_f1", "rouge"), **roles: Any) -> FileScoring:
    """Score uploaded files and return the finished scoring."""
    return finish_scoring(FileScoring(files, ROLES | roles, metrics))
