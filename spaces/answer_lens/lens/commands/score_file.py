"""Scores files of answers with any of the metrics, from the terminal.

    python score.py results.jsonl --metrics lv_eval_f1 rouge bertscore --out scored.parquet

A table is read and scored block by block. With --out, finished blocks are stored in a folder next
to the file until the run ends, so the same command resumes an interrupted run.

Progress is printed to the error stream, and tables of results to the output. The exit code is 0 if
everything was computed. It is 1 if a metric was stopped (the report says why), a file could not be
written, or processes were lost. It is 2 if the input is wrong and nothing was scored, or if the
input changed meanwhile. It is 3 if a gate failed (--fail-under, --fail-if-worse), and 130 if the
run was interrupted.
"""

from __future__ import annotations

import argparse
import functools
import io
import logging
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from lens.commands.arguments import parse_arguments, read_metric_settings
from lens.commands.exports import check_export, write_export
from lens.commands.inputs import Input, list_inputs, open_study
from lens.commands.own_verdicts import (
    has_verdicts,
    is_verdict_file,
    read_verdict_file,
    write_sample,
)
from lens.commands.packages import check_packages
from lens.commands.results import DONE, INCOMPLETE, INTERRUPTED, REFUSED, report_results
from lens.commands.scored_rows import write_scored_rows
from lens.commands.targets import (
    ALREADY_EXISTS,
    add_target_to_error,
    check_targets,
    find_output_kind,
)
from lens.experiment.answers import Answer
from lens.scoring import failures
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import ESTIMATE
from lens.scoring.scorer import Scorer
from lens.study.annotations import SystemVerdicts
from lens.study.engines import processes, resume
from lens.study.engines.blocks import Engine, Lost, make_blocks, score_block, score_in_process
from lens.study.engines.progress import show_progress
from lens.study.engines.resume import Parts
from lens.study.engines.score_table import RunOptions
from lens.study.study import Study
from lens.study.tables import AnswerTable
from lens.study.verdict_results import fit_estimate
from lens.tables.roles import CELL_OPTIONS, COLUMNS
from lens.tables.thinking_marks import check_tags
from lens.words import speaking
from lens.words.formats import format_money
from lens.words.notes import Note, UserError
from lens.words.printed import print_lines


def make_scorers(arguments: argparse.Namespace) -> list[Scorer]:
    """Return the metrics with their settings.

    Raises:
        UserError: a metric refuses one of its settings.
    """
    settings = read_metric_settings(arguments)
    scorers = []
    for name in arguments.metrics:
        key = settings[name].get("api_key") or ""
        scorers.append(Scorer(name, settings[name], key))
    for scorer in scorers:
        refusal = scorer.find_refused_setting()
        if refusal:
            raise UserError(
                "page.error_in", place=scorer.name, error=refusal.removeprefix(f"{scorer.name} ")
            )
    return scorers


def run(arguments: argparse.Namespace) -> int:
    """Score, write and report; return the exit code."""
    parts = None
    if arguments.out and not arguments.dry_run and not arguments.sample:
        parts = Parts(arguments.out if arguments.folder else f"{arguments.out}.parts", {})
    check_targets(arguments, parts)
    columns = read_chosen_roles(arguments)
    inputs = list_inputs(arguments, columns)
    with ExitStack() as stack:
        if parts:
            parts.run.update(run_settings(inputs, columns, arguments))
            stack.enter_context(add_target_to_error(arguments.out))
            if not arguments.restart:  # checked before the modules are loaded, which may take long
                resume.refuse_other_run(parts, ("version.", "set."))
        scorers = make_scorers(arguments)
        if parts:
            for scorer in scorers:
                parts.run.update(resume.list_settings(scorer))
            stack.enter_context(resume.enter_parts(parts, arguments.restart, arguments.overwrite))
        # The engine may redirect the output, so results are printed after this block.
        with open_engine(arguments) as engine:
            study = open_study(inputs, is_sure=bool(arguments.system))
            if arguments.fail_if_worse and len(study.systems) < 2:
                raise UserError("command.one_system")
            check_export(study, arguments, parts)
            if arguments.dry_run:
                return print_costs(study, scorers, arguments.unsure)
            options = RunOptions(
                engine, arguments.block_rows, parts, show_progress, arguments.unsure
            )
            if arguments.sample:
                study.score(scorers, options)
                with add_target_to_error(arguments.out):
                    write_sample(study, arguments, find_output_kind(arguments.out))
                return DONE
            verdicts = score_study(study, scorers, options, arguments)
        return report_scores(study, scorers, verdicts, arguments, parts)


def read_chosen_roles(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the columns that the user chose, by role, and the options of reading cells."""
    columns: dict[str, Any] = {}
    for name in (*COLUMNS, "stand_in", "judges", *CELL_OPTIONS):
        columns[name] = getattr(arguments, name)
    tags = tuple(tuple(pair) for pair in arguments.reasoning_tags)
    check_tags(tags)
    columns["reasoning_tags"] = tags
    if is_verdict_file(arguments.verdict):
        columns["verdict"] = [""]
    return columns


def score_study(
    study: Study,
    scorers: Sequence[Scorer],
    options: RunOptions,
    arguments: argparse.Namespace,
) -> Sequence[SystemVerdicts]:
    """Score the answers, and return the verdicts on them, with the scores."""
    is_file = is_verdict_file(arguments.verdict)
    if not is_file and not has_verdicts(study):
        study.score(scorers, options)
        return []
    # Verdicts are read first, so that an error in them is found before scoring.
    verdicts = read_verdict_file(arguments.verdict[0], study) if is_file else None
    study.score(scorers, options)
    return study.read_systems(verdicts, arguments.standing or "")


def report_scores(
    study: Study,
    scorers: Sequence[Scorer],
    verdicts: Sequence[SystemVerdicts],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> int:
    """Write the scored rows and the reports, and return the exit code.

    Finished blocks are stored until the last report is written, so an interrupted run can be
    resumed until then.
    """
    if parts and arguments.format:
        write_export(study, scorers, verdicts, arguments, parts)
    elif parts:
        write_scored_rows(study, parts, arguments, fit_estimate(verdicts))
    code = report_results(study, scorers, arguments, verdicts, parts)
    if parts:
        parts.finish(keep=arguments.folder)
    return code


def run_settings(
    inputs: Sequence[Input], columns: dict[str, Any], arguments: argparse.Namespace
) -> dict[str, Any]:
    """Return the values that identify a run, without the settings of the metrics."""
    settings: dict[str, Any] = {
        "format": resume.FORMAT,
        "out": arguments.format or find_output_kind(arguments.out),
        "--block-rows": arguments.block_rows,
        "--metrics": arguments.metrics,
        "--unsure": list(astuple(arguments.unsure)) if arguments.unsure else None,
        "--filter": arguments.filter,
        "--encoding": arguments.encoding,
        "--sheet": arguments.sheet,
    }
    settings |= {f"--{role}": name for role, name in columns.items()}
    for number, table in enumerate(inputs):
        prefix = f"input.{number}" if number else "input"
        for name, value in table.source.stamps().items():
            settings[f"{prefix}.{name}"] = value
    return settings


@contextmanager
def open_engine(arguments: argparse.Namespace) -> Iterator[Engine]:
    """Yield the requested engine, which stops at the end of the block."""
    withheld = processes.list_key_variables(arguments.key_variable)
    if arguments.engine == "ray" and not arguments.dry_run:
        from lens.study.engines import ray_cluster

        with ray_cluster.join_cluster(
            arguments.ray_address, arguments.workers, withheld
        ) as cluster:
            yield cluster
    elif (arguments.workers or 1) > 1:
        yield functools.partial(processes.run_in_processes, arguments.workers, withheld)
    else:
        yield score_in_process


def print_costs(study: Study, scorers: Sequence[Scorer], unsure: Thresholds | None) -> int:
    """Print what the judges would cost, without sending anything; return the exit code.

    Args:
        study: the study.
        scorers: all chosen metrics.
        unsure: the thresholds between which a judge is asked; None to ask about all rows.
    """
    judges = [scorer for scorer in scorers if scorer.metric.judge]
    for table in study.tables:
        for scorer in judges:
            scorer.prepare()
            asked: Iterable[Answer] = table.source.answers()
            if unsure is not None:
                asked = list_unsure(table, scorers, unsure)
            answers: list[Answer] = []
            for answer in asked:
                answers += scorer.split_by_reference(answer)
            if not answers:
                line = f"{scorer.name}, {table.source.name}: 0 calls. Nothing was sent."
                print_lines(line, file=sys.stdout)
                continue
            result = scorer.module.compute(
                **scorer.make_columns(answers), **scorer.settings, dry_run=True
            )
            tokens = result["tokens"]
            cost = format_money(result["Cost"])
            if "Cost_batch" in result:
                cost += f", {format_money(result['Cost_batch'])} in batches"
            print_lines(
                f"{scorer.name}, {table.source.name}: {result['calls']:,} calls, "
                f"{result['cached_calls']:,} of them "
                f"answered before; about {tokens['input']:,} tokens in, {tokens['output']:,} out; "
                f"{cost}. "
                "Nothing was sent.",
                file=sys.stdout,
            )
    return DONE


def list_unsure(table: AnswerTable, scorers: Sequence[Scorer], unsure: Thresholds) -> list[Answer]:
    """Return the answers whose estimate is unsure, and print their number."""
    estimator = next(scorer for scorer in scorers if scorer.name == ESTIMATE)
    answers: list[Answer] = []
    for block in make_blocks(table.source.answers()):
        rows = score_block([estimator], block).scores[ESTIMATE].rows
        for answer, row in zip(block.answers, rows, strict=True):
            if unsure.settle(row) is None:
                answers.append(answer)
    print_lines(
        f"{ESTIMATE} settles {len(table) - len(answers):,} of {len(table):,} rows of "
        f"{table.source.name}.",
        file=sys.stdout,
    )
    return answers


def run_lv_eval(given: argparse.Namespace) -> int:
    """Compute LV-Eval's official result; return the exit code."""
    from lens.lv_eval import export

    if not Path(given.lv_eval).exists():
        raise UserError("command.no_folder", path=given.lv_eval)
    written = [path for path in export.choose_targets(given.lv_eval, given.out) if path.exists()]
    if written and not given.overwrite:
        raise UserError("command.not_written", name=written[0], obstacle=Note(ALREADY_EXISTS))
    return export.score_folder(given.lv_eval, given.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return the exit code."""
    given = parse_arguments(arguments)
    # LV-Eval's result and its errors are in the chosen language; the rest of the output is in
    # English.
    with speaking(given.language if given.lv_eval else "en"):
        return run_or_refuse(given)


def run_or_refuse(given: argparse.Namespace) -> int:
    """Run the command, print errors, and return the exit code."""
    try:
        check_packages(given)
        return run_lv_eval(given) if given.lv_eval else run(given)
    except UserError as error:
        code = REFUSED
        message = str(error)
    except (Lost, OSError) as error:
        code = INCOMPLETE
        message = str(error)
    except KeyboardInterrupt:
        code = INTERRUPTED
        message = (
            "interrupted. No file is left half written. What judges answered is kept: the same "
            "command resumes."
        )
    print_lines(f"score.py: {message}")
    return code


def command() -> None:
    """Run the command and end the program; SIGTERM acts like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Errors are printed as messages, so tracebacks are not logged.
    failures.log.setLevel(logging.CRITICAL)
    # A character that the terminal cannot show is replaced, so tables are still printed.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main())
