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

from lens.inference.verdicts import chance

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
# The gradient of the penalized likelihood that the optimizer aims at, and the largest one that counts as its optimum.
TOLERANCE, CONVERGED = 1e-9, 1e-5


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


def fit_log_odds(estimates: Array, right: Array) -> tuple[float, float] | None:
    """Return start and slope that fit verdicts on some estimates best; the slope is 1 where verdicts are too few.

    The penalized likelihood has one optimum, also where the verdicts are told apart without an error. None stands for
    an optimizer that did not reach it.
    """
    import numpy as np
    from scipy import optimize, special

    odds, said = log_odds(estimates), right.astype(float)
    free = 2 if len(said) >= TO_STRETCH else 1
    usual = np.array([0.0, 1.0])
    ridge = np.array([MOVED, STRETCHED]) ** -2
    columns = np.stack([np.ones(len(odds)), odds])

    def loss(found: Array) -> tuple[float, Array]:
        whole = np.r_[found, usual[free:]]
        shifted = whole @ columns
        # log(1 + exp(x)) without overflow
        likelihood = float((np.logaddexp(0, shifted) - said * shifted).sum())
        away = whole - usual
        slope = columns @ (special.expit(shifted) - said) + ridge * away
        return likelihood + float(ridge @ away**2) / 2, slope[:free]

    result = optimize.minimize(loss, usual[:free], jac=True, method="BFGS", options={"gtol": TOLERANCE})
    # BFGS may stop for want of digits a hair before its own bound.
    if not np.abs(loss(result.x)[1]).max() <= CONVERGED:
        return None
    start, slope = np.r_[result.x, usual[free:]]
    return float(start), float(slope)


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
    """Return what these verdicts make of the estimates of the same answers.

    None stands for verdicts that are too few or all the same, and for a fit that did not converge.
    """
    import numpy as np

    given, said = np.asarray(estimates, dtype=float), np.asarray(right, dtype=bool)
    if len(said) < LEAST or said.all() or not said.any():
        return None
    fold = np.empty(len(said), dtype=int)
    fold[sorted(range(len(said)), key=chance)] = np.arange(len(said)) % FOLDS
    unseen = np.empty(len(said))
    whole = fit_log_odds(given, said)
    for number in range(FOLDS):
        out = fold == number
        fit = fit_log_odds(given[~out], said[~out])
        if fit is None:
            return None
        unseen[out] = applied(given[out], *fit)
    if whole is None:
        return None
    errors = calibration_error(given, said), calibration_error(unseen, said)
    return Recalibration(*whole, len(said), *errors)
