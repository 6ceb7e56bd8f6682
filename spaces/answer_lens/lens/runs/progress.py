"""What a run says in the terminal, and how far it is: bars, or lines in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from lens.words.formats import UNPRINTABLE

LINE_SECONDS = 5.0


def tell(text: str, file: Any = None) -> None:
    """Print a text, by default as an error; what a file brought along in it cannot steer a terminal."""
    print(UNPRINTABLE.sub("\ufffd", text), file=file or sys.stderr, flush=True)


@contextmanager
def bars(names: Sequence[str], rows: int) -> Iterator[Callable[[str, int], None]]:
    """Progress of each metric, told by its name and how many rows more are done."""
    with ExitStack() as stack:
        shown = {name: stack.enter_context(bar(name, rows, at)) for at, name in enumerate(names)}
        yield lambda name, more: shown[name].update(more)


def bar(name: str, rows: int, position: int) -> Any:
    """A bar of progress, or lines where nobody sees bars move."""
    if not sys.stderr.isatty():
        return Lines(name, rows)
    from tqdm import tqdm

    return tqdm(total=rows, desc=name, unit=" rows", position=position, file=sys.stderr, mininterval=0.3)


class Lines:
    """A line every few seconds, and one at the end."""

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.rows, self.done, self.told = name, rows, 0, time.monotonic()

    def update(self, rows: int) -> None:
        """So many rows more are done."""
        self.done += rows
        if time.monotonic() - self.told > LINE_SECONDS:
            self.tell()

    def tell(self, *_: object) -> None:
        """Say how far it is."""
        self.told = time.monotonic()
        tell(f"{self.name}: {self.done:,} of {self.rows:,} rows")

    def __enter__(self) -> Lines:
        return self

    __exit__ = tell
