"""Draws the table of rows of a scored study, with filters, a search and an order.

A row has the question, the reference and the answers of all systems. Each answer is marked right,
wrong or unknown, by a score or by verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lens.explanations.answer_headline import LIKELY, UNLIKELY
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_results import show_text
from lens.page.html import render
from lens.scoring.catalog import BY_NAME, ESTIMATE, Series
from lens.study.annotations import SystemVerdicts, parse_verdicts
from lens.words import say
from lens.words.formats import format_number
from lens.words.notes import Note

# The choice of marks by verdicts; any other choice is the key of a score.
BY_VERDICTS = "verdicts"
ALL, WRONG, UNKNOWN, DIFFERENT, CHANGED = FILTERS = (
    "all",
    "wrong",
    "unknown",
    "different",
    "changed",
)
# Filters that need two systems.
FILTERS_OF_SYSTEMS = (DIFFERENT, CHANGED)
FILE_ORDER, LOWEST, HIGHEST, APART = ORDERS = ("file", "lowest", "highest", "apart")
# How many rows are shown at first, and how many more with each click.
ROWS_SHOWN = 50

# Whether an answer is right; None if it is unknown.
Mark = bool | None
Score = float | None


@dataclass(frozen=True)
class RowChoice:
    """The user's choices for the table of rows.

    Attributes:
        marks_by: BY_VERDICTS or the key of a score; for an unknown key, the first score is used.
        show: the filter, one of FILTERS.
        before: the number of the system that is right, for the filter CHANGED.
        after: the number of the system that is wrong, for the filter CHANGED.
        search: a text that the question, a reference or an answer must contain.
        order: the order, one of ORDERS.
        count: the number of rows to show.
    """

    marks_by: str = ""
    show: str = ALL
    before: int = 0
    after: int = 1
    search: str = ""
    order: str = FILE_ORDER
    count: int = ROWS_SHOWN


class ShownAnswer(NamedTuple):
    """An answer in the table: its mark, its score and its text."""

    mark: Mark
    score: str
    text: str


class ShownRow(NamedTuple):
    """A row of the table."""

    number: int
    question: str
    reference: str
    answers: Sequence[ShownAnswer]


def list_marking_scores(run: FileScoring) -> list[Series]:
    """Return the scores by which answers can be marked: the estimate, judges, then all others."""

    def rank(series: Series) -> int:
        if series.metric == ESTIMATE:
            return 0
        return 1 if BY_NAME[series.metric].judge else 2

    return sorted(run.primary, key=rank)


def choose_series(run: FileScoring, key: str) -> Series:
    """Return the series with this key, or the first choice if there is no such series."""
    choices = list_marking_scores(run)
    for series in choices:
        if series.key == key:
            return series
    return choices[0]


def mark_by_score(score: Score) -> Mark:
    """Return the mark of an answer by its score.

    >>> [mark_by_score(score) for score in (0.65, 0.35, 0.5, None)]
    [True, False, None, None]
    """
    if score is None or UNLIKELY < score < LIKELY:
        return None
    return score >= LIKELY


def mark_answers(
    run: FileScoring,
    choice: RowChoice,
    scores: Sequence[Sequence[Score]],
    verdicts: Sequence[SystemVerdicts],
) -> list[list[Mark]]:
    """Return the marks of each system's answers, in the order of the questions."""
    if choice.marks_by != BY_VERDICTS:
        return [list(map(mark_by_score, own_scores)) for own_scores in scores]
    unknown: list[Mark] = [None] * run.study.questions
    marks = []
    for system in verdicts:
        own_marks = list(parse_verdicts(system.verdicts))
        marks.append(own_marks or unknown)
    return marks


def is_shown(marks: Sequence[Mark], choice: RowChoice) -> bool:
    """Return whether the filter shows a question, given the marks of all systems' answers.

    >>> [is_shown((True, False), RowChoice(show=show)) for show in FILTERS]
    [True, True, False, True, True]
    """
    if choice.show == WRONG:
        return False in marks
    if choice.show == UNKNOWN:
        return None in marks
    if choice.show == DIFFERENT:
        return True in marks and False in marks
    if choice.show == CHANGED:
        return marks[choice.before] is True and marks[choice.after] is False
    return True


def has_text(run: FileScoring, question: int, search: str) -> bool:
    """Return whether the question, a reference or an answer contains a text."""
    first = run.answer(0, question)
    texts = [first.question, *first.references]
    for system in range(run.n_systems):
        texts.append(run.answer(system, question).prediction)
    return any(search in text.casefold() for text in texts)


def order_questions(
    run: FileScoring,
    questions: Sequence[int],
    order: str,
    scores: Sequence[Sequence[Score]],
) -> list[int]:
    """Sort questions; those without a number to sort by come last."""
    if order not in (LOWEST, HIGHEST, APART):
        return list(questions)
    numbers: list[Score] = []
    if order == APART:
        numbers = run.differences()
    else:
        choose: Callable[..., Score] = min if order == LOWEST else max
        for scores_of_question in zip(*scores, strict=True):
            known_scores = [score for score in scores_of_question if score is not None]
            numbers.append(choose(known_scores, default=None))
    with_number = []
    without_number = []
    for question in questions:
        number = numbers[question]
        if number is None:
            without_number.append(question)
        else:
            with_number.append((number, question))
    with_number.sort(key=lambda pair: pair[0], reverse=order != LOWEST)
    return [question for _, question in with_number] + without_number


def choose_questions(
    run: FileScoring,
    choice: RowChoice,
    scores: Sequence[Sequence[Score]],
    marks: Sequence[Sequence[Mark]],
) -> list[int]:
    """Return the shown questions in the chosen order."""
    search = choice.search.strip().casefold()
    questions = []
    for question, marks_of_question in enumerate(zip(*marks, strict=True)):
        if is_shown(marks_of_question, choice) and (not search or has_text(run, question, search)):
            questions.append(question)
    return order_questions(run, questions, choice.order, scores)


def draw_rows(run: FileScoring, choice: RowChoice, verdicts: Sequence[SystemVerdicts] = ()) -> str:
    """Return the HTML of the table of rows, with the meaning of marks and the number of rows.

    Args:
        run: the scored study.
        choice: the user's choices.
        verdicts: the answers with verdicts so far; by default those in the files.
    """
    series = choose_series(run, choice.marks_by)
    scores = [run.scores(system)[series.key] for system in range(run.n_systems)]
    marks = mark_answers(run, choice, scores, verdicts or run.verdicts)
    questions = choose_questions(run, choice, scores, marks)
    rows = []
    for question in questions[: choice.count]:
        answers = []
        for system in range(run.n_systems):
            answer = ShownAnswer(
                mark=marks[system][question],
                score=format_number(scores[system][question]),
                text=show_text(run.answer(system, question).prediction),
            )
            answers.append(answer)
        first = run.answer(0, question)
        row = ShownRow(
            number=question + 1,
            question=show_text(first.question),
            reference=show_text(first.references),
            answers=answers,
        )
        rows.append(row)
    return render(
        "rows.html",
        rows=rows,
        names=run.short_names or [say("role.prediction").capitalize()],
        has_questions=any(row.question for row in rows),
        count=describe_count(run, choice, len(questions)),
        meaning=describe_marks(choice, series),
        found=len(questions),
    )


def describe_count(run: FileScoring, choice: RowChoice, found: int) -> Note:
    """Return a note on the number of rows found, with the two systems that are compared."""
    counts: dict[str, int | str] = {"found": found, "total": run.study.questions}
    if choice.show != CHANGED:
        return Note("rows.count", counts)
    counts["before"] = run.short_names[choice.before]
    counts["after"] = run.short_names[choice.after]
    return Note("rows.count_changed", counts)


def describe_marks(choice: RowChoice, series: Series) -> Note:
    """Return a note on the meaning of the marks."""
    if choice.marks_by == BY_VERDICTS:
        return Note("rows.by_verdicts", {"title": series.title})
    return Note("rows.by_score", {"title": series.title, "right": LIKELY, "wrong": UNLIKELY})
