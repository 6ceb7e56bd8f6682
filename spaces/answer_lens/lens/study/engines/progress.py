"""How far a run is, in the terminal."""

from __future__ import annotations

import sys
from typing import Any

# Seconds between two signs of progress, in a terminal and in a log.
SECONDS, LOG_SECONDS = 0.3, 5.0


def progress(name: str, total: int) -> Any:
    """A bar of progress until the end of a block, whose `update` is told how many scores more are done."""
    from tqdm import tqdm

    seconds = SECONDS if sys.stderr.isatty() else LOG_SECONDS
    return tqdm(total=total, desc=name, unit=" scores", file=sys.stderr, mininterval=seconds)
