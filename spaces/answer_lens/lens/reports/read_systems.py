"""Differences of systems by the verdicts on them, and their ranks."""

from __future__ import annotations

from collections.abc import Sequence

from lens.inference.ranking import Ranking
from lens.inference.share_differences import compare_shares
from lens.inference.shares import Scores, Verdict, estimate_share
from lens.reports.contents import between, decimal, rank_of
from lens.reports.formats import Section
from lens.study.annotations import Sample, SystemVerdicts, count_missing, find_sample, list_samples, parse_verdicts
from lens.tables.verdict_words import UNREAD
from lens.words import say
from lens.words.formats import percent


def differences(systems: Sequence[SystemVerdicts], ways: Sequence[Sample]) -> list[Section]:
    """The part of the report on the differences of systems of which the same questions were read; nothing where fewer
    than 20 were.
    """
    said = [one.said for one in systems]
    known = find_sample(ways, said)
    sample = known or ways[0]
    there = [[one[row] for row in sample.rows] for one in said]
    # A sample of one system's answers has verdicts on another only where both say the same.
    partly = sum(UNREAD in own and any(own) for own in zip(*there, strict=True))
    of_one = partly > 1 and (known or any(find_sample(list_samples([one]), [one.said]) for one in systems))
    if count_missing(*there) or of_one:
        return []
    verdicts = list(map(parse_verdicts, there))
    stand_ins = [own for one in systems if (own := one.stand_in)]
    scores = [[own.scores[row] for row in sample.rows] for own in stand_ins]
    ways_told: list[tuple[str, Sequence[Scores]]] = [("vd_alone", [])]
    ways_told += [("vd_joined", scores)] if len(scores) == len(systems) else []
    found = {way: compared_by(verdicts, used, sample) for way, used in ways_told}
    rows = []
    for pairs in zip(*(one.pairs for one in found.values()), strict=True):
        first, second = (systems[at].name for at in (pairs[0].first, pairs[0].second))
        for (way, of), pair in zip(found.items(), pairs, strict=True):
            named = say(way, read=of.rows, rows=len(sample.rows), by=stand_ins[0].named if stand_ins else "")
            rows.append([first, second, named, decimal(pair.difference), between(pair.interval)])
    heads = [say("f_report_first"), say("f_report_second"), say("vd_share")]
    heads += [say("f_report_difference"), say("f_report_interval")]
    told = [say("vd_simultaneous")] if len(systems) > 2 else []
    told += [say("vd_assumes_differences") if known else say("vd_not_drawn" if scores else "vd_no_check")]
    last = list(found.values())[-1]
    told += [say("vd_ranks", ranks=ranks_told(last, systems))] if len(systems) > 2 else []
    told += orders_by_judges(last, systems)
    return [Section(say("vd_differences"), heads, rows, [(line, "") for line in told], names=3)]


def compared_by(verdicts: Sequence[Sequence[Verdict]], scores: Sequence[Scores], sample: Sample) -> Ranking:
    """All differences by the verdicts, and by the scores of all rows if given; strata count where each has two."""
    found = compare_shares(verdicts, scores, sample.stratum, cluster=sample.cluster)
    whole = found or compare_shares(verdicts, scores, [0] * len(sample.rows), cluster=sample.cluster)
    assert whole, "there are enough verdicts on all systems"
    return whole


def ranks_told(found: Ranking, systems: Sequence[SystemVerdicts]) -> str:
    """The rank of each system in words, the best first."""
    order = sorted(range(len(systems)), key=lambda at: (found.ranks[at], systems[at].name))
    return say("list_comma").join(f"{systems[at].name} {rank_of(found.ranks[at])}" for at in order)


def orders_by_judges(found: Ranking, systems: Sequence[SystemVerdicts]) -> list[str]:
    """Whether the order of the systems by each judge is that of the verdicts, where these tell two systems apart."""
    lines = []
    certain = [pair for pair in found.pairs if pair.interval and pair.interval[0] * pair.interval[1] > 0]
    for judges in zip(*(one.judges for one in systems), strict=False):
        verdicts = [parse_verdicts(one.judges[name]) for one, name in zip(systems, judges, strict=True)]
        if any(all(said is None for said in own) for own in verdicts):
            continue
        shares = [estimate_share(own).share for own in verdicts]
        order = sorted(range(len(systems)), key=lambda at: -shares[at])
        alike = sum((shares[pair.first] - shares[pair.second]) * pair.difference > 0 for pair in certain)
        shown = say("list_comma").join(f"{systems[at].name} {percent(shares[at])}" for at in order)
        lines.append(say("jd_order", judge=judges[0], order=shown, alike=alike, pairs=len(certain)))
    return lines
