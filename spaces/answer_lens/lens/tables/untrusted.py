"""A visitor's file, read by a child process (tables/visitors_file.py), so that nothing in it can take this one's
memory or time. Its texts go into no log.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens import DATA, SPACE
from lens.tables.cells import Nested
from lens.tables.read import KINDS
from lens.tables.visitors_file import MAX_BYTES
from lens.words import say

READER = ("-m", "lens.tables.visitors_file")
EXAMPLE = DATA / "examples" / "made_up_judge_check.csv"
WAIT_SECONDS = 30
# Of the environment, what Python needs to start; the reader of a stranger's file gets no key.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "TMPDIR", "TEMP")


class BadFile(Exception):
    """A file that cannot be checked, in words for the page."""


@dataclass(frozen=True)
class Table:
    """The rows of a file: the names of all columns, and the columns that were asked for."""

    names: Sequence[str]
    rows: int
    columns: Mapping[str, list[Any]]


def read_upload(path: str | os.PathLike[str], everything: bool = False) -> Table:
    """The rows of a file that was uploaded, which is deleted, whatever is in it; or BadFile."""
    place = Path(path)
    try:
        with place.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:  # deleted by another reading of the very same file
        raise BadFile(say("file_unsent")) from None
    finally:
        place.unlink(missing_ok=True)
    return read(place.name, data, everything)


def read(name: str, data: bytes, everything: bool = False) -> Table:
    """The rows of a file with the columns of the judge check, or with `everything`; or BadFile."""
    plain = name.lower().removesuffix(".gz")
    kind, packed = KINDS.get(Path(plain).suffix, ""), plain != name.lower()
    if not kind or (packed and kind == "parquet"):
        raise BadFile(say("file_kind_unknown"))
    if len(data) > MAX_BYTES:
        raise BadFile(say("file_bytes", limit=MAX_BYTES // 1_000_000))
    return Table(**by_child([*READER, kind, "all" if everything else "", "gz" if packed else ""], data))


def by_child(program: Sequence[str], data: bytes) -> Mapping[str, Any]:
    """What a program that reads a stranger's file says of it, or BadFile."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    given: dict[str, Any] = {"capture_output": True, "timeout": WAIT_SECONDS, "env": environment, "cwd": SPACE}
    try:
        done = subprocess.run([sys.executable, *program], input=data, **given)
    except subprocess.TimeoutExpired:
        raise BadFile(say("file_bomb")) from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout, object_hook=nested)
    except ValueError:  # stopped before it could say why: by a signal where a limit was reached
        told = say("file_failed", error=done.returncode) if done.returncode > 0 else say("file_bomb")
        raise BadFile(told) from None
    if "problem" in answer:
        raise BadFile(worded(answer["problem"], answer["values"]))
    return answer


def worded(problem: str, values: Mapping[str, Any]) -> str:
    """What is wrong with a file in words, behind its name where there are several (`within`)."""
    name = values.get("within")
    return f"{name}: {say(problem, **values)}" if name else say(problem, **values)


def nested(value: dict[str, Any]) -> Any:
    """A cell that holds lists or objects; other objects stay what they are."""
    return Nested(value["json"]) if value.keys() == {"json"} and isinstance(value["json"], str) else value
