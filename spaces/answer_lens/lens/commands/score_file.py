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
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from lens.commands import own_verdicts
from lens.commands.arguments import parsed, settings_of
from lens.explanations.file_verdict import caution, verdict
from lens.reports import contents, formats, latex
from lens.reports.contents import Correlations
from lens.reports.formats import Section
from lens.reports.own_verdicts import STAND_IN
from lens.runs import processes, resume
from lens.runs.resume import Parts
from lens.runs.scored_table import Engine, Lost, Table, answers_of, here
from lens.scoring import failures
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import Difference, Summary, differences
from lens.tables import places
from lens.tables.roles import COLUMNS, SCORED_EMPTY, BadTable, Roles
from lens.tables.roll import paired_rows
from lens.tables.sources import Source, source_of
from lens.tables.write import write_rows
from lens.words import say, speaking
from lens.words.formats import money
from lens.words.printed import name_of, tell

OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
# Each kind of report, and whether it has room for the correlations.
REPORTS = {
    ".md": (formats.markdown, True),
    ".tex": (latex.latex, False),
    ".txt": (formats.plain, False),
    ".json": (formats.as_json, True),
}
THERE = "it is there already. Name another file, or give --overwrite to replace it"
DONE, INCOMPLETE, REFUSED, WORSE, INTERRUPTED = 0, 1, 2, 3, 130


def checked_targets(given: argparse.Namespace) -> None:
    """Refuse a file to write that has no kind, no folder, is there already or is an input, before anything is done."""
    inputs = [os.path.realpath(places.local_path(one)) for one in (given.input, given.against) if one]
    for target in filter(None, [given.out, *given.report]):
        kinds, folder = (OUTPUTS, given.folder) if target is given.out else (REPORTS, False)
        path, local, closed = places.local_path(target), not places.is_address(target), ""
        if path.suffix.lower() not in kinds and not folder:
            closed = f"it should end in one of {', '.join(kinds)}"
        elif os.path.realpath(path) in inputs:
            closed = "it is an input"
        elif places.WEB.match(target):
            closed = "web servers take no files; name a path, or an address such as s3://bucket/name"
        elif local and not path.parent.is_dir():
            closed = "its folder does not exist"
        elif local and ((path.exists() and path.is_dir() != folder) or not os.access(path.parent, os.W_OK)):
            closed = "it is a folder, or lies in one that is closed to you"
        else:
            try:
                system, place = places.system_of(target)
                closed = THERE if not folder and not given.overwrite and system.exists(place) else ""
            except Exception as error:  # whatever a filesystem, or its package that is missing, brings about
                closed = places.told(error, target)
        if closed:
            raise BadTable(f"{places.shown(target)}{'/' * folder} cannot be written: {closed}.")


def kind_of(target: str) -> str:
    """The kind of the files that are written."""
    return OUTPUTS.get(Path(target).suffix.lower(), "parquet")


def scorers_of(given: argparse.Namespace) -> list[Scorer]:
    """The metrics with their settings; BadTable for a setting that one of them does not take."""
    settings = settings_of(given)
    scorers = [Scorer(name, settings[name], settings[name].get("api_key") or "") for name in given.metrics]
    for scorer in scorers:
        if told := scorer.refused_setting():
            raise BadTable(f"{scorer.name}: {told.removeprefix(f'{scorer.name} ')}")
    return scorers


def run(given: argparse.Namespace) -> int:
    """Score, write, report."""
    checked_targets(given)
    if given.sample:
        given.metrics = [STAND_IN]
    columns = {field.name: getattr(given, field.name) for field in fields(Roles)}
    if own_verdicts.is_file(given.verdict):
        columns["verdict"] = ""
    inner = [name for role in COLUMNS if "." in (name := columns[role] or "")]
    inputs = [name for name in (given.input, given.against) if name]
    systems = [source_of(name, given.split, given.config, given.filter, inner) for name in inputs]
    with ExitStack() as held:
        parts = None
        if given.out and not given.dry_run and not given.sample:
            parts = Parts(given.out if given.folder else f"{given.out}.parts", asked(systems, columns, given))
            held.enter_context(named(given.out))
            if not given.restart:  # said before the modules are loaded, which may take long
                resume.refuse_other(parts, ("version.", "set."))
        scorers = scorers_of(given)
        if parts:
            for scorer in scorers:
                parts.run.update(resume.settings_of(scorer))
            held.enter_context(resume.entered(parts, given.restart, given.overwrite))
        engine = held.enter_context(engine_of(given))
        tables = []
        for source, which in zip(systems, ("", "against-"), strict=False):
            own = [Scorer(one.name, one.settings, one.key) for one in scorers]
            tables.append(Table(source, own, given.block_rows, which, len(systems) > 1, columns))
            shown_columns(tables[-1])
        order = matched(tables)
        if given.dry_run:
            return estimate(tables)
        if given.sample:
            with named(given.out):
                own_verdicts.write_sample(tables, order, engine, given, kind_of(given.out))
            return DONE
        # What is wrong with verdicts is said before anything is scored.
        read = own_verdicts.given_to(tables, order, given.verdict) if given.verdict else None
        for table in tables:
            table.score(engine, parts)
        if parts:
            write(tables, order, parts, given)
    return reported(tables, order, given, read)


def asked(systems: Sequence[Source], columns: dict[str, str | None], given: argparse.Namespace) -> dict[str, Any]:
    """What makes a run this one and no other, but for the settings of the metrics."""
    found: dict[str, Any] = {"format": resume.FORMAT, "out": kind_of(given.out), "--block-rows": given.block_rows}
    found |= {f"--{role}": name for role, name in columns.items()}
    found |= {"--metrics": given.metrics, "--filter": given.filter}
    for source, which in zip(systems, ("input", "against"), strict=False):
        found |= {f"{which}.{name}": value for name, value in source.stamps().items()}
    return found


def shown_columns(table: Table) -> None:
    """Say what the file was taken for, where it is a log, and which column for what."""
    for told in dict.fromkeys(log.told() for log in table.source.logs()):
        tell(f"{table.source.name}: {told}")
    if any(len(log.filters) > 1 for log in table.source.logs()):
        tell("Another filter is chosen by --filter NAME, all of them by --filter ''.")
    roles = ", ".join(f"{say(f'f_role_{role}')} = {name_of(name)}" for role, name in table.roles.named().items())
    tell(f"{table.source.name}: {table.rows:,} row{'s' * (table.rows != 1)}; {roles}")
    roll = table.roll
    for told in roll.told():
        tell(told)
    if roll.lacking or roll.empty:
        others = [way for way in SCORED_EMPTY if way != table.roles.empty]
        tell(f"Set by --empty {table.roles.empty}; the other choices are {' and '.join(others)}.")


def matched(tables: Sequence[Table]) -> list[int]:
    """For each row of the first table that of the second; nothing where there is no second."""
    if len(tables) == 1:
        return []
    first, second = tables
    by_id = bool(first.roles.id and second.roles.id)
    order = paired_rows(first.roll, second.roll, by_id)
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
    else:
        several = (given.workers or 1) > 1
        yield functools.partial(processes.in_processes, given.workers, withheld) if several else here


def write(tables: Sequence[Table], order: Sequence[int], parts: Parts, given: argparse.Namespace) -> None:
    """Write the first system's rows with all scores: to a file, which takes the place of the parts, or each block's to
    a file of its own in their folder. The second system's answers wait in a file, for its rows may be in another order.
    """
    first, *others = tables
    kind, names = kind_of(given.out), names_of(given)
    layout = Layout(first.kinds, given.metrics, names, answers=bool(others), read=bool(first.roll.left_out))
    with ExitStack() as held:
        against = None
        if others:
            answer, tally = held.enter_context(answers_of(others[0])), others[0].tally
            against = lambda row: (tally.row(order[row]), answer(order[row]))  # noqa: E731
        blocks = first.scored(parts, layout, against)
        if given.folder:
            for number, rows in enumerate(blocks):
                with places.written(f"{parts.folder}/part-{number:06}.{kind}") as file:
                    write_rows(file, kind, rows, layout.kinds, first.size)
            return
        with places.written(given.out) as file:
            write_rows(file, kind, (row for rows in blocks for row in rows), layout.kinds, first.size)
    parts.clear()


def names_of(given: argparse.Namespace) -> list[str]:
    """What the two systems are called; nothing where there is one."""
    return contents.names_of(map(places.shown, (given.input, given.against))) if given.against else []


@contextmanager
def named(target: str) -> Iterator[None]:
    """What fails while a file is written, with its name."""
    try:
        yield
    except (BadTable, Lost):
        raise
    except Exception as error:
        if not isinstance(error, OSError) and not places.is_address(target):
            raise
        raise Lost(f"{places.shown(target)}: {places.told(error, target)}") from None


def reported(
    tables: Sequence[Table], order: Sequence[int], given: argparse.Namespace, read: own_verdicts.Given | None
) -> int:
    """Print the summary and write the reports, in the language of the reports."""
    with speaking(given.language):
        tallies = [table.tally for table in tables]
        compared = differences(tallies, order, tables[0].roll.cluster) if len(tallies) > 1 else []
        names = names_of(given)
        sources = names or [tables[0].source.name]
        summaries = [table.tally.summary(name, table.roll) for table, name in zip(tables, sources, strict=True)]
        verdicts = own_verdicts.sections(tables, order, read, names) if read else []

        told: dict[str, Any] = {"sentence": verdict(summaries[0], compared, {}, names)}
        told["caution"] = caution(summaries[0])

        def report(form: Callable[[Sequence[Section]], str], related: Correlations | None = None) -> str:
            return form(contents.sections(summaries, compared, related, names, verdicts, **told))

        tell(*report(formats.plain).split("\n"), file=sys.stdout)
        for target in given.report:
            form, broad = REPORTS[Path(target).suffix.lower()]
            with contents.digits(12 if form is formats.as_json else 4):
                said = report(form, tallies[0].correlations() if broad else None)
            with named(target), places.written(target) as file:
                file.write(said.encode())
    if any(one.stopped for one in summaries):
        return INCOMPLETE
    failed = [*too_low(summaries[0], given.fail_under), *(worse(compared, names) if given.fail_if_worse else ())]
    for line in failed:
        tell(f"score.py: {line}")
    return WORSE if failed else DONE


def too_low(summary: Summary, least: Mapping[str, float]) -> Iterator[str]:
    """Which scores are too low for --fail-under: of each the lower end of its interval counts."""
    for figure in summary.figures:
        limit, low = least.get(figure.series.key), figure.interval[0] if figure.interval else figure.mean
        if limit is not None and (low is None or low < limit):
            found = "it has no score" if low is None else f"its 95% interval begins at {low:.4f}"
            yield f"{figure.series.key} is not certainly {limit:g} or more: {found} (--fail-under)."


def worse(compared: Sequence[Difference], names: Sequence[str]) -> Iterator[str]:
    """By which scores the first system is worse beyond chance, for --fail-if-worse."""
    for one in compared:
        if one.series.primary and one.interval and one.interval[1] < 0:
            yield (f"{names[0]} is worse than {names[1]} on {one.series.title}: the 95% interval of the difference "
                   f"ends at {one.interval[1]:.2g} (--fail-if-worse).")  # fmt: skip


def estimate(tables: Sequence[Table]) -> int:
    """Say what the judges would take, without sending anything."""
    for table in tables:
        items = [item for item in table.source.items(table.roles) if not item.lacks]
        for scorer in table.scorers:
            if scorer.metric.judge:
                scorer.prepare()
                found = scorer.module.compute(**scorer.columns(items), **scorer.settings, dry_run=True)
                cost, tokens = money(found["Cost"]), found["tokens"]
                tell(f"{scorer.name}, {table.source.name}: {found['calls']:,} calls, {found['cached_calls']:,} of them "
                     f"answered before; about {tokens['input']:,} tokens in, {tokens['output']:,} out; {cost}. "
                     "Nothing was sent.", file=sys.stdout)  # fmt: skip
    return DONE


def lv_eval(given: argparse.Namespace) -> int:
    """LV-Eval's official result."""
    from lens.lv_eval import export

    with speaking(given.language):
        written = [path for path in export.targets(given.lv_eval, given.out) if path.exists()]
        if written and not given.overwrite:
            raise BadTable(f"{written[0]} cannot be written: {THERE}.")
        return export.command(given.lv_eval, given.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    given = parsed(list(arguments) if arguments is not None else None)
    try:
        return lv_eval(given) if given.lv_eval else run(given)
    except BadTable as error:
        code, told = REFUSED, str(error)
    except (Lost, OSError) as error:
        code, told = INCOMPLETE, str(error)
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
