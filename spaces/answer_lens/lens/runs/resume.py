"""Which run the parts in a folder belong to, and how they become one file.

A run goes on with the parts of another only where that one was the same: the same table and columns, metrics, settings
and versions of the modules. What does not move a score, such as how many requests a judge gets at once, may differ.
Nothing secret is written: no key, and of addresses no user and no query.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from lens.runs.parts import RUN, Parts, is_local, storage
from lens.scoring import judge
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables import places
from lens.tables.roles import BadTable, listing
from lens.tables.sources import Scan, Source
from lens.tables.write import bytes_of, parquet_schema
from lens.words import say

FORMAT = 1
# Settings that move no score, and the secret one.
ASIDE = frozenset({"api_key", "cache", "dry_run", "max_concurrency", "max_retries", "on_error", "per_example",
                   "progress", "timeout"})  # fmt: skip
MAX_SHOWN = 60
COPIED = 2**20

Flat = dict[str, Any]


def described(
    systems: Sequence[tuple[Source, Scan]], scorers: Sequence[Scorer], kind: str, separator: str, block_rows: int
) -> Flat:
    """What makes a run this one and no other, by names with dots; in JSON, and in no language."""
    found: Flat = {"format": FORMAT, "out": kind, "block_rows": block_rows, "separator": separator}
    for at, (source, scan) in enumerate(systems):
        which = "against" if at else "input"
        found |= {f"{which}.{name}": value for name, value in identity(source).items()}
        found |= {f"{which}.rows": len(scan.roll), f"{which}.columns": dict(scan.kinds)}
        found |= {f"roles.{role}" if not at else f"{which}.{role}": name for role, name in scan.roles.named().items()}
    found["metrics"] = [scorer.name for scorer in scorers]
    for scorer in scorers:
        version, settings = settings_of(scorer)
        found[f"version.{scorer.name}"] = version
        found |= {f"set.{scorer.name}.{name}": value for name, value in settings.items()}
    plain: Flat = json.loads(json.dumps(found, default=str))
    return plain


def identity(source: Source) -> Mapping[str, Any]:
    """What tells one table from another: of each file its name, size and time; of a dataset its fingerprint."""
    stamps = source.stamps()
    found = {f"{name}.{at}" if at else name: value for at, one in enumerate(stamps) for name, value in one.items()}
    fingerprint = getattr(getattr(source, "data", None), "_fingerprint", None)
    return {"name": source.name, **found} | ({"fingerprint": fingerprint} if fingerprint else {})


def settings_of(scorer: Scorer) -> tuple[str, dict[str, Any]]:
    """The version of a metric's module and the settings that move its scores, those that it has by default among them;
    of a module that cannot be loaded the given ones.
    """
    version, settings = "", dict(scorer.settings)
    if scorer.module is not None:
        code = sys.modules[type(scorer.module).__module__]
        version, settings = str(getattr(code, "VERSION", "")), scorer.arguments(code)
    told = {name: told_of(name, value) for name, value in settings.items() if name not in ASIDE and value is not None}
    return version, judge.without_key(told, scorer.key) if scorer.key else told


def told_of(name: str, value: Any) -> Any:
    """A setting as it may be written: an address without user and query, of what is sent along but a digest."""
    if name == "base_url" and isinstance(value, str):
        parts = urlsplit(value)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    if name == "extra_body":
        return hashlib.blake2b(json.dumps(value, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()
    return value


@contextlib.contextmanager
def entered(parts: Parts, run: Flat, restart: bool) -> Iterator[None]:
    """Be in the folder of parts for this run: a new one, or the one in which the same run was broken off. BadTable
    where it is another run's, is in use, or holds what no run wrote.
    """
    with contextlib.ExitStack() as held:
        held.enter_context(claimed(parts))
        if restart:
            parts.clear()
        kept = parts.read(RUN)
        if kept is None:
            refuse_foreign(parts)
            parts.clear()
            parts.make()
            parts.write(RUN, json.dumps(run, indent=1).encode())
            held.enter_context(claimed(parts))
        else:
            refuse_other(parts, kept, run)
            parts.tidy()
        yield


def refuse_other(parts: Parts, kept: bytes, run: Flat) -> None:
    """Refuse the parts of another run, with what differs."""
    try:
        before = dict(json.loads(kept))
    except (TypeError, ValueError):
        raise BadTable(say("f_parts_unread", folder=places.shown(parts.folder), file=RUN)) from None
    if told := differing(before, run):
        raise BadTable(say("f_parts_other", folder=places.shown(parts.folder), differences="; ".join(told)))


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
            raise BadTable(say("f_parts_busy", folder=places.shown(parts.folder))) from None
        except OSError:  # a filesystem that has no locks
            pass
        yield


def refuse_foreign(parts: Parts) -> None:
    """Refuse a folder in which something lies that no run has noted."""
    filesystem, folder = storage(parts.folder)
    try:
        found = [path for path in filesystem.ls(folder, detail=False) if path.rstrip("/") != folder.rstrip("/")]
    except FileNotFoundError:
        return
    names = sorted(path.rstrip("/").rpartition("/")[2] for path in found)
    if names and names != ["_run"]:
        raise BadTable(say("f_parts_foreign", folder=places.shown(parts.folder), found=listing(names, 5)))


def differing(before: Flat, now: Flat) -> list[str]:
    """In words, what is different in two runs."""
    names = [name for name in {**now, **before} if before.get(name) != now.get(name)]
    return [
        say("f_parts_differ", name=name, before=shown(before.get(name)), now=shown(now.get(name))) for name in names
    ]


def shown(value: Any) -> str:
    """A value for a message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


def assembled(parts: Parts, count: int, target: str, layout: Layout) -> None:
    """Make one file of the pieces, in order, and remove them. It gets its name when it is complete."""
    filesystem, path = storage(target)
    if is_local(filesystem):
        new = Path(f"{path}.part")
        try:
            with open(new, "wb") as file:
                JOINERS[parts.kind](parts, count, file, layout)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    else:
        with filesystem.open(path, "wb") as file:
            JOINERS[parts.kind](parts, count, file, layout)
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


JOINERS: dict[str, Callable[[Parts, int, IO[bytes], Layout], None]] = {
    "csv": join_lines,
    "jsonl": join_lines,
    "parquet": join_parquet,
}
