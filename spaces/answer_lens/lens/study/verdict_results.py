"""Tables of results from verdicts: on systems, scores, judges and the estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from lens.inference import auroc
from lens.inference.intervals import design_effect, effective_sample_size
from lens.inference.recalibration import Recalibration, fit_recalibration
from lens.inference.shares import Share, estimate_share, estimate_share_with_scores, weigh_verdicts
from lens.study.annotations import (
    ATTEMPTED,
    RIGHT_OF_ATTEMPTED,
    VERDICTS_ALONE,
    WITH_STAND_IN,
    Sample,
    SystemVerdicts,
    count_missing,
    describe_needed_verdicts,
    draw_method_samples,
    match_sample,
    parse_verdicts,
)
from lens.study.judge_results import compare_judges, list_disagreements
from lens.study.measures import Row, name_interval_ends
from lens.study.reader_results import list_bridged_shares, list_lead_changes, list_readers
from lens.study.verdict_rankings import compare_by_verdicts
from lens.tables.verdict_words import DECLINED, UNREAD
from lens.words.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.inference.shares import Scores, Verdict

    Array = NDArray[Any]


def match_samples(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample], cluster: Cluster = None
) -> list[Sample]:
    """Return the sample that was read of each system: drawn for all systems, or for it alone.

    Args:
        systems: the systems with the verdicts on them.
        samples: the samples that are drawn for all systems.
        cluster: the cluster of each question; None if questions are independent.
    """
    matched = []
    for system in systems:
        own_samples = draw_method_samples([system], cluster) if len(systems) > 1 else []
        matched.append(match_sample([*samples, *own_samples], system.verdicts))
    return matched


# Shares of right answers


def list_shares(system: SystemVerdicts, sample: Sample) -> Iterator[Row]:
    """Yield the shares of a system's answers that follow from the verdicts.

    There are no rows with fewer than 20 verdicts.

    Args:
        system: the system with the verdicts on it.
        sample: the sample that was read.
    """
    if count_missing(system.verdicts):
        return
    words = [system.verdicts[row] for row in sample.rows]
    verdicts = parse_verdicts(words)
    weights = weigh_verdicts(verdicts, sample.stratum)
    alone = estimate_share(verdicts, sample.cluster, weights)
    shares = {VERDICTS_ALONE: alone}
    with_stand_in = estimate_share_with_stand_in(system, verdicts, sample)
    if with_stand_in:
        shares[WITH_STAND_IN] = with_stand_in
    shares |= count_attempts(words, verdicts, sample.cluster, weights)
    undecided = len(words) - words.count(UNREAD) - alone.read
    for source, share in shares.items():
        yield {
            "system": system.name,
            "source": source,
            "share": share.share,
            **name_interval_ends(share.interval),
            "n_read": share.read,
            "effective_n": share.effective_n,
            "method": sample.method or None,
            "rows": len(words),
            "undecided": undecided,
            "stand_in": system.stand_in_name if source == WITH_STAND_IN else None,
        }


def estimate_share_with_stand_in(
    system: SystemVerdicts, verdicts: Sequence[Verdict], sample: Sample
) -> Share | None:
    """Return the share by the verdicts and the stand-in; None if there is no stand-in."""
    stand_in = system.stand_in_scores
    if stand_in is None:
        return None
    scores = [stand_in[row] for row in sample.rows]
    if all(score is None for score in scores):
        return None
    return estimate_share_with_scores(verdicts, scores, sample.stratum, sample.cluster)


def count_attempts(
    words: Sequence[str],
    verdicts: Sequence[Verdict],
    cluster: Cluster,
    weights: Array,
) -> dict[str, Share]:
    """Return the share of answers that were attempted, and the share of right answers among these.

    There are no shares if no answer declines.

    Args:
        words: the verdicts in words.
        verdicts: whether each answer is right.
        cluster: the cluster of each answer; None if answers are independent.
        weights: the weight of each verdict (`weigh_verdicts`).
    """
    if DECLINED not in words:
        return {}
    attempts: list[Verdict] = []
    attempted_verdicts: list[Verdict] = []
    for word, verdict in zip(words, verdicts, strict=True):
        attempts.append(None if verdict is None else word != DECLINED)
        attempted_verdicts.append(None if word == DECLINED else verdict)
    shares = {ATTEMPTED: estimate_share(attempts, cluster, weights)}
    if any(verdict is not None for verdict in attempted_verdicts):
        shares[RIGHT_OF_ATTEMPTED] = estimate_share(attempted_verdicts, cluster, weights)
    return shares


# Scores beside verdicts


def list_agreement(system: SystemVerdicts, sample: Sample) -> Iterator[Row]:
    """Yield the agreement of each series of scores with the verdicts.

    A series is left out if all its scored answers have the same verdict.

    Args:
        system: the system with the verdicts on it.
        sample: the sample that was read.
    """
    if count_missing(system.verdicts):
        return
    verdicts = parse_verdicts([system.verdicts[row] for row in sample.rows])
    weights = weigh_verdicts(verdicts, sample.stratum)
    for series, column in system.scores.items():
        scores = [column[row] for row in sample.rows]
        row = measure_agreement(verdicts, scores, weights, sample.cluster)
        if row:
            yield {"system": system.name, "metric": series.key, **row}


def measure_agreement(
    verdicts: Sequence[Verdict],
    scores: Scores,
    weights: Array,
    cluster: Cluster = None,
) -> Row | None:
    """Return the agreement of scores with verdicts.

    The result is None if all scored answers are right, or all are wrong.

    Args:
        verdicts: the verdicts; None for an answer without a verdict.
        scores: the scores of the same answers.
        weights: the weight of each answer (`weigh_verdicts`).
        cluster: the cluster of each answer; None if answers are independent.
    """
    import numpy as np

    all_scores = np.array(scores, dtype=float)
    all_verdicts = np.array(verdicts, dtype=float)
    is_known = ~np.isnan(all_scores) & ~np.isnan(all_verdicts)
    known_scores = all_scores[is_known]
    right = all_verdicts[is_known] == 1
    weight = weights[is_known]
    clusters = None if cluster is None else np.asarray(cluster)[is_known]
    if right.all() or not right.any():
        return None
    area = auroc.measure_auroc(known_scores, right, weight)
    influence = auroc.measure_influence(known_scores, right, weight)
    effect = design_effect(influence, clusters)
    effective_right = max(effective_sample_size(weight[right]) / effect, 1.0)
    effective_wrong = max(effective_sample_size(weight[~right]) / effect, 1.0)
    interval = auroc.auroc_interval(area, effective_right, effective_wrong)
    accuracy, threshold = auroc.find_best_threshold(known_scores, right, weight)
    return {
        "auroc": area,
        **name_interval_ends(interval),
        "accuracy": accuracy,
        "threshold": threshold,
        "verdicts": len(known_scores),
    }


# The estimate, fitted to the verdicts


def fit_estimate(systems: Sequence[SystemVerdicts]) -> Recalibration | None:
    """Fit the estimate to the verdicts on all systems.

    The result is None without verdicts or estimates, or if the fit is not possible.
    """
    estimates: list[float] = []
    right: list[bool] = []
    for system in systems:
        own_estimates = system.estimates or ()
        verdicts = parse_verdicts(system.verdicts)
        for estimate, verdict in zip(own_estimates, verdicts, strict=False):
            if estimate is not None and verdict is not None:
                estimates.append(estimate)
                right.append(verdict)
    if not estimates:
        return None
    return fit_recalibration(estimates, right)


def list_recalibration(systems: Sequence[SystemVerdicts]) -> Iterator[Row]:
    """Yield each system's mean estimate and calibration error, before and after the fit."""
    fit = fit_estimate(systems)
    if fit is None:
        return
    for system in systems:
        estimates = [estimate for estimate in system.estimates or () if estimate is not None]
        if estimates:
            fitted = [fit.recalibrate(estimate) for estimate in estimates]
            yield {
                "system": system.name,
                "before": fmean(estimates),
                "after": fmean(fitted),
                "error_before": fit.before,
                "error_after": fit.after,
                "verdicts": fit.verdicts,
            }


def note_missing_verdicts(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample]
) -> dict[str, Note]:
    """Return a note on missing verdicts, by the names of the systems with too few verdicts."""
    missing = {}
    for system in systems:
        note = describe_needed_verdicts([system.verdicts], samples, range(len(system.verdicts)))
        if note:
            missing[system.name] = note
    return missing


def tabulate_verdicts(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample], cluster: Cluster = None
) -> dict[str, list[Row]]:
    """Return the rows of all tables on verdicts, by the names of their fields in `Results`.

    Args:
        systems: the systems with the verdicts on them.
        samples: the samples that are drawn for all systems.
        cluster: the cluster of each question; None if questions are independent.
    """
    own_samples = match_samples(systems, samples, cluster)
    verdicts: list[Row] = []
    agreement: list[Row] = []
    for system, sample in zip(systems, own_samples, strict=True):
        verdicts += list_shares(system, sample)
        agreement += sorted(list_agreement(system, sample), key=lambda row: -row["auroc"])
    differences, ranks = compare_by_verdicts(systems, samples)
    return {
        "verdicts": verdicts,
        "agreement": agreement,
        "verdict_differences": differences,
        "verdict_ranks": ranks,
        "judges": list(compare_judges(systems, own_samples)),
        "disagreements": list(list_disagreements(systems, own_samples)),
        "recalibration": list(list_recalibration(systems)),
        "readers": list(list_readers(systems, cluster)),
        "bridged_shares": list(list_bridged_shares(systems, cluster)),
        "lead_changes": list(list_lead_changes(systems, cluster)),
    }
