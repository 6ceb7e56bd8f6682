"""What score.py says of the scores: the tables in the terminal, the reports, and whether a gate failed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lens.commands.scored_rows import write_target
from lens.commands.targets import PICTURE, REPORTS, name_target
from lens.experiment.systems import Experiment
from lens.explanations.file_verdict import caution, doubted, verdict
from lens.reports import contents, formats, plain_text
from lens.reports.contents import Correlations
from lens.reports.formats import Section
from lens.reports.own_verdicts import sections as verdict_sections
from lens.reports.picture import picture
from lens.study.annotations import SystemVerdicts
from lens.study.engines.resume import Parts
from lens.study.engines.scored_table import Table
from lens.study.results import Summary, SystemComparison, correlations, standings, summaries
from lens.words import speaking
from lens.words.printed import tell

DONE, INCOMPLETE, REFUSED, WORSE, INTERRUPTED = 0, 1, 2, 3, 130
# Digits behind the point of JSON, whose figures are read by programs, and of all else.
JSON_DIGITS, DIGITS = 12, 4


@dataclass
class Results:
    """The scores of a study, summed up in the language that is spoken, with the verdicts on its answers."""

    study: Experiment
    summaries: Sequence[Summary]
    comparisons: Sequence[SystemComparison]
    reads: Sequence[SystemVerdicts]
    # The sections on verdicts, which take long, by their digits.
    verdicts: dict[int, list[Section]] = field(default_factory=dict)

    def sections(self, correlated: Correlations | None = None, full: bool = True) -> list[Section]:
        """Return all sections of a report, its figures with the digits that are set."""
        study = self.study
        first = self.summaries[0]
        digits = contents.DIGITS.get()
        if self.reads and digits not in self.verdicts:
            self.verdicts[digits] = verdict_sections(self.reads, study.cluster)
        return contents.sections(
            self.summaries,
            self.comparisons,
            study.names,
            correlations=correlated,
            verdicts=self.verdicts.get(digits, []),
            sentence=verdict(first, self.comparisons, {}, study.names),
            caution=caution(first),
            doubted=doubted(first),
            notes=study.told,
            full=full,
        )


def report_results(
    tables: Sequence[Table],
    study: Experiment,
    arguments: argparse.Namespace,
    reads: Sequence[SystemVerdicts],
    parts: Parts | None,
) -> int:
    """Print the tables and write the reports, in their language; return the exit code."""
    with speaking(arguments.language):
        tallies = [table.tally for table in tables]
        rolls = [table.roll for table in tables]
        results = Results(study, summaries(tallies, rolls, study), standings(tallies, study), reads)
        text = plain_text.plain(results.sections(full=False))
        tell(*text.split("\n"), file=sys.stdout)
        related = correlations(tallies, study) if arguments.report else {}
        for target in arguments.report:
            text = format_report(results, Path(target).suffix.lower(), related)
            with name_target(target), write_target(target, parts) as file:
                file.write(text.encode())
        return exit_code(results, arguments)


def format_report(results: Results, kind: str, related: Correlations) -> str:
    """Return the text of a report of this kind."""
    if kind == PICTURE:
        return picture(results.summaries, results.comparisons, results.study.names)
    form, has_correlations = REPORTS[kind]
    digits = JSON_DIGITS if form is formats.as_json else DIGITS
    with contents.digits(digits):
        sections = results.sections(related if has_correlations else None)
        return form(sections)


def exit_code(results: Results, arguments: argparse.Namespace) -> int:
    """Return the exit code of the scores, and print each gate that failed."""
    if any(summary.stopped for summary in results.summaries):
        return INCOMPLETE
    failed = list(low_scores(results, arguments.fail_under))
    if arguments.fail_if_worse:
        failed += worse_scores(results)
    for message in failed:
        tell(f"score.py: {message}")
    return WORSE if failed else DONE


def low_scores(results: Results, thresholds: Mapping[str, float]) -> Iterator[str]:
    """Yield the scores of the first system whose interval begins below its threshold, in words."""
    names = results.study.names
    name = f"{names[0]}: " if len(names) > 1 else ""
    for figure in results.summaries[0].figures:
        key = figure.series.key
        if key not in thresholds:
            continue
        threshold = thresholds[key]
        low = figure.interval[0] if figure.interval else figure.mean
        if low is None:
            reason = "it has no score"
        elif low >= threshold:
            continue
        else:
            reason = f"its 95% interval begins at {low:.4f}"
        yield f"{name}{key} is not certainly {threshold:g} or more: {reason} (--fail-under)."


def worse_scores(results: Results) -> Iterator[str]:
    """Yield by which scores the first system is worse than another beyond chance, in words."""
    names = results.study.names
    for comparison in results.comparisons:
        if not comparison.series.primary or 0 not in comparison.ranked:
            continue
        title = comparison.series.title
        for pair in comparison.ranking.pairs:
            if pair.first != 0 or not pair.interval:
                continue
            high = pair.interval[1]
            if high < 0:
                other = names[comparison.ranked[pair.second]]
                interval = f"the 95% interval of the difference ends at {high:.2g}"
                yield f"{names[0]} is worse than {other} on {title}: {interval} (--fail-if-worse)."
