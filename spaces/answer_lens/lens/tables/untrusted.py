"""A visitor's file, read by a child process with limits on its memory and its time, because a small file can unpack to
a huge one: nothing in it can take this process's memory or time. Its texts go into no log.

The child is this module as a program: `python -m lens.tables.untrusted en answers.csv.gz` reads a file and writes one
line of JSON, {"names", "rows", "columns", ...} or {"problem"}, in words of that language. It gives the columns that the
judge check takes; with `all` as another word it gives all columns, for the tab "Files", and there the logs of other
tools are tables, too.

Cells that are neither texts, numbers nor lists of texts come as {"json": their text}: what they hold would take many
times its length in the memory of the server.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from lens import SPACE
from lens.tables.cells import MAX_INNER, Nested, find_inner, is_kind, list_inner_names
from lens.tables.log import Log
from lens.tables.read import find_file_kind, read_table
from lens.tables.reading import Reading
from lens.tables.roles import is_verdict_column, note_wrong_verdicts
from lens.tables.text_files import ENCODINGS, WrongEncoding
from lens.words import join_sentences, language, say, speaking
from lens.words.notes import UserError
from lens.words.printed import MAX_NAME, shorten_name

READER = ("-m", "lens.tables.untrusted")
WAIT_SECONDS = 30
# Of the environment, what Python needs to start; the reader of a stranger's file gets no key.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "TMPDIR", "TEMP")
# What the judge check takes, besides the verdicts of judges and people.
WANTED = ("generated", "anchor_score", "perturbation_category", "perturbation_type", "chosen_logprob",
          "rejected_logprob")  # fmt: skip

MAX_BYTES = 10_000_000
# Of the samples in a log that is a zip, of which one after another is unpacked.
MAX_UNPACKED = 200_000_000
MAX_ROWS = 10_000
MAX_COLUMNS = 200
MAX_CELL = 100_000
# All texts together, as UTF-8: a small Parquet file can unpack to any length.
MAX_TEXT_BYTES = 12_000_000
MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 20
# Of the names of all columns, which stand in every row of a download.
MAX_NAMES = 20_000
# A text in a list counts as so many bytes more, for that is what it takes in memory.
EACH_TEXT = 20


@dataclass(frozen=True)
class Table:
    """The rows of a file: the names of all columns, and the columns that were asked for.

    `inner` are dotted names of what is in objects, `told` what the file was taken for, `filters` the filters of a log
    that has some, `model` the model that it names, `needs_all` whether its tool needs all references of a row.
    """

    names: Sequence[str]
    rows: int
    columns: Mapping[str, list[Any]]
    inner: Sequence[str] = ()
    told: str = ""
    filters: Sequence[str] = ()
    model: str = ""
    needs_all: bool = False

    @property
    def choices(self) -> list[str]:
        """The names of the columns, and of what is in objects."""
        return [*self.names, *(name for name in self.inner if name not in self.names)]

    def cells(self, name: str) -> Sequence[Any]:
        """Return a column, or what has a dotted name in objects; nothing where there is none."""
        if name in self.columns or name not in self.inner:
            return self.columns.get(name, ())
        outer = {one: cells for one, cells in self.columns.items() if name.startswith(f"{one}.")}
        rows = (dict(zip(outer, map(load_nested, cells), strict=True)) for cells in zip(*outer.values(), strict=True))
        return [find_inner(row, name) for row in rows]

    def unfit(self) -> dict[str, str]:
        """Return the columns that have verdicts by their names, but a cell that is none, with what is said of each."""
        found: dict[str, str] = {}
        names = [name for name in self.choices if is_verdict_column(name)]
        columns = zip(*map(self.cells, names), strict=True) if names else ()
        for _ in note_wrong_verdicts((dict(zip(names, cells, strict=True)) for cells in columns), found):
            pass
        return found

    def only(self, filter: str) -> Table:
        """Return the rows of one filter; all where there is none of that name."""
        if filter not in self.filters:
            return self
        kept = [row for row, one in enumerate(self.columns["filter"]) if one == filter]
        columns = {name: [cells[row] for row in kept] for name, cells in self.columns.items()}
        return replace(self, rows=len(kept), columns=columns)


def read_file(path: str | os.PathLike[str], everything: bool = False, encoding: str = "") -> Table:
    """Return the rows of a file with the columns of the judge check, or with `everything`; or UserError.

    A text is in one of ENCODINGS, by default in UTF-8 or what a mark at its beginning says.
    """
    words = ["all" if everything else "", f"encoding={encoding}"]
    return Table(**run_reader(READER, os.path.abspath(path), *words))


def run_reader(program: Sequence[str], *paths: str) -> Mapping[str, Any]:
    """Return what a program that reads a stranger's file says of it, or UserError."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    given: dict[str, Any] = {"capture_output": True, "timeout": WAIT_SECONDS, "env": environment, "cwd": SPACE}
    try:
        done = subprocess.run([sys.executable, *program, language(), *paths], stdin=subprocess.DEVNULL, **given)
    except subprocess.TimeoutExpired:
        raise UserError("file.bomb") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout, object_hook=restore_nested)
    except ValueError:  # stopped before it could say why: by a signal where a limit was reached
        if done.returncode > 0:
            raise UserError("file.failed", error=done.returncode) from None
        raise UserError("file.bomb") from None
    if "problem" in answer:
        raise (WrongEncoding if answer.get("encoding") else UserError)("page.as_it_is", text=answer["problem"])
    return answer


def restore_nested(value: dict[str, Any]) -> Any:
    """Return a cell that holds lists or objects; other objects stay what they are."""
    return Nested(value["json"]) if value.keys() == {"json"} and isinstance(value["json"], str) else value


def load_nested(cell: Any) -> Any:
    """Return a cell as it was before it was handed on."""
    return json.loads(cell.text) if isinstance(cell, Nested) else cell


def measure_cell(cell: Any) -> tuple[Any, int, int]:
    """Return a cell as it is handed on, and how long it is in characters and in bytes."""
    if is_kind(cell, "texts"):
        return cell, *(sum(map(length, cell)) + EACH_TEXT * len(cell) for length in (len, utf8_length))
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return ({"json": text} if isinstance(cell, list | dict) else cell), len(text), utf8_length(text)


def utf8_length(text: str) -> int:
    """Return how many bytes a text takes as UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def read_contents(kind: str, data: bytes, everything: bool = False, encoding: str = "") -> dict[str, Any]:
    """Return the columns of a file, the number of its rows and, within the limits, the cells that count.

    A column that begins only in a later row is empty before.
    """
    names: dict[str, None] = {}
    inner: dict[str, None] = {}
    columns: dict[str, list[Any]] = {}
    rows = held = 0
    log = Log(wanted="", most=MAX_UNPACKED) if everything else None
    reading = Reading(encoding, most_bytes=MAX_UNPACKED)
    for rows, row in enumerate(read_table(kind, io.BytesIO(data), log, reading), 1):
        names |= dict.fromkeys(row)
        for name in row:
            if everything or name in WANTED or (name not in columns and is_verdict_column(name)):
                columns.setdefault(name, [None] * (rows - 1))
        if rows > MAX_ROWS:
            raise UserError("file.rows", limit=MAX_ROWS)
        if len(columns) > MAX_COLUMNS:
            raise UserError("file.columns", limit=MAX_COLUMNS)
        for name, cells in columns.items():
            if log and len(inner) < MAX_INNER:
                found = (one for one in list_inner_names(name, row.get(name)) if len(one) <= MAX_NAME)
                inner |= dict.fromkeys(islice(found, MAX_INNER - len(inner)))
            cell, length, size = measure_cell(row.get(name))
            held += size
            if length > MAX_CELL:
                raise UserError("file.cell", column=shorten_name(name), row=rows, length=length, limit=MAX_CELL)
            if held > MAX_TEXT_BYTES:
                raise UserError("file.characters", limit=MAX_TEXT_BYTES)
            cells.append(cell)
    if not names:
        raise UserError("file.no_rows")
    if (length := sum(map(len, names))) > MAX_NAMES:
        longest = shorten_name(max(names, key=len))
        raise UserError("file.names", column=longest, length=length, limit=MAX_NAMES)
    read = {"names": list(names), "rows": rows, "columns": columns}
    read["told"] = join_sentences(*reading.notes, log.describe() if log else "")
    if log is None:
        return read
    of_log = {"filters": list(log.filters), "model": log.model, "needs_all": log.needs_all}
    return read | of_log | {"inner": list(inner)}


def read_bounded(name: str, *wanted: str) -> dict[str, Any]:
    """Return what is in a file, of which no more is read or unpacked than one may have."""
    path = Path(name)
    packed = path.suffix.lower() == ".gz"
    kind = find_file_kind(path.name, packed)
    if not kind:
        raise UserError("file.kind_unknown")
    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:  # deleted by another reading of the very same file
        raise UserError("file.unsent") from None
    except (OSError, EOFError, zlib.error):
        raise UserError("file.not_gzip") from None
    if len(data) > MAX_BYTES:
        raise UserError("file.bytes", limit=MAX_BYTES // 1_000_000)
    encoding = next((one for one in ENCODINGS if f"encoding={one}" in wanted), "")
    return read_contents(kind, data, "all" in wanted, encoding)


def limit_process() -> None:
    """Hold this process to its memory and time, where the system can; Windows cannot."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, MAX_SECONDS)):
        hard = resource.getrlimit(kind)[1]
        try:
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        except (ValueError, OSError):
            if sys.platform != "darwin":  # macOS may refuse a limit of memory
                raise


def write_answer(found: Callable[..., dict[str, Any]]) -> None:
    """Say what is in files, or why they cannot be read: the work of the child, which is given a language and paths."""
    _, chosen, *paths = sys.argv
    with speaking(chosen):
        try:
            said = json.dumps(found(*paths), ensure_ascii=False)
        except UserError as error:
            said = json.dumps({"problem": str(error), "encoding": isinstance(error, WrongEncoding)})
        except (MemoryError, RecursionError):
            said = json.dumps({"problem": say("file.bomb")})
        except Exception as error:  # whatever a strange file brings about: its kind is said, and nothing of the file
            said = json.dumps({"problem": say("file.failed", error=type(error).__name__)})
    sys.stdout.buffer.write(said.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    limit_process()
    write_answer(read_bounded)
    # At once: what pyarrow does when Python ends may abort the program after all has been said.
    sys.stdout.flush()
    os._exit(0)
