"""The complete head of correctness_estimate, and how it joins the right head: learned from grading sets (grades.py).

The complete head is the mean of a few shares of the reference (scoring.COVER), each less its mean and by its deviation.
The longer a reference, the more it speaks: three numbers say how much. Sources weigh alike, an answer as one by the
root of how many its question has, right and wrong half each; every source has a start of its own, which is thrown away.
"""

from typing import Any, NamedTuple

import numpy as np

from metrics.correctness_estimate.scoring import COVER, INSTEAD, LONG, SHORT, TAKEN


class Odds(NamedTuple):
    """Calibration apart, what the two ensembles say of each row: that it agrees, and that nothing takes it back."""

    agreement: Any
    free: Any


class Joint(NamedTuple):
    """Mean and deviation of each share, and what a long reference takes from the agreement, gives to the complete head,
    and adds.
    """

    shares: list[tuple[float, float]]
    numbers: tuple[float, float, float]

    def odds(self, odds: Odds, features: Any, names: list[str]) -> Any:
        """Return the log odds before calibration, with the complete head as far as the reference is long."""
        long = length(features, names)
        joined = both(agreeing(self.numbers, odds, long, complete(features, names, self.shares)), odds.free)
        return joined - taken(features, names, long)


def agreeing(numbers: Any, odds: Odds, long: Any, complete: Any) -> Any:
    """Return the log odds that an answer agrees, joined by the length of the reference."""
    less, more, start = numbers
    return odds.agreement * (1 - less * long) + long * (more * complete + start)


def taken(features: Any, names: list[str], long: Any) -> Any:
    """Return what contradictions take from the log odds."""
    contradicts, instead = (features[:, names.index(name)] for name in ("contradicts", "instead"))
    return TAKEN * long * contradicts + INSTEAD * instead


def both(one: Any, other: Any) -> Any:
    """Return the log odds of the product of two probabilities, from theirs."""
    p, q = (np.exp(-np.clip(side, -50, 50)) for side in (one, other))
    return -np.log(p + q + p * q)


def length(features: Any, names: list[str]) -> Any:
    """Return how long the reference is: 0 for SHORT words, 1 for LONG ones."""
    words = features[:, names.index("reference_length")]
    return np.clip((words - np.log1p(SHORT)) / (np.log1p(LONG) - np.log1p(SHORT)), 0, 1)


def complete(features: Any, names: list[str], shares: list[tuple[float, float]]) -> Any:
    """Return how complete each answer is, in deviations from the mean."""
    columns = [(features[:, names.index(one)] - mean) / off for one, (mean, off) in zip(COVER, shares, strict=True)]
    return np.mean(columns, axis=0)


def weights(rows: Any) -> Any:
    """Return how much each row counts: sources alike, questions by the root of their rows, right and wrong alike."""
    _, question, count = np.unique(rows.question, return_inverse=True, return_counts=True)
    found = 1 / np.sqrt(count[question])
    for source in sorted(set(rows.kind)):
        for right in (False, True):
            some = (rows.kind == source) & (rows.right == right)
            if some.any():
                found[some] /= found[some].sum()
    return found


def fitted(rows: Any, odds: Odds, names: list[str]) -> Joint:
    """Return the complete head and the three numbers that make these rows likeliest."""
    from scipy.optimize import minimize

    weight = weights(rows)
    columns = rows.features[:, [names.index(one) for one in COVER]]
    mean = np.average(columns, axis=0, weights=weight)
    off = np.sqrt(np.average((columns - mean) ** 2, axis=0, weights=weight))
    shares = [(round(float(a), 3), round(float(b), 3)) for a, b in zip(mean, off, strict=True)]
    long, share = length(rows.features, names), complete(rows.features, names, shares)
    starts = np.stack([rows.kind == source for source in sorted(set(rows.kind))], 1).astype(float)
    side, against = np.where(rows.right, -1.0, 1.0), taken(rows.features, names, long)

    def loss(values: Any) -> float:
        found = both(agreeing(values[:3], odds, long, share), odds.free) - against + starts @ values[3:]
        return float((weight * np.logaddexp(0, side * found)).sum() + 1e-4 * (values**2).sum())

    found = minimize(loss, np.r_[0.5, 1.0, 0.0, np.zeros(starts.shape[1])], method="L-BFGS-B").x
    return Joint(shares, (round(float(found[0]), 3), round(float(found[1]), 3), round(float(found[2]), 3)))


def left_out(rows: Any, odds: Odds, names: list[str]) -> Any:
    """Return the log odds of each row, joined by what the other sources teach."""
    result = np.zeros(len(rows.right))
    for source in sorted(set(rows.kind)):
        rest, own = rows.kind != source, rows.kind == source
        joint = fitted(rows.of(rest), Odds(*(side[rest] for side in odds)), names)
        result[own] = joint.odds(Odds(*(side[own] for side in odds)), rows.features[own], names)
    return result
