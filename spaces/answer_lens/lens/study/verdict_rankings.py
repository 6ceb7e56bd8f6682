"""Compares systems by a person's verdicts: differences of their shares, and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lens.inference.ranking import Ranking
from lens.inference.share_differences import compare_shares
from lens.study.annotations import (
    VERDICTS_ALONE,
    WITH_STAND_IN,
    Sample,
    SystemVerdicts,
    count_missing,
    draw_method_samples,
    match_sample,
    parse_verdicts,
)
from lens.study.measures import Row, name_interval_ends
from lens.tables.verdict_words import UNREAD

if TYPE_CHECKING:
    from lens.inference.shares import Scores, Verdict


def compare_by_verdicts(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample]
) -> tuple[list[Row], list[Row]]:
    """Return the differences of systems by verdicts on the same questions, and their ranks.

    Both are computed from the verdicts alone, and from the verdicts with the stand-in. They are
    empty if fewer than 20 questions were read, or if answers of only one system were drawn.

    Args:
        systems: the systems with the verdicts on them.
        samples: the samples that are drawn for all systems.
    """
    if len(systems) < 2:
        return [], []
    sample = match_sample(samples, *(system.verdicts for system in systems))
    verdict_texts = []
    for system in systems:
        verdict_texts.append([system.verdicts[row] for row in sample.rows])
    if count_missing(*verdict_texts) or is_sample_of_one_system(systems, verdict_texts, sample):
        return [], []
    verdicts = [parse_verdicts(texts) for texts in verdict_texts]
    stand_ins = [system.stand_in_name for system in systems if system.stand_in_name]
    sample_cells: Row = {"rows": len(sample.rows), "method": sample.method or None}
    names = [system.name for system in systems]
    differences: list[Row] = []
    ranks: list[Row] = []
    for source, ranking in rank_by_verdicts(systems, verdicts, sample).items():
        common = sample_cells | {"source": source, "n_read": ranking.rows}
        # Only this source uses the stand-in.
        common["stand_in"] = stand_ins[0] if source == WITH_STAND_IN else None
        differences += [common | row for row in list_pairs(ranking, names)]
        for name, (best, worst) in zip(names, ranking.ranks, strict=True):
            ranks.append({**common, "system": name, "best_rank": best, "worst_rank": worst})

    def number_systems(row: Row) -> tuple[int, int]:
        return names.index(row["first"]), names.index(row["second"])

    differences.sort(key=number_systems)
    return differences, ranks


def list_pairs(ranking: Ranking, names: Sequence[str]) -> Iterator[Row]:
    """Yield the difference of every two systems."""
    for pair in ranking.pairs:
        yield {
            "first": names[pair.first],
            "second": names[pair.second],
            "difference": pair.difference,
            **name_interval_ends(pair.interval),
        }


def is_sample_of_one_system(
    systems: Sequence[SystemVerdicts], verdict_texts: Sequence[Sequence[str]], sample: Sample
) -> bool:
    """Return whether the questions to read were drawn for one system.

    The verdicts on the other systems then belong to answers that are equal to answers of this
    system; they are no random sample. This is seen if more than one question has verdicts on some
    systems but not on all. A single such question may be the one that is being read.

    Args:
        systems: the systems.
        verdict_texts: the verdicts on each system's answers to the questions that can be read.
        sample: the questions that were read.
    """
    partly_read_questions = 0
    for verdicts in zip(*verdict_texts, strict=True):
        partly_read_questions += UNREAD in verdicts and any(verdicts)
    if partly_read_questions <= 1:
        return False
    if sample.method:
        return True
    for system in systems:
        own_sample = match_sample(draw_method_samples([system]), system.verdicts)
        if own_sample.method:
            return True
    return False


def rank_by_verdicts(
    systems: Sequence[SystemVerdicts], verdicts: Sequence[Sequence[Verdict]], sample: Sample
) -> dict[str, Ranking]:
    """Return the ranking by the verdicts alone, and the one by verdicts and stand-in.

    The second ranking needs scores of the stand-in for all systems.
    """
    rankings = {VERDICTS_ALONE: rank_shares(verdicts, [], sample)}
    scores = []
    for system in systems:
        if system.stand_in_scores is not None:
            scores.append([system.stand_in_scores[row] for row in sample.rows])
    if len(scores) == len(systems):
        rankings[WITH_STAND_IN] = rank_shares(verdicts, scores, sample)
    return rankings


def rank_shares(
    verdicts: Sequence[Sequence[Verdict]], scores: Sequence[Scores], sample: Sample
) -> Ranking:
    """Return the ranking by shares; strata are ignored unless each has two verdicts."""
    ranking = compare_shares(verdicts, scores, sample.stratum, cluster=sample.cluster)
    if not ranking:
        one_stratum = [0] * len(sample.rows)
        ranking = compare_shares(verdicts, scores, one_stratum, cluster=sample.cluster)
    assert ranking, "there are enough verdicts on all systems"
    return ranking
