"""Processes of their own for tests, without what takes long to import and is not needed there."""

import multiprocessing
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.support.models import WITH_MODEL
from tests.support.project import ROOT

# evaluate imports transformers, and with it torch, wherever they are installed: seconds of work,
# and for nothing where no model is asked.
WITHOUT_TRANSFORMERS = str(ROOT / "tests" / "support" / "data" / "without_transformers")
# Forked from one process that has imported what takes long; what one of them does, no other sees.
FORKED: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
if sys.platform != "win32":
    FORKED.set_forkserver_preload(
        ["evaluate", "datasets", "openai", "pytest", "sentence_transformers"]
    )


def wait_until(there: Callable[[], object]) -> None:
    """Wait until something is there: on a machine that has just started, Ray alone takes minutes to
    be read.
    """
    end = time.monotonic() + 300
    while not there():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def make_search_path(*names: str) -> str:
    """Return the PYTHONPATH for a process that computes with these metrics and no others."""
    return "" if set(names) & set(WITH_MODEL) else WITHOUT_TRANSFORMERS
