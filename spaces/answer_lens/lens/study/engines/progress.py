"""How far a run is, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lens.study.engines.blocks import OnProgress
from lens.words.printed import show_name

# Seconds between two signs of progress, in a terminal and in a log.
SECONDS, LOG_SECONDS = 0.3, 5.0


@contextmanager
def show_progress(name: str, scores: int) -> Iterator[OnProgress]:
    """Show a bar until the end of the block.

    What it gives is told how many scores more are done.
    """
    from tqdm import tqdm

    seconds = SECONDS if sys.stderr.isatty() else LOG_SECONDS
    with tqdm(
        total=scores,
        desc=show_name(name),
        unit=" scores",
        file=sys.stderr,
        mininterval=seconds,
    ) as bar:
        yield bar.update
