"""Score a file of answers with any of the metrics, from the terminal.

    python score.py results.jsonl --metrics lv_eval_f1 rouge bertscore --out scored.parquet --report report.md

The table is read and scored block by block. What is finished of a run with --out lies in parts beside it until the end,
so the same command goes on where one was broken off.

Progress goes to the error stream, the table of results to the output. Exit code 0: everything was computed; 1: a metric
could not be computed to the end, and the report says why, or a file could not be written, or processes were lost; 2:
the input is wrong, and nothing was scored, or it changed meanwhile; 3: a score is lower than --fail-under or
--fail-if-worse allow; 130: interrupted.
"""

from __future__ import annotations

import argparse
import functools
import io
import logging
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from lens.commands import own_verdicts, systems
from lens.commands.arguments import metric_settings, parse_arguments
from lens.commands.packages import check_packages
from lens.commands.results import DONE, INCOMPLETE, INTERRUPTED, REFUSED, report_results
from lens.commands.scored_rows import write_scored_rows
from lens.commands.systems import Asked
from lens.commands.targets import THERE, check_targets, name_target, output_kind
from lens.experiment.answers import Answer
from lens.experiment.survey import read_answers
from lens.experiment.systems import Experiment
from lens.reports.own_verdicts import recalibration
from lens.scoring import failures
from lens.scoring.rows import Scorer
from lens.study.annotations import SystemVerdicts
from lens.study.engines import processes, resume
from lens.study.engines.resume import Parts
from lens.study.engines.scored_table import Engine, Lost, Table, here
from lens.tables.roles import CELL_OPTIONS, COLUMNS
from lens.tables.thinking_marks import check_tags
from lens.words import speaking
from lens.words.formats import money
from lens.words.notes import UserError
from lens.words.printed import tell


def scorers_of(given: argparse.Namespace) -> list[Scorer]:
    """The metrics with their settings; UserError for a setting that one of them does not take."""
    settings = metric_settings(given)
    scorers = [Scorer(name, settings[name], settings[name].get("api_key") or "") for name in given.metrics]
    for scorer in scorers:
        if told := scorer.refused_setting():
            raise UserError("error_in", place=scorer.name, error=told.removeprefix(f"{scorer.name} "))
    return scorers


def run(arguments: argparse.Namespace) -> int:
    """Score, write and report; return the exit code."""
    parts = None
    if arguments.out and not arguments.dry_run and not arguments.sample:
        parts = Parts(arguments.out if arguments.folder else f"{arguments.out}.parts", {})
    check_targets(arguments, parts)
    columns = {name: getattr(arguments, name) for name in (*COLUMNS, "stand_in", "judges", *CELL_OPTIONS)}
    columns["reasoning_tags"] = tuple(tuple(pair) for pair in arguments.reasoning_tags)
    check_tags(columns["reasoning_tags"])
    verdict_file = ""
    if own_verdicts.is_file(arguments.verdict):
        verdict_file = arguments.verdict[0]
        columns["verdict"] = [""]
    sources = systems.sources_of(arguments, columns)
    with ExitStack() as stack:
        if parts:
            parts.run.update(run_settings(sources, columns, arguments))
            stack.enter_context(name_target(arguments.out))
            if not arguments.restart:  # said before the modules are loaded, which may take long
                resume.refuse_other(parts, ("version.", "set."))
        scorers = scorers_of(arguments)
        if parts:
            for scorer in scorers:
                parts.run.update(resume.settings_of(scorer))
            stack.enter_context(resume.entered(parts, arguments.restart, arguments.overwrite))
        with engine_of(arguments) as engine:  # which may keep the output for itself, so nothing is reported in it
            tables, study = systems.read(sources, scorers, arguments)
            if arguments.fail_if_worse and len(study.systems) < 2:
                raise UserError("command_one_system")
            if arguments.sample:
                with name_target(arguments.out):
                    own_verdicts.write_sample(tables, study, engine, arguments, output_kind(arguments.out))
                return DONE
            reads = [] if arguments.dry_run else score_tables(tables, study, engine, arguments, parts, verdict_file)
        if arguments.dry_run:
            return estimate(tables)
        return report_scores(tables, study, reads, arguments, parts)


def score_tables(
    tables: Sequence[Table],
    study: Experiment,
    engine: Engine,
    arguments: argparse.Namespace,
    parts: Parts | None,
    verdict_file: str,
) -> Sequence[SystemVerdicts]:
    """Score the tables; return the verdicts on their answers, and the scores of these."""
    # What is wrong with verdicts is said before anything is scored.
    has_verdicts = own_verdicts.asked(tables, arguments.verdict)
    reads = own_verdicts.given_to(tables, study, verdict_file) if has_verdicts else []
    for table in tables:
        table.score(engine, parts)
    return own_verdicts.scored(tables, study, reads, arguments.standing) if has_verdicts else []


def report_scores(
    tables: Sequence[Table],
    study: Experiment,
    reads: Sequence[SystemVerdicts],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> int:
    """Write the scored rows and the reports; return the exit code.

    Finished blocks are kept until the last report is written: a run that is broken off before goes on from there.
    """
    if parts:
        write_scored_rows(tables, study, parts, arguments, recalibration(reads))
    code = report_results(tables, study, arguments, reads, parts)
    if parts:
        parts.finish(keep=arguments.folder)
    return code


def run_settings(sources: Sequence[Asked], columns: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what makes a run this one and no other, but for the settings of the metrics."""
    settings: dict[str, Any] = {
        "format": resume.FORMAT,
        "out": output_kind(arguments.out),
        "--block-rows": arguments.block_rows,
        "--metrics": arguments.metrics,
        "--filter": arguments.filter,
        "--encoding": arguments.encoding,
        "--sheet": arguments.sheet,
    }
    settings |= {f"--{role}": name for role, name in columns.items()}
    for number, source in enumerate(sources):
        prefix = f"input.{number}" if number else "input"
        settings |= {f"{prefix}.{name}": value for name, value in source.source.stamps().items()}
    return settings


@contextmanager
def engine_of(given: argparse.Namespace) -> Iterator[Engine]:
    """The engine that is asked for, until the end of the block."""
    withheld = processes.key_variables(given.key_variable)
    if given.engine == "ray" and not given.dry_run:
        from lens.study.engines import ray_cluster

        with ray_cluster.connected(given.ray_address, given.workers, withheld) as cluster:
            yield cluster
    else:
        several = (given.workers or 1) > 1
        yield functools.partial(processes.in_processes, given.workers, withheld) if several else here


def estimate(tables: Sequence[Table]) -> int:
    """Say what the judges would take, without sending anything."""
    for table in tables:
        for scorer in table.scorers:
            if scorer.metric.judge:
                scorer.prepare()
                items: list[Answer] = []
                for answer in read_answers(table.source, table.roles):
                    items += scorer.split_references(answer)
                found = scorer.module.compute(**scorer.columns(items), **scorer.settings, dry_run=True)
                cost, tokens = money(found["Cost"]), found["tokens"]
                cost += f", {money(found['Cost_batch'])} in batches" if "Cost_batch" in found else ""
                tell(f"{scorer.name}, {table.source.name}: {found['calls']:,} calls, {found['cached_calls']:,} of them "
                     f"answered before; about {tokens['input']:,} tokens in, {tokens['output']:,} out; {cost}. "
                     "Nothing was sent.", file=sys.stdout)  # fmt: skip
    return DONE


def lv_eval(given: argparse.Namespace) -> int:
    """LV-Eval's official result."""
    from lens.lv_eval import export

    if not Path(given.lv_eval).exists():
        raise UserError("command_no_folder", path=given.lv_eval)
    written = [path for path in export.targets(given.lv_eval, given.out) if path.exists()]
    if written and not given.overwrite:
        raise UserError("command_not_written", name=written[0], obstacle=THERE)
    return export.command(given.lv_eval, given.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    given = parse_arguments(arguments)
    # LV-Eval's result and its errors are in the language of the report; the rest of the terminal is in English.
    with speaking(given.language if given.lv_eval else "en"):
        return run_or_refuse(given)


def run_or_refuse(given: argparse.Namespace) -> int:
    """Run the command; return the exit code, and say why where it cannot be done."""
    try:
        check_packages(given)
        return lv_eval(given) if given.lv_eval else run(given)
    except UserError as error:
        code, told = REFUSED, str(error)
    except (Lost, OSError) as error:
        code, told = INCOMPLETE, str(error)
    except KeyboardInterrupt:
        code, told = INTERRUPTED, ("interrupted. No file is left half written. What judges answered is kept: the same "
                                   "command resumes.")  # fmt: skip
    tell(f"score.py: {told}")
    return code


def command() -> None:
    """Run the command and end the program. A request to end (SIGTERM) does what Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # What went wrong is said in words; where in the code is of no use here.
    failures.log.setLevel(logging.CRITICAL)
    # A terminal that has no sign for a character gets the table all the same.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main())
