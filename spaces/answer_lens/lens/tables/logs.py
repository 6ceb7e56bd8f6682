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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from lens.tables import lm_eval_logs, log_formats, promptfoo_logs
from lens.tables.cells import ABSENT, inside
from lens.tables.log import Log, Row, first_line, likelihoods
from lens.tables.log_formats import ALPACA, EVALS, HELM, INSPECT, LIGHTEVAL
from lens.tables.roles import BadTable, listing
from lens.words import say, sentences
from lens.words.printed import short

LM_EVAL, PROMPTFOO = lm_eval_logs.TOOL, promptfoo_logs.TOOL
# The newest version of each format that says its own.
NEWEST = {INSPECT: 2, PROMPTFOO: 3}
# How many samples are looked at before the first row is made, where one alone does not tell what it is.
AHEAD = 100
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


def take_row(row: Row, log: Log) -> Iterable[Any]:
    """Return the samples of a row that is one."""
    return [row]


def look_nowhere(samples: Sequence[Any], log: Log) -> None:
    """Note nothing of the first samples, where one alone tells what it is."""


@dataclass(frozen=True)
class Format:
    """A format of a log.

    Attributes:
        tool: the tool that writes it.
        has: what a row or the one object of a file has, by dotted names.
        rows: makes the rows of a sample.
        samples: gives the samples in a row or the one object.
        look_ahead: notes what only the first samples together tell.
    """

    tool: str
    has: Mapping[str, type | tuple[type, ...]]
    rows: Callable[[Any, Log], Iterator[Row]]
    samples: Callable[[Row, Log], Iterable[Any]] = take_row
    look_ahead: Callable[[Sequence[Any], Log], None] = look_nowhere

    def fits(self, row: Row) -> bool:
        """Return whether a row, or the one object of a file, is of this format."""
        cells = ((inside(row, name, ABSENT), kind) for name, kind in self.has.items())
        return all(cell is not ABSENT and isinstance(cell, kind) for cell, kind in cells)


def list_inspect(whole: Row, log: Log) -> Iterable[Any]:
    """Return the samples of a log of inspect_ai, which says its model and how it ended."""
    refuse_version(whole["version"], log)
    log.status, log.model = str(whole.get("status", "started")), str(whole["eval"]["model"])
    log.failure = str((whole.get("error") or {}).get("message") or "")
    log_formats.note_choices(whole, log)
    return whole.get("samples") or []


def list_promptfoo(whole: Row, log: Log) -> Iterable[Any]:
    """Return the results of promptfoo; what its function `evaluate` returns has them one level higher."""
    summary = whole["results"] if isinstance(whole["results"], dict) else whole
    refuse_version(summary.get("version"), log)
    return summary["results"]  # type: ignore[no-any-return]


def list_promptfoo_table(whole: Row, log: Log) -> Iterable[Any]:
    """Return the results in a table of promptfoo, which its server wraps in another object."""
    return promptfoo_logs.list_outputs(whole.get("table") or whole, log)


def list_helm(whole: Row, log: Log) -> Iterable[Any]:
    """Return the states of HELM."""
    adapter = whole["adapter_spec"]
    if str(adapter.get("method")).startswith(WITHOUT_ANSWER):
        raise likelihoods(log)
    log.model = str(adapter.get("model") or adapter.get("model_deployment") or "")
    return whole["request_states"]  # type: ignore[no-any-return]


def refuse_summary(whole: Row, log: Log) -> Iterable[Any]:
    """Refuse what a tool writes beside its samples."""
    raise BadTable(say("log_summary", tool=log.tool))


FORMATS = (
    Format(LM_EVAL, {"doc_id": object, "doc": dict, "arguments": (dict, list), "resps": list},
           lm_eval_logs.read_sample, look_ahead=lm_eval_logs.look_ahead),
    Format(LIGHTEVAL, {"doc.query": str, "model_response": dict, "metric": dict}, log_formats.read_lighteval),
    Format(LIGHTEVAL, {"example": str, "full_prompt": object, "predictions": (str, list), "metrics": (str, dict)},
           log_formats.read_lighteval_before),
    Format(INSPECT, {"version": int, "eval.model": str, "eval.task": str}, log_formats.read_inspect, list_inspect),
    Format(PROMPTFOO, {"results.results": list, "config": dict}, promptfoo_logs.read_result, list_promptfoo,
           promptfoo_logs.look_ahead),
    Format(PROMPTFOO, {"results.results": list, "results.stats": dict}, promptfoo_logs.read_result, list_promptfoo,
           promptfoo_logs.look_ahead),
    Format(PROMPTFOO, {"results": list, "stats.successes": int}, promptfoo_logs.read_result, list_promptfoo,
           promptfoo_logs.look_ahead),
    Format(PROMPTFOO, {"promptIdx": int, "testIdx": int, "vars": dict, "prompt.raw": str}, promptfoo_logs.read_result,
           look_ahead=promptfoo_logs.look_ahead),
    Format(PROMPTFOO, {"head.prompts": list, "head.vars": list, "body": list}, promptfoo_logs.read_result,
           list_promptfoo_table),
    Format(PROMPTFOO, {"table.head.prompts": list, "table.head.vars": list, "table.body": list},
           promptfoo_logs.read_result, list_promptfoo_table),
    Format(EVALS, {"spec.eval_name": str, "spec.run_id": str}, log_formats.read_evals),
    Format(HELM, {"adapter_spec": dict, "request_states": list}, log_formats.read_helm, list_helm),
    Format(ALPACA, {"instruction": str, "output_1": str, "output_2": str, "preference": object},
           log_formats.read_alpaca),
    Format(LM_EVAL, {"results": dict, "configs": dict, "n-shot": dict}, lm_eval_logs.read_sample, refuse_summary),
    Format(LIGHTEVAL, {"results": dict, "config_general": dict}, log_formats.read_lighteval, refuse_summary),
)  # fmt: skip
# A CSV is told by the names of its columns.
CSV_FORMAT = Format(PROMPTFOO, {}, promptfoo_logs.read_result, promptfoo_logs.list_cells)


def format_of(row: Row) -> Format | None:
    """Return the format of a row, or of the one object of a file; None where that is no log."""
    return next((form for form in FORMATS if form.fits(row)), None)


def find_csv_format(row: Row) -> Format | None:
    """Return the format of a row of a CSV; None where that is no log."""
    return CSV_FORMAT if promptfoo_logs.find_output_columns(row) else None


def refuse_version(version: Any, log: Log) -> None:
    """Refuse a version that is not known."""
    newest = NEWEST[log.tool]
    if version not in range(1, newest + 1):
        raise BadTable(say("log_version", tool=log.tool, version=short(str(version)), newest=newest))


def as_table(rows: Iterator[Row], log: Log, find_format: Callable[[Row], Format | None] = format_of) -> Iterator[Row]:
    """Yield the rows of a log as those of a table, and of any other table as they are."""
    first = next(rows, None)
    form = find_format(first) if first is not None else None
    if form is CSV_FORMAT and first is not None and not first.keys().isdisjoint(log.columns):
        form = None  # each of its columns of outputs that is named is a system
    every = itertools.chain([] if first is None else [first], rows)
    yield from read_samples(every, form, log) if form else every
    refuse_filter(log)  # which an ordinary table never has


def refuse_filter(log: Log) -> None:
    """Refuse a log that does not have the filter that is asked for."""
    if log.wanted and log.wanted not in log.filters:
        raise BadTable(say("log_no_filter", filter=short(log.wanted), found=listing(log.filters)))


def read_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Row]:
    """Yield the rows of a log, whose lines or one object are given.

    Raises:
        BadTable: a sample that is not as the tool writes it, with its number; a log without samples.
    """
    log.tool, log.model = form.tool, find_model(form.tool, log)
    samples = list_samples(objects, form, log)
    first = list(itertools.islice(samples, AHEAD))
    with within(log, 1):
        form.look_ahead(first, log)
    for number, sample in enumerate(itertools.chain(first, samples), 1):
        with within(log, number):
            yield from form.rows(sample, log)
    refuse_filter(log)
    refuse_empty(log)


def list_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Any]:
    """Yield the samples in the lines or the one object of a log."""
    number = 0
    for whole in objects:
        with within(log, number + 1):
            for sample in form.samples(whole, log):
                number += 1
                yield sample


def refuse_empty(log: Log) -> None:
    """Refuse a log that has no sample with an answer, and say why its run failed, if it says so."""
    if log.samples:
        return
    if log.unasked:
        raise likelihoods(log)
    failure = say("log_run_failed", error=short(first_line(log.failure), MAX_TOLD)) if log.failure else ""
    raise BadTable(sentences(say("log_no_samples", tool=log.tool), failure))


@contextlib.contextmanager
def within(log: Log, place: int | str) -> Iterator[None]:
    """Refuse what is not as the tool writes it, with its place."""
    try:
        yield
    except UNLIKE as error:
        told = short(f"{type(error).__name__}: {error}", MAX_TOLD)
        raise BadTable(say("log_unlike", tool=log.tool, place=short(str(place)), message=told)) from None


def find_model(tool: str, log: Log) -> str:
    """Return the model of a log, where it is not in it but in a file beside it, or in the name of its folder."""
    if tool == LIGHTEVAL and (found := DETAILS.search(log.path)):
        return found[1]
    if tool == LM_EVAL and log.path:
        *_, folder, name = ["", *log.path.split("/")]
        with contextlib.suppress(ValueError, AttributeError):
            written = log.beside(f"results_{name.removesuffix('.jsonl').rpartition('_')[2]}.json")
            return str(json.loads(written or "{}").get("model_name") or (folder if "__" in folder else ""))
    return ""


def eval_rows(file: IO[bytes], log: Log) -> Iterator[Row]:
    """Yield the rows of an .eval of inspect_ai: a zip with a member for each sample, and one that tells of them all."""
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
        list_inspect(read_member(file, archive, head), log)
    for one in samples:
        with within(log, one.filename):
            yield from log_formats.read_inspect(read_member(file, archive, one), log)
    refuse_empty(log)
    refuse_filter(log)


def read_member(file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Any:
    """Return what a member of a zip holds as JSON; BadTable, with its name, where it cannot be read whole."""
    try:
        if entry.file_size > MAX_MEMBER:
            raise ValueError(f"{entry.file_size:,} > {MAX_MEMBER:,}")
        data = unpack_member(file, archive, entry)
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise ValueError("CRC-32")
        return json.loads(data)
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise BadTable(say("log_member", member=short(entry.filename), message=short(str(error), MAX_TOLD))) from None


def unpack_member(file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member, of which no more are unpacked than one too many.

    pyarrow, which reads Parquet, knows Zstandard.
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
