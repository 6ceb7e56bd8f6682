"""What one's own verdicts on some rows say: the share of right answers, which score agrees with them, and how far the
estimate is off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from lens.inference import auroc
from lens.inference.intervals import Interval, design_effect, effective_sample_size
from lens.inference.recalibration import Recalibration
from lens.inference.recalibration import fit_recalibration as recalibration_of
from lens.inference.shares import (
    Scores,
    Share,
    Verdict,
    count_missing_verdicts,
    estimate_share,
    estimate_share_with_scores,
    weigh_verdicts,
)
from lens.reports import judges
from lens.reports.contents import decimal
from lens.reports.formats import Section
from lens.reports.notes import describe_missing, describe_worth, lines_of
from lens.reports.read_systems import differences
from lens.study.annotations import (
    Sample,
    StandIn,
    SystemVerdicts,
    count_missing,
    find_sample,
    list_samples,
    parse_verdicts,
)
from lens.tables.verdict_words import DECLINED
from lens.words import say, sentences
from lens.words.formats import percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster
    from lens.scoring.catalog import Series

    Array = NDArray[Any]

# The width of an interval that is told to be so many verdicts away.
WISHED = 0.1


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


def findings(read: SystemVerdicts, ways: Sequence[Sample]) -> Findings | None:
    """What the verdicts on a system's answers say; None where there are fewer than 20."""
    known = find_sample(ways, [read.said])
    sample = known or ways[0]
    if count_missing(read.said):
        return None
    said = [read.said[row] for row in sample.rows]
    verdicts, stand_in = parse_verdicts(said), read.stand_in
    weights = weigh_verdicts(verdicts, sample.stratum)
    alone, joined = estimate_share(verdicts, sample.cluster, weights), None
    standing = [stand_in.scores[row] for row in sample.rows] if stand_in else []
    if any(one is not None for one in standing):
        joined = estimate_share_with_scores(verdicts, standing, sample.stratum, sample.cluster)
    return Findings(
        rows=len(sample.rows),
        undecided=sum(map(bool, said)) - alone.read,
        drawn=bool(known),
        alone=alone,
        joined=joined,
        stand_in=stand_in,
        scores=agreements(
            verdicts,
            {series: [column[row] for row in sample.rows] for series, column in read.columns.items()},
            sample.cluster,
            weights,
        ),
        **of_declined(said, verdicts, sample.cluster, weights),
    )


def of_declined(
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


def agreements(
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


def sentence(found: Findings) -> str:
    """What the verdicts bear out about the scores: which agree, which best, and which no better than chance."""
    if not found.scores:  # all verdicts are the same, or no metric gave a score
        return say("vd_alike") if found.alone.share in (0, 1) else ""
    best, comma = found.scores[0], say("list_comma")
    if best.interval[0] <= 0.5:
        return say("vd_none", verdicts=best.verdicts)
    values = {"area": f"{best.area:.2f}", "low": f"{best.interval[0]:.2f}", "high": f"{best.interval[1]:.2f}"}
    chance = [one.series.title for one in found.scores if one.interval[0] <= 0.5]
    level = [one.series.title for one in found.scores if one.area == best.area]
    # Where there is no other score, or none that is worse, none is best.
    one, several = ("vd_one", "vd_equal") if len(level) == len(found.scores) else ("vd_best", "vd_level")
    told = say(one if len(level) == 1 else several, title=comma.join(level), **values)
    return sentences(told, say("vd_chance", titles=comma.join(chance)) if chance else "")


def shares(found: Findings) -> list[tuple[str, Share]]:
    """The share of right answers each way, by what it rests on."""
    rows = [(say("vd_alone", read=found.alone.read), found.alone)]
    if found.joined and found.stand_in:
        named = say("vd_joined", read=found.alone.read, rows=found.rows, by=found.stand_in.named)
        rows.append((named, found.joined))
    return rows


def told(found: Findings) -> list[str]:
    """What there is to know of the figures."""
    more = count_missing_verdicts(found.joined or found.alone, WISHED)
    lines = describe_worth(found.joined, found.stand_in.named if found.stand_in else "", found.rows)
    if found.joined is None:
        lines.append(say("vd_no_estimate"))
    if 0 < more <= found.rows - found.alone.read:
        lines.append(say("vd_more", width=percent(WISHED / 2), more=more))
    if found.undecided:
        lines.append(say("vd_undecided", count=found.undecided))
    if found.alone.read + found.undecided == found.rows:
        return [*lines, say("vd_all_read")]
    unknown = say("vd_not_drawn") if found.joined else say("vd_no_check")
    return [*lines, say("vd_assumes") if found.drawn else unknown]


def sections(
    systems: Sequence[SystemVerdicts], cluster: Cluster = None, text: judges.Text | None = None
) -> list[Section]:
    """What the verdicts on some systems say of each, or why nothing yet, of their differences, of judges, and of the
    estimate. `cluster`: which questions go together; `text` shows an answer that is named.
    """
    if not any(any(one.said) for one in systems) and (alone := judges.unchecked(systems)):
        return alone
    found, why, several = dict[str, Findings](), dict[str, str](), len(systems) > 1
    drawn_for_all = list_samples(systems, cluster)
    for one in systems:
        # Drawn for all systems, or for this one alone.
        ways = drawn_for_all + (list_samples([one], cluster) if several else [])
        if told := findings(one, ways):
            found[one.name] = told
        else:
            why[one.name] = describe_missing([one.said], ways, range(len(one.said)))
    missing = [Section(say("vd_title"), lines=lines_of([[one] for one in why.values()], list(why)))] if why else []
    if several:
        parts = [*of_each(found), *missing, *differences(systems, drawn_for_all)]
    else:
        parts = missing or tables(found[systems[0].name])
    return [*parts, *beside(systems, drawn_for_all, cluster, text)]


def beside(
    systems: Sequence[SystemVerdicts], ways: Sequence[Sample], cluster: Cluster, text: judges.Text | None = None
) -> list[Section]:
    """What the verdicts say of judges, and of the estimate."""
    return [*judges.sections(systems, ways, cluster, text), *recalibrated(systems)]


def of_each(found: Mapping[str, Findings]) -> list[Section]:
    """The same tables of all systems as one, each row with the name of its system."""
    merged: dict[str, Section] = {}
    said: dict[str, list[list[str]]] = {}
    for name, of in found.items():
        for part in tables(of):
            rows = [[name, *row] for row in part.rows]
            before = merged.get(part.title)
            heads = [say("f_report_system"), *part.heads]
            merged[part.title] = Section(part.title, heads, [*(before.rows if before else ()), *rows], names=2)
            said.setdefault(part.title, []).append([line for line, _ in part.lines])
    return [replace(one, lines=lines_of(said[title], list(found))) for title, one in merged.items()]


def tables(found: Findings) -> list[Section]:
    """The share of right answers, those that decline, and the scores beside the verdicts."""
    heads = [say("vd_share"), say("vd_right"), say("f_report_interval")]
    share = Section(say("vd_title"), heads, list(map(share_row, shares(found))), [(line, "") for line in told(found)])
    heads = [say("f_report_metric"), "AUROC", say("f_report_interval"), say("vd_accuracy"), say("vd_threshold")]
    rows = []
    for one in found.scores:
        area = [f"{one.area:.2f}", "[{:.2f}, {:.2f}]".format(*one.interval)]
        rows.append([one.series.title, *area, percent(one.accuracy), decimal(one.threshold)])
    scores = Section(say("vd_scores"), heads, rows, [(sentence(found), ""), (say("vd_auroc"), "")])
    return [share, *declining(found), *([scores] if sentence(found) else [])]


def share_row(row: tuple[str, Share]) -> list[str]:
    """A share by its name, with its interval."""
    name, one = row
    return [name, percent(one.share), f"[{', '.join(map(percent, one.interval))}]"]


def declining(found: Findings) -> list[Section]:
    """The table of answers that decline; nothing where none does."""
    if found.attempted is None:
        return []
    rows = [(say("vd_of_all"), found.alone), (say("vd_of_attempted"), found.of_attempted)]
    rows.append((say("vd_attempted"), found.attempted))
    heads = [say("vd_share_of"), say("vd_portion"), say("f_report_interval")]
    told = say("vd_declined", count=round(found.alone.read * (1 - found.attempted.share)), read=found.alone.read)
    there = [share_row((name, one)) for name, one in rows if one]
    return [Section(say("vd_declined_title"), heads, there, [(told, "")])]


def recalibration(systems: Sequence[SystemVerdicts]) -> Recalibration | None:
    """The estimate fitted to the verdicts on all systems; None where these, or the estimates, are not at hand."""
    pairs = [
        (estimate, said)
        for one in systems
        for estimate, said in zip(one.estimates or (), parse_verdicts(one.said) or (), strict=False)
        if estimate is not None and said is not None
    ]
    return recalibration_of(*zip(*pairs, strict=True)) if pairs else None


def recalibrated(systems: Sequence[SystemVerdicts]) -> list[Section]:
    """What the verdicts make of the estimate, as a part of the report."""
    if (found := recalibration(systems)) is None:
        return []
    rows = []
    for one in systems:
        if there := [estimate for estimate in one.estimates or () if estimate is not None]:
            means = [fmean(there), fmean(map(found.recalibrate, there))]
            rows.append([one.name, *map(percent, means)])
    errors = {"before": percent(found.before), "after": percent(found.after), "verdicts": found.verdicts}
    lines = [say("vd_recalibrated" if found.after < found.before else "vd_not_recalibrated", **errors)]
    heads = [say("f_report_system"), say("vd_mean_before"), say("vd_mean_after")]
    told = [(line, "") for line in (*lines, say("vd_recalibrated_info"))]
    return [Section(say("vd_recalibrated_title"), heads, rows, told)]
