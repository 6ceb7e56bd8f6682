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

from lens.commands import own_verdicts, systems
from lens.commands.arguments import metric_settings, parse_arguments
from lens.commands.systems import Asked
from lens.explanations.file_verdict import caution, doubted, verdict
from lens.reports import contents, formats, latex
from lens.reports.formats import Section
from lens.reports.own_verdicts import recalibration, sections
from lens.reports.picture import picture
from lens.reports.read_answers import Read
from lens.runs import processes, resume
from lens.runs.resume import Parts
from lens.runs.scored_table import Engine, Lost, Table, answers_of, here
from lens.scoring import failures
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout, Scores, answers_in
from lens.scoring.summary import Standing, Summary, by_question, correlations, standings, summaries
from lens.scoring.tally import listed
from lens.statistics.recalibration import Recalibration
from lens.tables import places
from lens.tables.roles import BadTable, Roles
from lens.tables.systems import Experiment
from lens.tables.write import write_rows
from lens.words import speaking
from lens.words.formats import money
from lens.words.printed import tell

OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
# Each kind of report, and whether it has room for the correlations.
REPORTS = {
    ".md": (formats.markdown, True),
    ".tex": (latex.latex, False),
    ".txt": (formats.plain, False),
    ".json": (formats.as_json, True),
}
PICTURE = ".svg"
THERE = "it is there already. Name another file, or give --overwrite to replace it"
DONE, INCOMPLETE, REFUSED, WORSE, INTERRUPTED = 0, 1, 2, 3, 130


def checked_targets(given: argparse.Namespace) -> None:
    """Refuse a file to write that has no kind, no folder, is there already or is an input, before anything is done."""
    inputs = [os.path.realpath(places.local_path(one)) for one in given.input]
    for target in filter(None, [given.out, *given.report]):
        kinds, folder = (OUTPUTS, given.folder) if target is given.out else ((*REPORTS, PICTURE), False)
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
    settings = metric_settings(given)
    scorers = [Scorer(name, settings[name], settings[name].get("api_key") or "") for name in given.metrics]
    for scorer in scorers:
        if told := scorer.refused_setting():
            raise BadTable(f"{scorer.name}: {told.removeprefix(f'{scorer.name} ')}")
    return scorers


def run(given: argparse.Namespace) -> int:
    """Score, write, report."""
    checked_targets(given)
    columns = {field.name: getattr(given, field.name) for field in fields(Roles)}
    if from_file := own_verdicts.is_file(given.verdict):
        columns["verdict"] = [""]
    sources = systems.sources_of(given, columns)
    with ExitStack() as held:
        parts = None
        if given.out and not given.dry_run and not given.sample:
            parts = Parts(given.out if given.folder else f"{given.out}.parts", asked(sources, columns, given))
            held.enter_context(named(given.out))
            if not given.restart:  # said before the modules are loaded, which may take long
                resume.refuse_other(parts, ("version.", "set."))
        scorers = scorers_of(given)
        if parts:
            for scorer in scorers:
                parts.run.update(resume.settings_of(scorer))
            held.enter_context(resume.entered(parts, given.restart, given.overwrite))
        engine = held.enter_context(engine_of(given))
        tables, found = systems.read(sources, scorers, given)
        if given.fail_if_worse and len(found.systems) < 2:
            raise BadTable("--fail-if-worse compares the first system with others, and there is only one.")
        if given.dry_run:
            return estimate(tables)
        if given.sample:
            with named(given.out):
                own_verdicts.write_sample(tables, found, engine, given, kind_of(given.out))
            return DONE
        # What is wrong with verdicts is said before anything is scored.
        told = own_verdicts.asked(tables, given.verdict)
        read = own_verdicts.given_to(tables, found, given.verdict[0] if from_file else "") if told else []
        for table in tables:
            table.score(engine, parts)
        read = own_verdicts.scored(tables, found, read, given.standing) if told else []
        if parts:
            write(tables, found, parts, given, recalibration(read))
    return reported(tables, found, given, read)


def asked(sources: Sequence[Asked], columns: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """What makes a run this one and no other, but for the settings of the metrics."""
    found: dict[str, Any] = {"format": resume.FORMAT, "out": kind_of(given.out), "--block-rows": given.block_rows}
    found |= {f"--{role}": name for role, name in columns.items()}
    found |= {"--metrics": given.metrics, "--filter": given.filter}
    for at, one in enumerate(sources):
        which = f"input.{at}" if at else "input"
        found |= {f"{which}.{name}": value for name, value in one.source.stamps().items()}
    return found


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


def write(
    tables: Sequence[Table],
    found: Experiment,
    parts: Parts,
    given: argparse.Namespace,
    fitted: Recalibration | None,
) -> None:
    """Write the first table's rows with all scores: to a file, which takes the place of the parts, or each block's to a
    file of its own in their folder. Answers of other files wait in one of their own, for their rows may be in another
    order.
    """
    first, (own, *others), kind = tables[0], found.systems, kind_of(given.out)
    if len(tables) == 1:
        others = []
    files = len({id(table.source) for table in tables}) > 1
    names = found.names if others else []
    read = bool(first.roll.left_out)
    layout = Layout(first.kinds, given.metrics, names, answers=files, read=read, recalibration=fitted)
    question = dict(zip(own.rows.tolist(), own.question.tolist(), strict=True)) if others else {}
    with ExitStack() as held:
        texts = [held.enter_context(answers_of(tables[one.table])) if files else None for one in others]
        scores = [
            {key: listed(by_question(column, one, found.questions)) for key, column in columns.items()}
            for one in others
            for columns in [tables[one.table].tally.columns]
        ]

        def of_others(row: int) -> Sequence[tuple[Scores, str | None]]:
            at = question.get(row)
            if at is None:
                return [({}, None) for _ in others]
            cells = []
            for one, columns, text in zip(others, scores, texts, strict=True):
                answer = answers_in([text(place) for place in one.answers_to(at)]) if text else None
                cells.append(({key: column[at] for key, column in columns.items()}, answer))
            return cells

        blocks = first.scored(parts, layout, of_others)
        if given.folder:
            for number, rows in enumerate(blocks):
                with places.written(f"{parts.folder}/part-{number:06}.{kind}") as file:
                    write_rows(file, kind, rows, layout.kinds, first.size)
            return
        with places.written(given.out) as file:
            write_rows(file, kind, (row for rows in blocks for row in rows), layout.kinds, first.size)
    parts.clear()


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


def reported(tables: Sequence[Table], found: Experiment, given: argparse.Namespace, read: Sequence[Read]) -> int:
    """Print the summary and write the reports, in the language of the reports."""
    with speaking(given.language):
        tallies = [table.tally for table in tables]
        stood, told = standings(tallies, found), summaries(tallies, [table.roll for table in tables], found)
        said: dict[str, Any] = {"sentence": verdict(told[0], stood, {}, found.names), "caution": caution(told[0])}
        said |= {"doubted": doubted(told[0]), "notes": found.told}

        @functools.cache  # figures in full are those of JSON alone
        def verdicts(digits: int) -> list[Section]:
            return sections(read, found.cluster) if read else []

        def report(form: Callable[[Sequence[Section]], str], **more: Any) -> str:
            more["verdicts"] = verdicts(contents.DIGITS.get())
            return form(contents.sections(told, stood, found.names, **said, **more))

        tell(*report(formats.plain, full=False).split("\n"), file=sys.stdout)
        related = correlations(tallies, found) if given.report else {}
        for target in given.report:
            kind = Path(target).suffix.lower()
            if kind == PICTURE:
                text = picture(told, stood, found.names)
            else:
                form, broad = REPORTS[kind]
                with contents.digits(12 if form is formats.as_json else 4):
                    text = report(form, correlations=related if broad else None)
            with named(target), places.written(target) as file:
                file.write(text.encode())
    if any(one.stopped for one in told):
        return INCOMPLETE
    name = f"{found.names[0]}: " if len(found.names) > 1 else ""
    failed = [*too_low(told[0], given.fail_under, name), *(worse(stood, found.names) if given.fail_if_worse else ())]
    for line in failed:
        tell(f"score.py: {line}")
    return WORSE if failed else DONE


def too_low(summary: Summary, least: Mapping[str, float], name: str) -> Iterator[str]:
    """Which scores of the first system are too low for --fail-under: of each the lower end of its interval counts."""
    for figure in summary.figures:
        limit, low = least.get(figure.series.key), figure.interval[0] if figure.interval else figure.mean
        if limit is not None and (low is None or low < limit):
            found = "it has no score" if low is None else f"its 95% interval begins at {low:.4f}"
            yield f"{name}{figure.series.key} is not certainly {limit:g} or more: {found} (--fail-under)."


def worse(stood: Sequence[Standing], names: Sequence[str]) -> Iterator[str]:
    """By which scores the first system is worse than another beyond chance, for --fail-if-worse."""
    for one in stood:
        if one.series.primary and 0 in one.ranked:
            for pair in one.ranking.pairs:
                if not pair.first and pair.interval and pair.interval[1] < 0:
                    other = names[one.ranked[pair.second]]
                    yield (f"{names[0]} is worse than {other} on {one.series.title}: the 95% interval of the "
                           f"difference ends at {pair.interval[1]:.2g} (--fail-if-worse).")  # fmt: skip


def estimate(tables: Sequence[Table]) -> int:
    """Say what the judges would take, without sending anything."""
    for table in tables:
        items = [item for item in table.source.items(table.roles) if not item.lacks]
        for scorer in table.scorers:
            if scorer.metric.judge:
                scorer.prepare()
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

    with speaking(given.language):
        written = [path for path in export.targets(given.lv_eval, given.out) if path.exists()]
        if written and not given.overwrite:
            raise BadTable(f"{written[0]} cannot be written: {THERE}.")
        return export.command(given.lv_eval, given.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is returned."""
    given = parse_arguments(arguments)
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
