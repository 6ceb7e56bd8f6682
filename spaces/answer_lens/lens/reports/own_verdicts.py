"""What one's own verdicts on some rows say: the share of right answers, and which score agrees with them.

The estimate stands in for the rows that nobody read. It is named here, before any verdict is seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.reports.contents import between, decimal, rank_of
from lens.reports.formats import Section
from lens.reports.notes import lines_of
from lens.statistics import agreement
from lens.statistics import verdicts as inference
from lens.statistics.intervals import Interval, design_effect
from lens.statistics.ranking import Ranking
from lens.statistics.verdict_ranking import differences_of_shares
from lens.statistics.verdicts import Scores, Share, Verdict
from lens.tables.roles import RIGHT, UNDECIDED, UNREAD, WRONG
from lens.tables.systems import System
from lens.words import say, sentences
from lens.words.formats import percent

if TYPE_CHECKING:
    from lens.scoring.catalog import Series
    from lens.statistics.intervals import Cluster

STAND_IN = "correctness_estimate"
# How questions are drawn: by chance alone, or by what the estimates of all systems leave open, too.
UNIFORM, STRATIFIED = WAYS = ("uniform", "stratified")
# With fewer verdicts nothing is said: an interval would be half as wide as the scale.
LEAST = 20
# The width of an interval that is told to be so many verdicts away.
WISHED = 0.1


@dataclass(frozen=True, eq=False)
class Read:
    """One system's answers by question, as far as they are read: what tells each from others, None where there is
    nothing to read; their scores by series; and the verdicts on them, empty where there is none.
    """

    name: str
    answers: Sequence[str | None]
    columns: Mapping[Series, Scores]
    said: Sequence[str] = ()

    @property
    def estimates(self) -> Scores | None:
        """The scores that stand in for the verdicts, where they are at hand."""
        return next((column for series, column in self.columns.items() if series.key == STAND_IN), None)


@dataclass(frozen=True)
class Sample:
    """The questions that can be read, the stratum of each, and all of them in the order in which to read them; which of
    them go together. Of one system a question is a row.
    """

    way: str
    rows: Sequence[int]
    stratum: Sequence[int]
    order: Sequence[int]
    cluster: Cluster = None

    def places(self, systems: Sequence[Read], most: int) -> list[int]:
        """The places of the answers to read to the first so many questions, equal ones once, those to a question in an
        order by chance. The answers of each system stand one table of all questions after the other.
        """
        questions, found = len(systems[0].answers), list[int]()
        for row in self.order[:most]:
            own = {one.answers[row]: at * questions + row for at, one in reversed([*enumerate(systems)])}
            found += sorted(own.values(), key=inference.chance)
        return found


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


def samples(systems: Sequence[Read], cluster: Cluster = None) -> list[Sample]:
    """The ways to draw questions that all systems have an answer to; by their estimates too, where they are at hand.
    `cluster`: which questions go together.
    """
    kept = [row for row in range(len(systems[0].answers)) if all(one.answers[row] is not None for one in systems)]
    together = None if cluster is None else [cluster[row] for row in kept]
    estimates = [own for one in systems if (own := one.estimates) is not None]
    found = []
    for way in ways_of(systems):
        used = estimates if way == STRATIFIED else []
        stratum = inference.strata(len(kept), *([one[row] for row in kept] for one in used))
        order = [kept[place] for place in inference.order_of_reading(stratum)]
        found.append(Sample(way, kept, stratum, order, together))
    return found


def ways_of(systems: Sequence[Read]) -> Sequence[str]:
    """The ways in which questions can be drawn: by the estimates too, where all systems have them."""
    return WAYS if all(one.estimates is not None for one in systems) else WAYS[:1]


def drawn(ways: Sequence[Sample], said: Sequence[Sequence[str]]) -> Sample | None:
    """The sample of which the questions with a verdict are the first; None where there is none: then nothing promises
    that they are like the others.
    """
    read = {row for row in ways[0].rows if any(one[row] for one in said)}
    return next((way for way in ways if read == {*way.order[: len(read)]}), None)


def one_each(system: System) -> list[int]:
    """The row of the answer to each question that is read; of several answers one by chance."""
    if system.single:
        return list(system.rows.tolist())
    rows = map(system.answers_to, range(int(system.question[-1]) + 1))
    return [min(own, key=lambda row: inference.chance((system.name, row))) for own in rows]


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
    count, questions = missing(*said), len(said[0])
    cells = {row: [one[row] for one in said] for row in ways[0].rows}
    free = [row for row, own in cells.items() if UNREAD in own and UNDECIDED not in own]
    drawn = [row for row in free if all(one or at * questions + row in unread for at, one in enumerate(cells[row]))]
    few = "rd_few" if len(said) == 1 else "rd_few_questions"
    key = few if count <= len(drawn) else "rd_more" if count <= len(free) else "rd_too_few"
    return say(key, missing=count, least=LEAST) if count else ""


def findings(said: Sequence[str], columns: Mapping[Series, Scores], ways: Sequence[Sample]) -> Findings | None:
    """What the verdicts on a system's answers say, which are words or empty; None where there are fewer than 20."""
    known = drawn(ways, [said])
    sample = known or ways[0]
    if missing(said):
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


def differences(systems: Sequence[Read], ways: Sequence[Sample]) -> list[Section]:
    """The part of the report on the differences of systems of which the same questions were read; nothing where fewer
    than 20 were.
    """
    said = [one.said for one in systems]
    known = drawn(ways, said)
    sample = known or ways[0]
    there = [[one[row] for row in sample.rows] for one in said]
    # A sample of one system's answers has verdicts on another only where both say the same.
    partly = sum(UNREAD in own and any(own) for own in zip(*there, strict=True))
    of_one = partly > 1 and (known or any(drawn(samples([one]), [one.said]) for one in systems))
    if missing(*there) or of_one:
        return []
    verdicts = list(map(meant, there))
    scores = [[own[row] for row in sample.rows] for one in systems if (own := one.estimates) is not None]
    ways_told: list[tuple[str, Sequence[Scores]]] = [("vd_alone", [])]
    ways_told += [("vd_joined", scores)] if len(scores) == len(systems) else []
    found = {way: compared_by(verdicts, used, sample) for way, used in ways_told}
    rows = []
    for pairs in zip(*(one.pairs for one in found.values()), strict=True):
        first, second = (systems[at].name for at in (pairs[0].first, pairs[0].second))
        for (way, of), pair in zip(found.items(), pairs, strict=True):
            named = say(way, read=of.rows, rows=len(sample.rows))
            rows.append([first, second, named, decimal(pair.difference), between(pair.interval)])
    heads = [say("f_report_first"), say("f_report_second"), say("vd_share")]
    heads += [say("f_report_difference"), say("f_report_interval")]
    told = [say("vd_simultaneous")] if len(systems) > 2 else []
    told += [say("vd_assumes_differences") if known else say("vd_not_drawn" if scores else "vd_no_check")]
    last = list(found.values())[-1]
    told += [say("vd_ranks", ranks=ranks_told(last, systems))] if len(systems) > 2 else []
    return [Section(say("vd_differences"), heads, rows, [(line, "") for line in told], names=3)]


def compared_by(verdicts: Sequence[Sequence[Verdict]], scores: Sequence[Scores], sample: Sample) -> Ranking:
    """All differences by the verdicts, and by the scores of all rows if given; strata count where each has two."""
    found = differences_of_shares(verdicts, scores, sample.stratum, cluster=sample.cluster)
    whole = found or differences_of_shares(verdicts, scores, [0] * len(sample.rows), cluster=sample.cluster)
    assert whole, "there are enough verdicts on all systems"
    return whole


def ranks_told(found: Ranking, systems: Sequence[Read]) -> str:
    """The rank of each system in words, the best first."""
    order = sorted(range(len(systems)), key=lambda at: (found.ranks[at], systems[at].name))
    return say("list_comma").join(f"{systems[at].name} {rank_of(found.ranks[at])}" for at in order)


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


def sections(systems: Sequence[Read], cluster: Cluster = None) -> list[Section]:
    """What the verdicts on some systems say of each, or why nothing yet, and of their differences. `cluster`: which
    questions go together.
    """
    found, why, several = dict[str, Findings](), dict[str, str](), len(systems) > 1
    drawn_for_all = samples(systems, cluster)
    for one in systems:
        # Drawn for all systems, or for this one alone.
        ways = drawn_for_all + (samples([one], cluster) if several else [])
        if told := findings(one.said, one.columns, ways):
            found[one.name] = told
        else:
            why[one.name] = lacking([one.said], ways, range(len(one.said)))
    missing = [Section(say("vd_title"), lines=lines_of([[one] for one in why.values()], list(why)))] if why else []
    if not several:
        return missing or tables(found[systems[0].name])
    return [*of_each(found), *missing, *differences(systems, drawn_for_all)]


def of_each(found: Mapping[str, Findings]) -> list[Section]:
    """The shares of all systems in one table, and in another the scores beside the verdicts on each."""
    merged = []
    for parts in zip(*map(tables, found.values()), strict=True):
        rows = [[name, *row] for name, one in zip(found, parts, strict=True) for row in one.rows]
        lines = lines_of([[line for line, _ in one.lines] for one in parts], list(found))
        heads = [say("f_report_system"), *parts[0].heads]
        merged.append(Section(parts[0].title, heads, rows, lines, names=2))
    return merged


def tables(found: Findings) -> list[Section]:
    """The share of right answers, and the scores beside the verdicts."""
    ends = [[name, percent(one.share), f"[{', '.join(map(percent, one.interval))}]"] for name, one in shares(found)]
    heads = [say("vd_share"), say("vd_right"), say("f_report_interval")]
    share = Section(say("vd_title"), heads, ends, [(line, "") for line in told(found)])
    heads = [say("f_report_metric"), "AUROC", say("f_report_interval"), say("vd_accuracy"), say("vd_threshold")]
    rows = []
    for one in found.scores:
        area = [f"{one.area:.2f}", "[{:.2f}, {:.2f}]".format(*one.interval)]
        rows.append([one.series.title, *area, percent(one.accuracy), decimal(one.threshold)])
    return [
        share,
        Section(say("vd_scores"), heads, rows, [(sentence(found), ""), (say("vd_auroc"), "")]),
    ]
