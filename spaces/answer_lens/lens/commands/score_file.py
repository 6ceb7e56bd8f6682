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
from lens.study.engines.blocks import (
    Engine,
    RunInterrupted,
    make_blocks,
    score_block,
    score_in_process,
)
from lens.study.engines.progress import show_progress
from lens.study.engines.resume import Parts
from lens.study.engines.score_table import RunOptions
from lens.study.study import Study
from lens.study.tables import AnswerTable
from lens.study.verdict_results import fit_estimate
from lens.tables.roles import CELL_OPTIONS, COLUMN_ROLES
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
            error = refusal.removeprefix(f"{scorer.name} ")
            raise UserError("page.error_in", place=scorer.name, error=error)
    return scorers


def score_inputs(arguments: argparse.Namespace) -> int:
    """Score, write and report; return the exit code."""
    parts = None
    if arguments.out and not arguments.dry_run and not arguments.sample:
        parts = Parts(arguments.out if arguments.writes_folder else f"{arguments.out}.parts", {})
    check_targets(arguments, parts)
    columns = read_chosen_columns(arguments)
    inputs = list_inputs(arguments, columns)
    with ExitStack() as stack:
        if parts:
            parts.run.update(list_run_settings(inputs, columns, arguments))
            stack.enter_context(add_target_to_error(arguments.out))
            # Checked before the modules are loaded, which may take long.
            if not arguments.restart:
                resume.refuse_other_run(parts, ("version.", "set."))
        scorers = make_scorers(arguments)
        if parts:
            for scorer in scorers:
                parts.run.update(resume.list_settings(scorer))
            stack.enter_context(resume.enter_parts(parts, arguments.restart, arguments.overwrite))
        # The engine may redirect the output, so results are printed after this block.
        with open_engine(arguments) as engine:
            study = open_study(inputs, is_system_chosen=bool(arguments.system))
            if arguments.fail_if_worse and len(study.systems) < 2:
                raise UserError("command.one_system")
            check_export(study, arguments, parts)
            if arguments.dry_run:
                print_costs(study, scorers, arguments.unsure)
                return DONE
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


def read_chosen_columns(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the columns that the user chose, by role, and the options of reading cells."""
    columns: dict[str, Any] = {}
    for name in (*COLUMN_ROLES, "stand_in", "judges", *CELL_OPTIONS):
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
    """Score the answers; return the verdicts of each system, or an empty list without verdicts."""
    has_verdict_file = is_verdict_file(arguments.verdict)
    if not has_verdict_file and not has_verdicts(study):
        study.score(scorers, options)
        return []
    # Verdicts are read first, so that an error in them is found before scoring.
    verdicts = read_verdict_file(arguments.verdict[0], study) if has_verdict_file else None
    study.score(scorers, options)
    return study.read_systems(verdicts, arguments.stand_in_score or "")


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
        parts.finish(keep=arguments.writes_folder)
    return code


def list_run_settings(
    inputs: Sequence[Input], columns: dict[str, Any], arguments: argparse.Namespace
) -> dict[str, Any]:
    """Return what a run must share with an interrupted run to resume it, besides the metrics."""
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
        for stamp, value in table.source.stamps().items():
            settings[f"{prefix}.{stamp}"] = value
    return settings


@contextmanager
def open_engine(arguments: argparse.Namespace) -> Iterator[Engine]:
    """Yield the requested engine, which stops at the end of the block."""
    # Other processes do not get the environment variables with keys.
    withheld_variables = processes.list_key_variables(arguments.key_variable)
    if arguments.engine == "ray" and not arguments.dry_run:
        from lens.study.engines import ray_cluster

        with ray_cluster.join_cluster(
            arguments.ray_address, arguments.workers, withheld_variables
        ) as cluster:
            yield cluster
    elif (arguments.workers or 1) > 1:
        yield functools.partial(processes.run_in_processes, arguments.workers, withheld_variables)
    else:
        yield score_in_process


def print_costs(study: Study, scorers: Sequence[Scorer], unsure: Thresholds | None) -> None:
    """Print what the judges would cost, without sending anything.

    Args:
        study: the study.
        scorers: all chosen metrics.
        unsure: the thresholds between which a judge is asked; None to ask about all rows.
    """
    judges = [scorer for scorer in scorers if scorer.metric.judge]
    for table in study.tables:
        for judge in judges:
            judge.prepare()
            answers: Iterable[Answer] = table.source.answers()
            if unsure is not None:
                answers = list_unsure_answers(table, scorers, unsure)
            cost = describe_cost(judge, answers)
            line = f"{judge.name}, {table.source.name}: {cost}. Nothing was sent."
            print_lines(line, file=sys.stdout)


def describe_cost(judge: Scorer, answers: Iterable[Answer]) -> str:
    """Return the number of calls to a judge for these answers, with their tokens and price."""
    asked: list[Answer] = []
    for answer in answers:
        asked += judge.split_by_reference(answer)
    if not asked:
        return "0 calls"
    result = judge.module.compute(**judge.make_columns(asked), **judge.settings, dry_run=True)
    tokens = result["tokens"]
    price = format_money(result["Cost"])
    if "Cost_batch" in result:
        price += f", {format_money(result['Cost_batch'])} in batches"
    return (
        f"{result['calls']:,} calls, {result['cached_calls']:,} of them answered before; "
        f"about {tokens['input']:,} tokens in, {tokens['output']:,} out; {price}"
    )


def list_unsure_answers(
    table: AnswerTable, scorers: Sequence[Scorer], unsure: Thresholds
) -> list[Answer]:
    """Return the answers whose estimate is unsure, and print the number of the others."""
    estimator = next(scorer for scorer in scorers if scorer.name == ESTIMATE)
    unsure_answers: list[Answer] = []
    for block in make_blocks(table.source.answers()):
        estimates = score_block([estimator], block).scores[ESTIMATE].rows
        for answer, estimate in zip(block.answers, estimates, strict=True):
            if unsure.settle(estimate) is None:
                unsure_answers.append(answer)
    print_lines(
        f"{ESTIMATE} settles {len(table) - len(unsure_answers):,} of {len(table):,} rows of "
        f"{table.source.name}.",
        file=sys.stdout,
    )
    return unsure_answers


def score_lv_eval(arguments: argparse.Namespace) -> int:
    """Compute LV-Eval's official result; return the exit code."""
    from lens.lv_eval import export

    folder = arguments.lv_eval
    if not Path(folder).exists():
        raise UserError("command.no_folder", path=folder)
    targets = export.choose_targets(folder, arguments.out)
    existing = [path for path in targets if path.exists()]
    if existing and not arguments.overwrite:
        raise UserError("command.not_written", name=existing[0], obstacle=Note(ALREADY_EXISTS))
    return export.score_folder(folder, arguments.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return the exit code."""
    parsed = parse_arguments(arguments)
    # LV-Eval's result and its errors are in the chosen language. Otherwise only results are, and
    # `report_results` chooses their language.
    with speaking(parsed.language if parsed.lv_eval else "en"):
        return run_command(parsed)


def run_command(arguments: argparse.Namespace) -> int:
    """Run the command, print its error if it fails, and return the exit code."""
    try:
        check_packages(arguments)
        return score_lv_eval(arguments) if arguments.lv_eval else score_inputs(arguments)
    except UserError as error:
        code = REFUSED
        message = str(error)
    except (RunInterrupted, OSError) as error:
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


def run_and_exit() -> None:
    """Run the command and end the program; SIGTERM acts like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Errors are printed as messages, so tracebacks are not logged.
    failures.log.setLevel(logging.CRITICAL)
    # A character that the terminal cannot show is replaced, so tables are still printed.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main())
