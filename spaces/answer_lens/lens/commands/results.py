"""Prints and writes the results of score.py, and checks --fail-under and --fail-if-worse."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from lens import VERSION
from lens.commands.scored_rows import write_target
from lens.commands.targets import JSON, PICTURE, REPORTS, WITH_CORRELATIONS, add_target_to_error
from lens.explanations.file_verdict import describe_ranking_doubt, describe_systems
from lens.reports.contents import Commentary, make_sections
from lens.reports.json_report import format_json
from lens.reports.picture import draw_picture
from lens.reports.plain_text import format_plain_text
from lens.reports.section import Section, format_sections
from lens.reports.verdict_sections import describe_verdicts
from lens.scoring.scorer import Scorer
from lens.study.annotations import SystemVerdicts
from lens.study.engines.resume import Parts, list_settings
from lens.study.results import Results
from lens.study.study import Study
from lens.words import speaking
from lens.words.printed import print_lines

# The exit codes.
DONE = 0
INCOMPLETE = 1
REFUSED = 2
GATE_FAILED = 3
INTERRUPTED = 130


@dataclass
class Report:
    """The results of a study, and how it was scored."""

    study: Study
    results: Results
    scorers: Sequence[Scorer]
    language: str
    has_verdicts: bool

    def sections(self, with_correlations: bool = False, full: bool = True) -> list[Section]:
        """Return the sections of the report.

        Args:
            with_correlations: whether it has the correlations of scores.
            full: whether it has all figures; the terminal shows only the main ones.
        """
        commentary = Commentary(
            sentence=describe_systems(self.results) if len(self.results.names) > 1 else "",
            doubt=describe_ranking_doubt(self.results),
            notes=self.study.notes,
        )
        verdicts = describe_verdicts(self.results) if self.has_verdicts else []
        return make_sections(self.results, commentary, verdicts, with_correlations, full)

    def describe(self) -> dict[str, Any]:
        """Return the version, the date, the inputs, and the settings that change the figures."""
        inputs = {}
        for table in self.study.tables:
            inputs[table.source.name] = table.source.describe() | {"rows": len(table)}
        columns = {}
        for role, value in asdict(self.study.first.source.roles).items():
            if value not in ("", ()):
                columns[role] = value
        metrics = {scorer.name: describe_settings(scorer) for scorer in self.scorers}
        now = datetime.now(timezone.utc)
        return {
            "version": VERSION,
            "date": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "language": self.language,
            "inputs": list(inputs.values()),
            "settings": {"metrics": metrics, "columns": columns},
        }


def describe_settings(scorer: Scorer) -> dict[str, Any]:
    """Return the version of a metric's module and the settings that change its scores."""
    settings = list_settings(scorer)
    version = settings.pop(f"version.{scorer.name}")
    prefix = f"set.{scorer.name}."
    own_settings = {name.removeprefix(prefix): value for name, value in settings.items()}
    return {"version": version, "settings": own_settings}


def report_results(
    study: Study,
    scorers: Sequence[Scorer],
    arguments: argparse.Namespace,
    verdicts: Sequence[SystemVerdicts],
    parts: Parts | None,
) -> int:
    """Print the tables and write the reports in the chosen language; return the exit code."""
    with speaking(arguments.language):
        results = study.results(with_correlations=bool(arguments.report))
        results = results.add_verdicts(verdicts, study.cluster)
        report = Report(study, results, scorers, arguments.language, bool(verdicts))
        text = format_plain_text(format_sections(report.sections(full=False)))
        print_lines(*text.split("\n"), file=sys.stdout)
        for target in arguments.report:
            text = format_report(report, Path(target).suffix.lower())
            with add_target_to_error(target), write_target(target, parts) as file:
                file.write(text.encode())
        return check_gates(results, arguments)


def format_report(report: Report, extension: str) -> str:
    """Return the text of a report's file, by the extension of the file."""
    if extension == PICTURE:
        return draw_picture(report.results)
    if extension == JSON:
        return format_json(report.sections(with_correlations=True), report.describe())
    format_text = REPORTS[extension]
    sections = report.sections(with_correlations=extension in WITH_CORRELATIONS)
    return format_text(format_sections(sections))


def check_gates(results: Results, arguments: argparse.Namespace) -> int:
    """Return the exit code, and print each gate that failed."""
    if results.metrics["stopped"].notna().any():
        return INCOMPLETE
    failures = list(describe_low_scores(results, arguments.fail_under))
    if arguments.fail_if_worse:
        failures += describe_worse_scores(results)
    for failure in failures:
        print_lines(f"score.py: {failure}")
    return GATE_FAILED if failures else DONE


def describe_low_scores(results: Results, lowest_values: Mapping[str, float]) -> Iterator[str]:
    """Yield a message for each score of the first system that fails --fail-under."""
    first = results.names[0]
    beginning = f"{first}: " if len(results.names) > 1 else ""
    scores_of_first = results.whole[results.whole["system"] == first]
    for row in scores_of_first.to_dict("records"):
        key = row["metric"]
        if key not in lowest_values:
            continue
        lowest = lowest_values[key]
        # Without an interval, the mean decides.
        value = row["mean"] if row["low"] is None else row["low"]
        if value is None:
            reason = "it has no score"
        elif value < lowest:
            reason = f"its 95% interval begins at {value:.4f}"
        else:
            continue
        yield f"{beginning}{key} is not certainly {lowest:g} or more: {reason} (--fail-under)."


def describe_worse_scores(results: Results) -> Iterator[str]:
    """Yield a message for each score by which the first system is certainly worse than another."""
    first = results.names[0]
    for series in results.primary:
        differences = results.differences[results.differences["metric"] == series.key]
        for row in differences[differences["first"] == first].to_dict("records"):
            # The difference is the first system minus the second.
            if row["high"] is not None and row["high"] < 0:
                interval = f"the 95% interval of the difference ends at {row['high']:.2g}"
                yield (
                    f"{first} is worse than {row['second']} on {series.title}: {interval} "
                    "(--fail-if-worse)."
                )
