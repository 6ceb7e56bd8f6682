"""Read prediction files as LV-Eval's own code writes them: lines of JSON with pred, answers and gold_ans, or a zip of
such files.

One's own are read as they are, however large (`from_disk`); a visitor's within limits and in a child process
(`from_visitor`), because a small file can unpack to a huge one: `python -m lens.lv_eval.predictions` takes paths from
its standard input, as a JSON array, and writes one line of JSON, {"files": ...} or {"problem", "values"}.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lens.lv_eval.tasks import LENGTHS, TASKS, is_predictions, parts_of, sort_key
from lens.tables.read import Unreadable, text_of
from lens.tables.untrusted import WAIT_SECONDS, BadFile, by_child
from lens.tables.visitors_file import answer, limit
from lens.words import say

READER = ("-m", "lens.lv_eval.predictions")
# What the page takes, all files of one run together; the whole benchmark has 8,645 rows and answers of 64 tokens.
MAX_BYTES = 10_000_000
MAX_UNPACKED = 40_000_000
MAX_FILES = 100
MAX_ROWS = 20_000
MAX_TEXT = 50_000
MAX_CHARACTERS = 12_000_000
MAX_SHOWN = 80
BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)

Named = tuple[str, bytes]


class BadRun(Exception):
    """Prediction files that cannot be scored, in words for the page and the terminal."""


@dataclass(frozen=True)
class Predictions:
    """One file: its key in result.json, its dataset and length, and of each row what is scored."""

    name: str
    key: str
    dataset: str
    length: str
    predictions: list[str]
    references: list[str]
    keywords: list[str]


def from_disk(path: Path) -> list[Predictions]:
    """The prediction files of a folder or a zip of one's own; or BadRun. Other files in the folder do not count, as in
    the original.
    """
    try:
        if path.is_dir():
            paths = [one for one in path.iterdir() if one.is_file() and is_predictions(one.name)]
        elif path.suffix.lower() == ".zip":
            paths = [path]
        else:
            raise BadRun(say("lv_no_folder", path=path))
        return read([(one.name, one.read_bytes()) for one in paths])
    except Unreadable as error:
        raise BadRun(say(error.problem, **error.values)) from None
    except OSError as error:
        raise BadRun(say("lv_unreadable", path=path, error=error.strerror)) from None


def from_visitor(paths: Sequence[str]) -> list[Predictions]:
    """The prediction files that a visitor sent, which lie on this disk; or BadRun."""
    try:
        told = by_child(READER, json.dumps(list(paths)).encode(), "lv", WAIT_SECONDS)
    except BadFile as error:
        raise BadRun(str(error)) from None
    return [Predictions(**file) for file in told["files"]]


def read(files: Sequence[Named], most_unpacked: int | None = None) -> list[Predictions]:
    """All prediction files of a run, in the order of the original; Unreadable where anything is wrong with one."""
    found = sorted(unpacked(files, most_unpacked), key=lambda file: sort_key(file[0]))
    if not found:
        raise Unreadable("lv_no_files")
    cells: dict[tuple[str, str], str] = {}
    for name, _ in found:
        _, dataset, length = identified(name)
        first = cells.setdefault((dataset, length), name)
        if first != name:
            raise Unreadable("lv_same", file=first, other=name, dataset=dataset, length=length)
    return [predictions_of(name, data) for name, data in found]


def unpacked(files: Sequence[Named], most: int | None) -> list[Named]:
    """The files, or where it is one zip, those in it."""
    zips = [name for name, _ in files if name.lower().endswith(".zip")]
    if zips and len(files) > 1:
        raise Unreadable("lv_mixed", file=zips[0])
    return list(unzipped(files[0][1], most)) if zips else list(files)


def unzipped(data: bytes, most: int | None) -> Iterator[Named]:
    """The prediction files of a zip, in whatever folder they lie; other files do not count. No file in a zip is ever
    unpacked to more than the zip says.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN:
        raise Unreadable("lv_not_zip") from None
    seen: set[str] = set()
    size = 0
    for entry in archive.infolist():
        *folders, name = entry.filename.replace("\\", "/").split("/")
        if "__MACOSX" in folders or name.startswith("."):
            continue
        if name.lower().endswith(".zip"):
            raise Unreadable("lv_nested_zip", file=name)
        if not is_predictions(name):
            continue
        if name in seen:
            raise Unreadable("lv_twice", file=name)
        if entry.flag_bits & 1:
            raise Unreadable("lv_encrypted", file=name)
        seen.add(name)
        size += entry.file_size
        if most is not None and size > most:
            raise Unreadable("lv_unpacked", file=name, limit=most // 1_000_000)
        try:
            content = archive.read(entry)
        except BROKEN:
            raise Unreadable("lv_zip_broken", file=name) from None
        yield name, content


def identified(name: str) -> tuple[str, str, str]:
    """The key, the dataset and the length that a file's name says; Unreadable where it names none of LV-Eval's."""
    key, dataset, length = parts_of(name)
    if not is_predictions(name) or dataset not in TASKS:
        raise Unreadable("lv_name", file=name)
    if length not in LENGTHS:
        raise Unreadable("lv_length", file=name, lengths=", ".join(LENGTHS))
    return key, dataset, length


def predictions_of(name: str, data: bytes) -> Predictions:
    """What is scored of one file."""
    key, dataset, length = identified(name)
    try:
        text = text_of(data)
    except Unreadable as error:
        raise Unreadable("lv_not_utf8", file=name, **error.values) from None
    gated = bool(TASKS[dataset].metric.gate)
    rows = [texts_of(row, gated, name, line) for line, row in rows_of(text, name)]
    if not rows:
        raise Unreadable("lv_empty", file=name)
    predictions, references, keywords = map(list, zip(*rows, strict=True))
    return Predictions(name, key, dataset, length, predictions, references, keywords)


def rows_of(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects in the lines of a file, each with its line's number; blank lines are none."""
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.rstrip("\n"), parse_int=float)  # int() refuses numbers of many digits
        except json.JSONDecodeError as error:
            raise Unreadable("lv_not_json", file=name, line=number, column=error.colno) from None
        except RecursionError:
            raise Unreadable("lv_nested", file=name, line=number) from None
        if not isinstance(row, dict):
            raise Unreadable("lv_no_object", file=name, line=number, value=shown(row))
        yield number, row


def texts_of(row: dict[str, Any], gated: bool, name: str, line: int) -> tuple[str, str, str]:
    """Prediction, first answer and keywords of a row; where there are no keywords, an empty text."""

    def refuse(problem: str, value: object) -> Unreadable:
        return Unreadable(problem, file=name, line=line, value=shown(value))

    for field in ("pred", "answers"):
        if field not in row:
            raise Unreadable("lv_lacks", file=name, line=line, field=field)
    prediction, answers, keywords = row["pred"], row["answers"], row.get("gold_ans")
    if not isinstance(prediction, str):
        raise refuse("lv_pred", prediction)
    if not isinstance(answers, list) or not answers or not isinstance(answers[0], str):
        raise refuse("lv_answers", answers)
    if not gated:  # the original hands gold_ans to every metric, and only those with a gate look at it
        return prediction, answers[0], ""
    if keywords is not None and not isinstance(keywords, str):
        raise refuse("lv_gold", keywords)
    return prediction, answers[0], keywords or ""


def shown(value: object) -> str:
    """A value for a message, not too long."""
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= MAX_SHOWN else written[:MAX_SHOWN] + "…"


def sent(paths: Sequence[Path]) -> list[Predictions]:
    """A visitor's files, within what the page takes."""
    if len(paths) > MAX_FILES:
        raise Unreadable("lv_files", limit=MAX_FILES)
    try:
        if sum(path.stat().st_size for path in paths) > MAX_BYTES:
            raise Unreadable("lv_bytes", limit=MAX_BYTES // 1_000_000)
        files = [(path.name, path.read_bytes()) for path in paths]
    except FileNotFoundError:  # deleted by another visitor's run of the very same file, or after an hour
        raise Unreadable("lv_unsent") from None
    found = read(files, MAX_UNPACKED)
    if sum(len(file.predictions) for file in found) > MAX_ROWS:
        raise Unreadable("lv_rows", limit=MAX_ROWS)
    characters = 0
    for file in found:
        for row, texts in enumerate(zip(file.predictions, file.references, file.keywords, strict=True), 1):
            longest = max(map(len, texts))
            if longest > MAX_TEXT:
                raise Unreadable("lv_text", file=file.name, row=row, length=longest, limit=MAX_TEXT)
            characters += sum(map(len, texts))
    if characters > MAX_CHARACTERS:
        raise Unreadable("lv_characters", limit=MAX_CHARACTERS)
    return found


def main() -> None:
    """Read the files whose paths come in, say what is in them."""
    limit()
    answer(lambda: {"files": [asdict(file) for file in sent([Path(one) for one in json.load(sys.stdin)])]}, "lv")


if __name__ == "__main__":
    main()
