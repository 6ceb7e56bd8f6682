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
import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from lens.commands.arguments import parsed, settings_of
from lens.reports import contents
from lens.runs import processes, resume
from lens.runs.parts import Parts, storage
from lens.runs.progress import tell
from lens.runs.scored_table import Engine, Table, here, score
from lens.scoring import failures
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import differences
from lens.tables import places, sources
from lens.tables.first_reading import surveyed
from lens.tables.roles import BadTable, Roles
from lens.tables.roll import paired_rows
from lens.tables.sources import Source
from lens.tables.write import BadRow
from lens.words import say, speaking

OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
REPORTS = {".md": contents.markdown, ".tex": contents.latex, ".txt": contents.plain}
DONE, INCOMPLETE, REFUSED, INTERRUPTED = 0, 1, 2, 130


def checked_targets(given: argparse.Namespace) -> None:
    """Refuse a file to write that has no kind, no folder, is there already or is an input, before anything is done."""
    targets = [(report, list(REPORTS)) for report in given.report]
    for target, kinds in [(given.out, list(OUTPUTS)), *targets] if given.out else targets:
        path, folder = places.local_path(target), target is given.out and is_folder(target)
        name, closed = places.shown(target), ""
        if path.suffix.lower() not in kinds and not folder:
            closed = f"it should end in one of {', '.join(kinds)}"
        elif places.is_address(target):
            places.checked_target(target)
        elif not path.parent.is_dir():
            closed = "its folder does not exist"
        elif (path.exists() and path.is_dir() != folder) or not os.access(path.parent, os.W_OK):
            closed = "it is a folder, or lies in one that is closed to you"
        if closed:
            raise BadTable(f"{name} cannot be written: {closed}.")
        if any(one and sources.same_file(target, one) for one in (given.input, given.against)):
            raise BadTable(f"{name} is an input and is not written over.")
        if target is given.out and not folder and not given.overwrite and there(target):
            raise BadTable(f"{name} is there already. Name another file, or give --overwrite to replace it.")


def there(target: str) -> bool:
    """Whether a file is there."""
    filesystem, path = storage(target)
    return bool(filesystem.exists(path))


def is_folder(target: str) -> bool:
    """Whether the scored rows go to a folder, a file for each block, instead of one file."""
    return target.endswith(("/", os.sep))


def parts_of(target: str) -> Parts:
    """Where the parts of a run lie: beside the file that becomes of them, or in the folder that they stay in."""
    place = target if places.is_address(target) else os.path.abspath(places.local_path(target))
    if is_folder(target):
        place = place.rstrip("/" + os.sep)
        return Parts(place, OUTPUTS.get(Path(place).suffix.lower(), "parquet"))
    return Parts(f"{place}.parts", OUTPUTS[Path(place).suffix.lower()])


def source_of(name: str, given: argparse.Namespace) -> Source:
    """Where a system's rows come from; on a cluster paths must be such that any process finds them."""
    local = given.engine == "ray" and not places.is_address(name)
    return sources.source_of(os.path.abspath(places.local_path(name)) if local else name, given.split, given.config)


def scorers_of(given: argparse.Namespace) -> list[Scorer]:
    """The metrics with their settings; BadTable for a setting that one of them does not take."""
    settings = settings_of(given)
    scorers = [Scorer(name, settings[name], settings[name].get("api_key") or "") for name in given.metrics]
    for scorer in scorers:
        if told := scorer.refused_setting():
            raise BadTable(f"{scorer.name}: {told}")
    return scorers


def run(given: argparse.Namespace) -> int:
    """Score, write, report."""
    checked_targets(given)
    systems = [source_of(name, given) for name in (given.input, given.against) if name]
    stamps = [source.stamps() for source in systems]
    scorers = scorers_of(given)
    if given.out and not given.restart and not given.dry_run:
        resume.refuse_other(parts_of(given.out), asked(systems, scorers, given))
    with engine_of(given) as engine:
        tables = []
        for source, stamp in zip(systems, stamps, strict=True):
            scan = surveyed(source, columns_of(given), given.separator, bool(given.against))
            own = [Scorer(one.name, one.settings, one.key) for one in scorers]
            tables.append(Table(source, stamp, scan, own, given.separator))
            shown_columns(tables[-1])
        order = matched(tables)
        if given.dry_run:
            return estimate(tables)
        score_tables(tables, order, scorers, given, engine)
    return report(tables, order, given)


def columns_of(given: argparse.Namespace) -> dict[str, str | None]:
    """The columns that are named on the command line, by role."""
    return {field.name: getattr(given, field.name) for field in fields(Roles)}


def asked(systems: Sequence[Source], scorers: Sequence[Scorer], given: argparse.Namespace) -> dict[str, Any]:
    """What makes a run this one and no other, as far as it is known before the table is read."""
    kind = parts_of(given.out).kind
    found: dict[str, Any] = {"out": kind, "--block-rows": given.block_rows, "--separator": given.separator}
    found |= {f"--{role}": name for role, name in columns_of(given).items()}
    found["--metrics"] = [scorer.name for scorer in scorers]
    for source, which in zip(systems, ("input", "against"), strict=False):
        found |= resume.identity(source, which)
    for scorer in scorers:
        found |= resume.settings_of(scorer)
    return found


def shown_columns(table: Table) -> None:
    """Say which column was taken for what."""
    roles = ", ".join(f"{say(f'f_role_{role}')} = {name}" for role, name in table.scan.roles.named().items())
    tell(f"{table.source.name}: {table.rows:,} rows; {roles}")
    for told in table.scan.roll.told():
        tell(told)


def matched(tables: Sequence[Table]) -> list[int]:
    """For each row of the first table that of the second; nothing where there is no second."""
    if len(tables) == 1:
        return []
    first, second = tables
    by_id = bool(first.scan.roles.id and second.scan.roles.id)
    if by_id and first.rows != second.rows:
        raise BadTable(f"The two files have {first.rows:,} and {second.rows:,} rows. Two systems are compared on the "
                       "same rows: both files must have the same ids.")  # fmt: skip
    order = paired_rows(first.scan.roll, second.scan.roll, by_id)
    tell(f"The rows of both files are matched by their {'ids' if by_id else 'order'}.")
    return order


@contextmanager
def engine_of(given: argparse.Namespace) -> Iterator[Engine]:
    """The engine that is asked for, until the end of the block."""
    withheld = processes.key_variables(given.key_variable)
    if given.engine == "ray" and not given.dry_run:
        from lens.runs import ray_cluster

        with ray_cluster.connected(given.ray_address, given.workers, withheld) as cluster:
            yield cluster
    elif (given.workers or 1) > 1 and not given.dry_run:
        yield processes.Processes(given.workers, withheld)
    else:
        yield here


def score_tables(
    tables: Sequence[Table], order: Sequence[int], scorers: Sequence[Scorer], given: argparse.Namespace, engine: Engine
) -> None:
    """Score the rows, the second system's before, and write the first one's where a file is named."""
    size = given.block_rows
    if not given.out:
        for table in reversed(tables):
            score(table, engine, size)
        return
    first, second = tables[0], tables[1] if len(tables) > 1 else None
    layout = Layout(first.scan.kinds, given.metrics, against=bool(second))
    parts = parts_of(given.out)
    for table in tables:
        table.unchanged()
    identity = asked([table.source for table in tables], scorers, given)
    for which, table in zip(("input", "against"), tables, strict=False):
        identity |= {f"table.{which}.rows": table.rows, f"table.{which}.columns": dict(table.scan.kinds)}
    with named(given.out), resume.entered(parts, identity, given.restart):
        if second:
            score(second, engine, size, replace(parts, prefix="against-"))
        score(first, engine, size, parts, layout, (lambda row: second.tally.row(order[row])) if second else None)
        if not is_folder(given.out):
            resume.assembled(parts, -(-first.rows // size), given.out, layout)


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


def report(tables: Sequence[Table], order: Sequence[int], given: argparse.Namespace) -> int:
    """Print the summary and write the reports, in the language of the reports."""
    with speaking(given.language):
        tallies = [table.tally for table in tables]
        compared = differences(tallies[0], tallies[1], order) if len(tallies) > 1 else []
        first, *others = [table.tally.summary(table.source.name, table.scan.roll) for table in tables]
        tell("\n".join([contents.plain(first, compared), *map(contents.plain, others)]), sys.stdout)
        for target in given.report:
            write = REPORTS[Path(target).suffix.lower()]
            related = [tallies[0].correlations()] if write is contents.markdown else []
            with named(target):
                places.write_text(target, "\n".join([write(first, compared, *related), *map(write, others)]))
    return INCOMPLETE if any(one.stopped for one in (first, *others)) else DONE


def estimate(tables: Sequence[Table]) -> int:
    """Say what the judges would take, without sending anything."""
    for table in tables:
        rows = sources.items(table.source, table.scan.roles, table.separator)
        items = [item for _, item in rows if not item.lacks]
        for scorer in table.judges:
            scorer.prepare()
            found = scorer.module.compute(**scorer.columns(items), **scorer.settings, dry_run=True)
            cost = say("price_unknown") if found["Cost"] is None else f"{found['Cost']:.4f} USD"
            tokens = found["tokens"]
            tell(f"{scorer.name}, {table.source.name}: {found['calls']:,} calls, {found['cached_calls']:,} of them "
                 f"answered before; about {tokens['input']:,} tokens in, {tokens['output']:,} out; {cost}. "
                 "Nothing was sent.", sys.stdout)  # fmt: skip
    return DONE


def lv_eval(given: argparse.Namespace) -> int:
    """LV-Eval's official result."""
    from lens.lv_eval import official_result
    from lens.lv_eval.predictions import BadRun

    try:
        with speaking(given.language):
            return official_result.command(given.lv_eval, given.out)
    except BadRun as error:
        raise BadTable(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    given = parsed(list(arguments) if arguments is not None else None)
    code, told = INCOMPLETE, ""
    try:
        return lv_eval(given) if given.lv_eval else run(given)
    except (BadTable, BadRow) as error:
        code, told = REFUSED, str(error)
    except processes.Lost as error:
        told = str(error)
    except OSError as error:  # what is read is BadTable: this is a file that cannot be written
        told = ": ".join(str(one) for one in (error.filename, error.strerror or error) if one)
    except KeyboardInterrupt:
        code, told = INTERRUPTED, ("interrupted; nothing is left under the names of the files to write. What judges "
                                   "answered is kept: the same command resumes.")  # fmt: skip
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
