"""Count how many intervals contain the true value."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

DRAWS, SEED = 2000, 0
# The rounding error of floats that is tolerated.
NEAR = 1e-9

# The coverage of each case, for one number of rows.
Coverage = list[float]
Measure = Callable[[int, int], Coverage]


def holds_truth(interval: Sequence[float] | None, true: float) -> float:
    """Return 1 if an interval contains the true value, else 0; NaN if there is no interval."""
    if interval is None:
        return float("nan")
    return float(interval[0] - NEAR <= true <= interval[1] + NEAR)


def average_coverage(covered: Iterable[float]) -> float:
    """Return the share of intervals that contain the true value; NaN does not count."""
    return float(np.nanmean(list(covered)))
