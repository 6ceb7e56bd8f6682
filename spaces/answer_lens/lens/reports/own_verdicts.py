"""What one's own verdicts on some rows say: the share of right answers, and which score agrees with them.

The estimate stands in for the rows that nobody read. It is named here, before any verdict is seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.reports.contents import between, decimal
from lens.reports.formats import Section
from lens.statistics import agreement
from lens.statistics import verdicts as inference
from lens.statistics.intervals import Interval
from lens.statistics.verdicts import Share, Verdict
from lens.tables.roles import RIGHT, WRONG
from lens.words import say, sentences
from lens.words.formats import percent

if TYPE_CHECKING:
    from lens.scoring.catalog import Series

STAND_IN = "correctness_estimate"
# With fewer verdicts nothing is said: an interval would be half as wide as the scale.
LEAST = 20
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
    """What the verdicts say. `undecided` rows were read, and have no verdict; `drawn` is how the rows were chosen,
    empty where no sampling is known; `joined` is None where no estimate of all rows is at hand.
    """

    rows: int
    undecided: int
    drawn: str
    alone: Share
    joined: Share | None
    more: int
    scores: Sequence[Agreement]

    @property
    def best(self) -> Share:
        """The share with the most behind it."""
        return self.joined or self.alone


def order_of(rows: int, left_out: Collection[int], estimates: Sequence[float | None] | None, most: int) -> list[int]:
    """The rows to read, in their order: a sample of at most so many of those that can be read."""
    there = [row for row in range(rows) if row not in left_out]
    scores = estimates and [estimates[row] for row in there]
    return [there[place] for place in inference.order_of_reading(len(there), scores)[:most]]


def meant(said: Sequence[str]) -> list[Verdict]:
    """Verdicts as the statistics take them."""
    return [{RIGHT: True, WRONG: False}.get(one) for one in said]


def missing(said: Sequence[str]) -> int:
    """How many more verdicts it takes until something is said."""
    return max(LEAST - sum(one is not None for one in meant(said)), 0)


def of_rows(
    said: Sequence[str], columns: Mapping[Series, Sequence[float | None]], left_out: Collection[int]
) -> Findings | None:
    """What the verdicts on a table's rows say, which are words or empty; without the rows that nobody can read."""
    rows = [row for row in range(len(said)) if row not in left_out]
    there = [said[row] for row in rows]
    scores = {series: [column[row] for row in rows] for series, column in columns.items()}
    return findings(meant(there), scores, [place for place, one in enumerate(there) if one])


def difference(
    first: Sequence[str], second: Sequence[str], estimates: Sequence[Sequence[float | None]], names: Sequence[str]
) -> list[Section]:
    """The part of the report on two systems of which the same rows were read; nothing where fewer than 20 were."""
    verdicts = meant(first), meant(second)
    ways = [inference.difference(*verdicts)] if both(*verdicts) >= LEAST else []
    based = [say("vd_alone", read=one.read) for one in ways]
    if ways and estimates:
        ways.append(inference.difference(*verdicts, *estimates))
        based.append(say("vd_joined", read=ways[0].read, rows=len(first)))
    heads = [say("vd_share"), say("f_report_difference"), say("f_report_interval")]
    rows = [[name, decimal(one.difference), between(one.interval)] for name, one in zip(based, ways, strict=True)]
    return [Section(say("vd_difference", first=names[0], second=names[1]), heads, rows)] if rows else []


def both(first: Sequence[Verdict], second: Sequence[Verdict]) -> int:
    """In how many rows both systems have a verdict."""
    return sum(None not in pair for pair in zip(first, second, strict=True))


def findings(
    verdicts: Sequence[Verdict], columns: Mapping[Series, Sequence[float | None]], read: Sequence[int]
) -> Findings | None:
    """What verdicts on some rows of a scored table say; None where there are fewer than 20. `read` are the rows that
    were read, also those without a verdict.
    """
    given = [verdict for verdict in verdicts if verdict is not None]
    if len(given) < LEAST:
        return None
    estimates = next((column for series, column in columns.items() if series.key == STAND_IN), None)
    drawn = inference.drawn_as(read, len(verdicts), estimates)
    alone, joined = inference.share_alone(verdicts), None
    if estimates is not None and any(one is not None for one in estimates):
        quarters = inference.strata(estimates) if drawn == "stratified" else None
        joined = inference.share_with_scores(verdicts, estimates, quarters)
    return Findings(
        rows=len(verdicts),
        undecided=len(read) - len(given),
        drawn=drawn,
        alone=alone,
        joined=joined,
        more=inference.more_verdicts(joined or alone, WISHED),
        scores=agreements(verdicts, columns),
    )


def agreements(verdicts: Sequence[Verdict], columns: Mapping[Series, Sequence[float | None]]) -> list[Agreement]:
    """How far each score agrees with the verdicts, the highest AUROC first; without scores that have too few rows."""
    import numpy as np

    found = []
    for series, column in columns.items():
        both = [
            (score, bool(verdict))
            for score, verdict in zip(column, verdicts, strict=True)
            if score is not None and verdict is not None
        ]
        right = sum(verdict for _, verdict in both)
        if not 0 < right < len(both):
            continue
        scores, truth = (np.array(one) for one in zip(*both, strict=True))
        area = agreement.area(scores, truth)
        ends = inference.area_interval(area, right, len(both) - right)
        found.append(Agreement(series, len(both), area, ends, *agreement.best_threshold(scores, truth)))
    return sorted(found, key=lambda one: -one.area)


def sentence(found: Findings) -> str:
    """What the verdicts bear out about the scores: which agrees best, and which no better than chance."""
    if not found.scores:
        return say("vd_alike")
    best, comma = found.scores[0], say("list_comma")
    values = {"area": f"{best.area:.2f}", "low": f"{best.interval[0]:.2f}", "high": f"{best.interval[1]:.2f}"}
    chance = [one.series.title for one in found.scores if one.interval[0] <= 0.5]
    if best.interval[0] <= 0.5:
        return say("vd_none", verdicts=best.verdicts)
    level = comma.join(one.series.title for one in found.scores if one.area == best.area)
    told = say("vd_best" if level == best.series.title else "vd_level", title=level, **values)
    return sentences(told, say("vd_chance", titles=comma.join(chance)) if chance else "")


def shares(found: Findings) -> list[tuple[str, Share]]:
    """The share of right answers each way, by what it rests on."""
    rows = [(say("vd_alone", read=found.alone.read), found.alone)]
    if found.joined:
        rows.append((say("vd_joined", read=found.alone.read, rows=found.rows), found.joined))
    return rows


def told(found: Findings) -> list[str]:
    """What there is to know of the figures."""
    lines = []
    if found.joined and found.joined.read < round(found.joined.worth) <= found.rows:
        lines.append(say("vd_worth", read=found.joined.read, worth=round(found.joined.worth)))
    if found.joined is None:
        lines.append(say("vd_no_estimate"))
    if 0 < found.more <= found.rows - found.alone.read:
        lines.append(say("vd_more", width=percent(WISHED / 2), more=found.more))
    if found.undecided:
        lines.append(say("vd_undecided", count=found.undecided))
    if found.alone.read + found.undecided == found.rows:
        return [*lines, say("vd_all_read")]
    unknown = say("vd_not_drawn") if found.joined else say("vd_no_check")
    return [*lines, say("vd_assumes") if found.drawn else unknown]


def section(found: Findings) -> list[Section]:
    """The part of the report: the share of right answers, and the scores beside the verdicts."""
    ends = [[name, percent(one.share), f"[{', '.join(map(percent, one.interval))}]"] for name, one in shares(found)]
    heads = [say("vd_share"), say("vd_right"), say("f_report_interval")]
    share = Section(say("vd_title"), heads, ends, [(line, "") for line in told(found)])
    heads = [say("f_report_metric"), "AUROC", say("f_report_interval"), say("vd_accuracy"), say("vd_threshold")]
    rows = [
        [
            one.series.title,
            f"{one.area:.2f}",
            f"[{one.interval[0]:.2f}, {one.interval[1]:.2f}]",
            percent(one.accuracy),
            decimal(one.threshold),
        ]
        for one in found.scores
    ]
    return [share, Section(say("vd_scores"), heads, rows, [(sentence(found), ""), (say("vd_auroc"), "")])]
