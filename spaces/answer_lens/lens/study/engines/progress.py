"""Shows the progress of a run in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lens.study.engines.blocks import OnProgress
from lens.words.printed import show_name

# The seconds between two updates, in a terminal and in a log.
TERMINAL_SECONDS = 0.3
LOG_SECONDS = 5.0


@contextmanager
def show_progress(name: str, scores: int) -> Iterator[OnProgress]:
    """Show a progress bar while the `with` statement runs.

    Call the yielded function with the number of new scores.
    """
    from tqdm import tqdm

    seconds = TERMINAL_SECONDS if sys.stderr.isatty() else LOG_SECONDS
    with tqdm(
        total=scores,
        desc=show_name(name),
        unit=" scores",
        file=sys.stderr,
        mininterval=seconds,
    ) as bar:
        yield bar.update
