"""Answers that a person reads: whose they are, the verdicts on them, what stands in where nobody read, and samples.

What stands in is named before any verdict is seen: the estimate, or what a user names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens.experiment.verdict_file import mark_answer
from lens.inference import sampling
from lens.inference.shares import Scores, Verdict
from lens.scoring.catalog import BY_NAME, ESTIMATE
from lens.scoring.table_scores import list_scores
from lens.tables.verdict_words import DECLINED, RIGHT, UNREAD, WRONG
from lens.words import say
from lens.words.printed import shorten_name

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster
    from lens.scoring.catalog import Series
    from lens.study.study import Study
    from lens.study.tables import AnswerTable

STAND_IN = ESTIMATE
# How questions are drawn: by chance alone, or by what the scores that stand in leave open for all systems, too; or by
# what the estimates do, where something else stands in.
UNIFORM, STRATIFIED, BY_ESTIMATE = WAYS = ("uniform", "stratified", "by_estimate")
# With fewer verdicts nothing is said: an interval would be half as wide as the scale.
LEAST = 20
# From here on a judge's score is a verdict that an answer is right.
PASSES = 0.5


@dataclass(frozen=True, eq=False)
class StandIn:
    """What stands in for the verdicts where nobody read: the key of its series, or the name of its column."""

    key: str
    title: str
    scores: Scores

    @property
    def named(self) -> str:
        """What it is called within a sentence."""
        return say("verdicts.the_estimate") if self.key == STAND_IN else self.title


@dataclass(frozen=True, eq=False)
class SystemVerdicts:
    """One system's answers by question, as far as they are read: what tells each from others, None where there is
    nothing to read; their scores by series; the verdicts on them, empty where there is none; those of judges by name;
    what stands in; and the row of each answer in its table, from 0.
    """

    name: str
    answers: Sequence[str | None]
    columns: Mapping[Series, Scores]
    said: Sequence[str] = ()
    judges: Mapping[str, Sequence[str]] = field(default_factory=dict)
    other: StandIn | None = None
    rows: Sequence[int] = ()

    @property
    def stand_in(self) -> StandIn | None:
        """What stands in for the verdicts: what was named, else the estimate, where it is at hand."""
        if self.other:
            return self.other
        found = next((one for one in self.columns.items() if one[0].key == STAND_IN), None)
        return found and StandIn(STAND_IN, found[0].title, found[1])

    @property
    def estimates(self) -> Scores | None:
        """The estimates, where they are at hand."""
        return next((column for series, column in self.columns.items() if series.key == STAND_IN), None)

    def by(self, way: str) -> Scores | None:
        """The scores by which questions are drawn one way; None where there are none."""
        stand_in = self.stand_in
        if way == STRATIFIED:
            return stand_in.scores if stand_in else None
        return self.estimates if way == BY_ESTIMATE and stand_in and stand_in.key != STAND_IN else None


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

    def places(self, systems: Sequence[SystemVerdicts], most: int) -> list[int]:
        """The places of the answers to read to the first so many questions, equal ones once, those to a question in an
        order by chance. The answers of each system stand one table of all questions after the other.
        """
        questions, found = len(systems[0].answers), list[int]()
        for row in self.order[:most]:
            own = {one.answers[row]: at * questions + row for at, one in reversed([*enumerate(systems)])}
            found += sorted(own.values(), key=sampling.hash_name)
        return found


def mark_answers(study: Study) -> list[list[str | None]]:
    """Return what tells each answer of each table from others; None where there is nothing to read."""
    marks = []
    for table in study.tables:
        own = [None if answer.skip_reason else mark_answer(answer.prediction) for answer in table.source.answers()]
        marks.append(own)
    return marks


def read_systems(
    study: Study,
    marks: Sequence[Sequence[str | None]],
    verdicts: Sequence[Sequence[str]] | None = None,
    stand_in: str = "",
) -> list[SystemVerdicts]:
    """Return the answers of each system that are read, with the verdicts and scores on them.

    Args:
        study: the systems and their scores.
        marks: those of `mark_answers`.
        verdicts: a person's verdicts on each system's answers; by default those of the tables.
        stand_in: the series that stands in where nobody read, unless a column of the table does.
    """
    systems = []
    for number, system in enumerate(study.systems):
        table = study.tables[system.table]
        rows = study.chosen_rows[number]
        scores = {one: list_scores(table.scores.columns[one.key][rows]) for one in table.scores.series}
        own = table.index.frame["verdict"].iloc[rows].tolist() if verdicts is None else verdicts[number]
        systems.append(
            SystemVerdicts(
                name=system.name,
                answers=[marks[system.table][row] for row in rows],
                columns=scores,
                said=own,
                judges=judge_answers(table, rows, scores),
                other=find_stand_in(table, rows, scores, stand_in),
                rows=rows,
            )
        )
    return systems


def judge_answers(table: AnswerTable, rows: Sequence[int], scores: Mapping[Series, Scores]) -> dict[str, Sequence[str]]:
    """Return the verdicts of judges by their names: those of the table, and those that were asked."""
    judges: dict[str, Sequence[str]] = {}
    for name, verdicts in table.index.judges.items():
        judges[shorten_name(name)] = [verdicts[row] for row in rows]
    for series, column in scores.items():
        if series.primary and BY_NAME[series.metric].judge:
            reasons = table.scores.reasons[series.metric]
            verdicts = []
            for row, score in zip(rows, column, strict=True):
                verdicts.append(DECLINED if reasons.get(row) == DECLINED else score_verdict(score))
            judges[series.title] = verdicts
    return judges


def find_stand_in(
    table: AnswerTable, rows: Sequence[int], scores: Mapping[Series, Scores], name: str
) -> StandIn | None:
    """Return what stands in where nobody read: a column of the table, or the series of this name; None for the usual.

    A series has no scores where its metric was not done.
    """
    column = table.index.roles.stand_in
    if column:
        return StandIn(column, f"“{shorten_name(column)}”", list_scores(table.index.frame["stand_in"].to_numpy()[rows]))
    if name in ("", STAND_IN):
        return None
    for series, values in scores.items():
        if series.key == name:
            return StandIn(name, series.title, values)
    return StandIn(name, name, [None] * len(rows))


def score_verdict(score: float | None) -> str:
    """What a judge's score says as a verdict."""
    return UNREAD if score is None else RIGHT if score >= PASSES else WRONG


def list_samples(systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> list[Sample]:
    """The ways to draw questions that all systems have an answer to; by what stands in too, where it is at hand.
    `cluster`: which questions go together.
    """
    kept = [row for row in range(len(systems[0].answers)) if all(one.answers[row] is not None for one in systems)]
    together = None if cluster is None else [cluster[row] for row in kept]
    found = []
    for way in list_methods(systems):
        used = [scores for one in systems if (scores := one.by(way)) is not None]
        stratum = sampling.assign_strata(len(kept), *([one[row] for row in kept] for one in used))
        order = [kept[place] for place in sampling.draw_reading_order(stratum)]
        found.append(Sample(way, kept, stratum, order, together))
    return found


def list_methods(systems: Sequence[SystemVerdicts]) -> Sequence[str]:
    """The ways in which questions can be drawn: by scores too, where all systems have them."""
    return [UNIFORM, *(way for way in WAYS[1:] if all(one.by(way) is not None for one in systems))]


def choose_sample(ways: Sequence[Sample]) -> Sample:
    """The way to draw questions unless another is chosen: by what stands in, where it is at hand."""
    return ways[min(len(ways), 2) - 1]


def find_sample(ways: Sequence[Sample], said: Sequence[Sequence[str]]) -> Sample | None:
    """The sample of which the questions with a verdict are the first; None where there is none: then nothing promises
    that they are like the others.
    """
    read = {row for row in ways[0].rows if any(one[row] for one in said)}
    return next((way for way in ways if read == {*way.order[: len(read)]}), None)


def parse_verdicts(said: Sequence[str]) -> list[Verdict]:
    """Verdicts as the statistics take them: whether the answer is right. One that declines is not."""
    return [{RIGHT: True, WRONG: False, DECLINED: False}.get(one) for one in said]


def split_by_system(given: Mapping[int, tuple[str, str]], rows: int, systems: int) -> list[list[str]]:
    """The verdicts on each system's answers, empty where one was not read; those of the second one have the places
    after a table of so many rows.
    """
    starts = range(0, rows * systems, rows)
    return [[given.get(start + row, ("",))[0] for row in range(rows)] for start in starts]


def count_missing(*said: Sequence[str]) -> int:
    """How many more rows it takes, with a verdict on each system, until something is said."""
    return max(LEAST - sum(None not in row for row in zip(*map(parse_verdicts, said), strict=True)), 0)
