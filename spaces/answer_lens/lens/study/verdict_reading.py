"""Collects from a study what a person reads: each system's answers, scores and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.experiment.verdict_file import mark_answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.table_scores import list_column_scores
from lens.study.annotations import PASSES, STAND_IN, SystemVerdicts
from lens.tables.verdict_words import DECLINED, RIGHT, UNREAD, WRONG
from lens.words.printed import shorten_name

if TYPE_CHECKING:
    from lens.inference.shares import Scores
    from lens.scoring.catalog import Series
    from lens.study.study import Study
    from lens.study.tables import AnswerTable


def mark_answers(study: Study) -> list[list[str | None]]:
    """Return a mark for each answer of each table, which is None if there is no answer.

    Equal answers have equal marks.
    """
    marks = []
    for table in study.tables:
        table_marks: list[str | None] = []
        for answer in table.source.answers():
            mark = None if answer.skip_reason else mark_answer(answer.prediction)
            table_marks.append(mark)
        marks.append(table_marks)
    return marks


def read_systems(
    study: Study,
    marks: Sequence[Sequence[str | None]],
    verdicts: Sequence[Sequence[str]] | None = None,
    stand_in: str = "",
) -> list[SystemVerdicts]:
    """Return the answers of each system that a person can read, with verdicts and scores.

    Args:
        study: the systems and their scores.
        marks: the marks of `mark_answers`.
        verdicts: a person's verdicts on each system's answers; by default those in the tables.
        stand_in: the series that is the stand-in, unless a column of the table is.
    """
    systems = []
    for number, system in enumerate(study.systems):
        table = study.tables[system.table]
        rows = study.chosen_rows[number]
        scores = {}
        for series in table.scores.summarized_series:
            scores[series] = list_column_scores(table.scores.columns[series.key][rows])
        title, column = find_stand_in(table, rows, scores, stand_in)
        system_verdicts = SystemVerdicts(
            name=system.name,
            marks=[marks[system.table][row] for row in rows],
            scores=scores,
            verdicts=read_table_verdicts(table, rows) if verdicts is None else verdicts[number],
            judges=list_judge_verdicts(table, rows, scores),
            rows=rows,
            stand_in=title,
            stand_in_column=column,
        )
        systems.append(system_verdicts)
    return systems


def read_table_verdicts(table: AnswerTable, rows: Sequence[int]) -> list[str]:
    """Return a person's verdicts in the column of a table, for these rows."""
    verdicts: list[str] = table.index.frame["verdict"].iloc[rows].tolist()
    return verdicts


def list_judge_verdicts(
    table: AnswerTable, rows: Sequence[int], scores: Mapping[Series, Scores]
) -> dict[str, Sequence[str]]:
    """Return the verdicts of judges by name: those in the table, and those of asked judges."""
    judges: dict[str, Sequence[str]] = {}
    for name, column in table.index.judges.items():
        judges[shorten_name(name)] = [column[row] for row in rows]
    for series, judge_scores in scores.items():
        if not series.primary or not BY_NAME[series.metric].gives_verdicts:
            continue
        reasons = table.scores.reasons[series.metric]
        verdicts = []
        for row, score in zip(rows, judge_scores, strict=True):
            has_declined = reasons.get(row) == DECLINED
            verdicts.append(DECLINED if has_declined else convert_score(score))
        judges[series.title] = verdicts
    return judges


def find_stand_in(
    table: AnswerTable,
    rows: Sequence[int],
    scores: Mapping[Series, Scores],
    name: str,
) -> tuple[str, Scores | None]:
    """Return the title and the scores of the stand-in; "" and None for the estimate.

    The stand-in is a column of the table, or the series of this name. The series has no scores if
    its metric was not computed.
    """
    column = table.index.roles.stand_in
    if column:
        values_in_column = table.index.frame["stand_in"].to_numpy()[rows]
        return f"“{shorten_name(column)}”", list_column_scores(values_in_column)
    if name in ("", STAND_IN):
        return "", None
    for series, values in scores.items():
        if series.key == name:
            return series.title, values
    return name, [None] * len(rows)


def convert_score(score: float | None) -> str:
    """Return the verdict for a judge's score; an unread verdict if there is no score."""
    if score is None:
        return UNREAD
    return RIGHT if score >= PASSES else WRONG
