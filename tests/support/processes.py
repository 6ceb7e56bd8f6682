"""Start processes for tests without imports that take long and are not needed there."""

import multiprocessing
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.support.models import WITH_MODEL
from tests.support.project import ROOT

# evaluate imports transformers, and with it torch, if they are installed. That takes seconds, and
# is useless for a metric without a model. This folder has an empty package in place of
# transformers.
WITHOUT_TRANSFORMERS = str(ROOT / "tests" / "support" / "data" / "without_transformers")
# Processes are forked from one that has imported the slow packages. They share no state.
FORKED: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
if sys.platform != "win32":
    FORKED.set_forkserver_preload(
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
    """Return the PYTHONPATH for a process that uses only these metrics; "" if one has a model."""
    return "" if set(names) & set(WITH_MODEL) else WITHOUT_TRANSFORMERS
