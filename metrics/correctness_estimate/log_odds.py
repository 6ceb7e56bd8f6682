"""Compute the log odds of an answer from its measurement.

    log odds = agreement - what takes the answer back - sum over objections: weight * evidence

If a value decides, its log odds replace this sum, but for a small share. Training calls the same
functions.
"""

import math
import struct
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from operator import getitem
from typing import Any, NamedTuple

from .contradictions import SHORTEST_REFERENCE
from .measure import Measurement, sum_evidence
from .model import (
    AGREEMENT_TEXT,
    CALIBRATION,
    DECIDED,
    FEATURES,
    HEADS,
    OBJECTION_WEIGHTS,
    SHARES,
    STANCE_TEXT,
)
from .polarity import NO_DENIAL_DISTANCE
from .outcomes import COARSER, EQUAL, LIKELY, OPEN, UNLIKELY, UPHELD, Decision

# The shares of a long reference that an answer has. They count in full for a reference of LONG
# words or more, and not at all for one of SHORT words or fewer.
COMPLETENESS = ("recall_rare", "f_rare", "recall_clauses", "recall_with_question")
SHORT = 7
LONG = 25
MOST_ODDS = 6.0  # log odds by words that count if something decides
# The least and the greatest log odds of an outcome. As probabilities: COARSER up to 0.4, OPEN 0.35
# to 0.65, LIKELY 0.62 to 0.8, UNLIKELY 0.2 to 0.38, UPHELD from 0.62 on.
BOUNDS = {
    COARSER: (-6.0, -0.4),
    OPEN: (-0.6, 0.6),
    LIKELY: (0.5, 1.4),
    UNLIKELY: (-1.4, -0.5),
    UPHELD: (0.5, MOST_ODDS),
}
# The log odds that an answer upholds a short fact, if no word of it denies, doubts, sets aside or
# corrects. For a longer reference the trees decide, for an answer may contradict it without such a
# word.
UPHELD_WITHOUT_CUE = 5.0
CUE_FEATURES = (
    "denied_on_match",
    "denied_before",
    "untrue_on_match",
    "untrue_claim",
    "set_aside_before",
    "barred",
    "several_or",
    "hedges",
)
# About one in ten answers with another value is right: the reference is rounded, older or counts
# in another way.
VALUE_KINDS = frozenset({"number", "date", "unit", "formula", "opposite"})
LEAST_DIFFERENT = math.log(0.1 / 0.9)
MOST_LONG_ODDS = 3.0  # log odds by words for a reference of LONG words: a probability of 0.95
LEAST_EQUAL = math.log(0.8 / 0.2)  # for an answer with the right value, whatever its words
# If only meaning could tell, log odds beyond the first number become less, and stay below the
# second.
UNSURE_ODDS = math.log(0.8 / 0.2)
MOST_UNSURE_ODDS = math.log(0.9 / 0.1)
TREE_BYTES = 2  # of the bits of a tree's leaves, so a tree has at most 16


class Node(NamedTuple):
    """A node of a tree, with the leaves of its two sides as `Ensemble` numbers them.

    The threshold is the greatest value of the lower side.
    """

    threshold: float
    low: int
    high: int


class Split(NamedTuple):
    """The leaves that the value of one feature leaves open in all trees.

    Attributes:
        feature: the position of the feature in FEATURES.
        thresholds: the thresholds of the feature's nodes, from the least.
        leaves: the open leaves for a value up to each threshold, and for a greater one.
    """

    feature: int
    thresholds: list[float]
    leaves: list[int]


class Ensemble(NamedTuple):
    """Trees whose leaves are found together, as in QuickScorer (Lucchese et al. 2015).

    Leaves are bits of one large integer, in which each tree has TREE_BYTES. The value of a feature
    closes the leaves on the other side of each node that reads it. One leaf of each tree stays open
    for all features.

    Attributes:
        start: the log odds to start with, in thousandths.
        trees: of each tree, the log odds of its leaves in thousandths, by their bits.
        leaves: the leaves of all trees.
        splits: the leaves that the values of each feature leave open.
    """

    start: int
    trees: list[dict[int, int]]
    leaves: int
    splits: list[Split]


@cache
def read_ensemble(text: str) -> Ensemble:
    """Return an ensemble from its text, as model.py describes it."""
    words = iter(text.split())
    start = int(next(words))
    trees = list[dict[int, int]]()
    nodes = dict[int, list[Node]]()  # of each feature

    def read_leaves(word: str) -> int:
        """Read a tree or a part of it from its first word on, and return its leaves."""
        feature, colon, threshold = word.partition(":")
        if not colon:
            leaf = 1 << len(trees[-1])
            trees[-1][leaf] = int(word)
            return leaf << 8 * TREE_BYTES * (len(trees) - 1)
        low = read_leaves(next(words))
        high = read_leaves(next(words))
        nodes.setdefault(int(feature), []).append(Node(float(threshold), low, high))
        return low | high

    all_leaves = 0
    for word in words:
        trees.append({})
        all_leaves |= read_leaves(word)
    splits = list[Split]()
    for feature, nodes_of_feature in nodes.items():
        splits.append(join_nodes(feature, nodes_of_feature, all_leaves))
    return Ensemble(start, trees, all_leaves, splits)


def join_nodes(feature: int, nodes: Sequence[Node], all_leaves: int) -> Split:
    """Return which leaves the values of a feature leave open, by all nodes that read it."""
    thresholds = sorted({node.threshold for node in nodes})
    open_leaves = list[int]()
    for value in (*thresholds, math.inf):
        closed = 0
        for node in nodes:
            closed |= node.low if value > node.threshold else node.high
        open_leaves.append(all_leaves & ~closed)
    return Split(feature, thresholds, open_leaves)


def sum_leaves(ensemble: Ensemble, values: Sequence[float]) -> float:
    """Return the log odds of an ensemble: its start, and the leaf of each tree for these values."""
    leaves = ensemble.leaves
    for feature, thresholds, open_leaves in ensemble.splits:
        leaves &= open_leaves[bisect_left(thresholds, values[feature])]
    n_trees = len(ensemble.trees)
    leaf_by_tree = struct.unpack(f"<{n_trees}H", leaves.to_bytes(TREE_BYTES * n_trees, "little"))
    return (ensemble.start + sum(map(getitem, ensemble.trees, leaf_by_tree))) / 1000


class Heads(NamedTuple):
    """The outputs of the model's parts for an answer; in training each is an array of many.

    Attributes:
        agreement: the log odds that the answer agrees with the reference.
        upheld: the log odds that the answer does not take back its agreement.
        completeness: the share of the reference in the answer, in deviations from the mean of
            graded answers.
        length: how long the reference is, from 0 for SHORT words to 1 for LONG ones.
    """

    agreement: Any
    upheld: Any
    completeness: Any
    length: Any


class HeadWeights(NamedTuple):
    """The four numbers that join the heads for a long reference.

    Attributes:
        less: the share that the agreement loses.
        more: the weight of the completeness.
        start: the log odds that are added.
        spared: the share of the loss by `upheld` that does not count.
    """

    less: float
    more: float
    start: float
    spared: float


def join_heads(heads: Heads, weights: HeadWeights, functions: Any = math) -> Any:
    """Return the log odds before calibration and objections.

    Agreement and completeness are joined by the length of the reference. Two probabilities
    multiply: that the answer agrees, and that it does not take back what it has.

    Args:
        heads: of one answer, or arrays of many.
        weights: how they are joined.
        functions: what has `exp` and `log`: math, or numpy for arrays.
    """
    length = heads.length
    agreement = heads.agreement * (1 - weights.less * length)
    agreement += length * (weights.more * heads.completeness + weights.start)
    # If a and b are the odds against two events, the odds against both are a + b + ab.
    against_agreement, against_upheld = functions.exp(-agreement), functions.exp(-heads.upheld)
    against_both = against_agreement + against_upheld + against_agreement * against_upheld
    both = -functions.log(against_both)
    return both + (agreement - both) * weights.spared * length


def measure_heads(features: Mapping[str, float], words: int) -> Heads:
    """Return the outputs of the model's parts for these features and this length of reference."""
    values = [features[name] for name in FEATURES]
    agreement = sum_leaves(read_ensemble(AGREEMENT_TEXT), values)
    if words >= SHORTEST_REFERENCE or has_cue(features):
        upheld = sum_leaves(read_ensemble(STANCE_TEXT), values)
    else:
        upheld = UPHELD_WITHOUT_CUE
    deviations: list[float] = []
    for name, (mean, deviation) in zip(COMPLETENESS, SHARES, strict=True):
        deviations.append((features[name] - mean) / deviation)
    completeness = math.fsum(deviations) / len(deviations)
    return Heads(agreement, upheld, completeness, measure_length(words))


def has_cue(features: Mapping[str, Any]) -> Any:
    """Return whether some word of an answer may take back its agreement.

    Args:
        features: of one answer, or of many answers: of each name an array.
    """
    cue = (features["denied_distance"] < NO_DENIAL_DISTANCE) | (features["stance"] < 0)
    for name in CUE_FEATURES:
        cue = cue | (features[name] > 0)
    return cue


def measure_length(words: int) -> float:
    """Return how long a reference is: 0 for SHORT words, 1 for LONG ones, by the logarithm."""
    length = (math.log1p(words) - math.log1p(SHORT)) / (math.log1p(LONG) - math.log1p(SHORT))
    return max(0.0, min(length, 1.0))


def compute_agreement(features: Mapping[str, float], words: int) -> float:
    """Return the calibrated log odds of an answer before objections and decisions."""
    heads = measure_heads(features, words)
    return calibrate_agreement(heads, join_heads(heads, HeadWeights(*HEADS)), CALIBRATION)


def calibrate_agreement(
    heads: Heads,
    odds: Any,
    calibration: tuple[float, float],
    functions: Any = math,
) -> Any:
    """Return the calibrated log odds of agreement.

    Beside a long reference they stay within MOST_LONG_ODDS: words alone are no surer, and an
    objection counts beside any of them.

    Args:
        heads: of one answer, or arrays of many.
        odds: their log odds by `join_heads`.
        calibration: slope and start of the line.
        functions: the module with `tanh`: math, or numpy for arrays.
    """
    slope, start = calibration
    calibrated = start + slope * odds
    limited = MOST_LONG_ODDS * functions.tanh(calibrated / MOST_LONG_ODDS)
    is_long = 1.0 * (heads.length >= 1)
    return calibrated + is_long * (limited - calibrated)


def weigh_objection(kind: str, words: int) -> float:
    """Return the weight of a kind of objection for a reference with this number of words."""
    short, long = OBJECTION_WEIGHTS[kind]
    return short if words < SHORTEST_REFERENCE else long


def compute_log_odds(measurement: Measurement) -> float:
    """Return the log odds that people would call an answer right."""
    return decide_odds(compute_undecided_odds(measurement), measurement.decision)


def compute_undecided_odds(measurement: Measurement) -> float:
    """Return the log odds by words and objections, without a decision."""
    words = len(measurement.reference.words)
    odds = compute_agreement(measurement.features, words)
    if not measurement.objections:
        return odds
    for kind, evidence in sum_evidence(measurement.objections).items():
        odds -= weigh_objection(kind, measurement.reference_length) * evidence
    return odds


def decide_odds(
    odds: float, decision: Decision | None, fitted: Sequence[tuple[float, float]] = DECIDED
) -> float:
    """Return the log odds of a decision, with a share of the log odds by words.

    An outcome with BOUNDS only limits the log odds by words.

    Args:
        odds: the log odds by words and objections.
        decision: the decision, None if nothing decides.
        fitted: the log odds of a decision and the share, for another value and for the same.
    """
    if not decision:
        return odds
    if decision.outcome in BOUNDS:
        least, most = BOUNDS[decision.outcome]
        return max(least, min(odds, most))
    start, share = fitted[decision.outcome == EQUAL]
    decided = start + share * max(-MOST_ODDS, min(odds, MOST_ODDS))
    if decision.outcome == EQUAL:
        return max(decided, LEAST_EQUAL)
    return max(decided, LEAST_DIFFERENT) if decision.kind in VALUE_KINDS else decided


def limit_odds(odds: Any, functions: Any = math) -> Any:
    """Return log odds that stay away from certainty, in the same order.

    Probabilities from 0.2 to 0.8 stay as they are. Others come to lie between 0.1 and 0.9.
    """
    # How far they are beyond UNSURE_ODDS, 0 for those that stay; written so for arrays.
    difference = functions.fabs(odds) - UNSURE_ODDS
    beyond = (difference + functions.fabs(difference)) / 2
    room = MOST_UNSURE_ODDS - UNSURE_ODDS
    surplus = beyond - room * functions.tanh(beyond / room)
    return odds - functions.copysign(surplus, odds)


def share_of_words(decision: Decision) -> float:
    """Return the share of the log odds by words if something decides."""
    return DECIDED[decision.outcome == EQUAL][1]


def compute_probability(odds: float) -> float:
    """Return the probability of log odds."""
    if odds < 0:
        return math.exp(odds) / (1.0 + math.exp(odds))
    return 1.0 / (1.0 + math.exp(-odds))
