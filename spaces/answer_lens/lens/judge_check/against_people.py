"""Verdicts of judges beside those of people.

They are columns of a file, which may have nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lens.experiment.answers import read_verdict
from lens.reports.judge_sections import describe_judges
from lens.reports.section import Section
from lens.study.annotations import LEAST, SystemVerdicts, list_samples, match_sample
from lens.study.judge_results import list_disagreements, list_judges
from lens.study.result_columns import make_verdict_frame
from lens.tables.roles import guess_roles, is_verdict_column, join_names
from lens.tables.untrusted import Table
from lens.tables.verdict_words import OF_JUDGES, OF_PEOPLE
from lens.words import join_sentences, say
from lens.words.printed import shorten_name


@dataclass(frozen=True)
class Against:
    """What a file says of judges against people.

    The sections of the report, or in words why there are none.
    """

    sections: Sequence[Section] = ()
    message: str = ""


def against_people(table: Table) -> Against | None:
    """Return the judges of a file beside its person; None if it has no column of either."""
    unfit = table.find_wrong_verdicts()
    names = [name for name in table.columns if is_verdict_column(name)]
    roles = guess_roles(names, unfit)
    if not roles.verdict and not roles.judges:
        return None
    if not roles.judges:
        lacks = describe_missing("judges", OF_JUDGES)
        return Against(message=join_sentences(*unfit.values(), lacks))
    if not roles.verdict:
        lacks = describe_missing("verdict", OF_PEOPLE)
        return Against(message=join_sentences(*unfit.values(), lacks))
    # Of what is judged nothing is known but its row.
    rows = range(table.rows)
    person = SystemVerdicts(
        name="",
        marks=list(map(str, rows)),
        scores={},
        verdicts=read_column(table, roles.verdict),
        judges={shorten_name(name): read_column(table, name) for name in roles.judges},
        rows=rows,
    )
    sample = match_sample(list_samples([person]), person.verdicts)
    judges = make_verdict_frame("judges", list_judges([person], [sample]))
    disagreements = make_verdict_frame("disagreements", list_disagreements([person], [sample]))
    sections = describe_judges(judges, disagreements, is_comparison=False)
    if sections:
        return Against(sections)
    return Against(message=say("judges.few", judge=roles.judges[0], rows=0, least=LEAST))


def describe_missing(role: str, usual: Sequence[str]) -> str:
    """Return that a file has no column for one of both, with the usual names of such a column."""
    return say("judges.lacks", role=say(f"role.{role}"), usual=join_names(usual))


def read_column(table: Table, name: str) -> list[str]:
    """Return the verdicts in a column.

    Raises:
        UserError: a cell is no verdict.
    """
    verdicts = []
    for row, cell in enumerate(table.columns[name], 1):
        verdicts.append(read_verdict(cell, name, row))
    return verdicts
