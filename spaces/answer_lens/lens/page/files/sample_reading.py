"""A sample of the answers that is read: which answers, and the verdicts on them so far.

An answer is known by its place: those of each system come after those of all questions by the
system before.
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

# Of questions that are read.
USUAL_COUNT, MOST = 50, 2_000

# Verdicts, each with its time, by the places of their answers.
Verdicts = Mapping[int, tuple[str, str]]


@dataclass(frozen=True)
class SampleReading:
    """A sample on its way.

    Attributes:
        ways: the ways to draw one.
        order: the places of its answers, in the order of reading.
        given: the verdicts so far.
        at: where in that order the answer is that is shown.
    """

    ways: Sequence[Sample]
    order: Sequence[int]
    given: Verdicts = field(default_factory=dict)
    at: int = 0

    @property
    def place(self) -> int | None:
        """The place of the answer that is shown; None when all are read."""
        return self.order[self.at] if self.at < len(self.order) else None


def begin_reading(
    run: FileScoring | None,
    count: Any,
    way: str,
    given: Verdicts,
) -> SampleReading | None:
    """Return a sample of some questions.

    Args:
        run: the study with its scores.
        count: how many questions are read.
        way: the way to draw them.
        given: verdicts that are there already: they are kept, and stand at its beginning.
    """
    if not run:
        return None
    ways = run.study.draw_samples(run.verdicts)
    sample = next((one for one in ways if one.method == way), ways[0])
    wanted = parse_number(count) or USUAL_COUNT
    drawn = sample.list_places(run.verdicts, int(min(max(wanted, 1), MOST)))
    order = [*given, *(place for place in drawn if place not in given)]
    return SampleReading(ways, order, dict(given), len(given))


def resume_reading(
    run: FileScoring | None,
    count: Any,
    way: str,
    path: str | None = None,
) -> SampleReading | None:
    """Return a sample with the verdicts of a file or, without one, of the table's own column.

    The first answer without one is shown.
    """
    if not run:
        return None
    if path:
        return begin_reading(run, count, way, read_verdicts(run, path))
    verdicts: list[str] = []
    for system in run.verdicts:
        verdicts += system.verdicts
    own = {place: (verdict, "") for place, verdict in enumerate(verdicts) if verdict}
    return begin_reading(run, count, way, own)


def take_verdict(
    reading: SampleReading | None, run: FileScoring | None, verdict: str
) -> SampleReading | None:
    """Return the sample with a verdict on the answer that is shown, and on those of other systems
    that are the same.

    The next answer without a verdict is shown then.
    """
    if not reading or not run or reading.place is None:
        return reading
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    places = [reading.place, *find_equal_answers(run, reading.place)]
    given = {**reading.given, **dict.fromkeys(places, (verdict, now))}
    return replace(reading, given=given, at=reading.at + 1)


def go_back(reading: SampleReading | None) -> SampleReading | None:
    """Return the sample with the answer before."""
    return reading and replace(reading, at=max(reading.at - 1, 0))


def find_equal_answers(run: FileScoring, place: int) -> list[int]:
    """Return the places of all systems' answers to a question that are the same as this one."""
    questions = run.study.questions
    system, question = divmod(place, questions)
    mark = run.verdicts[system].marks[question]
    places = []
    for other, verdicts in enumerate(run.verdicts):
        if verdicts.marks[question] == mark:
            places.append(other * questions + question)
    return places


def read_verdicts(run: FileScoring, path: str) -> dict[int, tuple[str, str]]:
    """Return the verdicts of a file by their places."""
    known = [verdict_file.mark_answer(answer.prediction) for answer in run.read_answers()]
    columns = read_upload(path, everything=True).table.columns
    return verdict_file.read_verdict_file(columns, known, run.study.questions)


def add_verdicts(run: FileScoring, reading: SampleReading | None) -> list[SystemVerdicts]:
    """Return the answers of all systems with the verdicts so far, without a reading those of the
    tables.
    """
    if not reading:
        return run.verdicts
    own = split_by_system(reading.given, run.study.questions, len(run.study.systems))
    systems = []
    for system, verdicts in zip(run.verdicts, own, strict=True):
        systems.append(replace(system, verdicts=verdicts))
    return systems
