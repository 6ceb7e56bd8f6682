"""Answers that a person reads: the verdicts on them, the stand-in for verdicts, and samples.

A stand-in is a score that is used for answers that nobody has read: the estimate, or a score that
the user chooses. In statistics it is called a surrogate or proxy (prediction-powered inference). It
must be chosen before any verdict is known.
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

# The stand-in, unless the user chooses another.
STAND_IN = ESTIMATE
# A method of drawing questions: with equal probability.
UNIFORM = "uniform"
# A method of drawing questions: in strata by the uncertainty of the stand-in.
STRATIFIED = "stratified"
# A method of drawing questions: in strata by the uncertainty of the estimates. It is offered if the
# stand-in is something else.
BY_ESTIMATE = "by_estimate"
METHODS = (UNIFORM, STRATIFIED, BY_ESTIMATE)
# The fewest verdicts for a result: with fewer, an interval would be half as wide as the scale.
MIN_VERDICTS = 20
# The lowest score of a judge that is a verdict of right.
PASSES = 0.5
VERDICT_VALUES = {RIGHT: True, WRONG: False, DECLINED: False}
# A source of a share: the share of right answers, by the verdicts alone.
VERDICTS_ALONE = "alone"
# A source of a share: the share of right answers, by the verdicts and the stand-in together.
WITH_STAND_IN = "joined"
# A source of a share: the share of answers that do not decline, by the verdicts alone.
ATTEMPTED = "attempted"
# A source of a share: the share of right answers among those that do not decline.
RIGHT_OF_ATTEMPTED = "of_attempted"


@dataclass(frozen=True, eq=False)
class SystemVerdicts:
    """The answers of one system that a person can read, one per question, with their verdicts.

    Attributes:
        name: the name of the system.
        marks: identifies equal answers by equal marks; None if there is no answer to read.
        scores: the scores of the answers by series.
        verdicts: a person's verdicts; an empty text for an unread answer.
        judges: the verdicts of judges by the judges' names.
        rows: the row of each answer in its table, from 0.
        stand_in: the title of the stand-in; empty for the estimate.
        stand_in_column: the scores of the stand-in; None for the estimate, whose scores are in
            `scores`.
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
        """True if a person has read at least one answer."""
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
        """The scores of the stand-in; None if there are none."""
        return self.stand_in_column if self.stand_in else self.estimates

    @property
    def stand_in_name(self) -> str:
        """The name of the stand-in within a sentence; empty if there is none."""
        if self.stand_in_scores is None:
            return ""
        return self.stand_in or say("verdicts.the_estimate")

    def drawing_scores(self, method: str) -> Scores | None:
        """Return the scores that a method uses to draw questions; None if it uses none."""
        if method == STRATIFIED:
            return self.stand_in_scores
        if method == BY_ESTIMATE and self.stand_in:
            return self.estimates
        return None


@dataclass(frozen=True)
class Sample:
    """The questions that can be read, in reading order.

    If there is one system, a question is a row.

    Attributes:
        method: the method of drawing; empty if the read questions are not a sample drawn here.
        rows: the questions that all systems answer.
        stratum: the stratum of each question.
        order: the same questions in reading order.
        cluster: the cluster of each question; None if questions are independent.
    """

    method: str
    rows: Sequence[int]
    stratum: Sequence[int]
    order: Sequence[int]
    cluster: Cluster = None

    def list_places(self, systems: Sequence[SystemVerdicts], questions: int) -> list[int]:
        """Return the places of the answers to the first questions; equal answers are listed once.

        The answers to one question are in random order. Places are counted through the answers of
        all systems, one system after another.
        """
        rows = len(systems[0].marks)
        places: list[int] = []
        for row in self.order[:questions]:
            place_of_mark: dict[str | None, int] = {}
            for number, system in enumerate(systems):
                place_of_mark.setdefault(system.marks[row], number * rows + row)
            places += sorted(place_of_mark.values(), key=sampling.hash_name)
        return places


def draw_method_samples(systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> list[Sample]:
    """Return the samples of the questions that all systems answer, one per method.

    Args:
        systems: the systems.
        cluster: the cluster of each question; None if questions are independent.
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
    """Return the sample of these questions that a method draws."""
    estimates = []
    for system in systems:
        scores = system.drawing_scores(method)
        if scores is not None:
            estimates.append([scores[row] for row in rows])
    stratum = sampling.assign_strata(len(rows), *estimates)
    order = [rows[position] for position in sampling.draw_reading_order(stratum)]
    return Sample(method, rows, stratum, order, clusters)


def list_methods(systems: Sequence[SystemVerdicts]) -> list[str]:
    """Return the methods that can draw questions; some need scores of all systems."""
    methods = [UNIFORM]
    for method in (STRATIFIED, BY_ESTIMATE):
        if all(system.drawing_scores(method) is not None for system in systems):
            methods.append(method)
    return methods


def choose_sample(samples: Sequence[Sample], method: str = "") -> Sample:
    """Return the sample of a method.

    By default, it is drawn by the uncertainty of the stand-in, if there is one.
    """
    by_method = {sample.method: sample for sample in samples}
    default = by_method.get(STRATIFIED, samples[0])
    return by_method.get(method, default)


def match_sample(samples: Sequence[Sample], *verdicts: Sequence[str]) -> Sample:
    """Return the sample whose first questions are exactly those with a verdict.

    If no sample fits, the read questions may differ from the others. Then the first sample is
    returned without a method.

    Args:
        samples: the samples that can be drawn.
        verdicts: the verdicts on the answers of each system.
    """
    read = set()
    for row in samples[0].rows:
        if any(system_verdicts[row] for system_verdicts in verdicts):
            read.add(row)
    for sample in samples:
        first_questions = sample.order[: len(read)]
        if set(first_questions) == read:
            return sample
    return replace(samples[0], method="")


def parse_verdicts(verdicts: Sequence[str]) -> list[Verdict]:
    """Return, for each answer, True if it is right, False if not, None without a verdict.

    An answer that declines is not right.
    """
    return [VERDICT_VALUES.get(verdict) for verdict in verdicts]


def split_by_system(
    verdicts: Mapping[int, tuple[str, str]], rows: int, systems: int
) -> list[list[str]]:
    """Return the verdicts on each system's answers; an empty text for an unread answer.

    Args:
        verdicts: verdicts with their times, by the places of the answers.
        rows: the number of answers of each system.
        systems: the number of systems.
    """
    all_verdicts = [UNREAD] * (rows * systems)
    for place, (verdict, _) in verdicts.items():
        all_verdicts[place] = verdict
    starts = range(0, len(all_verdicts), rows)
    return [all_verdicts[start : start + rows] for start in starts]


def count_missing(*verdicts: Sequence[str]) -> int:
    """Return how many more questions need a verdict on each system before there is a result."""
    read = 0
    for values in zip(*map(parse_verdicts, verdicts), strict=True):
        read += None not in values
    return max(MIN_VERDICTS - read, 0)


def describe_needed_verdicts(
    verdicts: Sequence[Sequence[str]], samples: Sequence[Sample], unread: Collection[int]
) -> Note | None:
    """Return a note on the verdicts that are missing for a result; None if there are enough.

    Args:
        verdicts: the verdicts on the answers of each system.
        samples: the samples that can be drawn.
        unread: the places of the drawn answers that have no verdict yet.
    """
    missing = count_missing(*verdicts)
    if not missing:
        return None
    # The questions that may still get a verdict on each system, and those of them that are drawn.
    open_questions = 0
    drawn_questions = 0
    questions = len(verdicts[0])
    for row in samples[0].rows:
        row_verdicts = [system_verdicts[row] for system_verdicts in verdicts]
        if UNREAD not in row_verdicts or UNDECIDED in row_verdicts:
            continue
        open_questions += 1
        unread_places = [
            number * questions + row
            for number, verdict in enumerate(row_verdicts)
            if verdict == UNREAD
        ]
        drawn_questions += all(place in unread for place in unread_places)
    if missing > open_questions:
        key = "reading.too_few"
    elif missing > drawn_questions:
        key = "reading.more"
    elif len(verdicts) > 1:
        key = "reading.few_questions"
    else:
        key = "reading.few"
    return Note(key, {"missing": missing, "least": MIN_VERDICTS})
