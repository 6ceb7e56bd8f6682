"""What one's own verdicts on some rows say: the share of right answers, and which score agrees with them.

The estimate stands in for the rows that nobody read. It is named here, before any verdict is seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.reports.contents import between, decimal, named
from lens.reports.formats import Section
from lens.statistics import agreement
from lens.statistics import verdicts as inference
from lens.statistics.intervals import Interval, design_effect
from lens.statistics.verdicts import Scores, Share, Verdict
from lens.tables.roles import RIGHT, UNDECIDED, UNREAD, WRONG
from lens.words import say, sentences
from lens.words.formats import percent

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.statistics.intervals import Cluster

STAND_IN = "correctness_estimate"
# How rows are drawn, by how many systems' estimates.
UNIFORM, STRATIFIED, OF_TWO = WAYS = ("uniform", "stratified", "of_two")
# With fewer verdicts nothing is said: an interval would be half as wide as the scale.
LEAST = 20
# The width of an interval that is told to be so many verdicts away.
WISHED = 0.1


@dataclass(frozen=True)
class Sample:
    """The rows that can be read, the stratum of each, and all of them in the order in which to read them.

    `alike`: rows besides these in which two systems give the same answer. `cluster`: which of the rows go together.
    """

    way: str
    rows: Sequence[int]
    stratum: Sequence[int]
    order: Sequence[int]
    alike: int = 0
    cluster: Cluster = None

    def places(self, most: int, rows: int) -> list[int]:
        """The places of the answers to read of the first so many rows: of two systems, whose answers stand one table
        of so many rows after the other, both of a row by chance one before the other.
        """
        chosen = self.order[:most]
        if self.way != OF_TWO:
            return list(chosen)
        return [place for row in chosen for place in sorted((row, row + rows), key=inference.chance)]


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
    """What the verdicts say. `undecided` rows were read, and have no verdict; `drawn`: they are a sample drawn here;
    `joined` is None where no estimate of all rows is at hand.
    """

    rows: int
    undecided: int
    drawn: bool
    alone: Share
    joined: Share | None
    scores: Sequence[Agreement]


def samples(
    answers: Sequence[Sequence[str | None]], estimates: Sequence[Scores], cluster: Cluster = None
) -> list[Sample]:
    """The ways to draw rows to read, by the answers of one system or two, None where a row cannot be read, and by their
    estimates, where they are at hand. `cluster`: which rows of the table go together.
    """
    there = [row for row, answer in enumerate(answers[0]) if answer is not None]
    both = [row for row in there if answers[-1][row] is not None]
    found = []
    for used, way in enumerate(WAYS[: len(estimates) + 1]):
        kept = [row for row in both if answers[0][row] != answers[1][row]] if way == OF_TWO else there
        stratum = inference.strata(len(kept), *([one[row] for row in kept] for one in estimates[:used]))
        order = [kept[place] for place in inference.order_of_reading(stratum)]
        together = None if cluster is None else [cluster[row] for row in kept]
        found.append(Sample(way, kept, stratum, order, len(both) - len(kept) if way == OF_TWO else 0, together))
    return found


def drawn(ways: Sequence[Sample], *said: Sequence[str]) -> Sample | None:
    """The sample of which the rows with a verdict are the first; None where there is none: then nothing promises that
    they are like the others.
    """
    read = {row for row in ways[0].rows if any(one[row] for one in said)}
    return next((way for way in ways if read == {*way.order[: len(read)]}), None)


def meant(said: Sequence[str]) -> list[Verdict]:
    """Verdicts as the statistics take them."""
    return [{RIGHT: True, WRONG: False}.get(one) for one in said]


def by_system(given: Mapping[int, tuple[str, str]], rows: int, systems: int) -> list[list[str]]:
    """The verdicts on each system's answers, empty where one was not read; those of the second one have the places
    after a table of so many rows.
    """
    starts = range(0, rows * systems, rows)
    return [[given.get(start + row, ("",))[0] for row in range(rows)] for start in starts]


def missing(*said: Sequence[str]) -> int:
    """How many more rows it takes, with a verdict on each system, until something is said."""
    return max(LEAST - sum(None not in row for row in zip(*map(meant, said), strict=True)), 0)


def lacking(said: Sequence[Sequence[str]], ways: Sequence[Sample], unread: Collection[int]) -> str:
    """What to do until something is said of these systems; nothing where it is. `unread` are the places of the answers
    that are drawn and have no verdict yet.
    """
    count, rows = missing(*said), len(said[0])
    cells = {row: [one[row] for one in said] for row in ways[-1 if said[1:] else 0].rows}
    free = [row for row, own in cells.items() if UNREAD in own and UNDECIDED not in own]
    drawn = [row for row in free if all(one or at * rows + row in unread for at, one in enumerate(cells[row]))]
    key = "rd_few" if count <= len(drawn) else "rd_more" if count <= len(free) else "rd_too_few"
    return say(key, missing=count, least=LEAST) if count else ""


def findings(said: Sequence[str], columns: Mapping[Series, Scores], ways: Sequence[Sample]) -> Findings | None:
    """What the verdicts on a table's rows say, which are words or empty; None where there are fewer than 20, or where
    they were drawn for the difference of two systems.
    """
    known = drawn(ways, said)
    sample = known or ways[0]
    if missing(said) or sample.way == OF_TWO:
        return None
    verdicts = meant([said[row] for row in sample.rows])
    scores = {series: [column[row] for row in sample.rows] for series, column in columns.items()}
    estimates = next((column for series, column in scores.items() if series.key == STAND_IN), [])
    alone, joined = inference.share_alone(verdicts, sample.cluster), None
    if any(one is not None for one in estimates):
        joined = inference.share_with_scores(verdicts, estimates, sample.stratum, sample.cluster)
    return Findings(
        rows=len(sample.rows),
        undecided=sum(bool(said[row]) for row in sample.rows) - alone.read,
        drawn=bool(known),
        alone=alone,
        joined=joined,
        scores=agreements(verdicts, scores, sample.cluster),
    )


def difference(
    said: Sequence[Sequence[str]], estimates: Sequence[Scores], ways: Sequence[Sample], names: Sequence[str]
) -> list[Section]:
    """The part of the report on two systems of which the same rows were read; nothing where fewer than 20 were.

    Where other rows were read of one than of the other, those in which both answers are the same are left out, for a
    verdict on the one is a verdict on the other there.
    """
    uneven = any(bool(one) != bool(other) for one, other in zip(*said, strict=True))
    known = None if uneven else drawn(ways, *said)
    sample = known or (ways[-1] if uneven else ways[0])
    there = [[one[row] for row in sample.rows] for one in said]
    if missing(*there):
        return []
    first, second = map(meant, there)
    scores = [[column[row] for row in sample.rows] for column in estimates]
    rows = []
    for name, used in (("vd_alone", []), ("vd_joined", scores))[: 2 if scores else 1]:
        if found := inference.difference(first, second, used, sample.stratum, sample.alike, sample.cluster):
            named = say(name, read=found.read, rows=len(sample.rows) + sample.alike)
            rows.append([named, decimal(found.difference), between(found.interval)])
    heads = [say("vd_share"), say("f_report_difference"), say("f_report_interval")]
    told = [say("vd_same", count=sample.alike)] if sample.alike else []
    unknown = "vd_not_drawn" if scores else "vd_no_check"
    told += [say("vd_of_two" if sample.way == OF_TWO else "vd_assumes") if known else say(unknown)]
    title = say("vd_difference", first=names[0], second=names[1])
    return [Section(title, heads, rows, [(line, "") for line in told])] if rows else []


def agreements(
    verdicts: Sequence[Verdict], columns: Mapping[Series, Scores], cluster: Cluster = None
) -> list[Agreement]:
    """How far each score agrees with the verdicts, the highest AUROC first; without scores that have too few rows."""
    import numpy as np

    found = []
    for series, column in columns.items():
        pairs = np.array([column, verdicts], dtype=float)
        known = ~np.isnan(pairs).any(axis=0)
        scores, truth = pairs[:, known]
        right, wrong = int((truth == 1).sum()), int((truth == 0).sum())
        if right and wrong:
            area = agreement.area(scores, truth == 1)
            of = None if cluster is None else np.asarray(cluster)[known]
            effect = design_effect(agreement.placements(scores, truth == 1), of)
            ends = inference.area_interval(area, max(right / effect, 1), max(wrong / effect, 1))
            best = agreement.best_threshold(scores, truth == 1)
            found.append(Agreement(series, right + wrong, area, ends, *best))
    return sorted(found, key=lambda one: -one.area)


def sentence(found: Findings) -> str:
    """What the verdicts bear out about the scores: which agree, which best, and which no better than chance."""
    if not found.scores:
        return say("vd_alike")
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
    if found.joined:
        rows.append((say("vd_joined", read=found.alone.read, rows=found.rows), found.joined))
    return rows


def told(found: Findings) -> list[str]:
    """What there is to know of the figures."""
    lines, more = [], inference.more_verdicts(found.joined or found.alone, WISHED)
    if found.joined and found.joined.read < round(found.joined.worth) <= found.rows:
        lines.append(say("vd_worth", read=found.joined.read, worth=round(found.joined.worth)))
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


def of_systems(
    answers: Sequence[Sequence[str | None]],
    said: Sequence[Sequence[str]],
    columns: Sequence[Mapping[Series, Scores]],
    names: Sequence[str],
    cluster: Cluster = None,
) -> list[list[Section]]:
    """What the verdicts on one system or two say of each, or why nothing yet, and of their difference, for the report
    of each. `cluster`: which rows go together.
    """
    likely = [column for own in columns for series, column in own.items() if series.key == STAND_IN]
    ways = samples(answers, likely, cluster)
    # Of the second system other rows may have an answer, and may have been drawn by its own estimates.
    own = [ways, *(samples(answers[1:], likely[1:], cluster) + ways for _ in said[1:])]
    found = []
    for verdicts, scores, drawn_by, name in zip(said, columns, own, names, strict=True):
        told = findings(verdicts, scores, drawn_by)
        why = lacking([verdicts], drawn_by, range(len(verdicts))) or say("vd_of_two")
        found.append(tables(told, name) if told else [Section(named(say("vd_title"), name), lines=[(why, "")])])
    if len(said) > 1:
        found[0] += difference(said, likely, ways, names)
    return found


def tables(found: Findings, system: str = "") -> list[Section]:
    """The share of right answers, and the scores beside the verdicts."""
    ends = [[name, percent(one.share), f"[{', '.join(map(percent, one.interval))}]"] for name, one in shares(found)]
    heads = [say("vd_share"), say("vd_right"), say("f_report_interval")]
    share = Section(named(say("vd_title"), system), heads, ends, [(line, "") for line in told(found)])
    heads = [say("f_report_metric"), "AUROC", say("f_report_interval"), say("vd_accuracy"), say("vd_threshold")]
    rows = []
    for one in found.scores:
        area = [f"{one.area:.2f}", "[{:.2f}, {:.2f}]".format(*one.interval)]
        rows.append([one.series.title, *area, percent(one.accuracy), decimal(one.threshold)])
    return [
        share,
        Section(named(say("vd_scores"), system), heads, rows, [(sentence(found), ""), (say("vd_auroc"), "")]),
    ]
