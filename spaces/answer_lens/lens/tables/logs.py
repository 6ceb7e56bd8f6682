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

from lens.tables import lm_eval_logs, log_formats, promptfoo_logs, promptfoo_tables
from lens.tables.cells import ABSENT, find_inner
from lens.tables.log import Log, first_line, refuse_likelihoods
from lens.tables.log_formats import ALPACA, EVALS, HELM, INSPECT, LIGHTEVAL
from lens.tables.reading import Row
from lens.tables.roles import join_names
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

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
# The members of an .eval that tell of all samples: of one that is whole, and of one whose run was cut off.
HEADS = ("header.json", "_journal/start.json")
# What a sample that is not as its tool writes it brings about.
UNLIKE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def take_row(row: Row, log: Log) -> Iterable[Any]:
    """Return the one sample that a row is."""
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
        for name, kind in self.has.items():
            cell = find_inner(row, name, ABSENT)
            if cell is ABSENT or not isinstance(cell, kind):
                return False
        return True


def list_inspect(whole: Row, log: Log) -> Iterable[Any]:
    """Return the samples of a log of inspect_ai, which says its model and how it ended."""
    refuse_version(whole["version"], log)
    log.status = str(whole.get("status", "started"))
    log.model = str(whole["eval"]["model"])
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
    return promptfoo_tables.list_outputs(whole.get("table") or whole, log)


def list_helm(whole: Row, log: Log) -> Iterable[Any]:
    """Return the states of HELM."""
    adapter = whole["adapter_spec"]
    if str(adapter.get("method")).startswith(WITHOUT_ANSWER):
        refuse_likelihoods(log)
    log.model = str(adapter.get("model") or adapter.get("model_deployment") or "")
    return whole["request_states"]  # type: ignore[no-any-return]


def refuse_summary(whole: Row, log: Log) -> Iterable[Any]:
    """Refuse what a tool writes beside its samples."""
    raise UserError("log.summary", tool=log.tool)


# What promptfoo's results have, in its three forms; a line of its JSON Lines; its tables.
PROMPTFOO_RESULTS: tuple[Mapping[str, type], ...] = (
    {"results.results": list, "config": dict},
    {"results.results": list, "results.stats": dict},
    {"results": list, "stats.successes": int},
)
PROMPTFOO_LINE = {"promptIdx": int, "testIdx": int, "vars": dict, "prompt.raw": str}
PROMPTFOO_TABLES: tuple[Mapping[str, type], ...] = (
    {"head.prompts": list, "head.vars": list, "body": list},
    {"table.head.prompts": list, "table.head.vars": list, "table.body": list},
)
FORMATS = (
    Format(LM_EVAL, {"doc_id": object, "doc": dict, "arguments": (dict, list), "resps": list},
           lm_eval_logs.read_sample, look_ahead=lm_eval_logs.look_ahead),
    Format(LIGHTEVAL, {"doc.query": str, "model_response": dict, "metric": dict}, log_formats.read_lighteval),
    Format(LIGHTEVAL, {"example": str, "full_prompt": object, "predictions": (str, list), "metrics": (str, dict)},
           log_formats.read_lighteval_before),
    Format(INSPECT, {"version": int, "eval.model": str, "eval.task": str}, log_formats.read_inspect, list_inspect),
    *(Format(PROMPTFOO, has, promptfoo_logs.read_result, list_promptfoo, promptfoo_logs.look_ahead)
      for has in PROMPTFOO_RESULTS),
    Format(PROMPTFOO, PROMPTFOO_LINE, promptfoo_logs.read_result, look_ahead=promptfoo_logs.look_ahead),
    *(Format(PROMPTFOO, has, promptfoo_logs.read_result, list_promptfoo_table) for has in PROMPTFOO_TABLES),
    Format(EVALS, {"spec.eval_name": str, "spec.run_id": str}, log_formats.read_evals),
    Format(HELM, {"adapter_spec": dict, "request_states": list}, log_formats.read_helm, list_helm),
    Format(ALPACA, {"instruction": str, "output_1": str, "output_2": str, "preference": object},
           log_formats.read_alpaca),
    Format(LM_EVAL, {"results": dict, "configs": dict, "n-shot": dict}, lm_eval_logs.read_sample, refuse_summary),
    Format(LIGHTEVAL, {"results": dict, "config_general": dict}, log_formats.read_lighteval, refuse_summary),
)  # fmt: skip
# A CSV is told by the names of its columns.
CSV_FORMAT = Format(PROMPTFOO, {}, promptfoo_logs.read_result, promptfoo_tables.list_cells)


def find_format(row: Row) -> Format | None:
    """Return the format of a row, or of the one object of a file; None where that is no log."""
    return next((form for form in FORMATS if form.fits(row)), None)


def find_csv_format(row: Row) -> Format | None:
    """Return the format of a row of a CSV; None where that is no log."""
    return CSV_FORMAT if promptfoo_tables.find_output_columns(row) else None


def refuse_version(version: Any, log: Log) -> None:
    """Refuse a version that is not known."""
    newest = NEWEST[log.tool]
    if version not in range(1, newest + 1):
        raise UserError("log.version", tool=log.tool, version=shorten_name(str(version)), newest=newest)


def convert_log(
    rows: Iterator[Row], log: Log, find_form: Callable[[Row], Format | None] = find_format
) -> Iterator[Row]:
    """Yield the rows of a log as those of a table, and of any other table as they are."""
    first = next(rows, None)
    if first is not None:
        form = find_form(first)
        rows = itertools.chain([first], rows)
        # In a CSV each column of outputs that is named is a system.
        are_systems = form is CSV_FORMAT and not first.keys().isdisjoint(log.columns)
        if form and not are_systems:
            rows = read_samples(rows, form, log)
    yield from rows
    refuse_filter(log)  # which an ordinary table never has


def refuse_filter(log: Log) -> None:
    """Refuse a log that does not have the filter that is asked for."""
    if log.wanted and log.wanted not in log.filters:
        raise UserError("log.no_filter", filter=shorten_name(log.wanted), found=join_names(log.filters))


def read_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Row]:
    """Yield the rows of a log, whose lines or one object are given.

    Raises:
        UserError: a sample that is not as the tool writes it, with its number; a log without samples.
    """
    log.tool = form.tool
    log.model = find_model(form.tool, log)
    samples = list_samples(objects, form, log)
    first = list(itertools.islice(samples, AHEAD))
    with refuse_unlike(log, 1):
        form.look_ahead(first, log)
    for number, sample in enumerate(itertools.chain(first, samples), 1):
        with refuse_unlike(log, number):
            yield from form.rows(sample, log)
    refuse_filter(log)
    refuse_empty(log)


def list_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Any]:
    """Yield the samples in the lines or the one object of a log."""
    number = 0
    for whole in objects:
        with refuse_unlike(log, number + 1):
            for sample in form.samples(whole, log):
                number += 1
                yield sample


def refuse_empty(log: Log) -> None:
    """Refuse a log that has no sample with an answer, and say why its run failed, if it says so."""
    if log.samples:
        return
    if log.unasked:
        refuse_likelihoods(log)
    if not log.failure:
        raise UserError("log.no_samples", tool=log.tool)
    failure = Note("log.run_failed", {"error": shorten_name(first_line(log.failure), MAX_TOLD)})
    raise UserError("page.two_sentences", first=Note("log.no_samples", {"tool": log.tool}), second=failure)


@contextlib.contextmanager
def refuse_unlike(log: Log, place: int | str) -> Iterator[None]:
    """Refuse what is not as the tool writes it, with its place."""
    try:
        yield
    except UNLIKE as error:
        message = shorten_name(f"{type(error).__name__}: {error}", MAX_TOLD)
        raise UserError("log.unlike", tool=log.tool, place=shorten_name(str(place)), message=message) from None


def find_model(tool: str, log: Log) -> str:
    """Return the model of a log, where it is not in it but in a file beside it, or in the name of its folder."""
    if tool == LM_EVAL and log.path:
        return find_lm_eval_model(log)
    details = DETAILS.search(log.path) if tool == LIGHTEVAL else None
    return details[1] if details else ""


def find_lm_eval_model(log: Log) -> str:
    """Return the model in the results beside samples of lm-evaluation-harness, else in the name of their folder."""
    folder, _, name = log.path.rpartition("/")
    time = name.removesuffix(".jsonl").rpartition("_")[2]
    folder = folder.rpartition("/")[2]
    with contextlib.suppress(ValueError, AttributeError):
        results = json.loads(log.read_neighbour(f"results_{time}.json") or "{}")
        model = results.get("model_name")
        if not model and "__" in folder:
            model = folder
        return str(model or "")
    return ""


def read_eval_rows(file: IO[bytes], log: Log) -> Iterator[Row]:
    """Yield the rows of an .eval of inspect_ai: a zip with a member for each sample, and one that tells of them all."""
    log.tool = INSPECT
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError) as error:
        raise UserError("log.zip", message=shorten_name(str(error), MAX_TOLD)) from None
    head, samples = find_members(archive)
    if log.most is not None and sum(member.file_size for member in (head, *samples)) > log.most:
        raise UserError("file.bytes", limit=log.most // 1_000_000)
    with refuse_unlike(log, head.filename):
        list_inspect(read_member(file, archive, head), log)
    for member in samples:
        with refuse_unlike(log, member.filename):
            yield from log_formats.read_inspect(read_member(file, archive, member), log)
    refuse_empty(log)
    refuse_filter(log)


def find_members(archive: zipfile.ZipFile) -> tuple[zipfile.ZipInfo, list[zipfile.ZipInfo]]:
    """Return the member of an .eval that tells of all samples, and those of the samples."""
    # Of members of one name the last one counts.
    members = {member.filename: member for member in archive.infolist()}
    samples = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
    for head in HEADS:
        if head in members:
            return members[head], [members[name] for name in samples]
    raise UserError("log.zip", message=HEADS[0])


def read_member(file: IO[bytes], archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Any:
    """Return what a member of a zip holds as JSON; UserError, with its name, where it cannot be read whole."""
    try:
        if entry.file_size > MAX_MEMBER:
            raise ValueError(f"{entry.file_size:,} > {MAX_MEMBER:,}")
        data = unpack_member(file, archive, entry)
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            raise ValueError("CRC-32")
        return json.loads(data)
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise UserError(
            "log.member", member=shorten_name(entry.filename), message=shorten_name(str(error), MAX_TOLD)
        ) from None


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
