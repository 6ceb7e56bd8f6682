"""Fits the parts of correctness_estimate: the ensembles, what joins them, the objections, the
calibration.

Sources of graded answers weigh alike, an answer as one by the root of how many its question has,
right and wrong half each; every source has a start of its own, which is thrown away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.correctness_estimate.contradictions import SHORTEST_REFERENCE
from metrics.correctness_estimate.formula import (
    COMPLETENESS,
    MOST_ODDS,
    UPHELD_WITHOUT_CUE,
    Heads,
    HeadWeights,
    calibrate_agreement,
    compute_probability,
    decide_odds,
    has_cue,
    join_heads,
    limit_odds,
    measure_length,
)
from metrics.correctness_estimate.measure import KINDS
from metrics.correctness_estimate.outcomes import DIFFERENT, EQUAL
from metrics.training import changes
from metrics.training.rows import Rows, is_decided, join_rows

SEED = 0
# Trees, and the rows that a leaf stands for at least. Many small steps, each with some of the
# features to choose from: what chance puts into one tree others take out.
TREES = {"early_stopping": False, "max_features": 0.4}
AGREEMENT_TREES = TREES | {
    "max_iter": 170,
    "learning_rate": 0.07,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 40,
    "l2_regularization": 5.0,
}
STANCE_TREES = TREES | {
    "max_iter": 210,
    "learning_rate": 0.1,
    "max_leaf_nodes": 16,
    "min_samples_leaf": 60,
    "l2_regularization": 1.0,
}
# Slope and start of the line through the log odds that the answer is not taken back: made-up
# answers are many, and few of people's answers take anything back. Chosen by both figures, those of
# people's verdicts and of made-up answers.
STANCE_LINE = (2.5, 2.5)
# How much a made-up answer counts against one that people judged, by its kind: in the second
# ensemble, in the first.
STANCE_WEIGHTS = {
    "not X but Y": 0.06,
    "right, other denied": 0.05,
    "two candidates": 0.06,
    "five candidates": 0.06,
    "right in long text": 0.08,
    "sentence, entity": 0.06,
    "long reference": 0.09,
    "right": 0.03,
    "other given name": 0.06,
}
STANCE_WEIGHTS |= dict.fromkeys((f"form, {kind}" for kind in changes.FORMS), 0.04)
USUAL_STANCE_WEIGHT = 0.02
# Kinds that the first ensemble learns from; of the last three it learns alone.
FIRST_ALONE = ("magnitude", "yes or no", "long refusal")
AGREEMENT_WEIGHTS = {"sentence": 0.15, "right, number otherwise": 0.1, "long reference": 0.3}
AGREEMENT_WEIGHTS |= dict.fromkeys(FIRST_ALONE, 0.3)
# How much a made-up contrast counts in the weights of objections: beside a short reference, beside
# a long one, and of lists and roles beside a long one.
CONTRAST_WEIGHT = 0.3
LONG_CONTRAST_WEIGHT, LONG_RELATION_WEIGHT = 0.00019, 0.0002
# What a kind weighs that few answers tell of, beside a short reference and a long one; how strongly
# it is held.
PRIORS = (1.5, 0.4)
PENALTIES = (0.1, 0.005)
MOST_WEIGHT = 6.0  # an objection takes an answer that agrees below one half, and no further
# What weighs the same beside a long reference: a finding of its own, however many words stand
# around it.
ALIKE_WEIGHED = ("either", "roles")
# What the log odds by words count at most where another value decides, and where the same does:
# "5 °C" has all the words of "-5 °C", while an answer with the right value may take it back.
MOST_SHARES = {DIFFERENT: 0.12, EQUAL: 0.5}


NO_HEADS = HeadWeights(0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Model:
    """What was fitted.

    Attributes:
        agreement, stance: the ensembles of scikit-learn.
        heads: how they are joined.
        shares: of each share in the completeness mean and deviation.
        calibration: slope and start of the line through the log odds.
        objections: what each kind of objection weighs, beside a short reference and a long one.
        decided: log odds and share of those by words, where another value decides and where the
            same does.
    """

    agreement: Any
    stance: Any
    heads: HeadWeights = NO_HEADS
    shares: Sequence[tuple[float, float]] = ((0.0, 1.0),) * len(COMPLETENESS)
    calibration: tuple[float, float] = (1.0, 0.0)
    objections: Any = None
    decided: tuple[tuple[float, float], tuple[float, float]] = ((-2.5, 0.2), (3.6, 0.2))


def fit_ensembles(rows: Rows, made: Rows, seed: int = SEED) -> Model:
    """Return the ensembles for these rows, with some seed.

    The first learns from people's verdicts, from whole answers as references, and from numbers in
    words and digits. The second tells an answer that takes back what it has from one that does not:
    made-up answers against those that people found right.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    agreeing = np.isin(made.kind, list(AGREEMENT_WEIGHTS))
    weights = np.array([AGREEMENT_WEIGHTS[kind] for kind in made.kind[agreeing]])
    agreement = HistGradientBoostingClassifier(random_state=seed, **AGREEMENT_TREES).fit(
        np.concatenate([rows.features, made.features[agreeing]]),
        np.concatenate([rows.right, made.right[agreeing]]),
        np.concatenate([np.ones(len(rows.right)), weights]),
    )
    right = rows.select(rows.right)
    taking_part = made.select((~agreeing | made.right) & ~np.isin(made.kind, FIRST_ALONE))
    weights = np.array([STANCE_WEIGHTS.get(kind, USUAL_STANCE_WEIGHT) for kind in taking_part.kind])
    stance = HistGradientBoostingClassifier(random_state=seed, **STANCE_TREES).fit(
        np.concatenate([right.features, taking_part.features]),
        np.concatenate([right.right, taking_part.right]),
        np.concatenate([np.ones(len(right.right)), weights]),
    )
    return Model(agreement, stance)


def measure_heads(rows: Rows, model: Model) -> Heads:
    """Return what the parts of a model say of rows."""
    slope, start = STANCE_LINE
    agreement = model.agreement.decision_function(rows.features)
    upheld = start + slope * model.stance.decision_function(rows.features)
    may_take_back = has_cue({name: rows.column(name) for name in rows.names}) | (
        rows.words >= SHORTEST_REFERENCE
    )
    upheld = np.where(may_take_back, upheld, UPHELD_WITHOUT_CUE)
    return add_completeness(rows, model, agreement, upheld)


def add_completeness(
    rows: Rows,
    model: Model,
    agreement: Any,
    upheld: Any,
) -> Heads:
    """Return what two ensembles say of rows with how complete these are, and how long their
    references.
    """
    means, deviations = np.array(model.shares).T
    completeness = ((rows.columns(COMPLETENESS) - means) / deviations).mean(axis=1)
    length = np.array([measure_length(words) for words in rows.words])
    return Heads(agreement, upheld, completeness, length)


def weigh_sources(rows: Rows) -> Any:
    """Return how much each graded row counts: sources alike, verdicts alike, questions by the root
    of their rows.
    """
    _, question, count = np.unique(rows.question, return_inverse=True, return_counts=True)
    weights = 1 / np.sqrt(count[question])
    for source in sorted(set(rows.kind)):
        for right in (False, True):
            some = (rows.kind == source) & (rows.right == right)
            if some.any():
                weights[some] /= weights[some].sum()
    return weights


def fit_shares(rows: Rows) -> list[tuple[float, float]]:
    """Return mean and deviation of each share in the completeness, over graded rows."""
    weights = weigh_sources(rows)
    columns = rows.columns(COMPLETENESS)
    means = np.average(columns, axis=0, weights=weights)
    deviations = np.sqrt(np.average((columns - means) ** 2, axis=0, weights=weights))
    found = list[tuple[float, float]]()
    for mean, deviation in zip(means, deviations, strict=True):
        # A share that is the same everywhere tells nothing.
        found.append((round(float(mean), 3), round(float(deviation), 3) or 1.0))
    return found


def fit_heads(rows: Rows, model: Model) -> Model:
    """Return a model with the joint that makes graded rows likeliest, without objections."""
    from scipy.optimize import minimize

    model = replace(model, shares=fit_shares(rows))
    heads, weights = measure_heads(rows, model), weigh_sources(rows)
    starts = np.stack([rows.kind == source for source in sorted(set(rows.kind))], axis=1).astype(
        float
    )
    side = np.where(rows.right, -1.0, 1.0)

    def measure_loss(values: Any) -> float:
        odds = join_heads(heads, HeadWeights(*values[:4]), np) + starts @ values[4:]
        return float((weights * np.logaddexp(0, side * odds)).sum() + 1e-4 * (values**2).sum())

    bounds = [(0, 1), (0, None), (None, None), (0, 1)] + [(None, None)] * starts.shape[1]
    first = np.concatenate([[0.5, 1.0, 0.0, 0.5], np.zeros(starts.shape[1])])
    found = minimize(measure_loss, first, method="L-BFGS-B", bounds=bounds).x
    return replace(model, heads=HeadWeights(*(round(float(value), 3) for value in found[:4])))


def fit_line(odds: Any, right: Any, offset: Any = 0.0) -> tuple[float, float]:
    """Return slope and start of the line through log odds that makes the verdicts likeliest
    (Platt).
    """
    from scipy.optimize import minimize

    side = np.where(right, -1.0, 1.0)

    def measure_loss(values: Any) -> float:
        return float(np.logaddexp(0, side * (values[1] + values[0] * odds + offset)).sum())

    slope, start = minimize(measure_loss, np.array([1.0, 0.0]), method="L-BFGS-B").x
    return float(slope), float(start)


def fit_weights(
    rows: Rows,
    odds: Any,
    weights: Any,
    long: bool,
    starts: Any = None,
) -> Any:
    """Return the weights of objections, not below 0, that make verdicts likeliest.

    Args:
        rows: the answers.
        odds: their log odds without objections.
        weights: how much each counts.
        long: whether the references are long ones.
        starts: columns that may shift the log odds, such as a source.
    """
    from scipy.optimize import minimize

    evidence = rows.evidence
    kinds = evidence.shape[1]
    shifts = np.zeros((len(odds), 0)) if starts is None else starts
    side = np.where(rows.right, -1.0, 1.0)
    prior, penalty = PRIORS[long], PENALTIES[long]

    def measure_loss(values: Any) -> tuple[float, Any]:
        found = odds - evidence @ values[:kinds] + shifts @ values[kinds:]
        slope = weights * side / (1 + np.exp(-side * found))
        away = values[:kinds] - prior
        gradient = np.concatenate([-(slope @ evidence) + 2 * penalty * away, slope @ shifts])
        loss = (weights * np.logaddexp(0, side * found)).sum() + penalty * (away**2).sum()
        return float(loss), gradient

    bounds = [*[(0.0, MOST_WEIGHT)] * kinds, *[(None, None)] * shifts.shape[1]]
    first = np.zeros(kinds + shifts.shape[1])
    return minimize(measure_loss, first, jac=True, method="L-BFGS-B", bounds=bounds).x[:kinds]


def fit_objections(
    natural: tuple[Rows, Any], made: tuple[Rows, Any], graded: tuple[Rows, Any]
) -> Any:
    """Return what each kind of objection weighs, beside a short reference and a long one: two
    columns.

    Args:
        natural: people's verdicts, with their log odds, calibrated, without objections.
        made: made-up answers with theirs.
        graded: graded answers with theirs.
    """
    rows, odds = select_open(*natural, long=False)
    contrasts, contrast_odds = select_open(*made, long=False)
    weights = np.concatenate([np.ones(len(odds)), np.full(len(contrast_odds), CONTRAST_WEIGHT)])
    first = fit_weights(
        join_rows(rows, contrasts), np.concatenate([odds, contrast_odds]), weights, False
    )
    rows, odds = select_open(*graded, long=True)
    contrasts, contrast_odds = select_open(*made, long=True)
    starts = np.stack([rows.kind == source for source in sorted(set(rows.kind))], axis=1).astype(
        float
    )
    shifts = np.concatenate([starts, np.zeros((len(contrast_odds), starts.shape[1]))])
    contrast_weights = np.where(is_relation(contrasts), LONG_RELATION_WEIGHT, LONG_CONTRAST_WEIGHT)
    weights = np.concatenate([weigh_sources(rows), contrast_weights])
    second = fit_weights(
        join_rows(rows, contrasts), np.concatenate([odds, contrast_odds]), weights, True, shifts
    )
    alike = np.isin(KINDS, ALIKE_WEIGHED)
    return np.round(np.stack([first, np.where(alike, first, second)], axis=1), 2)


def is_relation(rows: Rows) -> Any:
    """Return which made-up answers are of lists and roles (relations.py): only the objections learn
    from them.
    """
    return np.array([str(kind).startswith("relation") for kind in rows.kind])


def select_open(rows: Rows, odds: Any, long: bool) -> tuple[Rows, Any]:
    """Return the rows that nothing decides and that have a long reference, or a short one, with
    their log odds.
    """
    kept = is_open(rows) & (is_short(rows) != long)
    return rows.select(kept), odds[kept]


def is_open(rows: Rows) -> Any:
    """Return which rows nothing decides."""
    return np.array([decision is None for decision in rows.decisions])


def is_short(rows: Rows) -> Any:
    """Return which rows have a short reference."""
    return rows.words < SHORTEST_REFERENCE


def fit_decided(rows: Rows, odds: Any) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return log odds where a value decides, and what the log odds by words count beside: another
    value, the same.

    Words count at most MOST_SHARES.
    """
    found = list[tuple[float, float]]()
    for outcome, most in MOST_SHARES.items():
        kept = np.array([is_decided(decision, (outcome,)) for decision in rows.decisions])
        if len(set(rows.right[kept])) < 2:
            found.append((0.0, most))  # too few to fit anything
            continue
        share, start = fit_line(np.clip(odds[kept], -MOST_ODDS, MOST_ODDS), rows.right[kept])
        if share > most:
            share = most
            start = fit_start(share * np.clip(odds[kept], -MOST_ODDS, MOST_ODDS), rows.right[kept])
        found.append((round(start, 2), round(share, 2)))
    return found[0], found[1]


def fit_start(odds: Any, right: Any) -> float:
    """Return what is to be added to log odds so that as many are right as they say."""
    from scipy.optimize import brentq

    return float(brentq(lambda start: (1 / (1 + np.exp(-odds - start)) - right).sum(), -20, 20))


def compute_odds(heads: Heads, model: Model) -> Any:
    """Return the calibrated log odds of rows without objections and decisions."""
    return calibrate_agreement(heads, join_heads(heads, model.heads, np), model.calibration, np)


def apply_objections(rows: Rows, odds: Any, model: Model) -> Any:
    """Return log odds with objections, and with what decides."""
    weights = np.where(is_short(rows)[:, None], model.objections[:, 0], model.objections[:, 1])
    odds = odds - (rows.evidence * weights).sum(axis=1)
    odds = np.where(rows.unsure, limit_odds(odds, np), odds)
    for i, decision in enumerate(rows.decisions):
        odds[i] = decide_odds(odds[i], decision, model.decided)
    return odds


def compute_probabilities(odds: Any) -> Any:
    """Return the probabilities of log odds."""
    return np.array([compute_probability(one) for one in odds])
