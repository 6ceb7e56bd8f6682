"""Checks the files that score.py writes: their kinds, and whether they can be written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.plain_text import format_plain_text
from lens.study.engines.blocks import Lost
from lens.study.engines.resume import Parts
from lens.tables import places
from lens.words.notes import UserError

OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
# The formatter of each kind of report, and whether the report has correlations.
REPORTS = {
    ".md": (format_markdown, True),
    ".tex": (format_latex, False),
    ".txt": (format_plain_text, False),
}
JSON, PICTURE = ".json", ".svg"
# The formats of other tools, and the extensions of their files.
INSPECT, EVERY_EVAL_EVER = "inspect", "every-eval-ever"
EXPORTS = {INSPECT: (".json", ".jsonl"), EVERY_EVAL_EVER: (".json",)}
SAMPLES = "_samples.jsonl"
THERE = "it is there already. Name another file, or give --overwrite to replace it"


def find_output_kind(target: str) -> str:
    """Return the kind of the file of scored rows: csv, jsonl or parquet."""
    return OUTPUTS.get(Path(target).suffix.lower(), "parquet")


def name_samples_file(target: str) -> str:
    """Return the name of the file of samples for an aggregate of Every Eval Ever.

    >>> name_samples_file("runs/results.json")
    'runs/results_samples.jsonl'
    """
    return target.removesuffix(Path(target).suffix) + SAMPLES


def check_targets(arguments: argparse.Namespace, parts: Parts | None) -> None:
    """Raise UserError, before scoring, if a file cannot be written.

    Args:
        arguments: the parsed arguments.
        parts: the folder in which an interrupted run may have recorded which files it wrote; these
            may be replaced.
    """
    if arguments.out:
        if arguments.folder:
            check_target(arguments.out, (), arguments, parts)
        else:
            check_target(arguments.out, EXPORTS.get(arguments.format, OUTPUTS), arguments, parts)
        if arguments.format == EVERY_EVAL_EVER:
            check_target(name_samples_file(arguments.out), (".jsonl",), arguments, parts)
    for target in filter(None, arguments.report):
        check_target(target, (*REPORTS, JSON, PICTURE), arguments, parts)


def check_target(
    target: str,
    kinds: Collection[str],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> None:
    """Raise UserError if a file cannot be written; without `kinds`, the target is a folder."""
    obstacle = find_obstacle(target, kinds, arguments, parts)
    if obstacle:
        name = places.hide_secrets(target)
        if not kinds:
            name += "/"
        raise UserError("command.not_written", name=name, obstacle=obstacle)


def find_obstacle(
    target: str,
    kinds: Collection[str],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> str:
    """Return why a file cannot be written, or an empty text; without `kinds`, it is a folder."""
    path = places.find_local_path(target)
    if kinds and path.suffix.lower() not in kinds:
        return f"it should end in one of {', '.join(kinds)}"
    if is_input(path, arguments):
        return "it is an input"
    if places.WEB.match(target):
        return "web servers take no files; name a path, or an address such as s3://bucket/name"
    obstacle = "" if places.is_address(target) else find_local_obstacle(path, folder=not kinds)
    if obstacle:
        return obstacle
    try:
        system, place = places.open_filesystem(target)
        may_be_there = not kinds or arguments.overwrite or not system.exists(place)
        if not may_be_there and parts is not None and not arguments.restart:
            may_be_there = parts.has_written(target)
    except Exception as error:  # a filesystem, or its missing package, may raise any error
        return places.describe_error(error, target)
    return "" if may_be_there else THERE


def is_input(path: Path, arguments: argparse.Namespace) -> bool:
    """Return whether a path is one of the input files."""
    target = os.path.realpath(path)
    for name in [*arguments.input, arguments.references_file]:
        if name and os.path.realpath(places.find_local_path(name)) == target:
            return True
    return False


def find_local_obstacle(path: Path, folder: bool) -> str:
    """Return why a file, or a `folder`, on this machine cannot be written; empty if it can."""
    if not path.parent.is_dir():
        return "its folder does not exist"
    if path.is_dir() and not folder:
        return "it is a folder"
    if path.exists() and not path.is_dir() and folder:
        return "it is a file; name a folder"
    if not os.access(path.parent, os.W_OK):
        return "its folder is closed to you"
    return ""


@contextmanager
def name_target(target: str) -> Iterator[None]:
    """Add the name of a file to the error if it cannot be written."""
    try:
        yield
    except (UserError, Lost):
        raise
    except Exception as error:
        if not isinstance(error, OSError) and not places.is_address(target):
            raise
        raise Lost(
            f"{places.hide_secrets(target)}: {places.describe_error(error, target)}"
        ) from None
