"""An estimate fitted to one's own table by a few verdicts.

It is moved on the scale of log odds, and from 50 verdicts on stretched, both held back by a ridge
(Platt 1999, Probabilistic outputs for support vector machines; le Cessie and van Houwelingen 1992,
Ridge estimators in logistic regression).

How far it is off before and after is measured on verdicts that the fit has not seen
(cross-validation). It is for single answers: the share of right ones and its interval come from
`shares`, which needs no such fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference.sampling import hash_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Verdicts that it takes to move the estimate,
LEAST = 20
# ... and to stretch it.
TO_STRETCH = 50
# An estimate is taken to be at least so far from 0 and 1.
NEAR = 0.001
# The ridge: as a normal prior with these standard deviations about "as it stands".
MOVED = 2.0
STRETCHED = 0.5
FOLDS = 10
# Where the calibration error is measured: verdicts for each group of like estimates,
OF_A_GROUP = 10
MOST_GROUPS = 10
# The gradient of the penalized likelihood that the optimizer aims at,
TOLERANCE = 1e-9
# ... and the largest one that counts as its optimum.
CONVERGED = 1e-5


@dataclass(frozen=True)
class Recalibration:
    """A fit of estimates to verdicts.

    Attributes:
        start: what is added to the log odds.
        slope: what the log odds are multiplied by.
        verdicts: how many it rests on.
        before: the calibration error on these verdicts.
        after: the same after the fit, on verdicts that it has not seen.
    """

    start: float
    slope: float
    verdicts: int
    before: float
    after: float

    def recalibrate(self, estimate: float) -> float:
        """Return an estimate, recalibrated.

        >>> Recalibration(0.0, 1.0, 20, 0.1, 0.1).recalibrate(0.25)
        0.25
        """
        (fitted,) = apply_fit([estimate], self.start, self.slope)
        return float(fitted)


def log_odds(estimates: Sequence[float] | Array) -> Array:
    """Return the log odds of estimates, none of which counts as quite sure."""
    import numpy as np

    held = np.clip(np.asarray(estimates, dtype=float), NEAR, 1 - NEAR)
    return np.log(held / (1 - held))


def apply_fit(estimates: Sequence[float] | Array, start: float, slope: float) -> Array:
    """Return estimates with their log odds moved and stretched, to 12 digits."""
    import numpy as np

    fitted = start + slope * log_odds(estimates)
    shares: Array = 1 / (1 + np.exp(-fitted))
    return shares.round(12)


def fit_log_odds(estimates: Array, right: Array) -> tuple[float, float] | None:
    """Return start and slope that fit verdicts on some estimates best.

    The slope is 1 where verdicts are too few.

    The penalized likelihood has one optimum, also where the verdicts are told apart without an
    error. None stands for an optimizer that did not reach it.
    """
    import numpy as np
    from scipy import optimize, special

    odds = log_odds(estimates)
    verdicts = right.astype(float)
    free = 2 if len(verdicts) >= TO_STRETCH else 1
    usual = np.array([0.0, 1.0])
    ridge = np.array([MOVED, STRETCHED]) ** -2
    columns = np.stack([np.ones(len(odds)), odds])

    def measure_loss(free_parameters: Array) -> tuple[float, Array]:
        """Return the penalized likelihood of a fit, and its gradient."""
        parameters = np.concatenate([free_parameters, usual[free:]])
        fitted = parameters @ columns
        # log(1 + exp(x)) without overflow
        losses = np.logaddexp(0, fitted) - verdicts * fitted
        distance = parameters - usual
        penalty = float(ridge @ distance**2) / 2
        residuals = special.expit(fitted) - verdicts
        gradient = columns @ residuals + ridge * distance
        return float(losses.sum()) + penalty, gradient[:free]

    result = optimize.minimize(
        measure_loss, usual[:free], jac=True, method="BFGS", options={"gtol": TOLERANCE}
    )
    # BFGS may stop for want of digits a hair before its own bound.
    _, gradient = measure_loss(result.x)
    if not np.abs(gradient).max() <= CONVERGED:
        return None
    start, slope = np.concatenate([result.x, usual[free:]])
    return float(start), float(slope)


def calibration_error(estimates: Array, right: Array) -> float:
    """Return the expected calibration error: how far estimates are from the share of right ones.

    It is the mean over groups of like estimates, weighted by their verdicts (Naeini, Cooper and
    Hauskrecht 2015, Obtaining well calibrated probabilities using Bayesian binning).

    >>> import numpy as np
    >>> right = np.array([True] * 2 + [False] * 8 + [True] * 10)
    >>> calibration_error(np.array([0.2] * 10 + [0.9] * 10), right)
    0.05
    """
    import numpy as np

    groups = max(len(right) // OF_A_GROUP, 1)
    order = np.argsort(estimates, kind="stable")
    total = 0.0
    for part in np.array_split(order, min(groups, MOST_GROUPS)):
        error = abs(estimates[part].mean() - right[part].mean())
        total += len(part) * error
    return round(float(total / len(right)), 12)


def fit_recalibration(estimates: Sequence[float], right: Sequence[bool]) -> Recalibration | None:
    """Return what these verdicts make of the estimates of the same answers.

    None stands for verdicts that are too few or all the same, and for a fit that did not converge.
    """
    import numpy as np

    values = np.asarray(estimates, dtype=float)
    verdicts = np.asarray(right, dtype=bool)
    count = len(verdicts)
    if count < LEAST or verdicts.all() or not verdicts.any():
        return None
    fit = fit_log_odds(values, verdicts)
    refitted = refit_unseen(values, verdicts)
    if fit is None or refitted is None:
        return None
    start, slope = fit
    before = calibration_error(values, verdicts)
    after = calibration_error(refitted, verdicts)
    return Recalibration(start, slope, count, before, after)


def refit_unseen(estimates: Array, right: Array) -> Array | None:
    """Return each estimate by a fit to the verdicts of the other folds.

    It is None for a fit that did not converge.
    """
    import numpy as np

    count = len(right)
    shuffled = sorted(range(count), key=hash_name)
    fold = np.empty(count, dtype=int)
    fold[shuffled] = np.arange(count) % FOLDS
    unseen = np.empty(count)
    for number in range(FOLDS):
        is_out = fold == number
        fit = fit_log_odds(estimates[~is_out], right[~is_out])
        if fit is None:
            return None
        unseen[is_out] = apply_fit(estimates[is_out], *fit)
    return unseen
