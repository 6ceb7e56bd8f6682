"""Which run the parts in a folder belong to, and how they become one file.

A run goes on with the parts of another only where that one was the same: the same table, columns, metrics, settings and
versions of the modules. What does not move a score, such as how many requests a judge gets at once, may differ. Nothing
secret is written: no key, and of addresses no user and no query.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from lens.runs.parts import RUN, Parts, is_local, storage
from lens.runs.progress import tell
from lens.scoring import judge, modules
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables.places import shown
from lens.tables.roles import BadTable, listing
from lens.tables.sources import Source
from lens.tables.write import bytes_of, parquet_schema

FORMAT = 2
# Settings that move no score, and the secret one.
ASIDE = frozenset({"api_key", "cache", "dry_run", "max_concurrency", "max_retries", "on_error", "per_example",
                   "progress", "timeout"})  # fmt: skip
MAX_SHOWN = 60
COPIED = 2**20

Flat = dict[str, Any]


def identity(source: Source, which: str) -> Flat:
    """What tells one table from another: of each file its name, size and time; of a dataset its fingerprint."""
    fingerprint = getattr(getattr(source, "data", None), "_fingerprint", None)
    found = {f"{which}.name": source.name, f"{which}.fingerprint": fingerprint}
    for at, stamp in enumerate(source.stamps()):
        found |= {f"{which}.{name}{f'.{at}' if at else ''}": value for name, value in stamp.items()}
    return found


def settings_of(scorer: Scorer) -> Flat:
    """The version of a metric's module and the settings that move its scores, those that it has by default among them;
    of a module that cannot be loaded the given ones.
    """
    version, settings = "", dict(scorer.settings)
    if scorer.module is not None:
        code = modules.code_of(scorer.module)
        version, settings = str(getattr(code, "VERSION", "")), scorer.arguments(code)
    told = {name: told_of(name, value) for name, value in settings.items() if name not in ASIDE}
    told = judge.without_key(told, scorer.key) if scorer.key else told
    return {f"version.{scorer.name}": version} | {f"set.{scorer.name}.{name}": one for name, one in told.items()}


def told_of(name: str, value: Any) -> Any:
    """A setting as it may be written: an address without user and query, of what is sent along but a digest."""
    if name == "base_url" and isinstance(value, str):
        parts = urlsplit(value)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    if name == "extra_body" and value is not None:
        return hashlib.blake2b(json.dumps(value, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()
    return value


def written(run: Mapping[str, Any]) -> bytes:
    """What makes a run this one and no other, as it is kept: in JSON, by names with dots."""
    return json.dumps({"format": FORMAT, **run}, indent=1, default=str).encode()


def refuse_other(parts: Parts, run: Mapping[str, Any]) -> bool:
    """Refuse the parts of another run, with what differs; whether there are parts at all. As far as it is known before
    the table is read: what is left out of `run` is not compared.
    """
    kept = parts.read(RUN)
    if kept is None:
        return False
    try:
        before, now = dict(json.loads(kept)), json.loads(written(run))
    except (TypeError, ValueError):
        raise BadTable(f"{shown(parts.folder)} holds parts of a run, but which one cannot be read from its {RUN}. "
                       "--restart throws them away and begins anew.") from None  # fmt: skip
    asked = {name: value for name, value in before.items() if name in now or not name.startswith("table.")}
    differing = [
        f"{name} was {short(asked.get(name))} and is {short(now.get(name))}"
        for name in {**now, **asked}
        if asked.get(name) != now.get(name)
    ]
    if differing:
        raise BadTable(f"{shown(parts.folder)} holds the parts of another run: {'; '.join(differing)}. Give the "
                       "command of that run to go on with it, or --restart to throw its parts away and begin "
                       "anew.")  # fmt: skip
    return True


def short(value: Any) -> str:
    """A value for a message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


@contextlib.contextmanager
def entered(parts: Parts, run: Mapping[str, Any], restart: bool) -> Iterator[None]:
    """Be in the folder of parts for this run: a new one, or the one in which the same run was broken off. BadTable
    where it is another run's, is in use, or holds what no run wrote. Where the run breaks off it is said what is kept;
    nothing is left where no block was finished.
    """
    with contextlib.ExitStack() as held:
        held.enter_context(claimed(parts))
        if restart:
            parts.clear()
        if not refuse_other(parts, run):
            names = parts.names()
            if names not in ([], ["_run"]):
                raise BadTable(f"{shown(parts.folder)} holds what no run of this command has noted: "
                               f"{listing(names, 5)}. Name another folder, or empty this one.")  # fmt: skip
            parts.clear()
            parts.make()
            parts.write(RUN, written(run))
            held.enter_context(claimed(parts))
        try:
            yield
        except BadTable:
            raise
        except BaseException:
            with contextlib.suppress(OSError):
                if any(name.endswith(".json") and name != RUN for name in parts.sizes()):
                    tell(f"\nWhat is finished lies in {shown(parts.folder)}: the same command goes on from there.")
                else:
                    parts.clear()
            raise


@contextlib.contextmanager
def claimed(parts: Parts) -> Iterator[None]:
    """Keep other processes of this machine from the same parts meanwhile, where there are any and the system can."""
    filesystem, path = parts.path(RUN)
    try:
        import fcntl

        file = open(path, "rb") if is_local(filesystem) else None  # noqa: SIM115 (closed below)
    except (ImportError, FileNotFoundError):
        file = None
    if file is None:
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadTable(f"{shown(parts.folder)} belongs to a run that is under way. Wait until it has ended, or "
                           "name another file to write.") from None  # fmt: skip
        except OSError:  # a filesystem that has no locks
            pass
        yield


def assembled(parts: Parts, count: int, target: str, layout: Layout) -> None:
    """Make one file of the pieces, in order, and remove them. It gets its name when it is complete."""
    filesystem, path = storage(target)
    join = join_parquet if parts.kind == "parquet" else join_lines
    if is_local(filesystem):
        new = Path(f"{path}.part")
        try:
            with open(new, "wb") as file:
                join(parts, count, file, layout)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    else:
        with filesystem.open(path, "wb") as file:
            join(parts, count, file, layout)
    parts.clear()


def join_lines(parts: Parts, count: int, file: IO[bytes], layout: Layout) -> None:
    """The pieces one after another; of CSV with one header."""
    header = bytes_of([], parts.kind, layout.names, layout.kinds)
    file.write(header)
    for number in range(count):
        with parts.opened(number) as piece:
            piece.seek(len(header))
            while data := piece.read(COPIED):
                file.write(data)


def join_parquet(parts: Parts, count: int, file: IO[bytes], layout: Layout) -> None:
    """The row groups of all pieces, as they are, in one file."""
    from pyarrow import parquet

    schema = parquet_schema(layout.kinds)
    with parquet.ParquetWriter(file, schema, write_statistics=False) as writer:
        for number in range(count):
            with parts.opened(number) as piece:
                given = parquet.ParquetFile(piece)
                for group in range(given.num_row_groups):
                    table = given.read_row_group(group, use_threads=False).cast(schema)
                    writer.write_table(table, row_group_size=max(len(table), 1))
