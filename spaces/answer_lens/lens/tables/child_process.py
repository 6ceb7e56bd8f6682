"""A stranger's file is read by a child process with limits on its memory and its time.

Nothing in it can take the memory or the time of the server. Its texts go into no log. The child
gets a language and paths, and writes one line of JSON: what it read, or {"problem"}, in words of
that language.

Cells that hold lists or objects come as {"json": their text}: what they hold would take many times
its length in the memory of the server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lens import SPACE
from lens.tables.cells import Nested
from lens.tables.text_files import WrongEncoding
from lens.words import language, say, speaking
from lens.words.notes import UserError

WAIT_SECONDS = 30
# Of the environment, what Python needs to start; the reader of a stranger's file gets no key.
PASSED_ON = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
)
MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 20


def run_reader(program: Sequence[str], *paths: str) -> Mapping[str, Any]:
    """Return what a program that reads a stranger's file says of it, or UserError."""
    try:
        child = subprocess.run(
            [sys.executable, *program, language(), *paths],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=WAIT_SECONDS,
            env=make_environment(),
            cwd=SPACE,
        )
    except subprocess.TimeoutExpired:
        raise UserError("file.bomb") from None
    try:
        answer: dict[str, Any] = json.loads(child.stdout, object_hook=restore_nested)
    except ValueError:
        # It was stopped before it could say why: by a signal, if it reached a limit.
        if child.returncode > 0:
            raise UserError("file.failed", error=child.returncode) from None
        raise UserError("file.bomb") from None
    if "problem" in answer:
        error = WrongEncoding if answer.get("encoding") else UserError
        raise error("page.as_it_is", text=answer["problem"])
    return answer


def make_environment() -> dict[str, str]:
    """Return the environment of the child, which gets no key and one thread for its computing."""
    environment = {
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    for name in PASSED_ON:
        if name in os.environ:
            environment[name] = os.environ[name]
    return environment


def restore_nested(value: dict[str, Any]) -> Any:
    """Return a cell that holds lists or objects; other objects stay what they are."""
    if value.keys() == {"json"} and isinstance(value["json"], str):
        return Nested(value["json"])
    return value


def limit_process() -> None:
    """Hold this process to its memory and time, where the system can; Windows cannot."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, MAX_SECONDS)):
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        try:
            resource.setrlimit(kind, (most, hard))
        except (ValueError, OSError):
            # macOS may refuse a limit of memory.
            if sys.platform != "darwin":
                raise


def write_answer(read: Callable[..., dict[str, Any]]) -> None:
    """Write what is in files, or why they cannot be read.

    This is the work of the child, which is given a language and paths.
    """
    _, chosen, *paths = sys.argv
    with speaking(chosen):
        try:
            # Written here, for this too may take more memory than there is.
            text = json.dumps(read(*paths), ensure_ascii=False)
        except UserError as error:
            text = json.dumps({"problem": str(error), "encoding": isinstance(error, WrongEncoding)})
        except (MemoryError, RecursionError):
            text = json.dumps({"problem": say("file.bomb")})
        # whatever a strange file brings about: its kind is said, and nothing of the file
        except Exception as error:
            text = json.dumps({"problem": say("file.failed", error=type(error).__name__)})
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
