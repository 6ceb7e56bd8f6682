"""A sample of answers that a person reads, and the verdicts so far.

An answer is known by its place. Places are counted through the questions of the first system, then
of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from lens.experiment import verdict_file
from lens.page.files.file_scoring import FileScoring
from lens.page.tab import read_upload
from lens.study.annotations import Sample, SystemVerdicts, split_by_system
from lens.tables.cells import parse_number

# The usual and the largest number of questions in a sample.
USUAL_COUNT, MAX_COUNT = 50, 2_000

# The verdicts with their times, by the places of the answers.
Verdicts = Mapping[int, tuple[str, str]]


@dataclass(frozen=True)
class SampleReading:
    """The state of reading a sample.

    Attributes:
        samples: the samples that can be drawn, one per method.
        order: the places of the answers, in reading order.
        verdicts: the verdicts so far.
        at: the index in `order` of the shown answer.
    """

    samples: Sequence[Sample]
    order: Sequence[int]
    verdicts: Verdicts = field(default_factory=dict)
    at: int = 0

    @property
    def place(self) -> int | None:
        """The place of the shown answer; None if all are read."""
        if self.at >= len(self.order):
            return None
        return self.order[self.at]


def begin_reading(
    run: FileScoring | None,
    count: Any,
    method: str,
    verdicts: Verdicts,
) -> SampleReading | None:
    """Return a new sample of questions; None if there is no run.

    Args:
        run: the scored study.
        count: the number of questions.
        method: the method of drawing.
        verdicts: the existing verdicts, whose answers come first.
    """
    if not run:
        return None
    samples = run.study.draw_samples(run.verdicts)
    sample = find_sample(samples, method)
    typed_count = parse_number(count) or USUAL_COUNT
    size = int(min(max(typed_count, 1), MAX_COUNT))
    drawn = sample.list_places(run.verdicts, size)
    unread = [place for place in drawn if place not in verdicts]
    return SampleReading(
        samples=samples,
        order=[*verdicts, *unread],
        verdicts=dict(verdicts),
        at=len(verdicts),
    )


def find_sample(samples: Sequence[Sample], method: str) -> Sample:
    """Return the sample that is drawn by a method; the first one if there is none."""
    for sample in samples:
        if sample.method == method:
            return sample
    return samples[0]


def resume_reading(
    run: FileScoring | None,
    count: Any,
    method: str,
    path: str | None = None,
) -> SampleReading | None:
    """Return a sample with the verdicts of a file, or of a column of the table.

    The first answer without a verdict is shown.
    """
    if not run:
        return None
    if path:
        return begin_reading(run, count, method, read_verdicts(run, path))
    verdicts: list[str] = []
    for system in run.verdicts:
        verdicts += system.verdicts
    # Verdicts of a table have no time.
    in_table = {place: (verdict, "") for place, verdict in enumerate(verdicts) if verdict}
    return begin_reading(run, count, method, in_table)


def take_verdict(
    reading: SampleReading | None, run: FileScoring | None, verdict: str
) -> SampleReading | None:
    """Add a verdict on the shown answer, and on equal answers of other systems.

    Then the next answer is shown.
    """
    if not reading or not run or reading.place is None:
        return reading
    now = datetime.now(timezone.utc)
    time = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    verdicts = dict(reading.verdicts)
    for place in (reading.place, *find_equal_answers(run, reading.place)):
        verdicts[place] = (verdict, time)
    return replace(reading, verdicts=verdicts, at=reading.at + 1)


def go_back(reading: SampleReading | None) -> SampleReading | None:
    """Return the sample with the previous answer shown."""
    if reading is None:
        return None
    previous = max(reading.at - 1, 0)
    return replace(reading, at=previous)


def find_equal_answers(run: FileScoring, place: int) -> list[int]:
    """Return the places of all systems' answers to the question that are equal to this one."""
    questions = run.study.questions
    system, question = divmod(place, questions)
    mark = run.verdicts[system].marks[question]
    places = []
    for other, verdicts in enumerate(run.verdicts):
        if verdicts.marks[question] == mark:
            places.append(other * questions + question)
    return places


def read_verdicts(run: FileScoring, path: str) -> dict[int, tuple[str, str]]:
    """Read the verdicts of a file, by the places of the answers."""
    marks = [verdict_file.mark_answer(answer.prediction) for answer in run.read_answers()]
    file = read_upload(path, everything=True)
    return verdict_file.read_verdict_file(file.table.columns, marks, run.study.questions)


def list_system_verdicts(run: FileScoring, reading: SampleReading | None) -> list[SystemVerdicts]:
    """Return all systems with the verdicts so far; without a sample, with those of their tables."""
    if not reading:
        return run.verdicts
    verdicts_by_system = split_by_system(reading.verdicts, run.study.questions, run.n_systems)
    systems = []
    for system, verdicts in zip(run.verdicts, verdicts_by_system, strict=True):
        systems.append(replace(system, verdicts=verdicts))
    return systems
