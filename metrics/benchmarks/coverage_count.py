"""How coverage is counted."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

DRAWS, SEED = 2000, 0
# What floats may be off.
NEAR = 1e-9

# Coverage of all cases, for one number of rows.
Coverage = list[float]
Measure = Callable[[int, int], Coverage]


def holds_truth(interval: Sequence[float] | None, true: float) -> float:
    """Return whether an interval holds what is true; NaN where there is none."""
    if interval is None:
        return float("nan")
    return float(interval[0] - NEAR <= true <= interval[1] + NEAR)


def average_coverage(held: Iterator[float]) -> float:
    """Return the share of intervals that hold, of those that are shown."""
    return float(np.nanmean(list(held)))
