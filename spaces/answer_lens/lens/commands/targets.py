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
from lens.study.engines.blocks import RunInterrupted
from lens.study.engines.resume import Parts
from lens.tables import places
from lens.words.notes import Note, UserError

# The kind of a file of scored rows, by its extension.
OUTPUTS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet"}
# The formatter of a report of sections, by the extension of its file.
REPORTS = {".md": format_markdown, ".tex": format_latex, ".txt": format_plain_text}
# The extensions of reports with correlations; a JSON report has them, too.
WITH_CORRELATIONS = {".md"}
# The extensions of the other reports.
JSON, PICTURE = ".json", ".svg"
# The formats of other tools, and the extensions of their files.
INSPECT, EVERY_EVAL_EVER = "inspect", "every-eval-ever"
EXPORTS = {INSPECT: (".json", ".jsonl"), EVERY_EVAL_EVER: (".json",)}
# The ending of the file of samples in the format of Every Eval Ever.
SAMPLES = "_samples.jsonl"
# The key of the text for a file that is there already.
ALREADY_EXISTS = "obstacle.already_exists"


def find_output_kind(target: str) -> str:
    """Return the kind of the file of scored rows: csv, jsonl or parquet (default)."""
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
        extensions: Collection[str] = EXPORTS.get(arguments.format, OUTPUTS)
        if arguments.writes_folder:
            extensions = ()
        check_target(arguments.out, extensions, arguments, parts)
        if arguments.format == EVERY_EVAL_EVER:
            check_target(name_samples_file(arguments.out), (".jsonl",), arguments, parts)
    for target in filter(None, arguments.report):
        check_target(target, (*REPORTS, JSON, PICTURE), arguments, parts)


def check_target(
    target: str,
    extensions: Collection[str],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> None:
    """Raise UserError if a file or a folder cannot be written.

    Args:
        target: the path or the address.
        extensions: the extensions that a file may have; empty if the target is a folder.
        arguments: the parsed arguments.
        parts: as for `check_targets`.
    """
    obstacle = find_obstacle(target, extensions, arguments, parts)
    if obstacle is not None:
        name = places.hide_secrets(target)
        is_folder = not extensions
        if is_folder:
            name += "/"
        raise UserError("command.not_written", name=name, obstacle=obstacle)


def find_obstacle(
    target: str,
    extensions: Collection[str],
    arguments: argparse.Namespace,
    parts: Parts | None,
) -> Note | str | None:
    """Return why a file or a folder cannot be written, or None if it can.

    The arguments are those of `check_target`.
    """
    is_folder = not extensions
    path = places.find_local_path(target)
    if not is_folder and path.suffix.lower() not in extensions:
        return Note("obstacle.wrong_ending", {"kinds": ", ".join(extensions)})
    if is_input(path, arguments):
        return Note("obstacle.is_input")
    if places.WEB.match(target):
        return Note("obstacle.web_server")
    obstacle = None if places.is_address(target) else find_local_obstacle(path, is_folder)
    if obstacle is not None:
        return obstacle
    try:
        system, place = places.open_filesystem(target)
        can_be_written = is_folder or arguments.overwrite or not system.exists(place)
        if not can_be_written and parts is not None and not arguments.restart:
            can_be_written = parts.has_written(target)
    # A filesystem, or its missing package, may raise any error.
    except Exception as error:
        return places.describe_error(error, target)
    return None if can_be_written else Note(ALREADY_EXISTS)


def is_input(path: Path, arguments: argparse.Namespace) -> bool:
    """Return whether a path is one of the input files."""
    target = os.path.realpath(path)
    for name in [*arguments.input, arguments.references_file]:
        if name and os.path.realpath(places.find_local_path(name)) == target:
            return True
    return False


def find_local_obstacle(path: Path, is_folder: bool) -> Note | None:
    """Return why a file or a folder on this machine cannot be written, or None if it can."""
    if not path.parent.is_dir():
        return Note("obstacle.no_folder")
    if path.is_dir() and not is_folder:
        return Note("obstacle.is_folder")
    if path.exists() and not path.is_dir() and is_folder:
        return Note("obstacle.is_file")
    if not os.access(path.parent, os.W_OK):
        return Note("obstacle.no_permission")
    return None


@contextmanager
def add_target_to_error(target: str) -> Iterator[None]:
    """Add the name of a file to the errors of writing it in this block.

    Raises:
        RunInterrupted: the file cannot be written. UserError, RunInterrupted and errors of the
            program itself pass unchanged.
    """
    try:
        yield
    except (UserError, RunInterrupted):
        raise
    except Exception as error:
        if not isinstance(error, OSError) and not places.is_address(target):
            raise
        raise RunInterrupted(
            f"{places.hide_secrets(target)}: {places.describe_error(error, target)}"
        ) from None
