"""What score.py says of the scores: the tables in the terminal, the reports, and whether a gate failed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any

from lens import VERSION
from lens.commands.scored_rows import write_target
from lens.commands.targets import JSON, PICTURE, REPORTS, name_target
from lens.explanations.file_verdict import caution, unreliable_metrics, verdict
from lens.reports.contents import make_sections
from lens.reports.json_report import format_json
from lens.reports.picture import draw_picture
from lens.reports.plain_text import format_plain_text
from lens.reports.section import Section, format_sections
from lens.reports.verdict_sections import describe_verdicts
from lens.scoring.rows import Scorer
from lens.study.annotations import SystemVerdicts
from lens.study.engines.resume import Parts, settings_of
from lens.study.results import Results, summarize_study
from lens.study.study import Study
from lens.words import speaking
from lens.words.printed import tell

DONE, INCOMPLETE, REFUSED, WORSE, INTERRUPTED = 0, 1, 2, 3, 130


@dataclass
class Report:
    """What there is to say of a study: its results, and the verdicts on its answers."""

    study: Study
    results: Results
    verdicts: Sequence[SystemVerdicts]
    scorers: Sequence[Scorer]
    language: str

    @cached_property
    def verdict_sections(self) -> list[Section]:
        """The sections on verdicts, which take long."""
        return describe_verdicts(self.verdicts, self.study.cluster) if self.verdicts else []

    def sections(self, with_correlations: bool = False, full: bool = True) -> list[Section]:
        """Return all sections of a report."""
        study, results = self.study, self.results
        first = results.summaries[0]
        return make_sections(
            results.summaries,
            results.comparisons,
            study.names,
            correlations=results.correlations if with_correlations else None,
            verdicts=self.verdict_sections,
            sentence=verdict(first, results.comparisons, {}, study.names),
            caution=caution(first),
            doubted=unreliable_metrics(first),
            notes=list(map(str, study.notes)),
            full=full,
        )

    def describe(self) -> dict[str, Any]:
        """Return what the report is about: version, date, inputs, and the settings that move its figures."""
        inputs = {}
        for table in self.study.tables:
            inputs[table.source.name] = table.source.describe() | {"rows": len(table)}
        columns = asdict(self.study.first.source.roles)
        return {
            "version": VERSION,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "language": self.language,
            "inputs": list(inputs.values()),
            "settings": {
                "metrics": {scorer.name: describe_settings(scorer) for scorer in self.scorers},
                "columns": {name: value for name, value in columns.items() if value not in ("", ())},
            },
        }


def describe_settings(scorer: Scorer) -> dict[str, Any]:
    """Return the version of a metric's module and the settings that move its scores."""
    settings = {name.removeprefix(f"set.{scorer.name}."): value for name, value in settings_of(scorer).items()}
    return {"version": settings.pop(f"version.{scorer.name}"), "settings": settings}


def report_results(
    study: Study,
    scorers: Sequence[Scorer],
    arguments: argparse.Namespace,
    verdicts: Sequence[SystemVerdicts],
    parts: Parts | None,
) -> int:
    """Print the tables and write the reports, in their language; return the exit code."""
    with speaking(arguments.language):
        results = summarize_study(study, with_correlations=bool(arguments.report))
        report = Report(study, results, verdicts, scorers, arguments.language)
        text = format_plain_text(format_sections(report.sections(full=False)))
        tell(*text.split("\n"), file=sys.stdout)
        for target in arguments.report:
            text = format_report(report, Path(target).suffix.lower())
            with name_target(target), write_target(target, parts) as file:
                file.write(text.encode())
        return exit_code(report, arguments)


def format_report(report: Report, kind: str) -> str:
    """Return the text of a report of this kind."""
    if kind == PICTURE:
        return draw_picture(report.results.summaries, report.results.comparisons, report.study.names)
    if kind == JSON:
        return format_json(report.sections(with_correlations=True), report.describe())
    form, has_correlations = REPORTS[kind]
    return form(format_sections(report.sections(has_correlations)))


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
