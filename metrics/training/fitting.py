"""Fit the parts of correctness_estimate: ensembles, heads, objections and calibration.

All sources of graded answers have the same weight, and half of it is on right answers. If a
question has n answers, each has the weight 1 / sqrt(n). Each source also has an intercept of its
own, which is not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.correctness_estimate.contradictions import SHORTEST_REFERENCE
from metrics.correctness_estimate.log_odds import (
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
from metrics.correctness_estimate.measure import OBJECTION_KINDS
from metrics.correctness_estimate.outcomes import DIFFERENT, EQUAL
from metrics.training import changes
from metrics.training.rows import Rows, is_decided, concatenate_rows

SEED = 0
# The settings of the trees. Each tree is a small step, and each split sees a random part of the
# features, so that chance effects of the trees cancel.
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
# The slope and the intercept of the log odds that an answer is not taken back. Most of the answers
# that the second ensemble is fitted to are made up, and more of them take something back than
# people's answers do, so its log odds are corrected with this line. It was chosen by the figures of
# people's verdicts and of made-up answers.
STANCE_LINE = (2.5, 2.5)
# The weight of a made-up answer in the second ensemble, by its kind; an answer that people judged
# has weight 1. AGREEMENT_WEIGHTS has those in the first ensemble.
STANCE_WEIGHTS = {
    "not X but Y": 0.06,
    "right, other denied": 0.05,
    "two candidates": 0.06,
    "several candidates": 0.06,
    "right in long text": 0.08,
    "sentence, entity": 0.06,
    "long reference": 0.09,
    "right": 0.03,
    "other given name": 0.06,
}
STANCE_WEIGHTS |= dict.fromkeys((f"form, {kind}" for kind in changes.FORMS), 0.04)
USUAL_STANCE_WEIGHT = 0.02
# Kinds that the second ensemble does not learn from.
FIRST_ALONE = ("magnitude", "yes or no", "long refusal")
AGREEMENT_WEIGHTS = {"sentence": 0.15, "right, number otherwise": 0.1, "long reference": 0.3}
AGREEMENT_WEIGHTS |= dict.fromkeys(FIRST_ALONE, 0.3)
# How strongly the weights of heads, and the intercepts of sources, are pulled towards 0.
HEADS_PENALTY = 1e-4
# The weight of a made-up contrast when objections are fitted, beside a short reference.
CONTRAST_WEIGHT = 0.3
# Beside a long reference.
LONG_CONTRAST_WEIGHT = 0.0008
# That of a list or of exchanged roles beside a long reference.
LONG_RELATION_WEIGHT = 0.0002
# The prior is the weight of an objection that no answer shows, towards which the others are pulled;
# the penalty says how strongly. Beside a short reference, and beside a long one.
SHORT_PRIOR, SHORT_PENALTY = 1.5, 0.1
LONG_PRIOR, LONG_PENALTY = 0.4, 0.005
# The most weight of an objection.
MOST_WEIGHT = 6.0
# These objections have the weight for short references beside long ones, too: other words around
# them do not matter.
KINDS_WITH_SHORT_WEIGHT = ("either", "roles")
# A value decides most, yet the log odds that the words alone give have a share. Its bound is small
# if the answer has another value than the reference: "5 °C" has all the words of "-5 °C". It is
# larger for the same value, since an answer may take the right value back.
MOST_SHARES = {DIFFERENT: 0.12, EQUAL: 0.5}


NO_HEADS = HeadWeights(0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Model:
    """The fitted parts.

    Attributes:
        agreement, stance: the ensembles of scikit-learn.
        heads: the weights that join the heads.
        shares: the mean and the deviation of each feature that the completeness is the mean of.
        calibration: the slope and the intercept of the line through the log odds.
        objections: the weight of each kind of objection, with a short and with a long reference.
        decided: two pairs, for an answer with another value and for one with the same value. Each
            is the log odds, and the weight of the log odds that the words alone give.
    """

    agreement: Any
    stance: Any
    heads: HeadWeights = NO_HEADS
    shares: Sequence[tuple[float, float]] = ((0.0, 1.0),) * len(COMPLETENESS)
    calibration: tuple[float, float] = (1.0, 0.0)
    objections: Any = None
    decided: tuple[tuple[float, float], tuple[float, float]] = ((-2.5, 0.2), (3.6, 0.2))


def fit_ensembles(rows: Rows, made: Rows, seed: int = SEED) -> Model:
    """Return a model with the ensembles fitted to rows.

    The first ensemble learns from people's verdicts, and from the kinds of made-up answers in
    AGREEMENT_WEIGHTS. The second one tells answers that take back what they say from
    those that do not: it compares made-up answers with those that people found right.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    is_agreeing = np.isin(made.kind, list(AGREEMENT_WEIGHTS))
    agreeing = made.select(is_agreeing)
    weights = [AGREEMENT_WEIGHTS[kind] for kind in agreeing.kind]
    agreement = HistGradientBoostingClassifier(random_state=seed, **AGREEMENT_TREES)
    fit_trees(agreement, rows, agreeing, weights)

    is_first_alone = np.isin(made.kind, FIRST_ALONE)
    for_stance = made.select((~is_agreeing | made.right) & ~is_first_alone)
    weights = [STANCE_WEIGHTS.get(kind, USUAL_STANCE_WEIGHT) for kind in for_stance.kind]
    stance = HistGradientBoostingClassifier(random_state=seed, **STANCE_TREES)
    fit_trees(stance, rows.select(rows.right), for_stance, weights)
    return Model(agreement, stance)


def fit_trees(trees: Any, judged: Rows, made: Rows, made_weights: Sequence[float]) -> None:
    """Fit an ensemble to answers that people judged, with weight 1, and to made-up ones."""
    trees.fit(
        np.concatenate([judged.features, made.features]),
        np.concatenate([judged.right, made.right]),
        np.concatenate([np.ones(len(judged.right)), made_weights]),
    )


def measure_heads(rows: Rows, model: Model) -> Heads:
    """Return the values of a model's heads for rows."""
    slope, intercept = STANCE_LINE
    agreement = model.agreement.decision_function(rows.features)
    upheld = intercept + slope * model.stance.decision_function(rows.features)
    features = {name: rows.column(name) for name in rows.names}
    may_take_back = has_cue(features) | ~is_short(rows)
    upheld = np.where(may_take_back, upheld, UPHELD_WITHOUT_CUE)
    return make_heads(rows, model, agreement, upheld)


def make_heads(
    rows: Rows,
    model: Model,
    agreement: Any,
    upheld: Any,
) -> Heads:
    """Return the heads of rows: both ensembles' values, the completeness and the length.

    The length is that of the reference.
    """
    means, deviations = np.array(model.shares).T
    standardized = (rows.columns(COMPLETENESS) - means) / deviations
    length = np.array([measure_length(words) for words in rows.words])
    return Heads(agreement, upheld, standardized.mean(axis=1), length)


def weigh_sources(rows: Rows) -> Any:
    """Return the weight of each graded row.

    Sources have equal weights, and so have right and wrong answers of each. Each of the n rows of a
    question has the weight 1 / sqrt(n).
    """
    _, question, count = np.unique(rows.question, return_inverse=True, return_counts=True)
    weights = 1 / np.sqrt(count[question])
    for source in sorted(set(rows.kind)):
        for right in (False, True):
            group = (rows.kind == source) & (rows.right == right)
            if group.any():
                weights[group] /= weights[group].sum()
    return weights


def fit_shares(rows: Rows) -> list[tuple[float, float]]:
    """Return the mean and the deviation of each feature of the completeness, over graded rows."""
    weights = weigh_sources(rows)
    columns = rows.columns(COMPLETENESS)
    means = np.average(columns, axis=0, weights=weights)
    variances = np.average((columns - means) ** 2, axis=0, weights=weights)
    shares = list[tuple[float, float]]()
    for mean, variance in zip(means, variances, strict=True):
        # A share that is the same in all rows does not matter.
        deviation = round(float(np.sqrt(variance)), 3) or 1.0
        shares.append((round(float(mean), 3), deviation))
    return shares


def fit_heads(rows: Rows, model: Model) -> Model:
    """Return a model with the weights of heads that make graded rows likeliest.

    Objections are not used.
    """
    from scipy.optimize import minimize

    model = replace(model, shares=fit_shares(rows))
    heads = measure_heads(rows, model)
    weights = weigh_sources(rows)
    sources = mark_sources(rows)
    side = np.where(rows.right, -1.0, 1.0)
    kinds = len(NO_HEADS)

    def measure_loss(values: Any) -> float:
        head_weights = HeadWeights(*values[:kinds])
        odds = join_heads(heads, head_weights, np) + sources @ values[kinds:]
        losses = weights * np.logaddexp(0, side * odds)
        return float(losses.sum() + HEADS_PENALTY * (values**2).sum())

    n_sources = sources.shape[1]
    bounds = [(0, 1), (0, None), (None, None), (0, 1)]
    bounds += [(None, None)] * n_sources
    initial_values = np.concatenate([[0.5, 1.0, 0.0, 0.5], np.zeros(n_sources)])
    values = minimize(measure_loss, initial_values, method="L-BFGS-B", bounds=bounds).x
    rounded = [round(float(value), 3) for value in values[:kinds]]
    return replace(model, heads=HeadWeights(*rounded))


def fit_line(odds: Any, right: Any, offset: Any = 0.0) -> tuple[float, float]:
    """Return the slope and the intercept through log odds that make verdicts likeliest (Platt)."""
    from scipy.optimize import minimize

    side = np.where(right, -1.0, 1.0)

    def measure_loss(values: Any) -> float:
        slope, intercept = values
        line = intercept + slope * odds + offset
        return float(np.logaddexp(0, side * line).sum())

    initial_values = np.array([1.0, 0.0])
    slope, intercept = minimize(measure_loss, initial_values, method="L-BFGS-B").x
    return float(slope), float(intercept)


@dataclass(frozen=True)
class Examples:
    """Answers that weights are fitted to.

    Attributes:
        rows: the answers.
        odds: their log odds without objections.
        weights: how much each answer counts.
        sources: a column for each source of graded answers, with 1 for its rows. Each source has an
            intercept.
    """

    rows: Rows
    odds: Any
    weights: Any
    sources: Any


def fit_weights(examples: Examples, prior: float, penalty: float) -> Any:
    """Return the weights of objections, not below 0, that make verdicts likeliest.

    Args:
        examples: the answers.
        prior: the weight of a kind that no answer shows, towards which the others are pulled.
        penalty: how strongly they are pulled.
    """
    from scipy.optimize import minimize

    evidence = examples.rows.evidence
    kinds = evidence.shape[1]
    n_sources = examples.sources.shape[1]
    side = np.where(examples.rows.right, -1.0, 1.0)

    def measure_loss(values: Any) -> tuple[float, Any]:
        """Return the loss, and its gradient."""
        weights = values[:kinds]
        intercepts = values[kinds:]
        odds = examples.odds - evidence @ weights + examples.sources @ intercepts
        away = weights - prior
        losses = examples.weights * np.logaddexp(0, side * odds)
        loss = losses.sum() + penalty * (away**2).sum()
        odds_gradient = examples.weights * side / (1 + np.exp(-side * odds))
        weight_gradient = -(odds_gradient @ evidence) + 2 * penalty * away
        intercept_gradient = odds_gradient @ examples.sources
        return float(loss), np.concatenate([weight_gradient, intercept_gradient])

    bounds: list[tuple[float | None, float | None]] = [(0.0, MOST_WEIGHT)] * kinds
    bounds += [(None, None)] * n_sources
    initial_values = np.zeros(kinds + n_sources)
    fitted = minimize(measure_loss, initial_values, jac=True, method="L-BFGS-B", bounds=bounds)
    return fitted.x[:kinds]


def fit_objections(
    natural: tuple[Rows, Any], made: tuple[Rows, Any], graded: tuple[Rows, Any]
) -> Any:
    """Return the weights of each kind of objection, with a short and with a long reference.

    Args:
        natural: people's verdicts, with their calibrated log odds without objections.
        made: made-up answers with theirs.
        graded: graded answers with theirs.

    Returns:
        an array with a row for each kind, and two columns.
    """
    short = fit_weights(collect_short_examples(natural, made), SHORT_PRIOR, SHORT_PENALTY)
    long = fit_weights(collect_long_examples(graded, made), LONG_PRIOR, LONG_PENALTY)
    is_alike = np.isin(OBJECTION_KINDS, KINDS_WITH_SHORT_WEIGHT)
    long = np.where(is_alike, short, long)
    return np.round(np.stack([short, long], axis=1), 2)


def collect_short_examples(natural: tuple[Rows, Any], made: tuple[Rows, Any]) -> Examples:
    """Return people's verdicts and made-up contrasts beside short references."""
    rows, odds = select_open(*natural, long=False)
    contrasts, contrast_odds = select_open(*made, long=False)
    weights = np.ones(len(odds))
    contrast_weights = np.full(len(contrast_odds), CONTRAST_WEIGHT)
    return Examples(
        rows=concatenate_rows(rows, contrasts),
        odds=np.concatenate([odds, contrast_odds]),
        weights=np.concatenate([weights, contrast_weights]),
        sources=np.zeros((len(odds) + len(contrast_odds), 0)),
    )


def collect_long_examples(graded: tuple[Rows, Any], made: tuple[Rows, Any]) -> Examples:
    """Return graded answers and made-up contrasts beside long references."""
    rows, odds = select_open(*graded, long=True)
    contrasts, contrast_odds = select_open(*made, long=True)
    weights = weigh_sources(rows)
    contrast_weights = np.where(is_relation(contrasts), LONG_RELATION_WEIGHT, LONG_CONTRAST_WEIGHT)
    sources = mark_sources(rows)
    no_source = np.zeros((len(contrast_odds), sources.shape[1]))
    return Examples(
        rows=concatenate_rows(rows, contrasts),
        odds=np.concatenate([odds, contrast_odds]),
        weights=np.concatenate([weights, contrast_weights]),
        sources=np.concatenate([sources, no_source]),
    )


def mark_sources(rows: Rows) -> Any:
    """Return a column for each source of graded answers: 1 for its rows, 0 for others."""
    columns = [rows.kind == source for source in sorted(set(rows.kind))]
    return np.stack(columns, axis=1).astype(float)


def is_relation(rows: Rows) -> Any:
    """Return which made-up answers are those of relations.py: lists and exchanged roles.

    Only the weights of objections are fitted to them.
    """
    return np.array([str(kind).startswith("relation") for kind in rows.kind])


def select_open(rows: Rows, odds: Any, long: bool) -> tuple[Rows, Any]:
    """Return the undecided rows with a long reference, or with a short one, and their log odds."""
    mask = is_open(rows) & (is_short(rows) != long)
    return rows.select(mask), odds[mask]


def is_open(rows: Rows) -> Any:
    """Return which rows no value decides."""
    return np.array([decision is None for decision in rows.decisions])


def is_short(rows: Rows) -> Any:
    """Return which rows have a short reference."""
    return rows.words < SHORTEST_REFERENCE


def fit_decided(rows: Rows, odds: Any) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the log odds if a value decides, and the weight of those that the words alone give.

    The weight is at most that in MOST_SHARES.

    Returns:
        both for an answer with another value than the reference, and both for the same value.
    """
    lines = list[tuple[float, float]]()
    for outcome, most in MOST_SHARES.items():
        mask = np.array([is_decided(decision, (outcome,)) for decision in rows.decisions])
        right = rows.right[mask]
        if len(set(right)) < 2:
            # Nothing can be fitted without both right and wrong answers.
            lines.append((0.0, most))
            continue
        limited = np.clip(odds[mask], -MOST_ODDS, MOST_ODDS)
        share, intercept = fit_line(limited, right)
        if share > most:
            share = most
            intercept = fit_intercept(share * limited, right)
        lines.append((round(intercept, 2), round(share, 2)))
    return lines[0], lines[1]


def fit_intercept(odds: Any, right: Any) -> float:
    """Return the intercept with which log odds predict the true number of right answers."""
    from scipy.optimize import brentq

    def count_surplus(intercept: float) -> float:
        predicted = 1 / (1 + np.exp(-odds - intercept))
        return float((predicted - right).sum())

    return float(brentq(count_surplus, -20, 20))


def compute_odds(heads: Heads, model: Model) -> Any:
    """Return the calibrated log odds of rows, without objections and decisions."""
    joined = join_heads(heads, model.heads, np)
    return calibrate_agreement(heads, joined, model.calibration, np)


def apply_objections(rows: Rows, odds: Any, model: Model) -> Any:
    """Return the log odds of rows after objections and decisions."""
    short_weights, long_weights = model.objections.T
    weights = np.where(is_short(rows)[:, None], short_weights, long_weights)
    odds = odds - (rows.evidence * weights).sum(axis=1)
    odds = np.where(rows.unsure, limit_odds(odds, np), odds)
    for i, decision in enumerate(rows.decisions):
        odds[i] = decide_odds(odds[i], decision, model.decided)
    return odds


def compute_probabilities(odds: Any) -> Any:
    """Return the probability for each of some log odds."""
    return np.array([compute_probability(row_odds) for row_odds in odds])
