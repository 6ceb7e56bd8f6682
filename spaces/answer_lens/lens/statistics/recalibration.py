"""An estimate fitted to one's own table by a few verdicts: moved on the scale of log odds, and from 50 verdicts on
stretched, both held back by a ridge (Platt 1999, Probabilistic outputs for support vector machines; le Cessie and van
Houwelingen 1992, Ridge estimators in logistic regression).

How far it is off before and after is measured on verdicts that the fit has not seen (cross-validation). It is for
single answers: the share of right ones and its interval come from `verdicts`, which needs no such fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.statistics.verdicts import chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Verdicts that it takes to move the estimate, and to stretch it.
LEAST, TO_STRETCH = 20, 50
# An estimate is taken to be at least so far from 0 and 1.
NEAR = 0.001
# The ridge: as a normal prior with these standard deviations about "as it stands".
MOVED, STRETCHED = 2.0, 0.5
FOLDS = 10
# Verdicts for each group of like estimates, and most groups, where the calibration error is measured.
OF_A_GROUP, MOST_GROUPS = 10, 10
STEPS = 50


@dataclass(frozen=True)
class Recalibration:
    """Log odds become `start` + `slope` times what they were. By so many verdicts; `before` and `after` are the
    calibration errors on them.
    """

    start: float
    slope: float
    verdicts: int
    before: float
    after: float

    def of(self, estimate: float) -> float:
        """An estimate, recalibrated.

        >>> Recalibration(0.0, 1.0, 20, 0.1, 0.1).of(0.25)
        0.25
        """
        return float(applied([estimate], self.start, self.slope)[0])


def log_odds(estimates: Sequence[float] | Array) -> Array:
    """The log odds of estimates, none of which is quite sure."""
    import numpy as np

    held = np.clip(np.asarray(estimates, dtype=float), NEAR, 1 - NEAR)
    return np.log(held / (1 - held))


def applied(estimates: Sequence[float] | Array, start: float, slope: float) -> Array:
    """Estimates with their log odds moved and stretched, to 12 digits."""
    import numpy as np

    found: Array = 1 / (1 + np.exp(-(start + slope * log_odds(estimates))))
    return found.round(12)


def fitted(estimates: Array, right: Array) -> tuple[float, float]:
    """Start and slope for verdicts on some estimates, by Newton's steps; the slope is 1 where they are too few."""
    import numpy as np

    odds, said = log_odds(estimates), right.astype(float)
    free = 2 if len(said) >= TO_STRETCH else 1
    found, usual = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    ridge = np.diag([MOVED**-2, STRETCHED**-2])
    columns = np.stack([np.ones(len(odds)), odds])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-found @ columns))
        down = columns @ (said - likely) - ridge @ (found - usual)
        curve = (columns * likely * (1 - likely)) @ columns.T + ridge
        step = np.linalg.solve(curve[:free, :free], down[:free])
        found[:free] += step
        if abs(step).max() < 1e-12:
            break
    return float(found[0]), float(found[1])


def calibration_error(estimates: Array, right: Array) -> float:
    """How far estimates are from the share of right ones, over groups of like estimates with as many verdicts each,
    weighted by these (Naeini, Cooper and Hauskrecht 2015, Obtaining well calibrated probabilities using Bayesian
    binning).

    >>> import numpy as np
    >>> calibration_error(np.array([0.2] * 10 + [0.9] * 10), np.array([True] * 2 + [False] * 8 + [True] * 10))
    0.05
    """
    import numpy as np

    groups = min(max(len(right) // OF_A_GROUP, 1), MOST_GROUPS)
    parts = np.array_split(np.argsort(estimates, kind="stable"), groups)
    off = [len(part) * abs(estimates[part].mean() - right[part].mean()) for part in parts]
    return round(float(sum(off) / len(right)), 12)


def recalibrated(estimates: Sequence[float], right: Sequence[bool]) -> Recalibration | None:
    """What these verdicts make of the estimates of the same answers; None where they are too few, or all the same."""
    import numpy as np

    given, said = np.asarray(estimates, dtype=float), np.asarray(right, dtype=bool)
    if len(said) < LEAST or said.all() or not said.any():
        return None
    fold = np.empty(len(said), dtype=int)
    fold[sorted(range(len(said)), key=chance)] = np.arange(len(said)) % FOLDS
    unseen = np.empty(len(said))
    for number in range(FOLDS):
        out = fold == number
        unseen[out] = applied(given[out], *fitted(given[~out], said[~out]))
    errors = calibration_error(given, said), calibration_error(unseen, said)
    return Recalibration(*fitted(given, said), len(said), *errors)
