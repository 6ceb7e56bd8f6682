"""Measure how often correctness_estimate judges hard answers correctly, by kinds.

Run: make hard-answers

The answers are in hard_answers.jsonl.gz: one in a line, with its question, reference and verdict.
People wrote them to look right or wrong. The five sets of 2,009 answers were written without sight
of the code; the attacks were written in sight of it, against its rules. An answer is judged
correctly if its score is at least 0.5 and it is right, or below 0.5 and it is wrong. The tables are
written into metrics/benchmarks/README.md.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from metrics.benchmarks.report import format_table, write_section
from metrics.correctness_estimate.scoring import PROBABILITY, grade_answer

HERE = Path(__file__).parent
ANSWERS = HERE / "hard_answers.jsonl.gz"
PAGE = HERE / "README.md"
FREE_ANSWERS = "all but the attacks"
ATTACKS = ("first attack", "second attack")  # sets that were written in sight of the rules
THRESHOLD = 0.5  # a score from here on says that an answer is right
SURE = 0.9  # above this, or below 1 - SURE, a score is confident


class HardAnswer(NamedTuple):
    """An answer with people's verdict."""

    source: str
    kind: str
    question: str
    reference: str
    answer: str
    right: bool


class Judged(NamedTuple):
    """A hard answer with its score and what that may be taken for."""

    case: HardAnswer
    score: float
    interpretation: str

    @property
    def is_correct(self) -> bool:
        """Whether the score says what people say."""
        return (self.score >= THRESHOLD) == self.case.right

    @property
    def is_probability(self) -> bool:
        """Whether the score is called a probability."""
        return self.interpretation == PROBABILITY

    @property
    def is_confidently_wrong(self) -> bool:
        """Whether a score that is called a probability is sure of the contrary."""
        sureness = self.score if not self.case.right else 1 - self.score
        return self.is_probability and sureness > SURE


def read_answers() -> list[HardAnswer]:
    """Return all hard answers, in the order of the file."""
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        return [HardAnswer(**json.loads(line)) for line in lines]


def score_answers(cases: Iterable[HardAnswer]) -> list[Judged]:
    """Return hard answers with their scores."""
    judged = list[Judged]()
    for case in cases:
        grade = grade_answer(case.answer, case.reference, case.question)
        judged.append(Judged(case, grade.score, grade.interpretation))
    return judged


def measure_share(judged: Sequence[Judged]) -> float:
    """Return the share of answers that are judged correctly, 0..1; at least one answer."""
    return sum(one.is_correct for one in judged) / len(judged)


def list_groups(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Yield the answers of each kind and of each set, first those that are no attacks."""
    groups = defaultdict[str, list[Judged]](list)
    for one in judged:
        is_attack = one.case.source in ATTACKS
        groups[one.case.source if is_attack else one.case.kind].append(one)
    yield FREE_ANSWERS, [one for one in judged if one.case.source not in ATTACKS]
    yield from groups.items()


def format_groups(judged: Sequence[Judged]) -> str:
    """Return the table of shares, a row for each kind and each attack."""
    titles = [
        "answers",
        "number",
        "judged correctly",
        "right ones",
        "wrong ones",
        "confidently wrong",
    ]
    rows = list[list[str]]()
    for name, group in list_groups(judged):
        right = [one for one in group if one.case.right]
        wrong = [one for one in group if not one.case.right]
        n_probability = sum(one.is_probability for one in group)
        n_wrong = sum(one.is_confidently_wrong for one in group)
        shares = [f"{measure_share(some):.2f}" for some in (group, right, wrong)]
        rows.append([name, f"{len(group):,}", *shares, f"{n_wrong} of {n_probability}"])
    return format_table(titles, rows)


def main() -> int:
    """Print the table, write it into the page and return 0."""
    table = format_groups(score_answers(read_answers()))
    print(table)
    write_section(PAGE, "hard answers", table, "make hard-answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
