"""Count the lines of Python that a function runs.

The count measures its loops and, unlike seconds, does not depend on how busy the machine is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tests.support.pattern_steps import TooMany

# Work is linear if a text of twice the length runs at most MOST_TIMES as many lines and FIXED_LINES
# more. 2.5 instead of 2 is a tolerance. The fixed lines are those of the first call that the second
# one finds in a cache.
MOST_TIMES, FIXED_LINES = 2.5, 3_000


def count_lines(work: Callable[[], object], most: int = 10_000_000) -> int:
    """Return how many lines of Python `work` runs.

    If `work` refuses its input with an exception, the lines until then count.

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
