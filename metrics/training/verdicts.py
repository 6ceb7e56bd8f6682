"""Human verdicts on answers: a JSON file in the form of EVOUNA (Wang et al. 2023, arXiv
2305.12421).

A list of questions, each with `question`, `golden_answer` (several, split by "/"), and for each
system `answer_<system>` and `judge_<system>` (true: a person found the answer correct); `improper`
is true where a question is to be left out. A verdict is missing where it is null or, as in EVOUNA's
own files, "nan".
"""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ANSWER, VERDICT = "answer_", "judge_"
# How EVOUNA's files write a verdict that is missing; pandas writes NaN, which is no text.
MISSING = "nan"
HAN = re.compile("[\u3400-\u9fff]")
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# The most words of an answer.
LENGTHS = {"short": 4, "medium": 20, "long": math.inf}


def words(text: str) -> int:
    r"""Return how many words a text has, as split by whitespace; a Chinese character is a word.

    >>> words(" Jane  Austen,\t1813"), words("曹雪芹 wrote 红楼梦"), words("")
    (3, 7, 0)
    """
    return len(WORD.findall(text))


@dataclass(frozen=True)
class Answer:
    """One system's answer to one question, and whether people found it right."""

    question: int
    system: str
    text: str
    right: bool

    @property
    def length(self) -> str:
        """Which of LENGTHS it has.

        >>> texts = ("", "a b c d", "曹雪芹 红楼梦", "a " * 20, "a " * 21)
        >>> [Answer(0, "", text, True).length for text in texts]
        ['short', 'short', 'medium', 'medium', 'long']
        """
        return next(name for name, most in LENGTHS.items() if words(self.text) <= most)


@dataclass(frozen=True)
class Verdicts:
    """All questions that count, their references, and all answers with a verdict.

    How much was left out, and why.
    """

    systems: tuple[str, ...]
    questions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    left_out: Mapping[str, int]
    digest: str

    def of(self, chosen: Sequence[int]) -> "Verdicts":
        """Return the same with only the questions at these positions."""
        place = {question: at for at, question in enumerate(chosen)}
        kept = [
            replace(one, question=place[one.question])
            for one in self.answers
            if one.question in place
        ]
        questions = tuple(self.questions[at] for at in chosen)
        references = tuple(self.references[at] for at in chosen)
        return replace(self, questions=questions, references=references, answers=tuple(kept))


def read(path: Path) -> Verdicts:
    """Read a file of verdicts.

    Questions marked improper are left out, and so is what lacks a reference, an answer or a verdict
    (null); all is counted. Anything else that is not in the form raises ValueError with the
    question's number, from 1, and the value.
    """
    raw = path.read_bytes()
    try:
        return parsed(json.loads(raw.decode("utf-8-sig")), hashlib.sha256(raw).hexdigest())
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def parsed(rows: list[dict[str, Any]], digest: str) -> Verdicts:
    """Return the verdicts of a file's questions."""
    systems = [
        name.removeprefix(ANSWER) for row in rows[:1] for name in row if name.startswith(ANSWER)
    ]
    questions: list[str] = []
    references: list[tuple[str, ...]] = []
    answers: list[Answer] = []
    left_out: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        for name in row:
            if name.startswith(ANSWER) and name.removeprefix(ANSWER) not in systems:
                raise ValueError(
                    f"question {number}: {name} is not in question 1; null stands for no answer"
                )
        field = partial(taken, row, number)
        listed = [part.strip() for part in (field("golden_answer", str) or "").split("/")]
        judged = {
            name: (field(ANSWER + name, str), field(VERDICT + name, bool)) for name in systems
        }
        if field("improper", bool):
            left_out["questions marked improper"] += 1
        elif not any(listed):
            left_out["questions without a reference"] += 1
        else:
            for system, (answer, right) in judged.items():
                if answer is None or right is None:
                    left_out[
                        "answers that are missing"
                        if answer is None
                        else "answers without a verdict"
                    ] += 1
                else:
                    answers.append(Answer(len(questions), system, answer, right))
            questions.append(field("question", str) or "")
            references.append(tuple(dict.fromkeys(filter(None, listed))))
    if not answers:
        raise ValueError(
            f"no answer has a verdict: {ANSWER}<system> and {VERDICT}<system> are expected"
        )
    # A system that has none cannot be ranked, nor any ranking with it.
    ranked = tuple(name for name in systems if any(answer.system == name for answer in answers))
    return Verdicts(
        ranked, tuple(questions), tuple(references), tuple(answers), dict(left_out), digest
    )


def taken(
    row: dict[str, Any],
    number: int,
    name: str,
    kind: type,
) -> Any:
    """Return a field of a question, or None for null and NaN.

    Raise ValueError where it is missing or of another type.
    """
    value = row.get(name, "missing")
    if value is None or value != value or (kind is bool and value == MISSING):
        return None
    if name not in row or not isinstance(value, kind):
        shown, expected = (
            json.dumps(value, ensure_ascii=False),
            "true or false" if kind is bool else "a text",
        )
        raise ValueError(f"question {number}: {name} is {shown:.80}; {expected} is expected")
    return value
