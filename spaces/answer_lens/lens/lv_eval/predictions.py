"""Read prediction files as LV-Eval's own code writes them: lines of JSON with pred, answers and gold_ans, or a zip of
such files.

It also runs as a program of its own, with a limit on its memory and its time, because a small file can unpack to a huge
one: `python lv_eval/predictions.py` takes a visitor's files from its standard input, as a JSON array of [name, content
in base64],
and writes one line of JSON, {"files": ...} or {"problem", "values"}, whose words stand in words/lv_eval_texts.py.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import lzma
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from lens.lv_eval.tasks import LENGTHS, TASKS, is_predictions, parts_of, sort_key
from lens.tables.read import Unreadable, text_of
from lens.tables.visitors_file import answer, limit

# What the page takes, all files of one run together; the whole benchmark has 8,645 rows and answers of 64 tokens.
MAX_BYTES = 10_000_000
MAX_UNPACKED = 40_000_000
MAX_FILES = 100
MAX_ROWS = 20_000
MAX_TEXT = 50_000
MAX_CHARACTERS = 12_000_000
# Whole numbers with more digits take Python long to read.
LONG_NUMBER = 19
MAX_SHOWN = 80
BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, NotImplementedError)

Named = tuple[str, bytes]


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


class Room:
    """What the page still takes of one run. Only where it is `limited`: in the terminal there is no limit."""

    def __init__(self, limited: bool) -> None:
        self.limited = limited
        self.rows = self.characters = self.unpacked = 0

    def unpack(self, file: Any, name: str) -> bytes:
        """The bytes of a file in a zip, as far as there is room for them."""
        if not self.limited:
            return file.read()
        data = file.read(MAX_UNPACKED - self.unpacked + 1)
        self.unpacked += len(data)
        if self.unpacked > MAX_UNPACKED:
            raise Unreadable("lv_unpacked", file=name, limit=MAX_UNPACKED // 1_000_000)
        return data

    def take(self, name: str, line: int, texts: Iterable[str]) -> None:
        """Count one row."""
        if not self.limited:
            return
        self.rows += 1
        if self.rows > MAX_ROWS:
            raise Unreadable("lv_rows", limit=MAX_ROWS)
        for text in texts:
            if len(text) > MAX_TEXT:
                raise Unreadable("lv_text", file=name, line=line, length=len(text), limit=MAX_TEXT)
            self.characters += len(text)
        if self.characters > MAX_CHARACTERS:
            raise Unreadable("lv_characters", limit=MAX_CHARACTERS)


def shown(value: object) -> str:
    """A value for a message, not too long."""
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= MAX_SHOWN else written[:MAX_SHOWN] + "…"


def whole(digits: str) -> float:
    """A whole number; one of many digits as a float."""
    return int(digits) if len(digits) < LONG_NUMBER else float(digits)


def identified(name: str) -> tuple[str, str, str]:
    """The key, the dataset and the length that a file's name says; Unreadable where it names none of LV-Eval's."""
    key, dataset, length = parts_of(name)
    if not is_predictions(name) or dataset not in TASKS:
        raise Unreadable("lv_name", file=name)
    if length not in LENGTHS:
        raise Unreadable("lv_length", file=name, lengths=", ".join(LENGTHS))
    return key, dataset, length


def rows_of(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects in the lines of a file, each with its line's number; blank lines are none."""
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.rstrip("\n"), parse_int=whole)
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


def predictions_of(name: str, data: bytes, room: Room) -> Predictions:
    """What is scored of one file."""
    key, dataset, length = identified(name)
    try:
        text = text_of(data)
    except Unreadable as error:
        raise Unreadable("lv_not_utf8", file=name, **error.values) from None
    columns: tuple[list[str], list[str], list[str]] = [], [], []
    gated = bool(TASKS[dataset].metric.gate)
    for line, row in rows_of(text, name):
        texts = texts_of(row, gated, name, line)
        room.take(name, line, texts)
        for column, cell in zip(columns, texts, strict=True):
            column.append(cell)
    if not columns[0]:
        raise Unreadable("lv_empty", file=name)
    return Predictions(name, key, dataset, length, *columns)


def unzipped(data: bytes, room: Room) -> Iterator[Named]:
    """The prediction files of a zip, in whatever folder they lie; other files do not count."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN:
        raise Unreadable("lv_not_zip") from None
    seen: set[str] = set()
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
        try:
            with archive.open(entry) as file:
                content = room.unpack(file, name)
        except BROKEN:
            raise Unreadable("lv_zip_broken", file=name) from None
        yield name, content


def unpacked(files: list[Named], room: Room) -> list[Named]:
    """The files, or where it is one zip, those in it."""
    zips = [name for name, _ in files if name.lower().endswith(".zip")]
    if zips and len(files) > 1:
        raise Unreadable("lv_mixed", file=zips[0])
    return list(unzipped(files[0][1], room)) if zips else files


def read(files: list[Named], limited: bool = False) -> list[Predictions]:
    """All prediction files of a run, in the order of the original; Unreadable where anything is wrong with one."""
    room = Room(limited)
    found = sorted(unpacked(files, room), key=lambda file: sort_key(file[0]))
    if not found:
        raise Unreadable("lv_no_files")
    cells: dict[tuple[str, str], str] = {}
    for name, _ in found:
        _, dataset, length = identified(name)
        if (dataset, length) in cells:
            first = cells[dataset, length]
            raise Unreadable("lv_same", file=first, other=name, dataset=dataset, length=length)
        cells[dataset, length] = name
    return [predictions_of(name, data, room) for name, data in found]


def sent(text: bytes) -> list[Named]:
    """The files of a visitor, as the page sends them."""
    try:
        files = [(str(name), base64.b64decode(content, validate=True)) for name, content in json.loads(text)]
    except (binascii.Error, TypeError, ValueError):
        raise Unreadable("lv_unsent") from None
    if len(files) > MAX_FILES:
        raise Unreadable("lv_files", limit=MAX_FILES)
    if sum(len(data) for _, data in files) > MAX_BYTES:
        raise Unreadable("lv_bytes", limit=MAX_BYTES // 1_000_000)
    return files


def main() -> None:
    """Read the files that come in, say what is in them."""
    limit()
    answer(lambda: {"files": [asdict(file) for file in read(sent(sys.stdin.buffer.read()), limited=True)]}, "lv")


if __name__ == "__main__":
    main()
