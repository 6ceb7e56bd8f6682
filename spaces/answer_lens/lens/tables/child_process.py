"""Reads a visitor's file in a child process with limits on memory and time.

So a malicious file cannot use up the memory or the time of the server, and its texts are not
logged. The child gets a language and paths. It writes one line of JSON: what it read, or
{"problem": a message in that language}.

Cells with lists or objects are sent as {"json": their text}. Parsed, they would take many times as
much memory in the server.
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

# The longest time that the server waits for the child.
WAIT_SECONDS = 30
# The environment variables that Python needs to start. The child gets no API key.
PASSED_VARIABLES = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
)
# The limits of the child: the bytes of memory, and the seconds of processor time.
MAX_MEMORY_BYTES = 1_000_000_000
MAX_PROCESSOR_SECONDS = 20


def run_reader(program: Sequence[str], *paths: str) -> Mapping[str, Any]:
    """Run a program that reads a visitor's files, and return what it read.

    Raises:
        UserError: the files cannot be read, or the program reached a limit.
    """
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
        # The program ended before it wrote a message. A signal ended it if it reached a limit.
        if child.returncode > 0:
            raise UserError("file.failed", error=child.returncode) from None
        raise UserError("file.bomb") from None
    if "problem" in answer:
        error = WrongEncoding if answer.get("encoding") else UserError
        raise error("page.as_it_is", text=answer["problem"])
    return answer


def make_environment() -> dict[str, str]:
    """Return the environment of the child: no API keys, and one thread for numerical libraries."""
    environment = {
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    for name in PASSED_VARIABLES:
        if name in os.environ:
            environment[name] = os.environ[name]
    return environment


def restore_nested(value: dict[str, Any]) -> Any:
    """Return a `Nested` for {"json": text}; other objects are returned unchanged."""
    if value.keys() == {"json"} and isinstance(value["json"], str):
        return Nested(value["json"])
    return value


def limit_process() -> None:
    """Limit the memory and the time of this process, if the system can do so; Windows cannot."""
    try:
        import resource
    except ImportError:
        return
    limits = {
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_CPU: MAX_PROCESSOR_SECONDS,
    }
    for kind, limit in limits.items():
        _, hard_limit = resource.getrlimit(kind)
        if hard_limit != resource.RLIM_INFINITY:
            limit = min(limit, hard_limit)
        try:
            resource.setrlimit(kind, (limit, hard_limit))
        except (ValueError, OSError):
            # macOS may refuse a memory limit.
            if sys.platform != "darwin":
                raise


def write_answer(read: Callable[..., dict[str, Any]]) -> None:
    """Write what the files contain, or why they cannot be read, as JSON to the standard output.

    This runs in the child process, whose arguments are a language and paths.
    """
    _, chosen, *paths = sys.argv
    with speaking(chosen):
        try:
            # Inside `try`, because this step may also run out of memory.
            text = json.dumps(read(*paths), ensure_ascii=False)
        except UserError as error:
            text = json.dumps({"problem": str(error), "encoding": isinstance(error, WrongEncoding)})
        except (MemoryError, RecursionError):
            text = json.dumps({"problem": say("file.bomb")})
        # A malformed file can raise any error. The message names its type, and shows nothing of the
        # file.
        except Exception as error:
            text = json.dumps({"problem": say("file.failed", error=type(error).__name__)})
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
