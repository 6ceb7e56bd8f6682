"""The folder in which a run leaves what is finished of it, on this machine or behind any address that fsspec knows, so
that the same command goes on from there.

    scored.parquet.parts/_run/run.json                which run it is
    scored.parquet.parts/_run/0f1e2d3c-000000.json    what the first block came to

Of a run whose scored rows stay in pieces it is the folder of the pieces; names that begin with an underscore are passed
over by what reads such a folder as one table.

A run goes on with the parts of another only where that one was the same: the same table, columns, metrics, settings and
versions of the modules, of which the name of each part has a digest. What does not move a score, such as how many
requests a judge gets at once, may differ. Nothing secret is written: no key, of addresses no user and no query, of what
is sent along but a digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lens.runs.blocks import Outcome
from lens.runs.progress import tell
from lens.scoring import judge, modules
from lens.scoring.rows import Scorer
from lens.tables.cells import cut
from lens.tables.places import is_local, shown, system_of, written
from lens.tables.roles import BadTable
from lens.tables.sources import Source

FORMAT = 5
RUN = "run.json"
PIECE = re.compile(r"part-\d{6,}\.\w+")
# Settings that move no score, and the secret one.
ASIDE = frozenset({"api_key", "cache", "dry_run", "max_concurrency", "max_retries", "on_error", "per_example",
                   "progress", "timeout"})  # fmt: skip


def digest(value: Any) -> str:
    """A mark of a value of JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Parts:
    """The folder of a run, and what makes it this run and no other."""

    folder: str
    run: Mapping[str, Any]

    def place(self, name: str) -> str:
        """Where a file of this name lies."""
        return f"{self.folder}/_run/{name if name == RUN else f'{digest(self.run)}-{name}'}"

    def read(self, name: str) -> bytes:
        """What a file holds; nothing where there is none."""
        system, path = system_of(self.place(name))
        try:
            return bytes(system.cat_file(path))
        except FileNotFoundError:
            return b""

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole."""
        with written(self.place(name)) as file:
            file.write(data)

    def outcome(self, name: str) -> Outcome | None:
        """What a block came to; None where that cannot be read."""
        try:
            return Outcome.from_json(self.read(name))
        except ValueError:
            return None

    def finished(self) -> set[str]:
        """The names of the outcomes that are there."""
        system, folder = system_of(self.folder)
        system.invalidate_cache()
        names = {path.rpartition("/")[2].partition("-") for path in system.find(f"{folder}/_run")}
        return {name for mark, _, name in names if mark == digest(self.run)}

    def clear(self) -> None:
        """Remove what runs wrote, and the folder where nothing else is in it."""
        system, folder = system_of(self.folder)
        system.invalidate_cache()
        pieces = [path for path in system.find(folder, maxdepth=1) if PIECE.fullmatch(path.rpartition("/")[2])]
        for path in [*pieces, *system.find(f"{folder}/_run")]:
            system.rm_file(path)
        for place in (f"{folder}/_run", folder) if is_local(system) else ():
            with contextlib.suppress(OSError):
                os.rmdir(place)


def identity(source: Source, which: str) -> dict[str, Any]:
    """What tells one table from another: of each file its name, size and time; of a dataset its fingerprint."""
    found = {f"{which}.name": source.name}
    for at, stamp in enumerate(source.stamps()):
        found |= {f"{which}.{name}{f'.{at}' if at else ''}": value for name, value in stamp.items()}
    return found


def settings_of(scorer: Scorer) -> dict[str, Any]:
    """The version of a metric's module and the settings that move its scores, those that it has by default among them;
    of a module that cannot be loaded the given ones.
    """
    version, settings = "", scorer.settings
    if scorer.module is not None:
        code = modules.code_of(scorer.module)
        version, settings = str(getattr(code, "VERSION", "")), scorer.arguments(code)
    found = {f"version.{scorer.name}": version}
    for name, value in judge.without_key(settings, scorer.key).items():
        if name == "base_url" and isinstance(value, str):
            value = shown(value)
        elif name == "extra_body" and value is not None:
            value = digest(value)
        found |= {f"set.{scorer.name}.{name}": value} if name not in ASIDE else {}
    return found


def refuse_other(parts: Parts, before: Mapping[str, Any]) -> None:
    """Refuse the parts of another run, with what differs."""
    pairs = {name: (before.get(name), parts.run.get(name)) for name in {**parts.run, **before}}
    differing = [f"{name} was {short(old)} and is {short(new)}" for name, (old, new) in pairs.items() if old != new]
    if differing:
        raise BadTable(f"{shown(parts.folder)} holds the parts of another run: {'; '.join(differing)}. Give the "
                       "command of that run to go on with it, or --restart to throw its parts away and begin "
                       "anew.")  # fmt: skip


def short(value: Any) -> str:
    """A value for a message."""
    return cut(json.dumps(value, ensure_ascii=False))


@contextlib.contextmanager
def entered(parts: Parts, restart: bool) -> Iterator[None]:
    """Be in the folder of parts for this run: a new one, or the one in which the same run was broken off. BadTable
    where it is another run's. Where the run breaks off it is said what is kept; nothing is left where no block was
    finished.
    """
    if restart:
        parts.clear()
    if kept := parts.read(RUN):
        refuse_other(parts, json.loads(kept))
    else:
        parts.clear()
        system, path = system_of(parts.folder)
        system.makedirs(f"{path}/_run", exist_ok=True)
        parts.write(RUN, json.dumps(parts.run, indent=1).encode())
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            if not parts.finished():
                parts.clear()
            elif not isinstance(error, BadTable):
                tell(f"\nWhat is finished lies in {shown(parts.folder)}: the same command goes on from there.")
        raise
