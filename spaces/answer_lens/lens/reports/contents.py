"""What the report on a scored file says, in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.reports.comparison_sections import describe_differences, describe_systems, keep_best
from lens.reports.notes import describe_run, list_signatures
from lens.reports.paper import describe_for_paper
from lens.reports.score_sections import (
    Correlations,
    describe_all_scores,
    describe_correlations,
    describe_estimates,
    describe_groups,
    describe_scores,
)
from lens.reports.section import Section
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.study.results import Summary, SystemComparison

# Up to so many systems the terminal shows their differences by every metric; of more than so many those with the best.
FEW_SYSTEMS, MANY_SYSTEMS = 2, 6


def make_sections(
    summaries: Sequence[Summary],
    comparisons: Sequence[SystemComparison] = (),
    names: Sequence[str] = (),
    correlations: Correlations | None = None,
    verdicts: Sequence[Section] = (),
    sentence: str = "",
    caution: str = "",
    doubted: Collection[str] = (),
    notes: Sequence[str] = (),
    full: bool = True,
) -> list[Section]:
    """Return all that a report says, in order.

    Args:
        summaries: what the scores of each system come to.
        comparisons: how the systems stand by each metric.
        names: those of the systems; by default those of their files.
        correlations: how alike the metrics rank.
        verdicts: the sections on verdicts.
        sentence: what is certain of a comparison.
        caution: what the scores are worth for comparing groups.
        doubted: metrics that get a mark where they rank.
        notes: on how systems were matched.
        full: whether all figures are there. If not, differences of several systems are those by the first metric, of
            many those with the best, and figures stand in the one table alone.
    """
    is_comparison = len(summaries) > 1
    names = names or [one.source for one in summaries]
    if is_comparison:
        sections = [describe_systems(summaries, comparisons, names, doubted)]
        sections.append(choose_differences(comparisons, names, sentence, full))
        if full:
            sections.append(describe_all_scores(summaries, names))
    else:
        sections = [describe_scores(summaries[0])]
    sections += describe_estimates(summaries, names)
    sections += list_groups(summaries, names if is_comparison else [""], doubted, caution)
    if correlations:
        sections.append(describe_correlations(correlations))
    sections += verdicts
    if full:
        sections += describe_for_paper(summaries, comparisons, names)
    return [*sections, *describe_run(summaries, names, notes), *list_signatures(summaries, names)]


def choose_differences(
    comparisons: Sequence[SystemComparison], names: Sequence[str], sentence: str, full: bool
) -> Section:
    """Return the table of differences: all, or as many as are read at one glance."""
    if full or len(names) <= FEW_SYSTEMS:
        return describe_differences(comparisons, names, sentence)
    shown = [one for one in comparisons if one.series.primary][:1]
    if len(names) <= MANY_SYSTEMS:
        return describe_differences(shown, names, sentence)
    return describe_differences(list(map(keep_best, shown)), names, sentence, with_best=True)


def list_groups(
    summaries: Sequence[Summary], names: Sequence[str], doubted: Collection[str], caution: str
) -> list[Section]:
    """Return the tables by group of all systems that have groups; what they have in common stands below the last."""
    pairs = zip(summaries, names, strict=True)
    tables = [describe_groups(summary, name, doubted) for summary, name in pairs if summary.groups]
    if not tables:
        return []
    *earlier, last = tables
    if caution:
        last = replace(last, notes=[*last.notes, Note("as_it_is", {"text": caution})])
    return [*(replace(table, notes=()) for table in earlier), last]
