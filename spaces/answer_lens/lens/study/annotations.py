"""Answers that a person reads: whose they are, the verdicts on them, what stands in where nobody
read, and samples.

What stands in is named before any verdict is seen: the estimate, or what a user names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lens.inference import sampling
from lens.scoring.catalog import ESTIMATE
from lens.tables.verdict_words import DECLINED, RIGHT, UNDECIDED, UNREAD, WRONG
from lens.words import say
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster
    from lens.inference.shares import Scores, Verdict
    from lens.scoring.catalog import Series

STAND_IN = ESTIMATE
# How questions are drawn: by chance alone,
UNIFORM = "uniform"
# ... also by what the scores that stand in leave open for all systems,
STRATIFIED = "stratified"
# ... or by what the estimates leave open, where something else stands in.
BY_ESTIMATE = "by_estimate"
METHODS = (UNIFORM, STRATIFIED, BY_ESTIMATE)
# With fewer verdicts nothing is said: an interval would be half as wide as the scale.
LEAST = 20
# From here on a judge's score is a verdict that an answer is right.
PASSES = 0.5
VERDICT_VALUES = {RIGHT: True, WRONG: False, DECLINED: False}
# The sources of shares. The share of right answers, by the verdicts alone:
VERDICTS_ALONE = "alone"
# ... by the verdicts, and by the scores that stand in for them where nobody read:
WITH_STAND_IN = "joined"
# The share of answers that do not decline to answer, by the verdicts alone:
ATTEMPTED = "attempted"
# ... and that of right ones among these.
RIGHT_OF_ATTEMPTED = "of_attempted"


@dataclass(frozen=True, eq=False)
class SystemVerdicts:
    """One system's answers by question, as far as they are read, with the verdicts on them.

    Attributes:
        name: the system.
        marks: what tells each answer from others; None if there is nothing to read.
        scores: the scores of the answers by series.
        verdicts: a person's verdicts; empty texts where nobody read.
        judges: the verdicts of judges by the judges' names.
        rows: the row of each answer in its table, from 0.
        stand_in: the title of what stands in for verdicts where nobody read; empty for the
            estimate.
        stand_in_column: its scores; the estimate's stand in `scores`.
    """

    name: str
    marks: Sequence[str | None]
    scores: Mapping[Series, Scores]
    verdicts: Sequence[str] = ()
    judges: Mapping[str, Sequence[str]] = field(default_factory=dict)
    rows: Sequence[int] = ()
    stand_in: str = ""
    stand_in_column: Scores | None = None

    @property
    def has_verdicts(self) -> bool:
        """True if a person has read some of the answers."""
        return any(self.verdicts)

    @property
    def estimates(self) -> Scores | None:
        """The estimates; None if there are none."""
        for series, column in self.scores.items():
            if series.key == STAND_IN:
                return column
        return None

    @property
    def stand_in_scores(self) -> Scores | None:
        """The scores that stand in for verdicts; None if there are none."""
        return self.stand_in_column if self.stand_in else self.estimates

    @property
    def stand_in_name(self) -> str:
        """The name of what stands in for verdicts within a sentence; empty if nothing does."""
        if self.stand_in_scores is None:
            return ""
        return self.stand_in or say("verdicts.the_estimate")

    def drawing_scores(self, method: str) -> Scores | None:
        """Return the scores by which a method draws questions; None if it has none."""
        if method == STRATIFIED:
            return self.stand_in_scores
        if method == BY_ESTIMATE and self.stand_in:
            return self.estimates
        return None


@dataclass(frozen=True)
class Sample:
    """The questions that can be read, in the order in which to read them.

    Of one system a question is a row.

    Attributes:
        method: how they are drawn; empty if the questions that were read are no sample drawn
            here.
        rows: the questions that all systems have an answer to.
        stratum: the stratum of each.
        order: the same questions in the order of reading.
        cluster: which of them go together; None if they are independent.
    """

    method: str
    rows: Sequence[int]
    stratum: Sequence[int]
    order: Sequence[int]
    cluster: Cluster = None

    def list_places(self, systems: Sequence[SystemVerdicts], questions: int) -> list[int]:
        """Return the places of the answers to the first questions, equal answers once.

        The answers to one question come in an order by chance. A place counts through the answers
        of all systems, one system after the other.
        """
        rows = len(systems[0].marks)
        places: list[int] = []
        for row in self.order[:questions]:
            place_of_mark: dict[str | None, int] = {}
            for number, system in enumerate(systems):
                place_of_mark.setdefault(system.marks[row], number * rows + row)
            places += sorted(place_of_mark.values(), key=sampling.hash_name)
        return places


def list_samples(systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> list[Sample]:
    """Return the samples of the questions that all systems have an answer to, one for each method.

    Args:
        systems: the systems that answer them.
        cluster: which questions go together.
    """
    rows = list(range(len(systems[0].marks)))
    for system in systems:
        rows = [row for row in rows if system.marks[row] is not None]
    clusters = None if cluster is None else [cluster[row] for row in rows]
    return [draw_sample(method, systems, rows, clusters) for method in list_methods(systems)]


def draw_sample(
    method: str,
    systems: Sequence[SystemVerdicts],
    rows: Sequence[int],
    clusters: Cluster,
) -> Sample:
    """Return the sample of these questions by one method."""
    estimates = []
    for system in systems:
        scores = system.drawing_scores(method)
        if scores is not None:
            estimates.append([scores[row] for row in rows])
    stratum = sampling.assign_strata(len(rows), *estimates)
    order = [rows[place] for place in sampling.draw_reading_order(stratum)]
    return Sample(method, rows, stratum, order, clusters)


def list_methods(systems: Sequence[SystemVerdicts]) -> list[str]:
    """Return the methods by which questions can be drawn: by scores too, where all systems have
    them.
    """
    methods = [UNIFORM]
    for method in (STRATIFIED, BY_ESTIMATE):
        if all(system.drawing_scores(method) is not None for system in systems):
            methods.append(method)
    return methods


def choose_sample(samples: Sequence[Sample], method: str = "") -> Sample:
    """Return the sample by a method.

    By default it is drawn by what stands in for verdicts, where that is at hand.
    """
    by_method = {sample.method: sample for sample in samples}
    usual = by_method.get(STRATIFIED, samples[0])
    return by_method.get(method, usual)


def match_sample(samples: Sequence[Sample], *verdicts: Sequence[str]) -> Sample:
    """Return the sample whose first questions are those with a verdict.

    Where there is none, nothing promises that these are like the others: then it is the first
    sample without a method.

    Args:
        samples: those that can be drawn.
        verdicts: the verdicts on each system.
    """
    read = set()
    for row in samples[0].rows:
        if any(own[row] for own in verdicts):
            read.add(row)
    for sample in samples:
        first_questions = sample.order[: len(read)]
        if set(first_questions) == read:
            return sample
    return replace(samples[0], method="")


def parse_verdicts(verdicts: Sequence[str]) -> list[Verdict]:
    """Return verdicts as whether the answer is right; an answer that declines is not."""
    return [VERDICT_VALUES.get(verdict) for verdict in verdicts]


def split_by_system(
    verdicts: Mapping[int, tuple[str, str]], rows: int, systems: int
) -> list[list[str]]:
    """Return the verdicts on each system's answers; empty texts for those that were not read.

    Args:
        verdicts: verdicts with their times by the place of the answer.
        rows: how many answers each system has.
        systems: how many systems there are.
    """
    every = [""] * (rows * systems)
    for place, (verdict, _) in verdicts.items():
        every[place] = verdict
    return [every[start : start + rows] for start in range(0, len(every), rows)]


def count_missing(*verdicts: Sequence[str]) -> int:
    """Return how many more questions it takes, with a verdict on each system, until something is
    said.
    """
    read = 0
    for values in zip(*map(parse_verdicts, verdicts), strict=True):
        read += None not in values
    return max(LEAST - read, 0)


def describe_missing(
    verdicts: Sequence[Sequence[str]], samples: Sequence[Sample], unread: Collection[int]
) -> Note | None:
    """Return what to do until something is said of these systems; None if it is.

    Args:
        verdicts: the verdicts on each system.
        samples: the samples that can be drawn.
        unread: the places of the answers that are drawn and have no verdict yet.
    """
    missing = count_missing(*verdicts)
    if not missing:
        return None
    questions = len(verdicts[0])
    free = drawn = 0
    for row in samples[0].rows:
        own = [of_system[row] for of_system in verdicts]
        if UNREAD not in own or UNDECIDED in own:
            continue
        free += 1
        unread_systems = [number for number, verdict in enumerate(own) if verdict == UNREAD]
        drawn += all(number * questions + row in unread for number in unread_systems)
    if missing > free:
        key = "reading.too_few"
    elif missing > drawn:
        key = "reading.more"
    elif len(verdicts) > 1:
        key = "reading.few_questions"
    else:
        key = "reading.few"
    return Note(key, {"missing": missing, "least": LEAST})
