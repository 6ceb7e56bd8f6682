"""Shows the progress of a run in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lens.study.engines.blocks import OnProgress
from lens.words.printed import show_name

# The seconds between two updates, in a terminal and in a log.
SECONDS, LOG_SECONDS = 0.3, 5.0


@contextmanager
def show_progress(name: str, scores: int) -> Iterator[OnProgress]:
    """Show a progress bar until the end of the block.

    The given function must be called with the number of new scores.
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
