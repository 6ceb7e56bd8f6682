"""What a person's verdicts on some answers say of a system, of the scores and of the estimate, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference import auroc
from lens.inference.intervals import Interval, design_effect, effective_sample_size
from lens.inference.recalibration import Recalibration, fit_recalibration
from lens.inference.shares import (
    Scores,
    Share,
    Verdict,
    estimate_share,
    estimate_share_with_scores,
    weigh_verdicts,
)
from lens.study.annotations import Sample, StandIn, SystemVerdicts, count_missing, find_sample, parse_verdicts
from lens.tables.verdict_words import DECLINED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.scoring.catalog import Series

    Array = NDArray[Any]


@dataclass(frozen=True)
class Agreement:
    """How far one score agrees with the verdicts, over so many of them; from `threshold` up an answer is called right,
    which is so as often as `accuracy` says (None: every answer is called wrong).
    """

    series: Series
    verdicts: int
    area: float
    interval: Interval
    accuracy: float
    threshold: float | None


@dataclass(frozen=True)
class Findings:
    """What the verdicts say. `undecided` rows were read, and have no verdict; `drawn`: they are a sample drawn here.
    `joined` is None where nothing stands in for the other rows; `stand_in` is what would. Where answers decline,
    `attempted` is the share of those that do not, `of_attempted` the share of right ones among them.
    """

    rows: int
    undecided: int
    drawn: bool
    alone: Share
    joined: Share | None
    stand_in: StandIn | None
    scores: Sequence[Agreement]
    attempted: Share | None = None
    of_attempted: Share | None = None


def sum_up_verdicts(read: SystemVerdicts, ways: Sequence[Sample]) -> Findings | None:
    """Return what the verdicts on a system's answers say; None where there are fewer than 20."""
    if count_missing(read.said):
        return None
    drawn = find_sample(ways, [read.said])
    sample = drawn or ways[0]
    said = [read.said[row] for row in sample.rows]
    verdicts = parse_verdicts(said)
    weights = weigh_verdicts(verdicts, sample.stratum)
    alone = estimate_share(verdicts, sample.cluster, weights)
    columns = {series: [column[row] for row in sample.rows] for series, column in read.columns.items()}
    return Findings(
        rows=len(sample.rows),
        undecided=sum(map(bool, said)) - alone.read,
        drawn=bool(drawn),
        alone=alone,
        joined=join_stand_in(read.stand_in, verdicts, sample),
        stand_in=read.stand_in,
        scores=measure_scores(verdicts, columns, sample.cluster, weights),
        **count_attempts(said, verdicts, sample.cluster, weights),
    )


def join_stand_in(stand_in: StandIn | None, verdicts: Sequence[Verdict], sample: Sample) -> Share | None:
    """Return the share by the verdicts and what stands in for them elsewhere; None where nothing does."""
    if stand_in is None:
        return None
    scores = [stand_in.scores[row] for row in sample.rows]
    if all(score is None for score in scores):
        return None
    return estimate_share_with_scores(verdicts, scores, sample.stratum, sample.cluster)


def count_attempts(
    said: Sequence[str], verdicts: Sequence[Verdict], cluster: Cluster, weights: Array
) -> dict[str, Share | None]:
    """Return the share of answers that were attempted, and of right ones among them; nothing where none declines.

    `weights`: those of the verdicts (`weigh_verdicts`).
    """
    if DECLINED not in said:
        return {}
    tried: list[Verdict] = [None if one is None else own != DECLINED for one, own in zip(verdicts, said, strict=True)]
    right = [one if own else None for one, own in zip(verdicts, tried, strict=True)]
    some = any(one is not None for one in right)
    return {
        "attempted": estimate_share(tried, cluster, weights),
        "of_attempted": estimate_share(right, cluster, weights) if some else None,
    }


def measure_scores(
    verdicts: Sequence[Verdict],
    columns: Mapping[Series, Scores],
    cluster: Cluster = None,
    weights: Array | None = None,
) -> list[Agreement]:
    """Return how far each score agrees with the verdicts, the highest AUROC first; without scores of too few rows.

    Args:
        verdicts: None stands for a row without one.
        columns: the scores of the same rows by series.
        cluster: the cluster of each row, or None if rows are independent.
        weights: the weight of each row, where rows were drawn with unequal chances.
    """
    import numpy as np

    clusters = None if cluster is None else np.asarray(cluster)
    weighted = np.ones(len(verdicts)) if weights is None else weights
    found = []
    for series, column in columns.items():
        pairs = np.array([column, verdicts], dtype=float)
        known = ~np.isnan(pairs).any(axis=0)
        scores, right, weight = pairs[0, known], pairs[1, known] == 1, weighted[known]
        if right.all() or not right.any():
            continue
        area = auroc.measure_auroc(scores, right, weight)
        influence = auroc.measure_influence(scores, right, weight)
        effect = design_effect(influence, None if clusters is None else clusters[known])
        worths = [max(effective_sample_size(weight[kind]) / effect, 1.0) for kind in (right, ~right)]
        best = auroc.find_best_threshold(scores, right, weight)
        found.append(Agreement(series, len(scores), area, auroc.auroc_interval(area, *worths), *best))
    return sorted(found, key=lambda one: -one.area)


def fit_estimate(systems: Sequence[SystemVerdicts]) -> Recalibration | None:
    """Return the estimate fitted to the verdicts on all systems; None without verdicts or estimates."""
    estimates, verdicts = list[float](), list[bool]()
    for one in systems:
        for estimate, verdict in zip(one.estimates or (), parse_verdicts(one.said) or (), strict=False):
            if estimate is not None and verdict is not None:
                estimates.append(estimate)
                verdicts.append(verdict)
    return fit_recalibration(estimates, verdicts) if estimates else None
