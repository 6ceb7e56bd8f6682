"""What score.py says of the scores: the tables in the terminal, the reports, and whether a gate failed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lens.commands.scored_rows import write_target
from lens.commands.targets import PICTURE, REPORTS, name_target
from lens.explanations.file_verdict import caution, doubted, verdict
from lens.reports import contents, formats, plain_text
from lens.reports.formats import Section
from lens.reports.own_verdicts import sections as verdict_sections
from lens.reports.picture import picture
from lens.study.annotations import SystemVerdicts
from lens.study.engines.resume import Parts
from lens.study.results import Results, summarize_study
from lens.study.study import Study
from lens.words import speaking
from lens.words.printed import tell

DONE, INCOMPLETE, REFUSED, WORSE, INTERRUPTED = 0, 1, 2, 3, 130
# Digits behind the point of JSON, whose figures are read by programs, and of all else.
JSON_DIGITS, DIGITS = 12, 4


@dataclass
class Report:
    """What there is to say of a study: its results, and the verdicts on its answers."""

    study: Study
    results: Results
    verdicts: Sequence[SystemVerdicts]
    # The sections on verdicts, which take long, by their digits.
    verdict_sections: dict[int, list[Section]] = field(default_factory=dict)

    def sections(self, with_correlations: bool = False, full: bool = True) -> list[Section]:
        """Return all sections of a report, its figures with the digits that are set."""
        study, results = self.study, self.results
        first = results.summaries[0]
        digits = contents.DIGITS.get()
        if self.verdicts and digits not in self.verdict_sections:
            self.verdict_sections[digits] = verdict_sections(self.verdicts, study.cluster)
        return contents.sections(
            results.summaries,
            results.comparisons,
            study.names,
            correlations=results.correlations if with_correlations else None,
            verdicts=self.verdict_sections.get(digits, []),
            sentence=verdict(first, results.comparisons, {}, study.names),
            caution=caution(first),
            doubted=doubted(first),
            notes=list(map(str, study.notes)),
            full=full,
        )


def report_results(
    study: Study, arguments: argparse.Namespace, verdicts: Sequence[SystemVerdicts], parts: Parts | None
) -> int:
    """Print the tables and write the reports, in their language; return the exit code."""
    with speaking(arguments.language):
        report = Report(study, summarize_study(study, with_correlations=bool(arguments.report)), verdicts)
        text = plain_text.plain(report.sections(full=False))
        tell(*text.split("\n"), file=sys.stdout)
        for target in arguments.report:
            text = format_report(report, Path(target).suffix.lower())
            with name_target(target), write_target(target, parts) as file:
                file.write(text.encode())
        return exit_code(report, arguments)


def format_report(report: Report, kind: str) -> str:
    """Return the text of a report of this kind."""
    if kind == PICTURE:
        return picture(report.results.summaries, report.results.comparisons, report.study.names)
    form, has_correlations = REPORTS[kind]
    digits = JSON_DIGITS if form is formats.as_json else DIGITS
    with contents.digits(digits):
        return form(report.sections(has_correlations))


def exit_code(report: Report, arguments: argparse.Namespace) -> int:
    """Return the exit code of the scores, and print each gate that failed."""
    if any(summary.stopped for summary in report.results.summaries):
        return INCOMPLETE
    failed = list(low_scores(report, arguments.fail_under))
    if arguments.fail_if_worse:
        failed += worse_scores(report)
    for message in failed:
        tell(f"score.py: {message}")
    return WORSE if failed else DONE


def low_scores(report: Report, thresholds: Mapping[str, float]) -> Iterator[str]:
    """Yield the scores of the first system whose interval begins below its threshold, in words."""
    names = report.study.names
    name = f"{names[0]}: " if len(names) > 1 else ""
    for figure in report.results.summaries[0].figures:
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


def worse_scores(report: Report) -> Iterator[str]:
    """Yield by which scores the first system is worse than another beyond chance, in words."""
    names = report.study.names
    for comparison in report.results.comparisons:
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
