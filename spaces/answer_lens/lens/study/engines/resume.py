"""The folder in which a run leaves what is finished of it.

The same command goes on from there.

It lies on this machine or behind any address that fsspec knows.

    scored.parquet.parts/_run/run.json        which run it is
    scored.parquet.parts/_run/000000.json     the result of the first block
    scored.parquet.parts/_run/written.json    which files it has written, to replace when it goes on

Of a run whose scored rows stay in pieces it is the folder of the pieces; names that begin with an
underscore are passed over by what reads such a folder as one table.

A run goes on with the parts of another only where that one was the same: the same table, columns,
metrics, settings and versions of the modules. What does not move a score, such as how many requests
a judge gets at once, may differ. Nothing secret is written: no key, of addresses no user and no
query, of what is sent along but a digest.
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
from lens.scoring.rows import Scorer
from lens.tables.cells import cut_cell, escape_surrogates
from lens.tables.places import hide_secrets, is_address, open_filesystem, open_for_writing
from lens.words.notes import UserError
from lens.words.printed import print_lines

FORMAT = 10
RUN = "run.json"
# By its name the size and the time of each file that the run has written besides its parts.
WRITTEN = "written.json"
PIECE = re.compile(r"part-\d{6,}\.\w+")
# Settings that move no score, and the secret one.
ASIDE = frozenset(
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
    """The folder of a run, and what makes it this run and no other."""

    folder: str
    run: dict[str, Any]

    def read_text(self, name: str) -> str:
        """Return what a file holds; nothing if there is none."""
        system, path = open_filesystem(self.folder)
        try:
            return bytes(system.cat_file(f"{path}/_run/{name}")).decode()
        except FileNotFoundError:
            return ""

    def write_text(self, name: str, text: str) -> None:
        """Write a file whole."""
        with open_for_writing(f"{self.folder}/_run/{name}") as file:
            file.write(text.encode())

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of a table's blocks in their order.

        They end before the first that is unfinished or damaged.
        """
        with contextlib.suppress(ValueError, KeyError, TypeError):
            for number in itertools.count():
                yield BlockResult.from_json(self.read_text(name_result(table, number)))

    def keep(self, table: int, result: BlockResult) -> None:
        """Write the result of a block; blocks are finished one after another."""
        self.write_text(name_result(table, result.number), result.to_json())

    def list_pieces(self) -> list[str]:
        """Return the pieces of the scored table that are there."""
        system, folder = open_filesystem(self.folder)
        system.invalidate_cache()
        pieces = []
        for path in system.find(folder, maxdepth=1):
            name = path.rpartition("/")[2]
            if PIECE.fullmatch(name):
                pieces.append(path)
        return pieces

    def note_written(self, target: str, size: int, changed: int | None = None) -> None:
        """Note that this run has written a file.

        `changed` is when, in nanoseconds, on this machine.
        """
        files = json.loads(self.read_text(WRITTEN) or "{}")
        files[target] = [size, changed]
        self.write_text(WRITTEN, json.dumps(files))

    def has_written(self, target: str) -> bool:
        """Return whether a run that was broken off wrote this file, and nobody has changed it."""
        stamp = json.loads(self.read_text(WRITTEN) or "{}").get(target)
        system, path = open_filesystem(target)
        if is_address(target):
            return bool(stamp == [system.size(path), None])
        status = os.stat(path)
        return bool(stamp == [status.st_size, status.st_mtime_ns])

    def finish(self, keep: bool) -> None:
        """Remove the parts once everything is written.

        Those of a folder of pieces are to `keep`.
        """
        if not keep:
            self.clear()
        elif self.read_text(WRITTEN):
            system, folder = open_filesystem(self.folder)
            system.rm_file(f"{folder}/_run/{WRITTEN}")

    def clear(self) -> None:
        """Remove what runs wrote, and the folder where nothing else is in it."""
        system, folder = open_filesystem(self.folder)
        for path in [*self.list_pieces(), *system.find(f"{folder}/_run")]:
            system.rm_file(path)
        if not is_address(self.folder):
            for place in (f"{folder}/_run", folder):
                with contextlib.suppress(OSError):
                    os.rmdir(place)


def name_result(table: int, block: int) -> str:
    """Return the name of the file with the result of a block."""
    prefix = f"{table}-" if table else ""
    return f"{prefix}{block:06}.json"


def list_settings(scorer: Scorer) -> dict[str, Any]:
    """Return the version of a metric's module and the settings that move its scores.

    Those that it has by default are among them; of a module that cannot be loaded the settings are
    the user's alone.
    """
    version, settings = "", scorer.settings
    if scorer.module is not None:
        code = modules.find_code(scorer.module)
        version, settings = str(getattr(code, "VERSION", "")), scorer.make_arguments(code)
    listed = {f"version.{scorer.name}": version}
    for name, value in judge.hide_key(settings, scorer.key).items():
        if name not in ASIDE:
            listed[f"set.{scorer.name}.{name}"] = hide_setting(name, value)
    return listed


def hide_setting(name: str, value: Any) -> Any:
    """Return a setting as it may be written.

    An address has no user and no query; of what is sent along there is a digest.
    """
    if name == "base_url" and isinstance(value, str):
        return hide_secrets(value)
    if name == "extra_body" and value is not None:
        return hashlib.sha256(format_setting(value).encode()).hexdigest()
    return value


def refuse_other(parts: Parts, unknown: tuple[str, ...] = ()) -> bool:
    """Return whether an earlier run has left its parts.

    Args:
        parts: the folder of the run.
        unknown: the beginnings of the names of settings that are not known yet.

    Raises:
        UserError: it was another run; the error names what differs.
    """
    before = json.loads(parts.read_text(RUN) or "{}")
    if not before:
        return False
    now = json.loads(format_setting(parts.run))
    differing = []
    for name in {**now, **before}:
        old, new = before.get(name), now.get(name)
        if old != new and not name.startswith(unknown):
            old_text, new_text = cut_cell(format_setting(old)), cut_cell(format_setting(new))
            differing.append(f"{name} was {old_text} and is {new_text}")
    if differing:
        raise UserError(
            "command.other_run", folder=hide_secrets(parts.folder), differing="; ".join(differing)
        )
    return True


def format_setting(value: Any) -> str:
    """Return a value as text."""
    return escape_surrogates(json.dumps(value, sort_keys=True, default=str, ensure_ascii=False))


@contextlib.contextmanager
def enter_parts(parts: Parts, restart: bool, overwrite: bool) -> Iterator[None]:
    """Enter the folder of parts for this run.

    It is new, or the one in which the same run was broken off.

    Where the run breaks off, the user is told what is kept; nothing is left where no block was
    finished.

    Args:
        parts: the folder of the run.
        restart: whether the parts of an earlier run are thrown away.
        overwrite: whether files that are there may be replaced.

    Raises:
        UserError: it is another run's, or has files that only look like pieces.
    """
    if restart or not refuse_other(parts):
        if parts.list_pieces() and not overwrite and not parts.read_text(RUN):
            raise UserError("command.other_files", folder=hide_secrets(parts.folder))
        parts.clear()
        system, path = open_filesystem(parts.folder)
        system.makedirs(f"{path}/_run", exist_ok=True)
        parts.write_text(RUN, format_setting(parts.run))
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
