"""The logs of other evaluation tools as ordinary tables, told by what is in them and not by their names.

Tables that are no logs pass as they are. A zip is read member by member, in memory and within bounds, wherever its
names point: nothing of it is written anywhere.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from lens.tables import log_formats as formats
from lens.tables.cells import ABSENT, inside
from lens.tables.log_formats import ALPACA, EVALS, HELM, INSPECT, LIGHTEVAL, LM_EVAL, PROMPTFOO, Log, Row
from lens.tables.roles import BadTable, listing
from lens.words import say
from lens.words.printed import short

# The newest version of each format that says its own.
NEWEST = {INSPECT: 2, PROMPTFOO: 3}
# Where lighteval puts its details: a folder for each model and, in it, for each run.
DETAILS = re.compile(r"/details/(.+)/[^/]+/[^/]+$")
# What HELM asks without wanting an answer.
WITHOUT_ANSWER = ("multiple_choice_separate", "language_modeling", "ranking")
# Of a zip: the compression that Python's zipfile has from 3.14 on, the fixed part of a member's header with its mark
# and the lengths of name and extra field, and how much a member may hold.
ZSTANDARD, HEADER, MAX_MEMBER = 93, struct.Struct("<4s22xHH"), 1_000_000_000
# Of what went wrong, how much is said.
MAX_TOLD = 120
ZIP = b"PK\x03\x04"
# What a sample that is not as its tool writes it brings about.
UNLIKE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class Format:
    """A format: its tool, what a row or the one object of a file has by dotted names, the samples in that, and the rows
    of a sample.
    """

    tool: str
    has: Mapping[str, type | tuple[type, ...]]
    rows: Callable[[Any, Log], Iterator[Row]]
    samples: Callable[[Row, Log], Iterable[Any]] = lambda row, log: [row]

    def fits(self, row: Row) -> bool:
        """Whether a row, or the one object of a file, is of this format."""
        cells = ((inside(row, name, ABSENT), kind) for name, kind in self.has.items())
        return all(cell is not ABSENT and isinstance(cell, kind) for cell, kind in cells)


def inspected(whole: Row, log: Log) -> Iterable[Any]:
    """The samples of a log of inspect_ai, which says its model and how it ended."""
    known(whole["version"], log)
    log.status, log.model = str(whole.get("status", "started")), str(whole["eval"]["model"])
    return whole.get("samples") or []


def prompted(whole: Row, log: Log) -> Iterable[Any]:
    """The results of promptfoo."""
    known(whole["results"].get("version"), log)
    return whole["results"]["results"]  # type: ignore[no-any-return]


def stated(whole: Row, log: Log) -> Iterable[Any]:
    """The states of HELM."""
    adapter = whole["adapter_spec"]
    if str(adapter.get("method")).startswith(WITHOUT_ANSWER):
        raise formats.likelihoods(log)
    log.model = str(adapter.get("model") or adapter.get("model_deployment") or "")
    return whole["request_states"]  # type: ignore[no-any-return]


def summed_up(whole: Row, log: Log) -> Iterable[Any]:
    """No sample: what a tool writes besides."""
    raise BadTable(say("log_summary", tool=log.tool))


FORMATS = (
    Format(LM_EVAL, {"doc_id": object, "doc": dict, "arguments": (dict, list), "resps": list}, formats.lm_eval),
    Format(LIGHTEVAL, {"doc.query": str, "model_response": dict, "metric": dict}, formats.lighteval),
    Format(LIGHTEVAL, {"example": str, "full_prompt": object, "predictions": (str, list), "metrics": (str, dict)},
           formats.lighteval_before),
    Format(INSPECT, {"version": int, "eval.model": str, "eval.task": str}, formats.inspect, inspected),
    Format(PROMPTFOO, {"results.results": list, "config": dict}, formats.promptfoo, prompted),
    Format(PROMPTFOO, {"promptIdx": int, "testIdx": int, "vars": dict, "prompt.raw": str}, formats.promptfoo),
    Format(EVALS, {"spec.eval_name": str, "spec.run_id": str}, formats.evals),
    Format(HELM, {"adapter_spec": dict, "request_states": list}, formats.helm, stated),
    Format(ALPACA, {"instruction": str, "output_1": str, "output_2": str, "preference": object}, formats.alpaca),
    Format(LM_EVAL, {"results": dict, "configs": dict, "n-shot": dict}, formats.lm_eval, summed_up),
    Format(LIGHTEVAL, {"results": dict, "config_general": dict}, formats.lighteval, summed_up),
)  # fmt: skip


def format_of(row: Row) -> Format | None:
    """The format of a row, or of the one object of a file; None where that is no log."""
    return next((form for form in FORMATS if form.fits(row)), None)


def known(version: Any, log: Log) -> None:
    """Refuse a version that is not known."""
    newest = NEWEST[log.tool]
    if version not in range(1, newest + 1):
        raise BadTable(say("log_version", tool=log.tool, version=short(str(version)), newest=newest))


def as_table(rows: Iterator[Row], log: Log) -> Iterator[Row]:
    """The rows of a log as those of a table, and of any other table as they are."""
    first = next(rows, None)
    form = format_of(first) if first is not None else None
    every = itertools.chain([] if first is None else [first], rows)
    yield from taken_apart(every, form, log) if form else every
    refuse_filter(log)  # which an ordinary table never has


def refuse_filter(log: Log) -> None:
    """Refuse a log that does not have the filter that is asked for."""
    if log.wanted and log.wanted not in log.filters:
        raise BadTable(say("log_no_filter", filter=short(log.wanted), found=listing(log.filters)))


def taken_apart(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Row]:
    """The rows of a log, whose lines or one object are given. BadTable, with its number, for a sample that is not as
    the tool writes it.
    """
    log.tool, log.model = form.tool, beside(form.tool, log)
    number = rows = 0
    for whole in objects:
        with within(log, number + 1):
            samples = form.samples(whole, log)
        for sample in samples:
            number += 1
            with within(log, number):
                for row in form.rows(sample, log):
                    rows += 1
                    yield row
    refuse_filter(log)
    if not rows:
        raise BadTable(say("log_no_samples", tool=log.tool))


@contextlib.contextmanager
def within(log: Log, place: int | str) -> Iterator[None]:
    """Refuse what is not as the tool writes it, with its place."""
    try:
        yield
    except UNLIKE as error:
        told = short(f"{type(error).__name__}: {error}", MAX_TOLD)
        raise BadTable(say("log_unlike", tool=log.tool, place=short(str(place)), message=told)) from None


def beside(tool: str, log: Log) -> str:
    """The model of a log, where it is not in it but in a file beside it, or in the name of its folder."""
    if tool == LIGHTEVAL and (found := DETAILS.search(log.path)):
        return found[1]
    if tool == LM_EVAL and log.path:
        *_, folder, name = ["", *log.path.split("/")]
        with contextlib.suppress(ValueError, AttributeError):
            written = log.beside(f"results_{name.removesuffix('.jsonl').rpartition('_')[2]}.json")
            return str(json.loads(written or "{}").get("model_name") or (folder if "__" in folder else ""))
    return ""


def eval_rows(file: IO[bytes], log: Log) -> Iterator[Row]:
    """The rows of an .eval of inspect_ai: a zip that has a member for each sample, and one that tells of them all."""
    log.tool = INSPECT
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError) as error:
        raise BadTable(say("log_zip", message=short(str(error), MAX_TOLD))) from None
    members = {one.filename: one for one in archive.infolist()}  # of a name that stands twice the last one counts
    head = next((members[name] for name in ("header.json", "_journal/start.json") if name in members), None)
    samples = [one for name, one in members.items() if name.startswith("samples/") and name.endswith(".json")]
    if head is None:
        raise BadTable(say("log_zip", message="header.json"))
    if log.most is not None and sum(one.file_size for one in (head, *samples)) > log.most:
        raise BadTable(say("file_bytes", limit=log.most // 1_000_000))
    with within(log, head.filename):
        inspected(member(file, archive, head), log)
    for one in samples:
        with within(log, one.filename):
            yield from formats.inspect(member(file, archive, one), log)
    if not samples:
        raise BadTable(say("log_no_samples", tool=log.tool))
    refuse_filter(log)


def member(file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Any:
    """What a member of a zip holds as JSON; BadTable, with its name, where it cannot be read whole."""
    try:
        if entry.file_size > MAX_MEMBER:
            raise ValueError(f"{entry.file_size:,} > {MAX_MEMBER:,}")
        data = unpacked(file, archive, entry)
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise ValueError("CRC-32")
        return json.loads(data)
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise BadTable(say("log_member", member=short(entry.filename), message=short(str(error), MAX_TOLD))) from None


def unpacked(file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of a member, of which no more are unpacked than one too many; pyarrow, which reads Parquet, knows
    Zstandard.
    """
    if entry.compress_type != ZSTANDARD:
        with archive.open(entry) as stream:
            return stream.read(entry.file_size + 1)
    import pyarrow

    file.seek(entry.header_offset)
    mark, name, extra = HEADER.unpack(file.read(HEADER.size))
    if mark != ZIP:
        raise zipfile.BadZipFile(mark)
    file.seek(name + extra, 1)
    packed = pyarrow.BufferReader(file.read(entry.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as stream:
        return bytes(stream.read(entry.file_size + 1))
