"""Score a file of answers with any of the metrics, from the terminal.

    python score.py results.jsonl --metrics lv_eval_f1 rouge bertscore --out scored.parquet --report report.md

Progress goes to the error stream, the table of results to the output. Exit code 0: everything was computed; 1: a metric
could not be computed to the end, and the report says why, or a file could not be written; 2: the input is wrong, and
nothing was scored.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import engine
import reports
import scoring
import sources
from columns import BadTable, Roles, chosen, listing
from engine import BY_NAME, Pace, Scored, Scorer, Tally
from rowfiles import BadRow, RowWriter, open_rows
from scoredrows import Layout
from sources import Scan, Source
from texts import LANGUAGES, say, speaking

WORDS = [metric.name for metric in BY_NAME.values() if metric.kind == "words"]
# Rows that are in memory at once.
BLOCK_ROWS = 1024
# What --set does not say: the columns, and what belongs to the engine.
KEPT = ("predictions", "references", "questions", "answer_keywords", "api_key", "per_example", "dry_run", "on_error")
LINE_SECONDS = 5.0
OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
REPORTS = {".md": reports.markdown, ".tex": reports.latex, ".txt": reports.plain}
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
    command.add_argument("--out", metavar="FILE", help="the scored rows: .csv, .jsonl or .parquet")
    command.add_argument("--report", metavar="FILE", action="append", default=[], help="the summary: .md, .tex or .txt")
    columns = command.add_argument_group("columns", "by their usual names, unless named here; '' for none")
    for field in fields(Roles):
        columns.add_argument(f"--{field.name}", metavar="COLUMN", help=HELP[field.name])
    columns.add_argument("--separator", default="", metavar="TEXT", help="stands between several references in a text")
    command.add_argument("--set", action="append", default=[], metavar="METRIC.ARGUMENT=VALUE",
                         help="an argument of a metric, such as lv_eval_f1.mode=paper")  # fmt: skip
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


class Table:
    """One system's file: where it comes from, what is in it, and its scores."""

    def __init__(self, source: Source, given: argparse.Namespace, settings: Mapping[str, dict[str, Any]]) -> None:
        self.source = source
        self.separator: str = given.separator
        kinds = sources.kinds_of(source)
        roles = chosen(list(kinds), {field.name: getattr(given, field.name) for field in fields(Roles)})
        self.scan: Scan = sources.scan(source, roles, kinds, given.separator, bool(given.against))
        key = next((one["api_key"] for one in settings.values() if one.get("api_key")), "")
        self.scorers = [Scorer(name, settings[name], key) for name in dict.fromkeys(given.metrics)]
        for scorer in self.scorers:
            if told := scorer.refused_setting():
                raise BadTable(say("f_refused_setting", metric=scorer.name, message=told))
        self.tally = Tally(self.scorers)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.scan.roll)

    def scored(self) -> Iterator[tuple[Mapping[str, Any], dict[str, Scored]]]:
        """Every row with its scores, block by block."""
        paces = {scorer.name: Pace(scorer.metric) for scorer in self.scorers}
        with ExitStack() as stack:
            made = ((one.name, progress(one.name, self.rows, at)) for at, one in enumerate(self.scorers))
            bars = {name: stack.enter_context(bar) for name, bar in made}
            for block in sources.blocks(sources.items(self.source, self.scan.roles, self.separator), BLOCK_ROWS):
                items = [item for _, item in block]
                found: dict[str, list[Scored]] = {scorer.name: [] for scorer in self.scorers}
                for scorer in self.scorers:
                    for _, scores in engine.steps(scorer, paces[scorer.name], items):
                        self.tally.add(scorer, scores)
                        found[scorer.name] += scores
                        bars[scorer.name].update(len(scores))
                for at, (row, _) in enumerate(block):
                    yield row, {name: scores[at] for name, scores in found.items()}


class Lines:
    """Progress where nobody sees bars move, such as in a log: a line every few seconds, and one at the end."""

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.rows, self.done = name, rows, 0
        self.told = time.monotonic()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self.tell()

    def update(self, rows: int) -> None:
        """So many rows more are done."""
        self.done += rows
        if time.monotonic() - self.told > LINE_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Say how far it is."""
        self.told = time.monotonic()
        print(say("f_progress", metric=self.name, done=self.done, rows=self.rows), file=sys.stderr, flush=True)


def progress(name: str, rows: int, position: int) -> Any:
    """A bar of progress on the error stream, or lines where that is no terminal."""
    if not sys.stderr.isatty():
        return Lines(name, rows)
    from tqdm import tqdm

    return tqdm(total=rows, desc=name, unit=" rows", position=position, file=sys.stderr, mininterval=0.3)


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
        path = Path(target)
        if path.suffix.lower() not in kinds:
            raise BadTable(say("f_target_kind", name=target, kinds=", ".join(kinds)))
        if not path.parent.is_dir():
            raise BadTable(say("f_target_folder", name=target))
        if path.is_dir() or not os.access(path.parent, os.W_OK):
            raise BadTable(say("f_target_closed", name=target))
        if any(one and sources.same_file(target, one) for one in (given.input, given.against)):
            raise BadTable(say("f_target_input", name=target))


def run(given: argparse.Namespace) -> int:
    """Score, write, report."""
    checked_targets(given)
    settings = settings_of(given)
    first = Table(sources.source_of(given.input, given.split, given.config), given, settings)
    shown_columns(first)
    second, order = None, []
    if given.against:
        second = Table(sources.source_of(given.against, given.split, given.config), given, settings)
        shown_columns(second)
        by_id = bool(first.scan.roles.id and second.scan.roles.id)
        order = engine.paired_rows(first.scan.roll, second.scan.roll, by_id)
        print(say("f_told_by_id" if by_id else "f_told_by_order"), file=sys.stderr)
    if given.dry_run:
        return estimate([table for table in (first, second) if table])
    if second:
        for _ in second.scored():
            pass
    write_rows(first, given.out, second, order)
    return report(first, second, order, given)


def write_rows(table: Table, target: str | None, second: Table | None, order: Sequence[int]) -> None:
    """Score the rows, and write them where a file is named, each with the scores of the second system."""
    layout = Layout(table.scan.kinds, [scorer.name for scorer in table.scorers], against=second is not None)
    writer: RowWriter | None = None
    if target:
        writer = open_rows(target, OUTPUTS[Path(target).suffix.lower()], layout.names, layout.kinds)
    failed = True
    try:
        for at, (row, scored) in enumerate(table.scored()):
            if writer:
                other = second.tally.row(order[at]) if second else {}
                with named(str(target)):
                    writer.write([layout.row(row, scored, other)])
        failed = False
    finally:
        if writer:
            with named(str(target)):
                writer.close(failed=failed)


@contextmanager
def named(target: str) -> Iterator[None]:
    """What fails while a file is written, with its name."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), target) from None


def report(first: Table, second: Table | None, order: Sequence[int], given: argparse.Namespace) -> int:
    """Print the summary and write the reports."""
    compared = engine.differences(first.tally, second.tally, order) if second else []
    summary = first.tally.summary(first.source.name, first.scan.roll)
    related = first.tally.correlations()
    summaries = [summary, *([second.tally.summary(second.source.name, second.scan.roll)] if second else [])]
    print(reports.plain(summary, compared))
    for one in summaries[1:]:
        print(reports.plain(one))
    for target in given.report:
        write = REPORTS[Path(target).suffix.lower()]
        parts = [write(summary, compared, related) if write is reports.markdown else write(summary, compared)]
        parts += [write(one) for one in summaries[1:]]
        with named(target):
            Path(target).write_text("\n".join(parts), "utf-8")
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
    import lveval
    from lvreading import BadRun

    try:
        return lveval.command(given.lv_eval, given.out)
    except BadRun as error:
        raise BadTable(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    command = parser()
    given = command.parse_args(arguments)
    if bool(given.input) == bool(given.lv_eval):
        command.error("name a file to score, or a folder with --lv-eval")
    if given.lv_eval and (given.report or given.against):
        command.error("--report and --against do not go with --lv-eval, which writes result.json and result.csv")
    with speaking(given.language):
        try:
            return lv_eval(given) if given.lv_eval else run(given)
        except (BadTable, BadRow) as error:
            print(f"{command.prog}: {error}", file=sys.stderr)
            return REFUSED
        except OSError as error:  # what is read is BadTable: this is a file that cannot be written
            told = [str(one) for one in (error.filename, error.strerror or error) if one]
            print(f"{command.prog}: {': '.join(told)}", file=sys.stderr)
            return INCOMPLETE
        except KeyboardInterrupt:
            print(f"\n{command.prog}: {say('f_interrupted')}", file=sys.stderr)
            return INTERRUPTED


if __name__ == "__main__":
    # What went wrong is said in words; where in the code is of no use here.
    scoring.log.setLevel(logging.CRITICAL)
    # A terminal that has no sign for a character gets the table all the same.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main())
