"""What the report on a scored file says, in order."""

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

# Up to so many systems the terminal shows their differences by every metric,
FEW_SYSTEMS = 2
# ... and of more than so many those with the best.
MANY_SYSTEMS = 6


@dataclass(frozen=True)
class Commentary:
    """What is said of the scores of a study beside their tables.

    Attributes:
        sentence: what is certain of a comparison.
        doubt: the metrics that get a mark where they rank, and what showed it.
        notes: on how systems were matched.
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
    """Return all that a report says, in order.

    Args:
        results: what the scores come to.
        commentary: what is said beside the tables.
        verdicts: the sections on verdicts.
        with_correlations: whether it says how alike the metrics rank.
        full: whether all figures are there. If not, differences of several systems are those by the
            first metric, of many those with the best, and figures stand in the one table alone.
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
    """Return the table of differences: all, or as many as are read at one glance."""
    systems = len(results.names)
    if full or systems <= FEW_SYSTEMS:
        return describe_differences(results, results.series, sentence)
    compared = set(results.differences["metric"])
    shown = [series for series in results.primary if series.key in compared]
    return describe_differences(results, shown[:1], sentence, with_best=systems > MANY_SYSTEMS)


def describe_all_groups(results: Results, doubt: RankingDoubt) -> list[Section]:
    """Return the tables by group of all systems that have groups.

    What they have in common stands below the last.

    Of several systems the footnote on marked metrics stands below their one table already.
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
