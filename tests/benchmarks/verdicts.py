"""Human verdicts on answers: a JSON file in the form of EVOUNA (Wang et al. 2023, arXiv 2305.12421).

A list of questions, each with `question`, `golden_answer` (several, split by "/"), and for each system
`answer_<system>` and `judge_<system>` (true: a person found the answer correct); `improper` is true where a question is
to be left out. A verdict is missing where it is null or, as in EVOUNA's own files, "nan".
"""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANSWER, VERDICT = "answer_", "judge_"
# How EVOUNA's files write a verdict that is missing; pandas writes NaN, which is no text.
MISSING = "nan"
SHOWN = 80
HAN = re.compile("[\u3400-\u9fff]")
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# Words of an answer: from, to.
LENGTHS: dict[str, tuple[int, int | None]] = {"short": (0, 4), "medium": (5, 20), "long": (21, None)}


def words(text: str) -> int:
    """Return how many words a text has, as split by whitespace; a Chinese character is a word.

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
    def words(self) -> int:
        """How many words the answer has."""
        return words(self.text)

    @property
    def length(self) -> str:
        """Which of LENGTHS it has."""
        return next(name for name, (_, most) in LENGTHS.items() if most is None or self.words <= most)


@dataclass(frozen=True)
class Verdicts:
    """All questions that count, their references, and all answers with a verdict; how much was left out, and why."""

    systems: tuple[str, ...]
    questions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    left_out: Mapping[str, int]
    digest: str

    def of(self, chosen: Sequence[int]) -> "Verdicts":
        """Return the same with only the questions at these positions."""
        place = {question: at for at, question in enumerate(chosen)}
        kept = [one for one in self.answers if one.question in place]
        answers = tuple(Answer(place[one.question], one.system, one.text, one.right) for one in kept)
        questions = tuple(self.questions[at] for at in chosen)
        references = tuple(self.references[at] for at in chosen)
        return Verdicts(self.systems, questions, references, answers, self.left_out, self.digest)


def read(path: Path) -> Verdicts:
    """Read a file of verdicts.

    Questions marked improper are left out, and so is what lacks a reference, an answer or a verdict (null); all is
    counted. Anything else that is not in the form raises ValueError with the question's number, from 1, and the value.
    """
    raw = path.read_bytes()
    try:
        return parsed(json.loads(raw.decode("utf-8-sig")), hashlib.sha256(raw).hexdigest())
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path.name}: JSON in UTF-8 is expected: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def parsed(rows: Any, digest: str) -> Verdicts:
    """Return the verdicts of a file's questions."""
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"a list of questions is expected, got {shown(rows)}")
    systems = system_names(rows[0])
    questions: list[str] = []
    references: list[tuple[str, ...]] = []
    answers: list[Answer] = []
    left_out: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        found, listed = judged(row, number, systems), golden(row, number)
        text, improper = field(row, number, "question", str), field(row, number, "improper", bool)
        if improper or not listed:
            left_out["questions marked improper" if improper else "questions without a reference"] += 1
            continue
        for system, (answer, right) in found.items():
            if answer is None or right is None:
                left_out["answers that are missing" if answer is None else "answers without a verdict"] += 1
            else:
                answers.append(Answer(len(questions), system, answer, right))
        questions.append(text or "")
        references.append(listed)
    if not answers:
        raise ValueError("no answer has a verdict")
    # A system that has none cannot be ranked, nor any ranking with it.
    systems = tuple(name for name in systems if any(answer.system == name for answer in answers))
    return Verdicts(systems, tuple(questions), tuple(references), tuple(answers), dict(left_out), digest)


def shown(value: Any) -> str:
    """Return a value for an error message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def system_names(row: Any) -> tuple[str, ...]:
    """Return the names of the systems, in the order of the first question's fields."""
    fields = row if isinstance(row, dict) else {}
    found = tuple(name.removeprefix(ANSWER) for name in fields if name.startswith(ANSWER))
    if not found:
        raise ValueError(f"question 1: fields {ANSWER}<system> and {VERDICT}<system> are expected, got {shown(row)}")
    return found


def field(row: Any, number: int, name: str, kind: type) -> Any:
    """Return a field of a question, or None for null and NaN; ValueError where it is missing or of another type."""
    if not isinstance(row, dict) or name not in row:
        raise ValueError(f"question {number}: {name} is missing in {shown(row)}")
    if (isinstance(row[name], float) and math.isnan(row[name])) or (kind is bool and row[name] == MISSING):
        return None
    if row[name] is not None and not isinstance(row[name], kind):
        expected = "true or false" if kind is bool else "a text"
        raise ValueError(f"question {number}: {name} is {shown(row[name])}; {expected} is expected")
    return row[name]


def judged(row: Any, number: int, systems: Sequence[str]) -> dict[str, tuple[str | None, bool | None]]:
    """Return each system's answer and its verdict; ValueError for a system that question 1 has not."""
    unknown(row, number, systems)
    return {
        name: (field(row, number, ANSWER + name, str), field(row, number, VERDICT + name, bool)) for name in systems
    }


def unknown(row: Any, number: int, systems: Collection[str]) -> None:
    """Raise ValueError for an answer of a system that is none of these."""
    for name in row if isinstance(row, dict) else ():
        if name.startswith(ANSWER) and name.removeprefix(ANSWER) not in systems:
            raise ValueError(f"question {number}: {name} is not in question 1; write null where a system has no answer")


def golden(row: Any, number: int) -> tuple[str, ...]:
    """Return the distinct references of a question."""
    listed = field(row, number, "golden_answer", str) or ""
    return tuple(dict.fromkeys(part.strip() for part in listed.split("/") if part.strip()))
