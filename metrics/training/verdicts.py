"""Human verdicts on answers: a JSON file in the form of EVOUNA.

EVOUNA: Wang et al. 2023, arXiv 2305.12421. The file is a list of questions. Each has `question`,
`golden_answer` (references separated by "/"), and for each system `answer_<system>` and
`judge_<system>` (true if a person found the answer correct). A question is left out if `improper`
is true. A verdict is missing if it is null or, as in EVOUNA's own files, "nan".
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

# The beginnings of the fields of a system.
ANSWER, VERDICT = "answer_", "judge_"
# A missing verdict in EVOUNA's files; pandas writes NaN, which is no text.
MISSING = "nan"
HAN = re.compile("[\u3400-\u9fff]")
# A Chinese character, or other characters between white space.
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# The most words of an answer of each length.
LENGTHS = {"short": 4, "medium": 20, "long": math.inf}


def count_words(text: str) -> int:
    r"""Return the number of words between white space; each Chinese character is a word.

    >>> count_words(" Jane  Austen,\t1813"), count_words("曹雪芹 wrote 红楼梦"), count_words("")
    (3, 7, 0)
    """
    return len(WORD.findall(text))


@dataclass(frozen=True)
class Answer:
    """One system's answer to one question, with people's verdict."""

    question: int
    system: str
    text: str
    right: bool

    @property
    def length(self) -> str:
        """Its length, as one of LENGTHS.

        >>> texts = ("", "a b c d", "曹雪芹 红楼梦", "a " * 20, "a " * 21)
        >>> [Answer(0, "", text, True).length for text in texts]
        ['short', 'short', 'medium', 'medium', 'long']
        """
        return next(name for name, most in LENGTHS.items() if count_words(self.text) <= most)


@dataclass(frozen=True)
class Verdicts:
    """The questions of a file with their references, and the answers that have a verdict.

    Attributes:
        left_out: how many questions and answers were left out, by the reason.
        digest: the SHA-256 of the file.
    """

    systems: tuple[str, ...]
    questions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    left_out: Mapping[str, int]
    digest: str

    def select_questions(self, places: Sequence[int]) -> "Verdicts":
        """Return the verdicts on the questions at some places only, in this order."""
        new_places = {place: new_place for new_place, place in enumerate(places)}
        answers = []
        for answer in self.answers:
            if answer.question in new_places:
                answers.append(replace(answer, question=new_places[answer.question]))
        questions = tuple(self.questions[place] for place in places)
        references = tuple(self.references[place] for place in places)
        return replace(self, questions=questions, references=references, answers=tuple(answers))


def read_verdicts(path: Path) -> Verdicts:
    """Read a file of verdicts.

    Questions marked improper or without a reference are left out, and so are answers that are
    missing or have no verdict; all of them are counted.

    Raises:
        ValueError: the file has another form. The message has the question's number, from 1, and
            the value.
    """
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    try:
        return parse_verdicts(json.loads(content.decode("utf-8-sig")), digest)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def parse_verdicts(rows: list[dict[str, Any]], digest: str) -> Verdicts:
    """Return the verdicts in the questions of a file."""
    systems = list_systems(rows)
    questions: list[str] = []
    references: list[tuple[str, ...]] = []
    answers: list[Answer] = []
    left_out: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        question = parse_question(row, number, systems)
        if question.improper:
            left_out["questions marked improper"] += 1
            continue
        if not question.references:
            left_out["questions without a reference"] += 1
            continue
        for system, (answer, right) in question.judged.items():
            if answer is None:
                left_out["answers that are missing"] += 1
            elif right is None:
                left_out["answers without a verdict"] += 1
            else:
                answers.append(Answer(len(questions), system, answer, right))
        questions.append(question.text)
        references.append(question.references)
    if not answers:
        raise ValueError(
            f"no answer has a verdict: {ANSWER}<system> and {VERDICT}<system> are expected"
        )
    # A system without answers cannot be ranked.
    answering = {answer.system for answer in answers}
    return Verdicts(
        systems=tuple(name for name in systems if name in answering),
        questions=tuple(questions),
        references=tuple(references),
        answers=tuple(answers),
        left_out=dict(left_out),
        digest=digest,
    )


def list_systems(rows: list[dict[str, Any]]) -> list[str]:
    """Return the names of the systems, which are those in the first question.

    Raises:
        ValueError: a later question has an answer of another system.
    """
    names = [[name for name in row if name.startswith(ANSWER)] for row in rows]
    first = names[0] if names else []
    for number, row_names in enumerate(names, 1):
        for name in row_names:
            if name not in first:
                raise ValueError(
                    f"question {number}: {name} is not in question 1; null stands for no answer"
                )
    return [name.removeprefix(ANSWER) for name in first]


@dataclass(frozen=True)
class Question:
    """A question of a file.

    Attributes:
        judged: the answer of each system and the verdict on it; None if one is missing.
        improper: whether the question is marked as improper; None stands for no.
    """

    text: str
    references: tuple[str, ...]
    judged: Mapping[str, tuple[str | None, bool | None]]
    improper: bool | None


def parse_question(row: dict[str, Any], number: int, systems: Sequence[str]) -> Question:
    """Return a question of a file, given its number, from 1.

    Raises:
        ValueError: a field is missing, or has another type.
    """
    read = partial(read_field, row, number)
    parts = (read("golden_answer", str) or "").split("/")
    stripped = [part.strip() for part in parts]
    references = tuple(dict.fromkeys(filter(None, stripped)))
    judged = {}
    for name in systems:
        judged[name] = (read(ANSWER + name, str), read(VERDICT + name, bool))
    improper = read("improper", bool)
    text = ""
    # An improper question, or one without a reference, needs no text.
    if references and not improper:
        text = read("question", str) or ""
    return Question(text, references, judged, improper)


def read_field(
    row: dict[str, Any],
    number: int,
    name: str,
    kind: type,
) -> Any:
    """Return a field of a question, or None if it is null or NaN.

    Raises:
        ValueError: the field is missing, or has another type.
    """
    value = row.get(name, "missing")
    # NaN differs from itself.
    is_nan = value != value or (kind is bool and value == MISSING)
    if value is None or is_nan:
        return None
    if name not in row or not isinstance(value, kind):
        shown = json.dumps(value, ensure_ascii=False)
        expected = "true or false" if kind is bool else "a text"
        raise ValueError(f"question {number}: {name} is {shown:.80}; {expected} is expected")
    return value
