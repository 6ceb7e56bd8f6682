"""Score a file of answers with any of the metrics, from the terminal.

    python score.py results.jsonl --metrics lv_eval_f1 rouge bertscore --out scored.parquet --report report.md

The table is read, scored and written block by block. What is finished of a run with --out lies in parts beside it until
the end, so the same command goes on where one was broken off.

Progress goes to the error stream, the table of results to the output. Exit code 0: everything was computed; 1: a metric
could not be computed to the end, and the report says why, or a file could not be written, or processes were lost; 2:
the input is wrong, and nothing was scored, or it changed meanwhile; 130: interrupted.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from lens.reports import contents
from lens.runs import processes, resume
from lens.runs.blocks import BLOCK_ROWS
from lens.runs.parts import RUN, Parts
from lens.runs.scored_table import Table, Work
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import differences
from lens.tables import places, sources
from lens.tables.first_reading import surveyed
from lens.tables.roles import BadTable, Roles, listing
from lens.tables.roll import paired_rows
from lens.tables.sources import Scan, Source
from lens.tables.write import BadRow
from lens.words import LANGUAGES, say, speaking

WORDS = [metric.name for metric in BY_NAME.values() if metric.kind == "words"]
MOST_WORKERS = 256
# What --set does not say: the columns, and what belongs to the engine.
KEPT = ("predictions", "references", "questions", "answer_keywords", "api_key", "per_example", "dry_run", "on_error")
OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
REPORTS = {".md": contents.markdown, ".tex": contents.latex, ".txt": contents.plain}
DONE, INCOMPLETE, REFUSED, INTERRUPTED = 0, 1, 2, 130


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    command = argparse.ArgumentParser(
        prog="score.py",
        description="Score a file of answers; see also spaces/answer_lens/README.md.",
        allow_abbrev=False,
    )
    command.add_argument("input", nargs="?", help="a file (.csv .tsv .jsonl .json .parquet); with --split, a dataset")
    command.add_argument("--split", help="the input is a dataset of Hugging Face, by name or folder: its split")
    command.add_argument("--config", help="the dataset's configuration, where it has several")
    command.add_argument("--metrics", nargs="+", choices=list(BY_NAME), default=WORDS, metavar="METRIC",
                         help=f"of {', '.join(BY_NAME)}; by default {' '.join(WORDS)}")  # fmt: skip
    command.add_argument("--against", metavar="INPUT", help="a second system's file, compared with the first")
    command.add_argument("--out", metavar="FILE", help="the scored rows: .csv, .jsonl or .parquet; FOLDER/ with a "
                         "slash at its end: a file of Parquet for each block, in that folder")  # fmt: skip
    command.add_argument("--report", metavar="FILE", action="append", default=[], help="the summary: .md, .tex or .txt")
    columns = command.add_argument_group("columns", "by their usual names, unless named here; '' for none")
    for field in fields(Roles):
        columns.add_argument(f"--{field.name}", metavar="COLUMN", help=HELP[field.name])
    columns.add_argument("--separator", default="", metavar="TEXT", help="stands between several references in a text")
    command.add_argument("--set", action="append", default=[], metavar="METRIC.ARGUMENT=VALUE",
                         help="an argument of a metric, such as lv_eval_f1.mode=paper")  # fmt: skip
    many = command.add_argument_group("many rows", "finished blocks are kept: the same command goes on from there")
    many.add_argument("--workers", type=between(1, MOST_WORKERS), metavar="N",
                      help="processes that score, by default 1, with --engine ray one for each processor; judges are "
                      "asked from one")  # fmt: skip
    many.add_argument("--engine", choices=["local", "ray"], default="local",
                      help="ray: read and score on a cluster of Ray; without --ray-address on one of this machine's "
                      "own")  # fmt: skip
    many.add_argument("--ray-address", metavar="ADDRESS", help="the cluster: auto, HOST:PORT or ray://HOST:PORT")
    many.add_argument("--restart", action="store_true", help="throw away what a run broken off has left; begin anew")
    many.add_argument("--block-rows", type=between(1, 10**6), default=BLOCK_ROWS, metavar="N",
                      help=f"rows that are read, scored and written together, by default {BLOCK_ROWS}")  # fmt: skip
    judge = command.add_argument_group("judges", "l3score and eve_judge; replies are kept: a second run resumes")
    judge.add_argument("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama; its key is taken from the "
                       "provider's own environment variable")  # fmt: skip
    judge.add_argument("--model", help="the judge's model, as its provider names it")
    judge.add_argument("--base-url", help="the address of another server that speaks the OpenAI API")
    judge.add_argument("--key-variable", metavar="NAME", help="the environment variable that holds the key")
    judge.add_argument("--cache", metavar="FILE", help="where replies are kept; 'no' for nowhere")
    judge.add_argument("--dry-run", action="store_true", help="send nothing; say what the judges would take")
    command.add_argument("--lv-eval", metavar="DIR", help="LV-Eval's official result from the prediction files of a "
                         "folder or a zip; --out names a folder for result.json and result.csv")  # fmt: skip
    command.add_argument("--language", choices=list(LANGUAGES), default="en", help="of the report and the messages")
    return command


def between(least: int, most: int) -> Callable[[str], int]:
    """A whole number of the command line."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most:,} is expected, got {text!r}")
        return int(text)

    return read


HELP = {
    "prediction": "the answer to score",
    "reference": "the right answer, or a list of them",
    "question": "the question, for judges",
    "keywords": "the answer keywords, for lv_eval_f1",
    "group": "a summary for each value of this column",
    "id": "with --against: rows are matched by it",
}


def settings_of(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The arguments of each metric, from --set and those of the judges."""
    found: dict[str, dict[str, Any]] = {name: {} for name in given.metrics}
    for name in given.metrics:
        if BY_NAME[name].judge:
            found[name] = judge_settings(given)
    for one in given.set:
        place, equals, value = one.partition("=")
        name, dot, argument = place.partition(".")
        if not (equals and dot and argument) or name not in found or argument in KEPT:
            raise BadTable(say("f_bad_setting", given=one, metrics=listing(given.metrics)))
        found[name][argument] = value_of(value)
    return found


def value_of(text: str) -> Any:
    """A value that is JSON, or else a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def judge_settings(given: argparse.Namespace) -> dict[str, Any]:
    """What a judge is given besides the texts."""
    if not given.model:
        raise BadTable(say("f_no_judge"))
    key = None
    if given.key_variable:
        key = os.environ.get(given.key_variable, "").strip()
        if not key:
            raise BadTable(say("f_no_key", variable=given.key_variable))
    cache = {None: True, "no": False}.get(given.cache, given.cache)
    asked = {"model": given.model, "base_url": given.base_url, "api_key": key, "cache": cache}
    asked |= {"provider": given.provider} if given.provider else {}
    return asked | {"on_error": "skip", "progress": False}


def table_of(name: str, given: argparse.Namespace, settings: Mapping[str, dict[str, Any]], way: Way) -> Table:
    """One system's table, read to its end once: what is wrong in it is refused before anything is scored."""
    source = sources.source_of(name, given.split, given.config)
    columns = {field.name: getattr(given, field.name) for field in fields(Roles)}
    stamps = source.stamps()
    scan = way.scan(source, columns, given.separator, bool(given.against))
    key = next((one["api_key"] for one in settings.values() if one.get("api_key")), "")
    scorers = [Scorer(metric, settings[metric], key) for metric in dict.fromkeys(given.metrics)]
    table = Table(source, scan, scorers, given.separator, stamps)
    shown_columns(table)
    return table


def shown_columns(table: Table) -> None:
    """Say which column was taken for what."""
    roles = ", ".join(f"{say(f'f_role_{role}')} = {name}" for role, name in table.scan.roles.named().items())
    print(say("f_told", source=table.source.name, rows=table.rows, roles=roles), file=sys.stderr)
    for told in table.scan.roll.told():
        print(told, file=sys.stderr)


def checked_targets(given: argparse.Namespace) -> None:
    """Refuse a file to write that has no kind, no folder, or is an input, before anything is scored."""
    targets = [(report, list(REPORTS)) for report in given.report]
    for target, kinds in [(given.out, list(OUTPUTS)), *targets] if given.out else targets:
        path, folder = places.local_path(target), target is given.out and is_folder(target)
        if path.suffix.lower() not in kinds and not folder:
            raise BadTable(say("f_target_kind", name=places.shown(target), kinds=", ".join(kinds)))
        if places.is_address(target):
            places.checked_target(target)
        elif not path.parent.is_dir():
            raise BadTable(say("f_target_folder", name=target))
        elif (path.exists() and path.is_dir() != folder) or not os.access(path.parent, os.W_OK):
            raise BadTable(say("f_target_closed", name=target))
        if any(one and sources.same_file(target, one) for one in (given.input, given.against)):
            raise BadTable(say("f_target_input", name=places.shown(target)))


def is_folder(target: str) -> bool:
    """Whether the scored rows go to a folder, a file for each block, instead of one file."""
    return target.endswith(("/", os.sep))


def parts_of(target: str) -> Parts:
    """Where the parts of a run lie: beside the file that becomes of them, or in the folder that they stay in."""
    if is_folder(target):
        place = target.rstrip("/" + os.sep)
        return Parts(place, OUTPUTS.get(Path(place).suffix.lower(), "parquet"))
    return Parts(f"{target}.parts", OUTPUTS[Path(target).suffix.lower()])


def run(given: argparse.Namespace) -> int:
    """Score, write, report."""
    checked_targets(given)
    settings = settings_of(given)
    with engine_of(given) as way:
        first = table_of(given.input, given, settings, way)
        second, order = None, []
        if given.against:
            second = table_of(given.against, given, settings, way)
            by_id = bool(first.scan.roles.id and second.scan.roles.id)
            order = paired_rows(first.scan.roll, second.scan.roll, by_id)
            print(say("f_told_by_id" if by_id else "f_told_by_order"), file=sys.stderr)
        if not given.dry_run:
            score_tables(first, second, order, given, way.work)
    if given.dry_run:
        return estimate([table for table in (first, second) if table])
    return report(first, second, order, given)


@dataclass
class Way:
    """How tables are read to their end, and how they are scored."""

    scan: Callable[[Source, Mapping[str, str | None], str, bool], Scan]
    work: Work


@contextmanager
def engine_of(given: argparse.Namespace) -> Iterator[Way]:
    """The engine that is asked for, until the end of the block."""
    withheld = processes.key_variables(given.key_variable)
    work = Work(given.block_rows, given.workers or 1, key_variable=given.key_variable)
    if given.engine == "ray" and not given.dry_run:
        from lens.runs import ray_cluster, ray_spread

        with ray_cluster.connected(given.ray_address, given.workers, withheld) as most:
            tables = ray_spread.Tables(most)
            yield Way(tables.scan, ray_spread.SpreadWork(**vars(work), tables=tables))
        return
    if work.workers > 1 and not given.dry_run and any(not BY_NAME[name].judge for name in given.metrics):
        processes.warm(work.workers, withheld)
    yield Way(surveyed, work)


def score_tables(
    first: Table, second: Table | None, order: Sequence[int], given: argparse.Namespace, work: Work
) -> None:
    """Score the rows, the second system's before, and write the first one's where a file is named."""
    if not given.out:
        for table in filter(None, (second, first)):
            work.score(table)
        return
    layout = Layout(first.scan.kinds, [scorer.name for scorer in first.scorers], against=second is not None)
    parts = parts_of(given.out)
    for table in filter(None, (first, second)):
        table.unchanged()
    systems = [(table.source, table.scan) for table in (first, second) if table]
    run = resume.described(systems, first.scorers, parts.kind, given.separator, given.block_rows)
    with named(given.out), resumable(parts), resume.entered(parts, run, given.restart):
        if second:
            replace(work, parts=replace(parts, prefix="against-")).score(second)
            scores = second.tally.row
            work.others = lambda row: scores(order[row])
        work.parts, work.layout = parts, layout
        work.score(first)
        if not is_folder(given.out):
            resume.assembled(parts, -(-first.rows // given.block_rows), given.out, layout)


@contextmanager
def resumable(parts: Parts) -> Iterator[None]:
    """Where scoring breaks off, say what is kept, or leave nothing where no block was finished."""
    try:
        yield
    except BadTable:
        raise
    except BaseException:
        with suppress(OSError):
            if any(name.endswith(".json") and name != RUN for name in parts.sizes()):
                print("\n" + say("f_parts_kept", folder=places.shown(parts.folder)), file=sys.stderr)
            else:
                parts.clear()
        raise


@contextmanager
def named(target: str) -> Iterator[None]:
    """What fails while a file is written, with its name."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, places.told(error, target, error.strerror), places.shown(target)) from None
    except (BadTable, BadRow, processes.Lost):
        raise
    except Exception as error:
        if not places.is_address(target):
            raise
        raise OSError(None, places.told(error, target), places.shown(target)) from None


def report(first: Table, second: Table | None, order: Sequence[int], given: argparse.Namespace) -> int:
    """Print the summary and write the reports."""
    compared = differences(first.tally, second.tally, order) if second else []
    summary = first.tally.summary(first.source.name, first.scan.roll)
    related = first.tally.correlations()
    summaries = [summary, *([second.tally.summary(second.source.name, second.scan.roll)] if second else [])]
    print(contents.plain(summary, compared))
    for one in summaries[1:]:
        print(contents.plain(one))
    for target in given.report:
        write = REPORTS[Path(target).suffix.lower()]
        parts = [write(summary, compared, related) if write is contents.markdown else write(summary, compared)]
        parts += [write(one) for one in summaries[1:]]
        with named(target):
            places.write_text(target, "\n".join(parts))
    return INCOMPLETE if any(one.stopped for one in summaries) else DONE


def estimate(tables: Sequence[Table]) -> int:
    """Say what the judges would take, without sending anything."""
    judges = [(table, scorer) for table in tables for scorer in table.scorers if scorer.metric.judge]
    if not judges:
        raise BadTable(say("f_dry_no_judge"))
    for table, scorer in judges:
        rows = sources.items(table.source, table.scan.roles, table.separator)
        items = [item for _, item in rows if not item.lacks]
        scorer.prepare()
        asked = scorer.module.compute(**scorer.columns(items), **scorer.settings, dry_run=True)
        cost = say("price_unknown") if asked["Cost"] is None else f"{asked['Cost']:.4f} USD"
        tokens = asked["tokens"]
        print(say("f_dry", metric=scorer.name, source=table.source.name, calls=asked["calls"], cost=cost,
                  cached=asked["cached_calls"], read=tokens["input"], written=tokens["output"]))  # fmt: skip
    return DONE


def lv_eval(given: argparse.Namespace) -> int:
    """LV-Eval's official result."""
    from lens.lv_eval import official_result
    from lens.lv_eval.predictions import BadRun

    try:
        return official_result.command(given.lv_eval, given.out)
    except BadRun as error:
        raise BadTable(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    command = parser()
    given = command.parse_args(arguments)
    if bool(given.input) == bool(given.lv_eval):
        command.error("name a file to score, or a folder with --lv-eval")
    if given.ray_address and given.engine != "ray":
        command.error("--ray-address goes with --engine ray")
    if given.lv_eval and (given.report or given.against):
        command.error("--report and --against do not go with --lv-eval, which writes result.json and result.csv")
    with speaking(given.language), stoppable():
        try:
            return lv_eval(given) if given.lv_eval else run(given)
        except (BadTable, BadRow) as error:
            print(f"{command.prog}: {error}", file=sys.stderr)
            return REFUSED
        except processes.Lost as error:
            print(f"{command.prog}: {error}", file=sys.stderr)
            return INCOMPLETE
        except OSError as error:  # what is read is BadTable: this is a file that cannot be written
            told = [str(one) for one in (error.filename, error.strerror or error) if one]
            print(f"{command.prog}: {': '.join(told)}", file=sys.stderr)
            return INCOMPLETE
        except KeyboardInterrupt:
            print(f"\n{command.prog}: {say('f_interrupted')}", file=sys.stderr)
            return INTERRUPTED


@contextmanager
def stoppable() -> Iterator[None]:
    """Let a request to end (SIGTERM) do what Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def command() -> None:
    """Run the command and end the program."""
    # What went wrong is said in words; where in the code is of no use here.
    pasted_answer.log.setLevel(logging.CRITICAL)
    # A terminal that has no sign for a character gets the table all the same.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main())
