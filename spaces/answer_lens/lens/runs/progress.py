"""What a run says in the terminal, and how far it is."""

from __future__ import annotations

import sys
from typing import Any

from lens.words.formats import UNPRINTABLE

# Seconds between two signs of progress, in a terminal and in a log.
SECONDS, LOG_SECONDS = 0.3, 5.0


def tell(text: str, file: Any = None) -> None:
    """Print a text, by default as an error; what a file brought along in it cannot steer a terminal."""
    print(UNPRINTABLE.sub("\ufffd", text), file=file or sys.stderr, flush=True)


def progress(name: str, total: int) -> Any:
    """A bar of progress until the end of a block, whose `update` is told how many scores more are done."""
    from tqdm import tqdm

    seconds = SECONDS if sys.stderr.isatty() else LOG_SECONDS
    return tqdm(total=total, desc=name, unit=" scores", file=sys.stderr, mininterval=seconds)
