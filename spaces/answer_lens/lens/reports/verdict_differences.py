"""Differences of systems by the verdicts on them, and their ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lens.inference.ranking import Ranking
from lens.inference.share_differences import compare_shares
from lens.inference.shares import Scores, Verdict, estimate_share
from lens.reports.cells import format_rank
from lens.reports.section import (
    Column,
    Section,
    interval_column,
    make_frame,
    name_column,
    report_head,
    show_decimal,
    show_source,
)
from lens.study.annotations import Sample, SystemVerdicts, count_missing, find_sample, list_samples, parse_verdicts
from lens.tables.verdict_words import UNREAD
from lens.words import say
from lens.words.formats import format_percent
from lens.words.notes import Note


def describe_share_differences(systems: Sequence[SystemVerdicts], samples: Sequence[Sample]) -> list[Section]:
    """Return the section on the differences of systems by the verdicts on the same questions.

    There is none where fewer than 20 questions were read, or where the answers of one system alone were drawn.
    """
    drawn = find_sample(samples, [one.said for one in systems])
    sample = drawn or samples[0]
    said = [[one.said[row] for row in sample.rows] for one in systems]
    if count_missing(*said) or is_sample_of_one(systems, said, bool(drawn)):
        return []
    verdicts = list(map(parse_verdicts, said))
    stand_ins = [one.stand_in for one in systems if one.stand_in]
    scores = [[own.scores[row] for row in sample.rows] for own in stand_ins]
    rankings = {"alone": rank_by_verdicts(verdicts, [], sample)}
    if len(scores) == len(systems):
        rankings["joined"] = rank_by_verdicts(verdicts, scores, sample)
    stand_in = stand_ins[0].named if stand_ins else ""
    names = [one.name for one in systems]
    columns = [
        name_column("first", report_head("first")),
        name_column("second", report_head("second")),
        Column("source", Note("verdicts.share"), show_source, is_name=True),
        Column("difference", report_head("difference"), show_decimal),
        interval_column(),
    ]
    notes = describe_draw(len(systems), bool(drawn), bool(scores))
    best_ranking = list(rankings.values())[-1]
    if len(systems) > 2:
        notes.append(Note("verdicts.ranks", {"ranks": list_ranks(best_ranking, names)}))
    notes += compare_orders(best_ranking, systems)
    frame = make_frame(difference_rows(rankings, names, len(sample.rows), stand_in))
    return [Section("verdict_differences", Note("verdicts.differences"), frame, columns, notes)]


def is_sample_of_one(systems: Sequence[SystemVerdicts], said: Sequence[Sequence[str]], is_drawn: bool) -> bool:
    """Return whether the answers of one system alone were drawn.

    A sample of one system's answers has verdicts on another only where both say the same.
    """
    partly = 0
    for verdicts in zip(*said, strict=True):
        partly += UNREAD in verdicts and any(verdicts)
    if partly <= 1:
        return False
    return is_drawn or any(find_sample(list_samples([one]), [one.said]) for one in systems)


def describe_draw(systems: int, is_drawn: bool, has_scores: bool) -> list[Note]:
    """Return how the intervals hold, and how the questions were chosen that were read."""
    notes = [Note("verdicts.simultaneous")] if systems > 2 else []
    if is_drawn:
        return [*notes, Note("verdicts.assumes_differences")]
    return [*notes, Note("verdicts.not_drawn" if has_scores else "verdicts.no_check")]


def difference_rows(
    rankings: dict[str, Ranking], names: Sequence[str], rows: int, stand_in: str
) -> Iterable[dict[str, Any]]:
    """Yield a row for each pair of systems and what its difference rests on."""
    for pairs in zip(*(ranking.pairs for ranking in rankings.values()), strict=True):
        for (source, ranking), pair in zip(rankings.items(), pairs, strict=True):
            low, high = pair.interval or (None, None)
            row = {"first": names[pair.first], "second": names[pair.second], "source": source}
            row |= {"read": ranking.rows, "rows": rows, "stand_in": stand_in or None}
            yield row | {"difference": pair.difference, "low": low, "high": high}


def rank_by_verdicts(verdicts: Sequence[Sequence[Verdict]], scores: Sequence[Scores], sample: Sample) -> Ranking:
    """Return all differences by the verdicts, and by the scores of all rows if given; strata count if each has two."""
    ranking = compare_shares(verdicts, scores, sample.stratum, cluster=sample.cluster)
    if not ranking:
        ranking = compare_shares(verdicts, scores, [0] * len(sample.rows), cluster=sample.cluster)
    assert ranking, "there are enough verdicts on all systems"
    return ranking


def list_ranks(ranking: Ranking, names: Sequence[str]) -> str:
    """Return the rank of each system in words, the best first."""
    order = sorted(range(len(names)), key=lambda at: (ranking.ranks[at], names[at]))
    return say("page.list_comma").join(f"{names[at]} {format_rank(*ranking.ranks[at])}" for at in order)


def compare_orders(ranking: Ranking, systems: Sequence[SystemVerdicts]) -> list[Note]:
    """Return whether the order of the systems by each judge is that of the verdicts, where these tell two apart."""
    notes = []
    for judges in zip(*(one.judges for one in systems), strict=False):
        verdicts = [parse_verdicts(one.judges[name]) for one, name in zip(systems, judges, strict=True)]
        has_silent = any(all(verdict is None for verdict in own) for own in verdicts)
        if not has_silent:
            notes.append(compare_order(ranking, systems, judges[0], [estimate_share(own).share for own in verdicts]))
    return notes


def compare_order(ranking: Ranking, systems: Sequence[SystemVerdicts], judge: str, shares: Sequence[float]) -> Note:
    """Return the order of the systems by a judge, and in how many certain pairs the verdicts have the same."""
    certain = [pair for pair in ranking.pairs if pair.interval and pair.interval[0] * pair.interval[1] > 0]
    alike = 0
    for pair in certain:
        alike += (shares[pair.first] - shares[pair.second]) * pair.difference > 0
    order = sorted(range(len(systems)), key=lambda at: -shares[at])
    shown = say("page.list_comma").join(f"{systems[at].name} {format_percent(shares[at])}" for at in order)
    return Note("judges.order", {"judge": judge, "order": shown, "alike": alike, "pairs": len(certain)})
