"""Count the lines of Python that some work runs: a measure of its loops that
no busy machine moves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tests.support.pattern_steps import TooMany


def count_lines(work: Callable[[], object], most: int = 10_000_000) -> int:
    """Return how many lines some work runs; what it refuses ends it.

    Raises:
        TooMany: there are more than `most`.
    """
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        if count > most:
            raise TooMany
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except (ValueError, RecursionError):
        pass
    except Exception as error:
        if type(error).__name__ not in ("UserError", "NoScore", "NoVerdict"):
            raise
    finally:
        sys.settrace(before)
    return count
