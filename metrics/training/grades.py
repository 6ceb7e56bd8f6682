"""Grading sets: answers with references longer than a few words, and whether people found them
right or complete.

A folder of `.jsonl` or `.jsonl.gz` files, each a source of its own. A line has `question`,
`references` (a list of texts), `answer` and `right` (true or false); other fields are not read.
"""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple


class Graded(NamedTuple):
    """One answer that people graded: of which source, and whether it is right."""

    source: str
    question: str
    references: tuple[str, ...]
    answer: str
    right: bool


def read(folder: Path) -> tuple[list[Graded], str]:
    """Return the graded answers of a folder's files in the order of their names, and the SHA-256 of
    all files.

    Raises ValueError with file, line and value where something is not in the form, or no file is
    there.
    """
    found, digest = list[Graded](), hashlib.sha256()
    for path in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
        digest.update(raw)
        source = path.name.partition(".")[0]
        lines = enumerate(raw.decode("utf-8-sig").split("\n"), 1)
        found += [
            graded(source, line, f"{path.name}, line {number}")
            for number, line in lines
            if line.strip()
        ]
    if not found:
        raise ValueError(
            f"{folder} has no file whose name ends in .jsonl or .jsonl.gz with graded answers"
        )
    return found, digest.hexdigest()


def graded(source: str, line: str, where: str) -> Graded:
    """Return a line's answer.

    Raise ValueError with the place and the value where it is not in the form.
    """
    row: Any = json.loads(line)
    for name, kind, said in (
        ("question", str, "a text"),
        ("answer", str, "a text"),
        ("right", bool, "true or false"),
    ):
        if not isinstance(row.get(name) if isinstance(row, dict) else None, kind):
            raise ValueError(
                f"{where}: {name} is "
                f"{json.dumps(row)[:80] if not isinstance(row, dict) else row.get(name)!r:.80}; "
                f"{said} is expected"
            )
    references = row.get("references")
    if (
        not isinstance(references, list)
        or not references
        or not all(isinstance(one, str) for one in references)
    ):
        raise ValueError(f"{where}: references are {references!r:.80}; a list of texts is expected")
    return Graded(source, row["question"], tuple(references), row["answer"], row["right"])
