"""The contents of a report on a scored file, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lens.reports.cascade_sections import describe_cascade
from lens.reports.comparison_sections import describe_differences, describe_systems
from lens.reports.notes import describe_run, list_signatures
from lens.reports.paper import describe_for_paper
from lens.reports.score_sections import (
    NO_DOUBT,
    RankingDoubt,
    describe_all_scores,
    describe_correlations,
    describe_doubt,
    describe_estimates,
    describe_groups,
    describe_scores,
    list_groups,
)
from lens.reports.section import Section
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.study.results import Results

# Of up to this number of systems, the terminal shows the differences by every metric. Of more
# systems, it shows only the differences by the first metric.
FEW_SYSTEMS = 2
# Of more systems than this, the terminal shows only the differences with the best one.
MANY_SYSTEMS = 6


@dataclass(frozen=True)
class Commentary:
    """Texts about the scores of a study, in addition to the tables.

    Attributes:
        sentence: a sentence on the statistically significant differences between systems.
        doubt: the metrics whose means do not rank systems as people do, with the evidence. Reports
            mark them as doubtful.
        notes: notes on how systems were matched.
    """

    sentence: str = ""
    doubt: RankingDoubt = NO_DOUBT
    notes: Sequence[Note] = ()


NO_COMMENTARY = Commentary()


def make_sections(
    results: Results,
    commentary: Commentary = NO_COMMENTARY,
    verdicts: Sequence[Section] = (),
    with_correlations: bool = True,
    full: bool = True,
) -> list[Section]:
    """Return all sections of a report, in order.

    Args:
        results: the results of the study.
        commentary: texts in addition to the tables.
        verdicts: the sections on verdicts.
        with_correlations: whether the correlations of metrics are shown.
        full: whether all figures are shown. If not, differences of several systems are shown only
            by the first metric, and those of many systems only with the best one. The table of all
            figures and the sentences for a paper are left out.
    """
    if len(results.names) > 1:
        sections = [describe_systems(results, commentary.doubt)]
        sections.append(choose_differences(results, commentary.sentence, full))
        if full:
            sections.append(describe_all_scores(results))
    else:
        sections = [describe_scores(results)]
    sections += describe_estimates(results)
    sections += describe_cascade(results)
    sections += describe_all_groups(results, commentary.doubt)
    if with_correlations:
        sections += describe_correlations(results)
    sections += verdicts
    if full:
        sections += describe_for_paper(results)
    sections += describe_run(results, commentary.notes)
    sections += list_signatures(results)
    return sections


def choose_differences(results: Results, sentence: str, full: bool) -> Section:
    """Return the table of differences: all of them, or a few that can be read at a glance."""
    n_systems = len(results.names)
    if full or n_systems <= FEW_SYSTEMS:
        return describe_differences(results, results.series, sentence)
    compared_keys = set(results.differences["metric"])
    compared = [series for series in results.primary if series.key in compared_keys]
    with_best = n_systems > MANY_SYSTEMS
    return describe_differences(results, compared[:1], sentence, with_best)


def describe_all_groups(results: Results, doubt: RankingDoubt) -> list[Section]:
    """Return the tables by group of all systems that have groups.

    Their common notes are below the last table. The footnote on doubtful metrics is added only for
    a single system, because the table of several systems already has it.
    """
    tables = []
    for name in results.names:
        if list_groups(results, name):
            tables.append(describe_groups(results, name, doubt))
    if not tables:
        return []
    *earlier, last = tables
    notes = list(last.notes)
    if len(results.names) == 1:
        notes += describe_doubt(results.primary, doubt)
    without_notes = [replace(table, notes=()) for table in earlier]
    return [*without_notes, replace(last, notes=notes)]
