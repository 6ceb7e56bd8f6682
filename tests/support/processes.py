"""Save time in the processes that tests start, and wait for what they do."""

import multiprocessing
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.support.models import WITH_MODEL
from tests.support.project import ROOT

# evaluate imports transformers, and with it torch, if they are installed. That takes seconds, and
# a metric without a model does not need it. In this folder, transformers is an empty package.
WITHOUT_TRANSFORMERS = str(ROOT / "tests" / "support" / "data" / "without_transformers")
# The context that starts Python functions in processes of their own. Except on Windows, they are
# forked from a process that has imported the slow packages, but no test.
START_METHOD = "spawn" if sys.platform == "win32" else "forkserver"
PROCESS_CONTEXT: Any = multiprocessing.get_context(START_METHOD)
if START_METHOD == "forkserver":
    PROCESS_CONTEXT.set_forkserver_preload(
        ["evaluate", "datasets", "openai", "pytest", "sentence_transformers"]
    )


def wait_until(condition: Callable[[], object]) -> None:
    """Wait up to 300 seconds until a condition is true.

    On a machine that has just started, importing Ray alone takes minutes.
    """
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, "the condition was not true within 300 seconds"
        time.sleep(0.02)


def make_search_path(*names: str) -> str:
    """Return the PYTHONPATH for a process that uses these metrics.

    It leaves transformers out, and is empty if a metric has a model.
    """
    needs_model = set(names) & set(WITH_MODEL)
    return "" if needs_model else WITHOUT_TRANSFORMERS
