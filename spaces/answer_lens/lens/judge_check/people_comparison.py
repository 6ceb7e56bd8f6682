"""Compares verdicts of judges with those of people, which are columns of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lens.experiment.answers import read_verdict
from lens.reports.judge_sections import describe_judges
from lens.reports.section import Section
from lens.study.annotations import MIN_VERDICTS, SystemVerdicts, draw_method_samples, match_sample
from lens.study.judge_results import compare_judges, list_disagreements
from lens.study.result_columns import make_verdict_frame
from lens.tables.roles import guess_roles, is_verdict_column, join_names
from lens.tables.untrusted import Table
from lens.tables.verdict_words import JUDGE_VERDICT_NAMES, PERSON_VERDICT_NAMES
from lens.words import join_sentences, say
from lens.words.printed import shorten_name


@dataclass(frozen=True)
class PeopleComparison:
    """A comparison of judges with people: sections of a report, or a message."""

    sections: Sequence[Section] = ()
    message: str = ""


def compare_with_people(table: Table) -> PeopleComparison | None:
    """Compare the judges of a file with its person; None if it has verdicts of neither."""
    # The reasons why columns with names of verdicts are none.
    wrong_columns = table.find_wrong_verdicts()
    names = [name for name in table.columns if is_verdict_column(name)]
    roles = guess_roles(names, wrong_columns)
    if not roles.verdict and not roles.judges:
        return None
    if not roles.judges:
        missing = describe_missing_column("judges", JUDGE_VERDICT_NAMES)
        return PeopleComparison(message=join_sentences(*wrong_columns.values(), missing))
    if not roles.verdict:
        missing = describe_missing_column("verdict", PERSON_VERDICT_NAMES)
        return PeopleComparison(message=join_sentences(*wrong_columns.values(), missing))
    # Nothing is known about the judged answers except their rows.
    rows = range(table.rows)
    person = SystemVerdicts(
        name="",
        marks=list(map(str, rows)),
        scores={},
        verdicts=read_column(table, roles.verdict),
        judges={shorten_name(name): read_column(table, name) for name in roles.judges},
        rows=rows,
    )
    sample = match_sample(draw_method_samples([person]), person.verdicts)
    judges = make_verdict_frame("judges", compare_judges([person], [sample]))
    disagreements = make_verdict_frame("disagreements", list_disagreements([person], [sample]))
    sections = describe_judges(judges, disagreements, is_comparison=False)
    if sections:
        return PeopleComparison(sections)
    return PeopleComparison(
        message=say("judges.few", judge=roles.judges[0], rows=0, least=MIN_VERDICTS)
    )


def describe_missing_column(role: str, usual: Sequence[str]) -> str:
    """Return a message that a column of verdicts is missing, with its usual names."""
    return say("judges.lacks", role=say(f"role.{role}"), usual=join_names(usual))


def read_column(table: Table, name: str) -> list[str]:
    """Return the verdicts in a column.

    Raises:
        UserError: a cell is not a verdict.
    """
    verdicts = []
    for row, cell in enumerate(table.columns[name], 1):
        verdicts.append(read_verdict(cell, name, row))
    return verdicts
