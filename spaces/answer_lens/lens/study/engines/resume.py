"""The folder with the finished parts of a run, from which the same command resumes it.

It is on this machine, or at any address that fsspec knows.

    scored.parquet.parts/_run/run.json identifies the run
    scored.parquet.parts/_run/000000.json the result of the first block
    scored.parquet.parts/_run/written.json the files that the run has written and may replace

If the scored rows stay in pieces, it is the folder of the pieces. Programs that read such a folder
as one table skip names that begin with an underscore.

A run uses the parts of an earlier run only if both are the same: the same table, columns, metrics,
settings and versions of the modules. Settings that do not change a score may differ, such as the
number of parallel requests to a judge. Nothing secret is written: no key, no user and no query of
an address, and only a digest of additional request data.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lens.scoring import judge, modules
from lens.scoring.block_scores import BlockResult
from lens.scoring.scorer import Scorer
from lens.tables.cells import cut_cell, escape_surrogates
from lens.tables.places import hide_secrets, is_address, open_filesystem, open_for_writing
from lens.words.notes import UserError
from lens.words.printed import print_lines

# The version of the format of the files.
FORMAT = 11
# The file that identifies the run.
RUN_FILE = "run.json"
# The file with the size and time of each file that the run has written besides its parts.
WRITTEN_FILES = "written.json"
# The name of a piece of the scored table: "part-000000.parquet".
PIECE_NAME = re.compile(r"part-\d{6,}\.\w+")
# Settings that do not change scores, and the API key.
IGNORED_SETTINGS = frozenset(
    {
        "api_key",
        "cache",
        "dry_run",
        "max_concurrency",
        "max_retries",
        "on_error",
        "per_example",
        "progress",
        "timeout",
    }
)


@dataclass(frozen=True)
class Parts:
    """The parts of a run: their folder, and the values that identify the run."""

    folder: str
    run: dict[str, Any]

    def read_text(self, name: str) -> str:
        """Return the content of a file; empty if there is no such file."""
        system, path = open_filesystem(self.folder)
        try:
            return bytes(system.cat_file(f"{path}/_run/{name}")).decode()
        except FileNotFoundError:
            return ""

    def write_text(self, name: str, text: str) -> None:
        """Write a file, which is never left incomplete."""
        with open_for_writing(f"{self.folder}/_run/{name}") as file:
            file.write(text.encode())

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of a table's blocks in order, until one is missing or damaged."""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            for number in itertools.count():
                yield BlockResult.from_json(self.read_text(name_result(table, number)))

    def keep(self, table: int, result: BlockResult) -> None:
        """Write the result of a block; blocks must be written in order."""
        self.write_text(name_result(table, result.number), result.to_json())

    def list_pieces(self) -> list[str]:
        """Return the paths of the existing pieces of the scored table."""
        system, folder = open_filesystem(self.folder)
        system.invalidate_cache()
        pieces = []
        for path in system.find(folder, maxdepth=1):
            name = path.rpartition("/")[2]
            if PIECE_NAME.fullmatch(name):
                pieces.append(path)
        return pieces

    def note_written(self, target: str, size: int, changed_ns: int | None = None) -> None:
        """Record that this run has written a file.

        Args:
            target: the file.
            size: its size in bytes.
            changed_ns: the time of its last change in nanoseconds; None for an address.
        """
        files = json.loads(self.read_text(WRITTEN_FILES) or "{}")
        files[target] = [size, changed_ns]
        self.write_text(WRITTEN_FILES, json.dumps(files))

    def has_written(self, target: str) -> bool:
        """Return whether an interrupted run wrote this file, and the file has not changed since."""
        stamp = json.loads(self.read_text(WRITTEN_FILES) or "{}").get(target)
        system, path = open_filesystem(target)
        if is_address(target):
            return bool(stamp == [system.size(path), None])
        status = os.stat(path)
        return bool(stamp == [status.st_size, status.st_mtime_ns])

    def finish(self, keep: bool) -> None:
        """Remove the parts after everything is written; `keep` is true for a folder of pieces."""
        if not keep:
            self.clear()
        elif self.read_text(WRITTEN_FILES):
            system, folder = open_filesystem(self.folder)
            system.rm_file(f"{folder}/_run/{WRITTEN_FILES}")

    def clear(self) -> None:
        """Remove everything that runs wrote, and the folder if nothing else is in it."""
        system, folder = open_filesystem(self.folder)
        for path in [*self.list_pieces(), *system.find(f"{folder}/_run")]:
            system.rm_file(path)
        if not is_address(self.folder):
            for empty_folder in (f"{folder}/_run", folder):
                with contextlib.suppress(OSError):
                    os.rmdir(empty_folder)


def name_result(table: int, block: int) -> str:
    """Return the name of the file with the result of a block."""
    prefix = f"{table}-" if table else ""
    return f"{prefix}{block:06}.json"


def list_settings(scorer: Scorer) -> dict[str, Any]:
    """Return the version of a metric's module and the settings that change its scores.

    Default settings are included, but not if the module cannot be loaded.
    """
    version = ""
    settings = scorer.settings
    if scorer.module is not None:
        code = modules.find_code(scorer.module)
        version = str(getattr(code, "VERSION", ""))
        settings = scorer.make_arguments(code)
    listed = {f"version.{scorer.name}": version}
    for name, value in judge.hide_key(settings, scorer.key).items():
        if name not in IGNORED_SETTINGS:
            listed[f"set.{scorer.name}.{name}"] = hide_setting(name, value)
    return listed


def hide_setting(name: str, value: Any) -> Any:
    """Return a setting without secrets.

    An address loses its user and query, and additional request data become a digest.
    """
    if name == "base_url" and isinstance(value, str):
        return hide_secrets(value)
    if name == "extra_body" and value is not None:
        return hashlib.sha256(format_setting(value).encode()).hexdigest()
    return value


def refuse_other_run(parts: Parts, unknown: tuple[str, ...] = ()) -> bool:
    """Return whether an earlier run has left parts; refuse those of another run.

    Args:
        parts: the parts of the run.
        unknown: the prefixes of settings that are not known yet.

    Raises:
        UserError: it was another run; the message names the differences.
    """
    old_run = json.loads(parts.read_text(RUN_FILE) or "{}")
    if not old_run:
        return False
    new_run = json.loads(format_setting(parts.run))
    differing = []
    for name in {**new_run, **old_run}:
        old = old_run.get(name)
        new = new_run.get(name)
        if old != new and not name.startswith(unknown):
            old_text = cut_cell(format_setting(old))
            new_text = cut_cell(format_setting(new))
            differing.append(f"{name} was {old_text} and is {new_text}")
    if differing:
        raise UserError(
            "command.other_run", folder=hide_secrets(parts.folder), differing="; ".join(differing)
        )
    return True


def format_setting(value: Any) -> str:
    """Return a setting as JSON text."""
    return escape_surrogates(json.dumps(value, sort_keys=True, default=str, ensure_ascii=False))


@contextlib.contextmanager
def enter_parts(parts: Parts, restart: bool, overwrite: bool) -> Iterator[None]:
    """Use the folder of parts for this run.

    The folder is new, or has the parts of the same run that was interrupted. If the run is
    interrupted, a message says where the parts are. If no block was finished, the parts are
    removed.

    Args:
        parts: the parts of the run.
        restart: whether the parts of an earlier run are removed.
        overwrite: whether existing files may be replaced.

    Raises:
        UserError: the folder has parts of another run, or files that only look like pieces.
    """
    if restart or not refuse_other_run(parts):
        if parts.list_pieces() and not overwrite and not parts.read_text(RUN_FILE):
            raise UserError("command.other_files", folder=hide_secrets(parts.folder))
        parts.clear()
        system, path = open_filesystem(parts.folder)
        system.makedirs(f"{path}/_run", exist_ok=True)
        parts.write_text(RUN_FILE, format_setting(parts.run))
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            if next(parts.results(0), None) is None:
                parts.clear()
            elif not isinstance(error, UserError):
                folder = hide_secrets(parts.folder)
                print_lines(
                    "", f"What is finished lies in {folder}: the same command goes on from there."
                )
        raise
