"""Fits the estimates of a table to a few verdicts (recalibration).

The log odds of the estimates are shifted, and with at least 50 verdicts also stretched. A ridge
penalty holds both back (Platt 1999, Probabilistic outputs for support vector machines; le Cessie
and van Houwelingen 1992, Ridge estimators in logistic regression).

The calibration error after the fit is measured by cross-validation, on verdicts that the fit has
not seen. Recalibration is for single answers. The share of right answers and its interval come from
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

# The fewest verdicts for a shift of the log odds.
MIN_VERDICTS = 20
# The fewest verdicts for a stretch of the log odds.
MIN_VERDICTS_TO_STRETCH = 50
# The smallest distance of an estimate from 0 and 1.
MIN_DISTANCE = 0.001
# The standard deviations of the ridge's normal priors around no shift and no stretch.
SHIFT_DEVIATION = 2.0
STRETCH_DEVIATION = 0.5
# The folds of the cross-validation.
FOLDS = 10
# The number of verdicts in each group of the calibration error, and the most groups.
GROUP_VERDICTS = 10
MAX_GROUPS = 10
# The gradient of the penalized log likelihood at which the optimizer stops.
STOP_GRADIENT = 1e-9
# The largest gradient that counts as an optimum.
MAX_GRADIENT = 1e-5


@dataclass(frozen=True)
class Recalibration:
    """A fit of estimates to verdicts.

    Attributes:
        start: the number added to the log odds.
        slope: the factor of the log odds.
        verdicts: the number of verdicts used for the fit.
        before: the calibration error before the fit.
        after: the calibration error after the fit, on verdicts that the fit has not seen.
    """

    start: float
    slope: float
    verdicts: int
    before: float
    after: float

    def recalibrate(self, estimate: float) -> float:
        """Return the recalibrated estimate.

        >>> Recalibration(0.0, 1.0, 20, 0.1, 0.1).recalibrate(0.25)
        0.25
        """
        (fitted,) = apply_fit([estimate], self.start, self.slope)
        return float(fitted)


def log_odds(estimates: Sequence[float] | Array) -> Array:
    """Return the log odds of estimates, which are first moved away from 0 and 1."""
    import numpy as np

    values = np.asarray(estimates, dtype=float)
    probabilities = np.clip(values, MIN_DISTANCE, 1 - MIN_DISTANCE)
    return np.log(probabilities / (1 - probabilities))


def apply_fit(estimates: Sequence[float] | Array, start: float, slope: float) -> Array:
    """Return estimates with shifted and stretched log odds, rounded to 12 digits."""
    import numpy as np

    odds = start + slope * log_odds(estimates)
    fitted: Array = 1 / (1 + np.exp(-odds))
    return fitted.round(12)


def fit_log_odds(estimates: Array, right: Array) -> tuple[float, float] | None:
    """Return the start and the slope of the best fit to verdicts; None if it did not converge.

    This is a logistic regression of the verdicts on the log odds, with a ridge penalty. The slope
    is 1 if there are too few verdicts. The penalized likelihood has one optimum, even if the
    estimates separate right and wrong answers perfectly.
    """
    import numpy as np
    from scipy import optimize, special

    odds = log_odds(estimates)
    verdicts = right.astype(float)
    # The start and the slope that change nothing; the penalty grows with the distance from them.
    unchanged = np.array([0.0, 1.0])
    ridge = np.array([SHIFT_DEVIATION, STRETCH_DEVIATION]) ** -2
    # The start is fitted, and the slope if there are enough verdicts.
    fitted_count = 2 if len(verdicts) >= MIN_VERDICTS_TO_STRETCH else 1
    design = np.stack([np.ones(len(odds)), odds])

    def measure_loss(fitted_parameters: Array) -> tuple[float, Array]:
        """Return the negative penalized log likelihood of a fit, and its gradient."""
        parameters = np.concatenate([fitted_parameters, unchanged[fitted_count:]])
        fitted = parameters @ design
        # log(1 + exp(x)) without overflow
        losses = np.logaddexp(0, fitted) - verdicts * fitted
        distance = parameters - unchanged
        penalty = float(ridge @ distance**2) / 2
        loss = float(losses.sum()) + penalty
        residuals = special.expit(fitted) - verdicts
        gradient = design @ residuals + ridge * distance
        return loss, gradient[:fitted_count]

    result = optimize.minimize(
        measure_loss,
        unchanged[:fitted_count],
        jac=True,
        method="BFGS",
        options={"gtol": STOP_GRADIENT},
    )
    # BFGS may stop just before its own bound, because floats have too few digits.
    _, gradient = measure_loss(result.x)
    if not np.abs(gradient).max() <= MAX_GRADIENT:
        return None
    start, slope = np.concatenate([result.x, unchanged[fitted_count:]])
    return float(start), float(slope)


def calibration_error(estimates: Array, right: Array) -> float:
    """Return the expected calibration error.

    Answers are grouped by similar estimates. The error is the mean distance between a group's mean
    estimate and its share of right answers, weighted by the group's size (Naeini, Cooper and
    Hauskrecht 2015, Obtaining well calibrated probabilities using Bayesian binning).

    >>> import numpy as np
    >>> right = np.array([True] * 2 + [False] * 8 + [True] * 10)
    >>> calibration_error(np.array([0.2] * 10 + [0.9] * 10), right)
    0.05
    """
    import numpy as np

    groups = max(len(right) // GROUP_VERDICTS, 1)
    groups = min(groups, MAX_GROUPS)
    order = np.argsort(estimates, kind="stable")
    total_error = 0.0
    for group in np.array_split(order, groups):
        mean_estimate = estimates[group].mean()
        share = right[group].mean()
        total_error += len(group) * abs(mean_estimate - share)
    mean_error = float(total_error / len(right))
    return round(mean_error, 12)


def fit_recalibration(estimates: Sequence[float], right: Sequence[bool]) -> Recalibration | None:
    """Fit estimates to verdicts on the same answers.

    The result is None if the verdicts are too few or all the same, or if the fit did not converge.
    """
    import numpy as np

    values = np.asarray(estimates, dtype=float)
    verdicts = np.asarray(right, dtype=bool)
    count = len(verdicts)
    are_equal = verdicts.all() or not verdicts.any()
    if count < MIN_VERDICTS or are_equal:
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
    """Return each estimate recalibrated by a fit to the other folds.

    The result is None if a fit did not converge.
    """
    import numpy as np

    count = len(right)
    shuffled = sorted(range(count), key=hash_name)
    fold = np.empty(count, dtype=int)
    fold[shuffled] = np.arange(count) % FOLDS
    refitted = np.empty(count)
    for number in range(FOLDS):
        is_unseen = fold == number
        fit = fit_log_odds(estimates[~is_unseen], right[~is_unseen])
        if fit is None:
            return None
        start, slope = fit
        refitted[is_unseen] = apply_fit(estimates[is_unseen], start, slope)
    return refitted
