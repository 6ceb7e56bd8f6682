"""The folder in which a run leaves what is finished of it, on this machine or behind any address that fsspec knows, so
that the same command goes on from there.

    scored.parquet.parts/_run/run.json                which run it is
    scored.parquet.parts/_run/000000.json             the result of the first block
    scored.parquet.parts/_run/written.json            which files it has written, to replace them when it goes on

Of a run whose scored rows stay in pieces it is the folder of the pieces; names that begin with an underscore are passed
over by what reads such a folder as one table.

A run goes on with the parts of another only where that one was the same: the same table, columns, metrics, settings and
versions of the modules. What does not move a score, such as how many requests a judge gets at once, may differ. Nothing
secret is written: no key, of addresses no user and no query, of what is sent along but a digest.
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
ASIDE = frozenset({"api_key", "cache", "dry_run", "max_concurrency", "max_retries", "on_error", "per_example",
                   "progress", "timeout"})  # fmt: skip


@dataclass(frozen=True)
class Parts:
    """The folder of a run, and what makes it this run and no other."""

    folder: str
    run: dict[str, Any]

    def read(self, name: str) -> str:
        """What a file holds; nothing where there is none."""
        system, path = open_filesystem(self.folder)
        try:
            return bytes(system.cat_file(f"{path}/_run/{name}")).decode()
        except FileNotFoundError:
            return ""

    def write(self, name: str, text: str) -> None:
        """Write a file whole."""
        with open_for_writing(f"{self.folder}/_run/{name}") as file:
            file.write(text.encode())

    def results(self, table: int) -> Iterator[BlockResult]:
        """Yield the results of a table's blocks in their order, as far as they are finished and can be read."""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            for number in itertools.count():
                yield BlockResult.from_json(self.read(name_result(table, number)))

    def keep(self, table: int, result: BlockResult) -> None:
        """Write the result of a block; blocks are finished one after another."""
        self.write(name_result(table, result.number), result.to_json())

    def pieces(self) -> list[str]:
        """The pieces of the scored table that are there."""
        system, folder = open_filesystem(self.folder)
        system.invalidate_cache()
        return [path for path in system.find(folder, maxdepth=1) if PIECE.fullmatch(path.rpartition("/")[2])]

    def note_written(self, target: str, size: int, changed: int | None = None) -> None:
        """Note that this run has written a file; `changed` is when, in nanoseconds, on this machine."""
        files = json.loads(self.read(WRITTEN) or "{}")
        files[target] = [size, changed]
        self.write(WRITTEN, json.dumps(files))

    def has_written(self, target: str) -> bool:
        """Return whether a run that was broken off wrote this file, and nobody has changed it since."""
        stamp = json.loads(self.read(WRITTEN) or "{}").get(target)
        system, path = open_filesystem(target)
        if is_address(target):
            return bool(stamp == [system.size(path), None])
        status = os.stat(path)
        return bool(stamp == [status.st_size, status.st_mtime_ns])

    def finish(self, keep: bool) -> None:
        """Remove the parts once everything is written; those of a folder of pieces are to `keep`."""
        if not keep:
            self.clear()
        elif self.read(WRITTEN):
            system, folder = open_filesystem(self.folder)
            system.rm_file(f"{folder}/_run/{WRITTEN}")

    def clear(self) -> None:
        """Remove what runs wrote, and the folder where nothing else is in it."""
        system, folder = open_filesystem(self.folder)
        for path in [*self.pieces(), *system.find(f"{folder}/_run")]:
            system.rm_file(path)
        for place in () if is_address(self.folder) else (f"{folder}/_run", folder):
            with contextlib.suppress(OSError):
                os.rmdir(place)


def name_result(table: int, block: int) -> str:
    """Return the name of the file with the result of a block."""
    prefix = f"{table}-" if table else ""
    return f"{prefix}{block:06}.json"


def settings_of(scorer: Scorer) -> dict[str, Any]:
    """The version of a metric's module and the settings that move its scores, those that it has by default among them;
    of a module that cannot be loaded the given ones.
    """
    version, settings = "", scorer.settings
    if scorer.module is not None:
        code = modules.find_code(scorer.module)
        version, settings = str(getattr(code, "VERSION", "")), scorer.make_arguments(code)
    found = {f"version.{scorer.name}": version}
    for name, value in judge.hide_key(settings, scorer.key).items():
        if name == "base_url" and isinstance(value, str):
            value = hide_secrets(value)
        elif name == "extra_body" and value is not None:
            value = hashlib.sha256(as_json(value).encode()).hexdigest()
        found |= {f"set.{scorer.name}.{name}": value} if name not in ASIDE else {}
    return found


def refuse_other(parts: Parts, unknown: tuple[str, ...] = ()) -> bool:
    """Whether an earlier run has left its parts; UserError where it was another one, with what differs, as far as that
    is not `unknown` yet.
    """
    before, now = json.loads(parts.read(RUN) or "{}"), json.loads(as_json(parts.run))
    names = [name for name in {**now, **before} if before and not name.startswith(unknown)]
    others = {name: (before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)}
    differing = [
        f"{name} was {cut_cell(as_json(old))} and is {cut_cell(as_json(new))}" for name, (old, new) in others.items()
    ]
    if differing:
        raise UserError("command.other_run", folder=hide_secrets(parts.folder), differing="; ".join(differing))
    return bool(before)


def as_json(value: Any) -> str:
    """A value as text."""
    return escape_surrogates(json.dumps(value, sort_keys=True, default=str, ensure_ascii=False))


@contextlib.contextmanager
def entered(parts: Parts, restart: bool, overwrite: bool) -> Iterator[None]:
    """Be in the folder of parts for this run: a new one, or the one in which the same run was broken off. UserError
    where it is another run's, or has files that only look like pieces. Where the run breaks off it is said what is
    kept; nothing is left where no block was finished.
    """
    if restart or not refuse_other(parts):
        if parts.pieces() and not overwrite and not parts.read(RUN):
            raise UserError("command.other_files", folder=hide_secrets(parts.folder))
        parts.clear()
        system, path = open_filesystem(parts.folder)
        system.makedirs(f"{path}/_run", exist_ok=True)
        parts.write(RUN, as_json(parts.run))
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            if next(parts.results(0), None) is None:
                parts.clear()
            elif not isinstance(error, UserError):
                print_lines(
                    "", f"What is finished lies in {hide_secrets(parts.folder)}: the same command goes on from there."
                )
        raise
