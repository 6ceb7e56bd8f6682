"""Fit the parts of correctness_estimate to answers that were found right or wrong.

- Two ensembles of trees give log odds: `agreement`, that the answer agrees with the reference, and
  `stance`, that it does not take this back, as "Rome, not Paris" takes back "Paris".
- Heads (log_odds.Heads) are the numbers that are joined to one: both log odds, the completeness of
  the answer, and the length of the reference. Four weights join them.
- The calibration is a line through the joined log odds.
- Each kind of objection, such as another number, has a weight.
- If a value decides, such as "5 km" for "5000 m", two numbers say what the words still count.

All sources of graded answers have the same weight, and half of it is on right answers. If a
question has n answers, each has the weight 1 / sqrt(n). When heads and objections are fitted to
graded answers, each source has an intercept of its own, so that only differences within a source
count; these intercepts are not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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
from metrics.training.rows import Array, Rows, concatenate_rows


class Line(NamedTuple):
    """A line through log odds."""

    slope: float
    intercept: float


class Prior(NamedTuple):
    """What is assumed of the weights of objections before any answer is seen.

    Attributes:
        weight: the weight of an objection that no answer shows; the others are pulled towards it.
        penalty: how strongly they are pulled.
    """

    weight: float
    penalty: float


SEED = 0
# The settings of the trees. Each tree is a small step, and each split sees a random part of the
# features, so that chance effects of the trees cancel.
TREE_SETTINGS = {"early_stopping": False, "max_features": 0.4}
AGREEMENT_TREE_SETTINGS = TREE_SETTINGS | {
    "max_iter": 170,
    "learning_rate": 0.07,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 40,
    "l2_regularization": 5.0,
}
STANCE_TREE_SETTINGS = TREE_SETTINGS | {
    "max_iter": 210,
    "learning_rate": 0.1,
    "max_leaf_nodes": 16,
    "min_samples_leaf": 60,
    "l2_regularization": 1.0,
}
# Most of the answers that the stance ensemble is fitted to are made up, and more of them take
# something back than people's answers do, so its log odds are corrected with this line. It was
# chosen by the figures of people's verdicts and of made-up answers.
STANCE_LINE = Line(slope=2.5, intercept=2.5)
# The weight of a made-up answer in the stance ensemble, by its kind; an answer that people judged
# has weight 1. AGREEMENT_WEIGHTS has those in the agreement ensemble.
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
# Kinds that only the agreement ensemble learns from.
AGREEMENT_ONLY_KINDS = ("magnitude", "yes or no", "long refusal")
AGREEMENT_WEIGHTS = {"sentence": 0.15, "right, number otherwise": 0.1, "long reference": 0.3}
AGREEMENT_WEIGHTS |= dict.fromkeys(AGREEMENT_ONLY_KINDS, 0.3)
# The weights of heads from which the search begins, and the bounds of each.
INITIAL_HEAD_WEIGHTS = HeadWeights(less=0.5, more=1.0, start=0.0, spared=0.5)
HEAD_WEIGHT_BOUNDS = [(0, 1), (0, None), (None, None), (0, 1)]
# How strongly the weights of heads, and the intercepts of sources, are pulled towards 0.
HEADS_PENALTY = 1e-4
# The weight of a made-up answer when objections are fitted: beside a short reference, beside a long
# one, and that of a list or of exchanged roles beside a long one.
SHORT_MADE_WEIGHT = 0.3
LONG_MADE_WEIGHT = 0.0008
LONG_RELATION_WEIGHT = 0.0002
SHORT_PRIOR = Prior(weight=1.5, penalty=0.1)
LONG_PRIOR = Prior(weight=0.4, penalty=0.005)
MOST_OBJECTION_WEIGHT = 6.0
# These objections have the weight for short references beside long ones, too: other words around
# them do not matter.
KINDS_WITH_SHORT_WEIGHT = ("either", "roles")
# The weights of these objections with a long reference are not the fitted ones. Fitted weights make
# grades likeliest, and graded answers have few of the changes that a user wants to have noticed.
# These were searched so that the changes of `make sensitivity` are noticed often enough with the
# highest mean AUROC of the grading sets.
CHOSEN_LONG_WEIGHTS = {
    "number": 1.0,
    "name": 0.7,
    "opposite": 0.52,
    "denied": 0.8,
    "affirmed": 1.2,
    "swapped": 1.0,
}
# A value decides most, yet the log odds that the words alone give have a share. Its bound is small
# if the answer has another value than the reference: "5 °C" has all the words of "-5 °C". It is
# larger for the same value, since an answer may take the right value back.
MOST_SHARES = {DIFFERENT: 0.12, EQUAL: 0.5}
# The log odds between which the intercept of a line is searched.
INTERCEPT_BOUNDS = (-20, 20)


class Scale(NamedTuple):
    """The mean and the standard deviation of a feature, by which it is standardized."""

    mean: float
    deviation: float


class DecidedOdds(NamedTuple):
    """The log odds of an answer about which a value decides: start + share * log odds of words."""

    start: float
    share: float


class TreeOdds(NamedTuple):
    """The log odds of both ensembles for some answers.

    Attributes:
        agreement: that the answer agrees with the reference.
        upheld: that it does not take its agreement back.
    """

    agreement: Array
    upheld: Array


# The numbers of a model that is not fitted yet.
UNFITTED_HEADS = HeadWeights(less=0.0, more=1.0, start=0.0, spared=0.0)
UNFITTED_CALIBRATION = Line(slope=1.0, intercept=0.0)


@dataclass(frozen=True)
class Model:
    """The fitted parts.

    Attributes:
        agreement, stance: the ensembles of scikit-learn.
        heads: the weights that join the heads.
        scales: those of the features in COMPLETENESS; their mean is the completeness.
        calibration: the line through the joined log odds.
        objections: an array with a row for each kind of objection, and its weights with a short and
            with a long reference as columns.
        decided: for an answer with another value, and for one with the same value.
    """

    agreement: Any
    stance: Any
    heads: HeadWeights = UNFITTED_HEADS
    scales: Sequence[Scale] = (Scale(0.0, 1.0),) * len(COMPLETENESS)
    calibration: Line = UNFITTED_CALIBRATION
    objections: Any = None
    decided: tuple[DecidedOdds, DecidedOdds] = (DecidedOdds(-2.5, 0.2), DecidedOdds(3.6, 0.2))


# ---- ensembles


def fit_ensembles(judged: Rows, made: Rows, seed: int = SEED) -> Model:
    """Return a model with the ensembles fitted to people's verdicts and to made-up answers.

    The agreement ensemble learns from people's verdicts, and from the kinds of made-up answers in
    AGREEMENT_WEIGHTS. The stance ensemble compares made-up answers with those that people found
    right.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    is_for_agreement = np.isin(made.kind, list(AGREEMENT_WEIGHTS))
    for_agreement = made.select(is_for_agreement)
    weights = [AGREEMENT_WEIGHTS[kind] for kind in for_agreement.kind]
    agreement = HistGradientBoostingClassifier(random_state=seed, **AGREEMENT_TREE_SETTINGS)
    fit_trees(agreement, judged, for_agreement, weights)

    is_for_agreement_only = np.isin(made.kind, AGREEMENT_ONLY_KINDS)
    for_stance = made.select((~is_for_agreement | made.right) & ~is_for_agreement_only)
    weights = [STANCE_WEIGHTS.get(kind, USUAL_STANCE_WEIGHT) for kind in for_stance.kind]
    stance = HistGradientBoostingClassifier(random_state=seed, **STANCE_TREE_SETTINGS)
    fit_trees(stance, judged.select(judged.right), for_stance, weights)
    return Model(agreement, stance)


def fit_trees(trees: Any, judged: Rows, made: Rows, made_weights: Sequence[float]) -> None:
    """Fit an ensemble to answers that people judged, with weight 1, and to made-up ones."""
    trees.fit(
        np.concatenate([judged.features, made.features]),
        np.concatenate([judged.right, made.right]),
        np.concatenate([np.ones(len(judged.right)), made_weights]),
    )


def measure_trees(rows: Rows, model: Model) -> TreeOdds:
    """Return the log odds of a model's ensembles for rows."""
    slope, intercept = STANCE_LINE
    agreement = model.agreement.decision_function(rows.features)
    upheld = intercept + slope * model.stance.decision_function(rows.features)
    features = {name: rows.column(name) for name in rows.names}
    may_take_back = has_cue(features) | ~has_short_reference(rows)
    return TreeOdds(agreement, np.where(may_take_back, upheld, UPHELD_WITHOUT_CUE))


# ---- heads


def make_heads(rows: Rows, model: Model, tree_odds: TreeOdds) -> Heads:
    """Return the heads of rows, given the log odds of the ensembles."""
    means, deviations = np.array(model.scales).T
    standardized = (rows.columns(COMPLETENESS) - means) / deviations
    length = np.array([measure_length(words) for words in rows.words])
    return Heads(tree_odds.agreement, tree_odds.upheld, standardized.mean(axis=1), length)


def weigh_sources(rows: Rows) -> Array:
    """Return the weight of each graded row.

    Sources have equal weights, and so have right and wrong answers of each. Each of the n rows of a
    question has the weight 1 / sqrt(n).
    """
    _, question, count = np.unique(rows.question, return_inverse=True, return_counts=True)
    weights: Array = 1 / np.sqrt(count[question])
    for source in sorted(set(rows.kind)):
        for right in (False, True):
            group = (rows.kind == source) & (rows.right == right)
            if group.any():
                weights[group] /= weights[group].sum()
    return weights


def mark_sources(rows: Rows) -> Array:
    """Return a column for each source of graded answers: 1 for its rows, 0 for others."""
    columns = [rows.kind == source for source in sorted(set(rows.kind))]
    return np.stack(columns, axis=1).astype(float)


def measure_scales(rows: Rows) -> list[Scale]:
    """Return the scale of each feature in COMPLETENESS, over graded rows."""
    weights = weigh_sources(rows)
    columns = rows.columns(COMPLETENESS)
    means = np.average(columns, axis=0, weights=weights)
    variances = np.average((columns - means) ** 2, axis=0, weights=weights)
    scales = []
    for mean, variance in zip(means, variances, strict=True):
        # A feature that is the same in all rows does not matter; by 1 it can be divided.
        deviation = round(float(np.sqrt(variance)), 3) or 1.0
        scales.append(Scale(round(float(mean), 3), deviation))
    return scales


def fit_heads(graded: Rows, model: Model) -> Model:
    """Return a model with the weights of heads that make graded rows likeliest.

    Objections are not used.
    """
    from scipy.optimize import minimize

    model = replace(model, scales=measure_scales(graded))
    heads = make_heads(graded, model, measure_trees(graded, model))
    weights = weigh_sources(graded)
    sources = mark_sources(graded)
    side = np.where(graded.right, -1.0, 1.0)
    n_weights = len(INITIAL_HEAD_WEIGHTS)
    n_sources = sources.shape[1]

    def measure_loss(values: Array) -> float:
        head_weights = HeadWeights(*values[:n_weights])
        intercepts = sources @ values[n_weights:]
        odds = join_heads(heads, head_weights, np) + intercepts
        losses = weights * np.logaddexp(0, side * odds)
        return float(losses.sum() + HEADS_PENALTY * (values**2).sum())

    bounds = [*HEAD_WEIGHT_BOUNDS, *[(None, None)] * n_sources]
    initial_values = np.concatenate([INITIAL_HEAD_WEIGHTS, np.zeros(n_sources)])
    values = minimize(measure_loss, initial_values, method="L-BFGS-B", bounds=bounds).x
    rounded = [round(float(value), 3) for value in values[:n_weights]]
    return replace(model, heads=HeadWeights(*rounded))


# ---- calibration


def fit_line(odds: Array, right: Array, offset: Any = 0.0) -> Line:
    """Return the line through log odds that makes verdicts likeliest (Platt scaling).

    Args:
        odds: the log odds.
        right: the verdicts.
        offset: what is added to each value of the line, such as the objections.
    """
    from scipy.optimize import minimize

    side = np.where(right, -1.0, 1.0)

    def measure_loss(values: Array) -> float:
        slope, intercept = values
        line = intercept + slope * odds + offset
        return float(np.logaddexp(0, side * line).sum())

    initial_values = np.array([1.0, 0.0])
    slope, intercept = minimize(measure_loss, initial_values, method="L-BFGS-B").x
    return Line(float(slope), float(intercept))


def fit_intercept(odds: Array, right: Array) -> float:
    """Return the intercept with which log odds predict the true number of right answers."""
    from scipy.optimize import brentq

    def count_surplus(intercept: float) -> float:
        predicted = 1 / (1 + np.exp(-odds - intercept))
        return float((predicted - right).sum())

    return float(brentq(count_surplus, *INTERCEPT_BOUNDS))


# ---- objections


@dataclass(frozen=True)
class OpenAnswers:
    """Answers with their calibrated log odds before objections and decisions."""

    rows: Rows
    odds: Array

    def select_undecided(self, is_long: bool) -> "OpenAnswers":
        """Return the answers that no value decides, with a long reference or with a short one."""
        mask = is_undecided(self.rows) & (has_short_reference(self.rows) != is_long)
        return OpenAnswers(self.rows.select(mask), self.odds[mask])


@dataclass(frozen=True)
class Examples:
    """Answers that the weights of objections are fitted to.

    Attributes:
        rows: the answers.
        odds: their log odds without objections.
        weights: how much each answer counts.
        sources: a column for each source of graded answers, with 1 for its rows. Each source has an
            intercept.
    """

    rows: Rows
    odds: Array
    weights: Array
    sources: Array


def fit_objections(judged: OpenAnswers, made: OpenAnswers, graded: OpenAnswers) -> Array:
    """Return the weights of each kind of objection, with a short and with a long reference.

    Those with a short reference are fitted to people's verdicts, those with a long one to graded
    answers; both to made-up answers, too. CHOSEN_LONG_WEIGHTS replace fitted ones.

    Returns:
        an array with a row for each kind, and two columns.
    """
    short = fit_weights(collect_short_examples(judged, made), SHORT_PRIOR)
    long = fit_weights(collect_long_examples(graded, made), LONG_PRIOR)
    has_short_weight = np.isin(OBJECTION_KINDS, KINDS_WITH_SHORT_WEIGHT)
    long = np.where(has_short_weight, short, long)
    for kind, weight in CHOSEN_LONG_WEIGHTS.items():
        long[OBJECTION_KINDS.index(kind)] = weight
    return np.round(np.stack([short, long], axis=1), 2)


def collect_short_examples(judged: OpenAnswers, made: OpenAnswers) -> Examples:
    """Return people's verdicts and made-up answers beside short references."""
    judged = judged.select_undecided(is_long=False)
    made = made.select_undecided(is_long=False)
    weights = np.ones(len(judged.odds))
    made_weights = np.full(len(made.odds), SHORT_MADE_WEIGHT)
    n_answers = len(judged.odds) + len(made.odds)
    return Examples(
        rows=concatenate_rows(judged.rows, made.rows),
        odds=np.concatenate([judged.odds, made.odds]),
        weights=np.concatenate([weights, made_weights]),
        sources=np.zeros((n_answers, 0)),
    )


def collect_long_examples(graded: OpenAnswers, made: OpenAnswers) -> Examples:
    """Return graded answers and made-up ones beside long references."""
    graded = graded.select_undecided(is_long=True)
    made = made.select_undecided(is_long=True)
    weights = weigh_sources(graded.rows)
    made_weights = np.where(is_relation(made.rows), LONG_RELATION_WEIGHT, LONG_MADE_WEIGHT)
    sources = mark_sources(graded.rows)
    no_source = np.zeros((len(made.odds), sources.shape[1]))
    return Examples(
        rows=concatenate_rows(graded.rows, made.rows),
        odds=np.concatenate([graded.odds, made.odds]),
        weights=np.concatenate([weights, made_weights]),
        sources=np.concatenate([sources, no_source]),
    )


def fit_weights(examples: Examples, prior: Prior) -> Array:
    """Return the weights of objections, not below 0, that make verdicts likeliest."""
    from scipy.optimize import minimize

    evidence = examples.rows.evidence
    kinds = evidence.shape[1]
    n_sources = examples.sources.shape[1]
    side = np.where(examples.rows.right, -1.0, 1.0)

    def measure_loss(values: Array) -> tuple[float, Array]:
        """Return the loss, and its gradient."""
        weights = values[:kinds]
        intercepts = values[kinds:]
        odds = examples.odds - evidence @ weights + examples.sources @ intercepts
        deviations = weights - prior.weight
        losses = examples.weights * np.logaddexp(0, side * odds)
        loss = losses.sum() + prior.penalty * (deviations**2).sum()

        odds_gradient = examples.weights * side / (1 + np.exp(-side * odds))
        weight_gradient = -(odds_gradient @ evidence) + 2 * prior.penalty * deviations
        intercept_gradient = odds_gradient @ examples.sources
        return float(loss), np.concatenate([weight_gradient, intercept_gradient])

    bounds: list[tuple[float | None, float | None]] = [(0.0, MOST_OBJECTION_WEIGHT)] * kinds
    bounds += [(None, None)] * n_sources
    initial_values = np.zeros(kinds + n_sources)
    fitted = minimize(measure_loss, initial_values, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Array = fitted.x[:kinds]
    return weights


def is_relation(rows: Rows) -> Array:
    """Return which made-up answers are those of relations.py, such as lists and exchanged roles.

    Only the weights of objections are fitted to them.
    """
    return np.array([str(kind).startswith("relation") for kind in rows.kind])


def is_undecided(rows: Rows) -> Array:
    """Return which rows no value decides."""
    return np.array([decision is None for decision in rows.decisions])


def has_short_reference(rows: Rows) -> Array:
    """Return which rows have a short reference."""
    is_short: Array = rows.reference_length < SHORTEST_REFERENCE
    return is_short


# ---- decisions


def fit_decided(rows: Rows, odds: Array) -> tuple[DecidedOdds, DecidedOdds]:
    """Return the log odds for another value than the reference, and for the same value.

    Args:
        rows: people's verdicts.
        odds: the log odds that the words alone give.
    """
    return (
        fit_decided_odds(rows, odds, DIFFERENT),
        fit_decided_odds(rows, odds, EQUAL),
    )


def fit_decided_odds(rows: Rows, odds: Array, outcome: str) -> DecidedOdds:
    """Return the log odds of answers with one outcome; their share is at most MOST_SHARES."""
    most_share = MOST_SHARES[outcome]
    mask = has_outcome(rows, outcome)
    right = rows.right[mask]
    if len(set(right)) < 2:
        # Nothing can be fitted without both right and wrong answers.
        return DecidedOdds(start=0.0, share=most_share)
    limited = np.clip(odds[mask], -MOST_ODDS, MOST_ODDS)
    share, start = fit_line(limited, right)
    if share > most_share:
        share = most_share
        start = fit_intercept(share * limited, right)
    return DecidedOdds(round(start, 2), round(share, 2))


def has_outcome(rows: Rows, outcome: str) -> Array:
    """Return which rows have a decision with this outcome."""
    mask = []
    for decision in rows.decisions:
        mask.append(decision is not None and decision.outcome == outcome)
    return np.array(mask)


# ---- the estimate


def compute_odds(heads: Heads, model: Model) -> Array:
    """Return the calibrated log odds of rows, without objections and decisions."""
    joined = join_heads(heads, model.heads, np)
    odds: Array = calibrate_agreement(heads, joined, model.calibration, np)
    return odds


def apply_objections(rows: Rows, odds: Array, model: Model) -> Array:
    """Return the log odds of rows after objections and decisions."""
    short_weights, long_weights = model.objections.T
    weights = np.where(has_short_reference(rows)[:, None], short_weights, long_weights)
    odds = odds - (rows.evidence * weights).sum(axis=1)
    odds = np.where(rows.unsure, limit_odds(odds, np), odds)
    for i, decision in enumerate(rows.decisions):
        odds[i] = decide_odds(odds[i], decision, model.decided)
    return odds


def compute_probabilities(odds: Array) -> Array:
    """Return the probability for each of some log odds."""
    return np.array([compute_probability(row_odds) for row_odds in odds])
