"""Grading sets: answers with long references, and whether people found them right or complete.

A folder has `.jsonl` or `.jsonl.gz` files; each is one source. A line has `question`, `references`
(a list of texts), `answer` and `right` (true or false). Other fields are ignored.
"""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple


# The fields of a line, their types, and what an error message calls the type.
FIELDS = (
    ("question", str, "a text"),
    ("answer", str, "a text"),
    ("right", bool, "true or false"),
)


class Graded(NamedTuple):
    """One answer that people graded, with its source and whether it is right."""

    source: str
    question: str
    references: tuple[str, ...]
    answer: str
    right: bool


def read_grades(folder: Path) -> tuple[list[Graded], str]:
    """Return the graded answers in a folder's files, and the SHA-256 of all files.

    Files are read in the order of their names.

    Raises:
        ValueError: there is no such file, or a line has another form. The message has the file, the
            line and the value.
    """
    answers = list[Graded]()
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        digest.update(content)
        source = path.name.partition(".")[0]
        for number, line in enumerate(content.decode("utf-8-sig").split("\n"), 1):
            if line.strip():
                answers.append(parse_answer(source, line, f"{path.name}, line {number}"))
    if not answers:
        raise ValueError(
            f"{folder} has no file whose name ends in .jsonl or .jsonl.gz with graded answers"
        )
    return answers, digest.hexdigest()


def parse_answer(source: str, line: str, place: str) -> Graded:
    """Return the answer in a line.

    Raises:
        ValueError: the line has another form. The message has its place and the value.
    """
    row: Any = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError(f"{place}: {line:.80} is no object with a question and an answer")
    for name, kind, expected in FIELDS:
        value = row.get(name)
        if not isinstance(value, kind):
            raise ValueError(f"{place}: {name} is {value!r:.80}; {expected} is expected")
    references: Any = row.get("references")
    is_list = isinstance(references, list) and bool(references)
    if not is_list or not all(isinstance(text, str) for text in references):
        raise ValueError(f"{place}: references are {references!r:.80}; a list of texts is expected")
    return Graded(source, row["question"], tuple(references), row["answer"], row["right"])
